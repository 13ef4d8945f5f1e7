"""What is said where a function can't be compiled: the file, the line, the cause and the usual remedy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from papan.game.kernel import KernelError, compiled, int64, kernel, state, subroutine
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]


@state
class Small(NamedTuple):
    number: int64


@kernel
def play(state: Small, step: int) -> Small:
    """One step."""
    raise NotImplementedError


@play.of(Small)
def _play(state: Small, step: int) -> Small:
    return Small(state.number + step)


@subroutine
def play_twice(state: Small, step: int) -> Small:
    return play(_play(state, step), step)


@compiled
def calls_an_implementation(state: Small) -> int:
    return play_twice(state, 1).number


@compiled
def changes_a_type(state: Small) -> Small | int:
    found: Small | int = 1
    if state.number > 0:
        found = state
    return found


@compiled
def names_what_is_not_there(state: Small) -> Small:
    return play(state, step_size)  # type: ignore[name-defined]  # noqa: F821 - as the test wants it


@compiled
def imports(state: Small) -> int:
    import math

    return math.floor(state.number)


def line_of(function: Callable[..., Any], text: str) -> int:
    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    start = function.__code__.co_firstlineno
    return next(number for number, line in enumerate(lines, 1) if number >= start and text in line)


@pytest.mark.parametrize(
    ("entry", "place", "line", "cause", "remedy"),
    [
        (calls_an_implementation, play_twice, "return play(_play", "'_play'", "calls a kernel by its name"),
        (changes_a_type, changes_a_type, "", "for 'found'", "a variable changes its type"),
        (compiled(lambda state: state.colour), None, "lambda", "Unknown attribute 'colour'", "the fields of its class"),
        (
            compiled(lambda state: play(1, 1)),  # type: ignore[arg-type]  # as the test wants it
            None,
            "lambda",
            "the kernel 'play' takes a state first",
            "as its first argument",
        ),
        (
            compiled(lambda state: play_twice(state, 1, 2)),  # type: ignore[call-arg]  # as the test wants it
            None,
            "lambda",
            "too many positional arguments",
            "other arguments than it takes",
        ),
        (compiled(lambda state: state + 1.5), None, "lambda", "float64", "no such operation for these types"),
        (names_what_is_not_there, names_what_is_not_there, "@compiled", "'step_size' is not defined", "is imported"),
        (imports, imports, "import math", "IMPORT_NAME", "compiled code has integers"),
    ],
)
def test_one_sentence_says_where_and_what(entry: Any, place: Any, line: str, cause: str, remedy: str) -> None:
    place = place or entry
    with pytest.raises(KernelError) as failed:
        entry(Small(1))
    sentence = str(failed.value)
    assert sentence.startswith(f"{__file__}, line ")
    if line:
        assert sentence.startswith(f"{__file__}, line {line_of(place.function, line)}: ")
    assert cause in sentence and remedy in sentence
    assert "\n" not in sentence and len(sentence) < len(__file__) + 330


def test_the_terminal_and_the_log_name_the_games_file(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "papan", tmp_path / "papan", ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "papan" / "game" / "rules" / "connect_four.py"
    source = rules.read_text(encoding="utf-8")
    before, call, after = source.partition("    if is_over(state):")
    assert call
    rules.write_text(before + call.replace("is_over", "_is_over") + after, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "papan", "match", "connect-four", "minimax:depth=1", "random", "--seed", "1"],
        cwd=tmp_path,
        env={**os.environ, "PAPAN_HOME": str(tmp_path / "home"), "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ran.returncode == 1
    place = f"{rules}, line {len(before.splitlines()) + 1}: "
    for told in (ran.stderr, (tmp_path / "home" / "log" / "papan.log").read_text(encoding="utf-8")):
        assert place in told and "'_is_over'" in told and "by its name" in told
        assert "Traceback" not in told
    assert len(ran.stderr.splitlines()) == 1
