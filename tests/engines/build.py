"""Opponents for matches, built from their public sources: ``python -m tests.engines.build NAME FOLDER``.

A person runs it, where git and a compiler are; no test does, and nothing of these programs is shipped. Their own
licences say what they may be used for (GuiNN: not for commerce). It ends with the lines for ``engines.toml``.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).resolve().parent


class BuildError(Exception):
    """A sentence that says what is missing, or what has failed."""


def _as_it_is(sources: Path) -> None:
    """Nothing is changed."""


@dataclass(frozen=True)
class Recipe:
    """How a program is built, and how Papan is told of it."""

    url: str
    commit: str
    needs: Sequence[str]
    """The programs that build it."""
    command: Sequence[str]
    program: str
    """What the command makes, in the folder of the sources."""
    entry: str
    """Its lines of ``engines.toml``; ``PROGRAM`` and ``FOLDER`` stand for the paths of both."""
    folder: str = "."
    """Where the command is run, in the folder of the sources."""
    prepare: Callable[[Path], None] = _as_it_is
    """Changes the sources before."""
    parts: Sequence[str] = ()
    """The files and folders that are taken from a large repository; all of it where none is named."""


# ------------------------------------------------------------------------------------------------ GuiNN

_WINDOWS = """\
// What GuiNN's sources take from Windows and its compiler, for g++ elsewhere; included before everything else.
#pragma once
#include <cctype>
#include <cstdint>
#include <cstring>
#define CALLBACK
#define WINAPI
#define __cdecl
#define __declspec(kind)
typedef int INT;
typedef unsigned UINT;
typedef unsigned short WORD;
typedef std::intptr_t INT_PTR, LPARAM, LRESULT;
typedef std::uintptr_t WPARAM;
typedef void *HBITMAP, *HDC, *HINSTANCE, *HMENU, *HWND;
#define _strdup strdup
inline char *_strlwr(char *text) {
    for (char *sign = text; *sign; sign++)
        *sign = static_cast<char>(std::tolower(static_cast<unsigned char>(*sign)));
    return text;
}
"""
_SHIMS: Mapping[str, str] = {
    "papan.h": _WINDOWS,
    "windows.h": "",
    "Windows.h": "",
    "intrin.h": "#include <immintrin.h>\n",
    # the same files as their neighbours spell them, for file systems that tell small letters from capitals
    "movegen.h": '#include "../src/moveGen.h"\n',
    "neuralNet/NeuralNet.h": '#include "../../src/NeuralNet/NeuralNet.h"\n',
}
_CORRECTIONS: Mapping[str, Sequence[tuple[str, str]]] = {
    "moveGen.h": (  # its lines for g++ call parameters by names that they no longer have
        ("popcountll(Moves)", "popcountll(moves)"),
        ("if (bb == 0)", "if (moves == 0)"),
        ("ctzll(bb)", "ctzll(moves)"),
        ("clzll(bb)", "clzll(moves)"),
    ),
    "board.h": (  # inline, and used in other files than that which has them
        ("uint32_t inline GetJumpers", "uint32_t GetJumpers"),
        ("uint32_t inline GetMovers", "uint32_t GetMovers"),
    ),
    "egdb.h": (("EGDB_API extern unsigned", "extern unsigned"),),
    "uncompress.h": (("unsigned char (buffer", "(unsigned char) (buffer"),),
}
"""What of its sources g++ does not take, and what is meant."""
_GUINN_SOURCES = (
    "board.cpp",
    "movegen.cpp",
    "search.cpp",
    "evaluate.cpp",
    "database.cpp",
    "transcript.cpp",
    "checkersNN.cpp",
    "NeuralNet/NeuralNet.cpp",
)


def _prepare_guinn(sources: Path) -> None:
    for name, text in _SHIMS.items():
        path = sources / "shims" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="ascii")
    for name, pairs in _CORRECTIONS.items():
        path = sources / "src" / name
        source = path.read_bytes()
        for wrong, right in pairs:
            if wrong.encode() not in source:
                raise BuildError(f"{path} has no '{wrong}': it is not the version that this script knows.")
            source = source.replace(wrong.encode(), right.encode())
        path.write_bytes(source)


# ------------------------------------------------------------------------------------------------- Wine


def _prepare_wine(sources: Path) -> None:
    """g++ reads no UTF-16."""
    for path in (sources / "pbrain-wine").iterdir():
        if path.suffix in (".cpp", ".h"):
            path.write_text(path.read_text(encoding="utf-16"), encoding="utf-8")


# ------------------------------------------------------------------------------------------------- Edax


def _prepare_edax(sources: Path) -> None:
    """Its makefile expects the folder that it builds into."""
    (sources / "bin").mkdir(exist_ok=True)


# ------------------------------------------------------------------------------------------------ Rapfi


def _prepare_rapfi(sources: Path) -> None:
    """It reads its table of patterns, from another repository, in the folder where it starts."""
    _run(("git", "submodule", "update", "--init", "--depth", "1", "Networks"), sources)
    shutil.copy(sources / "Networks" / "config-example" / "gomocalc-classical220723.toml", sources / "config.toml")
    shutil.copy(sources / "Networks" / "classical" / "model220723.bin", sources)
    # With threads it may overlook a command that comes right after its answer.
    options = ("-DCMAKE_BUILD_TYPE=Release", "-DNO_COMMAND_MODULES=ON", "-DNO_MULTI_THREADING=ON")
    _run(("cmake", "-S", "Rapfi", "-B", "build", *options), sources)


# ---------------------------------------------------------------------------------------- ElephantEye

_ELEEYE_SOURCES = (
    *("ucci", "pregen", "position", "genmoves", "hash", "book", "movesort", "preeval", "evaluate", "search", "eleeye"),
)

# ----------------------------------------------------------------------------------------------- recipes

RECIPES: Mapping[str, Recipe] = {
    "guinn": Recipe(
        url="https://github.com/jonkr2/GuiNN_Checkers",
        commit="b12f109319c88bd0a3b0cf2b8fdca995469083db",
        needs=("g++",),
        command=(
            *("g++", "-std=c++17", "-O2", "-flto", "-march=native", "-DNDEBUG", "-w", "-fpermissive"),
            *("-include", "shims/papan.h", "-I", "shims", "-I", "src", "-o", "bin/guinn"),
            str(_HERE / "guinn.cpp"),
            *(f"src/{name}" for name in _GUINN_SOURCES),
        ),
        program="bin/guinn",  # beside its networks and tables
        prepare=_prepare_guinn,
        entry="""\
