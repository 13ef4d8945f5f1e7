"""How other programs write a game."""

from __future__ import annotations

import pytest

from papan.ai.engines.games.connect_four import DIALECTS
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import NotationError, PositionError
from tests.ai.playing import at_random

CFOUR = DIALECTS["uci"]
BOARD = "7/7/7/7/p6/P1P3p[{}{}] w - - 0 3".format("P" * 19, "p" * 19)


class TestConnectFour:
    """The texts of the variant ``cfour``, as pyffish 0.0.90 writes them."""

    def test_a_board(self) -> None:
        assert CFOUR.write_position("1137") == BOARD
        start = "7/7/7/7/7/7[{}{}] w - - 0 1".format("P" * 21, "p" * 21)
        assert CFOUR.write_position("") == start and CFOUR.read_position(start) == ""

    @pytest.mark.parametrize("seed", range(20))
    def test_positions_and_turns_come_back(self, seed: int) -> None:
        match = Match.new(GAMES["connect-four"], ["", ""], {}, seed)
        at_random(match, seed)
        text = match.rules.text(match.state)
        assert match.rules.parse(CFOUR.read_position(CFOUR.write_position(text)), {}) == match.state
        for step in () if match.ending else match.legal_steps():
            assert CFOUR.read(match.rules, match.state, CFOUR.write(match.rules, match.state, [step])) == [step]

    @pytest.mark.parametrize(
        "position",
        [
            "",
            BOARD.replace(" w ", " b "),
            BOARD.replace("p6", "7"),
            BOARD.replace("p6", "P6"),
            BOARD.replace("p6/P1P3p", "P1P3p/p6"),
            BOARD.replace("7/7", "7"),
            BOARD.replace("7/7", "77777777"),
            "7" * 1_000_000 + " w",
        ],
    )
    def test_a_board_that_can_not_be_is_refused(self, position: str) -> None:
        with pytest.raises(PositionError):
            CFOUR.read_position(position)

    @pytest.mark.parametrize("turn", ["", "4", "P@d2", "P@h1", "P@a7", "p@d1", "P@d1 "])
    def test_a_turn_that_can_not_be_is_refused(self, turn: str) -> None:
        rules = GAMES["connect-four"].rules
        with pytest.raises(NotationError):
            CFOUR.read(rules, rules.parse("111111", {}), turn)
