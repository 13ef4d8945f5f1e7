"""Simulations on the workers of a scheduler: real processes, which are killed; and what nobody can play."""

from __future__ import annotations

import dataclasses
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from copy import deepcopy
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import trustme

from dev.loopback import Loopback
from papan import main
from papan.game.base.typed import converted
from papan.game.catalogue import BUILT_IN, GAMES
from papan.lab.simulation.batches import batch
from papan.lab.simulation.counts import Counts, CountsData
from papan.lab.simulation.plan import Plan, PlanError, check_here, make_plan
from papan.lab.simulation.running import Cluster, Pool, keep, open_store, run
from papan.lab.workers import FIRST_WORKER_SECONDS, AnswerError, PoolError, Security, Tasks, UnfitWorkerError, Workers
from tests.commands.calling import Captured
from tests.waiting import PATIENCE, wait_for


def plan_of(games: int, batch_games: int = 50) -> Plan:
    plan = make_plan(GAMES["connect-four"], ["random", "minimax:easy"], {}, 3, games)
    return dataclasses.replace(plan, batch_games=batch_games)


def here(plan: Plan) -> Counts:
    total = Counts.of_seats(len(plan.players))
    for number in range(plan.batches):
        total.add(batch(plan, number))
    return total


def kept(plan: Plan, path: Path) -> set[int]:
    with closing(open_store(plan, path)) as store:
        return {found.batch for found in store.entries()}


def simulated(plan: Plan, pool: Pool, path: Path) -> Counts:
    with closing(open_store(plan, path)) as store:
        return run(plan, store, pool)


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with Loopback(tmp_path_factory.mktemp("cluster"), workers=2) as loopback:
        yield loopback


def certified(folder: Path, *hosts: str) -> tuple[tuple[str, ...], tuple[str, str, str]]:
    """A certificate for *hosts* as options of dask's commands, and its files: authority, certificate, key."""
    authority = trustme.CA()
    certificate = authority.issue_cert(*hosts)
    ca, chain, key = (str(folder / name) for name in ("ca.pem", "chain.pem", "key.pem"))
    authority.cert_pem.write_to_path(ca)
    certificate.cert_chain_pems[0].write_to_path(chain)
    certificate.private_key_pem.write_to_path(key)
    return ("--tls-ca-file", ca, "--tls-cert", chain, "--tls-key", key), (ca, chain, key)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


class TestWhatIsCounted:
    def test_is_the_same_as_here_and_not_counted_again(self, workers: Loopback, path: Path) -> None:
        plan = plan_of(1030)
        with closing(open_store(plan, path)) as store:
            keep(store, {number: batch(plan, number) for number in (0, 3)})
        lines = path.read_bytes()
        with closing(Workers(workers.address, patience=PATIENCE)) as there:
            assert simulated(plan, Cluster(there), path) == here(plan)
        assert path.read_bytes().startswith(lines) and path.read_bytes().count(b"\n") == 1 + plan.batches
        assert kept(plan, path) == set(range(plan.batches))

    def test_is_the_same_though_a_worker_is_killed(self, workers: Loopback, path: Path) -> None:
        """The other one does for the rest of these tests."""
        plan = plan_of(60_000, 500)
        with closing(Workers(workers.address, patience=PATIENCE)) as there:
            played: list[Counts] = []
            thread = threading.Thread(target=lambda: played.append(simulated(plan, Cluster(there), path)))
            thread.start()
            wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") > 2, "the second batch")
            workers.workers[0].kill()
            thread.join()
        assert played == [here(plan)]


