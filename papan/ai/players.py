"""Computer players by name: ``random``, ``minimax:hard``, ``h2`` … the same short texts everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from papan.ai.engines.entries import PREFIX as ENGINE
from papan.ai.engines.entries import Entry, entries_file, read_entries
from papan.ai.evaluation import (
    STANDARD,
    Evaluation,
    Greedy,
    Level,
    Searching,
    WeightValues,
    appraise,
    evaluation_of,
)
from papan.ai.exact import exact_of, is_solved
from papan.ai.exact.finishing import Finishing
from papan.ai.limits import Analysis, Limit
from papan.ai.search import Searcher
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import Deepening
from papan.ai.search.expectimax import TABLE_BITS as EXPECTIMAX_TABLE_BITS
from papan.ai.search.expectimax import Expectimax
from papan.ai.search.maxn import MaxN
from papan.ai.search.mcts import MCTS
from papan.ai.search.negamax import MOST_DEPTH
from papan.ai.search.sampled import Sampled
from papan.ai.search.table import table_bits
from papan.game.base.foreign import decimal_number, quoted, shortened, whole_number
from papan.game.base.sentences import alternatives, figures, joined, say, say_number
from papan.game.facts import Game
from papan.game.kernel.rng import mix
from papan.game.match import Match
from papan.game.rules import Rules, State, can_repeat, key, legal_steps, observe

HUMAN = "human"
"""The name of a seat that no computer plays."""

GREEDY = "greedy"
"""The word before the colon for a player that takes the step which the game's weights of a name rate highest."""

LEVELS = ("easy", "medium", "hard")
_LEVEL_NAMES = {"easy": say("Easy"), "medium": say("Medium"), "hard": say("Hard")}
DEFAULT_TIME = 1.0
"""Seconds a move that ``minimax`` thinks where its name sets no limit; also the levels' second limit."""

MOST_TIME = 3600.0
MOST_MEMORY = 8192
MOST_THREADS = 16


class PlayerError(ValueError):
    """A text that names no player of the game; the message says which there are."""


@dataclass(frozen=True)
class Past:
    """How a match came to where it stands: for players that are told moves, not positions."""

    options: Mapping[str, str]
    start: State
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Situation:
    """All that a player is told when it is to act: what its seat can see, and nothing more."""

    state: State
    seat: int
    seed: int
    """Settles its random choices: the same situation gives the same step."""
    came_twice: tuple[int, ...] = ()
    """Keys of positions that end the game if they come once more."""
    past: Past | None = None
    """How it came about; None where the game hides something, which the past would tell."""
    seconds: float | None = None
    """How long it may think at most, where a clock runs."""


def situation(match: Match) -> Situation:
    """The situation of the seat to act in *match*."""
    seed = int(mix((match.seed * 0x10001 + len(match.steps)) & 0xFFFFFFFFFFFFFFFF))
    positions = [int(key(state)) for state in match.states] if can_repeat(match.state) else []
    past = None if match.game.has_hidden_information else Past(match.options, match.states[0], tuple(match.steps))
    return Situation(observe(match.state, match.mover), match.mover, seed, come_twice(positions), past)


def come_twice(positions: Sequence[int]) -> tuple[int, ...]:
    """The keys that stand at least twice among those of a match's *positions*."""
    return tuple(position for position, count in Counter(positions).items() if count >= 2)


