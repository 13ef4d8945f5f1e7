"""Games that other packages bring: let in where they can be played, else left out with a sentence."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, cast

import pytest

from papan.game.base.sentences import say
from papan.game.base.untrusted import LONGEST_QUOTE
from papan.game.catalogue import BUILT_IN, GAMES, GROUP, Plugins, find_plugins
from papan.game.game import load_part
from papan.lab.calibration import Calibration, Prediction
from papan.report.kinds import section_of
from papan.report.page import page
from tests.game.kernel.letters import GAME as LETTERS
from tests.report import results

RULES = """
from papan.game.game import Game, Parts
GAME = Game({name!r}, "Pebbles", "", Parts({rules!r}))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of an importable package ``pebbles``, forgotten after the test."""
    folder = tmp_path / "pebbles"
    folder.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    yield folder
    for name in ("pebbles", "pebbles.board", "pebbles.rays"):
        sys.modules.pop(name, None)


def test_threads_that_load_parts_of_one_package_all_get_them_whole(package: Path) -> None:
    """Each waits for what the other imports, and Python would give one of them an unfinished module."""
    (package / "__init__.py").write_text("import time\ntime.sleep(0.4)\nfrom pebbles.board import CELLS\n", "utf-8")
    (package / "board.py").write_text("import time\ntime.sleep(0.1)\nfrom pebbles import rays\nCELLS = 9\n", "utf-8")
    (package / "rays.py").write_text("", "utf-8")
    with ThreadPoolExecutor(2) as threads:
        loading = threads.submit(load_part, LETTERS, "pebbles")
        time.sleep(0.1)
        parts = [threads.submit(load_part, LETTERS, "pebbles.board"), loading]
        assert [part.result().CELLS for part in parts] == [9, 9]


def found(*entries: tuple[str, str]) -> Plugins:
    return find_plugins(BUILT_IN, [EntryPoint(name, value, GROUP) for name, value in entries])


def write(package: Path, text: str) -> None:
    (package / "__init__.py").write_text(text, encoding="utf-8")


class TestAPlugin:
    def test_one_that_fails_leaves_the_others_in(self) -> None:
        plugins = found(("broken", "tests.game.kernel.nothing:GAME"), ("letters", "tests.game.kernel.letters:GAME"))
        assert plugins.games == {"letters": LETTERS} and len(plugins.faults) == 1


TITLE = "[bold]<b>x</b>\x1b[31m\n[/red]$a^$ " + "z" * 10_000
NASTY = """
from tests.game.kernel.letters import *
from papan.game.game import Game, Option, Parts
SIZE = Option("size", {title!r}, {{"a": {title!r}, "b": "two"}})
GAME = Game("pebbles", {title!r}, {title!r}, Parts("tests.game.kernel.letters"), (3,), (SIZE,), 1, False, True)
"""


class TestAPluginWithMarkupInItsTexts:
    """They are shown as they are, on one line, and cut off: to a terminal, in a page, in the window."""

    def test_its_texts_are_plain_and_short(self, package: Path) -> None:
        write(package, NASTY.format(title=TITLE))
        game = found(("pebbles", "pebbles:GAME")).games["pebbles"]
        option = game.options["size"]
        assert option.title == game.title == game.tagline == option.words("a")
        assert game.title.startswith("[bold]<b>x</b>\\x1b[31m\\n[/red]$a^$ zzz") and game.title.endswith("z…")
        assert len(game.title) == LONGEST_QUOTE and game.title.isprintable() and option.words("b") == "two"
        assert game.rules.MOST_STEPS and game.complete_options({"size": "b"})["size"] == "b"

    def test_they_are_escaped_in_a_report(self, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        write(package, NASTY.format(title=TITLE))
        monkeypatch.setitem(cast(Any, GAMES), "pebbles", found(("pebbles", "pebbles:GAME")).games["pebbles"])
        answer = {**results.proof_answer(), "game": "pebbles", "options": {"size": "b"}}
        section = section_of(json.dumps(answer).encode())
        assert "can't force a win ([bold]<b>x</b>\\x1b" in section.paragraphs[0] and "size=b" in section.paragraphs[0]
        written = page("a title", [("a.json", section)], [])
        assert "<b>x" not in written and "[bold]&lt;b&gt;x&lt;/b&gt;\\x1b[31m" in written and "\x1b" not in written

    def test_a_picture_has_no_formula_in_its_title(self, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        from papan.report.plots import draw_calibration

        calibration = Calibration((Prediction("a", 0.0, False), Prediction("b", 1.0, True)))
        draw_calibration(say("{game}, and more", game="$a^$ and $\\frac"), calibration, tmp_path / "picture.png")
        assert (tmp_path / "picture.png").stat().st_size > 1000


OTHELLO = "papan.game.rules.othello"
OPTION = """
from papan.game.game import Game, Option, Parts
SIZE = Option("size", "Size", {{{!r}: "one"}})
GAME = Game("pebbles", "Pebbles", "", Parts("papan.game.rules.othello"), own_options=(SIZE,))
"""
UNTYPABLE = "the name or a value of its option 'size' contains unprintable characters or is too long."


class TestAPluginThatIsLeftOut:
    """Each is named, with what is wrong with it."""

    @pytest.mark.parametrize(
        ("source", "reason"),
        [
            ("1 / 0", "ZeroDivisionError: division by zero."),
            ("GAME = 'pebbles'", "'pebbles:GAME' is a str, not a papan.game.game.Game."),
            (RULES.format(name="othello", rules=OTHELLO), "there is a game 'othello' already."),
            (
                RULES.format(name="../othello", rules=OTHELLO),
                "its name '../othello' is not made of small letters, digits and hyphens.",
            ),
            (RULES.format(name="n" * 10_000, rules=OTHELLO), "its name has more than 40 characters."),
            (OPTION.format("a\x1b"), UNTYPABLE),
            (OPTION.format("w" * 5000), UNTYPABLE),
            (
                RULES.format(name="pebbles", rules="pebbles.rules"),
                "Pebbles: the module 'pebbles.rules' can't be loaded "
                "(ModuleNotFoundError: No module named 'pebbles.rules').",
            ),
        ],
    )
    def test_it_is_told_in_a_sentence(self, package: Path, source: str, reason: str) -> None:
        write(package, source)
        self.check(reason)

    def test_it_is_not_there(self) -> None:
        self.check("ModuleNotFoundError: No module named 'pebbles'.")

    def check(self, reason: str) -> None:
        plugins = found(("pebbles", "pebbles:GAME"))
        assert plugins.games == {}
        assert plugins.faults == (f"The game 'pebbles' of the package 'pebbles:GAME' is left out: {reason}",)

    @pytest.mark.parametrize(
        ("source", "said"),
        [
            (RULES.format(name="\x1b[2J\n" * 1000, rules=OTHELLO), "its name '\\x1b[2J\\n"),
            ("raise ValueError('\x1b[1m' + 'w' * 100_000)", "ValueError: \\x1b[1mwww"),
        ],
    )
    def test_that_does_nothing_to_a_terminal(self, package: Path, source: str, said: str) -> None:
        write(package, source)
        (fault,) = found(("pebbles\n", "pebbles:GAME")).faults
        assert fault.isprintable() and len(fault) < 600 and said in fault and "'pebbles\\n'" in fault

    def test_its_rules_lack_something(self, package: Path) -> None:
        write(package, RULES.format(name="pebbles", rules="pebbles") + "MOST_STEPS = 1\nPHASES = {}\n")
        (fault,) = found(("pebbles", "pebbles:GAME")).faults
        assert "Pebbles: the module 'pebbles' lacks PERFT_COUNTS_ENDED_GAMES, cells, describe" in fault
