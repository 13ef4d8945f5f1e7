"""Papan against itself: each protocol's two ends, whole games through them."""

from __future__ import annotations

import pytest

from papan.ai.engines.client import PROTOCOLS as ASKED
from papan.ai.engines.dialect import dialects_of
from papan.ai.engines.server import PROTOCOLS as ANSWERED
from papan.ai.limits import Limit
from papan.ai.players import make_player, situation
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.lab.arena import play_match
from tests.ai.engines.programs import entry, papan, player

SPOKEN = [(game, protocol) for game in GAMES.values() for protocol in dialects_of(game)]
OWN = [(game, protocol) for game, protocol in SPOKEN if protocol != "ugi"]
QUICK = {"nboard": Limit(depth=1)}
"""The limits where a protocol knows no time."""


def test_every_protocol_has_two_ends_and_a_game() -> None:
    assert set(ASKED) == set(ANSWERED) == {protocol for _game, protocol in SPOKEN}


@pytest.mark.parametrize(("game", "protocol"), OWN, ids=lambda value: getattr(value, "name", value))
def test_a_whole_game_against_random(game: object, protocol: str) -> None:
    name = getattr(game, "name", "")
    limit = QUICK.get(protocol, Limit(time=0.02))
    with player(entry(papan(name, protocol), name, protocol, limit)) as made:
        match = Match.new(GAMES[name], ["a", "b"], {"first": "1"}, seed=2)
        ending = play_match(match, [make_player("random", GAMES[name]), made]).ending
        assert ending and ending.winner == 1
        assert made.start() == "Papan" or made.start().startswith("Papan ")


@pytest.mark.parametrize("game", [game for game, protocol in SPOKEN if protocol == "ugi"], ids=lambda game: game.name)
def test_some_turns_of_every_game_by_ugi(game: object) -> None:
    name = getattr(game, "name", "")
    options = {
        option: list(GAMES[name].options[option].values)[-1]
        for option in ("size", "mode")
        if option in GAMES[name].options
    }
    with player(entry(papan(name, "ugi"), name, limit=Limit(depth=1))) as made:
        match = Match.new(GAMES[name], ["a", "b"], options, seed=2)
        random = make_player("random", GAMES[name])
        while not match.ending and len(match.turns()) < 12:
            chosen = (made if match.mover == 0 else random).choose(situation(match))
            match.play(chosen.step)
        match.undo()
        if match.mover == 0:
            match.play(made.choose(situation(match)).step)
        assert len(match.steps) > 5


def test_what_it_finds_is_told() -> None:
    with player(entry(papan("xiangqi", "uci"), "xiangqi", "uci", Limit(depth=3))) as made:
        found = made.choose(situation(Match.new(GAMES["xiangqi"], ["a", "b"], seed=1)))
    assert found.depth == 3 and found.nodes > 0 and len(found.principal_variation) >= 2
