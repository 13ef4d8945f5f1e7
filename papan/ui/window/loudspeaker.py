"""The loudspeaker: has sounds played by another process of the program, and never keeps anybody waiting.

Who plays a sound only leaves its name for a thread, which starts the process for the first of them, and lets it go
after a while without any, so that the audio device can sleep. Where there is no device there is silence, and a line in
the log.
"""

from __future__ import annotations

import logging
import queue
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from papan.game.base.assets import ASSETS
from papan.game.base.foreign import shortened
from papan.ui.sounds import VARIANTS, Sound, file_name
from papan.ui.sounds.rhythm import Rhythm
from papan.ui.window.mixer import request

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
        """:param command: starts a program that calls ``papan.ui.window.mixer.serve``."""
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


class _Wish(NamedTuple):
    """A sound to be heard; one without a name only makes the device ready."""

    name: str
    loudness: float


class Loudspeaker:
    """Plays sounds. Nothing is opened, read or begun before the first of them, or ``prepare``."""

    def __init__(self, device: Device, clock: Callable[[], float] = time.monotonic) -> None:
        self._device = device
        self._clock = clock
        self._rhythm = Rhythm()
        self._played: Counter[Sound] = Counter()
        self._wishes: queue.SimpleQueue[_Wish | None] = queue.SimpleQueue()
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
        self._wish(_Wish(name, loudness * share))

    def prepare(self) -> None:
        """Make ready for sounds that are to come soon, so that the first is not late."""
        self._wish(_Wish("", 0.0))

    def _wish(self, wish: _Wish) -> None:
        self._wishes.put(wish)
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
                self._fulfil(wish)

    def _fulfil(self, wish: _Wish) -> None:
        try:
            if not self._is_open:
                self._device.open()
                self._is_open = True
            path = ASSETS.open(wish.name, lambda path: path) if wish.name else None
            if path is not None:
                self._device.play(path, wish.loudness)
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
