"""The bundled learned weights, and searches with them.

They are large, so the first search reads them in its thread, and the last one releases them. If their file is damaged,
the standard weights are used.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, WeightValues, evaluation_of
from papan.ai.learning.compact import LEAST_SIZE
from papan.ai.learning.network import Form, familiar, learning_of
from papan.ai.learning.weight_files import read_compact_weights, read_weights
from papan.ai.limits import Analysis
from papan.ai.search import Query, Searcher
from papan.game.base.assets import ASSETS
from papan.game.base.sentences import figures, say
from papan.game.game import Game
from papan.game.rules import State

_reading = threading.Lock()
_in_use: WeakValueDictionary[str, NDArray[np.float32] | NDArray[np.int16]] = WeakValueDictionary()


def asset_of(game: Game) -> str:
    """The name that the learned weights of *game* have among the assets."""
    return f"weights/{game.name}.npz"


def choices_asset_of(game: Game) -> str:
    """The name that the weights of choices of *game* have among the assets."""
    return f"weights/{game.name}-choices.npz"


def has_learned(game: Game) -> bool:
    """Whether the program comes with weights that a network has learned for *game*."""
    return bool(game.parts.learning) and asset_of(game) in ASSETS.digests


def knows(game: Game, state: State) -> bool:
    """Whether the learned weights of *game* are for the board of *state*."""
    learning = learning_of(game) if has_learned(game) else None
    return learning is not None and learning.NETWORK in learning.networks(state).values()


def story_of(game: Game) -> list[str]:
    """How the weights of *game* were learned, and how well they play at depth 1; [] without any."""
    learning = learning_of(game) if has_learned(game) else None
    if learning is None or not learning.PRACTICE:
        return []
    return [
        say("taught itself in {games} games", games=figures(learning.PRACTICE)),
        *([learning.STANDING] if learning.STANDING else []),
    ]


def learned_weights(game: Game, *, compact: bool = False, is_wanted: Callable[[], bool] = lambda: True) -> WeightValues:
    """The standard weights of *game*, then its learned ones, then those of choices; missing ones are left out.

    They take seconds to read, and for 2048 half a gibibyte, or a fifth of that if compact.

    :param compact: whether a large network's weights may be compact, without standard ones before them.
    :param is_wanted: polled while compact ones are read.
    :raises NotWantedError: *is_wanted* returned False.
    """
    standard = evaluation_of(game).WEIGHTS[STANDARD]
    learning = learning_of(game)
    assert learning is not None
    with _reading:
        if compact and learning.NETWORK.size >= LEAST_SIZE:
            return _compact_weights(game, learning.NETWORK, standard, is_wanted)
        found = _in_use.get(game.name)
        if found is None:
            before = np.array(standard, np.float64)
            found = ASSETS.open(asset_of(game), partial(read_weights, network=learning.NETWORK, before=before))
            if found is None:
                return standard
            if learning.CHOICES is not None:
                read = partial(read_weights, network=learning.CHOICES, before=found)
                more = ASSETS.open(choices_asset_of(game), read)
                found = found if more is None else more
            _in_use[game.name] = found
    return found


def _compact_weights(game: Game, network: Form, standard: WeightValues, is_wanted: Callable[[], bool]) -> WeightValues:
    name = f"{game.name}, compact"
    found = _in_use.get(name)
    if found is None:
        read = partial(read_compact_weights, network=network, before=len(standard), is_wanted=is_wanted)
        found = ASSETS.open(asset_of(game), read)
        if found is None:
            return standard
        _in_use[name] = found
    return found


def choices_base(game: Game, weights: WeightValues) -> int:
    """The index of the weights of choices in learned *weights* of *game*; 0 for none."""
    learning = learning_of(game)
    assert learning is not None
    base = len(evaluation_of(game).WEIGHTS[STANDARD]) + learning.NETWORK.size
    return base if len(weights) > base else 0


class Learned(Searcher):
    """A search that is made when first needed, with learned weights; it analyses the ``familiar`` position."""

    def __init__(self, game: Game, make: Callable[[WeightValues], Searcher], *, compact: bool = False) -> None:
        self._game = game
        self._make = make
        self._compact = compact
        self._search: Searcher | None = None
        self._is_stopped = self._is_given_up = False

    def give_up(self) -> None:
        """Stop reading weights, from any thread: the reader raises ``NotWantedError``."""
        self._is_given_up = True

    def _made(self, state: State) -> Searcher:
        if self._search is None:
            standard = evaluation_of(self._game).WEIGHTS[STANDARD]
            is_known = knows(self._game, state)
            weights = standard
            if is_known:
                weights = learned_weights(self._game, compact=self._compact, is_wanted=lambda: not self._is_given_up)
            self._search = self._make(weights)
        return self._search

    def prepare(self, state: State) -> None:
        self._made(state).prepare(state)

    def prepare_rest(self, state: State) -> None:
        self._made(state).prepare_rest(state)

    def touch(self) -> None:
        if self._search is not None:
            self._search.touch()

    def answer(self, query: Query) -> Analysis:
        self._is_stopped = False
        search = self._made(query.state)  # a stop during the reading holds for the search
        asked = query.is_cancelled
        state = familiar(query.state)
        return search.answer(replace(query, state=state, is_cancelled=lambda: self._is_stopped or asked()))

    def stop(self) -> None:
        self._is_stopped = True
        if self._search is not None:
            self._search.stop()

    def live(self) -> Analysis | None:
        return None if self._search is None else self._search.live()
