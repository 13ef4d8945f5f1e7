"""The contract of a game: its kernels, and the functions and facts that its module offers beside them.

A game is a module or a package of this folder: its kernels, registered for its types of state, and the functions
of ``Rules`` below, which speak to people. There is no base class; ``papan/game/rules/connect_four.py`` is the example.

Seats are numbered from 0 in the order of play. A *step* is one integer code, whose meaning is the
game's own; a seat may take several steps before another is to act, and all of them together are its
*turn*. Register an implementation of a kernel with ``@moves.of(State)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from papan.game.base.protocols import offers
from papan.game.kernel import kernel
from papan.game.kernel.rng import RandomState

Outcome = Literal["won", "lost", "draw", "over"]

MOST_SEATS = 4
"""Searches and learners have room for so many seats."""
CHANCE = -1
"""The mover where dice, tiles or cards are to fall."""

NOBODY = -1
"""The seat of a bystander, for ``observe``: what everybody can see."""

State = Any
"""An instance of a class decorated with ``@papan.game.kernel.state``."""


@kernel
def mover(state: State) -> int:
    """The seat that is to act, or ``CHANCE``; some seat, but without meaning, once the game is over."""
    raise NotImplementedError


@kernel
def moves(state: State, buffer: Any, base: int) -> int:
    """Write the legal steps into ``buffer[base:]``, each once, in any order; return the index after the last.

    At CHANCE these are the outcomes. A game that is over has none; one that is not has at least one.
    """
    raise NotImplementedError


@kernel
def play(state: State, step: int) -> State:
    """The state after *step*, which the caller knows to be legal."""
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
    """A 64-bit number for the position, without its draw counters: equal positions, equal keys.

    Different positions have different keys for all practical purposes; it may be negative.
    """
    raise NotImplementedError


@kernel
def canonical_key(state: State) -> tuple[int, int]:
    """The least ``key`` that *state* has, whichever way round its board is laid, and the way that gives it.

    The ways are numbered from 0, below 16; 0 leaves the board as it is. So states that are each other's mirror
    images have the same key, and where the way is the same too, they are the same state. What the game is worth is
    the same for all of them; their steps are not.
    """
    raise NotImplementedError


@canonical_key.otherwise
def _one_way_round(state: State) -> tuple[int, int]:
    return key(state), 0


@kernel
def can_repeat(state: State) -> bool:
    """Whether positions of this game can come back, so that a search must look along its own path."""
    raise NotImplementedError


@can_repeat.otherwise
def _never(state: State) -> bool:
    return False


@kernel
def chance(state: State, step: int) -> float:
    """The probability of the outcome *step*, where the mover is CHANCE."""
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
    """A state without anything unknown, drawn at random, that looks to *seat* just as *state* does.

    Every state that may be behind what *seat* sees is as likely as the rules make it; *state* may be an
    observation. What *seat* is to act on is seen: its legal steps are the same.
    """
    raise NotImplementedError


@guess.otherwise
def _nothing_to_guess(state: State, seat: int, random: RandomState) -> State:
    return state


@kernel
def deal(state: State, facts: Any, random: RandomState) -> State:
    """*state*, with which a game begins, dealt anew: each start as likely as ``start`` makes it.

    Where nothing is hidden, a game that begins in different ways says how.

    :param facts: an array of ``int64``: what ``Dealing.to_deal`` says of the options.
    """
    raise NotImplementedError


@deal.otherwise
def _all_that_nobody_sees(state: State, facts: Any, random: RandomState) -> State:
    return guess(state, NOBODY, random)


@kernel
def allied(state: State, seat: int, other: int) -> bool:
    """Whether two seats win and lose together: a seat and itself, or the seats of a team."""
    raise NotImplementedError


@allied.otherwise
def _alone(state: State, seat: int, other: int) -> bool:
    return seat == other


@kernel
def seats(state: State) -> int:
    """How many seats the game has been begun with, those that are out of it included."""
    raise NotImplementedError


@seats.otherwise
def _two(state: State) -> int:
    return 2


@kernel
def repetition_payoff(state: State) -> float:
    """The payoff of the seat that has just moved if *state* comes again: 0 for a draw, -1 for a loss.

    One position only says who is attacked in it. The match's rule looks at all that were played between, and so do
    searches, by what each of them says (``papan.ai.search.repetition``).
    """
    raise NotImplementedError


@repetition_payoff.otherwise
def _draw(state: State) -> float:
    return 0.0


@kernel
def achieved(state: State, seat: int, goal: int) -> int:
    """Whether *seat* has achieved *goal*: 1 yes, -1 it can't any more, 0 that is open.

    0 as a goal is to win the game: neither a draw nor a loss is one. What other numbers stand for is the
    game's own, and its module describes it as ``GOAL``.
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
    """After how many more steps without progress a draw counter ends the game; ``NO_COUNTER`` where there is none.

    With the ``key`` of the position it says all that the rest of the game depends on, but for repetitions.
    """
    raise NotImplementedError


