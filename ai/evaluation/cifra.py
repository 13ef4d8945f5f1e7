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
"""

from __future__ import annotations

from ai.evaluation import STANDARD, Level, Searching, Weights, evaluate
from game.bits import lowest, popcount
from game.cifra_board import MOVING, State, far_row, goals, living, passable, pieces_of, stops
from game.kernel import subroutine
from game.sight import SIZE

# What each entry of the weights weighs; from MOBILITY on, what can be done in one move.
H1, H3 = 0, 1
GOAL_PIECES = 2
LIVING_PIECES = 3
VERDICT = 4  # who would win if play ended now, the more so the fewer living pieces one side has
MOBILITY = 5  # cells that living pieces can go to
ARRIVALS = 6  # living pieces that can go to the far row at once
ATTACKS = 7  # opponent's pieces that can be captured at once
ARRIVALS_NEXT = 8  # the last two again, where the seat is to move
ATTACKS_NEXT = 9

# The standard weights were found by trial, in games searched three turns deep against earlier ones.
WEIGHTS = {
    STANDARD: (0.0, 0.0, 9.0, 2.0, 6.0, 0.4, 2.0, 0.5, 0.6, 1.3),
    "h1": (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "h2": (1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "h3": (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
}
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
def goals_and_pieces(state: State, seat: int) -> float:
    """h1: what has been reached, and the pieces left, weighted by who is ahead."""
    own, other = popcount(goals(state, seat)), popcount(goals(state, 1 - seat))
    left = popcount(pieces_of(state, seat)) - popcount(pieces_of(state, 1 - seat))
    if own == 0 and other == 0:
        return 4.0 * left
    if own <= other:
        return 6.0 * own + 2.0 * left
    return 4.0 * own + 10.0 * left


@subroutine
def rows_up(pieces: int) -> int:
    """How many rows above row 1 each of *pieces* stands, added up."""
    rows = 0
    for row in range(1, SIZE):
        rows += popcount(pieces >> (SIZE * row))
    return rows


@subroutine
def nearness(state: State, seat: int) -> float:
    """h3: the nearer all own pieces are to the far row, the higher."""
    pieces = pieces_of(state, seat)
    rows_to_go = (SIZE - 1) * popcount(pieces) - rows_up(pieces) if seat == 0 else rows_up(pieces)
    return 0.5 / (0.01 + rows_to_go)


@subroutine
def verdict(state: State, seat: int) -> float:
    """The sign says whether *seat* would win if play ended now; the size, how soon it may end."""
    own, other = popcount(living(state, seat)), popcount(living(state, 1 - seat))
    ahead = popcount(goals(state, seat)) - popcount(goals(state, 1 - seat))
    if ahead == 0:
        ahead = own - other
    if ahead == 0:
        return 0.0
    fewest = max(min(own, other), 1)
    return 1.0 / fewest if ahead > 0 else -1.0 / fewest


@subroutine
def prospects(state: State, seat: int, weights: Weights) -> float:
    """What the living pieces of *seat* can do in one move."""
    mobility, arrivals, attacked = 0, 0, 0
    open_cells = passable(state, seat)
    pieces = living(state, seat)
    while pieces:
        targets = stops(state, seat, lowest(pieces), open_cells)
        pieces &= pieces - 1
        mobility += popcount(targets)
        arrivals += 1 if targets & far_row(seat) else 0
        attacked |= targets & pieces_of(state, 1 - seat)
    attacks = popcount(attacked)
    value: float = weights[MOBILITY] * mobility + weights[ARRIVALS] * arrivals + weights[ATTACKS] * attacks
    if seat == state.to_move:
        value += weights[ARRIVALS_NEXT] * arrivals + weights[ATTACKS_NEXT] * attacks
    return value


@subroutine
def sees_ahead(weights: Weights) -> bool:
    """Whether *weights* ask for ``prospects`` at all."""
    for index in range(MOBILITY, len(weights)):
        if weights[index] != 0.0:
            return True
    return False


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    if state.stage != MOVING:
        return 0.0
    value = 0.0
    if weights[H1] != 0.0:
        value += weights[H1] * goals_and_pieces(state, seat)
    if weights[H3] != 0.0:
        value += weights[H3] * nearness(state, seat)
    if weights[VERDICT] != 0.0:
        value += weights[VERDICT] * verdict(state, seat)
    other = 1 - seat
    if weights[GOAL_PIECES] != 0.0:
        value += weights[GOAL_PIECES] * (popcount(goals(state, seat)) - popcount(goals(state, other)))
    if weights[LIVING_PIECES] != 0.0:
        value += weights[LIVING_PIECES] * (popcount(living(state, seat)) - popcount(living(state, other)))
    if sees_ahead(weights):
        value += prospects(state, seat, weights) - prospects(state, other, weights)
    return value
