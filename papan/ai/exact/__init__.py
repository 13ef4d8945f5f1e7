"""Exact solvers: searchers that answer with a position's true value, one module a game, named as its rules' module.

A game has such a module where its positions, or those near its end, can be solved while a person waits.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Protocol, cast

from papan.game.catalogue import Game
from papan.game.rules import State

if TYPE_CHECKING:
    from papan.ai.search import Searcher


class ExactModule(Protocol):
    """What a game's module in this folder offers."""

    def can_solve(self, state: State) -> bool:
        """Whether *state*, which is not over, can be solved within about two seconds. Cheap: it searches nothing."""

    def Exact(self, memory: int | None = None) -> Searcher:  # noqa: N802 - a class, called
        """A searcher whose analyses are proven unless a limit ends them, with exact ``lines``.

        :param memory: MiB that its tables may take; None for its usual amount.
        """


def is_solved(game: Game) -> bool:
    """Whether *game* is solved play: its solver, by search and by its book, answers from the first move on.

    Its module says so by ``IS_SOLVED = True``; the others solve positions near the end only.
    """
    return getattr(exact_of(game), "IS_SOLVED", False)


def exact_of(game: Game) -> ExactModule | None:
    """The exact solver's module of *game*, or None if the game has none.

    >>> from papan.game.catalogue import GAMES
    >>> exact_of(GAMES["connect-four"]).__name__
    'papan.ai.exact.connect_four'
    >>> exact_of(GAMES["gomoku"]) is None
    True
    """
    name = f"papan.ai.exact.{game.module.rpartition('.')[2]}"
    if importlib.util.find_spec(name) is None:
        return None
    return cast(ExactModule, importlib.import_module(name))
