"""XQF, the files of XQStudio."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import FormatError, Transcript, match_of, read_games
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.xqf import Xqf
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules import xiangqi as rules
from papan.game.rules.xiangqi.board import FILES, pieces_of
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files, read

WORDS = b"[(C) Copyright Mr. Dong Shiwei.]"
PIECES = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
Tree = Sequence["tuple[str, str, Tree]"]
"""Moves, each with a comment and what follows it."""


def xqf(
    tree: Tree = (),
    position: str = rules.START,
    version: int = 0x12,
    remark: str = "",
    texts: dict[int, str] | None = None,
    result: int = 0,
    encoding: str = "gb18030",
) -> bytes:
    """A file as XQStudio writes it, with keys of a sum of 256 if its version has them."""
    keys = (0x31, 0xC4, 0x63, 0xA8) if version > 0x0A else (0, 0, 0, 0)
    mask, alternatives = 0xBE, (0xE8, 0xD8, 0xBC, 0x84)

    def product(key: int, other: int) -> int:
        return (((key * key * 3 + 9) * 3 + 8) * 2 + 1) * 3 * other + 8 * other & 0xFF

    of_pieces = product(keys[1], keys[1])
    of_origins = product(keys[2], of_pieces)
    of_targets = product(keys[3], of_origins)
    of_lengths = (keys[0] * 256 + keys[1]) % 32000 + 767 if version > 0x0A else 0
    header = bytearray(1024)
    header[:4] = b"XQ" + bytes((version, mask))
    header[8:16] = bytes((*alternatives, *keys))
    state = rules.parse(position, {})
    places = [[cell for cell, kind in sorted(pieces_of(state, seat).items())] for seat in range(2)]
    for number, letter in enumerate(PIECES):
        kind = ".KABNRCP".index(letter.upper())
        own = pieces_of(state, number // 16)
        cell = next((cell for cell in places[number // 16] if own[cell] == kind), None)
        value = 0xFF
        if cell is not None:
            places[number // 16].remove(cell)
            value = cell % FILES * 10 + cell // FILES
        turned = (number - 1 - of_pieces) % 32 if version >= 0x0C else number
        header[16 + turned] = value + of_pieces & 0xFF
    header[50], header[51] = state.to_move, result
    for place, text in (texts or {}).items():
        written = text.encode(encoding)
        header[place : place + 1 + len(written)] = bytes((len(written),)) + written

    def record(cells: tuple[int, int], comment: str, has_next: bool, has_other: bool) -> bytes:
        note = comment.encode(encoding)
        next_flag, other_flag, comment_flag = (0x80, 0x40, 0x20) if version > 0x0A else (0xF0, 0x0F, 0)
        flags = next_flag * has_next | other_flag * has_other | comment_flag * bool(note)
        length = (len(note) + of_lengths).to_bytes(4, "little") if note or version <= 0x0A else b""
        return (
            bytes((cells[0] + 0x18 + of_origins & 0xFF, cells[1] + 0x20 + of_targets & 0xFF, flags, 0)) + length + note
        )

    def records(tree: Tree) -> bytes:
        written = b""
        for number, (move, comment, then) in enumerate(tree, start=1):
            cells = tuple("abcdefghi".index(move[place]) * 10 + int(move[place + 1]) for place in (0, 2))
            written += record((cells[0], cells[1]), comment, bool(then), number < len(tree)) + records(then)
        return written

    body = record((0, 0), remark, bool(tree), False) + records(tree)
    masks = [key & mask | other for key, other in zip(keys, alternatives, strict=True)]
    stream = [sign & masks[place % 4] if version > 0x0A else 0 for place, sign in enumerate(WORDS)]
    return bytes(header) + bytes(value + stream[place % 32] & 0xFF for place, value in enumerate(body))


def steps(*moves: str) -> tuple[int, ...]:
    cells = [["abcdefghi".index(move[at]) + 9 * int(move[at + 1]) for at in (0, 2)] for move in moves]
    return tuple(origin << 7 | target for origin, target in cells)


def read_bytes(data: bytes, name: str = "game.xqf", encoding: str = "") -> list[Transcript | Refused]:
    return list(Xqf().read(Source(text=data, name=name, encoding=encoding)))


LINE: Tree = [("h2e2", "中炮", [("h9g7", "", [("h0g2", "", []), ("b0c2", "", [("i9h9", "x", [])])])])]


@pytest.mark.parametrize("version", [0x0A, 0x0B, 0x0C, 0x12, 0x14])
def test_the_main_line_is_read_in_every_version(version: int) -> None:
    texts = {80: "对局", 208: "杯赛", 272: "1999.12.09", 288: "广州", 304: "许银川", 320: "聂卫平", 464: "我"}
    [game] = read_bytes(xqf(LINE, version=version, remark="开始", texts=texts, result=1))
    assert isinstance(game, Transcript)
    assert game.steps == steps("h2e2", "h9g7", "h0g2")
    assert (game.position, game.players, game.payoffs) == (None, ("许银川", "聂卫平"), (1.0, -1.0))
    assert game.left_out == 4  # three comments and a variation
    assert game.tags == {"Title": "对局", "Event": "杯赛", "Site": "广州", "Annotator": "我"}
    assert str(match_of(game).date) == "1999-12-09"


@pytest.mark.parametrize("version", [0x0A, 0x0B, 0x12])
def test_a_set_up_position_is_kept_and_its_first_move_tells_who_begins(version: int) -> None:
    position = "4k4/9/9/9/9/9/4p4/9/9/3K1R3 b"
    wrong_side = position.replace(" b", " w")
    [game] = read_bytes(xqf([("e3e2", "", [])], wrong_side, version))
    [unmoved] = read_bytes(xqf((), position, version))
    assert isinstance(game, Transcript) and isinstance(unmoved, Transcript)
    assert (game.position, game.steps) == (position, steps("e3e2"))
    assert (unmoved.position, unmoved.steps) == (position, ())


def test_several_first_moves_are_games_of_their_own_unless_a_game_was_played() -> None:
    tree: Tree = [("h2e2", "", []), ("c3c4", "x", [("b7d7", "", []), ("h9g7", "", [])]), ("b2b4", "", [])]
    analysis = read_bytes(xqf(tree))
    assert [game.steps for game in analysis if isinstance(game, Transcript)] == [
        steps("h2e2"), steps("c3c4", "b7d7"), steps("b2b4"),
    ]  # fmt: skip
    [game] = read_bytes(xqf(tree, texts={304: "红"}))
    assert isinstance(game, Transcript)
    assert (game.steps, game.left_out) == (steps("h2e2"), 4)


def test_an_illegal_move_is_named() -> None:
    [found] = read_bytes(xqf([("h2e2", "", [("h9g8", "", [])])], texts={80: "局"}))
    assert isinstance(found, Refused)
    assert (
        found.reason == "'局': Move 2, 'h9g8': A horse moves one point along a line and then one diagonally outwards."
    )


def test_a_move_to_nowhere_is_refused() -> None:
    data = bytearray(xqf([("h2e2", "", [])], version=0x0A))
    data[1024 + 8 + 1] = 0x20 + 95
    [found] = read_bytes(bytes(data))
    assert isinstance(found, Refused) and "outside the board" in found.reason


def test_a_position_against_the_rules_is_refused() -> None:
    data = bytearray(xqf(version=0x0A))
    data[16 + 4] = 0xFF  # red's general
    [found] = read_bytes(bytes(data))
    assert isinstance(found, Refused) and "Red has no general." in found.reason


def test_a_file_that_ends_in_its_main_line_is_refused_but_not_one_that_ends_in_a_variation() -> None:
    whole = xqf(LINE)
    [cut] = read_bytes(whole[: 1024 + 4 + 12])
    assert isinstance(cut, Refused) and "cut off after move 1" in cut.reason
    [game] = read_bytes(whole[:-6])
    assert isinstance(game, Transcript) and len(game.steps) == 3


def test_keys_that_do_not_agree_are_damage() -> None:
    data = bytearray(xqf(LINE))
    data[12] ^= 1
    [found] = read_bytes(bytes(data))
    assert isinstance(found, Refused) and "256" in found.reason


def test_a_length_beyond_the_file_is_not_believed() -> None:
    data = bytearray(xqf(LINE, version=0x0A))
    data[1024 + 8 + 4 : 1024 + 8 + 8] = b"\xff\xff\xff\x7f"  # of the comment on the first move
    [found] = read_bytes(bytes(data))
    assert isinstance(found, Refused) and "cut off after move 1" in found.reason


def test_names_are_plain_text() -> None:
    [game] = read_bytes(xqf(LINE, texts={304: "a\x1b[31m\n<b>", 320: "\u3000黑 "}))
    assert isinstance(game, Transcript) and game.players == ("a [31m <b>", "黑")


@pytest.mark.parametrize("encoding", ["big5", "gb18030"])
def test_the_encoding_is_found_or_chosen(encoding: str) -> None:
    names = {304: "許銀川", 320: "胡榮華"} if encoding == "big5" else {304: "许银川", 320: "胡荣华"}
    data = xqf([("h2e2", "", [])], texts=names, encoding=encoding)
    [found] = read_bytes(data)
    [chosen] = read_bytes(data, encoding=encoding)
    [wrong] = read_bytes(data, encoding="cp1252")
    assert isinstance(found, Transcript) and isinstance(chosen, Transcript) and isinstance(wrong, Transcript)
    assert found.players == chosen.players == tuple(names.values()) != wrong.players


def test_a_name_ends_with_its_field() -> None:
    data = bytearray(xqf(LINE, texts={304: "红", 320: "黑"}))
    data[304] = 0xFF
    [game] = read_bytes(bytes(data))
    assert isinstance(game, Transcript) and game.players == ("红", "黑")


def test_every_cut_of_the_header_is_a_sentence() -> None:
    data = xqf()
    for size in range(len(data)):
        with pytest.raises(FormatError, match="no XQF file" if size < 2 else "It is cut off"):
            read_bytes(data[:size])


def test_a_file_without_its_suffix_is_recognised_but_no_text_that_begins_alike() -> None:
    [game] = read_games(Source(text=xqf(LINE), name="game"), list(GALLERY.values()))
    assert isinstance(game, Match) and game.game.name == "xiangqi"
    assert not Xqf().fits(Source(text="XQ is short for xiangqi." * 50))
    assert not Xqf().fits(Source(text="XQ\n" + "is short for xiangqi." * 50))


def test_damaged_files_are_games_or_sentences() -> None:
    whole = xqf(LINE, remark="开始", texts={304: "红"})
    for data in damaged(whole, 300):
        games(Xqf(), data, "game.xqf")


# ------------------------------------------------------------------------------------------ real files

TOLD: dict[str, list[tuple[int, int, tuple[float, float] | None]]] = {
    "030-黄松轩先胜冯敬如.XQF": [(37, 9, (1.0, -1.0))],
    "SAMPLE.XQF": [(75, 12, (1.0, -1.0))],
    "XQFEXAMA.XQF": [(110, 11, (-1.0, 1.0))],
    "cchess/BadMoveTest1.xqf": [(43, 3, (1.0, -1.0))],
    "cchess/BadMoveTest2.xqf": [(35, 4, (1.0, -1.0))],
    "cchess/EmptyTest.xqf": [(0, 0, (-1.0, 1.0))],
    "cchess/NoMove.xqf": [(0, 0, None)],
    "cchess/game_test.xqf": [(58, 1, None)],
    "cchess/pawn_move.xqf": [(14, 0, None)],
    "cchess/test_5_variations.xqf": [(6, 3, None), (5, 0, None)],
    "cchess/ucci_test1.xqf": [(43, 1, (1.0, -1.0))],
}
"""The moves, the comments and variations left out, and the result of each file's games."""
CHINESE = "cchess/ucci_test1_move.txt"


