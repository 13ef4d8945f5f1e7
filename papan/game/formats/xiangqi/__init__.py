"""Files of xiangqi: one module a kind of file; ``notation`` has what they share."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.formats import Format

FORMATS: Sequence[Format] = ()
