"""First results for Catur Jawa: endings beside all that can happen, and what is counted in games by hand."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import is_over, legal_steps, mover, payoff, play
from papan.game.rules.catur_jawa import State, parse
from papan.game.rules.catur_jawa.board import cards_left
from papan.research.reproduction import catur_jawa_games as games
from papan.research.reproduction.catur_jawa_agents import cross_table
from papan.research.reproduction.catur_jawa_endings import (
    NOBODY,
    NODES,
    OPEN,
    TABLES,
    Ended,
    Ending,
    Judge,
    is_told,
    row_of,
)
from papan.research.reproduction.catur_jawa_excitement import chances, felt
from papan.research.reproduction.catur_jawa_games import Lineup
from papan.research.reproduction.catur_jawa_luck import points_of, won_at, won_by
from papan.research.reproduction.experiment import Asked

GAME = GAMES["catur-jawa"]
PAIR = Lineup(("random", "heuristic"), 1)
ASKED = Asked(1.0, 0, {"seats": "all"})


@cache
def random_match(seats: int, seed: int) -> Match:
    """A match of random cards, at its end."""
    match, random = Match.new(GAME, [""] * seats, {"seats": str(seats), "first": "1"}, seed), Random(seed)
    while match.ending is None:
        match.play(random.choice(match.legal_steps()))
    return match


def last_positions(seats: int, number: int, most_left: int) -> list[State]:
    """Positions of random games with so few cards left, from different games."""
    found: list[State] = []
    for seed in range(1000):
        for state in random_match(seats, seed).states[:-1]:
            if sum(cards_left(state, seat) for seat in range(seats)) == most_left:
                found.append(state)
        if len(found) >= number:
            return found
    raise AssertionError("too few games come to their last cards")


@cache
def forces(state: State, seat: int) -> bool:
    """Whether *seat* forces a win, by playing everything that can be played."""
    if is_over(state):
        return bool(payoff(state, seat) > 0.0)
    after = (play(state, step) for step in legal_steps(state, GAME.rules.MOST_STEPS))
    return (any if mover(state) == seat else all)(forces(one, seat) for one in after)


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge(GAME, NODES)


class TestEndings:
    @pytest.mark.parametrize("seats", [2, 3])
    def test_who_forces_a_win_and_by_which_turns_is_found_by_trying_everything(self, judge: Judge, seats: int) -> None:
        values = set()
        for state in last_positions(seats, 12, 2):
            found = judge.ending(state)
            forcing = [seat for seat in range(seats) if forces(state, seat)]
            assert [found.winner] == (forcing or [NOBODY])
            values.add(found.winner == found.seat)
            if seats == 2 and found.winner == found.seat:
                after = {play(state, step) for step in legal_steps(state, GAME.rules.MOST_STEPS)}
                assert found.turns == 1  # of its own: each has one card
                assert (found.choices, found.winning) == (len(after), sum(forces(one, found.seat) for one in after))
                assert found.soonest == found.winning
            elif seats == 2:
                assert found.choices == 0
        assert values == {True, False}

    @pytest.mark.parametrize(("seats", "left"), [(2, 4), (3, 3)])
    def test_alpha_beta_to_the_end_says_the_same(self, judge: Judge, seats: int, left: int) -> None:
        found = [judge.ending(state) for state in last_positions(seats, 10, left)]
        assert all(one.agrees for one in found)

    def test_alpha_beta_is_heard_where_it_says_something_else(self, judge: Judge) -> None:
        state = last_positions(2, 1, 2)[0]
        winner = judge.ending(state).winner
        assert [judge.agrees(state, 2, said) for said in (0, 1, NOBODY)].count(True) == 1
        assert judge.agrees(state, 2, winner)

    @pytest.mark.parametrize(
        ("cards", "told"),
        [
            ("1 123,456 ,", True),
            ("2 123,456 ,2", True),  # it knows which one it draws, and then everybody knows all
            ("1 123,456 2,3", False),
            ("2 123,456 1,23", False),
            ("3 123,456,789 ,,2", True),
            ("2 123,456,789 ,2,3", False),
        ],
    )
    def test_cards_are_told_once_only_who_is_to_act_can_draw_one(self, cards: str, told: bool) -> None:
        board = "........./........./........./........./....r7..../........./........./........./........."
        assert is_told(parse(f"{board} {cards}", {})) is told


def ended(*winners: int, won: int) -> Ended:
    """The end of a game of two, by who forced a win at each of its last turns, of which the first drew a card."""
    endings = tuple(
        Ending(index > 0, 7 - index, (index + 1) % 2, winner, 1, 10, 4, 2) for index, winner in enumerate(winners)
    )
    return Ended(endings, won)


class TestCounting:
    def figures(self, *ends: Ended) -> dict[str, tuple[Any, int]]:
        """By what it is called, each figure of deals that were played once."""
        deals = [[end] for end in ends]
        figures = [figure for table in TABLES.values() for figure in table]
        rows = [row_of(PAIR, words, deals, scale, counted) for words, scale, counted in figures]
        return {row.measure: (row.ours, row.number) for row in rows}

    def test_a_game_by_hand(self) -> None:
        """Seat 2 draws the last card and gives seat 1 a win, which lets it go; so does seat 2 its own, at the end.

        To move are 2, 1, 2, 1; forced was nothing, a win of 1, a win of 2, nothing; and nobody won.
        """
        found = self.figures(ended(NOBODY, 0, 1, NOBODY, won=NOBODY))
        assert found["games that come to empty decks, %"] == (100.0, 1)
        assert found["the first position then is won by the seat to move, %"] == (100.0, 1)
        assert found["the seat to move, %"] == (pytest.approx(200 / 3), 3)
        assert found["another seat, %"] == (0.0, 3) and found["nobody, %"] == (pytest.approx(100 / 3), 3)
        assert found["given away by the turn before, % of those won by the seat to move"] == (100.0, 2)
        assert found["wins that the turn played keeps, %"] == (0.0, 2)

    def test_a_win_that_is_kept_to_the_end(self) -> None:
        """Seat 1 had it before the last card was drawn, so nobody gave it away; its last turn wins the game."""
        found = self.figures(ended(0, 0, 0, 0, won=0))
        assert found["given away by the turn before, % of those won by the seat to move"] == (0.0, 2)
        assert found["wins that the turn played keeps, %"] == (100.0, 2)
        assert found["another seat, %"] == (pytest.approx(100 / 3), 3)

    def test_what_is_open_is_told_of_neither_side(self) -> None:
        found = self.figures(ended(OPEN, 0, OPEN, won=1))
        assert found["not settled, %"] == (50.0, 2) and found["wins that the turn played keeps, %"] == (None, 0)
        assert found["given away by the turn before, % of those won by the seat to move"] == (None, 0)
        found = self.figures(ended(won=1), ended(0, 0, won=0), ended(won=0))  # two are over sooner
        assert found["games that come to empty decks, %"] == (pytest.approx(100 / 3), 3)
        assert found["of these, turns that win"] == (4.0, 1)


class TestGames:
    def test_every_player_has_every_seat_twice_and_games_can_be_replayed(self) -> None:
        starts = [games.start_of(GAME, names, 5, ASKED).state for names in (["random"] * 2, ["heuristic", "random"])]
        assert starts[0] == starts[1] != games.start_of(GAME, ["random"] * 2, 6, ASKED).state
        lineup = next(one for one in games.LINEUPS if one.players == ("heuristic", "random"))
        piece = games.pieces(ASKED, [lineup])[0]
        found = {piece.name: games.compute(piece, ASKED, {})}
        played = games.games_of(found, lineup, 0)
        known = [(tuple(one["order"]), one["replay"]) for one in played]
        assert known == [((0, 1), 0), ((0, 1), 1), ((1, 0), 0), ((1, 0), 1)]
        for one in played:
            match = games.replayed(one, lineup, 0, ASKED)
            assert match.ending is not None and games.points_of(match.ending.payoffs) == one["points"]
            assert list(match.seats) == [lineup.players[number] for number in one["order"]]

    def test_points_stand_by_deal_seat_player_and_replay(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Player 0 wins from the first seat in one replay of deal 1, and player 1 all else."""
        monkeypatch.setattr(games, "LINEUPS", (PAIR,))
        found = {}
        for deal in range(2):
            found[games.name_of(PAIR, deal)] = [
                {"order": order, "replay": replay, "points": [float(player) for player in order], "steps": []}
                for order in ((0, 1), (1, 0))
                for replay in range(2)
            ]
        found[games.name_of(PAIR, 1)][1]["points"] = [1.0, 0.0]
        points = points_of(found, ASKED, PAIR)
        assert points.shape == (2, 2, 2, 2) and points[1, 0, 0].tolist() == [0.0, 1.0]
        assert won_by(0, points) == 12.5 and won_by(1, points) == 87.5 and won_at(0, points) == 62.5
        assert np.allclose(points.sum(axis=(1, 2)), 2.0)

    def test_shares_have_an_interval_even_where_all_deals_agree(self) -> None:
        def mean(rows: Any) -> float:
            return float(100 * rows.mean())

        low, high = games.interval_of(np.ones(10), mean, is_share=True) or (0.0, 0.0)
        assert (low, high) == pytest.approx((72.25, 100.0), abs=0.01)  # Wilson's for 10 of 10
        assert games.interval_of(np.ones(10), mean, is_share=False) is None
        assert games.interval_of(np.ones(2), mean, is_share=True) is None


