"""Catur Jawa's table, laid by hand."""

from __future__ import annotations

from papan.game.rules import State
from papan.game.rules.catur_jawa import parse


def laid(cards: dict[tuple[int, int], str], rest: str) -> State:
    """The position with *cards* by column and row, from 0; *rest* is the end of its text."""
    rows = ["".join(cards.get((x, y), ".") for x in range(9)) for y in reversed(range(9))]
    return parse(f"{'/'.join(rows)} {rest}", {})
