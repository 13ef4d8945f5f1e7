"""The opening explorer against a count by hand of the same games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from papan.game.catalogue import BUILT_IN
from papan.game.explorer import Collection, CollectionError, Filter, explore, open_collections
from papan.game.explorer import collection as collection_module
from papan.game.explorer.collection import digest_of
from papan.game.explorer.query import Results, results_of
from papan.game.explorer.trail import trail
from papan.game.formats import Replay, Transcript
from papan.game.rules import canonical_key, legal_steps

NAMES = ("Ann", "Bob", "Cleo")


def random_games(name: str, number: int, most_steps: int = 12) -> list[Transcript]:
    """Random games of few turns, so that many share their positions."""
    games, random = [], Random(1)
    for row in range(number):
        replay = Replay(BUILT_IN[name])
        while not replay.is_over and len(replay.steps) < most_steps:
            legal = sorted(replay.legal())
            replay.play(legal[random.randrange(min(2, len(legal)))])
        payoff = (1.0, 0.0, -1.0)[row % 3]
        told = replay.transcript(
            players=(NAMES[row % 3], NAMES[(row // 3) % 3]),
            payoffs=None if row % 7 == 0 and not replay.is_over else (payoff, -payoff),
            date=f"{2000 + row % 5}.??.??",
            tags={"Event": f"Cup {row}"},
        )
        games.append(told)
    return games


def made(folder: Path, games: Sequence[Transcript], name: str = "mine") -> Collection:
    collection = Collection(games[0].game, name, folder)
    assert list(collection.add(games))[-1] == len(games)
    return collection


@pytest.fixture(params=["othello", "connect-four", "gomoku", "santorini"])
def games(request: pytest.FixtureRequest) -> list[Transcript]:
    return random_games(request.param, 150)


def by_hand(games: Sequence[Transcript], key: int) -> Counter[int]:
    """How many games go on to each key from the position *key*."""
    found = Counter[int]()
    for told in games:
        replay = Replay(told.game)
        seen, turn = [], -2
        for step in told.steps:
            if replay.mover != turn:
                turn = replay.mover
                seen.append(int(canonical_key(replay.state)[0]))
            replay.play(step)
        seen.append(int(canonical_key(replay.state)[0]))
        found.update({after for before, after in pairwise(seen) if before == key})
    return found


def test_counts_are_those_by_hand(tmp_path: Path, games: list[Transcript]) -> None:
    game = games[0].game
    replay = Replay(game)
    with closing(made(tmp_path, games)) as collection:
        for _turn in range(3):
            key = int(canonical_key(replay.state)[0])
            found = explore([collection], replay.state, game.rules)
            expected = by_hand(games, key)
            told = {}
            for one in found.continuations:
                there = Replay(game)
                there.play(*replay.steps, *one.steps)
                told[int(canonical_key(there.state)[0])] = one.results.games
            assert told == dict(expected) and sum(expected.values()) >= 10
            assert found.results.games == sum(expected.values())
            replay.play(*found.continuations[0].steps)


def test_symmetric_turns_count_as_one(tmp_path: Path) -> None:
    rules = BUILT_IN["othello"].rules
    first = Replay(BUILT_IN["othello"])
    openings = []
    for step in first.legal():
        replay = Replay(BUILT_IN["othello"])
        replay.play(step)
        openings.append(replay.transcript(players=("A", "B")))
    with closing(made(tmp_path, openings)) as collection:
        [only] = explore([collection], first.state, rules).continuations
    assert only.results == Results(unknown=4) and only.players == ["A"]


def test_filters(tmp_path: Path) -> None:
    games = random_games("connect-four", 150)
    start, rules = Replay(games[0].game).state, games[0].game.rules

    def counted(**only: object) -> int:
        return explore([collection], start, rules, Filter(**only)).results.games  # type: ignore[arg-type]

    with closing(made(tmp_path, games)) as collection:
        assert counted() == 150
        assert counted(player="cleo") == sum("Cleo" in told.players for told in games)
        assert counted(years=(2001, 2002)) == sum(told.date[:4] in ("2001", "2002") for told in games)
        assert counted(payoff=1.0) == sum(told.payoffs == (1.0, -1.0) for told in games)
        assert counted(player="nobody") == 0
        latest = explore([collection], start, rules, most_games=3).games
    assert [info.date[:4] for _collection, info in latest] == ["2004"] * 3


def test_games_come_back_and_collections_add_up(tmp_path: Path) -> None:
    games = random_games("othello", 40)
    made(tmp_path, games[:25], "one").close()
    with closing(made(tmp_path, games[25:], "two")):
        both = open_collections(games[0].game, folder=tmp_path)
        assert [one.name for one in both] == ["one", "two"]
        assert explore(both, Replay(games[0].game).state, games[0].game.rules).results.games == 40
        again = both[0].transcript(3)
        assert (again.steps, again.players, again.payoffs) == (list(games[3].steps), games[3].players, games[3].payoffs)
        for one in both:
            one.close()


def test_digests_are_those_of_what_is_stored(tmp_path: Path) -> None:
    """A collection's games have the digests of the transcripts; any difference of note makes another."""
    told = random_games("santorini", 30)
    one = replace(told[0], players=("  Ann   Lee ", ""))
    unlike = [
        replace(one, players=("Bob",)), replace(one, date="1900"), replace(one, tags={"Event": "Other"}),
        replace(one, options={"gods": "none"}), replace(one, steps=one.steps[:-1]), replace(one, position="x"),
    ]  # fmt: skip
    with closing(made(tmp_path, [*told, one])) as collection:
        assert collection.digests() == {digest_of(game) for game in [*told, one]} and len(collection.digests()) == 31
        assert len({digest_of(game) for game in [one, *unlike]}) == 7
        assert digest_of(replace(one, players=("Ann Lee", "?"), payoffs=None, tags={**one.tags, "Site": "x"})) in (
            collection.digests()
        )


