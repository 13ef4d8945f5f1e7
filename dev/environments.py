"""Writes what learners are shown of each game into docs/environments.md: run ``python -m dev.environments``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from papan.ai.observation import Observation, Plane, observation_of, shape_of
from papan.game.base.places import CHECKOUT
from papan.game.catalogue import HOUSE
from papan.game.facts import Game
from papan.game.rules import State
from papan.testing.random_games import Form, forms, new_match

DOCUMENT = CHECKOUT / "docs" / "environments.md"

GENERATED = "# What each game shows\n"
"""The heading from which on the page is written anew."""

_INTRODUCTION = """
From here on this page is generated from the program by `python -m dev.environments`: change the declarations in
`papan/ai/observation/`, not this text.
"""


def document(before: str) -> str:
    """The text that docs/environments.md should have, which has been *before*; what people wrote is kept."""
    written, _, _ = before.partition(GENERATED)
    games = (_game_text(game, observation_of(game)) for game in HOUSE.values())
    return "\n".join([written + GENERATED + _INTRODUCTION, *games]).rstrip() + "\n"


def _game_text(game: Game, observation: Observation) -> str:
    starts = [(form, new_match(game, 0, form).state) for form in forms(game)]
    lines = [f"## {game.title}", "", f"`{game.name}`. {observation.ROWS}", "", f"Actions: {observation.ACTIONS}", ""]
    lines += ["| options | planes × rows × columns | actions |", "|---|---|---|"]
    lines += [f"| {', '.join(names)} | {sizes} |" for sizes, names in _sizes(game, observation, starts).items()]
    return "\n".join([*lines, "", *_plane_table(game, observation, starts), ""])


def _sizes(game: Game, observation: Observation, starts: Sequence[tuple[Form, State]]) -> Mapping[str, list[str]]:
    """The forms of *game*, by what they have for sizes."""
    found: dict[str, list[str]] = {}
    for form, state in starts:
        shape = " × ".join(map(str, shape_of(observation, state)))
        found.setdefault(f"{shape} | {observation.actions(state):,}", []).append(_name(game, form))
    return found


def _name(game: Game, form: Form) -> str:
    options = [f"`{name}={value}`" for name, value in form.options.items()]
    if form.seats != game.seats[0]:
        options.append(f"`seats={form.seats}`")
    return " ".join(options) or "the defaults"


def _plane_table(game: Game, observation: Observation, starts: Sequence[tuple[Form, State]]) -> list[str]:
    """A row for each plane, and a column of its numbers for all forms that number them alike."""
    columns: dict[tuple[Plane, ...], str] = {}
    for form, state in starts:
        columns.setdefault(tuple(observation.planes(state)), _name(game, form))
    longest = max(columns, key=len)
    every = [*longest, *(plane for planes in columns for plane in planes if plane not in longest)]
    heads = list(columns.values()) if len(columns) > 1 else ["plane"]
    lines = [f"| {' | '.join(heads)} | what it says of a cell | largest |", f"|{'---|' * (len(heads) + 2)}"]
    for plane in every:
        numbers = [str(planes.index(plane)) if plane in planes else "" for planes in columns]
        lines.append(f"| {' | '.join(numbers)} | {plane.words} | {plane.most} |")
    return lines


if __name__ == "__main__":
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
