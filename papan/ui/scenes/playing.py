"""Shared by scenes with a board: the animation of a step, and cards for steps that are chosen by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

import pygame

from papan.game.match import Match
from papan.game.match.turn import TurnController
from papan.game.rules import State
from papan.ui.boards import BoardView, Moving, Picture, board_of
from papan.ui.drawing.paint import Painter
from papan.ui.drawing.theme import GAP
from papan.ui.play.playback import StepProgress
from papan.ui.play.reviewed_match import ReviewedMatch
from papan.ui.play.session import ShownStep
from papan.ui.scenes import Stage
from papan.ui.texts import translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.board import BoardWidget
from papan.ui.widgets.choice_bar import NUMBER_KEYS, ChoiceCard, block_size, place_rows, rect_beside, rows_of_cards

_LOW_BELOW, _LEAST_BOARD = 420, 220
"""In an area lower than the first, cards show names only if the board would be lower than the second; in any area,
if they would not fit."""


def reviewed_board(reviewed: ReviewedMatch, paint: Painter) -> BoardView:
    """Return a board for *reviewed*, turned to its only person.

    :raises papan.ui.boards.BoardError: the game's board can't be shown.
    """
    view = board_of(reviewed.match.game, paint)
    view.seat_in_front = reviewed.only_person
    view.shows_all_hands = reviewed.is_open
    return view


def moving_picture(shown: ReviewedMatch, step: StepProgress) -> Picture:
    """Return the picture of a *step* of *shown* that a playback animates."""
    before, after = shown.visible_state(step.index), shown.visible_state(step.index + 1)
    return Picture(before, moving=Moving(before, shown.steps[step.index], after, min(1.0, step.progress)))


class Played(Protocol):
    """What is played on a board: a session, practice, or the explorer."""

    match: Match
    turn: TurnController
    showing: ShownStep | None
    """The step that was played last, until its animation ends."""

    @property
    def hint(self) -> int | None:
        """The hinted step."""

    def visible_state(self, state: State) -> State:
        """*state* as the person sees it."""

    def choose(self, step: int) -> object:
        """Play a step chosen by name."""

    def finish_showing(self) -> object:
        """Go on after the animation."""


class StepAnimation:
    """The animation of the step that *played* shows."""

    def __init__(self, stage: Stage, played: Played, duration: Callable[[State, int, State], float]) -> None:
        """:param duration: returns a step's duration on the board, in seconds."""
        self.stage = stage
        self.played = played
        self._duration = duration
        self.progress = 0.0
        """The progress of the animation, from 0 to 1."""

    @property
    def moving(self) -> Moving | None:
        shown, seen = self.played.showing, self.played.visible_state
        return None if shown is None else Moving(seen(shown.before), shown.step, seen(shown.after), self.progress)

    def advance(self, seconds: float, share: float = 1.0) -> bool:
        """Let time pass; return whether the animation of a step is complete, at once for a step without one.

        :param share: a factor of the animation speed.
        """
        shown = self.played.showing
        if shown is None:
            self.progress = 0.0
            return False
        lasts, speed = self._duration(shown.before, shown.step, shown.after), self.stage.animation_speed * share
        self.progress = min(1.0, self.progress + (seconds * speed / lasts if lasts and speed else 1.0))
        return self.progress == 1.0

    def finish(self) -> None:
        self.progress = 0.0
        self.played.finish_showing()
        self.stage.invalidate()

    def cut_short(self) -> bool:
        """End the animation of a step; return whether any of it was left: never of a step without one."""
        shown = self.played.showing
        if shown is None:
            return False
        is_moving = self.stage.animation_speed > 0 and self._duration(shown.before, shown.step, shown.after) > 0
        had_more = is_moving and self.progress < 1.0
        self.finish()
        return had_more

    def skip_all(self) -> None:
        while self.played.showing is not None:
            self.finish()


class ChoiceCards:
    """The cards of steps chosen by name, and the board that makes room for them."""

    def __init__(self, widgets: Widgets, board: BoardWidget, view: BoardView, played: Played) -> None:
        self._widgets = widgets
        self._board = board
        self._view = view
        self._played = played
        self._cards: list[ChoiceCard] = []
        self._offered_in: State | None = None
        self._area = pygame.Rect(0, 0, 0, 0)

    def offer(self) -> None:
        match = self._played.match
        focused = self._widgets.focused
        held = focused.name if focused in self._cards else ""
        is_same = match.state == self._offered_in
        for card in self._cards:
            self._widgets.remove(card)
        self._cards = []
        for number, step in enumerate(self._played.turn.choices(), start=1):
            title, note = match.rules.describe(match.state, step)
            emblem = self._view.step_emblem(match.state, step)
            choose = partial(self._choose, match.state, step)
            card = ChoiceCard(number, translated(title), translated(note), choose, emblem)
            card.is_hinted = step == self._played.hint
            self._cards.append(self._widgets.add(card))
        self._offered_in = match.state
        if self._area.w:
            self.place(self._area)
        self._give_focus(held, is_same)

    def _choose(self, state: State, step: int) -> None:
        """Play *step*, which was offered in *state*; do nothing if the position has changed.

        That happens when two clicks come within one frame.
        """
        if self._played.match.state == state and step in self._played.turn.choices():
            self._played.choose(step)

    def _give_focus(self, held: str, is_same: bool) -> None:
        """Focus the board, or the cards if there is nothing to point at.

        :param held: the name of the card that had the focus; "" for none.
        :param is_same: whether the position is still that of this card.
        """
        turn, focused = self._played.turn, self._widgets.focused
        stays = self._widgets.named(held) if held and is_same else None
        is_all_there_is = bool(self._cards) and not turn.pointed and not turn.targets()
        if is_all_there_is and (held or focused in (None, self._board)):
            self._widgets.focus(stays or self._cards[0], by_keyboard=self._widgets.shows_focus)
        elif held:
            self._widgets.focus(stays or self._board, by_keyboard=self._widgets.shows_focus)

    def place(self, area: pygame.Rect) -> None:
        self._area = area
        gap = self._board.theme.px(GAP)
        rows = self._rows(area, gap)
        size = block_size(rows, gap)
        pointed = self._played.turn.pointed
        board = area.copy()
        if not self._board.rect:  # which corner is free is known only once the board has a place
            self._board.place(board)
        corner = self._view.free_corner(size) if rows and self._played.turn.targets() else None
        if rows and not pointed and corner is None:
            board.h = max(1, board.h - size[1] - gap)
        if self._board.rect != board:
            self._board.place(board)
        if pointed:
            block = rect_beside(self._view.cell_rect(pointed[-1]), size, area, gap)
        elif corner is not None:
            block = corner
        else:
            block = pygame.Rect((0, 0), size)
            block.midbottom = area.midbottom
        place_rows(rows, block, gap)

    def _rows(self, area: pygame.Rect, gap: int) -> list[list[ChoiceCard]]:
        """Return the cards in rows; with names only if they would leave too little of *area* for the board."""
        for card in self._cards:
            card.is_brief = False
        rows = rows_of_cards(self._cards, area.w, gap)
        px = self._board.theme.px
        height = block_size(rows, gap)[1]
        if height > area.h or (area.h < px(_LOW_BELOW) and height > area.h - px(_LEAST_BOARD)):
            for card in self._cards:
                card.is_brief = True
            rows = rows_of_cards(self._cards, area.w, gap)
        return rows

    def choose_place(self, digit: int) -> bool:
        """Choose by a number key; return whether there is such a choice."""
        number = (digit - 1) % NUMBER_KEYS
        if number >= len(self._cards):
            return False
        self._cards[number].activate()
        return True
