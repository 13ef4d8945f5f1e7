"""Wooden boards, which cells lie on."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.shapes import offset_points, rounded_points
from papan.ui.drawing.theme import mix, with_opacity


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
