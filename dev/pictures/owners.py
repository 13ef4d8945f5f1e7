"""Checks whether colour-blind people can tell apart the pieces on boards.

Protanopia and deuteranopia are simulated after Viénot, Brettel & Mollon, *Digital video colourmaps for checking the
legibility of displays by dichromats* (1999); tritanopia after Brettel, Viénot & Mollon, *Computerized simulation of
color appearance for dichromats* (1997). Colours are arrays whose last axis has red, green and blue from 0 to 255.

Every two things that can be put on a board are compared as the board draws them, in each simulation. They can be told
apart if enough of their pixels differ clearly in colour: nearly all pixels if their colours differ, some if their
shapes or patterns do. So one measure covers both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

import colour
import numpy as np
import pygame

from papan.game.game import SEATS, Game
from papan.game.presentation import Brush
from papan.ui.boards import styles_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import theme_of
from papan.ui.play.position_editor import PositionEditor
from papan.ui.scenes.position_editor import BrushPictures

SIDE = 40  # pixels: a cell of a board in the smallest window
LEAST_DIFFERENCE = 10.0
"""The least clear difference, by CIEDE2000. Adjacent colours can be told apart from 1 on; distant ones, at a glance and
on a poor screen, from about ten times that."""
LEAST_SHARE = 0.04
"""The least share of pixels that must differ: at this size a mark of 8 by 8 pixels, as large as a small letter."""
_MOST_IN_ALL_PAIRS = 20
_EVERYBODY = "everybody"


class Pair(NamedTuple):
    """Two things that can be put on a board, and how much they differ."""

    first: str
    second: str
    vision: str
    share: float
    """The share of the pixels of either that differ clearly."""

    @property
    def is_told_apart(self) -> bool:
        return self.share >= LEAST_SHARE


def options_with_most(game: Game) -> dict[str, str]:
    return game.complete_options({SEATS: str(max(game.seats))} if SEATS in game.options else {})


def piece_styles(game: Game) -> Sequence[str]:
    """The styles of *game*'s pieces; "" for the only one."""
    return list(styles_of(game).get("pieces", {})) or [""]


def pairs(game: Game, theme: str, style: str = "") -> Iterator[Pair]:
    """Each two things that can be put on the board of *game*, in the theme *theme*, in each simulation.

    :param style: of the pieces; default: the usual one.
    """
    editor = PositionEditor(game, options_with_most(game))
    paint = Painter(theme_of(theme))
    paint.board_styles = {game.name: style}
    pictures = BrushPictures(game, paint, editor)
    drawn = {brush: _pixels(pictures, brush, paint) for brush in editor.brushes}
    for vision in (None, *DEFICIENCIES):
        seen = {brush: lab(pixels if vision is None else simulated(pixels, vision)) for brush, pixels in drawn.items()}
        ground = lab(np.array(paint.theme.background))
        is_there = {brush: _differs(pixels, ground) for brush, pixels in seen.items()}
        for one, other in _compared(editor.brushes):
            differs = _differs(seen[one], seen[other])
            share = float(differs.sum() / max(1, (is_there[one] | is_there[other]).sum()))
            yield Pair(one.name, other.name, vision or _EVERYBODY, share)


def _compared(brushes: Sequence[Brush]) -> Iterator[tuple[Brush, Brush]]:
    """The pairs to compare: all or, if there are many in rows by owner, only things of one kind with each other."""
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
    return np.asarray(colour.delta_E(first, np.broadcast_to(second, first.shape), "CIE 2000") >= LEAST_DIFFERENCE)


Deficiency = Literal["protanopia", "deuteranopia", "tritanopia"]
DEFICIENCIES: tuple[Deficiency, ...] = ("protanopia", "deuteranopia", "tritanopia")

_LMS_OF_RGB = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
"""The responses of the long, middle and short cones to linear red, green and blue: Viénot et al., equation 4."""
_LMS_OF_XYZ = np.array([[0.15514, 0.54312, -0.03286], [-0.15514, 0.45684, 0.03286], [0.0, 0.0, 0.01608]])
"""Smith & Pokorny's cones in the units of Viénot et al.: equation 3."""
_PROTAN = np.array([[0.0, 2.02344, -2.52581], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
_DEUTAN = np.array([[1.0, 0.0, 0.0], [0.494207, 0.0, 1.24827], [0.0, 0.0, 1.0]])
"""Equations 5 and 6: the assumed response of the missing cone, which keeps white, blue and yellow unchanged."""
_REDUCED = {"protanopia": (0.992052, 0.003974), "deuteranopia": (0.957237, 0.0213814)}
"""A factor and an offset that first move colours slightly towards grey, so that a screen can show the result."""
_BLUE_485 = np.array([0.05795, 0.16930, 0.61620])
_RED_660 = np.array([0.16490, 0.06100, 0.00001])
"""The CIE 1931 X, Y and Z of the two lights that look the same to people with tritanopia and to others."""


def simulated(colours: np.ndarray, deficiency: Deficiency) -> np.ndarray:
    linear = colour.cctf_decoding(np.asarray(colours) / 255)
    if deficiency == "tritanopia":
        seen = _tritan(linear @ _LMS_OF_RGB.T)
    else:
        share, least = _REDUCED[deficiency]
        seen = (linear * share + least) @ _LMS_OF_RGB.T @ (_PROTAN if deficiency == "protanopia" else _DEUTAN).T
    found: np.ndarray = 255 * colour.cctf_encoding(np.clip(seen @ np.linalg.inv(_LMS_OF_RGB).T, 0.0, 1.0))
    return found


def _tritan(lms: np.ndarray) -> np.ndarray:
    """*lms*, with the short cones' response projected onto a plane through white and 660 nm, or white and 485 nm."""
    white = _LMS_OF_RGB.sum(axis=1)
    is_reddish = lms[..., 1] * white[0] < lms[..., 0] * white[1]
    found = lms.copy()
    for light, where in ((_RED_660, is_reddish), (_BLUE_485, ~is_reddish)):
        along, middle, short = np.cross(white, _LMS_OF_XYZ @ light)
        found[..., 2] = np.where(where, -(along * lms[..., 0] + middle * lms[..., 1]) / short, found[..., 2])
    return found


def lab(colours: np.ndarray) -> np.ndarray:
    found: np.ndarray = colour.XYZ_to_Lab(colour.sRGB_to_XYZ(np.asarray(colours) / 255))
    return found
