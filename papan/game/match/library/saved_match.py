"""One match in the library, as the table sees it: it answers at once, and a writer does the work.

Variations (``Lines``) are what was played before it was taken back and something else was played instead.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from papan.game.match import Match
from papan.game.match.library.reader import Stored, Summary
from papan.game.match.library.snapshot import Origin, Snapshot, SnapshotBuilder, bring_to, common_length, header_of
from papan.game.match.library.store import Held
from papan.game.rules import is_over, mover

Role = Literal["playing", "watching"]


class Variation(NamedTuple):
    """A variation: steps of a match that were taken back, and others played instead."""

    start: Match
    """A match of its own, at the step where the two part."""
    rest: tuple[int, ...]
    """The steps that were played from there."""

    @property
    def common(self) -> int:
        return len(self.start.steps)

    @property
    def steps(self) -> tuple[int, ...]:
        return (*self.start.steps, *self.rest)

    def snapshot(self) -> Snapshot | None:
        """The line as it stood at its end; None where not one turn was given up, only a part of one.

        It plays the steps anew, so that it is for another thread than the window's.
        """
        line = self.start.up_to(self.common)
        for step in self.rest:
            line.play(step)
        states = line.states
        turns = range(self.common, len(self.rest) + self.common)
        if not any(is_over(states[at + 1]) or mover(states[at + 1]) != mover(states[at]) for at in turns):
            return None
        return SnapshotBuilder(line).snapshot()


def _going_on(match: Match, step: int) -> Match:
    """A match of its own, of the first *step* steps of *match*; not concluded, though *match* may be just there."""
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
        """Those that are to be kept and are not in the library yet."""

    def look(self) -> None:
        """Compare with the match as it is now: call it after each step, undo and redo."""
        match, steps = self._match, tuple(self._match.all_steps)
        same = common_length(self._known, steps)
        if same < len(self._known) and not match.game.has_hidden_information:  # a line would show what was hidden
            self._aside.append(Variation(_going_on(match, same), self._known[same:]))
        self._known = steps
        if self._aside:
            self._sort_out(steps)

    def _sort_out(self, steps: tuple[int, ...]) -> None:
        waiting = []
        for line in self._aside:
            same = common_length(line.steps, steps)
            if same == len(line.steps):
                continue  # it was played again, step by step
            if same == len(steps):
                waiting.append(line)
            else:  # a step was just played, so the match stands behind what the two have in common
                self._settle(Variation(_going_on(self._match, same), line.steps[same:]))
        self._aside = waiting

    def _settle(self, line: Variation) -> None:
        steps = line.steps
        if not any(common_length(steps, other) == len(steps) for other in self._settled):
            self._settled.append(steps)
            with self._lock:
                self.due = (*self.due, line)

    def skip(self) -> None:
        """Take what the match is now as given: another program has made it so, and keeps its lines itself."""
        self._known = tuple(self._match.all_steps)
        self._aside = []
        with self._lock:
            self.due = ()

    def close(self) -> None:
        """Settle what waits, as the match is left."""
        for line in self._aside:
            self._settle(line)
        self._aside = []

    def written(self, lines: Sequence[Variation]) -> None:
        """*lines* are in the library, or none that is worth it."""
        with self._lock:
            self.due = tuple(line for line in self.due if not any(line is other for other in lines))


class SaveStatus(NamedTuple):
    """Where a match stands with the library."""

    role: Role
    """``watching`` where another program plays the match: here it only follows."""
    committed: int
    """How many steps are in the file, of those that this program has played or seen."""
    waiting_since: float | None
    """When the oldest change was made that is not in the file yet, by ``time.monotonic``; None where all are."""
    trouble: str
    """Why the last attempt to save failed, as a sentence, or ""."""
    unsaved: int
    """How many steps were played here and not saved when another program took the match over."""
    is_elsewhere: bool
    """While watching: whether the other program still plays it, for all that is known."""


class SavedMatch:
    """One match, and what of it is still to be written.

    The table calls the methods of the first part, all from one thread; the writer calls those of the second, from
    another. What the writer publishes is read and replaced as a whole.
    """

    def __init__(
        self,
        match: Match,
        wake: Callable[[SavedMatch], object],
        stored: Stored | None = None,
        role: Role = "playing",
        origin: Origin | None = None,
    ) -> None:
        """Keep *match*, once it is opened.

        :param wake: called, from any thread, when there is something to do for the match.
        :param stored: how it stands in the file, where it is there already.
        :param origin: where it comes from, if it branches off from another match of the library.
        """
        self.match = match
        self.facts = header_of(match, origin)
        self.role: Role = role
        self.is_closed = False
        """Whether the table has been left."""
        self.wants_to_play = False
        """Whether a match that is watched is to be taken over."""
        self.held: Held | None = None
        """How it stands in the file, as far as this program has written or read it."""
        self.is_claimed = stored is None
        """Whether this program has become the writer, where the match was in the file already."""
        self._is_abandoned = False
        self._wake = wake
        self._chronicle = SnapshotBuilder(match)
        self._latest = self._chronicle.snapshot()
        self.lines = Variations(match)
        """What was played in it before something else was played instead."""
        self._lock = threading.Lock()  # held for a few assignments, never while a file is used
        self._wanted: Snapshot | None = None
        self._waiting_since: float | None = None
        self._trouble = ""
        self._unsaved = 0
        self._saved_last: tuple[str, ...] | None = None  # when the match was lost, until that has been told
        self._found: Stored | None = None
        self._is_elsewhere = role == "watching"
        if stored is not None:
            self.held = Held(stored.id, stored.tags, stored.revision, stored.notations)

    # ------------------------------------------------------------------------------- for the table

    def open(self) -> None:
        """Take the match up: from now on it is played here, or watched."""
        self.is_closed = False
        if self.held is None:
            self.keep()
        else:
            self._wake(self)

    def keep(self) -> None:
        """Have the match kept as it stands now: call it after each step, undo and redo."""
        self._latest = self._chronicle.snapshot()
        if self.role == "playing":
            self.lines.look()
        with self._lock:
            if self.role == "playing":
                self._wanted = self._latest
                self._waiting_since = self._waiting_since or time.monotonic()
        self._wake(self)

    @property
    def standing(self) -> SaveStatus:
        committed = len(self.held.notations) if self.held else 0
        return SaveStatus(self.role, committed, self._waiting_since, self._trouble, self._unsaved, self._is_elsewhere)

    @property
    def is_waiting(self) -> bool:
        """Whether something is still to be written."""
        return self._wanted is not None

    def follow(self) -> Stored | None:
        """Bring the match to what another program has made of it; returns that, or None where nothing is new.

        :raises NotationError: today's rules refuse a step; the match stands before it.
        :raises IllegalStep: as above.
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
            self.lines.skip()
        return found

    def take_over(self) -> None:
        """Play here what is played elsewhere: ``role`` tells once it is so."""
        self.wants_to_play = True
        self._wake(self)

    def close(self) -> None:
        """Leave the match: it is forgotten if nothing was played, else anybody may go on with it once it is saved."""
        self.lines.close()
        with self._lock:
            if self.lines.due and self.role == "playing":
                self._wanted = self._latest
                self._waiting_since = self._waiting_since or time.monotonic()
        self.is_closed = True
        self._wake(self)

    def abandon(self) -> None:
        """Leave the match, and have it forgotten: another one has taken its place."""
        self._is_abandoned = True
        self.close()

    @property
    def is_untouched(self) -> bool:
        """Whether there is nothing to keep: no step, not even one that was taken back, or none that is wanted."""
        return self._is_abandoned or not self._latest.notations

    @property
    def summary(self) -> Summary:
        """The match as a list of matches shows it; its number is 0 while it has none."""
        latest, facts = self._latest, self.facts
        number = self.held.id if self.held else 0
        return Summary(
            number,
            facts.game,
            facts.seats,
            latest.round,
            latest.mover,
            latest.ending,
            latest.when,
            turns=latest.turns,
            origin=facts.origin,
        )

    # ------------------------------------------------------------------------------ for the writer

    @property
    def wanted(self) -> Snapshot | None:
        """What is to be written; None once it is."""
        return self._wanted

    def begin_anew(self) -> None:
        """Have the match stored under a new number: it is not in the file any more."""
        with self._lock:
            self.held, self.is_claimed = None, True
            self.wants_to_play, self._is_elsewhere = False, False
            self.role = "playing"
            self._wanted = self._wanted or self._latest
            self._waiting_since = self._waiting_since or time.monotonic()

    def doubt(self) -> None:
        """Have the match written again as it stands: what was written may be gone."""
        with self._lock:
            if self.role == "playing":
                self._wanted = self._wanted or self._latest
                self._waiting_since = self._waiting_since or time.monotonic()

    def has_moved(self, numbers: Mapping[int, int]) -> None:
        """The match has the number of *numbers* from now on, if it has one there."""
        with self._lock:
            if self.held is not None and self.held.id in numbers:
                self.held = self.held._replace(id=numbers[self.held.id])

    def written(self, snapshot: Snapshot, held: Held) -> None:
        """*snapshot* is in the file, which stands as in *held* now."""
        with self._lock:
            self.held, self._trouble = held, ""
            if self._wanted is snapshot:
                self._wanted = self._waiting_since = None
            else:
                self._waiting_since = time.monotonic()

    def failed(self, trouble: str) -> None:
        """Note that the last attempt failed, and why."""
        self._trouble = trouble

    def lost(self) -> None:
        """Watch from now on: another program has become the writer."""
        with self._lock:
            self._saved_last = self.held.notations if self.held else ()
            self._wanted = self._waiting_since = None
            self._trouble, self._is_elsewhere = "", True
            self.role = "watching"

    def show(self, stored: Stored | None, is_elsewhere: bool) -> None:
        """The match is watched, and stands in the file as *stored*; None where it has not changed."""
        with self._lock:
            self._is_elsewhere = is_elsewhere
            self._trouble = ""
            if stored is not None:
                self._found = stored
                self.held = Held(stored.id, stored.tags, stored.revision, stored.notations)

    def taken_over(self, stored: Stored, held: Held) -> None:
        """This program is the writer from now on; the match stands in the file as *stored*."""
        with self._lock:
            self._found, self.held = stored, held
            self._unsaved, self._saved_last = 0, None
            self.wants_to_play, self.is_claimed = False, True
            self._is_elsewhere, self._trouble = False, ""
            self.role = "playing"
