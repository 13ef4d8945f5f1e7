"""How the window looks and moves: as the settings say, or the system."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from papan.ui import texts
from papan.ui.drawing.theme import SMALLEST_PAGE
from tests.ui.hands import Hands
from tests.ui.window.plain import Plain


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
