"""``host``: holds tables for people elsewhere, without a window."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import click

from papan.commands import fields
from papan.commands.common import GameName, WholeNumber, argument, command, command_words, option, seats_of
from papan.commands.errors import Refusal, failing, refusal, refusing
from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted, read_file, whole_number
from papan.game.game import Game, OptionError
from papan.lab.files import OutputError, check_output, only_writer, unwritable
from papan.lab.printing import show, show_json, show_said

if TYPE_CHECKING:
    from papan.game.match import Match
    from papan.online.discovery import Discovery
    from papan.online.host import Held, Host, Reach
    from papan.online.invitation import Address
    from papan.online.table import Member

REACHES: dict[str, Reach] = {
    "this-machine": "this machine", "local-network": "local network", "anywhere": "anywhere",
}  # fmt: skip
_PATIENCE = 10.0
"""Seconds that the library may take to keep what is left."""
_MOST_BYTES = 100_000_000
"""Of a file of records that is continued."""


def _read_computers(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[int, str]:
    """The pairs ``SEAT=PLAYER`` of ``--computer``, by seat from 0."""
    found: dict[int, str] = {}
    for text in given:
        seat, equals, player = text.partition("=")
        number = whole_number(seat)
        if not (equals and player and number is not None and number > 0):
            raise refusal(
                "{option} is not valid: write --computer SEAT=PLAYER, such as 2=level:3.",
                option=quoted(f"--computer {text}"),
            )
        found[number - 1] = player
    return found


@dataclass(frozen=True)
class HostRequest:
    game: Game | None = argument(GameName(), required=False)
    seats: int | None = option("How many play; default: as few as can.", WholeNumber(say("The number of seats"), 2, 8))
    computers: dict[int, str] = option(
        "Let a computer of this machine have a seat, such as 2=level:3.",
        multiple=True, metavar="SEAT=PLAYER", callback=_read_computers, name="--computer",
    )  # fmt: skip
    tables: int = option("How many tables to open.", WholeNumber(say("The number of tables"), 1, 500), default=1)
    reach: str = option("Who can connect.", click.Choice([*REACHES]), default="local-network")
    port: int | None = option("Where to listen; default: 47474.", WholeNumber(say("The port"), 0, 65535))
    watch: bool = option("Print an invitation to watch, too.", is_flag=True)
    control: str = option(
        "The clock, such as 300+5 for five minutes and 5 s more a turn, or 1/30 for 30 s a turn.",
        metavar="TEXT", default="", show_default=False,
    )  # fmt: skip
    keeps_running: bool = option("Let the clocks run on while a player is away.", is_flag=True, name="--clocks-run-on")
    name: str = option("The host's name for the players.", metavar="NAME", default="Papan")
    out: Path | None = option(
        "Add finished matches to this file instead of the library.", fields.FILE_PATH, metavar="FILE"
    )
    continues: bool = option("Open the tables of earlier times again, of GAME or all.", is_flag=True, name="--continue")
    position: str | None = fields.POSITION
    options: dict[str, str] = fields.GAME_OPTIONS
    as_json: bool = fields.AS_JSON


@command(HostRequest)
def host(asked: HostRequest) -> None:
    """Hold tables for people elsewhere, without a window.

    Prints an invitation for each person's seat of GAME, and holds the tables until Ctrl+C. They stay in the folder of
    the library: --continue opens them again.
    """
    from papan.online.addresses import own_addresses
    from papan.online.discovery import Discovery
    from papan.online.host import Host
    from papan.online.invitation import DEFAULT_PORT, Address
    from papan.online.loop import LoopThread
    from papan.online.table import TableError

    members = _members(asked)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    loop = LoopThread()
    reach = REACHES[asked.reach]
    finished: SimpleQueue[Match] = SimpleQueue()
    with _keeping(asked) as keep:
        host, discovery = Host(finished=finished.put), Discovery()
        announced: Future[None] | None = None
        try:
            with refusing(TableError, OSError):
                loop.run(_open(host, asked, members)).result()
                port = DEFAULT_PORT if asked.port is None else asked.port
                listening = loop.run(host.listen(reach, port)).result()
            hosts = ("127.0.0.1",) if reach == "this machine" else own_addresses()
            addresses = tuple(Address(one, listening) for one in hosts)
            _tell(asked, host, addresses)
            while True:
                if reach != "this machine" and (announced is None or announced.done()):
                    announced = loop.run(_announce(discovery, host, addresses))
                with suppress(Empty):
                    keep(finished.get(timeout=1.0))  # with an end, so that Ctrl+C is noticed on Windows too
        except KeyboardInterrupt:
            show(say("The tables are closed; --continue opens them again."), is_trouble=True)
        finally:
            if announced is not None:
                announced.cancel()
            loop.run(discovery.close()).result(_PATIENCE)
            loop.run(host.close()).result(_PATIENCE)
            loop.close()
            while not finished.empty():
                keep(finished.get())


def _members(asked: HostRequest) -> list[Member]:
    """Who has a seat at a new table; refuses what can't be."""
    from papan.ai.players import PlayerError, make_player
    from papan.game.match.clock import read_time_control
    from papan.online.table import Member

    if asked.game is None:
        if not asked.continues:
            raise refusal("Say which game is played: 'papan host GAME', or --continue for tables of earlier times.")
        return []
    if asked.control and read_time_control(asked.control) is None:
        raise refusal("{control} is no clock: write 300+5 or 1/30, in seconds.", control=quoted(asked.control))
    with refusing(OptionError, PlayerError):
        asked.game.complete_options(asked.options)
        seats = asked.seats or max(2, seats_of(asked.game, asked.options))
        asked.game.check_seats(seats)
        for player in asked.computers.values():
            make_player(player, asked.game)
    members = []
    for seat in range(seats):
        player = asked.computers.get(seat, "")
        members.append(Member(player or say("Player {number}", number=seat + 1), b"", player))
    if max(asked.computers, default=0) >= seats or not any(member.is_person for member in members):
        raise refusal("A computer needs a seat from 1 to {seats}, and one seat must be a person's.", seats=seats)
    return members


