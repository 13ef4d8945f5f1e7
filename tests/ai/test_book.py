"""The files of opening books."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.ai.book import Book, BookError

SCORES = {5: 1, 1 << 48: -18, 1000: 0, 70_000: 7}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "books" / "a.book"
    Book.of(SCORES).write(path, "connect-four")
    return path


class TestBook:
    def test_knows_its_positions_and_no_others(self) -> None:
        book = Book.of(SCORES)
        assert {key: book.get(key) for key in SCORES} == SCORES
        assert [book.get(key) for key in (0, 6, 999, 1 << 50)] == [None] * 4
        assert len(book) == 4

    def test_an_empty_one_knows_none(self) -> None:
        assert Book().get(5) is None and len(Book()) == 0


class TestFile:
    @settings(max_examples=30)
    @given(st.dictionaries(st.integers(0, (1 << 62) - 1), st.integers(-128, 127)))
    def test_gives_back_what_was_written(self, scores: dict[int, int]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.book"
            Book.of(scores).write(path, "othello")
            assert Book.read(path, "othello").as_dict() == scores

    def test_leaves_nothing_else_behind(self, file: Path) -> None:
        assert list(file.parent.iterdir()) == [file]

    @pytest.mark.parametrize("place", [0, 7, 31, 34, 45, -1])
    def test_with_a_wrong_byte_is_refused(self, file: Path, place: int) -> None:
        content = bytearray(file.read_bytes())
        content[place] ^= 0x55
        file.write_bytes(content)
        with pytest.raises(BookError, match=r"book.*\.$"):
            Book.read(file, "connect-four")

    def test_cut_short_is_refused(self, file: Path) -> None:
        content = file.read_bytes()
        for length in (0, 10, 40, len(content) - 1):
            file.write_bytes(content[:length])
            with pytest.raises(BookError):
                Book.read(file, "connect-four")

    def test_of_another_game_is_refused(self, file: Path) -> None:
        with pytest.raises(BookError, match="connect-four, not othello"):
            Book.read(file, "othello")
