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
from papan.ui.widgets.choices import Segments
from papan.ui.widgets.dropdown import Dropdown
from papan.ui.widgets.player_cards import PlayerCard
from papan.ui.window.program import player_choices
from tests.ui.at_table import AtTable


@pytest.fixture
def window(home: Path) -> Iterator[AtTable]:
    window = AtTable()
    yield window
    window.close()


@pytest.fixture
def bahasa(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A translation of a few words."""
    catalog = Catalog(locale="id")
    words = {"Hard": "Sulit", "Undo": "Urungkan", "Connect Four": "Empat Berderet", "Tiger": "Harimau"}
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


class TestTable:
    def test_takes_up_a_board_s_look(self, window: AtTable) -> None:
        table = window.sit_down("xiangqi", "human", "human")
        window.click_cell(next(iter(table.session.turn.targets())))
        pointed, front = table.session.turn.pointed, table.view.seat_in_front
        assert table.view.style == "characters" and pointed
        window.show(SettingsScene(window.app))
        window.widget_as("board xiangqi", Segments).choose("pictures")
        window.app.pop()
        window.frames(2)
        assert table.view.style == "pictures"
        assert table.session.turn.pointed == pointed and table.view.seat_in_front == front
        window.check_table()

    @pytest.mark.usefixtures("bahasa")
    def test_takes_up_a_language(self, window: AtTable) -> None:
        table = window.sit_down("connect-four", "minimax:hard", "human")
        assert table.words.names[0] == "Hard"
        window.show(SettingsScene(window.app))
        window.widget_as("language", Dropdown).choose("id")
        window.app.pop()
        window.frames(2)
        assert table.words.names[0] == "Sulit"
        assert "Sulit" in table.words.status()[0]


class TestNewGame:
    def test_takes_up_a_board_s_look(self, window: AtTable) -> None:
        form = window.show(NewGameScene(window.app, GAMES["xiangqi"]))
        assert form.board.style == "characters"
        window.app.settings.board_styles = {"xiangqi": "pictures"}
        window.app.apply_settings()
        assert form.board.style == "pictures" and form.board.is_still

    @pytest.mark.usefixtures("bahasa")
    def test_takes_up_a_language(self, window: AtTable) -> None:
        services = Services(player_choices=lambda game: player_choices(game, 1.0))
        form = window.show(NewGameScene(window.app, GAMES["connect-four"], services))
        chosen = list(form.choices.players)
        window.app.settings.language = "id"
        window.app.apply_settings()
        assert form.title == "Empat Berderet" and form.choices.players == chosen
        assert window.widget_as("card level:7", PlayerCard).title == "Harimau"
