"""The worker: one thread, one job after another."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from functools import partial

import pytest

from papan.ai.worker import Worker
from tests.waiting import PATIENCE, wait_for


@pytest.fixture
def worker() -> Iterator[Worker]:
    worker = Worker("worker at work")
    yield worker
    assert worker.close(PATIENCE)


class TestJobs:
    def test_are_done_in_order_by_one_thread(self, worker: Worker) -> None:
        done: list[tuple[int, str]] = []
        for number in range(5):
            worker.submit(partial(lambda number: done.append((number, threading.current_thread().name)), number))
        assert worker.close(PATIENCE)
        assert done == [(number, "worker at work") for number in range(5)]

    def test_that_fail_end_nothing(self, worker: Worker, caplog: pytest.LogCaptureFixture) -> None:
        done: list[int] = []
        worker.submit(lambda: done[3])
        worker.submit(lambda: done.append(1))
        assert worker.close(PATIENCE)
        assert done == [1] and "A job in the background failed" in caplog.text

    def test_are_not_kept(self, worker: Worker) -> None:
        class Job:
            def __call__(self) -> None: ...

        job = Job()
        known = weakref.ref(job)
        worker.submit(job)
        del job
        wait_for(lambda: known() is None, "its end")


class TestThread:
    def test_begins_with_the_first_job(self) -> None:
        before = threading.active_count()
        worker = Worker("worker")
        assert threading.active_count() == before and worker.close(0.0)

    def test_that_is_busy_is_told(self, worker: Worker) -> None:
        may_end = threading.Event()
        worker.submit(lambda: may_end.wait(PATIENCE))
        assert not worker.close(0.01)
        may_end.set()
