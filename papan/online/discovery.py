"""Tables on the local network: a host announces its tables by multicast DNS (RFC 6762, 6763), others list them.

An announcement has the game, the host's name, and the names of the seats' invitations, which tell nobody their keys.
Call everything on the loop's thread. Where multicast is impossible, ``trouble`` says so and nothing else changes.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from zeroconf import Error, InterfaceChoice, ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from papan.game.base.sentences import say
from papan.online.invitation import Address, InvitationError, name_of, read_address
from papan.online.table import Table

log = logging.getLogger(__name__)

SERVICE = "_papan._tcp.local."
MOST_TABLES, _MOST_ADDRESSES, _LONGEST = 40, 8, 40
_RESOLVING_MILLISECONDS = 3000
_SEATS = re.compile(r"[0-9a-f]{16}(,[0-9a-f]{16}){0,8}")


@dataclass(frozen=True)
class Announced:
    """A table as others on the network see it."""

    game: str
    host: str
    """The host's name."""
    seats: frozenset[bytes]
    """The names of the invitations (``invitation.name_of``)."""
    waiting: int
    """How many persons it waits for."""
    addresses: tuple[Address, ...]


def announcement(table: Table, addresses: tuple[Address, ...]) -> Announced | None:
    """The announcement of *table*, which is found at *addresses*; None if nobody can come to it."""
    plan = table.plan
    keys = [plan.members[number].key for number in plan.friends]
    names = frozenset(map(name_of, [*keys, plan.watchers] if plan.watchers else keys))
    if not (addresses and names):
        return None
    waiting = 0 if table.match is not None else sum(not table.is_present(number) for number in plan.friends)
    return Announced(plan.game, plan.host, names, waiting, addresses)


