"""CIFRA Code25: two seats race their pieces across a board of white and blue tiles.

The game is that of a student project, "CIFRA CODE25" (University of Porto, undated): dash, on 5×5 cells with five
pieces each. One correction: if a side has brought all its pieces home and is not ahead, the project's ``winner()`` has
no result; here goal pieces decide, then living pieces. ``board`` has the contents of states and the walks of pieces,
``states`` the states.

Seat 0 moves first and always plays upwards, from row 1. Before that, seat 1 takes one turn of two steps: his home side
of the board, and his colour. Choosing a side turns the board until that side is the top row.

A piece walks along one of eight directions. A step costs nothing between two tiles of the piece's colour and 1
otherwise, and a walk costs 1 at most. So a piece on its own colour walks any distance over its own colour and may end
with one step off it; any other piece takes one step and, if that leads onto its own colour, continues over it. Neutral
tiles belong to no seat: a walk can begin or end there, never pass. Any piece in the way ends the walk; an opponent's is
captured by landing on it, unless it has reached its far row: then it is a goal piece, which neither moves nor is
captured.

Option ``size=9``: 9×9 cells, nine pieces each, neutral tiles on e1, a5, e5, i5 and e9; so the middle piece of each home
row begins on one, and pieces that come home in column e end on one. They are symmetric for all four sides.

Option ``mode``: a game of *dash* ends when a side has no living piece left; goal pieces decide, then living pieces. In
*king* one piece is the king, at the start the middle one of the row; a side that captures the other king or brings its
own home wins at once, and other goal pieces count for nothing. In *sum* the pieces are numbered from 1, at the start
from their player's left; a game ends as in dash, and the higher sum of the numbers at home wins, then more goal pieces,
then more living ones.

A side that has living pieces can always move, in each mode and size, so there is no pass. The first step of a walk is
always affordable, neutral tile or not, so a piece may step to any neighbour without an own piece or an opponent's goal
piece. Seat 0's living pieces are below its far row, the opponent's goal pieces in row 1 only. To be shut in, seat 0
needs own pieces on all cells next to its living ones, thus living ones on all of those outside these two rows, and so
on: it would have to fill all rows but two, with 15 pieces of 5, or 63 of 9.

A step of play is ``from * 32 + to``, on 9×9 ``from * 128 + to``. Before play a step is the side (a number of
quarter turns: 0 north, 1 east, 2 south, 3 west) or the colour (0 white, 1 blue).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from papan.game.base.sentences import alternatives, capitalised, joined, say, say_number
from papan.game.base.untrusted import quoted, whole_number
from papan.game.kernel import subroutine
from papan.game.kernel.bits import cells_of, lowest, popcount, write_bits
from papan.game.kernel.rng import RandomState, below, drawn_bit
from papan.game.rules import (
    Ending,
    ModelView,
    PositionError,
    can_repeat,
    deal,
    is_over,
    mover,
    moves,
    payoff,
    play,
    reason_number,
    steps_to_draw,
    third_repetition,
)
from papan.game.rules.cifra.board import (
    CHOOSING_COLOUR,
    CHOOSING_SIDE,
    COLOURS,
    COLOURS_IN_WORDS,
    DASH,
    KING,
    LARGE,
    MODES,
    MOVING,
    NEUTRAL_CELLS,
    QUIET_TURNS,
    RANK_DIGITS,
    SMALL,
    SUM,
    bit_of,
    cell_bits,
    cell_name,
    coloured_board,
    count_goals,
    count_living,
    far_row,
    goal_pieces,
    goal_sum,
    has_living,
    has_won_by_king,
    in_parts,
    living_pieces,
    mode_of,
    part_with,
    parts_of,
    pieces_of,
    rank_of,
    ranked_pieces,
    size_of,
    stops,
    white_tiles_of,
    whole,
    with_colour,
    with_move,
    with_side,
)
from papan.game.rules.cifra.large import LargeState as LargeState
from papan.game.rules.cifra.large_rays import PART_CELLS
from papan.game.rules.cifra.small import RankedState as RankedState
from papan.game.rules.cifra.small import State as State
from papan.game.rules.cifra.states import STATES, new_state
from papan.game.rules.cifra.states import AnyState as AnyState

MOST_STEPS = LARGE * 32  # from the centre a queen of chess reaches 32 cells of 81
PHASES: Mapping[str, Sequence[str]] = {
    say("choose side"): ("choose colour",),
    say("choose colour"): ("move",),
    say("move"): ("move",),
}
SET_UP_PHASES = ("choose side", "choose colour")
PERFT_COUNTS_ENDED_GAMES = True
SIDES = ("north", "east", "south", "west")
MODEL_PHASES: Mapping[str, Sequence[str]] = {}
"""The slides have no machine of phases."""


# ------------------------------------------------------------------------------------------- kernels


@mover.of(*STATES)
def _mover(state: AnyState) -> int:
    return state.to_move


@moves.of(*STATES)
def _moves(state: AnyState, buffer: list[int], base: int) -> int:
    if state.stage != MOVING:
        for choice in range(len(SIDES) if state.stage == CHOOSING_SIDE else len(COLOURS)):
            buffer[base] = choice
            base += 1
        return base
    if is_over(state):
        return base
    seat = state.to_move
    for part in range(parts_of(state)):
        walkers = living_pieces(state, seat, part)
        while walkers:
            cell = PART_CELLS * part + lowest(walkers)
            walkers &= walkers - 1
            for target_part in range(parts_of(state)):
                first = cell << cell_bits(state) | PART_CELLS * target_part
                base = write_bits(stops(state, seat, cell, target_part), first, buffer, base)
    return base


@play.of(*STATES)
def _play(state: AnyState, step: int) -> AnyState:
    if state.stage == CHOOSING_SIDE:
        turned: AnyState = with_side(state, step)
        return turned
    if state.stage == CHOOSING_COLOUR:
        arranged: AnyState = with_colour(state, step)
        return arranged
    bits = cell_bits(state)
    target = step & (1 << bits) - 1
    part = part_with(state, target)
    counts = pieces_of(state, 1 - state.to_move, part) | far_row(state, state.to_move, part)
    quiet = 0 if counts & bit_of(state, target) else state.quiet + 1
    moved: AnyState = with_move(state, step >> bits, target, quiet)
    return moved


@is_over.of(*STATES)
def _is_over(state: AnyState) -> bool:
    if state.stage != MOVING:
        return False
    if state.quiet >= QUIET_TURNS or not has_living(state, 0) or not has_living(state, 1):
        return True
    return has_won_by_king(state, 0) or has_won_by_king(state, 1)


@payoff.of(*STATES)
def _payoff(state: AnyState, seat: int) -> float:
    if has_won_by_king(state, seat):
        return 1.0
    if has_won_by_king(state, 1 - seat):
        return -1.0
    if has_living(state, 0) and has_living(state, 1):
        return 0.0  # too many quiet turns
    ahead = goal_sum(state, seat) - goal_sum(state, 1 - seat)
    if ahead == 0:
        ahead = count_goals(state, seat) - count_goals(state, 1 - seat)
    if ahead == 0:
        ahead = count_living(state, seat) - count_living(state, 1 - seat)
    return 1.0 if ahead > 0 else -1.0 if ahead < 0 else 0.0


COLOURED = np.array([in_parts(coloured_board(size)) for size in (SMALL, LARGE)], np.int64)
"""For each size, in two parts: the white or blue tiles."""


@subroutine
def drawn_tiles(coloured: Any, random: RandomState) -> tuple[int, int]:
    """Half of the *coloured* tiles, a row of ``COLOURED``, drawn at random."""
    lower, upper = int(coloured[0]), int(coloured[1])
    for _ in range((popcount(lower) + popcount(upper)) // 2):
        if below(random, popcount(lower) + popcount(upper)) < popcount(lower):
            lower &= ~(1 << drawn_bit(lower, random))
        else:
            upper &= ~(1 << drawn_bit(upper, random))
    return lower, upper


@deal.of(State, RankedState)
def _deal(state: State | RankedState, facts: Any, random: RandomState) -> State | RankedState:
    white_tiles, _ = drawn_tiles(COLOURED[0], random)
    return state._replace(white_tiles=white_tiles)


@deal.of(LargeState)
def _deal_large(state: LargeState, facts: Any, random: RandomState) -> LargeState:
    white_tiles, upper_white_tiles = drawn_tiles(COLOURED[1], random)
    return state._replace(white_tiles=white_tiles, upper_white_tiles=upper_white_tiles)


(
    KING_HOME, KING_CAPTURED, TOO_QUIET, HIGHER_SUM, MORE_GOALS, MORE_GOALS_BY_SUMS, LIVING_LEFT, LIVING_LEFT_BY_SUMS,
    NOBODY_LEFT, NOBODY_LEFT_BY_SUMS,
) = range(10)  # fmt: skip


@reason_number.of(*STATES)
def _reason_number(state: AnyState) -> int:
    if has_won_by_king(state, 0) or has_won_by_king(state, 1):
        for part in range(parts_of(state)):
            if ranked_pieces(state, 0, part) & (goal_pieces(state, 0, part) | goal_pieces(state, 1, part)):
                return KING_HOME
        return KING_CAPTURED
    if has_living(state, 0) and has_living(state, 1):
        return TOO_QUIET
    if goal_sum(state, 0) != goal_sum(state, 1):
        return HIGHER_SUM
    by_sums = 1 if mode_of(state) == SUM else 0
    if count_goals(state, 0) != count_goals(state, 1):
        return MORE_GOALS + by_sums
    is_one_left = has_living(state, 0) or has_living(state, 1)
    return (LIVING_LEFT if is_one_left else NOBODY_LEFT) + by_sums


@can_repeat.of(*STATES)
def _can_repeat(state: AnyState) -> bool:
    return True


@steps_to_draw.of(*STATES)
def _steps_to_draw(state: AnyState) -> int:
    return QUIET_TURNS - state.quiet


# --------------------------------------------------------------------------------------- for people


def start(options: Mapping[str, str], random: Random) -> AnyState:
    """As many white tiles as blue ones, shuffled; the second player chooses next."""
    size = int(options.get("size", SMALL))
    coloured = cells_of(coloured_board(size))
    white_tiles = sum(1 << cell for cell in random.sample(coloured, len(coloured) // 2))
    return new_state(size, MODES.index(options.get("mode", MODES[0])), in_parts(white_tiles))


def phase(state: AnyState) -> str:
    """The second player's two choices, then play."""
    return tuple(PHASES)[state.stage]


