"""What is done with the matches that could be saved of a damaged library."""

from __future__ import annotations

import datetime
import json
import sqlite3
from collections.abc import Mapping

from papan.game.base.recovery import Orphans
from papan.game.base.sentences import joined, say, say_number
from papan.game.base.sqlite_pages import Value

_CUT = (
    # Of a step that was taken back nobody can say whether it belongs to what is played after it.
    "DELETE FROM steps WHERE number >= (SELECT played FROM matches WHERE id = match)",
    """DELETE FROM steps WHERE (match, number) IN (
        SELECT match, number FROM (
            SELECT match, number, row_number() OVER (PARTITION BY match ORDER BY number) - 1 AS place FROM steps
        ) WHERE number <> place
    )""",
)
_JSON = ("tags", "seats", "payoffs")
_GO_ON = """UPDATE matches SET played = (SELECT count(*) FROM steps WHERE match = id), payoffs = NULL, reason = NULL
    , turns = NULL WHERE played > (SELECT count(*) FROM steps WHERE match = id)"""
"""A match that was cut is not over, and goes on where it ends now."""
_SHORT = "SELECT id FROM matches WHERE played > (SELECT count(*) FROM steps WHERE match = id)"


def accept_row(table: str, row: Mapping[str, Value]) -> bool:
    """Whether the texts of a row in the library are such as the library writes them."""
    if table != "matches":
        return True
    try:
        datetime.datetime.fromisoformat(str(row["updated"]))
        read = [json.loads(str(row[column])) for column in _JSON if row[column] is not None]
    except (ValueError, KeyError, RecursionError):
        return False
    return len(read) >= 2 and isinstance(read[0], dict) and all(isinstance(value, list) for value in read[1:])


def mend_matches(connection: sqlite3.Connection, orphans: Orphans) -> str:
    """Cut each match before the first step that is lost, and say how many matches were saved."""
    for statement in _CUT:
        connection.execute(statement)
    cut = {match for (match,) in connection.execute(_SHORT)}
    connection.execute(_GO_ON)
    [count] = connection.execute("SELECT count(*) FROM matches").fetchone()
    lost = len({match for match, *_ in orphans["steps"]})
    told = [
        say_number("{count} match was saved", "{count} matches were saved", count)
        if count
        else say("No match could be saved")
    ]
    if cut:
        told.append(say("{cut} of them only in part", cut=len(cut)))
    if lost:
        told.append(say_number("{count} match was lost", "{count} matches were lost", lost))
    return joined([joined(told, ", "), "."], "")
