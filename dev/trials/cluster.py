"""The cluster: while a simulation runs on two workers, one of them is killed. Are the totals the same?"""

from __future__ import annotations

import json
import subprocess
import time
from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from dev.trials import Counts, TrialFailure, trial
from papan.commands.common import command_words
from papan.game.catalogue import find
from papan.lab.loopback import Loopback
from papan.lab.simulation.batches import batch
from papan.lab.simulation.counts import Counts as Total
from papan.lab.simulation.plan import Plan, make_plan

GAME, PLAYERS = "santorini", ("norm", "god")
BATCHES = 24
SEEDS = 4  # different simulations, so that their totals have to be counted only once
_PATIENCE = 300.0  # each worker may have to compile
_LOOK_EVERY = 0.02


@trial(
    "cluster",
    "a worker of a cluster, or who asked for a simulation on it, is killed; the totals stay",
    most_seconds=900.0,
)
def case(seed: int, folder: Path) -> Counts:
    random = Random(seed)
    plan = _plan(seed % SEEDS)
    file = folder / "counts.jsonl"
    with Loopback(folder, workers=2) as cluster:
        asking = _ask(plan, cluster.address, file)
        _wait_for_lines(asking, file, random.randint(1, BATCHES // 3))
        time.sleep(random.uniform(0.0, 0.5))
        kept = len(_lines(file))
        if seed % 2:
            cluster.workers[random.randrange(2)].kill()
            cluster.start_worker()
        else:
            asking.kill()
            asking.wait()
            asking = _ask(plan, cluster.address, file)
        answer = _answer(asking)
    if answer["counts"] != _expected(seed % SEEDS):
        raise TrialFailure("the totals are others")
    if len(_lines(file)) != BATCHES + 1:
        raise TrialFailure(f"{len(_lines(file)) - 1} batches were kept, not {BATCHES}")
    who = "workers" if seed % 2 else "commands"
    is_early = kept < BATCHES + 1
    return Counter({f"{who} killed": 1, "in the middle": int(is_early), "games": plan.games})


def _plan(seed: int) -> Plan:
    plan = make_plan(find(GAME), PLAYERS, {}, seed, 1)
    return make_plan(find(GAME), PLAYERS, {}, seed, BATCHES * plan.batch_games - 1000)


@cache
def _expected(seed: int) -> dict[str, Any]:
    """The totals of a plan that is played here."""
    plan, total = _plan(seed), Total.of_seats(len(PLAYERS))
    for number in range(plan.batches):
        total.add(batch(plan, number))
    found: dict[str, Any] = json.loads(json.dumps(total.as_data()))
    return found


def _ask(plan: Plan, address: str, file: Path) -> subprocess.Popen[str]:
    words = ("simulate", GAME, *PLAYERS, "--games", str(plan.games), "--seed", str(plan.seed))
    return subprocess.Popen(
        [*command_words(), *words, "--cluster", address, "--json", "--out", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _answer(asking: subprocess.Popen[str]) -> dict[str, Any]:
    try:
        out, err = asking.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        asking.kill()
        raise TrialFailure("the simulation hangs") from None
    if asking.returncode:
        raise TrialFailure(f"the simulation failed: {err.strip()}")
    answer: dict[str, Any] = json.loads(out)
    return answer


def _lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines() if file.exists() else []


def _wait_for_lines(asking: subprocess.Popen[str], file: Path, batches: int) -> None:
    given_up_at = time.monotonic() + _PATIENCE
    while len(_lines(file)) <= batches:
        if asking.poll() is not None:
            raise TrialFailure(f"the simulation ended too early: {asking.communicate()[1].strip()}")
        if time.monotonic() > given_up_at:
            asking.kill()
            raise TrialFailure("the simulation does not begin")
        time.sleep(_LOOK_EVERY)
