"""Files of Santorini: best moves of an engine's tests, logs of Board Game Arena."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import match_of, read_games
from papan.game.formats.santorini import FORMATS
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused
from papan.game.match.notation import parse_turn
from papan.game.rules import NotationError
from tests.game.formats.damage import damaged, games
from tests.game.formats.files import FOLDER, needs_files, read

GAMES = list(GALLERY.values())
RULES = GALLERY["santorini"].rules


def found_in(text: str) -> Sequence[Match | Refused]:
    return list(read_games(Source(text=text), GAMES))


def notations(match: Match | Refused) -> list[str]:
    assert isinstance(match, Match), match
    return [turn.notation for turn in match.turns()]


ENTRY = "- score: 7\n  best_move_str: {}\n  best_move_state: {}\n"
HEIGHTS = "0000000000000000000000000"


class TestBestMoves:
    def test_the_position_before_follows_from_the_one_after(self) -> None:
        after = "0000000000000000100000000/2/pan:B2,C3/atlas:D1,E1"  # row 2 is the fourth of the digits' rows
        [match] = found_in(ENTRY.format("B3>C3^B2", after.replace("B2,C3", "A1,C3")))
        assert isinstance(match, Match) and match.position == f"{HEIGHTS}/1/pan:a1,b3/atlas:d1,e1"
        assert notations(match) == ["b3-c3+b2"] and match.tags["Score"] == "7"

    def test_both_workers_of_hermes_walk(self) -> None:
        after = "0000000000000000000001000/2/hermes:A2,B2/pan:A1,C4"
        [match] = found_in(ENTRY.format("(C5,D3)>(A2,B2)^B1", after))
        assert notations(match) in (["c5-a2,d3-b2+b1"], ["c5-b2,d3-a2+b1"], ["d3-b2,c5-a2+b1"], ["d3-a2,c5-b2+b1"])

    @pytest.mark.parametrize(
        ("move", "state", "says"),
        [
            ("A1>A2^A1", f"{HEIGHTS}/2/zeus:A2,B2/pan:C1,D1", "'zeus' can't be played; the gods are Apollo"),
            ("A1>A2^A3", f"{HEIGHTS}/2/pan:A2,B2/pan:C1,D1", "doesn't lead to"),
            ("A1>D4^D5", HEIGHTS[:3] + "1" + HEIGHTS[4:] + "/2/pan:D4,B2/pan:C1,D1", "doesn't lead to"),
            ("A1>A2^A1", "0000/2/pan:A2,B2/pan:C1,D1", "is no position"),
        ],
    )
    def test_what_is_wrong_is_told(self, move: str, state: str, says: str) -> None:
        fine = ENTRY.format("A1>A2^A1", "0000000000000000000010000/2/pan:A2,B2/atlas:C1,D1")
        found = found_in(fine + ENTRY.format(move, state) + fine)
        assert [type(one) for one in found] == [Match, Refused, Match]
        assert isinstance(found[1], Refused) and says in found[1].reason and found[1].line == 4


LOG = """Move 1 :
ann gains power Apollo
bob gains power Demeter
Move 2 :
ann places a worker (B2)
ann places a worker (D4)
bob places a worker (C3)
bob places a worker (B4)
ann moves on ground level (B2 -> C3)
Apollo: ann forces bob to a space on ground level (C3 -> B2)
ann builds a block on ground level (C2)
bob moves (B4 -> B3)
bob restarts their turn
bob moves up to level 1 (B2 -> C2)
bob builds a block on ground level (D2)
bob builds a block on ground level (D1)
ann moves (C3 → D3)
ann builds a block on level 1 (D2)
"""


class TestBoardGameArena:
    def test_actions_become_turns(self) -> None:
        [match] = found_in(LOG + "bob resigns\n")
        assert notations(match) == ["b2-c3+c2", "b2-c2+d2+d1", "c3-d3+d2"]
        assert isinstance(match, Match) and match.seats == ["ann", "bob"]
        assert match.ending is not None and match.ending.winner == 0
        assert RULES.text(match.states[0]).endswith("/1/apollo:b2,d4/demeter:b4,c3")

    def test_without_gods(self) -> None:
        placed = [line for line in LOG.splitlines() if "places" in line]
        turns = [
            "ann moves (B2 -> A2)",
            "ann builds a block on ground level (A1)",
            "bob moves on ground level (C3 -> C2)",
        ]
        [match] = found_in("\n".join([*placed, *turns]))
        assert isinstance(match, Match) and match.options["gods"] == "none"
        assert notations(match) == ["b2-a2+a1"]  # bob's turn is broken off

    def test_a_dome_on_a_low_tower_is_the_dome_of_atlas(self) -> None:
        log = (
            LOG.replace("Apollo", "Atlas")
            .replace("(B2 -> C3)", "(B2 -> A2)")
            .replace("a block on ground level (C2)", "a dome on ground level (B1)")
        )
        [match] = found_in("\n".join(log.splitlines()[:11]))
        assert notations(match) == ["b2-a2^b1"]

    def test_two_games_after_each_other(self) -> None:
        assert [len(notations(match)) for match in found_in(LOG + "ann wins!\n" + LOG)] == [3, 3]

    @pytest.mark.parametrize(
        ("old", "new", "says"),
        [
            ("Apollo", "Medusa", "'Medusa' can't be played"),
            ("ann places a worker (D4)\n", "", "where 'ann' places 2 workers"),
            ("(B2 -> C3)", "(B2 -> E5)", "The turn of 'ann' is not legal"),
            ("(D1)\n", "(D1)\ncarl moves (A1 -> A2)\n", "It isn't the turn of 'carl'"),
        ],
    )
    def test_what_is_wrong_is_told(self, old: str, new: str, says: str) -> None:
        assert old in LOG
        [refused] = found_in(LOG.replace(old, new))
        assert isinstance(refused, Refused) and says in refused.reason


def test_other_notations_of_a_turn() -> None:
    state = RULES.parse(f"{HEIGHTS}/1/mortal:b2,d4/mortal:b4,c3", {"gods": "none"})
    expected = parse_turn(RULES, state, "b2-c2+d2")
    for text in ("B2>C2^D2", "b2c2d2", "B2 C2 D2", "b2-c2-d2", "B2-C2+D2"):
        assert parse_turn(RULES, state, text) == expected
    for text in ("B2>C3^D2", "B2>C2", "b2c2", "(B2,D4)>(B1,D5)^A1", "^A1"):
        with pytest.raises(NotationError):
            parse_turn(RULES, state, text)
    atlas = RULES.parse(f"{HEIGHTS}/1/atlas:b2,d4/pan:b4,c3", {"gods": "simple"})
    with pytest.raises(NotationError, match=r"ambiguous: it could mean b2-c2\+d2 or b2-c2\^d2"):
        parse_turn(RULES, atlas, "B2>C2^D2")
    assert parse_turn(RULES, atlas, "B2-C2^D2") == parse_turn(RULES, atlas, "b2-c2^d2")


@needs_files
class TestRealFiles:
    NAME = "santorini/move_test.yaml"

    def test_each_position_and_its_best_move_is_read(self) -> None:
        matches, refused = read(self.NAME)
        assert len(matches) == 56 and not refused
        text = (FOLDER / self.NAME).read_text(encoding="utf-8")
        assert all(
            len(match.turns()) == 1 and RULES.text(match.state).split("/low")[0].lower() in text.lower()
            for match in matches
        )

    @pytest.mark.parametrize("number", [8, pytest.param(50, marks=pytest.mark.slow)])
    def test_damaged_files_are_answered(self, number: int) -> None:
        for data in ((FOLDER / self.NAME).read_bytes(), LOG.encode()):
            for variant in damaged(data, number):
                for form in FORMATS:
                    for told in games(form, variant, self.NAME):
                        if not isinstance(told, Refused):
                            match_of(told)
