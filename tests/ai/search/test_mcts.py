"""Monte-Carlo tree search: its tree by hand, its proofs against brute force, and what it promises of every game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of
from papan.ai.learning.catur_jawa import CARDS, CHOICES, NETWORK, PRICES
from papan.ai.limits import WIN, WIN_BOUND, Analysis, Limit
from papan.ai.search.mcts import MCTS, SHARPNESS
from papan.ai.search.mcts_simulation import WORKSPACE, mean_of_siblings
from papan.ai.search.mcts_tree import (
    CHANCES,
    DRAW,
    LINK,
    LOSS,
    MEBIBYTE,
    NODE,
    VICTORY,
    appeal_of,
    children,
    copy_subtree,
    new_nodes,
    prove,
)
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import plainly
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import CHANCE, State, guess, is_over, key, legal_steps, mover, observe, payoff, play, seats
from papan.game.rules.catur_jawa import CELL_BITS
from tests.ai.playing import at_random

EVERY_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
SETUPS = {"santorini": {"gods": "none", "placement": "random"}}


def searcher(game: Game, memory: int = 4) -> MCTS:
    evaluation = evaluation_of(game)
    return MCTS(game.rules, evaluation.WEIGHTS[STANDARD], evaluation.SCALE, game.has_hidden_information, memory)


def new_match(game: Game, seed: int = 1, count: int | None = None) -> Match:
    return Match.new(game, [""] * (count or game.seats[0]), SETUPS.get(game.name), seed)


def before_the_end(match: Match) -> Match:
    """A match of three that was over, some steps before: where a turn begins."""
    for _ in range(3):
        match.undo()
    while match.rules.phase(match.state) != "move":
        match.undo()
    return match


def in_the_middle(game: Game, seed: int = 1) -> Match:
    """A match in which a seat has something to decide."""
    match = at_random(new_match(game, seed), 9, seed)
    while match.mover == CHANCE or len(match.legal_steps()) < 2:
        at_random(match, 1, seed)
    return match


def without_time(analysis: Analysis) -> dict[str, object]:
    return {**vars(analysis), "seconds": 0.0}


class TooLarge(Exception):
    """There is more below a position than a test has time for."""


def value_of(state: State, budget: list[int]) -> tuple[float, ...]:
    """What each seat gets where everybody wants the best for itself: brute force, of so many positions at most.

    :raises TooLarge: there are more.
    """
    budget[0] -= 1
    if not budget[0]:
        raise TooLarge
    if is_over(state):
        return tuple(payoff(state, seat) for seat in range(seats(state)))
    seat = mover(state)
    return max((value_of(play(state, step), budget) for step in legal_steps(state)), key=lambda values: values[seat])


# ------------------------------------------------------------------------------------ the tree by hand


def tree(*nodes: tuple[int, int, int, int, int]) -> Any:
    """Nodes of a mover, a first child, a number of children, a proof and a distance each."""
    made = new_nodes(len(nodes))
    for index, (seat, first, count, proof, distance) in enumerate(nodes):
        made[index].mover, made[index].first, made[index].count = seat, first, count
        made[index].proven, made[index].distance = proof, distance
    return made


def proof(*digits: int) -> int:
    return sum(digit << 2 * seat for seat, digit in enumerate(digits))


WON, LOST, DRAWN = proof(VICTORY, LOSS), proof(LOSS, VICTORY), proof(DRAW, DRAW)


SECOND_WINS, THIRD_WINS = proof(LOSS, VICTORY, LOSS), proof(LOSS, LOSS, VICTORY)
FIRST_WINS = proof(VICTORY, LOSS, LOSS)
TOGETHER = proof(VICTORY, LOSS, VICTORY, LOSS)


@pytest.mark.parametrize(
    ("seat", "below", "proven", "distance"),
    [
        (0, [(1, 0, 0), (1, WON, 0)], WON, 1),  # one winning step is enough
        (0, [(1, WON, 4), (1, WON, 2), (1, LOST, 0)], WON, 3),  # the quickest win counts
        (0, [(1, LOST, 2), (1, 0, 0)], 0, 0),  # a loss needs all steps to lose
        (0, [(1, LOST, 2), (1, LOST, 4)], LOST, 5),
        (1, [(0, WON, 2), (0, DRAWN, 0)], DRAWN, 1),  # a draw is better than a loss
        (1, [(0, 0, 0), (0, DRAWN, 0)], 0, 0),
        (0, [(0, WON, 3)], WON, 3),  # a step within the turn takes no turn
        (0, [(1, SECOND_WINS, 1), (1, THIRD_WINS, 1)], 0, 0),  # who can't win may choose the winner
        (0, [(1, SECOND_WINS, 1), (1, SECOND_WINS, 3)], SECOND_WINS, 4),
        (0, [(1, SECOND_WINS, 1), (1, FIRST_WINS, 5)], FIRST_WINS, 6),
        (2, [(3, 0, 0), (3, TOGETHER, 1)], TOGETHER, 2),  # allies win together
        (CHANCE, [(0, WON, 0), (0, LOST, 0)], 0, 0),  # all outcomes of chance must agree
        (CHANCE, [(0, WON, 1), (0, 0, 0)], 0, 0),
        (CHANCE, [(0, WON, 1), (0, WON, 3)], WON, 4),
    ],
)
def test_what_is_proven_of_a_node(seat: int, below: list[tuple[int, int, int]], proven: int, distance: int) -> None:
    """*below*: a mover, a proof and a distance for each child."""
    made = tree((seat, 1, len(below), 0, 0), *((mover, 0, 0, known, far) for mover, known, far in below))
    assert prove(made, 0) == (proven != 0)
    assert (int(made[0].proven), int(made[0].distance)) == (proven, distance)


class TestCopying:
    def test_a_subtree_keeps_its_nodes_and_nothing_else(self) -> None:
        work = searcher(GAMES["p-tree"])._work
        source = tree((0, 1, 2, 0, 0), (1, 3, 2, 0, 0), (1, 5, 2, 0, 0), *[(0, 0, 0, 0, 0)] * 2, (0, 7, 1, 0, 0),
                      (0, 0, 0, 0, 0), (1, 0, 0, WON, 0))  # fmt: skip
        source["visits"] = range(8)
        target = new_nodes(8)
        work.stop = 0
        used = copy_subtree(source, 2, target, work)
        assert used == 4
        assert target["visits"][:4].tolist() == [2, 5, 6, 7]
        assert list(children(target, 0)) == [1, 2] and list(children(target, 1)) == [3]
        assert target[3].proven == WON

    def test_links_lead_to_the_other_children(self) -> None:
        made = tree((0, 1, 2, 0, 0), (1, 0, 0, 0, 0), (1, 3, 2, 0, 0), (1, 0, 0, 0, 0), (1, 0, 0, 0, 0))
        made["step"][[2, 4]] = LINK
        assert list(children(made, 0)) == [1, 3]


# ----------------------------------------------------------------------------------------- proofs in games


SMALL: dict[str, Callable[[Random], Match]] = {
    "p-tree": lambda random: Match.new(
        GAMES["p-tree"], ["", ""], {"branching": "3", "depth": "6", "tree": str(random.randrange(1000))}, 1
    ),
    "connect-four": lambda random: at_random(new_match(GAMES["connect-four"]), 33, random.randrange(10**6)),
    "othello": lambda random: at_random(new_match(GAMES["othello"]), 54, random.randrange(10**6)),
    "santorini-graph": lambda random: at_random(
        Match.new(GAMES["santorini-graph"], ["", ""], {"variant": "2W_P2H_TWUS", "board": "path:5"}, 1),
        2,
        random.randrange(10**6),
    ),
    "santorini": lambda random: before_the_end(
        at_random(Match.new(GAMES["santorini"], [""] * 3, SETUPS["santorini"], 1), 500, random.randrange(10**6))
    ),
}


@pytest.mark.parametrize("name", SMALL)
def test_proofs_agree_with_brute_force(name: str) -> None:
    random = Random(7)
    compared = number = 0
    while compared < 12:
        number += 1
        assert number < 500, "there are enough such positions"
        match = SMALL[name](random)
        if match.ending:
            continue
        analysis = searcher(match.game).analyse(match.state, Limit(simulations=20_000), seed=number, lines=0)
        seat = match.mover
        values = {}
        for step in match.legal_steps():
            with suppress(TooLarge):
                values[step] = value_of(play(match.state, step), [400])[seat]
        proven = [line for line in analysis.lines if line.is_proven and line.step in values]
        assert [np.sign(line.score) for line in proven] == [values[line.step] for line in proven]
        compared += len(proven)
        if len(values) == len(match.legal_steps()) and seats(match.state) == 2:  # with more, ties leave the winner open
            assert analysis.is_proven and np.sign(analysis.score) == max(values.values()) == values[analysis.step]


@pytest.mark.parametrize(
    ("position", "simulations", "steps", "distance", "line"),
    [
        ("112233", 400, {3}, 1, 1),  # a win on the spot is taken
        ("4455", 5000, {2, 5}, 3, 3),  # two threats at once
        ("44553", 5000, {*range(7)}, -2, 2),  # a lost game is drawn out
    ],
)
def test_wins_of_connect_four(position: str, simulations: int, steps: set[int], distance: int, line: int) -> None:
    game = GAMES["connect-four"]
    analysis = searcher(game).analyse(game.rules.parse(position, {}), Limit(simulations=simulations), lines=0)
    assert analysis.step in steps and (analysis.win_distance, analysis.is_proven) == (distance, True)
    assert len(analysis.principal_variation) == line and (analysis.simulations == 1) == (distance == 1)


def test_a_win_of_the_opponent_is_stopped() -> None:
    game = GAMES["connect-four"]
    analysis = searcher(game).analyse(game.rules.parse("11223", {}), Limit(simulations=5000), lines=0)
    assert analysis.step == 3
    assert {line.step for line in analysis.lines if line.score <= -WIN_BOUND} == {0, 1, 2, 4, 5, 6}


def test_repetition_is_worth_what_the_match_says() -> None:
    """Black is a king ahead; the position that has come twice is a draw all the same, and proves nothing."""
    game = GAMES["checkers"]
    state = game.rules.parse("B:W31:BK10,K14,K15", {})
    step = legal_steps(state)[0]
    repeated = int(key(play(state, step)))
    (line,) = searcher(game).analyse(state, Limit(simulations=300), (repeated,), only=[step]).lines
    assert line.score == 0.0 and not line.is_proven
    analysis = searcher(game).analyse(state, Limit(simulations=3000), (repeated,))
    assert analysis.step != step and analysis.score > 0


# ------------------------------------------------------------------------------------ every game's promises


@EVERY_GAME
def test_the_same_seed_gives_the_same_answer_compiled_or_not(game: Game) -> None:
    state = in_the_middle(game).state
    simulations = 12 if game.name == "xiangqi" else 25
    first = searcher(game).analyse(state, Limit(simulations=simulations), seed=5, lines=0)
    assert first.step in legal_steps(state) and (first.simulations == simulations or first.is_proven)
    assert sum(line.visits for line in first.lines) == first.simulations
    again = searcher(game)
    again.analyse(state, Limit(simulations=30), seed=6)
    assert without_time(again.analyse(state, Limit(simulations=simulations), seed=5, lines=0)) == without_time(first)
    with plainly():
        plain = searcher(game).analyse(state, Limit(simulations=simulations), seed=5, lines=0)
    assert without_time(plain) == without_time(first)


EVERY_KIND = pytest.mark.parametrize(
    "game", [GAMES[name] for name in ("connect-four", "xiangqi", "catur-jawa", "2048")], ids=lambda game: game.name
)


@EVERY_KIND
def test_memory_is_never_exceeded(game: Game) -> None:
    state = in_the_middle(game).state
    search = searcher(game, memory=1)
    assert search._nodes.nbytes + search._spare.nbytes <= MEBIBYTE
    analysis = search.analyse(state, Limit(time=0.3, nodes=10**12))
    assert search._work.used <= len(search._nodes) == MEBIBYTE // 2 // NODE.itemsize
    assert analysis.step in legal_steps(state)


def test_a_full_tree_is_searched_on() -> None:
    game = GAMES["connect-four"]
    search = searcher(game, memory=1)
    analysis = search.analyse(new_match(game).state, Limit(simulations=60_000))
    assert len(search._nodes) - 7 < search._work.used <= len(search._nodes)
    assert analysis.simulations == 60_000


@EVERY_KIND
def test_stop_ends_it_from_another_thread(game: Game) -> None:
    state = in_the_middle(game).state
    search = searcher(game)
    search.prepare(state)
    simulations = 10**9  # of more hours than anybody waits

    def stop_once_it_runs() -> None:  # what was said before would be forgotten as it begins
        while not search._work.simulations:
            time.sleep(0.01)
        search.stop()

    stopping = threading.Thread(target=stop_once_it_runs, daemon=True)
    stopping.start()
    analysis = search.analyse(state, Limit(simulations=simulations))
    if not analysis.is_proven:
        assert analysis.simulations < simulations
        live = search.live()
        assert live is not None and live.step == analysis.step and live.simulations == analysis.simulations
    stopping.join()
    assert analysis.step in legal_steps(state)


def test_cancelled_before_it_begins() -> None:
    for game in (GAMES["gomoku"], GAMES["catur-jawa"]):
        state = in_the_middle(game).state
        analysis = searcher(game).analyse(state, Limit(time=60), is_cancelled=lambda: True)
        assert analysis.step in legal_steps(state) and analysis.simulations == 0


@EVERY_GAME
def test_only_some_steps_can_be_looked_at(game: Game) -> None:
    state = in_the_middle(game).state
    only = legal_steps(state)[:2]
    analysis = searcher(game).analyse(state, Limit(simulations=50), only=only, lines=0)
    assert {line.step for line in analysis.lines} <= set(only) and analysis.step in only


# ------------------------------------------------------------------------------------------------- reuse


def counts(search: MCTS, index: int, depth: int) -> dict[int, object]:
    """The visits, and what is below, of each child of a node."""
    nodes = search._nodes
    return {
        int(nodes[child].step): (
            int(nodes[child].visits),
            float(nodes[child].value),
            counts(search, child, depth - 1) if depth else None,
        )
        for child in children(nodes, index)
    }


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if not game.has_hidden_information])
@pytest.mark.parametrize("running", [nullcontext, plainly], ids=["compiled", "plain"])
def test_the_tree_is_kept_from_move_to_move(name: str, running: Callable[[], AbstractContextManager[None]]) -> None:
    game = GAMES[name]
    match = in_the_middle(game)
    search = searcher(game)
    search.analyse(match.state, Limit(simulations=1000))
    index = 0
    state = match.state
    for _ in range(2):
        looked_beyond = [child for child in children(search._nodes, index) if search._nodes[child].count]
        index = max(looked_beyond, key=lambda child: int(search._nodes[child].visits))
        state = play(state, int(search._nodes[index].step))
    before = counts(search, index, 3)
    with running():
        search._plant(state, (), (), True)
    assert counts(search, 0, 3) == before
    assert search._work.used < len(search._nodes)


def test_only_positions_below_count_in_the_next_search() -> None:
    game = GAMES["connect-four"]
    search = searcher(game)
    first = search.analyse(game.rules.parse("444", {}), Limit(simulations=1000))
    below = game.rules.parse("444" + "".join(str(step + 1) for step in first.principal_variation[:2]), {})
    again = search.analyse(below, Limit(time=0.02), lines=0)
    assert sum(line.visits for line in again.lines) > again.simulations > 0
    other = search.analyse(game.rules.parse("1", {}), Limit(time=0.02), lines=0)
    assert sum(line.visits for line in other.lines) == other.simulations
    assert search._found(game.rules.parse("", {})) == -1


# ---------------------------------------------------------------------- hidden information, chance, seats


@cache
def wins_at_hand() -> list[tuple[int, State, list[int]]]:
    """Positions of Catur Jawa in which a step wins: their number, and those steps."""
    found = []
    for number in range(120):
        match = at_random(new_match(GAMES["catur-jawa"], number), 16, number)
        afters = {} if match.ending else {step: play(match.state, step) for step in match.legal_steps()}
        wins = [step for step, after in afters.items() if is_over(after) and payoff(after, match.mover) > 0]
        if wins:
            found.append((number, match.state, wins))
    assert len(found) > 3
    return found


class TestHiddenInformation:
    GAME = GAMES["catur-jawa"]

    def test_what_is_hidden_makes_no_difference(self) -> None:
        for number in range(4):
            match = at_random(new_match(self.GAME, number, 2 + number % 3), 7, number)
            seat = match.mover
            seen = observe(match.state, seat)
            answers = [
                without_time(searcher(self.GAME).analyse(state, Limit(simulations=300), seed=3, lines=0))
                for state in (match.state, seen, guess(seen, seat, random_state(8)), guess(seen, seat, random_state(9)))
            ]
            assert answers[0] == answers[1] == answers[2] == answers[3]

    def test_steps_count_as_often_as_they_could_be_chosen(self) -> None:
        match = at_random(new_match(self.GAME), 4)
        search = searcher(self.GAME)
        search.analyse(match.state, Limit(simulations=2000))
        nodes = search._nodes
        own = list(children(nodes, 0))
        assert sorted(int(nodes[child].step) for child in own) == sorted(match.legal_steps())
        assert all(nodes[child].available == 2000 for child in own)
        busiest = max(own, key=lambda child: int(nodes[child].visits))
        theirs = [nodes[child] for child in children(nodes, busiest)]
        assert len({int(node.step) for node in theirs}) == len(theirs)
        assert all(node.available > 0 and node.visits <= node.available for node in theirs)
        assert len({int(node.available) for node in theirs}) > 1
        values = {int(node.step) >> 7 for node in theirs}
        assert len(values) > 3, "several deals have been met"


class TestPriors:
    """What a strong player is likely to choose is looked at first."""

    GAME = GAMES["catur-jawa"]

    def search(self, choices: NDArray[np.float64]) -> MCTS:
        """One by these weights of *choices*."""
        evaluation = evaluation_of(self.GAME)
        standard = np.array(evaluation.WEIGHTS[STANDARD])
        weights = np.concatenate([standard, np.zeros(NETWORK.size), choices])
        base = len(standard) + NETWORK.size
        return MCTS(self.GAME.rules, weights, evaluation.SCALE, True, 4, trust=1.0, choices=base)

    def test_what_appeals_most_has_most_visits(self) -> None:
        match = at_random(new_match(self.GAME), 5)
        seen = observe(match.state, match.mover)
        values = sorted({step >> CELL_BITS for step in match.legal_steps()})
        for value in values:
            choices = np.zeros(CHOICES.size)
            choices[PRICES + value * CARDS : PRICES + (value + 1) * CARDS] = 9.0
            found = self.search(choices).analyse(seen, Limit(simulations=60), lines=0)
            of_value = sum(line.visits for line in found.lines if line.step >> CELL_BITS == value)
            assert of_value > 0.8 * found.simulations

    def test_a_win_on_the_spot_is_taken_with_any_priors_and_without(self) -> None:
        for number, state, wins in wins_at_hand():
            choices = np.random.default_rng(number).normal(0.0, 2.0, CHOICES.size)
            for search in (self.search(choices), searcher(self.GAME)):
                found = search.analyse(observe(state, mover(state)), Limit(simulations=50))
                assert found.step in wins and found.score == WIN - 1 and found.is_proven

    def test_the_same_seed_gives_the_same_answer_compiled_or_not(self) -> None:
        match = at_random(new_match(self.GAME, 2, 3), 7)
        seen = observe(match.state, match.mover)
        choices = np.random.default_rng(1).normal(0.0, 1.0, CHOICES.size)
        answers = [self.search(choices).analyse(seen, Limit(simulations=40), seed=5, lines=0)]
        with plainly():
            answers.append(self.search(choices).analyse(seen, Limit(simulations=40), seed=5, lines=0))
        assert without_time(answers[0]) == without_time(answers[1])
        assert sum(line.visits for line in answers[0].lines) == answers[0].simulations

    def test_chances_are_kept_to_six_parts_in_a_hundred(self) -> None:
        for chance in (1.0, 0.5, 0.1, 0.003):
            assert CHANCES[appeal_of(chance)] == pytest.approx(chance, rel=0.04)
        assert 0 < CHANCES[appeal_of(0.0)] < 1e-6


class TestForesight:
    """What the evaluation promises most is looked at first."""

    def expanded(self, game: Game, match: Match, trust: float = 1.0, solves: bool = True) -> MCTS:
        """A search of *match* whose root has children."""
        evaluation = evaluation_of(game)
        search = MCTS(game.rules, evaluation.WEIGHTS[STANDARD], evaluation.SCALE, memory=4, trust=trust, solves=solves)
        search.analyse(match.state, Limit(simulations=2))
        return search

    @pytest.mark.parametrize("name", ["connect-four", "santorini", "cifra", "gomoku", "othello", "xiangqi"])
    def test_priors_are_a_softmax_of_what_each_step_leads_to_and_the_best_is_tried_first(self, name: str) -> None:
        game = GAMES[name]
        evaluation, match = evaluation_of(game), in_the_middle(game)
        weights = np.array(evaluation.WEIGHTS[STANDARD])
        nodes = self.expanded(game, match)._nodes
        below = [nodes[child] for child in children(nodes, 0)]
        found = [node for node in below if not node.proven]
        worth = [evaluate(play(match.state, int(node.step)), match.mover, weights) for node in found]
        odds = np.exp(SHARPNESS * (np.array(worth) - max(worth)) / evaluation.SCALE)
        assert len(found) > 1
        for node, share in zip(found, odds / odds.sum(), strict=True):
            assert CHANCES[node.appeal] == pytest.approx(share, rel=0.04, abs=1e-6)
        tried = [evaluate(play(match.state, int(node.step)), match.mover, weights) for node in below if node.visits]
        assert 0 < len(tried) < len(below) and max(worth) in tried

    @pytest.mark.parametrize(("trust", "solves"), [(0.0, True), (0.0, False), (1.0, False)])
    def test_there_are_none_without_the_evaluation_or_proofs(self, trust: float, solves: bool) -> None:
        game = GAMES["othello"]
        nodes = self.expanded(game, in_the_middle(game), trust, solves)._nodes
        assert [int(nodes[child].appeal) for child in children(nodes, 0)] == [0] * len(list(children(nodes, 0)))

    def test_each_is_worth_what_its_siblings_are_until_it_is_visited(self) -> None:
        made, work = new_nodes(4), np.zeros(1, WORKSPACE)[0]
        made[1].visits, made[1].value = 3, 1.5
        made[2].visits, made[2].value = 1, -0.5
        assert mean_of_siblings(made, 1, 3, work) == 0.25
        assert mean_of_siblings(made, 3, 1, work) == 0.0
        work.is_hidden, work.met[:2] = 1, [3, 2]
        assert mean_of_siblings(made, 0, 2, work) == -0.5, "of those only that a deal has"
        work.is_hidden, made[1].proven = 0, LOST
        assert mean_of_siblings(made, 1, 3, work) == -0.5, "what is proven says nothing of the others"


class TestChance:
    GAME = GAMES["2048"]

    def test_outcomes_come_as_often_as_they_are_likely(self) -> None:
        search = searcher(self.GAME)
        match = new_match(self.GAME)
        search.analyse(match.state, Limit(simulations=6_000))
        nodes = search._nodes
        slid = max(children(nodes, 0), key=lambda child: int(nodes[child].visits))
        assert nodes[slid].mover == CHANCE
        fours = sum(int(nodes[child].visits) for child in children(nodes, slid) if nodes[child].step & 1)
        assert 0.08 < fours / nodes[slid].visits < 0.12

    def test_the_score_is_the_mean_of_the_final_scores(self) -> None:
        match = Match.new(self.GAME, [""], {"size": "2", "start": "22"}, 3)
        analysis = searcher(self.GAME).analyse(match.state, Limit(simulations=2000), lines=0)
        assert 20 < analysis.score < 200 and not analysis.is_proven

    def test_it_plays_better_than_at_random(self) -> None:
        def final_score(simulations: int) -> float:
            match = Match.new(self.GAME, [""], {"size": "3"}, 3)
            search = searcher(self.GAME)
            while not match.ending:
                if match.mover == CHANCE:
                    match.play(match.chance_step())
                else:
                    limit = Limit(simulations=simulations)
                    match.play(search.analyse(match.state, limit, seed=len(match.steps)).step)
            return payoff(match.state, 0)

        assert final_score(150) > 3 * final_score(1)


@pytest.mark.parametrize(("name", "count", "options"), [
    ("santorini", 3, {"gods": "none", "placement": "random"}),
    ("santorini", 4, {"gods": "none", "placement": "random"}),
    ("santorini", 4, {"gods": "none", "placement": "random", "teams": "yes"}),
    ("santorini", 2, {}),
    ("catur-jawa", 3, {}),
    ("catur-jawa", 4, {}),
])  # fmt: skip
def test_any_number_of_seats_plays_to_the_end(name: str, count: int, options: dict[str, str]) -> None:
    game = GAMES[name]
    match = Match.new(game, [""] * count, options, 2)
    search = searcher(game)
    while not match.ending:
        analysis = search.analyse(observe(match.state, match.mover), Limit(simulations=20), seed=len(match.steps))
        assert analysis.seat == match.mover
        match.play(analysis.step)
    assert len(match.ending.payoffs) == count
