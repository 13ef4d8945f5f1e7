"""Files of Santorini, one module a format."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.formats import Format

FORMATS: Sequence[Format] = ()
