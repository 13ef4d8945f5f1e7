"""What the process that has the audio device does with what it is asked for; its driver is one that nobody hears."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from papan.commands.common import command_words
from papan.game.base.assets import ASSETS
from papan.ui.sounds import SOUNDS, VARIANTS, file_name
from papan.ui.window.mixer import request, serve
from tests.waiting import PATIENCE


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
    serve(io.BytesIO(b"".join(lines)), complaints)
    return complaints.getvalue().decode()


class TestServing:
    def test_plays_what_it_is_asked_for(self, played: Played) -> None:
        assert served(request("wood.wav", 0.25), request("a folder/stöne.wav", 1.0)) == ""
        assert played == [("wood.wav", 0.25), ("a folder/stöne.wav", 1.0)]

    def test_leaves_out_what_comes_too_late(self, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
        now = 1000.0
        monkeypatch.setattr("papan.ui.window.mixer.time.time", lambda: now)
        lines = []
        for late in (0.9, 0.9, 0.1):
            now = 1000.0 - late
            lines.append(request(f"{late}.wav", 1.0))
        now = 1000.0
        served(*lines)
        assert [path for path, _loudness in played] == ["0.9.wav", "0.1.wav"], "the first may be late"

    def test_every_sound_can_be_played(self) -> None:
        files = [file_name(sound, variant) for sound in SOUNDS for variant in range(VARIANTS[sound])]
        assert served(*(request(str(ASSETS.folder / name), 0.1) for name in files)) == ""

    def test_a_driver_that_is_none_is_told_of(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SDL_AUDIODRIVER", "gramophone")
        assert "gramophone" in served(request("wood.wav", 1.0)).lower()

    def test_a_file_that_is_none_is_told_of(self, tmp_path: Path) -> None:
        assert served(request(str(tmp_path / "missing.wav"), 1.0)) != ""


class TestCommand:
    def test_the_program_serves(self) -> None:
        lines = request(str(ASSETS.folder / file_name("wood", 0)), 0.5)
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
