"""The findings on a position as they are shown: data, without a picture of it."""

from __future__ import annotations

from dataclasses import dataclass, replace

MOST_LINES = 3
"""The largest number of lines of play that are shown."""


@dataclass(frozen=True)
class LineView:
    """One line of play."""

    score: str
    turns: tuple[str, ...]
    """The turns of the line, in the game's notation."""
    result: str = ""
    """The proven result, in words, or ""."""


@dataclass(frozen=True)
class Balance:
    """The winning chance of one seat, and who has the rest of it."""

    seat: int
    rival: int | None
    """The seat whose chance is the rest; None where several share it."""
    chance: float
    """From 0 to 1."""
    score: str
    name: str
    """The name of the seat's player."""
    is_by_proof: bool = False
    """Whether the chance is told by proof numbers; the score is the search's in any case."""


@dataclass(frozen=True)
class OpinionView:
    """What another program thinks of the position."""

    name: str
    words: str = ""
    """Its score and its depth, or why there are none."""
    turns: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnalysisView:
    """All that the panel of the analysis shows."""

    seat: int = 0
    """The seat to act, whose scores the lines have."""
    figures: str = ""
    lines: tuple[LineView, ...] = ()
    note: str = ""
    """Why there is nothing to see yet, or nothing new."""
    balance: Balance | None = None
    footing: str = ""
    """The expected score in words, shown where there is no winning chance."""
    proof: str = ""
    claim: str = ""
    """What is proved, as a sentence with all that it depends on; "" for nothing."""
    opinion: OpinionView | None = None
    """None where no other program is asked."""
    is_old: bool = False
    """Whether it is about a position before this one."""


def as_old(view: AnalysisView, note: str) -> AnalysisView:
    """*view* for a position that has passed: it stays to be read, and *note* says why there is nothing new."""
    return replace(view, figures=note, proof="", claim="", is_old=True)
