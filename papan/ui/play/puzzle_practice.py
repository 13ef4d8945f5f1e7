"""A puzzle at the board: the person looks for the one right turn, then plays on against the best resistance.

The first turn is compared with the puzzle's solution; a worker judges later turns and finds the answers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from papan.ai.thinking.thinker import Worker
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.puzzles import GRADES, Puzzle, PuzzleError, games_with_puzzles, puzzle_of_the_day, shipped
from papan.game.rules import CHANCE, State, play
from papan.ui.play.practice import TRYING, WRONG, WRONG_SECONDS, Practice

if TYPE_CHECKING:
    from papan.ai.puzzles.opponent import PuzzleOpponent

log = logging.getLogger(__name__)

JUDGING, ANSWERING, SHOWING, OVER = "judging", "answering", "showing", "over"
"""The stages besides ``TRYING`` and ``WRONG``: a turn is judged; the other side looks for its answer or plays it; the
right turn is shown; the game is over."""
PIECE, TURN = 1, 2
"""How much a hint gives away: the piece or the cell to begin with, or the whole turn."""


class Verdict(NamedTuple):
    is_right: bool | None
    """None: undecided."""
    wins_later: int = 0
    """In how many more turns a turn that is too slow still forces a win; 0 for none soon."""


class PuzzlePractice(Practice):
    def __init__(self, puzzle: Puzzle, worker: Worker) -> None:
        """:param worker: finds answers, one after the other.

        :raises papan.game.puzzles.PuzzleError: the puzzle is invalid.
        """
        super().__init__(puzzle.seat, worker)
        self.puzzle = puzzle
        self._begun = puzzle.match()
        self.right = puzzle.steps(self._begun.state)
        self._right_state = reduce(play, self.right, self._begun.state)
        self.is_found = False
        self.was_shown = False
        self.mistakes = 0
        """Wrong turns so far; a slower win does not count."""
        self.hinted = 0
        """The hint given: 0, ``PIECE`` or ``TURN``."""
        self.wrong_name = ""
        """The wrong turn on the board, or the one taken back last."""
        self.wins_later = 0
        """In how many turns the wrong turn still forces a win, for the goal ``within``."""
        self._resistance: PuzzleOpponent | None = None
        self.set_up()

    @property
    def awaits(self) -> bool:
        return self.stage in (JUDGING, ANSWERING, WRONG)

    @property
    def has_begun(self) -> bool:
        return super().has_begun or bool(self.match.steps)

    def visible_state(self, state: State) -> State:
        return state  # a puzzle hides nothing

    @property
    def tried_cells(self) -> tuple[int, ...]:
        return self._cells_of_last_turn(0)  # also that of the answer

    @property
    def is_solved(self) -> bool:
        """Whether the person has found the turn without being shown it."""
        return self.is_found and not self.was_shown

    @property
    def right_name(self) -> str:
        return self.name_of(self._begun.state, self.right)

    @property
    def turns_left(self) -> int:
        """The person's turns left for the goal ``within``, the present one included."""
        seats = [turn.seat for turn in self.match.turns() if turn.first_step < self.start]
        return self.puzzle.turns - seats.count(self.seat)

    @property
    def can_hint(self) -> bool:
        return self.person_is_due and not self.is_found and self.hinted < TURN

    @property
    def hint(self) -> int | None:  # type: ignore[override]
        """The next step of the right turn, once the hint ``TURN`` was given."""
        return self._next_right_step if self.hinted == TURN else None

    @property
    def _next_right_step(self) -> int | None:
        played = tuple(self.match.steps)
        if self.stage != TRYING or self.is_found or self.right[: len(played)] != played:
            return None
        return self.right[len(played)] if len(played) < len(self.right) else None

    @property
    def hint_cells(self) -> tuple[int, ...]:
        """The cells that the hint marks: for ``PIECE`` the turn's first, for ``TURN`` all of the next step."""
        step = self._next_right_step
        if step is None or not self.hinted:
            return ()
        cells = self.match.rules.cells(self.match.state, step)
        return cells if self.hinted == TURN else cells[:1] if not self.match.steps else ()

    def give_hint(self) -> None:
        if self.can_hint:
            self.hinted += 1
            self.wrong_name, self.wins_later = "", 0  # what is said is about the hint

    def set_up(self, *, is_shown: bool = False) -> None:
        self.close()
        self.was_shown = self.was_shown or (is_shown and not self.is_found)
        self.start, self.trouble, self.wrong_name, self.wins_later = 0, "", "", 0
        self.is_found = self.is_found and is_shown
        self._to_play = list(self.right) if is_shown else []
        self.stage = SHOWING if is_shown else TRYING
        self._stand(self._begun.up_to(0), is_tried=not is_shown)
        self._go_on()

    def _judge(self) -> None:
        is_right = self.match.state == self._right_state
        state, seat, goal, left = self.match.state, self.seat, self.puzzle.goal, self.turns_left - 1
        if not self.is_found:
            self._take_verdict(Verdict(is_right))
            if not is_right and goal == "within":
                self._ask_how_late(state, left)
            return

        def judge(resistance: PuzzleOpponent) -> Verdict:
            keeps = resistance.keeps(state, seat, goal, left)
            is_late = goal == "within" and keeps is False
            return Verdict(keeps, resistance.wins_later(state, seat, left) if is_late else 0)

        self.stage = JUDGING
        self._resist(judge, self._take_verdict)

    def _ask_how_late(self, state: State, left: int) -> None:
        """Find out whether the wrong turn, which led to *state*, still wins later."""
        name, seat = self.wrong_name, self.seat

        def take(turns: int) -> None:
            if turns and name == self.wrong_name:
                self.wins_later, self._wrong_seconds = turns, WRONG_SECONDS
                self.mistakes -= 1

        self._resist(
            lambda resistance: resistance.wins_later(state, seat, left) if name == self.wrong_name else 0, take
        )

    def _take_verdict(self, verdict: Verdict) -> None:
        if verdict.is_right is False:
            self.wrong_name = self.name_of(self.match.states[self.start], self.match.steps[self.start :])
            self.wins_later = verdict.wins_later
            self.mistakes += not self.wins_later
            self._refuse_turn()
            return
        self.is_found, self.wrong_name, self.wins_later = True, "", 0
        if self.match.ending:
            self.stage = OVER
        else:
            self.stage = ANSWERING
            state = self.match.state
            left = self.turns_left - 1 if self.puzzle.goal == "within" else 0

            def play_answer(steps: tuple[int, ...]) -> None:
                self._to_play = list(steps)
                self._go_on()

            self._resist(lambda resistance: resistance.answer(state, left), play_answer)

    def _go_on(self) -> None:
        is_answered = self.stage == ANSWERING and self.showing is None and not self._to_play
        if is_answered and (self.match.ending or self.match.mover in (CHANCE, self.seat)):
            self.start = len(self.match.steps)
            self.stage = OVER if self.match.ending else TRYING
        super()._go_on()

    def _resist(self, question: Callable[[PuzzleOpponent], object], take: Callable[[Any], None]) -> None:
        """Ask *question* on the worker's thread; *take* gets the answer in a later frame."""
        game = self.match.game

        def find(is_wanted: Callable[[], bool]) -> object:
            from papan.ai.puzzles.opponent import PuzzleOpponent

            resistance = self._resistance = self._resistance or PuzzleOpponent(game)
            if not is_wanted():  # closed before the resistance could be stopped
                self._resistance = None
                return None
            return question(resistance)

        self._ask(find, take)

    def close(self) -> None:
        super().close()
        resistance, self._resistance = self._resistance, None  # its tables are large
        if resistance is not None:
            resistance.stop()


