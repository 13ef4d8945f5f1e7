"""Fits the weights of Othello's patterns: ``python -m dev.fitting.othello games FILE`` and ``… weights FILE …``.

``games`` plays the player against itself. After some random turns, each seat searches two turns ahead with the current
weights and some noise, so that games differ; or, with ``--nodes``, by this many nodes. The exact solver labels every
position with at most ``SOLVED`` empty cells; earlier positions get the label of the first solved one. A label is the
mover's final lead in discs. In searched turns, the label also includes the search's score.

``weights`` fits the patterns' weights to the labels by a ridge regression for each phase of the game, with conjugate
gradients (Hestenes and Stiefel, 1952) and the diagonal as preconditioner. Each phase also learns from positions shortly
before and after it. One position in twenty is held back to measure the error.

Run ``python -m dev.digests`` after writing weights.

The bundled weights are fitted to two rounds of searched games: ``games FILE --games 18000 --seed 101 --nodes 1500``
with the weights from plain games, then with ``--seed 111`` and those from the first round; see
``docs/measurements.md``.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from dev.fitting.searched import MOST_BYTES, Array, show_fit
from dev.fitting.selfplay import play_itself
from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.othello import (
    ASSET,
    BLOCK,
    CLASSICAL,
    EMPTY,
    OWN_MOVES,
    PHASE_DISCS,
    PHASES,
    PLACES,
    SELECTIVITY,
    THEIR_MOVES,
    WEIGHTS,
    WIDTH,
    fill,
    first_sharers,
    keep_learned_weights,
    moves_of,
    phase_of,
)
from papan.ai.exact.othello import Exact, empty_cells, margin
from papan.ai.learning.weight_files import read_arrays
from papan.ai.limits import Limit
from papan.ai.search import Query
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.base.places import atomic_file
from papan.game.kernel import compiled
from papan.game.kernel.arrays import zeros
from papan.game.kernel.rng import random_state
from papan.game.rules import is_over, legal_steps, othello, play
from papan.game.rules.othello import CELLS, MOST_STEPS, State, start
from papan.lab.printing import show

SOLVED = 13  # the solver labels each position with at most this many empty cells
LAST = 6  # positions with fewer empty cells are useless: searches reach the end from there
NOISE = 2.0  # the greatest noise added to a step's value, in discs
MOST_RANDOM = 30
_MOST_STEPS = 128
RIDGE = 10.0
ITERATIONS = 20
SHARE_OF_RESULTS = 0.3  # of the game's result in the label of a searched position
SLIPS = 0.02  # the share of random turns in searched games
NEAR = 4  # a phase also learns from positions up to this many discs before and after it
_HELD_BACK = 20  # one run of positions in this many; runs keep most positions of a game together
_RUN = 100


@dataclass(frozen=True)
class Positions:
    """Positions: in each row the discs of the mover and of the other seat as bitboards, with a label in discs."""

    discs: Array
    labels: Array


def generate(games: int, seed: int, weights: Sequence[float] | Array) -> Positions:
    random, compiled_random = Random(seed), random_state(seed)
    vector = np.array(weights, np.float64)
    solver = Exact(8)
    buffer, steps = np.zeros(4 * MOST_STEPS, np.int64), np.zeros(_MOST_STEPS, np.int64)
    rows = np.zeros((_MOST_STEPS + 1, 3), np.uint64)
    begun = start({}, random)
    play_itself.prepare(begun, 0, 0, NOISE, vector, compiled_random, buffer, steps)
    write_positions.prepare(begun, steps, 0, rows)
    solver.prepare(begun)
    discs: list[Array] = []
    labels: list[Array] = []
    for _ in range(games):
        turns = random.randint(4, random.choice((14, MOST_RANDOM)))
        count = int(play_itself(begun, turns, _MOST_STEPS, NOISE, vector, compiled_random, buffer, steps))
        write_positions(begun, steps, count, rows)
        played = rows[: count + 1]
        label = label_game(played, solver)
        known = label > _NO_LABEL
        discs.append(played[known, :2].copy())
        labels.append(label[known])
    return Positions(np.concatenate(discs), np.concatenate(labels))


def generate_searched(games: int, seed: int, nodes: int) -> Positions:
    """As ``generate``, but searching each turn by *nodes* nodes, and playing perfectly from where the solver starts."""
    search, solver = AlphaBeta(othello, WEIGHTS[STANDARD], table_bits=16, selectivity=SELECTIVITY), Exact(8)
    played = [play_searched(search, solver, Random(f"{seed} {number}"), nodes) for number in range(games)]
    labelled = [one for game in played for one in game]
    discs = [(int(state.mine), int(state.theirs)) for state, _label in labelled]
    return Positions(np.array(discs, np.uint64), np.array([label for _state, label in labelled], np.float32))


def play_searched(search: AlphaBeta, solver: Exact, random: Random, nodes: int) -> list[tuple[State, float]]:
    """The positions of a game after its random turns, with their labels for the seat to move."""
    state = start({}, random)
    randoms = random.randint(4, random.choice((14, MOST_RANDOM)))
    seen: list[tuple[State, float]] = []
    for turn in range(_MOST_STEPS):
        if is_over(state) or empty_cells(state) <= SOLVED:
            break
        if turn < randoms or random.random() < SLIPS:
            state = play(state, random.choice(legal_steps(state, MOST_STEPS)))
            continue
        found = search.answer(Query(state, Limit(nodes=nodes), (), random.getrandbits(32)))
        seen.append((state, found.score))
        state = play(state, found.step)
    known: list[tuple[State, float]] = []
    while not is_over(state) and empty_cells(state) >= LAST:
        best = solver.analyse(state, Limit())
        known.append((state, float(margin(best.score))))
        state = play(state, best.step)
    if not known:
        return []  # it ended early
    solved, ahead = known[0]
    for before, score in seen:
        if abs(score) <= CELLS:
            result = ahead if before.to_move == solved.to_move else -ahead
            known.append((before, SHARE_OF_RESULTS * result + (1.0 - SHARE_OF_RESULTS) * score))
    return known


_NO_LABEL = -100


def label_game(rows: Array, solver: Exact) -> Array:
    """The label of each of *rows*, as of ``write_positions``: the mover's final lead in discs, or _NO_LABEL."""
    label = np.full(len(rows), _NO_LABEL, np.int8)
    states = [State(int(mine), int(theirs), int(seat)) for mine, theirs, seat in rows]
    first = next((n for n, state in enumerate(states) if empty_cells(state) <= SOLVED), None)
    if first is None or is_over(states[first]):
        return label
    for number in range(first, len(states)):
        if empty_cells(states[number]) < LAST or is_over(states[number]):
            break
        label[number] = margin(solver.analyse(states[number], Limit()).score)
    same = rows[:first, 2] == rows[first, 2]
    label[:first] = np.where(same, label[first], -label[first])
    return label


