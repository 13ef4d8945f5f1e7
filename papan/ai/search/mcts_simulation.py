"""The simulations of a Monte-Carlo search: choosing a child, expanding a leaf, random games, backing up.

``papan.ai.search.mcts`` has the method and its sources; ``papan.ai.search.mcts_tree`` has the nodes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from papan.ai.evaluation import Weights, candidates, essential, evaluate
from papan.ai.learning.opponents import MOST_HANDS, believed_deal, habit
from papan.ai.learning.views import MARKS, write_chances, write_marks
from papan.ai.search.mcts_tree import CHANCES, DRAW, LINK, VICTORY, add_children, appeal_of, prove, proven_for
from papan.ai.search.repetition import PATH_FIELDS, come_back, repetition_value
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.clock import clock
from papan.game.kernel.rng import RandomState, below
from papan.game.playout import random_step
from papan.game.rules import CHANCE, MOST_SEATS, State, can_repeat, guess, is_over, mover, payoff, play, seats

MOST_LEVELS = 1 << 9
"""Steps, at most, from the root to a leaf."""

FEWEST = 16
"""Simulations in any case, as without any there is no answer."""
ANY_DEAL, BELIEVED = 1, 2
"""Each simulation deals hidden cards at random, or by beliefs about the others' hands."""

_MOST_STEPS = 1 << 12
_STEP_CODES = 1 << 13
"""The most codes of steps, folded, where information is hidden."""
_HOPELESS = -1e12
_TICKETS = 1 << 20  # chances are drawn as whole numbers below it
_MOST_STEEP = 30.0  # beyond it the logistic curve is 0 or 1 to all digits that matter

WORKSPACE = record_type(
    ("stop", np.int64),  # set from another thread to end the search
    ("nodes", np.int64),  # steps played
    ("node_limit", np.int64),
    ("simulations", np.int64),
    ("simulation_limit", np.int64),
    ("deadline", np.int64),  # the time to end, by ``papan.game.kernel.clock``
    ("used", np.int64),  # nodes of the tree
    ("root_seat", np.int64),
    ("is_hidden", np.int64),  # ANY_DEAL or BELIEVED; 0 if nothing is hidden
    ("is_for_one", np.int64),  # whether payoffs are scores
    ("is_ordered", np.int64),  # whether the game orders its steps, best first
    ("solves", np.int64),  # whether proofs go up the tree: MCTS-Solver
    ("has_priors", np.int64),  # whether steps have priors
    ("choices", np.int64),  # the index of the weights for priors where something is hidden; 0 for none
    ("asked", np.int64),  # the number of steps in ``only``; 0 for all steps
    ("exploration", np.float64),
    ("habit", np.float64),  # the probability that another seat follows its habit
    ("trust", np.float64),  # the share of the evaluation in a simulation's result
    ("scale", np.float64),  # of the evaluation
    ("steepness", np.float64),  # of priors: the factor of an evaluation in the exponent
    ("urgency", np.float64),
    ("least", np.float64),  # bounds of the payoffs so far, in a game for one
    ("greatest", np.float64),
    ("result", np.float64, (MOST_SEATS,)),  # of the simulation: each seat's payoff
    ("judged", np.float64, (MOST_SEATS,)),  # each seat's payoff by the evaluation, from -1 to 1
    ("trail", np.int64, (MOST_LEVELS,)),  # the nodes of the simulation, from the root
    ("assured", np.int64, (MOST_LEVELS,)),  # the proof of a draw that the mover of that node can choose, or 0
    *PATH_FIELDS,
    ("buffer", np.int64, (_MOST_STEPS,)),
    ("only", np.int64, (_MOST_STEPS,)),
    ("index_of", np.int64, (_STEP_CODES,)),  # of a step in the buffer, by its code
    ("hands", np.int64, (MOST_SEATS, MOST_HANDS)),  # each seat's possible hands, for ``believed_deal``
    ("sums", np.float64, (MOST_SEATS, MOST_HANDS)),
    ("met", np.int32, (_MOST_STEPS,)),  # hidden information: the children that a deal has
    ("marks", np.int32, (_MOST_STEPS * MARKS,)),  # of the steps in the buffer
    ("chances", np.float64, (_MOST_STEPS,)),  # priors of these
)
"""Everything that one search writes except the tree: one record, passed through compiled calls as a pointer."""


