"""Games that are made ready: what their levels need is kept, once, by a process that ends with the window."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from papan.ai.players import make_player
from papan.ai.thinking import warming
from papan.ai.thinking.warming import WarmUp, is_done, make_ready
from papan.game.catalogue import GAMES
from papan.game.kernel import Compiled, cache
from papan.game.match import Match
from tests.waiting import wait_for

GAME = GAMES["connect-four"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where kernels are kept."""
    tmp_path.chmod(0o700)
    monkeypatch.setattr(cache, "kernel_cache_folder", lambda: tmp_path)
    return tmp_path


def started(script: str) -> WarmUp:
    """A warm-up by *script*, which has begun."""
    warm_up = WarmUp([sys.executable, "-c", script], [GAME], delay=0.0)
    warm_up.begin()
    return warm_up


SCRIPT = """
import sys
def tell(words):
    with open({told!r}, "a") as file:
        file.write(words)
tell(sys.argv[1])
sys.stdin.read()
tell(".")
"""


class TestTheProcess:
    def test_is_told_the_games_and_ends_with_the_window(self, folder: Path, tmp_path: Path) -> None:
        told = tmp_path / "told"
        warm_up = started(SCRIPT.format(told=str(told)))
        wait_for(lambda: told.exists() and told.read_text() == GAME.name, "the game's name")
        warm_up.close()
        wait_for(lambda: told.read_text() == f"{GAME.name}.", "its end")

    def test_is_not_started_again_when_all_is_done(self, folder: Path, tmp_path: Path) -> None:
        assert not is_done([GAME.name])
        warming._stamp([GAME.name]).touch()
        assert is_done([GAME.name]) and not is_done([GAME.name, "othello"])
        told = tmp_path / "told"
        warm_up = started(SCRIPT.format(told=str(told)))
        warm_up._timer.join()
        assert warm_up._process is None and not told.exists()

    def test_one_that_is_closed_before_does_not_begin(self, folder: Path, tmp_path: Path) -> None:
        warm_up = WarmUp([sys.executable, "-c", ""], [GAME])
        warm_up.close()
        warm_up._start()
        assert warm_up._process is None


def test_it_takes_only_time_that_nothing_else_wants(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lowered: list[int] = []
    monkeypatch.setattr(os, "nice", lowered.append, raising=False)
    monkeypatch.setattr(os, "_exit", lambda code: None)
    monkeypatch.setattr(warming, "AUTOGROUP", tmp_path / "autogroup")
    monkeypatch.setattr(warming, "make_ready", lambda game: None)
    warming.serve([GAME], io.BytesIO())
    assert lowered == [19] and (tmp_path / "autogroup").read_text() == "19" and is_done([GAME.name])


def test_all_levels_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []
    compile_it = Compiled.prepare

    def noted(entry: Compiled[..., Any], *args: Any) -> None:
        prepared.append(entry.function.__qualname__)
        compile_it(entry, *args)

    monkeypatch.setattr(Compiled, "prepare", noted)
    make_ready(GAME)
    ready = set(prepared)
    for level in ("easy", "medium", "hard"):
        prepared.clear()
        player = make_player(f"minimax:{level}", GAME)
        player.prepare(Match.new(GAME, ["", ""], seed=0).state)
        assert prepared and set(prepared) <= ready
