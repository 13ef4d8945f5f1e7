"""Turns of xiangqi in words: the piece by its name, and where it goes as players say it."""

from __future__ import annotations

from collections.abc import Sequence

from papan.game.base.sentences import Sentence, capitalised, joined, say
from papan.game.rules.xiangqi import board

_MIDDLE = board.FILES // 2


def turn_words(states: Sequence[board.State], steps: Sequence[int]) -> Sentence:
    """The piece, what it takes or where it goes, and whether that gives check."""
    state, after = states[0], states[-1]
    origin, target = steps[0] >> board.STEP_SHIFT, steps[0] & board.TARGET_MASK
    kind = board.kind_at(state, origin)
    piece = capitalised(board.KIND_NAMES[kind])
    if _has_twin(state, origin, target):
        piece = say("{piece} from {cell}", piece=piece, cell=board.cell_name(origin))
    words = _way(state, piece, origin, target)
    return joined([words, say("check")], ", ") if board.in_check(after, 1 - state.to_move) else words


def short_words(states: Sequence[board.State], steps: Sequence[int]) -> Sentence:
    """The piece and the point that it goes to."""
    state = states[0]
    origin, target = steps[0] >> board.STEP_SHIFT, steps[0] & board.TARGET_MASK
    piece, cell = capitalised(board.KIND_NAMES[board.kind_at(state, origin)]), board.cell_name(target)
    if any(
        origin != other and board.kind_at(state, other) == board.kind_at(state, origin)
        for other in _reaching(state, target)
    ):
        piece = say("{piece} {cell}", piece=piece, cell=board.cell_name(origin))
    if board.kind_at(state, target):
        return say("{piece} takes {cell}", piece=piece, cell=cell)
    return say("{piece} to {cell}", piece=piece, cell=cell)


def _reaching(state: board.State, target: int) -> list[int]:
    """The points of the mover's pieces that could go to *target*."""
    return [cell for cell in board.pieces_of(state, state.to_move) if _reaches(state, cell, target)]


def _way(state: board.State, piece: str, origin: int, target: int) -> Sentence:
    taken = board.kind_at(state, target)
    if taken:
        return say(
            "{piece} takes the {taken} on {cell}",
            piece=piece,
            taken=board.KIND_NAMES[taken],
            cell=board.cell_name(target),
        )
    (rank, file), (to_rank, to_file) = divmod(origin, board.FILES), divmod(target, board.FILES)
    if rank == to_rank and to_file == _MIDDLE:
        return say("{piece} to the middle file", piece=piece)
    if rank == to_rank:
        return say("{piece} to file {file}", piece=piece, file=board.FILE_NAMES[to_file])
    if file != to_file:
        return say("{piece} to {cell}", piece=piece, cell=board.cell_name(target))
    ahead = to_rank - rank if state.to_move == board.RED else rank - to_rank
    if ahead > 0:
        return say("{piece} forward {count}", piece=piece, count=ahead)
    return say("{piece} back {count}", piece=piece, count=-ahead)


def _has_twin(state: board.State, origin: int, target: int) -> bool:
    """Whether the same words could be said of another piece of the same kind."""
    kind, seat = board.kind_at(state, origin), state.to_move
    others = [cell for cell, other in board.pieces_of(state, seat).items() if other == kind and cell != origin]
    return any(_reaches(state, cell, _likewise(state, cell, origin, target)) for cell in others)


def _likewise(state: board.State, cell: int, origin: int, target: int) -> int:
    """The cell to which a piece on *cell* goes if it does the same as the one from *origin* to *target*."""
    (rank, file), (to_rank, to_file) = divmod(origin, board.FILES), divmod(target, board.FILES)
    if board.kind_at(state, target) or (rank != to_rank and file != to_file):
        return target
    return cell // board.FILES * board.FILES + to_file if rank == to_rank else cell + target - origin


def _reaches(state: board.State, cell: int, target: int) -> bool:
    if not 0 <= target < board.CELLS:
        return False
    near, far = board.reach(state, cell, board.kind_at(state, cell), state.to_move)
    return bool(near >> target & 1 if target < board.HALF else far >> (target - board.HALF) & 1)
