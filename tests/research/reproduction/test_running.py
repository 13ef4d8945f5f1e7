"""Experiments on their way: threads, breaks, larger runs that go on from smaller ones."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.lab.journal import JournalError
from papan.research.reproduction import running
from papan.research.reproduction.experiment import (
    EXPERIMENTS,
    Asked,
    Experiment,
    Findings,
    Found,
    NoExperimentError,
    Piece,
    Table,
    complete_readings,
    find,
)
from papan.research.reproduction.pools import Done, Stage, threads
from papan.research.reproduction.running import open_journal, run
from tests.conftest import ROOT
from tests.research.reproduction.asking import asked_of


class Interrupted(Exception):
    """As good as a kill."""


def squares(counted: list[str]) -> Experiment:
    """Two stages: squares, and then the sum of them; *counted* is told what is computed."""

    def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
        return [[Piece(f"square {n}", {"n": n}) for n in range(asked.count(8))], [Piece("sum", {})]]

    def compute(piece: Piece, asked: Asked, found: Found) -> Any:
        counted.append(piece.name)
        if piece.name == "sum":
            return sum(found.values())
        return piece.facts["n"] ** 2

    return Experiment("squares", "nobody", "nothing", "no time", stages, compute, lambda asked, found: Findings([]))


ALL = Asked(1.0, 0, {})


class TestRunning:
    def test_a_stage_sees_what_the_ones_before_have_found(self) -> None:
        for jobs in (1, 3):
            ran = run(squares([]), ALL, open_journal(squares([]), ALL, None), threads(jobs))
            assert ran.found["sum"] == 140 and ran.found["square 7"] == 49

    def test_it_goes_on_where_it_was_broken_off(self, tmp_path: Path) -> None:
        path, first, second = tmp_path / "journal", list[str](), list[str]()

        def break_off(done: int, pieces: int) -> None:
            if done == 4:
                raise Interrupted

        with pytest.raises(Interrupted):
            run(squares(first), ALL, open_journal(squares(first), ALL, path), threads(1), break_off)
        with path.open("ab") as half:
            half.write(b'{"piece":"square 7","fou')
        ran = run(squares(second), ALL, open_journal(squares(second), ALL, path), threads(1))
        assert ran.found["sum"] == 140 and len(second) == 5 and "square 3" not in second

    def test_a_larger_run_goes_on_from_a_smaller_one(self, tmp_path: Path) -> None:
        counted: list[str] = []
        half = replace(ALL, scale=0.5)
        experiment = replace(squares(counted), stages=lambda asked: squares([]).stages(asked)[:1])
        run(experiment, half, open_journal(experiment, half, tmp_path / "journal"), threads(1))
        ran = run(experiment, ALL, open_journal(experiment, ALL, tmp_path / "journal"), threads(1))
        assert len(counted) == len(ran.found) == 8

    def test_another_seed_is_another_plan(self, tmp_path: Path) -> None:
        open_journal(squares([]), ALL, tmp_path / "journal").close()
        with pytest.raises(JournalError, match=r"other settings \(seed"):
            open_journal(squares([]), replace(ALL, seed=1), tmp_path / "journal")


class TestCatalogue:
    @pytest.mark.parametrize("name", EXPERIMENTS)
    def test_every_experiment_says_what_it_is(self, name: str) -> None:
        experiment = find(name)
        asked = asked_of(experiment, 0.01)
        assert experiment.name == name and experiment.paper and experiment.part and experiment.duration
        assert experiment.notes(asked) and set(experiment.selecting) <= set(experiment.readings)
        names = [piece.name for stage in experiment.stages(asked) for piece in stage]
        assert names and len(set(names)) == len(names)
        larger = {piece.name for stage in experiment.stages(replace(asked, scale=0.02)) for piece in stage}
        assert names[0] in larger

    def test_nonsense_is_refused_in_words(self) -> None:
        with pytest.raises(NoExperimentError, match="There is no experiment 'pn'"):
            find("pn")
        othello = find("pn-othello")
        assert complete_readings(othello, {"nodes": "500"}) == {"nodes": "500"}
        for given, says in (
            ({"atlas": "gate"}, "no reading 'atlas'"),
            ({"nodes": "x"}, "whole number from 1 on"),
            ({"nodes": "0"}, "whole number from 1 on"),
        ):
            with pytest.raises(NoExperimentError, match=says):
                complete_readings(othello, given)
        with pytest.raises(NoExperimentError, match="can't be 'x'; it is one of both, literal, gate"):
            complete_readings(find("santorini-heuristics"), {"atlas": "x"})


JOURNALS = ROOT / "docs" / "journals"
COMMAND = re.compile(r"papan reproduce (\S+) --scale (\S+) --reading (\S+)=(\S+) --out docs/journals")


def nobody_works(stage: Stage) -> Generator[Done, None, None]:
    """A pool to which nothing may be left."""
    assert not stage.pieces
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


def test_a_kept_journal_gives_the_figures_that_the_page_links_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (ROOT / "docs" / "papers.md").read_text("utf-8")
    told = COMMAND.findall(page)
    assert told and {name for name, *_ in told} == {path.stem for path in JOURNALS.glob("*.jsonl")}
    for name, scale, reading, value in told:
        copy = Path(shutil.copy(JOURNALS / f"{name}.jsonl", tmp_path))
        with copy.open(encoding="utf-8") as journal:  # it took hours, and was not computed again for this version
            monkeypatch.setattr(running, "PROGRAM", json.loads(journal.readline())["plan"]["program"])
        experiment = find(name)
        asked = asked_of(experiment, float(scale), {reading: value})
        found = run(experiment, asked, open_journal(experiment, asked, copy), nobody_works).found
        with (ROOT / "docs" / "figures" / f"{name}.csv").open(encoding="utf-8", newline="") as figures:
            lines = [f"| {' | '.join(row)} |" for row in csv.reader(figures)]
        for line in lines_of(experiment.findings(asked, found).tables):
            assert line in lines
