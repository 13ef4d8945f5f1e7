"""Programs to talk to: small scripts that do one thing wrong, and Papan itself."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from papan.ai.engines.entries import FILE_NAME, Entry
from papan.ai.engines.player import EnginePlayer
from papan.ai.limits import Limit
from papan.game.base.places import bundled_file
from papan.game.catalogue import GAMES
from tests.waiting import PATIENCE

GREETING = """
import sys, time, os
def say(*lines):
    sys.stdout.write("".join(line + "\\n" for line in lines)); sys.stdout.flush()
def uci(on_go):
    for line in sys.stdin:
        words = line.split()
        if words[0] in ("uci", "ugi", "ucci"): say("id name Script", words[0] + "ok")
        elif words[0] == "isready": say("readyok")
        elif words[0] == "go": on_go()
        elif words[0] == "quit": break
"""
"""What a script begins with: it can speak, and a whole conversation in UCI or UGI is one call."""


def script(body: str) -> tuple[str, ...]:
    """The command that runs *body*, Python, with ``say`` and ``uci`` of the greeting."""
    return (sys.executable, "-I", "-S", "-u", "-c", GREETING + body)


def papan(game: str, protocol: str) -> tuple[str, ...]:
    """The command that is Papan as such a program."""
    return (sys.executable, str(bundled_file().parent / "main.py"), "engine", game, "--protocol", protocol)


def entry(
    command: tuple[str, ...],
    game: str = "connect-four",
    protocol: str = "ugi",
    limit: Limit = Limit(time=0.01),  # noqa: B008 - it is frozen
    grace: float = PATIENCE,
    patience: float = PATIENCE,
) -> Entry:
    """An entry called *x*; it has all the time that a busy machine may need."""
    return Entry("x", game, protocol, command, limit=limit, grace=grace, patience=patience)


def write_entries(home: Path, *entries: Entry) -> Path:
    """Write the file of *entries* where a person whose files are in *home* has it; returns its path."""
    path = home / "data" / FILE_NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    for one in entries:
        facts = {"game": one.game, "protocol": one.protocol, "command": one.command, "grace": one.grace}
        facts |= {"patience": one.patience, "time": one.limit.time}
        lines = [f"{name} = {json.dumps(value)}" for name, value in facts.items() if value is not None]
        with path.open("a", encoding="utf-8") as file:
            file.write("\n".join([f"[engines.{one.name}]", *lines, ""]))
    return path


@contextmanager
def player(entry: Entry) -> Iterator[EnginePlayer]:
    """The player of *entry*, whose program has ended afterwards."""
    made = EnginePlayer(entry, GAMES[entry.game])
    try:
        yield made
    finally:
        made.close()


def is_alive(pid: int) -> bool:
    """Whether there is a process of this number that has not ended."""
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def is_running(pid: int) -> bool:
    """Whether the process runs: one whose parent is gone may stay as a zombie where nobody asks for it."""
    if sys.platform == "linux":
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:  # noqa: PTH123 - a file of the kernel's
                return file.read().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False
    return is_alive(pid)
