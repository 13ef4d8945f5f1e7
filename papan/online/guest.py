"""A guest's connection to a host's table, which comes back by itself after it was lost."""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from papan.game.base.sentences import SentenceError, say
from papan.game.catalogue import find
from papan.game.game import Game, OptionError
from papan.online.certificates import guest_context
from papan.online.host import Chair, Held, Host
from papan.online.invitation import Address, Invitation, name_of, proof
from papan.online.loop import LoopThread
from papan.online.mirror import Shares, UntrueError
from papan.online.protocol import (
    MOST_FROM_HOST,
    PROTOCOL,
    Challenge,
    Farewell,
    Gone,
    GuestMessage,
    Hello,
    HostMessage,
    Join,
    Over,
    Proof,
    ProtocolError,
    Round,
    Waiting,
    Welcome,
    from_host,
    written,
)
from papan.online.same_game import digest_of

log = logging.getLogger(__name__)

_OPENING_SECONDS = 10.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 10.0
_PING_SECONDS, _PING_PATIENCE = 5.0, 15.0
_MOST_BYTES_WAITING, _POLLING_SECONDS = 1 << 21, 0.02
BAD_LATENCY = 0.4
"""Seconds there and back, from which on a person is told."""

Standing = Literal["connecting", "open", "lost", "ended"]


@dataclass(frozen=True)
class LinkState:
    """How a connection stands."""

    standing: Standing
    trouble: str = ""
    """Why it is lost or ended, as a sentence."""
    latency: float = 0.0
    """Seconds there and back; 0: not measured."""
    address: str = ""


class Link(Protocol):
    """What a table's scene needs of a connection. Everything returns at once."""

    @property
    def state(self) -> LinkState:
        """How it stands now."""

    @property
    def welcome(self) -> Welcome | None:
        """What is played; None until that is known."""

    @property
    def share(self) -> bytes | None:
        """This guest's part of the seed of the round that is played, for ``checked_record``; None if it gave none."""

    def poll(self) -> list[HostMessage]:
        """What came since the last call."""

    def send(self, message: GuestMessage) -> None:
        """Tell the host; lost if the connection is. Fills in the shares of questions and answers."""

    def close(self) -> None:
        """Leave; the seat stays taken."""


class _Place(Link):
    """What both kinds of links have: what came, and the last of it for those who take no messages.

    It is written on the loop's thread alone.
    """

    waiting: Waiting | None = None
    round: Round | None = None
    is_over = False
    """Whether that round has ended."""
    _welcome: Welcome | None = None

    def __init__(self, wake: Callable[[], None], left: Callable[[], None]) -> None:
        self._wake, self._left = wake, left
        self._lock = threading.Lock()
        self._came: deque[HostMessage] = deque()
        self._bytes = 0
        """Of the messages that came over a network."""
        self._shares = Shares()

    @property
    def welcome(self) -> Welcome | None:
        return self._welcome

    @property
    def share(self) -> bytes | None:
        return self._shares.given

    def poll(self) -> list[HostMessage]:
        with self._lock:
            came = list(self._came)
            self._came.clear()
            self._bytes = 0
        return came

    def _take(self, message: HostMessage, size: int = 0) -> None:
        """Take up what the host tells in so many bytes.

        :raises UntrueError: it can't be.
        """
        if not self._shares.take(message):
            return
        with self._lock:
            self._came.append(message)
            self._bytes += size
        if isinstance(message, Waiting):
            self.waiting = message
        elif isinstance(message, Round):
            self.round, self.is_over = message, False
        elif isinstance(message, Over):
            self.is_over = True
        self._wake()


class GuestError(SentenceError):
    """The host's table can't be joined, and trying again is no use."""


_FAREWELLS: dict[Farewell, str] = {
    "elsewhere": say("This seat was taken up at another window with the same invitation."),
    "removed": say("The host does not know this invitation, or has made it void."),
    "closed": say("The host has closed the table."),
    "version": say("The host's program is of another version. Both of you need the same."),
    "not understood": say("The host's program did not understand this one. Both of you need the same version."),
    "too slow": say("The connection is too slow."),
    "full": say("The host can take no more connections."),
    "far": say("The host lets in only guests from its own network."),
}
_COMES_BACK: frozenset[Farewell] = frozenset({"too slow", "full"})


