"""Xiangqi in words."""

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
_HORSE = "3k5/9/9/4p4/9/3pN4/9/9/9/5K3 w"
_CANNON = "3k5/9/4n4/9/4p4/9/2P1C1p2/9/9/5K3 w"
_MATE = "R3k4/1R7/9/9/9/9/9/9/9/3K5 b"

PAGE = Page(
    goal=N_("Leave the enemy's general no way out: a side without a legal move has lost."),
    sections=(
        Section(
            N_("The board"),
            N_(
                "Pieces stand on the **points** where lines cross, 9 files by 10 ranks. Between the two sides lies the "
                "**river**; each general has a **palace**, the nine points with the diagonals. Red moves first.\n"
                "In the settings you can have pictures on the pieces instead of characters."
            ),
            Example(_START, N_("From the middle outwards: general, advisors, elephants, horses, chariots.")),
        ),
        Section(
            N_("General, advisors, elephants"),
            N_(
                "The **general** moves one point along a line, an **advisor** one point diagonally; neither leaves the "
                "palace. An **elephant** moves exactly two points diagonally, not over a piece in between and not "
                "across the river.\nThe two generals may never **face each other** on a file with nothing between."
            ),
        ),
        Section(
            N_("Horses and chariots"),
            N_(
                "A **chariot** moves along a line as far as nothing stands in its way. A **horse** moves one point "
                "along a line and then one diagonally outwards. A piece on the first of these points **hobbles** it: "
                "it does not jump."
            ),
            Example(
                _HORSE, N_("The soldier on d4 hobbles this horse to the left; all other ways are open."), chosen=40
            ),
        ),
        Section(
            N_("Cannons"),
            N_(
                "A **cannon** moves like a chariot, but captures by jumping over **exactly one** piece, of either "
                "side, at any distance."
            ),
            Example(_CANNON, N_("Over the soldier on e5 the cannon captures the horse on e7."), chosen=31),
        ),
        Section(
            N_("Soldiers"),
            N_(
                "A **soldier** moves and captures one point ahead. Beyond the river it may also go to a side, "
                "never back. It is not promoted."
            ),
        ),
        Section(
            N_("The end"),
            N_(
                "A general that is attacked is in **check**, and must be saved at once. Who has **no legal move** has "
                "lost, in check or not.\nThe third time that a position comes the game is a draw, unless one side has "
                "given **perpetual check**: then that side loses. 60 turns by each side without a capture are a draw "
                "too."
            ),
            Example(_MATE, N_("Checkmate: one chariot attacks, the other one holds the next rank.")),
        ),
    ),
    history=N_(
        "Xiangqi is an old relative of chess, played in China in about this form for some 800 years. The characters in "
        "the river name the border between Chu and Han, two rivals for China's throne around 200 BC."
    ),
)
