"""Self-play games of a search to fit weights to: positions, the search's scores, and the results.

After some random turns, each turn is searched by a number of nodes, except for a few random ones. Only informative
positions are kept, such as those without a pending capture.

Games may also begin in undecided positions of earlier games. These can be searched by many more nodes a turn, so that
won positions are won in the end.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from papan.ai.learning.weight_files import read_arrays
from papan.ai.limits import Limit
from papan.ai.search import Query
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.repetition import come_twice
from papan.game.base.places import atomic_file
from papan.game.base.protocols import offers
from papan.game.catalogue import GAMES
from papan.game.rules import (
    Repeating,
    State,
    is_over,
    legal_steps,
    mover,
    payoff,
    play,
    steps_to_draw,
)
from papan.lab.printing import show, show_lines

NODES = 1000  # of the search of a turn: quick rather than good

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Practice:
    rules: Any
    """The rules of a two-player game without hidden information."""
    search: AlphaBeta
    tells: Callable[[State, int], bool]
    """Whether a position, with the step found in it, is worth learning from."""
    hopeless: float
    """A game ends, and counts as won, once the searches of ``hopeless_turns`` turns in a row score it above this for
    one side; positions with at least twice this score are not kept."""
    hopeless_turns: int = 8
    fewest_random: int = 2
    most_random: int = 10
    """The most random turns at the start of a game."""
    slips: float = 0.02
    """The share of random turns after that."""
    most_turns: int = 240
    """A game of this many turns counts as drawn."""
    options: Sequence[Mapping[str, str]] = ({},)
    """The options of the games; game by game, one after the other."""
    finishes_turns: bool = False
    """Whether a turn is finished as its first search expects, without another one."""
    draw: Callable[[State, Random], int] | None = None
    """Draws the step of a random turn; all legal ones are as likely by default."""
    forgets: bool = False
    """Whether positions before a later random turn are not kept."""
    aside: float = 0.0
    """The share of searched positions of which another one is searched and kept, a random step further: it is not
    played on, so it has no result. So weights learn from what good play avoids."""
    settled: Callable[[State], float | None] = lambda state: None
    """The first seat's result in a position that a table has: 0, ½ or 1; None if unknown."""


MOST_BYTES = 1 << 30  # of a file of positions


class Positions(NamedTuple):
    """Arrays with an entry for each position."""

    rows: Array
    """The fields of the state."""
    scores: Array
    """The search's score for the seat to move."""
    results: Array
    """The game's result for that seat: 0, ½ or 1; not a number for positions beside the game."""
    games: Array
    """The number of the game."""

    @property
    def held_back(self) -> Array:
        """A mask of the positions held back for testing: those of one game in ten."""
        found: Array = self.games % 10 == 9
        return found

    def wanted(self, scale: float, share_of_results: float) -> Array:
        """The target chances: *share_of_results* of the result, and the rest of the chance that the search found.

        :param scale: the score of a winning chance of 73 %.
        """
        seen = 1.0 / (1.0 + np.exp(-np.clip(self.scores / scale, -30.0, 30.0)))
        mixed: Array = share_of_results * self.results + (1.0 - share_of_results) * seen
        return np.where(np.isnan(self.results), seen, mixed)


KINDS = {"rows": np.int64, "scores": np.float32, "results": np.float32, "games": np.int32}


def _random_step(practice: Practice, state: State, random: Random) -> int:
    return (
        practice.draw(state, random) if practice.draw else random.choice(legal_steps(state, practice.rules.MOST_STEPS))
    )


def play_game(
    practice: Practice, random: Random, nodes: int, begin: State | None = None, number: int = 0
) -> tuple[list[tuple[State, float, bool]], float]:
    """Play a game; return its kept positions, and the first seat's result: 0, ½ or 1.

    A position comes with its score, and whether it was played.

    :param begin: a position to begin in, with at most one random turn; default: the start.
    """
    rules = practice.rules
    state = rules.start(practice.options[number % len(practice.options)], random) if begin is None else begin
    states, turns, ahead = [state], 0, 0
    repeats = offers(rules, Repeating)
    planned: Sequence[int] = ()
    kept: list[tuple[State, float, bool]] = []
    randoms = random.randint(practice.fewest_random, practice.most_random) if begin is None else random.randint(0, 1)
    while turns < practice.most_turns:
        ending = rules.repetition_ending(states) if repeats else None
        if ending is not None:
            return kept, (1.0 + ending.payoffs[0]) / 2.0
        if is_over(state):
            return kept, (1.0 + payoff(state, 0)) / 2.0
        known = practice.settled(state)
        if known is not None:
            return kept, known
        seat = mover(state)
        if turns < randoms or random.random() < practice.slips:
            step = _random_step(practice, state, random)
            kept, planned = [] if practice.forgets else kept, ()
        elif planned:
            step, *planned = planned
        else:
            came = come_twice(states)
            found = practice.search.answer(Query(state, Limit(nodes=nodes), came, random.getrandbits(32)))
            step = found.step
            score = found.score if seat == 0 else -found.score
            sign = int(np.sign(score)) if abs(score) > practice.hopeless else 0
            ahead = ahead + sign if sign * ahead > 0 else sign
            if abs(ahead) >= practice.hopeless_turns:
                return kept, 1.0 if ahead > 0 else 0.0
            if abs(score) < 2.0 * practice.hopeless and practice.tells(state, step):
                kept.append((state, found.score, True))
                if practice.aside > 0.0 and not ahead and random.random() < practice.aside:
                    other = play(state, _random_step(practice, state, random))
                    if not is_over(other):
                        score = practice.search.answer(
                            Query(other, Limit(nodes=nodes), (), random.getrandbits(32))
                        ).score
                        kept.append((other, score, False))
            planned = found.principal_variation[1:] if practice.finishes_turns else ()
        after = play(state, step)
        planned = planned if mover(after) == seat else ()
        turns += int(mover(after) != seat)
        states = [after] if steps_to_draw(after) > steps_to_draw(state) else [*states, after]
        state = after
    return kept, 0.5