def notation(state: AnyState, step: int) -> str:
    """``south`` and ``:white`` before play; then ``a1-b3``, or ``a1xb3`` for a capture."""
    if state.stage == CHOOSING_SIDE:
        return SIDES[step]
    if state.stage == CHOOSING_COLOUR:
        return f":{COLOURS[step]}"
    origin, target = cells(state, step)
    link = "x" if whole(pieces_of, state, 1 - state.to_move) >> target & 1 else "-"
    return f"{_name(state, origin)}{link}{_name(state, target)}"


def cells(state: AnyState, step: int) -> tuple[int, ...]:
    """A move's two cells; the choices before play have none."""
    bits = cell_bits(state)
    return (step >> bits, step & (1 << bits) - 1) if state.stage == MOVING else ()


def _name(state: AnyState, cell: int) -> str:
    return cell_name(cell, size_of(state))


def refusal(state: AnyState, step: int) -> str:
    if is_over(state):
        return say("The game is over: {reason}.", reason=ending(state).reason)
    if state.stage == CHOOSING_SIDE:
        return say(
            "Choose a side of the board first: {sides}.",
            sides=joined((describe(state, side)[0] for side in range(4)), ", "),
        )
    if state.stage == CHOOSING_COLOUR:
        return say("Choose a colour first: {colours}.", colours=alternatives(COLOURS))
    origin, target = cells(state, step)
    last = size_of(state) ** 2 - 1
    if not 0 <= origin <= last or target > last:
        return say("There is no such cell: cells are a1 to {last}.", last=_name(state, last))
    return _refused_piece(state, origin) or _refused_target(state, target) or _refused_way(state, origin, target)


