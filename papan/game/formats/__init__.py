"""Files of other programs: what their games are, read as matches and written back.

A game's part ``formats`` is a module with ``FORMATS``; each ``Format`` reads one kind of file and may write it. A
format gives a ``Transcript`` for each game that it can read, and a ``Refused`` with the reason for each other one, so
that one damaged game costs no other. Of a game whose text breaks off, the turns before that are kept, and noted. Nobody
has to name the format of a file: ``read_games`` asks each format how well it fits, and takes the best that can read a
game. Bare moves may be legal in several games: then they are of the one whose legal moves they are least by chance.
"""

from __future__ import annotations

import datetime
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, Protocol

from papan.game.base.sentences import joined, say
from papan.game.formats import foreign
from papan.game.formats.source import FormatError as FormatError
from papan.game.formats.source import Source, SourceError
from papan.game.game import Game, part_of
from papan.game.match import Conclusion, Kind, Match
from papan.game.match.collection import Refused, read_collection
from papan.game.match.record import can_be_added
from papan.game.rules import CHANCE, IllegalStep, PositionError, State, is_over, legal_steps, mover, play

UNKNOWN_PLAYER = "?"
UNKNOWN_DATE = datetime.date(1, 1, 1)
"""The date of a match whose file tells none."""
GOAL = "Goal"
"""The tag for the result of a position without turns: what its problem asks for."""
DATED = "Dated"
"""The tag for a year, or a year and a month, where no day is known."""
_PARTS_OF_DATE = 3
LEFT_OUT = "LeftOut"
"""The tag for the number of moves after the end by the rules, where a file's game goes on."""
NO, PERHAPS, LIKELY, SURE = range(4)
"""How well a format fits a file: not; a text that could be one; tags or a suffix of it; marks that only it has."""
_TRIED = 3
"""Games read before a format is given up."""
_COMPARED = 20
"""Steps by which the games are compared that a text may be."""
_SURE_BITS = 15.0
"""How much less another game has to say about a text before it is told, too."""
_LONGEST_TAG = 1000
"""Characters of a value."""
_MOST_TAGS = 100
_DATE = re.compile(r"(\d{4})(?:\D{0,2}(\d{1,2}))?(?:\D{0,2}(\d{1,2}))?")


@dataclass
class Transcript:
    """A game as a file tells it. Its steps are legal from its position."""

    game: Game
    options: Mapping[str, str] = field(default_factory=dict)
    """Those that differ from the defaults."""
    position: str | None = None
    """The text of the first position, as the rules write it; None for the usual one."""
    steps: Sequence[int] = ()
    players: Sequence[str] = ()
    """Their names in the order of play, "" for unknown ones."""
    payoffs: tuple[float, ...] | None = None
    """The result that the file tells, by seats; None if it tells none."""
    ended_by: Kind = "resigned"
    """How it ended, if not by the rules."""
    date: str = ""
    """As the file writes it."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """What else is told, such as Event, Site, Round."""
    left_out: int = 0
    """Comments and variations that were not read."""
    cut: int = 0
    """The line in which its text breaks off, from 1; 0 if it is whole."""


class Format(Protocol):
    """One kind of file; usually an instance of a frozen dataclass, or a module."""

    @property
    def name(self) -> str:
        """As on the command line: small letters."""

    @property
    def title(self) -> str:
        """As players call it: "PDN", "WTHOR"."""

    @property
    def suffixes(self) -> Sequence[str]:
        """Of file names, with the dot; the first is for writing."""

    def fits(self, source: Source) -> int:
        """How well *source* fits, from NO to SURE, by its name and its first bytes alone."""

    def read(self, source: Source) -> Iterator[Transcript | Refused]:
        """Yield each game, or why it was refused; raises FormatError if there can be no game at all."""


class WritingFormat(Format, Protocol):
    """A format that can be written, too."""

    def write(self, matches: Iterable[Match]) -> Iterator[bytes]:
        """Yield the parts of a file with *matches*; raises FormatError for one that it can't express."""