def test_the_scheduler_is_whom_its_certificate_names(tmp_path: Path, path: Path) -> None:
    """Over an encrypted connection, and not just anybody that the authority believes."""
    options, proofs = certified(tmp_path, "localhost", "scheduler.example")
    plan = plan_of(500)
    with Loopback(tmp_path, workers=1, security=options) as loopback:
        with pytest.raises(PoolError, match="needs --tls-ca-file"):
            Workers(loopback.address)
        with pytest.raises(
            PoolError, match=r"its certificate is not valid for '127\.0\.0\.1'; give .* with --tls-host"
        ):
            Workers(loopback.address, Security(*proofs))
        with pytest.raises(PoolError, match=r"its certificate is not valid for 'other\.example'"):
            Workers(loopback.address, Security(*proofs, "other.example"))
        by_name = loopback.address.replace("127.0.0.1", "localhost")
        with closing(Workers(by_name, Security(*proofs), PATIENCE)) as there:
            assert there.count_threads() == 1
        with closing(Workers(loopback.address, Security(*proofs, "scheduler.example"), PATIENCE)) as there:
            assert simulated(plan, Cluster(there), path) == here(plan)


class Liar:
    """Workers that change what they have counted before they send it."""

    def __init__(self, lie: Callable[[dict[str, Any]], Any]) -> None:
        self._lie = lie

    def carry_out(self, tasks: Tasks[Any]) -> Iterator[Sequence[tuple[Any, Any]]]:
        while (task := tasks.next(1)) is not None:
            function, given = tasks.call_of(task)
            yield [(task, self._lie(deepcopy(function(*given))))]

    def close(self) -> None:
        """Nothing is left."""


def lying(lie: Callable[[dict[str, Any]], Any]) -> Cluster:
    return Cluster(cast(Workers, Liar(lie)))


def with_counts(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], Any]:
    """The lie that is told by a *change* of the counts; all answers are of one batch of 50 games."""

    def lie(answer: dict[str, Any]) -> Any:
        change(answer["counts"][0][1])
        return answer

    return lie


def of_batch(answer: dict[str, Any], number: Any) -> Any:
    return {**answer, "counts": [(number, counts) for _, counts in answer["counts"]]}


NAN, HUGE = float("nan"), 10**30
NO_NUMBERS: list[Any] = [-1, NAN, float("inf"), HUGE, -HUGE, 1.5, 1.0, True, None, "1", "\x1b[31m", [], {}]
TOTALS = ("games", "undecided", "turns", "choices")
TABLES: list[Any] = [None, [], [[]], [[[0, 0, 0]]], [[[50, 0, 0]] * 2] * 2, [[[0, 0]] * 2] * 2]
NO_COUNTS: list[Any] = [None, 1, [], {}, [None], [(0,)], [(0, None)], [(0, {}), (0, {})]]
NO_REASONS: list[Any] = [None, [], {}, {"": 49}, {"\x1b[31m": 50}, {"x" * 5000: 50}, {1: 50}]
ANSWERS: list[Any] = [None, 1, "\x1b[2J", [], {}, object(), NAN, b"", {1: 2}, Fraction]
BESIDE: list[dict[str, Any]] = [
    *({"seconds": number} for number in [*NO_NUMBERS[:5], None, "1", True]),
    *({"counts": counts} for counts in NO_COUNTS),
    {"more": 1},
]
WITHIN: list[dict[str, Any]] = [
    *({name: number} for name in TOTALS for number in [*NO_NUMBERS, 10**9]),
    *({name: 0} for name in ("games", "steps", "legal_steps")),
    *({"results": table} for table in TABLES),
    *({"payoffs": table} for table in [None, [], [["1"]], [["1e9999999"] * 2] * 2, [["1/0"] * 2] * 2]),
    *({"payoffs": [[paid] * 2] * 2} for paid in ["999", "-999", "nan", 1, NAN, "\x1b[31m", "9" * 5000]),
    *({"squares": [[paid] * 2] * 2} for paid in ["0", "-1", "inf", 1]),
    *({"reasons": reasons} for reasons in [*NO_REASONS, {"one": 51, "other": -1}]),
    {"more": 1},
]
LIES: list[Callable[[dict[str, Any]], Any]] = [
    *(partial(lambda given, _answer: given, given) for given in ANSWERS),
    *(partial(lambda others, answer: {**answer, **others}, others) for others in BESIDE),
    *(with_counts(partial(lambda others, counts: counts.update(others), others)) for others in WITHIN),
    *(with_counts(partial(lambda figure, counts: counts["results"][0][0].__setitem__(0, figure), figure))
      for figure in [*NO_NUMBERS, 10**9, 51]),
    *(with_counts(partial(lambda name, counts: counts.pop(name), name))
      for name in ("games", "results", "payoffs", "reasons")),
    *(partial(of_batch, number=number) for number in [7, -1, HUGE, NAN, "0", None, True]),
]  # fmt: skip


