"""The picture of a review: drawn part by part, and the same however often it is interrupted."""

from __future__ import annotations

from contextlib import suppress

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.ui.boards import Picture, board_of
from papan.ui.drawing.graphs import CurveChart
from papan.ui.drawing.pictures import OutOfTimeError
from papan.ui.scenes.review.charts import Content, ReviewPicture
from tests.ui.hands import Hands


@pytest.fixture
def content(hands: Hands) -> Content:
    match = Match.new(GAMES["connect-four"], ["", ""], seed=0)
    charts = [CurveChart(title, last_turn=10) for title in ("Chance", "SCN", "Motion")]
    view = board_of(match.game, hands.app.paint)
    return Content(view, Picture(match.state), charts, 3, ("Papan review", "played today"), ("Turn 3", "A sentence."))


def test_parts_that_are_done_are_not_done_again(hands: Hands, content: Content) -> None:
    paint = hands.app.paint
    whole = ReviewPicture(paint, content).draw()
    paint.pictures.clear()
    picture, calls, finished = ReviewPicture(paint, content), 0, None
    while finished is None:
        calls += 1
        assert calls < 1000
        with suppress(OutOfTimeError), paint.pictures.slice_of_work(0.0):  # a part of it each time
            finished = picture.draw()
    assert calls >= 7, "ground, board, title, note, and three charts"
    assert pygame.image.tobytes(finished, "RGB") == pygame.image.tobytes(whole, "RGB")
