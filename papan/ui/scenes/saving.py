"""Saving in several frames: pictures to files, records to the clipboard."""

from __future__ import annotations

import datetime
import io
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pygame

from papan.game.base.places import atomic_file, data_folder, make_private_folder, pictures_folder
from papan.game.base.sentences import say
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.record import writing
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.scenes import Stage

_SLICE_SECONDS = 0.01
"""The time of each frame for the picture."""


class PictureError(Exception):
    """A picture can't be saved; the message says why."""


class PictureSaving:
    """Draws a picture in several frames, then saves it. Call its methods on the window's thread."""

    def __init__(
        self, paint: Painter, draw: Callable[[], pygame.Surface], save: Callable[[pygame.Surface], str]
    ) -> None:
        """
        :param draw: draws the picture; called again after an ``OutOfTimeError``.
        :param save: writes it, on another thread, and returns a sentence that says where, or why not.
        """
        self._paint = paint
        self._draw = draw
        self._save = save
        self._thread: threading.Thread | None = None
        self.outcome = ""
        """The result of ``save``; "" before."""
        self._error: Exception | None = None

    @property
    def is_over(self) -> bool:
        """Whether the picture was saved, or has failed."""
        return bool(self.outcome) or self._error is not None

    def begin(self, stage: Stage) -> None:
        """Let *stage* continue in each frame, whichever scene is shown, and notify of the result."""
        stage.carry_on(partial(self._go_on, stage))

    def _go_on(self, stage: Stage) -> bool:
        """Continue; return whether it is over."""
        if self._thread is None:
            with suppress(OutOfTimeError), self._paint.pictures.slice_of_work(_SLICE_SECONDS):
                self.draw_now()
        if self._error is not None:
            raise self._error
        if self.outcome:
            stage.notify(self.outcome)
        return bool(self.outcome)

    def draw_now(self) -> None:
        """Draw the picture now, if it is not drawn, as its sources may be gone afterwards."""
        if self._thread is None:
            picture = self._draw()
            self._thread = threading.Thread(target=lambda: self._write(picture), name="picture")
            self._thread.start()

    def _write(self, picture: pygame.Surface) -> None:
        try:
            self.outcome = self._save(picture)
        except Exception as error:  # the window waits for an outcome
            self._error = error


def save_in_words(game: Game, picture: pygame.Surface) -> str:
    """Save *picture* of *game*; return a sentence that says where, or why not."""
    try:
        return say("Saved as {path}", path=str(save_picture(picture, game)))
    except PictureError as error:
        return say("The picture can't be saved: {reason}", reason=str(error))


def save_picture(picture: pygame.Surface, game: Game) -> Path:
    """Write *picture* as a PNG file into the pictures folder, else the data folder; return its path.

    :raises PictureError: it can't be written anywhere.
    """
    name = f"Papan {game.name} {datetime.date.today().isoformat()}"
    trouble = ""
    for folder in (pictures_folder(), data_folder()):
        try:
            make_private_folder(folder)
            path = _free_name(folder, name)
            content = io.BytesIO()
            pygame.image.save(picture, content, path.name)
            with atomic_file(path) as file:
                file.write(content.getbuffer())
        except (OSError, pygame.error) as error:
            trouble = str(error)
        else:
            return path
    raise PictureError(trouble)


def _free_name(folder: Path, name: str) -> Path:
    path, number = folder / f"{name}.png", 1
    while path.exists():
        number += 1
        path = folder / f"{name} ({number}).png"
    return path


_RECORD_SLICE_SECONDS = 0.005
"""The time of each frame for a record: a long match's takes several frames."""


def copy_record(stage: Stage, match: Match) -> None:
    """Put the record of *match* on the clipboard; not of an unfinished match with hidden cards, which it would show."""
    if not match.is_open:
        stage.notify(say("The record shows all cards, so it can be copied only after the match."))
        return
    work = partial(_go_on_copying, stage, writing(match))
    if not work():
        stage.carry_on(work)


def _go_on_copying(stage: Stage, record: Generator[None, None, str]) -> bool:
    """Write more of *record*; return whether it is complete and on the clipboard."""
    began = time.perf_counter()
    try:
        next(record)
        while time.perf_counter() - began < _RECORD_SLICE_SECONDS:
            next(record)
    except StopIteration as done:
        stage.copy_text(done.value)
        return True
    return False
