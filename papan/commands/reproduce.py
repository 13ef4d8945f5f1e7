"""``reproduce``: reproduces a paper's table or figure and compares it with the published one."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papan.commands import fields
from papan.commands.common import ClusterOptions, Number, argument, command, option, part, print_json
from papan.commands.errors import failing, refusal, refusing
from papan.game.base.sentences import figures, joined, say
from papan.game.base.untrusted import plain_json, quoted, quoted_path
from papan.lab.files import OutputError, unwritable, write_whole
from papan.lab.printing import made_by, numbers, show, show_said, span, table, texts, working

if TYPE_CHECKING:
    from papan.lab.journal import Journal
    from papan.research.reproduction.experiment import Asked, Experiment, Findings, Table, Value
    from papan.research.reproduction.pools import Pool
    from papan.research.reproduction.running import Kept, PlanData, Ran

log = logging.getLogger(__name__)

_MARKS = {True: "✓", False: "≠", None: ""}


def _read_readings(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    for text in given:
        if not all(text.partition("=")):
            raise refusal("{option} is not valid: write --reading name=value.", option=quoted(f"--reading {text}"))
    return {name: value for name, _, value in (text.partition("=") for text in given)}


@dataclass(frozen=True)
class ReproduceRequest:
    name: str | None = argument(required=False)
    is_list: bool = option("List what can be reproduced.", is_flag=True, name="--list")
    scale: float | None = option(
        "Share of the paper's sample size, 1 for all of it; default: see --list.",
        Number(say("The scale"), 1e-6, 1000.0),
    )
    seed: int = fields.ANY_SEED
    readings: dict[str, str] = option(
        "Choose a reading where the paper leaves something open.",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_read_readings,
        name="--reading",
    )
    jobs: int | None = option("Work items to run at the same time; default: one per processor.", fields.JOBS)
    cluster: ClusterOptions = part(ClusterOptions)
    out: Path | None = option(
        "Write tables (JSON, CSV), charts (PNG) and the progress made to this folder.", fields.PATH, metavar="FOLDER"
    )
    as_json: bool = fields.AS_JSON


@command(ReproduceRequest)
def reproduce(asked: ReproduceRequest) -> None:
    """Reproduce a paper's table or figure.

    NAME is one of those that --list shows; the paper's figures are printed beside ours, with 95 % intervals. The same
    seed gives the same figures with any number of jobs, here or on a cluster. Progress is saved: after an interruption,
    the same command continues.
    """
    from papan.lab.journal import JournalError
    from papan.lab.workers import PoolError
    from papan.research.reproduction import running
    from papan.research.reproduction.experiment import Asked, NoExperimentError, complete_readings, facts, find
    from papan.research.reproduction.pools import cluster, threads

    if asked.name is None or asked.is_list:
        _print_list(asked.as_json)
        return
    asked.cluster.check(asked.jobs)
    with refusing(NoExperimentError, OutputError, JournalError):
        experiment = find(asked.name)
        scale = asked.scale or experiment.usual_scale
        settings = Asked(scale, asked.seed, complete_readings(experiment, asked.readings))
        if asked.out is None:
            place = running.usual_place(experiment, settings)
        else:
            try:
                asked.out.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise unwritable(asked.out, error) from None
            place = asked.out / f"{experiment.origin}.jsonl"
        journal = running.open_journal(experiment, settings, place)
    with ExitStack() as stack:
        stack.callback(journal.close)
        progress = stack.enter_context(working(say("preparing")))
        with refusing(PoolError):
            workers = asked.cluster.workers(stack)
            pool: Pool = threads(asked.jobs or os.cpu_count() or 1) if workers is None else cluster(workers)
        ran, findings = _computed(experiment, settings, journal, place, pool, progress)
        if asked.out is None:
            journal.remove()
    answer = facts(experiment, settings, findings, ran.seconds)
    if asked.out is not None:
        _write(experiment, answer, findings, asked.out)
    if asked.as_json:
        print_json(answer)
    else:
        _print(experiment, settings, findings, ran.seconds)


def _computed(
    experiment: Experiment,
    asked: Asked,
    journal: Journal[PlanData, Kept],
    place: Path,
    pool: Pool,
    progress: Callable[[str], None],
) -> tuple[Ran, Findings]:
    """Compute what the journal does not hold yet; return the run and its findings."""
    from papan.lab.journal import JournalError
    from papan.lab.workers import AnswerError, PoolError
    from papan.research.reproduction import running

    def tell(done: int, pieces: int) -> None:
        progress(say("{done} of {pieces} work items", done=figures(done), pieces=figures(pieces)))

    goes_on = any(True for _ in journal.entries())
    try:
        with failing(OutputError, PoolError), refusing(JournalError, AnswerError):
            ran = running.run(experiment, asked, journal, pool, tell)
            return ran, experiment.findings(asked, ran.found)
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        if not goes_on:
            raise
        log.warning("The work items of %s contradict each other", experiment.origin, exc_info=error)
        raise refusal(
            "The results in {file} contradict each other: delete it, or choose another folder.",
            file=quoted_path(place),
        ) from None


def _write(experiment: Experiment, answer: dict[str, Any], findings: Findings, out: Path) -> None:
    from importlib.util import find_spec

    from papan.commands.common import ARGUMENTS
    from papan.research.reproduction.experiment import as_csv

    arguments = click.get_current_context().meta.get(ARGUMENTS, ())
    how = made_by("reproduce", arguments, answer["seed"])
    picture = out / f"{experiment.name}.png"
    with failing(OutputError):
        write_whole(out / f"{experiment.name}.json", plain_json({**answer, **how}) + "\n")
        write_whole(out / f"{experiment.name}.csv", as_csv(findings))
        if findings.charts and find_spec("matplotlib") is not None:
            from papan.report.plots import draw_charts

            draw_charts(joined([experiment.paper, experiment.part], ", "), findings.charts, picture)


def _print_list(as_json: bool) -> None:
    from papan.research.reproduction.experiment import EXPERIMENTS, find

    experiments = [find(name) for name in EXPERIMENTS]
    if as_json:
        keys = ("name", "paper", "part", "duration", "usual_scale")
        print_json({"experiments": [{key: getattr(one, key) for key in keys} for one in experiments]})
        return
    columns = texts(say("name"), say("paper"), say("part"), say("full run takes")) + numbers(say("default scale"))
    table(columns, [(one.name, one.paper, one.part, one.duration, f"{one.usual_scale:g}") for one in experiments])
    show()
    show_said("✓: the paper's figure lies within our interval; ≠: it does not.")


def _print(experiment: Experiment, asked: Asked, findings: Findings, seconds: float) -> None:
    show(joined([experiment.paper, experiment.part], ", "))
    show_said(
        "scale {scale}, seed {seed}, {seconds} s of processor time",
        scale=f"{asked.scale:g}",
        seed=asked.seed,
        seconds=figures(seconds, ",.1f"),
    )
    for name, value in asked.readings.items():
        show(f"--reading {name}={value}")
    for one in findings.tables:
        show()
        show(one.title)
        _print_table(one)
    show()
    for note in experiment.notes(asked):
        show(note)


def _print_table(found: Table) -> None:
    columns = texts(say("case"), "") + numbers(say("the paper"), say("here"))
    has_difference = any(row.difference is not None for row in found.rows)
    has_interval = any(row.interval is not None for row in found.rows)
    if has_difference:
        columns += numbers(say("difference"))
    if has_interval:
        columns += numbers("95 %") + texts("")
    columns += numbers(say("of"))
    rows = []
    for row in found.rows:
        cells = [row.case, row.measure, _cell(row.published, found.form), _cell(row.ours, found.form)]
        if has_difference:
            cells.append("" if row.difference is None else figures(row.difference, "+" + found.form))
        if has_interval:
            cells += ["" if row.interval is None else span(row.interval, found.form), _MARKS[row.is_within]]
        rows.append([*cells, figures(row.number) if row.number else ""])
    table(columns, rows)


def _cell(value: Value, form: str) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else figures(value, form)
