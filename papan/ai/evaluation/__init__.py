"""The worth of a position or a step, before any search: one module a game, named as its rules' module.

An evaluation is a vector of *weights* over features that the game's module computes. So the players of a
paper, the tuned standard and a learned one differ in data, not in code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from papan.ai.limits import WIN_BOUND
from papan.game.facts import Game, part_of
from papan.game.kernel import STATE_TYPES, kernel, subroutine
from papan.game.kernel.rng import RandomState, below
from papan.game.rules import State, moves

Weights = Any
"""A ``numpy`` array, as kernels get them, of ``float64`` mostly; what each entry weighs is the game's own."""
WeightValues = Sequence[float] | NDArray[np.float64] | NDArray[np.float32] | NDArray[np.int16]
"""Weights as they are written down; those that are many as ``float32`` or, in small parts of their unit, ``int16``."""

STANDARD = "standard"
"""The name of the weights that ``minimax`` plays by."""
CONSPIRACY = "conspiracy"
"""The name of the weights that single conspiracy numbers refer to, where they are not the standard ones."""

_SUREST = 0.999  # a mean that is learned is never certain
_MOST_STEEP = 30.0  # beyond it the logistic curve is 0 or 1 to all digits that matter


def as_vector(weights: WeightValues) -> NDArray[Any]:
    """*weights* as searches hand them to kernels: those that are large, of a network or read-only, as they are."""
    if isinstance(weights, np.ndarray) and (weights.dtype == np.float32 or not weights.flags.writeable):
        return weights
    return np.array(weights, np.float64)


@kernel
def evaluate(state: State, seat: int, weights: Weights) -> float:
    """The worth of *state* to *seat*: higher is better, 0 is even, and any value is well below a win's.

    Asked only of states that are not over, at the start of a turn; within a turn as well where a search wants to know
    what to look at first, so there it may be rough. It need not be antisymmetric: published ones often are not, so a
    search asks it for one and the same seat at every leaf.
    """
    raise NotImplementedError


@kernel
def is_quiet(state: State) -> bool:
    """Whether ``evaluate`` may be trusted in *state*, or a search had better look a turn further.

    Asked of the same states. A turn further and further, all must come to quiet ones: an exchange ends.
    """
    raise NotImplementedError


@is_quiet.otherwise
def _always_quiet(state: State) -> bool:
    return True


@kernel
def candidates(state: State, buffer: Any, base: int) -> int:
    """Write the legal steps that a search should look at into ``buffer[base:]``; return the index after the last.

    Each once and at least one, what looks best first. Where a game leaves out others, by what it knows of them, a
    search proves nothing by looking at these alone: who loses by all of them may have another step.
    """
    raise NotImplementedError


@candidates.otherwise
def _all_steps(state: State, buffer: Any, base: int) -> int:
    return moves(state, buffer, base)


def leaves_steps_out(state: State) -> bool:
    """Whether the game of *state* names the steps that are worth a look: a loss by all of them proves nothing."""
    return candidates.implementation(type(state)).function is not candidates.default


@kernel
def essential(state: State, buffer: Any, base: int) -> int:
    """Write the legal steps that settle what *state* is worth into ``buffer[base:]``; return the index after the last.

    Each once and at least one. Left out may be only steps that lose at once for certain, and where a step wins at
    once all others: so proofs may do without them.
    """
    raise NotImplementedError


@essential.otherwise
def _all_are(state: State, buffer: Any, base: int) -> int:
    return moves(state, buffer, base)


@kernel
def forcing(state: State, buffer: Any, base: int) -> int:
    """Write the legal steps that change much at once, captures above all, into ``buffer[base:]``; return their end.

    Asked only at the start of a turn, of states that are not over and quiet by ``is_quiet``. Each ends its turn, and
    after some of them there are no more. A search looks at nothing else beyond its horizon; where a game names none,
    it judges there.
    """
    raise NotImplementedError


@forcing.otherwise
def _none_is(state: State, buffer: Any, base: int) -> int:
    return base


@kernel
def standing(state: State, seat: int, weights: Weights) -> float:
    """As ``evaluate``, for a search that looks at ``forcing`` steps itself: without what these promise."""
    raise NotImplementedError


@standing.otherwise
def _as_ever(state: State, seat: int, weights: Weights) -> float:
    worth: float = evaluate(state, seat, weights)
    return worth


@kernel
def exchange(state: State, step: int, weights: Weights, least: float) -> float:
    """What the legal *step* wins by all captures on its cell, each side free to stop: 0 where it captures nothing.

    In the units of ``evaluate``; an upper bound is enough where its sign is right, or where it is at most *least*.
    """
    raise NotImplementedError


@exchange.otherwise
def _no_capture(state: State, step: int, weights: Weights, least: float) -> float:
    return 0.0


