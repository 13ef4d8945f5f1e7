"""Games of files for the library: which are new, and why others were refused. The window and the terminal use it."""

from __future__ import annotations

import datetime
import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from papan.game.base.sentences import NO_WORDS, Sentence, figures, joined, say, say_number
from papan.game.base.untrusted import shortened
from papan.game.formats import Transcript, read_games, read_transcripts
from papan.game.formats.reasons import Reasons
from papan.game.formats.source import FormatError, Source, SourceError
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.collection import NAME_TAG, Refused
from papan.game.match.library import Library, LibraryError, NewMatch, SnapshotBuilder, header_of
from papan.game.match.library.reader import NOON, RECENT_YEARS, BadRow, read_tags_column

_BATCH = 40
"""Matches stored in one transaction."""


ENCODINGS: Mapping[str, str] = {
    "utf-8": "UTF-8",
    "gb18030": "GBK",
    "big5": "Big5",
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "shift_jis": "Shift-JIS",
}
"""The encodings to choose from, and how they are called."""
_GAMES_WITH_NAMES, _MOST_NAMES = 4, 6


@dataclass(frozen=True)
class Doubt:
    """A guess of a file's encoding that may be wrong."""

    guess: str
    names: Mapping[str, Sequence[str]]
    """The first names of players and events, by the encodings to choose from."""


def doubt_about(source: Source, games: Sequence[Game]) -> Doubt | None:
    """How the beginning of *source* reads in several encodings; None if its own is sure, or it is no text."""
    if source.sure_encoding:
        return None
    head = source.head if source.size <= len(source.head) else source.head[: source.head.rfind(b"\n") + 1]
    beginning = Source(text=head, name=source.name)
    names = _first_names(beginning, games)
    if not beginning.guess:
        return None
    found = {name: _first_names(Source(text=head, name=source.name, encoding=name), games) for name in ENCODINGS}
    return Doubt(beginning.guess, {**found, beginning.guess: names})


def _first_names(source: Source, games: Sequence[Game]) -> list[str]:
    names: dict[str, None] = {}
    with suppress(FormatError):
        for told in islice(read_transcripts(source, games), _GAMES_WITH_NAMES):
            if isinstance(told, Transcript):
                found = (shortened(name) for name in (*told.players, told.tags.get("Event", "")) if name)
                names |= dict.fromkeys(found)
    return list(names)[:_MOST_NAMES]


@dataclass
class ImportProgress:
    source: Source | None = None
    """What is being read."""
    read: int = 0
    """The games read so far in all sources."""
    stored: int = 0
    known: int = 0
    """Records that the library had already."""
    refused: Reasons = field(default_factory=Reasons)
    """Why records could not be imported."""
    notes: Reasons = field(default_factory=Reasons)
    """What is doubtful about games that were imported."""
    left_out: int = 0
    """Comments and variations that were not read."""
    positions: int = 0
    """Positions without moves that were not added to a collection."""
    is_over: bool = False
    is_stopped: bool = False
    """Set it to stop the import."""

    def begin(self, source: Path | Source) -> Source:
        """The source to read next, which ends early once the import is stopped.

        :raises SourceError: it can't be read.
        """
        self.source = source if isinstance(source, Source) else Source(source)
        self.source.is_stopped = lambda: self.is_stopped
        self.source.notes = self.notes
        self.source.left_out = 0  # it may have been read before
        return self.source

    @property
    def share(self) -> float:
        """How much of the present source is read, from 0 to 1."""
        return self.source.share if self.source is not None else 0.0

    @property
    def left_out_in_words(self) -> Sentence:
        """How many comments, variations and positions were left out, as sentences; no words for none."""
        said = [
            say_number(
                "{count} comment or variation was left out.", "{count} comments and variations were left out.",
                self.left_out, count=figures(self.left_out),
            ) if self.left_out else NO_WORDS,
            say_number(
                "{count} position without moves was left out.", "{count} positions without moves were left out.",
                self.positions, count=figures(self.positions),
            ) if self.positions else NO_WORDS,
        ]  # fmt: skip
        return joined(filter(None, said))


