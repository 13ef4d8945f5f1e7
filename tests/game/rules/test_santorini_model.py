"""Kelvin and Lukas's model: each operator with its preconditions, and random games beside the kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papan.game.rules import PositionError, is_over, key, legal_steps, mover, play, santorini
from papan.game.rules.santorini.board import BUILD, DOME, MOVE, PICK, State, step_parts
from papan.game.rules.santorini.gods import APOLLO
from papan.game.rules.santorini.model import (
    Model,
    PreconditionError,
    build_worker,
    from_state,
    gen_start,
    move_worker,
    pick_god,
    place_worker,
    to_state,
)

OPTIONS = {"gods": "seeds", "same": "yes", "pick": "choose", "placement": "choose", "teams": "no", "seats": "2"}

# The state in the paper's figure of an example.
EXAMPLE = Model(
    "p2",
    "move",
    "",
    (("p1", "Atlas"), ("p2", "Apollo")),
    ((1, 2, 3, 4, 2), (0, 1, 1, 1, 1), (0, 1, 1, 1, 0), (0, 0, 0, 0, 0), (0, 0, 0, 0, 0)),
    (
        ("", "p1w1", "", "", ""),
        ("", "p2w2", "", "", ""),
        ("p1w2", "", "", "", ""),
        ("", "", "", "", ""),
        ("p2w1", "", "", "", ""),
    ),
)


def set_up(first: str = "Apollo", second: str = "Atlas") -> Model:
    """p1 on a5 and b5, p2 on a1 and e1, nothing built."""
    model = pick_god(pick_god(gen_start(2, "p1"), first), second)
    return place_worker(place_worker(model, 0, 0, 0, 1), 4, 0, 4, 4)


def built(model: Model, **heights: int) -> Model:
    """*model* with towers: ``built(model, c21=3)`` is three levels in row 2, column 1."""
    building = [list(row) for row in model.building]
    for place, level in heights.items():
        building[int(place[1])][int(place[2])] = level
    return replace(model, building=tuple(map(tuple, building)))


PICKING = gen_start(2, "p1")
PLACING = place_worker(pick_god(pick_god(PICKING, "Apollo"), "Atlas"), 2, 3, 0, 0)
MOVING = built(set_up(), c10=2, c11=4)
BUILDING = move_worker(built(set_up(), c11=4), "p1w1", 1, 0)
WON = move_worker(built(set_up(), c00=2, c10=3), "p1w1", 1, 0)


@pytest.mark.parametrize(
    ("model", "operator", "arguments", "message"),
    [
        (PICKING, pick_god, ("Zeus",), "OP(2) pick_god needs god in Gods: 'Zeus' is none of Apollo, Atlas"),
        (MOVING, pick_god, ("Atlas",), "OP(2) pick_god needs S[1] = 'pick god': the phase is 'move'"),
        (PLACING, place_worker, (1, 1, 1, 1), "OP(3) place_worker needs not (i1 = i2 and j1 = j2)"),
        (PLACING, place_worker, (0, 0, 5, 0), "OP(3) place_worker needs each of i, j from 0 to 4"),
        (PLACING, place_worker, (-1, 0, 2, 2), "OP(3) place_worker needs each of i, j from 0 to 4"),
        (PLACING, place_worker, (2, 3, 2, 2), "OP(3) place_worker needs S[5][2][3] empty"),
        (PLACING, place_worker, (2, 2, 0, 0), "OP(3) place_worker needs S[5][0][0] empty"),
        (PICKING, place_worker, (0, 0, 0, 1), "S[1] = 'place worker'"),
        (MOVING, move_worker, ("p2w1", 3, 0), "OP(4) move_worker needs a worker of p1: 'p2w1' is none of p1w1, p1w2"),
        (MOVING, move_worker, ("p1w3", 1, 1), "OP(4) move_worker needs a worker of p1"),
        (MOVING, move_worker, ("p1w1", -1, 0), "OP(4) move_worker needs each of i, j from 0 to 4"),
        (MOVING, move_worker, ("p1w1", 0, 0), "OP(4) move_worker needs equation 8"),
        (MOVING, move_worker, ("p1w1", 0, 1), "OP(4) move_worker needs equation 10: Your other worker"),
        (MOVING, move_worker, ("p1w1", 2, 2), "OP(4) move_worker needs equation 10: c3 is not next to a5"),
        (MOVING, move_worker, ("p1w1", 1, 0), "OP(4) move_worker needs equation 10: a4 is 2 levels higher"),
        (MOVING, move_worker, ("p1w1", 1, 1), "OP(4) move_worker needs equation 10: There is a dome on b4"),
        # Others than Apollo have equation 9.
        (
            replace(EXAMPLE, current_player="p1"),
            move_worker,
            ("p1w2", 1, 1),
            "equation 9: A worker of seat 2 stands on b4",
        ),
        (PICKING, move_worker, ("p1w1", 0, 0), "S[1] = 'move'"),
        (BUILDING, build_worker, ("p2w1", 3, 1), "OP(5) build_worker needs a worker of p1"),
        (BUILDING, build_worker, ("p1w2", 0, 2), "OP(5) build_worker needs worker = p1w1: p1w2 has not moved"),
        (BUILDING, build_worker, ("p1w1", 0, 5), "OP(5) build_worker needs each of i, j from 0 to 4"),
        (BUILDING, build_worker, ("p1w1", 1, 0), "OP(5) build_worker needs equation 8"),
        (
            BUILDING,
            build_worker,
            ("p1w1", 0, 0, True),
            "OP(5) build_worker needs not (god != Atlas and d): p1 has Apollo",
        ),
        (BUILDING, build_worker, ("p1w1", 0, 1), "OP(5) build_worker needs equation 12: There is a worker on b5"),
        (BUILDING, build_worker, ("p1w1", 1, 1), "OP(5) build_worker needs equation 12: There is a dome on b4"),
        (BUILDING, build_worker, ("p1w1", 4, 4), "OP(5) build_worker needs equation 12: e1 is not next to a4"),
        (MOVING, build_worker, ("p1w1", 1, 0), "S[1] = 'build'"),
        (WON, build_worker, ("p1w1", 1, 1), "the phase is 'win'"),
    ],
)
def test_preconditions(model: Model, operator: Callable[..., Model], arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(PreconditionError) as error:
        operator(model, *arguments)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("n", "p", "precondition"),
    [(1, "p1", "2 <= n <= 4"), (5, "p1", "2 <= n <= 4"), (2, "p3", "p in Players"), (2, "", "p in Players")],
)
def test_preconditions_of_gen_start(n: int, p: str, precondition: str) -> None:
    with pytest.raises(PreconditionError, match="OP\\(1\\) gen_start") as error:
        gen_start(n, p)
    assert error.value.precondition == precondition


@pytest.mark.parametrize(("n", "order"), [(2, "p2 p1"), (3, "p3 p1 p2"), (4, "p3 p4 p1 p2")])
def test_whoever_starts_the_set_up_goes_on_in_turn(n: int, order: str) -> None:
    model = gen_start(n, order[:2])
    assert model.players == ("p1", "p2", "p3", "p4")[:n] and model.phase == "pick god"
    seen = []
    for number in range(n):
        seen.append(model.current_player)
        model = pick_god(model, "Atlas" if number else "Apollo")
    for number in range(n):
        seen.append(model.current_player)
        model = place_worker(model, number, 0, number, 4)
    assert seen == order.split() * 2
    assert (model.current_player, model.phase) == (seen[0], "move")
    assert dict(model.gods)[seen[0]] == "Apollo" and dict(model.gods)["p1"] == "Atlas"
    model = move_worker(model, f"{seen[0]}w1", 0, 1)
    assert (model.current_player, model.phase, model.active_worker) == (seen[0], "build", f"{seen[0]}w1")
    assert build_worker(model, f"{seen[0]}w1", 0, 0).current_player == seen[1]


def test_reaching_level_3_wins() -> None:
    assert (WON.current_player, WON.phase, WON.active_worker) == ("p1", "win", "")
    assert is_over(to_state(WON))


@pytest.mark.parametrize(
    ("level", "d", "after"), [(0, True, 4), (2, True, 4), (3, True, 4), (3, False, 4), (2, False, 3)]
)
def test_atlas_domes(level: int, d: bool, after: int) -> None:
    model = move_worker(built(set_up("Atlas"), c20=level), "p1w1", 1, 0)
    assert build_worker(model, "p1w1", 2, 0, d).building[2][0] == after


def test_a_player_without_a_turn_has_lost() -> None:
    walls = built(set_up("Atlas", "Apollo"), c30=2, c31=2, c41=2, c34=2, c33=2, c43=2)
    model = replace(walls, workers=(("p1w1", "", "", "", ""), ("",) * 5, ("", "", "p1w2", "", ""), *walls.workers[3:]))
    model = build_worker(move_worker(model, "p1w1", 0, 1), "p1w1", 0, 0)
    assert (model.current_player, model.phase) == ("p2", "lose")
    assert santorini.ending(to_state(model)).payoffs == (1.0, -1.0)


def apply(model: Model, state: State, step: int, placed: list[int]) -> Model:
    """*model* after the operator for *step*; the first of two placing steps waits in *placed*."""
    kind, origin, target = step_parts(step)
    i, j = 4 - target // 5, target % 5
    if kind == PICK:
        return pick_god(model, "Apollo" if target == APOLLO else "Atlas")
    if kind == MOVE:
        return move_worker(model, model.workers[4 - origin // 5][origin % 5], i, j)
    if kind in (BUILD, DOME):
        return build_worker(model, model.active_worker, i, j, kind == DOME)
    placed.append(target)
    if len(placed) == 1:
        return model
    first = placed.pop(0)
    placed.clear()
    return place_worker(model, 4 - first // 5, first % 5, i, j)


class TestBesideTheKernels:
    @given(st.integers(0, 2**32))
    @settings(max_examples=20)
    def test_random_games_agree(self, seed: int) -> None:
        random = Random(seed)
        seats = random.choice((2, 2, 3, 4))
        state = santorini.start({**OPTIONS, "seats": str(seats)}, random)
        model, placed = gen_start(seats, "p1"), list[int]()
        while not is_over(state):
            step = random.choice(legal_steps(state))
            model, state = apply(model, state, step, placed), play(state, step)
            if not placed:
                assert key(to_state(model)) == key(state)
                assert model.current_player == f"p{mover(state) + 1}"
                assert (model.active_worker != "") == (model.phase == "build")
                names = [worker for row in model.workers for worker in row if worker]
                assert len(names) == len(set(names)) == state.workers.bit_count() + state.more_workers.bit_count()
        assert model.phase == ("win" if santorini.ending(state).reason == "reached level 3" else "lose")

    @given(st.integers(0, 2**32))
    @settings(max_examples=10)
    def test_what_the_kernels_refuse_the_operators_refuse(self, seed: int) -> None:
        random = Random(seed)
        state = santorini.start({**OPTIONS, "pick": "random", "placement": "random"}, random)
        while not is_over(state):
            model = from_state(state)
            legal = set(legal_steps(state))
            for _ in range(10):
                kind = random.choice((BUILD, DOME)) if state.active else MOVE
                own = [cell for cell in range(25) if state.workers >> (cell + 25 * state.seat) & 1]
                step = kind | (random.choice(own) << 5 if kind == MOVE else 0) | random.randrange(25)
                is_same_dome = kind == DOME and BUILD | step & 31 in legal and DOME | step & 31 not in legal
                if step in legal or (is_same_dome and model.gods[state.seat][1] == "Atlas"):
                    apply(model, state, step, [])
                else:
                    with pytest.raises(PreconditionError):
                        apply(model, state, step, [])
            state = play(state, random.choice(sorted(legal)))


class TestConversions:
    def test_the_papers_example(self) -> None:
        text = "1234201111011100000000000/2/atlas:a3,b5/apollo:a1,b4"
        assert santorini.text(to_state(EXAMPLE)) == text
        again = from_state(santorini.parse(text, OPTIONS))
        assert replace(again, workers=EXAMPLE.workers) == EXAMPLE
        assert [again.cell_of(f"p{p}w{w}") for p in (1, 2) for w in (1, 2)] == [(0, 1), (2, 0), (1, 1), (4, 0)]

    @given(st.integers(0, 2**32))
    @settings(max_examples=20)
    def test_round_trip(self, seed: int) -> None:
        random = Random(seed)
        state = santorini.start({**OPTIONS, "placement": random.choice(("choose", "random"))}, random)
        while True:
            if santorini.phase(state) != "place worker" or not state.workers >> 25 * state.seat & 0x1FFFFFF:
                model = from_state(state)
                assert key(to_state(model)) == key(state)
                assert from_state(to_state(model)) == model
            else:
                with pytest.raises(ValueError, match="places both at once"):
                    from_state(state)
            if is_over(state):
                return
            state = play(state, random.choice(legal_steps(state)))

    def test_mortals_have_no_god(self) -> None:
        state = santorini.parse(f"{'0' * 25}/1/mortal:a1,b1/mortal:c1,d1", OPTIONS)
        assert from_state(state).gods == (("p1", ""), ("p2", ""))
        assert to_state(from_state(state)) == state

    def test_parts_that_make_no_position_are_refused(self) -> None:
        with pytest.raises(PositionError, match="dome"):
            to_state(built(set_up(), c00=4))
