"""Gomoku: a learned ``network``, or rows that can still become five, counted by their stones; and what decides at once.

A *window* is five cells in a row; it is *live* for a colour while the other one has no stone in it. A live
window with four stones wins on its empty cell. Two live windows of three, one cell apart, are an open three:
one more stone makes a four with two such cells. Threats are those of Allis, van den Herik and Huntjens,
"Go-Moku Solved by New Search Techniques" (1996).

A single position is evaluated by bitboards, three rows of cells a word; the bit of its first cell stands for a window.
A search updates an accumulator step by step (``lines``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from papan.ai.evaluation import (
    STANDARD,
    Level,
    OwnPlayer,
    Selectivity,
    Strength,
    Weights,
    WeightValues,
    candidates,
    essential,
    evaluate,
    fewest_turns,
    passed,
)
from papan.ai.evaluation.accumulator import answers, defences, judged, options, pressing, prospect, stood
from papan.ai.evaluation.gomoku.lines import (
    BIT_OF,
    CELLS,
    IN_FIVES,
    IN_FOURS,
    IN_OPEN_TWOS,
    LINE_OF,
    LINES,
    MOST_CANDIDATES,
    PLACE_OF,
    REACH,
    WORD_OF,
    catch_up,
    cells_of_kind,
    count_of,
    fives,
    kind_in,
    look_by,
    look_of,
    mark_new_fours,
    note_made,
    points_in,
    words_of,
    write_fives,
)
from papan.ai.evaluation.gomoku.network import (
    ATTACKS,
    DEFENDS,
    QUIET,
    STOPS,
    WON,
    bundled_network,
    promise,
    promise_kept,
)
from papan.ai.evaluation.terms import Features
from papan.game.base.sentences import say
from papan.game.kernel import inlined, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.bits import lowest, popcount, write_bits
from papan.game.rules import mover, moves
from papan.game.rules.gomoku import State, has_forbidden_cells, is_forbidden, stones_in_word
from papan.game.rules.gomoku.board import BOARD, CARO, DIRECTIONS, FREE, LARGEST, RENJU, ROW, WORD, WORDS, long_rows_win

FEATURES = Features(
    # Features of a position; each is the seat's own less its opponent's.
    ones=say("open rows with one stone"),  # live windows
    twos=say("open rows with two stones"),
    threes=say("open rows with three stones"),
    fours=say("open rows with four stones"),
    open_threes=say("open threes"),
    tempo=say("having the move"),
    win=say("five in a row next"),  # for the seat to move; -1 if it can't stop one
    attack=say("open four next"),  # for the seat to move, if not threatened
)

ONES, TWOS, THREES, FOURS, OPEN_THREES, TEMPO, WIN, ATTACK = FEATURES.indices
TERMS = FEATURES.titles
BY_HAND = len(FEATURES)
PLAIN = "plain"
"""The name of the weights set by hand, for all levels but the upper two; the standard ones are fitted."""

CLASSICAL = "classical"
"""The name of the weights of rows that were fitted before a network learned some."""
_CLASSICAL = FEATURES.weights(ones=1.05, twos=11.0, threes=44.0, fours=30.0, tempo=60.0, win=5000.0, attack=1000.0)


def standard_weights() -> WeightValues:
    """The learned network's weights, or else those of rows."""
    learned = bundled_network()
    if learned is None:
        return _CLASSICAL
    learned.flags.writeable = False
    return learned


WEIGHTS: Mapping[str, WeightValues] = {
    STANDARD: standard_weights(),
    CLASSICAL: _CLASSICAL,
    PLAIN: FEATURES.weights(ones=0.3, twos=2.0, threes=7.0, fours=9.0, open_threes=22.0, win=5000.0, attack=1000.0),
    "rows": FEATURES.weights(ones=1.0, twos=2.0, threes=3.0, fours=4.0),
}
SCALE = 60.0
SELECTIVITY = Selectivity(margin=80.0)
THRESHOLD = SCALE
LEVELS = {"easy": Level(1, "rows"), "medium": Level(2, PLAIN), "hard": Level(None)}
STRENGTHS = (
    Strength(1, 1.0, blindness=0.975, weights="rows"),
    Strength(1, 0.5, blindness=0.08, weights="rows"),
    Strength(2, 1.0, blindness=0.78, weights=PLAIN),
    Strength(2, 0.75, blindness=0.28, weights=PLAIN),
    Strength(2, 0.22, weights=PLAIN),
    "medium",
    Strength(3, weights=CLASSICAL),
    "hard",
)
PLAYERS: Mapping[str, OwnPlayer] = {}


