"""A vectorised environment: many games at once for a learner that plays all seats, stepped by one compiled call."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papan.ai.observation import action_of, earned, observation_of, shape_of, step_of, write_mask, write_planes
from papan.game.base.protocols import offers
from papan.game.game import Game, PartError
from papan.game.kernel import compiled, inlined, subroutine
from papan.game.kernel.arrays import get_state, put_state, state_rows
from papan.game.kernel.rng import RandomState, next_stream, random_state
from papan.game.playout import random_step
from papan.game.rules import (
    CHANCE,
    NO_COUNTER,
    Repeating,
    State,
    can_repeat,
    deal,
    facts_to_deal,
    is_over,
    key,
    mover,
    observe,
    payoff,
    play,
    steps_to_draw,
)
from papan.lab.environments.one_game import new_match, number_between, seed_of, shown, whole_numbers

MOST_GAMES = 2**24
MOST_THREADS = 256


class Step(NamedTuple):
    """The result of a step, with one entry for each game."""

    observations: NDArray[np.uint8]
    """Observations of the seats to act: games × planes × rows × columns."""
    rewards: NDArray[np.float32]
    """Rewards of all seats: games × seats. The rewards of a game add up to the payoffs."""
    dones: NDArray[np.bool_]
    """Whether the game ended by this step; observation and mask are then those of the next game."""
    masks: NDArray[np.int8]
    """1 for each legal action of the seat to act, else 0: games × actions."""


class VectorEnvironment:
    """*number* parallel games of one kind; a game that is over restarts by itself.

    Each game has its own random state: the same seed and actions give the same run with any number of threads. Steps
    run without Python's global lock. All games start on construction.
    """

    def __init__(
        self,
        game: Game | str,
        number: int = 1024,
        options: Mapping[str, Any] | None = None,
        seed: int | None = 0,
        threads: int = 1,
    ) -> None:
        """Games of *game*, or the game of that name, under *options*.

        :param seed: None for a different one each time.
        :param threads: threads that share each step; useful if a step takes longer than waking them.
        :raises OptionError: there is no such game, or it can't have these options.
        :raises PartError: the game has no observations, or its positions can repeat without end.
        :raises TypeError: an argument has the wrong type.
        :raises ValueError: the number of games or threads, or the seed, is out of range.
        """
        number = number_between(number, "The number of games", 1, MOST_GAMES)
        threads = number_between(threads, "The number of threads", 1, MOST_THREADS)
        seed = seed_of(seed)
        match = new_match(game, options, 0 if seed is None else seed)
        observation = observation_of(match.game)
        self.game = match.game
        self.number = number
        self.seats = len(match.seats)
        self.options: Mapping[str, str] = match.options
        """All options, including defaults."""
        self.actions = observation.actions(match.state)
        """The number of actions."""
        self.shape = shape_of(observation, match.state)
        """Planes, rows and columns of an observation."""
        self._start = match.state
        self._facts = facts_to_deal(self.game.rules, match.options)
        capacity = _most_remembered(self.game, self._start)
        self._rows = state_rows(self._start, number)
        self._history = state_rows(self._start, number * capacity).reshape(number, capacity)
        self._keys, self._lengths = np.zeros((number, capacity), np.int64), np.zeros(number, np.int64)
        self._paid = np.zeros((number, self.seats))
        self._movers = np.zeros(number, np.int64)
        self._masks = np.zeros((number, self.actions), np.int8)
        self._buffers = [np.empty(self.game.rules.MOST_STEPS, np.int64) for _ in range(threads)]
        self._threads = _threads(threads)
        self.reset(secrets.randbits(64) if seed is None else seed)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs, also one in another process: all but the threads."""
        return {name: value for name, value in vars(self).items() if name != "_threads"}

    def __setstate__(self, facts: dict[str, Any]) -> None:
        vars(self).update(facts)
        self._threads = _threads(len(self._buffers))

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Restart all games; return observations and masks as in a ``Step``.

        :param seed: restarts the random states too; None continues them.
        :raises TypeError: it is not a whole number; nothing has changed.
        :raises ValueError: it is below 0 or above 2**64 - 1; nothing has changed.
        """
        seed = seed_of(seed)
        if seed is not None:
            self._randoms = np.zeros((self.number, 1), np.uint64)
            streams = random_state(seed)
            for own in self._randoms:
                next_stream(streams, own)
            self._choices = random_state(seed, self.number)
        observations = np.empty((self.number, *self.shape), np.uint8)
        self._begin(np.arange(self.number), observations)
        return observations, self._masks.copy()

    def step(self, actions: ArrayLike) -> Step:
        """Take one of *actions* in each game, for its seat to act.

        :raises ValueError: one is illegal, or there is not one for each game; nothing has changed.
        :raises TypeError: they are not whole numbers.
        """
        given = whole_numbers(actions, "Action", self.number)
        beyond = np.flatnonzero((given < 0) | (given >= self.actions))  # before a cast to 64 bits could change them
        if beyond.size:
            action, game = shown(int(given[beyond[0]])), beyond[0]
            raise ValueError(f"The action {action} is not legal in game {game}: they are 0 to {self.actions - 1}.")
        chosen = given.astype(np.int64, order="C", copy=False)
        illegal = illegal_game(chosen, self._masks)
        if illegal != ALL_LEGAL:
            raise ValueError(f"The action {chosen[illegal]} is not legal in game {illegal}: its mask says which are.")
        observations = np.empty((self.number, *self.shape), np.uint8)
        rewards = np.empty((self.number, self.seats), np.float32)
        ends = np.empty(self.number, np.int8)
        step_slice = partial(self._step_slice, chosen, observations, rewards, ends)
        if self._threads is None:
            step_slice(0)
        else:
            list(self._threads.map(step_slice, range(len(self._buffers))))
        if self._keys.size:
            self._look_at_repetitions(observations, rewards, ends)
        return Step(observations, rewards, ends != GOES_ON, self._masks.copy())

    def random_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for each game."""
        actions = np.empty(self.number, np.int64)
        draw_actions(self._start, self._rows, self._choices, self._buffers[0], actions)
        return actions

    @property
    def movers(self) -> NDArray[np.int64]:
        """The seat to act in each game."""
        return self._movers.copy()

    def state(self, index: int) -> State:
        """The state of a game, including what is hidden from its seats.

        :raises TypeError: *index* is not a whole number.
        :raises ValueError: there is no such game.
        """
        return get_state(self._start, self._rows, number_between(index, "The number of a game", 0, self.number - 1))

    def _step_slice(self, chosen: Any, observations: Any, rewards: Any, ends: Any, part: int) -> None:
        first, end = (self.number * share // len(self._buffers) for share in (part, part + 1))
        step_games(
            self._start, self._facts, first, end, chosen, self._rows, self._randoms, self._history, self._keys,
            self._lengths, self._paid, self._movers, observations, self._masks, rewards, ends, self._buffers[part],
        )  # fmt: skip

    def _begin(self, games: NDArray[np.int64], observations: Any) -> None:
        begin_games(
            self._start, self._facts, games, self._rows, self._randoms, self._history, self._keys, self._lengths,
            self._paid, self._movers, observations, self._masks, self._buffers[0],
        )  # fmt: skip

    def _look_at_repetitions(self, observations: Any, rewards: Any, ends: Any) -> None:
        """End the games that the rules end after a threefold repetition."""
        over = []
        for index in np.flatnonzero(ends == CAME_THRICE):
            past = [get_state(self._start, self._history[index], at) for at in range(int(self._lengths[index]))]
            rules = self.game.rules
            ending = rules.repetition_ending(past) if offers(rules, Repeating) else None
            ends[index] = GOES_ON
            if ending is not None:
                ends[index] = HAS_ENDED
                rewards[index] += ending.payoffs - self._paid[index]
                over.append(index)
        if over:
            self._begin(np.array(over), observations)


def _threads(number: int) -> ThreadPoolExecutor | None:
    return ThreadPoolExecutor(number) if number > 1 else None


def _most_remembered(game: Game, start: State) -> int:
    """The most positions of one game that must be stored to detect repetitions."""
    if not can_repeat(start):
        return 0
    if steps_to_draw(start) == NO_COUNTER:
        raise PartError(f"{game.title} can't be vectorised: no draw counter ends games whose positions repeat.")
    return steps_to_draw(start) + 1


GOES_ON, HAS_ENDED, CAME_THRICE = range(3)
"""The status of a game after a step; only Python can tell whether ``CAME_THRICE`` ends it."""

ALL_LEGAL = -1
"""The result of ``illegal_game`` if every action is legal."""


@inlined
def settled(state: State, buffer: Any, random: RandomState) -> State:
    """*state* after all random events before a seat is to act."""
    while not is_over(state) and mover(state) == CHANCE:
        state = play(state, random_step(state, buffer, random))
    return state


@subroutine
def came_thrice(state: State, past: Any, keys: Any, lengths: Any, index: int) -> bool:
    """Store *state*, and return whether it occurs for the third time in its game.

    Positions from before the draw counter was last reset can't occur again and are dropped.
    """
    length = lengths[index]
    if length > 0 and steps_to_draw(state) >= steps_to_draw(get_state(state, past, int(length) - 1)):
        length = 0
    position, times = key(state), 1
    for earlier in range(length):
        times += 1 if keys[earlier] == position else 0
    put_state(state, past, int(length))
    keys[length] = position
    lengths[index] = length + 1
    return times >= 3


@inlined
def show(state: State, seat: int, planes: Any, mask: Any, buffer: Any) -> None:
    """Write the observation and mask of *seat*, which is to act in *state*."""
    planes[:] = 0
    write_planes(observe(state, seat), seat, planes)
    write_mask(state, mask, buffer)


@compiled
def begin_games(
    start: State, facts: Any, which: Any, rows: Any, randoms: Any, history: Any, keys: Any, lengths: Any,
    paid: Any, seats: Any, planes: Any, masks: Any, buffer: Any,
) -> None:  # fmt: skip
    """Restart the games *which*; for the parameters see ``step_games``."""
    for place in range(len(which)):
        index = int(which[place])
        state = settled(deal(start, facts, randoms[index]), buffer, randoms[index])
        lengths[index] = 0
        if can_repeat(start):
            came_thrice(state, history[index], keys[index], lengths, index)
        paid[index] = 0.0
        put_state(state, rows, index)
        seats[index] = mover(state)
        show(state, mover(state), planes[index], masks[index], buffer)


@compiled
def illegal_game(actions: Any, masks: Any) -> int:
    """The index of a game whose action its mask forbids, or ``ALL_LEGAL``."""
    for index in range(len(actions)):
        action = actions[index]
        if action < 0 or action >= masks.shape[1] or masks[index, action] == 0:
            return index
    return ALL_LEGAL


@compiled
def step_games(
    start: State, facts: Any, first: int, end: int, actions: Any, rows: Any, randoms: Any, history: Any, keys: Any,
    lengths: Any, paid: Any, seats: Any, planes: Any, masks: Any, rewards: Any, ends: Any, buffer: Any,
) -> None:  # fmt: skip
    """Take a step in each game from *first* to *end* - 1, play random events, and restart games that are over.

    All arrays have one entry for each game:

    :param start: the state before the deal; *facts* describes what to deal, as for the kernel ``deal``.
    :param actions: the legal actions of the seats to act.
    :param rows: the states.
    :param randoms: each game's random state.
    :param history: rows of the positions since the last reset of the draw counter, in games that can repeat;
        *keys* are their keys, *lengths* their numbers.
    :param paid: the payoff of each seat so far.
    :param seats: the seats to act.
    :param planes: their observations, with *masks*.
    :param rewards: each seat's reward of this step.
    :param ends: ``GOES_ON``, ``HAS_ENDED`` or ``CAME_THRICE``.
    """
    for index in range(first, end):
        random = randoms[index]
        state = get_state(start, rows, index)
        state = settled(play(state, step_of(state, int(actions[index]))), buffer, random)
        has_ended = is_over(state)
        for seat in range(paid.shape[1]):
            total = payoff(state, seat) if has_ended else earned(state, seat)
            rewards[index, seat] = total - paid[index, seat]
            paid[index, seat] = total
        ends[index] = HAS_ENDED if has_ended else GOES_ON
        if has_ended:
            state = settled(deal(start, facts, random), buffer, random)
            lengths[index] = 0
            paid[index] = 0.0
        if can_repeat(start) and came_thrice(state, history[index], keys[index], lengths, index):
            ends[index] = CAME_THRICE
        put_state(state, rows, index)
        seats[index] = mover(state)
        show(state, mover(state), planes[index], masks[index], buffer)


@compiled
def draw_actions(start: State, rows: Any, random: RandomState, buffer: Any, actions: Any) -> None:
    """Write a uniformly random legal action of each game into *actions*."""
    for index in range(len(rows)):
        state = get_state(start, rows, index)
        actions[index] = action_of(state, random_step(state, buffer, random))
