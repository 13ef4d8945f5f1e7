"""``state`` prints a position as a paper's model has it; commands are made from descriptions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from papan import main
from papan.commands.common import argument, command, decorator, option, part, shared
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


def test_in_words_and_an_earlier_position_as_json(capsys: Captured, record: str) -> None:
    code, out, _ = run(capsys, "santorini", "--match", record)
    lines = out.splitlines()
    assert code == 0 and lines[0] == "Santorini, the position after turn 3"
    assert lines[2:4] == ["current player  'p2'", "phase           'move'"]
    assert "  who first → pick god" in lines and "▸ move → move, build, win" in lines and "  win" in lines
    assert "Applicable operators: " in out and "OP(4) move_worker(p2w1, " in out
    facts = json.loads(run(capsys, "santorini", "--match", record, "--turn", "1", "--json")[1])
    assert (facts["turn"], facts["current_player"], facts["phase"]) == (1, "p2", "place worker")
    assert facts["workers"][3][0] == "p1w1" and len(facts["operators"]) == 23 * 22


def test_a_position_without_a_match(capsys: Captured) -> None:
    position = f"{25 * '0'}/2/mortal:b5,a3/mortal:a1,b4"
    code, out, _ = run(capsys, "santorini", "--option", "gods=none", "--position", position)
    assert code == 0 and f"position        {position}" in out.splitlines() and "'p2w2'" in out
    code, out, _ = run(capsys, "cifra", "--json")
    assert code == 0 and json.loads(out)["phase"] == "choose side"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["santorini", "--option", "gods=none"], "omit --match, or these"),
        (["santorini", "--turn", "9"], "The record has 3 turns, so there is no turn 9."),
        (["catur-jawa"], "This is a match of Santorini, not of Catur Jawa."),
        (["othello"], "This program knows no published model of Othello"),
    ],
)
def test_refusals(capsys: Captured, record: str, arguments: list[str], message: str) -> None:
    if "othello" in arguments:
        Path(record).write_text(write(Match.new(GAMES["othello"], ["a", "b"], {}, seed=1)), encoding="utf-8")
    code, out, err = run(capsys, *arguments, "--match", record)
    assert code == main.USAGE_EXIT_CODE and out == "" and message in err


COUNT = option("How many.", click.INT, default=3)


@dataclass(frozen=True)
class Shared:
    as_json: bool = option("Print JSON.", is_flag=True, name="--json")


@dataclass(frozen=True)
class Place:
    row: int = option("Across.", click.INT, default=1, show_default=False)


@dataclass(frozen=True)
class Request(Shared):
    name: str = argument()
    own_count: int = COUNT
    place: Place = part(Place)


@command(Request)
def tried(asked: Request) -> None:
    """Print what was asked."""
    click.echo(f"{asked.name} {asked.own_count} {asked.place.row} {asked.as_json}")


@click.command()
@decorator(count=COUNT, as_json=Shared.as_json)
def plain(count: int, as_json: bool) -> None:
    click.echo(f"{count} {as_json}")


def test_fields_and_described_parameters_are_arguments_and_options() -> None:
    words = ["a", "--own-count", "5", "--row", "2", "--json"]
    assert CliRunner().invoke(tried, words).output == "a 5 2 True\n"
    assert CliRunner().invoke(tried, ["a"]).output == "a 3 1 False\n"
    assert CliRunner().invoke(plain, ["--count", "4"]).output == "4 False\n"
    assert [parameter.name for parameter in plain.params] == ["count", "as_json"]


def test_help_has_the_fields_in_order_and_those_of_bases_last() -> None:
    told = CliRunner().invoke(tried, ["--help"]).output
    places = [told.index(word) for word in ("Print what was asked.", "--own-count", "[default: 3]", "--row", "--json")]
    assert places == sorted(places) and "default: 1" not in told


def test_a_plan_takes_what_it_shares_with_a_request() -> None:
    @dataclass(frozen=True)
    class Plan:
        name: str
        seed: int

    request = Request(name="a", own_count=3, place=Place(row=1), as_json=False)
    assert shared(request, Plan) == {"name": "a"}