class Discovery:
    """This program's announcements, and the tables that others announce."""

    def __init__(self, changed: Callable[[], None] = lambda: None, interfaces: Sequence[str] | None = None) -> None:
        """:param changed: called when ``found`` or ``trouble`` is new.
        :param interfaces: the addresses of the adapters to use; default: all.
        """
        self.found: tuple[Announced, ...] = ()
        self.trouble = ""
        """Why no tables can be found or announced, as a sentence."""
        self._changed = changed
        self._interfaces = interfaces
        self._responder: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._own: dict[frozenset[bytes], tuple[Announced, ServiceInfo]] = {}
        self._tables: dict[str, Announced] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._lock = asyncio.Lock()

    async def announce(self, tables: Sequence[Announced]) -> None:
        """Announce *tables*, and nothing else any more."""
        async with self._lock:
            await self._announce(tables)

    async def browse(self, is_wanted: bool) -> None:
        """Look for the tables of others from now on, or no longer."""
        async with self._lock:
            await self._browse(is_wanted)

    async def close(self) -> None:
        await self.announce(())
        await self.browse(False)

    async def _announce(self, tables: Sequence[Announced]) -> None:
        wanted = {table.seats: table for table in tables}
        try:
            # All at once: each takes most of a second
            await asyncio.gather(*(self._withdraw(seats) for seats in [*self._own] if seats not in wanted))
            await asyncio.gather(*map(self._offer, wanted.values()))
        except (OSError, Error, RuntimeError) as error:
            self._own.clear()
            self._fail(error)
        await self._close_if_unused()

    async def _withdraw(self, seats: frozenset[bytes]) -> None:
        _table, info = self._own.pop(seats)
        if self._responder is not None:
            await (await self._responder.async_unregister_service(info))

    async def _offer(self, table: Announced) -> None:
        before = self._own.get(table.seats)
        if before is None:
            info = _information(f"papan-{secrets.token_hex(6)}", table)
            self._own[table.seats] = table, info
            await self._opened().async_register_service(info)
        elif before[0] != table:
            info = _information(before[1].name.removesuffix(f".{SERVICE}"), table)
            self._own[table.seats] = table, info
            await self._opened().async_update_service(info)

    async def _browse(self, is_wanted: bool) -> None:
        if is_wanted == (self._browser is not None):
            return
        try:
            if is_wanted:
                responder = self._opened().zeroconf
                await responder.async_wait_for_start()
                self._browser = AsyncServiceBrowser(responder, SERVICE, handlers=[self._note])
            elif self._browser is not None:
                browser, self._browser = self._browser, None
                for task in self._tasks.values():
                    task.cancel()
                self._tasks.clear()
                self._tables.clear()
                await browser.async_cancel()
        except (OSError, Error, RuntimeError) as error:
            self._fail(error)
        self._publish()
        await self._close_if_unused()

    def _opened(self) -> AsyncZeroconf:
        if self._responder is None:
            interfaces = InterfaceChoice.All if self._interfaces is None else list(self._interfaces)
            self._responder = AsyncZeroconf(interfaces)
            self.trouble = ""
        return self._responder

    async def _close_if_unused(self) -> None:
        if self._responder is None or self._own or self._browser is not None:
            return
        responder, self._responder = self._responder, None
        try:
            await responder.async_close()
        except (OSError, Error, RuntimeError) as error:
            log.info("Multicast could not be ended: %s", error)

    def _fail(self, error: Exception) -> None:
        log.info("Multicast on the local network fails: %s", error)
        self.trouble = say(
            "Tables on this network can't be found by themselves here. The link, which has the address, works."
        )
        self._changed()

    def _note(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if any(name == info.name for _table, info in self._own.values()):
            return
        if state_change is ServiceStateChange.Removed:
            self._tables.pop(name, None)
            self._publish()
        elif name not in self._tasks and len({*self._tables, *self._tasks}) < MOST_TABLES:
            self._tasks[name] = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name))

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        try:
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(zeroconf, _RESOLVING_MILLISECONDS):
                table = _table_of(info)
                if table is not None and self._browser is not None:
                    self._tables[name] = table
                    self._publish()
        except (OSError, Error, RuntimeError, ValueError) as error:
            log.info("An announced table can't be read: %s", error)
        finally:
            self._tasks.pop(name, None)

    def _publish(self) -> None:
        found = tuple(self._tables.values())
        if found != self.found:
            self.found = found
            self._changed()


def _information(name: str, table: Announced) -> ServiceInfo:
    properties = {
        "game": table.game,
        "host": table.host,
        "seats": ",".join(sorted(seat.hex() for seat in table.seats)),
        "waiting": str(table.waiting),
    }
    return ServiceInfo(
        SERVICE,
        f"{name}.{SERVICE}",
        port=table.addresses[0].port,
        properties=properties,
        server=f"{name}.local.",
        parsed_addresses=[address.host for address in table.addresses],
    )


def _table_of(info: ServiceInfo) -> Announced | None:
    """The table that a stranger's *info* announces; None if it is none."""
    texts = {}
    for key in ("game", "host", "seats", "waiting"):
        value = info.properties.get(key.encode())
        try:
            texts[key] = (value or b"").decode()
        except UnicodeDecodeError:
            return None
    shown = texts["game"] + texts["host"]
    if not texts["game"] or not texts["host"] or not shown.isprintable():
        return None
    if not _SEATS.fullmatch(texts["seats"]) or not re.fullmatch("[0-8]", texts["waiting"]) or not info.port:
        return None
    addresses = []
    for host in info.parsed_addresses()[:_MOST_ADDRESSES]:
        try:
            addresses.append(Address(read_address(f"[{host}]" if ":" in host else host).host, info.port))
        except InvitationError:
            continue
    seats = frozenset(bytes.fromhex(seat) for seat in texts["seats"].split(","))
    game, host = texts["game"][:_LONGEST], texts["host"][:_LONGEST]
    return Announced(game, host, seats, int(texts["waiting"]), tuple(addresses)) if addresses else None