def refusal_at(state: AnyState, cells: tuple[int, ...]) -> str:
    if len(cells) == 1 and state.stage == MOVING and not is_over(state):
        return _refused_piece(state, cells[0]) or say(
            "The piece on {cell} can't move: it is shut in.", cell=_name(state, cells[0])
        )
    return refusal(state, cells[0] << cell_bits(state) | cells[-1])


def _refused_piece(state: AnyState, origin: int) -> str:
    """Why the seat to act can't move a piece from *origin*, or ""."""
    seat, name = state.to_move, _name(state, origin)
    if whole(pieces_of, state, 1 - seat) >> origin & 1:
        return say("The piece on {cell} is your opponent's.", cell=name)
    if whole(goal_pieces, state, seat) >> origin & 1:
        return say("The piece on {cell} is a goal piece: it moves no more.", cell=name)
    if not whole(pieces_of, state, seat) >> origin & 1:
        return say("There is no piece on {cell}.", cell=name)
    return ""


def _refused_target(state: AnyState, target: int) -> str:
    """Why the seat to act can't land on *target* from anywhere, or ""."""
    if whole(pieces_of, state, state.to_move) >> target & 1:
        return say("Your own piece stands on {cell}.", cell=_name(state, target))
    if whole(goal_pieces, state, 1 - state.to_move) >> target & 1:
        return say("The piece on {cell} is a goal piece: it can't be captured.", cell=_name(state, target))
    return ""


