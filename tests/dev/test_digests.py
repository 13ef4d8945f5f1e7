"""The module of digests, as the tool writes it."""

from __future__ import annotations

from dev.digests import FILE, source
from papan.game.base.assets import ASSETS


class TestModule:
    def test_is_as_it_is_written(self) -> None:
        assert FILE.read_text(encoding="utf-8") == source(ASSETS.folder)
