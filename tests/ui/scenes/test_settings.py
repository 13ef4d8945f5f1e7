"""The settings of how things are told: moves in words, engine details, the person's name and face."""

from __future__ import annotations

import pygame

from papan.game.catalogue import GAMES
from papan.ui.drawing.faces import PERSON, face_of
from papan.ui.scenes.settings import SettingsScene
from papan.ui.settings import NOTATION, WORDS
from papan.ui.texts.manner import tells_details, tells_words
from papan.ui.texts.wording import player_names
from papan.ui.widgets.choices import Segments, Toggle
from papan.ui.widgets.player_cards import FaceChoice, SeatCard
from papan.ui.widgets.text_field import TextField
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


def names_at(*seats: str) -> list[str]:
    return player_names(seats, GAMES["othello"])


def test_a_name_takes_the_place_of_you(hands: Hands) -> None:
    assert names_at("human", "random") == ["You", "Random"]
    hands.show(SettingsScene(hands.app))
    hands.focus("person name")
    hands.type(" Budi ")
    hands.keys(pygame.K_ESCAPE, pygame.K_ESCAPE)
    assert hands.app.settings.person_name == " Budi "
    assert names_at("human", "random") == ["Budi", "Random"]
    assert names_at("human", "human") == ["Player 1", "Player 2"], "it would not tell who of them"


def test_a_name_has_no_signs_that_cannot_be_shown(hands: Hands) -> None:
    scene = hands.show(SettingsScene(hands.app))
    field = scene.widgets.named("person name")
    assert isinstance(field, TextField)
    field.write("B\u202eudi" + "x" * 40)
    assert hands.app.settings.person_name == "Budi" + "x" * 16


def test_a_face_is_chosen_and_shown_at_the_table(window: AtTable) -> None:
    assert face_of("human") == PERSON
    window.show(SettingsScene(window.app))
    window.widget_as("person face", FaceChoice).choose("bun")
    assert window.app.settings.person_face == face_of("human") == "bun"
    window.sit_down("othello", "human", "minimax:easy")
    assert window.widget_as("seat 1", SeatCard).view.face == "bun"
    window.sit_down("othello", "human", "human")
    assert window.widget_as("seat 1", SeatCard).view.face == ""
