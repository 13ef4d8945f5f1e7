"""XBoard 4.9.1 with uci2wb 4.1: a match of xiangqi, Papan against itself, by UCCI and by UCI."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.engines.hosts import Played, TrialError, check_installed, debian, main, papan, program, run, winner_of

VERSIONS = {"xboard": "4.9.1-2+b1", "uci2wb": "4.1+git200714-1"}
SECONDS = 20
"""Each side's for 40 turns."""
_MOVED = re.compile(r"<(?:first ?|second): move ([a-i]\d[a-i]\d)")
_RESULT = re.compile(r'\[Result "([^"]+)"\].*\{([^{}]+)\}\s*\1', re.DOTALL)
_FAULTS = ("forfeit", "illegal", "exited", "died", "on time", "false")


def play(folder: Path, chosen: argparse.Namespace) -> Sequence[Played]:
    check_installed("xvfb-run")
    root = debian(folder, VERSIONS)
    adapter = str(root / "usr/games/uci2wb")
    # one word for the adapter: it cuts its argument at spaces, and keeps 200 characters
    by_ucci = program(folder, papan("xiangqi", "ucci"))
    by_uci = program(folder, papan("xiangqi", "uci", "--notation", "0-9"))
    record, log = folder / "games.pgn", folder / "debug.log"
    run(
        [
            *("xvfb-run", "-a", str(root / "usr/games/xboard"), "-variant", "xiangqi", "-matchGames", "1"),
            *("-firstChessProgram", shlex.join([adapter, "-x", str(by_ucci)])),
            *("-secondChessProgram", shlex.join([adapter, str(by_uci)])),
            *("-timeControl", f"0:{SECONDS}", "-movesPerSession", "40", "-ponderNextMove", "false"),
            *("-ruleMoves", "60", "-repeatsToDraw", "6"),
            *("-pieceImageDirectory", str(root / "usr/share/games/xboard/themes/default")),
            *("-saveGameFile", str(record), "-debugMode", "true", "-nameOfDebugFile", str(log)),
            *("-popupExitMessage", "false", "-popupMoveErrors", "false", "-saveSettingsOnExit", "false"),
        ],
        folder,
        {"HOME": str(folder)},
    )
    found = _RESULT.search(record.read_text(encoding="utf-8"))
    if found is None:
        raise TrialError("XBoard wrote no result.")
    reason = " ".join(found[2].split())
    if any(word in reason.lower() for word in _FAULTS):
        raise TrialError(f"XBoard ended the game without a legal result: {found[1]}, {reason}")
    turns = _MOVED.findall(log.read_text(encoding="utf-8", errors="replace"))
    title = "XBoard 4.9.1, uci2wb 4.1, xiangqi, ucci against uci"
    return [Played(title, "xiangqi", "ucci", turns, winner_of(found[1]), reason, is_adjudged="adjudication" in reason)]


if __name__ == "__main__":
    sys.exit(main(play, __doc__ or ""))
