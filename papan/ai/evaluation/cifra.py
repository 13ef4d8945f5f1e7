"""CIFRA Code25: the evaluations h1, h2 and h3 of a student project, and one of our own.

The project is "CIFRA CODE25" (University of Porto, undated). With g and G the goal pieces of the seat judged and
of its opponent, and Δ how many more pieces it has left::

    h1 = 10 g + 4 Δ   where g = G = 0
          6 g + 2 Δ   where g <= G
          4 g + 10 Δ  where g > G
    h3 = 0.5 / (0.01 + Σ rows from each own piece to the far row)
    h2 = h1 + h3

Where the project is unclear: goal pieces count among those left, as in its ``winner()``, and are at distance 0 in h3,
so that h3 rises with each piece lost. The listing evaluates every leaf, finished games too, by h2; the text gives h3 to
*medium* and h2 to *hard*. We follow the text, with h3 at depth 1 and h2 at depth 3.

The project has dash only: in king and sum its evaluations ignore kings and numbers. The standard weights know the aims
of each mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papan.ai.evaluation import STANDARD, Level, OwnPlayer, Searching, Strength, Weights, WeightValues, evaluate
from papan.ai.evaluation.terms import Features, Term, named_terms
from papan.game.base.sentences import say
from papan.game.kernel import subroutine
from papan.game.kernel.bits import lowest, popcount
from papan.game.rules.cifra.board import (
    DASH,
    KING,
    MOVING,
    RANK_DIGITS,
    SUM,
    count_goals,
    count_living,
    far_row,
    goal_sum,
    living_pieces,
    mode_of,
    parts_of,
    pieces_of,
    ranked_pieces,
    size_of,
    stops,
    tiles_of,
)
from papan.game.rules.cifra.large_rays import LOWER_ROWS, PART_CELLS
from papan.game.rules.cifra.states import STATES, AnyState

FEATURES = Features(
    # Some count in one mode only.
    h1=say("goal pieces and pieces left"),
    h3=say("nearness to the far row"),
    goal_pieces=say("goal pieces"),  # dash
    living_pieces=say("living pieces"),
    verdict=say("who would win if play ended now"),  # dash, sum; more with fewer living pieces of one side
    goal_sum=say("numbers of goal pieces"),  # sum
    living_sum=say("numbers of living pieces"),  # sum
    king_rows=say("rows that the king has advanced"),  # king
    mobility=say("moves to choose from"),  # cells that living pieces can go to
    arrivals=say("pieces that can reach the far row at once"),
    attacks=say("pieces that can be captured at once"),  # the opponent's
    king_wins=say("the king can win at once"),  # king: it can go to the far row, or capture the other one
    arrivals_next=say("to move and can reach the far row"),  # these three again, for the seat to move
    attacks_next=say("to move and can capture"),
    king_wins_next=say("to move and the king can win"),
    safe_arrivals=say("safe ways to the far row"),  # of pieces that can't be captured before
    rows=say("rows that pieces have advanced"),  # as shares of the way
    last_rows=say("pieces one row from the far row"),
    own_tiles=say("pieces on their own colour"),
    to_move=say("having the move"),
)
H1, H3, GOAL_PIECES, LIVING_PIECES, VERDICT, GOAL_SUM, LIVING_SUM, KING_ROWS, *_OF_MOVES = FEATURES.indices
MOBILITY, ARRIVALS, ATTACKS, KING_WINS, ARRIVALS_NEXT, ATTACKS_NEXT, KING_WINS_NEXT, *_OF_PLACES = _OF_MOVES
SAFE_ARRIVALS, ROWS, LAST_ROWS, OWN_TILES, TO_MOVE = _OF_PLACES
ENTRIES = len(FEATURES)
"""Weights of one mode."""
TERMS = FEATURES.titles

# The standard weights, for each mode: fitted to the ends of games that the player played against itself on 5×5,
# as a logistic regression (``python -m dev.fitting.selfplay cifra``), so that SCALE means a winning chance of 73 %.
_DASH = FEATURES.weights(
    goal_pieces=27.84,
    living_pieces=3.58,
    verdict=7.26,
    mobility=0.83,
    arrivals=4.00,
    attacks=1.88,
    arrivals_next=2.11,
    attacks_next=3.70,
    safe_arrivals=5.54,
    rows=-0.81,
    last_rows=1.07,
    own_tiles=-0.17,
    to_move=2.07,
)
_KING = FEATURES.weights(
    living_pieces=6.02,
    king_rows=1.87,
    mobility=0.56,
    arrivals=0.92,
    attacks=-0.86,
    king_wins=6.69,
    arrivals_next=-1.15,
    attacks_next=2.51,
    king_wins_next=55.25,
    safe_arrivals=1.33,
    rows=-1.87,
    last_rows=-1.40,
    own_tiles=-0.37,
    to_move=1.13,
)
_SUM = FEATURES.weights(
    living_pieces=-5.24,
    verdict=7.97,
    goal_sum=6.26,
    living_sum=1.59,
    mobility=0.52,
    arrivals=2.35,
    attacks=0.48,
    arrivals_next=1.08,
    attacks_next=2.51,
    safe_arrivals=3.35,
    rows=-0.21,
    last_rows=2.56,
    own_tiles=0.23,
    to_move=1.08,
)
WEIGHTS = {
    STANDARD: (*_DASH, *_KING, *_SUM),
    "h1": FEATURES.weights(h1=1.0),
    "h2": FEATURES.weights(h1=1.0, h3=1.0),
    "h3": FEATURES.weights(h3=1.0),
}
SCALE = 8.0
THRESHOLD = SCALE
LEVELS = {"easy": Level(1, "h2"), "medium": Level(2), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 0.5, blindness=0.81, weights="h2"),
    Strength(1, 0.5, blindness=0.5, weights="h2"),
    Strength(2, 1.0, blindness=0.47),
    Strength(2, 1.5, blindness=0.1),
    Strength(2, 0.7),
    "medium",
    Strength(4, 0.12),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {
    "h1": Searching("h1", 3, prefers_wins=False),
    "h2": Searching("h2", 3, prefers_wins=False),
    "h3": Searching("h3", 3, prefers_wins=False),
    "seed-easy": "random",
    "seed-medium": Searching("h3", 1, prefers_wins=False),
    "seed-hard": Searching("h2", 3, prefers_wins=False),
}


def terms(state: AnyState, weights: WeightValues) -> Sequence[Term]:
    """The terms of *weights* in the mode of *state*; h1 and h3 go together."""
    if len(weights) > ENTRIES:
        return named_terms(FEATURES, TERMS, weights, base=ENTRIES * mode_of(state))
    return named_terms(FEATURES, TERMS, weights, also=("h1", "h3"))


@subroutine
def goals_and_pieces(state: AnyState, seat: int) -> float:
    """h1: goal pieces and pieces left, weighted by who is ahead."""
    own, other = count_goals(state, seat), count_goals(state, 1 - seat)
    left = own + count_living(state, seat) - other - count_living(state, 1 - seat)
    if own == 0 and other == 0:
        return 4.0 * left
    if own <= other:
        return 6.0 * own + 2.0 * left
    return 4.0 * own + 10.0 * left


@subroutine
def rows_up(state: AnyState, pieces: int, part: int) -> int:
    """The sum of rows of *pieces* above row 1."""
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
    """The sign says whether *seat* would win if play ended now; the size grows as the end comes near."""
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
    """The sum of the numbers of the living pieces of *seat*."""
    total = -goal_sum(state, seat)
    for part in range(parts_of(state)):
        for digit in range(RANK_DIGITS):
            total += popcount(pieces_of(state, seat, part) & ranked_pieces(state, digit, part)) << digit
    return total


@subroutine
def king_rows(state: AnyState, seat: int) -> int:
    """The rows between the king of *seat* and its home row."""
    rows = 0
    for part in range(parts_of(state)):
        rows += rows_up(state, pieces_of(state, seat, part) & ranked_pieces(state, 0, part), part)
    return rows if seat == 0 else size_of(state) - 1 - rows


@subroutine
def prospects(state: AnyState, seat: int, weights: Weights, base: int) -> tuple[float, int, int, int, int]:
    """The value of the moves of *seat*, and two-part bitboards: the pieces it can capture, its own that can arrive."""
    mobility, arrivals, king_wins = 0, 0, 0
    attacked, upper_attacked = 0, 0
    arriving, upper_arriving = 0, 0
    for part in range(parts_of(state)):
        pieces = living_pieces(state, seat, part)
        while pieces:
            piece = pieces & -pieces
            pieces &= pieces - 1
            for target_part in range(parts_of(state)):
                targets = stops(state, seat, PART_CELLS * part + lowest(piece), target_part)
                mobility += popcount(targets)
                if targets & far_row(state, seat, target_part):
                    arrivals += 1
                    if part == 0:
                        arriving |= piece
                    else:
                        upper_arriving |= piece
                    if mode_of(state) == KING:
                        king_wins += 1 if piece & ranked_pieces(state, 0, part) else 0
                if target_part == 0:
                    attacked |= targets & pieces_of(state, 1 - seat, 0)
                else:
                    upper_attacked |= targets & pieces_of(state, 1 - seat, 1)
    attacks = popcount(attacked) + popcount(upper_attacked)
    if mode_of(state) == KING:
        king_wins += 1 if attacked & ranked_pieces(state, 0, 0) | upper_attacked & ranked_pieces(state, 0, 1) else 0
    value: float = (
        weights[base + MOBILITY] * mobility + weights[base + ARRIVALS] * arrivals + weights[base + ATTACKS] * attacks
    )
    value += weights[base + KING_WINS] * king_wins
    if seat == state.to_move:
        value += weights[base + ARRIVALS_NEXT] * arrivals + weights[base + ATTACKS_NEXT] * attacks
        value += weights[base + KING_WINS_NEXT] * king_wins + weights[base + TO_MOVE]
    return value, attacked, upper_attacked, arriving, upper_arriving


@subroutine
def outlook(state: AnyState, seat: int, weights: Weights, base: int) -> float:
    """``prospects`` of *seat* less its opponent's, with safe arrivals."""
    value, attacked, upper_attacked, arriving, upper_arriving = prospects(state, seat, weights, base)
    others, danger, upper_danger, others_arriving, others_upper = prospects(state, 1 - seat, weights, base)
    safe = popcount(arriving & ~danger) + popcount(upper_arriving & ~upper_danger)
    safe -= popcount(others_arriving & ~attacked) + popcount(others_upper & ~upper_attacked)
    ahead: float = value - others + weights[base + SAFE_ARRIVALS] * safe
    return ahead