class TestWhatCanNotBe:
    """Workers that lie: nothing of it is counted or kept."""

    def test_is_refused_in_a_sentence(self, path: Path) -> None:
        plan = plan_of(100)
        for lie in LIES:
            with pytest.raises(AnswerError) as refused:
                simulated(plan, lying(lie), path)
            told = str(refused.value)
            assert re.fullmatch(r"A worker sent an invalid answer, which was discarded: .{5,120}\.", told)
            assert told.isprintable() and not kept(plan, path)
        assert simulated(plan, lying(lambda answer: answer), path) == here(plan), "what is true is not"

    @pytest.mark.parametrize("name", BUILT_IN)
    def test_no_game_s_counts_are_taken_for_lies(self, name: str) -> None:
        seats = GAMES[name].seats
        for players in {seats[0], seats[-1]}:
            options = {"seats": str(players)} if "seats" in GAMES[name].options else {}
            plan = make_plan(GAMES[name], ["random"] * players, options, 1, 64)
            counts = batch(plan, 0)
            converted(json.loads(json.dumps(counts.as_data())), CountsData).counts.check(players)

    def test_the_command_ends_with_a_sentence(
        self, home: Path, path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        liar = Liar(with_counts(lambda counts: counts.update(undecided=10**9)))
        monkeypatch.setattr("papan.commands.common.ClusterOptions.workers", lambda *_: liar)
        words = ("simulate", "connect-four", "random", "random", "--games", "50", "--cluster", "any")
        code = main.run((*words, "--out", str(path)))
        captured = capsys.readouterr()
        assert (code, captured.out, captured.err.count("\n")) == (2, "", 1)
        assert "impossible number of games without a winner" in captured.err
        assert path.read_bytes().count(b"\n") == 1


class OneTask:
    """A task that a worker fails in, which is sent as it is: no worker has a module of it."""

    def __init__(self, function: Callable[[], Any]) -> None:
        self._functions = [function]

    def next(self, threads: int) -> str | None:
        return "task" if self._functions else None

    def call_of(self, task: str) -> tuple[Callable[[], Any], tuple[()]]:
        return self._functions.pop(), ()


def failing(error: BaseException) -> Callable[[], Any]:
    def fail() -> Any:
        raise error

    return fail


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (failing(ValueError("\x1b[31mred\n" * 50)), r"A worker failed: ValueError: \\x1b\[31mred\\n.*…"),
        (failing(UnfitWorkerError("\x1b[2J")), r"A worker can't do this: \\x1b\[2J"),
        (
            failing(ModuleNotFoundError("", name="\x1b[2J")),
            r"A worker lacks \\x1b\[2J: install the same packages there as here.",
        ),
        (failing(OSError(5, "\x1b[2J")), r"A worker failed: OSError: \[Errno 5\] \\x1b\[2J"),
        (lambda: threading.Lock(), r"A worker sent an invalid answer, which was discarded: TypeError: .*"),
    ],
)
def test_how_tasks_fail_is_told_plainly(workers: Loopback, function: Callable[[], Any], told: str) -> None:
    """In words that do nothing to a terminal, whatever a worker says."""
    with closing(Workers(workers.address, patience=PATIENCE)) as there:
        with pytest.raises(PoolError) as error:
            list(there.carry_out(OneTask(function)))
        assert re.fullmatch(told, str(error.value)) and str(error.value).isprintable()


