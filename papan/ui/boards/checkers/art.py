"""Drawings for checkers: a walnut frame with an inlaid line, squares with grain, turned discs.

All colours derive from the theme. Lengths are shares of a square's side.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.paint import draw_shape
from papan.ui.drawing.theme import BLACK, WHITE, Colour, Shape, Theme, mix, rgb, with_opacity

DISC_RADIUS = 0.4
DISC_HEIGHT = 0.1
SQUARE_KINDS = 4
"""The number of grain variants for squares of each colour."""

_WALNUT: Colour = rgb("#5B3A22")
_BOXWOOD, _MAPLE = "#F6ECD6", "#F0D2A0"
_PAINTED = {
    "blue": (rgb("#E6E9E4"), rgb("#587A99"), rgb("#2F455A")),
    "slate": (rgb("#DADCDC"), rgb("#7A848B"), rgb("#414A51")),
}
"""The colours of painted boards: light squares, dark squares, frame."""
_SMALLEST_WITH_GROOVES = 8
"""The least radius in pixels of a disc with grooves and the seat's shape."""
_GRAIN_LINES = 6


@dataclass(frozen=True)
class DiscLook:
    """The colours of one side's discs."""

    light: Colour
    body: Colour
    shade: Colour
    groove: Colour
    """The deepest shade of the face."""
    side: Colour
    under: Colour
    """The shaded part of the side, and the notches."""
    rim: Colour
    mark: Colour
    crown: Colour
    crown_edge: Colour


@dataclass(frozen=True)
class Palette:
    frame_light: Colour
    frame: Colour
    frame_dark: Colour
    deep: Colour
    inlay: Colour
    light_square: Colour
    dark_square: Colour
    light_grain: Colour
    dark_grain: Colour
    number: Colour
    discs: tuple[DiscLook, DiscLook]
    """Black's and White's."""


@lru_cache(maxsize=16)
def palette_of(theme: Theme, board: str = "walnut", pieces: str = "ebony") -> Palette:
    """The colours in *theme* of these styles; high contrast has only one."""
    if not theme.shadow:
        return _plain_palette()
    wood = theme.wood
    dim = 0.3 if theme.is_dark else 0.0
    light = mix(wood.cell, rgb("#E3C592") if theme.is_dark else rgb("#F3E2BF"), 0.55)
    dark = mix(mix(wood.edge, rgb("#8A5A34"), 0.62), BLACK, dim)
    frame = _WALNUT
    if board in _PAINTED:
        light, dark, frame = (mix(colour, BLACK, dim * 0.8) for colour in _PAINTED[board])
    frame = mix(frame, BLACK, dim)
    grains = mix(light, rgb("#A9773F"), 0.5), mix(dark, BLACK, 0.5)
    return Palette(
        frame_light=mix(frame, WHITE, 0.16),
        frame=frame,
        frame_dark=mix(frame, BLACK, 0.25),
        deep=mix(frame, BLACK, 0.5),
        inlay=mix(light, frame, 0.25),
        light_square=light,
        dark_square=dark,
        light_grain=light if board in _PAINTED else grains[0],
        dark_grain=dark if board in _PAINTED else grains[1],
        number=mix(dark, mix(light, WHITE, 0.3), 0.85),
        discs=(
            _disc("stained" if pieces == "maple" else "ebony"),
            _light_wood(dim * 0.35, _MAPLE if pieces == "maple" else _BOXWOOD),
        ),
    )


_DISCS = {
    "ebony": "#5A524C #37312D #25201D #161311 #2C2724 #151210 #6B625A #B9AD9D #D9AE45 #1A1613",
    "stained": "#7C4F31 #5B3720 #432714 #2E190C #482B18 #241309 #9A6B47 #D9B48C #E2BC5A #241309",
    "black": "#101010 #000000 #606060 #000000 #000000 #707070 #FFFFFF #FFFFFF #FFD83D #000000",
    "white": "#FFFFFF #FFFFFF #909090 #FFFFFF #C0C0C0 #000000 #000000 #000000 #000000 #FFFFFF",
}
"""The colours of discs in the order of ``DiscLook``'s fields; the last two are those in high contrast."""


