"""Drawings for CIFRA: the frame, white and blue tiles, pieces on the way and at home.

All colours derive from the theme. Lengths are shares of a tile's side unless noted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import pygame

from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point, polar, star_points, turned_points
from papan.ui.drawing.marks import Pixel, canvas_around
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.pieces import shadowed_painting
from papan.ui.drawing.theme import BLACK, WHITE, Colour, SeatStyle, Shape, Theme, contrast, mix, with_opacity

TileKind = Literal["white", "blue", "neutral"]

PIECE_RADIUS = 0.385
_RIM = 0.13
"""The width of a piece's rim, as a share of its radius."""
_LEGIBLE = 4.5
"""The least contrast of text."""
_DIAMOND_PLATE = 1.22
"""The size of a diamond plate for a number, relative to a circle."""
_CROWN_JEWEL: Colour = (43, 33, 20)
_NARROW = 14
"""A frame narrower than this, in pixels, has no fine lines."""
_SHADES = 40
"""The number of circles that shade a dome."""


@dataclass(frozen=True)
class TileLook:
    top: Colour
    bottom: Colour
    edge: Colour
    inlay: Colour


@dataclass(frozen=True)
class PieceLook:
    light: Colour
    body: Colour
    shade: Colour
    side: Colour
    rim: Colour
    mark: Colour


@dataclass(frozen=True)
class Palette:
    tiles: dict[TileKind, TileLook]
    pieces: tuple[PieceLook, PieceLook]
    """White's and blue's."""
    frame_light: Colour
    frame: Colour
    frame_dark: Colour
    deep: Colour
    well: Colour
    engraved: Colour
    gold: Colour


@lru_cache(maxsize=8)
def palette_of(theme: Theme) -> Palette:
    wood, stone = theme.wood, theme.stone
    is_plain = not theme.shadow
    is_dim = theme.is_dark and not is_plain
    white_top = mix(stone.top, stone.right, 0.45) if is_dim else stone.top
    blue = mix(stone.dome, BLACK, 0.16) if is_dim else mix(stone.dome, stone.top, 0.0 if is_plain else 0.3)
    tiles: dict[TileKind, TileLook] = {
        "white": TileLook(white_top, mix(white_top, stone.right, 0.35), mix(stone.right, wood.deep, 0.35), stone.right),
        "blue": TileLook(
            mix(blue, WHITE, 0.06), mix(blue, BLACK, 0.06), mix(blue, BLACK, 0.38), mix(blue, stone.top, 0.6)
        ),
        "neutral": TileLook(wood.cell, wood.other_cell, wood.deep, mix(wood.deep, wood.line, 0.4)),
    }
    engravings = [mix(wood.deep, BLACK, share) for share in (0.35, 0.5, 0.65, 1)]
    ink = BLACK if is_plain else mix(wood.deep, BLACK, 0.62)
    deep_blue = mix(stone.dome, BLACK, 0.5 if theme.is_dark else 0.34)
    return Palette(
        tiles=tiles,
        pieces=(
            PieceLook(WHITE, stone.top, mix(stone.right, wood.edge, 0.3), mix(stone.right, wood.deep, 0.6), ink, ink),
            PieceLook(
                mix(deep_blue, stone.dome, 0.75),
                deep_blue,
                mix(deep_blue, BLACK, 0.3),
                mix(deep_blue, BLACK, 0.5),
                stone.top,
                stone.top,
            ),
        ),
        frame_light=mix(wood.top, WHITE, 0.22),
        frame=wood.top,
        frame_dark=mix(wood.top, wood.edge, 0.75),
        deep=wood.deep,
        well=mix(wood.deep, BLACK, 0.42),
        engraved=next((ink for ink in engravings if contrast(ink, wood.top) >= _LEGIBLE), theme.ink),
        gold=theme.seats[2].colour,
    )


