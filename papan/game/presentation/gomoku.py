"""Presentation of gomoku: stones for the editor; fours and threes, by their open ends, as motifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy

from papan.game.base.sentences import say
from papan.game.kernel.bits import cells_of
from papan.game.presentation import URGENT, Brush, Example, Motif, Page, Section
from papan.game.rules import mover
from papan.game.rules.gomoku import COLOURS, State, is_on_board, row_wins, stones, verdict_on_black, with_stones
from papan.game.rules.gomoku import name_of as cell_name
from papan.game.rules.gomoku.board import CARO, DIRECTIONS, RENJU, ROW, long_rows_win
from papan.game.rules.gomoku.renju import ALLOWED


def brushes(state: State) -> Sequence[Brush]:
    return Brush(0, say("Black stone")), Brush(1, say("White stone"))


def put(state: State, code: int, cell: int) -> State:
    if not is_on_board(state, cell):
        return state
    sets = [stones(state, seat) & ~(1 << cell) for seat in range(2)]
    sets[code] |= 1 << cell
    return with_stones(state, *sets)


def name_of(state: State, cell: int) -> str:
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    return [seat for seat in range(2) if stones(state, seat) >> cell & 1]


def taken(state: State, cell: int) -> State:
    black, white = (stones(state, seat) & ~(1 << cell) for seat in range(2))
    return with_stones(state, black, white)


def cleared(state: State) -> State:
    return with_stones(state, 0, 0)


def note(state: State) -> str:
    return say("Whose turn it is follows from the number of stones.")


FIVE = 5
_OPEN_THREE = 30
_FOUR, _TWO_THREES, _BLOCK_FOUR, _TWO_FOURS, _OPEN_FOUR = (share * URGENT for share in (1, 1.2, 1.5, 2, 2.5))
_KEEPS_FROM_TWO, _BLOCK_THREE, _KEEPS_FROM_THREE, _LINES, _MIDDLE, _LINE, _IN_THE_WAY, _CLOSE = (
    45, 40, 20, 12, 6, 5, 4.5, 1,
)  # fmt: skip
_NEAR = 2
"""Cells, at most, between stones that are near each other."""


class _Board:
    """The stones of one seat, and the empty cells."""

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self.seat = seat
        self.own = stones(state, seat)
        self.others = stones(state, 1 - seat)

    @property
    def middle(self) -> int:
        """The cell in the middle; of four, the lowest on the left."""
        return (ROW + 1) * ((int(self._state.size) - 1) // 2)

    def is_empty(self, cell: int) -> bool:
        return is_on_board(self._state, cell) and not (self.own | self.others) >> cell & 1

    def run(self, cell: int, way: int, added: int = -1) -> list[int]:
        """The row of own stones through *cell*, one of them, in order; as if one were on *added* too."""
        row = [cell]
        while self._is_own(row[-1] + way, added):
            row.append(row[-1] + way)
        while self._is_own(row[0] - way, added):
            row.insert(0, row[0] - way)
        return row

    def _is_own(self, cell: int, added: int) -> bool:
        return is_on_board(self._state, cell) and bool(self.own >> cell & 1 or cell == added)

    def makes_five(self, cell: int, way: int, added: int = -1) -> bool:
        """Whether a stone on the empty *cell* wins by a row in this direction."""
        if not self.is_empty(cell) or cell == added:
            return False
        row = self.run(cell, way, added)
        return row_wins(self._state, self.seat, len(row), row[0] - way, row[-1] + way)

    def is_open_four(self, cell: int, way: int, added: int = -1) -> bool:
        """Whether the row through *cell* has four stones, and either end wins."""
        row = self.run(cell, way, added)
        ends = (row[0] - way, row[-1] + way)
        return len(row) == FIVE - 1 and all(self.makes_five(end, way, added) for end in ends)

    def is_open_three(self, cell: int, way: int) -> bool:
        """Whether one more stone makes an open four of the row with *cell*."""
        return any(self.is_open_four(at, way, at) and cell in self.run(at, way, at) for at in self.near(cell, way))

    def near(self, cell: int, way: int) -> Iterator[int]:
        """The empty cells on the line of *cell* that a row of five with it may need."""
        for distance in range(1, FIVE):
            for at in (cell + distance * way, cell - distance * way):
                if self.is_empty(at):
                    yield at

    def with_stone(self, cell: int) -> _Board:
        """The board with one more own stone, on the empty *cell*."""
        board = copy(self)
        board.own |= 1 << cell
        return board

    def is_forbidden(self, cell: int) -> bool:
        """Whether the empty *cell* is forbidden to the seat."""
        if self._state.rule != RENJU or self.seat != 0:
            return False
        return verdict_on_black(self._state, cell) > ALLOWED

    @property
    def fives_can_be_closed(self) -> bool:
        """Whether a stone at an end of a row can keep it from winning."""
        return bool(self._state.rule >= CARO)

    def is_near(self, cell: int) -> bool:
        """Whether a stone of either seat is at most two cells from *cell*."""
        column, row = cell % ROW, cell // ROW
        around = ((at % ROW - column, at // ROW - row) for at in cells_of(self.own | self.others) if at != cell)
        return any(max(abs(across), abs(up)) <= _NEAR for across, up in around)

    def winning_cells(self) -> list[int]:
        """The empty cells where a stone makes five in a row."""
        near = {at for cell in cells_of(self.own) for way in DIRECTIONS for at in self.near(cell, way)}
        return sorted(at for at in near if any(self.makes_five(at, way) for way in DIRECTIONS))

    def most_in_five(self, cell: int, way: int) -> int:
        """The most own stones in five cells in a row through *cell* that none of the others' is on; 0 without room."""
        found = 0
        for first in range(FIVE):
            row = [cell + (place - first) * way for place in range(FIVE)]
            if all(is_on_board(self._state, at) and not self.others >> at & 1 for at in row):
                is_longer = any(self._is_own(at, -1) for at in (row[0] - way, row[-1] + way))
                if not is_longer or long_rows_win(self._state.rule, self.seat):
                    found = max(found, sum(self.own >> at & 1 for at in row))
        return found


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    """The best row of the last stone; and what it does to other rows, if the other side can't make five at once."""
    seat, cell = int(mover(states[0])), steps[-1]
    yield from _own_row(_Board(states[-1], seat), cell, who)
    other = _Board(states[-1], 1 - seat)
    if other.winning_cells():
        return
    yield from _blocks(_Board(states[0], 1 - seat), other, cell, COLOURS[1 - seat])
    yield from _lines(_Board(states[-1], seat), _Board(states[0], 1 - seat), cell, COLOURS[1 - seat])


