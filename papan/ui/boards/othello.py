"""The board of Othello: green felt in a wooden frame, discs that are black on one side and white on the other.

A new disc turns the others over in order of distance. Pointing at a cell shows the new disc and rings those that it
would turn over.
"""

from __future__ import annotations

import math

import pygame

from papan.game.kernel.bits import cells_of
from papan.game.rules import is_over, legal_steps, mover
from papan.game.rules.othello import BLACK, CELLS, PASS, SIZE, State, discs, discs_turned_by, ending, parse
from papan.ui.boards import Picture, Styles
from papan.ui.boards.bases.cells import SquareBoard
from papan.ui.drawing import pieces
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas, Point
from papan.ui.drawing.marks import cursor_ring, hint_outline, last_outline, text_mark
from papan.ui.drawing.materials import draw_bevelled_frame, felt_painting, wood_painting
from papan.ui.drawing.theme import BLACK as INK
from papan.ui.drawing.theme import WHITE, Colour, SeatStyle, mix, rgb, with_opacity
from papan.ui.sounds import Cue
from papan.ui.texts import N_

PUT_SECONDS = 0.12
TURN_SECONDS = 0.26
SECONDS_A_DISC = 0.055
"""The delay of a disc turning over after the one before it."""

_DISC = 0.405  # radius, in cells
_LIFT = 0.1  # of a disc while it turns over, in cells
_EDGE_ON = 0.13
"""The width of a disc seen from the side, as a share of its diameter."""
_POSES = 24
"""The number of cached pictures of a disc turning over."""
_CENTRE = (SIZE - 1) / 2
_BLUE, _SLATE = rgb("#41729F"), rgb("#69757E")
"""The felt's other colours, before they are darkened."""
_PILE, _GRAIN = 3.2, 0.3
"""The deviation of the felt's shades, of 255, and the share of the late wood's colour in the frame."""


