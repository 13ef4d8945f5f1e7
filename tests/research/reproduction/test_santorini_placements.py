"""The placements of Santorini's workers, against the best reply."""

from __future__ import annotations

from itertools import chain, combinations

from papan.ai.evaluation import STANDARD, evaluation_of, winning_chance
from papan.ai.limits import Limit
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.catalogue import find
from papan.game.rules.santorini.board import cell_name
from papan.research.reproduction.experiment import Piece
from papan.research.reproduction.santorini_gods import OPTIONS
from papan.research.reproduction.santorini_placements import (
    EXPERIMENT,
    PLACEMENTS,
    compute,
    findings,
    images,
    name,
    stages,
)
from tests.research.reproduction.asking import asked_of

APOLLO = 1


class TestPlacements:
    def test_all_300_are_there_once_up_to_symmetry(self) -> None:
        every = list(chain.from_iterable(map(images, PLACEMENTS)))
        assert len(every) == 300 and {*every} == {*combinations(range(25), 2)}

    def test_the_best_reply_leaves_the_least_chance(self) -> None:
        """Against replies judged one by one, each by a search of its own."""
        asked = asked_of(EXPERIMENT, 1.0, {"nodes": "200"})
        facts = {"god": APOLLO, "cells": [6, 18]}
        answer = compute(Piece("", facts), asked, {})
        assert compute(Piece("", facts), asked, {}) == answer, "the same nodes give the same answer"
        game = find("santorini")
        scale = float(evaluation_of(game).SCALE)
        search = AlphaBeta(game.rules, evaluation_of(game).WEIGHTS[STANDARD])
        chances = {}
        for reply in combinations([cell for cell in range(25) if cell not in (6, 18)], 2):
            cells = ",".join(map(cell_name, reply))
            state = game.rules.parse(f"{'0' * 25}/1/apollo:b2,d4/apollo:{cells}", game.complete_options(OPTIONS))
            chances[cells] = winning_chance(search.analyse(state, Limit(depth=2)).lines[0].score, scale)
        assert answer["chance"] < sorted(chances.values())[len(chances) // 2], "better than half of the replies"
        assert chances[answer["reply"]] <= sorted(chances.values())[len(chances) // 3]

    def test_findings_are_the_best_and_the_worst_of_each_god(self) -> None:
        asked = asked_of(EXPERIMENT, 0.2)
        pieces = [piece.name for piece in stages(asked)[0]]
        assert len(pieces) == 3 * len(PLACEMENTS)
        found = {piece: {"chance": index / 1000, "reply": "a1,b1"} for index, piece in enumerate(pieces)}
        rows = findings(asked, found).tables[0].rows
        last = len(PLACEMENTS) - 1
        assert [row.case for row in rows[:4]] == [name(0, PLACEMENTS[index]) for index in (last, last - 1, last - 2, 0)]
        assert rows[0].ours == last / 10 and rows[3].ours == 0.0 and len(rows) == 12
        assert rows[3].number == len(images(PLACEMENTS[0]))
