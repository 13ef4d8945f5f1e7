"""Words into lines: where lines end, what is bold, and how a text that is too long is cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from papan.ui.drawing.theme import TextStyle

ELLIPSIS = "…"
BOLD_MARK = "**"
_BOLD_OF: dict[TextStyle, TextStyle] = {"text": "strong", "label": "strong", "small": "small strong"}


class Ruler(Protocol):
    """What measures texts, in real pixels."""

    def width(self, text: str, style: TextStyle) -> int:
        """The width of *text* on one line."""

    def fitted_text(self, text: str, width: int, style: TextStyle) -> str:
        """*text*, or as much of its beginning as fits into *width* with an ellipsis."""


class Word(NamedTuple):
    """Letters of one style that stay on one line."""

    text: str
    style: TextStyle
    width: int
    starts_after_space: bool
    may_begin_line: bool


def wrapped(text: str, width: int, style: TextStyle, ruler: Ruler) -> list[list[Word]]:
    """The words of each line of *text*, none of them wider than *width*. Words between ``**`` are bold."""
    space = ruler.width(" ", style)
    lines: list[list[Word]] = []
    for part in text.split("\n"):
        lines.append([])
        used = 0
        for group in _unbreakable_groups(_words(part, style, width, ruler)):
            needed = sum(word.width for word in group)
            gap = space if group[0].starts_after_space and lines[-1] else 0
            if lines[-1] and used + gap + needed > width:
                lines.append([])
                used = gap = 0
            lines[-1] += [group[0]._replace(starts_after_space=gap > 0), *group[1:]]
            used += gap + needed
    return lines


def ended(line: Sequence[Word], width: int, style: TextStyle, ruler: Ruler) -> list[Word]:
    """As much of *line*, a line of a text in *style*, as fits into *width* with an ellipsis behind."""
    space = ruler.width(" ", style)
    kept = list(line)
    while kept:
        used = sum(word.width + space * word.starts_after_space for word in kept[:-1])
        last = kept[-1]
        room = width - used - space * last.starts_after_space
        text = last.text + ELLIPSIS
        if ruler.width(text, last.style) <= room or len(kept) == 1:
            shown = ruler.fitted_text(text, room, last.style)
            return [*kept[:-1], last._replace(text=shown, width=ruler.width(shown, last.style))]
        kept.pop()
    return kept


def _words(text: str, style: TextStyle, width: int, ruler: Ruler) -> list[Word]:
    words: list[Word] = []
    after_space = False
    for index, run in enumerate(text.split(BOLD_MARK)):
        run_style = _BOLD_OF.get(style, style) if index % 2 else style
        for number, word in enumerate(run.split(" ")):
            after_space = after_space or number > 0
            for part, piece in enumerate(_pieces(word, run_style, width, ruler)):
                if piece:
                    piece_width = ruler.width(piece, run_style)
                    words.append(Word(piece, run_style, piece_width, after_space, after_space or part > 0))
                    after_space = False
    return words


def _pieces(word: str, style: TextStyle, width: int, ruler: Ruler) -> Sequence[str]:
    """The pieces of *word*, which is broken where it alone is wider than a line."""
    pieces = []
    while len(word) > 1 and ruler.width(word, style) > width:
        end = len(word) - 1
        while end > 1 and ruler.width(word[:end], style) > width:
            end -= 1
        pieces.append(word[:end])
        word = word[end:]
    return [*pieces, word]


def _unbreakable_groups(words: Sequence[Word]) -> list[list[Word]]:
    """*words* in groups between which a line may end."""
    groups: list[list[Word]] = []
    for word in words:
        if word.may_begin_line or not groups:
            groups.append([word])
        else:
            groups[-1].append(word)
    return groups
