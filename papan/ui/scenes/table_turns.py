"""The turns of a table: their list, and what those who listen are told of the last one."""

from __future__ import annotations

from collections.abc import Callable

from papan.game.match import Turn
from papan.game.rules import CHANCE
from papan.ui.drawing.theme import SeatStyle
from papan.ui.play.session import Session
from papan.ui.scenes import News
from papan.ui.texts import _
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.turn_lists import Entry, TurnList


class TableTurns:
    """The turns of one session, as they were when they were last shown."""

    def __init__(self, session: Session, player: Callable[[int], tuple[str, SeatStyle]]) -> None:
        """:param player: the name and the style of a seat, in the language and the look chosen."""
        self._session = session
        self._match = session.match
        self._player = player
        self._turns: list[Turn] = []

    def build(self, widgets: Widgets) -> None:
        """Add the list."""
        self.list = widgets.add(TurnList(len(self._match.seats), self._player))

    @property
    def _goes_on(self) -> bool:
        """Whether the last turn has been begun, and is not complete."""
        match = self._match
        return bool(self._turns) and not match.ending and match.mover == self._turns[-1].seat != CHANCE

    def show(self) -> None:
        """Bring the list in line with the match."""
        match, turn = self._match, self._session.turn
        self._turns = match.turns()
        entries = [Entry(played.seat, played.notation) for played in self._turns if played.seat != CHANCE]
        complete = len(entries)
        if self._goes_on:
            complete -= 1
            last = entries.pop()
            entries.append(Entry(last.seat, last.text + " …", self._player(last.seat)[1].ink))
        elif turn.pointed and turn.due == "completing":
            entries.append(Entry(match.mover, "…", self._player(match.mover)[1].ink))
        self.list.show_turns(entries, complete)

    def news(self) -> News:
        """The last turn that is complete."""
        turns = [turn for turn in self._turns if turn.seat != CHANCE]
        if self._goes_on:
            return News("", len(turns) - 1)
        if not turns:
            return News("", 0)
        last = turns[-1]
        name, _style = self._player(last.seat)
        return News(_("{name} played {turn}.").format(name=name, turn=last.notation), len(turns))
