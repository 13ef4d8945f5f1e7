"""Whether traps, turning points and conspiracy numbers predict results, compared with the engine's winning chance.

Primanita, Khalid and Iida, "Computing Games: Bridging the Gap Between Search and Entertainment" (2021), argues from 20
games that low conspiracy numbers go with winning, and traps with losing. Here each predictor is a logistic regression,
fitted to every second game and tested on the others. It predicts the result at eight moments of a game, from the turns
played before that moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import inf, log, log1p
from typing import Annotated, Any, NamedTuple, TypedDict

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from papan.ai.indicators.course import LEAST_TRAPPED, Course, Zone
from papan.ai.limits import Limit
from papan.ai.reviews.reviewer import Review, Reviewer
from papan.game.base.sentences import Sentence, say
from papan.game.catalogue import find
from papan.lab.arena import ADDED, make_players, openings, play_match
from papan.lab.statistics import mean_interval, regress
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table

GAMES = ("connect-four", "othello", "checkers", "gomoku", "xiangqi", "santorini", "cifra")
"""Two-player games of perfect information."""
PLAYER = "level:4"
"""Plays both sides; sees short tactics, and makes errors."""
ROUNDS, TURNS = 1000, 4
SEATS = 2
MOMENTS = 8
"""Moments examined in each game, at equal distances."""
RECENT = 6
"""The number of turns that a turning point counts as recent."""
LEAST_CHANCE = 0.001
READINGS: Mapping[str, Sequence[str]] = {"nodes": ("2000",), "game": ("all", *GAMES)}


class Sight(NamedTuple):
    """The predictors at one moment of a game; tuples have one entry for each seat."""

    chance: float
    """The engine's winning chance of the first seat."""
    numbers: tuple[float, ...]
    """log(1 + n) of the conspiracy number n of the last play, capped."""
    out_of_reach: tuple[float, ...]
    """1 if that number is infinite."""
    trapped: tuple[float, ...]
    """1 if the last play was in the trap zone, 2 in a stability trap."""
    open: tuple[float, ...]
    """1 if the last play was favourable or thrilling."""
    turned: tuple[float, ...]
    """The number of turning points among the seat's turns, with recent ones counted twice."""

    def entries(self, kinds: Sequence[str]) -> list[float]:
        """The inputs of a predictor of these *kinds*, a constant first."""
        known = {
            CHANCE: [log(self.chance / (1.0 - self.chance))],
            NUMBERS: [*self.numbers, *self.out_of_reach],
            TRAPS: [*self.trapped, *self.open],
            TURNING_POINTS: [*self.turned],
        }
        return [1.0, *(entry for kind in kinds for entry in known[kind])]


CHANCE, NUMBERS, TRAPS, TURNING_POINTS = "chance", "numbers", "traps", "turning points"
PREDICTORS: Mapping[tuple[str, ...], Sentence] = {
    (): say("how often the first seat wins"),
    (NUMBERS,): say("conspiracy numbers"),
    (TRAPS,): say("traps and zones"),
    (TURNING_POINTS,): say("turning points"),
    (CHANCE,): say("the engine's chance"),
    (CHANCE, NUMBERS): say("the engine's chance and conspiracy numbers"),
    (CHANCE, TRAPS): say("the engine's chance, traps and zones"),
    (CHANCE, TURNING_POINTS): say("the engine's chance and turning points"),
}


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [Piece.every("{game} {number}", number=range(asked.count(ROUNDS)), game=asked.chosen("game", GAMES))]


class Game(TypedDict):
    """A game's result for the first seat, and the predictors at its moments."""

    result: Annotated[float, Meta(ge=0, le=1)]
    sights: list[Sight]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    name = piece.facts["game"]
    game = find(name)
    seed = asked.draw("game", name, piece.facts["number"])
    match = openings(game, 1, game.complete_options({}), seed, TURNS, opening_seeds=ADDED)[0]
    play_match(match, make_players(game, [PLAYER] * SEATS))
    assert match.ending is not None
    review = Reviewer(match, Limit(nodes=asked.number("nodes"))).run()
    return {
        "result": (match.ending.payoffs[0] + 1.0) / 2.0,
        "sights": [list(sight) for sight in sights(review, TURNS)],
    }


def sights(review: Review, opening: int) -> Iterator[Sight]:
    """The predictors at ``MOMENTS`` moments of a game, after its *opening* turns and before its end."""
    last = len(review.moments) - 1  # the final position
    if last <= opening:
        return
    for part in range(MOMENTS):
        yield sight(review, opening + int((last - opening) * (part + 0.5) / MOMENTS))


