"""Variations: what was played in a match before it was taken back, and something else was played instead."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import NamedTuple

from papan.game.match import Match
from papan.game.match.library.snapshot import Chronicle, Snapshot, common_length
from papan.game.rules import is_over, mover


class Line(NamedTuple):
    """The steps of a match that were given up for others."""

    start: Match
    """A match of its own, at the step where the two part."""
    rest: tuple[int, ...]
    """The steps that were played from there."""

    @property
    def common(self) -> int:
        """How many steps it has in common with the match."""
        return len(self.start.steps)

    @property
    def steps(self) -> tuple[int, ...]:
        """All its steps."""
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
        return Chronicle(line).snapshot()


def _going_on(match: Match, step: int) -> Match:
    """A match of its own, of the first *step* steps of *match*; not concluded, though *match* may be just there."""
    part = match.up_to(step)
    part.reopen()
    return part


class Lines:
    """What is given up in one match while it is played."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._known = tuple(match.all_steps)
        self._aside: list[Line] = []  # of which the match may still become a beginning again, or that it plays again
        self._settled: list[tuple[int, ...]] = []
        self._lock = threading.Lock()  # of ``due``, for an assignment
        self.due: tuple[Line, ...] = ()
        """Those that are to be kept and are not in the library yet."""

    def look(self) -> None:
        """Take note of what the match is now: after each step, undo and redo."""
        match, steps = self._match, tuple(self._match.all_steps)
        same = common_length(self._known, steps)
        if same < len(self._known) and not match.game.has_hidden_information:  # a line would show what was hidden
            self._aside.append(Line(_going_on(match, same), self._known[same:]))
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
                self._settle(Line(_going_on(self._match, same), line.steps[same:]))
        self._aside = waiting

    def _settle(self, line: Line) -> None:
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
        """Settle what waits: the match is left."""
        for line in self._aside:
            self._settle(line)
        self._aside = []

    def written(self, lines: Sequence[Line]) -> None:
        """*lines* are in the library, or none that is worth it."""
        with self._lock:
            self.due = tuple(line for line in self.due if not any(line is other for other in lines))
