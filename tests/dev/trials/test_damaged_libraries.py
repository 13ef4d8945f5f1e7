"""Whatever happens to a library's files, the program starts, and says what it did."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from dev.trials.damage import Outcome, Sample, damage_and_open, make_samples

CASES = 60


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    return make_samples(tmp_path_factory.mktemp("libraries"), Random(1))


@pytest.fixture(scope="module")
def outcomes(samples: list[Sample], tmp_path_factory: pytest.TempPathFactory) -> list[Outcome]:
    folder = tmp_path_factory.mktemp("cases")
    return [damage_and_open(samples[seed % len(samples)], folder / str(seed), seed) for seed in range(CASES)]


def test_each_can_be_opened_and_played_with(outcomes: list[Outcome]) -> None:
    assert len(outcomes) == CASES  # ``damage_and_open`` begins a match in each


def test_only_what_is_no_file_is_left_where_it_is(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        is_no_file = outcome.damage.endswith(("sqlite3: a folder", "sqlite3: a pipe"))
        assert outcome.is_untouched == is_no_file, outcome


def test_matches_that_are_lost_are_told_of(outcomes: list[Outcome]) -> None:
    silent = (
        "removed",
        "empty",
        "bytes changed",
    )  # a file without contents looks like a new one; texts have no checksum
    for outcome in outcomes:
        if outcome.lost and not outcome.damage.endswith(silent):
            assert outcome.notice is not None, outcome


def test_most_matches_are_saved(outcomes: list[Outcome]) -> None:
    total: Counter[str] = Counter()
    for outcome in outcomes:
        if outcome.is_set_aside and not outcome.damage.endswith("a text"):
            total += Counter(whole=outcome.whole, part=outcome.part, lost=outcome.lost)
    assert total["whole"] > 0.8 * total.total(), total


def test_with_a_copy_of_the_day_nearly_all_are(outcomes: list[Outcome]) -> None:
    copied = [outcome for outcome in outcomes if outcome.is_set_aside and outcome.damage.startswith("copied")]
    assert len(copied) > 5
    assert sum(outcome.lost for outcome in copied) <= 0.1 * sum(outcome.whole for outcome in copied), copied