@kernel
def can_pass(state: State) -> bool:
    """Whether the seat to act would be no better off if it could pass, for all that is likely (*null move*).

    Asked only at the start of a turn. No where a forced turn can be a misfortune (*zugzwang*), and where something
    hangs over the seat that a pass would leave to happen for certain, such as check.
    """
    raise NotImplementedError


@can_pass.otherwise
def _never(state: State) -> bool:
    return False


@kernel
def passed(state: State) -> State:
    """*state* with the next seat to act, as if the one to act had passed.

    Asked only where ``can_pass`` says yes, and of games that name their ``defences``.
    """
    raise NotImplementedError


@passed.otherwise
def _not_passed(state: State) -> State:
    return state


@kernel
def fewest_turns(state: State, seat: int) -> int:
    """A lower bound of the turns that *seat* still has to take to win *state*, whatever others do; at least 1.

    The turn counts that *seat* is in. Asked only of states that are not over; a search for a win within so many turns
    leaves out what takes more for certain.
    """
    raise NotImplementedError


@fewest_turns.otherwise
def _one_will_do(state: State, seat: int) -> int:
    return 1


NOT_LISTED = 1 << 20
"""In place of a number of turns: the tables don't have the position."""
NO_ENDINGS: NDArray[np.uint8] = np.zeros(0, np.uint8)
"""The tables of a game that has none."""


@kernel
def turns_to_end(state: State, endings: Any) -> int:
    """The turns that *state* still takes by tables of endings: n for a win of the seat to act, -n for a loss, 0 a draw.

    The winner hurries, the loser holds out; ``NOT_LISTED`` where the tables don't have it. Asked only of states of two
    seats that are not over and at the start of a turn. Tables know neither draw counters nor what has been before: a
    win or loss is one where the turns are left that it takes, and a draw is always one.

    :param endings: what ``endings_of`` gives.
    """
    raise NotImplementedError


@turns_to_end.otherwise
def _has_no_tables(state: State, endings: Any) -> int:
    return NOT_LISTED


@kernel
def appraise(state: State, step: int, weights: Weights) -> float:
    """A greedy player's rating of the legal *step* for the seat to act: higher is better."""
    raise NotImplementedError


@appraise.otherwise
def _indifferent(state: State, step: int, weights: Weights) -> float:
    return 0.0


@kernel
def greedy_step(state: State, weights: Weights, buffer: Any, random: RandomState) -> int:
    """The step that ``appraise`` rates highest, for the seat to act; of several, each as likely as any other.

    A game need not say how, but one that is played by the million may know a quicker way than to rate them one by one.

    :param buffer: room for all steps.
    """
    raise NotImplementedError


@greedy_step.otherwise
def _rate_each(state: State, weights: Weights, buffer: Any, random: RandomState) -> int:
    return best_of_all(state, weights, buffer, random)


@subroutine
def best_of_all(state: State, weights: Weights, buffer: Any, random: RandomState) -> int:
    """As ``greedy_step``: each legal step is rated."""
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
    """The winning chance, 0 to 1, that *score* stands for: a logistic curve; forced wins and losses are certain.

    :param scale: the evaluation's ``SCALE``.

    >>> from papan.ai.limits import WIN
    >>> winning_chance(0.0, 5.0), round(winning_chance(5.0, 5.0), 2), winning_chance(WIN - 3, 5.0)
    (0.5, 0.73, 1.0)
    """
    if abs(score) >= WIN_BOUND:
        return float(score > 0)
    return 1.0 / (1.0 + math.exp(-max(-_MOST_STEEP, min(score / scale, _MOST_STEEP))))


@subroutine
def score_of_mean(mean: float, scale: float) -> float:
    """The score that stands for a *mean* of what a game of two pays, from -1 to 1, as ``winning_chance`` has it.

    :param scale: the evaluation's ``SCALE``.
    """
    within = min(max(mean, -_SUREST), _SUREST)
    return scale * math.log((1.0 + within) / (1.0 - within))


@kernel
def milestone(state: State) -> int:
    """How many milestones, such as a new largest tile, lie behind *state*: they divide a long game into segments."""
    raise NotImplementedError


@milestone.otherwise
def _none(state: State) -> int:
    return 0


@dataclass(frozen=True)
class Selectivity:
    """What a search may go by that leaves out where little is to be expected; see ``papan.ai.search.pruning``.

    Scores are those of the standard weights. What suits one game makes another weaker, so each is to be measured.
    """

    margin: float = 0.0
    """What a quiet turn hardly ever changes a score by; 0 where that isn't known."""
    grows: bool = False
    """Whether reductions grow though no captures are looked at beyond the horizon."""
    probe: float = 0.0
    """By how much a search that looks less far must be past what matters to be believed; 0 where that isn't known."""
    singular: float = 0.0
    """For each turn looked ahead, by how much all other steps must be worse than the best one for it to be looked at a
    turn further; 0 where that isn't known."""


