"""The position text of checkers, PDN's FEN with a draw counter.

``B:W21,K30:B1,2``: who is to move, then each side's squares, K before a king's; the turns since the last capture or
man's move follow behind a further colon where they are not 0.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.game.base.sentences import say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.rules import PositionError
from papan.game.rules.checkers.board import (
    COLOURS,
    MEN,
    QUIET_TURNS,
    ROW_EIGHT,
    ROW_ONE,
    SQUARES,
    State,
    bit_of,
    pieces_of,
    squares_of,
)

_LETTERS = "BW"


def text(state: State) -> str:
    """*state* as PDN FEN, ``B:W21,K30:B1,2``: who is to move, then each side's squares, K before a king's.

    The draw counter follows behind a further colon where it is not 0.

    :raises PositionError: a piece is still to jump on.
    """
    if state.jumper:
        raise PositionError.saying("A position text describes the start of a turn: here a piece is still to jump on.")
    sides = [_LETTERS[seat] + ",".join(_written(state, seat)) for seat in (1, 0)]
    counter = [str(state.quiet)] if state.quiet else []
    return ":".join([_LETTERS[state.to_move], *sides, *counter])


def _written(state: State, seat: int) -> list[str]:
    """The squares of *seat* as PDN writes them."""
    squares = squares_of(pieces_of(state, seat))
    return [("K" if state.kings >> bit_of(square) & 1 else "") + str(square + 1) for square in squares]


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position that *text* describes; the two sides may stand in either order.

    >>> parse("W:WK7,21:B1,9", {}).to_move
    1

    :raises PositionError: what is wrong, and where.
    """
    fields = text.split(":")
    if len(fields) not in (3, 4):
        raise PositionError.saying(
            "The position has {fields} separated by ':': it must be like B:W21,K30:B1,2, with"
            " the side to move, the squares of both sides, and a draw counter or not.",
            fields=say_number("{count} field", "{count} fields", len(fields)),
        )
    if fields[0] not in ("B", "W"):
        raise PositionError.saying("Field 1, the side to move, is {field}: it must be B or W.", field=quoted(fields[0]))
    sides: dict[str, tuple[int, int]] = {}
    for number, field in enumerate(fields[1:3], start=2):
        letter = field[:1]
        if letter not in ("B", "W") or letter in sides:
            raise PositionError.saying(
                "Field {number}, {field}, must begin with W for one side and B for the other.",
                number=number,
                field=quoted(field),
            )
        sides[letter] = _parse_side(field, number)
    (black, black_kings), (white, white_kings) = sides["B"], sides["W"]
    if black & white:
        square = squares_of(black & white)[0] + 1
        raise PositionError.saying("Square {square} has both a black and a white piece.", square=square)
    quiet = _parse_quiet(fields[3]) if len(fields) == 4 else 0
    return State(black, white, black_kings | white_kings, _LETTERS.index(fields[0]), 0, quiet)


def _parse_side(field: str, number: int) -> tuple[int, int]:
    """The pieces and the kings of a side's *field*, the one of that *number*."""
    pieces, kings = 0, 0
    seat = _LETTERS.index(field[0])
    crowning_row = ROW_EIGHT if seat == 0 else ROW_ONE
    for written in field[1:].split(",") if field[1:] else []:
        digits = written.removeprefix("K")
        square = whole_number(digits)
        if square is None or not 1 <= square <= SQUARES:
            raise PositionError.saying(
                "Field {number} has {written}: it must be a square from 1 to {most}, with K before it for a king.",
                number=number,
                written=quoted(written),
                most=SQUARES,
            )
        piece = 1 << bit_of(square - 1)
        if pieces & piece:
            raise PositionError.saying("Field {number} has square {digits} twice.", number=number, digits=digits)
        pieces |= piece
        if written != digits:
            kings |= piece
        elif piece & crowning_row:
            raise PositionError.saying(
                "Field {number} has a man on square {digits}, where {colour}'s men become kings.",
                number=number,
                digits=digits,
                colour=COLOURS[seat],
            )
    if pieces.bit_count() > MEN:
        raise PositionError.saying(
            "{colour} has {number} pieces: there can't be more than {most}.",
            colour=COLOURS[seat],
            number=pieces.bit_count(),
            most=MEN,
        )
    return pieces, kings


def _parse_quiet(field: str) -> int:
    quiet = whole_number(field)
    if quiet is None or not 1 <= quiet <= QUIET_TURNS:
        raise PositionError.saying(
            "Field 4, the turns with neither a capture nor a man's move, is {field}:"
            " it must be a number from 1 to {most}, or be left out.",
            field=quoted(field),
            most=QUIET_TURNS,
        )
    return quiet
