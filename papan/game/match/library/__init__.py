"""The game library: every match, kept step by step as it is played, in one SQLite file.

What is committed stays when the program is killed, so at most the step in flight is lost. Steps that were taken back
are kept too. A match that today's rules refuse is reported in words and stays in the file.

``Library`` reads, on the window's thread; ``LibraryWriter`` writes, on a thread of its own, so that no disk and no
other program can keep the window waiting. Several programs may use one file; a match has one writer at a time: see
``store``.
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
