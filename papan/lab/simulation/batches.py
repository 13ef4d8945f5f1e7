"""Playing and counting one batch of a plan's games, in compiled code where possible."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from papan.ai.evaluation import evaluation_of
from papan.ai.players import Player
from papan.ai.players.compiled import SEARCHING, CompiledPlayer, Workspace, settings_of, weights_of, workspace
from papan.game.base.protocols import offers
from papan.game.kernel.arrays import get_state, new_record, state_rows
from papan.game.kernel.rng import MASK64, mix, random_state, skip_streams
from papan.game.match import Match
from papan.game.rules import CHANCE, Repeating, can_repeat, facts_to_deal, legal_steps, mover
from papan.lab.arena import make_players, play_match
from papan.lab.simulation.counts import SAMPLE, Counts
from papan.lab.simulation.games import ALL_PLAYED, CAME_THRICE, RECORD, begin_game, play_games
from papan.lab.simulation.plan import Plan, compiled_players, game_of

FIRST_HISTORY = 1 << 10
"""The initial capacity of a game's history, in positions."""
FIRST_PATH = 1 << 8
"""The initial capacity of a replayed game, in steps."""


class StoppedError(Exception):
    """A batch was stopped, without a result."""


class CompiledBatches:
    """Plays the batches of one plan, one at a time, in compiled code.

    Methods raise ``StoppedError`` once it is stopped, and ``ValueError`` for a game that is not in the plan.
    """

    def __init__(self, plan: Plan, players: list[CompiledPlayer]) -> None:
        game = game_of(plan)
        evaluation_of(game)
        options = dict(plan.options)
        self._plan = plan
        self._rules = game.rules
        self._start = game.rules.start(options, Random(plan.seed))
        self._facts = facts_to_deal(game.rules, options)
        self._settings, self._weights = settings_of(players), weights_of(players)
        self._record = new_record(RECORD)
        self._finals = state_rows(self._start, plan.batch_games)
        self._buffer = np.empty(game.rules.MOST_STEPS, np.int64)
        self._random = random_state(plan.seed)
        searches = any(player.kind == SEARCHING for player in players)
        self._search = workspace(game.rules, self._start) if searches else (None,) * len(Workspace._fields)
        room = FIRST_HISTORY if can_repeat(self._start) else 0
        self._history, self._keys = state_rows(self._start, room), np.zeros(room, np.int64)
        self._path = np.zeros(0, np.int64)
        self._is_stopped = False

    def prepare(self) -> None:
        """Compile the kernels, or load them from the cache."""
        play_games.prepare(*self._arguments(random_state(0)))

    def play(self, number: int) -> Counts:
        return self._play(self._plan.games_of(number))

    def count_one(self, number: int) -> Counts:
        """The counts of the game *number* alone."""
        _check_number(self._plan, number)
        return self._play(range(number, number + 1))

    def replay(self, number: int) -> Match:
        """The game *number* of the plan as a match, with the same steps as in its batch."""
        _check_number(self._plan, number)
        room = FIRST_PATH
        try:
            while True:
                self._path = np.zeros(room, np.int64)
                counts = self._play(range(number, number + 1))
                if counts.steps <= room:
                    return self._as_match(number, self._path[: counts.steps].tolist())
                room = counts.steps
        finally:
            self._path = np.zeros(0, np.int64)

    def stop(self) -> None:
        """Stop the current batch and all later ones, from any thread, after the current choice at the latest."""
        self._is_stopped = True
        self._record.end = 0
        if self._search[0] is not None:
            self._search[0].stop = 1

    def _play(self, games: range) -> Counts:
        record = self._record
        record.fill(0)
        record.game, record.end = games.start, games.stop
        streams = self._begin(record, games.start)
        ended_in_python = Counts.of_seats(len(self._plan.players))
        while not self._is_stopped and (stopped := int(play_games(*self._arguments(streams)))) != ALL_PLAYED:
            if stopped == CAME_THRICE:
                self._look_at_repetition(ended_in_python)
            else:
                self._history = np.concatenate([self._history, np.zeros_like(self._history)])
                self._keys = np.concatenate([self._keys, np.zeros_like(self._keys)])
        if self._is_stopped:
            raise StoppedError
        counts = self._counted(len(games) - ended_in_python.games)
        counts.add(ended_in_python)
        return counts

    def _begin(self, record: Any, number: int) -> Any:
        """Set up *record*; return the stream from which the games from *number* on get their random states."""
        record.players, record.first = len(self._plan.players), self._plan.first
        streams = random_state(self._plan.seed)
        skip_streams(streams, number)
        return streams

    def _as_match(self, number: int, steps: Sequence[int]) -> Match:
        plan, record, random = self._plan, new_record(RECORD), random_state(0)
        streams = self._begin(record, number)
        start = begin_game(self._start, self._facts, self._history, self._keys, streams, random, record)
        players = len(plan.players)
        seats = [plan.players[(seat + int(record.rotation)) % players] for seat in range(players)]
        match = Match(game_of(plan), seats, dict(plan.options), plan.seed, start)
        for step in steps:
            match.play(step)
        return match

    def _arguments(self, streams: Any) -> tuple[Any, ...]:
        return (
            self._start, self._facts, self._settings, self._weights, self._record, self._finals, self._history,
            self._keys, self._path, self._buffer, streams, self._random, *self._search,
        )  # fmt: skip

    def _look_at_repetition(self, counts: Counts) -> None:
        """Count the current game as ended, if the repetition ends it."""
        record = self._record
        assert offers(self._rules, Repeating)
        states = [get_state(self._start, self._history, index) for index in range(int(record.past))]
        ending = self._rules.repetition_ending(states)
        if ending is None:
            return
        seats = len(ending.payoffs)
        for seat, paid in enumerate(ending.payoffs):
            counts.count_result((seat + int(record.rotation)) % seats, seat, paid)
        counts.games += 1
        counts.undecided += max(ending.payoffs) <= 0
        counts.reasons[ending.reason] += 1
        record.game += 1
        record.is_under_way = 0

    def _counted(self, games: int) -> Counts:
        """The counts in the record, of *games* that ended in compiled code."""
        record = self._record
        seats = range(len(self._plan.players))
        reasons: Counter[str] = Counter()
        for index in range(int(record.endings)):
            ending = self._rules.ending(get_state(self._start, self._finals, index))
            reasons[ending.reason] += int(record.ended[index])
        return Counts(
            games=games,
            undecided=int(record.undecided),
            turns=int(record.turns),
            steps=int(record.steps),
            choices=int(record.choices),
            legal_steps=int(record.legal_steps),
            results=[[[int(number) for number in record.results[p, s]] for s in seats] for p in seats],
            payoffs=[[Fraction(float(record.payoffs[p, s])) for s in seats] for p in seats],
            squares=[[Fraction(float(record.squares[p, s])) for s in seats] for p in seats],
            reasons=reasons,
        )


