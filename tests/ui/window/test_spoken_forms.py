"""Every control of every scene, for those who listen: each says what it is, by the words drawn beside it, and no two
of a scene say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pygame
import pytest

from dev.pictures.__main__ import drawing
from dev.pictures.looks import Look, put_on
from dev.scenery import STOPS, fill_library, go_to, settle
from papan.game.catalogue import GALLERY
from papan.ui.scenes import Scene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.widgets.base import Widget
from papan.ui.widgets.choices import Segments, Slider
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.text_field import TextField
from papan.ui.window.program import Program
from tests.ui.hands import Written

GAME = "connect-four"
WITH_OPTIONS = ("santorini", "santorini-graph", "gomoku")
"""Games whose forms have fields of each kind."""
SET_UP = ("santorini", "xiangqi", "2048")
"""Games in which more than the board is set up."""
LOOKED_AT = [
    *((name, GAME) for name in STOPS),
    *(("new game", game) for game in WITH_OPTIONS),
    *(("position editor", game) for game in SET_UP),
    ("laboratory", "santorini"),
]
FIELDS = (Segments, Dropdown, TextField, Slider)
"""What is labelled by words beside it."""
CAPTIONED = {"work", "friends", "name"}
"""Fields to whose left another panel or the title ends, whose words say nothing of them."""
ASIDE, ABOVE, INDENT = 220, 14, 40
"""How far a label's end is from its field to the right, its foot from a field below, and its left from that field's."""


class Places(Written):
    """Who notes what a scene writes."""

    def of_scene(self, scene: Scene) -> list[tuple[str, pygame.Rect]]:
        """What *scene* itself writes, its widgets excepted: a line, or a word of a paragraph, and where."""
        self.rects = []
        scene.draw(pygame.Surface(scene.widgets.page.area.size))
        return self.rects


@pytest.fixture(scope="module")
def places() -> Places:
    return Places()


@pytest.fixture(scope="module")
def program(places: Places) -> Iterator[Program]:
    with drawing() as program:
        program.app.paint.witness = places
        fill_library(program, 3)
        put_on(program, Look((1280, 800)))
        yield program


def shown(program: Program, name: str, game: str) -> Scene:
    if go_to(program, STOPS[name], GALLERY[game]) is None:
        pytest.skip("the game has no such scene")
    settle(program, 2.0, 0.1)
    scene = program.app.scene
    assert scene is not None
    if isinstance(scene, NewGameScene):
        scene.options_panel.turn(is_open=True)
    return scene


def labels_of(field: Widget, written: list[tuple[str, pygame.Rect]]) -> list[str]:
    """The words beside *field*: left of it on the same line, or right above it."""
    rect, found = field.rect, []
    for text, at in written:
        is_left = 0 <= rect.left - at.right + 4 < ASIDE and abs(at.centery - rect.centery) < rect.h / 2 + 2
        is_above = -6 <= rect.top - at.bottom < ABOVE and -6 <= at.left - rect.left < INDENT
        if is_left or is_above:
            found.append(text)
    return found


@pytest.mark.parametrize(("name", "game"), LOOKED_AT)
def test_each_says_what_it_is(program: Program, places: Places, name: str, game: str) -> None:
    scene = shown(program, name, game)
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
        if label.casefold() not in words.casefold()
    }
    assert lacking == {}


@pytest.mark.parametrize("name", ["library", "puzzles", "statistics", "exercise", "review", "saving a file"])
def test_fields_without_words_beside_them_have_names(program: Program, name: str) -> None:
    """What sighted people see by where it stands, such as the filters above a list."""
    fields = [widget for widget in shown(program, name, GAME).widgets.all if isinstance(widget, FIELDS)]
    assert fields and [field.name for field in fields if not (field.beside or field.tooltip)] == []


def test_a_field_of_text_says_its_name_first(program: Program) -> None:
    scene = shown(program, "laboratory", GAME)
    field = scene.widgets.named("games")
    assert isinstance(field, TextField) and field.utterance() == f"Number of games, {field.text}"
    suggestions = scene.widgets.named("games suggestions")
    assert suggestions is not None and suggestions.utterance() == "Number of games, suggestions"


def test_all_other_players_are_one_card(program: Program) -> None:
    more = shown(program, "new game", GAME).widgets.named("more players")
    assert more is not None and more.utterance() == "More players …, more computer players and programs"
    seat = shown(program, "new game", GAME).widgets.named("seat 2")
    assert seat is not None and seat.utterance().startswith("Player 2, ")
