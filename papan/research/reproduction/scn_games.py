"""Primanita, Khalid and Iida (2021), Figures 3 and 4: conspiracy numbers of both players in games of three kinds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from statistics import fmean
from typing import Any, TypedDict

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.course import Course, Play, course_of
from papan.game.base.sentences import figures, say
from papan.game.base.typed import Amount, Whole
from papan.game.catalogue import find
from papan.lab.arena import ADDED, make_players, openings, play_match
from papan.research.reproduction.experiment import Asked, Chart, Experiment, Findings, Found, Line, Piece, Table

PLAYERS = {"xiangqi": "minimax:depth=2", "checkers": "minimax:depth=4", "gomoku": "minimax:depth=2"}
"""The player of both sides by game; the paper's games were played by ElephantEye, by Samuel, and by people."""
GAMES, TURNS = 20, 4
CHARIOT = 9.0
PAPERS_CHARIOT, PAPERS_THRESHOLD = 200.0, 600.0
"""The approximate value of a chariot in ElephantEye, and T of Figure 3."""
THRESHOLDS: Mapping[str, float | None] = {
    "xiangqi": PAPERS_THRESHOLD / PAPERS_CHARIOT * CHARIOT,
    "checkers": None,
    "gomoku": None,
}
"""T on our scale; None for the game's default."""
LATE = 1 / 3
"""The last part of a game, as a share."""


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [Piece.every("{game} {number}", game=PLAYERS, number=range(asked.count(GAMES)))]


class Game(TypedDict):
    """A game's winner, and the turn, seat and conspiracy number of each play."""

    winner: Whole | None
    plays: list[tuple[Whole, Whole, Amount | None]]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    name = piece.facts["game"]
    game = find(name)
    options = game.complete_options({})
    seed = asked.draw("game", name, piece.facts["number"])
    match = openings(game, 1, options, seed, TURNS, opening_seeds=ADDED)[0]
    play_match(match, make_players(game, [PLAYERS[name]] * 2))
    assert match.ending is not None
    course = course_of(match, Conspiracy(game, threshold=THRESHOLDS[name]))
    return {
        "winner": match.ending.winner,
        "plays": [[one.turn, one.seat, None if one.number == inf else one.number] for one in course.plays],
    }


def course_from(data: Mapping[str, Any]) -> Course:
    """The course from ``compute``'s *data*."""
    return Course(tuple(Play(turn, seat, inf if number is None else number) for turn, seat, number in data["plays"]))


def late_means(course: Course) -> list[float]:
    """Each seat's mean normalised number in the last third of the game; infinity for a seat without plays there."""
    end = course.plays[-1].turn if course.plays else 0
    means = []
    for seat in range(2):
        own = [number for turn, number in course.series(seat) if turn > end * (1 - LATE)]
        means.append(fmean(own) if own else inf)
    return means


def findings(asked: Asked, found: Found) -> Findings:
    table, charts = Table(say("Conspiracy numbers and who wins"), ",.2f"), []
    for name in PLAYERS:
        games = [found[f"{name} {number}"] for number in range(asked.count(GAMES))]
        decided = [(late_means(course_from(game)), game["winner"]) for game in games if game["winner"] is not None]
        lower = sum(means[winner] < means[1 - winner] for means, winner in decided)
        words = say("the winner's SCN is the lower one at the end, % of games with a winner")
        table.share(name, words, 100.0, lower, len(decided))
        table.mean(name, say("SCN of winners, last third"), None, [means[seat] for means, seat in decided])
        table.mean(name, say("SCN of losers, last third"), None, [means[1 - seat] for means, seat in decided])
        table.share(name, say("without a winner, %"), None, len(games) - len(decided), len(games))
        course = course_from(games[0])
        lines = [
            Line(say("seat {seat}", seat=seat + 1), [(float(turn), number) for turn, number in course.series(seat)])
            for seat in range(2)
        ]
        charts.append(Chart(name, say("turn"), say("SCN, normalised"), lines, say("the first game")))
    return Findings([table], charts)


EXPERIMENT = Experiment(
    "scn-games",
    "Primanita, Khalid and Iida (2021)",
    say("Figures 3 and 4"),
    say("ten minutes on one processor"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say(
            "The paper's games are not available; these are played by {players}, from four random turns.",
            players=", ".join(f"{player} ({name})" for name, player in PLAYERS.items()),
        ),
        say(
            "T = 600 is three chariots of ElephantEye, {threshold} here; in the other games T is the program's own.",
            threshold=figures(THRESHOLDS["xiangqi"] or 0.0, "g"),
        ),
        say("The paper says that low numbers mean winning, in words; 100 % would be always."),
    ),
    answer=Game,
)
