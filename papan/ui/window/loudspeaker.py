"""Plays sounds in another process, so that the window never waits for the audio device.

Opening a device can hang while pygame holds Python's global lock, and drivers fail, print to stderr, or crash. So a
thread starts a process for the first sound, writes it a line for each sound, and ends it when no sound was played for
a while, so that the device can sleep. Without a device there is silence, and a line in the log.
"""

from __future__ import annotations

import json
import logging
import math
import queue
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import pygame

from papan.game.base.assets import ASSETS
from papan.game.base.untrusted import shortened
from papan.ui.sounds import VARIANTS, Sound, file_name

log = logging.getLogger(__name__)

RETRY_SECONDS = 60.0
"""Seconds after which a failed device is tried again."""
IDLE_SECONDS = 300.0
"""Seconds without a sound after which the device is closed."""
_MOST_WAITING = 8
"""The most sounds queued for a device that does not answer."""
_END_SECONDS = 1.0
_LEAVING_SECONDS = 0.3
_MOST_LAST_WORDS = 400

LEAST_GAP = 0.05
"""Seconds between two sounds; one that comes sooner is skipped."""
_FORGETTING = 0.45
"""The time constant, in seconds, of the decay of past sounds' weight."""
_EVENNESS = 0.7
"""How strongly many sounds dampen each other: 1 would keep their sum as loud as one."""
RATE = 22_050
"""Samples a second, as in the files, so that nothing is resampled."""
CHANNELS = 8
"""The most sounds at once; one more replaces the longest-playing one."""
STALE_SECONDS = 0.3
"""Seconds after which a sound not yet played is skipped."""
FIRST_STALE_SECONDS = 1.0
"""The same for the first sound, which may have waited for the process."""
_BITS = -16  # signed
_BUFFER = 512
"""The samples in the device's buffer: 23 ms."""


class NoSound(Exception):
    """Sounds can't be played; the message says why."""


class MixingProcess:
    """The process that owns the audio device; used by one thread only."""

    def __init__(self, command: Sequence[str]) -> None:
        """:param command: starts a program that calls ``serve``."""
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None

    def open(self) -> None:
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C in a terminal must not end it too
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise NoSound(str(error)) from error

    def play(self, path: Path, loudness: float) -> None:
        """Start to play a file.

        :raises NoSound: it can't be played.
        """
        process = self._process
        assert process is not None and process.stdin is not None, "it has not been opened"
        try:
            process.stdin.write(request(str(path), loudness))
            process.stdin.flush()
        except (OSError, ValueError) as error:
            raise NoSound(self._last_words() or str(error)) from error

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None or process.stdin is None or process.stdout is None:
            return
        try:
            process.stdin.close()  # which ends it
        except OSError as error:
            log.debug("The process that plays sounds is gone: %s", error)
        try:
            process.wait(_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:  # its driver does not answer
            process.kill()
            with suppress(subprocess.TimeoutExpired):  # the machine is busy
                process.wait(_LEAVING_SECONDS)
        process.stdout.close()

    def _last_words(self) -> str:
        assert self._process is not None and self._process.stdout is not None
        try:
            self._process.wait(_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            return ""
        return shortened(self._process.stdout.read(_MOST_LAST_WORDS).decode("utf-8", "replace"))


class CrowdDamping:
    """Makes each of many sounds in a short time quieter, so that a quick game is not too loud."""

    def __init__(self) -> None:
        self._last = -math.inf
        self._crowd = 0.0

    def loudness(self, now: float) -> float:
        """The loudness of a sound at *now* (seconds of any clock), as a share of its own; 0 to skip it."""
        passed = now - self._last
        if passed < LEAST_GAP:
            return 0.0
        self._crowd = 1.0 + self._crowd * math.exp(-passed / _FORGETTING)
        self._last = now
        return float(self._crowd**-_EVENNESS)


class Loudspeaker:
    """Plays sounds. Nothing is opened or started before the first one, or ``prepare``."""

    def __init__(self, device: MixingProcess, clock: Callable[[], float] = time.monotonic) -> None:
        self._device = device
        self._clock = clock
        self._rhythm = CrowdDamping()
        self._played: Counter[Sound] = Counter()
        self._queue: queue.SimpleQueue[tuple[str, float] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_open = False
        self._silent_until = 0.0
        """The time before which a failed device is not tried again."""
        self._has_told = False

    def play(self, sound: Sound, loudness: float) -> None:
        """Play *sound*, with its variants in turn; many in a short time are quieter, and some are skipped.

        :param loudness: as a share of the sound's own.
        """
        share = self._rhythm.loudness(self._clock())
        if not share or self._queue.qsize() >= _MOST_WAITING:
            return
        name = file_name(sound, self._played[sound] % VARIANTS[sound])
        self._played[sound] += 1
        self._enqueue(name, loudness * share)

    def prepare(self) -> None:
        """Open the device, so that the first sound is not late."""
        self._enqueue("", 0.0)

    def _enqueue(self, name: str, loudness: float) -> None:
        """Have the thread play the asset *name*; "" only opens the device."""
        self._queue.put((name, loudness))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="loudspeaker", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Close the device; wait a second at most."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join(_END_SECONDS)

    def _run(self) -> None:
        while True:
            try:
                item = self._queue.get(timeout=IDLE_SECONDS if self._is_open else None)
            except queue.Empty:
                self._close_device()
                continue
            if item is None:
                self._close_device()
                return
            if self._clock() >= self._silent_until:
                self._play(*item)

    def _play(self, name: str, loudness: float) -> None:
        try:
            if not self._is_open:
                self._device.open()
                self._is_open = True
            path = ASSETS.open(name, lambda path: path) if name else None
            if path is not None:
                self._device.play(path, loudness)
        except NoSound as error:
            if not self._has_told:
                log.info("There is no sound: %s", error)
                self._has_told = True
            self._close_device()
            self._silent_until = self._clock() + RETRY_SECONDS

    def _close_device(self) -> None:
        if self._is_open:
            self._is_open = False
            self._device.close()


def request(path: str, loudness: float) -> bytes:
    """The line that requests the sound in the file *path* now, at a share of its loudness."""
    return json.dumps([time.time(), path, loudness]).encode("ascii") + b"\n"


def serve(asking: IO[bytes], complaining: IO[bytes]) -> None:
    """Play requested sounds until the input ends, or write the reason why that is impossible."""
    try:
        pygame.mixer.init(RATE, _BITS, 1, _BUFFER, allowedchanges=0)
        pygame.mixer.set_num_channels(CHANNELS)
        sounds: dict[str, pygame.mixer.Sound] = {}
        for number, line in enumerate(asking):
            moment, path, loudness = json.loads(line)
            if time.time() - moment > (STALE_SECONDS if number else FIRST_STALE_SECONDS):
                continue
            if path not in sounds:
                sounds[path] = pygame.mixer.Sound(path)
            channel = pygame.mixer.find_channel(force=True)
            channel.set_volume(loudness)
            channel.play(sounds[path])
    except (pygame.error, OSError, ImportError, NotImplementedError) as error:  # the last two: pygame without a mixer
        complaining.write(str(error).encode("utf-8", "replace"))
        complaining.flush()
