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


OPTIONS = (
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Skill Level type spin default 20 min 0 max 20",
    "option name Ponder type check default false",
    "option name Style type combo default Normal var Solid var Normal var Very Risky",
    "option name EvalFile type string default nn.nnue",
    "option name Debug Log File type string default <empty>",
    "option name Clear Hash type button",
)
"""An option of each type, as UCI and UGI tell them."""
_HASH = "option hashsize type spin min 16 max 64 default 16"
_TALK = """
def talk(answers, move):
    for line in sys.stdin:
        words = line.split()
        if words[0] in ("quit", "END"): break
        elif words[0] in answers: say(*(line.replace("#", words[-1]) for line in answers[words[0]]))
        elif words[0] in ("go", "genmove", "BEGIN"): say(move if isinstance(move, str) else move.pop(0))
        else: say("? unknown command: " + words[0])
"""
_QUIET = dict.fromkeys(("setoption", "position", "ucinewgame", "uginewgame", "INFO", "set"), ())
SPEAKERS = {
    protocol: f"{_TALK}talk({ {**_QUIET, **answers} !r}, {move!r})"
    for protocol, answers, move in (
        ("uci", {"uci": ("id name Fake 1.5", "id author A. Person", *OPTIONS, "uciok"), "isready": ("readyok",)},
         "bestmove h2e2"),
        ("ucci", {"ucci": ("id name Fake 1.5", "id author A. Person", _HASH, "ucciok"), "isready": ("readyok",)},
         "bestmove h2e2"),
        ("ugi", {"ugi": ("id name Fake 1.5", "id author A. Person", *OPTIONS, "ugiok"), "isready": ("readyok",)},
         "bestmove 4"),
        ("gomocup", {"ABOUT": ('name="Fake 1.5", author="A. Person", version="1.5"',), "START": ("OK",)}, "7,7"),
        ("nboard", {"nboard": (), "ping": ("set myname Fake 1.5", "pong #")}, "=== F5"),
        ("gtp", dict.fromkeys(("name", "boardsize", "clear_board", "play", "time_settings"), ("= Fake 1.5",)),
         ["= f5", "= d6", "= c3", "= d3"]),
    )
}  # fmt: skip
"""By protocol: the body of a program that speaks it, introduces itself, and plays the first turn of its game."""
GAME_OF = {"uci": "xiangqi", "ucci": "xiangqi", "ugi": "connect-four", "gomocup": "gomoku", "nboard": "othello",
           "gtp": "othello"}  # fmt: skip
"""The game of that turn."""


def script(body: str) -> tuple[str, ...]:
    """The command that runs *body*, Python, with ``say`` and ``uci`` of the greeting."""
    return (sys.executable, "-I", "-S", "-u", "-c", GREETING + body)


def program_file(folder: Path, body: str, name: str = "fake") -> Path:
    """A file in *folder* that a person could choose as a program: it runs *body*."""
    code = folder / f"{name}.py"
    code.write_text(GREETING + body, encoding="utf-8")
    if sys.platform == "win32":
        file = folder / f"{name}.bat"
        file.write_text(f'@"{sys.executable}" -I -S -u "{code}" %*\n', encoding="utf-8")
    else:
        file = folder / name
        file.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S -u "{code}" "$@"\n', encoding="utf-8")
        file.chmod(0o700)
    return file


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
