"""Sums of the library: what was played, counted as it is, and what makes no sense left out."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from papan.game.match.library import LibraryError
from papan.game.match.library.reader import Sums, read_sums
from papan.game.match.library.schema import open_library

DUEL, MIRRORED = ("human", "minimax:easy"), ("minimax:easy", "human")


class Shelf:
    """A library whose rows are written as they are told."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.connection = open_library(path).connection

    def add(self, game: str, seats: object, payoffs: object, updated: str = "2026-03-04T12:00:00+00:00") -> None:
        words = (
            "INSERT INTO matches (tags, game, seats, played, round, payoffs, updated) VALUES ('{}', ?, ?, 0, 0, ?, ?)"
        )
        seats, payoffs = (each if isinstance(each, str | None) else json.dumps(each) for each in (seats, payoffs))
        self.connection.execute(words, (game, seats, payoffs, updated))

    def sums(self) -> Sums:
        return read_sums(self.path, "human")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "library.sqlite3")
    yield shelf
    shelf.connection.close()


class TestSums:
    def test_equal_results_are_counted_together(self, shelf: Shelf) -> None:
        for payoffs in ([1.0, -1.0], [1.0, -1.0], [0.0, 0.0]):
            shelf.add("othello", DUEL, payoffs)
        shelf.add("othello", MIRRORED, [1.0, -1.0])
        counted = {(result.seats, result.ending.payoffs): result.number for result in shelf.sums().results}
        assert counted == {(DUEL, (1.0, -1.0)): 2, (DUEL, (0.0, 0.0)): 1, (MIRRORED, (1.0, -1.0)): 1}

    def test_what_goes_on_or_had_no_person_is_left_out(self, shelf: Shelf) -> None:
        shelf.add("othello", DUEL, None)
        shelf.add("othello", ["minimax:easy", "random"], [1.0, -1.0])
        shelf.add("othello", ["engine:humanoid", "random"], [1.0, -1.0])
        assert shelf.sums() == Sums([], [], shelf.sums().order) and not len(shelf.sums().order)

    @pytest.mark.parametrize("column", ["is_line", "deleted"])
    def test_so_is_what_was_deleted_or_given_up_for_another_turn(self, shelf: Shelf, column: str) -> None:
        shelf.add("othello", DUEL, [1.0, -1.0])
        shelf.connection.execute(f"UPDATE matches SET {column} = 1")
        assert not shelf.sums().results

    def test_the_order_is_that_of_time(self, shelf: Shelf) -> None:
        for day, payoffs in ((3, [1.0, -1.0]), (1, [-1.0, 1.0]), (2, [0.0, 0.0]), (4, [-1.0, 1.0])):
            shelf.add("othello", DUEL, payoffs, f"2026-03-0{day}T12:00:00+00:00")
        sums = shelf.sums()
        assert [sums.results[place].ending.payoffs[0] for place in sums.order] == [-1.0, 0.0, 1.0, -1.0]

    def test_weeks_begin_on_monday(self, shelf: Shelf) -> None:
        for day in ("2026-03-01", "2026-03-02", "2026-03-05", "2026-03-08", "2026-03-09"):  # Sunday, Monday …
            shelf.add("othello", DUEL, [1.0, -1.0], f"{day}T12:00:00+00:00")
        found = [(week.monday, week.number) for week in shelf.sums().weeks]
        assert found == [
            (datetime.date(2026, 2, 23), 1),
            (datetime.date(2026, 3, 2), 3),
            (datetime.date(2026, 3, 9), 1),
        ]

    def test_rows_that_make_no_sense_are_left_out(self, shelf: Shelf) -> None:
        shelf.add("othello", DUEL, [1.0, -1.0])
        shelf.add("othello", '["human", 3]', [1.0, -1.0])
        shelf.add("othello", '["human"', [1.0])
        shelf.add("othello", DUEL, "[1.0]")
        shelf.add("othello", DUEL, "[NaN, 1.0]")
        shelf.add("othello", DUEL, "not JSON")
        shelf.add("othello", MIRRORED, [1.0, -1.0], "one day")
        sums = shelf.sums()
        assert [(result.seats, result.number) for result in sums.results] == [(DUEL, 1)]
        assert list(sums.order) == [0]

    def test_there_is_nothing_without_a_file(self, tmp_path: Path) -> None:
        assert read_sums(tmp_path / "none.sqlite3", "human") == Sums()
        assert not (tmp_path / "none.sqlite3").exists()

    def test_a_file_that_is_none_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "library.sqlite3"
        path.write_bytes(b"no database at all" * 100)
        with pytest.raises(LibraryError, match=r"The library can't be read: it is damaged\."):
            read_sums(path, "human")
        assert path.read_bytes().startswith(b"no database")

    def test_others_go_on_writing(self, shelf: Shelf) -> None:
        shelf.add("othello", DUEL, [1.0, -1.0])
        with closing(sqlite3.connect(shelf.path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            assert [result.number for result in shelf.sums().results] == [1]
            other.execute("ROLLBACK")
