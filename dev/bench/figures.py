"""Measured figures with their targets for a machine with two cores, and code shared by all measurements."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from papan.game.base.places import HOME_VARIABLE, KERNELS_VARIABLE
from papan.game.base.sentences import figures
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.lab.arena import opening
from papan.lab.printing import MADE_BY, NUMBER, TEXT, table

Asked = Mapping[tuple[str, str | None], float]
"""Targets by the names of a figure and a game; None stands for any game."""


@dataclass(frozen=True)
class Measurement:
    name: str
    game: str | None
    value: float
    unit: str
    asked: float | None = None
    """The target: a minimum for a speed, otherwise a maximum; None without a target."""
    note: str = ""
    """What was going on during the measurement, if that differs; or why a usual target is missing."""

    @property
    def is_speed(self) -> bool:
        return self.unit.endswith("/s")

    @property
    def is_met(self) -> bool | None:
        if self.asked is None:
            return None
        return self.value >= self.asked if self.is_speed else self.value <= self.asked


def measurement_of(asked: Asked, name: str, game: str | None, value: float, unit: str) -> Measurement:
    return Measurement(name, game, value, unit, asked.get((name, game), asked.get((name, None))))


def facts(figure: Measurement) -> dict[str, Any]:
    return {**asdict(figure), "at": _least_or_most(figure), "is_met": figure.is_met}


def print_figures(measured: Sequence[Measurement]) -> None:
    verdicts = {True: "met", False: "MISSED", None: ""}
    rows = []
    for figure in measured:
        game = GAMES[figure.game].title if figure.game else ""
        value, verdict = _number(figure.value), verdicts[figure.is_met]
        asked = "" if figure.asked is None else f"at {_least_or_most(figure)} {_number(figure.asked)}"
        rows.append((game, figure.name, value, figure.unit, asked, verdict, figure.note))
    empty = ("", TEXT)
    table((("game", TEXT), ("figure", TEXT), ("measured", NUMBER), empty, ("asked", NUMBER), empty, empty), rows)


def _least_or_most(figure: Measurement) -> str:
    return "least" if figure.is_speed else "most"


def _number(value: float) -> str:
    return figures(value, ",.0f") if value >= 1000 else figures(value, ".3g")


FRESH_PROCESS_SECONDS = 300


class FreshProcessError(Exception):
    """A process started for a measurement failed; the message is its output on standard error."""


def asked_of_fresh_process(words: Sequence[str], home: Path) -> dict[str, Any]:
    """The JSON that the command *words* prints, without ``MADE_BY``; *home* is its folder of the user's files."""
    environment = {**os.environ, HOME_VARIABLE: str(home)}
    environment.pop(KERNELS_VARIABLE, None)  # so that compiled kernels are kept in *home*, too
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=FRESH_PROCESS_SECONDS)
    if ran.returncode:
        raise FreshProcessError(ran.stderr.strip() or f"'{' '.join(words)}' ended with exit code {ran.returncode}.")
    answer: dict[str, Any] = json.loads(ran.stdout)
    answer.pop(MADE_BY, None)
    return answer


SETUPS: dict[str, dict[str, str]] = {"santorini": {"gods": "none", "placement": "random"}}
"""The options to measure a game with, if not the defaults."""


def starts(game: Game, number: int, options: Mapping[str, str] | None = None) -> list[Match]:
    """New matches with *number* seeds, with *options* or those in ``SETUPS``."""
    seats = [""] * game.seats[0]
    return [Match.new(game, seats, options or SETUPS.get(game.name), seed) for seed in range(number)]


def middles(game: Game, number: int) -> Iterator[Match]:
    """The unfinished ones among *number* matches after some random turns."""
    for match in starts(game, number):
        position = opening(match)
        if not position.ending:
            yield position
