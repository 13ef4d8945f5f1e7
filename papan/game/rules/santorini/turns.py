"""Turns of Santorini that are told as actions, in the order in which they are seen on the board."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from papan.game.rules import State as AnyState
from papan.game.rules import is_over, legal_steps, mover, play
from papan.game.rules.santorini.board import BUILD, CELL_BY_NAME, DOME, DONE, MOVE, step_parts

ANY_BUILD = -1
"""A kind of action: a block or a dome."""


class Action(NamedTuple):
    """What a worker does: a move, or a build, of a block or the dome that a tower of three needs."""

    kind: int
    """``MOVE``, ``BUILD``, ``DOME`` for a dome on a lower tower, or ``ANY_BUILD``."""
    origin: int
    """Of a move."""
    target: int


def turns_of(state: AnyState, actions: Sequence[Action]) -> list[list[int]]:
    """The steps of each legal turn that consists of *actions*; one for each state that they can lead to.

    Moves of one worker that follow each other may be one step, as with Hermes.
    """
    found: dict[AnyState, list[int]] = {}
    for steps, after in _continued(state, int(mover(state)), actions):
        found.setdefault(after, steps)
    return list(found.values())


def _continued(state: AnyState, seat: int, actions: Sequence[Action]) -> Iterator[tuple[list[int], AnyState]]:
    if is_over(state) or mover(state) != seat:
        if not actions:
            yield [], state
        return
    for step in legal_steps(state):
        for number in _actions_of(step, actions):
            for steps, after in _continued(play(state, step), seat, actions[number:]):
                yield [step, *steps], after


def _actions_of(step: int, actions: Sequence[Action]) -> Iterator[int]:
    """Yield how many of the first *actions* may be *step*."""
    kind, origin, target = step_parts(step)
    if kind == DONE:
        yield 0
    elif kind in (BUILD, DOME):
        if actions and actions[0].kind in (kind, ANY_BUILD) and actions[0].target == target:
            yield 1
    elif kind == MOVE:
        at = origin
        for number, action in enumerate(actions, start=1):
            if action.kind != MOVE or action.origin != at:
                return
            at = action.target
            if at == target:
                yield number


_CELL = "[A-Ea-e][1-5]"
_CELLS = rf"\(?({_CELL}(?:, ?{_CELL})?)\)?"
_ENGINE = re.compile(rf"(?:{_CELLS}>{_CELLS})?((?:\^{_CELL})*)#?")
_SQUARES = re.compile(rf"({_CELL})[ -]?({_CELL})(?:([ +^-]?)({_CELL}))?")


def readings(text: str) -> Iterator[list[Action]]:
    """Yield the actions that *text* can mean.

    ``C4>B4^B5`` moves and builds, ``(B4,C3)>(C4,B2)^B1`` moves both workers, whichever goes where, and ``^B1`` moves
    none, as engines write it; ``C4 B4 B5``, ``c4b4b5`` and ``C4-B4+B5`` are a move and a build.
    """
    if found := _ENGINE.fullmatch(text):
        origins, targets = (_named(group or "") for group in (found[1], found[2]))
        builds = [Action(ANY_BUILD, -1, cell) for cell in _named(found[3])]
        if len(origins) == len(targets) and (origins or builds):
            pairs = list(zip(origins, targets, strict=True))
            orders = {tuple(zip(origins, order, strict=True)) for order in permutations(targets)} if pairs else {()}
            for order in orders:
                for moves in {order, order[::-1]}:
                    yield [*(Action(MOVE, *pair) for pair in moves), *builds]
    elif found := _SQUARES.fullmatch(text):
        first, last = _named(found[1] + found[2])
        kinds = {"+": BUILD, "^": DOME}
        builds = [Action(kinds.get(found[3], ANY_BUILD), -1, cell) for cell in _named(found[4] or "")]
        yield [Action(MOVE, first, last), *builds]


def _named(text: str) -> list[int]:
    return [CELL_BY_NAME[name.lower()] for name in re.findall(_CELL, text)]
