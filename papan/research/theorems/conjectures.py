"""Conjectures mined from cases: which properties, alone or two together, tell who wins, and what speaks against them.

A case is a graph, or a graph and a start, with the answer of a solver. What holds in all cases is no theorem: it is
what nobody has found a counterexample to among the graphs that were tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from papan.game.base.sentences import Sentence, say

Column = npt.NDArray[np.bool_]
"""For each case, yes or no."""


class Condition(NamedTuple):
    """A property or its contrary, or two of them together."""

    words: str
    holds: Column


class Conjecture(NamedTuple):
    """A condition that is said to decide, or to settle one way, who wins."""

    words: str
    support: int
    """The cases that it says something about."""
    against: int
    """Those in which that is false."""
    smallest: int
    """The first of those, as the cases' number; -1 where there is none."""


def conditions(properties: dict[str, Column]) -> list[Condition]:
    """Each of *properties* and its contrary, then each two of these together, but for those that are constant."""
    single = [
        condition
        for words, holds in properties.items()
        if holds.any() and not holds.all()
        for condition in (Condition(words, holds), Condition(say("not so: {clause}", clause=words), ~holds))
    ]
    pairs = [
        Condition(say("{one} and {other}", one=one.words, other=other.words), one.holds & other.holds)
        for one, other in combinations(single, 2)
    ]
    return [*single, *(pair for pair in pairs if pair.holds.any() and not pair.holds.all())]


def best_equivalence(properties: dict[str, Column], won: Column) -> Conjecture | None:
    """The condition that tells best where *won* is so; of equals the one that is said first, and so the simplest.

    :returns: None where nothing is to be told: always won, or never.
    """
    if won.all() or not won.any():
        return None
    every = conditions(properties)
    best = min(every, key=lambda condition: int((condition.holds != won).sum()), default=None)
    if best is None:
        return None
    return _conjecture(say("won exactly where {condition}", condition=best.words), best.holds != won, len(won))


def implications(properties: dict[str, Column], won: Column, most: int) -> list[Conjecture]:
    """The conditions under which it is always won, or always lost, the most general ones first, *most* of them.

    One that says no more than those before it, because they hold wherever it does, is left out.
    """
    found: list[tuple[Condition, bool]] = [
        (condition, bool(value))
        for condition in conditions(properties)
        for value in (True, False)
        if (won[condition.holds] == value).all() and not (won == value).all()
    ]
    found.sort(key=lambda pair: -int(pair[0].holds.sum()))
    kept: list[Conjecture] = []
    told = np.zeros_like(won)
    for condition, value in found:
        if len(kept) < most and (condition.holds & ~told).any():
            told |= condition.holds
            words: Sentence = (
                say("won where {condition}", condition=condition.words)
                if value
                else say("lost where {condition}", condition=condition.words)
            )
            kept.append(_conjecture(words, np.zeros_like(won), int(condition.holds.sum())))
    return kept


def _conjecture(words: str, false: Column, support: int) -> Conjecture:
    """What is said by *words*, which is *false* in some cases."""
    return Conjecture(words, support, int(false.sum()), int(false.argmax()) if false.any() else -1)


def table_of(properties: Sequence[str], rows: Sequence[Sequence[bool]]) -> dict[str, Column]:
    """A column for each of *properties* from a row for each case."""
    cases = np.array(rows, np.bool_).reshape(len(rows), len(properties))
    return {words: cases[:, index] for index, words in enumerate(properties)}
