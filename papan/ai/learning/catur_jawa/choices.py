"""What marks a step in Catur Jawa: what its cell is to either side, and which card is spent on it.

A *line* is a window of four cells in a row that a seat could still make its own: each cell has its card, or is *open*
to it. What lines of two and of three cards a cell is part of says how good it is to have, and to take.
"""

from __future__ import annotations

from typing import Any

from papan.ai.learning.views import MARKS, Choices, write_marks
from papan.game.kernel import subroutine
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK
from papan.game.rules.catur_jawa.board import (
    CARD_MASK,
    DECK,
    DIRECTIONS,
    HIGHEST,
    MOST_SEATS,
    PLACE_OF_CELL,
    State,
    back,
    cards_left,
    cards_of,
    deck_of,
    hand_of,
    highest_of,
    is_in,
    lower_cards,
    onward,
    open_with,
    value_at,
)

THREE, TWICE, TWO, NEAR, FAR = 4, 3, 2, 1, 0
"""What a cell is to a seat: part of a line of three cards, of lines of two in several directions, of one of them,
beside a card, or none of these."""
ROLES = THREE + 1
RANKS = 3  # a card is the lowest in hand, the highest, or neither
REACHES = 3  # whether it can be covered from a hand, only from a deck, or never
PHASE = 3  # cards
PHASES = DECK // PHASE + 1
CARDS = HIGHEST + 1
LEVELS = 3  # of a cell among cards that can't be covered: part of three, of two, neither

_CELLS = ROLES * ROLES * 2 * RANKS * REACHES * 2
_PRICES = CARDS * CARDS
_TIMES = PHASES * CARDS * 2
_FIRMNESS = LEVELS * REACHES * 2
PRICES, TIMES, FIRMNESS = _CELLS, _CELLS + _PRICES, _CELLS + _PRICES + _TIMES
"""Where the marks of each part begin, those of cells being the first."""
ENTRIES = FIRMNESS + _FIRMNESS
CHOICES = Choices("catur-jawa 1", (MOST_SEATS - 1) * ENTRIES)

Places = tuple[int, int]


@subroutine
def spread(south: int, north: int, step: int) -> Places:
    """The places of all windows of four in the direction *step* that begin at one of a set of places."""
    south_1, north_1 = onward(south, north, step)
    south, north = south | south_1, north | north_1
    south_2, north_2 = onward(south, north, 2 * step)
    return south | south_2, north | north_2


@subroutine
def lines_of(own: Places, free: Places) -> tuple[Places, Places, Places]:
    """The places of lines of two cards, of those in several directions, and of lines of three or more.

    :param own: where a seat's cards lie; *free*, where it could lay one.
    """
    once_south, once_north, twice_south, twice_north, three_south, three_north = 0, 0, 0, 0, 0, 0
    fit_south, fit_north = own[0] | free[0], own[1] | free[1]
    for step in DIRECTIONS:
        next_south, next_north = back(fit_south, fit_north, step)
        pair_south, pair_north = fit_south & next_south, fit_north & next_north
        far_south, far_north = back(pair_south, pair_north, 2 * step)
        line_south, line_north = pair_south & far_south, pair_north & far_north
        if line_south | line_north == 0:
            continue
        next_south, next_north = back(own[0], own[1], step)
        both_south, both_north = own[0] & next_south, own[1] & next_north
        one_south, one_north = own[0] ^ next_south, own[1] ^ next_north
        both_after = back(both_south, both_north, 2 * step)
        one_after = back(one_south, one_north, 2 * step)
        full_south = both_south & (one_after[0] | both_after[0]) | one_south & both_after[0]
        full_north = both_north & (one_after[1] | both_after[1]) | one_north & both_after[1]
        found = spread(line_south & full_south, line_north & full_north, step)
        three_south, three_north = three_south | found[0], three_north | found[1]
        two_south = both_south & ~one_after[0] & ~both_after[0] | one_south & one_after[0]
        two_north = both_north & ~one_after[1] & ~both_after[1] | one_north & one_after[1]
        two_south |= both_after[0] & ~one_south & ~both_south
        two_north |= both_after[1] & ~one_north & ~both_north
        found = spread(line_south & two_south, line_north & two_north, step)
        twice_south, twice_north = twice_south | once_south & found[0], twice_north | once_north & found[1]
        once_south, once_north = once_south | found[0], once_north | found[1]
    return (once_south, once_north), (twice_south, twice_north), (three_south, three_north)


