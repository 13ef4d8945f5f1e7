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
    was_king = before.kings >> bit_of(origin) & 1
    piece = say("King") if was_king else say("Man")
    words = say("{piece} from {origin} to {target}", piece=piece, origin=origin + 1, target=target + 1)
    if is_jump(steps[0]):
        words = _captures(before, after, piece, origin + 1, target + 1)
    if not was_king and after.kings >> bit_of(target) & 1:
        return joined([words, say("becomes a king")], ", ")
    return words


def _captures(before: State, after: State, piece: str, origin: int, target: int) -> Sentence:
    """The captures between *before* and *after*, and the squares where they begin and end."""
    taken = pieces_of(before, 1 - before.to_move) & ~pieces_of(after, 1 - before.to_move)
    values = {"piece": piece, "origin": origin, "target": target}
    if taken & before.kings:
        return say_number(
            "{piece} from {origin} takes a king, to {target}",
            "{piece} from {origin} takes {count} pieces, to {target}",
            taken.bit_count(),
            **values,
        )
    return say_number(
        "{piece} from {origin} takes a man, to {target}",
        "{piece} from {origin} takes {count} men, to {target}",
        taken.bit_count(),
        **values,
    )
