"""CIFRA's position text: one line for every state.

``tiles/pieces/side to move/side whose home is row 1``, with 25 letters each for tiles and pieces, row 5
first and each row from a to e: W white, B blue and N neutral tiles; ``.`` empty, w b living and W B goal
pieces. The draw counter (turns without a capture or a goal) follows as a last field where it is not 0.

Before play it is ``tiles/side`` or, in the middle of the second player's turn, ``tiles/colour``: what is
to be chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.cifra_board import (
    CENTRE,
    COLOURED,
    COLOURS,
    MOVING,
    PIECES,
    QUIET_TURNS,
    State,
    cell_name,
    far_row,
    goals,
    living,
)
from game.rules import PositionError
from game.sight import CELLS, SIZE

_TO_CHOOSE = ("side", "colour")
_LETTERS = "wb"


def text(state: State) -> str:
    """The position text of *state*."""
    tiles = _letters({"W": state.white_tiles, "B": COLOURED ^ state.white_tiles, "N": CENTRE})
    if state.stage != MOVING:
        return f"{tiles}/{_TO_CHOOSE[state.stage]}"
    white = state.white_seat
    bitboards = {"w": living(state, white), "W": goals(state, white)}
    bitboards |= {"b": living(state, 1 - white), "B": goals(state, 1 - white)}
    fields = [tiles, _letters(bitboards), _LETTERS[state.to_move != white], _LETTERS[white]]
    if state.quiet:
        fields.append(str(state.quiet))
    return "/".join(fields)


def parse(text: str, options: Mapping[str, str]) -> State:
    """The state that *text* describes.

    >>> parse("WBWBWWBBWBBWNBWWWBBWBWBWB/side", {}).to_move
    1

    :raises PositionError: what is wrong, and where.
    """
    fields = text.split("/")
    tiles = _parse_letters(fields[0], "WBN", "tiles")
    if tiles["N"] != [CELLS // 2] or len(tiles["W"]) != len(tiles["B"]):
        raise PositionError(
            f"The tiles have {len(tiles['W'])} W, {len(tiles['B'])} B and {len(tiles['N'])} N:"
            " they must be 12 W, 12 B and one N, on c3."
        )
    white_tiles = _bits(tiles["W"])
    if len(fields) == 2:
        if fields[1] not in _TO_CHOOSE:
            raise PositionError(f"Field 2, '{fields[1]}', must be 25 cells or, before play, 'side' or 'colour'.")
        return State(white_tiles, 0, 0, 1, 0, _TO_CHOOSE.index(fields[1]), 0)
    if len(fields) not in (4, 5):
        raise PositionError(
            f"The position has {len(fields)} fields separated by '/':"
            " it must be tiles/pieces/side to move/side whose home is row 1, with a draw counter or not."
        )
    to_move = _parse_side(fields[2], 3, "the side to move")
    white = _parse_side(fields[3], 4, "the side whose home is row 1")
    quiet = _parse_quiet(fields[4]) if len(fields) == 5 else 0
    pieces = _parse_letters(fields[1], ".wbWB", "pieces")
    whites, blues = _parse_colour(pieces, "w", white), _parse_colour(pieces, "b", 1 - white)
    first, second = (whites, blues) if white == 0 else (blues, whites)
    return State(white_tiles, first, second, to_move ^ white, white, MOVING, quiet)


def _bits(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)


def _letters(bitboards: Mapping[str, int]) -> str:
    """The cells row by row, row 5 first: the letter of the bitboard that holds the cell, or a dot."""
    rows = (range(row * SIZE, row * SIZE + SIZE) for row in reversed(range(SIZE)))
    return "".join(
        next((letter for letter, bits in bitboards.items() if bits >> cell & 1), ".") for row in rows for cell in row
    )


def _parse_letters(field: str, alphabet: str, what: str) -> dict[str, list[int]]:
    """For each letter of *alphabet* the cells where *field*, the *what*, has it."""
    found: dict[str, list[int]] = {letter: [] for letter in alphabet}
    for place, letter in enumerate(field[:CELLS]):
        cell = (SIZE - 1 - place // SIZE) * SIZE + place % SIZE
        if letter not in found:
            raise PositionError(
                f"Character {place + 1} of the {what} ({cell_name(cell)}) is '{letter}': it must be one of {alphabet}."
            )
        found[letter].append(cell)
    if len(field) != CELLS:
        raise PositionError(f"The {what} are {len(field)} characters: there must be {CELLS}, row 5 first.")
    return found


def _parse_side(field: str, number: int, what: str) -> int:
    """0 for white and 1 for blue."""
    if field not in ("w", "b"):
        raise PositionError(f"Field {number}, {what}, is '{field}': it must be w or b.")
    return _LETTERS.index(field)


def _parse_quiet(field: str) -> int:
    if not (field.isascii() and field.isdigit()) or field.startswith("0") or int(field) > QUIET_TURNS:
        raise PositionError(
            f"Field 5, the turns without a capture or a goal, is '{field}':"
            f" it must be a number from 1 to {QUIET_TURNS}, or be left out."
        )
    return int(field)


def _parse_colour(pieces: Mapping[str, list[int]], letter: str, seat: int) -> int:
    """The bitboard of the pieces of one colour, which *seat* has."""
    colour = COLOURS[_LETTERS.index(letter)]
    goal = letter.upper()
    every = pieces[letter] + pieces[goal]
    if len(every) > PIECES:
        raise PositionError(f"There are {len(every)} {colour} pieces: there can't be more than {PIECES}.")
    row = SIZE if seat == 0 else 1
    for cell in every:
        if bool(far_row(seat) >> cell & 1) != (cell in pieces[goal]):
            raise PositionError(
                f"The {colour} piece on {cell_name(cell)} is written {goal if cell in pieces[goal] else letter}:"
                f" {colour} pieces on row {row} are goal pieces, {goal}, and all others living, {letter}."
            )
    return _bits(every)
