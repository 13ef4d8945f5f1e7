"""Catur Jawa's table: the state, the cards on cells, and lines.

For people a cell is a number, row by row from a1 (0) to i9 (80). In a state, a set of cells is two bitboards: *south*
has rows 1 to 5 and *north* rows 6 to 9. Each row takes ten bits, the tenth always empty, so that no line runs from one
row into the next::

    80 81 82 ... 88 (89)    row 9     places 50 and above are bits 0 and above of the north
    ...
    10 11 12 ... 18 (19)    row 2
     0  1  2 ...  8  (9)    row 1

The number of a bit in this picture is a *place*. The values of cards are in four planes (the binary digits of 1 to 9),
their owners in two (of 0 to 3): a cell without any digit of a value is empty.

A hand is three groups of four bits, lowest card first and 0 for none. A deck is either an order, with the next card in
its lowest four bits, or, where it is hidden, a *bag*: the number of unseen cards of each value, both in the deck and,
as ``HIDDEN``, in the hand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from papan.game.kernel import int64, remembered, state, subroutine
from papan.game.kernel.bits import lowest, popcount

SIZE = 9
CELLS = SIZE * SIZE
CENTRE = CELLS // 2
HIGHEST = 9
COPIES = 2  # of each value in a deck
DECK = HIGHEST * COPIES
HAND = 3
MOST_SEATS = 4
ROW_LENGTH = 4  # wins

STRIDE = SIZE + 1  # bits a row
SOUTH_ROWS = 5
SOUTH_BITS = SOUTH_ROWS * STRIDE
SOUTH_MASK = (1 << SOUTH_BITS) - 1
NORTH_MASK = (1 << ((SIZE - SOUTH_ROWS) * STRIDE)) - 1
BOTTOM_ROW = (1 << SIZE) - 1
SOUTH_CELLS = sum(BOTTOM_ROW << (row * STRIDE) for row in range(SOUTH_ROWS))
NORTH_CELLS = sum(BOTTOM_ROW << (row * STRIDE) for row in range(SIZE - SOUTH_ROWS))
TO_TOP_ROW_OF_SOUTH = SOUTH_BITS - STRIDE
DIRECTIONS = (1, STRIDE, STRIDE - 1, STRIDE + 1)
"""From a place to the next one: along a row, up a column, up to the left, up to the right."""

PLACE_OF_CELL = np.array([cell // SIZE * STRIDE + cell % SIZE for cell in range(CELLS)], np.int64)
CELL_OF_PLACE = np.array([place // STRIDE * SIZE + place % STRIDE for place in range(SIZE * STRIDE)], np.int64)
CENTRE_BIT = 1 << int(PLACE_OF_CELL[CENTRE])

CARD_BITS = 4
CARD_MASK = (1 << CARD_BITS) - 1
HAND_BITS = HAND * CARD_BITS
HAND_MASK = (1 << HAND_BITS) - 1
HIDDEN = CARD_MASK
"""A hidden card in a hand."""
BAG = 1 << (CARD_BITS * (DECK - HAND))
"""Set in a deck that is a bag; two bits for each value count its unseen cards."""
COUNT_BITS = 2
SINGLE_COUNTS = sum(1 << (COUNT_BITS * value) for value in range(HIGHEST))


@state
class State(NamedTuple):
    """The cards on the table, in hands and in decks."""

    ones_south: int64
    """Places of cards whose value is odd; the next ones are its binary digits 2, 4 and 8."""
    ones_north: int64
    twos_south: int64
    twos_north: int64
    fours_south: int64
    fours_north: int64
    eights_south: int64
    eights_north: int64
    odd_south: int64
    """Places of cards of seats 1 and 3."""
    odd_north: int64
    late_south: int64
    """Places of cards of seats 2 and 3."""
    late_north: int64
    hands: int64
    """Twelve bits a seat, seat 0 lowest."""
    deck_0: int64
    deck_1: int64
    deck_2: int64
    deck_3: int64
    to_move: int64
    """The seat to play a card."""
    seats: int64
    """The number of seats: 2 to 4."""

    def __repr__(self) -> str:
        """The state without hands and decks: the text of an error may be shown and sent to others."""
        return f"State({', '.join(f'{name}={getattr(self, name)}' for name in self._fields if name not in _UNTOLD)}, …)"


_UNTOLD = ("hands", "deck_0", "deck_1", "deck_2", "deck_3")


# --------------------------------------------------------------------------------------- the board


@subroutine
def taken_places(state: State) -> tuple[int, int]:
    """The places with a card."""
    return (
        state.ones_south | state.twos_south | state.fours_south | state.eights_south,
        state.ones_north | state.twos_north | state.fours_north | state.eights_north,
    )


@subroutine
def cards_of(state: State, seat: int) -> tuple[int, int]:
    """The places with a card of *seat*."""
    south, north = taken_places(state)
    not_odd, not_late = (seat & 1) - 1, (seat >> 1) - 1  # all bits or none
    return south & (state.odd_south ^ not_odd) & (state.late_south ^ not_late), north & (state.odd_north ^ not_odd) & (
        state.late_north ^ not_late
    )


@remembered
def lower_than(ones: int, twos: int, fours: int, eights: int, value: int) -> int:
    """The places, in one half of the board, whose value is lower than *value*; an empty place's is 0."""
    lower, equal = 0, -1
    for plane, digit in ((eights, value >> 3), (fours, value >> 2), (twos, value >> 1), (ones, value)):
        wanted = -(digit & 1)  # all bits or none
        lower |= equal & wanted & ~plane
        equal &= ~(wanted ^ plane)
    return lower


