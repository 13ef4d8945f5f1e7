"""Speech: what is said to those who listen, by a voice that only notes it, and the platform's own programs."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from dev.scenery import unfinished_match
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.presentation import cells_in_words, setup_of
from papan.game.rules import observe
from papan.game.rules.catur_jawa.board import CELLS, HAND
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.settings import SettingsScene
from papan.ui.texts import use
from papan.ui.widgets.choices import Toggle
from papan.ui.window.speech import Speaker, SpeakingProcess, Voice, find_voice, missing_voice
from tests.ui.at_table import AtTable
from tests.waiting import wait_for


class Listener(Speaker):
    """A speaker that only notes what it is to say."""

    def __init__(self) -> None:
        super().__init__(lambda text, language: Silent())
        self.said: list[tuple[str, str, bool]] = []
        self.is_stopped = self.is_closed = False

    def say(self, text: str, language: str, *, waits: bool = False) -> None:
        self.said.append((text, language, waits))

    def stop(self) -> None:
        self.is_stopped = True

    def close(self) -> None:
        self.is_closed = True

    def taken(self) -> list[str]:
        """All that was said since this was last asked."""
        said, self.said = [text for text, _language, _waits in self.said], []
        return said


class Silent(SpeakingProcess):
    """A child that has nothing to say."""

    def __init__(self) -> None:
        """It starts no process."""

    def is_speaking(self) -> bool:
        return False

    def stop(self) -> None:
        """Nothing goes on."""

    def complaint(self) -> str:
        return ""


@pytest.fixture
def ear() -> Listener:
    return Listener()


@pytest.fixture
def window(home: Path, ear: Listener) -> Iterator[AtTable]:
    window = AtTable(speaker=ear)
    window.app.settings.speech = True
    yield window
    window.close()


class TestAtATable:
    def test_nothing_is_said_unless_it_is_asked_for(self, window: AtTable, ear: Listener) -> None:
        window.app.settings.speech = False
        window.sit_down("connect-four", "human", "human")
        window.keys(pygame.K_RIGHT, pygame.K_RETURN)
        window.settle()
        assert ear.taken() == []

    def test_the_turn_that_was_played_and_whose_turn_it_is(self, window: AtTable, ear: Listener) -> None:
        window.sit_down("connect-four", "human", "human")
        [begin] = ear.taken()
        assert begin.startswith("Connect Four. ") and "Player 1: " in begin
        window.click_cell(3)
        window.settle()
        window.frames(2)
        said = " ".join(ear.taken())
        assert "Player 1 played Column 4" in said and "Player 2: " in said
        window.frames(5)
        assert ear.taken() == [], "each is said once"

    def test_what_is_taken_back_is_not_said_again(self, window: AtTable, ear: Listener) -> None:
        window.sit_down("connect-four", "human", "human")
        for cell in (3, 2):
            window.click_cell(cell)
            window.settle()
        window.frames(2)
        ear.taken()
        window.press(pygame.K_z, pygame.KMOD_LCTRL)
        window.settle()
        window.frames(2)
        assert not any("played" in text and text.startswith("Player 1 played Column 4") for text in ear.taken())

    def test_a_cell_under_the_cursor_with_what_stands_on_it(self, window: AtTable, ear: Listener) -> None:
        window.sit_down("gomoku", "human", "human")
        ear.taken()
        window.press(pygame.K_LEFT)
        assert ear.said[-1] == ("g8, empty, can be chosen.", "en", False), "at once, as it answers a key"
        ear.taken()
        window.press(pygame.K_RETURN)
        window.settle()
        window.keys(pygame.K_RIGHT, pygame.K_LEFT)
        assert ear.taken()[-1] == "g8, Black stone."

    def test_an_ending(self, window: AtTable, ear: Listener) -> None:
        table = window.sit_down("connect-four", "human", "human")
        for cell in (0, 1, 0, 1, 0, 1, 0):
            window.click_cell(cell)
            window.settle()
        window.frames(3)
        assert table.match.ending is not None
        assert any("Player 1 won" in text for text in ear.taken())

    def test_a_notice_and_a_refusal(self, window: AtTable, ear: Listener) -> None:
        window.sit_down("othello", "human", "human")
        ear.taken()
        window.app.notify("Saved.")
        window.frames()
        assert ear.taken() == ["Saved."]
        window.click_cell(0)
        window.frames()
        assert any("turns nothing over" in text for text in ear.taken())


class TestElsewhere:
    def test_the_focused_widget(self, window: AtTable, ear: Listener) -> None:
        window.show(SettingsScene(window.app))
        ear.taken()
        window.press(pygame.K_TAB)
        assert ear.taken() == ["Back."]
        window.press(pygame.K_TAB)
        assert ear.taken()[-1].startswith("Language, ")
        window.press(pygame.K_TAB)
        assert ear.taken()[-1].startswith("Theme, ")
        before = window.app.settings.theme
        window.press(pygame.K_RIGHT)
        assert window.app.settings.theme != before and ear.taken()[-1] == "Theme, Light."

    def test_not_what_the_mouse_clicks(self, window: AtTable, ear: Listener) -> None:
        window.show(SettingsScene(window.app))
        ear.taken()
        window.click("sounds")
        window.frames(2)
        assert ear.taken() == []

    def test_a_dialog(self, window: AtTable, ear: Listener) -> None:
        window.press(pygame.K_TAB)
        window.show(Message(window.app, "Resign?", "The match **ends**."))
        assert ear.taken()[-1] == "Resign?. The match ends. Close."

    def test_a_menu(self, window: AtTable, ear: Listener) -> None:
        window.sit_down("connect-four", "human", "human")
        window.keys(pygame.K_F10, pygame.K_DOWN)
        assert ear.taken()[-1].startswith("Offer a draw, Ctrl+D")

    def test_the_words_are_in_the_language_of_the_window(self, window: AtTable, ear: Listener) -> None:
        window.app.settings.language = "id"
        window.app.apply_settings()
        window.show(SettingsScene(window.app))
        window.press(pygame.K_TAB)
        text, language, _waits = ear.said[-1]
        assert language == "id" and text == "Kembali."
        use("en")

    def test_turned_off_it_falls_silent_and_at_quit_it_ends(self, window: AtTable, ear: Listener) -> None:
        window.show(SettingsScene(window.app))
        toggle = window.widget_as("speech", Toggle)
        toggle.activate()
        assert ear.is_stopped and not window.app.settings.speech
        window.app._close()
        assert ear.is_closed
        window.app = AtTable().app  # for the fixture, which closes one

    def test_the_setting_says_what_is_missing(self, home: Path) -> None:
        window = AtTable(speaker=Speaker(None, missing_voice("linux")))
        window.show(SettingsScene(window.app))
        assert "spd-say" in window.widget_as("speech", Toggle).note
        window.close()


class TestHiddenCards:
    def test_are_never_spoken_to_a_seat_that_may_not_see_them(self, window: AtTable, ear: Listener) -> None:
        table = window.sit_down("catur-jawa", "human", "random")
        state = table.match.state
        mine = {cells_in_words(table.match.game, observe(state, 0))(CELLS + place) for place in range(HAND)}
        assert all("of Player 1" in words for words in mine)
        others = state._replace(to_move=1)
        for place in range(HAND):
            words = cells_in_words(table.match.game, observe(others, 0))(CELLS + place)
            assert words == f"Card {place + 1} in the hand, hidden"

    def test_between_two_people_no_hand_is_spoken(self, window: AtTable, ear: Listener) -> None:
        table = window.sit_down("catur-jawa", "human", "human")
        window.frames(3)
        assert table.session.passes_to is not None
        ear.taken()
        window.press(pygame.K_TAB)
        window.frames(2)
        assert not any("of Player" in text for text in ear.taken())
        for place in range(HAND):
            assert "of Player" not in cells_in_words(table.match.game, table.picture().state)(CELLS + place)


@pytest.mark.parametrize("game", list(GALLERY.values()), ids=lambda game: game.name)
def test_what_stands_on_each_cell_is_told_by_its_brush(game: Game) -> None:
    """What is put on a cell is what is said to stand there."""
    setup, state = setup_of(game), unfinished_match(game, 2, 14).state
    assert setup is not None
    bare = setup.cleared(state)
    told = 0
    for brush in setup.brushes(bare)[:6]:
        for cell in (0, 1):
            words = cells_in_words(game, setup.put(bare, brush.code, cell))(cell)
            told += brush.name in words.split(", ")
            assert brush.name in words.split(", "), words
    assert told and cells_in_words(game, bare)(0)


class Mouth:
    """Children that speak until they are told to stop, or let go."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.stopped: list[str] = []
        self.may_end = threading.Event()

    def begin(self, text: str, language: str) -> SpeakingProcess:
        self.begun.append(text)
        return _Speaking(self, text)


