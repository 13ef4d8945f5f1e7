"""How fast the program is on this machine, each figure beside the one asked for on a machine of two cores.

Speeds are of one thread. A figure is the median of several runs; what compiles is compiled before. Each section is a
module with ``measures``: what it measures of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dev.bench import asked_time, environments, exact, games, mcts, proof, search, stopping
from dev.bench.figures import Measurement
from papan.game.base.sentences import joined
from papan.game.game import Game

SECTIONS = (games, search, mcts, exact, proof, stopping, asked_time, environments)


def measure(games: Sequence[Game], command: Sequence[str], tell: Callable[[str], None]) -> list[Measurement]:
    """The figures of *games*.

    :param command: starts this program anew, for what only a fresh process can tell.
    :param tell: told in words what is being measured.
    """
    figures = []
    for game in games:
        for section in SECTIONS:
            for what, measured in section.measures(game, command):
                tell(joined([game.title, what], ": "))
                figures.extend(measured())
    return figures
