"""The moments that decided a match: found by a quick review in the background, once the match is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from papan.ai.limits import Limit
from papan.ai.worker import Worker
from papan.game.match import Match
from papan.ui.play.review_task import ReviewTask
from papan.ui.play.reviewed_match import ReviewedMatch

if TYPE_CHECKING:
    from papan.ai.review import Moment, Review

MOST_MOMENTS = 3
LEAST_CHANGE = 0.04
"""The change of a winning chance, or of what was promised, below which nothing was decided."""
_NODES_A_MATCH = 3_000_000
_LEAST_NODES, _MOST_NODES = 500, 20_000
"""Bounds of the nodes for each position."""


class KeyMoment(NamedTuple):
    """A turn that changed the game."""

    turn: int
    """Its number, as the review counts: 1 for the first."""
    change: float
    """How much of a winning chance it moved, 0 to 1."""
    mark: str
    """"!!", "!", "?", "??" or ""."""


class KeyMoments:
    """The key moments of one finished match. All methods are for the window's thread."""

    def __init__(self, match: Match, worker: Worker, viewer: int | None = None) -> None:
        self.reviewed = ReviewedMatch(match, viewer)
        nodes = min(_MOST_NODES, max(_LEAST_NODES, _NODES_A_MATCH // max(1, self.reviewed.turns)))
        self._task = ReviewTask(self.reviewed.match, worker, Limit(nodes=nodes), has_conspiracy=False)
        self._found: list[KeyMoment] | None = None
        self._task.start()

    @property
    def is_working(self) -> bool:
        """Whether they are still looked for."""
        return self._task.is_working

    def found(self) -> list[KeyMoment]:
        """The moments, in the order of the match; none while they are looked for."""
        review = self._task.review
        if self._found is None and review is not None and review.is_complete and not self._task.is_working:
            self._found = key_moments(review)
        return self._found or []

    def stop(self) -> None:
        """Look no further."""
        self._task.stop()


def key_moments(review: Review, most: int = MOST_MOMENTS) -> list[KeyMoment]:
    """The turns of *review* that changed the winning chances most, at most so many, in the order of the match."""
    changes = [
        KeyMoment(after.index, _change(before, after), after.mark)
        for before, after in zip(review.moments, review.moments[1:], strict=False)
    ]
    largest = sorted(changes, key=lambda moment: -moment.change)[:most]
    return sorted(moment for moment in largest if moment.change >= LEAST_CHANGE)


def _change(before: Moment, after: Moment) -> float:
    """How much the turn that led to *after* changed the game."""
    if not before.chances:
        return after.loss
    return max(abs(now - then) for then, now in zip(before.chances, after.chances, strict=True))
