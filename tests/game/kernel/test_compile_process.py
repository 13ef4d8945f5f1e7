"""Compiling in another process: what it compiles is loaded here, and what it can't do is compiled here."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from papan.game.base.places import bundled_file
from papan.game.kernel import compile_process, compiled
from papan.game.kernel.compile_process import CompilingProcess, serve
from tests.waiting import wait_for

PROGRAM = bundled_file().parent / "main.py"
COMMAND = (sys.executable, str(PROGRAM), "compile-kernels")


LOOK_UP = """
import sys
import numpy as np
from papan.ai.search.table import number_of
from papan.game.kernel.compile_process import compile_elsewhere

process = compile_elsewhere(COMMAND)
print(number_of(7, np.array([5, 7]), np.array([1, 2])))
stats = number_of.dispatcher.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
process.close()
"""

THREADS = """
import threading
from numba.core.base import BaseContext
from papan.game.kernel import compiled
from papan.game.kernel.compile_process import compile_elsewhere

compile_elsewhere(("no program",))
inside = []
most = []
refresh = BaseContext.refresh

def refresh_slowly(self):
    inside.append(threading.get_ident())  # which comes here again from within
    most.append(len(set(inside)))
    if len(set(inside)) < 2:
        others.wait(0.05 if len(most) < 25 else 0)  # for another thread, which must not come
    else:
        others.set()
    refresh(self)
    inside.pop()

BaseContext.refresh = refresh_slowly
others = threading.Event()

@compiled
def one(number: int) -> int:
    return number

@compiled
def two(number: int) -> int:
    return number

@compiled
def three(number: int) -> int:
    return number

threads = [threading.Thread(target=entry.prepare, args=(1,)) for entry in (one, two, three)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(max(most), [len(entry.dispatcher.signatures) for entry in (one, two, three)])
"""


def ran(home: Path, script: str) -> list[str]:
    """What a process prints that runs *script* with a home of its own."""
    environment = {"PAPAN_HOME": str(home), "PYTHONPATH": str(PROGRAM.parent.parent), "PATH": "", "SYSTEMROOT": "C:"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


class TestTheOtherProcess:
    def test_compiles_what_is_loaded_here(self, tmp_path: Path) -> None:
        assert ran(tmp_path, LOOK_UP.replace("COMMAND", repr(COMMAND))) == ["1", "1 0"], "it was not compiled here"
        assert len(list((tmp_path / "cache" / "kernels").glob("ai.search.table.number_of-*"))) == 1

    def test_is_not_needed(self, tmp_path: Path) -> None:
        for command in ((sys.executable, "-c", "raise SystemExit"), (str(tmp_path / "no program"),)):
            found = ran(tmp_path / str(len(command)), LOOK_UP.replace("COMMAND", repr(command)))
            assert found == ["1", "0 1"], "it was compiled here"

    def test_threads_that_begin_at_once_set_the_compiler_up_one_by_one(self, tmp_path: Path) -> None:
        assert ran(tmp_path, THREADS) == ["1 [1, 1, 1]"]


class TestAsking:
    def test_one_that_has_left_is_started_again(self) -> None:
        answers_once = "import sys; sys.stdin.readline(); print('done')"
        process = CompilingProcess([sys.executable, "-c", answers_once])
        assert [process.compile(entry_of_this_module, ()) for _ in range(3)] == [True] * 3

    def test_what_it_prints_besides_is_no_answer(self) -> None:
        process = CompilingProcess([sys.executable, "-c", "print('hello'); print('failed')"])
        assert not process.compile(entry_of_this_module, ())

    @pytest.mark.parametrize("noise", ["print('hello')", "sys.stdout.write('x' * 10**6)"])
    def test_one_that_prints_without_end_is_ended(self, noise: str) -> None:
        process = CompilingProcess([sys.executable, "-c", f"import sys\nwhile True: {noise}"])
        assert not process.compile(entry_of_this_module, ())

    def test_it_leaves_with_who_asked(self) -> None:
        process = CompilingProcess([sys.executable, "-c", "print('done', flush=True); import sys; sys.stdin.read()"])
        assert process.compile(entry_of_this_module, ())
        other = process._process
        assert other is not None and other.poll() is None
        process.close()
        wait_for(lambda: other.poll() is not None, "its end")


class TestServing:
    @pytest.fixture(autouse=True)
    def lowered(self, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """By how much the priority was lowered: not that of this process, where other tests run."""
        lowered: list[int] = []
        monkeypatch.setattr(os, "nice", lowered.append, raising=False)
        return lowered

    def test_it_stands_back_for_who_asks(self, lowered: list[int]) -> None:
        serve(io.BytesIO(), io.BytesIO())
        assert lowered == [compile_process.LOWER_PRIORITY]

    def test_it_leaves_if_nobody_asks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(compile_process, "IDLE_SECONDS", 0.01)
        answers = io.BytesIO()

        class Silent(io.BytesIO):
            def __next__(self) -> bytes:
                wait_for(lambda: has_left, "its leave")
                raise StopIteration

        has_left: list[bool] = []
        serve(Silent(), answers)
        has_left.append(True)
        assert answers.getvalue() == b""

    def test_nonsense_fails(self) -> None:
        answers = io.BytesIO()
        serve(io.BytesIO(b"nonsense\n\x80\n"), answers)
        assert answers.getvalue() == b"failed\nfailed\n"


def test_what_has_no_name_is_compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(CompilingProcess, "compile", lambda self, entry, signature: asked.append(entry))
    monkeypatch.setattr(compile_process._Compiling, "elsewhere", CompilingProcess(COMMAND))

    @compiled
    def local(number: int) -> int:
        return number + 1

    assert local(1) == 2 and asked == []


@compiled
def entry_of_this_module(number: int) -> int:
    return number
