"""Xiangqi, Chinese chess: two seats, 16 pieces each on the points of a board with a river and two palaces.

The rules are those commonly played in China. Red, seat 0, moves first. A side without a legal move has lost, in check
or not. The generals may not face each other with nothing between them. 60 turns by each side without a capture are a
draw. The third occurrence of a position is a draw too, unless one side gave check with every turn from the first
occurrence to the third and the other one did not: then the side giving perpetual check has lost.

Option ``repetition=axf``: if neither side gave perpetual check, a side loses that chased one and the same piece with
all those turns, while the other one did not; ``chasing`` says what a chase is. Both are a draw.

A step is ``from << 7 | to``, with cells numbered from a0, see ``board``. Notation: the two cells, ``h2e2``; files are a
to i and ranks 0 to 9 from red's left, as in the protocol UCCI. Programs that number ranks from 1, such as those derived
from chess programs, write the same move as ``h3e3``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import or_
from random import Random

from papan.game.base.sentences import capitalised, say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.kernel import subroutine
from papan.game.kernel.bits import hashed, lowest, write_bits
from papan.game.rules import (
    BoardRows,
    Ending,
    PositionError,
    can_repeat,
    canonical_key,
    content_at,
    is_over,
    key,
    mover,
    moves,
    not_chased,
    payoff,
    play,
    reason_number,
    repetition_payoff,
    steps_to_draw,
    third_repetition,
)
from papan.game.rules.one_click import by_notation, one_phase
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HALF,
    HALF_BOARD,
    HALF_RANKS,
    HORSE,
    KIND_NAMES,
    KINDS,
    LETTERS,
    MOST_OF_KIND,
    MOST_QUIET,
    QUIET_TURNS,
    RANKS,
    RED,
    SEAT_NAMES,
    SOLDIER,
    STEP_SHIFT,
    TARGET_MASK,
    after_moving,
    cell_name,
    cells_of_halves,
    far_kind,
    far_of,
    general_cell,
    has_crossed,
    has_legal_step,
    in_check,
    in_palace,
    is_taken,
    kind_at,
    legal_reach,
    near_kind,
    near_of,
    pieces_of,
    reach,
    seat_at,
    watched_cells,
)
from papan.game.rules.xiangqi.board import State as State
from papan.game.rules.xiangqi.chasing import CHASED, MOST_CHASES, PIECES, chases_after, kind_of_number
from papan.game.rules.xiangqi.foreign import foreign_turns as foreign_turns

# Two chariots and two cannons of 17 cells each, two horses of 8, five soldiers of 3, two elephants and two
# advisors of 4, a general of 4.
MOST_STEPS = 4 * 17 + 2 * 8 + 5 * 3 + 4 * 4 + 4
PHASES, phase = one_phase(say("move"))
PERFT_COUNTS_ENDED_GAMES = False


# ------------------------------------------------------------------------------------------- kernels


@mover.of(State)
def _mover(state: State) -> int:
    return state.to_move


@moves.of(State)
def _moves(state: State, buffer: list[int], base: int) -> int:
    if state.quiet >= MOST_QUIET:
        return base
    own = near_of(state, state.to_move), far_of(state, state.to_move)
    looked_at = watched_cells(state, state.to_move)
    for kind in range(1, SOLDIER + 1):
        for half in range(2):
            pieces = near_kind(state, kind) & own[0] if half == 0 else far_kind(state, kind) & own[1]
            while pieces:
                cell = lowest(pieces) + half * HALF
                pieces &= pieces - 1
                near, far = legal_reach(state, cell, kind, own, looked_at)
                base = write_bits(near, cell << STEP_SHIFT, buffer, base)
                base = write_bits(far, cell << STEP_SHIFT | HALF, buffer, base)
    return base


@play.of(State)
def _play(state: State, step: int) -> State:
    origin, target = step >> STEP_SHIFT, step & TARGET_MASK
    after = after_moving(state, origin, target)
    if state.chases < 0:
        return after
    return after._replace(chases=chases_after(state, after, origin, target))


@is_over.of(State)
def _is_over(state: State) -> bool:
    return state.quiet >= MOST_QUIET or not has_legal_step(state)


@payoff.of(State)
def _payoff(state: State, seat: int) -> float:
    if has_legal_step(state):
        return 0.0  # too many quiet turns
    return -1.0 if seat == state.to_move else 1.0


STEPS_LEFT, CHECKMATE, STALEMATE = range(3)


@reason_number.of(State)
def _reason_number(state: State) -> int:
    if has_legal_step(state):
        return STEPS_LEFT  # too many quiet turns
    return CHECKMATE if in_check(state, state.to_move) else STALEMATE


@can_repeat.of(State)
def _can_repeat(state: State) -> bool:
    return True


@steps_to_draw.of(State)
def _steps_to_draw(state: State) -> int:
    return MOST_QUIET - state.quiet


@repetition_payoff.of(State)
def _repetition_payoff(state: State) -> float:
    # Returning to a check counts as perpetual check.
    return -1.0 if in_check(state, state.to_move) else 0.0


@not_chased.of(State)
def _not_chased(state: State) -> int:
    return 0 if state.chases < 0 else ~state.chases & CHASED | 1 << PIECES  # the general's


FIRST_FILE = sum(1 << (rank * FILES) for rank in range(HALF_RANKS))


@key.of(State)
def _key(state: State) -> int:
    return hashed(
        state.red_near | state.to_move << HALF,
        state.red_far,
        state.black_near,
        state.black_far,
        state.ones_near,
        state.ones_far,
        state.twos_near,
        state.twos_far,
        state.fours_near,
        state.fours_far,
    )


@subroutine
def mirror_image(half: int) -> int:
    """One half of the board with its files in reverse order."""
    image = 0
    for file in range(FILES):
        image |= (half >> file & FIRST_FILE) << (FILES - 1 - file)
    return image


@canonical_key.of(State)
def _canonical_key(state: State) -> tuple[int, int]:
    own = key(state)
    image = state._replace(
        red_near=mirror_image(state.red_near),
        red_far=mirror_image(state.red_far),
        black_near=mirror_image(state.black_near),
        black_far=mirror_image(state.black_far),
        ones_near=mirror_image(state.ones_near),
        ones_far=mirror_image(state.ones_far),
        twos_near=mirror_image(state.twos_near),
        twos_far=mirror_image(state.twos_far),
        fours_near=mirror_image(state.fours_near),
        fours_far=mirror_image(state.fours_far),
    )
    other = key(image)
    return (own, 0) if own <= other else (other, 1)


@content_at.of(State)
def _content_at(state: State, cell: int) -> int:
    kind = kind_at(state, cell)
    return kind + SOLDIER if is_taken(state.black_near, state.black_far, cell) else kind


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> State:
    """The usual position, red to move."""
    return _usual_start()._replace(chases=_no_chases(options))


@lru_cache(maxsize=1)
def _usual_start() -> State:
    return parse(START, {})


def _no_chases(options: Mapping[str, str]) -> int:
    """``State.chases`` before the first turn."""
    return 0 if options.get("repetition") == "axf" else -1


def notation(state: State, step: int) -> str:
    """``h2e2``: from, to."""
    return cell_name(step >> STEP_SHIFT) + cell_name(step & TARGET_MASK)


def cells(state: State, step: int) -> tuple[int, ...]:
    """From and to."""
    return step >> STEP_SHIFT, step & TARGET_MASK


describe = by_notation(notation)


def prompt(state: State, chosen: int | None) -> tuple[str, str]:
    if in_check(state, state.to_move):
        return say("You are in check"), say("Bring your general to safety, capture the attacker or come between.")
    if chosen is None:
        return say("Move a piece"), say(
            "Leave the opponent's general without escape: a side without a legal move has lost."
        )
    return say("Choose where it goes"), ""


def seat_note(state: State, seat: int) -> tuple[str, str]:
    if in_check(state, seat):
        return SEAT_NAMES[seat], say("in check")
    number = len(pieces_of(state, seat))
    return SEAT_NAMES[seat], say_number("{count} piece", "{count} pieces", number) if number > 1 else say(
        "only the general"
    )


def ending(state: State) -> Ending:
    return Ending((payoff(state, RED), payoff(state, 1 - RED)), _REASONS[reason_number(state)])


_REASONS = {
    STEPS_LEFT: say("{most} turns by each side without a capture", most=QUIET_TURNS),
    CHECKMATE: say("checkmate"),
    STALEMATE: say("no legal move"),
}


def repetition_ending(states: Sequence[State]) -> Ending | None:
    """The ending if the last of *states* has occurred three times: perpetual check or chase, or a draw.

    It considers all turns from the first occurrence to the third.
    """
    recent = states[-1 - min(states[-1].quiet, len(states) - 1) :]  # captures are irreversible
    if not third_repetition(recent):
        return None
    last = key(recent[-1])
    times = [index for index, earlier in enumerate(recent) if key(earlier) == last]
    cycle = recent[times[-3] : -1]
    always_attacked = [
        all(in_check(state, seat) for state in cycle if state.to_move == seat) for seat in range(len(SEAT_NAMES))
    ]
    if always_attacked[0] != always_attacked[1]:
        loser = always_attacked.index(False)
        return _lost(loser, say("{colour} gave check with every move (perpetual check)", colour=SEAT_NAMES[loser]))
    chased = [_always_chased(recent[times[-3] + 1 :], seat) for seat in range(len(SEAT_NAMES))]
    if always_attacked[0] or (chased[0] == 0) == (chased[1] == 0):
        return Ending((0.0, 0.0), say("third repetition of the position"))
    loser = chased.index(0)
    piece = KIND_NAMES[kind_of_number(lowest(chased[1 - loser]))]
    reason = say(
        "{colour} attacked the {piece} with every move (perpetual chase)", colour=SEAT_NAMES[loser], piece=piece
    )
    return _lost(loser, reason)


def _lost(seat: int, reason: str) -> Ending:
    return Ending((-1.0, 1.0) if seat == RED else (1.0, -1.0), reason)


def _always_chased(states: Sequence[State], seat: int) -> int:
    """The pieces of *seat*, as bits by their numbers, that each turn to one of *states* chases."""
    unharmed = [not_chased(state) for state in states if state.to_move == seat]
    return CHASED & ~reduce(or_, unharmed) if all(unharmed) else 0


# ------------------------------------------------------------------------------------------ refusals


def refusal(state: State, step: int) -> str:
    if is_over(state):
        return say("The game is over: {reason}.", reason=ending(state).reason)
    origin, target = step >> STEP_SHIFT, step & TARGET_MASK
    if not 0 <= origin < CELLS or target >= CELLS:
        return say("There is no such cell: files are a to i, ranks 0 to 9.")
    refused = _refused_piece(state, origin)
    if refused:
        return refused
    if seat_at(state, target) == state.to_move:
        return say("Your own piece stands on {cell}.", cell=cell_name(target))
    kind = kind_at(state, origin)
    if target not in cells_of_halves(*reach(state, origin, kind, state.to_move)):
        return _REFUSED_WAYS[kind](state, origin, target)
    return _refused_safety(state, origin, target)


def refusal_at(state: State, cells: tuple[int, ...]) -> str:
    if len(cells) > 1 or is_over(state):
        return refusal(state, cells[0] << STEP_SHIFT | cells[-1])
    refused = _refused_piece(state, cells[0])
    if refused:
        return refused
    piece, cell = KIND_NAMES[kind_at(state, cells[0])], cell_name(cells[0])
    own = near_of(state, state.to_move), far_of(state, state.to_move)
    near, far = reach(state, cells[0], kind_at(state, cells[0]), state.to_move)
    if not near & ~own[0] | far & ~own[1]:
        return say("The {piece} on {cell} can't move: it is shut in.", piece=piece, cell=cell)
    if in_check(state, state.to_move):
        return say("The {piece} on {cell} can't move: that would not end the check.", piece=piece, cell=cell)
    return say("The {piece} on {cell} can't move: your general would be open to attack.", piece=piece, cell=cell)


def _refused_piece(state: State, origin: int) -> str:
    """Why the seat to act can't move a piece from *origin*, or ""."""
    owner = seat_at(state, origin)
    if owner is None:
        return say("There is no piece on {cell}.", cell=cell_name(origin))
    return "" if owner == state.to_move else say("The piece on {cell} is your opponent's.", cell=cell_name(origin))


