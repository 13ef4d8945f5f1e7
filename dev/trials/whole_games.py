"""Whole games by mouse or by keyboard alone: one of each game, at one real window, from its home screen."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Self

import pygame

from dev.trials import Counts, TrialFailure, trial
from dev.trials.hands import Gesture, click, move, point_of, press
from dev.trials.screens import screen
from papan.ai.players import HUMAN, make_player, situation
from papan.commands.common import command_words
from papan.game.base.places import HOME_VARIABLE, KERNELS_VARIABLE
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.kernel.cache import kernel_cache_folder
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library
from papan.game.match.record import read, write
from papan.game.rules import CHANCE
from papan.self_test import FRAME_SECONDS, SIZE, close_in_order
from papan.ui.boards import Direction
from papan.ui.scenes.table import HandOver, TableScene
from papan.ui.settings import Settings
from papan.ui.widgets.base import Widget
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.choice_bar import NUMBER_KEYS
from papan.ui.widgets.text_field import TextField
from papan.ui.window.program import Program

SHORT: Mapping[str, Mapping[str, str]] = {"2048": {"size": "2"}}
"""Options for a short game, if the defaults make it long."""
STRONG, WEAK = "minimax:depth=2", "random"
"""The players of the first seat and of the others, as games between unequal players are short."""
_TRIES = 6  # games to choose the shortest from
_MOST_STEPS = 400
_SEEDS_COMPARED = 5
_ARROWS: Mapping[Direction, tuple[str, int]] = {
    "left": ("Left", pygame.K_LEFT),
    "right": ("Right", pygame.K_RIGHT),
    "up": ("Up", pygame.K_UP),
    "down": ("Down", pygame.K_DOWN),
}


def short_game(game: Game, seed: int, options: Mapping[str, str] | None = None) -> Match:
    """A finished match of *game* between persons, the shortest of some games with the match seed *seed*."""
    options = {**SHORT.get(game.name, {}), "first": "1", **(options or {})}
    games = [_played(game, seed, number, options) for number in range(_TRIES)]
    over = [match for match in games if match.ending is not None]
    if not over:
        raise TrialFailure(f"no game of {game.title} was over after {_MOST_STEPS} steps")
    return min(over, key=lambda match: len(match.steps))


def _played(game: Game, seed: int, number: int, options: Mapping[str, str]) -> Match:
    match = Match.new(game, [HUMAN] * game.seats[0], options, seed)
    names = [STRONG, *[WEAK] * (game.seats[0] - 1)] if game.seats[0] > 1 else [WEAK]
    players = [make_player(name, game) for name in names]
    luck = Random(f"{seed} {number}")
    while match.ending is None and len(match.steps) < _MOST_STEPS:
        if match.mover == CHANCE:
            match.play(match.chance_step())
        else:
            told = replace(situation(match), seed=luck.randrange(2**31))
            match.play(players[match.mover].choose(told).step)
    return match


def depends_on_seed(plan: Match) -> bool:
    """Whether a match like *plan* depends on its seed."""
    others = (
        Match.new(plan.game, plan.seats, plan.options, plan.seed + other) for other in range(1, _SEEDS_COMPARED + 1)
    )
    return plan.game.has_chance or any(other.state != plan.states[0] for other in others)


class Pair(ABC):
    """The real window and its twin, and the same input for both."""

    def __init__(self, real: RealWindow, twin: Program) -> None:
        self.real = real
        self.twin = twin
        self.counts: Counts = Counter()
        self._before = 0

    def both(self, words: Sequence[str], events: Gesture) -> None:
        """Pass *words* to xdotool, and the equivalent *events* to the twin."""
        self.real.xdotool(*words)
        self.twin.app.step(FRAME_SECONDS, events)
        self.settle()

    def settle(self) -> None:
        while isinstance(table := self.twin.app.scene, TableScene) and table.session.showing is not None:
            self.twin.app.step(FRAME_SECONDS, [])

    def wait_for_scene(self, name: str) -> None:
        """Wait until both windows show a scene of the class *name*."""
        self._wait_for_twin(lambda: type(self.twin.app.scene).__name__ == name, name)
        self.real.wait_for_scene(name)
        self.settle()

    def _wait_for_twin(self, holds: Callable[[], object], what: str) -> None:
        def is_so() -> object:
            self.twin.app.step(FRAME_SECONDS, [])
            return holds()

        wait_for(is_so, f"{what} of the twin")

    @property
    def table(self) -> TableScene:
        found = next((scene for scene in self.twin.app.scenes if isinstance(scene, TableScene)), None)
        if found is None:
            raise TrialFailure(f"{type(self.twin.app.scene).__name__} is shown and no table")
        return found

    @property
    def board(self) -> BoardWidget:
        found = self.table.widgets.named("board")
        assert isinstance(found, BoardWidget)
        return found

    @abstractmethod
    def activate(self, name: str) -> None:
        """Press the button *name*, or focus the field *name*."""

    @abstractmethod
    def point(self, cell: int) -> None:
        """Point at *cell* of the board."""

    def choose(self, number: int) -> None:
        """Choose the step offered under *number*, from 1."""
        self.activate(f"choice {number}")

    def play(self, plan: Match) -> None:
        self._before, ends = self.real.newest_match(), self.real.ends_shown(plan.game.name)
        self.activate(f"game {plan.game.name}")
        self.wait_for_scene("NewGameScene")
        if depends_on_seed(plan):
            self._write_seed(plan.seed)
        boards = self.real.boards_shown()
        self.activate("start")
        self._wait_at_table(plan.game)
        # keys are pressed only once there is a board
        wait_for(lambda: self.real.boards_shown() > boards, f"the board of {plan.game.title}")
        while self.table.match.ending is None:
            self._take(plan.steps[len(self.table.match.steps)])
            self.real.wait_for_steps(len(self.table.match.steps), self._before, plan.game.title)
            self._wait_at_table(plan.game)
        wait_for(lambda: self.real.ends_shown(plan.game.name) == ends + 1, f"the end of {plan.game.title}")
        self._wait_for_twin(lambda: self._widget("home"), f"the end of {plan.game.title}")
        self.activate("home")  # the button is next to the result only
        self.wait_for_scene("HomeScene")
        check_kept(self.real.home, plan)

    def _widget(self, name: str) -> Widget | None:
        """The visible widget *name* of the twin's scene, if any."""
        widget = self.twin.app.scene.widgets.named(name) if self.twin.app.scene is not None else None
        return widget if widget is not None and widget.is_visible else None

    def _write_seed(self, seed: int) -> None:
        self.activate("options")
        self.activate("seed")
        self.real.catch_up("NewGameScene")  # the window must first request text input from the system
        for digit in str(seed):
            self.both(["key", digit], [*press(ord(digit)), pygame.event.Event(pygame.TEXTINPUT, text=digit)])

    def _wait_at_table(self, game: Game) -> None:
        """Wait until the person to move can use the board; with hidden hands, hand over the screen first."""
        self.settle()
        self.twin.app.step(FRAME_SECONDS, [])
        if isinstance(self.twin.app.scene, HandOver):
            self.wait_for_scene("HandOver")
            ready = self.twin.app.scene.widgets.focused
            assert ready is not None
            self.activate(ready.name)
        self.wait_for_scene("TableScene")

    def _take(self, step: int) -> None:
        table, match = self.table, self.table.match
        played = len(match.steps)
        for cell in match.rules.cells(match.state, step):
            self.point(cell)
        if len(match.steps) == played:
            self.choose(table.session.turn.choices().index(step) + 1)
        if match.steps[played] != step:
            raise TrialFailure(f"step {played + 1} of {match.game.title} was not the one that was meant")
        self.counts["steps"] += 1