class Player(Protocol):
    """A computer player of one game. ``stop`` and ``live`` may be called from another thread."""

    def prepare(self, state: State) -> None:
        """Compile what it needs for this type of state to begin with."""

    def prepare_rest(self, state: State) -> None:
        """Compile what it may need later in the game."""

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

    def __init__(self, rules: Rules, weights: WeightValues | None) -> None:
        self._rules = rules
        self._weights = None if weights is None else np.array(weights, np.float64)

    @property
    def weights(self) -> NDArray[np.float64] | None:
        """The weights that it rates steps by; None where any step will do."""
        return self._weights

    def prepare(self, state: State) -> None:
        """Nothing: it plays in plain Python."""

    def prepare_rest(self, state: State) -> None:
        """Nothing."""

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

    def __init__(self, rules: Rules, search: Searcher, limit: Limit, depth_asked: int | None = None) -> None:
        """:param depth_asked: the turns to look ahead, where that is all that was asked for: a limit of time, if there
        is one, is only to keep nobody waiting.
        """
        self._rules = rules
        self._limit = limit
        self._search = search
        self.depth_asked = depth_asked

    @property
    def search(self) -> Searcher:
        """The search that it looks ahead with."""
        return self._search

    @property
    def limit(self) -> Limit:
        """The limit of a search."""
        return self._limit

    def prepare(self, state: State) -> None:
        self._search.prepare(state)

    def prepare_rest(self, state: State) -> None:
        if isinstance(self._search, Finishing):
            self._search.prepare_solver(state)

    def choose(self, situation: Situation, is_cancelled: Callable[[], bool] = _never) -> Analysis:
        limit = self._limit.within(situation.seconds)
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
class SearchSetting:
    """The setting that follows the colon in a searching player's name."""

    limit: Limit
    weights: WeightValues
    """The weights that the search judges positions by."""
    memory: int | None = None
    """MiB that the search may keep in mind; its own default for None."""
    threads: int = 1
    depth_asked: int | None = None
    """Turns to look ahead, where the name sets no other limit."""


@dataclass(frozen=True)
class Family:
    """Searching players of one kind: ``minimax:hard``, ``minimax:depth=4`` and so on."""

    title: str
    make: Callable[[Game, SearchSetting], Searcher]
    suits: Callable[[Game], bool]
    keys: Sequence[str] = ("depth", "time", "nodes")
    """The keys that may be set in the name: some of ``KEYS``."""
    has_levels: bool = True
    """Whether it takes *easy*, *medium* and *hard*, which the game's evaluation settles."""
    usual_time: float = DEFAULT_TIME
    """Seconds a move that it thinks at most where its name sets no limit."""
    finishes: bool = False
    """Whether the game's exact solver takes over what it can solve, where the depth is not capped."""


def _alphabeta(game: Game, setting: SearchSetting) -> Searcher:
    search = AlphaBeta(game.rules, setting.weights, table_bits=table_bits(setting.memory), threads=setting.threads)
    return _suited(search, game)


def _expectimax(game: Game, setting: SearchSetting) -> Searcher:
    bits = table_bits(setting.memory, EXPECTIMAX_TABLE_BITS)
    return _suited(Expectimax(game.rules, setting.weights, table_bits=bits), game)


def _maxn(game: Game, setting: SearchSetting) -> Searcher:
    return _suited(MaxN(game.rules, setting.weights), game)


def _perfect(game: Game, setting: SearchSetting) -> Searcher:
    solver = exact_of(game)
    assert solver is not None
    return solver.Exact(setting.memory)


def _mcts(game: Game, setting: SearchSetting) -> Searcher:
    return MCTS(game.rules, setting.weights, evaluation_of(game).SCALE, game.has_hidden_information, setting.memory)


def _suited(search: Deepening, game: Game) -> Searcher:
    """*search*, on sampled deals where *game* hides something."""
    return Sampled(search, evaluation_of(game).SCALE) if game.has_hidden_information else search


_ALPHABETA_KEYS = ("depth", "time", "nodes", "memory", "threads")

FAMILIES: Mapping[str, Family] = {
    "minimax": Family(say("Minimax"), _alphabeta, lambda game: not game.has_chance, _ALPHABETA_KEYS, finishes=True),
    "expectimax": Family(
        say("Expectimax"), _expectimax, lambda game: game.has_chance, ("depth", "time", "nodes", "memory")
    ),
    "paranoid": Family(say("Paranoid"), _alphabeta, lambda game: max(game.seats) > 2, _ALPHABETA_KEYS),
    "maxn": Family(say("Maxⁿ"), _maxn, lambda game: max(game.seats) > 2),
    "perfect": Family(
        say("Perfect"), _perfect, is_solved, ("time", "nodes", "memory"), has_levels=False, usual_time=10.0
    ),
    "mcts": Family(say("Monte-Carlo"), _mcts, lambda game: True, keys=("time", "sims", "memory"), has_levels=False),
}
"""By the word before the colon. With three and four seats ``minimax`` is paranoid, with chance it is expectimax."""


