"""``games``: the games with their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from papan.commands.common import AS_JSON, print_json
from papan.commands.description import command
from papan.game.base.sentences import alternatives, joined, say
from papan.game.catalogue import GAMES
from papan.game.facts import Game


@dataclass(frozen=True)
class GamesRequest:
    as_json: bool = AS_JSON


@command(GamesRequest)
def games(asked: GamesRequest) -> None:
    """List the games with their options."""
    if asked.as_json:
        print_json({"games": [_facts(game) for game in GAMES.values()]})
        return
    from papan.lab.printing import TEXT, table

    rows = [(game.name, game.title, _seats(game), _options(game)) for game in GAMES.values()]
    columns = (
        (say("game"), TEXT),
        (say("title"), TEXT),
        (say("players"), TEXT),
        (say("options, the default first"), TEXT),
    )
    table(columns, rows)


def _seats(game: Game) -> str:
    return alternatives(str(seats) for seats in game.seats)


def _options(game: Game) -> str:
    return joined((joined([option.name, option.gist], "=") for option in game.options.values()), "  ")


def _facts(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "tagline": game.tagline,
        "seats": list(game.seats),
        "version": game.version,
        "options": [
            {
                "name": option.name,
                "title": option.title,
                "default": option.default,
                "values": dict(option.values),
                "allowed": option.allowed,
            }
            for option in game.options.values()
        ],
    }
