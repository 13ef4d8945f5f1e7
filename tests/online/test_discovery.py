"""Tables are announced and found by multicast on this machine's loopback, and strangers' announcements are checked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import ifaddr
import pytest
from zeroconf import ServiceInfo

from papan.online.addresses import own_addresses
from papan.online.discovery import SERVICE, Announced, Discovery, _table_of
from papan.online.invitation import Address

LOOPBACK = ["127.0.0.1"]
SECONDS = 20.0
TABLE = Announced("catur-jawa", "Ada Übel", frozenset([bytes(range(8)), bytes(8)]), 2, (Address("127.0.0.1", 4747),))


async def until(holds: Callable[[], bool], seconds: float = SECONDS) -> bool:
    for _number in range(round(seconds / 0.02)):
        if holds():
            return True
        await asyncio.sleep(0.02)
    return False


async def seen_by_another(table: Announced) -> list[tuple[Announced, ...]]:
    """What another program finds of *table*'s host: the table, then its change, then nothing.

    Other programs on this machine may have tables of their own.
    """
    here, there = Discovery(interfaces=LOOPBACK), Discovery(interfaces=LOOPBACK)
    changed = Announced(table.game, table.host, table.seats, 0, table.addresses)
    found: list[tuple[Announced, ...]] = []

    def seen() -> tuple[Announced, ...]:
        return tuple(one for one in there.found if one.host == table.host)

    try:
        await there.browse(True)
        for tables in ([table], [changed], []):
            await here.announce(tables)
            if here.trouble or there.trouble:
                pytest.skip("multicast is impossible here")
            if not await until(lambda wanted=tuple(tables): seen() == wanted):  # type: ignore[misc]
                if not found and not seen():
                    pytest.skip("multicast does not arrive here")
                pytest.fail(f"{seen()} was found, not {tables}")
            found.append(seen())
        assert here.found == ()
    finally:
        await here.close()
        await there.close()
    return found


def test_another_program_finds_a_table_its_change_and_its_end() -> None:
    first, second, last = asyncio.run(seen_by_another(TABLE))
    assert first == (TABLE,)
    assert [table.waiting for table in second] == [0]
    assert last == ()


def test_where_multicast_fails_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_facts: object, **_more: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("papan.online.discovery.AsyncZeroconf", refuse)

    async def try_it() -> Discovery:
        changes: list[None] = []
        discovery = Discovery(lambda: changes.append(None))
        await discovery.announce([TABLE])
        await discovery.browse(True)
        await discovery.close()
        assert changes
        return discovery

    discovery = asyncio.run(try_it())
    assert discovery.found == () and "link" in discovery.trouble


def info(**properties: str | bytes) -> ServiceInfo:
    told: dict[str, str | bytes] = {
        "game": "othello", "host": "Ada", "seats": "00" * 8, "waiting": "1", **properties
    }  # fmt: skip
    return ServiceInfo(SERVICE, f"x.{SERVICE}", port=4747, properties=told, parsed_addresses=["192.168.1.5"])


def test_a_sound_announcement_is_read() -> None:
    wanted = Announced("othello", "Ada", frozenset([bytes(8)]), 1, (Address("192.168.1.5", 4747),))
    assert _table_of(info()) == wanted


@pytest.mark.parametrize(
    "properties",
    [
        {"game": ""}, {"host": ""}, {"host": "A\x1b[2J"}, {"host": b"\xff"}, {"seats": ""}, {"seats": "xyz"},
        {"seats": "00" * 7}, {"waiting": "9"}, {"waiting": "-1"}, {"waiting": ""},
    ],
    ids=str,
)  # fmt: skip
def test_a_strangers_announcement_is_none(properties: dict[str, str | bytes]) -> None:
    assert _table_of(info(**properties)) is None


def test_a_long_name_is_cut() -> None:
    table = _table_of(info(host="A" * 200))
    assert table is not None and len(table.host) == 40


def adapter(name: str, *addresses: str) -> ifaddr.Adapter:
    ips = [ifaddr.IP((one, 0, 0) if ":" in one else one, 24, name) for one in addresses]
    return ifaddr.Adapter(name, name, ips)


def test_addresses_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    adapters = [
        adapter("lo", "127.0.0.1", "::1"),
        adapter("docker0", "172.17.0.1"),
        adapter("eth0", "2001:4860::8", "fe80::1", "fd00::2", "169.254.3.3", "192.168.1.23"),
    ]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
    assert own_addresses() == ("192.168.1.23", "2001:4860::8", "172.17.0.1")


def test_no_addresses_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> list[ifaddr.Adapter]:
        raise OSError

    monkeypatch.setattr("ifaddr.get_adapters", refuse)
    assert own_addresses() == ()
