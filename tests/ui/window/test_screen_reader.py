"""A blind player: the real window is played by a screen reader's means alone, without the mouse, keys or places."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dev.trials.screens import screen
from dev.trials.whole_games import DEPTH, can_be_opened
from papan.commands.common import command_words
from papan.game.base.places import data_folder
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.match.library import FILE_NAME
from papan.ui.settings import Settings
from tests.waiting import wait_for

CLIENT = Path(__file__).with_name("screen_reader_client.py")
SYSTEM_PYTHON = "/usr/bin/python3"
"""The Python for which Debian's package python3-pyatspi is installed."""
LAUNCHER = Path("/usr/libexec/at-spi-bus-launcher")
HOME = "All games"
"""A text that only the home screen shows."""
WHOLE = ("connect-four", "cifra")
"""The games that are played to their ends."""
CHOICES = 8
"""Of a person, in each other game: a choice is a piece or where it goes, say."""
_AGAIN_SECONDS = 5.0
_STATUS = "org.a11y.Status"


def can_be_read() -> bool:
    """Whether a screen reader could run here: AT-SPI, its client, and a display."""
    if not (can_be_opened() and LAUNCHER.exists() and shutil.which("dbus-daemon") and Path(SYSTEM_PYTHON).exists()):
        return False
    return subprocess.run([SYSTEM_PYTHON, "-c", "import pyatspi"], capture_output=True, check=False).returncode == 0


pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(
        sys.platform != "linux" or (not os.environ.get("CI") and not can_be_read()),
        reason="at-spi2-core, dbus and python3-pyatspi are not installed",
    ),
]


class Node(NamedTuple):
    number: int
    role: str
    name: str
    states: Sequence[str]
    depth: int

    def fits(self, name: str) -> bool:
        """Whether it is called *name*, perhaps with more words behind it."""
        return self.name == name or self.name.startswith(f"{name},")


class Reader:
    """A screen reader on the window of one process."""

    def __init__(self, process: int, environment: dict[str, str]) -> None:
        self._process = process
        self._client = subprocess.Popen(
            [SYSTEM_PYTHON, str(CLIENT)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def _ask(self, **request: Any) -> Any:
        assert self._client.stdin is not None and self._client.stdout is not None
        self._client.stdin.write(json.dumps(request) + "\n")
        self._client.stdin.flush()
        return json.loads(self._client.stdout.readline())

    def nodes(self) -> list[Node]:
        told = self._ask(read=self._process)
        if isinstance(told, dict):  # an element has gone while it was read
            return []
        return [Node(number, **one) for number, one in enumerate(told)]

    def found(self, what: Callable[[Node], bool], name: str) -> Node:
        """The first element that fits, as soon as there is one."""
        return wait_for(lambda: next(filter(what, self.nodes()), None), name)

    def named(self, name: str, *roles: str) -> Node:
        return self.found(lambda node: node.fits(name) and (not roles or node.role in roles), name)

    def press(self, name: str, *roles: str) -> None:
        wait_for(lambda: self.press_node(self.named(name, *roles)), f"a press on {name}")

    def press_node(self, node: Node) -> bool:
        """Press *node*; false where it has gone since it was read."""
        return self._ask(press=node.number) is True

    def go(self, button: str, title: str) -> None:
        """Press *button* until the scene with this *title* is there: elements may change while they are read."""
        pressed_at = -_AGAIN_SECONDS

        def is_there() -> bool:
            nonlocal pressed_at
            nodes = self.nodes()
            if any(node.role == "label" and node.name == title for node in nodes):
                return True
            buttons = [node for node in nodes if node.role == "push button" and node.fits(button)]
            if buttons and time.perf_counter() > pressed_at + _AGAIN_SECONDS and self.press_node(buttons[0]):
                pressed_at = time.perf_counter()
            return False

        wait_for(is_there, title)

    def close(self) -> None:
        self._client.kill()
        self._client.wait()


def _bus(environment: dict[str, str]) -> subprocess.Popen[str]:
    """A session bus; *environment* gets its address."""
    words = ["dbus-daemon", "--session", "--nofork", "--print-address"]
    bus = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert bus.stdout is not None
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
    return bus


def _tell_that_a_reader_is_there(environment: dict[str, str]) -> None:
    for name in ("IsEnabled", "ScreenReaderEnabled"):
        words = f"org.freedesktop.DBus.Properties.Set string:{_STATUS} string:{name} variant:boolean:true"
        command = ["dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus", *words.split()]

        def is_told(command: Sequence[str] = command) -> bool:
            return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0

        wait_for(is_told, "the accessibility bus")


@pytest.fixture
def reader(home: Path) -> Iterator[Reader]:
    """A screen reader on Papan's window, with a player who has been here before and wants no animations."""
    settings = Settings()
    settings.animation, settings.computer_speed = "off", "at once"
    settings.close()
    started: list[subprocess.Popen[Any]] = []
    with screen((1400, 900), DEPTH) as display:
        environment = dict(
            os.environ,
            DISPLAY=display,
            SDL_VIDEODRIVER="x11",
            PAPAN_HOME=str(home),
            PAPAN_KERNELS=str(kernel_cache_folder()),
            HOME=str(home),
        )
        try:
            started.append(_bus(environment))
            started.append(subprocess.Popen([str(LAUNCHER), "--launch-immediately"], env=environment))
            _tell_that_a_reader_is_there(environment)
            window = subprocess.Popen(command_words(), env=environment)
            started.append(window)
            reader = Reader(window.pid, environment)
            started.append(reader._client)
            yield reader
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait()


def begin(reader: Reader, game: str) -> None:
    """Begin a match of *game* against the usual opponent, from home."""
    reader.go(game, "Rules of this match")
    reader.press("Play", "push button")


def choices(reader: Reader) -> list[Node]:
    """What can be done at the table now: after the end, only to play again."""
    nodes = reader.nodes()
    ends = [node for node in nodes if node.role == "push button" and node.name.startswith("Play again")]
    cells = [node for node in nodes if node.role == "table cell" and "can be chosen" in node.name]
    cards = [node for node in nodes if node.role == "push button" and re.match(r"\d+, ", node.name)]
    return ends or cells + cards


def play(reader: Reader, luck: random.Random, most: int = sys.maxsize) -> None:
    """Play for the person at the table, choosing at random among what the elements say can be chosen.

    It ends with the game, or after *most* choices.
    """
    for _ in range(most):
        found = wait_for(lambda: choices(reader), "a choice")
        if found[0].name.startswith("Play again"):
            return
        reader.press_node(luck.choice(found))


def kept() -> dict[str, tuple[int, str | None]]:
    """By game, of the matches in the library: how many steps are played, and why it is over."""
    with closing(sqlite3.connect(data_folder() / FILE_NAME)) as library:
        rows = library.execute("SELECT game, played, reason FROM matches").fetchall()
    return {game: (played, reason) for game, played, reason in rows}


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(game, id=game.name, marks=() if game.name in WHOLE else pytest.mark.slow)
        for game in GALLERY.values()
    ],
)
def test_whole_game(reader: Reader, game: Game) -> None:
    begin(reader, game.title)
    play(reader, random.Random(1))
    assert [name for name, (_, reason) in kept().items() if reason] == [game.name]


