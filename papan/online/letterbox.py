"""The last letter of each match by correspondence, sent or received, in a folder of its own.

It holds the match as both sides know it, and the key of each. The library has the match too, with what is not sent yet;
a letter goes after its match is deleted there.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from papan.game.base.places import atomic_file, data_folder, make_private_folder
from papan.game.base.untrusted import UnreadableError, read_file
from papan.game.match.library.reader import LETTERS_TAG as TAG
from papan.online.identity import FILE_NAME, Identity, IdentityError, own_identity
from papan.online.letters import (
    MOST_CHARACTERS,
    SUFFIX,
    Glance,
    Letter,
    LetterError,
    Standing,
    cut_out,
    glance,
    judge,
    read,
    write,
)

__all__ = ["FOLDER", "TAG", "Arrival", "Letterbox"]

FOLDER = "letters"
_TIDY_SECONDS = 86_400
"""How old a letter without a match is that may go: another window may just be adding its match."""
_ID = re.compile("[0-9a-f]{24}")


class Arrival(NamedTuple):
    """A letter that was opened."""

    letter: Letter
    standing: Standing


class Letterbox:
    """The folder of letters, and the key that signs them. Files are small, but slow on some disks."""

    def __init__(self, folder: Path | None = None) -> None:
        """:param folder: default: that of the user's data."""
        self._folder = folder or data_folder()
        self.changes = 0
        """Grows with each letter that is kept."""

    @cached_property
    def identity(self) -> Identity:
        """:raises LetterError: the key can't be read or made."""
        try:
            return own_identity(self._folder / FILE_NAME)
        except IdentityError as error:
            raise LetterError(str(error)) from error

    def _file(self, match_id: str) -> Path:
        return self._folder / FOLDER / f"{match_id}{SUFFIX}"

    def text(self, match_id: str) -> str:
        """The last letter of a match as text; "" for none.

        :raises LetterError: it can't be read.
        """
        file = self._file(match_id)
        if not _ID.fullmatch(match_id) or not file.exists():
            return ""
        try:
            return read_file(file, MOST_CHARACTERS).decode("ascii", "replace")
        except UnreadableError as error:
            raise LetterError(str(error)) from error

    def last(self, match_id: str) -> Letter | None:
        """The last letter of a match, if any.

        :raises LetterError: it can't be read.
        """
        text = self.text(match_id)
        return read(text) if text else None

    def glance(self, match_id: str) -> Glance | None:
        """Look at the last letter of a match; None if there is none that can be read."""
        try:
            text = self.text(match_id)
            return glance(text) if text else None
        except LetterError:
            return None

    def tidy(self, find_known: Callable[[], Collection[str] | None]) -> None:
        """Delete the letters of matches that are not known any more, except those of the last day.

        :param find_known: finds the identifiers of all matches; None: they can't be known.
        """
        before = time.time() - _TIDY_SECONDS
        with suppress(OSError):
            old = [file for file in (self._folder / FOLDER).glob(f"*{SUFFIX}") if file.stat().st_mtime < before]
            known = find_known() if old else ()
            for file in old:
                if known is not None and file.name.removesuffix(SUFFIX) not in known:
                    file.unlink()

    def open(self, text: str) -> Arrival:
        """Open the letter in *text*, and keep it if it goes on with its match.

        :raises LetterError: it is none, or none that may be trusted, or it can't be kept.
        """
        letter = read(text)
        standing = judge(letter, self.last(letter.match_id), self.identity.public)
        if standing == "new":
            self._keep(letter, cut_out(text))
        return Arrival(letter, standing)

    def send(self, letter: Letter) -> str:
        """Sign *letter*, keep it, and return it as text.

        :raises LetterError: it is too long, or can't be signed or kept.
        """
        text = write(letter, self.identity)
        self._keep(letter, text)
        return text

    def _keep(self, letter: Letter, text: str) -> None:
        file = self._file(letter.match_id)
        try:
            make_private_folder(file.parent)
            with atomic_file(file, is_private=True) as part:
                part.write(text.encode())
            self.changes += 1
        except OSError as error:
            raise LetterError.saying(
                "The letter can't be kept in {file}: {reason}.", file=str(file), reason=error.strerror or str(error)
            ) from error
