"""Each scene by keyboard, for those who listen, and for screen readers: every control says what it is, each once; F1
shows all keys, and all of it fits; nothing is far from the home screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product

import pygame
import pytest

from dev.pictures.__main__ import drawing
from dev.pictures.looks import Look, put_on
from dev.pictures.measuring import Written, faults_of
from dev.scenery import STOPS, fill_library, go_to, settle
from papan.game.catalogue import GALLERY
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
from papan.ui.settings import Setting, Settings
from papan.ui.texts import NAMES
from papan.ui.widgets.base import Widget
from papan.ui.widgets.choices import Segments, Slider
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.scroll import Scroll
from papan.ui.widgets.shortcuts import chords_of
from papan.ui.widgets.text_field import TextField
from papan.ui.window.program import Program
from tests.ui import hands
from tests.ui.window.test_elements import Read
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
LARGEST_LOOK = ("pt", 1.5)
GAME = "connect-four"
EVERY_STOP = [(name, GAME) for name in STOPS]
WITH_KEYS = [(name, game) for name, game in EVERY_STOP if name not in ("keys", "experiment", "ending", "hand over")]
OTHER_GAMES = [(name, game) for name, stop in STOPS.items() if stop.shows_game for game in ("catur-jawa", "2048")]
"""One that hides something, one of a single seat."""
FORMS = [
    *(("new game", game) for game in ("santorini", "santorini-graph", "gomoku")),
    *(("position editor", game) for game in ("santorini", "xiangqi", "2048")),
    ("laboratory", "santorini"),
]
"""With fields of each kind, and where more than the board is set up."""
FIELDS = (Segments, Dropdown, TextField, Slider)
"""What is labelled by words beside it."""
CAPTIONED = {"work", "friends", "name"}
"""Fields to whose left another panel or the title ends, whose words say nothing of them."""
HEADING = "candidates "
"""What the heading of a table begins with, whose rows have the fields' own words."""
ASIDE, ABOVE, INDENT = 220, 14, 40
"""How far a label's end is from its field to the right, its foot from a field below, and its left from that field's."""


@pytest.fixture(scope="module")
def reader() -> Read:
    return Read()


@pytest.fixture(scope="module")
def program(reader: Read) -> Iterator[Program]:
    with drawing(screen_reader=reader) as program:
        fill_library(program, 3)
        yield program


@pytest.fixture(autouse=True)
def settings_stay(program: Program) -> Iterator[None]:
    """What keys change is not for the next test."""
    settings = program.app.settings
    before = {name: getattr(settings, name) for name, one in vars(Settings).items() if isinstance(one, Setting)}
    yield
    for name, value in before.items():
        if getattr(settings, name) != value:
            setattr(settings, name, value)


def shown(program: Program, name: str, game: str = GAME) -> Scene:
    put_on(program, Look((1280, 800)))
    if go_to(program, STOPS[name], GALLERY[game]) is None:
        pytest.skip("the game has no such scene")
    settled(program)
    scene = program.app.scene
    assert scene is not None
    return scene


def settled(program: Program) -> None:
    settle(program, 2.0, 0.1)


@pytest.fixture(scope="module")
def scene(program: Program, request: pytest.FixtureRequest) -> Scene:
    return shown(program, *request.param)


def each_scene(scenes: Sequence[tuple[str, str]]) -> pytest.MarkDecorator:
    """Tests of one scene follow each other: it is shown once."""
    return pytest.mark.parametrize("scene", scenes, ids="-".join, indirect=True, scope="module")


class Places(hands.Written):
    """Who notes what a scene writes."""

    def of_scene(self, scene: Scene) -> list[tuple[str, pygame.Rect]]:
        """What *scene* itself writes, its widgets excepted: a line, or a word of a paragraph, and where."""
        self.rects = []
        scene.draw(pygame.Surface(scene.widgets.page.area.size))
        return self.rects


@pytest.fixture
def places(program: Program) -> Iterator[Places]:
    made = program.app.paint.witness = Places()
    yield made
    program.app.paint.witness = None


@pytest.fixture
def written(program: Program) -> Iterator[Written]:
    made = program.app.paint.witness = Written()
    yield made
    program.app.paint.witness = None


