"""Games that other packages bring: let in where they can be played, else left out with a sentence."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from papan.game.catalogue import HOUSE
from papan.game.guests import GROUP, Guests, find_guests

RULES = """
from papan.game.facts import Game, Parts
GAME = Game({name!r}, "Pebbles", "", Parts({rules!r}))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of an importable package ``pebbles``, forgotten after the test."""
    folder = tmp_path / "pebbles"
    folder.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pebbles", raising=False)
    return folder


def found(*entries: tuple[str, str]) -> Guests:
    return find_guests(HOUSE, [EntryPoint(name, value, GROUP) for name, value in entries])


def write(package: Path, text: str) -> None:
    (package / "__init__.py").write_text(text, encoding="utf-8")


class TestAGuest:
    def test_it_is_let_in(self) -> None:
        guests = found(("letters", "tests.game.kernel.letters:GAME"))
        assert list(guests.games) == ["letters"] and guests.faults == ()

    def test_one_that_fails_leaves_the_others_in(self) -> None:
        guests = found(("broken", "tests.game.kernel.nothing:GAME"), ("letters", "tests.game.kernel.letters:GAME"))
        assert list(guests.games) == ["letters"] and len(guests.faults) == 1


class TestAGuestThatIsLeftOut:
    """Each is named, with what is wrong with it."""

    def check(self, reason: str) -> None:
        guests = found(("pebbles", "pebbles:GAME"))
        assert guests.games == {}
        assert guests.faults == (f"The game 'pebbles' of the package 'pebbles:GAME' is left out: {reason}",)

    def test_it_is_not_there(self) -> None:
        self.check("ModuleNotFoundError: No module named 'pebbles'.")

    def test_its_code_fails(self, package: Path) -> None:
        write(package, "1 / 0")
        self.check("ZeroDivisionError: division by zero.")

    def test_it_is_no_game(self, package: Path) -> None:
        write(package, "GAME = 'pebbles'")
        self.check("'pebbles:GAME' is a str, not a papan.game.facts.Game.")

    def test_its_name_is_taken(self, package: Path) -> None:
        write(package, RULES.format(name="othello", rules="papan.game.rules.othello"))
        self.check("there is a game 'othello' already.")

    def test_its_name_could_be_a_path(self, package: Path) -> None:
        write(package, RULES.format(name="../othello", rules="papan.game.rules.othello"))
        self.check("its name '../othello' is not made of small letters, digits and hyphens.")

    def test_it_has_no_rules(self, package: Path) -> None:
        write(package, RULES.format(name="pebbles", rules="pebbles.rules"))
        self.check(
            "Pebbles: the module 'pebbles.rules' can't be loaded "
            "(ModuleNotFoundError: No module named 'pebbles.rules')."
        )

    def test_its_rules_lack_something(self, package: Path) -> None:
        write(package, RULES.format(name="pebbles", rules="pebbles") + "MOST_STEPS = 1\nPHASES = {}\n")
        guests = found(("pebbles", "pebbles:GAME"))
        assert "Pebbles: the module 'pebbles' lacks PERFT_COUNTS_ENDED_GAMES, cells, describe" in guests.faults[0]
