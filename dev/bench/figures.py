"""Measured figures, beside those asked for on a machine of two cores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papan.game.base.sentences import figures, say
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
        return self.unit.endswith("/s")

    @property
    def is_met(self) -> bool | None:
        if self.asked is None:
            return None
        return self.value >= self.asked if self.is_speed else self.value <= self.asked


def measurement_of(asked: Asked, name: str, game: str | None, value: float, unit: str, note: str = "") -> Measurement:
    return Measurement(name, game, value, unit, asked.get((name, game), asked.get((name, None))), note)


def facts(figure: Measurement) -> dict[str, Any]:
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


def print_figures(measured: Sequence[Measurement]) -> None:
    verdicts = {True: say("met"), False: say("MISSED"), None: ""}
    rows = []
    for figure in measured:
        game = GAMES[figure.game].title if figure.game else ""
        value, verdict = _number(figure.value), verdicts[figure.is_met]
        told = (figure.name, value, figure.unit)
        rows.append((game, *told, _asked(figure), verdict, figure.note))
    columns = (
        (say("game"), TEXT),
        (say("figure"), TEXT),
        (say("measured"), NUMBER),
        ("", TEXT),
        (say("asked"), NUMBER),
        ("", TEXT),
        ("", TEXT),
    )
    table(columns, rows)


def _asked(figure: Measurement) -> str:
    if figure.asked is None:
        return ""
    number = _number(figure.asked)
    return say("at least {number}", number=number) if figure.is_speed else say("at most {number}", number=number)


def _number(value: float) -> str:
    return figures(value, ",.0f") if value >= 1000 else figures(value, ".3g")
