"""Editing a position: its state, its text, its faults, undo and redo.

The game's module in ``papan/game/presentation`` defines which pieces can be put on which cells.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from papan.game.base.protocols import offers
from papan.game.game import Game
from papan.game.match import Match
from papan.game.presentation import Brush, Setting, Settings, SetUp, note_on, over_fault, settings_of, setup_of
from papan.game.rules import NOBODY, PositionError, State

_MOST_CHANGES = 500


def position_shown(match: Match, viewer: int) -> str | None:
    """Return the text of the last position of *match* that has one, as the seat *viewer* may see it.

    Within a turn that is the position before the turn. Cards hidden from *viewer* are dealt anew; without a viewer the
    result is None.
    """
    for index in reversed(range(len(match.states))):
        start = match.states[index]
        if not match.is_open:
            if viewer == NOBODY:
                return None
            start = match.dealt_anew(index, viewer).state
        with contextlib.suppress(PositionError):
            return match.rules.text(start)
    return None


class PositionEditor:
    """One position of one game under fixed options; each change can be undone."""

    def __init__(self, game: Game, options: Mapping[str, str], text: str | None = None) -> None:
        """Begin with a position.

        :param options: complete and valid options.
        :param text: the position; default: the start of a match.
        :raises OptionError: options that don't go together.
        :raises PositionError: *text* is no position.
        :raises papan.game.game.PartError: the game's module can't be loaded.
        """
        self.game = game
        self.options = dict(options)
        self._setup = setup_of(game)
        self.state: State = self._start() if text is None else game.rules.parse(text, self.options)
        self.text = ""
        """The text of the position, or an invalid one typed last; "" for a board without a text."""
        self.fault = ""
        """Why no match can begin here; "" if one can."""
        self.refusal = ""
        """Why the last click changed nothing; "" if it did."""
        self._undone: list[Any] = []
        self._done: list[Any] = []
        self._is_typing = False
        self._judge()
        self.text = self.text if text is None else text

    def _start(self) -> State:
        return self.game.rules.start(self.options, Random())

    def _judge(self) -> None:
        self.text = ""
        try:
            self.text = self.game.rules.text(self.state)
            position = self.game.rules.parse(self.text, self.options)
        except PositionError as error:
            self.fault = str(error)
        else:
            self.fault = over_fault(self.game, position)

    @property
    def can_edit(self) -> bool:
        """Whether the board can be edited; otherwise only the text."""
        return self._setup is not None

    @property
    def brushes(self) -> Sequence[Brush]:
        return self._setup.brushes(self.state) if self._setup else ()

    @property
    def settings(self) -> Sequence[Setting]:
        return settings_of(self._setup, self.state)

    @property
    def note(self) -> str:
        """What only the text can express, as a sentence; "" for nothing."""
        return note_on(self._setup, self.state)

    @property
    def bare(self) -> State:
        """The position with an empty board; unchanged if the board can't be edited."""
        return self._setup.cleared(self.state) if self._setup else self.state

    def alone(self, brush: Brush, cells: Sequence[int]) -> tuple[State, int] | None:
        """Return a board with only the piece of *brush*, and its cell, the first possible of *cells*; None for none."""
        if self._setup is None:
            return None
        for cell in cells:
            try:
                return self._setup.put(self.bare, brush.code, cell), cell
            except PositionError:
                continue
        return None

    @property
    def can_undo(self) -> bool:
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    def put(self, code: int, cell: int) -> bool:
        """Put the piece of the brush *code* on *cell*, or remove it if it is there; return whether anything changed."""

        def change(setup: SetUp, state: State) -> State:
            after = setup.put(state, code, cell)
            return setup.taken(state, cell) if after == state else after

        return self._change(change)

    def paint(self, code: int, cell: int) -> bool:
        """Put the piece of the brush *code* on *cell*, never remove it."""
        return self._change(lambda setup, state: setup.put(state, code, cell))

    def take(self, cell: int) -> bool:
        return self._change(lambda setup, state: setup.taken(state, cell))

    def set(self, name: str, value: str) -> bool:
        setup = self._setup
        return offers(setup, Settings) and self._change(lambda _, state: setup.changed(state, name, value))

    def clear(self) -> bool:
        return self._change(lambda setup, state: setup.cleared(state))

    def restart(self) -> bool:
        """Set up the start of a match, with a new deal."""
        self.refusal = ""
        return self._set_state(self._start())

    def _change(self, change: Callable[[SetUp, State], State]) -> bool:
        """Apply *change* to the state; if it fails, ``refusal`` says why."""
        if self._setup is None:
            return False
        self.refusal = ""
        try:
            after = change(self._setup, self.state)
        except PositionError as error:
            self.refusal = str(error)
            return False
        return self._set_state(after)

    def _set_state(self, after: State) -> bool:
        self._is_typing = False
        has_changed = after != self.state
        if has_changed:
            self._remember()
            self.state = after
        self._judge()  # even without a change: it replaces an invalid text
        return bool(has_changed)

    @property
    def _kept(self) -> Any:
        """What undo brings back."""
        return self.state

    @_kept.setter
    def _kept(self, kept: Any) -> None:
        self.state = kept

    def _remember(self) -> None:
        self._done.append(self._kept)
        del self._done[:-_MOST_CHANGES]
        self._undone.clear()

    def read(self, text: str, *, is_typed: bool = False) -> bool:
        """Set up the position *text*; an invalid one leaves the board, and ``fault`` says why.

        :param is_typed: typed letter by letter: successive letters make one change.
        """
        self.refusal = ""
        text = " ".join(text.split())
        try:
            after = self.game.rules.parse(text, self.options)
        except PositionError as error:
            self.text, self.fault = text, str(error)
            return False
        if after != self.state:
            if not (is_typed and self._is_typing):
                self._remember()
            self.state = after
            self._is_typing = is_typed
        self._judge()
        self.text = text  # as written: several texts can describe one position
        return True

    def undo(self) -> None:
        self._step(self._done, self._undone)

    def redo(self) -> None:
        self._step(self._undone, self._done)

    def _step(self, source: list[Any], target: list[Any]) -> None:
        if source:
            target.append(self._kept)
            self._kept = source.pop()
            self._is_typing = False
            self.refusal = ""
            self._judge()
