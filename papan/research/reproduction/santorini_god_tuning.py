"""Kelvin and Lukas assume that ``god`` beats ``norm``; this experiment tunes f_Apollo and f_Atlas until it does.

A coordinate search: for one weight after another, it tries some values, each in games against ``norm`` from both
seats, and keeps the best. It first tunes only the two weights of the paper, then those of ``ADDED`` as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from papan.ai.evaluation import WeightValues
from papan.ai.evaluation.santorini import FEATURES, WEIGHTS
from papan.ai.players.compiled import GREEDY, CompiledPlayer
from papan.game.base.sentences import say
from papan.game.base.typed import Whole
from papan.game.catalogue import find
from papan.lab.simulation.batches import CompiledBatches
from papan.lab.simulation.counts import WON
from papan.lab.simulation.plan import Plan, make_plan
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table
from papan.research.reproduction.santorini_heuristics import GODS, OPTIONS
from papan.research.reproduction.santorini_heuristics import PUBLISHED as TABLE_2

OPPONENT, PAPERS, SHIPPED = "norm", "god", "god-tuned"
FOUND = "found"
"""The player that this run's search finds; ``SHIPPED`` is the one found at scale 1 with seed 0."""
OWN: Mapping[str, Sequence[float]] = {
    "atlas_dome": (20.0, 4.0, 1.0, 0.0),
    "apollo_swap": (1.0, 0.25, 0.5, 0.75, 2.0),
}
"""The paper's weights, with the values to try, the initial one first."""
ADDED: Mapping[str, Sequence[float]] = {
    "atlas_denial": (0.0, 0.5, 1.0, 1.5, 2.0, 4.0),
    "apollo_climb": (0.0, 1.0, 2.0, 4.0, 8.0),
    "apollo_ground": (0.0, 0.5, 1.0, 1.5, 2.0),
}
"""Our additional weights, with the values to try; they start at 0."""
VALUES = {**OWN, **ADDED}
ORDER = (*OWN, *OWN, *ADDED, *OWN, *ADDED)
"""The weight tuned in each step of the search."""
TRIALS = 100_000
"""Games from each seat to try a value."""
GAMES = 1_000_000
"""Games from each seat of the final measurement of a player."""
FIRST, SECOND = 0, 1
PUBLISHED = TABLE_2[PAPERS, OPPONENT], 100.0 - TABLE_2[OPPONENT, PAPERS]


class Trial(NamedTuple):
    """A value to try for the weight of a step."""

    step: int
    value: float
    games: int

    @property
    def name(self) -> str:
        """The name of its piece; it contains the number of games, as the search may depend on it."""
        return f"step {self.step} {ORDER[self.step]} {self.value:g} {self.games}"


class Measured(NamedTuple):
    """A batch of games of a player against ``norm``, from one seat."""

    player: str
    seat: int
    batch: int

    def name(self, asked: Asked) -> str:
        """The name of its piece."""
        trials = f" {asked.count(TRIALS)}" if self.player == FOUND else ""
        return f"{self.player}{trials} {self.seat} {self.batch}"


def trials(asked: Asked, step: int) -> list[Trial]:
    return [Trial(step, value, asked.count(TRIALS)) for value in VALUES[ORDER[step]]]


def measurements(asked: Asked, player: str, seat: int) -> list[Measured]:
    return [Measured(player, seat, batch) for batch in range(asked.count(_plan(asked, "final", seat, GAMES).batches))]


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    search = [[Piece(one.name, {"trial": list(one)}) for one in trials(asked, step)] for step in range(len(ORDER))]
    return [_games(asked, (PAPERS, SHIPPED)), *search, _games(asked, (FOUND,))]


def _games(asked: Asked, players: Sequence[str]) -> Sequence[Piece]:
    return [
        Piece(one.name(asked), {"measured": list(one)})
        for player in players
        for seat in (FIRST, SECOND)
        for one in measurements(asked, player, seat)
    ]


@cache
def _plan_of(seed: int, gods: str, games: int) -> Plan:
    return make_plan(find("santorini"), [OPPONENT, OPPONENT], {"gods": gods, **OPTIONS}, seed, games)


def _plan(asked: Asked, what: str, seat: int, games: int) -> Plan:
    """The plan of games for *what*, with the same deals and seeds for all values; ``_won`` replaces its players."""
    return _plan_of(asked.draw(what, seat), GODS[asked.readings["stranded"]], games)


