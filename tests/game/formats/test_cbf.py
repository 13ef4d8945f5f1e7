"""CBF, games as XML."""

from __future__ import annotations

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import FormatError, Transcript, read_games
from papan.game.formats.source import Source
from papan.game.formats.xiangqi.cbf import Cbf
from papan.game.match import Match
from papan.game.match.collection import Refused
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files, read

HEAD = "<Name>局</Name><Contest>杯 &amp; 赛</Contest><Red>红&lt;b&gt;</Red><Black>黑</Black><Date>2014-09-08</Date>"
MOVES = '<Move value="00-00"><![CDATA[开始]]></Move><Move value="77-47"/><Move value="70-62" end="1">x</Move>'


def cbf(head: str = HEAD, moves: str = MOVES, before: str = '<?xml version="1.0" encoding="UTF-8"?>') -> str:
    return (
        f'{before}\n<ChineseChessRecord Version="1.0">\n<Head>{head}</Head>\n<MoveList>{moves}</MoveList>\n'
        "</ChineseChessRecord>"
    )


def steps(*moves: str) -> tuple[int, ...]:
    cells = [["abcdefghi".index(move[at]) + 9 * int(move[at + 1]) for at in (0, 2)] for move in moves]
    return tuple(origin << 7 | target for origin, target in cells)


def read_text(text: str | bytes) -> list[Transcript | Refused]:
    return list(Cbf().read(Source(text=text, name="game.cbf")))


def test_a_game_is_read() -> None:
    [match] = read_games(Source(text=b"\xef\xbb\xbf" + cbf().encode()), list(GALLERY.values()))
    assert isinstance(match, Match) and match.game.name == "xiangqi"
    assert tuple(match.steps) == steps("h2e2", "h9g7")
    assert (match.seats, str(match.date)) == (["红<b>", "黑"], "2014-09-08")
    assert match.tags == {"Title": "局", "Event": "杯 & 赛"}
    [told] = read_text(cbf())
    assert isinstance(told, Transcript) and (told.left_out, told.payoffs) == (2, None)


def test_a_set_up_position_a_result_and_variations() -> None:
    head = "<FEN>4k4/9/9/9/9/9/4p4/9/9/3K1R3 b - - 0 1</FEN><RecordResult>2</RecordResult>"
    moves = '<Move value="46-47" end="1"/><Move value="46-36" end="1"/><Move value="46-56"/>'
    [told] = read_text(cbf(head, moves))
    assert isinstance(told, Transcript)
    assert (told.position, told.steps) == ("4k4/9/9/9/9/9/4p4/9/9/3K1R3 b", steps("e3e2"))
    assert (told.payoffs, told.left_out) == ((-1.0, 1.0), 2)


def test_a_game_without_moves_or_head() -> None:
    for text in (cbf("", ""), cbf("", '<Move value="00-00"/>'), "<ChineseChessRecord/>"):
        [told] = read_text(text)
        assert isinstance(told, Transcript) and not told.steps and told.position is None


@pytest.mark.parametrize(
    ("head", "moves", "reason"),
    [
        (HEAD, '<Move value="89-69"/>', "'局': Move 1, 'i0g0': Your own piece stands on g0."),
        (HEAD, '<Move value="77-97"/>', "'局': Move 1 names a point outside the board."),
        (HEAD, "<Move/>", "'局': Move 1 names a point outside the board."),
        ("<FEN>9/9 w</FEN>", "", "The first position is wrong. The board has 2 ranks"),
    ],
)
def test_what_is_wrong_is_said(head: str, moves: str, reason: str) -> None:
    [found] = read_text(cbf(head, moves))
    assert isinstance(found, Refused) and found.reason.startswith(reason)


def test_another_encoding_than_declared() -> None:
    [told] = read_text(cbf().encode("gb18030"))
    assert isinstance(told, Transcript) and told.players == ("红<b>", "黑")
    [told] = read_text(cbf(before='<?xml version="1.0" encoding="UTF-16"?>').encode("utf-16"))
    assert isinstance(told, Transcript) and told.players == ("红<b>", "黑")


BOMB = "<!DOCTYPE x [<!ENTITY a 'aaaaaaaaaa'>" + "".join(
    f"<!ENTITY {name} '{f'&{chr(ord(name) - 1)};' * 10}'>" for name in "bcdefghij"
)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOMB + "]><ChineseChessRecord>&j;</ChineseChessRecord>", "declares a document type"),
        ("<!DOCTYPE x SYSTEM 'file:///etc/passwd'><ChineseChessRecord/>", "declares a document type"),
        ("<ChineseChessRecord>&unknown;</ChineseChessRecord>", "from line 1 on it is no XML"),
        ("<ChineseChessRecord>" + "<a>" * 50_000, "more than 30 elements within each other"),
        (cbf()[:-30], "from line 4 on it is no XML"),
        ("<Other/>", "It holds 'Other' instead of 'ChineseChessRecord'"),
        ("", "it is no XML"),
        (cbf(before="\x00"), "it is no XML"),
    ],
)
def test_xml_is_read_with_care(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_text(text)


def test_texts_and_numbers_of_things_are_bounded() -> None:
    many = "".join(f"<a{number}>x</a{number}>" for number in range(1000))
    [told] = read_text(cbf(f"<Name>{'n' * 100_000}</Name>{many}<Red>late</Red>", '<Move value="77-47"/>' * 100_001))
    assert isinstance(told, Refused) and len(told.reason) < 400


def test_damaged_files_are_games_or_sentences() -> None:
    for data in damaged(cbf().encode(), 200):
        games(Cbf(), data, "game.cbf")


# ------------------------------------------------------------------------------------------ real files


@needs_files
def test_a_real_file() -> None:
    [match], refused = read("xiangqi/cchess/test.cbf")
    assert not refused and len(match.steps) == 50
    assert match.tags["Annotator"] == "居荣鑫" and match.tags["ECCO"] == "C03"
    [told] = Cbf().read(Source(FOLDER / "xiangqi" / "cchess" / "test.cbf"))
    assert isinstance(told, Transcript) and told.left_out == 8


@needs_files
@pytest.mark.parametrize("number", [5, pytest.param(50, marks=pytest.mark.slow)])
def test_damaged_real_files_are_games_or_sentences(number: int) -> None:
    path = FOLDER / "xiangqi" / "cchess" / "test.cbf"
    for data in damaged(path.read_bytes(), number):
        games(Cbf(), data, path.name)
