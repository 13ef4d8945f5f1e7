"""CIFRA Code25: seed 004's evaluations h1, h2 and h3, and one of our own.

With g and G the goal pieces of the seat judged and of its opponent, and Δ how many more pieces it has left::

    h1 = 10 g + 4 Δ   where g = G = 0
          6 g + 2 Δ   where g <= G
          4 g + 10 Δ  where g > G
    h3 = 0.5 / (0.01 + Σ rows from each own piece to the far row)
    h2 = h1 + h3

Where the seed is unclear: its ``winner()`` compares pieces left with goal pieces, so goal pieces are among
those left. h3 asks for all pieces, so they are at distance 0; then it rises with each piece that is lost, and
a side without pieces is rated as high as one that has brought them all home. That is kept. The listing judges
every leaf, finished games too, by h2 for the player who searches; the text gives h3 to *medium* and h2 to
*hard*. We follow the text, with h3 at depth 1 and h2 at depth 3.

The seed has dash only. Its evaluations are asked in king and sum too, and judge as ever: by pieces, goals and
distances, blind to kings and numbers. The standard weights know the aims of each mode.
"""

from __future__ import annotations

from collections.abc import Mapping

from ai.evaluation import STANDARD, Level, Searching, Weights, evaluate
from game.bits import lowest, popcount
from game.cifra_board import (
    DASH,
    KING,
    MOVING,
    RANK_DIGITS,
    SUM,
    count_goals,
    count_living,
    far_row,
    goal_sum,
    living,
    mode_of,
    parts_of,
    pieces_of,
    ranked,
    size_of,
    stops,
)
from game.cifra_states import STATES, AnyState
from game.kernel import subroutine
from game.wide_sight import LOWER_ROWS, PART_CELLS

# What each entry of the weights weighs; some count in one mode only.
H1, H3 = 0, 1
GOAL_PIECES = 2  # dash
LIVING_PIECES = 3
VERDICT = 4  # dash, sum: who would win if play ended now, the more so the fewer living pieces one side has
GOAL_SUM = 5  # sum: the numbers of goal pieces
LIVING_SUM = 6  # sum: the numbers of living pieces
KING_ROWS = 7  # king: rows that the king has come up
MOBILITY = 8  # what can be done in one move, from here on: cells that living pieces can go to
ARRIVALS = 9  # living pieces that can go to the far row at once
ATTACKS = 10  # opponent's pieces that can be captured at once
KING_WINS = 11  # king: the king can go to the far row, or capture the other one
ARRIVALS_NEXT = 12  # the last three again, where the seat is to move
ATTACKS_NEXT = 13
KING_WINS_NEXT = 14
ENTRIES = 15


def _weights(weighed: Mapping[int, float]) -> tuple[float, ...]:
    return tuple(weighed.get(entry, 0.0) for entry in range(ENTRIES))


# The standard weights were found by trial, in games searched three turns deep against earlier ones.
WEIGHTS = {
    STANDARD: _weights(
        {
            GOAL_PIECES: 9.0,
            LIVING_PIECES: 2.0,
            VERDICT: 6.0,
            GOAL_SUM: 3.0,
            LIVING_SUM: 0.2,
            KING_ROWS: 1.5,
            MOBILITY: 0.4,
            ARRIVALS: 2.0,
            ATTACKS: 0.5,
            KING_WINS: 3.0,
            ARRIVALS_NEXT: 0.6,
            ATTACKS_NEXT: 1.3,
            KING_WINS_NEXT: 40.0,
        }
    ),
    "h1": _weights({H1: 1.0}),
    "h2": _weights({H1: 1.0, H3: 1.0}),
    "h3": _weights({H3: 1.0}),
}
SCALE = 8.0
LEVELS = {"easy": Level(1), "medium": Level(3), "hard": Level(None)}
PLAYERS = {
    "h1": Searching("h1", 3, prefers_wins=False),
    "h2": Searching("h2", 3, prefers_wins=False),
    "h3": Searching("h3", 3, prefers_wins=False),
    "seed-easy": "random",
    "seed-medium": Searching("h3", 1, prefers_wins=False),
    "seed-hard": Searching("h2", 3, prefers_wins=False),
}


@subroutine
def goals_and_pieces(state: AnyState, seat: int) -> float:
    """h1: what has been reached, and the pieces left, weighted by who is ahead."""
    own, other = count_goals(state, seat), count_goals(state, 1 - seat)
    left = own + count_living(state, seat) - other - count_living(state, 1 - seat)
    if own == 0 and other == 0:
        return 4.0 * left
    if own <= other:
        return 6.0 * own + 2.0 * left
    return 4.0 * own + 10.0 * left


@subroutine
def rows_up(state: AnyState, pieces: int, part: int) -> int:
    """How many rows above row 1 each of *pieces* stands, added up."""
    size = size_of(state)
    rows = LOWER_ROWS * part * popcount(pieces)
    for row in range(1, LOWER_ROWS):
        rows += popcount(pieces >> (size * row))
    return rows


