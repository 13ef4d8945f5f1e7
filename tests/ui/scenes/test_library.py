"""The library: matches found, opened, named, deleted and brought back, brought in and out, by mouse and by keys."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import write_collection
from papan.game.match.library import LibraryWriter, NewMatch, SnapshotBuilder, header_of
from papan.game.match.record import write
from papan.ui import texts
from papan.ui.play.import_export import ExportResult
from papan.ui.play.library_reader import LibraryReader
from papan.ui.scenes.dialogs import Message, NameDialog
from papan.ui.scenes.encoding import EncodingDialog
from papan.ui.scenes.file_chooser import FileChooser
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.library import scene as library_module
from papan.ui.scenes.library.panel import export_in_words, import_in_words
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.services import Services
from papan.ui.texts import translated
from papan.ui.texts.wording import played_in_words
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.lists import ROW, MatchList
from papan.ui.widgets.text_field import TextField
from tests.ui.hands import Hands
from tests.ui.matches import played
from tests.ui.scenes.conftest import HIGH, LARGE, SMALLEST
from tests.waiting import PATIENCE

CTRL, SHIFT = pygame.KMOD_CTRL, pygame.KMOD_SHIFT


class Reader(Hands):
    """A window with a library of its own."""

    def __init__(self, home: Path, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(size)
        self.path = home / "data" / "library.sqlite3"
        self.opened: list[int] = []
        self.reviewed: list[tuple[int, int | None]] = []
        self.begin()

    def begin(self) -> None:
        self.writer = LibraryWriter(self.path)
        self.library_reader = LibraryReader(self.writer, self.app.call_soon)
        self.services = Services(
            library_reader=self.library_reader, open_match=self.opened.append, review_match=self.review_stored
        )

    def review_stored(self, number: int, turns: int | None) -> None:
        self.reviewed.append((number, turns))

    def end(self) -> None:
        assert self.library_reader.close(PATIENCE) and self.writer.close(PATIENCE)

    def add(self, *matches: Match) -> None:
        """Store *matches*, the first of them the newest."""
        now = datetime.datetime.now(datetime.UTC)
        new = []
        for number, match in enumerate(matches):
            when = now - datetime.timedelta(minutes=number)
            new.append(NewMatch(header_of(match), SnapshotBuilder(match).snapshot()._replace(when=when)))
        self.writer.add(new)
        assert self.writer.flush(PATIENCE)

    def open_library(self) -> LibraryScene:
        scene = self.show(LibraryScene(self.app, self.services, self.library_reader))
        self.until(lambda: scene.listing is not None)
        return scene

    @property
    def scene(self) -> LibraryScene:
        return next(scene for scene in self.app.scenes if isinstance(scene, LibraryScene))

    @property
    def rows(self) -> MatchList:
        found = self.scene.widgets.named("matches")
        assert isinstance(found, MatchList)
        return found

    @property
    def titles(self) -> list[str]:
        return [entry.title for entry in self.rows.entries]

    def until_titles(self, *titles: str) -> None:
        self.until(lambda: self.titles == list(titles))

    def row(self, index: int) -> tuple[int, int]:
        rect = self.rows._row_rect(index)
        return rect.x + rect.w // 2, rect.centery


@pytest.fixture
def reader(home: Path) -> Iterator[Reader]:
    reader = Reader(home)
    yield reader
    reader.end()
    reader.app.close()


@pytest.fixture
def three(reader: Reader) -> Reader:
    """Three matches, of which the second is over."""
    reader.add(played("othello"), played("connect-four", steps=100), played("santorini"))
    reader.open_library()
    return reader


THREE = ("Othello", "Connect Four", "Santorini")


class TestLooks:
    @pytest.mark.parametrize(("size", "scale"), [(SMALLEST, 1.0), (LARGE, 1.0), (HIGH, 1.0), (SMALLEST, 2.0)])
    def test_nothing_is_cut_off(self, home: Path, size: tuple[int, int], scale: float) -> None:
        reader = Reader(home, size)
        reader.app.settings.scale = scale
        reader.app.apply_settings()
        reader.open_library()
        reader.check_layout()
        reader.add(played("othello"))
        reader.until_titles("Othello")
        for key in (pygame.K_SPACE, pygame.K_DELETE):
            reader.press(key)
            reader.check_layout()
        reader.end()
        reader.app.close()

    def test_an_empty_library_says_so(self, reader: Reader) -> None:
        reader.open_library()
        assert "No matches yet" in reader.rows.empty_words
        for key in (pygame.K_RETURN, pygame.K_DELETE, pygame.K_F2, pygame.K_SPACE, pygame.K_END):
            reader.press(key)
        assert reader.app.scene is reader.scene and reader.opened == []

    def test_pictures_come_and_the_button_says_what_it_does(self, three: Reader) -> None:
        entry, size = three.rows.entries[0], (76, 56)
        three.until(lambda: three.scene._miniatures.picture(entry.summary, size) is not None)
        labels = []
        for _ in THREE:
            labels.append(getattr(three.widget("open"), "label", ""))
            three.press(pygame.K_DOWN)
        assert labels == ["Play on", "Show", "Play on"]


class TestFinding:
    def test_by_words_without_the_mouse(self, three: Reader) -> None:
        three.press(pygame.K_f, CTRL)
        assert three.focused() == "search"
        three.type("four")
        three.until_titles("Connect Four")
        three.press(pygame.K_RETURN)
        assert three.focused() == "matches"
        three.press(pygame.K_ESCAPE)
        three.until_titles(*THREE)
        search = three.widget_as("search", TextField)
        assert search.text == "", "Esc takes the filters away first"
        search.write("chess")
        three.until_titles()
        assert three.rows.empty_words == "No match fits these filters."

    def test_by_each_menu(self, three: Reader) -> None:
        three.widget_as("filter game", Dropdown).choose("santorini")
        three.until_titles("Santorini")
        three.widget_as("filter game", Dropdown).choose("")
        three.widget_as("filter result", Dropdown).choose("finished")
        three.until_titles("Connect Four")
        three.widget_as("filter result", Dropdown).choose("")
        three.widget_as("filter period", Dropdown).choose("today")
        three.widget_as("turns", TextField).write("7-")
        three.until_titles("Connect Four")
        three.widget_as("turns", TextField).write("")
        three.widget_as("filter order", Dropdown).choose("oldest")
        three.until_titles(*reversed(THREE))


class TestOpening:
    def test_by_keys(self, three: Reader) -> None:
        three.keys(pygame.K_DOWN, pygame.K_RETURN)
        three.press(pygame.K_r, CTRL)
        assert (three.opened, three.reviewed) == ([2], [(2, None)])

    def test_by_mouse(self, three: Reader) -> None:
        three.click(three.row(2))
        assert three.opened == [] and three.rows.chosen is three.rows.entries[2]
        three.click("open")
        three.click("review")
        assert (three.opened, three.reviewed) == ([3], [(3, None)])
        three.click(three.row(1))
        three.click(three.row(1))
        assert three.opened == [3, 2], "a double click opens"


def test_renaming(three: Reader) -> None:
    three.press(pygame.K_F2)
    dialog = three.scene_as(NameDialog)
    assert three.focused() == "name" and dialog.name == ""
    three.check_layout()
    three.type("my best")
    three.press(pygame.K_RETURN)
    three.until_titles("my best", *THREE[1:])
    three.keys(pygame.K_F2, pygame.K_DELETE)
    three.click("Save")
    three.until_titles(*THREE)
    three.click("rename")
    three.type("x")
    three.press(pygame.K_ESCAPE)
    three.frames(5)
    assert three.titles == list(THREE), "Esc leaves the name"


class TestDeleting:
    def test_one_and_back_by_keys(self, three: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(library_module, "_UNDO_SECONDS", 0.1)
        three.press(pygame.K_DELETE)
        assert three.widget("undo").is_visible
        three.until_titles(*THREE[1:])
        assert three.scene._foot_words() == "1 match was deleted."
        three.until(lambda: not three.widget("undo").is_visible)
        three.press(pygame.K_z, CTRL)
        three.until_titles(*THREE)
        three.press(pygame.K_z, CTRL)
        three.until(lambda: three.app.notice == "1 match was restored.")

    def test_several_and_back_by_mouse(self, three: Reader) -> None:
        for index in (0, 2):
            rect = three.rows._row_rect(index)
            three.click((rect.x + 20, rect.centery))
        assert [entry.title for entry in three.rows.marked_entries] == ["Othello", "Santorini"]
        three.click("delete")
        three.until_titles("Connect Four")
        three.click("undo")
        three.until_titles(*THREE)

    @pytest.mark.parametrize("is_taken_back", [False, True])
    def test_in_the_next_run(self, three: Reader, is_taken_back: bool) -> None:
        three.press(pygame.K_DELETE)
        if is_taken_back:
            three.press(pygame.K_z, CTRL)
        three.app.push(HomeScene(three.app))
        three.app.pop(three.scene)
        three.end()
        three.begin()
        three.open_library()
        three.until_titles(*(THREE if is_taken_back else THREE[1:]))


class TestVariations:
    @pytest.fixture
    def branching(self, reader: Reader) -> Reader:
        """A match with two variations, beside another match."""
        match = played("othello", steps=6)
        kept = reader.writer.begin(match)
        kept.open()
        for _number in range(2):
            for _back in range(2):
                match.undo()
                kept.keep()
            for _forth in range(2):
                match.play(match.legal_steps()[_number])
                kept.keep()
        kept.close()
        assert reader.writer.flush(PATIENCE)
        reader.add(played("santorini"))
        reader.open_library()
        return reader

    def test_are_folded_out_and_in_by_keys_or_a_click_on_their_number(self, branching: Reader) -> None:
        folded, unfolded = ("Santorini", "Othello"), ("Santorini", "Othello", "Othello", "Othello")
        branching.until_titles(*folded)
        branching.keys(pygame.K_DOWN, pygame.K_RIGHT)
        branching.until_titles(*unfolded)
        assert [entry.depth for entry in branching.rows.entries] == [0, 0, 1, 1]
        branching.keys(pygame.K_DOWN, pygame.K_LEFT)
        assert branching.rows.index == 1, "to the match that it branches off from"
        branching.press(pygame.K_LEFT)
        branching.until_titles(*folded)
        rect = branching.rows._fold_rect(1)
        branching.click((rect.x + 20, rect.centery))
        branching.until_titles(*unfolded)

    def test_are_deleted_with_their_match_and_come_back_with_it(self, branching: Reader) -> None:
        branching.keys(pygame.K_DOWN, pygame.K_DELETE)
        branching.until(lambda: len(branching.writer.deleted) == 3)
        branching.until_titles("Santorini")
        branching.press(pygame.K_z, CTRL)
        branching.until_titles("Santorini", "Othello")
        branching.until(lambda: branching.rows.entries[1].branches == 2)


def _old_checkers(year: str) -> str:
    return f'[Event "x"]\n[Date "{year}.??.??"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n\n'


class TestRecords:
    def test_files_are_brought_in(self, three: Reader, tmp_path: Path) -> None:
        folder = tmp_path / "documents"
        folder.mkdir()
        records = write_collection(played("xiangqi", seed=seed) for seed in (1, 2))
        (folder / "some.txt").write_text("".join(records), encoding="utf-8")
        three.press(pygame.K_o, CTRL)
        chooser = three.scene_as(FileChooser)
        three.until(lambda: chooser._job is None)
        assert chooser.folder == folder
        three.press(pygame.K_RETURN)
        three.until(lambda: len(three.titles) == 5)
        three.until(lambda: three.app.notice == "2 matches were imported.")

    def test_dropped_and_pasted(self, three: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        clipboard = [" "]
        monkeypatch.setattr(three.app, "clipboard_text", lambda: clipboard[0])
        three.click("paste")
        assert "There is no text on the clipboard" in three.app.notice
        path = tmp_path / "one.txt"
        path.write_text(write(played("xiangqi", seed=1)), encoding="utf-8")
        three.scene.take_file(str(path))
        clipboard[0] = write(played("xiangqi", seed=2))
        three.press(pygame.K_v, CTRL)
        three.until(lambda: len(three.titles) == 5)

    def test_what_is_new_is_selected(self, three: Reader) -> None:
        """One match is chosen, several are marked, too; filters that hide all of them are cleared."""
        three.add(*(played("santorini", seed=seed) for seed in range(3, 23)))
        three.until(lambda: len(three.titles) == 23)
        three.scene.import_records(Source(text=_old_checkers("1841")))
        three.until(lambda: three.rows.index == 23)
        assert three.rows.chosen is not None and three.rows.chosen.summary.game == "checkers"
        assert three.rows.top > 0 and not three.rows.marked
        three.widget_as("filter game", Dropdown).choose("othello")
        three.until_titles("Othello")
        three.scene.import_records(Source(text=_old_checkers("1842") + _old_checkers("1843")))
        three.until(lambda: len(three.rows.marked) == 2)
        assert three.scene.filters.wanted.is_all and len(three.titles) == 26
        days = [played_in_words(entry.summary) for entry in three.rows.marked_entries]
        assert days == ["1843", "1842"] and three.rows.index == 23

    def test_dates_are_those_that_files_tell(self, three: Reader, tmp_path: Path) -> None:
        """Also those of before computers, and years alone; players without names are called by their sides."""
        path = tmp_path / "old.pdn"
        dates = ("1841.??.??", "1998.12.13", "2003.??.??", "????.??.??")
        games = (f'[Event "x"]\n[Date "{date}"]\n[Result "1-0"]\n\n1. 11-15 23-19 1-0\n' for date in dates)
        path.write_text("\n".join(games), encoding="utf-8")
        three.scene.import_records(path)
        three.until(lambda: len(three.titles) == 7)
        listed = [entry for entry in three.rows.entries if entry.summary.game == "checkers"]
        days = [played_in_words(entry.summary) for entry in listed]
        assert days[0].startswith("today, ") and days[1:] == ["2003", "1998-12-13", "1841"]
        assert {entry.players for entry in listed} == {"Black against White"}
        assert {entry.result for entry in listed} == {"Black won"}

    def test_files_whose_encoding_is_a_guess_are_asked_about(self, three: Reader, tmp_path: Path) -> None:
        names = {"a.ggf": "Jérôme", "b.ggf": "Noël", "c.ggf": "Zoe"}
        for file, name in names.items():
            (tmp_path / file).write_bytes(f"(;GM[Othello]PB[{name}]PW[x]TY[8]B[f5]W[d6];)".encode("cp1252"))
        three.scene._import_files([tmp_path / file for file in names])
        three.until(lambda: isinstance(three.app.scene, EncodingDialog))
        dialog = three.scene_as(EncodingDialog)
        assert "a.ggf" in dialog.text
        three.widget_as("encoding", Dropdown).choose("gb18030")
        three.click(dialog._buttons[-1].rect.center)
        three.until(lambda: three.app.notice == "3 matches were imported.")
        three.until(lambda: len(three.titles) == 6)
        told = " ".join(entry.players for entry in three.rows.entries)
        assert "Zoe" in told and "Jérôme" not in told and "Noël" not in told

    def test_the_guess_may_stay(self, three: Reader, tmp_path: Path) -> None:
        path = tmp_path / "a.ggf"
        path.write_bytes("(;GM[Othello]PB[Jérôme]PW[x]TY[8]B[f5]W[d6];)".encode("cp1252"))
        three.scene.take_file(str(path))
        three.until(lambda: isinstance(three.app.scene, EncodingDialog))
        three.click(three.scene_as(EncodingDialog)._buttons[-1].rect.center)
        three.until(lambda: len(three.titles) == 4)
        assert any("Jérôme" in entry.players for entry in three.rows.entries)

    def test_what_is_refused_is_said_in_a_dialog(self, three: Reader) -> None:
        good, bad = write(played("xiangqi")), write(played("checkers")).replace("[Version ", "[Version1 ")
        three.scene.import_records(Source(text=good + "\n" + bad))
        three.until(lambda: isinstance(three.app.scene, Message))
        text = three.scene_as(Message).text
        assert text.startswith("1 match was imported. 1 was not imported:\nGame 2: The record has no tag Version")
        three.check_layout()

    def test_marked_matches_are_written_to_one_file(self, three: Reader, tmp_path: Path) -> None:
        (tmp_path / "documents").mkdir()
        three.press(pygame.K_a, CTRL)
        three.press(pygame.K_s, CTRL)
        chooser = three.scene_as(FileChooser)
        assert chooser.title == "Export 3 matches"
        three.widget_as("file name", TextField).write("three")
        three.press(pygame.K_RETURN)
        three.until(lambda: "3 matches were saved as" in three.app.notice)
        text = (tmp_path / "documents" / "three.txt").read_text(encoding="utf-8")
        assert text.count("[Game ") == 3

    def test_hidden_cards_stay_at_home(self, reader: Reader, tmp_path: Path) -> None:
        (tmp_path / "documents").mkdir()
        reader.add(played("catur-jawa", "human", "random"))
        reader.open_library()
        reader.press(pygame.K_s, CTRL)
        reader.press(pygame.K_RETURN)
        reader.until(lambda: "hidden cards" in reader.app.notice)
        assert "No file was written." in reader.app.notice and list((tmp_path / "documents").iterdir()) == []


def test_what_comes_back_after_leaving_is_for_nobody(three: Reader, tmp_path: Path) -> None:
    three.show(HomeScene(three.app))
    scene = three.show(LibraryScene(three.app, three.services, three.library_reader))
    three.until(lambda: scene.listing is not None)
    scene.import_records(Source(text=write(played("xiangqi"))))
    scene._export(scene.listing.entries if scene.listing else (), [tmp_path / "out.txt"])
    three.keys(pygame.K_DELETE, pygame.K_ESCAPE)
    three.until(lambda: "saved as" in three.app.notice)
    three.frames(20)
    three.scene_as(HomeScene)


class TestMany:
    @pytest.fixture
    def many(self, reader: Reader) -> Reader:
        """Eight hundred matches."""
        match = played("connect-four")
        reader.writer.add([NewMatch(header_of(match), SnapshotBuilder(match).snapshot())] * 800)
        assert reader.writer.flush(PATIENCE)
        reader.open_library()
        reader.until(lambda: len(reader.titles) == 800)
        return reader

    def test_scroll_by_drawing_what_is_seen(self, many: Reader) -> None:
        rows = many.rows
        most = rows.rect.h // many.app.theme.px(ROW) + 2
        drawn = []
        many.move(many.row(0))
        for _ in range(40):
            many.event(pygame.MOUSEWHEEL, x=0, y=-6, flipped=False)
            drawn.append(rows.drawn_rows)
        many.press(pygame.K_END)
        drawn.append(rows.drawn_rows)
        assert 0 < max(drawn) <= most
        assert rows.index == 799 and rows._row_rect(799).bottom <= rows.rect.bottom
        many.press(pygame.K_HOME)
        assert rows.index == 0 and rows._row_rect(0).y >= rows.rect.y
        track = rows._track
        many.drag((track.centerx, rows._thumb.centery), (track.centerx, track.bottom))
        assert rows._row_rect(799).bottom <= rows.rect.bottom + 1
        many.frames(5)
        assert len(many.scene._miniatures) <= 170

    def test_are_marked_at_once(self, many: Reader) -> None:
        many.press(pygame.K_a, CTRL)
        assert len(many.rows.marked) == 800
        many.press(pygame.K_DELETE)
        many.until_titles()
        many.press(pygame.K_z, CTRL)
        many.until(lambda: len(many.titles) == 800)
        many.press(pygame.K_DOWN, SHIFT)
        many.press(pygame.K_DOWN, SHIFT)
        assert len(many.rows.marked) == 3
        many.press(pygame.K_ESCAPE)
        assert not many.rows.marked


def test_reports_follow_the_language(hands: Hands) -> None:
    """Also those that were made before it was changed."""
    hands.app.notify(import_in_words(ImportProgress(stored=2)))
    assert hands.app.notice == "2 matches were imported."
    texts.use("id")
    try:
        assert hands.app.notice == "2 pertandingan diimpor."
        assert not translated(export_in_words(ExportResult(Path("a.txt"), hidden=1))).startswith("No file")
    finally:
        texts.use("en")
