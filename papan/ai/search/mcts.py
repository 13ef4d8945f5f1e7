"""Monte-Carlo tree search for every game: UCT over steps, with proofs, chance, several seats and hidden information.

Kocsis and Szepesvári, "Bandit Based Monte-Carlo Planning" (2006). A simulation walks down the tree, at each node to the
child with the highest upper confidence bound for the seat that moves there, to a leaf; from there a random game is
played to its end, and each seat's payoff is added up along the path. A leaf gets children when it is reached for the
second time. Turns of several steps and any number of seats need no special care: each node is chosen for its own mover,
as max^n does (Sturtevant, "An Analysis of UCT in Multi-Player Games", 2008).

- **Evaluation**: the result of a simulation is the winning chance by the game's evaluation where the tree ends, or a
  mixture of it and the random game's result, by the trust in the evaluation (Silver et al., "Mastering the Game of Go
  with Deep Neural Networks and Tree Search", 2016). Random games alone say little where most steps lose.
- **Proofs**: MCTS-Solver (Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008), draws included. New
  children that end the game are proven at once, so an immediate win is taken and one of the opponent's is seen.
  A loss is proven by all steps, including those that are no ``candidates``.
- **Chance**: an outcome is drawn by its probability.
- **One seat**: payoffs are scores, of any size; exploration is scaled by the least and the greatest one met so far.
- **Repetition**: a position that repeats on the path from the root, or came twice in the match, is worth the rules'
  result for the cycle (``repetition``), and proves nothing.
- **Hidden information**: SO-ISMCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012).
  Each simulation deals the unknown cards anew, and visits only children that the deal has; a bound counts how often a
  child could have been chosen. A step that ends the game is assumed to end it in every deal, and only a win at the root
  is proven: the seat there knows its own steps.
- **Priors**: the estimated probability that a strong player chooses each step: PUCT in place of UCB1 (Rosin,
  "Multi-armed bandits with episode context", 2011, as Silver et al. use it), a step without visits having the mean
  value of its siblings. Where nothing is hidden, and the evaluation is used at all, a step's prior follows its odds of
  winning after the step. Where something is hidden, a linear model gives priors, if there is one
  (``papan.ai.learning.views``).
- **Reuse**: a search whose root is in the tree of the search before continues with that part of it.

The memory is allocated once, in two halves: the tree grows in one, and is copied to the other when its root changes.
When it is full, the search continues without new children.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from papan.ai.evaluation import WeightValues, as_vector, leaves_steps_out
from papan.ai.limits import WIN, Analysis, Limit, Line
from papan.ai.search import Query, Searcher
from papan.ai.search.mcts_simulation import MOST_LEVELS, WORKSPACE, search
from papan.ai.search.mcts_tree import (
    MEBIBYTE,
    NODE_BYTES,
    SEARCHED_STEPS,
    begin,
    children,
    copy_subtree,
    find,
    new_nodes,
    proven_for,
    ranked_children,
    turns_below,
)
from papan.ai.search.repetition import CameTwice, begin_path
from papan.game.kernel.arrays import new_record
from papan.game.kernel.clock import NEVER, clock_seconds, time_after
from papan.game.kernel.rng import random_state
from papan.game.rules import CHANCE, Rules, State, key, legal_steps, mover, play, seats

EXPLORATION = 0.7
"""The weight of a bound's second term, for payoffs from -1 to 1."""
PRIOR_EXPLORATION = 1.5
"""As ``EXPLORATION``, where steps have priors."""
SHARPNESS = 2.0
"""A step's prior is proportional to its odds of winning, by the evaluation, to this power."""
URGENCY = 1.0
"""The bound of a child that has not been visited: its *first-play urgency* (Gelly and Wang, "Modifications of UCT
and Sequence-Like Simulations for Monte-Carlo Go", 2006)."""
MEMORY = 128
"""MiB, by default."""
SIMULATIONS_A_TURN = 100
"""Simulations per turn of a limit of depth alone, which this search can't apply."""

_SEARCHED_NODES = 200_000
"""The most steps to play to find the new root in the old tree."""


