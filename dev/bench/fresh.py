"""Figures that only a fresh process of the program can tell."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from papan.game.base.places import HOME_VARIABLE, KERNELS_VARIABLE
from papan.game.base.sentences import say
from papan.lab.printing import MADE_BY

FRESH_PROCESS_SECONDS = 300


class FreshProcessError(Exception):
    """A process that was started to be measured failed; the message is what it said."""


def asked_of_fresh_process(words: Sequence[str], home: Path) -> dict[str, Any]:
    """The JSON that the command *words* prints with *home* for its files, but for how it was made.

    :raises FreshProcessError: it failed.
    """
    environment = {**os.environ, HOME_VARIABLE: str(home)}
    environment.pop(KERNELS_VARIABLE, None)  # what is compiled is kept there, too
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=FRESH_PROCESS_SECONDS)
    if ran.returncode:
        raise FreshProcessError(
            ran.stderr.strip()
            or say("{command} ended with exit code {code}.", command=f"'{' '.join(words)}'", code=ran.returncode)
        )
    answer: dict[str, Any] = json.loads(ran.stdout)
    answer.pop(MADE_BY, None)
    return answer
