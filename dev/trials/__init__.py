"""Trials of the whole program: what can happen to it, made to happen at random.

A trial is a module with ``TRIAL``. Each of its cases is made of one number, its seed, so that a case that fails can
be tried again by itself. ``python -m dev.trials`` runs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path


class TrialFailure(Exception):
    """A case went otherwise than it must; the message says how."""


Counts = Counter[str]
"""What was counted in a case, by what it is called; a name that begins with ``most`` is no sum but a maximum."""

MOST = "most"


@dataclass(frozen=True)
class Trial:
    """One kind of trial."""

    about: str
    """What happens in a case, and what must hold, in a sentence."""
    case: Callable[[int, Path], Counts]
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


def add_counts(total: Counts, counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        total[name] = max(total[name], count) if name.startswith(MOST) else total[name] + count
