"""cutechess-cli: two games of Connect Four (its ``cfour``), Papan against itself by UCI. Build it by its README."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.engines.hosts import Played, TrialError, main, papan, run, winner_of

_FINISHED = re.compile(r"Finished game \d+ .*: (\S+) \{([^{}]*)\}")
_MOVE = re.compile(r"P@[a-g][1-6]")
_LEGAL = ("White wins", "Black wins", "Draw by stalemate")


def play(folder: Path, chosen: argparse.Namespace) -> Sequence[Played]:
    record = folder / "games.pgn"
    command, *arguments = papan("connect-four", "uci")
    said = run(
        [
            str(chosen.path.resolve()),
            *("-engine", "name=first", "-engine", "name=second", "-each", "proto=uci", "tc=40/20", f"cmd={command}"),
            *(f"arg={argument}" for argument in arguments),
            *("-variant", "cfour", "-games", "2", "-pgnout", str(record)),
        ],
        folder,
    )
    title = "cutechess-cli, Connect Four, uci"
    games = re.split(r"(?=\[Event )", record.read_text(encoding="utf-8"))[1:]
    played = []
    for (result, reason), game in zip(_FINISHED.findall(said), games, strict=True):
        if reason not in _LEGAL:
            raise TrialError(f"cutechess-cli ended a game without a legal result: {result} {reason}\n{game}")
        played.append(Played(title, "connect-four", "uci", _MOVE.findall(game), winner_of(result), reason))
    return played


if __name__ == "__main__":
    sys.exit(main(play, __doc__ or "", "cutechess-cli"))
