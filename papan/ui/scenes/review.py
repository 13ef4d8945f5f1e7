"""The review: a match looked through turn by turn, with the findings of a search on each, drawn as charts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pygame

from papan.game.match import Match
from papan.game.match.library import Origin
from papan.ui.boards import BoardView, Moving, Picture, board_of
from papan.ui.drawing.theme import MARGIN, Colour, mix
from papan.ui.play.playback import Playback
from papan.ui.play.review_task import ReviewTask
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.scenes import Stage
from papan.ui.scenes.header import HeaderScene
from papan.ui.scenes.record_copy import copy_record
from papan.ui.scenes.review_charts import ReviewCharts
from papan.ui.scenes.review_picture import Content, PictureError, PictureSaving, chart_rects
from papan.ui.scenes.review_words import ReviewWords, Tone
from papan.ui.scenes.services import ALONE, Services
from papan.ui.texts import _, translated
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.chart import Chart
from papan.ui.widgets.figure import Figure
from papan.ui.widgets.slider import Slider, jump
from papan.ui.widgets.still_board import StillBoard

_TOP = 70
_PANEL_GAP = 14
_LEFT_SHARE = 0.345
_LEFT_BOUNDS = (330, 640)
_BAR_HEIGHT = 54
_BUTTON = 34
_PADDING = 16
_LINES = 2
_LOW_BELOW = 560
"""The height of the left column below which its figures are lower."""
_FIGURE_HEIGHT, _LOW_FIGURE_HEIGHT = 56, 46
_WORKING_SECONDS = 0.1
_REFRESH_SECONDS = 0.25
_REFRESH_A_TURN = 0.0008
"""Seconds a turn of the match between two drawings of the charts: those of long matches are drawn less often."""


class ReviewScene(HeaderScene):
    """A finished match, or one that goes on, as far as it was played."""

    def __init__(
        self,
        stage: Stage,
        match: Match,
        viewer: int | None = None,
        services: Services = ALONE,
        number: int | None = None,
    ) -> None:
        """:param viewer: the seat that sees an unfinished match with hidden cards; default: nobody.
        :param number: of the match in the library, where it is known.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        super().__init__(stage)
        self._services = services
        self._number = number
        self.game = match.game
        self.reviewed = ReviewedMatch(match, viewer)
        self.view = self._new_view()
        self.playback = Playback(self.reviewed, self.view.duration, lambda: stage.animation_speed)
        self.playback.go_to(self.reviewed.turns)
        self.words = ReviewWords(self.reviewed)
        self.review_charts = ReviewCharts(self.reviewed, self.words, self.view)
        self.task = ReviewTask(self.reviewed.match, services.reviewer)
        self.title = _("Review")
        self._board_panel = pygame.Rect(0, 0, 0, 0)
        self._card = pygame.Rect(0, 0, 0, 0)
        self._bar = pygame.Rect(0, 0, 0, 0)
        self._since_refresh = 0.0
        self._was_working = True
        self._stale: list[int] = []
        """The indices of the charts that don't show the latest findings yet."""
        self._savings: list[PictureSaving] = []
        """The pictures that are being made."""

    def _new_view(self) -> BoardView:
        view = board_of(self.reviewed.match.game, self.stage.paint)
        view.seat_in_front = self.reviewed.only_person
        view.shows_all_hands = self.reviewed.is_open
        return view

    # ------------------------------------------------------------------------------- building

    def build(self) -> None:
        super().build()
        self.title = _("Review")
        add, most = self.widgets.add, self.reviewed.turns
        self._board = add(StillBoard(self.view, self.picture, self._turn_by_wheel))
        self._figures = [add(Figure(f"figure {index}", *said)) for index, said in enumerate(self.words.figures())]
        self._charts = [add(Chart(name, self.go_to)) for name in ("better", "hold", "ride")]
        self._first = add(IconButton("first", _("To the start"), lambda: self.go_to(0), name="first"))
        self._previous = add(IconButton("previous", _("Turn back"), self._go_back, name="previous"))
        self._play = add(IconButton("play", _("Play by itself, or stop"), self._play_or_stop, name="play"))
        self._next = add(IconButton("next", _("Next turn"), self._go_forward, name="next"))
        self._last = add(IconButton("last", _("To the end"), lambda: self.go_to(most), name="last"))
        self._slider = add(Slider("slider", most, self.go_to))
        self._save = add(Button(_("Save picture"), self._save_picture, name="save"))
        self._copy = add(Button(_("Copy record"), self._copy_record, name="copy"))
        self._branch = add(Button(_("Play on from here"), self._play_on, kind="primary", name="branch"))
        self.widgets.shortcuts = self._shortcut
        self.widgets.focus(self._slider, by_keyboard=False)
        self._show_turn()
        for index in range(len(self._charts)):
            self._show_chart(index)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        margin, gap = px(MARGIN), px(_PANEL_GAP)
        right = area.right - margin
        for button in (self._branch, self._copy, self._save):
            size = button.natural_size
            button.place(pygame.Rect(right - size[0], px(14), *size))
            right -= size[0] + px(8)
        self._bar = pygame.Rect(margin, 0, area.w - 2 * margin, px(_BAR_HEIGHT))
        self._bar.bottom = area.bottom - px(16)
        self._place_transport()
        top, bottom = px(_TOP), self._bar.y - gap
        least, most = (px(bound) for bound in _LEFT_BOUNDS)
        width = min(most, max(least, round(area.w * _LEFT_SHARE)))
        self._place_left(pygame.Rect(margin, top, width, bottom - top))
        left = margin + width + px(20)
        for chart, rect in zip(
            self._charts,
            chart_rects(pygame.Rect(left, top, area.right - margin - left, bottom - top), gap),
            strict=True,
        ):
            chart.place(rect)

    def _place_left(self, column: pygame.Rect) -> None:
        """Stand the board in *column*, as large as can be, and below it the card of the turn."""
        px, gap = self.px, self.px(_PANEL_GAP)
        figure_height = px(_LOW_FIGURE_HEIGHT if column.h < px(_LOW_BELOW) else _FIGURE_HEIGHT)
        lines = _LINES * self.paint.line_height("text")
        height = px(44) + lines + px(10) + 2 * figure_height + px(8) + px(_PADDING)
        self._card = pygame.Rect(column.x, column.bottom - height, column.w, height)
        self._board_panel = pygame.Rect(column.x, column.y, column.w, self._card.y - gap - column.y)
        self._board.place(self._board_panel.inflate(-2 * px(10), -2 * px(10)))
        inner = self._card.inflate(-2 * px(_PADDING), 0)
        width = (inner.w - px(8)) // 2
        for index, figure in enumerate(self._figures):
            row, number = divmod(index, 2)
            top = self._card.bottom - px(_PADDING) - figure_height - (1 - row) * (figure_height + px(8))
            figure.place(pygame.Rect(inner.x + number * (width + px(8)), top, width, figure_height))

    def _place_transport(self) -> None:
        px, bar = self.px, self._bar
        left = bar.x + px(14)
        for button in (self._first, self._previous, self._play, self._next, self._last):
            button.place(pygame.Rect(left, bar.centery - px(_BUTTON) // 2, px(_BUTTON), px(_BUTTON)))
            left += px(_BUTTON + 10)
        counted = self.paint.width(self._turn_number(self.reviewed.turns), "label") + px(12)
        width = bar.right - px(16) - counted - px(14) - (left + px(2))
        self._slider.place(pygame.Rect(left + px(2), bar.centery - px(17), width, px(34)))

    # --------------------------------------------------------------------------------- time

    def enter(self) -> None:
        if not self.task.has_begun:
            self.task.start()

    def leave(self) -> None:
        self.task.stop()
        for saving in self._savings:
            self._tell_of_picture(saving.finish())

    @property
    def is_animating(self) -> bool:
        return self.playback.showing is not None

    @property
    def idle_seconds(self) -> float:
        if self._savings:
            return 0.0
        if self.playback.is_playing:
            return min(self.playback.pause, _WORKING_SECONDS)
        return _WORKING_SECONDS if self._was_working else super().idle_seconds

    def update(self, seconds: float) -> None:
        before = self.playback.turn, self.playback.is_playing
        if self.playback.update(seconds):
            self.invalidate()
        if before != (self.playback.turn, self.playback.is_playing):
            self._show_turn()
        self._since_refresh += seconds
        is_due = self._since_refresh >= max(_REFRESH_SECONDS, _REFRESH_A_TURN * self.reviewed.turns)
        if self._was_working and (is_due or not self.task.is_working):
            self._since_refresh = 0.0
            self._was_working = self.task.is_working
            self.words.review, self.words.trouble = self.task.review, translated(self.task.trouble)
            self._stale = list(range(len(self._charts)))
            self._show_turn()
        if self._stale and self.playback.showing is None:
            self._show_chart(self._stale.pop(0))  # one a frame: drawing one takes as long as some frames
        if self._savings and self._tell_of_picture(self._savings[0].go_on()):
            del self._savings[0]

    # ------------------------------------------------------------------------------ showing

    @property
    def turn(self) -> int:
        """The turn shown."""
        return self.playback.turn

    def _show_chart(self, index: int) -> None:
        """Bring the chart of this index in line with the findings."""
        progress = self.words.progress(self._was_working) if index == 0 else ""
        self._charts[index].show_graph(self.review_charts.graph(index, progress))

    def _show_turn(self) -> None:
        """Bring the widgets in line with the turn shown."""
        turn = self.turn
        self._slider.show_value(turn)
        for chart in self._charts:
            chart.show_turn(turn)
        for figure, value in zip(self._figures, self.words.values(turn), strict=True):
            figure.show_value(value)
        for button in (self._first, self._previous):
            button.enable(turn > 0)
        for button in (self._next, self._last):
            button.enable(not self.playback.is_at_end)
        self._play.relabel("", "pause" if self.playback.is_playing else "play")
        self._play.enable(self.reviewed.turns > 0)
        self._branch.enable(self.reviewed.can_branch(turn) and self._services.go_on_with is not None)
        self.invalidate()

    def picture(self) -> Picture:
        """The picture that the board shows now."""
        showing, reviewed = self.playback.showing, self.reviewed
        if showing is not None:
            before, after = reviewed.visible_state(showing.index), reviewed.visible_state(showing.index + 1)
            moving = Moving(before, reviewed.steps[showing.index], after, min(1.0, showing.progress))
            return Picture(before, moving=moving)
        return Picture(reviewed.visible_state(reviewed.stops[self.turn].end), last=reviewed.last_cells(self.turn))

    def draw(self, surface: pygame.Surface) -> None:
        room = self._save.rect.x - self.px(14)
        self.draw_header(surface, self._pill(room), room)
        for panel in (self._board_panel, self._card, self._bar):
            self.paint.panel(surface, panel)
        self._draw_card(surface)
        at = (self._bar.right - self.px(16), self._bar.centery)
        counted = self._turn_number(self.turn)
        self.paint.text(surface, counted, at, "label", self.theme.second, anchor="midright", tabular=True)

    def _pill(self, right: int) -> str:
        """The text of the pill: the match, in as many words as have room up to *right*."""
        room = right - self.px(74 + 14 + 24) - self.paint.width(self.title, "title")
        full = self.reviewed.subtitle()
        return full if self.paint.width(full, "small strong") <= room else self.reviewed.short_subtitle()

    def _turn_number(self, turn: int) -> str:
        """The number of *turn* and that of the last, such as "14 / 52"."""
        return f"{turn} / {self.reviewed.turns}"

    def _draw_card(self, surface: pygame.Surface) -> None:
        px, paint, theme, card = self.px, self.paint, self.theme, self._card
        left, middle, right = card.x + px(_PADDING), card.y + px(24), card.right - px(_PADDING)
        title, signs = self.words.title(self.turn), self.words.signs(self.turn)

        def room() -> int:
            return right - left - sum(paint.width(sign.text, "small strong") + px(28) for sign in signs)

        while len(signs) > 1 and room() < paint.width(title, "strong"):
            signs.pop()
        rect = paint.text(surface, title, (left, middle), "strong", anchor="midleft", width=max(px(90), room()))
        for sign in signs:
            fill, ink = self._tones(sign.tone)
            at = (rect.right + px(8), middle)
            if right - at[0] > px(48):
                rect = paint.pill(surface, sign.text, at, fill=fill, ink=ink, width=right - at[0])
        area = pygame.Rect(left, card.y + px(42), right - left, 0)
        sentence = self.words.sentence(self.turn)
        paint.paragraph(surface, sentence, area, "text", theme.second, most_lines=_LINES)

    def _tones(self, tone: Tone) -> tuple[Colour, Colour]:
        """The ground and the ink of a sign."""
        theme = self.theme
        if tone == "plain":
            return theme.accent_soft, theme.accent
        ink = theme.bad_ink if tone == "bad" else theme.good_ink
        return mix(theme.panel, ink, 0.12), ink

    # ------------------------------------------------------------------------------- acting

    def go_to(self, turn: int) -> None:
        """Show the match as it was after *turn*."""
        self.playback.stop()
        self.playback.go_to(turn)
        self._show_turn()

    def _go_back(self) -> None:
        self.go_to(self.turn - 1)

    def _go_forward(self) -> None:
        self.playback.stop()
        if not self.playback.is_at_end:
            self.playback.forward()
        self._show_turn()

    def _turn_by_wheel(self, turns: int) -> None:
        self.go_to(self.turn + turns)

    def _play_or_stop(self) -> None:
        if self.playback.is_playing:
            self.playback.stop()
        elif self.reviewed.turns:
            self.playback.play()
        self._show_turn()

    def _shortcut(self, event: pygame.event.Event) -> bool:
        """Act on a key that means the same wherever the focus is; True if it is one."""
        if event.mod & (pygame.KMOD_CTRL | pygame.KMOD_ALT | pygame.KMOD_META):
            return False
        if event.key == pygame.K_SPACE:
            is_on_button = self.widgets.shows_focus and isinstance(self.widgets.focused, Button)
            if not is_on_button:
                self._play_or_stop()
            return not is_on_button
        if event.key == pygame.K_RIGHT:
            self._go_forward()
            return True
        target = jump(self.turn, self.reviewed.turns, event.key)
        if target is not None:
            self.go_to(target)
        return target is not None

    def _save_picture(self) -> None:
        """Begin to save a picture of board and charts: in a moment it is said where."""
        graphs = [self.review_charts.graph(index) for index in range(len(self._charts))]
        note = self.words.title(self.turn), self.words.sentence(self.turn)
        shown = Picture(
            self.reviewed.visible_state(self.reviewed.stops[self.turn].end), last=self.reviewed.last_cells(self.turn)
        )
        played = _("played on {date}").format(date=self.reviewed.match.date.isoformat())
        title = _("Papan review"), f"{self.reviewed.subtitle()} · {played}"
        content = Content(self._new_view(), shown, graphs, self.turn, title, note)
        self._savings.append(PictureSaving(self.paint, self.reviewed.match.game, content))

    def _tell_of_picture(self, outcome: Path | PictureError | None) -> bool:
        """Say what became of a picture; False where that is not known yet."""
        if isinstance(outcome, PictureError):
            self.stage.notify(_("The picture can't be saved: {reason}").format(reason=outcome))
        elif outcome is not None:
            self.stage.notify(_("Saved as {path}").format(path=outcome))
        return outcome is not None

    def _copy_record(self) -> None:
        copy_record(self.stage, self.reviewed.match)

    def _play_on(self) -> None:
        """Begin a match of the same seats from the turn shown; the one reviewed stays as it is."""
        services = self._services
        if self._number is not None and services.branch_off is not None:
            services.branch_off(self.reviewed.branch(self.turn), Origin(self._number, self.reviewed.common(self.turn)))
        elif services.go_on_with is not None:
            services.go_on_with(self.reviewed.branch(self.turn))

    def handle(self, event: pygame.event.Event) -> bool:
        if event.type == pygame.KEYDOWN and event.mod & (pygame.KMOD_CTRL | pygame.KMOD_META):
            act = {pygame.K_c: self._copy_record, pygame.K_s: self._save_picture}.get(event.key)
            if act:
                act()
            return act is not None
        return False

    def keys(self) -> Sequence[tuple[str, str]]:
        return [
            ("←  →", _("turn back, next turn")),
            (_("Home  End"), _("to the start, to the end")),
            (_("PgUp  PgDn"), _("a tenth of the match back, on")),
            (_("Space"), _("play by itself, or stop")),
            ("Ctrl+S", _("save a picture")),
            ("Ctrl+C", _("copy the record")),
        ]
