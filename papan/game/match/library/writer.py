"""The one writer of the program to the library: what is to be written, what others write, and what to do on failure.

``WriteQueue.work`` does what there is to do, without waiting for more; ``LibraryWriter`` calls it in a thread. Nothing
that is to be written is given up: what failed is tried again after a while, and of each match only the newest state
waits, so a disk that stays full costs no memory.
"""

from __future__ import annotations

import errno
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from papan.game.base.copies import is_sound
from papan.game.base.database import Opened, delete_database, is_kept, rewrite_file, taken_away_notice
from papan.game.base.recovery import COMPANIONS, WRITTEN, Files
from papan.game.base.sentences import say
from papan.game.base.sqlite import DATABASE_ERRORS, code_of, in_words
from papan.game.match import Match
from papan.game.match.library.reader import BadRow, LibraryError, Stored, replay
from papan.game.match.library.saved_match import SavedMatch, Variation
from papan.game.match.library.schema import default_path, open_library
from papan.game.match.library.snapshot import Origin, SnapshotBuilder
from papan.game.match.library.store import LeaseLost, MatchGone, NewMatch, Store
from papan.game.match.library.writer_lock import new_name

log = logging.getLogger(__name__)


FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before what has failed is tried again: each time twice as long."""
HEARTBEAT_SECONDS = 5.0
WATCHING_SECONDS = 0.5
COUNTING_SECONDS = 0.02
"""Between two matches of an older version whose turns are counted."""
_BUSY_MILLISECONDS = 500
"""How long one statement waits for another program, before that is said and tried again."""
_TRANSIENT = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
"""Errors after which the connection is as good as before."""
_GONE = say("The match is not in the library any more.")
_PLAYED_ELSEWHERE = say("The match is being played in another window, and stays in the library.")


class _NoFile(Exception):
    """The library's file can't be used; the message says why."""


@dataclass
class _Care:
    """What the queue remembers of a match."""

    was_tried: bool = False
    """Whether its first storing has been tried."""
    renewed_at: float = 0.0
    version: int = -1
    """The version of the file's data that was looked at last."""
    seen: Stored | None = None


