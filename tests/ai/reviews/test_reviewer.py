"""Reviews: a blunder is found and named, figures agree with each other, every kind of game and match."""

from __future__ import annotations

import threading
from random import Random
from typing import Any

import pytest

from papan.ai.indicators.motion import Motion
from papan.ai.limits import WIN, Limit
from papan.ai.reviews.marks import BAD, BLUNDER, DUBIOUS, INACCURACY, MISTAKE, WORST
from papan.ai.reviews.reviewer import LEAST_NODES, MOST_NODES, Moment, Review, Reviewer, ReviewError, default_limit
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import CHANCE, is_over, mover
from tests.ai.playing import four
from tests.waiting import PATIENCE

QUICK = Limit(nodes=3000)


def played(name: str, seats: int, turns: int | None = None, seed: int = 3, **options: str) -> Match:
    """A random match: to its end, or until so many turns of seats are complete."""
    match = Match.new(GAMES[name], ["random"] * seats, options, seed)
    random = Random(seed)
    while not match.ending:
        if match.mover == CHANCE:
            match.play(match.chance_step())
            continue
        own = [turn for turn in match.turns() if turn.seat != CHANCE]
        if turns is not None and len(own) >= turns and own[-1].seat != match.mover:
            break
        match.play(random.choice(match.legal_steps()))
    return match


@pytest.fixture(scope="module")
def blunder() -> Review:
    """Seat 2 overlooks three in a column in its third turn, and seat 1 takes the fourth."""
    return Reviewer(four("1212131"), Limit(depth=6)).run()


class TestTheBlunder:
    def test_it_is_the_turning_point_and_the_better_turn_is_named(self, blunder: Review) -> None:
        turn = blunder.moments[6]
        assert blunder.turning_points == (6,)
        assert (turn.seat, turn.notation, turn.steps, turn.mark, turn.is_best) == (1, "3", (0,), WORST, False)
        assert turn.best is not None and turn.best.notation == "1" and turn.best.line[0] == "1"
        assert turn.best.steps[0] == 0
        assert turn.loss == pytest.approx(turn.best.chance) and turn.best.chance >= BLUNDER
        assert turn.win_distance == 1 and turn.chances == (1.0, 0.0) and turn.line == ("1",)

    def test_it_is_what_its_player_lost(self, blunder: Review) -> None:
        own = [moment.loss for moment in blunder.moments if moment.seat == 1]
        assert blunder.mean_loss(1) == pytest.approx(sum(own) / 3)
        losses = blunder.mean_loss(0), blunder.mean_loss(1)
        assert losses[0] is not None and losses[1] is not None and losses[0] < losses[1]
        found = blunder.accuracy(0), blunder.accuracy(1)
        assert found[0] is not None and found[1] is not None and found[0] > 95 > found[1]

    def test_the_end(self, blunder: Review) -> None:
        last = blunder.moments[-1]
        assert (last.mover, last.score, last.chances, last.conspiracy) == (None, WIN, (1.0, 0.0), 0.0)
        assert last.is_best and last.mark == "" and last.turns_to_choose_from == 0
        assert blunder.is_complete and len(blunder.moments) == blunder.total == 8

    def test_the_winning_turn_was_at_hand_and_the_blunder_out_of_reach_of_the_threshold(self, blunder: Review) -> None:
        """The number of a turn is that of the position it was played in, for its seat."""
        assert blunder.moments[0].conspiracy is None
        assert blunder.moments[7].conspiracy == 0.0
        course = blunder.course
        assert [(play.turn, play.seat) for play in course.plays] == [(turn, 1 - turn % 2) for turn in range(1, 8)]
        assert course.series(0)[-1] == (7, 0.0)

    def test_refinement(self, blunder: Review) -> None:
        figures = blunder.refinement
        assert figures is not None and (figures.branching, figures.length) == (7, 7)


def assert_agreement(match: Match, review: Review) -> None:
    """The figures of a complete review agree with each other and with the match."""
    seats = len(match.seats)
    turns = [turn for turn in match.turns() if turn.seat != CHANCE][: review.total - 1]
    assert [(moment.seat, moment.notation) for moment in review.moments] == [
        (None, ""),
        *((turn.seat, turn.notation) for turn in turns),
    ]
    assert [moment.index for moment in review.moments] == list(range(review.total))
    for moment in review.moments:
        state = match.states[moment.state_index]
        if moment.mover is None:
            assert match.ending and state == match.state
        else:
            assert not is_over(state) and mover(state) == moment.mover and moment.turns_to_choose_from > 0
        if seats == 1:
            assert moment.chances == ()
        else:
            assert len(moment.chances) == seats and all(0 <= chance <= 1 for chance in moment.chances)
            assert sum(moment.chances) == pytest.approx(1)
        assert_turn(moment)
    course = review.course
    assert [play.turn for play in course.plays] == [one.index for one in review.moments if one.choices is not None]
    assert all(play.number >= 0 and play.seat == turns[play.turn - 1].seat for play in course.plays)
    assert len(course.motions) == len(course.plays) > 0 and isinstance(course.motions[0], Motion)


def assert_turn(moment: Moment) -> None:
    assert 0 <= moment.loss <= 1
    assert (moment.mark == WORST) == (moment.loss >= BLUNDER)
    assert (moment.mark == BAD) == (MISTAKE <= moment.loss < BLUNDER)
    assert (moment.mark == DUBIOUS) == (INACCURACY <= moment.loss < MISTAKE)
    assert (moment.best is None) == (moment.seat is None)
    if moment.is_best:
        assert moment.loss == 0


