"""The course of a match: one number for each play, set-up left out, and what follows from the numbers, by hand."""

from __future__ import annotations

from math import inf, sqrt

import pytest

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.course import (
    LEAST_TRAPPED,
    ROLLING_PLAYS,
    Course,
    Play,
    Stage,
    Zone,
    complete_turns,
    course_of,
    gaps,
    play_state,
    stages,
    traps,
    turns_to_choose_from,
    zones,
)
from papan.ai.limits import Limit
from papan.ai.reviews.reviewer import Reviewer
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import is_setting_up, mover
from tests.ai.playing import at_random


def played(name: str, seats: int, turns: tuple[str, ...] = (), **options: str) -> Match:
    match = Match.new(GAMES[name], ["random"] * seats, options, seed=3)
    for turn in turns:
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    return match


def after(name: str, seats: int, steps: int) -> Match:
    return at_random(Match.new(GAMES[name], ["random"] * seats, {}, seed=3), steps, 2)


SANTORINI = ("a1,b1", "d4,d5", "a1-a2+a3")


class TestPlays:
    def test_turns_of_set_up_have_no_number(self) -> None:
        match = played("santorini", 2, SANTORINI, gods="none")
        course = course_of(match, Conspiracy(match.game, 1))
        assert [(play.turn, play.seat) for play in course.plays] == [(3, 0)]

    def test_a_number_is_that_of_the_position_before_the_turn_for_its_seat(self) -> None:
        match = after("othello", 2, 9)
        conspiracy = Conspiracy(match.game)
        course = course_of(match, conspiracy)
        wanted = [conspiracy.number(state, int(mover(state))) for state in match.states[:-1]]
        assert [play.number for play in course.plays] == wanted

    def test_three_seats_have_a_number_each_where_they_play_and_nowhere_else(self) -> None:
        match = after("catur-jawa", 3, 12)
        course = course_of(match, Conspiracy(match.game, 1))
        assert [[turn for turn, _value in course.series(seat)] for seat in range(3)] == [
            [1, 4, 7, 10],
            [2, 5, 8, 11],
            [3, 6, 9, 12],
        ]

    def test_what_a_turn_sets_up_first_is_not_part_of_its_play(self) -> None:
        """The second player of CIFRA chooses side and colour; where that seat moves first, its play is the move."""
        for seed in range(6):
            match = Match.new(GAMES["cifra"], ["random"] * 2, {}, seed)
            at_random(match, 8, seed)
            for turn in complete_turns(match):
                state = play_state(match.rules, match.states, turn)
                assert state is None or not is_setting_up(match.rules, state)
            moves = [turn for turn in complete_turns(match) if play_state(match.rules, match.states, turn) is not None]
            assert len(moves) == 6

    def test_a_first_threshold_of_ones_own(self) -> None:
        """T below every value gives 0, T of a win the proof number: without a forced win in sight more than 0."""
        match = after("connect-four", 2, 4)
        low, high = (course_of(match, Conspiracy(match.game, 2, threshold)) for threshold in (-1e6, 1e6))
        assert all(play.number == 0 for play in low.plays) and all(play.number > 0 for play in high.plays)


class TestChoices:
    def test_two_workers_are_placed_in_any_order(self) -> None:
        start = played("santorini", 2, gods="none").state
        rules = GAMES["santorini"].rules
        assert turns_to_choose_from(rules, start) == 25 * 24 // 2
        after = played("santorini", 2, SANTORINI[:1], gods="none").state
        assert turns_to_choose_from(rules, after) == 23 * 22 // 2

    def test_turns_of_play_are_counted_as_perft_counts_them(self) -> None:
        state = played("connect-four", 2).state
        assert turns_to_choose_from(GAMES["connect-four"].rules, state) == 7

    def test_placements_are_no_part_of_game_refinement(self) -> None:
        """By hand: a1-b1 and d4-d5 are placed; then B is what the one play had to choose from, and D is 1."""
        match = played("santorini", 2, SANTORINI, gods="none")
        review = Reviewer(match, Limit(depth=1), conspiracy_turns=None).run()
        found = review.refinement
        placed = [moment.turns_to_choose_from for moment in review.moments[:2]]
        assert placed == [300, 253] and found is not None
        assert (found.branching, found.length) == (review.moments[2].turns_to_choose_from, 1)
        assert found.refinement == pytest.approx(sqrt(found.branching))


