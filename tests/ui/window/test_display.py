"""Opening the window: its size, what that waits for, and displays that none can be opened on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pygame
import pytest

from papan.game.base.places import CHECKOUT
from papan.ui import texts
from papan.ui.drawing.theme import SMALLEST_PAGE
from papan.ui.settings import Settings
from papan.ui.window.app import App
from papan.ui.window.display import UnfitDisplay
from tests.ui.hands import Hands
from tests.ui.window.conftest import Plain
from tests.waiting import PATIENCE


class TestSize:
    def test_size_is_remembered(self, home: Path) -> None:
        hands = Hands((1024, 700))
        hands.show(Plain(hands.app))
        hands.app.close()
        again = App()
        assert again.area.size == (1024, 700)
        again.close()

    def test_a_window_from_a_larger_screen_fits_this_one(self, home: Path) -> None:
        settings = Settings()
        settings.window_size = [9000, 7000]
        app = App(settings)
        assert app.area.size == pygame.display.get_desktop_sizes()[0]
        app.close()


class TestStarting:
    def run(self, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        names = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
        clean = {name: value for name, value in os.environ.items() if name not in names}
        return subprocess.run(
            [sys.executable, "-c", code],
            env=clean | environment,
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def test_the_first_frame_waits_for_no_compiler_and_no_forms(self, home: Path) -> None:
        code = (
            "import sys\n"
            "from papan.ui.window.app import App\n"
            "from papan.ui.scenes.home.scene import HomeScene\n"
            "app = App(size=(1280, 800))\n"
            "app.push(HomeScene(app))\n"
            "later = {'numba', 'papan.ui.scenes.settings', 'papan.ui.scenes.new_game.scene'}\n"
            "loaded = lambda: later & set(sys.modules)\n"
            "app.after_first_frame.append(lambda: print(loaded(), pygame.mixer.get_init()))\n"
            "import pygame\n"
            "app.step(0.0)\n"
        )
        done = self.run(code, SDL_VIDEODRIVER="dummy", PAPAN_HOME=str(home))
        assert done.stdout.strip() == "set() None", done.stderr

    @pytest.mark.parametrize(("bits", "said"), [(0, "it has too few colours, or too many"), (24, "Unknown window")])
    def test_a_display_of_too_few_colours(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, bits: int, said: str
    ) -> None:
        def refuse(*_arguments: object, **_named: object) -> None:
            raise pygame.error("Unknown window pixel format")

        monkeypatch.setattr(pygame, "Window", refuse)
        monkeypatch.setattr(pygame.display, "Info", lambda: SimpleNamespace(bitsize=bits))
        with pytest.raises(UnfitDisplay, match=f"^{said}"):
            App()

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
    def test_no_display(self, home: Path) -> None:
        code = (
            "from papan.ui.window.app import App\n"
            "from papan.ui.window.display import NoDisplay\n"
            "try: App()\n"
            "except NoDisplay as error: print('none:', error)\n"
        )
        done = self.run(code, PAPAN_HOME=str(home))
        assert done.stdout.startswith("none: "), done.stderr


class TestScale:
    def test_the_scale_is_as_large_as_fits(self, small_hands: Hands) -> None:
        scene = Plain(small_hands.app)
        small_hands.show(scene)
        small_hands.app.settings.scale = 2.0
        small_hands.app.apply_settings()
        assert small_hands.app.theme.scale == 1.6 == 1024 / SMALLEST_PAGE[0]
        small_hands.app.settings.scale = 0.8
        small_hands.app.apply_settings()
        assert small_hands.app.theme.scale == 0.8

    @pytest.mark.parametrize(
        ("window", "scale"), [((1024, 640), 1.0), ((1280, 800), 1.0), ((1920, 1080), 1.35), ((3840, 2160), 2.0)]
    )
    def test_grows_with_the_window_until_one_is_chosen(
        self, hands: Hands, plain: Plain, window: tuple[int, int], scale: float
    ) -> None:
        hands.app.window.size = window
        hands.event(pygame.WINDOWSIZECHANGED, x=window[0], y=window[1])
        assert hands.app.theme.scale == scale
        hands.app.settings.scale = 1.25
        hands.app.apply_settings()
        assert hands.app.theme.scale == 1.25

    def test_a_window_below_the_smallest_is_scaled_down(self, hands: Hands, plain: Plain) -> None:
        hands.app.window.minimum_size = (100, 100)
        hands.app.window.size = (500, 500)
        hands.event(pygame.WINDOWSIZECHANGED, x=500, y=500)
        assert 0.5 <= hands.app.theme.scale <= 500 / SMALLEST_PAGE[0]


class TestLanguage:
    def test_follows_the_system_until_one_is_chosen(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PAPAN_LANGUAGE", "pt")
        hands = Hands()
        assert hands.app.settings.language == "system" and texts.current_language() == "pt"
        hands.app.settings.language = "id"
        hands.app.apply_settings()
        assert texts.current_language() == "id"
        hands.app.settings.language = "system"
        hands.app.apply_settings()
        assert texts.current_language() == "pt"
        hands.app.close()
        texts.use("en")


class TestAnimationSpeed:
    @pytest.mark.parametrize(("is_reduced", "speed"), [(True, 0.0), (False, 1.0)])
    def test_follows_the_system_unless_it_is_chosen(
        self, hands: Hands, monkeypatch: pytest.MonkeyPatch, is_reduced: bool, speed: float
    ) -> None:
        answers = iter([is_reduced])  # each frame wants to know it, and the system is asked once
        monkeypatch.setattr("papan.ui.window.system.prefers_reduced_motion", lambda: next(answers))
        assert hands.app.settings.animation == "system"
        assert [hands.app.animation_speed for _ in range(3)] == [speed] * 3
        hands.app.settings.animation = "fast"
        assert hands.app.animation_speed == 2.0
