"""The board of Catur Jawa: cards on a wooden board, and the hands next to it.

The visible hand is open in a tray at the lower right, equal cards behind each other; other hands are drawn face down,
even if the state contains them. A small pile with a number is a deck. ``cards`` draws the cards.
"""

from __future__ import annotations

import pygame

from papan.game.rules import is_over, mover
from papan.game.rules.catur_jawa import cells as cells_of_step
from papan.game.rules.catur_jawa import deciding_lines, parse
from papan.game.rules.catur_jawa.board import (
    CELLS,
    CENTRE,
    HAND,
    HIDDEN,
    ROW_LENGTH,
    SIZE,
    State,
    deck_cards,
    hand_cards,
    owner_at,
    value_at,
)
from papan.game.rules.catur_jawa.board import place_of as bit_of
from papan.ui.boards import Direction, Moving, Picture
from papan.ui.boards.bases.cells import SquareBoard
from papan.ui.boards.catur_jawa.cards import card_back, card_face, chosen_ring, line_through, pile
from papan.ui.drawing import marks
from papan.ui.drawing.materials import wooden_frame
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.pieces import GHOST_OPACITY, ease_in_out, faint_piece, interpolate, put
from papan.ui.drawing.theme import Colour, with_opacity

SECONDS = 0.36

# All lengths are shares of a cell.
_GAP = 0.45  # between the board and the hands
_HANDS_WIDTH = 4.3
_NARROW_HANDS_WIDTH = 3.2
"""The least width of the hands: they shrink to it before the board shrinks."""
_CARD = (1.14, 1.5)
_CARD_PITCH = 1.36
_TRAY = 0.13  # the rim of the tray
_PANEL_HEIGHT = _CARD[1] + 0.5
_BACK = (0.62, 0.82)
_BACK_PITCH = 0.72
_ROW = 1.12
_LIFT, _HOVER_LIFT = 0.16, 0.06
_CHOICE_WIDTH, _CHOICE_HEIGHT = 0.55, 0.09
"""The bar below a legal card: shares of the card's width and of the hand's unit."""
_FAN = 0.38  # from a card to the right, to the equal one behind it
_SMALLEST_CELL_WITH_COORDINATES = 22
"""In design pixels."""
_OTHERS_VEILED = 0.5
"""The opacity of the board's colour over cards that did not decide the game."""


