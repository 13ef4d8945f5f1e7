"""Santorini's pictures, cached by size and theme: towers, domes and workers.

The light comes from the upper left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from typing import NamedTuple

import pygame

from papan.game.rules.santorini.board import CELLS, COLUMNS, SIZE
from papan.ui.boards.santorini.geometry import (
    DOME_HEIGHT,
    DOME_WIDTH,
    FRAME,
    PAWN_HEIGHT,
    PAWN_WIDTH,
    SLOPE,
    Geometry,
    Ground,
    Tower,
)
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.pieces import interpolate
from papan.ui.drawing.theme import BLACK, WHITE, SeatStyle, TextStyle, Theme, mix, rgb, with_opacity

_SHADOW_INK = rgb("#4A3413")
_SMALLEST_WITH_DETAILS = 15
"""The least half width of a cell, in pixels, with windows on towers."""
_BLUR = 3.0
"""The radius of a shadow's blur, in pixels of its reduced picture."""
_DUST_POSES, _DUST_PUFFS = 6, 5
"""The number of pictures of settling dust, and of puffs at each edge."""
_DUST_REACH = 0.3
"""How far dust spreads, in halves of a cell's width."""
_SHADES = 12
"""The number of shades of round shapes."""

# Windows of each tier's faces: (middle along the face, half width, sill, head), as shares of the face.
_WINDOWS = (
    ((0.22, 0.055, 0.38, 0.74), (0.78, 0.055, 0.38, 0.74)),
    ((0.32, 0.07, 0.32, 0.74), (0.68, 0.07, 0.32, 0.74)),
    ((0.5, 0.095, 0.30, 0.76),),
)
_DOOR = (0.5, 0.085, 0.0, 0.62)

# A worker's outline: heights above its foot, and radii, in halves of a cell's width.
_PAWN_PROFILE = (
    (0.0, 0.262),
    (0.045, 0.27),
    (0.085, 0.255),
    (0.12, 0.215),
    (0.2, 0.178),
    (0.3, 0.148),
    (0.4, 0.126),
    (0.475, 0.112),
    (0.485, 0.15),
    (0.515, 0.168),
    (0.545, 0.15),
    (0.555, 0.1),
)
_HEAD_MIDDLE, _HEAD_RADIUS = 0.715, 0.192
_BELLY, _BELLY_MARK = 0.235, 0.088


class Sprite(NamedTuple):
    """A picture and its anchor, the pixel that is put at the drawing position."""

    picture: pygame.Surface
    anchor: tuple[int, int]
    flags: int = 0
    """The special flags for blitting."""

    def blit(self, surface: pygame.Surface, at: tuple[float, float]) -> None:
        """Draw it with its anchor *at* a point of *surface*."""
        corner = (round(at[0]) - self.anchor[0], round(at[1]) - self.anchor[1])
        surface.blit(self.picture, corner, special_flags=self.flags)


def above_shadow(wood: pygame.Surface, shadow: Painting) -> Painting:
    """Paint *wood* on *shadow*, premultiplied, so that the wood's anti-aliased edge is not darkened."""
    picture = (yield from shadow).premul_alpha()
    yield
    above = wood.premul_alpha()
    yield
    picture.blit(above, (0, 0), special_flags=pygame.BLEND_PREMULTIPLIED)
    return picture


@lru_cache(maxsize=256)
def rhombus(centre: Point, wide: float, deep: float) -> list[Point]:
    """The corners of a rhombus around *centre*: top, right, bottom, left."""
    x, y = centre
    return [(x, y - deep), (x + wide, y), (x, y + deep), (x - wide, y)]


