"""What is mutated, by which tests that must be noticed, and the mutations that have a name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from papan.game.base.places import CHECKOUT


@dataclass(frozen=True)
class Target:
    """Modules that belong together, and their tests."""

    name: str
    modules: tuple[str, ...]
    """Files, or folders of them, of the checkout."""
    tests: tuple[str, ...]
    """What pytest is told, the quickest first: the first failure ends a run."""
    is_compiled: bool = False
    """Whether the tests need the compiler; otherwise all runs as plain Python, and no mutant costs a compilation."""

    @property
    def files(self) -> list[str]:
        """The modules' files."""
        return [file for module in self.modules for file in _files(CHECKOUT / module)]


def _files(path: Path) -> list[str]:
    found = sorted(path.glob("*.py")) if path.is_dir() else [path]
    return [file.relative_to(CHECKOUT).as_posix() for file in found]


_KEPT = tuple(f"tests/game/match/test_{name}.py" for name in ("lease", "damaged_library", "library", "writer"))

TARGETS = (
    Target(
        "match",
        ("papan/game/match/__init__.py",),
        ("tests/game/match/test_match.py", "tests/game/match/test_notation.py"),
    ),
    Target("turn", ("papan/game/match/turn.py",), ("papan/game/match/turn.py", "tests/game/match/test_turn.py")),
    Target("library", ("papan/game/match/library",), (*_KEPT, "-k", "not every_game or connect-four")),
    Target(
        "record",
        ("papan/game/match/record",),
        ("papan/game/match/record", "tests/game/match/test_record.py", "-k", "not TestEveryGame or cifra or 2048"),
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
"""All targets, by what they are called in the documents."""


@dataclass(frozen=True)
class Named:
    """A mutation that once passed all tests, or that would cost a player most."""

    name: str
    file: str
    before: str
    """Found once in the file."""
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
        "papan/game/base/recovery.py",
        '    for suffix in ("", *COMPANIONS):\n        with',
        '    for suffix in ("",):\n        with',
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