def test_some_turns_of_each_other_game(reader: Reader) -> None:
    """One after the other at one window; the first is resigned, the others are left."""
    games = [game for game in GALLERY.values() if game.name not in WHOLE]
    for game in games:
        begin(reader, game.title)
        play(reader, random.Random(1), CHOICES)
        if game is games[0]:
            reader.press("More: resign", "combo box")
            reader.press("Resign", "menu item")
            reader.press("Resign", "push button")
            reader.named("Play again", "push button")
            reader.go("Home", HOME)
        else:
            reader.go("Back to the games", HOME)
    found = wait_for(lambda: rows if len(rows := kept()) == len(games) else None, "the last match in the library")
    assert all(played >= CHOICES // 3 for played, _ in found.values()), found
    assert [name for name, (_, reason) in found.items() if "resign" in str(reason)] == [games[0].name], found


def test_every_room(reader: Reader) -> None:
    """Settings, a puzzle, and after a short game its review and the library."""
    reader.go("Settings", "Appearance")
    switch = reader.named("Confirm turns", "toggle button")
    assert "pressed" not in switch.states
    reader.press_node(switch)
    switch = reader.found(lambda node: node.name == switch.name and "pressed" in node.states, "the switch turned on")
    reader.press_node(switch)
    reader.found(lambda node: node.name == switch.name and "pressed" not in node.states, "the switch turned off")
    reader.press("Quiet", "radio button")
    reader.found(lambda node: node.name == "Quiet" and "checked" in node.states, "the quiet sounds")
    reader.go("Back", HOME)

    reader.go("Puzzles", "Puzzles")
    reader.go("Solve", "A puzzle: exactly one turn is right (proved)")
    reader.found(lambda node: node.role == "table cell", "the puzzle's board")
    reader.go("Back", "Puzzles")
    reader.go("Back", HOME)

    begin(reader, "Connect Four")
    play(reader, random.Random(1))
    reader.go("Review", "Review")
    turns = reader.found(lambda node: node.role == "list box" and node.name.startswith("Turns"), "the turns")
    first = reader.found(lambda node: node.number > turns.number and node.role == "list item", "a turn")
    reader.press_node(first)
    reader.found(lambda node: node.name == first.name and "selected" in node.states, "the turn chosen")
    reader.go("Back", "Connect Four")
    reader.go("Home", HOME)
    reader.go("Library", "Library")
    reader.found(lambda node: node.role == "list item" and "Connect Four" in node.name, "the match in the library")
