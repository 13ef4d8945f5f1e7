"""A trial: a position in which a person tries a turn, on a match of its own that is not kept.

Subclasses judge the turn: an exercise of a reviewed match, a puzzle. All methods are for the window's thread.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable, Sequence
from typing import Any

from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.match.turn import TurnController
from papan.game.rules import CHANCE, State, mover
from papan.ui.play.session import ShownStep

log = logging.getLogger(__name__)

TRYING = "trying"
"""The stage in which the person may point at something; others are the subclass's own."""


class Trial:
    """One position, and what a person tries there; the ``TurnDelegate`` of its turn controller."""

    hint: int | None = None
    """The step that is hinted at."""
    match: Match
    turn: TurnController

    def __init__(self, seat: int, worker: Worker) -> None:
        """:param seat: whose turn is to be found.
        :param worker: judges turns and finds answers, one after the other.
        """
        self.seat = seat
        self.stage: str = TRYING
        self.start = 0
        """How many steps of the match led to the position."""
        self.showing: ShownStep | None = None
        self._to_play: list[int] = []
        """Steps of others, or of the turn that is shown, that are still to be played."""
        self.trouble = ""
        """Why a turn can't be judged or answered, in a sentence."""
        self._worker = worker
        self._ticket = 0
        self._found: queue.SimpleQueue[tuple[int, Callable[[Any], None], Any]] = queue.SimpleQueue()
        """What the worker has found, by the ticket of its question, and who takes it."""

    @property
    def person_is_due(self) -> bool:
        """Whether the person may point at something."""
        return self.stage == TRYING and self.turn.due in ("choosing", "completing")

    @property
    def has_begun(self) -> bool:
        """Whether anything was pointed at or played at the position."""
        return self.stage != TRYING or bool(self.turn.pointed) or len(self.match.steps) > self.start

    @property
    def awaits(self) -> bool:
        """Whether something is worked out beside the window."""
        return False

    def visible_state(self, state: State) -> State:
        """*state* as the person sees it."""
        return state

    @property
    def tried_cells(self) -> tuple[int, ...]:
        """The cells of what has been played since the position was set up: its last turn."""
        return self._cells_of_last_turn(self.start)

    def _cells_of_last_turn(self, start: int) -> tuple[int, ...]:
        """The cells of the last turn, but for the first *start* steps of the match."""
        match, cells = self.match, dict[int, None]()
        first = max(start, match.turns()[-1].first_step) if len(match.steps) > start else len(match.steps)
        for index in range(first, len(match.steps)):
            cells.update(dict.fromkeys(match.rules.cells(match.states[index], match.steps[index])))
        return tuple(cells)

    def name_of(self, start: State, steps: Sequence[int]) -> str:
        """What the turn of *steps* from *start* is called; "" where they make none."""
        from papan.ai.reviews.coach import first_turn, turn_name

        rules = self.match.rules
        turn = first_turn(start, steps, rules.MOST_STEPS)
        return turn_name(rules, turn) if turn is not None else ""

    def _stand(self, match: Match, *, is_tried: bool) -> None:
        """Set *match* on the board, with the person to act, or to look on."""
        self.match, self.showing = match, None
        persons = [seat == self.seat and is_tried for seat in range(len(match.seats))]
        self.turn = TurnController(match, persons, self)
        self.turn.begin()

    def point(self, cell: int) -> str | None:
        """Point at *cell*; returns the refusal, or None where it makes or begins a step."""
        return self.turn.point(cell) if self.person_is_due else None

    def choose(self, step: int) -> None:
        """Play *step*, which was chosen by its name."""
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

    def set_up(self, *, is_shown: bool = False) -> None:
        """Set the position up again, and play the turn that was looked for if it *is_shown*."""
        raise NotImplementedError

    def _judge(self) -> None:
        """Judge the turn that has just been completed; the stage is another one from then on."""
        raise NotImplementedError

    def _ask(self, find: Callable[[Callable[[], bool]], object], take: Callable[[Any], None]) -> None:
        """Call *find* on the worker's thread; *take* gets what it returns, in a later ``tick``.

        :param find: is told how to ask whether its answer is still wanted; it is not once ``close`` was called.
        """
        ticket = self._ticket

        def work() -> None:
            if ticket != self._ticket:
                return
            try:
                self._found.put((ticket, take, find(lambda: ticket == self._ticket)))
            except Exception as error:  # whatever a plugin's code raises
                log.exception("A turn can't be judged or answered")
                self._found.put((ticket, self._fail, f"{type(error).__name__}: {error}"))

        self._worker.submit(work)

    def _fail(self, trouble: str) -> None:
        self.trouble = trouble

    def tick(self) -> bool:
        """Take what the worker has found; returns whether anything changed."""
        is_changed = False
        while not self._found.empty():
            ticket, take, found = self._found.get()
            if ticket == self._ticket:
                take(found)
                is_changed = True
        return is_changed

    def close(self) -> None:
        """Stop what the worker does: nobody wants to know any more."""
        self._ticket += 1

    def _turn_is_complete(self) -> bool:
        """Whether the turn is over that began at the position, and chance, if it is due, has acted."""
        match = self.match
        if len(match.steps) == self.start or match.mover == CHANCE:
            return bool(match.ending)
        return bool(match.ending) or match.mover != self.seat or match.turns()[-1].seat == CHANCE

    def _go_on(self) -> None:
        """Play the next of the steps that are to be played; once there are none, there is nothing to point at."""
        if self.showing is not None or self.stage == TRYING:
            return
        if self._to_play and self.turn.due == "thinking":
            self.turn.answer(self._to_play.pop(0))
        elif self.turn.due == "choosing":
            self.turn.watch()

    @property
    def _is_others_turn(self) -> bool:
        """Whether somebody else than the person is to act."""
        match = self.match
        return not match.ending and int(mover(match.state)) not in (CHANCE, self.seat)

    def ask(self, match: Match) -> None:
        """Nobody thinks here: what others play is known, or found beside the window."""

    def withdraw(self) -> None:
        """Nothing was asked."""

    def show(self, before: State, step: int, after: State) -> None:
        self.showing = ShownStep(before, step, after)

    def changed(self, match: Match) -> None:
        """Trials are not kept."""
