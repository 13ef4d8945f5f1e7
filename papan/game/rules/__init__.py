"""The contract of a game's rules: kernels, and the functions and constants of its module.

A game is a module or a package in this folder: kernels, registered for its types of state, and the functions of
``Rules`` below for people. There is no base class; ``papan/game/rules/connect_four.py`` is the example. The contract of
each function is documented here; a game's module documents only what is special to the game.

Seats are numbered from 0 in the order of play. A *step* is an integer code, whose meaning depends on the game; a seat
may take several steps before another is to act, and together they are its *turn*. Register an implementation of a
kernel with ``@moves.of(State)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol

from papan.game.base.protocols import offers
from papan.game.base.sentences import SentenceError
from papan.game.kernel import kernel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from papan.game.kernel.rng import RandomState

Outcome = Literal["won", "lost", "draw", "over"]

MOST_SEATS = 4
"""The maximum of seats for searches and learners."""
CHANCE = -1
"""The mover for dice and for drawing tiles or cards."""

NOBODY = -1
"""A bystander, for ``observe``: sees what all seats can see."""

State = Any
"""An instance of a class decorated with ``@papan.game.kernel.state``."""


@kernel
def mover(state: State) -> int:
    """The seat to act, or ``CHANCE``; any seat once the game is over."""
    raise NotImplementedError


@kernel
def moves(state: State, buffer: Any, base: int) -> int:
    """Write the legal steps into ``buffer[base:]``, each once, in any order; return the index after the last.

    At CHANCE these are the outcomes. There is at least one unless the game is over, and none then.
    """
    raise NotImplementedError


@kernel
def play(state: State, step: int) -> State:
    """The state after the legal *step*."""
    raise NotImplementedError


@kernel
def is_over(state: State) -> bool:
    """Whether the game has ended."""
    raise NotImplementedError


@kernel
def payoff(state: State, seat: int) -> float:
    """The payoff of *seat*, once the game is over: 1 win, 0 draw, -1 loss, unless the game says otherwise."""
    raise NotImplementedError


@kernel
def key(state: State) -> int:
    """A 64-bit hash of the position without draw counters, perhaps negative; collisions are practically impossible."""
    raise NotImplementedError


@kernel
def canonical_key(state: State) -> tuple[int, int]:
    """The least ``key`` of all symmetric images of *state*, and the number of the symmetry.

    Symmetries are numbered from 0, the identity, to 15 at most. Symmetric states have the same canonical key and the
    same value, but different steps; with the same symmetry, they are the same state.
    """
    raise NotImplementedError


@canonical_key.otherwise
def _one_way_round(state: State) -> tuple[int, int]:
    return key(state), 0


@kernel
def can_repeat(state: State) -> bool:
    """Whether positions of this game can repeat, so that a search must check its path."""
    raise NotImplementedError


@can_repeat.otherwise
def _never(state: State) -> bool:
    return False


@kernel
def chance(state: State, step: int) -> float:
    """The probability of the outcome *step* at CHANCE."""
    raise NotImplementedError


@chance.otherwise
def _certain(state: State, step: int) -> float:
    return 1.0


@kernel
def observe(state: State, seat: int) -> State:
    """The state as *seat* sees it: hidden cards replaced by the game's mark for unknown."""
    raise NotImplementedError


@observe.otherwise
def _nothing_hidden(state: State, seat: int) -> State:
    return state


@kernel
def guess(state: State, seat: int, random: RandomState) -> State:
    """A random state without unknowns that looks to *seat* like *state*, which may be an observation.

    States are drawn with their probability by the rules. The legal steps of *seat* are the same.
    """
    raise NotImplementedError


@guess.otherwise
def _nothing_to_guess(state: State, seat: int, random: RandomState) -> State:
    return state


@kernel
def deal(state: State, facts: Any, random: RandomState) -> State:
    """A random start with the distribution of ``start``, made from any start *state*.

    Default: ``guess``; games without hidden things but with different starts implement it.

    :param facts: an array of ``int64`` by ``Dealing.to_deal``.
    """
    raise NotImplementedError


@deal.otherwise
def _all_that_nobody_sees(state: State, facts: Any, random: RandomState) -> State:
    return guess(state, NOBODY, random)