class TestCurves:
    COURSE = Course((Play(1, 0, 0.0), Play(2, 1, 4.0), Play(3, 0, 8.0), Play(4, 1, inf), Play(5, 0, 2.0)))

    def test_normalised_by_hand(self) -> None:
        """The largest finite number is 8, so infinity counts as 10: all are tenths."""
        assert self.COURSE.cap == 10.0
        assert self.COURSE.normalised == (0.0, 0.4, 0.8, 1.0, 0.2)
        assert self.COURSE.series(0) == [(1, 0.0), (3, 0.8), (5, 0.2)] and self.COURSE.series(1) == [(2, 0.4), (4, 1.0)]

    def test_motion_by_hand(self) -> None:
        """Seat 0 has v = (0 + 0.8 + 0.2) / 3; p̄ is the mean of 0, 0.16 and 0.16, M·v is 2/9."""
        motion = self.COURSE.motions[4]
        assert motion.velocity == pytest.approx(1 / 3) and motion.mean_momentum == pytest.approx(0.32 / 3)
        assert motion.momentum == pytest.approx(2 / 9) and motion.potential_energy == pytest.approx(2 * 2 / 3 / 9)
        assert ROLLING_PLAYS >= 3

    def test_what_is_asked_by_turns(self) -> None:
        assert (self.COURSE.at(3), self.COURSE.at(6)) == (2, None)
        assert (self.COURSE.last(1, 5), self.COURSE.last(1, 1), self.COURSE.last(0, 4)) == (3, None, 2)

    def test_each_segment_has_a_range_and_a_ride_of_its_own(self) -> None:
        course = Course((Play(1, 0, 0.0), Play(2, 0, 10.0), Play(3, 0, 7.0, 1), Play(4, 0, 5.0, 1)))
        assert course.normalised == (0.0, 1.0, 1.0, 0.0)
        assert [motion.velocity for motion in course.motions] == [0.0, 0.5, 1.0, 0.5]

    def test_a_trap_is_told_by_turns(self) -> None:
        numbers = [9.0, 0.0, 1.0, 0.0, 1.0, 9.0]
        course = Course(tuple(Play(2 * turn + 1, 0, number) for turn, number in enumerate(numbers)))
        assert [(trap.first, trap.last, trap.is_escaped) for trap in course.traps(0)] == [(5, 9, True)]
        assert course.traps(1) == []


class TestTable7:
    @pytest.mark.parametrize(
        ("before", "now", "zone"),
        [
            (0.1, 0.1, Zone.TRAP),  # low, low gap
            (0.6, 0.1, Zone.FAVOURABLE),  # low, medium gap
            (0.9, 0.1, Zone.FAVOURABLE),  # low, high gap
            (0.5, 0.5, Zone.UNCERTAIN),
            (0.1, 0.5, Zone.UNCERTAIN),
            (1.3, 0.5, Zone.UNCERTAIN),  # a middle number can't have come so far; the table has the cell
            (0.9, 0.9, Zone.FAVOURABLE),  # high, low gap
            (0.4, 0.9, Zone.THRILLING),  # high, medium gap: a trap with a star
            (0.1, 0.9, Zone.THRILLING),  # high, high gap
        ],
    )
    def test_each_cell(self, before: float, now: float, zone: Zone) -> None:
        assert zones([before, now]) == [None, zone]

    def test_nothing_played_has_none(self) -> None:
        assert zones([]) == [] and stages([]) == [] and gaps([]) == [] and traps([]) == []


@pytest.mark.parametrize(
    ("before", "now", "stage"),
    [
        (0.9, 0.9, Stage.APATHY),
        (0.4, 0.9, Stage.AROUSAL),
        (0.1, 0.9, Stage.ANXIETY),
        (0.1, 0.1, Stage.CONTROL),
        (0.6, 0.1, Stage.FLOW),
        (0.9, 0.1, Stage.WORRY),
        (0.5, 0.5, None),
    ],
)
def test_stages(before: float, now: float, stage: Stage | None) -> None:
    assert stages([before, now]) == [None, stage]


@pytest.mark.parametrize(
    ("through", "found"),
    [
        ([Zone.TRAP] * (LEAST_TRAPPED - 1), []),  # a short stay
        ([Zone.FAVOURABLE, *[Zone.TRAP] * LEAST_TRAPPED], [(1, LEAST_TRAPPED, False)]),  # it is not left
        ([*[Zone.TRAP] * 3, None, *[Zone.TRAP] * 4, Zone.THRILLING], [(0, 2, True), (4, 7, True)]),
    ],
)
def test_traps(through: list[Zone | None], found: list[tuple[int, int, bool]]) -> None:
    assert [(trap.first, trap.last, trap.is_escaped) for trap in traps(through)] == found
