"""One writer for each match: a second window watches it, follows it, and may take it over."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from papan.game.match import Conclusion
from papan.game.match.library import FILE_NAME, SavedMatch, replay
from papan.game.match.library.writer import HEARTBEAT_SECONDS, WATCHING_SECONDS
from tests.game.match.keeping import Keeping, connect_four


class Window:
    """A program with one match of a library; what it keeps is written at once."""

    def __init__(self, path: Path) -> None:
        self.library = Keeping(path)
        self.kept: SavedMatch

    def begin(self) -> None:
        self.kept = self.library.desk.begin(connect_four())
        self.kept.open()
        self.work()

    def resume(self) -> None:
        [summary] = self.library.unfinished()
        stored, is_taken = self.library.find(summary.id)
        match = replay(stored)
        self.kept = self.library.desk.resume(match, stored, is_taken=is_taken)
        self.kept.open()
        self.work()

    def play(self, *columns: int) -> None:
        for column in columns:
            self.kept.match.play(column)
            self.kept.keep()
        self.work()

    def work(self) -> float | None:
        return self.library.desk.work()

    @property
    def steps(self) -> list[int]:
        return list(self.kept.match.steps)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Window]:
    window = Window(tmp_path / FILE_NAME)
    window.begin()
    window.play(3, 4)
    yield window
    window.library.close()


@pytest.fixture
def there(here: Window) -> Iterator[Window]:
    """A second window, which has opened the match that is played in the first."""
    window = Window(here.library.path)
    window.resume()
    yield window
    window.library.close()


class TestWatching:
    def test_the_second_window_follows_what_is_played_and_taken_back(self, here: Window, there: Window) -> None:
        assert (here.kept.role, there.kept.role) == ("playing", "watching")
        assert there.kept.standing.is_elsewhere and there.steps == [3, 4]
        assert (here.work(), there.work()) == (HEARTBEAT_SECONDS, WATCHING_SECONDS), "who watches looks oftener"
        here.play(2)
        here.kept.match.undo()
        here.kept.match.undo()
        here.kept.keep()
        here.work()
        there.work()
        assert there.kept.follow() is not None
        assert there.steps == [3] and list(there.kept.match.all_steps) == [3, 4, 2]
        there.work()
        assert there.kept.follow() is None, "there is nothing new"

    @pytest.mark.parametrize("columns", [(), (2,)])
    def test_a_resignation_is_followed_and_so_is_playing_on(
        self, here: Window, there: Window, columns: tuple[int, ...]
    ) -> None:
        here.kept.match.conclude(Conclusion("resigned", 1))
        here.kept.keep()
        here.work()
        there.work()
        there.kept.follow()
        assert there.kept.match.ending == here.kept.match.ending is not None
        here.kept.match.reopen()
        here.kept.keep()
        here.play(*columns)
        there.work()
        there.kept.follow()
        assert there.kept.match.ending is None and there.steps == [3, 4, *columns]

    def test_what_was_played_while_its_file_was_closed_is_followed(self, here: Window, there: Window) -> None:
        there.library.desk.shut()
        here.play(2)
        there.work()
        assert there.kept.follow() is not None and there.steps == [3, 4, 2]

    @pytest.mark.parametrize("wants_to_play", [False, True])
    def test_a_row_that_makes_no_sense_is_told_until_it_is_mended(
        self, here: Window, there: Window, wants_to_play: bool
    ) -> None:
        for played, trouble in (("x", "The match can't be read: its played is not a number from 0 to 2."), (2, "")):
            with closing(sqlite3.connect(here.library.path)) as other, other:
                other.execute("UPDATE matches SET played = ?", (played,))
            if wants_to_play:
                there.kept.take_over()
            there.work()
            assert there.kept.standing.trouble == trouble and there.library.desk.is_idle
        assert there.kept.role == ("playing" if wants_to_play else "watching")

    def test_it_sees_that_the_first_has_left(self, here: Window, there: Window) -> None:
        here.kept.close()
        here.work()
        there.work()
        assert not there.kept.standing.is_elsewhere

    def test_a_match_that_is_dropped_meanwhile_is_said_to_be_gone(self, here: Window, there: Window) -> None:
        here.kept.close()
        here.work()
        [summary] = here.library.unfinished()
        here.library.drop(summary.id)
        there.work()
        assert "not in the library any more" in there.kept.standing.trouble

    def test_what_it_would_keep_is_not_written_and_once_it_leaves_it_watches_no_more(
        self, here: Window, there: Window
    ) -> None:
        there.play(6)
        assert list(here.library.load(1).steps) == [3, 4]
        there.kept.close()
        assert there.work() == HEARTBEAT_SECONDS
        assert here.work() is not None and list(here.library.load(1).steps) == [3, 4]


class TestTakingOver:
    def test_it_is_one_revision(self, here: Window, there: Window) -> None:
        before = here.library.find(1).stored.revision
        there.kept.take_over()
        assert not there.library.desk.is_idle
        for _ in range(2):
            there.work()
        assert there.library.desk.is_idle
        stored = here.library.find(1).stored
        assert (stored.writer, stored.revision) == (there.library.desk.name, before + 1)

    def test_steps_that_were_not_saved_are_counted(self, here: Window, there: Window) -> None:
        there.kept.take_over()
        there.work()
        here.kept.match.play(0)
        here.kept.match.play(1)
        here.kept.keep()
        here.work()
        here.kept.follow()
        assert here.kept.standing.unsaved == 2 and here.steps == [3, 4]

    def test_a_window_that_does_nothing_notices_by_its_heartbeat(
        self, here: Window, there: Window, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        there.kept.take_over()
        there.work()
        monkeypatch.setattr("papan.game.match.library.writer.HEARTBEAT_SECONDS", 0.0)
        here.work()
        here.kept.follow()
        assert here.kept.role == "watching" and here.kept.standing.unsaved == 0

    def test_one_that_is_opened_and_left_is_free_again(self, here: Window) -> None:
        here.kept.close()
        here.work()
        window = Window(here.library.path)
        window.resume()
        assert window.kept.role == "playing" and here.library.find(1).is_taken
        window.kept.close()
        window.work()
        assert not here.library.find(1).is_taken and here.library.find(1).stored.writer is None
        window.library.close()

    def test_it_can_be_taken_back(self, here: Window, there: Window) -> None:
        for taking, losing in ((there, here), (here, there), (there, here)):
            taking.kept.take_over()
            taking.work()
            taking.kept.follow()
            losing.kept.keep()
            losing.work()
            losing.kept.follow()
            assert (taking.kept.role, losing.kept.role) == ("playing", "watching")
        there.play(6)
        assert list(here.library.load(1).steps) == [3, 4, 6]
        here.library.drop(1)
        assert [summary.id for summary in there.library.unfinished()] == [1], "who only watches drops nothing"
        here.work()
        here.kept.follow()
        assert here.kept.role == "watching" and here.steps == [3, 4, 6]

    def test_a_match_that_is_gone_begins_anew(self, here: Window, there: Window) -> None:
        here.kept.close()
        here.work()
        here.library.drop(1)
        there.kept.take_over()
        there.work()
        assert there.kept.role == "playing"
        [summary] = there.library.unfinished()
        assert summary.id != 1 and list(there.library.load(summary.id).steps) == [3, 4]


class TestDropping:
    def test_one_that_is_dropped_while_it_is_played_is_stored_again(self, here: Window, tmp_path: Path) -> None:
        here.library.drop(1)
        here.play(5)
        [summary] = here.library.unfinished()
        assert list(here.library.load(summary.id).steps) == [3, 4, 5]
