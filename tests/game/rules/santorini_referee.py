"""Santorini's rules once more, slowly and plainly, as a referee for random games.

Nothing is shared with the program but the notation of steps. A position is a few dictionaries by names of
cells. What a god allows is written down as the rules tell it, and whether a turn can be completed is found by
trying all its continuations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field, replace

CELLS = [f"{column}{row}" for column in "abcde" for row in "12345"]


def ahead(start: str, end: str) -> str | None:
    """The cell after *end* on the straight line from *start*, if it is on the board."""
    column, row = 2 * ord(end[0]) - ord(start[0]), 2 * int(end[1]) - int(start[1])
    name = f"{chr(column)}{row}"
    return name if name in CELLS else None


def around(cell: str) -> list[str]:
    return [other for other in CELLS if other != cell and distance(cell, other) == 1]


def distance(one: str, other: str) -> int:
    return max(abs(ord(one[0]) - ord(other[0])), abs(int(one[1]) - int(other[1])))


@dataclass
class Turn:
    """What has happened in the turn so far."""

    moves: list[tuple[str, str]] = field(default_factory=list)
    builds: list[str] = field(default_factory=list)
    first_build: str | None = None
    """Where Prometheus built before he moved."""
    starter: str | None = None
    """The worker with which he did."""
    is_done_moving: bool = False


class Referee:
    """A game between *gods*, one for each seat, with workers by name of cell for each side."""

    def __init__(
        self, gods: Sequence[str], workers: Sequence[Sequence[str]], has_teams: bool, may_strand: bool = False
    ) -> None:
        self.gods = list(gods)
        self.may_strand = may_strand
        """Whether Apollo may go to where he can't build, and is stuck."""
        self.sides = [set(cells) for cells in workers]
        self.has_teams = has_teams
        self.heights = dict.fromkeys(CELLS, 0)
        self.out: set[int] = set()
        self.moved_up: dict[int, bool] = {}
        """For each seat whether it moved up in its last turn."""
        self.seat = 0
        self.turn = Turn()
        self.winners: set[int] | None = None
        self._begin()

    # ------------------------------------------------------------------------------------- looking

    @property
    def god(self) -> str:
        return self.gods[self.seat]

    def side(self, seat: int) -> int:
        return seat % 2 if self.has_teams else seat

    @property
    def own(self) -> set[str]:
        return self.sides[self.side(self.seat)]

    def taken(self, cell: str) -> bool:
        return any(cell in side for side in self.sides)

    def is_free(self, cell: str) -> bool:
        return self.heights[cell] < 4 and not self.taken(cell)

    def athena_forbids(self) -> bool:
        return any(
            self.gods[seat] == "athena"
            and moved_up
            and self.side(seat) != self.side(self.seat)
            and seat not in self.out
            for seat, moved_up in self.moved_up.items()
        )

    def allows_height(self, start: str, end: str) -> bool:
        climb = self.heights[end] - self.heights[start]
        most = 0 if self.athena_forbids() or self.turn.first_build else 1
        return self.heights[end] < 4 and climb <= most

    def region(self, start: str) -> set[str]:
        """Where one can walk to on the level."""
        reached, fresh = {start}, [start]
        while fresh:
            for cell in around(fresh.pop()):
                if cell not in reached and self.is_free(cell) and self.heights[cell] == self.heights[start]:
                    reached.add(cell)
                    fresh.append(cell)
        return reached - {start}

    # ------------------------------------------------------------------------------- possible steps

    def candidates(self) -> Iterator[str]:
        """The steps that the rules of moving and building allow, whether or not the turn can then be completed."""
        turn = self.turn
        has_begun = turn.moves or turn.is_done_moving or turn.first_build
        if not has_begun:
            yield from self._first_steps()
        elif turn.first_build and not turn.moves:
            assert turn.starter
            yield from (f"-{end}" for end in self._ends(turn.starter))
        elif self._may_move_again():
            yield from self._second_moves()
            yield "~"
        elif not turn.builds:
            yield from self._builds(self._builders())
        else:
            yield from self._second_builds()
            yield "~"

    def _first_steps(self) -> Iterator[str]:
        for start in self.own:
            ends = set(self._ends(start))
            if self.god == "hermes":
                ends |= self.region(start)
            yield from (f"{start}-{end}" for end in ends)
            if self.god == "prometheus":
                yield from (f"{start}+{cell}" for cell in around(start) if self.is_free(cell))
        if self.god == "hermes":
            yield "~"

    def _ends(self, start: str) -> Iterator[str]:
        for end in around(start):
            if not self.allows_height(start, end) or end in self.own:
                continue
            if not self.taken(end) or self.god == "apollo":
                yield end
            elif self.god == "minotaur":
                behind = ahead(start, end)
                if behind and self.is_free(behind):
                    yield end

    def _may_move_again(self) -> bool:
        turn = self.turn
        if turn.is_done_moving or turn.builds or len(turn.moves) != 1:
            return False
        return bool(self._second_moves())

    def _second_moves(self) -> list[str]:
        [(begin, now)] = self.turn.moves
        if self.god == "artemis":
            free = [cell for cell in around(now) if self.is_free(cell) and self.allows_height(now, cell)]
            return [f"-{cell}" for cell in free if cell != begin]
        if self.god == "hermes" and self.was_level(begin, now):
            [other] = self.own - {now}
            return [f",{other}-{cell}" for cell in self.region(other)]
        return []

    def was_level(self, start: str, end: str) -> bool:
        return self.heights[start] == self.heights[end]

    def _builders(self) -> set[str]:
        if self.god == "hermes" and all(self.was_level(*move) for move in self.turn.moves):
            return self.own
        return {self.turn.moves[-1][1]}

    def _builds(self, builders: set[str]) -> Iterator[str]:
        for cell in CELLS:
            if self.is_free(cell) and any(distance(cell, builder) == 1 for builder in builders):
                yield f"+{cell}"
                if self.god == "atlas" and self.heights[cell] < 3:
                    yield f"^{cell}"

    def _second_builds(self) -> list[str]:
        """Nothing unless a build is left over."""
        turn = self.turn
        if len(turn.builds) != 1:
            return []
        [first] = turn.builds
        if self.god == "demeter":
            return [f"+{cell}" for cell in around(turn.moves[-1][1]) if self.is_free(cell) and cell != first]
        if self.god == "hephaestus":
            return [f"+{first}"] if self.heights[first] < 3 else []
        return []

    def is_completed(self) -> bool:
        return bool(self.turn.builds) and not self._second_builds()

    def steps(self) -> set[str]:
        """The legal steps: those after which the turn can be completed or the game is won."""
        ends_turns = self.may_strand and self.god == "apollo"
        return {step for step in self.candidates() if ends_turns or self.can_complete(step)}

    def can_complete(self, step: str) -> bool:
        """Whether some way of going on after *step* ends the turn."""
        after = copy(self)
        after.sides = [set(side) for side in self.sides]
        after.heights = dict(self.heights)
        turn = self.turn
        after.turn = replace(turn, moves=list(turn.moves), builds=list(turn.builds))
        wins = after.apply(step)
        return wins or after.is_completed() or any(after.can_complete(other) for other in after.candidates())

    # ------------------------------------------------------------------------------------- playing

    def apply(self, step: str) -> bool:
        """Change the board by *step*; returns whether it wins."""
        turn = self.turn
        if step == "~":
            if turn.builds:
                turn.builds.append("")
            turn.is_done_moving = True
            return False
        sign = next(sign for sign in "-+^" if sign in step)
        start, end = step.lstrip(",").split(sign)
        if sign == "-":
            return self._move(start or (turn.moves[-1][1] if turn.moves else turn.starter or ""), end)
        self.heights[end] = 4 if sign == "^" else self.heights[end] + 1
        if start:
            turn.first_build, turn.starter = end, start
        else:
            turn.builds.append(end)
        return False

    def _move(self, start: str, end: str) -> bool:
        own = self.own
        for side in self.sides:
            if end in side and side is not own:
                side.remove(end)
                room = start if self.god == "apollo" else ahead(start, end)
                assert room
                side.add(room)
        own.remove(start)
        own.add(end)
        self.turn.moves.append((start, end))
        climb = self.heights[end] - self.heights[start]
        return (climb > 0 and self.heights[end] == 3) or (self.god == "pan" and climb <= -2)

    def play(self, step: str) -> None:
        if self.apply(step):
            self.winners = {seat for seat in range(len(self.gods)) if self.side(seat) == self.side(self.seat)}
        elif self.is_completed():
            moves = self.turn.moves
            self.moved_up[self.seat] = any(self.heights_then[end] > self.heights_then[start] for start, end in moves)
            self._next()
            self._begin()
        elif self.may_strand and not any(self.candidates()):
            self._give_up()
            if self.winners is None:
                self._begin()

    def _next(self) -> None:
        self.seat = (self.seat + 1) % len(self.gods)
        while self.seat in self.out:
            self.seat = (self.seat + 1) % len(self.gods)

    def _begin(self) -> None:
        """Begin a turn; who can't complete one is out, and with two sides left the game is over."""
        while True:
            self.turn = Turn()
            self.moved_up[self.seat] = False
            self.heights_then = dict(self.heights)
            if self.winners is not None or self.steps():
                return
            self._give_up()

    def _give_up(self) -> None:
        """Whoever can't complete a turn is out, and with two sides left the game is over."""
        everybody = set(range(len(self.gods)))
        if self.has_teams or len(everybody - self.out) == 2:
            losers = {seat for seat in everybody if self.side(seat) == self.side(self.seat)}
            self.winners = everybody - losers - self.out
            return
        self.out.add(self.seat)
        self.sides[self.seat].clear()
        self._next()
