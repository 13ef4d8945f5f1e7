"""Checks xiangqi's reasons on a board of letters, made from the position text, with a move generator of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dev.reasons.cases import Case, checks
from papan.game.base.sentences import Value

Cell = tuple[int, int]
"""File and rank."""
FILES, RANKS = 9, 10
NAMES = {
    "k": "general", "a": "advisor", "b": "elephant", "n": "horse", "r": "chariot", "c": "cannon", "p": "soldier",
}  # fmt: skip
WORTH = {"r": 9.0, "c": 4.5, "n": 4.0, "b": 2.0, "a": 2.0, "p": 1.0, "k": 99.0}
LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


class Board:
    """Letters on cells: capitals are red's."""

    def __init__(self, pieces: dict[Cell, str]) -> None:
        self.pieces = pieces

    @classmethod
    def read(cls, text: str) -> Board:
        pieces: dict[Cell, str] = {}
        for number, row in enumerate(text.split()[0].split("/")):
            file = 0
            for sign in row:
                if sign.isdigit():
                    file += int(sign)
                else:
                    pieces[file, RANKS - 1 - number] = sign
                    file += 1
        return cls(pieces)

    def side(self, cell: Cell) -> int | None:
        return int(self.pieces[cell].islower()) if cell in self.pieces else None

    def kind(self, cell: Cell) -> str:
        return self.pieces[cell].lower()

    def moved(self, origin: Cell, target: Cell) -> Board:
        pieces = {cell: piece for cell, piece in self.pieces.items() if cell != origin}
        return Board(pieces | {target: self.pieces[origin]})

    def reach(self, cell: Cell) -> Iterator[Cell]:
        """The cells that the piece on *cell* attacks or can go to, own pieces among them."""
        kind, side = self.kind(cell), self.side(cell)
        x, y = cell
        if kind in "rc":
            yield from self._along_lines(cell, kind)
        elif kind == "n":
            for dx, dy in LINES:
                if (x + dx, y + dy) not in self.pieces:
                    yield from _on_board((x + 2 * dx + dy, y + 2 * dy + dx), (x + 2 * dx - dy, y + 2 * dy - dx))
        elif kind == "b":
            for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
                if (x + dx, y + dy) not in self.pieces and (y + 2 * dy < 5) == (y < 5):
                    yield from _on_board((x + 2 * dx, y + 2 * dy))
        elif kind in "ak":
            ways = LINES if kind == "k" else ((1, 1), (1, -1), (-1, 1), (-1, -1))
            for dx, dy in ways:
                if 3 <= x + dx <= 5 and (0 <= y + dy <= 2 if side == 0 else 7 <= y + dy <= 9):
                    yield x + dx, y + dy
        else:
            ahead = 1 if side == 0 else -1
            has_crossed = y > 4 if side == 0 else y < 5
            yield from _on_board((x, y + ahead), *([(x - 1, y), (x + 1, y)] if has_crossed else []))

    def _along_lines(self, cell: Cell, kind: str) -> Iterator[Cell]:
        for dx, dy in LINES:
            screens, (x, y) = 0, cell
            while True:
                x, y = x + dx, y + dy
                if not (0 <= x < FILES and 0 <= y < RANKS):
                    break
                if (x, y) not in self.pieces:
                    if not screens:
                        yield x, y
                    continue
                screens += 1
                if screens == (1 if kind == "r" else 2):
                    yield x, y
                    break

    def general(self, side: int) -> Cell:
        return next(cell for cell, piece in self.pieces.items() if piece == "Kk"[side])

    def in_check(self, side: int) -> bool:
        own, other = self.general(side), self.general(1 - side)
        between = [(own[0], y) for y in range(min(own[1], other[1]) + 1, max(own[1], other[1]))]
        if own[0] == other[0] and not any(cell in self.pieces for cell in between):
            return True
        return any(own in self.reach(cell) for cell in self.pieces if self.side(cell) != side)

    def moves(self, side: int) -> list[tuple[Cell, Cell]]:
        """The legal moves of *side* if it were to move, without captures of a general."""
        return [
            (origin, target)
            for origin in self.pieces
            if self.side(origin) == side
            for target in self.reach(origin)
            if self.side(target) != side and self.pieces.get(target, "p") not in "Kk"
            if not self.moved(origin, target).in_check(side)
        ]

    def wins_piece(self, origin: Cell, target: Cell) -> bool:
        """Whether the capture of *target* from *origin* wins material even if it is answered there."""
        after = self.moved(origin, target)
        other = 1 - int(self.pieces[origin].islower())
        is_answered = any(end == target for _start, end in after.moves(other))
        return not is_answered or WORTH[self.kind(origin)] < WORTH[self.kind(target)]

    def endangered(self, side: int) -> set[Cell]:
        """The pieces of *side* that the other side could win if it were to move."""
        moves = self.moves(1 - side)
        return {target for origin, target in moves if self.side(target) == side and self.wins_piece(origin, target)}

    def attacked(self, side: int) -> set[Cell]:
        return {target for _origin, target in self.moves(1 - side) if self.side(target) == side}

    def has_check(self, side: int) -> bool:
        return any(self.moved(*move).in_check(1 - side) for move in self.moves(side))

    def mobility(self, cell: Cell) -> int:
        side = self.side(cell)
        return 0 if side is None else sum(origin == cell for origin, _target in self.moves(side))


