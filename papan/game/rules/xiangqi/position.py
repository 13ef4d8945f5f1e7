"""Xiangqi's position text, as other programs write it (FEN).

``rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w``: the ranks from 9 down to 0, each from file a
on, capitals for red, a digit for so many empty cells; then who is to move, ``w`` for red and ``b`` for black.
A last number, missing where it is 0, says how many turns of both sides have passed since the last capture.
The longer tail of chess, ``w - - 12 40``, is read as well: its first number is the same, its second is not used.
"""

from __future__ import annotations

from collections.abc import Mapping

from papan.game.base.sentences import capitalised, say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.rules import PositionError
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    ELEPHANT,
    GENERAL,
    KIND_NAMES,
    KINDS,
    LETTERS,
    MOST_OF_KIND,
    MOST_QUIET,
    SOLDIER,
    State,
    cell_name,
    in_check,
    pieces_of,
)
from papan.game.rules.xiangqi.tables import (
    FILES,
    HALF,
    HALF_BOARD,
    HALF_RANKS,
    RANKS,
    RED,
    SEAT_NAMES,
    has_crossed,
    in_palace,
)

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
SIDES = "wb"
_SEVERAL = (
    "", say("generals"), say("advisors"), say("elephants"), say("horses"), say("chariots"), say("cannons"),
    say("soldiers"),
)  # fmt: skip
"""The kinds' names for more than one piece."""

Pieces = dict[int, tuple[int, int]]
"""The seat and the kind of piece on each cell that has one."""


def text(state: State) -> str:
    """The position text of *state*."""
    letters = {cell: LETTERS[kind] for cell, kind in pieces_of(state, RED).items()}
    letters |= {cell: LETTERS[kind].lower() for cell, kind in pieces_of(state, 1 - RED).items()}
    ranks = []
    for rank in reversed(range(RANKS)):
        written, empty = "", 0
        for cell in range(rank * FILES, (rank + 1) * FILES):
            if cell in letters:
                written += (str(empty) if empty else "") + letters[cell]
                empty = 0
            else:
                empty += 1
        ranks.append(written + (str(empty) if empty else ""))
    return f"{'/'.join(ranks)} {SIDES[state.to_move]}" + (f" {state.quiet}" if state.quiet else "")


def parse(text: str, options: Mapping[str, str]) -> State:
    """The state that *text* describes.

    >>> parse("4k4/9/9/9/9/9/9/9/9/3K1R3 w 7", {}).quiet
    7

    :raises PositionError: what is wrong, and where.
    """
    fields = text.split(" ")
    if len(fields) == 6 and fields[2:4] == ["-", "-"] and whole_number(fields[5]) is not None:
        fields = [*fields[:2], fields[4]]
    if len(fields) not in (2, 3):
        raise PositionError.saying(
            "{text} has {parts} instead of two or three: the board, w or b, a number.",
            text=quoted(text),
            parts=say_number("{count} part", "{count} parts", len(fields)),
        )
    pieces = _parse_board(fields[0])
    if fields[1] not in ("w", "b"):
        raise PositionError.saying("{field} is neither w, red to move, nor b, black to move.", field=quoted(fields[1]))
    seat = SIDES.index(fields[1])
    quiet = _parse_quiet(fields[2]) if len(fields) == 3 else 0
    _check_numbers(pieces)
    for cell, (owner, kind) in pieces.items():
        _check_cell(cell, owner, kind)
    position = state_of(pieces, seat, quiet)
    if in_check(position, 1 - seat):
        waiting, moving = SEAT_NAMES[1 - seat], SEAT_NAMES[seat]
        raise PositionError.saying(
            "The {waiting} general is attacked, and {moving} is to move: no game comes to this.",
            waiting=waiting,
            moving=moving,
        )
    return position


def _parse_quiet(field: str) -> int:
    quiet = whole_number(field)
    if quiet is None or not 0 <= quiet <= MOST_QUIET:
        raise PositionError.saying(
            "{field} is no number of turns since the last capture: it is 0 to {most}.",
            field=quoted(field),
            most=MOST_QUIET,
        )
    return quiet


def _parse_board(field: str) -> Pieces:
    ranks = field.split("/")
    if len(ranks) != RANKS:
        raise PositionError.saying(
            "The board has {number} ranks between slashes instead of {ranks}.", number=len(ranks), ranks=RANKS
        )
    pieces: Pieces = {}
    for rank, written in zip(reversed(range(RANKS)), ranks, strict=True):
        file = 0
        for character in written:
            if character in "123456789":
                file += int(character)
            elif character.upper() in LETTERS[1:]:
                if file < FILES:
                    seat = RED if character.isupper() else 1 - RED
                    pieces[rank * FILES + file] = seat, LETTERS.index(character.upper())
                file += 1
            else:
                raise PositionError.saying(
                    "Rank {rank}, {written}: {character} is no piece and no number of empty cells.",
                    rank=rank,
                    written=quoted(written),
                    character=quoted(character),
                )
        if file != FILES:
            raise PositionError.saying(
                "Rank {rank}, {written}, has {file} cells instead of {files}.",
                rank=rank,
                written=quoted(written),
                file=file,
                files=FILES,
            )
    return pieces


def _check_numbers(pieces: Pieces) -> None:
    """:raises PositionError: a side has no general, or more pieces of a kind than there are."""
    for seat, name in enumerate(SEAT_NAMES):
        for kind in KINDS:
            number = sum(piece == (seat, kind) for piece in pieces.values())
            if number > MOST_OF_KIND[kind]:
                most = MOST_OF_KIND[kind]
                colour, pieces_of_kind = capitalised(name), _SEVERAL[kind]
                raise PositionError.saying(
                    "{colour} has {number} {pieces}; there are {most} at most.",
                    colour=colour,
                    number=number,
                    pieces=pieces_of_kind,
                    most=most,
                )
            if kind == GENERAL and not number:
                raise PositionError.saying("{colour} has no general.", colour=capitalised(name))


def _check_cell(cell: int, seat: int, kind: int) -> None:
    """:raises PositionError: no game brings a piece of *kind* of *seat* to *cell*."""
    rank, file = divmod(cell, FILES)
    own_rank = rank if seat == RED else RANKS - 1 - rank
    can_be_there = True
    if kind == GENERAL:
        can_be_there = in_palace(seat, cell)
    elif kind == ADVISOR:
        can_be_there = in_palace(seat, cell) and (file + own_rank) % 2 == 1
    elif kind == ELEPHANT:
        can_be_there = own_rank in (0, 2, 4) and file % 4 == (2 if own_rank != 2 else 0)
    elif kind == SOLDIER:
        can_be_there = has_crossed(seat, cell) or (own_rank >= HALF_RANKS - 2 and file % 2 == 0)
    if not can_be_there:
        raise PositionError.saying(
            "A {colour} {piece} can't get to {cell}.",
            colour=SEAT_NAMES[seat],
            piece=KIND_NAMES[kind],
            cell=cell_name(cell),
        )


def state_of(pieces: Pieces, seat: int, quiet: int) -> State:
    """The state with these *pieces*, where *seat* is to move."""

    def halves(cells: list[int]) -> tuple[int, int]:
        board = sum(1 << cell for cell in cells)
        return board & HALF_BOARD, board >> HALF

    red, black = (halves([cell for cell in pieces if pieces[cell][0] == owner]) for owner in range(2))
    ones, twos, fours = (halves([cell for cell in pieces if pieces[cell][1] & bit]) for bit in (1, 2, 4))
    return State(*red, *black, *ones, *twos, *fours, to_move=seat, quiet=quiet)
