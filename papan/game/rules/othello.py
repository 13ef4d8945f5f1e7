"""Othello: 8×8 cells, discs outflanked in a line are turned over; a seat that cannot play passes; more discs win.

The rules are those of the World Othello Federation. The board is one bit a cell, from a1 in the top left
corner row by row to h8, the 64th::

       a  b  c  d  e  f  g  h
    1  0  1  2  3  4  5  6  7
    2  8  9 10 11 12 13 14 15
    …
    8 56 57 58 59 60 61 62 63

A step is the cell of the new disc, or ``PASS``, which is legal only without any other step, and is a turn by itself. A
pass has no cells to point at. The game is over as soon as neither seat can play, without passes. Notation: ``f5``,
``pass``. Position text: 64 of ``X`` black, ``O`` white, ``-`` empty, from a1 to h8, a space, and the side to move.

All 64 bits are needed, so discs are ``uint64``. Turned discs have another one on either side: no line of them reaches a
corner, so they fit 63 bits, and only sets of cells to play on need care: h8 is their sign bit in compiled code. They
are counted, walked and compared with 0, and never shifted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from papan.game.base.sentences import say, say_number
from papan.game.base.untrusted import quoted
from papan.game.kernel import int64, state, subroutine, uint64
from papan.game.kernel.bits import popcount, write_bits
from papan.game.kernel.rng import mix
from papan.game.rules import (
    BoardRows,
    Ending,
    PositionError,
    canonical_key,
    content_at,
    is_over,
    key,
    legal_steps,
    mover,
    moves,
    payoff,
    play,
    reason_number,
)
from papan.game.rules.one_click import as_step, one_phase

SIZE = 8
CELLS = SIZE * SIZE
PASS = CELLS
MOST_STEPS = CELLS
FULL = (1 << CELLS) - 1
BIT = np.array([1 << cell for cell in range(CELLS)], np.uint64)

# Cells where discs can be turned over: along a row not on the outer columns, along a column not on the outer rows.
ALONG_ROWS = 0x7E7E7E7E7E7E7E7E
ALONG_COLUMNS = 0x00FFFFFFFFFFFF00
ALONG_DIAGONALS = ALONG_ROWS & ALONG_COLUMNS


def _cells(row_bits: int, column_bits: int, of_row: int, of_column: int) -> int:
    """The cells whose row has *of_row* of the bits *row_bits*, and whose column *of_column* of *column_bits*."""
    return sum(
        1 << cell
        for cell in range(CELLS)
        if cell // SIZE & row_bits == of_row and cell % SIZE & column_bits == of_column
    )


# The cells exchanged with cells further on by the symmetries: rows, then triangles.
UPPER_ROWS = tuple(_cells(bits, 0, 0, 0) for bits in (1, 2, 4))
RIGHT_OF_DIAGONAL = tuple(_cells(bits, bits, 0, bits) for bits in (1, 2, 4))

BLACK, WHITE = 0, 1
COLOURS = (say("Black"), say("White"))
SIGNS = "XO"
EMPTY_SIGN = "-"

PHASES, phase = one_phase()
PERFT_COUNTS_ENDED_GAMES = True


@state
class State(NamedTuple):
    """The discs of the seat to move, the other seat's, and the seat to move: after passes the discs don't show it."""

    mine: uint64
    theirs: uint64
    to_move: int64


# ------------------------------------------------------------------------------------------- kernels


@subroutine
def beyond_lines(mine: int, between: int, shift: int) -> int:
    """The cells just beyond unbroken lines of discs *between* that start next to one of *mine*, both ways."""
    # Lines grow by one disc, then by two at a time: six are the most there can be.
    up = (mine << shift) & between
    up |= (up << shift) & between
    pairs = between & (between << shift)
    up |= (up << (2 * shift)) & pairs
    up |= (up << (2 * shift)) & pairs
    down = (mine >> shift) & between
    down |= (down >> shift) & between
    pairs >>= shift
    down |= (down >> (2 * shift)) & pairs
    down |= (down >> (2 * shift)) & pairs
    return (up << shift) | (down >> shift)


@subroutine
def playable_cells(mine: int, theirs: int) -> int:
    """The cells where the seat with the discs *mine* may play."""
    found = beyond_lines(mine, theirs & ALONG_ROWS, 1)
    found |= beyond_lines(mine, theirs & ALONG_COLUMNS, SIZE)
    found |= beyond_lines(mine, theirs & ALONG_DIAGONALS, SIZE - 1)
    found |= beyond_lines(mine, theirs & ALONG_DIAGONALS, SIZE + 1)
    return found & ~(mine | theirs) & FULL


@subroutine
def outflanked_discs(disc: int, mine: int, between: int, shift: int) -> int:
    """The discs *between* the one *disc* and one of *mine*, both ways."""
    up = (disc << shift) & between
    up |= (up << shift) & between
    down = (disc >> shift) & between
    down |= (down >> shift) & between
    pairs = between & (between << shift)
    up |= (up << (2 * shift)) & pairs
    up |= (up << (2 * shift)) & pairs
    pairs >>= shift
    down |= (down >> (2 * shift)) & pairs
    down |= (down >> (2 * shift)) & pairs
    found = 0
    if (up << shift) & mine:
        found = up
    if (down >> shift) & mine:
        found |= down
    return found


@subroutine
def discs_turned_over(cell: int, mine: int, theirs: int) -> int:
    """The discs of *theirs* that a disc on *cell*, next to those of *mine*, turns over."""
    disc = int(BIT[cell])
    found = outflanked_discs(disc, mine, theirs & ALONG_ROWS, 1)
    found |= outflanked_discs(disc, mine, theirs & ALONG_COLUMNS, SIZE)
    found |= outflanked_discs(disc, mine, theirs & ALONG_DIAGONALS, SIZE - 1)
    found |= outflanked_discs(disc, mine, theirs & ALONG_DIAGONALS, SIZE + 1)
    return found


@mover.of(State)
def _mover(state: State) -> int:
    return state.to_move


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    cells = playable_cells(state.mine, state.theirs)
    if cells == 0 and playable_cells(state.theirs, state.mine) != 0:
        buffer[base] = PASS
        return base + 1
    return write_bits(cells, 0, buffer, base)


@play.of(State)
def _play(state: State, step: int) -> State:
    if step == PASS:
        return State(state.theirs, state.mine, 1 - state.to_move)
    turned = discs_turned_over(step, state.mine, state.theirs)
    return State(state.theirs & ~turned, state.mine | turned | int(BIT[step]), 1 - state.to_move)


@is_over.of(State)
def _is_over(state: State) -> bool:
    return playable_cells(state.mine, state.theirs) == 0 and playable_cells(state.theirs, state.mine) == 0


@reason_number.of(State)
def _reason_number(state: State) -> int:
    mine, theirs = popcount(state.mine), popcount(state.theirs)
    return max(mine, theirs) * (CELLS + 1) + min(mine, theirs)


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    ahead = popcount(state.mine) - popcount(state.theirs)
    if seat != state.to_move:
        ahead = -ahead
    if ahead == 0:
        return 0.0
    return 1.0 if ahead > 0 else -1.0


@key.of(State)
def _key(state: State) -> int:
    return (mix(mix(state.mine) ^ state.theirs) >> 2) * 2 + state.to_move


@subroutine
def with_cells_exchanged(discs: int, mask: int, shift: int) -> int:
    """*discs* with the cells of *mask* and those *shift* further on exchanged; *mask* has none of the last."""
    moved = (discs >> shift ^ discs) & mask
    return discs ^ moved ^ moved << shift


@subroutine
def upside_down(discs: int) -> int:
    """The rows of *discs* in reverse order."""
    discs = with_cells_exchanged(discs, UPPER_ROWS[0], SIZE)
    discs = with_cells_exchanged(discs, UPPER_ROWS[1], 2 * SIZE)
    return with_cells_exchanged(discs, UPPER_ROWS[2], 4 * SIZE)


@subroutine
def across_the_diagonal(discs: int) -> int:
    """*discs* with rows and columns exchanged."""
    discs = with_cells_exchanged(discs, RIGHT_OF_DIAGONAL[0], SIZE - 1)
    discs = with_cells_exchanged(discs, RIGHT_OF_DIAGONAL[1], 2 * (SIZE - 1))
    return with_cells_exchanged(discs, RIGHT_OF_DIAGONAL[2], 4 * (SIZE - 1))


@canonical_key.of(State)
def _canonical_key(state: State) -> tuple[int, int]:
    image = state
    least, way = key(state), 0
    for number in range(1, 8):  # turning it over about two axes in turn visits all eight symmetries
        if number & 1:
            image = State(upside_down(image.mine), upside_down(image.theirs), image.to_move)
        else:
            image = State(across_the_diagonal(image.mine), across_the_diagonal(image.theirs), image.to_move)
        other = key(image)
        if other < least:
            least, way = other, number
    return least, way


@content_at.of(State)
def _content_at(state: State, cell: int) -> int:
    bit = int(BIT[cell])
    if state.mine & bit:
        return 1 + state.to_move
    return 2 - state.to_move if state.theirs & bit else 0


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """Two discs of each colour in the centre; black is to move."""
    black, white = (3, 4), (3, 3)
    return State(
        sum(1 << _cell(column, row) for column, row in (black, black[::-1])),
        sum(1 << _cell(column, row) for column, row in (white, (4, 4))),
        BLACK,
    )


def _cell(column: int, row: int) -> int:
    return row * SIZE + column


def name_of(cell: int) -> str:
    """The name of *cell*: a letter for its column, a number for its row from the top."""
    return "abcdefgh"[cell % SIZE] + str(cell // SIZE + 1)


def discs(state: State, seat: int) -> int:
    """Bitboard of the discs of *seat*."""
    return state.mine if seat == state.to_move else state.theirs


def discs_turned_by(state: State, cell: int) -> int:
    """Bitboard of the discs that the seat to move turns over by playing on *cell*."""
    return discs_turned_over(cell, state.mine, state.theirs)


def notation(state: State, step: int) -> str:
    """The cell, or ``pass``."""
    return "pass" if step == PASS else name_of(step)


def cells(state: State, step: int) -> tuple[int, ...]:
    """The cell; a pass is a choice by name."""
    return () if step == PASS else (step,)


def refusal(state: State, step: int) -> str:
    if is_over(state):
        return say("The game is over: {reason}.", reason=ending(state).reason)
    if step == PASS:
        return say("{colour} has a cell to play on, and may not pass.", colour=COLOURS[state.to_move])
    if not 0 <= step < CELLS:
        return say(
            "There is no cell {cell}: the cells are 0 to {last}, and {pass_step} is a pass.",
            cell=step,
            last=CELLS - 1,
            pass_step=PASS,
        )
    if (state.mine | state.theirs) >> step & 1:
        return say("There is a disc on {cell} already.", cell=name_of(step))
    if not playable_cells(state.mine, state.theirs):
        return say("{colour} can't turn over any disc, and must pass.", colour=COLOURS[state.to_move])
    if state.to_move == WHITE:
        return say("A disc on {cell} turns nothing over: it must outflank black discs in a line.", cell=name_of(step))
    return say("A disc on {cell} turns nothing over: it must outflank white discs in a line.", cell=name_of(step))


refusal_at = as_step(refusal)


def describe(state: State, step: int) -> tuple[str, str]:
    if step == PASS:
        return say("Pass"), say("No disc can be turned over, so the other player plays next.")
    turned = popcount(discs_turned_by(state, step))
    return name_of(step), say_number("turns over {count} disc", "turns over {count} discs", turned)


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    if playable_cells(state.mine, state.theirs):
        return say("Place a disc"), say("It must outflank discs of the other colour; they are turned over.")
    return say("You must pass"), say("No cell lets you turn over a disc.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    number = popcount(discs(state, seat))
    return COLOURS[seat], say_number("{count} disc", "{count} discs", number)


def seat_score(state: State, seat: int) -> int:
    return popcount(discs(state, seat))


def ending(state: State) -> Ending:
    black, white = (popcount(discs(state, seat)) for seat in (BLACK, WHITE))
    more, fewer = max(black, white), min(black, white)
    reason = (
        say("{more} discs to {fewer}", more=more, fewer=fewer) if fewer else say("no disc of the other colour is left")
    )
    return Ending(
        (payoff(state, BLACK), payoff(state, WHITE)),
        say("{black} discs each", black=black) if more == fewer else reason,
    )


def board_rows(state: State) -> BoardRows:
    rows = [range(first, first + SIZE) for first in range(0, CELLS, SIZE)]
    return BoardRows(rows, EMPTY_SIGN + SIGNS, SIGNS, symmetries=8)


def text(state: State) -> str:
    """The cells from a1 to h8, and the side to move."""
    sets = (discs(state, BLACK), discs(state, WHITE))
    signs = "".join(
        next((sign for sign, own in zip(SIGNS, sets, strict=True) if own >> cell & 1), EMPTY_SIGN)
        for cell in range(CELLS)
    )
    return f"{signs} {SIGNS[state.to_move]}"


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position of a text in the format of ``text``, or as other programs write it.

    Black is also ``x``, ``*``, ``@``, ``b`` or ``●``, White ``o``, ``w`` or ``○``, an empty cell ``.`` or ``_``. The
    cells may stand in rows with or without blanks, bars and numbers, and after an ``8`` as in GGF. The side follows, is
    told in words (``Black to move``), or is the only one that can play; what else follows is skipped.

    >>> popcount(parse("-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X", {}).mine)
    2
    >>> parse("8 " + "........ " * 3 + "...w*... ...*w... " + "........ " * 3 + "o to play", {}).to_move
    1
    """
    text = text[:_LONGEST_TEXT]
    rows = list(_ROW.finditer(text))[:SIZE]
    if len(rows) == SIZE:
        signs = "".join(_between_cells(row["cells"]) for row in rows)
        beyond = text[rows[-1].end("cells") :]
        around = "\n".join([text[: rows[0].start()], *(row["rest"] for row in rows[:-1]), beyond])
    else:
        signs, beyond = _cells_in_a_string(text)
        around = beyond
    black, white = (sum(1 << cell for cell, sign in enumerate(signs) if sign in own) for own in _FOREIGN_SIGNS)
    side = _side_told(beyond, around)
    if side is None:
        can_play = [bool(playable_cells(*discs)) for discs in ((black, white), (white, black))]
        if all(can_play):
            raise PositionError.saying(
                "Whose turn is it? Both could play: write X for Black or O for White after the {cells} cells.",
                cells=CELLS,
            )
        side = WHITE if can_play[WHITE] else BLACK
    return State(black, white, BLACK) if side == BLACK else State(white, black, WHITE)


