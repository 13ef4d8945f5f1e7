"""Players that leave the end of a game to its exact solver."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from papan.ai.exact import Finishing
from papan.ai.limits import WIN, Analysis, Limit
from papan.ai.players import SearchingPlayer, make_player
from papan.ai.search import Query, Searcher
from papan.game.catalogue import find
from papan.game.rules import State
from papan.game.rules.othello import parse

ENDING = "-OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X"
STATE = parse(ENDING, {})


class Fake(Searcher):
    """A searcher that writes down what it is asked."""

    def __init__(self, is_proven: bool, score: float = 2.0) -> None:
        self.is_proven, self.score = is_proven, score
        self.limits: list[Limit] = []
        self.stops = 0
        self.on_asked: Callable[[], None] = lambda: None
        self.is_prepared = False

    def prepare(self, state: State) -> None:
        self.is_prepared = True

    def stop(self) -> None:
        self.stops += 1

    def live(self) -> Analysis | None:
        return None

    def answer(self, query: Query) -> Analysis:
        self.limits.append(query.limit)
        self.on_asked()
        self.was_cancelled = query.is_cancelled()
        return Analysis(1, self.score, 0, nodes=100, is_proven=self.is_proven)


class Module:
    """A solver's module."""

    IS_SOLVED = False

    def __init__(self, solver: Fake, can: bool = True) -> None:
        self.solver, self.can = solver, can

    def can_solve(self, state: State) -> bool:
        return self.can

    def Exact(self, memory: int | None = None) -> Fake:  # noqa: N802
        return self.solver


def made(is_proven: bool, can: bool = True) -> tuple[Finishing, Fake, Fake]:
    search, solver = Fake(False), Fake(is_proven)
    return Finishing(search, Module(solver, can)), search, solver


class TestWhoIsAsked:
    def test_the_solver_alone_where_it_has_the_answer(self) -> None:
        finishing, search, solver = made(is_proven=True)
        assert finishing.analyse(STATE, Limit(time=1.0, nodes=1000)).is_proven
        assert solver.limits == [Limit(time=0.5, nodes=500)] and not search.limits

    def test_the_search_where_the_solver_is_out(self) -> None:
        finishing, search, _ = made(is_proven=False)
        found = finishing.analyse(STATE, Limit(time=1.0, nodes=1000))
        assert not found.is_proven and found.nodes == 200
        left = search.limits[0]
        assert left.nodes == 900 and left.time is not None and 0.5 < left.time <= 1.0

    def test_the_solver_alone_where_it_knows_of_a_win(self) -> None:
        search, solver = Fake(False), Fake(False, WIN - 9)
        found = Finishing(search, Module(solver)).analyse(STATE, Limit(time=1.0))
        assert found.score == WIN - 9 and not search.limits

    def test_the_next_position_after_that_is_the_searchs_alone(self) -> None:
        finishing, search, solver = made(is_proven=False)
        for _ in range(4):
            finishing.analyse(STATE, Limit(time=1.0))
        assert len(search.limits) == 4 and len(solver.limits) == 2

    @pytest.mark.parametrize(
        ("limit", "can"),
        [
            (Limit(depth=3), True),
            (Limit(time=1.0, depth=1), True),
            (Limit(simulations=100), True),
            (Limit(time=1.0), False),
        ],
    )
    def test_the_search_alone_where_it_is_asked_for_just_that_or_the_position_is_too_large(
        self, limit: Limit, can: bool
    ) -> None:
        finishing, search, solver = made(is_proven=True, can=can)
        finishing.analyse(STATE, limit)
        assert search.limits == [limit] and not solver.limits

    def test_stopped_while_the_solver_works_the_search_does_not_begin(self) -> None:
        finishing, search, solver = made(is_proven=False)
        solver.on_asked = finishing.stop
        finishing.analyse(STATE, Limit(time=1.0))
        assert solver.stops == 1 and not search.limits
        solver.on_asked = lambda: None
        assert not finishing.analyse(STATE, Limit(time=1.0)).is_proven and search.limits and not search.was_cancelled


@pytest.mark.parametrize(
    ("game", "name", "finishes"),
    [
        ("othello", "minimax:hard", True),
        ("othello", "minimax:time=0.5", True),
        ("othello", "minimax:nodes=50000", True),
        ("othello", "minimax:easy", False),
        ("othello", "minimax:medium", False),
        ("othello", "minimax:depth=4", False),
        ("gomoku", "minimax:hard", False),  # it has no solver
    ],
)
def test_players_without_a_cap_on_depth_finish(game: str, name: str, finishes: bool) -> None:
    player = make_player(name, find(game))
    assert isinstance(player, SearchingPlayer) and isinstance(player.search, Finishing) == finishes


def test_the_solver_is_compiled_apart_from_the_search() -> None:
    finishing, search, solver = made(is_proven=True)
    finishing.prepare(STATE)
    assert search.is_prepared and not solver.is_prepared
    finishing.prepare_rest(STATE)
    assert solver.is_prepared