class BatchesInPython:
    """The same by ``papan.lab.arena``, for players without compiled code."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._game = game_of(plan)
        self._players: list[Player] = []
        self._is_stopped = False

    def prepare(self) -> None:
        start = self._game.rules.start(dict(self._plan.options), Random(self._plan.seed))
        for player in make_players(self._game, self._plan.players):
            player.prepare(start)

    def play(self, number: int) -> Counts:
        counts = Counts.of_seats(len(self._plan.players))
        for game in self._plan.games_of(number):
            counts.add(self.count_one(game))
        return counts

    def count_one(self, number: int) -> Counts:
        _check_number(self._plan, number)
        return counted(*self._played(number), is_sampled=number % SAMPLE == 0)

    def replay(self, number: int) -> Match:
        _check_number(self._plan, number)
        match, order = self._played(number)
        match.seats = [self._plan.players[player] for player in order]
        return match

    def stop(self) -> None:
        self._is_stopped = True
        for player in self._players:
            player.stop()

    def _played(self, game: int) -> tuple[Match, list[int]]:
        """The match of number *game*, and the player in each seat."""
        plan = self._plan
        seed = int(mix((int(random_state(plan.seed)[0]) + game) & MASK64)) >> 1
        seats = [str(player) for player in range(len(plan.players))]
        match = Match.new(self._game, seats, dict(plan.options), seed)
        order = [int(player) for player in match.seats]
        players = make_players(self._game, plan.players)  # new for each game: memory would depend on earlier games
        self._players = players
        self._go_on()
        play_match(match, [players[player] for player in order], on_choice=lambda analysis: self._go_on())
        return match, order

    def _go_on(self) -> None:
        if self._is_stopped:
            raise StoppedError


Batches = CompiledBatches | BatchesInPython
_own = threading.local()


def batches_of(plan: Plan) -> Batches:
    """A player of the batches of *plan*, which shares nothing with others."""
    compiled = compiled_players(game_of(plan), plan.players)
    return BatchesInPython(plan) if compiled is None else CompiledBatches(plan, compiled)


def batch(plan: Plan, number: int) -> Counts:
    """The counts of the batch *number* of *plan*, the same wherever it is played."""
    if getattr(_own, "plan", None) != plan:
        _own.plan, _own.batches = plan, batches_of(plan)
    batches: Batches = _own.batches
    return batches.play(number)


def counted(match: Match, order: Sequence[int], *, is_sampled: bool) -> Counts:
    """The counts of the finished *match*.

    :param order: the number of the player in each seat.
    :param is_sampled: whether its legal steps are counted.
    """
    ending = match.ending
    assert ending is not None
    counts = Counts.of_seats(len(order))
    for seat, player in enumerate(order):
        counts.count_result(player, seat, ending.payoffs[seat])
    counts.games = 1
    counts.undecided = int(max(ending.payoffs) <= 0)
    counts.turns = sum(turn.seat != CHANCE for turn in match.turns())
    counts.steps = len(match.steps)
    if is_sampled:
        choices = [state for state in match.states[:-1] if mover(state) != CHANCE]
        counts.choices = len(choices)
        counts.legal_steps = sum(len(legal_steps(state, match.rules.MOST_STEPS)) for state in choices)
    counts.reasons[ending.reason] = 1
    return counts


def _check_number(plan: Plan, number: int) -> None:
    if not 0 <= number < plan.games:
        raise ValueError(f"There is no game {number} among those of the plan, 0 to {plan.games - 1}.")
