"""Marks drawn on boards: targets, the last turn, the hint, the cursor, scores.

Each kind has its own shape, so that they differ without colour. Marks around pieces have a seam in the panel colour, so
that they are visible on any background. *side* is a cell's, in pixels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from papan.ui.drawing.canvas import Canvas, Point, arrow_head, star_points
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pieces import interpolate
from papan.ui.drawing.theme import Colour, TextStyle, mix, with_opacity

Pixel = tuple[int, int]
"""A point on the window, in pixels."""

_MARK_HEIGHT, _MARK_PADDING = 22, 9
_SMALL_MARK_HEIGHT, _SMALL_MARK_PADDING = 17, 4
_SEAM_OPACITY = 0.85
_CURSOR = 0.06


def legal_dot(paint: Painter, surface: pygame.Surface, cell: pygame.Rect) -> None:
    paint.disc(surface, cell.center, max(3, round(cell.w * 0.09)), with_opacity(paint.theme.legal, 0.72))


def legal_outline(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """Mark an occupied legal cell: to capture, to cover."""
    width = max(2, round(cell.w * 0.04))
    paint.rounded_rect(
        surface, cell, None, radius, line=paint.theme.legal, line_width=width, dash=max(4, cell.w * 0.09)
    )


def hovered_cell(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """Mark the legal cell under the mouse pointer."""
    theme = paint.theme
    paint.rounded_rect(
        surface, cell, with_opacity(theme.legal, 0.28), radius, line=theme.legal, line_width=max(2, theme.px(2))
    )


def last_outline(
    paint: Painter,
    surface: pygame.Surface,
    cell: pygame.Rect,
    radius: int,
    *,
    ink: Colour | None = None,
    width: float | None = None,
    dash: float | None = None,
) -> None:
    """Mark a cell of the last turn.

    :param ink: the colour; default: the theme's.
    """
    theme = paint.theme
    colour = ink or (theme.ink if theme.is_dark else mix(theme.ink, theme.wood.deep, 0.25))
    line = max(1.5, theme.px(1.6)) if width is None else width
    length = max(3, cell.w * 0.07) if dash is None else dash
    paint.rounded_rect(surface, cell, None, radius, line=colour, line_width=line, dash=length)


def hint_outline(
    paint: Painter,
    surface: pygame.Surface,
    cell: pygame.Rect,
    radius: int,
    *,
    ink: Colour | None = None,
    width: float | None = None,
    opacity: float = 0.18,
) -> None:
    """Mark a cell of the hinted step with a double line.

    :param ink: the colour; default: the theme's.
    :param opacity: of the fill.
    """
    theme = paint.theme
    colour = theme.legal if ink is None else ink
    line = max(2, theme.px(3)) if width is None else width
    paint.rounded_rect(surface, cell, with_opacity(colour, opacity), radius, line=colour, line_width=line)
    inner = cell.inflate(-round(4 * line), -round(4 * line))
    paint.rounded_rect(surface, inner, None, max(0, radius - round(2 * line)), line=colour, line_width=max(1, line / 2))


def cursor_ring(paint: Painter, surface: pygame.Surface, cell: pygame.Rect, radius: int) -> None:
    """Draw the keyboard cursor around a cell: a line between two others, visible on any background.

    It is drawn below pieces, and thin enough to leave space for them.
    """
    width = max(1, min(max(2, paint.theme.px(3)), round(min(cell.size) * _CURSOR)))
    paint.two_lines(surface, cell, radius, width)


def cursor_circle(paint: Painter, surface: pygame.Surface, centre: Pixel, radius: float) -> None:
    """Draw the keyboard cursor around a round piece of *radius*, which will be drawn on it without covering it.

    A square cursor would make the piece look as if it had another shape.
    """
    theme = paint.theme
    width = max(2, min(theme.px(3), round(radius * 0.16)))
    seam = max(1, width // 2)
    outer = radius + width + 2 * seam
    full = 2 * math.ceil(outer) + 2

    def draw(canvas: Canvas) -> None:
        middle = canvas.middle
        canvas.ring(middle, radius + seam + width / 2, width + 2 * seam, theme.ring_ground)
        canvas.ring(middle, radius + seam + width / 2, width, theme.ring)

    paint.stamp_drawn(surface, centre, ("cursor circle", radius), (full, full), draw)


def text_mark(
    paint: Painter, surface: pygame.Surface, centre: tuple[int, int], text: str, room: int | None = None
) -> None:
    """Write a short text on a cell: the score of a step.

    :param room: the cell's width; if it is small, so is the text.
    """
    theme, px = paint.theme, paint.theme.px
    if room is None or paint.width(text, "small strong") + 2 * px(_MARK_PADDING) <= room:
        style: TextStyle = "small strong"
        size = (paint.width(text, style) + 2 * px(_MARK_PADDING), px(_MARK_HEIGHT))
    else:
        style = "tiny"
        size = (paint.width(text, style) + 2 * px(_SMALL_MARK_PADDING), px(_SMALL_MARK_HEIGHT))
    pill = pygame.Rect((0, 0), size).move_to(center=centre)
    line = theme.ink if not theme.shadow else None  # a dark pill on a dark board
    paint.rounded_rect(surface, pill, theme.panel, pill.h // 2, line=line)
    paint.text(surface, text, pill.center, style, theme.good_ink, anchor="center", tabular=True)


def draw_exercise_frame(paint: Painter, surface: pygame.Surface, board: pygame.Rect) -> None:
    """Draw the frame of a *board* that shows a position not played in the match."""
    theme, px = paint.theme, paint.theme.px
    frame = board.inflate(-px(6), -px(6))
    paint.rounded_rect(surface, frame, None, px(12), line=theme.accent, line_width=max(2, px(2)), dash=max(4, px(8)))


def seam_width(side: int) -> float:
    """The width of the seam on either side of a mark."""
    return max(0.8, side * 0.018)


def ring(paint: Painter, surface: pygame.Surface, centre: Pixel, side: int, colour: Colour) -> None:
    radius, width, seam = side * 0.435, side * 0.045, seam_width(side)
    full = 2 * math.ceil(radius + width + seam)

    def draw(canvas: Canvas) -> None:
        middle = canvas.middle
        canvas.ring(middle, radius, width + 2 * seam, with_opacity(paint.theme.panel, _SEAM_OPACITY))
        canvas.ring(middle, radius, width, colour)

    paint.stamp_drawn(surface, centre, ("ring mark", side, colour), (full, full), draw)


def outline(
    paint: Painter,
    surface: pygame.Surface,
    tile: pygame.Rect,
    radius: int,
    width: float,
    colour: Colour,
    dash: float = 0.0,
) -> None:
    """An outline of a tile with corners of *radius*."""
    seam = seam_width(tile.w)

    def draw(canvas: Canvas) -> None:
        ground = with_opacity(paint.theme.panel, _SEAM_OPACITY)
        canvas.outline((0, 0, *tile.size), radius, width + 2 * seam, ground)
        inner = (seam, seam, tile.w - 2 * seam, tile.h - 2 * seam)
        canvas.outline(inner, radius - seam, width, colour, dash)

    surface.blit(paint.drawn_picture(("outline mark", radius, width, colour, dash), tile.size, draw), tile)


def brackets(paint: Painter, surface: pygame.Surface, tile: pygame.Rect) -> None:
    """Mark a tile whose piece may be captured, at its four corners."""
    side, width, seam = tile.w, tile.w * 0.06, seam_width(tile.w)
    theme = paint.theme

    def draw(canvas: Canvas) -> None:
        near, reach = width / 2 + seam, side * 0.3
        far = side - near
        for ink, line in ((theme.panel, width + 2 * seam), (theme.legal, width)):
            for x, right in ((near, 1), (far, -1)):
                for y, down in ((near, 1), (far, -1)):
                    canvas.line([(x, y + down * reach), (x, y), (x + right * reach, y)], line, ink)

    surface.blit(paint.drawn_picture("brackets mark", tile.size, draw), tile)


def target(
    paint: Painter, surface: pygame.Surface, centre: Pixel, side: int, *, is_goal: bool, is_hovered: bool
) -> None:
    """A dot where the piece may go, a star where it reaches its goal."""
    radius = side * (0.2 if is_goal else 0.115) * (1.2 if is_hovered else 1.0)
    seam = 1.6 * seam_width(side)
    full = 2 * math.ceil(radius + seam)
    theme = paint.theme

    def draw(canvas: Canvas) -> None:
        middle = canvas.middle
        if is_goal:
            canvas.line(star_points(middle, radius), 2 * seam, theme.panel, closed=True)
            canvas.polygon(star_points(middle, radius), theme.legal)
        else:
            canvas.circle(middle, radius + seam, theme.panel)
            canvas.circle(middle, radius, theme.legal)

    paint.stamp_drawn(surface, centre, ("target mark", radius, is_goal), (full, full), draw)


def double_ring(
    paint: Painter,
    surface: pygame.Surface,
    centre: Point,
    radii: tuple[float, float],
    widths: tuple[float, float],
    ground: Colour,
) -> None:
    """Mark a hinted cell: a ring filled with *ground*, and a smaller one in it."""
    colour = paint.theme.legal
    for radius, width, fill in zip(radii, widths, (ground, None), strict=True):
        paint.disc(surface, centre, radius, fill, line=colour, line_width=width)


def trail(
    paint: Painter,
    surface: pygame.Surface,
    points: Sequence[Point],
    line: tuple[float, Colour],
    ground: tuple[float, Colour],
    dash: float = 0.0,
) -> None:
    """A line through *points* on a broader one, visible on any board.

    :param line: the width and colour of the line; *ground*: those of the broader one.
    """
    corner, path, size = canvas_around(points, math.ceil(ground[0] / 2) + 1)

    def draw(canvas: Canvas) -> None:
        canvas.line(path, *ground)
        canvas.line(path, *line, dash=dash)

    surface.blit(paint.drawn_picture(("trail mark", tuple(path), line, ground, dash), size, draw), corner)


def arrow(paint: Painter, surface: pygame.Surface, start: Pixel, end: Pixel, side: int) -> None:
    """An arrow from one cell to another in the accent colour: the hinted move."""
    corner, path, size = canvas_around((start, end), round(side * 0.3))
    way, width, seam = math.dist(*path), side * 0.09, seam_width(side)
    head = arrow_head(path[0], path[1], way - side * 0.12, 2 * width, 1.5 * width)
    tail, neck = (interpolate(path[0], path[1], at / way) for at in (side * 0.3, way - side * 0.12 - 2 * width))
    theme = paint.theme

    def draw(canvas: Canvas) -> None:
        canvas.line([tail, neck], width + 2 * seam, theme.panel)
        canvas.line(head, 2 * seam, theme.panel, closed=True)
        canvas.line([tail, neck], width, theme.accent)
        canvas.polygon(head, theme.accent)

    surface.blit(paint.drawn_picture(("arrow mark", side, tuple(path)), size, draw), corner)


def canvas_around(points: Sequence[Point], pad: int) -> tuple[Pixel, list[Point], tuple[int, int]]:
    """The upper left corner of a canvas around *points* with a margin *pad*, the points on it, and its size."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = math.floor(min(xs)) - pad, math.floor(min(ys)) - pad
    path: list[Point] = [(x - left, y - top) for x, y in points]
    return (left, top), path, (math.ceil(max(xs)) + pad - left, math.ceil(max(ys)) + pad - top)
