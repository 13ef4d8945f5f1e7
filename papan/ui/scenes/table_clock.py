"""The time left of a match with a clock, kept among the settings, so that leaving the table gives nobody more."""

from __future__ import annotations

from papan.game.base.foreign import decimal_number
from papan.ui.play.session import Session
from papan.ui.scenes import Stage

_MOST_KEPT = 50
"""Matches whose time is remembered; of older ones it begins anew."""


class TableClock:
    """Keeps the clock of one session; does nothing where there is none."""

    def __init__(self, stage: Stage, session: Session) -> None:
        """Sets the clock as it was left."""
        self._settings = stage.settings
        self._session = session
        match = session.match
        self._key = f"{match.game.name} {match.seed} {match.date.isoformat()}"
        self._kept_at = len(match.steps)
        left = [decimal_number(part) for part in self._settings.clocks.get(self._key, "").split()]
        if session.clock is not None and match.steps and left and None not in left:
            session.clock.set([seconds for seconds in left if seconds is not None])

    def update(self) -> None:
        """Keep the clock wherever a step was played or taken back."""
        if self._session.clock is not None and len(self._session.match.steps) != self._kept_at:
            self.keep()

    def keep(self) -> None:
        """Keep the clock as it stands; once the match is over it is forgotten."""
        clock, match = self._session.clock, self._session.match
        if clock is None:
            return
        self._kept_at = len(match.steps)
        others = {key: left for key, left in self._settings.clocks.items() if key != self._key}
        kept = list(others.items())[1 - _MOST_KEPT :]
        if match.ending is None:
            kept.append((self._key, " ".join(f"{seconds:.1f}" for seconds in clock.left)))
        self._settings.clocks = dict(kept)
