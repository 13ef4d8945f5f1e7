"""Hostile peers: whatever they send, nothing is logged, memory has bounds, and the others play on."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from dev.guests import RandomGuest
from dev.rehearsal import memory_in_use
from papan.game.catalogue import GAMES
from papan.online import host as host_module
from papan.online.certificates import new_certificate
from papan.online.guest import GuestLink
from papan.online.invitation import Address, Invitation, proof
from papan.online.mirror import MirrorMatch, UntrueError
from papan.online.protocol import (
    MOST_FROM_HOST,
    Answer,
    Ask,
    Challenge,
    Clocks,
    Gone,
    GuestMessage,
    Hello,
    HostMessage,
    Join,
    Over,
    Phrase,
    Play,
    Proof,
    ProtocolError,
    Refused,
    Resign,
    Round,
    Said,
    Update,
    Waiting,
    Welcome,
    from_guest,
    from_host,
    written,
)
from papan.online.same_game import digest_of
from tests.online.test_host import Hall, let_in, opened, until, working
from tests.waiting import PATIENCE

FEW, MANY = 400, 100_000
MOST_MEMORY = 48.0
"""Mebibytes by which the process of a fuzzed host or guest may grow, the fuzzing peer included."""
SAMPLES: list[GuestMessage] = [
    Hello(bytes(8), bytes(16)), Proof(bytes(32)), Join("Ann", bytes(16)), Play(0, 0, 3), Play(0, 1, 5), Ask("undo"),
    Ask("draw"), Ask("rematch"), Answer("undo", True), Answer("draw", False), Resign(5), Phrase(2), Gone("closed"),
]  # fmt: skip
HOSTS: list[HostMessage] = [
    Challenge(bytes(16), bytes(32)), Waiting(["Ann"], [True]), Round(0, ["a", "b"], 0, [True, True], bytes(32), "x"),
    Update(0, 1, 0, [3, 3], [True, True]), Update(0, 2, 1, [], [True], [], Clocks([1.0, 2.0], 1), ("undo", 1), "x"),
    Over(0, "x", bytes(32), [bytes(16)], bytes(32)), Said(0, 1), Refused("illegal"), Gone("full"),
    Welcome("connect-four", bytes(16), {}, "Host", "", True, "1"),
]  # fmt: skip
VALUES: tuple[object, ...] = (
    None,
    True,
    -1,
    0,
    2**63,
    2**70,
    1e308,
    "",
    "x" * 300,
    [],
    {},
    [[]],
    "undo",
    "\u202e",
    "\x00",
)


def spoilt(text: str, random: Random, most: int) -> str | bytes:
    """A frame made of the message *text*: changed, cut off, huge, nested, binary or mere noise."""
    kind = random.randrange(9)
    if kind == 0:
        return text
    if kind == 1:
        return text[: random.randrange(len(text) + 1)]
    if kind == 2:
        return random.randbytes(random.randrange(200))
    if kind == 3:
        return random.choice("[{") * random.randrange(most)
    if kind == 4:
        return '{"is":' * random.randrange(most // 6)
    if kind == 5:
        return text.encode() + random.randbytes(random.randrange(3))
    if kind == 6:
        return "".join(chr(random.choice((random.randrange(128), random.randrange(0xD800)))) for _ in range(50))
    facts = json.loads(text)
    name = random.choice(list(facts))
    if kind == 7:
        facts[name] = random.choice(VALUES)
    else:
        facts.pop(name)
        facts[random.choice(["is", "round", "x"])] = random.choice(VALUES)
    return json.dumps(facts)


def goes_on_after(frame: str | bytes) -> bool:
    """Whether a host goes on with a guest at the table who sends *frame*."""
    try:
        message = from_guest(frame)
    except ProtocolError:
        return False
    return not isinstance(message, Hello | Proof | Join | Gone)


def is_resigning(frame: str | bytes) -> bool:
    """Whether *frame* would end the others' match, as anybody may."""
    try:
        return from_guest(frame) == Resign(0)
    except ProtocolError:
        return False


def frames_of(random: Random, *, at_table: bool) -> list[str | bytes]:
    """What a connection sends: at the table, what is all read, and ends it at last; at the door, anything."""
    number = random.randrange(1, 60)
    found: list[str | bytes] = []
    while len(found) < number:
        frame = spoilt(written(random.choice(SAMPLES)), random, 3000)
        if not at_table or (goes_on_after(frame) != (len(found) == number - 1) and not is_resigning(frame)):
            found.append(frame)
    return found


