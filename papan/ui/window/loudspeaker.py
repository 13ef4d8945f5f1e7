"""The loudspeaker: plays sounds by name, on a thread of its own, and never keeps anybody waiting.

Opening a device may take long, or never end; one may be missing, fail, or vanish. All of that happens on the thread:
who plays a sound only leaves its name. Without a device there is silence, and a line in the log. The device is opened
for the first sound, and let go of after a while without any, so that it can sleep.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple, Protocol

from papan.ui.sounds import VARIANTS, Sound, file_name
from papan.ui.sounds.rhythm import Rhythm
from papan.ui.window import system
from papan.ui.window.mixer import Mixer, MixerError

log = logging.getLogger(__name__)

RETRY_SECONDS = 30.0
"""Seconds after which a device that could not be opened, or failed, is tried again for the next sound."""
IDLE_SECONDS = 60.0
"""Seconds without a sound after which the device is let go of."""
STALE_SECONDS = 0.3
"""Seconds after which a sound that could not be played is left out: what it belonged to has passed."""
_END_SECONDS = 1.0
_MOST_WAITING = 8
"""Sounds that wait for a device that does not answer."""


class Device(Protocol):
    """What sounds are played by; asked from one thread only."""

    def open(self) -> None:
        """Make it ready, however long that takes.

        :raises MixerError: it can't be.
        """

    def play(self, name: str, loudness: float) -> None:
        """Begin to play the asset *name*.

        :raises MixerError: it can't be played.
        """

    def close(self) -> None:
        """Let go of everything."""


class _Wish(NamedTuple):
    """A sound to be heard, and when that was wished."""

    name: str
    loudness: float
    moment: float


class Loudspeaker:
    """Plays sounds. Nothing is opened, loaded or begun before the first of them."""

    def __init__(
        self,
        device: Device | None = None,
        *,
        may_exist: Callable[[], bool] = system.may_have_audio,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """:param device: default: the mixer.
        :param may_exist: whether there can be a device at all; asked before it is opened.
        """
        self._device = device or Mixer()
        self._may_exist = may_exist
        self._clock = clock
        self._rhythm = Rhythm()
        self._played: Counter[Sound] = Counter()
        self._wishes: queue.SimpleQueue[_Wish | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._is_open = False
        self._has_changed = threading.Event()
        self._closed_until = 0.0
        """The moment before which a device that failed is not tried again."""
        self._has_told = False

    def play(self, sound: Sound, loudness: float) -> None:
        """Play *sound*, in each of its variants in turn; of many in a short time some are left out, all are quieter.

        :param loudness: a share of the sound's own.
        """
        now = self._clock()
        share = self._rhythm.loudness(now)
        if not share or self._wishes.qsize() >= _MOST_WAITING:
            return
        name = file_name(sound, self._played[sound] % VARIANTS[sound])
        self._played[sound] += 1
        self._wishes.put(_Wish(name, loudness * share, now))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="loudspeaker", daemon=True)
            self._thread.start()

    def device_changed(self) -> None:
        """Open the device anew for the next sound: the one in use was unplugged."""
        self._has_changed.set()

    def close(self) -> bool:
        """Let go of the device; returns whether that is done, and False where it does not answer."""
        if self._thread is None:
            return True
        self._wishes.put(None)
        self._thread.join(_END_SECONDS)
        return not self._thread.is_alive()

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
            self._fulfil(wish)

    def _fulfil(self, wish: _Wish) -> None:
        if self._has_changed.is_set():
            self._has_changed.clear()
            self._let_go()
        if self._clock() < self._closed_until:
            return
        try:
            if not self._is_open:
                if not self._may_exist():
                    raise MixerError("the system has none")
                self._device.open()
                self._is_open = True
            if self._clock() - wish.moment <= STALE_SECONDS:
                self._device.play(wish.name, wish.loudness)
        except Exception as error:  # a device's driver may fail in any way; a game goes on without it
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        if not self._has_told:
            log.info("There is no sound: the audio device can't be used: %s", error)
            self._has_told = True
        self._let_go()
        self._closed_until = self._clock() + RETRY_SECONDS

    def _let_go(self) -> None:
        if not self._is_open:
            return
        self._is_open = False
        try:
            self._device.close()
        except Exception as error:
            log.info("The audio device can't be let go of: %s", error)
