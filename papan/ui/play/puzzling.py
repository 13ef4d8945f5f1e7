"""A puzzle at the board: the person looks for the one right turn, and then plays on against the best resistance.

The first turn is compared with the puzzle's; those after it, and the answers, are worked out beside the window.
"""

from __future__ import annotations

import logging
import queue
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from papan.ai.thinking.thinker import Worker
from papan.game.puzzles import Puzzle
from papan.game.rules import State, play
from papan.ui.play.trial import TRYING, Trial

if TYPE_CHECKING:
    from papan.ai.puzzles.resisting import Resistance

log = logging.getLogger(__name__)

WRONG, JUDGING, ANSWERING, SHOWING, OVER = "wrong", "judging", "answering", "showing", "over"
"""The stages beside ``TRYING``: a wrong turn stands on the board for a moment; a turn is judged; the other side looks
for its answer, or plays it; the right turn is shown; the game is over."""
WRONG_SECONDS = 1.6
"""So long a wrong turn stands before it is taken back by itself."""
PIECE, TURN = 1, 2
"""How much a hint gives away: what is to be moved, or all."""


class Verdict(NamedTuple):
    """What came of a turn."""

    is_right: bool | None
    """None where that can't be told."""
    wins_later: int = 0
    """In how many more turns a turn that does not win in time forces a win all the same; 0 where none soon."""


