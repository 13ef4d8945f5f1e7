"""Editing a pattern to search for: a position some of whose cells may hold anything, and perhaps the side to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from papan.game.base.protocols import offers
from papan.game.base.sentences import joined, say
from papan.game.explorer.collection import board_of
from papan.game.explorer.patterns import Pattern, pattern_of, read_pattern, write_pattern
from papan.game.game import Game
from papan.game.presentation import CellWords, Setting, cells_in_words, seat_names
from papan.game.rules import PositionError, State, content_at
from papan.ui.play.position_editor import PositionEditor

_SIDE = "turn"


class PatternEditor(PositionEditor):
    """A pattern of one game: things stand on cells, and a cell where nothing stands is empty or *loose*: anything."""

    def __init__(self, game: Game, options: Mapping[str, str], shown: State) -> None:
        """Begin with anything everywhere.

        :param shown: the position that ``restart`` sets up.
        :raises papan.game.explorer.CollectionError: positions of the game can't be searched for.
        """
        self.board = board_of(game, shown)
        self._cells = frozenset(self.board.pointed or chain(*self.board.rows))
        self._shown = shown
        self.loose = self._cells
        """The cells, as the board in the window has them, where anything may stand if nothing is put there."""
        self.side: int | None = None
        super().__init__(game, options)
        self.state = self.bare
        self._judge()

    @property
    def pattern(self) -> Pattern:
        loose = frozenset(chain(*(self.board.pointed.get(cell, (cell,)) for cell in self.loose)))
        return pattern_of(self.state, self.board, loose)._replace(side=self.side)

    @property
    def open_cells(self) -> Sequence[int]:
        """The cells of the board in the window that show that they may hold anything."""
        contents = self.pattern.contents
        return [
            cell for cell in self.loose if any(one not in contents for one in self.board.pointed.get(cell, (cell,)))
        ]

    def _judge(self) -> None:
        self.fault, self.text = "", write_pattern(self.pattern, self.board)

    def _start(self) -> State:
        return self._shown

    @property
    def settings(self) -> Sequence[Setting]:
        sides = seat_names(self.game, self._shown)
        value = "" if self.side is None else str(self.side)
        return [Setting(_SIDE, say("To move"), value, {"": say("either side"), "0": sides[0], "1": sides[1]})]

    @property
    def note(self) -> str:
        return (
            say("In a column with ?, anything may lie above the discs; the other columns are empty there.")
            if (self.board.pointed)
            else ""
        )

    def in_words(self, state: State) -> Callable[[int], str]:
        """A function of a cell: its name, what stands there in *state*, and whether it may hold anything."""
        plain, setup, loose = cells_in_words(self.game, state), self._setup, frozenset(self.open_cells)

        def words(cell: int) -> str:
            if cell not in loose or not offers(setup, CellWords):
                return plain(cell)
            there = plain(cell) if setup.standing(state, cell) else setup.name_of(state, cell)
            return joined([there, say("anything")], ", ")

        return words

    @property
    def _kept(self) -> Any:
        return self.state, self.loose, self.side

    @_kept.setter
    def _kept(self, kept: Any) -> None:
        self.state, self.loose, self.side = kept

    def _set_kept(self, state: State, loose: frozenset[int], side: int | None) -> bool:
        self._is_typing = False
        after = state, loose, side
        has_changed = after != self._kept
        if has_changed:
            self._remember()
            self._kept = after
        self._judge()
        return bool(has_changed)

    def set(self, name: str, value: str) -> bool:
        return self._set_kept(self.state, self.loose, int(value) if value else None)

    def take(self, cell: int) -> bool:
        """Let nothing stand on *cell*."""
        return self._take(cell, self.loose - {cell})

    def loosen(self, cell: int) -> bool:
        """Let anything stand on *cell*; in a column above its discs, and instead of its uppermost one if it does."""
        if self.board.pointed and cell not in self.loose:
            return self._set_kept(self.state, self.loose | {cell}, self.side)
        return self._take(cell, self.loose | {cell})

    def _take(self, cell: int, loose: frozenset[int]) -> bool:
        self.refusal = ""
        if cell not in self._cells or self._setup is None:
            return False
        return self._set_kept(self._setup.taken(self.state, cell), loose, self.side)

    def clear(self) -> bool:
        self.refusal = ""
        return self._set_kept(self.bare, self._cells, None)

    def restart(self) -> bool:
        self.refusal = ""
        return self._set_kept(self._shown, frozenset(), None)

    def read(self, text: str, *, is_typed: bool = False) -> bool:
        self.refusal = ""
        text = " ".join(text.split())
        try:
            state, loose, side = self._set_up(read_pattern(text, self.game.rules, self.board, self.options))
        except PositionError as error:
            self.text, self.fault = text, str(error)
            return False
        was_typing = self._is_typing
        if (state, loose, side) != self._kept and not (is_typed and was_typing):
            self._remember()
        self._kept, self._is_typing = (state, loose, side), is_typed
        self._judge()
        self.text = text
        return True

    def _set_up(self, pattern: Pattern) -> tuple[State, frozenset[int], int | None]:
        """What shows *pattern*.

        :raises PositionError: the board can't.
        """
        setup = self._setup
        assert setup is not None
        state, loose = self.bare, set(self._cells)
        places = self.board.pointed or {cell: (cell,) for cell in self._cells}
        for cell, ones in places.items():
            for one in ones:
                content = pattern.contents.get(one)
                if content == 0:
                    loose.discard(cell)
                for brush in self.brushes if content else ():
                    there = setup.put(state, brush.code, cell)
                    if content_at(there, one) == content:
                        state = there
                        break
        found = pattern_of(state, self.board, frozenset(chain(*(places[cell] for cell in loose))))
        if found.contents != pattern.contents:
            raise PositionError.saying("The board can't show this: something would float above cells with anything.")
        return state, frozenset(loose), pattern.side
