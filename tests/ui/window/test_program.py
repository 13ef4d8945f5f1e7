"""The program put together: from the home screen to a table and back, matches kept and records opened."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.game.catalogue import GAMES
from papan.game.facts import Game, PartError
from papan.game.match import Match
from papan.game.match.record import read, write
from papan.ui.boards import BoardError
from papan.ui.scenes import Scene
from papan.ui.scenes.home import HomeScene
from papan.ui.scenes.message import Message
from papan.ui.scenes.review import ReviewScene
from papan.ui.scenes.services import PastMatches
from papan.ui.scenes.table import TableScene
from papan.ui.widgets.buttons import Button
from papan.ui.window import program as program_module
from papan.ui.window.program import Program, player_choices
from tests.waiting import PATIENCE

FOUR = GAMES["connect-four"]


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    program = Program(size=(1280, 800))
    program.app.settings.animation = "off"
    frames(program, 3)
    yield program
    for scene in program.app.scenes:
        scene.leave()
    assert program.thinker.close(PATIENCE) and program.services.reviewer.close(PATIENCE)
    program.library.close()
    program.app.close()


def frames(program: Program, number: int) -> None:
    for _ in range(number):
        program.app.step(1 / 60, [])


def past_matches(program: Program) -> PastMatches:
    assert program.services.past_matches is not None
    return program.services.past_matches


def activate(scene: Scene | None, name: str) -> None:
    """Press the button called *name*."""
    assert scene is not None
    button = scene.widgets.named(name)
    assert isinstance(button, Button)
    button.activate()


def record_of(*columns: int) -> str:
    match = Match.new(FOUR, ["human", "human"], {"first": "1"}, seed=1)
    for column in columns:
        match.play(column)
    return write(match)


class TestLoading:
    def test_beside_the_window_all_games_are_tried_whatever_one_lacks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tried: list[str] = []

        def load(game: Game) -> None:
            tried.append(game.name)
            if game.name == "lacking":
                raise PartError("no such module")

        lacking = dataclasses.replace(FOUR, name="lacking")
        monkeypatch.setattr(program_module, "GALLERY", {"lacking": lacking, "connect-four": FOUR})
        for part in ("evaluation_of", "exact_of", "page_of"):
            monkeypatch.setattr(program_module, part, load)
        program_module.load_what_comes_next()
        assert tried == ["lacking", *["connect-four"] * 3]


class TestMatches:
    def test_a_started_match_can_be_resumed_from_the_home_screen(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        frames(program, 2)
        table.session.point(3)
        frames(program, 2)
        table.back()
        frames(program, 2)
        assert isinstance(program.app.scene, HomeScene)
        waiting = past_matches(program).unfinished()
        assert waiting is not None
        assert waiting.title.startswith("Connect Four") and "Player 1 against Player 2" in waiting.subtitle
        waiting.resume()
        assert isinstance(program.app.scene, TableScene)
        assert list(program.app.scene.match.steps) == [3]

    def test_a_match_without_a_step_is_not_kept(self, program: Program) -> None:
        program.start_match(FOUR, ["human", "human"]).back()
        assert past_matches(program).unfinished() is None

    def test_results_stand_under_lately(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "random"], {"first": "1"})
        for step in (0, 1, 0, 1, 0, 1, 0):
            table.match.play(step)
        table.session.changed(table.match)
        [result] = past_matches(program).last_finished(5)
        assert (result.title, result.note, result.outcome) == ("Connect Four", "Random", "won")

    def test_a_game_for_one_stands_there_with_its_score(self, program: Program) -> None:
        table = program.start_match(GAMES["2048"], ["human"], {"size": "2"})
        while not table.match.ending:
            if table.session.turn.due == "choosing":
                table.session.choose(table.match.legal_steps()[0])
            frames(program, 1)
        [result] = past_matches(program).last_finished(5)
        assert (result.note, result.outcome) == (f"score {table.match.state.score:,}", "over")

    @pytest.mark.parametrize("first", ["1", "2"])
    def test_playing_again_the_same_person_starts(self, program: Program, first: str) -> None:
        match = Match.new(FOUR, ["human", "random"], {"first": first})
        while not match.ending:
            match.play(match.legal_steps()[0])
        table = program.sit_down(match)
        activate(table, "main")
        assert program.app.scene is not table
        assert isinstance(program.app.scene, TableScene)
        assert program.app.scene.match.seats == match.seats

    def test_one_whose_board_cannot_be_shown_is_explained(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = program.start_match(FOUR, ["human", "human"])
        table.session.point(3)
        table.back()

        def refuse(*_: object) -> None:
            raise BoardError("There is no board.")

        monkeypatch.setattr("papan.ui.scenes.table.board_of", refuse)
        waiting = past_matches(program).unfinished()
        assert waiting is not None
        waiting.resume()
        assert isinstance(program.app.scene, Message)

    def test_a_dropped_match_is_gone(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"])
        table.session.point(3)
        table.back()
        waiting = past_matches(program).unfinished()
        assert waiting is not None
        waiting.drop()
        assert past_matches(program).unfinished() is None


class TestRecords:
    def test_a_record_on_the_clipboard_opens_as_a_review(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(program.app, "clipboard_text", lambda: record_of(3, 3, 2))
        activate(program.app.scene, "paste")
        assert isinstance(program.app.scene, ReviewScene)
        assert list(program.app.scene.reviewed.steps) == [3, 3, 2]

    @pytest.mark.parametrize("text", ["hello", record_of(3).replace("1. 4", "1. 9")])
    def test_anything_else_is_explained(self, program: Program, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
        monkeypatch.setattr(program.app, "clipboard_text", lambda: text)
        activate(program.app.scene, "paste")
        assert isinstance(program.app.scene, Message)

    def test_the_tables_record_reads_back(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        copied: list[str] = []
        monkeypatch.setattr(program.app, "copy_text", copied.append)
        activate(program.sit_down(read(record_of(3, 3, 2))), "copy")
        activate(program.open_record(record_of(3, 3, 2)), "copy")
        assert copied == [record_of(3, 3, 2)] * 2

    def test_a_file_is_dropped_on_the_window(self, program: Program, tmp_path: Path) -> None:
        path = tmp_path / "match.txt"
        path.write_text(record_of(3, 3, 2), encoding="utf-8")
        program.app.step(1 / 60, [pygame.event.Event(pygame.DROPFILE, file=str(path))])
        assert isinstance(program.app.scene, ReviewScene)
        assert program.app.scene.reviewed.turns == 3

    def test_a_file_that_is_no_record_is_explained(self, program: Program, tmp_path: Path) -> None:
        picture = tmp_path / "picture.png"
        picture.write_bytes(b"\x89PNG\xff\xfe")
        for path in (picture, tmp_path / "nothing.txt", tmp_path):
            program.open_record_file(str(path))
            assert isinstance(program.app.scene, Message)
            assert path.name in program.app.scene.text
            program.app.pop()

    def test_a_result_is_opened_as_a_review(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "random"], {"first": "1"})
        for step in (0, 1, 0, 1, 0, 1, 0):
            table.match.play(step)
        table.session.changed(table.match)
        table.back()
        past_matches(program).last_finished(1)[0].open()
        assert isinstance(program.app.scene, ReviewScene)
        assert program.app.scene.reviewed.result() == "won in 7 turns"

    def test_playing_on_keeps_the_match_that_was_reviewed(self, program: Program) -> None:
        review = program.open_record(record_of(3, 3, 2))
        assert review is not None
        review.go_to(1)
        activate(review, "branch")
        assert isinstance(program.app.scene, TableScene)
        assert list(program.app.scene.match.steps) == [3]
        assert list(review.reviewed.steps) == [3, 3, 2]

    def test_a_record_of_players_that_there_are_not_is_only_looked_at(self, program: Program) -> None:
        review = program.open_record(record_of(3).replace("human", "nobody"))
        assert isinstance(program.app.scene, ReviewScene)
        activate(review, "branch")
        assert isinstance(program.app.scene, Message) and "nobody" in program.app.scene.text


def test_the_levels_think_as_long_as_the_settings_say() -> None:
    names = [name for name, _, _ in player_choices(FOUR, 5.0)]
    assert "minimax:hard,time=5" in names and "random" in names
    assert "minimax:hard" in [name for name, _, _ in player_choices(FOUR, 1.0)]
