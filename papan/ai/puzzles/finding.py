"""Finds out whether exactly one turn of a position wins, or saves; what is found is proved.

All turns are asked about in rounds of growing effort, so that a position in which two turns win is given up soon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from papan.ai.coach import PlayedTurn
from papan.ai.puzzles.settling import OPEN, Settled, Settler, whole_turns
from papan.game.base.sentences import say
from papan.game.facts import Game
from papan.game.puzzles import Aim
from papan.game.rules import State, mover

LEAST_TURNS = 3
"""Turns that there are to choose from at least."""


class Effort(NamedTuple):
    """Positions whose turns a solver may look at, for each question."""

    root: int
    """Of the position itself."""
    turns: Sequence[int]
    """Of the position after each turn, round by round."""


MINING = Effort(600, (6, 60, 600))
PROVING = Effort(30_000, (6, 60, 600, 6_000, 60_000))
"""More than a mining takes: what was proved once is proved again."""


@dataclass(frozen=True)
class Finding:
    """The one right turn of a position."""

    goal: Aim
    turn: PlayedTurn
    plies: int
    """As ``Puzzle.plies``."""
    choices: int
    """The turns that there were to choose from."""


class Finder:
    """Finds the right turn in positions of one game."""

    def __init__(self, game: Game, effort: Effort = MINING) -> None:
        self._game = game
        self._effort = effort
        self.settler = Settler(game)
        self.why = ""
        """Why there was no finding the last time, in short."""

    def find(self, state: State) -> Finding | None:
        """The right turn of *state*, which hides nothing; None where there is none, several, or it can't be proved."""
        turns = whole_turns(self._game.rules, state)
        if len(turns) < LEAST_TURNS:
            return self._none(say("too few turns, or too many"))
        # A solver's nodes are steps; it plays all of a position to look at it once.
        width = len(turns)
        seat = int(mover(state))
        at_once = sum(turn.wins for turn in turns)
        if at_once:
            return self._only(turns, "win", width) if at_once == 1 else self._none(say("several at once"))
        root = self.settler.settle_win(state, seat, self._effort.root * width)
        if root.is_won:
            return self._only(turns, "win", width)
        if root.is_not_won and root.is_not_lost:  # as exact solvers tell, or the list of all that can come
            return self._only(turns, "save", width)
        return self._none(say("lost") if root.is_lost else say("open"))

    def _none(self, why: str) -> Finding | None:
        """No finding, and *why*."""
        self.why = why
        return None

    def _only(self, turns: list[PlayedTurn], goal: Aim, width: int) -> Finding | None:
        """The only one of *turns* that comes to the *goal*, which the best of them does."""
        known = [OPEN] * len(turns)
        for round_number, effort in enumerate(self._effort.turns, start=1):
            for index, turn in enumerate(turns):
                if _is_right(known[index], goal) is not None:
                    continue
                known[index] = self._settle(turn, goal, effort * width)
                if sum(_is_right(one, goal) is True for one in known) > 1:
                    return self._none(say("several, round {number}", number=round_number))
        right = [index for index, one in enumerate(known) if _is_right(one, goal) is True]
        wrong = [one for one in known if _is_right(one, goal) is False]
        if len(right) != 1 or len(wrong) != len(turns) - 1:
            return self._none(say("turns open: {count}", count=len(turns) - len(right) - len(wrong)))
        chosen = right[0]
        plies = known[chosen].plies if goal == "win" else max(one.plies for one in wrong)
        return Finding(goal, turns[chosen], plies + 1, len(turns))

    def _settle(self, turn: PlayedTurn, goal: Aim, nodes: int) -> Settled:
        after, seat = turn.states[-1], turn.seat
        if goal == "win":
            return self.settler.settle(after, seat, nodes)
        return self.settler.settle_loss(after, seat, nodes)


def _is_right(settled: Settled, goal: Aim) -> bool | None:
    """Whether a turn comes to the *goal*; None where that is open."""
    if goal == "win":
        return True if settled.is_won else False if settled.is_not_won else None
    return True if settled.is_not_lost else False if settled.is_lost else None
