"""Why this move: the terms of each candidate as bars, with sliders for the weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from papan.ai.limits import Analysis
from papan.ai.players import describe
from papan.game.presentation import cells_in_words
from papan.ui.boards import Picture
from papan.ui.drawing.theme import FIELD_HEIGHT, GAP, MARGIN, TextStyle
from papan.ui.play.reasons import Reasons
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.turn_names import joined_turns
from papan.ui.scenes import HEADER_HEIGHT, HeaderScene, News, Stage
from papan.ui.scenes.playing import reviewed_board
from papan.ui.scenes.services import ALONE, Services
from papan.ui.scenes.why.table import WhyTable
from papan.ui.scenes.why.words import reason_in_words
from papan.ui.texts import _, translated
from papan.ui.texts.manner import tells_details
from papan.ui.texts.wording import Scores
from papan.ui.widgets.board import StillBoard
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.dropdown import Dropdown, Item
from papan.ui.widgets.shortcuts import Shortcut

_SIDE_SHARE, _SIDE_BOUNDS = 0.27, (272, 420)
"""The share of the width for the column of board and controls."""
_PADDING = 16
_BUTTON = 36
_LABEL = 22
_BOARD_NARROW = 232
_CONTROLS = 196
_REASON_LINES, _NARROW_REASON_LINES, _REASON_PADDING = 2, 3, 12
_LEAST_REASON_PADDING = 5
"""Above and below a reason that needs more lines, in smaller letters."""
_WORKING_SECONDS = 0.03


class WhyScene(HeaderScene):
    """The decisions of one match, each judged by a player whose evaluation consists of named terms."""

    def __init__(
        self,
        stage: Stage,
        reviewed: ReviewedMatch,
        services: Services = ALONE,
        index: int | None = None,
        suggested: Analysis | None = None,
    ) -> None:
        """:param index: the state of the first decision shown; default: the last decision that can be explained.
        :param suggested: what the hint or the analysis says about the match's last position.

        :raises papan.ui.boards.BoardError: the game's board can't be shown.
        """
        super().__init__(stage)
        self.game = reviewed.match.game
        self.reviewed = reviewed
        self.reasons = Reasons(reviewed, services.replayer, index, suggested)
        self._scores = Scores(self.game)
        self.view = reviewed_board(reviewed, self.paint)
        self._frames_before: int | None = None
        """The frames drawn when the scene was entered, until the first question."""
        self._has_begun = False
        self._first = 0

    def build(self) -> None:
        super().build()
        self.title = _("Why this move?")
        self.view = reviewed_board(self.reviewed, self.paint)
        self.reasons.forget_names()
        add, reasons = self.widgets.add, self.reasons
        in_words = partial(cells_in_words, self.reviewed.match.game)
        self._board = add(StillBoard(self.view, self.picture, self.go, in_words))
        choices = [describe(judge.name, self.reviewed.match.game) for judge in reasons.judges]
        items = [Item(choice.name, translated(choice.label), translated(choice.note)) for choice in choices]
        judge = reasons.judge.name if reasons.judge else ""
        self._judge = add(Dropdown(items, judge, self._choose_judge, name="judge"))
        self._judge.beside = _("Judged by")
        self._previous = add(IconButton("previous", _("Previous decision"), partial(self.go, -1), name="previous"))
        self._next = add(IconButton("next", _("Next decision"), partial(self.go, 1), name="next"))
        self._better = add(IconButton("previous", _("Show better moves"), partial(self.leaf, -1), name="better"))
        self._worse = add(IconButton("next", _("Further candidates"), partial(self.leaf, 1), name="worse"))
        label, tooltip = _("Reset weights"), _("Back to the player's own weights")
        self._usual = add(Button(label, self.reset_weights, icon="undo", name="reset weights", tooltip=tooltip))
        self.table = WhyTable(self.paint, self.widgets, reasons, self._scores)
        self.table.first = self._first
        self._show()

    def page_height(self, width: int) -> int:
        px = self.px
        table, side = self._widths(width)
        if self.is_narrow(width):
            high = px(_BOARD_NARROW + 2 * GAP) + self._reason_height(width) + self.table.natural_height(table)
        else:
            high = max(self._reason_height(width) + px(GAP) + self.table.natural_height(table), side + px(_CONTROLS))
        return px(HEADER_HEIGHT + 8) + high + self._note_height(table)

    def _widths(self, width: int) -> tuple[int, int]:
        """Return the widths of the table, and of the column next to it or the board above it."""
        px, room = self.px, width - 2 * self.px(MARGIN)
        if self.is_narrow(width):
            return room, px(_BOARD_NARROW)
        side = self.share(room, _SIDE_SHARE, _SIDE_BOUNDS)
        return room - side - px(GAP), side

    def _reason_height(self, width: int) -> int:
        """Return the height of the panel with the reason on a page of *width*, above the table."""
        lines = _NARROW_REASON_LINES if self.is_narrow(width) else _REASON_LINES
        return lines * self.paint.line_height("text") + 2 * self.px(_REASON_PADDING)

    def _note_height(self, width: int) -> int:
        longest = f"{self.note} " + _("Papan judges the position after the expected moves.")
        return self.paint.paragraph_height(longest, width, "small") + self.px(8)

    def layout(self, area: pygame.Rect) -> None:
        super().layout(area)
        px = self.px
        left, top = px(MARGIN), px(HEADER_HEIGHT)
        table, side = self._widths(area.w)
        height = self.table.natural_height(table)
        if self.is_narrow(area.w):
            self.side = pygame.Rect(left, top, area.w - 2 * left, px(_BOARD_NARROW))
            self._place_side(pygame.Rect(left, top, px(_BOARD_NARROW), px(_BOARD_NARROW)), self.side)
            self._reason = pygame.Rect(left, self.side.bottom + px(GAP), table, self._reason_height(area.w))
        else:
            self._reason = pygame.Rect(left + side + px(GAP), top, table, self._reason_height(area.w))
            foot = area.bottom - px(8) - self._note_height(table) - px(8)
            below = self._reason.bottom + px(GAP)
            height = max(height, top + side + px(_CONTROLS) - below, min(foot - below, self.table.most_height(table)))
            self.side = pygame.Rect(left, top, side, below + height - top)
            self._place_side(pygame.Rect(left, top, side, side), self.side)
        self.table.place(pygame.Rect(self._reason.x, self._reason.bottom + px(GAP), table, height))
        head = self.table.head
        self._usual.place(pygame.Rect(head.x, head.y, min(head.w, self._usual.natural_size[0]), head.h))
        below = self.table.rect.bottom + px(8)
        self._note = pygame.Rect(self.table.rect.x, below, table, self._note_height(table))
        self._show()

    def _place_side(self, board: pygame.Rect, side: pygame.Rect) -> None:
        px = self.px
        pad = px(_PADDING)
        self._board.place(board.inflate(-2 * px(10), -2 * px(10)))
        is_beside = side.w > side.h
        x = board.right + px(4) if is_beside else side.x + pad
        y = side.y + px(12) if is_beside else board.bottom
        width = side.right - pad - x
        self._labels = pygame.Rect(x, y, width, 0)
        self._judge.place(pygame.Rect(x, y + px(_LABEL), width, px(FIELD_HEIGHT)))
        top = self._judge.rect.bottom + px(14)
        for back, on in ((self._previous, self._next), (self._better, self._worse)):
            back.place(pygame.Rect(x, top, px(_BUTTON), px(_BUTTON)))
            on.place(pygame.Rect(x + width - px(_BUTTON), top, px(_BUTTON), px(_BUTTON)))
            top += px(_BUTTON + 10)

    def enter(self) -> None:
        if not self._has_begun:
            self._has_begun, self._frames_before = True, self.stage.frames

    def leave(self) -> None:
        self.reasons.stop()

    @property
    def idle_seconds(self) -> float:
        is_working = self.reasons.inquiry.is_working or self._frames_before is not None
        return _WORKING_SECONDS if is_working else super().idle_seconds

    def update(self, seconds: float) -> None:
        if self._frames_before is not None and self.stage.frames > self._frames_before:
            self._frames_before = None  # the page is on the screen: the search would have slowed down painting it
            self.reasons.ask()
        if self.reasons.tick():
            self._show()

    def _show(self) -> None:
        reasons, answer = self.reasons, self.reasons.answer
        self._reason_in_words = reason_in_words(reasons)
        self._previous.enable(reasons.place > 0)
        self._next.enable(reasons.place < len(reasons.decisions) - 1)
        number = len(answer.why.candidates) if answer else 0
        self._better.enable(self.table.first > 0)
        self._worse.enable(self.table.first + self.table.columns < number)
        self._usual.enable(bool(reasons.weights))
        self._usual.show(tells_details())
        self.invalidate()

    def go(self, places: int) -> None:
        before = self.reasons.judge
        self.reasons.go(places)
        self._first = self.table.first = 0
        if self.reasons.judge != before:
            self.stage.rebuild(self)
        self._show()

    def leaf(self, pages: int) -> None:
        self.table.first = max(0, self.table.first + pages * self.table.columns)
        self.table.shown()
        self._first = self.table.first
        self._show()

    def _choose_judge(self, name: str) -> None:
        self.reasons.choose_judge(name)
        self._first = 0
        self.stage.rebuild(self)

    def reset_weights(self) -> None:
        """Give every term the player's own weight."""
        self.reasons.reset_weights()
        self.table.show_weights()
        self._show()

    def picture(self) -> Picture:
        answer, state = self.reasons.answer, self.reasons.state
        cells: tuple[int, ...] = ()
        if answer is not None:
            cells = tuple(self.reviewed.match.rules.cells(state, answer.why.candidates[0].step))
        return Picture(state, hint=cells)

    def draw(self, surface: pygame.Surface) -> None:
        paint, px = self.paint, self.px
        super().draw(surface)
        paint.panel(surface, self.side)
        at = (self._labels.x + px(2), self._labels.y + px(11))
        paint.text(surface, _("Judged by"), at, "small strong", self.theme.second, anchor="midleft")
        for back, on, ways in (
            (self._previous, self._next, self._decision_in_words()),
            (self._better, self._worse, self._candidates_in_words()),
        ):
            room = on.rect.x - back.rect.right - px(12)
            words = next((way for way in ways if paint.width(way, "small") <= room), ways[-1])
            at = ((back.rect.right + on.rect.x) // 2, back.rect.centery)
            paint.text(surface, words, at, "small", anchor="center", width=room, shrinks=True)
        paint.panel(surface, self._reason)
        words = self._reason_in_words or _("thinking …")
        style: TextStyle = "text"
        inner = self._reason.inflate(-2 * px(_PADDING), -2 * px(_REASON_PADDING))
        if paint.paragraph_height(words, inner.w, style) > inner.h:
            inner, style = self._reason.inflate(-2 * px(_PADDING), -2 * px(_LEAST_REASON_PADDING)), "small"
        paint.paragraph(surface, words, inner, style, most_lines=inner.h // paint.line_height(style))
        self.table.draw(surface)
        paint.paragraph(surface, self.note, self._note, "small", self.theme.second)

    def _decision_in_words(self) -> Sequence[str]:
        """Return which decision is shown, in shorter and shorter forms."""
        reasons = self.reasons
        place, count = reasons.place + 1, len(reasons.decisions)
        words = [_("decision {number} of {count}").format(number=place, count=count), f"{place} / {count}"]
        return [f"{self.reviewed.names[reasons.seat]} · {words[0]}", *words] if len(self.reviewed.names) > 1 else words

    def _candidates_in_words(self) -> Sequence[str]:
        """Return which candidates are shown, in shorter and shorter forms."""
        answer = self.reasons.answer
        if answer is None:
            return [_("thinking …")]
        number, first = len(answer.why.candidates), self.table.first + 1
        last = min(number, self.table.first + self.table.columns)
        words = _("candidates {first} – {last} of {count}").format(first=first, last=last, count=number)
        return [words, f"{first} – {last} / {number}"]

    @property
    def note(self) -> str:
        """How to read the table."""
        judge = self.reasons.judge
        if judge is None or not self.reasons.decisions:
            return _("There is no move to explain yet.")
        how = _("Each bar shows how much one reason adds. The longer the green bars, the better the move.")
        if tells_details():
            how = _("Each bar shows what a term adds: its count times its weight. The largest sum is the best.")
        if judge.depth is None:
            return how
        ahead = _("Papan judges the position after the expected moves.")
        answer = self.reasons.answer
        line = self.reasons.named(answer.why.candidates[0]) if answer is not None else []
        if len(line) < 2:
            return f"{how} {ahead}"
        return f"{how} {ahead} " + _("Expected: {line}").format(line=joined_turns(name.shown for name in line))

    def news(self) -> Sequence[News]:
        return *super().news(), News(self._reason_in_words)

    def shortcuts(self) -> Sequence[Shortcut]:
        return [
            Shortcut("Ctrl+Left", _("previous decision"), partial(self.go, -1), comes_first=True),
            Shortcut("Ctrl+Right", _("next decision"), partial(self.go, 1), comes_first=True),
            Shortcut("Ctrl+PgUp", _("better candidates"), partial(self.leaf, -1), comes_first=True),
            Shortcut("Ctrl+PgDn", _("further candidates"), partial(self.leaf, 1), comes_first=True),
            *([Shortcut("Ctrl+Z", _("reset the weights"), self.reset_weights)] if tells_details() else []),
        ]