def sight(review: Review, index: int) -> Sight:
    """The predictors at the moment *index*, without later information."""
    course = Course(tuple(one for one in review.course.plays if one.turn <= index))
    places = [course.last(seat, index) for seat in range(SEATS)]
    numbers = [0.0 if place is None else course.plays[place].number for place in places]
    turned = [0.0] * SEATS
    for point in review.turning_points:
        seat = review.moments[point].seat
        if point <= index and seat is not None:
            turned[seat] += 2.0 if index - point < RECENT else 1.0
    chance = review.moments[index].chances[0]
    return Sight(
        min(max(chance, LEAST_CHANCE), 1.0 - LEAST_CHANCE),
        tuple(round(log1p(min(number, course.cap)), 4) for number in numbers),
        tuple(float(number == inf) for number in numbers),
        tuple(_trapped(course, seat) for seat in range(SEATS)),
        tuple(
            float(place is not None and course.zones[place] in (Zone.FAVOURABLE, Zone.THRILLING)) for place in places
        ),
        tuple(turned),
    )


def _trapped(course: Course, seat: int) -> float:
    """1 if the seat's last play is in the trap zone, 2 if its last plays form a stability trap."""
    own = [zone for one, zone in zip(course.plays, course.zones, strict=True) if one.seat == seat]
    in_row = 0
    while in_row < len(own) and own[-1 - in_row] is Zone.TRAP:
        in_row += 1
    return 2.0 if in_row >= LEAST_TRAPPED else float(in_row > 0)


# ---------------------------------------------------------------------------------------------- figures


def findings(asked: Asked, found: Found) -> Findings:
    losses = Table(say("Log-loss of the predictions, in nats: less is better"), ",.4f")
    gains = Table(say("Gain over the engine's chance alone, in nats"), ",.4f")
    for name in asked.chosen("game", GAMES):
        known = [_known(found[f"{name} {number}"]) for number in range(asked.count(ROUNDS))]
        told = {kinds: loss_of(kinds, known) for kinds in PREDICTORS}
        for kinds, words in PREDICTORS.items():
            _add_mean(losses, name, words, told[kinds])
            if len(kinds) > 1:
                _add_mean(gains, name, words, told[(CHANCE,)] - told[kinds])
    return Findings([losses, gains])


Known = tuple[float, Sequence[Sight]]
"""A game's result for the first seat, and its predictors."""


def _known(data: Mapping[str, Any]) -> Known:
    seen = (Sight(one[0], *(tuple(seats) for seats in one[1:])) for one in data["sights"])
    return float(data["result"]), list(seen)


def loss_of(kinds: Sequence[str], known: Sequence[Known]) -> NDArray[np.float64]:
    """The mean log-loss of each test game by a predictor of these *kinds*; a draw counts as half a win."""
    fitted, tried = known[::2], known[1::2]
    rows = [(sight.entries(kinds), result) for result, seen in fitted for sight in seen]
    if not rows:
        return np.zeros(0)
    weights = regress(np.array([row for row, _ in rows]), np.array([result for _, result in rows]), 1.0)
    losses = []
    for result, seen in tried:
        if seen:
            worth = np.array([sight.entries(kinds) for sight in seen]) @ weights
            losses.append(float(np.mean(np.logaddexp(0.0, worth) - result * worth)))
    return np.array(losses)


def _add_mean(table: Table, name: str, words: Sentence, values: NDArray[np.float64]) -> None:
    number = len(values)
    if number < 2:
        table.add(name, words, None, float(values[0]) if number else None, None, number)
    else:
        mean = float(values.mean())
        table.add(name, words, None, mean, mean_interval(mean, float(values.var(ddof=1)), number), number)


EXPERIMENT = Experiment(
    "traps",
    "Primanita, Khalid and Iida (2021)",
    say("Do traps and turning points predict the result?"),
    say("some hours on one processor"),
    stages,
    compute,
    findings,
    READINGS,
    selecting=("game",),
    notes=lambda asked: (
        say("Both sides of each game are {player}, from four random turns.", player=PLAYER),
        say("The engine's chance is that of a search of {nodes} positions.", nodes=asked.readings["nodes"]),
        say("Predictors are fitted to every second game and tested on the others; intervals are over games."),
    ),
    answer=Game,
)