def _refused_safety(state: State, origin: int, target: int) -> str:
    """The danger to its own general that forbids the seat to act a move that its piece could make."""
    seat = state.to_move
    after = after_moving(state, origin, target)
    own, other = general_cell(after, seat), general_cell(after, 1 - seat)
    if own % FILES == other % FILES and not _taken_between(after, own, other):
        return say("The two generals would face each other with nothing between them.")
    if in_check(state, seat):
        return say("You are in check, and that does not end it.")
    return say("That would leave your general open to attack.")


def _taken_between(state: State, origin: int, target: int) -> list[int]:
    """The cells with pieces on the straight line between two cells."""
    low, high = min(origin, target), max(origin, target)
    stride = FILES if low % FILES == high % FILES else 1
    return [cell for cell in range(low + stride, high, stride) if seat_at(state, cell) is not None]


def _is_straight(origin: int, target: int) -> bool:
    return origin % FILES == target % FILES or origin // FILES == target // FILES


def _distances(origin: int, target: int) -> tuple[int, int]:
    """The distances in files and ranks from *origin* to *target*."""
    return abs(target % FILES - origin % FILES), abs(target // FILES - origin // FILES)


def _refused_general(state: State, origin: int, target: int) -> str:
    if not in_palace(state.to_move, target):
        return say("The general stays in its palace.")
    return say("The general moves one point along a line.")


def _refused_advisor(state: State, origin: int, target: int) -> str:
    if not in_palace(state.to_move, target):
        return say("An advisor stays in the palace.")
    return say("An advisor moves one point diagonally.")


def _refused_elephant(state: State, origin: int, target: int) -> str:
    if _distances(origin, target) != (2, 2):
        return say("An elephant moves exactly two points diagonally.")
    if has_crossed(state.to_move, target):
        return say("An elephant doesn't cross the river.")
    return say(
        "The elephant is blocked: a piece stands on {cell}, the point it passes over.",
        cell=cell_name((origin + target) // 2),
    )


def _refused_horse(state: State, origin: int, target: int) -> str:
    files, ranks = _distances(origin, target)
    if sorted((files, ranks)) != [1, 2]:
        return say("A horse moves one point along a line and then one diagonally outwards.")
    if files == 2:
        leg = origin + (1 if target % FILES > origin % FILES else -1)
    else:
        leg = origin + (FILES if target > origin else -FILES)
    return say("The horse is hobbled: a piece stands on {cell}, beside it.", cell=cell_name(leg))


def _refused_chariot(state: State, origin: int, target: int) -> str:
    if not _is_straight(origin, target):
        return say("A chariot moves along a line.")
    return say("A piece on {cell} is in the way.", cell=cell_name(_taken_between(state, origin, target)[0]))


def _refused_cannon(state: State, origin: int, target: int) -> str:
    if not _is_straight(origin, target):
        return say("A cannon moves along a line.")
    between = _taken_between(state, origin, target)
    if seat_at(state, target) is None:
        return say("A piece on {cell} is in the way: a cannon jumps only to capture.", cell=cell_name(between[0]))
    if not between:
        return say("A cannon captures over exactly one piece; here there is none.")
    return say("A cannon captures over exactly one piece; here there are {number}.", number=len(between))


def _refused_soldier(state: State, origin: int, target: int) -> str:
    if has_crossed(state.to_move, origin):
        return say("A soldier beyond the river moves one point ahead or to a side, never back.")
    return say("A soldier moves one point ahead; beyond the river to a side as well.")


_REFUSED_WAYS = {
    GENERAL: _refused_general,
    ADVISOR: _refused_advisor,
    ELEPHANT: _refused_elephant,
    HORSE: _refused_horse,
    CHARIOT: _refused_chariot,
    CANNON: _refused_cannon,
    SOLDIER: _refused_soldier,
}
"""For each kind: why a piece can't go from one cell to another."""


# -------------------------------------------------------------------------------------- position texts


START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
SIDES = "wb"
_SEVERAL = (
    "", say("generals"), say("advisors"), say("elephants"), say("horses"), say("chariots"), say("cannons"),
    say("soldiers"),
)  # fmt: skip
"""The plural names of the kinds."""

_SIDE_LETTERS = {"w": RED, "r": RED, "b": 1 - RED}
_KINDS_BY_LETTER = {**{letter: kind for kind, letter in enumerate(LETTERS[1:], start=1)}, "H": HORSE, "E": ELEPHANT}

Pieces = dict[int, tuple[int, int]]
"""The seat and the kind of piece on each cell that has one."""


def board_rows(state: State) -> BoardRows:
    """Letters as in FEN."""
    rows = [range(first, first + FILES) for first in reversed(range(0, CELLS, FILES))]
    return BoardRows(rows, "-" + LETTERS[1:] + LETTERS[1:].lower(), SIDES, symmetries=2)


def text(state: State) -> str:
    """The position text of *state*, as other programs write it (FEN).

    ``rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w``: the ranks from 9 down to 0, each from file a on,
    capitals for red, a digit for so many empty cells; then the side to move, ``w`` for red and ``b`` for black. A last
    number, omitted if 0, is the number of turns of both sides since the last capture. With ``repetition=axf`` a colon
    and ``State.chases`` follow, if that is not 0: ``w 7:36``.

    ``parse`` also reads what others write: the tail of chess, ``w - - 12 40``, whose first number is the same and whose
    second is not used; any part of it, and a board alone with red to move; ``r`` for red; H and E for horses and
    elephants.
    """
    letters = {cell: LETTERS[kind] for cell, kind in pieces_of(state, RED).items()}
    letters |= {cell: LETTERS[kind].lower() for cell, kind in pieces_of(state, 1 - RED).items()}
    ranks = []
    for rank in reversed(range(RANKS)):
        written, empty = "", 0
        for cell in range(rank * FILES, (rank + 1) * FILES):
            if cell in letters:
                written += (str(empty) if empty else "") + letters[cell]
                empty = 0
            else:
                empty += 1
        ranks.append(written + (str(empty) if empty else ""))
    memory = f":{state.chases}" if state.chases > 0 else ""
    return f"{'/'.join(ranks)} {SIDES[state.to_move]}" + (f" {state.quiet}{memory}" if state.quiet or memory else "")


def parse(text: str, options: Mapping[str, str]) -> State:
    """The state that *text* describes.

    >>> parse("4k4/9/9/9/9/9/9/9/9/3K1R3 w 7", {}).quiet
    7
    """
    board, *tail = text.split() or [""]
    pieces = _parse_board(board)
    side, numbers = tail[0] if tail else SIDES[RED], tail[1:]
    if side.lower() not in _SIDE_LETTERS:
        raise PositionError.saying("{field} is neither w, red to move, nor b, black to move.", field=quoted(side))
    seat = _SIDE_LETTERS[side.lower()]
    for _ in range(2):  # chess has castling and en passant there
        if numbers[:1] == ["-"]:
            numbers.pop(0)
    if len(numbers) > 2:
        raise PositionError.saying(
            "{text} has {parts} after the board instead of five at most: w or b, - -, two numbers.",
            text=quoted(text),
            parts=say_number("{count} part", "{count} parts", len(tail)),
        )
    counter, colon, memory = numbers[0].partition(":") if numbers else ("0", "", "")
    quiet, chases = _parse_quiet(counter), _parse_chases(memory) if colon else 0
    rounds = whole_number(numbers[1]) if len(numbers) > 1 else 0
    if rounds is None or rounds < 0:
        raise PositionError.saying("{field} is not a number of rounds.", field=quoted(numbers[1]))
    _check_numbers(pieces)
    for cell, (owner, kind) in pieces.items():
        _check_cell(cell, owner, kind)
    position = state_of(pieces, seat, quiet, chases if _no_chases(options) == 0 else -1)
    if in_check(position, 1 - seat):
        waiting, moving = SEAT_NAMES[1 - seat], SEAT_NAMES[seat]
        raise PositionError.saying(
            "The {waiting} general is attacked, and {moving} is to move. This can't happen in a game.",
            waiting=waiting,
            moving=moving,
        )
    return position


def _parse_quiet(field: str) -> int:
    quiet = whole_number(field)
    if quiet is None or not 0 <= quiet <= MOST_QUIET:
        raise PositionError.saying(
            "{field} is not a number of turns since the last capture: it is 0 to {most}.",
            field=quoted(field),
            most=MOST_QUIET,
        )
    return quiet


def _parse_chases(field: str) -> int:
    chases = whole_number(field)
    if chases is None or not 0 <= chases < MOST_CHASES:
        raise PositionError.saying(
            "{field} does not say what the last turn chases: it is a number from 0 to {most}.",
            field=quoted(field),
            most=MOST_CHASES - 1,
        )
    return chases


def _parse_board(field: str) -> Pieces:
    ranks = field.split("/")
    if len(ranks) != RANKS:
        raise PositionError.saying(
            "The board has {number} ranks between slashes instead of {ranks}.", number=len(ranks), ranks=RANKS
        )
    pieces: Pieces = {}
    for rank, written in zip(reversed(range(RANKS)), ranks, strict=True):
        file = 0
        for character in written:
            if character in "123456789":
                file += int(character)
            elif character.upper() in _KINDS_BY_LETTER:
                if file < FILES:
                    seat = RED if character.isupper() else 1 - RED
                    pieces[rank * FILES + file] = seat, _KINDS_BY_LETTER[character.upper()]
                file += 1
            else:
                raise PositionError.saying(
                    "Rank {rank}, {written}: {character} is neither a piece nor a number of empty cells.",
                    rank=rank,
                    written=quoted(written),
                    character=quoted(character),
                )
        if file != FILES:
            raise PositionError.saying(
                "Rank {rank}, {written}, has {file} cells instead of {files}.",
                rank=rank,
                written=quoted(written),
                file=file,
                files=FILES,
            )
    return pieces


def _check_numbers(pieces: Pieces) -> None:
    """:raises PositionError: a side has no general, or more pieces of a kind than there are."""
    for seat, name in enumerate(SEAT_NAMES):
        for kind in KINDS:
            number = sum(piece == (seat, kind) for piece in pieces.values())
            if number > MOST_OF_KIND[kind]:
                most = MOST_OF_KIND[kind]
                colour, pieces_of_kind = capitalised(name), _SEVERAL[kind]
                raise PositionError.saying(
                    "{colour} has {number} {pieces}; there are {most} at most.",
                    colour=colour,
                    number=number,
                    pieces=pieces_of_kind,
                    most=most,
                )
            if kind == GENERAL and not number:
                raise PositionError.saying("{colour} has no general.", colour=capitalised(name))


def _check_cell(cell: int, seat: int, kind: int) -> None:
    """:raises PositionError: a piece of *kind* of *seat* can't reach *cell*."""
    rank, file = divmod(cell, FILES)
    own_rank = rank if seat == RED else RANKS - 1 - rank
    can_be_there = True
    if kind == GENERAL:
        can_be_there = in_palace(seat, cell)
    elif kind == ADVISOR:
        can_be_there = in_palace(seat, cell) and (file + own_rank) % 2 == 1
    elif kind == ELEPHANT:
        can_be_there = own_rank in (0, 2, 4) and file % 4 == (2 if own_rank != 2 else 0)
    elif kind == SOLDIER:
        can_be_there = has_crossed(seat, cell) or (own_rank >= HALF_RANKS - 2 and file % 2 == 0)
    if not can_be_there:
        raise PositionError.saying(
            "A {colour} {piece} can't get to {cell}.",
            colour=SEAT_NAMES[seat],
            piece=KIND_NAMES[kind],
            cell=cell_name(cell),
        )


def state_of(pieces: Pieces, seat: int, quiet: int, chases: int = -1) -> State:
    """The state with these *pieces* and *seat* to move; default: only perpetual check loses."""

    def halves(cells: list[int]) -> tuple[int, int]:
        board = sum(1 << cell for cell in cells)
        return board & HALF_BOARD, board >> HALF

    red, black = (halves([cell for cell in pieces if pieces[cell][0] == owner]) for owner in range(2))
    ones, twos, fours = (halves([cell for cell in pieces if pieces[cell][1] & bit]) for bit in (1, 2, 4))
    return State(*red, *black, *ones, *twos, *fours, to_move=seat, quiet=quiet, chases=chases)
