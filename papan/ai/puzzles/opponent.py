"""The opponent in a puzzle: judges whether a turn keeps the goal, and plays the most stubborn answer."""

from __future__ import annotations

from functools import reduce

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.exact import exact_of
from papan.ai.limits import Limit
from papan.ai.players import FAMILIES, SearchSetting
from papan.ai.puzzles.proving import Prover, whole_turns
from papan.ai.search import PlayedTurn, Searcher
from papan.game.game import Game
from papan.game.puzzles import Aim
from papan.game.rules import State, is_over, mover, play

ROUNDS = (60, 600, 6_000)
"""Positions to expand by round, before a turn stays open."""
WITHIN_NODES = 400_000
"""Steps for a question with a horizon."""
COMPARING_NODES = 2_000_000
"""Steps to compare answers by the length of the win."""
LATER_NODES = 150_000
"""Steps to see whether a turn that does not win in time wins later."""
MOST_LATER = 3
"""Turns after the horizon."""
ANSWERING = Limit(time=1.0)
MEMORY = 32
"""MiB for the search's table."""


class PuzzleOpponent:
    """Answers in puzzles of one game. One thread at a time, except for ``stop``."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._prover = Prover(game)
        self._search: Searcher | None = None
        self._exact: Searcher | None = None
        self._is_stopped = False

    def stop(self) -> None:
        self._is_stopped = True
        self._prover.stop()
        for searcher in (self._search, self._exact):
            if searcher is not None:
                searcher.stop()

    def keeps(self, state: State, seat: int, goal: Aim, turns: int = 0) -> bool | None:
        """Whether *seat* still reaches its *goal* from *state*; None if open.

        :param turns: the seat's turns left, for the goal ``within``.
        """
        if goal == "within":
            return self._prover.wins_within(state, seat, turns, WITHIN_NODES)
        width = 1 if is_over(state) else max(1, len(whole_turns(self._game.rules, state)))
        for effort in ROUNDS:
            proven = self._prover.prove(state, seat, effort * width)
            if goal == "win" and (proven.is_won or proven.is_not_won):
                return proven.is_won
            if goal == "save" and (proven.is_not_lost or proven.is_lost):
                return proven.is_not_lost
        return None

    def wins_later(self, state: State, seat: int, turns: int) -> int:
        """The number of own turns, more than *turns*, that *seat* needs to force a win; 0 if open."""
        for number in range(turns + 1, turns + 1 + MOST_LATER):
            is_won = self._prover.wins_within(state, seat, number, LATER_NODES)
            if is_won is not False:
                return number if is_won else 0
        return 0

    def answer(self, state: State, turns: int = 0) -> tuple[int, ...]:
        """The turn that resists longest, as far as found in a second; () if stopped.

        :param turns: the number of turns within which the other side wins.
        """
        searched = self._searched(state)
        longest = self._longest(state, turns) if turns > 1 else []
        if self._is_stopped:
            return ()
        if not longest or reduce(play, searched, state) in [turn.states[-1] for turn in longest]:
            return searched
        return longest[0].steps

    def _longest(self, state: State, turns: int) -> list[PlayedTurn]:
        """The answers after which the other side, with *turns* left, needs most turns to win."""
        answers = whole_turns(self._game.rules, state)
        other, begun_with = 1 - int(mover(state)), self._prover.nodes
        for number in range(turns):
            lasting = []
            for turn in answers:
                if self._is_stopped or self._prover.nodes - begun_with > COMPARING_NODES:
                    return answers
                if not self._prover.wins_within(turn.states[-1], other, number, WITHIN_NODES):
                    lasting.append(turn)
            if not lasting:
                break
            answers = lasting
        return answers

    def _searched(self, state: State) -> tuple[int, ...]:
        seat, steps = int(mover(state)), list[int]()
        while not is_over(state) and int(mover(state)) == seat and not self._is_stopped:
            step = self._searcher_for(state).analyse(state, ANSWERING, is_cancelled=lambda: self._is_stopped).step
            steps.append(step)
            state = play(state, step)
        return () if self._is_stopped else tuple(steps)

    def _searcher_for(self, state: State) -> Searcher:
        """The game's exact solver where it can; else the usual search, which delays losses as well."""
        module = exact_of(self._game)
        if module is not None and module.can_solve(state):
            self._exact = self._exact or module.Exact(MEMORY)
            return self._exact
        if self._search is None:
            setting = SearchSetting(ANSWERING, evaluation_of(self._game).WEIGHTS[STANDARD], MEMORY)
            self._search = FAMILIES["minimax"].make(self._game, setting)
        return self._search
