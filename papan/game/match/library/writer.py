"""Write to the library, follow what other programs write, and retry after failures.

``WriteQueue.work`` does everything that is due; ``LibraryWriter`` calls it in a thread. Failed writes are retried until
they succeed. Only the newest state of each match is queued, so a full disk costs no memory.
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

from papan.game.base import database
from papan.game.base.sentences import say
from papan.game.base.sqlite import DATABASE_ERRORS, code_of, in_words, is_sound
from papan.game.match import Match
from papan.game.match.library.reader import BadRow, LibraryError, Stored, replay
from papan.game.match.library.saved_match import SavedMatch
from papan.game.match.library.schema import default_path, open_library
from papan.game.match.library.snapshot import Origin, SnapshotBuilder
from papan.game.match.library.store import LeaseLost, MatchGone, NewMatch, Store
from papan.game.match.library.writer_lock import new_name

log = logging.getLogger(__name__)


FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""Seconds before a retry; doubled each time."""
HEARTBEAT_SECONDS = 5.0
WATCHING_SECONDS = 0.5
COUNTING_SECONDS = 0.02
"""Pause between two old matches whose turns are counted."""
_BUSY_MILLISECONDS = 500
"""How long a statement waits for another program before the failure is shown and retried."""
_TRANSIENT = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
"""Errors after which the connection stays usable."""
_GONE = say("The match is not in the library any more.")
_PLAYED_ELSEWHERE = say("The match is being played in another window, and stays in the library.")


class _NoFile(Exception):
    """The library's file can't be used; the message says why."""


@dataclass
class _WriteState:
    """The queue's state of a match."""

    was_tried: bool = False
    """Whether storing it for the first time was tried."""
    renewed_at: float = 0.0
    version: int = -1
    """The ``data_version`` of the last look."""
    seen: Stored | None = None


