"""How long a piece of work takes its own thread."""

from __future__ import annotations

import gc
import time

import pytest

from dev import rehearsal
from dev.rehearsal import OwnTime
from tests.dev.computing import compute

KEPT = 10.0  # seconds


@pytest.fixture
def any_time_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "LONG_SECONDS", -1.0)


class TestOwnTime:
    def test_is_what_the_thread_computes(self) -> None:
        with OwnTime() as spent:
            compute(0.02)
            time.sleep(0.2)
        assert 0.02 <= spent.seconds < 0.2

    @pytest.mark.usefixtures("any_time_is_long")
    def test_leaves_out_what_the_host_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        told = iter([[0.0, 1.0], [0.0, 1.0 + KEPT]])
        monkeypatch.setattr(rehearsal, "stolen_seconds", lambda: next(told))
        with OwnTime() as spent:
            compute(0.01)
        assert spent.seconds == 0.0
        assert "10000 ms more kept from the processor" in spent.words

    @pytest.mark.usefixtures("any_time_is_long")
    def test_counts_without_anybody_who_tells_of_the_host(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rehearsal, "psutil", None)
        assert rehearsal.stolen_seconds() == []
        with OwnTime() as spent:
            compute(0.01)
        assert spent.seconds >= 0.01

    def test_tells_what_went_for_garbage(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(rehearsal, "WORTH_TELLING", 0.0)
        with OwnTime() as spent:
            gc.collect()
        assert "for garbage" in spent.words
        assert not gc.callbacks or spent._note not in gc.callbacks
