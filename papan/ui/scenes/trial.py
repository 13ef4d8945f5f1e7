"""A board to try a turn at, and beside it what is said of that and a few buttons: for exercises and for puzzles."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from papan.game.facts import Game
from papan.ui.boards import BoardView, Moving, Picture, board_of
from papan.ui.drawing.theme import GAP, MARGIN
from papan.ui.play.trial import Trial
from papan.ui.scenes import IDLE_SECONDS, Stage
from papan.ui.scenes.header import HeaderScene
from papan.ui.scenes.review_board import draw_exercise_frame
from papan.ui.scenes.review_coach import tone_ink
from papan.ui.scenes.review_words import Tone
from papan.ui.scenes.table_choices import TableChoices
from papan.ui.texts import _, translated
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.buttons import Button

_TOP = 68
_SIDE, _SIDE_BOUNDS = 0.3, (330, 440)
PADDING = 18
_NOTE_HEIGHT = 44
_BUTTON_GAP = 8
_BODY_LINES = 8
_AWAITING_SECONDS = 0.05
HEAD_HEIGHT = 54
"""What stands above the words, where anything does, in the sketches' pixels."""


@dataclass(frozen=True)
class Said:
    """All that is said beside the board."""

    whose: str
    heading: str
    body: str
    """With ``**`` around notations."""
    tone: Tone = "plain"


