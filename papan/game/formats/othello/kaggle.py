"""Replays of Kaggle's environment ``open_spiel_othello``, as JSON: moves are cells from 0 to 63, and 64 for a pass."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papan.game.base.sentences import say
from papan.game.base.untrusted import parsed_json, quoted
from papan.game.formats import NO, SURE, FormatError, Transcript
from papan.game.formats.othello.played import Told, not_a_cell, transcripts
from papan.game.formats.source import Source
from papan.game.match import Kind
from papan.game.match.collection import Refused
from papan.game.rules.othello import PASS

_MARK = re.compile(rb'"open_spiel_othello"|"openSpielGameName"\s*:\s*"othello"')
_TIMEOUTS = ("TIMEOUT",)
_MOST_BYTES = 1 << 25


@dataclass(frozen=True)
class Kaggle:
    name: str = "kaggle"
    title: str = say("replays of Kaggle")
    suffixes: Sequence[str] = (".json",)

    def fits(self, source: Source) -> int:
        return SURE if source.head.lstrip()[:1] == b"{" and _MARK.search(source.head) else NO

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        try:
            replay = parsed_json(source.data(_MOST_BYTES))
        except ValueError as error:
            raise FormatError.saying(
                "{name} can't be read as a replay of Kaggle: {reason}.", name=quoted(source.name), reason=str(error)
            ) from error
        return transcripts([_told(_dict(replay))])


def _told(replay: Mapping[str, Any]) -> Told | Refused:
    info = _dict(replay.get("info"))
    # A game that is forfeited may go on in actionHistory with moves that nobody made.
    actions = _submissions(_list(replay.get("steps"))) or _list(info.get("actionHistory"))
    cells = bytearray()
    for place, action in enumerate(actions, start=1):
        text = str(action)[:20]
        if not (text.isascii() and text.isdecimal() and int(text) <= PASS):
            return not_a_cell(1, None, place, text)
        cells.append(int(text))
    rewards = [one for one in _list(replay.get("rewards")) if isinstance(one, int | float)]
    payoffs = None
    if len(rewards) == 2:
        ahead = rewards[0] - rewards[1]
        payoffs = float((ahead > 0) - (ahead < 0)), float((ahead < 0) - (ahead > 0))
    names = [name for name in _list(info.get("TeamNames")) if isinstance(name, str)]
    timed_out = any(status in _TIMEOUTS for status in _list(replay.get("statuses")))
    ended_by: Kind = "time" if timed_out else "forfeited"
    told = {
        "players": tuple(names) if len(names) == 2 else (),
        "payoffs": payoffs,
        "ended_by": ended_by,
        "tags": {"Site": "Kaggle", "Id": str(replay.get("id", ""))[:80]},
    }
    return Told(1, None, bytes(cells), told=told)


def _submissions(steps: Sequence[Any]) -> list[int]:
    """The moves that were made, in order; the side whose turn it isn't has -1."""
    agents = (_dict(agent) for step in steps for agent in _list(step))
    made = (_dict(agent.get("action")).get("submission") for agent in agents)
    return [move for move in made if isinstance(move, int) and move >= 0]


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else []
