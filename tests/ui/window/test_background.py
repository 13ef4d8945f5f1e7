"""What is done beside the window: whatever one game lacks, the others are loaded."""

from __future__ import annotations

import dataclasses

import pytest

from papan.game.catalogue import GAMES
from papan.game.facts import Game, PartError
from papan.ui.window import background

FOUR = GAMES["connect-four"]


class TestLoading:
    def test_beside_the_window_all_games_are_tried_whatever_one_lacks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        tried: list[str] = []

        def load(game: Game) -> None:
            tried.append(game.name)
            if game.name == "lacking":
                raise PartError("no such module")

        lacking = dataclasses.replace(FOUR, name="lacking")
        monkeypatch.setattr(background, "GALLERY", {"lacking": lacking, "connect-four": FOUR})
        for part in ("evaluation_of", "exact_of", "page_of"):
            monkeypatch.setattr(background, part, load)
        loaded: set[str] = set()
        told: list[set[str]] = []
        background.load_what_comes_next(loaded, lambda: told.append(set(loaded)))
        assert tried == ["lacking", *["connect-four"] * 3]
        assert told == [{"lacking"}, {"lacking", "connect-four"}]
