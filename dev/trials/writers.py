"""Several processes open one journal at once, for reading and for writing; one of them is killed. What is missing?"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import msgspec

from dev.trials import Counts, TrialFailure, trial
from papan.game.base.typed import Whole
from papan.lab.files import OutputError
from papan.lab.journal import Form, Journal
from papan.lab.printing import show

PROCESSES = 8
OPENINGS = 134  # of each process: more than a thousand, though one is killed halfway
PLAN = {"name": "writers"}


class _Plan(msgspec.Struct):
    name: str


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who wrote it, and how many it had written before."""

    writer: Whole
    number: Whole


JOURNAL: Form[_Plan, Entry] = Form("trial of writers", 1, plan=_Plan, entry=Entry)


def work(file: Path, seed: int, writer: int, openings: int) -> None:
    """Open *file* so many times, and print a line for each opening: what it was for, and how many entries there are."""
    random, number = Random(f"{seed} {writer}"), 0
    for _ in range(openings):
        only_reads = random.random() < 0.3
        try:
            journal = Journal(file, JOURNAL, PLAN, only_reads=only_reads)
        except OutputError:
            show("busy 0")
            continue
        known = sum(1 for _ in journal.entries())
        for _ in range(0 if only_reads else random.randrange(1, 4)):
            journal.add({"writer": writer, "number": number})
            number += 1
        journal.close()
        show(f"read {known}" if only_reads else f"wrote {number}")


@trial("writers", "eight processes open one journal 1,000 times, one is killed; no entry is missing")
def case(seed: int, folder: Path, processes: int = PROCESSES, openings: int = OPENINGS) -> Counts:
    file = folder / "journal.jsonl"
    words = [sys.executable, "-m", __name__, str(file), str(seed)]
    running = [
        subprocess.Popen([*words, str(writer), str(openings)], stdout=subprocess.PIPE, text=True)
        for writer in range(processes)
    ]
    killed = running[0]
    assert killed.stdout is not None
    told = [[line for _, line in zip(range(openings // 2), killed.stdout, strict=False)]]
    killed.kill()
    told[0] += killed.communicate()[0].splitlines()
    told += [process.communicate()[0].splitlines() for process in running[1:]]
    if any(process.returncode for process in running[1:]):
        raise TrialFailure("a process has failed")
    lines = [line.split() for lines in told for line in lines if line.strip()]
    counts = Counter(f"openings: {line[0]}" for line in lines)
    journal = Journal(file, JOURNAL, PLAN)  # the lock of the one that was killed holds nobody up
    found = list(journal.entries())
    journal.close()
    left = [path.name for path in folder.iterdir() if path != file]
    missing = 0
    for writer, own in enumerate(told):
        kept = max((int(line.split()[1]) for line in own if line.startswith("wrote")), default=0)
        numbers = [entry.number for entry in found if entry.writer == writer]
        if numbers != list(range(len(numbers))):
            raise TrialFailure(f"the entries of process {writer} are mixed up: {numbers}")
        missing += max(0, kept - len(numbers))
    if missing or left:
        raise TrialFailure(f"{missing} entries are missing; beside the journal lies {left}")
    counts.update({"openings": len(lines), "entries": len(found), "entries missing": missing})
    return counts


if __name__ == "__main__":
    work(Path(sys.argv[1]), *map(int, sys.argv[2:]))
