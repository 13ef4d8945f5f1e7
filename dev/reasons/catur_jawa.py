"""Checks Catur Jawa's reasons on the position text as the mover sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dev.reasons.cases import Case, checks
from papan.game.base.sentences import Value

Cell = tuple[int, int]
"""Column and row."""
SIZE, FOUR, HIGHEST = 9, 4, 9
WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
CELLS = [(x, y) for x in range(SIZE) for y in range(SIZE)]


class Table:
    """The cards on the table: owner and value by cell."""

    def __init__(self, text: str) -> None:
        rows, seat, hands, decks = text.split(" ")
        self.seat = "rgbp"[int(seat) - 1]
        self.hand, self.deck = (cards.split(",")[int(seat) - 1] for cards in (hands, decks))
        self.owners = "rgbp"[: len(hands.split(","))]
        self.cards: dict[Cell, tuple[str, int]] = {}
        for number, row in enumerate(rows.split("/")):
            signs = iter(row)
            for column, sign in enumerate(signs):
                if sign != ".":
                    self.cards[column, SIZE - 1 - number] = sign, int(next(signs))

    def of(self, owner: str) -> set[Cell]:
        return {cell for cell, card in self.cards.items() if card[0] == owner}

    def open_to(self, owner: str) -> set[Cell]:
        """The cells without a card of *owner* and without a 9."""
        return {cell for cell in CELLS if self.cards.get(cell, ("", 0))[1] < HIGHEST} - self.of(owner)

    def playable(self, owner: str) -> set[Cell]:
        """The cells where *owner* may play a 9: over other cards, or next to a card."""
        near = {(x + dx, y + dy) for x, y in self.cards for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        return {cell for cell in self.open_to(owner) if cell in self.cards or cell in near}

    def completing(self, owner: str) -> set[Cell]:
        """The cells where a 9 would make four in a row for *owner*."""
        own = self.of(owner)
        return {cell for cell in self.playable(owner) if any({*line} <= own | {cell} for line in lines_with(cell))}

    def run(self, cell: Cell, way: Cell) -> list[Cell]:
        """The adjacent cards of one owner through *cell* in a direction."""
        own, found = self.of(self.cards[cell][0]), [cell]
        for sign in (1, -1):
            at = cell
            while (at := (at[0] + sign * way[0], at[1] + sign * way[1])) in own:
                found.append(at)
        return found

    def best(self, owner: str) -> int:
        sums = (sum(self.cards[at][1] for at in self.run(cell, way)) for cell in self.of(owner) for way in WAYS)
        return max(sums, default=0)


def lines_with(cell: Cell) -> list[list[Cell]]:
    """All lines of four on the table with *cell*."""
    lines = [
        [(cell[0] + (number - back) * dx, cell[1] + (number - back) * dy) for number in range(FOUR)]
        for dx, dy in WAYS
        for back in range(FOUR)
    ]
    return [line for line in lines if {*line} <= {*CELLS}]


class _Turn:
    """A turn on two tables."""

    def __init__(self, case: Case, values: Mapping[str, Value]) -> None:
        self.values = values
        self.before, self.after = Table(case.rules.text(case.before)), Table(case.rules.text(case.after))
        self.seat = self.before.seat
        self.others = [owner for owner in self.before.owners if owner != self.seat]
        self.target = next(cell for cell, card in self.after.cards.items() if self.before.cards.get(cell) != card)
        self.card = self.after.cards[self.target][1]

    def cell(self, name: str = "cell") -> Cell:
        text = str(self.values[name])
        return "abcdefghi".index(text[0]), int(text[1]) - 1

    def threatens(self, *names: str) -> bool:
        cells = {self.cell(name) for name in names}
        return cells <= self.after.completing(self.seat) - self.before.completing(self.seat) - {*self.after.cards}

    def covers(self) -> bool:
        owner, value = self.before.cards.get(self.target, ("", 0))
        return owner in self.others and value == self.values["card"] and self.cell() == self.target

    def longest(self, table: Table) -> int:
        return max(len(table.run(self.target, way)) for way in WAYS)


def _covers_with_lowest(turn: _Turn) -> bool:
    able = [int(card) for card in turn.before.hand if int(card) > turn.before.cards[turn.target][1]]
    return turn.covers() and turn.card == min(able) and len({*able}) > 1


def _breaks_line(turn: _Turn) -> bool:
    cell = turn.cell()
    return any(cell in turn.before.completing(owner) - turn.after.completing(owner) for owner in turn.others)


def _breaks_row(turn: _Turn) -> bool:
    owner, _value = turn.before.cards.get(turn.target, ("", 0))
    return owner in turn.others and turn.longest(turn.before) == turn.values["count"]


def _gets_in_the_way(turn: _Turn) -> bool:
    for owner in turn.others:
        own, free = turn.before.of(owner), turn.before.open_to(owner)
        lines = [{*line} for line in lines_with(turn.target) if {*line} <= own | free]
        if turn.target in free and any(len(line & own) == 2 for line in lines):
            return True
    return False


def _makes_row(turn: _Turn) -> bool:
    return turn.longest(turn.after) >= int(turn.values["count"]) > 1


def _pairs(turn: _Turn) -> bool:
    own, free = turn.after.of(turn.seat), turn.after.open_to(turn.seat)
    lines = [{*line} for line in lines_with(turn.target) if turn.cell() in line]
    return turn.cell() in own and any(line <= own | free for line in lines)


def _keeps(turn: _Turn) -> bool:
    rest = [int(card) for card in turn.before.hand]
    rest.remove(turn.card)
    return turn.values["card"] == max(rest) > turn.card


def _raises(turn: _Turn) -> bool:
    return turn.before.best(turn.seat) < turn.after.best(turn.seat) == turn.values["sum"]


def _cuts(turn: _Turn) -> bool:
    sums = [(turn.before.best(owner), turn.after.best(owner)) for owner in turn.others]
    return any(turn.values["sum"] == after < before for before, after in sums)


_FACTS: Mapping[str, Callable[[_Turn], bool]] = {
    "threatens four in a row on {cell}": lambda turn: turn.threatens("cell"),
    "threatens four in a row on {cell} and on {other}": lambda turn: turn.threatens("cell", "other"),
    "covers the {card} on {cell}": _Turn.covers,
    "covers the {card} on {cell} with your lowest possible card": _covers_with_lowest,
    "blocks four in a row on {cell}": lambda turn: (
        turn.cell() == turn.target and any(turn.target in turn.before.completing(owner) for owner in turn.others)
    ),
    "breaks an opponent's line that {cell} would complete": _breaks_line,
    "breaks an opponent's row of {count} card": _breaks_row,
    "blocks a line where an opponent has two cards": _gets_in_the_way,
    "makes {count} card in a row": _makes_row,
    "lines up with your card on {cell} with room for four": _pairs,
    "raises your best line to a sum of {sum}": _raises,
    "cuts an opponent's best line to a sum of {sum}": _cuts,
    "keeps the {card} in hand": _keeps,
    "plays a card that can't be covered": lambda turn: turn.card == HIGHEST,
    "plays a card that only a 9 can cover": lambda turn: turn.card == HIGHEST - 1,
    "leaves no opponent a way to complete four in a row": lambda turn: (
        not any(turn.after.completing(owner) for owner in turn.others)
    ),
}
CHECKS = checks(_Turn, _FACTS)
