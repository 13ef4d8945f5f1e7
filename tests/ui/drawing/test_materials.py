"""Textures: where they lie, that they are calm, and the same each time."""

from __future__ import annotations

import numpy as np
import pygame
import pytest

from papan.ui.drawing.materials import felt_painting, wood_painting
from papan.ui.drawing.samples import Painting, finished

GREEN, BROWN, DARK = (60, 120, 90), (220, 180, 130), (120, 80, 40)
AREA = pygame.Rect(10, 12, 130, 150)


def ground(colour: tuple[int, int, int]) -> pygame.Surface:
    picture = pygame.Surface((160, 180), pygame.SRCALPHA)
    picture.fill(colour)
    return picture


def felt() -> Painting:
    return felt_painting(ground(GREEN), AREA, 4.0)


def wood(is_upright: bool = True) -> Painting:
    return wood_painting(ground(BROWN), AREA, 40.0, DARK, 0.3, is_upright=is_upright)


def pixels(picture: pygame.Surface, area: pygame.Rect = AREA) -> np.ndarray:
    found: np.ndarray = pygame.surfarray.array3d(picture.subsurface(area)).astype(float)
    return found


@pytest.mark.parametrize(("texture", "colour"), [(felt, GREEN), (wood, BROWN)])
class TestTextures:
    def test_they_lie_on_their_area_only(self, texture: type, colour: tuple[int, int, int]) -> None:
        picture = finished(texture())
        assert len(np.unique(pixels(picture).reshape(-1, 3), axis=0)) > 10
        picture.fill(colour, AREA)
        assert (pixels(picture, picture.get_rect()) == colour).all()

    def test_the_same_each_time(self, texture: type, colour: tuple[int, int, int]) -> None:
        assert (pixels(finished(texture())) == pixels(finished(texture()))).all()

    def test_they_are_made_in_parts(self, texture: type, colour: tuple[int, int, int]) -> None:
        painting = texture()
        next(painting)
        next(painting)
        assert (pixels(finished(painting)) == pixels(finished(texture()))).all()


class TestFelt:
    def test_it_is_as_bright_as_its_ground(self) -> None:
        assert np.abs(pixels(finished(felt())).mean(axis=(0, 1)) - GREEN).max() < 1.5


class TestWood:
    def test_no_shade_lies_beyond_the_late_woods(self) -> None:
        found = pixels(finished(wood()))
        darkest = [bright - 0.3 * (bright - dark) for bright, dark in zip(BROWN, DARK, strict=True)]
        assert (found.min(axis=(0, 1)) >= np.array(darkest) - 2).all() and (found.max(axis=(0, 1)) <= BROWN).all()

    def test_the_grain_runs_the_way_that_is_asked(self) -> None:
        for is_upright, along in ((True, 1), (False, 0)):
            found = pixels(finished(wood(is_upright)))[..., 0]
            steps = [np.abs(np.diff(found, axis=axis)).mean() for axis in (0, 1)]
            assert steps[along] < steps[1 - along] / 2
