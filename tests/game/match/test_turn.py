"""The turn controller, driven by a table without a window."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Conclusion, Match
from papan.game.match.turn import TurnController
from papan.game.rules import CHANCE, IllegalStep, State
from tests.game.kernel import letters

BEFORE_A_WIN = "0100011000010300132100111/2/mortal:a4,c3/mortal:d1,d2"
"""A position of Santorini that d2-c2 wins for the second seat, in the middle of its turn."""
WINNING_STEP = 263


class FakeTable:
    """Records what it is asked; shows steps at once unless told otherwise."""

    def __init__(self) -> None:
        self.asked = 0
        self.withdrawn = 0
        self.kept: list[int] = []
        self.shows_at_once = True
        self.controller: TurnController

    def ask(self, match: Match) -> None:
        self.asked += 1

    def withdraw(self) -> None:
        self.withdrawn += 1

    def show(self, before: State, step: int, after: State) -> None:
        if self.shows_at_once:
            self.controller.shown()

    def changed(self, match: Match) -> None:
        self.kept.append(len(match.steps))


def controller(
    persons: tuple[bool, ...],
    game: str = "connect-four",
    confirms: bool = False,
    table: FakeTable | None = None,
    position: str | None = None,
) -> TurnController:
    table = table or FakeTable()
    chosen = letters.GAME if game == "letters" else GAMES[game]
    match = Match.new(chosen, ["a", "b", "c"][: len(persons)], {"first": "1"}, seed=1, position=position)
    made = TurnController(match, persons, table, lambda: True) if confirms else TurnController(match, persons, table)
    table.controller = made
    made.begin()
    return made


class TestPersons:
    def test_clicks_play_steps_until_the_game_is_over(self) -> None:
        c = controller((True, True), position="121212")
        assert c.due == "choosing" and c.targets() == frozenset(range(7)) and c.person_is_due()
        assert c.point(6) is None
        assert list(c.match.steps) == [6] and c.match.mover == 1 and c.due == "choosing"
        c.point(6)
        c.point(0)
        assert c.due == "over" and not c.person_is_due()

    def test_a_refused_click_says_why_and_changes_nothing(self) -> None:
        c = controller((True, True))
        for _ in range(6):
            c.point(0)
        assert "full" in (c.point(0) or "")
        assert len(c.match.steps) == 6

    def test_two_clicks_make_a_step_and_a_second_piece_can_be_chosen_instead(self) -> None:
        c = controller((True, True), "cifra")
        while c.match.rules.phase(c.match.state) != "move":
            c.choose(c.choices()[0])
        starts = sorted(c.targets())
        assert len(starts) > 1
        c.point(starts[0])
        assert c.due == "completing" and list(c.pointed) == [starts[0]]
        c.point(starts[1])
        assert list(c.pointed) == [starts[1]]
        c.point(starts[1])
        assert list(c.pointed) == [] and c.due == "choosing"
        c.point(starts[0])
        before = len(c.match.steps)
        c.point(min(c.targets()))
        assert len(c.match.steps) == before + 1 and c.due == "choosing"

    def test_a_piece_with_one_way_to_go_waits_to_be_shown_it(self) -> None:
        c = controller((True, True), "checkers", position="B:W18,32:B1,14")
        assert c.targets() == {13}
        c.point(13)
        assert c.due == "completing" and c.targets() == {22} and not c.match.steps
        c.point(22)
        assert len(c.match.steps) == 1

    def test_steps_without_a_cell_are_offered_by_name_alone(self) -> None:
        c = controller((True, True), "cifra")
        assert c.targets() == frozenset() and c.choices() == c.match.legal_steps()

    def test_a_first_cell_leaves_the_steps_that_begin_there(self) -> None:
        c = controller((True, True), "checkers")
        assert c.targets() == {8, 9, 10, 11} and c.choices() == []
        c.point(8)
        assert c.targets() == {12, 13} and c.candidates() == [268, 269] and c.choices() == []

    def test_steps_with_the_same_cell_are_offered_by_name(self) -> None:
        """Atlas may build a dome at any height."""
        c = controller((True, True), "santorini", position=BEFORE_A_WIN.replace("mortal:d1", "atlas:d1"))
        c.choose(98)
        c.point(1)
        assert c.due == "completing" and c.choices() == [1025, 2049] and not c.targets()
        c.point(7)
        assert [c.match.rules.notation(c.match.states[1], step) for step in c.match.steps[1:]] == ["+c2"]

    def test_a_persons_turn_can_wait_to_be_confirmed(self) -> None:
        c = controller((True, False), confirms=True)
        c.point(3)
        assert c.due == "confirming"
        c.undo()
        assert c.due == "choosing" and not c.match.steps
        c.point(2)
        c.confirm()
        c.answer(3)
        assert c.due == "choosing" and list(c.match.steps) == [2, 3]

    def test_only_the_end_of_a_turn_waits_to_be_confirmed(self) -> None:
        c = controller((True, True), "santorini", confirms=True, position=BEFORE_A_WIN)
        c.choose(98)
        assert c.due == "choosing" and c.match.mover == 1
        c.choose(1025)
        assert c.due == "confirming" and c.match.mover == 0
        c.undo()
        c.undo()
        assert c.due == "choosing" and not c.match.steps
        c.choose(WINNING_STEP)
        assert c.due == "confirming" and c.match.mover == 1, "the win too"
        c.confirm()
        c.confirm()
        assert c.due == "over"

    def test_a_step_is_refused_where_no_person_is_to_act(self) -> None:
        c = controller((False, True))
        with pytest.raises(IllegalStep, match=r"^It is not a person's turn\.$"):
            c.choose(3)
        assert c.due == "thinking" and not c.match.steps and not c.candidates()

    def test_what_was_chosen_is_forgotten_with_the_step_and_by_undoing(self) -> None:
        table = FakeTable()
        c = controller((True, True), "checkers", table=table, position="B:W18,32:B1,14")
        for cell in (13, 22, 31):
            c.point(cell)
        assert c.due == "completing" and list(c.pointed) == [31]
        c.undo()
        assert c.due == "choosing" and c.pointed == () and not c.match.steps
        table.shows_at_once = False
        c.point(13)
        c.point(22)
        assert c.due == "showing" and c.pointed == ()

    def test_clicks_during_an_animation_do_nothing(self) -> None:
        table = FakeTable()
        c = controller((True, True), table=table)
        table.shows_at_once = False
        c.point(3)
        assert c.due == "showing" and table.kept == [1], "it is kept before it is shown"
        c.point(4)
        assert len(c.match.steps) == 1
        c.shown()
        assert c.due == "choosing"
        c.undo()
        assert table.kept == [1, 0]


class TestComputers:
    def test_undo_goes_back_to_the_persons_own_last_decision(self) -> None:
        c = controller((True, False))
        c.point(3)
        c.answer(3)
        c.point(2)
        c.answer(2)
        c.undo()
        assert list(c.match.steps) == [3, 3] and c.due == "choosing"
        c.undo()
        assert not c.match.steps
        assert not c.can_undo
        c.redo()
        assert list(c.match.steps) == [3, 3]
        c.redo()
        assert list(c.match.steps) == [3, 3, 2, 2] and not c.can_redo

    def test_undo_while_it_thinks_withdraws_the_question(self) -> None:
        table = FakeTable()
        c = controller((True, False), table=table)
        c.point(3)
        assert c.due == "thinking"
        c.undo()
        assert c.due == "choosing" and not c.match.steps
        assert table.withdrawn == 1
        c.point(2)
        assert c.due == "thinking", "it plays on"
        c.undo()
        c.redo()
        assert c.due == "thinking" and list(c.match.steps) == [2] and table.asked == 3

    def test_are_asked_and_answer_once_and_their_opening_cannot_be_undone(self) -> None:
        table = FakeTable()
        c = controller((False, True), table=table)
        assert c.due == "thinking" and table.asked == 1
        c.answer(3)
        assert c.due == "choosing" and list(c.match.steps) == [3]
        c.answer(3)
        assert list(c.match.steps) == [3], "nobody waits for it"
        assert not c.can_undo
        c.undo()
        assert list(c.match.steps) == [3]

    def test_undo_after_the_end(self) -> None:
        c = controller((True, False))
        for column in (0, 1, 2):
            c.point(column)
            c.answer(column)
        c.point(3)
        assert c.due == "over"
        c.undo()
        assert c.due == "choosing" and len(c.match.steps) == 6


class TestChance:
    def test_it_is_drawn_by_itself_and_undo_goes_back_to_a_person(self) -> None:
        table = FakeTable()
        c = controller((True, False, True), "letters", confirms=True, table=table)
        c.choose(letters.STOP)
        c.confirm()
        c.answer(letters.STOP)
        c.choose(letters.STOP)
        assert c.due == "confirming" and c.match.mover == CHANCE
        c.confirm()
        assert c.due == "choosing" and c.match.mover == 0 and table.kept == [1, 2, 3, 4]
        assert c.match.steps[3] in (letters.HEADS, letters.TAILS)
        c.undo()
        assert c.due == "choosing" and c.match.mover == 2 and table.kept[-1] == 2
        c.redo()
        assert c.due == "choosing" and c.match.mover == 0 and table.kept[-1] == 4

    def test_it_is_shown_before_the_next_one_acts(self) -> None:
        table = FakeTable()
        c = controller((True,) * 3, "letters", table=table)
        c.choose(letters.STOP)
        c.choose(letters.STOP)
        table.shows_at_once = False
        c.choose(letters.STOP)
        c.shown()
        assert c.due == "showing" and len(c.match.steps) == 4 and c.match.mover == 0
        c.shown()
        assert c.due == "choosing"


class TestWatching:
    def test_pause_step_and_go_on(self) -> None:
        table = FakeTable()
        c = controller((False, False), table=table)
        c.answer(3)
        c.pause()
        assert c.due == "paused" and table.withdrawn == 1
        c.answer(4)
        assert list(c.match.steps) == [3]
        c.go_on(turns=1)
        assert c.due == "thinking"
        c.answer(4)
        assert c.due == "paused" and list(c.match.steps) == [3, 4]
        c.go_on()
        assert not c.is_paused
        for column in (5, 6, 5):
            assert c.due == "thinking", "for good"
            c.answer(column)

    def test_going_on_counts_turns_and_not_steps(self) -> None:
        """A turn of Santorini is a move and a build."""
        c = controller((False, False), "santorini")

        def answer_while_thinking(most: int) -> int:
            turns = len(c.match.turns())
            for _ in range(most):
                if c.due == "thinking":
                    c.answer(c.match.legal_steps()[0])
            return len(c.match.turns()) - turns

        while c.match.rules.phase(c.match.state) != "move":
            c.answer(c.match.legal_steps()[0])
        c.pause()
        before = len(c.match.steps)
        c.go_on(turns=1)
        answer_while_thinking(8)
        assert c.due == "paused" and len(c.match.steps) == before + 2
        c.go_on(turns=2)
        answer_while_thinking(8)
        assert c.due == "paused" and len(c.match.steps) == before + 6

    @pytest.mark.parametrize("ends", [TurnController.pause, TurnController.undo, TurnController.watch])
    def test_what_was_allowed_can_end(self, ends: Callable[[TurnController], None]) -> None:
        c = controller((False, False))
        c.pause()
        c.go_on(turns=3)
        c.answer(3)
        assert c.due == "thinking"
        ends(c)
        if c.due == "watching":
            c.take_part()
        assert c.due == "paused" and list(c.match.steps) == ([] if ends is TurnController.undo else [3])
        c.go_on(turns=1)
        c.answer(4)
        assert c.due == "paused" and list(c.match.steps)[-1] == 4

    def test_pausing_while_a_step_is_shown_ends_what_was_allowed(self) -> None:
        table = FakeTable()
        c = controller((False, False), table=table)
        c.pause()
        c.go_on(turns=3)
        table.shows_at_once = False
        c.answer(3)
        assert c.due == "showing"
        c.pause()
        c.shown()
        assert c.due == "paused" and table.asked == 2

    def test_a_persons_turn_allows_the_computer_none_while_it_is_paused(self) -> None:
        c = controller((True, False))
        c.pause()
        c.point(3)
        assert c.due == "paused"
        c.undo()
        c.point(2)
        assert c.due == "paused" and list(c.match.steps) == [2], "still"

    def test_undo_and_redo_pause_so_that_one_can_look_at_each_turn(self) -> None:
        c = controller((False, False))
        for _ in range(3):
            c.answer(3)
        c.undo()
        c.undo()
        assert c.due == "paused" and list(c.match.steps) == [3]
        c.redo()
        assert c.due == "paused" and list(c.match.steps) == [3, 3] and c.can_redo


class TestPlayedElsewhere:
    def test_nothing_can_be_done_until_one_takes_part(self) -> None:
        table = FakeTable()
        c = controller((True, True), "checkers", table=table, position="B:W18,32:B1,14")
        c.point(13)
        c.watch()
        assert c.due == "watching" and c.pointed == () and not c.targets() and not c.choices()
        c.point(13)
        c.undo()
        c.redo()
        c.watch()
        assert c.due == "watching" and not c.match.steps and table.kept == []
        c.take_part()
        assert c.due == "choosing" and c.targets() == {13}

    def test_what_was_played_stays_and_is_not_concluded(self) -> None:
        table = FakeTable()
        c = controller((True, True), table=table)
        c.point(3)
        c.point(4)
        c.undo()
        c.watch()
        assert not c.can_undo and not c.can_redo
        c.undo()
        c.redo()
        c.pause()
        c.conclude(Conclusion("agreed"))
        assert c.due == "watching" and list(c.match.steps) == [3] and c.match.ending is None
        assert table.kept == [1, 2, 1] and table.withdrawn == 0

    def test_what_a_computer_thinks_about_is_withdrawn(self) -> None:
        table = FakeTable()
        c = controller((False, True), table=table)
        c.watch()
        c.answer(3)
        assert table.withdrawn == 1 and not c.match.steps
        c.take_part()
        assert c.due == "thinking" and table.asked == 2
