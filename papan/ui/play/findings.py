"""What there is to say of a position's analysis, as it is to be shown: data, without a picture of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_LINES = 3
"""So many lines of play are shown at most."""


@dataclass(frozen=True)
class LineView:
    """One line of play."""

    score: str
    turns: tuple[str, ...]
    """In the game's notation."""
    result: str = ""
    """What is proven of it, in words, or ""."""


@dataclass(frozen=True)
class Balance:
    """Who is how near to winning, from the point of view of one seat."""

    seat: int
    rival: int | None
    """The seat whose chance is the rest; None where several share it."""
    chance: float
    """From 0 to 1."""
    score: str
    name: str
    """What to call the seat's player."""


@dataclass(frozen=True)
class AnalysisView:
    """All that the panel shows."""

    seat: int = 0
    """Whose scores the lines have: the seat to act."""
    figures: str = ""
    lines: tuple[LineView, ...] = ()
    note: str = ""
    """Why there is nothing to see yet, or nothing new."""
    balance: Balance | None = None
    footing: str = ""
    """Stands in the place of the chance, where there is none: an expected score."""
    proof: str = ""
    is_old: bool = False
    """Whether it is about a position before this one."""


def as_old(view: AnalysisView, note: str) -> AnalysisView:
    """*view* once the position is another: it stays to be read, and says why there is nothing new."""
    return replace(view, figures=note, proof="", is_old=True)
