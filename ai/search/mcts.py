"""Monte-Carlo tree search for every game: UCT over steps, with proofs, chance, several seats and hidden information.

Kocsis and Szepesvári, "Bandit Based Monte-Carlo Planning" (2006). A simulation walks down the tree, at each node to
the child with the highest upper confidence bound for the seat that moves there, to a leaf; from there a random game is
played to its end, and what each seat gets is added up along the way. A leaf is given children when it is reached for
the second time. What a turn's steps are, whose they are and how many seats there are makes no difference: each node is
chosen for its own mover, as max^n does (Sturtevant, "An Analysis of UCT in Multi-Player Games", 2008).

- **Proofs**: MCTS-Solver (Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008), draws included. New
  children that end the game are proven at once, so an immediate win is taken and one of the opponent's is seen.
- **Chance**: an outcome is drawn by its probability.
- **One seat**: payoffs are scores, of any size; exploration is scaled by the least and the greatest one met so far.
- **Repetition**: a position that comes again on the way down from the root, or has come twice in the match, is worth
  what ``repetition_payoff`` says, and proves nothing.
- **Hidden information**: SO-ISMCTS (Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", 2012).
  Each simulation deals anew what the seat at the root can't see, and goes through those children only that the deal
  has; a bound counts how often a child could have been chosen. A step that ends the game is taken to end it in every
  deal, and only a win at the root is proven: the seat there knows its own steps.
- **Reuse**: a search whose root stands in the tree of the one before goes on with that part of it.

The memory is allocated once, in two halves: the tree grows in one, and is copied to the other when its root changes.
Where it is full, the search goes on without new children.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ai.evaluation import candidates
from ai.limits import WIN, Analysis, Limit, Line
from ai.search.mcts_tree import (
    DRAW,
    LINK,
    LOSS,
    MEBIBYTE,
    NODE_BYTES,
    SEARCHED_STEPS,
    VICTORY,
    add_children,
    begin,
    children,
    copy_subtree,
    find,
    new_nodes,
    prove,
    proven_for,
    ranked,
    turns_below,
)
from game.kernel import compiled, subroutine
from game.kernels import CHANCE, State, can_repeat, guess, is_over, key, mover, payoff, play, repetition_payoff, seats
from game.playout import random_step
from game.rng import RandomState, below, random_state
from game.rules import Rules, legal_steps

EXPLORATION = 0.7
"""The weight of a bound's second term, for payoffs from -1 to 1."""
URGENCY = 1.0
"""The bound, beside the mean of its parent, of a child that has not been visited (Gelly and Wang, 2006)."""
MEMORY = 128
"""MiB, unless asked otherwise."""
SIMULATIONS_A_TURN = 100
"""A limit of depth alone, which this search has not, stands for so many simulations for each turn."""

_MOST_STEPS = 1 << 12
_MOST_LEVELS = 1 << 9
_MOST_PAST = 1 << 9
_MOST_SEATS = 4
_STEP_CODES = 1 << 13
"""Codes of steps, folded, where information is hidden: none has a greater one."""
_SEARCHED_NODES = 200_000
"""How many steps are played to find the new root in the old tree."""
_HOPELESS = -1e12

WORKSPACE = np.dtype(
    (
        np.record,
        [
            ("stop", np.int64),  # set from another thread to end the search
            ("nodes", np.int64),  # steps played
            ("node_limit", np.int64),
            ("simulations", np.int64),
            ("simulation_limit", np.int64),
            ("used", np.int64),  # nodes of the tree
            ("root_seat", np.int64),
            ("is_hidden", np.int64),  # whether each simulation is to deal anew what is not seen
            ("is_for_one", np.int64),  # whether payoffs are scores
            ("is_ordered", np.int64),  # whether the game itself says which steps look best
            ("asked", np.int64),  # how many of ``only`` there are; 0 for all steps
            ("past", np.int64),  # path[:past] may not come again
            ("exploration", np.float64),
            ("urgency", np.float64),
            ("least", np.float64),  # payoffs met, in a game for one
            ("greatest", np.float64),
            ("result", np.float64, (_MOST_SEATS,)),  # of the simulation: what each seat gets
            ("trail", np.int64, (_MOST_LEVELS,)),  # the nodes of the simulation, from the root
            ("assured", np.int64, (_MOST_LEVELS,)),  # the proof of a draw that the mover of that node can choose, or 0
            ("path", np.int64, (_MOST_PAST + _MOST_LEVELS,)),
            ("buffer", np.int64, (_MOST_STEPS,)),
            ("only", np.int64, (_MOST_STEPS,)),
            ("place", np.int64, (_STEP_CODES,)),  # where in the buffer a step stands, by its code
        ],
    )
)
"""All that one search writes to, but for the tree: one record, which passes through compiled calls as a pointer."""


