"""Xiangqi's evaluation: its features against slow ones that look at the board cell by cell, and what it prefers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, can_pass, evaluate, exchange, forcing, is_quiet, standing
from papan.ai.evaluation.xiangqi import (
    ASSET,
    BY_HAND,
    CAPTURE,
    FREEDOM,
    GUARD,
    HANGING,
    LINKED,
    OPEN_CANNON,
    PALACE,
    PLACES,
    PRICELESS,
    THREAT,
    TO_MOVE,
    WEIGHTS,
    bundled_tables,
    by_cells,
    keep_tables,
    learned_tables,
    tables_by_hand,
)
from papan.ai.limits import Limit
from papan.ai.search.alphabeta import AlphaBeta
from papan.game.base.assets import Assets, digest_of
from papan.game.rules import is_over, legal_steps, play, xiangqi
from papan.game.rules.xiangqi import START, State, notation, parse
from papan.game.rules.xiangqi.board import (
    ADVISOR,
    CANNON,
    CELLS,
    CHARIOT,
    ELEPHANT,
    FILES,
    GENERAL,
    HORSE,
    RANKS,
    SOLDIER,
    after_moving,
    in_check,
    in_palace,
    pieces_of,
)

STANDARD_WEIGHTS = np.array(WEIGHTS[STANDARD])
TABLES = bundled_tables()
DANGER = (0, 0, 0, 0, 2, 3, 2, 1)
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@pytest.fixture(scope="module")
def positions() -> list[State]:
    """Positions of random games, captures first so that few pieces are left at the end of some."""
    random = Random(31)
    found: list[State] = []
    for _game in range(4):
        state = parse(START, {})
        while not is_over(state) and len(found) % 60 != 59:
            found.append(state)
            steps = legal_steps(state)
            captures = [step for step in steps if step & 127 in pieces_of(state, 1 - state.to_move)]
            state = play(state, random.choice(captures if captures and random.random() < 0.5 else steps))
        found.append(state)
    return [state for state in found if not is_over(state)]


def reached(state: State, seat: int, cell: int, kind: int) -> Iterator[int]:
    """The cells that a piece attacks, guards or can go to, found by walking over the board."""
    taken = {**pieces_of(state, 0), **pieces_of(state, 1)}
    rank, file = divmod(cell, FILES)

    def at(right: int, up: int) -> int | None:
        inside = 0 <= file + right < FILES and 0 <= rank + up < RANKS
        return (rank + up) * FILES + file + right if inside else None

    def steps() -> Iterator[int | None]:
        if kind in (GENERAL, ADVISOR):
            for way in STRAIGHT if kind == GENERAL else DIAGONAL:
                goal = at(*way)
                yield goal if goal is not None and in_palace(seat, goal) else None
        elif kind == ELEPHANT:
            for right, up in DIAGONAL:
                goal = at(2 * right, 2 * up)
                if goal is not None and at(right, up) not in taken and (goal < CELLS // 2) == (seat == 0):
                    yield goal
        elif kind == HORSE:
            for right, up in STRAIGHT:
                if at(right, up) is not None and at(right, up) not in taken:
                    for aside in (-1, 1):
                        yield at(2 * right or aside, 2 * up or aside)
        elif kind == SOLDIER:
            yield at(0, 1 if seat == 0 else -1)
            if (cell >= CELLS // 2) == (seat == 0):
                yield from (at(-1, 0), at(1, 0))
        else:
            for right, up in STRAIGHT:
                passed = 0
                for far in range(1, RANKS):
                    goal = at(right * far, up * far)
                    is_capture_of_cannon = kind == CANNON and passed == 1 and goal in taken
                    is_seen = passed == 0 and (kind == CHARIOT or goal not in taken)
                    if is_seen or is_capture_of_cannon:
                        yield goal
                    passed += goal in taken

    return (goal for goal in steps() if goal is not None)


def slow_best_capture(state: State, seat: int, weights: np.ndarray) -> float:
    own, theirs = pieces_of(state, seat), pieces_of(state, 1 - seat)
    guarded = {goal for cell, kind in theirs.items() for goal in reached(state, 1 - seat, cell, kind)}
    best = 0.0
    for goal, kind in theirs.items():
        capturers = {own[cell] for cell in own if goal in set(reached(state, seat, cell, own[cell]))}
        if not capturers or kind == GENERAL:
            continue
        price = CHARIOT
        if capturers & {SOLDIER, ADVISOR, ELEPHANT}:
            price = SOLDIER
        elif capturers & {HORSE, CANNON}:
            price = HORSE
        best = max(best, weights[kind] - (weights[price] if goal in guarded else 0.0))
    return best


def slow_value(state: State, seat: int, weights: np.ndarray) -> float:
    """What the seat's own pieces are worth, less the danger that its general is in."""
    own, theirs = pieces_of(state, seat), pieces_of(state, 1 - seat)
    strong = [kind for kind in (*own.values(), *theirs.values()) if HORSE <= kind <= CANNON]
    early = (len(strong) + strong.count(CHARIOT)) / 16
    guarded = {goal for cell, kind in own.items() for goal in reached(state, seat, cell, kind)}
    attacked = {goal for cell, kind in theirs.items() for goal in reached(state, 1 - seat, cell, kind)}
    value = 0.0
    for cell, kind in own.items():
        rank, file = divmod(cell, FILES)
        place = kind, rank if seat == 0 else RANKS - 1 - rank, min(file, FILES - 1 - file)
        value += weights[PLACES] * (early * TABLES.early[place] + (1.0 - early) * TABLES.late[place])
        value += weights[kind] if kind != GENERAL else 0.0
        if HORSE <= kind <= CANNON:
            goals = len(set(reached(state, seat, cell, kind)) - set(own))
            value += weights[FREEDOM] * TABLES.freedom[kind - HORSE, goals]
            value -= weights[HANGING] * (cell in attacked - guarded)
    value += weights[LINKED] * len(guarded & set(own))
    guards = sum(kind == ADVISOR for kind in own.values()), sum(kind == ELEPHANT for kind in own.values())
    value -= weights[GUARD] * TABLES.guard[(*guards, sum(DANGER[kind] for kind in theirs.values()))]
    value -= weights[PALACE] * TABLES.palace[sum(in_palace(seat, goal) for goal in attacked)]
    general = next(cell for cell in own if own[cell] == GENERAL)
    for cell, kind in theirs.items():
        if kind == CANNON and cell % FILES == general % FILES:
            between = range(min(cell, general) + FILES, max(cell, general), FILES)
            if not set(between) & {*own, *theirs}:
                value -= weights[OPEN_CANNON]
                break
    return float(value)


