"""Winning chances by probability-based proof numbers: certain where a proof is, and adding up to 1."""

from __future__ import annotations

import pytest

from papan.ai.proof import SolverError
from papan.ai.proof.chance import ProofChance, Refining
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State

FOUR = GAMES["connect-four"]


def after(*columns: int) -> State:
    match = Match.new(FOUR, ["a", "b"], {"first": "1"}, seed=1)
    for column in columns:
        match.play(column)
    return match.state


class TestNumbers:
    def test_a_win_at_hand_is_certain(self) -> None:
        state = after(0, 1, 0, 1, 0, 2)
        found = ProofChance(FOUR, nodes=2000)
        assert found.number(state) == 1.0 and found.chance(state, 0) == 1.0 and found.chance(state, 1) == 0.0

    def test_what_is_over(self) -> None:
        state = after(0, 1, 0, 1, 0, 1, 0)
        assert ProofChance(FOUR)(state) == 1.0 and ProofChance(FOUR).chance(state, 1) == 0.0

    def test_the_two_sides_share_what_is_open(self) -> None:
        state, found = after(3, 3), ProofChance(FOUR)
        assert 0.0 < found(state) < 1.0
        assert found.chance(state, 0) + found.chance(state, 1) == pytest.approx(1.0)

    def test_one_seed_gives_one_number(self) -> None:
        assert ProofChance(FOUR, seed=3).number(after(3)) == ProofChance(FOUR, seed=3).number(after(3))

    def test_hidden_cards_have_none(self) -> None:
        with pytest.raises(SolverError):
            ProofChance(GAMES["catur-jawa"])
        assert ProofChance.suits(FOUR, after())
        for name, seats in (("catur-jawa", 2), ("2048", 1)):
            match = Match.new(GAMES[name], ["a"] * seats, {}, seed=1)
            assert not ProofChance.suits(GAMES[name], match.state)


class TestRefining:
    def test_it_tells_one_after_the_other(self) -> None:
        told: list[float] = []
        Refining(FOUR, after(3), 0, most=6400).run(told.append)
        assert len(told) == 3 and all(0 < one < 1 for one in told)

    def test_it_can_be_given_up(self) -> None:
        told: list[float] = []
        question = Refining(FOUR, after(3), 0)
        question.stop()
        question.run(told.append)
        assert told == []