@subroutine
def nearness(state: AnyState, seat: int) -> float:
    """h3: the nearer all own pieces are to the far row, the higher."""
    rows, pieces = 0, 0
    for part in range(parts_of(state)):
        own = pieces_of(state, seat, part)
        rows += rows_up(state, own, part)
        pieces += popcount(own)
    rows_to_go = (size_of(state) - 1) * pieces - rows if seat == 0 else rows
    return 0.5 / (0.01 + rows_to_go)


@subroutine
def verdict(state: AnyState, seat: int) -> float:
    """The sign says whether *seat* would win if play ended now; the size, how soon it may end."""
    own, other = count_living(state, seat), count_living(state, 1 - seat)
    ahead = goal_sum(state, seat) - goal_sum(state, 1 - seat)
    if ahead == 0:
        ahead = count_goals(state, seat) - count_goals(state, 1 - seat)
    if ahead == 0:
        ahead = own - other
    if ahead == 0:
        return 0.0
    fewest = max(min(own, other), 1)
    return 1.0 / fewest if ahead > 0 else -1.0 / fewest


@subroutine
def living_sum(state: AnyState, seat: int) -> int:
    """The numbers of the living pieces of *seat*, added up."""
    total = -goal_sum(state, seat)
    for part in range(parts_of(state)):
        for digit in range(RANK_DIGITS):
            total += popcount(pieces_of(state, seat, part) & ranked(state, digit, part)) << digit
    return total


@subroutine
def king_rows(state: AnyState, seat: int) -> int:
    """How many rows the king of *seat* has come up from its home row."""
    rows = 0
    for part in range(parts_of(state)):
        rows += rows_up(state, pieces_of(state, seat, part) & ranked(state, 0, part), part)
    return rows if seat == 0 else size_of(state) - 1 - rows


@subroutine
def prospects(state: AnyState, seat: int, weights: Weights) -> float:
    """What the living pieces of *seat* can do in one move."""
    mobility, arrivals, king_wins = 0, 0, 0
    attacked, upper_attacked = 0, 0
    for part in range(parts_of(state)):
        pieces = living(state, seat, part)
        while pieces:
            piece = pieces & -pieces
            pieces &= pieces - 1
            for target_part in range(parts_of(state)):
                targets = stops(state, seat, PART_CELLS * part + lowest(piece), target_part)
                mobility += popcount(targets)
                if targets & far_row(state, seat, target_part):
                    arrivals += 1
                    if mode_of(state) == KING:
                        king_wins += 1 if piece & ranked(state, 0, part) else 0
                if target_part == 0:
                    attacked |= targets & pieces_of(state, 1 - seat, 0)
                else:
                    upper_attacked |= targets & pieces_of(state, 1 - seat, 1)
    attacks = popcount(attacked) + popcount(upper_attacked)
    if mode_of(state) == KING:
        king_wins += 1 if attacked & ranked(state, 0, 0) | upper_attacked & ranked(state, 0, 1) else 0
    value: float = weights[MOBILITY] * mobility + weights[ARRIVALS] * arrivals + weights[ATTACKS] * attacks
    value += weights[KING_WINS] * king_wins
    if seat == state.to_move:
        value += weights[ARRIVALS_NEXT] * arrivals + weights[ATTACKS_NEXT] * attacks
        value += weights[KING_WINS_NEXT] * king_wins
    return value


@subroutine
def sees_ahead(weights: Weights) -> bool:
    """Whether *weights* ask for ``prospects`` at all."""
    for index in range(MOBILITY, ENTRIES):
        if weights[index] != 0.0:
            return True
    return False


@subroutine
def of_the_mode(state: AnyState, seat: int, weights: Weights) -> float:
    """What the mode's own aims have come to, from the view of *seat*."""
    other = 1 - seat
    value: float = 0.0
    if mode_of(state) == KING:
        value += weights[KING_ROWS] * (king_rows(state, seat) - king_rows(state, other))
    else:
        value += weights[VERDICT] * verdict(state, seat)
    if mode_of(state) == DASH:
        value += weights[GOAL_PIECES] * (count_goals(state, seat) - count_goals(state, other))
    elif mode_of(state) == SUM:
        value += weights[GOAL_SUM] * (goal_sum(state, seat) - goal_sum(state, other))
        value += weights[LIVING_SUM] * (living_sum(state, seat) - living_sum(state, other))
    return value


@evaluate.of(*STATES)
def _evaluate(state: AnyState, seat: int, weights: Weights) -> float:
    if state.stage != MOVING:
        return 0.0
    value: float = 0.0
    if weights[H1] != 0.0:
        value += weights[H1] * goals_and_pieces(state, seat)
    if weights[H3] != 0.0:
        value += weights[H3] * nearness(state, seat)
    other = 1 - seat
    value += of_the_mode(state, seat, weights)
    value += weights[LIVING_PIECES] * (count_living(state, seat) - count_living(state, other))
    if sees_ahead(weights):
        value += prospects(state, seat, weights) - prospects(state, other, weights)
    return value
