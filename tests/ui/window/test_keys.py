"""Every scene by keyboard: what F1 shows is what there is, all of it fits, and nothing is far from the home screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pygame
import pytest

from dev.pictures.__main__ import drawing
from dev.pictures.looks import Look, put_on
from dev.pictures.measuring import Written, faults_of
from dev.scenery import STOPS, fill_library, go_to, settle
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game
from papan.ui.scenes import Scene
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.scenes.laboratory.scene import LaboratoryScene
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.position_editor import PositionScene
from papan.ui.scenes.puzzles import PuzzleScene, PuzzlesScene
from papan.ui.scenes.rules_page import RulesScene
from papan.ui.scenes.settings import SettingsScene
from papan.ui.scenes.statistics.scene import StatisticsScene
from papan.ui.scenes.table import TableScene
from papan.ui.texts import NAMES
from papan.ui.widgets.scroll import Scroll
from papan.ui.widgets.shortcuts import chords_of
from papan.ui.window.program import Program
from tests.waiting import wait_for

FRAME = 1 / 60
CTRL = pygame.KMOD_LCTRL
MOST_KEYS = 8
LEADING = (
    pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN, pygame.K_PAGEUP, pygame.K_PAGEDOWN, pygame.K_HOME,
    pygame.K_END, pygame.K_DELETE, pygame.K_BACKSPACE,
)  # fmt: skip
LOOKS = [*product(NAMES, (1.0, 1.5))]
"""The languages and scales in which all keys fit."""
FEW_LOOKS = [("en", 1.0), *((language, 1.5) for language in NAMES if language != "en")]
WITH_KEYS = [name for name, stop in STOPS.items() if name not in ("keys", "experiment", "ending", "hand over")]


@pytest.fixture(scope="module")
def written() -> Written:
    return Written()


@pytest.fixture(scope="module")
def program(written: Written) -> Iterator[Program]:
    with drawing(written) as program:
        fill_library(program, 3)
        yield program


def press(program: Program, key: int, mod: int = 0) -> None:
    program.app.step(FRAME, [pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="")])


def until(program: Program, holds: Callable[[], bool]) -> None:
    def look() -> bool:
        program.app.step(FRAME, [])
        return holds()

    wait_for(look)


def shown(program: Program, name: str) -> Scene:
    scene = go_to(program, STOPS[name], GAMES["connect-four"])
    assert scene is not None
    settle(program, 2.0, 0.1)
    assert program.app.scene is not None
    return program.app.scene


@pytest.fixture(scope="module")
def scene(program: Program, request: pytest.FixtureRequest) -> Scene:
    return shown(program, request.param)


@pytest.mark.parametrize("scene", WITH_KEYS, indirect=True, scope="module")
class TestWhatF1Shows:
    @pytest.mark.parametrize(
        "looks", [FEW_LOOKS, pytest.param(LOOKS, marks=pytest.mark.slow)], ids=["some looks", "all looks"]
    )
    def test_fits_into_the_smallest_window(
        self, program: Program, written: Written, scene: Scene, looks: Sequence[tuple[str, float]]
    ) -> None:
        """Or on a page that is as wide, in every language and scale."""
        for language, scale in looks:
            put_on(program, Look((1024, 640), scale, "light", language))
            message = KeysMessage(program.app, scene)
            program.app.push(message)
            program.app.step(FRAME, [])
            view = message.widgets.named("keys")
            assert isinstance(view, Scroll) and view.full_height <= view.rect.h, f"{language}: not all is seen at once"
            assert faults_of(program, written) == [], language
            program.app.pop(message)

    def test_is_all_that_the_widgets_take_and_can_be_told(self, program: Program, scene: Scene) -> None:
        """Of a thing that takes the keyboard, something is said to those who listen, but of a text that scrolls."""
        assert all(isinstance(news.sentence, str) for news in scene.news())
        entries = KeysMessage(program.app, scene).entries
        listed = {(key, chord.has_alt) for keys, _ in entries for chord in chords_of(keys) for key in chord.keys}
        for keys, meaning in entries:
            assert chords_of(keys) and meaning and meaning == meaning.strip()
        acting = [one for one in scene.shortcuts() if one.act is not None and "Enter" not in one.keys]
        chords = [chord for one in acting for chord in chords_of(one.keys)]
        assert len(chords) == len(set(chords)), "one means two things"
        for widget in list(scene.widgets.all):
            if widget.container is None or not widget.can_focus:
                continue
            scene.widgets.focus(widget)
            assert widget.utterance() or isinstance(widget, Scroll), f"'{widget.name}' is silent"
            for key in LEADING:
                event = pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="")
                if widget.container is not None and widget.key(event):
                    assert (key, False) in listed, f"'{widget.name}' takes {pygame.key.name(key)}"
            scene.widgets.close_popup()


class Way:
    """Keys that are pressed one by one from the home screen, and counted."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.keys = 0
        while len(program.app.scenes) > 1:
            program.app.pop()
        assert isinstance(program.app.scene, HomeScene)
        program.app.step(FRAME, [])

    def press(self, key: int, mod: int = 0) -> None:
        self.keys += 1
        press(self.program, key, mod)

    def arrive(self, kind: type[Scene]) -> None:
        until(self.program, lambda: isinstance(self.program.app.scene, kind))
        assert self.keys <= MOST_KEYS


