"""How functions are compiled: operators are looked up once, and only entries have machine code."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numba
import pytest
from numba import types

from papan.game.base.places import KERNELS_VARIABLE
from papan.game.kernel import KernelError, compiled, compiler, inlined, subroutine
from papan.game.kernel.cache import KernelCache, cache_is_writable
from papan.game.kernel.compiler import TypingContext
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The operators and arguments that are looked up from now on, not remembered."""
    found: list[tuple[Any, ...]] = []
    look_up = compiler._signature.__wrapped__

    def counted(function: Any, context: Any, arguments: Any) -> Any:
        found.append((function, arguments))
        return look_up(function, context, arguments)

    monkeypatch.setattr(compiler, "_signature", cache(counted))
    return found


def test_once_for_each_kind_of_arguments(asked: list[tuple[Any, ...]]) -> None:
    @compiled
    def sums(a: Any, b: Any) -> Any:
        return (a + b) + (b + a) + (a + b)

    sums.dispatcher._cache = numba.core.caching.NullCache()
    assert sums(3, 4) == 21 and sums(1.5, 2.0) == 10.5 and sums(3, 0.5) == 10.5
    assert asked and len(asked) == len(set(asked))


def test_functions_of_others_are_left_to_numba(asked: list[tuple[Any, ...]]) -> None:
    assert numba.njit(lambda a, b: a + b)(3, 4) == 7
    assert not asked


def test_what_fails_is_told_each_time() -> None:
    @compiled
    def sums(a: Any, b: Any) -> Any:
        return a + b

    for _ in range(2):
        with pytest.raises(KernelError, match="No implementation"):
            sums(1, "a")


def test_it_is_what_numba_finds() -> None:
    context = numba.core.registry.cpu_target.typing_context
    kinds = [types.int64, types.uint8, types.float32, types.boolean, types.Array(types.int64, 1, "C")]
    for function in (operator.add, operator.lt, operator.and_):
        for left in kinds:
            for right in kinds:
                answers = []
                for asked in (context, TypingContext(context)):
                    try:
                        answers.append(asked.resolve_function_type(function, (left, right), {}))
                    except numba.TypingError:
                        answers.append(None)
                assert answers[0] == answers[1]


# --------------------------------------------------------------------------------- functions that call themselves


