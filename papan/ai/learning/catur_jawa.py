"""Catur Jawa as one seat sees it in a deal: lines on the table, possible covers, and the cards in hand.

Windows of four and five cells along all lines share their weights in all places and both directions. A cell's
digit says whose card it is, and how safe: whether others can cover one's own, or one can cover another's, with a card
in hand, with one that is still in a deck, or never. A view also counts the cells that make four at once, for the seat
and for others, and those of them with cards that can't be covered at present; and it has the cards in hand, and the
cards and lines that decide at the end. Hands are those of the deal: unknown cards are dealt before.

Choices mark a step by the role of its cell for either side, and by the card spent on it. A *line* is a window of four
cells in a row that a seat could still make its own: each cell has its card, or is *open* to it. The lines of two and of
three cards through a cell say how good it is to have, and to take.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from papan.ai.learning.opponents import deal_rest, step_between, with_hand, write_hands, write_traits
from papan.ai.learning.views import MARKS, Choices, Views, write_marks, write_view
from papan.game.base.sentences import say
from papan.game.kernel import subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK, dealt
from papan.game.rules.catur_jawa.board import (
    BAG,
    CARD_BITS,
    CARD_MASK,
    CELL_OF_PLACE,
    CELLS,
    COUNT_BITS,
    DECK,
    DIRECTIONS,
    HAND,
    HIDDEN,
    HIGHEST,
    MOST_SEATS,
    PLACE_OF_CELL,
    SIZE,
    SOUTH_BITS,
    SOUTH_MASK,
    STRIDE,
    State,
    back,
    bag_size,
    best_line,
    cards_left,
    cards_of,
    completing,
    deck_of,
    hand_of,
    hand_with,
    hidden_in,
    highest_of,
    is_in,
    lower_cards,
    onward,
    open_with,
    owner_at,
    taken_places,
    value_at,
    with_cards,
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
"""One for each number of seats and of turns until one's own."""


def _lines() -> tuple[np.ndarray[Any, np.dtype[np.int64]], ...]:
    """The places of every line of four cells or more, one line after the other; where lines begin; their bitboards."""
    found: list[int] = []
    firsts, boards = [0], []
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
                    found += line
                    firsts.append(len(found))
                    board = sum(1 << place for place in line)
                    boards.append((board & SOUTH_MASK, board >> SOUTH_BITS))
    return np.array(found, np.int64), np.array(firsts, np.int64), np.array(boards, np.int64)


_ON_BOARD = SIZE * STRIDE
LINE_PLACES, LINE_FIRSTS, LINE_BOARDS = _lines()
LINE_COUNT = len(LINE_BOARDS)
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
    """The other seat with the highest card in hand."""
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
def write_windows(digits: Any, taken: tuple[int, int], base: int, places: Any, end: int) -> int:
    """Write the windows that have a card in them; returns the end.

    :param taken: the places with a card.
    """
    for line in range(LINE_COUNT):
        if (taken[0] & int(LINE_BOARDS[line, 0])) | (taken[1] & int(LINE_BOARDS[line, 1])) == 0:
            continue
        first = int(LINE_FIRSTS[line])
        one, two, three, four, five = 0, 0, 0, 0, 0  # the last digits
        for index in range(first, int(LINE_FIRSTS[line + 1])):
            one, two, three, four, five = two, three, four, five, int(digits[int(LINE_PLACES[index])])
            forth = ((two * DIGITS + three) * DIGITS + four) * DIGITS + five
            back = ((five * DIGITS + four) * DIGITS + three) * DIGITS + two
            if forth + one == 0:
                continue
            if index - first >= LONG_WINDOW - 1:
                places[end] = base + LONG_WINDOWS + min(one * DIGITS**WINDOW + forth, back * DIGITS + one)
                end += 1
            if index - first >= WINDOW - 1 and forth != 0:
                places[end] = base + WINDOWS + min(forth, back)
                end += 1
    return end


# -------------------------------------------------------------------------------------------- numbers


@subroutine
def fours_of(state: State, seat: int, card: int, against: int) -> tuple[int, int]:
    """The places where a *card* of *seat* makes four in a row, and those without any that *against* covers: counts."""
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
    """The code of how many fours *seat* and the others could make, and whose highest card is higher."""
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
    end = write_windows(digits, taken_places(state), base, places, first)
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


THREE, TWICE, TWO, NEAR, FAR = 4, 3, 2, 1, 0
"""The roles of a cell for a seat: in a line of three cards, in lines of two in several directions, in one of them, next
to a card, or none of these.
"""
ROLES = THREE + 1
RANKS = 3  # a card is the lowest in hand, the highest, or neither
REACHES = 3  # whether it can be covered from a hand, only from a deck, or never
PHASE = 3  # cards
CHOICE_PHASES = DECK // PHASE + 1
LEVELS = 3  # of a cell among cards that can't be covered: part of three, of two, neither

