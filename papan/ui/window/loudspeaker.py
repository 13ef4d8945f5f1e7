"""The loudspeaker: plays sounds in another process of the program, and never keeps anybody waiting.

Opening an audio device takes long, or never ends, and pygame holds Python's global lock meanwhile; drivers fail,
complain on stderr, or crash. So a thread starts a process for the first sound, writes it a line for each, and ends it
after a while without any, so that the device can sleep. Without a device there is silence, and a line in the log.
"""

from __future__ import annotations

import json
import logging
import math
import os
import queue
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Protocol

import pygame

from papan.game.base.assets import ASSETS
from papan.game.base.untrusted import shortened
from papan.ui.sounds import VARIANTS, Sound, file_name

log = logging.getLogger(__name__)

RETRY_SECONDS = 60.0
"""Seconds after which a device that could not be used is tried again for the next sound."""
IDLE_SECONDS = 300.0
"""Seconds without a sound after which the device is let go of."""
_MOST_WAITING = 8
"""Sounds that wait for a device that does not answer."""
_END_SECONDS = 1.0
_LEAVING_SECONDS = 0.3
_MOST_LAST_WORDS = 400


LEAST_GAP = 0.05
"""Seconds between two sounds; one that comes sooner is left out."""
_FORGETTING = 0.45
"""The seconds in which a sound that was heard counts for less by a factor of e."""
_EVENNESS = 0.7
"""How strongly a crowd of sounds makes each of them quieter: 1 would keep their sum as loud as one."""
RATE = 22_050
"""Samples a second, as in the files: then they need no room but their own."""
CHANNELS = 8
"""The most sounds at once; one more takes the place of the one that has been playing longest."""
STALE_SECONDS = 0.3
"""Seconds after which a sound that could not be played is left out: what it belonged to has passed."""
FIRST_STALE_SECONDS = 1.0
"""The same for the first sound, which may have waited for the process: late is better than never."""
_BITS = -16  # signed
_BUFFER = 512
"""The samples by which the device is ahead: 23 ms."""


class Silence(Exception):
    """Sounds can't be played; the message says why."""


class Device(Protocol):
    """What sounds are played by; asked from one thread only."""

    def open(self) -> None:
        """Make it ready.

        :raises Silence: it can't be.
        """

    def play(self, path: Path, loudness: float) -> None:
        """Begin to play a file.

        :raises Silence: it can't be played.
        """

    def close(self) -> None:
        """Let go of everything."""


class MixingProcess:
    """The process that has the device."""

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
                start_new_session=True,  # what interrupts this process from a terminal does not interrupt that one
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise Silence(str(error)) from error

    def play(self, path: Path, loudness: float) -> None:
        process = self._process
        assert process is not None and process.stdin is not None, "it has not been opened"
        try:
            process.stdin.write(request(str(path), loudness))
            process.stdin.flush()
        except (OSError, ValueError) as error:
            raise Silence(self._last_words() or str(error)) from error

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None or process.stdin is None or process.stdout is None:
            return
        try:
            process.stdin.close()  # then it leaves
        except OSError as error:
            log.debug("The process that plays sounds is gone: %s", error)
        try:
            process.wait(_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:  # its driver does not answer
            process.kill()
            process.wait(_LEAVING_SECONDS)
        process.stdout.close()

    def _last_words(self) -> str:
        """What the process has said at its end."""
        assert self._process is not None and self._process.stdout is not None
        try:
            self._process.wait(_LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            return ""
        return shortened(self._process.stdout.read(_MOST_LAST_WORDS).decode("utf-8", "replace"))


class Rhythm:
    """The loudness of each sound: many in a short time become quieter, so that a quick game is a patter and no din."""

    def __init__(self) -> None:
        self._last = -math.inf
        self._crowd = 0.0

    def loudness(self, now: float) -> float:
        """The share of its own loudness at which a sound is heard at *now*, in seconds of any clock; 0 for not at all.

        It counts as heard, unless it is 0.
        """
        passed = now - self._last
        if passed < LEAST_GAP:
            return 0.0
        self._crowd = 1.0 + self._crowd * math.exp(-passed / _FORGETTING)
        self._last = now
        return float(self._crowd**-_EVENNESS)


class Loudspeaker:
    """Plays sounds. Nothing is opened, read or begun before the first of them, or ``prepare``."""

    def __init__(self, device: Device, clock: Callable[[], float] = time.monotonic) -> None:
        self._device = device
        self._clock = clock
        self._rhythm = Rhythm()
        self._played: Counter[Sound] = Counter()
        self._wishes: queue.SimpleQueue[tuple[str, float] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_open = False
        self._silent_until = 0.0
        """The moment before which a device that failed is not tried again."""
        self._has_told = False

    def play(self, sound: Sound, loudness: float) -> None:
        """Play *sound*, in each of its variants in turn; of many in a short time some are left out, all are quieter.

        :param loudness: a share of the sound's own.
        """
        share = self._rhythm.loudness(self._clock())
        if not share or self._wishes.qsize() >= _MOST_WAITING:
            return
        name = file_name(sound, self._played[sound] % VARIANTS[sound])
        self._played[sound] += 1
        self._wish(name, loudness * share)

    def prepare(self) -> None:
        """Make ready for sounds that are to come soon, so that the first is not late."""
        self._wish("", 0.0)

    def _wish(self, name: str, loudness: float) -> None:
        """Have the thread play the asset *name*; "" only makes the device ready."""
        self._wishes.put((name, loudness))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="loudspeaker", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Let go of the device, as far as that takes no more than a second."""
        if self._thread is not None:
            self._wishes.put(None)
            self._thread.join(_END_SECONDS)

    # ---------------------------------------------------------------------------------- on the thread

    def _run(self) -> None:
        while True:
            try:
                wish = self._wishes.get(timeout=IDLE_SECONDS if self._is_open else None)
            except queue.Empty:
                self._let_go()
                continue
            if wish is None:
                self._let_go()
                return
            if self._clock() >= self._silent_until:
                self._fulfil(*wish)

    def _fulfil(self, name: str, loudness: float) -> None:
        try:
            if not self._is_open:
                self._device.open()
                self._is_open = True
            path = ASSETS.open(name, lambda path: path) if name else None
            if path is not None:
                self._device.play(path, loudness)
        except Silence as error:
            if not self._has_told:
                log.info("There is no sound: %s", error)
                self._has_told = True
            self._let_go()
            self._silent_until = self._clock() + RETRY_SECONDS

    def _let_go(self) -> None:
        if self._is_open:
            self._is_open = False
            self._device.close()


os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")


# ---------------------------------------------------------------------------------------- in the process


def request(path: str, loudness: float) -> bytes:
    """The line that asks for the sound in the file *path*, now, at a share of its loudness."""
    return json.dumps([time.time(), path, loudness]).encode("ascii") + b"\n"


def serve(asking: IO[bytes], complaining: IO[bytes]) -> None:
    """Play what is asked for until nobody asks any more, or it can't be done: then say why."""
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