@subroutine
def worth(
    counts: tuple[int, int, int, int, int], cells: int, threats: int, own_open: int, open_threes: int, weights: Weights
) -> float:
    """The worth of a position to the seat to act.

    :param counts: live windows with one to four stones and open threes, its own less the other seat's.
    :param cells: the number of cells that complete a five of its own; *threats*: of the other seat's.
    :param own_open: its open threes; *open_threes*: the other seat's.
    """
    value: float = weights[ONES] * counts[0] + weights[TWOS] * counts[1] + weights[THREES] * counts[2]
    value += weights[FOURS] * counts[3] + weights[OPEN_THREES] * counts[4] + weights[TEMPO]
    if cells > 0:
        value += weights[WIN]
    elif threats > 1:
        value -= weights[WIN]
    elif threats == 1 and open_threes > 0:
        value -= weights[ATTACK]  # it must stop the four, and another follows
    elif threats == 0 and own_open > 0:
        value += weights[ATTACK]
    return value


@inlined
def has_network(weights: Weights) -> bool:
    return len(weights) > BY_HAND


@inlined
def layer_for(threats: int, own_open: int, open_threes: int) -> int:
    """The second layer for a position where a seat faces *threats*, has open threes of its own, and faces some."""
    return STOPS if threats > 0 else ATTACKS if own_open > 0 else DEFENDS if open_threes > 0 else QUIET


@subroutine
def layer_of(state: State) -> int:
    """The second layer for *state*, -1 where a five decides at once."""
    notes = zeros(np.int64, NOTES)
    note_stones(state, notes)
    for side in range(2):
        survey(state, notes, side)
    threats = count_cells(notes, THEIRS * SIDE + WINNING)
    if threats > 1 or count_cells(notes, MINE * SIDE + WINNING) > 0:
        return -1
    own_open, open_threes = int(notes[COUNTED + OPEN_THREES]), int(notes[COUNTED + COUNTS + OPEN_THREES])
    return layer_for(threats, own_open, open_threes)


@evaluate.of(State)
def _evaluate(state: State, seat: int, weights: Weights) -> float:
    notes = zeros(np.int64, NOTES)
    note_stones(state, notes)
    for side in range(2):
        survey(state, notes, side)
    own, other = COUNTED, COUNTED + COUNTS
    counts = (
        int(notes[own + ONES] - notes[other + ONES]),
        int(notes[own + TWOS] - notes[other + TWOS]),
        int(notes[own + THREES] - notes[other + THREES]),
        int(notes[own + FOURS] - notes[other + FOURS]),
        int(notes[own + OPEN_THREES] - notes[other + OPEN_THREES]),
    )
    cells = count_cells(notes, MINE * SIDE + WINNING)
    threats = count_cells(notes, THEIRS * SIDE + WINNING)
    own_open, open_threes = int(notes[own + OPEN_THREES]), int(notes[other + OPEN_THREES])
    if not has_network(weights):
        value = worth(counts, cells, threats, own_open, open_threes, weights)
    elif cells > 0 or threats > 1:
        value = SCALE * (WON if cells > 0 else -WON)
    else:
        value = SCALE * promise(state, layer_for(threats, own_open, open_threes), weights)
    return value if seat == mover(state) else -value


