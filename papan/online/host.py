"""The host: it listens for guests, lets in those with an invitation, and tells each what its seat may see.

All of it runs on the loop's thread. A connection is told what holds when it can take it, so a slow reader misses what
came between, holds up nobody, and needs no memory.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import logging
import secrets
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from papan.ai.limits import Analysis
from papan.ai.players import Player, make_player, situation
from papan.ai.players.situations import agrees_to_draw
from papan.game.catalogue import find
from papan.game.game import Game, OptionError
from papan.game.match import Match
from papan.online.certificates import new_certificate
from papan.online.invitation import DEFAULT_PORT, Address, Invitation, name_of, proof
from papan.online.journal import Journal, read_journal
from papan.online.protocol import (
    MOST_FROM_GUEST,
    PROTOCOL,
    Answer,
    Ask,
    Challenge,
    Farewell,
    Gone,
    GuestMessage,
    Hello,
    HostMessage,
    Join,
    Phrase,
    Play,
    Proof,
    ProtocolError,
    Refused,
    Resign,
    from_guest,
    written,
)
from papan.online.table import Note, Plan, Refusal, Seen, Table, TableError

log = logging.getLogger(__name__)

Reach = Literal["this machine", "local network", "anywhere"]
IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_GREETING_SECONDS, _SENDING_SECONDS = 10.0, 20.0
_WRONG_SECONDS, _MOST_WRONG, _WRONG_PERIOD = 1.0, 3, 3600.0
_MOST_PLACES, _NETWORK_BYTES = 10_000, 8
_MOST_CONNECTIONS = 1000
"""Of those who have proven that they are invited."""
_MOST_UNPROVEN, _MOST_OF_ONE, _SLOW_SECONDS = 200, 32, 2.0
"""The most connections that have proven nothing yet, and from when on so many of one address are too many."""
_JOINING_SECONDS, _CLOSING_SECONDS, _FAREWELL_SECONDS = 30.0, 3.0, 2.0
_BURST, _MESSAGES_PER_SECOND = 40, 20.0
_PING_SECONDS, _PING_PATIENCE = 5.0, 15.0
_TICK_SECONDS = 0.5
_PLAYERS_AT_ONCE = 2
_MORE_PORTS = 10


class Doorkeeper:
    """Who may try: after three wrong keys, an address is refused for an hour; of IPv6, its network of 64 bits.

    Who says nothing gives way to others: of connections that have proven nothing, only so many stay open.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._wrong: dict[bytes, deque[float]] = {}
        self._unproven: dict[Arrival, tuple[bytes, float]] = {}
        """Where from and since when, the oldest first."""

    def arrived(self, arrival: Arrival, address: IPAddress) -> None:
        """Count *arrival*, which has proven nothing yet, and cut off the oldest of too many."""
        now, place = self._now(), _place(address)
        self._unproven[arrival] = place, now
        same = [(one, since) for one, (its_place, since) in self._unproven.items() if its_place == place]
        for one, since in same[:-_MOST_OF_ONE]:
            if now - since > _SLOW_SECONDS:
                self.cut_off(one)
        if len(self._unproven) > _MOST_UNPROVEN:
            self.cut_off(next(iter(self._unproven)))

    def passed(self, arrival: Arrival) -> None:
        """*arrival* has proven that it is invited, or has gone."""
        self._unproven.pop(arrival, None)

    def cut_off(self, *arrivals: Arrival) -> None:
        """Close *arrivals* without a word; default: all that have proven nothing."""
        for arrival in arrivals or [*self._unproven]:
            self.passed(arrival)
            arrival.bare.abort()

    def refuses(self, address: IPAddress) -> bool:
        since = self._now() - _WRONG_PERIOD
        return sum(at > since for at in self._wrong.get(_place(address), ())) >= _MOST_WRONG

    def wrong(self, address: IPAddress) -> None:
        if len(self._wrong) > _MOST_PLACES:
            self._wrong.pop(next(iter(self._wrong)))
        self._wrong.setdefault(_place(address), deque(maxlen=_MOST_WRONG)).append(self._now())


def _place(address: IPAddress) -> bytes:
    return address.packed[: _NETWORK_BYTES if address.version == 6 else None]


def _address_of(transport: asyncio.BaseTransport) -> IPAddress | None:
    """Where a connection comes from, an IPv4 address where it is one; None if it is gone already."""
    try:
        address = ipaddress.ip_address(transport.get_extra_info("peername")[0].partition("%")[0])
    except (TypeError, ValueError, OSError):
        return None
    mapped = address.ipv4_mapped if address.version == 6 else None
    return mapped or address


