"""Canvas, painter, lettering and icons: what they draw is where it should be, and what they keep is bounded."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np
import pygame
import pytest

from papan.ui.drawing.antialiasing import Painting, finished
from papan.ui.drawing.canvas import Canvas, hexagon_points, offset_points, rounded_points, star_points
from papan.ui.drawing.icons import ICONS
from papan.ui.drawing.lettering import ELLIPSIS, Anchor
from papan.ui.drawing.materials import felt_painting, wood_painting
from papan.ui.drawing.paint import Painter, draw_shape
from papan.ui.drawing.pictures import OutOfTimeError, PictureStore
from papan.ui.drawing.pieces import arriving_piece, ease_in_out, ease_out_back, faint_piece, interpolate
from papan.ui.drawing.theme import FONT_WEIGHTS, THEMES, Colour, Shape, TextStyle, theme_of, with_opacity

RED = (200, 40, 30)


@pytest.fixture(scope="module")
def paint() -> Painter:
    pygame.font.init()
    return Painter(theme_of("light"))


def ground(size: tuple[int, int], colour: tuple[int, int, int] = (255, 255, 255)) -> pygame.Surface:
    surface = pygame.Surface(size)
    surface.fill(colour)
    return surface


def is_touched(surface: pygame.Surface, colour: tuple[int, int, int] = (255, 255, 255)) -> np.ndarray:
    """Which pixels differ from the ground."""
    touched: np.ndarray = (pygame.surfarray.array3d(surface) != colour).any(axis=2)
    return touched


class TestCanvas:
    def test_a_square_covers_its_pixels_and_no_more(self) -> None:
        """Regression: pygame fills up to and with the far edge, which left a faint line beside each panel."""
        canvas = Canvas((20, 20))
        canvas.rounded_rect((5, 5, 10, 10), 0, RED)
        alpha = pygame.surfarray.array_alpha(canvas.picture())
        assert (alpha[5:15, 5:15] == 255).all()
        alpha[5:15, 5:15] = 0
        assert not alpha.any()

    def test_a_circle_has_its_area(self) -> None:
        canvas = Canvas((60, 60))
        canvas.circle((30, 30), 20, RED)
        area = pygame.surfarray.array_alpha(canvas.picture()).sum() / 255
        assert area == pytest.approx(np.pi * 20**2, rel=0.03)

    def test_edges_keep_their_colour(self) -> None:
        """Regression: half-covered pixels were darkened by what lies below the transparency."""
        canvas = Canvas((40, 40))
        canvas.circle((20, 20), 15, RED)
        picture = canvas.picture()
        colours, alpha = pygame.surfarray.array3d(picture), pygame.surfarray.array_alpha(picture)
        edge = (alpha > 60) & (alpha < 255)
        assert edge.any()
        assert (abs(colours[edge].astype(int) - RED) <= 6).all()

    def test_translucent_colours_mix(self) -> None:
        canvas = Canvas((10, 10))
        canvas.rounded_rect((0, 0, 10, 10), 0, (0, 0, 0))
        canvas.rounded_rect((0, 0, 10, 10), 0, (255, 255, 255, 128))
        assert canvas.picture().get_at((5, 5))[0] == pytest.approx(128, abs=2)

    def test_a_hole(self) -> None:
        canvas = Canvas((20, 20))
        canvas.rounded_rect((0, 0, 20, 20), 0, RED)
        canvas.cut((10, 10), 5)
        assert canvas.picture().get_at((10, 10))[3] == 0
        assert canvas.picture().get_at((1, 10))[3] == 255

    @pytest.mark.parametrize("radius", [1.0, 4.0, 20.0])
    def test_a_blur_is_as_soft_as_asked_and_loses_nothing(self, radius: float) -> None:
        canvas = Canvas((240, 240))
        canvas.rounded_rect((60, 60, 120, 120), 0, RED)
        canvas.blur(radius)
        alpha = pygame.surfarray.array_alpha(canvas.picture()) / 255
        assert alpha.sum() == pytest.approx(120 * 120, rel=0.02)
        spread = np.diff(alpha[:120, 120])  # how far from the edge, before the pixel 60, each part was carried
        assert (spread >= 0).all() and spread.sum() == pytest.approx(1.0, abs=0.03)
        deviation = np.sqrt((spread * (np.arange(119) - 59) ** 2).sum())
        assert deviation == pytest.approx(0.36 * radius, rel=0.1, abs=0.45)

    def test_what_is_drawn_after_a_blur_lies_above_it_and_is_crisp(self) -> None:
        canvas = Canvas((60, 60))
        canvas.rounded_rect((10, 10, 40, 40), 0, (0, 0, 0, 128))
        canvas.blur(6)
        canvas.rounded_rect((20, 20, 20, 20), 0, RED)
        picture = canvas.picture()
        assert list(picture.get_at((20, 20))) == [*RED[:3], 255]
        assert 0 < picture.get_at((19, 30))[3] < 140 and picture.get_at((19, 30))[0] == 0
        again = canvas.picture()
        assert (pygame.surfarray.array_alpha(again) == pygame.surfarray.array_alpha(picture)).all()

    def test_units(self) -> None:
        canvas = Canvas((40, 40), unit=2.0)
        canvas.rounded_rect((5, 5, 10, 10), 0, RED)
        alpha = pygame.surfarray.array_alpha(canvas.picture())
        assert alpha.sum() / 255 == 20 * 20

    def test_dashes_are_half_of_the_line(self) -> None:
        whole, dashed = Canvas((200, 20)), Canvas((200, 20))
        whole.line([(10, 10), (190, 10)], 2, RED)
        dashed.line([(10, 10), (190, 10)], 2, RED, dash=9)
        areas = [pygame.surfarray.array_alpha(canvas.picture()).sum() for canvas in (whole, dashed)]
        assert 0.45 < areas[1] / areas[0] < 0.7

    def test_large_canvases_take_fewer_samples(self) -> None:
        assert Canvas((20, 20)).samples == 4
        assert Canvas((1900, 1000)).samples == 2

    def test_empty_and_single_points(self) -> None:
        canvas = Canvas((0, 0))
        canvas.line([(3, 3)], 1, RED)
        canvas.line([(3, 3), (3, 3)], 1, RED, dash=4)
        canvas.rounded_rect((2, 2, 0, 0), 3, with_opacity(RED, 0.5))
        assert canvas.picture().get_size() == (1, 1)


class TestShapesAndIcons:
    @pytest.mark.parametrize("shape", ["circle", "diamond", "triangle", "square"])
    def test_shapes_weigh_about_the_same(self, shape: Shape) -> None:
        canvas = Canvas((60, 60))
        draw_shape(canvas, shape, (30, 30), 15, RED)
        area = pygame.surfarray.array_alpha(canvas.picture()).sum() / 255
        assert 0.75 < area / (np.pi * 15**2) < 1.1

    @pytest.mark.parametrize("name", ICONS)
    def test_icons_stay_within_their_grid(self, paint: Painter, name: str) -> None:
        surface = ground((60, 60))
        paint.icon(surface, name, (30, 30), (0, 0, 0), 40)
        touched = is_touched(surface)
        assert touched.sum() > 40
        touched[10:50, 10:50] = False
        assert not touched.any()


class TestPanels:
    @pytest.mark.parametrize("size", [(300, 200), (61, 400), (40, 30), (90, 90)])
    def test_any_size_is_filled_and_edged(self, paint: Painter, size: tuple[int, int]) -> None:
        theme = paint.theme
        surface = ground((500, 500), theme.background[:3])
        rect = pygame.Rect((50, 50), size)
        paint.panel(surface, rect)
        for point in (rect.center, (rect.centerx, rect.y + 3), (rect.centerx, rect.bottom - 4)):
            assert surface.get_at(point)[:3] == theme.panel
        for point in ((rect.centerx, rect.y), (rect.x, rect.centery), (rect.right - 1, rect.centery)):
            assert surface.get_at(point)[:3] == pytest.approx(theme.line, abs=2)

    def test_a_stretched_outline_equals_a_drawn_one(self, paint: Painter) -> None:
        stretched, drawn = ground((200, 120)), ground((200, 120))
        rect = pygame.Rect(10, 10, 180, 100)
        paint.rounded_rect(stretched, rect, RED, 12, line=(0, 0, 0), line_width=2)
        canvas = Canvas(rect.size)
        canvas.rounded_rect((0, 0, *rect.size), 12, RED)
        canvas.outline((0, 0, *rect.size), 12, 2, (0, 0, 0))
        drawn.blit(canvas.picture(), rect)
        difference = abs(pygame.surfarray.array3d(stretched).astype(int) - pygame.surfarray.array3d(drawn))
        assert (difference > 8).any(axis=2).sum() <= 8, "a few pixels of the corners fall between other samples"


class TestTexts:
    def test_fitted_text_fits(self, paint: Painter) -> None:
        text = "A rather long sentence about nothing at all"
        for width in (20, 60, 150, 1000):
            fitted = paint.fitted_text(text, width)
            assert fitted == text or (
                paint.width(fitted) <= max(width, paint.width(ELLIPSIS)) and fitted.endswith(ELLIPSIS)
            )

    def test_anchors(self, paint: Painter) -> None:
        surface = ground((300, 100))
        place = paint.text(surface, "Papan", (150, 50), anchor="center")
        assert place.center == (150, 50)
        touched = is_touched(surface)
        touched[place.left : place.right, place.top : place.bottom] = False
        assert not touched.any()

    def test_tabular_figures_stand_still(self, paint: Painter) -> None:
        ones = paint.text_picture("1.11", "text", RED, tabular=True).get_width()
        eights = paint.text_picture("8.88", "text", RED, tabular=True).get_width()
        assert ones == eights
        assert paint.width("1.11") < paint.width("8.88"), "else the font needs no help"

    @pytest.mark.parametrize("text", ["", "a\0b", "a\nb", "\t", "漢字 🎲", "\u202e"])
    def test_any_text_can_be_written(self, paint: Painter, text: str) -> None:
        paint.text(ground((100, 30)), text, (0, 0))
        assert paint.width(text) >= 0

    @pytest.mark.parametrize("style", FONT_WEIGHTS)
    def test_every_style_has_its_font(self, paint: Painter, style: TextStyle) -> None:
        assert paint.font(style).own.point_size == FONT_WEIGHTS[style][1]


class Word(NamedTuple):
    """What was written, how and where."""

    text: str
    style: TextStyle
    place: pygame.Rect


class Recording(Painter):
    """Remembers what it has written."""

    def __init__(self) -> None:
        super().__init__(theme_of("light"))
        self.words: list[Word] = []

    def text(
        self,
        surface: pygame.Surface,
        text: str,
        at: tuple[int, int],
        style: TextStyle = "text",
        colour: Colour | None = None,
        *,
        anchor: Anchor = "topleft",
        width: int | None = None,
        shrinks: bool = False,
        tabular: bool = False,
    ) -> pygame.Rect:
        place = super().text(
            surface, text, at, style, colour, anchor=anchor, width=width, shrinks=shrinks, tabular=tabular
        )
        self.words.append(Word(text, style, place))
        return place


def written(text: str, width: int, most_lines: int | None = None) -> list[list[Word]]:
    """The words of each line of a paragraph."""
    paint = Recording()
    paint.paragraph(ground((600, 400)), text, pygame.Rect(20, 20, width, 0), most_lines=most_lines)
    return [list(line) for _, line in groupby(paint.words, key=lambda word: word.place.top)]


class TestParagraphs:
    TEXT = "Green cells can be reached. Going up to **c4** threatens to **win at once**.\nAnother line"

    def test_lines_stay_within_their_width(self, paint: Painter) -> None:
        for width in (80, 200, 500):
            surface = ground((600, 400))
            area = pygame.Rect(20, 20, width, 0)
            height = paint.paragraph(surface, self.TEXT, area)
            assert height == paint.paragraph_height(self.TEXT, width)
            touched = is_touched(surface)
            assert touched.any()
            touched[20 : 20 + width + 1, 18 : 20 + height + 2] = False
            assert not touched.any()

    @pytest.mark.parametrize("scale", [0.8, 1.0, 1.25, 1.5, 2.0])
    def test_words_of_a_line_stand_on_it(self, scale: float) -> None:
        """Regression: words with a "g" stood a pixel higher than others, at some sizes."""
        pygame.font.init()
        paint = Painter(theme_of("light", scale))
        for style in FONT_WEIGHTS:
            found = []
            for word in ("in", "ing"):
                surface = ground((300, 100))
                paint.paragraph(surface, word, pygame.Rect(20, 20, 250, 0), style)
                found.append(np.flatnonzero(is_touched(surface)[20 : 20 + paint.width("i", style)].any(axis=0))[0])
            assert found[0] == found[1], style

    def test_a_line_break_begins_a_line(self, paint: Painter) -> None:
        assert paint.paragraph_height("a\nb", 500) == 2 * paint.line_height()

    def test_most_lines(self, paint: Painter) -> None:
        assert paint.paragraph_height(self.TEXT, 100, most_lines=2) == 2 * paint.line_height()
        assert written(self.TEXT, 100, most_lines=2)[-1][-1].text.endswith(ELLIPSIS)

    def test_a_word_wider_than_the_line_is_broken(self, paint: Painter) -> None:
        assert paint.paragraph_height("W" * 40, 100) > paint.line_height()

    def test_marks_of_bold_are_not_shown(self, paint: Painter) -> None:
        (words,) = written("up to **c4**, now", 500)
        assert [(word.text, word.style) for word in words] == [
            ("up", "text"),
            ("to", "text"),
            ("c4", "strong"),
            (",", "text"),
            ("now", "text"),
        ]
        gaps = [after.place.left - before.place.right for before, after in pairwise(words)]
        assert gaps == [paint.width(" "), paint.width(" "), 0, paint.width(" ")]

    def test_a_line_never_ends_between_a_word_and_its_comma(self) -> None:
        for width in range(40, 160, 3):
            lines = written("it can go to **c4**, or even to **d5**; so it goes", width)
            assert all(line[0].text not in ",;" for line in lines)


def drawn_over_and_over(canvas: Canvas) -> None:
    """All that a canvas can record, from its top to its bottom."""
    width, height = canvas.size
    canvas.rounded_rect((20, 20, width - 40, height - 40), 12, with_opacity((0, 0, 0), 0.4))
    canvas.blur(6)
    canvas.gradient(canvas.rounded_points((14, 14, width - 28, height - 28), 12), (220, 200, 160), (120, 90, 40))
    canvas.blur(0.3)
    canvas.line([(10, 10), (width - 10, height / 2), (10, height - 10)], 7, with_opacity(RED, 0.6))
    canvas.ellipse((width / 2, height / 2), width / 3, height / 3, with_opacity((20, 40, 160), 0.5))
    canvas.cut((width / 2, height / 2), height / 5)
    canvas.ring((width / 2, height / 2), height / 4, 3, (0, 0, 0), dash=9)


class TestPainting:
    def test_bands_leave_no_seams(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pictures = []
        for samples in (1 << 30, 1 << 13):
            monkeypatch.setattr("papan.ui.drawing.antialiasing._BAND", samples)
            canvas = Canvas((90, 300))
            drawn_over_and_over(canvas)
            pictures.append(pygame.image.tobytes(canvas.picture(), "RGBA"))
        assert pictures[0] == pictures[1]

    def test_it_goes_on_where_it_was_paused(self) -> None:
        store, canvas = PictureStore(), Canvas((900, 500))
        drawn_over_and_over(canvas)
        begun, pauses = [], 0

        def begin() -> Painting:
            begun.append(canvas)
            return canvas.painting()

        picture = None
        while picture is None:
            try:
                with store.slice_of_work(0.0):
                    picture = store.painted("picture", begin)
            except OutOfTimeError:
                pauses += 1
        assert len(begun) == 1 and pauses > 10
        assert pygame.image.tobytes(picture, "RGBA") == pygame.image.tobytes(canvas.picture(), "RGBA")
        assert store.painted("picture", begin) is picture

    def test_drawing_is_paused_where_it_may_be(self, paint: Painter) -> None:
        drawn: list[int] = []

        def draw(canvas: Canvas) -> Iterator[None]:
            for number in range(3):
                canvas.circle((5, 5), 4 - number, (50 * number, 0, 0))
                drawn.append(number)
                yield

        for count in (1, 2, 3):
            with pytest.raises(OutOfTimeError), paint.pictures.slice_of_work(0.0):
                paint.drawn_picture("discs", (10, 10), draw)
            assert len(drawn) == count
        assert paint.drawn_picture("discs", (10, 10), draw).get_at((5, 5)).r == 100

    def test_what_it_needs_does_not_pause_it(self) -> None:
        store = PictureStore()

        def paint() -> Painting:
            store.get("first", lambda: pygame.Surface((5, 5)))
            yield
            store.get("second", lambda: pygame.Surface((5, 5)))
            return store.get("third", lambda: pygame.Surface((5, 5)))

        with pytest.raises(OutOfTimeError), store.slice_of_work(0.0):
            store.painted("all", paint)
        with store.slice_of_work(0.0):
            store.painted("all", paint)
        assert len(store) == 4

    def test_one_that_fails_is_begun_anew(self) -> None:
        store, fails = PictureStore(), [True, False]

        def paint() -> Painting:
            yield
            if fails.pop(0):
                raise ZeroDivisionError
            return pygame.Surface((5, 5))

        with pytest.raises(ZeroDivisionError):
            store.painted("it", paint)
        assert store.painted("it", paint).get_size() == (5, 5)


class TestPictureStore:
    def test_a_slice_of_work_ends_but_makes_one_picture_at_least(self) -> None:
        store = PictureStore()

        def draw_three() -> int:
            for name in "abc":
                store.get(name, lambda: pygame.Surface((5, 5)))
            return len(store)

        for made in (1, 2):
            with pytest.raises(OutOfTimeError), store.slice_of_work(0.0):
                draw_three()
            assert len(store) == made, "what was made is kept"
        with store.slice_of_work(0.0):
            assert draw_three() == 3
        assert store.get("d", lambda: pygame.Surface((5, 5))), "without a slice there is no end"

    def test_slices_of_work_share_the_time_of_a_frame(self) -> None:
        store = PictureStore()
        store.begin_frame(0.0)
        for made in (1, 2):
            with pytest.raises(OutOfTimeError), store.slice_of_work(math.inf):
                for name in "abc":
                    store.get(name, lambda: pygame.Surface((5, 5)))
            assert len(store) == made, "a part of each all the same"
        store.begin_frame(math.inf)
        with store.slice_of_work(math.inf):
            store.get("c", lambda: pygame.Surface((5, 5)))

    def test_when_it_shrinks_the_ones_used_last_stay(self) -> None:
        store = PictureStore(most_bytes=400_000)
        for name in "abcdefghijklmnop":
            store.get(name, lambda: pygame.Surface((50, 50)))
        kept = store.get("a", lambda: pygame.Surface((1, 1)))
        store.shrink()
        assert 0 < store.bytes <= 25_000 and len(store) == 2
        assert store.get("a", lambda: pygame.Surface((1, 1))) is kept

    def test_what_is_kept_is_bounded(self) -> None:
        store = PictureStore(most_bytes=100_000)
        for number in range(200):
            store.get(number, lambda: pygame.Surface((50, 50), pygame.SRCALPHA))
        assert store.bytes <= 100_000
        assert 0 < len(store) < 10

    def test_the_least_recently_used_goes_first(self) -> None:
        store = PictureStore(most_bytes=25_000)
        made: list[str] = []

        def ask(name: str) -> None:
            def make() -> pygame.Surface:
                made.append(name)
                return pygame.Surface((50, 50), pygame.SRCALPHA)

            store.get(name, make)

        for name in "abacab":
            ask(name)
        assert made == ["a", "b", "c", "b"]

    def test_a_picture_larger_than_all_room_is_kept_alone(self) -> None:
        store = PictureStore(most_bytes=10)
        first = store.get("a", lambda: pygame.Surface((50, 50)))
        assert store.get("a", lambda: pygame.Surface((1, 1))) is first

    def test_another_theme_forgets(self) -> None:
        paint = Painter(theme_of("light"))
        paint.text(ground((50, 50)), "a", (0, 0))
        paint.set_theme(THEMES["dark"])
        assert len(paint.pictures) == 0


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


GREEN, BROWN, DARK = (60, 120, 90), (220, 180, 130), (120, 80, 40)
AREA = pygame.Rect(10, 12, 130, 150)


def felted(colour: tuple[int, int, int]) -> pygame.Surface:
    picture = pygame.Surface((160, 180), pygame.SRCALPHA)
    picture.fill(colour)
    return picture


def felt() -> Painting:
    return felt_painting(felted(GREEN), AREA, 4.0)


def wood(is_upright: bool = True) -> Painting:
    return wood_painting(felted(BROWN), AREA, 40.0, DARK, 0.3, is_upright=is_upright)


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