def _on_board(*cells: Cell) -> Iterator[Cell]:
    return (cell for cell in cells if 0 <= cell[0] < FILES and 0 <= cell[1] < RANKS)


def cell_of(name: object) -> Cell:
    return "abcdefghi".index(str(name)[0]), int(str(name)[1:])


class _Turn:
    """A turn on boards of letters."""

    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        before, after = case.rules.text(case.before), case.rules.text(case.after)
        self.before, self.after = Board.read(before), Board.read(after)
        self.side = 0 if before.split()[1] == "w" else 1
        pairs = self.before.pieces.items(), self.after.pieces.items()
        self.origin = next(cell for cell, piece in pairs[0] if cell not in self.after.pieces)
        self.target = next(cell for cell, piece in pairs[1] if self.before.pieces.get(cell) != piece)

    @property
    def cell(self) -> Cell:
        return cell_of(self.values["cell"])

    def is_named(self, board: Board, cell: Cell, name: str = "piece") -> bool:
        return cell in board.pieces and NAMES[board.kind(cell)] == self.values[name]

    def captures(self) -> bool:
        return self.before.side(self.target) == 1 - self.side and self.is_named(self.before, self.target)

    def recaptured(self) -> bool:
        return self.target in self.after.attacked(self.side)

    def checks(self, board: Board, cell: Cell, side: int) -> bool:
        """Whether the piece on *cell* attacks the general of *side*."""
        return board.side(cell) == 1 - side and board.general(side) in board.reach(cell)

    def parries(self) -> bool:
        return self.before.in_check(self.side) and not self.after.in_check(self.side)

    def guards(self, board: Board) -> bool:
        """Whether an own piece could retake on the cell."""
        pieces = board.pieces | {self.cell: "pP"[self.side]}
        lost = Board(pieces)
        return any(self.cell in lost.reach(at) for at in pieces if lost.side(at) == self.side)

    def attacks(self, *names: str) -> bool:
        cells = {cell_of(self.values[name]) for name in names}
        return cells <= self.after.endangered(1 - self.side) and not cells & self.before.endangered(1 - self.side)

    def moves_at(self, cell: Cell) -> tuple[int, int]:
        return self.before.mobility(cell), self.after.mobility(cell)

    def was_saved(self, cell: Cell, now: Cell) -> bool:
        return cell in self.before.endangered(self.side) and now not in self.after.endangered(self.side)


def _pins(turn: _Turn) -> bool:
    had, has = turn.moves_at(turn.cell)
    if not turn.is_named(turn.after, turn.cell) or turn.after.in_check(1 - turn.side):
        return False
    return had > 0 == has and any(turn.after.side(at) != 1 - turn.side for at in turn.after.reach(turn.cell))


def _is_open_file(turn: _Turn) -> bool:
    file = "abcdefghi".index(str(turn.values["file"]))
    soldiers = [cell for cell in turn.after.pieces if turn.after.kind(cell) == "p" and cell[0] == file]
    ahead = range(turn.target[1] + 1, RANKS) if turn.side == 0 else range(turn.target[1])
    is_shut = any(turn.after.side((file, rank)) == turn.side for rank in ahead)
    return turn.before.kind(turn.origin) == "r" and turn.target[0] == file and not soldiers and not is_shut


def _crosses(turn: _Turn) -> bool:
    ranks = (range(5), range(5, 10))[turn.side]
    is_piece = turn.is_named(turn.before, turn.origin)
    return is_piece and turn.origin[1] in ranks and turn.target[1] not in ranks


def _comes_nearer(turn: _Turn) -> bool:
    x, y = turn.after.general(1 - turn.side)
    far, near = (abs(cell[0] - x) + abs(cell[1] - y) for cell in (turn.origin, turn.target))
    return turn.before.kind(turn.origin) == "p" and near < far


def _comes_to_river(turn: _Turn) -> bool:
    rank = turn.before.kind(turn.origin) == "p" and turn.target[1]
    return rank in ((4,), (5,))[turn.side]


def _develops(turn: _Turn) -> bool:
    start, piece = Board.read(START), turn.before.pieces[turn.origin]
    return start.pieces.get(turn.origin) == piece and start.pieces.get(turn.target) != piece


