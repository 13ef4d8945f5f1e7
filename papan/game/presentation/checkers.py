"""Presentation of checkers: men and kings for the editor; captures and crownings as motifs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import popcount
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting, turn_setting
from papan.game.rules import mover
from papan.game.rules.checkers.board import COLOURS, QUIET_TURNS, State, bit_of, pieces_of

_NAMES = (say("Black man"), say("Black king"), say("White man"), say("White king"))


def brushes(state: State) -> Sequence[Brush]:
    return [Brush(code, name, code // 2) for code, name in enumerate(_NAMES)]


def put(state: State, code: int, cell: int) -> State:
    """*state* with the piece *code* on *cell*: 0 and 1 are Black's man and king, 2 and 3 White's."""
    seat, is_king = divmod(code, 2)
    piece = 1 << bit_of(cell)
    rest = taken(state, cell)
    return rest._replace(
        black=rest.black | (piece if seat == 0 else 0),
        white=rest.white | (piece if seat == 1 else 0),
        kings=rest.kings | (piece if is_king else 0),
    )


def name_of(state: State, cell: int) -> str:
    return str(cell + 1)


def standing(state: State, cell: int) -> Sequence[int]:
    piece = 1 << bit_of(cell)
    is_king = bool(state.kings & piece)
    return [2 * seat + is_king for seat, pieces in enumerate((state.black, state.white)) if pieces & piece]


def taken(state: State, cell: int) -> State:
    others = ~(1 << bit_of(cell))
    return state._replace(black=state.black & others, white=state.white & others, kings=state.kings & others, jumper=0)


def cleared(state: State) -> State:
    return state._replace(black=0, white=0, kings=0, jumper=0, quiet=0)


def settings(state: State) -> Sequence[Setting]:
    counter = Setting("quiet", say("Turns without progress"), str(state.quiet), most=QUIET_TURNS)
    return [turn_setting(COLOURS, state.to_move), counter]


def changed(state: State, name: str, value: str) -> State:
    return state._replace(to_move=int(value)) if name == "turn" else state._replace(quiet=int(value))


_KING = 1.5
"""A king is worth more than one piece captured, and less than two."""


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    before, after = states[0], states[-1]
    seat = int(mover(before))
    captured = popcount(pieces_of(before, 1 - seat)) - popcount(pieces_of(after, 1 - seat))
    if captured:
        yield Motif(
            captured,
            say_number("{who} can now capture a piece.", "{who} can now capture {count} pieces.", captured, who=who),
            say_number(
                "{who} could have captured a piece.", "{who} could have captured {count} pieces.", captured, who=who
            ),
        )
    if popcount(after.kings & pieces_of(after, seat)) > popcount(before.kings & pieces_of(before, seat)):
        square = (steps[-1] & 31) + 1
        yield Motif(
            _KING,
            say("{who} can now get a king on {square}.", who=who, square=square),
            say("{who} could have got a king on {square}.", who=who, square=square),
        )


PAGE = Page(
    goal="Leave your opponent without a move: by capturing all pieces, or by shutting in those that are left.",
    sections=(
        Section(
            "The board",
            "Two players have twelve men each. Only the **32 dark squares** are used; they are numbered from 1 to 32. "
            "Black moves first.\n"
            "Where one person plays, that person's men are at the bottom; otherwise White's are.",
        ),
        Section(
            "Moves and captures",
            "A man moves one square forwards along a diagonal. It captures by **jumping** over an opponent's piece "
            "next to it, forwards too, onto the free square behind.\n"
            "Captures are **compulsory**: if you can capture, you must. Of several captures you may choose any, even "
            "the smaller one.",
            Example(
                "B:W17,18,26,32:B2,7,14",
                "Black must capture with the man on 14: one man on 21, or two by going on from 23 to 30.",
                chosen=13,
            ),
        ),
        Section(
            "Several jumps",
            "A piece that has captured and can capture again **must jump on**, in the same turn, until it can't. At "
            "each jump you choose the way. What has been jumped over leaves the board.",
        ),
        Section(
            "Kings",
            "A man that reaches the far row becomes a **king**, and the turn ends there, even if it could capture on. "
            "Kings move and capture one square like men, but backwards as well as forwards.",
            Example(
                "W:WK11,31:B2,15,22",
                "White's king captures backwards: over 15 to 18, and on over 22 to 25.",
                chosen=10,
            ),
        ),
        Section(
            "The end",
            "Whoever is to move and **can't** has lost. The game is a draw when a position comes for the third time, "
            "or when each side has made 40 turns with neither a capture nor a man's move.",
            Example("W:W13,29:B9,6,25,22", "White is to move: both men are shut in. White has lost."),
        ),
        Section(
            "A first piece of advice",
            "Because captures are compulsory, you can give a man to pull a piece to where you take two. And keep some "
            "men on your first row as long as you can: they keep the opponent from getting kings.",
        ),
    ),
    history=(
        "Checkers, which is called draughts in Britain, goes back to a game of medieval France. In 2007 Jonathan "
        "Schaeffer's group proved, after 18 years of computing, that with best play on both sides it is a draw."
    ),
)
