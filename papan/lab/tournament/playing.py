"""The games of an encounter. A player that fails, plays what is illegal or takes too long forfeits its game; the plan
says what a game is whose player says that it has no move.

A player can't be ended from outside: one that is over its time is told to stop, and one that doesn't obey holds up
the tournament until it answers. Time is that of the clock that the process goes by, but for other programs, which think
elsewhere: theirs is the wall's.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from papan.ai.engines import EngineError, NoMove, Resignation
from papan.ai.limits import Analysis, ringing
from papan.ai.players import Player, Situation, is_engine
from papan.game.base.foreign import shortened
from papan.game.base.sentences import Sentence, figures, say
from papan.game.base.typed import Amount, Figure, Whole
from papan.game.kernel.clock import own_clock
from papan.game.match import Match
from papan.game.match.record import write
from papan.game.rules import State, legal_steps
from papan.lab.arena import Forfeit, make_players, play_match
from papan.lab.tournament.plan import REPEATED_SEED, Encounter, Plan, rotations

EVENT, TERMINATION = "Event", "Termination"
"""The tags of a record that say in which tournament it was played, and who forfeited it: their names are PGN's."""


Group = Annotated[tuple[Whole, ...], Meta(min_length=1)]


class GameResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What came of one game."""

    players: Group
    """The numbers of its players, in the order of play."""
    payoffs: tuple[Figure, ...]
    """What each seat has won; a forfeit is a loss, and nothing for the others to share."""
    reason: str
    turns: Whole
    seconds: tuple[Amount, ...]
    """How long each seat has thought, by the clock of the plan."""
    choices: tuple[Whole, ...]
    """How many steps each seat has chosen."""
    record: str
    forfeit: Whole | None = None
    """The seat that forfeited."""
    no_move: Whole | None = None
    """The seat whose program gave no move, which was taken for a draw."""


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What came of an encounter."""

    group: Group
    round: Whole
    games: tuple[GameResult, ...]
    seconds: Amount
    """From the first game's beginning to the last one's end, without what was compiled, by the clock of the plan; by
    the wall's, where other programs have played."""

    @property
    def encounter(self) -> Encounter:
        return Encounter(self.group, self.round)

    def as_data(self) -> dict[str, Any]:
        """The encounter as JSON has it."""
        return {**msgspec.structs.asdict(self), "games": [msgspec.structs.asdict(game) for game in self.games]}


