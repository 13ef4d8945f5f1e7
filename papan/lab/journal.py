"""Journals: results so far, line by line in a file, so that a command that was killed can continue.

The first line gives the kind and version of the journal and the plan of the run. Each further line is one entry as
JSON, synced to disk before the next is written. A kill leaves at most one incomplete line, which the next opening for
writing removes. One process at a time writes; opening for reading changes nothing.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, NoReturn, TypeVar

import msgspec

from papan.game.base.sentences import SentenceError, say
from papan.game.base.typed import FaultError, converted, parsed
from papan.game.base.untrusted import UnreadableError, open_file, quoted, quoted_path, shortened
from papan.lab.files import check_kind, only_writer, unwritable

LONGEST_LINE = 1 << 24
"""Bytes; entries are shorter."""

Entry = Mapping[str, Any]

P = TypeVar("P")
E = TypeVar("E")

_OWNER_ONLY = 0o600


class JournalError(SentenceError, ValueError):
    """A file can't be used as the journal; the message is a sentence that says why."""


@dataclass(frozen=True)
class Form(Generic[P, E]):
    """The format of one kind of journal."""

    kind: str
    """A name of a few words."""
    version: int
    """Changes with the format of the lines."""
    plan: type[P]
    """The type of the plan in the first line, for ``msgspec``."""
    entry: type[E]
    """The type of each further line."""
    others: Mapping[str, type[E]] = field(default_factory=dict)
    """Other types of entries, by a field name that only they have."""
    checks: Callable[[P], Callable[[E], None]] = lambda plan: lambda entry: None
    """Makes, from the plan, a check that gets the entries in order; both raise ``FaultError`` for impossible values."""
    passes_over_damage: bool = False
    """Whether damaged lines are skipped, because their results can be computed again; otherwise they are errors."""

    def read_plan(self, data: Any) -> P:
        try:
            return converted(data, self.plan)
        except FaultError as error:
            raise DamageError(1, str(error)) from None

    def read(self, plan: P, lines: Iterable[bytes], plain: Callable[[Any], Any] = lambda data: data) -> Iterator[E]:
        """The entries of *lines*, without skipped ones.

        :param plain: applied to the JSON of each line first.
        """
        try:
            check = self.checks(plan)
        except FaultError as error:
            raise DamageError(1, str(error)) from None
        for number, line in enumerate(lines, start=2):
            try:
                data = plain(parsed(line))
                entry = converted(data, next((self.others[name] for name in self.others if name in data), self.entry))
                check(entry)
            except (FaultError, RecursionError) as error:
                if not self.passes_over_damage:
                    raise DamageError(number, str(error)) from None
            else:
                yield entry


class DamageError(ValueError):
    """A line of a journal is damaged."""

    def __init__(self, line: int, fault: str) -> None:
        super().__init__(say("line {line} is damaged: {fault}.", line=line, fault=fault))
        self.line, self.fault = line, fault


