"""Mutation testing: puts one small mistake into the program, which the tests must notice.

    python -m dev.mutations                          40 mutants of each target, drawn by seed 1
    python -m dev.mutations session --count 200      more of one target
    python -m dev.mutations --named                  the named mutants

A mutant is a module with one change in its syntax tree; texts, type annotations and logging are not changed. Mutants
run in copies of the program. A restarted run continues where it stopped. (mutmut mutates no decorated function, and so
no kernel; cosmic-ray also mutates type annotations, and can't remove a statement.)
"""

from __future__ import annotations

import ast
import copy
import hashlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from importlib.util import cache_from_source
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeVar

import click

from papan.game.base.places import CHECKOUT
from papan.lab.printing import show, show_lines


class Target(NamedTuple):
    """Related modules, and their tests."""

    name: str
    modules: tuple[str, ...]
    """Files or folders in the checkout."""
    tests: tuple[str, ...]
    """Arguments for pytest, the fastest tests first: the first failure ends a run."""
    is_compiled: bool = False
    """Whether the tests need the compiler; otherwise they run as plain Python, which saves compilations."""

    @property
    def files(self) -> list[str]:
        paths = [CHECKOUT / module for module in self.modules]
        found = [file for path in paths for file in (sorted(path.glob("*.py")) if path.is_dir() else [path])]
        return [file.relative_to(CHECKOUT).as_posix() for file in found]


_KEPT = tuple(
    f"tests/game/match/test_{name}.py"
    for name in ("lease", "tidying", "damaged_library", "taken_away", "library", "writer")
)

TARGETS = (
    Target(
        "match",
        ("papan/game/match/__init__.py",),
        ("tests/game/match/test_match.py", "tests/game/match/test_notation.py"),
    ),
    Target(
        "turn",
        ("papan/game/match/turn.py",),
        ("papan/game/match/turn.py", "tests/game/match/test_turn.py", "tests/game/match/test_match.py::TestTurns"),
    ),
    Target("library", ("papan/game/match/library",), (*_KEPT, "-k", "not every_game or connect-four")),
    Target(
        "record",
        ("papan/game/match/record.py",),
        (
            "papan/game/match/record.py",
            "tests/game/match/test_match.py::TestRecords",
            "tests/game/match/test_record.py",
            "-k",
            "not TestEveryGame and not written_and_read or cifra or 2048 or connect-four",
        ),
    ),
    Target("thinker", ("papan/ai/thinking/thinker.py",), ("tests/ai/thinking/test_thinker.py",), is_compiled=True),
    Target("session", ("papan/ui/play/session.py",), ("tests/ui/play/test_session.py",)),
    Target(
        "connect-four",
        ("papan/game/rules/connect_four.py",),
        (
            "papan/game/rules/connect_four.py",
            "tests/game/rules/test_connect_four.py",
            "tests/test_conformance.py",
            "-k",
            "connect_four and not test_perft or connect-four or 4-2401",
        ),
    ),
    Target(
        "checkers",
        ("papan/game/rules/checkers",),
        (
            "papan/game/rules/checkers",
            "tests/game/rules/test_checkers.py",
            "tests/test_conformance.py",
            "-k",
            "checkers and not test_perft or 4-1469",
        ),
    ),
)


class Named(NamedTuple):
    """A mutation that once passed all tests, or that would harm players most."""

    name: str
    file: str
    before: str
    """A text that occurs once in the file."""
    after: str
    tests: tuple[str, ...]
    is_compiled: bool = False


_DATABASE = ("tests/game/base/test_database.py",)
_WRITER = ("tests/game/match/test_writer.py",)
_TURN = ("tests/game/match/test_turn.py",)

NAMED = (
    Named(
        "a stale ticket's answer is accepted",
        "papan/ai/thinking/thinker.py",
        "if self._question and answer.ticket == self._question.ticket:",
        "if self._question:",
        ("tests/ai/thinking/test_thinker.py",),
        is_compiled=True,
    ),
    Named(
        "going on counts steps instead of turns",
        "papan/game/match/turn.py",
        "if self._turns_allowed and mover(self.match.state) != mover(before):",
        "if self._turns_allowed:",
        _TURN,
    ),
    Named(
        "pausing leaves turns allowed",
        "papan/game/match/turn.py",
        "        self.is_paused = True\n        self._turns_allowed = 0\n",
        "        self.is_paused = True\n",
        _TURN,
    ),
    Named(
        "a damaged file's log and index are left behind",
        "papan/game/base/database.py",
        '    for suffix in ("", *COMPANIONS):\n        with suppress(FileNotFoundError)',
        '    for suffix in ("",):\n        with suppress(FileNotFoundError)',
        _DATABASE,
    ),
    Named(
        "the log is never forced to the disk",
        "papan/game/base/database.py",
        "PRAGMA synchronous = NORMAL",
        "PRAGMA synchronous = OFF",
        _DATABASE,
    ),
    Named(
        "a library that fails is given up",
        "papan/game/match/library/writer.py",
        "        return self._pause\n\n    def _rest",
        "        return None\n\n    def _rest",
        _WRITER,
    ),
    Named(
        "what could not be saved is not tried again",
        "papan/game/match/library/writer.py",
        "                failure = error\n        try:",
        "                failure = error\n                self._matches.pop(kept)\n        try:",
        _WRITER,
    ),
)