@subroutine
def lower_cards(state: State, value: int) -> tuple[int, int]:
    """The places with a card lower than *value*."""
    south, north = taken_places(state)
    return (
        south & lower_than(state.ones_south, state.twos_south, state.fours_south, state.eights_south, value),
        north & lower_than(state.ones_north, state.twos_north, state.fours_north, state.eights_north, value),
    )


@subroutine
def free_places(state: State) -> tuple[int, int]:
    """The empty places in reach: next to a card or, before the first one, the centre (the paper's v = 1)."""
    south, north = taken_places(state)
    if south == 0 and north == 0:
        return CENTRE_BIT, 0
    wide_south = south | south << 1 | south >> 1
    wide_north = north | north << 1 | north >> 1
    grown_south = wide_south | wide_south << STRIDE | wide_south >> STRIDE | wide_north << TO_TOP_ROW_OF_SOUTH
    grown_north = wide_north | wide_north << STRIDE | wide_north >> STRIDE | wide_south >> TO_TOP_ROW_OF_SOUTH
    return grown_south & SOUTH_CELLS & ~south, grown_north & NORTH_CELLS & ~north


@subroutine
def targets_of(state: State, seat: int, value: int) -> tuple[int, int]:
    """The places where *seat* may play a card of *value*."""
    free_south, free_north = free_places(state)
    own_south, own_north = cards_of(state, seat)
    low_south, low_north = lower_cards(state, value)
    return free_south | low_south & ~own_south, free_north | low_north & ~own_north


@subroutine
def open_with(state: State, seat: int, card: int) -> tuple[int, int]:
    """The places that are empty, or have another seat's card lower than *card*."""
    own = cards_of(state, seat)
    full = taken_places(state)
    low = lower_cards(state, card)
    return (low[0] & ~own[0] | ~full[0]) & SOUTH_CELLS, (low[1] & ~own[1] | ~full[1]) & NORTH_CELLS


@subroutine
def is_in(south: int, north: int, place: int) -> bool:
    """Whether *place* is in a set of places; places off the board are not."""
    if place < SOUTH_BITS:
        return place >= 0 and (south >> place & 1) != 0
    return (north >> (place - SOUTH_BITS) & 1) != 0


@subroutine
def value_at(state: State, place: int) -> int:
    """The value of the card on *place* (the paper's n), 0 for none."""
    if place < SOUTH_BITS:
        return (
            (state.ones_south >> place & 1)
            | (state.twos_south >> place & 1) << 1
            | (state.fours_south >> place & 1) << 2
            | (state.eights_south >> place & 1) << 3
        )
    bit = place - SOUTH_BITS
    return (
        (state.ones_north >> bit & 1)
        | (state.twos_north >> bit & 1) << 1
        | (state.fours_north >> bit & 1) << 2
        | (state.eights_north >> bit & 1) << 3
    )


@subroutine
def owner_at(state: State, place: int) -> int:
    """The seat of the card on *place*; -1 for none."""
    if value_at(state, place) == 0:
        return -1
    odd = 1 if is_in(state.odd_south, state.odd_north, place) else 0
    return odd + (2 if is_in(state.late_south, state.late_north, place) else 0)


# ------------------------------------------------------------------------------------------- lines


@subroutine
def back(south: int, north: int, by: int) -> tuple[int, int]:
    """All places of a set moved down by *by*, at most three times a direction: bits come from the places ahead."""
    return (south >> by | north << (SOUTH_BITS - by)) & SOUTH_MASK, north >> by


