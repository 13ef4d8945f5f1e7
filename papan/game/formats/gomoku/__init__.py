"""Files of gomoku, one module a format."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.formats import Format
from papan.game.formats.gomoku.moves import Moves
from papan.game.formats.gomoku.psq import Gomotur, Psq
from papan.game.formats.gomoku.renlib import RenLib
from papan.game.formats.gomoku.rif import Rif
from papan.game.formats.gomoku.sgf import Sgf

FORMATS: Sequence[Format] = (Sgf(), Psq(), Gomotur(), RenLib(), Rif(), Moves())
