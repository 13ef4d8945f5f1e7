"""c-gomoku-cli: two games of gomoku, Papan against itself, by Gomocup's protocol. Build the program by its README."""

from __future__ import annotations

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.engines.hosts import Played, TrialError, main, papan, run

_ENDED = re.compile(r"RE\[([^]]*)\]TE\[([^]]*)\]")
_MOVE = re.compile(r";[BW]\[([a-z])([a-z])\]")
_WINNERS = {"B+1": 0, "W+1": 1, "0": None}
_FAULTS = ("illegal", "time", "crash", "forbidden")


def play(folder: Path, chosen: argparse.Namespace) -> Sequence[Played]:
    record = folder / "games.sgf"
    said = run(
        [
            *(
                str(chosen.path.resolve()),
                "-each",
                "tc=0/0.2",
                "tolerance=30",
                f"cmd={shlex.join(papan('gomoku', 'gomocup'))}",
            ),
            *("-engine", "name=first", "-engine", "name=second"),
            *("-rule", "1", "-boardsize", "15", "-games", "2", "-sgf", str(record)),
        ],
        folder,
    )
    played = []
    for game in record.read_text(encoding="utf-8").split("(;")[1:]:
        ended = _ENDED.search(game)
        if ended is None or any(word in ended[2].lower() for word in _FAULTS):
            raise TrialError(f"c-gomoku-cli ended a game without a legal result:\n{game}\n{said}")
        turns = [f"{ord(x) - ord('a')},{ord(y) - ord('a')}" for x, y in _MOVE.findall(game)]
        title = "c-gomoku-cli, gomoku with exactly five, 15x15, gomocup"
        played.append(Played(title, "gomoku", "gomocup", turns, _WINNERS[ended[1]], ended[2], options={"exact": "yes"}))
    return played


if __name__ == "__main__":
    sys.exit(main(play, __doc__ or "", "c-gomoku-cli"))
