"""The soak: matches, reviews and analyses leave nothing behind that lives."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from dev.trials import soak
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.self_test import SIZE
from papan.ui.window.program import Program
from tests.waiting import PATIENCE, wait_for

WORKERS = (
    "thinker", "compiler", "analyst", "preparer", "prover", "adviser", "reviewer", "experimenter", "replayer",
    "library", "library reader", "library importer", "loudspeaker",
)  # fmt: skip
"""The threads of a program, each begun when it is first needed, that live as long as it does."""


@pytest.fixture
def program(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setattr(soak, "GALLERY", {name: GAMES[name] for name in ("connect-four", "catur-jawa", "2048")})
    for name in ("MATCH_SECONDS", "POSITION_SECONDS", "EXPERIMENT_SECONDS"):
        monkeypatch.setattr(soak, name, 0.25)
    program = Program(size=SIZE)
    yield program
    assert program.thinker.close(PATIENCE) and program.analyst.close(PATIENCE)
    assert all(worker.close(PATIENCE) for worker in program.services.workers)
    program.library.close()
    program.app.close()


class TestSoak:
    def test_nothing_that_was_left_lives_on(self, program: Program) -> None:
        gc.collect()
        others = soak.holding(program, "before").living  # of other tests
        threads = Counter(thread.name for thread in threading.enumerate())
        told = list(soak.soak(program, matches=3, reviews=3, analysis_seconds=0.75, experiments=3))
        assert [held.after for held in told] == [
            "at home", "3 matches", "3 reviews", "1 seconds of analysis", "3 experiments",
            "at home again",
        ]  # fmt: skip
        assert told[1].pictures > told[0].pictures and told[1].picture_bytes > 0
        program.app.step(1 / 60)
        del told

        def others_than_workers() -> Counter[str]:
            return Counter(thread.name for thread in threading.enumerate()) - threads - Counter(WORKERS)

        wait_for(lambda: not others_than_workers(), "the end of the threads of what was left")

        def is_gone(name: str) -> bool:
            gc.collect()
            return soak.holding(program, "").living[name] <= others[name]  # which may come to their end, too

        for name in ("TableScene", "ReviewScene", "LaboratoryScene", "Session", "Experiment", "Searcher"):
            wait_for(partial(is_gone, name), f"the end of each {name}")

    def test_what_is_gone_is_not_asked(self, program: Program) -> None:
        gone = Match.new(GAMES["connect-four"], ["human", "human"])
        proxy = weakref.proxy(gone)
        before = soak.holding(program, "before").living["Match"]
        del gone
        assert soak.holding(program, "after").living["Match"] == before - 1
        del proxy

    def test_says_what_is_held(self, program: Program) -> None:
        held = soak.holding(program, "at home")
        said = str(held)
        assert said.startswith("at home: ")
        assert f"{held.threads} threads" in said and f"{held.living['TableScene']} TableScene" in said
