"""Primanita, Khalid and Iida (2021), Figure 2: random positions of Connect Four by PNS, MCPNS and PPNS."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

from papan.ai.exact import connect_four as exact
from papan.ai.limits import Limit
from papan.ai.proof import METHODS, SolverSetting
from papan.game.base.sentences import figures, say
from papan.game.catalogue import find
from papan.game.rules import State
from papan.lab.calibration import random_position
from papan.research.reproduction.experiment import (
    Asked,
    Chart,
    Experiment,
    Findings,
    Found,
    Line,
    Piece,
    Row,
    Table,
    mean_row,
    share_row,
)
from papan.research.reproduction.proofs import CERTAIN, NOT_WINS, OUT, WINS, Proof, Proofs, counted, solved

POSITIONS, PLIES, PLAYOUTS = 200, 12, 60
THETAS, TOLERANCES = (0.01, 0.001, 0.0001), (0.01, 0.001, 0.0001, 0.00001)
BEST = (0.001, 0.001)
PUBLISHED = 135
"""Positions concluded by PPNS with the best theta and pr."""
CONCLUSIONS = {"concluded win": True, "concluded not-win": False}
"""What is concluded without a proof: whether it says that the seat to act wins."""

KINDS = ((say("solved, %"), WINS), (say("unsolved, %"), NOT_WINS), (say("proved either way, %"), CERTAIN))

Cell = tuple[str, float, float]
"""A method, theta and pr."""
CELLS: Sequence[Cell] = (
    ("pns", 0.0, 0.0),
    ("mcpns", 0.0, 0.0),
    *(("ppns", theta, pr) for theta in THETAS for pr in (0.0, *TOLERANCES)),
)


def name_of(cell: Cell) -> str:
    """A cell of the grid in short."""
    method, theta, pr = cell
    return METHODS[method] if method != "ppns" else f"{METHODS[method]}{'*' if pr else ''} θ={theta:g} pr={pr:g}"


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    """A piece for each position and cell, and one for what is true of each position."""
    numbers = range(asked.count(POSITIONS))
    truths = [Piece(f"truth {number}", {"position": number}) for number in numbers]
    return [
        truths
        + [
            Piece(f"{name_of(cell)} {number}", {"position": number, "cell": cell})
            for number in numbers
            for cell in CELLS
        ]
    ]


def position(asked: Asked, number: int) -> State:
    """The random position *number*."""
    game = find("connect-four")
    state = random_position(game, game.complete_options({}), PLIES, Random(asked.draw("position", number)))
    assert state is not None  # games hardly ever end so soon
    return state


def compute(piece: Piece, asked: Asked, found: Found) -> object:
    """Whether the seat to act wins, by the exact solver; or what a method makes of it."""
    state = position(asked, piece.facts["position"])
    if "cell" not in piece.facts:
        return exact.Exact().analyse(state, Limit(nodes=10**12)).score > 0.0
    method, theta, pr = piece.facts["cell"]
    setting = SolverSetting(playouts=PLAYOUTS, theta=theta, pr=pr, seed=asked.draw("playouts", piece.facts["position"]))
    return solved(find("connect-four"), state, method, setting, asked.number("nodes"))


def findings(asked: Asked, found: Found) -> Findings:
    """What each cell of the grid comes to, and which conclusions are wrong."""
    numbers = range(asked.count(POSITIONS))
    results, nodes, checks = list[Row](), list[Row](), list[Row]()
    for cell in CELLS:
        name = name_of(cell)
        proofs: Proofs = [found[f"{name} {number}"] for number in numbers]
        is_best = cell[1:] == BEST
        concluded = counted(proofs, (*WINS, *NOT_WINS))
        results.append(
            share_row(
                name, say("concluded, %"), 100 * PUBLISHED / POSITIONS if is_best else None, concluded, len(proofs)
            )
        )
        results += [share_row(name, measure, None, counted(proofs, kind), len(proofs)) for measure, kind in KINDS]
        nodes.append(mean_row(name, say("nodes"), None, [proof["nodes"] for proof in proofs]))
        told = [
            (CONCLUSIONS[proof["result"]], found[f"truth {number}"])
            for number, proof in enumerate(proofs)
            if proof["result"] in CONCLUSIONS
        ]
        checks.append(
            share_row(
                name,
                say("wrong of what is concluded without a proof, %"),
                None,
                sum(told_win != wins for told_win, wins in told),
                len(told),
            )
        )
    return Findings(
        [
            Table(say("Positions that were concluded"), results, ",.1f"),
            Table(say("Nodes for a position"), nodes, ",.0f"),
            Table(say("What pr saves"), _saved(asked, found), ",.1f"),
            Table(say("Conclusions beside the exact solver"), checks, ",.1f"),
        ],
        [_chart(asked, found)],
    )


def _saved(asked: Asked, found: Found) -> list[Row]:
    """How many nodes less pr takes, as the share of what PPNS takes without it."""
    rows = []
    for theta in THETAS:
        without = [
            found[f"{name_of(('ppns', theta, 0.0))} {number}"]["nodes"] for number in range(asked.count(POSITIONS))
        ]
        for pr in TOLERANCES:
            cell = ("ppns", theta, pr)
            own = [found[f"{name_of(cell)} {number}"]["nodes"] for number in range(asked.count(POSITIONS))]
            rows.append(
                Row(
                    name_of(cell),
                    say("fewer nodes, %"),
                    57.0 if cell[1:] == BEST else None,
                    100 * (1 - fmean(own) / fmean(without)),
                    None,
                    len(own),
                )
            )
    return rows


def _chart(asked: Asked, found: Found) -> Chart:
    numbers = range(asked.count(POSITIONS))
    lines = []
    for name, kinds in ((say("solved"), WINS), (say("unsolved"), NOT_WINS), (say("out"), (OUT,))):
        points = [
            (float(place), float(counted([found[f"{name_of(cell)} {number}"] for number in numbers], kinds)))
            for place, cell in enumerate(CELLS, start=1)
        ]
        lines.append(Line(name, points))
    return Chart(
        say("Positions solved, unsolved and out"), say("method, in the order of the table"), say("positions"), lines
    )


def notes(asked: Asked) -> Sequence[str]:
    """The readings of what the paper leaves open."""
    return (
        say(
            "Each search has {nodes} nodes at most; the paper's had 35,000,000, or 420 s.",
            nodes=figures(asked.number("nodes")),
        ),
        say("Solved is a win of the seat to act, unsolved a draw or a loss. The paper's saving of 57 % is its best."),
    )


EXPERIMENT = Experiment(
    "pn-connect-four",
    "Primanita, Khalid and Iida (2021)",
    say("Figure 2"),
    say("days with all nodes"),
    stages,
    compute,
    findings,
    {"nodes": ("35000000",)},
    notes=notes,
    usual_scale=0.125,
    answer=bool | Proof,
)
