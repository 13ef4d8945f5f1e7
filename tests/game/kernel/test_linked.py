"""What a compiled function calls may print and raise, compiled in this process or loaded from the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