_PAIRS = ((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn))
_COMPARISONS: dict[Any, Any] = dict([*_PAIRS, *((other, one) for one, other in _PAIRS)])
_OPERATIONS: dict[Any, Any] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult},
    **{ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.RShift: ast.LShift},
    **{ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr},
}
_SQL_VERBS = ("SELECT ", "INSERT ", "UPDATE ", "DELETE ", "PRAGMA ", "BEGIN")
_SQL_WORDS = ((" AND ", " OR "), (" OR ", " AND "), (" = ? AND", " <> ? AND"), (">=", ">"), ("IS NULL", "IS NOT NULL"))
_TYPES = ("annotation", "returns")

Node = TypeVar("Node", bound=ast.AST)


class Mutant(NamedTuple):
    line: int
    """In the unchanged module."""
    before: str
    """The line that differs, as ``ast.unparse`` writes it."""
    after: str
    source: str


@cache
def mutants_of(source: str) -> Sequence[Mutant]:
    """The distinct mutants of the module *source*, in the order of its lines.

    >>> [mutant.after for mutant in mutants_of("def f(n): return n < 3")]
    ['return None', 'return n <= 3', 'return n < 4', 'return n < 2']
    """
    tree = ast.parse(source)
    whole = ast.unparse(tree)
    found: dict[str, Mutant] = {}
    for parent, field, index in _places(tree):
        value = getattr(parent, field)
        node = value if index is None else value[index]
        for variant in _variants(node):
            _put(parent, field, index, variant)
            mutated = ast.unparse(tree)
            if mutated not in found and mutated != whole:
                lines = zip_longest(whole.splitlines(), mutated.splitlines(), fillvalue="")
                before, after = next((one.strip(), other.strip()) for one, other in lines if one != other)
                found[mutated] = Mutant(node.lineno, before, after, mutated)
        _put(parent, field, index, node)
    return tuple(sorted(found.values(), key=lambda mutant: mutant.line))


def _places(parent: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """The place of each statement and expression, without type annotations: a node, its field, and the index in it."""
    for field, value in ast.iter_fields(parent):
        if field in _TYPES or isinstance(parent, ast.JoinedStr):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.stmt | ast.expr):
                yield parent, field, index
            if isinstance(child, ast.AST):
                yield from _places(child)


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _variants(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.stmt):
        yield from _statements(node)
    elif isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            yield _with(node, ops=[*node.ops[:index], _COMPARISONS[type(operator)](), *node.ops[index + 1 :]])
    elif isinstance(node, ast.BoolOp):
        yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        for index in range(len(node.values)):
            rest = node.values[:index] + node.values[index + 1 :]
            yield _with(node, values=rest) if len(rest) > 1 else rest[0]
    elif isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        yield _with(node, op=_OPERATIONS[type(node.op)]())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield _with(node, test=_negated(node.test))
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
        for index, loop in enumerate(node.generators):
            if loop.ifs:
                rest_of = [*node.generators[:index], _with(loop, ifs=loop.ifs[1:]), *node.generators[index + 1 :]]
                yield _with(node, generators=rest_of)
    elif isinstance(node, ast.Constant):
        yield from _constants(node)


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    if isinstance(node, ast.If | ast.While):
        yield _with(node, test=_negated(node.test))
    elif isinstance(node, ast.Return) and node.value is not None:
        if not (isinstance(node.value, ast.Constant) and node.value.value in (None, True, False)):  # see _constants
            yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.AugAssign) and type(node.op) in _OPERATIONS:
        yield _with(node, op=_OPERATIONS[type(node.op)]())
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.With) and any(isinstance(item.context_expr, ast.Call) for item in node.items):
        if all(item.optional_vars is None for item in node.items):
            yield ast.If(ast.Constant(True), node.body, [])
    elif isinstance(node, ast.Try):
        for index in range(len(node.handlers) if len(node.handlers) > 1 else 0):
            yield _with(node, handlers=node.handlers[:index] + node.handlers[index + 1 :])
    if _may_be_left_out(node):
        yield ast.Pass()


