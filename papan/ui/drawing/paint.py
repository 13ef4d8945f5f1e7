"""The painter, which draws everything in the window: panels, pills, discs, outlines, badges, icons and text.

Each shape is drawn on a ``Canvas`` once and cached by size, theme and arguments. Lengths are in real pixels: get them
from ``theme.px``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from functools import partial

import pygame

from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.faces import FACE_GRID, draw_face
from papan.ui.drawing.icons import ICON_GRID, ICONS
from papan.ui.drawing.lettering import Anchor, Lettering
from papan.ui.drawing.theme import (
    BUTTON_RADIUS,
    ICON_SIZE,
    PANEL_RADIUS,
    Colour,
    SeatStyle,
    Shape,
    TextStyle,
    Theme,
    rgb,
    with_opacity,
)

_SHADOW_INK = rgb("#5A4222")
_SHADOW_REACH = 14
"""The width of a panel's shadow, in design pixels."""
_PILL_HEIGHT = 22


def draw_shape(canvas: Canvas, shape: Shape, centre: Point, radius: float, colour: Colour) -> None:
    """Draw a seat's shape with the visual weight of a circle of *radius*."""
    x, y = centre
    if shape == "circle":
        canvas.circle(centre, radius, colour)
    elif shape == "diamond":
        reach = radius * 1.22
        canvas.polygon([(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)], colour)
    elif shape == "triangle":
        reach = radius * 1.18
        canvas.polygon([(x, y - reach * 1.05), (x + reach, y + reach * 0.72), (x - reach, y + reach * 0.72)], colour)
    else:
        reach = radius * 0.9
        canvas.polygon(
            [(x - reach, y - reach), (x + reach, y - reach), (x + reach, y + reach), (x - reach, y + reach)], colour
        )


