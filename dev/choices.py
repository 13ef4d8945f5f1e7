"""Learns what a search looks at first: ``python -m dev.choices GAME FOLDER … --games N``.

A player plays the game against itself, with some random steps, and writes its Monte-Carlo search's visits in each
position to the first *FOLDER*, a file for each game; after an interruption, the same command continues. With
``--ship``, the tool learns weights from all *FOLDER*s, of games with two, three and four seats, and puts them into the
program's assets; run ``python -m dev.digests`` afterwards. One game in ten is held back to test how well the weights
predict the search's choices.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import evaluation_of
from papan.ai.learning.bundled import choices_asset_of
from papan.ai.learning.network import choices_of
from papan.ai.learning.views import MARKS, Choices, learn_choices, write_marks
from papan.ai.learning.weight_files import keep_weights, misshapen, read_arrays, read_head, write_arrays
from papan.ai.limits import Limit
from papan.ai.players import FAMILIES
from papan.ai.players.families import read_setting
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.game import SEATS, Game
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import guess, observe
from papan.lab.files import whole_file
from papan.lab.printing import show_lines

KIND, VERSION = "Papan choices", 1
ASTRAY = 0.2
"""The share of random steps, which lead to positions that the search itself would avoid."""
SHARPNESS = 2.0
"""A step's share is proportional to its visits to this power, as a search tries every step a few times."""
HELD_BACK = 10
"""One game in this many is held back."""
RATE = 0.1
EPOCHS = 20


class Lesson(NamedTuple):
    """The choices of some games in sequence: the arrays of ``learn_choices``, and of files."""

    firsts: NDArray[np.int64]
    """The index of each choice's first step, and the number of all steps."""
    marks: NDArray[np.int32]
    shares: NDArray[np.float32]

    @classmethod
    def of(cls, lessons: Sequence[Lesson]) -> Lesson:
        starts = np.cumsum([0, *(len(lesson.shares) for lesson in lessons)])
        firsts = [lesson.firsts[:-1] + start for lesson, start in zip(lessons, starts, strict=False)]
        marks, shares = (np.concatenate(parts) for parts in zip(*(lesson[1:] for lesson in lessons), strict=True))
        return cls(np.concatenate([*firsts, starts[-1:]]).astype(np.int64), marks, shares)


def watch(game: Game, player: str, options: dict[str, str], simulations: int, number: int) -> Lesson:
    """The choices of *player* in game *number* against itself; the number is the only seed."""
    kind, _, setting = player.partition(":")
    family = FAMILIES[kind]
    evaluation = evaluation_of(game)
    search = family.make(game, read_setting(kind, family, setting or None, evaluation))
    seats = int(options.get(SEATS, min(game.seats)))
    match, random = Match.new(game, [""] * seats, options, number), Random(number)
    firsts, marks, shares = [0], [], []
    while not match.ending:
        seat = int(match.mover)
        seen = observe(match.state, seat)
        found = search.analyse(seen, Limit(simulations=simulations), seed=random.getrandbits(32), lines=0)
        steps = np.array([line.step for line in found.lines], np.int64)
        visits = np.array([line.visits for line in found.lines], np.float64) ** SHARPNESS
        if found.is_proven:
            visits = (steps == found.step).astype(np.float64)
        if len(steps) > 1 and visits.sum() > 0.0:
            room = np.zeros(len(steps) * MARKS, np.int32)
            write_marks(guess(seen, seat, random_state(random.getrandbits(32))), steps, len(steps), room)
            marks.append(room)
            shares.append((visits / visits.sum()).astype(np.float32))
            firsts.append(firsts[-1] + len(steps))
        astray = random.random() < ASTRAY
        match.play(random.choice(match.legal_steps()) if astray else int(found.step))
    return Lesson(np.array(firsts, np.int64), np.concatenate(marks), np.concatenate(shares))


def read_lesson(path: Path) -> tuple[Lesson, dict[str, object]]:
    """The lesson in the file *path*, and its plan."""
    plan = read_head(path, KIND, VERSION).get("plan")
    lesson = Lesson(**read_arrays(path, {"firsts": np.int64, "marks": np.int32, "shares": np.float32}))
    fits = len(lesson.marks) == MARKS * len(lesson.shares) and len(lesson.firsts) > 1
    if not isinstance(plan, dict) or not fits or lesson.firsts[-1] != len(lesson.shares):
        raise misshapen(path, "shares")
    return lesson, plan


