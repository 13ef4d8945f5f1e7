"""``import`` and ``convert``: files of other programs at the command line."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from papan import main
from papan.game.base.places import data_folder
from papan.game.catalogue import find
from papan.game.explorer import Collection, collection, importing, open_collections
from papan.game.explorer.importing import add_games
from papan.game.formats import Transcript, read_transcripts
from papan.game.formats import importing as library_importing
from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.library import Library
from papan.game.match.record import write
from papan.main import INTERRUPTED_EXIT_CODE
from tests.game.formats.files import FOLDER, needs_files

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    """Three games of Connect Four, of which one is damaged."""
    path = tmp_path / "games.txt"
    path.write_text("4455\n8\n1212121\n", encoding="utf-8")
    return path


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """Three positions of checkers without moves, of which one has a result."""
    path = tmp_path / "problems.pdn"
    games = (("W:W29,13,11:B22,4,2", "*"), ("W:W31,29,K15:B14,13,12,9", "*"), ("B:WK26,16,12:BK30,28", "1-0"))
    text = "".join(f'[Result "{result}"]\n[Setup "1"]\n[FEN "{fen}"]\n{result}\n\n' for fen, result in games)
    path.write_text(text, encoding="utf-8")
    return path


class TestImport:
    def test_the_library_has_them_once(self, home: Path, lines: Path, capsys: Capture) -> None:
        assert main.run(("import", str(lines), "--json")) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["read"], told["stored"], told["known"]) == (3, 2, 0)
        assert len(told["refused"]) == 1 and told["refused"][0].startswith("games.txt: Game 2, line 2: ")
        assert main.run(("import", str(lines))) == 0
        assert "In the library already: 2." in capsys.readouterr().out
        library = Library(data_folder() / "library.sqlite3")
        assert len(library.tags()) == 2
        library.close()

    def test_of_one_game_alone(self, home: Path, lines: Path, capsys: Capture) -> None:
        assert main.run(("import", str(lines), "--game", "othello", "--json")) == 2
        said = capsys.readouterr()
        told = json.loads(said.out)
        assert told["stored"] == 0 and told["notes"] == [] and "It is no record of this program" in told["refused"][0]
        assert said.err == "No game was imported.\n"

    def test_positions_without_moves_stay_and_are_known(self, home: Path, problems: Path, capsys: Capture) -> None:
        for said in ("Imported: 3. In the library already: 0.", "Imported: 0. In the library already: 3."):
            assert main.run(("import", str(problems))) == 0
            assert said in capsys.readouterr().out
        with closing(Library(data_folder() / "library.sqlite3")) as library:
            found = [one for page in library.all() for one in page]
            assert len(found) == 3 and all(library.load(one.id).position is not None for one in found)

    def test_tags_in_another_order_make_no_other_match(self, home: Path, tmp_path: Path, capsys: Capture) -> None:
        path = tmp_path / "games.pdn"
        tags = ['[White "B"]', '[Event "E"]', '[Site "S"]', '[Date "2001.02.03"]']
        for ordered, stored in ((tags, "1"), (tags[::-1], "0")):
            text = "\n".join(['[GameType "21"]', *ordered, "1. 11-15 23-19 *", ""])
            path.write_text(text, encoding="utf-8")
            assert main.run(("import", str(path))) == 0
            assert f"Imported: {stored}." in capsys.readouterr().out

    @pytest.mark.parametrize("words", [(), ("--collection", "test")])
    def test_an_interrupt_tells_what_is_stored(
        self, home: Path, lines: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
    ) -> None:
        columns = "1234567"
        lines.write_text("".join(f"{a}{b}\n" for a in columns for b in columns), encoding="utf-8")

        def interrupted(*asked: Any) -> Iterator[object]:
            yield from islice(read(*asked), 41)
            raise KeyboardInterrupt

        module, name = (importing, "read_transcripts") if words else (library_importing, "read_games")
        read = getattr(module, name)
        monkeypatch.setattr(module, name, interrupted)
        assert main.run(("import", str(lines), *words)) == 130
        stored, place = (0, "collection") if words else (40, "library")
        told = f"Stopped. Imported: {stored}. In the {place} already: 0. Refused: 0.\n"
        assert capsys.readouterr().out == told
        if not words:
            with closing(Library(data_folder() / "library.sqlite3")) as library:
                assert len(library.tags()) == 40

    def test_an_encoding_that_python_does_not_know_is_refused(self, lines: Path, capsys: Capture) -> None:
        assert main.run(("import", str(lines), "--encoding", "klingon")) == 2
        assert "'klingon' is no encoding" in capsys.readouterr().err


class TestCollections:
    def add(self, file: Path, *more: str) -> int:
        return main.run(("import", str(file), "--collection", "two", *more))

    def games(self) -> int:
        with closing(open_collections(find("connect-four"), ["two"])[0]) as there:
            return len(there)

    def test_known_games_are_skipped(self, home: Path, lines: Path, capsys: Capture) -> None:
        assert self.add(lines) == 0
        assert "Imported: 2. In the collection already: 0. Refused: 1." in capsys.readouterr().out
        with lines.open("a", encoding="utf-8") as file:
            file.write("4444\n4455\n4444\n")
        assert self.add(lines) == 0
        assert "Imported: 1. In the collection already: 4. Refused: 1." in capsys.readouterr().out
        assert self.games() == 3

    @needs_files
    def test_a_file_of_wthor_counts_once(self, home: Path, capsys: Capture) -> None:
        file = FOLDER / "othello" / "wthor" / "WTH_1983.wtb"
        told = []
        for _time in range(2):
            assert self.add(file, "--json") == 0
            told.append(json.loads(capsys.readouterr().out))
        assert told[0]["stored"] > 100 and told[1]["stored"] == 0
        assert told[1]["known"] == told[0]["stored"] + told[0]["known"]

    def test_ctrl_c_tells_what_was_added(
        self, home: Path, lines: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lines.write_text("4455\n1212121\n4444\n3333\n4455\n", encoding="utf-8")
        monkeypatch.setattr(collection, "_BATCH", 2)

        def interrupted(*asked: Any) -> Iterator[Any]:
            yield from islice(read_transcripts(*asked), 3)
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(importing, "read_transcripts", interrupted)
            assert self.add(lines) == INTERRUPTED_EXIT_CODE
        assert "Stopped. Imported: 2." in capsys.readouterr().out
        assert self.games() == 2
        assert self.add(lines) == 0
        assert "Imported: 2. In the collection already: 3." in capsys.readouterr().out

    def test_ctrl_c_after_a_part_is_stored_counts_it(
        self, home: Path, lines: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        load, calls = Collection._load, []

        def interrupted(self: Collection) -> None:
            calls.append(self)
            if len(calls) == 2:
                raise KeyboardInterrupt
            load(self)

        with monkeypatch.context() as patch:
            patch.setattr(Collection, "_load", interrupted)
            assert self.add(lines) == INTERRUPTED_EXIT_CODE
        assert "Stopped. Imported: 2." in capsys.readouterr().out
        assert self.games() == 2

    def test_ctrl_c_before_the_first_part_leaves_no_collection(
        self, home: Path, lines: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupted(*_: Any) -> bytes:
            raise KeyboardInterrupt

        monkeypatch.setattr(importing, "digest_of", interrupted)
        assert self.add(lines) == INTERRUPTED_EXIT_CODE
        assert "Stopped. Imported: 0." in capsys.readouterr().out
        assert open_collections(find("connect-four")) == []

    def test_two_imports_at_once(self, home: Path, lines: Path, capsys: Capture) -> None:
        other = add_games([Source(text="4444\n")], [find("connect-four")], "two", ImportProgress())
        with closing(other):
            next(other)
            assert self.add(lines) == 2
            assert "Another import is writing the collection 'two'" in capsys.readouterr().err
            assert main.run(("import", str(lines), "--collection", "three")) == 0
        assert self.add(lines) == 0
        assert self.games() == 3

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("My matches", "this program calls something else so"),
            ("all Collections", "this program calls something else so"),
            ("CON", "Windows calls a device so"),
            ("nul.v2", "Windows calls a device so"),
            ("Lpt1", "Windows calls a device so"),
            ("games.", "end with a full stop or a blank"),
            ("../games", "use letters, digits, blanks, dots and hyphens"),
        ],
    )
    def test_names_that_some_system_or_the_program_uses(
        self, home: Path, lines: Path, capsys: Capture, name: str, said: str
    ) -> None:
        assert main.run(("import", str(lines), "--collection", name)) == 2
        assert said in capsys.readouterr().err
        assert open_collections(find("connect-four")) == []

    def test_names_that_look_like_those_of_devices(self, home: Path, lines: Path, capsys: Capture) -> None:
        for name in ("Connect", "com", "nul 2", "My matches 2"):
            assert main.run(("import", str(lines), "--collection", name)) == 0

    def test_one_of_earlier_times_opens_with_any_name(
        self, home: Path, lines: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(collection, "check_new", lambda name: None)
            assert main.run(("import", str(lines), "--collection", "aux")) == 0
        assert main.run(("explore", "connect-four", "--collection", "aux")) == 0
        assert "2 games with this position." in capsys.readouterr().out

    def test_a_game_without_collections_is_told(self, home: Path, capsys: Capture) -> None:
        for name in ("2048", "catur-jawa"):
            assert main.run(("explore", name)) == 2
            said = capsys.readouterr().err
            assert "There are no collections of" in said and "papan import" not in said


class TestConvert:
    def test_to_digits(self, tmp_path: Path, capsys: Capture) -> None:
        match = Match.new(find("connect-four"), ["human", "human"], {"first": "1"}, 1)
        for step in (3, 3, 4):
            match.play(step)
        own, out = tmp_path / "own.txt", tmp_path / "out.txt"
        own.write_text(write(match), encoding="utf-8")
        assert main.run(("convert", str(own), "--to", "digits", "--out", str(out))) == 0
        assert out.read_bytes() == b"445\n"
        assert main.run(("convert", str(out), "--to", "papan", "--out", str(own))) == 0
        assert '[Game "connect-four"]' in own.read_text(encoding="utf-8")

    def test_as_the_suffix_tells(self, tmp_path: Path, capsys: Capture) -> None:
        cells = tmp_path / "cells.txt"
        cells.write_text("f5d6c3", encoding="utf-8")
        assert main.run(("convert", str(cells), "--out", str(tmp_path / "game.SGF"))) == 0
        assert (tmp_path / "game.SGF").read_text(encoding="utf-8").startswith("(;")
        for words in ((), ("--out", str(tmp_path / "game"))):
            assert main.run(("convert", str(cells), *words)) == 2
            assert "Name the format with --to: Othello is written as papan, wthor, " in capsys.readouterr().err

    def test_a_file_is_never_written_over_itself(self, lines: Path, capsys: Capture) -> None:
        before = lines.read_bytes()
        assert main.run(("convert", str(lines), "--to", "Digits", "--out", str(lines))) == 2
        assert "would be written over itself" in capsys.readouterr().err and lines.read_bytes() == before

    def test_what_cannot_be_read_is_told_of(self, lines: Path, tmp_path: Path, capsys: Capture) -> None:
        assert main.run(("convert", str(lines), "--to", "digits", "--out", str(tmp_path / "out"))) == 0
        told = capsys.readouterr()
        assert told.err.startswith("Game 2, line 2: ") and told.out == "Written: 2. Left out: 1.\n"
        assert (tmp_path / "out").read_bytes() == b"4455\n1212121\n"

    def test_what_a_format_cannot_express_is_told_of(self, tmp_path: Path, capsys: Capture) -> None:
        path, out = tmp_path / "games.ggf", tmp_path / "out.wtb"
        usual, board = "B[f5]W[d6];)", "8 ---------------------------O*------*O--------------------------* *"
        other = f"BO[{board}]{usual}"
        path.write_text("".join(f"(;GM[Othello]TY[8]{moves}\n" for moves in (usual, other, usual)), encoding="utf-8")
        assert main.run(("convert", str(path), "--to", "wthor", "--out", str(out))) == 0
        told = capsys.readouterr()
        assert told.err.startswith("Game 2: WTHOR has games from the usual start only")
        assert told.out == "Written: 2. Left out: 1.\n"
        assert out.stat().st_size == 16 + 2 * 68
        path.write_text(f"(;GM[Othello]TY[8]{other}", encoding="utf-8")
        assert main.run(("convert", str(path), "--to", "wthor", "--out", str(tmp_path / "none.wtb"))) == 2
        assert "wthor can express no match of " in capsys.readouterr().err
        assert not (tmp_path / "none.wtb").exists()

    def test_a_format_of_several_files(self, home: Path, tmp_path: Path, capsys: Capture) -> None:
        path, out = tmp_path / "games.ggf", tmp_path / "out.wtb"
        path.write_text("(;GM[Othello]PB[Ann]PW[Bob]TY[8]B[f5]W[d6];)", encoding="utf-8")
        assert main.run(("convert", str(path), "--to", "wthor", "--out", str(out))) == 0
        assert {one.suffix for one in tmp_path.iterdir()} == {".ggf", ".wtb", ".jou", ".trn"}
        assert main.run(("convert", str(out), "--to", "ggf")) == 0
        assert "PB[Ann]PW[Bob]" in capsys.readouterr().out

    def test_options_are_kept_where_a_format_has_a_place_else_told_of(self, tmp_path: Path, capsys: Capture) -> None:
        own, out = tmp_path / "own.txt", tmp_path / "out"
        xiangqi = Match.new(find("xiangqi"), ["human", "human"], {"first": "1", "repetition": "axf"}, 1)
        gomoku = Match.new(find("gomoku"), ["human", "human"], {"first": "1", "size": "20", "exact": "yes"}, 1)
        for match, form, kept, lost in (
            (xiangqi, "pgn", "repetition=axf", ""),
            (xiangqi, "pgn-chinese", "repetition=axf", ""),
            (gomoku, "sgf", "size=20 exact=yes", ""),
            (gomoku, "psq", "size=20", "exact=yes"),
            (gomoku, "gomoku-moves", "", "size=20, exact=yes"),
        ):
            if not match.steps:
                match.play(int(match.legal_steps()[0]))
            own.write_text(write(match), encoding="utf-8")
            assert main.run(("convert", str(own), "--to", form, "--out", str(out))) == 0
            said = f"Game 1: Lost, as {form} has no place for it: {lost}.\n"
            assert capsys.readouterr().err == (said if lost else "")
            [told] = read_transcripts(Source(out), [match.game])
            assert isinstance(told, Transcript) and list(told.steps) == list(match.steps)
            assert " ".join(f"{name}={value}" for name, value in told.options.items()) == kept

    def test_what_is_no_text_goes_to_no_terminal(
        self, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = tmp_path / "games.ggf"
        path.write_text("(;GM[Othello]PB[Ann]PW[Bob]TY[8]B[f5]W[d6];)", encoding="utf-8")
        assert main.run(("convert", str(path), "--to", "wthor")) == 0
        assert len(capsysbinary.readouterr().out) == 16 + 68
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        assert main.run(("convert", str(path), "--to", "wthor")) == 2
        said = capsysbinary.readouterr()
        assert said.out == b"" and b"write it with --out FILE" in said.err
        assert main.run(("convert", str(path), "--to", "transcripts")) == 0
        assert capsysbinary.readouterr().out == b"f5d6\n"

    def test_formats_of_other_games_are_refused(self, lines: Path, capsys: Capture) -> None:
        assert main.run(("convert", str(lines), "--to", "wthor")) == 2
        assert "Connect Four is written as papan or digits, not as 'wthor'." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "convert a b",
            "'b' is too much: one FILE is read; name the file to write with --out, its format with --to; see",
        ),
        ("analyse a b", "'b' is too much: one FILE is read, of its matches the one that --which N names; see"),
        ("review a b c", "'b c' is too much: one FILE is read"),
        ("explore othello f5d6", "'f5d6' is too much: name turns with --moves, a position with --position; see"),
    ],
)
def test_surplus_words_are_told_their_place(words: str, said: str, capsys: Capture) -> None:
    assert main.run(words.split()) == 2
    assert said in capsys.readouterr().err


class TestOneOfSeveral:
    def test_it_is_chosen_by_its_number(self, lines: Path, capsys: Capture) -> None:
        assert main.run(("analyse", str(lines), "--depth", "1", "--conspiracy", "0")) == 2
        assert "choose one with --which N" in capsys.readouterr().err
        assert main.run(("analyse", str(lines), "--which", "2", "--depth", "1")) == 2
        assert "disc 1, '8'" in capsys.readouterr().err
        assert main.run(("analyse", str(lines), "--which", "9", "--depth", "1")) == 2
        assert "has 3 matches: there is no number 9." in capsys.readouterr().err
        assert main.run(("analyse", str(lines), "--which", "0", "--depth", "1")) == 2
        assert capsys.readouterr().err == "The number of the match must be at least 1, not 0.\n"
        assert main.run(("analyse", str(lines), "--which", "3", "--depth", "1", "--conspiracy", "0")) == 0
        assert capsys.readouterr().out.startswith("Connect Four: ")

    def test_from_the_standard_input(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"1212121\n"), isatty=lambda: False))
        assert main.run(("analyse", "-", "--depth", "1", "--conspiracy", "0")) == 0
        assert capsys.readouterr().out.startswith("Connect Four: ")


class TestExplore:
    def test_positions_without_moves_are_left_out(self, home: Path, problems: Path, capsys: Capture) -> None:
        asked = ("import", str(problems), "--collection", "test")
        assert main.run(asked) == 2
        said = capsys.readouterr()
        assert said.out.endswith("\n3 positions without moves were left out.\n")
        assert said.err == "No game was imported.\n"
        with problems.open("a", encoding="utf-8") as file:
            file.write("1. 11-15 23-19 *\n")
        assert main.run((*asked, "--json")) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["read"], told["stored"], told["positions"], told["refused"]) == (4, 1, 3, [])

    def test_what_was_played(self, home: Path, lines: Path, capsys: Capture) -> None:
        assert main.run(("import", str(lines), "--collection", "test", "--json")) == 0
        assert json.loads(capsys.readouterr().out)["stored"] == 2
        assert main.run(("explore", "connect-four", "--json")) == 0
        told = json.loads(capsys.readouterr().out)
        assert [(one["turn"], one["results"]["won"]) for one in told["turns"]] == [("1", 1), ("4", 0)]
        assert main.run(("explore", "connect-four", "--moves", "44")) == 0
        assert "Connect Four: 1 game with this position." in capsys.readouterr().out

    def test_sides_and_unknown_players_are_named(self, home: Path, lines: Path, capsys: Capture) -> None:
        lines.write_text("1212121\n3232323\n4444\n", encoding="utf-8")
        assert main.run(("import", str(lines), "--collection", "test")) == 0
        capsys.readouterr()
        assert main.run(("explore", "connect-four")) == 0
        out = capsys.readouterr().out
        head, *rows = [line.split() for line in out.splitlines() if line][1:]
        assert head == ["turn", "games", "Red", "won", "drawn", "Yellow", "won", "years", "players"]
        assert ["1", "1", "100%", "0%", "0%"] in rows and ["4", "1", "–", "–", "–"] in rows
        assert "Red – Yellow" in out and "?" not in out
        assert main.run(("analyse", str(lines), "--which", "1", "--depth", "1", "--conspiracy", "0")) == 0
        assert "Red (seat 1), Yellow (seat 2)" in capsys.readouterr().out

    def test_positions_with_anything(self, home: Path, lines: Path, capsys: Capture) -> None:
        """4455 is four discs in two columns, mirrored or not, with anything else around."""
        assert main.run(("import", str(lines), "--collection", "test", "--json")) == 0
        capsys.readouterr()
        asked = ("explore", "connect-four", "--position")
        assert main.run((*asked, "?/?/?/?/???O???/???X??? O", "--json")) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["pattern"] == "?/?/?/?/???O???/???X??? O" and [one["turns"] for one in told["games"]] == [3]
        assert main.run((*asked, "44 ?", "--json")) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["pattern"] == "?/?/?/?/???O???/???X???"
        assert [(one["number"], one["turns"], one["collection"]) for one in told["games"]] == [(0, 2, "test")]
        assert main.run((*asked, "?")) == 0
        said = capsys.readouterr().out
        assert "Connect Four: 2 games with such a position." in said and "after 0 turns  (test)" in said

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("connect-four", "--position", "48?"), "Character 2, '8', is not a column"),
            (("connect-four", "--position", "?/?"), "There are 2 rows, not 6"),
            (("connect-four", "--position", "?", "--moves", "4"), "--moves and a position with ? exclude each other."),
            (("santorini", "--position", "?"), "Positions of Santorini can't be searched for."),
        ],
    )
    def test_bad_patterns(self, home: Path, capsys: Capture, words: tuple[str, ...], said: str) -> None:
        assert main.run(("explore", *words)) == 2
        assert said in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("othello", "--moves", "f5f5"), "Turn 2 can't be 'f5'; possible: f4, d6, f6.\n"),
            (("othello", "--moves", "f5 d6 x9y8"), "Turn 3 can't be 'x9'; possible: c3, c4, c5, c6, ….\n"),
            (("xiangqi", "--moves", "h2e2 h9g7 h2e2"), "Turn 3 can't be 'h2e2'; possible: "),
            (("connect-four", "--moves", "11223344"), "The game is over: '4' can't follow."),
            (("connect-four", "--since", "2019", "--until", "1983"), "No game is from 2019 on and up to 1983"),
            (("connect-four", "--position", "4 ?", "--since", "2019", "--until", "1983"), "No game is from 2019 on"),
        ],
    )
    def test_what_can_not_be(self, home: Path, lines: Path, capsys: Capture, words: tuple[str, ...], said: str) -> None:
        assert main.run(("import", str(lines), "--collection", "test")) == 0
        capsys.readouterr()
        assert main.run(("explore", *words)) == 2
        assert said in capsys.readouterr().err

    def test_the_name_of_the_opening(self, home: Path, tmp_path: Path, capsys: Capture) -> None:
        (tmp_path / "games.txt").write_text("f5d6c3d3c4\n", encoding="utf-8")
        assert main.run(("import", str(tmp_path / "games.txt"), "--collection", "test")) == 0
        assert main.run(("explore", "othello", "--moves", "f5d6c3d3c4")) == 0
        assert "Opening: Tiger.\n" in capsys.readouterr().out
        assert main.run(("explore", "othello", "--moves", "c4e3", "--json")) == 0
        assert json.loads(capsys.readouterr().out)["opening"] == "Perpendicular"
        assert main.run(("explore", "othello", "--json")) == 0
        assert "opening" not in json.loads(capsys.readouterr().out)

    def test_without_a_collection(self, home: Path, capsys: Capture) -> None:
        assert main.run(("explore", "othello")) == 2
        assert "make one with papan import FILE --collection NAME" in capsys.readouterr().err
        assert main.run(("explore", "othello", "--moves", "f5z9")) == 2