async def _open(host: Host, asked: HostRequest, members: Sequence[Member]) -> None:
    """Open the tables that are asked for; those of earlier times that can't be are named."""
    from papan.game.kernel.compile_process import compile_elsewhere
    from papan.online.journal import kept_tables, read_journal
    from papan.online.table import Member, Plan, TableError

    if asked.continues:
        for file in kept_tables():
            found = read_journal(file)
            if found is None or (asked.game is not None and found[0].game != asked.game.name):
                continue
            try:
                host.reopen(file)
            except (TableError, OSError) as error:
                show(say("{file} is skipped: {reason}", file=file.name, reason=str(error)), is_trouble=True)
    elif asked.game is not None:
        from secrets import token_bytes

        for _ in range(asked.tables):
            own = [Member(one.name, b"", one.player) for one in members]
            watchers = token_bytes(16) if asked.watch else b""
            host.open(
                Plan(
                    asked.game.name, own, asked.options, asked.name, watchers, asked.control, not asked.keeps_running,
                    asked.position or "",
                )
            )  # fmt: skip
    if any(not member.is_person for held in host.tables for member in held.table.plan.members):
        compile_elsewhere([*command_words(), "compile-kernels"])


async def _announce(discovery: Discovery, host: Host, addresses: tuple[Address, ...]) -> None:
    """Announce the first tables on the local network: others list no more."""
    from papan.online.discovery import MOST_TABLES, announcement

    found = (announcement(held.table, addresses) for held in host.tables[:MOST_TABLES])
    await discovery.announce([one for one in found if one is not None])


def _tell(asked: HostRequest, host: Host, addresses: Sequence[Address]) -> None:
    """Print the invitations."""
    from papan.online.discovery import MOST_TABLES

    told = [_facts(held, addresses) for held in host.tables]
    if asked.as_json:
        show_json({"port": host.port, "tables": told}, None)
        return
    if not told:
        raise refusal("There are no tables to open.")
    for number, table in enumerate(told, start=1):
        show_said("Table {number}: {game}", number=number, game=host.tables[number - 1].table.game.title)
        for seat in table["seats"]:
            show(f"  {seat['name']}: {seat['code']}  {seat['link']}")
        if table["watch"] is not None:
            watching = say("Spectators: {code}", code=table["watch"]["code"])
            show(f"  {watching}  {table['watch']['link']}")
    if not addresses:
        show(say("This machine has no network: only its own programs find the tables."), is_trouble=True)
    if addresses and asked.reach != "this-machine" and len(told) > MOST_TABLES:
        show_said("Send the links: codes find only the first {number} tables.", number=MOST_TABLES)
    show_said("Everything is open at port {port}. Ctrl+C closes it.", port=host.port)


def _facts(held: Held, addresses: Sequence[Address]) -> dict[str, Any]:
    from papan.online.host import invitation_to

    def invitation(member: int | None) -> dict[str, str]:
        found = invitation_to(held, member, addresses)
        return {"code": found.code, "link": found.link}

    plan = held.table.plan
    return {
        "game": plan.game,
        "file": held.journal.file.name if held.journal is not None else None,
        "seats": [
            {"seat": number + 1, "name": member.name, **invitation(number)}
            for number, member in enumerate(plan.members)
            if member.is_person
        ],
        "watch": invitation(None) if plan.watchers else None,
    }


@contextmanager
def _keeping(asked: HostRequest) -> Iterator[Callable[[Match], None]]:
    """Yield what keeps a finished match, once: in the library, or in a file."""
    from papan.game.formats.importing import KnownMatches, new_match
    from papan.game.match.library import LibraryError, LibraryWriter
    from papan.game.match.record import write

    if asked.out is not None:
        out = asked.out
        with refusing(OutputError):
            check_output(out)
        with failing(OutputError), only_writer(out):
            known_records = read_file(out, _MOST_BYTES).decode(errors="replace") if out.exists() else ""

            def append(match: Match) -> None:
                record = write(match)
                if record in known_records:
                    return
                try:
                    with out.open("a", encoding="utf-8") as file:
                        file.write(record + "\n")
                except OSError as error:
                    show(str(unwritable(out, error)), is_trouble=True)

            yield append
        return
    writer = LibraryWriter()
    with refusing(LibraryError):
        known = KnownMatches(writer.path)

    def add(match: Match) -> None:
        new = new_match(match)
        if not known.has(new):
            known.add(new)
            writer.add([new])

    try:
        yield add
    finally:
        known.close()
        if not writer.close(_PATIENCE):
            raise Refusal(say("The library can't be written."))
