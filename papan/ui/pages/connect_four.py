"""Connect Four in words."""

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

PAGE = Page(
    goal=N_("Be the first to have four of your discs in a row: across, up, or along a diagonal."),
    sections=(
        Section(
            N_("A turn"),
            N_(
                "Two players take turns. You drop one disc into any column that is not full; it falls to the lowest "
                "free cell.\nThere is no passing and no taking back on the board: each disc stays where it fell."
            ),
            Example("44353", N_("Five discs have been dropped; seat 2 is to move and has to think of column 6.")),
        ),
        Section(
            N_("The end"),
            N_(
                "Four in a row win **at once**. If all 42 cells are filled without four in a row, the game is a draw.\n"
                "With best play on both sides the player who starts in the middle column wins."
            ),
            Example("4455667", N_("Seat 1 has four in the lowest row.")),
        ),
        Section(
            N_("A first piece of advice"),
            N_(
                "Look for a disc that threatens **two** fours at once: only one of them can be stopped. And before you "
                "drop a disc, look at the cell **above** it, because that is what you give to your opponent."
            ),
        ),
    ),
    history=N_(
        "The game has been sold since 1974, and older forms of it are known. In 1988 James Allen and Victor Allis, "
        "independently of each other, proved that the first player can always win."
    ),
)
