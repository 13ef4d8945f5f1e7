"""Commands made from descriptions."""

from __future__ import annotations

from dataclasses import dataclass

import click
from click.testing import CliRunner

from papan.commands.description import argument, command, decorator, option, part, shared

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


def test_fields_are_arguments_and_options() -> None:
    words = ["a", "--own-count", "5", "--row", "2", "--json"]
    assert CliRunner().invoke(tried, words).output == "a 5 2 True\n"
    assert CliRunner().invoke(tried, ["a"]).output == "a 3 1 False\n"


def test_help_has_the_fields_in_order_and_those_of_bases_last() -> None:
    told = CliRunner().invoke(tried, ["--help"]).output
    places = [told.index(word) for word in ("Print what was asked.", "--own-count", "[default: 3]", "--row", "--json")]
    assert places == sorted(places) and "default: 1" not in told


def test_a_function_can_have_described_parameters() -> None:
    assert CliRunner().invoke(plain, ["--count", "4"]).output == "4 False\n"
    assert [parameter.name for parameter in plain.params] == ["count", "as_json"]


def test_a_plan_takes_what_it_shares_with_a_request() -> None:
    @dataclass(frozen=True)
    class Plan:
        name: str
        seed: int

    request = Request(name="a", own_count=3, place=Place(row=1), as_json=False)
    assert shared(request, Plan) == {"name": "a"}
