"""Exact solvers: searchers that answer with a position's true value, one module a game, named as its rules' module.

A game has such a module where its positions, or those near its end, can be solved while a person waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from papan.ai.limits import own_turns, win_distance
from papan.game.base.protocols import offers
from papan.game.base.sentences import Sentence
from papan.game.game import Game, part_of
from papan.game.rules import State

if TYPE_CHECKING:
    from papan.ai.search import Searcher


class ExactModule(Protocol):
    """The facts and functions that a game's module in this folder offers."""

    @property
    def IS_SOLVED(self) -> bool:  # noqa: N802 - a constant of a module
        """Whether the game is solved play: by search and by its book it answers from the first move on."""

    def can_solve(self, state: State) -> bool:
        """Whether *state*, which is not over, can be solved within about two seconds. Cheap: it searches nothing."""

    def Exact(self, memory: int | None = None) -> Searcher:  # noqa: N802 - a class, called
        """A searcher whose analyses are proven unless a limit ends them, with exact ``lines``.

        :param memory: MiB that its tables may take; None for its usual amount.
        """


class Measure(NamedTuple):
    """What a proven score says in the game's own measure."""

    number: float | None
    """Above 0 where it is good for the seat to act; None in a game without a measure of its own."""
    words: Sentence | None
    """The same for people, as a clause."""
    turns: int | None
    """How many turns the winner still takes; None where nobody wins, or how soon does not count."""


class Measuring(Protocol):
    """A further function of an exact solver's module, where the game has a measure of how much is won."""

    def measure(self, state: State, score: float) -> Measure:
        """What a proven *score* says that its ``Exact`` gave to *state* or to one of its steps."""


def measure_of(module: ExactModule, state: State, score: float) -> Measure:
    """What a proven *score* of a solver says: in how many turns the game is won, unless *module* says more."""
    if offers(module, Measuring):
        return module.measure(state, score)
    distance = win_distance(score)
    return Measure(None, None, None if distance is None else own_turns(distance))


def is_solved(game: Game) -> bool:
    """Whether *game* is solved play; the other solvers solve positions near the end only."""
    solver = exact_of(game)
    return solver is not None and solver.IS_SOLVED


def exact_of(game: Game) -> ExactModule | None:
    """The exact solver's module of *game*, or None if the game has none.

    >>> from papan.game.catalogue import GAMES
    >>> exact_of(GAMES["connect-four"]).__name__
    'papan.ai.exact.connect_four'
    >>> exact_of(GAMES["gomoku"]) is None
    True

    :raises PartError: the module can't be loaded, or is no solver.
    """
    if not game.parts.exact:
        return None
    return part_of(game, game.parts.exact, ExactModule)
