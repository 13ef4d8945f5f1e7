"""What was counted so far, in a file: a line for the plan, and one for each batch that is finished.

A line is written at once and whole. Where the program is killed, the batches that were being played are lost, and
nothing else; a line that was torn is passed over, and so is any other that makes no sense: its batch is played again.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from papan.game.base.foreign import quoted, shortened
from papan.game.base.places import data_folder, make_private_file, make_private_folder
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.plan import Plan

FORM = 1
"""The form of the file; raised when it changes."""

_LONGEST_HEAD = 1 << 16


class StoreError(ValueError):
    """A file that can't be used for the results; the message is a sentence that says which one, and why."""


def usual_place(plan: Plan) -> Path:
    """Where the results of *plan* are kept until all of it is done."""
    return data_folder() / "simulations" / f"{plan.digest}.jsonl"


class Store:
    """The file of one plan's results."""

    def __init__(self, plan: Plan, path: Path) -> None:
        """Open *path*, or make it.

        :raises StoreError: it can't be written, or holds something else; it is left as it is.
        """
        self._path = path
        head = _line({"papan simulation": FORM, "plan": plan.as_data()})
        try:
            if path.exists() and not path.is_file():
                raise StoreError(f"{quoted(str(path))} is no file.")
            if path == usual_place(plan):
                make_private_folder(path.parent)
            make_private_file(path)
            with path.open("rb") as file:
                there = file.readline(_LONGEST_HEAD)
            if there != head:
                _check_may_begin(path, there, head, plan)
            self._file = path.open("ab", buffering=0)
            if there != head:
                self._file.truncate(0)
                self._file.write(head)
            elif not _ends_with_line(path):
                self._file.write(b"\n")
        except OSError as error:
            raise StoreError(f"{quoted(str(path))} can't be written: {error.strerror or error}.") from error

    def finished(self) -> Iterator[tuple[int, Counts]]:
        """The batches that the file holds, with what was counted in them; one may come twice."""
        with self._path.open("rb") as file:
            for line in file:
                with contextlib.suppress(ValueError, KeyError, TypeError):
                    data = json.loads(line)
                    yield int(data["batch"]), Counts.from_data(data["counts"])

    def keep(self, number: int, counts: Counts) -> None:
        """Write down what was counted in the batch *number*.

        :raises StoreError: it can't be written.
        """
        try:
            self._file.write(_line({"batch": number, "counts": counts.as_data()}))
        except OSError as error:
            raise StoreError(f"{quoted(str(self._path))} can't be written: {error.strerror or error}.") from error

    def close(self) -> None:
        """Leave the file as it is."""
        self._file.close()

    def remove(self) -> None:
        """Close the file and delete it."""
        self.close()
        with contextlib.suppress(OSError):
            self._path.unlink()


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _ends_with_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read() == b"\n"


def _check_may_begin(path: Path, there: bytes, head: bytes, plan: Plan) -> None:
    """See that the file is empty, or holds no more than the beginning of what was to be its first line.

    :raises StoreError: it holds something else; the message says what.
    """
    if head.startswith(there):
        return
    name = quoted(str(path))
    try:
        found = json.loads(there)
        form, other = found["papan simulation"], dict(found["plan"])
        version = str(other["version"])
    except (ValueError, KeyError, TypeError):
        raise StoreError(f"{name} holds no results of a simulation: name another file.") from None
    if (form, version) != (FORM, plan.version):
        raise StoreError(
            f"{name} holds results of version {shortened(version)}, not {plan.version}: name another file."
        )
    differing = [what for what, value in plan.as_data().items() if other.get(what) != value]
    raise StoreError(
        f"{name} holds the results of another simulation ({', '.join(differing)} differ): name another file."
    )
