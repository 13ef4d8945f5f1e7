"""The table while its match is not saved, or played in another window."""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pygame
import pytest

from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Match
from papan.game.match.library import replay
from papan.game.match.record import read
from papan.ui.play import import_export
from papan.ui.play.session import SAVING_SECONDS, Session
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.table import TableScene
from papan.ui.scenes.table.bars import PATIENCE
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.readouts import SavingSign, StatusLine
from tests.game.match.keeping import Keeping
from tests.ui.at_table import AtTable
from tests.ui.hands import FRAME
from tests.ui.scenes.conftest import LARGE, SMALLEST


class Kept(AtTable):
    """A window with one table whose match is kept."""

    def __init__(self, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(size)
        self.app.settings.animation = "off"
        self.library = Keeping()
        self.seconds = time.monotonic()

    def begin(self, game: str = "connect-four", others: str = "human") -> TableScene:
        seats = ["human", *[others] * (GAMES[game].seats[0] - 1)]
        match = Match.new(GAMES[game], seats, {"first": "1"}, seed=3)
        return self.show_table(Session(match, self.thinker, self.library.desk.begin(match)))

    def resume(self, library: Keeping) -> TableScene:
        """Open the match of *library* as another window does."""
        [summary] = library.unfinished()
        stored, is_taken = library.find(summary.id)
        match = replay(stored)
        return self.show_table(Session(match, self.thinker, library.desk.resume(match, stored, is_taken=is_taken)))

    def frames(self, number: int = 1) -> None:
        self.seconds += number * FRAME
        super().frames(number)

    def work(self) -> None:
        """Have written what is to be written, and look on."""
        self.library.desk.work()
        self.frames(2)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Within this another program writes to the library."""
        self.library.desk.work()
        with closing(sqlite3.connect(self.library.path)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield

    def let_time_pass(self, seconds: float) -> None:
        self.seconds += seconds
        self.frames(2)

    @property
    def status(self) -> tuple[str, str]:
        view = self.widget_as("status", StatusLine).view()
        return view.request, view.detail

    def close(self) -> None:
        self.library.close()
        super().close()


@pytest.fixture
def window(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    window = Kept()
    monkeypatch.setattr(time, "monotonic", lambda: window.seconds)
    yield window
    window.close()


class TestKeeping:
    def test_play_waits_for_a_step_to_be_in_the_file(self, window: Kept) -> None:
        """So that a kill costs the step in flight, and no more."""
        table = window.begin(others="minimax:easy")
        window.library.desk.work()
        window.click_cell(3)
        window.frames(5)
        assert table.session.is_being_saved and table.session.turn.due == "showing"
        window.work()
        assert not table.session.is_being_saved and table.session.turn.due == "thinking"

    def test_but_not_for_long_nor_where_saving_fails(self, window: Kept) -> None:
        table = window.begin(others="minimax:easy")
        window.click_cell(3)
        window.frames(math.ceil(SAVING_SECONDS / FRAME) + 2)
        assert table.session.turn.due == "thinking"
        table = window.begin(others="minimax:easy")
        with window.locked():
            window.click_cell(3)
            window.work()
            assert not table.session.is_being_saved and table.session.turn.due == "thinking"

    def test_a_person_need_not_wait(self, window: Kept) -> None:
        table = window.begin()
        window.click_cell(3)
        window.frames(2)
        assert table.session.is_being_saved and table.session.turn.due == "choosing"


class TestNotSaved:
    def test_a_sign_stays_until_it_is_saved(self, window: Kept) -> None:
        window.begin()
        with window.locked():
            window.click_cell(3)
            window.library.desk.work()
            assert not window.widget("not saved").is_visible, "at first nothing is said"
            window.let_time_pass(PATIENCE + 0.1)
            sign = window.widget_as("not saved", SavingSign)
            assert sign.is_visible and sign.tooltip == "The library can't be written: another program is using it."
            window.check_table()
            window.let_time_pass(3600)
            assert sign.is_visible and window.widget("save a copy").is_visible
        window.work()
        assert not sign.is_visible and not window.widget("save a copy").is_visible
        window.click_cell(4)
        window.work()
        window.let_time_pass(PATIENCE + 0.1)
        assert not sign.is_visible

    def test_a_copy_is_saved_by_keyboard_and_no_file_is_written_over(
        self, window: Kept, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        window.begin()
        window.click_cell(3)
        window.settle()
        window.let_time_pass(PATIENCE + 0.1)
        while window.focused() != "save a copy":
            window.press(pygame.K_TAB)
        window.press(pygame.K_RETURN)
        [first] = (home / "documents").iterdir()
        assert first.name.startswith("papan-connect-four-") and first.suffix == ".txt"
        assert str(first) in window.app.notice
        window.click_cell(4)
        window.settle()
        window.click("save a copy")
        assert len(list((home / "documents").iterdir())) == 2
        assert read(first.read_text(encoding="utf-8")).steps == [3]

        def refuse(*_: object) -> Path:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(import_export, "_write_new", refuse)
        window.click("save a copy")
        assert "No space left on device" in window.scene_as(Message).text

    @pytest.mark.parametrize("size", [SMALLEST, LARGE])
    def test_it_has_its_place_at_every_table(
        self, home: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
    ) -> None:
        with closing(Kept(size)) as window:
            monkeypatch.setattr(time, "monotonic", lambda: window.seconds)
            for game in GALLERY:
                table = window.begin(game, "minimax:easy")
                table.match.play(table.match.legal_steps()[0])
                table.session.changed(table.match)
                window.let_time_pass(PATIENCE + 0.1)
                assert window.widget("not saved").is_visible
                assert window.widget("save a copy").is_visible is table.match.is_open, "hidden cards stay at the table"
                window.check_table()


class TestPlayedInAnotherWindow:
    @pytest.fixture
    def there(self, window: Kept) -> Iterator[Keeping]:
        """The library as another program has it, while a match is played in the window."""
        window.begin()
        window.click_cell(3)
        window.settle()
        window.library.desk.work()
        library = Keeping()
        yield library
        library.close()

    def work(self, window: Kept, there: Keeping) -> None:
        """Have both programs write and read."""
        window.library.desk.work()
        there.desk.work()
        window.frames(2)

    def test_it_is_watched_and_followed(self, window: Kept, there: Keeping) -> None:
        playing = window.table.session
        table = window.resume(there)
        assert window.status[0] == "Played in another window"
        window.click_cell(5)
        window.press(pygame.K_z, pygame.KMOD_LCTRL)
        window.press(pygame.K_p, pygame.KMOD_LCTRL)
        assert list(table.match.steps) == [3] and not window.widget("undo").is_enabled
        playing.point(4)
        self.work(window, there)
        assert list(table.match.steps) == [3, 4] and table.picture().last == (
            table.match.rules.cells(table.match.states[1], 4)
        )
        window.check_table()

    def test_play_here_and_what_the_other_window_says_then(self, window: Kept, there: Keeping) -> None:
        first = window.table
        table = window.resume(there)
        assert window.widget_as("main", Button).label == "Play here"
        window.click("main")
        there.desk.work()
        window.frames(2)
        window.click_cell(6)
        there.desk.work()
        assert list(table.match.steps) == [3, 6]
        first.session.point(0)
        window.library.desk.work()
        window.app.pop(table)
        window.frames(2)
        assert window.app.scene is first and list(first.match.steps) == [3, 6]
        assert window.status[1] == "1 move played here was not saved and does not count."

    def test_one_that_was_left_and_is_gone(self, window: Kept, there: Keeping) -> None:
        playing = window.table.session
        table = window.resume(there)
        playing.close()
        self.work(window, there)
        assert window.status[0] == "The other window has left this match"
        [summary] = window.library.unfinished()
        window.library.desk.drop(summary.id)
        self.work(window, there)
        assert "not in the library any more" in window.status[1]
        window.click("main")
        self.work(window, there)
        assert table.session.turn.due == "choosing"
        [again] = there.unfinished()
        assert there.load(again.id).steps == [3]
