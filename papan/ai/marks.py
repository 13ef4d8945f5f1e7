"""The marks of turns and the accuracy of players, both made of how much winning chance turns have lost.

A mark says of one turn how bad it was; the accuracy says of all turns of a player how good they were, as one number
from 0 to 100.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.1, 0.2
"""How much of the winning chance a turn must lose against the best to be marked "?!", "?" and "??"."""
GOOD, BEST, DUBIOUS, BAD, WORST = "!", "!!", "?!", "?", "??"

_TOP, _STEEP = 103.1668, 4.354
"""Lichess's curve of a turn's accuracy, its offset such that no loss is 100; a lost half of the winning chance is 9."""
_LEAST_WINDOW, _MOST_WINDOW, _WINDOWS_A_GAME = 2, 8, 10
_LEAST_WEIGHT, _MOST_WEIGHT = 0.005, 0.12
_LEAST_ACCURACY = 1.0  # what stands for less in a harmonic mean, where a 0 would outweigh all else


def fault(loss: float) -> str:
    """The mark of a turn that lost so much of its mover's winning chance, 0 to 1; "" for an ordinary one.

    >>> [fault(loss) for loss in (0.0, 0.05, 0.1, 0.2)]
    ['', '?!', '?', '??']
    """
    if loss >= BLUNDER:
        return WORST
    if loss >= MISTAKE:
        return BAD
    return DUBIOUS if loss >= INACCURACY else ""


def turn_accuracy(loss: float) -> float:
    """The accuracy, 0 to 100, of a turn that lost so much of its mover's winning chance.

    >>> [round(turn_accuracy(loss)) for loss in (0.0, 0.1, 0.5, 1.0)]
    [100, 64, 9, 0]
    """
    return min(100.0, max(0.0, _TOP * exp(-_STEEP * loss) - (_TOP - 100.0)))


def accuracy(losses: Sequence[tuple[int, float]], chances: Sequence[float] = ()) -> float | None:
    """The accuracy of a player, 0 to 100; None where there is no turn.

    The mean of two means of the turns' accuracies: one weighs each turn by how much the winning chance moved around it,
    so that quiet stretches of a decided game count little; the other is harmonic, so that no blunder is made up for.
    Source: Lichess, "Lichess Accuracy metric" (lichess.org/page/accuracy), and its open program, 2022.

    :param losses: the player's turns: each one's index, counted from 1, and its loss.
    :param chances: the player's winning chance at the start and after each turn of anybody; () in a game without.
    """
    if not losses:
        return None
    turns = [turn_accuracy(loss) for _index, loss in losses]
    weights = [_weight(index, chances) for index, _loss in losses]
    weighted = sum(weight * turn for weight, turn in zip(weights, turns, strict=True)) / sum(weights)
    harmonic = len(turns) / sum(1.0 / max(_LEAST_ACCURACY, turn) for turn in turns)
    return (weighted + harmonic) / 2


def _weight(index: int, chances: Sequence[float]) -> float:
    """How much the winning chance moved in the moments up to the turn of this *index*, within bounds."""
    size = max(_LEAST_WINDOW, min(_MOST_WINDOW, (len(chances) - 1) // _WINDOWS_A_GAME))
    first = max(0, index + 1 - size)
    window = chances[first : first + size]
    if not window:
        return 1.0
    mean = sum(window) / len(window)
    deviation = sqrt(sum((chance - mean) ** 2 for chance in window) / len(window))
    return max(_LEAST_WEIGHT, min(_MOST_WEIGHT, deviation))