class Art:
    """The pictures at the size of *geometry*, cached by *paint*."""

    def __init__(self, paint: Painter, geometry: Ground) -> None:
        self.paint = paint
        self.geometry = geometry
        self.unit = geometry.half_width
        self._look = (geometry.half_width, geometry.levels)

    @property
    def theme(self) -> Theme:
        return self.paint.theme

    @property
    def has_strong_lines(self) -> bool:
        """Whether to outline shapes instead of shading them, in high contrast."""
        return self.theme.line_width > 1

    def sprite(
        self, key: Hashable, size: tuple[int, int], anchor: tuple[int, int], draw: Callable[[Canvas], object]
    ) -> Sprite:
        """The sprite that *draw* makes on a canvas of *size*, cached under *key* and the board's size."""
        return Sprite(self.paint.drawn_picture(("santorini", key, *self._look), size, draw), anchor)

    def ghost(self, sprite: Sprite, key: Hashable, opacity: float) -> Sprite:
        """A translucent copy of *sprite*, cached under its *key*."""
        steps = max(0, min(16, round(opacity * 16)))

        def make() -> pygame.Surface:
            picture = sprite.picture.copy()
            picture.set_alpha(round(steps / 16 * 255))
            return picture

        return Sprite(self.paint.pictures.get(("santorini ghost", key, *self._look, steps), make), sprite.anchor)

    def shadow(self, size: tuple[int, int], shape: list[Point], opacity: float, blur: float) -> Painting:
        """Paint a soft shadow of *shape*: drawn at a reduced size if soft, and then scaled up."""
        ink = BLACK if self.theme.is_dark else _SHADOW_INK
        coarse = max(1, int(blur / _BLUR))
        small = Canvas((size[0] // coarse + 1, size[1] // coarse + 1), 1 / coarse)
        small.polygon(shape, BLACK)
        small.blur(blur)
        drawn = yield from small.painting()
        tinted = pygame.Surface(small.size, pygame.SRCALPHA)
        tinted.fill(ink)
        pygame.surfarray.pixels_alpha(tinted)[:] = pygame.surfarray.array_alpha(drawn) * opacity
        yield
        stretched = pygame.transform.smoothscale(tinted, (small.size[0] * coarse, small.size[1] * coarse))
        yield
        return stretched.subsurface((0, 0), size).copy()

    def tower(self, tower: Tower, lowest: int = 1) -> Sprite:
        """The tiers of *tower* from *lowest* up, and its dome; anchored at the middle of its base."""
        geometry = self.geometry
        wide = geometry.px(geometry.width(1)) + 3
        below = geometry.px(SLOPE) + 2
        above = tower.tiers * geometry.tier + below
        anchor = (wide, above)

        def draw(canvas: Canvas) -> None:
            for tier in range(lowest, tower.tiers + 1):
                base = (wide, above - (tier - 1) * geometry.tier)
                if tier > 1:
                    self._draw_step_shadow(canvas, base, tier)
                self._draw_tier(canvas, base, tier)
            if tower.is_domed:
                self._draw_dome(canvas, (wide, above - tower.tiers * geometry.tier))

        return self.sprite(("tower", tower, lowest), (2 * wide, above + below), anchor, draw)

    def dust(self, tier: int, share: float) -> Sprite:
        """The dust at the front edges of a block of *tier* after landing, at *share* of its time to settle."""
        pose = min(_DUST_POSES - 1, int(share * _DUST_POSES))
        wide, deep = self.geometry.top_reach(tier)
        room = max(2, self.geometry.px(2 * _DUST_REACH))
        anchor = (wide + room, room)

        def draw(canvas: Canvas) -> None:
            gone = (pose + 0.5) / _DUST_POSES
            reach, radius = self.unit * _DUST_REACH * math.sqrt(gone), self.unit * (0.07 + 0.09 * gone)
            colour = with_opacity(mix(self.theme.stone.top, self.theme.stone.right, 0.45), 0.85 * (1 - gone) ** 1.5)
            for side in (-1, 1):
                for puff in range(_DUST_PUFFS):
                    along = (puff + 0.5) / _DUST_PUFFS
                    x, y = wide * (1 - along) + reach * (1 - 0.5 * along), deep * along + reach * 0.5
                    rise = reach * 0.5 * (puff % 2)
                    canvas.circle((anchor[0] + side * x, anchor[1] + y - rise), radius * (1 + 0.3 * (puff % 3)), colour)
            canvas.blur(0.5 * radius)

        return self.sprite(("dust", tier, pose), (2 * anchor[0], deep + 2 * room), anchor, draw)

    def _draw_tier(self, canvas: Canvas, base: Point, tier: int) -> None:
        stone, unit = self.theme.stone, self.unit
        wide, deep = self.geometry.top_reach(tier)
        x, low = base
        high = low - self.geometry.tier
        for side, colour in ((-1, stone.left), (1, mix(stone.right, BLACK, 0.05))):
            face = [(x + side * wide, high), (x, high + deep), (x, low + deep), (x + side * wide, low)]
            canvas.gradient(face, mix(colour, WHITE, 0.05), mix(colour, BLACK, 0.08))
        if unit >= _SMALLEST_WITH_DETAILS:
            for side in (-1, 1):
                self._draw_face_details(canvas, base, tier, side)
        top = rhombus((x, high), wide, deep)
        canvas.polygon(top, stone.top)
        lip = max(0.6, unit * 0.014)
        if self.has_strong_lines:
            width = max(1.0, unit * 0.028)
            canvas.line([*top, top[0]], width, BLACK)
            canvas.line(
                [(x - wide, high), (x - wide, low), (x, low + deep), (x + wide, low), (x + wide, high)], width, BLACK
            )
            canvas.line([(x, high + deep), (x, low + deep)], width, BLACK)
            return
        canvas.line([top[3], top[2], top[1]], lip * 1.5, mix(stone.top, WHITE, 0.6))
        canvas.line([top[3], top[0], top[1]], lip, mix(stone.right, stone.top, 0.35))
        canvas.line([(x, high + deep), (x, low + deep)], lip, with_opacity(WHITE, 0.25))

    def _draw_face_details(self, canvas: Canvas, base: Point, tier: int, side: int) -> None:
        stone = self.theme.stone
        wide, deep = self.geometry.top_reach(tier)
        face = stone.left if side < 0 else stone.right

        def on_face(along: float, up: float) -> Point:
            """A point of the face: *along* from its outer edge to the middle, *up* from its base."""
            x = base[0] + side * wide * (1 - along)
            return x, base[1] + deep * along - up * self.geometry.tier

        canvas.line([on_face(0, 0.87), on_face(1, 0.87)], max(0.5, self.unit * 0.013), with_opacity(BLACK, 0.10))
        door = mix(stone.dome, face, 0.25) if side < 0 else mix(mix(stone.dome, face, 0.1), BLACK, 0.15)
        openings = [(window, mix(face, BLACK, 0.52)) for window in _WINDOWS[min(tier, len(_WINDOWS)) - 1]]
        if tier == 1:
            openings.append((_DOOR, door))
        for (middle, half, sill, head), colour in openings:
            canvas.polygon(_arch(on_face, middle, half, sill, head), mix(face, BLACK, 0.20))
            canvas.polygon(_arch(on_face, middle + half * 0.2, half * 0.76, sill, head - 0.05), colour)

    def _draw_step_shadow(self, canvas: Canvas, base: Point, tier: int) -> None:
        wide, deep = self.geometry.top_reach(tier)
        reach = self.unit * 0.035
        x, y = base
        canvas.polygon(
            rhombus((x + reach, y + reach * 0.2), wide + reach, deep + reach * SLOPE), with_opacity(BLACK, 0.10)
        )

    def _draw_dome(self, canvas: Canvas, at: Point) -> None:
        stone, unit = self.theme.stone, self.unit
        colour = stone.dome
        x, y = at
        drum = unit * 0.06
        wide, high = unit * DOME_WIDTH, unit * DOME_HEIGHT - drum
        deep = wide * SLOPE
        canvas.ellipse((x + unit * 0.03, y + unit * 0.02), wide * 1.1, deep * 1.1, with_opacity(BLACK, 0.14))
        canvas.ellipse((x, y), wide * 1.03, deep * 1.03, mix(stone.left, stone.right, 0.5))
        canvas.ellipse((x, y - drum), wide * 1.03, deep * 1.03, mix(stone.top, stone.left, 0.4))
        y -= drum
        dark, light = mix(colour, BLACK, 0.26), mix(colour, WHITE, 0.22)
        for step in range(_SHADES):
            share = step / (_SHADES - 1)
            size = 1 - share * 0.8
            middle = (x - wide * 0.30 * share, y - high * 0.42 * share)
            upper = canvas.arc_points(middle, wide * size, 180, 360, high * size)
            lower = canvas.arc_points(middle, wide * size, 0, 180, deep * size)
            canvas.polygon([*upper, *lower], mix(dark, light, share))
        shine = canvas.arc_points((x, y), wide * 0.76, 200, 262, high * 0.76)
        canvas.line(shine, max(1.0, unit * 0.045), with_opacity(WHITE, 0.55))
        if self.has_strong_lines:
            upper, lower = (
                canvas.arc_points((x, y), wide, 180, 360, high),
                canvas.arc_points((x, y), wide, 0, 180, deep),
            )
            canvas.line([*upper, *lower], max(1.0, unit * 0.028), BLACK, closed=True)

    def tower_shadow(self, tower: Tower) -> Sprite:
        geometry = self.geometry
        wide, deep = geometry.top_reach(1)
        reach = geometry.px(0.18 * geometry.lower) * tower.tiers if tower.tiers else geometry.px(0.1)
        pad = geometry.px(0.2)
        size = 2 * (wide + pad) + reach, 2 * (deep + pad)
        anchor = (wide + pad, deep + pad)
        away = (reach, -reach * SLOPE * 0.35)
        back, right, front, left = rhombus(anchor, wide, deep)
        cast = [back, *((x + away[0], y + away[1]) for x, y in (back, right)), front, left]
        opacity = 0.42 if self.theme.is_dark else 0.30

        def paint() -> Painting:
            return self.shadow(size, cast, opacity, max(1.0, self.unit * 0.09))

        return Sprite(self.paint.pictures.painted(("santorini tower shadow", tower, *self._look), paint), anchor)

    def pawn(self, style: SeatStyle) -> Sprite:
        """A worker with the seat's shape as its head and as a mark on its body; anchored at its foot."""
        wide, high = self.geometry.px(PAWN_WIDTH) + 3, self.geometry.px(PAWN_HEIGHT + 0.05) + 3
        below = self.geometry.px(PAWN_WIDTH * SLOPE) + 3

        def draw(canvas: Canvas) -> None:
            foot = (float(wide), float(high))
            line = max(0.9, self.unit * (0.045 if self.has_strong_lines else 0.028))
            dark = mix(style.colour, BLACK, 0.85 if self.has_strong_lines else 0.55)
            canvas.line(_pawn_outline(canvas, foot, self.unit), 2 * line, dark, closed=True)
            head = (foot[0], foot[1] - _HEAD_MIDDLE * self.unit)
            draw_shape(canvas, style.shape, head, _HEAD_RADIUS * self.unit + line * 1.15, dark)
            self._draw_body(canvas, foot, style)
            self._draw_head(canvas, head, style)

        return self.sprite(("pawn", style), (2 * wide, high + below), (wide, high), draw)

    def _draw_body(self, canvas: Canvas, foot: Point, style: SeatStyle) -> None:
        dark, light = mix(style.colour, BLACK, 0.20), mix(style.colour, WHITE, 0.14)
        for step in range(_SHADES):
            share = step / (_SHADES - 1)
            canvas.polygon(_pawn_outline(canvas, foot, self.unit, share), mix(dark, light, share))
        belly = (foot[0], foot[1] - _BELLY * self.unit)
        if self.unit >= _SMALLEST_WITH_DETAILS:
            draw_shape(canvas, style.shape, belly, _BELLY_MARK * self.unit, style.mark)

    def _draw_head(self, canvas: Canvas, at: Point, style: SeatStyle) -> None:
        radius = _HEAD_RADIUS * self.unit
        dark, light = mix(style.colour, BLACK, 0.18), mix(style.colour, WHITE, 0.26)
        x, y = at
        if style.shape == "circle":
            for step in range(_SHADES):
                share = step / (_SHADES - 1)
                middle = (x - radius * 0.34 * share, y - radius * 0.36 * share)
                canvas.circle(middle, radius * (1 - 0.72 * share), mix(dark, light, share))
        else:
            draw_shape(canvas, style.shape, at, radius, mix(style.colour, WHITE, 0.10))
            corners = _facet(style.shape, at, radius)
            canvas.polygon(corners, dark)
        shine = [(x - radius * 0.42, y - radius * 0.12), (x - radius * 0.14, y - radius * 0.46)]
        canvas.line(shine, max(1.0, radius * 0.2), with_opacity(WHITE, 0.6))

    def pawn_shadow(self) -> Sprite:
        wide, deep = self.geometry.px(0.44), self.geometry.px(0.34)

        def paint() -> Painting:
            reach = self.unit * 0.3
            shape = Canvas((1, 1)).arc_points((wide + self.unit * 0.05, deep), reach, 0, 360, reach * SLOPE)
            return self.shadow((2 * wide, 2 * deep), shape, 0.4, max(1.0, self.unit * 0.04))

        return Sprite(self.paint.pictures.painted(("santorini pawn shadow", *self._look), paint), (wide, deep))


def _arch(
    on_face: Callable[[float, float], Point], middle: float, half: float, sill: float, head: float
) -> list[Point]:
    """The outline of an opening with a round top, on a face."""
    shoulder = head - (head - sill) * 0.3
    points = [on_face(middle - half, sill), on_face(middle - half, shoulder)]
    for step in range(1, 12):
        angle = math.pi * (1 - step / 12)
        points.append(on_face(middle + half * math.cos(angle), shoulder + (head - shoulder) * math.sin(angle)))
    return [*points, on_face(middle + half, shoulder), on_face(middle + half, sill)]


def _pawn_outline(canvas: Canvas, foot: Point, unit: float, lit: float = 0.0) -> list[Point]:
    """The outline of a worker's body; *lit*, 0 to 1, narrows it to the part that faces the light."""
    x, y = foot
    scale = 1 - 0.78 * lit
    shift = -0.30 * lit
    right = [(x + (radius * scale + radius * shift) * unit, y - height * unit) for height, radius in _PAWN_PROFILE]
    left = [(x - (radius * scale - radius * shift) * unit, y - height * unit) for height, radius in _PAWN_PROFILE]
    radius = _PAWN_PROFILE[0][1] * unit
    bottom = canvas.arc_points((x + radius * shift, y), radius * scale, 0, 180, radius * SLOPE * (1 - 0.3 * lit))
    return [*bottom, *left, *reversed(right)]


def _facet(shape: str, centre: Point, radius: float) -> list[Point]:
    """The shaded side of an angular head as ``draw_shape`` draws it."""
    x, y = centre
    if shape == "diamond":
        reach = radius * 1.22
        return [(x, y - reach), (x + reach, y), (x, y + reach)]
    if shape == "triangle":
        reach = radius * 1.18
        return [(x, y - reach * 1.05), (x + reach, y + reach * 0.72), (x + reach * 0.2, y + reach * 0.72)]
    reach = radius * 0.9
    return [(x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)]


_MARGIN = 0.5
"""The margin around the board for its shadow, in halves of a cell's width."""
_SHADOW_BLUR, _SHADOW_DROP = 0.42, 0.16
_SHADOW_STRENGTH = 2.6
"""The opacity of the shadow, relative to a panel's."""
SMALLEST_WITH_COORDINATES = 34
"""Half of a cell's width, in design pixels."""
_SMALLEST_WITH_LARGER_LETTERS = 52
_COORDINATES_CONTRAST = 11.0
"""The contrast with the plank's mean colour, as its grain is much darker."""
_PLANK_TONES = (0.0, 0.10, 0.0, 0.05)
_GRAIN = ((0.27, 0.05, 0.62), (0.5, 0.30, 0.93), (0.76, 0.10, 0.48))
"""The lines of the grain: the position across a plank, and the start and end along it."""


class WoodenBoard:
    """Draws the board at the size of *geometry*, in the style of *art*."""

    def __init__(self, art: Art, geometry: Geometry) -> None:
        self.art = art
        self.geometry = geometry
        self.theme = art.theme
        self.unit = art.unit
        self.reach = geometry.frame_reach
        pad = geometry.px(_MARGIN)
        self.middle = self.reach[0] + pad, self.reach[1] + pad

    def sprite(self, has_coordinates: bool) -> Sprite:
        size = 2 * self.middle[0], 2 * self.middle[1] + self.geometry.thickness

        def paint() -> Painting:
            canvas = Canvas(size)
            yield from self._drawing_wood(canvas)
            yield
            wood = yield from canvas.painting()
            if has_coordinates:
                yield from self._writing_coordinates(wood)
            below = self.geometry.thickness + self.unit * _SHADOW_DROP
            shape = rhombus((self.middle[0], self.middle[1] + below), self.reach[0] * 0.97, self.reach[1] * 0.97)
            opacity = min(1.0, self.theme.shadow * _SHADOW_STRENGTH)
            return (yield from above_shadow(wood, self.art.shadow(size, shape, opacity, self.unit * _SHADOW_BLUR)))

        key = ("santorini board", self.unit, self.geometry.quarters, has_coordinates)
        return Sprite(self.art.paint.pictures.painted(key, paint), self.middle, pygame.BLEND_PREMULTIPLIED)

    def _drawing_wood(self, canvas: Canvas) -> Iterator[None]:
        wood, unit = self.theme.wood, self.unit
        outer = rhombus(self.middle, *self.reach)
        share = SIZE / (SIZE + FRAME)
        inner = rhombus(self.middle, self.reach[0] * share, self.reach[1] * share)
        self._draw_edges(canvas, outer)
        for index, tone in enumerate(_PLANK_TONES):
            following = (index + 1) % 4
            plank = [outer[index], outer[following], inner[following], inner[index]]
            canvas.polygon(plank, mix(wood.top, wood.edge, tone))
            self._draw_grain(canvas, plank, index)
            yield
        seam = with_opacity(wood.line, 1.0 if self.art.has_strong_lines else 0.5)
        for start, end in zip(outer, inner, strict=True):
            canvas.line([start, end], max(0.6, unit * 0.012), seam)
        canvas.polygon(inner, mix(wood.top, wood.line, 0.32))
        for cell in range(CELLS):
            self._draw_tile(canvas, cell)
            yield
        bevel = mix(wood.top, WHITE, 0.14 if self.theme.is_dark else 0.35)
        canvas.line([outer[3], outer[2], outer[1]], max(0.8, unit * 0.022), bevel)

    def _draw_edges(self, canvas: Canvas, outer: list[Point]) -> None:
        wood, thick = self.theme.wood, self.geometry.thickness
        _, right, front, left = outer
        canvas.polygon(outer, wood.top)
        for corner, lit, dark in (
            (left, wood.edge, mix(wood.edge, wood.deep, 0.55)),
            (right, mix(wood.edge, wood.deep, 0.75), wood.deep),
        ):
            for colour, depth in ((dark, thick), (lit, thick * 0.8)):
                canvas.polygon([corner, front, (front[0], front[1] + depth), (corner[0], corner[1] + depth)], colour)

    def _draw_grain(self, canvas: Canvas, plank: list[Point], index: int) -> None:
        if self.art.has_strong_lines:
            return
        ink = with_opacity(self.theme.wood.line, 0.22)
        for line, (across, near, far) in enumerate(_GRAIN):
            shares = (near, far) if (index + line) % 2 else (1 - near, 1 - far)
            first, last = interpolate(plank[0], plank[3], across), interpolate(plank[1], plank[2], across)
            path = [interpolate(first, last, share) for share in shares]
            canvas.line(path, max(0.5, self.unit * 0.012), ink)

    def _draw_tile(self, canvas: Canvas, cell: int) -> None:
        wood, geometry = self.theme.wood, self.geometry
        x, y = geometry.base(cell)
        at = x - geometry.middle[0] + self.middle[0], y - geometry.middle[1] + self.middle[1]
        fill = wood.cell if (cell % SIZE + cell // SIZE) % 2 == 0 else wood.other_cell
        back, right, front, left = rhombus(at, *geometry.top_reach(0))
        canvas.polygon([back, right, front, left], fill)
        dark, light = mix(fill, wood.line, 0.75), mix(fill, WHITE, 0.10 if self.theme.is_dark else 0.30)
        if self.art.has_strong_lines:
            dark = light = wood.line
        line = max(0.8, self.unit * 0.02)
        canvas.line([left, back, right], line, dark)
        canvas.line([right, front, left], line, light)

    def _writing_coordinates(self, picture: pygame.Surface) -> Iterator[None]:
        """Write letters on the left front plank and numbers on the right one, or vice versa on a turned board."""
        plank = FRAME / 4  # the middle of the plank, in cells from its inner edge
        wanted = self.theme.second if self.theme.is_dark else self.theme.wood.deep
        is_large = self.unit >= self.theme.px(_SMALLEST_WITH_LARGER_LETTERS)
        style: TextStyle = "small strong" if is_large else "tiny"
        for index in range(SIZE):
            across = round((index + 0.5 - plank - SIZE) * self.unit)
            towards = round((index + 0.5 + plank) * self.geometry.half_height)
            for place, x in ((index, across), ((SIZE - index) * SIZE - 1, -across)):
                yield
                row, column = divmod(self.geometry.cell_in_place(place), SIZE)
                text = COLUMNS[column] if (x < 0) == (self.geometry.quarters % 2 == 0) else str(row + 1)
                middle = round(self.middle[0] + x), round(self.middle[1] + towards)
                ink = self.art.paint.ink_at(picture, text, middle, style, wanted, least=_COORDINATES_CONTRAST)
                letters = self.art.paint.text_picture(text, style, ink)
                at = letters.get_rect(center=middle)
                self.art.paint.stamp(picture, letters, at, text, ink)
