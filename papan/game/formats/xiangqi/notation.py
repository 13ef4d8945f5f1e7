"""What the formats of xiangqi share: reading moves one after the other, results, and cells as other programs count."""

from __future__ import annotations

import unicodedata

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.catalogue import BUILT_IN
from papan.game.formats import Replay
from papan.game.rules import NotationError
from papan.game.rules.xiangqi.board import FILES, RANKS, STEP_SHIFT, cell_name
from papan.game.rules.xiangqi.foreign import after_if_legal

GAME = BUILT_IN["xiangqi"]

Payoffs = tuple[float, float]
_LIKE = str.maketrans("紅勝負後–—−⁄", "红胜负后---/")
_RESULTS: dict[str, Payoffs] = {
    **dict.fromkeys(
        ["1-0", "2-0", "红胜", "先胜", "红先胜", "黑负", "后负", "红先黑负", "黑认负", "黑超时"], (1.0, -1.0)
    ),
    **dict.fromkeys(["0-1", "0-2", "黑胜", "后胜", "红负", "先负", "红先负", "红认负", "红超时"], (-1.0, 1.0)),
    **dict.fromkeys(
        ["1/2-1/2", "1/2", "1-1", "0.5-0.5", "和", "先和", "红先和", "红和", "和局", "平", "平局", "和了", "言和"],
        (0.0, 0.0),
    ),
}


class Moves(Replay):
    """A game that is being read, move by move."""

    def __init__(self, position: str | None = None) -> None:
        """:param position: a FEN in any dialect; None for the usual start.
        :raises PositionError: it is wrong.
        """
        super().__init__(GAME, None, position)

    def play_cells(self, origin: int, target: int) -> None:
        """Play the move from one cell to another, numbered as the rules do: a0 is 0, b0 is 1, a1 is 9.

        :raises NotationError: the move is illegal; the message says why.
        """
        step = origin << STEP_SHIFT | target
        if after_if_legal(self.state, step) is None:
            raise NotationError.saying(
                "Move {number}, {text}: {reason}",
                number=len(self.steps) + 1,
                text=quoted(cell_name(origin) + cell_name(target)),
                reason=self.rules.refusal(self.state, step),
            )
        self.play(step)


def cell_at(column: int, row: int) -> int:
    """The cell in *column* from the left and *row* from black's side, both from 0, as XQF, CBL and DhtmlXQ count.

    :raises NotationError: there is none.
    """
    if not (0 <= column < FILES and 0 <= row < RANKS):
        raise NotationError(say("There is no point in column {column}, row {row}.", column=column, row=row))
    return (RANKS - 1 - row) * FILES + column


def payoffs_of(text: str) -> Payoffs | None:
    """The payoffs of red and black that a result tells in any of its usual forms; None if it tells none.

    >>> payoffs_of("1-0"), payoffs_of("黑胜"), payoffs_of("*")
    ((1.0, -1.0), (-1.0, 1.0), None)
    """
    plain = unicodedata.normalize("NFKC", "".join(text.split())).translate(_LIKE).strip("。.,;()!")
    return _RESULTS.get(plain.replace("方", "").replace("棋", ""))
