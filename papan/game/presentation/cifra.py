"""Presentation of CIFRA: tiles and pieces for the editor; goals, captures, threats, safety and ways as motifs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from papan.game.base.sentences import Sentence, capitalised, say, say_number
from papan.game.kernel.bits import cells_of
from papan.game.presentation import Brush, Example, Motif, Page, Section, Setting, turn_setting
from papan.game.rules import PositionError, is_over, play
from papan.game.rules.cifra import board, with_pieces
from papan.game.rules.cifra import cells as step_cells
from papan.game.rules.cifra.states import AnyState

_TILES = (say("White tile"), say("Blue tile"))
_PIECES = (say("White piece"), say("Blue piece"))
_KINGS = (say("White's king"), say("Blue's king"))
_PIECE = 2
"""Codes below this one are colours of tiles; above it, twice the rank of a piece and its colour are added."""
_WHITE, _BLUE = range(2)


def brushes(state: AnyState) -> Sequence[Brush]:
    found = [Brush(colour, name) for colour, name in enumerate(_TILES)]
    for colour in (_WHITE, _BLUE):
        row = 1 + colour
        if board.mode_of(state) in (board.DASH, board.KING):
            found.append(Brush(_PIECE + colour, _PIECES[colour], row))
        if board.mode_of(state) == board.KING:
            found.append(Brush(_PIECE + 2 + colour, _KINGS[colour], row))
        elif board.mode_of(state) != board.DASH:
            word = board.COLOURS_IN_WORDS[colour]
            found += [
                Brush(
                    _PIECE + 2 * rank + colour,
                    capitalised(say("{colour} piece {number}", colour=word, number=rank)),
                    row,
                )
                for rank in range(1, board.size_of(state) + 1)
            ]
    return found


def put(state: AnyState, code: int, cell: int) -> AnyState:
    """*state* with a tile of another colour, or a piece, on *cell*."""
    if code >= _PIECE:
        rank, colour = divmod(code - _PIECE, 2)
        seats, ranks = _pieces(state)
        for cells in seats:
            cells.discard(cell)
        ranks.pop(cell, None)
        playing = _playing(state)
        seats[_seat_of(playing, colour)].add(cell)
        return _with(playing, seats, ranks | ({cell: rank} if rank else {}))
    if cell in board.NEUTRAL_CELLS[board.size_of(state)]:
        name = board.cell_name(cell, board.size_of(state))
        raise PositionError.saying("The tile on {cell} is neutral, and stays so.", cell=name)
    tiles = board.whole(board.white_tiles_of, state) & ~(1 << cell) | (1 << cell if code == _WHITE else 0)
    lower, upper = board.in_parts(tiles)
    if board.size_of(state) == board.LARGE:
        return state._replace(white_tiles=lower, upper_white_tiles=upper)  # type: ignore[call-arg]
    return state._replace(white_tiles=lower)


def name_of(state: AnyState, cell: int) -> str:
    return board.cell_name(cell, board.size_of(state))


def standing(state: AnyState, cell: int) -> Sequence[int]:
    """The piece on *cell*, if there is one, and the tile; nothing for a neutral tile."""
    seats, ranks = _pieces(state)
    owners = [_seat_of(_playing(state), colour) for colour in (_WHITE, _BLUE)]
    rank = _PIECE + 2 * ranks.get(cell, 0)
    found = [rank + colour for colour, owner in enumerate(owners) if cell in seats[owner]]
    if cell not in board.NEUTRAL_CELLS[board.size_of(state)]:
        found.append(_WHITE if board.whole(board.white_tiles_of, state) >> cell & 1 else _BLUE)
    return found


def taken(state: AnyState, cell: int) -> AnyState:
    seats, ranks = _pieces(state)
    if not any(cell in cells for cells in seats):
        return state
    for cells in seats:
        cells.discard(cell)
    ranks.pop(cell, None)
    return _with(state, seats, ranks)


def cleared(state: AnyState) -> AnyState:
    """*state* without pieces; the tiles stay."""
    return _with(_playing(state)._replace(quiet=0), [set(), set()], {})


def settings(state: AnyState) -> Sequence[Setting]:
    stages = {
        str(board.CHOOSING_SIDE): say("a side"),
        str(board.CHOOSING_COLOUR): say("a colour"),
        str(board.MOVING): say("nothing"),
    }
    found = [Setting("stage", say("Still to choose"), str(state.stage), stages)]
    if state.stage == board.MOVING:
        names = [capitalised(colour) for colour in board.COLOURS_IN_WORDS]
        found += [
            turn_setting(names, state.to_move ^ state.white_seat),
            Setting("home", say("Home on row 1"), str(state.white_seat), dict(zip("01", names, strict=True))),
            Setting("quiet", say("Turns without progress"), str(state.quiet), most=board.QUIET_TURNS),
        ]
    return found


def changed(state: AnyState, name: str, value: str) -> AnyState:
    """*state* with another value for a setting; pieces keep their colours and places."""
    seats, ranks = _pieces(state)
    if name == "stage":
        if int(value) != board.MOVING:
            bare = _with(_playing(state)._replace(quiet=0), [set(), set()], {})
            return bare._replace(stage=int(value), to_move=1, white_seat=0)
        return _at_home(_playing(state))
    if name == "turn":
        return state._replace(to_move=int(value) ^ state.white_seat)
    if name == "home" and int(value) != state.white_seat:
        turned = state._replace(white_seat=int(value), to_move=1 - state.to_move)
        return _with(turned, seats[::-1], ranks)
    return state._replace(quiet=int(value)) if name == "quiet" else state


def _seat_of(state: AnyState, colour: int) -> int:
    return state.white_seat ^ colour


def _playing(state: AnyState) -> AnyState:
    """*state* after the choices before play; if open, the first seat begins and is white."""
    return state if state.stage == board.MOVING else state._replace(stage=board.MOVING, to_move=0, white_seat=0)


def _at_home(state: AnyState) -> AnyState:
    """*state* with all pieces on their home rows, if there are none."""
    seats, _ = _pieces(state)
    size = board.size_of(state)
    if any(seats):
        return state
    home = [set(range(size)), set(range(size * (size - 1), size * size))]
    ranks: dict[int, int] = {}
    if board.mode_of(state) == board.KING:
        ranks = {size // 2: 1, size * (size - 1) + size // 2: 1}
    elif board.mode_of(state) != board.DASH:
        ranks = {cell: cell + 1 for cell in home[0]} | {cell: size * size - cell for cell in home[1]}
    return _with(state, home, ranks)


def _pieces(state: AnyState) -> tuple[list[set[int]], dict[int, int]]:
    """The cells of each seat's pieces, and the ranks of those that have one."""
    seats = [set(cells_of(board.whole(board.pieces_of, state, seat))) for seat in range(2)]
    ranks = {cell: rank for cells in seats for cell in cells if (rank := board.rank_of(state, cell))}
    return seats, ranks