def _refused_way(state: AnyState, origin: int, target: int) -> str:
    """Why an illegal walk from *origin* does not reach *target*, which could be entered."""
    size = size_of(state)
    columns = target % size - origin % size
    rows = target // size - origin // size
    if columns and rows and abs(columns) != abs(rows):
        return say("A piece moves in a straight line: along a row, a column or a diagonal.")
    steps = max(abs(columns), abs(rows))
    passed = [origin + (target - origin) * step // steps for step in range(1, steps)]
    for cell in passed:
        if (whole(pieces_of, state, 0) | whole(pieces_of, state, 1)) >> cell & 1:
            return say("A piece on {cell} is in the way: pieces don't jump.", cell=_name(state, cell))
        if cell in NEUTRAL_CELLS[size]:
            return say("The neutral tile {cell} can be entered and left, but not passed.", cell=_name(state, cell))
    return say(
        "Too far: steps between two tiles of the piece's own colour are free, but a walk can include only one other "
        "step."
    )


def ending(state: AnyState) -> Ending:
    return Ending((payoff(state, 0), payoff(state, 1)), _REASONS[reason_number(state)])


_REASONS = {
    KING_HOME: say("the king is home"),
    KING_CAPTURED: say("the king was captured"),
    TOO_QUIET: say("50 turns by each side without a capture or a goal"),
    HIGHER_SUM: say("the higher sum at home, as one side has no living pieces"),
    MORE_GOALS: say("more goal pieces, as one side has no living pieces"),
    MORE_GOALS_BY_SUMS: say("equal sums at home, but more goal pieces"),
    LIVING_LEFT: say("equal goal pieces, but only one side has living pieces left"),
    LIVING_LEFT_BY_SUMS: say("equal sums and goal pieces, but only one side has living pieces left"),
    NOBODY_LEFT: say("equal goal pieces, and no living pieces left"),
    NOBODY_LEFT_BY_SUMS: say("equal sums and goal pieces, and no living pieces left"),
}


def repetition_ending(states: Sequence[AnyState]) -> Ending | None:
    return Ending((0.0, 0.0), say("third repetition of the position")) if third_repetition(states) else None


def describe(state: AnyState, step: int) -> tuple[str, str]:
    if state.stage == CHOOSING_SIDE:
        size = size_of(state)
        row = say("Row {row}", row=(size, 0, 1, 0)[step])
        column = say("Column {column}", column="abcdefghi"[size - 1 if step == 1 else 0])
        return column if step & 1 else row, say("Your pieces start there.")
    if state.stage == CHOOSING_COLOUR:
        return capitalised(COLOURS_IN_WORDS[step]), say(
            "Your pieces run freely on {colour} tiles.", colour=COLOURS_IN_WORDS[step]
        )
    return notation(state, step), ""


_HOW_TO_WIN = (
    say("Bring your pieces to the far row: there they are safe."),
    say("Bring your king to the far row, or capture the other one."),
    say("On the far row your pieces' numbers count."),
)


def prompt(state: AnyState, chosen: int | None) -> tuple[str, str]:
    if state.stage == CHOOSING_SIDE:
        return say("Choose your side"), say("Your opponent starts from the opposite side, and moves first.")
    if state.stage == CHOOSING_COLOUR:
        return say("Choose your colour"), say("Your pieces run freely on tiles of their own colour.")
    if chosen is None:
        return say("Move a piece"), _HOW_TO_WIN[mode_of(state)]
    return say("Choose where it goes"), say(
        "Steps between tiles of its own colour are free; one other step is allowed."
    )


def seat_note(state: AnyState, seat: int) -> tuple[str, str]:
    if state.stage != MOVING:
        return "", ""
    running = say("{running} still in play", running=count_living(state, seat))
    home = (
        say("sum {sum}", sum=goal_sum(state, seat))
        if mode_of(state) == SUM
        else say("{goals} home", goals=count_goals(state, seat))
    )
    return COLOURS_IN_WORDS[seat != state.white_seat], joined([home, running], ", ")


# -------------------------------------------------------------------------------------- position texts


_TO_CHOOSE = ("side", "colour")
_LETTERS = "wb"
_KING = "K"
_DEFAULTS = {"mode": MODES[0], "size": str(SMALL)}


def model_view(states: Sequence[AnyState], steps: Sequence[int], is_open: bool, position: str = "") -> ModelView:
    """The view of the slides: a matrix of pieces, whose turn it is, and operators."""
    from papan.game.rules.cifra.model import view  # imports these rules

    return view(states[-1])


def text(state: AnyState) -> str:
    """The position text of *state*: ``tiles/pieces/side to move/side whose home is row 1``.

    Tiles and pieces have 25 letters each (81 on 9×9), the top row first and each row from column a on: W white, B blue
    and N neutral tiles; ``.`` empty, w b living and W B goal pieces. In king and in sum a field with the pieces' ranks
    follows, a character for each cell as well: ``K`` for a king, or the piece's number, and ``.`` elsewhere. The draw
    counter (turns without a capture or a goal) follows as a last field, if not 0.

    Before play it is ``tiles/side`` or, in the middle of the second player's turn, ``tiles/colour``, for the next
    choice.
    """
    white_tiles, neutral = whole(white_tiles_of, state), NEUTRAL_CELLS[size_of(state)]
    tiles = _letters(state, lambda cell: "N" if cell in neutral else "W" if white_tiles >> cell & 1 else "B")
    if state.stage != MOVING:
        return f"{tiles}/{_TO_CHOOSE[state.stage]}"
    white = state.white_seat
    bitboards = {"w": whole(living_pieces, state, white), "W": whole(goal_pieces, state, white)}
    bitboards |= {"b": whole(living_pieces, state, 1 - white), "B": whole(goal_pieces, state, 1 - white)}
    pieces = _letters(state, lambda cell: next((name for name, bits in bitboards.items() if bits >> cell & 1), "."))
    fields = [tiles, pieces, _LETTERS[state.to_move != white], _LETTERS[white]]
    if mode_of(state) != DASH:
        letters = ".K" if mode_of(state) == KING else ".123456789"
        fields.append(_letters(state, lambda cell: letters[rank_of(state, cell)]))
    if state.quiet:
        fields.append(str(state.quiet))
    return "/".join(fields)


def _letters(state: AnyState, letter_of: Callable[[int], str]) -> str:
    """A letter for each cell, row by row, the top row first."""
    size = size_of(state)
    return "".join(letter_of(row * size + column) for row in reversed(range(size)) for column in range(size))


def parse(text: str, options: Mapping[str, str]) -> AnyState:
    """The state that *text* describes.

    >>> parse("WBWBWWBBWBBWNBWWWBBWBWBWB/side", {}).to_move
    1
    """
    options = {**_DEFAULTS, **options}
    size, mode = int(options["size"]), MODES.index(options["mode"])
    fields = text.split("/")
    start = new_state(size, mode, in_parts(_parse_tiles(fields[0], size)))
    if len(fields) == 2:
        if fields[1] not in _TO_CHOOSE:
            raise PositionError.saying(
                "Field 2, {field}, must be {cells} cells or, before play, 'side' or 'colour'.",
                field=quoted(fields[1]),
                cells=size * size,
            )
        return start._replace(stage=CHOOSING_COLOUR) if fields[1] == _TO_CHOOSE[CHOOSING_COLOUR] else start
    usual = 4 if mode == DASH else 5
    if len(fields) not in (usual, usual + 1):
        more = "" if mode == DASH else say("/ranks (as the mode is {mode})", mode=MODES[mode])
        raise PositionError.saying(
            "The position has {fields} separated by '/':"
            " it must be tiles/pieces/side to move/side whose home is row 1{more}, with a draw counter or not.",
            fields=say_number("{count} field", "{count} fields", len(fields)),
            more=more,
        )
    to_move = _parse_side(fields[2], 3, say("the side to move"))
    white = _parse_side(fields[3], 4, say("the side whose home is row 1"))
    quiet = _parse_quiet(fields[usual], usual + 1) if len(fields) > usual else 0
    pieces = _parse_letters(fields[1], ".wbWB", say("pieces"), size)
    colours = [_parse_colour(pieces, letter, white ^ index, size) for index, letter in enumerate(_LETTERS)]
    seats = [colours[white], colours[1 - white]]
    ranks = {} if mode == DASH else _parse_ranks(fields[4], mode, size, seats)
    playing = start._replace(to_move=to_move ^ white, white_seat=white, stage=MOVING, quiet=quiet)
    return with_pieces(playing, seats, ranks)


def with_pieces(state: AnyState, seats: Sequence[Sequence[int]], ranks: Mapping[int, int]) -> AnyState:
    """*state* with the cells of each seat's pieces filled, and the ranks of pieces by cell."""
    (first, upper_first), (second, upper_second) = (in_parts(_bits(cells)) for cells in seats)
    if isinstance(state, State):
        return state._replace(first=first, second=second)
    digits = [
        in_parts(_bits([cell for cell, rank in ranks.items() if rank >> digit & 1])) for digit in range(RANK_DIGITS)
    ]
    (ones, upper_ones), (twos, upper_twos), (fours, upper_fours), (eights, upper_eights) = digits
    if isinstance(state, RankedState):
        return state._replace(first=first, second=second, ones=ones, twos=twos, fours=fours)
    lower = state._replace(first=first, second=second, ones=ones, twos=twos, fours=fours, eights=eights)
    return lower._replace(
        upper_first=upper_first,
        upper_second=upper_second,
        upper_ones=upper_ones,
        upper_twos=upper_twos,
        upper_fours=upper_fours,
        upper_eights=upper_eights,
    )


def _bits(cells: Sequence[int]) -> int:
    return sum(1 << cell for cell in cells)


def _parse_tiles(field: str, size: int) -> int:
    """The bitboard of the white tiles."""
    tiles = _parse_letters(field, "WBN", say("tiles"), size)
    if sorted(tiles["N"]) != list(NEUTRAL_CELLS[size]) or len(tiles["W"]) != len(tiles["B"]):
        each = (size * size - len(NEUTRAL_CELLS[size])) // 2
        names = [cell_name(cell, size) for cell in NEUTRAL_CELLS[size]]
        neutral = (
            say("one N, on {cell}", cell=names[0])
            if size == SMALL
            else say("{number} N, on {cells}", number=len(names), cells=" ".join(names))
        )
        raise PositionError.saying(
            "The tiles have {white} W, {blue} B and {grey} N: they must be {each} W, {each} B and {neutral}.",
            white=len(tiles["W"]),
            blue=len(tiles["B"]),
            grey=len(tiles["N"]),
            each=each,
            neutral=neutral,
        )
    return _bits(tiles["W"])


def _parse_letters(field: str, alphabet: str, what: str, size: int) -> dict[str, list[int]]:
    """For each letter of *alphabet* its cells in *field*; *what* names the field in messages."""
    found: dict[str, list[int]] = {letter: [] for letter in alphabet}
    for index, letter in enumerate(field[: size * size]):
        cell = (size - 1 - index // size) * size + index % size
        if letter not in found:
            raise PositionError.saying(
                "Character {number} of the {what} ({cell}) is {letter}: it must be one of {alphabet}.",
                number=index + 1,
                what=what,
                cell=cell_name(cell, size),
                letter=quoted(letter),
                alphabet=alphabet,
            )
        found[letter].append(cell)
    if len(field) != size * size:
        raise PositionError.saying(
            "The {what} are {number} characters: there must be {cells}, row {size} first.",
            what=what,
            number=len(field),
            cells=size * size,
            size=size,
        )
    return found


def _parse_side(field: str, number: int, what: str) -> int:
    """0 for white and 1 for blue."""
    if field not in ("w", "b"):
        raise PositionError.saying(
            "Field {number}, {what}, is {field}: it must be w or b.", number=number, what=what, field=quoted(field)
        )
    return _LETTERS.index(field)


def _parse_quiet(field: str, number: int) -> int:
    quiet = whole_number(field)
    if quiet is None or not 1 <= quiet <= QUIET_TURNS:
        raise PositionError.saying(
            "Field {number}, the turns without a capture or a goal, is {field}:"
            " it must be a number from 1 to {most}, or be left out.",
            number=number,
            field=quoted(field),
            most=QUIET_TURNS,
        )
    return quiet


def _parse_colour(pieces: Mapping[str, list[int]], letter: str, seat: int, size: int) -> list[int]:
    """The cells of the pieces of *seat*, by the *letter* of their colour."""
    colour = COLOURS_IN_WORDS[_LETTERS.index(letter)]
    goal = letter.upper()
    every = pieces[letter] + pieces[goal]
    if len(every) > size:
        raise PositionError.saying(
            "There are {number} {colour} pieces: there can't be more than {size}.",
            number=len(every),
            colour=colour,
            size=size,
        )
    row = size if seat == 0 else 1
    for cell in every:
        if (cell // size == row - 1) != (cell in pieces[goal]):
            raise PositionError.saying(
                "The {colour} piece on {cell} is written {written}:"
                " {colour} pieces on row {row} are goal pieces, {goal}, and all others living, {letter}.",
                colour=colour,
                cell=cell_name(cell, size),
                written=goal if cell in pieces[goal] else letter,
                row=row,
                goal=goal,
                letter=letter,
            )
    return every


def _parse_ranks(field: str, mode: int, size: int, seats: Sequence[Sequence[int]]) -> dict[int, int]:
    """The rank of each piece that has one, by cell; *seats* are the cells of each seat's pieces."""
    numbers = _KING if mode == KING else "123456789"[:size]
    found = _parse_letters(field, "." + numbers, say("ranks"), size)
    ranks = {cell: rank for rank, number in enumerate(numbers, start=1) for cell in found[number]}
    for cell in sorted(ranks):
        if not any(cell in cells for cells in seats):
            raise PositionError.saying(
                "The ranks have a {rank} on {cell}: no piece is there.",
                rank=numbers[ranks[cell] - 1],
                cell=cell_name(cell, size),
            )
    for cells in seats:
        own = [ranks[cell] for cell in cells if cell in ranks]
        twice = [rank for rank in own if own.count(rank) > 1]
        if twice:
            raise PositionError.saying(
                "The ranks have {rank} more than once for one side's pieces.", rank=numbers[twice[0] - 1]
            )
    if mode == KING:
        _check_kings(sorted(ranks), size, seats)
    else:
        for cell in (cell for cells in seats for cell in cells if cell not in ranks):
            raise PositionError.saying("The piece on {cell} has no number among the ranks.", cell=cell_name(cell, size))
    return ranks


def _check_kings(kings: Sequence[int], size: int, seats: Sequence[Sequence[int]]) -> None:
    """A king may be home, or gone: that ends the game. So any other one is elsewhere."""
    home = [cell for cells, row in zip(seats, (size - 1, 0), strict=True) for cell in cells if cell // size == row]
    if all(king in home for king in kings):
        raise PositionError.saying(
            "The ranks have {kings} kings, none of them on its way: a game ends with the first.", kings=len(kings)
        )
