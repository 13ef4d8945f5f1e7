"""The window's loop: it rests when nothing happens, survives errors, and changes its looks while it runs."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from pathlib import Path

import pygame
import pytest

from papan.game.base.places import CHECKOUT
from papan.ui.drawing.theme import SMALLEST_WINDOW, Colour
from papan.ui.scenes import Scene
from papan.ui.scenes.message import ErrorMessage, KeysMessage, Message, confirm
from papan.ui.settings import Settings
from papan.ui.widgets.buttons import Button
from papan.ui.window.app import LONGEST_FRAME, App
from tests.ui.hands import Hands


class Plain(Scene):
    """A scene with one button that counts its presses and can be told to fail."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.presses = 0
        self.fails = ""
        self.seconds: list[float] = []
        self.areas: list[tuple[int, int]] = []
        self.builds = 0
        self.was_left = threading.Event()
        self.animates = False

    def _fail_if(self, where: str) -> None:
        if self.fails == where:
            raise RuntimeError(f"failed to {where}")

    def build(self) -> None:
        self.builds += 1
        self._fail_if("build")
        self.button = self.widgets.add(Button("Press", self._press, name="press"))

    def layout(self, area: pygame.Rect) -> None:
        self.areas.append(area.size)
        self.button.place(pygame.Rect(100, 100, 120, 40))

    def _press(self) -> None:
        self._fail_if("press")
        self.presses += 1

    def update(self, seconds: float) -> None:
        self._fail_if("update")
        self.seconds.append(seconds)

    def draw(self, surface: pygame.Surface) -> None:
        self._fail_if("draw")

    @property
    def is_animating(self) -> bool:
        return self.animates

    def leave(self) -> None:
        self.was_left.set()

    def keys(self) -> Sequence[tuple[str, str]]:
        return (("P", "press"),)


@pytest.fixture
def plain(hands: Hands) -> Plain:
    scene = Plain(hands.app)
    hands.show(scene)
    return scene


class TestResting:
    def test_no_frame_is_drawn_while_nothing_changes(self, hands: Hands, plain: Plain) -> None:
        hands.frames(3)
        before = hands.app.frames
        hands.frames(50)
        hands.move((5, 5))
        assert hands.app.frames == before

    def test_a_change_is_drawn_once(self, hands: Hands, plain: Plain) -> None:
        hands.frames(3)
        before = hands.app.frames
        plain.invalidate()
        hands.frames(5)
        assert hands.app.frames == before + 1

    def test_an_animation_is_drawn_every_frame(self, hands: Hands, plain: Plain) -> None:
        plain.animates = True
        before = hands.app.frames
        hands.frames(5)
        assert hands.app.frames == before + 5

    @pytest.mark.timing
    def test_the_loop_sleeps(self, home: Path) -> None:
        """One second of idling costs well below a twentieth of a core."""
        hands = Hands()  # which the loop closes
        hands.show(Plain(hands.app))
        threading.Timer(1.0, lambda: hands.app.call_soon(hands.app.quit)).start()
        used, began = time.process_time(), time.perf_counter()
        hands.app.run()
        assert time.perf_counter() - began >= 0.9
        assert time.process_time() - used < 0.2

    def test_a_long_pause_counts_as_a_short_one(self, hands: Hands, plain: Plain) -> None:
        hands.app.step(30.0, [])
        assert plain.seconds[-1] == LONGEST_FRAME


class TestThreads:
    def test_a_call_from_another_thread_comes_within_a_frame(self, hands: Hands, plain: Plain) -> None:
        called: list[threading.Thread] = []
        thread = threading.Thread(target=lambda: hands.app.call_soon(lambda: called.append(threading.current_thread())))
        thread.start()
        thread.join()
        hands.frames()
        assert called == [threading.main_thread()]

    def test_calls_made_by_calls_wait_for_the_next_frame(self, hands: Hands, plain: Plain) -> None:
        def again() -> None:
            hands.app.call_soon(again)
            called.append(1)

        called: list[int] = []
        hands.app.call_soon(again)
        hands.frames(3)
        assert len(called) == 3

    def test_a_failing_call_is_shown(self, hands: Hands, plain: Plain) -> None:
        hands.app.call_soon(lambda: [][0])
        hands.frames()
        assert isinstance(hands.app.scene, ErrorMessage)