@kernel
def allied(state: State, seat: int, other: int) -> bool:
    """Whether two seats are the same or in one team."""
    raise NotImplementedError


@allied.otherwise
def _alone(state: State, seat: int, other: int) -> bool:
    return seat == other


@kernel
def seats(state: State) -> int:
    """The number of seats at the start, including those that are out."""
    raise NotImplementedError


@seats.otherwise
def _two(state: State) -> int:
    return 2


@kernel
def repetition_payoff(state: State) -> float:
    """The payoff of the seat that has just moved if *state* is repeated: 0 for a draw, -1 for a loss.

    The rule of a match considers all positions between two repetitions; so do searches, by the value of each
    (``papan.ai.search.repetition``).
    """
    raise NotImplementedError


@repetition_payoff.otherwise
def _draw(state: State) -> float:
    return 0.0


PREY = 16
"""The bits of ``not_chased``."""


@kernel
def not_chased(state: State) -> int:
    """For games that forbid perpetual chase: a bit for each piece of the seat to act that the last turn does not chase.

    A piece has the same of the ``PREY`` bits throughout a cycle, and one bit belongs to something never chased. 0, the
    default, where a chase is no matter. A side chases if one piece has no bit after any of its turns of a cycle.
    """
    raise NotImplementedError


@not_chased.otherwise
def _nothing_matters(state: State) -> int:
    return 0


@kernel
def achieved(state: State, seat: int, goal: int) -> int:
    """Whether *seat* has achieved *goal*: 1 yes, -1 not any more, 0 open.

    Goal 0 is to win the game; the module's ``GOAL`` describes other numbers.
    """
    raise NotImplementedError


@achieved.otherwise
def _has_won(state: State, seat: int, goal: int) -> int:
    if not is_over(state):
        return 0
    return 1 if payoff(state, seat) > 0.0 else -1


NO_COUNTER = 1 << 30
"""More steps than any game has."""


@kernel
def steps_to_draw(state: State) -> int:
    """The number of steps without progress until a draw counter ends the game; ``NO_COUNTER`` without one.

    Together with ``key`` it determines the rest of the game, except for repetitions.
    """
    raise NotImplementedError


@steps_to_draw.otherwise
def _no_draw_counter(state: State) -> int:
    return NO_COUNTER


UNNUMBERED = -1
"""The ``reason_number`` of games that have none."""


@kernel
def reason_number(state: State) -> int:
    """A number for the reason why *state* ended: equal numbers mean equal reasons in ``ending``.

    It is not negative; ``UNNUMBERED`` for games without such numbers.
    """
    raise NotImplementedError


@reason_number.otherwise
def _unnumbered(state: State) -> int:
    return UNNUMBERED


@kernel
def content_at(state: State, cell: int) -> int:
    """What stands on *cell*, from 1 to 15 as the game numbers it; 0 for nothing. For games that are ``Searchable``.

    Cells have numbers up to 510.
    """
    raise NotImplementedError


# ------------------------------------------------------------------------------- the functions of a module


