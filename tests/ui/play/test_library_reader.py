"""The library beside the window: lists, positions, records in and out, and nothing hidden among them."""

from __future__ import annotations

import datetime
import queue
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import read_collection, write_collection
from papan.game.match.library import Library, LibraryWriter, NewMatch, SnapshotBuilder, Summary, header_of
from papan.game.match.record import write
from papan.game.rules import NOBODY, observe
from papan.ui.play import library_reader as reader_module
from papan.ui.play.entries import MatchFilter
from papan.ui.play.import_export import ExportResult, Import, export_matches
from papan.ui.play.library_reader import LibraryReader, Listing
from tests.ui.matches import played
from tests.waiting import PATIENCE, wait_for


class Desktop:
    """A library reader, with a window's thread that is the test's."""

    def __init__(self, path: Path) -> None:
        self.calls: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self.writer = LibraryWriter(path)
        self.reader = LibraryReader(self.writer, self.calls.put)

    def until(self, holds: Callable[[], object], what: str) -> None:
        def look() -> bool:
            while not self.calls.empty():
                self.calls.get()()
            return bool(holds())

        wait_for(look, what)

    def add(self, *matches: Match) -> None:
        self.writer.add([NewMatch(header_of(match), SnapshotBuilder(match).snapshot()) for match in matches])
        assert self.writer.flush(PATIENCE)

    def listing(self, wanted: MatchFilter | None = None) -> Listing:
        found: list[Listing] = []
        self.reader.ask(wanted or MatchFilter(), frozenset(), found.append)
        self.until(lambda: found, "the list")
        return found[-1]

    def bring(self, *sources: Path | str) -> ImportProgress:
        told: list[ImportProgress] = []
        files = [Source(text=one) if isinstance(one, str) else one for one in sources]
        Import(self.reader, told.append).give(*files)
        self.until(lambda: told, "the records")
        return told[0]

    def take(self, path: Path, numbers: Sequence[int], names: dict[int, str] | None = None) -> ExportResult:
        told: list[ExportResult] = []
        export_matches(self.reader, numbers, path, names or {}, told.append)
        self.until(lambda: told, "the file")
        return told[0]


@pytest.fixture
def desktop(home: Path) -> Iterator[Desktop]:
    desktop = Desktop(home / "library.sqlite3")
    yield desktop
    assert desktop.reader.close(PATIENCE) and desktop.writer.close(PATIENCE)


class TestLists:
    def test_what_is_played_meanwhile_is_in_the_next(self, desktop: Desktop) -> None:
        assert desktop.listing() == Listing(MatchFilter(), [])
        desktop.add(played("othello"), played("connect-four", steps=100))
        listing = desktop.listing()
        assert {entry.title for entry in listing.entries} == {"Othello", "Connect Four"}
        assert (listing.total, listing.unfinished) == (2, 1)

    def test_what_is_deleted_is_out_of_it_at_once_and_comes_back(self, desktop: Desktop) -> None:
        desktop.add(*(played("othello", seed=seed) for seed in range(3)))
        desktop.reader.delete([1, 3])
        assert [entry.id for entry in desktop.listing().entries] == [2]
        desktop.reader.delete([2])
        assert desktop.listing().total == 0
        assert desktop.reader.undo_deletion() == (2,) and desktop.reader.undo_deletion() == (1, 3)
        assert desktop.writer.flush(PATIENCE)  # what was taken back is written a moment later
        assert desktop.listing().total == 3 and desktop.reader.undo_deletion() == ()

    def test_a_new_name_is_found(self, desktop: Desktop) -> None:
        desktop.add(played("othello"))
        desktop.reader.rename(1, "  The\nlong  one ")
        assert desktop.writer.flush(PATIENCE)
        assert [entry.title for entry in desktop.listing(MatchFilter(text="the long one")).entries] == ["The long one"]

    def test_only_the_last_question_is_answered(self, desktop: Desktop) -> None:
        answers: list[MatchFilter] = []
        for text in ("a", "b", "c"):
            desktop.reader.ask(MatchFilter(text=text), frozenset(), lambda listing: answers.append(listing.wanted))
        desktop.until(lambda: answers, "an answer")
        desktop.listing()
        assert answers == [] or [wanted.text for wanted in answers] == ["c"]


