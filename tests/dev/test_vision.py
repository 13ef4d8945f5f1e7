"""Colours as people see them who lack a kind of cone, how far apart colours are, and what stands on boards."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from dev.pictures import owners
from dev.pictures.owners import LEAST_SHARE, Pair, pairs
from dev.pictures.vision import DEFICIENCIES, Deficiency, difference, lab, simulated
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.ui.drawing.theme import THEMES


@pytest.fixture(autouse=True)
def fonts() -> None:
    pygame.display.init()
    pygame.font.init()


class TestSimulations:
    @pytest.mark.parametrize("deficiency", DEFICIENCIES)
    def test_greys_stay_grey(self, deficiency: Deficiency) -> None:
        greys = np.array([(grey, grey, grey) for grey in (30, 128, 250)])
        seen = simulated(greys, deficiency)
        assert np.ptp(seen, axis=1).max() < 0.1 and (np.diff(seen[:, 0]) > 50).all()
        assert np.abs(seen - greys)[1:].max() < 4, "the darkest are lifted, so that a screen can show all of them"

    @pytest.mark.parametrize(
        ("deficiency", "one", "other"),
        [
            ("protanopia", (200, 60, 40), (95, 90, 40)),
            ("deuteranopia", (200, 60, 40), (128, 128, 34)),
            ("tritanopia", (60, 120, 200), (60, 140, 130)),
        ],
    )
    def test_what_differs_in_the_missing_cone_only_looks_alike(
        self, deficiency: Deficiency, one: tuple[int, ...], other: tuple[int, ...]
    ) -> None:
        colours = np.array([one, other])
        seen = lab(simulated(colours, deficiency))
        assert difference(seen[0], seen[1]) < 0.6 * difference(*lab(colours))

    def test_tritanopia_is_that_of_1997(self) -> None:
        """By the matrices for sRGB that N. Burrus derived from the paper, whose cones are rounded otherwise."""
        colours = np.array([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (200, 80, 60), (40, 110, 120)])
        known = np.array([(255, 0, 78), (121, 233, 255), (0, 98, 136), (255, 238, 241), (202, 74, 95), (44, 109, 128)])
        assert np.abs(simulated(colours, "tritanopia") - known).max() < 3

    @pytest.mark.parametrize("deficiency", ["protanopia", "deuteranopia"])
    def test_red_and_green_cones_leave_blue_and_yellow(self, deficiency: Deficiency) -> None:
        seen = simulated(np.random.default_rng(1).integers(0, 256, (50, 3)), deficiency)
        assert np.abs(seen[:, 0] - seen[:, 1]).max() < 2, "red and green are the same"


class TestDifferences:
    @pytest.mark.parametrize(
        ("one", "other", "known"),
        [
            ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
            ((50, -1, 2), (50, 0, 0), 2.3669),
            ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
            ((50, 2.5, 0), (73, 25, -18), 27.1492),
            ((22.7233, 20.0904, -46.694), (23.0331, 14.973, -42.5619), 2.0373),
        ],
    )
    def test_are_those_of_sharma_and_others(
        self, one: tuple[float, ...], other: tuple[float, ...], known: float
    ) -> None:
        assert difference(np.array(one), np.array(other)) == pytest.approx(known, abs=1e-4)

    def test_black_and_white_are_a_hundred(self) -> None:
        assert difference(*lab(np.array([(0, 0, 0), (255, 255, 255)]))) == pytest.approx(100, abs=0.1)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(GALLERY.values()), ids=lambda game: game.name)
def test_what_stands_on_a_board_is_told_apart(game: Game, theme: str) -> None:
    found = list(pairs(game, theme))
    assert found and [pair for pair in found if not pair.is_told_apart] == []


def test_what_looks_alike_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "LEAST_DIFFERENCE", 90.0)
    assert not any(pair.is_told_apart for pair in pairs(GALLERY["connect-four"], "light"))
    assert Pair("", "", "", LEAST_SHARE).is_told_apart
