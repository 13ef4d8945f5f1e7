"""Presentation of Othello: discs for the editor; corners and lost mobility as motifs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import cells_of, popcount
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting, turn_setting
from papan.game.rules import is_over, play
from papan.game.rules.othello import (
    BLACK,
    CELLS,
    COLOURS,
    PASS,
    SIZE,
    WHITE,
    State,
    discs,
    playable_cells,
)
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
_ALL_CORNERS = sum(1 << cell for cell in CORNERS)
_PASS, _CORNER = 8, 10
_FEW = 3
"""The most moves to mention: the other side may soon have to give something away."""
_SHUTS_OUT, _SAFE_EDGE, _ATTACKS, _GIVES_NONE, _FEWER, _INNER, _QUIET, _KEEPS_AWAY, _MANY, _CHOICE = (
    7, 6.5, 6, 5, 4.5, 4, 3.5, 3, 2.5, 1,
)  # fmt: skip
_EDGES = ((0, 1), (0, 8), (7, -1), (7, 8), (56, 1), (56, -8), (63, -1), (63, -8))
"""Each corner with the ways along its two edges."""
_LEAST_FEWER = 2
_MOST_QUIET = 2
"""The most discs turned over in a quiet move."""
_LATE = 12
"""Empty cells, at most, when discs begin to count more than moves."""


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    """Corners, moves left to either side, discs that are safe, and how little or much is turned over."""
    before, after = states[0], states[-1]
    if steps[-1] == PASS:
        return
    if steps[-1] in CORNERS:
        cell = cell_name(steps[-1])
        yield Motif(
            _CORNER,
            say("{who} can now take the corner {cell}.", who=who, cell=cell),
            say("{who} could have taken the corner {cell}.", who=who, cell=cell),
            say("takes the corner {cell}", cell=cell),
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
            say_number("leaves {colour} only one move", "leaves {colour} only {count} moves", number, colour=colour),
        )
    if not is_over(after) and not number:
        yield Motif(
            _PASS,
            say("{who} can now leave {colour} without a move.", who=who, colour=colour),
            say("{who} could have left {colour} without a move.", who=who, colour=colour),
            say("leaves {colour} without a move", colour=colour),
        )
    yield from _motifs_of_corners(before, after, steps[-1])
    yield from _motifs_of_moves(before, after)
    yield from _motifs_of_discs(before, after, steps[-1])


def _motifs_of_corners(before: State, after: State, cell: int) -> Iterator[Motif]:
    """Corners attacked or denied, and discs along the edge that a corner makes safe."""
    colour = COLOURS[after.to_move]
    was, now = (playable & _ALL_CORNERS for playable in (_playable_by_other(before), _playable(after)))
    for corner in cells_of(was & ~now):
        if corner != cell:
            words = say("keeps {colour} out of the corner {cell}", colour=colour, cell=cell_name(corner))
            yield Motif(_SHUTS_OUT, does=words)
    for corner in cells_of(_playable_by_other(after) & ~_playable(before) & ~now & _ALL_CORNERS):
        words = say("attacks the corner {cell}", cell=cell_name(corner))
        yield Motif(_ATTACKS, does=words, holds=_still_playable(corner, before.to_move))
    if cell not in CORNERS and _is_safe_edge(after.theirs, cell):
        yield Motif(_SAFE_EDGE, does=say("puts a disc on the edge that can't be turned over"))
    if was or now:
        return
    others = [step for step in cells_of(_playable(before)) if step != cell]
    if any(_playable(play(before, step)) & _ALL_CORNERS for step in others):
        yield Motif(_GIVES_NONE, does=say("gives {colour} no way into a corner", colour=colour))
    beside = [corner for step in others for corner in _empty_corners_beside(before, step)]
    if beside and not _empty_corners_beside(before, cell):
        words = say("keeps away from the empty corner {cell}", cell=cell_name(beside[0]))
        yield Motif(_KEEPS_AWAY, does=words)


def _still_playable(corner: int, seat: int) -> Callable[[Sequence[State]], bool]:
    """Whether *seat* can take *corner*, or has, after the expected reply."""
    bit = 1 << corner
    return lambda line: not line or bool((discs(line[0], seat) | _playable_by(line[0], seat)) & bit)


def _motifs_of_moves(before: State, after: State) -> Iterator[Motif]:
    """The moves that each side has to choose from."""
    theirs, was, own = (
        popcount(playable) for playable in (_playable(after), _playable_by_other(before), _playable_by_other(after))
    )
    colour, mine = COLOURS[after.to_move], COLOURS[before.to_move]
    if theirs > _FEW and was - theirs >= _LEAST_FEWER:
        words = say("cuts {colour}'s moves from {was} to {count}", colour=colour, was=was, count=theirs)
        yield Motif(_FEWER, does=words)
    elif theirs > _FEW and own - theirs >= _LEAST_FEWER:
        words = say("leaves {own} {more} moves and {colour} {count}", own=mine, more=own, colour=colour, count=theirs)
        yield Motif(_FEWER, does=words)
    elif own > _FEW:
        words = say("leaves {own} {count} moves to choose from", own=mine, count=own)
        yield Motif(_CHOICE, does=words)


def _motifs_of_discs(before: State, after: State, cell: int) -> Iterator[Motif]:
    """The discs turned over: many near the end; before, inner ones, and few where that leaves few moves."""
    turned = before.theirs & ~after.mine
    number, empty, colour = popcount(turned), CELLS - popcount(after.mine | after.theirs), COLOURS[after.to_move]
    if empty <= _LATE:
        if number > _MOST_QUIET:
            yield Motif(_MANY, does=say("turns over {count} discs", count=number))
    elif not any(_neighbours(disc) & ~(after.mine | after.theirs) for disc in cells_of(turned)):
        words = say_number(
            "turns over a disc that {colour} can't play beside",
            "turns over only discs that {colour} can't play beside",
            number,
            colour=colour,
        )
        yield Motif(_INNER, does=words)
    elif _leaves_fewer_than_most(before, after, cell):
        words, worth = say("gives {colour} fewer moves than most other turns would", colour=colour), _QUIET / 2
        if number <= _MOST_QUIET:
            worth = _QUIET
            words = say_number(
                "turns over only one disc, so {colour} gets few moves",
                "turns over only {count} discs, so {colour} gets few moves",
                number,
                colour=colour,
            )
        yield Motif(worth, does=words)


def _leaves_fewer_than_most(before: State, after: State, cell: int) -> bool:
    """Whether most other turns than the one on *cell* would leave the other side more moves."""
    others = [step for step in cells_of(_playable(before)) if step != cell]
    number = popcount(_playable(after))
    return 2 * sum(popcount(_playable(play(before, step))) > number for step in others) > len(others)


def _playable(state: State) -> int:
    return int(playable_cells(state.mine, state.theirs))


def _playable_by_other(state: State) -> int:
    """The cells where the side that is not to move could play."""
    return int(playable_cells(state.theirs, state.mine))


def _playable_by(state: State, seat: int) -> int:
    return _playable(state) if state.to_move == seat else _playable_by_other(state)


def _neighbours(cell: int) -> int:
    """The cells around *cell*."""
    column, row = cell % SIZE, cell // SIZE
    return sum(
        1 << (other_row * SIZE + other)
        for other in range(max(column - 1, 0), min(column + 2, SIZE))
        for other_row in range(max(row - 1, 0), min(row + 2, SIZE))
        if (other, other_row) != (column, row)
    )


def _empty_corners_beside(state: State, cell: int) -> list[int]:
    """The empty corners that *cell*, which is no corner, touches."""
    filled = state.mine | state.theirs
    return [] if cell in CORNERS else [*cells_of(_neighbours(cell) & _ALL_CORNERS & ~filled)]


def _is_safe_edge(own: int, cell: int) -> bool:
    """Whether discs of *own* along an edge join *cell* to a corner."""
    edges = ([start + way * step for step in range(SIZE)] for start, way in _EDGES)
    return any(cell in takewhile(lambda at: own >> at & 1, edge) for edge in edges)


_START = "---------------------------OX------XO--------------------------- X"
_FIRST_CELLS = (19, 26, 37, 44)  # d3, c4, f5, e6
_SEVERAL_LINES = "--------------------------XXX-----OOO----O-OOX----O------------- X"
_PAGE_CORNER = "---------------------------OX------XO----------O-------O-------X X"

PAGE = Page(
    goal="Have more discs of your colour on the board than your opponent when nobody can play any more.",
    sections=(
        Section(
            "Placing a disc",
            "Discs are black on one side and white on the other. Black begins. In your turn you place **one disc** "
            "on an empty cell so that, in at least one straight line (across, down or diagonally), an unbroken row "
            "of your opponent's discs lies between the new disc and another of yours. Those discs are "
            "**outflanked**.\n"
            "You can't place a disc that outflanks nothing.",
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
            "The game is over as soon as **neither player can play**, usually because the board is full. Whoever has "
            "more discs wins; equal numbers are a draw.",
        ),
        Section(
            "Playing well",
            "A disc in a **corner** can never be turned over, nor can discs lined up with it along the edge. So "
            "avoid the cells beside an empty corner: they let your opponent in.\n"
            "For most of the game it is better to have **few** discs and **many cells to choose from**: a player who "
            "runs out of good cells must play bad ones.",
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
