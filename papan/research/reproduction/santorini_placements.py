"""Geissler's future work: which of the 300 placements of the first player's workers is best against the best reply.

Both players have the same god. The first player places both workers, then the second; the first player moves. Every
reply is judged by a search of a fixed number of nodes, so the values are estimates, unless a win is proved.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TypedDict

from papan.ai.evaluation import evaluation_of, winning_chance
from papan.ai.evaluation.santorini import CLASSICAL
from papan.ai.limits import Limit
from papan.ai.search import Query
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.sentences import say
from papan.game.catalogue import find
from papan.game.rules.santorini.board import CELLS, SIZE, cell_name
from papan.game.rules.santorini.gods import GODS
from papan.research.reproduction.experiment import Asked, Experiment, Findings, Found, Piece, Table
from papan.research.reproduction.santorini_gods import OPTIONS, POWERS

TABLE_BITS = 16
SHOWN = 3
"""Placements shown of each god, the best first; then the worst."""
Cells = tuple[int, int]


def images(cells: Cells) -> set[Cells]:
    """*cells* in all eight symmetries of the board.

    >>> sorted(images((0, 12)))
    [(0, 12), (4, 12), (12, 20), (12, 24)]
    """
    found = set()
    for flip in range(8):
        moved = []
        for cell in cells:
            row, column = divmod(cell, SIZE)
            row = SIZE - 1 - row if flip & 1 else row
            column = SIZE - 1 - column if flip & 2 else column
            row, column = (column, row) if flip & 4 else (row, column)
            moved.append(row * SIZE + column)
        found.add((min(moved), max(moved)))
    return found


PLACEMENTS: Sequence[Cells] = [cells for cells in combinations(range(CELLS), 2) if cells == min(images(cells))]
"""The first player's, up to symmetry."""


def name(god: int, cells: Cells) -> str:
    return f"{GODS[god].name} {cell_name(cells[0])},{cell_name(cells[1])}"


def gods(asked: Asked) -> Sequence[int]:
    return POWERS[: asked.count(len(POWERS))]


def stages(asked: Asked) -> Sequence[Sequence[Piece]]:
    return [
        [Piece(name(god, cells), {"god": god, "cells": list(cells)}) for god in gods(asked) for cells in PLACEMENTS]
    ]


class Judged(TypedDict):
    chance: float
    """The first player's winning chance after the best reply."""
    reply: str


def compute(piece: Piece, asked: Asked, found: Found) -> Judged:
    game, god = find("santorini"), GODS[piece.facts["god"]].name
    evaluation = evaluation_of(game)
    search = AlphaBeta(game.rules, evaluation.WEIGHTS[CLASSICAL], table_bits=TABLE_BITS)
    own, limit = tuple(piece.facts["cells"]), Limit(nodes=asked.number("nodes"))
    best: Judged = {"chance": 2.0, "reply": ""}
    for reply in combinations([cell for cell in range(CELLS) if cell not in own], 2):
        places = (",".join(map(cell_name, cells)) for cells in (own, reply))
        text = f"{'0' * CELLS}/1/" + "/".join(f"{god}:{cells}" for cells in places)
        state = game.rules.parse(text, game.complete_options(OPTIONS))
        score = search.answer(Query(state, limit, is_followed=False)).lines[0].score
        chance = winning_chance(score, float(evaluation.SCALE))
        if chance < best["chance"]:
            best = {"chance": chance, "reply": ",".join(map(cell_name, reply))}
    return best


def findings(asked: Asked, found: Found) -> Findings:
    table = Table(say("The first player's winning chance after the best reply, %"), ",.1f")
    for god in gods(asked):
        judged = sorted((-found[name(god, cells)]["chance"], name(god, cells)) for cells in PLACEMENTS)
        for chance, placement in (*judged[:SHOWN], judged[-1]):
            reply = say("reply {cells}", cells=found[placement]["reply"])
            table.add(placement, reply, None, -100 * chance, None, len(images_of(placement)))
    return Findings([table])


def images_of(placement: str) -> set[Cells]:
    """The placements that are the same as the one of that name, but for a symmetry."""
    return next(images(cells) for cells in PLACEMENTS if placement.endswith(name(0, cells).removeprefix(GODS[0].name)))


EXPERIMENT = Experiment(
    "santorini-placements",
    "Geissler (2020)",
    say("Future work: placing workers"),
    say("ten minutes on one processor"),
    stages,
    compute,
    findings,
    readings={"nodes": ("2000",)},
    notes=lambda asked: (
        say("Both players have the god. The last column counts the placements that are the same but for a symmetry."),
    ),
    answer=Judged,
)
