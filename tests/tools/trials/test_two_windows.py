"""Two windows on one match: whatever they do, the file has what one of them played."""

from __future__ import annotations

import pytest

from papan.game.match.library.store import Held, Store
from papan.tools.trials.two_windows import Counts, interleave


class TestTwoWindows:
    def test_no_interleaving_mixes_what_they_play(self) -> None:
        total = Counts()
        for seed in range(200):
            total = total.plus(interleave(seed))
        assert total.mixed == 0
        assert total.savings > 500 and total.lost > 50 and total.unsaved > 50, "they hardly met"

    def test_the_same_seed_is_the_same_interleaving(self) -> None:
        assert interleave(3) == interleave(3)

    def test_without_the_check_of_who_writes_matches_are_mixed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def unchecked(store: Store, held: Held) -> Held:
            return held

        monkeypatch.setattr(Store, "_checked", unchecked)
        assert any(interleave(seed).mixed for seed in range(10))
