"""The game library: all matches in one SQLite file, saved after each step.

A kill loses at most the last step. Undone steps are saved too. A match that today's rules refuse stays in the file and
is reported.

``Library`` reads on the window's thread; ``LibraryWriter`` writes on its own thread, so that the window never waits for
a disk or another program. Several programs may share a file; a match has one writer at a time (``store``).
"""

from papan.game.match.library.reader import Found, Library, LibraryError, Summary, replay
from papan.game.match.library.saved_match import SavedMatch, SaveStatus
from papan.game.match.library.schema import FILE_NAME
from papan.game.match.library.snapshot import MatchHeader, Origin, Snapshot, SnapshotBuilder, header_of
from papan.game.match.library.store import NewMatch
from papan.game.match.library.writer import LibraryWriter, WriteQueue

__all__ = [
    "FILE_NAME",
    "Found",
    "Library",
    "LibraryError",
    "LibraryWriter",
    "MatchHeader",
    "NewMatch",
    "Origin",
    "SaveStatus",
    "SavedMatch",
    "Snapshot",
    "SnapshotBuilder",
    "Summary",
    "WriteQueue",
    "header_of",
    "replay",
]
