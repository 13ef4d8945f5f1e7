"""The moments that decided a match: found by a quick review in the background, once the match is over."""

from __future__ import annotations

from papan.ai.limits import Limit
from papan.ai.reviews.marks import KeyMoment, key_moments
from papan.ai.reviews.reviewer import Review
from papan.ai.thinking.thinker import Worker
from papan.game.match import Match
from papan.ui.play.review_task import ReviewTask
from papan.ui.play.reviewed_match import ReviewedMatch

_NODES_A_MATCH = 3_000_000
_LEAST_NODES, _MOST_NODES = 500, 20_000
"""Bounds of the nodes for each position."""


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

    @property
    def review(self) -> Review | None:
        """What they are found in, as far as it has come."""
        return self._task.review

    def found(self) -> list[KeyMoment]:
        """The moments, in the order of the match; none while they are looked for."""
        review = self._task.review
        if self._found is None and review is not None and review.is_complete and not self._task.is_working:
            self._found = key_moments(review)
        return self._found or []

    def stop(self) -> None:
        """Look no further."""
        self._task.stop()