async def fuzzed(
    open_one: Callable[[], object], frames: int, random: Random, ends: Counter[str], *, at_table: bool
) -> None:
    """Send *frames* of guests' messages, in as many connections as it takes."""
    sent = 0
    while sent < frames:
        connection = await open_one()  # type: ignore[misc]
        assert isinstance(connection, ClientConnection)
        reading = asyncio.create_task(_read_all(connection, ends))
        try:
            for frame in frames_of(random, at_table=at_table):
                sent += 1
                await connection.send(frame)
        except ConnectionClosed:
            pass
        if not at_table:
            await connection.close()
        await reading


async def _read_all(connection: ClientConnection, ends: Counter[str]) -> None:
    last = ""
    try:
        async for text in connection:
            last = str(text)
    except ConnectionClosed:
        pass
    ends[last if '"gone"' in last else str(connection.close_code)] += 1


def check_host(hall: Hall, frames: int, caplog: pytest.LogCaptureFixture, *, has_key: bool) -> Counter[str]:
    held = hall.table("catur-jawa", 3)
    guests = [RandomGuest(hall.link(held, member), member) for member in range(2)]
    key = held.table.plan.members[2].key
    ends: Counter[str] = Counter()

    async def open_one() -> ClientConnection:
        connection = await opened(hall.port)
        if has_key:
            assert isinstance(await let_in(connection, key), Welcome)
            await connection.send(written(Join("Fuzz", bytes(16))))
        return connection

    caplog.set_level(logging.WARNING)
    hall.loop.run(fuzzed(open_one, 200, Random(0), ends, at_table=has_key)).result(
        PATIENCE
    )  # whatever is kept for good
    before = most = memory_in_use()
    fuzzing = hall.loop.run(fuzzed(open_one, frames, Random(frames), ends, at_table=has_key))
    while not fuzzing.done():
        working(guests, is_playing=False)()
        most = max(most, memory_in_use())
        time.sleep(0.05)
    fuzzing.result()
    print(f"{frames} frames, the process has grown by {most - before:.1f} MiB")
    assert most - before < MOST_MEMORY
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    until(lambda: not held.table.is_present(2))
    assert all(guest.link.state.standing == "open" for guest in guests)
    third = RandomGuest(hall.link(held, 2), 3)
    everyone = [*guests, third]
    until(lambda: all(guest.finished for guest in everyone), work=working(everyone))
    assert len({tuple(guest.finished[0].steps) for guest in everyone}) == 1
    return ends


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(host_module, "_WRONG_SECONDS", 0.0)
    monkeypatch.setattr(host_module, "_MESSAGES_PER_SECOND", 1e9)
    monkeypatch.setattr(host_module, "_MOST_WRONG", 1 << 30)
    monkeypatch.setattr("papan.online.guest._FIRST_PAUSE", 0.02)
    found = Hall(tmp_path)
    yield found
    found.close()


SIZES = pytest.mark.parametrize("frames", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])


@SIZES
def test_any_text_is_a_message_or_refused(frames: int) -> None:
    random, refused = Random(frames), 0
    for _ in range(frames):
        for read, samples in ((from_guest, SAMPLES), (from_host, HOSTS)):
            try:
                read(spoilt(written(random.choice(samples)), random, 3000))
            except ProtocolError:
                refused += 1
    assert frames < refused < 2 * frames


class TestHost:
    @SIZES
    @pytest.mark.parametrize("has_key", [True, False])
    def test_any_frames(self, hall: Hall, frames: int, has_key: bool, caplog: pytest.LogCaptureFixture) -> None:
        ends = check_host(hall, frames, caplog, has_key=has_key)
        print(dict(ends))
        assert ends[written(Gone("not understood"))] > frames / 1000

    def test_a_slow_reader_that_says_much(self, hall: Hall) -> None:
        """It never reads; what it asks for is answered for nobody else later than before."""
        held = hall.table("catur-jawa", 3)
        guests = [RandomGuest(hall.link(held, member), member) for member in range(3)]

        async def spam() -> None:
            connection = await opened(hall.port)
            await let_in(connection, held.table.plan.watchers)
            await connection.send(written(Join("Sloth", bytes(16))))
            connection.transport.pause_reading()
            for _ in range(500):
                await connection.send(written(Phrase(1)))
            await asyncio.sleep(1000)

        spamming = hall.loop.run(spam())
        until(lambda: all(guest.finished for guest in guests), work=working(guests))
        spamming.cancel()


