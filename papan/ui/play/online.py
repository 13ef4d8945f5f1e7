"""Friends at other screens: the tables of this program, and the seats that its person has elsewhere.

The window asks here, and gets a value or a future at once. All else happens on the loop's thread, where the libraries
for connections are loaded too, at the first use.
"""

from __future__ import annotations

import contextlib
import getpass
import logging
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from papan.game.base.places import atomic_file, data_folder, make_private_folder
from papan.game.base.sentences import SentenceError
from papan.game.base.sqlite import in_words
from papan.game.base.untrusted import UnreadableError, read_file

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from papan.game.game import Game
    from papan.online.discovery import Announced, Discovery
    from papan.online.guest import GuestLink, OwnLink
    from papan.online.host import Held, Host, Reach
    from papan.online.invitation import Address, Invitation
    from papan.online.loop import LoopThread
    from papan.online.table import Plan

log = logging.getLogger(__name__)

T = TypeVar("T")

ELSEWHERE = "elsewhere"
"""The name, among players, of a friend at another screen."""
LONGEST_NAME = 20
_SEATS_FILE = "seats.json"
_MOST_SEATS, _MOST_BYTES = 30, 200_000
_CLOSING_SECONDS = 2.0
_LINK = "papan:join/"


class OnlineError(SentenceError):
    """A table that can't be opened."""


@dataclass(frozen=True)
class Unfinished:
    """A match to take up again: at a table of this program, or at a friend's."""

    game: str
    names: tuple[str, ...]
    """Of the others."""
    is_begun: bool
    changed: datetime
    file: str = ""
    """The table's, of this program."""
    link: str = ""
    """The invitation, of a friend's."""
    own_name: str = ""


@dataclass(eq=False)
class OpenTable:
    """A table of this program that friends can come to."""

    held: Held
    link: OwnLink
    port: int
    addresses: tuple[Address, ...] = ()
    """Where friends find it, without what a person adds."""

    @property
    def plan(self) -> Plan:
        return self.held.table.plan

    def has_come(self, member: int) -> bool:
        """Whether *member* has taken the seat and is connected."""
        return self.held.table.is_present(member)

    def invitation(self, member: int | None, extra: Sequence[Address] = ()) -> Invitation:
        """The invitation of *member*, or of spectators, with the addresses *extra* first."""
        from papan.online.invitation import Invitation

        key = self.plan.watchers if member is None else self.plan.members[member].key
        return Invitation(key, tuple(dict.fromkeys((*extra, *self.addresses))))


@dataclass
class _Watched:
    """A seat elsewhere, and what of it is in the file."""

    name: str
    link: GuestLink | None = None
    standing: str = ""
    kept: Unfinished | None = None


