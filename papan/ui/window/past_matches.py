"""The library's matches as the home screen shows them; those not written yet come first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from papan.game.match.library import Library, LibraryError, LibraryWriter, SavedMatch, Summary
from papan.ui.play.entries import Wording
from papan.ui.play.library_reader import LibraryReader
from papan.ui.texts import _, plural, translated
from papan.ui.texts.wording import day_in_words


@dataclass
class StoredMatch:
    """A match of the library, in words."""

    matches: StoredMatches
    summary: Summary
    title: str
    players: str
    standing: str
    note: str
    when: str
    kept: SavedMatch | None = None
    """The match itself, if part of it is not written yet."""

    def open(self) -> None:
        """Resume it, or review it if it is over."""
        self.matches.open(self.summary, self.kept)

    def delete(self) -> None:
        """Delete it."""
        self.matches.delete(self.summary, self.kept)


class StoredMatches:
    """The matches of *library*, in words, with those that *writer* has not written yet."""

    def __init__(
        self,
        library: Library,
        writer: LibraryWriter,
        reader: LibraryReader,
        open_match: Callable[[Summary, SavedMatch | None], object],
        tell: Callable[[str], object],
    ) -> None:
        """:param open_match: resumes a match, or reviews it if it is over.
        :param tell: shows a sentence to the player.
        """
        self._library = library
        self._writer = writer
        self._reader = reader
        self.open = open_match
        self._tell = tell
        self._told = 0
        """The number of unreadable matches that the player was told of."""

    @property
    def changes(self) -> int:
        """A number that changes when there is something new to show."""
        return self._writer.changes

    def unfinished(self, most: int) -> list[StoredMatch]:
        """The matches that are not over, the latest first."""
        return self._in_words(self._summaries(self._library.unfinished, most, is_over=False))

    def unfinished_count(self) -> int:
        try:
            return self._library.unfinished_count()
        except LibraryError:
            return 0

    def last_finished(self, most: int) -> list[StoredMatch]:
        return self._in_words(self._summaries(self._library.recent, most, is_over=True))

    def delete(self, summary: Summary, kept: SavedMatch | None) -> None:
        """Delete a match, or drop it if it was never written."""
        if kept is not None and kept.held is None:
            self._writer.abandon(kept)
        else:
            self._reader.delete_with_lines([summary.id], lambda: None)

    def _in_words(self, found: Sequence[tuple[Summary, SavedMatch | None]]) -> list[StoredMatch]:
        wording, matches = Wording(), []
        for summary, kept in found:
            entry = wording.entry(summary)
            if entry.game is None:
                continue
            if kept is not None:
                self._reader.know(summary, kept.match)
            note = entry.result
            if summary.ending is None and summary.turns is not None:
                note = _("turn {number} · {standing}").format(number=summary.turns + 1, standing=entry.result)
            when = day_in_words(summary.updated)
            matches.append(StoredMatch(self, summary, entry.title, entry.players, entry.result, note, when, kept))
        return matches

    def _summaries(
        self, ask: Callable[[int], list[Summary]], most: int, *, is_over: bool
    ) -> list[tuple[Summary, SavedMatch | None]]:
        writer = self._writer
        waiting = [(kept.summary, kept) for kept in reversed(writer.unsaved) if kept.is_closed]
        hidden = {*writer.dropped, *writer.deleted, *(summary.id for summary, _kept in waiting)}
        found: list[tuple[Summary, SavedMatch | None]] = []
        found += [(summary, kept) for summary, kept in waiting if (summary.ending is not None) == is_over]
        found = [(summary, kept) for summary, kept in found if summary.id not in writer.deleted]
        try:
            found += [(summary, None) for summary in ask(most + len(hidden)) if summary.id not in hidden]
        except LibraryError as error:
            self._tell(translated(str(error)))
        self._tell_of_unreadable(len(self._library.unreadable))
        return found[:most]

    def _tell_of_unreadable(self, number: int) -> None:
        if number > self._told:
            words = plural(
                "{count} match in the library can't be read and is left as it is.",
                "{count} matches in the library can't be read and are left as they are.",
                number,
            )
            self._tell(words)
        self._told = number
