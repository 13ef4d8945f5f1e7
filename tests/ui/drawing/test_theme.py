"""The themes can be read, and tell seats apart without colour."""

from __future__ import annotations

import pytest

from papan.ui.drawing.theme import (
    FONT_WEIGHTS,
    LIGHT,
    SMALLEST_WINDOW,
    THEMES,
    Colour,
    Theme,
    contrast,
    mix,
    rgb,
    theme_of,
    with_opacity,
)

LEAST_FOR_TEXT = 4.5


def texts_and_grounds(theme: Theme) -> list[tuple[str, Colour, Colour]]:
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
        assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
        assert contrast((255, 255, 255), (0, 0, 0)) == pytest.approx(21)
        assert contrast((90, 90, 90), (90, 90, 90)) == pytest.approx(1)

    def test_the_known_grey(self) -> None:
        """#767676 is the lightest grey that WCAG 2 allows on white."""
        assert contrast(rgb("#767676"), (255, 255, 255)) >= 4.5 > contrast(rgb("#777777"), (255, 255, 255))

    @pytest.mark.parametrize("name", THEMES)
    def test_all_text_can_be_read(self, name: str) -> None:
        faint = {
            pair: round(contrast(ink, ground), 2)
            for pair, ink, ground in texts_and_grounds(THEMES[name])
            if contrast(ink, ground) < LEAST_FOR_TEXT
        }
        assert not faint

    def test_high_contrast_is_high(self) -> None:
        for pair, ink, ground in texts_and_grounds(THEMES["contrast"]):
            assert contrast(ink, ground) >= 7, pair


class TestSeats:
    @pytest.mark.parametrize("name", THEMES)
    def test_differ_by_shape_and_by_colour(self, name: str) -> None:
        seats = THEMES[name].seats
        assert len({seat.shape for seat in seats}) == len({seat.colour for seat in seats}) == 4


class TestSizes:
    def test_scale(self) -> None:
        assert [theme_of("light", scale).px(40) for scale in (0.8, 1.0, 1.25, 2.0)] == [32, 40, 50, 80]

    def test_a_theme_that_there_is_not(self) -> None:
        assert theme_of("no such theme") == LIGHT

    def test_no_text_is_tiny(self) -> None:
        assert min(size for _, size in FONT_WEIGHTS.values()) >= 11
        assert SMALLEST_WINDOW == (1024, 640)


class TestColours:
    def test_mix_and_fade(self) -> None:
        assert mix((0, 0, 0), (100, 200, 50), 0.5) == (50, 100, 25)
        assert with_opacity((1, 2, 3), 0.5) == (1, 2, 3, 128)
