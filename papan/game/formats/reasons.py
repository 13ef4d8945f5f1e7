"""What is told of the games of files, such as why they were refused: each reason once, with the games it is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from papan.game.base.sentences import Sentence, figures, joined, say

MOST_REASONS = 1000
"""Different reasons that are kept."""
_MOST_PLACES = 5
"""Games or files of a reason that are named."""


@dataclass
class _Told:
    """One reason, and what it is about."""

    files: list[str] = field(default_factory=list)
    """The first ones; "" for a text without a name."""
    places: list[Sentence] = field(default_factory=list)
    """The same files, each with the number and the line of its first game."""
    numbers: list[int] = field(default_factory=list)
    """Of the first games, in the first file."""
    line: int | None = None
    """Where the first of them is wrong."""
    last: str = ""
    """The file added last."""
    count: int = 0
    count_of_files: int = 0


class Reasons:
    """Reasons with their places; of very many only the first are kept, which bounds the memory."""

    def __init__(self) -> None:
        self.number = 0
        """Of all games and files that were added."""
        self._told: dict[str, _Told] = {}

    def __bool__(self) -> bool:
        return self.number > 0

    def add(self, reason: str, file: str = "", number: int = 0, line: int | None = None) -> None:
        """Add *reason*, a sentence.

        :param file: the name of the file; "" for none.
        :param number: of the game in it; 0 for the whole file.
        :param line: of the file, unless *reason* tells it.
        """
        self.number += 1
        one = self._told.get(reason)
        if one is None:
            if len(self._told) >= MOST_REASONS:
                return
            one = self._told[reason] = _Told(line=line)
        if one.last != file or not one.count_of_files:  # files are read one after the other
            one.count_of_files += 1
            one.last = file
            if len(one.files) < _MOST_PLACES:
                one.files.append(file)
                one.places.append(_place(file, number, line))
        one.count += 1
        if number and one.count_of_files == 1 and len(one.numbers) < _MOST_PLACES:
            one.numbers.append(number)

    def told(self, most: int = MOST_REASONS) -> list[Sentence]:
        """The first *most* reasons as sentences; the last one says how many games the others are about."""
        first = [*self._told.items()][:most]
        said = [_sentence(reason, one) for reason, one in first]
        more = self.number - sum(one.count for _reason, one in first)
        return [*said, say("… and {count} more.", count=figures(more))] if more else said


def _sentence(reason: str, one: _Told) -> Sentence:
    if one.count_of_files > 1:
        return say("{file}: {reason}", file=_listed(one.places, one.count_of_files), reason=reason)
    said = joined([reason])
    if len(one.numbers) > 1:
        numbers = _listed(map(str, one.numbers), one.count)
        if one.line is None:
            said = say("Games {numbers}: {reason}", numbers=numbers, reason=reason)
        else:
            said = say(
                "Games {numbers}, the first in line {line}: {reason}", numbers=numbers, line=one.line, reason=reason
            )
    elif one.numbers:
        said = at(reason, one.numbers[0], one.line)
    return say("{file}: {reason}", file=one.files[0], reason=said) if one.files[0] else said


def _place(file: str, number: int, line: int | None) -> Sentence:
    if not file or not number:
        return joined([file])
    if line is None:
        return say("{file} (game {number})", file=file, number=number)
    return say("{file} (game {number}, line {line})", file=file, number=number, line=line)


def at(reason: str, number: int, line: int | None) -> Sentence:
    """*reason* with its place: the *number* of the game in its file, and the line."""
    if line is None:
        return say("Game {number}: {reason}", number=number, reason=reason)
    return say("Game {number}, line {line}: {reason}", number=number, line=line, reason=reason)


def _listed(names: Iterable[str], number: int) -> Sentence:
    """The first of *number* names, and how many follow."""
    first: Sequence[str] = [*names]
    listed, more = joined(first, ", "), number - len(first)
    return say("{names} and {count} more", names=listed, count=figures(more)) if more > 0 else listed
