"""What is drawn upon CIFRA's board for the players: walks, targets, outlines, the names of its sides.

Every mark has a seam in the colour of panels, which the theme's colours for marks stand out from: so it is
seen on white tiles as well as on blue ones. *side* is that of a cell.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.ui.boards.cifra.art import star_points
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.theme import Colour, SeatStyle, faded

Place = tuple[int, int]
"""A point on the window, in pixels."""

_SEAM_OPACITY = 0.85


def _seam(side: int) -> float:
    return max(0.8, side * 0.018)


def ring(paint: Painter, surface: pygame.Surface, centre: Place, side: int, colour: Colour) -> None:
    """A ring around a piece."""
    radius, width, seam = side * 0.435, side * 0.045, _seam(side)
    full = 2 * math.ceil(radius + width + seam)

    def draw(canvas: Canvas) -> None:
        middle = (full / 2, full / 2)
        canvas.ring(middle, radius, width + 2 * seam, faded(paint.theme.panel, _SEAM_OPACITY))
        canvas.ring(middle, radius, width, colour)

    picture = paint.drawn(("cifra ring", side, colour), (full, full), draw)
    surface.blit(picture, picture.get_rect(center=centre))


def outline(
    paint: Painter,
    surface: pygame.Surface,
    tile: pygame.Rect,
    radius: int,
    width: float,
    colour: Colour,
    dash: float = 0.0,
) -> None:
    """The line around a tile with corners of *radius*."""
    seam = _seam(tile.w)

    def draw(canvas: Canvas) -> None:
        ground = faded(paint.theme.panel, _SEAM_OPACITY)
        canvas.outline((0, 0, *tile.size), radius, width + 2 * seam, ground)
        inner = (seam, seam, tile.w - 2 * seam, tile.h - 2 * seam)
        canvas.outline(inner, radius - seam, width, colour, dash)

    surface.blit(paint.drawn(("cifra outline", radius, width, colour, dash), tile.size, draw), tile)


def brackets(paint: Painter, surface: pygame.Surface, tile: pygame.Rect) -> None:
    """The four corners of a tile whose piece may be captured."""
    side, width, seam = tile.w, tile.w * 0.06, _seam(tile.w)
    theme = paint.theme

    def draw(canvas: Canvas) -> None:
        near, reach = width / 2 + seam, side * 0.3
        far = side - near
        for ink, line in ((theme.panel, width + 2 * seam), (theme.legal, width)):
            for x, right in ((near, 1), (far, -1)):
                for y, down in ((near, 1), (far, -1)):
                    canvas.line([(x, y + down * reach), (x, y), (x + right * reach, y)], line, ink)

    surface.blit(paint.drawn("cifra brackets", tile.size, draw), tile)


def target(
    paint: Painter, surface: pygame.Surface, centre: Place, side: int, *, is_goal: bool, is_hovered: bool
) -> None:
    """A dot where the piece may stop, a star where it comes home."""
    radius = side * (0.2 if is_goal else 0.115) * (1.2 if is_hovered else 1.0)
    seam = 1.6 * _seam(side)
    full = 2 * math.ceil(radius + seam)
    theme = paint.theme

    def draw(canvas: Canvas) -> None:
        middle = (full / 2, full / 2)
        if is_goal:
            canvas.line(star_points(middle, radius), 2 * seam, theme.panel, closed=True)
            canvas.polygon(star_points(middle, radius), theme.legal)
        else:
            canvas.circle(middle, radius + seam, theme.panel)
            canvas.circle(middle, radius, theme.legal)

    picture = paint.drawn(("cifra target", radius, is_goal), (full, full), draw)
    surface.blit(picture, picture.get_rect(center=centre))


def waiting_place(paint: Painter, surface: pygame.Surface, centre: Place, radius: float, style: SeatStyle) -> None:
    """Where a piece is going to stand that has no colour yet."""
    line = radius * 0.08
    full = 2 * math.ceil(radius + 2 * line)

    def draw(canvas: Canvas) -> None:
        middle = (full / 2, full / 2)
        canvas.circle(middle, radius + line, faded(paint.theme.panel, 0.8))
        canvas.ring(middle, radius, line, style.colour, dash=radius * 0.24)
        draw_shape(canvas, style.shape, middle, radius * 0.3, style.colour)

    picture = paint.drawn(("cifra place", radius, style), (full, full), draw)
    surface.blit(picture, picture.get_rect(center=centre))


# ----------------------------------------------------------------------------------------------- ways


def walk(paint: Painter, surface: pygame.Surface, places: Sequence[Place], is_free: Sequence[bool], side: int) -> None:
    """A walk from place to place: a ribbon over its free steps, a line with a toll mark over another one."""
    ground, points, size = _canvas_around(places, round(side * 0.2))
    theme = paint.theme
    seam = faded(theme.panel, 0.75)

    def draw(canvas: Canvas) -> None:
        for start, end in _free_runs(is_free):
            ribbon = [points[start], points[end]]
            canvas.line(ribbon, side * 0.25, seam)
            canvas.line(ribbon, side * 0.21, faded(theme.legal, 0.75))
        for step, free in enumerate(is_free):
            if not free:
                here, there = points[step], points[step + 1]
                toll = ((here[0] + there[0]) / 2, (here[1] + there[1]) / 2)
                canvas.line([here, there], side * 0.085, seam)
                canvas.line([here, there], side * 0.045, theme.legal)
                canvas.circle(toll, side * 0.085, theme.legal)
                canvas.circle(toll, side * 0.048, theme.panel)

    surface.blit(paint.drawn(("cifra walk", tuple(points), tuple(is_free)), size, draw), ground)


def _free_runs(is_free: Sequence[bool]) -> list[tuple[int, int]]:
    """The longest runs of free steps: the first and the last place of each."""
    runs, start = [], 0
    for step, free in enumerate([*is_free, False]):
        if not free:
            if step > start:
                runs.append((start, step))
            start = step + 1
    return runs


def arrow(paint: Painter, surface: pygame.Surface, start: Place, end: Place, side: int) -> None:
    """An arrow from one cell's middle to another's, in the accent's colour: the hinted move."""
    ground, points, size = _canvas_around((start, end), round(side * 0.3))
    length = math.dist(*points)
    ahead = ((points[1][0] - points[0][0]) / length, (points[1][1] - points[0][1]) / length)
    width, seam = side * 0.09, _seam(side)
    tail, neck, tip = (
        _further(points[at], ahead, by)
        for at, by in ((0, side * 0.3), (1, -side * 0.12 - 2 * width), (1, -side * 0.12))
    )
    across = (-ahead[1], ahead[0])
    head = [tip, _further(neck, across, 1.5 * width), _further(neck, across, -1.5 * width)]
    theme = paint.theme

    def draw(canvas: Canvas) -> None:
        canvas.line([tail, neck], width + 2 * seam, theme.panel)
        canvas.line(head, 2 * seam, theme.panel, closed=True)
        canvas.line([tail, neck], width, theme.accent)
        canvas.polygon(head, theme.accent)

    surface.blit(paint.drawn(("cifra arrow", side, tuple(points)), size, draw), ground)


def _further(point: Point, way: Point, distance: float) -> Point:
    return point[0] + way[0] * distance, point[1] + way[1] * distance


def _canvas_around(places: Sequence[Place], pad: int) -> tuple[Place, list[Point], tuple[int, int]]:
    """Where a canvas with room for *places* begins, the places on it, and its size."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    left, top = min(xs) - pad, min(ys) - pad
    points: list[Point] = [(x - left, y - top) for x, y in places]
    return (left, top), points, (max(xs) + pad - left, max(ys) + pad - top)


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
        picture = label.finished()
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
        canvas.rounded((inset, top + inset, wide - 2 * inset, high - 2 * inset), high / 2, ink)
        half = pointer * 1.1 - inset
        end = tip + inset * 1.4 if points_up else tip - inset * 1.4
        canvas.polygon([(wide / 2 - half, base), (wide / 2 + half, base), (wide / 2, end)], ink)
