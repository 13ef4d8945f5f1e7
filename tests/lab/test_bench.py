"""The benchmark's figures: what they are compared with, and that they measure what they say."""

from __future__ import annotations

import json
import sys
import time

import pytest

from game.catalogue import GAMES
from game.kernels import CHANCE
from game.match import Match
from lab import bench
from lab.bench import Figure

GAME = GAMES["connect-four"]


class TestFigure:
    def test_a_speed_is_to_be_at_least_what_is_asked(self) -> None:
        asked = bench.ASKED[bench.SEARCH, "santorini"]
        assert Figure(bench.SEARCH, "santorini", asked, "nodes/s").is_met
        assert not Figure(bench.SEARCH, "santorini", asked - 1, "nodes/s").is_met

    def test_a_time_is_to_be_at_most_what_is_asked_of_each_game(self) -> None:
        assert Figure(bench.FIRST_MOVE, "cifra", 5.0, "s").is_met
        assert not Figure(bench.FIRST_MOVE, "cifra", 5.1, "s").is_met

    def test_nothing_is_asked_of_some(self) -> None:
        figure = Figure(bench.PERFT, "cifra", 1.0, "leaves/s")
        assert figure.asked is None and figure.is_met is None
        assert bench.facts(figure)["asked"] is None

    def test_the_table_names_what_was_missed(self, capsys: pytest.CaptureFixture[str]) -> None:
        bench.print_figures([Figure(bench.FIRST_MOVE, "cifra", 7.25, "s"), Figure(bench.PERFT, None, 1e6, "leaves/s")])
        heading, missed, unasked = capsys.readouterr().out.splitlines()
        assert heading.split() == ["game", "figure", "measured", "asked"]
        assert missed.startswith("CIFRA Code25") and missed.endswith("7.25  s         at most 5  MISSED")
        assert "1,000,000" in unasked and "asked" not in unasked


class TestMeasuring:
    @pytest.fixture(autouse=True)
    def short(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bench, "RUNS", 2)
        monkeypatch.setattr(bench, "RUN_SECONDS", 0.02)
        monkeypatch.setattr(bench, "SEARCH_SECONDS", 0.05)

    def test_random_games_take_as_long_as_they_say(self) -> None:
        speed = bench.random_games(GAME)
        started = time.perf_counter()
        again = bench.random_games(GAME)
        seconds = time.perf_counter() - started
        assert speed > 0 and again > 0
        assert bench.PLACEMENTS * 50 / again < seconds

    def test_searches_and_perfts_have_a_speed(self) -> None:
        assert bench.searched_nodes(GAME) > 1000
        assert bench.perft_leaves(GAME) > 1000

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
    def test_the_opening_is_played_some_turns_far(self, game: object) -> None:
        match = bench.opening(bench._starts(game, 1)[0])  # type: ignore[arg-type]
        assert len([turn for turn in match.turns() if turn.seat != CHANCE]) == bench.OPENING_TURNS

    def test_an_opening_may_end_the_game(self) -> None:
        over = Match.new(GAME, ["", ""], seed=1, position="1212121")
        assert bench.opening(over).ending

    def test_a_fresh_process_is_asked_with_a_home_of_its_own(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(bench, "COLD_RUNS", 1)
        print_home = "import json, os; print(json.dumps({'seconds': len(os.listdir(os.environ['PAPAN_HOME']))}))"
        figures = bench.first_moves(GAME, [sys.executable, "-c", print_home])
        assert [figure.value for figure in figures] == [0, 0]
        assert [figure.name for figure in figures] == [bench.FIRST_MOVE, bench.NEXT_FIRST_MOVE]
        json.dumps([bench.facts(figure) for figure in figures])
