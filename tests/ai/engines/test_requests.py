"""What windows may ask of Papan, in every protocol: limits, several lines, certain moves, no position."""

from __future__ import annotations

import math
import random
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from papan.ai.engines.dialect import dialects_of
from papan.ai.engines.server.search_thread import Finding
from papan.ai.exact import Finishing
from papan.ai.limits import WIN, Analysis, Limit, Line
from papan.ai.search import Query, Searcher, negamax
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.catalogue import GAMES
from papan.game.kernel import is_plain
from papan.game.match import Match
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play
from tests.ai.engines.windows import Window, window
from tests.waiting import PATIENCE

SPOKEN = [(game.name, protocol) for game in GAMES.values() for protocol in dialects_of(game)]
UCI_KIN = [("xiangqi", "uci"), ("xiangqi", "ucci"), ("xiangqi", "ugi")]
OPTION = {"uci": "setoption name {} value {}", "ugi": "setoption name {} value {}", "ucci": "setoption {} {}"}
NONE = {"uci": "bestmove (none)", "ugi": "bestmove (none)", "ucci": "nobestmove"}


class _Asked(Exception):
    """The limit of a search that was not begun."""


@pytest.fixture(params=UCI_KIN, ids=lambda spoken: spoken[1])
def kin(request: pytest.FixtureRequest) -> Iterator[tuple[str, Window]]:
    with window(*request.param) as opened:
        yield request.param[1], opened


def limit_of(opened: Window, monkeypatch: pytest.MonkeyPatch, go: str) -> tuple[Limit, bool]:
    """The limit of the search that *go* begins, and whether its answer waits."""
    asked: list[tuple[Limit, bool]] = []
    monkeypatch.setattr(
        opened.program.search,
        "think",
        lambda match, limit, tell, then, *, waits, lines, only: asked.append((limit, waits)),
    )
    opened.says(go)
    return asked[-1]


