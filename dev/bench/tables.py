"""Benchmarks of ``papan host``: how soon a step arrives at the other side while many tables are played."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from random import Random
from statistics import median
from typing import Any

from dev.bench.figures import FreshProcessError, Measurement
from papan.game.base.places import HOME_VARIABLE
from papan.game.catalogue import find
from papan.game.match import Match
from papan.online.guest import GuestLink
from papan.online.invitation import read_invitation
from papan.online.loop import LoopThread
from papan.online.protocol import Play, Round, Update

GAMES = ("connect-four", "xiangqi")
TABLES, SECONDS = 200, 30
"""Each table plays a step a second."""
MOST_MILLISECONDS = 50.0
PERCENTILE = 0.95
_PATIENCE = 120.0


def measure(
    command: Sequence[str], tell: Callable[[str], None], games: Sequence[str] = GAMES, tables: int = TABLES,
    seconds: int = SECONDS,
) -> list[Measurement]:  # fmt: skip
    """The time of steps from one guest to the other, and the host's share of a processor."""
    return [one for name in games for one in _measure(command, tell, name, tables, seconds)]


def _measure(
    command: Sequence[str], tell: Callable[[str], None], name: str, tables: int, seconds: int
) -> list[Measurement]:
    import psutil

    tell(f"{name}: {tables} tables")
    games = [_steps(name, seconds, Random(number)) for number in range(tables)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        words = [
            *command, "host", name, "--option", "first=1", "--tables", str(tables), "--reach", "this-machine",
            "--port", "0", "--json",
        ]  # fmt: skip
        host = subprocess.Popen(
            words, env={**os.environ, HOME_VARIABLE: home}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        loop = LoopThread()
        try:
            assert host.stdout is not None and host.stderr is not None
            line = host.stdout.readline()
            if not line:
                raise FreshProcessError(host.stderr.read().strip())
            process = psutil.Process(host.pid)
            playing = _Playing(loop, json.loads(line)["tables"], games)
            loop.run(playing.seated()).result(_PATIENCE)
            before, began = sum(process.cpu_times()[:2]), time.perf_counter()
            loop.run(playing.played()).result(seconds + _PATIENCE)
            share = (sum(process.cpu_times()[:2]) - before) / (time.perf_counter() - began)
        finally:
            host.kill()
            host.communicate()
            loop.close()
    taken = sorted(1000.0 * one for one in playing.taken)
    note = f"{len(taken)} of {sum(map(len, games))} steps arrived"
    return [
        Measurement(f"a step to the other side, {tables} tables", name, median(taken), "ms", MOST_MILLISECONDS, note),
        Measurement("the same, 95 %", name, taken[int(PERCENTILE * len(taken))], "ms"),
        Measurement("the host's processor time a step", name, 1000.0 * share / tables, "ms"),
        Measurement("the host's share of a processor", name, 100.0 * share, "%"),
    ]


def _steps(name: str, number: int, random: Random) -> list[int]:
    """The steps of a random game of at least *number*."""
    while True:
        match = Match.new(find(name), ["1", "2"], {"first": "1"}, seed=1)
        while match.ending is None and len(match.steps) < number:
            match.play(random.choice(match.legal_steps()))
        if len(match.steps) == number:
            return list(match.steps)


class _Playing:
    """Two guests at each table, who play given steps; all on the loop's thread."""

    def __init__(self, loop: LoopThread, tables: Sequence[dict[str, Any]], games: Sequence[Sequence[int]]) -> None:
        self.taken: list[float] = []
        """Seconds from the sending of a step to its arrival at the other side."""
        self._games, self._sent = games, dict[tuple[int, int], float]()
        self._links: list[list[GuestLink]] = []
        self._seats: dict[tuple[int, int], int] = {}
        for table, told in enumerate(tables):
            self._links.append([])
            for number, seat in enumerate(told["seats"]):
                link = GuestLink(
                    loop, read_invitation(seat["link"]), f"Guest {number}",
                    wake=lambda table=table, number=number: self._look(table, number),  # type: ignore[misc]
                )  # fmt: skip
                self._links[table].append(link)

    def _look(self, table: int, number: int) -> None:
        if len(self._links) <= table or len(self._links[table]) <= number:
            return
        now = time.perf_counter()
        for message in self._links[table][number].poll():
            if isinstance(message, Round):
                self._seats[table, message.seat] = number
            elif isinstance(message, Update):
                for index in range(message.kept, message.kept + len(message.steps)):
                    if self._seats.get((table, index % 2)) != number:
                        self.taken.append(now - self._sent.pop((table, index)))

    async def seated(self) -> None:
        while len(self._seats) < 2 * len(self._links):
            await asyncio.sleep(0.05)

    async def played(self) -> None:
        """Play all games, a step a second at each table."""
        random, began = Random(1), time.perf_counter()

        async def play(table: int) -> None:
            phase = random.random()
            for index, step in enumerate(self._games[table]):
                await asyncio.sleep(max(0.0, began + phase + index - time.perf_counter()))
                self._sent[table, index] = time.perf_counter()
                self._links[table][self._seats[table, index % 2]].send(Play(0, index, step))

        await asyncio.gather(*(play(table) for table in range(len(self._games))))
        given_up_at = time.perf_counter() + 10.0
        while self._sent and time.perf_counter() < given_up_at:
            await asyncio.sleep(0.05)
