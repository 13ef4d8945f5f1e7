"""A pattern being edited, without a window: what is put, loosened, emptied, undone, read and written."""

from __future__ import annotations

import pytest

from papan.game.catalogue import BUILT_IN
from papan.game.formats import Replay
from papan.ui.play.pattern_editor import PatternEditor


def editor_of(name: str, *steps: int) -> PatternEditor:
    game = BUILT_IN[name]
    replay = Replay(game)
    replay.play(*steps)
    return PatternEditor(game, game.complete_options({}), replay.state)


NOTHING = "/".join("?" * 8)


class TestCells:
    def test_anything_is_everywhere_at_first(self) -> None:
        editor = editor_of("othello")
        assert editor.text == NOTHING and len(editor.open_cells) == 64 and not editor.pattern.contents
        assert not editor.can_undo

    def test_put_empty_and_loosen(self) -> None:
        editor = editor_of("othello")
        assert editor.put(1, 0) and editor.text == "O???????/?/?/?/?/?/?/?"
        assert editor.paint(0, 0) and editor.text == "X???????/?/?/?/?/?/?/?"
        assert editor.take(0) and editor.text == "1???????/?/?/?/?/?/?/?"
        assert 0 not in editor.open_cells
        assert editor.put(0, 0) and editor.loosen(0) and editor.text == NOTHING
        for _ in range(3):
            editor.undo()
        assert editor.text == "X???????/?/?/?/?/?/?/?"
        editor.redo()
        assert editor.text == "1???????/?/?/?/?/?/?/?"
        assert editor.clear() and editor.text == NOTHING
        assert not editor.take(1000) and not editor.loosen(-1)

    def test_the_side_to_move(self) -> None:
        editor = editor_of("xiangqi")
        [setting] = editor.settings
        assert (setting.name, setting.value, list(setting.values)) == ("turn", "", ["", "0", "1"])
        assert editor.set("turn", "1") and editor.pattern.side == 1 and editor.text.endswith(" b")
        editor.undo()
        assert editor.pattern.side is None

    def test_the_position_of_the_explorer(self) -> None:
        editor = editor_of("connect-four", 3, 3)
        assert editor.restart() and editor.text == "7/7/7/7/3O3/3X3" and not editor.open_cells
        assert not editor.restart()

    def test_columns_are_loose_above_their_discs(self) -> None:
        editor = editor_of("connect-four")
        editor.put(0, 3)
        editor.put(1, 3)
        assert editor.text == "?/?/?/?/???O???/???X???" and len(editor.open_cells) == 7
        editor.take(0)
        assert editor.text == "1??????/1??????/1??????/1??????/1??O???/1??X???"
        editor.loosen(0)
        editor.loosen(3)  # the uppermost disc, as the column is loose
        assert editor.text == "?/?/?/?/?/???X???"
        assert editor.note

    def test_a_full_column_is_not_loose(self) -> None:
        editor = editor_of("connect-four")
        for _ in range(6):
            editor.put(0, 0)
        assert 0 not in editor.open_cells and not editor.put(0, 0) and "full" in editor.refusal


class TestTexts:
    @pytest.mark.parametrize(
        ("name", "text", "written"),
        [
            ("othello", "?/?/?/???O1???/?/?/?/? X", "?/?/?/???O1???/?/?/?/? X"),
            ("connect-four", "44 ?", "?/?/?/?/???O???/???X???"),
            ("connect-four", "4444", "7/7/3O3/3X3/3O3/3X3 X"),
            ("gomoku", "h8 i9 ?", "?/?/?/?/?/?/????????O??????/???????X???????/?/?/?/?/?/?/?"),
            ("checkers", "B:WK1:B32 ?", "W???/?/?/?/?/?/?/???b"),
            ("xiangqi", "4k4/?/?/?/?/?/?/?/?/???RN???? w", "4k4/?/?/?/?/?/?/?/?/???RN???? w"),
        ],
    )
    def test_what_is_read_is_shown(self, name: str, text: str, written: str) -> None:
        if name == "checkers":
            text = text.replace("B32", "BK32")
            written = written.replace("b", "B")
        editor = editor_of(name)
        assert editor.read(text), editor.fault
        assert not editor.fault and editor.text == text
        editor._judge()
        assert editor.text == written
        editor.undo()
        assert not editor.pattern.contents.keys() - editor.board.given.keys()

    def test_letters_typed_are_one_change(self) -> None:
        editor = editor_of("connect-four")
        for text in ("4?", "44?", "445?"):
            assert editor.read(text, is_typed=True)
        editor.undo()
        assert editor.text == "?/?/?/?/?/?" and not editor.can_undo

    @pytest.mark.parametrize(
        ("text", "said"), [("9?", "is not a column"), ("?/?/?/?/???X???/?", "would float"), ("", "")]
    )
    def test_what_can_not_be_shown_is_told(self, text: str, said: str) -> None:
        editor = editor_of("connect-four")
        editor.put(0, 0)
        before = editor.pattern
        assert editor.read(text) == (not said)
        assert said in editor.fault and (editor.pattern == before) == bool(said)


def test_cells_in_words() -> None:
    editor = editor_of("othello")
    editor.put(0, 0)
    editor.take(1)
    words = editor.in_words(editor.state)
    assert [words(cell) for cell in range(3)] == ["a1, Black disc", "b1, empty", "c1, anything"]
