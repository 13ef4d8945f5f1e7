"""How well measures of excitement agree with people: their answers beside the measures of the same plays.

An answer is about a turn, so it is compared with the single conspiracy number of the position in which that turn was
played, and with what follows from it (``papan.ai.indicators.course``). Numbers are normalised within the match, as long
as it is known: from the library, else from the longest record among the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from papan.ai.indicators.conspiracy import Conspiracy
from papan.ai.indicators.course import Course, Stage, Zone, complete_turns, course_of, gaps
from papan.ai.indicators.motion import Motion
from papan.game.base.sentences import say
from papan.game.base.untrusted import shortened
from papan.game.game import PartError
from papan.game.match import Match
from papan.game.match.library import Library, LibraryError
from papan.game.match.record import RecordError
from papan.game.match.record import read as read_record
from papan.game.match.tension import Answer, Damaged, read
from papan.lab.statistics import spearman

LEAST_ANSWERS = 10
"""With fewer there is no correlation."""


class Measures(NamedTuple):
    """The measures of one play."""

    number: float
    """The single conspiracy number; infinity where the threshold is out of reach."""
    normalised: float
    gap: float | None
    """The changeover gap; None for the seat's first play."""
    motion: Motion
    zone: Zone | None
    stage: Stage | None


class Judged(NamedTuple):
    """An answer, and the measures of its play."""

    answer: Answer
    match: Match
    """As far as it is known."""
    notation: str
    measures: Measures | None
    """None for a turn that is no play, and while the match goes on and hides something."""


MEASURES: Mapping[str, Callable[[Measures], float | None]] = {
    "SCN": lambda one: one.normalised,
    "gap": lambda one: one.gap,
    "v": lambda one: one.motion.velocity,
    "p̄": lambda one: one.motion.mean_momentum,
    "M·v": lambda one: one.motion.momentum,
    "E_p": lambda one: one.motion.potential_energy,
}
"""The measures that are compared with answers; SCN is normalised."""


class Correlation(NamedTuple):
    """The rank correlation of answers and one measure."""

    measure: str
    answers: int
    """The answers with that measure."""
    rho: float | None
    """Spearman's coefficient; None with fewer than ``LEAST_ANSWERS``, or where all are equal."""
    interval: tuple[float, float] | None
    """Of 95 %, as if answers were independent; None without a coefficient."""


class InZone(NamedTuple):
    """The answers on the plays in one zone."""

    zone: Zone
    answers: int
    mean: float


@dataclass
class Comparison:
    """All answers of some files."""

    judged: list[Judged] = field(default_factory=list)
    refused: list[tuple[Path, Damaged]] = field(default_factory=list)
    """The lines that could not be used, each with its file."""

    @property
    def correlations(self) -> list[Correlation]:
        """One for each of ``MEASURES``."""
        return [self._correlation(name, measure) for name, measure in MEASURES.items()]

    def _correlation(self, name: str, measure: Callable[[Measures], float | None]) -> Correlation:
        both = [
            (one.answer.answer, value)
            for one in self.judged
            if one.measures is not None and (value := measure(one.measures)) is not None
        ]
        found = spearman(*zip(*both, strict=True)) if len(both) >= LEAST_ANSWERS else None
        return Correlation(name, len(both), *(found or (None, None)))

    @property
    def zones(self) -> list[InZone]:
        """The zones that have answers."""
        own: dict[Zone, list[int]] = {zone: [] for zone in Zone}
        for one in self.judged:
            if one.measures is not None and one.measures.zone is not None:
                own[one.measures.zone].append(one.answer.answer)
        return [InZone(zone, len(answers), fmean(answers)) for zone, answers in own.items() if answers]


