"""Computer players by name: ``random``, ``minimax:hard``, ``h2`` … the same short texts everywhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Protocol, TypeVar

import numpy as np

from ai.evaluation import STANDARD, Greedy, Level, Searching, appraise, evaluation_of
from ai.limits import Analysis, Limit
from ai.search.alphabeta import MOST_DEPTH, AlphaBeta
from ai.search.deepening import Deepening
from ai.search.expectimax import Expectimax
from ai.search.maxn import MaxN
from ai.search.sampled import Sampled
from game.catalogue import Game
from game.kernels import State, can_repeat, key, observe
from game.match import Match
from game.rng import mix
from game.rules import Rules, legal_steps

HUMAN = "human"
"""The name of a seat that no computer plays."""

LEVELS = ("easy", "medium", "hard")
DEFAULT_TIME = 1.0
"""Seconds a move that ``minimax`` thinks where its name sets no limit; also the levels' second limit."""

MOST_TIME = 3600.0


Number = TypeVar("Number", int, float)


class PlayerError(ValueError):
    """A text that names no player of the game; the message says which there are."""


@dataclass(frozen=True)
class Situation:
    """All that a player is told when it is to act: what its seat can see, and nothing more."""

    state: State
    seat: int
    seed: int
    """Settles its random choices: the same situation gives the same step."""
    came_twice: tuple[int, ...] = ()
    """Keys of positions that end the game if they come once more."""


def situation(match: Match) -> Situation:
    """What the seat to act in *match* is told."""
    counts: dict[int, int] = {}
    if can_repeat(match.state):
        for state in match.states:
            position = int(key(state))
            counts[position] = counts.get(position, 0) + 1
    seed = int(mix((match.seed * 0x10001 + len(match.steps)) & 0xFFFFFFFFFFFFFFFF))
    return Situation(
        observe(match.state, match.mover),
        match.mover,
        seed,
        tuple(position for position, count in counts.items() if count >= 2),
    )


