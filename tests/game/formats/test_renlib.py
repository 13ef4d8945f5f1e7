"""Libraries of RenLib."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import FormatError, Transcript, read_games
from papan.game.formats.gomoku import renlib
from papan.game.formats.gomoku.renlib import RenLib
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.rules.gomoku import cell_named
from tests.game.formats.damage import damaged, games

HEADER = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10
Tree = Sequence["tuple[str, Tree]"]
"""Nodes, each with what follows it. A node is a cell, "pass", or "" for the root; its text may go on with a comment
after a space, a text on the board after ``=``, and begin with ``-`` if it is no move."""


def padded(text: str) -> bytes:
    written = text.encode() + b"\0"
    return written + b"\0" * (len(written) % 2)


def nodes(tree: Tree) -> bytes:
    written = b""
    for number, (node, then) in enumerate(tree, start=1):
        bare, _, shown = node.partition("=")
        cell, _, comment = bare.removeprefix("-").partition(" ")
        place = 0 if cell in ("pass", "") else (15 - int(cell[1:])) * 16 + "abcdefghijklmno".index(cell[0]) + 1
        flags = 0x80 * (number < len(tree)) | 0x40 * (not then) | 0x08 * bool(comment) | 0x02 * bare.startswith("-")
        written += bytes((place, flags | bool(shown))) + (b"\0\x01" if shown else b"")
        written += (padded(comment) if comment else b"") + (padded(shown) if shown else b"") + nodes(then)
    return written


def lib(tree: Tree) -> bytes:
    return HEADER + nodes([("", tree)])


def read_bytes(data: bytes, name: str = "a.lib") -> list[Transcript | Refused]:
    return list(RenLib().read(Source(text=data, name=name)))


def cells(*names: str) -> tuple[int, ...]:
    return tuple(map(cell_named, names))


TREE: Tree = [
    (
        "h8 the centre",
        [
            ("h9", [("i10", []), ("i9", [("a1 odd=A", [])])]),
            ("i9=B", [("-j10=C", []), ("-k10=D", [])]),
            ("-a1=E", []),
        ],
    )
]


def test_each_line_is_a_game() -> None:
    found = read_bytes(lib(TREE))
    assert [game.steps for game in found if isinstance(game, Transcript)] == [
        cells("h8", "h9", "i10"), cells("h8", "h9", "i9", "a1"), cells("h8", "i9"),
    ]  # fmt: skip
    assert [game.left_out for game in found if isinstance(game, Transcript)] == [1, 1, 0]
    assert all(isinstance(game, Transcript) and game.options == {"exact": "renju"} for game in found)


def test_a_library_is_recognised() -> None:
    found = list(read_games(Source(text=lib(TREE), name="library"), list(GALLERY.values())))
    assert [isinstance(one, Match) and one.game.name for one in found] == ["gomoku"] * 3


def test_texts_before_an_answer_make_no_line() -> None:
    found = read_bytes(lib([("h8", [("-a1=A", []), ("-a2=B", []), ("h9", [])])]))
    assert [game.steps for game in found if isinstance(game, Transcript)] == [cells("h8", "h9")]


def test_a_library_without_header_or_root() -> None:
    old = nodes([("h8", [("h9", []), ("i9", [])])])
    assert RenLib().fits(Source(text=old, name="a.lib"))
    assert [len(game.steps) for game in read_bytes(old) if isinstance(game, Transcript)] == [2, 2]
    bare = HEADER + nodes([("h8", [("h9", [])])])
    assert [game.steps for game in read_bytes(bare) if isinstance(game, Transcript)] == [cells("h8", "h9")]


def test_comments_of_old_libraries_end_with_a_high_bit() -> None:
    data = bytearray(HEADER) + bytes((0x78, 0x20)) + b"abc" + bytes((ord("d") | 0x80,)) + bytes((0x68, 0x40))
    [game] = read_bytes(bytes(data))
    assert isinstance(game, Transcript) and (game.steps, game.left_out) == (cells("h8", "h9"), 1)


def test_passes_cells_taken_and_cells_outside_are_refused() -> None:
    tree: Tree = [("h8", [("pass", [("h9", [])]), ("h8", []), ("i9", [])])]
    data = bytearray(lib(tree))
    found = read_bytes(bytes(data))
    assert [one.number if isinstance(one, Refused) else len(one.steps) for one in found] == [1, 2, 2]
    reasons = [one.reason for one in found if isinstance(one, Refused)]
    assert reasons == ["Move 2 is a pass: gomoku has none.", "Move 2: There is a stone on h8 already."]
    data[-2] = 0xF1  # a sixteenth row
    assert isinstance(read_bytes(bytes(data))[-1], Refused)


def test_only_so_many_lines_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renlib, "MOST_LINES", 2)
    found = read_bytes(lib(TREE))
    assert [type(one) for one in found] == [Transcript, Transcript, Refused]
    assert isinstance(found[2], Refused) and "first 2 lines" in found[2].reason


def test_only_so_many_bytes_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lib(TREE)
    monkeypatch.setattr(renlib, "MOST_BYTES", len(whole) - 10)
    found = read_bytes(whole)
    assert isinstance(found[0], Transcript)
    assert isinstance(found[-1], Refused) and "Only the first" in found[-1].reason


def test_every_cut_gives_whole_lines_and_a_sentence() -> None:
    whole = lib(TREE)
    expected = [game.steps for game in read_bytes(whole) if isinstance(game, Transcript)]
    for size in range(len(HEADER), len(whole)):
        *lines, last = read_bytes(whole[:size])
        assert isinstance(last, Refused) and "cut off after move" in last.reason
        assert [game.steps for game in lines if isinstance(game, Transcript)] == expected[: len(lines)]
    for size in range(8, len(HEADER)):
        with pytest.raises(FormatError, match="within its header"):
            read_bytes(whole[:size])


def test_newer_versions_are_refused() -> None:
    with pytest.raises(FormatError, match="version 4"):
        read_bytes(lib(TREE).replace(b"\x03\x04", b"\x04\x00"))


def test_damaged_files_are_games_or_sentences() -> None:
    for data in damaged(lib(TREE), 200):
        games(RenLib(), data, "a.lib")
    for data in damaged(nodes(TREE), 100):
        games(RenLib(), data, "a.lib")