def piece_style(theme: Theme, is_white: bool, shape: Shape) -> SeatStyle:
    """The style, on a panel, of the seat with the white or the blue pieces."""
    wood, stone = theme.wood, theme.stone
    if is_white:
        bone = stone.top if theme.is_dark else mix(stone.right, wood.deep, 0.25)
        ink = theme.ink if theme.is_dark else mix(theme.second, theme.ink, 0.2)
        return SeatStyle(bone, ink, shape, mix(wood.deep, BLACK, 0.62))
    if theme.is_dark:
        return SeatStyle(stone.dome, mix(stone.dome, WHITE, 0.25), shape, theme.on_accent)
    blue = mix(stone.dome, BLACK, 0.34)
    return SeatStyle(blue, blue, shape)


def draw_tile(canvas: Canvas, side: float, kind: TileKind, palette: Palette) -> None:
    """Draw a tile that fills a square of *side*: its face, and below it a narrow edge."""
    look = palette.tiles[kind]
    corner, edge = side * 0.13, max(1.0, side * 0.035)
    canvas.rounded_rect((0, 0, side, side), corner, look.edge)
    face = (0, 0, side, side - edge)
    canvas.gradient(canvas.rounded_points(face, corner), look.top, look.bottom)
    canvas.outline(face, corner, max(0.6, side * 0.014), with_opacity(WHITE, 0.4))
    centre = (side / 2, (side - edge) / 2)
    if kind == "white":
        inset = side * 0.075
        frame = (inset, inset, side - 2 * inset, side - edge - 2 * inset)
        canvas.outline(frame, side * 0.07, max(0.7, side * 0.014), with_opacity(look.inlay, 0.45))
    elif kind == "blue":
        _draw_inlay(canvas, side, face, look.inlay)
    elif kind == "neutral":
        _draw_rose(canvas, centre, side * 0.36, look.inlay, palette)


def _draw_inlay(canvas: Canvas, side: float, face: Sequence[float], colour: Colour) -> None:
    _, _, wide, high = face
    line = max(0.7, side * 0.018)
    inset = side * 0.075
    canvas.outline((inset, inset, wide - 2 * inset, high - 2 * inset), side * 0.07, line, colour)
    radius = side * 0.2
    for x, y, start in (
        (inset, inset, 0),
        (wide - inset, inset, 90),
        (wide - inset, high - inset, 180),
        (inset, high - inset, 270),
    ):
        canvas.arc((x, y), radius, start, start + 90, line, colour)
        canvas.arc((x, y), radius * 0.55, start, start + 90, line, colour)
    middle = (wide / 2, high / 2)
    for angle in (0, 90, 180, 270):
        canvas.polygon(_petal(middle, angle, side * 0.06, side * 0.27, side * 0.065), with_opacity(colour, 0.75))
    canvas.circle(middle, side * 0.03, colour)


def _petal(centre: Point, angle: float, near: float, far: float, half: float) -> list[Point]:
    """A pointed leaf along *angle*, in degrees clockwise from the right."""
    steps = 12
    along = [near + (far - near) * step / steps for step in range(steps + 1)]
    across = [half * math.sin(math.pi * step / steps) for step in range(steps + 1)]
    outline = [*zip(along, across, strict=True), *((x, -y) for x, y in zip(along[::-1], across[::-1], strict=True))]
    return turned_points(outline, angle, centre)


def _draw_rose(canvas: Canvas, centre: Point, radius: float, colour: Colour, palette: Palette) -> None:
    canvas.ring(centre, radius, max(0.7, radius * 0.045), colour)
    light = palette.frame_light
    for angle, reach in [(45 + 90 * turn, 0.66) for turn in range(4)] + [(90 * turn, 0.9) for turn in range(4)]:
        tip = polar(centre, radius * reach, angle)
        waist = radius * 0.2
        canvas.polygon([centre, tip, polar(centre, waist, angle + 45)], colour)
        canvas.polygon([centre, tip, polar(centre, waist, angle - 45)], light)


