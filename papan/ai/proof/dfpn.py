"""Depth-first proof-number search with a transposition table: df-pn with the 1+ε trick.

Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications" (2002); Pawlewicz and Lew, "Improving
Depth-First PN-Search: 1+ε Trick" (2006), with ε = 1/8. It expands the nodes that PNS would, but stays below a node
until its numbers pass thresholds, and keeps numbers in a table of bounded size, so that it can run on in little memory.
Below the root it tries the ``essential`` steps, which settle a position's worth: in Gomoku a threat has so few answers
that forced wins are found.

The path is a stack of frames in the workspace instead of recursion: so a stopped run resumes exactly, and only the size
of the stack limits its depth. A frame holds the numbers of its children, so that lost table entries don't matter while
the path goes through it.

**A horizon.** To find out whether the seat achieves the goal within a number of its own turns, it counts the turns left
along the path, and the table's key includes that number. The tree is then finite, as each cycle takes a turn. It only
cuts off positions that can't reach the goal in time, by ``fewest_turns``. The answer that has refuted one step is tried
first against the others (the killer heuristic).

**Repetitions.** The table's key is the position with its draw counter, so results that depend on the counter stay
apart, and no such pair repeats on a path. A position that is already on the path counts as not achieved. That is sound
for proofs, which never need a repetition and so hold on every path. A disproof that depends on a repetition of a
position further up holds for this path only (the graph-history interaction problem; Kishimoto and Müller, 2004), and is
stored under a key of position *and* path. Where the rules make a repetition a loss for the other side (perpetual
check), a disproof only says that the goal can't be forced without it.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from papan.ai.evaluation import essential, fewest_turns
from papan.ai.proof.numbers import INFINITY, OR
from papan.ai.proof.result import (
    MEBIBYTE,
    MOST_PATH,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    PATH_FIELDS,
    Branch,
    Result,
    Running,
    comes_again,
    side_of,
)
from papan.game.base.large_arrays import large_array
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import record_type
from papan.game.kernel.bits import product
from papan.game.rules import NO_COUNTER, State, achieved, can_repeat, key, mover, moves, play, steps_to_draw

INFINITE = 1 << 30
"""Infinite as a proof number; no sum of finite ones reaches it."""
EPSILON_DIVISOR = 8  # 1/ε
BUCKET = 4
"""Slots of the table for one position; the entry with the least effort is replaced."""
ANYWHERE = 1 << 20
"""In place of an index on the path: the disproof holds on every path."""
MOST_WAITING = 1 << 16
"""Children of all nodes on the path."""
MEMORY = 256
"""MiB that the table and the path take at most, by default."""
NO_HORIZON = 1 << 20
"""In place of a number of turns: there is no limit."""
MOST_HORIZON = 64
"""The most own turns in a limit."""
LEAST_MEMORY = 4
"""MiB: the path takes almost three."""

_FIRST_SLOTS = 1 << 14
_KEY_BITS = (1 << 63) - 1
_KEY_FACTOR, _HORIZON_FACTOR = 0x2545F4914F6CDD1D, 0x5851F42D4C957F2D

ENTRY = record_type(
    ("key", np.int64),
    ("pn", np.int32),  # of a disproof for one path only: INFINITE + 1 + the index on the path that it depends on
    ("dn", np.int32),
    ("step", np.int32),  # the step that decides the position or, while it is open, was tried last
    ("effort", np.int32),  # nodes generated for it
)

WORKSPACE = record_type(
    *PATH_FIELDS,
    ("filled", np.int64),  # slots of the table
    ("most_filled", np.int64),  # the number at which the table grows
    ("depth", np.int64),  # the current frame; 0 is the root
    ("is_new", np.int64),  # whether its children are still to be generated
    ("value", np.int64),
    ("root_pn", np.int64),
    ("root_dn", np.int64),
    ("lets_reply", np.int64),  # whether the others' answer to the last of the turns counts, too
    ("killers", np.int64, (MOST_HORIZON + 1,)),  # by the number of turns left, the answer that refuted last
    # for each frame
    ("position", np.int64, (MOST_PATH,)),  # the table's key
    ("trail", np.int64, (MOST_PATH,)),  # a hash of the positions from the root, in order
    ("side", np.int64, (MOST_PATH,)),
    ("left", np.int64, (MOST_PATH,)),  # own turns left, the current one included
    ("most_pn", np.int64, (MOST_PATH,)),  # the thresholds
    ("most_dn", np.int64, (MOST_PATH,)),
    ("begin", np.int64, (MOST_PATH,)),  # its children
    ("end", np.int64, (MOST_PATH,)),
    ("chosen", np.int64, (MOST_PATH,)),  # the child that the path goes through
    ("nodes_before", np.int64, (MOST_PATH,)),
    # for each child of each frame
    ("step", np.int64, (MOST_WAITING,)),
    ("child", np.int64, (MOST_WAITING,)),  # the table's key
    ("pn", np.int64, (MOST_WAITING,)),
    ("dn", np.int64, (MOST_WAITING,)),
    ("rests_on", np.int64, (MOST_WAITING,)),  # an index on the path, if it is disproved by a repetition
)


@subroutine
def table_key(state: State) -> int:
    """The key of everything but the path that the value of *state* depends on: the position and its draw counter."""
    left = steps_to_draw(state)
    position = key(state)
    return position if left == NO_COUNTER else position ^ product(left + 1, _KEY_FACTOR)


@subroutine
def table_key_within(state: State, left: int) -> int:
    """The key of everything that decides whether the goal is achieved from *state* with *left* turns left."""
    position = table_key(state)
    return position if left >= NO_HORIZON else position ^ product(left + 1, _HORIZON_FACTOR)


@subroutine
def along(trail: int, position: int) -> int:
    """The hash of a path extended to *position*."""
    mixed = product((trail ^ position) & _KEY_BITS, _KEY_FACTOR)
    return mixed ^ mixed >> 29


@subroutine
def bucket(position: int, size: int) -> int:
    """The first slot that the table of *size*, a power of two, has for the position with that key."""
    return (product(position & _KEY_BITS, _KEY_FACTOR) >> 24) & (size - BUCKET)


@subroutine
def find(table: Any, position: int) -> int:
    """The slot of the position with that key in the table, or -1."""
    first = bucket(position, len(table))
    for index in range(first, first + BUCKET):
        if table[index].key == position and (table[index].pn != 0 or table[index].dn != 0):
            return index
    return -1


@subroutine
def store(table: Any, position: int, pn: int, dn: int, step: int, effort: int) -> int:
    """Store the numbers of a position in the table; returns the number of empty slots that this filled."""
    first = bucket(position, len(table))
    chosen = first
    for index in range(first, first + BUCKET):
        entry = table[index]
        if entry.key == position or (entry.pn == 0 and entry.dn == 0):
            chosen = index
            break
        if entry.effort < table[chosen].effort:
            chosen = index
    entry = table[chosen]
    is_filled = entry.pn == 0 and entry.dn == 0
    if entry.key == position:
        effort += int(entry.effort)
    entry.key, entry.pn, entry.dn, entry.step = position, pn, dn, step
    entry.effort = min(effort, INFINITE)
    return 1 if is_filled else 0


@subroutine
def probe(work: Any, child: int, table: Any, position: int) -> None:
    """Give a child the numbers of the key *position*, if the table has it."""
    found = find(table, position)
    if found >= 0:
        pn = int(table[found].pn)
        work.pn[child] = min(pn, INFINITE)
        work.dn[child] = table[found].dn
        work.rests_on[child] = pn - INFINITE - 1 if pn > INFINITE else ANYWHERE


@subroutine
def left_after(after: State, depth: int, work: Any) -> int:
    """The seat's turns left in *after*, a successor of the frame at *depth*."""
    left = int(work.left[depth])
    if left >= NO_HORIZON or work.side[depth] != OR or side_of(after, work) == OR:
        return left
    return left - 1


