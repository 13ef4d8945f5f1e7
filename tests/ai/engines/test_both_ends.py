"""Papan against itself: each protocol's two ends, whole games through them."""

from __future__ import annotations

import pytest

from papan.ai.engines import client, server
from papan.ai.engines.dialect import PROTOCOLS, dialects_of
from papan.ai.limits import Limit
from papan.ai.players import make_player, situation
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.lab.arena import play_match
from tests.ai.engines.programs import entry, papan, player
from tests.ai.playing import at_random

SPOKEN = [(game, protocol) for game in GAMES.values() for protocol in dialects_of(game)]
OWN = [(game, protocol) for game, protocol in SPOKEN if protocol != "ugi"]
QUICK = {"nboard": Limit(depth=1)}
"""The limits where a protocol knows no time."""


def test_every_protocol_has_two_ends_and_a_game() -> None:
    assert set(PROTOCOLS) == {protocol for _game, protocol in SPOKEN}
    for protocol in PROTOCOLS:
        assert issubclass(client.protocol_class(protocol), client.EngineClient)
        assert issubclass(server.protocol_class(protocol), server.EngineServer)


@pytest.mark.parametrize(("game", "protocol"), OWN, ids=lambda value: getattr(value, "name", value))
def test_a_whole_game_against_random(game: Game, protocol: str) -> None:
    limit = QUICK.get(protocol, Limit(time=0.02))
    with player(entry(papan(game.name, protocol), game.name, protocol, limit)) as made:
        match = Match.new(game, ["a", "b"], {"first": "1"}, seed=2)
        at_random(match, 40 if game.name == "othello" else 0)  # of a game that never ends sooner the end will do
        ending = play_match(match, [make_player("random", game), made]).ending
        assert ending and ending.winner == 1
        assert made.start() == "Papan" or made.start().startswith("Papan ")


@pytest.mark.parametrize("name", ["santorini", "cifra", "checkers"])
def test_some_turns_by_ugi(name: str) -> None:
    """Turns of several steps, a set-up and captures; every game's notation is read back by its conformance."""
    game = GAMES[name]
    with player(entry(papan(game.name, "ugi"), game.name, limit=Limit(depth=1))) as made:
        match = Match.new(game, ["a", "b"], seed=2)
        random, told = make_player("random", game), []
        while not match.ending and len(match.turns()) < 12:
            found = (made if match.mover == 0 else random).choose(situation(match))
            told += [found] if match.mover == 0 else []
            match.play(found.step)
        assert any(one.depth == 1 and one.nodes > 0 and one.principal_variation for one in told)
        match.undo()
        if match.mover == 0:
            match.play(made.choose(situation(match)).step)
        assert len(match.steps) > 5
