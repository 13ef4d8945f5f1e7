"""The hand-over of a screen that several persons with hidden hands share, before the next hand is shown."""

from __future__ import annotations

from collections.abc import Callable

from papan.ui.scenes import Stage
from papan.ui.scenes.dialogs import Message, Reply
from papan.ui.texts import _


class HandOver(Message):
    """A message that waits, with all hands hidden, until the next person is ready; Esc leaves the table."""

    def __init__(self, stage: Stage, name: str, take: Callable[[], object], leave: Callable[[], object]) -> None:
        """:param name: of the next person.
        :param take: called once that person is ready.
        :param leave: called on Esc.
        """
        super().__init__(
            stage,
            _("Pass the screen to {name}").format(name=name),
            _("The next hand is shown as soon as {name} is ready.").format(name=name),
            [Reply(_("{name} is ready").format(name=name), take, kind="primary")],
        )
        self._leave = leave

    def back(self) -> None:
        super().back()
        self._leave()