def _may_be_left_out(node: ast.stmt) -> bool:
    """Whether the module still makes sense without *node*; assignments to names do not qualify."""
    if isinstance(node, ast.Expr):
        is_logging = isinstance(node.value, ast.Call) and ast.unparse(node.value.func).startswith("log.")
        return isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom) and not is_logging
    if isinstance(node, ast.Assign):
        inner = (inner for target in node.targets for inner in ast.walk(target))
        return not any(isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store) for one in inner)
    if isinstance(node, ast.Return):
        return node.value is None
    return isinstance(node, ast.AugAssign | ast.Raise | ast.Delete)


def _constants(node: ast.Constant) -> Iterator[ast.Constant]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
    elif isinstance(value, str) and value.lstrip().startswith(_SQL_VERBS):
        for word, other in _SQL_WORDS:
            if word in value:
                yield ast.Constant(value.replace(word, other, 1))


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    return ast.UnaryOp(ast.Not(), test)


def _with(node: Node, **fields: object) -> Node:
    other = copy.copy(node)
    for name, value in fields.items():
        setattr(other, name, value)
    return other


_PYTEST = ("-x", "-q", "--tb=no", "-p", "no:randomly", "-p", "no:cacheprovider", "--hypothesis-seed=1")
_PASSED, _NOTHING_COLLECTED = 0, 5
_FAILURE = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__", "build", "dist")
_TIMES, _MORE_SECONDS = 4.0, 20.0
"""The time limit of a mutant: this multiple of the unchanged program's time, plus these seconds."""
_PATIENCE = "10"
"""Seconds after which tests stop waiting for something: less than usual, as mutants hang."""
OUTCOMES = ("killed", "timed out", "survived", "stillborn")
"""With a stillborn mutant, the tests can't even be loaded, so it does not test them."""


class Case(NamedTuple):
    """A mutant, and the tests that must notice it."""

    target: str
    file: str
    line: int
    before: str
    after: str
    source: str
    tests: tuple[str, ...]
    is_compiled: bool

    @property
    def number(self) -> str:
        return hashlib.sha256(f"{self.file}\n{self.source}".encode()).hexdigest()[:12]


class Run(NamedTuple):
    status: int | None
    """pytest's exit code; None after a timeout."""
    failure: str
    seconds: float


def cases_of(names: Sequence[str], count: int, seed: int) -> list[Case]:
    """*count* mutants of each target in *names*, drawn by *seed*; a larger count includes those of a smaller one."""
    cases: list[Case] = []
    for target in TARGETS:
        if target.name not in names:
            continue
        found = [
            Case(target.name, file, *mutant, target.tests, target.is_compiled)
            for file in target.files
            for mutant in mutants_of((CHECKOUT / file).read_text(encoding="utf-8"))
        ]
        Random(f"{seed} {target.name}").shuffle(found)
        cases += found[:count]
    return cases


def named_cases() -> list[Case]:
    """The named mutants; ``before`` holds the name."""
    cases = []
    for one in NAMED:
        source = (CHECKOUT / one.file).read_text(encoding="utf-8")
        line = source[: source.index(one.before)].count("\n") + 1
        mutated = source.replace(one.before, one.after)
        cases.append(Case("named", one.file, line, one.name, "", mutated, one.tests, one.is_compiled))
    return cases


def run_tests(tree: Path, tests: Iterable[str], is_compiled: bool, limit: float | None = None) -> Run:
    environment = {**os.environ, "PYTHONPATH": str(tree), "SDL_VIDEODRIVER": "dummy"}
    environment["PAPAN_TEST_PATIENCE"] = _PATIENCE
    environment["NUMBA_DISABLE_JIT"] = "0" if is_compiled else "1"
    words = [sys.executable, "-m", "pytest", *_PYTEST, f"--basetemp={tree / '.tmp'}", *tests]
    began = time.perf_counter()
    with tempfile.TemporaryFile() as output:  # no pipe: processes left by a test could keep it open
        try:
            process = subprocess.run(
                words, cwd=tree, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, timeout=limit
            )
            status: int | None = process.returncode
        except subprocess.TimeoutExpired:
            status = None
        output.seek(0)
        failure = _FAILURE.search(output.read().decode(errors="replace"))
    return Run(status, failure[1] if failure else "", time.perf_counter() - began)


def outcome_of(case: Case, tree: Path, limit: float) -> tuple[str, Run]:
    """The outcome of *case* in the copy *tree*, which is restored afterwards."""
    file = tree / case.file
    source = file.read_bytes()
    try:
        _write(file, case.source.encode())
        run = run_tests(tree, case.tests, case.is_compiled, limit)
    finally:
        _write(file, source)
    if run.status == _NOTHING_COLLECTED:
        raise click.ClickException(f"{case.target} has no such tests: {' '.join(case.tests)}")
    if run.status is None:
        return "timed out", run
    if run.status == _PASSED:
        return "survived", run
    return ("killed" if "::" in run.failure else "stillborn"), run


