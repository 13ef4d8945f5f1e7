"""``papan host``: invitations, resuming, and where finished matches go; with real processes and guests."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from dev.guests import RandomGuest
from papan.commands.common import command_words
from papan.commands.host import _announce
from papan.game.match import record
from papan.game.match.library import FILE_NAME, Library
from papan.online.discovery import MOST_TABLES, Announced, Discovery
from papan.online.guest import GuestLink
from papan.online.host import Host
from papan.online.invitation import Address, name_of, read_invitation
from papan.online.loop import LoopThread
from papan.online.table import Member, Plan
from tests.commands.calling import Captured, calling
from tests.waiting import PATIENCE

host = calling("host")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((), "Say which game is played"),
        (("2048",), "2048 is for 1 player, not 2"),
        (("connect-four", "--seats", "3"), "is for 2 players, not 3"),
        (("connect-four", "--computer", "2"), "--computer SEAT=PLAYER"),
        (("connect-four", "--computer", "x=random"), "--computer SEAT=PLAYER"),
        (("connect-four", "--computer", "3=random"), "a seat from 1 to 2"),
        (("connect-four", "--computer", "1=random", "--computer", "2=random"), "must be a person's"),
        (("connect-four", "--computer", "2=nobody"), "nobody"),
        (("connect-four", "--control", "soon"), "'soon' is no clock"),
        (("connect-four", "--option", "colour=red"), "has no option"),
        (("connect-four", "--position", "x"), ""),
        (("catur-jawa", "--position", "x"), "can't be played so"),
        (("connect-four", "--out", "no-folder/file"), "no folder"),
        (("--continue",), "no tables to open"),
    ],
)
def test_refusals(words: tuple[str, ...], says: str, capsys: Captured, home: Path) -> None:
    code, out, err = host(capsys, *words)
    assert code == 2 and says in err and not out


class Process:
    """``papan host`` as a process, with what it told."""

    def __init__(self, home: Path, *words: str) -> None:
        environment = {**os.environ, "PAPAN_HOME": str(home)}
        self.process = subprocess.Popen(
            [*command_words(), "host", *words, "--json", "--reach", "this-machine"],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout is not None
        self.told: dict[str, Any] = json.loads(self.process.stdout.readline() or "{}")

    def end(self, sign: int = signal.SIGINT) -> str:
        if sys.platform == "win32":
            self.process.kill()
        else:
            self.process.send_signal(sign)
        return self.process.communicate(timeout=PATIENCE)[1]


@contextmanager
def guests_of(process: Process, table: int = 0) -> Iterator[list[RandomGuest]]:
    loop = LoopThread()
    seats = process.told["tables"][table]["seats"]
    guests = [
        RandomGuest(GuestLink(loop, read_invitation(seat["link"]), f"Guest {n}"), n) for n, seat in enumerate(seats)
    ]
    try:
        yield guests
    finally:
        for guest in guests:
            guest.link.close()
        loop.close()


def play_until(guests: list[RandomGuest], done: Callable[[], object]) -> None:
    given_up_at = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < given_up_at
        for guest in guests:
            guest.work()
        time.sleep(0.005)


@pytest.mark.skipif(sys.platform == "win32", reason="a process can't be sent Ctrl+C alone there")
def test_a_match_survives_kill_and_goes_into_the_library(tmp_path: Path) -> None:
    process = Process(tmp_path, "catur-jawa", "--seats", "3", "--computer", "3=random", "--port", "0", "--watch")
    assert [seat["name"] for seat in process.told["tables"][0]["seats"]] == ["Player 1", "Player 2"]
    assert read_invitation(process.told["tables"][0]["watch"]["code"]).key
    with guests_of(process) as guests:
        play_until(guests, lambda: guests[0].mirror is not None and len(guests[0].mirror.steps) > 6)
        process.end(signal.SIGKILL)
        again = Process(tmp_path, "--continue", "--port", str(process.told["port"]))
        assert [seat["link"] for seat in again.told["tables"][0]["seats"]] == [
            seat["link"] for seat in process.told["tables"][0]["seats"]
        ]
        play_until(guests, lambda: all(guest.finished for guest in guests))
        finished = guests[0].finished[0]
    assert "closed; --continue opens them again" in again.end()
    for _ in range(2):  # a table that is opened again adds nothing
        Process(tmp_path, "--continue", "--port", "0").end()
        with closing(Library(tmp_path / "data" / FILE_NAME)) as library:
            found = [library.load(summary.id) for summary in library.recent(10)]
        assert [record.write(match) for match in found] == [record.write(finished)]


@pytest.mark.skipif(sys.platform == "win32", reason="a process can't be sent Ctrl+C alone there")
def test_records_go_into_a_file(tmp_path: Path) -> None:
    out = tmp_path / "records.txt"
    process = Process(tmp_path, "connect-four", "--tables", "2", "--port", "0", "--out", str(out))
    assert len(process.told["tables"]) == 2
    with guests_of(process, 1) as guests:
        play_until(guests, lambda: all(guest.finished for guest in guests))
    process.end()
    assert out.read_text(encoding="utf-8") == record.write(guests[1].finished[0]) + "\n"
    Process(tmp_path, "--continue", "--port", "0", "--out", str(out)).end()
    assert out.read_text(encoding="utf-8") == record.write(guests[1].finished[0]) + "\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a process can't be sent Ctrl+C alone there")
def test_ctrl_c_while_tables_are_being_announced(tmp_path: Path) -> None:
    words = [*command_words(), "host", "connect-four", "--tables", "60", "--port", "0"]
    environment = {**os.environ, "PAPAN_HOME": str(tmp_path)}
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert any(line.startswith("Everything is open") for line in process.stdout)
    time.sleep(0.5)  # in the middle of it
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and errors.startswith("The tables are closed")


def test_its_first_tables_are_announced(tmp_path: Path) -> None:
    addresses = (Address("192.168.1.5"),)
    announced: list[Announced] = []

    class Heard(Discovery):
        async def announce(self, tables: Sequence[Announced]) -> None:
            announced.extend(tables)

    async def announce() -> list[bytes]:
        held = Host(folder=tmp_path)
        for _number in range(MOST_TABLES + 1):
            held.open(Plan("connect-four", [Member("Ada"), Member("Ben")], {"first": "1"}, "Ada"))
        await _announce(Heard(), held, addresses)
        keys = [one.key for one in held.tables[0].table.plan.members]
        await held.close()
        return keys

    keys = asyncio.run(announce())
    assert announced[0] == Announced("connect-four", "Ada", frozenset(map(name_of, keys)), 2, addresses)
    assert len(announced) == MOST_TABLES


@pytest.mark.skipif(sys.platform == "win32", reason="a process can't be sent Ctrl+C alone there")
def test_for_people_it_prints_codes_and_links(tmp_path: Path) -> None:
    words = [*command_words(), "host", "connect-four", "--reach", "this-machine", "--port", "0", "--watch"]
    environment = {**os.environ, "PAPAN_HOME": str(tmp_path)}
    process = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(5)]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert lines[0] == "Table 1: Connect Four" and lines[4].endswith("Ctrl+C closes it.")
    for line in lines[1:4]:
        code, link = line.split()[-2:]
        assert read_invitation(code).key == read_invitation(link).key and read_invitation(link).addresses
