"""Another program as a player: what it may do wrong, what it is told, and how its answers are read."""

from __future__ import annotations

import gc
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.ai.engines import EngineError, NoMove, Resignation
from papan.ai.engines.entries import Entry
from papan.ai.engines.player import EnginePlayer
from papan.ai.limits import Limit, win_distance
from papan.ai.players import situation
from papan.ai.thinking.thinker import Thinker
from papan.game.catalogue import GAMES
from papan.game.match import Conclusion, Match
from papan.game.match.notation import parse_turn
from papan.lab.arena import Forfeit, NoMoveChoice, compare, openings, play_match
from tests.ai.engines.programs import entry, is_running, player, script, write_entries
from tests.waiting import PATIENCE, wait_for


def match_of(game: str, *turns: str, options: dict[str, str] | None = None) -> Match:
    match = Match.new(GAMES[game], ["a", "b"], {"first": "1", **(options or {})}, 1)
    for turn in turns:
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    return match


def answer_of(entry: Entry, match: Match) -> int:
    with player(entry) as made:
        return made.choose(situation(match)).step


class TestHostilePrograms:
    """Each is refused in a sentence that names it, and nothing of it is left: ``player`` waits for that."""

    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("uci(lambda: say('bestmove 9'))", r"gave '9', which is not a legal turn here\.$"),
            ("uci(lambda: say('bestmove'))", r"gave no turn \('bestmove'\)\.$"),
            (r"uci(lambda: say('bestmove \x1b[31m4'))", r"gave '\\x1b\[31m4', which is not a legal turn here"),
            ("uci(lambda: sys.exit(1))", r"ended unexpectedly \(exit code 1\)"),
            ("say('bestmove 4', 'uciok', 'readyok')\nsys.exit()", "ended unexpectedly"),
        ],
    )
    def test_forfeit_in_a_sentence(self, body: str, said: str) -> None:
        with pytest.raises(EngineError, match=said) as error:
            answer_of(entry(script(body)), match_of("connect-four"))
        assert str(error.value).startswith("The engine 'x' ") and str(error.value).endswith(".")

    @pytest.mark.parametrize(
        ("body", "waits"), [("uci(lambda: time.sleep(600))", {"grace": 0.01}), ("time.sleep(600)", {"patience": 0.01})]
    )
    def test_one_that_hangs_or_does_not_greet_is_not_waited_for_for_ever(
        self, body: str, waits: dict[str, Any]
    ) -> None:
        with pytest.raises(EngineError, match="did not answer in time"):
            answer_of(entry(script(body), **waits), match_of("connect-four"))

    def test_answers_that_nobody_has_asked_for_are_not_taken(self) -> None:
        body = "say('bestmove 1', 'info pv 1', 'readyok')\nuci(lambda: say('bestmove 4', 'bestmove 1'))"
        with player(entry(script(body))) as made:
            for _ in range(3):
                assert made.choose(situation(match_of("connect-four"))).step == 3

    def test_noise_among_its_lines_is_passed_over(self) -> None:
        noise = (
            r"'', 'info', 'info depth', 'info score cp', 'info depth x score cp y pv z', 'b', '\x00\x01', 'bestmovex 1'"
        )
        assert answer_of(entry(script(f"uci(lambda: say({noise}, 'bestmove 4'))")), match_of("connect-four")) == 3

    def test_one_that_has_forfeited_or_ends_with_its_answer_is_started_anew(self) -> None:
        with player(entry(script("uci(lambda: (say('bestmove 9'), time.sleep(600)))"))) as made:
            for _ in range(2):
                with pytest.raises(EngineError, match="not a legal turn here"):
                    made.choose(situation(match_of("connect-four")))
        body = "uci(lambda: (sys.stdout.write('bestmove 4'), sys.stdout.flush(), os.close(1), time.sleep(600)))"
        with player(entry(script(body))) as made:
            for _ in range(2):
                assert made.choose(situation(match_of("connect-four"))).step == 3

    def test_a_turn_that_is_only_begun_is_none(self) -> None:
        body = "uci(lambda: say('bestmove b2'))"
        match = match_of("santorini", options={"gods": "none"})
        with pytest.raises(EngineError, match="which is an incomplete turn"):
            answer_of(entry(script(body), "santorini"), match)


