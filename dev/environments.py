"""Writes each game's observations and actions into docs/environments.md: run ``python -m dev.environments``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence

from papan.ai.observation import Observation, Plane, observation_of, shape_of
from papan.game.base.places import CHECKOUT
from papan.game.catalogue import BUILT_IN
from papan.game.game import Game
from papan.game.rules import State
from papan.testing.random_games import Form, forms, new_match

DOCUMENT = CHECKOUT / "docs" / "environments.md"

GENERATED = "# What each game shows\n"
"""The first heading of the generated part."""

WIDTH = 120
"""The maximum line length."""

FEW = 3
"""A list of at most this length is never abbreviated."""

_INTRODUCTION = """
`python -m dev.environments` generates the rest of this page: change the declarations in `papan/ai/observation/`, not
this text. Planes are 0 or 1 unless a row says up to what. "…" stands for a list given above in the same table.
"""


def document(before: str) -> str:
    """The new text of docs/environments.md, whose text is *before*; the part above ``GENERATED`` is kept."""
    written, _, _ = before.partition(GENERATED)
    games = (_game_text(game, observation_of(game)) for game in BUILT_IN.values())
    return "\n".join([written + GENERATED + _INTRODUCTION, *games]).rstrip() + "\n"


def _game_text(game: Game, observation: Observation) -> str:
    starts = [(form, new_match(game, 0, form).state) for form in forms(game)]
    rows, actions = _wrapped(f"`{game.name}`. {observation.ROWS}"), _wrapped(f"Actions: {observation.ACTIONS}")
    lines = [f"## {game.title}", "", *rows, "", *actions, "", "| options | planes × rows × columns | actions |"]
    lines.append("|---|---|---|")
    for sizes, names in _sizes(game, observation, starts).items():
        lines += [f"| {cell} | {sizes} |" for cell in _cells(names, WIDTH - len(f"|  | {sizes} |"))]
    return "\n".join([*lines, "", *_plane_table(game, observation, starts), ""])


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _cells(names: Sequence[str], width: int) -> Iterator[str]:
    """*names*, separated by commas, in cells of at most *width* characters."""
    cell = names[0]
    for name in names[1:]:
        if len(f"{cell}, {name}") > width:
            yield cell
            cell = name
        else:
            cell = f"{cell}, {name}"
    yield cell


def _sizes(game: Game, observation: Observation, starts: Sequence[tuple[Form, State]]) -> Mapping[str, list[str]]:
    """The names of the forms of *game*, by table cells with the shape and the number of actions."""
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
    """The table of planes: a row for each run of similar planes, and a column for all forms with the same planes.

    Rows that would be too wide are split, and lists that appeared before are abbreviated.
    """
    columns: dict[tuple[Plane, ...], str] = {}
    for form, state in starts:
        columns.setdefault(tuple(observation.planes(state)), _name(game, form))
    longest = max(columns, key=len)
    every = [*longest, *(plane for planes in columns for plane in planes if plane not in longest)]
    heads = list(columns.values()) if len(columns) > 1 else ["plane"]
    lines = [f"| {' | '.join(heads)} | what it says of a cell |", f"|{'---|' * (len(heads) + 1)}"]
    runs: list[list[Plane]] = []
    for plane in every:
        if runs and _goes_on(runs[-1], plane, columns):
            runs[-1].append(plane)
        else:
            runs.append([plane])
    given: list[list[list[str]]] = []
    for run in runs:
        _, _, differing = _common([plane.words for plane in run])
        if differing in given:
            lines.append(_plane_row(run, columns, is_short=True))
        else:
            lines += _plane_rows(run, columns)
        if len(run) > FEW:
            given.append(differing)
    return lines


def _plane_rows(run: Sequence[Plane], columns: Iterable[tuple[Plane, ...]]) -> list[str]:
    row = _plane_row(run, columns)
    if len(row) <= WIDTH or len(run) == 1:
        return [row]
    half = len(run) // 2
    return _plane_rows(run[:half], columns) + _plane_rows(run[half:], columns)


def _plane_row(run: Sequence[Plane], columns: Iterable[tuple[Plane, ...]], is_short: bool = False) -> str:
    numbers = [_numbers([planes.index(plane) for plane in run]) if run[0] in planes else "" for planes in columns]
    most = "" if run[0].most == 1 else f" (up to {run[0].most})"
    return f"| {' | '.join(numbers)} | {_words([plane.words for plane in run], is_short)}{most} |"


def _goes_on(run: Sequence[Plane], plane: Plane, columns: Iterable[tuple[Plane, ...]]) -> bool:
    """Whether *plane* directly follows *run* in each of *columns*, and differs by a few words in the same place."""
    for planes in columns:
        if (plane in planes) != (run[-1] in planes):
            return False
        if plane in planes and planes.index(plane) != planes.index(run[-1]) + 1:
            return False
    words = [one.words for one in (*run, plane)]
    start, end, differing = _common(words)
    is_alike = len(run) == 1 or (start, end) == _common(words[:-1])[:2]
    return plane.most == run[0].most and is_alike and start + end >= 2 and max(map(len, differing)) <= 4


def _common(texts: Sequence[str]) -> tuple[int, int, list[list[str]]]:
    """The numbers of common words at the start and at the end of *texts*, and the words between."""
    split = [text.split(" ") for text in texts]
    shortest = min(map(len, split)) - 1
    start = next((n for n in range(shortest) if len({words[n] for words in split}) > 1), shortest)
    end = next((n for n in range(shortest - start) if len({words[-1 - n] for words in split}) > 1), shortest - start)
    return start, end, [words[start : len(words) - end] for words in split]


def _words(texts: Sequence[str], is_short: bool) -> str:
    """*texts* as one, with differing parts separated by slashes; if *is_short*, only the first and last of them."""
    if len(texts) == 1:
        return texts[0]
    start, end, differing = _common(texts)
    words, parts = texts[0].split(" "), [" ".join(part) for part in differing]
    shown = [parts[0], "…", parts[-1]] if is_short else parts
    return " ".join([*words[:start], " / ".join(shown), *words[len(words) - end :]])


def _numbers(numbers: Sequence[int]) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}–{numbers[-1]}"


if __name__ == "__main__":
    DOCUMENT.write_text(document(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
