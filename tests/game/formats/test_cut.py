"""Files whose text breaks off: the turns before that are kept and the game is named, in every format of texts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from papan import main
from papan.game.catalogue import GALLERY
from papan.game.formats import Transcript, read_transcripts
from papan.game.formats.importing import ImportProgress
from papan.game.formats.source import FormatError, Source
from papan.game.match.collection import Refused
from tests.game.formats.files import FOLDER, needs_files

GAMES = list(GALLERY.values())
NOTE = "The text breaks off there, or a bracket is never closed; the turns before that are kept."
LOG = (
    "/os: + match .1 1 8 Ann 8 Bob 8 R\n/os: join .1 s8 K?\n"
    "|  A B C D E F G H\n"
    + "".join(f"| {row} {' '.join('---O*---' if row == 4 else '---*O---' if row == 5 else '-' * 8)} {row}\n"
              for row in range(1, 9))
    + "|* to move\n"
)  # fmt: skip
PLAYTHROUGH = "game: connect_four\n\nGameType.chance_mode = x\n\naction: 3\n\naction: 3\n\nact"
DHTML = "[DhtmlXQ]\n[DhtmlXQ_title]a[/DhtmlXQ_title]\n[DhtmlXQ_movelist]77477062"
CUT: Sequence[tuple[str, str, int, int]] = [
    # the file's name, its text, the steps that are kept, the line
    ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 *\n\n[GameType "21"]\n1. 9-13 23-18 2.', 2, 5),
    ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 2. 6-', 2, 2),
    ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 2. 6', 2, 2),
    ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 2. 11-1', 2, 2),
    ("a.pdn", '[GameType "21"]\n[Result "1-0"]\n1. 9-13 23-18 2. 6-9', 3, 3),
    ("a.pdn", '[GameType "21"]\n1. 9-13 {23-18 2. 6-9', 1, 2),
    ("a.pdn", "1. 9-13 23-18 *\n1. 9-14 23-18", 2, 2),
    ("a.pgn", '[Game "Chinese Chess"]\n1. h2e2 h9g7 2. h0g2\ni9', 3, 3),
    ("a.pgn", '[Game "Chinese Chess"]\n1. 炮二平五 马８进７ 2. 马二进三 车9平', 3, 2),
    ("a.pgn", '[Game "Chinese Chess"]\n1. 炮二平五 马８进７ 2. 马二进三 车', 3, 2),
    ("a.pgn", '[Game "Chinese Chess"]\n1. C2=5 H8+7 2. H2', 2, 2),
    ("a.txt", "h2e2h9g7h0", 2, 1),
    ("a.fen", "startpos moves h2e2 h9g7 h0g", 2, 1),
    ("a.ubb", DHTML, 2, 3),
    ("a.ubb", DHTML + "79", 2, 3),
    ("a.sgf", "(;FF[4]GM[4]SZ[15];B[hh];W[hi];B[h", 2, 1),
    ("a.sgf", "(;FF[4]GM[2];B[fe];W[fd])\n(;FF[4]GM[2];B[fe];W[fd]", 2, 2),
    ("a.ggf", "(;GM[Othello]TY[8]B[f5//1]W[d6];)\n(;GM[Othello]TY[8]B[f5]W[d6]B[c", 2, 2),
    ("a.txt", "f5d6c3\nf5d6c", 2, 2),
    ("a.log", LOG + "\n/os: update .1 s8 K?\n|  1: F5\n", 1, 14),
    ("a.pgn", '[White "Ann"]\n[Black "Bob"]\n[Result "41-23"]\n\n1. f5 d6 2. c', 2, 5),
    ("a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,14\n9,9,15\n9,1", 2, 4),
    ("a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,14\n9,9,15\n9,", 2, 4),
    ("a.txt", "0,0, 0,-1, 2,-2\n0,0, 1,-1, 3,-", 2, 2),
    ("a.txt", "k10j10i9\nk10j10i", 2, 2),
    ("a.txt", PLAYTHROUGH, 2, 9),
]


@pytest.mark.parametrize(("name", "text", "steps", "line"), CUT)
def test_the_turns_are_kept_and_the_game_is_named(name: str, text: str, steps: int, line: int) -> None:
    source = Source(text=text, name=name)
    found = list(read_transcripts(source, GAMES))
    last = found[-1]
    assert isinstance(last, Transcript), last
    assert (len(last.steps), last.cut) == (steps, line)
    assert source.notes.told() == [f"Game {len(found)}, line {line}: {NOTE}"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 *\n\n[GameType "21"]\n1. 9-13 23-19 2. 6-9 *\n'),
        ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 2. 6-9'),
        ("a.pgn", '[Game "Chinese Chess"]\n1. h2e2 h9g7 2. h0g2\n'),
        ("a.pgn", '[Game "Chinese Chess"]\n[Result "1-0"]\n1. h2e2 h9g7 2. h0g2 1-0\n=====\nwww.example.com\n'),
        ("a.sgf", "(;FF[4]GM[4]SZ[15];B[hh];W[hi])"),
        ("a.ggf", "(;GM[Othello]TY[8]B[f5]W[d6];)"),
        ("a.txt", "f5d6c3\nf5d6\n"),
        ("a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,14\n9,9,15\n-1\n"),
        ("a.psq", "Piskvorky 15x15, 0:0, 0\n8,8,14\nAnn\nBob\n2\n"),
    ],
)
def test_of_a_whole_one_nothing_is_noted(name: str, text: str) -> None:
    source = Source(text=text, name=name)
    assert all(isinstance(told, Transcript) and not told.cut for told in read_transcripts(source, GAMES))
    assert not source.notes


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 2. 1-32'),
        ("a.pdn", '[GameType "21"]\n1. 9-13 23-18 2. 6- 1-0'),
        ("a.pgn", '[Game "Chinese Chess"]\n1. h2e2 h9g7 2. a0i9'),
        ("a.txt", "f5d6c3\nf5d6x"),
    ],
)
def test_what_no_turn_begins_with_is_still_refused(name: str, text: str) -> None:
    source = Source(text=text, name=name)
    assert isinstance(list(read_transcripts(source, GAMES))[-1], Refused)
    assert not source.notes


def test_an_import_tells_it(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.ggf"
    path.write_text("(;GM[Othello]TY[8]B[f5]W[d6];)\n(;GM[Othello]TY[8]B[f5]W[d6]B[c3", encoding="utf-8")
    said = f"Game 2, line 2: {NOTE}"
    assert main.run(("import", str(path), "--json")) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["notes"] == [f"a.ggf: {said}"] and told["refused"] == [] and told["read"] == 2
    assert main.run(("import", str(path), "--collection", "test")) == 0
    assert f"a.ggf: {said}\n" in capsys.readouterr().out
    assert main.run(("convert", str(path), "--to", "transcripts")) == 0
    assert capsys.readouterr() == ("f5d6\nf5d6\n", f"a.ggf: {said}\n")
    assert main.run(("analyse", str(path), "--which", "2", "--depth", "1", "--conspiracy", "0")) == 0
    assert said in capsys.readouterr().err


def test_one_that_a_person_stops_reading_is_not_noted(tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    path.write_text("(;FF[4]GM[4]SZ[15];B[hh]\n" + ";C[a]\n" * 30_000 + ")", encoding="utf-8")
    progress = ImportProgress()
    found = read_transcripts(progress.begin(path), GAMES)
    progress.is_stopped = True
    list(found)
    assert not progress.notes


@needs_files
@pytest.mark.parametrize(
    "name",
    ["checkers/inferno.pdn", "othello/TestGames.ggf", "gomoku/qq_family_cup_2008.sgf", "xiangqi/iccs_1998_women.pgn"],
)
def test_no_real_game_that_is_cut_comes_in_unsaid(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    whole = list(read_transcripts(Source(text=data, name=name), GAMES))
    random = Random(1)
    for _ in range(6):
        source = Source(text=data[: random.randrange(len(data) // 2, len(data))], name=name)
        try:
            *_, last = read_transcripts(source, GAMES)
        except FormatError:
            continue
        number = sum(1 for _one in read_transcripts(Source(text=source.data(), name=name), GAMES))
        before = whole[number - 1]
        is_same = isinstance(last, Transcript) and isinstance(before, Transcript) and last.steps == before.steps
        assert source.notes or isinstance(last, Refused) or is_same
