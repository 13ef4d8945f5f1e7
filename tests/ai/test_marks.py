"""Marks and accuracy: by known losses, and in matches of Connect Four whose every turn the solver judges."""

from __future__ import annotations

from random import Random

import pytest

from papan.ai.book import Book
from papan.ai.exact.connect_four import Exact
from papan.ai.limits import Limit
from papan.ai.marks import BLUNDER, DUBIOUS, INACCURACY, MISTAKE, WORST, accuracy, fault, turn_accuracy
from papan.ai.review import Reviewer
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State, legal_steps, play

GAME = GAMES["connect-four"]


class TestMarks:
    def test_each_begins_where_the_one_before_ends(self) -> None:
        losses = [0.0, INACCURACY - 1e-9, INACCURACY, MISTAKE - 1e-9, MISTAKE, BLUNDER - 1e-9, BLUNDER, 1.0]
        assert [fault(loss) for loss in losses] == ["", "", "?!", "?!", "?", "?", "??", "??"]


class TestAccuracy:
    def test_it_falls_with_the_loss(self) -> None:
        found = [turn_accuracy(loss / 20) for loss in range(21)]
        assert found[0] == 100 and found[-1] == 0 and found == sorted(found, reverse=True)

    def test_the_values_that_its_source_gives(self) -> None:
        """Lichess's curve at losses of 1, 10 and 50 points of a hundred."""
        assert [turn_accuracy(loss) for loss in (0.01, 0.1, 0.5)] == pytest.approx([95.604, 63.582, 8.530], abs=0.01)

    def test_best_turns_only_and_no_turn(self) -> None:
        assert accuracy([(1, 0.0), (3, 0.0)], [0.5, 0.6, 0.5, 0.5]) == 100
        assert accuracy([], [0.5]) is None

    def test_one_blunder_is_not_made_up_for(self) -> None:
        chances = [0.5] * 5 + [0.0] * 6
        once = accuracy([(index, 0.5 if index == 5 else 0.0) for index in range(1, 11)], chances)
        ten = accuracy([(index, 0.05) for index in range(1, 11)], chances)
        assert once is not None and ten is not None and once < ten

    def test_turns_where_much_happens_count_for_more(self) -> None:
        chances = [0.5, 0.5, 0.5, 0.9, 0.2, 0.2]
        early, late = (accuracy([(1, loss), (4, 0.3 - loss)], chances) for loss in (0.3, 0.0))
        assert early is not None and late is not None and early > late

    def test_without_chances_all_count_alike(self) -> None:
        assert accuracy([(1, 0.1), (2, 0.1)]) == pytest.approx(turn_accuracy(0.1))


def result_of(state: State, step: int, solver: Exact) -> float:
    """What *step* is truly worth to who takes it: 1 a win, 0.5 a draw, 0 a loss."""
    from papan.game.rules import is_over, mover, payoff

    after = play(state, step)
    if is_over(after):
        return (payoff(after, int(mover(state))) + 1) / 2
    score = -solver.analyse(after, Limit(time=600.0)).score
    return (1.0 if score > 0 else 0.0) if score else 0.5


@pytest.mark.parametrize("seed", [3, 8])
def test_solved_matches_are_marked_as_the_solver_says(seed: int) -> None:
    """From a position on that the review sees to its end, each turn has lost just what the solver says."""
    random, solver = Random(seed), Exact(8, Book())
    match = Match.new(GAME, ["first", "second"], {"first": "1"}, seed=1)
    while not match.ending:
        # The first steps avoid an early end; then anything may be played.
        safe = [step for step in match.legal_steps() if len(match.steps) >= 26 or not _ends(match.state, step)]
        match.play(random.choice(safe or match.legal_steps()))
    since = 26
    assert len(match.steps) > since + 2
    review = Reviewer(match, Limit(depth=42), conspiracy_turns=None, since=since).run()
    assert review.total == len(match.steps) - since + 1
    kept = []
    for number, moment in enumerate(review.moments[1:]):
        state = match.states[since + number]
        best = max(result_of(state, step, solver) for step in legal_steps(state))
        lost = best - result_of(state, match.steps[since + number], solver)
        assert moment.loss == lost, (seed, number)
        assert (moment.mark == WORST) == (lost > 0) and moment.mark != DUBIOUS
        assert moment.index in review.turning_points or lost == 0
        kept.append((moment.seat, lost))
    for seat in (0, 1):
        own = [lost for mover, lost in kept if mover == seat]
        found = review.accuracy(seat)
        assert found is not None and (found == 100) == (not any(own))
    assert any(lost for _seat, lost in kept)


def _ends(state: State, step: int) -> bool:
    """Whether the game ends after *step*, or can end after the next one."""
    from papan.game.rules import is_over

    after = play(state, step)
    return bool(is_over(after)) or any(is_over(play(after, next_step)) for next_step in legal_steps(after))
