"""Checks of checkers' reasons, on columns and rows read from PDN's squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dev.reasons.cases import Case, checks
from papan.game.base.sentences import Value
from papan.game.rules import State

Cell = tuple[int, int]
"""A column and a row, counted from 0 at the top left."""
_COLOURS = {"B": "Black", "W": "White"}


def _cell(square: int) -> Cell:
    row = (square - 1) // 4
    return (square - 1) % 4 * 2 + (1 if row % 2 == 0 else 0), row


@dataclass(frozen=True)
class _Board:
    to_move: str
    men: Mapping[str, frozenset[Cell]]
    kings: Mapping[str, frozenset[Cell]]

    @classmethod
    def of(cls, case: Case, state: State) -> _Board:
        side, *sides = case.rules.text(state).split(":")[:3]
        men, kings = {}, {}
        for colour, *squares in ((text[0], *filter(None, text[1:].split(","))) for text in sides):
            men[colour] = frozenset(_cell(int(square)) for square in squares if square[0] != "K")
            kings[colour] = frozenset(_cell(int(square[1:])) for square in squares if square[0] == "K")
        return cls(side, men, kings)

    def pieces(self, colour: str) -> frozenset[Cell]:
        return self.men[colour] | self.kings[colour]

    def ahead(self, colour: str) -> int:
        """By how many pieces *colour* is ahead."""
        return len(self.pieces(colour)) - len(self.pieces(_other(colour)))

    def ways(self, colour: str, cell: Cell) -> list[Cell]:
        """The directions in which the piece on *cell* may go."""
        rows = (1, -1) if cell in self.kings[colour] else (1,) if colour == "B" else (-1,)
        return [(across, down) for across in (1, -1) for down in rows]

    def is_free(self, cell: Cell) -> bool:
        inside = 0 <= cell[0] < 8 and 0 <= cell[1] < 8
        return inside and cell not in self.pieces("B") | self.pieces("W")

    def captures(self, colour: str) -> set[Cell]:
        """The pieces that *colour* could capture with a first jump."""
        return {
            (cell[0] + across, cell[1] + down)
            for cell in self.pieces(colour)
            for across, down in self.ways(colour, cell)
            if (cell[0] + across, cell[1] + down) in self.pieces(_other(colour))
            and self.is_free((cell[0] + 2 * across, cell[1] + 2 * down))
        }

    def moves(self, colour: str) -> list[tuple[Cell, Cell]]:
        """The moves of *colour* without captures."""
        return [
            (cell, (cell[0] + across, cell[1] + down))
            for cell in self.pieces(colour)
            for across, down in self.ways(colour, cell)
            if self.is_free((cell[0] + across, cell[1] + down))
        ]

    def moved(self, colour: str, origin: Cell, target: Cell) -> _Board:
        """The board after a move without a capture, but for a king made by it."""
        pieces = [
            {**side, colour: frozenset(target if cell == origin else cell for cell in side[colour])}
            for side in (self.men, self.kings)
        ]
        return _Board(_other(colour), *pieces)


def _other(colour: str) -> str:
    return "W" if colour == "B" else "B"


class _Turn:
    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        self.before, self.after = _Board.of(case, case.before), _Board.of(case, case.after)
        self.own, self.other = self.before.to_move, _other(self.before.to_move)
        self.line = [_Board.of(case, state) for state in case.line]
        squares = [int(square) for square in case.turn.replace("-", "x").split("x")]
        self.origin, self.target = _cell(squares[0]), _cell(squares[-1])
        self.is_capture = "x" in case.turn

    @property
    def gain(self) -> int | None:
        """The pieces gained once captures are over; None if the line ends before."""
        settled = (board for board in (self.after, *self.line) if not board.captures(board.to_move))
        board = next(settled, None)
        return None if board is None else board.ahead(self.own) - self.before.ahead(self.own)

    @property
    def is_answered(self) -> bool:
        """Whether the expected reply captures."""
        return bool(self.line) and len(self.line[0].pieces(self.own)) < len(self.after.pieces(self.own))

    @property
    def stands(self) -> bool:
        """Whether the moved piece outlives the expected reply, or can't be captured by any."""
        if self.target not in self.after.captures(self.other):
            return True
        return bool(self.line) and self.target in self.line[0].pieces(self.own)

    @property
    def is_of_other(self) -> bool:
        return self.values["colour"] == _COLOURS[self.other]

    @property
    def square(self) -> Cell:
        return _cell(int(self.values["square"]))


def _wins(turn: _Turn) -> bool:
    captured = len(turn.before.pieces(turn.other)) - len(turn.after.pieces(turn.other))
    return captured == turn.values["count"] and (turn.gain or 0) > 0


