"""Checkers, or English draughts: twelve men each on the dark squares, captures are compulsory, no move loses.

The rules are those of the World Checkers and Draughts Federation, with two limits that end every game: the
third repetition of a position, and 40 turns by each side with neither a capture nor a man's move, are draws.
A side without a move has lost even then.

Squares are numbered as PDN does, from 1 at the top left to 32 at the bottom right, four a row. Black (seat 0) begins,
from the squares 1 to 12, and its men move to higher numbers; White has 21 to 32. In code, cells and the squares in
steps are counted from 0.

A jump is one step, ``origin * 32 + target`` as any move; while a piece can jump on, its side stays on move, and the
state remembers the piece. Captured men leave the board at once, which is equivalent to taking them off at the end: a
jump never passes over or lands on a square of one of them. Notation: ``9-13``, ``9x18``, and ``x25`` for each further
jump: ``9x18x25`` is a turn. ``board`` has the state, ``ways`` other notations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from papan.game.base.sentences import alternatives, joined, say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.kernel.bits import hashed, lowest
from papan.game.rules import (
    BoardRows,
    Ending,
    PositionError,
    can_repeat,
    content_at,
    is_over,
    key,
    legal_steps,
    mover,
    moves,
    payoff,
    play,
    reason_number,
    steps_to_draw,
    third_repetition,
)
from papan.game.rules.checkers.board import (
    BOARD,
    COLOURS,
    MEN,
    QUIET_TURNS,
    ROW_EIGHT,
    ROW_ONE,
    SQUARES,
    START,
    bit_of,
    can_act,
    can_jump,
    column_and_row,
    downward,
    must_capture,
    pieces_of,
    squares_of,
    upward,
    write_steps,
)
from papan.game.rules.checkers.board import State as State
from papan.game.rules.checkers.ways import foreign_turns as foreign_turns
from papan.game.rules.one_click import by_notation

MOST_STEPS = 4 * MEN
_QUICKEST_REPETITION = 8
"""Quiet turns until a position can have occurred three times."""

PHASES: Mapping[str, Sequence[str]] = {say("move"): ("move", "jump"), say("jump"): ("jump", "move")}
PERFT_COUNTS_ENDED_GAMES = True

# ------------------------------------------------------------------------------------------- kernels


@mover.of(State)
def _mover(state: State) -> int:
    return state.to_move


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if state.quiet >= QUIET_TURNS:
        return base
    down, up = downward(state, state.to_move), upward(state, state.to_move)
    if state.jumper:
        down &= state.jumper
        up &= state.jumper
    theirs = pieces_of(state, 1 - state.to_move)
    empty = BOARD & ~(state.black | state.white)
    end = write_steps((down << 4 & theirs) << 4 & empty, 8, buffer, base)
    end = write_steps((down << 5 & theirs) << 5 & empty, 10, buffer, end)
    end = write_steps((up >> 4 & theirs) >> 4 & empty, -8, buffer, end)
    end = write_steps((up >> 5 & theirs) >> 5 & empty, -10, buffer, end)
    if end > base:
        return end
    end = write_steps(down << 4 & empty, 4, buffer, base)
    end = write_steps(down << 5 & empty, 5, buffer, end)
    end = write_steps(up >> 4 & empty, -4, buffer, end)
    return write_steps(up >> 5 & empty, -5, buffer, end)


@play.of(State)
def _play(state: State, step: int) -> State:
    seat = state.to_move
    origin, target = bit_of(step >> 5), bit_of(step & 31)
    piece = 1 << target
    path = 1 << origin | piece
    own, theirs = pieces_of(state, seat) ^ path, pieces_of(state, 1 - seat)
    kings = state.kings
    was_king = kings >> origin & 1 != 0
    if was_king:
        kings ^= path
    is_capture = abs(target - origin) > 5
    if is_capture:
        captured = 1 << ((origin + target) >> 1)
        theirs &= ~captured
        kings &= ~captured
    is_crowned = not was_king and piece & (ROW_ONE | ROW_EIGHT) != 0
    if is_crowned:
        kings |= piece
    quiet = 0 if is_capture or not was_king else state.quiet + 1
    jumper = 0
    if is_capture and not is_crowned:
        empty = BOARD & ~(own | theirs)
        down = piece if seat == 0 or was_king else 0
        up = piece if seat == 1 or was_king else 0
        if can_jump(down, up, theirs, empty):
            jumper = piece
    next_seat = seat if jumper else 1 - seat
    if seat == 0:
        return State(own, theirs, kings, next_seat, jumper, quiet)
    return State(theirs, own, kings, next_seat, jumper, quiet)


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.quiet >= QUIET_TURNS or not can_act(state)


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if can_act(state):
        return 0.0  # too many quiet turns
    return -1.0 if seat == state.to_move else 1.0


MOVES_LEFT, STUCK, GONE = 0, 2, 4
"""Reasons for an ending; the last two for Black, plus one for White."""


@reason_number.of(State)
def _reason_number(state: State) -> int:
    if can_act(state):
        return MOVES_LEFT  # too many quiet turns
    return (STUCK if pieces_of(state, state.to_move) else GONE) + state.to_move


@can_repeat.of(State)
def _can_repeat(state: State) -> bool:
    return True


@steps_to_draw.of(State)
def _steps_to_draw(state: State) -> int:
    return QUIET_TURNS - state.quiet


@key.of(State)
def _key(state: State) -> int:
    jumper = lowest(state.jumper) + 1 if state.jumper else 0
    return hashed(state.black | state.to_move << 35, state.white, state.kings | jumper << 35)


@content_at.of(State)
def _content_at(state: State, cell: int) -> int:
    piece = 1 << bit_of(cell)
    king = 1 if state.kings & piece else 0
    if state.black & piece:
        return 1 + king
    return 3 + king if state.white & piece else 0


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The men on their squares, Black to move."""
    return START


