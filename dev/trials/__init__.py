"""Randomized trials of the whole program: whatever can happen to it.

Each case of a trial depends only on a seed, so that a failed case can be repeated. ``python -m dev.trials`` runs them.
"""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from papan.game.base.places import CHECKOUT

LONGEST_SAID = 1500  # characters of a process's output in a failure's message


class TrialFailure(Exception):
    """A case failed; the message says how. All code of a case may raise it."""


Counts = Counter[str]
"""Statistics of a case by name; with a name that begins with ``MOST``, a maximum, otherwise a sum."""
MOST = "most"
Case = Callable[[int, Path], Counts]
AnyCase = TypeVar("AnyCase", bound=Callable[..., Counts])


@dataclass(frozen=True)
class Trial:
    about: str
    case: Case
    """Runs the case of a seed in a new empty folder; raises ``TrialFailure``."""
    most_seconds: float = 1200.0
    """A case that takes longer counts as hanging, even on a busy machine."""
    most_growth: float | None = None
    """The growth that the process is allowed, as a share of its size after ``settled_after`` cases; None: any."""
    settled_after: int = 20
    prepare: Callable[[], object] | None = None
    """Prepares what cases use, before the first: it takes long, and makes the process grow more than a case may."""
    different: Callable[[], int] | None = None
    """Returns the number of different cases, with seeds from 1 on; None: unlimited."""


TRIALS: dict[str, Trial] = {}  # all trials by name, after the modules of this package are loaded


def trial(name: str, about: str, **facts: Any) -> Callable[[AnyCase], AnyCase]:
    """Decorator: make a function the case of the trial *name*; *facts* are fields of ``Trial``."""

    def register(case: AnyCase) -> AnyCase:
        TRIALS[name] = Trial(about, case, **facts)
        return case

    return register


@contextmanager
def failing(what: object) -> Iterator[None]:
    """Add *what* to the message of failures in the block, and turn all other errors into failures."""
    try:
        yield
    except TrialFailure as error:
        raise TrialFailure(f"{what}: {error}") from error
    except Exception as error:
        raise TrialFailure(f"{what}: {type(error).__name__}: {error}") from error


def add_counts(total: Counts, counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        total[name] = max(total[name], count) if name.startswith(MOST) else total[name] + count


def shared_variables() -> dict[str, str]:
    """The environment variables of this process that a program needs with any home folder."""
    names = ("PATH", "SYSTEMROOT", "PYTHONPATH", "NUMBA_DISABLE_JIT", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP")
    return {name: os.environ[name] for name in names if name in os.environ}


def ended(words: Sequence[str], environment: Mapping[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
    """The finished process of the command *words*, run in the checkout; it must end within *seconds*."""
    try:
        return subprocess.run(
            words, env=environment, cwd=CHECKOUT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            errors="replace", timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise TrialFailure(f"it hangs: {' '.join(words)[-LONGEST_SAID:]}") from None