@judged.of(State)
def _judged(state: State, seat: int, weights: Weights, kept: Any) -> float:
    colour = mover(state)
    mine, theirs = int(kept.totals[colour]), int(kept.totals[1 - colour])
    own_fours, fours = count_of(mine, FOURS), count_of(theirs, FOURS)
    cells, threats = own_fours, fours
    if own_fours > 0 and state.rule != FREE:
        own_fours, cells = fives(state, colour, kept)
    if fours > 1 or (fours > 0 and state.rule != FREE):
        fours, threats = fives(state, 1 - colour, kept)
    own_open, open_threes = count_of(mine, OPEN_THREES), count_of(theirs, OPEN_THREES)
    if has_network(weights):
        if cells > 0 or threats > 1:
            value = SCALE * (WON if cells > 0 else -WON)
        else:
            value = SCALE * promise_kept(colour, layer_for(threats, own_open, open_threes), weights, kept)
        return value if seat == colour else -value
    counts = (
        count_of(mine, ONES) - count_of(theirs, ONES),
        count_of(mine, TWOS) - count_of(theirs, TWOS),
        count_of(mine, THREES) - count_of(theirs, THREES),
        own_fours - fours,
        own_open - open_threes,
    )
    value = worth(counts, cells, threats, own_open, open_threes, weights)
    return value if seat == colour else -value


@stood.of(State)
def _stood(state: State, seat: int, weights: Weights, kept: Any) -> float:
    worth: float = judged(state, seat, weights, kept)
    return worth


@inlined
def stops_on_five_alone(state: State) -> bool:
    """Whether a five is stopped on its cell alone, and the seat to move may always play there.

    Not in caro, where a stone at an end can close the row, and not in renju, where the cell can be forbidden. There the
    evaluation names no steps that a proof could rely on but fives, and finds no wins by force.
    """
    return state.rule < RENJU


@subroutine
def without_forbidden(state: State, buffer: Any, base: int, end: int) -> int:
    """Keep the steps of ``buffer[base:end]`` that are legal, or write all legal ones if none is; return their end."""
    if not has_forbidden_cells(state):
        return end
    kept = base
    for index in range(base, end):
        step = int(buffer[index])
        if not is_forbidden(state, step):
            buffer[kept] = step
            kept += 1
    return kept if kept > base else moves(state, buffer, base)


@essential.of(State)
def _essential(state: State, buffer: Any, base: int) -> int:
    """The steps that complete a five; else those that stop one; else all."""
    notes = zeros(np.int64, NOTES)
    note_stones(state, notes)
    for side in range(2 if stops_on_five_alone(state) else 1):
        survey(state, notes, side)
        if notes[COUNTED + side * COUNTS + FOURS] > 0:
            return write_marked(state, notes, side * SIDE + WINNING, buffer, base)
    return moves(state, buffer, base)


@fewest_turns.of(State)
def _fewest_turns(state: State, seat: int) -> int:
    """From the live windows, which the other seat's stones can only reduce.

    A win in two turns needs a stone in two windows of three: a single four would be stopped, unless the cell is
    forbidden to the other seat.
    """
    notes = zeros(np.int64, NOTES)
    note_stones(state, notes)
    side = MINE if seat == mover(state) else THEIRS
    own = side * SIDE
    ones, twos, has_shared = 0, 0, False
    for direction in range(len(DIRECTIONS)):
        for number in range(WORDS - 1, -1, -1):
            at = own + number + 1
            if notes[at] | notes[at + 1] | notes[at + 2] == 0:
                continue
            starts = int(STARTS[state.size, direction, number])
            digit_1, digit_2, digit_4 = live_windows(notes, side, number, direction, starts)
            ones |= digit_1
            twos |= digit_2
            if digit_4 != 0 and state.rule != FREE:
                digit_4 = winning_windows(digit_4, state, notes, side, number, direction)
            if digit_4 != 0:
                mark_windows(digit_4, number, direction, notes, own, own + WINNING)
            threes = digit_1 & digit_2
            if threes != 0:
                mark_shared(threes, number, direction, notes, own)
    is_unstoppable = state.rule == RENJU and seat == 1  # perhaps
    if count_cells(notes, own + WINNING) > (0 if is_unstoppable else side):  # the other seat stops a single four
        return 1
    for number in range(WORDS):
        if notes[own + (IN_THREES if is_unstoppable else IN_TWOS) + number + 1] != 0:
            has_shared = True
    if has_shared:
        return 2
    return 3 if twos != 0 else 4 if ones != 0 else 5


_CELL_BITS = 9
_LAST_CELL = (1 << _CELL_BITS) - 1


@inlined
def good_looks(own: int, other: int) -> int:
    """Points of a step by the looks of an *own* stone and of the *other* seat's on its cell."""
    return 2 * points_in(own) + points_in(other)


