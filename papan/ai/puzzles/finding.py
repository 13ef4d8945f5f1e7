"""Find out whether exactly one turn of a position wins, wins in time, or saves the draw, with proof.

All turns are examined in rounds of growing effort, so that a position with two winning turns is given up soon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from papan.ai.limits import own_turns
from papan.ai.puzzles.proving import OPEN, ProvenValue, Prover, whole_turns
from papan.ai.search import PlayedTurn
from papan.game.base.sentences import say, say_number
from papan.game.game import Game
from papan.game.puzzles import Aim
from papan.game.rules import State, mover

LEAST_TURNS = 3
"""A puzzle has at least this many turns to choose from."""


class Effort(NamedTuple):
    """Limits for each question to a solver."""

    root: int
    """Positions to expand for the position itself."""
    turns: Sequence[int]
    """The same for the position after each turn, by round."""
    within: int
    """Steps for a question with a horizon."""


MINING = Effort(600, (6, 60, 600), 1_500_000)
PROVING = Effort(30_000, (6, 60, 600, 6_000, 60_000), 100_000_000)
"""More than for mining, so that mined puzzles can be proved again."""
_ROUNDS_WITHIN = (64, 1)
"""Divisors of ``Effort.within`` by round."""
_WON, _NOT_WON = ProvenValue(1, 1), ProvenValue(-1, 0)


@dataclass(frozen=True)
class Finding:
    """The only right turn of a position."""

    goal: Aim
    turn: PlayedTurn
    plies: int
    """As ``Puzzle.plies``."""
    choices: int
    """The number of turns to choose from."""

    @property
    def turns(self) -> int:
        return own_turns(self.plies)


class Finder:
    """Finds the right turn in positions of one game."""

    def __init__(self, game: Game, effort: Effort = MINING) -> None:
        self._game = game
        self._effort = effort
        self.prover = Prover(game)
        self.why = ""
        """Why the last position had no finding."""

    def find(self, state: State) -> Finding | None:
        """The only right turn of *state*, which hides nothing; None if there are none or several, or without proof."""
        turns = whole_turns(self._game.rules, state)
        if len(turns) < LEAST_TURNS:
            return self._none(say("too few turns, or too many"))
        # A solver's nodes are steps: it plays all of a position's to expand it.
        width = len(turns)
        seat = int(mover(state))
        at_once = sum(turn.wins for turn in turns)
        if at_once:
            return self._only(turns, width, "win") if at_once == 1 else self._none(say("several at once"))
        root = self.prover.prove_win(state, seat, self._effort.root * width)
        if root.is_won:
            return self._only(turns, width, "win")
        if root.is_lost:
            return self._none(say("lost"))
        if root.is_not_won:  # perhaps lost
            return self._only(turns, width, "save")
        return self._none(say("open"))

    def find_within(self, state: State, most_turns: int) -> Finding | None:
        """The only turn of *state* that forces the quickest win, within *most_turns* own turns; others may win later.

        None if there are none or several, or without proof. *state* hides nothing.
        """
        seat = int(mover(state))
        for number in range(1, most_turns + 1):
            is_won = self.prover.wins_within(state, seat, number, self._effort.within)
            if is_won is None:
                return self._none(say("open"))
            if is_won:
                turns = whole_turns(self._game.rules, state)
                if len(turns) < LEAST_TURNS:
                    return self._none(say("too few turns, or too many"))
                return self._only(turns, len(turns), "within", number)
        return self._none(say_number("no win with one turn", "no win within {count} turns", most_turns))

    def _none(self, why: str) -> Finding | None:
        self.why = why
        return None

    def _only(self, turns: list[PlayedTurn], width: int, goal: Aim, own: int = 0) -> Finding | None:
        """The only one of *turns* that reaches the *goal*, ``within`` *own* turns; at least one does."""
        known, right = [OPEN] * len(turns), list[int]()
        rounds = [effort * width for effort in self._effort.turns]
        if goal == "within":
            rounds = [self._effort.within // share for share in _ROUNDS_WITHIN]
        for round_number, nodes in enumerate(rounds, start=1):
            for index, turn in enumerate(turns):
                if _is_right(known[index], goal) is not None:
                    continue
                after, seat = turn.states[-1], turn.seat
                if goal == "within":
                    is_won = self.prover.wins_within(after, seat, own - 1, nodes)
                    known[index] = OPEN if is_won is None else _WON if is_won else _NOT_WON
                else:
                    prove = self.prover.prove if goal == "win" else self.prover.prove_loss
                    known[index] = prove(after, seat, nodes)
                if _is_right(known[index], goal):
                    right.append(index)
                if len(right) > 1:
                    return self._none(say("several, round {number}", number=round_number))
        wrong = [one for one in known if _is_right(one, goal) is False]
        if len(right) != 1 or len(wrong) != len(turns) - 1:
            return self._none(say("{count} turns not decided", count=len(turns) - len(right) - len(wrong)))
        chosen = right[0]
        if goal == "within":
            return Finding(goal, turns[chosen], 2 * own - 1, len(turns))
        plies = known[chosen].plies if goal == "win" else max(one.plies for one in wrong)
        return Finding(goal, turns[chosen], plies + 1, len(turns))


def _is_right(proven: ProvenValue, goal: Aim) -> bool | None:
    """Whether a turn reaches the *goal*; None where that is open."""
    if goal == "save":
        return True if proven.is_not_lost else False if proven.is_lost else None
    return True if proven.is_won else False if proven.is_not_won else None