class _Speaking(SpeakingProcess):
    def __init__(self, mouth: Mouth, text: str) -> None:
        self._mouth, self._text, self._is_stopped = mouth, text, False

    def is_speaking(self) -> bool:
        return not (self._is_stopped or self._mouth.may_end.is_set())

    def stop(self) -> None:
        self._is_stopped = True
        self._mouth.stopped.append(self._text)

    def complaint(self) -> str:
        return ""


class TestTheSpeaker:
    def test_what_is_urgent_comes_instead(self) -> None:
        mouth = Mouth()
        speaker = Speaker(mouth.begin)
        speaker.say("one", "en")
        wait_for(lambda: mouth.begun == ["one"])
        speaker.say("two", "en")
        wait_for(lambda: mouth.begun == ["one", "two"])
        assert mouth.stopped == ["one"]
        speaker.close()
        assert mouth.stopped == ["one", "two"], "at quit, too"

    def test_news_wait_for_their_turn(self) -> None:
        mouth = Mouth()
        speaker = Speaker(mouth.begin)
        speaker.say("one", "en")
        wait_for(lambda: mouth.begun == ["one"])
        speaker.say("two", "en", waits=True)
        time.sleep(0.1)
        assert mouth.begun == ["one"]
        mouth.may_end.set()
        wait_for(lambda: mouth.begun == ["one", "two"])
        assert mouth.stopped == []
        speaker.close()

    def test_of_many_that_wait_the_oldest_are_left_out(self) -> None:
        mouth = Mouth()
        speaker = Speaker(mouth.begin)
        speaker.say("first", "en")
        wait_for(lambda: mouth.begun == ["first"])
        for number in range(20):
            speaker.say(str(number), "en", waits=True)
        mouth.may_end.set()
        wait_for(lambda: mouth.begun[-1] == "19")
        assert mouth.begun == ["first", "16", "17", "18", "19"]
        speaker.close()

    def test_a_failure_is_told_once(self) -> None:
        def fail(text: str, language: str) -> SpeakingProcess:
            raise OSError("no device")

        told: list[str] = []
        speaker = Speaker(fail, fail=told.append)
        for text in ("one", "two"):
            speaker.say(text, "en", waits=True)
        wait_for(lambda: not speaker._waiting)
        speaker.close()
        assert told == ["no device"] and speaker.trouble == "no device"

    def test_without_a_voice_it_says_what_is_missing(self) -> None:
        speaker = Speaker(None, missing_voice("darwin"))
        speaker.say("one", "en")
        assert not speaker.can_speak and "say" in speaker.trouble
        speaker.close()


