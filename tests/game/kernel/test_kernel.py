"""The mechanism behind kernels: dispatch, declared types, tables, random numbers."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numba.extending
import pytest

from papan.game.base.places import KERNELS_VARIABLE
from papan.game.kernel import Integers, compiled, int64, kernel, state, subroutine, uint64
from papan.game.kernel.rng import RandomState, below, mix, random_state
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]


@state
class Small(NamedTuple):
    number: int64
    bits: uint64


@state
class Large(NamedTuple):
    number: int64


@state
class Tabled(NamedTuple):
    number: int64
    table: Integers
    bits: uint64


@kernel
def grow(state: Small | Large, by: int) -> Small | Large:
    """A kernel with two implementations."""
    raise NotImplementedError


@grow.of(Small)
def _grow_small(state: Small, by: int) -> Small:
    return Small(state.number + by, state.bits)


@grow.of(Large)
def _grow_large(state: Large, by: int) -> Large:
    return Large(state.number + 100 * by)


@kernel
def colour(state: Small | Large) -> int:
    """A kernel with a default."""
    raise NotImplementedError


@colour.otherwise
def _no_colour(state: Small | Large) -> int:
    return 7


@colour.of(Large)
def _colour_large(state: Large) -> int:
    return state.number


@subroutine
def twice(state: Small | Large, by: int) -> Small | Large:
    return grow(grow(state, by), by)


@compiled
def grow_twice(state: Small | Large, by: int) -> Small | Large:
    return twice(state, by)


@compiled
def colour_of(state: Small | Large) -> int:
    return colour(state)


@compiled
def number_of(state: Small) -> int:
    return state.number


@compiled
def bits_of(state: Small) -> int:
    return state.bits


@compiled
def sum_of_table(state: Tabled) -> int:
    total = 0
    for index in range(state.number):
        total += state.table[index]
    return total


@compiled
def counted(state: Tabled, by: int) -> Tabled:
    while by > 0:
        state = Tabled(state.number + 1, state.table, state.bits)
        by -= 1
    return state


class TestDispatch:
    def test_by_the_states_type_in_python_and_in_compiled_code(self) -> None:
        assert grow(Small(1, 2), 3) == Small(4, 2)
        assert grow(Large(1), 3) == Large(301)
        assert grow_twice(Small(1, 2), 3) == Small(7, 2)
        assert grow_twice(Large(1), 3) == Large(601)
        assert type(grow_twice(Small(1, 2), 3)) is Small
        assert (colour(Small(1, 2)), colour(Large(5))) == (7, 5), "a default serves the others"
        assert (colour_of(Small(1, 2)), colour_of(Large(5))) == (7, 5)

    def test_two_kernels_of_one_name_are_two(self) -> None:
        """Regression: the compiler took a kernel for another one with its name."""

        def made(result: int) -> Callable[[Any], int]:
            @kernel
            def worth(state: Any) -> int:
                """A kernel that each call makes anew."""
                raise NotImplementedError

            worth.of(Small)(lambda state: result)
            return compiled(lambda state: worth(state))

        assert [made(result)(Small(1, 2)) for result in (5, 6)] == [5, 6]

    def test_a_missing_implementation_is_named(self) -> None:
        class Other(NamedTuple):
            number: int

        with pytest.raises(TypeError, match=r"grow.*Other"):
            grow(Other(1), 2)  # type: ignore[arg-type]  # what the test is about


class TestDeclaredTypes:
    def test_all_64_bits_of_an_unsigned_field_come_back(self) -> None:
        top = 2**64 - 1
        assert bits_of(Small(0, top)) == top
        assert grow_twice(Small(0, top), 1) == Small(2, top)

    def test_one_compilation_whatever_the_values(self) -> None:
        for value in (0, 1, 2**62, True):
            number_of(Small(value, 2**63))
        assert len(number_of.dispatcher.signatures) == 1


class TestTables:
    NUMBERS = (5, -(2**63), 2**62)

    def test_compiled_code_reads_what_python_does_and_gives_back_the_same_one(self) -> None:
        tabled = Tabled(3, Integers(self.NUMBERS), 2**63)
        assert sum_of_table(tabled) == sum_of_table.function(tabled) == sum(self.NUMBERS)
        counted_on = counted(tabled, 2)
        assert counted_on == Tabled(5, Integers(self.NUMBERS), 2**63)
        assert hash(counted_on) == hash(Tabled(5, Integers(self.NUMBERS), 2**63))
        assert counted_on.table is tabled.table

    def test_it_lives_as_long_as_any_state_that_has_it(self) -> None:
        counted_on = counted(Tabled(0, Integers(range(1000)), 0), 1000)
        gc.collect()
        before = sys.getrefcount(counted_on.table)
        for _ in range(100):
            assert sum_of_table(counted(counted_on, 0)) == 499500
        after = sys.getrefcount(counted_on.table)
        assert before == after
        assert len(sum_of_table.dispatcher.signatures) == 1, "one compilation for all lengths"

    def test_copies_are_equal(self) -> None:
        table = Integers(self.NUMBERS)
        assert pickle.loads(pickle.dumps(table)) == copy.deepcopy(table) == table
        assert sum_of_table(Tabled(3, copy.deepcopy(table), 0)) == sum(self.NUMBERS)

    def test_numbers_of_more_bits_are_refused(self) -> None:
        with pytest.raises(OverflowError):
            Integers([2**63])


class TestRandomNumbers:
    def test_known_values_of_splitmix64(self) -> None:
        # Seed 1234567 of the published generator: 6457827717110365317, 3203168211198807973.
        first = (1234567 + 0x9E3779B97F4A7C15) & (2**64 - 1)
        assert mix(first) == 6457827717110365317
        assert mix((first + 0x9E3779B97F4A7C15) & (2**64 - 1)) == 3203168211198807973

    def test_below_is_the_same_compiled_and_uniform(self) -> None:
        @compiled
        def draw(random: RandomState, n: int) -> int:
            return below(random, n)

        one, other = random_state(4, 2), random_state(4, 2)
        drawn = [draw(one, 6) for _ in range(6000)]
        assert drawn == [below(other, 6) for _ in range(6000)]
        assert all(800 < drawn.count(face) < 1200 for face in range(6))

    def test_seeds_matter_in_their_order(self) -> None:
        assert len({int(random_state(*seeds)[0]) for seeds in ((1,), (1, 0), (0, 1), (1, 2), (2, 1))}) == 5


def test_a_new_type_of_state_leaves_numbas_table_of_types_alone() -> None:
    """Regression: a game imported in one thread changed the table that another went through, and that one failed."""
    known = set(numba.extending.typeof_impl.registry)

    @state
    class Later(NamedTuple):
        number: int64
        few: uint64

    assert [str(field) for field in numba.typeof(Later(1, 2)).types] == ["int64", "uint64"]
    assert numba.typeof((1, 2)) == numba.types.UniTuple(numba.types.int64, 2), "other tuples are numba's"
    assert set(numba.extending.typeof_impl.registry) == known


def test_two_threads_may_compile_what_shares_a_function(home: Path) -> None:
    """numba took the second thread for a function that calls itself, and failed."""
    program = (
        "import threading; from papan.game.catalogue import GAMES;"
        "from papan.lab.simulation.batches import batches_of; from papan.lab.simulation.plan import make_plan;"
        "plan = make_plan(GAMES['connect-four'], ['random'] * 2, {}, seed=1, games=1);"
        "threads = [threading.Thread(target=batches_of(plan).prepare) for _ in range(2)];"
        "[thread.start() for thread in threads]; [thread.join() for thread in threads]"
    )
    environment = {**os.environ, "PAPAN_HOME": str(home), KERNELS_VARIABLE: str(home)}  # nothing is kept there
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ran.returncode == 0 and not ran.stderr, ran.stderr
