"""``levels``: measures how far apart the levels of a game are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.ai.players.levels import PLAYER_LEVELS
from papan.commands.common import (
    THE_GAME,
    MeetingsRequest,
    Number,
    WholeNumber,
    print_json,
)
from papan.commands.description import command, option
from papan.commands.tournament import Prepared, play_rest, prepare, print_heading
from papan.game.base.sentences import Sentence, figures, joined, say
from papan.game.game import Game
from papan.lab.printing import NUMBER, TEXT, show, show_said, table

if TYPE_CHECKING:
    from papan.lab.tournament.ladder import Rung, Scores
    from papan.lab.tournament.plan import Plan

_MOST_GAMES = 10**5


@dataclass(frozen=True)
class LevelsRequest(MeetingsRequest):
    game: Game = THE_GAME
    games: int = option(
        "Games of each level against the next.", WholeNumber(say("The number of games"), 1, _MOST_GAMES), default=100
    )
    seconds: float = option(
        "Seconds per step for the top level (1 in normal play).",
        Number(say("The time"), 0.001, 3600.0),
        default=0.1,
        metavar="S",
        name="--time",
    )
    lowest: int = option(
        "The lowest level to compare; 0 for random steps.",
        WholeNumber(say("The lowest level"), 0, len(PLAYER_LEVELS) - 1),
        default=0,
        name="--from",
    )
    highest: int = option(
        "The highest level to compare.",
        WholeNumber(say("The highest level"), 1, len(PLAYER_LEVELS)),
        default=str(len(PLAYER_LEVELS)),
        name="--to",
    )


@command(LevelsRequest)
def levels(asked: LevelsRequest) -> None:
    """Measure how far apart the levels of GAME are.

    Each level plays --games times against the next one, and the lowest against random steps; each random opening is
    played twice, so that both have either side. Shows the upper level's share of the points with its 95 % interval, and
    which pairs miss the target: 65 to 85 %, and 50 to 80 % for the lowest level against random steps. With --from and
    --to only some levels play, with the same games as among all.
    """
    from papan.lab.arena import clock_for
    from papan.lab.tournament.ladder import facts, make_ladder, players_of

    def make() -> Plan:
        by = clock_for(asked.clock, asked.game, players_of(asked.seconds, asked.lowest, asked.highest))
        return make_ladder(
            asked.game,
            asked.options,
            asked.games,
            asked.turns,
            asked.seed,
            asked.seconds,
            by,
            asked.lowest,
            asked.highest,
        )

    prepared = prepare(make, asked.results)
    play_rest(asked.game, prepared, asked.threads)
    if asked.as_json:
        print_json(facts(prepared.plan, prepared.found))
    else:
        _print(asked.game, prepared)


def _print(game: Game, prepared: Prepared) -> None:
    from papan.lab.arena import told_clock
    from papan.lab.tournament.ladder import rungs, scores

    plan, found = prepared.plan, prepared.found
    print_heading(game, prepared, plan.openings)
    steps = rungs(plan, found)
    _print_table(steps)
    for player, had in zip(plan.players, scores(plan, found), strict=True):
        if had is not None:
            show(_told(player, had))
    outside = [step for step in steps if step.verdict]
    asked = joined([_asked(step) for step in outside], ", ")
    show()
    show(say("Outside the target: {pairs}.", pairs=asked) if outside else say("All pairs are within the target."))
    if "," in plan.players[-1]:
        show_said("The top level's thinking time is part of its name: {player}.", player=plan.players[-1])
    show(told_clock(plan.clock, plan.players))


def _print_table(steps: Sequence[Rung]) -> None:
    columns = [(say("level"), TEXT), (say("against"), TEXT), (say("share"), NUMBER), ("95 %", NUMBER)]
    columns += [(heading, NUMBER) for heading in (say("won"), say("drawn"), say("lost"))] + [("", TEXT)]
    rows = []
    for step in steps:
        low, high = step.tally.interval
        counts = (step.tally.wins, step.tally.draws, step.tally.losses)
        share = figures(100 * step.tally.score, ".1f")
        within = say("{low} to {high}", low=figures(100 * low, ".1f"), high=figures(100 * high, ".1f"))
        shares = [joined([share, "%"]), within]
        rows.append([step.upper, step.lower, *shares, *map(str, counts), step.verdict])
    table(columns, rows)


def _told(player: str, had: Scores) -> Sentence:
    """The points of *player* in a one-player game, in words."""
    mean = figures(had.mean, ",.0f")
    if had.interval is None:
        return say("{player}: {points} points on average.", player=player, points=mean)
    low, high, lower, upper = (figures(value, ",.0f") for value in (*had.interval, *had.quartiles[1:4:2]))
    return say(
        "{player}: {points} points on average ({low} to {high}), half of the games between {lower} and {upper}.",
        player=player,
        points=mean,
        low=low,
        high=high,
        lower=lower,
        upper=upper,
    )


def _asked(step: Rung) -> Sentence:
    least, most = figures(100 * step.least, "g"), figures(100 * step.most, "g")
    return say("{least} to {most} % for {player}", least=least, most=most, player=step.upper)
