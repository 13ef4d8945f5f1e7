"""A walk through a match, and aside from it into lines that were not played; the match itself is never changed."""

from __future__ import annotations

from collections.abc import Callable

from papan.game.rules import State
from papan.ui.play.playback import Playback
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.shown_line import line_of


class Walk:
    """Where a person stands in a match, or in a line that begins before the turn that was reached."""

    def __init__(
        self, reviewed: ReviewedMatch, duration: Callable[[State, int, State], float], speed: Callable[[], float]
    ) -> None:
        """:param duration: as for ``Playback``.
        :param speed: as for ``Playback``.
        """
        self.reviewed = reviewed
        self.line: ReviewedMatch | None = None
        """The line that is shown instead of the match."""
        self._duration, self._speed = duration, speed
        self.of_match = Playback(reviewed, duration, speed)
        """The playback of the match: it stays where it is while a line is shown."""
        self._of_line = self.of_match
        self._found: tuple[int, tuple[int, ...], ReviewedMatch] | None = None

    @property
    def turn(self) -> int:
        """The turn of the match that is shown, or that the line shown stands instead of."""
        return self.of_match.turn

    @property
    def shown(self) -> ReviewedMatch:
        """What is walked through: the match, or the line."""
        return self.line or self.reviewed

    @property
    def playback(self) -> Playback:
        """The playback of what is walked through."""
        return self.of_match if self.line is None else self._of_line

    def line_instead(self, turn: int, steps: tuple[int, ...]) -> ReviewedMatch:
        """The line of *steps* that could have been played instead of *turn*."""
        if self._found is None or self._found[:2] != (turn, steps):
            self._found = turn, steps, line_of(self.reviewed, max(0, turn - 1), steps)
        return self._found[2]

    def enter(self, line: ReviewedMatch) -> None:
        """Show *line*, from its start."""
        self.of_match.stop()
        self.of_match.go_to(self.turn)
        self.line, self._of_line = line, Playback(line, self._duration, self._speed)

    def leave(self) -> None:
        """Show the match again, where it was left."""
        self.line = None

    def stop(self) -> None:
        """Stay where it is, without an animation."""
        self.playback.stop()
        self.playback.go_to(self.playback.turn)