def _disc(name: str) -> DiscLook:
    return DiscLook(*map(rgb, _DISCS[name].split()))


def _light_wood(dim: float, colour: str) -> DiscLook:
    """The colours of white discs of a wood of this *colour*, darkened by the share *dim*."""
    body = mix(rgb(colour), BLACK, dim)
    return DiscLook(
        light=mix(body, WHITE, 0.7),
        body=body,
        shade=mix(body, rgb("#B99864"), 0.5),
        groove=mix(body, rgb("#9C7B4C"), 0.75),
        side=mix(body, rgb("#B08F5E"), 0.55),
        under=rgb("#8C6C42"),
        rim=mix(body, rgb("#8C6C42"), 0.6),
        mark=rgb("#7A4A28"),
        crown=rgb("#B9342A"),
        crown_edge=rgb("#6E1812"),
    )


def _plain_palette() -> Palette:
    """The colours in high contrast: black and white discs, outlined in the other colour, on grey."""
    frame = rgb("#303030"), rgb("#202020"), rgb("#101010"), rgb("#606060")
    light, dark, discs = rgb("#D8D8D8"), rgb("#505050"), (_disc("black"), _disc("white"))
    return Palette(*frame, WHITE, light, dark, light, dark, WHITE, discs)


def drawing_frame(canvas: Canvas, rect: Sequence[float], width: float, palette: Palette) -> Iterator[None]:
    """Draw the frame of *width* inside *rect*, lit from above, with its side a little visible below."""
    x, y, w, h = rect
    corner = width * 0.45
    depth = max(1.0, width * 0.14)
    canvas.rounded_rect((x, y + depth, w, h), corner, palette.deep)
    canvas.gradient(canvas.rounded_points(rect, corner), palette.frame_light, palette.frame_dark)
    inner = width * 0.12
    canvas.gradient(
        canvas.rounded_points((x + inner, y + inner, w - 2 * inner, h - 2 * inner), corner * 0.8),
        palette.frame,
        mix(palette.frame, palette.frame_light, 0.35),
    )
    lines = 5 if width > _SMALLEST_WITH_GROOVES else 0
    for index in range(lines):
        off = width * (0.22 + 0.13 * index)
        for side in range(4):
            yield
            along = [off + (w - 2 * off) * step / 40 for step in range(41)]
            wave = [off + width * 0.03 * math.sin(step * 0.27 + index * 1.9 + side * 2.3) for step in range(41)]
            pairs = zip(along, wave, strict=True)
            points = [((a, b), (w - b, a), (a, h - b), (b, a))[side] for a, b in pairs]
            canvas.line(
                [(x + px, y + py) for px, py in points], max(0.6, width * 0.02), with_opacity(palette.frame_dark, 0.4)
            )
    line = max(1.0, width * 0.09)
    stripe = width - 2.6 * line
    canvas.outline((x + stripe, y + stripe, w - 2 * stripe, h - 2 * stripe), line, line, palette.inlay)
    edge = width - max(1.0, line * 0.5)
    canvas.rounded_rect((x + edge, y + edge, w - 2 * edge, h - 2 * edge), 0, palette.deep)


def draw_square(canvas: Canvas, side: float, is_dark: bool, kind: int, palette: Palette) -> None:
    ground = palette.dark_square if is_dark else palette.light_square
    grain = palette.dark_grain if is_dark else palette.light_grain
    canvas.gradient([(0, 0), (side, 0), (side, side), (0, side)], mix(ground, WHITE, 0.05), mix(ground, BLACK, 0.04))
    if grain == ground or side < 3 * _SMALLEST_WITH_GROOVES:
        return
    for index in range(_GRAIN_LINES):
        off = side * (index + 0.5 + 0.3 * math.sin(kind * 2.1 + index * 1.7)) / _GRAIN_LINES
        bend = side * 0.035 * (1 + (index + kind) % 3)
        points = []
        for step in range(13):
            along = side * step / 12
            across = off + bend * math.sin(step * 0.33 + kind * 1.3 + index * 0.6)
            points.append((along, across) if is_dark else (across, along))
        canvas.line(points, max(0.7, side * (0.012 + 0.01 * (index % 2))), with_opacity(grain, 0.2))
    canvas.outline((0, 0, side, side), 0, max(0.5, side * 0.012), with_opacity(BLACK, 0.16))


