"""Nimbers (Grundy values) of impartial games, and who wins a sum of them.

In an impartial game both seats have the same turns, and a seat that can't move loses. In a *sum* of boards a turn is
one on any of them. A board in a sum is as good as a heap of Nim whose size is its nimber: the least number that no turn
on it leaves (Berlekamp, Conway and Guy, "Winning Ways", chapters 3 and 4). So the seat to act loses a sum exactly where
the nimbers' sum without carrying (exclusive or) is 0.

Where some turns win the whole sum at once, such as a climb onto a tower, a board that offers one has the value
``AT_ONCE``. Leaving it loses, so it counts for no other board's nimber (chapter 12, of moves that end the game).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import xor
from typing import NamedTuple, Protocol

from papan.ai.limits import Limit
from papan.ai.search import PlayedTurn, all_turns
from papan.game.base.sentences import SentenceError
from papan.game.rules import Rules, State

AT_ONCE = 255
"""The value of a board whose seat to act wins the whole sum at once."""
WON = 254
"""The value of a board after such a turn."""
MOST_NIMBER = 60
"""The greatest nimber that is computed; each needs about twice as many positions as the one before."""


class NimberError(SentenceError, ValueError):
    """There is no nimber; the message is a sentence that says why."""


class Impartial(Protocol):
    """Optional functions of an exact solver's module, for games with impartial positions."""

    def is_impartial(self, state: State) -> bool:
        """Whether both seats have the same turns from *state* on, and a seat that can't move loses."""

    def nimber(self, state: State, limit: Limit, memory: int | None = None) -> int | None:
        """The nimber of an impartial *state* at the start of a turn, ``AT_ONCE`` or ``WON``; None if a limit ended it.

        :param memory: MiB for its tables; None for their usual amount.
        :raises NimberError: the board is too large, or the nimber above ``MOST_NIMBER``.
        """


class Option(NamedTuple):
    """A turn on a board, and the value of what it leaves."""

    steps: tuple[int, ...]
    value: int


def options(module: Impartial, rules: Rules, state: State, limit: Limit, memory: int | None = None) -> list[Option]:
    """All turns from an impartial *state*, except those whose values the *limit*, which holds for each, leaves open."""
    turns = all_turns(rules, PlayedTurn((state,)))
    valued = ((turn.steps, module.nimber(turn.states[-1], limit, memory)) for turn in turns)
    return [Option(steps, value) for steps, value in valued if value is not None]


def mex(values: Iterable[int]) -> int:
    """The least nimber that is not among *values*, those of a board's options; ``AT_ONCE`` if one is ``WON``.

    >>> mex([0, 1, 3]), mex([1, AT_ONCE]), mex([0, WON])
    (2, 0, 255)
    """
    found = set(values)
    return AT_ONCE if WON in found else next(number for number in range(len(found) + 1) if number not in found)


def total(values: Iterable[int]) -> int:
    """The value of the sum of boards with these *values*: 0 where the seat to act loses it.

    >>> total([1, 2, 3]), total([1, 4]), total([2, AT_ONCE, 2])
    (0, 5, 255)
    """
    found = list(values)
    return AT_ONCE if AT_ONCE in found else reduce(xor, found, 0)
