"""What a search keeps of a position and changes with each step, so that no leaf is looked at from scratch.

An *accumulator* (the word is that of Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for
Computer Shogi", 2018) is memory of a game's own, a record of any type; to a search it is one more argument. The search
has it follow its path: ``note`` goes along with a step, ``unnote`` back. ``judged`` and ``options`` then answer as
``evaluate`` and ``candidates`` do, by what is kept. Where a game keeps nothing, nothing is done, and these are asked.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, candidates, essential, evaluate
from papan.game.kernel import compiled, kernel
from papan.game.kernel.records import new_record
from papan.game.rules import State, moves

PASS = -1
"""In place of a step: the seat to act passes."""

_NOTHING = np.dtype((np.record, [("nothing", np.int64)]))


@kernel
def accumulator(state: State) -> Any:
    """New memory for what is kept of positions of the match that *state* is of; asked from Python only."""
    raise NotImplementedError


@accumulator.otherwise
def _no_memory(state: State) -> Any:
    return new_record(_NOTHING)


@kernel
def gather(state: State, kept: Any) -> None:
    """Have *kept*, whatever it holds, be that of *state*."""
    raise NotImplementedError


@gather.otherwise
def _gather_nothing(state: State, kept: Any) -> None:
    pass


@kernel
def note(state: State, step: int, kept: Any) -> None:
    """Have *kept*, which is that of *state*, be that of the state that *step* leads to.

    :param step: ``PASS`` for the state that is ``passed``, in games that name their ``defences``.
    """
    raise NotImplementedError


@note.otherwise
def _note_nothing(state: State, step: int, kept: Any) -> None:
    pass


@kernel
def unnote(state: State, step: int, kept: Any) -> None:
    """Have *kept*, which is that of the state that *step* leads to, be that of *state* again."""
    raise NotImplementedError


@unnote.otherwise
def _unnote_nothing(state: State, step: int, kept: Any) -> None:
    pass


@kernel
def judged(state: State, seat: int, weights: Weights, kept: Any) -> float:
    """As ``evaluate``, to the last digit, by what is *kept* of *state*."""
    raise NotImplementedError


@judged.otherwise
def _from_scratch(state: State, seat: int, weights: Weights, kept: Any) -> float:
    worth: float = evaluate(state, seat, weights)
    return worth


@kernel
def options(state: State, buffer: Any, base: int, kept: Any) -> int:
    """As ``candidates``, in any order, by what is *kept* of *state*."""
    raise NotImplementedError


@options.otherwise
def _all_candidates(state: State, buffer: Any, base: int, kept: Any) -> int:
    return candidates(state, buffer, base)


@kernel
def prospect(state: State, step: int, kept: Any) -> int:
    """How good the legal *step* looks at first sight, for the order in which steps are tried; 0 where nothing is said.

    In the units of a search's history, which stays within ``MOST_TELLING`` (``ordering``).
    """
    raise NotImplementedError


@prospect.otherwise
def _no_prospect(state: State, step: int, kept: Any) -> int:
    return 0


@kernel
def pressing(state: State, buffer: Any, base: int, kept: Any) -> int:
    """Write legal steps that leave the other side few ``answers`` into ``buffer[base:]``, the best first.

    Returns the index after the last.

    A search follows these alone to see whether they win by force; where a game names none, it doesn't look.
    """
    raise NotImplementedError


@pressing.otherwise
def _none_presses(state: State, buffer: Any, base: int, kept: Any) -> int:
    return base


@kernel
def answers(state: State, buffer: Any, base: int, kept: Any) -> int:
    """As ``essential``, by what is *kept* of *state*: all that a proof has to look at."""
    raise NotImplementedError


@answers.otherwise
def _all_essential(state: State, buffer: Any, base: int, kept: Any) -> int:
    return essential(state, buffer, base)


@kernel
def defences(state: State, proof: Any, length: int, buffer: Any, base: int, kept: Any) -> int:
    """Write the legal steps that may stop a forced win into ``buffer[base:]``; return the index after the last.

    The other side wins by force if the seat to act passes, in a way that ``forced_win`` has found. All steps that are
    left out must lose to the same way of winning.

    :param proof: ``proof[:length]`` are the steps of that way: those of the winner, and ``~step`` for all answers.
    """
    raise NotImplementedError


@defences.otherwise
def _all_may(state: State, proof: Any, length: int, buffer: Any, base: int, kept: Any) -> int:
    return moves(state, buffer, base)


@compiled
def regather(state: State, kept: Any) -> None:
    """``gather``, from Python."""
    gather(state, kept)


def has_accumulator(state: State) -> bool:
    """Whether the game of *state* keeps anything."""
    return gather.implementation(type(state)).function is not gather.default
