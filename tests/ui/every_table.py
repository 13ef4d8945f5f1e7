"""A table of any game, and hands that play there as persons do, whatever the game."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from random import Random

import numpy as np
import pygame

from dev.trials.hands import take_a_step
from dev.trials.whole_games import short_game
from papan.ai.thinking.analyst import Analyst
from papan.game.catalogue import GALLERY
from papan.game.match import Match
from papan.ui.boards import Picture
from papan.ui.scenes.services import Services
from papan.ui.scenes.table import HandOver, TableScene
from papan.ui.window.app import App
from tests.ui.at_table import AtTable
from tests.ui.hands import FRAME

MANY = [name for name, game in GALLERY.items() if max(game.seats) > 1]
"""The games for more than one."""
_MOST_ACTS = 600


@cache
def _whole(game: str) -> Match:
    return short_game(GALLERY[game], 1)


def whole_match(game: str) -> Match:
    """A short match of the *game* of this name that is over: the first seat wins, where there are several."""
    match = _whole(game)
    return match.up_to(len(match.steps))


def take_screen(app: App) -> None:
    """Press Enter where a screen is handed over."""
    app.step(FRAME, [])
    if isinstance(app.scene, HandOver):
        app.step(FRAME, [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="")])
        app.step(FRAME, [])


class EveryTable(AtTable):
    """A window with one table, whose further matches are only noted."""

    def __init__(self, analyst: Analyst | None = None) -> None:
        self.started: list[tuple[object, ...]] = []

        def start(*what: object, **_more: object) -> None:
            self.started.append(what)

        super().__init__(services=Services(analyst=analyst, start_match=start))
        self.app.settings.animation = "off"
        self.random = Random(1)

    def against_computers(self, game: str) -> TableScene:
        """A person at the first seat, computers at the others."""
        return self.sit_down(game, "human", *["random"] * (GALLERY[game].seats[0] - 1))

    def among_persons(self, game: str) -> TableScene:
        """Persons at all seats."""
        return self.sit_down(game, *["human"] * GALLERY[game].seats[0])

    def answer(self) -> None:
        """Have the computer that is asked take some step."""
        self.told.tell(self.random.choice(self.table.match.legal_steps()))
        self.frames(2)

    def act(self) -> None:
        """A click of the person who is due, or the step of the computer that is."""
        take_screen(self.app)
        if self.told.is_thinking:
            self.answer()
        else:
            self.app.step(FRAME, take_a_step(self.table, self.random))
            self.frames(2)
        take_screen(self.app)

    def play_until(self, holds: Callable[[], object]) -> None:
        """Play on until *holds* says so."""
        take_screen(self.app)
        for _ in range(_MOST_ACTS):
            if holds():
                return
            self.act()
        raise AssertionError(f"it never came to that in {self.table.match.game.name}")

    @property
    def due(self) -> str:
        """Who or what is due at the table."""
        return self.table.session.turn.due

    def drawn(self, picture: Picture) -> np.ndarray:
        """How light each pixel of the table's board is, from 0 to 255, by its column and row: without its colour."""
        surface = pygame.Surface(self.app.area.size)
        surface.fill(self.app.theme.background)
        with self.app.paint.pictures.slice_of_work(math.inf):
            self.table.view.draw(surface, picture)
        lightness: np.ndarray = pygame.surfarray.array3d(surface) @ np.array((0.299, 0.587, 0.114), np.float32)
        return lightness