class TestLimits:
    SAME = (
        ("movetime 970", Limit(0.97)),
        ("depth 7", Limit(depth=7)),
        ("nodes 500", Limit(nodes=500)),
        ("mate 3", Limit(depth=5)),
        ("depth 9 nodes 40 movetime 1500", Limit(1.5, 9, 40)),
        ("nodes 40 mate 2 depth 9", Limit(depth=3, nodes=40)),
        ("movetime 0", Limit(0.01)),
        ("depth x nodes 5", Limit(nodes=5)),
        ("", Limit(2.0)),
    )

    @pytest.mark.parametrize(("go", "limit"), SAME)
    def test_each_and_several_at_once(
        self, kin: tuple[str, Window], monkeypatch: pytest.MonkeyPatch, go: str, limit: Limit
    ) -> None:
        assert limit_of(kin[1], monkeypatch, f"go {go}") == (limit, False)

    CLOCKS = {  # noqa: RUF012 - of a test
        "uci": "wtime {left} winc {more} btime 1 binc 1",
        "ugi": "p1time {left} p1inc {more} p2time 1 p2inc 1",
        "ucci": "time {left} increment {more} opptime 1 oppincrement 1",
    }

    @pytest.mark.parametrize(
        ("given", "seconds"),
        [("", 5.0), (" movestogo 10", 11.0), (" movetime 970", 0.97), (" movetime 900000", 100.0), (" depth 4", 5.0)],
    )
    def test_a_clock_alone_and_with_others(
        self, kin: tuple[str, Window], monkeypatch: pytest.MonkeyPatch, given: str, seconds: float
    ) -> None:
        protocol, opened = kin
        opened.says("setoption usemillisec true")
        clock = self.CLOCKS[protocol].format(left=100_060, more=1060)
        found, _waits = limit_of(opened, monkeypatch, f"go {clock}{given}")
        assert found.time == pytest.approx(seconds)
        assert found.depth == (4 if "depth" in given else None)

    def test_ucci_counts_seconds_unless_it_is_told_otherwise(self, monkeypatch: pytest.MonkeyPatch) -> None:
        with window("xiangqi", "ucci") as opened:
            for setting, unit in (("", 1000), ("true", 1), ("false", 1000)):
                if setting:
                    opened.says(f"setoption usemillisec {setting}")
                found, _waits = limit_of(opened, monkeypatch, f"go draw time {100_000 // unit} movestogo 1")
                assert found.time == pytest.approx(99.94)
                assert limit_of(opened, monkeypatch, "go movetime 970")[0].time == 0.97

    def test_the_side_to_move_has_the_clock(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for protocol, clock in (("uci", "wtime 1 btime 100060"), ("ugi", "p1time 1 p2time 100060")):
            with window("xiangqi", protocol) as opened:
                opened.says(f"position startpos moves {'h3e3' if protocol == 'uci' else 'h2e2'}")
                assert limit_of(opened, monkeypatch, f"go {clock}")[0].time == 4.0

    def test_without_end_it_waits_for_stop(self, kin: tuple[str, Window], monkeypatch: pytest.MonkeyPatch) -> None:
        for words in ("infinite", "ponder", "infinite movetime 10"):
            assert limit_of(kin[1], monkeypatch, f"go {words}") == (Limit(depth=negamax.MOST_DEPTH - 1), True)

    @pytest.mark.parametrize("limit", ["movetime 10", "depth 1", "nodes 1"])
    def test_what_is_pondered_has_its_limit_from_the_hit_on(self, kin: tuple[str, Window], limit: str) -> None:
        _protocol, opened = kin
        opened.says(f"go ponder {limit}")
        opened.hears("info depth ")
        opened.says("isready")
        assert not any(line.startswith("bestmove") for line in opened.hears("readyok"))
        opened.says("ponderhit")
        assert re.fullmatch(r"bestmove [a-i]\d+[a-i]\d+", opened.hears("bestmove")[-1])


class TestWithoutPosition:
    """After a refused position nothing answers for the one before."""

    BAD = (
        "position fen x",
        "position startpos moves h2h2",
        "position",
        "position startpos moves h2e2 h2e2",
        "position x",
    )

    @pytest.mark.parametrize(("game", "protocol"), [one for one in SPOKEN if one[1] in NONE])
    def test_no_move_is_found(self, game: str, protocol: str) -> None:
        with window(game, protocol) as opened:
            for bad in self.BAD if game == "xiangqi" else ("position fen x", "position", "position startpos moves x"):
                opened.says("position startpos", bad)
                assert opened.hears("info ")[0].startswith("info message " if protocol == "ucci" else "info string ")
                for go in ("depth 1", "infinite", "movetime 10", "depth 0"):
                    opened.says(f"go {go}")
                    assert opened.hears("")[0] == NONE[protocol]
                if protocol == "ugi":
                    opened.says("query p1turn", "query gameover", "query result")
                    assert [opened.hears("")[0] for _ in range(3)] == ["response unknown"] * 3
                assert opened.is_silent
            opened.says("position startpos", "go depth 1")
            assert NONE[protocol] not in opened.hears("bestmove")
            opened.says("position x", f"{protocol}newgame" if protocol != "ucci" else "setoption newgame", "go depth 1")
            assert NONE[protocol] not in opened.hears("bestmove")

    GAME = "set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]{};)"

    @pytest.mark.parametrize("bad", [GAME.format("B[A1]"), "set game (;BO[8 x];)", "move A1", "move"])
    def test_nboard_says_so(self, bad: str) -> None:
        with window("othello", "nboard") as opened:
            opened.says("set depth 1", self.GAME.format("B[F5]"), bad)
            assert opened.hears("")[0].startswith("status ")
            for command in ("go", "hint 2", "move D6"):
                opened.says(command)
                assert opened.hears("")[0].startswith("status there is no position")
            assert opened.is_silent
            opened.says(self.GAME.format("B[F5]"), "go")
            assert opened.hears("===")

    def test_gtp_has_an_error(self) -> None:
        with window("othello", "gtp") as opened:
            for mended in ("play black f5", "clear_board", "undo"):
                opened.says("clear_board", "play black d3", "play white a1", "time_settings 0 1 10")
                assert [line for line in opened.hears("? ") if line][-1] == "? illegal move"
                opened.hears("=")
                for command in ("genmove white", "reg_genmove white"):
                    opened.says(command)
                    assert [line for line in opened.hears("? ") if line] == [
                        "? there is no position, as the last one was refused: illegal move"
                    ]
                if mended.startswith("play"):
                    mended = "play white c3"
                opened.says(mended, f"reg_genmove {'black' if 'play' not in mended else 'b'}")
                assert not any(line.startswith("?") for line in [*opened.hears("="), *opened.hears("= ")])


class TestClientsWithOtherRulesOfDraws:
    """A game that only our counts end goes on while a client of UCI or UCCI asks; by UGI ours are the rules."""

    ROUND = ("a1a2", "d9d8", "a2a1", "d8d9")
    BOARD = "3k5/9/9/9/9/9/9/9/R8/4K4 w - - {} 1"

    @pytest.mark.parametrize(
        ("quiet", "turns"),
        [(120, ()), (119, ROUND[:1]), (118, ROUND), (0, ROUND * 4), (0, ROUND * 9)],
        ids=["position", "count", "going on", "repetition", "repetitions"],
    )
    def test_it_plays_on(self, kin: tuple[str, Window], quiet: int, turns: tuple[str, ...]) -> None:
        protocol, opened = kin
        if protocol == "uci":
            turns = tuple(re.sub(r"\d", lambda rank: str(int(rank[0]) + 1), turn) for turn in turns)
        board = self.BOARD.format(quiet) if protocol != "ugi" else f"{self.BOARD[:-9]}{quiet}"
        opened.says(f"position fen {board}" + " moves " * bool(turns) + " ".join(turns), "go depth 1")
        answer = opened.hears("bestmove")[-1]
        assert (answer == "bestmove (none)") == (protocol == "ugi")

    def test_the_next_position_goes_on_from_there(self) -> None:
        with window("xiangqi", "ucci") as opened:
            played: list[str] = []
            for turn in self.ROUND * 4:
                played.append(turn)
                opened.says(f"position fen {self.BOARD.format(0)} moves {' '.join(played)}")
            opened.says("go depth 1")
            assert opened.hears("bestmove")[-1] != "nobestmove" and opened.is_silent

    def test_a_mate_is_the_end(self) -> None:
        with window("xiangqi", "ucci") as opened:
            opened.says("position fen 3k5/8R/9/9/9/9/9/9/R8/4K4 w - - 119 1 moves a1a9", "go depth 1")
            assert opened.hears("nobestmove")


class TestSeveralLines:
    def test_are_offered(self, kin: tuple[str, Window]) -> None:
        protocol, opened = kin
        opened.says(protocol)
        name = "option multipv" if protocol == "ucci" else "option name MultiPV"
        assert f"{name} type spin default 1 min 1 max 500" in opened.hears(f"{protocol}ok")

    def test_as_many_as_are_asked_for_best_first(self, kin: tuple[str, Window]) -> None:
        protocol, opened = kin
        for number in (3, 500, 1):
            name = "multipv" if protocol == "ucci" else "MultiPV"
            opened.says(OPTION[protocol].format(name, number), "position startpos", "go depth 2")
            *told, best = opened.hears("bestmove ")
            last = [line for line in told if line.startswith("info depth 2 ")]
            if number == 1:
                assert len(last) >= 1 and not any("multipv" in line for line in told)
                continue
            found = [
                re.fullmatch(r"info depth 2 multipv (\d+) score (?:cp )?(-?\d+) .* pv (\S+) .*", line) for line in last
            ]
            lines = [one.groups() for one in found[-min(number, 44) :] if one is not None]
            assert [int(rank) for rank, _score, _move in lines] == list(range(1, min(number, 44) + 1))
            scores = [int(score) for _rank, score, _move in lines]
            assert scores == sorted(scores, reverse=True)
            assert len({move for *_, move in lines}) == len(lines), "all legal moves, at most"
            assert best == f"bestmove {lines[0][2]}"

    def test_every_line_begins_with_a_whole_turn(self) -> None:
        """Turns of several steps are cut short where the table knows what follows."""
        with window("santorini", "ugi") as opened:
            opened.says("setoption name gods value none", "setoption name placement value random")
            opened.says("setoption name MultiPV value 4", "position startpos", "go depth 1")
            told = [line for line in opened.hears("bestmove ") if " multipv " in line][-4:]
            assert [int(line.split()[4]) for line in told] == [1, 2, 3, 4]
            for line in told:
                turn = line.partition(" pv ")[2].split()[0]
                opened.says(f"position startpos moves {turn}", "query p1turn")
                assert opened.hears("response") == ["response false"]

    def test_nonsense_is_refused(self, kin: tuple[str, Window]) -> None:
        protocol, opened = kin
        name = "multipv" if protocol == "ucci" else "MultiPV"
        for value in ("0", "-1", "x"):
            opened.says(OPTION[protocol].format(name, value))
            assert opened.hears("info")[0].endswith(f"{name} must be a whole number from 1 to 500")


MATES = {"uci": ("a2a10", "a2d2"), "ucci": ("a1a9", "a1d1"), "ugi": ("a1a9", "a1d1")}
POSITION = "position fen 3k5/8R/9/9/9/9/9/8p/R8/4K4 w - - 0 1"
"""Red mates at once with the chariot on the a file, on the last rank or the d file."""


class TestCertainMoves:
    def test_only_the_moves_that_are_named(self, kin: tuple[str, Window]) -> None:
        protocol, opened = kin
        one, other = ("e1e2", "e1f1") if protocol == "uci" else ("e0e1", "e0f0")
        position = POSITION if protocol != "ugi" else "position fen 3k5/8R/9/9/9/9/9/8p/R8/4K4 w"
        opened.says(position, "go depth 3")
        assert opened.hears("bestmove")[-1].split()[1] in MATES[protocol]
        opened.says(f"go depth 3 searchmoves {one}")
        assert opened.hears("bestmove")[-1] == f"bestmove {one}"
        opened.says(f"go searchmoves {other} {one} depth 3")
        assert opened.hears("bestmove")[-1] in (f"bestmove {one}", f"bestmove {other}")
        opened.says(f"go depth 3 searchmoves {one} a1a1x")
        assert "a1a1x" in opened.hears("info ")[0] and opened.hears("bestmove")[-1] == f"bestmove {one}"
        opened.says("go depth 3 searchmoves a1a1x")
        assert opened.hears("info ") and opened.hears("")[0] == NONE[protocol]

    def test_banned_ones_are_not_played_until_the_next_position(self) -> None:
        with window("xiangqi", "ucci") as opened:
            opened.says(POSITION)
            match = opened.program.match
            every = [match.rules.notation(match.state, step) for step in match.legal_steps()]
            opened.says("banmoves a1a9", "go depth 3")
            assert opened.hears("bestmove")[-1] == "bestmove a1d1"
            opened.says("banmoves a1d1 e0e1", "go depth 3")
            second = opened.hears("bestmove")[-1].split()[1]
            assert second in every and second not in ("a1a9", "a1d1", "e0e1")
            opened.says("go depth 2 searchmoves a1a9 e0f0")
            assert opened.hears("bestmove")[-1] == "bestmove e0f0"
            opened.says("go depth 2 searchmoves a1a9")
            assert opened.hears("")[0] == "nobestmove"
            opened.says("banmoves a1a1 nonsense", "isready")
            assert len([line for line in opened.hears("readyok") if line.startswith("info message ")]) == 2
            opened.says(f"banmoves {' '.join(every)}", "go depth 3")
            assert opened.hears("")[0] == "nobestmove"
            opened.says(POSITION, "go depth 3")
            assert opened.hears("bestmove")[-1].split()[1] in MATES["ucci"]


class TestUcci:
    @pytest.fixture
    def opened(self) -> Iterator[Window]:
        with window("xiangqi", "ucci") as opened:
            yield opened

    def test_stop_has_one_answer_in_any_state(self, opened: Window) -> None:
        opened.says("stop")
        assert opened.hears("")[0] == "nobestmove"
        opened.says("go infinite", "stop")
        assert opened.hears("bestmove ")
        opened.program.search.wait()
        opened.says("stop", "isready")
        assert [line for line in opened.hears("readyok") if "bestmove" in line] == ["nobestmove"]

    def test_depth_0_asks_for_the_score_alone(self, opened: Window) -> None:
        for position in ("startpos", "startpos moves h2e2", "fen 3k5/8R/9/9/9/9/9/9/R8/4K4 w - - 0 1"):
            opened.says(f"position {position}", "go depth 0")
            told, answer = opened.hears("nobestmove")
            assert re.fullmatch(r"info depth 0 score -?\d+", told) and answer == "nobestmove"
        opened.says("position fen 3k5/8R/9/9/9/9/9/9/R8/4K4 w - - 0 1 moves a1a9", "go depth 0")
        assert opened.hears("")[0] == "nobestmove", "there is nothing to judge"

    def test_its_options_are_single_words_in_small_letters(self, opened: Window) -> None:
        opened.says("ucci")
        options = [line.split()[1] for line in opened.hears("ucciok") if line.startswith("option ")]
        assert {"usemillisec", "hashsize", "threads", "multipv", "newgame"} <= set(options)
        assert all(option == option.lower() for option in options)
        for name, value in (("hashsize", 0), ("hashsize", 32), ("threads", 0), ("threads", 2)):
            opened.says(f"setoption {name} {value}", "go nodes 50")
            assert opened.hears("")[0].startswith("info depth") and opened.hears("bestmove")
        opened.says("setoption hashsize -1", "setoption threads x")
        assert opened.hears("info message hashsize must be a whole number from 0 to ")
        assert opened.hears("info message threads must be a whole number from 0 to ")


class TestXiangqisRanks:
    """Clients of UCI number them from 1, or from 0 as Pikafish does; ``UCI_Variant`` is not demanded."""

    @pytest.fixture
    def opened(self) -> Iterator[Window]:
        with window("xiangqi", "uci") as opened:
            yield opened

    @pytest.mark.parametrize(
        ("moves", "answer"),
        [("h2e2", r"[a-i]\d[a-i]\d"), ("h2e2 h9g7 h0g2", r"[a-i]\d[a-i]\d"), ("a0a1", r"[a-i]\d[a-i]\d")],
    )
    def test_from_0_where_only_that_is_legal(self, opened: Window, moves: str, answer: str) -> None:
        opened.says(f"position startpos moves {moves}", "go depth 1")
        best = opened.hears("bestmove")[-1].split()[1]
        assert re.fullmatch(answer, best)
        opened.says(f"position startpos moves {moves} {best}", "go depth 1")
        assert opened.hears("bestmove")[-1] != "bestmove (none)"

    def test_from_1_where_nothing_tells(self, opened: Window) -> None:
        opened.says("position startpos", "go depth 1")
        best = opened.hears("bestmove")[-1].split()[1]
        opened.says(f"position startpos moves {best}", "go depth 1")
        assert opened.hears("bestmove")[-1] != "bestmove (none)"
        assert opened.program.dialect.notation == "1-10"

    def test_a_client_that_names_the_variant_numbers_them_from_1(self, opened: Window) -> None:
        opened.says("setoption name UCI_Variant value xiangqi", "position startpos moves h2e2", "go depth 1")
        assert opened.hears("info string") and opened.hears("")[0] == "bestmove (none)"

    def test_as_it_is_told(self, opened: Window) -> None:
        opened.says("uci")
        assert "option name Notation type combo default 1-10 var 1-10 var 0-9" in opened.hears("uciok")
        opened.says("setoption name Notation value 0-9", "position startpos moves h3e3")
        assert opened.hears("info string")
        opened.says("position startpos", "go depth 1")
        assert opened.hears("bestmove")[-1].split()[1] in self.every(0)
        opened.says("setoption name Notation value 1-10", "position startpos", "go depth 1")
        assert opened.hears("bestmove")[-1].split()[1] in self.every(1)
        opened.says("setoption name Notation value 2-11")
        assert opened.hears("info string")[0] == "info string Notation must be 1-10 or 0-9"

    @staticmethod
    def every(first: int) -> set[str]:
        match = Match.new(GAMES["xiangqi"], ["a", "b"], {"first": "1"}, 1)
        turns = (match.rules.notation(match.state, step) for step in match.legal_steps())
        return {f"{a}{int(b) + first}{c}{int(d) + first}" for a, b, c, d in map(tuple, turns)}


def best_of(state: State, seat: int) -> float:
    """The discs that *seat* is ahead after both sides' best play, by the rules alone."""
    if is_over(state):
        return difference(state, seat)
    values = [best_of(play(state, step), seat) for step in legal_steps(state)]
    return max(values) if int(mover(state)) == seat else min(values)


def difference(state: Any, seat: int) -> float:
    """Of a finished game, in discs: empty cells go to the winner."""
    own = [int(state.mine).bit_count(), int(state.theirs).bit_count()]
    mine, theirs = own if int(mover(state)) == seat else own[::-1]
    empty = 64 - mine - theirs
    return mine - theirs + math.copysign(empty, payoff(state, seat)) if mine != theirs else 0.0


def ending(seed: int, empty: int) -> Match:
    """Othello played at random until that many cells are empty and there is a choice."""
    chance = random.Random(seed)
    match = Match.new(GAMES["othello"], ["a", "b"], {"first": "1"}, 1)
    while match.rules.text(match.state).count("-") > empty or len(match.legal_steps()) < 2:
        if match.ending:
            return ending(seed + 1000, empty)
        match.play(chance.choice(match.legal_steps()))
    return match


class TestNBoardsScores:
    """``100%`` is solved to the last disc, ``100%W`` a win of unknown size."""

    @pytest.mark.parametrize("depth", [1, 4, 40])
    @pytest.mark.parametrize("seed", range(3))
    def test_hints_near_the_end_are_solved_to_the_disc(self, seed: int, depth: int) -> None:
        match = ending(seed, 6)
        with window("othello", "nboard") as opened:
            opened.says(f"set depth {depth}", f"set game {game_of(match)}", "hint 60")
            opened.hears("status Papan is thinking")
            told = [line.split() for line in opened.hears("status") if line.startswith("search ")]
            last = {line[1].split("-")[0]: line for line in told}
            expected = {
                self.name(match, step): best_of(play(match.state, step), match.mover) for step in match.legal_steps()
            }
            assert {cell: float(line[2]) for cell, line in last.items()} == expected
            assert {line[4] for line in last.values()} == {"100%"}

    def test_hints_with_eleven_empty_cells_differ(self) -> None:
        with window("othello", "nboard") as opened:
            opened.says("set depth 12", f"set game {game_of(ending(5, 11))}", "hint 4")
            opened.hears("status Papan is thinking")
            told = [line.split() for line in opened.hears("status") if line.startswith("search ")][-4:]
            assert {line[4] for line in told} == {"100%"} and len({line[2] for line in told}) > 1

    @staticmethod
    def name(match: Match, step: int) -> str:
        return (
            "PA"
            if match.rules.notation(match.state, step) == "pass"
            else match.rules.notation(match.state, step).upper()
        )

    @pytest.mark.parametrize(
        ("score", "is_proven", "depth", "told"),
        [
            (WIN - 7, True, 9, "2.00 0 100%W"),
            (7 - WIN, True, 9, "-2.00 0 100%W"),
            (WIN - 7 + 1 / 256, False, 0, "2.00 0 100%W"),
            (WIN - 7 + 12 / 256, True, 9, "12.00 0 100%"),
            (0.0, True, 9, "0.00 0 100%"),
            (3.5, False, 9, "3.50 0 9"),
            (900.0, False, 9, "64.00 0 9"),
        ],
    )
    def test_a_win_is_not_more_than_is_known(self, score: float, is_proven: bool, depth: int, told: str) -> None:
        match = ending(1, 9)
        step = match.legal_steps()[0]
        with window("othello", "nboard") as opened:
            found = Analysis.of([Line(step, score, (step,), is_proven)], match.mover, depth=depth)
            opened.program.tell(Finding(match, found, 0.5))
            assert opened.hears("search")[-1] == f"search {self.name(match, step)} {told}"


def game_of(match: Match) -> str:
    board = match.rules.text(match.state).translate(str.maketrans("XO-", "*O-"))
    return f"(;GM[Othello]BO[8 {board}];)"


class _Endless(Searcher):
    """A search in plain Python that does not come to an end by itself."""

    def __init__(self) -> None:
        self.is_over = threading.Event()

    def prepare(self, state: State) -> None: ...

    def stop(self) -> None:
        self.is_over.set()

    def answer(self, query: Query) -> Analysis:
        assert query.limit.nodes == 1 or self.is_over.wait(PATIENCE), "nobody stopped it"
        step = query.only[0] if query.only else legal_steps(query.state)[0]
        return Analysis(step, 0.0, int(mover(query.state)), principal_variation=(step,))


class TestBeforeAnythingIsCompiled:
    """A limit of time holds, in every game and protocol."""

    GO = {"uci": "go movetime 60", "ugi": "go movetime 60", "ucci": "go time 1 movestogo 1", "nboard": "go"}  # noqa: RUF012

    @pytest.mark.parametrize(("game", "protocol"), [one for one in SPOKEN if one[1] in NONE or one[1] == "nboard"])
    def test_plain_python_answers(self, game: str, protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
        compiler = threading.Event()
        for kind in (AlphaBeta, Finishing):
            monkeypatch.setattr(kind, "prepare", lambda *_: is_plain() or compiler.wait(PATIENCE))
        monkeypatch.setattr("papan.ai.engines.server.nboard.MOST_SECONDS", 0.06)
        with window(game, protocol) as opened:
            opened.says(self.GO[protocol])
            answer = opened.hears("===" if protocol == "nboard" else "bestmove")[-1]
            assert answer != "bestmove (none)"
            compiler.set()

    @pytest.mark.parametrize(
        ("game", "protocol", "question", "answer"),
        [
            ("xiangqi", "uci", "isready", "readyok"),
            ("gomoku", "gomocup", "START 15", "OK"),
            ("othello", "nboard", "ping 3", "pong 3"),
            ("othello", "gtp", "clear_board", "="),
        ],
    )
    def test_a_client_hears_soon_that_it_is_ready(
        self, game: str, protocol: str, question: str, answer: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        compiler, compiled = threading.Event(), threading.Event()

        def prepare(*_: object) -> None:
            if not is_plain():
                compiler.wait(PATIENCE)
                compiled.set()

        monkeypatch.setattr(AlphaBeta, "prepare", prepare)
        monkeypatch.setattr("papan.ai.engines.server.search_thread.READY_SECONDS", 0.01)
        monkeypatch.setattr("papan.ai.engines.server.search_thread.compiles_since", lambda: 0.0)
        with window(game, protocol) as opened:
            opened.says(question)
            assert opened.hears(answer)[-1] == answer and not compiled.is_set()
            assert not opened.program.close(), "nobody would wait for the compiler at the end"
            compiler.set()

    def test_a_turn_ahead_that_takes_too_long_is_stopped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        compiler, plain = threading.Event(), _Endless()
        monkeypatch.setattr(AlphaBeta, "prepare", lambda *_: is_plain() or compiler.wait(PATIENCE))
        monkeypatch.setattr("papan.ai.engines.server.search_thread.make_searcher", lambda *_, **__: plain)
        with window("xiangqi", "uci") as opened:
            opened.says("go movetime 40")
            assert opened.hears("bestmove")[-1] != "bestmove (none)"
            compiler.set()

    def test_a_solver_that_is_not_ready_is_done_without(self, monkeypatch: pytest.MonkeyPatch) -> None:
        compiler = threading.Event()
        monkeypatch.setattr(Finishing, "prepare_rest", lambda *_: compiler.wait(PATIENCE))
        monkeypatch.setattr(Finishing, "_made_solver", lambda _self: pytest.fail("the solver is not compiled yet"))
        match = ending(2, 9)
        with window("othello", "ugi") as opened:
            opened.says(f"position fen {match.rules.text(match.state)}", "go movetime 60")
            assert opened.hears("bestmove")[-1] != "bestmove (none)"
            compiler.set()
