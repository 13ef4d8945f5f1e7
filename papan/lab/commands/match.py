"""``match``: computer players against each other."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from papan.game.facts import Game, OptionError
from papan.lab.commands.common import (
    Failure,
    Refusal,
    WholeNumber,
    game_argument,
    json_option,
    print_json,
    rules_options,
)


@click.command()
@game_argument
@click.argument("players", nargs=-1, required=True, metavar="PLAYER PLAYER")
@click.option("--seed", type=WholeNumber("The seed"), help="Settles all that is random; default: drawn.")
@click.option(
    "--openings",
    type=WholeNumber("The number of openings", 1, 100_000),
    help="Compare two players instead: so many random openings, each played twice with sides exchanged.",
)
@click.option(
    "--turns", type=WholeNumber("The number of turns", 0, 1000), default=4, help="Turns of an opening; default: 4."
)
@click.option("--threads", type=WholeNumber("The number of threads", 1, 256), default=1, help="Matches at a time.")
@click.option("--record", metavar="FILE", help="Write the match's record into this file.")
@rules_options
@json_option
def match(
    game: Game,
    players: Sequence[str],
    seed: int | None,
    openings: int | None,
    turns: int,
    threads: int,
    record: str | None,
    position: str | None,
    options: dict[str, str],
    as_json: bool,
) -> None:
    """Play and print a match of computer players.

    A whole GAME, turn by turn; the players are random, level:3, minimax:depth=4, engine:NAME … With --openings
    many matches between two players, and their score.
    """
    if openings:
        if position is not None:
            raise Refusal("--openings are random: they can't begin with a --position.")
        if record is not None:
            raise Refusal("A --record is of one match: 'tournament --records' writes those of many.")
        _compare(game, players, openings, turns, threads, seed or 0, options, as_json)
    else:
        _play(game, players, seed, record, position, options, as_json)


def _play(
    game: Game,
    players: Sequence[str],
    seed: int | None,
    record: str | None,
    position: str | None,
    options: dict[str, str],
    as_json: bool,
) -> None:
    from papan.ai.players import PlayerError
    from papan.game.match import Match
    from papan.game.match.record import write, write_result
    from papan.game.rules import PositionError
    from papan.lab.arena import Forfeit, make_players, play_match
    from papan.lab.files import OutputError, check_output, write_whole
    from papan.lab.printing import Scoresheet

    try:
        played = Match.new(game, players, options, seed, position)
        thinkers = make_players(game, played.seats)
        if record is not None:
            check_output(Path(record))
    except (OptionError, PositionError, PlayerError, OutputError) as error:
        raise Refusal(str(error)) from None
    started = time.perf_counter()
    forfeit = None
    if not as_json:
        click.echo(f"{game.title}, seed {played.seed}, {_written(played.options)}\n")
    sheet = None if as_json else Scoresheet(played.seats)
    try:
        play_match(played, thinkers, sheet.add if sheet else None)
    except Forfeit as error:
        forfeit = error
    if sheet:
        sheet.end_line()
    if record is not None:
        try:
            write_whole(Path(record), write(played))
        except OutputError as error:
            raise Failure(str(error)) from None
    ending = forfeit.ending if forfeit else played.ending
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
            "forfeited": forfeit.seat + 1 if forfeit else None,
            "seconds": round(time.perf_counter() - started, 3),
            "record": write(played),
        }
    )


def _compare(
    game: Game,
    names: Sequence[str],
    number: int,
    turns: int,
    threads: int,
    seed: int,
    options: dict[str, str],
    as_json: bool,
) -> None:
    from papan.ai.players import PlayerError
    from papan.lab.arena import Tally, compare, make_players, openings
    from papan.lab.printing import working

    if len(names) != 2:
        raise Refusal(f"--openings compare two players, not {len(names)}.")
    try:
        make_players(game, names)
        starts = openings(game, number, options, seed, turns)
        if len(starts) < number:
            raise Refusal(f"There are only {len(starts)} openings of {turns} turns to be found: ask for no more.")
        with working("playing") as say:

            def tell(tally: Tally) -> None:
                say(f"{tally.games} of {2 * number}: {names[0]} scores {100 * tally.score:.1f} %")

            tally = compare(game, names, starts, threads, tell)
    except (OptionError, PlayerError) as error:
        raise Refusal(str(error)) from None
    low, high = tally.interval
    spent = [seconds / max(1, choices) for seconds, choices in zip(tally.seconds, tally.choices, strict=True)]
    if as_json:
        print_json(
            {
                "game": game.name,
                "options": options,
                "seed": seed,
                "openings": number,
                "turns_of_an_opening": turns,
                "players": list(names),
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "forfeits": tally.forfeits,
                "score": tally.score,
                "interval_95": [low, high],
                "seconds_a_step": spent,
                "turns_a_match": tally.turns / tally.games,
            }
        )
        return
    click.echo(
        f"{game.title}: {names[0]} scores {100 * tally.score:.1f} % ({100 * low:.1f} to {100 * high:.1f}) against "
        f"{names[1]}\n{tally.wins} wins, {tally.draws} draws, {tally.losses} losses in {tally.games} matches "
        f"of {tally.turns / tally.games:.1f} turns; {spent[0]:.3f} and {spent[1]:.3f} s a step"
    )
    for name, number in zip(names, tally.forfeits, strict=True):
        if number:
            click.echo(f"{name} forfeited {number} of them; the log says why")


def _written(options: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in options.items())
