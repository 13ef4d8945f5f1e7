"""A form with options that are texts: Santorini on graphs."""

from __future__ import annotations

import pygame

from papan.game.catalogue import GAMES
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.services import Services
from papan.ui.widgets.dropdown import Suggestions
from papan.ui.widgets.text_field import TextField
from tests.ui.hands import Hands

GAME = GAMES["santorini-graph"]


class TestTheForm:
    def test_variant_and_board_are_texts_with_suggestions(self, hands: Hands) -> None:
        started: list[dict[str, str]] = []
        services = Services(start_match=lambda game, players, options, seed: started.append(dict(options)))
        form = NewGameScene(hands.app, GAME, services)
        hands.show(form)
        hands.click("options")
        hands.check_layout()
        suggestions, field = hands.widget("option board suggestions"), hands.widget("option board")
        assert isinstance(suggestions, Suggestions) and isinstance(field, TextField)
        suggestions.choose("cycle:12")
        hands.frames()
        assert field.text == form.choices.options["board"] == "cycle:12"
        field.write("path:5")
        suggestions.choose("cycle:12")  # once more, after a change by hand
        assert field.text == "cycle:12"
        field.write("path:7")
        form.start()
        assert not form.error and started[0]["board"] == "path:7"
        assert NewGameScene(hands.app, GAME).choices.options["board"] == "path:7"

    def test_codes_are_shown_in_words_until_they_are_edited(self, hands: Hands) -> None:
        hands.show(NewGameScene(hands.app, GAME))
        hands.click("options")
        variant = hands.widget_as("option variant", TextField)
        assert variant.spoken("4W_P4H_TWUS") == "4 workers, the ordinary game"
        assert variant.spoken("2W_P3H_TWUS") == "2 workers, towers of 3"
        assert variant.spoken("nonsense") == "nonsense"
        assert "4W_P4H_TWUS" in variant.tooltip
        variant.write("2W_P3H_TWUS")
        assert "2W_P3H_TWUS" in variant.tooltip and variant.text == "2W_P3H_TWUS"

        def field() -> bytes:
            return pygame.image.tobytes(hands.app.surface.subsurface(variant.rect.inflate(-6, -6)), "RGB")

        hands.frames(2)
        in_words = field()
        hands.focus("option variant")
        hands.frames(2)
        assert field() != in_words
