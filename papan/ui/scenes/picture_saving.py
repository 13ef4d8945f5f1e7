"""Pictures that a person keeps: made in the course of several frames, and written to a file beside the window."""

from __future__ import annotations

import datetime
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pygame

from papan.game.base.places import data_folder, make_private_folder, pictures_folder
from papan.game.facts import Game
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.scenes import Stage
from papan.ui.texts import _

_SLICE_SECONDS = 0.01
"""Of a frame, for the picture."""


class PictureError(Exception):
    """A picture that can't be saved; the message says why."""


class PictureSaving:
    """A picture of *game* on its way to a file; all methods are for the window's thread."""

    def __init__(self, paint: Painter, game: Game, draw: Callable[[], pygame.Surface]) -> None:
        """:param draw: makes the picture; called again where the painting of some part was interrupted."""
        self._paint = paint
        self._game = game
        self._draw = draw
        self._thread: threading.Thread | None = None
        self.outcome: Path | PictureError | None = None
        """Where the picture is, or why it is nowhere, once that is known."""

    def begin(self, stage: Stage) -> None:
        """Have *stage* carry on with it, whichever scene is shown, and say what became of it."""
        stage.carry_on(partial(self._go_on, stage))

    def _go_on(self, stage: Stage) -> bool:
        """Do some more; returns whether it is known what became of it."""
        if self._thread is None:
            picture = self._drawn()
            if picture is not None:
                self._thread = threading.Thread(target=self._save, args=(picture,), name="picture")
                self._thread.start()
        if isinstance(self.outcome, PictureError):
            stage.notify(_("The picture can't be saved: {reason}").format(reason=self.outcome))
        elif self.outcome is not None:
            stage.notify(_("Saved as {path}").format(path=self.outcome))
        return self.outcome is not None

    def _drawn(self) -> pygame.Surface | None:
        """The picture, unless some of what it is made of is not painted in time: that goes on in the next frame."""
        try:
            with self._paint.pictures.slice_of_work(_SLICE_SECONDS):
                return self._draw()
        except OutOfTimeError:
            return None

    def _save(self, picture: pygame.Surface) -> None:
        try:
            self.outcome = save_picture(picture, self._game)
        except PictureError as error:
            self.outcome = error


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
            pygame.image.save(picture, path)
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
