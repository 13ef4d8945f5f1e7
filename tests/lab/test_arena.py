"""Matches without a window."""

from __future__ import annotations

import json
import threading
import time
import zlib
from collections import Counter
from itertools import combinations, islice, pairwise, product

import pytest

from papan import main
from papan.ai.players import PlayerError, make_player, situation
from papan.game.base.sentences import say
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel.clock import PROCESSOR, WALL, ClockError, chosen_clock, timed_by, why_no_processor_clock
from papan.game.match import Match, Turn
from papan.lab import arena
from papan.lab.arena import (
    ADDED,
    Tally,
    clock_for,
    compare,
    hashed_seeds,
    make_players,
    openings,
    play_match,
    told_clock,
)
from tests.commands.calling import Captured


def match_between(game: Game, *names: str, seed: int = 1) -> Match:
    return Match.new(game, names, {"first": "1"}, seed)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_game_is_played_to_its_end_and_told_by_turns(game: Game) -> None:
    players = ["minimax:depth=1", "random"][: game.seats[0]]
    first, second = (match_between(game, *players) for _ in range(2))
    told: list[Turn] = []
    assert play_match(first, make_players(game, players), told.append) is first
    assert first.ending and told == first.turns()
    assert play_match(second, make_players(game, players)).all_steps == first.all_steps, "the seed is the same"


def test_the_better_player_wins_on_either_seat() -> None:
    game = GAMES["connect-four"]
    for players in (["minimax:depth=4", "random"], ["random", "minimax:depth=4"]):
        ending = play_match(match_between(game, *players), make_players(game, players)).ending
        assert ending and ending.winner == players.index("minimax:depth=4")


def test_a_tally_has_wilsons_interval_and_a_draw_counts_half() -> None:
    assert Tally(wins=3, draws=2, losses=5).score == 0.4
    low, high = Tally(wins=8, losses=2).interval
    assert (round(low, 4), round(high, 4)) == (0.4902, 0.9433)  # Wilson (1927): 8 of 10
    assert Tally().interval == (0.0, 1.0)


class TestComparing:
    def test_openings_are_different_and_not_over(self) -> None:
        starts = openings(GAMES["connect-four"], 30, {}, seed=0, turns=4)
        assert len({start.state for start in starts}) == 30
        assert all(len(start.turns()) == 4 and not start.ending for start in starts)
        assert len(openings(GAMES["connect-four"], 9, {}, seed=0, turns=1)) == 7, "there are only so many"

    def test_openings_that_were_drawn_the_older_way_can_be_drawn_again(self) -> None:
        older, other = (
            [start.seed for start in openings(GAMES["connect-four"], 5, {}, seed, 4, opening_seeds=ADDED)]
            for seed in (7, 9)
        )
        assert older == [7, 8, 9, 10, 11] and other[:3] == older[2:]

    @pytest.mark.parametrize("threads", [1, 2])
    def test_each_player_has_either_side_of_each_opening(self, threads: int) -> None:
        game = GAMES["connect-four"]
        starts = openings(game, 4, {}, seed=3, turns=2)
        told: list[int] = []
        names = ["minimax:depth=4", "random"]
        tally = compare(game, names, starts, threads, lambda so_far: told.append(so_far.games))
        assert told == [2, 4, 6, 8] and tally.score > 0.75
        other = compare(game, names[::-1], starts, threads)
        assert (other.wins, other.losses) == (tally.losses, tally.wins)
        assert min(tally.choices) > 8

    def test_the_seconds_are_those_of_each_player(self) -> None:
        game = GAMES["connect-four"]
        starts = openings(game, 2, {}, seed=3, turns=2)
        tally = compare(game, ["minimax:depth=4", "random"], starts)
        assert tally.seconds[0] > tally.seconds[1] == 0.0

    def test_a_player_that_is_none_is_refused_before_anything_is_played(self) -> None:
        with pytest.raises(PlayerError):
            compare(GAMES["connect-four"], ["random", "nobody"], [])