# ---------------------------------------------------------------------------------------------- choosing


@subroutine
def spread(work: Any) -> float:
    """Half of the range of payoffs."""
    half = 0.5 * (work.greatest - work.least)
    return half if half > 0.0 else 1.0


@subroutine
def bound_of(node: Any, tried: float, unvisited: float, width: float, work: Any) -> float:
    """The upper bound of *node*'s value to the seat that can choose it, and could so far *tried* times.

    UCB1 (Auer, Cesa-Bianchi and Fischer, 2002); where steps have priors, PUCT.

    :param unvisited: the bound of a node without visits.
    :param width: the weight of the uncertainty.
    """
    visits = float(node.visits)
    if work.has_priors != 0:
        worth = float(node.value) / visits if visits > 0.0 else unvisited
        return worth + width * float(CHANCES[node.appeal]) * math.sqrt(tried) / (1.0 + visits)
    if visits == 0.0:
        return unvisited
    return float(node.value) / visits + width * math.sqrt(math.log(tried) / visits)


@subroutine
def mean_of_siblings(nodes: Any, first: int, count: int, work: Any) -> float:
    """The mean value of *count* children, over their visits; 0 without any.

    They start at *first*; where something is hidden, they are those in ``work.met``.
    """
    value, visits = 0.0, 0.0
    for number in range(count):
        other = nodes[work.met[number] if work.is_hidden != 0 else first + number]
        if other.visits > 0 and other.proven == 0:
            value += other.value
            visits += other.visits
    return value / visits if visits > 0.0 else 0.0


@subroutine
def chosen_child(nodes: Any, index: int, level: int, work: Any) -> int:
    """The child of the node *index* with the highest bound for its mover; its link if all children are lost.

    A proven one needs no more visits: a draw is noted as assured to the mover.
    """
    node = nodes[index]
    seat = int(node.mover)
    first = int(node.first)
    end = first + int(node.count)
    width = work.exploration * spread(work)
    tried = node.visits + 1.0
    unvisited = mean_of_siblings(nodes, first, int(node.count), work) if work.has_priors != 0 else work.urgency
    best, best_bound = first, 2.0 * _HOPELESS
    for child in range(first, end):
        other = nodes[child]
        if other.step == LINK:
            bound = 0.75 * _HOPELESS  # before a loss
        elif other.proven == 0:
            bound = bound_of(other, tried, unvisited, width, work)
        elif proven_for(int(other.proven), seat) == DRAW:
            work.assured[level] = other.proven
            bound = 0.5 * _HOPELESS
        else:
            bound = _HOPELESS - float(other.visits)
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
    """Write the steps of the node *index* to the buffer, in the order to try them; returns their number."""
    buffer = work.buffer
    if index == 0 and work.asked > 0:
        end = int(work.asked)
        for number in range(end):
            buffer[number] = work.only[number]
    else:
        end = candidates(state, buffer, 0)
    if work.is_ordered == 0:
        for number in range(end - 1, 0, -1):
            other = below(random, number + 1)
            step = buffer[number]
            buffer[number] = buffer[other]
            buffer[other] = step
    return end


