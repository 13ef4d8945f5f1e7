"""CBR and CBL, the files of CCBridge."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import FormatError, Transcript, match_of, read_games
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.ccbridge import CCBridge
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules import xiangqi as rules
from papan.game.rules.xiangqi.board import FILES, pieces_of
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files, read

KINDS = ".RNBAKCP"
NORMAL, DELETED = 7, 5


def record(
    moves: Sequence[tuple[str, int, str]] = (),
    position: str | None = rules.START,
    texts: dict[int, str] | None = None,
    result: int = 0,
    remark: str = "",
    number: int = 1,
) -> bytes:
    """A record as CCBridge writes it.

    :param moves: each with its flags, 1 for the last of a line and 2 for alternatives to come, and its comment.
    :param position: None for an empty board.
    """
    data = bytearray(b"\xcc" * 2214)  # CCBridge leaves rubbish between the fields
    data[:20] = b"CCBridge Record\0\0\0\0\x02"
    data[20:36] = uuid.UUID(int=number).bytes_le
    for place, size in ((180, 128), (308, 256), *((place, 64) for place in (692, 756, 884, 948, 1012))):
        data[place : place + size] = bytes(size)
    for place in (852, 1268, 1492, 2080):
        data[place : place + 32] = bytes(32)
    for place in (1076, 1140, 1300, 1364, 1652):
        data[place : place + 64] = bytes(64)
    for place, text in (texts or {}).items():
        written = text.encode("utf-16-le")
        data[place : place + len(written)] = written
    data[2076], data[2112] = result, 1
    data[2120:2210] = bytes(90)
    if position is not None:
        state = rules.parse(position, {})
        data[2112] = state.to_move + 1
        for seat in range(2):
            for cell, kind in pieces_of(state, seat).items():
                data[2120 + index_of(cell)] = 0x10 * (seat + 1) + KINDS.index(".KABNRCP"[kind])
    data += entry(0, 0, 0 if moves else 1, remark)
    for move, flags, comment in moves:
        origin, target = ("abcdefghi".index(move[at]) + FILES * int(move[at + 1]) for at in (0, 2))
        data += entry(index_of(origin), index_of(target), flags, comment)
    return bytes(data)


def index_of(cell: int) -> int:
    return (9 - cell // FILES) * FILES + cell % FILES


def entry(origin: int, target: int, flags: int, comment: str) -> bytes:
    note = comment.encode("utf-16-le")
    head = bytes((flags | 4 * bool(note), 0xCC, origin, target))
    return head + (len(note).to_bytes(4, "little") + note if note else b"")


def library(records: Sequence[bytes], slots: int = 128, deleted: Sequence[int] = ()) -> bytes:
    """A library of *records*, numbered from 1; those of the numbers *deleted* are marked so."""
    data = bytearray(66624 + 276 * slots)
    data[:16] = b"CCBridgeLibrary\0"
    data[60:64] = slots.to_bytes(4, "little")
    for index, written in enumerate(records):
        place = 66624 + 276 * index
        data[place] = DELETED if index + 1 in deleted else NORMAL
        name = f"{{{uuid.UUID(bytes_le=written[20:36])}}}".upper().encode("utf-16-le")
        data[place + 20 : place + 20 + len(name)] = name
    for written in records:
        data += written + b"\xcc" * (-len(written) % 4096)
    return bytes(data)


def steps(*moves: str) -> tuple[int, ...]:
    cells = [["abcdefghi".index(move[at]) + 9 * int(move[at + 1]) for at in (0, 2)] for move in moves]
    return tuple(origin << 7 | target for origin, target in cells)


def read_bytes(data: bytes, name: str = "games.cbl") -> list[Transcript | Refused]:
    return list(CCBridge().read(Source(text=data, name=name)))


GAME = record(
    [("h2e2", 0, "中炮"), ("h9g7", 2, ""), ("h0g2", 1, ""), ("b9c7", 0, ""), ("h0g2", 1, "x")],
    texts={
        180: "局",
        692: "杯",
        884: "1989年6月3日",
        1076: "红",
        1300: "黑",
        1140: "江苏",
        1652: "我",
        2080: "超时判负",
    },
    result=1,
    remark="开始",
    number=2,
)


def test_a_record_is_read() -> None:
    [game] = read_games(Source(text=GAME, name="game"), list(GALLERY.values()))
    assert isinstance(game, Match)
    assert tuple(game.steps) == steps("h2e2", "h9g7", "h0g2")
    assert (game.seats, str(game.date)) == (["红", "黑"], "1989-06-03")
    assert game.tags == {
        "Title": "局", "Event": "杯", "RedTeam": "江苏", "Annotator": "我", "Termination": "超时判负",
    }  # fmt: skip
    assert game.conclusion is not None and (game.conclusion.kind, game.conclusion.seat) == ("time", 1)
    [told] = read_bytes(GAME)
    assert isinstance(told, Transcript) and told.left_out == 4  # three comments and a variation


def test_a_set_up_position_with_black_to_move() -> None:
    position = "4k4/9/9/9/9/9/4p4/9/9/3K1R3 b"
    data = bytearray(record([("e3e2", 1, "")], position))
    data[2112] = 1  # says red
    [game] = read_bytes(bytes(data))
    assert isinstance(game, Transcript) and (game.position, game.steps) == (position, steps("e3e2"))


def test_a_library_skips_headings_and_names_deleted_and_damaged_games() -> None:
    heading = record(position=None, texts={180: "第一章"}, number=1)
    preface = record(texts={180: "前言"}, remark="话", number=3)
    wrong = record([("a0a9", 1, "")], texts={180: "错"}, number=4)
    again = GAME[:20] + uuid.UUID(int=5).bytes_le + GAME[36:]
    problem = record(position="4k4/9/9/9/9/9/4p4/9/9/3K1R3 b", number=6)
    found = read_bytes(library([heading, GAME, preface, wrong, again, problem], deleted=[5]))
    assert [game.number if isinstance(game, Refused) else len(game.steps) for game in found] == [3, 4, 5, 0]
    assert [game.reason for game in found if isinstance(game, Refused)] == [
        "'错': Move 1, 'a0a9': A piece on a3 is in the way.",
        "'局': It is marked as deleted in the file.",
    ]


@pytest.mark.parametrize("slots", [2, 128, 140, 300])
def test_records_follow_an_index_of_any_length_and_fill_several_slots(slots: int) -> None:
    long = record([("h2e2", 0, "长" * 5000), ("h9g7", 1, "")], texts={1076: "红"})
    assert [len(game.steps) for game in read_bytes(library([long, GAME], slots)) if isinstance(game, Transcript)] == [
        2,
        3,
    ]


@pytest.mark.parametrize("slots", [0, 5, 1 << 31])
def test_the_number_of_slots_is_not_believed(slots: int) -> None:
    data = bytearray(library([GAME, GAME]))
    data[60:64] = slots.to_bytes(4, "little")
    assert len(read_bytes(bytes(data))) == 2


def test_the_first_mark_is_found_across_blocks() -> None:
    slots = next(slots for slots in range(3, 5000) if (66624 + 276 * slots) % 4096 > 4096 - 16)
    data = bytearray(library([GAME], slots))
    data[60:64] = bytes(4)
    assert len(read_bytes(bytes(data))) == 1


def test_a_record_without_its_mark_costs_no_other() -> None:
    data = bytearray(library([GAME, GAME, GAME]))
    data[66624 + 276 * 128] ^= 1
    assert len(read_bytes(bytes(data))) == 2


def test_an_unknown_piece_is_refused() -> None:
    data = bytearray(GAME)
    data[2120] = 0x31
    [found] = read_bytes(bytes(data), "game.cbr")
    assert isinstance(found, Refused) and found.reason == "'局': 0x31 on a9 stands for no piece."


def test_a_length_beyond_the_file_is_not_believed() -> None:
    data = bytearray(GAME)
    at = 2214 + 4 + 4 + 4  # the length of the first move's comment, after the remark
    at += len("开始".encode("utf-16-le"))
    assert data[at : at + 4] == (4).to_bytes(4, "little")
    data[at : at + 4] = b"\xff\xff\xff\x7f"
    [found] = read_bytes(bytes(data), "game.cbr")
    assert isinstance(found, Refused) and "cut off after move 1" in found.reason


def test_every_cut_is_a_sentence() -> None:
    for size in [*range(0, 2219), len(GAME) - 1]:
        found = games(CCBridge(), GAME[:size], "game.cbr")
        assert not any(isinstance(game, Transcript) for game in found) or size > 2218 + 12
    with pytest.raises(FormatError, match="It is cut off: it ends before its first game"):
        read_bytes(library([])[:60_000])
    with pytest.raises(FormatError, match="no file of CCBridge 3"):
        read_bytes(b"CCBridgeLib")


def test_a_library_is_read_by_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.cbl"
    path.write_bytes(library([GAME] * 20))
    source = Source(path)
    monkeypatch.setattr(Source, "data", lambda *_: pytest.fail("the whole file was read"))
    places = []
    for game in CCBridge().read(source):
        assert isinstance(game, Transcript)
        places.append(source.position)
    assert len(places) == 20 and places == sorted(places) and places[0] < places[-1] <= source.size


def test_damaged_files_are_games_or_sentences() -> None:
    for data in damaged(GAME, 100):
        games(CCBridge(), data, "game.cbr")
    whole = library([GAME, record(position=None, number=1), GAME], slots=3)
    for data in damaged(whole, 50):
        games(CCBridge(), data, "games.cbl")


# ------------------------------------------------------------------------------------------ real files


@needs_files
def test_a_real_library_has_all_its_games() -> None:
    found = list(CCBridge().read(Source(FOLDER / "xiangqi" / "longhua1989_35.CBL")))
    games = [game for game in found if isinstance(game, Transcript)]
    assert len(games) == 35  # as its name says: 20 and 15, under two headings
    assert [(one.number, "deleted" in one.reason) for one in found if isinstance(one, Refused)] == [(38, True)]
    assert games[0].players == ("徐天红", "徐天利") and len(games[0].steps) == 60
    assert {game.tags["Event"] for game in games} == {"1989年龙化杯象棋名师邀请赛"}
    assert sum(len(game.steps) for game in games) == 3098
    assert all(game.payoffs is not None for game in games)


@needs_files
def test_a_real_library_is_recognised() -> None:
    matches, refused = read("xiangqi/longhua1989_35.CBL")
    assert (len(matches), len(refused)) == (35, 1)
    assert len(matches[0].steps) == 60 and matches[0].tags["Site"] == "柳州市"


@needs_files
def test_a_real_record() -> None:
    [game] = CCBridge().read(Source(FOLDER / "xiangqi" / "cchess" / "test.cbr"))
    assert isinstance(game, Transcript)
    assert (len(game.steps), game.left_out) == (28, 24)  # 13 comments, 11 variations
    assert len(match_of(game).steps) == 28


@needs_files
@pytest.mark.parametrize("name", ["longhua1989_35.CBL", "cchess/test.cbr"])
@pytest.mark.parametrize("number", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_damaged_real_files_are_games_or_sentences(name: str, number: int) -> None:
    path = FOLDER / "xiangqi" / name
    for data in damaged(path.read_bytes(), number):
        games(CCBridge(), data, path.name)
