"""Digests: what changes one, what doesn't, and what none can be taken of. Nothing is compiled here."""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

import papan
from papan.game.kernel import Compiled
from papan.game.kernel.digest import UnknownDependencyError, digest_of, digest_of_modules
from papan.game.rules import play

PREAMBLE = """
from enum import IntEnum
from math import floor
from typing import NamedTuple
import math
import numpy as np
from papan.game.kernel import Integers, compiled, inlined, int64, kernel, state, subroutine, uint64
"""


@pytest.fixture(autouse=True)
def no_new_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("papan.game.kernel.STATE_TYPES", [])


def module(source: str, name: str = "written") -> ModuleType:
    made = ModuleType(name)
    exec(compile(PREAMBLE + dedent(source), f"{name}.py", "exec", dont_inherit=True), vars(made))
    return made


def digest(source: str, *states: str) -> str:
    """The digest of the function ``search`` in *source*, for the states of these names."""
    made = module(source)
    return digest_of(made.search, [getattr(made, state) for state in states])


def plain(body: str, before: str = "") -> str:
    return f"{before}\n@compiled\ndef search(value):\n" + "\n".join(f"    {line}" for line in body.splitlines())


class TestTheFunctionItself:
    BODY = plain("'''A docstring.'''\nif value > 3:\n    return value\nreturn value + 1000")

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("A docstring.", "A docstring."),
            ("A docstring.", "Another."),
            ("'''A docstring.'''", "# a comment"),
            ("@compiled", "\n\n# further down\n@compiled"),
            ("search(value)", "search(value: int) -> int"),
        ],
    )
    def test_is_the_same_after_an_edit_that_does_nothing(self, old: str, new: str) -> None:
        assert old in self.BODY
        assert digest(self.BODY.replace(old, new)) == digest(self.BODY)

    @pytest.mark.parametrize(
        ("source", "old", "new"),
        [
            (BODY, "1000", "1001"),
            (BODY, "1000", "1000.0"),
            (BODY, "> 3", ">= 3"),
            (BODY, "+", "-"),
            (BODY, "return value\n", "pass\n"),
            (plain("'one'\nreturn value == 'one'"), "one", "other"),  # a docstring that is also a value
            (plain("return value * 0.0"), "0.0", "-0.0"),
            (plain("\n".join(f"value += {number}.5" for number in range(300))), "299.5", "999.5"),
            (plain("return [each + 1000 for each in (value, value)]"), "1000", "1001"),
            ("@compiled\ndef search(value, by=1000):\n    return value + by", "1000", "1001"),
            (
                "def made(by):\n    @compiled\n    def search(value):\n        return value + by\n    return search\n"
                "search = made(1000)",
                "1000",
                "1001",
            ),
        ],
    )
    def test_is_another_after_one_that_does_something(self, source: str, old: str, new: str) -> None:
        assert old in source
        assert digest(source.replace(old, new)) != digest(source)


class TestWhatItNames:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("1000", "1001"),
            ("1000", "1000.0"),
            ("1", "True"),
            ("(1, (2, 3))", "(1, (2, 4))"),
            ("np.array([1, 2])", "np.array([1, 3])"),
            ("np.array([1, 2])", "np.array([1, 2], np.int32)"),
            ("np.array([1, 2])", "np.array([[1, 2]])"),
            ("np.zeros((2, 3))", "np.zeros((2, 3), order='F')"),
            ("np.int64(1)", "np.int64(2)"),
            ("np.int64(1)", "np.uint64(1)"),
            ("np.dtype([('a', 'i4'), ('b', 'i8')])", "np.dtype([('b', 'i8'), ('a', 'i4')])"),
            ("np.dtype([('a', 'i4'), ('b', 'i8')])", "np.dtype([('a', 'i4'), ('b', 'i8')], align=True)"),
            ("math", "np"),
            ("floor", "math.ceil"),
            ("min", "max"),
            ("IntEnum('Phase', ['MOVE', 'BUILD'])", "IntEnum('Phase', ['BUILD', 'MOVE'])"),
            ("NamedTuple('Pair', [('a', int)])", "NamedTuple('Pair', [('b', int)])"),
        ],
    )
    def test_counts_by_its_value(self, one: str, other: str) -> None:
        body = plain("return THING")
        digests = [digest(f"THING = {value}\n{body}") for value in (one, one, other)]
        assert digests[0] == digests[1] != digests[2]

    def test_only_what_is_named_counts(self) -> None:
        body = plain("return value.other + THING")
        assert digest(f"THING, other = 1, [1]\n{body}") == digest(f"THING, other = 1, {{}}\n{body}")

    def test_helpers_count_as_far_as_they_lead(self) -> None:
        source = """
            FAR = 1
            @subroutine
            def helper(value):
                return value + FAR
            @inlined
            def nearer(value):
                return helper(value)
            @compiled
            def search(value):
                return nearer(value)
        """
        assert digest(source) == digest(source)
        assert digest(source.replace("FAR = 1", "FAR = 2")) != digest(source)
        assert digest(source.replace("@inlined", "@subroutine")) != digest(source)

    def test_functions_that_call_each_other_come_to_an_end(self) -> None:
        source = """
            @subroutine
            def even(value):
                return value == 0 or odd(value - 1)
            @subroutine
            def odd(value):
                return value != 0 and even(value - 1)
            @compiled
            def search(value):
                return even(value) or search(value - 1)
        """
        assert digest(source) == digest(source)
        assert digest(source.replace("value != 0", "value > 0")) != digest(source)

    def test_of_a_module_what_is_asked_of_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def with_helpers(source: str) -> str:
            monkeypatch.setitem(sys.modules, "helpers", module(source, "helpers"))
            return digest("import helpers\n" + plain("return helpers.rise(value)"))

        source = "unused = {1: 2}\n@subroutine\ndef rise(value):\n    return value + 1"
        assert with_helpers(source) == with_helpers(source.replace("{1: 2}", "{3: 4}"))
        assert with_helpers(source) != with_helpers(source.replace("value + 1", "value + 2"))

    def test_a_name_that_hides_a_built_in_one_counts(self) -> None:
        body = plain("return abs(value)")
        assert digest(body) != digest("@subroutine\ndef abs(value):\n    return value\n" + body)

    def test_the_versions_below_count(self, monkeypatch: pytest.MonkeyPatch) -> None:
        before = digest(plain("return value"))
        monkeypatch.setattr("numpy.__version__", "9.9")
        assert digest(plain("return value")) != before


