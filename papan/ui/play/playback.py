"""Walking through a match: the turn shown, forward and back, autoplay, and lines that were not played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from papan.game.rules import State
from papan.ui.play.reviewed_match import ReviewedMatch, line_of

_PAUSE = 0.9
"""Seconds between two turns of autoplay."""
_WHOLE_MATCH = 90.0
"""Seconds that autoplay takes for a long match, about: its pauses are shortened."""
_SHORTEST_PAUSE = 0.06
_SHORTEST_SHOWN = 0.35
"""With shorter pauses between turns, in seconds, steps are not animated."""


@dataclass(frozen=True)
class StepProgress:
    """A step being animated: the index of the state before it, and its progress from 0 to 1."""

    index: int
    progress: float


class Playback:
    """The turn shown of a match, and its animation."""

    def __init__(
        self, reviewed: ReviewedMatch, duration: Callable[[State, int, State], float], speed: Callable[[], float]
    ) -> None:
        """:param duration: seconds that the animation of a step takes at normal speed.
        :param speed: the animation speed as a factor of normal; 0: no animation.
        """
        self.turn = 0
        self.is_playing = False
        self.showing: StepProgress | None = None
        self._reviewed = reviewed
        self._duration = duration
        self._speed = speed
        self._waited = 0.0
        self.pause = max(_SHORTEST_PAUSE, min(_PAUSE, _WHOLE_MATCH / max(1, reviewed.turns)))

    @property
    def is_at_end(self) -> bool:
        return self.turn == self._reviewed.turns

    def go_to(self, turn: int) -> None:
        """Show the position after *turn*, or after the nearest existing turn, without an animation."""
        self.turn = min(self._reviewed.turns, max(0, turn))
        self.showing = None
        self._waited = 0.0

    def forward(self) -> None:
        start = self._reviewed.stops[self.turn].end
        self.go_to(self.turn + 1)
        if self._speed() and start < self._reviewed.stops[self.turn].end:
            self.showing = StepProgress(start, 0.0)

    def play(self) -> None:
        """Start autoplay; from the start if the end is reached."""
        if self.is_at_end:
            self.go_to(0)
        self.is_playing = True
        self._waited = self.pause

    def stop(self) -> None:
        self.is_playing = False

    def update(self, seconds: float) -> bool:
        """Let time pass; return whether anything looks different."""
        if self.showing is not None:
            self._advance(self.showing, seconds)
            return True
        if not self.is_playing:
            return False
        if self.is_at_end:
            self.is_playing = False
            return True
        self._waited += seconds
        if self._waited < self.pause:
            return False
        if self.pause < _SHORTEST_SHOWN:
            self.go_to(self.turn + 1)
        else:
            self.forward()
        return True

    def _advance(self, showing: StepProgress, seconds: float) -> None:
        states, step = self._reviewed.states, self._reviewed.steps[showing.index]
        duration, speed = self._duration(states[showing.index], step, states[showing.index + 1]), self._speed()
        progress = showing.progress + (seconds * speed / duration if duration and speed else 1.0)
        if progress < 1.0:
            self.showing = StepProgress(showing.index, progress)
            return
        following = showing.index + 1
        self.showing = StepProgress(following, 0.0) if following < self._reviewed.stops[self.turn].end else None


class Walk:
    """Where a person is in a match, or in a line that could have been played instead of the turn shown.

    The match itself is never changed.
    """

    def __init__(
        self, reviewed: ReviewedMatch, duration: Callable[[State, int, State], float], speed: Callable[[], float]
    ) -> None:
        """The parameters are those of ``Playback``."""
        self.reviewed = reviewed
        self.line: ReviewedMatch | None = None
        """The line shown instead of the match."""
        self._duration, self._speed = duration, speed
        self._of_match = self.playback = Playback(reviewed, duration, speed)
        """The playback of the match or the line; the match's keeps its turn while a line is shown."""
        self._found: tuple[int, tuple[int, ...], ReviewedMatch] | None = None

    @property
    def turn(self) -> int:
        """The turn of the match; while a line is shown, the turn that it replaces."""
        return self._of_match.turn

    @property
    def shown(self) -> ReviewedMatch:
        return self.line or self.reviewed

    @property
    def place(self) -> tuple[object, ...]:
        """Identifies the display: line, turns, and whether autoplay is on."""
        return self.line, self.turn, self.playback.turn, self.playback.is_playing

    def go_to(self, turn: int) -> None:
        """Show the match after *turn*; leave a line."""
        self.leave()
        self.walk_to(turn)

    def walk_to(self, turn: int) -> None:
        """Show the match or the line after *turn*, and stop autoplay."""
        self.playback.stop()
        self.playback.go_to(turn)

    def turn_by(self, turns: int) -> None:
        self.walk_to(self.playback.turn + turns)

    def go_back(self) -> None:
        """Go back one turn; from the start of a line, to the match."""
        if self.line is not None and self.playback.turn == 0:
            self.leave()
        else:
            self.turn_by(-1)

    def go_forward(self) -> None:
        self.playback.stop()
        if not self.playback.is_at_end:
            self.playback.forward()

    def play_or_stop(self) -> None:
        if self.playback.is_playing:
            self.playback.stop()
        elif self.reviewed.turns:
            self.playback.play()

    def line_instead(self, turn: int, steps: tuple[int, ...]) -> ReviewedMatch:
        if self._found is None or self._found[:2] != (turn, steps):
            self._found = turn, steps, line_of(self.reviewed, max(0, turn - 1), steps)
        return self._found[2]

    def enter(self, line: ReviewedMatch) -> None:
        self.walk_to(self.turn)
        self.line, self.playback = line, Playback(line, self._duration, self._speed)

    def leave(self) -> None:
        self.line, self.playback = None, self._of_match

    def stop(self) -> None:
        self.walk_to(self.playback.turn)
