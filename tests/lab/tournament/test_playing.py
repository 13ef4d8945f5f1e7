"""The games of an encounter."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import msgspec
import pytest

from papan.ai import limits
from papan.ai.engines import NoMove
from papan.ai.limits import Analysis
from papan.ai.players import SearchingPlayer, Situation
from papan.game.base.typed import FaultError, converted
from papan.game.kernel.clock import PROCESSOR, timed_by, why_no_processor_clock
from papan.game.match import Conclusion
from papan.game.match.record import read
from papan.lab.tournament import playing
from papan.lab.tournament.plan import Encounter, Plan, starts_of
from papan.lab.tournament.playing import Played, play_encounter
from tests.lab.tournament.playing import plan, players_with, unprepared
from tests.waiting import wait_for


def played(asked: Plan, group: tuple[int, ...] = (0, 1), number: int = 0) -> Played:
    return play_encounter(asked, Encounter(group, number), starts_of(asked))


def thinking_time_left_out(found: Played) -> list[tuple[object, ...]]:
    return [(game.players, game.payoffs, game.reason, game.turns, game.choices, game.record) for game in found.games]


def plan_with_a_faulty_one(**others: Any) -> Plan:
    """A plan of which the first player is the one that ``players_with`` gives a fault."""
    return Plan(**{**asdict(plan("random", "random", turns=2)), "players": ("faulty", "random"), **others})


by_processor = pytest.mark.skipif(why_no_processor_clock() is not None, reason="no fine clock of a thread's own")


class TestGames:
    def test_sides_are_exchanged_from_the_same_opening(self) -> None:
        asked = plan("random", "minimax:depth=1")
        first, second = (read(game.record) for game in played(asked).games)
        (start, *_) = starts_of(asked)
        assert first.seats == second.seats[::-1] == list(asked.players)
        assert list(first.steps)[: len(start.steps)] == list(second.steps)[: len(start.steps)] == list(start.steps)

    def test_the_same_cards_are_dealt_to_each_seat(self) -> None:
        asked = plan("random", "heuristic", "random", game="catur-jawa", games=3, options={"seats": "3"})
        games = [read(game.record) for game in played(asked, (0, 1, 2)).games]
        assert len({game.states[0] for game in games}) == 1 and len({tuple(game.seats) for game in games}) == 3

    def test_a_round_that_repeats_an_opening_has_other_luck(self) -> None:
        asked = plan("random", "random", games=4, different_openings=1)
        first, second = (read(played(asked, number=number).games[0].record) for number in (0, 1))
        assert first.all_steps[:4] == second.all_steps[:4] and first.all_steps != second.all_steps

    def test_is_the_same_again(self) -> None:
        asked = plan("minimax:depth=2", "mcts:sims=50")
        assert thinking_time_left_out(played(asked)) == thinking_time_left_out(played(asked))

    def test_is_read_back_from_json_with_its_facts(self) -> None:
        found = played(plan("random", "random"))
        for game in found.games:  # each player's choices are counted on its seat
            assert sum(game.choices) == game.turns and max(game.choices) - min(game.choices) <= 1
            assert '[Event "Tournament"]' in game.record
        assert converted(json.loads(json.dumps(found, default=msgspec.structs.asdict)), Played) == found
        others: list[object] = [{}, {"group": [0, 1], "round": 0, "seconds": 0.0, "games": [{}]}, []]
        for data in others:
            with pytest.raises(FaultError):
                converted(data, Played)


def fails() -> int:
    raise RuntimeError("out of ideas")


def cheats() -> int:
    return 10_000


def gives_no_move() -> int:
    raise NoMove("It gave no move.")


def dawdles() -> None:
    time.sleep(1.8)


def dawdles_a_little() -> None:
    time.sleep(0.6)


class TestForfeits:
    @pytest.mark.parametrize(
        ("fault", "reason"),
        [
            (fails, r"failed \(RuntimeError: out of ideas\)"),
            (unprepared, r"failed \(RuntimeError: not ready\)"),
            (cheats, "chose the illegal step 10000"),
            (dawdles, r"took \d\.\d+ s for a step; 1 s are allowed"),
        ],
    )
    def test_a_fault_loses_and_is_told(
        self, monkeypatch: pytest.MonkeyPatch, fault: Callable[[], int | None], reason: str
    ) -> None:
        monkeypatch.setattr(playing, "make_players", players_with(fault))
        for seat, game in enumerate(played(plan_with_a_faulty_one(time_limit=1.0, margin=0.5)).games):
            assert game.forfeit == seat and game.payoffs[seat] == -1.0 and game.payoffs[1 - seat] == 0.0
            assert re.fullmatch(f"Seat {seat + 1} {reason}", game.reason)
            record = read(game.record)
            assert record.conclusion == Conclusion("forfeited", seat) and record.ending is not None
            assert record.ending.winner == 1 - seat and record.tags["Termination"] == f"forfeit: {game.reason}"

    def test_within_the_margin_nothing_happens(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(playing, "make_players", players_with(dawdles_a_little))
        found = played(plan_with_a_faulty_one(time_limit=0.1, margin=30.0))
        assert [game.forfeit for game in found.games] == [None, None]

    @by_processor
    def test_by_processor_time_who_sleeps_is_not_late(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(playing, "make_players", players_with(dawdles_a_little))
        with timed_by(PROCESSOR):
            games = played(plan_with_a_faulty_one(time_limit=0.2, margin=0.1, clock=PROCESSOR)).games
        assert [game.forfeit for game in games] == [None, None] and max(games[0].seconds) < 0.6 / 2

    @by_processor
    def test_but_is_not_waited_for_for_ever(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(playing, "make_players", players_with(dawdles))
        monkeypatch.setattr(limits, "LEAST_PATIENCE", 0.1)
        monkeypatch.setattr(limits, "PATIENCE", 0.1)
        with timed_by(PROCESSOR):
            game = played(plan_with_a_faulty_one(time_limit=1.0, margin=0.5, clock=PROCESSOR)).games[0]
        assert game.forfeit == 0
        told = r"Seat 1 took \d+ s of wall-clock time \(0\.\d+ s of processor time\) for a step; 1 s are allowed"
        assert re.fullmatch(told, game.reason)

    @by_processor
    def test_other_programs_go_by_the_wall_s_clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(playing, "make_players", players_with(dawdles_a_little))
        monkeypatch.setattr(playing, "is_engine", lambda name: name == "faulty")
        with timed_by(PROCESSOR):
            found = played(plan_with_a_faulty_one(time_limit=0.2, margin=0.1, clock=PROCESSOR))
        assert found.games[0].forfeit == 0 and found.games[0].seconds[0] >= 0.6 and found.seconds >= 1.2

    @pytest.mark.parametrize(
        ("no_move", "payoffs", "ended", "word"),
        [("draw", (0.0, 0.0), (None, 0), "adjudication"), ("loss", (-1.0, 0.0), (0, None), "forfeit")],
    )
    def test_a_program_without_a_move_draws_or_loses_as_the_plan_says(
        self,
        monkeypatch: pytest.MonkeyPatch,
        no_move: str,
        payoffs: tuple[float, float],
        ended: tuple[int | None, int | None],
        word: str,
    ) -> None:
        monkeypatch.setattr(playing, "make_players", players_with(gives_no_move))
        game = played(plan_with_a_faulty_one(no_move=no_move)).games[0]
        assert game.payoffs == payoffs and (game.forfeit, game.no_move) == ended
        assert read(game.record).tags["Termination"] == f"{word}: It gave no move"
        with pytest.raises(NoMove):
            played(plan_with_a_faulty_one(no_move="error"))

    def test_who_searches_too_long_is_told_to_stop(self) -> None:
        asked = plan("random", "minimax:nodes=1000000000000", time_limit=0.2, margin=0.1, turns=2)
        game = played(asked).games[0]
        assert game.forfeit == 1 and game.seconds[1] < 60.0

    def test_so_is_who_has_not_begun_when_the_time_is_over(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Its search would not know that it was told to stop."""
        begun = SearchingPlayer.choose

        def late(
            player: SearchingPlayer, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False
        ) -> Analysis:
            wait_for(is_cancelled, "the end of the time")
            return begun(player, situation, is_cancelled)

        monkeypatch.setattr(SearchingPlayer, "choose", late)
        asked = plan("random", "minimax:nodes=1000000000000", time_limit=0.05, margin=0.0, turns=2)
        assert played(asked).games[0].forfeit == 1
