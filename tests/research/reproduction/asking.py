"""What the tests of experiments share: one run small, and read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from papan.research.reproduction.experiment import Asked, Experiment, Findings, Row, complete_readings, find
from papan.research.reproduction.pools import threads
from papan.research.reproduction.running import open_journal, run


def asked_of(experiment: Experiment, scale: float, readings: Mapping[str, str] | None = None) -> Asked:
    """What is asked of *experiment*, the usual readings but for *readings*."""
    return Asked(scale, 0, complete_readings(experiment, readings or {}))


def found_by(name: str, scale: float, readings: Mapping[str, str], jobs: int = 1) -> Findings:
    """What comes of the experiment *name*; one that is made of the same pieces as another is not computed again."""
    experiment = find(name)
    asked = asked_of(experiment, scale, readings)
    return experiment.findings(asked, pieces_of(experiment, asked, jobs))


def pieces_of(experiment: Experiment, asked: Asked, jobs: int = 1) -> dict[str, Any]:
    """What is found for each piece, by its name; pieces that another experiment has too are not computed again."""
    key = (experiment.origin, asked.scale, jobs, *asked.readings.items())
    if key not in _found:
        _found[key] = run(experiment, asked, open_journal(experiment, asked, None), threads(jobs)).found
    return _found[key]


_found: dict[tuple[object, ...], dict[str, Any]] = {}


def settled(findings: Findings) -> list[list[Row]]:
    """The rows of all tables but those of times."""
    return [list(table.rows) for table in findings.tables if not table.is_timed]


def row_of(findings: Findings, case: str, measure: str) -> Row:
    """The one row about *measure* of *case*; in the first table that has one."""
    rows = [row for table in findings.tables for row in table.rows if (row.case, row.measure) == (case, measure)]
    assert rows, (case, measure)
    return rows[0]
