"""Santorini's heuristics against the same definitions written slowly, and by hand."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.ai.evaluation import STANDARD, Greedy, WeightValues, appraise, evaluate
from papan.ai.evaluation.geissler import TABLES
from papan.ai.evaluation.santorini import FEATURES, LEVELS, PLAYERS, WEIGHTS
from papan.ai.limits import WIN_BOUND, Limit
from papan.ai.players import Situation, make_player
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.catalogue import find
from papan.game.kernel import is_plain
from papan.game.kernel.bits import cells_of
from papan.game.match.notation import parse_step
from papan.game.rules import is_over, legal_steps, mover, play, santorini
from papan.game.rules.santorini.board import State, height, workers_of
from papan.game.rules.santorini.gods import GODS as ALL_GODS
from papan.game.rules.santorini.powers import wins_by
from tests.ai.playing import game_at_random

OPTIONS = {"gods": "none", "same": "yes", "pick": "choose", "placement": "random", "teams": "no", "seats": "2"}
GODS = tuple(god.name for god in ALL_GODS)


def position(players: str, heights: dict[str, int] | None = None, seat: int = 1) -> State:
    rows = ["".join(str((heights or {}).get(f"{column}{row}", 0)) for column in "abcde") for row in "54321"]
    return santorini.parse(f"{''.join(rows)}/{seat}/{players}", OPTIONS)


def random_states(seed: int, first: str = "mortal", second: str = "mortal") -> list[State]:
    """The states of a random game."""
    random = Random(seed)
    dealt = santorini.text(santorini.start(OPTIONS, random)).split("mortal")
    state = santorini.parse(dealt[0] + first + dealt[1] + second + dealt[2], OPTIONS)
    return list(game_at_random(state, random))[:-1]


def only(feature: str, weight: float = 1.0) -> np.ndarray:
    """Weights with one feature."""
    return np.array([weight if name == feature else 0.0 for name in FEATURES])


def value(state: State, name: str, seat: int = 0) -> float:
    return evaluate(state, seat, np.array(WEIGHTS[name]))


def worth(state: State, text: str, name: str) -> float:
    """What the greedy player *name* sees in the step written as *text*."""
    return rated(state, text, WEIGHTS[name])


def rated(state: State, text: str, weights: WeightValues) -> float:
    """What *weights* see in the step written as *text*."""
    return appraise(state, parse_step(santorini, state, text), np.array(weights))


# ---------------------------------------------------------------------------- the features, slowly


def way(a: int, b: int) -> int:
    return max(abs(a % 5 - b % 5), abs(a // 5 - b // 5))


def sides(state: State, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cells of the seat's workers, and of the other's."""
    own, theirs = (cells_of(workers_of(state, who)) for who in (seat, 1 - seat))
    return own, theirs


def difference(state: State, seat: int, count: Callable[[int], int]) -> float:
    """By how much the seat's workers count for more."""
    own, theirs = (sum(map(count, cells)) for cells in sides(state, seat))
    return own - theirs


def nearest(state: State, seat: int) -> list[int]:
    """How many moves the nearest own worker is from each of the opponent's."""
    own, theirs = sides(state, seat)
    return [min(way(a, x) for a in own) for x in theirs]