class Journal(Generic[P, E]):
    """The results of one plan: in the file *path* or, without one, in memory."""

    def __init__(self, path: Path | None, form: Form[P, E], plan: Any, *, only_reads: bool = False) -> None:
        """Start a journal, or continue the one in the file.

        :param plan: JSON data, a dataclass or a ``msgspec.Struct``, as entries are.
        :param only_reads: don't write or create the file; another process may write it meanwhile.
        :raises JournalError: the file has another form or plan, or is damaged; it stays unchanged.
        :raises OutputError: the file can't be written, or another Papan is writing it.
        """
        self._path, self._form, self._length = path, form, 0
        self._file: io.FileIO | None = None
        self._remembered: list[bytes] = []
        self._head = {"kind": form.kind, "version": form.version, "plan": json.loads(_line(plan))}
        self._plan = form.read_plan(self._head["plan"])
        with ExitStack() as held:
            if path is not None and not only_reads:
                self._begin(path, held)
            elif path is not None and os.path.exists(path):  # noqa: PTH110 - Path.exists raises without permission
                self._check(path)
            self._held = held.pop_all()

    def _begin(self, path: Path, held: ExitStack) -> None:
        try:
            check_kind(path)
            held.enter_context(only_writer(path))
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._file = held.enter_context(io.FileIO(os.open(path, flags, _OWNER_ONLY), "a+b"))
            self._length = self._check(path)
            if self._length < os.fstat(self._file.fileno()).st_size:
                self._file.truncate(self._length)  # removes an incomplete last line
            if not self._length:
                self._write(path, self._head)
        except OSError as error:
            raise unwritable(path, error) from None

    def add(self, *entries: Any) -> None:
        """Write *entries*; they are on disk when this returns.

        :raises JournalError: the file was replaced.
        :raises OutputError: the file can't be written.
        """
        if self._path is None:
            self._remembered.extend(map(_line, entries))
            return
        try:
            self._write(self._path, *entries)
        except OSError as error:
            raise unwritable(self._path, error) from None

    def entries(self) -> Iterator[E]:
        """All entries, those of earlier runs first, read one by one."""
        lines = self._whole_lines(self._path) if self._path is not None and self._length else iter(())
        next(lines, None)
        try:
            yield from self._form.read(self._plan, self._remembered if self._path is None else lines)
        except DamageError as error:
            raise self._damage(error) from None

    def close(self) -> None:
        """Close the file and release its lock."""
        self._held.close()

    def remove(self) -> None:
        """Delete the file, and close it."""
        with self._held:
            if self._path is not None and self._file is not None and self._is_still_there(self._path):
                self._file.close()  # Windows deletes no open file
                self._path.unlink(missing_ok=True)

    def _check(self, path: Path) -> int:
        """The length in bytes of all complete lines; 0 for an empty file."""
        lengths = [0]

        def lines() -> Iterator[bytes]:
            for line in self._whole_lines(path):
                lengths[0] += len(line)
                yield line

        whole = lines()
        head = next(whole, None)
        if head is None:
            return 0
        try:
            self._compare(path, head)
            for _ in self._form.read(self._plan, whole):
                pass
        except DamageError as error:
            raise self._damage(error) from None
        self._length = lengths[0]
        return self._length

    def _compare(self, path: Path, line: bytes) -> None:
        """Compare the first *line* with this journal's head."""
        name, kind, version = quoted_path(path), self._form.kind, self._form.version
        try:
            found = parsed(line)
        except FaultError:
            found = {}
        if found.get("kind") != kind:
            raise self._other_kind(path)
        if found.get("version") != version:
            raise JournalError.saying(
                "{file} ({kind}) has version {other}, but this program writes version {version}: name another file.",
                file=name,
                kind=kind,
                other=shortened(str(found.get("version"))),
                version=version,
            )
        for more in found.keys() - self._head:
            raise DamageError(1, say("{fact} is an unknown field", fact=quoted(more)))
        plan, other = self._head["plan"], found.get("plan")
        differing = differences(plan, other)
        try:
            self._form.read_plan(other)
        except DamageError:
            if isinstance(other, dict) and not plan.keys() - other:  # missing ones mean another version: reported below
                raise
        if plan != other:
            raise JournalError.saying(
                "{file} ({kind}) belongs to a run with other settings ({differing}): use the same settings, or "
                "name another file.",
                file=name,
                kind=kind,
                differing=", ".join(map(shortened, differing)) or say("all of them"),
            )

    def _whole_lines(self, path: Path) -> Iterator[bytes]:
        """All lines but an incomplete last one."""
        is_same, is_first, torn = True, True, b""
        try:
            with open_file(path) as file:
                is_same = self._file is None or os.path.samestat(os.fstat(file.fileno()), self._facts())
                while is_same and (line := file.readline(LONGEST_LINE)):
                    if not line.endswith(b"\n") and len(line) < LONGEST_LINE:
                        torn = line
                        break
                    is_first = False
                    yield line
        except UnreadableError as error:
            raise JournalError(str(error)) from None
        if not is_same:
            self._give_up(path, b"")
        if is_first and not _line(self._head).startswith(torn):
            raise self._other_kind(path)

    def _write(self, path: Path, *entries: Any) -> None:
        assert self._file is not None
        data = b"".join(map(_line, entries))
        if not self._is_still_there(path):
            self._give_up(path, data)
        try:
            self._put(data)
        except OSError:
            with suppress(OSError):
                self._file.truncate(self._length)
            raise
        self._length += len(data)

    def _put(self, data: bytes) -> None:
        assert self._file is not None
        left = memoryview(data)
        while left:  # a nearly full disk accepts only a part
            left = left[self._file.write(left) or 0 :]
        os.fsync(self._file.fileno())

    def _facts(self) -> os.stat_result:
        assert self._file is not None
        return os.fstat(self._file.fileno())

    def _is_still_there(self, path: Path) -> bool:
        """Whether *path* is still the file that was opened, with unchanged length."""
        facts = self._facts()
        try:
            return os.path.samestat(facts, path.stat()) and facts.st_size == self._length
        except OSError:
            return False

    def _give_up(self, path: Path, data: bytes) -> NoReturn:
        """Write *data* to the open file; if that was deleted, copy all of it to a new file in the folder of *path*."""
        assert self._file is not None
        kept: str = say("the original file, which may have been moved")
        with suppress(OSError):
            if self._facts().st_size == self._length:
                self._put(data)
            if not self._facts().st_nlink:
                self._file.seek(0)
                beside = path.with_name(f"{path.name}.saved-{os.getpid()}")
                with beside.open("xb") as copy:
                    copy.write(self._file.readall() or b"")
                kept = quoted_path(beside)
        raise JournalError.saying(
            "{file} was replaced or changed by another program; all results so far are in {kept}.",
            file=quoted_path(path),
            kept=kept,
        )

    def _other_kind(self, path: Path) -> JournalError:
        name = quoted_path(path)
        return JournalError.saying("{file} is not a file of this kind: {kind}.", file=name, kind=self._form.kind)

    def _damage(self, error: DamageError) -> JournalError:
        file = quoted_path(self._path or Path())
        return JournalError.saying(
            "Line {line} of {file} is damaged: {fault}.", line=error.line, file=file, fault=error.fault
        )


def differences(plan: Mapping[str, Any], other: Any) -> list[str]:
    """The names of the fields in which *plan* and the JSON data *other* differ."""
    others = other if isinstance(other, dict) else {}
    return sorted(what for what in {*plan, *others} if plan.get(what) != others.get(what))


class Kept(NamedTuple):
    """A saved journal, as read by a report."""

    kind: str
    version: int
    plan: Entry
    lines: list[bytes]
    """The entries, without an incomplete last line."""


def read_journal(content: bytes) -> Kept | None:
    """The journal in *content*; None if it is not one."""
    head, *lines = content.split(b"\n")[:-1] or [b""]
    try:
        found = parsed(head)
    except FaultError:
        return None
    kind, version, plan = (found.get(name) for name in ("kind", "version", "plan"))
    if not (isinstance(kind, str) and isinstance(version, int) and isinstance(plan, dict)):
        return None
    return Kept(kind, version, plan, lines)


def _line(entry: Any) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"), default=_fields).encode() + b"\n"


def _fields(entry: Any) -> dict[str, Any]:
    return msgspec.structs.asdict(entry) if isinstance(entry, msgspec.Struct) else vars(entry)
