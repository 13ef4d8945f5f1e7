"""Rows are saved of damaged files one by one, and damage takes only those that it hit."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from papan.game.base.database import insert_rows, open_database, rows_of
from papan.game.base.sqlite import Migration, in_memory

SCHEMA = (
    (
        "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL, cover BLOB, year INTEGER)",
        """CREATE TABLE pages (
            text TEXT NOT NULL, number INTEGER NOT NULL, book INTEGER NOT NULL REFERENCES books,
            PRIMARY KEY (book, number)
        ) WITHOUT ROWID""",
        "CREATE TABLE words (word TEXT PRIMARY KEY, count INTEGER NOT NULL DEFAULT 1)",
        "CREATE INDEX by_title ON books (title)",
    ),
)
Contents = dict[str, set[tuple[object, ...]]]


@pytest.fixture
def file(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made, tmp_path))


@pytest.fixture(scope="module", params=[512, 4096, 65536])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of several levels of pages, with rows larger than a page."""
    path = tmp_path_factory.mktemp("books") / "books.sqlite3"
    random = Random(5)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {request.param}")
    connection.execute("BEGIN")
    for statement in SCHEMA[0]:
        connection.execute(statement)
    for book in range(-3, 60):
        cover = random.choice([None, b"", random.randbytes(random.choice([7, 700, 7000]))])
        year = random.choice([None, 0, 1, -5, 300, 70_000, 9_000_000, 2**33, 2**50, -(2**63)])
        title = f"Búkur {book}" * random.choice([1, 40, 900])
        connection.execute(
            "INSERT INTO books VALUES (?, ?, ?, ?, ?)", (book, title, random.choice([None, 2.0, 0.5]), cover, year)
        )
        pages = [("x" * random.choice([3, 30, 300, 3000]), number, book) for number in range(random.randint(0, 30))]
        connection.executemany("INSERT INTO pages VALUES (?, ?, ?)", pages)
        connection.execute("INSERT INTO words (word) VALUES (?)", (f"word {book}",))
    connection.execute("COMMIT")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    return path


def contents(connection: sqlite3.Connection) -> Contents:
    return {table: set(connection.execute(f"SELECT * FROM {table}")) for table in ("books", "pages", "words")}


def contents_of(file: Path) -> Contents:
    with closing(sqlite3.connect(file)) as connection:
        return contents(connection)


def salvaged(file: Path, schema: tuple[Migration, ...] = SCHEMA) -> Contents:
    with closing(in_memory(schema)) as connection:
        insert_rows(connection, [rows_of(file)])
        return contents(connection)


class TestReading:
    def test_all_of_a_sound_file_or_one_without_its_first_bytes_or_with_spoilt_words(self, file: Path) -> None:
        before, content = contents_of(file), file.read_bytes()
        assert salvaged(file) == before
        assert content.count(b"tablepages") == 1
        for spoilt in (b"\xa5" * 16 + content[16:], content.replace(b"tablepages", b"cableSages")):
            file.write_bytes(spoilt)
            assert salvaged(file) == before

    def test_all_without_the_schema(self, tmp_path: Path) -> None:
        path = tmp_path / "words.sqlite3"
        with closing(open_database(path, SCHEMA).connection) as connection:
            connection.executemany("INSERT INTO words VALUES (?, ?)", [(f"word {i}", i) for i in range(900)])
            before = contents(connection)
        path.write_bytes(bytes(4096) + path.read_bytes()[4096:])
        assert salvaged(path) == before

    def test_deleted_rows_do_not_come_back(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("DELETE FROM pages WHERE book > 5")
            connection.execute("DELETE FROM books WHERE id > 5")
            connection.commit()
        assert salvaged(file) == contents_of(file)

    @pytest.mark.parametrize("seed", range(5))
    def test_nothing_is_made_up(self, file: Path, seed: int) -> None:
        """Pages filled with zeros lose rows; what is there still is right."""
        before = contents_of(file)
        random = Random(seed)
        content = bytearray(file.read_bytes())
        size = int.from_bytes(content[16:18], "big")
        size = 65536 if size == 1 else size
        pages = len(content) // size
        for page in random.sample(range(1, pages), max(1, pages // 20)):
            content[page * size : (page + 1) * size] = bytes(size)
        file.write_bytes(content)
        after = salvaged(file)
        for table, rows in after.items():
            assert rows <= before[table], table
        assert sum(map(len, after.values())) > 0.3 * sum(map(len, before.values()))

    def test_text_that_is_no_text_loses_only_its_row(self, file: Path) -> None:
        before = contents_of(file)
        content = file.read_bytes()
        assert content.count(b"word 17") == 2, "in the table and in its index"
        file.write_bytes(content.replace(b"word 17", b"word \xff7"))
        after = salvaged(file)
        assert before["words"] - after["words"] == {("word 17", 1)}
        assert (before["books"], before["pages"]) == (after["books"], after["pages"])

    def test_a_row_without_the_one_it_refers_to_is_an_orphan(self, file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection:
            pages = connection.execute("SELECT count(*) FROM pages WHERE book = 7").fetchone()[0]
            connection.execute("DELETE FROM books WHERE id = 7")
            connection.commit()
        with closing(in_memory(SCHEMA)) as connection:
            _count, orphans = insert_rows(connection, [rows_of(file)])
        assert len(orphans["pages"]) == pages > 0
        assert {book for book, *_ in orphans["pages"]} == {7}

    def test_the_first_source_is_trusted_most(self, tmp_path: Path) -> None:
        sources = []
        for value in (1, 2):
            path = tmp_path / f"{value}.sqlite3"
            with closing(open_database(path, SCHEMA).connection) as connection:
                connection.executemany("INSERT INTO words VALUES (?, ?)", [("both", value), (f"only {value}", value)])
            sources.append(rows_of(path))
        with closing(in_memory(SCHEMA)) as connection:
            insert_rows(connection, sources)
            assert contents(connection)["words"] == {("both", 1), ("only 1", 1), ("only 2", 2)}

    def test_columns_that_came_later_have_their_defaults(self, tmp_path: Path) -> None:
        path = tmp_path / "words.sqlite3"
        with closing(open_database(path, (("CREATE TABLE words (word TEXT PRIMARY KEY)",),)).connection) as connection:
            connection.execute("INSERT INTO words VALUES ('old')")
        assert salvaged(path)["words"] == {("old", 1)}