class Player(Protocol):
    """A computer player of one game. ``stop`` and ``live`` may be called from another thread."""

    def prepare(self, state: State) -> None:
        """Compile what it needs for this type of state."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = ...) -> Analysis:
        """Its step for *situation*. After ``stop``, or where *is_cancelled* says yes, any step will do."""

    def stop(self) -> None:
        """Make ``choose`` return at once."""

    def live(self) -> Analysis | None:
        """How far ``choose`` has come, if that can be told."""


def _never() -> bool:
    return False


class GreedyPlayer:
    """Takes the step that ``appraise`` rates highest, ties at random; without weights any step at all."""

    def __init__(self, rules: Rules, weights: Sequence[float] | None) -> None:
        self._rules = rules
        self._weights = None if weights is None else np.array(weights, np.float64)

    def prepare(self, state: State) -> None:
        """Nothing: it plays in plain Python."""

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = _never) -> Analysis:
        steps = legal_steps(situation.state, self._rules.MOST_STEPS)
        worth = [0.0] * len(steps)
        if self._weights is not None:
            worth = [float(appraise(situation.state, step, self._weights)) for step in steps]
        best = max(worth)
        chosen = Random(situation.seed).choice(
            [step for step, value in zip(steps, worth, strict=True) if value == best]
        )
        return Analysis(chosen, best, situation.seat, principal_variation=(chosen,))

    def stop(self) -> None:
        """Nothing to stop."""

    def live(self) -> Analysis | None:
        return None


class SearchingPlayer:
    """Plays what a search finds within its limit."""

    def __init__(self, rules: Rules, search: Deepening | Sampled, limit: Limit) -> None:
        self._rules = rules
        self._limit = limit
        self._search = search

    def prepare(self, state: State) -> None:
        self._search.prepare(state)

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = _never) -> Analysis:
        limit = self._limit
        if limit.depth is None and len(legal_steps(situation.state, self._rules.MOST_STEPS)) == 1:
            limit = Limit(depth=1)  # nothing to decide
        return self._search.analyse(
            situation.state, limit, situation.came_twice, seed=situation.seed, is_cancelled=is_cancelled
        )

    def stop(self) -> None:
        self._search.stop()

    def live(self) -> Analysis | None:
        return self._search.live()


@dataclass(frozen=True)
class Family:
    """Searching players of one kind: ``minimax:hard``, ``minimax:depth=4`` and so on."""

    title: str
    make: Callable[[Rules, Sequence[float]], Deepening]
    suits: Callable[[Game], bool]


FAMILIES: Mapping[str, Family] = {
    "minimax": Family("Minimax", AlphaBeta, lambda game: not game.has_chance),
    "expectimax": Family("Expectimax", Expectimax, lambda game: game.has_chance),
    "paranoid": Family("Paranoid", AlphaBeta, lambda game: max(game.seats) > 2),
    "maxn": Family("Maxⁿ", MaxN, lambda game: max(game.seats) > 2),
}
"""By the word before the colon. With three and four seats ``minimax`` is paranoid, with chance it is expectimax."""


@dataclass(frozen=True)
class Choice:
    """A player to offer: its name, what to call it, and what it is."""

    name: str
    label: str
    note: str


def choices(game: Game) -> list[Choice]:
    """The players to offer for *game*, the most useful first; ``minimax`` takes other limits as well."""
    own = evaluation_of(game).PLAYERS
    families = _families(game)
    others = [f"{kind}:hard" for kind, family in families.items() if family is not families["minimax"]]
    return [describe(name, game) for name in (*(f"minimax:{level}" for level in LEVELS), *others, "random", *own)]


def describe(name: str, game: Game) -> Choice:
    """What to call the player *name*, and what it is, in words; any text will do.

    >>> from game.catalogue import GAMES
    >>> describe("minimax:hard,time=3", GAMES["connect-four"])
    Choice(name='minimax:hard,time=3', label='Hard', note='Minimax, 3 s a move')
    """
    evaluation = evaluation_of(game)
    own = evaluation.PLAYERS.get(name)
    if name == "random":
        return Choice(name, "Random", "any legal step")
    if isinstance(own, Searching):
        return Choice(name, name.capitalize(), f"Minimax, {_turns(own.depth)} ahead")
    if isinstance(own, Greedy):
        return Choice(name, name.capitalize(), "takes the best-looking step")
    if isinstance(own, str):
        return replace(describe(own, game), name=name, label=name.capitalize())
    kind, _, setting = name.partition(":")
    family = _families(game).get(kind)
    if family is None:
        return Choice(name, name.capitalize(), "")
    try:
        limit, _weights_name = _setting(kind, setting or "hard", evaluation.LEVELS)
    except PlayerError:
        return Choice(name, name, "")
    parts = [family.title]
    if limit.depth is not None:
        parts.append(f"{_turns(limit.depth)} ahead")
    elif limit.time is not None:
        parts.append(f"{limit.time:g} s a move")
    level = setting.partition(",")[0]
    is_usual = level in LEVELS and kind == "minimax"
    return Choice(name, level.capitalize() if is_usual else family.title, ", ".join(parts))


def _turns(number: int) -> str:
    return f"{number} turn" if number == 1 else f"{number} turns"


def make_player(name: str, game: Game) -> Player:
    """The player called *name* for *game*.

    :raises PlayerError: there is none; the message names those there are.
    """
    evaluation = evaluation_of(game)
    rules = game.rules
    kind, _, setting = name.partition(":")
    described: Greedy | Searching | str = evaluation.PLAYERS.get(name, name)
    if isinstance(described, Greedy):
        return GreedyPlayer(rules, evaluation.WEIGHTS[described.weights])
    if isinstance(described, Searching):
        weights = evaluation.WEIGHTS[described.weights]
        search = AlphaBeta(rules, weights, described.prefers_wins)
        return SearchingPlayer(rules, _suited(search, game), Limit(depth=described.depth))
    if described != name:
        return make_player(described, game)
    if name == "random":
        return GreedyPlayer(rules, None)
    families = _families(game)
    if kind in families:
        limit, weights_name = _setting(kind, "hard" if name == kind else setting, evaluation.LEVELS)
        found = families[kind].make(rules, evaluation.WEIGHTS[weights_name])
        return SearchingPlayer(rules, _suited(found, game), limit)
    searching = [f"{word}:easy|medium|hard|depth=N|time=S" for word in families]
    names = ", ".join(["random", *searching, *evaluation.PLAYERS])
    raise PlayerError(f"There is no player '{name}' for {game.title}; there are {names}.")


def _suited(search: Deepening, game: Game) -> Deepening | Sampled:
    """*search*, on sampled deals where *game* hides something."""
    return Sampled(search) if game.has_hidden_information else search


def _families(game: Game) -> dict[str, Family]:
    """The searching players that suit *game*; the usual one is always called ``minimax`` as well."""
    suited = {kind: family for kind, family in FAMILIES.items() if family.suits(game)}
    return {"minimax": next(iter(suited.values())), **suited}


def _setting(kind: str, setting: str, levels: Mapping[str, Level]) -> tuple[Limit, str]:
    """The limit and the weights in ``KIND:SETTING``: a level, ``depth=N``, ``time=S``, or several with commas."""
    level: Level | None = None
    depth, seconds, nodes = None, None, None
    for part in setting.split(","):
        what, _, value = part.partition("=")
        try:
            if part in LEVELS and level is None:
                level = levels[part]
                depth = level.depth
            elif what == "depth":
                depth = _within(int(value), 1, MOST_DEPTH - 1)
            elif what == "time":
                seconds = _within(float(value), 0.001, MOST_TIME)
            elif what == "nodes":
                nodes = _within(int(value), 1, 10**15)
            else:
                raise ValueError
        except ValueError:
            raise PlayerError(
                f"'{kind}:{setting}' is no player: after the colon comes easy, medium, hard, "
                f"depth=N (1 to {MOST_DEPTH - 1}), time=S (seconds up to {MOST_TIME:g}) or nodes=N."
            ) from None
    if seconds is None and (level or (depth is None and nodes is None)):
        seconds = DEFAULT_TIME
    return Limit(seconds, depth, nodes), level.weights if level else STANDARD


def _within(value: Number, least: Number, most: Number) -> Number:
    if not least <= value <= most:
        raise ValueError
    return value
