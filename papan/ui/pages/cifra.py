"""CIFRA Code25 in words."""

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

_TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
_LARGE_TILES = "WWBWNBWWBWBBBWWWBBBWBWBBBWBWWWBWBBBWNWBBNWBBNWBWBWWBBBBWBBBBWWWWWBWBWBWWWWBBNBWWW"

PAGE = Page(
    goal=N_("Bring more of your pieces to the far row than your opponent, before one side has no piece left to move."),
    sections=(
        Section(
            N_("The board"),
            N_(
                "Twelve white and twelve blue tiles are shuffled around a **neutral tile** in the middle. Each player "
                "has five pieces, white or blue, on the row in front.\nThe second player chooses a side of the board "
                "and a colour; the first player gets the opposite side and moves first."
            ),
        ),
        Section(
            N_("Walking"),
            N_(
                "A piece walks in a straight line, in any of eight directions, backwards too. A step between two "
                "tiles of the piece's **own colour is free**; any other step has to be paid for, and a walk has **one "
                "such step**. It may stop anywhere on its way, and never jumps over a piece."
            ),
            Example(
                f"{_TILES}/.b..b........b.w.......w./w/w",
                N_("White's piece on a2 runs to b2 for free and may pay for c2; or over b3 to c4."),
                chosen=5,
            ),
        ),
        Section(
            N_("The neutral tile"),
            N_(
                "It is nobody's colour: the step onto it and the step off it are both to be paid for. So a piece can "
                "stop there and start from there, but **never pass** it."
            ),
            Example(
                f"{_TILES}/b..b........w......b....w/w/w",
                N_("From c3 the first step is paid for: over d4 white runs on to e5, but from b2 not on to blue a1."),
                chosen=12,
            ),
        ),
        Section(
            N_("Captures and goals"),
            N_(
                "You **capture** a piece by ending your walk on it; you never have to. A piece that reaches the far "
                "row is a **goal piece**: it moves no more and can't be captured. A piece on its own home row is like "
                "any other."
            ),
            Example(
                f"{_TILES}/W..b...bw......b....ww.B./w/w",
                N_("White's piece on d4 may capture on c4, capture on d5 and be home, or go home beside it."),
                chosen=18,
            ),
        ),
        Section(
            N_("The end"),
            N_(
                "The game ends as soon as one side has **no living piece** left: all are home or captured. More goal "
                "pieces win; if they are equal, the player who still has living pieces. It is a draw when a position "
                "comes for the third time, or after 50 turns by each side without a capture or a goal."
            ),
            Example(
                f"{_TILES}/W.W.W.......b......b..B../b/w",
                N_("White's last living piece has come home: three goal pieces against one. White has won."),
            ),
        ),
        Section(
            N_("King"),
            N_(
                "In this mode the middle piece of each row is the **king**. Capture the other king, or bring your own "
                "one home, and you win at once; other pieces at home count for nothing."
            ),
            Example(
                f"{_TILES}/b...b..b....w...b....w.w./w/w/.......K....K............",
                N_("White's king can win in two ways: by the capture on c4, or by coming home to e5."),
                chosen=12,
                options={"mode": "king"},
            ),
        ),
        Section(
            N_("Sum, and the large board"),
            N_(
                "In **sum** your pieces are numbered from your left, 1 to 5. The game ends as always, but the higher "
                "**sum of the numbers at home** wins; then more goal pieces, then more living ones.\nThe board of "
                "**9 × 9** has 38 tiles of each colour, nine pieces a side and five neutral tiles: in the middle, and "
                "in the middle of each edge. It goes with every mode."
            ),
            Example(
                f"{_LARGE_TILES}/{'b' * 9}{'.' * 63}{'w' * 9}/w/w/987654321{'.' * 63}123456789",
                N_("The start of sum on 9 × 9: the fives begin on neutral tiles."),
                options={"mode": "sum", "size": "9"},
            ),
        ),
    ),
    history=N_(
        "CIFRA Code25 comes from Logy Games, a Japanese workshop whose games are made by hand, and which offered it on "
        "Kickstarter. Its tiles can be laid in 676,280 ways, if boards that are only turned are not counted again."
    ),
)
