"""``reproduce``: a paper's table or figure made again, and shown beside what was published."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papan.commands.common import SEED, Failure, Number, Refusal, WholeNumber, json_option, print_json
from papan.commands.elsewhere import check_elsewhere, cluster_options, workers_at
from papan.game.base.foreign import quoted, quoted_path
from papan.game.base.sentences import figures, joined, say

if TYPE_CHECKING:
    from papan.lab.journal import Journal
    from papan.research.reproduction.experiment import Asked, Experiment, Findings, Row, Table, Value
    from papan.research.reproduction.pools import Pool
    from papan.research.reproduction.running import Kept, PlanData, Ran

log = logging.getLogger(__name__)

LEAST_SCALE, MOST_SCALE = 1e-6, 1000.0
MOST_JOBS = 256
_MARKS = {True: "✓", False: "≠", None: ""}


def _read_readings(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[str, str]:
    readings: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise Refusal(
                say("{option} makes no sense: write --reading name=value.", option=quoted(f"--reading {text}"))
            )
        readings[name] = value
    return readings


@click.command()
@click.argument("name", required=False)
@click.option("--list", "is_list", is_flag=True, help="Say what can be reproduced.")
@click.option(
    "--scale",
    type=Number(say("The scale"), LEAST_SCALE, MOST_SCALE),
    help="The share of the paper's own size, 1 for all; default: what --list says.",
)
@click.option("--seed", type=SEED, default="0", show_default=True, help="Settles all that is random.")
@click.option(
    "--reading",
    "readings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_read_readings,
    help="How to read the paper where it leaves something open.",
)
@click.option(
    "--jobs",
    type=WholeNumber(say("The number of jobs"), 1, MOST_JOBS),
    help="Pieces of work at a time; default: one for each processor.",
)
@cluster_options
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write tables as JSON and CSV, charts as PNG, and what was done, into this folder.",
)
@json_option
def reproduce(
    name: str | None,
    is_list: bool,
    scale: float | None,
    seed: int,
    readings: dict[str, str],
    jobs: int | None,
    cluster: str | None,
    tls_ca_file: str | None,
    tls_cert: str | None,
    tls_key: str | None,
    tls_host: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make a paper's table or figure again.

    NAME is one of those that --list says; the paper's figures stand beside ours, with intervals of 95 %. The same seed
    gives the same figures with any number of jobs, here or on a cluster. What was done is kept: if interrupted, the
    same command goes on.
    """
    from papan.lab.files import OutputError
    from papan.lab.journal import JournalError
    from papan.lab.printing import working
    from papan.lab.workers import PoolError
    from papan.research.reproduction import running
    from papan.research.reproduction.answers import facts
    from papan.research.reproduction.catalogue import NoExperimentError, complete_readings, find
    from papan.research.reproduction.experiment import Asked
    from papan.research.reproduction.pools import Cluster, Threads

    if name is None or is_list:
        _print_list(as_json)
        return
    tls = (tls_ca_file, tls_cert, tls_key, tls_host)
    check_elsewhere(jobs, cluster, tls)
    try:
        experiment = find(name)
        asked = Asked(scale or experiment.usual_scale, seed, complete_readings(experiment, readings))
        place = running.usual_place(experiment, asked) if out is None else _folder(out) / f"{experiment.origin}.jsonl"
        journal = running.open_journal(experiment, asked, place)
    except (NoExperimentError, OutputError, JournalError) as error:
        raise Refusal(str(error)) from None
    with ExitStack() as stack:
        stack.callback(journal.close)
        progress = stack.enter_context(working(say("preparing")))
        try:
            pool: Pool = (
                Threads(jobs or os.cpu_count() or 1) if cluster is None else Cluster(workers_at(stack, cluster, tls))
            )
        except PoolError as error:
            raise Refusal(str(error)) from None
        ran, findings = _computed(experiment, asked, journal, place, pool, progress)
        if out is None:
            journal.remove()
    answer = facts(experiment, asked, findings, ran.seconds)
    if out is not None:
        _write(experiment, answer, findings, out)
    if as_json:
        print_json(answer)
    else:
        _print(experiment, asked, findings, ran.seconds)


