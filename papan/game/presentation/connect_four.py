"""Presentation of Connect Four: discs for the editor, threats as motifs, hints for a first match.

The editor's cells are columns: a disc falls to the lowest free place, and the topmost one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import popcount
from papan.game.presentation import URGENT, Brush, Example, Motif, Page, Section
from papan.game.rules import PositionError
from papan.game.rules.connect_four import BOTTOM, COLUMN, COLUMNS, FULL, HEIGHT, ROWS, State, four_in_a_row


def _state(first: int, second: int) -> State:
    return State(first, second) if popcount(first | second) % 2 == 0 else State(second, first)


def _discs(state: State) -> list[int]:
    return list(state) if popcount(state.mine | state.theirs) % 2 == 0 else [state.theirs, state.mine]


def brushes(state: State) -> Sequence[Brush]:
    return Brush(0, say("Red disc")), Brush(1, say("Yellow disc"))


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


_THREAT, _BLOCK, _DOUBLE = URGENT, 1.5 * URGENT, 2 * URGENT
_KEEPS_FROM_TWO, _SETS_UP, _KEEPS_FROM_THREE, _KEEPS_OFF, _BREAKS, _CENTRE, _BUILDS, _OPENS = 20, 16, 12, 9, 7, 6, 5, 2
_MIDDLE = COLUMNS // 2


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    """Threats, and what the disc does to rows of four that are still open; the latter only if the other can't win."""
    before, after = states[0], states[-1]
    threats = threatened_columns(after)
    if len(threats) > 1:
        yield Motif(
            _DOUBLE,
            say("{who} can now threaten four in a row at two places at once.", who=who),
            say("{who} could have threatened four in a row at two places at once.", who=who),
            say("threatens four in a row at two places at once"),
        )
    elif threats:
        yield Motif(
            _THREAT,
            say("{who} can now threaten four in a row in column {column}.", who=who, column=threats[0] + 1),
            say("{who} could have threatened four in a row in column {column}.", who=who, column=threats[0] + 1),
            say("threatens four in a row in column {column}", column=threats[0] + 1),
        )
    if threatened_columns(State(after.theirs, after.mine)):
        return
    disc = (before.mine | before.theirs) ^ (after.mine | after.theirs)
    if four_in_a_row(before.theirs | disc):
        yield Motif(_BLOCK, does=say("blocks four in a row in column {column}", column=steps[-1] + 1))
    else:
        yield from _keeps_from(before, after, disc)
    yield from _motifs_of_rows(before, after, disc)
    if steps[-1] == _MIDDLE:
        yield Motif(_CENTRE, does=say("takes a cell in the centre column"))
    column = _column_to_keep_off(before)
    if column not in (None, steps[-1]):
        words = say("avoids column {column} because that would lose at once", column=column + 1)
        yield Motif(_KEEPS_OFF, does=words)


def _keeps_from(before: State, after: State, disc: int) -> Iterator[Motif]:
    """What a disc of the other side, which would not have won there, would have threatened in place of the new one."""
    filled = after.mine | after.theirs
    theirs = _winning_cells(before.theirs | disc, filled)
    if popcount(theirs & _landings(filled)) > 1:
        words = say("keeps the other side from threatening two places at once")
        yield Motif(_KEEPS_FROM_TWO, does=words)
    elif theirs & ~_winning_cells(before.theirs, filled):
        yield Motif(_KEEPS_FROM_THREE, does=say("keeps the other side from a threat of four in a row"))


def _motifs_of_rows(before: State, after: State, disc: int) -> Iterator[Motif]:
    """Rows of four through the new disc: own ones that are still open, and ends of the other side's."""
    filled = after.mine | after.theirs
    later = _winning_cells(after.theirs, filled) & ~_winning_cells(before.mine, filled) & ~_landings(filled)
    if later:
        column, row = divmod(later.bit_length() - 1, HEIGHT)
        words = say("gives you a chance to win later, in row {row} of column {column}", row=row + 1, column=column + 1)
        yield Motif(_SETS_UP, does=words)
    rows = [sum(1 << cell for cell in cells) for cells in _ROWS_OF_FOUR if any(disc >> cell & 1 for cell in cells)]
    broken = sum(not row & before.mine and popcount(row & before.theirs) > 1 for row in rows)
    if broken:
        words = say_number(
            "breaks up a row of four where the other side had two discs",
            "breaks up {count} rows of four where the other side had two discs",
            broken,
        )
        yield Motif(_BREAKS + broken / 10, does=words)
    usable = [row for row in rows if not row & after.mine]
    built = sum(bool(row & before.mine) for row in usable)
    if built:
        words = say_number(
            "builds on a chance for four in a row",
            "builds on {count} chances for four in a row",
            built,
        )
        yield Motif(_BUILDS + built / 10, does=words)
    elif usable:
        words = say_number(
            "leaves room for four in a row", "leaves room for four in a row in {count} lines", len(usable)
        )
        yield Motif(_OPENS + len(usable) / 10, does=words)


def _column_to_keep_off(state: State) -> int | None:
    """The first column where a disc would let the other side win on top of it, if any."""
    landings = _landings(state.mine | state.theirs)
    for column in range(COLUMNS):
        above = (landings & COLUMN << (column * HEIGHT)) << 1 & FULL
        if above and four_in_a_row(state.theirs | above):
            return column
    return None


def _landings(filled: int) -> int:
    """The cells where the next disc can land."""
    return (filled + BOTTOM) & FULL


def _winning_cells(own: int, filled: int) -> int:
    """The cells not *filled* where one more disc makes four in a row of *own*."""
    cells = (1 << cell for cell in range(COLUMNS * HEIGHT) if FULL & ~filled & 1 << cell)
    return sum(cell for cell in cells if four_in_a_row(own | cell))


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


_ROWS_OF_FOUR = [
    [(column + step * across) * HEIGHT + row + step * up for step in range(4)]
    for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    for column in range(COLUMNS)
    for row in range(ROWS)
    if column + 3 * across < COLUMNS and 0 <= row + 3 * up < ROWS
]
"""The four cells of every row that can be completed."""
PAGE = Page(
    goal="Be the first to have four of your discs in a row: across, up, or along a diagonal.",
    sections=(
        Section(
            "A turn",
            "Two players take turns. You drop one disc into any column that is not full; it falls to the lowest free "
            "cell.\n"
            "There is no passing and no taking back on the board: each disc stays where it fell.",
            Example("44353", "Five discs have been dropped; seat 2 is to move and must watch column 6."),
        ),
        Section(
            "The end",
            "Four in a row win **at once**. If all 42 cells are filled without four in a row, the game is a draw.\n"
            "With best play on both sides the player who starts in the middle column wins.",
            Example("4455667", "Seat 1 has four in the lowest row."),
        ),
        Section(
            "First tip",
            "Look for a disc that threatens **two** fours at once: only one of them can be stopped. And before you "
            "drop a disc, look at the cell **above** it, because that is what you give to your opponent.",
        ),
    ),
    history=(
        "The game has been sold since 1974, and older forms of it are known. In 1988 James Allen and Victor Allis, "
        "independently of each other, proved that the first player can always win."
    ),
)
