"""``tree``: draws a game tree with its values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from papan.commands import fields
from papan.commands.common import GameName, WholeNumber, argument, command, option, print_json, seats_of
from papan.commands.errors import refusing
from papan.game.base.sentences import joined, say
from papan.game.game import OptionError
from papan.game.match import Match
from papan.game.rules import PositionError
from papan.lab.files import OutputError, write_whole
from papan.lab.printing import show, show_said

if TYPE_CHECKING:
    from papan.research.trees import Node


@dataclass(frozen=True)
class TreeRequest(fields.AnswerRequest):
    tree: str = argument(metavar="GAME|LEAVES")
    depth: int = option("Steps from the root.", WholeNumber(say("The depth"), 1, 60), default=2)
    method: str = option("How values are found.", click.Choice(("minimax", "alphabeta")), default="minimax")
    position: str | None = fields.POSITION
    out: Path | None = option("Draw it to this file, as SVG.", fields.FILE_PATH)


@command(TreeRequest)
def tree(asked: TreeRequest) -> None:
    """Draw a game tree with the values of minimax, and what alpha-beta leaves out.

    Of GAME from its start or a position, or with LEAVES such as "((3 2) (5 9)) ((1 0) (4 7))".
    """
    from papan.research import trees

    with refusing(OptionError, PositionError, trees.TreeError):
        if asked.tree.lstrip().startswith("("):
            root = trees.read(asked.tree)
        else:
            game = GameName().convert(asked.tree, None, None)
            match = Match.new(game, [""] * seats_of(game, asked.options), asked.options, 0, asked.position)
            root = trees.of_game(game, match.state, asked.depth)
    trees.search(root, prunes=asked.method == "alphabeta")
    if asked.out is not None:
        with refusing(OutputError):
            write_whole(asked.out, trees.drawn(root))
    every = list(trees.nodes_of(root))
    seen = sum(node.value is not None for node in every)
    if asked.as_json:
        print_json({"method": asked.method, "nodes": len(every), "seen": seen, "tree": _facts(root)})
    elif asked.out is None:
        for line in trees.lines(root, _told):
            show(line)
        show()
    if not asked.as_json:
        show_said("{seen} of {nodes} nodes seen", seen=seen, nodes=len(every))


def _told(node: Node) -> str:
    """A node as a line of text."""
    if node.value is None:
        return joined([*filter(None, [node.label]), say("(left out)")], " ")
    kind = [] if not node.children else [say("highest") if node.is_max else say("lowest")]
    return joined([*filter(None, [node.label]), *kind, node.told()], " ")


def _facts(node: Node) -> dict[str, Any]:
    return {
        "label": node.label,
        "value": node.value,
        "bound": node.sign or None,
        **({"takes": "highest" if node.is_max else "lowest"} if node.children else {}),
        "children": [_facts(child) for child in node.children],
    }
