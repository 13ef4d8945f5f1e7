"""One line of text while it is being edited: the caret, what is selected, and what can be undone.

A *place* is a number of characters from the start of the line. Places within what is read as one character, a
letter and the marks above it, are never stood at. Text comes in as the fonts can draw it: line breaks
and other white space become spaces, and what has no picture is left out.
"""

from __future__ import annotations

import unicodedata
from typing import Literal, NamedTuple

Where = Literal["left", "right", "word left", "word right", "start", "end"]

_MOST_UNDONE = 200


class _Moment(NamedTuple):
    """What undoing brings back."""

    text: str
    caret: int
    anchor: int


class EditedLine:
    """A line of text with a caret.

    >>> line = EditedLine("seven")
    >>> line.move("word left", extends=True)
    >>> line.selected, line.insert("8"), line.text, line.undo(), line.text
    ('seven', True, '8', True, 'seven')
    """

    def __init__(self, text: str = "", *, allowed: str = "", most: int | None = None) -> None:
        """:param allowed: the only characters that can come in; all for none.
        :param most: as many characters at most.
        """
        self._allowed = allowed
        self._most = most
        self.text = text
        self.caret = len(text)
        """The place where text comes in."""
        self.anchor = len(text)
        """The place where the selection began; the caret's where nothing is selected."""
        self._undone: list[_Moment] = []
        self._done: list[_Moment] = []
        self._run = ""

    # ------------------------------------------------------------------------------------- selecting

    @property
    def selection(self) -> tuple[int, int]:
        """The places where what is selected begins and ends."""
        return min(self.caret, self.anchor), max(self.caret, self.anchor)

    @property
    def selected(self) -> str:
        """The text that is selected, or ""."""
        start, end = self.selection
        return self.text[start:end]

    def select_all(self) -> None:
        """Select the whole line."""
        self._stand_at(len(self.text), 0)

    def select_word(self, place: int) -> None:
        """Select the word at *place*, or the run of spaces or signs."""
        if not self.text:
            return
        place = min(max(place, 0), len(self.text) - 1)
        kind = _kind(self.text[place])
        start = end = place
        while start > 0 and _kind(self.text[start - 1]) == kind:
            start -= 1
        while end < len(self.text) and _kind(self.text[end]) == kind:
            end += 1
        self._stand_at(self._boundary(end), self._boundary(start, -1))

    def move_to(self, place: int, *, extends: bool = False) -> None:
        """Put the caret at *place*, or at the character's end where *place* is within one.

        :param extends: what lies on the way is selected.
        """
        caret = self._boundary(min(max(place, 0), len(self.text)))
        self._stand_at(caret, self.anchor if extends else caret)

    def move(self, where: Where, *, extends: bool = False) -> None:
        """Move the caret; from a selection, left and right lead to its ends."""
        if self.selected and not extends and where in ("left", "right"):
            self.move_to(self.selection[where == "right"])
        else:
            self.move_to(self.place_of(where), extends=extends)

    def place_of(self, where: Where) -> int:
        """The place that lies *where* from the caret."""
        text, place = self.text, self.caret
        if where == "left":
            return self._boundary(place - 1, -1)
        if where == "right":
            return self._boundary(place + 1)
        if where == "word left":
            while place > 0 and text[place - 1] == " ":
                place -= 1
            kind = _kind(text[place - 1]) if place else ""
            while place > 0 and _kind(text[place - 1]) == kind:
                place -= 1
            return self._boundary(place, -1)
        if where == "word right":
            kind = _kind(text[place]) if place < len(text) else ""
            while place < len(text) and _kind(text[place]) == kind:
                place += 1
            while place < len(text) and text[place] == " ":
                place += 1
            return self._boundary(place)
        return 0 if where == "start" else len(text)

    def _boundary(self, place: int, direction: int = 1) -> int:
        """*place*, or the next one in *direction* that is not within a character."""
        place = min(max(place, 0), len(self.text))
        while 0 < place < len(self.text) and _is_mark(self.text[place]):
            place += direction
        return place

    def _stand_at(self, caret: int, anchor: int) -> None:
        self.caret, self.anchor = caret, anchor
        self._run = ""

    # --------------------------------------------------------------------------------------- editing

    def insert(self, text: str) -> bool:
        """Put *text*, as much of it as is allowed, in the place of what is selected; returns whether any came in.

        Texts that come in one after another are undone together.
        """
        start, end = self.selection
        coming = self._fitting(_drawable(text), len(self.text) - (end - start))
        if not coming:
            return False
        self._replace(start, end, coming, "insert")
        return True

    def delete(self, where: Where) -> bool:
        """Delete what is selected, or from the caret to what lies *where*; returns whether there was anything.

        Characters that are deleted one after another come back together.
        """
        if self.selected:
            start, end = self.selection
            self._replace(start, end, "", "")
            return True
        start, end = sorted((self.caret, self.place_of(where)))
        if start == end:
            return False
        self._replace(start, end, "", f"delete {where}")
        return True

    def write(self, text: str) -> bool:
        """Put *text* in the place of all there is; returns whether that is another text."""
        coming = self._fitting(_drawable(text), 0)
        if coming == self.text:
            return False
        self._replace(0, len(self.text), coming, "")
        return True

    def _fitting(self, text: str, kept: int) -> str:
        """As much of *text* as is allowed and has room beside *kept* characters."""
        if self._allowed:
            text = "".join(letter for letter in text if letter in self._allowed)
        end = len(text) if self._most is None else min(len(text), max(0, self._most - kept))
        while 0 < end < len(text) and _is_mark(text[end]):
            end -= 1
        return text[:end]

    def _replace(self, start: int, end: int, coming: str, run: str) -> None:
        """:param run: what kind of edit this is; it is undone together with one of the same kind just before it."""
        is_replacing = bool(coming) and start != end
        if not run or run != self._run or is_replacing:
            self._undone.append(_Moment(self.text, self.caret, self.anchor))
            del self._undone[:-_MOST_UNDONE]
        self._done.clear()
        self.text = self.text[:start] + coming + self.text[end:]
        self.caret = self.anchor = self._boundary(start + len(coming))
        self._run = run

    # --------------------------------------------------------------------------------------- undoing

    def undo(self) -> bool:
        """Take back the last run of edits; returns whether there was one."""
        return self._go(self._undone, self._done)

    def redo(self) -> bool:
        """Do again what was undone; returns whether there was anything."""
        return self._go(self._done, self._undone)

    def _go(self, there: list[_Moment], back: list[_Moment]) -> bool:
        if not there:
            return False
        back.append(_Moment(self.text, self.caret, self.anchor))
        self.text, self.caret, self.anchor = there.pop()
        self._run = ""
        return True


def _is_mark(letter: str) -> bool:
    """Whether *letter* belongs to the one before it: an accent, a sign that chooses a variant."""
    return unicodedata.combining(letter) != 0 or unicodedata.category(letter).startswith("M")


def _kind(letter: str) -> str:
    """Runs of letters of one kind are a word; marks count as letters, as what they stand above nearly always is."""
    if letter == " ":
        return "space"
    return "word" if letter.isalnum() or letter == "_" or _is_mark(letter) else "sign"


def _drawable(text: str) -> str:
    """*text* on one line: white space as spaces, without what has no picture."""
    one_line = text.replace("\r\n", "\n")
    letters = (" " if letter.isspace() else letter for letter in one_line)
    return "".join(letter for letter in letters if letter.isprintable())