class WriteQueue:
    """What this program is to write to one library; ``work`` does it."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        open_file: Callable[[Path], Opened] = open_library,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """
        :param open_file: opens the library's file; its connection belongs to the thread that calls ``work``.
        :param tell: called in that thread with a sentence for the person, once the file has been opened in an
            unusual way.
        """
        self.path = path or default_path()
        self.name = new_name()
        """The name of this program's presence."""
        self.changes = 0
        """Goes up with every change of what the library's lists show."""
        self._open_file = open_file
        self._tell = tell
        self._store: Store | None = None
        self._files = Files.at(self.path)
        self._lock = threading.Lock()  # held for a few assignments, never while the file is used
        self._matches: dict[SavedMatch, _Care] = {}
        self._drops: list[int] = []
        self._orders: list[Callable[[Store], object]] = []
        self._deleted: set[int] = set()
        self._has_uncounted = True
        self._uncountable: set[int] = set()
        self._pause = 0.0
        self._trouble = ""

    # ----------------------------------------------------------------------------- from the window

    def begin(self, match: Match, origin: Origin | None = None) -> SavedMatch:
        """Keep a new match, once it is opened.

        :param origin: where it comes from, if it branches off from another match of the library.
        """
        return SavedMatch(match, self.wake, origin=origin)

    def resume(self, match: Match, stored: Stored, *, is_taken: bool) -> SavedMatch:
        """Keep a match of the library on, once it is opened, which was read as *stored*.

        :param is_taken: it is played by another program, and only to be watched.
        """
        return SavedMatch(match, self.wake, stored, "watching" if is_taken else "playing")

    def find_file(self) -> None:
        """Open the file, and try until that can be done, although there is nothing to write yet."""
        self._stir()

    def drop(self, match_id: int) -> None:
        """Delete a match, unless another program plays it."""
        with self._lock:
            self._drops.append(match_id)
        self._stir()

    def rename(self, match_id: int, name: str) -> None:
        """Give a match a name of its own; "" takes it away."""
        self._order(lambda store: store.rename(match_id, name))

    def add(self, matches: Sequence[NewMatch], done: Callable[[Sequence[int]], object] = lambda _: None) -> None:
        """Take *matches* into the library, as a whole.

        :param done: called with their numbers in the thread that works, once they are in the file.
        """
        self._order(lambda store: done(store.add(matches)))

    def delete(self, match_ids: Iterable[int]) -> None:
        """Delete matches, but those that another program plays, until that is taken back or the program ends."""
        numbers = list(match_ids)
        self._deleted.update(numbers)

        def delete(store: Store) -> None:
            kept = store.delete(numbers)
            self._deleted.difference_update(kept)
            if kept:
                self._tell(_PLAYED_ELSEWHERE)

        self._order(delete)

    def restore(self, match_ids: Iterable[int]) -> None:
        numbers = list(match_ids)
        self._deleted.difference_update(numbers)
        self._order(lambda store: store.restore(numbers))

    @property
    def deleted(self) -> frozenset[int]:
        """The numbers of the matches that this program has deleted, and that are not gone for good yet."""
        return frozenset(self._deleted.copy())

    def _order(self, do: Callable[[Store], object]) -> None:
        """Have *do* done to the file, after all that was asked for before."""
        with self._lock:
            self._orders.append(do)
        self._stir()

    def abandon(self, kept: SavedMatch) -> None:
        """Forget a match of which something is still to be written."""
        with self._lock:
            self._matches.pop(kept, None)
        if kept.held is not None:
            self.drop(kept.held.id)

    @property
    def dropped(self) -> tuple[int, ...]:
        with self._lock:
            return tuple(self._drops)

    @property
    def unsaved(self) -> list[SavedMatch]:
        """The matches of which something is still to be written, the one that waits longest first."""
        with self._lock:
            waiting = [kept for kept in self._matches if kept.is_waiting and not kept.is_untouched]
        return sorted(waiting, key=lambda kept: kept.standing.waiting_since or 0.0)

    @property
    def is_idle(self) -> bool:
        with self._lock:
            return not (self._drops or self._orders) and not any(
                kept.is_waiting or kept.is_closed or kept.wants_to_play for kept in self._matches
            )

    def wake(self, kept: SavedMatch) -> None:
        with self._lock:
            self._matches.setdefault(kept, _Care())
        self._stir()

    def _stir(self) -> None:
        """Have ``work`` called soon."""

    # ------------------------------------------------------------------------------------ the work

    def work(self) -> float:
        """Do what there is to do; returns the seconds until more is due."""
        try:
            store = self._opened()
        except (*DATABASE_ERRORS, OSError, _NoFile) as error:
            for kept, _care in self._kept():
                kept.failed(_reason(error))
            return self._failed(error)
        failure: Exception | None = None
        for kept, care in self._kept():
            try:
                self._serve(store, kept, care)
            except (*DATABASE_ERRORS, OSError) as error:
                kept.failed(_reason(error))
                failure = error
        try:
            self._drop(store)
            self._carry_out(store)
            if failure is None and self._has_uncounted:
                self._count_turns(store)
            self._opened()  # what was done is done to the file that lies there
        except (*DATABASE_ERRORS, OSError, _NoFile) as error:
            failure = failure or error
        if failure is not None:
            return self._failed(failure)
        self._pause, self._trouble = 0.0, ""
        return self._rest()

    def end(self) -> None:
        """Forget for good what was deleted, and let go of the file; in the thread that calls ``work``."""
        if self._is_taken_away:
            try:
                self._opened()
            except (*DATABASE_ERRORS, OSError, _NoFile):
                log.exception("What was kept in the library's file could not be written anew")
        if self._store is not None and self._deleted:
            try:
                self._store.forget_deleted(self._deleted)
            except DATABASE_ERRORS:
                log.info("What was deleted is forgotten another time.", exc_info=True)
        self.shut()

    def shut(self) -> None:
        """Close the file; in the thread that calls ``work``."""
        if self._store is not None:
            WRITTEN.discard((self.path, self._files))
            self._store.close()
            self._store = None

    @property
    def _is_taken_away(self) -> bool:
        """Whether the open file does not lie at its path any more."""
        return self._store is not None and not self._files.are_at(self.path)

    def _opened(self) -> Store:
        if self._store is not None and self._is_taken_away:
            self._write_anew(self._store)
        if self._store is None:
            self._store = self._open()
            self._store.forget_the_dead()
            self._store.forget_deleted()
            if self._trouble:
                self.changes += 1  # what is in it could not be seen until now
        return self._store

    def _open(self) -> Store:
        """The file that lies at the path.

        :raises _NoFile: it can't be used.
        """
        connection, notice = self._open_file(self.path)
        if not is_kept(connection):
            connection.close()
            raise _NoFile(notice)
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        self._use(Files.at(self.path))
        for _kept, care in self._kept():
            care.version = -1
        if notice is not None:
            self._tell(notice)
        return Store(self.path, connection, self.name)

    def _use(self, files: Files) -> None:
        WRITTEN.discard((self.path, self._files))
        self._files = files
        WRITTEN.add((self.path, files))

    def _write_anew(self, old: Store) -> None:
        """Have what *old* keeps, whose files were taken away, in a file at the path, also where another lies there.

        Until that is done *old* stays open: nothing else has it all.
        """
        if not self._trouble:  # said once, however often it is tried
            log.warning("The library's files are other ones now, or gone.")
        was = self._files
        for kept, _care in self._kept():
            kept.doubt()
        if not _can_be_read(old):  # with the disk, say; what is open is in memory, too
            self.shut()
            return
        aside = rewrite_file(self.path, old.connection, was)
        old.leave()
        try:
            store = self._open()
        except BaseException:
            self._use(was)
            raise
        try:
            moved = store.bring(old.connection)
        except BaseException:
            store.close()
            self._use(was)
            raise
        for kept, care in self._kept():
            care.renewed_at = -HEARTBEAT_SECONDS
            kept.has_moved(moved)
        self._store = store
        old.close()
        if aside is not None:
            _bring_from(aside, store)
        self.changes += 1
        self._tell(taken_away_notice(self.path))

    def _failed(self, error: Exception) -> float:
        """Prepare for another attempt; returns the seconds until then."""
        self._pause = min(max(2 * self._pause, FIRST_PAUSE), LONGEST_PAUSE)
        if str(error) != self._trouble:  # said once, however often it is tried
            self._trouble = str(error)
            log.warning("The library can't be used, and is tried again: %s", error)
        if code_of(error) not in _TRANSIENT and not self._is_taken_away:
            try:
                self.shut()
            except sqlite3.Error:
                self._store = None
        return self._pause

    def _rest(self) -> float:
        if any(kept.role == "watching" for kept, _care in self._kept()):
            return WATCHING_SECONDS
        if self._has_uncounted:
            return COUNTING_SECONDS
        return HEARTBEAT_SECONDS

    def _kept(self) -> list[tuple[SavedMatch, _Care]]:
        with self._lock:
            return list(self._matches.items())

    def _forget(self, kept: SavedMatch) -> None:
        with self._lock:
            if kept.is_closed:  # it may have been opened again just now
                self._matches.pop(kept, None)

    def _drop(self, store: Store) -> None:
        for match_id in self.dropped:
            if not store.drop(match_id):
                self._tell(_PLAYED_ELSEWHERE)
            with self._lock:
                self._drops.remove(match_id)
            self.changes += 1

    def _carry_out(self, store: Store) -> None:
        """Do what a person has ordered, in that order.

        To lists it is one change: what is taken back before it was done is never seen to go.
        """
        done = 0
        try:
            while self._orders:
                self._orders[0](store)
                with self._lock:
                    del self._orders[0]
                done += 1
        finally:
            self.changes += bool(done)

    def _count_turns(self, store: Store) -> None:
        """Count the turns of one match that an older version has kept."""
        number = store.uncounted(self._uncountable)
        if number is None:
            self._has_uncounted = False
            return
        try:
            stored = store.look(number)
            store.count_turns(number, stored.revision, SnapshotBuilder(replay(stored)).snapshot().turns)
            self.changes += 1
        except (MatchGone, BadRow, LibraryError) as error:
            log.info("The turns of match %d can't be counted: %s", number, error)
            self._uncountable.add(number)

    def _serve(self, store: Store, kept: SavedMatch, care: _Care) -> None:
        if kept.role == "watching":
            self._watch(store, kept, care)
            return
        if kept.is_closed and kept.is_untouched:
            self._discard(store, kept)
            return
        try:
            self._write(store, kept, care)
        except MatchGone:  # the file was damaged and replaced, or the match dropped by another program
            kept.begin_anew()
            self._write(store, kept, care)
        except LeaseLost:
            log.info("The match is played by another program now.")
            kept.lost()
            self._watch(store, kept, care)
            return
        if kept.is_closed and kept.is_untouched:  # it was left while it was being written
            self._discard(store, kept)
        elif kept.is_closed and kept.held is not None and not kept.is_waiting:
            store.release(kept.held)
            kept.is_claimed = False
            self._forget(kept)

    def _discard(self, store: Store, kept: SavedMatch) -> None:
        """Delete a match without steps, or an abandoned one."""
        if kept.held is not None:
            store.discard(kept.held)
            self.changes += 1
        self._forget(kept)

    def _write(self, store: Store, kept: SavedMatch, care: _Care) -> None:
        """Become the match's writer, write what is wanted, or say that it is still played here.

        :raises LeaseLost: another program writes it now.
        :raises MatchGone: it is not in the file any more.
        """
        if kept.held is not None and not kept.is_claimed:
            kept.held = store.claim(kept.held)
            kept.is_claimed = True
        snapshot, now = kept.wanted, time.monotonic()
        if snapshot is None:
            if kept.held is not None and now - care.renewed_at >= HEARTBEAT_SECONDS:
                store.renew(kept.held)
                care.renewed_at = now
            return
        lines = kept.lines.due
        new_lines = _new_lines(kept, lines)
        if kept.held is None:
            others = [other.held.id for other, _care in self._kept() if other.held is not None]
            unless_begun = others if care.was_tried else None
            care.was_tried = True
            held = store.begin(kept.facts, snapshot, unless_begun, new_lines)
        else:
            held = store.save(kept.held, snapshot, new_lines)
        if self._is_taken_away:
            raise FileNotFoundError(errno.ENOENT, say("another program deleted, moved or replaced its file"))
        kept.lines.written(lines)
        kept.written(snapshot, held)
        care.was_tried, care.renewed_at = False, now
        self.changes += 1

    def _watch(self, store: Store, kept: SavedMatch, care: _Care) -> None:
        """Follow a match that another program plays, or take it over."""
        if kept.is_closed or kept.held is None:
            self._forget(kept)
            return
        try:
            if kept.wants_to_play:
                held, stored = store.take_over(kept.held.id)
                care.seen, care.version = None, -1
                kept.taken_over(stored, held)
                return
            self._look(store, kept, kept.held.id, care)
        except MatchGone:
            if kept.wants_to_play:
                kept.begin_anew()
                self._write(store, kept, care)
            else:
                kept.failed(_GONE)
        except BadRow as error:
            kept.wants_to_play = False
            kept.failed(say("The match can't be read: {error}.", error=str(error)))

    def _look(self, store: Store, kept: SavedMatch, match_id: int, care: _Care) -> None:
        version, news = store.data_version(), None
        if version != care.version or care.seen is None:
            stored = store.look(match_id)
            if care.seen is None or stored.revision != care.seen.revision:
                news = stored
            care.seen, care.version = stored, version
        kept.show(news, store.is_elsewhere(care.seen.writer, care.seen.heartbeat))


