"""``perft``: count the ways to play on."""

from __future__ import annotations

import time

import click

from papan.commands.common import (
    Refusal,
    WholeNumber,
    game_argument,
    json_option,
    print_json,
    rules_options,
    seats_of,
)
from papan.game.base.languages import said
from papan.game.base.sentences import figures, say
from papan.game.facts import Game, OptionError

MOST_PERFT_DEPTH = 60


@click.command()
@game_argument
@click.argument("depth", type=WholeNumber(say("The depth"), 1, MOST_PERFT_DEPTH))
@rules_options
@json_option
def perft(game: Game, depth: int, position: str | None, options: dict[str, str], as_json: bool) -> None:
    """Count the ways to play DEPTH turns.

    Perft, the standard check of the rules of GAME.
    """
    from papan.game.match import Match
    from papan.game.perft import perft as count
    from papan.game.rules import PositionError
    from papan.lab.printing import show

    try:
        # What chance deals before the first turn is dealt by a fixed seed, so that figures can be compared.
        state = Match.new(game, [""] * seats_of(game, options), options, seed=0, position=position).state
    except (OptionError, PositionError) as error:
        raise Refusal(str(error)) from None
    text = game.rules.text(state)
    count(game.rules, state, 1)  # compiles
    rows = []
    if not as_json:
        show(say("{game}, {position}", game=game.title, position=text or say("from the start")))
        show()
        show(_line(*map(said, (say("depth"), say("leaves"), say("seconds")))))
    for turns in range(1, depth + 1):
        started = time.perf_counter()
        leaves = count(game.rules, state, turns)
        seconds = time.perf_counter() - started
        rows.append({"depth": turns, "leaves": leaves, "seconds": round(seconds, 6)})
        if not as_json:
            show(_line(f"{turns}", f"{leaves}", said(figures(seconds, ".3f"))))
    if as_json:
        print_json({"game": game.name, "position": text, "depth": depth, "leaves": leaves, "depths": rows})


def _line(depth: str, leaves: str, seconds: str) -> str:
    return f"{depth:>9}{leaves:>24}{seconds:>10}"
