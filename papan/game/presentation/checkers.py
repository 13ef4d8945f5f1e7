"""Presentation of checkers: men and kings for the editor; captures and crownings as motifs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from papan.game.base.sentences import say, say_number
from papan.game.kernel.bits import popcount
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting, turn_setting
from papan.game.rules import legal_steps, mover, play
from papan.game.rules.checkers.board import (
    COLOURS,
    QUIET_TURNS,
    ROW_EIGHT,
    ROW_ONE,
    SQUARES,
    State,
    bit_of,
    column_and_row,
    must_capture,
    pieces_of,
    square_of,
    squares_of,
)

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


_PIECE, _KING = 10, 15
"""A king is worth more than one piece captured, and less than two."""
_GIVES_TO_TAKE, _SAVES, _ATTACKS, _TRADES, _SAFE, _NEAR, _FEW_MOVES, _CENTRE, _HOME, _BACKS, _SIDE, _QUIET, _FORCED = (
    12, 11, 6, 5, 3.3, 4, 3.5, 3, 2.8, 2.5, 2, 1, 0.5,
)  # fmt: skip
_FEW = 3
"""The most moves of the other side to mention."""
_NEAR_ROWS = 3
"""The most rows to a king to mention."""
_MIDDLE = range(2, 6)
"""The columns and the rows of the eight squares in the centre."""


def motifs(states: Sequence[State], steps: Sequence[int], who: str) -> Iterator[Motif]:
    """Captures, exchanges and kings; for a turn without a capture also safety and place."""
    before, after = states[0], states[-1]
    seat = int(mover(before))
    captured = popcount(pieces_of(before, 1 - seat)) - popcount(pieces_of(after, 1 - seat))
    if captured:
        yield Motif(
            _PIECE * captured,
            say_number("{who} can now capture a piece.", "{who} can now capture {count} pieces.", captured, who=who),
            say_number(
                "{who} could have captured a piece.", "{who} could have captured {count} pieces.", captured, who=who
            ),
            say_number("wins a piece", "captures {count} pieces", captured),
            _balance_is(before, after, seat, lambda was, now: now > was),
        )
        yield Motif(_FORCED, does=say("makes a capture, which is compulsory"))
    square = steps[-1] & 31
    stands = _stands(after, seat, square)
    if popcount(after.kings & pieces_of(after, seat)) > popcount(before.kings & pieces_of(before, seat)):
        yield Motif(
            _KING,
            say("{who} can now get a king on {square}.", who=who, square=square + 1),
            say("{who} could have got a king on {square}.", who=who, square=square + 1),
            say("gets a king on {square}", square=square + 1),
            stands,
        )
    yield from _exchanges(before, after, seat, captured)
    yield from _safety(before, after, seat, steps[0], captured)
    if not captured:
        yield from _places(before, after, steps[0], stands)


Line = Sequence[State]


def _balance(state: State, seat: int) -> int:
    """The pieces that *seat* is ahead."""
    return popcount(pieces_of(state, seat)) - popcount(pieces_of(state, 1 - seat))


def _balance_is(
    before: State, after: State, seat: int, fits: Callable[[int, int], bool], *, after_loss: bool = False
) -> Callable[[Line], bool]:
    """Whether the balance before the turn and the one once captures are over fit.

    :param after_loss: the expected reply must capture.
    """

    def holds(line: Line) -> bool:
        if after_loss and not (line and pieces_of(line[0], seat) != pieces_of(after, seat)):
            return False
        settled = next((state for state in (after, *line) if not must_capture(state)), None)
        return settled is not None and fits(_balance(before, seat), _balance(settled, seat))

    return holds


def _stands(after: State, seat: int, square: int) -> Callable[[Line], bool]:
    """Whether the piece on *square* outlives the reply."""
    is_safe = square not in _capturable(after, 1 - seat)
    return lambda line: is_safe or bool(line and pieces_of(line[0], seat) >> bit_of(square) & 1)


def _capturable(state: State, seat: int) -> set[int]:
    """The squares of the pieces that *seat* could capture if it were to move."""
    asked = state._replace(to_move=seat, jumper=0, quiet=0)
    if not must_capture(asked):
        return set()
    return {square_of(bit_of(step >> 5) + bit_of(step & 31) >> 1) for step in legal_steps(asked)}


def _exchanges(before: State, after: State, seat: int, captured: int) -> Iterator[Motif]:
    """Pieces given and taken by the expected turns."""
    even = _balance_is(before, after, seat, lambda was, now: now == was, after_loss=True)
    is_ahead = _balance(before, seat) > 0
    if is_ahead:
        words = say("trades pieces while {colour} is ahead", colour=COLOURS[seat])
    else:
        words = say("trades pieces evenly")
    yield Motif(_TRADES + 2 * is_ahead, does=words, holds=even)
    if not captured:
        words = say("gives a piece to win more")
        more = _balance_is(before, after, seat, lambda was, now: now > was, after_loss=True)
        yield Motif(_GIVES_TO_TAKE, does=words, holds=more)


def _safety(before: State, after: State, seat: int, step: int, captured: int) -> Iterator[Motif]:
    """Pieces brought out of danger, and what the other side can capture or do."""
    colour, was, now = COLOURS[1 - seat], _capturable(before, 1 - seat), _capturable(after, 1 - seat)
    saved = sorted(was - now)
    if saved and not now:
        yield Motif(_SAVES, does=say("saves the piece on {square} from capture", square=saved[0] + 1))
    elif not captured and not now:
        others = [other for other in legal_steps(before) if other != step]
        if any(_capturable(play(before, other), 1 - seat) for other in others):
            yield Motif(_SAFE, does=say("gives {colour} nothing to capture", colour=colour))
    attacked = sorted(_capturable(after, seat) - _capturable(before, seat))
    if attacked and not now:
        yield Motif(_ATTACKS, does=say("attacks the piece on {square}", square=attacked[0] + 1))
    number = len(legal_steps(after))
    if 0 < number <= _FEW and not now:
        words = say_number("leaves {colour} only one move", "leaves {colour} only {count} moves", number, colour=colour)
        yield Motif(_FEW_MOVES, does=words)


def _places(before: State, after: State, step: int, stands: Callable[[Line], bool]) -> Iterator[Motif]:
    """What the place of the moved piece is good for."""
    seat, origin, square = int(before.to_move), step >> 5, step & 31
    (from_column, from_row), (column, row) = column_and_row(origin), column_and_row(square)
    is_king, colour = bool(before.kings >> bit_of(origin) & 1), COLOURS[1 - seat]
    rows_left = 7 - row if seat == 0 else row
    if not is_king and 0 < rows_left <= _NEAR_ROWS:
        words = say_number(
            "brings a man within one row of becoming a king",
            "brings a man within {count} rows of becoming a king",
            rows_left,
        )
        yield Motif(_NEAR + 1 / rows_left, does=words, holds=stands)
    if column in _MIDDLE and row in _MIDDLE and not (from_column in _MIDDLE and from_row in _MIDDLE):
        yield Motif(_CENTRE, does=say("takes a square in the centre"), holds=stands)
    home = ROW_ONE if seat == 0 else ROW_EIGHT
    kept = popcount(home & after.black & ~after.kings if seat == 0 else home & after.white & ~after.kings)
    if kept > 1 and not is_king and not home >> bit_of(origin) & 1 and pieces_of(after, 1 - seat) & ~after.kings:
        words = say("keeps {count} men on {colour}'s king row", count=kept, colour=colour)
        kings = popcount(pieces_of(after, 1 - seat) & after.kings)
        yield Motif(
            _HOME,
            does=words,
            holds=lambda line: not line or popcount(pieces_of(line[0], 1 - seat) & line[0].kings) <= kings,
        )
    ahead = [other for other in _neighbours(square) if (other > square) == (seat == 0)]
    backed = [other for other in ahead if pieces_of(after, seat) >> bit_of(other) & 1]
    if backed:
        yield Motif(_BACKS, does=say("backs up the piece on {square}", square=backed[0] + 1), holds=stands)
    if column in (0, 7):
        yield Motif(_SIDE, does=say("goes to the side where nothing can jump over it"))
    enemies = squares_of(pieces_of(before, 1 - seat))
    if is_king and _distance(square, enemies) < _distance(origin, enemies):
        words = say("brings the king nearer to {colour}'s pieces", colour=colour)
        yield Motif(_BACKS, does=words, holds=stands)
    if square not in _capturable(after, 1 - seat):
        words = say("moves the king to a safe square") if is_king else say("moves a man forward to a safe square")
        yield Motif(_QUIET, does=words)


def _neighbours(square: int) -> list[int]:
    """The squares that touch *square* diagonally."""
    column, row = column_and_row(square)
    return [
        other
        for other in range(SQUARES)
        if all(abs(a - b) == 1 for a, b in zip(column_and_row(other), (column, row), strict=True))
    ]


def _distance(square: int, others: Sequence[int]) -> int:
    """The king's moves on an empty board from *square* to the nearest of *others*."""
    column, row = column_and_row(square)
    places = map(column_and_row, others)
    return min((max(abs(column - other), abs(row - other_row)) for other, other_row in places), default=0)


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
                "Black must capture with the man on 14: either one man, landing on 21, or two, landing on 23 and "
                "then 30.",
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
            "First tip",
            "Because captures are compulsory, you can sacrifice a man to lure a piece to a square where you capture "
            "two. And keep some men on your first row as long as you can: they keep the opponent from getting kings.",
        ),
    ),
    history=(
        "Checkers, which is called draughts in Britain, goes back to a game of medieval France. In 2007 Jonathan "
        "Schaeffer's group proved, after 18 years of computing, that with best play on both sides it is a draw."
    ),
)