class DailyPuzzle(NamedTuple):
    puzzle: Puzzle
    day: date


SAVE, MOST_LENGTH = "save", 4
"""The theme of puzzles whose draw is to be saved; the length from which on wins share one theme."""


def theme_of(puzzle: Puzzle) -> str:
    """The theme: ``SAVE``, or in how many own turns the puzzle is won, ``MOST_LENGTH`` at most."""
    return SAVE if puzzle.goal == "save" else str(min(puzzle.turns, MOST_LENGTH))


@dataclass(frozen=True)
class PuzzleBook:
    """All puzzles by game, and today's."""

    by_game: Mapping[str, Sequence[Puzzle]]
    today: Puzzle | None

    @property
    def games(self) -> list[Game]:
        return [GAMES[name] for name, puzzles in self.by_game.items() if puzzles]

    @property
    def total(self) -> int:
        return sum(len(puzzles) for puzzles in self.by_game.values())

    def of(self, game: str, grade: int | None = None, theme: str = "") -> Sequence[Puzzle]:
        """Return the puzzles of a *game*, a *grade* (None: all) and a *theme* ("": all), the easiest first."""
        return [
            puzzle
            for puzzle in self.by_game.get(game, ())
            if grade in (None, puzzle.grade) and theme in ("", theme_of(puzzle))
        ]

    def themes_of(self, game: str) -> list[str]:
        """Return the themes of the puzzles of a *game*, the shortest wins first."""
        return sorted({theme_of(puzzle) for puzzle in self.of(game)})


def read_book(day: date, most_grade: int = GRADES[-1]) -> PuzzleBook:
    """Read all puzzles from their files, with that of *day*; call it in the background."""
    by_game = {game.name: shipped(game.name) for game in games_with_puzzles()}
    return PuzzleBook(by_game, puzzle_of_the_day(day, most_grade))


def read_puzzle_of(day: date, most_grade: int = GRADES[-1]) -> Puzzle | None:
    """Read the puzzle of *day*; None if there is none, or it can't be read. Call it in the background."""
    try:
        return puzzle_of_the_day(day, most_grade)
    except PuzzleError as error:
        log.error("The puzzles can't be read: %s", error)
        return None
