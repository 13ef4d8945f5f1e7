"""Catur Jawa: a published heuristic of a step, H(s, a), and an evaluation of positions of our own.

The heuristic is by Gani, Sutanto and Perkasa, "The Mechanics and Heuristics of Javanese Chess" (undated). With E
an opponent, the cell (x, y) that a card of value z is played on, and "a threat" three cards of E in a row, H is
the weighted sum of::

    win              10000 · 1  where the card makes four in a row
    threat block       200 · 1  where it is at either end of a threat or covers one of the three
    replace value            200 + 75 for the middle card of the threat, + 50 for an outer one, + 0 next to it,
                             where a threat is blocked, a card covered or not; 125 for any other covered card
    block path               where an empty cell between two cards of E is taken: 100 where a threat is
                             blocked, 70 otherwise
    alignment                100 where the card makes three or more of one's own in a row, 50 for two
    card cost                10 z + 10 where a threat is blocked, 110 - 10 z otherwise; 60 more for the lowest card
                             in hand

The paper describes "an active threat" in several ways; here it is the threat that the step answers. With several
opponents the largest H counts.

Learned weights are those of views (``papan.ai.learning.catur_jawa``), behind the standard ones.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from papan.ai.evaluation import STANDARD, Greedy, Level, OwnPlayer, Strength, Weights, appraise, evaluate
from papan.ai.evaluation.terms import Features
from papan.ai.learning.catur_jawa import MOST
from papan.ai.learning.opponents import habit
from papan.ai.learning.views import view_odds
from papan.game.base.sentences import say
from papan.game.kernel import remembered, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.bits import popcount
from papan.game.rules.catur_jawa import CELL_BITS, CELL_MASK
from papan.game.rules.catur_jawa.board import (
    CARD_BITS,
    CARD_MASK,
    DIRECTIONS,
    HIDDEN,
    PLACE_OF_CELL,
    ROW_LENGTH,
    State,
    back,
    best_line,
    cards_of,
    completing,
    deck_of,
    deck_size,
    hand_of,
    highest_of,
    is_in,
    lower_cards,
    open_with,
    value_at,
)

FEATURES = Features(
    # Features of a step: those of H.
    win=say("four in a row"),
    threat_block=say("stops three in a row"),
    replace_value=say("covers a card"),
    block_path=say("takes a cell between two cards"),
    alignment=say("own cards in a row"),
    card_cost=say("spares high cards"),
    # Features of a position. A cell is *open* to a seat if it is empty or holds another seat's card that the highest
    # card in the seat's hand covers.
    pairs=say("own cards side by side"),  # in all directions
    twos=say("open rows with two own cards"),  # windows of four, the other cells open
    fours=say("cells that make four in a row"),  # open cells
    four=say("could make four in a row"),  # 1 where there is such a cell
    four_next=say("to move and can make four in a row"),  # 1 where there is one
    safe=say("own cards that can't be covered"),  # by a card in another hand
    safe_fours=say("cells that make a safe four"),  # with safe cards
    sure=say("a four that can't be stopped"),  # another seat is to move, and can't close the cell for good
    hand_sum=say("values in hand"),
    highest_card=say("highest card in hand"),
    to_move=say("having the move"),
    line=say("best line at the end"),  # its sum, once the seat to move has no card left to draw
)
WIN, THREAT_BLOCK, REPLACE_VALUE, BLOCK_PATH, ALIGNMENT, CARD_COST, *_OF_POSITIONS = FEATURES.indices
PAIRS, TWOS, FOURS, FOUR, FOUR_NEXT, SAFE, SAFE_FOURS, SURE, HAND_SUM, HIGHEST_CARD, TO_MOVE, LINE = _OF_POSITIONS

TERMS = FEATURES.titles

LEARNED = len(FEATURES)
"""Where the weights of views begin, in vectors that have some."""

BY_HAND, BY_VIEWS = 0.68, 0.41
"""The shares of features and views where there are both, by regression over games."""

# H's weights are the paper's. The standard ones are fitted to games of the player against itself by
# ``dev/fitting/selfplay.py``. Easy builds rows and keeps its high cards; "rows" is minimax in the papers' tables.
WEIGHTS = {
    STANDARD: FEATURES.weights(
        twos=15.5,
        fours=23.4,
        four=151.0,
        four_next=1524.0,
        safe=49.3,
        safe_fours=222.8,
        sure=441.5,
        hand_sum=11.4,
        highest_card=8.7,
        to_move=80.2,
        line=39.5,
    ),
    "easy": FEATURES.weights(pairs=1.0, hand_sum=0.5),
    "rows": FEATURES.weights(pairs=1.0, four_next=100.0),
    "heuristic": FEATURES.weights(
        win=10000.0,
        threat_block=200.0,
        replace_value=1.0,
        block_path=1.0,
        alignment=1.0,
        card_cost=1.0,
    ),
}
SCALE = 180.0
THRESHOLD = SCALE
TRUST = 0.8
LEVELS = {"easy": Level(1, "easy"), "medium": Level(1), "hard": Level(None, family="adaptive")}
STRENGTHS = (
    Strength(1, 1.0, blindness=0.82, weights="easy"),
    Strength(1, 1.0, blindness=0.36, weights="easy"),
    Strength(2, 1.0, blindness=1.0),
    Strength(2, 1.0, blindness=0.65),
    Strength(2, 1.0, blindness=0.3),
    Strength(2, 0.75),
    Strength(2, 0.2),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {"heuristic": Greedy("heuristic")}
_HEURISTIC = np.array(WEIGHTS["heuristic"], np.float64)

REPLACED_ANYWHERE, REPLACED_IN_THREAT, MIDDLE_BONUS, OUTER_BONUS = 125, 200, 75, 50
PATH_IN_THREAT, PATH_ANYWHERE = 100, 70
THREE_ALIGNED, TWO_ALIGNED = 100, 50
LOWEST_CARD_BONUS = 60
THREAT = 3  # cards in a row


# The paper's heuristic.


@subroutine
def run(south: int, north: int, place: int, step: int) -> int:
    """The number of places of a set that follow *place* in direction *step*."""
    length = 0
    while is_in(south, north, place + (length + 1) * step):
        length += 1
    return length


@subroutine
def longest_through(south: int, north: int, place: int) -> int:
    """The length of the longest line through *place* once it joins a set of places."""
    longest = 0
    for step in DIRECTIONS:
        longest = max(longest, 1 + run(south, north, place, step) + run(south, north, place, -step))
    return longest


@subroutine
def answers_threat(south: int, north: int, place: int) -> int:
    """The bonus of a card on *place* against three in a row: middle, outer, or 0 next to them; -1 without any."""
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
    """Whether *place* lies between two places of a set, in any direction."""
    for step in DIRECTIONS:
        if is_in(south, north, place + step) and is_in(south, north, place - step):
            return True
    return False


@subroutine
def worth_against(state: State, step: int, opponent: int, weights: Weights) -> float:
    """The part of H that depends on the opponent."""
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
    cost: float = weights[CARD_COST] * (10 * (value + 1) if blocks else 110 - 10 * value)
    return worth + cost


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


@habit.of(State)
def _habit(state: State, step: int) -> float:
    liked: float = appraise(state, step, _HEURISTIC)
    return liked


# Positions.


@subroutine
def highest_card(state: State, seat: int) -> int:
    """The highest open card in the hand of *seat*, 0 for none."""
    return highest_of(hand_of(state, seat))


@subroutine
def pairs_of(south: int, north: int) -> int:
    """Pairs of adjacent places of a set, in all directions."""
    pairs = 0
    for step in DIRECTIONS:
        next_south, next_north = back(south, north, step)
        pairs += popcount(south & next_south) + popcount(north & next_north)
    return pairs


@remembered
def fours_of(own: tuple[int, int], free: tuple[int, int]) -> int:
    """The *free* places that make four in a row with *own* ones."""
    four_south, four_north = completing(own[0], own[1])
    return popcount(four_south & free[0]) + popcount(four_north & free[1])


@subroutine
def open_to(state: State, seat: int) -> tuple[int, int]:
    """The places that *seat* can play its highest card on."""
    return open_with(state, seat, highest_card(state, seat))


@remembered
def twos_of(own: tuple[int, int], free: tuple[int, int]) -> int:
    """Windows of four with two places of *own* and two *free* ones."""
    twos = 0
    for step in DIRECTIONS:
        fit = windows((own[0] | free[0], own[1] | free[1]), step)
        next_south, next_north = back(own[0], own[1], step)
        both = own[0] & next_south, own[1] & next_north
        one = own[0] ^ next_south, own[1] ^ next_north
        both_after = back(both[0], both[1], 2 * step)
        one_after = back(one[0], one[1], 2 * step)
        for half in range(2):
            none, none_after = ~(both[half] | one[half]), ~(both_after[half] | one_after[half])
            found = both[half] & none_after | one[half] & one_after[half] | none & both_after[half]
            twos += popcount(fit[half] & found)
    return twos


@subroutine
def windows(places: tuple[int, int], step: int) -> tuple[int, int]:
    """The first places of all windows of four in direction *step* within *places*."""
    next_south, next_north = back(places[0], places[1], step)
    pairs_south, pairs_north = places[0] & next_south, places[1] & next_north
    far_south, far_north = back(pairs_south, pairs_north, 2 * step)
    return pairs_south & far_south, pairs_north & far_north


@subroutine
def sum_of(hand: int) -> int:
    """The sum of the open cards in *hand*."""
    total = 0
    while hand:
        if hand & CARD_MASK != HIDDEN:
            total += hand & CARD_MASK
        hand >>= CARD_BITS
    return total


@subroutine
def highest_elsewhere(state: State, seat: int) -> int:
    """The highest open card in other hands than that of *seat*, 0 for none."""
    highest = 0
    for other in range(state.seats):
        if other != seat:
            highest = max(highest, highest_card(state, other))
    return highest


@subroutine
def threats(state: State, seat: int, free: tuple[int, int], weights: Weights) -> float:
    """The worth to *seat* of being one card short of four, with *free* places open to it."""
    own = cards_of(state, seat)
    fours = fours_of(own, free)
    if fours == 0:
        return 0.0
    worth: float = weights[FOURS] * fours + weights[FOUR]
    return worth + weights[FOUR_NEXT] if seat == state.to_move else worth


@subroutine
def robustness(state: State, seat: int, free: tuple[int, int], weights: Weights) -> float:
    """The worth of the cards of *seat* that can't be covered now."""
    south, north = cards_of(state, seat)
    others_highest = highest_elsewhere(state, seat)
    low_south, low_north = lower_cards(state, others_highest)
    safe = south & ~low_south, north & ~low_north
    fours = fours_of(safe, free)
    worth: float = weights[SAFE] * (popcount(safe[0]) + popcount(safe[1])) + weights[SAFE_FOURS] * fours
    # One cell can be closed for good only by a card that the seat can't cover.
    if seat != state.to_move and (fours > 1 or (fours == 1 and highest_card(state, seat) > others_highest)):
        worth += weights[SURE]
    return worth


