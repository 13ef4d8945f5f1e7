"""Two windows on one match: whatever they do, the file has what one of them played."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import Phase

from dev.trials import Counts, TrialFailure, two_windows
from dev.trials.two_windows import case
from papan.game.match.library.store import Held, Store


def test_no_interleaving_mixes_what_they_play(tmp_path: Path) -> None:
    total: Counts = Counter()
    for number in range(5):
        total += case(number, tmp_path)
    assert total["savings"] > 120 and total["matches taken over"] > 12 and total["steps not saved then"] > 12, total


def test_the_same_seed_is_the_same_interleaving(tmp_path: Path) -> None:
    assert case(3, tmp_path) == case(3, tmp_path)


def test_without_the_check_of_who_writes_matches_are_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unchecked(store: Store, held: Held) -> Held:
        return held

    monkeypatch.setattr(Store, "_checked", unchecked)
    monkeypatch.setattr(two_windows, "PHASES", (Phase.generate,))  # to shrink it takes minutes
    with pytest.raises(TrialFailure, match="which nobody played") as found:
        for number in range(10):
            case(number, tmp_path)
    assert "deed='play'" in str(found.value), "the acts that lead there are told"