def draw_piece(canvas: Canvas, centre: Point, radius: float, look: PieceLook, shape: Shape | None) -> None:
    """Draw a domed disc: its side, a rim visible on any tile, the dome, and *shape* if given."""
    x, y = centre
    height = radius * 0.14
    line = max(1.0, radius * 0.06)
    canvas.circle((x, y + height), radius, look.side)
    canvas.circle(centre, radius, look.rim)
    canvas.gradient(canvas.arc_points(centre, radius - line, 0, 360), look.body, look.shade)
    _draw_dome(canvas, centre, radius * (1 - _RIM) - line, look.shade, look.body, look.light)
    canvas.ring(centre, radius * (1 - _RIM) - line, max(0.7, radius * 0.03), with_opacity(look.rim, 0.35))
    if shape is not None:
        draw_shape(canvas, shape, (x, y + radius * 0.035), radius * 0.3, with_opacity(look.light, 0.55))
        draw_shape(canvas, shape, centre, radius * 0.3, look.mark)
    glint = radius * (1 - _RIM) * 0.76
    canvas.arc(centre, glint, 205, 265, radius * 0.075, with_opacity(WHITE, 0.7))


def _draw_dome(canvas: Canvas, centre: Point, radius: float, outer: Colour, middle: Colour, light: Colour) -> None:
    for shade in range(_SHADES):
        share = shade / (_SHADES - 1)
        middle_of_shade = (centre[0] - radius * 0.3 * share, centre[1] - radius * 0.36 * share)
        colour = (
            mix(outer, middle, min(1.0, share * 2.2)) if share < 0.45 else mix(middle, light, (share - 0.45) / 0.55)
        )
        canvas.circle(middle_of_shade, radius * (1 - share * 0.97), colour)


def draw_goal_piece(canvas: Canvas, centre: Point, radius: float, look: PieceLook, gold: Colour) -> None:
    x, y = centre
    canvas.circle(centre, radius * 1.1, mix(look.side, BLACK, 0.45))
    canvas.circle((x, y + radius * 0.07), radius * 1.03, mix(look.side, BLACK, 0.15))
    canvas.circle((x, y + radius * 0.04), radius, mix(gold, BLACK, 0.35))
    canvas.circle((x, y + radius * 0.06), radius * 0.95, gold)
    flat = (x, y + radius * 0.05)
    canvas.circle(flat, radius * 0.8, look.rim)
    canvas.circle(flat, radius * 0.76, look.body)


def draw_number_plate(canvas: Canvas, centre: Point, radius: float, look: PieceLook, shape: Shape) -> None:
    """Draw the seat's shape as a plate for a number."""
    radius *= _DIAMOND_PLATE if shape == "diamond" else 1
    draw_shape(canvas, shape, centre, radius, look.mark)
    draw_shape(canvas, shape, centre, radius - max(1.0, radius * 0.1), look.body)


def draw_crown(canvas: Canvas, centre: Point, radius: float, look: PieceLook, gold: Colour, shape: Shape) -> None:
    x, y = centre
    tips = ((-1, -0.35), (-0.55, -0.8), (0, -1), (0.55, -0.8), (1, -0.35))
    dips = ((-0.66, 0.0), (-0.25, -0.1), (0.25, -0.1), (0.66, 0.0))
    edge = [corner for pair in zip(tips, dips, strict=False) for corner in pair] + [tips[-1]]
    outline = [*edge, (0.72, 0.72), (-0.72, 0.72)]
    points = [(x + across * radius, y + down * radius) for across, down in outline]
    canvas.line(points, radius * 0.2, look.mark, closed=True)
    canvas.polygon(points, gold)
    for across, down in tips:
        canvas.circle((x + across * radius, y + down * radius), radius * 0.17, look.mark)
        canvas.circle((x + across * radius, y + down * radius), radius * 0.1, gold)
    draw_shape(canvas, shape, (x, y + radius * 0.3), radius * 0.3, _CROWN_JEWEL)


