"""The program put together: from the home screen to a table and back, matches kept and records opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from game.catalogue import GAMES
from game.match import Match
from game.record import write
from ui.program import Program, player_choices
from ui.scenes.home import Home
from ui.scenes.message import Message
from ui.scenes.table import Table

FOUR = GAMES["connect-four"]


@pytest.fixture
def program(home: Path) -> Iterator[Program]:
    program = Program(size=(1280, 800))
    program.app.settings["animation"] = "off"
    frames(program, 3)
    yield program
    assert program.thinker.close(20)
    program.library.close()
    program.app.close()


def frames(program: Program, number: int) -> None:
    for _ in range(number):
        program.app.step(1 / 60, [])


def record_of(*columns: int) -> str:
    match = Match.new(FOUR, ["human", "human"], {"first": "1"}, seed=1)
    for column in columns:
        match.play(column)
    return write(match)


class TestMatches:
    def test_a_started_match_can_be_resumed_from_the_home_screen(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"], {"first": "1"})
        frames(program, 2)
        table.session.point(3)
        frames(program, 2)
        table.back()
        frames(program, 2)
        assert isinstance(program.app.scene, Home)
        waiting = program.app.library.unfinished()
        assert waiting is not None
        assert waiting.title.startswith("Connect Four") and "Player 1 against Player 2" in waiting.subtitle
        waiting.resume()
        assert isinstance(program.app.scene, Table)
        assert list(program.app.scene.match.steps) == [3]

    def test_a_match_without_a_step_is_not_kept(self, program: Program) -> None:
        program.start_match(FOUR, ["human", "human"]).back()
        assert program.app.library.unfinished() is None

    def test_results_stand_under_lately(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "random"], {"first": "1"})
        for step in (0, 1, 0, 1, 0, 1, 0):
            table.match.play(step)
        table.session.changed(table.match)
        [result] = program.app.library.lately(5)
        assert (result.title, result.note, result.outcome) == ("Connect Four", "Random", "won")

    def test_a_game_for_one_stands_there_with_its_score(self, program: Program) -> None:
        table = program.start_match(GAMES["2048"], ["human"], {"size": "2"})
        while not table.match.ending:
            if table.session.turn.due == "choosing":
                table.session.choose(table.match.legal_steps()[0])
            frames(program, 1)
        [result] = program.app.library.lately(5)
        assert (result.note, result.outcome) == (f"score {table.match.state.score:,}", "over")

    def test_a_dropped_match_is_gone(self, program: Program) -> None:
        table = program.start_match(FOUR, ["human", "human"])
        table.session.point(3)
        table.back()
        waiting = program.app.library.unfinished()
        assert waiting is not None
        waiting.drop()
        assert program.app.library.unfinished() is None


class TestRecords:
    def test_a_record_on_the_clipboard_opens_as_a_table(
        self, program: Program, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(program.app, "clipboard_text", lambda: record_of(3, 3, 2))
        program.app.scene.widgets.named("paste").activate()
        assert isinstance(program.app.scene, Table)
        assert list(program.app.scene.match.steps) == [3, 3, 2]

    @pytest.mark.parametrize("text", ["hello", record_of(3).replace("human", "nobody")])
    def test_anything_else_is_explained(self, program: Program, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
        monkeypatch.setattr(program.app, "clipboard_text", lambda: text)
        program.app.scene.widgets.named("paste").activate()
        assert isinstance(program.app.scene, Message)

    def test_the_tables_record_reads_back(self, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
        copied: list[str] = []
        monkeypatch.setattr(program.app, "copy_text", copied.append)
        program.open_record(record_of(3, 3, 2)).widgets.named("copy").activate()
        assert copied == [record_of(3, 3, 2)]


def test_the_levels_think_as_long_as_the_settings_say() -> None:
    names = [name for name, _, _ in player_choices(FOUR, 5.0)]
    assert "minimax:hard,time=5" in names and "random" in names
    assert "minimax:hard" in [name for name, _, _ in player_choices(FOUR, 1.0)]
