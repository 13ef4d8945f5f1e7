"""About the program: what it is made of, where the person's files lie, and nothing cut off."""

from __future__ import annotations

import threading
from pathlib import Path

import pygame
import pytest

from papan.game.base.licences import LicensedWork, licensed_works
from papan.game.base.programs import NotShown
from papan.game.base.version import VERSION
from papan.ui.scenes import about
from papan.ui.scenes.about import AboutScene
from papan.ui.scenes.settings import SettingsScene
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.scroll import LongText
from tests.ui.hands import Hands
from tests.waiting import PATIENCE


def until_read(hands: Hands) -> None:
    """Until the licences are read: the scene is built anew then, and a click may fall in between."""
    hands.until(lambda: len(hands.widget_as("work", Dropdown).items) > 1 and height(hands), "the licences")


def height(hands: Hands) -> int:
    """The height of the licence that is shown."""
    reading = hands.widget_as("licence", LongText)
    return reading.full_height if reading.full_height > 30 else 0


@pytest.fixture
def copied(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were copied."""
    texts: list[str] = []
    monkeypatch.setattr(hands.app, "copy_text", texts.append)
    return texts


def test_nothing_is_cut_off(any_hands: Hands) -> None:
    any_hands.show(AboutScene(any_hands.app))
    any_hands.check_layout()
    until_read(any_hands)
    any_hands.check_layout()


def test_each_work_has_its_licence_that_is_scrolled_by_keys(hands: Hands) -> None:
    hands.show(AboutScene(hands.app))
    until_read(hands)
    menu = hands.widget_as("work", Dropdown)
    names = [item.value for item in menu.items]
    assert names[0] == "Papan" and {"Inter", "Python", "numpy", "pygame-ce"} < set(names)
    before = height(hands)
    menu.choose("pygame-ce")
    hands.until(lambda: height(hands) != before)
    assert height(hands) > 10 * before, "the LGPL is longer than the program's own licence"
    hands.focus("licence")
    hands.press(pygame.K_PAGEDOWN)
    reading = hands.widget_as("licence", LongText)
    assert reading.top > 0
    hands.press(pygame.K_HOME)
    assert reading.top == 0


def test_a_click_while_the_licences_arrive_counts(
    hands: Hands, copied: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    may_come = threading.Event()

    def works() -> list[LicensedWork]:
        may_come.wait(PATIENCE)
        return licensed_works()

    monkeypatch.setattr(about, "licensed_works", works)
    hands.show(AboutScene(hands.app))
    at = hands.widget("copy 1").rect.center
    hands.event(pygame.MOUSEBUTTONDOWN, pos=at, button=1, touch=False)
    may_come.set()
    until_read(hands)
    hands.event(pygame.MOUSEBUTTONUP, pos=at, button=1, touch=False)
    assert len(copied) == 1


def test_paths_and_details_are_copied(hands: Hands, home: Path, copied: list[str]) -> None:
    hands.show(AboutScene(hands.app))
    until_read(hands)
    for name in ("copy 1", "copy 2", "copy 3", "details"):
        hands.click(name)
    assert copied[:3] == [str(home / "data"), str(home / "log" / "papan.log"), str(home / "cache")]
    assert copied[3].startswith(f"Papan {VERSION}\n")


def test_a_folder_is_opened_beside_the_window_or_it_is_told(
    hands: Hands, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    told: list[str] = []

    def fail(folder: Path) -> None:
        raise NotShown("no such thing")

    monkeypatch.setattr(hands.app, "notify", told.append)
    monkeypatch.setattr(about, "show_folder", opened.append)
    hands.show(AboutScene(hands.app))
    hands.click("open 2")
    hands.until(lambda: opened)
    assert opened == [home / "log"]
    monkeypatch.setattr(about, "show_folder", fail)
    hands.click("open 1")
    hands.until(lambda: told)
    assert told == ["no such thing"]


def test_is_left_while_it_still_reads(hands: Hands) -> None:
    hands.show(SettingsScene(hands.app))
    hands.click("about")
    hands.scene_as(AboutScene)
    hands.press(pygame.K_ESCAPE)
    hands.frames(3)
    hands.scene_as(SettingsScene)
