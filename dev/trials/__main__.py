"""``python -m dev.trials NAME``: runs a trial, prints its statistics, and the command that repeats a failed case."""

from __future__ import annotations

import faulthandler
import gc
import itertools
import logging
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple
from unittest import mock

import click

from dev import trials
from dev.rehearsal import memory_in_use
from dev.trials import TRIALS, Counts, Trial, TrialFailure, add_counts, soak
from papan.commands.common import Number, WholeNumber, command_words
from papan.commands.fields import SEED
from papan.game.base.places import HOME_VARIABLE, KERNELS_VARIABLE
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.kernel.compile_process import compile_elsewhere
from papan.lab.printing import show_json, show_lines, show_progress
from papan.ui.window.system import return_free_memory

CASES, MINUTES = WholeNumber("The number of cases", 1, 10**9), Number("The time", 0.001, 10**6)
_ENDING_SECONDS = 120.0
"""Seconds to wait for threads that a closed program left running, as one may be compiling."""

for _found in iter_modules(trials.__path__):
    if _found.name != "__main__":
        import_module(f"{trials.__name__}.{_found.name}")


@click.group()
def main() -> None:
    """Trials of the whole program, at random: each case is made of its seed, and a case that fails tells its own."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    kernel_cache_folder()  # set before the home changes, so that the user's compiled kernels are used
    compile_elsewhere([*command_words(), "compile-kernels"])  # as the window does


def command_of(name: str, trial: Trial) -> click.Command:
    @click.command(name, help=f"Try: {trial.about}.")
    @click.option("--seed", type=SEED, default=1, show_default=True, help="The first case's; the others' follow.")
    @click.option("--cases", type=CASES, help="How many; default: as many as fit into the minutes.")
    @click.option("--minutes", type=MINUTES, help="For how long; default: 1, where no number of cases is given.")
    @click.option("--all", "every", is_flag=True, help="All cases that there are, where their number has an end.")
    @click.option("--cold", is_flag=True, help="Make nothing ready before the first case: the process may grow, then.")
    @click.option("--json", "as_json", is_flag=True, help="Print JSON for another program.")
    def command(seed: int, cases: int | None, minutes: float | None, every: bool, cold: bool, as_json: bool) -> None:
        if every:
            if trial.different is None:
                raise click.UsageError(f"There is no end of cases of {name}: say how many, or for how long.")
            cases, minutes = trial.different() - seed + 1, None
        if cases is None and minutes is None:
            minutes = 1.0
        logging.disable(logging.WARNING)
        try:
            outcome = run(name, trial, seed, cases, minutes, say=not as_json, is_cold=cold)
        finally:
            logging.disable(logging.NOTSET)  # for callers in this process, which continue to log
        if as_json:
            show_json(outcome._asdict(), None)
        else:
            show_lines(str(outcome))
        sys.exit(1 if outcome.failure else 0)

    return command


class Outcome(NamedTuple):
    """The result of all cases."""

    cases: int
    seconds: float
    counts: Counts
    first_mebibytes: float | None
    """The size of the process after ``settled_after`` cases; None with fewer cases."""
    last_mebibytes: float | None
    failure: str | None
    """The failure, with the command that repeats the case; None if all succeeded."""

    def __str__(self) -> str:
        counts = ", ".join(f"{count:,} {what}" for what, count in self.counts.items())
        memory = [f"{size:.0f} MiB" for size in (self.first_mebibytes, self.last_mebibytes) if size]
        lines = [f"{self.cases} cases in {self.seconds:.0f} s: {counts}", f"Memory: {', then '.join(memory)}"]
        return "\n".join([*lines, f"Failed: {self.failure}" if self.failure else "None failed."])


def run(
    name: str, trial: Trial, seed: int, cases: int | None, minutes: float | None, *, say: bool, is_cold: bool = False
) -> Outcome:
    """Run the cases of *trial* from *seed* on until one fails.

    :param is_cold: whether to skip preparations, and so to ignore the process's growth.
    """
    if trial.prepare is not None and not is_cold:
        trial.prepare()
    total: Counts = Counter()
    settled: float | None = None
    size: float | None = None
    began, failure, done = time.monotonic(), None, 0
    for number in itertools.count() if cases is None else range(cases):
        if minutes is not None and time.monotonic() - began > 60 * minutes:
            break
        if say:
            show_progress(f"{name}, case {number + 1}, seed {seed + number}")
        faulthandler.dump_traceback_later(trial.most_seconds, exit=True)
        try:
            add_counts(total, run_case(trial, seed + number))
            gc.collect()
            return_free_memory()
            size = memory_in_use()
            settled = size if done + 1 == trial.settled_after else settled
            if trial.most_growth is not None and settled and not is_cold and size > settled * (1 + trial.most_growth):
                threads = ", ".join(thread.name for thread in threading.enumerate())
                sizes = f"from {settled:.0f} to {size:.0f} MiB"
                raise TrialFailure(f"the process has grown {sizes}; threads that live: {threads}")
        except TrialFailure as error:
            failure = f"{name} --seed {seed + number} --cases 1: {error}"
            break
        finally:
            faulthandler.cancel_dump_traceback_later()
        done += 1
    if say:
        show_progress("")
    return Outcome(done, round(time.monotonic() - began, 1), total, settled, size, failure)


def run_case(trial: Trial, seed: int) -> Counts:
    """Run the case of *seed* in a temporary folder, which is also the home folder; return its statistics."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="papan-trial-") as folder:
        # The user's compiled kernels are used, by started programs too.
        places = {HOME_VARIABLE: folder, KERNELS_VARIABLE: str(kernel_cache_folder())}
        known = set(threading.enumerate())
        try:
            with mock.patch.dict(os.environ, places):
                return trial.case(seed, Path(folder))
        finally:
            if trial.most_growth is not None:  # memory of a running thread is not a leak
                deadline = time.monotonic() + _ENDING_SECONDS
                for thread in set(threading.enumerate()) - known:
                    thread.join(max(0.0, deadline - time.monotonic()))


for _name, _trial in TRIALS.items():
    main.add_command(command_of(_name, _trial))
main.add_command(soak.main, "soak")

if __name__ == "__main__":
    main()
