"""Papan as the program: what it answers to the lines of each protocol."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

import pytest

from papan.ai.engines.server.uci import shared
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.catalogue import GAMES
from papan.game.kernel import is_plain
from tests.ai.engines.windows import Window
from tests.waiting import PATIENCE


@pytest.fixture
def open_window() -> Iterator[list[Window]]:
    opened: list[Window] = []
    yield opened
    for window in opened:
        window.program.close()


def opened(windows: list[Window], game: str, protocol: str) -> Window:
    windows.append(Window(game, protocol))
    return windows[-1]


MATE = "3k5/8R/9/9/9/9/9/9/R8/4K4 w - - 0 1"


class TestUci:
    @pytest.fixture
    def window(self, open_window: list[Window]) -> Window:
        return opened(open_window, "xiangqi", "uci")

    def test_it_introduces_itself_ignores_what_it_does_not_know_and_leaves(self, window: Window) -> None:
        window.says("uci")
        heard = window.hears("uciok")
        assert heard[0].startswith("id name Papan ") and heard[1].startswith("id author ")
        assert "option name UCI_Variant type combo default xiangqi var xiangqi" in heard
        assert any(line.startswith("option name Hash type spin") for line in heard)
        window.says("debug on", "ponderhit", "register later", "hello", "setoption name Fun value 3", "stop")
        assert window.is_silent
        window.says("go infinite", "quit")
        assert window.program.has_ended

    def test_it_tells_what_it_has_found(self, window: Window) -> None:
        window.says("position startpos moves h3e3", "go depth 2")
        *told, best = window.hears("bestmove ")
        [info] = re.findall(r"info depth 2 score cp -?\d+ nodes \d+ nps \d+ time \d+ pv ((?:[a-i]\d+){2}.*)", told[-1])
        assert best == f"bestmove {info.split()[0]}"

    def test_a_mate_is_told_in_moves_and_where_nothing_can_be_played_it_says_so(self, window: Window) -> None:
        window.says(f"position fen {MATE}", "go depth 4")
        assert " score mate 1 " in window.hears("bestmove ")[-2]
        window.says(f"position fen {MATE} moves a2a10", "go depth 1")
        assert window.hears("bestmove") == ["bestmove (none)"]

    def test_as_little_as_can_be_is_one_turn(self, window: Window) -> None:
        for limit in ("depth 0", "depth -3"):
            window.says("position startpos", f"go {limit}")
            assert all(" depth 1 " in line for line in window.hears("bestmove ")[:-1])

    def test_it_thinks_until_it_is_stopped_even_where_all_is_found(self, window: Window) -> None:
        for position in ("startpos", f"fen {MATE}"):
            window.says(f"position {position}", "go infinite")
            window.hears("info depth")
            window.says("isready")
            assert not any(line.startswith("bestmove") for line in window.hears("readyok"))
            window.says("stop")
            assert window.hears("bestmove ")[-1] != "bestmove (none)"

    def test_each_go_has_an_answer_though_the_next_follows_at_once(self, window: Window) -> None:
        window.says("go infinite", "stop", "go infinite", "stop", "go ponder", "stop")
        window.says(
            "position startpos moves h3e3 b10c8", "go movetime 20", "go infinite", "position startpos", "go depth 1"
        )
        assert [window.hears("bestmove ")[-1] == "bestmove (none)" for _go in range(6)] == [False] * 6

    def test_a_move_that_is_none_is_named_as_it_was_told(self, window: Window) -> None:
        window.says("position startpos moves h2e2 zz99")
        assert window.hears("info string")[0].startswith("info string turn 2, 'zz99': ")

    def test_it_keeps_its_time_while_the_compiler_works(self, window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
        compiler = threading.Event()
        monkeypatch.setattr(AlphaBeta, "prepare", lambda *_: is_plain() or compiler.wait(PATIENCE))
        for last in (["go movetime 40"], ["go infinite", "stop"]):
            window.says(f"position fen {MATE}", *last)
            assert window.hears("bestmove ")[-1] != "bestmove (none)"
        window.says("position startpos", "go depth 1")
        assert window.is_silent, "what has time waits"
        compiler.set()
        window.hears("bestmove ")

    def test_a_position_that_goes_on_from_the_last_is_the_same_as_one_told_at_once(self, window: Window) -> None:
        window.says("position startpos moves h3e3", "position startpos moves h3e3 h10g8 h1g3")
        by_turns = window.program.match
        window.says("position startpos", "position startpos moves h3e3 h10g8 h1g3")
        assert window.program.match.steps == by_turns.steps and len(by_turns.steps) == 3
        window.says("position startpos moves h3e3")
        assert len(window.program.match.steps) == 1

    def test_its_memory_and_its_threads_can_be_set(self, window: Window) -> None:
        window.says("setoption name Hash value 32", "setoption name Threads value 2", "go nodes 100")
        window.hears("bestmove ")
        window.says("setoption name Hash value much")
        assert window.hears("info") == ["info string Hash must be a whole number from 1 to 8192"]


@pytest.mark.parametrize(
    ("left", "more", "moves", "share"),
    [
        (None, 0, None, None),
        (100_060, 0, None, 4.0),
        (100_060, 1060, None, 5.0),
        (10_060, 0, 10, 1.0),
        (1060, 60_000, None, 0.5),  # something is left always
        (1000, 0, 1, 0.94),
        (0, 0, None, 0.01),
    ],
)
def test_a_turn_has_a_share_of_the_time_that_is_left(
    left: int | None, more: int, moves: int | None, share: float | None
) -> None:
    assert shared(left, more, moves) == share


def test_ucci_is_a_dialect(open_window: list[Window]) -> None:
    window = opened(open_window, "xiangqi", "ucci")
    window.says("ucci")
    introduction = window.hears("ucciok")
    assert "option usemillisec type check default false" in introduction
    assert "option repetition type combo default checkban var checkban var asianrule" in introduction
    window.says("setoption repetition AsianRule", "setoption repetition alwaysdraw")
    assert "can't have repetition=alwaysdraw" in window.hears("info message")[-1]
    assert window.program.match.options["repetition"] == "axf"
    window.says("setoption usemillisec true", "position startpos moves h2e2", "go time 100 movestogo 1")
    assert re.search(r" score -?\d+ ", window.hears("bestmove ")[-2])
    window.says("position fen 3k5/8R/9/9/9/9/9/9/R8/4K4 w moves a1a9", "go depth 1")
    assert window.hears("nobestmove") == ["nobestmove"]
    window.says("quit")
    assert window.hears("bye") and window.program.has_ended


class TestUgi:
    def test_questions_about_the_position(self, open_window: list[Window]) -> None:
        window = opened(open_window, "connect-four", "ugi")
        for moves, answers in (("4", ["false", "false", "none"]), ("4 1 4 1 4 1 4", ["true", "false", "p1win"])):
            window.says(f"position startpos moves {moves}", "query gameover", "query p1turn", "query result")
            assert [window.hears("response")[0].split()[1] for _ in range(3)] == answers

    def test_options_of_the_game_are_its_options(self, open_window: list[Window]) -> None:
        window = opened(open_window, "gomoku", "ugi")
        window.says("ugi")
        assert "option name size type combo default 15 var 15 var 19 var 20" in window.hears("ugiok")
        window.says("setoption name size value 19", "position startpos moves s19", "setoption name size value 7")
        assert window.hears("info string")[0].startswith("info string Gomoku can't have size=7")
        window.says("go depth 1")
        window.hears("bestmove ")

    def test_a_turn_of_several_steps_is_one_move_and_one_that_has_begun_is_finished(
        self, open_window: list[Window]
    ) -> None:
        window = opened(open_window, "santorini", "ugi")
        window.says("setoption name gods value none", "setoption name placement value random", "position startpos")
        first = GAMES["santorini"].rules.notation(window.program.match.state, window.program.match.legal_steps()[0])
        for begun in ("", first):
            window.says(f"position startpos moves {begun}" if begun else "position startpos", "go depth 1")
            rest = window.hears("bestmove ")[-1].split()[1]
            window.says(f"position startpos moves {begun}{rest}", "query p1turn")
            assert window.hears("response") == ["response false"]


class TestGomocup:
    @pytest.fixture
    def window(self, open_window: list[Window]) -> Window:
        window = opened(open_window, "gomoku", "gomocup")
        window.says("START 15", "INFO timeout_turn 100", "INFO max_depth 2")
        assert window.hears("OK") == ["OK"]
        return window

    @staticmethod
    def cell(window: Window) -> str:
        line = window.hears("")[0]
        while line.startswith("MESSAGE"):
            line = window.hears("")[0]
        return line

    def test_it_answers_with_a_cell(self, window: Window) -> None:
        window.says("BEGIN")
        first = self.cell(window)
        assert re.fullmatch(r"\d+,\d+", first)
        window.says("TURN 0,0")
        assert self.cell(window) not in (first, "0,0")

    def test_it_takes_a_board_whoever_began(self, window: Window) -> None:
        window.says("BOARD", "0,0,2", "7,7,1", "1,0,2", "8,7,1", "2,0,2", "9,7,1", "5,5,2", "10,7,1", "14,14,2", "DONE")
        assert self.cell(window) in ("6,7", "11,7")
        window.says("RESTART", "BOARD", "7,7,1", "0,0,2", "DONE")
        assert window.hears("OK") and re.fullmatch(r"\d+,\d+", self.cell(window))

    def test_what_makes_no_sense_is_refused(self, window: Window) -> None:
        for lines, said in (
            (["TURN 15,0"], "ERROR 15,0: There is no such cell"),
            (["TURN x"], "ERROR a cell is x,y, not x"),
            (["TURN 3,3", "TURN 3,3"], "ERROR 3,3: There is a stone"),
            (["BOARD", "1,1,1", "DONE"], "ERROR 1 and 0 stones"),
            (["BOARD", "rubbish"], "ERROR after BOARD come"),
            (["BOARD", "1,1,3"], "ERROR after BOARD come"),
            (["TAKEBACK 1,1"], "ERROR only the last stone"),
            (["MAGIC"], "UNKNOWN command"),
            (["BOARD", *["1,1,1"] * 401], "ERROR no board has more than 400 cells"),
            (["START"], "ERROR "),
            (["START 7"], "ERROR Gomoku can't have size=7"),
        ):
            window.says(*lines)
            assert window.hears(said[:5])[-1].startswith(said)
        window.says("ABOUT")
        assert window.hears("name")

    @pytest.mark.parametrize(("number", "exact"), [(0, "no"), (1, "yes"), (4, "renju"), (8, "caro"), (9, "caro-exact")])
    def test_a_number_stands_for_the_rule(self, window: Window, number: int, exact: str) -> None:
        window.says(f"INFO rule {number}")
        assert window.program.match.options["exact"] == exact
        window.says("RESTART", "BOARD", "7,7,2", "DONE")
        assert window.hears("OK") and re.fullmatch(r"\d+,\d+", self.cell(window))
        assert window.program.match.options["exact"] == exact

    @pytest.mark.parametrize("number", [2, 3, 5, 6, 10, 12, 16])
    def test_a_rule_that_is_none_of_ours_stops_the_game(self, window: Window, number: int) -> None:
        window.says(f"INFO rule {number}")
        for lines in ([], ["BEGIN"], ["TURN 7,7"], ["RESTART"], ["BOARD"], ["START 15"]):
            window.says(*lines)
            assert window.hears("ERROR")[-1].startswith(f"ERROR rule {number} is none of 0, 1, 4, 8, 9")
        window.says("INFO rule 4", "START 15", "BEGIN")
        assert window.hears("OK") and re.fullmatch(r"\d+,\d+", self.cell(window))

    def test_a_rule_counts_from_the_next_board_on(self, window: Window) -> None:
        window.says("TURN 7,7")
        assert self.cell(window)
        window.says("INFO rule 8")
        assert window.program.match.options["exact"] == "no"
        window.says("BOARD", "7,7,2", "DONE")
        assert self.cell(window) and window.program.match.options["exact"] == "caro"

    def test_in_renju_black_may_not_play_on_forbidden_cells(self, window: Window) -> None:
        board = ["7,7,1", "8,7,2", "7,8,1", "6,8,2", "8,9,1", "10,7,2", "9,9,1", "9,11,2"]
        mirrored = [line[:-1] + "21"[int(line[-1]) - 1] for line in board]
        window.says("INFO rule 4", "RESTART", "BOARD", *board, "DONE")
        assert window.hears("OK") and self.cell(window) != "7,9"
        window.says("RESTART", "BOARD", *mirrored[:-1], "DONE")
        assert window.hears("OK") and self.cell(window)
        window.says("TURN 7,9")
        assert "ERROR" in self.cell(window)

    def test_nothing_comes_before_start(self, open_window: list[Window]) -> None:
        window = opened(open_window, "gomoku", "gomocup")
        window.says("BEGIN", "ABOUT", "END")
        assert window.hears("ERROR") == ["ERROR START comes first"]
        assert window.hears("name")[0].startswith('name="Papan", version="') and window.program.has_ended


START = "(;GM[Othello]PC[NBoard]TI[15:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]"


class TestNBoard:
    @pytest.fixture
    def window(self, open_window: list[Window]) -> Window:
        window = opened(open_window, "othello", "nboard")
        window.says("nboard 2", "set depth 2", "set contempt 0")
        assert window.hears("set myname")[0].startswith("set myname Papan ")
        return window

    def test_it_plays_on_from_a_game(self, window: Window) -> None:
        window.says(f"set game {START}B[F5//0.2]W[D6/1.5/3];)", "ping 7")
        assert window.hears("pong") == ["pong 7"]
        window.says("move C3/0/1", "go")
        heard = window.hears("===")
        assert re.fullmatch(r"=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d", heard[-1])
        assert any(line.startswith("search ") for line in heard) and any(
            line.startswith("nodestats ") for line in heard
        )

    def test_hints_are_as_many_as_are_wanted(self, window: Window) -> None:
        window.says(f"set game {START};)", "hint 4")
        window.hears("status Papan is thinking")
        hints = [line for line in window.hears("status") if line.startswith("search ")]
        assert len({hint.split()[1][:2] for hint in hints[-4:]}) == 4

    def test_ping_ends_what_it_thinks_about(self, window: Window) -> None:
        window.says("set depth 60", f"set game {START};)", "go", "ping 3")
        assert not any(line.startswith("===") for line in window.hears("pong 3"))

    def test_a_game_that_makes_no_sense_is_told(self, window: Window) -> None:
        window.says(f"set game {START}B[A1];)", "set depth x", "dance")
        assert window.hears("status")[0].startswith("status 'a1'") and window.hears("status a depth")
        for text in ("foo", "(;GM[Othello]PC[x]"):
            window.says(f"set game {text}", "go")
            assert window.hears("status a game is GGF from '(;' to ';)', ")
            assert window.hears("status there is no position, ")

    def test_a_pass_is_written_pa(self, window: Window) -> None:
        window.says(f"set game (;GM[Othello]BO[8 *O{'-' * 62} O];)", "go")
        assert window.hears("===")[-1].startswith("=== PA/")


class TestGtp:
    @pytest.fixture
    def window(self, open_window: list[Window]) -> Window:
        window = opened(open_window, "othello", "gtp")
        window.says("boardsize 8", "time_settings 0 1 10")
        assert window.hears("=") == ["="] and window.hears("=") == ["", "="] and window.hears("") == [""]
        return window

    def reply(self, window: Window, command: str) -> str:
        window.says(command)
        reply, end = window.hears("")[0], window.hears("")[0]
        assert end == ""
        return reply

    def test_commands_have_one_reply_each(self, window: Window) -> None:
        assert self.reply(window, "17 protocol_version # as always") == "=17 2"
        assert self.reply(window, "known_command genmove") == "= true"
        assert self.reply(window, "known_command dance") == "= false"

    def test_it_plays(self, window: Window) -> None:
        assert self.reply(window, "play black f5") == "="
        assert re.fullmatch("= [A-H][1-8]", self.reply(window, "genmove w"))
        assert self.reply(window, "genmove w") == "? it is the other colour's turn"
        assert self.reply(window, "play b a1") == "? illegal move"
        assert self.reply(window, "undo") == self.reply(window, "undo") == "="
        assert self.reply(window, "undo") == "? cannot undo"

    def test_reg_genmove_plays_nothing(self, window: Window) -> None:
        self.reply(window, "reg_genmove black")
        assert self.reply(window, "play black f5") == "="

    def test_what_makes_no_sense_is_refused(self, window: Window) -> None:
        for command, said in (
            ("boardsize 10", "? unacceptable size"),
            ("set_game Go", "? unsupported game"),
            ("play red f5", "? syntax error"),
            ("play", "? syntax error"),
            ("time_settings 1", "? syntax error"),
            ("time_left b x y", "? syntax error"),
            ("dance", "? unknown command"),
        ):
            assert self.reply(window, command).startswith(said)