class TrialScene(HeaderScene):
    """A scene about one trial at a time; what it says, and its buttons, are the subclass's."""

    def __init__(self, stage: Stage, game: Game, trial: Trial) -> None:
        """:raises papan.ui.boards.BoardError: the game's board can't be shown."""
        super().__init__(stage)
        self.game: Game = game
        self.trial = trial
        self.refusal = ""
        """Why what was pointed at last makes no turn, in a sentence."""
        self._progress = 0.0
        self._seen: object = None
        self._grid: Sequence[Sequence[Button]] = ()
        """The buttons below the words, row by row."""
        self._board_panel = self._side = self._note = pygame.Rect(0, 0, 0, 0)
        self._new_view()

    def _new_view(self) -> None:
        self.view: BoardView = board_of(self.game, self.stage.paint)
        self.view.seat_in_front = self.seat_in_front(self.view)

    # ---------------------------------------------------------------------------- the subclass's own

    @abstractmethod
    def seat_in_front(self, view: BoardView) -> int | None:
        """The seat to whose side *view*, the board, is turned."""

    @property
    @abstractmethod
    def header_pill(self) -> str:
        """What stands beside the title."""

    @property
    @abstractmethod
    def note(self) -> str:
        """What stands above the board."""

    @abstractmethod
    def said(self) -> Said:
        """What is said beside it now."""

    @abstractmethod
    def _add_buttons(self) -> None:
        """Add the buttons, and set the grid of those below the words."""

    @abstractmethod
    def _bring_in_line(self) -> None:
        """Bring the buttons in line with the trial, which has changed."""

    @property
    def _has_head(self) -> bool:
        """Whether anything stands above the words."""
        return False

    # -------------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self._new_view()
        self._board = self.widgets.add(BoardWidget(self.view, self.picture, self._point, self._point_by_arrow))
        self._add_buttons()
        self._choices = TableChoices(self.widgets, self._board, self.view, self.trial)
        self.widgets.focus(self._board, by_keyboard=False)
        self._seen = None
        self._refresh()

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        margin, gap = px(MARGIN), px(GAP)
        width = round(min(px(_SIDE_BOUNDS[1]), max(px(_SIDE_BOUNDS[0]), area.w * _SIDE)))
        top, bottom = px(_TOP), area.bottom - px(16)
        self._side = pygame.Rect(area.right - margin - width, top, width, bottom - top)
        self._board_panel = pygame.Rect(margin, top, self._side.x - gap - margin, bottom - top)
        self._note = pygame.Rect(self._board_panel.x, self._board_panel.y, self._board_panel.w, px(_NOTE_HEIGHT))
        inner = self._board_panel.inflate(-2 * px(16), -2 * px(14))
        inner.h -= self._note.bottom - inner.y
        inner.y = self._note.bottom
        self._place_side()
        self._choices.place(inner)

    def _place_side(self) -> None:
        px, inner = self.px, self._side.inflate(-2 * self.px(PADDING), -2 * self.px(PADDING))
        gap, height = px(_BUTTON_GAP), px(40)
        half = (inner.w - gap) // 2
        top = inner.bottom - len(self._grid) * (height + gap) + gap
        for row, buttons in enumerate(self._grid):
            for column, button in enumerate(buttons):
                left = inner.x + column * (half + gap)
                button.place(pygame.Rect(left, top + row * (height + gap), half, height))

    # ------------------------------------------------------------------------------------------ time

    def leave(self) -> None:
        self.trial.close()

    @property
    def is_animating(self) -> bool:
        return self.trial.showing is not None

    @property
    def idle_seconds(self) -> float:
        return _AWAITING_SECONDS if self.trial.awaits else IDLE_SECONDS

    def update(self, seconds: float) -> None:
        self.trial.tick()
        showing = self.trial.showing
        if showing is not None:
            speed = self.stage.animation_speed
            duration = self.view.duration(showing.before, showing.step, showing.after)
            self._progress = min(1.0, self._progress + (seconds * speed / duration if duration and speed else 1.0))
            if self._progress == 1.0:
                self._finish_showing()
        self._refresh()

    def _finish_showing(self) -> None:
        self._progress = 0.0
        self.trial.finish_showing()
        self.invalidate()

    def _state_seen(self) -> object:
        """What the widgets depend on."""
        trial = self.trial
        turn = trial.turn
        return trial.stage, trial.showing, trial.hint, turn.pointed, turn.due, len(trial.match.steps), self.refusal

    def _refresh(self) -> None:
        """Bring the widgets in line with the trial, if it has changed."""
        seen = self._state_seen()
        if seen == self._seen:
            return
        self._seen = seen
        self._bring_in_line()
        self._choices.offer()
        self.invalidate()

    # --------------------------------------------------------------------------------------- showing

    def picture(self) -> Picture:
        """The picture that the board shows now."""
        trial = self.trial
        shown = trial.showing
        if shown is not None:
            before, after = trial.visible_state(shown.before), trial.visible_state(shown.after)
            return Picture(before, moving=Moving(before, shown.step, after, min(1.0, self._progress)))
        shows_targets = trial.person_is_due and self.stage.settings.show_legal_steps
        return Picture(
            trial.visible_state(trial.match.state),
            targets=trial.turn.targets() if shows_targets else frozenset(),
            chosen=trial.turn.pointed[0] if trial.turn.pointed else None,
            last=trial.tried_cells,
        )

    def draw(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.px
        self.draw_header(surface, self.header_pill, self.area.right - px(MARGIN))
        for panel in (self._board_panel, self._side):
            paint.panel(surface, panel)
        draw_exercise_frame(paint, surface, self._board_panel)
        at = (self._note.x + px(16), self._note.centery)
        width = self._note.w - 2 * px(16)
        paint.pill(surface, self.note, at, fill=theme.accent_soft, ink=theme.accent, width=width, icon="info")
        self._draw_words(surface)

    def _draw_words(self, surface: pygame.Surface) -> None:
        paint, theme, px = self.paint, self.theme, self.px
        inner = self._side.inflate(-2 * px(PADDING), -2 * px(PADDING))
        top = inner.y + (px(HEAD_HEIGHT) if self._has_head else 0)
        said = self.said()
        style = self.view.seat_style(self.trial.match.state, self.trial.seat)
        paint.badge(surface, (inner.x + px(12), top + px(12)), px(12), style)
        whose = (inner.x + px(34), top + px(12))
        paint.text(surface, said.whose, whose, "small", theme.second, anchor="midleft", width=inner.w - px(34))
        top += px(38)
        heading = pygame.Rect(inner.x, top, inner.w, 0)
        ink = tone_ink(paint, said.tone)
        top += paint.paragraph(surface, said.heading, heading, "heading", ink, most_lines=3) + px(8)
        room = max(1, (self._grid[0][0].rect.y - px(12) - top) // paint.line_height("text"))
        lines = min(_BODY_LINES, room)
        if self.refusal:
            refusal = pygame.Rect(inner.x, top, inner.w, 0)
            paint.paragraph(surface, translated(self.refusal), refusal, "text", theme.bad_ink, most_lines=lines)
            return
        paint.paragraph(surface, said.body, pygame.Rect(inner.x, top, inner.w, 0), "text", theme.ink, most_lines=lines)

    # ---------------------------------------------------------------------------------------- acting

    def _cut_short(self) -> bool:
        """End the showing of a step; returns whether one was shown."""
        had_more = self.trial.showing is not None
        if had_more:
            self._finish_showing()
        return had_more

    def _point(self, cell: int) -> None:
        if not self._cut_short():
            self.refusal = self.trial.point(cell) or ""
            self._refresh()

    def _point_by_arrow(self, cell: int) -> None:
        while self.trial.showing is not None:
            self._finish_showing()
        self._point(cell)

    def _begin(self, begin: Callable[[], object]) -> None:
        """Set something else up, with the keyboard at the board."""
        self.refusal, self._progress = "", 0.0
        begin()
        self.widgets.focus(self._board, by_keyboard=self.widgets.shows_focus)
        self._refresh()

    def _take_up(self, trial: Trial) -> None:
        """Have another trial on the board."""
        self.trial.close()
        self.refusal, self._progress = "", 0.0
        self.trial = trial
        self.stage.rebuild(self)

    def back(self) -> None:
        if self.trial.person_is_due and self.trial.turn.pointed:
            self.trial.turn.let_go()
            self._refresh()
        else:
            self.stage.pop(self)

    @property
    @abstractmethod
    def _acts(self) -> dict[int, Callable[[], object]]:
        """What bare keys do."""

    @abstractmethod
    def try_again(self) -> None:
        """Set the position up again."""

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type != pygame.KEYDOWN:
            return False
        if event.key in (pygame.K_RETURN, pygame.K_SPACE) and self._cut_short():
            return True
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            if event.key != pygame.K_z:
                return False
            self.try_again()
            return True
        act = self._acts.get(event.key)
        if act is not None:
            act()
            return True
        return self._choices.key(event.key)

    def keys(self) -> Sequence[tuple[str, str]]:
        plays_by_arrow = self.view.cell_of_arrow("up") is not None
        return [
            (_("Arrows"), _("play") if plays_by_arrow else _("move over the board")),
            (_("Enter"), _("choose the cell")),
            ("1 … 9, 0", _("choose what is offered by name")),
            ("R  Ctrl+Z", _("try again")),
        ]