def _write(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    Path(cache_from_source(str(file))).unlink(missing_ok=True)  # Python compares seconds and sizes only


def try_all(cases: Sequence[Case], results: Path, workers: int) -> None:
    """Run all *cases*, and append the outcome of each to the file *results*."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True, prefix="papan-mutants-") as folder:
        first = Path(folder, "0")
        shutil.copytree(CHECKOUT, first, ignore=_LEFT_OUT)
        limits: dict[tuple[str, ...], float] = {}
        for tests, is_compiled in dict.fromkeys((case.tests, case.is_compiled) for case in cases):
            run = run_tests(first, tests, is_compiled)
            if is_compiled and run.status == _PASSED:
                run = run_tests(first, tests, is_compiled)  # measures the time without compilation
            if run.status != _PASSED:
                what = run.failure or " ".join(tests)
                raise click.ClickException(f"Nothing is changed yet, and the tests fail: {what}")
            limits[tests] = _TIMES * run.seconds + _MORE_SECONDS
            show(f"{run.seconds:5.1f} s {' '.join(tests)}", is_trouble=True)
        trees: queue.SimpleQueue[Path] = queue.SimpleQueue()
        trees.put(first)
        for number in range(1, workers):  # includes the compiled kernels
            trees.put(Path(shutil.copytree(first, Path(folder, str(number)))))

        def attempt(case: Case) -> str:
            tree = trees.get()
            try:
                outcome, run = outcome_of(case, tree, limits[case.tests])
            finally:
                trees.put(tree)
            facts = case._asdict() | {"number": case.number, "outcome": outcome}
            del facts["source"], facts["tests"], facts["is_compiled"]
            return json.dumps(facts | {"by": run.failure, "seconds": round(run.seconds, 1)}, ensure_ascii=False)

        with results.open("a", encoding="utf-8", newline="\n") as file, ThreadPoolExecutor(workers) as pool:
            try:
                for future in as_completed([pool.submit(attempt, case) for case in cases]):
                    file.write(f"{future.result()}\n")
                    file.flush()
            finally:
                pool.shutdown(cancel_futures=True)


def read_results(results: Path) -> dict[str, dict[str, str]]:
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return {found["number"]: found for found in map(json.loads, lines)}


def summary(found: Sequence[dict[str, str]]) -> str:
    """A table of all outcomes by target, and a list of the surviving mutants."""
    counts = {target: Counter[str]() for target in dict.fromkeys(one["target"] for one in found)}
    for one in found:
        counts[one["target"]][one["outcome"]] += 1
    rows = [*counts.items(), ("all", sum(counts.values(), Counter()))]
    lines = [f"| target | mutants | {' | '.join(OUTCOMES)} | noticed |", "|---" * (3 + len(OUTCOMES)) + "|"]
    for target, row in rows:
        noticed = 1 - row["survived"] / max(1, row.total() - row["stillborn"])
        numbers = " | ".join(str(row[name]) for name in OUTCOMES)
        lines.append(f"| {target} | {row.total()} | {numbers} | {noticed:.0%} |")
    lives = [one for one in found if one["outcome"] == "survived"]
    lines += ["", *(f"{one['file']}:{one['line']}: {one['before']}  →  {one['after']}" for one in lives)]
    return "\n".join(lines)


@click.command()
@click.argument("targets", nargs=-1, type=click.Choice([target.name for target in TARGETS]))
@click.option("--count", default=40, show_default=True, help="How many mutants of each target.")
@click.option("--seed", default=1, show_default=True, help="Which ones are drawn.")
@click.option("--named", is_flag=True, help="Try those that have a name, and no others.")
@click.option("--workers", default=2, show_default=True, help="How many are tried at a time.")
@click.option(
    "--results",
    type=click.Path(dir_okay=False, path_type=Path),
    default=CHECKOUT / "build" / "mutations.jsonl",
    show_default=True,
    help="The file of what was found, which a later run goes on with.",
)
def main(targets: tuple[str, ...], count: int, seed: int, named: bool, workers: int, results: Path) -> None:
    """Put mistakes into copies of the program, and see whether the tests notice; TARGETS are all unless given."""
    cases = named_cases() if named else cases_of(targets or [target.name for target in TARGETS], count, seed)
    results.parent.mkdir(parents=True, exist_ok=True)
    known = read_results(results)
    if fresh := [case for case in cases if case.number not in known]:
        try_all(fresh, results, workers)
        known = read_results(results)
    show_lines(summary([known[case.number] for case in cases]))


if __name__ == "__main__":
    main()
