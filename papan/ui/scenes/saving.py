"""What a person keeps, made in the course of several frames: pictures in files, records on the clipboard."""

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
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.record import writing
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.scenes import Stage
from papan.ui.texts import _

_SLICE_SECONDS = 0.01
"""Of a frame, for the picture."""


class PictureError(Exception):
    """A picture that can't be saved; the message says why."""


class PictureSaving:
    """A picture on its way to a file; all methods are for the window's thread."""

    def __init__(
        self, paint: Painter, draw: Callable[[], pygame.Surface], save: Callable[[pygame.Surface], str]
    ) -> None:
        """
        :param draw: makes the picture; called again where the painting of some part was interrupted.
        :param save: writes it, on another thread, and returns the sentence that says where it is, or why it is nowhere.
        """
        self._paint = paint
        self._draw = draw
        self._save = save
        self._thread: threading.Thread | None = None
        self.outcome = ""
        """What ``save`` says, once that is known."""
        self._error: Exception | None = None
        """What nobody has foreseen in saving."""

    @property
    def is_over(self) -> bool:
        """Whether it is known what became of it, be that an error."""
        return bool(self.outcome) or self._error is not None

    def begin(self, stage: Stage) -> None:
        """Have *stage* carry on with it, whichever scene is shown, and say what became of it."""
        stage.carry_on(partial(self._go_on, stage))

    def _go_on(self, stage: Stage) -> bool:
        """Do some more; returns whether it is known what became of it."""
        if self._thread is None:
            # Some of what it is made of may not be painted in time: that goes on in the next frame.
            with suppress(OutOfTimeError), self._paint.pictures.slice_of_work(_SLICE_SECONDS):
                self.draw_now()
        if self._error is not None:
            raise self._error
        if self.outcome:
            stage.notify(self.outcome)
        return bool(self.outcome)

    def draw_now(self) -> None:
        """Draw it, unless that is done: what it is drawn from may be gone afterwards."""
        if self._thread is None:
            picture = self._draw()
            self._thread = threading.Thread(target=lambda: self._write(picture), name="picture")
            self._thread.start()

    def _write(self, picture: pygame.Surface) -> None:
        try:
            self.outcome = self._save(picture)
        except Exception as error:  # otherwise the window would wait for it for ever
            self._error = error


def save_in_words(game: Game, picture: pygame.Surface) -> str:
    """Save *picture*, of *game*, and return the sentence that says where it is, or why it is nowhere."""
    try:
        return _("Saved as {path}").format(path=save_picture(picture, game))
    except PictureError as error:
        return _("The picture can't be saved: {reason}").format(reason=error)


def save_picture(picture: pygame.Surface, game: Game, today: datetime.date | None = None) -> Path:
    """Write *picture* as a PNG file where a person looks for pictures, else among the program's own; returns its path.

    :raises PictureError: it can't be written anywhere.
    """
    name = f"Papan {game.name} {(today or datetime.date.today()).isoformat()}"
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
    """A path in *folder* that no file has."""
    path, number = folder / f"{name}.png", 1
    while path.exists():
        number += 1
        path = folder / f"{name} ({number}).png"
    return path


_RECORD_SLICE_SECONDS = 0.005
"""What of a frame goes into a record: that of a long match takes several frames."""


def copy_record(stage: Stage, match: Match) -> None:
    """Put the record of *match* on the clipboard: a text to keep or to mail.

    It would tell what is hidden, so that of a match with hidden cards there is none before its end.
    """
    if not match.is_open:
        stage.notify(_("A record tells all cards: it can be copied once the match is over."))
        return
    work = partial(_go_on_copying, stage, writing(match))
    if not work():
        stage.carry_on(work)


def _go_on_copying(stage: Stage, record: Generator[None, None, str]) -> bool:
    """Write some more of *record*; whether it was all, which then is on the clipboard."""
    began = time.perf_counter()
    try:
        next(record)
        while time.perf_counter() - began < _RECORD_SLICE_SECONDS:
            next(record)
    except StopIteration as done:
        stage.copy_text(done.value)
        return True
    return False