# ---------------------------------------------------------------------------------------------- choosing


@subroutine
def spread(work: Any) -> float:
    """Half of what lies between the least payoff and the greatest."""
    half = 0.5 * (work.greatest - work.least)
    return half if half > 0.0 else 1.0


@subroutine
def chosen_child(nodes: Any, index: int, level: int, work: Any) -> int:
    """The child of the node *index* with the highest bound for its mover: UCB1 (Auer, Cesa-Bianchi and Fischer, 2002).

    A proven one needs no more visits: a draw is noted as what the mover can have anyway.
    """
    node = nodes[index]
    seat = int(node.mover)
    first = int(node.first)
    width = work.exploration * spread(work)
    numerator = width * width * math.log(node.visits + 1.0)
    unvisited = work.urgency
    best, best_bound = first, 2.0 * _HOPELESS
    for child in range(first, first + node.count):
        other = nodes[child]
        visits = float(other.visits)
        if other.proven != 0:
            bound = _HOPELESS - visits
            if proven_for(int(other.proven), seat) == DRAW:
                work.assured[level] = other.proven
                bound = 0.5 * _HOPELESS
        elif visits == 0.0:
            bound = unvisited
        else:
            share = 1.0 / visits
            bound = other.value * share + math.sqrt(numerator * share)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


@subroutine
def child_of_chance(state: State, nodes: Any, index: int, work: Any, random: RandomState) -> int:
    """A child of the node *index*, where chance moves, drawn by its probability."""
    step = random_step(state, work.buffer, random)
    child = int(nodes[index].first)
    while nodes[child].step != step:
        child += 1
    return child


# ------------------------------------------------------------------------------------------- expanding


@subroutine
def write_steps(state: State, index: int, work: Any, random: RandomState) -> int:
    """Write the steps of the node *index* to the buffer, in the order in which they are to be tried; returns how many."""
    buffer = work.buffer
    if index == 0 and work.asked > 0:
        end = int(work.asked)
        for place in range(end):
            buffer[place] = work.only[place]
    else:
        end = candidates(state, buffer, 0)
    if work.is_ordered == 0:
        for place in range(end - 1, 0, -1):
            other = below(random, place + 1)
            step = buffer[place]
            buffer[place] = buffer[other]
            buffer[other] = step
    return end


@subroutine
def expand(state: State, nodes: Any, index: int, work: Any, random: RandomState) -> bool:
    """Give the leaf *index* its children; returns whether that proves it. Does nothing where memory is short."""
    end = write_steps(state, index, work, random)
    if work.used + end > len(nodes):
        return False
    work.used = add_children(state, nodes, index, work.buffer, end, int(work.used), False)
    work.nodes += end
    return end > 0 and prove(nodes, index)


@subroutine
def dealt_child(state: State, nodes: Any, index: int, work: Any, random: RandomState) -> int:
    """The child to go to from the node *index*, of those that this deal has; -1 where memory is short and there is none.

    Steps that the node has not met before become its children.
    """
    buffer, place = work.buffer, work.place
    end = write_steps(state, index, work, random)
    for position in range(end):
        place[buffer[position] & (_STEP_CODES - 1)] = position
    seat = int(nodes[index].mover)
    width = work.exploration * spread(work)
    best, best_bound = -1, 4.0 * _HOPELESS
    holder, missing = index, end
    while nodes[holder].count > 0:
        first = int(nodes[holder].first)
        last = first + nodes[holder].count - 1
        for child in range(first, last):
            other = nodes[child]
            step = int(other.step)
            position = place[step & (_STEP_CODES - 1)]
            if position < 0 or position >= end or buffer[position] != step:
                continue
            place[step & (_STEP_CODES - 1)] = -1
            missing -= 1
            other.available += 1
            visits = float(other.visits)
            if other.proven != 0 and proven_for(int(other.proven), seat) != DRAW:
                bound = -2.0 * _HOPELESS if proven_for(int(other.proven), seat) == VICTORY else _HOPELESS - visits
            elif visits == 0.0:
                bound = work.urgency
            else:
                bound = other.value / visits + width * math.sqrt(math.log(float(other.available)) / visits)
            if bound > best_bound:
                best, best_bound = child, bound
        holder = last
    if missing == 0 or work.used + missing + 1 > len(nodes):
        return best
    new = 0
    for position in range(end):
        step = int(buffer[position])
        if place[step & (_STEP_CODES - 1)] == position:
            place[step & (_STEP_CODES - 1)] = -1
            buffer[new] = step
            new += 1
    first = int(work.used)
    work.used = add_children(state, nodes, holder, buffer, new, first, True)
    work.nodes += new
    for child in range(first, first + new):
        other = nodes[child]
        other.available = 1
        bound = work.urgency
        if other.proven != 0 and proven_for(int(other.proven), seat) != DRAW:
            bound = -2.0 * _HOPELESS if proven_for(int(other.proven), seat) == VICTORY else _HOPELESS
        if bound > best_bound:
            best, best_bound = child, bound
    if index == 0 and best_bound == -2.0 * _HOPELESS:
        nodes[0].proven = nodes[best].proven
        nodes[0].distance = 1
    return best


