"""The settings of how much is told: moves in words, and engine details."""

from __future__ import annotations

from papan.ui.scenes.settings import SettingsScene
from papan.ui.settings import NOTATION, WORDS
from papan.ui.texts.manner import tells_details, tells_words
from papan.ui.widgets.choices import Segments, Toggle
from tests.ui.at_table import AtTable
from tests.ui.hands import Hands


def test_moves_are_in_words_until_notation_is_chosen(hands: Hands) -> None:
    assert hands.app.settings.moves == WORDS and tells_words()
    hands.show(SettingsScene(hands.app))
    hands.widget_as("moves", Segments).choose(NOTATION)
    hands.frames()
    assert hands.app.settings.moves == NOTATION and not tells_words()
    hands.widget_as("moves", Segments).choose(WORDS)
    assert tells_words()


def test_engine_details_are_off_until_they_are_switched_on(hands: Hands) -> None:
    assert not hands.app.settings.engine_details and not tells_details()
    hands.show(SettingsScene(hands.app))
    hands.widget_as("engine details", Toggle).activate()
    assert hands.app.settings.engine_details and tells_details()


def test_the_table_below_speaks_anew(window: AtTable) -> None:
    table = window.sit_down("othello", "human", "human")
    window.click_cell(19)
    window.settle()
    assert [entry.name.shown for row in table.turns.list.rows for entry in row] == ["d3, turns 1 disc"]
    assert table.turns.news().sentence == "Player 1 played d3, turns 1 disc."
    window.app.settings.moves = NOTATION
    window.app.apply_settings()
    window.frames(2)
    assert [entry.name.shown for row in table.turns.list.rows for entry in row] == ["d3"]
    assert table.turns.news().sentence == "Player 1 played d3, turns 1 disc."
