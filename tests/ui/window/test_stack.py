"""The stack of scenes: what is on top, what fails, and what becomes of a scene that was left."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pygame
import pytest

from papan.game.base.sentences import say
from papan.ui.scenes import Scene
from papan.ui.scenes.dialogs import ErrorMessage, Message
from papan.ui.texts import translated
from papan.ui.widgets.buttons import Button
from papan.ui.window.app import LONGEST_FRAME, App
from papan.ui.window.stack import SceneStack
from tests.ui.hands import Hands
from tests.ui.window.conftest import Plain


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

    def test_scenes_on_the_way_to_another_are_left_unseen(self, hands: Hands, plain: Plain) -> None:
        passed, left, next_one = Plain(hands.app), Plain(hands.app), Plain(hands.app)
        hands.app.push(passed)
        hands.app.push(left)
        hands.app.settings.theme = "dark"
        hands.app.apply_settings()
        known = (plain.builds, plain.entries, passed.builds, passed.entries)
        hands.app.go_to(next_one)
        assert hands.app.scenes == [plain, next_one]
        assert (plain.builds, plain.entries, passed.builds, passed.entries) == known
        assert passed.was_left.is_set() and left.was_left.is_set() and next_one.entries == 1
        hands.app.pop()
        assert (plain.builds, plain.entries) == (known[0] + 1, known[1] + 1)

    def test_what_is_covered_is_made_anew_once_it_is_seen(self, hands: Hands, plain: Plain) -> None:
        above = Plain(hands.app)
        hands.app.push(above)
        builds, areas = plain.builds, len(plain.areas)
        hands.app.window.size = (1500, 900)
        hands.event(pygame.WINDOWSIZECHANGED, x=1500, y=900)
        hands.app.settings.theme = "dark"
        hands.app.apply_settings()
        hands.app.window.size = (1400, 900)
        hands.event(pygame.WINDOWSIZECHANGED, x=1400, y=900)
        assert (plain.builds, len(plain.areas)) == (builds, areas)
        assert above.areas[-1] == (1400, 900)
        hands.app.pop()
        assert (plain.builds, len(plain.areas)) == (builds + 1, areas + 1), "once for all"
        assert plain.areas[-1] == (1400, 900)
        hands.app.push(Message(hands.app, "Title", "Text"))
        hands.app.apply_settings()
        assert plain.builds == builds + 2, "it is seen beside a dialog"

    def test_only_the_topmost_hears_keys(self, hands: Hands, plain: Plain) -> None:
        message = Message(hands.app, "Title", "Text")
        hands.show(message)
        hands.click(plain.button.rect.center)
        assert plain.presses == 0
        hands.press(pygame.K_ESCAPE)
        assert hands.app.scene is plain


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

    def test_failures_of_a_scene_that_was_left_are_forgotten(self, hands: Hands, plain: Plain) -> None:
        stack = SceneStack(hands.app, lambda: None)
        stack.push(plain)
        failing = Plain(hands.app)
        failing.fails = "update"
        for _ in range(2):  # each time only once, so that it is still asked
            stack.push(failing)
            stack.update(0.1)
            stack.pop(stack.top)  # the dialog
            stack.pop(failing)
            assert stack.scenes == [plain]
        failing.fails = ""
        stack.push(failing)
        stack.update(0.1)
        assert failing.seconds == [0.1]


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


class Foot(Scene):
    """A scene with a button in the middle of its foot."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.presses = 0

    def build(self) -> None:
        self.button = self.widgets.add(Button("Undo", self._press, name="undo"))

    def layout(self, area: pygame.Rect) -> None:
        self.button.place(pygame.Rect(area.centerx - 60, area.bottom - 60, 120, 40))

    def _press(self) -> None:
        self.presses += 1


class TestNotices:
    def test_no_control_is_covered(self, hands: Hands) -> None:
        scene = hands.show(Foot(hands.app))
        hands.app.notify("The match was deleted: Ctrl+Z brings it back.")
        hands.frames(2)
        notice = hands.app._notices.rect.copy()
        assert notice.w and not notice.colliderect(scene.button.rect) and hands.app.area.contains(notice)
        hands.click("undo")
        assert scene.presses == 1 and hands.app.notice

    def test_a_click_dismisses_it(self, hands: Hands) -> None:
        hands.show(Foot(hands.app))
        hands.app.notify("Copied.")
        hands.frames(2)
        hands.click(hands.app._notices.rect.center)
        assert not hands.app.notice

    def test_it_does_not_follow_into_another_scene(self, hands: Hands) -> None:
        hands.show(Foot(hands.app))
        hands.app.notify("Copied.")
        hands.frames(90)
        hands.show(Foot(hands.app))
        assert not hands.app.notice

    def test_one_on_the_screen_follows_the_language(self, hands: Hands) -> None:
        hands.show(Foot(hands.app))
        hands.app.copy_text("a")
        shown = hands.app.notice
        hands.app.settings.language = "id"
        hands.app.apply_settings()
        assert shown == say("Copied.") and hands.app.notice == translated(say("Copied.")) == "Tersalin."
        hands.app.settings.language = "en"
        hands.app.apply_settings()

    def test_what_is_told_of_the_next_scene_is_seen_there(self, hands: Hands) -> None:
        hands.show(Foot(hands.app))
        hands.app.notify("Saved.")
        hands.show(Foot(hands.app))
        assert hands.app.notice == "Saved."

    def test_notices_come_and_go(self, hands: Hands, plain: Plain) -> None:
        hands.app.notify("Something to know")
        hands.frames()
        shown = hands.app.surface.copy()
        for _ in range(80):
            hands.app.step(LONGEST_FRAME, [])
        assert shown.get_at((640, 745)) != hands.app.surface.get_at((640, 745))
