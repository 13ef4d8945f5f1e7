"""Where hands are hidden and several persons share one screen: it is passed on before the next hand is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from papan.ui.scenes.message import Choice, Message
from papan.ui.texts import _

if TYPE_CHECKING:
    from papan.ui.scenes.table import Table
    from papan.ui.window.app import App


class HandOver(Message):
    """Waits, with all hands hidden, until the next person is ready; Esc leaves the table."""

    def __init__(self, app: App, table: Table, name: str) -> None:
        """:param name: what the next person is called."""
        super().__init__(
            app,
            _("Pass the screen to {name}").format(name=name),
            _("The next hand is shown as soon as {name} is ready.").format(name=name),
            [Choice(_("{name} is ready").format(name=name), table.session.take_screen, kind="primary")],
        )
        self._table = table

    def back(self) -> None:
        super().back()
        self._table.back()
