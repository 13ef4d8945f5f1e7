"""Players for tournaments that go wrong in one way, and a plan to play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from papan.ai.limits import Analysis
from papan.ai.players import GreedyPlayer, Player, Situation, make_player
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.rules import State
from papan.lab.tournament.plan import Plan, make_plan


def unprepared() -> None:
    """The fault of one that fails before the game."""
    raise RuntimeError("not ready")


class Faulty(GreedyPlayer):
    """A random player that does something else at its first choice."""

    def __init__(self, game: Game, fault: Callable[[], int | None]) -> None:
        """:param fault: raises an error, takes its time, or returns the step that is to be chosen instead."""
        super().__init__(game.rules, None)
        self._fault = fault
        self._choices = 0

    def prepare(self, state: State) -> None:
        if self._fault is unprepared:
            unprepared()

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        found = super().choose(situation)
        self._choices += 1
        step = self._fault() if self._choices == 1 else None
        return found if step is None else Analysis(step, 0.0, situation.seat)


def players_with(fault: Callable[[], int | None]) -> Callable[[Game, Any], list[Player]]:
    """What makes players, of which the one called ``faulty`` has that *fault*."""

    def make(game: Game, names: Any) -> list[Player]:
        return [Faulty(game, fault) if name == "faulty" else make_player(name, game) for name in names]

    return make


def plan(*players: str, game: str = "connect-four", games: int = 8, **others: Any) -> Plan:
    """A small tournament."""
    arguments = {"options": {}, "different_openings": None, "turns": 4, "seed": 1, **others}
    return make_plan(GAMES[game], players, games=games, **arguments)