class TestPositions:
    def test_they_come_and_stay_until_others_are_looked_at(
        self, desktop: Desktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(reader_module, "_MOST_PREVIEWS", 2)
        matches = [played("othello", seed=seed) for seed in range(3)]
        desktop.add(*matches)
        shown = {entry.id: entry.summary for entry in desktop.listing().entries}
        for number, match in enumerate(matches, start=1):
            assert desktop.reader.preview(shown[number]) is None
            desktop.until(partial(desktop.reader.is_known, shown[number]), "the position")
            found = desktop.reader.preview(shown[number])
            assert found is not None and found.state == match.state
        assert [desktop.reader.is_known(shown[number]) for number in (1, 2, 3)] == [False, True, True]

    def test_what_was_scrolled_past_is_not_looked_for(self, desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(reader_module, "_MOST_WANTED", 3)
        desktop.add(*(played("connect-four", seed=seed) for seed in range(10)))
        entries = desktop.listing().entries
        loaded: list[int] = []
        load = desktop.reader.load_on_thread

        def noted(number: int) -> Match:
            loaded.append(number)
            return load(number)

        monkeypatch.setattr(desktop.reader, "load_on_thread", noted)
        held = desktop.reader.reader.submit
        jobs: list[Callable[[], object]] = []
        monkeypatch.setattr(desktop.reader.reader, "submit", jobs.append)
        for entry in entries:
            desktop.reader.preview(entry.summary)
        monkeypatch.setattr(desktop.reader.reader, "submit", held)
        for job in jobs:
            held(job)
        desktop.until(lambda: desktop.reader.is_known(entries[-3].summary), "the last of them")
        assert loaded == [entry.id for entry in reversed(entries[-3:])]

    def test_one_that_cannot_be_read_is_not_asked_for_again(self, desktop: Desktop) -> None:
        ghost = Summary(
            77, "othello", ("human", "human"), 1, 0, None, datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
        )
        assert desktop.reader.preview(ghost) is None
        desktop.until(lambda: desktop.reader.is_known(ghost), "the answer")
        assert desktop.reader.preview(ghost) is None


class TestRecordsIn:
    def test_a_thousand(self, desktop: Desktop, tmp_path: Path) -> None:
        matches = [played("connect-four", seed=seed, steps=8) for seed in range(1000)]
        path = tmp_path / "thousand.txt"
        path.write_text("".join(write_collection(matches)), encoding="utf-8")
        progress = desktop.bring(path)
        assert (progress.read, progress.stored, progress.known, progress.refused.number) == (1000, 1000, 0, 0)
        assert desktop.listing().total == 1000
        again = desktop.bring(path)
        assert (again.stored, again.known) == (0, 1000), "none is there twice"

    def test_a_damaged_one_among_good_ones(self, desktop: Desktop, tmp_path: Path) -> None:
        records = [write(played("othello", seed=seed)) for seed in range(4)]
        records[1] = records[1].replace('[Game "othello"]', '[Game "ludo"]')
        path = tmp_path / "some.txt"
        path.write_text("\n".join(records), encoding="utf-8")
        progress = desktop.bring(path, "hello", tmp_path / "none.txt", " ")
        assert progress.stored == 3
        first, second, third, fourth = progress.refused.told()
        assert first.startswith("some.txt: Game 2: Line ") and "'ludo'" in first
        assert second.startswith("It is no record of this program, and none of the other files")
        assert "'" in third and "can't be read" in third
        assert fourth == "It is empty."

    def test_one_without_a_step_is_refused(self, desktop: Desktop) -> None:
        progress = desktop.bring(write(played("othello", steps=0)).rstrip() + "\n")
        assert progress.stored == 0 and progress.refused.number == 1

    def test_a_position_without_a_step_is_listed_and_known(self, desktop: Desktop) -> None:
        match = played("othello", steps=10)
        start = Match.new(match.game, match.seats, match.options, 1, position=match.rules.text(match.state))
        for stored in (1, 0):
            progress = desktop.bring(write(start))
            assert (progress.stored, progress.known) == (stored, 1 - stored)
        [entry] = desktop.listing().entries
        assert entry.summary.turns == 0

    def test_they_stand_where_they_were_played(self, desktop: Desktop) -> None:
        record = write(played("othello", steps=100))
        desktop.bring(re.sub(r'\[Date "[^"]*"\]', '[Date "2003.04.05"]', record))
        [entry] = desktop.listing().entries
        assert entry.summary.updated.date().isoformat() == "2003-04-05"

    def test_giving_up_keeps_what_came_in(self, desktop: Desktop) -> None:
        told: list[ImportProgress] = []
        job = Import(desktop.reader, told.append)
        job.progress.is_stopped = True
        job.give(Source(text=write(played("othello"))))
        desktop.until(lambda: told, "the end")
        assert told[0].stored == 0 and desktop.listing().total == 0


class TestRecordsOut:
    def test_what_is_taken_out_can_be_brought_in_again(self, desktop: Desktop, tmp_path: Path) -> None:
        matches = [played(name) for name in ("othello", "santorini", "2048")]
        desktop.add(*matches)
        taken = desktop.take(tmp_path / "out.txt", [1, 2, 3], {2: "Mine"})
        assert (taken.count, taken.hidden, taken.trouble) == (3, 0, "")
        other = Desktop(tmp_path / "other.sqlite3")
        other.bring(tmp_path / "out.txt")
        assert sorted(entry.title for entry in other.listing().entries) == ["2048", "Mine", "Othello"]
        assert other.reader.close(PATIENCE) and other.writer.close(PATIENCE)

    def test_a_folder_that_cannot_be_written_is_said(self, desktop: Desktop, tmp_path: Path) -> None:
        desktop.add(played("othello"))
        taken = desktop.take(tmp_path / "nowhere" / "out.txt", [1])
        assert taken.trouble.startswith("out.txt can't be written: ")

    def test_what_fails_leaves_the_file_that_was_there(self, desktop: Desktop, tmp_path: Path) -> None:
        path = tmp_path / "out.txt"
        path.write_text("old", encoding="utf-8")
        taken = desktop.take(path, [99])
        assert (taken.count, taken.unreadable) == (0, 1)
        assert path.read_text(encoding="utf-8") == "old" and list(tmp_path.glob(".*")) == []


class TestHiddenCards:
    """Of an unfinished match they don't get out, by whatever way."""

    @pytest.fixture
    def match(self) -> Match:
        return played("catur-jawa", "human", "random")

    def test_not_by_a_picture(self, desktop: Desktop, match: Match) -> None:
        desktop.add(match)
        [entry] = desktop.listing().entries
        desktop.reader.preview(entry.summary)
        desktop.until(lambda: desktop.reader.is_known(entry.summary), "the position")
        found = desktop.reader.preview(entry.summary)
        assert found is not None and not found.is_open
        assert found.state == observe(match.state, NOBODY) != match.state

    def test_not_by_a_file(self, desktop: Desktop, match: Match, tmp_path: Path) -> None:
        open_match = played("othello")
        desktop.add(match, open_match)
        taken = desktop.take(tmp_path / "both.txt", [1, 2])
        assert (taken.count, taken.hidden) == (1, 1)
        lines = (tmp_path / "both.txt").read_text(encoding="utf-8").split("\n")
        assert [one.game.name for one in read_collection(lines) if isinstance(one, Match)] == ["othello"]
        taken = desktop.take(tmp_path / "none.txt", [1])
        assert taken.count == 0 and not (tmp_path / "none.txt").exists()

    def test_not_by_a_name_or_a_search(self, desktop: Desktop, match: Match) -> None:
        desktop.add(match)
        desktop.reader.rename(1, "Mine")
        assert desktop.writer.flush(PATIENCE)
        [entry] = desktop.listing().entries
        hidden = match.rules.text(match.states[0])
        assert entry.searched == "mine catur jawa catur-jawa you against random human random your move"
        assert str(match.seed) not in entry.searched.split() and hidden not in entry.searched

    def test_once_it_is_over_it_is_open(self, desktop: Desktop, tmp_path: Path) -> None:
        match = played("catur-jawa", steps=1000)
        assert match.ending
        desktop.add(match)
        assert desktop.take(tmp_path / "one.txt", [1]).count == 1


def test_the_library_is_closed(desktop: Desktop) -> None:
    desktop.add(played("othello"))
    desktop.listing()
    assert desktop.reader.close(PATIENCE)
    library = Library(desktop.writer.path)
    assert len(library.unfinished()) == 1
    library.close()
