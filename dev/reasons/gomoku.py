"""Checks of gomoku's reasons, on lines of signs: X for the mover, O for the other side, a dot for an empty cell.

More than five stones in a row win too, as by the default option.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from dev.reasons.cases import Case, checks
from papan.game.base.sentences import Value

Cell = tuple[int, int]
Stones = dict[Cell, str]
_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
_LETTERS = "abcdefghijklmnopqrst"
_COLOURS = ("Black", "White")
_NEAR = 5


class _Turn:
    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        moves = case.rules.text(case.before).split()
        self.size = int(case.before.size)
        self.before = {_named(name): "XO"[(number - len(moves)) % 2] for number, name in enumerate(moves)}
        self.cell = _named(case.turn)
        self.after = {**self.before, self.cell: "X"}
        self.taken = {**self.before, self.cell: "O"}
        """The board if the other side had played there."""
        self.colour = _COLOURS[1 - len(moves) % 2]
        """The other side's."""

    def line(self, stones: Stones, cell: Cell, way: Cell) -> str:
        """The signs along *way* up to ``_NEAR`` cells from *cell* either way, # beyond the board."""
        cells = [(cell[0] + way[0] * step, cell[1] + way[1] * step) for step in range(-_NEAR, _NEAR + 1)]
        return "".join(stones.get(at, ".") if self.has(at) else "#" for at in cells)

    def has(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size

    def wins(self, stones: Stones, cell: Cell, sign: str) -> bool:
        """Whether a stone of *sign* on *cell* makes five or more in a row."""
        more = {**stones, cell: sign}
        return cell not in stones and any(5 * sign in self.line(more, cell, way) for way in _WAYS)

    def winning(self, stones: Stones, sign: str) -> list[Cell]:
        cells = ((column, row) for column in range(self.size) for row in range(self.size))
        return [cell for cell in cells if self.wins(stones, cell, sign)]

    def is_open_three(self, stones: Stones, cell: Cell, way: Cell, sign: str) -> bool:
        """Whether the stone on *cell* and one more make four in a row with both ends empty."""
        line = self.line(stones, cell, way)
        for place, at in enumerate(line):
            if at != ".":
                continue
            more = line[:place] + sign + line[place + 1 :]
            for found in re.finditer(rf"\.{sign}{{4}}\.", more):
                if found.start() < _NEAR < found.end() - 1 and found.start() < place < found.end() - 1:
                    return True
        return False

    def open_threes(self, stones: Stones, cell: Cell, sign: str) -> int:
        """The directions in which the stone on *cell* is in an open three."""
        return sum(self.is_open_three(stones, cell, way, sign) for way in _WAYS)

    def has_open_three(self, stones: Stones, sign: str) -> bool:
        return any(self.open_threes(stones, cell, sign) for cell, own in stones.items() if own == sign)

    def room(self, stones: Stones, way: Cell, sign: str) -> int:
        """The most stones of *sign* in five cells through the turn's cell without a stone of another sign."""
        line = self.line(stones, self.cell, way)
        windows = (line[first : first + 5] for first in range(_NEAR - 4, _NEAR + 1))
        return max((window.count(sign) for window in windows if {*window} <= {sign, "."}), default=0)


def _named(name: str) -> Cell:
    return _LETTERS.index(name[0]), int(name[1:]) - 1


def _makes_open_four(turn: _Turn) -> bool:
    lines = (turn.line(turn.after, turn.cell, way) for way in _WAYS)
    return any(re.search(r"\.XXXX\.", line) for line in lines)


def _makes_four(turn: _Turn) -> bool:
    return _named(str(turn.values["cell"])) in turn.winning(turn.after, "X")


def _makes_four_and_three(turn: _Turn) -> bool:
    return bool(turn.winning(turn.after, "X")) and turn.open_threes(turn.after, turn.cell, "X") > 0


def _blocks_four(turn: _Turn) -> bool:
    could = turn.wins(turn.before, turn.cell, "O")
    return turn.values["colour"] == turn.colour and could and not turn.winning(turn.after, "O")


def _blocks_three(turn: _Turn) -> bool:
    had, has = turn.has_open_three(turn.before, "O"), turn.has_open_three(turn.after, "O")
    return turn.values["colour"] == turn.colour and had and not has


def _keeps_from_two(turn: _Turn) -> bool:
    return turn.values["colour"] == turn.colour and turn.open_threes(turn.taken, turn.cell, "O") > 1


def _keeps_from_three(turn: _Turn) -> bool:
    return turn.values["colour"] == turn.colour and turn.open_threes(turn.taken, turn.cell, "O") == 1


def _adds_to_lines(turn: _Turn) -> bool:
    return sum(turn.room(turn.after, way, "X") > 1 for way in _WAYS) == turn.values["count"]


def _lines_up(turn: _Turn) -> bool:
    return max(turn.room(turn.after, way, "X") for way in _WAYS) == turn.values["count"]


def _is_in_the_way(turn: _Turn) -> bool:
    most = max(turn.room(turn.before, way, "O") for way in _WAYS)
    return turn.values["colour"] == turn.colour and most == turn.values["count"]


def _stays_near(turn: _Turn) -> bool:
    column, row = turn.cell
    square = ((column + across, row + up) for across in range(-2, 3) for up in range(-2, 3))
    return any(cell in turn.before for cell in square)


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "makes an open four": _makes_open_four,
    "threatens five in a row at two places at once": lambda turn: len(turn.winning(turn.after, "X")) > 1,
    "makes a four that must be answered on {cell}": _makes_four,
    "makes a four and an open three at once": _makes_four_and_three,
    "makes two open threes at once": lambda turn: turn.open_threes(turn.after, turn.cell, "X") > 1,
    "makes an open three": lambda turn: turn.open_threes(turn.after, turn.cell, "X") == 1,
    "blocks {colour}'s row of four": _blocks_four,
    "blocks {colour}'s open three": _blocks_three,
    "keeps {colour} from making two open threes at once": _keeps_from_two,
    "keeps {colour} from making an open three": _keeps_from_three,
    "builds on {count} chances for five in a row": _adds_to_lines,
    "lines up {count} stones with room for five": _lines_up,
    "gets in the way of {colour}'s line of {count}": _is_in_the_way,
    "takes the middle of the board": lambda turn: turn.cell == ((turn.size - 1) // 2, (turn.size - 1) // 2),
    "stays near other stones": _stays_near,
}
CHECKS = checks(_Turn, _FACTS)