class Online:
    """One for the program. Nothing is loaded, nothing listens and nothing is looked for before somebody asks."""

    def __init__(self, call_soon: Callable[[Callable[[], None]], object], folder: Path | None = None) -> None:
        """:param call_soon: calls a function on the window's thread, and so wakes it.
        :param folder: of the tables' files and of the seats' file; default: the program's.
        """
        self.soon = call_soon
        """Calls a function on the window's thread; may be called from any thread."""
        self._folder = folder
        self._loop: LoopThread | None = None
        self._host: Host | None = None
        self._discovery: Discovery | None = None
        self._open_tables: list[OpenTable] = []
        self._seats: list[_Watched] = []
        self._is_looking = False
        self.unfinished: Sequence[Unfinished] = ()
        """The matches to take up again, as far as ``look`` has read them, the last played first."""
        self.changes = 0
        """A number that grows with each change of ``unfinished``."""

    # ------------------------------------------------------------------------- on the window's thread

    @property
    def loop(self) -> LoopThread:
        from papan.online.loop import LoopThread

        if self._loop is None:
            self._loop = LoopThread()
        return self._loop

    @property
    def is_listening(self) -> bool:
        """Whether guests can connect."""
        return self._host is not None and self._host.port != 0

    @property
    def found(self) -> Sequence[Announced]:
        """The tables found on the local network."""
        return self._discovery.found if self._discovery is not None else ()

    @property
    def trouble(self) -> str:
        """Why no tables can be found on the local network, as a sentence; "" if they can."""
        return self._discovery.trouble if self._discovery is not None else ""

    def prepare(self) -> None:
        """Load the libraries for connections."""
        self._run(_load())

    def look(self) -> None:
        """Read ``unfinished`` anew, if there is anything to read."""
        from_before = self._data / _SEATS_FILE
        if self._loop is not None or from_before.exists() or any(self._tables.glob("*.table")):
            self._run(self._look())

    def open(self, plan: Plan, reach: Reach) -> Future[OpenTable]:
        """Open a table and listen for guests.

        The future raises a ``SentenceError``: there can't be such a table, or it can't listen.
        """
        return self._run(self._open(plan, reach))

    def reopen(self, file: Path, reach: Reach) -> Future[OpenTable]:
        """Open the table again whose file is *file*; errors as for ``open``."""
        return self._run(self._open(file, reach))

    def set_reach(self, table: OpenTable, reach: Reach) -> None:
        self._run(self._set_reach(table, reach))

    def let_watch(self, table: OpenTable, may_watch: bool) -> Future[None]:
        """Make an invitation for spectators, or make it void."""
        return self._run(self._let_watch(table, may_watch))

    def rename(self, table: OpenTable, name: str, *, pauses: bool) -> None:
        """Set the host's name, and whether clocks wait for people who are away."""
        self._run(self._rename(table, name, pauses))

    def discard(self, table: OpenTable) -> None:
        """Close *table* and delete its file, so that its invitations are void."""
        self._run(self._close_table(table.held, forgets=True))

    def remove(self, table: OpenTable, seat: int) -> Future[None]:
        """Close the connection of *seat* of the round, and make its invitation void."""
        return self._run(self._remove(table, seat))

    def join(self, invitation: Invitation, name: str) -> GuestLink:
        """Take a seat, or look on, at a friend's table."""
        from papan.online.guest import GuestLink

        seat = _Watched(name)
        seat.link = GuestLink(
            self.loop, invitation, name, wake=lambda: self._note(seat), look_up=self._look_up,
            left=lambda: self._seat_left(seat),
        )  # fmt: skip
        self._seats.append(seat)
        self._run(self._browse())
        self._run(self._look())
        return seat.link

    def look_for_tables(self, is_looking: bool) -> None:
        """Look for tables on the local network from now on, or no longer."""
        self._is_looking = is_looking
        self._run(self._browse())

    def forget(self, unfinished: Unfinished) -> None:
        """Delete what is kept of *unfinished*."""
        self._run(self._forget(unfinished))

    def close(self) -> None:
        """Close all tables and connections; what is unfinished stays in its files."""
        if self._loop is None:
            return
        try:
            self._run(self._close()).result(_CLOSING_SECONDS)
        except Exception as error:
            log.info("The connections were not closed in time: %r", error)
        self._loop.close()
        self._loop = None

    # ---------------------------------------------------------------------------- on the loop's thread

    @property
    def _data(self) -> Path:
        return self._folder or data_folder()

    @property
    def _tables(self) -> Path:
        return self._data / "tables"

    def _wake(self) -> None:
        self.soon(lambda: None)

    def _run(self, work: Coroutine[object, object, T]) -> Future[T]:
        future = self.loop.run(work)
        future.add_done_callback(self._done)
        return future

    def _done(self, future: Future[T]) -> None:
        error = None if future.cancelled() else future.exception()
        if error is not None and not isinstance(error, SentenceError):
            log.error("A task of the connections failed", exc_info=error)
        self._wake()

    async def _open(self, wanted: Plan | Path, reach: Reach) -> OpenTable:
        from papan.online.guest import OwnLink
        from papan.online.host import Host

        if self._host is None:
            self._host = Host(folder=self._tables)
        host, held = self._host, None
        try:
            await host.listen(reach)
            held = host.reopen(wanted) if isinstance(wanted, Path) else host.open(wanted)
        except OSError as error:
            raise OnlineError.saying("The table can't be opened: {reason}.", reason=in_words(error)) from None
        finally:
            if held is None and not host.tables:
                await host.close()
        plan, opened = held.table.plan, held
        own = plan.members[plan.own].name if plan.own is not None else plan.host
        link = OwnLink(self.loop, host, held, plan.own, own, wake=self._hosted, left=lambda: self._table_left(opened))
        table = OpenTable(held, link, host.port, _addresses(reach, host.port))
        self._open_tables.append(table)
        log.info("A table is open at port %d", host.port)
        await self._look()
        self.loop.run(self._announce())
        return table

    async def _set_reach(self, table: OpenTable, reach: Reach) -> None:
        assert self._host is not None
        table.port = await self._host.listen(reach)
        table.addresses = _addresses(reach, table.port)
        await self._announce()

    async def _let_watch(self, table: OpenTable, may_watch: bool) -> None:
        table.plan.watchers = secrets.token_bytes(16) if may_watch else b""
        self._replanned(table)
        await self._announce()

    async def _remove(self, table: OpenTable, seat: int) -> None:
        assert self._host is not None
        self._host.remove(table.held, table.held.table.order[seat])
        await self._announce()

    async def _rename(self, table: OpenTable, name: str, pauses: bool) -> None:
        plan = table.plan
        plan.host, plan.pauses = name, pauses
        if plan.own is not None:
            table.held.table.rename(plan.own, name)
        self._replanned(table)
        await self._announce()

    def _replanned(self, table: OpenTable) -> None:
        if self._host is not None and table.held in self._host.tables:
            self._host.replanned(table.held)

    def _hosted(self) -> None:
        """Something has happened at a table of this program."""
        self.loop.run(self._announce())
        self._wake()

    async def _announce(self) -> None:
        from papan.online.discovery import announcement

        told = []
        if self._host is not None and self._host.reach != "this machine":
            found = (announcement(one.held.table, one.addresses) for one in self._open_tables)
            told = [one for one in found if one is not None]
        if told or self._discovery is not None:
            await self._discovered().announce(told)

    def _discovered(self) -> Discovery:
        from papan.online.discovery import Discovery

        if self._discovery is None:
            self._discovery = Discovery(self._wake)
        return self._discovery

    async def _browse(self) -> None:
        await _load()
        is_wanted = self._is_looking or any(one.standing in ("", "connecting", "lost") for one in self._seats)
        if is_wanted or self._discovery is not None:
            await self._discovered().browse(is_wanted)

    def _look_up(self, name: bytes) -> list[Address]:
        return [address for table in self.found if name in table.seats for address in table.addresses]

    def _table_left(self, held: Held) -> None:
        self._run(self._close_table(held))

    async def _close_table(self, held: Held, *, forgets: bool = False) -> None:
        """Close the table *held*; its file stays while the match is unfinished, unless the host *forgets* it."""
        host = self._host
        if host is None or held not in host.tables:
            return
        match = held.table.match
        self._open_tables = [table for table in self._open_tables if table.held is not held]
        host.drop(held, forget=forgets or (match is not None and match.ending is not None))
        if not host.tables:
            await host.close()
        await self._announce()
        await self._look()

    def _note(self, seat: _Watched) -> None:
        """Keep *seat* in the file while it can be taken up again."""
        link = seat.link
        if link is None:
            return
        welcome, begun, state = link.welcome, link.round, link.state
        if welcome is not None and not link.is_over and state.standing != "ended":
            names = begun.names if begun is not None else link.waiting.names if link.waiting is not None else []
            others = tuple(dict.fromkeys([welcome.host, *(name for name in names if name != seat.name)]))
            kept = Unfinished(
                welcome.game, others, begun is not None, datetime.now(UTC),
                link=_with_address(link.invitation, state.address), own_name=seat.name,
            )  # fmt: skip
            if seat.kept is None or replace(kept, changed=seat.kept.changed, link=seat.kept.link) != seat.kept:
                seat.kept = kept
                self._write_seats([kept, *self._seats_but(link.invitation.code)])
        if state.standing != seat.standing:
            seat.standing = state.standing
            self.loop.run(self._browse())
        self._wake()

    def _seat_left(self, seat: _Watched) -> None:
        self._run(self._left(seat))

    async def _left(self, seat: _Watched) -> None:
        if seat in self._seats:
            self._seats.remove(seat)
        if seat.link is not None and seat.link.is_over:
            self._write_seats(self._seats_but(seat.link.invitation.code))
        await self._browse()
        await self._look()

    async def _forget(self, unfinished: Unfinished) -> None:
        if unfinished.file:
            with contextlib.suppress(OSError):
                Path(unfinished.file).unlink()
        else:
            self._write_seats([one for one in self._read_seats() if one.link != unfinished.link])
        await self._look()

    def _seats_but(self, code: str) -> list[Unfinished]:
        return [one for one in self._read_seats() if code not in one.link]

    async def _look(self) -> None:
        tables = self._host.tables if self._host is not None else ()
        files = {str(held.journal.file) for held in tables if held.journal is not None}
        codes = [seat.link.invitation.code for seat in self._seats if seat.link is not None]
        found = [one for one in self._read_seats() if not any(code in one.link for code in codes)]
        found += [table for table in _kept(self._tables) if table.file not in files]
        self.unfinished = tuple(sorted(found, key=lambda one: one.changed, reverse=True))
        self.changes += 1

    def _read_seats(self) -> list[Unfinished]:
        import msgspec

        if not (self._data / _SEATS_FILE).exists():
            return []
        try:
            content = read_file(self._data / _SEATS_FILE, _MOST_BYTES)
            return msgspec.json.decode(content, type=list[Unfinished])
        except (OSError, UnreadableError, msgspec.MsgspecError, ValueError) as error:
            log.warning("The seats elsewhere can't be read: %s", error)
            return []

    def _write_seats(self, seats: Sequence[Unfinished]) -> None:
        import msgspec

        try:
            make_private_folder(self._data)
            with atomic_file(self._data / _SEATS_FILE, is_private=True) as file:
                file.write(msgspec.json.encode(list(seats[:_MOST_SEATS])))
        except OSError as error:
            log.warning("The seats elsewhere can't be kept: %s", error)

    async def _close(self) -> None:
        for seat in [*self._seats]:
            if seat.link is not None:
                seat.link.close()
            await self._left(seat)
        if self._host is not None:
            for held in [*self._host.tables]:
                await self._close_table(held)
        if self._discovery is not None:
            await self._discovery.close()