class TestEveryKindOfMatch:
    @pytest.mark.parametrize(
        ("name", "seats", "turns", "options", "more"),
        [
            ("connect-four", 2, 12, {}, {}),
            ("othello", 2, 12, {}, {}),
            ("checkers", 2, 12, {}, {}),
            ("cifra", 2, 12, {}, {}),
            ("santorini", 2, 8, {"gods": "none"}, {}),  # several steps a turn
            ("santorini", 3, 7, {"gods": "none"}, {"conspiracy_turns": 1}),
        ],
    )
    def test_several_seats(
        self, name: str, seats: int, turns: int, options: dict[str, Any], more: dict[str, Any]
    ) -> None:
        match = played(name, seats, turns, **options)
        assert_agreement(match, Reviewer(match, QUICK, **more).run())

    def test_one_seat(self) -> None:
        match = played("2048", 1, size="2", first="1")
        review = Reviewer(match, Limit(nodes=400_000)).run()
        assert_agreement(match, review)
        assert match.ending and review.moments[-1].score == match.ending.payoffs[0]
        # A board of four cells is searched to the end: what it could expect is known, and never less than it has.
        assert all(moment.score >= match.states[moment.state_index].score for moment in review.moments)
        assert review.moments[0].is_proven

    def test_the_scores_of_2048_are_real_ones(self) -> None:
        """On 2×2 the best that can be hoped for is 66.96 in the mean of all starts, and nothing ever promises 200."""
        match = played("2048", 1, size="2", first="1")
        review = Reviewer(match, conspiracy_turns=None).run()
        assert all(20 < moment.score < 200 for moment in review.moments[:1])
        assert all(moment.score < 200 for moment in review.moments)
        lost = [moment for moment in review.moments if moment.loss > 0.2]
        assert lost and {moment.index for moment in lost} <= set(review.turning_points)

    def test_segments_begin_with_each_new_largest_tile(self) -> None:
        match = played("2048", 1, turns=60, size="4")
        segments = [moment.segment for moment in Reviewer(match, QUICK).run().moments]
        assert segments == sorted(segments) and segments[0] == 0 and segments[-1] >= 2

    def test_an_unfinished_turn_is_left_out(self) -> None:
        match = played("santorini", 2, turns=6, gods="none")
        whole = len(match.turns())
        match.play(match.legal_steps()[0])
        assert len(match.turns()) == whole + 1
        review = Reviewer(match, QUICK, conspiracy_turns=None).run()
        assert review.total == whole + 1 and review.moments[-1].mover == match.mover

    def test_nothing_played_yet_or_no_conspiracy_numbers(self) -> None:
        review = Reviewer(four(""), QUICK).run()
        assert review.total == 1 and review.moments[0].seat is None and review.turning_points == ()
        assert review.mean_loss(0) is None and review.refinement is None and review.course.plays == ()
        review = Reviewer(four("44"), QUICK, conspiracy_turns=None).run()
        assert review.course.plays == () and review.refinement is not None

    def test_hidden_cards(self) -> None:
        match = played("catur-jawa", 2)
        assert match.ending
        assert_agreement(match, Reviewer(match, QUICK, conspiracy_turns=1).run())
        match.undo()
        with pytest.raises(ReviewError, match="you can review a match once it is over"):
            Reviewer(match)


class TestRunning:
    def test_the_same_match_gives_the_same_review_moment_by_moment_and_may_go_on_meanwhile(self) -> None:
        told: list[int] = []
        match = four("4435")
        reviewer, again = Reviewer(match, QUICK), Reviewer(match, QUICK)
        match.undo()
        reviewer.run(lambda review: told.append(len(review.moments)))
        assert told == [1, 2, 3, 4, 5] and reviewer.review.is_complete
        assert reviewer.review.moments == again.run().moments

    def test_it_can_be_stopped_and_goes_on(self) -> None:
        reviewer = Reviewer(four("4444"), Limit(nodes=10**12))
        thread = threading.Thread(target=reviewer.run)
        thread.start()
        threading.Timer(0.5, reviewer.stop).start()
        thread.join(timeout=PATIENCE)
        assert not thread.is_alive() and not reviewer.review.is_complete
        reviewer.limit = QUICK
        assert reviewer.run().is_complete

    def test_it_can_begin_later(self) -> None:
        """Then the first moment is the start, and what was played before is only remembered."""
        match = four("4444426")
        late, whole = (Reviewer(match, Limit(depth=6), since=since).run() for since in (4, 0))
        assert late.is_complete and [one.state_index for one in late.moments] == [4, 5, 6, 7]
        assert late.moments[0].seat is None and late.moments[0].best is None
        assert [one.notation for one in late.moments[1:]] == [one.notation for one in whole.moments[5:]]
        assert [one.mark for one in late.moments[1:]] == [one.mark for one in whole.moments[5:]]

    def test_the_nodes_of_a_position_depend_on_the_length_of_the_match(self) -> None:
        assert default_limit(1) == Limit(nodes=MOST_NODES)
        assert default_limit(10**6) == Limit(nodes=LEAST_NODES)


@pytest.mark.parametrize(("name", "seats"), [("2048", 1), ("connect-four", 2)])
def test_zones_have_a_meaning_for_a_single_agent_alone(name: str, seats: int) -> None:
    assert Reviewer(played(name, seats, 2), QUICK).run().has_zones is (seats == 1)
