"""Reviews in the background, read once a frame: a whole one, and a quick one for the moments that decided a match."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

from papan.ai.key_moments import KeyMoment, key_moments
from papan.ai.limits import Limit
from papan.ai.worker import Worker
from papan.game.match import Match
from papan.ui.play.reviewed_match import ReviewedMatch

if TYPE_CHECKING:
    from papan.ai.review import Review, Reviewer

log = logging.getLogger(__name__)


class ReviewTask:
    """Reviews one match; ``review`` is how far it has come. All methods are for the window's thread."""

    def __init__(
        self, match: Match, worker: Worker, limit: Limit | None = None, *, has_conspiracy: bool = True
    ) -> None:
        """:param match: must not change any more.
        :param worker: does one review after another: what is compiled can't be interrupted.
        :param limit: for each position; default: the reviewer's own.
        :param has_conspiracy: whether there are conspiracy numbers, which take as long again.
        """
        self._limit = limit
        self._has_conspiracy = has_conspiracy
        self.trouble = ""
        """Why there is no review, or no more of it, in a sentence."""
        self.has_begun = False
        self.is_working = False
        """Whether more may be found."""
        self.review: Review | None = None
        """The review so far; None while there is nothing yet."""
        self._match = match
        self._worker = worker
        self._reviewer: Reviewer | None = None
        self._is_stopped = False

    def start(self) -> None:
        """Begin to review, as soon as the reviews before have ended."""
        self.has_begun = self.is_working = True
        self._worker.submit(self._run)

    def stop(self) -> None:
        """Stop within milliseconds; only a compilation can't be interrupted."""
        self._is_stopped = True
        reviewer = self._reviewer
        if reviewer is not None:
            reviewer.stop()

    def _run(self) -> None:
        try:
            if not self._is_stopped:
                self._go_through()
        finally:
            self._reviewer = None  # its tables are large
            self.is_working = False

    def _go_through(self) -> None:
        import_module("papan.ai.coach")  # so that the window finds it loaded
        from papan.ai.indicators.conspiracy import TURNS
        from papan.ai.review import Reviewer, ReviewError

        try:
            turns = TURNS if self._has_conspiracy else None
            self._reviewer = Reviewer(self._match, self._limit, conspiracy_turns=turns)
            self._note(self._reviewer.review)
            self._reviewer.run(self._note)
        except ReviewError as error:
            self.trouble = str(error)
        except Exception as error:
            log.exception("A match can't be reviewed")
            self.trouble = f"{type(error).__name__}: {error}"

    def _note(self, review: Review) -> None:
        self.review = review
        if self._is_stopped and self._reviewer is not None:  # before the reviewer had begun
            self._reviewer.stop()


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
