"""The playback of a match: the turn that a review shows, and how it goes on: at once, step by step, or by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from papan.game.rules import State
from papan.ui.play.reviewed_match import ReviewedMatch

_PAUSE = 0.9
"""Seconds between two turns that are played by themselves."""
_WHOLE_MATCH = 90.0
"""Seconds that a whole match takes, about, where its pauses are shortened: long matches go faster."""
_SHORTEST_PAUSE = 0.06
_SHORTEST_SHOWN = 0.35
"""The shortest pause between turns, in seconds, at which their steps are still shown on their way."""


@dataclass(frozen=True)
class StepProgress:
    """A step on its way: the index of the state before it, and the share of its time that has passed."""

    index: int
    progress: float


class Playback:
    """The turn shown of a match, and the time that passes."""

    def __init__(
        self, reviewed: ReviewedMatch, duration: Callable[[State, int, State], float], speed: Callable[[], float]
    ) -> None:
        """:param duration: seconds that a step is shown for, at normal speed.
        :param speed: how many times faster than normal; 0 shows no steps on their way.
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
        """Whether the last turn is shown."""
        return self.turn == self._reviewed.turns

    def go_to(self, turn: int) -> None:
        """Show the match as it was after *turn*, or after the nearest turn there is."""
        self.turn = min(self._reviewed.turns, max(0, turn))
        self.showing = None
        self._waited = 0.0

    def forward(self) -> None:
        """Go to the next turn, and show its steps on their way."""
        start = self._reviewed.stops[self.turn].end
        self.go_to(self.turn + 1)
        if self._speed() and start < self._reviewed.stops[self.turn].end:
            self.showing = StepProgress(start, 0.0)

    def play(self) -> None:
        """Go on turn by turn; from the start, if the end is reached."""
        if self.is_at_end:
            self.go_to(0)
        self.is_playing = True
        self._waited = self.pause

    def stop(self) -> None:
        """Stay where it is."""
        self.is_playing = False

    def update(self, seconds: float) -> bool:
        """Let time pass; returns whether anything looks different."""
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
