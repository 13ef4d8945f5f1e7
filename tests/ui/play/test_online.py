"""This program's tables, and seats elsewhere: when it listens, what is kept, and what is taken up again."""

from __future__ import annotations

import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from papan.game.catalogue import GALLERY
from papan.online.discovery import Announced, Discovery
from papan.online.guest import GuestLink, OwnLink
from papan.online.host import Reach
from papan.online.invitation import Address, Invitation, InvitationError, name_of
from papan.online.protocol import Resign
from papan.online.table import Member, Plan, TableError
from papan.ui.play.online import Online, OpenTable, can_be_elsewhere, read_code, usual_name
from tests.waiting import PATIENCE, wait_for

CODE = Invitation(bytes(16)).code
HERE: Reach = "this machine"


def plan(game: str = "connect-four") -> Plan:
    return Plan(game, [Member("Ada"), Member("Friend 1")], {"first": "1"}, "Ada", own=0)


def calling(act: Callable[[], None]) -> None:
    act()


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Online]:
    online = Online(calling, tmp_path / "host")
    yield online
    online.close()


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Online]:
    online = Online(calling, tmp_path / "guest")
    yield online
    online.close()


def opened(host: Online) -> OpenTable:
    return host.open(plan(), HERE).result(PATIENCE)


def both(host: Online, guest: Online) -> tuple[OpenTable, GuestLink]:
    """A table whose match has begun, and the guest's seat."""
    table = opened(host)
    link = guest.join(table.invitation(1), "Ben")
    wait_for(lambda: link.round is not None and table.link.round is not None)
    return table, link


def ended(link: OwnLink | GuestLink) -> None:
    """Resign, and wait for the end."""
    link.send(Resign(0))
    wait_for(lambda: link.is_over)


def test_nothing_listens_before_a_table_is_open_nor_after_the_last_is_closed(host: Online) -> None:
    host.look()
    assert not host.is_listening
    first, second = opened(host), opened(host)
    assert host.is_listening and [str(one) for one in first.addresses] == [f"127.0.0.1:{first.port}"]
    first.link.close()
    wait_for(lambda: len(host.unfinished) == 1)
    assert host.is_listening
    second.link.close()
    wait_for(lambda: not host.is_listening)


def test_a_table_that_can_not_be_is_refused_and_nothing_listens(host: Online) -> None:
    lonely = Plan("connect-four", [Member("Ada")], {}, "Ada", own=0)
    with pytest.raises(TableError):
        host.open(lonely, HERE).result(PATIENCE)
    wait_for(lambda: not host.is_listening)


def test_who_has_come_is_known(host: Online, guest: Online) -> None:
    table = opened(host)
    assert table.plan.friends == [1] and not table.has_come(1)
    guest.join(table.invitation(1), "Ben")
    wait_for(lambda: table.has_come(1))
    assert table.plan.members[1].name == "Ben"


def test_a_table_is_taken_up_again_with_the_same_codes(host: Online, guest: Online) -> None:
    table, link = both(host, guest)
    code = table.invitation(1).code
    table.link.close()
    link.close()
    wait_for(lambda: host.unfinished and guest.unfinished)
    [kept], [seat] = host.unfinished, guest.unfinished
    assert (kept.game, kept.names, kept.is_begun) == ("connect-four", ("Ben",), True)
    assert (seat.game, seat.names, seat.is_begun, seat.own_name) == ("connect-four", ("Ada",), True, "Ben")
    again = host.reopen(Path(kept.file), HERE).result(PATIENCE)
    assert again.invitation(1).code == code and seat.link == again.invitation(1).link
    back = guest.join(read_code(seat.link), seat.own_name)
    wait_for(lambda: back.round is not None and again.has_come(1))
    assert not host.unfinished, "an open table is not offered"
    wait_for(lambda: not guest.unfinished)


def test_a_match_that_is_over_is_not_offered_again(host: Online, guest: Online) -> None:
    table, link = both(host, guest)
    ended(link)
    wait_for(lambda: table.link.is_over)
    link.close()
    table.link.close()
    wait_for(lambda: not host.is_listening)
    for online in (host, guest):
        seen = online.changes
        online.look()
        wait_for(lambda one=online, before=seen: one.changes > before)  # type: ignore[misc]
        assert not online.unfinished


