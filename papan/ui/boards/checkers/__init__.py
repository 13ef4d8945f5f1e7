"""The board of checkers: a walnut board, discs, kings of two discs with a crown.

As in PDN and books, square 1 is at the top left and White at the bottom; a single person's men are at the bottom. Only
the dark squares are cells. A chosen piece shows all its capture routes; the last turn is a dashed path.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import pairwise

import pygame

from papan.game.rules import legal_steps, play
from papan.game.rules.checkers import is_jump, parse
from papan.game.rules.checkers.board import SQUARES, State, bit_of, squares_of
from papan.game.rules.checkers.board import column_and_row as printed_place
from papan.ui.boards import Direction, Picture, Styles
from papan.ui.boards.bases.pieces import PieceBoard
from papan.ui.boards.checkers import art
from papan.ui.drawing.antialiasing import Painting
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.marks import brackets, seam_width, trail
from papan.ui.drawing.pieces import ease_in_out, faint_piece, interpolate, put, shadowed_painting, stone_style
from papan.ui.drawing.theme import Colour, SeatStyle, with_opacity
from papan.ui.sounds import Cue
from papan.ui.texts import N_

SIDE = 8
_HOP = 0.34
"""The height of a jump, in squares."""
SLIDE_SECONDS = 0.24
JUMP_SECONDS = 0.34
CROWN_SECONDS = 0.26

Route = tuple[int, ...]
"""The squares that a capturing piece visits, including the first."""


def routes(state: State, origin: int) -> list[Route]:
    """Every complete capture route of the piece on *origin*."""
    jumps = [step for step in legal_steps(state) if step >> 5 == origin and is_jump(step)]
    found: list[Route] = []
    for step in jumps:
        after, landing = play(state, step), step & 31
        found += [(origin, *route) for route in routes(after, landing)] if after.jumper else [(origin, landing)]
    return found


def jumped_square(origin: int, target: int) -> int:
    """The square captured by a jump from *origin* to *target*."""
    return squares_of(1 << ((bit_of(origin) + bit_of(target)) >> 1))[0]


class Board(PieceBoard):
    """The view of checkers. The numbers are on the squares."""

    styles: Styles = {  # noqa: RUF012
        "board": {"walnut": N_("Walnut"), "blue": N_("Blue and white"), "slate": N_("Slate")},
        "pieces": {"ebony": N_("Ebony and boxwood"), "maple": N_("Walnut and maple"), "flat": N_("Flat")},
    }
    columns = rows = SIDE
    seat_behind = 0
    frame_share, shadow_share = 0.42, 0.16
    coordinates_share = gap_share = 0.0
    smallest_cell_with_coordinates = 40
    score_height = 0.14
    hovered_width = 0.05

    def place_of(self, cell: int) -> tuple[int, int]:
        return printed_place(cell)

    def cell_of(self, column: int, row: int) -> int | None:
        if (column + row) % 2 == 0 or not (0 <= column < SIDE and 0 <= row < SIDE):
            return None
        return 4 * row + column // 2

    def neighbour(self, cell: int, direction: Direction) -> int:
        """Left and right go to the next dark square of the row; up and down zigzag."""
        column, row = self.place_shown(cell)
        if direction in ("left", "right"):
            found = self.cell_shown((column + (2 if direction == "right" else -2), row))
        else:
            row += 1 if direction == "down" else -1
            found = self.cell_shown((column // 2 * 2 + 1 - row % 2, row))
        return cell if found is None else found

    def first_cursor(self, state: State) -> int:
        middle = (SIDE - 1) / 2
        steps = legal_steps(state)
        cells = {step & 31 if state.jumper else step >> 5 for step in steps} or set(range(SQUARES))
        return min(sorted(cells), key=lambda cell: math.dist(printed_place(cell), (middle, middle)))

    def sample(self) -> State:
        return parse("B:W14,21,22,27,28,K6,31,32:B1,3,5,8,11,12,16,K23", {})

    def seat_style(self, state: State, seat: int) -> SeatStyle:
        return stone_style(self.theme, seat == 0, self.theme.seats[seat].shape)

    def duration(self, before: State, step: int, after: State) -> float:
        crowning = CROWN_SECONDS if _is_crowned(before, step) else 0.0
        return (JUMP_SECONDS if is_jump(step) else SLIDE_SECONDS) + crowning

    def cues(self, before: State, step: int, after: State) -> list[Cue]:
        crowning = CROWN_SECONDS if _is_crowned(before, step) else 0.0
        arrives = 1 - crowning / self.duration(before, step, after)
        set_down = Cue("capture" if is_jump(step) else self.material, arrives)
        return [set_down, Cue(self.material)] if crowning else [set_down]

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        self.draw_painted(surface, round(self.cell_size * self.shadow_share))
        moving = picture.moving
        if moving:
            self._draw_moving(surface, moving.before, moving.step, moving.after, moving.progress)
        else:
            self.draw_still(surface, picture)

    def painting(self, margin: int) -> Painting:
        paint, palette, border = self.paint, self._palette, self._border
        around = self.frame.inflate(2 * margin, 2 * margin)
        canvas = Canvas(around.size)
        yield from art.drawing_frame(canvas, (margin, margin, *self.frame.size), border, palette)
        shadow = (margin, margin + border * 0.12, *self.frame.size)
        opacity = min(1.0, 2 * self.theme.shadow)
        ground = yield from shadowed_painting(canvas, shadow, border * 0.4, opacity, max(1.0, margin * 0.4))
        for column in range(SIDE):
            for row in range(SIDE):
                at = (margin + border + column * self.cell_size, margin + border + row * self.cell_size)
                ground.blit(self._square((column + row) % 2 == 1, (column * 3 + row * 5) % art.SQUARE_KINDS), at)
                yield
        for cell in range(SQUARES if self.has_coordinates else 0):
            corner = self.cell_rect(cell).move(-around.x, -around.y).inflate(-paint.theme.px(8), -paint.theme.px(4))
            number, at = str(cell + 1), corner.topleft
            ink = paint.ink_at(ground, number, at, "tiny", palette.number, anchor="topleft")
            paint.text(ground, number, at, "tiny", ink)
            yield
        return ground

    @property
    def _palette(self) -> art.Palette:
        return art.palette_of(self.paint.theme, self.style["board"], self.style["pieces"])

    def _square(self, is_dark: bool, kind: int) -> pygame.Surface:
        side, palette = self.cell_size, self._palette
        draw = partial(art.draw_square, side=side, is_dark=is_dark, kind=kind, palette=palette)
        return self.paint.drawn_picture(("checkers square", is_dark, kind, self.style["board"]), (side, side), draw)

    def _piece(self, seat: int, is_king: bool, is_lifted: bool = False) -> pygame.Surface:
        """The picture of a piece with its shadow, two squares wide, its base in the middle."""
        side, look = self.cell_size, self._palette.discs[seat]
        shape = self.theme.seats[seat].shape
        full = 2 * side
        radius, height = side * art.DISC_RADIUS, side * art.DISC_HEIGHT
        base = (full / 2, full / 2 + height * 0.75)

        def paint() -> Painting:
            canvas = Canvas((full, full))
            if self.style["pieces"] == "flat":
                art.draw_flat(canvas, (full / 2, full / 2), radius, look, None if is_king else shape)
            elif is_king:
                art.draw_king(canvas, base, radius, height, look)
            else:
                art.draw_man(canvas, base, radius, height, look, shape)
            fall = side * (0.16 if is_lifted else 0.04)
            under = (base[0] - radius + fall * 0.5, base[1] - radius + fall, 2 * radius, 2 * radius)
            softness = max(1.0, side * (0.07 if is_lifted else 0.035))
            return shadowed_painting(canvas, under, radius, 0.42, softness)

        return self.paint.pictures.painted(
            ("checkers piece", seat, is_king, is_lifted, shape, side, self.style["pieces"]), paint
        )

    def owners(self, state: State) -> dict[int, int]:
        return {cell: seat for seat, pieces in enumerate((state.black, state.white)) for cell in squares_of(pieces)}

    def piece(self, state: State, cell: int, is_lifted: bool = False) -> pygame.Surface:
        bit = bit_of(cell)
        return self._piece(0 if state.black >> bit & 1 else 1, bool(state.kings >> bit & 1), is_lifted)

    def lifted(self, picture: Picture) -> int | None:
        jumper = picture.state.jumper
        return squares_of(jumper)[0] if jumper else picture.chosen

    def _draw_moving(self, surface: pygame.Surface, before: State, step: int, after: State, progress: float) -> None:
        origin, target = step >> 5, step & 31
        seat, seconds = before.to_move, self.duration(before, step, after)
        is_crowned = _is_crowned(before, step)
        way = min(1.0, progress * seconds / (seconds - (CROWN_SECONDS if is_crowned else 0.0)))
        lifted = self.piece(before, origin, is_lifted=True)
        start, end = self.centre(origin), self.centre(target)
        at = interpolate(start, end, ease_in_out(way))
        resting = before
        if is_jump(step):
            victim = jumped_square(origin, target)
            gone = ~(1 << bit_of(victim))
            resting = before._replace(black=before.black & gone, white=before.white & gone)
            fading = faint_piece(self.piece(before, victim), 1 - max(0.0, way - 0.4) / 0.6)
            put(surface, fading, self.centre(victim))
        self.draw_pieces(surface, resting, without=(origin,))
        if way < 1:
            height = self.cell_size * _HOP * 4 * way * (1 - way)
            put(surface, lifted, (at[0], at[1] - height) if is_jump(step) else self.raised(at, way))
            return
        if is_crowned:
            self._draw_crowning(surface, seat, end, 1 - (1 - progress) * seconds / CROWN_SECONDS)
            return
        put(surface, self.piece(before, origin), end)

    def _draw_crowning(self, surface: pygame.Surface, seat: int, centre: tuple[int, int], progress: float) -> None:
        base = self._piece(seat, is_king=progress >= 1)
        put(surface, base, centre)
        if progress < 1:
            above = (centre[0], centre[1] - round(self.cell_size * 0.5 * (1 - ease_in_out(progress))))
            put(surface, faint_piece(self._piece(seat, is_king=True), progress), above)

    @property
    def radius(self) -> int:
        return max(2, round(self.cell_size * 0.08))

    def draw_last(self, surface: pygame.Surface, cells: Sequence[int]) -> None:
        super().draw_last(surface, cells)
        if len(cells) > 1:
            self._draw_line(surface, cells, self.cell_size * 0.05, self.theme.ink, self.cell_size * 0.09)

    def draw_deciding(self, surface: pygame.Surface, cell: int) -> None:
        gold = with_opacity(self.theme.seats[2].colour, 0.5)
        self.paint.rounded_rect(surface, self.cell_rect(cell), gold, self.radius)

    def hinted(self, picture: Picture) -> Sequence[int]:
        return [*squares_of(picture.state.jumper), *picture.hint] if len(picture.hint) == 1 else picture.hint

    def is_goal(self, state: State, origin: int | None, cell: int) -> bool:
        return origin is not None and _crowns(state, origin, cell)

    def draw_ways(self, surface: pygame.Surface, state: State, origin: int) -> None:
        for route in routes(state, origin):
            if len(route) > 2:
                self._draw_line(surface, route[1:], self.cell_size * 0.06, self.theme.legal)
                for cell in route[2:]:
                    self.paint.disc(surface, self.centre(cell), self.cell_size * 0.075, self.theme.panel)
                    self.paint.disc(surface, self.centre(cell), self.cell_size * 0.055, self.theme.legal)
            self._draw_line(surface, route[:2], self.cell_size * 0.13, self.theme.legal)

    def _draw_line(
        self, surface: pygame.Surface, cells: Sequence[int], width: float, colour: Colour, dash: float = 0.0
    ) -> None:
        """Draw a line through squares, with a seam that is visible on any background."""
        broader = width + 2 * seam_width(self.cell_size)
        points = [self.centre(cell) for cell in cells]
        trail(self.paint, surface, points, (width, colour), (broader, with_opacity(self.theme.panel, 0.75)), dash)

    def draw_targets(self, surface: pygame.Surface, picture: Picture, lifted: int | None) -> None:
        super().draw_targets(surface, picture, lifted)
        if picture.targets and lifted is not None:
            for route in routes(picture.state, lifted):
                for origin, landing in pairwise(route):
                    brackets(self.paint, surface, self.cell_rect(jumped_square(origin, landing)))


def _crowns(state: State, origin: int, target: int) -> bool:
    return not state.kings >> bit_of(origin) & 1 and target // 4 == (SIDE - 1 if state.to_move == 0 else 0)


def _is_crowned(before: State, step: int) -> bool:
    return _crowns(before, step >> 5, step & 31)