def labels_of(field: Widget, written: list[tuple[str, pygame.Rect]]) -> list[str]:
    """The words beside *field*: left of it on the same line, or right above it."""
    rect, found = field.rect, []
    for text, at in written:
        is_left = 0 <= rect.left - at.right + 4 < ASIDE and abs(at.centery - rect.centery) < rect.h / 2 + 2
        is_above = -6 <= rect.top - at.bottom < ABOVE and -6 <= at.left - rect.left < INDENT
        if is_left or is_above:
            found.append(text)
    return found


class TestEachScene:
    @each_scene([*EVERY_STOP, *OTHER_GAMES])
    def test_is_a_tree_of_names(self, program: Program, reader: Read, scene: Scene) -> None:
        """Of every control, cell and text, each once."""
        program.app.invalidate()
        program.app.step(FRAME, [])
        elements = reader.elements
        parents = Counter(child for one in elements.values() for child in one.children)
        assert set(parents) == elements.keys() - {1}, "each element but the window is some element's child"
        assert set(parents.values()) == {1}
        assert reader.focus in elements
        silent = [one for one in elements.values() if one.actions and not one.name.strip()]
        assert silent == []
        assert not [one for one in elements.values() if "**" in one.name or "\n" in one.name]
        told = " ".join(one.name for one in elements.values())
        rects = [widget.rect for widget in scene.widgets.all]
        own = {text for text, at in reader.texts.found if not any(rect.collidepoint(at.center) for rect in rects)}
        assert [text for text in own if text not in told] == []

    @each_scene([*EVERY_STOP, *FORMS])
    def test_says_what_each_control_is(self, program: Program, places: Places, scene: Scene) -> None:
        if isinstance(scene, NewGameScene):
            scene.options_panel.turn(is_open=True)
        said = {widget: widget.utterance() for widget in scene.widgets.all if widget.can_focus}
        assert [widget.name for widget, words in said.items() if not words.strip()] == [], "silent"
        twice = {words for words, number in Counter(said.values()).items() if number > 1}
        assert {widget.name: words for widget, words in said.items() if words in twice} == {}, "said by several"
        written = places.of_scene(scene)
        lacking = {
            widget.name: (words, label)
            for widget, words in said.items()
            if isinstance(widget, FIELDS) and widget.name not in CAPTIONED
            for label in labels_of(widget, written)
            if label.casefold() not in words.casefold() and not label.startswith(HEADING)
        }
        assert lacking == {}

    @each_scene(WITH_KEYS)
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

    @each_scene(WITH_KEYS)
    @pytest.mark.parametrize(
        "looks", [[LARGEST_LOOK], pytest.param(LOOKS, marks=pytest.mark.slow)], ids=["largest look", "all looks"]
    )
    def test_shows_by_f1_what_fits_into_the_smallest_window(
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


@pytest.mark.parametrize("name", ["library", "puzzles", "statistics", "exercise", "review", "saving a file"])
def test_fields_without_words_beside_them_have_names(program: Program, name: str) -> None:
    """What sighted people see by where it stands, such as the filters above a list."""
    fields = [widget for widget in shown(program, name).widgets.all if isinstance(widget, FIELDS)]
    assert fields and [field.name for field in fields if not (field.beside or field.tooltip)] == []


def test_a_field_of_text_says_its_name_first(program: Program) -> None:
    scene = shown(program, "laboratory")
    field = scene.widgets.named("games")
    assert isinstance(field, TextField) and field.utterance() == f"Number of games, {field.text}"
    suggestions = scene.widgets.named("games suggestions")
    assert suggestions is not None and suggestions.utterance() == "Number of games, suggestions"


def test_all_other_players_are_one_card(program: Program) -> None:
    more = shown(program, "new game").widgets.named("more players")
    assert more is not None and more.utterance() == "More players …, more computer players and programs"
    seat = shown(program, "new game").widgets.named("seat 2")
    assert seat is not None and seat.utterance().startswith("Player 2, ")


def press(program: Program, key: int, mod: int = 0) -> None:
    program.app.step(FRAME, [pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="")])


def until(program: Program, holds: Callable[[], bool]) -> None:
    def look() -> bool:
        program.app.step(FRAME, [])
        return holds()

    wait_for(look)


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
