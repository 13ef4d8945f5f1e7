"""Game trees with the values that minimax gives, and what alpha-beta leaves out.

Geissler (2020), Figures 3.4 and 7.1 to 7.3: a node's value is the highest of its children's where the first player is
to move, else the lowest. Alpha-beta (Knuth and Moore 1975) leaves out children that can't change the root's value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from math import inf
from xml.etree import ElementTree as Svg

from papan.ai.evaluation import STANDARD, as_vector, evaluate, evaluation_of
from papan.game.base.sentences import SentenceError, figures
from papan.game.base.untrusted import decimal_number, quoted
from papan.game.game import Game
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play

MOST_NODES = 2000
_TOKEN = re.compile(r"[()]|[^\s()]+")
_LETTERS = 26
_WIDTH, _HEIGHT, _SIZE = 60, 84, 22
"""The distances of nodes, and half of a node's height, in drawing units."""


class TreeError(SentenceError, ValueError):
    """There is no such tree; the message is a sentence that says why."""


@dataclass
class Node:
    label: str
    """The step that leads here, or a letter."""
    is_max: bool
    children: list[Node] = field(default_factory=list)
    value: float | None = None
    """What a leaf is worth, later each node; None for one that alpha-beta leaves out."""
    sign: str = ""
    """≤ or ≥ if the value is only a bound, as children were left out."""

    def told(self) -> str:
        """The value as people read it; "" for none."""
        return "" if self.value is None else self.sign + str(figures(self.value, "g"))


