"""numba's errors in one sentence: file and line, numba's first message, and the usual remedy."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_PREAMBLE = re.compile(r"Failed in .* pipeline \(step: .*\)$|- Resolution failure for .* arguments:$")
_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)|(?:at|from) (?P<path>\S.*?\.py) \((?P<at>\d+)\)')
_NUMBA = re.compile(r"[/\\]numba[/\\](?:core|cpython|np|typed)[/\\]")
_ALLOCATES = re.compile(r"NRT required|_ol_array_allocate|<built-in function (?:zeros|empty|ones|full)>|make_quicksort")
_VERSION_OF_VARIABLE = re.compile(r"(?<=\w)\.\d+(?=')")

REMEDIES = (
    (_ALLOCATES.pattern, "hand it what it shall write to, or let it take 'zeros' of papan.game.kernel.arrays"),
    (r"returning of array|returns no array", "hand it an array to write to"),
    (r"zeros takes", "zeros(np.int64, SIZE), say"),
    (
        r"Untyped global name '\w+':.*<class 'function'>",
        "compiled code calls a kernel by its name ('play', not '_play'), and helpers that are marked @subroutine",
    ),
    (r"is for Python alone", "compiled code calls helpers that are marked @subroutine, not @compiled"),
    (
        r"Untyped global name",
        "what compiled code names is a number, a tuple of numbers, a numpy array, a kernel or a @subroutine",
    ),
    (r"Cannot unify", "a variable changes its type: give it one type on every way through the function"),
    (r"_replace", "a state is changed by the names of its fields, and nothing else is"),
    (r"Unknown attribute", "a state has the fields of its class and nothing else; check the name"),
    (r"name '\w+' is not defined", "check the name, and whether it is imported"),
    (r"takes a state first", "hand it the state as its first argument"),
    (r"Cannot bind", "it is called with other arguments than it takes"),
    (r"No implementation of function", "there is no such operation for these types"),
)
"""Patterns of numba's text, each with the remedy; the first that matches counts."""

OTHERWISE = "compiled code has integers, floats, tuples, arrays and states, while, for and if"


def explanation(error: str, function: Callable[..., Any]) -> str:
    """One sentence for numba's *error*, raised while *function* was compiled."""
    text = _COLOURS.sub("", error)
    remedy = next((remedy for pattern, remedy in REMEDIES if re.search(pattern, text)), OTHERWISE)
    return f"{_location(text, function)}: {_cause(text)} ({remedy})."


def _location(text: str, function: Callable[..., Any]) -> str:
    code = function.__code__
    places = list(_PLACE.finditer(text))
    found = next((place for place in places if not _NUMBA.search(place["file"] or place["path"])), None)
    if found is None:
        return f"{code.co_filename}, line {code.co_firstlineno}"
    file, line = found["file"] or found["path"], found["line"] or found["at"]
    if Path(file).name == Path(code.co_filename).name:  # numba writes it relative to the working directory
        file = code.co_filename
    return f"{file}, line {line}"


def _cause(text: str) -> str:
    """numba's first message, without its report of passes and signatures."""
    if _ALLOCATES.search(text):
        return "it makes an array or a list of its own, and compiled code asks for no memory"
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if line and not _PREAMBLE.match(line)]
    cause = said[0] if said else "it can't be compiled"
    if cause.endswith("found for signature:") and len(said) > 1:
        cause += " " + said[1].removeprefix(">>> ")
    cause = re.sub(r",? defined at .*$| found\. Raised from .*$", "", cause)
    return _VERSION_OF_VARIABLE.sub("", cause).rstrip(".")
