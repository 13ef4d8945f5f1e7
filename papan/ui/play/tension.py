"""The question how tense a turn was: which turn it is about, and its answers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

from papan.ai.indicators.course import complete_turns, play_state
from papan.ai.thinking.thinker import Worker
from papan.game.base.sentences import say
from papan.game.match import Match
from papan.game.match.record import write
from papan.game.match.tension import Answer, add
from papan.game.rules import CHANCE
from papan.ui.play.session import Session

log = logging.getLogger(__name__)

_PATIENCE = 1.0
"""Seconds to wait for the disk when the table is left."""


class TensionQuestion:
    """Asks about the last turn of a person, until it is answered, taken back, or a person plays on."""

    def __init__(self, session: Session, is_on: Callable[[], bool]) -> None:
        """Ask about turns from now on, while *is_on*."""
        self._session = session
        self._is_on = is_on
        self._worker = Worker("tension")
        self.trouble = ""
        """The sentence that says why an answer is not kept, until it is shown."""
        self.turn: int | None = None
        """The number of the turn asked about, as in ``papan.ai.indicators.course``; None for no question."""
        self.seat = 0
        """The seat of the person asked, while there is a question."""
        self._settled = self._latest()[0]
        """The last turn that needs no question any more."""

    def _latest(self) -> tuple[int, bool]:
        """The number of the last complete turn of a person, 0 for none, and whether the next one has begun."""
        match, turn = self._session.match, self._session.turn
        turns = complete_turns(match)
        if turn.due == "confirming":
            turns = turns[:-1]
        own = [number for number, one in enumerate(turns, start=1) if turn.is_person[one.seat]]
        begun = [one.seat for one in match.turns() if one.seat != CHANCE][len(turns) :]
        return own[-1] if own else 0, any(turn.is_person[seat] for seat in begun)

    def look(self) -> None:
        """See what was played."""
        latest, is_begun = self._latest()
        session = self._session
        is_elsewhere = session.is_watching or session.passes_to is not None  # another person is at the screen
        if not self._is_on() or is_elsewhere or is_begun or not self._is_play(latest):
            self._settled = latest
        elif self.turn not in (None, latest):
            self._settled = self.turn or 0
        self._settled = min(self._settled, latest)
        self.turn = latest if latest > self._settled else None
        if self.turn is not None:
            self.seat = complete_turns(session.match)[latest - 1].seat

    def _is_play(self, number: int) -> bool:
        """Whether the complete turn *number* does more than set up the board."""
        match = self._session.match
        return number > 0 and play_state(match.rules, match.states, complete_turns(match)[number - 1]) is not None

    def answer(self, value: int) -> None:
        """Keep the answer *value*, and ask no more about this turn. A thread writes it."""
        if self.turn is None:
            return
        match = self._session.match
        keep = partial(self._keep, match.up_to(len(match.steps)), self._session.number, self.turn, self.seat, value)
        self._worker.submit(keep)
        self._settled, self.turn = self.turn, None

    def _keep(self, match: Match, number: int | None, turn: int, seat: int, value: int) -> None:
        asked = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            add(Answer(asked, turn, seat + 1, value, write(match), number))
        except OSError as error:
            log.warning("An answer can't be kept: %s", error)
            self.trouble = say("The answer can't be saved: {reason}.", reason=error.strerror or str(error))

    def close(self) -> None:
        """Write what is not written yet."""
        self._worker.close(_PATIENCE)
