"""The counts so far, in a journal with a line for each finished batch.

A kill loses only the unfinished batches. Damaged lines are skipped, and their batches played again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from papan.game.base.places import data_folder, make_private_folder
from papan.game.base.sentences import say
from papan.game.base.typed import FaultError, Positive, Whole
from papan.game.base.untrusted import quoted_path
from papan.lab.files import OutputError
from papan.lab.journal import Form, Journal
from papan.lab.simulation.counts import Counts, CountsData
from papan.lab.simulation.plan import MOST_SEATS, Plan


class PlanData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ``Plan`` in JSON."""

    game: str
    players: Annotated[list[str], Meta(min_length=1, max_length=MOST_SEATS)]
    options: dict[str, str]
    seed: int
    games: Positive
    batch_games: Positive
    weights: str
    version: str

    @property
    def plan(self) -> Plan:
        return Plan.from_data(msgspec.structs.asdict(self))


class Batch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counts of a batch."""

    batch: Whole
    counts: CountsData


def _checks(data: PlanData) -> Callable[[Batch], None]:
    plan = data.plan

    def check(found: Batch) -> None:
        if found.batch >= plan.batches or found.counts.games != len(plan.games_of(found.batch)):
            raise FaultError(say("there is no such batch in the plan"))
        found.counts.counts.check(len(plan.players))

    return check


JOURNAL: Form[PlanData, Batch] = Form(
    "simulation", 1, plan=PlanData, entry=Batch, checks=_checks, passes_over_damage=True
)


def usual_place(plan: Plan) -> Path:
    """The default file for the results of *plan* until it is finished.

    :raises OutputError: its folder can't be made.
    """
    folder = data_folder() / "simulations"
    try:
        make_private_folder(folder)
    except OSError as error:
        raise OutputError(
            say(
                "The folder {folder} can't be made: {reason}.",
                folder=quoted_path(folder),
                reason=error.strerror or str(error),
            )
        ) from None
    return folder / f"{plan.digest}.jsonl"


class Store:
    """The results of one plan, in a file."""

    def __init__(self, plan: Plan, path: Path, *, only_reads: bool = False) -> None:
        """Open or create *path*.

        :param only_reads: don't write or create the file.
        :raises JournalError: it holds something else; it stays unchanged.
        :raises OutputError: it can't be written, or another Papan is writing it.
        """
        self._journal = Journal(path, JOURNAL, plan.as_data(), only_reads=only_reads)
        self.close, self.remove = self._journal.close, self._journal.remove

    def finished(self) -> Iterator[tuple[int, Counts]]:
        """The finished batches with their counts; one may occur twice."""
        for found in self._journal.entries():
            yield found.batch, found.counts.counts

    def keep(self, played: Mapping[int, Counts]) -> None:
        """Write the counts of batches, by their numbers.

        :raises JournalError: the file was replaced.
        :raises OutputError: it can't be written.
        """
        self._journal.add(*({"batch": number, "counts": counts.as_data()} for number, counts in played.items()))
