"""Damaged files of all kinds: the program goes on, and the trial sees where it would not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dev.trials import Counts, TrialFailure, add_counts, damage
from papan.game.kernel.cache import KernelCache
from papan.ui.settings import Settings


def folder_of(place: Path, seed: int) -> Path:
    folder = place / str(seed)
    folder.mkdir()
    return folder


def test_cases_of_all_kinds_take_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, int]] = []

    def noting(kind: str) -> Callable[[int, Path], Counts]:
        def note(seed: int, folder: Path) -> Counts:
            told.append((kind, seed))
            return Counter()

        return note

    monkeypatch.setattr(damage, "KINDS", {kind: noting(kind) for kind in damage.KINDS})
    counts = [damage.case(seed, tmp_path) for seed in range(10)]
    assert told == [(kind, turn) for turn in range(2) for kind in damage.KINDS]
    assert {"libraries", "settings", "kernels", "assets", "records"} == set(damage.KINDS)
    assert all(count["damaged files"] == 1 for count in counts)


class TestSettings:
    def test_they_can_be_read_and_changed(self, tmp_path: Path) -> None:
        total: Counts = Counter()
        for seed in range(80):
            add_counts(total, damage.settings_case(seed, folder_of(tmp_path, seed)))
        assert total["damaged settings"] == 80 and 10 < total["settings as they were"] < 80

    def test_settings_that_can_not_be_read_are_found(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Settings, "_read", lambda settings: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            damage.settings_case(1, tmp_path)


class TestKernels:
    def test_they_are_compiled_anew(self, tmp_path: Path) -> None:
        total: Counts = Counter()
        for seed in range(8):
            add_counts(total, damage.kernel_case(seed, folder_of(tmp_path, seed)))
        assert total["damaged kernels"] + total["kernels that are not kept here"] == 8
        assert total["kernels whole again"] >= total["damaged kernels"] - 2, "a folder in its place stays"

    def test_a_cache_that_takes_anything_is_found(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        load = KernelCache.load_overload

        def load_anything(cache: KernelCache, signature: object, target: object) -> object:
            if list(tmp_path.iterdir()):
                raise EOFError("half a kernel")
            return load(cache, signature, target)

        monkeypatch.setattr(KernelCache, "load_overload", load_anything)
        with pytest.raises(TrialFailure, match="half a kernel"):
            damage.kernel_case(3, tmp_path)


class TestRecords:
    def test_they_are_refused_or_shown(self, home: Path, tmp_path: Path) -> None:
        total: Counts = Counter()
        for seed in range(12):
            add_counts(total, damage.record_case(seed, folder_of(tmp_path, seed)))
        assert total["records shown"] + total["records refused"] == total["damaged records"] == 12
