"""Santorini beside another program's rules: SantorinAI, which has no gods."""

from __future__ import annotations

from random import Random
from typing import Any

from papan.game.kernel.bits import cells_of
from papan.game.rules import is_over, legal_steps, mover, play, santorini
from papan.game.rules.santorini.board import BUILD, MOVE, State, height, step_parts, workers_of
from tests.rivals import rival
from tests.sizes import GAMES_ASKED, sample_and_all

theirs = rival("santorinai.board")

OPTIONS = {"gods": "none", "same": "no", "pick": "choose", "placement": "random", "teams": "no", "seats": "2"}


def board_of(state: State) -> Any:
    """The other program's board for *state*; its pawns 1 and 3 are the first seat's."""
    board = theirs.Board(2)
    board.board = [[height(state, row * 5 + column) for row in range(5)] for column in range(5)]
    for pawn in board.pawns:
        cell = cells_of(workers_of(state, pawn.player_number - 1))[(pawn.number - 1) // 2]
        pawn.move((cell % 5, cell // 5))
    return board


def turns_of(state: State) -> set[tuple[int, int, int | None]]:
    """Each turn as the cells left, reached and built on; None where the move wins."""
    turns: set[tuple[int, int, int | None]] = set()
    for step in legal_steps(state):
        _, origin, target = step_parts(step)
        moved = play(state, step)
        if is_over(moved):
            turns.add((origin, target, None))
        else:
            turns |= {(origin, target, build & 31) for build in legal_steps(moved)}
    return turns


def rival_turns(state: State) -> set[tuple[int, int, int | None]]:
    """The same as the other program has it, which lets a winner build as well."""
    board = board_of(state)
    turns: set[tuple[int, int, int | None]] = set()
    for pawn in board.pawns:
        if pawn.player_number - 1 != state.seat:
            continue
        origin = pawn.pos[0] + 5 * pawn.pos[1]
        pairs = board.get_possible_movement_and_building_positions(pawn)
        for (column, row), (build_column, build_row) in pairs:
            target = column + 5 * row
            wins = height(state, target) == 3 and height(state, origin) < 3
            turns.add((origin, target, None if wins else build_column + 5 * build_row))
    return turns


@sample_and_all("games", 12, GAMES_ASKED)
def test_random_games_have_the_same_turns(games: int) -> None:
    for seed in range(games):
        random = Random(seed)
        state = santorini.start(OPTIONS, random)
        while not is_over(state):
            if not state.active:
                assert turns_of(state) == rival_turns(state), f"game {seed}, seat {mover(state) + 1}"
            state = play(state, random.choice(legal_steps(state)))
        if santorini.ending(state).reason == "no move left":
            assert rival_turns(state) == set()


def test_kinds_are_what_is_compared() -> None:
    state = santorini.start(OPTIONS, Random(1))
    assert {step_parts(step)[0] for step in legal_steps(state)} == {MOVE}
    assert {step_parts(step)[0] for step in legal_steps(play(state, legal_steps(state)[0]))} == {BUILD}