# -------------------------------------------------------------------------------------------- simulating


@subroutine
def play_out(state: State, work: Any, random: RandomState) -> None:
    """Play a random game from *state* to its end, and note what each seat gets."""
    steps = 0
    while work.stop == 0 and not is_over(state):
        state = play(state, random_step(state, work.buffer, random))
        steps += 1
    work.nodes += steps
    if work.stop == 0:
        for seat in range(seats(state)):
            work.result[seat] = payoff(state, seat)


@subroutine
def note_proven(proof: int, work: Any) -> None:
    """Note what each seat gets by a *proof*."""
    for seat in range(_MOST_SEATS):
        work.result[seat] = proven_for(proof, seat) - DRAW


@subroutine
def note_repetition(state: State, player: int, work: Any) -> None:
    """Note what a repetition gives to the seat that made it, *player*, and to the others."""
    own = repetition_payoff(state)
    for seat in range(_MOST_SEATS):
        work.result[seat] = own if seat == player else -own


@subroutine
def comes_again(position: int, work: Any, end: int) -> bool:
    """Whether the *position* is one of those that may not come again: of the match, or on the way from the root."""
    for place in range(end):
        if work.path[place] == position:
            return True
    return False


@subroutine
def back_up(nodes: Any, level: int, is_news: bool, work: Any) -> None:
    """Add the simulation's result along its trail, whose last node is *level* steps below the root.

    Where a mover can have a draw, a loss further down counts as that draw from there on up.

    :param is_news: whether the last node has been proven in this simulation.
    """
    if work.is_for_one != 0:
        work.least = min(work.least, work.result[0])
        work.greatest = max(work.greatest, work.result[0])
    child = work.trail[level]
    while level > 0:
        level -= 1
        parent = work.trail[level]
        nodes[child].visits += 1
        seat = int(nodes[parent].mover)
        if seat >= 0:
            nodes[child].value += work.result[seat]
            if work.assured[level] != 0 and work.result[seat] < 0.0:
                note_proven(int(work.assured[level]), work)
        if is_news:
            is_news = prove(nodes, parent)
        child = parent
    nodes[0].visits += 1


@compiled
def search(root: State, nodes: Any, work: Any, random: RandomState) -> None:
    """Simulate from *root*, for which the first node stands, until a limit, a stop, or a proof.

    :param nodes: the tree, of which ``work.used`` nodes are taken.
    """
    while work.stop == 0 and nodes[0].proven == 0:
        if work.simulations >= work.simulation_limit or work.nodes >= work.node_limit:
            return
        state = guess(root, int(work.root_seat), random) if work.is_hidden != 0 else root
        index, level = 0, 0
        path_end = int(work.past)
        is_news, is_leaf = False, False
        while not is_leaf:
            node = nodes[index]
            work.trail[level] = index
            work.assured[level] = 0
            if node.proven != 0:
                note_proven(int(node.proven), work)
                break
            if work.is_hidden != 0:
                is_leaf = level > 0 and node.visits == 0
            elif node.count == 0:
                is_leaf = level > 0 and node.visits == 0
                if not is_leaf:
                    is_news = expand(state, nodes, index, work, random)
                    if is_news:
                        note_proven(int(node.proven), work)
                        break
                    is_leaf = node.count == 0
            is_leaf = is_leaf or level + 1 >= _MOST_LEVELS
            child = -1
            if not is_leaf:
                if work.is_hidden != 0:
                    child = dealt_child(state, nodes, index, work, random)
                elif node.mover == CHANCE:
                    child = child_of_chance(state, nodes, index, work, random)
                else:
                    child = chosen_child(nodes, index, level, work)
                is_leaf = child < 0
            if is_leaf:
                play_out(state, work, random)
                break
            player = int(node.mover)
            state = play(state, int(nodes[child].step))
            work.nodes += 1
            index = child
            level += 1
            if can_repeat(state) and nodes[index].mover != player:
                position = key(state)
                if comes_again(position, work, path_end):
                    work.trail[level] = index
                    note_repetition(state, player, work)
                    break
                work.path[path_end] = position
                path_end += 1
        if work.stop == 0:
            back_up(nodes, level, is_news, work)
            work.simulations += 1


