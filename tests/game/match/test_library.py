"""The library: what is saved comes back, whatever happened to the program in between, and is counted right."""

from __future__ import annotations

import datetime
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dev.trials.injection import MOMENTS, Fault, Faults, Moment
from papan.game import catalogue
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Library, LibraryError, WriteQueue
from papan.game.match.library.reader import Sums, read_sums
from papan.game.match.library.schema import open_library
from papan.game.match.record import write_tags
from papan.game.rules import CHANCE, Ending
from tests.game.kernel import letters
from tests.game.match.keeping import CONNECT_FOUR, Keeping, assert_same, connect_four

ROOT = Path(__file__).resolve().parents[3]


class TestSavingAndLoading:
    def test_each_step_is_there_for_another_program(self, library: Keeping, path: Path) -> None:
        match = connect_four()
        match_id = library.begin(match)
        with closing(Library(path)) as other:
            assert_same(other.load(match_id), match)
            for step in (3, 3, 4):
                match.play(step)
                library.save(match_id, match)
                assert_same(other.load(match_id), match)

    def test_a_match_begun_with_undone_steps(self, library: Keeping) -> None:
        match = connect_four("4455")
        for _ in range(3):
            match.undo()
        assert_same(library.load(library.begin(match)), match)

    def test_a_match_from_a_position_with_tags_of_its_own(self, library: Keeping) -> None:
        match = Match.new(CONNECT_FOUR, ["ä", 'the "other"'], seed=1, position="4455")
        match.tags = {"Event": "Club evening"}
        assert_same(library.load(library.begin(match)), match)

    def test_two_matches_at_once(self, library: Keeping) -> None:
        one, other = connect_four("1"), connect_four("2")
        numbers = library.begin(one), library.begin(other)
        for match, number in zip((one, other), numbers, strict=True):
            match.play(5)
            library.save(number, match)
        assert_same(library.load(numbers[0]), one)
        assert_same(library.load(numbers[1]), other)

    def test_in_the_user_s_folder_unless_told_otherwise(self, home: Path) -> None:
        library = Keeping()
        library.begin(connect_four())
        library.close()
        assert (home / "data" / FILE_NAME).stat().st_size > 0
        assert WriteQueue().path == library.path

    def test_a_drop_is_for_good(self, library: Keeping) -> None:
        match = connect_four("44")
        match_id = library.begin(match)
        library.drop(match_id)
        library.drop(match_id)
        assert library.unfinished() == []
        with pytest.raises(LibraryError, match=f"There is no match {match_id} in the library"):
            library.load(match_id)
        with pytest.raises(LibraryError, match=f"There is no match {match_id} in the library"):
            library.save(match_id, match)
        assert library.begin(match) > match_id, "a number is not used again"

    @pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
    def test_random_games_of_every_game(self, library: Keeping, game: Game) -> None:
        match = Match.new(game, ["a", "b", "c", "d"][: game.seats[0]], seed=3)
        match_id = library.begin(match)
        random = Random(3)
        while not match.ending:
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
            if random.random() < 0.1:
                library.save(match_id, match)
        library.save(match_id, match)
        assert_same(library.load(match_id), match)


OPERATIONS = st.lists(st.sampled_from(["play"] * 6 + ["undo"] * 3 + ["redo"] * 2 + ["resume"]), max_size=60)


class TestSavedAndResumedEqualsNeverStopped:
    @settings(max_examples=25)
    @given(OPERATIONS, st.integers(0, 2**31), st.sampled_from([CONNECT_FOUR, letters.GAME]))
    def test_random_games_with_undo_and_redo(self, operations: list[str], seed: int, game: Game) -> None:
        with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
            patch.setattr(catalogue, "GAMES", {**GAMES, "letters": letters.GAME})
            path = Path(folder) / FILE_NAME
            never_stopped, library = Match.new(game, ["x", "y", "z"][: game.seats[0]], seed=seed), Keeping(path)
            match_id = library.begin(never_stopped)
            match, random = library.load(match_id), Random(seed)
            for operation in operations:
                if operation == "resume":
                    library.close()
                    library = Keeping(path)
                    match = library.load(match_id)
                    assert_same(match, never_stopped)
                    continue
                step = random.choice(never_stopped.legal_steps() or [-1])
                for either in (match, never_stopped):
                    if operation == "undo" and either.can_undo:
                        either.undo()
                    elif operation == "redo" and either.can_redo:
                        either.redo()
                    elif operation == "play" and step >= 0:
                        either.play(step)
                library.save(match_id, match)
            assert_same(library.load(match_id), never_stopped)
            library.close()