def compare(
    paths: Sequence[Path], library: Library | None, tell: Callable[[int], object] = lambda done: None
) -> Comparison:
    """The answers in the files *paths*, with the measures of their plays.

    :param library: has the matches as they went on; None for records alone.
    :param tell: called with the number of answers read.
    :raises papan.game.base.untrusted.UnreadableError: a file can't be read.
    """
    found = Comparison()
    for path in paths:
        read_here: list[tuple[Answer, Match]] = []
        for line in read(path):
            try:
                if isinstance(line, Damaged):
                    found.refused.append((path, line))
                else:
                    read_here.append(_match_of(line[1]))
                    tell(len(found.judged) + len(read_here))
            except ValueError as error:
                found.refused.append((path, Damaged(line[0], str(error))))
        found.judged += _judged(read_here, library)
    return found


def _match_of(answer: Answer) -> tuple[Answer, Match]:
    """*answer* and the match of its record; raises ValueError with a clause that says what is wrong."""
    try:
        match = read_record(answer.record)
    except RecordError as error:
        raise ValueError(say("its record can't be read: {reason}", reason=shortened(str(error)))) from None
    turns = complete_turns(match)
    if answer.turn > len(turns) or turns[answer.turn - 1].seat != answer.seat - 1:
        raise ValueError(say("its record has no turn {turn} by seat {seat}", turn=answer.turn, seat=answer.seat))
    return answer, match


def _judged(answers: Sequence[tuple[Answer, Match]], library: Library | None) -> list[Judged]:
    """The *answers* of one file, judged in its order."""
    known: list[tuple[Match, Course]] = []
    found = []
    for answer, match in reversed(answers):  # the last record of a match is the longest, unless turns were taken back
        entry = next((one for one in known if _continues(one[0], match)), None)
        if entry is None:
            entry = _with_course(_in_library(answer, match, library) or match)
            known.append(entry)
        whole, course = entry
        notation = complete_turns(match)[answer.turn - 1].notation
        found.append(Judged(answer, whole, notation, measures_at(course, answer.turn) if whole.is_open else None))
    return found[::-1]


def _continues(longer: Match, match: Match) -> bool:
    """Whether *longer* is *match*, perhaps with further steps."""
    is_same = longer.game is match.game and longer.states[0] == match.states[0] and longer.seed == match.seed
    return is_same and list(longer.steps[: len(match.steps)]) == list(match.steps)


def _in_library(answer: Answer, match: Match, library: Library | None) -> Match | None:
    """The match of *answer* in the library, if it went on from *match*."""
    if library is None or answer.match is None:
        return None
    with suppress(LibraryError):
        stored = library.load(answer.match)
        return stored if _continues(stored, match) else None
    return None


def _with_course(match: Match) -> tuple[Match, Course]:
    try:
        return match, course_of(match, Conspiracy(match.game))
    except PartError:  # of an installed game
        return match, Course()


def measures_at(course: Course, turn: int) -> Measures | None:
    """The measures of the play of *turn*; None if it is no play."""
    place = course.at(turn)
    if place is None:
        return None
    play = course.plays[place]
    own = course.series(play.seat)
    gap = dict(zip((number for number, _ in own), gaps([value for _, value in own]), strict=True))[turn]
    return Measures(
        play.number, course.normalised[place], gap, course.motions[place], course.zones[place], course.stages[place]
    )


HEADINGS = (
    "asked", "game", "match", "turn", "seat", "notation", "answer", "scn", "scn_normalised", "gap", "v",
    "mean_momentum", "momentum", "potential_energy", "zone", "stage",
)  # fmt: skip
"""The columns of ``rows``."""


def rows(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    """Yield the answers in the columns of ``HEADINGS``; None where there is no measure, "inf" for infinity."""
    for answer, match, notation, measures in comparison.judged:
        row = (answer.asked, match.game.name, answer.match, answer.turn, answer.seat, notation, answer.answer)
        if measures is None:
            yield *row, *[None] * (len(HEADINGS) - len(row))
            continue
        motion = measures.motion
        yield (
            *row, "inf" if measures.number == inf else measures.number, measures.normalised, measures.gap,
            motion.velocity, motion.mean_momentum, motion.momentum, motion.potential_energy,
            measures.zone and str(measures.zone.value), measures.stage and str(measures.stage.value),
        )  # fmt: skip
