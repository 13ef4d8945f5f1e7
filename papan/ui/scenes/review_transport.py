"""The bar at the foot of a review: walking through the match, or through a line that was not played."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pygame

from papan.ui.drawing.paint import Painter
from papan.ui.play.walk import Walk
from papan.ui.scenes.review_words import ReviewWords
from papan.ui.texts import _
from papan.ui.widgets.base import Widget, Widgets
from papan.ui.widgets.buttons import Button, IconButton
from papan.ui.widgets.choices import Slider, leap
from papan.ui.widgets.shortcuts import Shortcut

_BUTTON = 34
_PADDING = 14
_EDGE = 16
_GAP = 10


class TransportActions(NamedTuple):
    """What the bar has done."""

    go_to: Callable[[int], None]
    """Shows the match as it was after a turn."""
    leave_line: Callable[[], None]
    """Shows the match again, instead of a line."""
    show_turn: Callable[[], None]
    """Brings all that is shown in line with the turn that is walked to."""


class Transport:
    """The controls of a *walk*; they are widgets of the scene that it is made for."""

    def __init__(
        self, paint: Painter, widgets: Widgets, walk: Walk, words: ReviewWords, actions: TransportActions
    ) -> None:
        self._paint = paint
        self._walk = walk
        self._words = words
        self._actions = actions
        add = widgets.add
        self._first = add(IconButton("first", _("To the start"), self.go_to_start, name="first"))
        self._previous = add(IconButton("previous", _("Turn back"), self.go_back, name="previous"))
        self._play = add(IconButton("play", _("Play by itself, or stop"), self.play_or_stop, name="play"))
        self._next = add(IconButton("next", _("Next turn"), self.go_forward, name="next"))
        self._last = add(IconButton("last", _("To the end"), self.go_to_end, name="last"))
        self._mistake = add(Button(_("Next mistake"), self.go_to_mistake, name="mistake"))
        self.slider = add(Slider("slider", walk.reviewed.turns, actions.go_to))
        self.slider.beside = _("Turns")
        self._leave = add(Button(_("Back to the match"), actions.leave_line, kind="primary", name="leave line"))
        self._bar = pygame.Rect(0, 0, 0, 0)

    # ------------------------------------------------------------------------------ showing

    def place(self, bar: pygame.Rect) -> None:
        """Lay the controls out in *bar*."""
        px, self._bar = self._paint.theme.px, bar
        left, top = bar.x + px(_PADDING), bar.centery - px(_BUTTON) // 2
        for button in (self._first, self._previous, self._play, self._next, self._last):
            button.place(pygame.Rect(left, top, px(_BUTTON), px(_BUTTON)))
            left += px(_BUTTON + _GAP)
        for wide in (self._mistake, self._leave):
            wide.place(pygame.Rect(left, top, wide.natural_size[0], px(_BUTTON)))
        left += self._mistake.rect.w + px(_GAP + 2)
        counted = self._paint.width(self._turn_number(self._walk.reviewed.turns), "label") + px(12)
        width = bar.right - px(_EDGE) - counted - px(_PADDING) - left
        self.slider.place(pygame.Rect(left, bar.centery - px(_BUTTON) // 2, width, px(_BUTTON)))

    def show_way(self) -> None:
        """Show the controls of the match, or those of a line."""
        is_in_match = self._walk.line is None
        match: tuple[Widget, ...] = (self.slider, self._mistake)
        for control in match:
            control.show(is_in_match)
        self._leave.show(not is_in_match)

    def show_turn(self) -> None:
        """Bring the controls in line with the turn that is walked to."""
        playback = self._walk.playback
        self.slider.show_value(self._walk.turn)
        for button in (self._first, self._previous):
            button.enable(playback.turn > 0)
        for button in (self._next, self._last):
            button.enable(not playback.is_at_end)
        self._play.relabel("", "pause" if playback.is_playing else "play")
        self._play.enable(self._walk.reviewed.turns > 0)
        self._mistake.enable(self._mistake_after(self._walk.turn) is not None)

    def draw(self, surface: pygame.Surface) -> None:
        """Draw the bar, the number of the turn, and the turns of a line."""
        paint, bar = self._paint, self._bar
        px = paint.theme.px
        paint.panel(surface, bar)
        at = (bar.right - px(_EDGE), bar.centery)
        counted, line = self._turn_number(self._walk.turn), self._walk.line
        if line is not None:
            counted = _("{turn} / {turns} of the line").format(turn=self._walk.playback.turn, turns=line.turns)
            left = self._leave.rect.right + px(_PADDING)
            turns = " ".join(stop.notation for stop in line.stops[1:])
            width = at[0] - paint.width(counted, "label") - px(_PADDING) - left
            paint.text(surface, turns, (left, at[1]), "text", anchor="midleft", width=width)
        paint.text(surface, counted, at, "label", paint.theme.second, anchor="midright", tabular=True)

    def _turn_number(self, turn: int) -> str:
        """The number of *turn* and that of the last, such as "14 / 52"."""
        return f"{turn} / {self._walk.reviewed.turns}"

    # ------------------------------------------------------------------------------- acting

    def walk_to(self, turn: int) -> None:
        """Show what is walked through, the match or a line, after *turn*."""
        self._walk.playback.stop()
        self._walk.playback.go_to(turn)
        self._actions.show_turn()

    def go_to_start(self) -> None:
        """Show what is walked through at its start."""
        self.walk_to(0)

    def go_to_end(self) -> None:
        """Show what is walked through at its end."""
        self.walk_to(self._walk.shown.turns)

    def go_back(self) -> None:
        """Go a turn back; from the start of a line, to the match."""
        if self._walk.line is not None and self._walk.playback.turn == 0:
            self._actions.leave_line()
        else:
            self.turn_by(-1)

    def go_forward(self) -> None:
        """Play the next turn, as it was played."""
        playback = self._walk.playback
        playback.stop()
        if not playback.is_at_end:
            playback.forward()
        self._actions.show_turn()

    def turn_by(self, turns: int) -> None:
        """Go so many *turns* on, or back."""
        self.walk_to(self._walk.playback.turn + turns)

    def leap(self, pages: int) -> None:
        """Go so many tenths of the match on, or back."""
        self.walk_to(leap(self._walk.playback.turn, self._walk.shown.turns, pages))

    def play_or_stop(self) -> None:
        """Have turns played one after the other, or stop that."""
        playback = self._walk.playback
        if playback.is_playing:
            playback.stop()
        elif self._walk.reviewed.turns:
            playback.play()
        self._actions.show_turn()

    def go_to_mistake(self) -> None:
        """Go to the next turn that was bad."""
        target = self._mistake_after(self._walk.turn)
        if target is not None:
            self._actions.go_to(target)

    def _mistake_after(self, turn: int) -> int | None:
        """The next turn that was bad, from the start again after the last one; None where there is none."""
        moments = self._words.review.moments if self._words.review else ()
        bad = [moment.index for moment in moments if moment.mark in ("?", "??")]
        return next((index for index in bad if index > turn), bad[0] if bad else None)

    # --------------------------------------------------------------------------------- keys

    def shortcuts(self, unless: Callable[[Callable[[], object]], bool], space: Callable[[], bool]) -> list[Shortcut]:
        """The keys of the bar.

        :param unless: does what it is given, or returns False where the keyboard is on something with the same keys.
        :param space: what Space does.
        """
        group = _("Turns")
        ways = (
            ("Left", _("turn back"), self.go_back),
            ("Right", _("next turn"), self.go_forward),
            ("Home", _("to the start"), self.go_to_start),
            ("End", _("to the end"), self.go_to_end),
            ("PgUp", _("a tenth of the match back"), partial(self.leap, -1)),
            ("PgDn", _("a tenth of the match on"), partial(self.leap, 1)),
        )
        return [
            *(Shortcut(keys, what, partial(unless, act), group, comes_first=True) for keys, what, act in ways),
            Shortcut("Space", _("play by itself, or stop"), space, group, comes_first=True),
        ]
