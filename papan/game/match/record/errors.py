"""What is wrong with a text that should be a record."""

from __future__ import annotations

from papan.game.base.sentences import say


class RecordError(ValueError):
    """A text that is no record; the message says in which line, what is wrong, and what would be right."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else say("Line {line}: {message}", line=line, message=message))


class RecordFileError(RecordError):
    """A file, or a stream, in which there is no text that could be a record."""
