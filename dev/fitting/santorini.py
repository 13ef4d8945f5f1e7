"""Fits Santorini's network: ``python -m dev.fitting.santorini games FILE`` and ``… weights FILE …``.

``games`` plays the player against itself (``searched``), one game in three without gods, with the current network or
with the hand-set weights. Workers and gods are dealt.

``weights`` fits the network to the chances that searches found, mixed with the results of games where no search found
a forced win. Training continues from the current network. One game in ten is held back to test the result.

Run ``python -m dev.digests`` after writing weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dev.fitting.checkers import EPOCHS, LIFT, SPREAD, descend, in_parts, share
from dev.fitting.searched import Array, Positions, Practice, command_line, read_games, show_fit, surprise, write_games
from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.santorini import CLASSICAL, SCALE, WEIGHTS, network
from papan.ai.evaluation.santorini.network import ACTIVE, CODES, LAST, NEURONS, NUMBER_OF_GODS, THREAT_ROWS
from papan.ai.learning.network import rectangle_symmetries
from papan.ai.learning.weight_files import keep_arrays
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.rules import santorini
from papan.game.rules.santorini.board import CELLS, MOVING, SIZE, State

SHARE_OF_RESULTS = 0.2
"""The default share of results in the targets; the rest is the chances that searches found."""
CLEAR = 40.0 * SCALE
"""The score from which the result does not count: a forced win, or one within a turn."""

_DEALT = {"seats": "2", "teams": "no", "same": "no", "pick": "random", "placement": "random"}
_SYMMETRIES = np.array(rectangle_symmetries(SIZE, SIZE, SIZE))


def tells(state: State, step: int) -> bool:
    """Whether *state* begins a turn with all workers placed."""
    return state.phase == MOVING and state.active == 0


def practice(weights: str = STANDARD) -> Practice:
    search = AlphaBeta(santorini, WEIGHTS[weights], table_bits=16)
    options = [{**_DEALT, "gods": gods} for gods in ("none", "simple", "simple")]
    return Practice(
        santorini,
        search,
        tells,
        hopeless=1e7,
        fewest_random=0,
        most_random=10,
        slips=0.06,
        options=options,
        finishes_turns=True,
    )


def rows_of(kept: Positions) -> tuple[Array, Array]:
    """The ``ACTIVE`` rows of each position, and whether the seat to move wins in its turn."""
    found, wins = np.zeros((len(kept.rows), ACTIVE), np.int16), np.zeros(len(kept.rows), bool)
    rows = np.zeros(ACTIVE, np.int64)
    for number, fields in enumerate(kept.rows.tolist()):
        wins[number] = network.rows_of(State._make(fields), rows) > 0
        found[number] = rows
    return found, wins


def turned(rows: Array, random: np.random.Generator) -> Array:
    """*rows* of positions, with all boards mirrored or turned at random."""
    way = _SYMMETRIES[random.integers(len(_SYMMETRIES))]
    found = rows.copy()
    found[:, :CELLS] += ((way - np.arange(CELLS)) * CODES).astype(np.int16)
    return found


class Layers(NamedTuple):
    rows: Array
    """The first layer, biases last."""
    lasts: Array
    """The second layers' parts, biases last: one for all, one for each own god, one for each of theirs."""

    def promises(self, rows: Array) -> Array:
        """The log-odds of winning that the network predicts."""
        parts = [self._both(part) for part in np.array_split(rows, len(rows) // 8192 + 1)]
        return np.concatenate([(lively * (gods @ self.lasts)).sum(1) for _planes, gods, lively in parts])

    def _both(self, rows: Array) -> tuple[Array, Array, Array]:
        """The first layer's inputs, the parts of the second one as zeros and ones, and the neurons, then a one."""
        each = np.arange(len(rows))
        planes = np.zeros((len(rows), network.ROWS + 1), np.float32)
        for column in rows.T:
            planes[each, column] += 1.0
        planes[:, -1] = 1.0
        gods = np.zeros((len(rows), 1 + 2 * NUMBER_OF_GODS), np.float32)
        gods[:, 0] = 1.0
        for column in rows[:, -2:].T:
            gods[each, 1 + column - THREAT_ROWS] = 1.0
        lively = np.ones((len(rows), LAST), np.float32)
        lively[:, :-1] = np.maximum(planes @ self.rows, 0.0)
        return planes, gods, lively

    def slopes(self, rows: Array, wanted: Array) -> Layers:
        planes, gods, lively = self._both(rows)
        lasts = gods @ self.lasts
        off = (1.0 / (1.0 + np.exp(-(lively * lasts).sum(1))) - wanted)[:, None] / np.float32(len(wanted))
        passed = off * lasts[:, :-1] * (lively[:, :-1] > 0.0)
        return Layers(planes.T @ passed, gods.T @ (off * lively))

    def whole(self) -> network.Network:
        """The network in whole numbers."""
        own, theirs = self.lasts[1 : 1 + NUMBER_OF_GODS, None], self.lasts[None, 1 + NUMBER_OF_GODS :]
        return network.Network(in_parts(network.UNIT, self.rows), in_parts(network.COUNT, self.lasts[0] + own + theirs))


def new_layers(random: np.random.Generator) -> Layers:
    rows = random.normal(0.0, SPREAD, (network.ROWS + 1, NEURONS))
    rows[-1] = LIFT
    lasts = np.zeros((1 + 2 * NUMBER_OF_GODS, LAST))
    lasts[0, :-1] = random.normal(0.0, NEURONS**-0.5, NEURONS)
    return Layers(rows.astype(np.float32), lasts.astype(np.float32))


def layers_of(whole: network.Whole) -> Layers:
    rows = whole[: network.SECOND].reshape(-1, NEURONS) * np.float32(network.UNIT)
    pairs = whole[network.SECOND :].reshape(NUMBER_OF_GODS, NUMBER_OF_GODS, LAST) * np.float32(network.COUNT)
    mean = pairs.mean((0, 1))
    lasts = np.concatenate([mean[None], pairs.mean(1) - mean, pairs.mean(0) - mean])
    return Layers(rows, lasts.astype(np.float32))


def fit(
    kept: Positions,
    begin: network.Whole | None = None,
    share_of_results: float = SHARE_OF_RESULTS,
    epochs: int = EPOCHS,
    seed: int = 1,
) -> tuple[network.Network, list[str]]:
    """The network fitted to *kept*, and the lines of a report on its quality.

    :param begin: a network to continue from.
    """
    rows, wins = rows_of(kept)
    chances = np.where(np.abs(kept.scores) < CLEAR, kept.wanted(SCALE, share_of_results), kept.wanted(SCALE, 0.0))
    wanted = np.clip(chances, 1e-3, 1.0 - 1e-3)
    learnt, tested = ~wins & ~kept.held_back, ~wins & kept.held_back
    random = np.random.default_rng(seed)
    known = new_layers(random) if begin is None else layers_of(begin)
    found = descend(known, rows[learnt], wanted[learnt], random, epochs, turned)
    promised, mortal = found.promises(rows[tested]), rows[tested, -2] == THREAT_ROWS
    report = [f"{learnt.sum()} positions of {int(kept.games.max()) + 1} games; surprise by those held back:"]
    for name, chosen in (("without gods", mortal), ("with gods", ~mortal)):
        if chosen.any():
            report.append(f"  {surprise(promised[chosen], wanted[tested][chosen]):.4f} {name}")
    return found.whole(), report


def main(arguments: Sequence[str] | None = None) -> None:
    parser, *commands = command_line(__doc__ or "")
    for command in commands:
        command.add_argument("--classical", action="store_true", help="begin anew, from the weights set by hand")
    commands[1].add_argument("--results", type=share, default=SHARE_OF_RESULTS, help="their share, from 0 to 1")
    commands[1].add_argument("--epochs", type=int, default=EPOCHS)
    asked = parser.parse_args(arguments)
    if asked.command == "games":
        write_games(asked, lambda: practice(CLASSICAL if asked.classical else STANDARD))
        return
    kept = read_games(asked.files)
    begin = None if asked.classical else network.bundled_network()
    found, report = fit(kept, begin, asked.results, asked.epochs)
    provenance = show_fit("santorini", "dev/fitting/santorini.py", len(kept.results), report)
    keep_arrays(ASSETS.folder / network.ASSET, provenance, **found._asdict())


if __name__ == "__main__":
    main()
