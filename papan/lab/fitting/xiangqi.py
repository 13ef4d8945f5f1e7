"""Fits xiangqi's weights: ``python -m papan.lab.fitting.xiangqi games FILE`` and ``… weights FILE …``.

*Games* are the player's own against itself: some random turns first, then each seat searches so many nodes. Kept are
the positions in which nothing is about to be captured, with what the search found and who won.

*Weights* are a logistic regression (Österlund, "Texel's Tuning Method", 2014): the chance that a position's worth
stands for is to be near to how the game ended, and to the chance that the search saw. A number of which little is known
stays near what was set by hand. One game in ten is held back, and says how good the result is.

After weights have been written ``python -m papan.tools.digests`` tells the program that they are meant to be so.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation import STANDARD
from papan.ai.evaluation.xiangqi import BY_HAND, MARGIN, SCALE, WEIGHTS
from papan.ai.evaluation.xiangqi.sides import FEATURES
from papan.ai.evaluation.xiangqi.tables import ASSET, Tables, keep_tables, tables_by_hand
from papan.ai.limits import Limit
from papan.ai.players.situations import come_twice
from papan.ai.search import Query
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.rules import is_over, key, legal_steps, payoff, play, xiangqi
from papan.game.rules.xiangqi.board import TARGET_MASK, State, in_check, kind_at
from papan.lab.fitting.xiangqi_terms import TERMS, Layout, write_terms

NODES = 1000
"""Nodes that a turn is searched by: quick rather than good."""

MOST_RANDOM = 10
"""Turns at random at most, to begin with."""

SLIPS = 0.02
"""The share of later turns that are played at random too."""

HOPELESS, HOPELESS_TURNS = 12.0, 8
"""A game is left off, and counts as won, once the searches of so many turns found one side ahead by so much."""

MOST_TURNS = 240

SHARE_OF_RESULTS = 0.5
"""How much of what is learned from is how games ended; the rest is what searches saw."""

ALIKE = 4.0
"""So many positions of a game, which ended in one way, tell as much as one."""

Array = np.ndarray[Any, Any]


class Positions(NamedTuple):
    """What has been played: an entry for each position."""

    rows: Array
    """The fields of its state."""
    scores: Array
    """What a search found there, for the seat to move."""
    results: Array
    """How the game ended for that seat: 0, ½ or 1."""
    games: Array
    """The number of the game that it is of."""


def play_game(search: AlphaBeta, random: Random, nodes: int) -> tuple[list[tuple[State, float]], float]:
    """The positions kept of one game with their scores, and what red got of it: 0, ½ or 1."""
    state = xiangqi.start({}, random)
    states, ahead = [state], 0
    kept: list[tuple[State, float]] = []
    randoms = random.randint(2, MOST_RANDOM)
    while len(states) < MOST_TURNS:
        ending = xiangqi.repetition_ending(states)
        if ending is not None:
            return kept, (1.0 + ending.payoffs[0]) / 2.0
        if is_over(state):
            return kept, (1.0 + payoff(state, 0)) / 2.0
        if len(states) <= randoms or random.random() < SLIPS:
            step = random.choice(legal_steps(state, xiangqi.MOST_STEPS))
        else:
            came = come_twice([int(key(earlier)) for earlier in states])
            found = search.answer(Query(state, Limit(nodes=nodes), came, random.getrandbits(32)))
            step = found.step
            score = found.score if state.to_move == 0 else -found.score
            sign = int(np.sign(score)) if abs(score) > HOPELESS else 0
            ahead = ahead + sign if sign * ahead > 0 else sign
            if abs(ahead) >= HOPELESS_TURNS:
                return kept, 1.0 if ahead > 0 else 0.0
            is_capture = kind_at(state, step & TARGET_MASK) != 0
            if not is_capture and not in_check(state, state.to_move) and abs(score) < 2.0 * HOPELESS:
                kept.append((state, found.score))
        state = play(state, step)
        states.append(state)
    return kept, 0.5


def generate(games: int, seed: int, nodes: int) -> Positions:
    """Positions of so many *games* of the standard player against itself."""
    search = AlphaBeta(xiangqi, WEIGHTS[STANDARD], table_bits=16, margin=MARGIN)
    rows, scores, results, numbers = [], [], [], []
    for number in range(games):
        kept, result = play_game(search, Random(f"{seed} {number}"), nodes)
        for state, score in kept:
            rows.append(tuple(int(field) for field in state))
            scores.append(score)
            results.append(result if state.to_move == 0 else 1.0 - result)
            numbers.append(number)
    return Positions(
        np.array(rows, np.int64),
        np.array(scores, np.float32),
        np.array(results, np.float32),
        np.array(numbers, np.int32),
    )


def read_games(files: Sequence[Path]) -> Positions:
    """What ``games`` has written to *files*; their games are numbered on."""
    found: list[Positions] = []
    games = 0
    for file in files:
        with np.load(file) as arrays:
            read = Positions(*(arrays[name] for name in Positions._fields))
        found.append(read._replace(games=read.games + games))
        games = int(found[-1].games.max()) + 1
    return Positions(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def features_of(rows: Array, weights: Sequence[float] = BY_HAND) -> Array:
    """The terms of each position, for the seat to move: so many rows of ``TERMS``.

    :param weights: what pieces are worth that can be captured.
    """
    found = np.zeros((len(rows), TERMS), np.float32)
    vector = np.array(weights)
    for row, features in zip(rows, found, strict=True):
        write_terms(State(*(int(field) for field in row)), vector, features)
    return found


def fit(kept: Positions) -> tuple[Tables, list[str]]:
    """The numbers that fit *kept* best, and lines on how good they are."""
    features = features_of(kept.rows)
    seen = 1.0 / (1.0 + np.exp(-np.clip(kept.scores, -60.0, 60.0) / SCALE))
    wanted = SHARE_OF_RESULTS * kept.results + (1.0 - SHARE_OF_RESULTS) * seen
    is_held_back = kept.games % 10 == 9
    layout = Layout.of(tables_by_hand(), BY_HAND)
    found = regress(features[~is_held_back], wanted[~is_held_back], layout.before, layout.spread)
    report = [f"{len(wanted)} positions of {int(kept.games.max()) + 1} games; surprise by those held back:"]
    for name, weights in (("by hand", layout.before), ("now", found)):
        worth = features[is_held_back] @ weights / SCALE
        for what, target in (("of both", wanted), ("of results", kept.results)):
            surprise = float(np.mean(np.logaddexp(0.0, worth) - target[is_held_back] * worth))
            report.append(f"  {surprise:.4f} {what}, {name}")
    tables = layout.tables(found, np.abs(features).mean(0))
    report += [f"  {name} {weight:.3f}" for name, weight in zip(FEATURES, tables.scalars, strict=True)]
    return tables, report


def regress(features: Array, wanted: Array, before: Array, spread: Array) -> Array:
    """The weights by which the chance to win is nearest to *wanted*, and which are not far from those *before*.

    Newton's method; *before* is taken for the mean, and *spread* for the deviation, of what each may be.
    """
    weights = before.copy()
    pull = ALIKE / spread**2
    for _ in range(8):
        chance = 1.0 / (1.0 + np.exp(-(features @ weights.astype(np.float32)) / SCALE))
        slope = (features.T @ (chance - wanted).astype(np.float32)) / SCALE + pull * (weights - before)
        scaled = features * np.sqrt(chance * (1.0 - chance)).astype(np.float32)[:, None] / np.float32(SCALE)
        step = np.linalg.solve((scaled.T @ scaled).astype(np.float64) + np.diag(pull), slope)
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    return weights


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("games", help="play games, and write their positions to FILE")
    games.add_argument("file", type=Path)
    games.add_argument("--games", type=int, default=1_000)
    games.add_argument("--seed", type=int, default=1, help="another one, other games")
    games.add_argument("--nodes", type=int, default=NODES)
    weights = commands.add_parser("weights", help="fit the bundled weights to the positions in files")
    weights.add_argument("files", type=Path, nargs="+")
    asked = parser.parse_args(arguments)
    if asked.command == "games":
        found = generate(asked.games, asked.seed, asked.nodes)
        np.savez_compressed(asked.file, **found._asdict())
        print(f"{len(found.rows)} positions")
        return
    kept = read_games(asked.files)
    tables, report = fit(kept)
    print("\n".join(report))
    provenance = (
        f"{GAMES['xiangqi'].title}: fitted by papan/lab/fitting/xiangqi.py to {len(kept.results)} positions of the"
        " program's games against itself"
    )
    keep_tables(tables, ASSETS.folder / ASSET, provenance)


if __name__ == "__main__":
    main()
