"""A match of the library played anew from its rows."""

from __future__ import annotations

from papan.game.base.sentences import joined, say
from papan.game.match import Match
from papan.game.match.library.rows import BadRow, LibraryError, Stored, read_tags_column
from papan.game.match.library.snapshot import bring_to
from papan.game.match.record import RecordError, read_tags
from papan.game.rules import IllegalStep, NotationError


def replay(stored: Stored) -> Match:
    """The match that stands in the file as *stored*, with what can be played again.

    :raises LibraryError: today's rules refuse it.
    """
    match = None
    try:
        match = read_tags(read_tags_column(stored.tags))
        bring_to(match, (), stored.notations, stored.played, stored.conclusion)
    except (RecordError, NotationError, IllegalStep, BadRow) as error:
        where = say("at its start") if match is None else say("at step {step}", step=len(match.steps) + 1)
        why = joined([str(error), "."], "") if isinstance(error, BadRow) else str(error)
        raise LibraryError(
            say(
                "Match {number} can't be played on, {where}: {reason} It stays in the library as it is.",
                number=stored.id,
                where=where,
                reason=why,
            )
        ) from error
    return match
