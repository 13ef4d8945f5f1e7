"""Faults between a host and its guests: no match is lost, and host and guests agree on it to the letter."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from websockets.asyncio.server import ServerConnection

from dev.guests import RandomGuest
from dev.trials import LONGEST_SAID, MOST, Counts, TrialFailure, failing, trial
from dev.trials.hands import errors_logged
from papan.commands.common import command_words
from papan.game.base.places import CHECKOUT
from papan.game.catalogue import GAMES
from papan.game.match import record
from papan.online import guest as guest_module
from papan.online import host as host_module
from papan.online.guest import GuestLink
from papan.online.host import Host, invitation_to
from papan.online.invitation import Address, Invitation
from papan.online.journal import kept_tables
from papan.online.loop import LoopThread
from papan.online.table import Member, Plan

PLAYED = tuple(game for game in GAMES.values() if max(game.seats) > 1)
MOST_STEPS = 30
"""Then somebody resigns."""
MOST_FAULTS = 8
REAL_EVERY = 40
"""One case of so many has real processes."""
_PATIENCE = 60.0


class Proxy:
    """Passes connections on to a host, badly."""

    def __init__(self, random: Random) -> None:
        self.target, self.port = 0, 0
        self._random, self._writers = random, set[asyncio.StreamWriter]()
        self._begun: list[bytes] = []
        """What connections began with, to be said again."""
        self.delay = 0.0
        self.truncates = False
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            host_reader, host_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        pair = {writer, host_writer}
        self._writers |= pair
        with suppress(asyncio.CancelledError):  # the trial has ended: asyncio would log it
            await asyncio.gather(self._pump(reader, host_writer, pair), self._pump(host_reader, writer, pair))
        self._writers -= pair

    async def _pump(
        self, reader: asyncio.StreamReader, to: asyncio.StreamWriter, pair: set[asyncio.StreamWriter]
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(4096):
                if len(self._begun) < 20:
                    self._begun.append(data)
                if self.delay:
                    await asyncio.sleep(self.delay * self._random.random())
                if self.truncates:
                    self.truncates = False
                    to.write(data[: self._random.randrange(len(data))])
                    await to.drain()
                    break
                to.write(data)
                await to.drain()
        for one in pair:
            one.close()

    def cut(self) -> None:
        """Cut one connection, or all."""
        writers = list(self._writers)
        if writers and self._random.random() < 0.5:
            writers = [self._random.choice(writers)]
        for one in writers:
            one.transport.abort()

    async def say_again(self) -> None:
        """Open a connection with what another one began with."""
        if self._begun:
            with suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", self.target)
                writer.write(self._random.choice(self._begun))
                await writer.drain()
                writer.close()

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
        for one in list(self._writers):
            one.transport.abort()


def killed(host: Host) -> None:
    """End *host* as a kill does, on the loop's thread: no farewell, and the system closes its files."""
    [server] = host._servers
    vars(host)["_let_in"] = vars(host)["_seat"] = _hang_up  # those that are still at the door
    for connection in list(server.connections):
        connection.transport.abort()
    server.close(close_connections=False)
    if host._ticking is not None:
        host._ticking.cancel()
    for held in host.tables:
        for chair in held.chairs:
            chair.end = "closed"  # nothing that came before is done any more
        if held.thinking is not None:
            held.thinking.cancel()
        if held.journal is not None:
            held.journal.close()
            held.journal = None


async def _hang_up(connection: ServerConnection, *_: object) -> None:
    connection.transport.abort()


