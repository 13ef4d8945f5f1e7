"""``engine``: Papan as a program that plays in other people's windows."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click

from papan.commands.common import Refusal, game_argument, rules_options
from papan.game.base.foreign import quoted
from papan.game.base.sentences import say
from papan.game.facts import Game, OptionError
from papan.lab.printing import show


@click.command()
@game_argument
@click.option("--protocol", metavar="NAME", default="ugi", help="uci, ucci, gomocup, nboard, gtp or ugi; default: ugi.")
@rules_options
def engine(game: Game, protocol: str, position: str | None, options: dict[str, str]) -> None:
    """Play GAME in another program's window.

    Its questions are read from the standard input, and answered on the standard output, as the protocol says.
    """
    from papan.ai.engines.answering import LONGEST_LINE, Refused, protocol_class
    from papan.ai.engines.dialect import dialects_of

    if position is not None:
        raise Refusal(say("A position is told by the other program, in its protocol: leave --position away."))
    spoken = dialects_of(game)
    if protocol not in spoken:
        known = ", ".join(spoken)
        raise Refusal(
            say(
                "{game} is played by {known}, not by {protocol}.",
                game=game.title,
                known=known,
                protocol=quoted(protocol),
            )
            if known
            else say(
                "{game} can't be played by another program's window: it hides something, or is not for two.",
                game=game.title,
            )
        )
    try:
        game.complete_options(options)
        answering = protocol_class(protocol)(game, spoken[protocol], options, show)
    except (OptionError, Refused) as error:
        raise Refusal(str(error)) from None
    if sys.stdin is None:  # a windowed program on Windows that nobody talks to
        raise Refusal(say("There is nobody to talk to: another program starts this command."))
    for line in _lines(sys.stdin.buffer, LONGEST_LINE):
        if line:
            answering.take(line)
        if answering.has_ended:
            break
    if not answering.close():  # a compilation can't be interrupted, and Python can't end in order beside one
        os._exit(0)


def _lines(stream: BinaryIO, longest: int) -> Iterator[str]:
    """The lines of *stream* without the white space around them, but for those of more than *longest* bytes."""
    while read := stream.readline(longest):
        is_too_long = len(read) == longest and not read.endswith(b"\n")
        while is_too_long and read and not read.endswith(b"\n"):
            read = stream.readline(longest)
        if not is_too_long:
            yield read.decode(errors="replace").strip()
