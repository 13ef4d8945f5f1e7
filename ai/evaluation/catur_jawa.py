"""Catur Jawa: seed 001's heuristic of a step, H(s, a), and an evaluation of positions of our own.

With E an opponent, the cell (x, y) that a card of value z is played on, and "a threat" three cards of E in a
row, H is the weighted sum of::

    win              10000 · 1  where the card makes four in a row
    threat block       200 · 1  where it lies at either end of a threat or covers one of the three
    replace value            200 + 75 for the middle card of the threat, + 50 for an outer one, + 0 beside it,
                             where a threat is blocked, a card covered or not; 125 for any other covered card
    block path               where an empty cell between two cards of E is taken: 100 where a threat is
                             blocked, 70 otherwise
    alignment                100 where the card makes three or more of one's own in a row, 50 for two
    card cost                10 z + 10 where a threat is blocked, 110 - 10 z otherwise; 60 more for the lowest card
                             in hand

The seed gives "an active threat" in different words; here it is always the threat that the step answers. With
several opponents each is E in turn, and the largest H counts.
"""

from __future__ import annotations

from ai.evaluation import STANDARD, Greedy, Level, Weights, appraise, evaluate
from game.bits import popcount
from game.catur_jawa import CELL_BITS, CELL_MASK
from game.catur_jawa_board import (
    CARD_BITS,
    CARD_MASK,
    DIRECTIONS,
    HAND,
    HIDDEN,
    PLACE_OF_CELL,
    ROW_LENGTH,
    State,
    back,
    best_line,
    cards_of,
    completing,
    hand_of,
    is_in,
    lower_cards,
    taken,
    value_at,
)
from game.kernel import subroutine

# What each entry of the weights weighs: the features of H, then those of positions.
WIN, THREAT_BLOCK, REPLACE_VALUE, BLOCK_PATH, ALIGNMENT, CARD_COST = range(6)
FOURS = 6  # cells where a card that may be played there makes four in a row
FOURS_NEXT = 7  # the same, where the seat is to move
PAIRS = 8  # own cards side by side, in all directions
LINE = 9  # the sum of the best line, which decides where nobody makes four

# H's weights are the seed's. The others were found by trial, in games against earlier ones.
WEIGHTS = {
    STANDARD: (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 20.0, 40.0, 3.0, 0.1),
    "easy": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0),
    "heuristic": (10000.0, 200.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0),
}
SCALE = 120.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1, "easy"), "medium": Level(1), "hard": Level(None)}
PLAYERS = {"heuristic": Greedy("heuristic")}

REPLACED_ANYWHERE, REPLACED_IN_THREAT, MIDDLE_BONUS, OUTER_BONUS = 125, 200, 75, 50
PATH_IN_THREAT, PATH_ANYWHERE = 100, 70
THREE_ALIGNED, TWO_ALIGNED = 100, 50
LOWEST_CARD_BONUS = 60
THREAT = 3  # cards in a row


# ----------------------------------------------------------------------------- the seed's heuristic


@subroutine
def run(south: int, north: int, place: int, step: int) -> int:
    """How many places of a set follow *place* in the direction *step*."""
    length = 0
    while is_in(south, north, place + (length + 1) * step):
        length += 1
    return length


@subroutine
def longest_through(south: int, north: int, place: int) -> int:
    """The length of the longest line through *place* once it is one of a set of places."""
    longest = 0
    for step in DIRECTIONS:
        longest = max(longest, 1 + run(south, north, place, step) + run(south, north, place, -step))
    return longest


@subroutine
def answers_threat(south: int, north: int, place: int) -> int:
    """How a card on *place* answers three in a row of a set of places, as its bonus; -1 where there are none.

    The bonus is that of the middle card of the three, of an outer one, or 0 for the cell beside them.
    """
    best = -1
    is_one_of_them = is_in(south, north, place)
    for step in DIRECTIONS:
        ahead, behind = run(south, north, place, step), run(south, north, place, -step)
        if is_one_of_them:
            if ahead + behind + 1 >= THREAT:
                best = max(best, MIDDLE_BONUS if ahead > 0 and behind > 0 else OUTER_BONUS)
        elif ahead >= THREAT or behind >= THREAT:
            best = max(best, 0)
    return best


