"""The other side of a puzzle: whether a turn keeps what was won, and the answer that holds out longest."""

from __future__ import annotations

from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.exact import exact_of
from papan.ai.limits import Limit
from papan.ai.players import FAMILIES, SearchSetting
from papan.ai.puzzles.settling import Settler, whole_turns
from papan.ai.search import Searcher
from papan.game.facts import Game
from papan.game.puzzles import Aim
from papan.game.rules import State, is_over, mover, play

ROUNDS = (60, 600, 6_000)
"""Positions whose turns a solver may look at, round by round, before a turn is left unjudged."""
ANSWERING = Limit(time=1.0)
MEMORY = 32
"""MiB for the search's table."""


class Resistance:
    """Answers in puzzles of one game. One thread at a time, but for ``stop``."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._settler = Settler(game)
        self._search: Searcher | None = None
        self._exact: Searcher | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """Give up whatever is asked from now on."""
        self._is_stopped = True
        self._settler.stop()
        for searcher in (self._search, self._exact):
            if searcher is not None:
                searcher.stop()

    def keeps(self, state: State, seat: int, goal: Aim) -> bool | None:
        """Whether *seat*, which has led the game to *state*, still wins, or holds the draw; None where that is open."""
        width = 1 if is_over(state) else max(1, len(whole_turns(self._game.rules, state)))
        for effort in ROUNDS:
            settled = self._settler.settle(state, seat, effort * width)
            if goal == "win" and (settled.is_won or settled.is_not_won):
                return settled.is_won
            if goal == "save" and (settled.is_not_lost or settled.is_lost):
                return settled.is_not_lost
        return None

    def answer(self, state: State) -> tuple[int, ...]:
        """The turn of the seat to act in *state* that holds out longest, as far as a second shows; () once stopped."""
        seat, steps = int(mover(state)), list[int]()
        while not is_over(state) and int(mover(state)) == seat and not self._is_stopped:
            step = self._searcher_for(state).analyse(state, ANSWERING, is_cancelled=lambda: self._is_stopped).step
            steps.append(step)
            state = play(state, step)
        return () if self._is_stopped else tuple(steps)

    def _searcher_for(self, state: State) -> Searcher:
        """The game's exact solver, where it can do it; else the usual search, which puts losses off, too."""
        module = exact_of(self._game)
        if module is not None and module.can_solve(state):
            self._exact = self._exact or module.Exact(MEMORY)
            return self._exact
        if self._search is None:
            setting = SearchSetting(ANSWERING, evaluation_of(self._game).WEIGHTS[STANDARD], MEMORY)
            self._search = FAMILIES["minimax"].make(self._game, setting)
        return self._search
