"""The tuning of ``god``, small: how it goes from step to step, and that what it finds beats ``norm``."""

from __future__ import annotations

import pytest

from papan.research.reproduction import santorini_god_tuning
from papan.research.reproduction.santorini_god_tuning import (
    ADDED,
    ORDER,
    OWN,
    VALUES,
    findings,
    stages,
    steps,
    trials,
    tuned,
)
from tests.research.reproduction.asking import asked_of, found_by, row_of

ASKED = asked_of(santorini_god_tuning.EXPERIMENT, 0.01)


class TestSearch:
    @pytest.fixture
    def found(self) -> dict[str, list[int]]:
        """The second value of each weight wins most, from both seats together."""
        return {
            one.name: [300, 300] if place == 1 else [500, 90]
            for step in range(len(ORDER))
            for place, one in enumerate(trials(ASKED, step))
        }

    def test_the_best_from_both_seats_is_kept(self, found: dict[str, list[int]]) -> None:
        assert [one.value for one in steps(found, ASKED)] == [VALUES[name][1] for name in ORDER]
        assert tuned(found, ASKED, len(ORDER)) == {name: values[1] for name, values in VALUES.items()}
        own = {"atlas_dome": 20.0, "apollo_swap": 1.0, **dict.fromkeys(ADDED, 0.0)}
        assert tuned(found, ASKED, 0) == tuned({}, ASKED, 0) == own, "it begins with the paper's"
        assert tuned(found, ASKED, 1)["atlas_dome"] == OWN["atlas_dome"][1]
        assert all(own[name] in values for name, values in VALUES.items()), "which are tried again"

    def test_fewer_games_are_other_pieces(self) -> None:
        more = asked_of(santorini_god_tuning.EXPERIMENT, 0.02)
        names = [{piece.name for stage in stages(asked) for piece in stage} for asked in (ASKED, more)]
        assert {name.rpartition(" ")[0] for name in names[0] & names[1]} == {
            f"{player} {seat}" for player in ("god", "god-tuned") for seat in (0, 1)
        }


def test_god_beats_norm_from_both_seats_once_it_is_tuned() -> None:
    found = found_by("santorini-god-tuning", 0.01, {}, jobs=2)
    for player in ("god-tuned", "found"):
        for seat in ("first", "second"):
            row = row_of(found, f"{player}, {seat}", "won, %")
            assert row.number == 16_384 and float(row.ours or 0.0) > 50.0, row
    assert float(row_of(found, "god, second", "won, %").ours or 100.0) < 40.0


def test_what_is_won_is_counted_from_the_players_seat() -> None:
    """Whoever can't lose has all games, first and second."""
    found = {
        piece.name: [10, 10 * (piece.facts["measured"][1] == 1)] if "measured" in piece.facts else [0, 0]
        for stage in stages(ASKED)
        for piece in stage
    }
    games = findings(ASKED, found).tables[0].rows
    assert [(row.case, row.ours) for row in games[:3]] == [
        ("god, first", 0.0), ("god, second", 100.0), ("god, both sides", 50.0)
    ]  # fmt: skip
