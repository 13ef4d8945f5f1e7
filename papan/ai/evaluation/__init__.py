"""Static evaluation of positions and steps: one module a game, named as its rules' module.

An evaluation is a vector of *weights* over features that the game's module computes, so the players of a paper, the
tuned standard and a learned one differ in data, not in code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from papan.ai.limits import WIN_BOUND
from papan.game.game import Game, part_of
from papan.game.kernel import STATE_TYPES, kernel, kernel_with_default, subroutine
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import State, moves

Weights = Any
"""A ``numpy`` array, mostly of ``float64``."""
WeightValues = Sequence[float] | NDArray[np.float64] | NDArray[np.float32] | NDArray[np.int16]
"""Weights as modules offer them; learned ones as ``float32`` or as ``int16`` fractions of a unit."""

STANDARD = "standard"
"""The name of the weights that ``minimax`` plays by."""
CONSPIRACY = "conspiracy"
"""The name of the weights for single conspiracy numbers, if not the standard ones."""

_SUREST = 0.999  # learned means are never certain
_MOST_STEEP = 30.0  # beyond it the logistic curve is 0 or 1 to all digits that matter


def as_vector(weights: WeightValues) -> NDArray[Any]:
    """*weights* as an array for kernels; networks' and read-only ones are not copied."""
    if isinstance(weights, np.ndarray) and (weights.dtype == np.float32 or not weights.flags.writeable):
        return weights
    return np.array(weights, np.float64)


@kernel
def evaluate(state: State, seat: int, weights: Weights) -> float:
    """The worth of *state* to *seat*: higher is better, 0 is even, and every value is well below a win's.

    Called for states that are not over, at the start of a turn; within a turn only to order steps, where it may be
    rough. It need not be antisymmetric, so a search evaluates every leaf for the same seat.
    """
    raise NotImplementedError


@kernel_with_default
def is_quiet(state: State) -> bool:
    """Whether ``evaluate`` is reliable in *state*; where not, a search looks a turn further.

    Called for the same states. Every line must come to a quiet state.
    """
    return True


@kernel_with_default
def mean_evaluation(state: State, seat: int, weights: Weights) -> float:
    """The mean of ``evaluate`` over the outcomes of chance in *state*, finished games included; infinity: sum it up.

    Only for games whose evaluations add up more cheaply than one by one. After one outcome a seat has to act.
    """
    return math.inf


@kernel_with_default
def candidates(state: State, buffer: Any, base: int) -> int:
    """Write the legal steps worth searching into ``buffer[base:]``, best first; return the index after the last.

    At least one, each once. Where a game leaves steps out, a loss by all of these proves nothing.
    """
    return moves(state, buffer, base)


def leaves_steps_out(state: State) -> bool:
    """Whether the game of *state* implements ``candidates``: then a loss by all of them proves nothing."""
    return candidates.implementation(type(state)).function is not candidates.default


@kernel_with_default
def essential(state: State, buffer: Any, base: int) -> int:
    """Write the legal steps that a proof must try into ``buffer[base:]``; return the index after the last.

    At least one, each once. Only steps that certainly lose at once may be left out, and all others where one wins.
    """
    return moves(state, buffer, base)


@kernel_with_default
def forcing(state: State, buffer: Any, base: int) -> int:
    """Write the steps of quiescence search, captures above all, into ``buffer[base:]``; return their end.

    Called at the start of a turn, for states that are not over and are quiet. Each ends its turn, and there is no
    endless line of them. Where a game has none, a search evaluates at its horizon.
    """
    return base


@kernel_with_default
def standing(state: State, seat: int, weights: Weights) -> float:
    """The stand-pat score: as ``evaluate``, without the gains of ``forcing`` steps."""
    worth: float = evaluate(state, seat, weights)
    return worth


@kernel_with_default
def exchange(state: State, step: int, weights: Weights, least: float) -> float:
    """Static exchange evaluation: the gain of *step* by all captures on its cell; 0 where it captures nothing.

    In the units of ``evaluate``; an upper bound will do if its sign is right, or if it is at most *least*.
    """
    return 0.0


@kernel_with_default
def can_pass(state: State) -> bool:
    """Whether null-move pruning is allowed: the seat to act would most likely not gain by passing.

    Called at the start of a turn. No in zugzwang-prone positions and where a pass would be refuted, as in check.
    """
    return False


