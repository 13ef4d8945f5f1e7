"""What experiments compute by themselves, by hand or by another way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import inf
from typing import Any, ClassVar

import numpy as np
import pytest

from papan.ai.evaluation import evaluation_of
from papan.ai.indicators.course import Course, Play
from papan.ai.indicators.motion import Motion
from papan.ai.players import make_player, situation
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.rules import mover
from papan.lab.arena import openings
from papan.research.reproduction import cifra_levels, santorini_heuristics
from papan.research.reproduction.catur_jawa_agents import entropy
from papan.research.reproduction.cifra_levels import boards_up_to_rotation
from papan.research.reproduction.cifra_listing import DEPTH, WEIGHTS, Chosen, listed_value
from papan.research.reproduction.experiment import Asked, Row, mean_row, share_row
from papan.research.reproduction.experiment import find as find_experiment
from papan.research.reproduction.games_2048 import (
    TABLE_6,
    level,
    milestone_findings,
    motion_findings,
    rows_of,
    trap_findings,
)
from papan.research.reproduction.pn_2048 import OPENINGS, best_chance, start
from papan.research.reproduction.pn_ptree import POINTS, error_rates
from papan.research.reproduction.scn_games import depth_findings, late_means, positions
from tests.research.reproduction.asking import asked_of, row_of


class TestStartingBoards:
    def test_the_smallest_by_listing_them(self) -> None:
        """The cells around the middle of 3 × 3 in their order: a quarter turn moves them on by two."""
        boards = set()
        for ones in combinations(range(8), 4):
            turned = [frozenset((cell + 2 * quarter) % 8 for cell in ones) for quarter in range(4)]
            boards.add(min(turned, key=sorted))
        assert len(boards) == boards_up_to_rotation(3) == 20

    def test_the_slides_number_is_a_quarter_of_all(self) -> None:
        assert boards_up_to_rotation(5) == 676_280


def test_the_choice_of_a_side_is_no_play() -> None:
    """The first player, who wins on its own move, has one play more than the second, who chose before."""
    asked = Asked(0.1, 0, {})
    piece = next(one for one in cifra_levels.stages(asked)[0] if one.facts["pair"] == ("medium", "easy"))
    game = cifra_levels.compute(piece, asked, {})
    assert game["paid"] == 1.0 and game["plays"][0] == game["plays"][1] + 1


class TestMilestonesAndTraps:
    """A game of depth 2 with two milestones, 64 and 128, and two stability traps: one escaped, one at its end."""

    ASKED = Asked(0.001, 0, {"depth": "2"})
    GAME: ClassVar[dict[str, Any]] = {
        "tile": 128,
        "score": 1000.0,
        "numbers": [0, 8, 0, 0, 0, 0, 8, 4, 0, 0, 0, 8, 0, 0, 0, 0],
        "segments": [4] * 7 + [5] * 9,
    }

    def test_each_milestone_is_normalised_and_averaged_by_itself(self) -> None:
        findings = milestone_findings(self.ASKED, {"d2 0": self.GAME})
        assert row_of(findings, "d = 2, 64", "v").ours == pytest.approx(2 / 7)
        assert row_of(findings, "d = 2, 128", "v").ours == pytest.approx(1.5 / 9)
        assert row_of(findings, "d = 2, 128", "p̄").ours == pytest.approx(0.25 / 9)
        assert row_of(findings, "d = 2, 256", "v").ours is None
        [chart] = findings.charts
        assert [line.points[0][0] for line in chart.lines] == [64.0] * 3 and chart.is_logarithmic

    def test_a_trap_is_escaped_unless_the_game_ends_in_it(self) -> None:
        findings = trap_findings(self.ASKED, {"d2 0": self.GAME})
        found = {row.measure: row.ours for row in findings.tables[0].rows}
        assert found["traps a game"] == 2 and found["games that end in a trap, %"] == 100
        assert found["escaped, % of a game's traps"] == 50 and found["plays of a trap"] == 3
        assert found["plays in traps, %"] == pytest.approx(100 * 6 / 16)
        on = trap_findings(self.ASKED, {"d2 0": {**self.GAME, "numbers": [*self.GAME["numbers"][:-1], 8]}})
        assert row_of(on, "d = 2", "games that end in a trap, %").ours == 0

    @pytest.mark.parametrize(
        ("reading", "velocities"),
        [("reached", {1024: 0.5, 2048: 0.6}), ("highest", {1024: None, 2048: 0.5})],
    )
    def test_a_tile_is_an_objective_or_the_highest(self, reading: str, velocities: Mapping[int, float | None]) -> None:
        game = {
            "tile": 2048,
            "score": 0.0,
            "numbers": [0, 8, 4, 0, 4, 1, 5, 1],
            "segments": [7] * 2 + [8] * 3 + [9] * 3,
        }
        asked = Asked(0.05, 0, {"depth": "2", "tile": reading})
        findings = motion_findings(asked, {"d2 0": game})
        assert {tile: row_of(findings, f"d = 2, {tile}", "v").ours for tile in velocities} == velocities
        drawn = [len(chart.lines[0].points) for chart in findings.charts[1:]]
        assert drawn == ([2, 5] if reading == "reached" else [8])

    def test_depths_have_sizes_of_their_own(self) -> None:
        asked = Asked(1.0, 0, {"depth": "5"})
        [stage] = find_experiment("escapes-2048").stages(asked)
        assert Counter(piece.facts["depth"] for piece in stage) == {2: 1000, 3: 1000, 4: 100, 5: 20}
        [stage] = find_experiment("motion-2048").stages(asked)
        assert Counter(piece.facts["depth"] for piece in stage) == dict.fromkeys((2, 3, 4, 5), 20)


class TestMotion:
    @pytest.mark.parametrize("published", TABLE_6.values())
    def test_the_papers_own_rows_follow_from_their_velocity(self, published: tuple[float, ...]) -> None:
        _velocity, mass, _momentum, energy = rows_of("", published, [Motion(published[0], published[2])])
        assert mass.difference == pytest.approx(0.0, abs=1e-9) and energy.difference == pytest.approx(0.0, abs=6e-6)

    def test_intervals_follow_those_of_the_velocity(self) -> None:
        velocity, mass, _momentum, energy = rows_of("", (None,) * 4, [Motion(0.3, 0.2), Motion(0.5, 0.2)])
        assert velocity.ours == pytest.approx(0.4) and velocity.interval and mass.interval and energy.interval
        low, high = velocity.interval
        assert mass.interval == pytest.approx((1 - high, 1 - low))
        assert energy.interval == pytest.approx((2 * (1 - low) * low**2, 2 * (1 - high) * high**2))
        assert all(row.ours is None for row in rows_of("", TABLE_6[2, 1024], [])), "without games"


def test_thirds_of_the_conspiracy_numbers_and_the_entropy_of_openings() -> None:
    assert [level(number) for number in (0.0, 0.33, 0.34, 0.66, 0.67, 1.0)] == [
        "low", "low", "middle", "middle", "high", "high",
    ]  # fmt: skip
    assert entropy(list("aabbccdd")) == 2.0
    assert entropy(list("aaab")) == pytest.approx(0.8113, abs=0.0001)


def test_the_last_third_of_a_game() -> None:
    plays = [Play(turn, (turn - 1) % 2, number) for turn, number in enumerate([9, 9, 9, 9, 8, 0, 4, 0, 6], start=1)]
    plays[0] = Play(1, 0, 10)
    assert late_means(Course(tuple(plays))) == pytest.approx([0.5, 0.0])  # turns 7 and 9; turn 8


class TestDepths:
    ASKED = Asked(0.1, 0, {"turns": "2"})

    def test_positions_are_those_that_red_wins_late(self) -> None:
        some = positions(self.ASKED)
        assert len(some) == 2 and all(one.seat == 0 and one.plies == 7 for one in some)
        assert len({one.position for one in positions(Asked(1.0, 0, {}))}) == 20

    def test_infinite_numbers_are_the_greatest(self) -> None:
        first, second = (one.name for one in positions(self.ASKED))
        found = {
            first: {"values": [(0.5, -0.5), (3.0, -3.0)], "numbers": [(1, 8), (0, None)]},
            second: {"values": [(0.5, -0.5), (1.0, -1.0)], "numbers": [(9, 4), (2, None)]},
        }
        findings = depth_findings(self.ASKED, found)
        ours = {(str(row.case), str(row.measure)): row.ours for row in findings.tables[0].rows}
        assert [ours["depth 1", f"median SCN of {player}"] for player in ("Red", "Black")] == [5, 6]
        assert [ours["depth 2", f"median SCN of {player}"] for player in ("Red", "Black")] == [1, "inf"]
        assert ours["depth 1", "Red's SCN is the lower one, % of positions"] == 50
        assert ours["depth 2", "Red's minimax value is at least T, % of positions"] == 100
        values, numbers = findings.charts[1].lines
        assert [*values.points] == [(1.0, -0.5), (2.0, -1.0)] and [*numbers.points] == [(1.0, 0.8), (2.0, 1.0)]


def test_wrong_choices_are_those_that_lose_where_one_wins() -> None:
    chosen = {"chosen": [1, *[0] * (len(POINTS) - 1)]}
    trees: list[dict[str, Any]] = [
        {"wins": [0], "pns": chosen},
        {"wins": [], "pns": chosen},
        {"wins": [0, 1], "pns": chosen},
    ]
    assert error_rates(trees, "pns") == [1, *[0] * (len(POINTS) - 1)]


def test_the_best_chances_of_2048() -> None:
    found = [best_chance(start(opening), goal) for goal in (8, 16, 32, 64) for opening in OPENINGS]
    assert found == pytest.approx([1.0] * 6 + [0.9626] * 6 + [0.0829] * 6 + [0.0] * 6, abs=0.00005)


class TestCells:
    def test_both_readings_of_atlas_matter_only_to_god(self) -> None:
        def cells(atlas: str) -> list[santorini_heuristics.Cell]:
            return santorini_heuristics.cells(asked_of(santorini_heuristics.EXPERIMENT, 1.0, {"atlas": atlas}))

        assert len(cells("literal")) == 9 and len(cells("gate")) == 9 and len(cells("both")) == 14
        assert set(cells("both")) == {*cells("literal"), *cells("gate")}
        assert {cell.atlas for cell in cells("gate") if "god" in cell[:2]} == {"gate"}
        assert {cell.atlas for cell in cells("gate") if "god" not in cell[:2]} == {"literal"}

    def test_what_god_wins_of_norm_is_the_mean_of_both_sides(self) -> None:
        """9 of 20 as the first player, and the 2 of 10 as the second that norm did not win."""
        row = santorini_heuristics.from_both_sides((20, 9), (10, 8))
        assert row.number == 30 and row.ours == pytest.approx(100 * 11 / 30)
        assert row.published == pytest.approx((52.68711 + 40.15493) / 2)


class TestAsked:
    @pytest.mark.parametrize(
        ("scale", "full", "count"), [(1.0, 200, 200), (0.125, 200, 25), (0.001, 20, 1), (2.0, 10, 20), (0.3, 10, 3)]
    )
    def test_counts_are_shares_of_the_papers_size(self, scale: float, full: int, count: int) -> None:
        assert Asked(scale, 0, {}).count(full) == count

    def test_seeds_depend_on_their_words_and_on_nothing_else(self) -> None:
        asked = Asked(1.0, 3, {})
        assert asked.draw("position", 4) == Asked(0.5, 3, {}).draw("position", 4) < 1 << 31
        others = {asked.draw("position", 5), asked.draw("playouts", 4), Asked(1.0, 4, {}).draw("position", 4)}
        assert len({asked.draw("position", 4), *others}) == 4


class TestRows:
    def test_a_share_has_wilsons_interval_in_percent(self) -> None:
        row = share_row("norm – god", "won, %", 45.0, 50, 100)
        assert (row.ours, row.number, row.difference, row.is_within) == (50.0, 100, 5.0, True)
        assert row.interval == pytest.approx((40.383, 59.617), abs=0.001)
        assert share_row("norm – god", "won, %", 70.0, 50, 100).is_within is False
        assert share_row("", "", 100.0, 120, 120).is_within is True, "all of all"
        assert share_row("", "", 1.0, 0, 0).ours is None
        words = Row("", "", "most", 70.0, (60.0, 80.0), 10)
        assert (words.difference, words.is_within) == (None, None), "words are not compared"

    def test_a_mean_has_the_normal_laws(self) -> None:
        row = mean_row("d = 2", "score", 4.0, [1.0, 2.0, 3.0, 4.0])
        assert row.ours == 2.5 and row.number == 4
        assert row.interval == pytest.approx((2.5 - 1.2651, 2.5 + 1.2651), abs=0.0001)  # 1.96 √(5/3 / 4)
        assert row.is_within is False
        assert mean_row("", "", 1.0, [2.0]) == Row("", "", 1.0, 2.0, None, 1)

    def test_the_interval_goes_below_0_only_where_a_value_does(self) -> None:
        counted, signed = (mean_row("", "", None, values).interval for values in ([0.0, 0.0, 0.9], [0.0, -0.1, 0.9]))
        assert counted is not None and counted[0] == 0.0 and signed is not None and signed[0] < 0.0
        share, above = (mean_row("", measure, None, [99.0, 100.0, 90.0]).interval for measure in ("plays, %", "plays"))
        assert share is not None and share[1] == 100.0 and above is not None and above[1] > 100.0
        assert mean_row("", "", 1.0, []).ours is None


CIFRA = find("cifra")
H2 = evaluation_of(CIFRA).WEIGHTS[WEIGHTS]


def _match(seed: int) -> Match:
    return openings(CIFRA, 1, CIFRA.complete_options({}), seed, 8)[0]


@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_the_usual_search_and_with_an_open_window_cutting_off_changes_none(seed: int) -> None:
    match = _match(seed)
    chosen = Chosen(CIFRA.rules, match.state, H2)
    searched = make_player("seed-hard", CIFRA).choose(situation(match))
    assert max(chosen.values) == pytest.approx(searched.score)
    state, weights = match.state, np.array(H2)
    seat = int(mover(state))
    buffer = np.empty(CIFRA.rules.MOST_STEPS * 2 * (DEPTH + 1), np.int64)
    pruned, whole = (listed_value(state, seat, seat, DEPTH, -inf, inf, prunes, 0, weights, buffer) for prunes in (1, 0))
    assert pruned == whole


def test_a_bound_that_equals_the_best_is_taken_for_a_value() -> None:
    losses = [Chosen(CIFRA.rules, _match(seed).state, H2).loss for seed in range(8)]
    assert min(losses) == 0.0 and max(losses) > 1.0
    ahead = [Chosen(CIFRA.rules, _match(seed).state, H2, depth=1).loss for seed in range(8)]
    assert ahead == [0.0] * 8, "one turn ahead nothing is cut off and nothing lost"
