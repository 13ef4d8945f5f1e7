"""Benchmarks of simulations on a cluster on this machine: the rate by number of workers, and the manager's cost."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from dev.bench.figures import Measurement
from dev.loopback import Loopback
from papan.game.catalogue import find
from papan.lab.simulation.plan import make_plan
from papan.lab.simulation.running import TASK_SECONDS, Cluster, Pool, Threads, open_store, run
from papan.lab.workers import Workers

GAME, PLAYERS = "santorini", ("norm", "god")
WORKERS = (1, 2, 4)
RUNS = 3
GAMES = 3_000_000
WARM_GAMES = 200_000
LOOK_EVERY = 0.05
LOOPBACK = "127.0.0.1"


class Run(NamedTuple):
    games_per_second: float
    scheduler_seconds: float = 0.0
    """Processor seconds of the scheduler."""
    asking_seconds: float = 0.0
    """Processor seconds of this process."""
    wire_bytes: float = 0.0
    """Bytes sent over the loopback interface."""
    tasks: int = 0


def measure(tell: Callable[[str], None]) -> list[Measurement]:
    """Measure simulations in this process and on clusters on this machine: medians of interleaved runs."""
    runs: dict[str, list[Run]] = {}
    for number in range(RUNS):
        for jobs in WORKERS[:2]:
            tell(f"run {number + 1} of {RUNS}: {_threads(jobs)}")
            runs.setdefault(_threads(jobs), []).append(_here(jobs))
        for workers in WORKERS:
            tell(f"run {number + 1} of {RUNS}: {_workers(workers)}")
            runs.setdefault(_workers(workers), []).append(_on_cluster(workers))
    return _figures(runs)


def _threads(jobs: int) -> str:
    return f"simulate, {jobs} thread{'s' if jobs > 1 else ''} here"


def _workers(workers: int) -> str:
    return f"simulate, {workers} worker{'s' if workers > 1 else ''}"


def _figures(runs: dict[str, list[Run]]) -> list[Measurement]:
    rates = {name: median(run.games_per_second for run in of_name) for name, of_name in runs.items()}
    one = rates[_threads(1)]
    several = runs[_workers(WORKERS[1])]
    scheduler = median(run.scheduler_seconds / run.tasks for run in several)
    asking = median(run.asking_seconds / run.tasks for run in several)
    wire = median(run.wire_bytes for run in several) / GAMES * 1e6
    return [
        *(
            Measurement(name, GAME, rate, "games/s", note=f"times those of 1 thread: {rate / one:.2f}")
            for name, rate in rates.items()
        ),
        Measurement("over the wire for each million games", GAME, wire / 1024, "KiB"),
        Measurement("the scheduler's processor time a task", GAME, 1000 * scheduler, "ms"),
        Measurement("the asking process' processor time a task", GAME, 1000 * asking, "ms"),
        Measurement("workers that the scheduler can feed", GAME, TASK_SECONDS / scheduler, "workers"),
        Measurement("workers that the asking process can feed", GAME, TASK_SECONDS / asking, "workers"),
    ]


def _on_cluster(workers: int) -> Run:
    import psutil

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, Loopback(Path(folder), workers) as loopback:
        scheduler, asking = psutil.Process(loopback.scheduler.pid), psutil.Process()

        def look() -> tuple[float, float, float, int]:
            return _spent(scheduler), _spent(asking), _sent(), there.tasks

        with closing(Workers(loopback.address)) as there:
            while there.count_threads() < workers:
                time.sleep(LOOK_EVERY)
            pool = Cluster(there)
            _play(pool, WARM_GAMES * workers)
            before = look()
            games_per_second = _rate(pool)
            spent = [late - early for late, early in zip(look(), before, strict=True)]
    return Run(games_per_second, spent[0], spent[1], spent[2], int(spent[3]))


def _here(jobs: int) -> Run:
    _play(Threads(jobs), WARM_GAMES)
    return Run(_rate(Threads(jobs)))


def _rate(pool: Pool) -> float:
    began = time.perf_counter()
    _play(pool, GAMES)
    return GAMES / (time.perf_counter() - began)


def _play(pool: Pool, games: int) -> None:
    plan = make_plan(find(GAME), PLAYERS, {}, 1, games)
    with tempfile.TemporaryDirectory() as folder, closing(open_store(plan, Path(folder) / "counts.jsonl")) as store:
        run(plan, store, pool)


def _spent(process: Any) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


def _sent() -> float:
    """Bytes that all processes have sent over the loopback interface so far."""
    import psutil

    counters = psutil.net_io_counters(pernic=True)
    interfaces = psutil.net_if_addrs().items()
    own = [name for name, addresses in interfaces if any(one.address == LOOPBACK for one in addresses)]
    return float(sum(counters[name].bytes_sent for name in own))
