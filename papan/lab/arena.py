"""Matches between computer players without a window: for commands, benchmarks and tournaments."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import dataclass, field
from itertools import count, islice
from random import Random
from typing import Final, Literal, TypeVar

from papan.ai.engines import EngineError, NoMove, Resignation
from papan.ai.limits import Analysis
from papan.ai.players import HUMAN, Player, PlayerError, is_engine, make_player, situation, threads_of
from papan.game.base.sentences import Sentence, joined, say, say_number, unended
from papan.game.base.untrusted import quoted
from papan.game.game import Game
from papan.game.kernel.clock import PROCESSOR, WALL, ClockError, why_no_processor_clock
from papan.game.kernel.rng import random_state
from papan.game.match import Conclusion, Match, Turn
from papan.game.rules import CHANCE, Ending
from papan.lab.statistics import wilson

log = logging.getLogger(__name__)

T = TypeVar("T")
U = TypeVar("U")

OPENING_TURNS = 4
"""Random turns played before players are compared or a search is measured."""
_UNUSED_BITS = 11
"""Bits dropped of a 64-bit hash, so that programs that read numbers as floats get it exactly."""


NoMoveChoice = Literal["draw", "loss", "error"]
DRAW: Final = "draw"
LOSS: Final = "loss"
ERROR: Final = "error"
"""How to count a game if an engine gives no move despite having a legal one; ``ERROR`` ends the run."""


class Forfeit(Exception):
    """A player can't continue, which counts as a loss or a draw; the message is a sentence. The match stays valid."""

    def __init__(self, seat: int, reason: str, *, is_draw: bool = False) -> None:
        """:param reason: what the player did, as a sentence.
        :param is_draw: whether the match counts as a draw.
        """
        self.seat = seat
        self.reason: str = unended(reason)
        self.conclusion = Conclusion("agreed") if is_draw else Conclusion("forfeited", seat)
        said = say("{reason}: the game counts as a draw", reason=self.reason) if is_draw else None
        super().__init__(said or say("{reason}: it forfeits", reason=self.reason))

    @property
    def is_draw(self) -> bool:
        return self.conclusion.seat is None

    @property
    def ending(self) -> Ending:
        """The ending of a two-player match."""
        lost = (-1.0, 1.0) if self.seat == 0 else (1.0, -1.0)
        return Ending((0.0, 0.0) if self.is_draw else lost, str(self))


def make_players(game: Game, names: Sequence[str]) -> list[Player]:
    """A computer player for each of *names*, in order.

    :raises PlayerError: *game* has no player of a name, or the player is a person.
    """
    if HUMAN in names:
        raise PlayerError.saying(
            "A match in the terminal is for computer players: {player} can only play in the window.",
            player=quoted(HUMAN),
        )
    return [make_player(name, game) for name in names]


def play_match(
    match: Match,
    players: Sequence[Player],
    on_turn: Callable[[Turn], None] | None = None,
    on_choice: Callable[[Analysis], None] | None = None,
    no_move: NoMoveChoice = DRAW,
) -> Match:
    """Have *players*, in the order of play, play *match* to its end; return *match*.

    The match's seed decides random events. An engine that resigns loses.

    :param on_turn: called with each complete turn, including those of chance.
    :param on_choice: called with a player's analysis before its step is played.
    :param no_move: see ``NoMoveChoice``.
    :raises Forfeit: a player could not continue; *match* is left at that point.
    :raises NoMove: an engine gives no move, and *no_move* is ``ERROR``.
    """
    while not match.ending:
        seat = match.mover
        if seat == CHANCE:
            match.play(match.chance_step())
        else:
            try:
                analysis = players[seat].choose(situation(match))
            except Resignation:
                match.conclude(Conclusion("resigned", seat))
                break
            except EngineError as error:
                if isinstance(error, NoMove) and no_move != LOSS:
                    if no_move == ERROR:
                        raise
                    raise Forfeit(seat, str(error), is_draw=True) from error.with_traceback(None)
                raise Forfeit(seat, str(error)) from error.with_traceback(None)  # a traceback keeps the players alive
            if on_choice:
                on_choice(analysis)
            match.play(analysis.step)
        if on_turn and (match.ending or match.mover != seat):
            on_turn(match.turns()[-1])
    return match


