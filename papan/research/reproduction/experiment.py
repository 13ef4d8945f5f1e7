"""Experiments: the catalogue by name, and their parts: independent pieces of work, and tables of findings."""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import ceil, inf, isnan
from statistics import fmean, variance
from typing import Any, NamedTuple

from papan.game.base.sentences import SentenceError, say
from papan.game.base.untrusted import quoted, whole_number
from papan.lab.files import csv_text
from papan.lab.statistics import mean_interval, wilson

Found = Mapping[str, Any]
"""The results of pieces by name, as JSON data."""
Value = float | str | None
"""A figure, a statement, or nothing."""

_ROUNDING = 1e-9


@dataclass(frozen=True)
class Asked:
    """The settings of a run, which determine all figures."""

    scale: float
    """The share of the paper's sample size; above 1 for larger samples."""
    seed: int
    readings: Mapping[str, str]
    """The chosen interpretations of the paper, by name."""

    def count(self, full: int) -> int:
        """The sample size at this scale where the paper's is *full*, at least one.

        >>> Asked(0.1, 0, {}).count(200), Asked(0.001, 0, {}).count(20)
        (20, 1)
        """
        return max(1, ceil(self.scale * full - 1e-9))

    def number(self, reading: str) -> int:
        """The value of a numeric *reading*."""
        return int(self.readings[reading])

    def chosen(self, reading: str, every: Sequence[str]) -> Sequence[str]:
        """The value of *reading*, or *every* one for ``all``."""
        value = self.readings[reading]
        return every if value == "all" else (value,)

    def draw(self, *words: str | int) -> int:
        """A seed below 2**31 for the purpose named by *words*; it depends only on them and the run's seed."""
        text = " ".join(map(str, (self.seed, *words)))
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) >> 1


class Piece(NamedTuple):
    """A piece of work."""

    name: str
    """Unique, and independent of the scale, so that a larger run continues a smaller one."""
    facts: Mapping[str, Any]
    """The arguments of ``compute``."""

    @classmethod
    def every(cls, form: str, **axes: Iterable[Any]) -> list[Piece]:
        """A piece for each combination of values of *axes*: these are its facts, and fill the *form* of its name.

        >>> [piece.name for piece in Piece.every("{game} {number}", game=("cifra", "othello"), number=range(2))]
        ['cifra 0', 'cifra 1', 'othello 0', 'othello 1']
        """
        facts = (dict(zip(axes, values, strict=True)) for values in product(*axes.values()))
        return [cls(form.format(**each), each) for each in facts]


class Row(NamedTuple):
    """A figure or statement of the paper, and ours."""

    case: str
    measure: str
    published: Value
    ours: Value
    interval: tuple[float, float] | None = None
    """The 95 % interval of ours."""
    number: int = 0
    """The number of games, positions or cases."""

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's, if both are figures."""
        if isinstance(self.published, float | int) and isinstance(self.ours, float | int):
            return self.ours - self.published
        return None

    @property
    def is_within(self) -> bool | None:
        """Whether the paper's figure lies within our interval; None if there is nothing to compare."""
        if self.difference is None or self.interval is None:
            return None
        assert isinstance(self.published, float | int)
        low, high = self.interval
        return low - _ROUNDING <= self.published <= high + _ROUNDING


@dataclass
class Table:
    """Rows of one kind."""

    title: str
    form: str = ",.3f"
    """The format of its figures."""
    is_timed: bool = False
    """Whether its figures are times, which depend on the machine and not on the seed."""
    rows: list[Row] = field(default_factory=list)

    def add(self, *facts: Any) -> None:
        """Add a ``Row`` of *facts*."""
        self.rows.append(Row(*facts))

    def share(self, case: str, measure: str, published: Value, counted: int, number: int) -> None:
        """Add the share *counted* / *number* in %, with Wilson's interval."""
        self.rows.append(share_row(case, measure, published, counted, number))

    def mean(self, case: str, measure: str, published: Value, values: Sequence[float]) -> None:
        """Add the mean of independent *values* and, for more than one, its interval."""
        self.rows.append(mean_row(case, measure, published, values))


class Line(NamedTuple):
    """A curve of a chart."""

    name: str
    points: Sequence[tuple[float, float]]
    is_published: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart, drawn as in the paper."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    note: str = ""
    is_logarithmic: bool = False
    """Whether the x axis is logarithmic."""