@subroutine
def bring_killer_forward(count: int, left: int, work: Any, steps: Any) -> None:
    """Move the answer that refuted last, with *left* turns left, to the front of *steps*, if it is there."""
    for index in range(1, count):
        if steps[index] == work.killers[left]:
            steps[index] = steps[0]
            steps[0] = work.killers[left]
            return


@subroutine
def generate(state: State, depth: int, count: int, table: Any, work: Any, steps: Any) -> None:
    """Set up the children of the frame at *depth*, whose state is *state*, by the *steps* that lead to them."""
    begin = int(work.begin[depth])
    is_bounded = work.left[depth] < NO_HORIZON
    for index in range(count):
        child = begin + index
        after = play(state, int(steps[index]))
        work.step[child] = steps[index]
        work.rests_on[child] = ANYWHERE
        value = achieved(after, int(work.seat), int(work.goal))
        left = left_after(after, depth, work)
        if value == 0 and is_bounded:
            is_late = left == 0 and (work.lets_reply == 0 or side_of(after, work) == OR)
            if is_late or (work.goal == 0 and 0 < left < fewest_turns(after, int(work.seat))):
                value = -1
        elif value == 0 and can_repeat(after):
            again = comes_again(key(after), work, int(work.path_start) + depth + 1)
            if again >= 0:
                value = -1
                if again >= work.path_start:
                    work.rests_on[child] = again - work.path_start
        position = table_key_within(after, left)
        work.child[child] = position
        if value != 0:
            work.pn[child] = 0 if value > 0 else INFINITE
            work.dn[child] = INFINITE if value > 0 else 0
            continue
        work.pn[child], work.dn[child] = 1, 1
        probe(work, child, table, position)
        if not is_bounded and can_repeat(after) and work.pn[child] != 0 and work.dn[child] != 0:
            probe(work, child, table, position ^ along(int(work.trail[depth]), position))
    work.end[depth] = begin + count


