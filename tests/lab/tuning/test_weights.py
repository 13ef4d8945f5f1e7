"""Which weights are tuned."""

from __future__ import annotations

import pytest

from papan.ai.evaluation.santorini import FEATURES, WEIGHTS
from papan.game.catalogue import GAMES
from papan.lab.tuning.weights import Tuned, TuningError, tuned_weights

SANTORINI = GAMES["santorini"]


class TestTuned:
    def test_are_those_that_weigh_something_unless_named(self) -> None:
        assert tuned_weights(SANTORINI, "heights", []).names == ("heights",)
        assert tuned_weights(SANTORINI, "heights", ["upper", "heights"]).names == ("upper", "heights")

    def test_others_stay_as_they_are(self) -> None:
        tuned = tuned_weights(SANTORINI, "standard", ["climbs", "centre"])
        found = tuned.vector([9.0, 8.0])
        changed = {FEATURES[index] for index, pair in enumerate(zip(found, WEIGHTS["standard"], strict=True))
                   if pair[0] != pair[1]}  # fmt: skip
        assert changed == {"climbs", "centre"} and found[FEATURES.index("climbs")] == 9.0

    def test_what_weighs_nothing_yet_is_changed_by_the_size_of_the_least(self) -> None:
        tuned = tuned_weights(SANTORINI, "standard", ["threats", "centre", "centricity"])
        assert tuned.spreads == [14.0, 1.2, 1.2]
        assert Tuned(("men",), type(FEATURES)("men"), (0.0,)).spreads == [1.0]

    def test_can_be_written_down(self) -> None:
        tuned = tuned_weights(SANTORINI, "heights=3,distance=-1.5", [])
        assert (tuned.names, tuned.values) == (("heights", "distance"), [3.0, -1.5])


class TestRefusals:
    @pytest.mark.parametrize(
        ("game", "name", "over", "words"),
        [
            ("santorini", "nothings", [], "no weights 'nothings'; choose from standard"),
            ("santorini", "standard", ["luck"], "has no feature 'luck'; choose from heights"),
            ("santorini", "nothing", [], "are all 0: name the features"),
            ("santorini", "standard", ["upper", "upper"], "A feature is named twice"),
            ("santorini", "luck=3", [], "has no feature 'luck'; choose from heights"),
            ("santorini", "heights=high", [], "The weight of heights is a number, not 'high'"),
            ("2048", "conspiracy", [], "have no feature names"),
        ],
    )
    def test_say_what_is_wrong(self, game: str, name: str, over: list[str], words: str) -> None:
        with pytest.raises(TuningError, match=words):
            tuned_weights(GAMES[game], name, over)
