"""Levels one above the other: who meets whom, what is said of a pair, and ``levels`` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from papan.game.catalogue import GAMES
from papan.lab.arena import Tally
from papan.lab.tournament.plan import Encounter, Plan, PlanError, encounters, starts_of
from papan.lab.tournament.playing import GameResult, Played, play_encounter
from papan.lab.tournament.results import Results, Rung, ladder_facts, make_ladder, players_of, rungs, scores
from tests.commands.calling import Captured, calling

CONNECT_FOUR = GAMES["connect-four"]
SMALL = ("connect-four", "--games", "2", "--time", "0.005")


run = calling("levels")


def game_of_one(player: int, score: float) -> GameResult:
    return GameResult((player,), (score,), "no move left", 30, (0.1,), (30,), "")


class TestPlans:
    def test_each_meets_the_next_and_nobody_else(self) -> None:
        plan = make_ladder(CONNECT_FOUR, {}, games=4, turns=2, seed=1)
        assert plan.players == ("random", *(f"level:{number}" for number in range(1, 8)), "level:8,time=0.1")
        groups = [encounter.group for encounter in encounters(plan)]
        assert groups == [(number, number + 1) for number in range(8)] * 2 and plan.games == 32

    def test_where_there_are_few_openings_they_come_again(self) -> None:
        plan = make_ladder(GAMES["p-tree"], {"branching": "2"}, games=100, turns=2, seed=1)
        assert plan.openings == 4 and plan.rounds == 50 and len(starts_of(plan)) == 4

    def test_only_some_levels_play_what_they_play_among_all(self) -> None:
        every = make_ladder(CONNECT_FOUR, {}, games=4, turns=2, seed=1)
        some = make_ladder(CONNECT_FOUR, {}, games=4, turns=2, seed=1, lowest=6)
        assert some.players == every.players[6:] and some.games == 8
        assert [start.states for start in starts_of(some)] == [start.states for start in starts_of(every)]
        whole, part = (
            play_encounter(plan, Encounter((number, number + 1), 1), starts_of(plan))
            for plan, number in ((every, 2), (make_ladder(CONNECT_FOUR, {}, 4, 2, 1, lowest=2, highest=3), 0))
        )
        assert [game.record for game in whole.games] == [game.record for game in part.games]

    def test_in_a_game_for_one_everybody_plays_alone(self) -> None:
        plan = make_ladder(GAMES["2048"], {}, games=3, turns=4, seed=1)
        assert plan.seats == 1 and plan.games == 27
        assert {encounter.group for encounter in encounters(plan)} == {(number,) for number in range(9)}

    def test_two_levels_that_follow_each_other_are_compared(self) -> None:
        for lowest, highest in ((3, 3), (7, 2)):
            with pytest.raises(PlanError, match=f"no two levels from {lowest} to {highest}"):
                make_ladder(CONNECT_FOUR, {}, games=4, turns=2, seed=1, lowest=lowest, highest=highest)
        with pytest.raises(PlanError, match="can't have more seats"):
            make_ladder(GAMES["catur-jawa"], {"seats": "3"}, games=4, turns=2, seed=1)


class TestDistances:
    @pytest.mark.parametrize(
        ("wins", "verdict"), [(64, "too near"), (65, ""), (85, ""), (86, "too far"), (0, "too near"), (100, "too far")]
    )
    def test_outside_the_bounds_are_told(self, wins: int, verdict: str) -> None:
        assert Rung("level:1", "level:2", Tally(wins, 0, 100 - wins), 0.65, 0.85).verdict == verdict
        assert Rung("level:1", "level:2", Tally(), 0.65, 0.85).verdict == "", "the pair has not met"

    def test_random_steps_have_other_bounds_wherever_the_lowest_level_is(self) -> None:
        plan = make_ladder(CONNECT_FOUR, {}, games=4, turns=2, seed=1, lowest=1, highest=3)
        assert [(rung.least, rung.most) for rung in rungs(plan, Results(plan))] == [(0.65, 0.85)] * 2

    def test_alone_the_higher_score_from_the_same_start_wins(self) -> None:
        players = players_of()
        plan = Plan("2048", 1, (), players, 1, 2, 2, 0, 1, is_ladder=True)
        found = Results(plan)
        for number, had in enumerate([(100.0, 300.0, 200.0), (200.0, 200.0)]):
            for player, score in enumerate(had):
                found.add(Played((player,), number, (game_of_one(player, score),), 1.0))
        first, second, *others = rungs(plan, found)
        assert (first.tally.wins, first.tally.draws, first.tally.losses, first.least) == (1, 1, 0, 0.5)
        assert (second.tally.wins, second.tally.losses, second.least) == (0, 1, 0.65)
        assert all(rung.tally.games == 0 for rung in others)
        (alone, others_of_two, single, none) = scores(plan, found)[:4]
        assert alone and others_of_two and single and none is None
        assert (alone.mean, alone.quartiles) == (150.0, (100.0, 125.0, 150.0, 175.0, 200.0))
        assert alone.interval == pytest.approx((52.0, 248.0), abs=0.1) and others_of_two.mean == 250.0
        assert (single.mean, single.interval, single.quartiles) == (200.0, None, (200.0,) * 5)
        assert ladder_facts(plan, found)["levels"][1]["mean_score"] == 250.0


class TestCommand:
    def test_prints_every_pair_with_its_interval(self, capsys: Captured) -> None:
        code, out, err = run(capsys, *SMALL)
        assert (code, err) == (0, "")
        lines = out.splitlines()
        assert lines[0] == "Connect Four: 16 games from 1 openings, seed 0"
        assert lines[3].split()[:2] == ["level:1", "random"] and lines[10].split()[:2] == [
            "level:8,time=0.005",
            "level:7",
        ]
        assert "The top level's thinking time is part of its name: level:8,time=0.005." in out

    def test_measures_some_pairs_only(self, capsys: Captured) -> None:
        code, out, err = run(capsys, *SMALL, "--from", "2", "--to", "3")
        lines = out.splitlines()
        assert (code, err) == (0, "") and lines[0] == "Connect Four: 2 games from 1 openings, seed 0"
        assert [line.split()[:2] for line in lines if line.startswith("level:")] == [["level:3", "level:2"]]
        assert "The top level's thinking time is" not in out

    def test_goes_on_where_it_was_and_says_the_same(self, capsys: Captured, tmp_path: Path) -> None:
        file = tmp_path / "levels.jsonl"
        first = json.loads(run(capsys, *SMALL, "--results", str(file), "--json")[1])
        content = file.read_bytes()
        second = json.loads(run(capsys, *SMALL, "--results", str(file), "--json")[1])
        assert first == second and file.read_bytes() == content
        assert len(first["pairs"]) == 8 and first["pairs"][0]["asked"] == [0.5, 0.8]
        assert len(first["levels"]) == 9 and first["levels"][0]["elo"] is not None

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("chess",), "There is no game 'chess'"),
            (("connect-four", "--games", "3"), "played 2 times with seats exchanged, so 3 games are not possible"),
            (("connect-four", "--time", "0"), "The time must be from 0.001"),
            (("catur-jawa", "--option", "seats=4"), "compared in pairs"),
            (("connect-four", "--from", "8"), "The lowest level must be from 0 to 7"),
            (("connect-four", "--to", "0"), "The highest level must be from 1 to 8"),
            (("connect-four", "--from", "4", "--to", "4"), "--to must be above --from"),
            (("connect-four", "--results", "nowhere/at/all"), "There is no folder"),
        ],
    )
    def test_refuses_in_one_sentence(self, capsys: Captured, arguments: tuple[str, ...], words: str) -> None:
        code, out, err = run(capsys, *arguments)
        assert (code, out) == (2, "") and words in err and err.count("\n") == 1