def phase(state: State) -> str:
    """A turn begins with a move; a piece that can jump on must."""
    return "jump" if state.jumper else "move"


def notation(state: State, step: int) -> str:
    """``9-13``, ``9x18``, or ``x25`` for a further jump."""
    origin, target = step >> 5, step & 31
    if state.jumper:
        return f"x{target + 1}"
    return f"{origin + 1}{'x' if is_jump(step) else '-'}{target + 1}"


def is_jump(step: int) -> bool:
    """Whether a legal *step* is a capture."""
    return abs(column_and_row(step >> 5)[1] - column_and_row(step & 31)[1]) == 2


def cells(state: State, step: int) -> tuple[int, ...]:
    """The two squares of a move; for a further jump, only the square where it lands."""
    return (step & 31,) if state.jumper else (step >> 5, step & 31)


def refusal(state: State, step: int) -> str:
    if is_over(state):
        return say("The game is over: {reason}.", reason=ending(state).reason)
    origin, target = step >> 5, step & 31
    if not 0 <= origin < SQUARES:
        return say("There is no such square: squares are 1 to {most}.", most=SQUARES)
    return _refused_piece(state, origin) or _refused_target(state, origin, target)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    if is_over(state):
        return refusal(state, 0)
    if state.jumper:
        piece = squares_of(state.jumper)[0]
        if cells[-1] == piece:
            return say("The piece on {square} must jump on: point at the square where it lands.", square=piece + 1)
        return _refused_target(state, piece, cells[-1])
    if len(cells) == 1:
        return _refused_piece(state, cells[0]) or say(
            "The piece on {square} can't move: its way is blocked.", square=cells[0] + 1
        )
    return refusal(state, cells[0] << 5 | cells[1])


def _refused_piece(state: State, origin: int) -> str:
    """Why the seat to act can't move a piece from *origin*, or ""."""
    bit = bit_of(origin)
    if pieces_of(state, 1 - state.to_move) >> bit & 1:
        return say("The piece on {square} is your opponent's.", square=origin + 1)
    if not pieces_of(state, state.to_move) >> bit & 1:
        return say("There is no piece on {square}.", square=origin + 1)
    if state.jumper and state.jumper != 1 << bit:
        return say(
            "The piece on {square} must jump on before any other may move.", square=squares_of(state.jumper)[0] + 1
        )
    if must_capture(state) and all(step >> 5 != origin for step in legal_steps(state, MOST_STEPS)):
        return say("Captures are compulsory: {captures}.", captures=_captures(state))
    return ""