def _gets_king(turn: _Turn) -> bool:
    return turn.origin in turn.before.men[turn.own] and turn.square in turn.after.kings[turn.own] and turn.stands


def _trades_ahead(turn: _Turn) -> bool:
    is_ahead = turn.values["colour"] == _COLOURS[turn.own] and turn.before.ahead(turn.own) > 0
    return is_ahead and turn.is_answered and turn.gain == 0


def _saves(turn: _Turn) -> bool:
    return turn.square in turn.before.captures(turn.other) and not turn.after.captures(turn.other)


def _gives_no_capture(turn: _Turn) -> bool:
    others = [turn.before.moved(turn.own, *move) for move in turn.before.moves(turn.own)]
    gives = any(board.captures(turn.other) for board in others)
    return turn.is_of_other and not turn.is_capture and not turn.after.captures(turn.other) and gives


def _attacks(turn: _Turn) -> bool:
    is_new = turn.square in turn.after.captures(turn.own) and turn.square not in turn.before.captures(turn.own)
    return is_new and not turn.after.captures(turn.other)


def _leaves_few(turn: _Turn) -> bool:
    number = len(turn.after.moves(turn.other))
    return turn.is_of_other and not turn.after.captures(turn.other) and number == turn.values["count"]


def _comes_near(turn: _Turn) -> bool:
    left = 7 - turn.target[1] if turn.own == "B" else turn.target[1]
    return turn.target in turn.after.men[turn.own] and left == turn.values["count"] and turn.stands


def _is_in_centre(cell: Cell) -> bool:
    return cell in {_cell(square) for square in (10, 11, 14, 15, 18, 19, 22, 23)}


def _takes_centre(turn: _Turn) -> bool:
    return _is_in_centre(turn.target) and not _is_in_centre(turn.origin) and turn.stands


def _keeps_row(turn: _Turn) -> bool:
    row = 0 if turn.own == "B" else 7
    men = [cell for cell in turn.after.men[turn.own] if cell[1] == row]
    is_kept = {*men} == {cell for cell in turn.before.men[turn.own] if cell[1] == row}
    loses = turn.line and len(turn.line[0].kings[turn.other]) > len(turn.after.kings[turn.other])
    return turn.is_of_other and is_kept and len(men) == turn.values["count"] and not loses


def _backs_up(turn: _Turn) -> bool:
    cell = turn.square
    is_ahead = cell[1] - turn.target[1] == (1 if turn.own == "B" else -1)
    is_beside = abs(cell[0] - turn.target[0]) == 1
    return is_ahead and is_beside and cell in turn.after.pieces(turn.own) and turn.stands


def _goes_to_side(turn: _Turn) -> bool:
    return turn.target[0] in (0, 7) and turn.target not in turn.after.captures(turn.other)


def _comes_nearer(turn: _Turn) -> bool:
    was, now = (
        min(max(abs(cell[0] - at[0]), abs(cell[1] - at[1])) for at in turn.before.pieces(turn.other))
        for cell in (turn.origin, turn.target)
    )
    return turn.is_of_other and turn.target in turn.after.kings[turn.own] and now < was and turn.stands


def _is_safe_man(turn: _Turn) -> bool:
    return turn.origin in turn.before.men[turn.own] and turn.target not in turn.after.captures(turn.other)


def _is_safe_king(turn: _Turn) -> bool:
    return turn.origin in turn.before.kings[turn.own] and turn.target not in turn.after.captures(turn.other)


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "wins a piece": _wins,
    "makes a capture, which is compulsory": lambda turn: turn.is_capture and bool(turn.before.captures(turn.own)),
    "gets a king on {square}": _gets_king,
    "trades pieces evenly": lambda turn: turn.is_answered and turn.gain == 0,
    "trades pieces while {colour} is ahead": _trades_ahead,
    "gives a piece to win more": lambda turn: not turn.is_capture and turn.is_answered and (turn.gain or 0) > 0,
    "saves the piece on {square} from capture": _saves,
    "gives {colour} nothing to capture": _gives_no_capture,
    "attacks the piece on {square}": _attacks,
    "leaves {colour} only one move": _leaves_few,
    "brings a man within one row of becoming a king": _comes_near,
    "takes a square in the centre": _takes_centre,
    "keeps {count} men on {colour}'s king row": _keeps_row,
    "backs up the piece on {square}": _backs_up,
    "goes to the side where nothing can jump over it": _goes_to_side,
    "brings the king nearer to {colour}'s pieces": _comes_nearer,
    "moves a man forward to a safe square": _is_safe_man,
    "moves the king to a safe square": _is_safe_king,
}
CHECKS = checks(_Turn, _FACTS)