@inlined
def rating_of(own: int, other: int, cell: int) -> int:
    """The sort key of a step: points, then the *cell*."""
    return good_looks(own, other) << _CELL_BITS | (_LAST_CELL - cell)


@inlined
def keep_best(best: Any, count: int, rating: int) -> int:
    """Insert *rating* into the *count* ratings *best*, best first; return the new count."""
    if count < MOST_CANDIDATES:
        at = count
        count += 1
    elif rating > best[MOST_CANDIDATES - 1]:
        at = MOST_CANDIDATES - 1
    else:
        return count
    while at > 0 and best[at - 1] < rating:
        best[at] = best[at - 1]
        at -= 1
    best[at] = rating
    return count


@subroutine
def write_best(best: Any, count: int, buffer: Any, base: int) -> int:
    """Write the cells of the *count* ratings in *best*; return the index after the last."""
    for index in range(count):
        buffer[base + index] = _LAST_CELL - (int(best[index]) & _LAST_CELL)
    return base + count


@subroutine
def is_worth_a_look(look: int, is_pressed: bool) -> bool:
    """Whether a stone of that *look* extends a row or, against an open three, makes a four."""
    kind = kind_in(look)
    return kind != IN_FIVES and kind >= (IN_FOURS if is_pressed else IN_OPEN_TWOS)


@candidates.of(State)
def _candidates(state: State, buffer: Any, base: int) -> int:
    return without_forbidden(state, buffer, base, write_likely(state, buffer, base))


