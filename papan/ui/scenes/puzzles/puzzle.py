"""Solving a puzzle: find the right turn, then play on against the best resistance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from papan.game.catalogue import GAMES
from papan.game.puzzles import Puzzle, PuzzleError
from papan.ui.boards import BoardError, BoardView, Picture
from papan.ui.play.puzzle_practice import OVER, SHOWING, DailyPuzzle, PuzzlePractice
from papan.ui.scenes import Stage
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.practice import PracticeScene, SideText
from papan.ui.scenes.puzzles.words import side_text_of, titled
from papan.ui.scenes.services import Services
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.shortcuts import Shortcut


def push_puzzle(
    stage: Stage, listed: Sequence[Puzzle], puzzle: Puzzle, services: Services, daily: DailyPuzzle | None = None
) -> None:
    """Open *puzzle*, one of those *listed*, or show why that fails.

    :param daily: the puzzle of a day, if known.
    """
    try:
        stage.push(PuzzleScene(stage, listed, listed.index(puzzle), services, daily))
    except (BoardError, PuzzleError) as error:
        title = translated(GAMES[puzzle.game].title)
        stage.push(Message(stage, title, translated(str(error)), icon="info"))


class PuzzleScene(PracticeScene):
    practice: PuzzlePractice

    def __init__(
        self,
        stage: Stage,
        puzzles: Sequence[Puzzle],
        place: int,
        services: Services,
        daily: DailyPuzzle | None = None,
    ) -> None:
        """:param puzzles: at least one, all of one game.
        :param place: the index of the first to solve.
        :param daily: the puzzle of a day, if known.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        :raises papan.game.puzzles.PuzzleError: the puzzle is invalid.
        """
        self._puzzles = puzzles
        self._services = services
        self._daily = daily
        super().__init__(stage, GAMES[puzzles[place].game], place)

    @property
    def count(self) -> int:
        return len(self._puzzles)

    def practice_at(self, place: int) -> PuzzlePractice:
        return PuzzlePractice(self._puzzles[place], self._services.replayer)

    def seat_in_front(self, view: BoardView) -> int | None:
        return self.practice.seat

    def _new_view(self) -> None:
        super()._new_view()
        self.view.shows_all_hands = True  # a puzzle hides nothing

    def _options(self) -> Sequence[str]:
        """Return the puzzle's options, on which the solution depends."""
        options = self.practice.puzzle.options
        return [
            f"{translated(option.title)}: {translated(option.words(options[name]))}"
            for name, option in self.game.options.items()
            if name in options
        ]

    def side_text(self) -> SideText:
        return side_text_of(self.practice, self.view)

    def build(self) -> None:
        self.title = titled(self._puzzles[self.place], self.place + 1)
        super().build()

    def _add_buttons(self) -> None:
        add = self.widgets.add
        self._hint = add(Button(_("Hint"), self.hint, icon="hint", name="hint"))
        self._show = add(Button(_("Show it"), self.show_answer, icon="eye", name="show"))
        self._again = add(Button(_("Start again"), self.try_again, icon="undo", name="again"))
        self._add_previous_and_next()
        self._list = add(Button(_("All puzzles"), partial(self.stage.pop, self), sign="library", name="list"))
        self._grid = ((self._hint, self._show), (self._again, self._list), (self._previous, self._next))

    def _state_seen(self) -> object:
        practice = self.practice
        told = practice.hinted, practice.is_found, practice.wins_later, practice.trouble
        return super()._state_seen(), told

    def _bring_in_line(self) -> None:
        practice, settings = self.practice, self.stage.settings
        known = settings.solved_puzzles, settings.daily_streak
        if practice.is_solved:
            settings.mark_solved(self.game.name, practice.puzzle.digest)
            if self._daily is not None and self._daily.puzzle == practice.puzzle:
                settings.mark_daily_solved(self._daily.day)
        if known != (settings.solved_puzzles, settings.daily_streak):
            self._services.count_milestones()
        solved = settings.solved_puzzles_of(self.game.name)
        self.pill = _("{number} of {count} · {solved} solved").format(
            number=self.place + 1, count=self.count, solved=sum(puzzle.digest in solved for puzzle in self._puzzles)
        )
        note = _("A puzzle: exactly one turn is right (proved)")
        if practice.puzzle.digest in solved:
            note = _("A solved puzzle: exactly one turn is right (proved)")
        options = self._options()
        self.note, self.short_note = " · ".join([note, *options]), " · ".join(options) or _("A puzzle")
        self._hint.enable(practice.can_hint)
        self._show.enable(practice.stage not in (SHOWING, OVER) and not practice.is_found)
        self._again.enable(practice.has_begun)

    def picture(self) -> Picture:
        shown, marked = super().picture(), self.practice.hint_cells
        if marked and shown.chosen is None:  # the mark stands out
            shown = replace(shown, targets=frozenset(marked) & shown.targets)
        return replace(shown, hint=marked)

    def hint(self) -> None:
        """Hint at where to begin first, then at the whole turn."""
        self.practice.give_hint()
        self._refresh()

    def show_answer(self) -> None:
        if self._show.is_enabled:
            super().show_answer()

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            *super().shortcuts(),
            Shortcut("H", _("a hint: where to begin, then the turn"), self.hint),
            Shortcut("S", _("show the right turn"), self.show_answer),
            Shortcut("N", _("next puzzle"), self._go_on),
            Shortcut("P", _("previous puzzle"), self._go_back),
        ]