def _new_lines(kept: SavedMatch, lines: Sequence[Variation]) -> list[NewMatch]:
    """The variations *lines* of a match as they come into the library."""
    found = [(line.common, line.snapshot()) for line in lines]
    facts = kept.facts
    return [NewMatch(facts._replace(origin=Origin(0, at)), said) for at, said in found if said is not None]


def _can_be_read(store: Store) -> bool:
    try:
        return is_sound(store.connection)
    except DATABASE_ERRORS:
        log.warning("What was kept in the library's file can't be read any more", exc_info=True)
        return False


def _bring_from(aside: Path, store: Store) -> None:
    """Take in what another program has kept in the file *aside* since its log was deleted, and delete it."""
    try:
        log_of_another = aside.with_name(aside.name + COMPANIONS[0])
        if not (aside.exists() and log_of_another.exists() and log_of_another.stat().st_size):
            delete_database(aside)
            return
        with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
            if is_sound(connection):
                store.bring(connection)
    except (*DATABASE_ERRORS, OSError):
        log.warning("The file %s stays: it can't be read", aside, exc_info=True)
    else:
        delete_database(aside)


def _reason(error: Exception) -> str:
    """What went wrong, as a sentence for a person."""
    return (
        str(error)
        if isinstance(error, _NoFile)
        else say("The library can't be written: {reason}.", reason=in_words(error))
    )


