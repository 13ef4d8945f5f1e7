"""2048 in words."""

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

PAGE = Page(
    goal=N_("Slide and merge tiles until one of them shows 2048 – and then as far beyond as the board lets you."),
    sections=(
        Section(
            N_("A move"),
            N_(
                "Choose one of four directions with an **arrow key**, or click near a side of the board: **all** tiles "
                "slide that way as far as they can.\nA direction in which nothing would change is no move."
            ),
            Example(
                "2,0,0,4/0,0,8,0/0,2,0,0/0,0,0,0 20",
                N_("To the left, every row closes up at the left side; to the top, every column at the top."),
            ),
        ),
        Section(
            N_("Merging"),
            N_(
                "Two equal tiles that meet become **one** of twice the value, and that value is added to your score.\n"
                "A tile merges only once a move, and of three equal ones the two nearer to the side become one: "
                "2 2 2 slid to the left makes 4 2, and 2 2 2 2 makes 4 4."
            ),
            Example(
                "2,2,2,0/2,2,2,2/4,2,2,0/2,0,0,2 4",
                N_("After a move to the left the rows are 4 2, then 4 4, then 4 4, and 4."),
            ),
        ),
        Section(
            N_("The new tile"),
            N_(
                "After every move a new tile appears on an empty cell, each cell as likely as the others. Nine times "
                "of ten it is a **2**, otherwise a **4**. The two tiles that you begin with come in the same way."
            ),
        ),
        Section(
            N_("The end"),
            N_(
                "The game is over when the board is full and no two neighbours are equal. What you have won is your "
                "score."
            ),
            Example(
                "2,4,8,4/8,16,2,8/4,64,32,2/2,8,4,128 1104", N_("No direction changes anything: the game is over.")
            ),
        ),
        Section(
            N_("A first piece of advice"),
            N_(
                "Keep your largest tile in a **corner** and the next ones beside it in order, like a snake. Try to get "
                "by with three directions: the fourth one takes the large tile out of its corner."
            ),
        ),
    ),
    history=N_(
        "Gabriele Cirulli, then nineteen, wrote 2048 on a weekend in March 2014 after two similar games, Threes and "
        "1024. Within a week millions had played it."
    ),
)
