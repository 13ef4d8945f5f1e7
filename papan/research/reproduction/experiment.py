"""The experiments of the papers by name, and what each is made of: independent pieces of work, tables of findings."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, isnan
from statistics import fmean, variance
from typing import Any, NamedTuple

from papan.game.base.foreign import quoted, whole_number
from papan.game.base.sentences import say
from papan.lab.files import csv_text
from papan.lab.statistics import mean_interval, wilson

Found = Mapping[str, Any]
"""What came of each piece, by its name: what JSON can hold."""
Value = float | str | None
"""A figure, a statement, or nothing where there is none."""

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Asked:
    """What was asked of an experiment: all that its figures depend on."""

    scale: float
    """The share of the paper's own size; 1 for all of it, more for more than that."""
    seed: int
    readings: Mapping[str, str]
    """How the paper is read where it can be read in several ways: a value for each name."""

    def count(self, full: int) -> int:
        """How many things to do of which the paper does *full*: one at least.

        >>> Asked(0.1, 0, {}).count(200), Asked(0.001, 0, {}).count(20)
        (20, 1)
        """
        return max(1, ceil(self.scale * full - 1e-9))

    def number(self, reading: str) -> int:
        """The *reading*, which is a number."""
        return int(self.readings[reading])

    def draw(self, *words: str | int) -> int:
        """A seed of its own, below 2**31, for what *words* name: the same whoever computes it, and when."""
        text = " ".join(map(str, (self.seed, *words)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) >> 1


class Piece(NamedTuple):
    """A piece of work."""

    name: str
    """Which no other piece has, and which does not depend on the scale: a larger run goes on from a smaller one."""
    facts: Mapping[str, Any]
    """What ``compute`` is told."""


class Row(NamedTuple):
    """A figure or a statement of the paper, and what came of it here."""

    case: str
    measure: str
    published: Value
    ours: Value
    interval: tuple[float, float] | None = None
    """At 95 %, for ours."""
    number: int = 0
    """Of how many games, positions, cases."""

    @property
    def difference(self) -> float | None:
        """Ours less the paper's, where both are figures."""
        if isinstance(self.published, float | int) and isinstance(self.ours, float | int):
            return self.ours - self.published
        return None

    @property
    def is_within(self) -> bool | None:
        """Whether the paper's figure lies within our interval; None where there is nothing to compare."""
        if self.difference is None or self.interval is None:
            return None
        assert isinstance(self.published, float | int)
        low, high = self.interval
        return low - _ROUNDING <= self.published <= high + _ROUNDING


@dataclass(frozen=True)
class Table:
    """Rows of one kind."""

    title: str
    rows: Sequence[Row]
    form: str = ",.3f"
    """How its figures are written."""
    is_timed: bool = False
    """Whether these are times, which depend on the machine: the same seed need not give them again."""


class Line(NamedTuple):
    """A curve of a chart."""

    name: str
    points: Sequence[tuple[float, float]]
    is_published: bool = False


@dataclass(frozen=True)
class Chart:
    """What is drawn, as the paper draws it."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    note: str = ""
    is_logarithmic: bool = False
    """Across."""


@dataclass(frozen=True)
class Findings:
    """What came of an experiment."""

    tables: Sequence[Table]
    charts: Sequence[Chart] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    """More that JSON is to have."""


def _none(asked: Asked) -> Sequence[str]:
    return ()


@dataclass(frozen=True)
class Experiment:
    """A table or a figure of a paper, and how it is made again."""

    name: str
    paper: str
    """Author and year."""
    part: str
    """Which table, figure or section."""
    duration: str
    """How long all of it takes, in words."""
    stages: Callable[[Asked], Sequence[Sequence[Piece]]]
    """The pieces; those of a stage may need what was found in the stages before, and nothing else."""
    compute: Callable[[Piece, Asked, Found], Any]
    """What comes of a piece: what JSON can hold."""
    findings: Callable[[Asked, Found], Findings]
    readings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Where the paper can be read in several ways: by name the values, the usual one first. A single value that is a
    number stands for any whole number."""
    selecting: Sequence[str] = ()
    """Those readings that only say which pieces there are, and change none of them."""
    notes: Callable[[Asked], Sequence[str]] = _none
    """The readings that were chosen, as sentences."""
    usual_scale: float = 1.0
    source: str = ""
    """Experiments with the same source are made of the same pieces, and go on from each other's."""
    answer: Any = Any
    """The type of what comes of each piece, by which ``msgspec`` tells what a journal can't hold."""

    @property
    def origin(self) -> str:
        """What its pieces are called after."""
        return self.source or self.name


# ---------------------------------------------------------------------------------------- figures


def share_row(case: str, measure: str, published: Value, counted: int, number: int) -> Row:
    """The share *counted* of *number*, in %, with Wilson's interval."""
    if not number:
        return Row(case, measure, published, None)
    low, high = wilson(counted / number, number)
    return Row(case, measure, published, 100 * counted / number, (100 * low, 100 * high), number)


def mean_row(case: str, measure: str, published: Value, values: Sequence[float]) -> Row:
    """The mean of independent *values*, with its interval; none for a single one."""
    values = [value for value in values if not isnan(value)]
    if not values:
        return Row(case, measure, published, None)
    mean = fmean(values)
    interval = mean_interval(mean, variance(values, mean), len(values)) if len(values) > 1 else None
    return Row(case, measure, published, mean, interval, len(values))


HEADINGS = (
    "table", "case", "measure", "published", "ours", "difference", "low", "high", "number", "published_is_within",
)  # fmt: skip


def facts(experiment: Experiment, asked: Asked, findings: Findings, seconds: float) -> dict[str, Any]:
    """What JSON can hold: tables, which the seed settles, and beside them times, which it does not."""
    return {
        "experiment": experiment.name,
        "paper": experiment.paper,
        "part": experiment.part,
        "scale": asked.scale,
        "seed": asked.seed,
        "readings": dict(asked.readings),
        "notes": list(map(str, experiment.notes(asked))),
        "tables": [_table_facts(table) for table in findings.tables if not table.is_timed],
        **findings.extra,
        "times": [_table_facts(table) for table in findings.tables if table.is_timed],
        "processor_seconds": round(seconds, 2),
    }


def as_csv(findings: Findings) -> str:
    """All tables as one, a line for each row."""
    rows = (
        (
            table.title, row.case, row.measure, row.published, row.ours, row.difference,
            *(row.interval or (None, None)), row.number, row.is_within,
        )
        for table in findings.tables
        for row in table.rows
    )  # fmt: skip
    return csv_text([HEADINGS, *rows])


def _table_facts(table: Table) -> dict[str, Any]:
    return {"title": str(table.title), "rows": [_row_facts(row) for row in table.rows]}


def _row_facts(row: Row) -> dict[str, Any]:
    return {
        "case": row.case,
        "measure": row.measure,
        "published": row.published,
        "ours": row.ours,
        "difference": row.difference,
        "interval_95": None if row.interval is None else list(row.interval),
        "number": row.number,
        "published_is_within": row.is_within,
    }


EXPERIMENTS: Mapping[str, str] = {
    "santorini-heuristics": "santorini_heuristics",
    "santorini-gods": "santorini_gods",
    "santorini-god-tuning": "santorini_god_tuning",
    "santorini-variants": "santorini_variants",
    "santorini-atlas": "santorini_atlas",
    "santorini-ga": "santorini_ga",
    "santorini-choices": "santorini_choices",
    "cifra-levels": "cifra_levels",
    "cifra-listing": "cifra_listing",
    "catur-jawa-agents": "catur_jawa_agents",
    "catur-jawa-luck": "catur_jawa_luck",
    "catur-jawa-endings": "catur_jawa_endings",
    "catur-jawa-excitement": "catur_jawa_excitement",
    "pn-ptree": "pn_ptree",
    "pn-connect-four": "pn_connect_four",
    "pn-othello": "proofs",
    "pn-2048": "pn_2048",
    "expectimax-2048": "games_2048:EXPECTIMAX",
    "scn-2048": "games_2048:CONSPIRACY",
    "motion-2048": "games_2048:MOTION",
    "scn-games": "scn_games",
    "traps": "traps",
}
"""The module of each, in this package, and its name there where that is not ``EXPERIMENT``."""

MOST_READING = 10**12


class NoExperimentError(ValueError):
    """There is no such experiment, or it can't be read so; the message is a sentence that says why."""


def find(name: str) -> Experiment:
    """The experiment called *name*.

    :raises NoExperimentError: there is none.
    """
    if name not in EXPERIMENTS:
        raise NoExperimentError(
            say(
                "There is no experiment {name}; choose from {known}.",
                name=quoted(name),
                known=", ".join(EXPERIMENTS),
            )
        )
    module, _, own_name = EXPERIMENTS[name].partition(":")
    place = importlib.import_module(f"papan.research.reproduction.{module}")
    found: Experiment = getattr(place, own_name or "EXPERIMENT")
    return found


def complete_readings(experiment: Experiment, given: Mapping[str, str]) -> dict[str, str]:
    """*given* and, for all else, the usual readings.

    :raises NoExperimentError: a reading that the experiment does not have.
    """
    for name, value in given.items():
        if name not in experiment.readings:
            raise NoExperimentError(
                say(
                    "{experiment} has no reading {name}; there are {known}.",
                    experiment=experiment.name,
                    name=quoted(name),
                    known=", ".join(experiment.readings) or say("none"),
                )
            )
        values = experiment.readings[name]
        if _is_number(values):
            number = whole_number(value)
            if number is None or not 1 <= number <= MOST_READING:
                raise NoExperimentError(
                    say("The reading {name} is a whole number from 1 on, not {value}.", name=name, value=quoted(value))
                )
        elif value not in values:
            raise NoExperimentError(
                say(
                    "The reading {name} can't be {value}; it is one of {known}.",
                    name=name,
                    value=quoted(value),
                    known=", ".join(values),
                )
            )
    return {name: given.get(name, values[0]) for name, values in experiment.readings.items()}


def _is_number(values: object) -> bool:
    return isinstance(values, tuple | list) and len(values) == 1 and whole_number(values[0]) is not None
