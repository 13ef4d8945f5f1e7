"""``python -m dev.mutations``: makes mutants at random, and says which of them the tests let live.

What was found is written to a file as it is found; a run that is started again goes on where it was ended.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from importlib.util import cache_from_source
from pathlib import Path
from random import Random
from typing import NamedTuple

import click

from dev.mutations import mutants_of
from dev.mutations.targets import NAMED, TARGETS
from papan.game.base.places import CHECKOUT
from papan.lab.printing import show, show_lines

_PYTEST = ("-x", "-q", "--tb=no", "-p", "no:randomly", "-p", "no:cacheprovider", "--hypothesis-seed=1")
_PASSED, _NOTHING_COLLECTED = 0, 5
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist")
_TIMES, _MORE_SECONDS = 4.0, 20.0
"""A mutant may take so many times as long as the program as it is, and so many seconds more."""
_PATIENCE = "10"
"""Seconds after which the tests give up what they wait for: they are patient with busy machines, and mutants hang."""
OUTCOMES = ("killed", "timed out", "survived", "stillborn")
"""Of a stillborn one not even the tests can be loaded, so it says nothing of them."""


class Case(NamedTuple):
    """A mutant, and the tests that must notice it."""

    target: str
    file: str
    line: int
    before: str
    after: str
    source: str
    tests: tuple[str, ...]
    is_compiled: bool

    @property
    def number(self) -> str:
        """What tells it from all others."""
        return hashlib.sha256(f"{self.file}\n{self.source}".encode()).hexdigest()[:12]


class Run(NamedTuple):
    """What became of the tests."""

    status: int | None
    """None where they took too long."""
    failure: str
    """The first test that failed."""
    seconds: float


def cases_of(names: Sequence[str], count: int, seed: int) -> list[Case]:
    """So many mutants of each target, drawn by *seed*; those of a smaller number are among those of a larger."""
    cases: list[Case] = []
    for target in TARGETS:
        if target.name not in names:
            continue
        found = [
            Case(target.name, file, *mutant, target.tests, target.is_compiled)
            for file in target.files
            for mutant in mutants_of((CHECKOUT / file).read_text(encoding="utf-8"))
        ]
        Random(f"{seed} {target.name}").shuffle(found)
        cases += found[:count]
    return cases


def named_cases() -> list[Case]:
    """The mutants that have a name, which stands where others have what was there before."""
    cases = []
    for one in NAMED:
        source = (CHECKOUT / one.file).read_text(encoding="utf-8")
        line = source[: source.index(one.before)].count("\n") + 1
        mutated = source.replace(one.before, one.after)
        cases.append(Case("named", one.file, line, one.name, "", mutated, one.tests, one.is_compiled))
    return cases


def test(tree: Path, tests: Iterable[str], is_compiled: bool, limit: float | None = None) -> Run:
    """Run *tests* in a copy of the program."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "SDL_VIDEODRIVER": "dummy"}
    environment["PAPAN_TEST_PATIENCE"] = _PATIENCE
    environment["NUMBA_DISABLE_JIT"] = "0" if is_compiled else "1"
    command = [sys.executable, "-m", "pytest", *_PYTEST, f"--basetemp={tree / '.tmp'}", *tests]
    began = time.perf_counter()
    with tempfile.TemporaryFile() as output:  # no pipe: processes that a test has left could keep it open
        try:
            status: int | None = subprocess.run(
                command,
                cwd=tree,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                timeout=limit,
            ).returncode
        except subprocess.TimeoutExpired:
            status = None
        output.seek(0)
        failure = _FAILURE.search(output.read().decode(errors="replace"))
    return Run(status, failure[1] if failure else "", time.perf_counter() - began)


def outcome_of(case: Case, tree: Path, limit: float) -> tuple[str, Run]:
    """What becomes of *case* in the copy *tree*, which is as it was afterwards."""
    file = tree / case.file
    source = file.read_bytes()
    try:
        _write(file, case.source.encode())
        run = test(tree, case.tests, case.is_compiled, limit)
    finally:
        _write(file, source)
    if run.status == _NOTHING_COLLECTED:
        raise click.ClickException(f"{case.target} has no such tests: {' '.join(case.tests)}")
    if run.status is None:
        return "timed out", run
    if run.status == _PASSED:
        return "survived", run
    return ("killed" if "::" in run.failure else "stillborn"), run