def _own_row(board: _Board, cell: int, who: str) -> Iterator[Motif]:
    """The best motif of the stone on *cell* of *board*."""
    if any(board.is_open_four(cell, way) for way in DIRECTIONS):
        can = say("{who} can now make an open four.", who=who)
        yield Motif(_OPEN_FOUR, can, say("{who} could have made an open four.", who=who), say("makes an open four"))
        return
    fives = {at for way in DIRECTIONS for at in board.near(cell, way) if board.makes_five(at, way)}
    if len(fives) > 1:
        yield Motif(
            _TWO_FOURS,
            say("{who} can now threaten five in a row at two places at once.", who=who),
            say("{who} could have threatened five in a row at two places at once.", who=who),
            say("threatens five in a row at two places at once"),
        )
        return
    threes = sum(board.is_open_three(cell, way) for way in DIRECTIONS)
    for five in fives:
        yield Motif(
            _FOUR,
            say("{who} can now make a four.", who=who),
            say("{who} could have made a four.", who=who),
            say("makes a four and an open three at once")
            if threes
            else say("makes a four")
            if board.fives_can_be_closed
            else say("makes a four that must be answered on {cell}", cell=cell_name(five)),
        )
    if threes > 1:
        can = say("{who} can now make two open threes at once.", who=who)
        could = say("{who} could have made two open threes at once.", who=who)
        yield Motif(_TWO_THREES, can, could, say("makes two open threes at once"))
    elif threes:
        can = say("{who} can now make an open three.", who=who)
        yield Motif(_OPEN_THREE, can, say("{who} could have made an open three.", who=who), say("makes an open three"))


def _blocks(before: _Board, after: _Board, cell: int, colour: str) -> Iterator[Motif]:
    """What the stone on *cell* stops, by the other side's rows *before* and *after* it."""
    if any(before.makes_five(cell, way) for way in DIRECTIONS):
        yield Motif(_BLOCK_FOUR, does=say("blocks {colour}'s row of four", colour=colour))
        return
    if _open_threes(before) and not _open_threes(after):
        yield Motif(_BLOCK_THREE, does=say("blocks {colour}'s open three", colour=colour))
        return
    if before.is_forbidden(cell):
        return
    threes = sum(_would_make_open_three(before, cell, way) for way in DIRECTIONS)
    if threes > 1:
        words = say("keeps {colour} from making two open threes at once", colour=colour)
        yield Motif(_KEEPS_FROM_TWO, does=words)
    elif threes:
        yield Motif(_KEEPS_FROM_THREE, does=say("keeps {colour} from making an open three", colour=colour))


