"""Pictures without a person: what is drawn, and what is found wrong in it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import colour
import numpy as np
import pygame
import pytest
from click.testing import CliRunner
from PIL import Image, ImageSequence

from dev.pictures import __main__ as pictures
from dev.pictures import owners
from dev.pictures.__main__ import drawing
from dev.pictures.looks import TURNS, Look, Looks, animated_png, middle_game, put_on
from dev.pictures.measuring import LEAST_CONTRAST, Contrasts, Fault, Written
from dev.pictures.owners import DEFICIENCIES, LEAST_SHARE, Deficiency, Pair, lab, pairs, piece_styles, simulated
from dev.scenery import STOPS, fill_library, go_to, settle
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import THEMES
from papan.ui.scenes import Scene
from papan.ui.widgets.buttons import Button
from papan.ui.window.program import Program
from tests.ui.hands import Hands


@pytest.fixture
def hands(home: Path) -> Hands:
    return Hands()


class Page(Scene):
    """A scene on which a test writes."""

    def __init__(self, hands: Hands, *texts: tuple[str, tuple[int, int], int | None]) -> None:
        super().__init__(hands.app)
        self._texts = texts

    def draw(self, surface: pygame.Surface) -> None:
        for text, at, width in self._texts:
            self.paint.text(surface, text, at, width=width)


def found(hands: Hands, *texts: tuple[str, tuple[int, int], int | None]) -> list[Fault]:
    written = Written()
    hands.app.paint.witness = written
    hands.show(Page(hands, *texts))
    faults = written.look_at(hands.app.scenes[-1], pygame.Surface(hands.app.surface.get_size()))
    hands.app.close()
    return faults


class TestMeasuring:
    def test_a_sound_page_has_no_faults(self, hands: Hands) -> None:
        line = 20
        assert found(hands, ("One", (10, 10), None), ("Two", (10, 10 + line), 300), ("Three", (200, 10), None)) == []

    def test_what_is_cut_off_is_named(self, hands: Hands) -> None:
        [fault] = found(hands, ("A rather long sentence", (10, 10), 60))
        assert fault.kind == "cut" and fault.text == "A rather long sentence" and fault.other.endswith("…")

    def test_what_crosses_is_named(self, hands: Hands) -> None:
        assert found(hands, ("One text", (10, 10), None), ("Another", (30, 12), None)) == [
            Fault("crossing", "One text", "Another")
        ]

    def test_what_leaves_the_window_is_named(self, hands: Hands) -> None:
        assert found(hands, ("At the edge", (1250, 10), None)) == [Fault("beyond", "At the edge")]

    def test_a_paragraph_with_too_many_lines(self, home: Path) -> None:
        pygame.font.init()
        painter, written = Painter(THEMES["light"]), Written()
        painter.witness = written
        area = pygame.Rect(0, 0, 80, 40)
        painter.paragraph(pygame.Surface((200, 200)), "word " * 20, area, most_lines=2)
        assert written._cut
        painter.forget()


class TestLooks:
    def test_each_is_named_and_has_a_file(self) -> None:
        looks = [look for language in ("en", "id", "pt") for look in Looks().of_language(language)]
        assert len({look.file_name for look in looks}) == len(looks) == 3 * 3 * 2
        assert str(Look((1024, 640), 1.5, "dark", "pt")) == "1024x640, 150%, dark, pt"


class TestTheTool:
    def test_draws_what_is_asked(self, tmp_path: Path) -> None:
        words = ["--scene", "settings", "--language", "pt", "--size", "1024x640", "--scale", "150", "--settling", "0.2"]
        ran = CliRunner().invoke(pictures.main, ["--out", str(tmp_path), *words])
        assert ran.exit_code == 0, ran.output
        files = sorted(path.name for path in tmp_path.iterdir())
        assert files == [f"settings-1024x640-150-{theme.replace(' ', '-')}-pt.png" for theme in sorted(THEMES)]
        width, height = pygame.image.load(tmp_path / files[0]).get_size()
        assert width == 1024 and height > 640, "a page that is higher than the window is drawn as a whole"

    def test_checks(self) -> None:
        words = ["--check", "--scene", "settings", "--scene", "name dialog", "--theme", "light", "--size", "1024x640"]
        ran = CliRunner().invoke(pictures.main, [*words, "--scale", "100", "--settling", "0.2"])
        assert ran.exit_code == 0, ran.output
        assert ran.output.count("settings, 1024x640, 100%, light") == 3 and ran.output.endswith("Nothing is cut off.\n")

    def test_refuses_a_size_that_is_none(self) -> None:
        assert CliRunner().invoke(pictures.main, ["--size", "large"]).exit_code == 2


def test_the_person_is_to_act_in_the_middle_of_a_game() -> None:
    match = middle_game(GAMES["othello"])
    assert not match.ending and match.mover == 0 and len(match.turns()) >= TURNS


class TestTheAnimation:
    def test_is_a_png_with_frames_of_what_changes(self) -> None:
        pygame.display.set_mode((40, 30))
        drawn = [pygame.Surface((40, 30), 0, 24) for _ in range(3)]
        for picture in drawn[1:]:
            pygame.draw.rect(picture, "red", (5, 6, 7, 8))
        written = animated_png(drawn, [0.5, 0.1, 2.0])
        with Image.open(io.BytesIO(written)) as moving:
            assert moving.size == (40, 30)
            lasts = [frame.info["duration"] for frame in ImageSequence.Iterator(moving)]
        assert lasts == [500, 2100], "what looks the same is shown for longer"


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
@pytest.mark.parametrize(
    ("game", "style"),
    [(game, style) for game in GALLERY.values() for style in piece_styles(game)],
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_what_stands_on_a_board_is_told_apart(game: Game, style: str, theme: str) -> None:
    found = list(pairs(game, theme, style))
    assert found and [pair for pair in found if not pair.is_told_apart] == []


def test_what_looks_alike_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owners, "LEAST_DIFFERENCE", 90.0)
    assert not any(pair.is_told_apart for pair in pairs(GALLERY["connect-four"], "light"))
    assert Pair("", "", "", LEAST_SHARE).is_told_apart


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


class WordPage(Scene):
    """A word on a ground, and a button that is disabled."""

    ground, edge = "#777777", 0
    """Its colour, and how many pixels on the left are white."""

    def build(self) -> None:
        self.widgets.add(Button("Disabled", lambda: None, name="button")).enable(False)

    def layout(self, area: pygame.Rect) -> None:
        self.widgets.all[0].place(pygame.Rect(10, 200, 200, 40))

    def draw(self, surface: pygame.Surface) -> None:
        surface.fill(self.ground)
        surface.fill("white", (0, 0, self.edge, 400))
        self.paint.text(surface, "Word", (5, 10), "heading", (0, 0, 0))


class TestContrast:
    @pytest.mark.parametrize(
        ("ground", "edge", "known"),
        [("#777777", 0, 4.69), ("#ffffff", 0, 21.0), ("#000000", 0, 1.0), ("#777777", 30, 4.69)],
    )
    def test_it_is_that_of_the_worst_part_of_what_was_painted(
        self, program: Program, contrasts: Contrasts, ground: str, edge: int, known: float
    ) -> None:
        page = WordPage(program.app)
        page.ground, page.edge = ground, edge
        program.app.push(page)
        try:
            [found] = contrasts.look_at(program)
        finally:
            program.app.pop(page)
        assert found.text == "Word" and found.contrast == pytest.approx(known, abs=0.01), "what is disabled is excepted"
        assert str(found) == f"{known:.2f}: 'Word', #000000 on {ground}"

    def test_seen_for_what_it_is_on_a_picture(self, program: Program, contrasts: Contrasts) -> None:
        picture = pygame.Surface((100, 40), pygame.SRCALPHA)
        contrasts.found = []
        program.app.paint.text(picture, "none", (0, 0))
        assert contrasts.found == [], "nothing is there yet"
        picture.fill((0, 0, 0, 255))
        program.app.paint.text(picture, "black", (0, 0), "text", (0, 0, 0))
        assert contrasts.found[0].contrast == 1.0
