"""The turn controller, driven by a table without a window."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.turn import TurnController
from papan.game.rules import State


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
    persons: tuple[bool, bool],
    game: str = "connect-four",
    confirms: bool = False,
    table: FakeTable | None = None,
    position: str | None = None,
) -> TurnController:
    table = table or FakeTable()
    match = Match.new(GAMES[game], ["a", "b"], {"first": "1"}, seed=1, position=position)
    made = TurnController(match, persons, table, lambda: confirms)
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


class TestWatching:
    def test_pause_step_and_go_on(self) -> None:
        c = controller((False, False))
        c.answer(3)
        c.pause()
        assert c.due == "paused"
        c.answer(4)
        assert list(c.match.steps) == [3]
        c.go_on(turns=1)
        assert c.due == "thinking"
        c.answer(4)
        assert c.due == "paused" and list(c.match.steps) == [3, 4]
        c.go_on()
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

    def test_undo_pauses_so_that_one_can_look(self) -> None:
        c = controller((False, False))
        c.answer(3)
        c.answer(3)
        c.undo()
        assert c.due == "paused" and list(c.match.steps) == [3]
        c.redo()
        assert c.due == "paused" and list(c.match.steps) == [3, 3]


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

    def test_what_a_computer_thinks_about_is_withdrawn(self) -> None:
        table = FakeTable()
        c = controller((False, True), table=table)
        c.watch()
        c.answer(3)
        assert table.withdrawn == 1 and not c.match.steps
        c.take_part()
        assert c.due == "thinking" and table.asked == 2
