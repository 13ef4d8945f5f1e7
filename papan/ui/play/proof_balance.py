"""The winning chance by proof numbers, found beside what is shown by the search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from papan.ai.thinking.thinker import Worker
from papan.game.facts import Game
from papan.game.match import Match
from papan.game.rules import State
from papan.ui.play.inquiry import Inquiry, Question

if TYPE_CHECKING:
    from collections.abc import Callable


class ProofBalance:
    """The chance of one seat in the position asked about last."""

    def __init__(self, game: Game, worker: Worker) -> None:
        self._game = game
        self._inquiry: Inquiry[float] = Inquiry(worker)
        self._asked: tuple[State, int] | None = None

    @staticmethod
    def suits(game: Game, state: State) -> bool:
        """Whether there are such chances: see ``ProofChance``."""
        from papan.ai.proof.chance import ProofChance

        return ProofChance.suits(game, state)

    def ask(self, state: State, seat: int) -> None:
        """Find out the chance of *seat* in *state*, unless that was asked last."""
        if (state, seat) == self._asked:
            return
        self._asked = state, seat
        game = self._game

        def make() -> Question[float]:
            from papan.ai.proof.chance import Refining

            return Refining(game, state, seat)

        self._inquiry.ask(make)

    @property
    def chance(self) -> float | None:
        """What is known of it, from 0 to 1."""
        return self._inquiry.answer

    @property
    def is_busy(self) -> bool:
        """Whether it may still become another."""
        return self._inquiry.is_working

    def stop(self) -> None:
        """Ask nothing any more."""
        self._inquiry.stop()
        self._inquiry.answer = self._asked = None


class ProofCourse:
    """The first seat's chances in the positions of a match, one after the other."""

    def __init__(self, match: Match, indices: Sequence[int]) -> None:
        """:param indices: of its states."""
        from papan.ai.proof.chance import ProofChance

        self._states = [match.states[index] for index in indices]
        self._chance = ProofChance(match.game)
        self._is_stopped = False

    def run(self, said: Callable[[tuple[float, ...]], object]) -> None:
        """Tell *said* all that are known, each time that there is one more."""
        found: tuple[float, ...] = ()
        for state in self._states:
            chance = self._chance(state)
            if self._is_stopped:
                return
            found = (*found, chance)
            said(found)

    def stop(self) -> None:
        """Give it up."""
        self._is_stopped = True
        self._chance.stop()