@subroutine
def open_frame(state: State, depth: int, work: Any) -> None:
    """Set up the frame at *depth* for *state*, before its children are generated."""
    work.keys[int(work.path_start) + depth] = key(state)
    if depth > 0:
        work.left[depth] = left_after(state, depth - 1, work)
    work.position[depth] = table_key_within(state, int(work.left[depth]))
    work.trail[depth] = along(int(work.trail[depth - 1]) if depth > 0 else 0, int(work.position[depth]))
    work.side[depth] = side_of(state, work)
    work.nodes_before[depth] = work.nodes
    work.chosen[depth] = work.begin[depth]


@subroutine
def refresh(depth: int, table: Any, work: Any) -> None:
    """Update the open children of a frame with numbers that the search has found on other paths."""
    for child in range(int(work.begin[depth]), int(work.end[depth])):
        if work.pn[child] != 0 and work.dn[child] != 0:
            probe(work, child, table, int(work.child[child]))


@subroutine
def rests_on_what(depth: int, chosen: int, work: Any) -> int:
    """The index on the path that the disproof of a frame depends on, or ``ANYWHERE``."""
    if work.side[depth] != OR:
        least = int(work.rests_on[chosen])
    else:
        least = ANYWHERE
        for child in range(int(work.begin[depth]), int(work.end[depth])):
            least = min(least, int(work.rests_on[child]))
    return least if least < depth else ANYWHERE


@subroutine
def expand(root: State, depth: int, table: Any, work: Any, steps: Any) -> bool:
    """Generate the children of the frame at *depth*; returns false if room or nodes ran out."""
    state = root
    for frame in range(depth):
        state = play(state, int(work.step[int(work.chosen[frame])]))
    shows_all = depth == 0 and work.left[0] >= NO_HORIZON
    count = moves(state, steps, 0) if shows_all else essential(state, steps, 0)
    if work.nodes + count > work.node_limit:
        work.out = OUT_OF_NODES
        return False
    if work.begin[depth] + count > MOST_WAITING or depth + 1 >= MOST_PATH:
        work.out = OUT_OF_MEMORY
        return False
    open_frame(state, depth, work)
    if work.left[depth] < NO_HORIZON and work.side[depth] != OR:
        bring_killer_forward(count, int(work.left[depth]), work, steps)
    generate(state, depth, count, table, work, steps)
    work.nodes += count
    work.iterations += 1
    work.is_new = 0
    return True


@subroutine
def sum_up(depth: int, at_or: bool, work: Any) -> tuple[int, int, int, int]:
    """The least and the second least of the children's own numbers, the sum of their others, and the best child.

    Own numbers are those whose minimum the side of the frame at *depth* takes: pn at OR, dn at AND.
    """
    least, second, total, best = INFINITE, INFINITE, 0, int(work.begin[depth])
    is_other_infinite = False
    for child in range(int(work.begin[depth]), int(work.end[depth])):
        own = int(work.pn[child]) if at_or else int(work.dn[child])
        other = int(work.dn[child]) if at_or else int(work.pn[child])
        if own < least:
            least, second, best = own, least, child
        elif own < second:
            second = own
        if other >= INFINITE:
            is_other_infinite = True
        total += other
    return least, second, INFINITE if is_other_infinite else min(total, INFINITE - 1), best


