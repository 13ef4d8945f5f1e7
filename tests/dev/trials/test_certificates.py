"""Certificates that are edited at random: each is refused, or says exactly the other claim."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from dev.trials import TrialFailure, add_counts
from dev.trials.certificates import EDITING, EDITS, PROVED, case, certified, edited
from papan.ai.proof import verifying
from papan.ai.proof.verifying import Walked
from papan.commands import certificates as command

CASES = 2 * len(PROVED) - 2
"""Checkers' draw, the last, takes seconds to be proved, and more each time that a claim about it is accepted."""


def test_none_is_accepted_that_says_something_false(tmp_path: Path) -> None:
    counts = Counter[str]()
    for seed in range(CASES):
        if seed % len(PROVED) != len(PROVED) - 1:
            add_counts(counts, case(seed, tmp_path))
    assert counts["edited"] == counts["refused"] + counts["accepted"] == EDITS * (CASES - 1)
    assert counts["accepted"] >= 5 and counts["claims that df-pn confirms"] >= counts["accepted"] - 1


def test_every_kind_of_edit_is_made(tmp_path: Path) -> None:
    text = certified(PROVED[1])
    done = {word for seed in range(300) for word in edited(text, Random(seed), tmp_path)[1].split(", ")}
    assert {*EDITING} <= done


@pytest.mark.parametrize("fault", ["a false claim is accepted", "a condition is left out"])
def test_a_fault_would_be_found(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if fault == "a false claim is accepted":
        monkeypatch.setattr(verifying, "_replayed", lambda *asked: Walked(1, 0, is_end_won=False, turns=0))
    else:
        monkeypatch.setattr(command, "_says", lambda *asked: "Verified: the player can force a win.")
    with pytest.raises(TrialFailure, match="is not true" if fault.startswith("a false") else "lacks"):
        for seed in range(1, 40):
            if seed % len(PROVED) != len(PROVED) - 1:
                case(seed, tmp_path)
