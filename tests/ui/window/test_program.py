"""The program put together: from the home screen to a table and back, matches kept and records opened."""

from __future__ import annotations

import gc
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

import pygame
import pytest

from papan.ai.players import Player, make_player
from papan.game.base.places import CHECKOUT
from papan.game.catalogue import GALLERY, GAMES
from papan.game.formats.source import Source
from papan.game.game import Game
from papan.game.match import Conclusion, Match
from papan.game.match.library import Origin, SavedMatch, replay
from papan.game.match.library.reader import Stored
from papan.game.match.notation import parse_turn
from papan.game.match.record import read, write
from papan.game.rules import CHANCE, State
from papan.self_test import close_in_order
from papan.ui.boards import BoardError
from papan.ui.play.explorer import OWN, Wanted
from papan.ui.play.library_reader import StoredMatches
from papan.ui.scenes import Scene, saving
from papan.ui.scenes.dialogs import Message, NotSaved, Waiting
from papan.ui.scenes.explorer.scene import ExplorerScene, explore_match, start_of
from papan.ui.scenes.home.scene import HomeScene
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.scenes.library.scene import LibraryScene
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.position_editor import PositionScene
from papan.ui.scenes.review.scene import ReviewScene
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.buttons import Pressable
from papan.ui.widgets.cards import GameCard
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.window.program import Program, player_choices
from tests.kernels import SHARED
from tests.ui.matches import in_columns
from tests.ui.sharing import share_pictures
from tests.waiting import PATIENCE, wait_for

FOUR = GAMES["connect-four"]
S = TypeVar("S", bound=Scene)


@contextmanager
def ended(program: Program) -> Iterator[Program]:
    """*program*, which is taken apart when this ends."""
    share_pictures(program.app.paint)
    yield program
    for scene in program.app.scenes:
        scene.leave()
    assert program.thinker.close(PATIENCE) and program.services.reviewer.close(PATIENCE)
    assert program.writer.close(PATIENCE)
    assert program.library_reader.close(PATIENCE)
    program.library.close()
    program.app.close()


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    with ended(Program(size=(1280, 800))) as program:
        program.app.settings.animation = "off"
        frames(program, 3)
        yield program


def frames(program: Program, number: int) -> None:
    for _ in range(number):
        program.app.step(1 / 60, [])


def past_matches(program: Program) -> StoredMatches:
    """The library's lists, once all is written."""
    assert program.writer.flush(PATIENCE)
    assert program.services.past_matches is not None
    return program.services.past_matches


def scene_as(program: Program, kind: type[S]) -> S:
    """The topmost scene, which must be of that *kind*."""
    assert isinstance(program.app.scene, kind), f"{program.app.scene} is shown"
    return program.app.scene


def activate(scene: Scene | None, name: str) -> None:
    """Press the button called *name*."""
    assert scene is not None
    button = scene.widgets.named(name)
    assert isinstance(button, Pressable)
    button.activate()


def opened_as(program: Program, kind: type[S]) -> S:
    assert opened(program) is program.app.scene
    return scene_as(program, kind)


def opened(program: Program) -> Scene:
    """The scene that shows a record, or why it can't be shown, once it has been read."""

    def look() -> Scene | None:
        scene = program.app.scene
        if isinstance(scene, (ReviewScene, PositionScene, Message)) and not isinstance(scene, Waiting):
            return scene
        frames(program, 1)
        return None

    return wait_for(look, "the record")


def until(program: Program, holds: Callable[[], object], what: str) -> None:
    """Draw frames until *holds*."""

    def look() -> object:
        frames(program, 1)
        return holds()

    wait_for(look, what)


def wait_until_read(program: Program) -> None:
    """Step until the match that was asked for is shown."""
    until(program, lambda: not program.is_reading, "the match")


def resumed(program: Program) -> TableScene:
    """The table of the only unfinished match, opened from the library."""
    [waiting] = past_matches(program).unfinished(5)
    waiting.open()
    wait_until_read(program)
    return scene_as(program, TableScene)


def left(program: Program) -> None:
    """Begin a match, play a step, and leave the table."""
    table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
    table.session.point(3)
    table.back()


def record_of(*columns: int) -> str:
    return write(in_columns("".join(str(column + 1) for column in columns)))


