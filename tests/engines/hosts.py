"""What the trials of Papan as an engine in other people's programs share; a person runs them, no test does.

``python -m tests.engines.NAME`` installs the pinned program in a temporary folder, has it play a whole match with
Papan of this checkout, and plays the moves again by our rules. It prints one line, or a sentence that says what
went otherwise. Nothing of these programs is shipped.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MATCH_SECONDS = 900.0
"""After this time a match has failed."""


class TrialError(Exception):
    """A sentence that says what is missing, or what went otherwise."""


@dataclass(frozen=True)
class Played:
    """A game as the other program saw it."""

    title: str
    """The program with its version, game and protocols."""
    game: str
    protocol: str
    """The protocol whose notation *turns* have."""
    turns: Sequence[str]
    winner: int | None
    """The seat that has won; None for a draw."""
    reason: str
    """Why it ended, as the program says."""
    notation: str = ""
    """How xiangqi's ranks are numbered; "" for the protocol's first way."""
    options: Mapping[str, str] | None = None
    """The options of the game; None for its defaults."""
    is_adjudged: bool = False
    """Whether the program ended the game by a rule of its own."""


def papan(game: str, protocol: str, *more: str) -> list[str]:
    """The command that is Papan as an engine."""
    return [sys.executable, str(ROOT / "main.py"), "engine", game, "--protocol", protocol, *more]


def program(folder: Path, command: Sequence[str]) -> Path:
    """A program in *folder* that runs *command*, for clients that take a path and no arguments."""
    path = folder / f"papan-{len(list(folder.glob('papan-*')))}"
    path.write_text(f"#!/bin/sh\nexec {shlex.join(command)}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def debian(folder: Path, versions: Mapping[str, str]) -> Path:
    """Unpack packages of Debian 12 in *folder*, with the libraries that the system has; returns their root."""
    check_installed("apt-get", "dpkg-deb")
    run(["apt-get", "download", "-q", *(f"{name}={version}" for name, version in versions.items())], folder)
    for package in folder.glob("*.deb"):
        run(["dpkg-deb", "-x", str(package), str(folder / "root")], folder)
    return folder / "root"


def python(folder: Path, *requirements: str) -> Path:
    """The Python of a new environment that has *requirements*."""
    run([sys.executable, "-m", "venv", str(folder / "venv")], folder)
    found = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    run([str(found), "-m", "pip", "install", "-q", "--disable-pip-version-check", *requirements], folder)
    return found


def check_installed(*programs: str) -> None:
    """:raises TrialError: one of *programs* is not there."""
    for name in programs:
        if shutil.which(name) is None:
            raise TrialError(f"There is no {name} here: install it first.")


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """The output of *command*, run in *folder*.

    :raises TrialError: it can't be started, failed, or took too long.
    """
    shown = shlex.join(command)
    try:
        ended = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=MATCH_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise TrialError(f"This command came to no end: {shown}: {error}") from error
    if ended.returncode:
        raise TrialError(f"This command has failed, with status {ended.returncode}: {shown}\n{ended.stderr[-2000:]}")
    return ended.stdout


def checked(played: Played) -> str:
    """*played* as a line, once our rules agree with every turn and the result.

    :raises TrialError: they don't.
    """
    from papan.ai.engines.dialect import dialects_of, going_on
    from papan.game.catalogue import GAMES
    from papan.game.match import Match
    from papan.game.rules import IllegalStep, NotationError

    game = GAMES[played.game]
    dialect = dialects_of(game)[played.protocol]
    dialect = dialect.called(played.notation) or dialect
    match = Match.new(game, ["", ""], played.options or {}, seed=0)
    for number, turn in enumerate(played.turns, 1):
        match = going_on(match, dialect)
        try:
            for step in dialect.read(match.rules, match.state, turn):
                match.play(step)
        except (NotationError, IllegalStep) as error:
            raise TrialError(f"{played.title}: turn {number}, {turn}, is illegal by our rules: {error}") from error
    ending = match.ending
    if ending is None and not played.is_adjudged:
        raise TrialError(f"{played.title}: the game is not over after turn {len(played.turns)}: {played.reason}")
    if ending is not None and ending.winner != played.winner:
        raise TrialError(
            f"{played.title}: our rules say {result(ending.winner)}, {ending.reason}; the program says "
            f"{result(played.winner)}, {played.reason}"
        )
    return f"{played.title}: {result(played.winner)}, {len(played.turns)} turns; {played.reason}"


def result(winner: int | None) -> str:
    return {0: "1-0", 1: "0-1", None: "1/2-1/2"}[winner]


def winner_of(result: str) -> int | None:
    """The seat that has won by *result*, as PGN writes it.

    :raises TrialError: the game has no result.
    """
    known = {"1-0": 0, "0-1": 1, "1/2-1/2": None}
    if result not in known:
        raise TrialError(f"The game has come to no result: {result}")
    return known[result]


def main(play: Callable[[Path, argparse.Namespace], Sequence[Played]], description: str, path: str = "") -> int:
    """Run the trial *play* in a temporary folder; returns the status of the process.

    :param path: the name of an argument for a program that must be there already; "" for none.
    """
    parser = argparse.ArgumentParser(description=description)
    if path:
        parser.add_argument("path", type=Path, metavar=path, help=f"the program {path}")
    chosen = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="papan-trial-") as folder:
        try:
            lines = [checked(played) for played in play(Path(folder), chosen)]
        except TrialError as error:
            print(error, file=sys.stderr)
            return 1
    print(*lines, f"{time.monotonic() - began:.0f} s in all", sep="\n")
    return 0
