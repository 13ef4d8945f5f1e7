"""The guided match of Santorini, without gods: place, move, build."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from papan.game.base.sentences import say
from papan.game.guides import Hint
from papan.game.rules.santorini.board import BUILDING, MOVING, PLACING, State


def _in_phase(phase: int) -> Callable[[State, int], Sequence[int] | None]:
    def fits(state: State, seat: int) -> Sequence[int] | None:
        return () if state.phase == phase else None

    return fits


OPTIONS: Mapping[str, str] = {"gods": "none"}
HINTS = (
    Hint(say("Place: click a free cell for each of your two workers. Near the middle is good."), _in_phase(PLACING)),
    Hint(
        say("Move: click a worker, then a marked cell beside it, one level higher at most. Level 3 wins."),
        _in_phase(MOVING),
    ),
    Hint(
        say("Build: click a marked cell beside the worker that moved. A dome on level 3 closes a tower."),
        _in_phase(BUILDING),
    ),
)
