"""Catur Jawa as one seat sees it in a deal: lines on the table, who can cover what, and what is in hand.

Windows of four and five cells along all lines share their weights wherever they lie, and either way round. A cell's
digit says whose card it is, and how safe: whether others can cover one's own, or one can cover another's, with a card
in hand, with one that is still in a deck, or never. Besides it counts how many cells make four at once, for the seat
and for others, and how many of them with cards that can't be covered at present; and it knows the cards in hand, and
the cards and lines that decide at the end. Hands are those of the deal: what is not known is dealt before.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from papan.ai.learning.catur_jawa import hands as hands  # registers the kernels for models of opponents
from papan.ai.learning.catur_jawa.choices import CHOICES as CHOICES
from papan.ai.learning.views import Views, write_view
from papan.game.base.sentences import say
from papan.game.kernel import subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.catur_jawa.board import (
    CARD_BITS,
    CARD_MASK,
    DECK,
    HAND,
    HIGHEST,
    MOST_SEATS,
    SIZE,
    SOUTH_BITS,
    STRIDE,
    State,
    best_line,
    cards_left,
    cards_of,
    completing,
    deck_of,
    hand_of,
    highest_of,
    is_in,
    lower_cards,
    taken_places,
    value_at,
)

MINE, NEXT, OTHERS = 1, 4, 7
"""The first digits of one's own cards, of those of the seat that comes next, and of all others'; an empty cell is 0."""
DIGITS = 10
WINDOW, LONG_WINDOW = 4, 5
SEVERAL = 3  # so many, or more
CARDS = HIGHEST + 1  # a card in hand is none, or a value
BALANCES = 21  # of points, from -10 to 10
LAST_CARDS = 6  # from so many cards left on, lines are compared
PHASES = 7
COMPARED = 3  # lower, the same, higher

_PARTS = (
    ("long windows", DIGITS**LONG_WINDOW),
    ("windows", DIGITS**WINDOW),
    ("fours", (SEVERAL + 1) ** 2 * SEVERAL**2 * COMPARED),
    ("hand", CARDS**HAND),
    ("highest cards", CARDS * CARDS),
    ("middle cards", CARDS * CARDS),
    ("cards left", (DECK + 1) * CARDS),
    ("hands", PHASES * BALANCES),
    ("decks", PHASES * BALANCES),
    ("lines", (LAST_CARDS + 1) * BALANCES),
)
_FIRSTS = np.cumsum([0, *(size for _, size in _PARTS)]).tolist()
(
    LONG_WINDOWS, WINDOWS, FOURS, HANDS, HIGHEST_CARDS, MIDDLE_CARDS, CARDS_LEFT, HAND_BALANCE, DECK_BALANCE, LINES,
    ENTRIES,
) = _FIRSTS  # fmt: skip
"""Where the weights of each part begin, in those of a stage."""
STAGES = sum(range(2, MOST_SEATS + 1))
"""For each number of seats as many: how many turns it takes until it is one's own."""


def _lines() -> np.ndarray[Any, np.dtype[np.int64]]:
    """The places of every line of four cells or more, one after the other, each ended by -1."""
    found: list[int] = []
    for across, up in ((1, 0), (0, 1), (-1, 1), (1, 1)):
        for column in range(SIZE):
            for row in range(SIZE):
                if 0 <= column - across < SIZE and 0 <= row - up < SIZE:
                    continue
                line = []
                x, y = column, row
                while 0 <= x < SIZE and 0 <= y < SIZE:
                    line.append(y * STRIDE + x)
                    x, y = x + across, y + up
                if len(line) >= WINDOW:
                    found += [*line, -1]
    return np.array(found, np.int64)


_ON_BOARD = SIZE * STRIDE
LINE_PLACES = _lines()
PRACTICE = 130_000
STANDING = say("wins {share} % against {player}", share=74, player="heuristic")
NETWORK = Views("catur-jawa 2", STAGES * ENTRIES, 2 * len(LINE_PLACES) + len(_PARTS))
MOST = NETWORK.most
"""As compiled code names it."""


def networks(state: State) -> Mapping[str, Views]:
    """The same for any number of seats."""
    return {"windows": NETWORK}


# ---------------------------------------------------------------------------------------------- cards


@subroutine
def sum_of(cards: int) -> int:
    total = 0
    while cards:
        total += cards & CARD_MASK
        cards >>= CARD_BITS
    return total


@subroutine
def strongest_other(state: State, seat: int) -> int:
    """Of the others that one with the highest card in hand."""
    strongest, most = seat, -1
    for other in range(state.seats):
        if other != seat:
            card = highest_of(hand_of(state, other))
            if card > most:
                strongest, most = other, card
    return strongest


@subroutine
def reach_of(value: int, in_hand: int, in_deck: int) -> int:
    """Whether a card of *value* can be covered from a hand (2), only from a deck (1), or not at all (0)."""
    return 2 if in_hand > value else 1 if in_deck > value else 0


