"""Milestones: what counts for each, and that each is told once."""

from __future__ import annotations

import pytest

from papan.game.match.library.reader import Sums
from papan.ui.play.milestones import milestones_of, newly_reached, notice_of
from tests.ui.play.test_statistics import duels, sums_of


def reached(sums: Sums, puzzles: int = 0, days: int = 0) -> set[str]:
    """The titles of what is reached."""
    return {one.title for one in milestones_of(sums, puzzles, days) if one.is_reached()}


def test_nothing_is_reached_without_a_match() -> None:
    assert reached(Sums()) == set()


def test_first_wins_are_told_by_game_and_by_level() -> None:
    assert reached(sums_of(*duels("lw", "minimax:easy"))) == {"First win in Othello"}
    timed = sums_of(*duels("w", "minimax:hard,time=3", seat=1, game="gomoku"), *duels("ld"))
    assert reached(timed) == {"First win in Gomoku", "First win against Hard"}


def test_wins_among_persons_and_alone_do_not_count() -> None:
    played = [("othello", ("human", "human"), (1.0, -1.0)), ("2048", ("human",), (4000.0,))]
    assert reached(sums_of(*played)) == set()


@pytest.mark.parametrize(("outcomes", "is_reached"), [("wwwwlw", False), ("wwwww", True), ("lwwwwwl", True)])
def test_five_wins_in_a_row(outcomes: str, is_reached: bool) -> None:
    assert ("5 wins in a row" in reached(sums_of(*duels(outcomes)))) == is_reached


def test_numbers_are_reached_at_their_goal() -> None:
    assert "10 matches played" not in reached(sums_of(*duels("l" * 9)), 49, 6)
    assert reached(sums_of(*duels("l" * 10)), 50, 7) == {
        "10 matches played",
        "50 puzzles solved",
        "A week of daily puzzles",
    }


def test_each_is_told_once_and_stays() -> None:
    found = milestones_of(sums_of(*duels("w", "minimax:easy")), 0, 7)
    new = newly_reached(found, [])
    assert notice_of(new) == "Milestone reached: First win in Othello, A week of daily puzzles."
    kept = [one.key for one in new]
    assert newly_reached(found, kept) == []
    week = next(one for one in milestones_of(Sums(), 0, 1) if one.title == "A week of daily puzzles")
    assert week.is_reached(kept) and not week.is_reached()
