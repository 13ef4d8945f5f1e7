"""All games: the built-in ones, and those that other installed packages bring as plugins."""

from __future__ import annotations

from collections.abc import Mapping

from papan.game.base.sentences import say
from papan.game.base.untrusted import quoted
from papan.game.game import Game, NumberOption, Option, OptionError, Parts, TextOption
from papan.game.plugins import find_plugins


def _parts(
    module: str,
    *,
    exact: bool = False,
    engines: bool = False,
    board: bool = True,
    guide: bool = False,
    learning: bool = False,
) -> Parts:
    """The parts of a built-in game: the module or package *module* of each package named here."""
    presentation = f"papan.game.presentation.{module}"
    return Parts(
        rules=f"papan.game.rules.{module}",
        evaluation=f"papan.ai.evaluation.{module}",
        exact=f"papan.ai.exact.{module}" if exact else "",
        engines=f"papan.ai.engines.games.{module}" if engines else "",
        observation=f"papan.ai.observation.{module}",
        board=f"papan.ui.boards.{module}" if board else "",
        page=presentation if board else "",
        motifs=presentation if board else "",
        guide=presentation if guide else "",
        learning=f"papan.ai.learning.{module}" if learning else "",
        setup=presentation if board else "",
    )


BUILT_IN: Mapping[str, Game] = {
    game.name: game
    for game in (
        Game(
            "santorini",
            say("Santorini"),
            say("Climb, build, outwit"),
            _parts("santorini", guide=True),
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
                    usual={("gods", "seeds"): "yes", ("gods", "paper"): "yes"},  # OP(2) of Kelvin and Lukas allows it
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
            _parts("santorini_graph", exact=True),
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
            _parts("cifra", exact=True),
            own_options=(
                Option("mode", say("Mode"), {"dash": say("dash"), "king": say("king"), "sum": say("sum")}),
                Option("size", say("Board"), {"5": "5 × 5", "9": "9 × 9"}),
            ),
        ),
        Game(
            "catur-jawa",
            say("Catur Jawa"),
            say("Javanese card chess"),
            _parts("catur_jawa", learning=True),
            seats=(2, 3, 4),
            has_hidden_information=True,
        ),
        Game(
            "connect-four",
            say("Connect Four"),
            say("Four in a row"),
            _parts("connect_four", exact=True, guide=True, learning=True),
        ),
        Game("checkers", say("Checkers"), say("English draughts"), _parts("checkers", exact=True)),
        Game(
            "othello",
            say("Othello"),
            say("Outflank and turn over"),
            _parts("othello", exact=True, engines=True),
        ),
        Game(
            "gomoku",
            say("Gomoku"),
            say("Five in a row"),
            _parts("gomoku", engines=True),
            own_options=(
                Option("size", say("Board"), {"15": "15 × 15", "19": "19 × 19", "20": "20 × 20"}),
                Option(
                    "exact", say("Winning"), {"no": say("five or more in a row"), "yes": say("exactly five in a row")}
                ),
            ),
        ),
        Game("xiangqi", say("Xiangqi"), say("Chinese chess"), _parts("xiangqi", engines=True)),
        Game(
            "2048",
            say("2048"),
            say("Slide and merge"),
            _parts("twenty48", exact=True, learning=True),
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
"""The games of other packages, and what is wrong with those that can't be played."""

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
