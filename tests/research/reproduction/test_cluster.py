"""Experiments on the workers of a scheduler: real processes, which are killed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from dev.loopback import Loopback
from papan import main
from papan.lab.workers import AnswerError, Tasks, UnfitWorkerError, Workers
from papan.research.reproduction.experiment import Piece, find
from papan.research.reproduction.pools import Cluster, compute_there
from papan.research.reproduction.running import open_journal, run
from tests.commands.calling import Captured
from tests.research.reproduction.asking import asked_of

EXPERIMENT = find("pn-2048")


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    with Loopback(tmp_path_factory.mktemp("cluster"), workers=2) as loopback:
        yield loopback


def answered(capsys: Captured, *arguments: str) -> dict[str, Any]:
    assert main.run(("reproduce", EXPERIMENT.name, "--scale", "0.05", "--json", *arguments)) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {key: answer[key] for key in answer if key not in ("processor_seconds", "times", "made_by")}


def test_the_command_says_the_same_as_here(workers: Loopback, home: Path, capsys: Captured) -> None:
    assert answered(capsys, "--cluster", workers.address) == answered(capsys, "--jobs", "2")


class Liar:
    """Workers that send something else for each piece."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def carry_out(self, tasks: Tasks[Any]) -> Iterator[Sequence[tuple[Any, Any]]]:
        while (task := tasks.next(1)) is not None:
            yield [(task, self._answer)]


NAN = float("nan")
PIECE = EXPERIMENT.stages(asked_of(EXPERIMENT, 0.05))[0][0].name


def test_what_can_not_be_is_not_kept(tmp_path: Path) -> None:
    answers: list[Any] = [
        None, 1, "\x1b[2J", (), {}, object(), (PIECE,), (PIECE, 1), (PIECE, 1, "1"), (1, 1, 1.0), (PIECE, 1, 1.0, 1),
        ("another", 1, 1.0), (PIECE, 1, -1.0), (PIECE, 1, NAN), (PIECE, 1, float("inf")), (PIECE, 1, True),
        (PIECE, {1, 2}, 1.0), (PIECE, object(), 1.0), (PIECE, NAN, 1.0), (PIECE, [float("-inf")], 1.0),
        (PIECE, "a lie", 1.0), (PIECE, {}, 1.0),
    ]  # fmt: skip
    asked, path = asked_of(EXPERIMENT, 0.05), tmp_path / "journal.jsonl"
    for answer in answers:
        journal = open_journal(EXPERIMENT, asked, path)
        with pytest.raises(AnswerError, match=r"A worker sent an invalid answer, which was discarded: .+\."):
            run(EXPERIMENT, asked, journal, Cluster(cast(Workers, Liar(answer))))
        journal.close()
        assert path.read_bytes().count(b"\n") == 1, answer


def test_a_worker_of_another_version_is_unfit() -> None:
    piece = Piece("any", {})
    plan = {"experiment": EXPERIMENT.name, "program": "0.0.1", "scale": 1.0, "seed": 0, "readings": {}}
    with pytest.raises(UnfitWorkerError, match=r"of the program, not 0\.0\.1"):
        compute_there({**plan, "is_alone": False}, piece.name, piece.facts, {})
