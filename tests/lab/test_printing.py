"""What the command line prints."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from papan import main
from papan.game.base.sentences import say
from papan.game.base.version import VERSION
from papan.game.match import Turn
from papan.game.rules import CHANCE
from papan.lab.printing import NUMBER, TEXT, Scoresheet, show, show_json, show_lines, table, without_places, working
from tests.commands.calling import Captured


def turn(seat: int, notation: str) -> Turn:
    return Turn(seat, notation, 0, 1)


class TestTable:
    COLUMNS = (("name", TEXT), ("number", NUMBER))
    ROWS = (("a", "1"), ("bcdef [b]", "20,000"))

    def test_is_plain_and_aligned_where_it_is_piped(self, capsys: Captured) -> None:
        table(self.COLUMNS, self.ROWS)
        assert capsys.readouterr().out.splitlines() == ["name       number", "a               1", "bcdef [b]  20,000"]

    def test_is_drawn_on_a_terminal(self, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setenv("TERM", "dumb")
        table(self.COLUMNS, self.ROWS)
        out = capsys.readouterr().out
        assert "─" in out and "bcdef [b]" in out and "20,000" in out


HOSTILE = "a\x1b]0;title\x07b\r\x9b31m\u202ec\nforged [red] :smile:"
SHOWN = r"a\x1b]0;title\x07b\r\x9b31m\u202ec\nforged [red] :smile:"


class TestTextsOfStrangers:
    """A journal's text reached the terminal as it was: an escape sequence in it changed the window's title."""

    @pytest.mark.parametrize("is_terminal", [False, True])
    @pytest.mark.parametrize(
        "printing",
        [
            lambda: show(HOSTILE),
            lambda: show(say("Ended: {reasons}", reasons=HOSTILE)),
            lambda: table(((HOSTILE, TEXT),), ((HOSTILE,),)),
            lambda: Scoresheet([HOSTILE]).add(turn(0, HOSTILE)),
        ],
    )
    def test_nothing_in_them_acts_on_the_terminal(
        self,
        printing: Callable[[], None],
        is_terminal: bool,
        capsys: Captured,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("COLUMNS", "300")
        printing()
        out = capsys.readouterr().out
        assert SHOWN in out and all(line.isprintable() for line in out.split("\n"))
        assert not any(line.strip().startswith("forged") for line in out.split("\n"))

    def test_nor_does_what_goes_on_which_says_nothing_where_it_is_piped(
        self, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with working("measuring") as tell:
            tell("something else")
        assert capsys.readouterr() == ("", "")
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
        monkeypatch.setenv("TERM", "dumb")
        with working(HOSTILE) as tell:
            tell(HOSTILE + "[/red]")
        show(HOSTILE, is_trouble=True)
        assert "\x07" not in (err := capsys.readouterr().err) and "\u202e" not in err and SHOWN in err

    def test_json_has_escapes_of_its_own(self, capsys: Captured) -> None:
        show_json({"reason": HOSTILE, HOSTILE: "\ud800é"})
        out = capsys.readouterr().out
        assert json.loads(out) == {"reason": HOSTILE, HOSTILE: "\ud800é"} and "é" in out
        assert all(line.isprintable() for line in out.split("\n"))

    def test_a_text_of_lines_keeps_those(self, capsys: Captured) -> None:
        show_lines("one\n\n  two\x1b\n")
        assert capsys.readouterr().out == "one\n\n  two\\x1b\n"


class TestScoresheet:
    def lines(self, capsys: Captured, *turns: Turn) -> list[str]:
        sheet = Scoresheet(["random", "minimax:depth=12"])
        for played in turns:
            sheet.add(played)
        sheet.end_line()
        return capsys.readouterr().out.splitlines()

    def test_rounds_have_a_line_and_seats_a_column(self, capsys: Captured) -> None:
        heads, first, second = self.lines(capsys, turn(0, "a1"), turn(1, "b2"), turn(0, "c3"))
        assert heads.split() == ["random", "minimax:depth=12"]
        assert first.split() == ["1.", "a1", "b2"] and second.split() == ["2.", "c3"]
        assert first.index("a1") == heads.index("random") == second.index("c3")
        assert first.index("b2") == heads.index("minimax")

    def test_a_seat_that_does_not_act_leaves_a_gap(self, capsys: Captured) -> None:
        heads, first, second = self.lines(capsys, turn(1, "b2"), turn(0, "c3"))
        assert first.split() == ["1.", "b2"] and first.index("b2") == heads.index("minimax")
        assert second.split() == ["2.", "c3"]

    def test_chance_stands_behind_the_turn_that_called_for_it_and_long_notations_stay_apart(
        self, capsys: Captured
    ) -> None:
        lines = self.lines(capsys, turn(0, "left"), turn(CHANCE, "2@a1"), turn(1, "up"))
        assert lines[1].split() == ["1.", "left", "(2@a1)", "up"]
        lines = self.lines(capsys, turn(0, "x" * 60), turn(1, "y"))
        assert lines[1] == "  1. " + "x" * 60 + " y"


def answer(capsys: Captured, *arguments: str) -> dict[str, Any]:
    assert main.run(arguments) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


class TestMadeBy:
    def test_a_command_is_told_with_its_words_and_the_version(self, capsys: Captured) -> None:
        made = answer(capsys, "perft", "connect-four", "2", "--json", "--position", "44")["made_by"]
        words = ["connect-four", "2", "--json", "--position", "44"]
        assert made == {"command": "perft", "arguments": words, "seed": None, "version": VERSION}
        words = ["--position", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9 w", "W:W21,22:B1,2", "4455", "minimax:depth=3,time=1"]
        assert without_places(words, Path("/")) == words, "a position is no place"

    def test_nobody_is_told_where_files_are(
        self, capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "here" / "below").mkdir(parents=True)
        monkeypatch.chdir(tmp_path / "here")
        words = ("simulate", "connect-four", "random", "random", "--games", "9", "--json")
        below, beside = tmp_path / "here" / "below" / "counts.jsonl", tmp_path / "counts.jsonl"
        for out, told in ((below, "below/counts.jsonl"), (beside, "counts.jsonl"), ("x.jsonl", "x.jsonl")):
            assert answer(capsys, *words, "--out", str(out))["made_by"]["arguments"][-1] == told
            assert answer(capsys, *words, f"--out={out}")["made_by"]["arguments"][-1] == f"--out={told}"

    def test_a_seed_that_was_not_given_or_drawn_is_told(self, capsys: Captured) -> None:
        assert answer(capsys, "solve", "connect-four", "--nodes", "10", "--json")["made_by"]["seed"] == 0
        found = answer(capsys, "match", "connect-four", "random", "random", "--json")
        assert found["made_by"]["seed"] == found["seed"] is not None