def test_what_is_forgotten_is_gone(host: Online, guest: Online) -> None:
    table, link = both(host, guest)
    table.link.close()
    link.close()
    wait_for(lambda: host.unfinished and guest.unfinished)
    for online in (host, guest):
        online.forget(online.unfinished[0])
        wait_for(lambda one=online: not one.unfinished)  # type: ignore[misc]
    assert not [*(host._data / "tables").glob("*.table")]


def test_a_discarded_table_is_gone(host: Online) -> None:
    table = opened(host)
    host.discard(table)
    wait_for(lambda: not host.is_listening)
    assert not [*(host._data / "tables").glob("*.table")]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps a user's folders private")
def test_seats_elsewhere_are_kept_in_a_private_file(host: Online, guest: Online) -> None:
    both(host, guest)
    assert stat.S_IMODE((guest._data / "seats.json").stat().st_mode) == 0o600


@pytest.mark.parametrize("content", [b"", b"[", b'[{"game": 1}]', b"\xff" * 100, b"[" * 10_000])
def test_a_damaged_file_of_seats_is_no_seats(guest: Online, content: bytes) -> None:
    guest._data.mkdir(parents=True)
    (guest._data / "seats.json").write_bytes(content)
    guest.look()
    wait_for(lambda: guest.changes)
    assert guest.unfinished == ()


def test_a_seat_is_given_to_another(host: Online, guest: Online) -> None:
    table, link = both(host, guest)
    before = table.invitation(1)
    host.remove(table, 1).result(PATIENCE)
    wait_for(lambda: link.state.standing == "ended")
    assert table.invitation(1) != before and link.state.trouble
    other = guest.join(table.invitation(1), "Citra")
    wait_for(lambda: table.has_come(1) and other.round is not None)


def test_spectators_come_only_by_their_own_code(host: Online, guest: Online) -> None:
    table, _link = both(host, guest)
    host.let_watch(table, True).result(PATIENCE)
    watcher = guest.join(table.invitation(None), "Dewi")
    wait_for(lambda: watcher.round is not None)
    assert watcher.round is not None and watcher.round.seat == -1
    void = table.invitation(None)
    host.let_watch(table, False).result(PATIENCE)
    late = guest.join(void, "Eka")
    wait_for(lambda: late.state.standing == "ended")


def test_a_tables_announcement_has_the_spectators_code(host: Online, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Sequence[Announced]] = []

    async def announce(_discovery: Discovery, tables: Sequence[Announced]) -> None:
        told.append(tables)

    monkeypatch.setattr(Discovery, "announce", announce)
    table = host.open(plan(), "local network").result(PATIENCE)
    table.addresses = (Address("127.0.0.1", 4747),)
    seat = name_of(table.invitation(1).key)
    host.let_watch(table, True).result(PATIENCE)
    assert told[-1][0].seats == {seat, name_of(table.invitation(None).key)}
    host.let_watch(table, False).result(PATIENCE)
    assert told[-1][0].seats == {seat}


def test_the_hosts_name_is_told(host: Online) -> None:
    table = opened(host)
    host.rename(table, "Ada B.", pauses=False)
    wait_for(lambda: table.link.waiting is not None and table.link.waiting.names[0] == "Ada B.")
    assert (table.plan.host, table.plan.pauses) == ("Ada B.", False)


def test_a_code_may_have_an_address_behind_it() -> None:
    assert [str(one) for one in read_code(f" {CODE}  192.168.1.5 ").addresses] == ["192.168.1.5:47474"]
    assert [str(one) for one in read_code(f"{CODE.replace('-', ' ')} example.org:4000").addresses] == [
        "example.org:4000"
    ]
    assert read_code(CODE.lower()).addresses == ()
    assert [str(one) for one in read_code(f"papan:join/{CODE}?at=[::1]:5").addresses] == ["[::1]:5"]


@pytest.mark.parametrize(
    "text", ["", " ", "x", "papan:join/", CODE[:-1], f"{CODE} :", f"{CODE} http://a.b", "\x00", "." * 500]
)
def test_what_is_no_code_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InvitationError):
        read_code(text)


def test_games_with_dice_and_hidden_cards_or_for_one_are_played_here_alone() -> None:
    assert can_be_elsewhere(GALLERY["catur-jawa"]) and not can_be_elsewhere(GALLERY["2048"])


def test_an_account_without_a_name_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> str:
        raise KeyError

    monkeypatch.setattr("getpass.getuser", refuse)
    assert usual_name() == ""
