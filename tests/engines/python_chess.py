"""python-chess 1.11.2 with pyffish 0.0.90: a game of xiangqi between two Papans by UCI, judged by pyffish.

Its ``chess.Board`` has only 8x8 squares. ``chess.engine`` needs less of it: the position as FEN, the moves as text, and
the variant's name for the option ``UCI_Variant``. A subclass gives it these.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.engines.hosts import ROOT, Played, main, papan, python, run

VERSIONS = {"chess": "1.11.2", "pyffish": "0.0.90"}
_SECONDS = (0.1, 0.05)


def play(folder: Path, chosen: argparse.Namespace) -> Sequence[Played]:
    interpreter = python(folder, *(f"{name}=={version}" for name, version in VERSIONS.items()))
    [*_, told] = run(
        [str(interpreter), "-m", "tests.engines.python_chess", *papan("xiangqi", "uci")], ROOT
    ).splitlines()
    found = json.loads(told)
    title = "python-chess 1.11.2, xiangqi, uci"
    return [
        Played(title, "xiangqi", "uci", found["turns"], found["winner"], found["reason"], is_adjudged=found["adjudged"])
    ]


def referee(command: Sequence[str]) -> dict[str, object]:
    """A game of the program *command* against itself, among the modules of python-chess and pyffish."""
    import chess
    import chess.engine
    import pyffish

    start = pyffish.start_fen("xiangqi")

    class Move:
        def __init__(self, text: str) -> None:
            self.text = text

        def uci(self) -> str:
            return self.text

    class Xiangqi(chess.Board):
        """A position as ``chess.engine`` needs it."""

        uci_variant = "xiangqi"

        def __init__(self, turns: Sequence[str] = ()) -> None:
            super().__init__(None)
            self.turns = list(turns)
            self.turn = len(turns) % 2 == 0
            self.move_stack = [Move(turn) for turn in turns]

        def root(self) -> Xiangqi:
            return Xiangqi()

        def fen(self, **_: object) -> str:
            return str(pyffish.get_fen("xiangqi", start, self.turns))

        def copy(self, *, stack: bool | int = True) -> Xiangqi:
            return Xiangqi(self.turns)

        def push_uci(self, uci: str) -> Move:
            if uci not in pyffish.legal_moves("xiangqi", start, self.turns):
                raise chess.IllegalMoveError(f"illegal: {uci}")
            self.turns.append(uci)
            self.move_stack.append(Move(uci))
            return self.move_stack[-1]

        def pop(self) -> Move:
            self.turns.pop()
            return self.move_stack.pop()

    engines = [chess.engine.SimpleEngine.popen_uci(list(command)) for _ in _SECONDS]
    for engine in engines:
        engine.configure({"Hash": 32})
    board = Xiangqi()
    adjudged, value = False, 0
    while pyffish.legal_moves("xiangqi", start, board.turns):
        adjudged, value = pyffish.is_optional_game_end("xiangqi", start, board.turns)
        if adjudged:
            break
        seat = len(board.turns) % 2
        found = engines[seat].play(board, chess.engine.Limit(time=_SECONDS[seat]), info=chess.engine.INFO_SCORE)
        board = Xiangqi([*board.turns, found.move.uci()])
    else:
        value = pyffish.game_result("xiangqi", start, board.turns)
    for engine in engines:
        engine.quit()
    mover = len(board.turns) % 2
    winner = None if value == 0 else mover if value > 0 else 1 - mover
    reason = "a rule on repetitions or captures" if adjudged else "no move is left"
    return {"turns": board.turns, "winner": winner, "reason": reason, "adjudged": adjudged}


if __name__ == "__main__":
    if sys.argv[1:]:  # started by ``play``, in the environment with python-chess
        print(json.dumps(referee(sys.argv[1:])))
    else:
        sys.exit(main(play, __doc__ or ""))
