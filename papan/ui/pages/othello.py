"""Othello in words."""

from __future__ import annotations

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

_START = "---------------------------OX------XO--------------------------- X"
_FIRST_CELLS = (19, 26, 37, 44)  # d3, c4, f5, e6
_SEVERAL_LINES = "--------------------------XXX-----OOO----O-OOX----O------------- X"
_CORNER = "---------------------------OX------XO----------O-------O-------X X"

PAGE = Page(
    goal=N_("Have more discs of your colour on the board than your opponent when nobody can play any more."),
    sections=(
        Section(
            N_("Putting a disc"),
            N_(
                "Discs are black on one side and white on the other. Black begins. In your turn you put **one disc** on"
                " an empty cell, so that in at least one straight line, across, down or diagonally, there is an"
                " unbroken row of your opponent's discs between the new disc and another one of yours. They are"
                " **outflanked**.\n"
                "A disc that would outflank nothing may not be put."
            ),
            Example(
                _START,
                N_("Black to begin: only on the marked cells does a disc outflank a white one."),
                marks=dict.fromkeys(_FIRST_CELLS, "+1"),
            ),
        ),
        Section(
            N_("Turning discs over"),
            N_(
                "**All** the discs that your new disc outflanks, in every direction, are turned over and become yours;"
                " you can't choose among them. Discs never leave the board, and a disc that has just been turned over"
                " outflanks nothing itself."
            ),
            Example(
                _SEVERAL_LINES,
                N_("Black on c6 turns over c5, d5, d6 and e6; behind b6 and c7 there is no black disc."),
                marks={42: "+4"},
            ),
        ),
        Section(
            N_("Passing"),
            N_(
                "If you can't outflank a disc you **must pass**, and your opponent plays on. If you can, you may"
                " not pass."
            ),
        ),
        Section(
            N_("The end"),
            N_(
                "The game is over as soon as **neither player can play**, mostly because the board is full. Whoever has"
                " more discs wins; as many each is a draw."
            ),
        ),
        Section(
            N_("Playing well"),
            N_(
                "A disc in a **corner** can never be turned over, nor can those that are lined up with it along the"
                " edge. So don't lightly play on the cells beside an empty corner: they let your opponent in.\n"
                "For most of the game it is better to have **few** discs and **many cells to choose from**: who runs"
                " out of good cells has to play bad ones."
            ),
            Example(
                _CORNER, N_("The black disc in the corner, and whatever joins it along the edge, is there to stay.")
            ),
        ),
    ),
    history=N_(
        "Reversi was sold in London in the 1880s. Goro Hasegawa gave it a fixed start and its name in Japan in 1971;"
        " world championships have been held since 1977."
    ),
)
