"""The model of a one-line text field: text, caret, selection, undo.

An *index* counts code points from the start. The caret never stands between a letter and its combining marks.
In inserted text, white space becomes spaces and unprintable characters are dropped.
"""

from __future__ import annotations

import unicodedata
from typing import Literal

Where = Literal["left", "right", "word left", "word right", "start", "end"]

_MOST_UNDO_STEPS = 200


class EditedLine:
    """A line of text with a caret.

    >>> line = EditedLine("seven")
    >>> line.move("word left", extends=True)
    >>> line.selected_text, line.insert("8"), line.text, line.undo(), line.text
    ('seven', True, '8', True, 'seven')
    """

    def __init__(self, text: str = "", *, allowed: str = "", most: int | None = None) -> None:
        """:param allowed: the characters allowed; "" for all.
        :param most: the maximum length; default: unlimited.
        """
        self._allowed = allowed
        self._most = most
        self.text = text
        self.caret = len(text)
        """The index where text is inserted."""
        self.anchor = len(text)
        """The other end of the selection; equal to the caret if nothing is selected."""
        self._undo_stack: list[tuple[str, int, int]] = []
        """Earlier states: text, caret, anchor."""
        self._redo_stack: list[tuple[str, int, int]] = []
        self._run = ""

    @property
    def selection(self) -> tuple[int, int]:
        """The indices of the selection's start and end."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    @property
    def selected_text(self) -> str:
        start, end = self.selection
        return self.text[start:end]

    def select_all(self) -> None:
        self._stand_at(len(self.text), 0)

    def select_word(self, index: int) -> None:
        """Select the word at *index*, or the run of spaces or punctuation."""
        if not self.text:
            return
        index = min(max(index, 0), len(self.text) - 1)
        kind = _kind(self.text[index])
        start = end = index
        while start > 0 and _kind(self.text[start - 1]) == kind:
            start -= 1
        while end < len(self.text) and _kind(self.text[end]) == kind:
            end += 1
        self._stand_at(self._boundary(end), self._boundary(start, -1))

    def move_to(self, index: int, *, extends: bool = False) -> None:
        """Put the caret at *index*, or after its combining marks.

        :param extends: extend the selection.
        """
        caret = self._boundary(min(max(index, 0), len(self.text)))
        self._stand_at(caret, self.anchor if extends else caret)

    def move(self, where: Where, *, extends: bool = False) -> None:
        """Move the caret; with a selection, left and right go to its ends."""
        if self.selected_text and not extends and where in ("left", "right"):
            self.move_to(self.selection[where == "right"])
        else:
            self.move_to(self.index_of(where), extends=extends)

    def index_of(self, where: Where) -> int:
        """The index that the caret would move to."""
        text, index = self.text, self.caret
        if where == "left":
            return self._boundary(index - 1, -1)
        if where == "right":
            return self._boundary(index + 1)
        if where == "word left":
            while index > 0 and text[index - 1] == " ":
                index -= 1
            kind = _kind(text[index - 1]) if index else ""
            while index > 0 and _kind(text[index - 1]) == kind:
                index -= 1
            return self._boundary(index, -1)
        if where == "word right":
            kind = _kind(text[index]) if index < len(text) else ""
            while index < len(text) and _kind(text[index]) == kind:
                index += 1
            while index < len(text) and text[index] == " ":
                index += 1
            return self._boundary(index)
        return 0 if where == "start" else len(text)

    def _boundary(self, index: int, direction: int = 1) -> int:
        """*index*, or the next one in *direction* that is not before a combining mark."""
        index = min(max(index, 0), len(self.text))
        while 0 < index < len(self.text) and _is_mark(self.text[index]):
            index += direction
        return index

    def _stand_at(self, caret: int, anchor: int) -> None:
        self.caret, self.anchor = caret, anchor
        self._run = ""

    def insert(self, text: str) -> bool:
        """Replace the selection by as much of *text* as is allowed; return whether anything was inserted.

        Consecutive insertions are undone together.
        """
        start, end = self.selection
        coming = self._allowed_part(_drawable(text), len(self.text) - (end - start))
        if not coming:
            return False
        self._replace(start, end, coming, "insert")
        return True

    def delete(self, where: Where) -> bool:
        """Delete the selection, or from the caret *where*; return whether there was anything to delete.

        Consecutive deletions are undone together.
        """
        if self.selected_text:
            start, end = self.selection
            self._replace(start, end, "", "")
            return True
        start, end = sorted((self.caret, self.index_of(where)))
        if start == end:
            return False
        self._replace(start, end, "", f"delete {where}")
        return True

    def write(self, text: str) -> bool:
        """Replace the whole line by *text*; return whether that changed it."""
        coming = self._allowed_part(_drawable(text), 0)
        if coming == self.text:
            return False
        self._replace(0, len(self.text), coming, "")
        return True

    def _allowed_part(self, text: str, kept: int) -> str:
        """As much of *text* as is allowed and fits in addition to *kept* characters."""
        if self._allowed:
            text = "".join(letter for letter in text if letter in self._allowed)
        end = len(text) if self._most is None else min(len(text), max(0, self._most - kept))
        while 0 < end < len(text) and _is_mark(text[end]):
            end -= 1
        return text[:end]

    def _replace(self, start: int, end: int, coming: str, run: str) -> None:
        """:param run: the kind of edit: consecutive edits of one kind are undone together; "" for none."""
        is_replacing = bool(coming) and start != end
        if not run or run != self._run or is_replacing:
            self._undo_stack.append((self.text, self.caret, self.anchor))
            del self._undo_stack[:-_MOST_UNDO_STEPS]
        self._redo_stack.clear()
        self.text = self.text[:start] + coming + self.text[end:]
        self.caret = self.anchor = self._boundary(start + len(coming))
        self._run = run

    def undo(self) -> bool:
        """Undo the last run of edits; return whether there was one."""
        return self._go(self._undo_stack, self._redo_stack)

    def redo(self) -> bool:
        """Redo the last undone run of edits; return whether there was one."""
        return self._go(self._redo_stack, self._undo_stack)

    def _go(self, there: list[tuple[str, int, int]], back: list[tuple[str, int, int]]) -> bool:
        if not there:
            return False
        back.append((self.text, self.caret, self.anchor))
        self.text, self.caret, self.anchor = there.pop()
        self._run = ""
        return True


def _is_mark(letter: str) -> bool:
    """Whether *letter* combines with the one before it: an accent, a variation selector."""
    return unicodedata.combining(letter) != 0 or unicodedata.category(letter).startswith("M")


def _kind(letter: str) -> str:
    """The kind of *letter*: a run of one kind is a word. Combining marks count as letters."""
    if letter == " ":
        return "space"
    return "word" if letter.isalnum() or letter == "_" or _is_mark(letter) else "sign"


def _drawable(text: str) -> str:
    """*text* with white space as spaces and without unprintable characters."""
    one_line = text.replace("\r\n", "\n")
    letters = (" " if letter.isspace() else letter for letter in one_line)
    return "".join(letter for letter in letters if letter.isprintable())
