"""Presentation of gomoku: stones for the editor; fours and threes, by their open ends, as motifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import say
from papan.game.presentation import Brush, Example, Motif, Page, Section
from papan.game.rules import mover
from papan.game.rules.gomoku import DIRECTIONS, State, is_on_board, stones, with_stones
from papan.game.rules.gomoku import name_of as cell_name


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
_OPEN_THREE, _FOUR, _TWO_THREES, _TWO_FOURS, _OPEN_FOUR = range(1, 6)


class _Board:
    """The stones of one seat, and the empty cells."""

    def __init__(self, state: State, seat: int) -> None:
        self._state = state
        self.own = stones(state, seat)
        self._taken = self.own | stones(state, 1 - seat)

    def is_empty(self, cell: int) -> bool:
        return is_on_board(self._state, cell) and not self._taken >> cell & 1

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
        length = len(self.run(cell, way, added))
        return length == FIVE or (length > FIVE and not self._state.exact)

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


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    """The best motif of the last stone."""
    board, cell = _Board(states[-1], int(mover(states[0]))), steps[-1]
    if any(board.is_open_four(cell, way) for way in DIRECTIONS):
        can = say("{who} can now make an open four.", who=who)
        yield Motif(_OPEN_FOUR, can, say("{who} could have made an open four.", who=who))
        return
    fives = {at for way in DIRECTIONS for at in board.near(cell, way) if board.makes_five(at, way)}
    if len(fives) > 1:
        yield Motif(
            _TWO_FOURS,
            say("{who} can now threaten five in a row at two places at once.", who=who),
            say("{who} could have threatened five in a row at two places at once.", who=who),
        )
        return
    if fives:
        yield Motif(_FOUR, say("{who} can now make a four.", who=who), say("{who} could have made a four.", who=who))
    threes = sum(board.is_open_three(cell, way) for way in DIRECTIONS)
    if threes > 1:
        can = say("{who} can now make two open threes at once.", who=who)
        yield Motif(_TWO_THREES, can, say("{who} could have made two open threes at once.", who=who))
    elif threes:
        can = say("{who} can now make an open three.", who=who)
        yield Motif(_OPEN_THREE, can, say("{who} could have made an open three.", who=who))


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
