"""Texts stand out from what they stand on, as it is painted."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from dev.pictures.__main__ import drawing
from dev.pictures.looks import Look, put_on
from dev.pictures.measuring import LEAST_CONTRAST, Contrasts
from dev.scenery import STOPS, fill_library, go_to, settle
from papan.game.catalogue import GALLERY
from papan.ui.drawing.theme import THEMES
from papan.ui.scenes import Scene
from papan.ui.widgets.buttons import Button
from papan.ui.window.program import Program

SAMPLE = (
    ("home", "connect-four"),
    ("resumed table", "santorini"),
    ("ending", "xiangqi"),
    ("settings", "connect-four"),
    ("library", "connect-four"),
    ("laboratory", "connect-four"),
    ("keys", "checkers"),
    ("resumed table", "2048"),
)
"""Scenes, and games that they show; all by ``python -m dev.pictures --contrast``."""


@pytest.fixture(scope="module")
def contrasts() -> Contrasts:
    return Contrasts()


@pytest.fixture(scope="module")
def program(contrasts: Contrasts) -> Iterator[Program]:
    with drawing(contrasts) as program:
        fill_library(program, 3)
        yield program


@pytest.mark.parametrize(("stop", "game"), SAMPLE)
def test_texts_are_read(program: Program, contrasts: Contrasts, stop: str, game: str) -> None:
    put_on(program, Look((1280, 800)))
    assert go_to(program, STOPS[stop], GALLERY[game]) is not None
    settle(program, 3.0, 0.2)
    for theme in THEMES:
        put_on(program, Look((1280, 800), theme=theme))
        program.app.step(1 / 60, [])
        found = contrasts.look_at(program)
        assert len(found) > 5
        assert [str(standing) for standing in found if standing.contrast < LEAST_CONTRAST] == [], theme


class Page(Scene):
    """A word on a ground, and a button that is disabled."""

    ground, ink = pygame.Color("#777777"), (0, 0, 0)

    def build(self) -> None:
        self.widgets.add(Button("Disabled", lambda: None, name="button")).enable(False)

    def layout(self, area: pygame.Rect) -> None:
        self.widgets.all[0].place(pygame.Rect(10, 200, 200, 40))

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(self.ground)
        surface.fill("white", (0, 0, 60, 400))
        self.paint.text(surface, "Word", (5, 10), "heading", self.ink)


class TestMeasuring:
    @pytest.mark.parametrize(("ground", "known"), [("#777777", 4.69), ("#ffffff", 21.0), ("#000000", 1.0)])
    def test_it_is_that_of_what_was_painted(
        self, program: Program, contrasts: Contrasts, ground: str, known: float, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(Page, "ground", pygame.Color(ground))
        page = Page(program.app)
        program.app.push(page)
        monkeypatch.setattr(Page, "draw", _draw_on_ground)
        try:
            [found] = contrasts.look_at(program)
        finally:
            program.app.pop(page)
        assert found.text == "Word" and found.contrast == pytest.approx(known, abs=0.01), "what is disabled is excepted"

    def test_the_worst_part_counts(self, program: Program, contrasts: Contrasts) -> None:
        page = Page(program.app)
        program.app.push(page)
        try:
            [found] = contrasts.look_at(program)
        finally:
            program.app.pop(page)
        assert found.contrast in (pytest.approx(21.0), pytest.approx(4.69, abs=0.01))
        assert str(found).startswith(f"{found.contrast:.2f}: 'Word', #000000 on #")

    def test_seen_for_what_it_is_on_a_picture(self, program: Program, contrasts: Contrasts) -> None:
        picture = pygame.Surface((100, 40), pygame.SRCALPHA)
        contrasts.found = []
        program.app.paint.text(picture, "none", (0, 0))
        assert contrasts.found == [], "nothing is there yet"
        picture.fill((0, 0, 0, 255))
        program.app.paint.text(picture, "black", (0, 0), "text", (0, 0, 0))
        assert contrasts.found[0].contrast == 1.0


def _draw_on_ground(page: Page, surface: pygame.Surface) -> None:
    surface.fill(page.ground)
    page.paint.text(surface, "Word", (5, 10), "heading", page.ink)
