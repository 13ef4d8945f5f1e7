"""``engine``: runs Papan as an engine in another program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from papan.commands import fields
from papan.commands.common import command, command_words, option
from papan.commands.errors import Refusal, refusal, refusing
from papan.game.base.sentences import alternatives, say
from papan.game.base.untrusted import quoted
from papan.game.game import Game, OptionError
from papan.lab.printing import show


@dataclass(frozen=True)
class EngineRequest:
    game: Game = fields.THE_GAME
    protocol: str = option(
        "uci, ucci, gomocup, nboard, gtp or ugi; default: ugi.", default="ugi", show_default=False, metavar="NAME"
    )
    notation: str | None = option(
        "How the other program numbers xiangqi's ranks over uci: 1-10 or 0-9; default: found out from its moves.",
        metavar="NAME",
    )
    position: str | None = fields.POSITION
    options: dict[str, str] = fields.GAME_OPTIONS


@command(EngineRequest)
def engine(asked: EngineRequest) -> None:
    """Play GAME as an engine in another program.

    Reads the protocol's commands from the standard input and answers on the standard output.
    """
    from papan.ai.engines.dialect import dialects_of
    from papan.ai.engines.server import LONGEST_LINE, Refused, protocol_class
    from papan.game.kernel.compile_process import compile_elsewhere, compile_here

    if asked.position is not None:
        raise refusal("The other program sets the position through the protocol: omit --position.")
    spoken = dialects_of(asked.game)
    if asked.protocol not in spoken:
        known = ", ".join(spoken)
        raise Refusal(
            say(
                "{game} can be played through {known}, not through {protocol}.",
                game=asked.game.title,
                known=known,
                protocol=quoted(asked.protocol),
            )
            if known
            else say(
                "{game} can't be played in another program: it has hidden information, or is not for two players.",
                game=asked.game.title,
            )
        )
    dialect = spoken[asked.protocol]
    if asked.notation is not None:
        chosen = dialect.called(asked.notation)
        if chosen is None:
            raise _no_such_notation(asked.protocol, dialect.notations)
        dialect = chosen
    with refusing(OptionError, Refused):
        asked.game.complete_options(asked.options)
        answering = protocol_class(asked.protocol)(asked.game, dialect, asked.options, show)
    if sys.stdin is None:  # a windowed program on Windows without a console
        raise refusal("The standard input is closed: this command is meant to be started by another program.")
    compile_elsewhere([*command_words(), "compile-kernels"])  # so that plain Python thinks undisturbed meanwhile
    for line in _lines(sys.stdin.buffer, LONGEST_LINE):
        if line:
            answering.take(line)
        if answering.has_ended:
            break
    compile_here()
    if not answering.close():  # a compilation can't be interrupted, and blocks Python's orderly end
        os._exit(0)


def _no_such_notation(protocol: str, known: Sequence[str]) -> Refusal:
    if not known:
        return refusal("{protocol} has no notation to choose: omit --notation.", protocol=protocol)
    return refusal("The notation must be {known}.", known=alternatives(known))


def _lines(stream: BinaryIO, longest: int) -> Iterator[str]:
    """The stripped lines of *stream*, skipping those of more than *longest* bytes."""
    while read := stream.readline(longest):
        is_too_long = len(read) == longest and not read.endswith(b"\n")
        while is_too_long and read and not read.endswith(b"\n"):
            read = stream.readline(longest)
        if not is_too_long:
            yield read.decode(errors="replace").strip()
