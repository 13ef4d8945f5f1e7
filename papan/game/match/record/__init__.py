"""Records: matches as readable text.

A record looks like chess's PGN: tags, an empty line, numbered turns, the result::

    [Game "connect-four"]
    [Version "1"]
    [Options "first=random"]
    [Seed "7"]
    [Seat1 "human"]
    [Seat2 "minimax:hard"]
    [Date "2026.11.20"]
    [Position ""]
    [Result "1-0"]
    [Reason "four in a row"]

    1. 4 4 2. 5 5 3. 3 2 4. 6 1-0

- Seats are in the order of play, whoever was chosen to start. ``Position`` is the position before the first turn, so
  that a record doesn't depend on dealing; ``Seed`` determines what chance brings later.
- Rounds, in which every seat acts once, are numbered. ``...`` stands for a seat that another one preceded. Outcomes of
  chance are in parentheses after the turn that caused them.
- The result is ``1-0``, ``0-1`` or ``1/2-1/2`` for two seats. Otherwise it is what each seat won, separated by colons:
  ``1:-1:-1``, or ``3124`` for one seat. ``*`` is an unfinished match.
- A match in the middle of a turn ends with the beginning of that turn; if that is ambiguous, in the form with bars
  (``papan.game.match.notation``).
- After a resignation, forfeit, fallen flag or agreed draw, ``Reason`` says so in the words of ``papan.game.match``, and
  the result is not that of the last turn.
- ``;`` begins a comment to the end of the line, ``{`` one to ``}``. Unknown tags are kept.

Undone steps are left out. Several records in one text are a collection: ``papan.game.match.collection``.
"""

from __future__ import annotations

from papan.game.match.record.reading import MOST_BYTES, lexemes, read, read_tags, read_text, read_text_from
from papan.game.match.record.writing import (
    BEFORE_FIRST_ROUND,
    RecordError,
    RecordFileError,
    Round,
    write,
    write_result,
    write_tags,
    writing,
)

__all__ = [
    "BEFORE_FIRST_ROUND",
    "MOST_BYTES",
    "RecordError",
    "RecordFileError",
    "Round",
    "lexemes",
    "read",
    "read_tags",
    "read_text",
    "read_text_from",
    "write",
    "write_result",
    "write_tags",
    "writing",
]