def can_go(state: State, seat: int, origin: int, target: int) -> bool:
    """Whether the seat's worker can go from *origin* to *target* next to it, were it to move now."""
    god = GODS[state.gods >> 4 * seat & 15]
    own, theirs = sides(state, seat)
    climb = height(state, target) - height(state, origin)
    is_bound = bool(state.climbed >> (1 - seat) & 1)
    if way(origin, target) != 1 or target in own or height(state, target) == 4 or climb > (0 if is_bound else 1):
        return False
    if target not in theirs:
        return True
    column, row = 2 * (target % 5) - origin % 5, 2 * (target // 5) - origin // 5
    behind = column + 5 * row
    if god == "minotaur":
        return 0 <= column < 5 and 0 <= row < 5 and behind not in own + theirs and height(state, behind) < 4
    builds = [cell for cell in range(25) if way(cell, target) == 1 and cell not in own + theirs]
    wins = climb == 1 and height(state, target) == 3
    return god == "apollo" and (wins or any(height(state, cell) < 4 for cell in builds))


def onto(state: State, seat: int, level: int) -> list[tuple[int, int]]:
    """The moves of *seat* from the level below up onto *level*."""
    return [
        (origin, target)
        for origin in cells_of(workers_of(state, seat))
        for target in range(25)
        if (height(state, origin), height(state, target)) == (level - 1, level) and can_go(state, seat, origin, target)
    ]


def can_win(state: State, seat: int) -> bool:
    """Whether a turn of *seat* that began now could end the game."""
    god = GODS[state.gods >> 4 * seat & 15]
    own = cells_of(workers_of(state, seat))
    wins = bool(onto(state, seat, 3))
    if god == "artemis":
        ways = [(origin, cell) for origin in own for cell in range(25) if can_go(state, seat, origin, cell)]
        tops = [top for top in range(25) if height(state, top) == 3]
        wins |= any(height(state, cell) == 2 and can_go(state, seat, cell, top) for _, cell in ways for top in tops)
    if god == "pan":
        wins |= any(
            can_go(state, seat, origin, cell) and height(state, origin) >= height(state, cell) + 2
            for origin in own
            for cell in range(25)
        )
    return wins


SLOW: dict[str, Callable[[State, int], float]] = {
    "heights": lambda state, seat: difference(state, seat, lambda cell: height(state, cell)),
    "centricity": lambda state, seat: difference(state, seat, lambda cell: 2 - way(cell, 12)),
    "distance": lambda state, seat: 8 - sum(nearest(state, seat)),
    "centre": lambda state, seat: difference(state, seat, lambda cell: cell == 12),
    "adjacent": lambda state, seat: nearest(state, seat).count(1),
    "two_away": lambda state, seat: nearest(state, seat).count(2),
    "upper": lambda state, seat: difference(state, seat, lambda cell: height(state, cell) >= 2),
    "climbs": lambda state, seat: len(onto(state, seat, 2)) - len(onto(state, 1 - seat, 2)),
    "threats": lambda state, seat: can_win(state, seat) - can_win(state, 1 - seat),
    "wins": lambda state, seat: can_win(state, mover(state)) * (1 if seat == mover(state) else -1),
}
FOR_STEPS = set(FEATURES) - set(SLOW)


class TestFeatures:
    @given(st.integers(0, 2**32), st.sampled_from(GODS), st.sampled_from(GODS))
    @settings(max_examples=20)
    def test_agree_with_their_definitions(self, seed: int, first: str, second: str) -> None:
        for state in random_states(seed, first, second):
            if santorini.phase(state) == "move" and not state.active:
                for seat in (0, 1):
                    for feature, definition in SLOW.items():
                        assert evaluate(state, seat, only(feature)) == definition(state, seat), feature

    def test_of_steps_do_not_count_for_positions(self) -> None:
        for feature in FOR_STEPS:
            assert evaluate(random_states(4)[20], 0, only(feature, 100.0)) == 0


class TestGeissler:
    @pytest.mark.parametrize(
        ("players", "heights", "name", "own", "theirs"),
        [
            ("mortal:a1,b1/mortal:d5,e5", {"a1": 1, "b1": 3, "d5": 2}, "heights", 2, -2),
            ("mortal:c3,b2/mortal:d4,e5", {}, "centricity", 2, -2),
            ("mortal:c3,e1/mortal:c2,b4", {}, "distance", 8 - (1 + 1), 8 - (1 + 2)),  # each seat's own
        ],
    )
    def test_tables(self, players: str, heights: dict[str, int], name: str, own: int, theirs: int) -> None:
        state = position(players, heights)
        assert (value(state, name), value(state, name, 1)) == (own, theirs)

    def test_combined_is_a_weighted_sum_of_their_tables(self) -> None:
        combined = dict(zip(FEATURES, WEIGHTS["combined"], strict=True))
        assert {name for name, weight in combined.items() if weight} <= set(TABLES)
        for state in random_states(9):
            if santorini.phase(state) == "move":
                expected = sum(combined[name] * SLOW[name](state, 1) for name in TABLES)
                assert value(state, "combined", 1) == pytest.approx(expected)

    def test_the_tables_can_hold_any_points(self) -> None:
        """Those of the thesis are 1, 2 for a level, 1, 2 from the ring on, 3, 2, 1 for a distance of 1, 2, 3."""
        weights = FEATURES.weights(
            heights=1, upper=4, centricity=10, centre=50, distance=100, adjacent=700, two_away=300
        )
        state = position("mortal:c3,b2/mortal:d4,e5", {"c3": 2, "b2": 1})
        apart = FEATURES.weights(heights=1, upper=4, centricity=10, centre=50)
        assert evaluate(state, 0, np.array(apart)) == (6 + 1) + (70 + 10) - 10
        assert evaluate(state, 0, np.array(weights)) - evaluate(state, 0, np.array(apart)) == 1000 + 500
        assert evaluate(state, 1, np.array(weights)) + evaluate(state, 0, np.array(apart)) == 1000 + 500

    @pytest.mark.parametrize("name", ["look-ahead", "heights", "centricity", "distance", "combined"])
    def test_the_players_look_three_turns_ahead(self, name: str) -> None:
        game = find("santorini")
        state = position("mortal:b2,d4/mortal:d2,b4", {"c3": 2, "b3": 1, "c4": 1, "b2": 1})
        analysis = make_player(name, game).choose(Situation(state, 0, seed=1))
        assert analysis.depth == 3 or abs(analysis.score) >= WIN_BOUND

    def test_who_looks_ahead_only_takes_a_win_avoids_a_loss_and_plays_at_random_otherwise(self) -> None:
        player = make_player("look-ahead", find("santorini"))
        won = position("mortal:b2,d4/mortal:e1,a5", {"b2": 2, "b3": 3})
        analysis = player.choose(Situation(won, 0, seed=1))
        assert analysis.win_distance == 1 and wins_by(won, 0, *santorini.cells(won, analysis.step))
        for seed in range(5):
            after = position("mortal:b2,d4/mortal:a3,e5", {"a3": 2, "b4": 3})
            while mover(after) == 0:
                after = play(after, player.choose(Situation(after, 0, seed)).step)
            assert not any(is_over(play(after, step)) for step in legal_steps(after))
        even = position("mortal:b2,d4/mortal:d2,b4")
        chosen = {player.choose(Situation(even, 0, seed)).step for seed in range(40)}
        assert len(chosen) > len(legal_steps(even)) // 2

    def test_while_workers_are_missing_nothing_is_near(self) -> None:
        flat = "0" * 25
        for players, distance in (("mortal:/mortal:", 0), ("mortal:b3,d3/mortal:", 0)):
            state = santorini.parse(f"{flat}/{2 if 'b3' in players else 1}/{players}", OPTIONS)
            assert value(state, "distance") == value(state, "distance", 1) == distance
        assert value(state, "centricity") == 2
        assert value(santorini.parse(f"{flat}/1/?:/?:", {**OPTIONS, "gods": "seeds"}), STANDARD) == 0


class TestKelvinAndLukasMoves:
    HEIGHTS = {"b1": 3, "a2": 2, "b2": 1, "a1": 2}  # noqa: RUF012

    @pytest.mark.parametrize("name", ["norm", "god"])
    def test_f_move(self, name: str) -> None:
        state = position("mortal:a1,d1/mortal:d5,e5", self.HEIGHTS)
        expected = {"a1-b1": 100, "a1-a2": 5, "a1-b2": 2, "d1-e1": 1}
        assert {text: worth(state, text, name) for text in expected} == expected

    def test_f_apollo(self) -> None:
        for target, swap, plain in (("b1", 100, 100), ("a2", 10, 5), ("b2", 5, 2)):
            state = position(f"apollo:a1,d1/mortal:{target},e5", self.HEIGHTS)
            assert worth(state, f"a1-{target}", "god") == swap
            assert worth(state, f"a1-{target}", "norm") == plain
            assert worth(state, "d1-e1", "god") == 1
        ground = position("apollo:a1,d1/mortal:e1,e5", self.HEIGHTS)
        assert worth(ground, "d1-e1", "god") == 1

    def test_further_terms_of_f_apollo(self) -> None:
        weights = FEATURES.weights(apollo_swap=1, apollo_ground=0.25, apollo_climb=0.5)
        heights = {"b1": 1, "c1": 2, "a2": 1}
        for own, target, expected in (
            ("a1", "b1", 5.5), ("b1", "c1", 10.5), ("b1", "a2", 5.0), ("b1", "a1", 1.25), ("c1", "b1", 5.0),
        ):  # fmt: skip
            state = position(f"apollo:{own},e5/mortal:{target},e1", heights)
            assert rated(state, f"{own}-{target}", weights) == expected
            assert rated(state, "e5-e4", weights) == 0.0


class TestKelvinAndLukasBuilds:
    def building(self, god: str = "mortal", /, **heights: int) -> State:
        """Seat 1 has moved to c3; seat 2 stands on e3 and e5."""
        state = position(f"{god}:c2,a1/mortal:e3,e5", heights)
        moved: State = play(state, parse_step(santorini, state, "c2-c3"))
        return moved

    @pytest.mark.parametrize(("level", "expected"), [(0, 1), (1, 2), (2, 5)])
    @pytest.mark.parametrize("name", ["norm", "god"])
    def test_f_build_on_the_builders_own_level(self, name: str, level: int, expected: int) -> None:
        around = {"b2": 0, "b3": 1, "b4": 2}
        state = self.building(c3=level, c2=max(level - 1, 0), **around)
        worths = [worth(state, f"+{cell}", name) for cell in around]
        assert worths == [expected if height == level else 0 for height in around.values()]

    def test_f_build_closes_towers_next_to_opponents(self) -> None:
        state = self.building(d3=3, d4=3, b3=3)
        assert [worth(state, text, "norm") for text in ("+d3", "+d4", "+b3")] == [10, 20, 0]

    def test_f_atlas_adds_20_for_each_opponent_next_to_the_dome(self) -> None:
        state = self.building("atlas", d3=1, d4=3, b3=3)
        assert worth(state, "^d3", "god") == 20
        assert worth(state, "^d2", "god") == 1 + 20
        assert worth(state, "+d4", "god") == 20 + 40  # a dome too: the operator's d is true or false with one result
        assert worth(state, "+d3", "god") == 0
        assert worth(state, "+b3", "god") == 0

    def test_a_dome_that_gains_nothing_is_below_any_block(self) -> None:
        state = self.building("atlas", d3=1)
        for name in ("norm", "god", "god-low-domes", "random-no-domes"):
            steps = [santorini.notation(state, step) for step in legal_steps(state)]
            blocks = min(worth(state, text, name) for text in steps if text.startswith("+"))
            assert all(worth(state, text, name) < blocks for text in ("^b3", "^c2", "^b4"))
        assert worth(state, "^d3", "norm") < 0 < worth(state, "^d3", "god")

    def test_low_domes_are_from_the_ground_on_level_0_or_1(self) -> None:
        state = self.building("atlas", d2=1, d3=2)
        assert worth(state, "^d2", "god-low-domes") == 20
        assert worth(state, "^d3", "god-low-domes") < 0 < worth(state, "^d3", "god")
        above = self.building("atlas", c3=1, d2=1)
        assert worth(above, "^d2", "god-low-domes") < 0 < worth(above, "^d2", "god")

    def test_a_dome_that_stops_who_could_climb(self) -> None:
        """What a worker would have by f_move beyond the ground; e3 and e5 are on the ground, and c3 builds."""
        weights = FEATURES.weights(atlas_denial=1.5, idle_dome=-7.0)
        state = self.building("atlas", d2=1, d3=2, d4=2, e3=1, b3=1)
        assert rated(state, "^d2", weights) == 1.5 * (2 - 1)  # e3
        assert rated(state, "^d3", weights) == 1.5 * (5 - 1)  # e3, which stands on level 1
        assert rated(state, "^d4", weights) == 1.5 * (5 - 1)  # e3, but not e5
        assert rated(state, "^c4", weights) == rated(state, "^b3", weights) == -7.0
        assert rated(state, "+d3", weights) == 0.0
        above = self.building("atlas", c3=2, c2=1, d3=2, e3=1)
        assert rated(above, "^d3", weights) == -7.0, "who stands on level 2 does better than that"

    def test_setting_up_is_indifferent(self) -> None:
        for options in ({**OPTIONS, "gods": "seeds"}, {**OPTIONS, "placement": "choose"}):
            state = santorini.start(options, Random(1))
            assert {appraise(state, step, np.array(WEIGHTS["god"])) for step in legal_steps(state)} == {0.0}

    def test_greedy_players_are_by_these_weights(self) -> None:
        assert all(PLAYERS[name] == Greedy(name) for name in ("norm", "god", "god-tuned"))


class TestStandard:
    def test_prefers_height_and_threats(self) -> None:
        high = position("mortal:a1,c3/mortal:e1,e5", {"c3": 1})
        higher = position("mortal:a1,c3/mortal:e1,e5", {"c3": 2})
        threat = position("mortal:a1,c3/mortal:e1,e5", {"c3": 2, "c4": 3}, seat=2)
        to_win = position("mortal:a1,c3/mortal:e1,e5", {"c3": 2, "c4": 3})
        values = [value(state, STANDARD) for state in (high, higher, threat, to_win)]
        assert values == sorted(values) and len(set(values)) == 4

    def test_each_level_is_stronger_than_the_one_below(self) -> None:
        levels = [LEVELS["easy"], LEVELS["medium"]]
        searches = [AlphaBeta(santorini, WEIGHTS[level.weights], table_bits=12) for level in levels]
        random = Random(6)
        games, won = 2 if is_plain() else 16, 0
        for game in range(games):
            state = santorini.start(OPTIONS, random)
            seats = [0, 1] if game % 2 else [1, 0]  # which level each seat plays at
            while not is_over(state):
                level = seats[mover(state)]
                state = play(state, searches[level].analyse(state, Limit(depth=levels[level].depth), seed=game).step)
            winner = santorini.ending(state).winner
            won += winner is not None and seats[winner] == 1
        assert won > 0.7 * games

    def test_of_more_seats_is_the_distance_to_the_best_opponent(self) -> None:
        text = f"{'0' * 10}0120000000{'0' * 5}/1/mortal:b3,a1/mortal:c3,e1/mortal:a5,e5"
        state = santorini.parse(text, {})
        heights = [value(state, "heights", seat) for seat in range(3)]
        assert heights == [1 - 2, 2 - 1, 0 - 2]

    def test_a_seat_that_is_out_has_lost(self) -> None:
        state = santorini.parse(f"{'1' * 25}/1/mortal:b3,a1/mortal:c3,e1/mortal:out", {})
        assert value(state, STANDARD, 2) < -1000 < value(state, STANDARD, 0)
        assert value(state, "heights", 0) == 0, "nobody is compared with who is out"

    def test_partners_see_the_same(self) -> None:
        text = f"{'0' * 10}0120000000{'0' * 5}/1/mortal:b3,a1/mortal:c3,e1/pan:/artemis:"
        state = santorini.parse(text, {"teams": "yes"})
        values = [value(state, STANDARD, seat) for seat in range(4)]
        assert values[0] == values[2] == -values[1] == -values[3] and values[0] < 0