def _refused_target(state: State, origin: int, target: int) -> str:
    """Why the piece of the seat to act on *origin* can't go to *target*."""
    if (state.black | state.white) >> bit_of(target) & 1:
        return say("The square {square} is taken.", square=target + 1)
    (column, row), (to_column, to_row) = column_and_row(origin), column_and_row(target)
    across, down = abs(to_column - column), to_row - row
    if not state.kings >> bit_of(origin) & 1 and down * (1 if state.to_move == 0 else -1) < 0:
        return say("Men move and capture forwards only: kings go backwards too.")
    if across == abs(down) == 1:
        return say("Captures are compulsory: {captures}.", captures=_captures(state))
    if across == abs(down) == 2:
        return say("A piece goes two squares only by jumping over an opponent's piece.")
    return say("A piece moves one square along a diagonal, or jumps over an opponent's piece right next to it.")


def _captures(state: State) -> str:
    """The captures of the seat to act, as alternatives in words."""
    return alternatives(notation(state, step) for step in legal_steps(state, MOST_STEPS))


def ending(state: State) -> Ending:
    return Ending((payoff(state, 0), payoff(state, 1)), _reason(state))


def _reason(state: State) -> str:
    number, colour = reason_number(state), COLOURS[state.to_move]
    if number == MOVES_LEFT:
        return say("40 turns by each side with neither a capture nor a man's move")
    return (
        say("{colour} can't move", colour=colour)
        if number < GONE
        else say("{colour} has no pieces left", colour=colour)
    )


def repetition_ending(states: Sequence[State]) -> Ending | None:
    if states[-1].quiet < _QUICKEST_REPETITION or not third_repetition(states):
        return None
    return Ending((0.0, 0.0), say("third repetition of the position"))


describe = by_notation(notation)


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    if state.jumper:
        return say("Jump on"), say("The same piece captures as long as it can.")
    if must_capture(state):
        return (say("Choose a capture") if chosen is None else say("Choose where it jumps")), say(
            "Captures are compulsory."
        )
    if chosen is None:
        return say("Move a piece"), say(
            "Men go forwards, kings in all four directions; the far row makes a man a king."
        )
    return say("Choose where it goes"), say("One square along a diagonal.")


def seat_note(state: State, seat: int) -> tuple[str, str]:
    own = pieces_of(state, seat)
    men, kings = (own & ~state.kings).bit_count(), (own & state.kings).bit_count()
    parts = [say_number("{count} man", "{count} men", men)] if men or not kings else []
    if kings:
        parts.append(say_number("{count} king", "{count} kings", kings))
    return COLOURS[seat], joined(parts, ", ")


# -------------------------------------------------------------------------------------- position texts


_LETTERS = "BW"


def board_rows(state: State) -> BoardRows:
    """The dark squares from 1 on; capitals for kings."""
    return BoardRows([range(first, first + 4) for first in range(0, SQUARES, 4)], "-bBwW", _LETTERS)


def text(state: State) -> str:
    """*state* as PDN FEN, ``B:W21,K30:B1,2``: the side to move, then each side's squares, K before a king's.

    The turns since the last capture or man's move follow after a further colon, if not 0.

    :raises PositionError: a piece must still jump on.
    """
    if state.jumper:
        raise PositionError.saying("A position text describes the start of a turn: here a piece is still to jump on.")
    sides = [_LETTERS[seat] + ",".join(_written(state, seat)) for seat in (1, 0)]
    counter = [str(state.quiet)] if state.quiet else []
    return ":".join([_LETTERS[state.to_move], *sides, *counter])


def _written(state: State, seat: int) -> list[str]:
    """The squares of *seat* in PDN."""
    squares = squares_of(pieces_of(state, seat))
    return [("K" if state.kings >> bit_of(square) & 1 else "") + str(square + 1) for square in squares]


_IN_TAG = re.compile(r'\s*\[\s*FEN\s*"([^"]*)"\s*\]\s*', re.IGNORECASE)
_PIECES = re.compile(r"(K?)([0-9]{1,2})(?:-\1?([0-9]{1,2}))?")
_NEEDLESS_SPACE = re.compile("(?<![0-9]) | (?![0-9])")
_COUNTERS = re.compile(r"H([0-9]{1,4})|F[0-9]{1,9}")


