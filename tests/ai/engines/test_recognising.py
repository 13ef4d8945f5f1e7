"""Programs of each protocol are recognised by it, with what they tell of themselves; others get a sentence."""

from __future__ import annotations

import sys
from functools import partialmethod
from pathlib import Path

import pytest

from papan.ai.engines import EngineError, recognising
from papan.ai.engines.options import MOST_OPTIONS, EngineOption, read_options
from papan.ai.engines.process import Cancelled, Process
from papan.ai.engines.recognising import Trial, UnrecognisedError, games_by_protocol, recognise
from tests.ai.engines.programs import GAME_OF, SPEAKERS, is_alive, script
from tests.waiting import PATIENCE

LONG = (PATIENCE, PATIENCE)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What seems to refuse a question is not listened to for long, and who does not exit is ended soon."""
    monkeypatch.setattr(recognising, "_REFUSED_SECONDS", 0.01)
    monkeypatch.setattr(Process, "end", partialmethod(Process.end, patience=0.1))


class TestRecognised:
    @pytest.mark.parametrize("protocol", SPEAKERS)
    @pytest.mark.parametrize("knows_game", [True, False])
    def test_by_its_protocol(self, protocol: str, knows_game: bool) -> None:
        game = GAME_OF[protocol] if knows_game else ""
        trials: list[Trial] = []
        found = recognise(script(SPEAKERS[protocol]), game=game, tell=trials.append, seconds=LONG)
        assert (found.protocol, found.name) == (protocol, "Fake 1.5")
        assert found.author == ("" if protocol in ("nboard", "gtp") else "A. Person")
        known = ("xiangqi",) if protocol == "uci" else games_by_protocol()[protocol]  # it has no option UCI_Variant
        assert found.games == ((game,) if game else known) and GAME_OF[protocol] in found.games
        tried = list(games_by_protocol(game))
        assert [trial.protocol for trial in trials] == tried[: tried.index(protocol) + 1]
        assert all((trial.number, trial.most) == (place + 1, len(tried)) for place, trial in enumerate(trials))

    def test_protocols_of_one_game_lead_to_it(self) -> None:
        known = games_by_protocol()
        assert known["uci"] == ("connect-four", "xiangqi")
        assert known["ucci"] == ("xiangqi",) and known["gtp"] == ("othello",)
        assert list(known)[-1] == "ugi" and len(known["ugi"]) > 5 and "catur-jawa" not in known["ugi"]

    @pytest.mark.parametrize(
        ("variants", "games"),
        [
            ("var chess var cfour", ("connect-four", "xiangqi")),  # some xiangqi programs number ranks from 0, unasked
            ("var xiangqi var chess", ("xiangqi",)),
        ],
    )
    def test_its_variants_lead_to_games(self, variants: str, games: tuple[str, ...]) -> None:
        option = f"option name UCI_Variant type combo default chess {variants}"
        body = SPEAKERS["uci"].replace("'uciok'", f"{option!r}, 'uciok'")
        assert option in body and recognise(script(body), protocol="uci", seconds=LONG).games == games

    def test_with_its_options(self) -> None:
        found = recognise(script(SPEAKERS["uci"]), game="xiangqi", seconds=LONG)
        assert [option.kind for option in found.offers] == [
            "spin", "spin", "check", "combo", "string", "string", "button",
        ]  # fmt: skip
        found = recognise(script(SPEAKERS["ucci"]), protocol="ucci")
        assert found.offers == (EngineOption("hashsize", "spin", "16", 16, 64),)

    def test_though_it_answers_slowly_and_with_a_banner(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(recognising, "_REFUSED_SECONDS", PATIENCE)
        body = "say('Error-free Engine 3'); time.sleep(0.3); say('x' * 60000)\n" + SPEAKERS["uci"]
        assert recognise(script(body), protocol="uci").name == "Fake 1.5"

    def test_as_the_protocol_asked_for_where_it_speaks_several(self) -> None:
        assert recognise(script("uci(lambda: None)"), game="xiangqi", protocol="ucci").protocol == "ucci"

    def test_in_its_folder(self, tmp_path: Path) -> None:
        body = "uci_name = os.getcwd()\nfor line in sys.stdin: say('id name ' + os.path.basename(uci_name), 'uciok')"
        assert recognise(script(body), tmp_path, protocol="uci").name == tmp_path.name


class TestUnrecognised:
    @pytest.mark.parametrize(
        ("body", "said"),
        [
            ("time.sleep(600)", r"^.* speaks no protocol of Xiangqi\. Tried uci, ucci, ugi: no answer\.$"),
            ("say('an error?'); time.sleep(600)", r"Tried uci, ucci, ugi: the answer was 'an error\?'\."),
            (
                "for line in sys.stdin: say('Unknown command: ' + line.strip())",
                r"Tried uci: the answer was 'Unknown command: uci'\. Tried ucci: the answer was 'Unkn",
            ),
            ("sys.exit(3)", r"Tried uci, ucci, ugi: The program '.*' ended unexpectedly \(exit code 3\)\."),
            (
                "sys.stdin.readline()\nsys.stdout.write('x' * 3_000_000); sys.stdout.flush(); time.sleep(600)",
                r"Tried uci, ucci, ugi: The program '.*' wrote a line of more than 65,536 bytes\.",
            ),
            (r"say('\x1b[31merror' + 'y' * 300); time.sleep(600)", r"the answer was '\\x1b\[31merrory{50,80}…'"),
            ("print('no weights', file=sys.stderr); sys.exit(1)", r"It reports 'no weights'\."),
        ],
    )
    def test_is_told_with_what_was_tried_and_what_it_answered(self, body: str, said: str) -> None:
        wait = 0.05 if body == "time.sleep(600)" else PATIENCE
        with pytest.raises(UnrecognisedError, match=said):
            recognise(script(body), game="xiangqi", seconds=(wait, wait))

    @pytest.mark.parametrize(
        ("protocol", "game", "said"),
        [
            ("uci", "gomoku", "Fake 1.5 by A. Person speaks uci. Gomoku can be played through gomocup or ugi, not thr"),
            ("gtp", "xiangqi", "Fake 1.5 speaks gtp. Xiangqi can be played through uci, ucci or ugi, not through gtp."),
        ],
    )
    def test_what_it_speaks_instead_is_told(self, protocol: str, game: str, said: str) -> None:
        with pytest.raises(UnrecognisedError) as error:
            recognise(script(SPEAKERS[protocol]), game=game, seconds=LONG)
        assert said in str(error.value)

    def test_nor_is_an_echo_a_program_of_any_protocol(self) -> None:
        with pytest.raises(UnrecognisedError):
            recognise(script("for line in sys.stdin: say('not recognised: ', line.strip())"), seconds=LONG)

    def test_a_file_that_is_no_program_is_not_tried_further(self, tmp_path: Path) -> None:
        trials: list[Trial] = []
        with pytest.raises(EngineError, match=r"^The program 'none' can't be started \("):
            recognise([str(tmp_path / "none")], tell=trials.append)
        assert len(trials) == 1

    def test_a_protocol_that_the_game_does_not_have_is_told(self) -> None:
        with pytest.raises(
            UnrecognisedError, match=r"^Othello can be played through nboard, gtp or ugi, not through 'ucci'"
        ):
            recognise(["x"], game="othello", protocol="ucci")

    def test_a_hint_at_arguments_where_there_are_none(self, tmp_path: Path) -> None:
        if sys.platform == "win32":
            pytest.skip("no program there ends so simply")
        for command, is_hinted in ((["/bin/sh"], True), (["/bin/sh", "-s"], False)):
            with pytest.raises(UnrecognisedError) as error:
                recognise(command, game="xiangqi", seconds=(0.2, 0.2))
            assert ("Perhaps it needs an argument" in str(error.value)) == is_hinted


def test_it_can_be_stopped_and_leaves_no_process(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    body = f"open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    with pytest.raises(Cancelled):
        recognise(script(body), is_cancelled=lambda: mark.exists() and mark.read_text() != "", seconds=LONG)
    if sys.platform != "win32":
        assert not is_alive(int(mark.read_text()))


class TestOptions:
    def test_lines_of_each_type(self) -> None:
        lines = [
            "option name Hash type spin default 16 min 1 max 33554432",
            "option name UCI_Elo type spin",
            "option name Move Style type combo default Very Risky var Solid var Very Risky var min",
            "option name Log type string default C:\\max min\\x",
            "option name Empty type string default <empty>",
            "option name Book type filename default a.bin",
            "option usebook type check default True",
            "option name Clear type button",
        ]
        assert read_options(lines) == (
            EngineOption("Hash", "spin", "16", 1, 33554432),
            EngineOption("UCI_Elo", "spin"),
            EngineOption("Move Style", "combo", "Very Risky", choices=("Solid", "Very Risky")),
            EngineOption("Log", "string", r"C:\max min\x"),
            EngineOption("Empty", "string"),
            EngineOption("Book", "string", "a.bin"),
            EngineOption("usebook", "check", "true"),
            EngineOption("Clear", "button"),
        )

    def test_what_is_no_option_is_left_out(self) -> None:
        lines = [
            "option", "option name", "option name X", "option name type spin", "option name X type",
            "optional a type b", "id name option", f"option name {'x' * 2000} type check",
            "option name a\x1bb type check", "",
        ]  # fmt: skip
        assert read_options(lines) == ()
        many = read_options(f"option name o{number} type check" for number in range(3 * MOST_OPTIONS))
        assert len(many) == MOST_OPTIONS
        assert len(read_options(["option name a type check", "option name a type button"])) == 1

    @pytest.mark.parametrize(
        ("line", "text", "said"),
        [
            ("spin default 1 min 0 max 9", "9", ""),
            ("spin default 1 min 0 max 9", "10", "'x' must be a number from 0 to 9"),
            ("spin default 1 min 0 max 9", "-1", "'x' must be a number from 0 to 9"),
            ("spin default 1 min 0 max 9", "many", "'x' must be a whole number"),
            ("spin default 1", "10", ""),
            ("combo default a var a var b", "c", "'x' must be 'a' or 'b'"),
            ("combo default a var a var b", "b", ""),
            ("string default a", "anything", ""),
        ],
    )
    def test_values(self, line: str, text: str, said: str) -> None:
        [option] = read_options([f"option name x type {line}"])
        assert option.fault(text) == said
