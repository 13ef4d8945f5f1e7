"""Proves puzzles anew: what a file says of a position is believed in nothing."""

from __future__ import annotations

from papan.ai.puzzles.finding import PROVING, Effort, Finder
from papan.ai.puzzles.settling import hides_nothing
from papan.game.base.sentences import say
from papan.game.facts import Game
from papan.game.puzzles import Puzzle
from papan.game.rules import State, play


class Prover:
    """Proves puzzles of one game."""

    def __init__(self, game: Game, effort: Effort = PROVING) -> None:
        self._finder = Finder(game, effort)

    def fault(self, puzzle: Puzzle) -> str:
        """Why *puzzle* does not hold, as a sentence; "" where it is proved.

        :raises papan.game.puzzles.PuzzleError: its position or its turn makes no sense.
        """
        state = puzzle.match().state
        steps = puzzle.steps(state)
        if not hides_nothing(state):
            return say("Its position hides something.")
        is_within = puzzle.goal == "within"
        found = self._finder.find_within(state, puzzle.turns) if is_within else self._finder.find(state)
        if found is None:
            return say("It is not proved: {why}.", why=self._finder.why)
        if found.goal != puzzle.goal:
            return say("The aim is to {found}, not to {goal}.", found=found.goal, goal=puzzle.goal)
        if is_within and found.plies != puzzle.plies:
            return say("The turns that the win takes: {found}, not {count}.", found=found.turns, count=puzzle.turns)
        if found.turn.states[-1] != _after(state, steps):
            return say("The right turn is another one than {turn}.", turn=puzzle.turn)
        return ""


def _after(state: State, steps: tuple[int, ...]) -> State:
    for step in steps:
        state = play(state, step)
    return state
