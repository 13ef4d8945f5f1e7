"""The steps of a match as a table shows them: one after the other, each for as long as its animation lasts."""

from __future__ import annotations

from collections.abc import Callable

from papan.game.rules import CHANCE, State, mover
from papan.ui.boards import Moving
from papan.ui.play.session import Session
from papan.ui.scenes import Stage
from papan.ui.scenes.table_sounds import TableSounds
from papan.ui.settings import COMPUTER_ANIMATIONS


class TableAnimation:
    """The step of *session* that is being shown, which is heard by *sounds*."""

    def __init__(self, stage: Stage, session: Session, sounds: TableSounds) -> None:
        self._stage = stage
        self._session = session
        self._sounds = sounds
        self._progress = 0.0

    @property
    def moving(self) -> Moving | None:
        """What the viewer may see of the step; None where none is being shown."""
        session, shown = self._session, self._session.showing
        if shown is None:
            return None
        before, after = session.visible_state(shown.before), session.visible_state(shown.after)
        return Moving(before, shown.step, after, min(1.0, self._progress))

    def advance(self, seconds: float, duration: Callable[[State, int, State], float]) -> None:
        """Move on; steps without an animation are shown at once.

        :param duration: the board's, in seconds, of a step.
        """
        showing = self._session.showing
        if showing is None:
            self._progress = 0.0
            return
        lasts = duration(showing.before, showing.step, showing.after)
        speed = self._stage.animation_speed * self._share_of_speed(int(mover(showing.before)))
        self._progress = min(1.0, self._progress + (seconds * speed / lasts if lasts and speed else 1.0))
        self._sounds.advance(self._progress)
        # A computer waits for the step before its own to be in the file, so that a kill costs one, and not more.
        if self._progress == 1.0 and (self._session.turn.person_is_due() or not self._session.is_being_kept):
            self._finish()

    def _share_of_speed(self, seat: int) -> float:
        """How fast the steps of *seat* are shown, as a factor of the speed of animations."""
        is_person = self._session.turn.is_person
        if seat == CHANCE:
            return 1.0 if any(is_person) else COMPUTER_ANIMATIONS[self._stage.settings.computer_speed]
        return 1.0 if is_person[seat] else COMPUTER_ANIMATIONS[self._stage.settings.computer_speed]

    def _finish(self) -> None:
        self._sounds.advance(1.0)
        self._progress = 0.0
        self._session.finish_showing()
        self._stage.invalidate()

    def cut_short(self) -> bool:
        """End the showing of a step; returns whether there was anything left of it to see."""
        had_more = self._session.showing is not None and self._progress < 1.0
        if self._session.showing:
            self._finish()
        return had_more

    def skip_all(self) -> None:
        """End the showing of all steps that wait to be shown."""
        while self._session.showing:
            self._finish()
