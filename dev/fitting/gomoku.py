"""Fits gomoku's network: ``python -m dev.fitting.gomoku games FILE`` and ``… weights FILE …``.

``games`` plays the player against itself (``searched``), with the current network or with the weights of rows. Random
turns are anywhere or near the stones; positions before a later random turn are left out, as it decides most games.

``weights`` fits the network to the results, mixed with the chances that searches found; forced wins are certain. With
the results alone, positions that were not played count only where a win is forced. One game in ten is held back to test
the result.

Run ``python -m dev.digests`` after writing weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from random import Random
from typing import NamedTuple

import numpy as np

from dev.fitting.checkers import EPOCHS, LIFT, descend, in_parts, share
from dev.fitting.searched import Array, Positions, Practice, command_line, read_games, show_fit, surprise, write_games
from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.gomoku import CLASSICAL, SCALE, SELECTIVITY, WEIGHTS, layer_of, network
from papan.ai.evaluation.gomoku.lines import CELLS, COMBINATIONS, FIVE, HALF, combination, note_made
from papan.ai.learning.weight_files import keep_arrays
from papan.ai.limits import UNPROVEN, WIN_BOUND
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.kernel import compiled
from papan.game.rules import gomoku, legal_steps
from papan.game.rules.gomoku import State
from papan.game.rules.gomoku.board import ROW

SHARE_OF_RESULTS = 0.4
"""The default share of results in the targets; the rest is the chances that searches found."""
ANYWHERE = 0.4
"""The share of random turns that may be anywhere; the others are within two cells of a stone."""
MOST_ACTIVE = 160
"""The most cells of a colour whose combination is learned from."""
SPREAD = 0.08
"""The standard deviation of the first weights of a stone in one direction."""
_DISTANCES = [dy * ROW + dx for dy in range(-2, 3) for dx in range(-2, 3)]


def drawn(state: State, random: Random) -> int:
    """A random step."""
    steps = legal_steps(state, gomoku.MOST_STEPS)
    if random.random() >= ANYWHERE:
        stones = gomoku.stones(state, 0) | gomoku.stones(state, 1)
        near = 0
        for distance in _DISTANCES:
            near |= stones << distance if distance > 0 else stones >> -distance
        steps = [step for step in steps if near >> step & 1] or steps
    return random.choice(steps)


def practice(weights: str = STANDARD) -> Practice:
    options = [{"size": "15"}] * 4 + [{"size": "20"}, {"size": "15", "exact": "yes"}]
    search = AlphaBeta(gomoku, WEIGHTS[weights], table_bits=16, selectivity=SELECTIVITY)
    return Practice(
        gomoku,
        search,
        lambda state, step: True,
        hopeless=WIN_BOUND,
        hopeless_turns=4,
        fewest_random=1,
        most_random=8,
        options=options,
        draw=drawn,
        aside=0.6,
        forgets=True,
    )


@compiled
def write_inputs(state: State, made: Array, found: Array) -> int:
    """Write the combinations of both sides' cells to *found*, zeros; return the second layer, -1 for none."""
    note_made(state, made)
    for side in range(2):
        count = 0
        for cell in range(CELLS):
            if made[side, cell] != 0 and count < MOST_ACTIVE:
                found[side, count] = combination(int(made[side, cell]))
                count += 1
    return layer_of(state)


def inputs_of(kept: Positions) -> Array:
    """The combinations of each side's cells, filled up with zeros, then the second layer."""
    found = np.zeros((len(kept.rows), 2 * MOST_ACTIVE + 1), np.int16)
    made = np.zeros((2, CELLS), np.int64)
    for row, fields in zip(found, kept.rows.tolist(), strict=True):
        made[:] = 0
        row[-1] = write_inputs(State._make(fields), made, row[:-1].reshape(2, -1))
    return found


def _parts() -> Array:
    """What combinations have in common: how often each shape is in them, and their two best shapes, as zeros and
    ones.
    """
    shapes = list(combinations_with_replacement(range(FIVE + 1), 4))
    pairs = {pair: number for number, pair in enumerate(combinations_with_replacement(range(FIVE + 1), 2))}
    found = np.zeros((COMBINATIONS, FIVE + 1 + len(pairs)), np.float32)
    for each in shapes:
        row = found[combination(sum(shape << 4 * way for way, shape in enumerate(each)))]
        for shape in each:
            row[shape] += 1.0
        row[FIVE + 1 + pairs[each[2:]]] = 1.0
    found[0] = found[:, 0] = 0.0
    return found


PARTS = _parts()


