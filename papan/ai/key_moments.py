"""The key moments of a match: the few turns that say how it turned, chosen from a review of it.

A turn counts by its *swing*, how far it moved a winning chance. Three things make of that what people would name:

- **Merit.** Nobody can better a position by a turn, only keep it or spoil it. What a turn lost, or found where only one
  was good, is its own; the rest of a swing is what a search saw later than it should have, and counts for little. Where
  chance or a third side had its part in it, all of it counts.
- **Slides.** A mistake is often seen twice: in the turn itself and in the answer, before which the search saw less far.
  Of turns one after another that move the same chance the same way, one is named.
- **Momentum.** Of swings about as large, the one counts that came while the game was open. Momentum in mind is p = m·v
  with the mass m = 1 - v; the velocity v is the winning chance, as in Iida and Khalid, "Using games to study law of
  motions in mind" (2020): most at an even game, nothing in one that is decided.

In 22 matches of Connect Four, Othello, Santorini and checkers between the levels 3 and 5, reviewed as at a table, 51 of
64 turns named so were mistakes or finds by a review of eight times the nodes and more; of those that swung most, 47.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from papan.ai.indicators.motion import Motion
from papan.ai.marks import BEST, GOOD

if TYPE_CHECKING:
    from papan.ai.review import Moment, Review

MOST_MOMENTS = 3
LEAST_SWING = 0.04
"""The swing of a winning chance, or the part of what was promised that was lost, below which nothing was decided."""
SEEN_LATE = 0.25
"""How much of what is nobody's merit counts."""
ABOUT_AS_LARGE = 0.9
"""The share of the largest swing from which on momentum decides: another search might have them the other way."""
_EQUAL = 1e-9
"""Chances that differ by less are the same: they are sums of floating-point numbers."""


class KeyMoment(NamedTuple):
    """A turn that changed the game."""

    turn: int
    """Its number, as the review counts: 1 for the first."""
    swing: float
    """How far it moved a winning chance, as far as that counts, 0 to 1; in a game for one seat which part of what was
    promised it lost."""
    mark: str
    """"!!", "!", "?!", "?", "??" or ""."""


class _Swing(NamedTuple):
    """What one turn changed."""

    moment: KeyMoment
    momentum: float = 0.0
    """That of the game when the turn was taken, 0 to 1/4."""
    risen: frozenset[int] = frozenset()
    """The seats whose chances rose; none in a game for one seat."""

    def is_of_slide(self, other: _Swing) -> bool:
        """Whether the two are one turn apart, and move the same chances the same way."""
        return abs(self.moment.turn - other.moment.turn) == 1 and bool(self.risen) and self.risen == other.risen


def key_moments(review: Review, most: int = MOST_MOMENTS) -> list[KeyMoment]:
    """The turns of *review* that changed the game most, at most so many, in the order of the match."""
    pairs = zip(review.moments, review.moments[1:], strict=False)
    swings = [_swing(before, after, has_chance=review.has_chance) for before, after in pairs]
    left = [swing for swing in swings if swing.moment.swing >= LEAST_SWING]
    found: list[KeyMoment] = []
    while left and len(found) < most:
        largest = max(swing.moment.swing for swing in left)
        rivals = [swing for swing in left if swing.moment.swing >= ABOUT_AS_LARGE * largest]
        best = max(rivals, key=lambda swing: (swing.momentum, swing.moment.swing, -swing.moment.turn))
        found.append(best.moment)
        left = [swing for swing in left if swing is not best and not swing.is_of_slide(best)]
    return sorted(found)


def _swing(before: Moment, after: Moment, *, has_chance: bool) -> _Swing:
    """What the turn that led from *before* to *after* changed."""
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
    """How much of the *change* of its mover's own chance the turn that led to *after* has brought about itself."""
    if change > 0:
        return change if after.mark in (GOOD, BEST) else 0.0
    return min(-change, after.loss)
