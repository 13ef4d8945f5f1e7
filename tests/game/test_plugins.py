"""Games that other packages bring: let in where they can be played, else left out with a sentence."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, cast

import pytest

from papan.game.base.sentences import say
from papan.game.base.untrusted import LONGEST_QUOTE
from papan.game.catalogue import BUILT_IN, GAMES, GROUP, Plugins, find_plugins
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
    sys.modules.pop("pebbles", None)


def found(*entries: tuple[str, str]) -> Plugins:
    return find_plugins(BUILT_IN, [EntryPoint(name, value, GROUP) for name, value in entries])


def write(package: Path, text: str) -> None:
    (package / "__init__.py").write_text(text, encoding="utf-8")


class TestAPlugin:
    def test_it_is_let_in(self) -> None:
        plugins = found(("letters", "tests.game.kernel.letters:GAME"))
        assert list(plugins.games) == ["letters"] and plugins.faults == ()

    def test_one_that_fails_leaves_the_others_in(self) -> None:
        plugins = found(("broken", "tests.game.kernel.nothing:GAME"), ("letters", "tests.game.kernel.letters:GAME"))
        assert list(plugins.games) == ["letters"] and len(plugins.faults) == 1


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

    def test_one_whose_texts_are_plain_is_itself(self) -> None:
        assert found(("letters", "tests.game.kernel.letters:GAME")).games["letters"] is LETTERS

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


class TestAPluginThatIsLeftOut:
    """Each is named, with what is wrong with it."""

    def check(self, reason: str) -> None:
        plugins = found(("pebbles", "pebbles:GAME"))
        assert plugins.games == {}
        assert plugins.faults == (f"The game 'pebbles' of the package 'pebbles:GAME' is left out: {reason}",)

    def test_it_is_not_there(self) -> None:
        self.check("ModuleNotFoundError: No module named 'pebbles'.")

    def test_its_code_fails(self, package: Path) -> None:
        write(package, "1 / 0")
        self.check("ZeroDivisionError: division by zero.")

    def test_it_is_no_game(self, package: Path) -> None:
        write(package, "GAME = 'pebbles'")
        self.check("'pebbles:GAME' is a str, not a papan.game.game.Game.")

    def test_its_name_is_taken(self, package: Path) -> None:
        write(package, RULES.format(name="othello", rules="papan.game.rules.othello"))
        self.check("there is a game 'othello' already.")

    def test_its_name_could_be_a_path(self, package: Path) -> None:
        write(package, RULES.format(name="../othello", rules="papan.game.rules.othello"))
        self.check("its name '../othello' is not made of small letters, digits and hyphens.")

    def test_its_name_could_be_no_file(self, package: Path) -> None:
        write(package, RULES.format(name="n" * 10_000, rules="papan.game.rules.othello"))
        self.check("its name has more than 40 characters.")

    def test_its_name_does_something_to_a_terminal(self, package: Path) -> None:
        write(package, RULES.format(name="\x1b[2J\n" * 1000, rules="papan.game.rules.othello"))
        (fault,) = found(("pebbles\n", "pebbles:GAME")).faults
        assert fault.isprintable() and len(fault) < 300 and "its name '\\x1b[2J\\n" in fault and "'pebbles\\n'" in fault

    @pytest.mark.parametrize("value", ["a\x1b", "w" * 5000])
    def test_an_option_that_nobody_can_type(self, package: Path, value: str) -> None:
        text = RULES.format(name="pebbles", rules="papan.game.rules.othello").replace("Parts\n", "Option, Parts\n")
        options = f", own_options=(Option('size', 'Size', {{{value!r}: 'one'}}),))"
        write(package, text.replace("'papan.game.rules.othello'))", "'papan.game.rules.othello')" + options))
        self.check("the name or a value of its option 'size' contains unprintable characters or is too long.")

    def test_it_fails_with_a_long_sentence(self, package: Path) -> None:
        write(package, "raise ValueError('\x1b[1m' + 'w' * 100_000)")
        (fault,) = found(("pebbles", "pebbles:GAME")).faults
        assert fault.isprintable() and len(fault) < 600 and "ValueError: \\x1b[1mwww" in fault

    def test_it_has_no_rules(self, package: Path) -> None:
        write(package, RULES.format(name="pebbles", rules="pebbles.rules"))
        self.check(
            "Pebbles: the module 'pebbles.rules' can't be loaded "
            "(ModuleNotFoundError: No module named 'pebbles.rules')."
        )

    def test_its_rules_lack_something(self, package: Path) -> None:
        write(package, RULES.format(name="pebbles", rules="pebbles") + "MOST_STEPS = 1\nPHASES = {}\n")
        plugins = found(("pebbles", "pebbles:GAME"))
        assert "Pebbles: the module 'pebbles' lacks PERFT_COUNTS_ENDED_GAMES, cells, describe" in plugins.faults[0]