def _with(state: AnyState, seats: Sequence[set[int]], ranks: Mapping[int, int]) -> AnyState:
    return with_pieces(state, [sorted(cells) for cells in seats], ranks)


_CAPTURE, _HOME = 1, 2
_HELD, _NEAR, _SAVED, _BOTH, _SHIELDED, _PROTECTED, _ATTACK = 0.9, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4
_ROW, _COLOUR, _OPENED, _ROOM, _SAFE, _HEMMED = 0.1, 0.25, 0.2, 0.15, 0.12, 0.1


def motifs(states: Sequence[AnyState], steps: Sequence[int], who: str) -> Iterator[Motif]:
    if states[0].stage != board.MOVING:
        yield from _choices(states[-1], int(states[0].to_move))
        return
    turn = _Turn(states[0], states[-1], steps[-1])
    cell = turn.name(turn.target)
    if turn.comes_home:
        yield Motif(
            _HOME,
            say("{who} can now bring a piece home on {cell}.", who=who, cell=cell),
            say("{who} could have brought a piece home on {cell}.", who=who, cell=cell),
            say("brings a piece home on {cell}", cell=cell),
        )
    if turn.captures:
        yield Motif(
            _CAPTURE,
            say("{who} can now capture the piece on {cell}.", who=who, cell=cell),
            say("{who} could have captured the piece on {cell}.", who=who, cell=cell),
            _capture(turn),
        )
    if is_over(turn.after):
        return
    yield from _safety(turn)
    yield from _races(turn)
    yield from _attacks(turn)
    yield from _ways(turn)


