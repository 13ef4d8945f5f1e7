"""What a game's module offers beside its kernels, and what can be said of any game by calling them.

A game is a module: its kernels, registered for its types of state, and the functions of ``Rules`` below,
which speak to people. There is no base class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Literal, NamedTuple, Protocol

import numpy as np

from game.kernels import State, key, moves

Outcome = Literal["won", "lost", "draw", "over"]


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
    """What can be aimed at in a game besides winning it: the numbers that the kernel ``achieved`` knows."""

    words: str
    """What a number stands for, after "can force", with ``{}`` for the number."""
    numbers: Sequence[int]


class PositionError(ValueError):
    """A position text that is no position; the message says what is wrong, and where."""


class IllegalStep(ValueError):
    """A step that the rules refuse; the message names the rule."""


class NotationError(ValueError):
    """A notation that names no legal turn; the message says where it stops making sense."""


class Rules(Protocol):
    """The functions and facts that a game's module has beside its kernels.

    All texts are English and are looked up in the translations by whoever shows them.
    """

    MOST_STEPS: int
    """No state has more legal steps than this."""
    PHASES: Mapping[str, Sequence[str]]
    """The phases of a game, and for each the phases that a step can lead to; the first one begins."""
    PERFT_COUNTS_ENDED_GAMES: bool
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
        """What is expected of the seat to act: a short request, and a sentence or "" on how and why.

        *chosen* is the cell that was pointed at first, where a step takes two.
        """

    def seat_note(self, state: State, seat: int) -> tuple[str, str]:
        """What to know of *seat* at a glance: a name (its god, its colour) or "", and a few words or ""."""

    def text(self, state: State) -> str:
        """The position text of *state*, at the start of a turn."""

    def parse(self, text: str, options: Mapping[str, str]) -> State:
        """The state that *text* describes, under *options*.

        :raises PositionError: *text* is no position of this game.
        """


class RepeatingRules(Rules, Protocol):
    """What the module of a game has besides where its kernel ``can_repeat`` says yes."""

    def repetition_ending(self, states: Sequence[State]) -> Ending | None:
        """How the game ends because the last of *states* has come too often, or None."""


class AimingRules(Rules, Protocol):
    """What the module of a game has besides where there are goals other than to win it."""

    GOAL: Goal


def third_repetition(states: Sequence[State]) -> bool:
    """Whether the last of *states* stands there for the third time, by its ``key``."""
    last = key(states[-1])
    return sum(key(earlier) == last for earlier in states) >= 3


def legal_steps(state: State, most_steps: int = 4096) -> list[int]:
    """The legal steps of *state*, in the order in which its kernel writes them."""
    buffer = np.empty(most_steps, np.int64)
    return [int(step) for step in buffer[: moves(state, buffer, 0)]]
