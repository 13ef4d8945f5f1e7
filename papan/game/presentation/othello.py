"""Presentation of Othello: discs for the editor; corners and lost mobility as motifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import popcount
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting, turn_setting
from papan.game.rules import is_over
from papan.game.rules.othello import BLACK, CELLS, COLOURS, SIZE, WHITE, State, discs, playable_cells
from papan.game.rules.othello import name_of as cell_name


def _with(black: int, white: int, seat: int) -> State:
    return State(black, white, seat) if seat == BLACK else State(white, black, seat)


def brushes(state: State) -> Sequence[Brush]:
    return Brush(BLACK, say("Black disc")), Brush(WHITE, say("White disc"))


def put(state: State, code: int, cell: int) -> State:
    black, white = (discs(state, seat) & ~(1 << cell) | (seat == code) << cell for seat in (BLACK, WHITE))
    return _with(black, white, state.to_move)


def name_of(state: State, cell: int) -> str:
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    return [seat for seat in (BLACK, WHITE) if discs(state, seat) >> cell & 1]


def taken(state: State, cell: int) -> State:
    return state._replace(mine=state.mine & ~(1 << cell), theirs=state.theirs & ~(1 << cell))


def cleared(state: State) -> State:
    return state._replace(mine=0, theirs=0)


def settings(state: State) -> Sequence[Setting]:
    return [turn_setting(COLOURS, state.to_move)]


def changed(state: State, name: str, value: str) -> State:
    return _with(discs(state, BLACK), discs(state, WHITE), int(value))


CORNERS = (0, SIZE - 1, CELLS - SIZE, CELLS - 1)
_PASS, _CORNER = 1, 2
_FEW = 3
"""The most moves to mention: the other side may soon have to give something away."""


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    after = states[-1]
    if steps[-1] in CORNERS:
        cell = cell_name(steps[-1])
        yield Motif(
            _CORNER,
            say("{who} can now take the corner {cell}.", who=who, cell=cell),
            say("{who} could have taken the corner {cell}.", who=who, cell=cell),
        )
    number, colour = popcount(playable_cells(after.mine, after.theirs)), COLOURS[after.to_move]
    if 0 < number <= _FEW:
        yield Motif(
            _PASS - number / (_FEW + 1),
            say_number(
                "{who} can now leave {colour} only one move.",
                "{who} can now leave {colour} only {count} moves.",
                number,
                who=who,
                colour=colour,
            ),
            say_number(
                "{who} could have left {colour} only one move.",
                "{who} could have left {colour} only {count} moves.",
                number,
                who=who,
                colour=colour,
            ),
        )
    if not is_over(after) and not number:
        yield Motif(
            _PASS,
            say("{who} can now leave {colour} without a move.", who=who, colour=colour),
            say("{who} could have left {colour} without a move.", who=who, colour=colour),
        )


_START = "---------------------------OX------XO--------------------------- X"
_FIRST_CELLS = (19, 26, 37, 44)  # d3, c4, f5, e6
_SEVERAL_LINES = "--------------------------XXX-----OOO----O-OOX----O------------- X"
_PAGE_CORNER = "---------------------------OX------XO----------O-------O-------X X"

PAGE = Page(
    goal="Have more discs of your colour on the board than your opponent when nobody can play any more.",
    sections=(
        Section(
            "Putting a disc",
            "Discs are black on one side and white on the other. Black begins. In your turn you put **one disc** on "
            "an empty cell, so that in at least one straight line, across, down or diagonally, there is an unbroken "
            "row of your opponent's discs between the new disc and another one of yours. They are **outflanked**.\n"
            "A disc that would outflank nothing may not be put.",
            Example(
                _START,
                "Black to begin: only on the marked cells does a disc outflank a white one.",
                marks=dict.fromkeys(_FIRST_CELLS, "+1"),
            ),
        ),
        Section(
            "Turning discs over",
            "**All** the discs that your new disc outflanks, in every direction, are turned over and become yours; "
            "you can't choose among them. Discs never leave the board, and a disc that has just been turned over "
            "outflanks nothing itself.",
            Example(
                _SEVERAL_LINES,
                "Black on c6 turns over c5, d5, d6 and e6; behind b6 and c7 there is no black disc.",
                marks={42: "+4"},
            ),
        ),
        Section(
            "Passing",
            "If you can't outflank a disc you **must pass**, and your opponent plays on. If you can, you may not pass.",
        ),
        Section(
            "The end",
            "The game is over as soon as **neither player can play**, mostly because the board is full. Whoever has "
            "more discs wins; as many each is a draw.",
        ),
        Section(
            "Playing well",
            "A disc in a **corner** can never be turned over, nor can those that are lined up with it along the edge. "
            "So don't lightly play on the cells beside an empty corner: they let your opponent in.\n"
            "For most of the game it is better to have **few** discs and **many cells to choose from**: who runs out "
            "of good cells has to play bad ones.",
            Example(
                _PAGE_CORNER,
                "The black disc in the corner, and whatever joins it along the edge, is there to stay.",
            ),
        ),
    ),
    history=(
        "Reversi was sold in London in the 1880s. Goro Hasegawa gave it a fixed start and its name in Japan in 1971; "
        "world championships have been held since 1977."
    ),
)
