"""The faces of players: every level has one of its own, all are round, and none is like another."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pygame
import pytest

from papan.ai.players.levels import STEPS
from papan.ui.drawing.canvas import Canvas
from papan.ui.drawing.faces import COMPUTER, FACE_GRID, FACES, PERSON, face_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES, theme_of

SIDE = 40


def drawn(name: str, side: int = SIDE) -> pygame.Surface:
    canvas = Canvas((side, side), side / FACE_GRID)
    FACES[name](canvas)
    return canvas.picture()


class TestFaces:
    def test_every_level_has_its_own(self) -> None:
        faces = [face_of(step.player) for step in STEPS]
        assert faces == [step.name for step in STEPS] and len({*faces, PERSON, COMPUTER}) == 10
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

    @pytest.mark.parametrize("theme", THEMES)
    def test_a_ring_lies_around_it(self, theme: str) -> None:
        pygame.font.init()
        paint, surface = Painter(theme_of(theme)), pygame.Surface((80, 80))
        surface.fill((1, 2, 3))
        paint.face(surface, "tiger", (40, 40), 20, ring=(250, 0, 250))
        line = [tuple(surface.get_at((x, 40)))[:3] for x in range(80)]
        assert (250, 0, 250) in line[:20] and (250, 0, 250) in line[60:]
        assert line[0] == (1, 2, 3) and (250, 0, 250) not in line[20:60]