@dataclass(frozen=True)
class Findings:
    """The results of an experiment."""

    tables: Sequence[Table]
    charts: Sequence[Chart] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Additional JSON fields."""


@dataclass(frozen=True)
class Experiment:
    """A table or figure of a paper, and how to reproduce it."""

    name: str
    paper: str
    """Author and year."""
    part: str
    """The table, figure or section."""
    duration: str
    """How long a full run takes, in words."""
    stages: Callable[[Asked], Sequence[Sequence[Piece]]]
    """The pieces in stages; a piece may use the results of earlier stages only."""
    compute: Callable[[Piece, Asked, Found], Any]
    """Computes a piece's result, as JSON data."""
    findings: Callable[[Asked, Found], Findings]
    readings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Possible interpretations of the paper: values by name, the default first. A single numeric value stands for any
    whole number."""
    selecting: Sequence[str] = ()
    """Readings that only select pieces, without changing them."""
    notes: Callable[[Asked], Sequence[str]] = lambda asked: ()
    """The chosen readings, as sentences."""
    usual_scale: float = 1.0
    source: str = ""
    """Experiments with the same source share their pieces and results."""
    answer: Any = Any
    """The type of a piece's result, for ``msgspec``'s check of journals."""

    @property
    def origin(self) -> str:
        """The name under which its pieces are stored."""
        return self.source or self.name


# ---------------------------------------------------------------------------------------- figures


def share_row(case: str, measure: str, published: Value, counted: int, number: int) -> Row:
    """A row with the share *counted* / *number* in %, and Wilson's interval."""
    if not number:
        return Row(case, measure, published, None)
    low, high = wilson(counted / number, number)
    return Row(case, measure, published, 100 * counted / number, (100 * low, 100 * high), number)


def mean_row(case: str, measure: str, published: Value, values: Sequence[float]) -> Row:
    """A row with the mean of independent *values* and, for more than one, its interval.

    Where no value is below 0, neither is the interval: such values count, measure times, or are shares. Where the
    *measure* is in %, it ends at 100.
    """
    values = [value for value in values if not isnan(value)]
    if not values:
        return Row(case, measure, published, None)
    mean = fmean(values)
    interval = mean_interval(mean, variance(values, mean), len(values)) if len(values) > 1 else None
    if interval is not None and min(values) >= 0:
        interval = max(0.0, interval[0]), min(interval[1], 100.0 if "%" in measure else inf)
    return Row(case, measure, published, mean, interval, len(values))


HEADINGS = (
    "table", "case", "measure", "published", "ours", "difference", "low", "high", "number", "published_is_within",
)  # fmt: skip


def facts(experiment: Experiment, asked: Asked, findings: Findings, seconds: float) -> dict[str, Any]:
    """The findings as JSON data; times, which the seed does not determine, are separate from other tables."""
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
    """All tables as one CSV table."""
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
    "santorini-readings": "santorini_readings",
    "santorini-gods": "santorini_gods",
    "santorini-god-tuning": "santorini_god_tuning",
    "santorini-variants": "santorini_variants",
    "santorini-atlas": "santorini_atlas",
    "santorini-gadgets": "santorini_gadgets",
    "santorini-ga": "santorini_ga",
    "santorini-choices": "santorini_choices",
    "alpha-beta": "alpha_beta",
    "santorini-placements": "santorini_placements",
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
    "milestones-2048": "games_2048:MILESTONE",
    "escapes-2048": "games_2048:ESCAPES",
    "scn-depths": "scn_games:DEPTHS",
    "scn-games": "scn_games",
    "traps": "traps",
}
"""The module of each in this package, and its name there if that is not ``EXPERIMENT``."""

MOST_READING = 10**12


class NoExperimentError(SentenceError, ValueError):
    """There is no such experiment or reading; the message is a sentence that says why."""


def find(name: str) -> Experiment:
    """The experiment *name*.

    :raises NoExperimentError: there is none.
    """
    if name not in EXPERIMENTS:
        raise NoExperimentError.saying(
            "There is no experiment {name}; choose from {known}.",
            name=quoted(name),
            known=", ".join(EXPERIMENTS),
        )
    module, _, own_name = EXPERIMENTS[name].partition(":")
    place = importlib.import_module(f"papan.research.reproduction.{module}")
    found: Experiment = getattr(place, own_name or "EXPERIMENT")
    return found


def complete_readings(experiment: Experiment, given: Mapping[str, str]) -> dict[str, str]:
    """The readings *given*, and the defaults of all others.

    :raises NoExperimentError: the experiment does not have such a reading or value.
    """
    for name, value in given.items():
        if name not in experiment.readings:
            raise NoExperimentError.saying(
                "{experiment} has no reading {name}; there are {known}.",
                experiment=experiment.name,
                name=quoted(name),
                known=", ".join(experiment.readings) or say("none"),
            )
        values = experiment.readings[name]
        if _is_number(values):
            number = whole_number(value)
            if number is None or not 1 <= number <= MOST_READING:
                raise NoExperimentError.saying(
                    "The reading {name} must be a whole number from 1 on, not {value}.", name=name, value=quoted(value)
                )
        elif value not in values:
            raise NoExperimentError.saying(
                "The reading {name} can't be {value}; it is one of {known}.",
                name=name,
                value=quoted(value),
                known=", ".join(values),
            )
    return {name: given.get(name, values[0]) for name, values in experiment.readings.items()}


def _is_number(values: object) -> bool:
    return isinstance(values, tuple | list) and len(values) == 1 and whole_number(values[0]) is not None
