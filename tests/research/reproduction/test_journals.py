"""The journals that are kept of runs of hours: each gives what ``docs/papers.md`` shows of it, and all is computed."""

from __future__ import annotations

import re
import shutil
from collections.abc import Generator, Sequence
from pathlib import Path

from papan.research.reproduction.catalogue import find
from papan.research.reproduction.experiment import Asked, Experiment, Found, Piece, Table
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


def lines_of(tables: Sequence[Table]) -> list[str]:
    """How the page shows *tables*: a line for each case, with the paper's figures and ours."""
    cells = dict[str, list[str]]()
    for table in tables:
        for row in table.rows:
            assert isinstance(row.ours, float) and row.interval is not None
            if row.published is not None:
                cells.setdefault(row.case, []).append(format(float(row.published), table.form))
            ours, low, high = (format(figure, table.form) for figure in (row.ours, *row.interval))
            cells.setdefault(row.case, []).append(f"{ours} ({low}–{high})")
    return [f"| {case} | {' | '.join(figures)} |" for case, figures in cells.items()]


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
        for line in lines_of(experiment.findings(asked, found).tables):
            assert line in lines