@subroutine
def beside(south: int, north: int) -> Places:
    """The places beside those of a set, and these too."""
    wide = onward(south, north, 1)
    narrow = back(south, north, 1)
    south, north = south | wide[0] | narrow[0], north | wide[1] | narrow[1]
    up, down = onward(south, north, DIRECTIONS[1]), back(south, north, DIRECTIONS[1])
    return south | up[0] | down[0], north | up[1] | down[1]


@subroutine
def role_of(place: int, lines: tuple[Places, Places, Places], near: Places) -> int:
    """What *place* is to a seat with these *lines*, beside whose cards are the places *near*."""
    if is_in(lines[2][0], lines[2][1], place):
        return THREE
    if is_in(lines[1][0], lines[1][1], place):
        return TWICE
    if is_in(lines[0][0], lines[0][1], place):
        return TWO
    return NEAR if is_in(near[0], near[1], place) else FAR


@write_marks.of(State)
def _write_marks(state: State, buffer: Any, end: int, marks: Any) -> None:
    seat = state.to_move
    hand = hand_of(state, seat)
    lowest_card, highest_card = hand & CARD_MASK, highest_of(hand)
    in_hands, in_decks = 0, 0
    others, twos, twices, threes = (0, 0), (0, 0), (0, 0), (0, 0)
    for other in range(state.seats):
        if other == seat:
            continue
        card = highest_of(hand_of(state, other))
        in_hands, in_decks = max(in_hands, card), max(in_decks, highest_of(deck_of(state, other)))
        cards = cards_of(state, other)
        two, twice, three = lines_of(cards, open_with(state, other, card))
        others = others[0] | cards[0], others[1] | cards[1]
        twos = twos[0] | two[0], twos[1] | two[1]
        twices = twices[0] | twice[0], twices[1] | twice[1]
        threes = threes[0] | three[0], threes[1] | three[1]
    is_threatened = 1 if threes[0] | threes[1] else 0
    own = cards_of(state, seat)
    open_to = open_with(state, seat, highest_card)
    own_lines, own_near = lines_of(own, open_to), beside(own[0], own[1])
    their_lines, their_near = (twos, twices, threes), beside(others[0], others[1])
    low = lower_cards(state, in_hands)
    firm_lines = lines_of((own[0] & ~low[0], own[1] & ~low[1]), open_to)
    base = (state.seats - 2) * ENTRIES
    phase = cards_left(state, seat) // PHASE
    for number in range(end):
        value, place = buffer[number] >> CELL_BITS, int(PLACE_OF_CELL[buffer[number] & CELL_MASK])
        covered = value_at(state, place)
        is_covering = 1 if covered > 0 else 0
        rank = 0 if value == lowest_card else 2 if value == highest_card else 1
        reach = 2 if in_hands > value else 1 if in_decks > value else 0
        role = role_of(place, own_lines, own_near) * ROLES + role_of(place, their_lines, their_near)
        cell = ((role * 2 + is_covering) * RANKS + rank) * REACHES + reach
        firm = 2 if is_in(firm_lines[2][0], firm_lines[2][1], place) else (
            1 if is_in(firm_lines[0][0], firm_lines[0][1], place) else 0
        )  # fmt: skip
        first = number * MARKS
        marks[first] = base + cell * 2 + is_threatened
        marks[first + 1] = base + PRICES + value * CARDS + covered
        marks[first + 2] = base + TIMES + (phase * CARDS + value) * 2 + is_covering
        marks[first + 3] = base + FIRMNESS + (firm * REACHES + reach) * 2 + is_threatened