@kernel_with_default
def passed(state: State) -> State:
    """*state* after a pass. Called only where ``can_pass``, and in games that implement ``defences``."""
    return state


@kernel_with_default
def fewest_turns(state: State, seat: int) -> int:
    """A lower bound, at least 1, of the turns that *seat* must take to win *state*, the current one included.

    Called for states that are not over. A search for a win within a number of turns prunes by it.
    """
    return 1


NOT_LISTED = 1 << 20
"""``turns_to_end`` of a position that the tables don't have."""
NO_ENDINGS: NDArray[np.uint8] = np.zeros(0, np.uint8)


@kernel_with_default
def turns_to_end(state: State, endings: Any) -> int:
    """Turns to the end by endgame tables: n for a win of the seat to act, -n for a loss, 0 for a draw.

    ``NOT_LISTED`` where the tables don't have it. Called for states of two seats that are not over, at the start of a
    turn. Tables ignore draw counters and repetitions: a win counts only if enough turns are left; a draw always holds.

    :param endings: the result of ``endings_of``.
    """
    return NOT_LISTED


@kernel_with_default
def appraise(state: State, step: int, weights: Weights) -> float:
    """A greedy player's rating of the legal *step* for the seat to act: higher is better."""
    return 0.0


@kernel_with_default
def greedy_step(state: State, weights: Weights, buffer: Any, random: RandomState) -> int:
    """The step that ``appraise`` rates highest, ties at random. A game may know a quicker way than rating each."""
    return best_of_all(state, weights, buffer, random)


@subroutine
def best_of_all(state: State, weights: Weights, buffer: Any, random: RandomState) -> int:
    best, ties = -math.inf, 0
    for index in range(moves(state, buffer, 0)):
        step = int(buffer[index])
        worth = appraise(state, step, weights)
        if worth > best:
            best, ties = worth, 0
        if worth == best:
            buffer[ties] = step
            ties += 1
    return int(buffer[below(random, ties)])


def winning_chance(score: float, scale: float) -> float:
    """The winning chance, 0 to 1, of *score* by a logistic curve; forced results are certain.


    >>> from papan.ai.limits import WIN
    >>> winning_chance(0.0, 5.0), round(winning_chance(5.0, 5.0), 2), winning_chance(WIN - 3, 5.0)
    (0.5, 0.73, 1.0)
    """
    if abs(score) >= WIN_BOUND:
        return float(score > 0)
    return 1.0 / (1.0 + math.exp(-max(-_MOST_STEEP, min(score / scale, _MOST_STEEP))))


@subroutine
def score_of_mean(mean: float, scale: float) -> float:
    """The score for an expected payoff of -1 to 1, the inverse of ``winning_chance``."""
    within = min(max(mean, -_SUREST), _SUREST)
    return scale * math.log((1.0 + within) / (1.0 - within))


@kernel_with_default
def milestone(state: State) -> int:
    """The number of milestones passed, such as new largest tiles: they divide a long game into segments."""
    return 0


@dataclass(frozen=True)
class Selectivity:
    """A game's margins for selective search, in scores of the standard weights; see ``papan.ai.search.pruning``.

    Each must be measured: what suits one game weakens another.
    """

    margin: float = 0.0
    """Futility margin: a quiet turn hardly ever changes a score by more; 0 for none."""
    grows: bool = False
    """Whether reductions grow without quiescence search."""
    probe: float = 0.0
    """ProbCut margin; 0 for none."""
    singular: float = 0.0
    """Singular-extension margin per turn of depth; 0 for none."""


UNKNOWN_SELECTIVITY = Selectivity()


@dataclass(frozen=True)
class Greedy:
    """A player that takes the step with the highest ``appraise``, ties at random."""

    weights: str


@dataclass(frozen=True)
class Searching:
    """A player that searches *depth* turns by alpha-beta, or by expectimax where chance acts; ties at random."""

    weights: str
    depth: int
    prefers_wins: bool = True
    """Whether a win beats any evaluation; some published players apply ``evaluate`` to finished games."""


OwnPlayer = Greedy | Searching | str
"""A game's own player; a text names another player."""


@dataclass(frozen=True)
class Level:
    """How ``minimax`` plays at a level, within the move time."""

    depth: int | None
    """In turns; None for no cap."""
    weights: str = STANDARD
    family: str = ""
    """The family of players that plays in place of ``minimax``, such as ``adaptive``."""


