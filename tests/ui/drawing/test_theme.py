"""The themes can be read, and tell seats apart without colour."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pygame
import pytest

from papan.ai.players.levels import PLAYER_LEVELS
from papan.ui.drawing import theme as themes
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.faces import COMPUTER, FACE_GRID, FACES, PERSON, draw_face, face_of
from papan.ui.drawing.paint import Painter

LEAST_FOR_TEXT = 4.5


def texts_and_grounds(theme: themes.Theme) -> list[tuple[str, themes.Colour, themes.Colour]]:
    """Every pair of colours that text is written in."""
    grounds = {"background": theme.background, "panel": theme.panel}
    pairs = [
        (f"{name} on {ground}", colour, grounds[ground])
        for ground in grounds
        for name, colour in (
            ("ink", theme.ink),
            ("second", theme.second),
            ("accent", theme.accent),
            ("good", theme.good_ink),
            ("bad", theme.bad_ink),
            *((f"seat {seat}", style.ink) for seat, style in enumerate(theme.seats, start=1)),
        )
    ]
    return [
        *pairs,
        ("ink on hover", theme.ink, theme.hover),
        ("ink on pressed", theme.ink, theme.pressed),
        ("ink on pill", theme.ink, theme.pill),
        ("on pill", theme.on_pill, theme.pill),
        ("on accent", theme.on_accent, theme.accent),
        ("accent on its soft ground", theme.accent, theme.accent_soft),
        ("tooltip", theme.background, theme.ink),
    ]


class TestContrast:
    def test_black_on_white_is_21(self) -> None:
        assert themes.contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
        assert themes.contrast((255, 255, 255), (0, 0, 0)) == pytest.approx(21)
        assert themes.contrast((90, 90, 90), (90, 90, 90)) == pytest.approx(1)

    def test_the_known_grey(self) -> None:
        """#767676 is the lightest grey that WCAG 2 allows on white."""
        assert (
            themes.contrast(themes.rgb("#767676"), (255, 255, 255))
            >= 4.5
            > themes.contrast(themes.rgb("#777777"), (255, 255, 255))
        )

    @pytest.mark.parametrize("name", themes.THEMES)
    def test_all_text_can_be_read(self, name: str) -> None:
        faint = {
            pair: round(themes.contrast(ink, ground), 2)
            for pair, ink, ground in texts_and_grounds(themes.THEMES[name])
            if themes.contrast(ink, ground) < LEAST_FOR_TEXT
        }
        assert not faint

    def test_high_contrast_is_high(self) -> None:
        for pair, ink, ground in texts_and_grounds(themes.THEMES["contrast"]):
            assert themes.contrast(ink, ground) >= 7, pair


class TestSeats:
    @pytest.mark.parametrize("name", themes.THEMES)
    def test_differ_by_shape_and_by_colour(self, name: str) -> None:
        seats = themes.THEMES[name].seats
        assert len({seat.shape for seat in seats}) == len({seat.colour for seat in seats}) == 4


class TestSizes:
    def test_scale(self) -> None:
        assert [themes.theme_of("light", scale).px(40) for scale in (0.8, 1.0, 1.25, 2.0)] == [32, 40, 50, 80]

    def test_a_theme_that_there_is_not(self) -> None:
        assert themes.theme_of("no such theme") == themes.LIGHT

    def test_no_text_is_tiny(self) -> None:
        assert min(size for _, size in themes.FONT_WEIGHTS.values()) >= 11
        assert themes.SMALLEST_WINDOW == (1024, 640)


class TestColours:
    def test_mix_and_fade(self) -> None:
        assert themes.mix((0, 0, 0), (100, 200, 50), 0.5) == (50, 100, 25)
        assert themes.with_opacity((1, 2, 3), 0.5) == (1, 2, 3, 128)


SIDE = 40


def drawn(name: str, side: int = SIDE) -> pygame.Surface:
    canvas = Canvas((side, side), side / FACE_GRID)
    draw_face(canvas, name)
    return canvas.picture()


class TestFaces:
    def test_every_level_has_its_own(self) -> None:
        faces = [face_of(step.player) for step in PLAYER_LEVELS]
        assert faces == [step.name for step in PLAYER_LEVELS] and len({*faces, PERSON, COMPUTER}) == 10
        assert face_of("level:8,time=5") == face_of("level:8")
        assert face_of("human") == PERSON
        assert {face_of(name) for name in ("random", "engine:x", "level:9", "level:", "")} == {COMPUTER}

    @pytest.mark.parametrize("name", FACES)
    def test_it_is_round_and_whole(self, name: str) -> None:
        alpha = pygame.surfarray.array_alpha(drawn(name, 120))
        away = np.hypot(*(np.indices(alpha.shape) + 0.5 - 60))
        assert (alpha[away < 58] == 255).all(), "there is a hole in it"
        assert not alpha[away > 62].any(), "it sticks out"

    def test_no_two_are_alike_where_they_are_small(self) -> None:
        pictures = {name: pygame.surfarray.array3d(drawn(name)).astype(int) for name in FACES}
        for first, second in combinations(pictures, 2):
            different = (np.abs(pictures[first] - pictures[second]).max(axis=2) > 60).mean()
            assert different > 0.2, f"{first} and {second} look alike"

    @pytest.mark.parametrize("theme", themes.THEMES)
    def test_a_ring_lies_around_it(self, theme: str) -> None:
        pygame.font.init()
        paint, surface = Painter(themes.theme_of(theme)), pygame.Surface((80, 80))
        surface.fill((1, 2, 3))
        paint.face(surface, "tiger", (40, 40), 20, ring=(250, 0, 250))
        line = [tuple(surface.get_at((x, 40)))[:3] for x in range(80)]
        assert (250, 0, 250) in line[:20] and (250, 0, 250) in line[60:]
        assert line[0] == (1, 2, 3) and (250, 0, 250) not in line[20:60]
