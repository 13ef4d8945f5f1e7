"""The styles of boards: which one is shown, and that they look different."""

from __future__ import annotations

from functools import cache
from itertools import chain

import pytest

from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.ui.boards import BoardView, Picture, board_of, styles_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import BACKGROUNDS, PLAIN, THEMES, contrast, theme_of
from tests.ui.boards.drawing import AREA, drawn, frozen

STYLED = ("othello", "connect-four", "checkers", "gomoku", "xiangqi")
EVERY_STYLED = pytest.mark.parametrize("game", [GALLERY[name] for name in STYLED], ids=lambda game: game.name)


def board(game: Game, chosen: str, theme: str = "light") -> BoardView:
    paint = Painter(theme_of(theme))
    paint.board_styles = {game.name: chosen}
    view = board_of(game, paint)
    view.layout(AREA)
    return view


@cache
def look(game: str, chosen: str, theme: str = "light") -> bytes:
    view = board(GALLERY[game], chosen, theme)
    return frozen(drawn(view, Picture(view.sample())))


class TestChoice:
    @EVERY_STYLED
    def test_there_are_three_of_each_aspect_under_different_names(self, game: Game) -> None:
        styles = styles_of(game)
        assert {aspect: len(choices) for aspect, choices in styles.items()} == {"board": 3, "pieces": 3}
        names = list(chain(*styles.values()))
        assert len(set(names)) == len(names) and not any(" " in name for name in names)

    @pytest.mark.parametrize(
        ("chosen", "shown"),
        [
            ("", {"board": "wood", "pieces": "characters"}),
            ("pictures", {"board": "wood", "pieces": "pictures"}),  # saved before boards had styles
            ("flat slate", {"board": "slate", "pieces": "flat"}),
            ("marble hieroglyphs", {"board": "wood", "pieces": "characters"}),
        ],
    )
    def test_the_one_that_was_chosen_is_shown(self, chosen: str, shown: dict[str, str]) -> None:
        assert board(GALLERY["xiangqi"], chosen).style == shown

    def test_other_boards_have_none(self) -> None:
        assert [name for name in GALLERY if styles_of(GALLERY[name])] == sorted(STYLED, key=list(GALLERY).index)


class TestLooks:
    @pytest.mark.parametrize("theme", ["light", "dark"])
    @EVERY_STYLED
    def test_each_looks_different(self, game: Game, theme: str) -> None:
        looks = [look(game.name, name, theme) for choices in styles_of(game).values() for name in choices]
        assert len(set(looks)) == len(looks) - 1, "the two defaults are one look"

    @EVERY_STYLED
    def test_high_contrast_keeps_its_boards(self, game: Game) -> None:
        assert len({look(game.name, name, "contrast") for name in styles_of(game)["board"]}) == 1

    @EVERY_STYLED
    def test_a_style_takes_effect_between_two_frames(self, game: Game) -> None:
        """Pictures of two styles don't mix in one cache."""
        view, styles = board(game, ""), styles_of(game)
        looks = []
        for name in styles["pieces"]:
            view.style = {**view.style, "pieces": name}
            looks.append(frozen(drawn(view, Picture(view.sample()))))
        assert looks == [look(game.name, name) for name in styles["pieces"]]


@pytest.mark.parametrize("background", [PLAIN, *BACKGROUNDS])
@pytest.mark.parametrize("name", THEMES)
def test_texts_can_be_read_on_each_background(name: str, background: str) -> None:
    theme = theme_of(name, background=background)
    inks = [theme.ink, theme.second, theme.accent, theme.good_ink, theme.bad_ink, *(one.ink for one in theme.seats)]
    assert min(contrast(ink, theme.background) for ink in inks) >= min(
        4.5, *(contrast(ink, theme_of(name).background) for ink in inks)
    )
