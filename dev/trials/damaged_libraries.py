"""Libraries that are damaged at random and opened again. What is saved of their matches?"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from dev.trials import Counts, TrialFailure
from dev.trials.damages import damages
from papan.game.base.copies import make_daily_copy
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.match.library import FILE_NAME, Desk, Library, LibraryError
from papan.game.rules import CHANCE

GAMES = ("connect-four", "othello", "2048", "gomoku", "cifra", "xiangqi", "checkers", "santorini")
MATCHES = 16


class Outcome(NamedTuple):
    """What became of one damaged library."""

    damage: str
    notice: str | None
    whole: int
    """Matches that are as they were."""
    part: int
    """Matches of which the first steps are there."""
    lost: int

    @property
    def is_untouched(self) -> bool:
        return self.notice is not None and "can't be used" in self.notice

    @property
    def is_set_aside(self) -> bool:
        """Whether the program kept the file under another name, and said so."""
        return self.notice is not None and "was damaged" in self.notice


def play_matches(desk: Desk, random: Random, count: int, most_steps: int = 60) -> list[Match]:
    matches = []
    for number in range(count):
        game = find(GAMES[number % len(GAMES)])
        match = Match.new(game, ["a", "b", "c", "d"][: game.seats[0]], seed=random.randrange(1000))
        kept = desk.begin(match)
        kept.open()
        desk.work()
        for _ in range(random.randint(5, most_steps)):
            if match.ending:
                break
            match.play(match.chance_step() if match.mover == CHANCE else random.choice(match.legal_steps()))
            kept.keep()
            desk.work()
        matches.append(match)
    return matches


class Sample(NamedTuple):
    """A library to be damaged."""

    folder: Path
    matches: list[Match]
    """Numbered from 1, as in the library."""


def make_samples(folder: Path, random: Random) -> list[Sample]:
    """Libraries as kills and orderly ends leave them: all in the log, half in the log, all in the file, with a copy."""
    work = folder / "work"
    samples = []

    def take(name: str) -> None:
        shutil.copytree(work, folder / name)
        samples.append(Sample(folder / name, list(matches)))

    desk = Desk(work / FILE_NAME)
    matches = play_matches(desk, random, MATCHES // 2)
    take("log")
    desk.shut()
    desk = Desk(work / FILE_NAME)
    matches += play_matches(desk, random, MATCHES // 2)
    take("half")
    desk.shut()
    take("file")
    make_daily_copy(work / FILE_NAME)
    desk = Desk(work / FILE_NAME)
    matches += play_matches(desk, random, MATCHES // 4)
    take("copied")
    desk.shut()
    return samples


def damage_and_open(sample: Sample, folder: Path, seed: int) -> Outcome:
    """Damage a copy of *sample* in *folder*, and count what the program makes of it."""
    shutil.copytree(sample.folder, folder)
    path = folder / FILE_NAME
    damage = damages(path, Random(seed))
    library = Library(path)
    counts = Counter(_state_of(library, number, match) for number, match in enumerate(sample.matches, 1))
    library.close()
    _begin_match(path)
    return Outcome(f"{sample.folder.name}, {damage}", library.notice, counts["whole"], counts["part"], counts["lost"])


def _begin_match(path: Path) -> None:
    desk = Desk(path)
    kept = desk.begin(Match.new(find("connect-four"), ["a", "b"]))
    kept.open()
    desk.work()
    assert kept.held is not None or kept.standing.trouble
    desk.shut()


def _state_of(library: Library, number: int, match: Match) -> str:
    try:
        steps = library.load(number).all_steps
    except (LibraryError, ValueError):
        return "lost"
    if steps == match.all_steps:
        return "whole"
    return "part" if steps and steps == match.all_steps[: len(steps)] else "lost"


_samples: list[Sample] = []


def case(seed: int, folder: Path) -> Counts:
    if not _samples:
        _samples.extend(make_samples(Path(tempfile.mkdtemp(prefix="papan-samples-")), Random(1)))
    try:
        outcome = damage_and_open(_samples[seed % len(_samples)], folder / "case", seed)
    except Exception as error:
        raise TrialFailure(f"the program could not start: {type(error).__name__}: {error}") from error
    return Counter(
        {
            "damaged libraries": 1,
            "libraries set aside": int(outcome.is_set_aside),
            "libraries left as they were": int(outcome.is_untouched),
            "matches whole": outcome.whole,
            "matches in part": outcome.part,
            "matches lost": outcome.lost,
        }
    )