class Mouse(Pair):
    """The mouse alone, except to type a seed."""

    def _click(self, point: tuple[int, int]) -> None:
        x, y = point
        self.both(["mousemove", "--window", self.real.id, str(x), str(y), "click", "1"], [*move(point), *click(point)])
        self.counts["clicks"] += 1

    def activate(self, name: str) -> None:
        widget = self._widget(name)
        if widget is None:
            raise TrialFailure(f"there is no '{name}' at the {type(self.twin.app.scene).__name__}")
        if widget.is_too_new:  # it takes no click yet in either window, and what it stands below may still grow
            end = time.perf_counter() + _SETTLING_SECONDS
            self._wait_for_twin(lambda: time.perf_counter() > end, name)
        self._click(widget.rect.center)

    def point(self, cell: int) -> None:
        self._click(point_of(self.table.view, cell))


class Keyboard(Pair):
    """The keyboard alone: Tab and Enter, arrows on the board, numbers for choices."""

    def _press(self, keys: Sequence[tuple[str, int]]) -> None:
        for _name, key in keys:
            self.twin.app.step(FRAME_SECONDS, press(key))
        self.both(["key", *[name for name, _key in keys]], [])
        self.counts["keys"] += len(keys)

    def _tab_to(self, name: str) -> None:
        """Move the focus to *name* by Tab, or by Shift and Tab if that is shorter."""
        scene = self.twin.app.scene
        assert scene is not None
        choices = [widget for widget in scene.widgets.all if widget.can_focus]
        focused, target = scene.widgets.focused, scene.widgets.named(name)
        if target not in choices:
            raise TrialFailure(f"Tab does not lead to '{name}' at the {type(scene).__name__}")
        here = choices.index(focused) if focused in choices else -1
        ahead = (choices.index(target) - here) % len(choices) if focused is not target else 0
        goes_back = here >= 0 and len(choices) - ahead < ahead
        tabs = len(choices) - ahead if goes_back else ahead
        for _ in range(tabs):
            self.twin.app.step(FRAME_SECONDS, press(pygame.K_TAB, pygame.KMOD_SHIFT if goes_back else 0))
        if scene.widgets.focused is not scene.widgets.named(name):  # it may have been built anew meanwhile
            raise TrialFailure(f"Tab did not lead to '{name}' at the {type(scene).__name__}")
        self.real.press(*["shift+Tab" if goes_back else "Tab"] * tabs)
        self.counts["keys"] += tabs

    def activate(self, name: str) -> None:
        self._tab_to(name)
        scene = self.twin.app.scene
        assert scene is not None and scene.widgets.focused is not None
        if not isinstance(scene.widgets.focused, TextField):
            self._press([("Return", pygame.K_RETURN)])

    def point(self, cell: int) -> None:
        view = self.table.view
        for direction, key in _ARROWS.items():
            if view.cell_of_arrow(direction) == cell:  # an arrow that plays by itself
                self._press([key])
                return
        self._tab_to("board")
        self._press([*[_ARROWS[direction] for direction in self._way(cell)], ("Return", pygame.K_RETURN)])

    def _way(self, target: int) -> list[Direction]:
        """The shortest way of the board's cursor to the cell *target*."""
        view, start = self.table.view, self.board.cursor
        assert start is not None
        ways: dict[int, list[Direction]] = {start: []}
        waiting = deque([start])
        while target not in ways:
            if not waiting:
                raise TrialFailure(f"no arrow keys lead from cell {start} of {self.table.match.game.title} to {target}")
            cell = waiting.popleft()
            for direction in _ARROWS:
                beside = view.neighbour(cell, direction)
                if beside not in ways:
                    ways[beside] = [*ways[cell], direction]
                    waiting.append(beside)
        return ways[target]

    def choose(self, number: int) -> None:
        if number > NUMBER_KEYS:
            super().choose(number)
        else:
            digit = str(number % NUMBER_KEYS)
            self._press([(digit, ord(digit))])