class WriteQueue:
    """The queue of writes to one library; ``work`` does them."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        open_file: Callable[[Path], database.Opened] = open_library,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        """
        :param open_file: opens the library; its connection belongs to the thread that calls ``work``.
        :param tell: called in that thread with notices for the user.
        """
        self.path = path or default_path()
        self.name = new_name()
        """The unique name of this program."""
        self.changes = 0
        """Incremented with every change of the library's lists."""
        self._open_file = open_file
        self._tell = tell
        self._store: Store | None = None
        self._files = database.Files.at(self.path)
        self._lock = threading.Lock()  # held for a few assignments, never during file access
        self._matches: dict[SavedMatch, _WriteState] = {}
        self._drops: list[int] = []
        self._orders: list[Callable[[Store], object]] = []
        self._deleted: set[int] = set()
        self._has_uncounted = True
        self._uncountable: set[int] = set()
        self._pause = 0.0
        self._error = ""

    # ----------------------------------------------------------------------------- from the window

    def begin(self, match: Match, origin: Origin | None = None) -> SavedMatch:
        """Save a new match after its ``open``.

        :param origin: the match that it branches off from.
        """
        return SavedMatch(match, self.wake, origin=origin)

    def resume(self, match: Match, stored: Stored, *, is_taken: bool) -> SavedMatch:
        """Save a match of the library, read as *stored*, after its ``open``.

        :param is_taken: another program plays it, so it is only watched.
        """
        return SavedMatch(match, self.wake, stored, "watching" if is_taken else "playing")

    def find_file(self) -> None:
        """Open the file, with retries, although there is nothing to write yet."""
        self._notify()

    def drop(self, match_id: int) -> None:
        """Delete a match for good, unless another program plays it."""
        with self._lock:
            self._drops.append(match_id)
        self._notify()

    def rename(self, match_id: int, name: str) -> None:
        """Set the name of a match; "" for none."""
        self._order(lambda store: store.rename(match_id, name))

    def add(self, matches: Sequence[NewMatch], done: Callable[[Sequence[int]], object] = lambda _: None) -> None:
        """Add *matches*, all or none.

        :param done: called with their numbers in the writer's thread once they are in the file.
        """
        self._order(lambda store: done(store.add(matches)))

    def delete(self, match_ids: Iterable[int]) -> None:
        """Delete matches that no other program plays; ``restore`` undoes it until the program ends."""
        numbers = list(match_ids)
        self._deleted.update(numbers)

        def delete(store: Store) -> None:
            refused = store.delete(numbers)
            self._deleted.difference_update(refused)
            if refused:
                self._tell(_PLAYED_ELSEWHERE)

        self._order(delete)

    def restore(self, match_ids: Iterable[int]) -> None:
        numbers = list(match_ids)
        self._deleted.difference_update(numbers)
        self._order(lambda store: store.restore(numbers))

    @property
    def deleted(self) -> frozenset[int]:
        """The numbers of matches that this program deleted and can restore."""
        return frozenset(self._deleted.copy())

    def _order(self, do: Callable[[Store], object]) -> None:
        """Queue *do* after all earlier orders."""
        with self._lock:
            self._orders.append(do)
        self._notify()

    def abandon(self, saved: SavedMatch) -> None:
        """Drop a match with its unsaved changes."""
        with self._lock:
            self._matches.pop(saved, None)
        if saved.held is not None:
            self.drop(saved.held.id)

    @property
    def dropped(self) -> tuple[int, ...]:
        with self._lock:
            return tuple(self._drops)

    @property
    def unsaved(self) -> list[SavedMatch]:
        """The matches with unsaved changes, the longest waiting first."""
        with self._lock:
            waiting = [saved for saved in self._matches if saved.is_waiting and not saved.is_untouched]
        return sorted(waiting, key=lambda saved: saved.standing.waiting_since or 0.0)

    @property
    def is_idle(self) -> bool:
        with self._lock:
            return not (self._drops or self._orders) and not any(
                saved.is_waiting or saved.is_closed or saved.wants_to_play for saved in self._matches
            )

    def wake(self, saved: SavedMatch) -> None:
        with self._lock:
            self._matches.setdefault(saved, _WriteState())
        self._notify()

    def _notify(self) -> None:
        """Call ``work`` soon; overridden."""

    # ------------------------------------------------------------------------------------ the work

    def work(self) -> float:
        """Do everything that is due; returns the seconds until more is due."""
        try:
            store = self._opened()
        except (*DATABASE_ERRORS, OSError, _NoFile) as error:
            for saved, _state in self._entries():
                saved.failed(_reason(error))
            return self._failed(error)
        failure: Exception | None = None
        for saved, state in self._entries():
            try:
                self._serve(store, saved, state)
            except (*DATABASE_ERRORS, OSError) as error:
                saved.failed(_reason(error))
                failure = error
        try:
            self._drop(store)
            self._carry_out(store)
            if failure is None and self._has_uncounted:
                self._count_turns(store)
            self._opened()  # the file may have been replaced meanwhile
        except (*DATABASE_ERRORS, OSError, _NoFile) as error:
            failure = failure or error
        if failure is not None:
            return self._failed(failure)
        self._pause, self._error = 0.0, ""
        return self._rest()

    def end(self) -> None:
        """Purge deleted matches and close the file; in the thread that calls ``work``."""
        if self._is_taken_away:
            try:
                self._opened()
            except (*DATABASE_ERRORS, OSError, _NoFile):
                log.exception("What was saved in the library's file could not be written anew")
        if self._store is not None and self._deleted:
            try:
                self._store.forget_deleted(self._deleted)
            except DATABASE_ERRORS:
                log.info("What was deleted is forgotten another time.", exc_info=True)
        self.shut()

    def shut(self) -> None:
        """Close the file; in the thread that calls ``work``."""
        if self._store is not None:
            database.WRITTEN.discard((self.path, self._files))
            self._store.close()
            self._store = None

    @property
    def _is_taken_away(self) -> bool:
        """Whether the open file is not at its path any more."""
        return self._store is not None and not self._files.are_at(self.path)

    def _opened(self) -> Store:
        if self._store is not None and self._is_taken_away:
            self._write_anew(self._store)
        if self._store is None:
            self._store = self._open()
            self._store.forget_the_dead()
            self._store.forget_deleted()
            if self._error:
                self.changes += 1  # it could not be read before
        return self._store

    def _open(self) -> Store:
        """Open the file at the path; raises _NoFile if it can't be used."""
        connection, notice = self._open_file(self.path)
        if not database.is_kept(connection):
            connection.close()
            raise _NoFile(notice)
        connection.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        self._use(database.Files.at(self.path))
        for _kept, state in self._entries():
            state.version = -1
        if notice is not None:
            self._tell(notice)
        return Store(self.path, connection, self.name)

    def _use(self, files: database.Files) -> None:
        database.WRITTEN.discard((self.path, self._files))
        self._files = files
        database.WRITTEN.add((self.path, files))

    def _write_anew(self, old: Store) -> None:
        """Write the content of *old*, whose files were taken away, to the path, merged with any file there.

        *old* stays open until that is done, as nothing else has everything.
        """
        if not self._error:  # logged once
            log.warning("The library's files were replaced or deleted.")
        was = self._files
        for saved, _state in self._entries():
            saved.mark_unsaved()
        if not _can_be_read(old):  # for example after the disk is gone; open matches are also in memory
            self.shut()
            return
        aside = database.rewrite_file(self.path, old.connection, was)
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
        for saved, state in self._entries():
            state.renewed_at = -HEARTBEAT_SECONDS
            saved.renumber(moved)
        self._store = store
        old.close()
        if aside is not None:
            _bring_from(aside, store)
        self.changes += 1
        self._tell(database.taken_away_notice(self.path))

    def _failed(self, error: Exception) -> float:
        """Prepare for another attempt; returns the seconds until then."""
        self._pause = min(max(2 * self._pause, FIRST_PAUSE), LONGEST_PAUSE)
        if str(error) != self._error:  # logged once
            self._error = str(error)
            log.warning("The library can't be used, and is tried again: %s", error)
        if code_of(error) not in _TRANSIENT and not self._is_taken_away:
            try:
                self.shut()
            except sqlite3.Error:
                self._store = None
        return self._pause

    def _rest(self) -> float:
        if any(saved.role == "watching" for saved, _state in self._entries()):
            return WATCHING_SECONDS
        if self._has_uncounted:
            return COUNTING_SECONDS
        return HEARTBEAT_SECONDS

    def _entries(self) -> list[tuple[SavedMatch, _WriteState]]:
        with self._lock:
            return list(self._matches.items())

    def _forget(self, saved: SavedMatch) -> None:
        with self._lock:
            if saved.is_closed:  # else it was just opened again
                self._matches.pop(saved, None)

    def _drop(self, store: Store) -> None:
        for match_id in self.dropped:
            if not store.drop(match_id):
                self._tell(_PLAYED_ELSEWHERE)
            with self._lock:
                self._drops.remove(match_id)
            self.changes += 1

    def _carry_out(self, store: Store) -> None:
        """Carry out the queued orders as one change of the lists."""
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
        """Count the turns of one match that an older version saved."""
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

    def _serve(self, store: Store, saved: SavedMatch, state: _WriteState) -> None:
        if saved.role == "watching":
            self._watch(store, saved, state)
            return
        if saved.is_position:
            self._forget(saved)
            return
        if saved.is_closed and saved.is_untouched:
            self._discard(store, saved)
            return
        try:
            self._write(store, saved, state)
        except MatchGone:  # the file was replaced, or another program deleted the match
            saved.store_anew()
            self._write(store, saved, state)
        except LeaseLost:
            log.info("The match is played by another program now.")
            saved.lose_lease()
            self._watch(store, saved, state)
            return
        if saved.is_closed and saved.is_untouched:  # it was left during the write
            self._discard(store, saved)
        elif saved.is_closed and saved.held is not None and not saved.is_waiting:
            store.release(saved.held)
            saved.is_claimed = False
            self._forget(saved)

    def _discard(self, store: Store, saved: SavedMatch) -> None:
        """Delete a match without steps, or an abandoned one."""
        if saved.held is not None:
            store.discard(saved.held)
            self.changes += 1
        self._forget(saved)

    def _write(self, store: Store, saved: SavedMatch, state: _WriteState) -> None:
        """Claim the match, write its snapshot, or renew its heartbeat.

        :raises LeaseLost: another program writes it now.
        :raises MatchGone: it is not in the file any more.
        """
        if saved.held is not None and not saved.is_claimed:
            saved.held = store.claim(saved.held)
            saved.is_claimed = True
        snapshot, now = saved.wanted, time.monotonic()
        if snapshot is None:
            if saved.held is not None and now - state.renewed_at >= HEARTBEAT_SECONDS:
                store.renew(saved.held)
                state.renewed_at = now
            return
        variations = saved.variations.due
        found = [(one.common, one.snapshot()) for one in variations]
        new_variations = [
            NewMatch(saved.header._replace(origin=Origin(0, common)), end) for common, end in found if end is not None
        ]
        if saved.held is None:
            others = [other.held.id for other, _state in self._entries() if other.held is not None]
            unless_begun = others if state.was_tried else None
            state.was_tried = True
            held = store.begin(saved.header, snapshot, unless_begun, new_variations)
        else:
            held = store.save(saved.held, snapshot, new_variations)
        if self._is_taken_away:
            raise FileNotFoundError(errno.ENOENT, say("another program deleted, moved or replaced its file"))
        saved.variations.written(variations)
        saved.written(snapshot, held)
        state.was_tried, state.renewed_at = False, now
        self.changes += 1

    def _watch(self, store: Store, saved: SavedMatch, state: _WriteState) -> None:
        """Follow or take over a match that another program plays."""
        if saved.is_closed or saved.held is None:
            self._forget(saved)
            return
        try:
            if saved.wants_to_play:
                held, stored = store.take_over(saved.held.id)
                state.seen, state.version = None, -1
                saved.taken_over(stored, held)
                return
            self._look(store, saved, saved.held.id, state)
        except MatchGone:
            if saved.wants_to_play:
                saved.store_anew()
                self._write(store, saved, state)
            else:
                saved.failed(_GONE)
        except BadRow as error:
            saved.wants_to_play = False
            saved.failed(say("The match can't be read: {error}.", error=str(error)))

    def _look(self, store: Store, saved: SavedMatch, match_id: int, state: _WriteState) -> None:
        version, news = store.data_version(), None
        if version != state.version or state.seen is None:
            stored = store.look(match_id)
            if state.seen is None or stored.revision != state.seen.revision:
                news = stored
            state.seen, state.version = stored, version
        saved.show(news, store.is_elsewhere(state.seen.writer, state.seen.heartbeat))


