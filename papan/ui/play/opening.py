"""The name of the opening that a match has gone into, at its table and in its review."""

from __future__ import annotations

from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.game.opening_names import has_openings, opening_of, openings_of


class MatchOpening:
    """The name of the opening of a match, which may go on."""

    def __init__(self, match: Match, worker: Worker) -> None:
        """:param worker: reads the names of the game's openings."""
        self._match = match
        self._is_read = False
        self._seen: object = None
        self._name = ""
        if has_openings(match.game):
            worker.submit(self._read)

    def _read(self) -> None:
        openings_of(self._match.game, self._match.options)
        self._is_read = True

    @property
    def name(self) -> str:
        """The name; "" until the names are read, and for an opening without one."""
        return self.after(len(self._match.steps))

    def after(self, steps: int) -> str:
        """The name after so many steps of the match."""
        seen = steps, self._match.states[steps]
        if self._is_read and seen != self._seen:
            opening = opening_of(self._match, steps)
            self._seen, self._name = seen, opening.name if opening is not None else ""
        return self._name
