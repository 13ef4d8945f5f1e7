"""Computers and draws."""

from __future__ import annotations

import pytest

from papan.ai.draws import BEHIND, agrees_to_draw
from papan.ai.evaluation import evaluation_of, winning_chance
from papan.ai.limits import WIN, Analysis
from papan.game.catalogue import GALLERY
from papan.game.match import Match

MANY = [name for name, game in GALLERY.items() if max(game.seats) > 1]


def begun(name: str, seats: int = 2) -> Match:
    return Match.new(GALLERY[name], ["human"] * seats, {"first": "1"}, seed=1)


@pytest.mark.parametrize("name", MANY)
class TestEveryGame:
    def test_nobody_agrees_at_the_start(self, name: str) -> None:
        for seats in GALLERY[name].seats:
            match = begun(name, seats)
            assert not any(agrees_to_draw(match, seat, None) for seat in range(seats))

    def test_who_is_lost_agrees_and_who_wins_does_not(self, name: str) -> None:
        match = begun(name)
        assert agrees_to_draw(match, 1, Analysis(0, 3 - WIN, 1, depth=3))
        assert not agrees_to_draw(match, 1, Analysis(0, WIN - 3, 1, depth=3))

    def test_an_even_game_is_a_draw_once_it_has_been_played_for_a_while(self, name: str) -> None:
        match = begun(name)
        even = Analysis(0, 0.0, 1, depth=3)
        assert not agrees_to_draw(match, 1, even)


def test_the_bound_is_that_of_the_winning_chance() -> None:
    match = begun("connect-four")
    scale = float(evaluation_of(match.game).SCALE)
    for tenths in range(-20, 21):
        score = scale * tenths / 10
        assert agrees_to_draw(match, 0, Analysis(0, score, 0, depth=2)) == (winning_chance(score, scale) < BEHIND)


def test_after_many_turns_even_is_enough() -> None:
    match = begun("connect-four")
    for column in (0, 1, 2, 3, 4, 5) * 3 + (1, 0, 3, 2):
        if match.ending is None and column in match.legal_steps():
            match.play(column)
    assert match.ending is None and len(match.steps) >= 20
    assert agrees_to_draw(match, 1, Analysis(0, 0.0, 1, depth=3))
    assert not agrees_to_draw(match, 1, Analysis(0, 1e4, 1, depth=3))
