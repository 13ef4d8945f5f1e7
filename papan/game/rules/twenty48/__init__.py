"""2048: slide all tiles to one side, equal tiles that meet become one; a new tile appears after each slide.

Gabriele Cirulli's game of 2014, for one seat. It ends when no direction changes anything; the score is the sum of all
merged tiles. After each slide CHANCE puts a 2 (nine times of ten) or a 4 on an empty cell, all cells being equally
likely; the first two tiles come by the same distribution.

A player's step is a direction: 0 up, 1 right, 2 down, 3 left. An outcome of chance is twice the cell, plus 1 for
a 4. Notations are ``up``, ``right``, ``down``, ``left`` and, for a tile, ``2@b3``: columns are letters from the left,
rows are numbered from the bottom. ``board`` has the state.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from papan.game.base.sentences import capitalised, figures, say
from papan.game.base.untrusted import quoted
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.bits import hashed, lowest, popcount
from papan.game.kernel.rng import RandomState, below, drawn_bit
from papan.game.rules import (
    CHANCE,
    Ending,
    Goal,
    PositionError,
    achieved,
    chance,
    deal,
    is_over,
    key,
    legal_steps,
    mover,
    moves,
    payoff,
    play,
    reason_number,
    seats,
)
from papan.game.rules.twenty48.board import FIELD as FIELD
from papan.game.rules.twenty48.board import LARGEST as LARGEST
from papan.game.rules.twenty48.board import (
    LOWER_CELLS,
    UPPER_CELLS,
    after_sliding,
    after_sliding_right,
    cell_name,
    changes,
    empty_lower,
    empty_upper,
    lower_of_turned,
    points,
    score_bounds,
    upper_of_turned,
    values_of,
)
from papan.game.rules.twenty48.board import State as State
from papan.game.rules.twenty48.board import board_cells as board_cells
from papan.game.rules.twenty48.board import board_of as board_of
from papan.game.rules.twenty48.board import tile as tile

UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS = ("up", "right", "down", "left")
_WAYS = (say("up"), say("right"), say("down"), say("left"))
SIDES = FIELD * FIELD
"""The cell of the upper side, to point at for sliding up; the others follow in order."""
MOST_STEPS = 2 * FIELD * FIELD
FOUR_SHARE = 0.1
"""The probability that a new tile is a 4."""

GOAL = Goal(
    lambda number: say("a tile of {number}", number=number), tuple(1 << power for power in range(2, LARGEST + 1))
)

PHASES: Mapping[str, Sequence[str]] = {say("slide"): ("tile",), say("tile"): ("slide",)}
PERFT_COUNTS_ENDED_GAMES = True


# ---------------------------------------------------------------------------------------------- kernels


@seats.of(State)
def _seats(state: State) -> int:
    return 1


@mover.of(State)
def _mover(state: State) -> int:
    return CHANCE if state.awaits_tile else 0


@moves.of(State)
@inlined
def _moves(state: State, buffer: list[int], base: int) -> int:
    if state.awaits_tile:
        for half in range(2):
            empty = empty_upper(state) if half == 0 else empty_lower(state)
            while empty:
                cell = 8 * half + lowest(empty) // 4
                buffer[base] = 2 * cell
                buffer[base + 1] = 2 * cell + 1
                base += 2
                empty &= empty - 1
        return base
    upper, lower, size = state.upper, state.lower, state.size
    sideways = changes(upper, lower)
    upright = changes(upper_of_turned(upper, lower), lower_of_turned(upper, lower))
    if upright & 1:
        buffer[base] = UP
        base += 1
    if sideways >> size - 1 & 1:
        buffer[base] = RIGHT
        base += 1
    if upright >> size - 1 & 1:
        buffer[base] = DOWN
        base += 1
    if sideways & 1:
        buffer[base] = LEFT
        base += 1
    return base


@play.of(State)
@inlined
def _play(state: State, step: int) -> State:
    upper, lower, size = state.upper, state.lower, state.size
    if state.awaits_tile:
        new = ((step & 1) + 1) << 4 * (step >> 1 & 7)
        if step < 16:
            upper |= new
        else:
            lower |= new
        return State(upper, lower, state.score, size, 0)
    is_upright = step in (UP, DOWN)
    if is_upright:
        upper, lower = upper_of_turned(upper, lower), lower_of_turned(upper, lower)
    score = state.score + points(upper) + points(lower)
    if step in (UP, LEFT):
        upper, lower = after_sliding(upper), after_sliding(lower)
    else:
        upper, lower = after_sliding_right(upper, size), after_sliding_right(lower, size)
    if is_upright:
        upper, lower = upper_of_turned(upper, lower), lower_of_turned(upper, lower)
    return State(upper, lower, score, size, 1)


@is_over.of(State)
@inlined
def _is_over(state: State) -> bool:
    # Some tile is next to an empty cell if there is one.
    return not (state.awaits_tile or empty_upper(state) or empty_lower(state) or has_merge(state.upper, state.lower))


@subroutine
def has_merge(upper: int, lower: int) -> bool:
    """Whether two tiles of a full board can merge."""
    # There, a slide to the left can only merge.
    either = changes(upper, lower) | changes(upper_of_turned(upper, lower), lower_of_turned(upper, lower))
    return either & 1 != 0


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    return float(state.score)


@reason_number.of(State)
def _reason_number(state: State) -> int:
    return 0  # no tile can move


@deal.of(State)
def _deal(state: State, facts: Any, random: RandomState) -> State:
    upper, lower = 0, 0
    free = int(UPPER_CELLS[state.size]) | int(LOWER_CELLS[state.size]) << 32
    for _ in range(2):
        bit = drawn_bit(free, random)
        free &= ~(1 << bit)
        power = 2 if facts[0] and below(random, 1 << 30) < FOUR_SHARE * (1 << 30) else 1
        if bit < 32:
            upper |= power << bit
        else:
            lower |= power << (bit - 32)
    return state._replace(upper=upper, lower=lower)


@achieved.of(State)
def _achieved(state: State, seat: int, goal: int) -> int:
    for cell in range(FIELD * FIELD):
        if goal <= 1 << tile(state, cell):
            return 1
    return -1 if is_over(state) else 0


@chance.of(State)
def _chance(state: State, step: int) -> float:
    share = FOUR_SHARE if step & 1 else 1.0 - FOUR_SHARE
    return share / (popcount(empty_upper(state)) + popcount(empty_lower(state)))


@key.of(State)
def _key(state: State) -> int:
    return hashed(state.upper, state.lower, state.score << 4 | state.size << 1 | state.awaits_tile)


# -------------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """Two tiles on cells drawn at random; with ``start=22`` both are 2s."""
    size = int(options["size"])
    dealt = {}
    for cell in random.sample(board_cells(size), 2):
        is_four = options["start"] == "random" and random.random() < FOUR_SHARE
        dealt[cell] = 2 if is_four else 1
    return board_of(dealt, size)


def to_deal(options: Mapping[str, str]) -> tuple[int]:
    """Whether the first tiles may be 4s."""
    return (int(options["start"] == "random"),)


def phase(state: State) -> str:
    """``slide``, or ``tile`` if chance must place one."""
    return "tile" if state.awaits_tile else "slide"


def notation(state: State, step: int) -> str:
    """The direction, or the new tile and its cell."""
    if state.awaits_tile:
        return f"{_new_value(step)}@{cell_name(step // 2, state.size)}"
    return DIRECTIONS[step]


_FOREIGN = (("u", "↑", "⬆"), ("r", "→", "➡"), ("d", "↓", "⬇"), ("l", "←", "⬅"))
_ADDED = re.compile(r"([24]) added to row ([1-4]), column ([1-4])")


def foreign_turns(state: State, text: str) -> Sequence[Sequence[int]]:
    """A direction as ``U``, ``Up`` or an arrow; a new tile as OpenSpiel writes it, ``2 added to row 1, column 4``."""
    if state.awaits_tile:
        found = _ADDED.fullmatch(text)
        steps = [2 * (FIELD * (int(found[2]) - 1) + int(found[3]) - 1) + int(found[1] == "4")] if found else []
    else:
        sign = text.lower().removesuffix("\ufe0f")  # asks for a coloured picture
        steps = [step for step, signs in enumerate(_FOREIGN) if sign in (*signs, DIRECTIONS[step])]
    return [[step] for step in steps if step in legal_steps(state)]


def _new_value(step: int) -> int:
    return 4 if step & 1 else 2


def cells(state: State, step: int) -> tuple[int, ...]:
    """The side of the board to slide to, or the cell of the new tile."""
    return (step // 2,) if state.awaits_tile else (SIDES + step,)


def refusal(state: State, step: int) -> str:
    if state.awaits_tile:
        return say("A 2 or a 4 can appear only on an empty cell.")
    if not 0 <= step < len(DIRECTIONS):
        return say("There is no direction {step}: they are {directions}.", step=step, directions=", ".join(DIRECTIONS))
    return say("Sliding {direction} would change nothing, so it is not a move.", direction=_WAYS[step])


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    if SIDES <= cells[0] < SIDES + len(DIRECTIONS):
        return refusal(state, cells[0] - SIDES)
    return say("Slide with an arrow key, or click near the side that the tiles are to slide to.")


def describe(state: State, step: int) -> tuple[str, str]:
    if state.awaits_tile:
        return say("A {tile} on {cell}", tile=_new_value(step), cell=cell_name(step // 2, state.size)), ""
    return capitalised(_WAYS[step]), ""


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    return say("Slide the tiles"), say("Use an arrow key or click near a side; equal tiles that meet become one.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    return figures(state.score), say("largest tile {tile}", tile=max(values_of(state).values()))


def seat_score(state: State, seat: int) -> int:
    return state.score


def ending(state: State) -> Ending:
    return Ending((payoff(state, 0),), say("no tile can move"))


# -------------------------------------------------------------------------------------- position texts


_CHANCE_WORD = "chance"


def text(state: State) -> str:
    """The values row by row from the top and the score, ``2,0/0,4 0``; then ``chance`` if it must place a tile."""
    values = list(values_of(state).values())
    rows = (values[first : first + state.size] for first in range(0, len(values), state.size))
    board = "/".join(",".join(str(value) for value in row) for row in rows)
    return f"{board} {state.score}" + (f" {_CHANCE_WORD}" if state.awaits_tile else "")


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position *text* on a board of the option ``size``.

    >>> parse("2,0/0,4 0", {"size": "2"}).score
    0
    """
    size = int(options["size"])
    found = re.fullmatch(rf"(\S+) (0|[1-9][0-9]{{0,8}})( {_CHANCE_WORD})?", text)
    if found is None:
        raise PositionError.saying(
            "A position is the rows, a space and the score, such as '2,0/0,4 0' on a board of size 2."
        )
    rows = found[1].split("/")
    if len(rows) != size:
        raise PositionError.saying(
            "A board of size {size} has {size} rows, separated by '/': there are {number} here.",
            size=size,
            number=len(rows),
        )
    powers: dict[int, int] = {}
    for number, row in enumerate(rows):
        values = row.split(",")
        if len(values) != size:
            raise PositionError.saying(
                "Row {row} has {number} cells, separated by commas, instead of {size}.",
                row=number + 1,
                number=len(values),
                size=size,
            )
        for column, value in enumerate(values):
            powers[FIELD * number + column] = _power(
                value, say("Row {row}, cell {column}", row=number + 1, column=column + 1)
            )
    made = board_of(powers, size, int(found[2]), bool(found[3]))
    _check(made)
    return made


def _power(value: str, where: str) -> int:
    """The exponent of *value*, a power of two; 0 for the empty cell ``0``."""
    if value == "0":
        return 0
    for power in range(1, LARGEST + 1):
        if value == str(1 << power):
            return power
    raise PositionError.saying(
        "{where}: {value} is not a tile; tiles are 2, 4, 8 … {largest}, and 0 is an empty cell.",
        where=where,
        value=quoted(value),
        largest=1 << LARGEST,
    )


def _check(state: State) -> None:
    """:raises PositionError: no game leads to *state*."""
    powers = [power for cell in board_cells(state.size) if (power := tile(state, cell))]
    if state.awaits_tile and not legal_steps(state):
        raise PositionError.saying("There is no empty cell for chance to place a tile on.")
    if len(powers) < (1 if state.awaits_tile else 2):
        raise PositionError.saying("There are too few tiles: a game begins with two, and slides leave at least one.")
    least, most = score_bounds(state)
    if not least <= state.score <= most or state.score % 4:
        raise PositionError.saying(
            "The score can't be {score}: tiles such as these are worth {least} to {most}, in steps of 4.",
            score=state.score,
            least=least,
            most=most,
        )
