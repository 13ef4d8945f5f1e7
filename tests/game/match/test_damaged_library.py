"""What becomes of the matches of a damaged library."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from papan.game.base.sqlite import make_daily_copy
from papan.game.match.library import Library
from tests.game.match.keeping import Keeping, connect_four


@pytest.fixture
def path(path: Path) -> Path:
    """A library with three matches: one goes on, one is over, one has a step taken back."""
    library = Keeping(path)
    matches = [connect_four("4455"), connect_four("1212121"), connect_four("123")]
    matches[2].undo()
    for match in matches:
        library.begin(match)
    library.close()
    return path


@pytest.fixture
def damaged(path: Path) -> Iterator[Callable[..., Keeping]]:
    """Opens the library after some *statements* and with a header that nobody can read."""
    with ExitStack() as stack:

        def opened(*statements: str) -> Keeping:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                for statement in statements:
                    connection.execute(statement)
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            path.write_bytes(b"spoilt" + path.read_bytes()[6:])
            return stack.enter_context(closing(Keeping(path)))

        yield opened


def told(library: Library) -> str:
    """The part of the notice that says what was saved."""
    assert library.notice is not None
    return library.notice.partition("a new one was started. ")[2]


def test_all_are_saved(damaged: Callable[..., Keeping]) -> None:
    library = damaged()
    assert told(library) == "3 matches were recovered."
    assert [len(library.load(number).steps) for number in (1, 2, 3)] == [4, 7, 2]
    assert not library.load(3).can_redo, "steps that were taken back are forgotten"
    assert [summary.id for summary in library.recent(9)] == [2]
    assert library.begin(connect_four("")) == 4, "numbers go on"


def test_a_match_ends_before_the_first_step_that_is_lost(damaged: Callable[..., Keeping]) -> None:
    library = damaged("DELETE FROM steps WHERE match = 2 AND number = 3")
    assert told(library) == "3 matches were recovered, 1 of them only in part."
    match = library.load(2)
    assert list(match.all_steps) == [0, 1, 0]
    assert 2 in [summary.id for summary in library.unfinished()], "it was over, and is not any more"
    match.play(1)
    library.save(2, match)
    assert list(library.load(2).steps) == [0, 1, 0, 1]


def test_one_of_a_copy_is_not_lost(damaged: Callable[..., Keeping], path: Path) -> None:
    make_daily_copy(path)
    library = damaged(WITHOUT_KEYS, "DELETE FROM matches WHERE id = 2")
    assert told(library) == "3 matches were recovered."
    assert len(library.load(2).steps) == 7


WITHOUT_KEYS = "PRAGMA foreign_keys = OFF"


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ((WITHOUT_KEYS, "DELETE FROM matches WHERE id = 2"), "2 matches were recovered, 1 match was lost."),
        (("UPDATE matches SET tags = '[]' WHERE id = 2",), "2 matches were recovered, 1 match was lost."),
        (("DELETE FROM steps WHERE match = 2",), "2 matches were recovered, 1 match was lost."),
        (("DELETE FROM steps WHERE match > 1", "DELETE FROM matches WHERE id > 1"), "1 match was recovered."),
    ],
)
def test_what_is_lost_is_told(damaged: Callable[..., Keeping], statements: tuple[str, ...], words: str) -> None:
    assert told(damaged(*statements)) == words


def test_none(path: Path) -> None:
    path.write_bytes(b"noise" * 1000)
    library = Library(path)
    assert told(library) == "No match could be recovered."
    library.close()


@pytest.mark.parametrize("column", ["tags", "seats", "payoffs", "updated"])
def test_a_row_that_makes_no_sense_gives_way_to_its_copy(
    damaged: Callable[..., Keeping], path: Path, column: str
) -> None:
    make_daily_copy(path)
    library = damaged(f"UPDATE matches SET {column} = 'no' || {column} WHERE id = 2")
    assert told(library) == "3 matches were recovered."
    assert len(library.load(2).steps) == 7
    assert library.recent(9)[0].ending is not None
