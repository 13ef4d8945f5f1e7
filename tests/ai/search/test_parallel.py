"""Threads that part within the tree: none changes a score, and none waits where there is something to do."""

from __future__ import annotations

import threading
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import Limit
from papan.ai.search import alphabeta, negamax
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.parallel import MARKS, Task, Team, clear_mark, defer, is_marked, mark_of, set_mark
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import plainly
from papan.game.match import Match
from papan.game.rules import can_repeat
from tests.ai.playing import at_random
from tests.waiting import PATIENCE

NONE = -1e9


def searcher(game: Game, threads: int = 1) -> AlphaBeta:
    return AlphaBeta(game.rules, evaluation_of(game).WEIGHTS[STANDARD], table_bits=16, threads=threads)


class TestMarks:
    def test_a_mark_is_seen_until_it_is_cleared_by_who_set_it(self) -> None:
        marks = np.zeros(1, MARKS)[0]
        mark = mark_of(12345, 7, 4)
        assert not is_marked(marks, mark)
        set_mark(marks, mark)
        assert is_marked(marks, mark)
        assert not any(is_marked(marks, other) for other in (mark_of(12345, 8, 4), mark_of(12345, 7, 5)))
        other = next(m for m in (mark_of(n, 1, 3) for n in count(2)) if (m ^ mark) & 4095 == 0)
        set_mark(marks, other)
        clear_mark(marks, mark)  # lost to the other one
        assert is_marked(marks, other) and not is_marked(marks, mark)
        clear_mark(marks, other)
        assert not is_marked(marks, other)

    def test_no_step_is_lost_by_putting_some_off_and_the_others_stay_in_order(self) -> None:
        work = SimpleNamespace(buffer=np.arange(10), order=10 * np.arange(10))
        until = 10
        for index in (3, 3, 5):
            until -= 1
            defer(work, index, until)
        assert list(work.buffer) == [0, 1, 2, 5, 6, 8, 9, 7, 4, 3]
        assert (work.order == 10 * work.buffer).all()


@pytest.mark.parametrize("name", ["connect-four", "othello", "santorini"])
def test_putting_steps_off_changes_no_score(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if another thread were at every second step, which nobody searches: then all come last."""
    game = GAMES[name]
    options = {"gods": "none"} if name == "santorini" else {}
    match, depth = Match.new(game, ["a", "b"], options, seed=1), 3
    at_random(match, 8, 2)
    search = searcher(game)
    monkeypatch.setattr(negamax, "SHARED_DEPTH", 1)
    put: list[int] = []

    def is_somewhere(marks: Any, mark: int) -> bool:
        put.append(mark)
        return bool(mark & 1024)

    with plainly():
        alone = search.analyse(match.state, Limit(depth=depth))
        monkeypatch.setattr(negamax, "is_marked", is_somewhere)
        begin = AlphaBeta._begin

        def begin_sharing(self: AlphaBeta, *arguments: Any) -> None:
            begin(self, *arguments)
            self._work.shares = 1

        monkeypatch.setattr(AlphaBeta, "_begin", begin_sharing)
        shared = searcher(game).analyse(match.state, Limit(depth=depth))
    assert len(put) > 20
    assert shared.score == alone.score


@pytest.mark.parametrize(("name", "threads"), [("connect-four", 4), ("othello", 2), ("santorini", 3)])
def test_threads_come_to_the_score_of_one(name: str, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alphabeta, "WORTH_SHARING", 1)
    game, depth = GAMES[name], {"connect-four": 9, "othello": 6, "santorini": 3}[name]
    for seed in range(4):
        match = at_random(Match.new(game, ["a", "b"], seed=seed), 10, seed)
        if match.ending or can_repeat(match.state):
            continue
        alone = searcher(game).analyse(match.state, Limit(depth=depth), lines=2)
        before = threading.active_count()
        together = searcher(game, threads).analyse(match.state, Limit(depth=depth), lines=2)
        assert [line.score for line in together.lines] == [line.score for line in alone.lines]
        assert threading.active_count() == before


def helpers(number: int) -> list[Any]:
    return [SimpleNamespace(stop=0, nodes=0) for _ in range(number)]


class TestTeam:
    def test_the_first_thread_takes_all_steps_once(self) -> None:
        team = Team(helpers(1), NONE)
        assert list(team.in_turn([5, 3, 4], 2)) == [5, 3, 4]

    def test_helpers_join_the_first_step_and_part_after_it(self) -> None:
        works = helpers(2)
        team = Team(works, NONE)
        steps = team.in_turn([5, 3, 4, 6], 2)
        assert next(iter(steps)) == 5
        assert team.task(0) == Task(5, 2, NONE, True) and team.task(1) == Task(5, 2, NONE, True)
        team.floor = 7.0
        assert next(iter(steps)) == 3
        assert [work.stop for work in works] == [1, 1], "what they are at is known now"
        team.done(0, Task(5, 2, NONE, True), True)
        team.done(1, Task(5, 2, NONE, True), False)
        assert team.task(0) == Task(4, 2, 7.0, False) and team.task(1) == Task(6, 2, 7.0, False)
        assert [work.stop for work in works] == [0, 0]
        team.done(1, Task(6, 2, 7.0, False), True)
        assert next(iter(steps)) == 6, "what a helper found better comes next"
        assert next(iter(steps)) == 4, "nobody else is left"
        assert team.task(1) == Task(4, 2, 7.0, True), "so two are at one step"
        assert list(steps) == []

    def test_a_step_that_was_given_up_is_not_taken_for_known(self) -> None:
        works = helpers(1)
        team = Team(works, NONE)
        steps = team.in_turn([5, 3, 4], 2)
        next(iter(steps))
        team.floor = 1.0
        task = team.task(0)
        assert task == Task(3, 2, 1.0, False)
        works[0].stop = 1
        team.done(0, task, True)
        assert team.task(0) == task
        assert list(steps) == [4, 3]

    def test_helpers_wait_and_are_sent_home(self) -> None:
        team = Team(helpers(1), NONE)
        tasks: list[Task | None] = []
        thread = threading.Thread(target=lambda: tasks.append(team.task(0)), daemon=True)
        thread.start()
        assert not tasks
        team.close()
        thread.join(PATIENCE)
        assert tasks == [None]
