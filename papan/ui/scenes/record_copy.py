"""The record of a match on the clipboard, from the table as from a review."""

from __future__ import annotations

import time
from collections.abc import Generator
from functools import partial

from papan.game.match import Match
from papan.game.match.record import writing
from papan.ui.scenes import Stage
from papan.ui.texts import _

_SLICE_SECONDS = 0.005
"""What of a frame goes into a record: that of a long match takes several frames."""


def copy_record(stage: Stage, match: Match) -> None:
    """Put the record of *match* on the clipboard: a text to keep or to mail.

    It would tell what is hidden, so that of a match with hidden cards there is none before its end.
    """
    if not match.is_open:
        stage.notify(_("A record tells all cards: it can be copied once the match is over."))
        return
    work = partial(_go_on_copying, stage, writing(match))
    if not work():
        stage.carry_on(work)


def _go_on_copying(stage: Stage, record: Generator[None, None, str]) -> bool:
    """Write some more of *record*; whether it was all, which then is on the clipboard."""
    began = time.perf_counter()
    try:
        next(record)
        while time.perf_counter() - began < _SLICE_SECONDS:
            next(record)
    except StopIteration as done:
        stage.copy_text(done.value)
        return True
    return False
