"""Checks of keys: equal for equal positions, different for others; canonical keys are equal for symmetric ones too."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from papan.ai.evaluation import evaluate, evaluation_of
from papan.game.base.protocols import offers
from papan.game.explorer.changes import CONTENT_BITS, SIDE_CELL
from papan.game.game import Game
from papan.game.rules import (
    Searchable,
    State,
    canonical_key,
    content_at,
    is_over,
    key,
    legal_steps,
    mover,
    payoff,
    play,
    seats,
    steps_to_draw,
)
from papan.testing.random_games import (
    Broken,
    Form,
    ReachedState,
    first_states,
    forms,
    is_judged,
    new_match,
    random_match,
    random_matches,
    turn_starts,
)

WAYS = 16
"""The most symmetries of a board; see ``canonical_key``."""


def different_positions_have_different_keys(game: Game) -> None:
    """Positions at the start of turns, compared by their texts without the draw counters at the end."""
    known: dict[int, str] = {}
    for match in random_matches(game):
        for state in turn_starts(match):
            position, text = int(key(state)), game.rules.text(state).rstrip("0123456789 /:")
            if not -(2**63) <= position < 2**63:
                raise Broken(f"A key must fit 64 bits: that of {text} is {position}.")
            if known.setdefault(position, text) != text:
                raise Broken(f"Different positions must have different keys: {known[position]} and {text} share one.")


def states_of_one_key_are_one_position(game: Game) -> None:
    """States with one key have the same mover, legal steps and successors."""
    for form in forms(game):
        groups: dict[int, State] = {}
        for state, _ in _reached_states(game, form):
            first = groups.setdefault(key(state), state)
            if first != state and _outlook(first) != _outlook(state):
                raise Broken(f"Different positions must have different keys: {first} and {state} share one.")


def states_of_one_canonical_key_are_worth_the_same(game: Game) -> None:
    """States with one canonical key have the same mover, number of legal steps, successors and value."""
    weights = [np.array(weights) for weights in evaluation_of(game).WEIGHTS.values()]
    for form in forms(game):
        groups: dict[int, ReachedState] = {}
        for reached in _reached_states(game, form):
            position, way = canonical_key(reached.state)
            _check_way(reached.state, position, way)
            first = groups.setdefault(position, reached)
            if key(first.state) != key(reached.state):
                _check_agreement(first, reached, weights)


def canonical_keys_fold_something(game: Game) -> None:
    """Canonical keys, if the game has any, are shared by different positions, but only by ones with different ways."""
    for form in forms(game):
        own = canonical_key.implementation(type(new_match(game, 1, form).state)).function
        if own is canonical_key.default:
            continue
        shared: dict[int, set[int]] = defaultdict(set)
        by_way: dict[tuple[int, int], int] = {}
        for state, _ in _reached_states(game, form):
            position, way = canonical_key(state)
            shared[position].add(key(state))
            if by_way.setdefault((position, way), key(state)) != key(state):
                raise Broken(f"Different positions with the same way must have different canonical keys: {state}.")
        if all(len(keys) == 1 for keys in shared.values()):
            raise Broken("Canonical keys must be shared by positions that are each other's mirror images: none is.")


def boards_in_rows_have_signs(game: Game) -> None:
    """The rows of a ``Searchable`` game are of one length, its cells have numbers in range, its contents signs."""
    if not offers(game.rules, Searchable):
        return
    for form in forms(game):
        for state, _ in _reached_states(game, form):
            board = game.rules.board_rows(state)
            cells = [*chain(*board.rows)]
            contents = [int(content_at(state, cell)) for cell in cells]
            if len({len(row) for row in board.rows}) != 1 or len(set(cells)) != len(cells):
                raise Broken(f"The rows of a board must have the same length and different cells: {state}.")
            if not all(0 <= cell < SIDE_CELL for cell in [*cells, *board.given]):
                raise Broken(f"The cells of a board must be from 0 to {SIDE_CELL - 1}: {state}.")
            if not all(0 <= content < min(len(board.signs), 1 << CONTENT_BITS) for content in contents):
                raise Broken(f"Each content of a cell must have a sign: {contents} in {state}.")
            if any(content_at(state, cell) != content for cell, content in board.given.items()):
                raise Broken(f"A cell beyond the board must have the content given: {state}.")


def _reached_states(game: Game, form: Form) -> list[ReachedState]:
    """The first states of a game, and those of a random match, except states drawn by a counter."""
    match = random_match(game, 1, form)
    starts = {turn.first_step for turn in match.turns()}
    later = [ReachedState(state, index in starts) for index, state in enumerate(match.states)]
    return [reached for reached in first_states(game, form) + later if steps_to_draw(reached.state) > 0]


def _outlook(state: State) -> Any:
    """The mover, the payoffs, and the key after each legal step."""
    return _mover(state), _payoffs(state), {step: key(play(state, step)) for step in legal_steps(state)}


def _check_way(state: State, position: int, way: int) -> None:
    if not 0 <= way < WAYS:
        raise Broken(f"Ways are numbered from 0, below {WAYS}: that of {state} is {way}.")
    if position > key(state) or (way == 0 and position != key(state)):
        raise Broken(f"A canonical key must be the least of all ways, and way 0 the key itself: not so in {state}.")


def _check_agreement(first: ReachedState, second: ReachedState, weights: Iterable[Any]) -> None:
    """:raises Broken: two positions with one canonical key differ in what must be the same for all symmetries."""
    states = (first.state, second.state)
    differing = [
        what
        for what, of in (
            ("whose turn it is", _mover),
            ("how many steps are legal", lambda state: len(legal_steps(state))),
            ("the payoffs", _payoffs),
            ("what they lead to", _successors),
        )
        if of(states[0]) != of(states[1])
    ]
    if not differing and first.begins_turn and second.begins_turn and is_judged(first.state):
        for vector in weights:
            values = [evaluate(state, mover(state), vector) for state in states]
            if not math.isclose(*values, rel_tol=1e-9, abs_tol=1e-9):
                differing = [f"their worth ({values[0]:g} and {values[1]:g})"]
    if differing:
        raise Broken(f"States of one canonical key must agree; {states[0]} and {states[1]} differ in {differing[0]}.")


def _mover(state: State) -> int | None:
    return None if is_over(state) else int(mover(state))


def _payoffs(state: State) -> tuple[float, ...]:
    return tuple(payoff(state, seat) for seat in range(seats(state))) if is_over(state) else ()


def _successors(state: State) -> Counter[int]:
    return Counter(canonical_key(play(state, step))[0] for step in legal_steps(state))
