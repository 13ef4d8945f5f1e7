"""Reviews in the background, read once a frame: a whole one, and a quick one for the moments that decided a match."""

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
        import_module("papan.ai.reviews.coach")  # so that the window finds it loaded
        from papan.ai.indicators.conspiracy import TURNS
        from papan.ai.reviews.reviewer import Reviewer, ReviewError

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
