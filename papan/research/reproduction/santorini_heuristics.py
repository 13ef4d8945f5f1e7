"""Kelvin and Lukas, Table 2: random, ``norm`` and ``god`` at Santorini with Apollo and Atlas, in millions of games."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache

from papan.game.base.sentences import say
from papan.game.base.typed import Whole
from papan.game.catalogue import find
from papan.lab.simulation.batches import Batches, batches_of
from papan.lab.simulation.counts import WON
from papan.lab.simulation.plan import Plan, make_plan
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Row, Table, share_row

GAMES = 10_000_000
PUBLISHED = {
    ("random", "random"): 50.06573, ("random", "norm"): 0.34152, ("random", "god"): 0.81446,
    ("norm", "random"): 99.70454, ("norm", "norm"): 55.01190, ("norm", "god"): 59.84507,
    ("god", "random"): 99.23172, ("god", "norm"): 52.68711, ("god", "god"): 56.85958,
}  # fmt: skip
"""Wins of the first player, in %."""

PLAYERS = {"random": "greedy:random-no-domes", "norm": "norm", "god": "god"}
GATED = "greedy:god-low-domes"
LITERAL, GATE, BOTH = "literal", "gate", "both"
GODS = {"loses": "paper", "refused": "seeds"}
"""The option ``gods`` for each rule about moves of Apollo after which he can't build."""
OPTIONS = {"pick": "random", "same": "yes", "placement": "random", "first": "1"}


def pairs(asked: Asked) -> list[tuple[str, str, str]]:
    """The reading of f_atlas and the two players of each pair to play; pairs without ``god`` use the literal one."""
    wanted = asked.readings["atlas"]
    literal = [(LITERAL, *pair) for pair in PUBLISHED if wanted != GATE or "god" not in pair]
    return literal + [(GATE, *pair) for pair in PUBLISHED if wanted != LITERAL and "god" in pair]


def player(name: str, atlas: str) -> str:
    """The program's player for the paper's *name*, with the reading *atlas* of f_atlas."""
    return GATED if name == "god" and atlas == GATE else PLAYERS[name]


@cache
def plan_of(asked_seed: int, gods: str, atlas: str, first: str, second: str) -> Plan:
    """The plan of all games of a pair; a smaller run plays its first batches."""
    names = [player(name, atlas) for name in (first, second)]
    return make_plan(find("santorini"), names, {"gods": gods, **OPTIONS}, asked_seed, GAMES)


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [
            Piece(f"{atlas} {first} {second} {number}", {"pair": (atlas, first, second), "batch": number})
            for atlas, first, second in pairs(asked)
            for number in range(asked.count(_plan(asked, atlas, first, second).batches))
        ]
    ]


def _plan(asked: Asked, atlas: str, first: str, second: str) -> Plan:
    return plan_of(asked.draw(atlas, first, second), GODS[asked.readings["stranded"]], atlas, first, second)


_own = threading.local()


def compute(piece: Piece, asked: Asked, found: Found) -> list[int]:
    plan = _plan(asked, *piece.facts["pair"])
    made: dict[Plan, Batches] = _own.__dict__.setdefault("made", {})
    counts = made.setdefault(plan, batches_of(plan)).play(piece.facts["batch"])
    return [counts.games, counts.results[0][0][WON], counts.turns]


def counted(found: Found, asked: Asked, atlas: str, first: str, second: str) -> tuple[int, int]:
    """The number of games of a pair, and of those that the first player won."""
    batches = range(asked.count(_plan(asked, atlas, first, second).batches))
    parts = [found[f"{atlas} {first} {second} {number}"] for number in batches]
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def from_both_sides(found: Found, asked: Asked, atlas: str) -> Row:
    """The share of games that ``god`` wins against ``norm``, half of them with the first move."""
    own_games, own = counted(found, asked, atlas, "god", "norm")
    games, lost = counted(found, asked, atlas, "norm", "god")
    published = (PUBLISHED["god", "norm"] + 100.0 - PUBLISHED["norm", "god"]) / 2
    return share_row(
        say("god against norm, both sides"), say("won by god, %"), published, own + games - lost, own_games + games
    )


def findings(asked: Asked, found: Found) -> Findings:
    tables = {
        LITERAL: Table(say("f_atlas as the equation has it")),
        GATE: Table(say("f_atlas with the nearest gate: +20 only from level 0 onto level 0 or 1")),
    }
    for atlas, first, second in pairs(asked):
        games, won = counted(found, asked, atlas, first, second)
        words = say("won by the first player, %")
        tables[atlas].share(f"{first} – {second}", words, PUBLISHED[first, second], won, games)
    for atlas, table in tables.items():
        if any("god" in row.case for row in table.rows):
            table.rows.append(from_both_sides(found, asked, atlas))
    return Findings([table for table in tables.values() if table.rows])


def notes(asked: Asked) -> Sequence[str]:
    """How this run settles what the paper leaves open, in sentences."""
    return (
        say("Gods are drawn at random for each player, workers placed at random, ties broken at random."),
        say(
            "If nothing can be built after a move, which happens only to Apollo, the move is still made and loses "
            "unless it wins."
        )
        if asked.readings["stranded"] == "loses"
        else say("A move after which nothing can be built is refused unless it wins; the paper's players make it."),
        say("Random and norm players never build a dome below level 3. f_build counts on the board before the build."),
        say("The gate is the nearest reading that was found to the paper's figures, and identifies nothing."),
    )


EXPERIMENT = Experiment(
    "santorini-heuristics",
    "Kelvin and Lukas (undated)",
    say("Table 2"),
    say("15 minutes on one processor"),
    stages,
    compute,
    findings,
    {"stranded": tuple(GODS), "atlas": (BOTH, LITERAL, GATE)},
    ("atlas",),
    notes,
    answer=tuple[Whole, Whole, Whole],
)