@subroutine
def set_priors(state: State, nodes: Any, index: int, weights: Weights, work: Any) -> None:
    """Store the prior of each child of the node *index*, which has *state*.

    It is a softmax of the evaluation after each.
    """
    seat, first, count = int(nodes[index].mover), int(nodes[index].first), int(nodes[index].count)
    if seat < 0:
        return
    worth, most, total = work.chances, -math.inf, 0.0
    for number in range(count):
        child = nodes[first + number]
        if child.proven == 0 and child.step != LINK:
            worth[number] = work.steepness * evaluate(play(state, int(child.step)), seat, weights)
            most = max(most, worth[number])
    for number in range(count):
        if nodes[first + number].proven == 0 and nodes[first + number].step != LINK:
            worth[number] = math.exp(worth[number] - most)
            total += worth[number]
    for number in range(count):
        if nodes[first + number].proven == 0 and nodes[first + number].step != LINK:
            nodes[first + number].appeal = appeal_of(worth[number] / total)
    work.nodes += count


@subroutine
def expand(state: State, nodes: Any, index: int, weights: Weights, work: Any, random: RandomState) -> bool:
    """Give the leaf *index* its children; returns whether that proves it. Does nothing if memory is short.

    If its game leaves steps out, a link stands for them: they may save a seat that loses by all others.
    """
    end = write_steps(state, index, work, random)
    leaves_out = False
    if work.is_ordered != 0 and work.solves != 0 and not (index == 0 and work.asked > 0):
        leaves_out = essential(state, work.buffer, end) > 2 * end
    if work.used + end + 1 > len(nodes):
        return False
    work.used = add_children(state, nodes, index, work.buffer, end, int(work.used), leaves_out, work.solves != 0)
    work.nodes += end
    if end == 0 or prove(nodes, index):
        return end > 0
    if work.has_priors != 0:
        set_priors(state, nodes, index, weights, work)
    return False


@subroutine
def widen(state: State, nodes: Any, index: int, weights: Weights, work: Any) -> bool:
    """Give the node *index* children in place of its link; returns whether there was memory for them."""
    buffer, first, count = work.buffer, int(nodes[index].first), int(nodes[index].count) - 1
    new = 0
    for position in range(essential(state, buffer, 0)):
        step = int(buffer[position])
        is_new = True
        for child in range(first, first + count):
            if nodes[child].step == step:
                is_new = False
        if is_new:
            buffer[new] = step
            new += 1
    moved = int(work.used)
    if moved + count + new > len(nodes):
        return False
    for offset in range(count):
        nodes[moved + offset] = nodes[first + offset]
    work.used = add_children(state, nodes, index, buffer, new, moved + count, False, work.solves != 0)
    work.nodes += new
    nodes[index].first, nodes[index].count = moved, count + new
    if work.has_priors != 0:
        set_priors(state, nodes, index, weights, work)
    return True


@subroutine
def meet_children(state: State, nodes: Any, index: int, weights: Weights, work: Any, random: RandomState) -> int:
    """Write the children of the node *index* that this deal has to ``work.met``; returns their number.

    Steps new to the node become its children, if there is memory.
    """
    buffer, index_of = work.buffer, work.index_of
    end = write_steps(state, index, work, random)
    for position in range(end):
        index_of[buffer[position] & (_STEP_CODES - 1)] = position
    number, holder = 0, index
    while nodes[holder].count > 0:
        first = int(nodes[holder].first)
        last = first + nodes[holder].count - 1
        for child in range(first, last):
            step = int(nodes[child].step)
            position = index_of[step & (_STEP_CODES - 1)]
            if 0 <= position < end and buffer[position] == step:
                index_of[step & (_STEP_CODES - 1)] = -1
                work.met[number] = child
                number += 1
        holder = last
    missing = end - number
    if missing == 0 or work.used + missing + 1 > len(nodes):
        return number
    if work.has_priors != 0:
        write_marks(state, buffer, end, work.marks)
        write_chances(weights, work.choices, work.marks, 0, end, work.chances)
    new = 0
    for position in range(end):
        step = int(buffer[position])
        if index_of[step & (_STEP_CODES - 1)] == position:
            index_of[step & (_STEP_CODES - 1)] = -1
            buffer[new] = step
            work.chances[new] = work.chances[position]
            new += 1
    first = int(work.used)
    work.used = add_children(state, nodes, holder, buffer, new, first, True, work.solves != 0)
    work.nodes += new
    for offset in range(new):
        if work.has_priors != 0:
            nodes[first + offset].appeal = appeal_of(work.chances[offset])
        work.met[number] = first + offset
        number += 1
    return number