_FOREIGN_SIGNS = ("Xx*Bb@●⚫", "OoWw○⚪")
_FOREIGN_EMPTY_SIGNS = "-._·"
_CELL = f"[{''.join(_FOREIGN_SIGNS)}{_FOREIGN_EMPTY_SIGNS[1:]}-]"
_SIDE = f"black|white|[{''.join(_FOREIGN_SIGNS)}]"
_LONGEST_TEXT = 4096
"""Characters of a position; what follows is not read."""
_ROW = re.compile(
    rf"^[ \t|]*(?:[1-{SIZE}][ \t|]*)?(?P<cells>{_CELL}(?:[ \t|]*{_CELL}){{{SIZE - 1}}})(?!{_CELL})(?P<rest>.*)$",
    re.MULTILINE,
)
_SIZE_FIRST = re.compile(rf"\s*{SIZE}\s+|\s+")
_STRING = re.compile(rf"(?:\s*{SIZE}\s+|\s+)?({_CELL}(?:[\s|/]*{_CELL}){{{CELLS - 1}}})")
_BETWEEN_CELLS = re.compile(r"[\s|/]+")
_SIDE_NEXT = re.compile(rf"\s*(?:[{SIZE}|,;:]\s*)*({_SIDE})(?=[\s,;:%|]|$)", re.IGNORECASE)
_SIDE_IN_WORDS = re.compile(
    rf"(?<!\w)({_SIDE})(?:'s)?\s+(?:to\s+(?:move|play)|turn|moves|plays)\b"
    rf"|\b(?:to\s+(?:move|play)|turn|side|next|player)\s*[:=]\s*({_SIDE})(?!\w)",
    re.IGNORECASE,
)


