"""Ears: a loudspeaker that plays nothing, and notes what it is asked for."""

from __future__ import annotations

from papan.ui.sounds import Sound
from papan.ui.window.loudspeaker import Loudspeaker


class Ears(Loudspeaker):
    """What was to be heard, and how loud, until it is taken."""

    def __init__(self) -> None:
        super().__init__()
        self.loudness: list[float] = []
        self.changes = 0
        self._heard: list[Sound] = []

    def play(self, sound: Sound, loudness: float) -> None:
        self._heard.append(sound)
        self.loudness.append(loudness)

    def device_changed(self) -> None:
        self.changes += 1

    def taken(self) -> list[Sound]:
        """All that was to be heard since this was last asked."""
        heard, self._heard = self._heard, []
        return heard
