"""Tables of a real host on this machine, and windows' sessions at them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from papan.game.catalogue import GALLERY
from papan.game.match import Match
from papan.game.match.library import SavedMatch
from papan.online.guest import GuestLink, Link, LinkState, OwnLink
from papan.online.host import Held, Host, invitation_to
from papan.online.invitation import Address
from papan.online.loop import LoopThread
from papan.online.protocol import GuestMessage, HostMessage, Round, Welcome
from papan.online.table import Member, Plan
from papan.ui.play.online_session import OnlineSession
from tests.ui.at_table import Told
from tests.waiting import wait_for


class Cable:
    """A link that can be cut, held up, or made to tell something else."""

    def __init__(self, link: Link) -> None:
        self.link = link
        self.is_cut = False
        self.waiting: list[HostMessage] = []
        self.change: Callable[[HostMessage], HostMessage] = lambda message: message
        self.sent: list[GuestMessage] = []

    @property
    def state(self) -> LinkState:
        state = self.link.state
        return replace(state, standing="lost", trouble="The cable is pulled.") if self.is_cut else state

    @property
    def welcome(self) -> Welcome | None:
        return self.link.welcome

    @property
    def share(self) -> bytes | None:
        return self.link.share

    def poll(self) -> list[HostMessage]:
        self.waiting += self.link.poll()
        if self.is_cut:
            return []
        came, self.waiting = self.waiting, []
        return [self.change(message) for message in came]

    def send(self, message: GuestMessage) -> None:
        self.sent.append(message)
        if not self.is_cut:
            self.link.send(message)

    def close(self) -> None:
        self.link.close()


class Player:
    """One window's session at a table, without the window."""

    def __init__(self, link: Link, **more: Any) -> None:
        self.cable, self.more = Cable(link), more
        self.came: deque[HostMessage] = deque()
        self.session: OnlineSession | None = None
        self.rounds: list[OnlineSession] = []
        self.kept: list[tuple[Match, bool]] = []

    def _keep(self, match: Match, is_late: bool) -> SavedMatch | None:
        self.kept.append((match, is_late))
        return None

    def _sit(self, _old: OnlineSession | None = None) -> None:
        welcome = self.cable.welcome
        assert welcome is not None
        self.session = OnlineSession(
            GALLERY[welcome.game], self.cable, self.came, Told(), begin_saving=self._keep, begin_next=self._sit,
            **self.more,
        )  # fmt: skip
        self.rounds.append(self.session)
        self.session.begin()

    def tick(self) -> None:
        """A frame, in which animations end at once."""
        if self.session is not None:
            self.session.tick()
            assert self.session is not None
            self.session.finish_showing()
            return
        self.came.extend(self.cable.poll())
        while self.came and not isinstance(self.came[0], Round):
            self.came.popleft()
        if self.came:
            self._sit()

    @property
    def is_due(self) -> bool:
        session = self.session
        return session is not None and session.turn.due in ("choosing", "completing")

    def play(self, random: Random, steps: Iterator[int] | None = None) -> None:
        """Play the next of *steps*, else any legal step, if it is this seat's turn."""
        session = self.session
        if session is not None and self.is_due:
            legal, step = session.match.legal_steps(), next(steps or iter(()), None)
            session.choose(step if step in legal else random.choice(legal))


class Hosted:
    """A host, and all who sit at one of its tables."""

    def __init__(self, folder: Path) -> None:
        self.loop = LoopThread()
        self.host = Host(folder=folder)
        self.port = self.loop.run(self.host.listen("this machine", 0)).result(10)
        self.players: list[Player] = []
        self.held: Held

    def open(self, game: str, seats: int = 2, **plan: Any) -> list[Player]:
        """Players at a new table of *game*: the host's own first, then guests."""
        members = plan.pop("members", None) or [Member(f"seat {number}") for number in range(seats)]
        made = Plan(game, members, plan.pop("options", {"first": "1"}), "Host", **plan)

        async def opened() -> Held:
            return self.host.open(made)

        self.held = self.loop.run(opened()).result(10)
        own = OwnLink(self.loop, self.host, self.held, 0, "Ada")
        self.players = [Player(own)]
        for number, member in enumerate(members[1:], start=1):
            if member.is_person:
                self.add(number, ("Ben", "Cleo", "Dora")[number - 1])
        return self.players

    def add(self, member: int | None, name: str, **more: Any) -> Player:
        """A guest in the seat of *member*; None: a spectator."""
        invitation = invitation_to(self.held, member, [Address("127.0.0.1", self.port)])
        link = GuestLink(self.loop, invitation, name)
        self.players.append(Player(link, **more))
        return self.players[-1]

    def until(
        self,
        holds: Callable[[], object],
        what: str = "it",
        random: Random | None = None,
        steps: Iterator[int] | None = None,
    ) -> None:
        """Let frames pass until *holds*; with *random*, all play, *steps* first."""

        def look() -> bool:
            for player in self.players:
                player.tick()
                if random is not None:
                    player.play(random, steps)
            return bool(holds())

        wait_for(look, what)

    def begin(self) -> list[OnlineSession]:
        """The sessions of all, once the round has begun and everybody is there."""
        self.until(lambda: all(one.session is not None for one in self.players), "the round")
        sessions = self.sessions
        self.until(lambda: all(all(one.present) for one in sessions), "everybody")
        return sessions

    @property
    def sessions(self) -> list[OnlineSession]:
        return [player.session for player in self.players if player.session is not None]

    def play_out(self, seed: int = 1, steps: Iterator[int] | None = None) -> None:
        """Play the round to its end, and until all know the whole match."""
        random = Random(seed)
        self.until(lambda: all(one.is_revealed for one in self.sessions), "the end", random, steps)

    def close(self) -> None:
        for session in self.sessions:
            session.close()
        self.loop.run(self.host.close()).result(10)
        self.loop.close()
