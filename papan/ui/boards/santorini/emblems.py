"""The emblems of Santorini's gods: coloured medallions with a simple sign, on a grid of 24 units."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pygame

from papan.game.rules.santorini import gods
from papan.ui.drawing.canvas import Canvas, turned_points
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BLACK, WHITE, Colour, mix, rgb

GRID = 24
_CENTRE = (GRID / 2, GRID / 2)
_SIGN_INK = rgb("#FFFCF6")


def draw_emblem(paint: Painter, surface: pygame.Surface, rect: pygame.Rect, god: int) -> None:
    """Draw the medallion of *god* centred in *rect*, as large as fits."""
    side = min(rect.size)
    has_strong_lines = paint.theme.line_width > 1
    ground, draw_sign = _EMBLEMS[god]
    if has_strong_lines:
        ground = BLACK
    ink = WHITE if has_strong_lines else _SIGN_INK

    def draw(canvas: Canvas) -> None:
        canvas.circle(_CENTRE, 12, ink if has_strong_lines else mix(ground, BLACK, 0.35))
        canvas.circle(_CENTRE, 11.1, ground)
        canvas.ring(_CENTRE, 10.1, 0.5, mix(ground, ink, 0.45))
        draw_sign(canvas, ink, ground)

    picture = paint.drawn_picture(("santorini emblem", god), (side, side), draw, side / GRID)
    surface.blit(picture, picture.get_rect(center=rect.center))


def _sun(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    for ray in range(16):
        length = 8.3 if ray % 2 == 0 else 6.6
        half = 1.0 if ray % 2 == 0 else 0.75
        canvas.polygon(turned_points([(4.4, -half), (length, 0), (4.4, half)], ray * 22.5, _CENTRE), ink)
    canvas.circle((12, 12), 4.5, ink)
    canvas.circle((12, 12), 3.3, ground)
    canvas.circle((12, 12), 2.2, ink)


def _globe(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    canvas.circle((12, 8.9), 4.8, ink)
    for wide in (0.6, 2.5):
        canvas.line(canvas.arc_points((12, 8.9), wide, 0, 360, 4.3), 0.55, ground, closed=True)
    canvas.line([(7.6, 8.9), (16.4, 8.9)], 0.55, ground)
    for side in (-1, 1):
        arm = [(12 + side * x, y) for x, y in ((0.6, 15.8), (3.4, 15.0), (6.2, 12.4), (7.0, 9.6))]
        canvas.line(arm, 1.7, ink)
    canvas.polygon([(9.2, 15.2), (14.8, 15.2), (13.7, 20.4), (10.3, 20.4)], ink)


def _moon_and_arrow(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    outer = canvas.arc_points((12.6, 12), 7.6, 100, 260)
    inner = canvas.arc_points((15.2, 12), 7.75, 242, 118)
    canvas.polygon([*outer, *inner], ink)
    canvas.line([(6.6, 12), (18.4, 12)], 1.1, ink)
    canvas.polygon([(20.4, 12), (16.9, 9.9), (16.9, 14.1)], ink)


def _owl(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    brow = [(5.2, 5.0), (9.0, 6.6), (15.0, 6.6), (18.8, 5.0)]
    chin = [(18.9, 12.6), (16.4, 17.6), (12, 20.0), (7.6, 17.6), (5.1, 12.6)]
    canvas.polygon([*brow, *chin], ink)
    for x in (8.8, 15.2):
        canvas.circle((x, 11.0), 2.9, ground)
        canvas.circle((x, 11.0), 2.1, ink)
        canvas.circle((x, 11.0), 1.15, ground)
    canvas.polygon([(10.7, 13.2), (13.3, 13.2), (12, 16.6)], ground)


def _wheat(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    canvas.line([(12, 20.4), (12, 8)], 1.1, ink)
    for row in range(4):
        y = 16.6 - row * 2.9
        for side in (-1, 1):
            grain = ((0.7, 0.0), (2.6, 0.7), (4.2, 3.6), (1.6, 2.6))
            canvas.polygon([(12 + side * x, y - up) for x, up in grain], ink)
    canvas.polygon([(12, 2.9), (13.3, 5.6), (12, 7.8), (10.7, 5.6)], ink)


def _hammer_and_anvil(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    top, foot = [(5.0, 13.6), (18.8, 13.6), (18.8, 14.6), (15.0, 16.4)], [(14.0, 17.8), (16.4, 20.2), (7.8, 20.2)]
    canvas.polygon([*top, *foot, (10.2, 17.8), (9.2, 16.4), (6.4, 15.6)], ink)
    canvas.line([(9.2, 11.4), (14.4, 6.2)], 1.5, ink)
    head = [(-3.6, -1.9), (3.6, -1.9), (3.6, 1.9), (-3.6, 1.9)]
    canvas.polygon(turned_points(head, 45, (15.0, 5.6)), ink)


def _wing(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    for feather, (length, drop) in enumerate(((13.2, 0.0), (10.6, 3.0), (7.8, 6.0))):
        top = 5.2 + drop
        tip = 4.6 + feather * 0.9
        root = tip + length
        canvas.polygon(
            [(tip, top), (root - 1.5, top + 0.4), (root, top + 2.3), (tip + 4.4, top + 2.5), (tip + 1.6, top + 1.5)],
            ink,
        )
    canvas.polygon([(14.6, 7.6), (18.6, 5.6), (17.2, 14.2), (13.2, 14.8)], ink)
    canvas.line([(6.4, 18.2), (11.6, 18.2), (15.2, 15.6), (18.4, 17.4), (18.4, 18.6)], 1.6, ink)


def _bull(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    for side in (-1, 1):
        horn = [(2.6, 9.6), (5.8, 9.0), (7.4, 6.6), (6.9, 3.8), (8.6, 6.6), (8.0, 10.0), (5.4, 11.8), (2.6, 12.2)]
        canvas.polygon([(12 + side * x, y) for x, y in horn], ink)
        canvas.polygon([(12 + side * x, y) for x, y in ((3.2, 11.6), (6.4, 12.6), (4.6, 14.6), (3.0, 14.0))], ink)
    canvas.polygon([(8.4, 9.2), (15.6, 9.2), (15.0, 15.0), (13.9, 19.8), (10.1, 19.8), (9.0, 15.0)], ink)
    for x in (10.3, 13.7):
        canvas.circle((x, 13.0), 0.8, ground)
        canvas.circle((x + (0.6 if x < 12 else -0.6), 17.9), 0.65, ground)


def _pipes(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    for reed in range(5):
        x = 5.2 + reed * 2.9
        canvas.rounded_rect((x, 5.2, 2.2, 13.4 - reed * 2.1), 1.1, ink)
        canvas.ellipse((x + 1.1, 6.3), 0.65, 0.5, ground)
    canvas.line([(4.4, 10.4), (19.6, 8.9)], 1.0, ground)
    canvas.line([(4.7, 10.4), (19.3, 8.95)], 0.45, ink)


def _flame(canvas: Canvas, ink: Colour, ground: Colour) -> None:
    flame = [
        (12.4, 2.8), (13.2, 5.6), (16.2, 8.2), (16.6, 11.4), (14.9, 14.4), (9.1, 14.4), (7.4, 11.6), (8.2, 8.8),
        (9.8, 9.8), (10.2, 6.6),
    ]  # fmt: skip
    canvas.polygon(flame, ink)
    canvas.polygon([(12.3, 8.6), (14.2, 11.2), (13.6, 14.0), (10.4, 14.0), (10.0, 11.8), (11.4, 11.0)], ground)
    canvas.polygon([(7.9, 15.2), (16.1, 15.2), (15.3, 16.9), (8.7, 16.9)], ink)
    canvas.polygon([(10.1, 17.5), (13.9, 17.5), (12.9, 21.2), (11.1, 21.2)], ink)


_EMBLEMS: Mapping[int, tuple[Colour, Callable[[Canvas, Colour, Colour], None]]] = {
    gods.APOLLO: (rgb("#C07A1E"), _sun),
    gods.ATLAS: (rgb("#4B5F8A"), _globe),
    gods.ARTEMIS: (rgb("#3C7562"), _moon_and_arrow),
    gods.ATHENA: (rgb("#5D5390"), _owl),
    gods.DEMETER: (rgb("#8A7420"), _wheat),
    gods.HEPHAESTUS: (rgb("#9A4A33"), _hammer_and_anvil),
    gods.HERMES: (rgb("#2F7C92"), _wing),
    gods.MINOTAUR: (rgb("#7A3F44"), _bull),
    gods.PAN: (rgb("#5A7A33"), _pipes),
    gods.PROMETHEUS: (rgb("#B4552B"), _flame),
}
"""The ground and the sign of each god."""
