"""``state``: a position of a record as a paper's model has it, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from papan import main
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.match.record import write
from tests.commands.calling import Captured, calling

run = calling("state")


@pytest.fixture
def record(tmp_path: Path) -> str:
    match = Match.new(GAMES["santorini"], ["a", "b"], {"gods": "none"}, seed=1)
    for turn in ("a2,c5", "d3,d1", "a2-a1+b1"):
        for step in parse_turn(match.rules, match.state, turn):
            match.play(step)
    path = tmp_path / "record.txt"
    path.write_text(write(match), encoding="utf-8")
    return str(path)


def test_in_words(capsys: Captured, record: str) -> None:
    code, out, _ = run(capsys, "santorini", "--match", record)
    lines = out.splitlines()
    assert code == 0 and lines[0] == "Santorini, the position after turn 3"
    assert lines[2:4] == ["current player  'p2'", "phase           'move'"]
    assert "Applicable operators: " in out and "OP(4) move_worker(p2w1, " in out


def test_an_earlier_position_as_json(capsys: Captured, record: str) -> None:
    facts = json.loads(run(capsys, "santorini", "--match", record, "--turn", "1", "--json")[1])
    assert (facts["turn"], facts["current_player"], facts["phase"]) == (1, "p2", "place worker")
    assert facts["workers"][3][0] == "p1w1" and len(facts["operators"]) == 23 * 22


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["santorini", "--turn", "9"], "The record has 3 turns, so there is no turn 9."),
        (["catur-jawa"], "This is a match of Santorini, not of Catur Jawa."),
    ],
)
def test_refusals(capsys: Captured, record: str, arguments: list[str], message: str) -> None:
    code, out, err = run(capsys, *arguments, "--match", record)
    assert code == main.USAGE_EXIT_CODE and out == "" and message in err


def test_a_game_without_a_model(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_text(write(Match.new(GAMES["othello"], ["a", "b"], {}, seed=1)), encoding="utf-8")
    code, _, err = run(capsys, "othello", "--match", str(path))
    assert code == main.USAGE_EXIT_CODE and "This program knows no published model of Othello" in err