[engines.guinn]
game = "checkers"
protocol = "ugi"
command = [PROGRAM]
time = 0.1
options = { Hash = 64 }
""",
    ),
    "wine": Recipe(
        url="https://github.com/jinjiebang/wine",
        commit="e938b9fbbeddb621c453af1703f378ec10a68caa",
        needs=("g++",),
        command=(
            *("g++", "-std=c++11", "-O2", "-w", "-include", "cstring", "-o", "wine"),
            *("AI.cpp", "Board.cpp", "main.cpp"),
        ),
        folder="pbrain-wine",
        program="pbrain-wine/wine",
        prepare=_prepare_wine,
        entry="""\
[engines.wine]
game = "gomoku"
protocol = "gomocup"
command = [PROGRAM]
time = 0.1
options = { timeout_turn = 150 }  # it keeps 50 ms back
""",
    ),
    "rapfi": Recipe(  # without a network: its classical evaluation
        url="https://github.com/dhbloo/rapfi",
        commit="3aedf3a2ab0ab710a9f3d00e57d5287ceb864894",
        needs=("g++", "cmake"),
        command=("cmake", "--build", "build"),
        program="build/pbrain-rapfi",
        prepare=_prepare_rapfi,
        entry="""\
[engines.rapfi]
game = "gomoku"
protocol = "gomocup"
command = [PROGRAM]
folder = FOLDER
time = 20.0
options = { timeout_turn = 20000, max_node = 36000 }  # some 0.065 s of a processor
""",
    ),
    "fairy": Recipe(
        url="https://github.com/fairy-stockfish/Fairy-Stockfish",
        commit="c19b5f6c66894fdb0e88d0dd100e3885f744760a",
        needs=("g++", "make"),
        command=("make", "build", "ARCH=x86-64-modern", "largeboards=yes", "nnue=no"),
        folder="src",
        program="src/stockfish",
        entry="""\
[engines.fairy]
game = "xiangqi"
protocol = "uci"
command = [PROGRAM]
time = 0.1
options = { Threads = 1, Hash = 16, UCI_Variant = "xiangqi" }
""",
    ),
    "eleeye": Recipe(
        url="https://github.com/xqbase/eleeye",
        commit="a9d3914e596da93a150d74af8967edecc0810ef7",
        parts=("LICENSE", "base", "eleeye"),
        needs=("g++",),
        command=(
            *("g++", "-DNDEBUG", "-O3", "-w", "-o", "eleeye", "../base/pipe.cpp"),
            *(f"{name}.cpp" for name in _ELEEYE_SOURCES),
        ),
        folder="eleeye",
        program="eleeye/eleeye",
        entry="""\
