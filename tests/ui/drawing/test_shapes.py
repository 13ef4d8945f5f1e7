"""Shapes and motion: polygons that grow and get round corners, pieces on their way."""

from __future__ import annotations

import math

import pygame
import pytest

from papan.ui.drawing.canvas import hexagon_points, offset_points, rounded_points, star_points
from papan.ui.drawing.pieces import arriving_piece, ease_in_out, ease_out_back, faint_piece, interpolate

SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]


class TestPolygons:
    def test_every_side_of_a_grown_one_lies_farther_out(self) -> None:
        assert offset_points(SQUARE, 2) == [
            pytest.approx(corner) for corner in [(-2, -2), (12, -2), (12, 12), (-2, 12)]
        ]
        hexagon = offset_points(hexagon_points((0, 0), 2 / math.sqrt(3)), 1)  # its sides were 1 from the middle
        assert all(math.hypot(*corner) == pytest.approx(4 / math.sqrt(3)) for corner in hexagon)

    def test_inwards_and_outwards_again(self) -> None:
        slanted = [(0.0, 0.0), (9.0, 1.0), (12.0, 8.0), (2.0, 7.0)]
        assert offset_points(offset_points(slanted, -1), 1) == [pytest.approx(corner) for corner in slanted]

    def test_round_corners_touch_the_sides_and_stay_within(self) -> None:
        points = rounded_points(SQUARE, 3)
        assert all(-1e-9 <= at <= 10 + 1e-9 for point in points for at in point)
        for centre in ((3, 3), (7, 3), (7, 7), (3, 7)):
            assert sum(math.dist(point, centre) < 3 + 1e-9 for point in points) >= 17
        assert math.dist((0, 0), min(points, key=lambda point: math.dist(point, (0, 0)))) > 1

    def test_a_star_has_one_point_up(self) -> None:
        points = star_points((0, 0), 10)
        assert points[0] == pytest.approx((0, -10))
        assert [round(math.hypot(*point), 1) for point in points[:2]] == [10, 4.6]


class TestMotion:
    def test_begins_and_ends_gently(self) -> None:
        assert [ease_in_out(share) for share in (0, 0.5, 1)] == [0, 0.5, 1]
        assert ease_in_out(0.1) < 0.1 and ease_in_out(0.9) > 0.9
        assert interpolate((0, 10), (10, 30), 0.5) == (5, 20)

    def test_what_pops_up_goes_a_little_too_far_and_settles(self) -> None:
        sizes = [ease_out_back(step / 100) for step in range(101)]
        assert sizes[0] == pytest.approx(0) and sizes[-1] == 1 and 1 < max(sizes) < 1.15


class TestPiecesOnTheirWay:
    piece = pygame.Surface((40, 40), pygame.SRCALPHA)

    def test_a_coming_one_shrinks_to_its_size_and_becomes_clear(self) -> None:
        widths = [arriving_piece(self.piece, share, larger=0.5, opacity=0.2).get_width() for share in (0.0, 0.5, 1.0)]
        assert widths == [60, 50, 40]
        shown = [arriving_piece(self.piece, share, larger=0.5, opacity=0.2).get_alpha() for share in (0.0, 0.5, 0.9)]
        assert shown == [51, 178, 255]

    def test_a_ghost_is_a_copy(self) -> None:
        assert faint_piece(self.piece, 0.5).get_alpha() == 128 and self.piece.get_alpha() == 255
