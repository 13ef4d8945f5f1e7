"""The readings of Kelvin and Lukas's Table 2: what each changes in a turn, in the figures, and in the likelihood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
import pytest

from papan.game.catalogue import find
from papan.game.kernel.rng import random_state
from papan.game.rules.santorini.board import CELL_BY_NAME, CELLS
from papan.game.rules.santorini.gods import APOLLO, ATLAS
from papan.lab.simulation.batches import batches_of
from papan.lab.simulation.counts import WON
from papan.lab.simulation.plan import make_plan
from papan.research.reproduction import santorini_heuristics, santorini_readings
from papan.research.reproduction.santorini_equations import (
    AT_RANDOM,
    FIRST,
    FREE,
    GOD,
    IDLE,
    LAST,
    MOST_CHOICES,
    NEVER,
    NORM,
    RANDOM,
    Reading,
    best_build,
    best_move,
)
from papan.research.reproduction.santorini_heuristics import GATES, GODS, OPTIONS, PUBLISHED, cell_of
from papan.research.reproduction.santorini_readings import (
    BEST,
    likelihood,
    log_likelihood,
    ranked,
    readings,
    said,
    surprise,
    table_of,
)
from tests.research.reproduction.asking import asked_of, row_of

USUAL = Reading(strands=1, builders=1, ties=AT_RANDOM, gate=GATES["literal"])
INDEPENDENT = {
    ("random", "norm"): 13.29, ("random", "god"): 22.72, ("norm", "random"): 86.35, ("norm", "norm"): 52.07,
    ("norm", "god"): 49.60, ("god", "random"): 76.94, ("god", "norm"): 58.05, ("god", "god"): 55.63,
}  # fmt: skip
"""Wins of the first player in %, by another program with the equations as they are written, of 300,000 games."""


def board_of(towers: Mapping[str, int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    board = np.zeros(CELLS, np.int64)
    for name, level in towers.items():
        board[CELL_BY_NAME[name]] = level
    return board


def named(codes: Iterable[int]) -> set[str]:
    """Moves or builds as the cell's name with the worker's number, or with 1 for a dome."""
    names = {cell: name for name, cell in CELL_BY_NAME.items()}
    return {f"{names[code >> 1]} {code & 1}" for code in codes}


def placed(*names: str) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.array([CELL_BY_NAME[name] for name in names], np.int64).reshape(2, 2)


def builds(
    towers: Mapping[str, int], workers: str, player: int, domes: int, reading: Reading = USUAL, god: int = ATLAS
) -> set[str]:
    """All builds that the first player takes where its first worker has moved; *workers* are its own, then others."""
    buffer, random = np.empty(MOST_CHOICES, np.int64), random_state(1)
    given = board_of(towers), placed(*workers.split()), 0, 0, god, player, domes, reading, buffer, random
    return named({best_build(*given) for _ in range(300)})


def moves(
    towers: Mapping[str, int], workers: str, player: int = NORM, reading: Reading = USUAL, god: int = APOLLO
) -> set[str]:
    buffer, random = np.empty(MOST_CHOICES, np.int64), random_state(1)
    given = board_of(towers), placed(*workers.split()), 0, god, player, reading, buffer, random
    return named({best_move(*given) for _ in range(300)} - {-1})


class TestBuilding:
    def test_a_dome_of_norm_is_as_good_as_a_block_only_where_d_is_free(self) -> None:
        blocks = {"b1 0", "a2 0", "b2 0"}
        assert builds({}, "a1 e1 e4 e5", NORM, NEVER) == builds({}, "a1 e1 e4 e5", NORM, IDLE) == blocks
        assert builds({}, "a1 e1 e4 e5", NORM, FREE) == blocks | {"b1 1", "a2 1", "b2 1"}
        assert builds({}, "a1 e1 e4 e5", NORM, FREE, god=APOLLO) == blocks
        assert builds({}, "a1 e1 e4 e5", RANDOM, FREE) == blocks | {"b1 1", "a2 1", "b2 1"}

    def test_god_puts_domes_beside_most_opponents_where_it_may(self) -> None:
        """a2 is next to a3 alone, b2 to a3 and c3."""
        assert builds({}, "a1 e1 a3 c3", GOD, IDLE) == {"b2 1"}
        assert builds({}, "a1 e1 a3 c3", GOD, NEVER) == {"b1 0", "a2 0", "b2 0"}
        gate = USUAL._replace(gate=GATES["gate"])
        assert builds({"b2": 2}, "a1 e1 a3 c3", GOD, IDLE, gate) == {"a2 1"}
        assert builds({"b2": 1}, "a1 e1 a3 c3", GOD, IDLE, gate) == {"b2 1"}, "from level 0 onto level 1"
        assert builds({"a1": 1}, "a1 e1 a3 c3", GOD, IDLE, gate) == {"b1 0", "a2 0", "b2 0"}, "not from level 1"

    def test_on_level_3_the_choice_of_d_counts_twice_only_where_it_is_free(self) -> None:
        towers = {"b1": 3, "a2": 1, "b2": 1}
        assert builds(towers, "a1 e1 c1 e5", NORM, NEVER) == {"b1 1"}
        assert builds(towers, "a1 e1 c1 e5", NORM, FREE) == {"b1 0", "b1 1"}
        assert builds(towers, "a1 e1 c1 e5", GOD, FREE) == {"b1 1"}, "worth 30, not 10"

    def test_the_worker_that_did_not_move_may_build_by_one_reading(self) -> None:
        towers = {"a1": 1, "e2": 1}
        assert builds(towers, "a1 e1 c4 c5", NORM, NEVER, god=APOLLO) == {"b1 0", "a2 0", "b2 0"}
        both = USUAL._replace(builders=2)
        assert builds(towers, "a1 e1 c4 c5", NORM, NEVER, both, APOLLO) == {"e2 0"}, "as high as the worker that moved"

    def test_equal_steps_have_the_papers_order(self) -> None:
        for ties, build in ((FIRST, "b1 1"), (LAST, "b2 0")):
            assert builds({}, "a1 e1 e4 e5", NORM, FREE, USUAL._replace(ties=ties)) == {build}
            assert len(builds({}, "a1 e1 e4 e5", RANDOM, FREE, USUAL._replace(ties=ties))) == 6, "random takes any"


class TestMoving:
    def test_equal_steps_have_the_papers_order(self) -> None:
        """a2 and b2 are in reach of both workers, a1 and b1."""
        assert moves({}, "a1 b1 e4 e5", reading=USUAL._replace(ties=FIRST)) == {"c1 1"}
        assert moves({"a2": 1, "b2": 1}, "a1 b1 e4 e5") == {"a2 0", "a2 1", "b2 0", "b2 1"}
        assert moves({"a2": 1, "b2": 1}, "a1 b1 e4 e5", reading=USUAL._replace(ties=FIRST)) == {"a2 0"}
        assert moves({"a2": 1, "b2": 1}, "a1 b1 e4 e5", reading=USUAL._replace(ties=LAST)) == {"b2 1"}

    def test_only_apollo_changes_places_and_only_god_prefers_it(self) -> None:
        towers = {"a2": 1, "b2": 1, "b1": 2}
        assert moves(towers, "a1 e5 a2 e1", NORM) == {"a2 0", "b2 0"}
        assert moves(towers, "a1 e5 a2 e1", GOD) == {"a2 0"}
        assert moves(towers, "a1 e5 a2 e1", GOD, god=ATLAS) == {"b2 0"}

    def test_a_move_after_which_nothing_can_be_built_is_refused_by_one_reading(self) -> None:
        """Apollo changes places with a1: then a2 and b2 have domes, and b1 the other's worker."""
        towers = {"a2": 4, "b2": 4, "c1": 4, "c2": 4}
        assert moves(towers, "b1 e5 a1 e1", RANDOM) >= {"a1 0"}
        assert "a1 0" not in moves(towers, "b1 e5 a1 e1", RANDOM, USUAL._replace(strands=0))


