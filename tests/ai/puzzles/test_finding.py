"""The one right turn of a position: found, proved, and compared with all that can be played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import essential, evaluation_of
from papan.ai.exact import exact_of
from papan.ai.limits import Limit
from papan.ai.proof import SolverError, SolverSetting, make_solver
from papan.ai.puzzles.closure import Closure
from papan.ai.puzzles.finding import MINING, Effort, Finder, Finding
from papan.ai.puzzles.opponent import PuzzleOpponent
from papan.ai.puzzles.proving import ProvenValue, Prover, hides_nothing, whole_turns
from papan.game.catalogue import GAMES
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play
from tests.ai.playing import game_at_random

CONNECT_FOUR, GOMOKU, CHECKERS = GAMES["connect-four"], GAMES["gomoku"], GAMES["checkers"]


def near_ends(name: str, number: int, left: int) -> Iterator[State]:
    """Positions of random games, so many steps before their ends."""
    game, seed = GAMES[name], 0
    while number:
        random, seed = Random(seed), seed + 1
        states = list(game_at_random(game.rules.start(game.complete_options({}), random), random))
        if len(states) > left + 30:
            number -= 1
            yield states[-1 - left]


@cache
def worth(state: State, seat: int) -> float:
    """What *state* is worth to *seat*, by all that can be played."""
    if is_over(state):
        return float(payoff(state, seat))
    return (max if mover(state) == seat else min)(worth(play(state, step), seat) for step in legal_steps(state))


def goal_of(state: State) -> tuple[str, int] | None:
    """The goal and the one step that comes to it, by all that can be played."""
    seat = int(mover(state))
    by_step = {step: worth(play(state, step), seat) for step in legal_steps(state)}
    best = max(by_step.values())
    right = [step for step, value in by_step.items() if value == best]
    return ("win" if best > 0 else "save", right[0]) if best >= 0 and len(right) == 1 and len(by_step) > 2 else None


ONLY = "7336264731532"
"""Connect Four: column 5 wins with the turn after the next; column 6 wins, too, but with one turn more."""


class TestFinding:
    @pytest.mark.parametrize("name", ["connect-four", "othello"])
    def test_agrees_with_all_that_can_be_played(self, name: str) -> None:
        finder, found_some = Finder(GAMES[name]), 0
        for state in near_ends(name, 40, 6):
            found, expected = finder.find(state), goal_of(state)
            assert (found and (found.goal, found.turn.steps[0])) == expected, (state, finder.why)
            found_some += found is not None
        assert found_some >= 3

    @pytest.mark.parametrize(
        ("rows", "hands", "goal", "turn"),
        [
            (".../.../.../...r7g8.../r3r9g9g9r9.../..r8g5.../...g4.../..g5.../...", "8,7", "win", "8xd3"),
            (".../.../..r7.g4.../..g8r9r3g2.../..r8g8g9r7.../...g6r8g9.../.../.../...", "9,3", "save", "9xf6"),
            (".../.../..r7.g4.../..g8r9r3g2.../..r8g8g9r7.../...g6r8g9.../.../.../...", "1,3", "", ""),
        ],
    )
    def test_so_it_does_with_the_last_cards(self, rows: str, hands: str, goal: str, turn: str) -> None:
        """df-pn alone proves that no turn wins, and of each turn whether it loses."""
        game = GAMES["catur-jawa"]
        text = "/".join(
            row.rstrip(".") + "." * (9 - len(re.sub("[rg]", "", row.rstrip(".")))) for row in rows.split("/")
        )
        state = game.rules.parse(f"{text} 1 {hands} ,", {})
        found, expected = Finder(game).find(state), goal_of(state)
        assert (found and (found.goal, found.turn.steps[0])) == expected
        assert ((expected[0], game.rules.notation(state, expected[1])) if expected else ("", "")) == (goal, turn)

    @pytest.mark.parametrize("name", ["connect-four", "othello"])
    def test_df_pn_alone_agrees_as_well(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Prover, "_solved", lambda *arguments: None)
        finder, found_some = Finder(GAMES[name]), 0
        for state in near_ends(name, 20, 6):
            found = finder.find(state)
            if found is not None:
                assert (found.goal, found.turn.steps[0]) == goal_of(state)
                found_some += 1
        assert found_some

    @pytest.mark.parametrize(
        ("effort", "position", "turns", "why"),
        [
            (MINING, "445566", None, "several"),
            (MINING, "4455", 3, "several"),
            (MINING, ONLY, 1, "no win with one turn"),
            (Effort(10, (1,), 5), "4455", 3, "open"),
        ],
    )
    def test_what_is_no_puzzle(self, effort: Effort, position: str, turns: int | None, why: str) -> None:
        """Two turns that win (in time), what is not won in time, and what can't be proved."""
        finder, state = Finder(CONNECT_FOUR, effort), CONNECT_FOUR.rules.parse(position, {})
        assert (finder.find(state) if turns is None else finder.find_within(state, turns)) is None
        assert finder.why.startswith(why)

    def test_what_can_not_be_proved_is_left_alone(self) -> None:
        finder = Finder(GOMOKU)
        assert finder.find(GOMOKU.rules.start(GOMOKU.complete_options({}), Random(1))) is None
        assert finder.why == "open"

    def test_a_turn_of_several_steps_is_one(self) -> None:
        game = GAMES["santorini"]
        state = game.rules.parse("0000000000000000230000000/1/mortal:b2,a5/mortal:e5,e1", game.complete_options({}))
        turns = whole_turns(game.rules, state)
        assert len({turn.states[-1] for turn in turns}) == len(turns) > len(legal_steps(state))
        assert all(is_over(turn.states[-1]) or mover(turn.states[-1]) == 1 for turn in turns)


