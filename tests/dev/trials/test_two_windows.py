"""Two windows on one match: whatever they do, the file has what one of them played."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev.trials.two_windows import Counts, interleave
from papan.game.match.library.store import Held, Store


def empty_folder(place: Path, number: int) -> Path:
    folder = place / str(number)
    folder.mkdir()
    return folder


class TestTwoWindows:
    def test_no_interleaving_mixes_what_they_play(self, tmp_path: Path) -> None:
        total = Counts()
        for seed in range(200):
            total = total.plus(interleave(seed, empty_folder(tmp_path, seed)))
        assert total.mixed == 0
        assert total.savings > 500 and total.lost > 50 and total.unsaved > 50, "they hardly met"

    def test_the_same_seed_is_the_same_interleaving(self, tmp_path: Path) -> None:
        assert interleave(3, empty_folder(tmp_path, 1)) == interleave(3, empty_folder(tmp_path, 2))

    def test_without_the_check_of_who_writes_matches_are_mixed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unchecked(store: Store, held: Held) -> Held:
            return held

        monkeypatch.setattr(Store, "_checked", unchecked)
        assert any(interleave(seed, empty_folder(tmp_path, seed)).mixed for seed in range(10))
