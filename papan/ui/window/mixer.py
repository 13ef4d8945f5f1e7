"""The sounds' way out: the mixer of SDL, which is opened and asked from one thread only."""

from __future__ import annotations

from pathlib import Path

import pygame

from papan.game.base.assets import ASSETS

RATE = 22_050
"""Samples a second, as in the files: then they need no room but their own."""
CHANNELS = 8
"""The most sounds at once; one more takes the place of the one that has been playing longest."""
_BITS = -16  # signed
_BUFFER = 512
"""The samples by which the device is ahead: 23 ms."""


class MixerError(Exception):
    """There is no device, or it does not work; the message is the system's."""


class Mixer:
    """The device, and the sounds that were loaded for it."""

    def __init__(self) -> None:
        self._sounds: dict[str, pygame.mixer.Sound | None] = {}

    def open(self) -> None:
        """Open the system's usual device; it may take long.

        :raises MixerError: there is none, or it can't be opened.
        """
        try:
            pygame.mixer.init(RATE, _BITS, 1, _BUFFER, allowedchanges=0)
            pygame.mixer.set_num_channels(CHANNELS)
        except (pygame.error, ImportError, NotImplementedError) as error:  # the last two where pygame was built without
            raise MixerError(str(error)) from error

    def play(self, name: str, loudness: float) -> None:
        """Play the asset *name*; one that is damaged is not heard.

        :param loudness: a share of its own.
        :raises MixerError: it can't be played.
        """
        try:
            if name not in self._sounds:
                self._sounds[name] = ASSETS.open(name, _read)
            sound = self._sounds[name]
            if sound is not None:
                channel = pygame.mixer.find_channel(force=True)
                channel.set_volume(loudness)
                channel.play(sound)
        except pygame.error as error:
            raise MixerError(str(error)) from error

    def close(self) -> None:
        """Let go of the device and of all sounds."""
        self._sounds.clear()
        pygame.mixer.quit()


def _read(path: Path) -> pygame.mixer.Sound:
    return pygame.mixer.Sound(path)
