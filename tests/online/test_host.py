"""A host on the loopback with real TLS: who gets in, what is slowed, and how connections come back."""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from dev.guests import RandomGuest
from papan.ai.players import make_player
from papan.game.game import Game
from papan.online import host as host_module
from papan.online.certificates import guest_context
from papan.online.guest import GuestLink, Link, OwnLink
from papan.online.host import Doorkeeper, Held, Host, invitation_to
from papan.online.invitation import Address, Invitation, name_of, proof
from papan.online.journal import kept_tables
from papan.online.loop import LoopThread
from papan.online.protocol import (
    PROTOCOL,
    Challenge,
    Gone,
    GuestMessage,
    Hello,
    HostMessage,
    Join,
    Phrase,
    Play,
    Proof,
    Refused,
    Resign,
    Round,
    Said,
    Update,
    Welcome,
    from_host,
    written,
)
from papan.online.table import Member, Plan, TableError
from tests.online.tables import match_of
from tests.waiting import PATIENCE

PLAN_OF_TWO = {"first": "1"}


class Hall:
    """A host on a loop, and its guests."""

    def __init__(self, folder: Path) -> None:
        self.loop, self.folder, self.seconds = LoopThread(), folder, 1000.0
        self.host = self.open_host()
        self.port = self.listen()
        self.links: list[Link] = []

    def open_host(self) -> Host:
        return Host(folder=self.folder, doorkeeper=Doorkeeper(lambda: self.seconds))

    def listen(self, port: int = 0) -> int:
        return self.loop.run(self.host.listen("this machine", port)).result(PATIENCE)

    def call(self, act: Callable[[], object]) -> object:
        async def work() -> object:
            return act()

        return self.loop.run(work()).result(PATIENCE)

    def table(self, game: str = "connect-four", seats: int = 2, computer: str = "", **facts: object) -> Held:
        members = [Member(f"P{n}") for n in range(seats)]
        if computer:
            members[-1].player = computer
        watchers = secrets.token_bytes(16)
        plan = Plan(game, members, PLAN_OF_TWO, "Host", watchers, **facts)  # type: ignore[arg-type]
        held = self.call(lambda: self.host.open(plan))
        assert isinstance(held, Held)
        return held

    def invitation(self, held: Held, member: int | None) -> Invitation:
        return invitation_to(held, member, [Address("127.0.0.1", self.port)])

    def link(self, held: Held, member: int | None, **more: object) -> GuestLink:
        link = GuestLink(self.loop, self.invitation(held, member), f"G{member}", **more)  # type: ignore[arg-type]
        self.links.append(link)
        return link

    def guests(self, held: Held) -> list[RandomGuest]:
        return [RandomGuest(self.link(held, n), n) for n, one in enumerate(held.table.plan.members) if one.is_person]

    def close(self) -> None:
        for link in self.links:
            link.close()
        self.loop.run(self.host.close()).result(PATIENCE)
        self.loop.close()


MOST_CUTS = 20
"""A slow machine does nothing but connect again if all goes on being cut."""


def until(done: Callable[[], object], *, work: Callable[[], object] = lambda: None) -> None:
    given_up_at = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < given_up_at, "it takes too long"
        work()
        time.sleep(0.002)


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hall]:
    monkeypatch.setattr(host_module, "_WRONG_SECONDS", 0.05)
    monkeypatch.setattr("papan.online.guest._FIRST_PAUSE", 0.02)
    found = Hall(tmp_path)
    yield found
    found.close()


def working(guests: Sequence[RandomGuest], *, is_playing: bool = True) -> Callable[[], None]:
    """What lets *guests* take up the news and play."""

    def work() -> None:
        for guest in guests:
            guest.work(is_playing=is_playing)

    return work


def play_out(guests: list[RandomGuest], rounds: int = 1) -> None:
    until(lambda: all(len(guest.finished) >= rounds for guest in guests), work=working(guests))


# ------------------------------------------------------------------------------------ a peer by hand


async def opened(port: int) -> ClientConnection:
    return await connect(f"wss://127.0.0.1:{port}/", ssl=guest_context(), proxy=None, compression=None)


