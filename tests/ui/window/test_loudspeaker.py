"""Sounds are played beside the window; without a device that works there is silence, and a line in the log."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pygame
import pytest

from papan.game.base.assets import ASSETS
from papan.tools.trials.assets import damaged_copy
from papan.ui.sounds import SOUNDS, VARIANTS, file_name
from papan.ui.window import loudspeaker as module
from papan.ui.window.loudspeaker import RETRY_SECONDS, STALE_SECONDS, Loudspeaker
from papan.ui.window.mixer import Mixer, MixerError
from tests.waiting import PATIENCE


class Fake:
    """A device that notes what it is asked for, and fails when it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.loudness: list[float] = []
        self.fails_to_open = False
        self.fails_to_play = False
        self.was_tried = threading.Event()
        self.answers = threading.Event()
        self.answers.set()
        self.has_played = threading.Event()
        self.has_closed = threading.Event()

    def open(self) -> None:
        self.asked.append("open")
        self.answers.wait(PATIENCE)
        self.was_tried.set()
        if self.fails_to_open:
            raise MixerError("No such audio device")

    def play(self, name: str, loudness: float) -> None:
        self.asked.append(name)
        self.loudness.append(loudness)
        self.has_played.set()
        if self.fails_to_play:
            raise MixerError("It has vanished")

    def close(self) -> None:
        self.asked.append("close")
        self.has_closed.set()


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Speaker(Loudspeaker):
    """A loudspeaker whose time a test lets pass."""

    def __init__(self, device: Fake | Mixer, *, exists: bool = True) -> None:
        self.time = Clock()
        super().__init__(device, may_exist=lambda: exists, clock=self.time)

    def play_in_turn(self, times: int, seconds: float = 5.0) -> None:
        for _ in range(times):
            self.play("wood", 0.5)
            self.time.now += seconds


@pytest.fixture
def device() -> Fake:
    return Fake()


@pytest.fixture
def heard(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.INFO, logger=module.__name__):
        yield caplog


class TestPlaying:
    def test_nothing_is_opened_or_begun_before_the_first_sound(self, device: Fake) -> None:
        before = threading.active_count()
        speaker = Speaker(device)
        speaker.device_changed()
        assert threading.active_count() == before
        assert speaker.close() and device.asked == []

    def test_is_opened_once_and_let_go_of_at_the_end(self, device: Fake) -> None:
        speaker = Speaker(device)
        speaker.play("stone", 0.5)
        assert device.has_played.wait(PATIENCE)
        speaker.play("card", 0.5)  # too soon after the first
        assert speaker.close()
        assert device.asked == ["open", file_name("stone", 0), "close"]
        assert device.loudness == [0.5]

    def test_variants_come_in_turn(self, device: Fake) -> None:
        speaker = Speaker(device)
        for _ in range(VARIANTS["wood"] + 1):
            device.has_played.clear()
            speaker.play("wood", 0.5)
            assert device.has_played.wait(PATIENCE)
            speaker.time.now += 5.0
        speaker.close()
        played = device.asked[1:-1]
        assert played == [file_name("wood", number) for number in (*range(VARIANTS["wood"]), 0)]

    def test_many_at_once_are_quieter_and_fewer(self, device: Fake) -> None:
        speaker = Speaker(device)
        for _ in range(30):
            device.has_played.clear()
            before = len(device.loudness)
            speaker.play("wood", 1.0)
            speaker.time.now += 0.1
            if not device.has_played.wait(PATIENCE):
                pytest.fail(f"nothing was heard after {before} sounds")
        speaker.close()
        assert device.loudness[0] == 1.0 and device.loudness[-1] < 0.5

    def test_who_plays_never_waits_for_a_device_that_hangs(self, device: Fake) -> None:
        device.answers.clear()
        speaker = Speaker(device)
        speaker.play_in_turn(20)
        assert not speaker.close(), "it does not answer"
        assert device.asked == ["open"]
        device.answers.set()

    def test_what_could_not_be_played_in_time_is_left_out(self, device: Fake) -> None:
        device.answers.clear()
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        speaker.time.now += STALE_SECONDS + 0.1
        speaker.play("stone", 0.5)
        device.answers.set()
        speaker.close()
        assert device.asked == ["open", file_name("stone", 0), "close"]

    def test_is_let_go_of_after_a_while(self, device: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "IDLE_SECONDS", 0.01)
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        assert device.has_closed.wait(PATIENCE)
        speaker.time.now += 5.0
        speaker.play("wood", 0.5)
        speaker.close()
        assert device.asked[:4] == ["open", file_name("wood", 0), "close", "open"]