def learn(form: Choices, lesson: Lesson, held_back: Lesson, seed: int) -> tuple[NDArray[np.float64], float, float]:
    """The weights learned from *lesson*, and the mean cross-entropy of *held_back* before and after."""
    weights, squares = np.zeros(form.size), np.zeros(form.size)
    most = int(max(np.diff(lesson.firsts).max(), np.diff(held_back.firsts).max()))
    chances, random = np.zeros(most), np.random.default_rng(seed)
    every = np.arange(len(held_back.firsts) - 1)

    def loss() -> float:
        return float(learn_choices(*held_back, every, 0.0, weights, squares, chances))

    before = loss()
    for epoch in range(EPOCHS):
        rate = RATE * (1.0 - epoch / EPOCHS)
        learn_choices(*lesson, random.permutation(len(lesson.firsts) - 1), rate, weights, squares, chances)
    return weights, before, loss()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    games = [game.name for game in GAMES.values() if choices_of(game) is not None]
    parser.add_argument("game", choices=games)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--player", default="mcts", help="who plays; default: %(default)s")
    parser.add_argument("--simulations", type=int, default=2000, help="of each of its turns; default: %(default)s")
    parser.add_argument(
        "--games", type=int, default=0, help="games to watch for the first folder, as far as it is not there"
    )
    parser.add_argument("--first", type=int, default=0, help="the number of the first one; default: %(default)s")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the game")
    parser.add_argument(
        "--ship", action="store_true", help="learn from all folders, and put the weights in their place"
    )
    asked = parser.parse_args(arguments)
    game = GAMES[asked.game]
    options = game.complete_options(dict(option.split("=", 1) for option in asked.option))
    folder: Path = asked.folders[0]
    folder.mkdir(parents=True, exist_ok=True)
    plan: dict[str, object] = {"player": asked.player, "simulations": asked.simulations, "options": dict(options)}
    for number in range(asked.first, asked.first + asked.games):
        path = folder / f"{number:06d}.npz"
        if not path.exists():
            lesson, head = watch(game, asked.player, dict(options), asked.simulations, number), {"plan": plan}
            with whole_file(path) as file:
                write_arrays(file, {"kind": KIND, "version": VERSION, **head}, lesson._asdict(), compressed=True)
    if asked.ship:
        if len({is_held_back(path) for path in paths_of(asked.folders)}) < 2:
            parser.error("--ship needs games to learn from, and others to hold back; watch some by --games")
        show_lines(ship(game, asked.folders))


def paths_of(folders: Sequence[Path]) -> list[Path]:
    return [path for folder in folders for path in sorted(folder.glob("*.npz"))]


def is_held_back(path: Path) -> bool:
    return int(path.stem) % HELD_BACK == 0


def ship(game: Game, folders: Sequence[Path]) -> str:
    """Learn weights from all games in *folders*, put them into the program's assets, and return a report."""
    form = choices_of(game)
    assert form is not None
    lessons: list[Lesson] = []
    held_back: list[Lesson] = []
    plans: Counter[str] = Counter()
    for path in paths_of(folders):
        lesson, plan = read_lesson(path)
        plans[str(plan)] += 1
        (held_back if is_held_back(path) else lessons).append(lesson)
    weights, before, after = learn(form, Lesson.of(lessons), Lesson.of(held_back), seed=1)
    place = ASSETS.folder / choices_asset_of(game)
    sources = "; ".join(f"{number} games by {plan}" for plan, number in plans.items())
    with whole_file(place) as made:
        keep_weights(
            made, form, weights.astype(np.float32), weights != 0.0,
            f"{game.title}: what a search chose in {sources}", games=len(lessons),
        )  # fmt: skip
    return (
        f"{place}: {place.stat().st_size} bytes, from {len(lessons)} games; cross-entropy of {len(held_back)} others "
        f"{before:.4f} before, {after:.4f} after"
    )


if __name__ == "__main__":
    main()