def _open_threes(board: _Board) -> bool:
    """Whether one more stone makes an open four anywhere."""
    return any(board.is_open_three(cell, way) for cell in cells_of(board.own) for way in DIRECTIONS)


def _would_make_open_three(board: _Board, cell: int, way: int) -> bool:
    """Whether a stone on the empty *cell* would make an open three in this direction."""
    return board.with_stone(cell).is_open_three(cell, way)


def _lines(own: _Board, other: _Board, cell: int, colour: str) -> Iterator[Motif]:
    """The lines with room for five that the stone on *cell* adds to, or takes from the *other* side."""
    built = [number for way in DIRECTIONS if (number := own.most_in_five(cell, way)) > 1]
    if len(built) > 1:
        yield Motif(_LINES + len(built) / 10, does=say("builds on {count} chances for five in a row", count=len(built)))
    elif built:
        words = say("lines up {count} stones with room for five", count=built[0])
        yield Motif(_LINE + built[0], does=words)
    stopped = max(other.most_in_five(cell, way) for way in DIRECTIONS)
    if stopped > 1:
        words = say("gets in the way of {colour}'s line of {count}", count=stopped, colour=colour)
        yield Motif(_IN_THE_WAY + stopped, does=words)
    if cell == own.middle:
        yield Motif(_MIDDLE, does=say("takes the middle of the board"))
    elif own.is_near(cell):
        yield Motif(_CLOSE, does=say("stays near other stones"))


_WON = "h8 h9 i9 i10 g7 g8 j10 k11 f6"
_PAGE_THREE = "h8 h9 i9 i8 j10"
_G7, _K11 = 132, 220
_PAGE_THREES = "h8 i8 h9 g9 i10 k8 j10 j12"
_H10 = 196

PAGE = Page(
    goal="Be the first to have five of your stones in a row: across, up, or along a diagonal.",
    sections=(
        Section(
            "A turn",
            "Two players take turns; black begins. You put one stone on any free crossing of the lines. Stones stay "
            "where they are: nothing is moved and nothing is captured.",
        ),
        Section(
            "The end",
            "Five in a row win **at once**, and so do more than five. If the board is full without such a row, the "
            "game is a draw.",
            Example(_WON, "Black has five along a diagonal."),
        ),
        Section(
            "Options",
            "The board has 15, 19 or 20 lines each way. With **exactly five** a longer row wins nothing; players call "
            "it an overline.",
        ),
        Section(
            "Renju and caro",
            "In **renju** Black may not make a row of more than five, two fours at once, or two open threes at once; "
            "such cells can't be played, unless the stone makes exactly five. White may, and wins with more than five, "
            "too. If every cell left is forbidden to Black, the game is a draw.\n"
            "In **caro** five in a row don't win between two stones of the opponent; the board's edge closes no row. "
            "Longer rows win, except with **exactly five**. Opening rules, such as swapping colours, are left out.",
            Example(
                _PAGE_THREES,
                "In renju the marked cell is forbidden to Black: a stone there makes two open threes at once.",
                options={"exact": "renju"},
                marks={_H10: "!"},
            ),
        ),
        Section(
            "Threats",
            "A **four** has one free cell left to become five: the opponent must play there at once. With free cells "
            "at both ends it can't be stopped.\n"
            "An **open three** becomes such a four with one more stone, so it must be answered as well.",
            Example(
                _PAGE_THREE,
                "Three black stones with room on both sides: white must play on one of the marked cells, or lose.",
                marks={_G7: "!", _K11: "!"},
            ),
        ),
        Section(
            "Winning",
            "One threat can be stopped, **two at once** can't: two open threes, or a four and an open three, that "
            "share a stone. Good players look for a chain of fours and threes that ends in such a pair.",
            Example(
                _PAGE_THREES,
                "Black on the marked cell has two open threes at once, one up and one across.",
                marks={_H10: "!"},
            ),
        ),
    ),
    history=(
        "Gomoku has been played in China and Japan for centuries, often with the stones of Go. In 1994 Victor Allis "
        "proved that black wins on a board of 15 lines; tournaments therefore restrict the opening."
    ),
)