class Arrival(ServerConnection):
    """A connection that the doorkeeper knows before it has spoken TLS."""

    bare: asyncio.Transport

    def __init__(self, context: ssl.SSLContext, doorkeeper: Doorkeeper, *facts: Any, **more: Any) -> None:
        super().__init__(*facts, **more)
        self._context, self._doorkeeper = context, doorkeeper
        self._is_secure, self._early = False, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.bare = transport
        address = _address_of(transport)
        if address is None:
            transport.abort()
            return
        self._doorkeeper.arrived(self, address)
        self._securing = self.loop.create_task(self._secure())

    async def _secure(self) -> None:
        secured = None
        with suppress(OSError):  # which an error of TLS is, too
            secured = await self.loop.start_tls(
                self.bare, self, self._context, server_side=True, ssl_handshake_timeout=_GREETING_SECONDS,
                ssl_shutdown_timeout=_FAREWELL_SECONDS,
            )  # fmt: skip
        if secured is None:
            self._doorkeeper.passed(self)
            return
        self._is_secure = True
        super().connection_made(secured)
        if self._early:
            super().data_received(self._early)

    def data_received(self, data: bytes) -> None:
        if self._is_secure:
            super().data_received(data)
        else:
            self._early += data  # what came together with the end of the handshake

    def eof_received(self) -> None:
        if self._is_secure:
            super().eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._doorkeeper.passed(self)
        if self._is_secure:
            super().connection_lost(exc)


def _socket(port: int, *, is_for_others: bool) -> socket.socket:
    """A socket that listens at *port*; 0: at any. It takes IPv6 too, where the system has it."""
    if is_for_others and socket.has_dualstack_ipv6():
        with suppress(OSError):
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True)
    return socket.create_server(("" if is_for_others else "127.0.0.1", port))


@dataclass(eq=False)
class Chair:
    """A connection to a table: of a guest, or of the host's own window."""

    table: Table
    member: int | None
    seen: Seen = field(default_factory=lambda: Seen(-1))
    news: asyncio.Event = field(default_factory=asyncio.Event)
    words: deque[HostMessage] = field(default_factory=lambda: deque(maxlen=20))
    """What is told once, beside what holds."""
    end: Farewell | None = None

    def take(self) -> list[HostMessage]:
        """What the connection is to be told now."""
        told = [*self.table.news(self.seen, self.member)]
        while self.words:
            told.append(self.words.popleft())
        return told

    def stop(self, why: Farewell) -> None:
        self.end = self.end or why
        self.news.set()


@dataclass(eq=False)
class Held:
    """A table that is open, and who is connected to it."""

    table: Table
    journal: Journal | None
    chairs: list[Chair] = field(default_factory=list)
    players: dict[int, Player] = field(default_factory=dict)
    """Of the computers, by member."""
    analyses: dict[int, Analysis] = field(default_factory=dict)
    """The computers' last ones, by member."""
    thinking: asyncio.Task[None] | None = None


Opened = tuple[Held, int | None, bytes]
"""What an invitation opens: a table, and there a member's seat or, for None, a spectator's place; and its key."""


