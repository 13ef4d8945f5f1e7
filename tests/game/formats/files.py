"""Real game files: tests read them from a folder beside the checkout, as their licences keep them out of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from papan.game.catalogue import GALLERY
from papan.game.formats import read_games
from papan.game.formats.source import Source
from papan.game.match import Match
from papan.game.match.collection import Refused

FOLDER = Path(os.environ.get("PAPAN_GAME_FILES", Path(__file__).parents[4] / "shared" / "files"))
"""Where they lie; another folder by the environment variable."""
needs_files = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"there are no game files in {FOLDER}")


def read(name: str) -> tuple[Sequence[Match], Sequence[Refused]]:
    """The matches in the file *name* of that folder, whose format nobody tells, and what was refused."""
    found = list(read_games(Source(FOLDER / name), list(GALLERY.values())))
    return (
        [one for one in found if isinstance(one, Match)],
        [one for one in found if isinstance(one, Refused)],
    )