def _computed(
    experiment: Experiment,
    asked: Asked,
    journal: Journal[PlanData, Kept],
    place: Path,
    pool: Pool,
    progress: Callable[[str], None],
) -> tuple[Ran, Findings]:
    """What was computed now and before, and what comes of it."""
    from papan.lab.files import OutputError
    from papan.lab.journal import JournalError
    from papan.lab.workers import AnswerError, PoolError
    from papan.research.reproduction import running

    def tell(done: int, pieces: int) -> None:
        progress(say("{done} of {pieces} pieces", done=figures(done), pieces=figures(pieces)))

    goes_on = any(True for _ in journal.entries())
    try:
        ran = running.run(experiment, asked, journal, pool, tell)
        return ran, experiment.findings(asked, ran.found)
    except (JournalError, AnswerError) as error:
        raise Refusal(str(error)) from None
    except (OutputError, PoolError) as error:
        raise Failure(str(error)) from None
    except (ValueError, LookupError, TypeError, ArithmeticError) as error:
        if not goes_on:
            raise
        log.warning("The pieces of %s don't go together", experiment.origin, exc_info=error)
        name = quoted_path(place)
        raise Refusal(
            say("The results in {file} contradict each other: delete it, or choose another folder.", file=name)
        ) from None


def _folder(out: Path) -> Path:
    """:raises OutputError: there is no folder *out*, and none can be made."""
    from papan.lab.files import unwritable

    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(out, error) from None
    return out


def _write(experiment: Experiment, answer: dict[str, Any], findings: Findings, out: Path) -> None:
    """Write what was found into the folder *out*."""
    from importlib.util import find_spec

    from papan.commands.common import ARGUMENTS
    from papan.game.base.foreign import plain_json
    from papan.lab.files import OutputError, unwritable, write_whole
    from papan.lab.made_by import made_by
    from papan.research.reproduction.answers import as_csv

    arguments = click.get_current_context().meta.get(ARGUMENTS, ())
    how = made_by("reproduce", arguments, answer["seed"])
    picture = out / f"{experiment.name}.png"
    try:
        write_whole(out / f"{experiment.name}.json", plain_json({**answer, **how}) + "\n")
        write_whole(out / f"{experiment.name}.csv", as_csv(findings))
        if findings.charts and find_spec("matplotlib") is not None:
            from papan.report.plots import draw_charts

            try:
                draw_charts(joined([experiment.paper, experiment.part], ", "), findings.charts, picture)
            except OSError as error:
                raise unwritable(picture, error) from None
    except OutputError as error:
        raise Failure(str(error)) from None


# ------------------------------------------------------------------------------------------- printing


def _print_list(as_json: bool) -> None:
    from papan.lab.printing import NUMBER, TEXT, show, table
    from papan.research.reproduction.catalogue import EXPERIMENTS, find

    experiments = [find(name) for name in EXPERIMENTS]
    if as_json:
        keys = ("name", "paper", "part", "duration", "usual_scale")
        print_json({"experiments": [{key: getattr(one, key) for key in keys} for one in experiments]})
        return
    columns = (
        (say("name"), TEXT),
        (say("paper"), TEXT),
        (say("part"), TEXT),
        (say("all of it takes"), TEXT),
        (say("usual scale"), NUMBER),
    )
    table(columns, [(one.name, one.paper, one.part, one.duration, f"{one.usual_scale:g}") for one in experiments])
    show()
    show(say("✓: the paper's figure lies within our interval; ≠: it does not."))


def _print(experiment: Experiment, asked: Asked, findings: Findings, seconds: float) -> None:
    from papan.lab.printing import show

    show(joined([experiment.paper, experiment.part], ", "))
    show(
        say(
            "scale {scale}, seed {seed}, {seconds} s of a processor",
            scale=f"{asked.scale:g}",
            seed=asked.seed,
            seconds=figures(seconds, ",.1f"),
        )
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
    from papan.lab.printing import NUMBER, TEXT, table

    columns = [(say("case"), TEXT), ("", TEXT), (say("the paper"), NUMBER), (say("here"), NUMBER)]
    has_difference = any(row.difference is not None for row in found.rows)
    has_interval = any(row.interval is not None for row in found.rows)
    if has_difference:
        columns.append((say("difference"), NUMBER))
    if has_interval:
        columns += [("95 %", NUMBER), ("", TEXT)]
    columns.append((say("of"), NUMBER))
    rows = []
    for row in found.rows:
        cells = [row.case, row.measure, _cell(row.published, found.form), _cell(row.ours, found.form)]
        if has_difference:
            cells.append("" if row.difference is None else figures(row.difference, "+" + found.form))
        if has_interval:
            cells += [_interval(row, found.form), _MARKS[row.is_within]]
        rows.append([*cells, figures(row.number) if row.number else ""])
    table(columns, rows)


def _interval(row: Row, form: str) -> str:
    if row.interval is None:
        return ""
    low, high = (figures(bound, form) for bound in row.interval)
    return say("{low} to {high}", low=low, high=high)


def _cell(value: Value, form: str) -> str:
    if value is None:
        return "–"
    return value if isinstance(value, str) else figures(value, form)