@dataclass(frozen=True)
class Key:
    """Something that can be set in a player's name, as ``KEY=NUMBER``."""

    letter: str
    """What stands for the number in explanations."""
    least: float
    most: float
    note: str = ""
    is_whole: bool = True

    def read(self, text: str) -> float:
        """:raises ValueError: *text* is no number that it can be."""
        value = whole_number(text) if self.is_whole else decimal_number(text)
        if value is None or not self.least <= value <= self.most:
            raise ValueError
        return value


KEYS: Mapping[str, Key] = {
    "depth": Key("N", 1, MOST_DEPTH - 1, say(" (1 to {most} turns)", most=MOST_DEPTH - 1)),
    "time": Key("S", 0.001, MOST_TIME, say(" (seconds up to {most})", most=figures(MOST_TIME, "g")), is_whole=False),
    "nodes": Key("N", 1, 10**15),
    "sims": Key("N", 1, 10**12, say(" (random games)")),
    "memory": Key("N", 1, MOST_MEMORY, say(" (MiB, 1 to {most})", most=MOST_MEMORY)),
    "threads": Key("N", 1, MOST_THREADS, say(" (1 to {most})", most=MOST_THREADS)),
}
_LIMITS = ("depth", "time", "nodes", "sims")  # one of these must be set


class PlayerChoice(NamedTuple):
    """A player to offer: its name, what to call it, and what it is."""

    name: str
    label: str
    note: str


def choices(game: Game) -> list[PlayerChoice]:
    """The players to offer for *game*, the most useful first; ``minimax`` takes other limits as well."""
    own = evaluation_of(game).PLAYERS
    families = _families(game)
    others = [
        f"{kind}:hard" if family.has_levels else kind
        for kind, family in families.items()
        if family is not families["minimax"]
    ]
    engines = [entry.player for entry in read_entries().of(game.name)]
    names = (*(f"minimax:{level}" for level in LEVELS), *others, "random", *own, *engines)
    return [describe(name, game) for name in names]


def describe(name: str, game: Game) -> PlayerChoice:
    """The player *name* as a choice to offer, with its label and a note; any text will do.

    >>> from papan.game.catalogue import GAMES
    >>> describe("minimax:hard,time=3", GAMES["connect-four"])
    PlayerChoice(name='minimax:hard,time=3', label='Hard', note='Minimax, 3 s a move')
    """
    evaluation = evaluation_of(game)
    own = evaluation.PLAYERS.get(name)
    if name == "random":
        return PlayerChoice(name, say("Random"), say("any legal step"))
    if name.startswith(ENGINE):
        engine = _engine(name, game)
        return PlayerChoice(name, shortened(name.removeprefix(ENGINE)), engine.limit_in_words if engine else "")
    if isinstance(own, Searching):
        return PlayerChoice(name, name.capitalize(), joined([say("Minimax"), _turns_ahead(own.depth)], ", "))
    if isinstance(own, Greedy):
        return PlayerChoice(name, name.capitalize(), say("takes the best-looking step"))
    if isinstance(own, str):
        return describe(own, game)._replace(name=name, label=name.capitalize())
    kind, colon, setting = name.partition(":")
    family = _families(game).get(kind)
    if family is None:
        return PlayerChoice(name, shortened(name).capitalize(), "")
    try:
        limit = _setting(kind, family, setting if colon else None, evaluation).limit
    except PlayerError:
        return PlayerChoice(name, shortened(name), "")
    parts = [family.title, *_limit_in_words(limit)]
    level = setting.partition(",")[0]
    is_usual = level in LEVELS and kind == "minimax"
    return PlayerChoice(name, _LEVEL_NAMES[level] if is_usual else family.title, joined(parts, ", "))


