"""The home screen's pictures of games: the next start shows those that were saved, from the first frame on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

import papan.ui.scenes.home.scene as home_module
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.ui.drawing.picture_cache import SUFFIX, PictureCache
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.services import Services
from papan.ui.widgets import cards as cards_module
from papan.ui.widgets.cards import GameCard
from tests.ui.hands import Hands

SHOWN = ("connect-four", "othello", "xiangqi")


class Starts:
    """Starts of the program, one after another, in a home of their own."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "cache" / "pictures"
        self.hands: Hands | None = None

    def start(self, *, are_drawable: bool = True, size: tuple[int, int] = (1280, 800), theme: str = "light") -> None:
        """Start anew and show the first frame of the home screen."""
        self.end()
        self.hands = Hands(size)
        self.hands.app.settings.theme = theme
        self.hands.app.apply_settings()
        cache = PictureCache(self.folder)
        services = Services(
            picture_cache=cache,
            pictures_drawn=lambda: cache.save(lambda job: job()),
            is_drawable=lambda game: are_drawable,
        )
        self.hands.app.push(HomeScene(self.hands.app, services))
        self.hands.frames()

    def end(self) -> None:
        if self.hands is not None:
            self.hands.app.close()
            self.hands = None

    def draw_all(self) -> None:
        assert self.hands is not None and self.hands.app.scene is not None
        scene = self.hands.app.scene
        self.hands.until(lambda: not scene.is_animating, "the pictures")
        self.hands.frames()

    @property
    def frame(self) -> bytes:
        assert self.hands is not None
        return pygame.image.tobytes(self.hands.app.surface, "RGB")

    @property
    def ready(self) -> list[str]:
        """The games whose cards have pictures."""
        assert self.hands is not None and self.hands.app.scene is not None
        cards = [card for card in self.hands.app.scene.widgets.all if isinstance(card, GameCard)]
        return [card.game.name for card in cards if card.is_ready]

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.glob(f"*{SUFFIX}"))


@pytest.fixture
def starts(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Starts]:
    monkeypatch.setattr(home_module, "GALLERY", {name: GAMES[name] for name in SHOWN})
    starts = Starts(home)
    yield starts
    starts.end()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games whose boards were drawn for a picture."""
    found: list[str] = []
    draw: Callable[..., pygame.Surface] = cards_module.board_picture

    def noting(paint, game, *facts, **look):  # type: ignore[no-untyped-def]
        picture = draw(paint, game, *facts, **look)
        found.append(game.name)  # after the last time slice
        return picture

    monkeypatch.setattr(cards_module, "board_picture", noting)
    return found


class TestNextStart:
    def test_shows_them_from_the_first_frame_on_pixel_by_pixel(self, starts: Starts, drawn: list[str]) -> None:
        starts.start()
        assert starts.ready == []
        starts.draw_all()
        shown = starts.frame
        assert sorted(drawn) == sorted([*SHOWN, "connect-four"]), "a card each, and the panel to play"
        drawn.clear()
        starts.start()
        assert starts.ready == list(SHOWN)
        starts.draw_all()
        assert starts.frame == shown and not drawn

    def test_waits_for_no_game_to_be_loaded(self, starts: Starts, drawn: list[str]) -> None:
        starts.start()
        starts.draw_all()
        drawn.clear()
        starts.start(are_drawable=False)
        assert starts.ready == list(SHOWN) and not drawn

    @pytest.mark.parametrize("look", [{"theme": "dark"}, {"size": (1280, 860)}], ids=["another theme", "another size"])
    def test_with_another_look_draws_them(self, starts: Starts, drawn: list[str], look: dict[str, object]) -> None:
        starts.start()
        starts.draw_all()
        before = len(starts.files)
        drawn.clear()
        starts.start(**look)  # type: ignore[arg-type]
        assert starts.ready == []
        starts.draw_all()
        assert set(drawn) == set(SHOWN) and len(starts.files) == 2 * before

    def test_draws_a_damaged_one_anew(self, starts: Starts, drawn: list[str], caplog: pytest.LogCaptureFixture) -> None:
        starts.start()
        starts.draw_all()
        shown, contents = starts.frame, [file.read_bytes() for file in starts.files]
        starts.files[0].write_bytes(b"damaged")
        drawn.clear()
        with caplog.at_level(logging.WARNING):
            starts.start()
            starts.draw_all()
        assert len(drawn) == 1 and len([text for text in caplog.messages if "can't be read" in text]) == 1
        assert starts.frame == shown and [file.read_bytes() for file in starts.files] == contents

    def test_draws_them_all_where_none_can_be_saved(
        self, starts: Starts, drawn: list[str], caplog: pytest.LogCaptureFixture
    ) -> None:
        starts.folder.parent.write_text("a file where the folder would be")
        with caplog.at_level(logging.INFO):
            starts.start()
            starts.draw_all()
        shown = starts.frame
        assert len([text for text in caplog.messages if "can't be saved" in text]) == 1
        starts.start()
        starts.draw_all()
        assert starts.frame == shown and len(drawn) == 2 * (len(SHOWN) + 1)


class TestSaving:
    def test_is_done_once(self, starts: Starts) -> None:
        starts.start()
        assert starts.files == []
        starts.draw_all()
        assert len(starts.files) == len(SHOWN) + 1
        times = [file.stat().st_mtime_ns for file in starts.files]
        starts.start()
        starts.draw_all()
        assert [file.stat().st_mtime_ns for file in starts.files] == times

    def test_excepts_a_board_that_cannot_be_drawn(self, starts: Starts, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise ZeroDivisionError("a mistake")

        monkeypatch.setattr("papan.ui.boards.othello.Board.draw", fail)
        starts.start()
        starts.draw_all()
        assert len(starts.files) == len(SHOWN)
        monkeypatch.undo()

    def test_excepts_pictures_drawn_while_a_file_of_the_program_is_damaged(
        self, starts: Starts, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ASSETS, "_damaged", {"fonts/Inter-Bold.otf": None})
        starts.start()
        starts.draw_all()
        assert starts.files == []

    def test_excepts_plugins(self, starts: Starts, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cards_module, "BUILT_IN", {"othello": GAMES["othello"]})
        starts.start()
        starts.draw_all()
        assert len(starts.files) == 1