def _can_be_read(store: Store) -> bool:
    try:
        return is_sound(store.connection)
    except DATABASE_ERRORS:
        log.warning("What was saved in the library's file can't be read any more", exc_info=True)
        return False


def _bring_from(aside: Path, store: Store) -> None:
    """Add the matches that another program saved in the file *aside* after its log was deleted, and delete the file."""
    try:
        log_of_another = aside.with_name(aside.name + database.COMPANIONS[0])
        if not (aside.exists() and log_of_another.exists() and log_of_another.stat().st_size):
            database.delete_database(aside)
            return
        with closing(sqlite3.connect(aside, isolation_level=None)) as connection:
            if is_sound(connection):
                store.bring(connection)
    except (*DATABASE_ERRORS, OSError):
        log.warning("The file %s stays: it can't be read", aside, exc_info=True)
    else:
        database.delete_database(aside)


def _reason(error: Exception) -> str:
    return (
        str(error)
        if isinstance(error, _NoFile)
        else say("The library can't be written: {reason}.", reason=in_words(error))
    )


class LibraryWriter(WriteQueue):
    """A ``WriteQueue`` with a thread, started when first needed. Only ``flush`` and ``close`` block."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        open_file: Callable[[Path], database.Opened] = open_library,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        super().__init__(path, open_file=open_file, tell=tell)
        self._news = threading.Condition()  # held for a few assignments, never during file access
        self._has_work = False
        self._is_ending = False
        self._thread: threading.Thread | None = None

    def flush(self, patience: float) -> bool:
        """Wait at most *patience* seconds until everything is done; returns whether it is."""
        deadline = time.monotonic() + patience
        with self._news:
            while not self.is_idle and self._thread is not None and self._thread.is_alive():
                left = deadline - time.monotonic()
                if left <= 0:
                    return False
                self._news.wait(left)
        return self.is_idle

    def close(self, patience: float) -> bool:
        """Flush and end the thread, each within *patience* seconds; returns whether it ended."""
        deadline = time.monotonic() + patience
        self.flush(patience)
        with self._news:
            self._is_ending = True
            self._news.notify_all()
        if self._thread is None:
            return True
        self._thread.join(max(0.0, deadline - time.monotonic()) + patience)
        return not self._thread.is_alive()

    def _notify(self) -> None:
        with self._news:
            self._has_work = True
            if self._thread is None and not self._is_ending:
                self._thread = threading.Thread(target=self._run, name="library", daemon=True)
                self._thread.start()
            self._news.notify_all()

    def _run(self) -> None:
        rest: float | None = None
        while True:
            with self._news:
                if not self._has_work and not self._is_ending:
                    self._news.wait(rest)
                if self._is_ending:
                    break
                self._has_work = False
            rest = self._attempt()
            with self._news:
                self._news.notify_all()
        try:
            self.end()
        except Exception:
            log.exception("Closing the library went wrong")

    def _attempt(self) -> float:
        """Call ``work``; a bug must not end the thread, as nothing would be saved any more."""
        try:
            return self.work()
        except Exception:
            log.exception("Keeping the matches went wrong")
            return LONGEST_PAUSE