class LibraryWriter(WriteQueue):
    """A ``WriteQueue`` worked off by a thread, which starts when there is something to do for the first time.

    Only ``flush`` and ``close`` keep the caller waiting.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        open_file: Callable[[Path], Opened] = open_library,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(path, open_file=open_file, tell=tell)
        self._news = threading.Condition()  # held for a few assignments, never while the file is used
        self._is_stirred = False
        self._is_ending = False
        self._thread: threading.Thread | None = None

    def flush(self, patience: float) -> bool:
        """Wait at most *patience* seconds until all is done that was asked for; returns whether it is."""
        deadline = time.monotonic() + patience
        with self._news:
            while not self.is_idle and self._thread is not None and self._thread.is_alive():
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._news.wait(left)
        return self.is_idle

    def close(self, patience: float) -> bool:
        """End the thread, after at most *patience* seconds for what is not done; returns whether it has ended."""
        deadline = time.monotonic() + patience
        self.flush(patience)
        with self._news:
            self._is_ending = True
            self._news.notify_all()
        if self._thread is None:
            return True
        self._thread.join(max(0.0, deadline - time.monotonic()) + patience)
        return not self._thread.is_alive()

    def _stir(self) -> None:
        with self._news:
            self._is_stirred = True
            if self._thread is None and not self._is_ending:
                self._thread = threading.Thread(target=self._run, name="library", daemon=True)
                self._thread.start()
            self._news.notify_all()

    def _run(self) -> None:
        rest: float | None = None
        while True:
            with self._news:
                if not self._is_stirred and not self._is_ending:
                    self._news.wait(rest)
                if self._is_ending:
                    break
                self._is_stirred = False
            rest = self._attempt()
            with self._news:
                self._news.notify_all()
        try:
            self.end()
        except Exception:
            log.exception("Closing the library went wrong")

    def _attempt(self) -> float:
        """Work; a mistake of the program must not end the thread, for then nothing would be kept any more."""
        try:
            return self.work()
        except Exception:
            log.exception("Keeping the matches went wrong")
            return LONGEST_PAUSE