class TestWhatIsLost:
    def test_a_lost_scheduler_is_told_and_the_rest_is_done_once_another_has_workers(
        self, tmp_path: Path, path: Path
    ) -> None:
        plan = plan_of(100_000, 500)
        with Loopback(tmp_path, workers=1) as loopback:
            with closing(Workers(loopback.address, patience=PATIENCE)) as there:
                told: list[str] = []

                def ask() -> None:
                    with pytest.raises(PoolError) as error:
                        simulated(plan, Cluster(there), path)
                    told.append(str(error.value))

                thread = threading.Thread(target=ask)
                thread.start()
                wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") > 2, "the second batch")
                loopback.scheduler.kill()
                thread.join()
            assert len(told) == 1 and "is gone. The results so far are saved" in told[0]
            before = kept(plan, path)
            assert 2 <= len(before) < plan.batches
            loopback.start_scheduler()
            assert FIRST_WORKER_SECONDS == 10.0
            with pytest.raises(PoolError, match="has no workers: start some with 'dask wo"):
                Workers(loopback.address, patience=0.2)
            loopback.start_worker()
            with closing(Workers(loopback.address, patience=PATIENCE)) as there:
                assert simulated(plan, Cluster(there), path) == here(plan)

    def test_a_worker_that_plays_otherwise_is_refused(self, workers: Loopback, path: Path) -> None:
        plan = dataclasses.replace(plan_of(100), version="0.0.1")
        with closing(Workers(workers.address)) as there, pytest.raises(PoolError, match=r"A worker can't do this"):
            simulated(plan, Cluster(there), path)
        assert not kept(plan, path)

    @pytest.mark.parametrize("other", [{"version": "0.0.1"}, {"weights": "0" * 16}, {"game": "no-game"}])
    def test_a_plan_of_another_program_is_told_apart(self, other: dict[str, str]) -> None:
        plan = plan_of(100)
        check_here(plan)
        with pytest.raises(PlanError):
            check_here(dataclasses.replace(plan, **other))  # type: ignore[arg-type]


class TestTheCommand:
    def test_prints_the_same_counts(self, workers: Loopback, home: Path, capsys: Captured) -> None:
        words = ("simulate", "connect-four", "random", "random", "--games", "40000", "--seed", "5", "--json")
        answers = []
        for where in ((), ("--cluster", workers.address)):
            assert main.run((*words, *where)) == 0
            answers.append(json.loads(capsys.readouterr().out)["counts"])
        assert answers[0] == answers[1]

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            (("--cluster", "tcp://127.0.0.1:{port}"), "No scheduler answers at 'tcp://127.0.0.1:{port}': "),
            (("--cluster", "nobody"), "an address looks like tcp://192.168.1.2:8786"),
            (("--cluster", "http://127.0.0.1:{port}"), "an address looks like tcp://192.168.1.2:8786"),
            (("--cluster", "tls://127.0.0.1:{port}"), "tls:// needs --tls-ca-file, --tls-cert and --tls-key"),
            (("--cluster", "tcp://127.0.0.1:{port}", "--tls-key", "k"), "an address that begins with tls://"),
            (("--cluster", "tcp://127.0.0.1:{port}", "--jobs", "2"), "--jobs cannot be combined with --cluster"),
            (("--tls-key", "k.pem"), "name it with --cluster ADDRESS"),
        ],
    )
    def test_refuses_in_one_sentence(
        self, options: tuple[str, ...], told: str, home: Path, capsys: Captured, path: Path
    ) -> None:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            port = str(nobody.getsockname()[1])
            given = [option.replace("{port}", port) for option in options]
            code = main.run(("simulate", "connect-four", "random", "random", "--out", str(path), *given))
        captured = capsys.readouterr()
        assert (code, captured.out) == (2, "")
        assert told.replace("{port}", port) in captured.err and captured.err.count("\n") == 1
        assert not path.exists()