SENTENCE = " ".join(["the board is too large for this program"] * 5)
"""Longer than a quote of what a person wrote."""


class TestOtherProtocols:
    """What goes wrong in them is told in the same way."""

    GOMOCUP = (
        "for line in sys.stdin:\n"
        "    word = line.split()[0]\n"
        "    if word == 'ABOUT': say('name=\"Brain\"')\n"
        "    if word == 'START': say('MESSAGE hello', START)\n"
        "    if word in ('BEGIN', 'DONE', 'TURN'): say('noise', 'MESSAGE 1,1', TURN)\n"
    )
    NBOARD = (
        "for line in sys.stdin:\n"
        "    if line.startswith('ping'): say('set myname Board', 'p' + 'ong ' + line.split()[1])\n"
        "    if line.startswith('go'): say('status thinking', TURN, 'status')\n"
    )
    GTP = "for line in sys.stdin:\n    if line.startswith('genmove'): say(TURN, '')\n    else: say('= Stone', '')\n"

    def test_programs_that_work(self) -> None:
        for game, protocol, body, step in (
            ("gomoku", "gomocup", f"START, TURN = 'OK', '3, 2'\n{self.GOMOCUP}", "d3"),
            ("othello", "nboard", f"TURN = '=== F5/1.5/0.1'\n{self.NBOARD}", "f5"),
            ("othello", "gtp", f"TURN = '= f5'\n{self.GTP}", "f5"),
        ):
            match = match_of(game)
            with player(entry(script(body), game, protocol)) as made:
                found = made.choose(situation(match))
                assert match.rules.notation(match.state, found.step) == step
                assert made.start() in ("Brain", "Board", "Stone")
                assert found.score == (1.5 if protocol == "nboard" else 0.0)

    @pytest.mark.parametrize(
        ("game", "protocol", "body", "said"),
        [
            ("gomoku", "gomocup", f"START, TURN = 'ERROR no', ''\n{GOMOCUP}", "answered 'ERROR no' to START 15"),
            ("gomoku", "gomocup", f"START, TURN = 'OK', 'ERROR no'\n{GOMOCUP}", r"gave no turn \('ERROR no'\)"),
            ("gomoku", "gomocup", f"START, TURN = 'OK', 'ERROR {SENTENCE}'\n{GOMOCUP}", rf"\('ERROR {SENTENCE}'\)"),
            (
                "gomoku",
                "gomocup",
                f"START, TURN = 'OK', '15,0'\n{GOMOCUP}",
                "gave '15,0', which is not a legal turn here",
            ),
            ("gomoku", "gomocup", f"START, TURN = 'OK', '7'\n{GOMOCUP}", "gave '7', which is not a legal turn here"),
            ("othello", "nboard", f"TURN = '=== A1'\n{NBOARD}", "gave 'A1', which is not a legal turn here"),
            ("othello", "nboard", f"TURN = '==='\n{NBOARD}", r"gave no turn \('==='\)"),
            ("othello", "gtp", f"TURN = '? no'\n{GTP}", r"refuses 'genmove' \('\? no'\)"),
            ("othello", "gtp", f"TURN = '='\n{GTP}", "gave no turn"),
            ("othello", "gtp", f"TURN = '= pass'\n{GTP}", "gave 'pass', which is not a legal turn here"),
        ],
    )
    def test_programs_that_do_not(self, game: str, protocol: str, body: str, said: str) -> None:
        with pytest.raises(EngineError, match=said):
            answer_of(entry(script(body), game, protocol), match_of(game))

    def test_what_they_report_is_logged(self, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level("INFO")
        body = f"START, TURN = 'OK', 'ERROR {SENTENCE}'\n{self.GOMOCUP.replace('hello', SENTENCE)}"
        with pytest.raises(EngineError):
            answer_of(entry(script(body), "gomoku", "gomocup"), match_of("gomoku"))
        told = [line.partition(" says: ")[2] for line in caplog.messages if " says: " in line]
        assert told == [f"MESSAGE {SENTENCE}", "MESSAGE 1,1", f"ERROR {SENTENCE}"]

    def test_gtp_knows_no_positions(self) -> None:
        match = Match.new(GAMES["othello"], ["a", "b"], {"first": "1"}, 1, "XO" + "-" * 62 + " X")
        with pytest.raises(EngineError, match="can only start from the first position"):
            answer_of(entry(script(f"TURN = ''\n{self.GTP}"), "othello", "gtp"), match)


class TestWhatSaysThatThereIsNoMove:
    """Each protocol's words for it, and for giving up: no fault, so that the program plays on."""

    @pytest.mark.parametrize(
        ("game", "protocol", "line", "kind", "said"),
        [
            ("xiangqi", "ucci", "nobestmove", NoMove, r"gave no move \('nobestmove'\)\.$"),
            ("xiangqi", "uci", "bestmove (none)", NoMove, "gave no move"),
            ("xiangqi", "uci", "bestmove 0000", NoMove, "gave no move"),
            ("connect-four", "ugi", "bestmove NULL", NoMove, "gave no move"),
            ("connect-four", "ugi", "bestmove resign", Resignation, r"resigns\.$"),
            ("xiangqi", "ucci", "bestmove h2e2 resign", Resignation, r"resigns\.$"),
        ],
    )
    def test_in_uci_and_its_kin(self, game: str, protocol: str, line: str, kind: type[EngineError], said: str) -> None:
        with player(entry(script(f"uci(lambda: say({line!r}))"), game, protocol)) as made:
            for _ in range(2):
                with pytest.raises(EngineError, match=said) as error:
                    made.choose(situation(match_of(game)))
                assert type(error.value) is kind
                assert made.start() == "Script"

    def test_in_gtp(self) -> None:
        body = f"TURN = '= resign'\n{TestOtherProtocols.GTP}"
        with pytest.raises(Resignation, match=r"resigns\.$"):
            answer_of(entry(script(body), "othello", "gtp"), match_of("othello"))

    def test_a_draw_that_is_offered_with_a_move_is_not_taken(self) -> None:
        match = match_of("xiangqi")
        step = answer_of(entry(script("uci(lambda: say('bestmove h2e2 draw'))"), "xiangqi", "ucci"), match)
        assert match.rules.notation(match.state, step) == "h2e2"


STOPPED = (
    "def go():\n"
    "    say('info depth 1 score cp 1 pv 4')\n"
    "    while sys.stdin.readline() != 'stop\\n': pass\n"
    "    say('bestmove 5')\n"
    "uci(go)"
)
"""It thinks until it is told to stop."""


class TestCancelling:
    def test_stops_what_can_be_stopped(self) -> None:
        with player(entry(script(STOPPED))) as made:
            started = time.monotonic()
            made.choose(situation(match_of("connect-four")), lambda: time.monotonic() > started + 0.05)
            assert made.start() == "Script"  # the same one: it goes on

    @pytest.mark.parametrize("body", ["uci(lambda: time.sleep(600))", "time.sleep(600)"])
    def test_ends_what_does_not_listen_even_while_it_starts(self, body: str) -> None:
        with player(entry(script(body))) as made:
            assert made.choose(situation(match_of("connect-four")), lambda: True).step in range(7)

    def test_stop_brings_the_answer_that_there_is(self) -> None:
        thinker = Thinker()
        try:
            with player(entry(script(STOPPED))) as made:
                ticket = thinker.ask(made, situation(match_of("connect-four")))
                wait_for(made.live, "the first finding")
                made.stop()
                answer = wait_for(thinker.poll, "the answer")
                assert answer.ticket == ticket and answer.analysis and answer.analysis.step == 4
        finally:
            thinker.close()


@pytest.mark.skipif(sys.platform == "win32", reason="looks for a process as POSIX does")
class TestLettingGo:
    BODY = (
        "for line in sys.stdin:\n"
        "    if line == 'ugi\\n': say('id name ' + str(os.getpid()), 'ugiok')\n"
        "    if line == 'isready\\n': say('readyok')\n"
        "    if line.startswith('go'): say('bestmove 4')\n"
    )

    def played(self) -> int:
        """The number of a program that has played for a player that nobody keeps any more."""
        made = EnginePlayer(entry(script(self.BODY)), GAMES["connect-four"])
        wanted = [made]  # what asks whether the answer is wanted knows the player, as the thinker's question does
        assert made.choose(situation(match_of("connect-four")), lambda: not wanted).step == 3
        assert is_running(int(made.start()))
        return int(made.start())

    def test_of_the_player_ends_the_program(self) -> None:
        pid = self.played()
        wait_for(lambda: not is_running(pid), "the end of a program that nobody plays with")

    def test_of_the_thinker_s_question_does_too(self) -> None:
        thinker = Thinker()
        made = EnginePlayer(entry(script(self.BODY)), GAMES["connect-four"])
        thinker.ask(made, situation(match_of("connect-four")))
        assert wait_for(thinker.poll).analysis
        pid = int(made.start())
        assert thinker.close(PATIENCE)
        del made, thinker
        gc.collect()
        wait_for(lambda: not is_running(pid), "the end of a program that nobody plays with")


def test_what_it_finds_is_read() -> None:
    """A forced end is told in turns, a pawn is the evaluation's scale, and only the best line counts."""
    lines = [
        *(f"info depth 7 nodes 99 score mate {moves} pv 4 4 x" for moves in (2, 1, -1, -2, 0)),
        "info depth 7 score cp 50 pv 4\ninfo depth 8 score cp 99 upperbound pv 5",
        "info multipv 2 depth 7 score cp 50 pv 5",
    ]
    with player(entry(script(f"told = {lines}\nuci(lambda: say(told.pop(0), 'bestmove 4'))"))) as made:
        found = [made.choose(situation(match_of("connect-four"))) for _ in lines]
    for one, distance in zip(found, (3, 1, -2, -4, -1), strict=False):
        assert (win_distance(one.score), one.depth, one.nodes) == (distance, 7, 99)
        assert one.principal_variation == (3, 3)
    assert found[5].score == 6.0 and found[6].principal_variation == (3,)


class TestWhatIsAsked:
    ECHO = (
        "for line in sys.stdin:\n"
        "    if line.split()[0] in ('ugi', 'uci', 'ucci'): say(line.split()[0] + 'ok')\n"
        "    if line.startswith('isready'): say('readyok')\n"
        "    if line.startswith('go'): say('bestmove !')\n"
    )

    def heard(self, entry: Entry, match: Match, caplog: pytest.LogCaptureFixture) -> list[str]:
        caplog.set_level("DEBUG")
        with pytest.raises(EngineError):
            answer_of(entry, match)
        return [
            message.partition(" < ")[2]
            for record in caplog.records
            if " < " in (message := record.getMessage()) and record.name.endswith("process")
        ]

    def test_the_turns_since_the_beginning(self, caplog: pytest.LogCaptureFixture) -> None:
        told = self.heard(entry(script(self.ECHO)), match_of("connect-four", "4", "4", "1"), caplog)
        assert told[:2] == ["ugi", "isready"]
        assert told[-3:] == ["isready", "position startpos moves 4 4 1", "go movetime 10"]

    def test_the_options_of_the_match(self, caplog: pytest.LogCaptureFixture) -> None:
        told = self.heard(entry(script(self.ECHO), "gomoku"), match_of("gomoku", options={"size": "19"}), caplog)
        assert "setoption name size value 19" in told and "setoption name exact value no" in told
        assert not any("first" in line for line in told)

    def test_a_position_that_the_match_began_with(self, caplog: pytest.LogCaptureFixture) -> None:
        text = "4k4/9/9/9/9/9/9/9/9/3K1R3 w 7"
        match = Match.new(GAMES["xiangqi"], ["a", "b"], {"first": "1"}, 1, text)
        told = self.heard(entry(script(self.ECHO), "xiangqi", "uci", Limit(depth=3, nodes=5)), match, caplog)
        assert told[-2:] == ["position fen 4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 7 1", "go depth 3 nodes 5"]
        assert "setoption name UCI_Variant value xiangqi" in told

    def test_xiangqis_ranks_from_one_or_from_zero(self, caplog: pytest.LogCaptureFixture) -> None:
        match = match_of("xiangqi", "h2e2", "h9g7")
        assert self.heard(entry(script(self.ECHO), "xiangqi", "uci"), match, caplog)[-2].endswith(" moves h3e3 h10g8")
        caplog.clear()
        told = self.heard(entry(script(self.ECHO), "xiangqi", "ucci"), match, caplog)
        assert told[-2].endswith(" moves h2e2 h9g7") and told[-1].endswith(" movestogo 1")

    INTRODUCED = (
        "def introduced(*lines):\n"
        "    for line in sys.stdin:\n"
        "        word = line.split()[0]\n"
        "        if word in ('uci', 'ucci'): say(*lines, word + 'ok')\n"
        "        if word == 'isready': say('readyok')\n"
        "        if word == 'go': say('bestmove ' + ANSWER)\n"
    )

    @pytest.mark.parametrize(
        ("lines", "notation", "moves", "answer"),
        [
            (("id name Pikafish 2026",), "", "h2e2 h9g7", "h0g2"),
            (("id name Pikafish dev", "option name Hash type spin default 16"), "", "h2e2 h9g7", "h0g2"),
            (("id name Other", "option name Hash type spin", "option name Ponder type check"), "", "h2e2 h9g7", "h0g2"),
            (("id name Fairy", "option name UCI_Variant type combo default chess"), "", "h3e3 h10g8", "h1g3"),
            (("id name Small",), "", "h3e3 h10g8", "h1g3"),
            (("id name Small",), "0-9", "h2e2 h9g7", "h0g2"),
            (("id name Other", "option name Hash type spin"), "1-10", "h3e3 h10g8", "h1g3"),
            (("id name Fairy", "option name UCI_Variant type combo"), "0-9", "h2e2 h9g7", "h0g2"),
        ],
    )
    def test_ranks_as_a_programs_first_lines_or_its_entry_say(
        self, lines: tuple[str, ...], notation: str, moves: str, answer: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        body = f"ANSWER = {answer!r}\n{self.INTRODUCED}introduced{(*lines, '')!r}"
        made = replace(entry(script(body), "xiangqi", "uci"), notation=notation)
        match = match_of("xiangqi", "h2e2", "h9g7")
        caplog.set_level("DEBUG")
        assert match.rules.notation(match.state, answer_of(made, match)) == "h0g2"
        told = [one.getMessage().partition(" < ")[2] for one in caplog.records]
        assert f"position startpos moves {moves}" in told
        numbers_from_1 = answer == "h1g3"
        assert ("setoption name UCI_Variant value xiangqi" in told) == numbers_from_1

    @pytest.mark.parametrize(
        ("option", "seconds", "asked"),
        [
            ("option usemillisec type check default false", 0.97, "go time 970 movestogo 1"),
            ("option usemillisec type check default true", 2.5, "go time 2500 movestogo 1"),
            ("option usebook type check default true", 2.5, "go time 2 movestogo 1"),
            ("id name usemillisec", 0.4, "go time 1 movestogo 1"),
        ],
    )
    def test_milliseconds_only_where_a_program_of_ucci_has_them(
        self, option: str, seconds: float, asked: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        body = f"ANSWER = 'b2b4'\n{self.INTRODUCED}introduced({option!r})"
        match = match_of("xiangqi")
        caplog.set_level("DEBUG")
        answer_of(entry(script(body), "xiangqi", "ucci", Limit(time=seconds)), match)
        told = [one.getMessage().partition(" < ")[2] for one in caplog.records]
        assert asked in told
        assert ("setoption usemillisec true" in told) == option.startswith("option usemillisec")


def test_a_turn_of_several_steps_is_played_step_by_step() -> None:
    match = match_of("santorini", options={"gods": "none", "placement": "random"})
    first = match.legal_steps()[0]
    after = match.up_to(0)
    after.play(first)
    second = after.legal_steps()[0]
    after.play(second)
    turn = after.turns()[0].notation
    body = f"uci(lambda: say('bestmove {turn}'))"
    with player(entry(script(body), "santorini")) as made:
        for step in (first, second):
            assert made.choose(situation(match)).step == step
            match.play(step)
    assert match.mover == 1


class TestMatches:
    def test_a_forfeit_leaves_the_match_whole(self) -> None:
        match = match_of("connect-four")
        body = "uci(lambda: say('bestmove 1'))"  # until the column is full
        said = r"^The engine 'x' .*: it forfeits$"
        with player(entry(script(body))) as made, pytest.raises(Forfeit, match=said) as forfeit:
            play_match(match, [made, made])
        assert forfeit.value.seat == match.mover and match.ending is None
        assert forfeit.value.ending.winner == 1 - match.mover
        match.play(match.legal_steps()[0])

    def test_a_forfeit_is_a_loss_that_is_counted_apart(self, home: Path) -> None:
        write_entries(home, entry(script("uci(lambda: say('bestmove 9'))")))
        starts = openings(GAMES["connect-four"], 2, {}, seed=0, turns=2)
        tally = compare(GAMES["connect-four"], ["random", "engine:x"], starts)
        assert (tally.wins, tally.losses, tally.forfeits) == (4, 0, [0, 4])

    NO_MOVE = "uci(lambda: say('nobestmove'))"

    def no_move(self) -> Entry:
        return entry(script(self.NO_MOVE), "xiangqi", "ucci")

    def test_no_move_where_the_rules_have_one_is_a_draw_or_as_asked(self) -> None:
        said = r"^The engine 'x' gave no move \('nobestmove'\): "
        with player(self.no_move()) as made:
            choices: list[tuple[NoMoveChoice, str, int | None]] = [
                ("draw", "the game counts as a draw$", None), ("loss", "it forfeits$", 1),
            ]  # fmt: skip
            for no_move, ended, winner in choices:
                with pytest.raises(Forfeit, match=said + ended) as forfeit:
                    play_match(match_of("xiangqi"), [made, made], no_move=no_move)
                assert forfeit.value.ending.winner == winner
            with pytest.raises(NoMove):
                play_match(match_of("xiangqi"), [made, made], no_move="error")

    def test_no_move_is_no_win_and_no_forfeit_and_is_counted(self, home: Path) -> None:
        write_entries(home, self.no_move())
        starts = openings(GAMES["xiangqi"], 1, {}, seed=0, turns=2)
        tally = compare(GAMES["xiangqi"], ["random", "engine:x"], starts)
        assert (tally.wins, tally.draws, tally.losses) == (0, 2, 0)
        assert (tally.forfeits, tally.no_moves) == ([0, 0], [0, 2])

    def test_a_resignation_is_a_loss_by_the_match_s_own_words(self) -> None:
        match = match_of("connect-four")
        with player(entry(script("uci(lambda: say('bestmove resign'))"))) as made:
            assert play_match(match, [made, made]).conclusion == Conclusion("resigned", 0)
        assert match.ending and match.ending.winner == 1

    def test_hidden_cards_are_told_to_no_program(self) -> None:
        match = Match.new(GAMES["catur-jawa"], ["a", "b"], seed=1)
        assert situation(match).past is None
