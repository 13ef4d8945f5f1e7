"""Santorini in words."""

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

_CELL = {name: (int(name[1]) - 1) * 5 + "abcde".index(name[0]) for name in ("b2", "c3")}

PAGE = Page(
    N_("Be the first to move one of your two workers up onto the third level of a tower."),
    [
        Section(
            N_("A turn"),
            N_(
                "Choose one of your workers, **move** it, and **build** with the same worker. It moves to one of the "
                "eight cells around it: one level up at most, any number down, never onto a dome or another worker.\n"
                "It builds on a cell next to it where nobody stands: one block more, or a dome on the third level. "
                "Nobody can stand or build on a dome."
            ),
            Example(
                "0000001200011210010000000/1/mortal:c3,e1/mortal:d4,a5",
                N_("The worker on c3 stands on level 1: it can climb to level 2, but not to level 3."),
                chosen=_CELL["c3"],
                options={"gods": "none"},
            ),
        ),
        Section(
            N_("Winning and losing"),
            N_(
                "Moving **up onto level 3** wins at once. Walking from one third level to another wins nothing, nor "
                "does being pushed or swapped there.\n"
                "Whoever cannot move and then build has lost. With three or four players, one who cannot is out: the "
                "workers leave the board, the buildings stay, and the last one left wins."
            ),
            Example(
                "0000000000002300000000000/1/mortal:c3,e1/mortal:a5,e5",
                N_("From level 2 on c3 the worker wins by moving up onto d3."),
                chosen=_CELL["c3"],
                options={"gods": "none"},
            ),
        ),
        Section(
            N_("The gods"),
            N_(
                "Before the workers are placed, each player picks a god, whose power lasts for the whole game. What a "
                "god **may** do can be left undone: choose **Done**.\n"
                "**Apollo** may move onto an opponent's worker, which goes to the cell he left. A **free Apollo** may "
                "do so even where he could build nothing then, and is out of the game.\n"
                "**Artemis** may move a second time with the same worker, but not back to where it began.\n"
                "**Athena**: when she has moved up, no opponent can move up until her next turn.\n"
                "**Atlas** may build a dome at any level, even on the ground.\n"
                "**Demeter** may build a second time, on another cell."
            ),
        ),
        Section(
            N_("More gods"),
            N_(
                "**Hephaestus** may put a second block on the one just built; the second is never a dome.\n"
                "**Hermes**: if his workers stay on their levels, each may walk as far as it can get, or stay, and "
                "then either builds. Or one of them moves a single level up or down as anybody does, and builds.\n"
                "**Minotaur** may move onto an opponent's worker if that worker can be pushed straight on to a free "
                "cell, at any height.\n"
                "**Pan** also wins by moving down two levels or more.\n"
                "**Prometheus** may build before he moves as well as after; then he may not move up."
            ),
            Example(
                "0000000000001000000000000/1/minotaur:b2,e1/pan:c3,a5",
                N_("Minotaur on b2 can take c3: the worker there is pushed on to d4."),
                chosen=_CELL["b2"],
            ),
        ),
        Section(
            N_("Teams"),
            N_(
                "Four players can be two teams, the first and the third against the second and the fourth. A team "
                "shares two workers, which its first player places. Each player has a god of one's own and cannot use "
                "the partner's. Who wins or cannot move wins or loses for the team. Athena does not bind her partner."
            ),
        ),
    ],
    N_(
        "Gordon Hamilton first published Santorini in 2004; in the edition of 2016, with its gods and white "
        "towers, it became known all over the world."
    ),
)