def check_kept(home: Path, plan: Match) -> None:
    """Check that the newest match of the library in *home* is *plan*, and that its record has the same ending."""
    with closing(Library(home / "data" / FILE_NAME)) as library:
        newest = max(library.recent(1000), key=lambda summary: summary.id, default=None)
        if newest is None:
            raise TrialFailure(f"the library has no match of {plan.game.title} that is over")
        kept = library.load(newest.id)
    replayed = read(write(kept))
    for match in (kept, replayed):
        if match.game.name != plan.game.name or match.seats != plan.seats or list(match.steps) != list(plan.steps):
            raise TrialFailure(f"the library kept another match than that of {plan.game.title} which was played")
        if match.ending != plan.ending:
            raise TrialFailure(f"{plan.game.title} ended by {plan.ending}, and was kept as {match.ending}")


def prepare_home(folder: Path, games: Iterable[Game]) -> None:
    """Write settings into *folder* as if a person had played each of *games* with a friend."""
    settings = Settings(folder / "data")
    settings.animation, settings.theme, settings.first_steps = "off", "light", False
    for game in games:
        options = {**SHORT.get(game.name, {}), "first": "1"}
        kept = {"seats": game.seats[0], "players": [HUMAN] * max(game.seats), "options": options, "clock": ""}
        settings.save_game_choices(game.name, kept)
    settings.close()