class TestThePlatformsVoices:
    @pytest.mark.parametrize(
        ("platform", "program"), [("linux", "spd-say"), ("darwin", "say"), ("win32", "powershell")]
    )
    def test_are_found_by_their_program(self, platform: str, program: str) -> None:
        voice = find_voice(platform, lambda name: f"/bin/{name}" if name == program else None)
        assert voice is not None and voice.words[0] == f"/bin/{program}"
        assert find_voice(platform, lambda name: None) is None and missing_voice(platform)

    def test_text_is_no_option_and_no_code(self) -> None:
        """Names of players come from records of strangers."""
        for platform in ("linux", "darwin"):
            voice = find_voice(platform, lambda name: name)
            assert voice is not None and not voice.takes_input and voice.words[-1] == "--"
        voice = find_voice("win32", lambda name: name)
        assert voice is not None and voice.takes_input
        assert "{language}" in voice.words[-1] and "{{" not in voice.words[-1].format(language="pt")

    def test_a_child_speaks_what_it_is_given(self, tmp_path: Path) -> None:
        heard = tmp_path / "heard"
        code = f"import sys; open({str(heard)!r}, 'w', encoding='utf-8').write(sys.stdin.buffer.read().decode())"
        child = SpeakingProcess(Voice((sys.executable, "-c", code), takes_input=True), "Giliran Anda: é", "id")
        wait_for(lambda: not child.is_speaking())
        assert child.complaint() == "" and heard.read_text(encoding="utf-8") == "Giliran Anda: é"

    def test_a_child_that_fails_says_why(self) -> None:
        code = "import sys; sys.exit('no daemon')"
        child = SpeakingProcess(Voice((sys.executable, "-c", code)), "text", "en")
        wait_for(lambda: not child.is_speaking())
        assert child.complaint() == "no daemon"

    @pytest.mark.skipif(sys.platform == "win32", reason="services are not started so there")
    def test_a_service_that_a_child_leaves_behind_holds_nobody_up(self) -> None:
        code = (
            "import subprocess, sys\n"
            "sys.exit(str(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']).pid))"
        )
        child = SpeakingProcess(Voice((sys.executable, "-c", code)), "text", "en")
        wait_for(lambda: not child.is_speaking())
        os.kill(int(child.complaint()), signal.SIGKILL)

    def test_a_child_can_be_stopped(self) -> None:
        child = SpeakingProcess(Voice((sys.executable, "-c", "import time; time.sleep(60)")), "text", "en")
        assert child.is_speaking()
        child.stop()
        assert not child.is_speaking()
