"""How games present themselves: positions set up, motifs counted by hand, and hints that fit where they should."""

from __future__ import annotations

from math import comb
from random import Random
from typing import Any

import pytest

from papan.game.base.protocols import offers
from papan.game.catalogue import GALLERY, GAMES
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.presentation import (
    Motifs,
    fault_of_nearest,
    motifs_of,
    position_fault,
    recognised,
    settings_of,
    setup_of,
)
from papan.game.presentation.cifra import PAGE
from papan.game.rules import PositionError, State, play
from papan.game.rules.cifra.board import NEUTRAL_CELLS, SMALL

CELLS = {
    "santorini": range(25),
    "santorini-graph": range(25),
    "cifra": range(25),
    "catur-jawa": range(81),
    "connect-four": range(7),
    "checkers": range(32),
    "othello": range(64),
    "gomoku": [21 * row + column for row in range(15) for column in range(15)],
    "xiangqi": range(90),
    "2048": range(16),
}
POSITIONS = {
    "santorini": ("0000011000020004003011112/2/mortal:b1,d1/mortal:b3,b2", {}),
    "santorini-graph": ("0110/2/3", {"variant": "1W_I2H_NTWUS", "board": "path:4"}),
    "cifra": ("WBWBWWBBWBBWNBWWWBBWBWBWB/b.W.b..b..w...b.w.w.w.B../w/w/7", {}),
    "catur-jawa": ("/".join(["." * 9] * 9) + " 1 123,456 456789123456789,123789123456789", {}),
    "connect-four": ("4455", {}),
    "checkers": ("W:WK7,21:B1,9:12", {}),
    "othello": ("-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " O", {}),
    "gomoku": ("h8 i9 s19", {"size": "19"}),
    "xiangqi": ("4k4/9/9/9/9/9/9/9/9/3K1R3 w 7", {}),
    "2048": ("2,0/0,4 0", {"size": "2"}),
}
HOUSE_GAMES = [game for game in GALLERY.values() if game.name in CELLS]
every_game = pytest.mark.parametrize("game", HOUSE_GAMES, ids=lambda game: game.name)


def parts(game: Game, **options: str) -> tuple[Any, dict[str, str], State]:
    """The module that sets *game* up, complete options, and the start under them."""
    setup = setup_of(game)
    assert setup is not None
    complete = game.complete_options(options)
    return setup, complete, game.rules.start(complete, Random(1))


def started(name: str, **options: str) -> tuple[Game, Any, State]:
    """The game, the module that sets it up, and its start."""
    setup, _complete, start = parts(GAMES[name], **options)
    return GAMES[name], setup, start


def fault(game: Game, state: State, **options: str) -> str:
    """What is wrong with *state*: its text, or that it has none."""
    try:
        text = game.rules.text(state)
    except PositionError as error:
        return str(error)
    return position_fault(game, text, game.complete_options(options))


@every_game
class TestEveryGame:
    def test_each_brush_changes_the_board_and_what_it_puts_is_taken_away_again(self, game: Game) -> None:
        setup, _options, start = parts(game)
        bare = setup.cleared(start)
        for brush in setup.brushes(start):
            changed = 0
            for cell in CELLS[game.name]:
                try:
                    with_it = setup.put(bare, brush.code, cell)
                except PositionError:
                    continue
                changed += with_it != bare
                for _ in range(6):
                    last, with_it = with_it, setup.taken(with_it, cell)
                is_tile = game.name == "cifra" and brush.code < 2  # there is always a tile
                assert with_it == last and (is_tile or with_it._replace(**ungoverned(game, bare)) == bare), brush
            assert changed, brush

    def test_a_start_is_legal_and_names_of_brushes_differ(self, game: Game) -> None:
        setup, _options, start = parts(game)
        assert fault(game, start) == ""
        brushes = setup.brushes(start)
        assert len({brush.code for brush in brushes}) == len({brush.name for brush in brushes}) == len(brushes)

    def test_settings_take_each_of_their_values(self, game: Game) -> None:
        setup, _options, start = parts(game)
        for setting in settings_of(setup, start):
            for value in setting.values or [str(setting.most)]:
                after = setup.changed(start, setting.name, value)
                told = {other.name: other.value for other in settings_of(setup, after)}
                assert told[setting.name] == value

    def test_random_set_ups_are_told_apart_without_errors_and_legal_ones_keep_their_text(self, game: Game) -> None:
        setup, options, start = parts(game)
        random = Random(7)
        state = start
        for _ in range(80):
            try:
                if random.random() < 0.6:
                    brush = random.choice(setup.brushes(state))
                    state = setup.put(state, brush.code, random.choice(CELLS[game.name]))
                else:
                    state = setup.taken(state, random.choice(CELLS[game.name]))
            except PositionError as error:
                assert str(error).endswith(".")
            trouble = fault(game, state)
            assert not trouble or trouble.endswith((".", ".'")), trouble
            if not trouble:
                text = game.rules.text(state)
                assert game.rules.text(game.rules.parse(text, options)) == text

    def test_a_position_is_recognised_with_its_options(self, game: Game) -> None:
        text, options = POSITIONS[game.name]
        if game.name == "santorini-graph":
            text, options = "0000000000/1//", {"board": "path:10"}
        found = recognised(text, HOUSE_GAMES)
        assert found is not None and found[0].name == game.name
        assert {name: found[1][name] for name in options} == options


def ungoverned(game: Game, bare: State) -> dict[str, int]:
    """What a brush may change beside the board: a score that the tiles are worth, a deck's order."""
    if game.name == "2048":
        return {"score": bare.score}
    if game.name == "catur-jawa":
        return {name: getattr(bare, name) for name in bare._fields if name.startswith(("deck", "hands"))}
    if game.name == "cifra":
        return {name: getattr(bare, name) for name in ("to_move", "white_seat", "stage")}
    return {}


class TestRefusals:
    def test_connect_four_needs_as_many_discs_of_both(self) -> None:
        game, setup, state = started("connect-four")
        for _ in range(2):
            state = setup.put(state, 0, 3)
        assert "has 2 discs and the other 0" in fault(game, state)
        for _ in range(4):
            state = setup.put(state, 1, 3)
        with pytest.raises(PositionError, match="Column 4 is full"):
            setup.put(state, 0, 3)

    def test_gomoku_needs_as_many_stones_of_both(self) -> None:
        game, setup, state = started("gomoku")
        state = setup.put(setup.put(state, 1, 0), 1, 1)
        assert "Black has 0 stones and White 2" in fault(game, state)

    def test_a_game_that_is_over_is_no_position(self) -> None:
        game, setup, state = started("othello")
        assert fault(game, setup.cleared(state)).startswith("The game is over here")
        game, setup, state = started("connect-four")
        for code, column in ((0, 0), (0, 1), (0, 2), (0, 3), (1, 5), (1, 5), (1, 5)):
            state = setup.put(state, code, column)
        assert fault(game, state) == "The game is over here: four in a row."

    def test_checkers_has_no_men_where_they_are_crowned(self) -> None:
        game, setup, state = started("checkers")
        white_on_the_last_row = setup.put(setup.cleared(state), 2, 0)
        assert "White's men become kings" in fault(game, white_on_the_last_row)

    def test_xiangqi_has_one_general_of_each_side(self) -> None:
        game, setup, state = started("xiangqi")
        general = next(brush.code for brush in setup.brushes(state) if brush.name == "Red general")
        assert "Red has 2 generals" in fault(game, setup.put(state, general, 4 + 9))
        assert "has no general" in fault(game, setup.cleared(state))

    def test_2048_keeps_the_score_that_the_tiles_are_worth(self) -> None:
        game, setup, state = started("2048")
        state = setup.put(setup.put(setup.cleared(state), 11, 0), 1, 1)
        assert fault(game, state) == "" and state.score == 9 << 11
        assert "The score can't be 0" in fault(game, setup.changed(state, "score", "0"))

    def test_cifra_needs_twelve_tiles_of_each_colour(self) -> None:
        game, setup, state = started("cifra")
        white = setup.put(setup.put(state, 0, 0), 0, 1)
        blue = setup.put(setup.put(state, 1, 0), 1, 1)
        assert "The tiles have" in fault(game, white if white != state else blue)
        with pytest.raises(PositionError, match="c3 is neutral"):
            setup.put(state, 0, 12)

    def test_cifra_turns_with_all_pieces_where_they_are(self) -> None:
        game = GAMES["cifra"]
        setup, options, _state = parts(game)
        state = game.rules.parse(POSITIONS["cifra"][0], options)
        turned = setup.changed(state, "home", "1")
        assert game.rules.text(turned).split("/")[3] == "b"
        assert game.rules.text(turned).split("/")[1].lower() == game.rules.text(state).split("/")[1].lower()

    def test_santorini_needs_two_workers_of_each_player(self) -> None:
        game, setup, state = started("santorini")
        state = setup.cleared(state)
        for side, cell in ((0, 0), (0, 1), (1, 2)):
            state = setup.put(state, side, cell)
        assert "a seat has 2 workers" in fault(game, state)
        state = setup.put(state, 1, 3)
        assert fault(game, state) == ""
        state = setup.put(state, 16 + 4, 12)
        with pytest.raises(PositionError, match="can't stand on a dome: put only one of them on c3"):
            setup.put(state, 0, 12)

    def test_santorini_takes_a_player_without_workers_for_out(self) -> None:
        game, setup, state = started("santorini", seats="3", gods="none")
        state = setup.cleared(state)
        for side, cell in ((0, 0), (0, 1), (2, 2), (2, 3)):
            state = setup.put(state, side, cell)
        state = setup.put(state, 17, 20)
        assert "mortal:out" in game.rules.text(state) and fault(game, state, seats="3", gods="none") == ""

    def test_catur_jawa_counts_cards(self) -> None:
        game, setup, state = started("catur-jawa")
        state = setup.put(state, 7, 40)
        assert "because player 1" in fault(game, state)
        assert fault(game, setup.changed(state, "turn", "1")) == ""
        state = setup.put(state, 7, 41)
        with pytest.raises(PositionError, match="Player 1 has no other 7 left"):
            setup.put(state, 7, 42)
        assert "not joined" in fault(game, setup.changed(setup.put(setup.cleared(state), 3, 0), "turn", "1"))


def test_neither_words_nor_nothing_are_a_position() -> None:
    assert recognised("what a nice day", HOUSE_GAMES) is None
    assert recognised("", HOUSE_GAMES) is None


def test_options_that_do_not_go_together_are_passed_over() -> None:
    with pytest.raises(OptionError):
        GAMES["santorini"].rules.start(GAMES["santorini"].complete_options({"teams": "yes"}), Random(0))
    text = "0" * 25 + "/1/mortal:b3,d3/mortal:c2,c4/mortal:/mortal:"
    found = recognised(text, HOUSE_GAMES)
    assert found is not None and found[1]["teams"] == "yes" and found[1]["seats"] == "4"


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
        ["You could have got three cards in a line that a card on c5 would complete."],
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
    words = motifs_of(game)
    assert words is not None
    found = [motif for motif in words.motifs(states, steps, "You") if motif.can]
    assert [motif.could for motif in found] == expected
    assert all(motif.can.startswith("You can now ") and motif.worth > 0 for motif in found)


@pytest.mark.parametrize("name", GALLERY)
def test_every_game_of_the_window_can_be_set_up_and_has_words_of_its_own(name: str) -> None:
    assert offers(motifs_of(GAMES[name]), Motifs)
    assert setup_of(GAMES[name]) is not None or name not in CELLS


def test_a_game_without_a_part_has_none() -> None:
    assert setup_of(GAMES["p-tree"]) is None and motifs_of(GAMES["p-tree"]) is None


def test_cifra_s_page_says_in_how_many_ways_the_tiles_can_lie() -> None:
    """Half of the coloured tiles are white, and turned boards are one: Burnside's lemma, by the cycles of the turns."""
    coloured = SMALL * SMALL - len(NEUTRAL_CELLS[SMALL])
    cycles = (coloured, coloured // 4, coloured // 2, coloured // 4)  # turned by no, one, two and three quarters
    ways = sum(comb(number, number // 2) for number in cycles) // 4
    assert f"{ways:,} ways" in PAGE.history


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("W:W31,32,K99:B1-4", "As a position of Checkers: Field 2 has 'K99'"),
        ("4x/9/9/9/9/9/9/9/9/4K4 w", "As a position of Xiangqi: Rank 9, '4x': 'x' is neither a piece"),
        ("hello", ""),
        ("4448444", ""),
    ],
)
def test_a_position_with_a_fault_is_told_from_other_texts(text: str, said: str) -> None:
    found = str(fault_of_nearest(text, list(GALLERY.values())))
    assert found.startswith(said) and bool(found) == bool(said)
