"""Turns as text: what fits is read, and what does not is explained."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.game.match.notation import parse_step, parse_turn, write_turn
from papan.game.rules import NotationError, State, connect_four, is_over, legal_steps, mover, play
from tests.game.kernel import letters
from tests.game.kernel.letters import AB, STOP, A, B, Z

EMPTY_BOARD = connect_four.State(0, 0)
START = letters.State(0, 0, 0, 0, 0)


def after(state: State, *steps: int) -> State:
    for step in steps:
        state = play(state, step)
    return state


class TestOneStepTurns:
    @pytest.mark.parametrize("column", range(7))
    def test_a_column_is_a_turn(self, column: int) -> None:
        assert parse_turn(connect_four, EMPTY_BOARD, str(column + 1)) == [column]
        assert parse_step(connect_four, EMPTY_BOARD, str(column + 1)) == column
        assert write_turn(connect_four, EMPTY_BOARD, [column]) == str(column + 1)

    def test_a_full_column_is_not(self) -> None:
        full = connect_four.parse("444444", {})
        with pytest.raises(NotationError) as error:
            parse_turn(connect_four, full, "4")
        assert str(error.value) == "'4' is wrong at character 1, '4'; it could be 1, 2, 3, …."

    def test_two_turns_are_not_one(self) -> None:
        with pytest.raises(NotationError) as error:
            parse_turn(connect_four, EMPTY_BOARD, "45")
        assert str(error.value) == "'45' is wrong at character 2, '5'; it could be 4."

    def test_nothing_follows_the_end(self) -> None:
        won = connect_four.parse("1212121", {})
        with pytest.raises(NotationError, match=r"^The game is over: '5' can't follow\.$"):
            parse_turn(connect_four, won, "5")

    def test_an_empty_text_is_no_turn(self) -> None:
        for parse in (parse_turn, parse_step):
            with pytest.raises(NotationError, match="could be 1, 2, 3"):
                parse(connect_four, EMPTY_BOARD, "")


class TestTurnsOfSeveralSteps:
    def test_a_silent_step_ends_a_turn(self) -> None:
        assert parse_turn(letters, START, "bb") == [B, B, STOP]

    def test_reading_goes_back_where_it_went_wrong(self) -> None:
        """Four letters would be one too many, so only the reading with ``ab`` in one step is left."""
        assert parse_turn(letters, START, "aaab") == [A, A, AB, STOP]

    def test_two_meanings_are_refused(self) -> None:
        with pytest.raises(NotationError) as error:
            parse_turn(letters, START, "ab")
        assert str(error.value) == "'ab' is ambiguous: it could mean |ab| or |a|b|."

    def test_two_ways_to_the_same_state_are_one_meaning(self) -> None:
        names = {A: "x", AB: "yx", B: "xy", Z: "z", STOP: ""}
        rules = SimpleNamespace(MOST_STEPS=5, notation=lambda state, step: names[step])
        assert after(START, A, AB) == after(START, B, A)
        assert parse_turn(rules, START, "xyx") == [A, AB, STOP]
        assert write_turn(rules, START, [B, A, STOP]) == "|xy|x|"

    def test_an_error_is_placed_at_the_furthest_character_that_makes_sense(self) -> None:
        with pytest.raises(NotationError) as error:
            parse_turn(letters, START, "zz?")
        assert str(error.value) == "'zz?' is wrong at character 3, '?'; it could be zza…, zzb…, zzab…, …."

    def test_a_turn_too_long_could_have_ended(self) -> None:
        with pytest.raises(NotationError) as error:
            parse_turn(letters, START, "zzzz")
        assert str(error.value) == "'zzzz' is wrong at character 4, 'z'; it could be zzz."

    def test_a_long_text_is_cut_in_the_message(self) -> None:
        with pytest.raises(NotationError) as error:
            parse_turn(letters, START, "q" * 100_000)
        assert len(str(error.value)) < 200

    def test_an_unfinished_turn_is_read_where_that_is_allowed(self) -> None:
        unstoppable = SimpleNamespace(
            MOST_STEPS=5, notation=lambda state, step: "." if step == STOP else letters.NOTATIONS[step]
        )
        assert parse_turn(unstoppable, START, "zb.") == [Z, B, STOP]
        with pytest.raises(NotationError) as error:
            parse_turn(unstoppable, START, "zb")
        assert str(error.value) == "'zb' is incomplete; it could be zba…, zbb…, zbab…, …."
        assert parse_turn(unstoppable, START, "zb", may_be_unfinished=True) == [Z, B]
        assert parse_turn(unstoppable, START, "zb.", may_be_unfinished=True) == [Z, B, STOP]


class TestStepsInBars:
    def test_each_step_is_named(self) -> None:
        assert parse_turn(letters, START, "|a|b|") == [A, B, STOP]
        assert parse_turn(letters, START, "|ab|") == [AB, STOP]
        assert parse_turn(letters, START, "|") == [STOP]

    def test_a_turn_must_be_whole_unless_it_may_be_unfinished(self) -> None:
        with pytest.raises(NotationError, match="not a whole turn"):
            parse_turn(letters, START, "|a|b")
        assert parse_turn(letters, START, "|a|b", may_be_unfinished=True) == [A, B]

    def test_nothing_follows_a_whole_turn(self) -> None:
        with pytest.raises(NotationError, match="the turn ends before step 3"):
            parse_turn(letters, START, "|a||b")

    def test_a_wrong_step_is_named(self) -> None:
        with pytest.raises(NotationError) as error:
            parse_turn(letters, START, "|a|heads|")
        assert str(error.value).startswith("Step 2 of '|a|heads|': 'heads' is wrong at character 1, 'h'; ")


class TestOneStep:
    def test_the_whole_notation_counts(self) -> None:
        assert parse_step(letters, START, "a") == A
        assert parse_step(letters, START, "ab") == AB
        assert parse_step(letters, START, "") == STOP

    def test_what_follows_is_refused(self) -> None:
        with pytest.raises(NotationError) as error:
            parse_step(letters, START, "abz")
        assert str(error.value) == "'abz' is wrong at character 3, 'z'; it could be ab."

    def test_twins_are_ambiguous(self) -> None:
        twins = SimpleNamespace(MOST_STEPS=5, notation=lambda state, step: "t")
        with pytest.raises(NotationError, match="'t' is ambiguous: 5 different steps"):
            parse_step(twins, START, "t")


def random_turn(draw: Callable[..., int], state: State) -> list[int]:
    """The steps of one whole turn."""
    seat = mover(state)
    steps: list[int] = []
    while not is_over(state) and mover(state) == seat:
        steps.append(draw(st.sampled_from(legal_steps(state))))
        state = play(state, steps[-1])
    return steps


class TestRoundTrip:
    @given(st.data())
    def test_what_is_written_is_read_as_the_same_steps(self, data: st.DataObject) -> None:
        state = START
        for _ in range(data.draw(st.integers(0, 6))):
            state = after(state, *random_turn(data.draw, state))
        if is_over(state):
            return
        steps = random_turn(data.draw, state)
        assert parse_turn(letters, state, write_turn(letters, state, steps)) == steps
        steps = steps[: data.draw(st.integers(1, len(steps)))]
        text = write_turn(letters, state, steps, may_be_unfinished=True)
        assert parse_turn(letters, state, text, may_be_unfinished=True) == steps

    @given(st.text(alphabet="abz|?h", max_size=8) | st.text(max_size=8), st.booleans())
    def test_any_other_text_is_refused_in_words(self, text: str, may_be_unfinished: bool) -> None:
        try:
            steps = parse_turn(letters, START, text, may_be_unfinished=may_be_unfinished)
        except NotationError as error:
            assert len(str(error)) > 20
        else:
            joined = "".join(letters.NOTATIONS[step] for step in steps)
            assert text.replace("|", "") == joined
