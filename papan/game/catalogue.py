"""All games: the built-in ones, and those that other installed packages bring as plugins.

A plugin is a ``Game`` named by an entry point of the group ``papan.games``. Its rules are loaded at once, so that no
broken game can be chosen.
"""

from __future__ import annotations

import importlib.metadata
import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from papan.game.base.sentences import SentenceError, joined, say
from papan.game.base.untrusted import LONGEST_QUOTE, plain, quoted, shortened
from papan.game.game import Game, NumberOption, Option, OptionError, PartError, Parts, TextOption

log = logging.getLogger(__name__)

GROUP = "papan.games"
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_NAME = 40
"""Characters; file names contain it."""
_LONGEST_REASON = 400


@dataclass(frozen=True)
class Plugins:
    """The games of other packages."""

    games: Mapping[str, Game]
    """By name; the rules of each are loaded."""
    faults: tuple[str, ...] = ()
    """One sentence for each game that was left out, with the reason."""


class _Unfit(SentenceError):
    """A plugin is refused; the message is a clause with the reason."""


def find_plugins(
    built_in: Mapping[str, Game], entry_points: Iterable[importlib.metadata.EntryPoint] | None = None
) -> Plugins:
    """Load the plugins, except those that have the name of a *built_in* game.

    :param entry_points: default: those of all installed packages.
    """
    games: dict[str, Game] = {}
    faults = []
    for entry in importlib.metadata.entry_points(group=GROUP) if entry_points is None else entry_points:
        try:
            game = _loaded(entry, {**built_in, **games})
            games[game.name] = game
        except Exception as error:  # the plugin's own code may raise anything
            known = isinstance(error, (_Unfit, PartError))
            reason = plain(str(error) if known else f"{type(error).__name__}: {error}")
            if len(reason) > _LONGEST_REASON:
                reason = f"{reason[: _LONGEST_REASON - 1]}…"
            package = shortened(entry.dist.name if entry.dist else entry.value)
            faults.append(
                say(
                    "The game '{name}' of the package '{package}' is left out: {reason}",
                    name=shortened(entry.name),
                    package=package,
                    reason=reason if reason.endswith(".") else joined([reason, "."], ""),
                )
            )
            log.warning("%s", faults[-1], exc_info=not isinstance(error, _Unfit))
    return Plugins(games, tuple(faults))


def _loaded(entry: importlib.metadata.EntryPoint, taken: Mapping[str, Game]) -> Game:
    """Load the game of *entry*, or raise _Unfit or PartError."""
    game = entry.load()
    if not isinstance(game, Game):
        raise _Unfit.saying(
            "'{value}' is a {kind}, not a papan.game.game.Game", value=entry.value, kind=type(game).__name__
        )
    if not _NAME.fullmatch(game.name):
        name = shortened(game.name)
        raise _Unfit.saying("its name '{name}' is not made of small letters, digits and hyphens", name=name)
    if len(game.name) > _LONGEST_NAME:
        raise _Unfit.saying("its name has more than {most} characters", most=_LONGEST_NAME)
    for option in game.options.values():
        if any(plain(word) != word or len(word) > LONGEST_QUOTE for word in (option.name, *option.values)):
            raise _Unfit.saying(
                "the name or a value of its option {name} contains unprintable characters or is too long",
                name=quoted(option.name),
            )
    if game.name in taken:
        raise _Unfit.saying("there is a game '{name}' already", name=game.name)
    _ = game.rules  # may raise a PartError
    return _with_plain_texts(game)


def _with_plain_texts(game: Game) -> Game:
    """*game* with short texts without control characters."""

    def shown(text: str) -> str:
        return text if text.isprintable() and len(text) <= LONGEST_QUOTE else shortened(text)

    def option_shown(option: Option) -> Option:
        values = {value: shown(words) for value, words in option.values.items()}
        return replace(option, title=shown(option.title), values=values)

    options = tuple(option_shown(option) for option in game.own_options)
    other = replace(game, title=shown(game.title), tagline=shown(game.tagline), own_options=options)
    return game if other == game else other


