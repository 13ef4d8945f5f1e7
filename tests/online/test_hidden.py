"""Hidden stays hidden: what a seat is sent before a round's end does not change if the cards that it can't see do."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import State, observe
from papan.game.rules.catur_jawa import CELL_BITS, state_with
from papan.game.rules.catur_jawa.board import HAND, deck_cards, hand_cards
from papan.online import table as table_module
from papan.online.host import Chair, Held, Host
from papan.online.protocol import (
    Answer,
    Ask,
    GuestMessage,
    Join,
    Over,
    Phrase,
    Play,
    Resign,
    Update,
    from_guest,
    written,
)
from papan.online.table import Member, Plan
from tests.online.tables import match_of

GAME = GAMES["catur-jawa"]
ROUNDS = 2
SPECTATOR = -1


class Act(NamedTuple):
    """What a member says, and who reads the news after it."""

    member: int
    message: GuestMessage
    readers: tuple[int, ...]


class Evening(NamedTuple):
    """Two rounds at one table, as they were played."""

    acts: list[Act]
    sent: dict[int, list[str]]
    """All that each place was sent, by member, without the ends of rounds."""
    starts: list[State]
    orders: list[list[int]]
    told: list[list[int | None]]
    """Of each round, the steps played, and None for each one taken back."""
    secrets: list[bytes]
    """What nobody may be told."""
    seeds: list[int]


class Spending:
    """Plays or repeats an evening at a host of its own."""

    def __init__(self, seats: int, seed: int, folder: Path) -> None:
        self.random = Random(seed)
        made = [self.random.randbytes(16) for _ in range(seats + 1)]
        members = [Member(f"P{n}", made[n]) for n in range(seats)]
        plan = Plan("catur-jawa", members, {"first": "random"}, "Host", made[seats], secret=self.random.randbytes(32))
        self.shares = [self.random.randbytes(16) for _ in range(seats)]
        self.plan, self.seats = plan, seats
        self.host = Host(folder=folder)
        self.held: Held = self.host.open(plan, GAME)
        self.chairs: dict[int, Chair] = {}
        self.evening = Evening([], {n: [] for n in range(-1, seats)}, [], [], [[]], [plan.secret, *made], [])
        for member in range(seats):
            self.chairs[member] = self.host.sit(self.held, member)
        self.chairs[SPECTATOR] = self.host.sit(self.held, None)
        for member, share in enumerate(self.shares):
            self.do(Act(member, Join(f"Name {member}", share), (member,)))
        self._note_round()

    def _note_round(self) -> None:
        match, table = match_of(self.held.table), self.held.table
        self.evening.starts.append(match.states[0])
        self.evening.orders.append(list(table.order))
        self.evening.secrets.append(table._secret(table.round))
        self.evening.seeds.append(match.seed)

    def do(self, act: Act) -> None:
        table = self.held.table
        before = list(match_of(table).steps) if table.match else []
        round_before = table.round
        self.evening.acts.append(act)
        self.host.act(self.held, self.chairs[act.member], from_guest(written(act.message)))
        for reader in act.readers:
            texts = [written(one) for one in self.chairs[reader].take() if not isinstance(one, Over)]
            self.evening.sent[reader] += texts
        if table.match is None or table.round != round_before:
            return
        after = list(match_of(table).steps)
        kept = next((n for n, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]),
                    min(len(before), len(after)))  # fmt: skip
        self.evening.told[-1] += [*[None] * (len(before) - kept), *after[kept:]]

    def play(self) -> Evening:
        """Random players, with undo, refusals, phrases, resignation and a rematch."""
        table, random = self.held.table, self.random
        while True:
            match, mover = match_of(table), table.order[match_of(table).mover]
            if match.ending is not None:
                if table.round == ROUNDS - 1:
                    break
                for member in range(self.seats):
                    self.do(Act(member, Ask("rematch", random.randbytes(16)), self._readers()))
                self.evening.told.append([])
                self._note_round()
                continue
            chosen = random.random()
            if chosen < 0.05:
                self.do(Act(random.randrange(self.seats), Phrase(random.randrange(6)), self._readers()))
            elif chosen < 0.1:  # refused
                self.do(Act(mover, Play(table.round, len(match.steps), 0), self._readers()))
            elif chosen < 0.2 and match.steps:
                asker = random.randrange(self.seats)
                for member in [asker, *(n for n in range(self.seats) if n != asker)]:
                    self.do(Act(member, Ask("undo"), self._readers()))
            elif chosen < 0.205:
                self.do(Act(random.randrange(self.seats), Resign(table.round), self._readers()))
            else:
                step = random.choice(match.legal_steps())
                self.do(Act(mover, Play(table.round, len(match.steps), step), self._readers()))
        for place in self.chairs:
            self.evening.sent[place] += [written(one) for one in self.chairs[place].take() if not isinstance(one, Over)]
        return self.evening

    def _readers(self) -> tuple[int, ...]:
        return tuple(place for place in range(-1, self.seats) if self.random.random() < 0.7)

    def repeat(self, acts: Sequence[Act]) -> Evening:
        for act in acts[self.seats :]:
            self.do(act)
        for place in self.chairs:
            self.evening.sent[place] += [written(one) for one in self.chairs[place].take() if not isinstance(one, Over)]
        return self.evening


class _Cards(NamedTuple):
    """The places in a seat's deck of the cards in its hand, and of the next one to draw."""

    hand: tuple[int, ...]
    next: int


