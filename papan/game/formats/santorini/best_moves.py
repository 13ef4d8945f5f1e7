"""Lists of best moves, as the tests of the engine santorini-ai write them in YAML: positions of two seats, a turn each.

``best_move_str`` is the turn, ``C4>B4^B5``, and ``best_move_state`` the position after it: 25 heights from row 5 down,
the seat to act next, and each seat's god and workers. The position before follows from both. Scores and depths stay as
tags. Source: the files of JPricey/santorini-ai.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.formats import NO, SURE, FormatError, Replay, Transcript
from papan.game.formats.santorini.gods import GAME, god_named, options_of
from papan.game.formats.source import Source
from papan.game.match.collection import Refused
from papan.game.rules import PositionError, is_over, play
from papan.game.rules.santorini.board import CELL_BY_NAME, MOVE, SIZE, cell_name
from papan.game.rules.santorini.turns import Action, readings, turns_of

_FIELD = re.compile(r"\s*(-\s+)?([a-z_]+):\s*(.*?)\s*")
_TAGS = {"score": "Score", "depth": "Depth"}
_STATE = re.compile(r"([0-4]{25})/([12])/([^/:]{1,60}):([^/]*)/([^/:]{1,60}):([^/]*)")
_WORKER = re.compile("[A-Ea-e][1-5]")


@dataclass
class _Entry:
    line: int
    fields: dict[str, str]


@dataclass(frozen=True)
class BestMoves:
    name: str = "santorini-best-moves"
    title: str = say("lists of Santorini's best moves")
    suffixes: Sequence[str] = (".yaml", ".yml")

    def fits(self, source: Source) -> int:
        return SURE if b"best_move_state:" in source.head and b"best_move_str:" in source.head else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        for number, entry in enumerate(_entries(source), start=1):
            try:
                yield _read(entry.fields)
            except (FormatError, PositionError) as error:
                yield Refused(number, str(error), entry.line)


def _entries(source: Source) -> Iterator[_Entry]:
    entry: _Entry | None = None
    for number, line in enumerate(source.lines(), start=1):
        found = _FIELD.fullmatch(line)
        if found is None:
            continue
        if found[1]:
            if entry is not None and "best_move_state" in entry.fields:
                yield entry
            entry = _Entry(number, {})
        if entry is not None and len(entry.fields) < 100:
            entry.fields.setdefault(found[2], found[3].strip("'\""))
    if entry is not None and "best_move_state" in entry.fields:
        yield entry


def _read(fields: dict[str, str]) -> Transcript:
    move, after = fields.get("best_move_str", ""), fields["best_move_state"]
    found = _STATE.fullmatch(after)
    if not found:
        raise FormatError.saying(
            "{text} is no position: write 25 heights, the seat to act, and two gods with workers, such as {example}.",
            text=quoted(after),
            example="0000000000000000000000000/1/pan:A1,B1/atlas:C1,D1",
        )
    gods = [god_named(found[3]), god_named(found[5])]
    workers = [{CELL_BY_NAME[name.lower()] for name in _WORKER.findall(found[group])} for group in (4, 6)]
    acted = 2 - int(found[2])  # the seat that is not to act now
    options = options_of(gods)
    for actions in readings(move):
        position = _position_before(found[1], gods, workers, acted, actions)
        if position is None:
            continue
        replay = Replay(GAME, options, position)
        for steps in turns_of(replay.state, actions):
            if _leads_to(replay, steps, after, options):
                replay.play(*steps)
                return replay.transcript(tags={tag: fields[own] for own, tag in _TAGS.items() if own in fields})
    raise FormatError.saying("The turn {move} doesn't lead to {position}.", move=quoted(move), position=quoted(after))


def _position_before(
    heights: str, gods: Sequence[str], workers: Sequence[set[int]], acted: int, actions: Sequence[Action]
) -> str | None:
    """The text of the position before *actions* of the seat *acted*; None if they can't lead there."""
    levels, own = [int(height) for height in heights], set(workers[acted])
    for action in reversed(actions):
        if action.kind == MOVE:
            if action.target not in own:
                return None
            own = own - {action.target} | {action.origin}
            continue
        place = (SIZE - 1 - action.target // SIZE) * SIZE + action.target % SIZE
        if levels[place] == 0:
            return None
        levels[place] -= 1
    sets = [own if seat == acted else workers[seat] for seat in range(2)]
    seats = [f"{god}:{','.join(sorted(map(cell_name, cells)))}" for god, cells in zip(gods, sets, strict=True)]
    return "/".join(("".join(map(str, levels)), str(acted + 1), *seats))


def _leads_to(replay: Replay, steps: Sequence[int], text: str, options: dict[str, str]) -> bool:
    state = replay.state
    for step in steps:
        state = play(state, step)
    if is_over(state):
        return True  # such positions have no text
    expected = replay.rules.parse(text.lower(), GAME.complete_options({"first": "1", **options}))
    return bool(replay.rules.text(state) == replay.rules.text(expected))
