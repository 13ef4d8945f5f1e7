"""Santorini by the equations of Kelvin and Lukas, in compiled code, under any reading of what the paper leaves open.

The program's own rules and players have one reading. Here workers are numbered and domes are chosen as in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from papan.ai.evaluation.santorini import F_APOLLO, F_BUILD, F_BUILD_BLOCK, F_MOVE
from papan.game.kernel import compiled, subroutine
from papan.game.kernel.arrays import zeros
from papan.game.kernel.bits import lowest, popcount
from papan.game.kernel.rng import RandomState, below, drawn_bit, random_state
from papan.game.rules.santorini.board import BOARD, CELLS, DOME_HEIGHT, NEIGHBOURS, WORKERS
from papan.game.rules.santorini.gods import APOLLO, ATLAS

RANDOM, NORM, GOD = range(3)
"""The players."""
NEVER, IDLE, FREE = range(3)
"""Domes below level 3: none; none that f_atlas gives nothing; d is chosen for every site, level 3 too."""
AT_RANDOM, FIRST, LAST = range(3)
"""Which of equal steps is taken; the order is the paper's: i, j, y, d."""
TOP = DOME_HEIGHT - 1
F_ATLAS = 20.0
MOST_CHOICES = 4 * CELLS
"""At least as many as the moves, or the builds, of a turn: cells, workers, domes or not."""
TURNS = 4 * CELLS + 1
"""More turns than a game has: each but the last builds."""


class Reading(NamedTuple):
    """What the paper leaves open, as numbers for compiled code."""

    strands: int
    """Whether a worker may move where nothing can be built, and lose; else only to win."""
    builders: int
    """The workers that may build: 1 for the one that moved, 2 for both."""
    ties: int
    """AT_RANDOM, FIRST or LAST, for ``norm`` and ``god``."""
    gate: int
    """Where f_atlas adds 20: bit 4 h + l for a builder on level h and a cell of level l."""


@subroutine
def sites_around(cell: int, board: Any, taken: int) -> int:
    """The cells next to *cell* on which a worker can build."""
    near = int(NEIGHBOURS[cell]) & ~taken
    sites = near
    while near:
        if board[lowest(near)] == DOME_HEIGHT:
            sites ^= near & -near
        near &= near - 1
    return sites


@subroutine
def chosen(buffer: Any, number: int, ties: int, random: RandomState) -> int:
    if ties == AT_RANDOM:
        return int(buffer[below(random, number)])
    return int(buffer[0 if ties == FIRST else number - 1])


@subroutine
def best_move(
    board: Any, workers: Any, seat: int, god: int, player: int, reading: Reading, buffer: Any, random: RandomState
) -> int:
    """The best move by f_move or f_apollo, the cell times 2 plus the worker's number; -1 if there is none."""
    first, second = int(workers[seat, 0]), int(workers[seat, 1])
    own = 1 << first | 1 << second
    theirs = 1 << int(workers[1 - seat, 0]) | 1 << int(workers[1 - seat, 1])
    near = (int(NEIGHBOURS[first]) | int(NEIGHBOURS[second])) & ~own
    if god != APOLLO:
        near &= ~theirs
    best, number = -1.0, 0
    while near:
        cell = lowest(near)
        near &= near - 1
        level = int(board[cell])
        if level == DOME_HEIGHT:
            continue
        swaps = theirs >> cell & 1
        for worker in range(WORKERS):
            origin = int(workers[seat, worker])
            if int(NEIGHBOURS[origin]) >> cell & 1 == 0 or level > board[origin] + 1:
                continue
            if swaps and reading.strands == 0 and level < TOP and sites_around(cell, board, own | theirs) == 0:
                continue
            worth = 0.0
            if player != RANDOM:
                worth = float(F_APOLLO[level]) if swaps and player == GOD else float(F_MOVE[level])
            if worth > best:
                best, number = worth, 0
            if worth == best:
                buffer[number] = 2 * cell + worker
                number += 1
    if number == 0:
        return -1
    return chosen(buffer, number, AT_RANDOM if player == RANDOM else reading.ties, random)


