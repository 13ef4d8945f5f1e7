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
from papan.game.base.sentences import say, unended
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
    number: float
    """The single conspiracy number; infinity where the threshold is out of reach."""
    normalised: float
    gap: float | None
    """The changeover gap; None for the seat's first play."""
    motion: Motion
    zone: Zone | None
    stage: Stage | None


class Judged(NamedTuple):
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
        found.judged += _judged(_readable(path, found.refused, tell), library)
    return found


def _readable(
    path: Path, refused: list[tuple[Path, Damaged]], tell: Callable[[int], object]
) -> Iterator[tuple[Answer, Match]]:
    """Yield the answers in *path*, each with the match of its record; the others become *refused*."""
    for done, line in enumerate(read(path), start=1):
        tell(done)
        if isinstance(line, Damaged):
            refused.append((path, line))
            continue
        try:
            yield _match_of(line[1])
        except ValueError as error:
            refused.append((path, Damaged(line[0], str(error))))


def _match_of(answer: Answer) -> tuple[Answer, Match]:
    """*answer* and the match of its record; raises ValueError with a clause that says what is wrong."""
    try:
        match = read_record(answer.record)
    except RecordError as error:
        raise ValueError(say("its record can't be read: {reason}", reason=unended(str(error)))) from None
    turns = complete_turns(match)
    if answer.turn > len(turns) or turns[answer.turn - 1].seat != answer.seat - 1:
        raise ValueError(say("its record has no turn {turn} by seat {seat}", turn=answer.turn, seat=answer.seat))
    return answer, match


def _judged(answers: Iterator[tuple[Answer, Match]], library: Library | None) -> Iterator[Judged]:
    """Yield the *answers* of one file, judged; of records of one match only the longest is held."""
    wholes: list[Match] = []
    placed: list[tuple[Answer, str, int]] = []
    for answer, match in answers:
        place = next((place for place, one in enumerate(wholes) if _continues(one, match)), None)
        if place is None:
            place = next((place for place, one in enumerate(wholes) if _continues(match, one)), len(wholes))
            wholes[place : place + 1] = [match]
        placed.append((answer, complete_turns(match)[answer.turn - 1].notation, place))
    for number, place in {(answer.match, place) for answer, _, place in placed}:
        stored = _stored(library, number)
        if stored is not None and _continues(stored, wholes[place]):
            wholes[place] = stored
    courses = [_course(match) if match.is_open else Course() for match in wholes]
    for answer, notation, place in placed:
        yield Judged(answer, wholes[place], notation, measures_at(courses[place], answer.turn))


def _stored(library: Library | None, number: int | None) -> Match | None:
    """The match *number* of the *library*; None without one."""
    with suppress(LibraryError):
        return None if library is None or number is None else library.load(number)
    return None


def _continues(longer: Match, match: Match) -> bool:
    """Whether *longer* is *match*, perhaps with further steps."""
    is_same = longer.game is match.game and longer.states[0] == match.states[0] and longer.seed == match.seed
    return is_same and list(longer.steps[: len(match.steps)]) == list(match.steps)


def _course(match: Match) -> Course:
    try:
        return course_of(match, Conspiracy(match.game))
    except PartError:  # of an installed game
        return Course()


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
