"""Running an experiment: pieces in a pool, each written to the journal when it is finished.

A piece's result depends only on the seed and its name, not on who computes it or on interruptions. The journal does not
contain the scale, so a larger run continues a smaller one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from papan.game.base.typed import Amount, converted
from papan.game.base.version import VERSION as PROGRAM
from papan.lab.files import data_place
from papan.lab.journal import Form, Journal
from papan.research.reproduction.experiment import Asked, Experiment
from papan.research.reproduction.pools import Pool, Stage


class PlanData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that determines the pieces of an experiment."""

    of: str
    seed: int
    readings: dict[str, str]
    program: str


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a piece, in the journal."""

    piece: str
    found: Any
    seconds: Amount
    """Processor time."""


class Ran(NamedTuple):
    """The results of a run."""

    found: dict[str, Any]
    seconds: float
    """Processor time of all pieces, including earlier runs."""


def plan_of(experiment: Experiment, asked: Asked) -> dict[str, Any]:
    """Everything that determines the pieces of *experiment*, as JSON data."""
    readings = {name: value for name, value in asked.readings.items() if name not in experiment.selecting}
    return {
        "of": experiment.origin,
        "seed": asked.seed,
        "readings": readings,
        "program": PROGRAM,
    }


def usual_place(experiment: Experiment, asked: Asked) -> Path:
    """The default journal file, used until all pieces are finished.

    :raises OutputError: its folder can't be made.
    """
    plan = json.dumps(plan_of(experiment, asked), sort_keys=True)
    return data_place("reproductions") / f"{experiment.origin}-{hashlib.sha256(plan.encode()).hexdigest()[:16]}.jsonl"


def form_of(experiment: Experiment | None) -> Form[PlanData, Kept]:
    """The journal format of *experiment*, or of any experiment for None."""

    def checks(plan: PlanData) -> Callable[[Kept], None]:
        def check(kept: Kept) -> None:
            if experiment is not None:
                converted(kept.found, experiment.answer)

        return check

    return Form("reproduction", 1, plan=PlanData, entry=Kept, checks=checks, passes_over_damage=True)


def open_journal(experiment: Experiment, asked: Asked, path: Path | None) -> Journal[PlanData, Kept]:
    """The journal in the file *path*, or in memory.

    :raises JournalError: the file belongs to another run.
    :raises OutputError: it can't be written.
    """
    return Journal(path, form_of(experiment), plan_of(experiment, asked))


def run(
    experiment: Experiment,
    asked: Asked,
    journal: Journal[PlanData, Kept],
    pool: Pool,
    tell: Callable[[int, int], None] = lambda done, pieces: None,
) -> Ran:
    """Compute the pieces that *journal* lacks, in *pool*.

    :param tell: called with the number of finished pieces, and of all.
    :raises OutputError: the journal can't be written.
    :raises JournalError: the journal was replaced.
    :raises papan.lab.workers.PoolError: *pool* can't continue.
    """
    kept = {entry.piece: entry for entry in journal.entries()}
    stages = experiment.stages(asked)
    names = [piece.name for stage in stages for piece in stage]
    found = {name: kept[name].found for name in names if name in kept}
    seconds = {name: kept[name].seconds for name in found}
    tell(len(found), len(names))
    for stage in stages:
        answers: dict[str, Any] = {}
        left = [piece for piece in stage if piece.name not in found]
        with closing(pool(Stage(experiment, asked, left, found))) as finished:
            for done in finished:
                journal.add({"piece": done.piece, "found": done.found, "seconds": round(done.seconds, 4)})
                answers[done.piece], seconds[done.piece] = done.found, done.seconds
                tell(len(found) + len(answers), len(names))
        found.update(answers)
    return Ran({name: found[name] for name in names}, sum(seconds.values()))