class _Evening:
    """One match at one table, in this process, with faults."""

    def __init__(self, seed: int, folder: Path, counts: Counts) -> None:
        self.random, self.folder, self.counts = Random(seed), folder, counts
        self.loop, self.proxy = LoopThread(), Proxy(self.random)
        self.game = self.random.choice(PLAYED)
        self.seats = self.random.choice([number for number in self.game.seats if number > 1])
        self.host = Host(folder=folder)
        self._call(self.proxy.open)
        self._listen()
        members = [Member(f"P{number}") for number in range(self.seats)]
        control = self.random.choice(["", "900+5", "1/180"])
        plan = Plan(self.game.name, members, {}, "Host", secrets.token_bytes(16), control, self.random.random() < 0.5)

        async def open_table() -> None:
            self.held = self.host.open(plan)

        self._call(open_table)
        self.guests = [self._guest(number) for number in range(self.seats)]
        self.watching = RandomGuest(GuestLink(self.loop, self._invitation(None), "Watching"), 0)

    def _call(self, work: Callable[[], Any]) -> Any:
        return self.loop.run(work()).result(_PATIENCE)

    def _listen(self) -> None:
        self.proxy.target = self._call(lambda: self.host.listen("this machine", 0))

    def _invitation(self, member: int | None) -> Invitation:
        return invitation_to(self.held, member, [Address("127.0.0.1", self.proxy.port)])

    def _guest(self, member: int) -> RandomGuest:
        link = GuestLink(self.loop, self._invitation(member), f"Guest {member}")
        seed = self.random.randrange(10**6)
        return RandomGuest(link, seed, is_calm=False, most_steps=MOST_STEPS)

    def spend(self) -> None:
        faults_left = self.random.randint(1, MOST_FAULTS)
        given_up_at, last = time.monotonic() + _PATIENCE, -1
        while not all(guest.finished for guest in (*self.guests, self.watching)):
            if time.monotonic() > given_up_at:
                raise TrialFailure(f"the match does not end: {self._standing()}")
            for guest in (*self.guests, self.watching):
                guest.work()
            for member, guest in enumerate(self.guests):
                if guest.link.state.standing == "ended":  # another window has the seat: take it back
                    self.guests[member] = self._guest(member)
            if faults_left and self.held.table.revision != last and self.random.random() < 0.15:
                last = self.held.table.revision
                faults_left -= 1
                self._fault()
            time.sleep(0.001)
        self._compare()

    def _standing(self) -> str:
        table = self.held.table
        match = table.match
        said = [f"{self.counts}, round {table.round}, revision {table.revision}, {table.question}"]
        if match is not None:
            said.append(f"{len(match.steps)} steps, {match.mover} to move, {match.ending}, connected {table.connected}")
        for guest in (*self.guests, self.watching):
            steps = None if guest.mirror is None else len(guest.mirror.steps)
            said.append(f"{guest.link.state}, {guest.update}, {steps} steps")
        return "\n".join(said)

    def _fault(self) -> None:
        name = self.random.choice(
            ["cut", "delay", "truncated", "said again", "guest killed", "seat taken twice", "host killed"]
        )
        self.counts[name] += 1
        if name == "cut":
            self.loop.soon(self.proxy.cut)
        elif name == "delay":
            self.proxy.delay = self.random.choice([0.0, 0.01, 0.05])
        elif name == "truncated":
            self.proxy.truncates = True
        elif name == "said again":
            self._call(self.proxy.say_again)
        elif name == "host killed":
            self._kill_host()
        else:
            member = self.random.randrange(self.seats)
            before, self.guests[member] = self.guests[member], self._guest(member)
            if name == "guest killed":
                link = before.link
                assert isinstance(link, GuestLink)
                self.loop.soon(_abort, link)

    def _kill_host(self) -> None:
        async def kill() -> None:
            killed(self.host)

        before = self.held.table
        self._call(kill)
        [file] = kept_tables(self.folder)
        if self.random.random() < 0.5:  # in the middle of a line
            with file.open("ab") as stream:
                stream.write(b'N{"step":12345'[: self.random.randint(1, 14)])
        self.host = Host(folder=self.folder)

        async def reopen() -> None:
            self.held = self.host.reopen(file)

        self._call(reopen)
        self._listen()
        if before.match is not None:
            match = self.held.table.match
            if match is None or list(match.steps) != list(before.match.steps) or match.ending != before.match.ending:
                raise TrialFailure("the match is another one after the host's end")
            if before.clock is not None and self.held.table.clock is not None:
                lost = [now - then for now, then in zip(self.held.table.clock.left, before.clock.left, strict=True)]
                if not all(-0.01 <= one <= 6.0 for one in lost):
                    raise TrialFailure(f"the clocks differ by {lost} s after the host's end")

    def _compare(self) -> None:
        match = self.held.table.match
        assert match is not None
        own = record.write(match)
        for guest in (*self.guests, self.watching):
            if [record.write(one) for one in guest.finished.values()] != [own]:
                raise TrialFailure(f"host and guest disagree: {own} and {guest.finished}")
        self._kill_host()
        self.counts["steps"] += len(match.steps)
        self.counts[f"{MOST} seats"] = self.seats

    def end(self) -> None:
        for guest in (*self.guests, self.watching):
            guest.link.close()
        self._call(self.host.close)
        self._call(self.proxy.close)
        self.loop.close()


