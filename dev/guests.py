"""Guests that play random steps at a host's table, for trials, benchmarks and tests.

``python -m dev.guests LINK SEED STEPS`` is one as a process: it plays a match, and prints its record.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from random import Random

from papan.game.catalogue import find
from papan.game.game import Game
from papan.game.match import Match, record
from papan.online.guest import GuestLink, Link
from papan.online.invitation import read_invitation
from papan.online.loop import LoopThread
from papan.online.mirror import MirrorMatch, checked_record
from papan.online.protocol import (
    Answer,
    Ask,
    GuestMessage,
    HostMessage,
    Over,
    Play,
    Refused,
    Resign,
    Round,
    Update,
)

_UNDO, _RESIGN = 0.02, 0.002
"""How often a guest asks for an undo, or resigns, when it is to move."""


class RandomGuest:
    """What a guest's program knows of its table, and what it plays there."""

    def __init__(
        self,
        link: Link,
        seed: int,
        *,
        game_named: Callable[[str], Game] = find,
        is_calm: bool = True,
        most_steps: int | None = None,
    ) -> None:
        """
        :param is_calm: never ask for an undo, and never resign.
        :param most_steps: resign a match that is longer.
        """
        self.link, self._random, self._game_named, self.is_calm = link, Random(seed), game_named, is_calm
        self._most_steps = most_steps
        self.begun: Round | None = None
        self.mirror: MirrorMatch | None = None
        self.update: Update | None = None
        self.finished: dict[int, Match] = {}
        """The matches that have ended, as the host's records tell them, by round."""
        self.rounds = 1
        """How many to play; after each but the last, it asks for a rematch."""
        self._asked_at = -1

    def work(self, *, is_playing: bool = True) -> None:
        """Take up the news, then play if it is to move; raises UntrueError for what can't be."""
        for message in self.link.poll():
            self.take(message)
        for request in self.requests() if is_playing else ():
            self.link.send(request)

    def take(self, message: HostMessage) -> None:
        if isinstance(message, Round):
            welcome = self.link.welcome
            assert welcome is not None
            self.mirror = MirrorMatch(self._game_named(welcome.game), welcome.options, message)
            self.begun, self.update, self._asked_at = message, None, -1
        elif isinstance(message, Update) and self.mirror is not None:
            self.mirror.follow(message)
            self.update = message
        elif isinstance(message, Over) and self.mirror is not None and self.begun is not None:
            self._asked_at = -1
            assert self.link.welcome is not None
            self.finished[message.round] = checked_record(
                self.mirror, self.begun, message, self.link.share, self.link.welcome.member
            )
        elif isinstance(message, Refused):
            self._asked_at = -1

    def requests(self) -> Iterator[GuestMessage]:
        """What it asks for now, once for each update."""
        update, mirror, begun = self.update, self.mirror, self.begun
        if update is None or mirror is None or begun is None or begun.seat < 0 or self._asked_at == update.revision:
            return
        self._asked_at = update.revision
        if mirror.ending is not None:
            if begun.number not in self.finished:
                return  # it is not yet told what the next round's secret is
            if update.question is not None and update.question[1] != begun.seat:
                yield Answer("rematch", True)
            elif len(self.finished) < self.rounds and update.question is None and begun.seat == 0:
                yield Ask("rematch")
        elif update.question is not None and update.question[1] != begun.seat:
            yield Answer(update.question[0], self._random.random() < 0.8)
        elif mirror.mover == begun.seat:
            chosen = 1.0 if self.is_calm else self._random.random()
            if chosen < _RESIGN or (self._most_steps is not None and len(mirror.steps) > self._most_steps):
                yield Resign(begun.number)
            elif chosen < _UNDO and mirror.steps:
                yield Ask("undo")
            else:
                yield Play(begun.number, len(mirror.steps), self._random.choice(mirror.legal_steps()))


def main(link: str, seed: int, most_steps: int) -> None:
    loop = LoopThread()
    guest = RandomGuest(
        GuestLink(loop, read_invitation(link), f"Guest {seed}"), seed, is_calm=False, most_steps=most_steps
    )
    while not guest.finished and guest.link.state.standing != "ended":
        guest.work()
        time.sleep(0.01)
    sys.stdout.write("".join(record.write(match) for match in guest.finished.values()))
    sys.stdout.flush()
    guest.link.close()
    loop.close()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
