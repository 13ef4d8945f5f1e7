"""The file of a simulation: what is in it counts once, what is torn or somebody else's does not."""

from __future__ import annotations

import dataclasses
import json
import stat
import sys
import tracemalloc
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from papan.game.base.typed import converted
from papan.game.catalogue import GAMES
from papan.lab.journal import JournalError
from papan.lab.simulation.batches import batch
from papan.lab.simulation.counts import Counts, CountsData
from papan.lab.simulation.plan import MOST_BATCHES, MOST_IN_BATCH, QUICK_BATCH, Plan, make_plan
from papan.lab.simulation.running import Finished, Threads, keep, open_store, run, usual_place


@pytest.fixture
def plan() -> Plan:
    whole = make_plan(GAMES["connect-four"], ["random", "random"], {}, 3, 1000)
    return dataclasses.replace(whole, batch_games=100)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def finished(plan: Plan, path: Path) -> dict[int, Counts]:
    with closing(open_store(plan, path)) as store:
        return {found.batch: found.counts.counts for found in store.entries()}


def fill(plan: Plan, path: Path, *numbers: int) -> None:
    with closing(open_store(plan, path)) as store:
        for number in numbers:
            keep(store, {number: batch(plan, number)})


class TestWhatWasKept:
    def test_is_there_again(self, plan: Plan, path: Path) -> None:
        fill(plan, path, 4, 2)
        assert finished(plan, path) == {4: batch(plan, 4), 2: batch(plan, 2)}

    @pytest.mark.parametrize("cut", [1, 2, 40])
    def test_a_torn_line_is_passed_over(self, plan: Plan, path: Path, cut: int) -> None:
        fill(plan, path, 0, 1)
        path.write_bytes(path.read_bytes()[:-cut])
        whole = {0: batch(plan, 0)}
        assert finished(plan, path) == whole
        fill(plan, path, 5)
        assert finished(plan, path) == whole | {5: batch(plan, 5)}

    def test_so_is_one_that_makes_no_sense(self, plan: Plan, path: Path) -> None:
        fill(plan, path, 0, 1)
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(lines[0] + b'{"batch": 7}\n\xff\xfe\n[]\n' + lines[2])
        assert finished(plan, path) == {1: batch(plan, 1)}

    def test_a_file_that_was_begun_only_is_begun_again(self, plan: Plan, path: Path) -> None:
        fill(plan, path)
        head = path.read_bytes()
        for length in (0, 5, len(head) - 1):
            path.write_bytes(head[:length])
            fill(plan, path, 1)
            assert finished(plan, path) == {1: batch(plan, 1)}

    @pytest.mark.skipif(sys.platform == "win32", reason="a user's files are private there already")
    def test_is_for_its_owner_only(self, plan: Plan, home: Path) -> None:
        place = usual_place(plan)
        fill(plan, place)
        assert home in place.parents
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700


class TestWhatIsRefused:
    @pytest.mark.parametrize("content", [b"", b"notes", b"notes\n", b"{}\n", b"[1]\n", b"\x00\xff\n"])
    def test_another_file(self, plan: Plan, path: Path, content: bytes) -> None:
        path.write_bytes(content)
        if content:
            with pytest.raises(JournalError, match="is not a file of this kind: simulation"):
                open_store(plan, path)
            assert path.read_bytes() == content
        else:
            open_store(plan, path).close()
            assert path.read_bytes()

    @pytest.mark.parametrize(
        ("others", "told"), [({"seed": 4, "games": 7}, r"\(games, seed"), ({"version": "0.0.1"}, r"\(version")]
    )
    def test_another_plan(self, plan: Plan, path: Path, others: dict[str, Any], told: str) -> None:
        fill(dataclasses.replace(plan, **others), path, 0)
        before = path.read_bytes()
        with pytest.raises(JournalError, match=f"other settings {told}"):
            open_store(plan, path)
        assert path.read_bytes() == before


