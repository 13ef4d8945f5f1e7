"""Marks and accuracy: by known losses, and in matches of Connect Four whose every turn the solver judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from papan.ai.exact.connect_four import Exact
from papan.ai.limits import Limit
from papan.ai.openings import Book
from papan.ai.reviews.marks import (
    BLUNDER,
    DUBIOUS,
    INACCURACY,
    LEAST_SWING,
    MISTAKE,
    MOST_MOMENTS,
    SEEN_LATE,
    WORST,
    KeyMoment,
    accuracy,
    fault,
    key_moments,
    turn_accuracy,
)
from papan.ai.reviews.reviewer import Moment, Review, Reviewer
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play

GAME = GAMES["connect-four"]


def test_each_mark_begins_where_the_one_before_ends() -> None:
    losses = [0.0, INACCURACY - 1e-9, INACCURACY, MISTAKE - 1e-9, MISTAKE, BLUNDER - 1e-9, BLUNDER, 1.0]
    assert [fault(loss) for loss in losses] == ["", "", "?!", "?!", "?", "?", "??", "??"]


def test_accuracy_of_a_turn_falls_with_the_loss_as_its_source_says() -> None:
    found = [turn_accuracy(loss / 20) for loss in range(21)]
    assert found[0] == 100 and found[-1] == 0 and found == sorted(found, reverse=True)
    # Lichess's curve at losses of 1, 10 and 50 points of a hundred.
    assert [turn_accuracy(loss) for loss in (0.01, 0.1, 0.5)] == pytest.approx([95.604, 63.582, 8.530], abs=0.01)


def test_accuracy_of_a_match() -> None:
    assert accuracy([(1, 0.0), (3, 0.0)], [0.5, 0.6, 0.5, 0.5]) == 100 and accuracy([], [0.5]) is None
    assert accuracy([(1, 0.1), (2, 0.1)]) == pytest.approx(turn_accuracy(0.1))  # without chances all count alike
    chances = [0.5] * 5 + [0.0] * 6
    once = accuracy([(index, 0.5 if index == 5 else 0.0) for index in range(1, 11)], chances)
    ten = accuracy([(index, 0.05) for index in range(1, 11)], chances)
    assert once is not None and ten is not None and once < ten  # one blunder is not made up for
    chances = [0.5, 0.5, 0.5, 0.9, 0.2, 0.2]  # turns where much happens count for more
    early, late = (accuracy([(1, loss), (4, 0.3 - loss)], chances) for loss in (0.3, 0.0))
    assert early is not None and late is not None and early > late


def result_of(state: State, step: int, solver: Exact) -> float:
    """What *step* is truly worth to who takes it: 1 a win, 0.5 a draw, 0 a loss."""
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
        own = [lost for played_by, lost in kept if played_by == seat]
        found = review.accuracy(seat)
        assert found is not None and (found == 100) == (not any(own))
    assert any(lost for _seat, lost in kept)


def _ends(state: State, step: int) -> bool:
    """Whether the game ends after *step*, or can end after the next one."""
    after = play(state, step)
    return bool(is_over(after)) or any(is_over(play(after, next_step)) for next_step in legal_steps(after))


def review_of(
    *chances: Sequence[float] | float, marks: dict[int, str] | None = None, has_chance: bool = False
) -> Review:
    """A review in which the seats' winning chances were as given, from the start on; of two, the first one's.

    Each turn lost what its mover's chance fell by.
    """
    moments: list[Moment] = []
    for index, given in enumerate(chances):
        shares = (given, 1 - given) if isinstance(given, float) else tuple(given)
        seat = (index - 1) % len(shares) if index else None
        loss = max(0.0, moments[-1].chances[seat] - shares[seat]) if seat is not None else 0.0
        mark = (marks or {}).get(index, "")
        moments.append(Moment(index, index, seat, "", index % len(shares), 0.0, shares, loss=loss, mark=mark))
    return Review(tuple(moments), len(moments), 1.0, has_chance)


@pytest.mark.parametrize(
    ("chances", "marks", "most", "told"),
    [
        ((0.5, 0.2, 0.25, 0.1, 0.5, 0.45, 0.7), {4: "??"}, MOST_MOMENTS, [1, 4, 6]),  # in the order of the match
        ((0.5, 0.2, 0.25, 0.1, 0.5, 0.45, 0.7), {4: "??"}, 1, [4]),  # the largest swing
        ((0.5, 0.5 - LEAST_SWING / 2, 0.5), {}, MOST_MOMENTS, []),  # it hardly changed anything
        ((0.5,), {}, MOST_MOMENTS, []),
        ((0.5, 0.8, 0.8, 0.7), {}, 1, [3]),  # a tenth that was lost outweighs three that a search saw late
        ((0.5, 0.8, 0.8, 0.7), {1: "!"}, 1, [1]),  # the only good turn is found
        ((0.5, 0.8, 0.8, 0.7), {1: "!!"}, 1, [1]),
        ((0.6, 0.3, 0.05), {}, MOST_MOMENTS, [1]),  # a mistake that is seen twice is named once
        ((0.6, 0.55, 0.55, 0.5, 0.1), {4: "!"}, MOST_MOMENTS, [1, 4]),  # by the larger part
        ((0.5, 0.2, 0.5), {}, MOST_MOMENTS, [1, 2]),  # a mistake, and one that does not punish it
        ((0.9, 0.6, 0.6, 0.3), {}, MOST_MOMENTS, [1, 3]),  # two mistakes of one player
        ((0.99, 0.67, 0.67, 0.5, 0.5, 0.2), {}, 1, [5]),  # from even to lost, not from won to nearly won
        ((0.99, 0.6, 0.6, 0.5, 0.5, 0.2), {}, 1, [1]),  # but a swing that is clearly larger counts all the same
    ],
)
def test_key_moments(chances: Sequence[float], marks: dict[int, str], most: int, told: list[int]) -> None:
    found = key_moments(review_of(*chances, marks=marks), most)
    assert [moment.turn for moment in found] == told
    assert all(moment.mark == marks.get(moment.turn, "") for moment in found)


def test_the_swings_of_key_moments() -> None:
    def swing(review: Review, number: int = 0) -> float:
        return key_moments(review)[number].swing

    assert swing(review_of(0.5, 0.2, 0.25, 0.1, 0.5, 0.45, 0.7, marks={4: "??"}), 1) == pytest.approx(0.4)
    # No turn betters a position: where a chance rises, more was seen than before.
    assert swing(review_of(0.5, 0.8, 0.8, 0.7)) == pytest.approx(0.3 * SEEN_LATE)
    # The reviewer looks again at a turn that seems bad: the rest of a fall would have come by any turn.
    whole = review_of(0.5, 0.1)
    half = Review((whole.moments[0], replace(whole.moments[1], loss=0.1)), 2, 1.0)
    assert swing(half) == pytest.approx(0.1 + SEEN_LATE * 0.3)
    # Luck counts, and what a turn does to others.
    assert swing(review_of(0.5, 0.8, has_chance=True)) == pytest.approx(0.3)
    assert swing(review_of((0.4, 0.3, 0.3), (0.45, 0.5, 0.05))) == pytest.approx(0.25)


def test_in_a_game_for_one_what_was_lost_counts() -> None:
    def moment(index: int, loss: float) -> Moment:
        return Moment(index, index, 0 if index else None, "", 0, 0.0, (), loss=loss)

    review = Review(tuple(moment(index, loss) for index, loss in enumerate((0.0, 0.3, 0.2, 0.01))), 4, 1.0)
    assert key_moments(review) == [KeyMoment(1, 0.3, ""), KeyMoment(2, 0.2, "")]


def test_the_reviewer_says_where_chance_has_its_part() -> None:
    for name, has_chance in (("connect-four", False), ("2048", True)):
        match = Match.new(GAMES[name], ["human"] * GAMES[name].seats[0], {"first": "1"}, 1)
        assert Reviewer(match, Limit(nodes=100), conspiracy_turns=None).review.has_chance is has_chance
