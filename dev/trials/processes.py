"""Killed processes: a window in the middle of play, a writer of a journal, a worker of a cluster.

Nothing reported as saved may be lost: a match may lose at most the step in flight, a journal no entry, and the totals
of a simulation must stay the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pygame

from dev.loopback import Loopback
from dev.trials import MOST, Counts, TrialFailure, trial
from dev.trials.hands import Gesture, press, take_a_step
from papan.ai.players import HUMAN
from papan.commands.common import command_words
from papan.game.base.typed import Whole
from papan.game.catalogue import GALLERY, find
from papan.game.match.library import Library
from papan.lab.files import OutputError
from papan.lab.journal import Form, Journal
from papan.lab.printing import show
from papan.lab.simulation.batches import batch
from papan.lab.simulation.counts import Counts as Total
from papan.lab.simulation.plan import Plan, make_plan
from papan.self_test import FRAME_SECONDS, SIZE
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program


class Killed(NamedTuple):
    """The last report of the playing process."""

    match: int = 0
    """The match's number in the library, from 1."""
    played: int = 0
    """The number of played steps, without undone ones, which another step may replace."""
    saved: int = 0


def play_until_killed(seed: int) -> None:
    random = Random(seed)
    program = Program(size=SIZE)
    program.app.settings.animation = "off"
    told, number = Killed(), 0
    table: TableScene | None = None
    while program.app.is_running:
        if table is None or table.match.ending:
            game = random.choice(list(GALLERY.values()))
            players = ["random" if seed % 2 else HUMAN, *["random"] * (game.seats[0] - 1)]
            table, number = program.start_match(game, players), number + 1
        program.app.step(FRAME_SECONDS, _hands(table, random))
        standing = table.session.standing
        played = len(table.match.steps)
        now = Killed(number, played, min(played, standing.committed) if standing else 0)
        if now != told:
            told = now
            show(json.dumps(told))


def _hands(table: TableScene, random: Random) -> Gesture:
    turn = table.session.turn
    if turn.due not in ("choosing", "completing") or table.session.is_being_saved:  # a person is slower than a disk
        return []
    if turn.can_undo and random.random() < 0.05:
        return press(pygame.K_z, pygame.KMOD_CTRL)
    return take_a_step(table, random)


@trial("kill", "the playing program is killed; at most the step in flight is lost, no file is damaged")
def kill(seed: int, folder: Path) -> Counts:
    random = Random(seed)
    told = _told_until_killed(seed, random.uniform(0.0, 1.5))
    damaged = [file.name for file in folder.rglob("*damaged*")]
    with closing(Library()) as library:
        if damaged or library.notice:
            raise TrialFailure(f"the library is damaged: {', '.join(damaged)} {library.notice or ''}")
        numbers = {summary.id for summary in (*library.unfinished(), *library.recent(told.match))}
        steps = len(library.load(told.match).all_steps) if told.match in numbers else 0
    lost = told.played - steps
    if steps < told.saved:
        raise TrialFailure(f"{told.saved} steps were said to be saved, and {steps} are")
    if lost > 1:  # one step may be in flight
        raise TrialFailure(f"{told.played} steps were played, and {steps} are saved")
    how = "by clicks" if seed % 2 == 0 else "by computers"
    return Counter({"kills": 1, f"kills of play {how}": 1, "steps": told.played, "steps in flight": max(0, lost),
                    f"{MOST} steps lost": max(0, lost)})  # fmt: skip


def _told_until_killed(seed: int, seconds: float) -> Killed:
    """Have a process play, and kill it *seconds* after its first step; return its last report."""
    words = [sys.executable, "-m", __name__, str(seed)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        lines: list[str] = []
        has_begun = threading.Event()

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("["):
                    lines.append(line)
                    has_begun.set()

        listener = threading.Thread(target=listen)
        listener.start()
        if not has_begun.wait(60.0):
            process.kill()
            raise TrialFailure("no step was played")
        time.sleep(seconds)
        process.kill()
        listener.join()
    return Killed(*json.loads(lines[-1]))


PLAN = {"name": "writers"}


class _Plan(msgspec.Struct):
    name: str


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A journal entry: its writer, and the writer's number of earlier entries."""

    writer: Whole
    number: Whole


JOURNAL: Form[_Plan, Entry] = Form("trial of writers", 1, plan=_Plan, entry=Entry)


def write_entries(file: Path, seed: int, writer: int, openings: int) -> None:
    """Open *file* *openings* times; print a line for each opening, with its purpose and the number of entries."""
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
def writers(seed: int, folder: Path, processes: int = 8, openings: int = 134) -> Counts:
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
    with closing(Journal(file, JOURNAL, PLAN)) as journal:  # the killed process's lock does not block
        found = list(journal.entries())
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


CLUSTER_GAME, CLUSTER_PLAYERS = "santorini", ("norm", "god")
BATCHES = 24
SEEDS = 4  # the number of different simulations; their totals are counted only once
_CLUSTER_PATIENCE = 300.0  # seconds, as each worker may have to compile


@trial("cluster", "a worker of a cluster, or who asked it to simulate, is killed; the totals stay", most_seconds=900.0)
def cluster(seed: int, folder: Path) -> Counts:
    random = Random(seed)
    plan = _plan_of(seed % SEEDS)
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
    return Counter({f"{who} killed": 1, "in the middle": int(kept < BATCHES + 1), "games": plan.games})


def _plan_of(seed: int) -> Plan:
    plan = make_plan(find(CLUSTER_GAME), CLUSTER_PLAYERS, {}, seed, 1)
    return make_plan(find(CLUSTER_GAME), CLUSTER_PLAYERS, {}, seed, BATCHES * plan.batch_games - 1000)


@cache
def _expected(seed: int) -> dict[str, Any]:
    plan, total = _plan_of(seed), Total.of_seats(len(CLUSTER_PLAYERS))
    for number in range(plan.batches):
        total.add(batch(plan, number))
    found: dict[str, Any] = json.loads(json.dumps(total.as_data()))
    return found


def _ask(plan: Plan, address: str, file: Path) -> subprocess.Popen[str]:
    words = ("simulate", CLUSTER_GAME, *CLUSTER_PLAYERS, "--games", str(plan.games), "--seed", str(plan.seed))
    told = ("--cluster", address, "--json", "--out", str(file))
    return subprocess.Popen(
        [*command_words(), *words, *told], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _answer(asking: subprocess.Popen[str]) -> dict[str, Any]:
    try:
        out, err = asking.communicate(timeout=_CLUSTER_PATIENCE)
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
    given_up_at = time.monotonic() + _CLUSTER_PATIENCE
    while len(_lines(file)) <= batches:
        if asking.poll() is not None:
            raise TrialFailure(f"the simulation ended too early: {asking.communicate()[1].strip()}")
        if time.monotonic() > given_up_at:
            asking.kill()
            raise TrialFailure("the simulation does not begin")
        time.sleep(0.02)


if __name__ == "__main__":
    if len(sys.argv) == 2:
        play_until_killed(int(sys.argv[1]))
    else:
        write_entries(Path(sys.argv[1]), *map(int, sys.argv[2:]))
