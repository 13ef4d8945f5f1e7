"""The command ``engine``: who can be played, and how a conversation ends."""

from __future__ import annotations

import subprocess

import pytest

from papan import main
from papan.ai.engines.dialect import dialects_of
from papan.ai.engines.server import LONGEST_LINE, protocol_class
from papan.game.catalogue import GAMES
from tests.ai.engines.programs import papan
from tests.waiting import PATIENCE

OTHELLO = GAMES["othello"]


def talk(*lines: str, game: str = "connect-four", protocol: str = "ugi") -> subprocess.CompletedProcess[str]:
    text = "".join(f"{line}\n" for line in lines)
    return subprocess.run(
        papan(game, protocol), input=text, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


class TestConversations:
    def test_the_end_of_the_input_ends_thinking(self) -> None:
        ended = talk("position startpos", "go infinite")
        assert ended.returncode == 0 and "bestmove" not in ended.stdout

    def test_rubbish_does_it_no_harm(self) -> None:
        """Neither does the end of a line that is too long, which is no command."""
        rubbish = ("\0\x1b[31m", "x" * 3_000_000, "x" * LONGEST_LINE + "quit", "position fen " + "9" * 100_000)
        ended = talk(*rubbish, "go depth x", "stop", "isready")
        assert ended.returncode == 0 and ended.stdout.splitlines()[-1] == "readyok" and not ended.stderr

    def test_commands_without_end_are_answered_one_by_one_while_it_thinks(self) -> None:
        ended = talk("position startpos", "go infinite", *["isready"] * 5000, "quit")
        assert ended.returncode == 0 and ended.stdout.count("readyok") == 5000


class TestTextsOfStrangers:
    """A line break in an option's value would have been a line of the protocol."""

    @pytest.mark.parametrize("protocol", ["ugi", "gtp"])
    def test_begin_no_line(self, protocol: str) -> None:
        lines: list[str] = []
        answering = protocol_class(protocol)(OTHELLO, dialects_of(OTHELLO)[protocol], {}, lines.append)
        answering.say("info string a\nbestmove d3\x1b[31m")
        answering.close()
        assert lines == [r"info string a\nbestmove d3\x1b[31m"]

    def test_gtp_lists_its_commands_line_by_line(self) -> None:
        listed = talk("1 list_commands", "quit", game="othello", protocol="gtp").stdout.splitlines()
        assert listed[:2] == ["=1 protocol_version", "name"] and listed.index("") == listed.index("quit") + 1


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["othello", "--protocol", "uci"], "Othello can be played through ugi, nboard, gtp, not through 'uci'."),
            (["catur-jawa"], "Catur Jawa can't be played in another program"),
            (["2048"], "2048 can't be played in another program"),
            (["gomoku", "--option", "size=7"], "Gomoku can't have size=7"),
            (["gomoku", "--position", "h8"], "omit --position"),
        ],
    )
    def test_are_a_sentence(self, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert main.run(["engine", *arguments]) == 2
        assert said in capsys.readouterr().err
