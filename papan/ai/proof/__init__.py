"""Solvers: can the seat to act force its goal against any play? Each method is written once, for every game.

Positions that hide something have no solver, as it would have to see hidden cards; PPNS averages over them instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from papan.game.base.sentences import SentenceError
from papan.game.base.untrusted import quoted
from papan.game.game import Game

if TYPE_CHECKING:
    from papan.ai.proof.dfpn import DepthFirst
    from papan.ai.proof.result import Solver

METHODS: Mapping[str, str] = {
    "alphabeta": "Alpha-beta",
    "pns": "PNS",
    "dfpn": "df-pn",
    "mcpns": "MCPNS",
    "ppns": "PPNS",
}
"""The methods by name, with their titles."""


class SolverError(SentenceError, ValueError):
    """A question that no solver can answer; the message is a sentence that says why."""


@dataclass(frozen=True)
class SolverSetting:
    """The settings of a solver; its method ignores those that it does not need."""

    memory: float | None = None
    """MiB that its tree or table takes at most; its usual amount for None."""
    playouts: int = 60
    """MCPNS and PPNS: random games from each generated node, as in Primanita, Khalid and Iida (2021)."""
    theta: float = 0.01
    """PPNS: the least distance from 0 and 1 of a leaf whose random games all ended alike."""
    pr: float = 0.0
    """PPNS: the relative tolerance at the root for a conclusion; 0 for proofs only."""
    chance: Literal["and", "or"] = "and"
    """Whether chance is against the goal ("and") or on its side ("or")."""
    seed: int = 0
    """The seed of random games."""
    is_open: bool = False
    """Whether the positions hide nothing, even if the game can hide something."""


def make_solver(method: str, game: Game, setting: SolverSetting | None = None) -> Solver:
    """The solver called *method* for *game*.

    :raises SolverError: there is no such method, or the game can't be solved.
    """
    if method not in METHODS:
        raise SolverError.saying(
            "There is no method {method}; there are {methods}.", method=quoted(method), methods=", ".join(METHODS)
        )
    setting = setting or SolverSetting()
    if method == "ppns" and game.has_hidden_information and not setting.is_open:
        from papan.ai.proof.deals import OverDeals

        return OverDeals(game, setting)
    if method == "dfpn":
        return make_depth_first(game, setting)
    _check_is_open(game, setting)
    if method == "alphabeta":
        from papan.ai.proof.alphabeta import AlphaBetaSolver

        return AlphaBetaSolver(game, setting.memory)
    from papan.ai.proof import tree

    return tree.TreeSearch(game.rules.MOST_STEPS, method, setting)


def make_depth_first(game: Game, setting: SolverSetting) -> DepthFirst:
    """df-pn for *game*: the one method that also decides a win within a number of turns.

    :raises SolverError: the game can't be solved.
    """
    from papan.ai.evaluation import evaluation_of
    from papan.ai.proof import dfpn

    _check_is_open(game, setting)
    evaluation_of(game)  # registers which steps are essential
    return dfpn.DepthFirst(game.rules.MOST_STEPS, setting.memory or dfpn.MEMORY, setting.chance)


def _check_is_open(game: Game, setting: SolverSetting) -> None:
    if game.has_hidden_information and not setting.is_open:
        raise SolverError.saying("{game} can't be solved: a proof would have to look at hidden cards.", game=game.title)
