"""The real program in a real window, used with the real mouse and keyboard: under Xvfb, by xdotool.

What a click will hit is told by a twin: the same table in this process, without a display. What came of
it is read from the program's own library, as the next start would read it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from dev.trials.screens import screen
from dev.trials.whole_games import DEPTH, RealWindow, can_be_opened, wait_for
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library
from papan.game.match.record import write
from papan.self_test import SIZE
from papan.ui.play.session import Session
from papan.ui.scenes import Scene
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.table import TableScene
from papan.ui.settings import Settings
from papan.ui.widgets.chart import Chart
from papan.ui.window.app import App
from papan.ui.window.program import Program, player_choices
from tests.ui.at_table import Told

pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(
        not can_be_opened() and not os.environ.get("CI"),
        reason="Xvfb and xdotool are not installed",
    ),
]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A screen of its own, as large as the window."""
    with screen(SIZE, DEPTH) as name:
        assert name is not None
        yield name


def middle(scene: Scene | None, name: str) -> tuple[int, int]:
    """The middle of the widget called *name*."""
    widget = scene.widgets.named(name) if scene is not None else None
    assert widget is not None
    return widget.rect.center


class Twin:
    """The same table, without a display."""

    def __init__(self, game: str, seed: int, *seats: str, **options: str) -> None:
        self.app = App(size=SIZE)
        match = Match.new(GAMES[game], seats, options, seed)
        self.table = TableScene(self.app, Session(match, Told()))
        self.app.push(self.table)
        self.match = match
        self.step()

    def step(self, *events: pygame.event.Event) -> None:
        self.app.step(1 / 60, list(events))
        while self.table.session.showing:
            self.app.step(1 / 60, [])

    def at(self, name: str) -> tuple[int, int]:
        return middle(self.table, name)

    def close(self) -> None:
        if self.app.is_running:
            self.app.quit()
            self.app.close()


@pytest.fixture
def user(home: Path) -> Path:
    """A user whose animations are off, as in the twin."""
    settings = Settings()
    settings.animation = "off"
    settings.theme = "light"
    settings.close()
    return home


@pytest.fixture
def run(display: str, user: Path) -> Iterator[Callable[..., RealWindow]]:
    started: list[RealWindow] = []

    def start(*arguments: str) -> RealWindow:
        started.append(RealWindow(display, user, *arguments))
        return started[-1]

    yield start
    for running in started:
        running.kill()


@pytest.fixture
def twin_of(user: Path) -> Iterator[Callable[..., Twin]]:
    made: list[Twin] = []

    def make(game: str, seed: int, *seats: str, **options: str) -> Twin:
        made.append(Twin(game, seed, *seats, **options))
        return made[-1]

    yield make
    for twin in made:
        twin.close()


def arguments_of(game: str, seed: int, *seats: str, **options: str) -> list[str]:
    words = ["play", game, "--seed", str(seed)]
    for seat in seats:
        words += ["--seat", seat]
    for name, value in options.items():
        words += ["--option", f"{name}={value}"]
    return words


def test_a_seed_is_written_and_corrected(run: Callable[..., RealWindow], user: Path) -> None:
    app = App(size=SIZE)
    app.push(HomeScene(app))
    game = middle(app.scene, "game connect-four")
    services = Services(player_choices=lambda game: player_choices(game, 1.0))
    form = NewGameScene(app, GAMES["connect-four"], services)
    app.push(form)
    options = middle(form, "options")
    form.options_panel.switch()
    seed = middle(form, "seed")
    app.close()
    running = run()
    running.click(game)
    running.wait_for_scene("NewGameScene")
    running.click(options)
    running.catch_up("NewGameScene")  # the field has to be there before it can be clicked
    running.click(seed)
    running.catch_up("NewGameScene")  # what is typed before the field has the focus is for nobody
    running.type("12x345")
    running.press("shift+Left", "shift+Left")
    running.type("67")
    running.press("ctrl+z", "ctrl+z", "ctrl+y", "ctrl+a", "ctrl+x", "ctrl+v", "Home", "Delete", "Return")
    running.wait_for_scene("TableScene")
    running.press("Return")  # a match is in the library once a step was played
    wait_for(lambda: len(Library(user / "data" / FILE_NAME).unfinished()) == 1, "the match")
    library = Library(user / "data" / FILE_NAME)
    [summary] = library.unfinished()
    assert library.load(summary.id).seed == 2345
    library.close()
    assert running.quit() == 0


def test_undo_and_quit_while_it_thinks(run: Callable[..., RealWindow], twin_of: Callable[..., Twin]) -> None:
    match = ("connect-four", 1, "human", "mcts:time=600")
    running = run(*arguments_of(*match, first="1"))
    twin = twin_of("connect-four", 1, "human", "human", first="1")
    column = twin.table.view.cell_rect(3).center
    running.click(column)
    running.wait_for_steps(1)
    time.sleep(0.5)
    running.press("ctrl+z")
    running.wait_for_steps(0)
    running.click(column)
    running.wait_for_steps(1)
    time.sleep(0.5)
    assert running.quit() == 0