class TestFromTheHomeScreen:
    """Whatever there is to do begins within eight keys."""

    @pytest.fixture
    def way(self, program: Program) -> Way:
        put_on(program, Look((1280, 800)))
        return Way(program)

    def test_an_unfinished_match(self, way: Way) -> None:
        way.press(pygame.K_c)
        way.arrive(TableScene)

    @pytest.mark.parametrize("game", list(GALLERY.values()), ids=lambda game: game.name)
    def test_each_game(self, way: Way, game: Game) -> None:
        place = list(GALLERY).index(game.name) + 1
        way.press(pygame.K_0 + place % 10)
        way.arrive(NewGameScene)
        scene = way.program.app.scene
        assert isinstance(scene, NewGameScene) and scene.game is game
        way.press(pygame.K_RETURN)
        way.arrive(TableScene)
        assert way.program.app.scene is not None and way.program.app.scene.game is game

    @pytest.mark.parametrize(
        ("keys", "kind"),
        [
            ([(pygame.K_l, 0)], LibraryScene),
            ([(pygame.K_p, CTRL)], PuzzlesScene),
            ([(pygame.K_COMMA, CTRL)], SettingsScene),
            ([(pygame.K_l, CTRL)], LaboratoryScene),
            ([(pygame.K_F2, 0)], RulesScene),
            ([(pygame.K_u, CTRL)], PositionScene),
            ([(pygame.K_s, CTRL)], StatisticsScene),
            ([(pygame.K_F1, 0)], KeysMessage),
        ],
        ids=lambda value: value.__name__ if isinstance(value, type) else "",
    )
    def test_another_scene(self, way: Way, keys: list[tuple[int, int]], kind: type[Scene]) -> None:
        for key, mod in keys:
            way.press(key, mod)
        way.arrive(kind)

    def test_todays_puzzle(self, way: Way) -> None:
        way.press(pygame.K_p, CTRL)
        way.arrive(PuzzlesScene)
        scene = way.program.app.scene
        assert isinstance(scene, PuzzlesScene)
        until(way.program, lambda: scene.book is not None)
        way.press(pygame.K_t)
        assert scene.book is not None and scene.chosen == scene.book.today
        way.press(pygame.K_RETURN)
        way.arrive(PuzzleScene)

    def test_all_of_it_stands_in_the_overlay(self, way: Way) -> None:
        way.press(pygame.K_F1)
        way.arrive(KeysMessage)
        message = way.program.app.scene
        assert isinstance(message, KeysMessage)
        listed = {chord for keys, _ in message.entries for chord in chords_of(keys)}
        for keys in ("C", "L", "Ctrl+P", "Ctrl+,", "Ctrl+L", "F2", "Ctrl+U", "Ctrl+S", "F1"):
            assert set(chords_of(keys)) <= listed

    def test_no_bare_key_destroys(self, way: Way) -> None:
        """Resigning is asked about; what is deleted comes back by Ctrl+Z."""
        table = shown(way.program, "resumed table")
        assert isinstance(table, TableScene)
        before = len(table.match.steps), table.match.conclusion
        for key in (*range(pygame.K_a, pygame.K_z + 1), pygame.K_DELETE, pygame.K_BACKSPACE):
            press(way.program, key)
        assert (len(table.match.steps), table.match.conclusion) == before
        press(way.program, pygame.K_g, CTRL)
        assert isinstance(way.program.app.scene, Message) and table.match.conclusion is None