class _Connecting(connect):
    """A connection to the address of the invitation, and to no other that is named there."""

    def process_redirect(self, exc: Exception) -> Exception:
        return exc


class GuestLink(_Place):
    """A seat, or a spectator's place, at another program's table."""

    def __init__(
        self,
        loop: LoopThread,
        invitation: Invitation,
        name: str,
        *,
        wake: Callable[[], None] = lambda: None,
        game_named: Callable[[str], Game] = find,
        look_up: Callable[[bytes], Sequence[Address]] = lambda _name: (),
        left: Callable[[], None] = lambda: None,
    ) -> None:
        """
        :param name: as others see it.
        :param wake: called on the loop's thread when there is something to ``poll``.
        :param look_up: more addresses for an invitation's name, such as those found on the local network.
        :param left: called once ``close`` is.
        """
        super().__init__(wake, left)
        self._loop, self.invitation, self._name = loop, invitation, name
        self._game_named, self._look_up = game_named, look_up
        self._state = LinkState("connecting")
        self._window = secrets.token_bytes(8)
        self._connection: ClientConnection | None = None
        self._task = loop.run(self._stay())

    @property
    def state(self) -> LinkState:
        with self._lock:
            connection = self._connection
            latency = float(connection.latency) if connection is not None else 0.0
            return replace(self._state, latency=latency)

    def send(self, message: GuestMessage) -> None:
        self._loop.run(self._send(message))

    def close(self) -> None:
        self._loop.run(self._leave())
        self._left()

    async def _send(self, message: GuestMessage) -> None:
        connection = self._connection
        if connection is not None:
            with suppress(ConnectionClosed):  # what was asked is asked again, or not, by the one who asked
                await connection.send(written(self._shares.filled(message)))

    async def _leave(self) -> None:
        self._set(LinkState("ended"))
        await self._send(Gone("closed"))
        self._task.cancel()

    def _set(self, state: LinkState) -> None:
        with self._lock:
            self._state = state
        self._wake()

    async def _stay(self) -> None:
        """Connect, and connect again after a loss, until the host or the person ends it."""
        pause, trouble = _FIRST_PAUSE, ""
        while True:
            for address in self._addresses():
                began = time.monotonic()
                try:
                    async with asyncio.timeout(_OPENING_SECONDS):
                        connection = await self._open(address)
                    await self._talk(connection, address)
                    trouble = say("The connection to the host is lost.")
                except GuestError as error:
                    self._set(LinkState("ended", str(error)))
                    return
                except (ConnectionClosed, ProtocolError):
                    trouble = say("The connection to the host is lost.")
                except (OSError, TimeoutError, InvalidHandshake, InvalidURI):
                    trouble = say("Nobody answers at {address}.", address=str(address))
                except asyncio.CancelledError:
                    raise
                except Exception:
                    log.exception("The connection to a host broke")
                    trouble = say("The connection to the host is lost.")
                finally:
                    with self._lock:
                        self._connection = None
                if time.monotonic() - began > _LONGEST_PAUSE:
                    pause = _FIRST_PAUSE
                self._set(LinkState("lost" if self._welcome else "connecting", trouble))
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _addresses(self) -> list[Address]:
        """Where to try now; if nowhere, the state says so."""
        found = dict.fromkeys((*self.invitation.addresses, *self._look_up(name_of(self.invitation.key))))
        if not found:
            trouble = say("No table with this code was found on this network. Ask for the link, which has the address.")
            self._set(LinkState("lost" if self._welcome else "connecting", trouble))
        return list(found)

    async def _open(self, address: Address) -> ClientConnection:
        return await _Connecting(
            f"wss://{address}/", ssl=guest_context(), max_size=MOST_FROM_HOST, max_queue=8, compression=None,
            ping_interval=_PING_SECONDS, ping_timeout=_PING_PATIENCE, close_timeout=2.0, proxy=None,
            user_agent_header=None, open_timeout=None,
        )  # fmt: skip

    async def _talk(self, connection: ClientConnection, address: Address) -> None:
        try:
            await self._greet(connection)
            with self._lock:
                self._connection = connection
            self._set(LinkState("open", address=str(address)))
            async for text in connection:
                message = from_host(text)
                if isinstance(message, Gone):
                    self._take_farewell(message)
                    return
                try:
                    self._take(message, len(text))
                except UntrueError as error:
                    raise GuestError(str(error)) from None
                while self._bytes > _MOST_BYTES_WAITING:  # nobody polls
                    await asyncio.sleep(_POLLING_SECONDS)
        except (ProtocolError, GuestError):
            connection.transport.abort()  # a host that breaks the protocol may not close in order either
            raise
        finally:
            await connection.close()

    async def _greet(self, connection: ClientConnection) -> None:
        key = self.invitation.key
        certificate = connection.transport.get_extra_info("ssl_object").getpeercert(binary_form=True) or b""
        nonce = secrets.token_bytes(16)
        async with asyncio.timeout(_OPENING_SECONDS):
            with suppress(ConnectionClosed):  # which came with a farewell
                await connection.send(written(Hello(name_of(key), nonce)))
            challenge = from_host(await connection.recv())
            if isinstance(challenge, Gone):
                self._take_farewell(challenge)
            if not isinstance(challenge, Challenge):
                raise ProtocolError
            if challenge.protocol != PROTOCOL:
                raise GuestError(_FAREWELLS["version"])
            wanted = proof(key, "host", certificate, nonce, challenge.nonce)
            if not hmac.compare_digest(wanted, challenge.proof):
                raise GuestError.saying("Another program than your host's answers there. Nothing was told to it.")
            await connection.send(written(Proof(proof(key, "guest", certificate, nonce, challenge.nonce))))
            welcome = from_host(await connection.recv())
            if isinstance(welcome, Gone):
                self._take_farewell(welcome)
            if not isinstance(welcome, Welcome):
                raise ProtocolError
        before = self._welcome
        if before is None:
            await asyncio.to_thread(check_same_game, welcome, self._game_named)
        elif (before.digest, before.options, before.member) != (welcome.digest, welcome.options, welcome.member):
            raise GuestError.saying("The host has another table now, so you have left it.")
        self._welcome = welcome
        await connection.send(written(Join(self._name, self._shares.joining(welcome), self._window)))

    def _take_farewell(self, gone: Gone) -> None:
        if gone.why not in _COMES_BACK:
            raise GuestError(_FAREWELLS[gone.why])
        raise ProtocolError(_FAREWELLS[gone.why])


