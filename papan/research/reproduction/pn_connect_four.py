"""Primanita, Khalid and Iida (2021), Figure 2: random positions of Connect Four by PNS, MCPNS and PPNS."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from random import Random
from statistics import fmean

from papan.ai.exact import connect_four as exact
from papan.ai.limits import Limit
from papan.ai.proof import METHODS, SolverSetting
from papan.game.base.sentences import figures, say
from papan.game.catalogue import find
from papan.game.rules import State
from papan.lab.calibration import random_position
from papan.research.reproduction.experiment import Asked, Chart, Experiment, Findings, Found, Line, Piece, Table
from papan.research.reproduction.proofs import CERTAIN, NOT_WINS, OUT, WINS, Proof, Proofs, counted, solved

POSITIONS, PLIES, PLAYOUTS = 200, 12, 60
THETAS, TOLERANCES = (0.01, 0.001, 0.0001), (0.01, 0.001, 0.0001, 0.00001)
BEST = (0.001, 0.001)
PUBLISHED = 135
"""Positions concluded by PPNS with the best theta and pr."""
CONCLUSIONS = {"concluded win": True, "concluded not-win": False}
"""For each conclusion without a proof, whether it is a win for the seat to act."""

KINDS = ((say("solved, %"), WINS), (say("unsolved, %"), NOT_WINS), (say("proved either way, %"), CERTAIN))

Cell = tuple[str, float, float]
"""A method, theta and pr."""
CELLS: Sequence[Cell] = (
    ("pns", 0.0, 0.0),
    ("mcpns", 0.0, 0.0),
    *(("ppns", theta, pr) for theta in THETAS for pr in (0.0, *TOLERANCES)),
)


def name_of(cell: Cell) -> str:
    """A short name of *cell*."""
    method, theta, pr = cell
    return METHODS[method] if method != "ppns" else f"{METHODS[method]}{'*' if pr else ''} θ={theta:g} pr={pr:g}"


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    numbers = range(asked.count(POSITIONS))
    tried = [
        Piece(f"{name_of(cell)} {number}", {"position": number, "cell": cell}) for number in numbers for cell in CELLS
    ]
    return [Piece.every("truth {position}", position=numbers) + tried]


def position(asked: Asked, number: int) -> State:
    """The random position *number*."""
    game = find("connect-four")
    state = random_position(game, game.complete_options({}), PLIES, Random(asked.draw("position", number)))
    assert state is not None  # games hardly ever end so soon
    return state


def compute(piece: Piece, asked: Asked, found: Found) -> object:
    """Whether the seat to act wins, by the exact solver; or the result of a method as of ``solved``."""
    state = position(asked, piece.facts["position"])
    if "cell" not in piece.facts:
        return exact.Exact().analyse(state, Limit(nodes=10**12)).score > 0.0
    method, theta, pr = piece.facts["cell"]
    setting = SolverSetting(playouts=PLAYOUTS, theta=theta, pr=pr, seed=asked.draw("playouts", piece.facts["position"]))
    return solved(find("connect-four"), state, method, setting, asked.number("nodes"))


def findings(asked: Asked, found: Found) -> Findings:
    numbers = range(asked.count(POSITIONS))
    results, nodes = Table(say("Positions that were concluded"), ",.1f"), Table(say("Nodes for a position"), ",.0f")
    checks = Table(say("Conclusions beside the exact solver"), ",.1f")
    for cell in CELLS:
        name = name_of(cell)
        proofs: Proofs = [found[f"{name} {number}"] for number in numbers]
        is_best = cell[1:] == BEST
        concluded = counted(proofs, (*WINS, *NOT_WINS))
        published = 100 * PUBLISHED / POSITIONS if is_best else None
        results.share(name, say("concluded, %"), published, concluded, len(proofs))
        for measure, kind in KINDS:
            results.share(name, measure, None, counted(proofs, kind), len(proofs))
        nodes.mean(name, say("nodes"), None, [proof["nodes"] for proof in proofs])
        told = [
            (CONCLUSIONS[proof["result"]], found[f"truth {number}"])
            for number, proof in enumerate(proofs)
            if proof["result"] in CONCLUSIONS
        ]
        wrong = sum(told_win != wins for told_win, wins in told)
        checks.share(name, say("wrong of what is concluded without a proof, %"), None, wrong, len(told))
    return Findings([results, nodes, _saved(asked, found), checks], [_chart(asked, found)])


def _saved(asked: Asked, found: Found) -> Table:
    """The nodes that pr saves, in % of the nodes of PPNS without it."""
    table = Table(say("What pr saves"), ",.1f")

    def mean_nodes(cell: Cell) -> float:
        return fmean(found[f"{name_of(cell)} {number}"]["nodes"] for number in range(asked.count(POSITIONS)))

    for theta, pr in product(THETAS, TOLERANCES):
        cell = ("ppns", theta, pr)
        saved = 100 * (1 - mean_nodes(cell) / mean_nodes(("ppns", theta, 0.0)))
        published = 57.0 if cell[1:] == BEST else None
        table.add(name_of(cell), say("fewer nodes, %"), published, saved, None, asked.count(POSITIONS))
    return table


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


EXPERIMENT = Experiment(
    "pn-connect-four",
    "Primanita, Khalid and Iida (2021)",
    say("Figure 2"),
    say("days with all nodes"),
    stages,
    compute,
    findings,
    {"nodes": ("35000000",)},
    notes=lambda asked: (
        say(
            "Each search has {nodes} nodes at most; the paper's had 35,000,000, or 420 s.",
            nodes=figures(asked.number("nodes")),
        ),
        say("Solved is a win of the seat to act, unsolved a draw or a loss. The paper's saving of 57 % is its best."),
    ),
    usual_scale=0.125,
    answer=bool | Proof,
)