def drawing_frame(
    canvas: Canvas, rect: Sequence[float], width: float, depth: float, palette: Palette
) -> Iterator[None]:
    """Draw a mitred wooden frame of *width* inside *rect*, lit from above, with its side visible *depth* below."""
    x, y, w, h = rect
    corner = width * 0.42
    canvas.rounded_rect((x, y + depth, w, h), corner, palette.deep)
    canvas.rounded_rect(rect, corner, palette.frame)
    far_x, far_y = x + w, y + h
    inner = (x + width, y + width, far_x - width, far_y - width)
    bevel = corner * 0.3  # where a mitre meets the round corner
    for edge, into, ink in ((y, 1, palette.frame_light), (far_y, -1, palette.frame_dark)):
        mitre, mouth = edge + into * bevel, edge + into * width
        outer = [(x + bevel, mitre), (x + corner, edge), (far_x - corner, edge), (far_x - bevel, mitre)]
        canvas.polygon([*outer, (inner[2], mouth), (inner[0], mouth)], with_opacity(ink, 0.5))
    yield from _drawing_grain(canvas, rect, width, palette.deep)
    line = max(0.8, width * 0.025)
    for near_x, inner_x in ((x + bevel, inner[0]), (far_x - bevel, inner[2])):
        for near_y, inner_y in ((y + bevel, inner[1]), (far_y - bevel, inner[3])):
            canvas.line([(near_x, near_y), (inner_x, inner_y)], line, with_opacity(palette.deep, 0.45))
    canvas.outline(rect, corner, line * 1.4, with_opacity(WHITE, 0.28))
    well = (inner[0], inner[1], w - 2 * width, h - 2 * width)
    canvas.rounded_rect(
        (well[0] - line, well[1] - line, well[2] + 2 * line, well[3] + 2 * line), width * 0.2, palette.deep
    )
    canvas.rounded_rect(well, width * 0.18, palette.well)


def _drawing_grain(canvas: Canvas, rect: Sequence[float], width: float, colour: Colour) -> Iterator[None]:
    x, y, w, h = rect
    lines = 2 if width < _NARROW else 5
    for index in range(lines):
        share = (index + 0.7) / (lines + 0.4)
        off = width * share
        for side in range(4):
            yield
            phase = index * 1.7 + side * 2.3
            points = []
            for step in range(49):
                along = off + (w - 2 * off) * step / 48
                wave = off + width * 0.035 * math.sin(step * 0.21 * (1 + index % 3 * 0.35) + phase)
                points.append(((along, wave), (w - wave, along), (along, h - wave), (wave, along))[side])
            canvas.line([(x + px, y + py) for px, py in points], max(0.6, width * 0.016), with_opacity(colour, 0.2))


def draw_home(
    canvas: Canvas, rect: Sequence[float], width: float, is_top: bool, style: SeatStyle, around: Colour
) -> None:
    """Draw a seat's inlay in the lower or upper side of a frame of *width*, next to its home row."""
    x, y, w, h = rect
    line = width * 0.13
    stripe = y + width * 0.8 if is_top else y + h - width * 0.8
    for grown, ink in ((line / 3, around), (0.0, style.colour)):
        box = (x + width - grown, stripe - line / 2 - grown, w - 2 * width + 2 * grown, line + 2 * grown)
        canvas.rounded_rect(box, line, ink)
    if width < _NARROW:
        return
    for at in (x + width / 2, x + w - width / 2):
        centre = (at, y + width / 2 if is_top else y + h - width / 2)
        canvas.circle(centre, width * 0.3, around)
        canvas.circle(centre, width * 0.26, style.colour)
        draw_shape(canvas, style.shape, centre, width * 0.12, style.mark)


_FIGURE = 1.02
"""The height of a number's font, as a share of a piece's radius."""
_GOAL_FIGURE = 0.92
_LIFTED = 1.06


@dataclass(frozen=True)
class Piece:
    """The cache key of a piece's picture, apart from its size and the theme."""

    colour: int
    """0 white, 1 blue."""
    shape: Shape
    """The seat's."""
    rank: str = ""
    """``K`` for a king, or a number; "" for no rank."""
    is_goal: bool = False
    is_lifted: bool = False


def piece_picture(paint: Painter, piece: Piece, side: int, radius: float) -> pygame.Surface:
    """The picture of *piece* with its shadow, one and a half cells of *side* wide."""
    return paint.pictures.painted(("cifra piece", piece, side), lambda: _painting(paint, piece, side, radius))


