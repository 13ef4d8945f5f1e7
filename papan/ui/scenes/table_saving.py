"""What the table's header says while the match is not saved, and the button that saves a copy elsewhere."""

from __future__ import annotations

import time

import pygame

from papan.ui.play.session import Session
from papan.ui.scenes import Stage
from papan.ui.scenes.not_saved import save_copies
from papan.ui.texts import _, translated
from papan.ui.widgets.base import Widgets
from papan.ui.widgets.buttons import Button
from papan.ui.widgets.readouts import SavingSign

PATIENCE = 1.0
"""Seconds that a step may wait to be saved before that is said."""
_GAP = 12
_LEAST_SIGN = 96


class TableSaving:
    """The sign and the button of one session; both are hidden while all is saved."""

    def __init__(self, stage: Stage, session: Session) -> None:
        self._stage = stage
        self._session = session
        self._header = pygame.Rect(0, 0, 0, 0)
        self._is_late = False

    def build(self, widgets: Widgets) -> None:
        """Add the widgets."""
        self._sign = widgets.add(SavingSign())
        tooltip = _("Write the match's record to a file of its own")
        self._copy = widgets.add(
            Button(_("Save a copy…"), self._save_copy, sign="save", name="save a copy", tooltip=tooltip)
        )
        self._show()

    def place(self, header: pygame.Rect) -> None:
        """Stand at the right end of *header*, what the title and the other buttons leave free."""
        px = self._stage.paint.theme.px
        self._header = header
        self._copy.fold(False)
        self._copy.fold(self._copy.natural_size[0] + px(_GAP + _LEAST_SIGN) > header.w)
        button = pygame.Rect((0, 0), self._copy.natural_size)
        button.midright = header.midright
        self._copy.place(button)
        right = button.x - px(_GAP) if self._copy.is_visible else header.right
        room = right - header.x
        width = min(self._sign.natural_width, room)
        sign = pygame.Rect(right - width, header.y, max(width, 0), header.h)
        self._sign.place(sign)
        self._sign.show(self._is_late and room >= px(_LEAST_SIGN))

    @property
    def wanted_width(self) -> int:
        """The width that they need at least, in real pixels; 0 while they are hidden."""
        px = self._stage.paint.theme.px
        copy = self._copy.natural_size[0] + px(_GAP) if self._copy.is_visible else 0
        return px(_LEAST_SIGN) + copy if self._is_late else 0

    @property
    def left(self) -> int | None:
        """Where sign and button begin, in real pixels; None while they are hidden."""
        shown = [widget.rect.x for widget in (self._sign, self._copy) if widget.is_visible]
        return min(shown, default=None)

    def update(self) -> bool:
        """Look whether the match is saved; returns whether there is something new, and the header to be placed anew."""
        before = self._is_late, self._copy.is_visible, self._sign.tooltip
        self._show()
        return before != (self._is_late, self._copy.is_visible, self._sign.tooltip)

    def _show(self) -> None:
        standing = self._session.standing
        since = standing.waiting_since if standing is not None else None
        self._is_late = since is not None and time.monotonic() - since > PATIENCE
        self._copy.show(self._is_late and self._session.match.is_open)  # a copy would show hidden cards
        if not self._is_late:
            self._sign.show(False)
        self._sign.tell(translated(standing.trouble) if self._is_late and standing is not None else "")

    def _save_copy(self) -> None:
        save_copies(self._stage, [self._session.match])
