"""Santorini on graphs in words."""

from __future__ import annotations

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

_RING = {"variant": "1W_I2H_NTWDS", "board": "cycle:6"}
_SHARED = {"variant": "2W_I4H_TWUS", "board": "grid:3x3"}
_STUCK = {"variant": "2W_P2H_NTWUS", "board": "path:6"}

PAGE = Page(
    goal=N_("Climb to the level below the top, where the variant has it; or leave your opponent without a move."),
    sections=(
        Section(
            N_("The board"),
            N_(
                "Towers stand on **nodes**, and workers walk along the **edges** between them. The ordinary board is a"
                " grid whose nodes are joined to the eight around them; there are paths, rings, complete graphs, and"
                " whatever you write yourself: **edges:0-1,1-2,2-0** joins three nodes to a triangle. A board has up"
                " to 126 nodes.\n"
                "Each player in turn places all of his workers. Workers that are everybody's are placed one by one, by"
                " turns, and play goes on with the next player."
            ),
        ),
        Section(
            N_("A turn"),
            N_(
                "First **move** one of your workers along an edge to a free node, at most **one level up**, or down as"
                " far as you like. Then the same worker **builds** one block on a free node next to it; the node just"
                " left is always one of these.\n"
                "At its greatest height a node has a dome: it is **closed**, to workers and to blocks."
            ),
            Example(
                "0100000110042001231001000/1/8,16/3,22",
                N_("This worker stands on level 2 and can climb to level 3 on node 17. Node 11 is closed."),
                chosen=16,
            ),
        ),
        Section(
            N_("The end"),
            N_(
                "With **tower wins** (TW), whoever moves a worker onto a node one level below the greatest height wins"
                " at once. Without them (NTW) only the other way is left: a player who **can't move** in his turn has"
                " lost."
            ),
            Example("012110/1/0/4", N_("Seat 1 can still move to node 1; node 2 is closed for ever."), options=_STUCK),
        ),
        Section(
            N_("The name of a variant"),
            N_(
                "**4W_P4H_TWUS** is the ordinary game. Its parts are, one after the other:\n"
                "**4W** four workers; **P** each player has half of them, or **I** all workers are everybody's;"
                " **4H** the greatest height; **TW** tower wins, or **NTW** none; **U** edges lead both ways, or **D**"
                " they are one-way; a star, **U*** or **D***, builds only on the node just left; **S** for Santorini;"
                " and **S_FM** for free movement: a worker climbs to any height that is not closed."
            ),
            Example(
                "012101020/2/1,6",
                N_("2W_I: both players move both workers, so that every climb helps the other one too."),
                options=_SHARED,
            ),
        ),
        Section(
            N_("One-way edges"),
            N_(
                "Where edges are one-way, a worker moves **along** the arrows and builds **against** them: on nodes"
                " from which it could have come. On a ring with one worker there is nothing to choose, and counting"
                " tells who wins."
            ),
            Example(
                "100000/2/1", N_("The worker came from node 0, which has grown, and goes on to node 2."), options=_RING
            ),
        ),
    ),
    history=N_(
        "Carson Geissler described these variants in 2020, in a study of how hard it is to solve Santorini. With one"
        " shared worker, one level, no tower wins and the star it is the old game of geography on a graph."
    ),
)
