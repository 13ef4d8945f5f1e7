"""What the home screen asks of whoever keeps the matches that were played before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Unfinished(Protocol):
    """A match that can be gone on with."""

    title: str
    subtitle: str

    def resume(self) -> None:
        """Go on with it."""

    def drop(self) -> None:
        """Give it up."""


class Result(Protocol):
    """A match that was finished."""

    title: str
    note: str
    outcome: str
    """``won``, ``lost``, ``draw``, or ``over`` where nobody in particular has won or lost."""

    def open(self) -> None:
        """Look at it again."""


class Library(Protocol):
    """What the home screen asks of the store of matches."""

    def unfinished(self) -> Unfinished | None:
        """The match to continue, if there is one."""

    def lately(self, most: int) -> Sequence[Result]:
        """The last finished matches, the latest first."""