UNKNOWN_SELECTIVITY = Selectivity()


@dataclass(frozen=True)
class Greedy:
    """A player that takes the step with the highest ``appraise``, ties at random."""

    weights: str


@dataclass(frozen=True)
class Searching:
    """A player that searches *depth* turns by alpha-beta, or where chance acts by expectimax; ties at random."""

    weights: str
    depth: int
    prefers_wins: bool = True
    """Whether a win counts more than any evaluation; some published players judge a finished game by ``evaluate``."""


OwnPlayer = Greedy | Searching | str
"""A player of a game's own; a text stands for the player of that name."""


@dataclass(frozen=True)
class Level:
    """How ``minimax`` plays at a level: with the move time as its other limit."""

    depth: int | None
    """How many turns it looks ahead; None has no cap."""
    weights: str = STANDARD
    """What it judges positions by: where one turn ahead is strong already, it may see less."""


@dataclass(frozen=True)
class Strength:
    """How one of the eight levels that people choose from plays: what it sees, and how it errs."""

    depth: int
    """How many turns it looks ahead: at least two from the third level on, where there is somebody to play against."""
    temperature: float = 0.0
    """How much it minds what it gives away, in units of ``SCALE``: of two turns one temperature apart it takes the
    better one e times as often. At 0 it always takes what looks best."""
    blindness: float = 0.0
    """The share of its choices for which it does not look ahead: any step will do; from the third level on, any that
    does not lose at once."""
    weights: str = STANDARD
    """What it judges positions by."""


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
"""How the eight levels play, the weakest first, in a game that says nothing of them; a text is one of ``LEVELS``."""


class Evaluation(Protocol):
    """The facts that a game's module in this folder offers beside its kernels."""

    @property
    def WEIGHTS(self) -> Mapping[str, WeightValues]:  # noqa: N802 - a constant of a module
        """Weights by name; ``STANDARD`` among them."""

    @property
    def SCALE(self) -> float:  # noqa: N802
        """The score that stands for a winning chance of 1/(1 + 1/e), 73 %; for one seat, one unit to be shown."""

    @property
    def THRESHOLD(self) -> float:  # noqa: N802
        """T of the single conspiracy number, before any milestone: a score that says "clearly ahead"."""

    @property
    def LEVELS(self) -> Mapping[str, Level]:  # noqa: N802
        """``easy``, ``medium`` and ``hard``. Easy scores at most 30 % against ``minimax:depth=2``."""

    @property
    def PLAYERS(self) -> Mapping[str, OwnPlayer]:  # noqa: N802
        """The game's own players by name."""


class Forecasting(Protocol):
    """A further function of a game's module, where the standard weights promise more than the game will pay."""

    def forecast(self, state: State) -> WeightValues:
        """The weights by which ``evaluate`` tells what *state* may be expected to end with."""


def selectivity_of(evaluation: Evaluation) -> Selectivity:
    """What searches may leave out that judge by *evaluation*: its ``SELECTIVITY``, or nothing that needs one."""
    found = getattr(evaluation, "SELECTIVITY", UNKNOWN_SELECTIVITY)
    assert isinstance(found, Selectivity)
    return found


def trust_of(evaluation: Evaluation) -> float:
    """How far Monte-Carlo search trusts *evaluation*, from 0 to 1: its ``TRUST``; altogether where it says nothing.

    That is its share in what a simulation counts; the rest is the result of a game played at random.
    """
    return float(getattr(evaluation, "TRUST", 1.0))


def endings_of(evaluation: Evaluation) -> NDArray[np.uint8]:
    """The tables of endings that *evaluation* has, as its ``endings`` gives them, read at the first use; or none."""
    tables: NDArray[np.uint8] = getattr(evaluation, "endings", lambda: NO_ENDINGS)()
    return tables


def evaluation_of(game: Game) -> Evaluation:
    """The evaluation module of *game*; importing it registers its kernels.

    A game without one is judged by nothing: a search sees its ends, and everything before them as even.

    :raises PartError: the module can't be loaded, or is no evaluation.
    """
    if not game.parts.evaluation:
        return _unjudged(game)
    return part_of(game, game.parts.evaluation, Evaluation)


def strengths_of(game: Game) -> Sequence[Strength | str]:
    """How the eight levels of *game* play: the ``STRENGTHS`` of its module, if it has them, or ``USUAL_STRENGTHS``.

    :raises PartError: the module can't be loaded, or is no evaluation.
    """
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
    """Have ``evaluate`` find every state of *game* even."""
    rules = game.rules.__name__
    for state_type in STATE_TYPES:
        if f"{state_type.__module__}.".startswith(f"{rules}.") and state_type not in evaluate.implementations:
            evaluate.of(state_type)(_even)
    return _Unjudged()


def _even(state: State, seat: int, weights: Weights) -> float:
    return 0.0
