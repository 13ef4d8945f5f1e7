"""Playing the games of an encounter.

A player that fails, plays an illegal step or takes too long forfeits its game; the plan says how to count a game if an
engine gives no move. The tournament stops a player at its time limit; a player that does not react delays it. Time is
measured by the process's clock; for engines, which run elsewhere, by the wall clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from papan.ai.engines import EngineError, NoMove, Resignation
from papan.ai.limits import Analysis, watchdog
from papan.ai.players import Player, Situation, is_engine
from papan.game.base.sentences import Sentence, figures, say
from papan.game.base.typed import Amount, Figure, Whole
from papan.game.base.untrusted import shortened
from papan.game.kernel.clock import own_clock
from papan.game.match import Match
from papan.game.match.record import write
from papan.game.rules import State, legal_steps
from papan.lab.arena import Forfeit, make_players, play_match
from papan.lab.tournament.plan import REPEATED_SEED, Encounter, Plan, rotations

EVENT, TERMINATION = "Event", "Termination"
"""Record tags, named as in PGN: the tournament, and the reason of a forfeit."""


Group = Annotated[tuple[Whole, ...], Meta(min_length=1)]


class GameResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    players: Group
    """The numbers of its players, in the order of play."""
    payoffs: tuple[Figure, ...]
    """The payoff of each seat; after a forfeit, -1 for the loser and 0 for the others."""
    reason: str
    turns: Whole
    seconds: tuple[Amount, ...]
    """The thinking time of each seat, by the plan's clock."""
    choices: tuple[Whole, ...]
    """The number of steps chosen by each seat."""
    record: str
    forfeit: Whole | None = None
    """The seat that forfeited."""
    no_move: Whole | None = None
    """The seat whose engine gave no move, which counted as a draw."""


class Played(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    group: Group
    round: Whole
    games: tuple[GameResult, ...]
    seconds: Amount
    """The time of all games, without compiling, by the plan's clock; with engines, by the wall clock."""

    @property
    def encounter(self) -> Encounter:
        return Encounter(self.group, self.round)


class _Watched:
    """A player whose time is measured, and whose failures are forfeits."""

    def __init__(
        self, player: Player, most_steps: int, time_limit: float | None, margin: float, *, is_elsewhere: bool
    ) -> None:
        """:param is_elsewhere: whether it is an engine, whose time the wall clock measures."""
        self._player = player
        self._most_steps = most_steps
        self._time_limit, self._margin = time_limit, margin
        self._fault: Exception | None = None
        self._is_elsewhere = is_elsewhere
        self.seconds, self.choices = 0.0, 0

    def prepare(self, state: State) -> None:
        """Prepare the player; an error is raised by its first choice."""
        try:
            self._player.prepare(state)
            self._player.prepare_rest(state)
        except Exception as error:
            self._fault = error

    def prepare_rest(self, state: State) -> None:
        """Does nothing: ``prepare`` has done it."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = lambda: False) -> Analysis:
        """:raises Forfeit: it failed, chose an illegal step, or took too long.
        :raises EngineError: an engine gives no move, or resigns.
        """
        seat = situation.seat
        allowed = None if self._time_limit is None else self._time_limit + self._margin
        clock = time.perf_counter_ns if self._is_elsewhere else own_clock()
        started, waited_since = clock(), time.perf_counter()
        try:
            if self._fault is not None:
                raise self._fault
            with watchdog(allowed, self._player.stop, clock) as is_late:
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
        """The reason of a forfeit: *seat* took *took* seconds, or *waited* seconds by the wall clock."""
        number, seconds, allowed = seat + 1, figures(took, ".3f"), figures(self._time_limit or 0.0, "g")
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
    """Play the games of *encounter*, one after the other, with new players for each.

    :param starts: the plan's openings.
    """
    start = starts[encounter.round % len(starts)]
    luck = encounter.round // len(starts) * REPEATED_SEED
    games: list[GameResult] = []
    seconds = 0.0
    for order in rotations(encounter.group):
        # New for each game: a player's memory would depend on its thread's earlier games.
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
