"""Whether a game is won, by exact alpha-beta or, where it can solve the position, the game's exact solver.

Iterative deepening proves a win as soon as it finds one, and disproves it once no line is open.

Alpha-beta's table knows positions by their key, without the path to them or a draw counter. Where positions can repeat,
a win or a loss counts as proved only if it comes before the draw counter could end the game, and a draw never does;
``dfpn`` and ``pns`` are exact there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from papan.ai.evaluation import STANDARD, evaluation_of, leaves_steps_out
from papan.ai.exact import exact_of
from papan.ai.limits import Analysis, Limit
from papan.ai.players import FAMILIES, SearchSetting
from papan.ai.proof.numbers import INFINITY
from papan.ai.proof.result import Branch, Proof, Reason, Result
from papan.ai.search import Searcher
from papan.game.base.sentences import say
from papan.game.game import Game
from papan.game.rules import Rules, State, achieved, can_repeat, legal_steps, mover, steps_to_draw


def refusal(game: Game, state: State, goal: int) -> str:
    """Return a sentence why alpha-beta can't settle *state*; "" if it can."""
    if game.has_chance or goal:
        return say(
            "Alpha-beta can't handle chance or goals: for {game} choose pns, dfpn, mcpns or ppns.", game=game.title
        )
    evaluation_of(game)  # registers the game's kernels
    if leaves_steps_out(state) and exact_of(game) is None:
        return say(
            "Alpha-beta looks only at the promising steps of {game}, so it can't prove anything: choose pns, dfpn, "
            "mcpns or ppns.",
            game=game.title,
        )
    return ""


class AlphaBetaSolver:
    """A ``Solver`` for the seat to act; each run begins anew."""

    def __init__(self, game: Game, memory: float | None = None) -> None:
        """:param memory: MiB that the search's table takes at most; default: its usual amount."""
        self._game = game
        self._rules: Rules = game.rules
        self._memory = None if memory is None else max(1, int(memory))
        self._root: State = None
        self._came_twice: tuple[int, ...] = ()
        self._searcher: Searcher | None = None
        self._is_exact = False
        self._was_stopped = False
        self._proof = Proof("alphabeta", "out", 0, "stopped")

    @property
    def memory(self) -> int:
        """The bytes that its memory limit allows; 0 for the search's usual amount."""
        return (self._memory or 0) << 20

    def prepare(self, state: State) -> None:
        self._searcher_for(state).prepare(state)

    def _searcher_for(self, state: State) -> Searcher:
        if self._searcher is None:
            exact = exact_of(self._game)
            self._is_exact = bool(exact and exact.can_solve(state))
            if exact and self._is_exact:
                self._searcher = exact.Exact(self._memory)
            else:
                weights = evaluation_of(self._game).WEIGHTS[STANDARD]
                self._searcher = FAMILIES["minimax"].make(self._game, SearchSetting(Limit(), weights, self._memory))
        return self._searcher

    def begin(self, state: State, seat: int | None = None, goal: int = 0, came_twice: tuple[int, ...] = ()) -> None:
        """Set the state to solve; see ``Solver``.

        :raises ValueError: alpha-beta can't settle it, or *seat* is not the seat to act.
        """
        fault = refusal(self._game, state, goal)
        if fault:
            raise ValueError(fault)
        root_seat = int(mover(state))
        if seat not in (None, root_seat):
            raise ValueError("Alpha-beta settles a state for the seat to act.")
        self._root, self._came_twice, self._searcher = state, came_twice, None
        value = int(achieved(state, root_seat, 0))
        result: Result = "proved" if value > 0 else "disproved" if value < 0 else "out"
        self._proof = Proof("alphabeta", result, root_seat, "" if value else "stopped", *_numbers(value))

    def run(self, limit: Limit, is_cancelled: Callable[[], bool] = lambda: False) -> Proof:
        """Search up to *limit*; see ``Solver``. Its nodes count from ``begin`` on."""
        if self._proof.is_proof:
            return self._proof
        searcher = self._searcher_for(self._root)
        before = self._proof
        nodes = None if limit.nodes is None else limit.nodes - before.nodes
        if nodes is not None and nodes <= 0:
            self._proof = replace(before, reason="nodes")
            return self._proof
        self._was_stopped = False
        analysis = searcher.analyse(self._root, replace(limit, nodes=nodes), self._came_twice, 0, is_cancelled)
        value, reason = self._judge(analysis)
        if not value and not reason:
            is_out_of_nodes = nodes is not None and analysis.nodes >= nodes
            # The search may end early, if the time left would be of no use.
            was_stopped = self._was_stopped or is_cancelled()
            is_stopped = was_stopped or not can_repeat(self._root)
            has_no_use = is_stopped and not was_stopped
            is_out_of_time = limit.time is not None and (analysis.seconds >= limit.time or has_no_use)
            # A search that ends by itself has reached its greatest depth, meeting the same positions again and again.
            ended: Reason = "stopped" if is_stopped else "repetitions"
            reason = "nodes" if is_out_of_nodes else "time" if is_out_of_time else ended
        pn, dn = _numbers(value)
        self._proof = Proof(
            "alphabeta",
            "proved" if value > 0 else "disproved" if value < 0 else "out",
            before.seat,
            reason,
            pn,
            dn,
            nodes=before.nodes + analysis.nodes,
            iterations=analysis.depth,
            seconds=before.seconds + analysis.seconds,
            line=analysis.principal_variation,
            branches=self._branches(analysis.step, value),
        )
        return self._proof

    def _judge(self, analysis: Analysis) -> tuple[int, Reason]:
        """The value that *analysis* proves, or 0 and, if the limit is not the cause, the reason."""
        if not analysis.is_proven:
            return 0, ""
        is_won = analysis.score > 0.0
        if self._is_exact or not can_repeat(self._root):
            return (1 if is_won else -1), ""
        distance = analysis.win_distance
        if distance is not None and abs(distance) < steps_to_draw(self._root):
            return (1 if is_won else -1), ""
        return 0, "repetitions"

    def _branches(self, best: int, value: int) -> tuple[Branch, ...]:
        """The steps at the root: only the best is known to win, or all are known not to win."""
        steps = legal_steps(self._root, self._rules.MOST_STEPS)
        values = {step: -1 if value < 0 else int(value > 0 and step == best) for step in steps}
        return tuple(Branch(step, *_numbers(known), None, known) for step, known in values.items())

    def stop(self) -> None:
        self._was_stopped = True
        if self._searcher:
            self._searcher.stop()

    def live(self) -> Proof:
        """The progress so far: its nodes and its best line."""
        analysis = self._searcher.live() if self._searcher else None
        if analysis is None or self._proof.is_proof:
            return self._proof
        return replace(
            self._proof,
            nodes=self._proof.nodes + analysis.nodes,
            iterations=analysis.depth,
            line=analysis.principal_variation or (analysis.step,),
        )


def _numbers(value: int) -> tuple[float, float]:
    return (0.0, INFINITY) if value > 0 else (INFINITY, 0.0) if value < 0 else (1.0, 1.0)