class FormatOfSeveralFiles(WritingFormat, Protocol):
    """A format whose games need other files beside them, with names by number, say."""

    def files(self, matches: Iterable[Match]) -> Iterator[tuple[str, bytes]]:
        """Yield the suffix and the content of each file, the games first; raises FormatError as ``write`` does."""


class Formats(Protocol):
    """The part ``formats`` of a game."""

    @property
    def FORMATS(self) -> Sequence[Format]:  # noqa: N802 - a constant of a module
        """The formats of its files, the usual one first."""


class Replay:
    """A game that is being read: a state, and the steps that led to it."""

    def __init__(self, game: Game, options: Mapping[str, str] | None = None, position: str | None = None) -> None:
        """:raises PositionError: *position* is wrong."""
        self.game, self.rules = game, game.rules
        self.options = dict(options or {})
        self.position = position
        self.state = _start(game, _complete(game, self.options), position)
        self.steps: list[int] = []

    @property
    def is_over(self) -> bool:
        return bool(is_over(self.state))

    @property
    def mover(self) -> int:
        return int(mover(self.state))

    def legal(self) -> list[int]:
        return legal_steps(self.state, self.rules.MOST_STEPS)

    def play(self, *steps: int) -> None:
        """Play *steps*, which are legal."""
        for step in steps:
            self.state = play(self.state, step)
            self.steps.append(step)

    def transcript(self, **told: object) -> Transcript:
        """The game so far, with what else is *told* of it."""
        return Transcript(self.game, self.options, self.position, tuple(self.steps), **told)  # type: ignore[arg-type]


