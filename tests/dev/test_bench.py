"""The benchmark's figures: what they are compared with, and that they measure what they say."""

from __future__ import annotations

import dataclasses
import itertools
import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from dev.bench import delays, speeds, tables
from dev.bench.figures import Measurement, asked_of_fresh_process, facts, measurement_of, print_figures, starts
from papan.ai.exact import exact_of
from papan.ai.proof import METHODS
from papan.commands.common import command_words
from papan.game.catalogue import GAMES
from papan.game.game import Game, Parts
from papan.game.match import Match
from papan.game.rules import CHANCE
from papan.lab.arena import OPENING_TURNS, opening
from tests.rivals import rival

GAME = GAMES["connect-four"]


class TestFigure:
    @pytest.mark.parametrize(
        ("name", "game", "unit", "met", "missed"),
        [
            (speeds.SEARCH, "santorini", "nodes/s", 3_000_000, 2_999_999),
            (speeds.FIRST_MOVE, "cifra", "s", 5.0, 5.1),
        ],
    )
    def test_a_speed_is_to_be_at_least_what_is_asked_and_a_time_at_most(
        self, name: str, game: str, unit: str, met: float, missed: float
    ) -> None:
        assert measurement_of(speeds.ASKED, name, game, met, unit).is_met
        assert not measurement_of(speeds.ASKED, name, game, missed, unit).is_met

    def test_nothing_is_asked_of_some(self) -> None:
        figure = measurement_of(speeds.ASKED, speeds.PERFT, "cifra", 1.0, "leaves/s")
        assert figure.asked is figure.is_met is facts(figure)["asked"] is None

    def test_the_table_names_what_was_missed(self, capsys: pytest.CaptureFixture[str]) -> None:
        print_figures(
            [Measurement(speeds.FIRST_MOVE, "cifra", 7.25, "s", 5.0), Measurement(speeds.PERFT, None, 1e6, "leaves/s")]
        )
        heading, missed, unasked = capsys.readouterr().out.splitlines()
        assert heading.split() == ["game", "figure", "measured", "asked"]
        assert missed.startswith("CIFRA Code25") and missed.endswith("7.25  s         at most 5  MISSED")
        assert "1,000,000" in unasked and "asked" not in unasked


class TestAskedTime:
    def test_each_step_but_the_first_is_measured(self) -> None:
        took = delays.taken(GAME, "minimax:time=0.005", 6)
        assert 0 < len(took) <= 5
        assert all(cpu > 0.0 and wall > 0.0 for cpu, wall in took)

    def test_what_is_proven_before_its_time_does_not_count(self) -> None:
        assert delays.taken(GAMES["p-tree"], "minimax:time=5", 3) == []

    def test_both_times_are_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(delays, "taken", lambda game, name, number: [(n / 2, float(n)) for n in range(21)])
        what, measured = next(found for found in delays.measures(GAME, ()) if found[0].startswith("1 ms"))
        assert what == "1 ms asked for, minimax"
        assert [(figure.name.removeprefix(f"{what}, "), figure.value) for figure in measured()] == [
            ("processor time", 5000.0), ("processor time, 95 %", 9500.0), ("time", 10000.0), ("time, 95 %", 19000.0),
        ]  # fmt: skip