class Looking:
    """The same review, without a display: where its widgets are."""

    def __init__(self, match: Match) -> None:
        self.app = App(size=SIZE)
        self.review = ReviewScene(self.app, match)
        self.app.push(self.review)
        self.review.leave()

    def at(self, name: str) -> tuple[int, int]:
        return middle(self.review, name)

    def in_chart(self, turn: int) -> tuple[int, int]:
        chart = self.review.widgets.named("better")
        assert isinstance(chart, Chart)
        return chart.x_of(turn), chart.plot.centery


def test_a_record_is_reviewed_and_played_on(run: Callable[..., RealWindow], user: Path) -> None:
    match = Match.new(GAMES["connect-four"], ["human", "human"], {"first": "1"}, seed=1)
    for column in (3, 3, 2, 2, 4, 1, 5):
        match.play(column)
    assert match.ending
    path = user / "match.txt"
    path.write_text(write(match), encoding="utf-8")
    twin = Looking(match)
    points = {name: twin.at(name) for name in ("first", "next", "branch")}
    there = twin.in_chart(5)
    twin.app.close()
    running = run("review", str(path))
    running.press("ctrl+s")
    wait_for(lambda: list((user / "pictures").glob("Papan connect-four*.png")), "the picture")
    running.press("Home", "Right", "Right")
    running.click(points["first"])
    running.click(points["next"])
    running.click(there)
    running.press("Left")
    running.click(points["branch"])
    running.wait_for_steps(4)
    assert running.stored() == ["4", "4", "3", "3"]
    assert running.quit() == 0


def test_playing_undoing_and_quitting_while_it_is_analysed(
    run: Callable[..., RealWindow], twin_of: Callable[..., Twin], user: Path
) -> None:
    match = ("connect-four", 1, "human", "minimax:depth=2")
    settings = Settings()
    settings.analysis = True
    settings.close()
    running, twin = run(*arguments_of(*match, first="1")), twin_of("connect-four", 1, "human", "human", first="1")
    columns = [twin.table.view.cell_rect(column).center for column in range(7)]  # moved by less than half of one
    for number, column in enumerate((3, 2, 4), start=1):
        time.sleep(0.5)
        running.click(columns[column])
        running.wait_for_steps(2 * number)
    running.press("ctrl+h")
    running.press("ctrl+z")
    running.wait_for_steps(4)
    running.press("ctrl+y")
    running.wait_for_steps(6)
    running.press("ctrl+a")
    time.sleep(0.5)
    running.press("ctrl+n")
    running.wait_for_scene("NewGameScene")
    running.press("Escape")
    assert running.quit() == 0
    settings = Settings()
    assert not settings.analysis, "that it was switched off is remembered"
    settings.close()


def test_a_match_is_reviewed_while_it_goes_on_and_resumed_after_a_kill(
    run: Callable[..., RealWindow], twin_of: Callable[..., Twin]
) -> None:
    match = ("connect-four", 1, "human", "human")
    running, twin = run(*arguments_of(*match, first="1")), twin_of(*match, first="1")
    columns = [twin.table.view.cell_rect(column).center for column in range(7)]
    twin.close()
    for number, column in enumerate((3, 3), start=1):
        running.click(columns[column])
        running.wait_for_steps(number)
    running.press("ctrl+r")
    running.wait_for_scene("ReviewScene")
    running.press("Home", "Right", "space")
    running.click(columns[0])  # not on the table now
    running.press("Escape")
    running.wait_for_scene("TableScene")
    running.click(columns[6])
    running.wait_for_steps(3)
    running.kill()
    home = Program(size=SIZE)
    home.app.step(1 / 60, [])
    point = middle(home.app.scene, "resume")
    home.thinker.close()
    home.library.close()
    home.app.close()
    running = run()
    running.click(point)
    running.wait_for_scene("TableScene")
    running.click(columns[4])
    running.wait_for_steps(4)
    assert running.stored() == ["4", "4", "7", "5"]
    assert running.quit() == 0


def test_an_experiment_goes_on_after_a_kill(run: Callable[..., RealWindow], user: Path) -> None:
    settings = Settings()
    asked = {"game": "connect-four", "players": ["random", "random"], "games": 900_000_000, "seed": 1}
    settings.laboratory = asked
    settings.close()

    def batches() -> list[int]:
        """The numbers of those that are kept."""
        lines = [line for path in (user / "data" / "simulations").glob("*") for line in path.read_bytes().splitlines()]
        return [json.loads(line)["batch"] for line in lines[1:] if line.endswith(b"}")]

    def go_on(running: RealWindow, number: int) -> None:
        running.press("ctrl+l")
        running.wait_for_scene("LaboratoryScene")
        running.press("Return")
        wait_for(lambda: len(batches()) >= number, "the experiment's going on")

    running = run()
    go_on(running, 5)
    running.kill()
    kept = batches()
    again = run()
    go_on(again, len(kept) + 5)
    assert again.quit() == 0
    numbers = batches()
    assert numbers[: len(kept)] == kept and len(set(numbers)) == len(numbers)
