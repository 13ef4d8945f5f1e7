"""Marks on Santorini's towers: targets, the last turn, the hint, each with its own shape."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import pygame

from papan.ui.boards.santorini.art import Art, Sprite, rhombus
from papan.ui.boards.santorini.geometry import PAWN_HEIGHT, SLOPE, Special
from papan.ui.drawing.canvas import Canvas, Point, star_points, turned_points
from papan.ui.drawing.marks import canvas_around
from papan.ui.drawing.theme import BLACK, WHITE, Colour, mix, readable_colour, with_opacity

Outline = Literal["target", "hovered target", "taken target", "hover", "cursor", "last", "hint", "winning"]
Ring = Literal["chosen", "stuck"]

_RING = 0.37
"""The radius of a ring around a worker's foot, in halves of a cell's width."""
_ARROW_RISE = 0.85
_HEADS_LENGTH = 0.26
_STAR_WAIST = 0.45
_SIGN = 0.2
"""The radius of a sign above a target, in halves of a cell's width."""
_SIGN_PATHS: Mapping[Special, Sequence[Sequence[Point]]] = {
    "swap": (
        ((-0.55, -0.24), (0.5, -0.24)),
        ((0.22, -0.5), (0.52, -0.24)),
        ((0.55, 0.24), (-0.5, 0.24)),
        ((-0.22, 0.5), (-0.52, 0.24)),
    ),
    "push": (((-0.52, -0.45), (-0.52, 0.45)), ((-0.22, 0.0), (0.5, 0.0)), ((0.16, -0.36), (0.52, 0.0), (0.16, 0.36))),
    "build": (((-0.5, 0.0), (0.5, 0.0)), ((0.0, -0.5), (0.0, 0.5))),
}
"""The lines of each sign, pointing right, within the unit circle."""