def opening(match: Match, turns: int = OPENING_TURNS) -> Match:
    """*match* after *turns* random turns drawn by its seed, and any random events before the next turn."""
    random = Random(match.seed)
    played = 0
    while not match.ending and (played < turns or match.mover == CHANCE):
        seat = match.mover
        match.play(match.chance_step() if seat == CHANCE else random.choice(match.legal_steps()))
        played += seat != CHANCE and not match.ending and match.mover != seat
    return match


# ------------------------------------------------------------------------------------------ many matches


@dataclass
class Tally:
    """The results of the matches between two players, from the first one's point of view."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    turns: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """Thinking time of each, by the process's clock; of engines, by wall-clock time."""
    choices: list[int] = field(default_factory=lambda: [0, 0])
    """Steps chosen by each."""
    forfeits: list[int] = field(default_factory=lambda: [0, 0])
    """Losses of each by forfeit."""
    no_moves: list[int] = field(default_factory=lambda: [0, 0])
    """Draws counted because this player gave no move."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of points, a draw counting ½; 0.5 without any match."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval for the score, a draw counting as half a win and half a loss."""
        return wilson(self.score, self.games)

    @classmethod
    def sum(cls, tallies: Iterable[Tally]) -> Tally:
        total = cls()
        for tally in tallies:
            total.add(tally)
        return total

    def add(self, other: Tally) -> None:
        self.wins += other.wins
        self.draws += other.draws
        self.losses += other.losses
        self.turns += other.turns
        for name in ("seconds", "choices", "forfeits", "no_moves"):
            sums = [mine + theirs for mine, theirs in zip(getattr(self, name), getattr(other, name), strict=True)]
            setattr(self, name, sums)


def hashed_seeds(seed: int) -> Iterator[int]:
    """Match seeds from *seed*; other seeds share them only by coincidence."""
    return (int(random_state(seed, number)[0]) >> _UNUSED_BITS for number in count())


OpeningSeeds = Literal["hashed", "added"]
HASHED: Final = "hashed"
ADDED: Final = "added"
OPENING_SEEDS: Mapping[OpeningSeeds, Callable[[int], Iterator[int]]] = {HASHED: hashed_seeds, ADDED: count}
"""How opening seeds follow from one seed, by the name in plans. ``ADDED``, the older way, shares openings between
neighbouring seeds; it serves older journals and experiments that draw a seed for each opening."""


def openings(
    game: Game,
    number: int,
    options: Mapping[str, str],
    seed: int,
    turns: int,
    seats: int = 2,
    opening_seeds: OpeningSeeds = HASHED,
) -> list[Match]:
    """Up to *number* different matches, each at the end of a random opening and not over.

    :param opening_seeds: one of ``OPENING_SEEDS``.
    """
    found: list[Match] = []
    known: set[object] = set()
    for own in islice(OPENING_SEEDS[opening_seeds](seed), 100 * number):
        if len(found) == number:
            break
        match = opening(Match.new(game, [""] * seats, {**options, "first": "1"}, own), turns)
        if not match.ending and match.state not in known:
            known.add(match.state)
            found.append(match)
    return found


def too_few_openings(found: int, turns: int) -> Sentence:
    """The sentence that only *found* openings of *turns* turns exist."""
    return say_number(
        "Only {count} opening of {turns} turns was found: ask for no more.",
        "Only {count} openings of {turns} turns were found: ask for no more.",
        found,
        turns=turns,
    )


def compare(
    game: Game,
    names: Sequence[str],
    starts: Sequence[Match],
    threads: int = 1,
    on_pair: Callable[[Tally], None] = lambda tally: None,
    no_move: NoMoveChoice = DRAW,
) -> Tally:
    """The tally of two players who play each of *starts* twice, with sides exchanged.

    :param threads: matches at the same time; thinking times are only fair if each thread has a processor, or the clock
        counts processor time.
    :param on_pair: called with the tally after each opening's two matches.
    :param no_move: see ``NoMoveChoice``.
    """
    make_players(game, names)  # refuses unknown players before anything is played
    own = threading.local()  # a search serves one match at a time

    def pair(start: Match) -> Tally:
        if not hasattr(own, "players"):
            own.players = make_players(game, names)
            for player in own.players:  # keeps compiling and loading out of the thinking times
                player.prepare(start.state)
                player.prepare_rest(start.state)
        return play_pair(start, names, own.players, no_move)

    total = Tally()
    with closing(computed(pair, starts, threads)) as finished:
        for tally in finished:
            total.add(tally)
            on_pair(total)
    return total


