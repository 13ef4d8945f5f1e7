"""Do traps predict? Whether turning points and conspiracy numbers foretell how games end, beside the engine's chance.

Primanita, Khalid and Iida, "Computing Games: Bridging the Gap Between Search and Entertainment" (2021), argues from 20
games that low conspiracy numbers go with winning, and traps with losing. Here each predictor is a logistic regression,
fitted to every second game and asked about the others: what it says of how a game will end, at eight moments of it,
knowing nothing that comes later.
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
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Row, Table

GAMES = ("connect-four", "othello", "checkers", "gomoku", "xiangqi", "santorini", "cifra")
"""Games of two who see everything."""
PLAYER = "level:4"
"""Both sides: sees what is near, and errs."""
ROUNDS, TURNS = 1000, 4
SEATS = 2
MOMENTS = 8
"""Of each game, at the same distance from each other."""
RECENT = 6
"""Turns for which a turning point is new."""
LEAST_CHANCE = 0.001
READINGS: Mapping[str, Sequence[str]] = {"nodes": ("2000",), "game": ("all", *GAMES)}


class Sight(NamedTuple):
    """What is known of a game at one of its moments; what there is of each seat stands seat by seat."""

    chance: float
    """The engine's, of the first seat."""
    numbers: tuple[float, ...]
    """The conspiracy number of each seat's last play, as the logarithm of one more, at most that of the largest."""
    out_of_reach: tuple[float, ...]
    """1 where that number is infinite."""
    trapped: tuple[float, ...]
    """1 where the last play lay in the zone of the trap, 2 where it was so often enough for a stability trap."""
    open: tuple[float, ...]
    """1 where the last play was favourable or thrilling."""
    turned: tuple[float, ...]
    """How many of the seat's turns were turning points; those of late count twice."""

    def entries(self, kinds: Sequence[str]) -> list[float]:
        """What a predictor by these *kinds* is told, a constant first."""
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


def games(asked: Asked) -> Sequence[str]:
    """Those that are asked for."""
    chosen = asked.readings["game"]
    return GAMES if chosen == "all" else (chosen,)


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    """A piece for each game that is played."""
    numbers = range(asked.count(ROUNDS))
    return [
        [Piece(f"{name} {number}", {"game": name, "number": number}) for number in numbers for name in games(asked)]
    ]


class Game(TypedDict):
    """What the first seat had of a game, and what was to be seen at its moments."""

    result: Annotated[float, Meta(ge=0, le=1)]
    sights: list[Sight]


def compute(piece: Piece, asked: Asked, found: Found) -> dict[str, Any]:
    """What the first seat had of a game, from 0 to 1, and what was to be seen at its moments."""
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
    """What is to be seen at ``MOMENTS`` moments of a game after its *opening* turns and before its end."""
    last = len(review.moments) - 1  # which shows how it ended
    if last <= opening:
        return
    for part in range(MOMENTS):
        yield sight(review, opening + int((last - opening) * (part + 0.5) / MOMENTS))


def sight(review: Review, index: int) -> Sight:
    """What is to be seen at the moment *index*, by nothing that comes later."""
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
        tuple(float(_zone(course, place) in (Zone.FAVOURABLE, Zone.THRILLING)) for place in places),
        tuple(turned),
    )


def _zone(course: Course, place: int | None) -> Zone | None:
    return None if place is None else course.zones[place]


def _trapped(course: Course, seat: int) -> float:
    """1 where the seat's last play is in the zone of the trap, 2 where the last of them make a stability trap."""
    own = [zone for one, zone in zip(course.plays, course.zones, strict=True) if one.seat == seat]
    in_row = 0
    while in_row < len(own) and own[-1 - in_row] is Zone.TRAP:
        in_row += 1
    return 2.0 if in_row >= LEAST_TRAPPED else float(in_row > 0)


# ---------------------------------------------------------------------------------------------- figures


def findings(asked: Asked, found: Found) -> Findings:
    """The log-loss of each predictor, and what it gains on the engine's chance."""
    losses, gains = list[Row](), list[Row]()
    for name in games(asked):
        known = [_known(found[f"{name} {number}"]) for number in range(asked.count(ROUNDS))]
        told = {kinds: loss_of(kinds, known) for kinds in PREDICTORS}
        for kinds, words in PREDICTORS.items():
            losses.append(_mean(name, words, told[kinds]))
            if len(kinds) > 1:
                gains.append(_mean(name, words, told[(CHANCE,)] - told[kinds]))
    return Findings([
        Table(say("Log-loss of the predictions, in nats: less is better"), losses, ",.4f"),
        Table(say("Gain over the engine's chance alone, in nats"), gains, ",.4f"),
    ])  # fmt: skip


Known = tuple[float, Sequence[Sight]]
"""How a game went for the first seat, and what was to be seen of it."""


def _known(data: Mapping[str, Any]) -> Known:
    seen = (Sight(one[0], *(tuple(seats) for seats in one[1:])) for one in data["sights"])
    return float(data["result"]), list(seen)


def loss_of(kinds: Sequence[str], known: Sequence[Known]) -> NDArray[np.float64]:
    """The mean log-loss of every second game that was not fitted to, by a predictor of these *kinds*.

    A draw is half a win: the loss is the cross-entropy with it.
    """
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


def _mean(name: str, words: Sentence, values: NDArray[np.float64]) -> Row:
    number = len(values)
    if number < 2:
        return Row(name, words, None, float(values[0]) if number else None, None, number)
    mean = float(values.mean())
    return Row(name, words, None, mean, mean_interval(mean, float(values.var(ddof=1)), number), number)


def notes(asked: Asked) -> Sequence[str]:
    """The readings of what the paper leaves open."""
    return (
        say("Both sides of each game are {player}, from four random turns.", player=PLAYER),
        say("The engine's chance is that of a search of {nodes} positions.", nodes=asked.readings["nodes"]),
        say("Predictors are fitted to every second game and tested on the others; intervals are over games."),
    )


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
    notes=notes,
    answer=Game,
)
