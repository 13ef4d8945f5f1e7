"""Marks of turns, accuracy of players and key moments of matches, all made of the winning chances that turns lost.

Key moments are the few turns that decided a match. A turn counts by its *swing*, the change of a winning chance, with
three corrections:

- **Merit.** A turn can only keep a position or spoil it. The chance that it lost, or found where only one turn was
  good, is its own; the rest of a swing is due to the search, which saw it late, and counts for little. With chance or a
  third side all counts.
- **Slides.** A mistake often shows twice: in the turn itself and in the answer, before which the search saw less far.
  Of consecutive turns that move the same chance the same way, one is named.
- **Momentum.** Of swings about as large, the one counts that came while the game was most open. Momentum in mind is
  p = m·v with the mass m = 1 - v and the winning chance as velocity v (Iida and Khalid, "Using games to study law of
  motions in mind", 2020).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt
from typing import TYPE_CHECKING, NamedTuple

from papan.ai.indicators.motion import Motion

if TYPE_CHECKING:
    from papan.ai.reviews.reviewer import Moment, Review

INACCURACY, MISTAKE, BLUNDER = 0.05, 0.1, 0.2
"""The least losses of winning chance for the marks "?!", "?" and "??"."""
GOOD, BEST, DUBIOUS, BAD, WORST = "!", "!!", "?!", "?", "??"

_TOP, _STEEP = 103.1668, 4.354
"""Lichess's curve of a turn's accuracy, shifted so that a loss of 0 gives 100."""
_LEAST_WINDOW, _MOST_WINDOW, _WINDOWS_A_GAME = 2, 8, 10
_LEAST_WEIGHT, _MOST_WEIGHT = 0.005, 0.12
_LEAST_ACCURACY = 1.0  # in the harmonic mean, where a 0 would outweigh all else


MOST_MOMENTS = 3
LEAST_SWING = 0.04
"""The swing below which nothing was decided."""
SEEN_LATE = 0.25
"""The weight of the part of a swing that is no turn's merit."""
ABOUT_AS_LARGE = 0.9
"""The least share of the largest swing for momentum to decide: another search might swap them."""
_EQUAL = 1e-9
"""The rounding error of sums of chances."""


def fault(loss: float) -> str:
    """The mark of a turn that lost *loss* winning chance, 0 to 1; "" for an ordinary one.

    >>> [fault(loss) for loss in (0.0, 0.05, 0.1, 0.2)]
    ['', '?!', '?', '??']
    """
    if loss >= BLUNDER:
        return WORST
    if loss >= MISTAKE:
        return BAD
    return DUBIOUS if loss >= INACCURACY else ""


def turn_accuracy(loss: float) -> float:
    """The accuracy, 0 to 100, of a turn that lost *loss* winning chance.

    >>> [round(turn_accuracy(loss)) for loss in (0.0, 0.1, 0.5, 1.0)]
    [100, 64, 9, 0]
    """
    return min(100.0, max(0.0, _TOP * exp(-_STEEP * loss) - (_TOP - 100.0)))


def accuracy(losses: Sequence[tuple[int, float]], chances: Sequence[float] = ()) -> float | None:
    """The accuracy of a player, 0 to 100; None where there is no turn.

    The mean of two means of the turns' accuracies: one weights each turn by how much the winning chance moved around
    it, so that a decided game counts little; the other is harmonic, so that good turns can't make up for a blunder.
    Source: Lichess, "Lichess Accuracy metric" (lichess.org/page/accuracy), and its open program, 2022.

    :param losses: the player's turns: each one's index, counted from 1, and its loss.
    :param chances: the player's winning chance at the start and after each turn of any seat; () in a game without.
    """
    if not losses:
        return None
    turns = [turn_accuracy(loss) for _index, loss in losses]
    weights = [_weight(index, chances) for index, _loss in losses]
    weighted = sum(weight * turn for weight, turn in zip(weights, turns, strict=True)) / sum(weights)
    harmonic = len(turns) / sum(1.0 / max(_LEAST_ACCURACY, turn) for turn in turns)
    return (weighted + harmonic) / 2


def _weight(index: int, chances: Sequence[float]) -> float:
    """The change of the winning chance in the moments up to the turn of this *index*, within bounds."""
    size = max(_LEAST_WINDOW, min(_MOST_WINDOW, (len(chances) - 1) // _WINDOWS_A_GAME))
    first = max(0, index + 1 - size)
    window = chances[first : first + size]
    if not window:
        return 1.0
    mean = sum(window) / len(window)
    deviation = sqrt(sum((chance - mean) ** 2 for chance in window) / len(window))
    return max(_LEAST_WEIGHT, min(_MOST_WEIGHT, deviation))


class KeyMoment(NamedTuple):
    turn: int
    """Its number in the review, from 1."""
    swing: float
    """The change of a winning chance, corrected, 0 to 1; in a game for one seat the share of the score that it lost."""
    mark: str
    """"!!", "!", "?!", "?", "??" or ""."""


class _Swing(NamedTuple):
    moment: KeyMoment
    momentum: float = 0.0
    """The momentum when the turn was taken, 0 to 1/4."""
    risen: frozenset[int] = frozenset()
    """The seats whose chances rose; none in a game for one seat."""


def key_moments(review: Review, most: int = MOST_MOMENTS) -> list[KeyMoment]:
    """The turns of *review* that changed the game most, in the order of the match."""
    pairs = zip(review.moments, review.moments[1:], strict=False)
    swings = [_swing(before, after, has_chance=review.has_chance) for before, after in pairs]
    left = [swing for swing in swings if swing.moment.swing >= LEAST_SWING]
    found: list[KeyMoment] = []
    while left and len(found) < most:
        largest = max(swing.moment.swing for swing in left)
        rivals = [swing for swing in left if swing.moment.swing >= ABOUT_AS_LARGE * largest]
        best = max(rivals, key=lambda swing: (swing.momentum, swing.moment.swing, -swing.moment.turn))
        found.append(best.moment)
        left = [swing for swing in left if swing is not best and not _are_one_slide(swing, best)]
    return sorted(found)


def _are_one_slide(one: _Swing, other: _Swing) -> bool:
    """Whether the two are one turn apart, and move the same chances the same way."""
    return abs(one.moment.turn - other.moment.turn) == 1 and bool(one.risen) and one.risen == other.risen


def _swing(before: Moment, after: Moment, *, has_chance: bool) -> _Swing:
    if not before.chances:
        return _Swing(KeyMoment(after.index, after.loss, after.mark))
    changes = [now - then for then, now in zip(before.chances, after.chances, strict=True)]
    side = max(range(len(changes)), key=lambda seat: abs(changes[seat]))
    moved, own = abs(changes[side]), changes[after.seat or 0]
    merit = moved if has_chance or abs(own) < moved - _EQUAL else _merit(after, own)
    swing = merit + SEEN_LATE * (moved - merit)
    risen = frozenset(seat for seat, change in enumerate(changes) if change > 0)
    return _Swing(KeyMoment(after.index, swing, after.mark), Motion(before.chances[side], 0.0).momentum, risen)


def _merit(after: Moment, change: float) -> float:
    """The part of the *change* of its mover's chance that is due to the turn itself."""
    if change > 0:
        return change if after.mark in (GOOD, BEST) else 0.0
    return min(-change, after.loss)
