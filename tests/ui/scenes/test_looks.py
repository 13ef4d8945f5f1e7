"""Looks and languages that are chosen while a scene is open: it takes them up, and goes on where it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from papan.game.base import languages
from papan.game.base.assets import Assets, digests_of
from papan.game.catalogue import GAMES
from papan.ui import texts
from papan.ui.scenes.new_game.scene import NewGameScene
from papan.ui.scenes.services import Services
from papan.ui.scenes.settings import SettingsScene
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.player_cards import PlayerCard
from papan.ui.window.program import player_choices
from tests.ui.at_table import AtTable


@pytest.fixture
def bahasa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A translation of a few words."""
    catalog = Catalog(locale="id")
    words = {"Hard": "Sulit", "Undo": "Urungkan", "Xiangqi": "Catur Tiongkok", "Tiger": "Harimau"}
    for english, indonesian in words.items():
        catalog.add(english, indonesian)
    assets = tmp_path / "assets"
    place = assets / "translations" / "id" / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / "papan.mo").open("wb") as file:
        write_mo(file, catalog)
    monkeypatch.setattr(languages, "ASSETS", Assets(assets, digests_of(assets)))
    yield
    texts.use("en")


@pytest.mark.usefixtures("bahasa")
def test_a_table_takes_up_a_board_s_look_and_a_language(window: AtTable) -> None:
    table = window.sit_down("xiangqi", "minimax:hard", "human")
    window.told.tell(table.match.legal_steps()[0])
    window.settle()
    window.click_cell(next(iter(table.session.turn.targets())))
    pointed, front = table.session.turn.pointed, table.view.seat_in_front
    assert table.view.style["pieces"] == "characters" and pointed and table.words.names[0] == "Hard"
    window.show(SettingsScene(window.app))
    window.widget_as("pieces xiangqi", Dropdown).choose("pictures")
    window.widget_as("language", Dropdown).choose("id")
    window.app.pop()
    window.frames(2)
    assert table.view.style["pieces"] == "pictures" and table.words.names[0] == "Sulit"
    assert table.session.turn.pointed == pointed and table.view.seat_in_front == front
    window.check_table()
    window.click_cell(next(iter(table.session.turn.targets())))
    window.settle_thinking()
    assert "Sulit" in table.words.status()[0]


@pytest.mark.usefixtures("bahasa")
def test_a_form_takes_up_a_board_s_look_and_a_language(window: AtTable) -> None:
    services = Services(player_choices=lambda game: player_choices(game, 1.0))
    form = window.show(NewGameScene(window.app, GAMES["xiangqi"], services))
    chosen = list(form.choices.players)
    assert form.board.style["pieces"] == "characters"
    window.app.settings.board_styles = {"xiangqi": "pictures"}
    window.app.settings.language = "id"
    window.app.apply_settings()
    assert form.board.style["pieces"] == "pictures" and form.board.is_still
    assert form.title == "Catur Tiongkok" and form.choices.players == chosen
    assert window.widget_as("card level:7", PlayerCard).title == "Harimau"
