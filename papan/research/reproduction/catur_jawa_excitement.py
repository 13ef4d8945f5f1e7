"""The excitement of Catur Jawa by seats and players: game refinement, motion in mind, changes of the lead."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, NamedTuple

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
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Row, Table, mean_row
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
    """The share of the game in which another seat than the winner led; None without a winner."""


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    """The games first, then the first game of each deal of equals."""
    wanted = [lineup for lineup in games.lineups(asked) if lineup.is_even]
    return [games.pieces(asked, wanted), list(games.later_pieces(asked, WHAT))]


def compute(piece: Piece, asked: Asked, found: Found) -> Any:
    """The games of a deal, or the measures of the first one."""
    if not piece.name.startswith(WHAT):
        return games.compute(piece, asked, found)
    lineup, deal = games.lineup_of(piece.facts["players"]), piece.facts["deal"]
    first = games.games_of(found, lineup, deal)[0]
    return felt(games.replayed(first, lineup, deal, asked))


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
    """Game refinement, motion in mind, and changes of the lead, by seats and players."""
    refined, moved, led = list[Row](), list[Row](), list[Row]()
    for lineup in games.lineups(asked):
        if lineup.is_even:
            played = [Felt(*found[f"{WHAT} {games.name_of(lineup, deal)}"]) for deal in games.deals(asked, lineup)]
            refined += _refinement(lineup, played)
            moved += rows_of(lineup.case, (None,) * 4, [motion(course_from(one).normalised) for one in played])
            led += _leads(lineup, played)
    return Findings(
        [
            Table(say("Game refinement"), refined, ",.4f"),
            Table(say("Motion in mind"), moved, ",.4f"),
            Table(say("Who leads"), led, ",.2f"),
        ]
    )


def _refinement(lineup: Lineup, played: Sequence[Felt]) -> list[Row]:
    figures = np.array([(one.branching, one.length) for one in played])

    def refinement(some: NDArray[np.float64]) -> float:
        branching, length = some.mean(axis=0)
        return Refinement(float(branching), float(length)).refinement

    interval = games.interval_of(figures, refinement, is_share=False)
    return [
        mean_row(lineup.case, say("B, turns to choose from"), None, [one.branching for one in played]),
        mean_row(lineup.case, say("D, turns of a game"), None, [float(one.length) for one in played]),
        Row(lineup.case, "GR = √B / D", None, refinement(figures), interval, len(played)),
    ]


def _leads(lineup: Lineup, played: Sequence[Felt]) -> list[Row]:
    won = [one.behind for one in played if one.behind is not None]
    return [
        mean_row(lineup.case, say("changes of the lead in a game"), None, [float(one.changes) for one in played]),
        mean_row(
            lineup.case,
            say("changes of the lead in 100 turns"),
            None,
            [100 * one.changes / one.length for one in played],
        ),
        mean_row(lineup.case, say("time that the winner was behind, %"), None, [100 * share for share in won]),
    ]


def notes(asked: Asked) -> Sequence[str]:
    """How the games were played, and how the figures are made."""
    return (
        say("Only the first game of each deal, and only of equal players."),
        say(
            "Velocities are the conspiracy numbers of each turn for its seat, two turns deep, scaled to 0 to 1 "
            "within each game; games that have lasted have a game refinement of 0.07 to 0.08."
        ),
        say(
            "A seat's standing is its mean chance over a round, by the standard evaluation with all cards open; a "
            "seat leads if all others stand worse."
        ),
    )


EXPERIMENT = Experiment(
    "catur-jawa-excitement",
    games.PAPER,
    say("Beyond it: excitement"),
    say("half an hour on one processor"),
    stages,
    compute,
    findings,
    games.READINGS,
    selecting=tuple(games.READINGS),
    notes=notes,
    source=games.SOURCE,
    answer=list[games.Kept | Figure | list[Amount | None] | None],
)
