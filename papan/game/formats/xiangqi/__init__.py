"""Files of xiangqi: one module a kind of file; ``notation`` has what they share."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.formats import Format
from papan.game.formats.xiangqi import dhtmlxq, pgn, positions

FORMATS: Sequence[Format] = (*pgn.FORMATS, *dhtmlxq.FORMATS, *positions.FORMATS)