class Puzzling(Trial):
    """One puzzle, and what a person tries there."""

    def __init__(self, puzzle: Puzzle, worker: Worker) -> None:
        """:param worker: works out answers, one after the other.

        :raises papan.game.puzzles.PuzzleError: the puzzle makes no sense.
        """
        super().__init__(puzzle.seat)
        self.puzzle = puzzle
        self._begun = puzzle.match()
        self.right = puzzle.steps(self._begun.state)
        """The steps of the right turn."""
        self._right_state = _after(self._begun.state, self.right)
        self.is_found = False
        """Whether the person has found the right turn."""
        self.was_shown = False
        """Whether the right turn was shown before it was found."""
        self.mistakes = 0
        """Wrong turns so far; one that wins too, but later, is none."""
        self.hinted = 0
        """How much was given away: 0, ``PIECE`` or ``TURN``."""
        self.wrong_name = ""
        """The wrong turn that stands on the board, or was taken back last."""
        self.wins_later = 0
        """In how many turns that one forces a win all the same, where the puzzle asks for one in time."""
        self.trouble = ""
        """Why there is no answer, in a sentence."""
        self._wrong_seconds = 0.0
        self._worker = worker
        self._resistance: Resistance | None = None
        self._ticket = 0
        self._found: queue.SimpleQueue[tuple[int, Callable[[object], None], object]] = queue.SimpleQueue()
        """By their tickets: who takes an answer, and the answer."""
        self.try_again()

    # --------------------------------------------------------------------------------------- looking

    @property
    def awaits(self) -> bool:
        return self.stage in (JUDGING, ANSWERING, WRONG)

    @property
    def has_begun(self) -> bool:
        return super().has_begun or bool(self.match.steps)

    @property
    def tried_cells(self) -> tuple[int, ...]:
        return self._cells_of_last_turn(0)  # also that of the answer

    @property
    def is_solved(self) -> bool:
        """Whether the person has found the turn, and not been shown it."""
        return self.is_found and not self.was_shown

    @property
    def right_name(self) -> str:
        """What the right turn is called."""
        return self.name_of(self._begun.state, self.right)

    @property
    def turns_left(self) -> int:
        """The person's own turns that the goal ``within`` leaves, that which is due included."""
        seats = [turn.seat for turn in self.match.turns() if turn.first_step < self.start]
        return self.puzzle.turns - seats.count(self.seat)

    @property
    def can_hint(self) -> bool:
        """Whether there is more to give away."""
        return self.person_is_due and not self.is_found and self.hinted < TURN

    @property
    def hint(self) -> int | None:  # type: ignore[override]
        """The next step of the right turn, once it is given away."""
        return self._next_right_step if self.hinted == TURN else None

    @property
    def _next_right_step(self) -> int | None:
        played = tuple(self.match.steps)
        if self.stage != TRYING or self.is_found or self.right[: len(played)] != played:
            return None
        return self.right[len(played)] if len(played) < len(self.right) else None

    @property
    def hint_cells(self) -> tuple[int, ...]:
        """The cells that a hint points at: of a step that takes two the first, and then all."""
        step = self._next_right_step
        if step is None or not self.hinted:
            return ()
        cells = self.match.rules.cells(self.match.state, step)
        return cells if self.hinted == TURN else cells[:1] if len(cells) > 1 else ()

    # ---------------------------------------------------------------------------------------- acting

    def try_again(self) -> None:
        """Set the position up again."""
        self._set_up(is_shown=False)

    def show_right(self) -> None:
        """Set the position up again, and play the right turn."""
        self.was_shown = self.was_shown or not self.is_found
        self._set_up(is_shown=True)

    def give_hint(self) -> None:
        """Give away a little more."""
        if self.can_hint:
            self.hinted += 1

    def _set_up(self, is_shown: bool) -> None:
        self._forget_work()
        self.start, self.trouble, self.wrong_name, self.wins_later = 0, "", "", 0
        self.is_found = self.is_found and is_shown
        self._to_play = list(self.right) if is_shown else []
        self.stage = SHOWING if is_shown else TRYING
        self._stand(self._begun.up_to(0), is_tried=not is_shown)
        self._go_on()

    def take_back(self) -> None:
        """Take the wrong turn back."""
        if self.stage == WRONG:
            self.stage = TRYING
            self._stand(self.match.up_to(self.start), is_tried=True)

    def pass_time(self, seconds: float) -> None:
        """Let time pass: a wrong turn is taken back after a while."""
        if self.stage == WRONG and self.showing is None:
            self._wrong_seconds -= seconds
            if self._wrong_seconds <= 0.0:
                self.take_back()

    def _judge(self) -> None:
        is_right = self.match.state == self._right_state
        state, seat, goal, left = self.match.state, self.seat, self.puzzle.goal, self.turns_left - 1
        if not self.is_found:
            self._take_verdict(Verdict(is_right))
            if not is_right and goal == "within":
                self._ask_how_late(state, left)
            return

        def judge(resistance: Resistance) -> Verdict:
            keeps = resistance.keeps(state, seat, goal, left)
            is_late = goal == "within" and keeps is False
            return Verdict(keeps, resistance.wins_later(state, seat, left) if is_late else 0)

        self.stage = JUDGING
        self._ask(judge, self._take_verdict)

    def _ask_how_late(self, state: State, left: int) -> None:
        """Have it looked up whether the wrong turn, which led to *state*, wins later: that is told when it is known."""
        name, seat = self.wrong_name, self.seat

        def take(turns: object) -> None:
            if isinstance(turns, int) and turns and name == self.wrong_name:
                self.wins_later, self._wrong_seconds = turns, WRONG_SECONDS
                self.mistakes -= 1

        self._ask(lambda resistance: resistance.wins_later(state, seat, left) if name == self.wrong_name else 0, take)

    def _take_verdict(self, verdict: object) -> None:
        """Go on after a turn."""
        assert isinstance(verdict, Verdict)
        if verdict.is_right is False:
            self.wrong_name = self.name_of(self.match.states[self.start], self.match.steps[self.start :])
            self.wins_later = verdict.wins_later
            self.mistakes += not self.wins_later
            self.stage, self._wrong_seconds = WRONG, WRONG_SECONDS
            return
        self.is_found, self.wrong_name, self.wins_later = True, "", 0
        if self.match.ending:
            self.stage = OVER
        else:
            self.stage = ANSWERING
            state = self.match.state
            left = self.turns_left - 1 if self.puzzle.goal == "within" else 0
            self._ask(lambda resistance: resistance.answer(state, left), self._take_answer)

    def _take_answer(self, steps: object) -> None:
        assert isinstance(steps, tuple)
        self._to_play = list(steps)
        self._go_on()

    def _go_on(self) -> None:
        is_answered = self.stage == ANSWERING and self.showing is None and not self._to_play
        if is_answered and not self._is_others_turn:
            self.start = len(self.match.steps)
            self.stage = OVER if self.match.ending else TRYING
        super()._go_on()

    # ------------------------------------------------------------------------------ beside the window

    def _ask(self, question: Callable[[Resistance], object], take: Callable[[object], None]) -> None:
        """Have *question* answered on the worker's thread, and the answer taken by *take* in a later frame."""
        ticket, game = self._ticket, self.match.game

        def work() -> None:
            from papan.ai.puzzles.resisting import Resistance

            if ticket != self._ticket:
                return
            try:
                resistance = self._resistance or Resistance(game)
                self._resistance = resistance
                if ticket != self._ticket:  # closed meanwhile, and nobody has stopped this one
                    self._resistance = None
                    return
                found = question(resistance)
            except Exception as error:  # whatever a guest's own code raises
                log.exception("A puzzle can't be gone on with")
                self.trouble = f"{type(error).__name__}: {error}"
                return
            self._found.put((ticket, take, found))

        self._worker.submit(work)

    def tick(self) -> bool:
        is_changed = False
        while not self._found.empty():
            ticket, take, found = self._found.get()
            if ticket == self._ticket:
                take(found)
                is_changed = True
        return is_changed

    def close(self) -> None:
        self._forget_work()

    def _forget_work(self) -> None:
        self._ticket += 1
        resistance, self._resistance = self._resistance, None  # its tables are large
        if resistance is not None:
            resistance.stop()


def _after(state: State, steps: tuple[int, ...]) -> State:
    for step in steps:
        state = play(state, step)
    return state
