"""Presentation of Connect Four: discs for the editor, threats as motifs.

The editor's cells are columns: a disc falls to the lowest free place, and the topmost one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import say
from papan.game.kernel.bits import popcount
from papan.game.presentation import Brush, Example, Motif, Page, Section
from papan.game.rules import PositionError
from papan.game.rules.connect_four import BOTTOM, COLUMN, COLUMNS, HEIGHT, ROWS, State, four_in_a_row


def _state(first: int, second: int) -> State:
    return State(first, second) if popcount(first | second) % 2 == 0 else State(second, first)


def _discs(state: State) -> list[int]:
    return list(state) if popcount(state.mine | state.theirs) % 2 == 0 else [state.theirs, state.mine]


def brushes(state: State) -> Sequence[Brush]:
    return Brush(0, say("Disc of player {number}", number=1)), Brush(1, say("Disc of player {number}", number=2))


def put(state: State, code: int, cell: int) -> State:
    """*state* with one more disc in the column *cell*."""
    discs = _discs(state)
    filled = discs[0] | discs[1]
    if filled >> (cell * HEIGHT + ROWS - 1) & 1:
        raise PositionError.saying("Column {column} is full.", column=cell + 1)
    discs[code] |= (filled + BOTTOM) & ~filled & COLUMN << (cell * HEIGHT)
    return _state(*discs)


def name_of(state: State, cell: int) -> str:
    return say("Column {number}", number=cell + 1)


def standing(state: State, cell: int) -> Sequence[int]:
    discs = _discs(state)
    rows = [cell * HEIGHT + row for row in reversed(range(ROWS))]
    return [seat for row in rows for seat in range(2) if discs[seat] >> row & 1]


def taken(state: State, cell: int) -> State:
    discs = _discs(state)
    column = (discs[0] | discs[1]) & COLUMN << (cell * HEIGHT)
    top = 1 << column.bit_length() >> 1
    return _state(discs[0] & ~top, discs[1] & ~top)


def cleared(state: State) -> State:
    return State(0, 0)


def note(state: State) -> str:
    return say("Whose turn it is follows from the number of discs.")


_THREAT, _DOUBLE = 1, 2


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    """A threat, or a double threat, which can't be met."""
    threats = threatened_columns(states[-1])
    if len(threats) > 1:
        yield Motif(
            _DOUBLE,
            say("{who} can now threaten four in a row at two places at once.", who=who),
            say("{who} could have threatened four in a row at two places at once.", who=who),
        )
    elif threats:
        yield Motif(
            _THREAT,
            say("{who} can now threaten four in a row in column {column}.", who=who, column=threats[0] + 1),
            say("{who} could have threatened four in a row in column {column}.", who=who, column=threats[0] + 1),
        )


def threatened_columns(state: State) -> list[int]:
    """The columns where the seat that has just moved would make four in a row with its next disc."""
    discs = state.mine | state.theirs
    found = []
    for column in range(COLUMNS):
        own_column = ((1 << ROWS) - 1) << (column * HEIGHT)
        landing = (discs + (1 << (column * HEIGHT))) & ~discs & own_column
        if landing and four_in_a_row(state.theirs | landing):
            found.append(column)
    return found


PAGE = Page(
    goal="Be the first to have four of your discs in a row: across, up, or along a diagonal.",
    sections=(
        Section(
            "A turn",
            "Two players take turns. You drop one disc into any column that is not full; it falls to the lowest free "
            "cell.\n"
            "There is no passing and no taking back on the board: each disc stays where it fell.",
            Example("44353", "Five discs have been dropped; seat 2 is to move and has to think of column 6."),
        ),
        Section(
            "The end",
            "Four in a row win **at once**. If all 42 cells are filled without four in a row, the game is a draw.\n"
            "With best play on both sides the player who starts in the middle column wins.",
            Example("4455667", "Seat 1 has four in the lowest row."),
        ),
        Section(
            "A first piece of advice",
            "Look for a disc that threatens **two** fours at once: only one of them can be stopped. And before you "
            "drop a disc, look at the cell **above** it, because that is what you give to your opponent.",
        ),
    ),
    history=(
        "The game has been sold since 1974, and older forms of it are known. In 1988 James Allen and Victor Allis, "
        "independently of each other, proved that the first player can always win."
    ),
)