def _parts(
    module: str,
    *,
    exact: bool = False,
    engines: bool = False,
    formats: bool = False,
    board: bool = True,
    learning: bool = False,
    words: bool = False,
) -> Parts:
    """The parts of a built-in game: the module or package *module* of each package named here."""
    presentation = f"papan.game.presentation.{module}"
    return Parts(
        rules=f"papan.game.rules.{module}",
        evaluation=f"papan.ai.evaluation.{module}",
        exact=f"papan.ai.exact.{module}" if exact else "",
        engines=f"papan.ai.engines.games.{module}" if engines else "",
        formats=f"papan.game.formats.{module}" if formats else "",
        observation=f"papan.ai.observation.{module}",
        board=f"papan.ui.boards.{module}" if board else "",
        page=presentation if board else "",
        motifs=presentation if board else "",
        learning=f"papan.ai.learning.{module}" if learning else "",
        setup=presentation if board else "",
        words=f"papan.game.presentation.words.{module}" if words else "",
    )


BUILT_IN: Mapping[str, Game] = {
    game.name: game
    for game in (
        Game(
            "santorini",
            say("Santorini"),
            say("Climb, build, outwit"),
            _parts("santorini", formats=True, words=True),
            seats=(2, 3, 4),
            own_options=(
                Option(
                    "gods",
                    say("Gods"),
                    {
                        "simple": say("ten simple gods"),
                        "seeds": say("Apollo and Atlas"),
                        "paper": say("Apollo and Atlas; Apollo unrestricted"),
                        "none": say("no gods"),
                    },
                ),
                Option(
                    "pick", say("Choosing gods"), {"choose": say("each player chooses"), "random": say("at random")}
                ),
                Option(
                    "same",
                    say("Same god twice"),
                    {"no": say("not allowed"), "yes": say("allowed")},
                    usual={("gods", "seeds"): "yes", ("gods", "paper"): "yes"},  # allowed by OP(2) of Kelvin and Lukas
                ),
                Option(
                    "placement",
                    say("Placing workers"),
                    {"choose": say("each player chooses"), "random": say("at random")},
                ),
                Option(
                    "teams", say("Teams"), {"no": say("everyone for themselves"), "yes": say("1 and 3 against 2 and 4")}
                ),
            ),
        ),
        Game(
            "santorini-graph",
            say("Santorini on graphs"),
            say("The towers on any map"),
            _parts("santorini_graph", exact=True, words=True),
            own_options=(
                TextOption(
                    "variant",
                    say("Variant"),
                    {
                        "4W_P4H_TWUS": say("4 workers, the ordinary game"),
                        "2W_P4H_TWUS": say("2 workers, one each"),
                        "4W_P3H_NTWUS": say("4 workers, low towers, only blocking wins"),
                        "4W_P4H_TWUS_FM": say("4 workers that climb to any height"),
                        "4W_I4H_TWUS": say("4 shared workers"),
                        "1W_I2H_NTWD*S": say("1 worker on one-way edges"),
                    },
                    form=say("any variant nW_P or nW_I, mH_TW or mH_NTW, U, U*, D or D*, S or S_FM"),
                    reader="papan.game.rules.santorini_graph.names:read_variant",
                    speaker="papan.game.rules.santorini_graph.names:variant_in_words",
                ),
                TextOption(
                    "board",
                    say("Board"),
                    {
                        "grid:5x5": say("5 × 5, the ordinary board"),
                        "grid:4x4": say("4 × 4, a small board"),
                        "cycle:12": say("a ring of 12"),
                        "complete:8": say("8 nodes, all connected"),
                        "path:10": say("a path of 10"),
                        "edges:0-1,1-2,2-3,3-4,4-0,0-5,1-6,2-7,3-8,4-9,5-7,7-9,9-6,6-8,8-5": say("Petersen's graph"),
                    },
                    form=say("any grid:RxC, path:k, cycle:k, complete:k or edges:0-1,1-2,… of up to 126 nodes"),
                    reader="papan.game.rules.santorini_graph.names:read_board",
                    speaker="papan.game.rules.santorini_graph.names:board_in_words",
                ),
            ),
        ),
        Game(
            "cifra",
            say("CIFRA Code25"),
            say("Race on a coded board"),
            _parts("cifra", exact=True, words=True),
            own_options=(
                Option("mode", say("Mode"), {"dash": say("dash"), "king": say("king"), "sum": say("sum")}),
                Option("size", say("Board"), {"5": "5 × 5", "9": "9 × 9"}),
            ),
        ),
        Game(
            "catur-jawa",
            say("Catur Jawa"),
            say("Javanese card chess"),
            _parts("catur_jawa", learning=True, words=True),
            seats=(2, 3, 4),
            has_hidden_information=True,
        ),
        Game(
            "connect-four",
            say("Connect Four"),
            say("Four in a row"),
            _parts("connect_four", exact=True, engines=True, formats=True, learning=True),
        ),
        Game(
            "checkers",
            say("Checkers"),
            say("English draughts"),
            _parts("checkers", exact=True, formats=True, words=True),
        ),
        Game(
            "othello",
            say("Othello"),
            say("Outflank and turn over"),
            _parts("othello", exact=True, engines=True, formats=True, words=True),
        ),
        Game(
            "gomoku",
            say("Gomoku"),
            say("Five in a row"),
            _parts("gomoku", engines=True, formats=True),
            own_options=(
                Option("size", say("Board"), {"15": "15 × 15", "19": "19 × 19", "20": "20 × 20"}),
                Option(
                    "exact",
                    say("Winning"),
                    {
                        "no": say("five or more in a row"),
                        "yes": say("exactly five in a row"),
                        "renju": say("renju: exactly five, and Black has forbidden cells"),
                        "caro": say("caro: five or more, not closed at both ends"),
                        "caro-exact": say("caro: exactly five, not closed at both ends"),
                    },
                ),
            ),
        ),
        Game(
            "xiangqi",
            say("Xiangqi"),
            say("Chinese chess"),
            _parts("xiangqi", engines=True, formats=True, words=True),
            own_options=(
                Option(
                    "repetition",
                    say("Repetition"),
                    {
                        "check": say("perpetual check loses"),
                        "axf": say("perpetual check or chase loses"),
                    },
                ),
            ),
        ),
        Game(
            "2048",
            say("2048"),
            say("Slide and merge"),
            _parts("twenty48", exact=True, formats=True, learning=True, words=True),
            seats=(1,),
            own_options=(
                Option("size", say("Board"), {"4": "4 × 4", "3": "3 × 3", "2": "2 × 2"}),
                Option("start", say("First tiles"), {"random": say("at random"), "22": say("two 2s")}),
            ),
            has_chance=True,
        ),
        Game(
            "p-tree",
            say("P-tree"),
            say("Random trees to measure searches with"),
            _parts("p_tree", board=False),
            own_options=(
                NumberOption("branching", say("Branches"), {"2": "2", "8": "8"}, numbers=range(2, 9)),
                NumberOption("depth", say("Depth"), {"20": "20", "8": "8"}, numbers=range(1, 21)),
                NumberOption("tree", say("Tree"), {"0": "0", "1": "1"}, numbers=range(2**31)),
            ),
        ),
    )
}


PLUGINS = find_plugins(BUILT_IN)
"""The games of other packages, and the faults of those that can't be played."""

GAMES: Mapping[str, Game] = {**BUILT_IN, **PLUGINS.games}

GALLERY: Mapping[str, Game] = {name: game for name, game in GAMES.items() if game.in_gallery}
"""The games that the window offers."""


def find(name: str) -> Game:
    """Return the game *name*, or raise OptionError."""
    if name not in GAMES:
        raise OptionError.saying(
            "There is no game {name}; there are {games}.", name=quoted(name), games=", ".join(GAMES)
        )
    return GAMES[name]