@subroutine
def child_of_habit(state: State, nodes: Any, number: int, work: Any, random: RandomState) -> int:
    """The child, of the *number* in ``work.met``, that its mover likes best by ``habit``, ties at random."""
    most, ties, found = -math.inf, 0, -1
    for position in range(number):
        child = int(work.met[position])
        nodes[child].available += 1
        liked = habit(state, int(nodes[child].step))
        if liked > most:
            most, ties = liked, 0
        if liked == most:
            ties += 1
            if below(random, ties) == 0:
                found = child
    return found


@subroutine
def dealt_child(state: State, nodes: Any, index: int, weights: Weights, work: Any, random: RandomState) -> int:
    """The child to go to from the node *index*, of those that this deal has; -1 if there is none, as memory is short.

    Its bound counts how often it could have been chosen.
    """
    number = meet_children(state, nodes, index, weights, work, random)
    seat = int(nodes[index].mover)
    if work.habit > 0.0 and seat != work.root_seat and below(random, _TICKETS) < work.habit * _TICKETS:
        return child_of_habit(state, nodes, number, work, random)
    width = work.exploration * spread(work)
    unvisited = mean_of_siblings(nodes, 0, number, work) if work.has_priors != 0 else work.urgency
    best, best_bound = -1, 4.0 * _HOPELESS
    for position in range(number):
        child = int(work.met[position])
        other = nodes[child]
        other.available += 1
        proof = int(other.proven)
        if proof == 0 or proven_for(proof, seat) == DRAW:
            bound = bound_of(other, float(other.available), unvisited, width, work)
        else:
            bound = -2.0 * _HOPELESS if proven_for(proof, seat) == VICTORY else _HOPELESS - float(other.visits)
        if bound > best_bound:
            best, best_bound = child, bound
    if index == 0 and best_bound == -2.0 * _HOPELESS:
        nodes[0].proven = nodes[best].proven
        nodes[0].distance = 1
    return best


# -------------------------------------------------------------------------------------------- simulating


@subroutine
def judge(state: State, weights: Weights, work: Any) -> None:
    """Note each seat's winning chance by the evaluation, as a payoff."""
    number = seats(state)
    for seat in range(number):
        if seat == 1 and number == 2:
            work.judged[1] = -work.judged[0]
        else:
            steepness = max(-_MOST_STEEP, min(evaluate(state, seat, weights) / work.scale, _MOST_STEEP))
            work.judged[seat] = 2.0 / (1.0 + math.exp(-steepness)) - 1.0


@subroutine
def play_out(state: State, player: int, weights: Weights, work: Any, random: RandomState) -> None:
    """Play a random game from *state* to its end, and note each seat's payoff, mixed with the evaluation's.

    With full trust in the evaluation, no game is played.

    :param player: the seat that has led to *state*; the evaluation is used after the end of its turn.
    """
    steps = 0
    is_judged = False
    if work.trust > 0.0:
        while work.stop == 0 and not is_over(state) and mover(state) == player:
            state = play(state, random_step(state, work.buffer, random))
            steps += 1
        if work.stop == 0 and not is_over(state):
            judge(state, weights, work)
            is_judged = True
            if work.trust >= 1.0:
                for seat in range(seats(state)):
                    work.result[seat] = work.judged[seat]
                work.nodes += steps
                return
    while work.stop == 0 and not is_over(state):
        state = play(state, random_step(state, work.buffer, random))
        steps += 1
    work.nodes += steps
    if work.stop == 0:
        for seat in range(seats(state)):
            work.result[seat] = payoff(state, seat)
            if is_judged:
                work.result[seat] += work.trust * (work.judged[seat] - work.result[seat])


