"""An experiment on its way: pieces in a pool, each in the journal once it is finished.

What a piece comes to depends on the seed and its name alone, so that neither who computes it nor a break changes
anything. The journal knows nothing of the scale: a larger run goes on from a smaller one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from papan.game.base.places import data_folder, make_private_folder
from papan.game.base.typed import Amount, converted
from papan.game.base.version import VERSION as PROGRAM
from papan.lab.files import unwritable
from papan.lab.journal import Form, Journal
from papan.research.reproduction.experiment import Asked, Experiment
from papan.research.reproduction.pools import Pool


class PlanData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that the pieces of an experiment depend on."""

    of: str
    seed: int
    readings: dict[str, str]
    program: str


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What came of a piece."""

    piece: str
    found: Any
    seconds: Amount
    """Of a processor."""


class Ran(NamedTuple):
    """What was found."""

    found: dict[str, Any]
    seconds: float
    """Of a processor, that all pieces took, those of earlier runs too."""


def plan_of(experiment: Experiment, asked: Asked) -> dict[str, Any]:
    """All that the pieces of *experiment* depend on."""
    readings = {name: value for name, value in asked.readings.items() if name not in experiment.selecting}
    return {
        "of": experiment.origin,
        "seed": asked.seed,
        "readings": readings,
        "program": PROGRAM,
    }


def usual_place(experiment: Experiment, asked: Asked) -> Path:
    """Where the pieces are kept until all are there, if nobody says where.

    :raises OutputError: the folder can't be made.
    """
    folder = data_folder() / "reproductions"
    try:
        make_private_folder(folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    plan = json.dumps(plan_of(experiment, asked), sort_keys=True)
    return folder / f"{experiment.origin}-{hashlib.sha256(plan.encode()).hexdigest()[:16]}.jsonl"


def form_of(experiment: Experiment | None) -> Form[PlanData, Kept]:
    """What the journals of *experiment* hold; of any one, for None."""

    def checks(plan: PlanData) -> Callable[[Kept], None]:
        def check(kept: Kept) -> None:
            if experiment is not None:
                converted(kept.found, experiment.answer)

        return check

    return Form("reproduction", 1, plan=PlanData, entry=Kept, checks=checks, passes_over_damage=True)


def open_journal(experiment: Experiment, asked: Asked, path: Path | None) -> Journal[PlanData, Kept]:
    """The journal in the file *path*, or one for as long as the program runs.

    :raises JournalError: the file is another's.
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
    """Compute all pieces that *journal* does not have yet, in *pool*.

    :param tell: told how many pieces are there, and how many there are to be.
    :raises OutputError: the journal can't be written.
    :raises JournalError: another file has taken its place.
    :raises papan.lab.workers.PoolError: *pool* can't go on.
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
        with closing(pool.run(experiment, asked, left, found)) as finished:
            for done in finished:
                journal.add({"piece": done.piece, "found": done.found, "seconds": round(done.seconds, 4)})
                answers[done.piece], seconds[done.piece] = done.found, done.seconds
                tell(len(found) + len(answers), len(names))
        found.update(answers)
    return Ran({name: found[name] for name in names}, sum(seconds.values()))
