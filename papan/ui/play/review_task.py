"""A review in the background, polled once a frame: a whole one, or a quick one for a match's key moments."""

from __future__ import annotations

import logging
from importlib import import_module
from typing import TYPE_CHECKING

from papan.ai.limits import Limit
from papan.ai.thinking.thinker import Worker
from papan.game.match import Match

if TYPE_CHECKING:
    from papan.ai.reviews.reviewer import Review, Reviewer

log = logging.getLogger(__name__)


class ReviewTask:
    """Reviews one match; ``review`` is the result so far. Call its methods on the window's thread."""

    def __init__(
        self, match: Match, worker: Worker, limit: Limit | None = None, *, has_conspiracy: bool = True
    ) -> None:
        """:param match: must not change any more.
        :param worker: does one review after another: a compilation can't be interrupted.
        :param limit: for each position; default: the reviewer's own.
        :param has_conspiracy: whether to compute conspiracy numbers, which doubles the time.
        """
        self._limit = limit
        self._has_conspiracy = has_conspiracy
        self.trouble = ""
        """Why the review has failed, as a sentence."""
        self.has_begun = False
        self.is_working = False
        """Whether more results may come."""
        self.review: Review | None = None
        """The review so far; None before the first result."""
        self._match = match
        self._worker = worker
        self._reviewer: Reviewer | None = None
        self._is_stopped = False

    def start(self) -> None:
        """Begin once the worker's earlier reviews have ended."""
        self.has_begun = self.is_working = True
        self._worker.submit(self._run)

    def stop(self) -> None:
        """Stop within milliseconds, or after the compilation."""
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
        import_module("papan.ai.reviews.coach")  # the window needs it next
        from papan.ai.indicators.conspiracy import TURNS
        from papan.ai.reviews.reviewer import Reviewer, ReviewError

        try:
            turns = TURNS if self._has_conspiracy else None
            self._reviewer = Reviewer(self._match, self._limit, conspiracy_turns=turns)
            self._take(self._reviewer.review)
            self._reviewer.run(self._take)
        except ReviewError as error:
            self.trouble = str(error)
        except Exception as error:
            log.exception("A match can't be reviewed")
            self.trouble = f"{type(error).__name__}: {error}"

    def _take(self, review: Review) -> None:
        self.review = review
        if self._is_stopped and self._reviewer is not None:  # stopped before the reviewer existed
            self._reviewer.stop()
