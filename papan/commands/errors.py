"""Errors that end a subcommand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import click

from papan.game.base import sentences
from papan.game.base.sentences import Value


class Refusal(click.ClickException):
    """A request that can't be met; the message is a sentence that says why."""


class Failure(click.ClickException):
    """The program failed; the message is a sentence that says what happened."""


def refusal(text: str, /, **values: Value) -> Refusal:
    """A ``Refusal`` whose message is the marked *text* with its *values*."""
    return Refusal(sentences.say(text, **values))


def failure(text: str, /, **values: Value) -> Failure:
    """A ``Failure`` whose message is the marked *text* with its *values*."""
    return Failure(sentences.say(text, **values))


@contextmanager
def _converting(into: type[click.ClickException], errors: tuple[type[Exception], ...]) -> Iterator[None]:
    """Turn *errors*, whose messages are sentences, into an exception that ends the command.

    With several in one ``with``, the last one acts first; this matters if one error class is a subclass of another.
    """
    try:
        yield
    except errors as error:
        raise into(str(error)) from None


def refusing(*errors: type[Exception]) -> AbstractContextManager[None]:
    """A context that turns *errors* into refusals."""
    return _converting(Refusal, errors)


def failing(*errors: type[Exception]) -> AbstractContextManager[None]:
    """A context that turns *errors* into failures."""
    return _converting(Failure, errors)
