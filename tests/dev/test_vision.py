"""Colours as people see them who lack a kind of cone, how far apart colours are, and what stands on boards."""

from __future__ import annotations

import colour
import numpy as np
import pygame
import pytest

from dev.pictures import owners
from dev.pictures.owners import DEFICIENCIES, LEAST_SHARE, Deficiency, Pair, lab, pairs, simulated
from papan.game.catalogue import GALLERY
from papan.game.facts import Game
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
        assert colour.delta_E(*seen) < 0.6 * colour.delta_E(*lab(colours))

    def test_tritanopia_is_that_of_1997(self) -> None:
        """By the matrices for sRGB that N. Burrus derived from the paper, whose cones are rounded otherwise."""
        colours = np.array([(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (200, 80, 60), (40, 110, 120)])
        known = np.array([(255, 0, 78), (121, 233, 255), (0, 98, 136), (255, 238, 241), (202, 74, 95), (44, 109, 128)])
        assert np.abs(simulated(colours, "tritanopia") - known).max() < 3

    @pytest.mark.parametrize("deficiency", ["protanopia", "deuteranopia"])
    def test_red_and_green_cones_leave_blue_and_yellow(self, deficiency: Deficiency) -> None:
        seen = simulated(np.random.default_rng(1).integers(0, 256, (50, 3)), deficiency)
        assert np.abs(seen[:, 0] - seen[:, 1]).max() < 2, "red and green are the same"


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("game", list(GALLERY.values()), ids=lambda game: game.name)
def test_what_stands_on_a_board_is_told_apart(game: Game, theme: str) -> None:
    found = list(pairs(game, theme))
    assert found and [pair for pair in found if not pair.is_told_apart] == []


def test_what_looks_alike_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "LEAST_DIFFERENCE", 90.0)
    assert not any(pair.is_told_apart for pair in pairs(GALLERY["connect-four"], "light"))
    assert Pair("", "", "", LEAST_SHARE).is_told_apart
