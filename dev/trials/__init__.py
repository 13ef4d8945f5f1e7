"""Trials of the whole program: what can happen to it, made to happen at random.

Each case of a trial is made of one number, its seed, so that a case that fails can be tried again by itself.
``python -m dev.trials`` runs them.
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

LONGEST_SAID = 1500  # characters that are told of what a process said


class TrialFailure(Exception):
    """A case went otherwise than it must; the message says how. Whatever looks at a case may raise it."""


Counts = Counter[str]
"""What was counted in a case, by what it is called; a name that begins with ``MOST`` is no sum but a maximum."""
MOST = "most"
Case = Callable[[int, Path], Counts]
AnyCase = TypeVar("AnyCase", bound=Callable[..., Counts])


@dataclass(frozen=True)
class Trial:
    about: str
    case: Case
    """Runs the case of a seed in an empty folder of its own; raises ``TrialFailure``."""
    most_seconds: float = 1200.0
    """A case that takes longer hangs, be the machine ever so busy."""
    most_growth: float | None = None
    """By which share the process may grow from its size after ``settled_after`` cases; None: any."""
    settled_after: int = 20
    prepare: Callable[[], object] | None = None
    """Makes ready what cases use, before the first: it takes long, and makes the process grow as no case may."""
    different: Callable[[], int] | None = None
    """How many different cases there are, whose seeds count from 1; None: no end of them."""


TRIALS: dict[str, Trial] = {}  # all of them, by name, once the modules here are loaded


def trial(name: str, about: str, **facts: Any) -> Callable[[AnyCase], AnyCase]:
    """Make what is decorated the case of the trial called *name*; *facts* as for ``Trial``."""

    def register(case: AnyCase) -> AnyCase:
        TRIALS[name] = Trial(about, case, **facts)
        return case

    return register


@contextmanager
def failing(what: object) -> Iterator[None]:
    """Say *what* in each failure of the block; any other error there is one."""
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
    """The variables of this process that a program needs in any home."""
    names = ("PATH", "SYSTEMROOT", "PYTHONPATH", "NUMBA_DISABLE_JIT", "LD_LIBRARY_PATH", "TMPDIR", "TEMP", "TMP")
    return {name: os.environ[name] for name in names if name in os.environ}


def ended(words: Sequence[str], environment: Mapping[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
    """The process of *words*, run in the checkout until its end, which must come within so many *seconds*."""
    try:
        return subprocess.run(
            words, env=environment, cwd=CHECKOUT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
            errors="replace", timeout=seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise TrialFailure(f"it hangs: {' '.join(words)[-LONGEST_SAID:]}") from None