class MCTS(Searcher):
    """Monte-Carlo tree search for one game; a ``Searcher``. It keeps its tree from move to move.

    A score is the mean payoff, turned into the evaluation's units by the inverse of ``winning_chance``; in a game for
    one it is the mean payoff itself. A proven one is a win or loss *within* that many turns: there may be a quicker
    one.
    """

    def __init__(
        self,
        rules: Rules,
        weights: WeightValues,
        scale: float,
        has_hidden_information: bool = False,
        memory: int | None = None,
        exploration: float | None = None,
        urgency: float = URGENCY,
        trust: float = 1.0,
        solves: bool = True,
        choices: int = 0,
    ) -> None:
        """:param memory: MiB for the tree, at least 1.
        :param exploration: C of UCT, or of PUCT where there are priors, in units of half the range of payoffs; default:
            the usual one.
        :param solves: whether it is an MCTS-Solver, which proves wins and losses; without, UCT alone, and no
            priors by the evaluation.
        :param trust: the share of the evaluation, from 0 to 1; 0 for random games alone.
        :param choices: the index of the weights of choices (``papan.ai.learning.views``), the priors with hidden
            information; 0 for none.
        """
        self._rules = rules
        self._scale = scale
        self._has_hidden_information = has_hidden_information
        self._weights = as_vector(weights)
        self._exploration, self._urgency, self._trust = exploration, urgency, trust
        self._solves = solves
        self._choices = choices
        self._work = new_record(WORKSPACE)
        self._work.deadline = NEVER
        size = (memory or MEMORY) * MEBIBYTE // NODE_BYTES // 2
        self._nodes, self._spare = new_nodes(size), new_nodes(size)
        self._root: State | None = None
        self._came_twice = CameTwice()
        self._lines, self._started = 1, 0.0

    # -------------------------------------------------------------------------------- as a Searcher

    def prepare(self, state: State) -> None:
        search.prepare(state, self._weights, self._nodes, self._work, random_state(0))
        copy_subtree.prepare(self._nodes, 0, self._spare, self._work)
        if not self._has_hidden_information:
            find.prepare(state, 0, 0, 0, 0, self._nodes, self._work)

    def stop(self) -> None:
        self._work.stop = 1

    def live(self) -> Analysis | None:
        """The progress of the current search, once a simulation has visited a step."""
        nodes, work = self._nodes, self._work
        if not work.simulations or not any(nodes[child].visits for child in children(nodes, 0)):
            return None
        return self._analysis(nodes, self._lines, clock_seconds() - self._started)

    def answer(self, query: Query) -> Analysis:
        """As any ``Searcher``.

        With a limit of simulations or nodes it starts a new tree, so that the same seed gives the same answer;
        otherwise it continues the old one if it can. Lines have visits and mean scores, rough ones for steps with few
        visits; a step without visits has no line.
        """
        state, limit = query.state, query.limit
        self.prepare(state)
        work = self._work
        work.stop, work.simulations = 0, 0
        if query.is_cancelled():
            self.stop()
        self._lines, self._started = query.lines, clock_seconds()
        work.deadline = time_after(limit.plain_time)
        may_reuse = limit.simulations is None and limit.nodes is None
        self._plant(state, query.came_twice, query.only, may_reuse)
        self._set_limits(limit)
        self._simulate(state, query.seed)
        return self._analysis(self._nodes, query.lines, clock_seconds() - self._started)

    def _simulate(self, state: State, seed: int) -> None:
        search(state, self._weights, self._nodes, self._work, random_state(seed))

    # ------------------------------------------------------------------------------------- planting

    def _set_limits(self, limit: Limit) -> None:
        work = self._work
        simulations = limit.simulations
        if simulations is None and limit.nodes is None and limit.time is None:
            simulations = SIMULATIONS_A_TURN * (limit.depth or 1)
        endless = np.iinfo(np.int64).max
        work.nodes, work.node_limit = 0, endless if limit.nodes is None else limit.nodes
        work.simulations, work.simulation_limit = 0, endless if simulations is None else simulations

    def _plant(self, state: State, came_twice: Sequence[int], only: Sequence[int], may_reuse: bool) -> None:
        """Make the first node that of *state*: from the old tree if *may_reuse* and it is there, else a new one."""
        work = self._work
        before = CameTwice.of(came_twice)
        is_same = before == self._came_twice and before.notes == self._came_twice.notes
        may_reuse = may_reuse and not only and not work.asked and is_same
        index = self._found(state) if may_reuse else -1
        copied = copy_subtree(self._nodes, index, self._spare, work) if index > 0 else 0
        if copied:
            work.used = copied
            self._nodes, self._spare = self._spare, self._nodes
        elif index != 0:
            self._begin(state, only)
        self._root, self._came_twice = state, before
        work.root_seat = int(mover(state))
        begin_path(state, before, work)

    def _begin(self, state: State, only: Sequence[int]) -> None:
        work = self._work
        work.used = begin(self._nodes, state)
        work.is_hidden = int(self._has_hidden_information)
        work.is_for_one = int(seats(state) == 1)
        work.is_ordered = int(leaves_steps_out(state))
        work.asked = len(only)
        work.only[: len(only)] = list(only)
        work.trust = 0.0 if work.is_for_one else self._trust
        work.choices, work.solves = self._choices, int(self._solves)
        work.has_priors = int(self._choices > 0 if work.is_hidden else self._solves and work.trust > 0.0)
        usual = PRIOR_EXPLORATION if work.has_priors else EXPLORATION
        work.exploration = usual if self._exploration is None else self._exploration
        work.scale, work.steepness = self._scale, SHARPNESS / self._scale
        work.urgency = math.inf if work.is_for_one else self._urgency
        work.least, work.greatest = (math.inf, -math.inf) if work.is_for_one else (-1.0, 1.0)

    def _found(self, state: State) -> int:
        """The index of the node of *state* in the old tree, or -1."""
        work = self._work
        if self._root is None or type(state) is not type(self._root):
            return -1
        if state == self._root:
            return 0
        if self._has_hidden_information:
            return -1  # the steps since then may be unknown, and beliefs have changed
        work.nodes, work.node_limit = 0, _SEARCHED_NODES
        wanted = int(key(state))
        for deepest in range(1, SEARCHED_STEPS + 1):
            index = int(find(self._root, 0, 0, deepest, wanted, self._nodes, work))
            if index >= 0:
                reached = self._root
                for step in work.trail[:deepest]:
                    reached = play(reached, int(step))
                return index if reached == state else -1  # the key leaves draw counters out
        return -1

    # ------------------------------------------------------------------------------------ answering

    def _analysis(self, nodes: Any, lines: int, seconds: float) -> Analysis:
        work = self._work
        seat = int(work.root_seat)
        known = ranked_children(nodes, 0)
        if not known:
            steps = legal_steps(self._root, self._rules.MOST_STEPS)
            step = int(work.only[0]) if work.asked else steps[0]
            return Analysis(step, 0.0, seat, seconds=seconds, principal_variation=(step,))
        return Analysis.of(
            [self._line(nodes, child, seat) for child in known[: lines or None]],
            seat,
            nodes=int(work.nodes),
            simulations=int(work.simulations),
            seconds=seconds,
            is_proven=bool(nodes[0].proven),
        )

    def _line(self, nodes: Any, child: int, seat: int) -> Line:
        node = nodes[child]
        step, visits, proven = int(node.step), int(node.visits), int(node.proven)
        variation = (step,) if self._has_hidden_information else self._variation(nodes, child)
        if proven == 0:
            return Line(step, self._score(float(node.value), visits), variation, False, visits)
        digit = proven_for(proven, seat)
        won = WIN - int(turns_below(nodes, child, seat))
        return Line(step, (0.0, -won, 0.0, won)[digit], variation, True, visits)

    def _score(self, value: float, visits: int) -> float:
        """The mean of payoffs with the sum *value*, in the evaluation's units."""
        if self._work.is_for_one:
            return value / visits
        chance = (value / visits + 1.0) / 2.0
        least = 0.5 / (visits + 1)  # no number of games gives certainty
        chance = max(least, min(chance, 1.0 - least))
        return self._scale * math.log(chance / (1.0 - chance))

    def _variation(self, nodes: Any, index: int) -> tuple[int, ...]:
        """The step of the node *index*, and the best ones after it, up to an outcome of chance."""
        steps = [int(nodes[index].step)]
        while nodes[index].count and nodes[index].mover != CHANCE and len(steps) < MOST_LEVELS:
            known = ranked_children(nodes, index)
            if not known:
                break
            index = known[0]
            steps.append(int(nodes[index].step))
        return tuple(steps)