@subroutine
def best_build(
    board: Any, workers: Any, seat: int, moved: int, god: int, player: int, domes: int, reading: Reading,
    buffer: Any, random: RandomState,
) -> int:  # fmt: skip
    """The best build by f_build or f_atlas, the cell times 2, plus 1 for a dome; -1 if there is none.

    :param moved: the number of the worker that moved; f_build compares its level, whoever builds.
    """
    own = 1 << int(workers[seat, 0]) | 1 << int(workers[seat, 1])
    theirs = 1 << int(workers[1 - seat, 0]) | 1 << int(workers[1 - seat, 1])
    active = int(workers[seat, moved])
    sites = sites_around(active, board, own | theirs)
    others = 0
    if reading.builders == WORKERS:
        others = sites_around(int(workers[seat, 1 - moved]), board, own | theirs)
    stand = int(board[active])
    best, number = -1.0, 0
    left = sites | others
    while left:
        cell = lowest(left)
        left &= left - 1
        level = int(board[cell])
        opponents = popcount(int(NEIGHBOURS[cell]) & theirs)
        block, bonus = 0.0, 0.0
        if player != RANDOM:
            block = F_BUILD_BLOCK * opponents if level == TOP else float(F_BUILD[level]) if level == stand else 0.0
            if player == GOD and reading.gate >> (4 * stand + level) & 1:
                bonus = F_ATLAS * opponents
        for _ in range((sites >> cell & 1) + (others >> cell & 1)):
            for kind in range(2):
                dome = 1 - kind
                if god != ATLAS:
                    if dome:
                        continue
                elif domes != FREE:
                    if level == TOP and dome == 0:
                        continue
                    if level < TOP and dome and (domes == NEVER or bonus == 0.0):
                        continue
                worth = block + bonus if dome else block
                if worth > best:
                    best, number = worth, 0
                if worth == best:
                    buffer[number] = 2 * cell + dome
                    number += 1
    if number == 0:
        return -1
    return chosen(buffer, number, AT_RANDOM if player == RANDOM else reading.ties, random)


@subroutine
def first_wins(players: Any, reading: Reading, buffer: Any, random: RandomState) -> bool:
    """Play a game, gods and cells drawn at random; return whether the first player wins."""
    board, workers, gods = zeros(np.int64, CELLS), zeros(np.int64, 2, WORKERS), zeros(np.int64, 2)
    free = BOARD
    for seat in range(2):
        gods[seat] = ATLAS if below(random, 2) else APOLLO
        for worker in range(WORKERS):
            workers[seat, worker] = drawn_bit(free, random)
            free ^= 1 << int(workers[seat, worker])
    seat = 0
    for _ in range(TURNS):
        god, player = int(gods[seat]), int(players[seat, 0])
        move = best_move(board, workers, seat, god, player, reading, buffer, random)
        if move < 0:
            break
        cell, worker = move >> 1, move & 1
        if board[cell] == TOP:
            seat = 1 - seat
            break
        for other in range(WORKERS):
            if workers[1 - seat, other] == cell:
                workers[1 - seat, other] = workers[seat, worker]
        workers[seat, worker] = cell
        domes = int(players[seat, 1])
        build = best_build(board, workers, seat, worker, god, player, domes, reading, buffer, random)
        if build < 0:
            break
        board[build >> 1] = DOME_HEIGHT if build & 1 else board[build >> 1] + 1
        seat = 1 - seat
    return seat == 1


@compiled
def wins(games: int, players: Any, reading: Reading, buffer: Any, random: RandomState) -> int:
    won = 0
    for _ in range(games):
        won += first_wins(players, reading, buffer, random)
    return won


def won_by_the_first(games: int, players: Sequence[tuple[int, int]], reading: Reading, *seeds: int) -> int:
    """The number of *games* that the first player wins.

    :param players: for both, RANDOM, NORM or GOD, and NEVER, IDLE or FREE.
    """
    buffer = np.empty(MOST_CHOICES, np.int64)
    return int(wins(games, np.array(players, np.int64), reading, buffer, random_state(*seeds)))