[engines.eleeye]
game = "xiangqi"
protocol = "ucci"
command = [PROGRAM]
time = 0.1
options = { usebook = "false" }
""",
    ),
    "edax": Recipe(
        url="https://github.com/abulmo/edax-reversi",
        commit="14f048c05ddfa385b6bf954a9c2905bbe677e9d3",
        needs=("gcc", "make"),
        command=("make", "build", "CC=gcc", "ARCH=x86-64-v3"),
        folder="src",
        program="bin/lEdax-x86-64-v3",
        prepare=_prepare_edax,
        entry="""\
[engines.edax]
game = "othello"
protocol = "nboard"
command = [PROGRAM, "-nboard"]
folder = FOLDER  # data/eval.dat of a release of Edax belongs there: its evaluation is not among its sources
depth = 6
patience = 60.0  # at its first start it makes a book
""",
    ),
    "egaroucid": Recipe(  # the engine of its web page, with its weights and its openings
        url="https://github.com/Nyanyan/Egaroucid",
        commit="8a98e5ae64d5e53124b6b2c136022911f15736ab",
        parts=("LICENSE", "src/Egaroucid_for_Web.cpp", "src/web"),
        needs=("g++",),
        command=(
            *("g++", "-std=c++17", "-O2", "-march=native", "-fno-strict-aliasing", "-w"),
            *("-I", ".", "-o", "egaroucid", str(_HERE / "egaroucid.cpp")),
        ),
        folder="src",
        program="src/egaroucid",
        entry="""\
[engines.egaroucid]
game = "othello"
protocol = "ugi"
command = [PROGRAM]
time = 60.0  # how long it is waited for: its level says how far it looks
options = { Level = 10 }
""",
    ),
}


def build(recipe: Recipe, folder: Path, repository: str) -> Path:
    """Build a program from *repository*, in the new *folder*; returns the path of the program.

    :raises BuildError: something is missing, or a command has failed.
    """
    for program in ("git", *recipe.needs):
        if shutil.which(program) is None:
            raise BuildError(f"There is no {program} here: it must be installed, and be found by its name.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BuildError(f"{folder} is not empty: name a new folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    clone = ("git", "clone", "--quiet", "--no-checkout")
    if recipe.parts:
        _run((*clone, "--filter=blob:none", repository, str(folder)), Path.cwd())
        _run(("git", "checkout", "--quiet", recipe.commit, "--", *recipe.parts), folder)
    else:
        _run((*clone, repository, str(folder)), Path.cwd())
        _run(("git", "checkout", "--quiet", "--detach", recipe.commit), folder)
    recipe.prepare(folder)
    _run(recipe.command, folder / recipe.folder)
    for path in (folder / recipe.program, folder / f"{recipe.program}.exe"):
        if path.is_file():
            return path
    raise BuildError(f"The build has ended without a fault, and without {folder / recipe.program}.")


def _run(command: Sequence[str], folder: Path) -> None:
    """Run *command* in *folder*; what it writes is seen.

    :raises BuildError: it can't be started, or has failed.
    """
    shown = subprocess.list2cmdline(command)
    print(f"{folder}: {shown}", file=sys.stderr, flush=True)
    try:
        status = subprocess.run(command, cwd=folder, check=False).returncode
    except OSError as error:
        raise BuildError(f"{command[0]} can't be started: {error}") from error
    if status:
        raise BuildError(f"This command has failed, with status {status}: {shown}")


def entry_text(recipe: Recipe, folder: Path, program: Path) -> str:
    """The lines of ``engines.toml`` for *program*."""
    return recipe.entry.replace("PROGRAM", json.dumps(str(program))).replace("FOLDER", json.dumps(str(folder)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Build what *arguments* name, and print its entry; returns the status of the process."""
    parser = argparse.ArgumentParser(prog="python -m tests.engines.build", description="Build an opponent for matches.")
    parser.add_argument("name", choices=sorted(RECIPES), help="which program")
    parser.add_argument("folder", type=Path, help="a new folder, for its sources and what is built of them")
    parser.add_argument("--from", dest="repository", metavar="REPOSITORY", help="another git repository that has them")
    chosen = parser.parse_args(arguments)
    recipe, folder = RECIPES[chosen.name], chosen.folder.resolve()
    try:
        program = build(recipe, folder, chosen.repository or recipe.url)
    except (BuildError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    print("These lines belong into engines.toml (docs/engines.md says where that is):\n", file=sys.stderr, flush=True)
    print(entry_text(recipe, folder, program), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