def slow_standing(state: State, weights: np.ndarray) -> float:
    """What the seat to move is ahead, without the capture that it may make."""
    seat = state.to_move
    threat = weights[THREAT] * slow_best_capture(state, 1 - seat, weights)
    return float(weights[TO_MOVE] - threat) + slow_value(state, seat, weights) - slow_value(state, 1 - seat, weights)


class TestFeatures:
    def test_are_what_slow_ones_say(self, positions: list[State]) -> None:
        assert len(positions) > 100
        by_hand = np.array(BY_HAND)
        for state in positions[::2]:
            for weights in (STANDARD_WEIGHTS, np.array(WEIGHTS["pieces"])):
                capture = weights[CAPTURE] * slow_best_capture(state, state.to_move, weights)
                assert evaluate(state, state.to_move, weights) == pytest.approx(slow_standing(state, weights) + capture)
            assert standing(state, state.to_move, by_hand) == pytest.approx(slow_standing(state, by_hand))

    def test_cells_are_worth_the_same_on_both_wings(self) -> None:
        for table in (TABLES.early, TABLES.late):
            cells = by_cells(table).reshape(2, -1, RANKS, FILES)
            assert np.array_equal(cells, cells[:, :, :, ::-1])
            assert np.array_equal(cells[0], cells[1, :, ::-1]), "and to both seats"

    def test_checks_are_not_quiet(self, positions: list[State]) -> None:
        assert {is_quiet(state) for state in positions} == {True, False}
        assert all(is_quiet(state) != in_check(state, state.to_move) for state in positions)


class TestPlay:
    def best(self, position: str, depth: int) -> str:
        state = parse(position, {})
        search = AlphaBeta(xiangqi, WEIGHTS[STANDARD])
        return notation(state, search.analyse(state, Limit(depth=depth)).step)

    def test_it_takes_what_hangs_and_leaves_what_is_guarded(self) -> None:
        assert self.best("3k5/9/9/9/4n4/9/9/4R4/9/5K3 w", 1) == "e2e5"
        assert self.best("3k5/9/9/4p4/4p4/9/9/4R4/9/5K3 w", 1) != "e2e5"


# ----------------------------------------------------------------------------- what a search leaves out


def cheapest_first(state: State, cell: int) -> float:
    """What the seat to move wins on *cell* at most, its cheapest piece taking first, and then the other one's."""
    order = (SOLDIER, ADVISOR, ELEPHANT, HORSE, CANNON, CHARIOT, GENERAL)
    own, theirs = pieces_of(state, state.to_move), pieces_of(state, 1 - state.to_move)
    takers = [
        at for kind in order for at in own if own[at] == kind and cell in set(reached(state, state.to_move, at, kind))
    ]
    if not takers:
        return 0.0
    won = PRICELESS if theirs[cell] == GENERAL else STANDARD_WEIGHTS[theirs[cell]]
    return max(0.0, won - cheapest_first(after_moving(state, takers[0], cell), cell))


