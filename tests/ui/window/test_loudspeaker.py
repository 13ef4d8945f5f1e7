"""Sounds are played beside the window; without a device that works there is silence, and a line in the log."""

from __future__ import annotations

import io
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest

from dev.trials.damage import damaged_copy
from papan.commands.common import command_words
from papan.game.base.assets import ASSETS
from papan.ui.sounds import SOUNDS, VARIANTS, file_name
from papan.ui.window import loudspeaker
from papan.ui.window import loudspeaker as module
from tests.waiting import PATIENCE, wait_for


class Fake(loudspeaker.MixingProcess):
    """A device that notes what it is asked for, and fails when it is told to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.loudness: list[float] = []
        self.fails_to_open = False
        self.fails_to_play = False
        self.answers = threading.Event()
        self.answers.set()

    def open(self) -> None:
        self.asked.append("open")
        self.answers.wait(PATIENCE)
        if self.fails_to_open:
            raise loudspeaker.NoSound("No such audio device")

    def play(self, path: Path, loudness: float) -> None:
        self.asked.append(path.name)
        self.loudness.append(loudness)
        if self.fails_to_play:
            raise loudspeaker.NoSound("It has vanished")

    def close(self) -> None:
        self.asked.append("close")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Speaker(loudspeaker.Loudspeaker):
    """A loudspeaker whose time a test lets pass."""

    def __init__(self, device: Fake) -> None:
        self.time = Clock()
        super().__init__(device, self.time)


def wood(number: int) -> str:
    return Path(file_name("wood", number)).name


@pytest.fixture
def device() -> Fake:
    return Fake()


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """What the log is told."""
    with caplog.at_level(logging.INFO, logger=module.__name__):
        yield caplog


class TestPlaying:
    def test_nothing_is_opened_or_begun_before_the_first_sound(self, device: Fake) -> None:
        before = threading.active_count()
        speaker = Speaker(device)
        assert threading.active_count() == before
        speaker.close()
        assert device.asked == []

    def test_is_opened_once_and_let_go_of_at_the_end(self, device: Fake) -> None:
        speaker = Speaker(device)
        speaker.play("stone", 0.5)
        speaker.play("card", 0.5)  # too soon after the first
        speaker.close()
        assert device.asked == ["open", "stone-1.wav", "close"]
        assert device.loudness == [0.5]

    def test_can_be_made_ready_before(self, device: Fake) -> None:
        speaker = Speaker(device)
        speaker.prepare()
        wait_for(lambda: device.asked == ["open"])
        speaker.play("wood", 1.0)
        speaker.close()
        assert device.asked == ["open", wood(0), "close"] and device.loudness == [1.0]

    def test_variants_come_in_turn(self, device: Fake) -> None:
        speaker = Speaker(device)
        for _ in range(VARIANTS["wood"] + 1):
            speaker.play("wood", 0.5)
            speaker.time.now += 5.0
        speaker.close()
        assert device.asked[1:-1] == [wood(number) for number in (*range(VARIANTS["wood"]), 0)]

    def test_many_in_a_short_time_are_quieter(self, device: Fake) -> None:
        speaker = Speaker(device)
        for _ in range(8):
            speaker.play("wood", 1.0)
            speaker.time.now += 0.1
        speaker.close()
        assert device.loudness[0] == 1.0 and device.loudness[-1] < 0.5 and len(device.loudness) > 4

    def test_who_plays_never_waits_for_a_device_that_hangs(self, device: Fake) -> None:
        device.answers.clear()
        speaker = Speaker(device)
        for _ in range(100):
            speaker.play("wood", 1.0)
            speaker.time.now += 1.0
        assert device.asked in ([], ["open"])
        device.answers.set()
        speaker.close()
        assert len(device.loudness) < 20, "the others were left out"

    def test_is_let_go_of_after_a_while(self, device: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "IDLE_SECONDS", 0.01)
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        wait_for(lambda: device.asked == ["open", wood(0), "close"])
        speaker.time.now += 5.0
        speaker.play("wood", 0.5)
        speaker.close()
        assert device.asked == ["open", wood(0), "close", "open", wood(1), "close"]

    def test_a_file_that_is_damaged_is_not_heard(self, device: Fake, tmp_path: Path) -> None:
        own = ASSETS.folder
        ASSETS.take_from(damaged_copy(tmp_path, file_name("wood", 0), "garbled").folder)
        try:
            speaker = Speaker(device)
            for _ in range(2):
                speaker.play("wood", 0.5)
                speaker.time.now += 5.0
            speaker.close()
            assert device.asked == ["open", wood(1), "close"]
            assert ASSETS.damaged == (file_name("wood", 0),)
        finally:
            ASSETS.take_from(own)


class TestWithoutDevice:
    def test_is_one_line_in_the_log(self, device: Fake, said: pytest.LogCaptureFixture) -> None:
        device.fails_to_open = True
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        speaker.close()
        assert said.messages == ["There is no sound: No such audio device"]
        assert said.records[0].levelno == logging.INFO

    def test_is_not_tried_at_each_sound(self, device: Fake) -> None:
        device.fails_to_open = True
        speaker = Speaker(device)
        for _ in range(6):
            speaker.play("wood", 0.5)
            speaker.time.now += loudspeaker.RETRY_SECONDS / 20
        speaker.close()
        assert device.asked == ["open"]

    def test_is_tried_again_later_without_another_line(self, device: Fake, said: pytest.LogCaptureFixture) -> None:
        device.fails_to_open = True
        speaker = Speaker(device)
        play_until(speaker, lambda: len(device.asked) == 3)
        device.fails_to_open = False
        play_until(speaker, lambda: device.loudness)
        speaker.close()
        assert len(said.messages) == 1

    def test_one_that_vanishes_is_no_error(self, device: Fake, said: pytest.LogCaptureFixture) -> None:
        speaker = Speaker(device)
        speaker.play("wood", 0.5)
        wait_for(lambda: device.loudness)
        device.fails_to_play = True
        for _ in range(3):
            speaker.time.now += 5.0
            speaker.play("wood", 0.5)
        speaker.close()
        assert device.asked == ["open", wood(0), wood(1), "close"]
        assert said.messages == ["There is no sound: It has vanished"]


def play_until(speaker: Speaker, holds: Callable[[], object]) -> None:
    """Play sounds, a long time apart."""
    deadline = time.perf_counter() + PATIENCE
    while not holds():
        assert time.perf_counter() < deadline, "it took too long"
        speaker.time.now += loudspeaker.RETRY_SECONDS + 1
        speaker.play("wood", 0.5)
        time.sleep(0.001)


class TestProcess:
    """The process that has the device, with programs of which none is heard."""

    def process(self, program: str) -> loudspeaker.MixingProcess:
        return loudspeaker.MixingProcess([sys.executable, "-c", program])

    def test_gets_a_line_for_each_sound_and_leaves_when_it_is_closed(self, tmp_path: Path) -> None:
        lines = tmp_path / "lines"
        process = self.process(f"import sys; open({str(lines)!r}, 'wb').write(sys.stdin.buffer.read())")
        process.open()
        process.play(Path("wood.wav"), 0.25)
        process.play(Path("ä b.wav"), 1.0)
        wait_for(lines.exists)  # one that has not begun yet on a busy machine is killed when it is closed
        process.close()
        wait_for(lambda: lines.exists() and lines.read_bytes().count(b"\n") == 2)

    def test_its_last_words_say_why_there_is_silence(self) -> None:
        process = self.process("print('no card was found')")
        process.open()
        with pytest.raises(loudspeaker.NoSound, match="no card was found"):
            for _ in range(1000):
                process.play(Path("wood.wav"), 1.0)
                time.sleep(0.01)
        process.close()

    def test_a_program_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(loudspeaker.NoSound, match="missing"):
            loudspeaker.MixingProcess([str(tmp_path / "missing")]).open()

    def test_one_that_hangs_is_ended(self) -> None:
        process = self.process("import time; time.sleep(1000)")
        process.open()
        process.play(Path("wood.wav"), 1.0)
        process.close()
        process.close()  # there is nothing left to close

    def test_can_be_opened_again(self) -> None:
        process = self.process("import sys; sys.stdin.read()")
        for _ in range(2):
            process.open()
            process.play(Path("wood.wav"), 1.0)
            process.close()


class Played(list[tuple[str, float]]):
    """The files that were played, and how loud."""


@pytest.fixture(autouse=True)
def unheard(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")  # whatever a test before has left
    pygame.mixer.quit()
    yield
    pygame.mixer.quit()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    played = Played()

    class Channel:
        def set_volume(self, loudness: float) -> None:
            self.loudness = loudness

        def play(self, sound: str) -> None:
            played.append((sound, self.loudness))

    monkeypatch.setattr(pygame.mixer, "find_channel", lambda force: Channel())
    monkeypatch.setattr(pygame.mixer, "Sound", lambda path: path)
    return played


def served(*lines: bytes) -> str:
    """The last words of a process that was asked for these lines."""
    complaints = io.BytesIO()
    loudspeaker.serve(io.BytesIO(b"".join(lines)), complaints)
    return complaints.getvalue().decode()


class TestServing:
    def test_plays_what_it_is_asked_for(self, played: Played) -> None:
        assert served(loudspeaker.request("wood.wav", 0.25), loudspeaker.request("a folder/stöne.wav", 1.0)) == ""
        assert played == [("wood.wav", 0.25), ("a folder/stöne.wav", 1.0)]

    def test_leaves_out_what_comes_too_late(self, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 1000.0
        monkeypatch.setattr("papan.ui.window.loudspeaker.time.time", lambda: now)
        lines = []
        for late in (0.9, 0.9, 0.1):
            now = 1000.0 - late
            lines.append(loudspeaker.request(f"{late}.wav", 1.0))
        now = 1000.0
        served(*lines)
        assert [path for path, _loudness in played] == ["0.9.wav", "0.1.wav"], "the first may be late"

    def test_every_sound_can_be_played(self) -> None:
        files = [file_name(sound, variant) for sound in SOUNDS for variant in range(VARIANTS[sound])]
        assert served(*(loudspeaker.request(str(ASSETS.folder / name), 0.1) for name in files)) == ""

    def test_a_driver_that_is_none_is_told_of(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SDL_AUDIODRIVER", "gramophone")
        assert "gramophone" in served(loudspeaker.request("wood.wav", 1.0)).lower()

    def test_a_file_that_is_none_is_told_of(self, tmp_path: Path) -> None:
        assert served(loudspeaker.request(str(tmp_path / "missing.wav"), 1.0)) != ""


class TestCommand:
    def test_the_program_serves(self) -> None:
        lines = loudspeaker.request(str(ASSETS.folder / file_name("wood", 0)), 0.5)
        done = subprocess.run([*command_words(), "play-sounds"], input=lines, capture_output=True, timeout=PATIENCE)
        assert (done.returncode, done.stdout) == (0, b"")

    def test_the_window_never_loads_the_device(self, home: Path) -> None:
        """It would hold Python's global lock while the device is opened."""
        code = (
            "import os, pygame, sys\n"
            "from papan.ui.window.loudspeaker import Loudspeaker, MixingProcess\n"
            "from papan.commands.common import command_words\n"
            "speaker = Loudspeaker(MixingProcess([*command_words(), 'play-sounds']))\n"
            "speaker.play('wood', 1.0)\n"
            "speaker.close()\n"
            "print(pygame.mixer.get_init())\n"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
        assert done.stdout.strip().endswith("None"), done.stderr


def loudnesses(times: int, gap: float) -> list[float]:
    """Those of so many sounds, a *gap* of seconds apart."""
    rhythm = loudspeaker.CrowdDamping()
    return [rhythm.loudness(100 + number * gap) for number in range(times)]


class TestLoudness:
    def test_the_first_and_those_after_a_pause_have_their_own(self) -> None:
        assert loudnesses(4, 5.0) == pytest.approx([1.0] * 4, abs=1e-3)

    def test_ten_a_second_become_quieter_and_stay_so(self) -> None:
        heard = loudnesses(50, 0.1)
        assert heard == sorted(heard, reverse=True)
        assert 0.2 < heard[-1] < 0.45

    def test_of_a_hundred_a_second_most_are_left_out(self) -> None:
        heard = [one for one in loudnesses(100, 0.01) if one]
        assert len(heard) <= 1 / loudspeaker.LEAST_GAP
        assert sum(heard) < 8

    def test_what_is_left_out_does_not_count(self) -> None:
        rhythm = loudspeaker.CrowdDamping()
        assert rhythm.loudness(1.0) == 1.0
        assert [rhythm.loudness(1.0 + loudspeaker.LEAST_GAP * share) for share in (0.2, 0.5, 0.9)] == [0.0] * 3
        assert rhythm.loudness(1.0 + loudspeaker.LEAST_GAP) > 0

    def test_is_as_before_once_it_was_quiet(self) -> None:
        rhythm = loudspeaker.CrowdDamping()
        for number in range(50):
            rhythm.loudness(number * 0.1)
        assert rhythm.loudness(10.0) > 0.99