class TestMilestones:
    def count(self, program: Program) -> list[str]:
        """The keys kept once they have been counted anew."""
        counted: list[object] = []
        program.services.count_milestones()
        program.services.replayer.submit(lambda: program.app.call_soon(lambda: counted.append(1)))
        until(program, lambda: counted, "the milestones")
        return program.app.settings.milestones or []

    def play(self, program: Program) -> None:
        """Win a match against a computer, which is saved on another thread."""
        kept = program.writer.begin(in_columns("4343434", "human", "random"))
        kept.open()
        kept.keep()

    def test_one_that_is_reached_is_told_once(self, program: Program) -> None:
        assert self.count(program) == []
        self.play(program)
        assert self.count(program) == ["won connect-four"]
        assert program.app.notice == "Milestone reached: First win in Connect Four."
        assert self.count(program) == ["won connect-four"]

    def test_those_of_an_older_library_are_kept_in_silence(self, program: Program) -> None:
        self.count(program)
        program.app.settings.milestones = None
        self.play(program)
        assert self.count(program) == ["won connect-four"]
        assert program.app.notice == ""

    def test_they_are_counted_at_the_end_of_a_match(self, program: Program) -> None:
        self.count(program)
        table = program.start_match(FOUR, ["human", "random"], {"first": "1"})
        self.play(program)
        table.session.conclude(Conclusion("resigned", 0))
        until(program, lambda: program.app.settings.milestones, "the milestone")


