"""Fits checkers' networks: ``python -m dev.fitting.checkers games FILE`` and ``… weights FILE …``.

``games`` plays the player against itself (``searched``), with the current networks or with the hand-set weights. Games
end as soon as the tables of endings have the result. Positions with a compulsory capture are left out.

``weights`` fits a network for each phase of the game. Its targets mix the results of games with the winning chances
that searches found. Training continues from the current networks. One game in ten is held back to test the result.

Run ``python -m dev.digests`` after writing weights.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from dev.fitting.searched import Array, Positions, Practice, command_line, read_games, show_fit, surprise, write_games
from papan.ai.evaluation import NOT_LISTED, STANDARD, turns_to_end
from papan.ai.evaluation.checkers import CLASSICAL, SCALE, SELECTIVITY, WEIGHTS, endings, network
from papan.ai.learning.weight_files import keep_arrays
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.rules import checkers
from papan.game.rules.checkers.board import SQUARES, State, bit_of, must_capture

SHARE_OF_RESULTS = 0.3
"""The default share of results in the targets; the rest is the chances that searches found."""


def tells(state: State, step: int) -> bool:
    """Whether *state* begins a turn without a compulsory capture."""
    return state.jumper == 0 and not must_capture(state)


def settled(state: State) -> float | None:
    """Black's result (0, ½ or 1) by the tables of endings; None if they do not have *state*."""
    turns = turns_to_end(state, endings()) if state.jumper == 0 else NOT_LISTED
    if turns == NOT_LISTED:
        return None
    return 0.5 if turns == 0 else float((turns > 0) == (state.to_move == 0))


def practice(weights: str = STANDARD) -> Practice:
    search = AlphaBeta(checkers, WEIGHTS[weights], table_bits=16, endings=endings, selectivity=SELECTIVITY)
    return Practice(
        checkers, search, tells, hopeless=40.0, fewest_random=3, slips=0.01, most_turns=200, settled=settled
    )


def planes_of(rows: Array) -> Array:
    """The pieces as zeros and ones, from the mover's side: own men, own kings, the other's men, the other's kings."""
    bits = np.array([bit_of(square) for square in range(SQUARES)])
    black, white, kings = ((rows[:, [column]] >> bits & 1).astype(np.uint8) for column in range(3))
    kinds = [black & ~kings, black & kings, white & ~kings, white & kings]
    turned = [kinds[kind][:, ::-1] for kind in (2, 3, 0, 1)]
    return np.where(rows[:, [3]] == 0, np.concatenate(kinds, 1), np.concatenate(turned, 1))


def phases_of(rows: Array) -> Array:
    pieces = np.bitwise_count((rows[:, 0] | rows[:, 1]).astype(np.uint64))
    found: Array = np.where(pieces <= network.FEW, 2, np.where(rows[:, 2] != 0, 1, 0))
    return found


def layers_of(networks: network.Whole, phase: int) -> Layers:
    block = networks[phase * network.BLOCK : (phase + 1) * network.BLOCK]
    rows = block[: -network.NEURONS - 1].reshape(network.ROWS + 1, network.NEURONS) * np.float32(network.UNIT)
    lasts = block[-network.NEURONS - 1 :] * np.float32(network.COUNT)
    return Layers(rows[:-1], rows[-1], lasts[:-1], lasts[-1:])


def fit(
    kept: Positions, begin: network.Whole | None = None, share_of_results: float = SHARE_OF_RESULTS
) -> tuple[network.Networks, list[str]]:
    """The networks fitted to *kept*, and the lines of a report on their quality.

    :param begin: networks to continue from.
    """
    planes, phases, is_held_back = planes_of(kept.rows), phases_of(kept.rows), kept.held_back
    wanted = kept.wanted(SCALE, share_of_results)
    report = [f"{len(wanted)} positions of {int(kept.games.max()) + 1} games; surprise by those held back:"]
    rows, lasts = [], []
    for phase in range(network.PHASES):
        learnt, tested = (phases == phase) & ~is_held_back, (phases == phase) & is_held_back
        known = None if begin is None else layers_of(begin, phase)
        found = fit_network(planes[learnt], wanted[learnt], network.NEURONS, begin=known)
        rows.append(in_parts(network.UNIT, found.rows, found.always[None]))
        lasts.append(in_parts(network.COUNT, found.lasts, found.last))
        promised, seen = found.promises(planes[tested]), kept.scores[tested] / SCALE
        for name, worths in (("networks", promised), ("searches", seen)):
            of_both, of_results = (surprise(worths, one[tested]) for one in (wanted, kept.results))
            report.append(f"  phase {phase}: {of_both:.4f} of both, {of_results:.4f} of results, {name}")
    return network.Networks(np.array(rows), np.array(lasts)), report


def in_parts(unit: float, *layers: Array) -> Array:
    """*layers*, one after the other, as 16-bit multiples of *unit*."""
    return np.round(np.concatenate(layers) / unit).clip(-(1 << 15), (1 << 15) - 1).astype(np.int16)


def share(text: str) -> float:
    """A number from 0 to 1; argparse refuses others as an invalid share."""
    if not 0.0 <= float(text) <= 1.0:
        raise ValueError
    return float(text)