@subroutine
def _half(number: int, ratio: float) -> float:
    return ratio if number == 0 else _half(number // 2, ratio + 1.0) + _half(number // 4, 0.5)


@subroutine
def _mixed(number: int, ratio: Any) -> float:
    return 0.5 if number == 0 else _mixed(number - 1, number) + _mixed(number - 1, ratio)


@subroutine
def _annotated_wrong(number: int) -> int:
    return 0.5 if number == 0 else _annotated_wrong(number - 1)  # type: ignore[return-value]


def test_a_function_that_calls_itself_is_inferred_once(monkeypatch: pytest.MonkeyPatch) -> None:
    inferred = []
    inferer = numba.core.typeinfer.TypeInferer
    whole = inferer.return_types_from_partial

    def again(self: Any) -> Any:
        inferred.append(self.func_id.func_name)
        return whole(self)

    monkeypatch.setattr(inferer, "return_types_from_partial", again)
    entry = compiled(lambda number: _half(number, 0.25))
    for function in (entry, _half):  # a kept kernel would not be inferred at all
        function.dispatcher._cache = numba.core.caching.NullCache()
    assert entry(11) == _half(11, 0.25)
    assert not inferred


def test_a_call_of_itself_with_other_types_is_another_function() -> None:
    entry = compiled(lambda number: _mixed(number, 0.25))
    assert entry(5) == _mixed(5, 0.25)


def test_a_wrong_annotation_is_named() -> None:
    entry = compiled(lambda number: _annotated_wrong(number))
    with pytest.raises(KernelError, match="'_annotated_wrong' is annotated to return int64, and returns float64"):
        entry(3)


# ----------------------------------------------------------------------------- machine code for entries only


@subroutine
def halved(number: int) -> int:
    return number // 2 if number % 2 == 0 else 3 * number + 1


@inlined
def is_done(number: int) -> bool:
    return number == 1


@subroutine
def collatz_steps(number: int) -> int:
    count = 0
    while not is_done(number):
        number = halved(number)
        count += 1
    return count


@subroutine
def fibonacci(number: int) -> int:
    """It calls itself."""
    return number if number < 2 else fibonacci(number - 1) + fibonacci(number - 2)


@compiled
def longest(most: int) -> int:
    best = 0
    for number in range(1, most + 1):
        best = max(best, collatz_steps(number))
    return best


@compiled
def steps_of(number: int) -> int:
    return collatz_steps(number)


@compiled
def fibonacci_of(number: int) -> int:
    return fibonacci(number)


def compiled_of(function: Any) -> Any:
    """What numba makes of *function* for one number, or has read of it from its file."""
    function.dispatcher.compile((numba.typeof(1),))
    (result,) = function.dispatcher.overloads.values()
    return result


@pytest.fixture
def _compiled_before() -> None:
    assert longest(27) == 111  # 27 alone takes so many
    assert steps_of(27) == 111, "another entry that calls the same"
    assert fibonacci_of(20) == 6765


@pytest.mark.usefixtures("_compiled_before")
class TestMachineCode:
    @pytest.mark.parametrize("function", [halved, is_done, collatz_steps, fibonacci])
    def test_is_not_made_of_what_only_compiled_code_calls(self, function: Any) -> None:
        result = compiled_of(function)
        assert not list(result.library.get_defined_functions())

    @pytest.mark.parametrize("function", [longest, steps_of, fibonacci_of])
    def test_is_made_of_an_entry(self, function: Any) -> None:
        result = compiled_of(function)
        assert result.library.get_pointer_to_function(result.fndesc.llvm_cpython_wrapper_name) != 0

    def test_a_function_from_the_cache_can_be_called(self) -> None:
        if not cache_is_writable():
            pytest.skip("nothing is kept")
        compiled_of(collatz_steps)
        loaded = KernelCache(collatz_steps).load_overload((numba.typeof(1),), collatz_steps.dispatcher.targetctx)
        assert loaded.fndesc.llvm_func_name in str(loaded.library._get_module_for_linking()), "the code is there"


TELLING = """
from papan.game.kernel import compiled, subroutine

@subroutine
def told(number: int) -> int:
    print("asked for", number)
    if number > 8:
        raise ValueError("too large")
    return number

@compiled
def entry(number: int) -> int:
    return told(number) + 1

@compiled
def other(number: int) -> int:
    return told(number) + 1

def run(entry):
    print(entry(7))
    try:
        entry(9)
    except ValueError as error:
        print(error)
"""


def test_it_may_print_and_raise(tmp_path: Path) -> None:
    """The second start loads what was compiled, and then a function of it into an entry that is compiled then."""
    (tmp_path / "telling.py").write_text(TELLING, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PAPAN_HOME": str(tmp_path)}
    environment.pop(KERNELS_VARIABLE, None)
    for entries in (("entry",), ("entry", "other")):
        program = "import telling" + "".join(f"; telling.run(telling.{entry})" for entry in entries)
        run = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, cwd=tmp_path,
            env=environment,
        )  # fmt: skip
        assert run.stdout.splitlines() == ["asked for 7", "8", "asked for 9", "too large"] * len(entries), run.stderr


@compiled
def _entry(number: int) -> int:
    return number + 1


def test_compiled_code_calls_no_entry_as_only_its_machine_code_is_kept() -> None:
    @compiled
    def calling(number: int) -> int:
        return _entry(number)

    with pytest.raises(KernelError, match=r"'_entry' is for Python alone .*@subroutine"):
        calling(1)
    assert _entry(1) == 2
