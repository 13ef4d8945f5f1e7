"""What the command line prints."""

from __future__ import annotations

import sys

import pytest

from papan.game.match import Turn
from papan.game.rules import CHANCE
from papan.lab.printing import NUMBER, TEXT, Scoresheet, table, working


def turn(seat: int, notation: str) -> Turn:
    return Turn(seat, notation, 0, 1)


class TestTable:
    COLUMNS = (("name", TEXT), ("number", NUMBER))
    ROWS = (("a", "1"), ("bcdef [b]", "20,000"))

    def test_is_plain_and_aligned_where_it_is_piped(self, capsys: pytest.CaptureFixture[str]) -> None:
        table(self.COLUMNS, self.ROWS)
        assert capsys.readouterr().out.splitlines() == ["name       number", "a               1", "bcdef [b]  20,000"]

    def test_is_drawn_on_a_terminal(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("TERM", "dumb")
        table(self.COLUMNS, self.ROWS)
        out = capsys.readouterr().out
        assert "─" in out and "bcdef [b]" in out and "20,000" in out


class TestWorking:
    def test_says_nothing_where_it_is_piped(self, capsys: pytest.CaptureFixture[str]) -> None:
        with working("measuring") as say:
            say("something else")
        assert capsys.readouterr() == ("", "")


class TestScoresheet:
    def lines(self, capsys: pytest.CaptureFixture[str], *turns: Turn) -> list[str]:
        sheet = Scoresheet(["random", "minimax:depth=12"])
        for played in turns:
            sheet.add(played)
        sheet.end_line()
        return capsys.readouterr().out.splitlines()

    def test_rounds_have_a_line_and_seats_a_column(self, capsys: pytest.CaptureFixture[str]) -> None:
        heads, first, second = self.lines(capsys, turn(0, "a1"), turn(1, "b2"), turn(0, "c3"))
        assert heads.split() == ["random", "minimax:depth=12"]
        assert first.split() == ["1.", "a1", "b2"] and second.split() == ["2.", "c3"]
        assert first.index("a1") == heads.index("random") == second.index("c3")
        assert first.index("b2") == heads.index("minimax")

    def test_a_seat_that_does_not_act_leaves_a_gap(self, capsys: pytest.CaptureFixture[str]) -> None:
        heads, first, second = self.lines(capsys, turn(1, "b2"), turn(0, "c3"))
        assert first.split() == ["1.", "b2"] and first.index("b2") == heads.index("minimax")
        assert second.split() == ["2.", "c3"]

    def test_chance_stands_behind_the_turn_that_called_for_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines = self.lines(capsys, turn(0, "left"), turn(CHANCE, "2@a1"), turn(1, "up"))
        assert lines[1].split() == ["1.", "left", "(2@a1)", "up"]

    def test_long_notations_stay_apart(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines = self.lines(capsys, turn(0, "x" * 60), turn(1, "y"))
        assert lines[1] == "  1. " + "x" * 60 + " y"
