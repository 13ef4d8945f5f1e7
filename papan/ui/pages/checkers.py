"""Checkers in words."""

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

PAGE = Page(
    goal=N_("Leave your opponent without a move: by capturing all pieces, or by shutting in those that are left."),
    sections=(
        Section(
            N_("The board"),
            N_(
                "Two players have twelve men each. Only the **32 dark squares** are used; they are numbered from 1 to "
                "32. Black moves first.\nWhere one person plays, that person's men are at the bottom; otherwise "
                "White's are."
            ),
        ),
        Section(
            N_("Moves and captures"),
            N_(
                "A man moves one square forwards along a diagonal. It captures by **jumping** over an opponent's piece "
                "next to it, forwards too, onto the free square behind.\nCaptures are **compulsory**: if you can "
                "capture, you must. Of several captures you may choose any, even the smaller one."
            ),
            Example(
                "B:W17,18,26,32:B2,7,14",
                N_("Black must capture with the man on 14: one man on 21, or two by going on from 23 to 30."),
                chosen=13,
            ),
        ),
        Section(
            N_("Several jumps"),
            N_(
                "A piece that has captured and can capture again **must jump on**, in the same turn, until it can't. "
                "At each jump you choose the way. What has been jumped over leaves the board."
            ),
        ),
        Section(
            N_("Kings"),
            N_(
                "A man that reaches the far row becomes a **king**, and the turn ends there, even if it could capture "
                "on. Kings move and capture one square like men, but backwards as well as forwards."
            ),
            Example(
                "W:WK11,31:B2,15,22",
                N_("White's king captures backwards: over 15 to 18, and on over 22 to 25."),
                chosen=10,
            ),
        ),
        Section(
            N_("The end"),
            N_(
                "Whoever is to move and **can't** has lost. The game is a draw when a position comes for the third "
                "time, or when each side has made 40 turns with neither a capture nor a man's move."
            ),
            Example("W:W13,29:B9,6,25,22", N_("White is to move: both men are shut in. White has lost.")),
        ),
        Section(
            N_("A first piece of advice"),
            N_(
                "Because captures are compulsory, you can give a man to pull a piece to where you take two. And keep "
                "some men on your first row as long as you can: they keep the opponent from getting kings."
            ),
        ),
    ),
    history=N_(
        "Checkers, which is called draughts in Britain, goes back to a game of medieval France. In 2007 Jonathan "
        "Schaeffer's group proved, after 18 years of computing, that with best play on both sides it is a draw."
    ),
)
