"""Change the user's ``engines.toml``: only the lines that must change; comments and everything unknown stay.

Before a text is written it is read again: it must hold what was there, with the one change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from papan.ai.engines.entries import MOST_BYTES, MOST_ENTRIES, EntriesError, entries_file, read_tables
from papan.game.base.places import atomic_file, make_private_folder
from papan.game.base.sentences import figures
from papan.game.base.untrusted import parsed_toml, quoted, shortened, too_large

Facts = Mapping[str, Any]
"""The table of an entry, as ``entry_of`` reads it."""
_ENGINES = "engines"
_HEADER = re.compile(r"\s*\[")
_HEAD = "# Programs that play against you in Papan. You may edit this file: comments stay.\n"
"""What a new file begins with."""


def facts_of(name: str, path: Path | None = None) -> Facts | None:
    """The table of the entry *name* as the file has it; None if there is none. May raise EntriesError."""
    return _listed(read_tables(path or entries_file())[1]).get(name)


def save_entry(name: str, facts: Facts, before: Facts | None = None, path: Path | None = None) -> None:
    """Write the entry *name*.

    :param before: what the file said when the entry was read; only what differs from it is written. None: it is new.
    :raises EntriesError: the file is damaged, can't be written, or has an entry of the name of a new one.
    """
    path = path or entries_file()
    text, tables = read_tables(path)
    listed = _listed(tables)
    if before is None and name in listed:
        raise EntriesError.saying("{file} already has a program called {name}.", file=quoted(path.name), name=name)
    if name not in listed and len(listed) >= MOST_ENTRIES:
        most = figures(MOST_ENTRIES)
        raise EntriesError.saying("{file} has room for {most} programs.", file=quoted(path.name), most=most)
    if name in listed:
        known = before or {}
        wanted = _merged(listed[name], known, facts)
        ways = [lambda: _edited(text, name, known, facts)]
    else:
        wanted = dict(facts)
        ways = [lambda: _appended(text or _HEAD, name, facts), lambda: _edited(text, name, {}, facts)]
    _write(path, ways, {**tables, _ENGINES: {**listed, name: wanted}})


def remove_entry(name: str, path: Path | None = None) -> None:
    """Remove the entry *name*; nothing happens if there is none.

    :raises EntriesError: the file is damaged or can't be written.
    """
    path = path or entries_file()
    text, tables = read_tables(path)
    listed = _listed(tables)
    if name in listed:
        left = {other: facts for other, facts in listed.items() if other != name}
        _write(path, [lambda: _cut(text, name), lambda: _edited(text, name, None, None)], {**tables, _ENGINES: left})


def _listed(tables: Facts) -> dict[str, Any]:
    listed = tables.get(_ENGINES, {})
    return listed if isinstance(listed, dict) else {}


def _write(path: Path, ways: list[Callable[[], str]], wanted: Facts) -> None:
    """Write the first text that holds *wanted*; raises EntriesError if none does."""
    for way in ways:
        with suppress(Exception):  # the library's own faults, of whatever kind
            text = way()
            held = parsed_toml(text.encode())
            if {**held, _ENGINES: _listed(held)} == wanted:
                break
    else:
        raise EntriesError.saying(
            "{file} can't be changed here without losing something: please edit it by hand.", file=quoted(path.name)
        )
    content = text.encode()
    if len(content) > MOST_BYTES:
        raise EntriesError(str(too_large(path.name, MOST_BYTES)))
    try:
        make_private_folder(path.parent)
        with atomic_file(path, is_private=True) as file:
            file.write(content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise EntriesError.saying(
            "{file} can't be written: {reason}.", file=shortened(path.name), reason=reason
        ) from error


def _merged(held: Facts, before: Facts, after: Facts) -> dict[str, Any]:
    """*held* with what differs between *before* and *after*."""
    merged = {key: value for key, value in held.items() if key in after or key not in before}
    for key, value in after.items():
        if isinstance(value, Mapping) and isinstance(held.get(key), Mapping):
            merged[key] = _merged(held[key], before.get(key, {}), value)
        elif key not in before or before[key] != value:
            merged[key] = value
    return merged


def _merge(held: Any, before: Facts, after: Facts) -> None:
    """``_merged`` in the table *held* of tomlkit, whose comments stay."""
    import tomlkit

    for key in list(held):
        if key in before and key not in after:
            del held[key]
    for key, value in after.items():
        if isinstance(value, Mapping) and isinstance(held.get(key), Mapping):
            _merge(held[key], before.get(key, {}), value)
        elif key not in before or before[key] != value:
            if isinstance(value, Mapping):
                value, options = tomlkit.inline_table(), value
                value.update(options)
            with _before_comments(held):
                held[key] = value


@contextmanager
def _before_comments(table: Any) -> Iterator[None]:
    """What is added to *table* in the block comes before its last comments, which are about what follows."""
    body = table.value.body if hasattr(table.value, "body") else []
    last = max((place for place, (key, _item) in enumerate(body) if key is not None), default=-1)
    comments = body[last + 1 :]
    del body[last + 1 :]
    try:
        yield
    finally:
        body.extend(comments)


def _edited(text: str, name: str, before: Facts | None, after: Facts | None) -> str:
    """*text* with the entry's table merged, or deleted if *after* is None."""
    import tomlkit

    document = tomlkit.parse(text)
    engines: Any = document.setdefault(_ENGINES, tomlkit.table(is_super_table=True))
    if after is None:
        del engines[name]
    else:
        if name not in engines:
            engines[name] = tomlkit.inline_table()
        _merge(engines[name], before or {}, after)
    return tomlkit.dumps(document)


def _appended(text: str, name: str, facts: Facts) -> str:
    """*text* with a new entry at its end."""
    import tomlkit

    table = tomlkit.table()
    _merge(table, {}, facts)
    engines = tomlkit.table(is_super_table=True)
    engines[name] = table
    document = tomlkit.document()
    document[_ENGINES] = engines
    end = "\r\n" if "\r\n" in text else "\n"
    return text + (end if text.endswith("\n") else 2 * end) + tomlkit.dumps(document).replace("\n", end)


def _cut(text: str, name: str) -> str:
    """*text* without the lines of the entry; the comments before it and after it stay."""
    is_inside = False
    kept: list[str] = []
    aside: list[str] = []  # blank lines and comments at the end of what is cut
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line) and (header := _header(line)) is not None:
            kept, aside = _spliced(kept, aside), []
            is_inside = name in _listed(header)
        if not is_inside:
            kept.append(line)
        elif not line.strip() or line.lstrip().startswith("#"):
            aside.append(line)
        else:
            aside = []
    return "".join(_spliced(kept, aside))


def _spliced(kept: list[str], aside: list[str]) -> list[str]:
    """Both, with at most one blank line where they meet."""
    while aside and not aside[0].strip() and not (kept and kept[-1].strip()):
        aside = aside[1:]
    return kept + aside


def _header(line: str) -> Facts | None:
    """The tables that a header opens; None if *line* is none, such as a row of an array."""
    with suppress(ValueError):
        return parsed_toml(line.encode())
    return None
