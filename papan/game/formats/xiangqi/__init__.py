"""Files of xiangqi: one module a kind of file; ``notation`` and ``tree`` have what they share."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.formats import Format
from papan.game.formats.xiangqi import cbf, ccbridge, dhtmlxq, pgn, positions, xqf

FORMATS: Sequence[Format] = (
    *pgn.FORMATS,
    *dhtmlxq.FORMATS,
    *xqf.FORMATS,
    *ccbridge.FORMATS,
    *cbf.FORMATS,
    *positions.FORMATS,
)