class Board(SquareBoard):
    columns = rows = SIZE
    material = "card"

    def __init__(self, paint: Painter) -> None:
        super().__init__(paint)
        self.has_hands = False
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._rows_top = (0, 0)
        self._hand_unit = 1.0  # the unit of lengths in hands, in pixels

    def layout(self, area: pygame.Rect) -> None:
        """Fill *area* with the board, its coordinates and, unless it is still, the hands on its right."""
        self.has_hands = not self.is_still
        if self.is_still:
            super().layout(area)
            return
        self.area = area.copy()
        board = SIZE + 2 * self.frame_share
        beside = self.coordinates_share
        wide, high = board + _GAP + _NARROW_HANDS_WIDTH, board
        with_coordinates = min(area.w / (wide + beside), area.h / (high + beside))
        self.has_coordinates = self.has_room_for_coordinates(with_coordinates, _SMALLEST_CELL_WITH_COORDINATES)
        side = with_coordinates if self.has_coordinates else min(area.w / wide, area.h / high)
        side = max(4, int(side))
        border, margin = round(side * self.frame_share), round(side * beside) if self.has_coordinates else 0
        square = SIZE * side + 2 * border
        taken = margin + square + round(side * _GAP)
        hands = max(round(side * _NARROW_HANDS_WIDTH), min(round(side * _HANDS_WIDTH), area.w - taken))
        self._hand_unit = hands / _HANDS_WIDTH
        left, top = max(0, (area.w - taken - hands) // 2), max(0, (area.h - square - margin) // 2)
        self.settle(side, border, max(1, round(side * self.gap_share)), (area.x + margin + left, area.y + top))
        left = self.frame.right + round(side * _GAP)
        height = round(self._hand_unit * _PANEL_HEIGHT)
        self._panel = pygame.Rect(left, self.frame.bottom - height, hands, height)
        self._rows_top = left, self.frame.top

    def _slot(self, index: int) -> pygame.Rect:
        unit = self._hand_unit
        width, height = round(_CARD[0] * unit), round(_CARD[1] * unit)
        left = self._panel.centerx - round((HAND - 1) / 2 * _CARD_PITCH * unit) - width // 2
        top = self._panel.bottom - round(0.24 * unit) - height
        return pygame.Rect(left + round(index * _CARD_PITCH * unit), top, width, height)

    def cell_at(self, point: tuple[int, int]) -> int | None:
        cell = super().cell_at(point)
        if cell is None and self.has_hands:
            lift = round(_LIFT * self._hand_unit)
            for index in range(HAND):
                slot = self._slot(index)
                if slot.union(slot.move(0, -lift)).collidepoint(point):
                    return CELLS + index
        return cell

    def cell_rect(self, cell: int) -> pygame.Rect:
        return super().cell_rect(cell) if cell < CELLS else self._slot(cell - CELLS)

    def neighbour(self, cell: int, direction: Direction) -> int:
        """As on other boards; the hand is to the right of the board."""
        if cell >= CELLS:
            if direction == "left" and cell == CELLS:
                beside = self.cell_shown((SIZE - 1, SIZE - 2))
                return cell if beside is None else beside
            return min(max(cell + {"left": -1, "right": 1}.get(direction, 0), CELLS), CELLS + HAND - 1)
        if direction == "right" and self.place_shown(cell)[0] == SIZE - 1 and self.has_hands:
            return CELLS
        return super().neighbour(cell, direction)

    def is_place(self, cell: int) -> bool:
        return cell < CELLS

    def first_cursor(self, state: State) -> int:
        return CELLS if self.has_hands and not self.is_edited else CENTRE

    def sample(self) -> State:
        return parse(_SAMPLE, {})

    def duration(self, before: State, step: int, after: State) -> float:
        return SECONDS

    def draw(self, surface: pygame.Surface, picture: Picture) -> None:
        state: State = picture.state
        self.draw_board(surface)
        self.draw_cells(surface)
        open_seat = self._open_seat(state)
        if picture.moving:
            self._draw_cards(surface, state)
            self._draw_hands(surface, picture, open_seat)
            self._draw_moving(surface, picture.moving, open_seat)
            return
        lines = deciding_lines(state) if is_over(state) else []
        self._draw_cards(surface, state, lines)
        self._draw_marks(surface, picture)
        self._draw_lines(surface, state, lines)
        self._draw_hands(surface, picture, open_seat)
        if picture.cursor is not None and (picture.cursor < CELLS or self.has_hands):
            marks.cursor_ring(self.paint, surface, self._around(picture.cursor), self.radius + self._gap)

    def _around(self, cell: int) -> pygame.Rect:
        return self.cell_rect(cell).inflate(2 * self._gap, 2 * self._gap)

    def cell_colour(self, cell: int) -> Colour:
        wood = self.theme.wood
        return wood.other_cell if cell == CENTRE else wood.cell

    def _card_rect(self, cell: int) -> pygame.Rect:
        return self.cell_rect(cell).inflate(-self._gap, -self._gap)

    def _face(self, seat: int, value: int, size: tuple[int, int], is_lifted: bool = False) -> pygame.Surface:
        return card_face(self.paint, self.theme.seats[seat], value, size, is_lifted)

    def _draw_cards(self, surface: pygame.Surface, state: State, lines: list[list[int]] | None = None) -> None:
        """Draw the cards on the board; those that did not decide a finished game are dimmed."""
        deciding = {cell for line in lines or () for cell in line}
        for cell in range(CELLS):
            bit = bit_of(cell)
            value = value_at(state, bit)
            if value:
                rect = self._card_rect(cell)
                put(surface, self._face(owner_at(state, bit), value, rect.size), rect.center)
                if deciding and cell not in deciding:
                    veil = with_opacity(self.theme.wood.cell, _OTHERS_VEILED)
                    self.paint.rounded_rect(surface, self.cell_rect(cell), veil, self.radius)

    def _draw_marks(self, surface: pygame.Surface, picture: Picture) -> None:
        state: State = picture.state
        for cell in picture.last:
            if cell < CELLS and not is_over(state):
                marks.last_outline(self.paint, surface, self.cell_rect(cell), self.radius)
        for cell in picture.targets:
            if cell < CELLS:
                if value_at(state, bit_of(cell)):
                    marks.legal_outline(self.paint, surface, self._around(cell).inflate(-2, -2), self.radius)
                else:
                    marks.legal_dot(self.paint, surface, self.cell_rect(cell))
        for cell in picture.hint:
            if cell < CELLS:
                marks.hint_outline(self.paint, surface, self.cell_rect(cell), self.radius)
        if picture.hover in picture.targets and picture.hover < CELLS:
            self._draw_hovered(surface, picture, picture.hover)
        for cell, text in picture.marks.items():
            if cell < CELLS:
                rect = self.cell_rect(cell)
                low = rect.bottom - round(rect.h * 0.12)
                at = (rect.centerx, low if value_at(state, bit_of(cell)) else rect.centery)
                marks.text_mark(self.paint, surface, at, text, self.cell_size)

    def _draw_hovered(self, surface: pygame.Surface, picture: Picture, cell: int) -> None:
        state: State = picture.state
        marks.hovered_cell(self.paint, surface, self.cell_rect(cell), self.radius)
        if picture.chosen is None:
            return
        chosen = _values(state, mover(state))[picture.chosen - CELLS :][:1]
        for value in chosen:
            rect = self._card_rect(cell)
            put(surface, faint_piece(self._face(mover(state), value, rect.size), GHOST_OPACITY), rect.center)

    def _draw_lines(self, surface: pygame.Surface, state: State, lines: list[list[int]]) -> None:
        """Draw what decided a finished game: a line around the cards and, unless it is four in a row, their sum."""
        for line in lines:
            rects = [self.cell_rect(cell) for cell in line]
            line_through(self.paint, surface, [rect.center for rect in rects], self.cell_size)
            if len(line) < ROW_LENGTH:
                total = sum(value_at(state, bit_of(cell)) for cell in line)
                right = max(rects, key=lambda rect: rect.x)
                left = min(rects, key=lambda rect: rect.x)
                has_room = right.right + self.cell_size < self.frame.right
                beside = right.move(self.cell_size, 0) if has_room else left.move(-self.cell_size, 0)
                marks.text_mark(self.paint, surface, beside.center, f"= {total}")

    def _open_seat(self, state: State) -> int | None:
        """The seat whose hand is open: the only person's, or the visible one; the first if all are visible."""
        if self.seat_in_front is not None:
            return self.seat_in_front
        if self.shows_all_hands:
            return 0
        visible = [seat for seat in range(state.seats) if _values(state, seat)]
        seat = mover(state)
        return seat if seat in visible else next(iter(visible), None)

    def _draw_hands(self, surface: pygame.Surface, picture: Picture, open_seat: int | None) -> None:
        if not self.has_hands:
            return
        state: State = picture.state
        others = [seat for seat in range(state.seats) if seat != open_seat]
        for row, seat in enumerate(others):
            backs, hand = self._backs(state, seat, row), hand_cards(state, seat)
            if picture.moving and seat == mover(picture.moving.before):
                backs.pop()
                hand.remove(picture.moving.step >> 7 if HIDDEN not in hand else HIDDEN)
            for value, rect in zip(hand, backs, strict=True):
                put(surface, self._small_card(seat, value if self.shows_all_hands else HIDDEN, rect.size), rect.center)
            self._draw_deck(surface, state, seat, self._row_rect(row))
        if open_seat is not None:
            self._draw_open_hand(surface, picture, open_seat)

    def _small_card(self, seat: int, value: int, size: tuple[int, int]) -> pygame.Surface:
        return card_back(self.paint, self.theme.seats[seat], size) if value == HIDDEN else self._face(seat, value, size)

    def _row_rect(self, row: int) -> pygame.Rect:
        """The rectangle of the deck in a *row*, one for each other seat."""
        unit = self._hand_unit
        left, top = self._rows_top
        return pygame.Rect(left, top + round(row * _ROW * unit), round(_BACK[0] * unit), round(_BACK[1] * unit))

    def _backs(self, state: State, seat: int, row: int) -> list[pygame.Rect]:
        deck = self._row_rect(row)
        pitch = self._hand_unit * _BACK_PITCH
        return [deck.move(round(self._hand_unit + index * pitch), 0) for index in range(len(hand_cards(state, seat)))]

    def _draw_deck(self, surface: pygame.Surface, state: State, seat: int, rect: pygame.Rect) -> None:
        pile(self.paint, surface, rect, self.theme.seats[seat], len(deck_cards(state, seat)))

    def _draw_open_hand(self, surface: pygame.Surface, picture: Picture, seat: int) -> None:
        state: State = picture.state
        paint, side, style = self.paint, self._hand_unit, self.theme.seats[seat]
        wooden_frame(paint, surface, self._panel, max(2, round(side * _TRAY)))
        deck = self._row_rect(0)
        deck.bottom = self._panel.top - round(0.3 * side)
        self._draw_deck(surface, state, seat, deck)
        values = _values(state, seat)
        hand = hand_cards(state, seat)
        if not values:
            for index in range(len(hand)):
                put(surface, card_back(paint, style, self._slot(index).size), self._slot(index).center)
            return
        is_to_act = seat == mover(state) and picture.moving is None
        moving = picture.moving
        played = moving.step >> 7 if moving is not None and seat == mover(moving.before) else None
        for index, value in enumerate(values):
            cell = CELLS + index
            copies = hand.count(value) - (value == played)
            self._draw_slot(surface, picture, cell, copies, self._face(seat, value, self._slot(index).size), is_to_act)

    def _draw_slot(
        self, surface: pygame.Surface, picture: Picture, cell: int, copies: int, face: pygame.Surface, is_to_act: bool
    ) -> None:
        side = self._hand_unit
        rect = self.cell_rect(cell)
        is_chosen = is_to_act and picture.chosen == cell
        can_be_chosen = is_to_act and cell in picture.targets
        for copy in range(copies - 1, -1, -1):
            card = rect.move(round(copy * _FAN * side), 0)
            if copy == 0 and is_chosen:
                card.y -= round(_LIFT * side)
                card.move_ip(picture.carried)
                chosen_ring(self.paint, surface, card, round(side))
            elif copy == 0 and can_be_chosen and picture.hover == cell:
                card.y -= round(_HOVER_LIFT * side)
            put(surface, face, card.center)
            if copy == 0 and cell in picture.hint and is_to_act:
                marks.hint_outline(self.paint, surface, card, self.radius)
        if can_be_chosen and cell in picture.marks:
            middle = (rect.centerx, rect.bottom - round(0.02 * side))
            marks.text_mark(self.paint, surface, middle, picture.marks[cell], round(rect.w * 0.7))
        elif can_be_chosen and not is_chosen:
            bar = pygame.Rect(0, 0, round(_CHOICE_WIDTH * rect.w), max(4, round(_CHOICE_HEIGHT * side)))
            bar.center = rect.centerx, self._panel.bottom - round(0.1 * side)
            self.paint.rounded_rect(surface, bar, self.theme.legal, bar.h // 2)

    def _draw_moving(self, surface: pygame.Surface, moving: Moving, open_seat: int | None) -> None:
        """Draw the card moving from the hand to its cell; one from a hidden hand turns over."""
        before: State = moving.before
        seat = mover(before)
        value, cell = moving.step >> 7, moving.step & 127
        share = ease_in_out(moving.progress)
        target = self._card_rect(cell)
        source, turns = self._source(before, moving.step, seat, open_seat)
        centre = interpolate(source.center, target.center, share)
        width, height = interpolate(source.size, target.size, share)
        rect = pygame.Rect(0, 0, max(2, round(width)), max(2, round(height)))
        rect.center = round(centre[0]), round(centre[1])
        if share >= 0.5:
            card, drawn_for = self._face(seat, value, target.size, is_lifted=True), target
        elif turns:
            card, drawn_for = card_back(self.paint, self.theme.seats[seat], source.size), source
        else:
            card, drawn_for = self._face(seat, value, source.size, is_lifted=True), source
        across = rect.w / drawn_for.w * (abs(1 - 2 * share) if turns else 1.0)
        scaled = max(1, round(card.get_width() * across)), max(1, round(card.get_height() * rect.h / drawn_for.h))
        shown = pygame.transform.smoothscale(card, scaled)
        surface.blit(shown, shown.get_rect(center=rect.center))

    def _source(self, before: State, step: int, seat: int, open_seat: int | None) -> tuple[pygame.Rect, bool]:
        """The rectangle that the card of *step* came from, and whether it was face down."""
        if not self.has_hands:
            return self._card_rect(step & 127), False
        if seat == open_seat and _values(before, seat):
            slot = cells_of_step(before, step)[0]
            return self.cell_rect(slot).move(0, -round(_LIFT * self._hand_unit)), False
        row = [other for other in range(before.seats) if other != open_seat].index(seat) if seat != open_seat else 0
        return self._backs(before, seat, row)[-1], not self.shows_all_hands


_SAMPLE = (
    "........./........./.....p5.../...b4g8p2.../....r7r5r6../...b9g6g3.../........./........./........."
    " 1 388,147,258,369 112234456799,122345567899,112345667789,123445677889"
)


def _values(state: State, seat: int) -> list[int]:
    return sorted(set(hand_cards(state, seat)) - {HIDDEN})
