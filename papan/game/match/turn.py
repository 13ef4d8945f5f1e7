"""The turn controller: a finite-state machine of the seat to act, which turns clicks into steps.

The documentation's diagram is drawn from the machine's declaration. Its states say who is to act; phases of a game
(pick a god, move, build …) are the game's ``phase``. The controller calls its user by ``TurnDelegate``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from statemachine import State as Node
from statemachine import StateMachine

from papan.game.match import Conclusion, Match
from papan.game.rules import CHANCE, IllegalStep, State, mover


class TurnDelegate(Protocol):
    """What the controller needs from the window or a test."""

    def ask(self, match: Match) -> None:
        """Let the computer to move think; it calls ``TurnController.answer`` with its step."""

    def withdraw(self) -> None:
        """Cancel the last ``ask``."""

    def show(self, before: State, step: int, after: State) -> None:
        """Show a step that was just played; call ``TurnController.shown`` afterwards, at once or later."""

    def changed(self, match: Match) -> None:
        """Save *match*, which has changed."""


class TurnMachine(StateMachine):
    """Who is to act; the controller has the conditions."""

    settling = Node(initial=True)
    choosing = Node()
    completing = Node()
    thinking = Node()
    drawing = Node()
    showing = Node()
    confirming = Node()
    paused = Node()
    over = Node()
    watching = Node()

    settle = (
        settling.to(over, cond="is_over")
        | settling.to(drawing, cond="chance_is_due")
        | settling.to(choosing, cond="person_is_due")
        | settling.to(paused, cond="is_paused")
        | settling.to(thinking)
    )
    point = choosing.to(completing) | completing.to(completing)
    let_go = completing.to(choosing)
    play = choosing.to(showing) | completing.to(showing) | thinking.to(showing) | drawing.to(showing)
    shown = showing.to(confirming, cond="wants_confirmation") | showing.to(settling)
    confirm = confirming.to(settling)
    pause = thinking.to(paused)
    go_on = paused.to(settling)
    go_back = settling.from_(choosing, completing, thinking, showing, confirming, paused, over)
    watch = watching.from_(settling, choosing, completing, thinking, showing, confirming, paused, over)
    take_part = watching.to(settling)


class TurnController:
    """Conducts a match between people, computers and chance.

    >>> TurnController.STATES
    ('settling', 'choosing', 'completing', 'thinking', 'drawing', 'showing', 'confirming', 'paused', 'over', 'watching')
    """

    STATES = tuple(node.id for node in TurnMachine.states)

    def __init__(
        self,
        match: Match,
        is_person: Sequence[bool],
        table: TurnDelegate,
        confirms_turns: Callable[[], bool] = lambda: False,
        *,
        draws_chance: bool = True,
    ) -> None:
        """:param is_person: for each seat, whether a person plays it.
        :param confirms_turns: whether a person's turn waits for ``confirm`` at its end.
        :param draws_chance: False: ``answer`` also tells what chance draws, as another program does.
        """
        self.match = match
        self.is_person = tuple(is_person)
        self.is_paused = False
        self.pointed: tuple[int, ...] = ()
        """The cells that the person has chosen so far for a step."""
        self._table = table
        self._confirms_turns = confirms_turns
        self._draws_chance = draws_chance
        self._turns_allowed = 0  # computers' turns to play although paused
        self._machine = TurnMachine(self)

    def is_over(self) -> bool:
        return self.match.ending is not None

    def chance_is_due(self) -> bool:
        return self._draws_chance and self.match.mover == CHANCE

    def person_is_due(self) -> bool:
        return not self.is_over() and self._is_persons(self.match.state)

    def wants_confirmation(self) -> bool:
        """Whether the step shown ends a person's turn, which waits for ``confirm``."""
        before, after = self.match.states[-2:]
        is_turns_end = self.is_over() or mover(after) != mover(before)
        return self._confirms_turns() and self._is_persons(before) and is_turns_end

    def _is_persons(self, state: State) -> bool:
        seat = int(mover(state))
        return seat != CHANCE and self.is_person[seat]

    @property
    def due(self) -> str:
        """The state of the machine: one of ``STATES``."""
        return str(self._machine.current_state_value)

    def candidates(self) -> list[int]:
        """The legal steps that begin with the cells in ``pointed``."""
        if self.due not in ("choosing", "completing"):
            return []
        return [step for step in self.match.legal_steps() if self._cells(step)[: len(self.pointed)] == self.pointed]

    def targets(self) -> frozenset[int]:
        """The cells that can be chosen next."""
        at = len(self.pointed)
        return frozenset(cells[at] for step in self.candidates() if len(cells := self._cells(step)) > at)

    def choices(self) -> list[int]:
        """The steps with exactly the cells in ``pointed``, to be offered by name."""
        return [step for step in self.candidates() if self._cells(step) == self.pointed]

    def _cells(self, step: int) -> tuple[int, ...]:
        return self.match.rules.cells(self.match.state, step)

    @property
    def can_undo(self) -> bool:
        """Whether ``undo`` would change anything; a fallen flag is final."""
        if self.due == "watching":
            return False
        conclusion = self.match.conclusion
        return self._decision_before() is not None if conclusion is None else conclusion.kind != "time"

    @property
    def can_redo(self) -> bool:
        """Whether ``redo`` would change anything."""
        return self.match.can_redo and self.due not in ("settling", "watching")

    def _decision_before(self) -> int | None:
        """The number of steps before the last decision of a person or, if no person plays, of any seat."""
        states = self.match.states
        for index in range(len(states) - 2, -1, -1):
            if not any(self.is_person) or self._is_persons(states[index]):
                return index
        return None

    def begin(self) -> None:
        """Start or resume the match."""
        self._settle()

    def _settle(self) -> None:
        self.pointed = ()
        if self._turns_allowed:
            was_paused, self.is_paused = self.is_paused, False
            self._machine.settle()
            self.is_paused = was_paused
        else:
            self._machine.settle()
        if self.due == "thinking":
            self._table.ask(self.match)
        elif self.due == "drawing":
            self._play(self.match.chance_step())

    def point(self, cell: int) -> str | None:
        """Choose *cell* for the person; if no step fits, return a sentence that says why."""
        if self.due not in ("choosing", "completing"):
            return None
        if self.pointed == (cell,):
            self.let_go()
            return None
        for start in (self.pointed, ()):
            path = (*start, cell)
            going_on = [step for step in self.match.legal_steps() if self._cells(step)[: len(path)] == path]
            if not going_on:
                continue
            if len(going_on) == 1 and self._cells(going_on[0]) == path:
                self._play(going_on[0])
            else:
                self.pointed = path
                self._machine.point()
            return None
        return self.match.rules.refusal_at(self.match.state, (*self.pointed, cell))

    def let_go(self) -> None:
        """Clear ``pointed``."""
        if self.due == "completing":
            self.pointed = ()
            self._machine.let_go()

    def choose(self, step: int) -> None:
        """Play the person's *step*, chosen by name.

        :raises IllegalStep: it is no person's turn, or the rules refuse the step.
        """
        if self.due not in ("choosing", "completing"):
            raise IllegalStep.saying("It is not a person's turn.")
        self._play(step)

    def answer(self, step: int) -> None:
        """Play the computer's *step*, unless it was cancelled.

        :raises IllegalStep: the rules refuse it; the match is unchanged.
        """
        if self.due == "thinking":
            self._play(step)

    def _play(self, step: int) -> None:
        before = self.match.state
        self.match.play(step)
        if self._turns_allowed and mover(self.match.state) != mover(before):
            self._turns_allowed -= 1
        self._machine.play()
        self.pointed = ()
        self._table.changed(self.match)
        self._table.show(before, step, self.match.state)

    def shown(self) -> None:
        if self.due == "showing":
            self._machine.shown()
            if self.due == "settling":
                self._settle()

    def confirm(self) -> None:
        if self.due == "confirming":
            self._machine.confirm()
            self._settle()

    def undo(self) -> None:
        """Take back the conclusion, or go back to a person's last decision."""
        index = self._decision_before()
        if not self.can_undo:
            return
        if self.match.conclusion is not None:
            self._leave()
            self.match.reopen()
            self._arrive()
        elif index is not None:
            self.go_to(index)

    def redo(self) -> None:
        """Redo up to a person's next decision."""
        if not self.can_redo:
            return
        self._leave()
        self.match.redo()
        while self.match.can_redo and any(self.is_person) and not self.person_is_due():
            self.match.redo()
        self._arrive()

    def conclude(self, conclusion: Conclusion) -> None:
        """End the match by *conclusion*, in any state of the machine."""
        if self.due not in ("over", "watching"):
            self._leave()
            self.match.conclude(conclusion)
            self._arrive()

    def go_to(self, index: int, following: Sequence[int] = ()) -> None:
        """Go back to the state after *index* steps, in any state of the machine, and play *following* unseen.

        :raises IllegalStep: the rules refuse one of them; those before it are played.
        """
        self._leave()
        while len(self.match.steps) > index:
            self.match.undo()
        try:
            for step in following:
                self.match.play(step)
        finally:
            self._arrive()

    def _leave(self) -> None:
        if self.due == "thinking":
            self._table.withdraw()
        if self.due != "settling":
            self._machine.go_back()
        self._turns_allowed = 0
        self.is_paused = self.is_paused or (self._draws_chance and not any(self.is_person))

    def _arrive(self) -> None:
        self._table.changed(self.match)
        self._settle()

    def pause(self) -> None:
        """Pause the computers, and cancel a question."""
        self.is_paused = True
        self._turns_allowed = 0
        if self.due == "thinking":
            self._table.withdraw()
            self._machine.pause()

    def go_on(self, turns: int = 0) -> None:
        """Let the computers play again, for good or for *turns* turns."""
        if turns:
            self._turns_allowed = turns
        else:
            self.is_paused = False
        if self.due == "paused":
            self._machine.go_on()
            self._settle()

    def watch(self) -> None:
        """Watch a match that another program plays: no seat acts here, and it may change at any time."""
        if self.due == "watching":
            return
        if self.due == "thinking":
            self._table.withdraw()
        self.pointed = ()
        self._turns_allowed = 0
        self._machine.watch()

    def take_part(self) -> None:
        """Play on after ``watch``."""
        if self.due == "watching":
            self._machine.take_part()
            self._settle()
