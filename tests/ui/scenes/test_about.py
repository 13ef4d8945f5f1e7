"""About the program: what it is made of, where the person's files lie, and nothing cut off."""

from __future__ import annotations

import threading
import time
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


def wait_for(hands: Hands, name: str) -> None:
    """Let frames pass until the licence of the work *name* is shown."""
    hands.until(lambda: len(hands.widget_as("work", Dropdown).items) > 1 and shown(hands), f"the licence of {name}")


def shown(hands: Hands) -> int:
    """The height of the text that is shown."""
    reading = hands.widget_as("licence", LongText)
    return reading.full_height if reading.full_height > 30 else 0


@pytest.fixture
def copied(hands: Hands, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were copied."""
    texts: list[str] = []
    monkeypatch.setattr(hands.app, "copy_text", texts.append)
    return texts


class TestAbout:
    @pytest.mark.parametrize("size", [(1024, 640), (1280, 800), (1920, 1080), (1100, 1400)])
    @pytest.mark.parametrize("scale", [1.0, 2.0])
    def test_nothing_is_cut_off(self, home: Path, size: tuple[int, int], scale: float) -> None:
        hands = Hands(size, scale=scale)
        hands.show(AboutScene(hands.app))
        hands.check_layout()
        wait_for(hands, "Papan")
        hands.check_layout()
        hands.app.close()

    def test_each_work_has_its_licence(self, hands: Hands) -> None:
        hands.show(AboutScene(hands.app))
        wait_for(hands, "Papan")
        menu = hands.widget_as("work", Dropdown)
        names = [item.value for item in menu.items]
        assert names[0] == "Papan" and {"Inter", "Python", "numpy", "pygame-ce"} < set(names)
        before = shown(hands)
        menu.choose("pygame-ce")
        hands.until(lambda: shown(hands) != before)
        assert shown(hands) > 10 * before, "the LGPL is longer than the program's own licence"

    def test_a_click_while_the_licences_arrive_counts(
        self, hands: Hands, copied: list[str], monkeypatch: pytest.MonkeyPatch
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
        wait_for(hands, "Papan")
        hands.event(pygame.MOUSEBUTTONUP, pos=at, button=1, touch=False)
        assert len(copied) == 1

    def test_a_licence_is_scrolled_by_keys(self, hands: Hands) -> None:
        hands.show(AboutScene(hands.app))
        wait_for(hands, "Papan")
        menu = hands.widget_as("work", Dropdown)
        menu.choose("Python")
        hands.focus("licence")
        reading = hands.widget_as("licence", LongText)
        until = time.monotonic() + PATIENCE
        while not reading.top:
            assert time.monotonic() < until
            hands.press(pygame.K_PAGEDOWN)
        hands.press(pygame.K_HOME)
        assert reading.top == 0

    def test_paths_and_details_are_copied(self, hands: Hands, home: Path, copied: list[str]) -> None:
        hands.show(AboutScene(hands.app))
        wait_for(hands, "Papan")  # the scene is built anew once the licences are read: a click may fall in between
        for name in ("copy 1", "copy 2", "copy 3", "details"):
            hands.click(name)
        assert copied[:3] == [str(home / "data"), str(home / "log" / "papan.log"), str(home / "cache")]
        assert copied[3].startswith(f"Papan {VERSION}\n")

    def test_a_folder_is_opened_beside_the_window(
        self, hands: Hands, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        opened: list[Path] = []
        monkeypatch.setattr(about, "show_folder", opened.append)
        hands.show(AboutScene(hands.app))
        hands.click("open 2")
        until = time.monotonic() + PATIENCE
        while not opened:
            assert time.monotonic() < until
            time.sleep(0.01)
        assert opened == [home / "log"]

    def test_a_folder_that_cannot_be_opened_is_told(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(folder: Path) -> None:
            raise NotShown("no such thing")

        told: list[str] = []
        monkeypatch.setattr(about, "show_folder", fail)
        monkeypatch.setattr(hands.app, "notify", told.append)
        hands.show(AboutScene(hands.app))
        hands.click("open 1")
        until = time.monotonic() + PATIENCE
        while not told:
            assert time.monotonic() < until
            hands.frames()
        assert told == ["no such thing"]

    def test_is_left_while_it_still_reads(self, hands: Hands) -> None:
        hands.show(SettingsScene(hands.app))
        hands.click("about")
        hands.scene_as(AboutScene)
        hands.press(pygame.K_ESCAPE)
        hands.frames(3)
        hands.scene_as(SettingsScene)