class Host:
    """Tables, and the door to them. Call everything on the loop's thread."""

    def __init__(
        self,
        *,
        folder: Path | None = None,
        doorkeeper: Doorkeeper | None = None,
        finished: Callable[[Match], None] = lambda _: None,
    ) -> None:
        """
        :param folder: of the tables' files; default: the program's.
        :param finished: keeps a match that has ended; called again after ``reopen``.
        """
        self.folder, self._finished = folder, finished
        self.tables: list[Held] = []
        self.port = 0
        """Where it listens; 0: it does not."""
        self.reach: Reach = "local network"
        self._doorkeeper = doorkeeper or Doorkeeper()
        self._servers: list[Server] = []
        self._is_for_others = False
        """Whether one of these listens to other machines."""
        self._made: tuple[ssl.SSLContext, bytes] | None = None
        self._certificate = b""
        self._keys: dict[bytes, Opened] = {}
        """What each invitation opens, by ``name_of`` its key."""
        self._pool: ThreadPoolExecutor | None = None
        self._ticking: asyncio.Task[None] | None = None
        self._connections = 0

    async def listen(self, reach: Reach = "local network", port: int = DEFAULT_PORT) -> int:
        """Listen, at one of the next ports if *port* is taken, else at any free one; return the port.

        Called again, it changes who can come; a port for others is a second one after one for this machine alone.
        """
        self.reach = reach
        is_for_others = reach != "this machine"
        if self._servers and (self._is_for_others or not is_for_others):
            return self.port
        if self._made is None:
            self._made = await asyncio.to_thread(new_certificate)
        context, self._certificate = self._made
        for wanted in (*range(port, port + _MORE_PORTS if port else 0), 0):
            try:
                listening = _socket(wanted, is_for_others=is_for_others)
                break
            except OSError:
                if not wanted:
                    raise
        arrive = partial(Arrival, context, self._doorkeeper)
        server = await serve(
            self._serve, sock=listening, create_connection=arrive,  # type: ignore[arg-type]  # it wants a class
            max_size=MOST_FROM_GUEST, max_queue=4, compression=None, ping_interval=_PING_SECONDS,
            ping_timeout=_PING_PATIENCE, open_timeout=_GREETING_SECONDS, close_timeout=_FAREWELL_SECONDS,
            server_header=None, logger=_QUIET,
        )  # fmt: skip
        self._servers.append(server)
        self._is_for_others = is_for_others
        self.port = int(listening.getsockname()[1])
        return self.port

    async def close(self) -> None:
        """Tell everybody, and stop listening; tables stay in their files."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None
        tables = list(self.tables)
        for held in tables:
            self._dismiss(held)
        with suppress(TimeoutError):
            async with asyncio.timeout(_CLOSING_SECONDS):
                while any(held.chairs for held in tables):
                    await asyncio.sleep(0.01)
        for server in self._servers:
            server.close()
        self._doorkeeper.cut_off()
        for server in self._servers:
            await server.wait_closed()
        self._servers.clear()
        self._is_for_others, self._made = False, None
        for held in tables:
            self.drop(held)
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
        self.port = 0

    # Tables

    def open(self, plan: Plan, game: Game | None = None) -> Held:
        """A new table, kept in a file from now on.

        :raises TableError: there can't be such a table.
        :raises OSError: its file can't be made.
        """
        for member in plan.members:
            if member.is_person and not member.key:
                member.key = secrets.token_bytes(16)
        held = self._held(plan, game)
        held.journal = Journal.new(plan, self.folder)
        return self._take(held)

    def reopen(self, file: Path) -> Held:
        """The table whose file is *file*, as it was.

        :raises TableError: the file has none, or it is open already.
        :raises OSError: it can't be continued.
        """
        try:
            journal = Journal(file)
        except TimeoutError:
            raise TableError.saying("The table is open already, here or in another window.") from None
        try:
            found = read_journal(file)
            if found is None:
                raise TableError.saying("The file of the table can't be read.")
            held = self._held(found[0], None)
            held.journal = journal
            held.table.resume(found[1])
        except BaseException:
            journal.close()
            raise
        return self._take(held)

    def _held(self, plan: Plan, game: Game | None) -> Held:
        held: Held

        def note(note: Note) -> None:
            if held.journal is not None:
                held.journal.keep(note)

        try:
            game = game or find(plan.game)
        except OptionError as error:
            raise TableError(str(error)) from error
        table = Table(
            plan, game, now=time.monotonic, note=note, changed=lambda _: self._tell(held), finished=self._finished
        )
        held = Held(table, None)
        return held

    def _take(self, held: Held) -> Held:
        self.tables.append(held)
        self._know(held)
        if self._ticking is None and held.table.plan.control:
            self._ticking = asyncio.get_running_loop().create_task(self._tick())
        return held

    def _know(self, held: Held) -> None:
        plan = held.table.plan
        self._keys = {name: known for name, known in self._keys.items() if known[0] is not held}
        for number, member in enumerate(plan.members):
            if member.is_person:
                self._keys[name_of(member.key)] = held, number, member.key
        if plan.watchers:
            self._keys[name_of(plan.watchers)] = held, None, plan.watchers

    def replanned(self, held: Held) -> None:
        """The plan of *held* has changed: a key, a name."""
        if held.journal is not None:
            held.journal.keep(held.table.plan)
        self._know(held)
        self._tell(held)

    def remove(self, held: Held, member: int) -> None:
        """Close *member*'s connection, and make the seat's invitation void."""
        held.table.invite_anew(member)
        self.replanned(held)
        for chair in held.chairs:
            if chair.member == member:
                chair.stop("removed")

    def drop(self, held: Held, *, forget: bool = False) -> None:
        """Close *held*; its file stays unless *forget*."""
        self._dismiss(held)
        self._keys = {name: known for name, known in self._keys.items() if known[0] is not held}
        if held in self.tables:
            self.tables.remove(held)
        if held.journal is not None:
            held.journal.delete() if forget else held.journal.close()
            held.journal = None

    def _dismiss(self, held: Held) -> None:
        """Send everybody away."""
        for chair in held.chairs:
            chair.stop("closed")
        if held.thinking is not None:
            held.thinking.cancel()
        for player in held.players.values():
            player.stop()

    def sit(self, held: Held, member: int | None) -> Chair:
        """A connection of this program's own window."""
        chair = Chair(held.table, member)
        held.chairs.append(chair)
        if member is not None:
            held.table.arrived(member)
        chair.news.set()
        return chair

    def stand_up(self, held: Held, chair: Chair) -> None:
        if chair in held.chairs:
            held.chairs.remove(chair)
            if chair.member is not None:
                held.table.left(chair.member)

    def act(self, held: Held, chair: Chair, message: GuestMessage) -> None:
        """What *chair* asks for."""
        member = chair.member
        if member is None:
            return
        if isinstance(message, Phrase):
            if (said := held.table.said(member, message)) is not None:
                for other in held.chairs:
                    other.words.append(said)
                    other.news.set()
        elif isinstance(message, Join):
            held.table.join(member, message.name, message.share)
        elif isinstance(message, Play | Ask | Answer | Resign):
            try:
                held.table.act(member, message)
            except Refusal as refusal:
                chair.words.append(Refused(refusal.why))
                chair.seen.revision = -1  # so that the next update says what holds
                chair.news.set()

    def _tell(self, held: Held) -> None:
        for chair in held.chairs:
            chair.news.set()
        table = held.table
        asked = table.computer_asked
        if asked is not None and table.match is not None:
            seat = table.seat_of(asked)
            table.act(asked, Answer("draw", agrees_to_draw(table.match, seat, held.analyses.get(asked))))
        if table.computer_due is not None and held.thinking is None:
            held.thinking = asyncio.get_running_loop().create_task(self._think(held))

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            for held in self.tables:
                held.table.tick()

    async def _think(self, held: Held) -> None:
        """Let the computer to move choose its step, again if the match changed meanwhile."""
        loop, table = asyncio.get_running_loop(), held.table
        self._pool = self._pool or ThreadPoolExecutor(_PLAYERS_AT_ONCE, "online player")
        try:
            while (member := table.computer_due) is not None and table.match is not None:
                match, steps, seat = table.match, len(table.match.steps), table.match.mover
                try:
                    player = held.players.get(member)
                    if player is None:
                        name = table.plan.members[member].player
                        player = held.players[member] = make_player(name, table.game, compact=True)
                    asked = situation(match)
                    if table.clock is not None:
                        most = table.clock.most(seat)
                        asked = replace(asked, seconds=table.clock.allowance(seat), most_seconds=most)
                    analysis = await loop.run_in_executor(self._pool, player.choose, asked)
                    step = analysis.step
                except Exception:
                    log.exception("The computer in seat %d can't go on", seat + 1)
                    analysis, step = None, None
                if table.match is not match or len(match.steps) != steps or match.ending is not None:
                    continue
                if analysis is None or step not in match.legal_steps():
                    table.forfeit(seat)
                else:
                    held.analyses[member] = analysis
                    table.play_step(analysis.step)
        finally:
            held.thinking = None

    # The door

    async def _serve(self, connection: ServerConnection) -> None:
        address = _address_of(connection.transport)
        if address is None or not self._reaches(address):
            await _say_farewell(connection, "far")
        elif self._doorkeeper.refuses(address):
            await _say_farewell(connection, "removed")
        elif self._connections >= _MOST_CONNECTIONS:
            await _say_farewell(connection, "full")
        else:
            try:
                await self._let_in(connection, address)
            except ConnectionClosed:
                pass
            except ProtocolError:
                await _say_farewell(connection, "not understood")
            except TimeoutError:
                await _say_farewell(connection, "too slow")

    def _reaches(self, address: IPAddress) -> bool:
        if self.reach == "anywhere" or address.is_loopback:
            return True
        return self.reach == "local network" and (address.is_private or address.is_link_local)

    async def _let_in(self, connection: ServerConnection, address: IPAddress) -> None:
        async with asyncio.timeout(_GREETING_SECONDS):
            hello = from_guest(await connection.recv())
            if not isinstance(hello, Hello):
                raise ProtocolError
            if hello.protocol != PROTOCOL:
                await _say_farewell(connection, "version")
                return
            known = self._keys.get(hello.id)
            if known is None or not await self._proves(connection, hello, known[2]):
                self._doorkeeper.wrong(address)
                known = None
        if known is None or self._doorkeeper.refuses(address) or self._keys.get(hello.id) is not known:
            await asyncio.sleep(_WRONG_SECONDS)
            await _say_farewell(connection, "removed")
            return
        assert isinstance(connection, Arrival)
        self._doorkeeper.passed(connection)
        self._connections += 1
        try:
            await self._welcome(connection, hello, known)
        finally:
            self._connections -= 1

    async def _welcome(self, connection: ServerConnection, hello: Hello, known: Opened) -> None:
        """Let the guest sit down who has proven to be invited."""
        held, member, _ = known
        await connection.send(written(held.table.welcome(member)))
        async with asyncio.timeout(_JOINING_SECONDS):
            join = from_guest(await connection.recv())
        if not isinstance(join, Join):
            raise ProtocolError
        if member is not None and not held.table.takes(member, join.window):
            await _say_farewell(connection, "elsewhere")
        elif self._keys.get(hello.id) is known:
            await self._seat(connection, held, Chair(held.table, member), join)
        else:
            await _say_farewell(connection, "removed")

    async def _proves(self, connection: ServerConnection, hello: Hello, key: bytes) -> bool:
        """Prove that this program made the invitation, and return whether the guest proves that it has it."""
        nonce = secrets.token_bytes(16)
        mine = proof(key, "host", self._certificate, hello.nonce, nonce)
        await connection.send(written(Challenge(nonce, mine)))
        theirs = from_guest(await connection.recv())
        wanted = proof(key, "guest", self._certificate, hello.nonce, nonce)
        return isinstance(theirs, Proof) and hmac.compare_digest(theirs.proof, wanted)

    async def _seat(self, connection: ServerConnection, held: Held, chair: Chair, join: Join) -> None:
        if chair.member is not None:
            for other in held.chairs:
                if other.member == chair.member:
                    other.stop("elsewhere")
        held.chairs.append(chair)
        if chair.member is not None:
            held.table.arrived(chair.member)
        self.act(held, chair, join)
        chair.news.set()
        telling = asyncio.get_running_loop().create_task(self._keep_telling(connection, chair))
        try:
            await self._listen_to(connection, held, chair)
        finally:
            telling.cancel()
            self.stand_up(held, chair)

    async def _keep_telling(self, connection: ServerConnection, chair: Chair) -> None:
        try:
            while True:
                await chair.news.wait()
                chair.news.clear()
                async with asyncio.timeout(_SENDING_SECONDS):
                    for message in chair.take():
                        await connection.send(written(message))
                if chair.end is not None:
                    await _say_farewell(connection, chair.end, is_read=True)
                    return
        except ConnectionClosed:
            pass
        except TimeoutError:
            await _say_farewell(connection, "too slow", is_read=True)
        except Exception:
            log.exception("A guest could not be told")
            await connection.close(1011)

    async def _listen_to(self, connection: ServerConnection, held: Held, chair: Chair) -> None:
        allowed, last = float(_BURST), time.monotonic()
        async for text in connection:
            now = time.monotonic()
            allowed = min(float(_BURST), allowed + (now - last) * _MESSAGES_PER_SECOND) - 1.0
            last = now
            if allowed < 0:
                await asyncio.sleep(-allowed / _MESSAGES_PER_SECOND)
            message = from_guest(text)
            if isinstance(message, Hello | Proof | Join):
                raise ProtocolError
            if isinstance(message, Gone):
                return
            if chair.end is None:
                self.act(held, chair, message)


async def _say_farewell(connection: ServerConnection, why: Farewell, *, is_read: bool = False) -> None:
    """Tell why, and close.

    :param is_read: whether what the guest says is still read elsewhere.
    """
    try:
        async with asyncio.timeout(_FAREWELL_SECONDS):
            await connection.send(written(Gone(why)))
            closing = asyncio.ensure_future(connection.close(1000))
            if not is_read:
                async for _ in connection:
                    """What waits to be read would hold back the guest's own farewell."""
            await closing
    except (ConnectionClosed, TimeoutError):
        connection.transport.abort()


def invitation_to(held: Held, member: int | None, addresses: Sequence[Address]) -> Invitation:
    """The invitation of *member*, or of spectators."""
    plan = held.table.plan
    return Invitation(plan.members[member].key if member is not None else plan.watchers, tuple(addresses))


_QUIET = logging.getLogger("papan.online.websockets")
_QUIET.setLevel(logging.ERROR)
