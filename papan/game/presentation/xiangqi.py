"""Presentation of xiangqi: pieces for the editor; captures and checks as motifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import capitalised, say
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting, turn_setting
from papan.game.rules import is_over, mover
from papan.game.rules.xiangqi import state_of
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HORSE,
    KIND_NAMES,
    KINDS,
    MOST_QUIET,
    SEAT_NAMES,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    State,
    cell_name,
    in_check,
    kind_at,
    pieces_of,
    seat_at,
)

_KIND_BITS = 3


def _pieces(state: State) -> dict[int, tuple[int, int]]:
    return {cell: (seat, kind) for seat in range(2) for cell, kind in pieces_of(state, seat).items()}


def brushes(state: State) -> Sequence[Brush]:
    return [
        Brush(
            seat << _KIND_BITS | kind,
            capitalised(say("{colour} {piece}", colour=SEAT_NAMES[seat], piece=KIND_NAMES[kind])),
            seat,
        )
        for seat in range(2)
        for kind in KINDS
    ]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the piece *code*, a seat and a kind, on *cell*."""
    pieces = _pieces(state) | {cell: (code >> _KIND_BITS, code & (1 << _KIND_BITS) - 1)}
    return state_of(pieces, state.to_move, state.quiet)


def name_of(state: State, cell: int) -> str:
    return cell_name(cell)


def standing(state: State, cell: int) -> Sequence[int]:
    pieces = _pieces(state)
    return [pieces[cell][0] << _KIND_BITS | pieces[cell][1]] if cell in pieces else []


def taken(state: State, cell: int) -> State:
    pieces = {other: piece for other, piece in _pieces(state).items() if other != cell}
    return state_of(pieces, state.to_move, state.quiet)


def cleared(state: State) -> State:
    return state_of({}, state.to_move, 0)


def settings(state: State) -> Sequence[Setting]:
    counter = Setting("quiet", say("Turns without a capture"), str(state.quiet), most=MOST_QUIET)
    return [turn_setting([capitalised(name) for name in SEAT_NAMES], state.to_move), counter]


def changed(state: State, name: str, value: str) -> State:
    return state._replace(to_move=int(value)) if name == "turn" else state._replace(quiet=int(value))


_WORTHS = {CHARIOT: 9.0, CANNON: 4.5, HORSE: 4.0, ELEPHANT: 2.0, ADVISOR: 2.0, SOLDIER: 1.0}
"""The usual values of the pieces."""
_CHECK = 0.5


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    before, after = states[0], states[-1]
    target = steps[-1] & TARGET_MASK
    if seat_at(before, target) == 1 - int(mover(before)):
        kind = kind_at(before, target)
        piece, cell = KIND_NAMES[kind], cell_name(target)
        yield Motif(
            _WORTHS.get(kind, 0.0),
            say("{who} can now capture the {piece} on {cell}.", who=who, piece=piece, cell=cell),
            say("{who} could have captured the {piece} on {cell}.", who=who, piece=piece, cell=cell),
        )
    if in_check(after, after.to_move) and not is_over(after):
        origin = cell_name(steps[-1] >> STEP_SHIFT)
        piece = KIND_NAMES[kind_at(after, target)]
        yield Motif(
            _CHECK,
            say("{who} can now give check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
            say("{who} could have given check with the {piece} from {cell}.", who=who, piece=piece, cell=origin),
        )


_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
_HORSE = "3k5/9/9/4p4/9/3pN4/9/9/9/5K3 w"
_CANNON = "3k5/9/4n4/9/4p4/9/2P1C1p2/9/9/5K3 w"
_MATE = "R3k4/1R7/9/9/9/9/9/9/9/3K5 b"

PAGE = Page(
    goal="Leave the enemy's general no way out: a side without a legal move has lost.",
    sections=(
        Section(
            "The board",
            "Pieces stand on the **points** where lines cross, 9 files by 10 ranks. Between the two sides lies the "
            "**river**; each general has a **palace**, the nine points with the diagonals. Red moves first.\n"
            "In the settings you can have pictures on the pieces instead of characters.",
            Example(_START, "From the middle outwards: general, advisors, elephants, horses, chariots."),
        ),
        Section(
            "General, advisors, elephants",
            "The **general** moves one point along a line, an **advisor** one point diagonally; neither leaves the "
            "palace. An **elephant** moves exactly two points diagonally, not over a piece in between and not across "
            "the river.\n"
            "The two generals may never **face each other** on a file with nothing between.",
        ),
        Section(
            "Horses and chariots",
            "A **chariot** moves along a line as far as nothing stands in its way. A **horse** moves one point along "
            "a line and then one diagonally outwards. A piece on the first of these points **hobbles** it: it does "
            "not jump.",
            Example(_HORSE, "The soldier on d4 hobbles this horse to the left; all other ways are open.", chosen=40),
        ),
        Section(
            "Cannons",
            "A **cannon** moves like a chariot, but captures by jumping over **exactly one** piece, of either side, "
            "at any distance.",
            Example(_CANNON, "Over the soldier on e5 the cannon captures the horse on e7.", chosen=31),
        ),
        Section(
            "Soldiers",
            "A **soldier** moves and captures one point ahead. Beyond the river it may also go to a side, never back. "
            "It is not promoted.",
        ),
        Section(
            "The end",
            "A general that is attacked is in **check**, and must be saved at once. Who has **no legal move** has "
            "lost, in check or not.\n"
            "The third time that a position comes the game is a draw, unless one side has given **perpetual check**: "
            "then that side loses. 60 turns by each side without a capture are a draw too.",
            Example(_MATE, "Checkmate: one chariot attacks, the other one holds the next rank."),
        ),
    ),
    history=(
        "Xiangqi is an old relative of chess, played in China in about this form for some 800 years. The characters "
        "in the river name the border between Chu and Han, two rivals for China's throne around 200 BC."
    ),
)
