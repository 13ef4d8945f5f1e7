"""Computer players by name: ``random``, ``level:3``, ``minimax:hard``, ``h2`` …"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from papan.ai.engines.entries import PREFIX as ENGINE
from papan.ai.engines.entries import Entry, entries_file, read_entries
from papan.ai.evaluation import Greedy, Searching, WeightValues, evaluation_of
from papan.ai.learning.bundled import story_of
from papan.ai.limits import Limit
from papan.ai.players.families import (
    BY_PRACTICE,
    DEFAULT_TIME,
    FAMILIES,
    LEVELS,
    MOST_MEMORY,
    MOST_THREADS,
    SearchSetting,
    colon,
    families_of,
    make_search,
    opens_by,
    read_setting,
    suited,
)
from papan.ai.players.levels import (
    NAMED_LEVELS,
    PLAYER_LEVELS,
    PREFIX,
    FalliblePlayer,
    level_setting,
    make_level,
    named_level_of,
    player_level_of,
)
from papan.ai.players.situations import (
    GreedyPlayer,
    Past,
    Player,
    PlayerError,
    PlayerWithSearch,
    SearchingPlayer,
    Situation,
    situation,
)
from papan.ai.search import Searcher
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.deepening import Deepening
from papan.ai.search.expectimax import Expectimax
from papan.game.base.sentences import capitalised, figures, joined, say, say_number
from papan.game.base.untrusted import quoted, shortened
from papan.game.game import Game

__all__ = [
    "BY_PRACTICE", "DEFAULT_TIME", "FAMILIES", "GREEDY", "HUMAN", "LETTER", "LEVELS", "MOST_MEMORY", "MOST_THREADS",
    "FalliblePlayer", "GreedyPlayer", "Past", "Player", "PlayerChoice", "PlayerError", "PlayerWithSearch",
    "SearchSetting", "SearchingPlayer", "Situation", "choices", "describe", "in_plain_words", "is_engine",
    "label_of", "make_player", "make_searcher", "make_weighing", "situation", "threads_of", "with_time",
]  # fmt: skip

HUMAN = "human"
"""A seat that no computer plays."""
LETTER = "letter"
"""A seat of a friend elsewhere, who plays by letter."""
GREEDY = "greedy"
"""The family of ``greedy:WEIGHTS``."""


class PlayerChoice(NamedTuple):
    name: str
    label: str
    note: str


def choices(game: Game) -> list[PlayerChoice]:
    """The players to offer for *game*: easy, medium and hard, the eight levels, all others."""
    own = evaluation_of(game).PLAYERS
    families = families_of(game)
    others = [
        f"{kind}:hard" if family.has_levels else kind
        for kind, family in families.items()
        if family is not families["minimax"]
    ]
    engines = [entry.player for entry in read_entries().of(game.name)]
    levels = (level.player for level in (*NAMED_LEVELS, *PLAYER_LEVELS))
    names = (*levels, *others, "random", *own, *engines)
    return [describe(name, game) for name in names]


def describe(name: str, game: Game) -> PlayerChoice:
    """The player *name* with its label and a note; *name* may be any text.

    >>> from papan.game.catalogue import GAMES
    >>> describe("minimax:hard,time=3", GAMES["connect-four"])
    PlayerChoice(name='minimax:hard,time=3', label='Hard', note='plays as well as it can, 3 s per move')
    >>> describe("level:3", GAMES["connect-four"])
    PlayerChoice(name='level:3', label='Rooster', note='looks before it leaps')
    """
    evaluation = evaluation_of(game)
    own = evaluation.PLAYERS.get(name)
    known, step = _label(name), player_level_of(name)
    if name == "random":
        return PlayerChoice(name, known, say("any legal step"))
    if name == LETTER:
        return PlayerChoice(name, known, in_plain_words(name, game))
    if step is not None:
        return PlayerChoice(name, known, joined([step.line, *_time_in_words(name, game)], ", "))
    if name.startswith(ENGINE):
        engine = _engine(name, game)
        return PlayerChoice(name, known, engine.limit_in_words if engine else "")
    if isinstance(own, Searching):
        return PlayerChoice(
            name, name.capitalize(), joined([families_of(game)["minimax"].title, _turns_ahead(own.depth)], ", ")
        )
    if isinstance(own, Greedy):
        return PlayerChoice(name, name.capitalize(), say("takes the best-looking step"))
    if isinstance(own, str):
        return describe(own, game)._replace(name=name, label=name.capitalize())
    kind, _colon, _setting = name.partition(":")
    family, chosen = families_of(game).get(kind), _setting_of(name, game)
    if family is None or chosen is None:
        return PlayerChoice(name, capitalised(shortened(name)) if family is None else shortened(name), "")
    level = named_level_of(name)
    if level is not None:
        return PlayerChoice(name, level.title, joined([level.line, *_time_in_words(name, game)], ", "))
    parts = _story(kind, chosen.limit, game) or [family.title, *_limit_in_words(chosen.limit)]
    return PlayerChoice(name, family.title, joined(parts, ", "))


def label_of(name: str, game: Game) -> str:
    """The label that ``describe`` gives; loads the game's evaluation only where the name is not enough.

    >>> from papan.game.catalogue import GAMES
    >>> label_of("level:3", GAMES["connect-four"]), label_of("minimax:depth=3", GAMES["connect-four"])
    ('Rooster', 'Minimax')
    """
    return _label(name) or describe(name, game).label


def _label(name: str) -> str:
    """The label of a player that has the same in every game; "" for others."""
    if name == "random":
        return say("Random")
    if name == LETTER:
        return say("A friend by letter")
    step = player_level_of(name)
    if step is not None:
        return step.title
    if name.startswith(ENGINE):
        return shortened(name.removeprefix(ENGINE))
    level = named_level_of(name)
    return level.title if level is not None else ""


def in_plain_words(name: str, game: Game) -> str:
    """A description of the player *name*, without jargon; *name* may be any text.

    >>> from papan.game.catalogue import GAMES
    >>> in_plain_words("minimax:hard,time=3", GAMES["connect-four"]), in_plain_words(HUMAN, GAMES["connect-four"])
    ('computer, 3 s per move', 'a person')
    >>> in_plain_words("level:3", GAMES["connect-four"]), in_plain_words("level:8", GAMES["connect-four"])
    ('level 3 of 8', 'level 8 of 8, 1 s per move')
    >>> in_plain_words("heights", GAMES["santorini"])
    'computer, 3 turns ahead'
    """
    if name == HUMAN:
        return say("a person")
    if name == LETTER:
        return say("by mail or messenger")
    if name == "random":
        return say("plays at random")
    step = player_level_of(name)
    if step is not None:
        level = say("level {number} of {most}", number=step.number, most=len(PLAYER_LEVELS))
        return joined([level, *_time_in_words(name, game)], ", ")
    own = evaluation_of(game).PLAYERS.get(name)
    if isinstance(own, Searching):
        return joined([say("computer"), _turns_ahead(own.depth)], ", ")
    if isinstance(own, str):
        return in_plain_words(own, game)
    chosen = _setting_of(name, game)
    if chosen is None:
        return describe(name, game).note or say("a computer")
    story = _story(name.partition(":")[0], chosen.limit, game)
    return joined(story[:1] or [say("computer"), *_limit_in_words(chosen.limit)], ", ")


def _setting_of(name: str, game: Game) -> SearchSetting | None:
    """The setting of the searching player *name*; None for any other text."""
    kind, separator, setting = name.partition(":")
    family = families_of(game).get(kind)
    if family is None:
        return None
    try:
        return read_setting(kind, family, setting if separator else None, evaluation_of(game))
    except PlayerError:
        return None


def _story(kind: str, limit: Limit, game: Game) -> list[str]:
    """How a player of this *kind* learned to play, and how well it plays at depth 1; or nothing."""
    story = story_of(game) if kind in BY_PRACTICE else []
    return story if limit == Limit(depth=1) else [*story[:1], *(_limit_in_words(limit) if story else ())]


def _time_in_words(name: str, game: Game) -> list[str]:
    """The thinking time of the level *name*, if time is its only limit; or nothing."""
    try:
        chosen = level_setting(name, game) if player_level_of(name) is not None else _setting_of(name, game)
    except PlayerError:
        return []
    return [] if chosen is None or chosen.limit.depth is not None else _limit_in_words(chosen.limit)


def _limit_in_words(limit: Limit) -> list[str]:
    if limit.depth is not None:
        return [_turns_ahead(limit.depth)]
    if limit.time is not None:
        return [say("{seconds} s per move", seconds=figures(limit.time, "g"))]
    return [] if limit.simulations is None else [say("{number} games per move", number=limit.simulations)]


def _turns_ahead(depth: int) -> str:
    return say_number("{count} turn ahead", "{count} turns ahead", depth)


def with_time(name: str, seconds: float, game: Game) -> str:
    """The player *name*, thinking up to *seconds* a move if its time is the usual one.

    >>> from papan.game.catalogue import GAMES
    >>> [with_time(name, 3.0, GAMES["othello"]) for name in ("level:7", "level:8", "mcts", "random")]
    ['level:7', 'level:8,time=3', 'mcts:time=3', 'random']
    """
    if player_level_of(name) is not None or named_level_of(name) is not None:
        return f"{name},time={seconds:g}" if _time_in_words(name, game) and seconds != DEFAULT_TIME else name
    kind, separator, _setting = name.partition(":")
    family = families_of(game).get(kind)
    if seconds == DEFAULT_TIME or family is None or "time" not in family.keys or family.usual_time != DEFAULT_TIME:
        return name
    if family.usual_depth is not None and not separator:
        return name
    return f"{name}{',' if separator else ':'}time={seconds:g}"


def is_engine(name: str) -> bool:
    return name.startswith(ENGINE)


def threads_of(name: str, game: Game) -> int:
    """The number of threads that the player *name* searches with; *name* may be any text.

    >>> from papan.game.catalogue import GAMES
    >>> [threads_of(name, GAMES["othello"]) for name in ("minimax:hard,threads=2", "minimax", "level:8", "nobody")]
    [2, 1, 1, 1]
    """
    own = evaluation_of(game).PLAYERS.get(name)
    if isinstance(own, str):
        return threads_of(own, game)
    chosen = _setting_of(name, game)
    return 1 if chosen is None else chosen.threads


def make_player(name: str, game: Game, *, compact: bool = False) -> Player:
    """The player called *name* for *game*.

    :param compact: whether it takes less memory: a smaller table, and ``papan.ai.learning.compact`` weights.
    :raises PlayerError: there is none; the message lists the players.
    """
    player = _new_player(name, game, compact=compact)
    if isinstance(player, PlayerWithSearch) and player.limit.depth is not None:
        player.make_plain = partial(_untimed, name, game)
    return player


def _untimed(name: str, game: Game) -> PlayerWithSearch:
    player = _new_player(name, game, compact=True)
    assert isinstance(player, PlayerWithSearch)
    player.limit = replace(player.limit, time=None)
    return player


def _new_player(name: str, game: Game, *, compact: bool = False) -> Player:
    if name == LETTER:
        raise PlayerError.saying(
            "A friend by letter is no computer: choose one in the window, in the form of a new match."
        )
    evaluation = evaluation_of(game)
    rules = game.rules
    kind, separator, setting = name.partition(":")
    described: Greedy | Searching | str = evaluation.PLAYERS.get(name, name)
    if isinstance(described, Greedy):
        return GreedyPlayer(rules, evaluation.WEIGHTS[described.weights])
    if isinstance(described, Searching):
        weights = evaluation.WEIGHTS[described.weights]
        looking: Deepening = (
            Expectimax(rules, weights, judges_ends=not described.prefers_wins)
            if game.has_chance
            else AlphaBeta(rules, weights, described.prefers_wins)
        )
        return SearchingPlayer(rules, suited(looking, game), Limit(depth=described.depth), described.depth)
    if described != name:
        return make_player(described, game, compact=compact)
    if name == "random":
        return GreedyPlayer(rules, None)
    if name.startswith(PREFIX):
        return make_level(name, game)
    if name.startswith(ENGINE):
        return _engine_player(name, game)
    weighs_steps = any(isinstance(own, Greedy) for own in evaluation.PLAYERS.values())
    if kind == GREEDY and weighs_steps and setting in evaluation.WEIGHTS:
        return GreedyPlayer(rules, evaluation.WEIGHTS[setting])
    families = families_of(game)
    if kind in families:
        family = families[kind]
        chosen = read_setting(kind, family, setting if separator else None, evaluation)
        chosen = replace(chosen, is_compact=compact)
        search, openings = make_search(family, game, chosen), opens_by(family, game, chosen)
        return SearchingPlayer(rules, search, chosen.limit, chosen.depth_asked, openings)
    searching = [f"{word}{colon(family)}" for word, family in families.items()]
    engines = [entry.player for entry in read_entries().of(game.name)]
    greedy = [f"{GREEDY}:{'|'.join(evaluation.WEIGHTS)}"] if weighs_steps else []
    levels = PREFIX + "|".join(str(step.number) for step in PLAYER_LEVELS)
    names = ", ".join(["random", levels, *searching, *evaluation.PLAYERS, *greedy, *engines])
    raise PlayerError.saying(
        "There is no player {name} for {game}; there are {names}.", name=quoted(name), game=game.title, names=names
    )


def _engine(name: str, game: Game) -> Entry | None:
    return next((entry for entry in read_entries().of(game.name) if entry.player == name), None)


def _engine_player(name: str, game: Game) -> Player:
    """:raises PlayerError: the user has no such program."""
    from papan.ai.engines.player import EnginePlayer  # imported only on demand

    entry = _engine(name, game)
    if entry is None:
        found = read_entries()
        known = ", ".join(entry.player for entry in found.of(game.name)) or say("none")
        own = quoted(name.removeprefix(ENGINE))
        faults = [fault for fault in found.faults if not found.engines or own in fault]
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
    """The usual search to *depth* by *weights*, with *memory* MiB for its table, or its default."""
    setting = SearchSetting(Limit(depth=depth), weights, memory)
    return SearchingPlayer(game.rules, make_search(families_of(game)["minimax"], game, setting), setting.limit)


def make_searcher(name: str, game: Game, *, compact: bool = False) -> Searcher:
    """The search of the player called *name*.

    :raises PlayerError: there is no such player for *game*, or it does not search.
    """
    player = make_player(name, game, compact=compact)
    if not isinstance(player, (SearchingPlayer, FalliblePlayer)):
        raise PlayerError.saying("{name} does not search, so it can't analyse positions.", name=quoted(name))
    return player.search