class TestFigures:
    @pytest.mark.parametrize("pair", INDEPENDENT, ids=" ".join)
    def test_the_literal_equations_give_what_another_program_has(self, pair: tuple[str, str]) -> None:
        asked = asked_of(santorini_heuristics.EXPERIMENT, 1e-3, {"domes": "literal", "atlas": "literal"})
        won = cell_of(asked.readings, *pair).play(asked, 0)
        share = INDEPENDENT[pair] / 100
        error = (share * (1 - share) * (1 / santorini_heuristics.BATCH + 1 / 300_000)) ** 0.5
        assert abs(won / santorini_heuristics.BATCH - share) < 3.3 * error

    @pytest.mark.parametrize(("atlas", "god"), [("literal", "god"), ("gate", "greedy:god-low-domes")])
    def test_the_programs_own_players_have_the_usual_readings(self, atlas: str, god: str) -> None:
        asked = asked_of(santorini_heuristics.EXPERIMENT, 1e-3, {"atlas": atlas})
        options = {"gods": GODS[asked.readings["stranded"]], **OPTIONS}
        plan = make_plan(find("santorini"), [god, "norm"], options, 1, santorini_heuristics.BATCH)
        own = sum(batches_of(plan).play(number).results[0][0][WON] for number in range(plan.batches))
        won = cell_of(asked.readings, "god", "norm").play(asked, 0)
        assert abs(own - won) / santorini_heuristics.BATCH < 3.3 * (0.5 / santorini_heuristics.BATCH) ** 0.5

    def test_each_reading_changes_the_figures(self) -> None:
        def won(pair: tuple[str, str], **chosen: str) -> float:
            asked = asked_of(santorini_heuristics.EXPERIMENT, 1e-3, {"atlas": "literal", **chosen})
            return 100 * cell_of(asked.readings, *pair).play(asked, 1) / santorini_heuristics.BATCH

        assert won(("norm", "norm"), stranded="refused") == pytest.approx(53.72, abs=1.2)
        assert won(("random", "god"), domes="never") == pytest.approx(0.40, abs=0.2)
        assert won(("random", "god"), domes="literal", choosers="god") == pytest.approx(28.6, abs=1.2)
        assert won(("random", "norm"), domes="literal", choosers="god") == pytest.approx(0.34, abs=0.15)
        assert won(("norm", "god"), ties="last") > 62.0 and won(("norm", "norm"), builder="both") < 53.5


