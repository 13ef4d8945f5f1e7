"""ABDADA: several threads at one search, each in another part of the tree.

All search the same root to the same depth, with one transposition table. A thread defers the steps of a position that
another thread is searching, and tries them last, when the table mostly knows their scores (Weill, "The ABDADA
Distributed Minimax Search Algorithm", 1996; the marks have their own small array, as in Kerrigan's "Simplified
ABDADA"). At the root each thread takes its own steps: once the first step has a score, the others only have to be
compared with it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from papan.game.kernel import subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.bits import with_word

SHARED_DEPTH = 3
"""The least turns before the horizon for sharing work: less is sooner done than marked."""

WORTH_SHARING = 2000
"""Nodes of the depth before that make waking the other threads worthwhile."""

_MARKS = 1 << 12
_POSITIONS = (1 << 63) - 1

MARKS = record_type(("mark", np.int64, (_MARKS,)))
"""The marks of positions and steps being searched; a lost mark, overwritten by another, costs little."""


@subroutine
def mark_of(position: int, step: int, depth: int) -> int:
    """The mark of *step* of the position with that key, searched to that *depth*."""
    return with_word(position & _POSITIONS, step << 8 | depth)


@subroutine
def is_marked(marks: Any, mark: int) -> bool:
    return bool(marks.mark[mark & _MARKS - 1] == mark)


@subroutine
def set_mark(marks: Any, mark: int) -> None:
    marks.mark[mark & _MARKS - 1] = mark


@subroutine
def clear_mark(marks: Any, mark: int) -> None:
    """Clear *mark*, unless another one has overwritten it."""
    if marks.mark[mark & _MARKS - 1] == mark:
        marks.mark[mark & _MARKS - 1] = 0


@subroutine
def defer(work: Any, index: int, last: int) -> None:
    """Move the step at *index* behind the *last* one that is not deferred; the others keep their order."""
    buffer, order = work.buffer, work.order
    step, rating = buffer[index], order[index]
    for place in range(index, last):
        buffer[place], order[place] = buffer[place + 1], order[place + 1]
    buffer[last], order[last] = step, rating


class Task(NamedTuple):
    """The work item of a helping thread."""

    step: int
    depth: int
    floor: float
    """The score to beat."""
    joins: bool
    """Whether the first thread is at the same step."""


class Team:
    """The first thread of a search, which gives the answer, and those that help it.

    ``in_turn``, ``floor`` and ``close`` are for the first thread, ``task`` and ``done`` for the others.
    """

    def __init__(self, helpers: Sequence[Any], none: float) -> None:
        """:param helpers: their workspaces. :param none: the score for none so far."""
        self._changed = threading.Condition()
        self._helpers = helpers
        self._none = none
        self._is_over = False
        self._depth = 0
        self._left: list[int] = []  # steps that the first thread has not finished
        self._own: int | None = None  # the one that it searches itself
        self._own_number = 0
        self._at: list[int | None] = [None] * len(helpers)  # the steps of the helpers
        self._joined = [0] * len(helpers)  # the number of the first thread's step that they joined last
        self._known: set[int] = set()  # not better, by the helpers
        self.floor = none
        """The first thread's best score so far at this depth."""

    def in_turn(self, steps: Sequence[int], depth: int) -> Iterator[int]:
        """The root's *steps* for the first thread, in the order that the others' findings suggest."""
        self._begin(steps, depth)
        try:
            while (step := self._next()) is not None:
                yield step
                self._finish(step)
        finally:
            self._begin((), depth)

    def _begin(self, steps: Sequence[int], depth: int) -> None:
        with self._changed:
            self._left, self._depth, self.floor, self._own = list(steps), depth, self._none, None
            self._known.clear()
            self._interrupt(None)

    def _next(self) -> int | None:
        with self._changed:
            free = (step for step in self._left if step not in self._at)
            self._own = next(free, self._left[0] if self._left else None)
            self._own_number += 1
            self._changed.notify_all()
            return self._own

    def _finish(self, step: int) -> None:
        with self._changed:
            self._left.remove(step)
            self._own = None
            self._interrupt(step)

    def _interrupt(self, step: int | None) -> None:
        """Stop the helpers that are at *step*, or all."""
        for number, at in enumerate(self._at):
            if at is not None and step in (None, at):
                self._helpers[number].stop = 1

    def task(self, number: int) -> Task | None:
        """Wait for the next task of the helper of that *number*; None at the end."""
        with self._changed:
            while not self._is_over:
                found = self._found(number)
                if found is not None:
                    self._at[number] = found.step
                    self._helpers[number].stop = 0
                    return found
                self._changed.wait()
            return None

    def _found(self, number: int) -> Task | None:
        if self.floor > self._none:
            for step in self._left:
                if step != self._own and step not in self._at and step not in self._known:
                    return Task(step, self._depth, self.floor, False)
        if self._own is None or self._joined[number] == self._own_number:
            return None
        self._joined[number] = self._own_number
        return Task(self._own, self._depth, self.floor, True)

    def done(self, number: int, task: Task, is_better: bool) -> None:
        """Note that a helper has done its *task*; if it was stopped, the step stays open."""
        with self._changed:
            self._at[number] = None
            if self._helpers[number].stop or task.joins or task.depth != self._depth or task.step not in self._left:
                return
            self._known.add(task.step)
            if is_better:  # so the first thread searches it next
                self._left.remove(task.step)
                self._left.insert(0, task.step)

    def close(self) -> None:
        with self._changed:
            self._is_over = True
            self._interrupt(None)
            self._changed.notify_all()