@subroutine
def write_likely(state: State, buffer: Any, base: int) -> int:
    """The steps that complete a five; else those that stop one; else those against an open three or extending a row."""
    notes = zeros(np.int64, NOTES)
    note_stones(state, notes)
    for side in range(2):
        survey(state, notes, side)
        if notes[COUNTED + side * COUNTS + FOURS] > 0:
            return write_marked(state, notes, side * SIDE + WINNING, buffer, base)
    is_pressed = notes[COUNTED + COUNTS + OPEN_THREES] > 0
    made, best, count = zeros(np.int64, 2, CELLS), zeros(np.int64, MOST_CANDIDATES), 0
    note_made(state, made)
    for number in range(WORDS):
        bits = int(BOARD[state.size, number]) & ~stones_in_word(state, number)
        while bits != 0:
            cell = WORD * number + lowest(bits)
            bits &= bits - 1
            own, other = look_of(int(made[MINE, cell])), look_of(int(made[THEIRS, cell]))
            if is_worth_a_look(own, is_pressed) or is_worth_a_look(other, is_pressed):
                count = keep_best(best, count, rating_of(own, other, cell))
    if count > 0:
        return write_best(best, count, buffer, base)
    if state.placed == 0:
        buffer[base] = (ROW + 1) * (state.size // 2)
        return base + 1
    for word in range(PADDED):
        notes[STONES + word] |= notes[SIDE + STONES + word]
    for source, target in ((STONES, IN_THREES), (IN_THREES, IN_TWOS)):
        widen(notes, source, target, state.size)
    return write_marked(state, notes, IN_TWOS, buffer, base)


# With the accumulator.

_WAYS = len(DIRECTIONS)

_URGENCY = 32
"""The weight of a point of a stone's look; a step's history is added to it."""


@prospect.of(State)
def _prospect(state: State, step: int, kept: Any) -> int:
    colour = mover(state)
    return _URGENCY * good_looks(look_by(kept, colour, step), look_by(kept, 1 - colour, step))


@options.of(State)
def _options(state: State, buffer: Any, base: int, kept: Any) -> int:
    return without_forbidden(state, buffer, base, write_options(state, buffer, base, kept))


@subroutine
def write_options(state: State, buffer: Any, base: int, kept: Any) -> int:
    """As ``write_likely``, by what is kept."""
    catch_up(kept)
    colour = mover(state)
    for side in range(2):
        end = write_fives(state, colour ^ side, buffer, base, kept)
        if end > base:
            return end
    is_pressed, count = count_of(int(kept.totals[1 - colour]), OPEN_THREES) > 0, 0
    for kind in range(IN_FOURS, (IN_FOURS if is_pressed else IN_OPEN_TWOS) - 1, -1):  # the best come first, mostly
        for number in range(words_of(state.size)):
            bits = cells_of_kind(kept, number, kind, 0) | cells_of_kind(kept, number, kind, 1)
            for better in range(kind + 1, IN_FIVES):
                bits &= ~(cells_of_kind(kept, number, better, 0) | cells_of_kind(kept, number, better, 1))
            while bits != 0:
                cell = WORD * number + lowest(bits)
                bits &= bits - 1
                own, other = look_by(kept, colour, cell), look_by(kept, 1 - colour, cell)
                count = keep_best(kept.best, count, rating_of(own, other, cell))
    if count == 0:
        return write_likely(state, buffer, base)
    return write_best(kept.best, count, buffer, base)


@answers.of(State)
def _answers(state: State, buffer: Any, base: int, kept: Any) -> int:
    """As ``essential``: the fives, else the steps that stop one."""
    catch_up(kept)
    colour = mover(state)
    for side in range(2 if stops_on_five_alone(state) else 1):
        end = write_fives(state, colour ^ side, buffer, base, kept)
        if end > base:
            return end
    return moves(state, buffer, base)


@pressing.of(State)
def _pressing(state: State, buffer: Any, base: int, kept: Any) -> int:
    """A step that completes a five; else a four that stops the other seat's only one; else fours, best first."""
    colour = mover(state)
    mine, theirs = int(kept.totals[colour]), int(kept.totals[1 - colour])
    if count_of(mine, THREES) + count_of(mine, FOURS) + count_of(theirs, FOURS) == 0:
        return base
    catch_up(kept)
    end = write_fives(state, colour, buffer, base, kept)
    if end > base:
        return base + 1
    if not stops_on_five_alone(state):
        return base
    end = write_fives(state, 1 - colour, buffer, base, kept)
    if end > base:
        is_four = end == base + 1 and kind_in(look_by(kept, colour, int(buffer[base]))) >= IN_FOURS
        return end if is_four else base
    if count_of(mine, THREES) == 0:
        return base
    for number in range(words_of(state.size)):
        end = write_bits(cells_of_kind(kept, number, IN_FOURS, colour), WORD * number, buffer, end)
    for index in range(base + 1, end):
        step = int(buffer[index])
        rating, at = points_in(look_by(kept, colour, step)), index
        while at > base and points_in(look_by(kept, colour, int(buffer[at - 1]))) < rating:
            buffer[at] = buffer[at - 1]
            at -= 1
        buffer[at] = step
    return end


@passed.of(State)
def _passed(state: State) -> State:
    """For threat searches: no order of play leads to it, and no key may identify it."""
    if not stops_on_five_alone(state):
        return state
    return state._replace(
        mine0=state.theirs0, mine1=state.theirs1, mine2=state.theirs2, mine3=state.theirs3,
        mine4=state.theirs4, mine5=state.theirs5, mine6=state.theirs6,
        theirs0=state.mine0, theirs1=state.mine1, theirs2=state.mine2, theirs3=state.mine3,
        theirs4=state.mine4, theirs5=state.mine5, theirs6=state.mine6,
        placed=state.placed + 1, zobrist=~state.zobrist,
    )  # fmt: skip


@defences.of(State)
def _defences(state: State, proof: Any, length: int, buffer: Any, base: int, kept: Any) -> int:
    """The cells of the proof, and those that would make a four, with or without some of its answers.

    The proof consists of fours, each with all its answers. A stone anywhere else takes none of its cells, and gives the
    loser no four that the winner would have to stop.
    """
    replies, marked = zeros(np.int64, _WAYS, LINES), zeros(np.int64, WORDS)
    for index in range(length):
        step = int(proof[index])
        cell = step if step >= 0 else ~step
        marked[WORD_OF[cell]] |= BIT_OF[cell]
        for direction in range(_WAYS if step < 0 else 0):
            replies[direction, LINE_OF[cell, direction]] |= 1 << (int(PLACE_OF[cell, direction]) + REACH)
    mark_new_fours(kept, mover(state), replies, marked)
    for number in range(WORDS):
        base = write_bits(int(marked[number]), WORD * number, buffer, base)
    return base


COUNTS = 5
"""The number of counts: live windows with one to four stones, and open threes."""

MASK = (1 << WORD) - 1

# The notes on a position are one array: words for each side, and counts.
MINE, THEIRS = 0, 1  # the sides: the seat to act, and the other one
PADDED = WORDS + 4
"""Words of one kind, with an empty one before and three after, for shifts."""
STONES, WINNING, IN_THREES, IN_TWOS = (kind * PADDED for kind in range(4))
"""Offsets: a side's stones; the empty cells of its live windows with four stones, three, two."""
SIDE = 4 * PADDED
"""The size of a side's notes."""
COUNTED = 2 * SIDE
NOTES = COUNTED + 2 * COUNTS

_DISTANCES = [[shift * distance for distance in range(6)] for shift in DIRECTIONS]
SKIPPED = np.array([[bits // WORD for bits in row] for row in _DISTANCES], np.int64)
SHIFT = np.array([[bits % WORD for bits in row] for row in _DISTANCES], np.int64)
"""The distance of each cell of a window from its first one, in bits of the board: whole words, and the rest."""


def _starts() -> np.ndarray[Any, np.dtype[np.int64]]:
    """The words of the first cells of all windows, by the board's size and the direction."""
    table = np.zeros((LARGEST + 1, len(DIRECTIONS), WORDS), np.int64)
    for size in range(5, LARGEST + 1):
        for direction, (right, up) in enumerate(((1, 0), (0, 1), (1, 1), (-1, 1))):
            for row in range(size - 4 * up):
                columns = range(4 if right < 0 else 0, size - 4 * max(0, right))
                table[size, direction, row // 3] |= sum(1 << (row % 3 * ROW + column) for column in columns)
    return table


STARTS = _starts()


@subroutine
def note_stones(state: State, notes: Any) -> None:
    """Write the stones of both sides into *notes*, ``NOTES`` zeros."""
    mine, theirs = MINE * SIDE, THEIRS * SIDE
    notes[mine + 1], notes[theirs + 1] = state.mine0, state.theirs0
    notes[mine + 2], notes[theirs + 2] = state.mine1, state.theirs1
    notes[mine + 3], notes[theirs + 3] = state.mine2, state.theirs2
    notes[mine + 4], notes[theirs + 4] = state.mine3, state.theirs3
    notes[mine + 5], notes[theirs + 5] = state.mine4, state.theirs4
    notes[mine + 6], notes[theirs + 6] = state.mine5, state.theirs5
    notes[mine + 7], notes[theirs + 7] = state.mine6, state.theirs6


@subroutine
def ahead(notes: Any, words: int, number: int, direction: int, distance: int) -> int:
    """Word *number* of *words*, shifted so that each bit is that of the cell *distance* further along *direction*."""
    at = words + number + 1 + int(SKIPPED[direction, distance])
    shift = int(SHIFT[direction, distance])
    return (int(notes[at]) >> shift | int(notes[at + 1]) << (WORD - shift)) & MASK


@subroutine
def behind(notes: Any, words: int, number: int, direction: int) -> int:
    """Word *number* of *words*, shifted so that each bit is that of the cell before it along *direction*."""
    shift = int(SHIFT[direction, 1])
    return (int(notes[words + number + 1]) << shift | int(notes[words + number]) >> (WORD - shift)) & MASK


@subroutine
def live_windows(notes: Any, side: int, number: int, direction: int, starts: int) -> tuple[int, int, int]:
    """The binary digits 1, 2 and 4 of the stone counts of *side*'s live windows among *starts*."""
    own, other = side * SIDE, (1 - side) * SIDE
    ones, twos, fours, blocked = 0, 0, 0, 0
    for distance in range(5):
        stones = ahead(notes, own, number, direction, distance)
        carried = ones & stones
        ones ^= stones
        fours |= twos & carried
        twos ^= carried
        blocked |= ahead(notes, other, number, direction, distance)
    live = starts & ~blocked
    return ones & live, twos & live, fours & live


@subroutine
def without_long_rows(fours: int, notes: Any, own: int, number: int, direction: int) -> int:
    """The windows of *fours* whose five would not be part of a longer row."""
    return fours & ~behind(notes, own, number, direction) & ~ahead(notes, own, number, direction, 5)


@subroutine
def winning_windows(fours: int, state: State, notes: Any, side: int, number: int, direction: int) -> int:
    """The windows of *fours* whose five would win, where not every five does."""
    own, other = side * SIDE, (1 - side) * SIDE
    if not long_rows_win(state.rule, mover(state) ^ side):
        fours = without_long_rows(fours, notes, own, number, direction)
    if state.rule >= CARO:
        fours &= ~(behind(notes, other, number, direction) & ahead(notes, other, number, direction, 5))
    return fours


@subroutine
def mark_windows(windows: int, number: int, direction: int, notes: Any, own: int, marked: int) -> None:
    """Add the cells of *windows* that hold none of the stones *own* to the words *marked*."""
    for distance in range(5):
        cells = windows & ~ahead(notes, own, number, direction, distance)
        at = marked + number + 1 + int(SKIPPED[direction, distance])
        shift = int(SHIFT[direction, distance])
        notes[at] |= (cells << shift) & MASK
        notes[at + 1] |= cells >> (WORD - shift)


@subroutine
def survey(state: State, notes: Any, side: int) -> None:
    """Note the counts of *side*, and its winning cells."""
    own = side * SIDE
    counts = COUNTED + side * COUNTS
    for direction in range(len(DIRECTIONS)):
        shift = int(SHIFT[direction, 1])
        threes_above = 0
        for number in range(WORDS - 1, -1, -1):
            at = own + number + 1
            if notes[at] | notes[at + 1] | notes[at + 2] == 0:
                threes_above = 0
                continue
            starts = int(STARTS[state.size, direction, number])
            digit_1, digit_2, digit_4 = live_windows(notes, side, number, direction, starts)
            twos, threes, fours = digit_2 & ~digit_1, digit_2 & digit_1, digit_4
            if fours != 0 and state.rule != FREE:
                fours = winning_windows(fours, state, notes, side, number, direction)
            next_to = threes >> shift | threes_above << (WORD - shift)
            threes_above = threes
            notes[counts + ONES] += popcount(digit_1 & ~digit_2 & ~digit_4)
            notes[counts + TWOS] += popcount(twos)
            notes[counts + THREES] += popcount(threes)
            notes[counts + FOURS] += popcount(fours)
            notes[counts + OPEN_THREES] += popcount(threes & next_to & ~int(notes[at]))
            if fours != 0:
                mark_windows(fours, number, direction, notes, own, own + WINNING)


@subroutine
def count_cells(notes: Any, words: int) -> int:
    found = 0
    for number in range(WORDS):
        found += popcount(int(notes[words + number + 1]))
    return found


@subroutine
def write_marked(state: State, notes: Any, words: int, buffer: Any, base: int) -> int:
    """Write the empty cells that are marked in the *words*; return the index after the last."""
    for number in range(WORDS):
        empty = int(BOARD[state.size, number]) & ~stones_in_word(state, number)
        base = write_bits(int(notes[words + number + 1]) & empty, WORD * number, buffer, base)
    return base


@subroutine
def widen(notes: Any, words: int, wide: int, size: int) -> None:
    """Note in the words *wide* the cells of *words*, and those of the board next to them."""
    for number in range(WORDS):
        at = words + number + 1
        here = int(notes[at])
        rows = here | here << ROW | here >> ROW
        rows |= int(notes[at - 1]) >> (WORD - ROW) | int(notes[at + 1]) << (WORD - ROW)
        rows &= MASK
        notes[wide + number + 1] = (rows | rows << 1 | rows >> 1) & int(BOARD[size, number])


@subroutine
def mark_shared(windows: int, number: int, direction: int, notes: Any, own: int) -> None:
    """Mark the cells of *windows* that hold none of the stones *own*: in threes or, a second time, in twos."""
    for distance in range(5):
        cells = windows & ~ahead(notes, own, number, direction, distance)
        at = own + number + 1 + int(SKIPPED[direction, distance])
        shift = int(SHIFT[direction, distance])
        low, high = (cells << shift) & MASK, cells >> (WORD - shift)
        notes[at + IN_TWOS] |= notes[at + IN_THREES] & low
        notes[at + IN_THREES] |= low
        notes[at + 1 + IN_TWOS] |= notes[at + 1 + IN_THREES] & high
        notes[at + 1 + IN_THREES] |= high