def _choices(after: AnyState, seat: int) -> Iterator[Motif]:
    """What the side and the colour that *seat* has chosen are good for."""
    if after.stage != board.MOVING:
        return
    own, others = (_count_on_own_tiles(after, one) for one in (seat, 1 - seat))
    does = say_number(
        "places {count} piece on a tile of its own colour", ("places {count} pieces on tiles of their own colour"), own
    )
    if own > others:
        yield Motif(_HOME, does=does)
    elif own:
        yield Motif(_SAFE, does=does)
    ways, theirs = (_count(_walks(after, one)) for one in (seat, 1 - seat))
    if ways > theirs:
        yield Motif(_CAPTURE, does=say("lets your pieces move to more cells than the opponent's"))


def _count_on_own_tiles(state: AnyState, seat: int) -> int:
    """The number of pieces of *seat* on tiles of its colour."""
    return (board.whole(board.pieces_of, state, seat) & board.whole(board.tiles_of, state, seat)).bit_count()


class _Turn:
    """One turn, and what both sides could reach before and after it if they were to move."""

    def __init__(self, before: AnyState, after: AnyState, step: int) -> None:
        self.before, self.after, self.seat = before, after, int(before.to_move)
        self.origin, self.target = step_cells(before, step)
        self.size = board.size_of(before)
        self.comes_home = bool(board.whole(board.far_row, before, self.seat) >> self.target & 1)
        self.captures = bool(board.whole(board.pieces_of, before, 1 - self.seat) >> self.target & 1)
        self.walks_before, self.walks_after = ([_walks(state, seat) for seat in range(2)] for state in (before, after))

    def name(self, cell: int) -> str:
        return board.cell_name(cell, self.size)

    def stays(self, cell: int) -> Callable[[Sequence[AnyState]], bool]:
        """Whether the expected reply leaves the piece on *cell* to the mover."""
        return lambda line: not line or bool(board.whole(board.pieces_of, line[0], self.seat) >> cell & 1)


def _walks(state: AnyState, seat: int) -> dict[int, int]:
    """Bitboards of the cells that each living piece of *seat* could reach if it were to move, by its cell."""
    return {
        cell: board.whole(board.stops, state, seat, cell)
        for cell in cells_of(board.whole(board.living_pieces, state, seat))
    }


def _reachable(walks: Mapping[int, int]) -> int:
    """Bitboard of the cells that any piece reaches."""
    found = 0
    for cells in walks.values():
        found |= cells
    return found


def _in_danger(state: AnyState, seat: int, others_walks: Mapping[int, int]) -> int:
    """Bitboard of the pieces of *seat* that the other side, with its *others_walks*, could capture next."""
    return board.whole(board.pieces_of, state, seat) & _reachable(others_walks)


def _is_protected(state: AnyState, cell: int, seat: int) -> bool:
    """Whether *seat* could recapture, whichever piece captures its one on *cell*, and none comes home by it."""
    if board.whole(board.far_row, state, 1 - seat) >> cell & 1:
        return False
    attackers = [origin for origin, cells in _walks(state, 1 - seat).items() if cells >> cell & 1]
    bits = board.cell_bits(state)
    captured = (play(state._replace(to_move=1 - seat), origin << bits | cell) for origin in attackers)
    return all(_reachable(_walks(after, seat)) >> cell & 1 for after in captured)


def _capture(turn: _Turn) -> Sentence:
    rank = board.rank_of(turn.before, turn.target)
    if rank and board.mode_of(turn.before) != board.KING:
        return say("captures piece {number} on {cell}", number=rank, cell=turn.name(turn.target))
    if not turn.comes_home and _reachable(turn.walks_after[1 - turn.seat]) >> turn.target & 1:
        return say("leaves the opponent one piece fewer")
    return say("wins a piece without being captured in return")