class KnownMatches:
    """Tells which matches the library has already: it compares tags first, in any order, then notations."""

    def __init__(self, path: Path) -> None:
        """:raises LibraryError: the library in *path* can't be read."""
        self._library = Library(path)
        self._numbers: dict[str, list[int]] = {}
        self._played: dict[str, list[str]] = {}
        """The turns of matches with the same tags, in order, once they were asked for."""
        self._added: set[bytes] = set()
        for number, tags in self._library.tags().items():
            self._numbers.setdefault(_in_order(tags), []).append(number)

    def add(self, new: NewMatch) -> None:
        self._added.add(_digest(new))

    def has(self, new: NewMatch) -> bool:
        """Whether the library has *new*, or a match that begins with all of its turns."""
        tags, turns = _in_order(new.header.tags), _in_lines(new.snapshot.notations)
        if _digest(new) in self._added:
            return True
        if tags not in self._numbers:
            return False
        if tags not in self._played:  # many games without names have the same tags: load them once
            self._played[tags] = sorted(self._turns_of(self._numbers[tags]))
        played = self._played[tags]
        place = bisect_left(played, turns)
        return place < len(played) and played[place].startswith(turns)

    def _turns_of(self, numbers: Iterable[int]) -> Iterator[str]:
        for number in numbers:
            with suppress(LibraryError):
                yield _in_lines(SnapshotBuilder(self._library.load(number)).snapshot().notations)

    def close(self) -> None:
        self._library.close()


def _in_lines(notations: Iterable[str]) -> str:
    return "".join(f"{notation}\n" for notation in notations)


def _in_order(tags: str) -> str:
    """The stored *tags* ordered by name; as they are if they can't be read."""
    try:
        return json.dumps(read_tags_column(tags), sort_keys=True)
    except BadRow:
        return tags


def _digest(new: NewMatch) -> bytes:
    """Of what makes a match the same as another, as a file may have millions."""
    text = "\n".join([_in_order(new.header.tags), *new.snapshot.notations])
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def new_match(match: Match) -> NewMatch:
    """Return *match*, read from a record, for the library.

    It is dated as in the record; a match from before computers, or without a date, as of today.
    """
    name = " ".join(match.tags.pop(NAME_TAG, "").split())
    is_recent = match.date.year in RECENT_YEARS
    when = datetime.datetime.combine(match.date, NOON) if is_recent else datetime.datetime.now(datetime.UTC)
    return NewMatch(header_of(match), SnapshotBuilder(match).snapshot()._replace(when=when), name)


def new_matches(
    source: Path | Source,
    games: Iterable[Game],
    known: KnownMatches,
    progress: ImportProgress,
) -> Iterator[Sequence[NewMatch]]:
    """Yield the games of *source* that are not *known* yet, in batches, until *progress* is stopped."""
    batch: list[NewMatch] = []
    for new in _games(source, list(games), progress):
        if known.has(new):
            progress.known += 1
            continue
        known.add(new)
        batch.append(new)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _games(source: Path | Source, games: Sequence[Game], progress: ImportProgress) -> Iterator[NewMatch]:
    name = ""

    try:
        file = progress.begin(source)
        name = file.file_name
        for number, found in enumerate(read_games(file, games), start=1):
            if progress.is_stopped:
                break
            progress.read += 1
            if isinstance(found, Refused):
                progress.refused.add(found.reason, name, number, found.line)
            elif not found.steps and found.position is None:
                progress.refused.add(say("It has no turns."), name, number)
            else:
                yield new_match(found)
        progress.left_out += file.left_out
    except SourceError as error:
        progress.refused.add(str(error))
    except FormatError as error:
        if not progress.is_stopped:
            progress.refused.add(str(error), name)
