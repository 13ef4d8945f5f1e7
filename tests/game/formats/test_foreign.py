"""Files that no format reads are called by their names, and no file of ours is taken for one of them."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import ForeignFile, FormatError, Transcript, foreign, read_games, read_transcripts
from papan.game.formats.source import Source
from papan.ui.play.import_export import read_record_or_position
from tests.game.formats.files import FOLDER, needs_files

GAMES = list(GALLERY.values())
RECORD = b'[Game "othello"]\n[Version "1"]\n\n1. f5 d6 *\n'


def zipped(name: str) -> bytes:
    """A ZIP file that holds a record as it is, not compressed."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr(name, RECORD)
    return file.getvalue()


def taped() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as packed:
        told = tarfile.TarInfo("games.txt")
        told.size = len(RECORD)
        packed.addfile(told, io.BytesIO(RECORD))
    return file.getvalue()


CONTAINERS = {
    "ZIP": zipped("games.txt"),
    "gzip": gzip.compress(RECORD),
    "tar": taped(),
    "7z": b"7z\xbc\xaf\x27\x1c\0\4" + RECORD,
    "document": b"%PDF-1.7\n" + RECORD,
    "is a document": zipped("[Content_Types].xml"),
    "picture": b"\x89PNG\r\n\x1a\n" + RECORD,
}
CHESS = '[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n'
UNPLAYED = {
    "(;FF[4]CA[UTF-8]GM[1]SZ[19];B[pd];W[dd])": "Go",
    "(;SZ[19]KM[6.5];B[pd];W[dd])": "Go",
    "(;FF[4]GM[11]SZ[11];B[c3])": "Hex",
    CHESS + "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. O-O 1-0\n": "chess",
    CHESS + "1. c4 { [%clk 0:03:00] } 1... c5 { [%clk 0:02:59] } 2. cxb5 1-0\n": "chess",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "chess",
    "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1": "chess",
    "1. e2e4 e7e5 2. g1f3 b8c6": "chess",
    "e2e4e7e5g1f3": "chess",
    "position startpos moves d2d4 g8f6": "chess",
    '[Event "a"]\n[Variant "Crazyhouse"]\n\n1. e4 e5': "chess",
    "(;FF[4];B[pd];W[dd])": "Go",
    "# KIF\n手合割：平手\n先手：A\n   1 ７六歩(77)\n": "shogi",
    "V2.2\nPI\n+\n+7776FU\n-3334FU\n": "shogi",
    "<!DOCTYPE html><html><body>1. e4</body></html>": "web page",
}


@pytest.mark.parametrize("name", CONTAINERS)
@pytest.mark.parametrize("suffix", ["", ".pdn", ".wtb", ".XQF"])
def test_packed_files_documents_and_pictures(name: str, suffix: str) -> None:
    for read in (read_games, read_transcripts):
        with pytest.raises(ForeignFile, match=name):
            list(read(Source(text=CONTAINERS[name], name=f"a{suffix}"), GAMES))


@pytest.mark.parametrize("text", UNPLAYED)
@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_games_that_are_not_played(text: str, encoding: str) -> None:
    with pytest.raises(ForeignFile, match=rf"\b{UNPLAYED[text]}\b"):
        list(read_games(Source(text=text.encode(encoding), name="a.pgn"), GAMES))


def test_tags_alone_are_no_game() -> None:
    with pytest.raises(FormatError, match="neither moves nor a position"):
        list(read_games(Source(text='[Event "a"]\n[Result "0-1"]\n\n0-1\n', name="a.pgn"), GAMES))


BARE = {
    "h2e2h9g7": ("xiangqi", 2),
    "H2-E2H9-G7": ("xiangqi", 2),
    "h3e3h10g8h1g3": ("xiangqi", 3),
    "h3e3 h10g8 h1g3": ("xiangqi", 3),
    "炮二平五马８进７马二进三": ("xiangqi", 3),
    "C2=5H8+7": ("xiangqi", 2),
    "h8h9g7g8": ("gomoku", 4),
    "k10j10i9": ("gomoku", 3),
    "f5d6c3d3": ("othello", 4),
    "9-13": ("checkers", 1),
}


@pytest.mark.parametrize("text", BARE)
def test_bare_moves_are_of_the_game_where_they_are_legal(text: str) -> None:
    source = Source(text=text)
    [told] = read_transcripts(source, GAMES)
    assert isinstance(told, Transcript) and (told.game.name, len(told.steps)) == BARE[text]
    assert not source.notes


def test_a_game_that_few_moves_may_be_of_is_told() -> None:
    source = Source(text="h2e2")
    [told] = read_transcripts(source, GAMES)
    assert isinstance(told, Transcript) and told.game.name == "xiangqi"
    assert source.notes.told() == ["It is read as Xiangqi, but it is legal in another game, too: Gomoku."]


def test_on_the_clipboard_no_position_of_ours_is_made_of_one() -> None:
    with pytest.raises(ForeignFile) as raised:
        read_record_or_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert str(raised.value) == "This is a game of chess, which Papan does not play."


@needs_files
def test_no_file_of_ours_looks_like_one() -> None:
    heads = [path.read_bytes()[: 1 << 16] for path in FOLDER.rglob("*") if path.is_file()]
    assert len(heads) > 50
    assert not any(foreign.container(head) or foreign.unknown_game(head) for head in heads)