@subroutine
def onward(south: int, north: int, by: int) -> tuple[int, int]:
    """All places of a set moved up by *by*: bits come from the places behind."""
    return south << by & SOUTH_MASK, (north << by | south >> (SOUTH_BITS - by)) & NORTH_MASK


@remembered
def four_in_a_row(south: int, north: int) -> bool:
    """Whether a set of places holds four in a row, in any direction."""
    for step in DIRECTIONS:
        next_south, next_north = back(south, north, step)
        pairs_south, pairs_north = south & next_south, north & next_north
        far_south, far_north = back(pairs_south, pairs_north, 2 * step)
        if (pairs_south & far_south) | (pairs_north & far_north):
            return True
    return False


@remembered
def completing(south: int, north: int) -> tuple[int, int]:
    """The places that would make four in a row with a set of places: free ones, taken ones, and some of the set."""
    found_south, found_north = 0, 0
    for step in DIRECTIONS:
        south_1, north_1 = back(south, north, step)
        south_2, north_2 = back(south, north, 2 * step)
        south_3, north_3 = back(south, north, 3 * step)
        south_a, north_a = onward(south, north, step)
        south_b, north_b = onward(south, north, 2 * step)
        south_c, north_c = onward(south, north, 3 * step)
        found_south |= south_1 & south_2 & (south_3 | south_a) | south_a & south_b & (south_1 | south_c)
        found_north |= north_1 & north_2 & (north_3 | north_a) | north_a & north_b & (north_1 | north_c)
    return found_south & SOUTH_CELLS, found_north & NORTH_CELLS


@subroutine
def best_line(state: State, seat: int) -> int:
    """The highest sum of values of adjacent cards of *seat* in one line, or of a single card."""
    south, north = cards_of(state, seat)
    best = 0
    for half in range(2):
        left = south if half == 0 else north
        while left:
            start = lowest(left) + half * SOUTH_BITS
            left &= left - 1
            for step in DIRECTIONS:
                if is_in(south, north, start - step):
                    continue
                total = 0
                place = start
                while is_in(south, north, place):
                    total += value_at(state, place)
                    place += step
                best = max(best, total)
    return best


# ------------------------------------------------------------------------------------- hands and decks


@subroutine
def hand_of(state: State, seat: int) -> int:
    """The hand of *seat*: cards of four bits, the lowest first, 0 for none."""
    return state.hands >> (HAND_BITS * seat) & HAND_MASK


@subroutine
def deck_of(state: State, seat: int) -> int:
    """The deck of *seat*, an order or a bag."""
    if seat == 0:
        return state.deck_0
    if seat == 1:
        return state.deck_1
    return state.deck_2 if seat == 2 else state.deck_3


@subroutine
def with_cards(state: State, seat: int, hand: int, deck: int) -> State:
    """*state* with another hand and another deck of *seat*."""
    return state._replace(
        hands=state.hands & ~(HAND_MASK << (HAND_BITS * seat)) | hand << (HAND_BITS * seat),
        deck_0=deck if seat == 0 else state.deck_0,
        deck_1=deck if seat == 1 else state.deck_1,
        deck_2=deck if seat == 2 else state.deck_2,
        deck_3=deck if seat == 3 else state.deck_3,
    )


@subroutine
def with_bit(plane: int, bit: int, digit: int) -> int:
    """A plane with its *bit* set or not, by the lowest bit of *digit*; unchanged if *bit* is 0."""
    return plane & ~bit | bit & -(digit & 1)


@subroutine
def with_card(state: State, seat: int, value: int, place: int) -> State:
    """*state* with a card of *seat* laid on *place*, and the next seat to move."""
    south = 1 << place if place < SOUTH_BITS else 0
    north = 1 << (place - SOUTH_BITS) if place >= SOUTH_BITS else 0
    return state._replace(
        ones_south=with_bit(state.ones_south, south, value),
        ones_north=with_bit(state.ones_north, north, value),
        twos_south=with_bit(state.twos_south, south, value >> 1),
        twos_north=with_bit(state.twos_north, north, value >> 1),
        fours_south=with_bit(state.fours_south, south, value >> 2),
        fours_north=with_bit(state.fours_north, north, value >> 2),
        eights_south=with_bit(state.eights_south, south, value >> 3),
        eights_north=with_bit(state.eights_north, north, value >> 3),
        odd_south=with_bit(state.odd_south, south, seat),
        odd_north=with_bit(state.odd_north, north, seat),
        late_south=with_bit(state.late_south, south, seat >> 1),
        late_north=with_bit(state.late_north, north, seat >> 1),
        to_move=0 if seat + 1 == state.seats else seat + 1,
    )