class Regression:
    """A ridge regression; each position's value is the sum of a few weights."""

    def __init__(self, places: Array, entries: int) -> None:
        """:param places: for each position, a row with the indices of its weights among *entries* weights."""
        self.places, self.entries = places, entries

    def predict(self, weights: Array) -> Array:
        found = np.zeros(len(self.places))
        for column in self.places.T:
            found += weights[column]
        return found

    def gather(self, values: Array) -> Array:
        """For each weight, the sum of *values* over the positions that use it."""
        found = np.zeros(self.entries)
        for column in self.places.T:
            found += np.bincount(column, weights=values, minlength=self.entries)
        return found

    def solve(self, labels: Array) -> Array:
        """The weights that fit *labels* best."""
        scale = self.gather(np.ones(len(labels))) + RIDGE
        weights = np.zeros(self.entries)
        rest = self.gather(labels)
        step = rest / scale
        direction, size = step.copy(), rest @ step
        for _ in range(ITERATIONS):
            if size <= 1e-9:
                break
            image = self.gather(self.predict(direction)) + RIDGE * direction
            length = size / (direction @ image)
            weights += length * direction
            rest -= length * image
            step = rest / scale
            size, before = rest @ step, size
            direction = step + size / before * direction
        return weights


def fit(positions: Positions) -> tuple[Array, list[str]]:
    count = len(positions.labels)
    places, phases = np.zeros((count, PLACES + 2), np.int32), np.zeros(count, np.int8)
    read_patterns(positions.discs, places, phases)
    own, compact = np.unique(first_sharers(), return_inverse=True)
    places = compact.astype(np.int32)[places]
    filled = np.bitwise_count(positions.discs[:, 0] | positions.discs[:, 1]).astype(np.int64) - 4
    is_held_back = np.arange(count) // _RUN % _HELD_BACK == _HELD_BACK - 1
    weights, report = np.zeros((PHASES, BLOCK)), []
    for phase in range(PHASES):
        first = phase * PHASE_DISCS
        is_near = (filled >= first - NEAR) & (filled < first + PHASE_DISCS + NEAR)
        learnt, tested = is_near & ~is_held_back, (phases == phase) & is_held_back
        if not learnt.any():
            weights[phase] = weights[phase - 1]
            continue
        found = Regression(places[learnt], len(own)).solve(positions.labels[learnt].astype(np.float64))
        off = Regression(places[tested], len(own)).predict(found) - positions.labels[tested]
        rms = float(np.sqrt(np.mean(off**2))) if len(off) else float("nan")
        report.append(f"phase {phase}: {int(learnt.sum())} positions, {rms:.2f} discs off those held back")
        weights[phase] = found[compact]
    return weights, report


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("games", help="play games, and write their positions to FILE")
    games.add_argument("file", type=Path)
    games.add_argument("--games", type=int, default=40_000)
    games.add_argument("--seed", type=int, default=1, help="another one, other games")
    games.add_argument("--classical", action="store_true", help="begin anew, from the classical weights")
    games.add_argument("--nodes", type=int, default=0, help="search each turn by so many, by the bundled weights")
    weights = commands.add_parser("weights", help="fit the bundled weights to the positions in files")
    weights.add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args(arguments)
    if asked.command == "games":
        if asked.nodes:
            found = generate_searched(asked.games, asked.seed, asked.nodes)
        else:
            found = generate(asked.games, asked.seed, WEIGHTS[CLASSICAL if asked.classical else STANDARD])
        with atomic_file(asked.file) as file:
            np.savez_compressed(file, positions=found.discs, labels=found.labels)
        show(f"{len(found.labels)} positions")
        return
    kinds = {"positions": np.uint64, "labels": np.number}
    kept = [read_arrays(file, kinds, MOST_BYTES) for file in asked.files]
    found = Positions(
        np.concatenate([one["positions"] for one in kept]), np.concatenate([one["labels"] for one in kept])
    )
    learned, report = fit(found)
    provenance = show_fit("othello", "dev/fitting/othello.py", len(found.labels), report)
    keep_learned_weights(learned, ASSETS.folder / ASSET, f"{provenance}, labelled by its exact solver")


@compiled
def write_positions(state: State, steps: Any, count: int, positions: Any) -> None:
    """Write the positions before each of *count* steps from *state*, and the last one.

    :param positions: gets a row for each: the mover's discs, the other's discs, and the mover.
    """
    for number in range(count + 1):
        positions[number, 0] = state.mine
        positions[number, 1] = state.theirs
        positions[number, 2] = state.to_move
        if number < count:
            state = play(state, int(steps[number]))


@compiled
def read_patterns(positions: Any, places: Any, phases: Any) -> None:
    """Write for each position a row of the indices of its weights in a block into *places*, and its phase."""
    for row in range(len(positions)):
        mine, theirs = int(positions[row, 0]), int(positions[row, 1])
        filled = zeros(np.int16, WIDTH)
        fill(filled, mine, theirs)
        for place in range(PLACES):
            places[row, place] = int(EMPTY[place]) + int(filled[place])
        places[row, PLACES] = OWN_MOVES + moves_of(mine, theirs)
        places[row, PLACES + 1] = THEIR_MOVES + moves_of(theirs, mine)
        phases[row] = phase_of(mine, theirs)


if __name__ == "__main__":
    main()
