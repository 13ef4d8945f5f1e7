"""How many turns there are to choose from in Santorini."""

from __future__ import annotations

from papan.research.reproduction.santorini_choices import most_with, third_of


def test_the_most_with_workers_on_given_cells() -> None:
    """In a corner a worker has 3 cells to go to, of which two have 5 neighbours and one 8, its own cell among them."""
    assert most_with(("a1", "e5")) == 2 * (5 + 5 + 8)
    assert most_with(("c2", "c4")) > most_with(("a1", "e5"))


def test_thirds_have_each_turn_once() -> None:
    game = list(range(17))
    assert [turn for third in range(3) for turn in third_of(game, third)] == game