def compute(piece: Piece, asked: Asked, found: Found) -> object:
    """A trial's wins from the first and from the second seat; or the numbers of games of a batch, and of those won."""
    if "trial" in piece.facts:
        one = Trial(*piece.facts["trial"])
        weights = _vector({**tuned(found, asked, one.step), ORDER[one.step]: one.value})
        return [_won(_plan(asked, "search", seat, one.games), weights, seat) for seat in (FIRST, SECOND)]
    measured = Measured(*piece.facts["measured"])
    weights = _vector(tuned(found, asked, len(ORDER))) if measured.player == FOUND else WEIGHTS[measured.player]
    plan = _plan(asked, "final", measured.seat, GAMES)
    return [len(plan.games_of(measured.batch)), _won(plan, weights, measured.seat, [measured.batch])]


def _won(plan: Plan, weights: WeightValues, seat: int, batches: Sequence[int] | None = None) -> int:
    """The number of games of *plan* that a player with *weights* wins from *seat*.

    :param batches: the batches to play; default: all.
    """
    own, other = (CompiledPlayer(GREEDY, tuple(map(float, one))) for one in (weights, WEIGHTS[OPPONENT]))
    playing = CompiledBatches(plan, [own, other] if seat == FIRST else [other, own])
    numbers = range(plan.batches) if batches is None else batches
    return sum(playing.play(number).results[seat][seat][WON] for number in numbers)


def _vector(values: Mapping[str, float]) -> WeightValues:
    """The weights of ``god``, with the named ones replaced by *values*."""
    return FEATURES.weights(**{**dict(zip(FEATURES, WEIGHTS[PAPERS], strict=True)), **values})


def steps(found: Found, asked: Asked) -> Iterator[Trial]:
    """The best trial of each step of the search: the one with the most wins from both seats."""
    for step in range(len(ORDER)):
        yield max(trials(asked, step), key=lambda one: sum(found[one.name]))


def tuned(found: Found, asked: Asked, before: int) -> dict[str, float]:
    """The weights by name before the step *before*."""
    values = dict.fromkeys(ADDED, 0.0) | {name: tried[0] for name, tried in OWN.items()}
    for step, one in zip(range(before), steps(found, asked), strict=False):
        values[ORDER[step]] = one.value
    return values


def findings(asked: Asked, found: Found) -> Findings:
    games = Table(say("Games against norm"))
    weights = Table(say("The weights, and those that the program comes with"), ",.2f")
    search = Table(say("The best value of each step of the search"), ",.2f")
    for player in (PAPERS, SHIPPED, FOUND):
        batches = {seat: [found[one.name(asked)] for one in measurements(asked, player, seat)] for seat in (0, 1)}
        for seat, parts in batches.items():
            case = say("{player}, first", player=player) if seat == FIRST else say("{player}, second", player=player)
            _add_share(games, case, parts, PUBLISHED[seat] if player == PAPERS else None)
        _add_share(games, say("{player}, both sides", player=player), [*batches[FIRST], *batches[SECOND]])
    values = tuned(found, asked, len(ORDER))
    shipped = dict(zip(FEATURES, WEIGHTS[SHIPPED], strict=True))
    for name, value in values.items():
        weights.add(name, FOUND, None, value)
    for name in values:
        weights.add(name, SHIPPED, None, shipped[name])
    for step, one in enumerate(steps(found, asked), start=1):
        case = say("{step}: {feature} {value}", step=step, feature=ORDER[one.step], value=f"{one.value:g}")
        for where, won in zip((say("the first seat"), say("the second seat")), found[one.name], strict=True):
            search.share(case, say("won from {seat}, %", seat=where), None, won, one.games)
    return Findings([games, weights, search])


def _add_share(table: Table, case: str, parts: Sequence[Sequence[int]], published: float | None = None) -> None:
    table.share(case, say("won, %"), published, sum(part[1] for part in parts), sum(part[0] for part in parts))


EXPERIMENT = Experiment(
    "santorini-god-tuning",
    "Kelvin and Lukas (undated)",
    say("Beyond it: gods that beat norm"),
    say("two minutes on one processor"),
    stages,
    compute,
    findings,
    {"stranded": tuple(GODS)},
    notes=lambda asked: (
        say(
            "Weights are tuned one after the other; each value is tried in {games} games from either seat, all from "
            "the same deals.",
            games=asked.count(TRIALS),
        ),
        say("The games of the first table are not those of the search."),
        say("Gods are drawn at random for each player, workers placed at random, ties broken at random."),
    ),
    answer=tuple[Whole, Whole],
)
