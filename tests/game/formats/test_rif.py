"""RIF, the database of RenjuNet."""

from __future__ import annotations

from pathlib import Path

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import FormatError, Transcript, match_of, read_games
from papan.game.formats.gomoku.rif import Rif
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from tests.game.formats.damage import damaged, games

TABLES = """<?xml version="1.0" encoding="UTF-8"?>
<!-- RenjuNet -->
<database>
<countries><country id="1" name="Estonia" abbr="EST"/></countries>
<cities><city id="2" country="1" name="Tallinn"/></cities>
<rules><rule id="1" name="RIF"><info>of 1996</info></rule><rule id="7" name="Gomoku-Pro"/></rules>
<openings><opening id="21" name="Kansei" abbr="d5"/></openings>
<players>
<player id="10" name="Ann" surname="Black &lt;b&gt;" country="1" city="2"/>
<player id="11" name="" surname="W&#246;hite" country="1" city="2"/>
</players>
<tournaments>
<tournament id="5" name="Cup" country="1" city="2" year="1996" month="8" start="1996-08-10" end="1996-08-12" rule="1"
 rated="1"/>
<tournament id="6" name="Gomoku Cup" country="1" city="0" year="2001" month="3" start="0000-00-00" end="0000-00-00"/>
</tournaments>
"""
FIVE = "h8 a1 h9 a2 h10 a3 h11 a4 h12"
SIX = "h8 a1 h9 a3 h10 a5 h12 a7 h13 a9 h11"
GAME = '<game id="1" tournament="5" round="2" rule="1" black="10" white="11" bresult="0.5" opening="21" alt="" swap="">'


def rif(*games: str) -> str:
    return TABLES + "<games>\n" + "\n".join(games) + "\n</games>\n</database>\n"


def game(moves: str, head: str = GAME, info: str = "") -> str:
    return f"{head}<move>{moves}</move>{info}</game>"


def read_text(text: str | bytes) -> list[Transcript | Refused]:
    return list(Rif().read(Source(text=text, name="renjunet.rif")))


def test_a_game_has_its_names_from_the_tables() -> None:
    text = rif(game("h8 H9 j6", info="<info>long</info>"))
    [told] = read_text(text)
    [match] = read_games(Source(text=text, name="renjunet"), list(GALLERY.values()))
    assert isinstance(told, Transcript) and isinstance(match, Match)
    assert [turn.notation for turn in match.turns()] == ["h8", "h9", "j6"]
    assert (match.seats, str(match.date)) == (["Ann Black <b>", "Wöhite"], "1996-08-10")
    assert match.tags == {
        "Event": "Cup", "Site": "Tallinn, Estonia", "Round": "2", "Rule": "RIF", "Opening": "Kansei",
    }  # fmt: skip
    assert (told.payoffs, told.left_out, told.options) == ((0.0, 0.0), 1, {"exact": "renju"})


@pytest.mark.parametrize(("result", "payoffs"), [("1", (1.0, -1.0)), ("0", (-1.0, 1.0)), ("", None), ("x", None)])
def test_results(result: str, payoffs: tuple[float, float] | None) -> None:
    [told] = read_text(rif(game("h8", GAME.replace('"0.5"', f'"{result}"'))))
    assert isinstance(told, Transcript) and told.payoffs == payoffs


def test_a_game_of_gomoku_and_one_that_only_other_rules_allow() -> None:
    head = GAME.replace('rule="1"', 'rule="7"').replace('"5"', '"6"')
    [gomoku, overline] = read_text(rif(game("h8", head), game(SIX)))
    assert isinstance(gomoku, Transcript) and isinstance(overline, Transcript)
    assert (gomoku.options, gomoku.date) == ({"exact": "yes"}, "2001-3")
    assert str(match_of(gomoku).date) == "2001-03-01"
    assert overline.options == {"exact": "yes"}  # in renju black may not make a row of six


def test_a_damaged_game_costs_no_other() -> None:
    found = read_text(rif(game("h8 p1"), game("h8 h8"), game(FIVE + " a6"), game(FIVE), game("", "<game>")))
    assert [one.number if isinstance(one, Refused) else len(one.steps) for one in found] == [1, 2, 3, 9, 0]
    assert [one.reason for one in found if isinstance(one, Refused)][:2] == [
        "'Ann Black <b>' against 'Wöhite': Move 2, 'p1', is no cell.",
        "'Ann Black <b>' against 'Wöhite': Move 2: There is a stone on h8 already.",
    ]


def test_a_large_file_is_read_by_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "renjunet.rif"
    path.write_text(rif(*[game("h8 h9")] * 3000), encoding="utf-8")
    monkeypatch.setattr(Source, "data", lambda *_: pytest.fail("the whole file was read"))
    source = Source(path)
    reader = Rif().read(source)
    assert isinstance(next(reader), Transcript)
    assert 0 < source.position < source.size
    assert sum(isinstance(one, Transcript) for one in reader) == 2999


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<!DOCTYPE x [<!ENTITY a 'aa'>]>" + rif(), "declares a document type"),
        (rif().replace("database", "other"), "It holds 'other' instead of 'database'."),
        (rif(game("h8"))[:-20], "it is no XML"),
        ("", "it is no XML"),
    ],
)
def test_xml_is_read_with_care(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read_text(text)


def test_games_before_the_damage_are_read() -> None:
    found = Rif().read(Source(text=rif(game("h8"), game("h8")).replace("</games>", "<"), name="renjunet.rif"))
    assert len([next(found), next(found)]) == 2
    with pytest.raises(FormatError):
        next(found)


def test_which_files_fit() -> None:
    assert Rif().fits(Source(text=rif(), name="a.rif")) > Rif().fits(Source(text="<database/>", name="a.xml")) > 0
    assert not Rif().fits(Source(text="<xml/>", name="a.xml"))


def test_damaged_files_are_games_or_sentences() -> None:
    for data in damaged(rif(game(FIVE), game("h8 h9", info="<info>x</info>"), game(SIX)).encode(), 100):
        games(Rif(), data, "renjunet.rif")
