"""Families of searching players, ``minimax``, ``mcts`` …, and the settings that follow their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from papan.ai.evaluation import (
    STANDARD,
    Evaluation,
    Level,
    WeightValues,
    endings_of,
    evaluation_of,
    selectivity_of,
    trust_of,
)
from papan.ai.exact import Finishing, exact_of, is_solved
from papan.ai.learning.bundled import Learned, choices_base, has_learned
from papan.ai.learning.network import learning_of
from papan.ai.learning.views import Views
from papan.ai.limits import Limit
from papan.ai.openings import Openings, openings_of
from papan.ai.players.situations import PlayerError
from papan.ai.search import Searcher
from papan.ai.search.adaptive import Adaptive, Follower
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import Deepening, OneStep
from papan.ai.search.expectimax import TABLE_BITS as EXPECTIMAX_TABLE_BITS
from papan.ai.search.expectimax import Expectimax
from papan.ai.search.maxn import MaxN
from papan.ai.search.mcts import MCTS, URGENCY
from papan.ai.search.negamax import MOST_DEPTH
from papan.ai.search.pruning import ALL_RULES
from papan.ai.search.sampled import Sampled
from papan.ai.search.table import table_bits
from papan.game.base.sentences import alternatives, figures, joined, say
from papan.game.base.untrusted import decimal_number, quoted, whole_number
from papan.game.game import Game

LEVELS = ("easy", "medium", "hard")
DEFAULT_TIME = 1.0
"""Seconds a move without another limit, and the levels' second limit."""

LEARNED_TRUST = 1.0
"""Monte-Carlo search with learned weights plays no random games."""

MOST_TIME = 3600.0
MOST_MEMORY = 8192
COMPACT_MEMORY = 12
"""MiB of the table of a search in the window."""
MOST_THREADS = 16


@dataclass(frozen=True)
class SearchSetting:
    """The settings after the colon in a searching player's name."""

    limit: Limit
    weights: WeightValues
    memory: int | None = None
    """MiB of the search's table or tree; its own default for None."""
    threads: int = 1
    pruning: int = ALL_RULES
    """Pruning rules as bits; see ``papan.ai.search.pruning``."""
    exploration: float | None = None
    """C of UCT or PUCT; the search's own for None."""
    solves: bool = True
    """Whether Monte-Carlo search proves results and uses the evaluation; else it is plain UCT."""
    depth_asked: int | None = None
    """The depth, where the name sets no other limit."""
    has_book: bool = True
    """Whether it opens by the game's book, where time is its only limit."""
    family: str = ""
    """The family that plays in place of the one named, as a game's level may say."""
    is_compact: bool = False
    """Whether it takes a table of ``COMPACT_MEMORY`` and compact weights, as in the window."""


@dataclass(frozen=True)
class Family:
    """A kind of searching players, such as ``minimax:hard`` and ``minimax:depth=4``."""

    title: str
    make: Callable[[Game, SearchSetting], Searcher]
    suits: Callable[[Game], bool]
    keys: Sequence[str] = ("depth", "time", "nodes")
    """The ``KEYS`` that its names may set."""
    has_levels: bool = True
    """Whether it has *easy*, *medium* and *hard*, by the game's evaluation."""
    usual_time: float = DEFAULT_TIME
    """Seconds a move without another limit."""
    usual_depth: int | None = None
    """The depth without another limit, in place of ``usual_time``."""
    plays_best: bool = False
    """Whether it uses the game's exact solver and opening book, where the depth is not capped."""


def _alphabeta(game: Game, setting: SearchSetting) -> Searcher:
    evaluation = evaluation_of(game)
    search = AlphaBeta(
        game.rules,
        setting.weights,
        table_bits=table_bits(setting.memory or (COMPACT_MEMORY if setting.is_compact else None)),
        threads=setting.threads,
        pruning=setting.pruning,
        selectivity=selectivity_of(evaluation),
        endings=lambda: endings_of(evaluation),
    )
    return suited(search, game)


def _expectimax(game: Game, setting: SearchSetting) -> Searcher:
    bits = table_bits(setting.memory, EXPECTIMAX_TABLE_BITS)
    return suited(Expectimax(game.rules, setting.weights, table_bits=bits), game)


def _maxn(game: Game, setting: SearchSetting) -> Searcher:
    return suited(MaxN(game.rules, setting.weights), game)


def _perfect(game: Game, setting: SearchSetting) -> Searcher:
    solver = exact_of(game)
    assert solver is not None
    return solver.Exact(setting.memory)


