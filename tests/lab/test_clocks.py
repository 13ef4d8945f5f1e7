"""Which clock a match goes by."""

from __future__ import annotations

import json
import threading
import time
import zlib

import pytest

from papan import main
from papan.ai.players import make_player, situation
from papan.game.base.sentences import say
from papan.game.catalogue import GAMES
from papan.game.kernel.clock import PROCESSOR, WALL, ClockError, chosen_clock, timed_by, why_no_processor_clock
from papan.game.match import Match
from papan.lab import arena
from papan.lab.arena import clock_for, told_clock

OTHELLO = GAMES["othello"]
has_one = pytest.mark.skipif(why_no_processor_clock() is not None, reason="no fine clock of a thread's own")


class TestChoice:
    @has_one
    def test_it_is_the_processor_s_unless_told_otherwise(self) -> None:
        assert clock_for(None, OTHELLO, ["mcts", "level:8"]) == PROCESSOR
        assert clock_for(WALL, OTHELLO, ["mcts", "level:8"]) == WALL

    @has_one
    def test_other_programs_are_as_quick_as_ours_by_the_wall_s(self) -> None:
        players = ["engine:other", "mcts"]
        assert clock_for(None, OTHELLO, players) == WALL and clock_for(PROCESSOR, OTHELLO, players) == PROCESSOR

    def test_several_threads_are_refused_and_go_by_the_wall_s(self) -> None:
        players = ["mcts", "minimax:time=0.1,threads=2"]
        assert clock_for(None, OTHELLO, players) == WALL
        with pytest.raises(ClockError, match=r"'minimax:time=0.1,threads=2' thinks with .* Ask for --clock wall\."):
            clock_for(PROCESSOR, OTHELLO, players)

    def test_so_is_a_system_that_has_no_fine_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(arena, "why_no_processor_clock", lambda: say("It is coarse."))
        assert clock_for(None, OTHELLO, ["mcts"]) == WALL
        with pytest.raises(ClockError, match=r"It is coarse\. Ask for --clock wall\."):
            clock_for(PROCESSOR, OTHELLO, ["mcts"])

    def test_whose_seconds_are_others_is_told(self) -> None:
        assert "wall-clock time: engine:other." in told_clock(PROCESSOR, ["engine:other", "mcts", "engine:other"])
        assert "wall-clock" not in told_clock(PROCESSOR, ["mcts"])


@has_one
class TestPlayers:
    """However little the system lets a player run, it has all of its processor time."""

    @pytest.mark.parametrize("name", ["mcts:time=0.05", "minimax:time=0.05,book=0"])
    def test_a_busy_machine_takes_nothing_away(self, name: str) -> None:
        player, told = make_player(name, OTHELLO), situation(Match.new(OTHELLO, ["", ""], {}, 1))
        player.prepare(told.state)
        is_over = threading.Event()

        def keep_busy() -> None:
            while not is_over.is_set():
                zlib.compress(bytes(10**6))  # which takes no lock of Python's

        crowd = [threading.Thread(target=keep_busy, daemon=True) for _ in range(3)]
        for one in crowd:
            one.start()
        try:
            with timed_by(PROCESSOR):
                used = time.thread_time()
                found = player.choose(told)
                used = time.thread_time() - used
        finally:
            is_over.set()
            for one in crowd:
                one.join()
        assert found.seconds <= used
        if name.startswith("mcts"):
            assert used >= 0.05  # an iteration that would be late alpha-beta does not begin
        else:
            assert found.depth >= 3 and not found.is_proven


class TestMatch:
    @pytest.mark.parametrize("more", [(), ("--openings", "1")])
    def test_it_names_the_clock(self, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]) -> None:
        words = ("match", "connect-four", "mcts:time=0.001", "random", "--seed", "1", *more, "--json")
        for clock in (WALL, PROCESSOR) if why_no_processor_clock() is None else (WALL,):
            assert main.run((*words, "--clock", clock)) == 0
            assert json.loads(capsys.readouterr().out)["clock"] == clock
            assert chosen_clock() == WALL

    def test_it_tells_what_its_seconds_are(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main.run(("match", "connect-four", "random", "random", "--openings", "1", "--clock", WALL)) == 0
        assert "Seconds are wall-clock time" in capsys.readouterr().out

    @pytest.mark.parametrize("more", [(), ("--openings", "1")])
    def test_a_clock_that_can_t_be_is_one_sentence(
        self, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
    ) -> None:
        words = ("match", "connect-four", "minimax:time=0.1,threads=2", "random", *more, "--clock", PROCESSOR)
        assert main.run(words) == 2
        captured = capsys.readouterr()
        assert captured.out == "" and "Ask for --clock wall." in captured.err and captured.err.count("\n") == 1
