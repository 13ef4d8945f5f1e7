"""Who is told to lose by force has no step left that helps, however little it looks worth a look."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, WeightValues, candidates, evaluation_of, leaves_steps_out
from papan.ai.evaluation.accumulator import accumulator, answers, regather
from papan.ai.limits import UNPROVEN, WIN_BOUND, Limit
from papan.ai.players import make_player
from papan.ai.players.compiled import compiled_player, workspace
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.mcts import MCTS
from papan.ai.search.mcts_simulation import widen
from papan.ai.search.mcts_tree import LOSS, PROOF_BITS, children
from papan.ai.search.negamax import BUFFER, WORKSPACE
from papan.ai.search.threat_space import LEAF_TURNS, root_defences, shortest_forced_win
from papan.game.catalogue import GAMES
from papan.game.kernel import compiled, plainly
from papan.game.kernel.clock import NEVER
from papan.game.rules import State, is_over, legal_steps, mover, moves, payoff, play
from tests.ai.playing import best_of

GOMOKU = GAMES["gomoku"]
REFUTED = "f3 d5 g1 j11 g4 f4 h3 g5 h5 i6 e3 g3 i2 e6 h2 h4 g2 f2"
"""After e1 all steps that look worth a look lose, and f1 does not."""
SAMPLE, ALL = 60, 4000


def step_named(state: State, name: str) -> int:
    return next(step for step in legal_steps(state) if GOMOKU.rules.notation(state, step) == name)


def search(weights: WeightValues | None = None) -> AlphaBeta:
    return AlphaBeta(GOMOKU.rules, weights or evaluation_of(GOMOKU).WEIGHTS[STANDARD])


@compiled
def write_answers(state: State, work: Any, kept: Any) -> int:
    return answers(state, work.buffer, 0, kept)


@compiled
def write_wins(state: State, buffer: Any, base: int) -> int:
    """The steps that win at once."""
    end = moves(state, buffer, base)
    found = base
    for index in range(base, end):
        after = play(state, int(buffer[index]))
        if is_over(after) and payoff(after, mover(state)) > 0.0:
            buffer[found] = buffer[index]
            found += 1
    return found


class Looker:
    """What gomoku says of a position, compiled."""

    def __init__(self) -> None:
        self.work = np.zeros(1, WORKSPACE)[0]
        self.work.buffer_limit, self.work.deadline = BUFFER // 2, NEVER
        self.work.win_turns, self.work.node_limit = LEAF_TURNS, 1 << 40
        self.kept: Any = None

    def gather(self, state: State) -> None:
        self.kept = accumulator(state) if self.kept is None else self.kept
        regather(state, self.kept)

    def answers(self, state: State) -> set[int]:
        self.gather(state)
        return set(self.work.buffer[: write_answers(state, self.work, self.kept)].tolist())

    def wins(self, state: State) -> set[int]:
        return set(self.work.buffer[: write_wins(state, self.work.buffer, 0)].tolist())

    def defences(self, state: State) -> set[int]:
        self.gather(state)
        return set(self.work.buffer[: root_defences(state, self.work, self.kept)].tolist())

    def is_forced(self, state: State) -> bool:
        self.gather(state)
        return bool(shortest_forced_win(state, self.work, self.kept)[1] > 0)


def crowded(number: int) -> State:
    """A position with many stones close together, on any board, by any rule."""
    luck = Random(number)
    evaluation_of(GOMOKU)
    while True:
        state = GOMOKU.rules.start({"size": luck.choice(["15", "19", "20"]), "exact": luck.choice(["no", "yes"])}, luck)
        left, low = luck.randrange(state.size - 7), luck.randrange(state.size - 7)
        for _ in range(luck.randrange(8, 30)):
            near = [step for step in legal_steps(state) if left <= step % 21 < left + 8 and low <= step // 21 < low + 8]
            if not is_over(state):
                state = play(state, luck.choice(near))
        if not is_over(state):
            return state


def check_answers(looker: Looker, state: State) -> str:
    """What is left out wins nothing that an answer does not win, and loses at once; returns which kind it was."""
    told, wins, steps = looker.answers(state), looker.wins(state), set(legal_steps(state))
    assert told <= steps and told
    if wins:
        assert told == wins
        return "win"
    for step in steps - told:
        assert looker.wins(play(state, step)), GOMOKU.rules.text(state)
    return "stop" if told != steps else "all"


def check_defences(looker: Looker, state: State) -> str:
    """What is left out loses to a forced win; returns whether there was a threat."""
    if looker.answers(state) != set(legal_steps(state)):
        return "forced"
    told = looker.defences(state)
    for step in set(legal_steps(state)) - told if told else ():
        after = play(state, step)
        assert looker.is_forced(after), f"{GOMOKU.rules.text(state)}: {GOMOKU.rules.notation(state, step)}"
    return "threat" if told else "none"


@pytest.mark.parametrize("count", [SAMPLE, pytest.param(ALL, marks=pytest.mark.slow)])
class TestEveryAnswer:
    def test_what_answers_leave_out_loses_at_once(self, count: int) -> None:
        looker = Looker()
        kinds = Counter(check_answers(looker, crowded(number)) for number in range(count))
        assert min(kinds["win"], kinds["stop"], kinds["all"]) > count // 60

    def test_what_defences_leave_out_loses_by_force(self, count: int) -> None:
        looker = Looker()
        kinds = Counter(check_defences(looker, crowded(number)) for number in range(count))
        assert kinds["threat"] > count // 60


class TestAWinWithOneRefutation:
    STATE = GOMOKU.rules.parse(REFUTED, {})
    AFTER = play(STATE, step_named(STATE, "e1"))

    def test_it_is_no_win(self) -> None:
        for only in ((), [step_named(self.STATE, "e1")]):
            analysis = search().analyse(self.STATE, Limit(nodes=200_000), only=only)
            assert analysis.score < UNPROVEN and analysis.win_distance is None

    def test_the_refutation_is_found_though_it_is_not_among_the_steps_worth_a_look(self) -> None:
        analysis = search().analyse(self.AFTER, Limit(nodes=200_000))
        assert analysis.step == step_named(self.AFTER, "f1") and abs(analysis.score) < UNPROVEN
        buffer = np.empty(GOMOKU.rules.MOST_STEPS, np.int64)
        assert leaves_steps_out(self.STATE)
        assert step_named(self.AFTER, "f1") not in buffer[: candidates(self.AFTER, buffer, 0)]

    def test_a_step_that_is_asked_about_may_lose(self) -> None:
        only = [step_named(self.AFTER, "d1")]
        assert search().analyse(self.AFTER, Limit(nodes=100_000), only=only).step in only


LOST = "h8 a1 h9 a3 i8 c1 j9 a5 g10"
"""Two threats at once: what is worth a look loses, and so does all else."""


class TestALossIsTriedByEveryStep:
    @pytest.mark.parametrize("limit", [Limit(nodes=300_000), Limit(depth=10)], ids=["nodes", "depth"])
    def test_all_steps_of_the_root_are_lost(self, limit: Limit) -> None:
        analysis = search().analyse(GOMOKU.rules.parse(LOST, {}), limit)
        assert analysis.win_distance is not None and analysis.win_distance < 0
        assert limit.depth or (analysis.score <= -WIN_BOUND and analysis.is_proven)

    @pytest.mark.parametrize("depth", [4, 5])
    def test_a_search_that_does_not_call_itself_finds_the_same(self, depth: int) -> None:
        data = compiled_player(make_player(f"minimax:depth={depth}", GOMOKU))
        assert data is not None
        memory = workspace(GOMOKU.rules, GOMOKU.rules.parse("", {}))
        scores = set()
        for text in (LOST, REFUTED, LOST + " k7", "h8 a1 h9 a3 i8 c1", "h8 a1 h9 a3 i8 c1 j9"):
            state = GOMOKU.rules.parse(text, {})
            end = int(candidates(state, memory.work.buffer, 0))
            found = best_of(state, end, depth, 1, 0, np.array(data.weights), *memory)
            score = search(data.weights).analyse(state, Limit(depth=depth)).score
            assert found[1] == score
            scores.add(abs(score) >= WIN_BOUND)
        assert scores == {True, False}


class TestMonteCarlo:
    def search(self) -> MCTS:
        evaluation = evaluation_of(GOMOKU)
        return MCTS(GOMOKU.rules, evaluation.WEIGHTS[STANDARD], evaluation.SCALE, memory=64)

    @pytest.mark.parametrize(("text", "simulations"), [(LOST, 3_000), (REFUTED + " e1", 2_000)])
    def test_no_loss_is_told_by_the_steps_worth_a_look_alone(self, text: str, simulations: int) -> None:
        analysis = self.search().analyse(GOMOKU.rules.parse(text, {}), Limit(simulations=simulations), lines=0)
        assert analysis.simulations == simulations and analysis.win_distance is None

    def test_where_no_other_step_can_help_it_is_told(self) -> None:
        state = GOMOKU.rules.parse("h8 a1 h9 a3 h10 a5 h11", {})  # a four with two open ends
        analysis = self.search().analyse(state, Limit(simulations=2_000))
        assert analysis.win_distance == -2 and analysis.is_proven

    def test_the_steps_left_out_become_children_where_all_others_are_lost(self) -> None:
        state, search = GOMOKU.rules.parse("h8 a1 h9 a3 i8 a5 i9 a7 i10 c1", {}), self.search()
        search.analyse(state, Limit(simulations=300))
        nodes, buffer = search._nodes, np.empty(GOMOKU.rules.MOST_STEPS, np.int64)
        few = candidates(state, buffer, 0)
        assert len(list(children(nodes, 0))) == few and nodes[0].count == few + 1
        for child in children(nodes, 0):
            nodes[child].proven = LOSS if mover(state) == 0 else LOSS << PROOF_BITS
        with plainly():
            assert widen(state, nodes, 0, search._weights, search._work)
        found = [int(nodes[child].step) for child in children(nodes, 0)]
        assert sorted(found) == sorted(legal_steps(state)) and nodes[0].count == len(found)
