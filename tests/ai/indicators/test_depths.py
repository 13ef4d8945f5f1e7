"""One position by depth: trees counted by hand, and the same figures as search and numbers give by themselves."""

from __future__ import annotations

from random import Random

import pytest

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.depths import AtDepth, Depths
from papan.ai.limits import WIN, Limit
from papan.ai.review import searcher_for
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State


def after(name: str, seats: int, steps: int, **options: str) -> State:
    match, random = Match.new(GAMES[name], ["random"] * seats, options, seed=3), Random(4)
    while len(match.steps) < steps:
        match.play(random.choice(match.legal_steps()) if match.mover >= 0 else match.chance_step())
    return match.state


def depths(name: str, seats: int, state: State, most: int, threshold: float | None = None) -> list[AtDepth]:
    game = GAMES[name]
    return Depths(game, searcher_for(game, seats, state), state, threshold).run(most)


class TestFigures:
    def test_a_win_at_hand_by_hand(self) -> None:
        """Three in a column: the next disc wins at every depth. The other seat has no way to T whatever it does."""
        match = Match.new(GAMES["connect-four"], ["a", "b"], {"first": "1"}, seed=1)
        for column in (0, 1, 0, 1, 0, 2):
            match.play(column)
        found = depths("connect-four", 2, match.state, 2, threshold=WIN)
        assert [one.values for one in found] == [(WIN - 1, 1 - WIN)] * 2
        assert [one.numbers[0] for one in found] == [0.0, 0.0]
        assert [one.numbers[1] for one in found] == [float("inf")] * 2

    def test_they_are_those_of_the_search_and_of_the_numbers(self) -> None:
        game, state = GAMES["othello"], after("othello", 2, 8)
        found = depths("othello", 2, state, 3)
        for one in found:
            score = searcher_for(game, 2, state).analyse(state, Limit(depth=one.depth)).score
            assert one.values == (score, -score)
            assert one.numbers == Conspiracy(game, one.depth).numbers(state)

    @pytest.mark.parametrize(("name", "seats", "steps"), [("2048", 1, 0), ("catur-jawa", 3, 6), ("catur-jawa", 4, 6)])
    def test_a_value_and_a_number_for_each_seat(self, name: str, seats: int, steps: int) -> None:
        for one in depths(name, seats, after(name, seats, steps), 1):
            assert len(one.values) == len(one.numbers) == seats


def test_it_can_be_stopped() -> None:
    game = GAMES["othello"]
    state = after("othello", 2, 8)
    work = Depths(game, searcher_for(game, 2, state), state)
    told: list[int] = []

    def said(found: AtDepth) -> None:
        told.append(found.depth)
        work.stop()

    assert len(work.run(6, said)) == 1 and told == [1]
