"""Ears: a loudspeaker that plays nothing, and notes what it is asked for."""

from __future__ import annotations

from pathlib import Path

from papan.ui.sounds import Sound
from papan.ui.window.loudspeaker import Loudspeaker, Silence


class NoDevice:
    """Nothing is ever played by it."""

    def open(self) -> None:
        raise Silence("nobody listens")

    def play(self, path: Path, loudness: float) -> None:
        raise Silence("nobody listens")

    def close(self) -> None:
        """There is nothing to let go of."""


class Ears(Loudspeaker):
    """What was to be heard, and how loud, until it is taken."""

    def __init__(self) -> None:
        super().__init__(NoDevice())
        self.is_prepared = False
        self.loudness: list[float] = []
        self._heard: list[Sound] = []

    def play(self, sound: Sound, loudness: float) -> None:
        self._heard.append(sound)
        self.loudness.append(loudness)

    def prepare(self) -> None:
        self.is_prepared = True

    def taken(self) -> list[Sound]:
        """All that was to be heard since this was last asked."""
        heard, self._heard = self._heard, []
        return heard