def _painting(paint: Painter, piece: Piece, side: int, radius: float) -> Painting:
    palette = palette_of(paint.theme)
    look = palette.pieces[piece.colour]
    full = round(side * 1.5)
    centre = (full / 2, full / 2)
    canvas = Canvas((full, full))
    grown = radius * (_LIFTED if piece.is_lifted and not piece.is_goal else 1)
    crown, plate, height = (0.54, 0.66, _GOAL_FIGURE) if piece.is_goal else (0.58, 0.7, _FIGURE)
    if piece.is_goal:
        draw_goal_piece(canvas, centre, radius, look, palette.gold)
        centre = (centre[0], centre[1] + radius * 0.05)
    else:
        draw_piece(canvas, centre, grown, look, None if piece.rank else piece.shape)
    if piece.rank == "K":
        draw_crown(canvas, centre, grown * crown, look, palette.gold, piece.shape)
    elif piece.rank:
        draw_number_plate(canvas, centre, grown * plate, look, piece.shape)
    elif piece.is_goal:
        canvas.polygon(star_points(centre, radius * 0.68), look.mark)
        draw_shape(canvas, piece.shape, (centre[0], centre[1] + radius * 0.02), radius * 0.17, look.body)
    if piece.is_goal:
        picture = yield from canvas.painting()
    else:
        fall, softness = (0.5, 0.3) if piece.is_lifted else (0.2, 0.12)
        left, top = full / 2 - radius * (1 - fall * 0.35), full / 2 - radius * (1 - fall)
        under = (left, top, 2 * radius, 2 * radius)
        picture = yield from shadowed_painting(canvas, under, radius, 0.36, radius * softness)
    _write(paint, picture, piece, look, grown * height, round(radius * 0.05) if piece.is_goal else 0)
    return picture


def _write(paint: Painter, picture: pygame.Surface, piece: Piece, look: PieceLook, height: float, down: int) -> None:
    if not piece.rank.isdigit():
        return
    figure = paint.bold_picture(piece.rank, round(height), look.mark)
    ink = figure.get_bounding_rect()
    middle = picture.get_rect().center
    at = figure.get_rect(topleft=(middle[0] - ink.centerx, middle[1] + down - ink.centery))
    paint.stamp(picture, figure, at, piece.rank, look.mark)


def waiting_piece(paint: Painter, surface: pygame.Surface, centre: Pixel, radius: float, style: SeatStyle) -> None:
    """Draw the outline of a piece without a colour yet."""
    line = radius * 0.08
    full = 2 * math.ceil(radius + 2 * line)

    def draw(canvas: Canvas) -> None:
        middle = (full / 2, full / 2)
        canvas.circle(middle, radius + line, with_opacity(paint.theme.panel, 0.8))
        canvas.ring(middle, radius, line, style.colour, dash=radius * 0.24)
        draw_shape(canvas, style.shape, middle, radius * 0.3, style.colour)

    paint.stamp_drawn(surface, centre, ("cifra waiting piece", radius, style), (full, full), draw)


def walk(paint: Painter, surface: pygame.Surface, centres: Sequence[Pixel], is_free: Sequence[bool], side: int) -> None:
    """Draw a walk through the *centres* of cells: a ribbon over free steps, a line with a dot over a paid one."""
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


def side_sign(paint: Painter, border: int, width: int, side: int) -> pygame.Surface:
    """A sign for the *side* (0 top, 1 right, 2 bottom, 3 left) with a pointer towards the board."""
    high, pointer = round(border * 0.6), round(border * 0.3)
    points_up = side == 2

    def make() -> pygame.Surface:
        label = Canvas((width, high + pointer))
        _draw_label(label, (width, high), pointer, border * 0.06, paint, points_up)
        return pygame.transform.rotate(label.picture(), {1: -90, 3: 90}.get(side, 0))

    return paint.pictures.get(("cifra side", border, width, side), make)


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