def generate(
    practice: Practice, games: int, seed: int, nodes: int = NODES, earlier: Positions | None = None
) -> Positions:
    """The positions of *games* games.

    :param earlier: positions to begin in, if their scores are below half of ``hopeless``; default: the start.
    :raises ValueError: *earlier* has no such position.
    """
    rows, scores, results, numbers = [], [], [], []
    opened = np.zeros(0) if earlier is None else np.flatnonzero(np.abs(earlier.scores) < practice.hopeless / 2.0)
    if earlier is not None and not len(opened):
        raise ValueError("of the positions that games shall begin in none is open any more")
    for number in range(games):
        random, begin = Random(f"{seed} {number}"), None
        if earlier is not None:
            chosen = earlier.rows[opened[random.randrange(len(opened))]]
            begin = practice.rules.start(practice.options[0], random)._make(chosen.tolist())
        kept, result = play_game(practice, random, nodes, begin, number)
        for state, score, is_played in kept:
            rows.append(tuple(int(field) for field in state))
            scores.append(score)
            results.append((result if mover(state) == 0 else 1.0 - result) if is_played else np.nan)
            numbers.append(number)
    made = zip((rows, scores, results, numbers), KINDS.values(), strict=True)
    return Positions(*(np.array(column, kind) for column, kind in made))


def read_games(files: Sequence[Path]) -> Positions:
    """The positions in *files*, written by ``games``, with games numbered consecutively."""
    found: list[Positions] = []
    games = 0
    for file in files:
        read = Positions(**read_arrays(file, KINDS, MOST_BYTES))
        found.append(read._replace(games=read.games + games))
        games = int(found[-1].games.max()) + 1
    return Positions(*(np.concatenate(parts) for parts in zip(*found, strict=True)))


def surprise(worths: Array, wanted: Array) -> float:
    """The mean cross-entropy of *wanted* chances and those predicted by *worths*, as log-odds; less is better."""
    return float(np.mean(np.logaddexp(0.0, worths) - wanted * worths))


def _existing(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {name}")
    return path


def command_line(about: str) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser, argparse.ArgumentParser]:
    """A tool's parser, and those of its two commands: ``games FILE`` and ``weights FILE …``.

    :param about: the tool's docstring; its first line becomes the description.
    """
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    games = commands.add_parser("games", help="play games, and write their positions to FILE")
    games.add_argument("file", type=Path)
    games.add_argument("--games", type=int, default=1_000)
    games.add_argument("--seed", type=int, default=1, help="another one, other games")
    games.add_argument("--nodes", type=int, default=NODES)
    games.add_argument(
        "--parts", type=int, default=1, help="write so many files, FILE-SEED, each with the next seed; resumable"
    )
    games.add_argument(
        "--begin", type=_existing, nargs="+", default=(), help="in positions of the games in these files"
    )
    weights = commands.add_parser("weights", help="fit the bundled weights to the positions in files")
    weights.add_argument("files", type=_existing, nargs="+")
    return parser, games, weights


def show_fit(game: str, file: str, positions: int, report: Sequence[str]) -> str:
    """Print the *report* on a fit; return a sentence on the origin of the weights.

    :param file: the tool's file.
    :param positions: the number of positions.
    """
    show_lines("\n".join(report))
    return f"{GAMES[game].title}: fitted by {file} to {positions} positions of the program's games against itself"


def write_games(asked: argparse.Namespace, practice: Callable[[], Practice]) -> None:
    """Play games as *asked*; with parts, existing files of them are kept.

    :param practice: a new one for each file, so that its games depend on the seed alone.
    """
    earlier = read_games(asked.begin) if asked.begin else None
    seeds = range(asked.seed, asked.seed + asked.parts)
    for seed in seeds:
        file = asked.file if len(seeds) == 1 else asked.file.with_stem(f"{asked.file.stem}-{seed}")
        if file.exists() and len(seeds) > 1:
            continue
        try:
            found = generate(practice(), asked.games, seed, asked.nodes, earlier)
        except ValueError as error:
            show(str(error), is_trouble=True)
            raise SystemExit(1) from None
        with atomic_file(file) as written:
            np.savez_compressed(written, **found._asdict())
        show(f"{file.name}: {len(found.rows)} positions")
