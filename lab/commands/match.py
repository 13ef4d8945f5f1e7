"""``match``: computer players against each other."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import click

from game.catalogue import Game, OptionError
from lab.commands.common import Refusal, WholeNumber, game_argument, json_option, print_json, rules_options


@click.command()
@game_argument
@click.argument("players", nargs=-1, required=True, metavar="PLAYER PLAYER")
@click.option("--seed", type=WholeNumber("The seed"), help="Settles all that is random; drawn if left away.")
@rules_options
@json_option
def match(
    game: Game, players: Sequence[str], seed: int | None, position: str | None, options: dict[str, str], as_json: bool
) -> None:
    """Play and print a match of computer players.

    A whole GAME, turn by turn; the players are random, minimax:easy, minimax:depth=4 …
    """
    from ai.players import PlayerError
    from game.match import Match
    from game.record import write, write_result
    from game.rules import PositionError
    from lab.arena import make_players, play_match
    from lab.report import Scoresheet

    try:
        played = Match.new(game, players, options, seed, position)
        thinkers = make_players(game, played.seats)
    except (OptionError, PositionError, PlayerError) as error:
        raise Refusal(str(error)) from None
    started = time.perf_counter()
    if as_json:
        play_match(played, thinkers)
    else:
        click.echo(f"{game.title}, seed {played.seed}, {_written(played.options)}\n")
        sheet = Scoresheet(played.seats)
        play_match(played, thinkers, sheet.add)
        sheet.end_line()
    ending = played.ending
    assert ending is not None
    winners = [f"{played.seats[seat]} (seat {seat + 1})" for seat in ending.winners]
    if not as_json:
        outcome = f"{' and '.join(winners)} wins" if winners else "a draw"
        if len(ending.payoffs) == 1:
            outcome = f"score {ending.payoffs[0]:g}"
        click.echo(f"\n{write_result(ending)}  {outcome}: {ending.reason}")
        return
    print_json(
        {
            "game": game.name,
            "options": played.options,
            "seed": played.seed,
            "seats": played.seats,
            "position": game.rules.text(played.states[0]),
            "turns": [{"seat": turn.seat + 1 or None, "notation": turn.notation} for turn in played.turns()],
            "result": write_result(ending),
            "payoffs": ending.payoffs,
            "winner": None if ending.winner is None else played.seats[ending.winner],
            "winning_seats": [seat + 1 for seat in ending.winners],
            "reason": ending.reason,
            "seconds": round(time.perf_counter() - started, 3),
            "record": write(played),
        }
    )


def _written(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())
