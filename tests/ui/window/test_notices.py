"""Sentences at the foot of the window: they cover no control, and don't follow the person."""

from __future__ import annotations

import pygame

from papan.ui.scenes import Scene
from papan.ui.widgets.buttons import Button
from papan.ui.window.app import LONGEST_FRAME, App
from tests.ui.hands import Hands
from tests.ui.window.plain import Plain


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
        notice = hands.app.notice_rect
        assert notice.w and not notice.colliderect(scene.button.rect) and hands.app.area.contains(notice)
        hands.click("undo")
        assert scene.presses == 1 and hands.app.notice

    def test_a_click_dismisses_it(self, hands: Hands) -> None:
        hands.show(Foot(hands.app))
        hands.app.notify("Copied.")
        hands.frames(2)
        hands.click(hands.app.notice_rect.center)
        assert not hands.app.notice

    def test_it_does_not_follow_into_another_scene(self, hands: Hands) -> None:
        hands.show(Foot(hands.app))
        hands.app.notify("Copied.")
        hands.frames(90)
        hands.show(Foot(hands.app))
        assert not hands.app.notice

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