def in_plain_words(name: str, game: Game) -> str:
    """What the player *name* is, in words without those of searches; any text will do.

    >>> from papan.game.catalogue import GAMES
    >>> in_plain_words("minimax:hard,time=3", GAMES["connect-four"]), in_plain_words(HUMAN, GAMES["connect-four"])
    ('computer, 3 s a move', 'a person')
    """
    if name == HUMAN:
        return say("a person")
    if name == "random":
        return say("plays at random")
    kind, colon, setting = name.partition(":")
    family = _families(game).get(kind)
    if family is None:
        return describe(name, game).note or say("a computer")
    try:
        limit = _setting(kind, family, setting if colon else None, evaluation_of(game)).limit
    except PlayerError:
        return say("a computer")
    return joined([say("computer"), *_limit_in_words(limit)], ", ")


def _limit_in_words(limit: Limit) -> list[str]:
    """The limit of a search in a few words, or nothing."""
    if limit.depth is not None:
        return [_turns_ahead(limit.depth)]
    if limit.time is not None:
        return [say("{seconds} s a move", seconds=figures(limit.time, "g"))]
    return [] if limit.simulations is None else [say("{number} games a move", number=limit.simulations)]


def _turns_ahead(depth: int) -> str:
    return say_number("{count} turn ahead", "{count} turns ahead", depth)


def with_time(name: str, seconds: float, game: Game) -> str:
    """The player *name*, thinking up to so many seconds a move where its time is the usual one.

    >>> from papan.game.catalogue import GAMES
    >>> [with_time(name, 3.0, GAMES["othello"]) for name in ("minimax:easy", "mcts", "random")]
    ['minimax:easy,time=3', 'mcts:time=3', 'random']
    """
    kind, colon, _setting = name.partition(":")
    family = _families(game).get(kind)
    if seconds == DEFAULT_TIME or family is None or "time" not in family.keys or family.usual_time != DEFAULT_TIME:
        return name
    return f"{name}{',' if colon else ':'}time={seconds:g}"


def make_player(name: str, game: Game) -> Player:
    """The player called *name* for *game*.

    :raises PlayerError: there is none; the message names those there are.
    """
    evaluation = evaluation_of(game)
    rules = game.rules
    kind, colon, setting = name.partition(":")
    described: Greedy | Searching | str = evaluation.PLAYERS.get(name, name)
    if isinstance(described, Greedy):
        return GreedyPlayer(rules, evaluation.WEIGHTS[described.weights])
    if isinstance(described, Searching):
        weights = evaluation.WEIGHTS[described.weights]
        search = AlphaBeta(rules, weights, described.prefers_wins)
        return SearchingPlayer(rules, _suited(search, game), Limit(depth=described.depth), described.depth)
    if described != name:
        return make_player(described, game)
    if name == "random":
        return GreedyPlayer(rules, None)
    if name.startswith(ENGINE):
        return _engine_player(name, game)
    weighs_steps = any(isinstance(own, Greedy) for own in evaluation.PLAYERS.values())
    if kind == GREEDY and weighs_steps and setting in evaluation.WEIGHTS:
        return GreedyPlayer(rules, evaluation.WEIGHTS[setting])
    families = _families(game)
    if kind in families:
        family = families[kind]
        chosen = _setting(kind, family, setting if colon else None, evaluation)
        return SearchingPlayer(rules, _make(family, game, chosen), chosen.limit, chosen.depth_asked)
    searching = [f"{word}{_colon(family)}" for word, family in families.items()]
    engines = [entry.player for entry in read_entries().of(game.name)]
    greedy = [f"{GREEDY}:WEIGHTS"] if weighs_steps else []
    names = ", ".join(["random", *searching, *evaluation.PLAYERS, *greedy, *engines])
    raise PlayerError(
        say("There is no player {name} for {game}; there are {names}.", name=quoted(name), game=game.title, names=names)
    )


def _engine(name: str, game: Game) -> Entry | None:
    """The entry of the program that the player *name* is."""
    return next((entry for entry in read_entries().of(game.name) if entry.player == name), None)


def _engine_player(name: str, game: Game) -> Player:
    """:raises PlayerError: the person has no such program."""
    from papan.ai.engines.player import EnginePlayer  # few have one: nobody else waits for it to be imported

    entry = _engine(name, game)
    if entry is None:
        found = read_entries()
        known = ", ".join(entry.player for entry in found.of(game.name)) or say("none")
        faults = [fault for fault in found.faults if quoted(name.removeprefix(ENGINE)) in fault]
        raise PlayerError(
            joined(
                [
                    say(
                        "There is no engine {name} for {game} in {file}; there are {engines}.",
                        name=quoted(name),
                        game=game.title,
                        file=str(entries_file()),
                        engines=known,
                    ),
                    *faults,
                ]
            )
        )
    return EnginePlayer(entry, game)


