"""Read untrusted input: texts, numbers, files, JSON and TOML, within limits of size and depth.

Messages quote the fault; a quote is short and escapes control characters. No content is ever executed.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from itertools import accumulate
from pathlib import Path
from typing import IO, Any

from papan.game.base.sentences import SentenceError, figures, say

LONGEST_QUOTE = 80
"""Characters."""
LONGEST_REPORT = 500
"""Characters of a sentence of another program."""
_LONGEST_NUMBER = 20
"""Digits, as many as 64 bits can have."""
_DECIMAL = re.compile(r"-?[0-9]{1,20}(\.[0-9]{1,20})?(e[-+]?[0-9]{1,2})?")
_DOES_NOT_WAIT = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)
"""Flags to open a pipe without blocking."""
MOST_VALUES = 1 << 20
"""Values in a JSON text; they take up to a hundred times the memory of the text."""
MOST_DEPTH = 600
"""Nesting depth of JSON."""
_MOST_DOTS = 100
"""Dots in a line of TOML; the time for dotted keys is quadratic."""
MOST_TEXT = 1 << 25
"""Bytes of a decoded JSON text."""
_JSON_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?+', re.DOTALL)
_BEYOND_16_BITS = re.compile(rb"[\xf0-\xff]")
"""The first byte of a character that makes Python store a text with four bytes a character."""
_NESTING = {ord(sign): step for sign, step in zip("[{]}", (1, 1, -1, -1), strict=True)}
_NOT_NESTING = bytes(set(range(256)) - set(_NESTING))


class UnreadableError(SentenceError, ValueError):
    """A file can't be read; the message is a sentence that says which and why."""


