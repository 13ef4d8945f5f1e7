"""Names of openings: legal, unique, found by position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from papan.game.catalogue import BUILT_IN
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.opening_names import (
    MOST_BYTES,
    Opening,
    OpeningError,
    has_openings,
    load_openings,
    opening_of,
    openings_of,
    read_openings,
)

NAMED = [game for game in BUILT_IN.values() if has_openings(game)]
OTHELLO = BUILT_IN["othello"]


def played(game: str, turns: str, options: Mapping[str, str] | None = None) -> Match:
    match = Match.new(BUILT_IN[game], ["a", "b"], {"first": "1", **(options or {})}, 0)
    for turn in turns.split():
        match.play_legal(parse_turn(match.rules, match.state, turn))
    return match


def name_after(game: str, turns: str, options: Mapping[str, str] | None = None) -> str:
    opening = opening_of(played(game, turns, options))
    return opening.name if opening else ""


def test_four_games_have_names() -> None:
    assert [game.name for game in NAMED] == ["checkers", "othello", "gomoku", "xiangqi"]


@pytest.mark.parametrize("game", NAMED, ids=lambda game: game.name)
def test_every_way_is_legal_and_no_position_has_two_names(game) -> None:  # type: ignore[no-untyped-def]
    openings = load_openings(game)
    assert openings is not None
    names = [opening.name for opening in set(openings.by_key.values())]
    assert len(names) == len(set(names)) >= 26
    assert all(name == " ".join(name.split()) for name in names)


@pytest.mark.parametrize(
    ("game", "turns", "name"),
    [
        ("othello", "", ""),
        ("othello", "f5", ""),
        ("othello", "f5 d6 c3 d3 c4", "Tiger"),
        ("othello", "c4 e3 f6 e6 f5", "Tiger"),  # turned by half
        ("othello", "e6 f4 c3 c4 d3", "Tiger"),  # mirrored
        ("othello", "f5 d6 c4 d3 c3", "Tiger"),  # by way of the Cat's turns
        ("othello", "f5 d6 c3 d3 c4 f4 f6 f3 e6 e7", "Comp'Oth"),
        ("checkers", "11-15 23-19 8-11 22-17 4-8", "Old Fourteenth"),
        ("checkers", "11-15 22-17 8-11 23-19 4-8", "Old Fourteenth"),
        ("checkers", "9-14 22-17 11-15 23-19 5-9", "Fife"),
        ("checkers", "10-14", "Denny"),
        ("xiangqi", "h2e2 h9g7 h0g2 b9c7", "Central Cannon vs Screen Horses"),
        ("xiangqi", "b2e2 b9c7 b0c2 h9g7", "Central Cannon vs Screen Horses"),  # mirrored
        ("xiangqi", "h2e2 b9c7 h0g2 h9g7", "Central Cannon vs Screen Horses"),
        ("xiangqi", "c3c4 b7c7", "Pawn vs Pawn-Base Cannon"),  # mirrored
        ("gomoku", "h8 h9 i9", "Kagetsu"),
        ("gomoku", "h8 g8 g7", "Kagetsu"),
        ("gomoku", "h8 g7 g8", "Ungetsu"),
        ("gomoku", "h8 h9 i9 a1", "Kagetsu"),
        ("connect-four", "4 4", ""),
    ],
)
def test_a_position_tells_the_name(game: str, turns: str, name: str) -> None:
    assert name_after(game, turns) == name


def test_the_latest_name_up_to_a_step_counts() -> None:
    match = played("othello", "f5 d6 c3 d3 c4 f4 f6 b4 a5")
    told = [opening_of(match, steps) for steps in range(len(match.steps) + 1)]
    names = [opening.name if opening else "" for opening in told]
    assert names == ["", "", "Perpendicular", "Perpendicular", "Perpendicular", "Tiger", "Tiger", "Stephenson", "Kung",
                     "Kung"]  # fmt: skip


def test_only_the_board_that_the_names_are_for() -> None:
    assert name_after("gomoku", "h8 h9 i9", {"exact": "renju"}) == "Kagetsu"
    assert name_after("gomoku", "h8 h9 i9", {"size": "19"}) == ""


def test_a_native_name_follows_in_brackets() -> None:
    assert opening_of(played("xiangqi", "g0e2")) == Opening("Elephant Opening", "飞相局")
    assert Opening("Elephant Opening", "飞相局").full == "Elephant Opening (飞相局)"
    assert Opening("Tiger").full == "Tiger"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'[openings]\n"A" = "f5 f5"', "The opening A: "),
        (b'[openings]\n"A" = "f5 d6"\n"B" = "e6 f4"', "B and A are the same position."),
        (b'[openings]\n"A" = "f5"\n"A" = "f5"', "has no names of openings"),
        (b'[openings]\n"A" = []', "has no names of openings"),
        (b"[openings]\n", "has no names of openings"),
        (b"[", "has no names of openings"),
        (b"\xff", "has no names of openings"),
        (b'[openings]\n"A" = "f5"\n[options]\nsize = "15"', "Othello has no option"),
        (b'[openings]\n"A" = "' + b"f5 " * 100 + b'"', "too many turns"),
        (b'[openings]\n"A" = "f5"' + b" " * MOST_BYTES, "It is too large."),
    ],
)
def test_a_damaged_file_is_told(content: bytes, reason: str) -> None:
    with pytest.raises(OpeningError) as caught:
        read_openings(content, OTHELLO, "names.toml")
    assert reason in str(caught.value)


def test_a_plugin_brings_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "reversed_names"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "names.toml").write_text('[openings]\n"First" = "f5"\n', encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    game = replace(OTHELLO, name="reversed", parts=replace(OTHELLO.parts, openings="reversed_names:names.toml"))
    openings = load_openings(game)
    assert openings is not None and [opening.name for opening in openings.by_key.values()] == ["First"]
    gone = replace(game, parts=replace(game.parts, openings="reversed_names:gone.toml"))
    with pytest.raises(OpeningError, match=r"gone\.toml"):
        load_openings(gone)
    assert openings_of(gone, {}) is None
