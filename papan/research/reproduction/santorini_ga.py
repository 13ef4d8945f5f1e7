"""Geissler (2020), section 8.3, future work of the thesis: weights of its heuristics by a genetic algorithm."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import product

import msgspec

from papan.ai.players import Player, make_player, make_weighing
from papan.game.base.sentences import say
from papan.game.base.typed import Whole
from papan.game.catalogue import find
from papan.game.match import Match
from papan.lab.arena import ADDED, openings, play_pair
from papan.lab.journal import Journal
from papan.lab.tuning.running import JOURNAL, MEMORY, Generation, Plan, Tuned, Tuning, tuned_weights
from papan.research.reproduction.experiment import Asked, Chart, Experiment, Findings, Found, Line, Piece, Table

FEATURES = ("heights", "centricity", "distance")
OPPONENTS = ("heights", "centricity", "distance", "look-ahead")
"""The last one is the thesis' random player that searches three turns ahead."""
DEPTH = 3
TUNED, COMBINED = "tuned", "combined"
"""The player with the weights found here, and the shipped one, whose search also tuned the features' tables."""
GENERATIONS, POPULATION, MEETINGS, CHECK = 20, 24, 8, 25
PAIRS = 100
"""Openings against each opponent, each played twice."""
TURNS = 4
OPTIONS = {"gods": "none"}


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    generations = [
        [Piece(f"generation {number}", {"generation": number})] for number in range(1, asked.count(GENERATIONS) + 1)
    ]
    matches = [
        Piece(match_name(asked, player, opponent, pair), {"player": player, "opponent": opponent, "pair": pair})
        for player in (TUNED, COMBINED)
        for opponent in OPPONENTS
        for pair in range(asked.count(PAIRS))
    ]
    return [*generations, matches]


def match_name(asked: Asked, player: str, opponent: str, pair: int) -> str:
    return f"{player} {asked.count(GENERATIONS)} {opponent} {pair}"


def tuned() -> Tuned:
    """The three weights to tune, all 1 at the start."""
    return tuned_weights(find("santorini"), ",".join(f"{feature}=1" for feature in FEATURES), FEATURES)


def compute(piece: Piece, asked: Asked, found: Found) -> object:
    """The journal entry of a generation, or the wins, draws and losses of a pair of games."""
    if "generation" in piece.facts:
        return generation(piece.facts["generation"], asked, found)
    game = find("santorini")
    name, opponent = piece.facts["player"], piece.facts["opponent"]
    if name == TUNED:
        answer = found[f"generation {asked.count(GENERATIONS)}"]["answer"]
        player: Player = make_weighing(tuned().vector(answer), game, DEPTH, MEMORY)
    else:
        player = make_player(name, game)
    opening = start(asked.draw("match", opponent, piece.facts["pair"]))
    tally = play_pair(opening, (name, opponent), [player, make_player(opponent, game)])
    return [tally.wins, tally.draws, tally.losses]


def generation(number: int, asked: Asked, found: Found) -> object:
    """The journal entry of generation *number*, computed from the earlier ones in *found*."""
    game, weights = find("santorini"), tuned()
    plan = Plan(
        game.name, game.version, tuple(sorted(game.complete_options(OPTIONS).items())), ",".join(FEATURES),
        weights.names, weights.before, "ga", POPULATION, MEETINGS, CHECK, DEPTH, TURNS, asked.draw("tuning") % 10**6,
    )  # fmt: skip
    journal = Journal(None, JOURNAL, plan)
    journal.add(*(found[f"generation {earlier}"] for earlier in range(1, number)))
    tuning = Tuning(game, weights, plan, journal)
    tuning.run(number, threads=1)
    return msgspec.structs.asdict(tuning.generations[-1])


@cache
def start(seed: int) -> Match:
    return openings(find("santorini"), 1, OPTIONS, seed, TURNS, opening_seeds=ADDED)[0]


def findings(asked: Asked, found: Found) -> Findings:
    last = asked.count(GENERATIONS)
    curve = [found[f"generation {number}"] for number in range(1, last + 1)]
    weights, wins = Table(say("The weights")), Table(say("Games against the thesis' players"), ",.1f")
    learned = Table(say("The learning curve"), ",.1f")
    for number, (feature, value) in enumerate(zip(FEATURES, curve[-1]["answer"], strict=True), start=1):
        weights.add(f"c{number}", feature, None, value)
    for player, opponent in product((TUNED, COMBINED), OPPONENTS):
        games = [found[match_name(asked, player, opponent, pair)] for pair in range(asked.count(PAIRS))]
        won = sum(one[0] for one in games)
        wins.share(f"{player} – {opponent}", say("won by the first, %"), None, won, sum(map(sum, games)))
    for number, one in enumerate(curve, start=1):
        words = say("points against the starting weights, %")
        learned.share(str(number), words, None, one["check"][0], sum(one["check"]))
    points = [(float(row.case), float(row.ours or 0)) for row in learned.rows]
    chart = Chart(
        say("The learning curve"), say("generation"), say("points, %"), [Line(say("against 1, 1, 1"), points)]
    )
    paths = [
        Line(feature, [(float(number), one["answer"][place]) for number, one in enumerate(curve, start=1)])
        for place, feature in enumerate(FEATURES)
    ]
    return Findings(
        [weights, wins, learned],
        [chart, Chart(say("The weights, generation by generation"), say("generation"), say("weight"), paths)],
    )


EXPERIMENT = Experiment(
    "santorini-ga",
    "Geissler (2020)",
    say("Section 8.3"),
    say("half an hour on one processor"),
    stages,
    compute,
    findings,
    notes=lambda asked: (
        say(
            "Fitness is the win rate in a generation's games; {number} individuals begin around the weights 1, 1, 1.",
            number=POPULATION,
        ),
        say(
            "All look three turns ahead, without gods, from openings of four random turns, each played from both sides."
        ),
    ),
    answer=Generation | tuple[Whole, Whole, Whole],
)
