"""What a trial hears of the log: errors, which the program survives, but must not have."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager


class _Errors(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(logging.Formatter("%(message)s").format(record))


@contextmanager
def errors_logged() -> Iterator[list[str]]:
    """What is logged as an error meanwhile, with its traceback; the list grows."""
    errors = _Errors()
    logging.getLogger().addHandler(errors)
    try:
        yield errors.said
    finally:
        logging.getLogger().removeHandler(errors)
