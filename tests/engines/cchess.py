"""cchess 1.25.5, a library for xiangqi in Python: a game between Papan by UCCI and by UCI, judged by its rules."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.engines.hosts import ROOT, Played, TrialError, main, papan, program, python, run

VERSION = "1.25.5"
_LIMITS = ({"movetime": 200}, {"depth": 1})
"""Of UCCI and UCI. It sends positions without the moves before, so Papan can't avoid repetitions: one side must win."""
_MOST_TURNS = 400
_SECONDS = 30.0


def play(folder: Path, chosen: argparse.Namespace) -> Sequence[Played]:
    programs = [str(program(folder, papan("xiangqi", protocol))) for protocol in ("ucci", "uci")]
    [*_, told] = run(
        [str(python(folder, f"cchess=={VERSION}")), "-m", "tests.engines.cchess", *programs], ROOT
    ).splitlines()
    found = json.loads(told)
    if "fault" in found:
        raise TrialError(f"cchess {VERSION}: {found['fault']}")
    return [
        Played(
            f"cchess {VERSION}, xiangqi, ucci against uci",
            "xiangqi",
            "ucci",
            found["turns"],
            found["winner"],
            "no move is left",
        )
    ]


def referee(programs: Sequence[str]) -> dict[str, object]:
    """A game between *programs*, the first by UCCI, the second by UCI, among the modules of cchess."""
    from cchess import FULL_INIT_FEN, ChessBoard
    from cchess.engine import UcciEngine, UciEngine

    engines = [UcciEngine(), UciEngine()]
    for engine, path in zip(engines, programs, strict=True):
        if not engine.load(path) or not engine.wait_for_ready():
            return {"fault": f"{path} was not ready."}
    engines[1].set_option("Notation", "0-9")  # cchess numbers ranks from 0, and its positions have no moves to show it
    board = ChessBoard(FULL_INIT_FEN)
    turns: list[str] = []
    while not board.no_moves():
        seat = len(turns) % 2
        engines[seat].go_from(board.to_fen(), _LIMITS[seat])
        given_up, action = time.monotonic() + _SECONDS, None
        while action is None or action["action"] in ("ready", "info", "info_move"):
            action = engines[seat].get_action()
            if time.monotonic() > given_up:
                return {"fault": f"no move after {turns}"}
        if action["action"] != "bestmove" or board.move_iccs(action["move"]) is None:
            return {"fault": f"{action} after {turns}"}
        board.next_turn()
        turns.append(action["move"])
        if len(turns) > _MOST_TURNS:
            return {"fault": f"no end after {turns}"}
    for engine in engines:
        engine.quit()
    return {"turns": turns, "winner": 1 - len(turns) % 2}


if __name__ == "__main__":
    if sys.argv[2:]:  # started by ``play``, in the environment with cchess
        print(json.dumps(referee(sys.argv[1:])))
    else:
        sys.exit(main(play, __doc__ or ""))
