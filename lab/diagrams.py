"""Draws the state diagrams in docs/diagrams.md from the declarations: run ``python -m lab.diagrams``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.catalogue import GAMES
from game.places import bundled
from game.turn import TurnMachine

DIAGRAMS = bundled("docs", "diagrams.md")

_INTRODUCTION = """\
# State diagrams

Generated from the program by `python -m lab.diagrams`: change the declarations, not this file.

## The turn controller

Who is due: a person, the computer, chance, or the window that shows a step (`game/turn.py`).
Conditions stand in brackets; where several arrows of one name leave a state, the first that holds is taken.
"""
_PHASES = """\

## The phases of {title}

What the seat to act is about to do (`PHASES` in `{path}`). Any step may also end the game.
"""


def _fenced(diagram: str) -> str:
    return f"\n```mermaid\n{diagram.strip()}\n```\n"


def phases_diagram(phases: Mapping[str, Sequence[str]]) -> str:
    """A state diagram in Mermaid's language of a game's ``PHASES``."""
    names = {phase: phase.replace(" ", "_") for phase in phases}
    lines = ["stateDiagram-v2", "    direction LR"]
    lines += [f'    state "{phase}" as {name}' for phase, name in names.items()]
    lines += [f"    [*] --> {next(iter(names.values()))}"]
    lines += [f"    {names[phase]} --> {names[after]}" for phase, following in phases.items() for after in following]
    return "\n".join(lines)


def document() -> str:
    """What docs/diagrams.md should hold."""
    parts = [_INTRODUCTION, _fenced(f"{TurnMachine:mermaid}")]
    for game in GAMES.values():
        path = game.module.replace(".", "/") + ".py"
        parts += [_PHASES.format(title=game.title, path=path), _fenced(phases_diagram(game.rules.PHASES))]
    return "".join(parts)


if __name__ == "__main__":
    DIAGRAMS.write_text(document(), encoding="utf-8")
