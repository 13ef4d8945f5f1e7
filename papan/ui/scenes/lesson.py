"""The lesson of a game: a board to try turns on, one position after the other, and what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import pygame

from papan.ai.players import HUMAN
from papan.ai.players.levels import NAMED_LEVELS
from papan.game.base.sentences import capitalised
from papan.game.game import Game, PartError
from papan.game.lessons import Lesson, LessonError, lesson_of
from papan.ui.boards import BoardError, BoardView, Picture
from papan.ui.play.lesson import DONE, READING, RIGHT, SHOWN, LessonPractice, next_lesson, steps_done
from papan.ui.play.practice import WRONG
from papan.ui.scenes import Stage
from papan.ui.scenes.dialogs import Message, Reply
from papan.ui.scenes.practice import PracticeScene, SideText, side_name
from papan.ui.scenes.services import Services
from papan.ui.texts import _, plural, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.shortcuts import Shortcut

_BAR_TOP, _BAR_HEIGHT, _GAP = 10, 6, 4
"""The progress bar above the text, one part for each step."""


def push_lesson(stage: Stage, services: Services, game: Game) -> None:
    """Open the lesson of *game* where the player left it, or show why that fails."""
    try:
        lesson = lesson_of(game)
        left = stage.settings.lessons.get(game.name, "")
        place = int(left) if left.isdecimal() and int(left) < len(lesson.steps) else 0
        stage.push(LessonScene(stage, lesson, place, services))
    except (BoardError, LessonError, PartError) as error:
        stage.push(Message(stage, translated(game.title), translated(str(error)), icon="info"))


class LessonScene(PracticeScene):
    practice: LessonPractice
    _has_head = True

    def __init__(self, stage: Stage, lesson: Lesson, place: int, services: Services) -> None:
        """:param place: the index of the first step.
        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        self._lesson = lesson
        self._services = services
        settings, name = stage.settings, lesson.game.name
        left, done = settings.lessons.get(name, ""), settings.lesson_steps.get(name)
        self._done = steps_done(self.count, left, done)
        """The indices of the steps gone through; those passed by without a right turn are not."""
        super().__init__(stage, lesson.game, place)

    @property
    def count(self) -> int:
        return len(self._lesson.steps)

    def practice_at(self, place: int) -> LessonPractice:
        return LessonPractice(self._lesson.steps[place], self._services.replayer)

    def seat_in_front(self, view: BoardView) -> int | None:
        return 0

    def build(self) -> None:
        self.title = _("Learn {game}").format(game=translated(self.game.title))
        super().build()

    def _add_buttons(self) -> None:
        add = self.widgets.add
        self._show = add(Button(_("Show me"), self.show_answer, icon="hint", name="show"))
        self._again = add(Button(_("Try again"), self.try_again, icon="undo", name="again"))
        self._add_previous_and_next()
        self._grid = ((self._show, self._again), (self._previous, self._next))

    def _state_seen(self) -> object:
        return super()._state_seen(), self.practice.has_failed

    def _bring_in_line(self) -> None:
        practice = self.practice
        self.pill = _("{number} of {count}").format(number=self.place + 1, count=self.count)
        self.note = self.short_note = self._request()
        self._show.enable(practice.can_show)
        self._again.enable(practice.has_begun and practice.stage != READING)
        if practice.is_through:
            self._done.add(self.place)
        self._next.change(kind="primary" if practice.is_through else "plain")
        if practice.is_through and self._board.has_focus:
            self.widgets.focus(self._next, by_keyboard=self.widgets.shows_focus)  # Enter goes on

    def _request(self) -> str:
        practice = self.practice
        if practice.stage == READING:
            return _("Press Next when you have read this")
        if practice.is_through:
            return _("On to the next step") if self.place < self.count - 1 else _("This was the last step")
        pointed = practice.turn.pointed
        return translated(practice.match.rules.prompt(practice.match.state, pointed[0] if pointed else None)[0])

    @property
    def _label_of_next(self) -> str:
        return super()._label_of_next if self.place in self._done else _("Skip")

    def side_text(self) -> SideText:
        practice = self.practice
        match = practice.match
        whose = _("The position")
        if practice.step.asks and len(match.seats) > 1:
            side = side_name(self.view, match.rules, match.states[0], practice.seat)
            whose = capitalised(_("{side} to move").format(side=side))
        if practice.stage == RIGHT:
            return SideText(whose, _("Right!"), practice.done, "good")
        if practice.stage == SHOWN:
            return SideText(whose, _("This is the right turn"), practice.done or practice.say)
        if practice.has_failed:
            reason = practice.reason or _("That is not the right move. Try another one, or let me show you.")
            if practice.stage == WRONG:
                return SideText(whose, _("Not that one"), practice.say, "bad", reason)
            return SideText(whose, _("Try again"), practice.say, remark=reason)
        return SideText(whose, _("Your turn") if practice.step.asks else _("Have a look"), practice.say)

    def picture(self) -> Picture:
        shown, practice = super().picture(), self.practice
        is_marked = shown.moving is None and (practice.stage == WRONG or not practice.match.steps)
        return replace(shown, hint=practice.step.data.mark) if is_marked else shown

    def show_answer(self) -> None:
        if self.practice.can_show:
            super().show_answer()

    def draw(self, surface: pygame.Surface) -> None:
        super().draw(surface)
        px, inner, gap = self.px, self.side_inside, self.px(_GAP)
        width = (inner.w - (self.count - 1) * gap) / self.count
        for step in range(self.count):
            left = round(inner.x + step * (width + gap))
            bar = pygame.Rect(left, inner.y + px(_BAR_TOP), round(width), px(_BAR_HEIGHT))
            fill = self.theme.accent if step <= self.place else self.theme.line
            self.paint.rounded_rect(surface, bar, fill, bar.h // 2)

    def go_to(self, place: int) -> None:
        super().go_to(place)
        if not self.practice.is_through:
            self.widgets.focus(self._board, by_keyboard=self.widgets.shows_focus)

    def leave(self) -> None:
        super().leave()
        settings, name = self.stage.settings, self.game.name
        if settings.lessons.get(name) != DONE and (self.place or name in settings.lessons):
            settings.lessons = {**settings.lessons, name: str(self.place)}
            settings.lesson_steps = {**settings.lesson_steps, name: " ".join(map(str, sorted(self._done)))}

    def _go_on(self) -> None:
        if self.place < self.count - 1:
            self.go_to(self.place + 1)
            return
        stage, settings, name = self.stage, self.stage.settings, self.game.name
        skipped = sorted(set(range(self.count)) - self._done)
        stage.pop(self)
        settings.lessons = {**settings.lessons, name: str(skipped[0]) if skipped else DONE}
        if not skipped:
            settings.lesson_steps = {key: value for key, value in settings.lesson_steps.items() if key != name}
        stage.push(_ending(stage, self._services, self._lesson, len(skipped)))

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            *super().shortcuts(),
            Shortcut("S", _("show the right turn"), self.show_answer),
            Shortcut("N", _("next step"), self._go_on),
            Shortcut("P", _("previous step"), self._go_back),
        ]


