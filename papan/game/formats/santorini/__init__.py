"""Files of Santorini, one module a format."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.formats import Format
from papan.game.formats.santorini.arena import Arena
from papan.game.formats.santorini.best_moves import BestMoves

FORMATS: Sequence[Format] = (Arena(), BestMoves())
