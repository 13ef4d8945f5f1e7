"""A position that is being set up, without a picture of it: what is on the board, what its text says, what is wrong.

Nothing here knows a game: what can be put where, a module of ``papan/game/presentation`` says.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from random import Random

from papan.game.base.protocols import offers
from papan.game.game import Game
from papan.game.match import Match
from papan.game.presentation import Brush, Setting, Settings, SetUp, note_on, over_fault, settings_of, setup_of
from papan.game.rules import NOBODY, PositionError, State

_MOST_KEPT = 500
"""How many changes can be taken back."""


def position_shown(match: Match, viewer: int) -> str | None:
    """The text of the last position of *match* that has one, as the seat *viewer* may see it.

    Within a turn it is that from which the turn began. What is hidden from *viewer* is dealt anew, and where there is
    nobody who may look, there is None.
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
    """One position of one game under given options; each change can be undone."""

    def __init__(self, game: Game, options: Mapping[str, str], text: str | None = None) -> None:
        """A position to begin with.

        :param options: complete and valid options, which stay.
        :param text: the position; default: the one that a match begins with.
        :raises OptionError: options that don't go together.
        :raises PositionError: *text* is none.
        :raises papan.game.game.PartError: the game's own part can't be used.
        """
        self.game = game
        self.options = dict(options)
        self._setup = setup_of(game)
        self.state: State = self._start() if text is None else game.rules.parse(text, self.options)
        self.text = ""
        """The position's text; "" where there is none of a board such as this. What was typed last if it is none."""
        self.fault = ""
        """Why no match can begin here; "" where one can."""
        self.refusal = ""
        """Why the last click has changed nothing; "" where it has."""
        self._undone: list[State] = []
        self._done: list[State] = []
        self._is_typing = False
        self._judge()
        self.text = self.text if text is None else text

    def _start(self) -> State:
        return self.game.rules.start(self.options, Random())

    def _judge(self) -> None:
        """Take up the text of the state, and whether a match can begin there."""
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
        """Whether anything can be put on the board; else positions are set up by their text only."""
        return self._setup is not None

    @property
    def brushes(self) -> Sequence[Brush]:
        return self._setup.brushes(self.state) if self._setup else ()

    @property
    def settings(self) -> Sequence[Setting]:
        """What the position says beside the board."""
        return settings_of(self._setup, self.state)

    @property
    def note(self) -> str:
        """What only the text can say; "" where there is nothing of the kind."""
        return note_on(self._setup, self.state)

    @property
    def bare(self) -> State:
        """The position with nothing on the board; as it is where nothing can be put there."""
        return self._setup.cleared(self.state) if self._setup else self.state

    def alone(self, brush: Brush, cells: Sequence[int]) -> tuple[State, int] | None:
        """A board with nothing but what *brush* puts there, on the first of *cells* that can have it; None for none."""
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
        """Put what the brush *code* puts on *cell*, or take it away where it is; returns whether anything changed."""

        def change(setup: SetUp, state: State) -> State:
            after = setup.put(state, code, cell)
            return setup.taken(state, cell) if after == state else after

        return self._change(change)

    def paint(self, code: int, cell: int) -> bool:
        """Put what the brush *code* puts on *cell*, and leave it where it is."""
        return self._change(lambda setup, state: setup.put(state, code, cell))

    def take(self, cell: int) -> bool:
        """Take away what lies uppermost on *cell*."""
        return self._change(lambda setup, state: setup.taken(state, cell))

    def set(self, name: str, value: str) -> bool:
        """Have another *value* for a setting."""
        setup = self._setup
        return offers(setup, Settings) and self._change(lambda _, state: setup.changed(state, name, value))

    def clear(self) -> bool:
        return self._change(lambda setup, state: setup.cleared(state))

    def restart(self) -> bool:
        """Set up the position that a match begins with, dealt anew where it is dealt."""
        self.refusal = ""
        return self._take_up(self._start())

    def _change(self, change: Callable[[SetUp, State], State]) -> bool:
        """Take up what *change* makes of the state; where it can't, ``refusal`` says why."""
        if self._setup is None:
            return False
        self.refusal = ""
        try:
            after = change(self._setup, self.state)
        except PositionError as error:
            self.refusal = str(error)
            return False
        return self._take_up(after)

    def _take_up(self, after: State) -> bool:
        self._is_typing = False
        has_changed = after != self.state
        if has_changed:
            self._remember()
            self.state = after
        self._judge()  # also where nothing has changed: a text that is none may have been typed
        return bool(has_changed)

    def _remember(self) -> None:
        self._done.append(self.state)
        del self._done[:-_MOST_KEPT]
        self._undone.clear()

    def read(self, text: str, *, is_typed: bool = False) -> bool:
        """Have the position *text*; where it is none the board stays, and ``fault`` says why.

        :param is_typed: letter by letter: all that is typed in a row is one change.
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
        self.text = text  # as it was written, though there may be other texts of the same position
        return True

    def undo(self) -> None:
        self._step(self._done, self._undone)

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        self._step(self._undone, self._done)

    def _step(self, source: list[State], target: list[State]) -> None:
        if source:
            target.append(self.state)
            self.state = source.pop()
            self._is_typing = False
            self.refusal = ""
            self._judge()
