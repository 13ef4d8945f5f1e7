"""Records: matches as text that people can read, mail and keep.

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

- Seats stand in the order of play, whoever was chosen to start. ``Position`` is the position that the turns
  begin from, so that a record doesn't depend on how it was dealt; ``Seed`` is what chance goes on with.
- A round, in which every seat acts once, has a number. ``...`` stands for a seat that didn't act before
  another one did. What chance brought stands in parentheses, after the turn that called for it.
- The result is ``1-0``, ``0-1`` or ``1/2-1/2`` where two seats win, lose or draw. Any other is what each
  seat won, separated by colons: ``1:-1:-1``, or ``3124`` for one seat. ``*`` stands for none yet.
- A match in the middle of a turn ends with the beginning of that turn; see ``papan.game.match.notation`` for the form
  with bars, used where this could be read in two ways.
- Where somebody resigned, ran out of time or forfeited, or a draw was agreed, ``Reason`` says so, in the words of
  ``papan.game.match``, and the result is not that of the last turn.
- ``;`` begins a comment that ends with the line, ``{`` one that ends with ``}``. Other tags are kept.

Steps that were taken back are not part of a record. One text holds one record; several are a collection, see
``papan.game.match.collection``.
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
