"""Training files: the learner's whole knowledge after a number of games, with its plan."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from papan.ai.learning.learner import Knowledge, new_knowledge, unknown_weight
from papan.ai.learning.network import Form, Network
from papan.ai.learning.weight_files import (
    KNOWN,
    Arrays,
    WeightFileError,
    bits_of,
    blocks_of,
    games_of,
    misshapen,
    read_head,
    read_kept,
    read_weights,
    write_arrays,
)
from papan.game.base.untrusted import UnreadableError, open_file, quoted_path
from papan.lab.files import whole_file
from papan.lab.journal import differences
from papan.lab.training.plan import form_of

KIND, VERSION = "Papan training", 1


def is_known(knowledge: Knowledge, network: Form, promise: float) -> NDArray[np.bool_]:
    """Which weights are known: those that were corrected, or given at the start."""
    found: NDArray[np.bool_] = knowledge.totals != 0.0
    found |= knowledge.weights != unknown_weight(network, promise)
    return found


def begun_by(path: Path) -> str:
    """The digest of the file *path*, for the plan of a training that starts from it."""
    if not _is_training(path):
        games_of(path)
    try:
        with open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()[:16]
    except UnreadableError as error:
        raise WeightFileError(str(error)) from None


def begun_with(path: Path, network: Form, promise: float) -> tuple[int, Knowledge]:
    """The number of games behind the file *path*, and the knowledge of a training that starts from it.

    Shipped weights lack learning rates, so they are corrected like new ones: *weight promotion* (Jaśkowski, "Mastering
    2048 with delayed temporal coherence learning, multistage weight promotion, redundant encoding and carousel
    shaping", 2018). Weights of a training file keep their rates. It may have fewer stages; the others are unknown then.

    :raises WeightFileError: the file does not fit this network.
    """
    if _is_training(path):
        plan = read_head(path, KIND, VERSION).get("plan")
        plan = plan if isinstance(plan, dict) else {}
        return _games(path, plan), _known(path, learned_by(path, network), network, promise)
    weights = read_weights(path, network, np.zeros(0))
    knowledge = new_knowledge(network, promise)
    np.copyto(knowledge.weights, weights, where=weights != 0.0)
    return games_of(path), knowledge


def keep(path: Path, plan: Mapping[str, Any], games: int, network: Form, promise: float, knowledge: Knowledge) -> None:
    """Write the *knowledge* after *games* games to *path*; an old file stays until the new one is complete.

    :param promise: the initial value of unknown positions.
    """
    known = is_known(knowledge, network, promise)
    arrays: Arrays = {name: array[known] for name, array in knowledge._asdict().items()}
    head = {"kind": KIND, "version": VERSION, "plan": plan, "games": games}
    with whole_file(path) as file:
        write_arrays(file, head, {KNOWN: bits_of(known), **arrays}, compressed=False)


def kept(path: Path, plan: Mapping[str, Any], network: Form, promise: float) -> tuple[int, Knowledge]:
    """The number of games and the knowledge in the training file *path*.

    :param promise: the initial value of unknown positions.
    :raises WeightFileError: the file has another plan or network, is not a training file, or is damaged.
    """
    return _games(path, plan), _known(path, network, network, promise)


def _known(path: Path, part: Form, network: Form, promise: float) -> Knowledge:
    """The knowledge in the file *path* of *part*, which has the first weights of *network*."""
    bits, arrays = read_kept(path, part.size, dict.fromkeys(Knowledge._fields, np.float32))
    knowledge = new_knowledge(network, promise)
    for block in blocks_of(path, bits, part.size, arrays):
        for name, array in knowledge._asdict().items():
            array[block.weights][block.is_known] = arrays[name][block.kept]
    return knowledge


def _is_training(path: Path) -> bool:
    try:
        read_head(path, KIND, VERSION)
    except WeightFileError:
        return False
    return True


def learned_by(path: Path, network: Form) -> Form:
    """The network of the training file *path*: the first stages of *network*, or all of it."""
    plan = read_head(path, KIND, VERSION).get("plan")
    form = plan.get("form") if isinstance(plan, dict) else None
    parts: list[Form] = [network]
    if isinstance(network, Network):
        parts = [replace(network, stages=number) for number in range(1, network.stages + 1)]
    for part in parts:
        if form_of(part) == form:
            return part
    raise misshapen(path, "network")


def _games(path: Path, plan: Mapping[str, Any]) -> int:
    head = read_head(path, KIND, VERSION)
    games = head.get("games")
    differing = differences(json.loads(json.dumps(plan)), head.get("plan"))
    if differing:
        raise WeightFileError.saying(
            "{file} was trained with other settings ({differing}): use the same settings, or name another file.",
            file=quoted_path(path),
            differing=", ".join(differing),
        )
    if not isinstance(games, int) or games < 0:
        raise WeightFileError.saying("{file} is damaged: it does not give its number of games.", file=quoted_path(path))
    return games
