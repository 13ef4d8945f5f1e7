"""Files of 2048: OpenSpiel's playthroughs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.catalogue import BUILT_IN
from papan.game.formats import NO, SURE, Format, Replay, Transcript, open_spiel
from papan.game.formats.source import Source
from papan.game.match.collection import Refused
from papan.game.rules.twenty48 import FIELD

GAME = BUILT_IN["2048"]
_FIRST_TILES = 2


@dataclass(frozen=True)
class Playthrough:
    """A playthrough of OpenSpiel's ``2048``.

    Directions are 0 to 3, clockwise from up. Chance's number is twice the cell, row by row from the top, plus 1 for a
    4; its first two tiles are the first position here. There the game ends with a tile of 2048, here it may go on.
    """

    name: str = "openspiel-2048"
    title: str = say("OpenSpiel's playthroughs")
    suffixes: Sequence[str] = (".txt",)

    def fits(self, source: Source) -> int:
        return SURE if open_spiel.game_of(source) == "2048" else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        told = open_spiel.read(source)
        actions = told.actions
        first, others = actions[:_FIRST_TILES], actions[_FIRST_TILES:]
        cells = {action.number // 2 for action in first}
        if len(cells) < _FIRST_TILES or not all(0 <= cell < FIELD * FIELD for cell in cells):
            yield Refused(1, say("A game begins with two tiles on different cells."), first[0].line if first else None)
            return
        replay = Replay(GAME, position=_position({action.number // 2: action.number % 2 for action in first}))
        for action in others:
            if replay.is_over or action.number not in replay.legal():
                yield Refused(1, _refusal(replay, action.number), action.line)
                return
            replay.play(action.number)
        yield replay.transcript(cut=0 if replay.is_over else told.last_line)


def _refusal(replay: Replay, number: int) -> str:
    return say(
        "Action {number} is impossible there: {reason}",
        number=number,
        reason=say("The game is over.") if replay.is_over else replay.rules.refusal(replay.state, number),
    )


def _position(tiles: dict[int, int]) -> str:
    """The text of a first position; *tiles* are 1 for a 4, by cell."""
    values = [str(2 + 2 * tiles[cell]) if cell in tiles else "0" for cell in range(FIELD * FIELD)]
    return "/".join(",".join(values[row : row + FIELD]) for row in range(0, FIELD * FIELD, FIELD)) + " 0"


FORMATS: Sequence[Format] = (Playthrough(),)