async def said(connection: ClientConnection, message: GuestMessage) -> HostMessage:
    await connection.send(written(message))
    return from_host(await connection.recv())


async def let_in(connection: ClientConnection, key: bytes, theirs: bytes | None = None) -> HostMessage:
    """Greet with *key*; with *theirs* as the proof, where that is given."""
    nonce = secrets.token_bytes(16)
    challenge = await said(connection, Hello(name_of(key), nonce))
    if not isinstance(challenge, Challenge):
        return challenge
    certificate = connection.transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
    assert challenge.proof == proof(key, "host", certificate, nonce, challenge.nonce)
    mine = proof(key, "guest", certificate, nonce, challenge.nonce)
    return await said(connection, Proof(theirs if theirs is not None else mine))


class TestWhoGetsIn:
    def test_tls_1_3_only(self, hall: Hall) -> None:
        import ssl

        context = guest_context()
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        with socket.create_connection(("127.0.0.1", hall.port)) as plain, pytest.raises(ssl.SSLError):
            context.wrap_socket(plain)
        with socket.create_connection(("127.0.0.1", hall.port)) as plain:
            assert guest_context().wrap_socket(plain).version() == "TLSv1.3"

    @pytest.mark.parametrize("is_of_a_seat", [False, True])
    def test_three_wrong_secrets_cost_an_hour(self, hall: Hall, is_of_a_seat: bool) -> None:
        """A name of a key that nobody has, or a true one with a wrong proof."""
        held = hall.table()
        key = held.table.plan.members[0].key

        async def attempt(*, is_right: bool = False) -> HostMessage:
            async with await opened(hall.port) as connection:
                if is_right:
                    return await let_in(connection, key)
                if is_of_a_seat:
                    return await let_in(connection, key, theirs=bytes(32))
                return await let_in(connection, secrets.token_bytes(16))

        def answer(*, is_right: bool = False) -> HostMessage:
            return hall.loop.run(attempt(is_right=is_right)).result(PATIENCE)

        for number in range(3):
            assert isinstance(answer(is_right=True), Welcome)
            hall.seconds += number
            assert answer() == Gone("removed")
        assert refused_at_once(hall) == Gone("removed")
        hall.seconds += 3590
        assert refused_at_once(hall) == Gone("removed")
        hall.seconds += 11
        assert isinstance(answer(is_right=True), Welcome)

    def test_a_wrong_secret_costs_a_second(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.undo()

        async def attempt() -> HostMessage:
            async with await opened(hall.port) as connection:
                return await let_in(connection, secrets.token_bytes(16))

        began = time.monotonic()
        assert hall.loop.run(attempt()).result(PATIENCE) == Gone("removed") and time.monotonic() - began >= 1.0

    def test_attempts_at_the_same_time_are_counted_too(self, hall: Hall) -> None:
        held = hall.table()
        key = held.table.plan.members[0].key

        async def attempts() -> list[HostMessage]:
            connections = [await opened(hall.port) for _ in range(4)]
            nonce = secrets.token_bytes(16)
            challenges = [await said(one, Hello(name_of(key), nonce)) for one in connections]
            certificate = connections[0].transport.get_extra_info("ssl_object").getpeercert(binary_form=True)
            answers = [await said(one, Proof(bytes(32))) for one in connections[:3]]
            last = challenges[3]
            assert isinstance(last, Challenge)
            answers.append(await said(connections[3], Proof(proof(key, "guest", certificate, nonce, last.nonce))))
            return answers

        assert hall.loop.run(attempts()).result(PATIENCE) == [Gone("removed")] * 4

    def test_a_key_of_another_table_opens_no_other(self, hall: Hall) -> None:
        one, other = hall.table(), hall.table("cifra")
        link = hall.link(other, 0)
        until(lambda: link.welcome)
        assert link.welcome is not None and link.welcome.game == "cifra"
        assert not one.chairs

    def test_another_certificate_in_the_middle_is_found_out(self, hall: Hall, tmp_path: Path) -> None:
        """A program that passes everything on has its own certificate, so no proof agrees."""
        held = hall.table()
        middle = Hall(tmp_path / "middle")
        try:
            true = hall.invitation(held, 0)
            # It knows the name of the key only, and answers with a proof of a key of its own.
            own = middle.table()
            middle.host._keys[name_of(true.key)] = own, 0, secrets.token_bytes(16)
            link = GuestLink(hall.loop, replace(true, addresses=(Address("127.0.0.1", middle.port),)), "Ann")
            until(lambda: link.state.standing == "ended")
            assert "Another program than your host's" in link.state.trouble
            link.close()
        finally:
            middle.close()

    def test_spectators_see_and_cannot_act(self, hall: Hall) -> None:
        held = hall.table()
        guests, watching = hall.guests(held), RandomGuest(hall.link(held, None), 0)
        play_out([*guests, watching])
        assert watching.begun is not None and watching.begun.seat == -1
        watching.link.send(Resign(0))
        watching.link.send(Phrase(0))
        match = match_of(held.table)
        assert list(watching.finished[0].steps) == list(match.steps)

    def test_without_spectators(self, hall: Hall) -> None:
        plan = Plan("connect-four", [Member("A"), Member("B")], {}, "Host")
        held = hall.call(lambda: hall.host.open(plan))
        assert isinstance(held, Held) and name_of(b"") not in hall.host._keys


def refused_at_once(hall: Hall) -> HostMessage:
    async def attempt() -> HostMessage:
        async with await opened(hall.port) as connection:
            return from_host(await connection.recv())

    return hall.loop.run(attempt()).result(PATIENCE)


class TestVersions:
    def test_another_protocol(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        held = hall.table()

        async def attempt() -> HostMessage:
            async with await opened(hall.port) as connection:
                return await said(connection, Hello(bytes(8), bytes(16), PROTOCOL + 1))

        assert hall.loop.run(attempt()).result(PATIENCE) == Gone("version")
        monkeypatch.setattr("papan.online.guest.PROTOCOL", PROTOCOL + 1)  # a host of another one
        link = hall.link(held, 0)
        until(lambda: link.state.standing == "ended")
        assert "of another version" in link.state.trouble

    def test_another_game_of_the_same_name(self, hall: Hall) -> None:
        held = hall.table()
        newer = of_version(held.table.game, version=99)
        link = hall.link(held, 0, game_named=lambda name: newer)
        until(lambda: link.state.standing == "ended")
        assert "by other rules than this program" in link.state.trouble
        assert not held.table.connected

    def test_a_game_that_is_not_there(self, hall: Hall) -> None:
        def game_named(name: str) -> Game:
            raise LookupError(name)

        link = hall.link(hall.table(), 0, game_named=game_named)
        until(lambda: link.state.standing == "ended")
        assert "has no game connect-four" in link.state.trouble

    @pytest.mark.parametrize("options", [{"seats": "999999999"}, {"first": "9" * 2000}, {"x": "y"}])
    def test_options_of_a_hostile_host(self, options: dict[str, str]) -> None:
        from papan.online.guest import GuestError, check_same_game

        welcome = Welcome("santorini", bytes(16), options, "Host", "", True, "1")
        with pytest.raises(GuestError, match="not with those options"):
            from papan.game.catalogue import find

            check_same_game(welcome, find)


def of_version(game: Game, version: int) -> Game:
    return replace(game, version=version)


class TestReach:
    @pytest.mark.parametrize(
        ("reach", "address", "is_in"),
        [
            ("this machine", "127.0.0.1", True),
            ("this machine", "::1", True),
            ("this machine", "192.168.1.7", False),
            ("local network", "192.168.1.7", True),
            ("local network", "10.9.8.7", True),
            ("local network", "169.254.3.3", True),
            ("local network", "fe80::1", True),
            ("local network", "fd00::1", True),
            ("local network", "8.8.8.8", False),
            ("local network", "2001:4860:4860::8888", False),
            ("anywhere", "8.8.8.8", True),
        ],
    )
    def test_addresses(self, reach: host_module.Reach, address: str, is_in: bool) -> None:
        host = Host()
        host.reach = reach
        assert host._reaches(ipaddress.ip_address(address)) is is_in

    def test_a_mapped_address_is_one_of_ipv4(self) -> None:
        transport = asyncio.BaseTransport({"peername": ("::ffff:8.8.8.8", 1, 0, 0)})
        assert host_module._address_of(transport) == ipaddress.ip_address("8.8.8.8")
        assert host_module._address_of(asyncio.BaseTransport()) is None

    def test_it_widens_while_somebody_plays(self, hall: Hall) -> None:
        """Who came before stays, and the address for this machine alone goes on."""
        link = hall.link(hall.table(), 0)
        until(lambda: link.welcome)
        wider = hall.loop.run(hall.host.listen("local network", hall.port)).result(PATIENCE)
        assert (wider == hall.port, hall.host.reach) == (False, "local network")
        for port in (hall.port, wider):
            socket.create_connection(("127.0.0.1", port), PATIENCE).close()
        if socket.has_dualstack_ipv6():
            socket.create_connection(("::1", wider), PATIENCE).close()
        assert hall.loop.run(hall.host.listen("anywhere")).result(PATIENCE) == wider
        assert (hall.host.reach, link.state.standing) == ("anywhere", "open")

    def test_a_stranger_is_told_and_shut_out(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(host_module, "_address_of", lambda transport: ipaddress.ip_address("8.8.8.8"))
        link = hall.link(hall.table(), 0)
        until(lambda: link.state.standing == "ended")
        assert "from its own network" in link.state.trouble

    def test_one_port_for_both_kinds_of_addresses(self, tmp_path: Path) -> None:
        loop, host = LoopThread(), Host(folder=tmp_path)
        port = loop.run(host.listen("local network", 0)).result(PATIENCE)
        try:
            for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
                if family == socket.AF_INET or socket.has_dualstack_ipv6():
                    with socket.socket(family) as plain:
                        plain.settimeout(PATIENCE)
                        plain.connect((address, port))
        finally:
            loop.run(host.close()).result(PATIENCE)
            loop.close()

    def test_a_taken_port_gives_another(self, hall: Hall, tmp_path: Path) -> None:
        other = Host(folder=tmp_path / "other")
        port = hall.loop.run(other.listen("this machine", hall.port)).result(PATIENCE)
        assert port not in (0, hall.port)
        hall.loop.run(other.close()).result(PATIENCE)

    def test_full(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(host_module, "_MOST_CONNECTIONS", 0)
        assert refused_at_once(hall) == Gone("full")


class TestSilence:
    """Strangers who connect and say nothing, with TLS or without."""

    @pytest.fixture
    def strangers(self, hall: Hall) -> Iterator[list[socket.socket]]:
        opened: list[socket.socket] = []
        yield opened
        for one in opened:
            one.close()

    def come(self, hall: Hall, strangers: list[socket.socket], number: int, *, speak_tls: bool = False) -> None:
        for _ in range(number):
            plain = socket.create_connection(("127.0.0.1", hall.port), PATIENCE)
            strangers.append(guest_context().wrap_socket(plain) if speak_tls else plain)

    def waiting(self, hall: Hall) -> int:
        return len(hall.host._doorkeeper._unproven)

    def test_a_guest_gets_in(self, hall: Hall, strangers: list[socket.socket]) -> None:
        guests = hall.guests(hall.table())
        until(lambda: guests[0].link.welcome and guests[1].link.welcome)
        self.come(hall, strangers, 20, speak_tls=True)
        self.come(hall, strangers, 300)
        until(lambda: self.waiting(hall) == host_module._MOST_UNPROVEN)
        late = hall.link(hall.table(), 0)
        until(lambda: late.welcome)
        assert late.state.standing == "open", "at the first attempt"
        assert self.waiting(hall) < host_module._MOST_UNPROVEN
        assert all(guest.link.state.standing == "open" for guest in guests)

    def test_one_address_holds_few_for_long(self, hall: Hall, strangers: list[socket.socket]) -> None:
        self.come(hall, strangers, 100)
        until(lambda: self.waiting(hall) == 100)  # perhaps a class behind one router
        hall.seconds += 3
        self.come(hall, strangers, 1)
        until(lambda: self.waiting(hall) == host_module._MOST_OF_ONE)

    def test_who_goes_is_forgotten(self, hall: Hall, strangers: list[socket.socket]) -> None:
        self.come(hall, strangers, 5)
        self.come(hall, strangers, 5, speak_tls=True)
        until(lambda: self.waiting(hall) == 10)
        for one in strangers:
            one.close()
        until(lambda: self.waiting(hall) == 0)

    def test_the_end_does_not_wait_for_them(self, hall: Hall, strangers: list[socket.socket]) -> None:
        self.come(hall, strangers, 3)
        until(lambda: self.waiting(hall) == 3)
        hall.loop.run(hall.host.close()).result(PATIENCE)
        assert [one.recv(1) for one in strangers] == [b""] * 3 and self.waiting(hall) == 0


class TestDoorkeeper:
    def test_networks_of_ipv6_are_one_place(self) -> None:
        keeper = Doorkeeper(lambda: 0.0)
        for number in range(3):
            keeper.wrong(ipaddress.ip_address(f"2001:db8::{number}"))
            keeper.wrong(ipaddress.ip_address(f"10.0.0.{number}"))
        assert keeper.refuses(ipaddress.ip_address("2001:db8::99"))
        assert not keeper.refuses(ipaddress.ip_address("2001:db8:0:1::"))
        assert not keeper.refuses(ipaddress.ip_address("10.0.0.1"))

    def test_its_memory_has_bounds(self) -> None:
        keeper = Doorkeeper(lambda: 0.0)
        for number in range(30_000):
            keeper.wrong(ipaddress.ip_address(number))
        assert len(keeper._wrong) <= 10_001
        for _ in range(1000):
            keeper.wrong(ipaddress.ip_address(1))
        assert max(map(len, keeper._wrong.values())) == 3


class TestAtTheTable:
    @pytest.mark.parametrize(("game", "seats"), [("connect-four", 2), ("catur-jawa", 4), ("santorini", 3)])
    def test_whole_matches_and_a_rematch(self, hall: Hall, game: str, seats: int) -> None:
        held = hall.table(game, seats)
        guests = [*hall.guests(held), RandomGuest(OwnLinkAt(hall, held, None), 9)]
        for guest in guests:
            guest.rounds = 2
        play_out(guests, 2)
        assert len({tuple(guest.finished[1].steps) for guest in guests}) == 1
        assert all(guest.link.share is not None for guest in guests[:-1])

    def test_a_computer_plays_too(self, hall: Hall) -> None:
        held = hall.table("catur-jawa", 3, "random")
        play_out(hall.guests(held))
        assert "P2" in match_of(held.table).seats

    @pytest.mark.parametrize("kind", ["raises", "illegal"])
    def test_a_computer_that_cannot_go_on_forfeits(
        self, hall: Hall, kind: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        player = make_player("random", hall.table().table.game)
        choose = player.choose

        def fails(situation: object, *_: object) -> object:
            if kind == "raises":
                raise RuntimeError("no memory")
            return replace(choose(situation), step=77)  # type: ignore[arg-type]

        monkeypatch.setattr(player, "choose", fails)
        monkeypatch.setattr(host_module, "make_player", lambda *_, **__: player)
        held = hall.table(computer="random")
        [guest] = hall.guests(held)
        play_out([guest])
        assert guest.finished[0].conclusion is not None and guest.finished[0].conclusion.kind == "forfeited"

    def test_a_computer_answers_a_draw(self, hall: Hall) -> None:
        from papan.online.protocol import Ask

        held = hall.table(computer="random")
        guest = RandomGuest(hall.link(held, 0), 0)
        until(lambda: guest.update, work=lambda: guest.work(is_playing=False))
        guest.link.send(Ask("draw"))  # even, and too early
        until(lambda: guest.update is not None and guest.update.revision > 3, work=lambda: guest.work(is_playing=False))
        assert held.table.question is None and match_of(held.table).ending is None

    def test_a_newer_connection_takes_the_place_of_the_older(self, hall: Hall) -> None:
        held = hall.table()
        older = hall.link(held, 0)
        until(lambda: older.state.standing == "open")
        newer = hall.link(held, 0)
        until(lambda: older.state.standing == "ended")
        assert "at another window" in older.state.trouble
        until(lambda: held.table.connected.get(0) == 1)
        assert newer.state.standing == "open" and held.table.is_present(0)

    def test_who_is_removed_is_out(self, hall: Hall) -> None:
        held = hall.table()
        guests = hall.guests(held)
        until(lambda: guests[0].update, work=working(guests, is_playing=False))
        invitation = hall.invitation(held, 0)
        hall.call(lambda: hall.host.remove(held, 0))
        until(lambda: guests[0].link.state.standing == "ended")
        again = GuestLink(hall.loop, invitation, "Again")
        until(lambda: again.state.standing == "ended")
        assert "has made it void" in again.state.trouble
        fresh = RandomGuest(hall.link(held, 0), 0)  # by the new invitation
        play_out([fresh, guests[1]])
        assert guests[1].link.state.standing == "open"
        again.close()

    def test_phrases(self, hall: Hall) -> None:
        held = hall.table()
        guests, own = hall.guests(held), OwnLinkAt(hall, held, None)
        until(lambda: guests[1].update, work=working(guests, is_playing=False))
        guests[0].link.send(Phrase(4))
        heard: list[HostMessage] = []
        until(lambda: any(isinstance(one, Said) for one in heard), work=lambda: heard.extend(own.poll()))
        assert Said(0, 4) in heard

    def test_refusals_are_told_with_what_holds(self, hall: Hall) -> None:
        held = hall.table()
        guests = hall.guests(held)
        until(lambda: guests[1].update, work=working(guests, is_playing=False))
        guests[1].link.send(Play(0, 0, 3))
        told: list[HostMessage] = []
        until(lambda: any(isinstance(one, Refused) for one in told), work=lambda: told.extend(guests[1].link.poll()))
        assert [type(one) for one in told[-2:]] == [Update, Refused] and told[-1] == Refused("not your turn")

    def test_closing_is_told(self, hall: Hall) -> None:
        held = hall.table()
        links: list[Link] = [hall.link(held, 0), hall.link(held, 1), OwnLinkAt(hall, held, None)]
        until(lambda: all(link.state.standing == "open" for link in links))
        hall.loop.run(hall.host.close()).result(PATIENCE)
        until(lambda: all(link.state.standing == "ended" for link in links))
        assert links[0].state.trouble == "The host has closed the table."

    def test_latency_is_measured(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("papan.online.guest._PING_SECONDS", 0.05)
        link = hall.link(hall.table(), 0)
        until(lambda: link.state.latency > 0)

    def test_no_address(self, hall: Hall) -> None:
        link = GuestLink(hall.loop, Invitation.new(), "Ann")
        until(lambda: link.state.trouble)
        assert "No table with this code" in link.state.trouble and link.state.standing == "connecting"
        hall.links.append(link)


def OwnLinkAt(hall: Hall, held: Held, member: int | None) -> OwnLink:  # noqa: N802 - as the class
    link = OwnLink(hall.loop, hall.host, held, member, "Own")
    hall.links.append(link)
    return link


class TestPeers:
    def test_too_many_messages_are_slowed(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(host_module, "_MESSAGES_PER_SECOND", 200.0)
        held = hall.table()
        key = held.table.plan.members[0].key
        acts: list[float] = []
        act = hall.host.act

        def noted(held: Held, chair: host_module.Chair, message: GuestMessage) -> None:
            acts.append(time.monotonic())
            act(held, chair, message)

        monkeypatch.setattr(hall.host, "act", noted)

        async def talk() -> None:
            async with await opened(hall.port) as connection:
                await let_in(connection, key)
                await connection.send(written(Join("Ann", bytes(16))))
                for _ in range(140):
                    await connection.send(written(Phrase(1)))
                await connection.send(written(Gone("closed")))
                with pytest.raises(ConnectionClosed):
                    while True:
                        await connection.recv()

        hall.loop.run(talk()).result(PATIENCE)
        assert len(acts) == 141 and acts[-1] - acts[0] > 0.9 * 100 / 200

    @pytest.mark.parametrize(
        "text",
        ["", "x", "{}", '{"is":"hello"}', "[" * 2000, '{"is":"play","round":0,"at":0,"step":1e99}', b"\x00\xff",
         '{"is":"join","name":"Ann"}', '{"is":"phrase","number":6}', '{"is":"phrase","number":1,"more":1}', "y" * 3000],
    )  # fmt: skip
    def test_what_is_not_understood_ends_the_connection(
        self, hall: Hall, text: str | bytes, caplog: pytest.LogCaptureFixture
    ) -> None:
        held = hall.table()
        key = held.table.plan.members[0].key

        async def talk() -> tuple[list[HostMessage], int]:
            connection = await opened(hall.port)
            await let_in(connection, key)
            await connection.send(written(Join("Ann", bytes(16))))
            await connection.send(text)
            told = []
            with pytest.raises(ConnectionClosed):
                while True:
                    told.append(from_host(await connection.recv()))
            return told, connection.close_code or 0

        told, code = hall.loop.run(talk()).result(PATIENCE)
        assert code == 1009 if len(text) > 2048 else told[-1] == Gone("not understood")
        until(lambda: not held.table.is_present(0))
        assert not caplog.records

    def test_a_farewell_is_heard_by_who_goes_on_talking(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(host_module, "_FAREWELL_SECONDS", 100 * PATIENCE)
        hall = Hall(tmp_path)
        key = hall.table().table.plan.members[0].key

        async def talk() -> object:
            connection = await opened(hall.port)
            connection.close_timeout = None
            await let_in(connection, key)
            told: object = None
            with pytest.raises(ConnectionClosed):
                for _ in range(200):
                    await connection.send("x")
                while True:
                    told = from_host(await connection.recv())
            await connection.wait_closed()
            return told

        assert hall.loop.run(talk()).result(PATIENCE) == Gone("not understood")
        hall.close()

    def test_a_slow_reader_holds_up_nobody(self, hall: Hall) -> None:
        """One of the spectators never reads; its memory has bounds, and the others play on."""
        held = hall.table("catur-jawa", 2)

        async def stop_reading() -> ClientConnection:
            connection = await opened(hall.port)
            await let_in(connection, held.table.plan.watchers)
            await connection.send(written(Join("Sloth", bytes(16))))
            connection.transport.pause_reading()
            return connection

        connection = hall.loop.run(stop_reading()).result(PATIENCE)
        guests = hall.guests(held)
        for guest in guests:
            guest.rounds = 4
        play_out(guests, 4)
        connection.transport.abort()
        until(lambda: len(held.chairs) == 2)


class TestComingBack:
    def cut(self, hall: Hall) -> None:
        """Cut all connections, as a pulled cable does."""

        def cut() -> None:
            for connection in list(hall.host._servers[0].connections):
                connection.transport.abort()

        hall.call(cut)

    def test_after_a_cut(self, hall: Hall) -> None:
        held = hall.table("catur-jawa", 3)
        guests, random = hall.guests(held), Random(1)
        cuts = 0

        def work() -> None:
            nonlocal cuts
            for guest in guests:
                guest.work()
            if cuts < MOST_CUTS and random.random() < 0.02:
                self.cut(hall)
                cuts += 1

        until(lambda: all(guest.finished for guest in guests), work=work)
        assert {tuple(guest.finished[0].steps) for guest in guests} == {tuple(match_of(held.table).steps)}
        assert all(guest.link.state.standing in ("open", "lost", "connecting") for guest in guests)

    def test_a_step_said_again_is_played_once(self, hall: Hall) -> None:
        held = hall.table()
        guests = hall.guests(held)
        until(lambda: guests[0].update, work=working(guests, is_playing=False))
        guests[0].link.send(Play(0, 0, 3))
        until(lambda: match_of(held.table).steps)
        self.cut(hall)
        until(lambda: any(isinstance(one, Round) for one in guests[0].link.poll()))
        guests[0].link.send(Play(0, 0, 3))
        guests[1].link.send(Play(0, 1, 4))
        guests[0].link.send(Play(0, 0, 3))
        until(lambda: len(match_of(held.table).steps) == 2)
        assert list(match_of(held.table).steps) == [3, 4]

    def test_after_the_host_was_killed(self, hall: Hall) -> None:
        """The tables' files are all that is left, and the port."""
        held = hall.table("catur-jawa", 2, control="600+5")
        guests = hall.guests(held)
        until(
            lambda: held.table.match and len(match_of(held.table).steps) > 8,
            work=working(guests),
        )
        kill(hall)
        [file] = kept_tables(hall.folder)
        hall.host = hall.open_host()
        again = hall.call(lambda: hall.host.reopen(file))
        assert isinstance(again, Held) and match_of(again.table).steps == match_of(held.table).steps
        assert again.table.clock is not None and held.table.clock is not None
        assert again.table.clock.left == pytest.approx(held.table.clock.left, abs=6.0)
        assert hall.listen(hall.port) == hall.port
        play_out(guests)
        assert {tuple(guest.finished[0].steps) for guest in guests} == {tuple(match_of(again.table).steps)}
        assert all(guest.link.share is not None for guest in guests)

    def test_an_older_window_does_not_take_the_seat_back(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """It was away when another took the seat, and comes first after the host's restart."""
        held = hall.table()
        older, other = hall.link(held, 0), hall.link(held, 1)
        until(lambda: older.round and other.round)
        monkeypatch.setattr(older, "_addresses", list)  # no way
        hall.call(lambda: next(chair for chair in held.chairs if chair.member == 0).stop("too slow"))
        until(lambda: older.state.standing == "lost")
        newer = hall.link(held, 0)
        until(lambda: newer.round)
        monkeypatch.setattr(newer, "_addresses", list)
        kill(hall)
        hall.host = hall.open_host()
        hall.call(lambda: hall.host.reopen(kept_tables(hall.folder)[0]))
        hall.listen(hall.port)
        monkeypatch.delattr(older, "_addresses")
        until(lambda: older.state.standing == "ended")
        assert "at another window" in older.state.trouble
        monkeypatch.delattr(newer, "_addresses")
        until(lambda: newer.state.standing == "open")

    def test_a_guest_that_was_killed_begins_anew(self, hall: Hall) -> None:
        held = hall.table("catur-jawa", 2)
        guests = hall.guests(held)
        until(lambda: len(match_of(held.table).steps) > 4 if held.table.match else False,
              work=working(guests))  # fmt: skip
        guests[0] = RandomGuest(hall.link(held, 0), 5)
        play_out(guests)
        assert guests[0].link.share is None  # which it gave is forgotten, so nobody is accused
        assert guests[1].link.share is not None

    def test_a_table_is_open_once(self, hall: Hall) -> None:
        hall.table()
        [file] = kept_tables(hall.folder)
        with pytest.raises(TableError, match="open already"):
            hall.call(lambda: hall.host.reopen(file))
        file.write_bytes(b"nonsense")

    def test_a_file_that_is_none(self, hall: Hall) -> None:
        for number, content in enumerate(
            (b"", b"nonsense\n", b"P{}\n", b'P{"game":"no","members":[],"options":{},"host":"a"}\n')
        ):
            file = hall.folder / f"{number}.table"
            file.write_bytes(content)
            with pytest.raises(TableError):
                hall.call(partial(hall.host.reopen, file))
        assert not hall.host.tables

    def test_forgetting_deletes_the_file(self, hall: Hall) -> None:
        held = hall.table()
        hall.call(lambda: hall.host.drop(held, forget=True))
        assert kept_tables(hall.folder) == [] and not hall.host.tables and not hall.host._keys


def kill(hall: Hall) -> None:
    """End the host as a kill does: no farewell, no file closed in order."""

    def end() -> None:
        host = hall.host
        [server] = host._servers
        for connection in list(server.connections):
            connection.transport.abort()
        server.close(close_connections=False)
        if host._ticking is not None:
            host._ticking.cancel()
        for held in host.tables:
            assert held.journal is not None
            held.journal.close()  # the system does, and unlocks it
            held.journal = None

    hall.call(end)


def test_the_loop_ends_and_begins_again() -> None:
    loop = LoopThread()

    async def thread() -> str:
        import threading

        return threading.current_thread().name

    assert loop.run(thread()).result(PATIENCE) == "online"
    waiting = loop.run(asyncio.sleep(1000))
    loop.close()
    assert waiting.cancelled() or waiting.done()
    assert loop.run(thread()).result(PATIENCE) == "online"
    loop.close()
    loop.close()