def _mcts(game: Game, setting: SearchSetting) -> Searcher:
    evaluation = evaluation_of(game)
    return MCTS(
        game.rules,
        setting.weights,
        evaluation.SCALE,
        game.has_hidden_information,
        setting.memory,
        exploration=setting.exploration,
        urgency=URGENCY if setting.solves else inf,  # plain UCT visits every child once first
        trust=trust_of(evaluation) if setting.solves else 0.0,
        solves=setting.solves,
    )


def _learned(game: Game, setting: SearchSetting) -> Searcher:
    """At depth 1 the best afterstate; deeper, the usual search, or Monte-Carlo search where something is hidden."""

    def make(weights: WeightValues) -> Searcher:
        if setting.limit == Limit(depth=1):
            return suited(OneStep(game.rules, weights), game)
        if game.has_hidden_information:
            return _by_simulations(game, setting, weights)
        return (_expectimax if game.has_chance else _alphabeta)(game, replace(setting, weights=weights))

    return Learned(game, make, compact=setting.is_compact)


def _by_simulations(game: Game, setting: SearchSetting, weights: WeightValues) -> MCTS:
    scale, settings = evaluation_of(game).SCALE, _by_practice(game, setting, weights)
    return MCTS(game.rules, weights, scale, game.has_hidden_information, **settings)


def _by_practice(game: Game, setting: SearchSetting, weights: WeightValues) -> dict[str, Any]:
    return {"memory": setting.memory, "trust": LEARNED_TRUST, "choices": choices_base(game, weights)}


def _adaptive(game: Game, setting: SearchSetting) -> Searcher:
    def make(weights: WeightValues) -> Searcher:
        learning = learning_of(game)
        assert learning is not None
        views = learning.NETWORK
        if not isinstance(views, Views) or len(weights) <= views.size:
            return _by_simulations(game, setting, weights)
        evaluation = evaluation_of(game)
        base, settings = len(evaluation.WEIGHTS[STANDARD]), _by_practice(game, setting, weights)
        models, habits = (Follower(game.rules, weights, base, views.most, by_habit=way) for way in (False, True))
        return Adaptive(models, habits, game.rules, weights, evaluation.SCALE, **settings)

    return Learned(game, make, compact=setting.is_compact)


def suited(search: Deepening, game: Game) -> Searcher:
    """*search*, over sampled deals where *game* hides something."""
    return Sampled(search, evaluation_of(game).SCALE) if game.has_hidden_information else search


BY_PRACTICE = ("learned", "adaptive")
"""The families with learned weights."""
_ALPHABETA_KEYS = ("depth", "time", "nodes", "memory", "threads", "pruning", "book")

FAMILIES: Mapping[str, Family] = {
    "minimax": Family(say("Minimax"), _alphabeta, lambda game: not game.has_chance, _ALPHABETA_KEYS, plays_best=True),
    "expectimax": Family(
        say("Expectimax"), _expectimax, lambda game: game.has_chance, ("depth", "time", "nodes", "memory")
    ),
    "paranoid": Family(say("Paranoid"), _alphabeta, lambda game: max(game.seats) > 2, _ALPHABETA_KEYS),
    "maxn": Family(say("Maxⁿ"), _maxn, lambda game: max(game.seats) > 2),
    "perfect": Family(
        say("Perfect"), _perfect, is_solved, ("time", "nodes", "memory"), has_levels=False, usual_time=10.0
    ),
    "mcts": Family(
        say("Monte-Carlo"), _mcts, lambda game: True, keys=("time", "sims", "memory", "c", "solver"), has_levels=False
    ),
    "learned": Family(
        say("Self-taught"), _learned, has_learned, ("depth", "time", "nodes", "memory"), has_levels=False, usual_depth=1
    ),
    "adaptive": Family(
        say("Adaptive"),
        _adaptive,
        lambda game: game.has_hidden_information and has_learned(game),
        ("time", "sims", "memory"),
        has_levels=False,
    ),
}
"""By the word before the colon. With three and four seats ``minimax`` is paranoid, with chance it is expectimax."""


@dataclass(frozen=True)
class Key:
    """The possible values of ``KEY=NUMBER`` in a player's name."""

    letter: str
    """Stands for the number in explanations."""
    least: float
    most: float
    note: str = ""
    is_whole: bool = True

    def read(self, text: str) -> float:
        """:raises ValueError: *text* is not a valid number for it."""
        value = whole_number(text) if self.is_whole else decimal_number(text)
        if value is None or not self.least <= value <= self.most:
            raise ValueError
        return value


