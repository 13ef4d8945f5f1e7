"""A match that is saved while it is played: the table's thread reports changes, the writer's thread saves them.

Its variations are steps that were undone and replaced by others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from papan.game.match import Match
from papan.game.match.library.reader import LETTERS_TAG, Stored, Summary
from papan.game.match.library.snapshot import Origin, Snapshot, SnapshotBuilder, bring_to, common_length, header_of
from papan.game.match.library.store import Held
from papan.game.rules import is_over, mover

Role = Literal["playing", "watching"]


class Variation(NamedTuple):
    """Steps of a match that were undone and replaced."""

    start: Match
    """A copy at the step before the first difference."""
    rest: tuple[int, ...]
    """The undone steps from there."""

    @property
    def common(self) -> int:
        return len(self.start.steps)

    @property
    def steps(self) -> tuple[int, ...]:
        return (*self.start.steps, *self.rest)

    def snapshot(self) -> Snapshot | None:
        """The variation at its end; None if less than a whole turn was replaced.

        It replays the steps, so call it in a background thread.
        """
        line = self.start.up_to(self.common)
        for step in self.rest:
            line.play(step, even_if_repeated=True)
        states = line.states
        turns = range(self.common, len(self.rest) + self.common)
        if not any(is_over(states[at + 1]) or mover(states[at + 1]) != mover(states[at]) for at in turns):
            return None
        return SnapshotBuilder(line).snapshot()


def _going_on(match: Match, step: int) -> Match:
    """A copy of *match* up to *step*, without a conclusion."""
    part = match.up_to(step)
    part.reopen()
    return part


class Variations:
    """Collects the variations of a match while it is played."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._known = tuple(match.all_steps)
        self._aside: list[Variation] = []  # taken back, but the match may still play them again
        self._settled: list[tuple[int, ...]] = []
        self._lock = threading.Lock()  # of ``due``, for an assignment
        self.due: tuple[Variation, ...] = ()
        """Those that are not in the library yet."""

    def look(self) -> None:
        """Compare with the match now; call it after each step, undo and redo."""
        match, steps = self._match, tuple(self._match.all_steps)
        same = common_length(self._known, steps)
        if same < len(self._known) and not match.game.has_hidden_information:  # it would show hidden cards
            self._aside.append(Variation(_going_on(match, same), self._known[same:]))
        self._known = steps
        if self._aside:
            self._sort_out(steps)

    def _sort_out(self, steps: tuple[int, ...]) -> None:
        waiting = []
        for line in self._aside:
            same = common_length(line.steps, steps)
            if same == len(line.steps):
                continue  # it was played again
            if same == len(steps):
                waiting.append(line)
            else:  # another step was played
                self._settle(Variation(_going_on(self._match, same), line.steps[same:]))
        self._aside = waiting

    def _settle(self, line: Variation) -> None:
        steps = line.steps
        if not any(common_length(steps, other) == len(steps) for other in self._settled):
            self._settled.append(steps)
            with self._lock:
                self.due = (*self.due, line)

    def skip(self) -> None:
        """Accept the match as it is now: another program changed it, and saves the variations."""
        self._known = tuple(self._match.all_steps)
        self._aside = []
        with self._lock:
            self.due = ()

    def close(self) -> None:
        """Add the remaining variations, as the match is left."""
        for line in self._aside:
            self._settle(line)
        self._aside = []

    def written(self, lines: Sequence[Variation]) -> None:
        """Remove *lines*, which are in the library or not worth storing."""
        with self._lock:
            self.due = tuple(line for line in self.due if not any(line is other for other in lines))


class SaveStatus(NamedTuple):
    """How much of a match is saved."""

    role: Role
    """``watching`` if another program plays the match."""
    committed: int
    """The number of steps in the file, as far as this program knows."""
    waiting_since: float | None
    """The ``time.monotonic`` of the oldest unsaved change, or None."""
    trouble: str
    """Why the last attempt to save failed, as a sentence, or ""."""
    unsaved: int
    """Steps that were played here but not saved before another program took the match over."""
    is_elsewhere: bool
    """While watching: whether the other program still plays it, as far as known."""


