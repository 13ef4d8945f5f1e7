"""Find out which protocol a program speaks, by starting it and trying one after the other."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from papan.ai.engines import EngineError
from papan.ai.engines.client import protocol_class
from papan.ai.engines.dialect import PROTOCOLS, UGI, dialects_of
from papan.ai.engines.options import EngineOption
from papan.ai.engines.process import Cancelled, Process, never
from papan.game.base.sentences import Sentence, alternatives, joined, say
from papan.game.base.untrusted import quoted, quoted_report
from papan.game.catalogue import GAMES
from papan.game.game import Game, PartError

FIRST_SECONDS = 10.0
"""Seconds for the answer to the first protocol: at its first start a system reads and checks the program."""
SECONDS = 5.0
"""Seconds for the answer to each other one."""
ONLY_SECONDS = 30.0
"""Seconds for the answer where the protocol is known."""
_REFUSED_SECONDS = 1.0
"""Seconds to go on listening after an answer that seems to refuse the question."""
_VARIANT = "UCI_Variant"
_REFUSES = re.compile(r"^\?|unknown|unrecogni|not recogni|error|illegal|invalid", re.IGNORECASE)


class Trial(NamedTuple):
    """The protocol that is being tried, and which of how many it is."""

    protocol: str
    number: int
    most: int

    @property
    def in_words(self) -> str:
        return say(
            "Trying {protocol}: {number} of {count}.", protocol=self.protocol, number=self.number, count=self.most
        )


@dataclass(frozen=True)
class Recognised:
    protocol: str
    games: tuple[str, ...]
    """The games that it may play: those of the protocol, fewer if its variants tell."""
    name: str = ""
    author: str = ""
    offers: tuple[EngineOption, ...] = ()

    @property
    def in_words(self) -> str:
        if self.name and self.author:
            return say(
                "{name} by {author} speaks {protocol}.", name=self.name, author=self.author, protocol=self.protocol
            )
        return say("{name} speaks {protocol}.", name=self.name or say("The program"), protocol=self.protocol)


class UnrecognisedError(EngineError):
    """A program speaks no protocol that was tried; the message says which were, and what it answered."""


def games_by_protocol(game: str = "") -> Mapping[str, tuple[str, ...]]:
    """The games that can be played through each protocol, UGI last; with *game*, its protocols."""
    found: dict[str, list[str]] = {protocol: [] for protocol in sorted(PROTOCOLS, key=UGI.__eq__)}
    for name in [game] if game else GAMES:
        with suppress(PartError):  # a plugin's
            for protocol in dialects_of(GAMES[name]):
                found[protocol].append(name)
    return {protocol: tuple(games) for protocol, games in found.items() if games}


def recognise(
    command: Sequence[str],
    folder: Path | None = None,
    *,
    game: str = "",
    protocol: str = "",
    tell: Callable[[Trial], object] = lambda trial: None,
    is_cancelled: Callable[[], bool] = never,
    seconds: tuple[float, float] = (FIRST_SECONDS, SECONDS),
) -> Recognised:
    """Start *command* once for each protocol, until it answers as one demands.

    :param game: its game; "" if that is not known.
    :param protocol: the only one to try; "" for all.
    :param tell: called before each trial.
    :param seconds: for the answer to the first protocol, and to each other.
    :raises UnrecognisedError: it answers as none.
    :raises EngineError: it can't be started.
    :raises Cancelled: *is_cancelled* returned true.
    """
    known = games_by_protocol(game)
    if protocol and protocol not in known:
        if game:
            raise UnrecognisedError(_not_through(game, known, quoted(protocol)))
        raise UnrecognisedError.saying(
            "There is no protocol {name}: choose from {known}.", name=quoted(protocol), known=", ".join(known)
        )
    asked = {protocol: known[protocol]} if protocol else known
    others = {} if protocol else {name: games for name, games in games_by_protocol().items() if name not in known}
    tried: dict[str, list[str]] = {}  # the protocols by what came of them
    complaint, has_answered = "", False
    for number, (name, games) in enumerate([*asked.items(), *others.items()]):
        is_other = number >= len(asked)
        if is_other and not has_answered:
            break
        tell(Trial(name, number + 1, len(asked) + is_other * len(others)))
        if is_cancelled():
            raise Cancelled
        process = _Process(say("The program {name}", name=quoted(Path(command[0]).name)), command, folder)
        process.is_cancelled = is_cancelled
        dialect = dialects_of(GAMES[games[0]])[name]
        client = protocol_class(name)(GAMES[games[0]], dialect, process, {})
        try:
            client.introduce(time.monotonic() + (ONLY_SECONDS if protocol else seconds[min(number, 1)]))
            if client.name or not client.must_tell_name:
                fitting = tuple(game for game in games if _offers_variant(GAMES[game], name, client.offers))
                found = Recognised(name, fitting or games, client.name, client.author, tuple(client.offers))
                if is_other:
                    raise UnrecognisedError(joined([found.in_words, _not_through(game, known, name)]))
                return found
            outcome = process.outcome
        except UnrecognisedError:
            raise
        except EngineError as error:
            outcome = str(error)
        finally:
            process.end(client.leaving)
        complaint, has_answered = complaint or process.complaint, has_answered or process.has_answered
        if not is_other:
            tried.setdefault(outcome, []).append(name)
    raise UnrecognisedError(joined(_told(command, game, tried, complaint)))


def _not_through(game: str, known: Iterable[str], protocol: str) -> Sentence:
    return say(
        "{game} can be played through {known}, not through {protocol}.",
        game=GAMES[game].title,
        known=alternatives(known),
        protocol=protocol,
    )


def _offers_variant(game: Game, protocol: str, offers: Sequence[EngineOption]) -> bool:
    """Whether a program with these options plays *game*, by UCI's option for variants; one without needs none."""
    dialect, options = dialects_of(game)[protocol], game.complete_options({})
    needed = [way.settings(options).get(_VARIANT) for way in (dialect, *dialect.others)]
    offered = [choice for offer in offers if offer.name == _VARIANT for choice in offer.choices]
    return any(variant is None or variant in offered for variant in needed)


def _told(command: Sequence[str], game: str, tried: Mapping[str, list[str]], complaint: str) -> Iterator[str]:
    """What was tried, and what came of it."""
    name = quoted(Path(command[0]).name)
    if game:
        yield say("{name} speaks no protocol of {game}.", name=name, game=GAMES[game].title)
    else:
        yield say("{name} speaks no protocol that Papan knows.", name=name)
    for outcome, protocols in tried.items():
        yield say("Tried {protocols}: {outcome}", protocols=", ".join(protocols), outcome=outcome)
    if complaint and not any(complaint in outcome for outcome in tried):
        yield say("It reports {line}.", line=quoted_report(complaint))
    if len(command) == 1:
        yield say("Perhaps it needs an argument, such as -gtp or --mode gtp.")


class _Process(Process):
    """A program that is not waited for any longer once it seems to refuse a question."""

    _last = ""
    _until = float("inf")

    def hear(self, deadline: float) -> str:
        self._last = super().hear(min(deadline, self._until))
        if _REFUSES.search(self._last):
            self._until = min(self._until, time.monotonic() + _REFUSED_SECONDS)
        return self._last

    def _late(self) -> EngineError:
        return EngineError(self.outcome)

    @property
    def has_answered(self) -> bool:
        return bool(self._last)

    @property
    def outcome(self) -> str:
        """The last line that it wrote, as a sentence."""
        if not self._last:
            return say("no answer.")
        return say("the answer was {line}.", line=quoted(self._last))