@subroutine
def note_proven(proof: int, work: Any) -> None:
    for seat in range(MOST_SEATS):
        work.result[seat] = proven_for(proof, seat) - DRAW


@subroutine
def note_repetition(own: float, player: int, work: Any) -> None:
    """Note the payoffs of a repetition: *own* for *player*, who made it, and the opposite for the others."""
    for seat in range(MOST_SEATS):
        work.result[seat] = own if seat == player else -own


@subroutine
def back_up(nodes: Any, level: int, is_news: bool, work: Any) -> None:
    """Add the simulation's result along its trail, whose last node is *level* steps below the root.

    Where a mover can choose a draw, a loss further down counts as that draw from there on up.

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


@subroutine
def deal(root: State, work: Any, random: RandomState) -> State:
    """*root*, with everything hidden there dealt."""
    if work.is_hidden == ANY_DEAL:
        return guess(root, int(work.root_seat), random)
    if work.is_hidden == BELIEVED:
        return believed_deal(root, int(work.root_seat), work.hands, work.sums, random)
    return root


@subroutine
def select(
    state: State, nodes: Any, index: int, level: int, weights: Weights, work: Any, random: RandomState
) -> tuple[int, bool]:
    """The child to go to from the node *index*, or -1; and whether expanding proved the node."""
    node = nodes[index]
    is_leaf = level > 0 and node.visits == 0
    if work.is_hidden == 0:
        if node.count == 0 and not is_leaf and expand(state, nodes, index, weights, work, random):
            return -1, True
        is_leaf = node.count == 0
    if is_leaf or level + 1 >= MOST_LEVELS:
        return -1, False
    if work.is_hidden != 0:
        return dealt_child(state, nodes, index, weights, work, random), False
    if node.mover == CHANCE:
        return child_of_chance(state, nodes, index, work, random), False
    child = chosen_child(nodes, index, level, work)
    if nodes[child].step != LINK:
        return child, False
    return chosen_child(nodes, index, level, work) if widen(state, nodes, index, weights, work) else -1, False


@subroutine
def simulate(state: State, weights: Weights, nodes: Any, work: Any, random: RandomState) -> tuple[int, bool]:
    """Go down the tree from *state* to a leaf, and note each seat's payoff there.

    Returns the steps to the leaf, and whether it was proven just now.
    """
    index, level, player = 0, 0, -2
    path_end = int(work.path_start) + 1
    while True:
        node = nodes[index]
        work.trail[level], work.assured[level] = index, 0
        if node.proven != 0:
            note_proven(int(node.proven), work)
            return level, False
        child, is_news = select(state, nodes, index, level, weights, work, random)
        if is_news:
            note_proven(int(node.proven), work)
            return level, True
        if child < 0:
            play_out(state, player, weights, work, random)
            return level, False
        player = int(node.mover)
        state = play(state, int(nodes[child].step))
        work.nodes += 1
        index = child
        level += 1
        if can_repeat(state) and nodes[index].mover != player:
            first, note = come_back(state, path_end, path_end, work)
            if first >= 0 and not is_over(state):
                work.trail[level] = index
                note_repetition(repetition_value(note, mover(state)), player, work)
                return level, False
            path_end += 1


@compiled
def search(root: State, weights: Weights, nodes: Any, work: Any, random: RandomState) -> None:
    """Simulate from *root*, which is the first node, until a limit, a stop, or a proof.

    :param nodes: the tree; ``work.used`` nodes are in use.
    """
    while work.stop == 0 and nodes[0].proven == 0:
        if work.simulations >= work.simulation_limit or work.nodes >= work.node_limit:
            return
        if work.simulations >= FEWEST and clock() >= work.deadline:
            return
        level, is_news = simulate(deal(root, work, random), weights, nodes, work, random)
        if work.stop == 0:
            back_up(nodes, level, is_news, work)
            work.simulations += 1