class TestLikelihood:
    def test_every_combination_stands_once(self) -> None:
        names = [said(reading) for reading in readings()]
        tables = {tuple(table_of(reading).values()) for reading in readings()}
        assert len(names) == len(set(names)) == len(tables) == 204

    def test_the_papers_own_counts_are_likeliest(self) -> None:
        same, near, far = (log_likelihood(54.0, won, 10_000_000) for won in (5_400_000, 5_405_000, 5_500_000))
        assert 0.0 > same > -1.0 and same > near > far
        assert near - same == pytest.approx(-surprise(54.0, 5_405_000, 10_000_000) / 2, rel=0.01)
        assert log_likelihood(54.0, 5_500, 10_000) > far, "few games say little"
        assert log_likelihood(0.8, 0, 100) > -20.0

    def test_the_likeliest_play_again_and_cells_of_better_ones_are_not_played_twice(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for module in (santorini_heuristics, santorini_readings):
            monkeypatch.setattr(module, "BATCH", 200)
        experiment = santorini_readings.EXPERIMENT
        asked = asked_of(experiment, 4e-5)
        search, *finals = experiment.stages(asked)
        found = {piece.name: experiment.compute(piece, asked, {}) for piece in search}
        assert len(finals) == BEST and {len(stage) for stage in finals} == {len(PUBLISHED)}
        played = Counter[tuple[str, ...]]()
        play = santorini_heuristics.Cell.play
        monkeypatch.setattr(
            santorini_heuristics.Cell, "play", lambda cell, *how: played.update([cell]) or play(cell, *how)
        )
        for stage in finals:
            found.update({piece.name: experiment.compute(piece, asked, found) for piece in stage})
        cells = {cell for reading in ranked(found)[:BEST] for cell in table_of(reading).values()}
        assert set(played) == cells and set(played.values()) == {1}
        findings = experiment.findings(asked, found)
        best, second = (said(reading) for reading in ranked(found)[:2])
        assert row_of(findings, best, "log-likelihood").number == 400
        values = [float(row.ours or 0.0) for row in findings.tables[2].rows if row.measure == "log-likelihood"]
        assert len(values) == 204 and values == sorted(values, reverse=True)
        assert values[0] == pytest.approx(
            likelihood({pair: (found[cell.name], 200) for pair, cell in table_of(ranked(found)[0]).items()}, PUBLISHED)
        )
        assert best != second and "ties=random stranded=loses" in best
