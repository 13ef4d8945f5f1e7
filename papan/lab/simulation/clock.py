"""How far a simulation is, how fast it goes, and how long it will take."""

from __future__ import annotations

import time

from papan.lab.simulation.counts import Counts


class Clock:
    """How many games were played since the beginning, and how many a second."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._began = time.perf_counter()
        self._before: int | None = None
        self._done = 0

    def tell(self, counts: Counts) -> None:
        """Note what is counted by now; the first time, what was counted before."""
        if self._before is None:
            self._began = time.perf_counter()
            self._before = counts.games
        self._done = counts.games

    @property
    def seconds(self) -> float:
        """Since the first batch was begun."""
        return time.perf_counter() - self._began

    @property
    def rate(self) -> float:
        """Games a second, those left out that had been played before."""
        played = self._done - (self._before or 0)
        return played / self.seconds if played else 0.0

    @property
    def share(self) -> float:
        """Of all games those that are played."""
        return self._done / self._games

    @property
    def seconds_left(self) -> float | None:
        """Until all are played; None where nothing tells."""
        return (self._games - self._done) / self.rate if self.rate else None