@subroutine
def descend(depth: int, at_or: bool, second: int, total: int, best: int, work: Any) -> None:
    """Go to the *best* child of the frame at *depth*, and set the thresholds for the return."""
    work.chosen[depth] = best
    step_over = max(second + 1, second + second // EPSILON_DIVISOR)
    if at_or:
        most_own, most_other = int(work.most_pn[depth]), int(work.most_dn[depth])
    else:
        most_own, most_other = int(work.most_dn[depth]), int(work.most_pn[depth])
    most_own = min(most_own, step_over)
    if most_other < INFINITE:
        most_other += (int(work.dn[best]) if at_or else int(work.pn[best])) - total
    work.most_pn[depth + 1] = most_own if at_or else most_other
    work.most_dn[depth + 1] = most_other if at_or else most_own
    work.begin[depth + 1] = work.end[depth]
    work.depth = depth + 1
    work.is_new = 1


@compiled
def deepen(root: State, table: Any, work: Any, steps: Any) -> None:
    """Search until the root is decided, the table must grow, or *work* says stop."""
    while work.stop == 0 and work.value == 0 and work.filled < work.most_filled:
        depth = int(work.depth)
        if work.is_new == 0:
            refresh(depth, table, work)
        elif not expand(root, depth, table, work, steps):
            return
        at_or = work.side[depth] == OR
        least, second, total, best = sum_up(depth, at_or, work)
        pn, dn = (least, total) if at_or else (total, least)
        if depth == 0:
            work.root_pn, work.root_dn = pn, dn
        if pn < work.most_pn[depth] and dn < work.most_dn[depth]:
            descend(depth, at_or, second, total, best, work)
            continue
        if least == 0:
            work.chosen[depth] = best
        leave(depth, pn, dn, table, work)


@subroutine
def leave(depth: int, pn: int, dn: int, table: Any, work: Any) -> None:
    """Store the numbers of a frame that has reached its thresholds, and return to its parent."""
    chosen = int(work.chosen[depth])
    rests_on = rests_on_what(depth, chosen, work) if dn == 0 else ANYWHERE
    position = int(work.position[depth])
    stored_pn = pn
    if rests_on != ANYWHERE:
        position ^= along(int(work.trail[depth - 1]), position)
        stored_pn = INFINITE + 1 + rests_on
    effort = work.nodes - work.nodes_before[depth]
    if dn == 0 and work.left[depth] < NO_HORIZON and work.side[depth] != OR:
        work.killers[int(work.left[depth])] = work.step[chosen]
    work.filled += store(table, position, stored_pn, dn, int(work.step[chosen]), effort)
    if depth == 0:
        work.value = 1 if pn == 0 else -1  # its thresholds are infinite
        return
    above = int(work.chosen[depth - 1])
    work.pn[above], work.dn[above], work.rests_on[above] = pn, dn, rests_on
    work.depth = depth - 1


@compiled
def move_entries(old: Any, table: Any, work: Any) -> int:
    """Write all entries of *old* into a larger table; returns the number of slots that this filled.

    After a stop the larger table is incomplete.
    """
    filled = 0
    for index in range(len(old)):
        if work.stop != 0:
            break
        entry = old[index]
        if entry.pn != 0 or entry.dn != 0:
            filled += store(table, int(entry.key), int(entry.pn), int(entry.dn), int(entry.step), int(entry.effort))
    return filled


class DepthFirst(Running):
    """df-pn for one game. It keeps its table and its path, so that a run can resume where the last one ended."""

    def __init__(self, most_steps: int, memory: float = MEMORY, chance: Literal["and", "or"] = "and") -> None:
        """:param most_steps: the rules' ``MOST_STEPS``; for the others see ``SolverSetting``.
        :raises ValueError: *memory* is less than ``LEAST_MEMORY``.
        """
        super().__init__("dfpn", WORKSPACE, chance)
        if memory < LEAST_MEMORY:
            raise ValueError(f"df-pn takes at least {LEAST_MEMORY} MiB, not {memory:g}")
        slots = (int(memory * MEBIBYTE) - WORKSPACE.itemsize) // ENTRY.itemsize * 2 // 3  # half as many while it grows
        self._most_slots = 1 << slots.bit_length() - 1
        self.table = _empty_table(_FIRST_SLOTS)
        """The numbers of positions: an array of ``ENTRY``, replaced by a larger one as it grows."""
        self._steps = np.empty(most_steps, np.int64)

    @property
    def memory(self) -> int:
        """The bytes that its table and its path take at most."""
        return self._most_slots * 3 // 2 * ENTRY.itemsize + WORKSPACE.itemsize

    def prepare(self, state: State) -> None:
        deepen.prepare(state, self.table, self._work, self._steps)
        move_entries.prepare(self.table, self.table, self._work)

    def _begin(self, state: State, value: int) -> None:
        work = self._work
        self.table = _empty_table(_FIRST_SLOTS)
        work.filled = 0
        self._settle_growth()
        work.depth, work.is_new, work.value = 0, 1, value
        work.root_pn = INFINITE if value < 0 else 1 - value
        work.root_dn = INFINITE if value > 0 else 1 + value
        work.most_pn[0], work.most_dn[0] = INFINITE, INFINITE
        work.begin[0], work.end[0] = 0, 0
        work.left[0] = NO_HORIZON
        work.lets_reply = 0
        work.killers[:] = -1

    def limit_turns(self, turns: int, lets_reply: bool = False) -> None:
        """Limit the question just begun: is the goal achieved within *turns* of the seat's own turns?

        The current turn counts, even if it has several steps; turns of other seats don't count.

        :param lets_reply: also search the others' reply to the last of the turns: it may end the game. Then
            *turns* may be 0 where another seat is to act.
        :raises ValueError: *turns* is not from 1 to ``MOST_HORIZON``.
        """
        least = int(not lets_reply or self._work.seat == int(mover(self._root)))
        if not least <= turns <= MOST_HORIZON:
            raise ValueError(f"a horizon is {least} to {MOST_HORIZON} turns, not {turns}")
        self._work.left[0] = turns
        self._work.lets_reply = int(lets_reply)

    def _go(self, state: State) -> None:
        work = self._work
        deepen(state, self.table, work, self._steps)
        while work.filled >= work.most_filled:
            larger = _empty_table(2 * len(self.table))
            filled = move_entries(self.table, larger, work)
            if work.stop:
                return  # begun again when the run resumes
            work.filled, self.table = filled, larger
            self._settle_growth()
            deepen(state, self.table, work, self._steps)

    def _settle_growth(self) -> None:
        """Grow the table when half of its slots are filled, up to its maximum."""
        slots = len(self.table)
        self._work.most_filled = slots // 2 if slots < self._most_slots else np.iinfo(np.int64).max

    def _result(self) -> Result:
        if self._work.value:
            return "proved" if self._work.value > 0 else "disproved"
        return "out"

    def _numbers(self) -> tuple[float, float, float | None]:
        return _number(self._work.root_pn), _number(self._work.root_dn), None

    def _line(self) -> tuple[int, ...]:
        """The path's first step, then each position's deciding step, as far as the table has it.

        It ends where a position comes again.
        """
        work = self._work
        if work.end[0] == 0:
            return ()
        state, step, left = self._root, int(work.step[int(work.chosen[0])]), int(work.left[0])
        line: list[int] = []
        met: set[int] = set()
        while len(line) < MOST_PATH:
            line.append(step)
            was_own = side_of(state, work) == OR
            state = play(state, step)
            left -= int(left < NO_HORIZON and was_own and side_of(state, work) != OR)
            position = int(table_key_within(state, left))
            if position in met or achieved(state, int(work.seat), int(work.goal)):
                break
            met.add(position)
            found = find(self.table, position)
            if found < 0:
                break
            step = int(self.table[found].step)
        return tuple(line)

    def _branches(self) -> tuple[Branch, ...]:
        end = int(self._work.end[0])
        # As lists, as there may be hundreds of them, and short questions come by the thousand.
        columns = (self._work[name][:end].tolist() for name in ("step", "pn", "dn"))
        return tuple(
            Branch(step, _number(pn), _number(dn), None, 1 if pn == 0 else -1 if dn == 0 else 0)
            for step, pn, dn in zip(*columns, strict=True)
        )


def _empty_table(slots: int) -> Any:
    return large_array(slots, ENTRY)


def _number(number: int) -> float:
    return INFINITY if number >= INFINITE else float(number)
