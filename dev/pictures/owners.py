"""Whether what stands on boards can be told apart by people who see colours otherwise.

Every two things that can be put on a board are compared as the board draws them, in each simulation: they can be told
apart if enough of their pixels are far apart in colour. Where the colours differ, nearly all of them are; where shape
or pattern does, a part. So one measure serves for both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pygame

from dev.pictures.vision import DEFICIENCIES, difference, lab, simulated
from papan.game.game import SEATS, Game
from papan.game.presentation import Brush
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import theme_of
from papan.ui.play.position_editor import PositionEditor
from papan.ui.scenes.brush_pictures import BrushPictures

SIDE = 40
"""Of a picture: a cell of a board in the smallest window."""
LEAST_DIFFERENCE = 10.0
"""Of CIEDE2000. Two colours side by side are told apart from 1 on; far from each other, at a glance and on a poor
screen, from about ten times that."""
LEAST_SHARE = 0.04
"""Of a thing's pixels that differ so much: at this size a mark of 8 by 8 pixels, as large as a small letter."""
_MOST_IN_ALL_PAIRS = 20
_EVERYBODY = "everybody"


class Pair(NamedTuple):
    """Two things that can stand on a board, and how they are told apart."""

    first: str
    second: str
    vision: str
    share: float
    """Of the pixels of either that differ enough."""

    @property
    def is_told_apart(self) -> bool:
        """Whether that is enough."""
        return self.share >= LEAST_SHARE


def options_with_most(game: Game) -> dict[str, str]:
    """The usual options of *game*, for as many players as it can have."""
    return game.complete_options({SEATS: str(max(game.seats))} if SEATS in game.options else {})


def pairs(game: Game, theme: str) -> Iterator[Pair]:
    """Each two things that can be put on the board of *game* in the theme called *theme*, in each simulation."""
    editor = PositionEditor(game, options_with_most(game))
    paint = Painter(theme_of(theme))
    pictures = BrushPictures(game, paint, editor)
    drawn = {brush: _pixels(pictures, brush, paint) for brush in editor.brushes}
    for vision in (None, *DEFICIENCIES):
        seen = {brush: lab(pixels if vision is None else simulated(pixels, vision)) for brush, pixels in drawn.items()}
        for one, other in _compared(editor.brushes):
            ground = lab(np.array(paint.theme.background))
            is_there = _differs(seen[one], ground) | _differs(seen[other], ground)
            differs = _differs(seen[one], seen[other])
            yield Pair(one.name, other.name, vision or _EVERYBODY, float(differs.sum() / max(1, is_there.sum())))


def _compared(brushes: Sequence[Brush]) -> Iterator[tuple[Brush, Brush]]:
    """The pairs to compare: all, or of many with a row for each owner, each with the others' of its kind."""
    rows: dict[int, list[Brush]] = {}
    for brush in brushes:
        rows.setdefault(brush.row, []).append(brush)
    if len(brushes) > _MOST_IN_ALL_PAIRS and len({len(row) for row in rows.values()}) == 1:
        for alike in zip(*rows.values(), strict=True):
            yield from combinations(alike, 2)
    else:
        yield from combinations(brushes, 2)


def _pixels(pictures: BrushPictures, brush: Brush, paint: Painter) -> np.ndarray:
    surface = pygame.Surface((SIDE, SIDE))
    surface.fill(paint.theme.background)
    pictures.draw(brush, surface, surface.get_rect())
    return pygame.surfarray.array3d(surface).astype(float)


def _differs(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    found: np.ndarray = difference(first, np.broadcast_to(second, first.shape)) >= LEAST_DIFFERENCE
    return found
