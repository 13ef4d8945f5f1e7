"""What is said of matches that can't be saved: where a copy goes, and the question before the window closes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from papan.game.match import Match
from papan.game.match.library import KeptMatch
from papan.game.match.record import write
from papan.ui.play.record_files import CopyError, save_record
from papan.ui.scenes import Stage
from papan.ui.scenes.message import Message, Reply
from papan.ui.texts import _, plural, translated


def save_copies(stage: Stage, matches: Sequence[Match]) -> None:
    """Write the record of each match to a file of its own, and say where; where that fails, why."""
    try:
        paths = [save_record(match) for match in matches]
    except CopyError as error:
        records = "\n".join(write(match) for match in matches)
        copy = Reply(_("Copy the record"), lambda: stage.copy_text(records), icon="copy")
        close = Reply(_("Close"), kind="primary")
        text = _("No copy could be written: {error}").format(error=translated(str(error)))
        stage.push(Message(stage, _("The copy was not saved"), text, [copy, close], icon="warning"))
    else:
        stage.notify(_("A copy was saved: {path}").format(path=", ".join(str(path) for path in paths)))


class NotSaved(Message):
    """Says before the window closes that something would be lost."""

    def __init__(
        self,
        stage: Stage,
        matches: Sequence[KeptMatch],
        quit_again: Callable[[], None],
        quit_at_once: Callable[[], None],
    ) -> None:
        """:param quit_again: closes the window if all is saved by then.
        :param quit_at_once: closes the window whatever is lost.
        """
        replies = [Reply(_("Quit without it"), quit_at_once), Reply(_("Try again"), quit_again, kind="primary")]
        open_ones = [kept.match for kept in matches if kept.match.is_open]  # a copy of others would show hidden cards
        if open_ones:
            replies.insert(0, Reply(_("Save a copy…"), lambda: save_copies(stage, open_ones), closes=False))
        super().__init__(stage, _("Not saved"), _in_words(matches), replies, icon="warning")


def _in_words(matches: Sequence[KeptMatch]) -> str:
    what = plural(
        "The last steps of a match are not in the library.",
        "Of {count} matches the last steps are not in the library.",
        len(matches),
    )
    return what + " " + translated(matches[0].standing.trouble) if matches[0].standing.trouble else what