@dataclass(frozen=True)
class Strength:
    """How one of the eight levels plays: its depth and its errors."""

    depth: int
    """In turns: at least 2 from the third level on, where there is an opponent."""
    temperature: float = 0.0
    """Softmax temperature in units of ``SCALE``: of two turns one temperature apart, the better is e times as likely.
    At 0 it always takes the best."""
    blindness: float = 0.0
    """The share of choices made at random: among all steps; from the third level on, among those that don't lose at
    once."""
    weights: str = STANDARD


USUAL_STRENGTHS: Sequence[Strength | str] = (
    Strength(1, 1.0, blindness=0.7),
    "easy",
    Strength(2, 1.0, blindness=0.2),
    "medium",
    Strength(3, 0.2),
    Strength(4, 0.2),
    Strength(4),
    "hard",
)
"""``STRENGTHS`` of a game that has none, weakest first; a text is one of ``LEVELS``."""


class Evaluation(Protocol):
    """Everything that a game's evaluation module offers besides its kernels."""

    @property
    def WEIGHTS(self) -> Mapping[str, WeightValues]:  # noqa: N802 - a constant of a module
        """Weights by name; ``STANDARD`` among them."""

    @property
    def SCALE(self) -> float:  # noqa: N802
        """The score of a winning chance of 1/(1 + 1/e), 73 %; for one seat, the displayed unit."""

    @property
    def THRESHOLD(self) -> float:  # noqa: N802
        """T of the single conspiracy number before any milestone: a score of "clearly ahead"."""

    @property
    def LEVELS(self) -> Mapping[str, Level]:  # noqa: N802
        """``easy``, ``medium`` and ``hard``. Easy scores at most 30 % against ``minimax:depth=2``."""

    @property
    def PLAYERS(self) -> Mapping[str, OwnPlayer]:  # noqa: N802
        """The game's own players by name."""


class Forecasting(Protocol):
    """Optional function of a game's module, where the standard weights overestimate the final points."""

    def forecast(self, state: State) -> WeightValues:
        """The weights with which ``evaluate`` predicts the final points from *state*."""


def selectivity_of(evaluation: Evaluation) -> Selectivity:
    found = getattr(evaluation, "SELECTIVITY", UNKNOWN_SELECTIVITY)
    assert isinstance(found, Selectivity)
    return found


def trust_of(evaluation: Evaluation) -> float:
    """The share of *evaluation* in the value of a Monte-Carlo simulation, 0 to 1; the rest is a random playout's."""
    return float(getattr(evaluation, "TRUST", 1.0))


def endings_of(evaluation: Evaluation) -> NDArray[np.uint8]:
    """The endgame tables of *evaluation*, read at the first use; empty if it has none."""
    tables: NDArray[np.uint8] = getattr(evaluation, "endings", lambda: NO_ENDINGS)()
    return tables


def evaluation_of(game: Game) -> Evaluation:
    """The evaluation module of *game*; importing it registers its kernels.

    For a game without one every state before the end is even.

    :raises PartError: the module can't be loaded, or is no evaluation.
    """
    if not game.parts.evaluation:
        return _unjudged(game)
    return part_of(game, game.parts.evaluation, Evaluation)


def strengths_of(game: Game) -> Sequence[Strength | str]:
    """The ``STRENGTHS`` of *game*, or ``USUAL_STRENGTHS``; may raise PartError."""
    strengths: Sequence[Strength | str] = getattr(evaluation_of(game), "STRENGTHS", USUAL_STRENGTHS)
    return strengths


class _Unjudged:
    """The evaluation of a game that has none yet."""

    WEIGHTS: Mapping[str, WeightValues] = {STANDARD: (0.0,)}
    SCALE = 1.0
    THRESHOLD = SCALE
    TRUST = 0.0
    LEVELS: Mapping[str, Level] = {"easy": Level(1), "medium": Level(3), "hard": Level(None)}
    PLAYERS: Mapping[str, OwnPlayer] = {}


def _unjudged(game: Game) -> Evaluation:
    rules = game.rules.__name__
    for state_type in STATE_TYPES:
        if f"{state_type.__module__}.".startswith(f"{rules}.") and state_type not in evaluate.implementations:
            evaluate.of(state_type)(_even)
    return _Unjudged()


def _even(state: State, seat: int, weights: Weights) -> float:
    return 0.0
