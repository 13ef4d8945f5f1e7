"""Calls the program as a terminal does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from papan import main

Captured = pytest.CaptureFixture[str]


def calling(*first: str) -> Callable[..., tuple[int, str, str]]:
    """What calls the program with the words *first* and more: the exit code, standard output and standard error."""

    def run(capsys: Captured, *more: str | Path) -> tuple[int, str, str]:
        code = main.run((*first, *map(str, more)))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run
