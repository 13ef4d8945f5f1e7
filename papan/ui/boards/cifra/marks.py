"""Marks that only CIFRA's board has: walks, cells that wait for their pieces, the names of its sides.

Like the marks of all boards, walks have a seam in the colour of panels, so that they are seen on white tiles as well as
on blue ones. *side* is that of a cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.marks import Pixel, canvas_around
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.theme import SeatStyle, with_opacity


def waiting_piece(paint: Painter, surface: pygame.Surface, centre: Pixel, radius: float, style: SeatStyle) -> None:
    """The outline of a piece that has no colour yet, where it is going to stand."""
    line = radius * 0.08
    full = 2 * math.ceil(radius + 2 * line)

    def draw(canvas: Canvas) -> None:
        middle = (full / 2, full / 2)
        canvas.circle(middle, radius + line, with_opacity(paint.theme.panel, 0.8))
        canvas.ring(middle, radius, line, style.colour, dash=radius * 0.24)
        draw_shape(canvas, style.shape, middle, radius * 0.3, style.colour)

    picture = paint.drawn_picture(("cifra waiting piece", radius, style), (full, full), draw)
    surface.blit(picture, picture.get_rect(center=centre))


# ----------------------------------------------------------------------------------------------- ways


def walk(paint: Painter, surface: pygame.Surface, centres: Sequence[Pixel], is_free: Sequence[bool], side: int) -> None:
    """A walk through the *centres* of cells: a ribbon over its free steps, a line with a toll mark over another one."""
    corner, points, size = canvas_around(centres, round(side * 0.2))
    theme = paint.theme
    seam = with_opacity(theme.panel, 0.75)

    def draw(canvas: Canvas) -> None:
        for start, end in _free_runs(is_free):
            ribbon = [points[start], points[end]]
            canvas.line(ribbon, side * 0.25, seam)
            canvas.line(ribbon, side * 0.21, with_opacity(theme.legal, 0.75))
        for step, free in enumerate(is_free):
            if not free:
                here, there = points[step], points[step + 1]
                toll = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
                canvas.line([here, there], side * 0.085, seam)
                canvas.line([here, there], side * 0.045, theme.legal)
                canvas.circle(toll, side * 0.085, theme.legal)
                canvas.circle(toll, side * 0.048, theme.panel)

    surface.blit(paint.drawn_picture(("cifra walk", tuple(points), tuple(is_free)), size, draw), corner)


def _free_runs(is_free: Sequence[bool]) -> list[tuple[int, int]]:
    """The longest runs of free steps: the indices of the first and the last point of each."""
    runs, start = [], 0
    for step, free in enumerate([*is_free, False]):
        if not free:
            if step > start:
                runs.append((start, step))
            start = step + 1
    return runs


# ---------------------------------------------------------------------------------------------- sides


def side_label(paint: Painter, text: str, border: int, least_width: int, side: int) -> pygame.Surface:
    """The label of a *side* (0 north, 1 east, 2 south, 3 west), with a pointer towards the board.

    Northern and southern ones are upright, the others turned.
    """
    high, pointer = round(border * 0.8), round(border * 0.3)
    width = max(least_width, paint.width(text, "small strong") + 2 * high)
    points_up = side == 2

    def make() -> pygame.Surface:
        label = Canvas((width, high + pointer))
        _draw_label(label, (width, high), pointer, border * 0.06, paint, points_up)
        picture = label.picture()
        at = (width // 2, high // 2 + (pointer if points_up else 0))
        paint.text(picture, text, at, "small strong", anchor="center")
        return pygame.transform.rotate(picture, {1: -90, 3: 90}.get(side, 0))

    return paint.pictures.get(("cifra side", text, border, width, side), make)


def _draw_label(
    canvas: Canvas, size: tuple[int, int], pointer: int, line: float, paint: Painter, points_up: bool
) -> None:
    wide, high = size
    top = pointer if points_up else 0
    line = max(1.5, line)
    base, tip = (top + line, 0) if points_up else (high - line, high + pointer)
    for inset, ink in ((0.0, paint.theme.legal), (line, paint.theme.panel)):
        canvas.rounded_rect((inset, top + inset, wide - 2 * inset, high - 2 * inset), high / 2, ink)
        half = pointer * 1.1 - inset
        end = tip + inset * 1.4 if points_up else tip - inset * 1.4
        canvas.polygon([(wide / 2 - half, base), (wide / 2 + half, base), (wide / 2, end)], ink)
