"""One frame of a board, drawn without a window, and what differs between two."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np
import pygame

from papan.ui.boards import BoardView, Direction, Picture
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import theme_of
from tests.ui.sharing import share_pictures

AREA = pygame.Rect(40, 30, 700, 640)
ARROWS: tuple[Direction, ...] = ("left", "right", "up", "down")
_BESIDE = 40
"""Of a frame's pixels to the right of the area and below it."""

View = TypeVar("View", bound=BoardView)


def view_of(kind: type[View], theme: str = "light", area: pygame.Rect = AREA, **facts: object) -> View:
    """A board of *kind* in *area*, with *facts* such as ``is_still`` set before it is laid out."""
    paint = Painter(theme_of(theme))
    if kind.__module__.startswith("papan.") and "style" not in facts:  # which keys of pictures don't name
        share_pictures(paint)
    view = kind(paint)
    for name, fact in facts.items():
        assert hasattr(view, name)
        setattr(view, name, fact)
    view.layout(area)
    return view


def drawn(view: BoardView, picture: Picture) -> pygame.Surface:
    """One frame on the theme's background, with room beside the area."""
    surface = pygame.Surface((view.area.right + _BESIDE, view.area.bottom + _BESIDE))
    surface.fill(view.theme.background)
    view.draw(surface, picture)
    return surface


def frozen(surface: pygame.Surface) -> bytes:
    """All its pixels, to be compared or collected in a set."""
    return pygame.image.tobytes(surface, "RGB")


def same(first: pygame.Surface, second: pygame.Surface) -> bool:
    """Whether no pixel differs."""
    return frozen(first) == frozen(second)


def changed(first: pygame.Surface, second: pygame.Surface, least: int = 1) -> int:
    """How many pixels differ by *least* or more in one of their three parts."""
    return int(_differs(first, second, least).sum())


def changed_on(view: BoardView, before: Picture, after: Picture, cell: int) -> int:
    """How many pixels of *cell* two pictures draw differently."""
    rect = view.cell_rect(cell)
    return changed(drawn(view, before).subsurface(rect), drawn(view, after).subsurface(rect))


def changed_cells(
    view: BoardView, before: Picture, after: Picture, cells: Iterable[int], inset: int = 0
) -> dict[int, int]:
    """Those of *cells* that two pictures draw differently, and in how many pixels; none within *inset* of its edge."""
    differs = _differs(drawn(view, before), drawn(view, after))
    rects = {cell: view.cell_rect(cell).inflate(-2 * inset, -2 * inset) for cell in cells}
    counts = {cell: int(differs[x : x + w, y : y + h].sum()) for cell, (x, y, w, h) in rects.items()}
    return {cell: count for cell, count in counts.items() if count}


def drawn_beside(view: BoardView, picture: Picture, room: int = 0) -> int:
    """How many pixels a picture colours beside the area, farther than *room* from it."""
    surface = drawn(view, picture)
    surface.fill(view.theme.background, view.area.inflate(2 * room, 2 * room))
    return surface.get_width() * surface.get_height() - coloured(surface, view.theme.background)


def coloured(surface: pygame.Surface, colour: Iterable[int]) -> int:
    """How many pixels have just this colour."""
    red, green, blue = np.moveaxis(_pixels(surface) == tuple(colour), 2, 0)
    return int((red & green & blue).sum())


def _differs(first: pygame.Surface, second: pygame.Surface, least: int = 1) -> np.ndarray:
    """Whether each pixel differs, by its column and row."""
    one, other = _pixels(first), _pixels(second)
    red, green, blue = np.moveaxis(np.maximum(one, other) - np.minimum(one, other) >= least, 2, 0)
    differs: np.ndarray = (red | green | blue).T
    return differs


def _pixels(surface: pygame.Surface) -> np.ndarray:
    """The pixels of *surface*, row by row: in this order, and as bytes, they are compared four times as fast."""
    return np.frombuffer(frozen(surface), np.uint8).reshape(surface.get_height(), surface.get_width(), 3)