@needs_files
@pytest.mark.parametrize("name", TOLD)
def test_real_files_are_read_whole(name: str) -> None:
    found = list(Xqf().read(Source(FOLDER / "xiangqi" / name)))
    told = [(len(game.steps), game.left_out, game.payoffs) for game in found if isinstance(game, Transcript)]
    assert told == TOLD[name]
    matches, refused = read(f"xiangqi/{name}")
    assert not refused and [len(match.steps) for match in matches] == [moves for moves, *_ in TOLD[name]]


@needs_files
def test_a_real_file_has_the_moves_that_its_text_has_in_chinese() -> None:
    first, *moves = (FOLDER / "xiangqi" / CHINESE).read_text("utf-8").split("\n")
    [match], _ = read("xiangqi/cchess/ucci_test1.xqf")
    assert rules.text(match.states[0]) == first.strip()
    told = [move.strip() for move in moves if move.strip()][:-1]  # the last line is the result
    assert len(told) == len(match.steps)
    for state, step, move in zip(match.states, match.steps, told, strict=False):
        assert (step,) in rules.foreign_turns(state, move), move


@needs_files
@pytest.mark.parametrize("name", TOLD)
@pytest.mark.parametrize("number", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_damaged_real_files_are_games_or_sentences(name: str, number: int) -> None:
    path = FOLDER / "xiangqi" / name
    for data in damaged(path.read_bytes(), number):
        games(Xqf(), data, path.name)