# ---------------------------------------------------------------------------------------- a hostile host


def is_read_on(frame: str | bytes) -> bool:
    """Whether a guest reads what a host says after *frame*."""
    try:
        return not isinstance(from_host(frame), Gone) and len(frame) <= MOST_FROM_HOST
    except ProtocolError:
        return False


class HostileHost:
    """A host with the right key, which tells what it likes."""

    def __init__(self, key: bytes, game: str, frames: int) -> None:
        self.key, self.game, self.random, self.left = key, GAMES[game], Random(frames), frames
        self.certificate = b""

    async def listen(self) -> int:
        context, self.certificate = new_certificate()
        self._server = await serve(self._talk, "127.0.0.1", 0, ssl=context, compression=None, max_size=None)
        return int(next(iter(self._server.sockets)).getsockname()[1])

    async def close(self) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _talk(self, connection: ServerConnection) -> None:
        try:
            hello = from_guest(await connection.recv())
            assert isinstance(hello, Hello)
            nonce = secrets.token_bytes(16)
            await connection.send(
                written(Challenge(nonce, proof(self.key, "host", self.certificate, hello.nonce, nonce)))
            )
            await connection.recv()
            options = self.game.complete_options({})
            digest = digest_of(self.game, options)
            welcome = Welcome(self.game.name, digest, options, "Host", "", True, "1")
            if self.random.random() < 0.2:
                self.left -= 1
                await connection.send(spoilt(written(welcome), self.random, 10_000))
                return
            await connection.send(written(welcome))
            await connection.recv()
            for _ in range(self.random.randrange(80)):
                self.left -= 1
                frame = self._frame()
                await connection.send(frame)
                if not is_read_on(frame):
                    return
        except ConnectionClosed:
            pass

    def _frame(self) -> str | bytes:
        random = self.random
        start = self.game.rules.start(self.game.complete_options({}), random)
        if random.random() < 0.45:
            told: list[int] | str = [int(number) ^ (random.random() < 0.02) for number in start]
            if not self.game.has_hidden_information:
                told = self.game.rules.text(start)
            seat, number = random.randrange(-1, 2), random.randrange(3)
            return written(Round(number, ["a", "b"], seat, [True] * 2, bytes(32), told))
        if random.random() < 0.9:
            steps = [random.randrange(-1, 1200) for _ in range(random.randrange(4))]
            return written(Update(0, 1, random.randrange(2), steps, [True, True], [[*map(int, start)] for _ in steps]))
        return spoilt(written(random.choice(HOSTS)), random, 100_000)


class TestGuest:
    @SIZES
    @pytest.mark.parametrize("game", ["catur-jawa", "connect-four"])
    def test_any_host(
        self, hall: Hall, frames: int, game: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("papan.online.guest._FIRST_PAUSE", 0.0)
        monkeypatch.setattr("papan.online.guest._LONGEST_PAUSE", 0.001)
        hostile = HostileHost(Invitation.new().key, game, frames)
        port = hall.loop.run(hostile.listen()).result(PATIENCE)
        invitation = Invitation(hostile.key, (Address("127.0.0.1", port),))
        caplog.set_level(logging.WARNING)
        links: list[GuestLink] = []
        refused = taken = 0

        def link() -> GuestLink:
            links.append(GuestLink(hall.loop, invitation, "Ann"))
            return links[-1]

        current, mirror = link(), None
        before = most = memory_in_use()

        def work() -> None:
            nonlocal current, mirror, refused, taken, most
            most = max(most, memory_in_use())
            if current.state.standing == "ended":
                current = link()
            for message in current.poll():
                welcome = current.welcome
                try:
                    if isinstance(message, Round) and welcome is not None:
                        mirror = MirrorMatch(GAMES[welcome.game], welcome.options, message)
                    elif isinstance(message, Update) and mirror is not None:
                        mirror.follow(message)
                    taken += 1
                except UntrueError:
                    refused += 1

        until(lambda: hostile.left <= 0, work=work)
        for one in links:
            one.close()
        hall.loop.run(hostile.close()).result(PATIENCE)
        print(f"{len(links)} links, {taken} messages taken, {refused} refused, {most - before:.1f} MiB more")
        assert most - before < MOST_MEMORY and refused > frames / 200
        assert [record.getMessage() for record in caplog.records if "papan" in record.name] == []
