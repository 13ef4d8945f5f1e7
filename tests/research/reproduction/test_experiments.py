"""Every experiment, small: a recorded figure lies within the interval, and each piece stands by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from papan.research.reproduction import catur_jawa_agents, catur_jawa_games, santorini_ga
from papan.research.reproduction.experiment import EXPERIMENTS, Asked, Experiment, Findings, find
from papan.research.reproduction.pools import threads
from papan.research.reproduction.running import open_journal, run
from papan.research.reproduction.santorini_variants import SAID
from tests.research.reproduction.asking import asked_of, found_by, pieces_of, row_of, settled


class Recorded(NamedTuple):
    """A figure of a larger run."""

    name: str
    scale: float
    readings: dict[str, str]
    case: str
    measure: str
    figure: float | str


RECORDED = (
    Recorded("santorini-heuristics", 1e-4, {"atlas": "literal"}, "norm – norm", "won by the first player, %", 54.998),
    Recorded("santorini-heuristics", 1e-4, {"atlas": "gate"}, "god – random", "won by the first player, %", 99.363),
    Recorded(
        "santorini-heuristics", 1e-3, {"domes": "literal", "atlas": "literal"}, "random – god",
        "won by the first player, %", 22.72,
    ),
    Recorded("santorini-variants", 0.5, {}, "7", SAID["7"], "confirmed"),
    Recorded("santorini-atlas", 0.4, {}, "1W_I1H_NTWU*S", "starts won by the player to move, %", 75.0),
    Recorded("santorini-gods", 0.01, {"nodes": "100"}, "all", "won by the first player, %, workers drawn", 46.8),
    Recorded("santorini-god-tuning", 0.01, {}, "god-tuned, second", "won, %", 51.108),
    Recorded(
        "alpha-beta", 0.2, {"game": "connect-four", "nodes": "10000"},
        "connect-four", "alpha-beta, steps as the rules list them", 1.220,
    ),
    Recorded("cifra-levels", 0.1, {}, "medium – easy", "won by the first player, %", 100.0),
    Recorded("santorini-choices", 0.01, {}, "combined", "turns to choose from", 54.7),
    Recorded("cifra-listing", 0.05, {}, "hard", "another move than its own best, % of positions", 31.4),
    Recorded("pn-2048", 0.1, {}, "PPNS, 32", "nodes", 20.33),
    Recorded("pn-connect-four", 0.01, {"nodes": "2000"}, "PNS", "concluded, %", 30.0),
    Recorded("pn-othello", 0.005, {"nodes": "100"}, "32, PNS", "concluded, %", 0.0),
    Recorded("expectimax-2048", 0.1, {"depth": "2"}, "d = 2", "score", 31_183.2),
    Recorded("scn-2048", 0.1, {"depth": "2"}, "d = 2", "low, % of plays", 58.3),
    Recorded("motion-2048", 0.1, {"depth": "2"}, "d = 2", "v", 0.318),
    Recorded("milestones-2048", 0.002, {"depth": "2"}, "d = 2, 64", "v", 0.53),
    Recorded("escapes-2048", 0.002, {"depth": "2"}, "d = 2", "traps a game", 51.58),
    Recorded("scn-depths", 0.1, {"turns": "3"}, "depth 3", "median SCN of Black", 856.0),
    Recorded("scn-games", 0.03, {}, "checkers", "without a winner, %", 45.0),
    Recorded(
        "traps", 0.008, {"game": "connect-four", "nodes": "200"}, "connect-four", "the engine's chance", 1.1766
    ),
)  # fmt: skip
QUICK = {"santorini-variants", "cifra-levels", "pn-connect-four"}


@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: f"{recorded.name} {recorded.case}")
def test_a_recorded_figure_is_found_again(recorded: Recorded) -> None:
    experiment = find(recorded.name)
    asked = asked_of(experiment, recorded.scale, recorded.readings)
    found = pieces_of(experiment, asked, jobs=2)
    _compute_some_again(experiment, asked, found)
    row = row_of(experiment.findings(asked, found), recorded.case, recorded.measure)
    if row.interval is None:
        assert row.ours == recorded.figure
    else:
        low, high = row.interval
        assert low - 0.005 <= float(recorded.figure) <= high + 0.005  # as many decimals as it was recorded with


@pytest.mark.parametrize(
    "recorded",
    [
        pytest.param(one, marks=() if one.name in QUICK else pytest.mark.slow, id=f"{one.name} {one.case}")
        for one in RECORDED
    ],
)
def test_one_worker_finds_what_two_find(recorded: Recorded) -> None:
    one, two = (found_by(recorded.name, recorded.scale, recorded.readings, jobs) for jobs in (1, 2))
    assert settled(one) == settled(two)


def test_every_experiment_is_run() -> None:
    elsewhere = {"santorini-gadgets", "santorini-placements", "santorini-readings"}  # tests of their own
    longer = {"santorini-ga", "pn-ptree", *(name for name in EXPERIMENTS if name.startswith("catur-jawa"))}
    assert {recorded.name for recorded in RECORDED} | longer | elsewhere == {*EXPERIMENTS}


def _with_two_workers(name: str, scale: float) -> Findings:
    """What two workers find."""
    experiment = find(name)
    asked = asked_of(experiment, scale)
    found = run(experiment, asked, open_journal(experiment, asked, None), threads(2)).found
    _compute_some_again(experiment, asked, found)
    return experiment.findings(asked, found)


def _compute_some_again(experiment: Experiment, asked: Asked, found: Mapping[str, Any]) -> None:
    """Compute the last and the first piece of each stage once more, by themselves, and compare them with *found*."""
    for stage in experiment.stages(asked):
        for piece in (*stage[-1:], *stage[:-1][:1]):
            if id(found[piece.name]) not in _computed_again:
                again = json.loads(json.dumps(experiment.compute(piece, asked, found)))
                assert _untimed(again) == _untimed(found[piece.name])
                _computed_again[id(found[piece.name])] = found[piece.name]


_computed_again: dict[int, object] = {}
"""What was found for pieces, by its id: experiments share pieces."""


def _untimed(data: object) -> object:
    """*data* without the times in it."""
    if isinstance(data, dict):
        return {key: _untimed(value) for key, value in data.items() if key != "seconds"}
    return [_untimed(value) for value in data] if isinstance(data, list) else data


class TestLonger:
    def test_weights_by_a_genetic_algorithm(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, number in (("POPULATION", 4), ("MEETINGS", 1), ("CHECK", 2)):
            monkeypatch.setattr(santorini_ga, name, number)
        findings = _with_two_workers("santorini-ga", 0.01)
        assert {row.case for row in findings.tables[0].rows} == {"c1", "c2", "c3"}
        row = row_of(findings, "combined – distance", "won by the first, %")
        assert row.number == 2 and row.interval and row.interval[0] <= 100.0 <= row.interval[1]

    def test_agents_at_catur_jawa(self, monkeypatch: pytest.MonkeyPatch) -> None:
        few = {name: catur_jawa_agents.AGENTS[name] for name in ("random", "heuristic", "minimax")}
        monkeypatch.setattr(catur_jawa_agents, "AGENTS", few)
        monkeypatch.setattr(catur_jawa_agents, "SEATS", (2, 3))
        findings = _with_two_workers("catur-jawa-agents", 0.01)
        row = row_of(findings, "random", "won of games with 2 seats, %")
        assert row.number == 4 and row.interval and row.interval[0] <= 1.0 <= row.interval[1]
        shares = [row for row in findings.tables[1].rows if row.case == "3 seats"]
        assert sum(float(row.ours or 0) for row in shares) == pytest.approx(100.0) and len(shares) == 4
        met = row_of(findings, "random – heuristic – minimax", "won by random, %")
        assert met.number == 3 and met.interval and met.interval[0] <= 3.0 <= met.interval[1]

    @pytest.mark.parametrize(
        ("name", "case", "measure", "figure"),
        [
            ("luck", "2 seats, heuristic – random", "points of heuristic, %", 98.0),
            ("luck", "2 seats, random ×2", "chance in play, %", 100.0),
            ("endings", "2 seats, random ×2", "games that come to empty decks, %", 35.0),
            ("excitement", "2 seats, random ×2", "v", 0.2),
        ],
    )
    def test_first_results_for_catur_jawa(
        self, monkeypatch: pytest.MonkeyPatch, name: str, case: str, measure: str, figure: float
    ) -> None:
        few = {("random",) * 2: 8, ("random",) * 3: 2}
        few |= {("heuristic", "random"): 8} if "heuristic" in case else {}
        monkeypatch.setattr(catur_jawa_games, "LINEUPS", [catur_jawa_games.Lineup(*one) for one in few.items()])
        findings = _with_two_workers(f"catur-jawa-{name}", 1.0)
        row = row_of(findings, case, measure)
        assert row.number >= 8 and row.interval and row.interval[0] <= figure <= row.interval[1]

    def test_trees(self) -> None:
        findings = _with_two_workers("pn-ptree", 0.01)
        row = row_of(findings, "b=2 d=20, PNS", "iterations")
        assert row.interval and row.interval[0] - 5000 <= 355_030 <= row.interval[1] + 5000
        assert row_of(findings, "b=2 d=20", "fewest iterations").ours == "PPNS"
