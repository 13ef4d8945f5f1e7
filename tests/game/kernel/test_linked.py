"""Functions that only compiled code calls: no machine code is made of them, and linked they are right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.cache import KernelCache, cache_is_writable, kernel_cache_folder
from papan.game.kernel.linked import LinkedLibrary
from tests.waiting import PATIENCE

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


@pytest.fixture(scope="module", autouse=True)
def _compiled_before() -> None:
    assert longest(27) == 111  # 27 alone takes so many
    assert steps_of(27) == 111, "another entry that calls the same"
    assert fibonacci_of(20) == 6765


@pytest.mark.parametrize("function", [halved, is_done, collatz_steps, fibonacci])
def test_has_no_machine_code_of_its_own(function: Any) -> None:
    result = compiled_of(function)
    assert isinstance(result.library, LinkedLibrary)
    assert result.library.get_pointer_to_function(result.fndesc.llvm_func_name) == 0


@pytest.mark.parametrize("function", [longest, steps_of, fibonacci_of])
def test_an_entry_has(function: Any) -> None:
    result = compiled_of(function)
    assert not isinstance(result.library, LinkedLibrary)
    assert result.library.get_pointer_to_function(result.fndesc.llvm_cpython_wrapper_name) != 0


def test_what_was_kept_of_it_is_linked_as_well() -> None:
    """Read from its file into what an entry that is compiled later calls."""
    if not cache_is_writable():
        pytest.skip("nothing is kept")
    compiled_of(collatz_steps)
    names = [path.name for path in kernel_cache_folder().glob("*.kernel")]
    assert any(name.startswith("tests.game.kernel.test_linked.collatz_steps-") for name in names)
    target = collatz_steps.dispatcher.targetctx
    loaded = KernelCache(collatz_steps).load_overload((numba.typeof(1),), target)
    assert isinstance(loaded.library, LinkedLibrary)
    text = str(loaded.library._get_module_for_linking())
    assert loaded.fndesc.llvm_func_name in text, "the code is there"


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
