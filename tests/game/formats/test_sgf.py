"""The outer form of SGF."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from papan.game.formats import sgf
from papan.game.formats.source import Source
from tests.game.formats.damage import damaged
from tests.game.formats.files import FOLDER, needs_files


def read(text: str) -> list[sgf.Game]:
    return list(sgf.games(text.split("\n")))


def moves(game: sgf.Game) -> list[str]:
    return [f"{name}{value}" for name, value in game.moves("B", "W")]


def test_main_line_and_variations() -> None:
    [game] = read("(;FF[4]GM[2](;B[aa](;W[bb];B[cc])(;W[dd]))(;B[ee]C[why]))")
    assert moves(game) == ["Baa", "Wbb", "Bcc"]
    assert (game.variations, game.left_out, game.cut) == (2, 2, 0)


def test_names_of_properties_in_small_letters_and_lists() -> None:
    [game] = read("(;GaMe[2]PlayerBlack[Ann]AddBlack[aa][bb]\n [cc])")
    assert game.nodes == [[("GM", "2"), ("PB", "Ann"), ("AB", "aa"), ("AB", "bb"), ("AB", "cc")]]


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("[club] Ann", "[club] Ann"),
        ("[a][b]", "[a][b]"),
        ("Ann [1]", "Ann [1]"),
        ("see [1]; then (x) [2]", "see [1]; then (x) [2]"),
        ("a\\]b\\\\", "a]b\\"),
        ("colon\\: and [ alone", "colon: and [ alone"),
    ],
)
def test_brackets_within_values(value: str, meant: str) -> None:
    [game] = read(f"(;GM[2]PB[{value}]PW[Bob];B[aa])")
    assert (game.tag("PB"), game.tag("PW"), moves(game)) == (meant, "Bob", ["Baa"])


def test_values_of_several_lines() -> None:
    [game] = read("(;PB[A\\\nnn\nLee]C[one\ntwo])")
    assert game.nodes == [[("PB", "Ann\nLee"), ("C", "one\ntwo")]]
    assert game.tag("PB") == "Ann Lee"


@pytest.mark.parametrize("damaged", ["(;GM[2]PB[Ann];B[aa];W[bb", "(;GM[2]PB[Ann];B[aa];W[bb]", "(;GM[2]PB[Ann];B[aa"])
def test_a_game_without_an_end_costs_no_other(damaged: str) -> None:
    first, second = read(f"prose (really)\n{damaged}\n(;GM[2]PB[Eve];B[cc])\n")
    assert (first.line, first.tag("PB"), moves(first)[:1]) == (2, "Ann", ["Baa"][: len(moves(first))])
    assert 2 <= first.cut <= 3
    assert (second.line, second.tag("PB"), moves(second), second.cut) == (3, "Eve", ["Bcc"], 0)


def test_results() -> None:
    told = {text: sgf.read_result(text) for text in ("B+3", "W+R", "B+T", "0", "Draw", "黑胜", "黑负", "和棋", "?", "")}
    assert [payoffs and payoffs[0] for payoffs, _ in told.values()] == [1, -1, 1, 0, 0, 1, -1, 0, None, None]
    assert [told[text][1] for text in ("W+R", "B+T", "0")] == ["resigned", "time", "agreed"]


def test_what_is_written_is_read_again() -> None:
    nodes = [[("GM", "2"), ("PB", "[a] \\ b]"), ("PW", "B[1]")], *([("B", "aa")] for _ in range(60))]
    [game] = read(sgf.written(nodes))
    assert game.nodes == nodes
    assert max(map(len, sgf.written(nodes).split("\n"))) <= 81


def test_long_values_and_games_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sgf, "MOST_PROPERTIES", 1000)

    def lines() -> Iterator[str]:
        yield "(;GM[2]C["
        yield from ("x[(;" * 1000 for _ in range(300))  # no value ends here
        yield "(;GM[2]PB[Eve]"
        yield from (";B[aa]" * 1000 for _ in range(5))

    found = list(sgf.games(lines()))
    assert [len(game.nodes) for game in found[:1]] == [1]
    assert found[-1].tag("PB") == "Eve"
    assert sum(map(len, found[-1].nodes)) <= 1000
    assert all(len(value) <= sgf.LONGEST_VALUE for game in found for node in game.nodes for _, value in node)


@needs_files
def test_real_files() -> None:
    games = list(sgf.games(Source(FOLDER / "gomoku" / "qq_family_cup_2008.sgf").lines()))
    assert len(games) == 67
    assert all(not game.cut for game in games)
    assert games[0].tag("PW") == "[伯园]选手01"
    assert [game.told()["payoffs"] for game in games].count((0.0, 0.0)) == 7


@needs_files
def test_damaged_files_are_read_without_exceptions() -> None:
    content = (FOLDER / "gomoku" / "qq_family_cup_2008.sgf").read_bytes()
    for variant in damaged(content, 50):
        assert all(game.nodes is not None for game in sgf.games(Source(text=variant).lines()))