def parse(text: str, options: Mapping[str, str]) -> State:
    """The position that *text* describes; the two sides may be in either order.

    Other programs' forms are read, too: ``[FEN "…"]``, ranges of squares (``K5-8`` are kings), spaces, small letters, a
    full stop at the end, and the counters ``:H0:F1``, of which H is that of quiet turns.

    >>> parse("W:WK7,21:B1,9", {}).to_move
    1
    >>> parse("B: W31-32, k5: B1-4.", {}) == parse("B:W31,32,K5:B1,2,3,4", {})
    True
    """
    return parse_pdn(text)


def parse_pdn(text: str, *, crowns: bool = False) -> State:
    """The position that *text* describes, as for ``parse``.

    :param crowns: whether a man on its last row is read as a king, as in old collections of problems.
    :raises PositionError: it describes none.
    """
    tag = _IN_TAG.fullmatch(text)
    written = _NEEDLESS_SPACE.sub("", " ".join((tag[1] if tag else text).split()))
    fields = written.removesuffix(".").upper().split(":")
    if not 3 <= len(fields) <= 5:
        raise PositionError.saying(
            "The position has {fields} separated by ':': it must be like B:W21,K30:B1,2, with the side to move and "
            "the squares of both sides; a draw counter may follow.",
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
        sides[letter] = _parse_side(field, number, crowns)
    (black, black_kings), (white, white_kings) = sides["B"], sides["W"]
    if black & white:
        square = squares_of(black & white)[0] + 1
        raise PositionError.saying("Square {square} has both a black and a white piece.", square=square)
    quiet = _parse_counters(fields[3:])
    return State(black, white, black_kings | white_kings, _LETTERS.index(fields[0]), 0, quiet)


def _parse_side(field: str, number: int, crowns: bool) -> tuple[int, int]:
    """The pieces and the kings in the *field* of the side *number*."""
    pieces, kings = 0, 0
    seat = _LETTERS.index(field[0])
    crowning_row = ROW_EIGHT if seat == 0 else ROW_ONE
    for written in field[1:].split(",") if field[1:] else []:
        is_king, squares = _parse_pieces(written, number)
        for square in squares:
            piece = 1 << bit_of(square - 1)
            if pieces & piece:
                raise PositionError.saying(
                    "Field {number} has square {digits} twice.", number=number, digits=str(square)
                )
            pieces |= piece
            if is_king or (crowns and piece & crowning_row):
                kings |= piece
            elif piece & crowning_row:
                raise PositionError.saying(
                    "Field {number} has a man on square {digits}, where {colour}'s men become kings.",
                    number=number,
                    digits=str(square),
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


def _parse_pieces(written: str, number: int) -> tuple[bool, Sequence[int]]:
    """Whether *written*, in field *number*, are kings, and their squares."""
    found = _PIECES.fullmatch(written)
    first, last = (int(found[2]), int(found[3] or found[2])) if found else (0, 0)
    if found is None or not 1 <= first <= last <= SQUARES:
        raise PositionError.saying(
            "Field {number} has {written}: it must be a square from 1 to {most}, with K before it for a king.",
            number=number,
            written=quoted(written),
            most=SQUARES,
        )
    return bool(found[1]), range(first, last + 1)


def _parse_counters(fields: Sequence[str]) -> int:
    """The quiet turns in the *fields* after the squares: our number, or H and F of other programs."""
    if not fields:
        return 0
    counters = [_COUNTERS.fullmatch(field) for field in fields]
    if all(counters) and len({field[0] for field in fields}) == len(fields):
        quiet = next((int(found[1]) for found in counters if found and found[1]), 0)
        return min(quiet, QUIET_TURNS)
    quiet = whole_number(fields[0]) or 0
    if len(fields) > 1 or not 1 <= quiet <= QUIET_TURNS:
        raise PositionError.saying(
            "Field 4, the turns with neither a capture nor a man's move, is {field}:"
            " it must be a number from 1 to {most}, or be left out.",
            field=quoted(":".join(fields)),
            most=QUIET_TURNS,
        )
    return quiet