def _write(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    Path(cache_from_source(str(file))).unlink(missing_ok=True)  # found by seconds and size, which may be the same


def try_all(cases: Sequence[Case], results: Path, workers: int) -> None:
    """Add the outcome of each case to the file *results*.

    :raises click.ClickException: the tests fail already as things are.
    """
    with ExitStack() as stack:
        folder = Path(
            stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="papan-mutants-"))
        )
        first = folder / "0"
        shutil.copytree(CHECKOUT, first, ignore=_LEFT_OUT)
        limits: dict[tuple[str, ...], float] = {}
        for tests, is_compiled in dict.fromkeys((case.tests, case.is_compiled) for case in cases):
            run = test(first, tests, is_compiled)
            if is_compiled and run.status == _PASSED:
                run = test(first, tests, is_compiled)  # what was compiled is kept
            if run.status != _PASSED:
                raise click.ClickException(
                    f"Nothing is changed yet, and the tests fail: {run.failure or ' '.join(tests)}"
                )
            limits[tests] = _TIMES * run.seconds + _MORE_SECONDS
            show(f"{run.seconds:5.1f} s {' '.join(tests)}", is_trouble=True)
        trees: queue.SimpleQueue[Path] = queue.SimpleQueue()
        trees.put(first)
        for number in range(1, workers):  # with the kernels that were compiled just now
            trees.put(Path(shutil.copytree(first, folder / str(number))))

        def attempt(case: Case) -> str:
            tree = trees.get()
            try:
                outcome, run = outcome_of(case, tree, limits[case.tests])
            finally:
                trees.put(tree)
            facts = case._asdict() | {"number": case.number, "outcome": outcome}
            del facts["source"], facts["tests"], facts["is_compiled"]
            return json.dumps(facts | {"by": run.failure, "seconds": round(run.seconds, 1)}, ensure_ascii=False)

        with results.open("a", encoding="utf-8", newline="\n") as file, ThreadPoolExecutor(workers) as pool:
            try:
                for future in as_completed([pool.submit(attempt, case) for case in cases]):
                    file.write(f"{future.result()}\n")
                    file.flush()
            finally:
                pool.shutdown(cancel_futures=True)


def read_results(results: Path) -> dict[str, dict[str, str]]:
    """What is known already, by the mutants' numbers."""
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return {found["number"]: found for found in map(json.loads, lines)}


def summary(found: Sequence[dict[str, str]]) -> str:
    """A table of all outcomes by target, and the mutants that live."""
    counts = {target: Counter[str]() for target in dict.fromkeys(one["target"] for one in found)}
    for one in found:
        counts[one["target"]][one["outcome"]] += 1
    rows = [*counts.items(), ("all", sum(counts.values(), Counter()))]
    lines = [f"| target | mutants | {' | '.join(OUTCOMES)} | noticed |", "|---" * (3 + len(OUTCOMES)) + "|"]
    for target, row in rows:
        noticed = 1 - row["survived"] / max(1, row.total() - row["stillborn"])
        lines.append(
            f"| {target} | {row.total()} | {' | '.join(str(row[name]) for name in OUTCOMES)} | {noticed:.0%} |"
        )
    lives = [one for one in found if one["outcome"] == "survived"]
    return "\n".join(
        [*lines, "", *(f"{one['file']}:{one['line']}: {one['before']}  →  {one['after']}" for one in lives)]
    )


@click.command()
@click.argument("targets", nargs=-1, type=click.Choice([target.name for target in TARGETS]))
@click.option("--count", default=40, show_default=True, help="How many mutants of each target.")
@click.option("--seed", default=1, show_default=True, help="Which ones are drawn.")
@click.option("--named", is_flag=True, help="Try those that have a name, and no others.")
@click.option("--workers", default=2, show_default=True, help="How many are tried at a time.")
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    default=CHECKOUT / "build" / "mutations.jsonl",
    show_default=True,
    help="The file of what was found, which a later run goes on with.",
)
def main(targets: tuple[str, ...], count: int, seed: int, named: bool, workers: int, results: Path) -> None:
    """Put mistakes into copies of the program, and see whether the tests notice; TARGETS are all unless given."""
    cases = named_cases() if named else cases_of(targets or [target.name for target in TARGETS], count, seed)
    results.parent.mkdir(parents=True, exist_ok=True)
    known = read_results(results)
    if fresh := [case for case in cases if case.number not in known]:
        try_all(fresh, results, workers)
        known = read_results(results)
    show_lines(summary([known[case.number] for case in cases]))


if __name__ == "__main__":
    main()