class Board(SquareBoard):
    styles: Styles = {  # noqa: RUF012
        "board": {"green": N_("Green felt"), "blue": N_("Blue felt"), "slate": N_("Slate")},
        "pieces": {name: pieces.STONE_STYLES[name] for name in ("disc", "stone", "flat")},
    }
    columns = rows = SIZE
    row_one_is_on_top = True
    frame_share = 0.26
    engraved_share = 0.5
    shadow_share = 0.14

    def _square(self, cell: int) -> pygame.Rect:
        """The whole *cell*, from line to line."""
        return self.cell_rect(cell).inflate(self._gap, self._gap)

    def first_cursor(self, state: State) -> int:
        steps = [step for step in legal_steps(state) if step != PASS]
        return min(steps, key=lambda cell: math.dist(self.place_of(cell), (_CENTRE, _CENTRE)), default=CELLS // 2)

    def sample(self) -> State:
        return parse("--O-XXX---OOOX--OOOOOO---XXXOO---XXOOO--XXXXXO------------------ X", {})

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        return pieces.stone_style(self.theme, seat == BLACK, self.theme.seats[seat].shape)

    def duration(self, before: State, step: int, after: State) -> float:
        if step == PASS:
            return 0.0
        farthest = max((_distance(step, cell) for cell in cells_of(discs_turned_by(before, step))), default=0)
        return PUT_SECONDS + SECONDS_A_DISC * farthest + TURN_SECONDS

    def cues(self, before: State, step: int, after: State) -> list[Cue]:
        if step == PASS:
            return []
        seconds = self.duration(before, step, after)
        distances = sorted({_distance(step, cell) for cell in cells_of(discs_turned_by(before, step))})
        turned = [PUT_SECONDS + SECONDS_A_DISC * (distance - 1) + TURN_SECONDS / 2 for distance in distances]
        return [Cue("disc", PUT_SECONDS / seconds), *(Cue("disc turned", moment / seconds) for moment in turned)]

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        self.draw_board(surface)
        moving = picture.moving
        if moving and moving.step != PASS:
            self._draw_moving(surface, moving.before, moving.step, moving.progress)
            return
        state: State = picture.state
        if not moving:
            self._draw_below(surface, picture)
        self._draw_discs(surface, state)
        if not moving:
            self._draw_above(surface, picture)

    def draw_frame(self, surface: pygame.Surface) -> None:
        self.draw_painted(surface, max(2, round(self.cell_size * self.shadow_share)))

    def painting(self, margin: int) -> Painting:
        theme, border, field = self.theme, self._border, self.cell_size * SIZE
        rect = (margin, margin, *self.frame.size)
        canvas = Canvas((self.frame.w + 2 * margin, self.frame.h + 2 * margin))
        draw_bevelled_frame(canvas, rect, border, theme)
        felt = self._felt_colour()
        inner = pygame.Rect(margin + border, margin + border, field, field)
        corners = [inner.topleft, inner.topright, inner.bottomright, inner.bottomleft]
        canvas.gradient(corners, mix(felt, WHITE, 0.05), mix(felt, INK, 0.03))
        if not theme.shadow:
            self._draw_lines(canvas, inner.topleft, theme.wood.line)
            return (yield from canvas.painting())
        shadow = (margin, margin + border * 0.2, *self.frame.size)
        opacity = min(1.0, 2 * theme.shadow)
        board = yield from pieces.shadowed_painting(canvas, shadow, border * 0.3, opacity, max(1.0, margin * 0.4))
        yield from felt_painting(board, inner, _PILE)
        planks, grain = pygame.Rect(rect), _GRAIN * theme.wood.grain
        for plank, is_upright in (
            ((planks.x, planks.y, planks.w, border), False),
            ((planks.x, planks.bottom - border, planks.w, border), False),
            ((planks.x, inner.y, border, field), True),
            ((inner.right, inner.y, border, field), True),
        ):
            area, ink = pygame.Rect(plank), theme.wood.deep
            yield from wood_painting(board, area, self.cell_size, ink, grain, is_upright=is_upright)
        lines = Canvas(board.get_size())
        for depth in (0.16, 0.1, 0.05):  # the frame's shadow along the upper and the left edge
            reach = self.cell_size * depth
            lines.rounded_rect((inner.x, inner.y, field, reach), 0, with_opacity(INK, 0.1))
            lines.rounded_rect((inner.x, inner.y, reach * 0.7, field), 0, with_opacity(INK, 0.08))
        self._draw_lines(lines, inner.topleft, mix(felt, INK, 0.42), mix(felt, WHITE, 0.13))
        engraved = yield from lines.painting()
        board.blit(engraved, (0, 0))
        return board

    def _felt_colour(self) -> Colour:
        theme = self.theme
        if not theme.shadow:
            return theme.wood.cell
        green = mix(theme.legal, theme.accent, 0.45)
        felt = {"blue": _BLUE, "slate": _SLATE}.get(self.style["board"], green)
        return mix(felt, INK, 0.06 if not theme.is_dark else 0.5 if felt == green else 0.3)

    def _draw_lines(self, canvas: Canvas, corner: Point, ink: Colour, light: Colour | None = None) -> None:
        """Draw the lines between the cells and the four dots; *light* is the colour of their lit lower edges."""
        side, field = self.cell_size, self.cell_size * SIZE
        line = max(1.0, side * 0.02)
        for colour, shift in ((light, line * 0.8), (ink, 0.0)):
            if colour is None:
                continue
            left, top = corner[0] + shift, corner[1] + shift
            for index in range(SIZE + 1):
                at = min(max(index * side, line / 2), field - line / 2 - shift)
                canvas.line([(left + at, top), (left + at, corner[1] + field)], line, colour)
                canvas.line([(left, top + at), (corner[0] + field, top + at)], line, colour)
            for column in (2, SIZE - 2):
                for row in (2, SIZE - 2):
                    canvas.circle((left + column * side, top + row * side), max(1.5, side * 0.06), colour)

    def _disc(self, seat: int) -> pygame.Surface:
        shape = self.theme.seats[seat].shape
        return pieces.stone_picture(
            self.paint, pieces.stone_kind(self.style["pieces"]), seat == BLACK, shape, round(self.cell_size * _DISC, 1)
        )

    def _draw_discs(self, surface: pygame.Surface, state: State, without: int = 0) -> None:
        for seat in range(2):
            disc = self._disc(seat)
            for cell in cells_of(discs(state, seat) & ~without):
                pieces.put(surface, disc, self._square(cell).center)

    def _draw_moving(self, surface: pygame.Surface, before: State, step: int, progress: float) -> None:
        turned = discs_turned_by(before, step)
        seat = mover(before)
        seconds = progress * self.duration(before, step, before)
        self._draw_discs(surface, before, turned)
        for cell in cells_of(turned):
            begins = PUT_SECONDS + SECONDS_A_DISC * (_distance(step, cell) - 1)
            share = min(1.0, max(0.0, (seconds - begins) / TURN_SECONDS))
            self._draw_turning(surface, cell, 1 - seat, pieces.ease_in_out(share))
        disc = pieces.arriving_piece(self._disc(seat), min(1.0, seconds / PUT_SECONDS), larger=0.25, opacity=0.3)
        pieces.put(surface, disc, self._square(step).center)

    def _draw_turning(self, surface: pygame.Surface, cell: int, seat: int, share: float) -> None:
        pose = round(share * _POSES)
        x, y = self._square(cell).center
        disc = self._pose(seat, pose)
        height = math.sin(math.pi * pose / _POSES) * _LIFT * self.cell_size
        surface.blit(disc, disc.get_rect(center=(x, round(y - height))))

    def _pose(self, seat: int, pose: int) -> pygame.Surface:
        shown = seat if 2 * pose < _POSES else 1 - seat
        disc = self._disc(shown)
        narrow = max(_EDGE_ON, abs(math.cos(math.pi * pose / _POSES)))
        if narrow == 1:
            return disc
        size = (max(3, round(disc.get_width() * narrow)), disc.get_height())
        return self.paint.pictures.get(
            ("othello pose", shown, size, self.style["pieces"]), lambda: pygame.transform.smoothscale(disc, size)
        )

    @property
    def _ink(self) -> Colour:
        return self.theme.legal if not self.theme.shadow else self.theme.stone.top

    def _draw_below(self, surface: pygame.Surface, picture: Picture) -> None:
        paint, side = self.paint, self.cell_size
        for cell in picture.last:
            line, dash = max(1.5, side * 0.035), side * 0.08
            last_outline(paint, surface, self.cell_rect(cell), self.radius, ink=self._ink, width=line, dash=dash)
        for cell in picture.hint:
            width = max(2.0, side * 0.05)
            hint_outline(paint, surface, self.cell_rect(cell), self.radius, ink=self._ink, width=width, opacity=0.22)
        pointed = picture.cursor if picture.hover is None else picture.hover
        for cell in picture.targets:
            if cell != pointed and cell not in picture.marks:
                paint.disc(
                    surface, self._square(cell).center, max(3, round(side * 0.09)), with_opacity(self._ink, 0.78)
                )
        if picture.cursor is not None:
            cursor_ring(paint, surface, self._square(picture.cursor), self.radius)

    def _draw_above(self, surface: pygame.Surface, picture: Picture) -> None:
        pointed = picture.cursor if picture.hover is None else picture.hover
        if pointed in picture.targets:
            self._draw_preview(surface, picture.state, pointed)
        for cell, text in picture.marks.items():
            text_mark(self.paint, surface, self._square(cell).center, text, self.cell_size)
        if is_over(picture.state):
            winner = ending(picture.state).winner
            line = max(1.5, self.cell_size * 0.035)
            for cell in () if winner is None else cells_of(discs(picture.state, winner)):
                centre, radius = self._square(cell).center, self.cell_size * (_DISC + 0.03)
                self.paint.disc(surface, centre, radius, None, line=self._ink, line_width=line)

    def _draw_preview(self, surface: pygame.Surface, state: State, cell: int) -> None:
        """Draw the disc that would be placed on *cell*, and rings around those that it would turn over."""
        seat = mover(state)
        ghost = self.paint.pictures.get(
            ("othello ghost", seat, self.cell_size, self.style["pieces"]),
            lambda: pieces.faint_piece(self._disc(seat), 0.6),
        )
        pieces.put(surface, ghost, self._square(cell).center)
        line = max(2.0, self.cell_size * 0.05)
        for other in cells_of(discs_turned_by(state, cell)):
            centre = self._square(other).center
            radius = self.cell_size * (_DISC + 0.045)
            self.paint.disc(surface, centre, radius, None, line=self._ink, line_width=line, dash=line * 2.2)


def _distance(one: int, other: int) -> int:
    """The distance between two cells in king's moves."""
    return max(abs(one % SIZE - other % SIZE), abs(one // SIZE - other // SIZE))
