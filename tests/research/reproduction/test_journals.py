"""The journals that are kept of runs of hours: each gives what ``docs/papers.md`` shows of it, and all is computed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator, Sequence
from pathlib import Path

from papan.research.reproduction.catalogue import find
from papan.research.reproduction.experiment import Asked, Experiment, Found, Piece, Row
from papan.research.reproduction.pools import Done
from papan.research.reproduction.running import open_journal, run
from tests.conftest import ROOT
from tests.research.reproduction.asking import asked_of

JOURNALS = ROOT / "docs" / "journals"
COMMAND = re.compile(r"papan reproduce (\S+) --scale (\S+) --reading (\S+)=(\S+) --out docs/journals")


class NobodyWorks:
    """A pool to which nothing may be left."""

    def run(
        self, experiment: Experiment, asked: Asked, stage: Sequence[Piece], found: Found
    ) -> Generator[Done, None, None]:
        assert not stage
        yield from ()


def line_of(row: Row, form: str) -> str:
    """How the page shows a *row*."""
    assert isinstance(row.ours, float) and row.interval is not None
    figures = [format(row.ours, form)]
    if row.published is not None:
        figures = [format(float(row.published), form), *figures, format(row.ours - float(row.published), "+" + form)]
    low, high = (format(end, form) for end in row.interval)
    return f"| {row.case} | {row.measure} | {' | '.join(figures)} | {low} to {high} | {row.number} |"


def test_a_kept_journal_gives_what_the_page_shows(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "papers.md").read_text("utf-8")
    told = COMMAND.findall(page)
    assert told and {name for name, *_ in told} == {path.stem for path in JOURNALS.glob("*.jsonl")}
    for name, scale, reading, value in told:
        copy = Path(shutil.copy(JOURNALS / f"{name}.jsonl", tmp_path))
        experiment = find(name)
        asked = asked_of(experiment, float(scale), {reading: value})
        found = run(experiment, asked, open_journal(experiment, asked, copy), NobodyWorks()).found
        lines = page.splitlines()
        for table in experiment.findings(asked, found).tables:
            for row in table.rows:
                assert line_of(row, table.form) in lines