class TestKernels:
    SOURCE = """
        @state
        class One(NamedTuple):
            count: int64
        @state
        class Two(NamedTuple):
            count: int64
            bits: uint64
        @kernel
        def step(state):
            ...
        @step.of(One)
        def _step_one(state):
            return One(state.count + 1000)
        @step.of(Two)
        def _step_two(state):
            return Two(state.count + 2000, state.bits)
        @kernel
        def worth(state):
            ...
        @worth.otherwise
        def _worth(state):
            return 3000
        @worth.of(Two)
        def _worth_two(state):
            return 4000
        @compiled
        def search(state):
            return worth(step(state))
    """

    @pytest.mark.parametrize(
        ("old", "new", "of_one", "of_two"),
        [
            ("1000", "9", True, False),
            ("2000", "9", False, True),
            ("3000", "9", True, False),
            ("4000", "9", False, True),
            ("bits: uint64", "bits: int64", False, True),
            ("bits: uint64", "bits: Integers", False, True),
            ("bits: uint64", "bits: uint64 = 7", False, True),
            ("        @step.of(One)\n", "", True, False),  # an implementation that comes later
        ],
    )
    def test_count_by_the_state_at_hand(self, old: str, new: str, of_one: bool, of_two: bool) -> None:
        edited = self.SOURCE.replace(old, new)
        assert (digest(edited, "One") != digest(self.SOURCE, "One")) == of_one
        assert (digest(edited, "Two") != digest(self.SOURCE, "Two")) == of_two
        assert digest(edited) != digest(self.SOURCE), "all of them count where no state is known"

    def test_count_by_a_state_that_a_function_makes_as_well(self) -> None:
        source = self.SOURCE.replace("return One(state.count + 1000)", "return Two(state.count, 0)")
        assert digest(source.replace("4000", "9"), "One") != digest(source, "One")

    def test_asking_for_a_default_changes_nothing(self) -> None:
        made = module(self.SOURCE)
        before = digest_of(made.search, [made.One])
        made.worth(made.One(1))
        assert digest_of(made.search, [made.One]) == before


def test_modules_count_by_what_they_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def digest_with(words: str, number: int) -> str:
        source = f"'''{words}'''\nclass Thing:\n    '''{words}'''\n    def act(self):\n        '''{words}'''\n"
        (tmp_path / "generating.py").write_text(f"{source}        return {number}\n", encoding="utf-8")
        importlib.invalidate_caches()
        return digest_of_modules(["generating"])

    before = digest_with("A docstring.", 1000)
    assert digest_with("A longer sentence.\n\n    Of several lines.", 1000) == before
    assert digest_with("A docstring.", 1001) != before


class TestRefusals:
    @pytest.mark.parametrize(
        "thing",
        ["{1: 2}", "object()", "np.array([object()])", "lambda value: value", "Integers([1])", "type('T', (), {})"],
    )
    def test_name_what_is_of_an_unknown_kind(self, thing: str) -> None:
        with pytest.raises(UnknownDependencyError, match=r"THING|array of object"):
            digest(f"THING = {thing}\n" + plain("return THING"))

    def test_a_module_without_byte_code(self) -> None:
        with pytest.raises(UnknownDependencyError, match="no_such_module"):
            digest_of_modules(["no_such_module"])


def _compiled_functions() -> Iterator[Compiled[..., Any]]:
    for found in pkgutil.walk_packages(papan.__path__, "papan."):
        if found.name.startswith(("papan.game.", "papan.ai.", "papan.lab.")):
            yield from (thing for thing in vars(import_module(found.name)).values() if isinstance(thing, Compiled))


def test_every_compiled_function_has_a_digest_for_every_game() -> None:
    functions = set(_compiled_functions())
    games = [state for state in play.implementations if state.__module__.startswith("papan.")]
    assert len(functions) > 20
    assert len(games) > 10
    for function in functions:
        assert len({digest_of(function, [game]) for game in games}) == len(games)
