"""Games as files tell them, a cell for each move, played by the rules: passes that are not told are put in.

A file's first games are played in plain Python, so that nobody waits for a compiler; all others by the same functions
in compiled code, many at a time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import BUILT_IN
from papan.game.formats import Transcript
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import get_state, state_rows
from papan.game.match.collection import Refused
from papan.game.rules import is_over, play
from papan.game.rules.othello import (
    BIT,
    BLACK,
    CELL_OF,
    COLOURS,
    PASS,
    State,
    discs_turned_over,
    notation,
    playable_cells,
    refusal,
    start,
    text,
)

GAME = BUILT_IN["othello"]
START = start({}, Random(0))
MOST_MOVES = 128
"""More than any game has, with passes."""
_IN_PYTHON = 500
"""Games of a file that are played in plain Python; compiling takes longer than they do."""
_BATCH = 1024
_NONE = -1
_FIRST_IF_EXCHANGED = frozenset(bytes([CELL_OF[name]]) for name in ("d6", "c5", "f4", "e3"))
"""Where the first disc goes if the four of the start are exchanged."""


@dataclass
class Told:
    """A game as a file tells it."""

    number: int
    """Of the game in the file, from 1."""
    line: int | None
    cells: bytes
    """The cell of each move, or PASS; passes may be missing."""
    start: State = START
    colours: bytes = b""
    """The seat of each move, if it is told."""
    told: Mapping[str, Any] = field(default_factory=dict)
    """What else a ``Transcript`` tells."""


def likely_start(cells: bytes, seat: int = BLACK) -> State:
    """The start from which *seat* may play the first of *cells*: the usual one, or the one with discs exchanged."""
    if cells[:1] in _FIRST_IF_EXCHANGED:
        return State(START.theirs, START.mine, seat)
    return State(START.mine, START.theirs, seat)


def transcripts(found: Iterable[Told | Refused]) -> Iterator[Transcript | Refused]:
    """Yield the transcript of each game, or the reason why it is refused."""
    games = iter(found)
    for one in itertools.islice(games, _IN_PYTHON):
        yield one if isinstance(one, Refused) else _transcript(one, *_played(one))
    while batch := list(itertools.islice(games, _BATCH)):
        yield from _transcripts(batch)


@subroutine
def step_towards(state: State, cell: int) -> int:
    """The step that comes next if the mover, or the other seat after a pass, plays on *cell*; _NONE if neither can.

    The *cell* PASS is a pass that is told.
    """
    if cell == PASS:
        can_pass = playable_cells(state.mine, state.theirs) == 0 and playable_cells(state.theirs, state.mine) != 0
        return PASS if can_pass else _NONE
    if (state.mine | state.theirs) & int(BIT[cell]) != 0:
        return _NONE
    if discs_turned_over(cell, state.mine, state.theirs) != 0:
        return cell
    if discs_turned_over(cell, state.theirs, state.mine) != 0 and playable_cells(state.mine, state.theirs) == 0:
        return PASS
    return _NONE


@compiled
def play_all(like: State, starts: Any, cells: Any, lengths: Any, steps: Any, step_counts: Any, played: Any) -> None:
    """Play many games.

    :param starts: a row for the first state of each game.
    :param cells: the moves of each, as many as *lengths* has.
    :param steps: receives the steps of each, *step_counts* their number, *played* the number of moves played.
    """
    for game in range(len(lengths)):
        state = get_state(like, starts, game)
        told, count = 0, 0
        while told < lengths[game]:
            cell = int(cells[game, told])
            step = step_towards(state, cell)
            if step == _NONE:
                break
            steps[game, count] = step
            count += 1
            state = play(state, step)
            if step == cell:
                told += 1
        step_counts[game] = count
        played[game] = told


def _played(told: Told) -> tuple[Sequence[int], int]:
    """The steps of a game, and how many of its moves they play, in plain Python."""
    state, steps, number = told.start, list[int](), 0
    cells = told.cells[:MOST_MOVES]
    while number < len(cells):
        step = step_towards(state, cells[number])
        if step == _NONE:
            break
        steps.append(step)
        state = play(state, step)
        number += step == cells[number]
    return steps, number


def _transcripts(batch: Sequence[Told | Refused]) -> Iterator[Transcript | Refused]:
    games = [one for one in batch if not isinstance(one, Refused)]
    starts = state_rows(START, len(games))
    for name in State._fields:
        starts[name] = [getattr(one.start, name) for one in games]
    moves = b"".join(one.cells[:MOST_MOVES].ljust(MOST_MOVES, b"\0") for one in games)
    cells = np.frombuffer(moves, np.uint8).reshape(len(games), MOST_MOVES)
    lengths = np.array([min(len(one.cells), MOST_MOVES) for one in games], np.int64)
    steps = np.zeros((len(games), 2 * MOST_MOVES), np.uint8)
    step_counts, played = np.zeros(len(games), np.int64), np.zeros(len(games), np.int64)
    play_all(START, starts, cells, lengths, steps, step_counts, played)
    results = zip(steps, step_counts.tolist(), played.tolist(), strict=True)
    for one in batch:
        if isinstance(one, Refused):
            yield one
        else:
            row, count, number = next(results)
            yield _transcript(one, row[:count].tobytes(), number)


def _transcript(told: Told, steps: Sequence[int], played: int) -> Transcript | Refused:
    """The transcript of a game whose first *played* moves are *steps*."""
    wrong = ""
    if played < len(told.cells):
        wrong = _fault(told, steps, played)
    elif told.colours:
        wrong = _fault_of_colours(told, steps)
    if wrong:
        return Refused(told.number, wrong, told.line)
    position = None if told.start == START else text(told.start)
    return Transcript(GAME, {}, position, tuple(steps), **told.told)


def _fault(told: Told, steps: Sequence[int], played: int) -> str:
    """Why the next move can't be played; "" if it is only that a finished game is passed on."""
    state = told.start
    for step in steps:
        state = play(state, step)
    if is_over(state) and told.cells[played:].strip(bytes([PASS])) == b"":
        return ""
    cell = told.cells[played]
    return say("Move {number}, {move}: {reason}", number=played + 1, move=_name(cell), reason=refusal(state, cell))


def _fault_of_colours(told: Told, steps: Sequence[int]) -> str:
    seat, number = told.start.to_move, 0
    for step in steps:
        if number < len(told.cells) and step == told.cells[number]:
            if told.colours[number] != seat:
                return say(
                    "Move {number}, {move}, is told for {colour}, but it is the other side's turn.",
                    number=number + 1,
                    move=_name(step),
                    colour=COLOURS[told.colours[number]],
                )
            number += 1
        seat = 1 - seat
    return ""


def _name(step: int) -> str:
    return notation(START, step)


def not_a_cell(number: int, line: int | None, move: int, told: str) -> Refused:
    """The refusal of a game whose *move*, from 1, is no cell."""
    reason = say("Move {number}, {move}, is neither a cell from a1 to h8 nor a pass.", number=move, move=quoted(told))
    return Refused(number, reason, line)


def scored(black: float, white: float) -> tuple[float, float]:
    """The payoffs of that many discs."""
    won = float((black > white) - (black < white))
    return won, 0.0 - won  # not -0.0, which would be written
