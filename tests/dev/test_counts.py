"""What is counted of a checkout."""

from __future__ import annotations

from pathlib import Path

from dev.counts import long_functions, private_parts, report
from papan.game.kernel import private

KERNELS = """
import numba.core.types
from numba import njit, _private
from numba.core.base import BaseContext
from numba.extending import overload
FOUND = part("numba.core.base:BaseContext.make_array")
"""


def test_private_parts_are_those_without_a_promise() -> None:
    found = {"numba.core.types", "numba:_private", "numba.core.base:BaseContext"}
    assert set(private_parts(KERNELS)) == {*found, "numba.core.base:BaseContext.make_array"}
    source = Path(str(private.__file__)).read_text(encoding="utf-8")
    assert set(private_parts(source)) == {*private.PARTS}


def test_a_function_is_long_from_its_first_line_to_its_last() -> None:
    source = "def short():\n    pass\n\nclass A:\n    def long(self):\n" + "        pass\n" * 70
    assert list(long_functions(source)) == [("long", 71)]


def test_a_checkout(tmp_path: Path) -> None:
    for name, content in {
        "papan/small.py": "a = 1\n" * 4,
        "papan/__init__.py": "",
        "papan/large.py": "a = 1\n" * 100,
        "tests/test_small.py": "a = 1\n" * 7,
        "main.py": "a = 1\n",
        "docs/architecture.md": "Four words stand here.",
        "README.md": "One more.",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    assert [line.split(maxsplit=1)[0] for line in report(tmp_path)] == ["104", "112", "1", "0", "6", "4", "0"]
