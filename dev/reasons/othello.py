"""Checks of Othello's reasons, on a board of 64 signs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dev.reasons.cases import Case, checks
from papan.game.base.sentences import Value

_SIZE = 8
_WAYS = [(across, down) for across in (-1, 0, 1) for down in (-1, 0, 1) if (across, down) != (0, 0)]
_CELLS = [(column, row) for row in range(_SIZE) for column in range(_SIZE)]
_CORNERS = {(0, 0), (7, 0), (0, 7), (7, 7)}
_COLOURS = {"X": "Black", "O": "White"}

Cell = tuple[int, int]
_NOWHERE = (-_SIZE, -_SIZE)
"""The cell of a pass."""
Board = dict[Cell, str]
"""A sign for each cell that has a disc."""


class _Turn:
    """The boards of a case, the signs of both sides, and the discs turned over."""

    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.case, self.values = case, values
        self.before, self.own = _board(case.rules.text(case.before))
        self.other = "O" if self.own == "X" else "X"
        self.cell = _named(case.turn) if case.turn != "pass" else _NOWHERE
        self.turned = _turned(self.before, self.own, self.cell)
        self.after = _played(self.before, self.own, self.cell)
        self.moves = [cell for cell in _moves(self.before, self.own) if cell != self.cell]
        """The other moves that were legal."""

    def replies(self, cell: Cell | None = None) -> list[Cell]:
        """The other side's moves after the turn, or after one on *cell*."""
        return _moves(self.after if cell is None else _played(self.before, self.own, cell), self.other)

    def is_of(self, name: str = "colour") -> bool:
        """Whether the value *name* is the right colour."""
        sign = self.own if name == "own" else self.other
        return self.values[name] == _COLOURS[sign]


def _named(name: str) -> Cell:
    return "abcdefgh".index(name[0]), int(name[1]) - 1


def _board(text: str) -> tuple[Board, str]:
    cells, side = text.split()
    return {cell: sign for cell, sign in zip(_CELLS, cells, strict=True) if sign != "-"}, side


def _turned(board: Board, own: str, cell: Cell) -> set[Cell]:
    """The discs that a disc of *own* on *cell* turns over."""
    found: set[Cell] = set()
    for across, down in _WAYS:
        line: list[Cell] = []
        at = cell[0] + across, cell[1] + down
        while board.get(at, own) != own:
            line.append(at)
            at = at[0] + across, at[1] + down
        if board.get(at) == own:
            found.update(line)
    return found


def _moves(board: Board, own: str) -> list[Cell]:
    return [cell for cell in _CELLS if cell not in board and _turned(board, own, cell)]


def _played(board: Board, own: str, cell: Cell) -> Board:
    return {**board, **dict.fromkeys(_turned(board, own, cell), own), cell: own}


def _beside(cell: Cell) -> list[Cell]:
    around = [(cell[0] + across, cell[1] + down) for across, down in _WAYS]
    return [at for at in around if at in _CELLS]


def _takes_corner(turn: _Turn) -> bool:
    return turn.cell == _named(str(turn.values["cell"])) in _CORNERS


def _leaves_none(turn: _Turn) -> bool:
    return turn.is_of() and not turn.replies() and bool(_moves(turn.after, turn.own))


def _shuts_out(turn: _Turn) -> bool:
    corner = _named(str(turn.values["cell"]))
    was = corner in _moves(turn.before, turn.other)
    return turn.is_of() and corner in _CORNERS and was and corner not in turn.replies()


def _attacks_corner(turn: _Turn) -> bool:
    corner = _named(str(turn.values["cell"]))
    is_new = corner in _moves(turn.after, turn.own) and corner not in turn.moves
    return corner in _CORNERS and is_new and corner not in turn.replies()


def _is_safe_edge(turn: _Turn) -> bool:
    column, row = turn.cell
    edges = []
    if row in (0, 7):
        edges += [[(at, row) for at in range(column)], [(at, row) for at in range(column, _SIZE)]]
    if column in (0, 7):
        edges += [[(column, at) for at in range(row)], [(column, at) for at in range(row, _SIZE)]]
    return any(all(turn.after.get(cell) == turn.own for cell in edge) for edge in edges)


def _gives_no_corner(turn: _Turn) -> bool:
    gives = [cell for cell in turn.moves if _CORNERS & {*turn.replies(cell)}]
    return turn.is_of() and not _CORNERS & {*turn.replies()} and bool(gives)


def _keeps_away(turn: _Turn) -> bool:
    corner = _named(str(turn.values["cell"]))
    beside = set(_beside(corner))
    return corner in _CORNERS - {*turn.before} and turn.cell not in beside and bool(beside & {*turn.moves})


def _cuts_moves(turn: _Turn) -> bool:
    was = len(_moves(turn.before, turn.other))
    return turn.is_of() and (was, len(turn.replies())) == (turn.values["was"], turn.values["count"])


def _leaves_more(turn: _Turn) -> bool:
    own = len(_moves(turn.after, turn.own))
    is_right = (own, len(turn.replies())) == (turn.values["more"], turn.values["count"])
    return turn.is_of() and turn.is_of("own") and is_right


def _leaves_own(turn: _Turn) -> bool:
    return turn.is_of("own") and len(_moves(turn.after, turn.own)) == turn.values["count"]


def _turns_over(turn: _Turn) -> bool:
    return len(turn.turned) == turn.values["count"]


def _turns_inner(turn: _Turn) -> bool:
    return turn.is_of() and all(at in turn.after for cell in turn.turned for at in _beside(cell))


def _gives_fewer(turn: _Turn) -> bool:
    more = [cell for cell in turn.moves if len(turn.replies(cell)) > len(turn.replies())]
    return turn.is_of() and len(more) > len(turn.moves) / 2


def _ends_with(turn: _Turn) -> bool:
    """The expected line ends the game with that margin, empty cells going to the winner."""
    own = turn.own
    board, _side = _board(turn.case.rules.text([turn.case.after, *turn.case.line][-1]))
    if _moves(board, "X") or _moves(board, "O"):
        return False
    ahead = sum(1 if sign == own else -1 for sign in board.values())
    empty = len(_CELLS) - len(board)
    margin = ahead + empty * (ahead > 0) - empty * (ahead < 0)
    return turn.case.analysis.is_proven and str(turn.values["margin"]) == f"{margin:+d} discs"


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "wins ({margin})": _ends_with,
    "loses by as little as possible ({margin})": _ends_with,
    "takes the corner {cell}": _takes_corner,
    "leaves {colour} only one move": lambda turn: turn.is_of() and len(turn.replies()) == turn.values["count"],
    "leaves {colour} without a move": _leaves_none,
    "keeps {colour} out of the corner {cell}": _shuts_out,
    "attacks the corner {cell}": _attacks_corner,
    "puts a disc on the edge that can't be turned over": _is_safe_edge,
    "gives {colour} no way into a corner": _gives_no_corner,
    "keeps away from the empty corner {cell}": _keeps_away,
    "cuts {colour}'s moves from {was} to {count}": _cuts_moves,
    "leaves {own} {more} moves and {colour} {count}": _leaves_more,
    "leaves {own} {count} moves to choose from": _leaves_own,
    "turns over {count} discs": _turns_over,
    "turns over only one disc, so {colour} gets few moves": lambda turn: _turns_over(turn) and _gives_fewer(turn),
    "turns over a disc that {colour} can't play beside": _turns_inner,
    "gives {colour} fewer moves than most other turns would": _gives_fewer,
}
CHECKS = checks(_Turn, _FACTS)
