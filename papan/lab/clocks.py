"""Which clock a match goes by: what is asked for, what the system has, and who plays."""

from __future__ import annotations

from collections.abc import Sequence

from papan.ai.players import is_engine, threads_of
from papan.game.base.foreign import quoted
from papan.game.base.sentences import Sentence, joined, say
from papan.game.facts import Game
from papan.game.kernel.clock import PROCESSOR, WALL, ClockError, why_no_processor_clock

CLOCK_NAMES = {WALL: say("wall-clock time"), PROCESSOR: say("processor time")}
"""What the time of each clock is called."""


def clock_for(asked: str | None, game: Game, players: Sequence[str]) -> str:
    """The name of the clock that *players* of *game* go by: the one that is *asked* for.

    For None it is the processor's where that is known, and means the same for all *players*, otherwise the wall's.

    :raises ClockError: processor time is asked for, and can't be counted.
    """
    if asked == WALL:
        return WALL
    why_not = _why_not(game, players)
    if asked is not None and why_not:
        raise ClockError(joined([why_not, say("Ask for --clock wall.")]))
    return WALL if why_not or (asked is None and any(map(is_engine, players))) else PROCESSOR


def _why_not(game: Game, players: Sequence[str]) -> Sentence | None:
    """Why the processor time of *players* can't be counted; None where it can."""
    crowd = next((name for name in players if threads_of(name, game) > 1), None)
    if crowd is not None:
        return say(
            "{player} thinks with several threads, and processor time is counted for one only.", player=quoted(crowd)
        )
    return why_no_processor_clock()


def told_clock(clock: str, players: Sequence[str]) -> Sentence:
    """What the seconds of *players* that go by *clock* are."""
    if clock == WALL:
        return say("Seconds are wall-clock time: what else the machine does counts too.")
    told = say("Seconds are processor time of the thread that thinks: what else the machine does hardly matters.")
    engines = dict.fromkeys(filter(is_engine, players))
    if not engines:
        return told
    others = say(
        "Other programs limit themselves, and their seconds are wall-clock time: {players}.",
        players=", ".join(engines),
    )
    return joined([told, others])
