"""Types of states that look alike: each runs its own kernels, whatever its class and its fields are called."""

from __future__ import annotations

import pickle
from typing import Any, NamedTuple

from papan.game.kernel import compiled, int64, state
from papan.game.rules import connect_four, key


@state
class State(NamedTuple):
    """As Connect Four's: the same name, the same fields."""

    mine: int64
    theirs: int64


@key.of(State)
def _key(state: State) -> int:
    return -1 - state.mine


@compiled
def compiled_key(state: State | connect_four.State) -> int:
    return key(state)


@compiled
def given_back(state: Any) -> Any:
    return state


class TestTypesOfOneName:
    def test_each_runs_its_own_kernels(self) -> None:
        assert State._fields == connect_four.State._fields
        for _ in range(2):
            assert compiled_key(connect_four.State(5, 2)) == key(connect_four.State(5, 2)) > 0
            assert compiled_key(State(5, 2)) == key(State(5, 2)) == -6

    def test_they_are_still_found_by_their_names(self) -> None:
        for one in (State(5, 2), connect_four.State(5, 2)):
            assert type(given_back(one)) is type(one)
            assert type(pickle.loads(pickle.dumps(one))) is type(one)
