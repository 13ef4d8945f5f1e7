"""Threats: told where there are some, and never where there are none, by the same search in every game."""

from __future__ import annotations

from random import Random

import pytest

from papan.ai.players import SearchingPlayer, make_player
from papan.ai.search import Searcher
from papan.ai.threats import Threat, find_threat, whole_turn, winning_turn
from papan.game.catalogue import GALLERY, GAMES
from papan.game.match import Match
from papan.game.rules import CHANCE

OPEN = [
    name
    for name, game in GALLERY.items()
    if max(game.seats) > 1 and not game.has_hidden_information and not game.has_chance
]


def searching(match: Match) -> Searcher:
    player = make_player("minimax:depth=1", match.game)
    assert isinstance(player, SearchingPlayer)
    player.prepare(match.state)
    return player.search


def four(columns: str) -> Match:
    match = Match.new(GAMES["connect-four"], ["a", "b"], {"first": "1"}, seed=1)
    for column in columns:
        match.play(int(column) - 1)
    return match


class TestConnectFour:
    def test_three_in_a_column_threaten_the_fourth(self) -> None:
        match = four("41424")
        assert find_threat(match.rules, match.state, searching(match)) == Threat(0, "4")

    def test_what_is_stopped_threatens_no_more(self) -> None:
        match = four("414244")
        search = searching(match)
        assert winning_turn(match.rules, match.state, search) is None
        assert find_threat(match.rules, match.state, search) is None

    def test_a_win_is_a_whole_turn(self) -> None:
        match = four("414247")
        assert winning_turn(match.rules, match.state, searching(match)) == "4"
        turn, _state = whole_turn(match.rules, match.state, (3, 0, 3))
        assert turn == "4"

    def test_the_start_threatens_nothing(self) -> None:
        match = four("")
        assert find_threat(match.rules, match.state, searching(match)) is None

    def test_a_finished_game_threatens_nothing(self) -> None:
        match = four("4142434")
        assert match.ending and find_threat(match.rules, match.state, searching(match)) is None

    def test_it_can_be_given_up(self) -> None:
        match = four("41424")
        assert find_threat(match.rules, match.state, searching(match), lambda: True) is None


@pytest.mark.parametrize("name", OPEN)
def test_a_threat_is_one_that_the_rules_know(name: str) -> None:
    """In random positions of every open game: a threat is a turn of another seat that wins."""
    match, random = Match.new(GAMES[name], ["a", "b"], {"first": "1"}, seed=2), Random(3)
    search, seen = searching(match), 0
    while not match.ending and seen < 12:
        turns = len(match.turns())
        while not match.ending and len(match.turns()) == turns:
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
        if match.ending:
            break
        seen += 1
        threat = find_threat(match.rules, match.state, search)
        assert threat is None or (threat.seat != match.mover and threat.notation)
    assert seen
