"""Opening the window: its size, what that waits for, and displays that none can be opened on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from papan.game.base.places import CHECKOUT
from papan.ui.settings import Settings
from papan.ui.window.app import App
from tests.ui.hands import Hands
from tests.ui.window.plain import Plain
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

    def test_a_display_of_too_few_colours(self, home: Path) -> None:
        code = (
            "import types\n"
            "import pygame\n"
            "from papan.ui.window.app import App\n"
            "from papan.ui.window.display import UnfitDisplay\n"
            "def refuse(*arguments, **named): raise pygame.error('Unknown window pixel format')\n"
            "pygame.Window = refuse\n"
            "for bits in (0, 24):\n"
            "    pygame.display.Info = lambda: types.SimpleNamespace(bitsize=bits)\n"
            "    try: App()\n"
            "    except UnfitDisplay as error: print(error)\n"
        )
        done = self.run(code, SDL_VIDEODRIVER="dummy", PAPAN_HOME=str(home))
        few, another = done.stdout.splitlines()
        assert few.startswith("it has too few colours, or too many") and another == "Unknown window pixel format", (
            done.stderr
        )

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
