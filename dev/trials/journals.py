"""Journals with impossible values: each command that continues one, and the report, must refuse it in a sentence."""

from __future__ import annotations

import contextlib
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from dev.trials import Counts, TrialFailure, failing, trial
from dev.trials.texts import MOST_SENTENCE
from papan.commands import CommandsByName
from papan.commands.errors import Failure
from papan.game.base.untrusted import plain
from papan.report.kinds import NoResultError, section_of

_DIFFERENT = ("seconds", "processor_seconds", "games_a_second", "made_by", "times")
"""The fields of an answer that differ between runs."""


class Kind(NamedTuple):
    words: Sequence[str]
    """The command that makes the journal; ``{}`` stands for its folder."""
    file: str
    passes_over_damage: bool = False


KINDS: Mapping[str, Kind] = {
    "tournament": Kind(
        ("tournament", "connect-four", "random", "minimax:depth=1", "--games", "4", "--turns", "2", "--sprt", "0,300",
         "--results", "{}/journal", "--json"), "journal",
    ),
    "tuning": Kind(
        ("tune", "connect-four", "--depth", "1", "--population", "4", "--meetings", "1", "--check", "1",
         "--generations", "3", "--results", "{}/journal", "--json"), "journal",
    ),
    "training": Kind(
        ("train", "2048", "--option", "size=2", "--games", "40", "--every", "10", "--check", "4",
         "--out", "{}/weights", "--results", "{}/journal", "--json"), "journal",
    ),
    "simulation": Kind(
        ("simulate", "connect-four", "minimax:depth=1", "random", "--games", "200", "--out", "{}/journal", "--json"),
        "journal", passes_over_damage=True,
    ),
    "reproduction": Kind(
        ("reproduce", "pn-2048", "--scale", "0.05", "--out", "{}", "--json"), "pn-2048.jsonl",
        passes_over_damage=True,
    ),
    "puzzles": Kind(
        ("puzzles", "mine", "connect-four", "--count", "2", "--games", "60", "--out", "{}/journal"), "journal"
    ),
}  # fmt: skip


class Answer(NamedTuple):
    """A command's result, and the files after it."""

    code: int
    found: Any
    complaint: str
    files: Mapping[str, bytes]


def told(kind: Kind, folder: Path) -> Answer:
    out, code, complaint = io.StringIO(), 0, ""
    words = [word.replace("{}", str(folder)) for word in kind.words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        try:
            CommandsByName("papan").main(words, standalone_mode=False)
        except click.ClickException as error:
            code, complaint = 1 if isinstance(error, Failure) else 2, error.format_message()
    try:
        found = _settled(json.loads(out.getvalue()))
    except ValueError:
        found = out.getvalue().replace(str(folder), "")
    return Answer(code, found, complaint, {path.name: path.read_bytes() for path in folder.iterdir()})


def _settled(data: Any) -> Any:
    """*data* without the fields that differ between runs."""
    if isinstance(data, dict):
        return {name: _settled(value) for name, value in data.items() if name not in _DIFFERENT}
    return [_settled(one) for one in data] if isinstance(data, list) else data


@cache
def made(name: str) -> Answer:
    """The result of the command of the kind *name* in an empty folder."""
    with TemporaryDirectory(prefix="papan-trial-") as folder:
        told(KINDS[name], Path(folder))
        answer = told(KINDS[name], Path(folder))  # the second run has nothing left to do
    if answer.code:
        raise TrialFailure(f"{name}: {answer.complaint}")
    return answer


Place = tuple[Any, Any]  # a container, and a key or index in it


def places(data: Any) -> Iterator[Place]:
    for key in data if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from places(data[key])


_OTHERS: Sequence[Any] = (7, 0.5, "text", True, None, [], {}, [1], {"a": 1}, "1/0")
_CHANGES: Mapping[str, Callable[[Any, Random], Any]] = {
    "another type": lambda value, random: random.choice([one for one in _OTHERS if type(one) is not type(value)]),
    "negative": lambda value, random: -0.5 if isinstance(value, float) else -5,
    "huge": lambda value, random: random.choice([10**19, -(10**19), 1e300, 10**400, 1 << 63]),
    "no number": lambda value, random: random.choice([math.nan, math.inf, -math.inf]),
    "a fraction": lambda value, random: random.choice(["1/0", "1/00", "-0/0", "1e999999999", "1/-1", "٣", " 1", "1\n"]),
}
"""Functions that replace a value, by the kind of the result."""


def mutated(content: bytes, random: Random) -> tuple[bytes, str]:
    """The journal *content* with one value changed, and a description of the change."""
    lines = content.splitlines()
    at = random.randrange(len(lines))
    data = json.loads(lines[at])
    holder, key = random.choice(list(places(data)))
    kind = random.randrange(len(_CHANGES) + 2)
    if kind < len(_CHANGES):
        holder[key] = list(_CHANGES.values())[kind](holder[key], random)
        done = f"{key} is {holder[key]!r:.60}"
    elif kind == len(_CHANGES):
        del holder[key]
        done = f"{key} is missing"
    else:
        holder.update({"more": 1}) if isinstance(holder, dict) else holder.append(holder[key])
        done = f"one more beside {key}"
    lines[at] = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return b"\n".join(lines) + b"\n", f"line {at + 1}: {done}"


def check(name: str, content: bytes, folder: Path) -> str:
    """Run the command of the kind *name* on the journal *content*; return "refused", "computed again" or "taken".

    :raises AssertionError: the command did something else.
    """
    kind, right = KINDS[name], made(name)
    before = {**right.files, kind.file: content}
    for file, data in before.items():
        (folder / file).write_bytes(data)
    answer = told(kind, folder)
    with contextlib.suppress(NoResultError):
        section_of(content)
    said = answer.complaint
    if answer.code == 2:
        assert 0 < len(said) < MOST_SENTENCE and plain(said) == said, said
        assert answer.files == before, "a file has changed"
        return "refused"
    assert answer.code == 0, said
    # A tournament appends its test if the journal has another one.
    assert answer.files[kind.file].startswith(content), "a line is gone"
    if kind.passes_over_damage:
        assert answer.found == right.found, "other figures"
        return "computed again" if answer.files[kind.file] != content else "taken"
    return "taken"


@trial(
    "journals",
    "one value of a journal can't be; its command and the report refuse it in a sentence",
    most_seconds=600.0,
)
def case(seed: int, folder: Path, mutations: int = 50) -> Counts:
    random, name = Random(seed), list(KINDS)[seed % len(KINDS)]
    content, counts = made(name).files[KINDS[name].file], Counter[str]()
    for number in range(mutations):
        changed, done = mutated(content, random)
        place = folder / str(number)
        place.mkdir()
        with failing(f"{name}, {done}"):
            counts[check(name, changed, place)] += 1
    return counts + Counter({"mutations": mutations})
