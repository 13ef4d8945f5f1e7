"""Checks Santorini's reasons on the position text, and opponents' turns by playing all of them by the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dev.reasons.cases import Case, Check
from papan.game.base.sentences import Value
from papan.game.rules import State, allied, is_over, legal_steps, mover, payoff, play
from papan.game.rules.santorini import notation, text
from papan.game.rules.santorini.board import MOVING

Cell = tuple[int, int]
"""Column and row."""
SIZE, DOME, MIDDLE = 5, 4, (2, 2)
GODS = {
    "lets you change places with opponents": "apollo",
    "lets you move twice": "artemis",
    "lets you keep opponents down by climbing": "athena",
    "lets you build a dome at any level": "atlas",
    "lets you build on two cells": "demeter",
    "lets you build two blocks at once": "hephaestus",
    "lets your workers walk far on one level": "hermes",
    "lets you push opponents away": "minotaur",
    "lets you also win by going down": "pan",
    "lets you build before you move": "prometheus",
}


def cell_of(name: object) -> Cell:
    return "abcde".index(str(name)[0]), int(str(name)[1]) - 1


class Board:
    """Heights and workers from a position text, and the first moves and the turns of each seat by the rules."""

    def __init__(self, state: State) -> None:
        self.state = state
        heights, seat, *seats = text(state).split("/")
        self.seat = int(seat) - 1
        rows = range(SIZE)
        self.heights = {(x, y): int(heights[(SIZE - 1 - y) * SIZE + x]) for x in rows for y in rows}
        places = [field.partition(":")[2] for field in seats if not field.startswith("low:")]
        self.workers = [
            {cell_of(name) for name in names.split(",") if name[1:].isdigit()} for names in places[: state.seats]
        ]
        self.gods = [field.partition(":")[0].removesuffix("[^]") for field in seats]

    def of(self, seat: int) -> set[Cell]:
        return self.workers[seat % int(self.state.sides)]

    def rivals(self, seat: int) -> set[Cell]:
        """The workers of all opponents."""
        return {cell for other in self.opponents(seat) for cell in self.of(other)}

    def opponents(self, seat: int) -> list[int]:
        return [other for other in range(self.state.seats) if not allied(self.state, seat, other)]

    def begun(self, seat: int) -> State:
        """The state with *seat* to move."""
        return self.state._replace(seat=seat, phase=MOVING, climbed=self.state.climbed & ~(1 << seat))

    def first_moves(self, seat: int) -> int:
        start = self.begun(seat)
        return sum("-" in notation(start, step) for step in legal_steps(start))

    def turns(self, seat: int) -> Iterator[tuple[list[str], State]]:
        """Yield the notations of the steps of each whole turn of *seat* if it were to move, and the state after it."""
        left: list[tuple[list[str], State]] = [([], self.begun(seat))]
        while left:
            names, state = left.pop()
            for step in legal_steps(state):
                after, more = play(state, step), [*names, notation(state, step)]
                if is_over(after) or mover(after) != seat:
                    yield more, after
                else:
                    left.append((more, after))

    def wins(self, seats: list[int]) -> set[Cell]:
        """The cells onto which one of *seats* could move to win at once."""
        return {
            cell_of(names[-1][-2:])
            for seat in seats
            for names, after in self.turns(seat)
            if is_over(after) and payoff(after, seat) > 0 and "-" in names[-1]
        }

    def reached(self, seats: list[int]) -> set[Cell]:
        """The cells where a worker of one of *seats* could stop in its turn."""
        steps = [name for seat in seats for names, _after in self.turns(seat) for name in names]
        return {cell_of(name[-2:]) for name in steps if "-" in name}


def are_near(cell: Cell, other: Cell) -> bool:
    return cell != other and distance(cell, other) == 1


def distance(cell: Cell, other: Cell) -> int:
    return max(abs(cell[0] - other[0]), abs(cell[1] - other[1]))


class _Turn:
    """A turn on two boards."""

    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        self.before, self.after = Board(case.before), Board(case.after)
        self.seat = self.before.seat
        self.gone = self.before.of(self.seat) - self.after.of(self.seat)
        self.come = self.after.of(self.seat) - self.before.of(self.seat)
        self.opponents = self.before.opponents(self.seat)

    def cell(self, name: str = "cell") -> Cell:
        return cell_of(self.values[name])

    def rise(self) -> tuple[int, int]:
        """The height of the cell before and after."""
        return self.before.heights[self.cell()], self.after.heights[self.cell()]

    def is_grown(self) -> bool:
        return self.rise()[0] < self.rise()[1]

    def is_out_of_reach(self) -> bool:
        return self.cell() not in self.after.reached(self.opponents)

    def is_stopped(self) -> bool:
        return self.cell() in self.before.wins(self.opponents) - self.after.wins(self.opponents)

    def threatens(self, *names: str) -> bool:
        cells = {self.cell(name) for name in names}
        return cells <= self.after.wins([self.seat]) - self.before.wins([self.seat])

    def moves(self) -> tuple[int, int]:
        """The number of the opponents' first moves before and after."""
        had, have = (sum(board.first_moves(seat) for seat in self.opponents) for board in (self.before, self.after))
        return had, have


