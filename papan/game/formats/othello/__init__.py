"""Files of Othello."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.formats import Format
from papan.game.formats.othello.boards import Boards
from papan.game.formats.othello.ggf import Ggf
from papan.game.formats.othello.ggs import GgsLog
from papan.game.formats.othello.kaggle import Kaggle
from papan.game.formats.othello.pgn import Pgn
from papan.game.formats.othello.sgf import Sgf
from papan.game.formats.othello.transcripts import Table, Transcripts
from papan.game.formats.othello.wthor import Wthor

FORMATS: Sequence[Format] = (Wthor(), Ggf(), Sgf(), Transcripts(), Pgn(), GgsLog(), Kaggle(), Table(), Boards())
