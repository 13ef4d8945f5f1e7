"""What screen readers are told, without a screen reader: changes alone, no hidden cards; and what they can do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import accesskit
import pygame
import pytest

from dev.pictures.__main__ import drawing
from dev.scenery import STOPS, fill_library, go_to, pass_until, settle
from papan.ai.players import HUMAN
from papan.game.catalogue import GALLERY
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import guess, observe
from papan.game.rules.catur_jawa.board import HAND
from papan.ui.scenes.settings import SettingsScene
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program
from papan.ui.window.screen_reader import Element, Request, ScreenReader

SETTLING_SECONDS = (2.0, 0.1)


class Told:
    """An adapter that makes each update as a screen reader would get it."""

    def __init__(self) -> None:
        self.updates: list[Any] = []

    def update_if_active(self, factory: Callable[[], Any]) -> None:
        self.updates.append(factory())


class Read(ScreenReader):
    """What a screen reader would read, from the first frame on."""

    def __init__(self) -> None:
        super().__init__()
        self.told = Told()

    def open(self, window: pygame.Window) -> None:
        self._kit, self._adapter = accesskit, self.told
        self.begin()


@pytest.fixture(scope="module")
def reader() -> Read:
    return Read()


@pytest.fixture(scope="module")
def program(reader: Read) -> Iterator[Program]:
    with drawing(screen_reader=reader) as program:
        fill_library(program, 3)
        yield program


def test_only_what_has_changed_is_told(program: Program, reader: Read) -> None:
    def choosable() -> list[int]:
        return [number for number, one in reader.elements.items() if "can be chosen" in one.name]

    go_to(program, STOPS["resumed table"], GALLERY["othello"])
    assert pass_until(program, lambda: bool(choosable()))
    settle(program, *SETTLING_SECONDS)
    assert isinstance(program.app.scene, TableScene)
    reader.told.updates.clear()
    program.app.invalidate()
    program.app.step(0.01, [])
    assert reader.told.updates == []
    board = next(number for number, one in reader.elements.items() if one.role == "GRID")
    [cell, *_others] = [number for number in reader.elements[board].children if number in choosable()]
    for _frame in range(6):
        program.app.step(0.1, [])  # what has just appeared takes no click

    def told() -> set[int]:
        changed = {number for update in reader.told.updates for number, _node in update.nodes}
        return changed & {*reader.elements[board].children}

    reader.act(Request(cell, "CLICK"))
    assert pass_until(program, lambda: cell in told())
    settle(program, *SETTLING_SECONDS)
    cells = told()
    assert len(cells) < len(reader.elements[board].children) / 2
    assert reader.focus == cell


def test_hidden_cards_stay_hidden(program: Program, reader: Read) -> None:
    """The same words for each hand that the opponent may hold."""

    def words() -> list[Element]:
        settle(program, *SETTLING_SECONDS)
        program.app.invalidate()
        settle(program, *SETTLING_SECONDS)
        return sorted(one._replace(children=()) for one in reader.elements.values())

    match = Match.new(GALLERY["catur-jawa"], [HUMAN, "random"], {"first": "1"}, 5)
    program.sit_down(match)
    before = words()
    assert sum("in the hand" in one.name for one in before) == HAND
    others = (guess(observe(match.state, 0), 0, random_state(number)) for number in range(100))
    vars(match)["_states"][-1] = next(other for other in others if other != match.state)
    assert words() == before


def test_texts_and_sliders_take_values(program: Program, reader: Read) -> None:
    def one(name: str) -> tuple[int, Element]:
        settle(program, *SETTLING_SECONDS)
        return next(one for one in reader.elements.items() if one[1].actions and one[1].name.startswith(name))

    go_to(program, STOPS["library"], GALLERY["othello"])
    reader.act(Request(one("Search")[0], "SET_VALUE", "othello"))
    assert one("Search")[1].value == "othello"
    go_to(program, STOPS["review"], GALLERY["othello"])
    slider, before = one("Turns: ")
    reader.act(Request(slider, "SET_VALUE", "3.0"))
    after = one("Turns: ")[1]
    assert after.name != before.name
    assert after.number is not None
    assert after.number[0] == 3


def test_what_has_gone_does_nothing(program: Program, reader: Read) -> None:
    go_to(program, STOPS["settings"], GALLERY["othello"])
    settle(program, *SETTLING_SECONDS)
    back = next(number for number, one in reader.elements.items() if one.name == "Back")
    reader.act(Request(back, "CLICK"))
    settle(program, *SETTLING_SECONDS)
    scene = program.app.scene
    assert not isinstance(scene, SettingsScene)
    reader.act(Request(back, "CLICK"))
    reader.act(Request(999, "CLICK"))
    settle(program, *SETTLING_SECONDS)
    assert program.app.scene is scene


def test_without_the_library_nothing_happens(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "accesskit", None)
    reader = ScreenReader()
    reader.open(program.app.window)
    reader.focus_changed(has_focus=True)
    assert not reader.is_wanted


def test_library_that_fails_is_left_alone(program: Program, reader: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    """AccessKit's panics are no ``Exception``; the window goes on without it."""

    class Panic(BaseException):
        pass

    def panics(factory: Callable[[], Any]) -> None:
        raise Panic

    monkeypatch.setattr(reader.told, "update_if_active", panics)
    go_to(program, STOPS["settings"], GALLERY["othello"])
    settle(program, *SETTLING_SECONDS)
    assert not reader.is_wanted
    assert isinstance(program.app.scene, SettingsScene)
    reader.begin()