@subroutine
def advance(state: AnyState, seat: int, weights: Weights, base: int) -> float:
    rows, close, at_ease, count = 0, 0, 0, 0
    size = size_of(state)
    for part in range(parts_of(state)):
        pieces = living_pieces(state, seat, part)
        rows += rows_up(state, pieces, part)
        count += popcount(pieces)
        at_ease += popcount(pieces & tiles_of(state, seat, part))
        close += popcount(pieces & row_before_last(state, seat, part))
    if seat != 0:
        rows = (size - 1) * count - rows
    value: float = weights[base + ROWS] * rows / (size - 1)
    value += weights[base + LAST_ROWS] * close + weights[base + OWN_TILES] * at_ease
    return value


@subroutine
def row_before_last(state: AnyState, seat: int, part: int) -> int:
    """Bitboard of the row before *seat*'s far row."""
    size = size_of(state)
    if seat == 0:
        return far_row(state, 0, part) >> size
    return far_row(state, 1, part) << size


@subroutine
def sees_ahead(weights: Weights, base: int) -> bool:
    """Whether *weights* need move generation."""
    for index in range(MOBILITY, ENTRIES):
        if weights[base + index] != 0.0:
            return True
    return False


@subroutine
def of_the_mode(state: AnyState, seat: int, weights: Weights, base: int) -> float:
    """The features of the mode's own aims, from the view of *seat*."""
    other = 1 - seat
    value: float = 0.0
    if mode_of(state) == KING:
        value += weights[base + KING_ROWS] * (king_rows(state, seat) - king_rows(state, other))
    else:
        value += weights[base + VERDICT] * verdict(state, seat)
    if mode_of(state) == DASH:
        value += weights[base + GOAL_PIECES] * (count_goals(state, seat) - count_goals(state, other))
    elif mode_of(state) == SUM:
        value += weights[base + GOAL_SUM] * (goal_sum(state, seat) - goal_sum(state, other))
        value += weights[base + LIVING_SUM] * (living_sum(state, seat) - living_sum(state, other))
    return value


@evaluate.of(*STATES)
def _evaluate(state: AnyState, seat: int, weights: Weights) -> float:
    if state.stage != MOVING:
        return 0.0
    base = ENTRIES * mode_of(state) if len(weights) > ENTRIES else 0
    value: float = 0.0
    if weights[base + H1] != 0.0:
        value += weights[base + H1] * goals_and_pieces(state, seat)
    if weights[base + H3] != 0.0:
        value += weights[base + H3] * nearness(state, seat)
    other = 1 - seat
    value += of_the_mode(state, seat, weights, base)
    value += weights[base + LIVING_PIECES] * (count_living(state, seat) - count_living(state, other))
    if sees_ahead(weights, base):
        value += outlook(state, seat, weights, base)
        value += advance(state, seat, weights, base) - advance(state, other, weights, base)
    return value
