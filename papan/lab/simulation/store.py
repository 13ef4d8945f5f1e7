"""What was counted so far, in a journal: a line for each batch that is finished.

Where the program is killed, the batches that were being played are lost, and nothing else. A line that makes no sense
is passed over: its batch is played again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from papan.game.base.foreign import quoted
from papan.game.base.places import data_folder, make_private_folder
from papan.game.base.sentences import say
from papan.lab.files import OutputError
from papan.lab.journal import Journal
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.plan import Plan

KIND, VERSION = "simulation", 1
"""What the head of the journal says; the version changes with the form of its lines."""


def usual_place(plan: Plan) -> Path:
    """Where the results of *plan* are kept until all of it is done.

    :raises OutputError: its folder can't be made.
    """
    folder = data_folder() / "simulations"
    try:
        make_private_folder(folder)
    except OSError as error:
        raise OutputError(
            say(
                "The folder {folder} can't be made: {reason}.",
                folder=quoted(str(folder)),
                reason=error.strerror or str(error),
            )
        ) from None
    return folder / f"{plan.digest}.jsonl"


class Store:
    """The results of one plan, in a file."""

    def __init__(self, plan: Plan, path: Path) -> None:
        """Open *path*, or make it.

        :raises JournalError: it holds something else; it is left as it is.
        :raises OutputError: it can't be written.
        """
        self._journal = Journal(path, KIND, VERSION, plan.as_data(), passes_over_damage=True)
        self.close, self.remove = self._journal.close, self._journal.remove

    def finished(self) -> Iterator[tuple[int, Counts]]:
        """The batches that the file holds, with what was counted in them; one may come twice."""
        for entry in self._journal.entries():
            with contextlib.suppress(ValueError, KeyError, TypeError):
                yield int(entry["batch"]), Counts.from_data(entry["counts"])

    def keep(self, played: Mapping[int, Counts]) -> None:
        """Write down what was counted in batches, by their numbers.

        :raises OutputError: it can't be written.
        """
        self._journal.add(*({"batch": number, "counts": counts.as_data()} for number, counts in played.items()))
