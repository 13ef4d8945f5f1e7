"""The record of a match on the clipboard, from the table as from a review."""

from __future__ import annotations

from papan.game.match import Match
from papan.game.match.record import write
from papan.ui.scenes import Stage
from papan.ui.texts import _


def copy_record(stage: Stage, match: Match) -> None:
    """Put the record of *match* on the clipboard: a text to keep or to mail.

    It would tell what is hidden, so that of a match with hidden cards there is none before its end.
    """
    if match.is_open:
        stage.copy_text(write(match))
    else:
        stage.notify(_("A record tells all cards: it can be copied once the match is over."))