class TestCaptures:
    def test_all_of_them_are_forcing_and_nothing_else(self, positions: list[State]) -> None:
        buffer = np.empty(256, np.int64)
        for state in positions:
            theirs = pieces_of(state, 1 - state.to_move)
            found = sorted(buffer[: forcing(state, buffer, 0)].tolist())
            assert found == sorted(step for step in legal_steps(state) if step & 127 in theirs)

    def test_what_they_win_by_exchange(self, positions: list[State]) -> None:
        checked = 0
        for state in positions:
            theirs = pieces_of(state, 1 - state.to_move)
            for step in legal_steps(state):
                found = exchange(state, step, STANDARD_WEIGHTS, -1000.0)
                cell = step & 127
                if cell not in theirs:
                    assert found == 0.0
                    continue
                taker = pieces_of(state, state.to_move)[step >> 7]
                wanted = STANDARD_WEIGHTS[theirs[cell]] - cheapest_first(play(state, step), cell)
                worth = PRICELESS if taker == GENERAL else STANDARD_WEIGHTS[taker]
                if STANDARD_WEIGHTS[theirs[cell]] > worth:
                    assert 0.0 < wanted <= found + 0.1, "a bound whose sign is right"
                else:
                    assert found == pytest.approx(wanted, abs=0.002)
                    checked += 1
        assert checked > 100

    def test_a_bound_will_do_where_even_that_is_too_little(self) -> None:
        state = parse("3k5/9/4r4/9/4p4/9/9/9/4R4/4K4 w", {})
        step = next(step for step in legal_steps(state) if notation(state, step) == "e1e5")
        chariot, soldier = STANDARD_WEIGHTS[CHARIOT], STANDARD_WEIGHTS[SOLDIER]
        assert exchange(state, step, STANDARD_WEIGHTS, -1000.0) == pytest.approx(soldier - chariot)
        assert exchange(state, step, STANDARD_WEIGHTS, 2 * soldier) == pytest.approx(soldier, abs=0.1)


def test_nobody_passes_in_check_or_with_soldiers_only() -> None:
    assert can_pass(parse(START, {}))
    assert not can_pass(parse("3k5/9/9/9/9/9/9/9/3R5/4K4 b", {})), "in check"
    assert not can_pass(parse("3k5/9/9/9/4p4/4P4/9/9/9/4K4 w", {})), "any move may be bad"


def test_standing_is_the_evaluation_without_the_capture_that_a_search_sees(positions: list[State]) -> None:
    without = STANDARD_WEIGHTS.copy()
    without[CAPTURE] = 0.0
    for state in positions:
        for seat in (0, 1):
            assert standing(state, seat, STANDARD_WEIGHTS) == pytest.approx(evaluate(state, seat, without))


class TestTables:
    def test_are_read_as_they_were_kept(self, tmp_path: Path) -> None:
        kept = tables_by_hand()._replace(scalars=np.array(BY_HAND))
        keep_tables(kept, tmp_path / "kept.npz", "a test")
        for table, again in zip(kept, learned_tables(tmp_path / "kept.npz"), strict=True):
            assert again == pytest.approx(table, abs=0.001)

    def test_of_another_shape_are_refused(self, tmp_path: Path) -> None:
        keep_tables(tables_by_hand()._replace(palace=np.zeros(3)), tmp_path / "odd.npz", "a test")
        with pytest.raises(ValueError, match="palace"):
            learned_tables(tmp_path / "odd.npz")

    def test_learned_ones_are_used_where_some_come_with_the_program(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "weights").mkdir()
        learned = tables_by_hand()._replace(palace=np.ones(10), scalars=np.array(BY_HAND))
        keep_tables(learned, tmp_path / ASSET, "a test")
        assets = Assets(tmp_path, {ASSET: digest_of(tmp_path / ASSET)})
        monkeypatch.setattr("papan.ai.evaluation.xiangqi.ASSETS", assets)
        assert np.array_equal(bundled_tables().palace, learned.palace)

    def test_those_set_by_hand_stand_in_where_the_file_is_damaged_or_there_is_none(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for digests in ({}, {ASSET: "of another file"}):
            assets = Assets(tmp_path, digests)
            monkeypatch.setattr("papan.ai.evaluation.xiangqi.ASSETS", assets)
            assert np.array_equal(bundled_tables().palace, tables_by_hand().palace)
            assert assets.damaged == tuple(digests)

    def test_worths_keep_their_order(self) -> None:
        chariot, cannon, horse = (STANDARD_WEIGHTS[kind] for kind in (CHARIOT, CANNON, HORSE))
        assert chariot > 1.5 * max(cannon, horse) and min(cannon, horse) > 1.5 * STANDARD_WEIGHTS[ADVISOR]
