"""The window's loop: it rests when nothing happens, closes in order, and changes its looks while it runs."""

from __future__ import annotations

import threading
from pathlib import Path

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.ui.drawing import fonts
from papan.ui.drawing.theme import SMALLEST_WINDOW
from papan.ui.scenes.dialogs import ErrorMessage, Message, confirm
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.texts.wording import player_names
from papan.ui.window import app as app_module
from papan.ui.window.app import LONGEST_FRAME, App
from tests.ui.hands import Hands, Shelf
from tests.ui.window.conftest import Plain


class TestResting:
    def test_frames_are_drawn_for_changes_and_animations_only(self, hands: Hands, plain: Plain) -> None:
        hands.frames(3)
        before = hands.app.frames
        hands.frames(50)
        hands.move((5, 5))
        assert hands.app.frames == before
        plain.invalidate()
        hands.frames(5)
        assert hands.app.frames == before + 1
        plain.animates = True
        hands.frames(5)
        assert hands.app.frames == before + 6

    def test_the_loop_sleeps(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        hands = Hands()  # which the loop closes
        hands.show(Plain(hands.app))
        steps: list[float] = []
        step = hands.app.step

        def count(seconds: float, events: list[pygame.event.Event]) -> None:
            steps.append(seconds)
            step(seconds, events)

        monkeypatch.setattr(hands.app, "step", count)
        threading.Timer(0.5, lambda: hands.app.call_soon(hands.app.quit)).start()
        hands.app.run()
        assert len(steps) < 20

    def test_a_long_pause_counts_as_a_short_one(self, hands: Hands, plain: Plain) -> None:
        hands.app.step(30.0, [])
        assert plain.seconds[-1] == LONGEST_FRAME


def test_letters_that_no_font_has_are_told_once(hands: Hands, plain: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "file_of_family", lambda family, is_bold: None)
    hands.app.notify("炮")
    hands.frames(3)
    assert hands.app.notice == "炮"
    hands.app._notices.dismiss()
    hands.app.notify("好")
    hands.frames(3)
    hands.app._notices.dismiss()
    assert "install Noto Sans CJK" in hands.app.notice
    names = player_names(("黄松轩", "冯敬如 (X)"), GAMES["xiangqi"])
    assert names == ["Red", "冯敬如 (X)"], "a name in such letters alone gives way to the seat's"
    hands.app._notices.dismiss()
    hands.app.notify("好好")
    hands.frames(3)
    hands.app._notices.dismiss()
    assert hands.app.notice == ""


class TestDialogs:
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
        assert {"P", "F1", "F11"} <= {key for key, _ in keys.entries}

    @pytest.mark.parametrize("way", ["F1", "Escape", "click"])
    def test_it_is_closed_by_key_and_mouse(self, hands: Hands, plain: Plain, way: str) -> None:
        hands.press(pygame.K_F1)
        hands.frames(2)
        if way == "click":
            hands.click((5, 5))
        else:
            hands.press(pygame.K_F1 if way == "F1" else pygame.K_ESCAPE)
        assert hands.app.scene is plain

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
    def test_pictures_that_only_a_scene_that_was_left_needed_go(self, hands: Hands) -> None:
        hands.show(Plain(hands.app))
        pictures = hands.app.paint.pictures
        hands.show(Plain(hands.app))
        for number in range(40):
            pictures.get(number, lambda: pygame.Surface((1000, 1000)))
        hands.app.pop()
        hands.frames(2)
        assert pictures.bytes <= pictures.most_bytes / 4


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

    def test_a_new_size_lays_out_anew_and_a_much_larger_one_builds_at_its_scale(
        self, hands: Hands, plain: Plain
    ) -> None:
        scale = hands.app.paint.theme.scale
        for size, builds in (((1300, 850), 1), ((1920, 1080), 2)):
            hands.app.window.size = size
            hands.event(pygame.WINDOWSIZECHANGED, x=size[0], y=size[1])
            assert plain.areas[-1] == size and plain.builds == builds
            assert (hands.app.paint.theme.scale > scale) == (builds == 2)

    def test_a_frame_in_which_the_size_changes_often_lays_out_once(self, hands: Hands, plain: Plain) -> None:
        laid_out = len(plain.areas)
        hands.app.window.size = (1500, 900)
        hands.app.step(1 / 60, [pygame.event.Event(pygame.WINDOWSIZECHANGED, x=x, y=900) for x in (1300, 1400, 1500)])
        assert plain.areas[laid_out:] == [(1500, 900)]


class TestStarting:
    def test_a_failing_hook_after_the_first_frame(self, home: Path) -> None:
        hands = Hands()
        hands.app.after_first_frame.append(lambda: [][0])
        hands.show(Plain(hands.app))
        assert isinstance(hands.app.scene, ErrorMessage)
        hands.app.close()


class TestWaiting:
    """What the loop does while nothing happens."""

    class Clock:
        """Time that passes only in sleep."""

        def __init__(self) -> None:
            self.now = 0.0
            self.slept: list[float] = []

        def perf_counter(self) -> float:
            return self.now

        def sleep(self, seconds: float) -> None:
            self.slept.append(seconds)
            self.now += seconds

    @pytest.fixture
    def clock(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> Clock:
        hands.show(Shelf(hands.app))
        pygame.event.clear()
        clock = self.Clock()
        monkeypatch.setattr(app_module, "time", clock)
        return clock

    def test_it_looks_for_events_less_often_than_it_could_draw(self, hands: Hands, clock: Clock) -> None:
        assert hands.app._wait_for_event() == []
        assert clock.slept and set(clock.slept[:-1]) <= {app_module.LOOK_SECONDS}
        assert sum(clock.slept) == pytest.approx(Shelf(hands.app).idle_seconds)

    def test_an_event_that_is_there_is_taken_at_once(self, hands: Hands, clock: Clock) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_a, mod=0, unicode="a"))
        assert [event.type for event in hands.app._wait_for_event()] == [pygame.KEYDOWN]
        assert not clock.slept
