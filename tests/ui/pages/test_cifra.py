"""CIFRA's page: what it says can be counted."""

from __future__ import annotations

from itertools import combinations
from math import comb

from papan.game.rules.cifra.board import NEUTRAL_CELLS, SMALL
from papan.ui.pages.cifra import PAGE


def turned(cell: int, size: int) -> int:
    """Where *cell* comes to lie when the board is turned by a quarter."""
    row, column = divmod(cell, size)
    return column * size + size - 1 - row


def cycles(size: int, neutral: tuple[int, ...], quarters: int) -> list[int]:
    """How long the cycles of coloured cells are, when the board is turned by so many *quarters*."""
    left = set(range(size * size)) - set(neutral)
    lengths = []
    while left:
        cell, length = min(left), 0
        while cell in left:
            left.remove(cell)
            length += 1
            for _ in range(quarters):
                cell = turned(cell, size)
        lengths.append(length)
    return lengths


def layings(size: int, neutral: tuple[int, ...]) -> int:
    """In how many ways half of the coloured tiles can be white, turned boards counted once: Burnside's lemma."""
    fixed = 0
    for quarters in range(4):
        lengths = cycles(size, neutral, quarters)
        (length,) = set(lengths)  # a cycle has one colour
        white = sum(lengths) // 2 // length
        fixed += comb(len(lengths), white)
    return fixed // 4


class TestLayings:
    def test_of_a_small_board_are_as_many_as_can_be_listed(self) -> None:
        cells = [cell for cell in range(9) if cell != 4]
        seen = set()
        for chosen in combinations(cells, 4):
            boards = [frozenset(chosen)]
            for _ in range(3):
                boards.append(frozenset(turned(cell, 3) for cell in boards[-1]))
            seen.add(min(map(tuple, map(sorted, boards))))
        assert layings(3, (4,)) == len(seen) == 20

    def test_the_page_says_how_many_there_are(self) -> None:
        assert layings(SMALL, NEUTRAL_CELLS[SMALL]) == 676_280
        assert f"{layings(SMALL, NEUTRAL_CELLS[SMALL]):,} ways" in PAGE.history