class TestOpeningsOfNeighbouringSeeds:
    """Which shared nearly all of them once, since numbers were added to the seed."""

    SEEDS = range(100)

    def test_no_match_is_of_two_seeds_and_a_seed_has_the_same_on_every_machine(self) -> None:
        drawn = [seed for own in self.SEEDS for seed in islice(hashed_seeds(own), 1000)]
        assert len({*drawn}) == len(drawn) and min(drawn) >= 0 and max(drawn) < 2**53
        assert [*islice(hashed_seeds(7), 3)] == [6498767946634617, 1404168962897799, 7875564127673392]

    def test_they_share_what_chance_has_it(self) -> None:
        """Of 20 openings of four turns in Connect Four, where all 7 columns are open: how likely each is, is known."""
        game, number = GAMES["connect-four"], 20
        likely = Counter(columns_of(columns) for columns in product(range(7), repeat=4))
        by_chance = sum((1.0 - (1.0 - times / 7**4) ** number) ** 2 for times in likely.values())
        drawn = [{start.state for start in openings(game, number, {}, seed, 4)} for seed in self.SEEDS]
        shared = [len(one & other) for one, other in combinations(drawn, 2)]
        beside = [len(one & other) for one, other in pairwise(drawn)]
        assert sum(shared) / len(shared) == pytest.approx(by_chance, rel=0.1)
        assert sum(beside) / len(beside) == pytest.approx(by_chance, abs=0.2)


def columns_of(columns: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The sides of the pieces in each column, once the sides have played *columns* by turns."""
    return tuple(tuple(turn % 2 for turn, played in enumerate(columns) if played == column) for column in range(7))


OTHELLO = GAMES["othello"]
has_one = pytest.mark.skipif(why_no_processor_clock() is not None, reason="no fine clock of a thread's own")


class TestChoice:
    @has_one
    def test_it_is_the_processor_s_unless_told_otherwise(self) -> None:
        assert clock_for(None, OTHELLO, ["mcts", "level:8"]) == PROCESSOR
        assert clock_for(WALL, OTHELLO, ["mcts", "level:8"]) == WALL
        players = ["engine:other", "mcts"]
        assert clock_for(None, OTHELLO, players) == WALL and clock_for(PROCESSOR, OTHELLO, players) == PROCESSOR

    def test_several_threads_are_refused_and_go_by_the_wall_s(self) -> None:
        players = ["mcts", "minimax:time=0.1,threads=2"]
        assert clock_for(None, OTHELLO, players) == WALL
        with pytest.raises(ClockError, match=r"'minimax:time=0.1,threads=2' uses several .* Use --clock wall\."):
            clock_for(PROCESSOR, OTHELLO, players)

    def test_so_is_a_system_that_has_no_fine_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(arena, "why_no_processor_clock", lambda: say("It is coarse."))
        assert clock_for(None, OTHELLO, ["mcts"]) == WALL
        with pytest.raises(ClockError, match=r"It is coarse\. Use --clock wall\."):
            clock_for(PROCESSOR, OTHELLO, ["mcts"])

    def test_whose_seconds_are_others_is_told(self) -> None:
        assert "wall-clock time: engine:other." in told_clock(PROCESSOR, ["engine:other", "mcts", "engine:other"])
        assert "wall-clock" not in told_clock(PROCESSOR, ["mcts"])


@has_one
class TestClockOfPlayers:
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
    def test_it_names_the_clock(self, capsys: Captured, more: tuple[str, ...]) -> None:
        words = ("match", "connect-four", "mcts:time=0.001", "random", "--seed", "1", *more)
        for clock in (WALL, PROCESSOR) if why_no_processor_clock() is None else (WALL,):
            assert main.run((*words, "--json", "--clock", clock)) == 0
            assert json.loads(capsys.readouterr().out)["clock"] == clock
            assert chosen_clock() == WALL
        if more:
            assert main.run((*words, "--clock", WALL)) == 0
            assert "Seconds are wall-clock time" in capsys.readouterr().out

    @pytest.mark.parametrize("more", [(), ("--openings", "1")])
    def test_a_clock_that_can_t_be_is_one_sentence(self, capsys: Captured, more: tuple[str, ...]) -> None:
        words = ("match", "connect-four", "minimax:time=0.1,threads=2", "random", *more, "--clock", PROCESSOR)
        assert main.run(words) == 2
        captured = capsys.readouterr()
        assert captured.out == "" and "Use --clock wall." in captured.err and captured.err.count("\n") == 1