class TestWithoutDevice:
    def test_is_one_line_in_the_log(self, device: Fake, heard: pytest.LogCaptureFixture) -> None:
        device.fails_to_open = True
        speaker = Speaker(device)
        for _ in range(5):
            speaker.play_in_turn(1, RETRY_SECONDS + 1)
        assert speaker.close()
        assert set(device.asked) == {"open"}
        assert [record.getMessage() for record in heard.records] == [
            "There is no sound: the audio device can't be used: No such audio device"
        ]
        assert heard.records[0].levelno == logging.INFO

    def test_where_there_can_be_none_nothing_is_opened(self, device: Fake, heard: pytest.LogCaptureFixture) -> None:
        speaker = Speaker(device, exists=False)
        speaker.play_in_turn(3)
        assert speaker.close()
        assert device.asked == [] and len(heard.records) == 1

    def test_is_not_tried_at_each_sound(self, device: Fake) -> None:
        device.fails_to_open = True
        speaker = Speaker(device)
        speaker.play_in_turn(5, RETRY_SECONDS / 10)
        speaker.close()
        assert device.asked == ["open"]

    def test_one_that_is_plugged_in_later_is_found(self, device: Fake) -> None:
        device.fails_to_open = True
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        assert device.was_tried.wait(PATIENCE)
        device.fails_to_open = False
        for _ in range(100):  # the time at which it failed may be read after it has passed
            speaker.time.now += RETRY_SECONDS + 1
            speaker.play("wood", 0.5)
            if device.has_played.wait(0.05):
                break
        speaker.close()
        assert device.has_played.is_set()

    def test_one_that_vanishes_is_no_error(self, device: Fake, heard: pytest.LogCaptureFixture) -> None:
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        assert device.has_played.wait(PATIENCE)
        device.fails_to_play = True
        device.has_played.clear()
        speaker.time.now += 5.0
        speaker.play("wood", 0.5)
        assert device.has_played.wait(PATIENCE)
        speaker.time.now += 5.0
        speaker.play("wood", 0.5)
        assert speaker.close()
        assert device.asked == ["open", file_name("wood", 0), file_name("wood", 1), "close"]
        assert len(heard.records) == 1

    def test_one_that_was_unplugged_is_opened_anew(self, device: Fake) -> None:
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        assert device.has_played.wait(PATIENCE)
        speaker.device_changed()
        speaker.time.now += 5.0
        speaker.play("wood", 0.5)
        speaker.close()
        assert device.asked == ["open", file_name("wood", 0), "close", "open", file_name("wood", 1), "close"]


class TestMixer:
    """SDL's own, with a driver that nobody hears."""

    @pytest.fixture
    def mixer(self) -> Iterator[Mixer]:
        mixer = Mixer()
        mixer.open()
        yield mixer
        mixer.close()

    def test_every_sound_can_be_played(self, mixer: Mixer) -> None:
        for sound in SOUNDS:
            for variant in range(VARIANTS[sound]):
                mixer.play(file_name(sound, variant), 0.1)
        assert pygame.mixer.get_busy() and not ASSETS.damaged

    def test_a_file_that_is_damaged_is_not_heard(self, mixer: Mixer, tmp_path_factory: pytest.TempPathFactory) -> None:
        name, own = file_name("wood", 0), ASSETS.folder
        ASSETS.take_from(damaged_copy(tmp_path_factory.mktemp("damaged"), name, "garbled").folder)
        try:
            mixer.play(name, 1.0)
            assert not pygame.mixer.get_busy() and ASSETS.damaged == (name,)
        finally:
            ASSETS.take_from(own)

    def test_a_driver_that_is_none(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SDL_AUDIODRIVER", "gramophone")
        with pytest.raises(MixerError, match=r"\w"):
            Mixer().open()

    def test_can_be_closed_twice_and_opened_again(self, mixer: Mixer) -> None:
        mixer.close()
        mixer.close()
        assert pygame.mixer.get_init() is None
        mixer.open()
        mixer.play(file_name("card", 0), 0.5)
        assert pygame.mixer.get_busy()
