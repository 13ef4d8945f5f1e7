"""Checks CIFRA's reasons on the position text, with walks of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy

from dev.reasons.cases import Case, Check
from papan.game.base.sentences import Value

Cell = tuple[int, int]
"""Column and row."""
WAYS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Board:
    """Tiles and pieces as letters, and which colour is at home on row 1."""

    def __init__(self, text: str) -> None:
        tiles, pieces, self.to_move, self.home = text.split("/")[:4]
        self.size = {25: 5, 81: 9}[len(tiles)]
        self.tiles, self.pieces = self._by_cell(tiles.lower()), self._by_cell(pieces)

    def _by_cell(self, letters: str) -> dict[Cell, str]:
        rows = range(self.size)
        return {(x, self.size - 1 - y): letters[y * self.size + x] for y in rows for x in rows}

    def side(self, cell: Cell) -> str:
        """The colour of the piece on *cell*, "." for none."""
        return self.pieces[cell].lower()

    def is_goal(self, cell: Cell) -> bool:
        return self.pieces[cell].isupper()

    def far_row(self, side: str) -> int:
        return self.size - 1 if side == self.home else 0

    def living(self, side: str) -> list[Cell]:
        return [cell for cell, piece in self.pieces.items() if piece == side]

    def walks(self, cell: Cell, side: str) -> Iterator[Cell]:
        """The cells where a piece of *side* on *cell* can end a walk: each step between own tiles is free."""
        for dx, dy in WAYS:
            cost, at = 0, cell
            while True:
                ahead = at[0] + dx, at[1] + dy
                if ahead not in self.pieces:
                    break
                cost += not self.tiles[at] == self.tiles[ahead] == side
                if cost > 1 or self.side(ahead) == side or self.is_goal(ahead):
                    break
                yield ahead
                if self.side(ahead) != ".":
                    break
                at = ahead

    def attackers(self, cell: Cell, side: str) -> list[Cell]:
        """The pieces of *side* that could go to *cell*."""
        return [at for at in self.living(side) if cell in self.walks(at, side)]

    def endangered(self, side: str) -> set[Cell]:
        """The living pieces of *side* that the other side could capture if it were to move."""
        return {cell for cell in self.living(side) if self.attackers(cell, other(side))}

    def count(self, side: str) -> int:
        return sum(len(list(self.walks(cell, side))) for cell in self.living(side))

    def is_near(self, cell: Cell, side: str) -> bool:
        """Whether the piece on *cell* could come home by one walk."""
        return any(row == self.far_row(side) for _column, row in self.walks(cell, side))

    def moved(self, origin: Cell, target: Cell, side: str) -> Board:
        board = copy(self)
        board.pieces = self.pieces | {origin: ".", target: side.upper() if target[1] == self.far_row(side) else side}
        return board

    def is_protected(self, cell: Cell, side: str) -> bool:
        """Whether *side* could recapture, whichever piece captures the one on *cell*."""
        captured = [self.moved(at, cell, other(side)) for at in self.attackers(cell, other(side))]
        return all(not after.is_goal(cell) and after.attackers(cell, side) for after in captured)


def other(side: str) -> str:
    return "b" if side == "w" else "w"


class _Turn:
    """A turn on boards of letters."""

    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        self.before, self.after = Board(case.rules.text(case.before)), Board(case.rules.text(case.after))
        self.side = self.before.to_move
        cells = self.before.pieces
        changed = [cell for cell in cells if self.before.pieces[cell] != self.after.pieces[cell]]
        self.origin = next(cell for cell in changed if self.after.pieces[cell] == ".")
        self.target = next(cell for cell in changed if self.after.pieces[cell] != ".")
        self.ranks = case.rules.text(case.before).split("/")[4:5]

    def cell(self, name: str = "cell") -> Cell:
        text = str(self.values[name])
        return "abcdefghi".index(text[0]), int(text[1]) - 1

    def captures(self) -> bool:
        return self.before.side(self.target) == other(self.side)

    def rank(self) -> str:
        """The number of the piece that was on the target, in the mode with numbers."""
        letters = self.ranks[0]
        size = self.before.size
        return letters[(size - 1 - self.target[1]) * size + self.target[0]]

    def attacks(self, *names: str) -> bool:
        cells = {self.cell(name) for name in names}
        return cells <= self.after.endangered(other(self.side)) - self.before.endangered(other(self.side))

    def rows_gained(self) -> int:
        goal = self.before.far_row(self.side)
        return abs(self.origin[1] - goal) - abs(self.target[1] - goal)

    def ways(self, origin: Cell, target: Cell) -> tuple[int, int]:
        return len(list(self.before.walks(origin, self.side))), len(list(self.after.walks(target, self.side)))


def _is_home(turn: _Turn) -> bool:
    return turn.cell() == turn.target and turn.after.is_goal(turn.target)


def _captures_safely(turn: _Turn) -> bool:
    retaken = turn.after.attackers(turn.target, other(turn.side)) and not turn.after.is_goal(turn.target)
    return turn.captures() and not retaken


def _saves(turn: _Turn) -> bool:
    could = turn.cell() in turn.before.attackers(turn.origin, other(turn.side))
    return could and turn.target not in turn.after.endangered(turn.side)


def _shields(turn: _Turn) -> bool:
    cell = turn.cell()
    is_own = turn.after.side(cell) == turn.side
    return is_own and cell in turn.before.endangered(turn.side) and cell not in turn.after.endangered(turn.side)


def _protects(turn: _Turn) -> bool:
    cell, side = turn.cell(), turn.side
    return turn.after.is_protected(cell, side) and not turn.before.is_protected(cell, side)


def _stops(turn: _Turn) -> bool:
    cell, rival = turn.cell(), other(turn.side)
    is_there = turn.before.pieces[cell] == turn.after.pieces[cell] == rival
    return is_there and turn.before.is_near(cell, rival) and not turn.after.is_near(cell, rival)


def _comes_near(turn: _Turn) -> bool:
    return not turn.before.is_near(turn.origin, turn.side) and turn.after.is_near(turn.target, turn.side)


def _finds_own_colour(turn: _Turn) -> bool:
    return turn.before.tiles[turn.target] == turn.side != turn.before.tiles[turn.origin]


def _opens(turn: _Turn) -> bool:
    had, has = turn.ways(turn.cell(), turn.cell())
    return turn.after.pieces[turn.cell()] == turn.side and has > had


def _gives_cells(turn: _Turn) -> bool:
    had, has = turn.ways(turn.origin, turn.target)
    return (turn.values["before"], turn.values["count"]) == (had, has) and has > had


def _takes_moves(turn: _Turn) -> bool:
    rival = other(turn.side)
    return turn.values["count"] == turn.after.count(rival) < turn.before.count(rival)


def _on_own_tiles(case: Case, values: Mapping[str, Value]) -> bool:
    if _is_in_play(case):
        return False
    board = Board(case.rules.text(case.after))
    side = other(board.to_move)
    return values["count"] == sum(board.tiles[cell] == side for cell in board.living(side)) > 0


def _walks_further(case: Case, values: Mapping[str, Value]) -> bool:
    if _is_in_play(case):
        return False
    board = Board(case.rules.text(case.after))
    return board.count(other(board.to_move)) > board.count(board.to_move)


def _offers_trade(turn: _Turn) -> bool:
    cell, side = turn.cell(), turn.side
    return cell == turn.target and cell in turn.after.endangered(side) and turn.after.is_protected(cell, side)


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "brings a piece home on {cell}": _is_home,
    "leaves the opponent one piece fewer": _Turn.captures,
    "wins a piece without being captured in return": _captures_safely,
    "captures piece {number} on {cell}": lambda turn: (
        turn.captures() and turn.cell() == turn.target and turn.rank() == str(turn.values["number"])
    ),
    "saves the piece from the one on {cell}": _saves,
    "shields the piece on {cell}": _shields,
    "protects the piece on {cell}": _protects,
    "offers a trade on {cell}": _offers_trade,
    "leaves none of your pieces in danger": lambda turn: not turn.after.endangered(turn.side),
    "stops the piece on {cell} from coming home next": _stops,
    "puts a piece one move from home": _comes_near,
    "brings a piece {count} row nearer to home": lambda turn: turn.values["count"] == turn.rows_gained() > 0,
    "attacks the piece on {cell}": lambda turn: turn.attacks("cell"),
    "attacks the pieces on {cell} and {other}": lambda turn: turn.attacks("cell", "other"),
    "puts a piece on a tile of its own colour": _finds_own_colour,
    "opens a way for the piece on {cell}": _opens,
    "gives the piece {count} cell to go to instead of {before}": _gives_cells,
    "cuts the opponent's moves to {count}": _takes_moves,
}


def _check(fact: Callable[[_Turn], bool]) -> Check:
    return lambda case, values: _is_in_play(case) and fact(_Turn(case, values))


def _is_in_play(case: Case) -> bool:
    return case.rules.phase(case.before) == "move"


CHECKS: Mapping[str, Check] = {
    **{template: _check(fact) for template, fact in _FACTS.items()},
    "places {count} piece on a tile of its own colour": _on_own_tiles,
    "lets your pieces move to more cells than the opponent's": _walks_further,
}
