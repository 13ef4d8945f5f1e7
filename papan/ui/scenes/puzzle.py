"""A puzzle at the board: one right turn is looked for, then played out against the best resistance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from papan.game.catalogue import GAMES
from papan.game.puzzles import Puzzle
from papan.ui.boards import BoardView, Picture
from papan.ui.play.puzzling import OVER, SHOWING, WRONG, Puzzling
from papan.ui.scenes import Stage
from papan.ui.scenes.puzzle_words import said_of, titled
from papan.ui.scenes.services import Services
from papan.ui.scenes.trial import Said, TrialScene
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.shortcuts import Shortcut


class PuzzleScene(TrialScene):
    """Some puzzles of one game, one after the other."""

    def __init__(self, stage: Stage, puzzles: Sequence[Puzzle], place: int, services: Services) -> None:
        """:param puzzles: of one game; at least one.
        :param place: of the first to be solved.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        :raises papan.game.puzzles.PuzzleError: the puzzle makes no sense.
        """
        self._puzzles = puzzles
        self._services = services
        self.place = place
        """The place of the puzzle among them."""
        super().__init__(stage, GAMES[puzzles[place].game], Puzzling(puzzles[place], services.replayer))

    @property
    def puzzling(self) -> Puzzling:
        """The puzzle on the board."""
        assert isinstance(self.trial, Puzzling)
        return self.trial

    def seat_in_front(self, view: BoardView) -> int | None:
        return self.trial.seat

    def _new_view(self) -> None:
        super()._new_view()
        self.view.shows_all_hands = True  # a puzzle hides nothing

    @property
    def header_pill(self) -> str:
        solved = self.stage.settings.solved_puzzles_of(self.game.name)
        number = sum(puzzle.digest in solved for puzzle in self._puzzles)
        return _("{number} of {count} · {solved} solved").format(
            number=self.place + 1, count=len(self._puzzles), solved=number
        )

    @property
    def note(self) -> str:
        if self.puzzling.puzzle.digest in self.stage.settings.solved_puzzles_of(self.game.name):
            return self._with_options(_("A puzzle, solved: one turn is right, proved"))
        return self._with_options(_("A puzzle: one turn is right, and that is proved"))

    @property
    def short_note(self) -> str:
        return self._with_options(_("A puzzle"))

    def _with_options(self, note: str) -> str:
        """*note*, and the puzzle's options that are not the usual ones: what is right depends on them."""
        options = self.puzzling.puzzle.options
        told = [
            f"{translated(option.title)}: {translated(option.words(options[name]))}"
            for name, option in self.game.options.items()
            if name in options
        ]
        return " · ".join([note, *told])

    def name_of(self, seat: int) -> str:
        return _("You") if seat == self.trial.seat else _("Player {number}").format(number=seat + 1)

    def said(self) -> Said:
        return said_of(self.puzzling)

    # -------------------------------------------------------------------------------------- building

    def build(self) -> None:
        self.title = titled(self._puzzles[self.place], self.place + 1)
        super().build()

    def _add_buttons(self) -> None:
        add = self.widgets.add
        self._hint = add(Button(_("Hint"), self.hint, icon="hint", name="hint"))
        self._show = add(Button(_("Show it"), self.show_right, icon="eye", name="show"))
        self._again = add(Button(_("Start again"), self.try_again, icon="undo", name="again"))
        self._previous = add(Button(_("Previous"), self._go_back, sign="previous", name="previous"))
        self._next = add(Button(_("Next"), self._go_on, sign="next", kind="primary", name="next"))
        self._list = add(Button(_("All puzzles"), self.back_to_list, sign="library", name="list"))
        self._grid = ((self._hint, self._show), (self._again, self._list), (self._previous, self._next))

    def _state_seen(self) -> object:
        puzzling = self.puzzling
        return (
            super()._state_seen(),
            puzzling.hinted,
            puzzling.is_found,
            puzzling.wins_later,
            puzzling.trouble,
            self.place,
        )

    def _bring_in_line(self) -> None:
        puzzling = self.puzzling
        if puzzling.is_solved:
            self.stage.settings.mark_solved(self.game.name, puzzling.puzzle.digest)
        self._hint.enable(puzzling.can_hint)
        self._show.enable(puzzling.stage not in (SHOWING, OVER) and not puzzling.is_found)
        self._again.enable(puzzling.has_begun)
        self._previous.enable(self.place > 0)
        self._next.relabel(_("Done") if self.place == len(self._puzzles) - 1 else _("Next"))

    # ------------------------------------------------------------------------------------------ time

    def update(self, seconds: float) -> None:
        self.puzzling.pass_time(seconds)
        super().update(seconds)

    def picture(self) -> Picture:
        return replace(super().picture(), hint=self.puzzling.hint_cells)

    # ---------------------------------------------------------------------------------------- acting

    def hint(self) -> None:
        """Give away a little more of the right turn: the piece first, then the turn."""
        self.puzzling.give_hint()
        self._refresh()

    def try_again(self) -> None:
        self._begin(self.puzzling.try_again)

    def show_right(self) -> None:
        """Have the right turn played."""
        if self._show.is_enabled:
            self._begin(self.puzzling.show_right)

    def _point(self, cell: int) -> None:
        if self.puzzling.stage == WRONG and self.trial.showing is None:
            self.puzzling.take_back()  # who points at something else has seen it
            self._refresh()
        super()._point(cell)

    def _go_on(self) -> None:
        if self.place == len(self._puzzles) - 1:
            self.back_to_list()
        else:
            self._go_to(self.place + 1)

    def _go_back(self) -> None:
        if self.place > 0:
            self._go_to(self.place - 1)

    def _go_to(self, place: int) -> None:
        self.place = place
        self._take_up(Puzzling(self._puzzles[place], self._services.replayer))

    def back_to_list(self) -> None:
        """Leave the board."""
        self.stage.pop(self)

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            *super().shortcuts(),
            Shortcut("H", _("a hint: the piece, then the turn"), self.hint),
            Shortcut("S", _("show the right turn"), self.show_right),
            Shortcut("N", _("next puzzle"), self._go_on),
            Shortcut("P", _("previous puzzle"), self._go_back),
        ]
