"""Simulations on the workers of a scheduler: real processes, which are killed; and what nobody can play."""

from __future__ import annotations

import dataclasses
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import trustme

from papan import main
from papan.game.catalogue import GAMES
from papan.lab import workers as elsewhere
from papan.lab.loopback import Loopback
from papan.lab.simulation.batches import batch
from papan.lab.simulation.cluster import Cluster
from papan.lab.simulation.counts import Counts
from papan.lab.simulation.plan import Plan, PlanError, check_here, make_plan
from papan.lab.simulation.running import Pool, run
from papan.lab.simulation.store import Store
from papan.lab.workers import PoolError, Security, Workers
from tests.waiting import wait_for


def plan_of(games: int, batch_games: int = 50) -> Plan:
    plan = make_plan(GAMES["connect-four"], ["random", "minimax:easy"], {}, 3, games)
    return dataclasses.replace(plan, batch_games=batch_games)


def here(plan: Plan) -> Counts:
    total = Counts.of_seats(len(plan.players))
    for number in range(plan.batches):
        total.add(batch(plan, number))
    return total


def kept(plan: Plan, path: Path) -> set[int]:
    with closing(Store(plan, path)) as store:
        return {number for number, _ in store.finished()}


def simulated(plan: Plan, pool: Pool, path: Path) -> Counts:
    with closing(Store(plan, path)) as store:
        return run(plan, store, pool)


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with Loopback(tmp_path_factory.mktemp("cluster"), workers=2) as loopback:
        yield loopback


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


class TestWhatIsCounted:
    def test_is_the_same_as_here(self, workers: Loopback, path: Path) -> None:
        plan = plan_of(2030)
        with closing(Workers(workers.address)) as there:
            assert simulated(plan, Cluster(there), path) == here(plan)
        assert kept(plan, path) == set(range(plan.batches))

    def test_is_not_counted_again(self, workers: Loopback, path: Path) -> None:
        plan = plan_of(400)
        with closing(Store(plan, path)) as store:
            store.keep({number: batch(plan, number) for number in (0, 3)})
        lines = path.read_bytes()
        with closing(Workers(workers.address)) as there:
            assert simulated(plan, Cluster(there), path) == here(plan)
        assert path.read_bytes().startswith(lines) and path.read_bytes().count(b"\n") == 1 + plan.batches

    def test_is_the_same_though_a_worker_is_killed(self, tmp_path: Path, path: Path) -> None:
        plan = plan_of(200_000, 500)
        with Loopback(tmp_path, workers=2) as loopback, closing(Workers(loopback.address)) as there:
            played: list[Counts] = []
            thread = threading.Thread(target=lambda: played.append(simulated(plan, Cluster(there), path)))
            thread.start()
            wait_for(lambda: path.exists() and path.read_bytes().count(b"\n") > 2, "the second batch")
            loopback.workers[0].kill()
            thread.join()
        assert played == [here(plan)]

    def test_comes_over_an_encrypted_connection(self, tmp_path: Path, path: Path) -> None:
        authority = trustme.CA()
        certificate = authority.issue_cert("127.0.0.1")
        ca, chain, key = (str(tmp_path / name) for name in ("ca.pem", "chain.pem", "key.pem"))
        authority.cert_pem.write_to_path(ca)
        certificate.cert_chain_pems[0].write_to_path(chain)
        certificate.private_key_pem.write_to_path(key)
        files = ("--tls-ca-file", ca, "--tls-cert", chain, "--tls-key", key)
        plan = plan_of(500)
        with Loopback(tmp_path, workers=1, security=files) as loopback:
            with pytest.raises(PoolError, match="needs --tls-ca-file"):
                Workers(loopback.address)
            with closing(Workers(loopback.address, Security(ca, chain, key))) as there:
                assert simulated(plan, Cluster(there), path) == here(plan)


class TestWhatIsLost:
    def test_a_lost_scheduler_is_told_and_the_rest_can_be_done(self, tmp_path: Path, path: Path) -> None:
        plan = plan_of(400_000, 500)
        with Loopback(tmp_path, workers=1) as loopback:
            with closing(Workers(loopback.address)) as there:
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
            assert len(told) == 1 and "is gone. What was counted is kept" in told[0]
            before = kept(plan, path)
            assert 2 <= len(before) < plan.batches
            loopback.start_scheduler()
            loopback.start_worker()
            with closing(Workers(loopback.address)) as there:
                assert simulated(plan, Cluster(there), path) == here(plan)

    def test_without_workers_it_does_not_wait_forever(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(elsewhere, "WORKERLESS_SECONDS", 0.2)
        with Loopback(tmp_path) as loopback, pytest.raises(PoolError, match="has no workers: start some with 'dask wo"):
            Workers(loopback.address)

    def test_a_worker_that_plays_otherwise_is_refused(self, workers: Loopback, path: Path) -> None:
        plan = dataclasses.replace(plan_of(100), version="0.0.1")
        with closing(Workers(workers.address)) as there, pytest.raises(PoolError, match=r"A worker can't do this"):
            simulated(plan, Cluster(there), path)
        assert not kept(plan, path)

    @pytest.mark.parametrize("other", [{"version": "0.0.1"}, {"weights": "0" * 16}, {"game": "no-game"}])
    def test_a_plan_of_another_program_is_told_apart(self, other: dict[str, str]) -> None:
        data = plan_of(100).as_data()
        check_here(Plan.from_data(data))
        with pytest.raises(PlanError):
            check_here(Plan.from_data(data | other))


class TestTheCommand:
    def test_prints_the_same_counts(self, workers: Loopback, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
            (("--cluster", "nobody"), "an address is such as tcp://192.168.1.2:8786"),
            (("--cluster", "http://127.0.0.1:{port}"), "an address is such as tcp://192.168.1.2:8786"),
            (("--cluster", "tls://127.0.0.1:{port}"), "tls:// needs --tls-ca-file, --tls-cert and --tls-key"),
            (("--cluster", "tcp://127.0.0.1:{port}", "--tls-key", "k"), "an address that begins with tls://"),
            (("--cluster", "tcp://127.0.0.1:{port}", "--jobs", "2"), "--jobs is for this machine"),
            (("--tls-key", "k.pem"), "name it with --cluster ADDRESS"),
        ],
    )
    def test_refuses_in_one_sentence(
        self, options: tuple[str, ...], told: str, home: Path, capsys: pytest.CaptureFixture[str], path: Path
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