def draw_disc(canvas: Canvas, centre: Point, radius: float, height: float, look: DiscLook) -> None:
    """Draw a disc seen from above and a little from the front; *centre* is the middle of its face."""
    x, y = centre
    canvas.circle((x, y + height), radius, look.under)
    canvas.polygon([(x - radius, y), (x + radius, y), (x + radius, y + height), (x - radius, y + height)], look.under)
    canvas.circle((x, y + height * 0.72), radius * 0.99, look.side)
    if radius >= _SMALLEST_WITH_GROOVES:
        for angle in range(8, 173, 11):
            dx, dy = radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle))
            canvas.line([(x + dx, y + dy), (x + dx, y + dy + height * 0.85)], max(0.6, radius * 0.025), look.under)
    canvas.circle(centre, radius, look.rim)
    canvas.gradient(canvas.arc_points(centre, radius * 0.955, 0, 360), look.light, look.body)
    if radius < _SMALLEST_WITH_GROOVES:
        return
    line = max(0.7, radius * 0.035)
    for share in (0.83, 0.72):
        canvas.ring((x, y + line), radius * share, line, look.light)
        canvas.ring(centre, radius * share, line, look.shade)
    dish = radius * 0.6
    canvas.gradient(canvas.arc_points(centre, dish, 0, 360), look.groove, look.shade)
    canvas.gradient(canvas.arc_points((x, y + radius * 0.045), dish * 0.93, 0, 360), look.shade, look.light)
    canvas.arc(centre, radius * 0.9, 200, 262, radius * 0.045, with_opacity(WHITE, 0.4))


def draw_flat(canvas: Canvas, centre: Point, radius: float, look: DiscLook, shape: Shape | None) -> None:
    """Draw a disc of one colour with a rim, and the seat's *shape* on it; None for a king's crown."""
    canvas.circle(centre, radius, look.rim)
    canvas.circle(centre, radius - max(1.0, radius * 0.07), look.body)
    if shape is None:
        draw_crown(canvas, centre, radius * 0.66, look.crown, look.crown_edge)
    elif radius >= _SMALLEST_WITH_GROOVES:
        draw_shape(canvas, shape, centre, radius * 0.24, look.mark)


def draw_man(canvas: Canvas, base: Point, radius: float, height: float, look: DiscLook, shape: Shape) -> None:
    face = (base[0], base[1] - height)
    draw_disc(canvas, face, radius, height, look)
    if radius >= _SMALLEST_WITH_GROOVES:
        draw_shape(canvas, shape, (face[0], face[1] + radius * 0.01), radius * 0.2, look.mark)


def draw_king(canvas: Canvas, base: Point, radius: float, height: float, look: DiscLook) -> None:
    draw_disc(canvas, (base[0], base[1] - height), radius, height, look)
    face = (base[0], base[1] - 2.1 * height)
    draw_disc(canvas, face, radius, height, look)
    draw_crown(canvas, face, radius * 0.56, look.crown, look.crown_edge)


def draw_crown(canvas: Canvas, centre: Point, size: float, colour: Colour, edge: Colour) -> None:
    x, y = centre
    outline = (
        (-0.62, 0.42), (-0.82, -0.34), (-0.4, 0.02), (0.0, -0.56), (0.4, 0.02), (0.82, -0.34), (0.62, 0.42)
    )  # fmt: skip
    points = [(x + px * size, y + (py + 0.08) * size) for px, py in outline]
    line = max(0.8, size * 0.16)
    canvas.line(points, 2 * line, edge, closed=True)
    tips = (points[1], points[3], points[5])
    for tip in tips:
        canvas.circle(tip, size * 0.13 + line, edge)
    canvas.polygon(points, colour)
    for tip in tips:
        canvas.circle(tip, size * 0.13, colour)
    band = y + 0.32 * size
    canvas.line([(x - 0.56 * size, band), (x + 0.56 * size, band)], max(0.6, size * 0.09), edge)
