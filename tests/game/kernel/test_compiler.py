"""What an operator returns is looked up once for each kind of arguments, for our own functions only."""

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

from papan.game.kernel import KernelError, compiled, compiler
from papan.game.kernel.compiler import TypingContext
from tests.waiting import PATIENCE


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


ROOT = Path(__file__).resolve().parents[3]

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

print(entry(7))
try:
    entry(9)
except ValueError as error:
    print(error)
"""


def test_it_may_tell_python_something(tmp_path: Path) -> None:
    """What it prints are objects, in an environment that its machine code would have had. A second start loads it."""
    program = tmp_path / "telling.py"
    program.write_text(TELLING, encoding="utf-8")
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, program], capture_output=True, text=True, timeout=PATIENCE, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PAPAN_HOME": str(tmp_path)},
        )  # fmt: skip
        assert run.stdout.split("\n") == ["asked for 7", "8", "asked for 9", "too large", ""], run.stderr