def play_all(hands: type[Pair], seed: int, folder: Path, games: Sequence[Game]) -> Counts:
    """Play a whole game of each of *games*, one after another, by *hands* at one window.

    :param folder: the home folder; the twin's files are in a subfolder.
    """
    plans = [short_game(game, seed) for game in games]
    Random(seed).shuffle(plans)
    real_home = folder / "real"
    for home in (folder, real_home):
        prepare_home(home, games)
    with screen(SIZE, DEPTH) as display:
        twin = Program(size=SIZE)
        twin.app.frame_budget.painting_seconds = float("inf")  # complete every frame
        try:
            with RealWindow(display, real_home) as real:
                pair = hands(real, twin)
                pair.wait_for_scene("HomeScene")
                for plan in plans:
                    began = time.monotonic()
                    pair.play(plan)
                    pair.counts[f"milliseconds of {plan.game.name}"] = round(1000 * (time.monotonic() - began))
                    pair.counts["games"] += 1
                code = real.quit()
        finally:
            close_in_order(twin)
    if code != 0:
        raise TrialFailure(f"the window closed with exit code {code}")
    return pair.counts


@trial(
    "whole-games",
    "a whole game of each game by the real mouse, or by keys alone; the record kept is that game, and ends as it did",
    most_seconds=1800.0,
)
def case(seed: int, folder: Path) -> Counts:
    if not can_be_opened():
        raise TrialFailure("Xvfb and xdotool are not installed")
    return play_all(Mouse if seed % 2 else Keyboard, seed, folder, list(GALLERY.values()))


DEPTH = 24  # bits per pixel of the screen
PATIENCE = 600.0
_SETTLING_SECONDS = 4.0
_POLL_SECONDS = 0.01
_CLOSING_SECONDS = 300.0
_NEWEST = "(SELECT max(id) FROM matches WHERE id > ?)"


def can_be_opened() -> bool:
    """Whether the required programs are installed."""
    return bool(shutil.which("Xvfb") and shutil.which("xdotool"))


def wait_for(holds: Callable[[], object], what: str, seconds: float | None = None) -> None:
    """Wait until *holds* returns True.

    :raises TrialFailure: it does not within *seconds*; the message names *what*.
    """
    deadline = time.perf_counter() + (PATIENCE if seconds is None else seconds)
    while not holds():
        if time.perf_counter() > deadline:
            raise TrialFailure(f"{what} did not happen")
        time.sleep(_POLL_SECONDS)


