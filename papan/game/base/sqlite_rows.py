"""The rows in the pages of an SQLite file, read without SQLite: each by itself, so that damage takes only what it hit.

Pages are found in two ways. From the schema on the first page downwards, as SQLite does; then, among the pages
that this has not reached, by looking like leaves. Those know no name of their table: who wants their rows tells
tables apart by what is in them. Pages on the list of free ones hold rows that were deleted, and are left out.

Tables that SQLite keeps by row number lie in the leaves of a tree; those declared ``WITHOUT ROWID`` and indexes in all
of its pages.

Source: "Database File Format", https://www.sqlite.org/fileformat2.html, sections 1.5, 1.6, 2.1 and 2.3.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import NamedTuple

from papan.game.base.sqlite_pages import FILE_HEADER, Pages

Value = int | float | str | bytes | None

_SCHEMA_ROOT = 1
_FREE_PAGES = 32  # where the file's header has the first page of the list
_INDEX_INNER, _TABLE_INNER, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_INNER = (_INDEX_INNER, _TABLE_INNER)
_KINDS = (*_INNER, _INDEX_LEAF, _TABLE_LEAF)
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_INTEGER_BYTES = (0, 1, 2, 3, 4, 6, 8)  # by serial type


class Row(NamedTuple):
    """What one cell of a page has."""

    table: str | None
    """Its table, where the schema leads to the page."""
    number: int | None
    """Its number in a table that SQLite keeps by row number; None in one without, and in an index."""
    values: tuple[Value, ...]
    """In the order in which they are stored, without those at the end that were never written."""


class _Unreadable(ValueError):
    """The bytes are no page, cell or record."""


def read_rows(pages: Pages) -> Iterator[Row]:
    """Every row that can be read: first of the tables that the schema names, then of pages that nothing leads to."""
    reached: set[int] = set()
    for entry in list(_tree(pages, _SCHEMA_ROOT, None, reached)):
        match entry.values:
            case (kind, str(name), _, int(root), *_):
                rows = list(_tree(pages, root, name, reached))  # an index's, too: its pages are no table's
                if kind != "index":
                    yield from rows
    reached.update(_free_pages(pages))
    for number in pages.numbers:
        if number not in reached:
            yield from _rows(pages, number, None)


def _free_pages(pages: Pages) -> Iterator[int]:
    seen: set[int] = set()
    trunk = int.from_bytes(pages.image(1)[_FREE_PAGES : _FREE_PAGES + 4], "big")
    while trunk in pages.numbers and trunk not in seen:
        seen.add(trunk)
        yield trunk
        image = pages.image(trunk)
        count = int.from_bytes(image[4:8], "big")
        if count <= pages.size // 4:
            yield from struct.unpack_from(f">{count}I", image.ljust(pages.size + 8, b"\0"), 8)
        trunk = int.from_bytes(image[:4], "big")


def _tree(pages: Pages, root: int, table: str | None, reached: set[int]) -> Iterator[Row]:
    """The rows in the tree below *root*; adds its pages to *reached*."""
    waiting = [root]
    while waiting:
        number = waiting.pop()
        if number in reached or number not in pages.numbers:
            continue
        reached.add(number)
        yield from _rows(pages, number, table)
        if _kind(pages, number) in _INNER:
            start = _start(number)
            image = pages.image(number)
            waiting.append(int.from_bytes(image[start + 8 : start + 12], "big"))
            waiting.extend(int.from_bytes(image[cell : cell + 4], "big") for cell in _cells(pages, number))


def _start(number: int) -> int:
    return FILE_HEADER if number == 1 else 0


def _kind(pages: Pages, number: int) -> int:
    start = _start(number)
    return next(iter(pages.image(number)[start : start + 1]), 0)


def _cells(pages: Pages, number: int) -> Iterator[int]:
    """Where the cells of a page begin, as far as that can be."""
    image, start = pages.image(number), _start(number)
    pointers = start + (12 if _kind(pages, number) in _INNER else 8)
    count = int.from_bytes(image[start + 3 : start + 5], "big")
    for at in range(pointers, min(pointers + 2 * count, len(image) - 1), 2):
        cell = int.from_bytes(image[at : at + 2], "big")
        if pointers <= cell < len(image):
            yield cell


def _rows(pages: Pages, number: int, table: str | None) -> Iterator[Row]:
    kind = _kind(pages, number)
    # Where the schema leads to a page whose kind is damaged, its cells will tell.
    kinds = [kind] if kind in _KINDS else [_TABLE_LEAF, _INDEX_LEAF] if table else []
    for likely in kinds:
        if likely == _TABLE_INNER:
            continue
        for cell in _cells(pages, number):
            try:
                yield _row(pages, pages.image(number), cell, likely, table)
            except _Unreadable:
                continue


def _row(pages: Pages, image: bytes, cell: int, kind: int, table: str | None) -> Row:
    at = cell + 4 if kind == _INDEX_INNER else cell
    length, at = _variable_integer(image, at)
    number = None
    if kind == _TABLE_LEAF:
        number, at = _variable_integer(image, at)
    most = pages.size - 35 if kind == _TABLE_LEAF else (pages.size - 12) * 64 // 255 - 23
    if length > most:
        least = (pages.size - 12) * 32 // 255 - 23
        here = least + (length - least) % (pages.size - 4)
        here = here if here <= most else least
        following = int.from_bytes(image[at + here : at + here + 4], "big")
        payload = image[at : at + here] + _overflow(pages, following, length - here)
    else:
        payload = image[at : at + length]
    if len(payload) != length:
        raise _Unreadable
    return Row(table, None if number is None else _signed(number), _record(payload))


def _overflow(pages: Pages, number: int, length: int) -> bytes:
    """The *length* bytes that a chain of pages goes on with."""
    parts = []
    seen: set[int] = set()
    while length > 0:
        if number in seen or number not in pages.numbers:
            raise _Unreadable
        seen.add(number)
        image = pages.image(number)
        if not any(image):  # a page that was wiped out
            raise _Unreadable
        parts.append(image[4 : 4 + min(length, pages.size - 4)])
        length -= pages.size - 4
        number = int.from_bytes(image[:4], "big")
    if number:
        raise _Unreadable
    return b"".join(parts)


def _record(payload: bytes) -> tuple[Value, ...]:
    header_length, at = _variable_integer(payload, 0)
    values: list[Value] = []
    body = header_length
    while at < header_length:
        serial_type, at = _variable_integer(payload, at)
        value, body = _value(payload, body, serial_type)
        values.append(value)
    if body != len(payload) or at != header_length:
        raise _Unreadable
    return tuple(values)


def _value(payload: bytes, at: int, serial_type: int) -> tuple[Value, int]:
    """The value of a serial type (section 2.1) and where the next one begins."""
    if serial_type in (8, 9):
        return serial_type - 8, at
    length = _length(serial_type)
    content = payload[at : at + length]
    if len(content) != length:
        raise _Unreadable
    after = at + length
    if serial_type == 0:
        return None, after
    if serial_type == 7:
        return float(struct.unpack(">d", content)[0]), after
    if serial_type < 7:
        return int.from_bytes(content, "big", signed=True), after
    if serial_type % 2 == 0:
        return content, after
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _Unreadable from error
    if _CONTROL_CHARACTERS.search(text):  # nobody wrote that
        raise _Unreadable
    return text, after


def _length(serial_type: int) -> int:
    if serial_type < 7:
        return _INTEGER_BYTES[serial_type]
    if serial_type == 7:
        return 8
    if serial_type < 12:
        raise _Unreadable
    return (serial_type - 12) // 2


def _variable_integer(image: bytes, at: int) -> tuple[int, int]:
    """The unsigned integer of one to nine bytes that begins at *at*, and where the next thing begins."""
    value = 0
    for count, byte in enumerate(image[at : at + 9], 1):
        if count == 9:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count
    raise _Unreadable


def _signed(number: int) -> int:
    return number - (1 << 64) if number >= 1 << 63 else number
