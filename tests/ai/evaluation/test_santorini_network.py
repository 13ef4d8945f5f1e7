"""Santorini's network: which rows a position has, what it says of wins, and files of weights."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluate, santorini
from papan.ai.evaluation.accumulator import accumulator, gather, judged
from papan.ai.evaluation.santorini import BY_HAND, CLASSICAL, SCALE, WEIGHTS, network
from papan.ai.evaluation.santorini.network import (
    ACTIVE,
    CELL_ROWS,
    CODES,
    FREE,
    LAST,
    NEURONS,
    NUMBER_OF_GODS,
    STANDINGS,
    WON,
    WORKER_ROWS,
    Network,
    rows_of,
)
from papan.ai.learning.weight_files import WeightFileError, keep_arrays
from papan.game.rules import is_over, legal_steps, mover, payoff, play
from papan.game.rules import santorini as rules
from papan.game.rules.santorini.board import CELL_BY_NAME, CELLS, State
from papan.game.rules.santorini.gods import GODS
from tests.ai.playing import game_at_random

DEALT = {"same": "no", "pick": "random", "placement": "random", "teams": "no", "seats": "2", "gods": "simple"}


def any_network(seed: int) -> Network:
    random = np.random.default_rng(seed)
    rows = random.integers(-700, 700, (network.ROWS + 1, NEURONS)).astype(np.int16)
    return Network(rows, random.integers(-400, 400, (NUMBER_OF_GODS, NUMBER_OF_GODS, LAST)).astype(np.int16))


def weights_of(found: Network) -> np.ndarray:
    weights = np.concatenate([np.zeros(BY_HAND, np.int16), network.vector(found)])
    weights.flags.writeable = False
    return weights


def position(players: str, seat: int = 1, **heights: int) -> State:
    rows = ["".join(str(heights.get(f"{column}{row}", 0)) for column in "abcde") for row in "54321"]
    return rules.parse(f"{''.join(rows)}/{seat}/{players}", DEALT)


def rows(state: State) -> list[int]:
    found = np.zeros(ACTIVE, np.int64)
    rows_of(state, found)
    return found.tolist()


def code(state: State, cell: str) -> int:
    """The code of *cell*."""
    number = CELL_BY_NAME[cell]
    return rows(state)[number] - number * CODES


class TestRows:
    def test_a_free_cell_tells_who_gets_at_it(self) -> None:
        state = position("mortal:a1,c3/mortal:c1,e5", b2=1, b1=2, d2=4, d4=2)
        assert code(state, "e1") == 0, "out of reach"
        assert code(state, "b2") == 16 + 4 * 3 + 2, "on level 1: two own workers, one of theirs"
        assert code(state, "b1") == 32 + 4 * 1 + 1, "on level 2: too high for both"
        assert code(state, "d2") == FREE, "a dome"
        assert code(state, "d4") == 32 + 4 * 1 + 1, "too high, beside a worker of either"
        assert code(state, "d1") == 2, "theirs alone walks there"

    def test_workers_stand_at_a_height_for_the_seat_to_move(self) -> None:
        for seat, own, theirs in ((1, "a1", "c1"), (2, "c1", "a1")):
            state = position("mortal:a1,c3/mortal:c1,e5", seat, a1=2, c1=2)
            assert code(state, own) == FREE + 1 + 2 and code(state, theirs) == FREE + 1 + 4 + 2

    def test_a_worker_counts_what_it_climbs_to_and_walks_to(self) -> None:
        state = position("mortal:a1,e5/mortal:c1,c5", a2=1, b1=2)
        first = rows(state)[CELLS : CELLS + 2]
        corner = (1 * 5 + 1) * 3 + 1  # on the ground: one cell to climb to, b2 to walk to, b1 too high
        assert CELL_ROWS + corner in first
        assert all(CELL_ROWS + STANDINGS <= row < WORKER_ROWS for row in rows(state)[CELLS + 2 : CELLS + 4])

    @pytest.mark.parametrize(("god", "threats"), [("mortal", 0), ("artemis", 1), ("pan", 0)])
    def test_threats_are_those_of_the_god(self, god: str, threats: int) -> None:
        """From level 1 Artemis alone is on level 3 in two moves."""
        state = position(f"apollo:a1,a2/{god}:e5,e1", e5=1, d5=2, c5=3)
        assert rows(state)[CELLS + 4] == WORKER_ROWS + threats

    def test_gods_have_rows(self) -> None:
        state = position("apollo:a1,a2/pan:e5,e1", 2)
        own, theirs = rows(state)[-2:]
        assert (own - network.THREAT_ROWS, theirs - network.THREAT_ROWS - NUMBER_OF_GODS) == (9, 1)
        assert len(GODS) == NUMBER_OF_GODS


class TestPromise:
    def test_it_is_the_sum_of_the_rows(self) -> None:
        found = any_network(1)
        state = position("athena:a1,c3/hermes:c1,e5", 2, b2=1, b1=2, d2=4)
        sums = np.maximum((found.rows[rows(state)].sum(0, np.int64) + found.rows[-1]) * network.UNIT, 0.0)
        last = found.lasts[7, 4] * network.COUNT
        worth = evaluate(state, 1, weights_of(found))
        assert worth == pytest.approx(SCALE * (sums @ last[:-1] + last[-1]))
        assert evaluate(state, 0, weights_of(found)) == -worth

    def test_a_win_in_the_turn_is_seen_by_the_rules(self) -> None:
        state = position("mortal:a1,c3/mortal:c1,e5", a1=2, a2=3)
        assert evaluate(state, 0, weights_of(any_network(1))) == SCALE * WON

    @pytest.mark.parametrize("gods", ["none", "simple"])
    def test_what_is_kept_is_what_is_computed_afresh(self, gods: str) -> None:
        """Also after leaps from one branch to another, with another god, and within a turn."""
        weights = weights_of(any_network(2))
        for seed in range(4):
            random = Random(seed)
            start = rules.start({**DEALT, "gods": gods}, random)
            kept = accumulator(start)
            gather(start, kept)
            for state in list(game_at_random(start, random))[:-1]:
                for step in random.sample(legal_steps(state), min(4, len(legal_steps(state)))):
                    after = play(state, step)
                    if not is_over(after):
                        assert judged(after, 0, weights, kept) == evaluate(after, 0, weights)
                other = state._replace(gods=0x34)
                assert judged(other, 1, weights, kept) == evaluate(other, 1, weights)

    def test_three_seats_are_judged_by_hand(self) -> None:
        state = rules.start({**DEALT, "seats": "3"}, Random(1))
        for _ in range(14):
            state = play(state, Random(1).choice(legal_steps(state)))
        assert not is_over(state)
        for seat in range(3):
            by_hand = evaluate(state, seat, np.array(WEIGHTS[CLASSICAL]))
            assert evaluate(state, seat, WEIGHTS[STANDARD]) == pytest.approx(by_hand) and by_hand


class TestShipped:
    def test_it_tells_who_wins_better_than_the_weights_set_by_hand(self) -> None:
        """By the mean surprise at results of games of the two, one turn ahead."""
        surprises = dict.fromkeys((STANDARD, CLASSICAL), 0.0)
        for seed in range(30):
            random, states = Random(seed), []
            state = rules.start({**DEALT, "gods": ("none", "simple")[seed % 2]}, random)
            while not is_over(state):
                states.append(state)
                name = (STANDARD, CLASSICAL)[(mover(state) + seed // 2) % 2]
                state = best(state, np.asarray(WEIGHTS[name]), random)
            winner = max(range(2), key=lambda seat: payoff(state, seat))
            for one in states[4:]:
                for name in surprises:
                    worth = evaluate(one, winner, np.asarray(WEIGHTS[name])) / SCALE
                    surprises[name] += float(np.logaddexp(0.0, -np.clip(worth, -5.0, 5.0)))
        assert surprises[STANDARD] < 0.95 * surprises[CLASSICAL]


def best(state: State, weights: np.ndarray, random: Random) -> State:
    """A state after the turn that *weights* like best, of those of the best step first."""
    seat = mover(state)
    while not is_over(state) and mover(state) == seat:
        after = [play(state, step) for step in legal_steps(state)]
        random.shuffle(after)
        state = max(after, key=lambda one: 1e6 if is_over(one) else evaluate(one, seat, weights))
    return state


class TestFiles:
    def test_what_was_kept_is_read(self, tmp_path: Path) -> None:
        found = any_network(3)
        keep_arrays(tmp_path / "some.npz", "a test", **found._asdict())
        assert np.array_equal(network.learned_network(tmp_path / "some.npz"), network.vector(found))

    @pytest.mark.parametrize(("row", "last", "words"), [(1023, 0, "rows"), (900, 32767, "rows"), (900, 1000, "")])
    def test_sums_fit_their_integers(self, tmp_path: Path, row: int, last: int, words: str) -> None:
        """33 rows of 1023 pass 2^15; 33 of 900 do not: times 32767 for each neuron they pass 2^31, times 1000 not."""
        found = any_network(3)
        found.rows[:], found.lasts[:] = row, last
        keep_arrays(tmp_path / "some.npz", "a test", **found._asdict())
        if not words:
            assert len(network.learned_network(tmp_path / "some.npz")) == network.SIZE
            return
        with pytest.raises(WeightFileError, match=words):
            network.learned_network(tmp_path / "some.npz")

    def test_one_of_another_shape_is_refused(self, tmp_path: Path) -> None:
        found = any_network(3)
        keep_arrays(tmp_path / "some.npz", "a test", **found._replace(lasts=found.lasts[1:])._asdict())
        with pytest.raises(WeightFileError, match="lasts"):
            network.learned_network(tmp_path / "some.npz")

    def test_where_the_file_is_damaged_the_weights_set_by_hand_stand_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(santorini, "bundled_network", lambda: None)
        assert santorini.standard_weights() == WEIGHTS[CLASSICAL]