def plain(text: str) -> str:
    r"""*text* with unprintable characters escaped: control characters, line breaks, changes of direction.

    >>> plain("a\tb\x1b[31m")
    'a\\tb\\x1b[31m'
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() else sign.encode("unicode_escape").decode("ascii") for sign in text)


def plain_json(value: Any, indent: int | None = 2) -> str:
    r"""*value* as JSON with unprintable characters escaped.

    >>> plain_json({"a": "é\x1b\u202e"}, None)
    '{"a": "é\\u001b\\u202e"}'
    """
    lines = json.dumps(value, indent=indent, ensure_ascii=False).split("\n")
    return "\n".join(line if line.isprintable() else "".join(map(_json_sign, line)) for line in lines)


def _json_sign(sign: str) -> str:
    return sign if sign.isprintable() else json.dumps(sign)[1:-1]


def shortened(text: str, most: int = LONGEST_QUOTE) -> str:
    """The plain *text*, cut to *most* characters."""
    shown = plain(text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def quoted(text: str) -> str:
    """*text* quoted for messages.

    >>> quoted("b3\\n")
    "'b3\\\\n'"
    """
    return f"'{shortened(text)}'"


def quoted_report(text: str) -> str:
    """*text*, a sentence in which another program reports what is wrong, quoted for messages."""
    return f"'{shortened(text, LONGEST_REPORT)}'"


def quoted_path(path: Path) -> str:
    """*path* quoted for messages; only the name of a long one.

    >>> quoted_path(Path("weights.npz"))
    "'weights.npz'"
    """
    return quoted(str(path) if len(str(path)) <= LONGEST_QUOTE else path.name)


def whole_number(text: str) -> int | None:
    """The whole number *text* in its usual form with digits 0 to 9; None for any other text.

    >>> whole_number("12"), whole_number("-3")
    (12, -3)
    >>> whole_number("٣"), whole_number("1_000"), whole_number("+1"), whole_number(" 1"), whole_number("01")
    (None, None, None, None, None)
    """
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= _LONGEST_NUMBER):
        return None
    number = int(text)
    return number if str(number) == text else None


def decimal_number(text: str) -> float | None:
    """The decimal number *text* with digits 0 to 9; None for any other text.

    >>> decimal_number("0.5"), decimal_number("1e3"), decimal_number("nan"), decimal_number("1_0"), decimal_number(" 5")
    (0.5, 1000.0, None, None, None)
    """
    return float(text) if _DECIMAL.fullmatch(text) else None


def read_file(path: Path, most_bytes: int) -> bytes:
    """The content of the file *path*, at most *most_bytes*.

    :raises UnreadableError: it can't be read, is larger, or is a folder, a pipe or a device.
    """
    with open_file(path) as file:
        if os.fstat(file.fileno()).st_size > most_bytes:
            raise too_large(path.name, most_bytes)
        return read_stream(file, most_bytes, path.name)


@contextmanager
def open_file(path: Path) -> Iterator[BufferedReader]:
    """The file *path*, open for reading.

    :raises UnreadableError: it can't be read, also within the block, or is a folder, a pipe or a device.
    """
    name = quoted_path(path)
    try:
        handle = os.open(path, os.O_RDONLY | _DOES_NOT_WAIT)
        with os.fdopen(handle, "rb") as file:
            # Checked after opening, as the name may refer to another file before.
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise UnreadableError.saying("{name} can't be read: it is not a file.", name=name)
            yield file
    except (OSError, ValueError) as error:
        if isinstance(error, SentenceError):
            raise  # as it is: a reader in the block says what is wrong
        if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises errors
            raise UnreadableError.saying("{file} is a folder: name a file.", file=name) from error
        reason = (isinstance(error, OSError) and error.strerror) or error
        raise UnreadableError.saying("{name} can't be read: {reason}.", name=name, reason=str(reason)) from error


def read_stream(stream: IO[bytes], most_bytes: int, name: str) -> bytes:
    """The content of *stream*, at most *most_bytes*; *name* is for messages.

    :raises UnreadableError: it is larger or can't be read.
    """
    try:
        content = stream.read(most_bytes + 1)
        if content is None:  # a non-blocking stream without data
            raise BlockingIOError(None, os.strerror(errno.EAGAIN))
    except OSError as error:
        raise UnreadableError.saying(
            "{name} can't be read: {reason}.", name=quoted(name), reason=error.strerror or str(error)
        ) from error
    if len(content) > most_bytes:
        raise too_large(name, most_bytes)
    return content


def too_large(name: str, most_bytes: int) -> UnreadableError:
    return UnreadableError.saying(
        "{name} is too large: more than {most} bytes.", name=quoted(name), most=figures(most_bytes)
    )


def parsed_json(content: bytes, made_of: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Parse the JSON text *content* after ``check_json``.

    >>> parsed_json(b'{"a": [1, "b"]}')
    {'a': [1, 'b']}

    :param made_of: makes an object from pairs of names and values; default: a dictionary.
    :raises ValueError: it is no JSON or too large; the message is a clause.
    """
    check_json(content)
    try:
        return json.loads(content, object_pairs_hook=made_of)
    except (ValueError, RecursionError):
        raise ValueError(say("it is not JSON")) from None


def check_json(content: bytes) -> None:
    """Check size, number of values and depth of the JSON text *content* without parsing it.

    :raises ValueError: it is too large or no text; the message is a clause.
    """
    widest = 1 if content.isascii() else 4 if _BEYOND_16_BITS.search(content) else 2
    if len(content) * widest > MOST_TEXT:
        raise ValueError(say("it is too large"))
    encoding = json.detect_encoding(content)
    try:
        text = content if encoding.startswith("utf-8") else content.decode(encoding).encode()
    except ValueError:
        raise ValueError(say("it is not JSON")) from None
    bare = _JSON_STRING.sub(b"", text)
    if sum(map(bare.count, (b",", b"[", b"{"))) > MOST_VALUES:
        raise ValueError(say("it has too many values"))
    if max(accumulate(map(_NESTING.__getitem__, bare.translate(None, _NOT_NESTING))), default=0) > MOST_DEPTH:
        raise ValueError(say("it is nested too deeply"))


def parsed_toml(content: bytes) -> dict[str, Any]:
    """Parse the TOML text *content*.

    :raises ValueError: it is no TOML or nested too deeply; the message may be the library's.
    """
    import tomllib  # rarely needed

    text = content.decode()
    try:
        if max(line.count(".") for line in text.split("\n")) > _MOST_DOTS:
            raise RecursionError
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(say("it is nested too deeply")) from None
