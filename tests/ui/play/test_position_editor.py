"""A position being set up, without a window: changes and their undoing, texts, and what may be seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from papan.game.catalogue import GAMES
from papan.game.formats.source import FormatError
from papan.game.match import Match
from papan.game.rules import NOBODY, observe
from papan.ui.play.import_export import FoundPosition, read_record_or_position
from papan.ui.play.position_editor import PositionEditor, position_shown
from tests.game.test_presentation import POSITIONS

FOUR, OTHELLO, CATUR = GAMES["connect-four"], GAMES["othello"], GAMES["catur-jawa"]


def editor_of(name: str, text: str | None = None, **options: str) -> PositionEditor:
    game = GAMES[name]
    return PositionEditor(game, game.complete_options(options), text)


class TestTexts:
    @pytest.mark.parametrize("name", list(POSITIONS))
    def test_what_is_read_is_what_is_shown(self, name: str) -> None:
        text, options = POSITIONS[name]
        editor = editor_of(name, **options)
        assert editor.read(text)
        assert editor.text == text and not editor.fault
        assert PositionEditor(GAMES[name], editor.options, text).state == editor.state

    def test_nonsense_is_told_and_leaves_the_board(self) -> None:
        editor = editor_of("connect-four", "4455")
        before = editor.state
        assert not editor.read("44 9")
        assert "is not a column" in editor.fault and editor.text == "44 9"
        assert editor.state == before and not editor.can_undo
        editor.put(0, 0)
        assert editor.fault == "" and len(editor.text) == 5

    def test_what_is_typed_in_a_row_is_one_change(self) -> None:
        editor = editor_of("connect-four")
        for text in ("4", "44", "445", "44", "441"):
            editor.read(text, is_typed=True)
        editor.undo()
        assert editor.text == "" and not editor.can_undo
        editor.redo()
        assert len(editor.text) == 3

    def test_a_text_in_several_lines_is_read(self) -> None:
        editor = editor_of("checkers")
        assert editor.read("  B:W21,22:B1,2\n")
        assert editor.text == "B:W21,22:B1,2"


class TestChanges:
    def test_each_can_be_undone_and_made_again(self) -> None:
        editor = editor_of("othello")
        states = [editor.state]
        changes: list[Callable[[], bool]] = [
            partial(editor.put, 0, 0),
            partial(editor.take, 27),
            partial(editor.set, "turn", "1"),
            editor.clear,
            editor.restart,
        ]
        for change in changes:
            assert change()
            states.append(editor.state)
        for state in states[-2::-1]:
            editor.undo()
            assert editor.state == state
        assert not editor.can_undo
        editor.redo()
        assert editor.state == states[1]
        editor.take(0)
        assert not editor.can_redo, "a change forgets what was undone"

    def test_putting_the_same_twice_takes_it_away_and_dragging_over_it_does_not(self) -> None:
        editor = editor_of("othello")
        before = editor.state
        editor.put(0, 0)
        with_disc = editor.state
        assert not editor.paint(0, 0) and editor.state == with_disc
        assert editor.put(0, 0) and editor.state == before

    def test_a_refusal_says_why_and_changes_nothing(self) -> None:
        editor = editor_of("connect-four", "333333")
        assert not editor.put(0, 2)
        assert editor.refusal == "Column 3 is full." and not editor.fault
        editor.put(0, 1)
        assert editor.refusal == ""

    def test_a_position_that_is_over_is_refused_with_its_reason(self) -> None:
        assert editor_of("connect-four", "1212121").fault == "The game is over here: four in a row."

    def test_a_game_without_brushes_is_set_up_by_its_text(self) -> None:
        editor = editor_of("p-tree")
        text = editor.text
        assert not editor.can_edit and not editor.brushes and not editor.settings and not editor.note
        assert not editor.put(0, 0) and not editor.take(0) and not editor.clear()
        assert editor.read(text) and not editor.fault


class TestWhatIsShownOfATable:
    def test_the_last_position_at_the_start_of_a_turn(self) -> None:
        match = Match.new(GAMES["santorini"], ["human"] * 2, {"gods": "none", "placement": "random"}, 1)
        text = match.rules.text(match.state)
        match.play(match.legal_steps()[0])
        assert position_shown(match, 0) == text

    def test_hidden_cards_are_dealt_anew(self) -> None:
        match = Match.new(CATUR, ["human", "minimax:easy"], {"first": "1"}, 1)
        shown = [position_shown(match, 0) for _ in range(6)]
        assert all(shown) and len(set(shown)) > 1
        for text in shown:
            assert text is not None
            state = CATUR.rules.parse(text, match.options)
            assert observe(state, 0) == observe(match.state, 0)
        assert match.rules.text(match.state) not in shown

    def test_nobody_sees_anything_while_the_screen_is_handed_over(self) -> None:
        match = Match.new(CATUR, ["human", "human"], {"first": "1"}, 1)
        assert position_shown(match, NOBODY) is None


class TestTheClipboard:
    def test_a_position_is_told_from_a_record(self) -> None:
        found = read_record_or_position("4455\n")
        assert isinstance(found, FoundPosition) and found.game is FOUR and found.text == "4455"

    def test_what_is_neither_is_told(self) -> None:
        with pytest.raises(FormatError):
            read_record_or_position("what a nice day")

    def test_what_is_wrong_with_a_position_is_told_once(self) -> None:
        with pytest.raises(FormatError) as raised:
            read_record_or_position("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - -7 1")
        assert str(raised.value).count("'-7' is not a number") == 1
