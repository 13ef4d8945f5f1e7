"""Training files: all that a learner knows after so many games, and by which plan, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from papan.ai.learning.kept import (
    KNOWN,
    Arrays,
    KeptError,
    bits_of,
    known_of,
    read_arrays,
    read_head,
    write_arrays,
)
from papan.ai.learning.learner import Knowledge, new_knowledge
from papan.ai.learning.network import Form
from papan.game.base.foreign import quoted_path
from papan.game.base.sentences import say
from papan.lab.files import whole_file

KIND, VERSION = "Papan training", 1


def keep(path: Path, plan: Mapping[str, Any], games: int, knowledge: Knowledge) -> None:
    """Write what is known after so many *games* to *path*; what was there before stays until all is on the disk.

    :raises OutputError: it can't be written.
    """
    is_known = knowledge.totals != 0.0
    arrays: Arrays = {name: array[is_known] for name, array in knowledge._asdict().items()}
    head = {"kind": KIND, "version": VERSION, "plan": plan, "games": games}
    with whole_file(path) as file:
        write_arrays(file, head, {KNOWN: bits_of(is_known), **arrays}, compressed=False)


def kept(path: Path, plan: Mapping[str, Any], network: Form, promise: float) -> tuple[int, Knowledge]:
    """After how many games the file *path* was written, and what was known by then.

    :param promise: what is thought of all that nothing is known of.
    :raises KeptError: the file is of another plan or network, is none of this kind, or damaged.
    """
    games = _games(path, plan)
    arrays = read_arrays(path, {KNOWN: np.uint8, **dict.fromkeys(Knowledge._fields, np.float32)})
    bits = arrays.pop(KNOWN)
    is_known = known_of(path, bits, network.size, arrays)
    knowledge = new_knowledge(network, promise)
    for name, array in knowledge._asdict().items():
        array[is_known] = arrays[name]
    return games, knowledge


def _games(path: Path, plan: Mapping[str, Any]) -> int:
    head = read_head(path, KIND, VERSION)
    found, games = head.get("plan"), head.get("games")
    known = found if isinstance(found, dict) else {}
    asked = json.loads(json.dumps(plan))
    differing = sorted(what for what in {*asked, *known} if asked.get(what) != known.get(what))
    if differing:
        raise KeptError(
            say(
                "{file} was trained by another plan; what differs is {differing}: ask for the same again, or name "
                "another file.",
                file=quoted_path(path),
                differing=", ".join(differing),
            )
        )
    if not isinstance(games, int) or games < 0:
        raise KeptError(say("{file} is damaged: it does not say after how many games.", file=quoted_path(path)))
    return games
