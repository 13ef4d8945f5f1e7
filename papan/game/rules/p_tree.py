"""P-tree: a tree of the same breadth and depth everywhere, with a number on each edge; the sum along the path decides.

Artificial games to measure searches with: the P-games of Smith and Nau, "An Analysis of Forward Pruning" (1994), in the
form of Kocsis and Szepesvári, "Bandit Based Monte-Carlo Planning" (2006). Seat 1, MAX, and seat 2, MIN, choose a branch
in turn. Each edge of MAX adds a whole number from 0 to 127, each one of MIN subtracts such a number, all equally
likely; after ``depth`` choices MAX has won if the sum is above 0, otherwise MIN. The option ``tree`` numbers these
trees: the number on an edge is a hash of the tree and of the path to it, so that nothing need be stored.

A step is the number of the branch, from 0; notation counts from 1. A position text is the path, such as ``1221``,
and empty for the root.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.kernel import int64, state, subroutine
from papan.game.kernel.bits import product
from papan.game.rules import Ending, PositionError, is_over, key, mover, moves, payoff, play, reason_number
from papan.game.rules.one_click import one_phase

MOST_BRANCHING = 8
MOST_DEPTH = 20
MOST_STEPS = MOST_BRANCHING
LARGEST = 127
"""The largest number on an edge."""

PHASES, phase = one_phase(say("branch"))
PERFT_COUNTS_ENDED_GAMES = True


@state
class State(NamedTuple):
    """A node of a tree."""

    path: int64
    """The branches chosen, as the digits, to the base ``branching``, of a number that begins with an extra 1."""
    plies: int64
    """The number of branches chosen."""
    total: int64
    """The sum of the numbers along the path."""
    branching: int64
    depth: int64
    tree: int64


# ---------------------------------------------------------------------------------------------- kernels


@subroutine
def number_on(tree: int, path: int) -> int:
    """The number, from 0 to 127, on the edge that ends the *path* in the *tree*."""
    # SplitMix64's mixer, cut down to 63 bits.
    mixed = product(path, 0x1E3779B97F4A7C15) ^ product(tree, 0x3C6EF372FE94F82B)
    mixed = product(mixed ^ mixed >> 30, 0x3F58476D1CE4E5B9)
    mixed = product(mixed ^ mixed >> 27, 0x14D049BB133111EB)
    return (mixed ^ mixed >> 31) >> 20 & LARGEST


@mover.of(State)
def _mover(state: State) -> int:
    return state.plies & 1


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if state.plies == state.depth:
        return base
    for branch in range(state.branching):
        buffer[base + branch] = branch
    return base + state.branching


@play.of(State)
def _play(state: State, step: int) -> State:
    path = state.path * state.branching + step
    number = number_on(state.tree, path)
    total = state.total - number if state.plies & 1 else state.total + number
    return State(path, state.plies + 1, total, state.branching, state.depth, state.tree)


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.plies == state.depth


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    return 1.0 if (state.total > 0) == (seat == 0) else -1.0


@reason_number.of(State)
def _reason_number(state: State) -> int:
    return state.total + LARGEST * state.depth  # not negative


@key.of(State)
def _key(state: State) -> int:
    return state.path


# -------------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The root of the tree that the options describe."""
    return State(1, 0, 0, int(options["branching"]), int(options["depth"]), int(options["tree"]))


def notation(state: State, step: int) -> str:
    """The branch, from 1."""
    return str(step + 1)


def cells(state: State, step: int) -> tuple[int, ...]:
    """A branch is chosen by name."""
    return ()


def refusal(state: State, step: int) -> str:
    return say(
        "There is no branch {branch}: the branches are 1 to {branches}.", branch=step + 1, branches=state.branching
    )


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    return say("A branch is chosen by its number.")


def describe(state: State, step: int) -> tuple[str, str]:
    change = play(state, step).total - state.total
    return say("Branch {branch}", branch=step + 1), say("Changes the sum by {change}.", change=f"{change:+}")


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    return say("Choose a branch"), say("The first player wants the sum above 0 at the end, the second does not.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    return ("MIN", "MAX")[seat == 0], say("sum {sum}", sum=f"{state.total:+}")


def ending(state: State) -> Ending:
    return Ending((payoff(state, 0), payoff(state, 1)), say("the sum is {sum}", sum=state.total))


def text(state: State) -> str:
    """The path: the branches chosen, each one digit from 1."""
    digits = []
    path = state.path
    for _ in range(state.plies):
        path, branch = divmod(path, state.branching)
        digits.append(str(branch + 1))
    return "".join(reversed(digits))


def parse(text: str, options: Mapping[str, str]) -> State:
    """The node at the end of the path *text*.

    >>> parse("12", {"branching": "2", "depth": "20", "tree": "0"}).plies
    2
    """
    node = start(options, Random(0))
    branches = "12345678"[: node.branching]
    for number, character in enumerate(text, start=1):
        if character not in branches:
            raise PositionError.saying(
                "Character {number}, {character}, is no branch: they are 1 to {branches}.",
                number=number,
                character=quoted(character),
                branches=node.branching,
            )
        if is_over(node):
            raise PositionError.saying(
                "Character {number}, {character}: the tree is only {depth} deep.",
                number=number,
                character=quoted(character),
                depth=node.depth,
            )
        node = play(node, int(character) - 1)
    return node
