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
def asks_for_no_field(state: Small) -> int:
    return state.colour  # type: ignore[attr-defined, no-any-return]  # as the test wants it


@compiled
def names_what_is_not_there(state: Small) -> Small:
    return play(state, step_size)  # type: ignore[name-defined]  # noqa: F821 - as the test wants it


@compiled
def plays_a_number(state: Small) -> int:
    return play(1, 1).number  # type: ignore[arg-type]  # as the test wants it


@compiled
def gives_too_much(state: Small) -> int:
    return play_twice(state, 1, 2).number  # type: ignore[call-arg]  # as the test wants it


@compiled
def adds_what_has_no_sum(state: Small) -> float:
    return state + 1.5  # type: ignore[operator, no-any-return]  # as the test wants it


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
        (asks_for_no_field, asks_for_no_field, "return", "Unknown attribute 'colour'", "the fields of its class"),
        (names_what_is_not_there, names_what_is_not_there, "@compiled", "'step_size' is not defined", "is imported"),
        (plays_a_number, plays_a_number, "return", "the kernel 'play' takes a state first", "as its first argument"),
        (gives_too_much, gives_too_much, "return", "too many positional arguments", "other arguments than it takes"),
        (adds_what_has_no_sum, adds_what_has_no_sum, "return", "float64", "no such operation for these types"),
        (imports, imports, "import math", "IMPORT_NAME", "compiled code has integers"),
    ],
)
def test_one_sentence_says_where_and_what(entry: Any, place: Any, line: str, cause: str, remedy: str) -> None:
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
