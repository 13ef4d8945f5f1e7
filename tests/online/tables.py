"""Tables for tests: with a clock that the test turns, and places that are read and act without a connection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.online.guest import LinkState
from papan.online.mirror import MirrorMatch, Shares
from papan.online.protocol import (
    Answer,
    Ask,
    GuestMessage,
    HostMessage,
    Play,
    Refused,
    Resign,
    Round,
    Update,
    Waiting,
    Welcome,
    from_guest,
    from_host,
    written,
)
from papan.online.table import Member, Note, Plan, Refusal, Seen, Table

SECRET = b"s" * 32


class Now:
    """A clock that the test turns."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds

    def turn(self, seconds: float, table: Table) -> None:
        """Let *seconds* pass, and the table look at its clock as often as a host does."""
        for _ in range(round(seconds / 0.5)):
            self.seconds += 0.5
            table.tick()


class Place:
    """A place at a table: a ``Link`` without a connection. All that it reads and says goes through the protocol."""

    begun: Round
    mirror: MirrorMatch
    update: Update
    waiting: Waiting

    def __init__(self, table: Table, member: int | None) -> None:
        self.table, self.member = table, member
        self.seen, self.shares = Seen(-1), Shares()
        self.welcome: Welcome | None = table.welcome(member)
        self.texts: list[str] = []
        """All that was read."""
        self._refused: list[HostMessage] = []
        self.closed = False

    @property
    def state(self) -> LinkState:
        return LinkState("open")

    @property
    def share(self) -> bytes | None:
        return self.shares.given

    def close(self) -> None:
        self.closed = True

    def sit(self, name: str) -> Place:
        assert self.member is not None and self.welcome is not None
        self.table.arrived(self.member)
        self.table.join(self.member, name, self.shares.joining(self.welcome))
        return self

    def poll(self) -> list[HostMessage]:
        told = [written(message) for message in [*self.table.news(self.seen, self.member), *self._refused]]
        self._refused.clear()
        self.texts += told
        return [message for message in map(from_host, told) if self.shares.take(message)]

    def send(self, message: GuestMessage) -> None:
        try:
            self.act(message)
        except Refusal as refusal:
            self._refused.append(Refused(refusal.why))

    def act(self, message: GuestMessage) -> None:
        """As ``send``, but raises what is refused."""
        request = from_guest(written(self.shares.filled(message)))
        assert isinstance(request, Play | Ask | Answer | Resign) and self.member is not None
        self.table.act(self.member, request)

    def read(self) -> Place:
        """Take up all news."""
        for message in self.poll():
            if isinstance(message, Round):
                self.begun = message
                self.mirror = MirrorMatch(self.table.game, self.table.options, message)
            elif isinstance(message, Update):
                self.mirror.follow(message)
                self.update = message
            elif isinstance(message, Waiting):
                self.waiting = message
        return self

    @property
    def seat(self) -> int:
        assert self.member is not None
        return self.table.seat_of(self.member)

    def play(self, step: int | None = None) -> int:
        """Play *step*, or the first legal one."""
        match = match_of(self.table)
        chosen = match.legal_steps()[0] if step is None else step
        self.act(Play(self.table.round, len(match.steps), chosen))
        return chosen


def match_of(table: Table) -> Match:
    assert table.match is not None
    return table.match


def table_of(
    game: str = "connect-four",
    seats: int = 2,
    *,
    computers: Sequence[int] = (),
    now: Now | None = None,
    notes: list[Note] | None = None,
    options: dict[str, str] | None = None,
    **plan: object,
) -> Table:
    members = [Member(f"P{n}", b"", "random" if n in computers else "") for n in range(seats)]
    made = Plan(game, members, {"first": "1"} if options is None else options, "Host", secret=SECRET, **plan)  # type: ignore[arg-type]
    kept = notes if notes is not None else []
    return Table(made, GAMES[game], now=now or Now(), note=kept.append)


def seated(table: Table) -> list[Place]:
    """A place for each person, all of them sitting."""
    persons = [n for n, one in enumerate(table.plan.members) if one.is_person]
    return [Place(table, member).sit(f"P{member}") for member in persons]


def in_order(places: Iterable[Place]) -> Iterator[Place]:
    """*places* in the order of play."""
    return iter(sorted(places, key=lambda place: place.seat))


def mover_of(places: Sequence[Place]) -> Place:
    return next(place for place in places if place.seat == match_of(place.table).mover)