class Layers(NamedTuple):
    own: Array
    """The first layer: rows of combinations, by side."""
    parts: Array
    """What ``PARTS`` add to these rows, by side."""
    biases: Array
    lasts: Array
    """The second layers, biases last."""

    def table(self) -> Array:
        """The first layer's rows by side and combination."""
        found: Array = self.own + PARTS @ self.parts
        return found

    def promises(self, inputs: Array) -> Array:
        """The log-odds of winning that the network predicts."""
        table = self.table()
        parts = [self._both(part, table) for part in np.array_split(inputs, len(inputs) // 4096 + 1)]
        return np.concatenate([(lively * lasts).sum(1) for _planes, lively, lasts in parts])

    def _both(self, inputs: Array, table: Array) -> tuple[Array, Array, Array]:
        """How often each combination is there, by side; the neurons, then a one; the second layers' weights."""
        codes = inputs[:, :-1].reshape(-1, 2, MOST_ACTIVE).astype(np.int64)
        places = codes + COMBINATIONS * np.arange(2 * len(inputs)).reshape(-1, 2, 1)
        planes = np.bincount(places.ravel(), minlength=2 * COMBINATIONS * len(inputs)).astype(np.float32)
        planes = planes.reshape(len(inputs), 2, COMBINATIONS)
        planes[:, :, 0] = 0.0
        lively = np.ones((len(inputs), HALF + 1), np.float32)
        sums = planes.reshape(len(inputs), -1) @ table.reshape(-1, HALF) + self.biases
        lively[:, :-1] = np.maximum(sums, 0.0)
        return planes, lively, self.lasts[inputs[:, -1]]

    def slopes(self, inputs: Array, wanted: Array) -> Layers:
        planes, lively, lasts = self._both(inputs, self.table())
        off = (1.0 / (1.0 + np.exp(-(lively * lasts).sum(1))) - wanted)[:, None] / np.float32(len(wanted))
        passed = off * lasts[:, :-1] * (lively[:, :-1] > 0.0)
        rows = (planes.reshape(len(inputs), -1).T @ passed).reshape(self.own.shape)
        chosen = (inputs[:, -1:] == np.arange(network.LAYERS)).astype(np.float32)
        return Layers(rows, PARTS.T @ rows, passed.sum(0), chosen.T @ (off * lively))

    def whole(self) -> network.Network:
        """The network in whole numbers."""
        return network.Network(
            in_parts(network.UNIT, np.concatenate(list(self.table()), axis=1)),
            in_parts(network.UNIT, self.biases),
            in_parts(network.COUNT, self.lasts),
        )


def new_layers(random: np.random.Generator) -> Layers:
    lasts = np.zeros((network.LAYERS, HALF + 1), np.float32)
    lasts[:, :-1] = random.normal(0.0, HALF**-0.5, HALF)
    return Layers(
        np.zeros((2, COMBINATIONS, HALF), np.float32),
        random.normal(0.0, SPREAD, (2, PARTS.shape[1], HALF)).astype(np.float32),
        np.full(HALF, LIFT, np.float32),
        lasts,
    )


def fit(
    kept: Positions, share_of_results: float = SHARE_OF_RESULTS, epochs: int = EPOCHS, seed: int = 1
) -> tuple[network.Network, list[str]]:
    """The network fitted to *kept*, and the lines of a report on its quality."""
    inputs = inputs_of(kept)
    is_open = np.abs(kept.scores) < UNPROVEN
    chances = np.where(is_open, kept.wanted(SCALE, share_of_results), kept.wanted(SCALE, 0.0))
    wanted = np.clip(chances, 0.01, 0.99)
    is_judged = inputs[:, -1] >= 0
    if share_of_results == 1.0:
        is_judged &= ~is_open | ~np.isnan(kept.results)
    learnt, tested = is_judged & ~kept.held_back, is_judged & kept.held_back
    random = np.random.default_rng(seed)
    found = descend(new_layers(random), inputs[learnt], wanted[learnt], random, epochs)
    promised, seen = found.promises(inputs[tested]), np.clip(kept.scores / SCALE, -30.0, 30.0)[tested]
    report = [f"{learnt.sum()} positions of {int(kept.games.max()) + 1} games; surprise by those held back:"]
    is_played = ~np.isnan(kept.results[tested])
    for what, worths in (("network", promised), ("searches", seen)):
        undecided = is_played & is_open[tested]
        of_all = surprise(worths, chances[tested])
        of_results = surprise(worths[undecided], kept.results[tested][undecided])
        report.append(f"  {of_all:.4f} of chances, {of_results:.4f} of results where no win is forced, {what}")
    return found.whole(), report


def main(arguments: Sequence[str] | None = None) -> None:
    parser, games, weights = command_line(__doc__ or "")
    games.add_argument("--classical", action="store_true", help="with the weights of rows")
    weights.add_argument("--results", type=share, default=SHARE_OF_RESULTS, help="their share, from 0 to 1")
    weights.add_argument("--epochs", type=int, default=EPOCHS)
    asked = parser.parse_args(arguments)
    if asked.command == "games":
        write_games(asked, lambda: practice(CLASSICAL if asked.classical else STANDARD))
        return
    kept = read_games(asked.files)
    found, report = fit(kept, asked.results, asked.epochs)
    provenance = show_fit("gomoku", "dev/fitting/gomoku.py", len(kept.results), report)
    keep_arrays(ASSETS.folder / network.ASSET, provenance, **found._asdict())


if __name__ == "__main__":
    main()