class SavedMatch:
    """A match and its unsaved changes.

    The table calls the first part of the methods from one thread, the writer the second part from another.
    """

    def __init__(
        self,
        match: Match,
        wake: Callable[[SavedMatch], object],
        stored: Stored | None = None,
        role: Role = "playing",
        origin: Origin | None = None,
    ) -> None:
        """Save *match* after ``open``.

        :param wake: called, from any thread, when the writer has something to do.
        :param stored: the match in the file, if it is there.
        :param origin: the match that it branches off from.
        """
        self.match = match
        self.header = header_of(match, origin)
        self.role: Role = role
        self.is_closed = False
        """Whether the table was left."""
        self.wants_to_play = False
        """Whether to take over the watched match."""
        self.held: Held | None = None
        """The match in the file, as this program last wrote or read it."""
        self.is_claimed = stored is None
        """Whether this program is the writer."""
        self._is_abandoned = False
        self._is_position = stored is not None and not stored.notations
        self._wake = wake
        self._chronicle = SnapshotBuilder(match)
        self._latest = self._chronicle.snapshot()
        self.variations = Variations(match)
        self._lock = threading.Lock()  # held for a few assignments, never while a file is used
        self.wanted: Snapshot | None = None
        """The snapshot to write, or None."""
        self._waiting_since: float | None = None
        self._error = ""
        self._unsaved = 0
        self._saved_last: tuple[str, ...] | None = None  # when the lease was lost, until ``follow``
        self._found: Stored | None = None
        self._is_elsewhere = role == "watching"
        if stored is not None:
            self.held = Held(stored.id, stored.tags, stored.revision, stored.notations)

    # ------------------------------------------------------------------------------- for the table

    def open(self) -> None:
        """Play or watch the match from now on."""
        self.is_closed = False
        if self.held is None:
            self.keep()
        else:
            self._wake(self)

    def keep(self) -> None:
        """Save the match as it is now; call it after each step, undo and redo."""
        self._latest = self._chronicle.snapshot()
        if self.role == "playing":
            self.variations.look()
        with self._lock:
            if self.role == "playing":
                self._want(self._latest)
        self._wake(self)

    def _want(self, snapshot: Snapshot) -> None:
        """Have *snapshot* written, if there is anything new; call it while the lock is held."""
        if self.is_position:
            return
        self.wanted, self._waiting_since = snapshot, self._waiting_since or time.monotonic()

    @property
    def standing(self) -> SaveStatus:
        committed = len(self.held.notations) if self.held else 0
        return SaveStatus(self.role, committed, self._waiting_since, self._error, self._unsaved, self._is_elsewhere)

    @property
    def is_waiting(self) -> bool:
        """Whether there are unsaved changes."""
        return self.wanted is not None

    def follow(self) -> Stored | None:
        """Apply another program's changes to the match; returns them, or None.

        :raises NotationError, IllegalStep: today's rules refuse a step; the match is at the state before it.
        """
        with self._lock:
            found, self._found = self._found, None
            saved_last, self._saved_last = self._saved_last, None
        known = self._chronicle.snapshot().notations
        if saved_last is not None:
            self._unsaved = len(known) - common_length(saved_last, known)
        if found is not None:
            bring_to(self.match, known, found.notations, found.played, found.conclusion)
            self._latest = self._chronicle.snapshot()
            self.variations.skip()
        return found

    def take_over(self) -> None:
        """Take the match over from another program; ``role`` changes once that is done."""
        self.wants_to_play = True
        self._wake(self)

    def close(self) -> None:
        """Leave the match. It is released once saved, or deleted if it was begun here and nothing was played."""
        self.variations.close()
        with self._lock:
            if self.variations.due and self.role == "playing":
                self._want(self._latest)
        self.is_closed = True
        self._wake(self)

    def abandon(self) -> None:
        """Leave the match and delete it."""
        self._is_abandoned = True
        self.close()

    @property
    def is_untouched(self) -> bool:
        """Whether there is nothing to save: no step, not even an undone one, or it was abandoned."""
        return self._is_abandoned or not (self._latest.notations or self._is_position)

    @property
    def is_position(self) -> bool:
        """Whether it is a position of the library without any step yet; it is claimed with the first one."""
        return self._is_position and not (self._latest.notations or self.is_claimed or self._is_abandoned)

    @property
    def summary(self) -> Summary:
        """The match for lists; its number is 0 while it has none."""
        latest, header = self._latest, self.header
        number = self.held.id if self.held else 0
        return Summary(
            number,
            header.game,
            header.seats,
            latest.round,
            latest.mover,
            latest.ending,
            latest.when,
            turns=latest.turns,
            origin=header.origin,
            letters=self.match.tags.get(LETTERS_TAG, ""),
            steps=latest.played,
        )

    # ------------------------------------------------------------------------------ for the writer

    def store_anew(self) -> None:
        """Store the match under a new number, as it is not in the file any more."""
        with self._lock:
            self.held, self.is_claimed = None, True
            self.wants_to_play, self._is_elsewhere = False, False
            self.role = "playing"
            self._want(self.wanted or self._latest)

    def mark_unsaved(self) -> None:
        """Write the match again, as the file may be gone."""
        with self._lock:
            if self.role == "playing":
                self._want(self.wanted or self._latest)

    def renumber(self, numbers: Mapping[int, int]) -> None:
        """Change the number by *numbers*, old to new."""
        with self._lock:
            if self.held is not None and self.held.id in numbers:
                self.held = self.held._replace(id=numbers[self.held.id])

    def written(self, snapshot: Snapshot, held: Held) -> None:
        """Record that *snapshot* is in the file as *held*."""
        with self._lock:
            self.held, self._error = held, ""
            if self.wanted is snapshot:
                self.wanted = self._waiting_since = None
            else:
                self._waiting_since = time.monotonic()

    def failed(self, trouble: str) -> None:
        """Record why the last attempt failed."""
        self._error = trouble

    def lose_lease(self) -> None:
        """Watch from now on, as another program is the writer."""
        with self._lock:
            self._saved_last = self.held.notations if self.held else ()
            self.wanted = self._waiting_since = None
            self._error, self._is_elsewhere = "", True
            self.role = "watching"

    def show(self, stored: Stored | None, is_elsewhere: bool) -> None:
        """Record the watched match *stored*; None if it has not changed."""
        with self._lock:
            self._is_elsewhere = is_elsewhere
            self._error = ""
            if stored is not None:
                self._found = stored
                self.held = Held(stored.id, stored.tags, stored.revision, stored.notations)

    def taken_over(self, stored: Stored, held: Held) -> None:
        """Record that this program is the writer now, of the match *stored*."""
        with self._lock:
            self._found, self.held = stored, held
            self._unsaved, self._saved_last = 0, None
            self.wants_to_play, self.is_claimed = False, True
            self._is_elsewhere, self._error = False, ""
            self.role = "playing"