# ------------------------------------------------------------------------------------------- the searcher


class MCTS:
    """Monte-Carlo tree search for one game; a ``Searcher``. It keeps its tree from move to move.

    A score is the mean payoff, turned into the evaluation's units by the inverse of ``winning_chance``; in a game for
    one it is the mean payoff itself. A proven one is a win or loss *within* so many turns: there may be a quicker one.
    """

    def __init__(
        self,
        rules: Rules,
        scale: float,
        has_hidden_information: bool = False,
        memory: int | None = None,
        exploration: float = EXPLORATION,
        urgency: float = URGENCY,
    ) -> None:
        """:param scale: the evaluation's ``SCALE``.
        :param memory: MiB for the tree, at least 1.
        """
        self._rules = rules
        self._scale = scale
        self._has_hidden_information = has_hidden_information
        self._exploration, self._urgency = exploration, urgency
        self._work = np.zeros(1, WORKSPACE).view(np.recarray)[0]
        size = (memory or MEMORY) * MEBIBYTE // NODE_BYTES // 2
        self._nodes, self._spare = new_nodes(size), new_nodes(size)
        self._root: State | None = None
        self._came_twice: tuple[int, ...] = ()
        self._leaves_none_out = True

    # -------------------------------------------------------------------------------- as a Searcher

    def prepare(self, state: State) -> None:
        """Compile the search for this type of state, or load it from the cache."""
        search.prepare(state, self._nodes, self._work, random_state(0))
        copy_subtree.prepare(self._nodes, 0, self._spare, self._work)
        if not self._has_hidden_information:
            find.prepare(state, 0, 0, 0, 0, self._nodes, self._work)

    def stop(self) -> None:
        """End the search that is going on; it answers with the best it has."""
        self._work.stop = 1

    def live(self) -> Analysis | None:
        """How far the search that is going on has come, once some simulation has been through a step."""
        nodes, work = self._nodes, self._work
        if not work.simulations or not any(nodes[child].visits for child in children(nodes, 0)):
            return None
        return self._analysis(nodes, 1, 0.0)

    def analyse(
        self,
        state: State,
        limit: Limit,
        came_twice: Sequence[int] = (),
        seed: int = 0,
        is_cancelled: Callable[[], bool] = lambda: False,
        only: Sequence[int] = (),
        lines: int = 1,
    ) -> Analysis:
        """The best step for the seat to act in *state*; see ``Searcher``.

        Within a limit of simulations or nodes it begins a new tree, so that the same seed gives the same answer;
        otherwise it goes on with the old one where it can. *lines* have visits and mean scores, those of steps that
        were looked at little rough ones; a step that was not looked at has none.
        """
        self.prepare(state)
        work = self._work
        work.stop = 0
        if is_cancelled():
            self.stop()
        timer = threading.Timer(limit.time, self.stop) if limit.time is not None else None
        started = time.perf_counter()
        if timer:
            timer.daemon = True
            timer.start()
        try:
            self._plant(state, tuple(came_twice), only, limit.simulations is None and limit.nodes is None)
            self._set_limits(limit)
            search(state, self._nodes, work, random_state(seed))
        finally:
            if timer:
                timer.cancel()
        return self._analysis(self._nodes, lines, time.perf_counter() - started)

    # ------------------------------------------------------------------------------------- planting

    def _set_limits(self, limit: Limit) -> None:
        work = self._work
        simulations = limit.simulations
        if simulations is None and limit.nodes is None and limit.time is None:
            simulations = SIMULATIONS_A_TURN * (limit.depth or 1)
        endless = np.iinfo(np.int64).max
        work.nodes, work.node_limit = 0, endless if limit.nodes is None else limit.nodes
        work.simulations, work.simulation_limit = 0, endless if simulations is None else simulations

    def _plant(self, state: State, came_twice: tuple[int, ...], only: Sequence[int], may_reuse: bool) -> None:
        """Have the first node stand for *state*: that of the old tree if *may_reuse*, else a new one."""
        work = self._work
        work.simulations = 0
        may_reuse = may_reuse and not only and not work.asked and came_twice == self._came_twice
        index = self._found(state) if may_reuse else -1
        if index > 0:
            work.used = copy_subtree(self._nodes, index, self._spare, work)
            self._nodes, self._spare = self._spare, self._nodes
        if index < 0 or (index > 0 and work.stop):
            self._begin(state, only)
        self._root, self._came_twice = state, came_twice
        work.root_seat = int(mover(state))
        past = [*came_twice, int(key(state))][-_MOST_PAST:]
        work.path[: len(past)] = past
        work.past = len(past)

    def _begin(self, state: State, only: Sequence[int]) -> None:
        work = self._work
        work.used = begin(self._nodes, state)
        work.is_hidden = int(self._has_hidden_information)
        work.is_for_one = int(seats(state) == 1)
        self._leaves_none_out = candidates.implementation(type(state)).function is candidates.default
        work.is_ordered = int(not self._leaves_none_out)
        work.asked = len(only)
        work.only[: len(only)] = list(only)
        work.exploration = self._exploration
        work.urgency = math.inf if work.is_for_one else self._urgency
        work.least, work.greatest = (math.inf, -math.inf) if work.is_for_one else (-1.0, 1.0)

    def _found(self, state: State) -> int:
        """The index of the node of the old tree that stands for *state*, or -1."""
        work = self._work
        if self._root is None or type(state) is not type(self._root):
            return -1
        if state == self._root:
            return 0
        if self._has_hidden_information:
            return -1  # the steps that led here may be unknown, and what was believed has changed
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
        """What the tree says now."""
        work = self._work
        seat = int(work.root_seat)
        known = ranked(nodes, 0)
        if not known:
            steps = legal_steps(self._root, self._rules.MOST_STEPS)
            step = int(work.only[0]) if work.asked else steps[0]
            return Analysis(step, 0.0, seat, seconds=seconds, principal_variation=(step,))
        found = tuple(self._line(nodes, child, seat) for child in (known[:lines] if lines else known))
        best = found[0]
        is_proven = bool(nodes[0].proven) and (self._leaves_none_out or best.is_proven)
        return Analysis(
            best.step,
            best.score,
            seat,
            nodes=int(work.nodes),
            simulations=int(work.simulations),
            seconds=seconds,
            principal_variation=best.principal_variation,
            is_proven=is_proven,
            lines=found,
        )

    def _line(self, nodes: Any, child: int, seat: int) -> Line:
        node = nodes[child]
        step, visits, proven = int(node.step), int(node.visits), int(node.proven)
        is_proven = proven != 0 and (self._leaves_none_out or node.distance == 0)
        variation = (step,) if self._has_hidden_information else self._variation(nodes, child)
        if proven == 0:
            return Line(step, self._score(float(node.value), visits), variation, False, visits)
        digit = proven_for(proven, seat)
        won = WIN - int(turns_below(nodes, child, seat))
        return Line(step, (0.0, -won, 0.0, won)[digit], variation, is_proven, visits)

    def _score(self, value: float, visits: int) -> float:
        """The mean of payoffs that sum up to *value*, in the evaluation's units."""
        if self._work.is_for_one:
            return value / visits
        chance = (value / visits + 1.0) / 2.0
        least = 0.5 / (visits + 1)  # no number of games makes it certain
        chance = max(least, min(chance, 1.0 - least))
        return self._scale * math.log(chance / (1.0 - chance))

    def _variation(self, nodes: Any, index: int) -> tuple[int, ...]:
        """The step of the node *index*, and those that are best after it; no outcome of chance is."""
        steps = [int(nodes[index].step)]
        while nodes[index].count and nodes[index].mover != CHANCE and len(steps) < _MOST_LEVELS:
            known = ranked(nodes, index)
            if not known:
                break
            index = known[0]
            steps.append(int(nodes[index].step))
        return tuple(steps)
