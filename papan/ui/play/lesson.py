"""A step of a lesson at the board: a turn to find, any turn to try, or a position to look at."""

from __future__ import annotations

from collections.abc import Mapping

from papan.ai.thinking.thinker import Worker
from papan.game.game import Game
from papan.game.lessons import LessonStep, games_with_lessons, in_language
from papan.ui.play.practice import TRYING, Practice

READING, RIGHT, SHOWN = "reading", "right", "shown"
"""The stages besides ``TRYING`` and ``WRONG``: there is nothing to do; the right turn was found; it is shown."""
DONE = "done"
"""What the settings say of a lesson whose every step was gone through; of others, the index of the step to go on at."""


class LessonPractice(Practice):
    def __init__(self, step: LessonStep, worker: Worker) -> None:
        super().__init__(max(0, step.match.mover), worker)
        self.step = step
        self.reason = ""
        """Why the last turn was wrong, in the lesson's words; "" if it says nothing."""
        self.has_failed = False
        """Whether the last turn was wrong."""
        self.set_up()

    @property
    def say(self) -> str:
        return in_language(self.step.data.say)

    @property
    def done(self) -> str:
        return in_language(self.step.data.done)

    @property
    def is_through(self) -> bool:
        """Whether the step asks for nothing more."""
        return self.stage in (READING, RIGHT, SHOWN)

    @property
    def can_show(self) -> bool:
        """Whether there is a right turn to show."""
        return bool(self.step.turns) and not self.is_through

    def set_up(self, *, is_shown: bool = False) -> None:
        self.close()
        self.reason, self.has_failed = "", False
        self._to_play = list(self.step.turns[0]) if is_shown else []
        self.stage = SHOWN if is_shown else TRYING if self.step.asks else READING
        self._stand(self.step.match.up_to(0), is_tried=self.stage == TRYING)
        self._go_on()

    def _judge(self) -> None:
        match = self.match
        own = match.turns()[0]  # without what chance does after it
        states = match.states[1 : own.end_step + 1]
        self.has_failed = not self.step.is_right(states)
        self.reason = self.step.reason(states) if self.has_failed else ""
        if self.has_failed:
            self._refuse_turn()
        else:
            self.stage = RIGHT


def steps_done(count: int, left: str, done: str | None) -> set[int]:
    """The indices of the steps gone through of a lesson of *count* steps.

    :param left: what the settings say of the lesson; "" for nothing.
    :param done: the steps that they name; None if they name none: those before *left* count then.
    """
    if left == DONE:
        return set(range(count))
    if done is not None:
        return {int(step) for step in done.split() if step.isdecimal() and int(step) < count}
    return set(range(min(count, int(left)))) if left.isdecimal() else set()


def next_lesson(game: Game, known: Mapping[str, str]) -> Game | None:
    """The next game after *game* whose lesson is not done; after the last comes the first. None if all are.

    :param known: by game what the settings say of its lesson.
    """
    games = games_with_lessons()
    place = games.index(game) + 1 if game in games else 0
    later = [*games[place:], *games[:place]]
    return next((one for one in later if one != game and known.get(one.name) != DONE), None)
