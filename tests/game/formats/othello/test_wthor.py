"""WTHOR."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import FormatError, FormatOfSeveralFiles, Transcript, match_of, read_games
from papan.game.formats.othello.played import START
from papan.game.formats.othello.transcripts import Transcripts
from papan.game.formats.othello.wthor import Wthor
from papan.game.formats.source import Source
from papan.game.match import Conclusion, Match
from papan.game.match.collection import Refused
from papan.game.rules.othello import CELL_OF, State

FORM: FormatOfSeveralFiles = Wthor()
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"
"""Black turns everything over, after nine moves: the shortest game that there is."""


def header(games: int, names: int = 0, year: int = 1999, size: int = 8, kind: int = 0) -> bytes:
    date = bytes([20, 5, 10, 8])
    return (
        date
        + games.to_bytes(4, "little")
        + names.to_bytes(2, "little")
        + year.to_bytes(2, "little")
        + bytes([size, kind, 24, 0])
    )


def record(moves: str = "f5d6c3", tournament: int = 1, black: int = 1, white: int = 2, score: int = 40) -> bytes:
    codes = bytes(10 * int(moves[place + 1]) + ord(moves[place]) - 96 for place in range(0, len(moves), 2))
    numbers = b"".join(number.to_bytes(2, "little") for number in (tournament, black, white))
    return numbers + bytes([score, score]) + codes.ljust(60, b"\0")


def names(size: int, *texts: bytes) -> bytes:
    return header(0, len(texts)) + b"".join(name.ljust(size, b"\0") for name in texts)


def read(data: bytes, name: str = "WTH_1999.wtb") -> list[Transcript | Refused]:
    return list(FORM.read(Source(text=data, name=name)))


@pytest.mark.parametrize(("players", "tournaments"), [("WTHOR.JOU", "WTHOR.TRN"), ("wth_1999.jou", "Wthor.trn")])
def test_names_stand_in_files_beside_it(tmp_path: Path, players: str, tournaments: str) -> None:
    path = tmp_path / "WTH_1999.WTB"
    path.write_bytes(header(2) + record() + record(black=0, white=9, tournament=0))
    (tmp_path / players).write_bytes(names(20, b"???", b"Ann  Lee\0x", b"Bj\xf6rn"))
    (tmp_path / tournaments).write_bytes(names(26, b"Diverses parties", b"Pr\xe9qualif"))
    (tmp_path / "zzz.jou").write_bytes(names(20, b"", b"wrong"))
    first, second = read_games(Source(path), [GALLERY["othello"]])
    assert isinstance(first, Match) and isinstance(second, Match)
    assert (first.seats, first.tags["Event"], first.date.year) == (["Ann Lee", "Björn"], "Préqualif", 1999)
    assert (second.seats, "Event" in second.tags) == (["?", "#9"], False)


@pytest.mark.parametrize(("games", "count"), [(0, 3), (1, 3), (3, 0)])
def test_the_number_of_names_stands_in_either_field(tmp_path: Path, games: int, count: int) -> None:
    path = tmp_path / "WTH_1999.wtb"
    path.write_bytes(header(1) + record())
    (tmp_path / "wth_1999.jou").write_bytes(header(games, count) + names(20, b"???", b"Ann", b"Bob", b"no name")[16:])
    (tmp_path / "wth.jou").write_bytes(names(20, b"", b"not", b"these"))
    [game] = FORM.read(Source(path))
    assert isinstance(game, Transcript)
    assert game.players == ("Ann", "Bob")


def test_without_names_players_have_numbers() -> None:
    [game] = read(header(1) + record())
    assert isinstance(game, Transcript)
    assert (game.players, game.tags["Score"], game.payoffs) == (("#1", "#2"), "40-24", (1.0, -1.0))


def test_damaged_games_cost_no_other() -> None:
    broken = bytearray(record())
    broken[9] = 99
    found = read(header(4) + record() + bytes(broken) + record("f5f5") + record() + b"rest")
    assert [isinstance(game, Transcript) for game in found] == [True, False, False, True]
    assert [game.reason[:14] for game in found if isinstance(game, Refused)] == ["Move 2, 99, is", "Move 2, f5: Th"]
    assert [game.number for game in found if isinstance(game, Refused)] == [2, 3]


def test_a_file_that_is_cut_off() -> None:
    *games, last = read(header(3) + record() + record()[:-1])
    assert len(games) == 1
    assert isinstance(last, Refused) and last.reason == "The file tells of 3 games, but ends after 1."


@pytest.mark.parametrize(
    ("data", "name", "says"),
    [
        (header(1, size=10) + record(), "a.wtb", "board of 10 × 10 cells"),
        (header(1, kind=1) + record(), "a.wtb", "solitaires"),
        (header(1)[:9], "a.wtb", "ends within the header"),
        (names(20, b"???"), "wthor.JOU", "the games are in the .wtb files"),
        (names(26, b"???"), "wthor.trn", "the games are in the .wtb files"),
    ],
)
def test_other_files_are_named(data: bytes, name: str, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        list(read_games(Source(text=data, name=name), list(GALLERY.values())))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    [ended] = Transcripts().read(Source(text=WIPE_OUT))
    assert isinstance(ended, Transcript)
    wiped = match_of(ended)
    wiped.seats, wiped.tags = ["Ann", "Zoë"], {"Event": "Open"}
    [cut] = Transcripts().read(Source(text="f5d6"))
    assert isinstance(cut, Transcript)
    resigned = match_of(cut)
    resigned.conclude(Conclusion("resigned", 0))
    resigned.tags = {"Score": "20-44"}
    for suffix, content in FORM.files([wiped, resigned]):
        (tmp_path / f"out{suffix}").write_bytes(content)
    assert b"".join(FORM.write([wiped, resigned])) == (tmp_path / "out.wtb").read_bytes()
    first, second = read_games(Source(tmp_path / "out.wtb"), [GALLERY["othello"]])
    assert isinstance(first, Match) and isinstance(second, Match)
    assert (first.seats, first.steps, first.tags["Event"]) == (wiped.seats, wiped.steps, "Open")
    assert first.tags["Score"] == "64-0", "empty cells are the winner's"
    assert second.tags["Score"] == "20-44"
    assert (second.steps, second.ending) == (resigned.steps, resigned.ending)


def test_set_up_positions_are_not_written() -> None:
    game = GALLERY["othello"]
    first = State(START.theirs, START.mine, 0)
    match = Match(game, ["", ""], game.complete_options({"first": "1"}), 0, first)
    with pytest.raises(FormatError, match="from the usual start only"):
        list(FORM.write([match]))


def test_cells_are_rows_and_columns() -> None:
    [game] = read(header(1) + record("f5d6c3"))
    assert isinstance(game, Transcript)
    assert list(game.steps) == [CELL_OF[name] for name in ("f5", "d6", "c3")]
