"""The feats of each game, in positions where they can be counted by hand."""

from __future__ import annotations

import pytest

from papan.game.base.protocols import offers
from papan.game.catalogue import GALLERY, GAMES
from papan.game.feats import Feats, feats_of
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import play

CARDS = "/".join(["." * 9] * 3 + ["...g9g7....", "...r3r5....", *["." * 9] * 4])
"""Red has 3 and 5 side by side in row 5, green 9 and 7 above them."""
TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"

EXAMPLES = [
    # game, options, position, turn, what could have been done
    ("connect-four", {}, "4411", "5", []),
    ("connect-four", {}, "2233", "4", ["You could have threatened four in a row at two places at once."]),
    ("connect-four", {}, "1122", "3", ["You could have threatened four in a row in column 4."]),
    ("gomoku", {}, "h8 a1 i8 a2 j8 a4", "k8", ["You could have made an open four."]),
    ("gomoku", {}, "h8 g8 i8 a2 j8 a4", "k8", ["You could have made a four."]),
    ("gomoku", {}, "h8 a1 i8 a3", "j8", ["You could have made an open three."]),
    ("gomoku", {}, "h8 a1 i8 a3", "l12", []),
    (
        "othello",
        {},
        "-OX-------------------------OO-----OX----------------------------"[:64] + " X",
        "a1",
        ["You could have taken the corner a1.", "You could have left White only 3 moves."],
    ),
    (  # climbs to level 2, beside the level 3 on c4
        "santorini",
        {"gods": "none"},
        "0000000320001000000000000/1/mortal:c3,a1/mortal:e1,e5",
        "c3-d4+e4",
        ["You could have climbed to level 2 on d4.", "You could have stood on level 2 beside the free level 3 on c4."],
    ),
    (  # the other seat stands on d4, level 2, beside it
        "santorini",
        {"gods": "none"},
        "0000000320001000000000000/1/mortal:b2,a1/mortal:d4,e5",
        "b2-b3+c4",
        ["You could have closed level 3 on c4 with a dome."],
    ),
    ("santorini", {"gods": "none"}, "0000000320001000000000000/1/mortal:b2,a1/mortal:e1,e5", "b2-b3+c4", []),
    (
        "santorini-graph",
        {"board": "path:10"},
        "0012000000/1/1,9/4,5",
        "1-2+1",
        ["You could have climbed to level 1 on node 2."],
    ),
    ("checkers", {}, "B:W16,24:B11", "11x20x27", ["You could have captured 2 pieces."]),
    ("checkers", {}, "B:W5:B25", "25-30", ["You could have got a king on 30."]),
    (
        "catur-jawa",
        {},
        f"{CARDS} 1 258,139 6,7",
        "2@f5",
        ["You could have made three of a line that c5 would complete."],
    ),
    ("catur-jawa", {}, f"{CARDS} 1 258,139 6,7", "8xe6", ["You could have covered the 7 on e6."]),
    (
        "cifra",
        {},
        f"{TILES}/.bbbb..w......b......wwww/w/w",
        "c4xc5",
        ["You could have brought a piece home on c5.", "You could have captured the piece on c5."],
    ),
    ("xiangqi", {}, "", "h2h9", ["You could have captured the horse on h9."]),
    ("xiangqi", {}, "", "h2e2", []),
    (
        "2048",
        {"size": "2"},
        "8,8/2,0 24",
        "left",
        ["You could have made a tile of 16.", "You could have kept the largest tile in its corner."],
    ),
    (
        "2048",
        {"size": "4"},
        "64,0,2,0/0,0,0,0/0,0,0,0/0,0,0,0 256",
        "left",
        ["You could have kept the largest tile in its corner."],
    ),
    ("2048", {"size": "4"}, "64,0,2,0/0,0,0,0/0,0,0,0/0,0,0,0 256", "right", []),
]


@pytest.mark.parametrize(("name", "options", "position", "turn", "expected"), EXAMPLES)
def test_what_a_turn_brings_about(
    name: str, options: dict[str, str], position: str, turn: str, expected: list[str]
) -> None:
    game = GAMES[name]
    match = Match.new(game, ["a"] * min(game.seats), {"first": "1", **options}, 1, position or None)
    states = [match.state]
    steps = parse_turn(match.rules, match.state, turn)
    for step in steps:
        states.append(play(states[-1], step))
    words = feats_of(game)
    assert words is not None
    found = words.feats(states, steps, "You")
    assert [feat.could for feat in found] == expected
    assert all(feat.can.startswith("You can now ") and feat.worth > 0 for feat in found)


@pytest.mark.parametrize("name", GALLERY)
def test_every_game_of_the_window_has_words_of_its_own(name: str) -> None:
    assert offers(feats_of(GAMES[name]), Feats)


def test_a_game_without_has_none() -> None:
    assert feats_of(GAMES["p-tree"]) is None
