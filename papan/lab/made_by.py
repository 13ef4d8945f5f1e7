"""How an answer says by what it was made: the command, its arguments, the seed, the version of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from papan.game.base.version import VERSION

MADE_BY = "made_by"
"""The name under which an answer in JSON has it."""


def made_by(command: str, arguments: Sequence[str], seed: int | None) -> dict[str, Any]:
    """What an answer says that *command* has made by *arguments*.

    :param seed: also where it was drawn, and is not among the arguments; None where nothing is random.
    """
    return {MADE_BY: {"command": command, "arguments": list(arguments), "seed": seed, "version": VERSION}}