@subroutine
def write_digits(state: State, seat: int, own: tuple[int, int], others: tuple[int, int], digits: Any) -> None:
    """Write the digit of each place with a card to *digits*.

    :param own: the highest card in the hand of *seat*, and in its deck; *others*, of all others.
    """
    following = seat + 1 if seat + 1 < state.seats else 0
    south, north = taken_places(state)
    for half in range(2):
        left = south if half == 0 else north
        while left:
            place = lowest(left) + half * SOUTH_BITS
            left &= left - 1
            value = value_at(state, place)
            owner = (1 if is_in(state.odd_south, state.odd_north, place) else 0) + (
                2 if is_in(state.late_south, state.late_north, place) else 0
            )
            if owner == seat:
                digits[place] = MINE + reach_of(value, others[0], others[1])
            else:
                digits[place] = (NEXT if owner == following else OTHERS) + reach_of(value, own[0], own[1])


@subroutine
def write_windows(digits: Any, base: int, places: Any, end: int) -> int:
    """Write the windows that have a card in them; returns the end."""
    size, long_size = DIGITS**WINDOW, DIGITS**LONG_WINDOW
    forth, back, length = 0, 0, 0
    for place in LINE_PLACES:
        if place < 0:
            forth, back, length = 0, 0, 0
            continue
        digit = int(digits[place])
        forth = (forth * DIGITS + digit) % long_size
        back = back // DIGITS + digit * size
        length += 1
        if forth == 0:
            continue
        if length >= LONG_WINDOW:
            places[end] = base + LONG_WINDOWS + min(forth, back)
            end += 1
        shorter = forth % size
        if length >= WINDOW and shorter != 0:
            places[end] = base + WINDOWS + min(shorter, back // DIGITS)
            end += 1
    return end


# -------------------------------------------------------------------------------------------- numbers


@subroutine
def fours_of(state: State, seat: int, card: int, against: int) -> tuple[int, int]:
    """On how many places a *card* of *seat* makes four in a row, and on how many with none that *against* covers."""
    own_south, own_north = cards_of(state, seat)
    full_south, full_north = taken_places(state)
    low_south, low_north = lower_cards(state, card)
    free_south, free_north = low_south & ~own_south | ~full_south, low_north & ~own_north | ~full_north
    south, north = completing(own_south, own_north)
    weak_south, weak_north = lower_cards(state, against)
    safe_south, safe_north = completing(own_south & ~weak_south, own_north & ~weak_north)
    return (
        popcount(south & free_south) + popcount(north & free_north),
        popcount(safe_south & free_south) + popcount(safe_north & free_north),
    )


@subroutine
def fours_number(state: State, seat: int, own: int, others: int) -> int:
    """The number that says how many fours *seat* and the others could make, and whose highest card is higher."""
    ways, safe = fours_of(state, seat, own, others)
    their_ways, their_safe = 0, 0
    for other in range(state.seats):
        if other != seat:
            found, found_safe = fours_of(state, other, highest_of(hand_of(state, other)), own)
            their_ways += found
            their_safe += found_safe
    number = min(ways, SEVERAL) * (SEVERAL + 1) + min(their_ways, SEVERAL)
    number = (number * SEVERAL + min(safe, SEVERAL - 1)) * SEVERAL + min(their_safe, SEVERAL - 1)
    return number * COMPARED + (0 if own < others else 1 if own == others else 2)


@subroutine
def clipped(balance: int) -> int:
    """*balance* as one of BALANCES."""
    most = BALANCES // 2
    return min(max(balance, -most), most) + most


@write_view.of(State)
def _write_view(state: State, seat: int, places: Any, first: int) -> int:
    turns = (seat - state.to_move) % state.seats
    base = ((state.seats - 2) * (state.seats + 1) // 2 + turns) * ENTRIES
    hand, deck = hand_of(state, seat), deck_of(state, seat)
    other = strongest_other(state, seat)
    their_hand = hand_of(state, other)
    own, others_highest, others_to_come = highest_of(hand), highest_of(their_hand), 0
    for each in range(state.seats):
        if each != seat:
            others_to_come = max(others_to_come, highest_of(deck_of(state, each)))
    digits = zeros(np.int64, _ON_BOARD)
    write_digits(state, seat, (own, highest_of(deck)), (others_highest, others_to_come), digits)
    end = write_windows(digits, base, places, first)
    low, middle, high = hand & CARD_MASK, hand >> CARD_BITS & CARD_MASK, hand >> 2 * CARD_BITS & CARD_MASK
    left = cards_left(state, seat)
    phase = left // SEVERAL * BALANCES
    places[end] = base + FOURS + fours_number(state, seat, own, others_highest)
    places[end + 1] = base + HANDS + low + CARDS * (middle + CARDS * high)
    places[end + 2] = base + HIGHEST_CARDS + own * CARDS + others_highest
    places[end + 3] = base + MIDDLE_CARDS + middle * CARDS + (their_hand >> CARD_BITS & CARD_MASK)
    places[end + 4] = base + CARDS_LEFT + left * CARDS + own
    places[end + 5] = base + HAND_BALANCE + phase + clipped(sum_of(hand) - sum_of(their_hand))
    places[end + 6] = base + DECK_BALANCE + phase + clipped(sum_of(deck) - sum_of(deck_of(state, other)))
    end += 7
    if left <= LAST_CARDS:
        best = 0
        for each in range(state.seats):
            if each != seat:
                best = max(best, best_line(state, each))
        places[end] = base + LINES + left * BALANCES + clipped(best_line(state, seat) - best)
        end += 1
    return end
