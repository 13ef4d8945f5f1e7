"""What the analysis panel and the evaluation bar show, as data."""

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
    """The winning chance of one seat, and who has the rest."""

    seat: int
    rival: int | None
    """The seat with the rest of the chance; None: several share it."""
    chance: float
    """From 0 to 1."""
    score: str
    name: str
    """The name of the seat's player."""
    is_by_proof: bool = False
    """Whether the chance comes from proof numbers; the score is always the search's."""


@dataclass(frozen=True)
class OpinionView:
    """Another engine's evaluation."""

    name: str
    words: str = ""
    """Its score and depth, or its error."""
    turns: tuple[str, ...] = ()


@dataclass(frozen=True)
class AnalysisView:
    """The content of the analysis panel."""

    seat: int = 0
    """The seat to act; the lines' scores are its."""
    figures: str = ""
    lines: tuple[LineView, ...] = ()
    note: str = ""
    """Why there is nothing to show yet."""
    balance: Balance | None = None
    footing: str = ""
    """The expected score in words, shown where there is no winning chance."""
    proof: str = ""
    claim: str = ""
    """What is proved, with all conditions, as a sentence; "" for nothing."""
    opinion: OpinionView | None = None
    """None: no other engine is asked."""
    is_old: bool = False
    """Whether it is about an earlier position."""


def as_old(view: AnalysisView, note: str) -> AnalysisView:
    """Return *view* marked as about an earlier position, with *note* in place of its figures."""
    return replace(view, figures=note, proof="", claim="", is_old=True)
