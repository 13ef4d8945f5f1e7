"""Many games at once for a learner that plays all their seats: each step of all of them is one compiled call."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from papan.ai.observation import observation_of, shape_of
from papan.game.base.protocols import offers
from papan.game.facts import Game, PartError
from papan.game.kernel.arrays import get_state, state_rows
from papan.game.kernel.rng import next_stream, random_state
from papan.game.rules import NO_COUNTER, Repeating, State, can_repeat, facts_to_deal, steps_to_draw
from papan.lab.environments.arguments import new_match, number_between, seed_of, shown, whole_numbers
from papan.lab.environments.stepping import (
    ALL_LEGAL,
    CAME_THRICE,
    GOES_ON,
    HAS_ENDED,
    begin_games,
    draw_actions,
    illegal_game,
    step_games,
)

MOST_GAMES = 2**24
MOST_THREADS = 256


class Step(NamedTuple):
    """What came of a step, an entry for each game."""

    observations: NDArray[np.uint8]
    """What the seats to act see now: games by planes by rows by columns."""
    rewards: NDArray[np.float32]
    """What the step brought to every seat: games by seats. All those of a game add up to the seat's payoff."""
    dones: NDArray[np.bool_]
    """Whether the game ended by this step; then observation and mask are of the one that has begun in its place."""
    masks: NDArray[np.int8]
    """1 for each action that the seat to act may take, else 0: games by actions."""


class VectorEnvironment:
    """*number* games of one kind, side by side; one that is over begins anew by itself.

    Each game has random numbers of its own: the same seed and the same actions give the same run, whatever the number
    of threads. Steps run without Python's global lock. All games have begun as soon as it is made.
    """

    def __init__(
        self,
        game: Game | str,
        number: int = 1024,
        options: Mapping[str, Any] | None = None,
        seed: int | None = 0,
        threads: int = 1,
    ) -> None:
        """Games of *game*, or of that name, under *options*.

        :param seed: settles all that is random; None for another each time.
        :param threads: how many share each step, which pays where it takes longer than waking them.
        :raises OptionError: there is no such game, or it can't have these options.
        :raises PartError: it can't be shown to learners, or its positions can come again without end.
        :raises TypeError: an argument is of another type.
        :raises ValueError: there are to be no games or threads, or too many; the seed is below 0 or above 2**64 - 1.
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
        """All options, with those that were left to their defaults."""
        self.actions = observation.actions(match.state)
        """How many actions there are."""
        self.shape = shape_of(observation, match.state)
        """Planes, rows and columns of what is shown of a game."""
        self._start = match.state
        self._facts = facts_to_deal(self.game.rules, match.options)
        room = _most_remembered(self.game, self._start)
        self._rows = state_rows(self._start, number)
        self._history = state_rows(self._start, number * room).reshape(number, room)
        self._keys, self._lengths = np.zeros((number, room), np.int64), np.zeros(number, np.int64)
        self._paid = np.zeros((number, self.seats))
        self._movers = np.zeros(number, np.int64)
        self._masks = np.zeros((number, self.actions), np.int8)
        self._buffers = [np.empty(self.game.rules.MOST_STEPS, np.int64) for _ in range(threads)]
        self._threads = ThreadPoolExecutor(threads) if threads > 1 else None
        self.reset(secrets.randbits(64) if seed is None else seed)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Begin all games anew; returns observations and masks, as a ``Step`` has them.

        :param seed: from which the random numbers begin anew as well; None goes on with those that there are.
        :raises TypeError: it is no whole number; nothing has changed.
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
        """Take one of *actions* in each game, for the seat that is to act there.

        :raises ValueError: one is not legal, or there are not as many as games; nothing has changed.
        :raises TypeError: they are no whole numbers.
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
        """A legal action for each game, each as likely as any other."""
        actions = np.empty(self.number, np.int64)
        draw_actions(self._start, self._rows, self._choices, self._buffers[0], actions)
        return actions

    @property
    def movers(self) -> NDArray[np.int64]:
        """The seat that is to act in each game."""
        return self._movers.copy()

    def state(self, index: int) -> State:
        """The state of a game, with all that is hidden from its seats.

        :raises TypeError: *index* is no whole number.
        :raises ValueError: there is no such game.
        """
        return get_state(self._start, self._rows, number_between(index, "The number of a game", 0, self.number - 1))

    def _step_slice(self, chosen: Any, observations: Any, rewards: Any, ends: Any, part: int) -> None:
        """Take the step in the games that are one thread's *part*."""
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
        """End the games that the rules say are over because their position came for the third time."""
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


def _most_remembered(game: Game, start: State) -> int:
    """How many positions of one game of *game* have to be remembered at most, to know one that comes again.

    :raises PartError: no draw counter says so.
    """
    if not can_repeat(start):
        return 0
    if steps_to_draw(start) == NO_COUNTER:
        raise PartError(
            f"{game.title} can't be played by the thousand: no draw counter ends what comes again and again."
        )
    return steps_to_draw(start) + 1