class TestRunning:
    @pytest.mark.parametrize("jobs", [1, 2, 5])
    def test_the_number_of_jobs_makes_no_difference(self, plan: Plan, path: Path, jobs: int) -> None:
        with closing(open_store(plan, path)) as store:
            total = run(plan, store, Threads(jobs))
        refused = pytest.raises(Exception, match="no game 'nothing'")
        with closing(open_store(plan, path.with_name("other"))) as other, refused:
            run(dataclasses.replace(plan, game="nothing"), other, Threads(jobs))
        assert total.games == 1000
        whole = Counts.of_seats(2)
        for counts in finished(plan, path).values():
            whole.add(counts)
        assert whole == total == batch(dataclasses.replace(plan, batch_games=1000), 0)

    def test_what_is_there_is_not_played_again(self, plan: Plan, path: Path) -> None:
        fill(plan, path, 0, 3, 3)
        told: list[int] = []
        with closing(open_store(plan, path)) as store:
            total = run(plan, store, Threads(1), lambda counts: told.append(counts.games))
        assert told[0] == 200 and told[-1] == 1000 and told == sorted({*told} & {*range(200, 1001, 100)})
        assert total == batch(dataclasses.replace(plan, batch_games=1000), 0)
        numbers = [json.loads(line).get("batch") for line in path.read_bytes().splitlines()[1:]]
        assert sorted(numbers) == [0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9]


class Everywhere:
    """A pool that knows what each batch counts."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def run(self, plan: Plan, numbers: Iterable[int]) -> Iterator[Mapping[int, Counts]]:
        return ({number: self._counts} for number in numbers)


def peak(plan: Plan, path: Path, counts: Counts, batches: int) -> int:
    """The most memory that a run of so many *batches* takes, in bytes."""
    longer = dataclasses.replace(plan, games=100 * batches)
    store = open_store(longer, path)
    tracemalloc.start()
    try:
        assert run(longer, store, Everywhere(counts)).games == 100 * batches
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        store.remove()


def test_memory_does_not_grow_with_the_number_of_games(plan: Plan, path: Path) -> None:
    counts = batch(plan, 0)
    few, many = (peak(plan, path, counts, batches) for batches in (200, 4000))
    assert many - few < 3800 * sys.getsizeof(counts), "what was counted in a batch takes more than that"


def test_each_finished_batch_counts_once() -> None:
    done = Finished()
    assert [done.add(number) for number in (1, 0, 1, 3, 0, 3)] == [True, True, False, True, False, False]
    left = done.open_below(6)
    done.add(4)
    assert list(left) == [2, 4, 5], "what is asked for is settled then"


class TestAPlan:
    def test_is_plain_data_and_so_are_counts(self, plan: Plan) -> None:
        assert converted(json.loads(json.dumps(dataclasses.asdict(plan))), Plan) == plan
        counts = batch(plan, 0)
        assert converted(json.loads(json.dumps(counts.as_data())), CountsData).counts == counts

    def test_batches_grow_with_millions_of_games_only(self, plan: Plan) -> None:
        sizes = {games: make_plan(GAMES["connect-four"], ["random"] * 2, {}, 1, games).batch_games
                 for games in (1, 10**7, 10**9, 10**12)}  # fmt: skip
        assert sizes == {1: QUICK_BATCH, 10**7: QUICK_BATCH, 10**9: 10**9 // MOST_BATCHES, 10**12: MOST_IN_BATCH}
        searching = make_plan(GAMES["connect-four"], ["random", "minimax:depth=2"], {}, 1, 10**9)
        assert searching.batch_games < QUICK_BATCH, "who looks ahead takes long"

    def test_its_last_batch_has_what_is_left(self) -> None:
        whole = dataclasses.replace(make_plan(GAMES["p-tree"], ["random"] * 2, {}, 1, 250), batch_games=100)
        assert [len(whole.games_of(number)) for number in range(whole.batches)] == [100, 100, 50]