class _Watched:
    """A player whose time is taken, and whose faults are forfeits."""

    def __init__(
        self, player: Player, most_steps: int, time_limit: float | None, margin: float, *, is_elsewhere: bool
    ) -> None:
        """:param is_elsewhere: whether another program thinks for it, whose time no thread's clock tells."""
        self._player = player
        self._most_steps = most_steps
        self._time_limit, self._margin = time_limit, margin
        self._fault: Exception | None = None
        self._is_elsewhere = is_elsewhere
        self.seconds, self.choices = 0.0, 0

    def prepare(self, state: State) -> None:
        """Where that fails, its first choice does."""
        try:
            self._player.prepare(state)
            self._player.prepare_rest(state)
        except Exception as error:
            self._fault = error

    def prepare_rest(self, state: State) -> None:
        """Nothing: ``prepare`` has done it."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        """:raises Forfeit: it failed, chose an illegal step, or took too long.
        :raises EngineError: a program gives no move, or resigns.
        """
        seat = situation.seat
        allowed = None if self._time_limit is None else self._time_limit + self._margin
        clock = time.perf_counter_ns if self._is_elsewhere else own_clock()
        started, waited_since = clock(), time.perf_counter()
        try:
            if self._fault is not None:
                raise self._fault
            with ringing(allowed, self._player.stop, clock) as is_late:
                analysis = self._player.choose(situation, lambda: is_cancelled() or is_late())
        except (NoMove, Resignation):
            raise
        except EngineError as error:
            raise Forfeit(seat, str(error)) from error
        except Exception as error:
            said = shortened(f"{type(error).__name__}: {error}")
            raise Forfeit(seat, say("Seat {seat} failed ({error})", seat=seat + 1, error=said)) from error
        finally:
            took = (clock() - started) / 1e9
            self.seconds += took
            self.choices += 1
        if allowed is not None and (took > allowed or is_late()):
            raise Forfeit(seat, self._lateness(seat, took, time.perf_counter() - waited_since))
        if analysis.step not in legal_steps(situation.state, self._most_steps):
            raise Forfeit(
                seat, say("Seat {seat} chose the illegal step {step}", seat=seat + 1, step=int(analysis.step))
            )
        return analysis

    def _lateness(self, seat: int, took: float, waited: float) -> Sentence:
        """How late *seat* was, which *took* so many seconds, and for which the wall's clock *waited* so many."""
        number, seconds, allowed = seat + 1, f"{took:.3f}", f"{self._time_limit:g}"
        if self._time_limit is not None and took > self._time_limit + self._margin:
            return say(
                "Seat {seat} took {seconds} s for a step; {allowed} s are allowed",
                seat=number,
                seconds=seconds,
                allowed=allowed,
            )
        return say(
            "Seat {seat} took {waited} s of wall-clock time ({seconds} s of processor time) for a step; {allowed} s "
            "are allowed",
            seat=number,
            waited=figures(waited, ".0f"),
            seconds=seconds,
            allowed=allowed,
        )

    def stop(self) -> None:
        self._player.stop()

    def live(self) -> Analysis | None:
        return self._player.live()


def play_encounter(plan: Plan, encounter: Encounter, starts: Sequence[Match]) -> Played:
    """The games of *encounter*, played one after the other by players that remember nothing of earlier ones.

    :param starts: the openings of the plan.
    """
    start = starts[encounter.round % len(starts)]
    luck = encounter.round // len(starts) * REPEATED_SEED
    games: list[GameResult] = []
    seconds = 0.0
    for order in rotations(encounter.group):
        # New ones for each game: what a player remembers would depend on what its thread has played before.
        names = [plan.players[number] for number in order]
        watched = [
            _Watched(player, start.rules.MOST_STEPS, plan.time_limit, plan.margin, is_elsewhere=is_engine(name))
            for name, player in zip(names, make_players(start.game, names), strict=True)
        ]
        for player in watched:
            player.prepare(start.state)
        clock = time.perf_counter_ns if any(map(is_engine, names)) else own_clock()
        started = clock()
        games.append(_play(plan, start, start.seed + luck, order, watched))
        seconds += (clock() - started) / 1e9
    return Played(*encounter, tuple(games), seconds)


def _play(plan: Plan, start: Match, seed: int, order: tuple[int, ...], watched: Sequence[_Watched]) -> GameResult:
    match = Match(start.game, [plan.players[number] for number in order], start.options, seed, start.states[0])
    match.tags[EVENT] = plan.name
    for step in start.steps:
        match.play(step)
    forfeit: int | None = None
    no_move: int | None = None
    reason: str
    try:
        play_match(match, watched, no_move=plan.no_move)
    except Forfeit as error:
        reason = error.reason
        forfeit, no_move = (None, error.seat) if error.is_draw else (error.seat, None)
        match.conclude(error.conclusion)
        match.tags[TERMINATION] = f"{'adjudication' if error.is_draw else 'forfeit'}: {reason}"
        payoffs = tuple(-1.0 if seat == forfeit else 0.0 for seat in range(plan.seats))
    else:
        assert match.ending is not None
        payoffs, reason = match.ending.payoffs, match.ending.reason
    return GameResult(
        order,
        payoffs,
        reason,
        len(match.turns()) - len(start.turns()),
        tuple(player.seconds for player in watched),
        tuple(player.choices for player in watched),
        write(match),
        forfeit,
        no_move,
    )
