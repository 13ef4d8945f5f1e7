"""The command line, in this process and as a person starts it."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from papan import main
from papan.commands.common import command_words
from papan.game.base.logfile import begin_log
from papan.game.base.untrusted import LONGEST_QUOTE
from papan.game.base.version import VERSION
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.record import read, write
from papan.game.rules.connect_four import parse
from tests.waiting import PATIENCE

ROOT = Path(main.__file__).resolve().parents[1]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, standard output and standard error of the program with *arguments*."""
    code = main.run(arguments)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def start(*arguments: str, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """A process of its own; a variable of *environment* that is None is not set."""
    variables = {**os.environ, **environment}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *arguments],
        env={name: value for name, value in variables.items() if value is not None},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        cwd=ROOT.parent,
    )


@pytest.fixture(autouse=True)
def root_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test adds to the log is gone after it."""
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(logging.getLogger(), "handlers", list(logging.getLogger().handlers))


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[Match | None]:
    """The windows that were to be opened, each by its match."""
    opened: list[Match | None] = []
    monkeypatch.setattr(main, "_open_window", lambda match=None, to_review=False: opened.append(match))
    return opened


class TestGames:
    def test_each_has_a_line_with_its_options(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = run(capsys, "games")
        assert code == 0 and not err
        for game in GAMES.values():
            (line,) = (line for line in out.splitlines() if line.startswith(f"{game.name} "))
            assert game.title in line and all(f"{option}=" in line for option in game.options)

    def test_json_has_all_facts(self, capsys: pytest.CaptureFixture[str]) -> None:
        games = json.loads(run(capsys, "games", "--json")[1])["games"]
        assert [game["name"] for game in games] == list(GAMES)
        facts = next(game for game in games if game["name"] == "connect-four")
        (first,) = facts["options"]
        assert first["default"] == "random" and list(first["values"]) == ["random", "1", "2"]
        assert first["allowed"] == "random, 1, 2"


class TestPlay:
    @pytest.mark.parametrize(
        ("seats", "players"),
        [
            ((), ["human", "human"]),
            (("minimax:hard",), ["minimax:hard", "human"]),
            (("human", "random"), ["human", "random"]),
        ],
    )
    def test_seats_left_away_are_persons(
        self,
        capsys: pytest.CaptureFixture[str],
        windows: list[Match | None],
        seats: Sequence[str],
        players: Sequence[str],
    ) -> None:
        arguments = [word for seat in seats for word in ("--seat", seat)]
        assert run(capsys, "play", "connect-four", *arguments, "--option", "first=1")[0] == 0
        (match,) = windows
        assert match and match.game is GAMES["connect-four"] and match.seats == players

    def test_a_match_can_be_set_up(self, capsys: pytest.CaptureFixture[str], windows: list[Match | None]) -> None:
        assert run(capsys)[0] == 0
        code = run(capsys, "play", "connect-four", "--seed", "4", "--option", "first=2", "--position", "4455")[0]
        (without_a_command, match) = windows
        assert code == 0 and match and without_a_command is None
        assert (match.seed, match.options, match.state) == (4, {"first": "2"}, parse("4455", {}))

    def test_a_window_that_can_not_open_says_what_else_works(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from papan.ui.window import program
        from papan.ui.window.display import NoDisplay, UnfitDisplay

        for kind, trouble in ((NoDisplay, "There is no display"), (UnfitDisplay, "The window can't be opened on this")):

            def refuse(kind: type[NoDisplay] = kind, **_others: object) -> None:
                raise kind("the screen is dark")

            monkeypatch.setattr(program, "Program", refuse)
            for arguments in ((), ("play", "connect-four")):
                code, out, err = run(capsys, *arguments)
                assert code == 2 and not out and err.startswith(trouble)
                assert err.count("\n") == 1 and "(the screen is dark)" in err and "'match'" in err


class TestOpening:
    @pytest.mark.parametrize("what", ["papan:AQ", "PAPAN:AQ", str(Path(__file__))])
    def test_a_link_or_a_file_needs_no_command(
        self, what: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        opened: list[str] = []
        monkeypatch.setattr(main, "_open_window", lambda to_open: opened.append(to_open))
        assert run(capsys, what)[0] == 0
        assert opened == [what]

    def test_other_words_are_no_files(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, _out, err = run(capsys, "nowhere.papan-letter")
        assert code == 2 and "No such command" in err


class TestReview:
    def test_a_record_is_looked_through(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        opened: list[tuple[Match, bool]] = []
        monkeypatch.setattr(main, "_open_window", lambda match, to_review: opened.append((match, to_review)))
        match = Match.new(GAMES["connect-four"], ["human", "human"], {"first": "1"}, seed=1)
        match.play(3)
        path = tmp_path / "match.txt"
        path.write_text(write(match), encoding="utf-8")
        assert run(capsys, "review", str(path))[0] == 0
        [(shown, to_review)] = opened
        assert to_review and list(shown.steps) == [3]

    def test_what_is_no_record_is_refused_with_where_and_why(
        self, capsys: pytest.CaptureFixture[str], windows: list[Match | None], tmp_path: Path
    ) -> None:
        match = Match.new(GAMES["connect-four"], ["human", "human"], {"first": "1"}, seed=1)
        for column in (3, 3):
            match.play(column)
        path = tmp_path / "match.txt"
        path.write_text(write(match).replace("1. 4 4", "1. 4 9"), encoding="utf-8")
        code, out, err = run(capsys, "review", str(path))
        assert code == 2 and not out and not windows
        assert " can't be read. Line " in err and "'9'" in err and err.count("\n") == 1


class TestMatch:
    def test_is_printed_turn_by_turn(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("match", "connect-four", "random", "random", "--seed", "3", "--option", "first=1", "--position")
        code, out, err = run(capsys, *words, "121212")
        assert code == 0 and not err
        assert run(capsys, *words, "121212") == (0, out, ""), "the same seed plays the same match"
        lines = out.splitlines()
        assert lines[0] == "Connect Four, seed 3, first=1"
        assert lines[2].split() == ["random", "random"]
        assert re.match(r"  1\. [1-7] +[1-7]$", lines[3])
        assert re.search(r"^(1-0|0-1|1/2-1/2)  (random \(seat [12]\) wins|a draw): \w+", lines[-1])
        code, out, _ = run(capsys, *words, "1212121")
        assert code == 0 and out.endswith(" (seat 1) wins: four in a row\n"), "a finished position is told as such"

    @pytest.mark.parametrize("game", ["catur-jawa", "santorini", "2048"])
    def test_json_holds_the_record(self, capsys: pytest.CaptureFixture[str], game: str) -> None:
        players = ["random"] * GAMES[game].seats[0]
        facts = json.loads(run(capsys, "match", game, *players, "--seed", "5", "--json")[1])
        match = read(facts["record"])
        assert match.ending and facts["reason"] == match.ending.reason
        assert facts["game"] == game and facts["seed"] == 5 and facts["options"] == match.options
        assert [turn["notation"] for turn in facts["turns"]] == [turn.notation for turn in match.turns()]
        assert facts["payoffs"] == list(match.ending.payoffs)

    def test_players_are_compared_from_random_openings(self, capsys: pytest.CaptureFixture[str]) -> None:
        arguments = ("match", "connect-four", "minimax:depth=4", "random", "--openings", "3")
        code, out, _err = run(capsys, *arguments)
        assert code == 0 and re.search(r"minimax:depth=4 scores \d+\.\d % .* in 6 matches of ", out, re.S)
        facts = json.loads(run(capsys, *arguments, "--json")[1])
        assert facts["wins"] + facts["draws"] + facts["losses"] == 6 and facts["interval_95"][0] <= facts["score"]

    @pytest.mark.parametrize(
        ("arguments", "sentence"),
        [
            (["random"], "two players, not 1"),
            (["random", "random", "--position", "44"], "cannot be combined with --position"),
            (["random", "random", "--turns", "1"], "Only 7 openings of 1 turns"),
        ],
    )
    def test_comparisons_that_make_no_sense_are_refused(
        self, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
    ) -> None:
        code, out, err = run(capsys, "match", "connect-four", *arguments, "--openings", "9")
        assert code == 2 and not out and sentence in err


class TestPerft:
    def test_counts_turns_from_a_position(self, capsys: pytest.CaptureFixture[str]) -> None:
        facts = json.loads(
            run(
                capsys, "perft", "santorini", "2", "--json", "--option", "gods=none",
                "--position", "0000011000020004003011112/2/mortal:b1,d1/mortal:b3,b2",
            )[1]
        )  # fmt: skip
        assert facts["leaves"] == 1413
        assert [row["leaves"] for row in facts["depths"]] == [55, 1413]

    def test_prints_each_depth(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "perft", "connect-four", "6")
        assert [line.split()[:2] for line in out.splitlines()[-2:]] == [["5", "16807"], ["6", "117649"]]


WRONG = {
    ("bogus",): "No such command 'bogus'",
    ("--bogus",): "No such option '--bogus'",
    ("games", "x"): "unexpected extra argument",
    ("play",): "Missing argument 'GAME'",
    ("play", "chess"): "There is no game 'chess'; there are",
    ("play", "connect-four", "--seat", "deep-blue"): "There is no player 'deep-blue'",
    ("play", "connect-four", *["--seat", "human"] * 3): "has 2 seats, not 3",
    ("review",): "Missing argument 'FILE'",
    ("review", "nowhere.txt"): "'nowhere.txt' can't be read",
    ("match",): "Missing argument 'GAME'",
    ("match", "connect-four"): "Missing argument 'PLAYER PLAYER'",
    ("match", "connect-four", "random"): "is for 2 players, not 1",
    ("match", "connect-four", "random", "random", "random"): "is for 2 players, not 3",
    ("match", "connect-four", "random", "human"): "'human' can only play in the window",
    ("match", "connect-four", "random", "minimax:depth=x"): "'minimax:depth=x' is not a player",
    ("match", "connect-four", "random", "random", "--option", "first"): "write --option name=value",
    ("match", "connect-four", "random", "random", "--option", "first=9"): "first can be random, 1, 2",
    ("match", "connect-four", "random", "random", "--option", "x=1"): "has no option 'x'",
    ("match", "connect-four", "random", "random", *("--option", "first=1", "--option", "first=2")): "given twice",
    ("match", "connect-four", "random", "random", "--seed", "x"): "The seed must be a whole number, not 'x'.",
    ("match", "connect-four", "random", "random", "--seed", "1_000"): "The seed must be a whole number, not '1_000'.",
    (
        "match",
        "connect-four",
        "random",
        "random",
        "--turns",
        "٣",
    ): "The number of turns must be a whole number, not '٣'.",
    ("match", "connect-four", "random", "minimax:depth=+1"): "'minimax:depth=+1' is not a player: after the colon",
    ("match", "\x1b[31m", "random", "random"): r"There is no game '\x1b[31m'; there are ",
    ("match", "p" * 200, "random", "random"): f"There is no game '{'p' * 79}…'; there are ",
    ("perft", "santorini", "1", "--option", "seats=" + "9" * 20): "Santorini can't have seats=99999999999999999999; ",
    ("match", "connect-four", "random", "random", "--seed"): "requires an argument",
    ("match", "connect-four", "random", "random", "--position", "4x"): "Character 2, 'x', is not a column",
    ("play", "connect-four", "--position", "9"): "Character 1, '9', is not a column",
    ("play", "connect-four", "--option", "gods=none"): "has no option 'gods'",
    ("perft", "connect-four"): "Missing argument 'DEPTH'",
    ("perft", "connect-four", "0"): "The depth must be from 1 to 60, not 0.",
    ("perft", "connect-four", "x"): "The depth must be a whole number, not 'x'.",
    ("perft", "connect-four", "2", "--position", "8"): "Character 1, '8', is not a column",
    ("bench", "--game", "chess"): "There is no game 'chess'",
    ("--self-test", "games"): "--self-test can't be combined",
    ("c" * 200,): f"No such command '{'c' * 79}…'; see ",
    ("c'd (e)\x1b" * 50,): "No such command ",
    ("games", "--" + "o" * 200): f"No such option '--{'o' * 77}…'; see ",
    ("games", *["much"] * 50): f"unexpected extra arguments ({('much ' * 16)[:79]}…); see ",
    ("report", "f" * 300): f"The folder '{'f' * 79}…' can't be read: ",
    ("match", "connect-four", "random", "random", "--record", "f" * 300): f"'{'f' * 79}…' can't be written: ",
}


class TestWrongArguments:
    @pytest.mark.parametrize("arguments", list(WRONG), ids=" ".join)
    def test_are_answered_with_one_sentence(
        self, capsys: pytest.CaptureFixture[str], windows: list[Match | None], arguments: tuple[str, ...]
    ) -> None:
        code, out, err = run(capsys, *arguments)
        assert code == 2 and not out and not windows
        assert WRONG[arguments] in err
        assert err.endswith(".\n") and err.count("\n") == 1
        assert all(typed not in err for typed in arguments if len(typed) > LONGEST_QUOTE)

    def test_what_nobody_foresaw_is_logged(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path
    ) -> None:
        def fail(*arguments: object) -> None:
            raise ZeroDivisionError("no reason\x1b[31m")

        monkeypatch.setattr(main, "_open_window", fail)
        monkeypatch.setattr(logging, "raiseExceptions", True)
        begin_log()
        code, _, err = run(capsys)
        log = home / "log" / "papan.log"
        assert code == 1 and err.count("\n") == 1
        assert "ZeroDivisionError: no reason" in err and str(log) in err
        logged = log.read_text(encoding="utf-8")
        assert "Traceback" in logged and all(line.isprintable() for line in logged.split("\n"))


class TestProcesses:
    @pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
    @pytest.mark.parametrize(
        ("display", "arguments"), [(None, ()), (":4321", ("play", "connect-four")), (":4321", ("--self-test",))]
    )
    def test_without_a_display_it_says_so(self, display: str | None, arguments: tuple[str, ...]) -> None:
        answer = start(
            *arguments, DISPLAY=display, WAYLAND_DISPLAY=None, XDG_RUNTIME_DIR=None, SDL_VIDEODRIVER=None
        )  # fmt: skip
        assert answer.returncode == 2 and not answer.stdout
        assert answer.stderr.startswith("There is no display") and answer.stderr.count("\n") == 1
        assert "'python main.py games'" in answer.stderr

    @pytest.mark.parametrize(
        ("door", "called"),
        [
            ([str(ROOT / "main.py")], "python main.py"),
            (["-m", "papan"], "python -m papan"),
            ([str(ROOT / "papan")], "papan"),
        ],
        ids=["checkout", "module", "folder"],
    )
    def test_it_calls_itself_as_it_was_called(self, door: list[str], called: str) -> None:
        answer = subprocess.run(
            [sys.executable, *door, "nonsense"], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
        )
        assert answer.returncode == 2 and f"'{called} --help'" in answer.stderr

    def test_it_starts_anew_from_any_folder(self, tmp_path: Path) -> None:
        """It does not take up what happens to lie there by the names of its own modules."""
        for name in ("papan", "main", "game", "click"):
            (tmp_path / f"{name}.py").write_text("raise SystemExit('not this program')", encoding="utf-8")
        answer = subprocess.run(
            [*command_words(), "games", "--json"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
        )
        assert (answer.returncode, answer.stderr) == (0, "")
        assert len(json.loads(answer.stdout)["games"]) == len(GAMES)

    def test_a_log_that_can_not_be_written_is_no_reason_to_fail(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        answer = start("--version", PAPAN_HOME=str(tmp_path / "file"))
        assert (answer.returncode, answer.stdout, answer.stderr) == (0, f"Papan {VERSION}\n", "")

    def test_damaged_files_of_the_program_are_named(self, tmp_path: Path) -> None:
        code = (
            "import sys; from pathlib import Path; from papan.game.base.assets import ASSETS; from papan import main;"
            f"ASSETS.take_from(Path({str(tmp_path)!r}));"
            "sys.argv[1:] = ['match', 'othello', 'minimax:depth=1', 'random', '--seed', '1']; sys.exit(main.main())"
        )
        played = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
        )
        assert played.returncode == 0 and played.stdout
        assert "weights/othello.npz is damaged" in played.stderr and "Traceback" not in played.stderr

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device here")
    @pytest.mark.parametrize("arguments", ["--version", "match connect-four random random"])
    def test_a_full_disk_is_told(self, arguments: str) -> None:
        full = subprocess.run(
            f"'{sys.executable}' main.py {arguments} >/dev/full",
            shell=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert full.returncode == 1
        assert full.stderr == "The output can't be written: No space left on device.\n"

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
    @pytest.mark.parametrize(
        ("stream", "told"),
        [
            ("<&-", "The standard input is closed, so nothing can be read from it."),
            ("</dev/zero", "'the standard input' is too large: more than 134,217,728 bytes."),
            ("</dev/null", "'-' can't be read. It is empty."),
        ],
    )
    def test_what_the_standard_input_cannot_be(self, stream: str, told: str) -> None:
        answer = subprocess.run(
            f"'{sys.executable}' main.py analyse - {stream}",
            shell=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert answer.returncode == 2 and answer.stderr.startswith(told) and answer.stderr.count("\n") == 1

    @pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
    def test_a_reader_that_leaves_early_is_no_error(self) -> None:
        piped = subprocess.run(
            f"'{sys.executable}' main.py match cifra random random --json | head -1",
            shell=True, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE,
        )  # fmt: skip
        assert (piped.stdout, piped.stderr) == ("{\n", "")

    def test_short_answers_load_nothing_heavy_and_need_no_open_streams(self) -> None:
        code = (
            "import sys; out = sys.stdout; sys.stdout = sys.stderr = None; from papan import main; "
            "sys.argv[1:] = ['games', '--json']; main.main(); sys.stdout = out; "
            "print(sorted({'numba', 'pygame', 'statemachine', 'rich', 'papan.ai', 'papan.ui'} & set(sys.modules)))"
        )
        answer = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
        )
        assert (answer.returncode, answer.stdout, answer.stderr) == (0, "[]\n", "")