KEYS: Mapping[str, Key] = {
    "depth": Key("N", 1, MOST_DEPTH - 1, say(" (1 to {most} turns)", most=MOST_DEPTH - 1)),
    "time": Key("S", 0.001, MOST_TIME, say(" (seconds up to {most})", most=figures(MOST_TIME, "g")), is_whole=False),
    "nodes": Key("N", 1, 10**15),
    "sims": Key("N", 1, 10**12, say(" (simulations)")),
    "memory": Key("N", 1, MOST_MEMORY, say(" (MiB, 1 to {most})", most=MOST_MEMORY)),
    "threads": Key("N", 1, MOST_THREADS, say(" (1 to {most})", most=MOST_THREADS)),
    "c": Key("C", 0.0, 1000.0, say(" (C of UCT)"), is_whole=False),
    "solver": Key("0/1", 0, 1, say(" (0: pure Monte-Carlo, without proofs and evaluation)")),
    "pruning": Key("N", 0, ALL_RULES, say(" (0 to {most}: the sum of its pruning rules)", most=ALL_RULES)),
    "book": Key("0/1", 0, 1, say(" (0: without an opening book)")),
}
_LIMITS = {"depth", "time", "nodes", "sims"}  # one of these must be set


def make_search(family: Family, game: Game, setting: SearchSetting) -> Searcher:
    """The family's search, or that in its place; with the game's exact solver where it ``plays_best``."""
    search = FAMILIES.get(setting.family, family).make(game, setting)
    solver = exact_of(game) if family.plays_best and setting.limit.depth is None else None
    return search if solver is None else Finishing(search, solver)


def opens_by(family: Family, game: Game, setting: SearchSetting) -> Openings | None:
    """The opening book of a player of the family; None with limits of nodes or depth."""
    by_time = replace(setting.limit, time=None) == Limit() and setting.limit.time is not None
    return openings_of(game) if family.plays_best and setting.has_book and by_time else None


def colon(family: Family) -> str:
    """A short form of what may follow the family's name."""
    levels = list(LEVELS) if family.has_levels else []
    return ":" + "|".join([*levels, *(f"{word}={KEYS[word].letter}" for word in family.keys)])


def families_of(game: Game) -> dict[str, Family]:
    """The families that suit *game*; the usual one is also called ``minimax``."""
    suited = {kind: family for kind, family in FAMILIES.items() if family.suits(game)}
    return {"minimax": next(iter(suited.values())), **suited}


def read_setting(kind: str, family: Family, setting: str | None, evaluation: Evaluation) -> SearchSetting:
    """The setting in ``KIND:SETTING``, of parts with commas: a level or the name of weights, ``depth=N``, ``time=S`` ….

    :param setting: None for no colon.
    """
    level: Level | None = None
    numbers: dict[str, float] = {}
    for part in [] if setting is None else setting.split(","):
        word, equals, value = part.partition("=")
        try:
            if not equals and part in evaluation.WEIGHTS.keys() | set(LEVELS) and family.has_levels and level is None:
                level = evaluation.LEVELS.get(part) or Level(None, part)
            elif equals and word in family.keys and word not in numbers:
                numbers[word] = KEYS[word].read(value)
            else:
                raise ValueError
        except ValueError:
            known = [
                *(LEVELS if family.has_levels else ()),
                *(joined([f"{w}={KEYS[w].letter}", KEYS[w].note], "") for w in family.keys),
            ]
            raise PlayerError.saying(
                "{name} is not a player: after the colon comes {known}.",
                name=quoted(f"{kind}:{setting}"),
                known=alternatives(known),
            ) from None
    if not numbers.keys() & _LIMITS:
        if level is None and family.has_levels:
            level = evaluation.LEVELS["hard"]
        if family.usual_depth is not None:
            numbers["depth"] = family.usual_depth
    if level and level.depth is not None:
        numbers.setdefault("depth", level.depth)
    asked = int(numbers["depth"]) if numbers.keys() & _LIMITS == {"depth"} else None
    seconds = numbers.get("time")
    if seconds is None and (level or not numbers.keys() & _LIMITS):
        seconds = family.usual_time

    def whole(word: str) -> int | None:
        return int(numbers[word]) if word in numbers else None

    return SearchSetting(
        Limit(seconds, whole("depth"), whole("nodes"), whole("sims")),
        evaluation.WEIGHTS[level.weights if level else STANDARD],
        whole("memory"),
        whole("threads") or 1,
        int(numbers.get("pruning", ALL_RULES)),
        numbers.get("c"),
        bool(numbers.get("solver", 1)),
        asked,
        bool(numbers.get("book", 1)),
        level.family if level and kind == "minimax" and not numbers.keys() & {"depth", "pruning", "threads"} else "",
    )
