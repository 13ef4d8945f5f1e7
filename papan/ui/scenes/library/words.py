"""What is said of records that were brought in or out, and what their files are called."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from papan.ui.play.entries import Entry
from papan.ui.play.import_export import Brought, Taken
from papan.ui.texts import _, in_figures, plural, translated

_MOST_REASONS = 6


def import_in_words(brought: Brought) -> str:
    """How many matches came in, how many were there already, and what was refused and why."""
    said = [
        plural("{count} match came in.", "{count} matches came in.", brought.stored, count=in_figures(brought.stored))
    ]
    if brought.known:
        said.append(
            plural(
                "{count} was in the library already.", "{count} were in the library already.", brought.known,
                count=in_figures(brought.known),
            )
        )  # fmt: skip
    if brought.is_given_up:
        said.append(_("The rest was left out."))
    if not brought.refused:
        return " ".join(said)
    said.append(plural("{count} was refused:", "{count} were refused:", len(brought.refused)))
    reasons = [translated(reason) for reason in brought.refused[:_MOST_REASONS]]
    more = len(brought.refused) - len(reasons)
    if more:
        reasons.append(_("… and {count} more.").format(count=in_figures(more)))
    return "\n".join([" ".join(said), *reasons])


def export_in_words(taken: Taken) -> str:
    """How many matches are in the file, and what was left out and why."""
    if taken.trouble:
        return translated(taken.trouble)
    said = []
    if taken.count:
        said.append(
            plural(
                "{count} match was saved as {path}.", "{count} matches were saved as {path}.", taken.count,
                path=str(taken.path), count=in_figures(taken.count),
            )
        )  # fmt: skip
    else:
        said.append(_("No file was written."))
    if taken.hidden:
        said.append(
            plural(
                "{count} match was left out: its record would show hidden cards until it is over.",
                "{count} matches were left out: their records would show hidden cards until they are over.",
                taken.hidden,
            )
        )
    if taken.unreadable:
        said.append(plural("{count} match can't be read.", "{count} matches can't be read.", taken.unreadable))
    return " ".join(said)


def file_name_of(entries: Sequence[Entry]) -> str:
    """A name for the file that matches are to be written to."""
    today = datetime.date.today().isoformat()
    games = {entry.summary.game for entry in entries}
    kind = games.pop() if len(games) == 1 else "matches"
    return f"papan-{kind}-{today}.txt"