class Painter(Lettering):
    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.board_styles: Mapping[str, str] = {}
        """By game, the chosen styles of its board, separated by spaces; see ``BoardView.styles``."""

    def drawn_picture(
        self,
        key: Hashable,
        size: tuple[int, int],
        draw: Callable[[Canvas], object],
        unit: float = 1.0,
    ) -> pygame.Surface:
        """The picture that *draw* makes on a canvas of *size*, cached under *key* and *size*; do not draw on it.

        *key* must contain everything that the picture depends on except the theme. A long *draw* can be a generator,
        which may be paused at each ``yield``.
        """

        def paint() -> Painting:
            canvas = Canvas(size, unit)
            pauses = draw(canvas)
            if isinstance(pauses, Generator):
                yield from pauses
            yield
            return (yield from canvas.painting())

        return self.pictures.painted((key, size, unit), paint)

    def stamp_drawn(
        self,
        surface: pygame.Surface,
        centre: Point,
        key: Hashable,
        size: tuple[int, int],
        draw: Callable[[Canvas], object],
        unit: float = 1.0,
    ) -> None:
        """Blit the ``drawn_picture`` centred on *centre*."""
        picture = self.drawn_picture(key, size, draw, unit)
        surface.blit(picture, picture.get_rect(center=(round(centre[0]), round(centre[1]))))

    def rounded_rect(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        fill: Colour | None,
        radius: int | None = None,
        *,
        line: Colour | None = None,
        line_width: float | None = None,
        dash: float = 0.0,
    ) -> None:
        """Draw a rectangle with round corners, its outline inside."""
        corner = self.theme.px(BUTTON_RADIUS) if radius is None else radius
        width = self.line_width if line_width is None else line_width
        look = ("rounded", fill, corner, line, width, dash)

        def draw(canvas: Canvas) -> None:
            box = (0, 0, *canvas.size)
            if fill is not None:
                canvas.rounded_rect(box, corner, fill)
            if line is not None:
                canvas.outline(box, corner, width, line, dash)

        part = corner + math.ceil(width) + 1
        is_see_through = fill is not None and len(fill) == 4 and fill[3] < 255
        is_whole = bool(dash) or is_see_through or min(rect.size) <= 2 * part + 1
        self._stretched(surface, rect, look, draw, 0 if is_whole else part, fill)

    @property
    def line_width(self) -> int:
        """The width of a panel's line in real pixels."""
        return max(1, self.theme.px(self.theme.line_width))

    def panel(
        self,
        surface: pygame.Surface,
        rect: pygame.Rect,
        *,
        fill: Colour | None = None,
        line: Colour | None = None,
        line_width: int | None = None,
        radius: int | None = None,
    ) -> None:
        """Draw a panel: round corners, an outline, a soft shadow. Every size costs the same."""
        theme = self.theme
        corner = theme.px(PANEL_RADIUS) if radius is None else radius
        width = self.line_width if line_width is None else line_width
        ground, edge = fill or theme.panel, line or theme.line
        reach = theme.px(_SHADOW_REACH)

        def draw(canvas: Canvas) -> None:
            size = (canvas.size[0] - 2 * reach, canvas.size[1] - 2 * reach)
            if theme.shadow:
                ink = with_opacity((0, 0, 0) if theme.is_dark else _SHADOW_INK, theme.shadow)
                canvas.rounded_rect((reach, reach + theme.px(2), *size), corner, ink)
                canvas.blur(reach * 0.55)
            canvas.rounded_rect((reach, reach, *size), corner, edge)
            inner = (reach + width, reach + width, size[0] - 2 * width, size[1] - 2 * width)
            canvas.rounded_rect(inner, corner - width, ground)

        part = reach + max(corner, reach) + 2
        is_whole = min(rect.size) < 2 * (part - reach)
        outer = rect.inflate(2 * reach, 2 * reach)
        self._stretched(surface, outer, ("panel", ground, edge, width, corner), draw, 0 if is_whole else part, ground)

    def _stretched(
        self,
        surface: pygame.Surface,
        outer: pygame.Rect,
        look: tuple[Hashable, ...],
        draw: Callable[[Canvas], object],
        part: int,
        fill: Colour | None,
    ) -> None:
        """Blit what *draw* makes, drawn small with corners of *part* pixels and stretched; drawn whole if that is 0."""
        if not part:
            surface.blit(self.drawn_picture(look, outer.size, draw), outer)
            return
        self._nine_patch(surface, self.drawn_picture(look, (2 * part + 1, 2 * part + 1), draw), outer, part, look)
        if fill is not None:
            surface.fill(fill, outer.inflate(-2 * part, -2 * part))

    def _nine_patch(
        self, surface: pygame.Surface, patch: pygame.Surface, outer: pygame.Rect, part: int, key: tuple[Hashable, ...]
    ) -> None:
        """Blit *patch* with its corners of *part* pixels unchanged and its middle row and column stretched."""
        far = patch.get_width() - part

        def stretched(source: pygame.Rect, size: tuple[int, int]) -> pygame.Surface:
            side = (key, *source.topleft, size)
            return self.pictures.get(side, lambda: pygame.transform.scale(patch.subsurface(source), size))

        for x, y in ((0, 0), (far, 0), (0, far), (far, far)):
            corner = outer.right - part if x else outer.left, outer.bottom - part if y else outer.top
            surface.blit(patch, corner, (x, y, part, part))
        wide, high = outer.w - 2 * part, outer.h - 2 * part
        for y, top in ((0, outer.top), (far, outer.bottom - part)) if wide > 0 else ():
            surface.blit(stretched(pygame.Rect(part, y, 1, part), (wide, part)), (outer.left + part, top))
        for x, left in ((0, outer.left), (far, outer.right - part)) if high > 0 else ():
            surface.blit(stretched(pygame.Rect(x, part, part, 1), (part, high)), (left, outer.top + part))

    def focus_ring(self, surface: pygame.Surface, rect: pygame.Rect, radius: int | None = None) -> None:
        px = self.theme.px
        corner = px(BUTTON_RADIUS) if radius is None else radius
        self.two_lines(surface, rect.inflate(2 * px(5), 2 * px(5)), corner + px(5), max(2, px(3)))

    def two_lines(self, surface: pygame.Surface, rect: pygame.Rect, radius: int, width: int) -> None:
        """Draw the focus line inside *rect*, between two lines in a contrasting colour."""
        seam = max(1, width // 2)
        around = rect.inflate(2 * seam, 2 * seam)
        theme = self.theme
        self.rounded_rect(surface, around, None, radius + seam, line=theme.ring_ground, line_width=width + 2 * seam)
        self.rounded_rect(surface, rect, None, radius, line=theme.ring, line_width=width)

    def pill(
        self,
        surface: pygame.Surface,
        text: str,
        at: tuple[int, int],
        *,
        fill: Colour | None = None,
        ink: Colour | None = None,
        anchor: Anchor = "midleft",
        width: int | None = None,
        icon: str | None = None,
    ) -> pygame.Rect:
        """Draw a short text on a rounded background; return its rectangle."""
        px = self.theme.px
        icon_width = px(18) if icon else 0
        padding = 2 * px(10) + icon_width
        shown = text if width is None else self.fitted_text(text, width - padding, "small strong")
        rect = pygame.Rect(0, 0, self.pill_width(shown) + icon_width, px(_PILL_HEIGHT))
        setattr(rect, anchor, at)
        self.rounded_rect(surface, rect, fill or self.theme.pill, rect.h // 2)
        colour = ink or self.theme.on_pill
        if icon:
            self.icon(surface, icon, (rect.x + px(17), rect.centery), colour, px(14))
        self.text(
            surface, shown, (rect.x + px(10) + icon_width, rect.centery), "small strong", colour, anchor="midleft"
        )
        return rect

    def pill_width(self, text: str) -> int:
        """The width of a ``pill`` of *text* without an icon."""
        return self.width(text, "small strong") + 2 * self.theme.px(10)

    def disc(
        self,
        surface: pygame.Surface,
        centre: Point,
        radius: float,
        fill: Colour | None,
        *,
        line: Colour | None = None,
        line_width: float = 1.0,
        dash: float = 0.0,
    ) -> None:
        """Draw a circle, its outline inside."""

        def draw(canvas: Canvas) -> None:
            if fill is not None:
                canvas.circle(canvas.middle, radius, fill)
            if line is not None:
                canvas.ring(canvas.middle, radius - line_width / 2, line_width, line, dash)

        side = 2 * round(radius) + 4
        self.stamp_drawn(surface, centre, ("disc", radius, fill, line, line_width, dash), (side, side), draw)

    def polygon(self, surface: pygame.Surface, points: Sequence[Point], fill: Colour) -> None:
        left, top = int(min(x for x, _ in points)) - 3, int(min(y for _, y in points)) - 3
        size = int(max(x for x, _ in points)) + 3 - left, int(max(y for _, y in points)) + 3 - top
        moved = tuple((x - left, y - top) for x, y in points)
        picture = self.drawn_picture(("polygon", moved, fill), size, lambda canvas: canvas.polygon(moved, fill))
        surface.blit(picture, (left, top))

    def badge(self, surface: pygame.Surface, centre: Point, radius: float, seat: SeatStyle) -> None:
        def draw(canvas: Canvas) -> None:
            canvas.circle(canvas.middle, radius, seat.colour)
            draw_shape(canvas, seat.shape, canvas.middle, radius * 0.38, seat.mark)

        side = 2 * round(radius) + 4
        self.stamp_drawn(surface, centre, ("badge", radius, seat), (side, side), draw)

    def seat_shape(self, surface: pygame.Surface, centre: Point, radius: float, shape: Shape, colour: Colour) -> None:
        def draw(canvas: Canvas) -> None:
            draw_shape(canvas, shape, canvas.middle, radius, colour)

        side = 2 * round(radius * 1.3) + 4
        self.stamp_drawn(surface, centre, ("shape", shape, radius, colour), (side, side), draw)

    def icon(
        self, surface: pygame.Surface, name: str, centre: Point, colour: Colour | None = None, size: int | None = None
    ) -> None:
        """Draw the icon *name*; see ``papan/ui/drawing/icons.py``.

        :param size: in real pixels; default: 20 design pixels.
        """
        side = self.theme.px(ICON_SIZE) if size is None else size
        ink = colour or self.theme.ink
        draw = ICONS[name]
        unit = side / ICON_GRID
        self.stamp_drawn(surface, centre, ("icon", name, ink), (side, side), lambda canvas: draw(canvas, ink), unit)

    def face(
        self, surface: pygame.Surface, name: str, centre: Point, radius: float, ring: Colour | None = None
    ) -> None:
        """Draw the face *name* as a round portrait; see ``papan/ui/drawing/faces.py``.

        :param ring: the colour of a ring around it; None for none.
        """
        side = 2 * round(radius)
        draw, unit = partial(draw_face, name=name), side / FACE_GRID
        self.stamp_drawn(surface, centre, ("face", name), (side, side), draw, unit)
        if ring is not None:
            width = max(2, self.theme.px(2))
            self.disc(surface, centre, radius + width + self.line_width, None, line=ring, line_width=width)

    def runs(
        self, surface: pygame.Surface, parts: Sequence[tuple[str, TextStyle, Colour]], at: tuple[int, int]
    ) -> pygame.Rect:
        """Draw texts of different styles on one line from *at*, its left middle; return the rectangle around them."""
        rect = pygame.Rect(at, (0, 0))
        left = at[0]
        for text, style, colour in parts:
            rect.union_ip(self.text(surface, text, (left, at[1]), style, colour, anchor="midleft"))
            left += self.width(text, style)
        return rect