def _ending(stage: Stage, services: Services, lesson: Lesson, skipped: int) -> Message:
    """Return the dialog after *lesson*: play, learn another game, or neither.

    :param skipped: the number of skipped steps; with any, the lesson is not done.
    """
    game = lesson.game
    replies, easy = [Reply(_("Close"))], translated(NAMED_LEVELS[0].title)
    following = next_lesson(game, stage.settings.lessons)
    if following is not None:
        replies.append(Reply(_("Next lesson"), partial(push_lesson, stage, services, following)))
    if services.start_match is not None:
        words = _("Play") if game.seats[0] == 1 else _("Play against {opponent}").format(opponent=easy)
        replies.append(Reply(words, partial(_play, stage, services, lesson), "primary", "play"))
    title = _("You know {game} now").format(game=translated(game.title))
    text = _("The best way to learn more is to play. F2 shows all the rules at any time.")
    if skipped:
        title = _("Learn {game}").format(game=translated(game.title))
        text = plural(
            "You skipped {count} step. Next time, the lesson goes on there.",
            "You skipped {count} steps. Next time, the lesson goes on with the first of them.",
            skipped,
        )
    if following is not None:
        text += "\n" + _("The next lesson: {game}.").format(game=translated(following.title))
    return Message(stage, title, text, replies)


def _play(stage: Stage, services: Services, lesson: Lesson) -> None:
    """Begin a first match, the player to move first, or show why that fails."""
    players = [HUMAN, *[NAMED_LEVELS[0].player] * (lesson.game.seats[0] - 1)]
    try:
        if services.start_match is not None:
            services.start_match(lesson.game, players, lesson.options, None)
    except (ValueError, PartError, BoardError) as error:
        stage.push(Message(stage, translated(lesson.game.title), translated(str(error)), icon="warning"))
