"""How fast the program is on this machine, each figure beside the one asked for on a machine of two cores.

Speeds are of one thread. A figure is the median of several runs; what compiles is compiled before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dev.bench import delays, speeds
from dev.bench.figures import Measurement
from papan.game.game import Game


def measure(games: Sequence[Game], command: Sequence[str], tell: Callable[[str], None]) -> list[Measurement]:
    """The figures of *games*.

    :param command: starts this program anew, for what only a fresh process can tell.
    :param tell: told in words what is being measured.
    """
    figures = []
    for game in games:
        for section in (speeds, delays):
            for what, measured in section.measures(game, command):
                tell(f"{game.title}: {what}")
                figures.extend(measured())
    return figures