def _hobbles(turn: _Turn) -> bool:
    had, has = turn.moves_at(turn.cell)
    is_beside = abs(turn.cell[0] - turn.target[0]) + abs(turn.cell[1] - turn.target[1]) == 1
    return turn.after.pieces.get(turn.cell) == "nN"[turn.side] and is_beside and has < had


def _leaves_no_check(turn: _Turn) -> bool:
    return turn.before.has_check(1 - turn.side) and not turn.after.has_check(1 - turn.side)


def _saves(turn: _Turn) -> bool:
    can_take = (turn.cell, turn.origin) in turn.before.moves(1 - turn.side)
    is_named = turn.is_named(turn.before, turn.origin) and turn.is_named(turn.before, turn.cell, "attacker")
    return can_take and is_named and turn.was_saved(turn.origin, turn.target)


def _gives_moves(turn: _Turn) -> bool:
    count, before = turn.after.mobility(turn.target), turn.before.mobility(turn.origin)
    return (
        (turn.values["count"], turn.values["before"]) == (count, before)
        and count > before
        and turn.is_named(turn.after, turn.target)
    )


def _trades(turn: _Turn) -> bool:
    return turn.captures() and turn.recaptured() and turn.is_named(turn.before, turn.origin, "own")


def _protects(turn: _Turn) -> bool:
    return turn.was_saved(turn.cell, turn.cell) and turn.is_named(turn.after, turn.cell)


def _takes_aim(turn: _Turn) -> bool:
    could = (turn.origin, turn.cell) in turn.before.moves(turn.side)
    can = (turn.target, turn.cell) in turn.after.moves(turn.side) and turn.is_named(turn.after, turn.cell)
    return can and not could and turn.after.side(turn.cell) == 1 - turn.side


def _is_backed(turn: _Turn) -> bool:
    is_own = turn.after.side(turn.cell) == turn.side and turn.is_named(turn.after, turn.cell, "other")
    return is_own and turn.target in turn.after.reach(turn.cell)


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "leaves the opponent one {piece} fewer": lambda turn: turn.captures(),
    "captures the {piece} that gives check": lambda turn: (
        turn.captures() and turn.checks(turn.before, turn.target, turn.side)
    ),
    "wins the {piece} without being captured in return": lambda turn: turn.captures() and not turn.recaptured(),
    "trades a {own} for the {piece} on {cell}": _trades,
    "gives check with the {piece} on {cell}": lambda turn: (
        turn.is_named(turn.after, turn.cell) and turn.checks(turn.after, turn.cell, 1 - turn.side)
    ),
    "takes the general out of check": lambda turn: turn.parries() and turn.before.kind(turn.origin) == "k",
    "parries the check by the {piece} on {cell}": lambda turn: (
        turn.parries() and turn.checks(turn.before, turn.cell, turn.side)
    ),
    "saves the {piece} from the {attacker} on {cell}": _saves,
    "protects the {piece} on {cell}": _protects,
    "shields the {piece} on {cell} from capture": lambda turn: (
        _protects(turn) and turn.cell not in turn.after.attacked(turn.side)
    ),
    "leaves the opponent no way to give check": _leaves_no_check,
    "attacks the {piece} on {cell}": lambda turn: turn.attacks("cell"),
    "attacks the {piece} on {cell} and the {other} on {place}": lambda turn: turn.attacks("cell", "place"),
    "pins the {piece} on {cell}": _pins,
    "brings the {piece} across the river": _crosses,
    "brings the soldier nearer to the general": _comes_nearer,
    "puts the chariot on the open {file} file": _is_open_file,
    "puts the cannon on the middle file": lambda turn: turn.before.kind(turn.origin) == "c" and turn.target[0] == 4,
    "develops the {piece}": _develops,
    "guards the {piece} on {cell}": lambda turn: turn.guards(turn.after) and not turn.guards(turn.before),
    "opens the way for the {piece} on {cell}": lambda turn: (
        turn.after.side(turn.cell) == turn.side and turn.moves_at(turn.cell)[1] > turn.moves_at(turn.cell)[0] + 1
    ),
    "gives the {piece} {count} move instead of {before}": _gives_moves,
    "hobbles the horse on {cell}": _hobbles,
    "restricts the {piece} on {cell}": lambda turn: (
        turn.after.side(turn.cell) != turn.side and turn.moves_at(turn.cell)[1] < turn.moves_at(turn.cell)[0]
    ),
    "takes aim at the {piece} on {cell}": _takes_aim,
    "puts the {piece} where the {other} on {cell} protects it": _is_backed,
    "brings the soldier nearer to the river": _comes_to_river,
    "cuts the opponent's moves to {count}": lambda turn: (
        len(turn.before.moves(1 - turn.side)) > len(turn.after.moves(1 - turn.side)) == turn.values["count"]
    ),
    "leaves none of your pieces in danger": lambda turn: not turn.after.endangered(turn.side),
}
CHECKS = checks(_Turn, _FACTS)