class TestStopping:
    def test_what_goes_on_until_it_is_stopped_is_measured(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(delays, "LONGEST", delays.SHORTEST)
        stops: list[threading.Event] = []

        def endless(match: Match) -> delays.Stoppable:
            assert not match.ending
            stops.append(threading.Event())
            return lambda is_cancelled: stops[-1].wait(60.0), stops[-1].set

        found = delays.delays(GAME, endless, tries=3)
        assert len(found) == len(stops) == 3 and all(stop.is_set() for stop in stops)
        assert all(0.0 <= delay < 60.0 for delay in found)

    def test_what_was_told_before_it_began_is_measured_too(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(delays, "LONGEST", delays.SHORTEST)

        def late(match: Match) -> delays.Stoppable:
            begun = threading.Event()
            return lambda is_cancelled: (begun.wait(60.0), is_cancelled() or pytest.fail("not told")), begun.set

        assert len(delays.delays(GAME, late, tries=1)) == 1

    def test_what_ends_by_itself_is_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert delays.delays(GAME, lambda match: (lambda is_cancelled: None, lambda: None), tries=2) == []
        assert delays.delays(GAME, lambda match: None, tries=2) == []

    def test_every_family_and_every_solver_is_measured(self) -> None:
        names = {name for name, _ in delays.measures(GAME, ())}
        assert {"stop, minimax", "stop, mcts", "stop, perfect", "stop, df-pn", "stop, Alpha-beta"} <= names
        assert "stop, maxn" in {name for name, _ in delays.measures(GAMES["catur-jawa"], ())}
        for name in ("othello", "cifra"):
            assert "stop, endings" in {name for name, _ in delays.measures(GAMES[name], ())}

    @pytest.mark.parametrize("name", ["othello", "cifra"])
    def test_endings_are_played_on_to(self, name: str) -> None:
        module = exact_of(GAMES[name])
        assert module is not None
        for match in starts(GAMES[name], 20):
            stoppable = delays._ending(match)
            assert (stoppable is None) == bool(match.ending)  # some random games are over before
            if stoppable is not None:
                assert module.can_solve(match.state)
                stoppable[0](lambda: True)
                return
        pytest.fail("every game was over before")

    @pytest.mark.parametrize("name", ["connect-four", "cifra", "2048", "catur-jawa"])
    def test_each_has_a_figure(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """One that is solved, one with solved endings, one of a single seat, one that hides something."""
        game = GAMES[name]
        monkeypatch.setattr(delays, "METHODS", {method: METHODS[method] for method in ("pns", "dfpn")})
        monkeypatch.setattr(delays, "TIMES", {"1 ms asked for": 0.001})
        monkeypatch.setattr(delays, "TRIES", 1)
        monkeypatch.setattr(delays, "POSITIONS", 4)
        monkeypatch.setattr(delays, "LONGEST", delays.SHORTEST)
        figures = [figure for _, measure in delays.measures(game, ()) for figure in measure()]
        assert len(figures) >= 4 and all(figure.value > 0 for figure in figures)
        assert {figure.asked for figure in figures} == {20.0, None}


class TestMeasuring:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(speeds, "RUNS", 2)
        monkeypatch.setattr(speeds, "RUN_SECONDS", 0.02)
        monkeypatch.setattr(speeds, "SEARCH_SECONDS", 0.05)
        monkeypatch.setattr(speeds, "COLD_RUNS", 1)

    def test_a_search_that_has_no_time_to_be_measured_has_no_figure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert [(figure.name, figure.value > 1000) for figure in speeds.search_speed(GAME)] == [(speeds.SEARCH, True)]
        monkeypatch.setattr(speeds, "SEARCH_SECONDS", 3600.0)
        assert speeds.search_speed(GAMES["p-tree"]) == []

    def test_perft_of_a_game_that_is_soon_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        p_tree = GAMES["p-tree"]
        assert speeds.perft_leaves(GAME) > 1000
        shallow = Match.new(p_tree, ["", ""], {"first": "1", "depth": "7"}, 0)
        monkeypatch.setattr(speeds, "starts", lambda game, number: [shallow])
        monkeypatch.setattr(speeds, "RUN_SECONDS", 3600.0)
        assert speeds.perft_leaves(p_tree) > 0

    def test_random_games_take_as_long_as_they_say(self) -> None:
        speed = speeds.random_games(GAME)
        started = time.perf_counter()
        again = speeds.random_games(GAME)
        seconds = time.perf_counter() - started
        assert speed > 0 and again > 0
        assert speeds.PLACEMENTS * 50 / again < seconds

    def test_simulations_are_asked_to_be_a_multiple_of_what_openspiel_makes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(speeds, "find_spec", lambda name: True)
        monkeypatch.setattr(speeds, "openspiel", lambda name: {"connect_four": lambda: 20.0}[name])
        own, theirs = speeds.compare_speeds(GAME)
        assert own.value > 1000 and (own.asked, own.is_met, own.unit) == (100.0, True, "sims/s")
        assert (theirs.value, theirs.asked) == (20.0, None)
        monkeypatch.setattr(speeds, "find_spec", lambda name: None)
        (own,) = speeds.compare_speeds(GAME)
        assert own.asked is None and own.value > 1000

    def test_openspiel_is_measured_where_it_is(self) -> None:
        rival("pyspiel")
        assert speeds.openspiel("connect_four")() > 100

    def test_steps_are_asked_to_be_a_multiple_of_what_the_fastest_other_makes(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(speeds, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
        monkeypatch.setattr(speeds, "RUN_SECONDS", 10)
        others = {"One": ("json", lambda: lambda: 3), "Other": ("json", lambda: lambda: 5)}
        monkeypatch.setattr(speeds, "RIVALS", {GAME.name: others})
        own, one, other = speeds.compare_steps(GAME)
        assert own.note == "" and own.asked == 20 * other.value
        assert other.value / one.value == pytest.approx(5 / 3) and one.asked is None

    def test_what_is_not_installed_is_said(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(speeds, "find_spec", lambda name: None)
        (own,) = speeds.compare_steps(GAME)
        assert own.asked is None and own.value > 1000
        print_figures([own])
        assert capsys.readouterr().out.rstrip().endswith("not compared, not installed: OpenSpiel, PettingZoo")
        (own,) = speeds.compare_steps(GAMES["2048"])  # of which nobody else is asked
        assert own.note == "" and own.value > 1000

    @pytest.mark.parametrize(
        ("module", "chunk"),
        [("pettingzoo", speeds.pettingzoo_chunk), ("pyspiel", speeds.openspiel_chunk)],
    )
    def test_the_others_are_measured_where_they_are(self, module: str, chunk: Callable[[], speeds.Chunk]) -> None:
        rival(module)
        take = chunk()
        assert all(take() >= 7 for _ in range(30))

    def test_a_game_that_shows_nothing_is_not_measured(self) -> None:
        blind = dataclasses.replace(GAME, parts=Parts("papan.game.rules.connect_four"))
        assert speeds.ENVIRONMENT_STEPS not in [what for what, _ in speeds.measures(blind, [])]
        assert speeds.ENVIRONMENT_STEPS in [what for what, _ in speeds.measures(GAME, [])]

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
    def test_the_opening_is_played_some_turns_far(self, game: Game) -> None:
        match = opening(starts(game, 1)[0])
        assert len([turn for turn in match.turns() if turn.seat != CHANCE]) == OPENING_TURNS

    def test_an_opening_may_end_the_game(self) -> None:
        over = Match.new(GAME, ["", ""], seed=1, position="1212121")
        assert opening(over).ending

    def test_a_fresh_process_is_asked_with_a_home_of_its_own(self) -> None:
        print_home = "import json, os; print(json.dumps({'seconds': len(os.listdir(os.environ['PAPAN_HOME']))}))"
        figures = speeds.first_moves(GAME, [sys.executable, "-c", print_home])
        assert [figure.value for figure in figures] == [0, 0]
        assert [figure.name for figure in figures] == [speeds.FIRST_MOVE, speeds.NEXT_FIRST_MOVE]
        json.dumps([facts(figure) for figure in figures])


def test_an_answer_of_another_process_is_what_was_measured(tmp_path: Path) -> None:
    """Regression: how it was made was taken for one more scene, and no window was measured any more."""
    program = 'print(\'{"table": {"cold": 0.01}, "made_by": {"command": "watch-scenes"}}\')'
    assert asked_of_fresh_process([sys.executable, "-c", program], tmp_path) == {"table": {"cold": 0.01}}


class TestSolvers:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, value in (("RUNS", 1), ("SEARCH_SECONDS", 0.05), ("SOLVER_MEMORY", 32)):
            monkeypatch.setattr(speeds, name, value)

    def test_each_method_has_a_speed(self) -> None:
        named = {what: measured for what, measured in speeds.measures(GAME, ()) if what.startswith("solver, ")}
        figures = [figure for what in ("solver, PNS", "solver, df-pn") for figure in named[what]()]
        assert all(figure.value > 0 and figure.unit == "nodes/s" for figure in figures)

    def test_what_is_solved_at_once_or_has_no_winner_has_one_as_well(self) -> None:
        assert speeds.solver_nodes(GAMES["2048"], "dfpn") > 0

    def test_hidden_cards_are_not_looked_at(self) -> None:
        assert not [what for what, _ in speeds.measures(GAMES["catur-jawa"], ()) if what.startswith("solver")]


def test_a_host_passes_all_steps_on() -> None:
    told: list[str] = []
    figures = tables.measure(command_words(), told.append, ["connect-four"], tables=3, seconds=4)
    assert told == ["connect-four: 3 tables"]
    assert figures[0].note == "12 of 12 steps arrived" and figures[0].asked == tables.MOST_MILLISECONDS
    step, slowest, *shares = (figure.value for figure in figures)
    # A system counts a process's time in steps of 10 ms: twelve steps may take none.
    assert 0 < step <= slowest and all(share >= 0 for share in shares)
