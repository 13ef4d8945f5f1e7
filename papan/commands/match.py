"""``match``: plays computer players against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papan.commands import fields
from papan.commands.common import WholeNumber, command, option, print_json
from papan.commands.errors import Failure, Refusal, failing, refusal, refusing
from papan.game.base.sentences import figures, joined, say, say_number, together
from papan.game.game import Game, OptionError
from papan.game.kernel.clock import ClockError, clock_seconds, timed_by
from papan.game.match import Match, Turn
from papan.game.rules import Ending, PositionError
from papan.lab.files import OutputError, check_output, write_whole
from papan.lab.printing import Scoresheet, show, show_said, working

if TYPE_CHECKING:
    from papan.ai.players import Player
    from papan.lab.arena import Forfeit, NoMoveChoice, Tally


@dataclass(frozen=True)
class MatchRequest(fields.AnswerRequest):
    game: Game = fields.THE_GAME
    players: tuple[str, ...] = fields.PLAYERS
    seed: int | None = option("Seed for everything random; default: drawn at random.", fields.SEED)
    openings: int | None = option(
        "Instead, compare two players in this many random openings, each played twice with sides exchanged.",
        WholeNumber(say("The number of openings"), 1, 100_000),
    )
    turns: int = option(
        "Random turns in each opening; default: 4.",
        WholeNumber(say("The number of turns"), 0, 1000),
        default=4,
        show_default=False,
    )
    threads: int = fields.THREADS
    clock: str | None = fields.CLOCK
    no_move: NoMoveChoice = fields.NO_MOVE
    record: Path | None = option("Write the match record to this file.", fields.PATH, metavar="FILE")
    position: str | None = fields.POSITION


@command(MatchRequest)
def match(asked: MatchRequest) -> None:
    """Play a match between computer players and print it.

    Plays a whole GAME, turn by turn; players are random, level:3, minimax:depth=4, engine:NAME … With --openings, plays
    many matches between two players and prints their score.
    """
    if not asked.openings:
        _play(asked)
        return
    if asked.position is not None:
        raise refusal("--openings cannot be combined with --position: openings are random.")
    if asked.record is not None:
        raise refusal("--record writes one match; for many, use 'tournament --records'.")
    _compare(asked, asked.openings)


def _play(asked: MatchRequest) -> None:
    from papan.ai.players import PlayerError
    from papan.game.match.record import write, write_result
    from papan.lab.arena import clock_for, make_players

    with refusing(OptionError, PositionError, PlayerError, ClockError, OutputError):
        played = Match.new(asked.game, asked.players, asked.options, asked.seed, asked.position)
        thinkers = make_players(asked.game, played.seats)
        by = clock_for(asked.clock, asked.game, played.seats)
        if asked.record is not None:
            check_output(asked.record)
    if not asked.as_json:
        show_said(
            "{game}, seed {seed}, {options}",
            game=asked.game.title,
            seed=played.seed,
            options=" ".join(f"{name}={value}" for name, value in played.options.items()),
        )
        show()
    sheet = None if asked.as_json else Scoresheet(played.seats)
    with timed_by(by):
        forfeit, seconds = _played_out(played, thinkers, sheet.add if sheet else None, asked.no_move)
    if sheet:
        sheet.end_line()
    if asked.record is not None:
        with failing(OutputError):
            write_whole(asked.record, write(played))
    ending = played.ending
    assert ending is not None
    reason = forfeit.ending.reason if forfeit else ending.reason
    if not asked.as_json:
        said = say("{outcome}: {reason}", outcome=_outcome(played.seats, ending), reason=reason)
        show()
        show(joined([write_result(ending), said], "  "))
        return
    print_json(
        {
            "game": asked.game.name,
            "options": played.options,
            "seed": played.seed,
            "seats": played.seats,
            "position": asked.game.rules.text(played.states[0]),
            "turns": [{"seat": turn.seat + 1 or None, "notation": turn.notation} for turn in played.turns()],
            "result": write_result(ending),
            "payoffs": ending.payoffs,
            "winner": None if ending.winner is None else played.seats[ending.winner],
            "winning_seats": [seat + 1 for seat in ending.winners],
            "reason": reason,
            "forfeited": forfeit.seat + 1 if forfeit and not forfeit.is_draw else None,
            "no_move": forfeit.seat + 1 if forfeit and forfeit.is_draw else None,
            "clock": by,
            "seconds": round(seconds, 3),
            "record": write(played),
        }
    )


def _played_out(
    match: Match, players: Sequence[Player], on_turn: Callable[[Turn], None] | None, no_move: NoMoveChoice
) -> tuple[Forfeit | None, float]:
    """Play *match* to its end; return how one of *players* forfeited it, if one did, and the seconds it took."""
    from papan.ai.engines import NoMove
    from papan.lab.arena import Forfeit, play_match

    started = clock_seconds()
    forfeit = None
    try:
        play_match(match, players, on_turn, no_move=no_move)
    except Forfeit as error:
        forfeit = error.with_traceback(None)  # a traceback would keep the players alive
        match.conclude(error.conclusion)
    except NoMove as error:
        raise Failure(str(error)) from None
    return forfeit, clock_seconds() - started


def _outcome(players: Sequence[str], ending: Ending) -> str:
    if len(ending.payoffs) == 1:
        return say("score {points}", points=f"{ending.payoffs[0]:g}")
    winners = [say("{player} (seat {seat})", player=players[seat], seat=seat + 1) for seat in ending.winners]
    if not winners:
        return say("a draw")
    return say_number("{players} wins", "{players} win", len(winners), players=together(winners))


def _compare(asked: MatchRequest, number: int) -> None:
    from papan.ai.engines import NoMove
    from papan.ai.players import PlayerError
    from papan.lab.arena import clock_for, compare, make_players, openings, too_few_openings

    game, names, seed = asked.game, asked.players, asked.seed or 0
    if len(names) != 2:
        raise refusal("--openings compares two players, not {number}.", number=len(names))
    with refusing(OptionError, PlayerError, ClockError), failing(NoMove):
        make_players(game, names)
        by = clock_for(asked.clock, game, names)
        starts = openings(game, number, asked.options, seed, asked.turns)
        if len(starts) < number:
            raise Refusal(too_few_openings(len(starts), asked.turns))
        with timed_by(by), working(say("playing")) as progress:

            def tell(tally: Tally) -> None:
                progress(
                    say(
                        "{done} of {games}: {player} scores {score} %",
                        done=tally.games,
                        games=2 * number,
                        player=names[0],
                        score=figures(100 * tally.score, ".1f"),
                    )
                )

            tally = compare(game, names, starts, asked.threads, tell, asked.no_move)
    if asked.as_json:
        print_json(
            {
                "game": game.name,
                "options": asked.options,
                "seed": seed,
                "openings": number,
                "turns_of_an_opening": asked.turns,
                "clock": by,
                "players": list(names),
                "wins": tally.wins,
                "draws": tally.draws,
                "losses": tally.losses,
                "forfeits": tally.forfeits,
                "no_moves": tally.no_moves,
                "score": tally.score,
                "interval_95": list(tally.interval),
                "seconds_a_step": _seconds_a_step(tally),
                "turns_a_match": tally.turns / tally.games,
            }
        )
    else:
        _print_comparison(game, names, tally, by)


def _seconds_a_step(tally: Tally) -> list[float]:
    return [seconds / max(1, choices) for seconds, choices in zip(tally.seconds, tally.choices, strict=True)]


def _print_comparison(game: Game, names: Sequence[str], tally: Tally, clock: str) -> None:
    from papan.lab.arena import told_clock

    low, high = tally.interval
    spent = _seconds_a_step(tally)
    show_said(
        "{game}: {one} scores {score} % ({low} to {high}) against {other}",
        game=game.title,
        one=names[0],
        other=names[1],
        score=figures(100 * tally.score, ".1f"),
        low=figures(100 * low, ".1f"),
        high=figures(100 * high, ".1f"),
    )
    show_said(
        "{wins} wins, {draws} draws, {losses} losses in {games} matches of {turns} turns; "
        "{spent} and {others} s a step",
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        games=tally.games,
        turns=figures(tally.turns / tally.games, ".1f"),
        spent=figures(spent[0], ".3f"),
        others=figures(spent[1], ".3f"),
    )
    for name, forfeits in zip(names, tally.forfeits, strict=True):
        if forfeits:
            show_said("{player} forfeited {number} of them; the log says why", player=name, number=forfeits)
    for name, no_moves in zip(names, tally.no_moves, strict=True):
        if no_moves:
            show_said("In {number} of them {player} gave no move; these count as draws", player=name, number=no_moves)
    show(told_clock(clock, names))