def is_invitation(text: str) -> bool:
    """Whether *text* begins as the link of an invitation does."""
    return text.lstrip()[:16].lower().startswith(_LINK)


def can_be_elsewhere(game: Game) -> bool:
    """Whether persons at different screens can play *game*."""
    return max(game.seats) > 1 and not (game.has_hidden_information and game.has_chance)


def usual_name() -> str:
    """The name of the person's account, as far as it can be shown; "" for none."""
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
    return "".join(sign for sign in name if sign.isprintable())[:LONGEST_NAME].strip()


def read_code(text: str) -> Invitation:
    """Read a link, or a code, perhaps with an address behind it.

    :raises papan.online.invitation.InvitationError: *text* is none of these.
    """
    from papan.online.invitation import read_address, read_invitation

    *words, last = text.split() or [""]
    if words and any(sign in last for sign in ".:") and not is_invitation(text):
        return replace(read_invitation(" ".join(words)), addresses=(read_address(last),))
    return read_invitation(text)


def _addresses(reach: Reach, port: int) -> tuple[Address, ...]:
    from papan.online.addresses import own_addresses
    from papan.online.invitation import Address

    found = ("127.0.0.1",) if reach == "this machine" else own_addresses()
    return tuple(Address(one, port) for one in found)


def _kept(folder: Path) -> list[Unfinished]:
    """The tables in *folder*."""
    from papan.online.journal import kept_tables, read_journal

    found = []
    for file in kept_tables(folder):
        known = read_journal(file)
        if known is None:
            continue
        plan, notes = known
        for note in notes:
            if note.joined is not None and note.joined[0] < len(plan.members):
                plan.members[note.joined[0]].name = note.joined[1]
        others = tuple(one.name for number, one in enumerate(plan.members) if number != plan.own)
        is_begun = any(note.shares for note in notes)
        changed = datetime.fromtimestamp(file.stat().st_mtime, UTC)
        found.append(Unfinished(plan.game, others, is_begun, changed, file=str(file), own_name=plan.host))
    return found


def _with_address(invitation: Invitation, address: str) -> str:
    """The link of *invitation*, also with the *address* where its table was found."""
    from papan.online.invitation import read_address

    found = (read_address(address),) if address else ()
    return replace(invitation, addresses=tuple(dict.fromkeys((*found, *invitation.addresses)))).link


async def _load() -> None:
    """Load the libraries for connections, on the loop's thread."""
    import papan.online.discovery
    import papan.online.guest  # noqa: F401
