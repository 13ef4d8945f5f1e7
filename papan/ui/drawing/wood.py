"""Wooden boards, which cells lie on."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.shapes import offset_points, rounded_points
from papan.ui.drawing.theme import Colour, Theme, mix, with_opacity

_WHITE: Colour = (255, 255, 255)


def wooden_frame(
    paint: Painter, surface: pygame.Surface, outer: pygame.Rect, width: int, corners: Sequence[Point] = ()
) -> None:
    """A wooden board with a frame of *width*, its edges lit from above, a soft shadow below.

    :param corners: of a board that is no rectangle: a convex polygon, clockwise, from the upper left corner of *outer*.
    """
    wood = paint.theme.wood
    radius = max(3, round(width * 1.5))
    reach = max(3, round(width * 1.2))

    def draw(canvas: Canvas) -> None:
        def outline(corner: float, inset: float = 0.0, down: float = 0.0, shorter: float = 0.0) -> Sequence[Point]:
            if not corners:
                wide, high = outer.w - 2 * inset, outer.h - 2 * inset - shorter
                return canvas.rounded_points((reach + inset, reach + inset + down, wide, high), corner)
            share = 1 - shorter / outer.h
            polygon = [(reach + x, reach + y * share) for x, y in offset_points(corners, -inset)]
            return [(x, y + down) for x, y in rounded_points(polygon, corner)]

        if paint.theme.shadow:
            canvas.polygon(outline(radius, down=reach * 0.4), with_opacity((0, 0, 0), paint.theme.shadow))
            canvas.blur(reach * 0.45)
        canvas.polygon(outline(radius), mix(wood.edge, wood.deep, 0.45))
        canvas.gradient(outline(radius, shorter=max(1, width * 0.18)), mix(wood.edge, wood.top, 0.25), wood.edge)
        canvas.polygon(outline(radius * 0.6, inset=width), wood.top)

    size = (outer.w + 2 * reach, outer.h + 2 * reach)
    picture = paint.drawn_picture(("wooden frame", width, tuple(corners)), size, draw)
    surface.blit(picture, (outer.x - reach, outer.y - reach))


def draw_bevelled_frame(canvas: Canvas, rect: Sequence[float], width: float, theme: Theme) -> None:
    """Four planks of *width*, mitred at the corners, with a bevel on either side; *rect* is their outer edge.

    Each plank is as light as it turns to the light, which comes from the upper left. Below, the frame's side shows.
    """
    wood, is_plain = theme.wood, not theme.shadow
    x, y, w, h = rect
    corner, depth, bevel = width * 0.3, max(1.0, width * 0.12), max(1.0, width * 0.14)
    canvas.rounded_rect((x, y + depth, w, h), corner, mix(wood.edge, wood.deep, 0.8))
    canvas.rounded_rect(rect, corner, mix(wood.edge, wood.deep, 0.0 if is_plain else 0.3))
    for start, end, lit in ((0.0, bevel, 0.3), (bevel, width - bevel, 0.0), (width - bevel, width, -0.34)):
        outer, inner = (
            [(x + at, y + at), (x + w - at, y + at), (x + w - at, y + h - at), (x + at, y + h - at)]
            for at in (max(start, corner * 0.3), end)
        )
        for side, light in enumerate((1.0, -0.55, -1.0, 0.55)):
            following = (side + 1) % 4
            plank = [outer[side], outer[following], inner[following], inner[side]]
            tone = lit * light + (0.05 * light if not lit else 0.0)
            body = mix(wood.top, wood.edge, 0.45)
            canvas.polygon(plank, body if is_plain else mix(body, _WHITE if tone > 0 else wood.deep, abs(tone)))
    seam = with_opacity(wood.deep, 0.35)
    for right, down in ((0, 0), (1, 0), (1, 1), (0, 1)):
        far = (x + right * w, y + down * h)
        near = (far[0] + (width if not right else -width), far[1] + (width if not down else -width))
        begin = (far[0] + (near[0] - far[0]) * 0.12, far[1] + (near[1] - far[1]) * 0.12)
        canvas.line([begin, near], max(0.7, width * 0.025), seam)
