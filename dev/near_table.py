"""A table of people who sit at one window: a host's rules without connections, for pictures and tests of scenes."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random

from papan.game.game import Game
from papan.game.match import Match
from papan.online.guest import LinkState
from papan.online.mirror import Shares
from papan.online.protocol import Answer, Ask, GuestMessage, HostMessage, Phrase, Play, Refused, Resign
from papan.online.table import Member, Plan, Refusal, Seen, Table


class NearLink:
    """The ``Link`` of a member; None: of a spectator."""

    def __init__(self, near: NearTable, member: int | None) -> None:
        self.state = LinkState("open", latency=0.02)
        self.welcome = near.table.welcome(member)
        self.sent: list[GuestMessage] = []
        self.words: list[HostMessage] = []
        self._near, self._member, self._seen, self._shares = near, member, Seen(-1), Shares()
        if member is not None:
            near.table.arrived(member)
            near.table.join(member, near.names[member], self._shares.joining(self.welcome))

    @property
    def share(self) -> bytes | None:
        return self._shares.given

    def poll(self) -> list[HostMessage]:
        if self.state.standing != "open":
            return []
        told = [*self._near.table.news(self._seen, self._member), *self.words]
        self.words.clear()
        return [message for message in told if self._shares.take(message)]

    def send(self, message: GuestMessage) -> None:
        if self.state.standing != "open" or self._member is None:
            return
        self.sent.append(message)
        table = self._near.table
        if isinstance(message, Phrase):
            said = table.said(self._member, message)
            for link in self._near.links if said is not None else ():
                link.words.append(said)  # type: ignore[arg-type]
        elif isinstance(message, Play | Ask | Answer | Resign):
            try:
                table.act(self._member, self._shares.filled(message))  # type: ignore[arg-type]
            except Refusal as refusal:
                self.words.append(Refused(refusal.why))

    def close(self) -> None:
        self.state = LinkState("ended")
        if self._member is not None:
            self._near.table.left(self._member)


class NearTable:
    """A table whose round has begun."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        *,
        computers: Sequence[int] = (),
        control: str = "",
        pauses: bool = True,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """:param computers: the members that the host's computer plays."""
        members = [Member(name, player="random" if at in computers else "") for at, name in enumerate(names)]
        plan = Plan(game.name, members, {"first": "1"}, names[0], control=control, pauses=pauses, secret=bytes(32))
        self.names = names
        self.table = Table(plan, game, now=now)
        self.links: list[NearLink] = []
        for at in range(len(names)):
            if at not in computers:
                self.links.append(NearLink(self, at))

    def watch(self) -> NearLink:
        """The link of a further spectator."""
        self.links.append(NearLink(self, None))
        return self.links[-1]

    @property
    def match(self) -> Match:
        assert self.table.match is not None
        return self.table.match

    def play(self, steps: int, seed: int = 1) -> None:
        """Play random steps of all members: *steps*, or as many as there are before the end."""
        random = Random(seed)
        for _ in range(steps):
            if self.match.ending is None:
                self.table.play_step(random.choice(self.match.legal_steps()))