class Ending(NamedTuple):
    """How a game ended: the payoffs, and the reason as a clause.

    >>> Ending((1.0, -1.0, 1.0, -1.0), "reached level 3").winners
    (0, 2)
    """

    payoffs: tuple[float, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won; none in a draw and in a game for one."""
        if len(self.payoffs) == 1:
            return ()
        return tuple(seat for seat, payoff in enumerate(self.payoffs) if payoff > 0)

    @property
    def winner(self) -> int | None:
        """The one seat that won, or None."""
        winners = self.winners
        return winners[0] if len(winners) == 1 else None

    def outcome(self, seat: int) -> Outcome:
        """The result for *seat*; "over" in a game for one."""
        if len(self.payoffs) == 1:
            return "over"
        return "won" if self.payoffs[seat] > 0 else "lost" if self.payoffs[seat] < 0 else "draw"


class Goal(NamedTuple):
    """The goals of a game besides winning: the numbers for the kernel ``achieved``."""

    words: Callable[[int], str]
    """The words for a number, after "can force"."""
    numbers: Sequence[int]


class PositionError(SentenceError, ValueError):
    """A text is no position; the message says what is wrong, and where."""


class IllegalStep(SentenceError, ValueError):
    """The rules refuse a step; the message names the rule."""


class NotationError(SentenceError, ValueError):
    """A notation is no legal turn; the message says where it is wrong."""


class Rules(Protocol):
    """The functions and constants of a game's module besides its kernels.

    Texts are English sentences of ``papan.game.base.sentences``. ``papan.game.rules.one_click`` has some functions for
    games with one click a step.
    """

    @property
    def __name__(self) -> str:
        """The module's full name; its types of state are defined in it or in its submodules."""

    @property
    def MOST_STEPS(self) -> int:  # noqa: N802 - a constant of a module
        """An upper bound of the legal steps of any state."""

    @property
    def PHASES(self) -> Mapping[str, Sequence[str]]:  # noqa: N802
        """The phases, and for each the phases that a step can lead to; a game starts in the first one."""

    @property
    def PERFT_COUNTS_ENDED_GAMES(self) -> bool:  # noqa: N802
        """Whether a game that ends early counts as a leaf in deeper perfts."""

    def start(self, options: Mapping[str, str], random: Random) -> State:
        """The first state; *options* are complete and valid, *random* is for dealing."""

    def phase(self, state: State) -> str:
        """The current phase, a key of ``PHASES``."""

    def notation(self, state: State, step: int) -> str:
        """The notation of a legal *step*; a turn's notation is that of its steps, joined."""

    def cells(self, state: State, step: int) -> tuple[int, ...]:
        """The cells to point at for a legal *step*, in order; () for a choice by name."""

    def refusal(self, state: State, step: int) -> str:
        """A sentence that says why *step* is illegal."""

    def refusal_at(self, state: State, cells: tuple[int, ...]) -> str:
        """A sentence that says why *cells*, pointed at in this order, make no legal step."""

    def ending(self, state: State) -> Ending:
        """The ending of the finished game *state*."""

    def describe(self, state: State, step: int) -> tuple[str, str]:
        """A legal *step* as a choice by name: a few words, and a sentence or "" to explain it."""

    def prompt(self, state: State, chosen: int | None) -> tuple[str, str]:
        """The request to the seat to act in a few words, and a sentence or "" to explain it.

        :param chosen: the first cell, if a step needs two.
        """

    def seat_note(self, state: State, seat: int) -> tuple[str, str]:
        """A name for *seat* (its god, its colour) or "", and a few words about it or ""."""

    def text(self, state: State) -> str:
        """The position text of *state*, at the start of a turn."""

    def parse(self, text: str, options: Mapping[str, str]) -> State:
        """The state that *text* describes under *options*; raises PositionError."""


class Repeating(Protocol):
    """For games with ``can_repeat``."""

    def repetition_ending(self, states: Sequence[State]) -> Ending | None:
        """The ending if the last of *states* was repeated too often, or None."""


class Enumerating(Protocol):
    """For games with hidden things, all of which can be listed where few are left."""

    def deals(self, state: State, seat: int, most: int) -> Sequence[tuple[State, int]] | None:
        """All states that look to *seat* like *state*, each with a weight as its probability; None if over *most*."""


class Dealing(Protocol):
    """For games whose options determine what the kernel ``deal`` deals."""

    def to_deal(self, options: Mapping[str, str]) -> Sequence[int]:
        """The integers for ``deal`` from complete and valid *options*."""


def facts_to_deal(rules: Rules, options: Mapping[str, str]) -> NDArray[np.int64]:
    """The ``facts`` for the kernel ``deal`` under complete and valid *options*."""
    import numpy as np

    return np.array(rules.to_deal(options) if offers(rules, Dealing) else (), np.int64)


class ForeignTurns(Protocol):
    """For games whose turns are also written in other ways than by ``notation``, such as shorter or older ones."""

    def foreign_turns(self, state: State, text: str) -> Sequence[Sequence[int]]:
        """The steps of each legal turn of *state* that *text* can mean in another notation; none if it means nothing.

        Turns that lead to the same state may be told once. It raises no errors.
        """


class BoardRows(NamedTuple):
    """A board as rows of signs, for texts such as FEN."""

    rows: Sequence[Sequence[int]]
    """The cells of ``content_at``, the uppermost row first; all rows have the same length."""
    signs: str
    """The sign of each content; the first one is that of an empty cell."""
    sides: str
    """The sign of each seat as the one to move."""
    symmetries: int = 1
    """1: none; 2: left and right may be exchanged; 8: the board may also be turned."""
    given: Mapping[int, int] = {}
    """The contents of cells beyond the board that tell its form, such as its size."""
    pointed: Mapping[int, Sequence[int]] = {}
    """The cells that a cell of the board in the window stands for; default: itself."""


class Searchable(Protocol):
    """For games whose positions can be searched for by what stands on some cells."""

    def board_rows(self, state: State) -> BoardRows:
        """The board of *state*, the same throughout a match."""


class Aiming(Protocol):
    """For games with goals besides winning."""

    @property
    def GOAL(self) -> Goal:  # noqa: N802
        """The game's goals."""


class Gifted(Protocol):
    """For games with different powers of seats."""

    def seat_power(self, state: State, seat: int) -> str:
        """A sentence about the power of *seat*, or ""; ``seat_note`` has it in a few words."""


def power_of(rules: Rules, state: State, seat: int) -> str:
    """A sentence about the power of *seat*, or ""."""
    return rules.seat_power(state, seat) if offers(rules, Gifted) else ""


class Scoring(Protocol):
    """For games decided by points."""

    def seat_score(self, state: State, seat: int) -> int:
        """The current points of *seat*."""


def score_of(rules: Rules, state: State, seat: int) -> int | None:
    """The current points of *seat*; None in a game without points."""
    return rules.seat_score(state, seat) if offers(rules, Scoring) else None


class Preparing(Protocol):
    """For games with a set-up of the board before play."""

    @property
    def SET_UP_PHASES(self) -> Sequence[str]:  # noqa: N802
        """The phases in which seats place, pick or choose sides; none returns after play has begun."""


def is_setting_up(rules: Rules, state: State) -> bool:
    """Whether the next step in *state* belongs to the set-up."""
    phases: Sequence[str] = rules.SET_UP_PHASES if offers(rules, Preparing) else ()
    return bool(phases) and rules.phase(state) in phases


class ModelView(NamedTuple):
    """A position in the terms of a published model of the game."""

    parts: Sequence[tuple[str, str]]
    """The model's parts in order, by name, written as in the paper."""
    operators: Sequence[str]
    """The applicable operators with arguments."""
    facts: Mapping[str, Any]
    """The same as JSON values, with the phase as ``phase``."""
    position: str = ""
    """A position text that keeps what only the model knows, such as names of workers; "" for none."""


class Modelled(Protocol):
    """For games with a published model."""

    @property
    def MODEL_PHASES(self) -> Mapping[str, Sequence[str]]:  # noqa: N802
        """The phases of the paper's machine, and for each its successors; empty where it has no machine."""

    def model_view(self, states: Sequence[State], steps: Sequence[int], is_open: bool, position: str = "") -> ModelView:
        """The view of the last of *states*, reached by *steps*.

        :param is_open: whether to show everything, not only what all seats can see.
        :param position: the text that the first of *states* was read from, if it was.

        :raises ValueError: the model knows no such position.
        """


def goal_of(rules: Rules) -> Goal | None:
    """The game's goals besides winning, if any."""
    return rules.GOAL if offers(rules, Aiming) else None


def third_repetition(states: Sequence[State]) -> bool:
    """Whether the last of *states* has occurred three times, by ``key``."""
    last = _key_of(states[-1])
    return sum(_key_of(earlier) == last for earlier in states) >= 3


def legal_steps(state: State, most_steps: int = 4096) -> list[int]:
    """The legal steps of *state*, in the order of its kernel."""
    return list(_steps_of(state, most_steps))


# Readers of matches ask for both repeatedly, which is slow in plain Python: a long game would delay a frame.
# States of two games may be equal as tuples, but not in their types.
@lru_cache(maxsize=2048, typed=True)
def _key_of(state: State) -> int:
    return int(key(state))


@lru_cache(maxsize=16, typed=True)
def _steps_of(state: State, most_steps: int) -> tuple[int, ...]:
    import numpy as np  # it takes a tenth of a second, which an error message need not wait for

    buffer = np.empty(most_steps, np.int64)
    return tuple(int(step) for step in buffer[: moves(state, buffer, 0)])
