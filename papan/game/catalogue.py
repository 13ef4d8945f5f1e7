"""All games: those of the house, and guests, which other installed packages bring."""

from __future__ import annotations

from collections.abc import Mapping

from papan.game.base.foreign import quoted
from papan.game.facts import Game, NumberOption, Option, OptionError, Parts, TextOption
from papan.game.guests import find_guests


def _house(room: str, *, exact: bool = False, engines: bool = False, board: bool = True) -> Parts:
    """The parts of a game of the house: on each floor the module, or the package, called *room*."""
    return Parts(
        rules=f"papan.game.rules.{room}",
        evaluation=f"papan.ai.evaluation.{room}",
        exact=f"papan.ai.exact.{room}" if exact else "",
        engines=f"papan.ai.engines.games.{room}" if engines else "",
        observation=f"papan.ai.observation.{room}",
        board=f"papan.ui.boards.{room}" if board else "",
        page=f"papan.ui.pages.{room}" if board else "",
    )


HOUSE: Mapping[str, Game] = {
    game.name: game
    for game in (
        Game(
            "santorini",
            "Santorini",
            "Climb, build, outwit",
            _house("santorini"),
            seats=(2, 3, 4),
            own_options=(
                Option("gods", "Gods", {"simple": "ten simple gods", "seeds": "Apollo and Atlas", "none": "no gods"}),
                Option("pick", "Choosing gods", {"choose": "each player chooses", "random": "at random"}),
                Option(
                    "same",
                    "Same god twice",
                    {"no": "not allowed", "yes": "allowed"},
                    usual={("gods", "seeds"): "yes"},  # OP(2) of Kelvin and Lukas allows it
                ),
                Option("placement", "Placing workers", {"choose": "each player chooses", "random": "at random"}),
                Option("teams", "Teams", {"no": "each for himself", "yes": "1 and 3 against 2 and 4"}),
            ),
        ),
        Game(
            "santorini-graph",
            "Santorini on graphs",
            "The towers on any map",
            _house("santorini_graph"),
            own_options=(
                TextOption(
                    "variant",
                    "Variant",
                    {
                        "4W_P4H_TWUS": "4 workers, the ordinary game",
                        "2W_P4H_TWUS": "2 workers, one each",
                        "4W_P3H_NTWUS": "4 workers, low towers, only blocking wins",
                        "4W_P4H_TWUS_FM": "4 workers that climb to any height",
                        "4W_I4H_TWUS": "4 workers that are everybody's",
                        "1W_I2H_NTWD*S": "1 worker on one-way edges",
                    },
                    form="any variant nW_P or nW_I, mH_TW or mH_NTW, U, U*, D or D*, S or S_FM",
                    reader="papan.game.rules.santorini_graph.names:read_variant",
                    speaker="papan.game.rules.santorini_graph.names:variant_in_words",
                ),
                TextOption(
                    "board",
                    "Board",
                    {
                        "grid:5x5": "5 × 5, the ordinary board",
                        "grid:4x4": "4 × 4, a small board",
                        "cycle:12": "a ring of 12",
                        "complete:8": "8 nodes, all joined to all",
                        "path:10": "a path of 10",
                        "edges:0-1,1-2,2-3,3-4,4-0,0-5,1-6,2-7,3-8,4-9,5-7,7-9,9-6,6-8,8-5": "Petersen's graph",
                    },
                    form="any grid:RxC, path:k, cycle:k, complete:k or edges:0-1,1-2,… of up to 32 nodes",
                    reader="papan.game.rules.santorini_graph.names:read_board",
                    speaker="papan.game.rules.santorini_graph.names:board_in_words",
                ),
            ),
        ),
        Game(
            "cifra",
            "CIFRA Code25",
            "Race across a coded board",
            _house("cifra", exact=True),
            own_options=(
                Option("mode", "Mode", {"dash": "dash", "king": "king", "sum": "sum"}),
                Option("size", "Board", {"5": "5 × 5", "9": "9 × 9"}),
            ),
        ),
        Game(
            "catur-jawa",
            "Catur Jawa",
            "Javanese chess with cards",
            _house("catur_jawa"),
            seats=(2, 3, 4),
            has_hidden_information=True,
        ),
        Game("connect-four", "Connect Four", "Four in a row", _house("connect_four", exact=True)),
        Game("checkers", "Checkers", "English draughts", _house("checkers")),
        Game("othello", "Othello", "Outflank and turn over", _house("othello", exact=True, engines=True)),
        Game(
            "gomoku",
            "Gomoku",
            "Five in a row",
            _house("gomoku", engines=True),
            own_options=(
                Option("size", "Board", {"15": "15 × 15", "19": "19 × 19", "20": "20 × 20"}),
                Option("exact", "Winning", {"no": "five or more in a row", "yes": "exactly five in a row"}),
            ),
        ),
        Game("xiangqi", "Xiangqi", "Chinese chess", _house("xiangqi", engines=True)),
        Game(
            "2048",
            "2048",
            "Slide and merge",
            _house("twenty48"),
            seats=(1,),
            own_options=(
                Option("size", "Board", {"4": "4 × 4", "3": "3 × 3", "2": "2 × 2"}),
                Option("start", "First tiles", {"random": "at random", "22": "two 2s"}),
            ),
            has_chance=True,
        ),
        Game(
            "p-tree",
            "P-tree",
            "Random trees to measure searches with",
            _house("p_tree", board=False),
            own_options=(
                NumberOption("branching", "Branches", {"2": "2", "8": "8"}, numbers=range(2, 9)),
                NumberOption("depth", "Depth", {"20": "20", "8": "8"}, numbers=range(1, 21)),
                NumberOption("tree", "Tree", {"0": "0", "1": "1"}, numbers=range(2**31)),
            ),
        ),
    )
}


GUESTS = find_guests(HOUSE)
"""The games that other packages bring, and what was wrong with those that can't be played."""

GAMES: Mapping[str, Game] = {**HOUSE, **GUESTS.games}

GALLERY: Mapping[str, Game] = {name: game for name, game in GAMES.items() if game.in_gallery}
"""The games that can be played in the window."""


def find(name: str) -> Game:
    """The game called *name*.

    :raises OptionError: there is no such game.
    """
    if name not in GAMES:
        raise OptionError(f"There is no game {quoted(name)}; there are {', '.join(GAMES)}.")
    return GAMES[name]
