"""The excitement of Catur Jawa by seats and players: game refinement, motion in mind, changes of the lead."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of, winning_chance
from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.course import Course, Play, course_of, turns_to_choose_from
from papan.ai.indicators.motion import Refinement, lead_changes, leaders, motion, time_behind
from papan.game.base.sentences import say
from papan.game.base.typed import Amount, Figure
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State, is_over
from papan.research.reproduction import catur_jawa_games as games
from papan.research.reproduction.catur_jawa_games import Lineup
from papan.research.reproduction.experiment import Asked, Findings, Found, Table
from papan.research.reproduction.games_2048 import rows_of

WHAT = "excitement of"


class Felt(NamedTuple):
    """Measures of a game's excitement."""

    branching: float
    """The mean number of turns to choose from."""
    length: int
    """Turns."""
    numbers: tuple[float | None, ...]
    """The conspiracy number of each turn for its seat; None for infinity."""
    changes: int
    """Changes of the lead."""
    behind: float | None
    """The share of the game while another seat than the winner led; None without a winner."""


def felt(match: Match) -> Felt:
    """The measures of a finished *match*."""
    assert match.ending is not None
    states = [state for state in match.states if not is_over(state)]
    branchings = [turns_to_choose_from(match.rules, state) for state in states]
    course = course_of(match, Conspiracy(match.game))
    leading = leaders([chances(match.game, state) for state in states])
    winner = match.ending.winner
    return Felt(
        sum(branchings) / len(branchings),
        len(states),
        tuple(None if one.number == inf else one.number for one in course.plays),
        lead_changes(leading),
        None if winner is None else time_behind(leading, winner),
    )


def chances(game: Game, state: State) -> list[float]:
    """The winning chance of each seat by the standard evaluation, with all cards open; they add up to 1."""
    evaluation = evaluation_of(game)
    weights = np.array(evaluation.WEIGHTS[STANDARD], np.float64)
    worth = [winning_chance(float(evaluate(state, seat, weights)), evaluation.SCALE) for seat in range(state.seats)]
    return [one / sum(worth) for one in worth]


def course_from(data: Felt) -> Course:
    """The course of a game from ``compute``'s *data*; all plays are given to seat 0."""
    numbers = (inf if number is None else number for number in data.numbers)
    return Course(tuple(Play(turn, 0, number) for turn, number in enumerate(numbers, start=1)))


def findings(asked: Asked, found: Found) -> Findings:
    refined, moved = Table(say("Game refinement"), ",.4f"), Table(say("Motion in mind"), ",.4f")
    led = Table(say("Who leads"), ",.2f")
    for lineup in games.lineups(asked):
        if lineup.is_even:
            played = [Felt(*found[f"{WHAT} {games.name_of(lineup, deal)}"]) for deal in games.deals(asked, lineup)]
            _add_refinement(refined, lineup, played)
            moved.rows += rows_of(lineup.case, (None,) * 4, [motion(course_from(one).normalised) for one in played])
            case, won = lineup.case, [one.behind for one in played if one.behind is not None]
            led.mean(case, say("changes of the lead in a game"), None, [float(one.changes) for one in played])
            often = [100 * one.changes / one.length for one in played]
            led.mean(case, say("changes of the lead in 100 turns"), None, often)
            led.mean(case, say("time that the winner was behind, %"), None, [100 * share for share in won])
    return Findings([refined, moved, led])


def _add_refinement(table: Table, lineup: Lineup, played: Sequence[Felt]) -> None:
    figures = np.array([(one.branching, one.length) for one in played])

    def refinement(some: NDArray[np.float64]) -> float:
        branching, length = some.mean(axis=0)
        return Refinement(float(branching), float(length)).refinement

    interval = games.interval_of(figures, refinement, is_share=False)
    table.mean(lineup.case, say("B, turns to choose from"), None, [one.branching for one in played])
    table.mean(lineup.case, say("D, turns of a game"), None, [float(one.length) for one in played])
    table.add(lineup.case, "GR = √B / D", None, refinement(figures), interval, len(played))


EXPERIMENT = games.experiment(
    "catur-jawa-excitement",
    say("Beyond it: excitement"),
    say("half an hour on one processor"),
    findings,
    notes=lambda asked: (
        say("Only the first game of each deal, and only of equal players."),
        say(
            "Velocities are the conspiracy numbers of each turn for its seat, two turns deep, scaled to 0 to 1 "
            "within each game; games that have lasted have a game refinement of 0.07 to 0.08."
        ),
        say(
            "A seat's standing is its mean chance over a round, by the standard evaluation with all cards open; a "
            "seat leads if all others stand worse."
        ),
    ),
    answer=list[games.Played | Figure | list[Amount | None] | None],
    what=WHAT,
    examine=lambda matches: felt(matches[0]),
)