def computed(compute: Callable[[T], U], items: Iterable[T], threads: int) -> Generator[U, None, None]:
    """The results of *compute* for *items*, computed by *threads* threads, in the order of completion.

    If it is closed early, or an item fails, items that are not begun are dropped.
    """
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done in as_completed([pool.submit(compute, item) for item in items]):
                yield done.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def play_pair(start: Match, names: Sequence[str], players: Sequence[Player], no_move: NoMoveChoice = DRAW) -> Tally:
    """The tally of two matches from *start*, with the sides of the two *players* exchanged."""
    return Tally.sum(_one_match(start, names, players, seats, no_move) for seats in ((0, 1), (1, 0)))


def replayed(start: Match, seats: Sequence[str]) -> Match:
    match = Match.new(start.game, seats, start.options, start.seed)
    for step in start.steps:
        match.play(step)
    return match


def _one_match(
    start: Match, names: Sequence[str], players: Sequence[Player], seats: Sequence[int], no_move: NoMoveChoice
) -> Tally:
    """The tally of one match from *start*; ``seats[seat]`` is the player in that seat."""
    match = replayed(start, [names[player] for player in seats])
    tally = Tally()
    ending: Ending | None

    def note(analysis: Analysis) -> None:
        tally.seconds[seats[analysis.seat]] += analysis.seconds
        tally.choices[seats[analysis.seat]] += 1

    try:
        play_match(match, [players[player] for player in seats], on_choice=note, no_move=no_move)
        ending = match.ending
    except Forfeit as forfeit:
        log.warning("%s", str(forfeit))  # as text: a kept log record must not keep the player alive
        ending = forfeit.ending
        (tally.no_moves if forfeit.is_draw else tally.forfeits)[seats[forfeit.seat]] += 1
    assert ending is not None
    winner = None if ending.winner is None else seats[ending.winner]
    tally.wins, tally.draws, tally.losses = int(winner == 0), int(winner is None), int(winner == 1)
    tally.turns = len(match.turns()) - len(start.turns())
    return tally


CLOCK_NAMES = {WALL: say("wall-clock time"), PROCESSOR: say("processor time")}
"""The name of each clock's time in sentences."""


def clock_for(asked: str | None, game: Game, players: Sequence[str]) -> str:
    """The name of the clock for *players* of *game*: *asked* or, by default, processor time if all can be timed by it.

    :raises ClockError: processor time is asked for, but can't be counted.
    """
    if asked == WALL:
        return WALL
    why_not = _why_not(game, players)
    if asked is not None and why_not:
        raise ClockError(joined([why_not, say("Use --clock wall.")]))
    return WALL if why_not or (asked is None and any(map(is_engine, players))) else PROCESSOR


def _why_not(game: Game, players: Sequence[str]) -> Sentence | None:
    """Why the processor time of *players* can't be counted; None if it can."""
    crowd = next((name for name in players if threads_of(name, game) > 1), None)
    if crowd is not None:
        return say("{player} uses several threads, but processor time is counted for one only.", player=quoted(crowd))
    return why_no_processor_clock()


def told_clock(clock: str, players: Sequence[str]) -> Sentence:
    """A sentence on what seconds mean for *players* timed by *clock*."""
    if clock == WALL:
        return say("Seconds are wall-clock time, so other work on the machine counts too.")
    told = say("Seconds are processor time of the thinking thread, so other work on the machine hardly matters.")
    engines = dict.fromkeys(filter(is_engine, players))
    if not engines:
        return told
    others = say(
        "Engines limit themselves, and their seconds are wall-clock time: {players}.",
        players=", ".join(engines),
    )
    return joined([told, others])
