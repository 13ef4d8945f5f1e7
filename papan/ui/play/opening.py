"""The name of the opening that a match has gone into, at its table, in its review and in the explorer."""

from __future__ import annotations

from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.opening_names import Opening, has_openings, opening_of, openings_of


class MatchOpening:
    """The opening of a match, which may go on."""

    def __init__(self, match: Match, worker: Worker) -> None:
        """:param worker: reads the names of the game's openings."""
        self._match = match
        self._seen: object = None
        self._opening: Opening | None = None
        self.is_read = not has_openings(match.game)
        """Whether the names are read, so that the window need not wait for them."""
        if not self.is_read:
            worker.submit(self._read)

    def _read(self) -> None:
        openings_of(self._match.game, self._match.options)
        self.is_read = True

    @property
    def name(self) -> str:
        """The name; "" until the names are read, and for an opening without one."""
        opening = self.after(len(self._match.steps))
        return opening.name if opening is not None else ""

    def after(self, steps: int) -> Opening | None:
        """The opening after so many steps of the match; None as for ``name``."""
        seen = steps, self._match.states[steps]
        if self.is_read and seen != self._seen:
            self._seen, self._opening = seen, opening_of(self._match, steps)
        return self._opening