_CELLS = ROLES * ROLES * 2 * RANKS * REACHES * 2
_PRICES = CARDS * CARDS
_TIMES = CHOICE_PHASES * CARDS * 2
_FIRMNESS = LEVELS * REACHES * 2
PRICES, TIMES, FIRMNESS = _CELLS, _CELLS + _PRICES, _CELLS + _PRICES + _TIMES
"""Where the marks of each part begin, those of cells being the first."""
CHOICE_ENTRIES = FIRMNESS + _FIRMNESS
CHOICES = Choices("catur-jawa 1", (MOST_SEATS - 1) * CHOICE_ENTRIES)

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

    :param own: the places of a seat's cards; *free*: those where it could play one.
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
    """The places of a set and those next to them."""
    wide = onward(south, north, 1)
    narrow = back(south, north, 1)
    south, north = south | wide[0] | narrow[0], north | wide[1] | narrow[1]
    up, down = onward(south, north, DIRECTIONS[1]), back(south, north, DIRECTIONS[1])
    return south | up[0] | down[0], north | up[1] | down[1]


@subroutine
def role_of(place: int, lines: tuple[Places, Places, Places], near: Places) -> int:
    """The role of *place* for a seat with these *lines*, with cards next to the places *near*."""
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
    base = (state.seats - 2) * CHOICE_ENTRIES
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


@subroutine
def count_in(bag: int, value: int) -> int:
    return bag >> (COUNT_BITS * (value - 1)) & 3


@subroutine
def seen_of(hand: int) -> int:
    """The open cards of *hand*, as a hand."""
    seen = 0
    for index in range(HAND):
        card = hand >> (CARD_BITS * index) & CARD_MASK
        if card not in (0, HIDDEN):
            seen = hand_with(seen, card)
    return seen


@write_hands.of(State)
def _write_hands(state: State, seat: int, hands: Any, chances: Any) -> int:
    bag, seen = deck_of(state, seat), seen_of(hand_of(state, seat))
    hidden = hidden_in(hand_of(state, seat))
    hands[0], chances[0] = seen, 1.0
    if hidden == 0:
        return 1
    size = bag_size(bag)
    number = 0
    # Cards are drawn one after the other, in rising order; so many orders lead to each hand.
    for low in range(1 if hidden > 2 else 0, (HIGHEST if hidden > 2 else 0) + 1):
        for middle in range(max(low, 1) if hidden > 1 else 0, (HIGHEST if hidden > 1 else 0) + 1):
            for high in range(max(middle, 1), HIGHEST + 1):
                ways, drawn, rest, orders = 1.0, seen, bag, 1
                for card in (low, middle, high):
                    if card > 0:
                        left = count_in(rest, card)
                        if left == 0:
                            ways = 0.0
                            break
                        ways *= left
                        rest -= 1 << (COUNT_BITS * (card - 1))
                        drawn = hand_with(drawn, card)
                if ways == 0.0:
                    continue
                for card in range(hidden):
                    orders *= card + 1
                    ways /= size - card
                equal = (1 if low == middle and hidden > 2 else 0) + (1 if middle == high and hidden > 1 else 0)
                orders = orders if equal == 0 else orders // 2 if equal == 1 else 1
                hands[number], chances[number] = drawn, ways * orders
                number += 1
    return number


@with_hand.of(State)
def _with_hand(state: State, seat: int, hand: int) -> State:
    before, bag = hand_of(state, seat), deck_of(state, seat)
    left = hand
    while left:
        bag -= 1 << (COUNT_BITS * ((left & CARD_MASK) - 1))
        left >>= CARD_BITS
    seen = seen_of(before)
    while seen:
        bag += 1 << (COUNT_BITS * ((seen & CARD_MASK) - 1))
        seen >>= CARD_BITS
    return with_cards(state, seat, hand, bag if bag != BAG else 0)


@deal_rest.of(State)
def _deal_rest(state: State, random: Any) -> State:
    return dealt(state, random)


@subroutine
def cards_beside(state: State, seat: int, place: int) -> int:
    south, north = cards_of(state, seat)
    number = 0
    for step in DIRECTIONS:
        number += (1 if is_in(south, north, place + step) else 0) + (1 if is_in(south, north, place - step) else 0)
    return number


@write_traits.of(State)
def _write_traits(state: State, step: int, traits: Any) -> None:
    value, place = step >> CELL_BITS, int(PLACE_OF_CELL[step & CELL_MASK])
    seat = state.to_move
    hand = hand_of(state, seat)
    lowest_card, highest_card = hand & CARD_MASK, 0
    for index in range(HAND):
        highest_card = max(highest_card, hand >> (CARD_BITS * index) & CARD_MASK)
    own = cards_beside(state, seat, place)
    south, north = taken_places(state)
    others = 0
    for direction in DIRECTIONS:
        others += 1 if is_in(south, north, place + direction) else 0
        others += 1 if is_in(south, north, place - direction) else 0
    traits[0] = value / HIGHEST
    traits[1] = 1.0 if value == lowest_card else 0.0
    traits[2] = 1.0 if value == highest_card else 0.0
    traits[3] = 1.0 if value_at(state, place) > 0 else 0.0
    traits[4] = min(own, 3) / 3.0
    traits[5] = min(others - own, 3) / 3.0


@step_between.of(State)
def _step_between(before: State, after: State, seat: int) -> int:
    found = -1
    for cell in range(CELLS):
        place = int(PLACE_OF_CELL[cell])
        value = value_at(after, place)
        if value > 0 and owner_at(after, place) == seat and value != value_at(before, place):
            if found >= 0:
                return -1
            found = value << CELL_BITS | int(CELL_OF_PLACE[place])
    return found