def _complete(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """*options* with the defaults; the first player named is the first to act."""
    return game.complete_options({"first": "1", **options})


def _start(game: Game, options: Mapping[str, str], position: str | None) -> State:
    return game.rules.start(options, Random(0)) if position is None else game.rules.parse(position, options)


def formats_of(game: Game) -> Sequence[Format]:
    """The formats of *game*; may raise PartError."""
    return part_of(game, game.parts.formats, Formats).FORMATS if game.parts.formats else ()


def read_date(text: str) -> datetime.date:
    """The date in *text*; the first day of a month or year alone, UNKNOWN_DATE for anything else.

    >>> str(read_date("1841.??.??")), str(read_date("1998-12-13")), str(read_date("?")) == str(UNKNOWN_DATE)
    ('1841-01-01', '1998-12-13', True)
    """
    return datetime.date(*[*_parts_of_date(text), 1, 1][:3]) if _parts_of_date(text) else UNKNOWN_DATE


def _parts_of_date(text: str) -> tuple[int, ...]:
    """The year, month and day in *text*, as far as they are told and make sense."""
    found = _DATE.search(text)
    told = [int(part) for part in found.groups() if part] if found else []
    while told:
        try:
            datetime.date(*[*told, 1, 1][:3])
        except ValueError:
            told.pop()
        else:
            break
    return tuple(told)


def written_date(match: Match) -> str:
    """The date of *match* as far as it is known: ``1998-12-13``, ``1841``, or "" for none."""
    return match.tags.get(DATED) or (match.date.isoformat() if match.date != UNKNOWN_DATE else "")


def match_of(told: Transcript) -> Match:
    """The match of a transcript.

    :raises FormatError: its position is against the rules.
    """
    game = told.game
    options = _complete(game, told.options)
    names = [" ".join(name[:_LONGEST_TAG].split()) or UNKNOWN_PLAYER for name in told.players]
    number = len(names) or game.seats[0]
    names += [UNKNOWN_PLAYER] * (number - len(names))
    try:
        start = _start(game, options, told.position)
        match = Match(game, names, options, 0, start, read_date(told.date))
        match.play_legal(told.steps)
        match.tags |= _kept(told.tags)
        if 0 < len(parts := _parts_of_date(told.date)) < _PARTS_OF_DATE:
            match.tags[DATED] = "-".join(f"{part:02}" for part in parts)
        if told.payoffs is not None and match.ending is None:
            _conclude(match, told)
    except (PositionError, IllegalStep) as error:  # the second from a conclusion
        raise FormatError(str(error)) from error
    return match


def _kept(tags: Mapping[str, str]) -> dict[str, str]:
    """The first of *tags* that a record can have besides its own."""
    kept = [(name, value[:_LONGEST_TAG]) for name, value in tags.items() if value and can_be_added(name)]
    return dict(kept[:_MOST_TAGS])


def _conclude(match: Match, told: Transcript) -> None:
    """End *match* as the file tells; a position without turns is a problem, whose result is its goal."""
    assert told.payoffs is not None
    if not match.steps:
        match.tags[GOAL] = ":".join(f"{won:g}" for won in told.payoffs)
        return
    if len(match.seats) != 2 or match.mover == CHANCE:
        return
    first, second = told.payoffs
    if first == second:
        match.conclude(Conclusion("agreed"))
    else:
        match.conclude(Conclusion(told.ended_by if told.ended_by != "agreed" else "resigned", int(first > second)))


def transcript_of(match: Match) -> Transcript:
    """The transcript of *match*."""
    return Transcript(
        match.game,
        {name: value for name, value in match.options.items() if name != "first"},
        match.position,
        tuple(match.steps),
        tuple(match.seats),
        match.ending.payoffs if match.ending else None,
        date=written_date(match),
        tags=match.tags,
    )


class Fitting(NamedTuple):
    """A format that may fit a file."""

    fit: int
    game: Game
    format: Format


def fitting(source: Source, games: Iterable[Game]) -> list[Fitting]:
    """The formats of *games* that may fit *source*, the best first."""
    found = [Fitting(form.fits(source), game, form) for game in games for form in formats_of(game)]
    return sorted((one for one in found if one.fit > NO), key=lambda one: -one.fit)


def read_games(source: Source, games: Sequence[Game]) -> Iterator[Match | Refused]:
    """Yield the match of each game in *source*, or why it was refused.

    :param games: those that it may be.
    :raises FormatError: no game can be read, and no format says why.
    """
    if _is_own(source):
        return read_collection(source.lines())
    return map(_matched, _read(source, games))


def read_transcripts(
    source: Source, games: Sequence[Game], form: Format | None = None
) -> Iterator[Transcript | Refused]:
    """As ``read_games``, without the matches, which take most of the time."""
    if _is_own(source):
        return (transcript_of(one) if isinstance(one, Match) else one for one in read_collection(source.lines()))
    return _read(source, games)


def _read(source: Source, games: Sequence[Game]) -> Iterator[Transcript | Refused]:
    if not source.head.strip():
        raise FormatError.saying("It is empty.")
    return _counted(source, _read_by_the_best(source, games))


def _counted(source: Source, found: Iterator[Transcript | Refused]) -> Iterator[Transcript | Refused]:
    """Yield what is *found*, count in *source* what is left out, and note there which games break off."""
    for number, game in enumerate(found, start=1):
        if isinstance(game, Transcript):
            source.left_out += game.left_out
            if game.cut and not source.is_stopped():
                reason = say("The text breaks off there, or a bracket is never closed; the turns before that are kept.")
                source.notes.add(reason, source.file_name, number, game.cut)
        yield game


def read_game(source: Source, games: Sequence[Game]) -> Match:
    """The match of the only game in *source*.

    :raises SeveralGames: there are more.
    :raises FormatError: there is none; the message says why.
    """
    found = list(itertools.islice(read_games(source, games), 2))
    if len(found) > 1:
        raise SeveralGames(source)
    if not found:
        raise FormatError.saying("There is no game in it.")
    if isinstance(found[0], Refused):
        raise FormatError(found[0].reason)
    return found[0]


class ForeignFile(FormatError):
    """A source is a file or a game of a kind that is known, and not read."""


class SeveralGames(FormatError):
    """A source has several games instead of one."""

    def __init__(self, source: Source) -> None:
        super().__init__(say("There are several games in it."))
        self.source = source


def _is_own(source: Source) -> bool:
    """Whether it is a record of ours, by the tags that only it has.

    :raises ForeignFile: it is packed, a document or a picture.
    """
    if said := foreign.container(source.head):
        raise ForeignFile(said)
    tags = (b"[Version", b"[Options", b"[Seat1")
    return re.search(rb"\[Game\s", source.head) is not None and any(tag in source.head for tag in tags)


def _read_by_the_best(source: Source, games: Sequence[Game]) -> Iterator[Transcript | Refused]:
    """The games as the best format reads them that can read one; if none can, why the best one can't."""
    refused: tuple[Fitting, Iterator[Transcript | Refused]] | None = None
    trouble: FormatError | None = None
    able: list[_Able] = []
    for one in fitting(source, games):
        if any(other.game is one.game or other.fit == SURE for other in able):
            continue
        if one.fit == PERHAPS and not able and (said := foreign.unknown_game(source.head)):
            raise ForeignFile(said)
        if refused is not None and refused[0].fit >= max(LIKELY, one.fit + 1):
            break
        try:
            found = one.format.read(source)
            tried = list(itertools.islice(found, _TRIED))
        except SourceError as error:
            trouble = trouble or error
            continue
        except FormatError as error:
            trouble = trouble or FormatError(_taken(one, str(error)))
            continue
        found = itertools.chain(tried, found)
        if any(isinstance(game, Transcript) for game in tried):
            able.append(_Able(one.game, one.fit, found, *_surprise(tried)))
            continue
        if refused is None and tried:
            refused = one, found
    if able:
        return _likeliest(source, able)
    if (refused is None or refused[0].fit < SURE) and (said := foreign.unknown_game(source.head)):
        raise ForeignFile(said)
    if refused is not None:
        return _explained(*refused)
    if trouble is not None:
        raise trouble
    if foreign.is_tags_alone(source.head):
        raise FormatError.saying("It has tags, but neither moves nor a position.")
    titles = [form.title for game in games for form in formats_of(game)]
    raise FormatError.saying(
        "It is no record of this program, and none of the other files that it reads: {formats}.",
        formats=joined(sorted(dict.fromkeys(titles)), ", "),
    )


class _Able(NamedTuple):
    """A format that can read a game of a text."""

    game: Game
    fit: int
    found: Iterator[Transcript | Refused]
    bits: float
    """For each sign of its moves: how improbable they are among the legal ones."""
    signs: int
    """Of the moves that were compared."""


def _surprise(tried: Iterable[Transcript | Refused]) -> tuple[float, int]:
    """The bits and the signs of ``_Able``; both are 0 for positions without moves."""
    bits, signs = 0.0, 0
    for told in tried:
        if not isinstance(told, Transcript):
            continue
        replay = Replay(told.game, told.options, told.position)
        for step in told.steps[:_COMPARED]:
            bits += math.log2(len(replay.legal()))
            signs += len(replay.rules.notation(replay.state, step))
            replay.play(step)
    return bits / max(1, signs), signs


def _likeliest(source: Source, able: Sequence[_Able]) -> Iterator[Transcript | Refused]:
    """What the likeliest reading found; another one that is nearly as likely is noted."""
    best = min(able, key=lambda one: one.bits)
    others = [one.game for one in able if 0 < (one.bits - best.bits) * best.signs < _SURE_BITS]
    if others:
        titles = joined([game.title for game in others], ", ")
        source.notes.add(
            say("It is read as {game}, but it is legal in another game, too: {others}.",
                game=best.game.title, others=titles), source.file_name
        )  # fmt: skip
    return best.found


def _explained(one: Fitting, found: Iterator[Transcript | Refused]) -> Iterator[Transcript | Refused]:
    for game in found:
        yield game._replace(reason=_taken(one, game.reason)) if isinstance(game, Refused) else game


def _taken(one: Fitting, reason: str) -> str:
    """Why a game was refused, with what it was taken for; some titles of formats name the game."""
    if one.game.title.lower() in one.format.title.lower():
        return say("Read as {format}: {reason}", format=one.format.title, reason=reason)
    return say("Read as {format} of {game}: {reason}", format=one.format.title, game=one.game.title, reason=reason)


def _matched(found: Transcript | Refused) -> Match | Refused:
    if isinstance(found, Refused):
        return found
    try:
        return match_of(found)
    except FormatError as error:
        return Refused(0, str(error))