def read(text: str) -> Node:
    """The tree with these leaves, such as ``((3 2) (5 9)) ((1 0) (4 7))``; its root is a highest-value node.

    Inner nodes get letters, level by level, as in the thesis.

    >>> tree = read("((3 2) (5 9)) ((1 0) (4 7))")
    >>> search(tree, prunes=True), [child.label for child in tree.children], tree.children[1].told()
    (3.0, ['B', 'C'], '≤1')

    :raises TreeError: *text* is no tree of numbers.
    """
    root = Node("", True)
    path = [root]
    for found in _TOKEN.finditer(text):
        word = found[0]
        if word == "(":
            path.append(Node("", not path[-1].is_max))
            path[-2].children.append(path[-1])
        elif word == ")" and len(path) > 1 and path[-1].children:
            path.pop()
        else:
            value = decimal_number(word)
            if value is None:
                raise TreeError.saying(
                    "Character {place}, {word}, is wrong: a tree has numbers in parentheses, such as {example}.",
                    place=found.start() + 1,
                    word=quoted(word),
                    example="((3 2) (5 9)) ((1 0) (4 7))",
                )
            path[-1].children.append(Node("", not path[-1].is_max, value=value))
    if len(path) > 1 or not root.children:
        raise TreeError.saying("The tree is cut off: {count} parentheses are not closed.", count=len(path) - 1)
    letters = count()
    level = [root]
    while level:
        for node in level:
            if node.children:
                number = next(letters)
                node.label = chr(ord("A") + number % _LETTERS) + "'" * (number // _LETTERS)
        level = [child for node in level for child in node.children]
    return root


def of_game(game: Game, state: State, depth: int) -> Node:
    """The tree of all steps from *state*, *depth* steps deep; leaves are worth their payoff or evaluation to the mover.

    :raises TreeError: it has more than MOST_NODES, or the game has chance or hidden cards.
    """
    if game.has_chance or game.has_hidden_information:
        raise TreeError.saying("{game} has chance or hidden cards, so minimax gives it no values.", game=game.title)
    seat, weights = int(mover(state)), as_vector(evaluation_of(game).WEIGHTS[STANDARD])
    left = MOST_NODES

    def grown(label: str, state: State, depth: int) -> Node:
        nonlocal left
        left -= 1
        if left < 0:
            raise TreeError.saying("The tree has more than {most} nodes: choose a smaller depth.", most=MOST_NODES)
        if is_over(state):
            return Node(label, False, value=float(payoff(state, seat)))
        if not depth:
            return Node(label, False, value=float(evaluate(state, seat, weights)))
        return Node(
            label,
            int(mover(state)) == seat,
            [grown(game.rules.notation(state, step), play(state, step), depth - 1) for step in legal_steps(state)],
        )

    return grown(game.title, state, depth)


def search(node: Node, *, prunes: bool, alpha: float = -inf, beta: float = inf) -> float:
    """Give *node* and those below it their values, from left to right; returns that of *node*.

    :param prunes: leaves out children once the value is outside *alpha* to *beta*; they get no value.
    """
    if not node.children:
        assert node.value is not None
        return node.value
    best = -inf if node.is_max else inf
    for place, child in enumerate(node.children):
        if prunes and alpha >= beta:
            for unseen in node.children[place:]:
                _forget(unseen)
            node.sign = "≥" if node.is_max else "≤"
            break
        found = search(child, prunes=prunes, alpha=alpha, beta=beta)
        if node.is_max:
            best = max(best, found)
            alpha = max(alpha, best)
        else:
            best = min(best, found)
            beta = min(beta, best)
    node.value = best
    return best


def _forget(node: Node) -> None:
    node.value = None
    for child in node.children:
        _forget(child)


def nodes_of(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from nodes_of(child)


def lines(node: Node, words: Callable[[Node], str]) -> Iterator[str]:
    """Yield a line of text for each node, its children indented; *words* tells a node."""
    yield words(node)
    for child in node.children:
        is_last = child is node.children[-1]
        first, others = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        for place, line in enumerate(lines(child, words)):
            yield (others if place else first) + line


def drawn(root: Node) -> str:
    """The tree as an SVG picture: squares take the highest value, circles the lowest; what is left out is grey."""
    columns = count()
    lowest = 0
    picture = Svg.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": "sans-serif"})
    edges, marks = Svg.SubElement(picture, "g"), Svg.SubElement(picture, "g")

    def draw(node: Node, level: int) -> float:
        """Draw *node* and those below it; returns its middle."""
        nonlocal lowest
        lowest = max(lowest, level)
        places = [draw(child, level + 1) for child in node.children]
        x = (places[0] + places[-1]) / 2 if places else (next(columns) + 0.5) * _WIDTH
        y = (level + 0.5) * _HEIGHT
        for child, place in zip(node.children, places, strict=True):
            colour = "#222" if child.value is not None else "#bbb"
            _add(
                edges,
                "line",
                x1=x,
                y1=y + _SIZE,
                x2=place,
                y2=y + _HEIGHT - (_SIZE if child.children else _SIZE / 2),
                stroke=colour,
            )
            if node.children[0].label and not child.children:
                _text(edges, (x + place) / 2, y + _HEIGHT / 2, child.label, colour, 11)
        colour = "#222" if node.value is not None else "#bbb"
        if node.children and node.is_max:
            _add(marks, "rect", x=x - _SIZE, y=y - _SIZE, width=2 * _SIZE, height=2 * _SIZE, stroke=colour, fill="none")
        elif node.children:
            _add(marks, "circle", cx=x, cy=y, r=_SIZE, stroke=colour, fill="none")
        _text(marks, x, y + 5, node.told(), colour, 15)
        if node.children:
            _text(marks, x, y - _SIZE - 5, node.label, colour, 12)
        return x

    draw(root, 0)
    picture.set("viewBox", f"0 0 {next(columns) * _WIDTH} {(lowest + 1) * _HEIGHT}")
    return Svg.tostring(picture, encoding="unicode") + "\n"


def _add(parent: Svg.Element, name: str, **facts: float | str) -> Svg.Element:
    return Svg.SubElement(parent, name, {key.replace("_", "-"): str(value) for key, value in facts.items()})


def _text(parent: Svg.Element, x: float, y: float, text: str, colour: str, size: int) -> None:
    _add(parent, "text", x=x, y=y, fill=colour, text_anchor="middle", font_size=size).text = text
