"""Draws the state diagrams in docs/diagrams.md from the declarations: run ``python -m dev.diagrams``."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from papan.game.base.places import CHECKOUT
from papan.game.base.protocols import offers
from papan.game.catalogue import BUILT_IN
from papan.game.match.turn import TurnMachine
from papan.game.rules import Modelled

DIAGRAMS = CHECKOUT / "docs" / "diagrams.md"

_INTRODUCTION = """\
# State diagrams

Generated from the program by `python -m dev.diagrams`: change the declarations, not this file.

## The turn controller

Who is due: a person, the computer, chance, or the window that shows a step (`papan/game/match/turn.py`).
Conditions stand in brackets; where several arrows of one name leave a state, the first that holds is taken.
"""
_PHASES = """\

## The phases of {title}

What the seat to act is about to do. Any step may also end the game.
`PHASES` in `{path}`.
"""
_MODEL = """\

### The phases of {title} in the paper that models it

With what happens without anybody's choice (`MODEL_PHASES` in `{path}`).
"""


def _code_block(diagram: str) -> str:
    return f"\n```mermaid\n{diagram.strip()}\n```\n"


def phases_diagram(phases: Mapping[str, Sequence[str]]) -> str:
    names = {phase: phase.replace(" ", "_") for phase in phases}
    lines = ["stateDiagram-v2", "    direction LR"]
    lines += [f'    state "{phase}" as {name}' for phase, name in names.items()]
    lines += [f"    [*] --> {next(iter(names.values()))}"]
    lines += [f"    {names[phase]} --> {names[after]}" for phase, following in phases.items() for after in following]
    lines += [f"    {names[phase]} --> [*]" for phase, following in phases.items() if not following]
    return "\n".join(lines)


def document() -> str:
    parts = [_INTRODUCTION, _code_block(f"{TurnMachine:mermaid}")]
    for game in BUILT_IN.values():
        phases = game.rules.PHASES
        path = Path(str(sys.modules[game.parts.rules].__file__)).relative_to(CHECKOUT).as_posix()
        parts += [_PHASES.format(title=game.title, path=path), _code_block(phases_diagram(phases))]
        if offers(game.rules, Modelled) and game.rules.MODEL_PHASES:
            parts += [_MODEL.format(title=game.title, path=path), _code_block(phases_diagram(game.rules.MODEL_PHASES))]
    return "".join(parts)


if __name__ == "__main__":
    DIAGRAMS.write_text(document(), encoding="utf-8")