class Marks(Art):
    def ground_colour(self, tiers: int) -> Colour:
        """The background colour of a mark: stone, or wood if *tiers* is 0."""
        theme = self.theme
        return theme.stone.top if tiers else mix(theme.wood.cell, theme.wood.other_cell, 0.5)

    def outline(self, name: Outline, tiers: int) -> Sprite:
        """A rhombus for the top of a tower of *tiers*; anchored at the middle."""
        wide, deep = self.geometry.top_reach(tiers)
        pad = max(4, self.geometry.px(0.22))

        def draw(canvas: Canvas) -> None:
            self._draw_outline(canvas, name, tiers, (wide + pad, deep + pad))

        return self.sprite(
            ("outline", name, tiers), (2 * (wide + pad), 2 * (deep + pad)), (wide + pad, deep + pad), draw
        )

    def _draw_outline(self, canvas: Canvas, name: Outline, tiers: int, at: Point) -> None:
        theme, unit = self.theme, self.unit
        ground = self.ground_colour(tiers)
        reach = self.geometry.top_reach(tiers)
        legal, accent = readable_colour(theme.legal, ground), readable_colour(theme.accent, ground)
        ink = readable_colour(theme.ink, ground, 10.0 if self.has_strong_lines else 4.5)
        line = max(1.6, unit * 0.048)

        def ring(share: float, width: float, colour: Colour, dash: float = 0.0, fill: Colour | None = None) -> None:
            corners = rhombus(at, reach[0] * share, reach[1] * share)
            if fill is not None:
                canvas.polygon(corners, fill)
            canvas.line(corners, width, colour, closed=True, dash=dash)

        if name == "target":
            ring(0.74, line, legal, fill=with_opacity(legal, 0.20))
        elif name == "taken target":
            ring(0.90, line, legal, dash=max(3.0, unit * 0.13), fill=with_opacity(legal, 0.20))
            ring(0.66, line * 0.7, legal)
        elif name == "hovered target":
            ring(0.80, line * 1.35, legal, fill=with_opacity(legal, 0.45))
        elif name == "hover":
            opacity = 1.0 if self.has_strong_lines else 0.55
            ring(0.80, line * 0.7, with_opacity(ink, opacity), fill=with_opacity(WHITE, 0.18))
        elif name == "last":
            ring(0.92, max(1.2, unit * 0.03), ink, dash=max(2.5, unit * 0.085))
        elif name == "cursor":
            ring(1.0, line * 2.4, theme.ring_ground)
            ring(1.0, line * 1.3, theme.ring)
        elif name == "winning":
            ring(0.90, line * 2.2, with_opacity(legal, 0.35))
            ring(0.90, line, legal, fill=with_opacity(legal, 0.22))
        else:
            ring(0.84, line * 2.6, with_opacity(accent, 0.30))
            ring(0.84, line, accent, fill=with_opacity(accent, 0.16))
            ring(0.62, line * 0.55, accent)

    def ring(self, name: Ring, tiers: int) -> Sprite:
        theme, unit = self.theme, self.unit
        wide, deep = self.geometry.px(_RING) + 4, self.geometry.px(_RING * SLOPE) + 4
        ground = self.ground_colour(tiers)

        def draw(canvas: Canvas) -> None:
            width = max(1.6, unit * 0.05)
            path = canvas.arc_points((wide, deep), unit * _RING, 0, 360, unit * _RING * SLOPE)
            if name == "stuck":
                canvas.line(path, width, readable_colour(theme.bad_ink, ground), dash=max(3.0, unit * 0.13))
                return
            legal = readable_colour(theme.legal, ground)
            canvas.polygon(path, with_opacity(legal, 0.20))
            canvas.line(path, width, legal)

        return self.sprite(("ring", name, tiers), (2 * wide, 2 * deep), (wide, deep), draw)

    def star(self) -> Sprite:
        """A star above the head of a worker that has won; anchored at its lowest point."""
        radius = max(5, self.geometry.px(0.2))
        side = 2 * radius + 4

        def draw(canvas: Canvas) -> None:
            centre = canvas.middle
            gold = self.theme.seats[2].colour
            canvas.polygon(star_points(centre, radius, _STAR_WAIST), mix(gold, BLACK, 0.5))
            canvas.polygon(star_points(centre, radius * 0.76, _STAR_WAIST), mix(gold, WHITE, 0.12))

        return self.sprite("star", (side, side), (side // 2, side), draw)

    def sign(self, special: Special, way: Point) -> Sprite:
        """A disc with the sign of a special target, pointing along *way*; anchored at its lowest point."""
        legal = self.theme.legal
        ink = readable_colour(self.theme.panel, legal, 4.5)
        radius = max(6, self.geometry.px(_SIGN))
        side = 2 * radius + 4
        angle = math.degrees(math.atan2(way[1], way[0])) if special != "build" else 0.0

        def draw(canvas: Canvas) -> None:
            centre = (side / 2, side / 2)
            canvas.circle(centre, radius, mix(legal, BLACK, 0.45))
            canvas.circle(centre, radius * 0.88, legal)
            for path in _SIGN_PATHS[special]:
                canvas.line(turned_points(path, angle, centre, radius), max(1.0, radius * 0.17), ink)

        return self.sprite(("sign", special, round(angle)), (side, side), (side // 2, side), draw)

    def arrow(self, surface: pygame.Surface, path: Sequence[Point]) -> None:
        unit, theme = self.unit, self.theme
        width = max(2.0, unit * 0.075)
        corner, moved, size = canvas_around(path, math.ceil(width * 4))
        tip = moved[-1]
        angle = math.atan2(tip[1] - moved[-3][1], tip[0] - moved[-3][0])
        length = unit * _HEADS_LENGTH
        shaft = [point for point in moved[:-1] if math.dist(point, tip) > length * 0.7]
        head = [tip] + [
            (tip[0] - length * math.cos(angle + turn), tip[1] - length * math.sin(angle + turn)) for turn in (-0.5, 0.5)
        ]

        def draw(canvas: Canvas) -> None:
            for wider, colour in ((width * 0.9, theme.panel), (0.0, readable_colour(theme.accent, theme.panel))):
                canvas.line(shaft, width + wider, colour)
                canvas.polygon(head, colour)
                canvas.line(head, wider + width * 0.4, colour, closed=True)

        key = ("arrow", tuple(moved))
        self.sprite(key, size, (0, 0), draw).blit(surface, corner)

    def hop(self, start: Point, end: Point) -> list[Point]:
        """The path of an arrow from the worker at *start* to the top of the tower at *end*."""
        unit = self.unit
        begin = start[0], start[1] - unit * PAWN_HEIGHT * 0.55
        peak = (begin[0] + end[0]) / 2, min(begin[1], end[1]) - unit * _ARROW_RISE
        steps = [step / 16 for step in range(17)]
        xs, ys = (
            [(1 - t) ** 2 * start + 2 * t * (1 - t) * middle + t * t * goal for t in steps]
            for start, middle, goal in zip(begin, peak, end, strict=True)
        )
        return list(zip(xs, ys, strict=True))

    def fall(self, end: Point) -> list[Point]:
        return [(end[0], end[1] - self.unit * (0.72 - 0.72 * step / 8)) for step in range(9)]
