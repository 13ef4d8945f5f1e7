"""The keys of every table: to play, to look at it, to do something with the match."""

from __future__ import annotations

from functools import partial
from typing import Protocol

from papan.ui.play.session import Session
from papan.ui.scenes.table_actions import TableActions
from papan.ui.scenes.table_controls import TableControls
from papan.ui.scenes.table_header import TableHeader
from papan.ui.texts import _
from papan.ui.widgets.shortcuts import Shortcut


class Table(Protocol):
    """What the keys do at a table, besides what the buttons below the board, the menu and the header do."""

    session: Session

    def open_review(self) -> None:
        """Review what has been played."""

    def toggle_analysis(self) -> None:
        """Analyse, or stop that."""

    def toggle_proof(self) -> None:
        """Tell winning chances by proof numbers, or by the search."""

    def turn_board(self) -> None:
        """Look at the board in the next way."""


def table_shortcuts(
    table: Table, controls: TableControls, actions: TableActions, header: TableHeader
) -> list[Shortcut]:
    """What each key does at *table*, with its *controls*, the *actions* of its menu and the buttons of its *header*."""
    session = table.session
    playing, looking, match = _("Playing"), _("Looking"), _("The match")
    keys = [
        Shortcut("Ctrl+Z", _("undo"), controls.take_back, playing),
        Shortcut("Ctrl+Y  Ctrl+Shift+Z", _("redo"), controls.play_again, playing),
        Shortcut("Ctrl+H", _("hint"), session.ask_hint, playing),
        Shortcut("Ctrl+D", _("offer a draw"), actions.offer_draw, playing),
        Shortcut("Ctrl+X", _("swap sides"), actions.swap_sides, playing),
        Shortcut("Ctrl+G", _("resign"), actions.resign, playing),
        Shortcut("Ctrl+A", _("analysis on or off"), table.toggle_analysis, looking),
        *(
            [Shortcut("Ctrl+W", _("winning chance by PPN, or not"), table.toggle_proof, looking)]
            if actions.has_proof
            else []
        ),
        *([Shortcut("F3", _("why this move?"), actions.explain, looking)] if actions.can_explain else []),
        Shortcut("Ctrl+R", _("review what has been played"), table.open_review, looking),
        Shortcut("Ctrl+T", _("turn the board"), table.turn_board, looking),
        Shortcut("F2", _("the rules"), header.show_rules, looking),
        Shortcut("Ctrl+N", _("new game"), header.open_new_game, match),
        Shortcut("Ctrl+E", _("new match from here"), actions.branch, match),
        Shortcut("Ctrl+U", _("set up a position from here"), actions.set_up, match),
        Shortcut("Ctrl+S", _("save a picture"), actions.save_picture, match),
        Shortcut("Ctrl+C", _("copy the record"), partial(actions.act, "copy"), match),
        Shortcut("F10", _("more: resign, draws, pictures …"), actions.open, match),
    ]
    if session.clock is not None or not all(session.turn.is_person):
        keys.append(Shortcut("Ctrl+P", _("pause, or go on"), controls.pause_or_go_on, playing))
    return keys