def _between_cells(text: str) -> str:
    """The cells of *text* without what separates them."""
    return _BETWEEN_CELLS.sub("", text)


def _cells_in_a_string(text: str) -> tuple[str, str]:
    """The cells that *text* begins with, after the size or not, and what follows them."""
    found = _STRING.match(text)
    if found is None:
        raise _no_board(text)
    beyond = text[found.end() :]
    if beyond[:1] in tuple(_FOREIGN_EMPTY_SIGNS) or re.match(rf"{_CELL}{{2}}", beyond):
        raise PositionError.saying(
            "There are more than {cells} cells; a space and the side to move, X or O, come after h8, not {rest}.",
            cells=CELLS,
            rest=quoted(beyond),
        )
    return _between_cells(found[1]), beyond


def _no_board(text: str) -> PositionError:
    """The error for a *text* that begins with fewer cells than a board has."""
    size = _SIZE_FIRST.match(text)
    offset = size.end() if size else 0
    number = 0
    for place, sign in enumerate(text[offset:], start=offset + 1):
        if re.match(_CELL, sign):
            number += 1
        elif not _BETWEEN_CELLS.match(sign):
            return PositionError.saying(
                "Character {number} ({cell}), {sign}, is not a cell: write X black, O white, - empty.",
                number=place,
                cell=name_of(number),
                sign=quoted(sign),
            )
    return PositionError.saying("There are {number} cells; a1 to h8 are {cells}.", number=number, cells=CELLS)


def _side_told(beyond: str, around: str) -> int | None:
    """The side to move by what stands directly *beyond* the cells, or by words *around* them."""
    found = _SIDE_NEXT.match(beyond) or _SIDE_IN_WORDS.search(around)
    if found is None:
        return None
    told = next(filter(None, found.groups())).lower()
    return BLACK if told == "black" or told in _FOREIGN_SIGNS[BLACK] else WHITE


_TURN = re.compile(r"(?:\d+\s*[.:)]\s*)?([a-h][1-8]|pass|pa|ps|--|@@)(?:/.*|[!?]+)?", re.IGNORECASE)


def foreign_turns(state: State, text: str) -> Sequence[Sequence[int]]:
    """``F5``, ``12. f5``, ``f5!?`` and ``f5/0.48/1.2`` for ``f5``; ``PA``, ``Pass``, ``PS``, ``--`` and ``@@``."""
    found = _TURN.fullmatch(text.strip())
    if found is None:
        return []
    told = found[1].lower()
    step = CELL_OF.get(told, PASS)
    return [[step]] if step in legal_steps(state, MOST_STEPS) else []


CELL_OF: Mapping[str, int] = {name_of(cell): cell for cell in range(CELLS)}