@steps_to_draw.otherwise
def _no_draw_counter(state: State) -> int:
    return NO_COUNTER


UNNUMBERED = -1
"""The ``reason_number`` of games that have none."""


@kernel
def reason_number(state: State) -> int:
    """A number for why the finished game *state* ended: where it is the same, ``ending`` gives the same reason.

    It is not negative; ``UNNUMBERED`` where each finished game has to be asked about.
    """
    raise NotImplementedError


@reason_number.otherwise
def _unnumbered(state: State) -> int:
    return UNNUMBERED


# ------------------------------------------------------------------------------- what a module offers beside them


class Ending(NamedTuple):
    """How a game ended: what each seat has won, and the reason in words for a sentence.

    >>> Ending((1.0, -1.0, 1.0, -1.0), "reached level 3").winners
    (0, 2)
    """

    payoffs: tuple[float, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won: none in a draw, several where they are a team, none in a game for one."""
        if len(self.payoffs) == 1:
            return ()
        return tuple(seat for seat, payoff in enumerate(self.payoffs) if payoff > 0)

    @property
    def winner(self) -> int | None:
        """The one seat that won, or None."""
        winners = self.winners
        return winners[0] if len(winners) == 1 else None

    def outcome(self, seat: int) -> Outcome:
        """How it ended for *seat*; a game for one seat is just over."""
        if len(self.payoffs) == 1:
            return "over"
        return "won" if self.payoffs[seat] > 0 else "lost" if self.payoffs[seat] < 0 else "draw"


class Goal(NamedTuple):
    """The goals of a game besides winning it: the numbers that the kernel ``achieved`` knows."""

    words: Callable[[int], str]
    """What a number stands for, after "can force"."""
    numbers: Sequence[int]


class PositionError(ValueError):
    """A position text that is no position; the message says what is wrong, and where."""


class IllegalStep(ValueError):
    """A step that the rules refuse; the message names the rule."""


class NotationError(ValueError):
    """A notation that names no legal turn; the message says where it stops making sense."""


class Rules(Protocol):
    """The functions and facts that a game's module has beside its kernels.

    All texts are English, sentences of ``papan.game.base.sentences``, and are translated by whoever shows them. For a
    game in which a step is one click, ``papan.game.rules.one_click`` has some of them ready.
    """

    @property
    def __name__(self) -> str:
        """The module's full name; its types of state are defined in it, or in modules within it."""

    @property
    def MOST_STEPS(self) -> int:  # noqa: N802 - a constant of a module
        """A bound on the legal steps of any state."""

    @property
    def PHASES(self) -> Mapping[str, Sequence[str]]:  # noqa: N802
        """The phases of a game, and for each the phases that a step can lead to; the first one begins."""

    @property
    def PERFT_COUNTS_ENDED_GAMES(self) -> bool:  # noqa: N802
        """Whether a game that ends early counts as one leaf of every deeper perft, or of none."""

    def start(self, options: Mapping[str, str], random: Random) -> State:
        """The state a game begins with; *options* are complete and valid; *random* deals what is dealt."""

    def phase(self, state: State) -> str:
        """The phase the seat to act is in: a key of ``PHASES``."""

    def notation(self, state: State, step: int) -> str:
        """The notation of a legal *step*. Notations of a turn's steps, joined, are the turn's."""

    def cells(self, state: State, step: int) -> tuple[int, ...]:
        """The cells a person points at for a legal *step*, in order; () where it is a choice by name."""

    def refusal(self, state: State, step: int) -> str:
        """A sentence: which rule forbids the illegal *step*."""

    def refusal_at(self, state: State, cells: tuple[int, ...]) -> str:
        """A sentence: why pointing at *cells*, in this order, makes no legal step."""

    def ending(self, state: State) -> Ending:
        """How the finished game *state* ended."""

    def describe(self, state: State, step: int) -> tuple[str, str]:
        """A legal *step* as a choice to offer: a name of a few words, and a sentence or "" to explain it."""

    def prompt(self, state: State, chosen: int | None) -> tuple[str, str]:
        """The request to the seat to act, in a few words, and a sentence or "" on how and why.

        *chosen* is the cell that was pointed at first, where a step takes two.
        """

    def seat_note(self, state: State, seat: int) -> tuple[str, str]:
        """A note on *seat*: a name (its god, its colour) or "", and a few words or ""."""

    def text(self, state: State) -> str:
        """The position text of *state*, at the start of a turn."""

    def parse(self, text: str, options: Mapping[str, str]) -> State:
        """The state that *text* describes, under *options*.

        :raises PositionError: *text* is no position of this game.
        """


class Repeating(Protocol):
    """A further function of a game's module, where its kernel ``can_repeat`` says yes."""

    def repetition_ending(self, states: Sequence[State]) -> Ending | None:
        """How the game ends because the last of *states* has come too often, or None."""


class Dealing(Protocol):
    """A further function of a game's module, where the options settle what its kernel ``deal`` deals."""

    def to_deal(self, options: Mapping[str, str]) -> Sequence[int]:
        """What ``deal`` has to know of complete and valid *options*, as integers."""


def facts_to_deal(rules: Rules, options: Mapping[str, str]) -> NDArray[np.int64]:
    """The ``facts`` for the kernel ``deal`` under complete and valid *options*."""
    return np.array(rules.to_deal(options) if offers(rules, Dealing) else (), np.int64)


class Aiming(Protocol):
    """A further fact of a game's module, where there are goals other than to win it."""

    @property
    def GOAL(self) -> Goal:  # noqa: N802
        """The goals that there are."""


class Gifted(Protocol):
    """A further function of a game's module, where seats may do different things."""

    def seat_power(self, state: State, seat: int) -> str:
        """A sentence on what *seat* may do, or ""; ``seat_note`` has it in a few words."""


def power_of(rules: Rules, state: State, seat: int) -> str:
    """A sentence on what *seat* may do that others may not; "" where all seats are alike."""
    return rules.seat_power(state, seat) if offers(rules, Gifted) else ""


class Scoring(Protocol):
    """A further function of a game's module, where points decide who wins."""

    def seat_score(self, state: State, seat: int) -> int:
        """The points that *seat* has now."""


def score_of(rules: Rules, state: State, seat: int) -> int | None:
    """The points that *seat* has; None in a game without points."""
    return rules.seat_score(state, seat) if offers(rules, Scoring) else None


class Preparing(Protocol):
    """A further fact of a game's module, where the board is set up by turns before play begins."""

    @property
    def SET_UP_PHASES(self) -> Sequence[str]:  # noqa: N802
        """The phases of ``PHASES`` in which seats place, pick or choose sides: none comes back once play has begun."""


def is_setting_up(rules: Rules, state: State) -> bool:
    """Whether the step due in *state* belongs to the set-up of the game, and not to play."""
    phases: Sequence[str] = rules.SET_UP_PHASES if offers(rules, Preparing) else ()
    return bool(phases) and rules.phase(state) in phases


class ModelView(NamedTuple):
    """What a published model of a game says of a position, with what it needs to know of the match so far."""

    parts: Sequence[tuple[str, str]]
    """The model's parts in order: what each is called, and what it is, lines and all, as the paper writes it."""
    operators: Sequence[str]
    """The operators that are applicable, each with its arguments."""
    facts: Mapping[str, Any]
    """The same for programs: of what JSON can hold."""


class Modelled(Protocol):
    """Further facts of a game's module, where a paper has a model of the game."""

    @property
    def MODEL_PHASES(self) -> Mapping[str, Sequence[str]]:  # noqa: N802
        """The phases of the paper's machine, and for each those that follow; none after one that ends the game."""

    def model_view(self, states: Sequence[State], steps: Sequence[int], is_open: bool) -> ModelView:
        """The view of the last of *states*, which the *steps* before it have led to.

        :param is_open: whether everything may be told; else only what everybody can see.

        :raises ValueError: the model knows no such position.
        """


def goal_of(rules: Rules) -> Goal | None:
    """The goals besides winning, of a game that has such goals."""
    return rules.GOAL if offers(rules, Aiming) else None


def third_repetition(states: Sequence[State]) -> bool:
    """Whether the last of *states* stands there for the third time, by its ``key``."""
    last = _key_of(states[-1])
    return sum(_key_of(earlier) == last for earlier in states) >= 3


def legal_steps(state: State, most_steps: int = 4096) -> list[int]:
    """The legal steps of *state*, in the order in which its kernel writes them."""
    return list(_steps_of(state, most_steps))


# A match that is read asks for both again and again, which takes plain Python long: a long game would hold a frame up.
# States of two games may be equal as tuples, but not in their types.
@lru_cache(maxsize=2048, typed=True)
def _key_of(state: State) -> int:
    return int(key(state))


@lru_cache(maxsize=16, typed=True)
def _steps_of(state: State, most_steps: int) -> tuple[int, ...]:
    buffer = np.empty(most_steps, np.int64)
    return tuple(int(step) for step in buffer[: moves(state, buffer, 0)])