def _climbs(turn: _Turn) -> bool:
    heights = turn.before.heights
    is_up = any(heights[cell] < heights[turn.cell()] for cell in turn.gone)
    return turn.cell() in turn.come and is_up and heights[turn.cell()] == turn.values["level"]


def _raises(turn: _Turn) -> bool:
    old, new = turn.rise()
    beside = [turn.after.heights[cell] for cell in turn.after.rivals(turn.seat) if are_near(cell, turn.cell())]
    return any(old <= high + 1 < new for high in beside) and turn.is_out_of_reach()


def _is_step(turn: _Turn, name: str = "cell") -> bool:
    cell = turn.cell(name)
    below = turn.after.heights[cell] - 1
    own = [turn.after.heights[at] for at in turn.after.of(turn.seat) if are_near(at, cell)]
    return turn.before.heights[cell] <= below and below in own


def _is_own_step(turn: _Turn, name: str) -> bool:
    return _is_step(turn, name) and turn.cell(name) not in turn.after.reached(turn.opponents)


def _is_highest(turn: _Turn) -> bool:
    own, others = (
        [turn.after.heights[cell] for cell in cells]
        for cells in (turn.after.of(turn.seat), turn.after.rivals(turn.seat))
    )
    return max(own, default=0) > max(others, default=0)


def _cuts_moves(turn: _Turn) -> bool:
    had, have = turn.moves()
    return turn.values["count"] == have < had


def _comes_to_middle(turn: _Turn) -> bool:
    come, gone = ([distance(cell, MIDDLE) for cell in cells] for cells in (turn.come, turn.gone))
    return bool(come and gone) and max(come) < min(gone)


def _is_beside(board: Board, seat: int, cell: Cell) -> bool:
    return any(are_near(cell, other) for other in board.rivals(seat))


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "climbs to level {level} on {cell}": _climbs,
    "closes level 3 on {cell} before an opponent climbs it": lambda turn: (
        turn.rise() == (DOME - 1, DOME) and turn.is_stopped()
    ),
    "keeps an opponent from winning on {cell}": _Turn.is_stopped,
    "threatens to win on {cell}": lambda turn: turn.threatens("cell"),
    "threatens to win on {cell} and on {other}": lambda turn: turn.threatens("cell", "other"),
    "leaves no opponent a winning move": lambda turn: not turn.after.wins(turn.opponents),
    "raises {cell} too high for an opponent beside it": _raises,
    "closes {cell} with a dome": lambda turn: turn.is_grown() and turn.rise()[1] == DOME,
    "builds a step up to level {level} on {cell}": lambda turn: (
        _is_step(turn) and turn.rise()[1] == turn.values["level"]
    ),
    "builds a step up on {cell} that only you can climb next": lambda turn: _is_own_step(turn, "cell"),
    "builds steps up on {cell} and {other} that only you can climb next": lambda turn: (
        _is_own_step(turn, "cell") and _is_own_step(turn, "other")
    ),
    "builds on {cell} out of the reach of opponents": lambda turn: turn.is_grown() and turn.is_out_of_reach(),
    "leaves you the highest worker on the board": _is_highest,
    "cuts the opponent's moves to {count}": lambda turn: _cuts_moves(turn) and len(turn.opponents) == 1,
    "cuts the opponents' moves to {count}": lambda turn: _cuts_moves(turn) and len(turn.opponents) > 1,
    "moves nearer to the middle": _comes_to_middle,
    "moves next to an opponent's worker": lambda turn: (
        all(_is_beside(turn.after, turn.seat, cell) for cell in turn.come)
        and not any(_is_beside(turn.after, turn.seat, cell) for cell in turn.gone)
    ),
    "gives your workers more ways to move": lambda turn: (
        turn.after.first_moves(turn.seat) > turn.before.first_moves(turn.seat)
    ),
    "takes the middle of the board": lambda turn: MIDDLE in turn.come,
    "keeps near the middle of the board": lambda turn: (
        not turn.gone and all(distance(cell, MIDDLE) <= 1 for cell in turn.come)
    ),
    "stays close to an opponent's worker": lambda turn: any(
        _is_beside(turn.after, turn.seat, cell) for cell in turn.come
    ),
}


def _check(fact: Callable[[_Turn], bool]) -> Check:
    return lambda case, values: not is_over(case.after) and fact(_Turn(case, values))


def _is_picked(god: str) -> Check:
    return lambda case, values: not is_over(case.after) and Board(case.after).gods[Board(case.before).seat] == god


CHECKS: Mapping[str, Check] = {
    **{template: _check(fact) for template, fact in _FACTS.items()},
    **{template: _is_picked(god) for template, god in GODS.items()},
}