def wins_within(state: State, seat: int, left: int) -> bool:
    """Whether *seat* forces a win within so many turns of its own, each one step, by all that can be played."""
    if is_over(state) or left == 0:
        return bool(is_over(state) and payoff(state, seat) > 0.0)
    is_own = mover(state) == seat
    after = (wins_within(play(state, step), seat, left - is_own) for step in legal_steps(state))
    return any(after) if is_own else all(after)


class TestFindingInTime:
    def test_agrees_with_all_that_can_be_played(self) -> None:
        finder, found_some = Finder(CONNECT_FOUR), 0
        for state in near_ends("connect-four", 40, 5):
            seat, expected = int(mover(state)), None
            for turns in (1, 2):
                right = [step for step in legal_steps(state) if wins_within(play(state, step), seat, turns - 1)]
                if right:
                    expected = (turns, right[0]) if len(right) == 1 and len(legal_steps(state)) > 2 else None
                    break
            found = finder.find_within(state, 2)
            assert (found and (found.turns, found.turn.steps[0])) == expected, (state, finder.why)
            found_some += found is not None
        assert found_some >= 3

    def test_another_turn_may_win_later(self) -> None:
        finder, state = Finder(CONNECT_FOUR), CONNECT_FOUR.rules.parse(ONLY, {})
        found = finder.find_within(state, 3)
        assert found is not None and (found.goal, found.plies, found.turn.steps) == ("within", 3, (4,))
        assert finder.prover.wins_within(play(state, 5), 1, 1, 10_000) is False
        assert finder.prover.wins_within(play(state, 5), 1, 2, 10_000) is True

    def test_a_quiet_turn_of_gomoku_is_proved_not_to_win_in_time(self) -> None:
        # An open three in the middle: a straight four wins, and nothing else within two turns.
        finder = Finder(GOMOKU)
        state = GOMOKU.rules.parse("h8 a1 i8 c1 k8 e1", GOMOKU.complete_options({}))
        found = finder.find_within(state, 2)
        assert found is not None and GOMOKU.rules.notation(state, found.turn.steps[0]) == "j8"
        assert found.choices == 219 and found.turns == 2


class TestSettling:
    def test_bounds_say_what_is_proved(self) -> None:
        assert ProvenValue(1, 1).is_won and ProvenValue(1, 1).is_not_lost and not ProvenValue(1, 1).is_not_won
        assert ProvenValue(-1, -1).is_lost and ProvenValue(-1, -1).is_not_won and not ProvenValue(-1, -1).is_not_lost
        assert not any((ProvenValue(-1, 1).is_won, ProvenValue(-1, 1).is_lost, ProvenValue(-1, 1).is_not_won))

    def test_stopped_it_leaves_everything_open(self) -> None:
        prover = Prover(CONNECT_FOUR)
        prover.stop()
        settled = prover.prove(CONNECT_FOUR.rules.parse("4455", {}), 0, 10_000)
        assert not settled.is_won and not settled.is_lost

    def test_only_what_every_seat_can_tell_hides_nothing(self) -> None:
        game = GAMES["catur-jawa"]
        assert not hides_nothing(game.rules.start(game.complete_options({}), Random(3)))
        rows = "g5......../.r8g2.g7..../..r4g8.g2r5../.r9r7g3r3g4r2g3./"
        rows += "..r6r3g5..g8./r1r1g4.g6..../r5r7r8....../g9..r9....."
        assert hides_nothing(game.rules.parse(f"{rows}/......... 2 4,19 ,", {})), "all cards are counted"

    def test_a_hidden_game_is_solved_only_where_asked_about_open_positions(self) -> None:
        with pytest.raises(SolverError):
            make_solver("dfpn", GAMES["catur-jawa"])
        assert make_solver("dfpn", GAMES["catur-jawa"], SolverSetting(is_open=True)) is not None


