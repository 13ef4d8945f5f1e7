"""Catur Jawa in words."""

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

_THREE_PLAYERS = {"seats": "3"}
_PLACING = (
    "........./........./........./...b4g8..../....r7r5.../....g6..../........./........./........."
    " 1 388,147,258 1122344566799,1223345567899,1133456677899"
)
_FOUR = (
    "........./........./........./...b4g8b2.../....r7r5r6r8./...b9g6g3.../........./........./........."
    " 2 138,147,258 12234456799,122345567899,113345667789"
)
_SUM = "........./........./.....g9.../...r4g8g1.../....r7r5r6../...r9g6g3.../........./........./......... 1 , ,"

PAGE = Page(
    goal=N_(
        "Be the first to have four of your cards in a row: across, up, or along a diagonal. If nobody manages, the "
        "best line wins."
    ),
    sections=(
        Section(
            N_("Cards"),
            N_(
                "Two to four players each have a deck of their own: the cards 1 to 9, twice. Everyone begins with a "
                "hand of three, and draws one card after playing one, until the deck is empty.\n"
                "Your hand is **hidden** from the others, and nobody knows the order of a deck. But every card that "
                "has been played has been seen: count, and you know what is still to come."
            ),
        ),
        Section(
            N_("A turn"),
            N_(
                "Play one card of your hand. The first card of the game goes on the centre, e5. From then on a card "
                "goes on any empty cell **next to a card** that lies, diagonally too, or **over another player's lower "
                "card**. Your own cards and nines can't be covered. There is no passing."
            ),
            Example(
                _PLACING,
                N_("Red may place an 8 on every marked cell; it covers the 4 and the 6, but not another 8."),
                chosen=82,
                options=_THREE_PLAYERS,
            ),
        ),
        Section(
            N_("Four in a row"),
            N_("Four of your own cards in a row win **at once**, whatever their values are."),
            Example(_FOUR, N_("Red has four cards in row 5 and has won."), options=_THREE_PLAYERS),
        ),
        Section(
            N_("When all cards are played"),
            N_(
                "Then lines are added up: each player takes the one line of adjacent own cards, in any direction, with "
                "the highest sum of values. The highest sum wins; players with the same highest sum share a draw."
            ),
            Example(_SUM, N_("The 7, the 5 and the 6 of red are 18; the best line of the others is worth less.")),
        ),
        Section(
            N_("A first piece of advice"),
            N_(
                "Three in a row are a threat even where both ends are taken: a higher card may cover one of them. Keep "
                "a high card in hand for such moments, and play your low cards where nobody has anything to win."
            ),
        ),
    ),
    history=N_(
        "Catur Jawa, Javanese chess, is a traditional Indonesian game, played with ordinary cards on a grid. The rules "
        "here are those of a paper by students that also describes the player called Heuristic."
    ),
)