class RealWindow:
    def __init__(self, display: str, home: Path, *arguments: str) -> None:
        """:param arguments: the program's command line arguments."""
        self.home = home
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("SDL_")},
            "DISPLAY": display,
            HOME_VARIABLE: str(home),
            KERNELS_VARIABLE: str(kernel_cache_folder()),
            # A click that arrives together with the window's focus, as on a busy machine, counts as a click.
            "SDL_MOUSE_FOCUS_CLICKTHROUGH": "1",
        }
        before = self.first_frames()
        home.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen([*command_words(), *arguments], env=self.environment, cwd=home)
        own = ["search", "--all", "--onlyvisible", "--pid", str(self.process.pid), "--class", "^Papan$"]
        wait_for(lambda: self.xdotool(*own), "the window's opening")
        self.id = self.xdotool(*own).split()[0]
        wait_for(lambda: self.first_frames() > before, "the first frame")
        self.xdotool("windowfocus", "--sync", self.id)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()

    def xdotool(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, timeout=_CLOSING_SECONDS
        )
        return done.stdout.strip()

    def click(self, *points: tuple[int, int]) -> None:
        words: list[str] = []
        for x, y in points:
            words += ["mousemove", "--window", self.id, str(x), str(y), "click", "1"]
        self.xdotool(*words)

    def press(self, *keys: str) -> None:
        if keys:
            self.xdotool("key", *keys)

    def type(self, text: str) -> None:
        self.xdotool("type", "--delay", "20", text)

    def _log(self) -> str:
        log = self.home / "log" / "papan.log"
        return log.read_text(encoding="utf-8") if log.is_file() else ""

    def first_frames(self) -> int:
        """The number of programs with this home that have shown their window."""
        return self._log().count("The first frame is on the screen")

    def wait_for_scene(self, name: str) -> None:
        wait_for(lambda: self._log().rpartition("On top: ")[2].partition("\n")[0] == name, name)

    def catch_up(self, scene: str) -> None:
        """Wait until the window has handled all earlier input and drawn *scene* again, by opening its help."""
        self.press("F1")
        self.wait_for_scene("KeysMessage")
        self.press("Escape")
        self.wait_for_scene(scene)

    def port_of_table(self) -> int:
        """Where friends can come to the last table that was opened; 0: there was none."""
        ports = re.findall(r"A table is open at port ([0-9]+)", self._log())
        return int(ports[-1]) if ports else 0

    def boards_shown(self) -> int:
        return self._log().count("The board is shown")

    def ends_shown(self, game: str) -> int:
        """The number of times that the end of a match of *game* was shown."""
        return self._log().count(f"The end of {game} is shown")

    def newest_match(self) -> int:
        """The ID of the newest match; 0 without matches."""
        rows = self._rows("SELECT max(id) FROM matches")
        return int(rows[0][0] or 0) if rows else 0

    def stored(self, after: int = 0) -> list[str]:
        """The played steps of the newest match.

        :param after: its ID must be above this one; otherwise the list is empty.
        """
        rows = self._rows(
            "SELECT notation FROM steps JOIN matches ON matches.id = steps.match "
            f"WHERE match = {_NEWEST} AND number < played ORDER BY number",
            after,
        )
        return [str(notation) for (notation,) in rows]

    def _rows(self, question: str, *values: int) -> list[tuple[Any, ...]]:
        path = self.home / "data" / FILE_NAME
        if not path.is_file():
            return []
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            try:
                return connection.execute(question, values).fetchall()
            except sqlite3.OperationalError:  # it is just being created
                return []

    def wait_for_steps(self, number: int, after: int = 0, game: str = "the match") -> None:
        """Wait until the library has *number* steps of the newest match, whose ID must be above *after*."""
        wait_for(lambda: len(self.stored(after)) == number, f"step {number} of {game}")

    def quit(self) -> int:
        self.press("ctrl+q")
        return self.process.wait(_CLOSING_SECONDS)

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait(_CLOSING_SECONDS)
