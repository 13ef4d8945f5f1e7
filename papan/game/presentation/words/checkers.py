"""Turns of checkers in words."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import Sentence, joined, say, say_number
from papan.game.rules.checkers import is_jump
from papan.game.rules.checkers.board import State, bit_of, pieces_of


def turn_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """The piece, what it takes, and where it lands."""
    before, after = states[0], states[-1]
    origin, target = steps[0] >> 5, steps[-1] & 31
    was_king = bool(before.kings >> bit_of(origin) & 1)
    ends = origin + 1, target + 1
    words = _captures(before, after, ends, was_king=was_king) if is_jump(steps[0]) else _move(ends, was_king=was_king)
    is_crowned = not was_king and after.kings >> bit_of(target) & 1
    return joined([words, say("becomes a king")], ", ") if is_crowned else words


def short_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """The squares of the piece before and after."""
    origin, target = (steps[0] >> 5) + 1, (steps[-1] & 31) + 1
    if is_jump(steps[0]):
        return say("{origin} jumps to {target}", origin=origin, target=target)
    return say("{origin} to {cell}", origin=origin, cell=target)


def _move(ends: tuple[int, int], *, was_king: bool) -> Sentence:
    origin, target = ends
    if was_king:
        return say("King from {origin} to {target}", origin=origin, target=target)
    return say("Man from {origin} to {target}", origin=origin, target=target)


def _captures(before: State, after: State, ends: tuple[int, int], *, was_king: bool) -> Sentence:
    """The captures between *before* and *after*, of men alone or with kings among them."""
    taken = pieces_of(before, 1 - before.to_move) & ~pieces_of(after, 1 - before.to_move)
    origin, target = ends
    count, has_kings = taken.bit_count(), bool(taken & before.kings)
    if was_king and has_kings:
        return say_number(
            "King from {origin} takes a king, to {target}",
            "King from {origin} takes {count} pieces, to {target}",
            count,
            origin=origin,
            target=target,
        )
    if was_king:
        return say_number(
            "King from {origin} takes a man, to {target}",
            "King from {origin} takes {count} men, to {target}",
            count,
            origin=origin,
            target=target,
        )
    if has_kings:
        return say_number(
            "Man from {origin} takes a king, to {target}",
            "Man from {origin} takes {count} pieces, to {target}",
            count,
            origin=origin,
            target=target,
        )
    return say_number(
        "Man from {origin} takes a man, to {target}",
        "Man from {origin} takes {count} men, to {target}",
        count,
        origin=origin,
        target=target,
    )
