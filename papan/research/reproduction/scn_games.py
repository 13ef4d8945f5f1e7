"""Primanita, Khalid and Iida (2021), Figures 3 and 4: conspiracy numbers of both players.

Figure 3 has one position of xiangqi, where Red wins, at several depths; Figure 4 games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from statistics import fmean, median
from typing import Any, TypedDict

from papan.ai.indicators.conspiracy import MOST_TURNS, Conspiracy, Depths
from papan.ai.indicators.course import Course, Play, course_of
from papan.ai.indicators.motion import cap
from papan.ai.reviews.reviewer import searcher_for
from papan.game.base.sentences import figures, say
from papan.game.base.typed import Amount, Whole
from papan.game.catalogue import find
from papan.game.puzzles import Puzzle, shipped
from papan.lab.arena import ADDED, make_players, openings, play_match
from papan.research.reproduction.experiment import Asked, Chart, Experiment, Findings, Found, Line, Piece, Table

PLAYERS = {"xiangqi": "minimax:depth=2", "checkers": "minimax:depth=4", "gomoku": "minimax:classical,depth=2"}
"""The player of both sides by game; the paper's games were played by ElephantEye, by Samuel, and by people."""
GAMES, TURNS = 20, 4
CHARIOT = 9.0
PAPERS_CHARIOT, PAPERS_THRESHOLD = 200.0, 600.0
"""The approximate value of a chariot in ElephantEye, and T of Figure 3."""
THRESHOLD = PAPERS_THRESHOLD / PAPERS_CHARIOT * CHARIOT
THRESHOLDS: Mapping[str, float | None] = {
    "xiangqi": THRESHOLD,
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
    say("Figure 4"),
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
            threshold=figures(THRESHOLD, "g"),
        ),
        say("The paper says that low numbers mean winning, in words; 100 % would be always."),
    ),
    answer=Game,
)


# -------------------------------------------------------------------------------- Figure 3

POSITIONS, FEWEST_PLIES = 20, 5
"""Positions, and the plies at least to the win: fewer are seen by the first depths."""
COLOURS = (say("Red"), say("Black"))
"""The players by seat."""


def positions(asked: Asked) -> Sequence[Puzzle]:
    """Those where Red is to move and wins, the hardest first."""
    fit = [one for one in reversed(shipped("xiangqi")) if one.seat == 0 and one.plies >= FEWEST_PLIES]
    return fit[: asked.count(POSITIONS)]


class AtDepths(TypedDict):
    """By depth, from 1 on: both players' minimax values in T, and conspiracy numbers."""

    values: list[tuple[float, float]]
    numbers: list[tuple[Amount | None, Amount | None]]


def look(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    game = find("xiangqi")
    state = game.rules.parse(piece.facts["position"], game.complete_options({}))
    depths = Depths(game, searcher_for(game, 2, state), state, THRESHOLD)
    looked = depths.run(min(asked.number("turns"), MOST_TURNS))
    return {
        "values": [[value / THRESHOLD for value in one.values] for one in looked],
        "numbers": [[None if number == inf else number for number in one.numbers] for one in looked],
    }


def depth_findings(asked: Asked, found: Found) -> Findings:
    looked = [found[puzzle.name] for puzzle in positions(asked)]
    numbers = [[[inf if one is None else one for one in pair] for pair in own["numbers"]] for own in looked]
    values = [own["values"] for own in looked]
    table, charts = Table(say("By depth"), ",.2f"), []
    for depth in range(len(numbers[0])):
        case = say("depth {depth}", depth=depth + 1)
        lower = sum(own[depth][0] < own[depth][1] for own in numbers)
        table.share(case, say("Red's SCN is the lower one, % of positions"), 100.0, lower, len(looked))
        reached = sum(own[depth][0] >= 1.0 for own in values)
        table.share(case, say("Red's minimax value is at least T, % of positions"), None, reached, len(looked))
        for seat, published in enumerate((say("very low"), say("grows with the depth"))):
            middle = median(own[depth][seat] for own in numbers)
            measure = say("median SCN of {player}", player=COLOURS[seat])
            table.add(case, measure, published, say("inf") if middle == inf else middle, None, len(looked))
    most = cap([one for pair in numbers[0] for one in pair])
    for seat, player in enumerate(COLOURS):
        each = enumerate(zip(values[0], numbers[0], strict=True), start=1)
        shown = [(float(depth), max(-1.0, min(value[seat], 1.0)), number[seat]) for depth, (value, number) in each]
        lines = [
            Line(say("minimax value, of T"), [(depth, value) for depth, value, _number in shown]),
            Line("SCN", [(depth, min(number, most) / max(most, 1.0)) for depth, _value, number in shown]),
        ]
        note = say("the first position; an SCN of 1 stands for {most}", most=figures(most, "g"))
        charts.append(Chart(player, say("depth, in turns"), "", lines, note))
    return Findings([table], charts)


DEPTHS = Experiment(
    "scn-depths",
    "Primanita, Khalid and Iida (2021)",
    say("Figure 3"),
    say("a minute on one processor"),
    lambda asked: [[Piece(one.name, {"position": one.position}) for one in positions(asked)]],
    look,
    depth_findings,
    readings={"turns": ("5",)},
    notes=lambda asked: (
        say("The paper's position is not available; these are puzzles in which Red is to move, and wins by force."),
        say("T = 600 is three chariots of ElephantEye, {threshold} here.", threshold=figures(THRESHOLD, "g")),
    ),
    answer=AtDepths,
)
