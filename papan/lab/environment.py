"""The public interface of the environments for machine learning: PettingZoo, Gymnasium, and vectorised games.

PettingZoo and Gymnasium are imported only when needed; ``pip install "papan[learning]"`` installs them.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from papan.lab.environments.vector import Step, VectorEnvironment

if TYPE_CHECKING:
    from papan.game.game import Game
    from papan.lab.environments.aec import SeatsEnvironment
    from papan.lab.environments.seat import Opponent, SeatEnvironment

__all__ = ["Step", "VectorEnvironment", "aec", "single"]


def aec(game: Game | str, render_mode: str | None = None, **options: Any) -> SeatsEnvironment:
    """*game*, or the game of that name, as a PettingZoo environment.

    :param render_mode: what ``render`` returns: ``ansi`` a text, ``rgb_array`` a picture, None nothing.
    :param options: options of the game: ``aec("santorini", seats=3, gods="none")``.
    :raises OptionError: there is no such game, or it can't have these options.
    :raises PartError: the game has no observations.
    :raises TypeError: an argument has the wrong type.
    :raises ValueError: an argument has an invalid value.
    :raises ModuleNotFoundError: PettingZoo is not installed.
    """
    _require("pettingzoo", "PettingZoo")
    from papan.lab.environments.aec import SeatsEnvironment

    return SeatsEnvironment(game, options, render_mode)


def single(
    game: Game | str,
    seat: int = 0,
    opponent: Opponent | None = None,
    render_mode: str | None = None,
    **options: Any,
) -> SeatEnvironment:
    """*game*, or the game of that name, as a Gymnasium environment for one *seat*.

    :param opponent: the player of the other seats; None for uniformly random legal actions.
    :param render_mode: as for ``aec``.
    :param options: options of the game: ``single("2048", size=3)``.

    It raises the same errors as ``aec``, for Gymnasium.
    """
    _require("gymnasium", "Gymnasium")
    from papan.lab.environments.seat import SeatEnvironment, random_opponent

    return SeatEnvironment(game, options, seat, random_opponent if opponent is None else opponent, render_mode)


def _require(module: str, title: str) -> None:
    if find_spec(module) is None:
        raise ModuleNotFoundError(f'{title} is not installed: pip install "papan[learning]" brings it.', name=module)
