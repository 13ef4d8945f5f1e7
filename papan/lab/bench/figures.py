"""Measured figures, beside those asked for on a machine of two cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papan.game.catalogue import GAMES
from papan.lab.printing import NUMBER, TEXT, table

Asked = Mapping[tuple[str, str | None], float]
"""What is asked for, by a figure's name and its game's, or None for each game."""


@dataclass(frozen=True)
class Measurement:
    """One figure that was measured."""

    name: str
    game: str | None
    value: float
    unit: str
    asked: float | None = None
    """What is asked for: at least for a speed, at most for all else; None where nothing is."""
    note: str = ""
    """What was done when it was measured, where that differs; why nothing is asked, where something else would be."""

    @property
    def is_speed(self) -> bool:
        """Whether more is better."""
        return self.unit.endswith("/s")

    @property
    def is_met(self) -> bool | None:
        """Whether the figure is as good as asked, or None where nothing is."""
        if self.asked is None:
            return None
        return self.value >= self.asked if self.is_speed else self.value <= self.asked


def measurement_of(asked: Asked, name: str, game: str | None, value: float, unit: str, note: str = "") -> Measurement:
    """The figure called *name*, with what *asked* has for it; *note* as for a ``Measurement``."""
    return Measurement(name, game, value, unit, asked.get((name, game), asked.get((name, None))), note)


def facts(figure: Measurement) -> dict[str, Any]:
    """*figure* for JSON."""
    return {
        "name": figure.name,
        "game": figure.game,
        "value": figure.value,
        "unit": figure.unit,
        "asked": figure.asked,
        "at": "least" if figure.is_speed else "most",
        "is_met": figure.is_met,
        "note": figure.note,
    }


def print_figures(figures: Sequence[Measurement]) -> None:
    """Print *figures* as a table."""
    verdicts = {True: "met", False: "MISSED", None: ""}
    rows = []
    for figure in figures:
        asked = "" if figure.asked is None else f"at {'least' if figure.is_speed else 'most'} {_number(figure.asked)}"
        game = GAMES[figure.game].title if figure.game else ""
        rows.append(
            (game, figure.name, _number(figure.value), figure.unit, asked, verdicts[figure.is_met], figure.note)
        )
    columns = (
        ("game", TEXT),
        ("figure", TEXT),
        ("measured", NUMBER),
        ("", TEXT),
        ("asked", NUMBER),
        ("", TEXT),
        ("", TEXT),
    )
    table(columns, rows)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"