def make_weighing(weights: WeightValues, game: Game, depth: int, memory: int | None = None) -> SearchingPlayer:
    """A player that looks *depth* turns ahead by the usual search, and judges what it sees by *weights*.

    :param memory: MiB that its search may keep in mind; its own default for None.
    """
    setting = SearchSetting(Limit(depth=depth), weights, memory)
    return SearchingPlayer(game.rules, _make(_families(game)["minimax"], game, setting), setting.limit)


def make_searcher(name: str, game: Game) -> Searcher:
    """The search by which the player called *name* chooses, for whoever wants more of it than a step.

    :raises PlayerError: there is no such player for *game*, or it does not search.
    """
    player = make_player(name, game)
    if not isinstance(player, SearchingPlayer):
        raise PlayerError(
            say("{name} does not search, so there is nothing that it could tell of a position.", name=quoted(name))
        )
    return player.search


def _make(family: Family, game: Game, setting: SearchSetting) -> Searcher:
    """The family's searcher, with the game's exact solver for its end where that helps."""
    search = family.make(game, setting)
    solver = exact_of(game) if family.finishes and setting.limit.depth is None else None
    return search if solver is None else Finishing(search, solver)


def _colon(family: Family) -> str:
    """What may follow the family's word, in short."""
    levels = list(LEVELS) if family.has_levels else []
    return ":" + "|".join([*levels, *(f"{word}={KEYS[word].letter}" for word in family.keys)])


def _families(game: Game) -> dict[str, Family]:
    """The searching players that suit *game*; the usual one is always called ``minimax`` as well."""
    suited = {kind: family for kind, family in FAMILIES.items() if family.suits(game)}
    return {"minimax": next(iter(suited.values())), **suited}


def _setting(kind: str, family: Family, setting: str | None, evaluation: Evaluation) -> SearchSetting:
    """The setting in ``KIND:SETTING``: a level, ``depth=N``, ``time=S``, or several with commas; None for no colon."""
    level: Level | None = None
    numbers: dict[str, float] = {}
    for part in [] if setting is None else setting.split(","):
        word, equals, value = part.partition("=")
        try:
            if not equals and part in LEVELS and family.has_levels and level is None:
                level = evaluation.LEVELS[part]
            elif equals and word in family.keys and word not in numbers:
                numbers[word] = KEYS[word].read(value)
            else:
                raise ValueError
        except ValueError:
            known = [
                *(LEVELS if family.has_levels else ()),
                *(joined([f"{w}={KEYS[w].letter}", KEYS[w].note], "") for w in family.keys),
            ]
            raise PlayerError(
                say(
                    "{name} is no player: after the colon comes {known}.",
                    name=quoted(f"{kind}:{setting}"),
                    known=_alternatives(known),
                )
            ) from None
    if level is None and family.has_levels and not any(word in numbers for word in _LIMITS):
        level = evaluation.LEVELS["hard"]
    if level and level.depth is not None:
        numbers.setdefault("depth", level.depth)
    asked = int(numbers["depth"]) if {*numbers} & {*_LIMITS} == {"depth"} else None
    seconds = numbers.get("time")
    if seconds is None and (level or not any(word in numbers for word in _LIMITS)):
        seconds = family.usual_time

    def whole(word: str) -> int | None:
        return int(numbers[word]) if word in numbers else None

    return SearchSetting(
        Limit(seconds, whole("depth"), whole("nodes"), whole("sims")),
        evaluation.WEIGHTS[level.weights if level else STANDARD],
        whole("memory"),
        whole("threads") or 1,
        asked,
    )


def _alternatives(words: Sequence[str]) -> str:
    """*words* as alternatives: "a, b or c"."""
    return alternatives([joined(words[:-1], ", "), words[-1]] if len(words) > 1 else words)