def _abort(link: GuestLink) -> None:
    """End *link* as a kill of its process does."""
    link._task.cancel()
    if link._connection is not None:
        link._connection.transport.abort()


# ------------------------------------------------------------------------------------ real processes


class _Processes:
    """A host and guests as processes, some of which are killed."""

    def __init__(self, seed: int, folder: Path, counts: Counts) -> None:
        self.random, self.counts = Random(seed), counts
        self.game = self.random.choice(PLAYED)
        self.seats = self.random.choice([number for number in self.game.seats if number > 1])
        self.out = folder / "records.txt"
        self.port = "0"
        self.host, told = self._start_host(self.game.name, "--seats", str(self.seats))
        self.port = str(told["port"])
        self.links = [seat["link"] for seat in told["tables"][0]["seats"]]
        self.guests = [self._start_guest(number) for number in range(self.seats)]

    def _start_host(self, *words: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        command = [
            *command_words(), "host", *words, "--reach", "this-machine", "--port", self.port, "--json",
            "--out", str(self.out),
        ]  # fmt: skip
        with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
            process = subprocess.Popen(command, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=errors, text=True)
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                errors.seek(0)
                raise TrialFailure(f"the host does not start: {errors.read()[-LONGEST_SAID:]}")
        return process, json.loads(line)

    def _start_guest(self, number: int) -> subprocess.Popen[str]:
        words = [
            sys.executable,
            "-m",
            "dev.guests",
            self.links[number],
            str(self.random.randrange(10**6)),
            str(MOST_STEPS),
        ]
        return subprocess.Popen(words, cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)

    def spend(self) -> None:
        for _ in range(self.random.randint(1, 3)):
            time.sleep(self.random.uniform(0.5, 4.0))
            number = self.random.randrange(-1, self.seats)
            if number < 0:
                self.host.kill()
                self.host.communicate()
                self.host, told = self._start_host("--continue")
                if [seat["link"] for seat in told["tables"][0]["seats"]] != self.links:
                    raise TrialFailure("the invitations are others after the host's end")
                self.counts["host's process killed"] += 1
            elif self.guests[number].poll() is None:
                self.guests[number].kill()
                self.guests[number].communicate()
                self.guests[number] = self._start_guest(number)
                self.counts["guest's process killed"] += 1
        records = [guest.communicate(timeout=_PATIENCE)[0] for guest in self.guests]
        if sys.platform != "win32":
            self.host.send_signal(signal.SIGINT)
            self.host.communicate(timeout=_PATIENCE)
            own = self.out.read_text(encoding="utf-8").strip()
            if not own or {one.strip() for one in records} != {own}:
                raise TrialFailure(f"host and guests disagree: {own} and {records}")

    def end(self) -> None:
        for process in (self.host, *self.guests):
            process.kill()
            process.communicate()


@trial("online", "connections are cut, programs are killed while people elsewhere play; no match is lost")
def case(seed: int, folder: Path) -> Counts:
    counts: Counts = Counter()
    with failing(f"seed {seed}"), errors_logged() as errors:
        try:
            if seed % REAL_EVERY == 0:
                _real_case(seed, folder, counts)
            else:
                _case_in_process(seed, folder, counts)
        except TrialFailure as error:
            raise TrialFailure("\n".join([str(error), *errors])) from error
        if errors:
            raise TrialFailure("\n".join(errors))
    return counts


def _real_case(seed: int, folder: Path, counts: Counts) -> None:
    # Compiling would take longer than the match.
    with mock.patch.dict(os.environ, {"NUMBA_DISABLE_JIT": "1"}):
        evening = _Processes(seed, folder, counts)
        try:
            evening.spend()
        finally:
            evening.end()
    counts["matches between real processes"] += 1


def _case_in_process(seed: int, folder: Path, counts: Counts) -> None:
    with (
        mock.patch.object(guest_module, "_FIRST_PAUSE", 0.01),
        mock.patch.object(guest_module, "_LONGEST_PAUSE", 0.1),
        mock.patch.object(host_module, "_WRONG_SECONDS", 0.01),
    ):
        evening = _Evening(seed, folder, counts)
        try:
            evening.spend()
        finally:
            evening.end()
    counts["matches in one process"] += 1