def dealt_anew(start: State, told: Sequence[int | None], viewer: int, random: Random) -> State:
    """Another deal that looks the same to *viewer* throughout the round: its unseen cards are shuffled."""
    seats = int(start.seats)
    decks = [[*hand_cards(start, seat), *deck_cards(start, seat)] for seat in range(seats)]
    seen: list[set[int]] = [set(range(HAND)) if seat == viewer else set() for seat in range(seats)]
    history = [[_Cards(tuple(range(HAND)), HAND) for _ in range(seats)]]
    for step in told:
        if step is None:
            history.pop()
            continue
        seat, value = (len(history) - 1) % seats, step >> CELL_BITS
        hand, drawn = history[-1][seat]
        played = next(place for place in hand if decks[seat][place] == value)
        seen[seat].add(played)
        more = [drawn] if drawn < len(decks[seat]) else []
        if seat == viewer:
            seen[seat].update(more)
        now = _Cards((*(place for place in hand if place != played), *more), drawn + len(more))
        history.append([*history[-1][:seat], now, *history[-1][seat + 1 :]])
    for seat, deck in enumerate(decks):
        unseen = [place for place in range(len(deck)) if place not in seen[seat]]
        values = [deck[place] for place in unseen]
        random.shuffle(values)
        for place, value in zip(unseen, values, strict=True):
            deck[place] = value
    return state_with([deck[:HAND] for deck in decks], [deck[HAND:] for deck in decks])


def dealing(starts: Sequence[State]) -> type[Match]:
    """A class of matches that begin at *starts*, one after the other, and have other seeds."""
    left = iter(starts)

    class Dealt(Match):
        @classmethod
        def new(
            cls,
            game: Game,
            players: Sequence[str],
            options: Mapping[str, str] | None = None,
            seed: int | None = None,
            position: str | None = None,
        ) -> Match:
            true = Match.new(game, players, options, seed, position)
            return Match(game, true.seats, true.options, (seed or 0) ^ 0x5555, next(left))

    return Dealt


def looks_the_same(start: State, other: State, viewer: int) -> bool:
    return bool(observe(start, viewer) == observe(other, viewer))


def forms_of(secret: bytes) -> Iterator[str]:
    """How *secret* might stand in a text."""
    yield base64.b64encode(secret).decode().rstrip("=")
    yield secret.hex()
    yield str(int.from_bytes(secret))


def check(seats: int, seed: int, folder: Path, patch: Callable[[type[Match]], None]) -> tuple[int, int]:
    """Play an evening, and for each place again with another deal; returns messages compared, and cards changed."""
    patch(Match)
    true = Spending(seats, seed, folder).play()
    compared = changed = 0
    for place, texts in true.sent.items():
        whole = "\n".join(texts)
        assert 1 <= whole.count('"is":"round"') <= ROUNDS  # who reads late may miss one
        for number in true.seeds:
            assert str(number) not in whole and f"{number:x}" not in whole
        for secret in true.secrets:
            assert not any(form in whole for form in forms_of(secret))
        random = Random(seed + place)
        starts = []
        for start, order, told in zip(true.starts, true.orders, true.told, strict=True):
            viewer = order.index(place) if place >= 0 else SPECTATOR
            starts.append(dealt_anew(start, told, viewer, random))
            assert looks_the_same(start, starts[-1], viewer)
            changed += starts[-1] != start
        patch(dealing(starts))
        again = Spending(seats, seed, folder).repeat(true.acts)
        assert again.sent[place] == texts, f"place {place} of {seats}, seed {seed}"
        compared += len(texts)
    return compared, changed


def check_games(seeds: range, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
    async def run() -> tuple[int, int]:
        counts = [
            check(2 + seed % 3, seed, folder, lambda match: monkeypatch.setattr(table_module, "Match", match))
            for seed in seeds
        ]
        return sum(count[0] for count in counts), sum(count[1] for count in counts)

    return asyncio.run(run())


def test_ten_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Five evenings of two rounds."""
    compared, changed = check_games(range(5), tmp_path, monkeypatch)
    assert compared > 1000 and changed > 30


@pytest.mark.slow
def test_a_hundred_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compared, changed = check_games(range(50), tmp_path, monkeypatch)
    print(f"{compared} messages compared, {changed} deals changed")
    assert compared > 10_000 and changed > 300


@pytest.mark.parametrize("leak", ["state", "seed", "another seat"])
def test_it_finds_a_leak(leak: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if leak == "state":
        monkeypatch.setattr(table_module, "observe", lambda state, seat: state)
    elif leak == "another seat":
        monkeypatch.setattr(table_module, "observe", lambda state, seat: observe(state, max(0, seat - 1)))
    else:
        update = table_module.Table._update

        def leaking(self: table_module.Table, seen: table_module.Seen) -> Update:
            told = update(self, seen)
            return Update(told.round, match_of(self).seed & 0xFFFF, told.kept, told.steps, told.present, told.states)

        monkeypatch.setattr(table_module.Table, "_update", leaking)
    with pytest.raises(AssertionError, match=r"place|seed"):
        check_games(range(2), tmp_path, monkeypatch)


def test_rounds_and_answers_are_among_the_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The evenings have all that they should: else the comparison would prove little."""

    async def run() -> list[Evening]:
        return [Spending(2 + seed % 3, seed, tmp_path).play() for seed in range(6)]

    evenings = asyncio.run(run())
    said = {type(act.message) for evening in evenings for act in evening.acts}
    assert said >= {Join, Play, Ask, Phrase, Resign} and Answer not in said
    assert any(None in told for evening in evenings for told in evening.told)
    assert all(
        '"is":"refused"' in "".join(text for texts in evening.sent.values() for text in texts) for evening in evenings
    )