def main(arguments: Sequence[str] | None = None) -> None:
    parser, *commands = command_line(__doc__ or "")
    for command in commands:
        command.add_argument("--classical", action="store_true", help="begin anew, from the weights set by hand")
    commands[1].add_argument("--results", type=share, default=SHARE_OF_RESULTS, help="their share, from 0 to 1")
    asked = parser.parse_args(arguments)
    if asked.command == "games":
        write_games(asked, lambda: practice(CLASSICAL if asked.classical else STANDARD))
        return
    kept = read_games(asked.files)
    networks, report = fit(kept, None if asked.classical else network.bundled_networks(), asked.results)
    provenance = show_fit("checkers", "dev/fitting/checkers.py", len(kept.results), report)
    keep_arrays(ASSETS.folder / network.ASSET, provenance, **networks._asdict())


EPOCHS = 30  # passes over all positions
BATCH = 2048
LEAST_BATCH, BATCHES = 64, 200
"""With few positions, batches get smaller than ``BATCH``, for ``BATCHES`` an epoch, but not below ``LEAST_BATCH``."""
RATE = 3e-3
DECAY = 0.05
FIRST, SECOND, LEAST = 0.9, 0.999, 1e-8  # Adam's decay rates, and its epsilon
SPREAD, LIFT = 0.15, 0.1
"""The standard deviation of the first layer's initial weights, and the neurons' initial bias."""


class Layers(NamedTuple):
    rows: Array
    """The first layer's weights, of shape (inputs, neurons)."""
    always: Array
    lasts: Array
    """The output weight of each neuron."""
    last: Array
    """The output bias, of shape (1,)."""

    def promises(self, planes: Array) -> Array:
        """The log-odds of winning that the network predicts, for each row of *planes*, of zeros and ones."""
        found = [self._lively(part) @ self.lasts for part in np.array_split(planes, len(planes) // 20_000 + 1)]
        promised: Array = np.concatenate(found) + self.last
        return promised

    def _lively(self, planes: Array) -> Array:
        sums: Array = planes.astype(np.float32) @ self.rows + self.always
        return np.maximum(sums, 0.0, out=sums)

    def slopes(self, planes: Array, wanted: Array) -> Layers:
        real = planes.astype(np.float32)
        lively = self._lively(real)
        off = (1.0 / (1.0 + np.exp(-(lively @ self.lasts + self.last))) - wanted) / np.float32(len(wanted))
        passed = np.outer(off, self.lasts) * (lively > 0.0)
        return Layers(real.T @ passed, passed.sum(0), lively.T @ off, off.sum(keepdims=True))


def new_network(inputs: int, neurons: int, random: np.random.Generator) -> Layers:
    return Layers(
        random.normal(0.0, SPREAD, (inputs, neurons)).astype(np.float32),
        np.full(neurons, LIFT, np.float32),
        random.normal(0.0, neurons**-0.5, neurons).astype(np.float32),
        np.zeros(1, np.float32),
    )


def fit_network(
    planes: Array, wanted: Array, neurons: int, seed: int = 1, epochs: int = EPOCHS, begin: Layers | None = None
) -> Layers:
    """A network fitted to the *wanted* winning chances.

    :param begin: a network to continue from.
    """
    random = np.random.default_rng(seed)
    return descend(begin or new_network(planes.shape[1], neurons, random), planes, wanted, random, epochs)


class Sloped(Protocol):
    """Layers, as a named tuple of arrays."""

    def slopes(self, inputs: Array, wanted: Array) -> Any:
        """The slopes of the cross-entropy in each layer."""


SlopedT = TypeVar("SlopedT", bound=Sloped)


def descend(
    begin: SlopedT,
    inputs: Array,
    wanted: Array,
    random: np.random.Generator,
    epochs: int = EPOCHS,
    varied: Callable[[Array, np.random.Generator], Array] = lambda chosen, random: chosen,
) -> SlopedT:
    """The layers *begin* fitted to the *wanted* chances by Adam.

    :param varied: what a batch of *inputs* becomes before it is learned from.
    """
    layers: Any = begin
    found = layers._make(layer.copy() for layer in layers)
    means, squares = ([np.zeros_like(layer) for layer in found] for _ in range(2))
    size = min(BATCH, max(LEAST_BATCH, len(inputs) // BATCHES))
    batches = len(inputs) // size
    wanted = wanted.astype(np.float32)
    for number in range(epochs * batches):
        if number % batches == 0:
            order = random.permutation(len(inputs))
        chosen = order[number % batches * size :][:size]
        rate = RATE * 0.5 * (1.0 + np.cos(np.pi * number / (epochs * batches)))
        slopes = found.slopes(varied(inputs[chosen], random), wanted[chosen])
        for layer, slope, mean, square in zip(found, slopes, means, squares, strict=True):
            mean += (1.0 - FIRST) * (slope - mean)
            square += (1.0 - SECOND) * (slope**2 - square)
            spread = np.sqrt(square / (1.0 - SECOND ** (number + 1))) + LEAST
            layer -= (rate / (1.0 - FIRST ** (number + 1)) * mean / spread + rate * DECAY * layer).astype(np.float32)
    made: SlopedT = found
    return made


if __name__ == "__main__":
    main()
