"""Mutations: which mistakes are made of a module, and that the tests' answer is read rightly."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dev.mutations import NAMED, TARGETS, Case, Named, cases_of, mutants_of, outcome_of, summary
from papan.game.base.places import CHECKOUT


def changes(source: str) -> set[str]:
    """The line that each mutant of *source* has instead."""
    return {mutant.after for mutant in mutants_of(source)}


class TestMistakes:
    @pytest.mark.parametrize(
        ("source", "mistakes"),
        [
            ("assert a < b", {"assert a <= b"}),
            ("assert a is b", {"assert a is not b"}),
            ("assert a in b", {"assert a not in b"}),
            ("assert a and b", {"assert a or b", "assert a", "assert b"}),
            ("assert not a", {"assert a"}),
            ("a = b + c", {"a = b - c"}),
            ("a += b", {"a -= b", "pass"}),
            ("a = 7", {"a = 8", "a = 6"}),
            ("a = True", {"a = False"}),
            ("a = b if c else d", {"a = b if not c else d"}),
            ("a = [b for b in c if d]", {"a = [b for b in c]"}),
            ("if a: b", {"if not a:"}),
            ("a.b = c", {"pass"}),
            ("a()", {"pass"}),
            ("raise a", {"pass"}),
            ("while a: break", {"while not a:", "continue"}),
            ("with a(): b", {"if True:"}),
            ("def f(): return a", {"return None"}),
            ("try: a\nexcept B: c\nexcept D: e", {"except D:", ""}),
            ("a = 'DELETE FROM b WHERE c = ? AND d IS NULL'", {
                "a = 'DELETE FROM b WHERE c = ? OR d IS NULL'",
                "a = 'DELETE FROM b WHERE c <> ? AND d IS NULL'",
                "a = 'DELETE FROM b WHERE c = ? AND d IS NOT NULL'",
            }),
        ],
    )  # fmt: skip
    def test_are_made(self, source: str, mistakes: set[str]) -> None:
        assert changes(source) == mistakes

    @pytest.mark.parametrize(
        "source",
        [
            "a: int | None = b",
            "def f(a: int | None) -> int | None: ...",
            "log.warning(a)",
            "a = 'some words AND others'",
            "raise",
            "def f(): return None",
            "a = f'{b + 1}'",
        ],
    )
    def test_are_not_made_of_types_words_and_the_log(self, source: str) -> None:
        assert changes(source) <= {"pass"}

    def test_each_is_another_module_that_can_be_read(self) -> None:
        source = (CHECKOUT / "papan" / "game" / "match" / "turn.py").read_text(encoding="utf-8")
        mutants = mutants_of(source)
        assert len({mutant.source for mutant in mutants}) == len(mutants) > 200
        assert ast.unparse(ast.parse(source)) not in {mutant.source for mutant in mutants}
        for mutant in mutants:
            ast.parse(mutant.source)

    def test_the_line_is_that_of_the_module(self) -> None:
        [mutant] = mutants_of('"""A module."""\n\n# why\na = b < c\n')
        assert (mutant.line, mutant.before, mutant.after) == (4, "a = b < c", "a = b <= c")


class TestTheTable:
    def test_what_it_names_is_there(self) -> None:
        for target in TARGETS:
            assert all((CHECKOUT / file).is_file() for file in target.files)
            assert all((CHECKOUT / test).is_file() for test in target.tests if test.endswith(".py"))

    @pytest.mark.parametrize("named", NAMED, ids=lambda named: named.name)
    def test_what_has_a_name_fits_the_program_as_it_is(self, named: Named) -> None:
        source = (CHECKOUT / named.file).read_text(encoding="utf-8")
        assert source.count(named.before) == 1
        ast.parse(source.replace(named.before, named.after))

    def test_a_larger_sample_has_the_smaller_one(self) -> None:
        few, many = cases_of(["turn"], 5, seed=3), cases_of(["turn"], 9, seed=3)
        assert many[:5] == few and len({case.number for case in many}) == 9
        assert cases_of(["turn"], 5, seed=4) != few


MODULE = "def double(n):\n    return 2 * n\n"
TEST = "from module import double\n\ndef test_double():\n    assert double(2) == 4\n"


class TestOutcomes:
    @pytest.fixture
    def tree(self, tmp_path: Path) -> Path:
        (tmp_path / "module.py").write_text(MODULE)
        (tmp_path / "test_module.py").write_text(TEST)
        return tmp_path

    @pytest.mark.parametrize(
        ("source", "outcome", "by"),
        [
            ("def double(n):\n    return n + n\n", "survived", ""),
            ("def double(n):\n    return n\n", "killed", "test_module.py::test_double"),
            ("def double(n):\n    while True: pass\n", "timed out", ""),
            ("raise ValueError", "stillborn", "test_module.py"),
        ],
    )
    def test_are_what_the_tests_say(self, tree: Path, source: str, outcome: str, by: str) -> None:
        case = Case("", "module.py", 1, "", "", source, ("test_module.py",), False)
        limit = 2.5 if outcome == "timed out" else 300.0
        found, run = outcome_of(case, tree, limit)
        assert (found, run.failure) == (outcome, by)
        assert (tree / "module.py").read_text() == MODULE, "afterwards it is as it was"

    def test_the_summary_counts_those_that_live(self) -> None:
        facts = {"target": "match", "file": "match.py", "line": "7", "before": "a < b", "after": "a <= b"}
        outcomes = ["killed", "killed", "timed out", "survived", "stillborn"]
        written = summary([{**facts, "outcome": outcome} for outcome in outcomes])
        assert "| match | 5 | 2 | 1 | 1 | 1 | 75% |" in written
        assert written.endswith("match.py:7: a < b  →  a <= b") and written.count("match.py") == 1
