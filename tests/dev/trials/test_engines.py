"""Programs that play badly: the list of them, and a few of them everywhere; no clock is asked how long that takes."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from dev.trials import TrialFailure, engines
from dev.trials.engines import HOSTILE, Hostile
from tests.waiting import PATIENCE

SAMPLE = ("ends once it is to move", "no best move", "leaves a child that keeps its pipes")


@pytest.fixture(autouse=True)
def patient(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All the time that a busy machine may need."""
    for name, seconds in (("GRACE", PATIENCE), ("PATIENCE", PATIENCE), ("_SITTING", PATIENCE), ("_STAYING", PATIENCE)):
        monkeypatch.setattr(engines, name, seconds)
    for bound in ("CLOCK_SECONDS", "MOST_OWN_SECONDS", "MOST_PROCESSOR_SECONDS"):
        monkeypatch.setattr(engines, bound, math.inf)


def test_each_is_another_one() -> None:
    assert len(HOSTILE) > 31 and len({kind.name for kind in HOSTILE}) == len({kind[1:] for kind in HOSTILE}) == len(
        HOSTILE
    )


@pytest.mark.parametrize("name", SAMPLE)
def test_a_sample_of_them(name: str, home: Path) -> None:
    [seed] = [number for number, kind in enumerate(HOSTILE, start=1) if kind.name == name]
    counts = engines.case(seed, home)
    assert counts["questions"] >= 5 and counts["games of tournaments"] == 2


def test_what_comes_of_one_otherwise_than_it_must_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "HOSTILE", (Hostile("gone", "sys.exit(1)", "plays"),))
    with pytest.raises(TrialFailure, match=r"^gone: what came of a match: forfeits: The engine 'x' ended unexpectedly"):
        engines.case(1, home)