class TestErrors:
    def test_a_failing_handler_is_told_and_survived(self, hands: Hands, plain: Plain) -> None:
        plain.fails = "press"
        hands.click(plain.button.rect.center)
        assert "failed to press" in hands.scene_as(ErrorMessage).text
        hands.press(pygame.K_RETURN)
        assert hands.app.scene is plain
        plain.fails = ""
        hands.click(plain.button.rect.center)
        assert plain.presses == 1

    def test_diagnostics_hold_what_is_needed(self, hands: Hands, plain: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
        copied: list[str] = []
        monkeypatch.setattr(pygame.scrap, "put_text", copied.append)
        plain.fails = "press"
        hands.click(plain.button.rect.center)
        hands.frames(2)
        hands.click(hands.widget("Copy diagnostics").rect.center)
        assert isinstance(hands.app.scene, ErrorMessage), "the dialog stays open"
        (text,) = copied
        for needed in ("Papan ", "Python 3", "pygame-ce 2", "numpy ", "RuntimeError: failed to press", "_press"):
            assert needed in text

    def test_a_scene_that_cannot_be_drawn_is_left(self, hands: Hands, plain: Plain) -> None:
        failing = Plain(hands.app)
        was_left = failing.was_left
        hands.show(failing)
        failing.fails = "draw"
        failing.invalidate()
        hands.frames(3)
        assert isinstance(hands.app.scene, ErrorMessage)
        hands.press(pygame.K_ESCAPE)
        assert hands.app.scenes == [plain]
        assert was_left.is_set()

    def test_the_first_scene_gets_another_chance(self, hands: Hands, plain: Plain) -> None:
        plain.fails = "draw"
        plain.invalidate()
        hands.frames(2)
        plain.fails = ""
        hands.press(pygame.K_RETURN)
        hands.frames(2)
        assert hands.app.scene is plain

    def test_a_failing_update_does_not_nag(self, hands: Hands, plain: Plain) -> None:
        failing = Plain(hands.app)
        hands.show(failing)
        failing.fails = "update"
        hands.frames(10)
        assert sum(isinstance(scene, ErrorMessage) for scene in hands.app.scenes) == 1
        hands.press(pygame.K_RETURN)
        hands.frames(3)
        assert hands.app.scenes == [plain]

    def test_nothing_is_known_any_more_of_a_scene_that_failed_and_was_left(self, hands: Hands, plain: Plain) -> None:
        failing = hands.show(Plain(hands.app))
        failing.fails = "update"
        hands.app.step(1 / 60, [])
        error = hands.scene_as(ErrorMessage)
        hands.app.pop(failing)
        hands.app.pop(error)
        assert hands.app.scenes == [plain]
        assert not hands.app._shaken and not hands.app._broken

    def test_a_dialog_that_fails_itself_can_be_shown_later(
        self, hands: Hands, plain: Plain, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dialog = ErrorMessage(hands.app, ValueError("an error"))

        def fail(surface: pygame.Surface) -> None:
            raise RuntimeError("failed to draw the error")

        monkeypatch.setattr(dialog, "draw", fail)
        hands.app.push(dialog)
        hands.frames(3)
        assert hands.app.scenes == [plain]
        drawn: list[pygame.Surface] = []
        monkeypatch.setattr(dialog, "draw", drawn.append)
        hands.app.push(dialog)
        hands.frames(3)
        assert drawn

    def test_a_scene_that_cannot_be_built(self, hands: Hands, plain: Plain) -> None:
        failing = Plain(hands.app)
        failing.fails = "build"
        hands.show(failing)
        assert isinstance(hands.app.scene, ErrorMessage)

    def test_a_failing_hook_after_the_first_frame(self, home: Path) -> None:
        hands = Hands()
        hands.app.after_first_frame.append(lambda: [][0])
        hands.show(Plain(hands.app))
        assert isinstance(hands.app.scene, ErrorMessage)
        hands.app.close()


class TestScenes:
    def test_stack(self, hands: Hands, plain: Plain) -> None:
        above, topmost = Plain(hands.app), Plain(hands.app)
        hands.app.push(above)
        hands.app.push(topmost)
        hands.app.pop(above)
        assert hands.app.scenes == [plain, topmost] and above.was_left.is_set()
        hands.app.pop()
        hands.app.pop()
        assert hands.app.scenes == [plain], "the last one stays"

    def test_only_the_topmost_hears_keys(self, hands: Hands, plain: Plain) -> None:
        message = Message(hands.app, "Title", "Text")
        hands.show(message)
        hands.click(plain.button.rect.center)
        assert plain.presses == 0
        hands.press(pygame.K_ESCAPE)
        assert hands.app.scene is plain

    def test_confirm_asks_first_and_is_safe_by_default(self, hands: Hands, plain: Plain) -> None:
        done: list[int] = []
        confirm(hands.app, "Sure?", "It will be gone.", "Do it", lambda: done.append(1))
        hands.frames(2)
        assert hands.focused() == "Cancel"
        hands.press(pygame.K_RETURN)
        assert not done and hands.app.scene is plain
        confirm(hands.app, "Sure?", "It will be gone.", "Do it", lambda: done.append(1))
        hands.frames(2)
        hands.click(hands.widget("Do it").rect.center)
        assert done == [1] and hands.app.scene is plain

    def test_f1_lists_the_keys_of_the_scene(self, hands: Hands, plain: Plain) -> None:
        hands.press(pygame.K_F1)
        keys = hands.app.scene
        assert isinstance(keys, KeysMessage)
        listed = [key for key, _ in keys.entries]
        assert "P" in listed and "F1" in listed and "F11" in listed
        hands.press(pygame.K_F1)
        assert hands.app.scene is keys, "once is enough"

    @pytest.mark.parametrize("size", [SMALLEST_WINDOW, (1920, 1080)])
    def test_dialogs_fit(self, home: Path, size: tuple[int, int]) -> None:
        hands = Hands(size)
        hands.show(Plain(hands.app))
        long_text = "A long story. " * 40
        for scene in (Message(hands.app, "T" * 200, long_text), ErrorMessage(hands.app, ValueError(long_text))):
            hands.show(scene)
            hands.check_layout()
            assert hands.app.area.contains(scene.panel)
        hands.app.close()


class TestClosing:
    def test_something_may_keep_it_open(self, hands: Hands, plain: Plain) -> None:
        answers = [False, True]
        hands.app.may_quit.append(lambda: answers.pop(0))
        hands.event(pygame.QUIT)
        assert hands.app.is_running
        hands.press(pygame.K_q, pygame.KMOD_LCTRL)
        assert not hands.app.is_running

    def test_what_cannot_be_asked_does_not(self, hands: Hands, plain: Plain) -> None:
        hands.app.may_quit.append(lambda: bool(1 / 0))
        hands.app.quit()
        assert not hands.app.is_running

    def test_at_once_asks_nobody(self, hands: Hands, plain: Plain) -> None:
        hands.app.may_quit.append(lambda: False)
        hands.app.quit_at_once()
        assert not hands.app.is_running

    def test_the_scenes_are_left_before_the_rest(self, home: Path) -> None:
        app = App(size=(1024, 640))
        scene, left = Plain(app), []
        app.push(scene)
        app.before_quit.append(lambda: left.append(scene.was_left.is_set()))
        app.quit()
        app.run()
        assert left == [True]


class TestMemory:
    @pytest.fixture
    def without_collector(self) -> Iterator[None]:
        """Whatever knows itself by some circle stays."""
        gc.disable()
        yield
        gc.enable()

    @pytest.mark.usefixtures("without_collector")
    def test_a_scene_that_was_left_is_let_go_of_at_once(self, hands: Hands) -> None:
        hands.show(Plain(hands.app))
        scene = weakref.ref(hands.show(Plain(hands.app)))
        hands.click(hands.widget("press").rect.center)
        hands.app.pop()
        hands.frames(2)
        pygame.event.get()
        hands.frames(2)
        assert scene() is None

    def test_a_scene_may_go_on_with_what_it_does_when_it_is_left(self, hands: Hands) -> None:
        seen: list[int] = []

        class Leaving(Plain):
            def _press(self) -> None:
                self.back()
                super()._press()
                seen.append(self.presses)

        hands.show(Plain(hands.app))
        hands.show(Leaving(hands.app))
        hands.click(hands.widget("press").rect.center)
        assert seen == [1] and not isinstance(hands.app.scene, (Leaving, Message))

    def test_pictures_that_only_a_scene_that_was_left_needed_go(self, hands: Hands) -> None:
        hands.show(Plain(hands.app))
        pictures = hands.app.paint.pictures
        hands.show(Plain(hands.app))
        for number in range(40):
            pictures.get(number, lambda: pygame.Surface((1000, 1000)))
        hands.app.pop()
        hands.frames(2)
        assert pictures.bytes <= pictures.most_bytes / 4

    def test_a_window_that_was_closed_is_let_go_of(self, home: Path) -> None:
        hands = Hands()
        hands.show(Plain(hands.app))
        hands.click(hands.widget("press").rect.center)
        hands.app.close()
        app = weakref.ref(hands.app)
        del hands
        gc.collect()
        assert app() is None


class TestLooks:
    def test_the_theme_changes_live(self, hands: Hands, plain: Plain) -> None:
        hands.app.settings.theme = "light"
        hands.app.apply_settings()
        hands.frames()
        light = hands.app.surface.get_at((5, 5))[:3]
        plain.widgets.focus(plain.button)
        hands.app.settings.theme = "dark"
        hands.app.apply_settings()
        hands.frames()
        assert light == (243, 237, 226)
        assert hands.app.surface.get_at((5, 5))[:3] == (30, 28, 25)
        assert hands.focused() == "press", "the focus stays where it was"

    def test_the_scale_is_as_large_as_fits(self, small_hands: Hands) -> None:
        scene = Plain(small_hands.app)
        small_hands.show(scene)
        small_hands.app.settings.scale = 2.0
        small_hands.app.apply_settings()
        assert small_hands.app.theme.scale == 1.0
        small_hands.app.settings.scale = 0.8
        small_hands.app.apply_settings()
        assert small_hands.app.theme.scale == 0.8

    def test_a_new_size_lays_out_anew(self, hands: Hands, plain: Plain) -> None:
        hands.app.window.size = (1500, 900)
        hands.event(pygame.WINDOWSIZECHANGED, x=1500, y=900)
        assert plain.areas[-1] == (1500, 900)
        assert plain.builds == 1

    def test_a_window_below_the_smallest_is_scaled_down(self, hands: Hands, plain: Plain) -> None:
        hands.app.window.minimum_size = (100, 100)
        hands.app.window.size = (700, 500)
        hands.event(pygame.WINDOWSIZECHANGED, x=700, y=500)
        assert 0.5 <= hands.app.theme.scale <= 700 / SMALLEST_WINDOW[0]

    def test_size_is_remembered(self, home: Path) -> None:
        hands = Hands((1024, 700))
        hands.show(Plain(hands.app))
        hands.app.close()
        again = App()
        assert again.area.size == (1024, 700)
        again.close()

    def test_notices_come_and_go(self, hands: Hands, plain: Plain) -> None:
        hands.app.notify("Something to know")
        hands.frames()
        shown = hands.app.surface.copy()
        for _ in range(80):
            hands.app.step(LONGEST_FRAME, [])
        assert shown.get_at((640, 745)) != hands.app.surface.get_at((640, 745))


class Painted(Scene):
    """A scene of *number* pictures of one colour, one above the other, and a button beside."""

    def __init__(self, app: App, number: int, colour: Colour) -> None:
        super().__init__(app)
        self.number = number
        self.colour = colour

    def draw(self, surface: pygame.Surface) -> None:
        surface.set_clip(pygame.Rect(0, 0, 300, self.area.h))
        for index in range(self.number):
            place = pygame.Rect(0, 20 * index, 300, 20)
            self.paint.rounded_rect(surface, place, (*self.colour, 254 - index))
        surface.set_clip(None)


class TestPaintingInSlices:
    NUMBER = 10

    @pytest.fixture
    def before(self, hands: Hands) -> Painted:
        """A blue scene, all of it painted; from now on there is hardly time to paint."""
        before = hands.show(Painted(hands.app, self.NUMBER, (0, 0, 255)))
        hands.app.painting_seconds = 0.0
        return before

    @staticmethod
    def bluish(hands: Hands) -> list[bool]:
        """Whether each picture on the screen is more blue than red."""
        shown = [hands.app.surface.get_at((150, 20 * index + 10)) for index in range(TestPaintingInSlices.NUMBER)]
        return [colour.b > colour.r for colour in shown]

    def test_a_scene_is_shown_once_it_is_whole(self, hands: Hands, before: Painted) -> None:
        frames = hands.app.frames
        hands.app.push(Painted(hands.app, self.NUMBER, (255, 0, 0)))
        unfinished = 0
        while hands.app.frames == frames:
            assert all(self.bluish(hands))
            hands.frames()
            unfinished += 1
        assert not any(self.bluish(hands))
        assert unfinished > self.NUMBER

    def test_a_resized_window_shows_the_last_frame_stretched_meanwhile(self, hands: Hands, before: Painted) -> None:
        frames = hands.app.frames
        before.number, before.colour = self.NUMBER, (255, 0, 0)
        hands.app.window.size = (1280, 1600)
        hands.event(pygame.WINDOWSIZECHANGED, x=1280, y=1600)
        assert hands.app.frames == frames
        assert hands.app.surface.get_size() == (1280, 1600)
        shown = [hands.app.surface.get_at((150, y)) for y in (5, 390, 410)]
        assert [colour.b > colour.r for colour in shown] == [True, True, False], "twice as high"
        hands.frames(100)
        assert not any(self.bluish(hands))

    def test_what_never_gets_whole_is_drawn_at_last(self, hands: Hands, before: Painted) -> None:
        hands.app.paint.pictures.most_bytes = 1  # nothing is kept
        hands.app.push(Painted(hands.app, self.NUMBER, (255, 0, 0)))
        hands.frames(200)
        assert not any(self.bluish(hands))

    def test_nothing_of_an_unfinished_frame_cuts_the_next(self, hands: Hands, before: Painted) -> None:
        hands.app.push(Painted(hands.app, self.NUMBER, (255, 0, 0)))
        hands.frames()
        hands.app.settings.theme = "dark"
        hands.app.apply_settings()
        hands.frames(100)
        assert hands.app.surface.get_at((900, 400))[:3] == hands.app.theme.background


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


class TestStarting:
    def test_a_window_from_a_larger_screen_fits_this_one(self, home: Path) -> None:
        settings = Settings()
        settings.window_size = [9000, 7000]
        app = App(settings)
        assert app.area.size == pygame.display.get_desktop_sizes()[0]
        app.close()

    def run(self, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        names = ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY")
        clean = {name: value for name, value in os.environ.items() if name not in names}
        return subprocess.run(
            [sys.executable, "-c", code],
            env=clean | environment,
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def test_the_first_frame_waits_for_no_compiler_and_no_forms(self, home: Path) -> None:
        code = (
            "import sys\n"
            "from papan.ui.window.app import App\n"
            "from papan.ui.scenes.home import HomeScene\n"
            "app = App(size=(1280, 800))\n"
            "app.push(HomeScene(app))\n"
            "loaded = lambda: {'numba', 'papan.ui.scenes.settings', 'papan.ui.scenes.new_game'} & set(sys.modules)\n"
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
            "from papan.ui.window import app\n"
            "def refuse(*arguments, **named): raise pygame.error('Unknown window pixel format')\n"
            "pygame.Window = refuse\n"
            "for bits in (0, 24):\n"
            "    pygame.display.Info = lambda: types.SimpleNamespace(bitsize=bits)\n"
            "    try: app.App()\n"
            "    except app.UnfitDisplay as error: print(error)\n"
        )
        done = self.run(code, SDL_VIDEODRIVER="dummy", PAPAN_HOME=str(home))
        few, another = done.stdout.splitlines()
        assert few.startswith("it has too few colours, or too many") and another == "Unknown window pixel format", (
            done.stderr
        )

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
    def test_no_display(self, home: Path) -> None:
        code = "from papan.ui.window import app\ntry: app.App()\nexcept app.NoDisplay as error: print('none:', error)"
        done = self.run(code, PAPAN_HOME=str(home))
        assert done.stdout.startswith("none: "), done.stderr
