"""One way to print and one way to read what strangers give: whatever else does so in the package is named here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import papan

PACKAGE = Path(papan.__file__).parent

PRINTING = {
    "print", "pprint", "SystemExit", "breakpoint",
    "sys.stdout", "sys.stderr", "sys.__stdout__", "sys.__stderr__", "os.write",
    "click.echo", "click.secho", "click.echo_via_pager", "click.prompt", "click.confirm", "click.progressbar",
    "logging.StreamHandler", "logging.basicConfig", "traceback.print_exc", "traceback.print_exception", "warnings.warn",
    "rich",
}  # fmt: skip
"""What writes to a terminal: functions and streams by their names, and a library that is imported."""

MAY_PRINT = {
    "lab/printing.py": {"click.echo", "rich", "sys.stderr", "sys.stdout"},
    "lab/environments/one_game.py": {"warnings.warn"},  # to whoever calls it from Python, as Gymnasium does
    "main.py": {"sys.stdout"},  # given to those who answer in bytes
}

READING = {
    "open", ".open('r')", ".read_text", ".read_bytes", "os.open", "os.fdopen", "io.open", "mmap.mmap",
    "click.open_file",
    "np.load", "np.fromfile", "np.loadtxt", "np.genfromtxt", "np.memmap",
    "json.load", "json.loads", "tomllib", "zipfile", "tarfile", "gzip", "bz2", "lzma", "csv.reader", "csv.DictReader",
    "pickle.load", "pickle.loads", "marshal", "shelve", "plistlib", "configparser", "sqlite3.connect",
    "shutil.unpack_archive", "shutil.copyfile",
}  # fmt: skip
"""What opens a file, or makes values of its content."""

MAY_READ = {
    # by which all others read
    "game/base/array_files.py": {"np.load", "zipfile"},
    "game/base/untrusted.py": {"json.loads", "os.fdopen", "os.open", "tomllib"},
    # what comes with the program
    "ai/learning/compact.py": {"zipfile"},
    "game/base/assets.py": {".open('r')", ".read_bytes"},  # or with an installed game
    "game/base/languages.py": {".open('r')"},
    "game/base/licences.py": {".open('r')", ".read_text"},
    "game/puzzles.py": {".read_bytes"},
    "report/page.py": {".read_text"},
    # its own databases
    "game/base/database.py": {".open('r')", "sqlite3.connect"},
    "game/base/sqlite.py": {".open('r')", "sqlite3.connect"},
    "game/base/sqlite_pages.py": {".read_bytes"},
    "game/match/library/reader.py": {"json.loads", "sqlite3.connect"},
    "game/match/library/schema.py": {"json.loads"},
    "game/match/library/writer.py": {"sqlite3.connect"},
    "game/match/library/writer_lock.py": {"sqlite3.connect"},
    "commands/speaking.py": {"json.loads", "sqlite3.connect"},
    "ui/settings.py": {"json.loads"},
    # its own cache of compiled kernels
    "game/kernel/compile_process.py": {"pickle.loads"},
    "game/kernel/cache.py": {"open", "os.open", "pickle.loads"},
    # what has been read within bounds
    "ai/openings.py": {"lzma"},
    "game/formats/othello/transcripts.py": {"csv.reader"},
    "game/match/record.py": {"json.loads"},
    "ui/window/system.py": {"configparser", "plistlib"},
    # journals, whose lines are bounded
    "lab/journal.py": {"json.loads", "os.open"},
    "online/journal.py": {".open('r')"},
    # what it has written itself, a moment ago
    "ai/learning/weight_files.py": {"lzma", "zipfile"},
    "game/base/large_arrays.py": {"mmap.mmap"},
    "game/base/places.py": {".open('r')", "os.open"},
    "report/fields.py": {"json.loads"},
    "research/reproduction/pools.py": {"json.loads"},
    "lab/training/keeping.py": {"json.loads"},
    "main.py": {"open", "os.open"},
    "ui/window/loudspeaker.py": {"json.loads"},
}
"""The modules that read files without ``papan.game.base.untrusted``: none of them reads a file that a person names."""


def names_in(source: str) -> Iterator[str]:
    """The names of what the module *source* uses, as ``PRINTING`` and ``READING`` write them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]
            yield from (f"{node.module}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"
        if isinstance(node, ast.Call):
            yield from _called(node)


def _called(call: ast.Call) -> Iterator[str]:
    function, first = call.func, call.args[0] if call.args else None
    if isinstance(function, ast.Name):
        yield function.id
    elif isinstance(function, ast.Attribute):
        if function.attr in ("read_text", "read_bytes"):
            yield f".{function.attr}"
        mode = first.value if isinstance(first, ast.Constant) else "r" if call.keywords and not first else ""
        if function.attr == "open" and {*"r+"} & {*str(mode)[:3]}:
            yield ".open('r')"


@cache
def names_in_modules() -> dict[str, set[str]]:
    """The names of what each module of the package uses, by its path."""
    paths = PACKAGE.rglob("*.py")
    return {path.relative_to(PACKAGE).as_posix(): {*names_in(path.read_text("utf-8"))} for path in paths}


def ways_in_use(ways: set[str]) -> dict[str, set[str]]:
    """Which of *ways* each module of the package uses that uses any, by its path."""
    return {name: ways & names for name, names in names_in_modules().items() if ways & names}


def test_what_is_printed_read_or_made_for_spreadsheets_goes_one_way() -> None:
    assert ways_in_use(PRINTING) == MAY_PRINT
    assert ways_in_use(READING) == MAY_READ
    assert ways_in_use({"csv.writer", "csv.DictWriter"}) == {"lab/files.py": {"csv.writer"}}


@pytest.mark.parametrize(
    ("ways", "source"),
    [
        *((PRINTING, source) for source in ("print(1)", "from click import echo", "import rich.table")),
        *((PRINTING, source) for source in ("sys.stderr.write('')", "raise SystemExit(text)")),
        *((READING, source) for source in ("open(path)", "path.open('rb')", "path.open(encoding='utf-8')")),
        *((READING, source) for source in ("path.read_bytes()", "from json import loads", "np.load(path)")),
        (READING, "from zipfile import ZipFile"),
    ],
)
def test_ways_around_the_one_are_seen(ways: set[str], source: str) -> None:
    assert ways & {*names_in(source)}