def _safety(turn: _Turn) -> Iterator[Motif]:
    """Own pieces that could be captured before, and no longer can, or could be recaptured."""
    seat = turn.seat
    danger = _in_danger(turn.before, seat, turn.walks_before[1 - seat])
    still = _in_danger(turn.after, seat, turn.walks_after[1 - seat])
    if danger >> turn.origin & 1 and not still >> turn.target & 1:
        attackers = [cell for cell, cells in turn.walks_before[1 - seat].items() if cells >> turn.origin & 1]
        if attackers != [turn.target]:
            attacker = turn.name(next(cell for cell in attackers if cell != turn.target))
            yield Motif(_SAVED, does=say("saves the piece from the one on {cell}", cell=attacker))
    if not turn.captures:
        shielded = cells_of(danger & ~still & ~(1 << turn.origin))
        if shielded:
            does = say("shields the piece on {cell}", cell=turn.name(shielded[0]))
            yield Motif(_SHIELDED, does=does, holds=turn.stays(shielded[0]))
        for cell in cells_of(danger & still & ~(1 << turn.target)):
            if _is_protected(turn.after, cell, seat) and not _is_protected(turn.before, cell, seat):
                yield Motif(_PROTECTED, does=say("protects the piece on {cell}", cell=turn.name(cell)))
                break
    if still >> turn.target & 1 and _is_protected(turn.after, turn.target, seat):
        yield Motif(_SAFE, does=say("offers a trade on {cell}", cell=turn.name(turn.target)))
    if not still:
        yield Motif(_SAFE, does=say("leaves none of your pieces in danger"))


