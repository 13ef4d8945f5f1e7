"""The keys of a game's positions, in compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.game.kernel import compiled
from papan.game.rules import State, canonical_key, mover, play

_PLAIN_GAMES = 100
"""Games that plain Python replays sooner than the compiler is ready."""
_NO_SEAT = -2


@compiled
def trail(state: State, steps: Any, number: int, keys: Any) -> int:
    """Write the canonical key of the position at the start of each turn, and after the last; return their number.

    :param steps: *number* legal steps from *state*.
    :param keys: space for one more than *number*.
    """
    count, seat = 0, _NO_SEAT
    for index in range(number):
        if mover(state) != seat:
            seat = mover(state)
            keys[count] = canonical_key(state)[0]
            count += 1
        state = play(state, int(steps[index]))
    keys[count] = canonical_key(state)[0]
    return count + 1


class Trails:
    """Replays games one after the other: the first ones in plain Python, many in compiled code."""

    def __init__(self) -> None:
        self._games = 0

    def keys(self, state: State, steps: NDArray[np.int64]) -> NDArray[np.int64]:
        """The keys as of ``trail``."""
        self._games += 1
        keys = np.empty(len(steps) + 1, np.int64)
        run = trail.function if self._games <= _PLAIN_GAMES else trail
        return keys[: run(state, steps, len(steps), keys)]