class TestClosure:
    def test_two_kings_catch_one_but_one_holds_against_one(self) -> None:
        two, one = (
            Closure(CHECKERS.rules.MOST_STEPS).value(CHECKERS.rules.parse(text, {}))
            for text in ("B:BK18,K19:WK10", "B:BK1:WK32")
        )
        assert two is not None and two > 1 and one == 0

    def test_values_follow_from_those_of_what_comes_next(self) -> None:
        closure = Closure(CHECKERS.rules.MOST_STEPS)
        state, random = CHECKERS.rules.parse("B:BK18,K19:WK10", {}), Random(1)
        for _ in range(300):
            if is_over(state):
                state = CHECKERS.rules.parse("B:BK18,K19:WK10", {})
            value, sign = closure.value(state._replace(quiet=0)), 1 if mover(state) == 0 else -1
            after = [play(state, step)._replace(quiet=0) for step in legal_steps(state)]
            values = [closure.value(one) for one in after]
            assert value is not None and None not in values
            best = max((sign * one > 0) - (sign * one < 0) for one in values if one is not None)
            assert best == (sign * value > 0) - (sign * value < 0)
            state = random.choice(after)

    def test_what_is_too_large_or_has_a_rule_on_repetitions_is_left_open(self) -> None:
        start = CHECKERS.rules.start(CHECKERS.complete_options({}), Random(1))
        assert Closure(CHECKERS.rules.MOST_STEPS, 5_000).value(start) is None
        xiangqi = GAMES["xiangqi"].rules
        assert Closure(xiangqi.MOST_STEPS).value(xiangqi.parse("4k4/9/9/9/9/9/9/9/9/3K5 w", {})) is None


@pytest.mark.parametrize(
    ("played", "essential"),
    [
        ("h8 a1 i8 a3 j8 a5 k8", ["g8", "l8"]),  # a four is answered on its open ends
        ("a8 a1 b8 b1 c8 c1 d8 d1", ["e8"]),  # the other side's four need not be stopped
        ("", None),
    ],
)
def test_essential_steps_of_gomoku(played: str, essential: list[str] | None) -> None:
    evaluation_of(GOMOKU)
    names = names_of(GOMOKU.rules.parse(played, {}))
    assert len(names) == 225 if essential is None else names == essential


def names_of(state: State) -> list[str]:
    """The essential steps by their names."""
    buffer = np.empty(GOMOKU.rules.MOST_STEPS, np.int64)
    return sorted(GOMOKU.rules.notation(state, int(step)) for step in buffer[: essential(state, buffer, 0)])


def soonest(state: State, seat: int) -> int:
    """In how many turns of its own *seat* forces a win of *state*, by all that can be played; 4 for more than 3."""
    return next((left for left in range(4) if wins_within(state, seat, left)), 4)


class TestResistance:
    def test_holds_out_as_long_as_can_be(self) -> None:
        # Two open threes on two levels: whatever is answered loses, but not equally soon.
        state = CONNECT_FOUR.rules.parse("44536", {})
        resistance = PuzzleOpponent(CONNECT_FOUR)
        [step] = resistance.answer(state)
        module = exact_of(CONNECT_FOUR)
        assert module is not None
        lines = module.Exact().analyse(state, Limit(nodes=10**7), lines=0).lines
        assert {line.step: line.score for line in lines}[step] == lines[0].score

    def test_tells_turns_that_keep_a_win_from_those_that_do_not(self) -> None:
        resistance = PuzzleOpponent(CONNECT_FOUR)
        state = CONNECT_FOUR.rules.parse("445566", {})
        assert resistance.keeps(play(state, 2), 0, "win") is True
        lost = CONNECT_FOUR.rules.parse("4455667", {})
        assert resistance.keeps(lost, 1, "win") is False

    def test_the_answer_after_which_a_win_takes_longest_is_given(self) -> None:
        resistance, state = PuzzleOpponent(CONNECT_FOUR), play(CONNECT_FOUR.rules.parse("3532432714175", {}), 1)
        lengths = {step: soonest(play(state, step), 1) for step in legal_steps(state)}
        assert sorted(set(lengths.values())) == [1, 2]
        [step] = resistance.answer(state, 2)
        assert lengths[step] == 2

    def test_a_turn_that_wins_later_is_told(self) -> None:
        resistance, state = PuzzleOpponent(CONNECT_FOUR), CONNECT_FOUR.rules.parse(ONLY, {})
        assert resistance.wins_later(play(state, 5), 1, 1) == 2
        assert resistance.wins_later(play(state, 0), 1, 1) == 0
        assert resistance.keeps(play(state, 4), 1, "within", 1) is True
        assert resistance.keeps(play(state, 5), 1, "within", 1) is False

    def test_stopped_it_answers_nothing(self) -> None:
        resistance = PuzzleOpponent(CONNECT_FOUR)
        resistance.stop()
        assert resistance.answer(CONNECT_FOUR.rules.parse("4455", {})) == ()


def test_a_finding_says_how_many_turns_there_were() -> None:
    state = next(state for state in near_ends("othello", 60, 6) if goal_of(state) is not None)
    found = Finder(GAMES["othello"]).find(state)
    assert isinstance(found, Finding) and found.choices == len(legal_steps(state))
