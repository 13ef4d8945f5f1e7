"""What a format reads: a file or a text, of any size, in an encoding that nobody names."""

from __future__ import annotations

import codecs
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from papan.game.base.sentences import SentenceError, say
from papan.game.base.untrusted import UnreadableError, open_file, quoted, read_file, too_large
from papan.game.formats.reasons import Reasons

HEAD = 1 << 16
"""Bytes by which formats and encodings are recognised."""
MOST_BYTES = 500 << 20
"""The largest file."""
MOST_IN_MEMORY = 128 << 20
"""The largest file that is read at once."""
LONGEST_LINE = 1 << 20
"""Characters; a longer line is cut there."""
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class FormatError(SentenceError, ValueError):
    """A file or a game in it can't be read; the message is a sentence that says what is wrong, and where."""


class SourceError(FormatError):
    """The system can't read a file, or it is too large; the message names it."""


def _check_encoding(name: str) -> None:
    """:raises SourceError: Python knows no such encoding of texts; ``base64`` is one of bytes."""
    try:
        "a".encode(name, "replace")
    except (LookupError, UnicodeError):
        raise SourceError.saying(
            "{name} is no encoding: write utf-8, gbk, big5 or latin-1.", name=quoted(name)
        ) from None


class Source:
    """A file or a text to read games from."""

    def __init__(self, path: Path | None = None, text: str | bytes = "", name: str = "", encoding: str = "") -> None:
        """:param path: the file; None for *text*.
        :param encoding: as a person chose it; "" to find out.
        :raises SourceError: the file can't be read or is too large, or *encoding* is none of texts.
        """
        if encoding:
            _check_encoding(encoding)
        self.path = path
        self.name = name or (path.name if path else say("the text"))
        self._data = text.encode() if isinstance(text, str) else text
        self.chosen_encoding = encoding
        """The encoding that a person chose, "" for none; also for formats whose texts stand between other bytes."""
        self.position = 0
        """Bytes read so far."""
        self.notes = Reasons()
        """What is doubtful about its games."""
        self.left_out = 0
        """Comments and variations of its games that were not read."""
        self.named_encoding = ""
        """The encoding that its text names, as a format found; it is taken if the text is valid there."""
        self.guess = ""
        """The encoding in which its text was read last, if that was a guess that may be wrong."""
        self.is_stopped: Callable[[], bool] = lambda: False
        """Whether to read no more: its lines then end here."""
        with self.open() as file:
            self.head = file.read(HEAD)
            self.size = file.seek(0, io.SEEK_END)
        if self.size > MOST_BYTES:
            raise SourceError(str(too_large(self.name, MOST_BYTES)))

    @property
    def file_name(self) -> str:
        """The file's name; "" for a text."""
        return self.path.name if self.path else ""

    @property
    def share(self) -> float:
        """How much of it has been read, from 0 to 1."""
        return min(1.0, self.position / self.size) if self.size else 1.0

    @property
    def suffix(self) -> str:
        """Of the file's name, in small letters, with the dot."""
        stem, dot, ending = self.name.rpartition(".")
        return dot + ending.lower() if stem else ""

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Its bytes from the beginning.

        :raises SourceError: it can't be read.
        """
        if self.path is None:
            yield io.BytesIO(self._data)
            return
        try:
            with open_file(self.path) as file:
                yield file
        except UnreadableError as error:
            raise SourceError(str(error)) from error

    def data(self, most_bytes: int = MOST_IN_MEMORY) -> bytes:
        """All bytes; raises SourceError if there are more than *most_bytes*."""
        if self.path is None:
            return self._data
        try:
            content = read_file(self.path, most_bytes)
        except UnreadableError as error:
            raise SourceError(str(error)) from error
        self.position = self.size
        return content

    def text(self, encodings: Sequence[str] = (), judge: Callable[[str], float] | None = None) -> str:
        """All of it as text; see ``encoding``. What can't be decoded becomes ``U+FFFD``.

        :raises SourceError: it can't be decoded in the encoding that a person chose.
        """
        name = self._encoding_to_read(encodings, judge)
        try:
            return self.data().decode(name, self._on_errors)
        except UnicodeError:
            raise self._wrong_encoding(encodings, judge) from None

    def encoding(self, others: Sequence[str] = (), judge: Callable[[str], float] | None = None) -> str:
        """The encoding that a person chose, or its mark tells, or UTF-8 if it is valid there, else one of *others*.

        :param judge: how likely a text is, the more the better; the best is taken, for sure if it is better than all
            others by more than 1. What an encoding can't decode is ``U+FFFD`` in its text.
        """
        return self.sure_encoding or self._guessed(others, judge)[0]

    @property
    def sure_encoding(self) -> str:
        """The encoding that a person chose, or its mark tells, or UTF-8 if it is valid there; "" for none of these."""
        mark = next((name for mark, name in _MARKS if self.head.startswith(mark)), "")
        return self.chosen_encoding or mark or ("utf-8" if self._decodes("utf-8") else "")

    def _guessed(self, others: Sequence[str], judge: Callable[[str], float] | None) -> tuple[str, bool]:
        """The likeliest encoding, and whether it may be wrong."""
        if self.named_encoding and self._decodes(self.named_encoding):
            return self.named_encoding, False
        if judge is None:
            return next((name for name in others if self._decodes(name)), "latin-1"), True
        scores = {  # of all, as damage can make the right one impossible
            name: judge(self.head.decode(name, errors="replace")) for name in (*others, "utf-8")
        }
        best = max(scores, key=scores.__getitem__)
        return best, scores[best] <= 1 + max(score for name, score in scores.items() if name != best)

    def _encoding_to_read(self, others: Sequence[str], judge: Callable[[str], float] | None) -> str:
        """As ``encoding``; remembers a guess."""
        name, is_doubtful = (self.sure_encoding, False) if self.sure_encoding else self._guessed(others, judge)
        self.guess = name if is_doubtful else ""
        return name

    def _decodes(self, name: str) -> bool:
        try:
            codecs.getincrementaldecoder(name)().decode(self.head, final=self.size <= HEAD)
        except UnicodeError:
            return False
        return True

    @property
    def _on_errors(self) -> str:
        """What to do where bytes can't be decoded, as codecs call it: no letter is lost in a chosen encoding."""
        return "strict" if self.chosen_encoding else "replace"

    def _wrong_encoding(self, others: Sequence[str], judge: Callable[[str], float] | None) -> SourceError:
        """The error for bytes that make no sense in the encoding that a person chose."""
        chosen = self.chosen_encoding
        mark = next((name for mark, name in _MARKS if self.head.startswith(mark)), "")
        likely = mark or ("utf-8" if self._decodes("utf-8") else self._guessed(others, judge)[0])
        if likely == chosen:
            return SourceError.saying(
                "{file} is not {encoding}: some of its bytes stand for no letter there. Read it without naming an"
                " encoding: damaged letters are then skipped.",
                file=quoted(self.name),
                encoding=chosen,
            )
        return SourceError.saying(
            "{file} is not {encoding}: some of its bytes stand for no letter there. It looks like {likely}: name that"
            " encoding, or none.",
            file=quoted(self.name),
            encoding=chosen,
            likely=likely,
        )

    def lines(self, encodings: Sequence[str] = (), judge: Callable[[str], float] | None = None) -> Iterator[str]:
        """Yield its lines without their ends, one after the other, so that a file of any size takes little memory.

        :raises SourceError: a line can't be decoded in the encoding that a person chose.
        """
        if self.chosen_encoding and not self._decodes(self.chosen_encoding):
            raise self._wrong_encoding(encodings, judge)  # before the first line, as most files are short
        with self.open() as file:
            decoder = io.TextIOWrapper(file, self._encoding_to_read(encodings, judge), errors=self._on_errors)
            try:
                for number, line in enumerate(iter(lambda: decoder.readline(LONGEST_LINE), "")):
                    if self.is_stopped():
                        return
                    if number % 1024 == 0:
                        self.position = file.tell()
                    yield line.rstrip("\r\n")
            except UnicodeError:
                raise self._wrong_encoding(encodings, judge) from None
            finally:
                decoder.detach()
        self.position = self.size
