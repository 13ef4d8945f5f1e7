"""The size of the code: ``python -m dev.counts`` prints lines of code, small files, long functions, words of documents,
and the number of private parts of numba that the kernels use.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from papan.game.base.places import CHECKOUT
from papan.lab.printing import show_lines

PACKAGE, FOLDERS = "papan", ("papan", "dev", "tests", "examples", "packaging")
DOCUMENTS = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
LARGE_DOCUMENTS = ("architecture", "measurements")
SMALL, EMPTY, LONG = 100, 3, 70
"""Lines: a file of more than ``EMPTY`` and fewer than ``SMALL`` is small; a function of more than ``LONG`` is long."""
PUBLIC = {"numba", "numba.extending", "numba.types", "llvmlite", "llvmlite.binding", "llvmlite.ir"}
"""The public modules of numba and llvmlite."""
_PART = re.compile(r"(numba|llvmlite)(\.\w+)*:[\w.]+")


def lines_of(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def words_of(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").split())


def sources(root: Path, folders: Sequence[str] = FOLDERS) -> list[Path]:
    """The Python files in *folders* of the checkout *root*, and those in *root* itself."""
    return sorted([*root.glob("*.py"), *(file for folder in folders for file in (root / folder).rglob("*.py"))])


def private_parts(source: str) -> Iterator[str]:
    """The private parts of numba and llvmlite that *source* uses, each as ``module:name``.

    They are imported from a private module, private attributes of a module, or named in a string.

    >>> sorted(private_parts("from numba.core import cgutils\\nnumba._helper\\n'numba.core.base:Context'"))
    ['numba.core.base:Context', 'numba.core:cgutils', 'numba:_helper']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _PART.fullmatch(node.value):
            yield node.value
        elif isinstance(node, ast.ImportFrom) and _is_of_numba(node.module or ""):
            names = (alias.name for alias in node.names if node.module not in PUBLIC or alias.name.startswith("_"))
            yield from (f"{node.module}:{name}" for name in names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if _is_of_numba(alias.name) and alias.name not in PUBLIC)
        elif isinstance(node, ast.Attribute) and re.match("_[^_]", node.attr) and _is_of_numba(ast.unparse(node.value)):
            yield f"{ast.unparse(node.value)}:{node.attr}"


def _is_of_numba(module: str) -> bool:
    return module.partition(".")[0] in ("numba", "llvmlite")


def long_functions(source: str) -> Iterator[tuple[str, int]]:
    """The functions of *source* with more than ``LONG`` lines, each with its number of lines."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > LONG:
                yield node.name, lines


def report(root: Path = CHECKOUT) -> list[str]:
    package = sorted((root / PACKAGE).rglob("*.py"))
    documents = [*(root / "docs").rglob("*.md"), *map(root.joinpath, DOCUMENTS)]
    texts = [file.read_text(encoding="utf-8") for file in package]
    small = sum(EMPTY < lines_of(file) < SMALL for file in package)
    parts = {part for text in texts for part in private_parts(text)}
    long = [function for text in texts for function in long_functions(text)]
    counts = {
        "lines of Python in the package": sum(map(lines_of, package)),
        "lines of Python in all": sum(map(lines_of, sources(root))),
        f"files under {SMALL} lines in the package": small,
        "private parts of numba": len(parts),
        "words of documents": sum(words_of(file) for file in documents if file.exists()),
        **{f"words of {file.name}": words_of(file) for file in documents if file.stem in LARGE_DOCUMENTS},
        f"functions over {LONG} lines in the package": len(long),
    }
    return [f"{number:>9,} {what}" for what, number in counts.items()] + [f"{n:>13} {name}" for name, n in long]


if __name__ == "__main__":
    show_lines("\n".join(report()))
