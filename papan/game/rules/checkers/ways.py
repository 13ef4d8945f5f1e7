"""Turns by the squares they touch, as other programs and books write them: ``9x27``, ``18-9``, ``09x18x27``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from papan.game.rules import play
from papan.game.rules.checkers.board import (
    BOARD,
    QUIET_TURNS,
    SQUARES,
    State,
    bit_of,
    downward,
    must_capture,
    pieces_of,
    square_of,
    upward,
)

_HYPHENS = "-–—−"
_SIGNS = _HYPHENS + "xX×:"
_TURN = re.compile(rf"[0-9]{{1,2}}(?:[{_SIGNS}][0-9]{{1,2}})+")
_SIGN = re.compile(rf"[{_SIGNS}]")
_DISTANCES = (8, 10, -8, -10)
"""Bits from the square of a jumping piece to where it lands."""


class Squares(NamedTuple):
    """The squares that a text names, counted from 0, and whether it calls the turn a capture."""

    squares: tuple[int, ...]
    is_capture: bool


class Way(NamedTuple):
    """A legal turn, or the beginning of one."""

    steps: tuple[int, ...]
    state: State
    """After it."""
    is_whole: bool = True


def squares_in(text: str) -> Squares | None:
    """The squares of a turn written in numbers, of which each may be too large for a board; None for another text.

    >>> squares_in("09x27"), squares_in("9-13")
    (Squares(squares=(8, 26), is_capture=True), Squares(squares=(8, 12), is_capture=False))
    """
    if not _TURN.fullmatch(text):
        return None
    return Squares(
        tuple(int(square) - 1 for square in _SIGN.split(text)),
        any(sign not in _HYPHENS for sign in _SIGN.findall(text)),
    )


def foreign_turns(state: State, text: str) -> Sequence[Sequence[int]]:
    """Captures by some of their squares, at least the first and the last, and with any sign; zeros before squares."""
    if state.jumper and text[:1] in _SIGNS:
        text = f"{square_of(state.jumper.bit_length() - 1) + 1}{text}"
    named = squares_in(text)
    return [way.steps for way in ways(state, *named)] if named else []


def ways(state: State, squares: Sequence[int], is_capture: bool = False, may_stop: bool = False) -> list[Way]:
    """The legal turns from the first of *squares* to the last that pass the others in order.

    A turn that touches exactly *squares* is the only one. Of several with the same result, one is told.

    :param is_capture: whether it must be a capture.
    :param may_stop: also tell beginnings of turns, whose piece must still jump on.
    """
    origin, target = squares[0], squares[-1]
    if not (0 <= origin < SQUARES and 0 <= target < SQUARES) or state.quiet >= QUIET_TURNS:
        return []
    if must_capture(state):
        found = [way for way in _captures(state, origin, squares[1:]) if way.is_whole or may_stop]
        exact = [way for way in found if way.is_whole and len(way.steps) == len(squares) - 1]
        return _different(exact + [way for way in found if not way.is_whole] if exact else found)
    if is_capture or len(squares) != 2 or not _is_move(state, bit_of(origin), bit_of(target)):
        return []
    step = origin << 5 | target
    return [Way((step,), play(state, step))]


def _different(found: Sequence[Way]) -> list[Way]:
    return [way for number, way in enumerate(found) if all(way.state != other.state for other in found[:number])]


def _is_move(state: State, origin: int, target: int) -> bool:
    """Whether the seat to act, which has no capture, can move from the bit *origin* to the bit *target*."""
    seat, distance = state.to_move, target - origin
    own = downward(state, seat) if distance > 0 else upward(state, seat)
    return distance in (4, 5, -4, -5) and own >> origin & 1 == 1 and (state.black | state.white) >> target & 1 == 0


def _captures(state: State, origin: int, squares: Sequence[int]) -> Iterator[Way]:
    """Yield the captures from *origin* that pass *squares* in order, the last at their end or for the moment."""
    place = bit_of(origin)
    if state.jumper and state.jumper != 1 << place:
        return
    seat = state.to_move
    theirs, empty = pieces_of(state, 1 - seat), BOARD & ~(state.black | state.white)
    down, up = downward(state, seat) >> place & 1, upward(state, seat) >> place & 1
    for distance in _DISTANCES:
        target = place + distance
        if not (down if distance > 0 else up) or target < 0 or not empty >> target & 1:
            continue
        if not theirs >> ((place + target) >> 1) & 1:
            continue
        landing = square_of(target)
        step = origin << 5 | landing
        after = play(state, step)
        if len(squares) == 1 and landing == squares[0]:
            yield Way((step,), after, not after.jumper)
        if after.jumper:
            rest = squares[1:] if len(squares) > 1 and landing == squares[0] else squares
            for way in _captures(after, landing, rest):
                yield Way((step, *way.steps), way.state, way.is_whole)
