"""The hints of guided matches: each fits where it should, and points at what it speaks of."""

from __future__ import annotations

import pytest

from papan.ai.players import make_player, situation
from papan.game.catalogue import GAMES
from papan.game.facts import Game
from papan.game.guides import guide_of
from papan.game.match import Match

GUIDED = [game for game in GAMES.values() if game.parts.guide]
DROP, BLOCK, ROW = range(3)
PLACE, MOVE, BUILD = range(3)


def fitting(game: str, position: str, seat: int) -> dict[int, list[int]]:
    """The hints that fit *position*, by their places, with the cells that they point at."""
    guide = guide_of(GAMES[game])
    assert guide is not None
    state = GAMES[game].rules.parse(position, GAMES[game].complete_options(guide.OPTIONS))
    found = {place: hint.fits(state, seat) for place, hint in enumerate(guide.HINTS)}
    return {place: list(cells) for place, cells in found.items() if cells is not None}


class TestConnectFour:
    @pytest.mark.parametrize(
        ("position", "hints"),
        [
            ("", {DROP: []}),
            ("44", {}),  # one disc is no beginning
            ("4151", {ROW: [2, 5]}),  # two in a row go on at both ends
            ("4444", {}),  # two, but nothing can come of what lies between the other's discs
            ("415161", {ROW: [2, 6]}),  # three in column 1 threaten, but the beginner wins at once
            ("214161", {BLOCK: [0], ROW: [4]}),
            ("727364", {BLOCK: [0, 4], ROW: [6]}),  # three in a row threaten at both ends
        ],
    )
    def test_the_beginner_s_turn(self, position: str, hints: dict[int, list[int]]) -> None:
        assert fitting("connect-four", position, 0) == hints

    def test_the_second_seat_drops_its_first_disc_after_the_other_s(self) -> None:
        assert DROP in fitting("connect-four", "4", 1)
        assert DROP not in fitting("connect-four", "411", 1)


class TestSantorini:
    @pytest.mark.parametrize(("steps", "hint"), [(0, PLACE), (1, PLACE), (4, MOVE), (5, BUILD)])
    def test_each_phase_has_its_hint(self, steps: int, hint: int) -> None:
        guide = guide_of(GAMES["santorini"])
        assert guide is not None
        match = Match.new(GAMES["santorini"], ["a", "b"], {"first": "1", **guide.OPTIONS}, seed=1)
        while len(match.steps) < steps:
            match.play(match.legal_steps()[0])
        found = [place for place, hint in enumerate(guide.HINTS) if hint.fits(match.state, match.mover) is not None]
        assert found == [hint]


@pytest.mark.parametrize("game", GUIDED, ids=lambda game: game.name)
class TestEveryGuide:
    def test_hints_are_short_and_their_cells_can_be_pointed_at(self, game: Game) -> None:
        guide = guide_of(game)
        assert guide is not None and guide.HINTS
        assert all(len(hint.text) <= 110 for hint in guide.HINTS), "two lines at most in the smallest window"
        player = make_player("random", game)
        for seed in range(5):
            match = Match.new(game, ["a"] * game.seats[0], {"first": "1", **guide.OPTIONS}, seed)
            while not match.ending:
                cells = {cell for step in match.legal_steps() for cell in game.rules.cells(match.state, step)}
                for hint in guide.HINTS:
                    assert {*(hint.fits(match.state, match.mover) or ())} <= cells
                match.play(player.choose(situation(match)).step)