def _races(turn: _Turn) -> Iterator[Motif]:
    """The ways to the far rows."""
    seat, after = turn.seat, turn.after
    own_goal, others_goal = (board.whole(board.far_row, after, one) for one in (seat, 1 - seat))
    runners = [cell for cell, cells in turn.walks_before[1 - seat].items() if cells & others_goal]
    held = [cell for cell in runners if turn.walks_after[1 - seat].get(cell, others_goal) & others_goal == 0]
    if held:
        does = say("stops the piece on {cell} from coming home next", cell=turn.name(held[0]))
        yield Motif(_HELD, does=does)
    if turn.comes_home:
        return
    was_near = turn.walks_before[seat][turn.origin] & own_goal
    if turn.walks_after[seat][turn.target] & own_goal and not was_near:
        yield Motif(_NEAR, does=say("puts a piece one move from home"), holds=turn.stays(turn.target))
    rows = (turn.target // turn.size - turn.origin // turn.size) * (1 if own_goal >> turn.size else -1)
    if rows > 0:
        does = say_number(
            "brings a piece {count} row nearer to home", "brings a piece {count} rows nearer to home", rows
        )
        yield Motif(_COLOUR + _ROW * rows, does=does, holds=turn.stays(turn.target))


def _attacks(turn: _Turn) -> Iterator[Motif]:
    """Enemy pieces that could be captured next, and not before."""
    seat = turn.seat
    if _in_danger(turn.after, seat, turn.walks_after[1 - seat]) >> turn.target & 1:
        return
    known = _in_danger(turn.before, 1 - seat, turn.walks_before[seat])
    new = [turn.name(cell) for cell in cells_of(_in_danger(turn.after, 1 - seat, turn.walks_after[seat]) & ~known)]
    if len(new) > 1:
        does = say("attacks the pieces on {cell} and {other}", cell=new[0], other=new[1])
        yield Motif(_BOTH, does=does, holds=turn.stays(turn.target))
    elif new:
        yield Motif(_ATTACK, does=say("attacks the piece on {cell}", cell=new[0]), holds=turn.stays(turn.target))


def _ways(turn: _Turn) -> Iterator[Motif]:
    """Places to go: more for own pieces, fewer for the opponent's."""
    seat = turn.seat
    own_tiles = board.whole(board.tiles_of, turn.before, seat)
    holds = turn.stays(turn.target)
    if own_tiles >> turn.target & 1 and not own_tiles >> turn.origin & 1:
        yield Motif(_COLOUR, does=say("puts a piece on a tile of its own colour"), holds=holds)
    before, after = turn.walks_before[seat], turn.walks_after[seat]
    gains = {cell: after[cell].bit_count() - before[cell].bit_count() for cell in after if cell in before}
    freed = max(gains, key=lambda cell: gains[cell], default=None)
    if freed is not None and gains[freed] > 0:
        yield Motif(_OPENED, does=say("opens a way for the piece on {cell}", cell=turn.name(freed)))
    if turn.target in after and after[turn.target].bit_count() > before[turn.origin].bit_count():
        does = say_number(
            "gives the piece {count} cell to go to instead of {before}",
            "gives the piece {count} cells to go to instead of {before}",
            after[turn.target].bit_count(),
            before=before[turn.origin].bit_count(),
        )
        yield Motif(_ROOM, does=does, holds=holds)
    had, has = (_count(walks[1 - seat]) for walks in (turn.walks_before, turn.walks_after))
    if has < had:
        yield Motif(_HEMMED, does=say("cuts the opponent's moves to {count}", count=has))


def _count(walks: Mapping[int, int]) -> int:
    return sum(cells.bit_count() for cells in walks.values())


_PAGE_TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
_LARGE_PAGE_TILES = "WWBWNBWWBWBBBWWWBBBWBWBBBWBWWWBWBBBWNWBBNWBBNWBWBWWBBBBWBBBBWWWWWBWBWBWWWWBBNBWWW"

PAGE = Page(
    goal="Bring more of your pieces to the far row than your opponent, before one side has no piece left to move.",
    sections=(
        Section(
            "The board",
            "Twelve white and twelve blue tiles are shuffled around a **neutral tile** in the middle. Each player has "
            "five pieces, white or blue, on the row in front.\n"
            "The second player chooses a side of the board and a colour; the first player gets the opposite side and "
            "moves first.",
        ),
        Section(
            "Walking",
            "A piece walks in a straight line in any of eight directions, also backwards. Steps between two tiles of "
            "the piece's **own colour are free**. Any other step is **paid**, and each walk may include **one paid "
            "step**. The piece may stop anywhere on its way and never jumps over a piece.",
            Example(
                f"{_PAGE_TILES}/.b..b........b.w.......w./w/w",
                "White's piece on a2 runs to b2 for free and may pay for c2; or over b3 to c4.",
                chosen=5,
            ),
        ),
        Section(
            "The neutral tile",
            "It has neither colour: both the step onto it and the step off it must be paid for. So a piece can stop "
            "there and start from there, but **never pass** it.",
            Example(
                f"{_PAGE_TILES}/b..b........w......b....w/w/w",
                "From c3 the first step is paid for. Through d4 the white piece can run on to e5; through b2 it "
                "can't run on to blue a1.",
                chosen=12,
            ),
        ),
        Section(
            "Captures and goals",
            "You **capture** a piece by ending your walk on it; you never have to. A piece that reaches the far row "
            "is a **goal piece**: it moves no more and can't be captured. A piece on its own home row is like any "
            "other.",
            Example(
                f"{_PAGE_TILES}/W..b...bw......b....ww.B./w/w",
                "White's piece on d4 may capture on c4, capture on d5 and be home, or go home beside it.",
                chosen=18,
            ),
        ),
        Section(
            "The end",
            "The game ends as soon as one side has **no living piece** left: all are home or captured. More goal "
            "pieces win; if they are equal, the player who still has living pieces. It is a draw when a position "
            "comes for the third time, or after 50 turns by each side without a capture or a goal.",
            Example(
                f"{_PAGE_TILES}/W.W.W.......b......b..B../b/w",
                "White's last living piece has come home: three goal pieces against one. White has won.",
            ),
        ),
        Section(
            "King",
            "In this mode the middle piece of each row is the **king**. Capture the other king, or bring your own one "
            "home, and you win at once; other pieces at home count for nothing.",
            Example(
                f"{_PAGE_TILES}/b...b..b....w...b....w.w./w/w/.......K....K............",
                "White's king can win in two ways: by the capture on c4, or by coming home to e5.",
                chosen=12,
                options={"mode": "king"},
            ),
        ),
        Section(
            "Sum, and the large board",
            "In **sum** your pieces are numbered from your left, 1 to 5. The game ends as always, but the higher "
            "**sum of the numbers at home** wins; then more goal pieces, then more living ones.\n"
            "The board of **9 × 9** has 38 tiles of each colour, nine pieces a side and five neutral tiles: in the "
            "middle, and in the middle of each edge. It goes with every mode.",
            Example(
                f"{_LARGE_PAGE_TILES}/{'b' * 9}{'.' * 63}{'w' * 9}/w/w/987654321{'.' * 63}123456789",
                "The start of sum on 9 × 9: the fives begin on neutral tiles.",
                options={"mode": "sum", "size": "9"},
            ),
        ),
    ),
    history=(
        "CIFRA Code25 comes from Logy Games, a Japanese workshop whose games are made by hand, and which offered it "
        "on Kickstarter. Its tiles can be laid in 676,280 ways, if boards that are only turned are not counted again."
    ),
)