PLAYER = """
import sys
from pathlib import Path
from random import Random
from papan.game.catalogue import find
from papan.game.match.library import LibraryWriter
from papan.game.match import Match
from papan.game.match.record import write_tags

random = Random(int(sys.argv[2]))
writer = LibraryWriter(Path(sys.argv[1]))
while True:
    match = Match.new(find("connect-four"), ["killed", "human"], seed=1)
    kept = writer.begin(match)
    kept.open()
    while not match.ending:
        choice = random.random()
        if choice < 0.2 and match.can_undo:
            match.undo()
        elif choice < 0.3 and match.can_redo:
            match.redo()
        else:
            match.play(random.choice(match.legal_steps()))
        kept.keep()
        assert writer.flush(60)
        print(kept.held.id, "".join(str(step + 1) for step in match.steps), flush=True)
    kept.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
class TestKilledWhilePlaying:
    @pytest.mark.parametrize("lines", [1, 133])
    def test_at_most_the_step_in_flight_is_lost(self, path: Path, lines: int) -> None:
        player = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(path), str(lines)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert player.stdout is not None
        said = [player.stdout.readline() for _ in range(lines)]
        player.send_signal(signal.SIGKILL)
        said += [line for line in player.stdout if line.endswith("\n")]
        assert player.wait() == -signal.SIGKILL
        library = Keeping(path)
        assert library.notice is None
        stored = library.unfinished() + library.recent(1000)
        match_id, _, columns = said[-1].rstrip("\n").partition(" ")
        match = library.load(int(match_id))
        assert match.seats == ["killed", "human"]
        steps = "".join(str(step + 1) for step in match.steps)
        assert abs(len(steps) - len(columns)) <= 1, "only what came after the last line may differ"
        assert steps.startswith(columns[: len(steps)])
        for summary in stored:
            resumed = library.load(summary.id)
            if not resumed.ending:
                resumed.play(resumed.legal_steps()[0])
                library.save(summary.id, resumed)
                assert_same(library.load(summary.id), resumed)
        library.close()


class TestLists:
    def test_what_goes_on_is_counted_and_tags_are_told(self, library: Keeping, path: Path) -> None:
        matches = [connect_four(columns) for columns in ("44", "", "1212121", "4")]
        for match in matches:
            library.begin(match)
        assert library.unfinished_count() == 2, "one has no step, and one is over"
        tags = {number: json.dumps(write_tags(matches[number - 1])) for number in (1, 3, 4)}
        assert library.tags() == tags
        tamper(path, "UPDATE matches SET tags = x'00' WHERE id = 3")
        library.desk.delete([4])
        library.desk.work()
        assert library.unfinished_count() == 1
        assert library.tags() == {1: tags[1]}

    @pytest.mark.parametrize(
        ("seats", "goes_on"),
        [
            (("human", "level:3"), True),
            (("minimax:time=0.5,threads=2", "god-low-domes"), True),
            (("engine:Fairy-14", "human"), True),
            (("ZHENG YiTing", "XU TianHong"), False),
            (("许银川", "?"), False),
        ],
    )
    def test_matches_of_others_do_not_go_on_here(self, library: Keeping, seats: tuple[str, str], goes_on: bool) -> None:
        match = connect_four("44")
        match.seats = list(seats)
        library.begin(match)
        assert library.unfinished_count() == len(library.unfinished()) == goes_on

    def test_an_unfinished_match(self, library: Keeping) -> None:
        before = datetime.datetime.now(datetime.UTC)
        match_id = library.begin(connect_four("44553"))
        [summary] = library.unfinished()
        assert (summary.id, summary.game, summary.seats) == (match_id, "connect-four", ("human", "random"))
        assert (summary.round, summary.mover, summary.ending) == (3, 1, None)
        assert before <= summary.updated <= datetime.datetime.now(datetime.UTC)
        assert library.recent(10) == []

    @pytest.mark.parametrize(("columns", "round_number", "mover"), [("4", 1, 1), ("44", 2, 0), ("445", 2, 1)])
    def test_whose_move_it_is_in_which_round(
        self, library: Keeping, columns: str, round_number: int, mover: int
    ) -> None:
        library.begin(connect_four(columns))
        [summary] = library.unfinished()
        assert (summary.round, summary.mover) == (round_number, mover)

    def test_undo_goes_back_a_round(self, library: Keeping) -> None:
        match = connect_four("44")
        match_id = library.begin(match)
        match.undo()
        library.save(match_id, match)
        assert (library.unfinished()[0].round, library.unfinished()[0].mover) == (1, 1)

    def test_chance_is_nobody(self, library: Keeping) -> None:
        match = Match.new(letters.GAME, ["p", "q", "r"], {"first": "1"}, seed=3)
        match_id = library.begin(match)
        for step in (letters.Z, letters.STOP, letters.B, letters.STOP):
            match.play(step)
        library.save(match_id, match)
        assert (library.unfinished()[0].round, library.unfinished()[0].mover) == (1, None)
        match.play(letters.TAILS)
        library.save(match_id, match)
        assert (library.unfinished()[0].round, library.unfinished()[0].mover) == (2, 0)

    def test_a_match_that_ends_and_is_taken_back(self, library: Keeping) -> None:
        match = connect_four("445566")
        match_id = library.begin(match)
        match.play(6)
        library.save(match_id, match)
        assert library.unfinished() == []
        [summary] = library.recent(10)
        assert summary.ending == Ending((1.0, -1.0), "four in a row")
        assert (summary.id, summary.round, summary.mover) == (match_id, 4, None)
        match.undo()
        library.save(match_id, match)
        assert library.recent(10) == [] and library.unfinished()[0].id == match_id

    def test_the_one_played_last_comes_first(self, library: Keeping) -> None:
        numbers = [library.begin(connect_four("4455667")) for _ in range(3)]
        library.save(numbers[1], connect_four("4455667"))
        assert [summary.id for summary in library.recent(2)] == [numbers[1], numbers[2]]
        unfinished = [library.begin(connect_four("4")) for _ in range(3)]
        library.save(unfinished[0], connect_four("44"))
        assert [summary.id for summary in library.unfinished()] == [unfinished[0], unfinished[2], unfinished[1]]


def tamper(path: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement, values)


class TestReadingThatFails:
    """Whatever statement fails, and when: the match can be read the next time."""

    def read_twice(self, path: Path, faults: Faults) -> None:
        with faults.installed(), closing(Library(path)) as library:
            with suppress(LibraryError):
                library.load(1)
            assert_same(library.load(1), connect_four("4455"))

    @pytest.mark.parametrize("moment", MOMENTS)
    def test_it_succeeds_later(self, library: Keeping, path: Path, moment: Moment) -> None:
        library.begin(connect_four("4455"))
        library.desk.shut()
        sound = Faults()
        self.read_twice(path, sound)
        begun = next(number for number, statement in enumerate(sound.seen) if statement.words == "BEGIN")
        assert len(sound.seen) - begun >= 6
        for statement in sound.seen[begun:]:
            if statement.occurrence == 0:
                faults = Faults(Fault(statement, "IOERR", moment))
                self.read_twice(path, faults)
                assert faults.failures == 1


class TestMatchesThatCannotBeReplayed:
    """Such as those of a version with other rules: reported in words, listed, and left as they are."""

    @pytest.fixture
    def match_id(self, library: Keeping) -> int:
        return library.begin(connect_four("4455"))

    @pytest.mark.parametrize(
        ("statement", "reason"),
        [
            (
                "UPDATE steps SET notation = 'h8' WHERE number = 2",
                "at step 3: 'h8' is wrong at character 1, 'h'; it could be 1, 2, 3, ….",
            ),
            (
                'UPDATE matches SET tags = replace(tags, \'"Version": "1"\', \'"Version": "0"\')',
                "at its start: The record is for version '0' of Connect Four",
            ),
            (
                'UPDATE matches SET tags = replace(tags, \'"Game": "connect-four"\', \'"Game": "ludo"\')',
                "at its start: There is no game 'ludo'",
            ),
            ("UPDATE matches SET tags = '{'", "at its start: its tags can't be read"),
            ("UPDATE matches SET tags = '[]'", "at its start: its tags can't be read"),
            ("UPDATE matches SET tags = json_set(tags, '$.Event', 5)", "at its start: its tags can't be read"),
        ],
    )
    def test_they_are_refused_in_words(
        self, library: Keeping, path: Path, match_id: int, statement: str, reason: str
    ) -> None:
        tamper(path, statement)
        with pytest.raises(LibraryError) as error:
            library.load(match_id)
        told = str(error.value)
        assert told.startswith(f"Match {match_id} can't be continued, {reason}")
        assert told.endswith(". It stays in the library.")
        assert [summary.id for summary in library.unfinished()] == [match_id]

    def test_a_resignation_after_the_end_is_none(self, library: Keeping, path: Path) -> None:
        match = connect_four("1212121")
        match_id = library.begin(match)
        tamper(path, "UPDATE matches SET reason = 'seat 1 resigned'")
        assert_same(library.load(match_id), match)

    def test_a_resignation_without_a_result_is_none(self, library: Keeping, path: Path, match_id: int) -> None:
        tamper(path, "UPDATE matches SET reason = 'seat 1 resigned'")
        assert_same(library.load(match_id), connect_four("4455"))

    def test_a_file_that_fails_while_in_use(self, library: Keeping, path: Path) -> None:
        match = connect_four()
        match_id = library.begin(match)
        tamper(path, "ALTER TABLE steps RENAME TO pets")
        match.play(1)
        library.save(match_id, match)
        standing = library.kept[match_id].standing
        assert standing.waiting_since is not None and "no such table" in standing.trouble
        tamper(path, "ALTER TABLE pets RENAME TO steps")
        library.desk.work()
        assert library.kept[match_id].standing.waiting_since is None
        assert_same(library.load(match_id), match)

    def test_another_thread_is_a_mistake_of_the_program(self, library: Keeping) -> None:
        raised: list[type] = []

        def use() -> None:
            try:
                library.unfinished()
            except Exception as error:
                raised.append(type(error))

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert raised == [sqlite3.ProgrammingError]


BAD_COLUMNS = [
    ("updated", "x"),
    ("updated", "2026-11-22T10:00:00"),  # of no time zone
    ("updated", "0001-01-01T00:00:00+00:00"),
    ("updated", "1969-12-31T23:59:59+00:00"),
    ("updated", "9999-01-01T00:00:00+00:00"),
    ("updated", 5),
    ("updated", b"\xff\x00"),
    ("seats", "["),
    ("seats", "[]"),
    ("mover = NULL, seats", "[]"),
    ("seats", "null"),
    ("seats", "[1, 2]"),
    ("seats", json.dumps(["human"] * 65)),
    ("seats", '"human"'),
    ("seats", '{"human": 1}'),
    ("seats", 7.5),
    ("seats", "[" * 100_000),
    ("game", b"chess"),
    ("round", "first"),
    ("round", -1),
    ("round", 2**31 + 1),
    ("round", 1.5),
    ("mover", 2),
    ("mover", -1),
    ("mover", "me"),
    ("payoffs", "{"),
    ("payoffs", "[1]"),
    ("payoffs", "5"),
    ("payoffs", "[true, 1]"),
    ("payoffs", "[1, NaN]"),
    ("payoffs", "[1, 1e999]"),
    ("payoffs", '[1, "2"]'),
    ("payoffs", b"[1, -1]"),
    ("reason", b"\xff"),
    ("turns", "some"),
    ("turns", -1),
    ("turns", 2**31 + 1),
    ("name", b"mine"),
    ("parent", "x"),
    ("parent", -1),
    ("parent", 1),  # without the place where it branches off
]

GOOD_COLUMNS = [
    ("updated", "1970-01-01T00:00:00+00:00"),
    ("updated", "9998-12-31T23:59:59+00:00"),
    ("seats", '["human"]'),
    ("seats", json.dumps(["human"] * 64)),
    ("round", 0),
    ("round", 2**31),
    ("mover", 1),
    ("turns", 0),
    ("turns", 2**31),
]

BAD_WITHIN = [
    ("tags", "null"),
    ("tags", "[]"),
    ("tags", "{}"),
    ("tags", '{"Game": 5}'),
    ("tags", b"{}"),
    ("played", "x"),
    ("played", -1),
    ("played", 5),
    ("revision", "x"),
    ("revision", 2**63 - 1),  # the next one has no room in SQLite
]


class TestRowsThatMakeNoSense:
    """Of one match among three: it is left out of the lists, and left as it is."""

    @pytest.fixture
    def numbers(self, library: Keeping) -> list[int]:
        return [library.begin(connect_four("44")) for _ in range(3)]

    def row(self, path: Path, match_id: int) -> tuple[object, ...]:
        with closing(sqlite3.connect(path)) as connection:
            found = connection.execute("SELECT * FROM matches WHERE id = ?", (match_id,)).fetchone()
        assert isinstance(found, tuple)
        return found

    @pytest.mark.parametrize(
        ("column", "value"), BAD_COLUMNS, ids=[f"{name} {value!s:.12}" for name, value in BAD_COLUMNS]
    )
    def test_lists_leave_it_out(
        self, library: Keeping, path: Path, numbers: list[int], column: str, value: object
    ) -> None:
        tamper(path, f"UPDATE matches SET {column} = ? WHERE id = ?", value, numbers[1])
        before = self.row(path, numbers[1])
        assert sorted(summary.id for summary in library.unfinished()) == [numbers[0], numbers[2]]
        assert library.recent(10) == [] and library.unreadable == {numbers[1]}
        assert self.row(path, numbers[1]) == before

    @pytest.mark.parametrize(("column", "value"), GOOD_COLUMNS)
    def test_the_least_and_the_most_are_listed(
        self, library: Keeping, path: Path, numbers: list[int], column: str, value: object
    ) -> None:
        tamper(path, f"UPDATE matches SET {column} = ? WHERE id = ?", value, numbers[1])
        assert sorted(summary.id for summary in library.unfinished()) == numbers and not library.unreadable

    @pytest.mark.parametrize(
        ("column", "value"), BAD_WITHIN, ids=[f"{name} {value!s:.12}" for name, value in BAD_WITHIN]
    )
    def test_loading_refuses_it_in_words(
        self, library: Keeping, path: Path, numbers: list[int], column: str, value: object
    ) -> None:
        tamper(path, f"UPDATE matches SET {column} = ? WHERE id = ?", value, numbers[1])
        with pytest.raises(LibraryError, match=f"^Match {numbers[1]} can't be continued.* stays in the library"):
            library.load(numbers[1])
        assert library.load(numbers[2]).steps == [3, 3]

    @pytest.mark.parametrize(
        "statement",
        [
            "DELETE FROM steps WHERE match = ? AND number = 0",
            "UPDATE steps SET notation = x'00' WHERE match = ? AND number = 1",
            "UPDATE steps SET number = 'x' WHERE match = ? AND number = 1",
            "UPDATE steps SET number = 1000000 WHERE match = ? AND number = 1",
        ],
    )
    def test_steps_that_are_none(self, library: Keeping, path: Path, numbers: list[int], statement: str) -> None:
        tamper(path, statement, numbers[1])
        with pytest.raises(LibraryError, match=f"^Match {numbers[1]} can't be continued"):
            library.load(numbers[1])
        assert library.load(numbers[0]).steps == [3, 3]

    def test_text_that_is_no_text(self, library: Keeping, path: Path, numbers: list[int]) -> None:
        tamper(path, "UPDATE matches SET seats = CAST(x'5bff5d' AS TEXT) WHERE id = ?", numbers[1])
        assert len(library.unfinished()) == 2

    def test_good_rows_behind_bad_ones_are_listed(self, library: Keeping, path: Path) -> None:
        numbers = [library.begin(connect_four("4455667")) for _ in range(5)]
        tamper(path, "UPDATE matches SET payoffs = '{' WHERE id IN (?, ?)", numbers[4], numbers[2])
        assert [summary.id for summary in library.recent(3)] == [numbers[3], numbers[1], numbers[0]]
        assert library.unreadable == {numbers[4], numbers[2]}


def test_a_damaged_file_gives_way_to_a_fresh_one_and_says_so(path: Path) -> None:
    path.write_bytes(b"noise" * 1000)
    with closing(Keeping(path)) as library:
        assert library.notice is not None and "was damaged" in library.notice
        assert library.load(library.begin(connect_four("4"))).steps == [3]
        assert library.notice is not None and "was damaged" in library.notice, "it can be told at any time"


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
        shelf.add("no game", DUEL, [1.0, -1.0])
        shelf.connection.execute("UPDATE matches SET game = x'00' WHERE game = 'no game'")
        sums = shelf.sums()
        assert [(result.seats, result.number) for result in sums.results] == [(DUEL, 1)]
        assert list(sums.order) == [0] and {week.game for week in sums.weeks} == {"othello"}

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
