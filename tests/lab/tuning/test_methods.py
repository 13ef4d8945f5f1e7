"""Two ways of tuning, on functions whose best point is known; and which weights are tuned."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import pytest

from papan.ai.evaluation.santorini import FEATURES, WEIGHTS
from papan.game.catalogue import GAMES
from papan.lab.tuning.methods import Duel, Genetic, Method, Spsa, State, Values
from papan.lab.tuning.running import Tuned, TuningError, tuned_weights

BEST = (4.0, -1.0, 2.0)
BEFORE = (2.0, 0.0, 1.0)
SPREADS = (1.0, 1.0, 1.0)
METHODS: dict[str, Callable[[], Method]] = {
    "ga": lambda: Genetic(SPREADS, population=12, meetings=4),
    "spsa": lambda: Spsa(SPREADS, openings=4),
}


def distance(values: Values) -> float:
    return math.dist(values, BEST)


def points(duel: Duel, random: Random) -> float:
    """What the first of *duel* has of two games: each is won as by a difference of ratings."""
    chance = 1.0 / (1.0 + math.exp(2.0 * (distance(duel.one) - distance(duel.other))))
    return sum(random.random() < chance for _ in range(2)) / 2.0


def after(method: Method, generations: int, seed: int) -> list[State]:
    """The states of *method*, the first one included."""
    states = [method.begin(BEFORE, Random(seed))]
    for generation in range(generations):
        luck = Random(f"luck {seed} {generation}")
        scores = [points(duel, luck) for duel in method.duels(states[-1], generation, Random(f"{seed} {generation}"))]
        states.append(method.learn(states[-1], generation, scores, Random(f"{seed} {generation}")))
    return states


class TestBoth:
    @pytest.mark.parametrize("name", METHODS)
    def test_come_nearer_to_the_best(self, name: str) -> None:
        generations = {"ga": 30, "spsa": 300}[name]
        for seed in range(3):
            method = METHODS[name]()
            assert distance(method.answer(after(method, generations, seed)[-1])) < 0.5 * distance(BEFORE)

    @pytest.mark.parametrize("name", METHODS)
    def test_are_the_same_again_for_the_same_seed_from_the_weights_that_there_are(self, name: str) -> None:
        first, second, other = (after(METHODS[name](), 3, seed) for seed in (1, 1, 2))
        assert first == second != other and first[0][0] == list(BEFORE)


class TestGenetic:
    def test_everybody_meets_as_many_others_as_asked(self) -> None:
        method = Genetic(SPREADS, population=6, meetings=3)
        state = method.begin(BEFORE, Random(1))
        duels = method.duels(state, 0, Random(2))
        for individual in state:
            met = [duel for duel in duels if individual in (duel.one, duel.other)]
            assert [duel.opening for duel in met] == [0, 1, 2]
        assert all(duel.one != duel.other for duel in duels)

    def test_those_with_the_strongest_winrates_are_the_parents_and_the_answer_is_the_mean(self) -> None:
        method = Genetic(SPREADS, population=8, meetings=2)
        state = [[float(individual)] * 3 for individual in range(8)]
        duels = method.duels(state, 0, Random(3))
        following = method.learn(state, 0, [float(duel.one[0] < duel.other[0]) for duel in duels], Random(3))
        assert following[0] == [0.0] * 3 and following[1] == [1.0] * 3
        assert max(weight for child in following[2:] for weight in child) < 8.0
        assert method.answer([[1.0, 2.0, 3.0], [3.0, 2.0, 5.0]]) == [2.0, 2.0, 4.0]


class TestSpsa:
    def test_both_sides_are_as_far_from_the_middle(self) -> None:
        method = Spsa((1.0, 10.0, 0.1), openings=3)
        for duel in method.duels([list(BEFORE)], 4, Random(5)):
            middle = [(one + other) / 2.0 for one, other in zip(duel.one, duel.other, strict=True)]
            assert middle == pytest.approx(list(BEFORE))
            changes = [abs(one - value) for one, value in zip(duel.one, BEFORE, strict=True)]
            assert changes[1] == pytest.approx(10.0 * changes[0]) and changes[2] == pytest.approx(0.1 * changes[0])

    def test_it_goes_to_the_side_that_wins_and_stays_where_nobody_does(self) -> None:
        method = Spsa(SPREADS, openings=2)
        state = [list(BEFORE)]
        winner = method.duels(state, 0, Random(6))[0].one
        (moved,) = method.learn(state, 0, [1.0, 1.0], Random(6))
        assert math.dist(moved, winner) < math.dist(BEFORE, winner)
        assert method.learn(state, 0, [0.5, 0.5], Random(6)) == [pytest.approx(list(BEFORE))]


SANTORINI = GAMES["santorini"]


class TestTuned:
    def test_are_those_that_weigh_something_unless_named(self) -> None:
        assert tuned_weights(SANTORINI, "heights", []).names == ("heights",)
        assert tuned_weights(SANTORINI, "heights", ["upper", "heights"]).names == ("upper", "heights")
        written = tuned_weights(SANTORINI, "heights=3,distance=-1.5", [])
        assert (written.names, written.values) == (("heights", "distance"), [3.0, -1.5])

    def test_others_stay_as_they_are(self) -> None:
        tuned = tuned_weights(SANTORINI, "classical", ["climbs", "centre"])
        found = tuned.vector([9.0, 8.0])
        changed = {FEATURES[index] for index, pair in enumerate(zip(found, WEIGHTS["classical"], strict=True))
                   if pair[0] != pair[1]}  # fmt: skip
        assert changed == {"climbs", "centre"} and found[FEATURES.index("climbs")] == 9.0

    def test_what_weighs_nothing_yet_is_changed_by_the_size_of_the_least(self) -> None:
        tuned = tuned_weights(SANTORINI, "classical", ["threats", "centre", "centricity"])
        assert tuned.spreads == [14.0, 1.2, 1.2]
        assert Tuned(("men",), type(FEATURES)("men"), (0.0,)).spreads == [1.0]


class TestRefusals:
    @pytest.mark.parametrize(
        ("game", "name", "over", "words"),
        [
            ("santorini", "nothings", [], "no weights 'nothings'; choose from standard"),
            ("santorini", "classical", ["luck"], "has no feature 'luck'; choose from heights"),
            ("santorini", "nothing", [], "are all 0: name the features"),
            ("santorini", "classical", ["upper", "upper"], "A feature is named twice"),
            ("santorini", "luck=3", [], "has no feature 'luck'; choose from heights"),
            ("santorini", "heights=high", [], "The weight of heights must be a number, not 'high'"),
            ("2048", "conspiracy", [], "have no feature names"),
        ],
    )
    def test_say_what_is_wrong(self, game: str, name: str, over: list[str], words: str) -> None:
        with pytest.raises(TuningError, match=words):
            tuned_weights(GAMES[game], name, over)
