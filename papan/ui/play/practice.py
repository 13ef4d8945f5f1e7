"""Practice: a person tries turns in a position, on a match that is not saved.

Subclasses judge the turn: exercises of a reviewed match, puzzles, and lessons. Call all methods on the window's thread.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable, Sequence
from typing import Any

from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.match.turn import TurnController
from papan.game.rules import CHANCE, State, observe
from papan.ui.play.session import Unsaved, cells_of
from papan.ui.play.turn_names import names_in_sentences

log = logging.getLogger(__name__)

TRYING, WRONG = "trying", "wrong"
"""The stages when the person may act, and when a wrong turn stands on the board for a moment; subclasses add others."""
WRONG_SECONDS = 1.6
"""Seconds before a wrong turn is taken back."""


class Practice(Unsaved):
    """One position to try turns in."""

    match: Match
    turn: TurnController

    def __init__(self, seat: int, worker: Worker) -> None:
        """:param seat: the seat whose turn is looked for.
        :param worker: judges turns and finds answers, one after the other.
        """
        self.seat = seat
        self.stage: str = TRYING
        self.start = 0
        """The number of steps before the position."""
        self._to_play: list[int] = []
        """Steps still to be played: an answer, or the turn being shown."""
        self.trouble = ""
        """Why a turn can't be judged or answered, as a sentence."""
        self._wrong_seconds = 0.0
        self._worker = worker
        self._ticket = 0
        self._found: queue.SimpleQueue[tuple[int, Callable[[Any], None], Any]] = queue.SimpleQueue()
        """The worker's answers: the ticket of the question, who takes the answer, and the answer."""

    @property
    def person_is_due(self) -> bool:
        return self.stage == TRYING and self.turn.due in ("choosing", "completing")

    @property
    def has_begun(self) -> bool:
        """Whether the person has done anything in the position."""
        return self.stage != TRYING or bool(self.turn.pointed) or len(self.match.steps) > self.start

    @property
    def awaits(self) -> bool:
        """Whether the worker is at work, or a wrong turn is about to be taken back."""
        return False

    def visible_state(self, state: State) -> State:
        """*state* as the person sees it."""
        return observe(state, self.seat)

    @property
    def tried_cells(self) -> tuple[int, ...]:
        return self._cells_of_last_turn(self.start)

    def _cells_of_last_turn(self, start: int) -> tuple[int, ...]:
        """Return the cells of the last turn, without steps before *start*."""
        match = self.match
        first = max(start, match.turns()[-1].first_step) if len(match.steps) > start else len(match.steps)
        return cells_of(match, first, len(match.steps))

    def name_of(self, start: State, steps: Sequence[int]) -> str:
        """Return the name of the turn of *steps* from *start*; "" if they make none."""
        from papan.ai.reviews.coach import first_turn

        game = self.match.game
        turn = first_turn(start, steps, game.rules.MOST_STEPS)
        return names_in_sentences(game)(turn) if turn is not None else ""

    def _stand(self, match: Match, *, is_tried: bool) -> None:
        """Show *match*, for the person to act or to watch."""
        self.match, self.showing = match, None
        persons = [seat == self.seat and is_tried for seat in range(len(match.seats))]
        self.turn = TurnController(match, persons, self)
        self.turn.begin()

    def point(self, cell: int) -> str | None:
        return self.turn.point(cell) if self.person_is_due else None

    def choose(self, step: int) -> None:
        if self.person_is_due:
            self.turn.choose(step)

    def finish_showing(self) -> None:
        if self.showing is None:
            return
        self.showing = None
        self.turn.shown()
        if self.stage == TRYING and self._turn_is_complete():
            self._judge()
        self._go_on()

    def _refuse_turn(self) -> None:
        """Leave the tried turn on the board for a moment: it is wrong."""
        self.stage, self._wrong_seconds = WRONG, WRONG_SECONDS

    def take_back(self) -> None:
        if self.stage == WRONG:
            self.stage = TRYING
            self._stand(self.match.up_to(self.start), is_tried=True)

    def pass_time(self, seconds: float) -> None:
        """Let time pass: a wrong turn is taken back after a while."""
        if self.stage == WRONG and self.showing is None:
            self._wrong_seconds -= seconds
            if self._wrong_seconds <= 0.0:
                self.take_back()

    def set_up(self, *, is_shown: bool = False) -> None:
        """Set the position up again; if *is_shown*, play the right turn."""
        raise NotImplementedError

    def _judge(self) -> None:
        """Judge the turn that has just been completed, and leave the stage ``TRYING``."""
        raise NotImplementedError

    def _ask(self, find: Callable[[Callable[[], bool]], object], take: Callable[[Any], None]) -> None:
        """Call *find* on the worker's thread; *take* gets its result in a later ``tick``.

        :param find: called with a function that returns whether the answer is still wanted: not after ``close``.
        """
        ticket = self._ticket

        def work() -> None:
            if ticket != self._ticket:
                return
            try:
                self._found.put((ticket, take, find(lambda: ticket == self._ticket)))
            except Exception as error:  # any error of a plugin's code
                log.exception("A turn can't be judged or answered")
                self._found.put((ticket, self._fail, f"{type(error).__name__}: {error}"))

        self._worker.submit(work)

    def _fail(self, trouble: str) -> None:
        self.trouble = trouble

    def tick(self) -> bool:
        """Take the worker's answers; return whether anything changed."""
        is_changed = False
        while not self._found.empty():
            ticket, take, found = self._found.get()
            if ticket == self._ticket:
                take(found)
                is_changed = True
        return is_changed

    def close(self) -> None:
        """Drop all questions."""
        self._ticket += 1

    def _turn_is_complete(self) -> bool:
        """Whether the tried turn is complete, and chance has acted if it must."""
        match = self.match
        if len(match.steps) == self.start or match.mover == CHANCE:
            return bool(match.ending)
        return bool(match.ending) or match.mover != self.seat or match.turns()[-1].seat == CHANCE

    def _go_on(self) -> None:
        """Play the next waiting step; after the last one only watch."""
        if self.showing is not None or self.stage == TRYING:
            return
        if self._to_play and self.turn.due == "thinking":
            self.turn.answer(self._to_play.pop(0))
        elif self.turn.due == "choosing":
            self.turn.watch()