@subroutine
def lies_between(south: int, north: int, place: int) -> bool:
    """Whether *place* has a place of a set on both sides, in any direction."""
    for step in DIRECTIONS:
        if is_in(south, north, place + step) and is_in(south, north, place - step):
            return True
    return False


@subroutine
def worth_against(state: State, step: int, opponent: int, weights: Weights) -> float:
    """The features of H that depend on the opponent."""
    value = step >> CELL_BITS
    place = int(PLACE_OF_CELL[step & CELL_MASK])
    south, north = cards_of(state, opponent)
    bonus = answers_threat(south, north, place)
    blocks = bonus >= 0
    worth = 0.0
    if blocks:
        worth += weights[THREAT_BLOCK] + weights[REPLACE_VALUE] * (REPLACED_IN_THREAT + bonus)
    elif is_in(south, north, place):
        worth += weights[REPLACE_VALUE] * REPLACED_ANYWHERE
    if value_at(state, place) == 0 and lies_between(south, north, place):
        worth += weights[BLOCK_PATH] * (PATH_IN_THREAT if blocks else PATH_ANYWHERE)
    return worth + float(weights[CARD_COST]) * (10 * (value + 1) if blocks else 110 - 10 * value)


@appraise.of(State)
def _appraise(state: State, step: int, weights: Weights) -> float:
    value = step >> CELL_BITS
    seat = state.to_move
    south, north = cards_of(state, seat)
    length = longest_through(south, north, int(PLACE_OF_CELL[step & CELL_MASK]))
    worth = 0.0
    if length >= ROW_LENGTH:
        worth += weights[WIN]
    if length >= THREAT:
        worth += weights[ALIGNMENT] * THREE_ALIGNED
    elif length == 2:
        worth += weights[ALIGNMENT] * TWO_ALIGNED
    if value == hand_of(state, seat) & CARD_MASK:
        worth += weights[CARD_COST] * LOWEST_CARD_BONUS
    highest = -1.0e9
    for opponent in range(state.seats):
        if opponent != seat:
            highest = max(highest, worth_against(state, step, opponent, weights))
    return worth + highest


# ------------------------------------------------------------------------------------ positions


@subroutine
def highest_card(state: State, seat: int) -> int:
    """The highest card in the hand of *seat* that is seen, 0 for none."""
    highest = 0
    for index in range(HAND):
        card = hand_of(state, seat) >> (CARD_BITS * index) & CARD_MASK
        if card != HIDDEN:
            highest = max(highest, card)
    return highest


@subroutine
def pairs_of(south: int, north: int) -> int:
    """How many pairs of places of a set lie side by side, in all directions."""
    pairs = 0
    for step in DIRECTIONS:
        next_south, next_north = back(south, north, step)
        pairs += popcount(south & next_south) + popcount(north & next_north)
    return pairs


@subroutine
def fours_of(state: State, seat: int) -> int:
    """How many cells would make four in a row, and are empty or have a card that one in the hand of *seat* covers."""
    south, north = cards_of(state, seat)
    four_south, four_north = completing(south, north)
    full_south, full_north = taken(state)
    low_south, low_north = lower_cards(state, highest_card(state, seat))
    open_south, open_north = low_south & ~south | ~full_south, low_north & ~north | ~full_north
    return popcount(four_south & open_south) + popcount(four_north & open_north)


@subroutine
def prospects(state: State, seat: int, weights: Weights) -> float:
    """What *seat* has on the table and can make of it."""
    south, north = cards_of(state, seat)
    worth: float = weights[PAIRS] * pairs_of(south, north)
    if weights[FOURS] != 0.0:
        next_too = weights[FOURS_NEXT] if seat == state.to_move else 0.0
        worth += (weights[FOURS] + next_too) * fours_of(state, seat)
    if weights[LINE] != 0.0:
        worth += weights[LINE] * best_line(state, seat)
    return worth


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    own, strongest = 0.0, -1.0e9
    for other in range(state.seats):  # one call for all seats: it is compiled once
        worth = prospects(state, other, weights)
        if other == seat:
            own = worth
        else:
            strongest = max(strongest, worth)
    return own - strongest
