"""Trees: alpha-beta finds what minimax finds, and the thesis' figures."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import pytest

from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.research.trees import Node, TreeError, drawn, lines, nodes_of, of_game, read, search

THESIS = "((3 2) (5 9)) ((1 0) (4 7))"


def seen(root: Node) -> int:
    return sum(node.value is not None for node in nodes_of(root))


def random_tree(random: Random, depth: int) -> str:
    if not depth:
        return str(random.randint(-9, 9))
    return "(" + " ".join(random_tree(random, depth - 1) for _ in range(random.randint(1, 4))) + ")"


def test_alpha_beta_leaves_out_what_the_figures_leave_out() -> None:
    root = read(THESIS)
    assert search(root, prunes=True) == 3 and seen(root) == 11
    told = {node.label: node.told() for node in nodes_of(root) if node.label}
    assert told == {"A": "3", "B": "3", "C": "≤1", "D": "3", "E": "≥5", "F": "1", "G": ""}


@pytest.mark.parametrize("seed", range(50))
def test_alpha_beta_finds_the_value_of_minimax(seed: int) -> None:
    text = random_tree(Random(seed), 4)
    whole, cut = read(text), read(text)
    assert search(cut, prunes=True) == search(whole, prunes=False)
    assert seen(cut) <= seen(whole) == len(list(nodes_of(whole)))


def test_a_games_tree_ends_with_its_results() -> None:
    game = GAMES["connect-four"]
    state = Match.new(game, ["", ""], {}, 0, "112233").state
    root = of_game(game, state, 2)
    assert search(root, prunes=False) == 1
    won = [node.label for node in root.children if not node.children and node.value == 1]
    assert won == ["4"]


def test_a_tree_is_drawn_and_told_whole() -> None:
    root = read(THESIS)
    search(root, prunes=True)
    picture = ElementTree.fromstring(drawn(root))
    shapes = [element.tag.rpartition("}")[2] for element in picture.iter()]
    assert (shapes.count("rect"), shapes.count("circle"), shapes.count("line")) == (5, 2, 14)
    told = [line.strip("│├└─ ") for line in lines(root, lambda node: node.label or "leaf")]
    assert told[:4] == ["A", "B", "D", "leaf"]


@pytest.mark.parametrize("text", ["((3 2", "(3 x)", "()", "3 2)", "", "(1) )"])
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(TreeError):
        read(text)


@pytest.mark.parametrize(("name", "depth"), [("2048", 1), ("catur-jawa", 1), ("connect-four", 6)])
def test_what_can_be_no_tree_is_refused(name: str, depth: int) -> None:
    game = GAMES[name]
    with pytest.raises(TreeError):
        of_game(game, Match.new(game, [""] * game.seats[0], {}, 0).state, depth)