def test_parts_are_small_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection_module, "_BATCH", 50)
    games = random_games("othello", 120, most_steps=100)
    with closing(made(tmp_path, games)) as collection:
        assert len(collection) == 120
        arrays = sum(path.stat().st_size for path in collection.path.glob("*.npy"))
        assert arrays / collection.positions < 30


def test_what_is_cut_off_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = random_games("othello", 20)

    def fails(*_: object, **__: object) -> Iterator[None]:
        raise OSError("the disk is full")

    with closing(made(tmp_path, games[:10])) as collection:
        with monkeypatch.context() as patch:
            patch.setattr(collection_module, "atomic_file", fails)
            with pytest.raises(CollectionError, match="the disk is full"):
                list(collection.add(games[10:]))
        assert len(collection) == 10
        assert list(collection.add(games[10:])) == [20]


def test_what_is_no_collection_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="without chance"):
        Collection(BUILT_IN["2048"], "x", tmp_path)
    for name in ("", "../x", "a/b", "."):
        with pytest.raises(CollectionError, match="can't name a collection"):
            Collection(BUILT_IN["othello"], name, tmp_path)
    with pytest.raises(CollectionError, match="There is no collection 'x' of Othello"):
        open_collections(BUILT_IN["othello"], ["x"], tmp_path)
    path = tmp_path / "bad"
    path.mkdir()
    (path / "games.sqlite3").write_bytes(b"no database" * 1000)
    with pytest.raises(CollectionError, match="can't be opened"):
        Collection(BUILT_IN["othello"], "bad", tmp_path)


def test_compiled_keys_are_the_plain_ones() -> None:
    import numpy as np

    told = random_games("othello", 1, most_steps=100)[0]
    steps, state = np.array(told.steps, np.int64), Replay(told.game).state
    found = [np.zeros(len(steps) + 1, np.int64) for _ in range(2)]
    assert trail(state, steps, len(steps), found[0]) == trail.function(state, steps, len(steps), found[1])
    assert found[0].tolist() == found[1].tolist()
    assert legal_steps(state, told.game.rules.MOST_STEPS)


def test_results_of_one_player(tmp_path: Path) -> None:
    """Both sides count, games against a namesake don't, and only the whole name is meant."""
    games = random_games("connect-four", 150)
    start = Replay(games[0].game).state
    with closing(made(tmp_path, games)) as collection:
        for name in NAMES:
            expected = Counter[str]()
            for told in games:
                if name in told.players and len(set(told.players)) == 2:
                    won = None if told.payoffs is None else told.payoffs[told.players.index(name)]
                    expected["unknown" if won is None else {1.0: "won", 0.0: "drawn", -1.0: "lost"}[won]] += 1
            found = results_of([collection], start, name)
            assert found._asdict() == {outcome: expected[outcome] for outcome in Results._fields}
            assert found.games > found.unknown > 0
        assert results_of([collection], start, "An").games == 0