class TestAMatchThatMayBegin:
    def test_its_players_are_compiled_while_the_person_chooses(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made: list[str] = []
        state_type = type(Match.new(FOUR, ["human"] * 2).state)

        def make(name: str, game: Game, *, compact: bool) -> Player:
            made.append(name)
            return make_player(name, game, compact=compact)

        def expect(players: Callable[[], Iterable[tuple[Player, State]]]) -> None:
            assert all(type(state) is state_type for _, state in players())

        monkeypatch.setattr("papan.ui.window.program.make_player", make)
        monkeypatch.setattr(program.thinker, "expect", expect)
        form = NewGameScene(program.app, FOUR, program.services)
        form.choices.players = ["human", "level:8"]
        program.app.push(form)
        assert made == ["level:8"]
        activate(form, "card minimax:hard")
        assert made == ["level:8", "minimax:hard"]
        form.choices.options["first"] = "nobody"  # refused at the start
        form.expect_match()
        assert len(made) == 2


class TestNames:
    def test_the_person_s_name_stands_in_new_records(self, program: Program) -> None:
        assert "Person" not in write(program.start_match(FOUR, ["human", "random"]).match)
        program.app.settings.person_name = 'Budi "B"'
        program.app.apply_settings()
        text = write(program.start_match(FOUR, ["human", "random"]).match)
        assert read(text).tags["Person"] == 'Budi "B"'
        assert "Person" not in write(program.start_match(FOUR, ["human", "human"]).match), "whose name would it be?"


class TestMatches:
    @pytest.fixture
    def held_back(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
        """A stored match is being opened, and is read only once the event is set."""
        left(program)
        frames(program, 2)
        gate = threading.Event()

        def read_late(stored: Stored) -> Match:
            assert gate.wait(PATIENCE)
            return replay(stored)

        monkeypatch.setattr("papan.ui.window.program.replay", read_late)
        [waiting] = past_matches(program).unfinished(5)
        waiting.open()
        yield gate
        gate.set()

    def test_the_window_goes_on_while_a_match_is_read(self, program: Program, held_back: threading.Event) -> None:
        frames(program, 3)
        assert not isinstance(program.app.scene, TableScene) and program.is_reading
        until(program, lambda: isinstance(program.app.scene, Waiting), "the message")
        held_back.set()
        wait_until_read(program)
        assert isinstance(program.app.scene, TableScene)
        assert [type(scene) for scene in program.app.scenes] == [HomeScene, TableScene]

    def test_what_is_known_of_each_step_is_worked_out_beside_it(
        self, program: Program, held_back: threading.Event, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Of four hundred turns of xiangqi that is work for a frame and a half."""
        threads: list[threading.Thread] = []
        take_up = program.writer.resume

        def noted(match: Match, stored: Stored, *, is_taken: bool) -> SavedMatch:
            threads.append(threading.current_thread())
            return take_up(match, stored, is_taken=is_taken)

        monkeypatch.setattr(program.writer, "resume", noted)
        held_back.set()
        wait_until_read(program)
        assert isinstance(program.app.scene, TableScene)
        assert [thread is threading.main_thread() for thread in threads] == [False]

    def test_who_has_gone_elsewhere_is_not_fetched_back(self, program: Program, held_back: threading.Event) -> None:
        frames(program, 1)
        activate(program.app.scene, "settings")
        there = program.app.scene
        held_back.set()
        wait_until_read(program)
        assert program.app.scene is there and not isinstance(there, HomeScene)

    def test_a_game_for_one_stands_there_with_its_score(self, program: Program) -> None:
        table = program.start_match(GAMES["2048"], ["human"], {"size": "2"})
        while not table.match.ending:
            if table.session.turn.due == "choosing":
                table.session.choose(table.match.legal_steps()[0])
            frames(program, 1)
        [result] = past_matches(program).last_finished(5)
        assert result.note == f"{table.match.state.score:,} points"

    @pytest.mark.parametrize("first", ["1", "2"])
    def test_playing_again_the_same_person_starts(self, program: Program, first: str) -> None:
        match = Match.new(FOUR, ["human", "random"], {"first": first})
        while not match.ending:
            match.play(match.legal_steps()[0])
        table = program.sit_down(match)
        activate(table, "main")
        assert program.app.scene is not table
        assert scene_as(program, TableScene).match.seats == match.seats

    def test_one_whose_board_cannot_be_shown_is_explained(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        left(program)

        def refuse(*_: object) -> None:
            raise BoardError("There is no board.")

        monkeypatch.setattr("papan.ui.scenes.table.model.board_of", refuse)
        [waiting] = past_matches(program).unfinished(5)
        waiting.open()
        wait_until_read(program)
        assert isinstance(program.app.scene, Message)


class TestTheFirstSteps:
    """Who has never played is offered a lesson, until the first match or the first lesson."""

    @staticmethod
    def first(program: Program) -> str:
        """What Enter does on the home screen: the name of the button."""
        frames(program, 3)
        assert program.app.scene is not None and program.app.scene.widgets.focused is not None
        return program.app.scene.widgets.focused.name

    def test_they_are_offered_until_a_match_begins(self, home: Path) -> None:
        with ended(Program(size=(1280, 800))) as program:
            assert self.first(program) == "lesson"
            program.start_match(FOUR, ["human", "human"]).back()  # nothing was played: the library stays empty
            frames(program, 2)
            assert not past_matches(program).unfinished(1)
            assert self.first(program) == "play", "it was offered, and is not offered again"
        with ended(Program(size=(1280, 800))) as program:
            assert self.first(program) == "play", "nor in another window"

    def test_matches_with_the_hints_of_old_are_played_on(self, program: Program) -> None:
        match = Match.new(FOUR, ["human", "level:1"], {"first": "1"}, seed=1)
        match.tags["Guided"] = "yes"
        table = program.sit_down(match)
        table.session.point(3)
        table.session.finish_showing()
        table.back()
        again = resumed(program)
        assert again.match.tags["Guided"] == "yes"


class TestPicturesOfGames:
    def test_the_next_start_shows_them_in_its_first_frame(self, home: Path) -> None:
        with ended(Program(size=(1280, 800))) as program:
            scene = program.app.scene
            assert scene is not None
            until(program, lambda: not scene.is_animating, "the pictures")
            frames(program, 1)
            assert program.services.replayer.close(PATIENCE)
        with ended(Program(size=(1280, 800))) as program:
            frames(program, 1)
            assert program.app.scene is not None
            cards = [one for one in program.app.scene.widgets.all if isinstance(one, GameCard)]
            assert len(cards) == len(GALLERY) and all(card.is_ready for card in cards)


class TestALibraryThatCannotBeUsedAtFirst:
    def test_its_matches_are_there_as_soon_as_it_can(self, home: Path) -> None:
        with ended(Program(size=(1280, 800))) as program:
            program.start_match(FOUR, ["human", "human"], {"first": "1"}).session.point(3)
            assert program.writer.flush(PATIENCE)
        with closing(sqlite3.connect(program.library.path, isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
            other.execute("UPDATE matches SET heartbeat = heartbeat")
            program = Program(size=(1280, 800))
            frames(program, 2)
            assert "another program is using it" in program.app.notice
            assert isinstance(program.app.scene, HomeScene) and program.app.scene.widgets.named("resume") is None
        with ended(program):
            home_scene = program.app.scene
            until(program, lambda: home_scene.widgets.named("resume") is not None, "the match")
            activate(home_scene, "resume")
            wait_until_read(program)
            assert isinstance(program.app.scene, TableScene) and list(program.app.scene.match.steps) == [3]


class TestSettingUp:
    """A position of one's own: from the clipboard to a match, its record, and the library."""

    @staticmethod
    def pasted(program: Program, text: str) -> PositionScene:
        program.app.copy_text(text)
        activate(program.app.scene, "paste")
        until(program, lambda: isinstance(program.app.scene, PositionScene), "the position")
        assert isinstance(program.app.scene, PositionScene)
        return program.app.scene

    def test_a_match_keeps_the_position_in_its_record_and_in_the_library(self, program: Program) -> None:
        scene = self.pasted(program, "4455\n")
        scene.editor.put(0, 0)
        scene._refresh()
        text = scene.editor.text
        activate(scene, "play")
        form = scene_as(program, NewGameScene)
        form.choices.players = ["human", "human"]
        activate(form, "start")
        table = scene_as(program, TableScene)
        assert table.match.states[0] == scene_state(text)
        table.session.point(6)
        assert read(write(table.match)).states[0] == scene_state(text)
        assert f'[Position "{table.match.rules.text(table.match.states[0])}"]' in write(table.match)
        table.session.finish_showing()
        table.back()
        again = resumed(program)
        assert again is not table
        assert again.match.states[0] == scene_state(text) and list(again.match.steps) == [6]
        assert again.match.position is not None and Match.new(FOUR, ["human"] * 2).position is None

    def test_a_forbidden_chase_ends_as_the_chosen_option_says(self, program: Program) -> None:
        activate(self.pasted(program, "3k5/9/9/9/c8/9/9/9/R8/5K3 b"), "play")
        form = scene_as(program, NewGameScene)
        form.choices.players = ["human", "human"]
        activate(form, "options")
        frames(program, 2)
        option = form.widgets.named("option repetition")
        assert isinstance(option, Dropdown)
        option.choose("axf")
        activate(form, "start")
        table = scene_as(program, TableScene)
        for move in ["a5b5", "a1b1", "b5a5", "b1a1", "a5b5", "a1b1", "b5a5", "b1a1"]:
            [step] = parse_turn(table.match.rules, table.match.state, move)
            for cell in (step >> 7, step & 127):
                assert table.session.point(cell) is None
            table.session.finish_showing()
        frames(program, 2)
        assert table.words.status() == ("Player 2 won", "Red attacked the cannon with every move (perpetual chase)")
        review = program.review(table.match)
        assert "perpetual chase" in write(review.reviewed.match)

    def test_the_next_match_begins_there_too(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"}, position="121212")
        table.session.point(0)
        table.session.finish_showing()
        frames(program, 2)
        assert table.match.ending is not None
        activate(table, "main")
        again = scene_as(program, TableScene)
        assert again is not table
        assert again.match.states[0] == scene_state("121212") and not again.match.steps

    def test_a_table_leads_to_it(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        table.session.point(3)
        table.actions.act("set up")
        scene = scene_as(program, PositionScene)
        assert scene.editor.text == "4"
        scene.back()
        assert program.app.scene is table


def scene_state(text: str) -> object:
    return FOUR.rules.parse(text, {})


class TestClosing:
    @pytest.fixture
    def locked(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[sqlite3.Connection]:
        """Another program writes to the library, after a match was begun."""
        monkeypatch.setattr("papan.ui.window.program._SAVING_TIMEOUT", 0.01)
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        assert program.writer.flush(PATIENCE)
        with closing(sqlite3.connect(program.library.path)) as other:
            other.execute("BEGIN IMMEDIATE")
            table.session.point(3)
            frames(program, 1)
            yield other

    def test_a_match_that_is_saved_keeps_no_window_open(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        table.session.point(3)
        program.app.quit()
        assert not program.app.is_running

    def test_what_is_not_saved_is_said_first(self, program: Program, locked: sqlite3.Connection, home: Path) -> None:
        program.app.quit()
        program.app.quit()
        assert program.app.is_running and isinstance(program.app.scene, NotSaved)
        assert sum(isinstance(scene, NotSaved) for scene in program.app.scenes) == 1
        activate(program.app.scene, "Save a copy…")
        [copy] = (home / "documents").iterdir()
        assert read(copy.read_text(encoding="utf-8")).steps == [3]
        activate(program.app.scene, "Quit without saving")
        assert not program.app.is_running

    def test_trying_again(self, program: Program, locked: sqlite3.Connection) -> None:
        program.app.quit()
        activate(program.app.scene, "Try again")
        assert program.app.is_running and isinstance(program.app.scene, NotSaved), "it is still locked"
        locked.rollback()
        assert program.writer.flush(PATIENCE)
        activate(program.app.scene, "Try again")
        assert not program.app.is_running

    def test_home_offers_what_is_not_saved_yet(self, program: Program, locked: sqlite3.Connection) -> None:
        assert isinstance(program.app.scene, TableScene)
        table = program.app.scene
        table.session.finish_showing()
        table.back()
        assert isinstance(program.app.scene, HomeScene)
        activate(program.app.scene, "resume")
        assert isinstance(program.app.scene, TableScene) and program.app.scene is not table
        assert list(program.app.scene.match.steps) == [3]
        program.app.scene.session.point(4)
        locked.rollback()
        assert list(resumed(program).match.steps) == [3, 4]

    def test_home_shows_what_is_stored_after_it_was_entered(self, program: Program, locked: sqlite3.Connection) -> None:
        program.app.pop()
        home = program.app.scene
        assert isinstance(home, HomeScene) and home.widgets.named("resume") is not None
        home.widgets.focus(home.widgets.named("resume"))
        program.app.step(1 / 60, [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_DELETE, mod=0, unicode="")])
        frames(program, 2)
        assert home.widgets.named("resume") is None
        locked.rollback()
        assert program.writer.flush(PATIENCE)
        frames(program, 2)
        assert home.widgets.named("resume") is None

    def test_rows_that_make_no_sense_are_told_of_once(self, program: Program) -> None:
        for _number in range(3):
            left(program)
        assert program.writer.flush(PATIENCE)
        with closing(sqlite3.connect(program.library.path)) as other, other:
            other.execute("UPDATE matches SET seats = '[' WHERE id > 1")
        assert past_matches(program).unfinished(5)
        told = "2 matches in the library can't be read and are left as they are."
        assert program.app.notice == told
        while program.app.notice:
            frames(program, 10)
        assert past_matches(program).unfinished(5) and program.app.notice == ""


class TestRecords:
    @pytest.mark.parametrize("text", ["hello", record_of(3).replace("1. 4", "1. 9")])
    def test_anything_else_is_explained(self, program: Program, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
        monkeypatch.setattr(program.app, "clipboard_text", lambda: text)
        activate(program.app.scene, "paste")
        message = opened_as(program, Message)
        assert message.title == "This can't be opened"

    def test_the_tables_record_reads_back(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        copied: list[str] = []
        monkeypatch.setattr(program.app, "copy_text", copied.append)
        monkeypatch.setattr(saving, "_RECORD_SLICE_SECONDS", 10.0)
        program.sit_down(read(record_of(3, 3, 2))).actions.act("copy")
        program.open_record(record_of(3, 3, 2))
        activate(opened(program), "copy")
        assert copied == [record_of(3, 3, 2)] * 2

    def test_a_long_record_is_written_in_later_frames(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        copied: list[str] = []
        monkeypatch.setattr(program.app, "copy_text", copied.append)
        monkeypatch.setattr(saving, "_RECORD_SLICE_SECONDS", 0.0)
        table = program.sit_down(read(record_of(3, 3, 2)))
        table.actions.act("copy")
        assert not copied
        table.actions.take_back()  # what is copied is the match as it stood
        for _ in range(3):
            program.app.step(1 / 60, [])
        assert copied == [record_of(3, 3, 2)]

    def test_a_file_with_several_is_brought_into_the_library(self, program: Program, tmp_path: Path) -> None:
        path = tmp_path / "matches.txt"
        path.write_text("\n".join(record_of(3, 3, column) for column in range(3)), encoding="utf-8")
        program.app.step(1 / 60, [pygame.event.Event(pygame.DROPFILE, file=str(path))])
        until(program, lambda: len(program.library.unfinished()) == 3, "the matches")
        assert isinstance(program.app.scene, LibraryScene)

    def test_a_match_begun_in_a_review_branches_off(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        for column in (3, 3, 2):
            table.match.play(column)
        table.session.changed(table.match)
        table.back()
        assert program.writer.flush(PATIENCE)
        program.review_stored(1)
        review = opened_as(program, ReviewScene)
        review.go_to(2)
        activate(review, "branch")
        scene_as(program, TableScene).session.point(5)
        assert program.writer.flush(PATIENCE)
        summaries = [summary for page in program.library.all() for summary in page]
        assert [(summary.id, summary.origin) for summary in summaries] == [(1, None), (2, Origin(1, 2))]

    def test_a_file_that_is_no_record_is_explained(self, program: Program, tmp_path: Path) -> None:
        picture = tmp_path / "picture.png"
        picture.write_bytes(b"\x89PNG\xff\xfe")
        for path in (picture, tmp_path / "nothing.txt", tmp_path):
            program.open_record_file(str(path))
            message = opened_as(program, Message)
            assert path.name in message.text and message.title == "This file can't be read"
            program.app.pop()

    def test_a_file_may_hold_a_position(self, program: Program, tmp_path: Path) -> None:
        path = tmp_path / "problem.fen"
        path.write_text("W:W31-32,K5:B1-4.\n", encoding="utf-8")
        program.open_record_file(str(path))
        scene = opened_as(program, PositionScene)
        assert scene.game.name == "checkers" and not scene.editor.fault
        program.app.pop()

    def test_what_is_doubtful_about_a_file_or_a_text_is_told(self, program: Program, tmp_path: Path) -> None:
        path = tmp_path / "a.sgf"
        path.write_text("(;GM[2]FF[4];B[f5];W[d6]", encoding="utf-8")
        for show, told in ((program.open_record_file, str(path)), (program.open_record, path.read_text("utf-8"))):
            show(told)
            message = opened_as(program, Message)
            assert "The text breaks off there" in message.text and message.title == "Read with doubts"
            program.app.pop()
            program.app.pop(scene_as(program, ReviewScene))

    def test_a_result_is_opened_as_a_review(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "random"], {"first": "1"})
        for step in (0, 1, 0, 1, 0, 1, 0):
            table.match.play(step)
        table.session.changed(table.match)
        table.back()
        [result] = past_matches(program).last_finished(5)
        assert (result.title, result.players, result.note) == ("Connect Four", "You against Random", "won")
        result.open()
        wait_until_read(program)
        assert scene_as(program, ReviewScene).reviewed.result() == "won in 7 turns"

    def test_playing_on_keeps_the_match_that_was_reviewed(self, program: Program) -> None:
        program.open_record(record_of(3, 3, 2))
        review = opened_as(program, ReviewScene)
        review.go_to(1)
        activate(review, "branch")
        assert list(scene_as(program, TableScene).match.steps) == [3]
        assert list(review.reviewed.steps) == [3, 3, 2]

    def test_a_record_of_players_that_there_are_not_is_only_looked_at(self, program: Program) -> None:
        program.open_record(record_of(3).replace("human", "nobody"))
        review = opened_as(program, ReviewScene)
        activate(review, "branch")
        assert isinstance(program.app.scene, Message) and "nobody" in program.app.scene.text


class TestPasting:
    """What is on the clipboard opens above any scene, as on the home screen."""

    def paste(self, program: Program) -> None:
        program.app.step(
            1 / 60, [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_v, mod=pygame.KMOD_LCTRL, unicode="")]
        )

    def test_a_running_match_stays_below(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        clipboard = [" "]
        monkeypatch.setattr(program.app, "clipboard_text", lambda: clipboard[0])
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        table.session.point(6)
        self.paste(program)
        assert "There is no text on the clipboard" in program.app.notice
        assert scene_as(program, TableScene) is table
        clipboard[0] = record_of(3, 3, 2)
        self.paste(program)
        review = opened_as(program, ReviewScene)
        assert list(review.reviewed.steps) == [3, 3, 2]
        clipboard[0] = record_of(1, 1)
        self.paste(program)
        until(program, lambda: program.app.scene is not review, "the other record")
        assert list(opened_as(program, ReviewScene).reviewed.steps) == [1, 1]
        program.app.pop()
        assert scene_as(program, ReviewScene) is review
        program.app.pop()
        assert scene_as(program, TableScene) is table and list(table.match.steps) == [6]

    def test_of_the_explorer_too_but_not_above_a_question(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(program.app, "clipboard_text", lambda: record_of(3, 3, 2))
        message = Message(program.app, "A question", "Yes or no?")
        program.app.push(message)
        self.paste(program)
        assert not program.is_reading and program.app.scene is message
        program.app.pop()
        explore_match(program.app, start_of(FOUR), program.services)
        self.paste(program)
        opened_as(program, ReviewScene)

    def test_every_scene_lists_the_key(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        assert "Ctrl+V" in {keys for keys, _meaning in KeysMessage(program.app, table).entries}


class TestExploring:
    def test_from_the_home_screen(self, program: Program) -> None:
        """The game of the last match that can have collections."""
        for game in ("othello", "2048"):
            table = program.start_match(GAMES[game], ["human"] * GAMES[game].seats[0], {"first": "1"})
            for _ in range(3):
                legal = table.match.legal_steps() if table.match.mover != CHANCE else [table.match.chance_step()]
                table.match.play(legal[0])
            table.session.changed(table.match)
            table.back()
            past_matches(program)
        frames(program, 2)
        home = scene_as(program, HomeScene)
        assert ("Ctrl+B", "explore what others played") in KeysMessage(program.app, home).entries
        home.widgets.focus(None)
        program.app.step(
            1 / 60, [pygame.event.Event(pygame.KEYDOWN, key=pygame.K_b, mod=pygame.KMOD_LCTRL, unicode="")]
        )
        until(program, lambda: isinstance(program.app.scene, ExplorerScene), "the explorer")
        assert scene_as(program, ExplorerScene).game.name == "othello"

    def test_own_matches_open_at_the_position(self, program: Program) -> None:
        """Not at their end, as from the library."""
        table = program.start_match(FOUR, ["human", "random"], {"first": "1"})
        for step in (0, 1, 0, 1, 0, 1, 0):
            table.match.play(step)
        table.session.changed(table.match)
        table.back()
        [result] = past_matches(program).last_finished(5)
        explored = table.match.up_to(3)
        scene = ExplorerScene(program.app, explored, program.services, wanted=Wanted(OWN))
        program.app.push(scene)
        until(program, lambda: scene.explorer.is_up_to_date, "the own matches")
        scene.open_game(0)
        until(program, lambda: isinstance(program.app.scene, ReviewScene), "the review")
        assert scene_as(program, ReviewScene).turn == 3
        program.app.pop()
        result.open()
        wait_until_read(program)
        assert scene_as(program, ReviewScene).turn == 7


class TestFiles:
    def test_both_are_copied_beside_the_window(self, program: Program) -> None:
        for path in (program.library.path, program.app.settings.path):
            copies = f"{path.name}.copy-????-??-??"
            wait_for(lambda path=path, copies=copies: list(path.parent.glob(copies)), copies)  # type: ignore[misc]

    def test_settings_that_cannot_be_written_are_told_of_once(self, program: Program) -> None:
        settings = program.app.settings
        holder = sqlite3.connect(settings.path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        settings.theme = "dark"
        assert "The settings can't be saved (another program is using it)" in program.app.notice
        while program.app.notice:
            program.app.step(10.0, [])
        settings.opponent = "level:7"
        holder.close()
        assert program.app.notice == ""


class TestRecordsThatTakeLong:
    """Reading goes on beside the window, which says so, and goes on when nobody wants it any more."""

    @pytest.fixture
    def slow_disk(self, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
        """Until it is set, no file is read."""
        is_awake = threading.Event()

        def read_in_the_end(path: Path) -> Source:
            assert is_awake.wait(PATIENCE)
            return Source(text=record_of(3, 3, 2))

        monkeypatch.setattr("papan.ui.window.program.Source", read_in_the_end)
        return is_awake

    def wait(self, program: Program) -> None:
        """Wait for the message that something is being read."""
        until(program, lambda: isinstance(program.app.scene, Waiting), "the message")

    def test_the_window_says_that_it_reads(self, program: Program, slow_disk: threading.Event) -> None:
        program.open_record_file("somewhere")
        self.wait(program)
        slow_disk.set()
        assert isinstance(opened(program), ReviewScene)
        assert not any(isinstance(scene, Waiting) for scene in program.app.scenes)

    def test_whoever_cancels_is_shown_nothing(self, program: Program, slow_disk: threading.Event) -> None:
        program.open_record_file("somewhere")
        self.wait(program)
        assert program.app.scene is not None
        program.app.scene.back()
        slow_disk.set()
        program.open_record("no record")  # which is read later
        message = opened_as(program, Message)
        assert message.title == "This can't be opened"
        assert len(program.app.scenes) == 2

    def test_of_two_the_last_one_counts(self, program: Program, slow_disk: threading.Event) -> None:
        program.open_record_file("somewhere")
        self.wait(program)
        program.open_record(record_of(6))
        review = opened(program)
        slow_disk.set()
        frames(program, 3)
        assert isinstance(review, ReviewScene) and list(review.reviewed.steps) == [6]
        assert [type(scene) for scene in program.app.scenes] == [HomeScene, ReviewScene]


class TestTheEnd:
    @pytest.mark.skipif(os.name != "posix", reason="the system asks in another way")
    def test_when_the_system_asks(self, home: Path) -> None:
        code = (
            "import os, signal\n"
            "from papan.game.catalogue import GAMES\n"
            "from papan.ui.window import system\n"
            "from papan.ui.window.program import Program\n"
            "system.MOST_END_SECONDS = 1000.0\n"
            "program = Program(size=(1280, 800))\n"
            "table = program.start_match(GAMES['connect-four'], ['human', 'human'])\n"
            "leave = table.leave\n"
            "table.leave = lambda: (print('left'), leave())\n"
            "program.app.before_quit.append(lambda: print('closed', flush=True))\n"
            "program.app.after_first_frame.append(lambda: os.kill(os.getpid(), signal.SIGHUP))\n"
            "program.run()\n"
        )
        environment = {**os.environ, **SHARED, "PAPAN_HOME": str(home), "SDL_VIDEODRIVER": "dummy"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.stdout.split(), done.returncode) == (["left", "closed"], 0), done.stderr

    @pytest.mark.skipif(os.name != "posix", reason="the system asks in another way")
    def test_what_does_not_end_is_cut_off(self) -> None:
        code = (
            "import os, signal, time\n"
            "from papan.ui.window import system\n"
            "system.MOST_END_SECONDS = 0.05\n"
            "with system.on_termination_signal(lambda: print('asked', flush=True)):\n"
            "    os.kill(os.getpid(), signal.SIGTERM)\n"
            "    time.sleep(1000)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE
        )
        assert (done.stdout.split(), done.returncode) == (["asked"], 128 + signal.SIGTERM), done.stderr


def test_the_levels_think_as_long_as_the_settings_say() -> None:
    names = [name for name, _, _ in player_choices(FOUR, 5.0)]
    assert "level:8,time=5" in names and "random" in names
    assert "level:8" in [name for name, _, _ in player_choices(FOUR, 1.0)]


def test_a_program_that_has_ended_is_held_by_nobody(home: Path) -> None:
    """What the system calls when it asks a program to end held the last one, and all that its tables had loaded."""
    program = Program(size=(1280, 800))
    program.app.after_first_frame.clear()  # what is compiled beside the window may go on for longer than it
    program.start_match(FOUR, ["human", "human"])
    program.app.step(1 / 60, [])
    close_in_order(program)
    app = weakref.ref(program.app)
    del program
    gc.collect()
    assert app() is None
