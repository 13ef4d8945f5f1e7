"""What came of an experiment for other programs: JSON, and tables with commas between."""

from __future__ import annotations

from typing import Any

from papan.lab.files import csv_text
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Row, Table

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
