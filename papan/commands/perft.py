"""``perft``: count the ways to play on."""

from __future__ import annotations

import time
from dataclasses import dataclass

from papan.commands.common import (
    AS_JSON,
    GAME_OPTIONS,
    POSITION,
    THE_GAME,
    Refusal,
    WholeNumber,
    print_json,
    seats_of,
)
from papan.commands.description import argument, command
from papan.game.base.languages import said
from papan.game.base.sentences import figures, say
from papan.game.facts import Game, OptionError

MOST_PERFT_DEPTH = 60


@dataclass(frozen=True)
class PerftRequest:
    game: Game = THE_GAME
    depth: int = argument(WholeNumber(say("The depth"), 1, MOST_PERFT_DEPTH))
    position: str | None = POSITION
    options: dict[str, str] = GAME_OPTIONS
    as_json: bool = AS_JSON


@command(PerftRequest)
def perft(asked: PerftRequest) -> None:
    """Count the ways to play DEPTH turns.

    Perft, the standard check of the rules of GAME.
    """
    from papan.game.match import Match
    from papan.game.perft import perft as count
    from papan.game.rules import PositionError
    from papan.lab.printing import show

    try:
        # What chance deals before the first turn is dealt by a fixed seed, so that figures can be compared.
        state = Match.new(
            asked.game, [""] * seats_of(asked.game, asked.options), asked.options, seed=0, position=asked.position
        ).state
    except (OptionError, PositionError) as error:
        raise Refusal(str(error)) from None
    text = asked.game.rules.text(state)
    count(asked.game.rules, state, 1)  # compiles
    rows = []
    if not asked.as_json:
        show(say("{game}, {position}", game=asked.game.title, position=text or say("from the start")))
        show()
        show(_line(*map(said, (say("depth"), say("leaves"), say("seconds")))))
    for turns in range(1, asked.depth + 1):
        started = time.perf_counter()
        leaves = count(asked.game.rules, state, turns)
        seconds = time.perf_counter() - started
        rows.append({"depth": turns, "leaves": leaves, "seconds": round(seconds, 6)})
        if not asked.as_json:
            show(_line(f"{turns}", f"{leaves}", said(figures(seconds, ".3f"))))
    if asked.as_json:
        print_json({"game": asked.game.name, "position": text, "depth": asked.depth, "leaves": leaves, "depths": rows})


def _line(depth: str, leaves: str, seconds: str) -> str:
    return f"{depth:>9}{leaves:>24}{seconds:>10}"
