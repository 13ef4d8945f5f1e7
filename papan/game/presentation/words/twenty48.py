"""Turns of 2048 in words."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import Sentence, joined, say
from papan.game.rules.twenty48 import describe
from papan.game.rules.twenty48.board import FIELD, State, values_of

_SLIDES = (say("Slides up"), say("Slides right"), say("Slides down"), say("Slides left"))
_UP, _RIGHT, _DOWN = range(3)


def turn_words(states: Sequence[State], steps: Sequence[int]) -> Sentence:
    """The direction and the tiles that merge; for chance the new tile."""
    state, step = states[0], steps[0]
    if state.awaits_tile:
        return joined([describe(state, step)[0]])
    merged = merged_tiles(state, step)
    parts = [_SLIDES[step]]
    if len(merged) == 1:
        parts.append(say("merges two {tile}s", tile=merged[0]))
    elif merged:
        parts.append(say("merges {count} pairs", count=len(merged)))
    return joined(parts, ", ")


def merged_tiles(state: State, direction: int) -> list[int]:
    """The number on the tiles of each pair that merges."""
    values, size, merged = values_of(state), state.size, []
    for line in range(size):
        along = [FIELD * place + line if direction in (_UP, _DOWN) else FIELD * line + place for place in range(size)]
        tiles = [values[cell] for cell in (reversed(along) if direction in (_RIGHT, _DOWN) else along) if values[cell]]
        while tiles:
            tile = tiles.pop(0)
            if tiles and tiles[0] == tile:
                merged.append(tiles.pop(0))
    return merged