def check_same_game(welcome: Welcome, game_named: Callable[[str], Game]) -> None:
    """:raises GuestError: this program has another game of that name, or none."""
    try:
        game = game_named(welcome.game)
        digest = digest_of(game, welcome.options)
    except (LookupError, OptionError, SentenceError, ValueError):
        raise GuestError.saying(
            "This program has no game {game}, or not with those options.", game=welcome.game
        ) from None
    if digest != welcome.digest:
        raise GuestError.saying(
            "The host plays {game} by other rules than this program. Both of you need the same version of the game.",
            game=game.title,
        )


class OwnLink(_Place):
    """The host's window's own place at a table of its program."""

    def __init__(
        self,
        loop: LoopThread,
        host: Host,
        held: Held,
        member: int | None,
        name: str,
        *,
        wake: Callable[[], None] = lambda: None,
        left: Callable[[], None] = lambda: None,
    ) -> None:
        """:param left: called once ``close`` is."""
        super().__init__(wake, left)
        self._loop, self._host, self._held = loop, host, held
        self._is_closed = False
        self._welcome = held.table.welcome(member)
        self._chair: Chair | None = None
        loop.run(self._stay(member, name, self._welcome))

    @property
    def state(self) -> LinkState:
        return LinkState("ended" if self._is_closed else "open")

    def send(self, message: GuestMessage) -> None:
        self._loop.soon(self._act, message)

    def close(self) -> None:
        self._is_closed = True
        self._loop.soon(self._leave)
        self._left()

    def _act(self, message: GuestMessage) -> None:
        if self._chair is not None:
            self._host.act(self._held, self._chair, self._shares.filled(message))

    def _leave(self) -> None:
        if self._chair is not None:
            self._chair.stop("closed")

    async def _stay(self, member: int | None, name: str, welcome: Welcome) -> None:
        chair = self._chair = self._host.sit(self._held, member)
        self._host.act(self._held, chair, Join(name, self._shares.joining(welcome)))
        try:
            while chair.end is None:
                await chair.news.wait()
                chair.news.clear()
                for message in chair.take():
                    self._take(message)
        except Exception:
            log.exception("The own place at a table is lost")
        finally:
            self._is_closed = True
            self._host.stand_up(self._held, chair)
            self._wake()
