"""A journal: what has been found so far, line by line in a file, so that a command that was killed can go on.

The first line says what the journal is of: a kind and a version of its form, and the plan that is carried out. Each
further line is one finding as JSON, on the disk before the next is begun. A kill leaves half a line at most, which
the next opening for writing takes away. One process at a time writes; opening for reading changes nothing.
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

from papan.game.base.foreign import UnreadableError, open_file, quoted, quoted_path, shortened
from papan.game.base.sentences import say
from papan.game.base.typed import FaultError, converted, parsed
from papan.lab.files import check_kind, only_writer, unwritable

LONGEST_LINE = 1 << 24
"""Bytes; no entry has so many."""

Entry = Mapping[str, Any]

P = TypeVar("P")
E = TypeVar("E")

_OWNER_ONLY = 0o600


class JournalError(ValueError):
    """A file can't be the journal; the message is a sentence that says why."""


def _no_faults(plan: Any) -> Callable[[Any], None]:
    return lambda entry: None


@dataclass(frozen=True)
class Form(Generic[P, E]):
    """What the journals of one kind hold."""

    kind: str
    """In a few words."""
    version: int
    """Changes with the form of the lines."""
    plan: type[P]
    """The plan of the first line, as ``msgspec`` reads it."""
    entry: type[E]
    """Each further line."""
    others: Mapping[str, type[E]] = field(default_factory=dict)
    """Other types of entries, by the name that only these have."""
    checks: Callable[[P], Callable[[E], None]] = _no_faults
    """From the plan, what is given the entries one after the other; both raise ``FaultError`` where types don't tell
    that something can't be."""
    passes_over_damage: bool = False
    """Whether lines that make no sense are left out, where all that they could say can be found again; otherwise they
    are refused."""

    def read_plan(self, data: Any) -> P:
        """The plan that *data* is, as JSON has it.

        :raises DamageError: it can't be.
        """
        try:
            return converted(data, self.plan)
        except FaultError as error:
            raise DamageError(1, str(error)) from None

    def read(self, plan: P, lines: Iterable[bytes], plain: Callable[[Any], Any] = lambda data: data) -> Iterator[E]:
        """The entries of *lines*, without those that are damaged and passed over.

        :param plain: what is done to the JSON of each before it is looked at.
        :raises DamageError: a line is damaged, and not to be passed over.
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
    """What has been found of one plan: in the file *path*, or, without one, for as long as the program runs."""

    def __init__(self, path: Path | None, form: Form[P, E], plan: Entry, *, only_reads: bool = False) -> None:
        """Begin a journal, or go on with that in the file.

        :param plan: what JSON can hold.
        :param only_reads: leave the file alone, missing or not; another process may write it meanwhile.
        :raises JournalError: the file is none of this form and plan, or damaged; it stays as it is.
        :raises OutputError: the file can't be written, or another Papan is writing it.
        """
        self._path, self._form, self._length = path, form, 0
        self._file: io.FileIO | None = None
        self._remembered: list[bytes] = []
        self._head = {"kind": form.kind, "version": form.version, "plan": json.loads(json.dumps(plan))}
        self._plan = form.read_plan(self._head["plan"])
        with ExitStack() as held:
            if path is not None and not only_reads:
                self._begin(path, held)
            elif path is not None and os.path.exists(path):  # noqa: PTH110 - also where nobody may look
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
                self._file.truncate(self._length)  # of a last line that a kill has torn nothing is left
            if not self._length:
                self._write(path, self._head)
        except OSError as error:
            raise unwritable(path, error) from None

    def add(self, *entries: Entry) -> None:
        """Write *entries* down; once this returns, they stay.

        :raises JournalError: another file has taken the place of the one that was opened.
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
        """All that has been found, those of earlier runs first; one by one, for there may be many.

        :raises JournalError: the file is damaged, or can't be read.
        """
        lines = self._whole_lines(self._path) if self._path is not None and self._length else iter(())
        next(lines, None)
        try:
            yield from self._form.read(self._plan, self._remembered if self._path is None else lines)
        except DamageError as error:
            raise self._damage(error) from None

    def close(self) -> None:
        """Leave the file as it is, and others to write it."""
        self._held.close()

    def remove(self) -> None:
        """Delete the file, and close it."""
        with self._held:
            if self._path is not None and self._file is not None and self._is_still_there(self._path):
                self._file.close()  # Windows deletes no open file
                self._path.unlink(missing_ok=True)

    def _check(self, path: Path) -> int:
        """The length of all whole lines, 0 where the file is still to be begun.

        :raises JournalError: they are no journal that begins with the head, or damaged.
        """
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
        """:raises JournalError: the journal that begins with *line* is not the one that begins with the head.
        :raises DamageError: its plan can't be.
        """
        name, kind, version = quoted_path(path), self._head["kind"], self._head["version"]
        try:
            found = parsed(line)
        except FaultError:
            found = {}
        if found.get("kind") != kind:
            raise self._other_kind(path)
        if found.get("version") != version:
            raise JournalError(
                say(
                    "{file} ({kind}) has version {other}, but this program writes version {version}: name another "
                    "file.",
                    file=name,
                    kind=kind,
                    other=shortened(str(found.get("version"))),
                    version=version,
                )
            )
        for more in found.keys() - self._head:
            raise DamageError(1, say("{fact} is an unknown field", fact=quoted(more)))
        plan, other = self._head["plan"], found.get("plan")
        others = other if isinstance(other, dict) else {}
        differing = sorted(what for what in {*plan, *others} if plan.get(what) != others.get(what))
        try:
            self._form.read_plan(other)
        except DamageError:
            if not set(plan) - set(others):  # of another version of the program, where it lacks something
                raise
        if plan != other:
            raise JournalError(
                say(
                    "{file} ({kind}) belongs to a run with other settings ({differing}): use the same settings, or "
                    "name another file.",
                    file=name,
                    kind=kind,
                    differing=", ".join(map(shortened, differing)) or say("all of them"),
                )
            )

    def _whole_lines(self, path: Path) -> Iterator[bytes]:
        """All lines but a last one that is torn.

        :raises JournalError: the file can't be read, or begins with half a line that is not of the head.
        """
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

    def _write(self, path: Path, *entries: Entry) -> None:
        """Write all of *entries*, or nothing."""
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
        while left:  # a disk that is nearly full takes a part
            left = left[self._file.write(left) or 0 :]
        os.fsync(self._file.fileno())

    def _facts(self) -> os.stat_result:
        assert self._file is not None
        return os.fstat(self._file.fileno())

    def _is_still_there(self, path: Path) -> bool:
        """Whether *path* is the file that was opened, and as long as it was left."""
        facts = self._facts()
        try:
            return os.path.samestat(facts, path.stat()) and facts.st_size == self._length
        except OSError:
            return False

    def _give_up(self, path: Path, data: bytes) -> NoReturn:
        """Write *data* to the file that was opened and, where that has no name any more, all of it beside *path*.

        :raises JournalError: always; it says where everything is.
        """
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
        raise JournalError(
            say(
                "{file} was replaced or changed by another program; all results so far are in {kept}.",
                file=quoted_path(path),
                kept=kept,
            )
        )

    def _other_kind(self, path: Path) -> JournalError:
        name = quoted_path(path)
        return JournalError(say("{file} is not a file of this kind: {kind}.", file=name, kind=self._form.kind))

    def _damage(self, error: DamageError) -> JournalError:
        return JournalError(
            say(
                "Line {line} of {file} is damaged: {fault}.",
                line=error.line,
                file=quoted_path(self._path or Path()),
                fault=error.fault,
            )
        )


class Kept(NamedTuple):
    """A journal that was kept, as somebody reads it who does not go on with it."""

    kind: str
    version: int
    plan: Entry
    lines: list[bytes]
    """The findings; half a line at the end is left out."""


def read_journal(content: bytes) -> Kept | None:
    """The journal with that *content*; None where it is none."""
    head, *lines = content.split(b"\n")[:-1] or [b""]
    try:
        found = parsed(head)
    except FaultError:
        return None
    kind, version, plan = (found.get(name) for name in ("kind", "version", "plan"))
    if not (isinstance(kind, str) and isinstance(version, int) and isinstance(plan, dict)):
        return None
    return Kept(kind, version, plan, lines)


def _line(entry: Entry) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
