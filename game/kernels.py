"""The kernels that every game implements: all that a search needs to know of the rules.

Seats are numbered from 0 in the order of play. A *step* is one integer code, whose meaning is the
game's own; a seat may take several steps before another is to act, and all of them together are its
*turn*. Register an implementation with ``@moves.of(State)``; ``game/connect_four.py`` shows all of them.
"""

from __future__ import annotations

from typing import Any

from game.kernel import kernel
from game.rng import RandomState

CHANCE = -1
"""What ``mover`` returns where dice, tiles or cards are to fall."""

NOBODY = -1
"""The seat of a bystander, for ``observe``: what everybody can see."""

State = Any
"""An instance of a class decorated with ``@game.kernel.state``."""


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
    """What *seat* has won, once the game is over: 1 win, 0 draw, -1 loss, unless the game says otherwise."""
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
    """What the seat that has just moved is to expect if *state* comes again: 0 for a draw, -1 for a loss.

    Only a guess for searches, which see one position: the match's rule looks at all that was played between.
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


NEVER = 1 << 30
"""More steps than any game has."""


@kernel
def steps_to_draw(state: State) -> int:
    """After how many more steps without progress a draw counter ends the game; ``NEVER`` where there is no such rule.

    With the ``key`` of the position it says all that the rest of the game depends on, but for repetitions.
    """
    raise NotImplementedError


@steps_to_draw.otherwise
def _no_draw_counter(state: State) -> int:
    return NEVER