@subroutine
def prospects(state: State, seat: int, weights: Weights) -> float:
    """The weighted features of *seat*; those of weight 0 are not computed."""
    free = open_to(state, seat)
    worth: float = weights[TO_MOVE] if seat == state.to_move else 0.0
    if weights[PAIRS] != 0.0:
        south, north = cards_of(state, seat)
        worth += weights[PAIRS] * pairs_of(south, north)
    if weights[TWOS] != 0.0:
        worth += weights[TWOS] * twos_of(cards_of(state, seat), free)
    if weights[FOURS] != 0.0 or weights[FOUR] != 0.0 or weights[FOUR_NEXT] != 0.0:
        worth += threats(state, seat, free, weights)
    if weights[SAFE] != 0.0 or weights[SAFE_FOURS] != 0.0 or weights[SURE] != 0.0:
        worth += robustness(state, seat, free, weights)
    if weights[HAND_SUM] != 0.0:
        worth += weights[HAND_SUM] * sum_of(hand_of(state, seat))
    if weights[HIGHEST_CARD] != 0.0:
        worth += weights[HIGHEST_CARD] * highest_card(state, seat)
    if weights[LINE] != 0.0 and is_drawn_out(state):
        worth += weights[LINE] * best_line(state, seat)
    return worth


@subroutine
def is_drawn_out(state: State) -> bool:
    """Whether the seat to move has no card left to draw."""
    deck = deck_of(state, state.to_move)
    return deck == 0 or deck_size(deck, hand_of(state, state.to_move)) == 0


@subroutine
def odds_to(state: State, seat: int, weights: Weights) -> float:
    """The log odds that *seat* wins, by learned views."""
    places = zeros(np.int64, MOST)
    if state.seats == 2 and seat != state.to_move:  # the mover's view sees its own wins
        return -view_odds(state, state.to_move, weights, LEARNED, places)
    return view_odds(state, seat, weights, LEARNED, places)


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    own, strongest = 0.0, -1.0e9
    for other in range(state.seats):  # one call site, so that it is inlined once
        worth = prospects(state, other, weights)
        if other == seat:
            own = worth
        else:
            strongest = max(strongest, worth)
    if len(weights) == LEARNED:
        return own - strongest
    return BY_HAND * (own - strongest) + BY_VIEWS * SCALE * odds_to(state, seat, weights)