class TestExcitement:
    def test_what_a_game_is_like(self) -> None:
        match = random_match(3, 1)
        found = felt(match)
        assert found.length == len(match.steps) == len(found.numbers)
        steps = [len(legal_steps(state, GAME.rules.MOST_STEPS)) for state in match.states[:-1]]
        assert found.branching == pytest.approx(sum(steps) / len(steps))
        assert 0 <= found.changes < found.length and found.behind is not None and 0.0 <= found.behind <= 1.0

    @pytest.mark.parametrize("seats", [2, 3, 4])
    def test_chances_add_up_and_go_with_the_seats(self, seats: int) -> None:
        for state in random_match(seats, 2).states[1:-1]:
            assert sum(chances(GAME, state)) == pytest.approx(1.0)


def test_a_cross_table_counts_the_games_of_each_group() -> None:
    """A beats B twice, and B beats C once from the first seat and draws from the second."""
    met = [
        {"players": [0, 1], "payoffs": [1.0, -1.0]},
        {"players": [1, 0], "payoffs": [-1.0, 1.0]},
        {"players": [1, 2], "payoffs": [1.0, -1.0]},
        {"players": [2, 1], "payoffs": [0.0, 0.0]},
    ]
    rows = cross_table([(0, 1), (1, 2)], ["A", "B", "C"], met)
    assert [(row.case, row.measure, row.ours, row.number) for row in rows] == [
        ("A – B", "won by A, %", 100.0, 2),
        ("A – B", "won by B, %", 0.0, 2),
        ("B – C", "won by B, %", 50.0, 2),
        ("B – C", "won by C, %", 0.0, 2),
    ]
