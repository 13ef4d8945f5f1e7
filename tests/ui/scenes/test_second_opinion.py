"""Another program's opinion beside the analysis at the table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.ui.play.findings import OpinionView
from tests.ai.engines.programs import entry, script, write_entries
from tests.ui.scenes.test_analysis import Scripted, Window

FINDS = """
asked = 0
def find():
    global asked
    asked += 1
    say(f"info depth {asked} score cp 50 pv 4 4 1", "bestmove 4")
uci(find)
"""
"""What finds something at once, deeper each time that it is asked."""


@pytest.fixture
def window(home: Path) -> Iterator[Window]:
    write_entries(home, entry(script(FINDS)))
    window = Window(Scripted())
    yield window
    window.close()


def opinion(window: Window) -> OpinionView | None:
    assert window.table.analysis.study is not None
    return window.table.analysis.study.view.opinion


def test_its_score_its_depth_and_its_line_are_shown(window: Window) -> None:
    window.sit_down("connect-four", "human", "human")
    window.until(lambda: (found := opinion(window)) and found.turns)
    assert opinion(window) == OpinionView("x", "+0.5 · depth 1", ("4", "4", "1"))
    window.check_table()


def test_each_position_is_asked_about(window: Window) -> None:
    window.sit_down("connect-four", "human", "human")
    window.until(lambda: (found := opinion(window)) and found.turns)
    window.click_cell(0)
    window.until(lambda: (found := opinion(window)) and "depth 2" in found.words)


def test_without_a_program_for_the_game_there_is_none(window: Window) -> None:
    window.sit_down("othello", "human", "human")
    window.frames(20)
    assert opinion(window) is None


def test_a_program_that_fails_is_told_in_its_place(home: Path) -> None:
    write_entries(home, entry(script("sys.exit(3)")))
    window = Window(Scripted())
    window.sit_down("connect-four", "human", "human")
    window.until(lambda: (found := opinion(window)) and found.words)
    assert opinion(window) == OpinionView("x", "The engine 'x' has ended in the middle (exit code 3).")
    assert window.table.analysis.study is not None and window.table.analysis.study.view.lines
    window.close()


def test_where_a_network_has_learned_the_game_it_says_what_it_thinks(home: Path) -> None:
    window = Window(Scripted())
    window.sit_down("2048", "human")
    window.until(lambda: (found := opinion(window)) and found.turns)
    found = opinion(window)
    assert found is not None and found.name == "Learned" and found.words.endswith(" · depth 1")
    assert found.turns[0] in {"left", "right", "up", "down"}
    window.check_table()
    window.close()


@pytest.mark.parametrize("size", [(1024, 640), (1920, 1080)])
def test_there_is_room_for_it(home: Path, size: tuple[int, int]) -> None:
    write_entries(home, entry(script(FINDS)))
    window = Window(Scripted(), size)
    window.sit_down("connect-four", "human", "human")
    window.until(lambda: (found := opinion(window)) and found.turns)
    window.check_table()
    window.close()
