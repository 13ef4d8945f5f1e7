"""Frames in slices: one is shown once all of its pictures are painted."""

from __future__ import annotations

import time
from itertools import pairwise
from pathlib import Path

import pygame
import pytest

from papan.ui.drawing.theme import Colour
from papan.ui.scenes import Scene
from papan.ui.window import frames as frames_module
from papan.ui.window.app import App
from tests.ui.hands import Hands


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
        hands.app.frame_budget.painting_seconds = 0.0
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

    def test_a_resized_window_shows_the_last_frame_as_it_was_meanwhile(self, hands: Hands, before: Painted) -> None:
        frames = hands.app.frames
        before.number, before.colour = self.NUMBER, (255, 0, 0)
        hands.app.window.size = (1280, 1600)
        hands.event(pygame.WINDOWSIZECHANGED, x=1280, y=1600)
        assert hands.app.frames == frames
        assert hands.app.surface.get_size() == (1280, 1600)
        assert all(self.bluish(hands)), "as large as before"
        assert hands.app.surface.get_at((150, 1500)) == hands.app.surface.get_at((0, 0))
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

    @pytest.mark.parametrize(("number", "hurried", "attempts"), [(10, 10.0, 121), (40, 0.0, 131)])
    def test_a_scene_that_is_never_whole_is_shown_at_last(
        self,
        hands: Hands,
        before: Painted,
        monkeypatch: pytest.MonkeyPatch,
        number: int,
        hurried: float,
        attempts: int,
    ) -> None:
        """Where each frame wants other pictures than the one before, there is longer for it, and then all it takes."""
        monkeypatch.setattr(frames_module, "_HURRIED_SECONDS", hurried)
        monkeypatch.setattr(frames_module, "_MOST_ATTEMPTS", 130)

        class Restless(Painted):
            def draw(self, surface: pygame.Surface) -> None:
                self.colour = (255, 0, (self.colour[2] + 1) % 200)
                super().draw(surface)

        frames, made = hands.app.frames, 0
        hands.app.push(Restless(hands.app, number, (255, 0, 0)))
        while hands.app.frames == frames:
            hands.frames()
            made += 1
        assert abs(made - attempts) <= 1


class TestActingInSlices:
    """Events for which a frame has no time are acted on in the next ones, in their order."""

    def test_a_frame_acts_on_what_it_has_time_for(self, hands: Hands) -> None:
        scene = hands.show(Laborious(hands.app))
        hands.app.frame_budget.painting_seconds = 0.001
        keys = [pygame.K_a, pygame.K_b, pygame.K_c, pygame.K_d]
        hands.app.step(1 / 60, [_key(key) for key in keys[:3]])
        assert scene.acted_on == keys[:1]
        hands.app.step(1 / 60, [_key(keys[3])])
        assert scene.acted_on == keys[:2], "what waited comes first"
        hands.frames(2)
        assert scene.acted_on == keys

    def test_quick_events_are_acted_on_together(self, hands: Hands) -> None:
        scene = hands.show(Laborious(hands.app))
        hands.app.step(1 / 60, [_key(pygame.K_a), _key(pygame.K_b)])
        assert len(scene.acted_on) == 2, "where each frame is whole, so is what leads to it"

    def test_a_frame_is_put_off_where_there_was_much_to_act_on(self, hands: Hands) -> None:
        """Acting and drawing take their times in two frames; but where acting never ends, something is shown."""
        scene = hands.show(Laborious(hands.app))
        hands.app.frame_budget.painting_seconds = 10.0
        scene.seconds = 0.0
        frames = [hands.app.frames]
        for _ in range(4):
            scene.invalidate()
            hands.app.step(1 / 60, [_key(pygame.K_a)])
            frames.append(hands.app.frames)
        assert [after - before for before, after in pairwise(frames)] == [0, 0, 1, 0]
        scene.invalidate()
        hands.app.step(1 / 60, [_key(pygame.K_a)])
        assert hands.app.frame_budget.is_unfinished
        hands.app.step(1 / 60, [])
        assert not hands.app.frame_budget.is_unfinished
        assert hands.app.frames == frames[-1] + 1
        assert scene.seconds == pytest.approx(6 / 60), "no time is lost"

    def test_the_loop_goes_on_at_once_with_what_waits(self, home: Path) -> None:
        hands = Hands()  # which the loop closes
        scene = hands.show(Laborious(hands.app))
        hands.app.frame_budget.painting_seconds = 0.001
        hands.app.step(1 / 60, [_key(key) for key in (pygame.K_a, pygame.K_b, pygame.K_q)])
        hands.app.run()
        assert scene.acted_on == [pygame.K_a, pygame.K_b, pygame.K_q]


def _key(key: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="")


class Laborious(Scene):
    """A scene that works on each key for longer than a frame has time; Q ends the program."""

    def __init__(self, app: App) -> None:
        super().__init__(app)
        self.acted_on: list[int] = []
        self.seconds = 0.0

    def update(self, seconds: float) -> None:
        self.seconds += seconds

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.KEYDOWN:
            return False
        self.acted_on.append(event.key)
        began = time.thread_time()
        while time.thread_time() - began < 0.03:
            pass
        if event.key == pygame.K_q:
            self.stage.quit()  # type: ignore[attr-defined]  # it is the window itself
        return True