@subroutine
def hand_without(hand: int, card: int) -> int:
    """*hand* without one *card*."""
    for index in range(HAND):
        if hand >> (CARD_BITS * index) & CARD_MASK == card:
            lower = hand & ((1 << (CARD_BITS * index)) - 1)
            return lower | hand >> (CARD_BITS * (index + 1)) << (CARD_BITS * index)
    return hand


@subroutine
def hand_with(hand: int, card: int) -> int:
    """*hand*, which has room, with *card* in its place by value."""
    at = 0
    while at < HAND - 1 and 0 < hand >> at * CARD_BITS & CARD_MASK <= card:
        at += 1
    lower = hand & ((1 << (CARD_BITS * at)) - 1)
    return lower | card << (CARD_BITS * at) | hand >> (CARD_BITS * at) << (CARD_BITS * (at + 1))


@remembered
def highest_of(cards: int) -> int:
    """The highest open card of *cards*, a hand or an ordered deck; 0 for none."""
    highest = 0
    while cards:
        card = cards & CARD_MASK
        cards >>= CARD_BITS
        if card != HIDDEN:
            highest = max(highest, card)
    return highest


@subroutine
def hidden_in(hand: int) -> int:
    """The number of hidden cards in *hand*."""
    hidden = 0
    for index in range(HAND):
        if hand >> (CARD_BITS * index) & CARD_MASK == HIDDEN:
            hidden += 1
    return hidden


@subroutine
def hand_size(hand: int) -> int:
    """The number of cards in *hand*, open or hidden."""
    size = 0
    while hand:
        size += 1
        hand >>= CARD_BITS
    return size


@subroutine
def bag_size(bag: int) -> int:
    """The number of cards in a bag."""
    return popcount(bag & SINGLE_COUNTS) + 2 * popcount(bag & SINGLE_COUNTS << 1)


@subroutine
def deck_size(deck: int, hand: int) -> int:
    """The number of cards in *deck*; a bag includes the hidden cards of *hand*, which are subtracted."""
    if deck & BAG:
        return bag_size(deck) - hidden_in(hand)
    size = 0
    while deck:
        size += 1
        deck >>= CARD_BITS
    return size


@subroutine
def cards_left(state: State, seat: int) -> int:
    """The number of cards that *seat* still has, in hand and deck."""
    hand = hand_of(state, seat)
    return hand_size(hand) + deck_size(deck_of(state, seat), hand)


# --------------------------------------------------------------------------------------- for people


def place_of(cell: int) -> int:
    """The place of a cell.

    >>> place_of(80)
    88
    """
    return int(PLACE_OF_CELL[cell])


def cells_of(places: tuple[int, int]) -> list[int]:
    """The cells of a set of places, in rising order."""
    return [cell for cell in range(CELLS) if is_in(*places, place_of(cell))]


def cell_name(cell: int) -> str:
    """Column and row of *cell*.

    >>> cell_name(40)
    'e5'
    """
    return "abcdefghi"[cell % SIZE] + str(cell // SIZE + 1)


def hand_cards(state: State, seat: int) -> list[int]:
    """The cards in the hand of *seat*, lowest first; HIDDEN for hidden ones."""
    hand = hand_of(state, seat)
    return [hand >> (CARD_BITS * index) & CARD_MASK for index in range(hand_size(hand))]


def deck_cards(state: State, seat: int) -> list[int]:
    """The deck of *seat*, the next card first; HIDDEN for each card of a bag."""
    hand, deck = hand_of(state, seat), deck_of(state, seat)
    size = deck_size(deck, hand)
    if deck & BAG:
        return [HIDDEN] * size
    return [deck >> (CARD_BITS * index) & CARD_MASK for index in range(size)]


def lines_of(state: State, seat: int) -> list[list[int]]:
    """Every longest line of adjacent cards of *seat* as cells in order, of two cards at least."""
    places = cards_of(state, seat)
    lines = []
    for cell in cells_of(places):
        for step in DIRECTIONS:
            if is_in(*places, place_of(cell) - step):
                continue
            line = []
            place = place_of(cell)
            while is_in(*places, place):
                line.append(int(CELL_OF_PLACE[place]))
                place += step
            if len(line) > 1:
                lines.append(line)
    return lines
