"""Gomoku in words."""

from __future__ import annotations

from papan.ui.pages import Example, Page, Section
from papan.ui.texts import N_

_WON = "h8 h9 i9 i10 g7 g8 j10 k11 f6"
_OPEN_THREE = "h8 h9 i9 i8 j10"
_G7, _K11 = 132, 220
_TWO_THREES = "h8 i8 h9 g9 i10 k8 j10 j12"
_H10 = 196

PAGE = Page(
    goal=N_("Be the first to have five of your stones in a row: across, up, or along a diagonal."),
    sections=(
        Section(
            N_("A turn"),
            N_(
                "Two players take turns; black begins. You put one stone on any free crossing of the lines. Stones stay"
                " where they are: nothing is moved and nothing is captured."
            ),
        ),
        Section(
            N_("The end"),
            N_(
                "Five in a row win **at once**, and so do more than five. If the board is full without such a row, the"
                " game is a draw."
            ),
            Example(_WON, N_("Black has five along a diagonal.")),
        ),
        Section(
            N_("Options"),
            N_(
                "The board has 15, 19 or 20 lines each way. With **exactly five** a longer row wins nothing; players"
                " call it an overline."
            ),
        ),
        Section(
            N_("Threats"),
            N_(
                "A **four** has one free cell left to become five: the opponent must play there at once. With free"
                " cells at both ends it can't be stopped.\n"
                "An **open three** becomes such a four with one more stone, so it must be answered as well."
            ),
            Example(
                _OPEN_THREE,
                N_("Three black stones with room on both sides: white must play on one of the marked cells, or lose."),
                marks={_G7: "!", _K11: "!"},
            ),
        ),
        Section(
            N_("Winning"),
            N_(
                "One threat can be stopped, **two at once** can't: two open threes, or a four and an open three, that"
                " share a stone. Good players look for a chain of fours and threes that ends in such a pair."
            ),
            Example(
                _TWO_THREES,
                N_("Black on the marked cell has two open threes at once, one up and one across."),
                marks={_H10: "!"},
            ),
        ),
    ),
    history=N_(
        "Gomoku has been played in China and Japan for centuries, often with the stones of Go. In 1994 Victor Allis"
        " proved that black wins on a board of 15 lines; tournaments therefore restrict the opening."
    ),
)
