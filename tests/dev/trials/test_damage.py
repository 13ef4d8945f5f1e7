"""Damaged files of all kinds: the program goes on, and the trial sees where it would not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from dev.trials import Counts, TrialFailure, add_counts, damage
from dev.trials.damage import Outcome, Sample, damage_and_open, make_samples
from papan.game.kernel.cache import KernelCache
from papan.ui.settings import Settings


def total_of(case: Callable[[int, Path], Counts], number: int, place: Path) -> Counts:
    """What so many cases count, each in a folder of its own."""
    total: Counts = Counter()
    for seed in range(number):
        folder = place / str(seed)
        folder.mkdir()
        add_counts(total, case(seed, folder))
    return total


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
        total = total_of(damage.settings_case, 80, tmp_path)
        assert total["damaged settings"] == 80 and 10 < total["settings as they were"] < 80

    def test_settings_that_can_not_be_read_are_found(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Settings, "_read", lambda settings: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            damage.settings_case(1, tmp_path)


class TestKernels:
    def test_they_are_compiled_anew(self, tmp_path: Path) -> None:
        total = total_of(damage.kernel_case, 8, tmp_path)
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
        total = total_of(damage.record_case, 12, tmp_path)
        assert total["records shown"] + total["records refused"] == total["damaged records"] == 12


CASES = 40


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    return make_samples(tmp_path_factory.mktemp("libraries"), Random(1))


@pytest.fixture(scope="module")
def outcomes(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    folder = tmp_path_factory.mktemp("cases")
    return [damage_and_open(samples[seed % len(samples)], folder / str(seed), seed) for seed in range(CASES)]


def test_what_is_no_file_stays_and_lost_matches_are_told_of(outcomes: list[Outcome]) -> None:
    # a file without contents looks like a new one; texts have no checksum
    silent = ("removed", "empty", "bytes changed")
    assert len(outcomes) == CASES, "each can be opened, and a match begun in it"
    for outcome in outcomes:
        is_no_file = outcome.damage.endswith(("sqlite3: a folder", "sqlite3: a pipe"))
        assert outcome.is_untouched == is_no_file, outcome
        assert not outcome.lost or outcome.damage.endswith(silent) or outcome.notice is not None, outcome


def test_most_matches_are_saved(outcomes: list[Outcome]) -> None:
    total: Counter[str] = Counter()
    for outcome in outcomes:
        if outcome.is_set_aside and not outcome.damage.endswith("a text"):
            total += Counter(whole=outcome.whole, part=outcome.part, lost=outcome.lost)
    assert total["whole"] > 0.8 * total.total(), total
    copied = [outcome for outcome in outcomes if outcome.is_set_aside and outcome.damage.startswith("copied")]
    assert len(copied) > 5, "with a copy of the day nearly all are"
    assert sum(outcome.lost for outcome in copied) <= 0.1 * sum(outcome.whole for outcome in copied), copied
