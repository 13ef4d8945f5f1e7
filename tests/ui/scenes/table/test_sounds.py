"""What is heard at the table, and in the settings."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pygame
import pytest

from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.ui.scenes.keys_message import KeysMessage
from papan.ui.scenes.settings import SettingsScene
from papan.ui.settings import VOLUMES, Settings
from papan.ui.widgets.buttons import IconButton
from papan.ui.widgets.choices import Segments
from papan.ui.window.loudspeaker import Loudspeaker
from tests.ui.at_table import AtTable
from tests.ui.hands import Ears, NoDevice


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture
def window(home: Path, ears: Ears) -> Iterator[AtTable]:
    window = AtTable(loudspeaker=ears)
    yield window
    window.close()


def play(window: AtTable, *cells: int) -> None:
    for cell in cells:
        window.click_cell(cell)
        window.settle()


class TestSteps:
    def test_each_is_heard_as_it_is_shown(self, window: AtTable, ears: Ears) -> None:
        window.sit_down("connect-four", "human", "minimax:easy")
        window.click_cell(3)
        assert ears.taken() == [], "the disc is falling"
        window.settle_thinking()
        assert ears.taken() == ["disc landed", "disc settled"]
        assert set(ears.loudness) == {VOLUMES["normal"]}
        window.told.tell(3)
        window.settle()
        assert ears.taken() == ["disc landed", "disc settled"]

    def test_of_one_that_is_skipped_the_end_is_heard_at_once(self, window: AtTable, ears: Ears) -> None:
        window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.click_cell(3)
        assert ears.taken() == ["disc settled"]

    def test_without_animations_the_end_is_heard_and_a_refusal(self, window: AtTable, ears: Ears) -> None:
        window.app.settings.animation = "off"
        window.sit_down("othello", "human", "human")
        play(window, 19)
        assert ears.taken() == ["disc turned"]
        window.click_cell(0)
        assert ears.taken() == ["refused"]

    def test_a_piece_is_lifted_and_set_down(self, window: AtTable, ears: Ears) -> None:
        window.sit_down("checkers", "human", "human")
        table = window.table
        origin, target = table.match.rules.cells(table.match.state, table.match.legal_steps()[0])
        window.click_cell(origin)
        assert ears.taken() == ["lift"]
        window.click_cell(target)
        window.settle()
        assert ears.taken() == ["wood"]

    def test_what_is_taken_back_and_played_again(self, window: AtTable, ears: Ears) -> None:
        window.sit_down("connect-four", "human", "human")
        window.press(pygame.K_z, pygame.KMOD_LCTRL)
        window.press(pygame.K_y, pygame.KMOD_LCTRL)
        assert ears.taken() == [], "there is nothing yet"
        play(window, 3)
        ears.taken()
        window.press(pygame.K_z, pygame.KMOD_LCTRL)
        window.press(pygame.K_y, pygame.KMOD_LCTRL)
        assert ears.taken() == ["taken back"] * 2
        window.click("undo")
        window.frames(3)
        assert ears.taken() == ["taken back"]

    def test_an_animation_that_undoing_cuts_short_is_not_heard_later(self, window: AtTable, ears: Ears) -> None:
        window.sit_down("connect-four", "human", "human")
        window.click_cell(3)
        window.press(pygame.K_z, pygame.KMOD_LCTRL)
        window.frames(60)
        assert ears.taken() == ["taken back"]


class TestSignals:
    def test_a_hint_is_heard_once(self, window: AtTable, ears: Ears) -> None:
        window.sit_down("connect-four", "human", "human")
        window.press(pygame.K_h, pygame.KMOD_LCTRL)
        window.frames(2)
        assert ears.taken() == []
        window.told.tell(3)
        window.frames(5)
        assert ears.taken() == ["hint"]

    @pytest.mark.parametrize(
        ("seats", "sound"),
        [(("human", "minimax:easy"), "won"), (("minimax:easy", "human"), "lost"), (("human",) * 2, "won")],
    )
    def test_the_end_unless_it_was_before(
        self, window: AtTable, ears: Ears, seats: tuple[str, ...], sound: str
    ) -> None:
        match = Match.new(GAMES["connect-four"], seats, {"first": "1"})
        for column in (0, 1, 0, 1, 0, 1):
            match.play(column)
        table = window.sit_down_at(match)
        if seats[0] == "human":
            window.click_cell(0)
        else:
            window.told.tell(0)
        window.until(lambda: match.ending and not table.session.showing)
        window.frames(10)
        assert ears.taken() == ["disc landed", "disc settled", sound]
        window.app.rebuild(table)
        window.frames(10)
        assert ears.taken() == []


class TestSettings:
    def test_sounds_that_are_off_are_not_even_read(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        opened: list[str] = []
        own = ASSETS.open

        def note(name: str, read: Callable[[Path], object]) -> object:
            opened.append(name)
            return own(name, read)

        monkeypatch.setattr(ASSETS, "open", note)
        window = AtTable(loudspeaker=Loudspeaker(NoDevice()))
        window.app.settings.sound = False
        before = threading.active_count()
        window.sit_down("connect-four", "human", "human")
        play(window, 3)
        assert threading.active_count() == before
        assert not [name for name in opened if name.startswith("sounds/")]
        window.close()

    def test_m_turns_them_off_and_on_and_so_does_a_button_that_shows_it(self, window: AtTable, ears: Ears) -> None:
        window.sit_down("connect-four", "human", "human")
        button = window.widget_as("sound", IconButton)
        assert button.icon == "sound"
        window.press(pygame.K_m, pygame.KMOD_LCTRL)
        assert window.app.settings.sound, "with Ctrl it means nothing"
        window.press(pygame.K_m, text="m")
        window.frames()
        assert not window.app.settings.sound and window.app.notice == "Sounds are off."
        assert button.icon == "sound off"
        play(window, 3)
        assert ears.taken() == []
        window.press(pygame.K_m, text="m")
        assert window.app.settings.sound and ears.taken() == ["wood"]
        window.click("sound")
        assert not window.app.settings.sound
        window.press(pygame.K_F1)
        assert ("M", "sounds on or off") in window.scene_as(KeysMessage).entries

    def test_each_volume_is_heard_when_it_is_chosen(self, window: AtTable, ears: Ears) -> None:
        window.show(SettingsScene(window.app))
        row = window.widget_as("sounds", Segments)
        for name in ("loud", "quiet"):
            row.choose(name)
            assert ears.taken() == ["wood"] and ears.loudness[-1] == VOLUMES[name]
            assert window.app.settings.volume == name and window.app.settings.sound
        row.choose("off")
        assert not window.app.settings.sound and ears.taken() == []
        assert window.app.settings.volume == "quiet", "for when they are turned on again"

    def test_the_row_follows_the_key_and_both_are_kept(self, window: AtTable) -> None:
        window.show(SettingsScene(window.app))
        row = window.widget_as("sounds", Segments)
        for value in ("off", "normal", "off"):
            window.press(pygame.K_m, text="m")
            assert row.value == value
        row.choose("loud")
        window.press(pygame.K_m, text="m")
        with closing(Settings()) as again:
            assert (again.sound, again.volume) == (False, "loud")


class TestWindow:
    def test_nothing_is_prepared_or_heard_before_the_first_frame(self, window: AtTable, ears: Ears) -> None:
        assert window.app.frames == 0
        window.app.play_sound("won")
        window.app.prepare_sounds()
        assert ears.taken() == [] and not ears.is_prepared
        window.sit_down("connect-four", "human", "human")
        assert window.app.frames and ears.is_prepared
        window.app.play_sound("won")
        assert ears.taken() == ["won"]

    def test_nor_where_they_are_off(self, window: AtTable, ears: Ears) -> None:
        window.app.settings.sound = False
        window.sit_down("connect-four", "human", "human")
        play(window, 3)
        assert not ears.is_prepared
