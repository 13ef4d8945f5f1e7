"""Gomoku's evaluation and candidates against slow definitions, and what the computer must see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from papan.ai.evaluation import STANDARD, candidates, essential, evaluate, fewest_turns
from papan.ai.evaluation.accumulator import accumulator, answers, gather, judged, note, options, regather, unnote
from papan.ai.evaluation.gomoku import CLASSICAL, FEATURES, SCALE, WEIGHTS, network
from papan.ai.evaluation.gomoku.lines import (
    CELLS,
    COMBINATIONS,
    FIVE,
    HALF,
    MOST_CANDIDATES,
    catch_up,
    combination,
    combinations,
    look_of,
    looks,
    note_made,
    points_in,
)
from papan.ai.learning.weight_files import WeightFileError, keep_arrays
from papan.ai.players import make_player, situation
from papan.game.catalogue import find
from papan.game.kernel.bits import cells_of
from papan.game.match import Match
from papan.game.rules import gomoku, is_over, legal_steps, mover, play
from papan.game.rules.gomoku import MOST_STEPS, State, name_of, parse, stones
from papan.game.rules.gomoku.board import CARO, DIRECTIONS, ROW, long_rows_win
from tests.sizes import sample_and_all

WAYS = ((1, 0), (0, 1), (1, 1), (-1, 1))
OPTIONS = ({"size": "15", "exact": "no"}, {"size": "19", "exact": "no"}, {"size": "20", "exact": "yes"})
OTHER_RULES = tuple(
    {"size": size, "exact": exact} for size in ("15", "20") for exact in ("renju", "caro", "caro-exact")
)


def value(state: State, seat: int, feature: str) -> float:
    return float(evaluate(state, seat, np.eye(len(FEATURES))[FEATURES.index(feature)]))


def candidates_of(state: State) -> list[int]:
    buffer = np.empty(MOST_STEPS, np.int64)
    return [int(step) for step in buffer[: candidates(state, buffer, 0)]]


def random_states(number: int, games: Sequence[Mapping[str, str]] = OPTIONS) -> Iterator[State]:
    """Stones on a part of the board, where there is much to be counted, at edges and corners too."""
    random = Random(11)
    for index in range(number):
        state = gomoku.start(games[index % len(games)], random)
        left, low = (random.choice([0, 4, state.size - 7]) for _ in range(2))
        for _ in range(random.randint(6, 26)):
            near = [step for step in legal_steps(state) if 0 <= step % ROW - left < 7 and 0 <= step // ROW - low < 7]
            after = play(state, random.choice(near))
            if not is_over(after):
                state = after
        yield state


@cache
def rows_of(size: int, length: int) -> list[tuple[tuple[int, int], list[tuple[int, int]]]]:
    """Every row of *length* cells on a board, and its direction."""
    return [
        ((right, up), cells)
        for right, up in WAYS
        for column in range(size)
        for row in range(size)
        for cells in [[(column + place * right, row + place * up) for place in range(length)]]
        if all(0 <= x < size and 0 <= y < size for x, y in (cells[0], cells[-1]))
    ]


class Slow:
    """What the features say of one seat, cell by cell."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat = state, seat
        self.own = {(cell % ROW, cell // ROW) for cell in cells_of(stones(state, seat))}
        self.other = {(cell % ROW, cell // ROW) for cell in cells_of(stones(state, 1 - seat))}

    def live(self, number: int) -> list[tuple[tuple[int, int], list[tuple[int, int]]]]:
        """The live windows with that number of stones."""
        return [
            (way, cells)
            for way, cells in rows_of(self.state.size, 5)
            if not self.other.intersection(cells) and len(self.own.intersection(cells)) == number
        ]

    def fours(self) -> list[list[tuple[int, int]]]:
        """Windows with four stones whose five would win."""
        found = []
        for (right, up), cells in self.live(4):
            (x, y), (last_x, last_y) = cells[0], cells[-1]
            ends = {(x - right, y - up), (last_x + right, last_y + up)}
            if ends & self.own and not long_rows_win(self.state.rule, self.seat):
                continue
            if ends <= self.other and self.state.rule >= CARO:
                continue
            found.append(cells)
        return found

    def winning(self) -> set[tuple[int, int]]:
        return {cell for cells in self.fours() for cell in cells} - self.own

    def open_threes(self) -> int:
        """Six cells without the other's stones, three own ones among the inner four, none at the ends."""
        return sum(
            not self.other.intersection(cells)
            and not self.own.intersection((cells[0], cells[-1]))
            and len(self.own.intersection(cells)) == 3
            for _, cells in rows_of(self.state.size, 6)
        )

    def windows(self, number: int) -> int:
        return len(self.fours()) if number == 4 else len(self.live(number))

    def cells_in(self, number: int) -> set[int]:
        """The empty cells of the live windows with that number of stones."""
        found = {cell for _, cells in self.live(number) for cell in cells} - self.own
        return {y * ROW + x for x, y in found}

    def cells_of_open_twos(self) -> set[int]:
        """Empty cells on which a stone makes an open two: among the inner four of six cells, whose ends are empty."""
        return {
            y * ROW + x
            for _, cells in rows_of(self.state.size, 6)
            if not self.other.intersection(cells)
            and not self.own.intersection((cells[0], cells[-1]))
            and len(self.own.intersection(cells)) == 1
            for x, y in set(cells[1:-1]) - self.own
        }


class TestFeatures:
    def test_each_is_what_its_slow_definition_says(self) -> None:
        seen = dict.fromkeys(FEATURES, 0)
        for state in random_states(60, OPTIONS + OTHER_RULES):
            sides = [Slow(state, seat) for seat in (0, 1)]
            for number, feature in enumerate(("ones", "twos", "threes", "fours"), start=1):
                assert value(state, 0, feature) == sides[0].windows(number) - sides[1].windows(number), feature
                seen[feature] += sides[0].windows(number)
            assert value(state, 1, "open_threes") == sides[1].open_threes() - sides[0].open_threes()
            seen["open_threes"] += sides[1].open_threes()
            own, other = sides[mover(state)], sides[1 - mover(state)]
            win = 1 if own.winning() else -1 if len(other.winning()) > 1 else 0
            attack = 0
            if not win:
                attack = -bool(other.open_threes()) if other.winning() else int(bool(own.open_threes()))
            assert value(state, mover(state), "win") == win
            assert value(state, mover(state), "tempo") == 1 == -value(state, 1 - mover(state), "tempo")
            seen["tempo"] += 1
            assert value(state, mover(state), "attack") == attack
            seen["win"] += abs(win)
            seen["attack"] += abs(attack)
        assert min(seen.values()) > 3, seen

    def test_a_five_that_would_be_too_long_is_no_threat(self) -> None:
        moves = "c3 a1 d3 c1 e3 e1 f3 g1 h3 i1"
        free, exact = (parse(moves, {"size": "15", "exact": exact}) for exact in ("no", "yes"))
        assert value(free, 0, "fours") == 3  # b3 to f3, c3 to g3, d3 to h3
        assert value(exact, 0, "fours") == 1  # with g3, they would be six


class TestCandidates:
    def test_only_what_decides_or_goes_on(self) -> None:
        kinds, most_left_out = set(), 0
        for state in random_states(40):
            own, other = (Slow(state, seat) for seat in (mover(state), 1 - mover(state)))
            found = candidates_of(state)
            assert found and len(found) == len(set(found)) and set(found) <= set(legal_steps(state))
            winning, losing = ({y * ROW + x for x, y in side.winning()} for side in (own, other))
            fours = own.cells_in(3) | other.cells_in(3)
            rows = fours | own.cells_in(2) | other.cells_in(2) | own.cells_of_open_twos() | other.cells_of_open_twos()
            if winning or losing:
                kinds.add("win" if winning else "stop")
                assert set(found) == (winning or losing)
                continue
            if other.open_threes():
                kinds.add("open three")
                rows = fours
            elif rows:
                kinds.add("rows")
            if len(rows) <= MOST_CANDIDATES:
                assert set(found) == rows or not rows
                continue
            assert len(found) == MOST_CANDIDATES and set(found) <= rows
            made = np.zeros((2, CELLS), np.int64)
            note_made(state, made)
            points = [[points_in(look_of(int(stone))) for stone in side] for side in made]
            ratings = {cell: 2 * points[0][cell] + points[1][cell] for cell in rows}
            assert [ratings[cell] for cell in found] == sorted(ratings.values(), reverse=True)[:MOST_CANDIDATES]
            most_left_out = max(most_left_out, len(rows) - len(found))
        assert kinds == {"win", "stop", "open three", "rows"}
        assert most_left_out > 3

    def test_where_fives_alone_decide_only_they_are_certain(self) -> None:
        """In renju and caro: candidates are legal steps, and a proof may leave out none but where a five is there."""
        kinds = set()
        for state in random_states(90, OTHER_RULES):
            legal = set(legal_steps(state))
            own = Slow(state, mover(state))
            winning = {y * ROW + x for x, y in own.winning()}
            found = candidates_of(state)
            assert found and len(found) == len(set(found)) and set(found) <= legal
            kinds.add("win" if winning else "legal")
            assert set(written(essential, state)) == (winning or legal)
            if winning:
                assert set(found) == winning
            assert winning == {step for step in legal if is_over(play(state, step)) and play(state, step).won}
            kinds.add("fewer" if len(legal) < state.size**2 - state.placed else "all")
        assert kinds == {"win", "legal", "fewer", "all"}

    def test_no_win_comes_sooner_than_told(self) -> None:
        """By every step of both sides, in positions with few cells near the stones left."""
        told = set()
        for state in random_states(60, OTHER_RULES):
            for seat in range(2):
                least = fewest_turns(state, seat)
                told.add(least)
                if least > 1 and mover(state) == seat:
                    assert not any(play(state, step).won for step in legal_steps(state))
                if least > 1 and mover(state) != seat and not any(play(state, s).won for s in legal_steps(state)):
                    # The other side has a step after which this one can't win at once.
                    assert any(not wins_at_once(play(state, step)) for step in legal_steps(state))
        assert told >= {1, 2}

    def test_a_stone_looks_as_the_table_says(self) -> None:
        random = Random(5)
        table = looks()
        for made in [0, FIVE, *(sum(random.randrange(FIVE + 1) << at for at in (0, 4, 8, 12)) for _ in range(2000))]:
            assert look_of(made) == table[made]

    def test_the_first_moves(self) -> None:
        for size in (15, 19, 20):
            empty = gomoku.start({"size": str(size)}, Random(1))
            (first,) = candidates_of(empty)
            assert name_of(first) == {15: "h8", 19: "j10", 20: "k11"}[size]
            replies = candidates_of(play(empty, first))
            ways = {reply - first for reply in replies}
            assert len(replies) == MOST_CANDIDATES
            assert ways < {sign * far * way for sign in (1, -1) for far in (1, 2, 3) for way in DIRECTIONS}
            corner = (ROW + 1) * (size - 1)
            assert len(candidates_of(play(empty, corner))) == 8

    def test_a_win_by_open_threes_is_proven_against_every_defence(self) -> None:
        match = Match.new(find("gomoku"), ["a", "b"], position="h8 a1 h9 a3 i8 c1 j9 a5")
        analysis = make_player("minimax:nodes=200000", match.game).choose(situation(match))
        assert analysis.win_distance is not None and analysis.win_distance > 3 and analysis.is_proven


def wins_at_once(state: State) -> bool:
    return not is_over(state) and any(play(state, step).won for step in legal_steps(state))


WHAT_IS_KEPT = ("lines", "totals")
BY_STONES_SEEN = ("look", "kinds")


def copy_of(kept: Any) -> list[NDArray[np.int64]]:
    catch_up(kept)
    return [kept[field].copy() for field in WHAT_IS_KEPT] + [kept[field][kept.known].copy() for field in BY_STONES_SEEN]


def written(write: Callable[..., int], *arguments: Any) -> list[int]:
    """The steps that a kernel writes, in order of their numbers."""
    buffer = np.empty(2 * MOST_STEPS, np.int64)
    state, *kept = arguments
    return sorted(int(step) for step in buffer[: write(state, buffer, 0, *kept)])


class TestWhatIsKept:
    """A walk to and fro: what is kept of each position is what would be gathered there, and says the same of it."""

    @sample_and_all("positions", 40, 100)
    @pytest.mark.parametrize("options_of_game", [*OPTIONS, {"size": "15", "exact": "yes"}, *OTHER_RULES], ids=str)
    def test_as_gathered_anew(self, options_of_game: dict[str, str], positions: int) -> None:
        random = Random(str(options_of_game))
        state = gomoku.start(options_of_game, random)
        left, low = (random.choice([0, 4, state.size - 7]) for _ in range(2))
        kept, fresh = accumulator(state), accumulator(state)
        gather(state, kept)
        path: list[tuple[State, int, list[NDArray[np.int64]] | None]] = []
        looked_at = taken_back = fours = 0
        while looked_at < positions:
            near = [step for step in legal_steps(state) if 0 <= step % ROW - left < 7 and 0 <= step // ROW - low < 7]
            if path and (len(near) < 20 or random.random() < 0.3):
                state, step, before = path.pop()
                unnote(state, step, kept)
                if before is not None:
                    assert all(np.array_equal(*pair) for pair in zip(before, copy_of(kept), strict=True))
                    taken_back += 1
                continue
            step = random.choice(near)
            after = play(state, step)
            if is_over(after):
                continue
            # What stones would make is only brought up to date where it is asked for: here and there.
            path.append((state, step, copy_of(kept) if random.random() < 0.5 else None))
            note(state, step, kept)
            state = after
            for weights in (*np.eye(len(FEATURES)), *map(np.array, WEIGHTS.values())):
                assert judged(state, 0, weights, kept) == evaluate(state, 0, weights)
            if random.random() < 0.5:
                gather(state, fresh)
                assert all(np.array_equal(*pair) for pair in zip(copy_of(fresh), copy_of(kept), strict=True))
                assert written(options, state, kept) == written(candidates, state)
                assert written(answers, state, kept) == written(essential, state)
                fours += value(state, 0, "fours") != 0
                looked_at += 1
        assert taken_back and fours

    def test_compiled_and_plain_agree(self) -> None:
        for state in random_states(12):
            plain, machine = accumulator(state), accumulator(state)
            gather(state, plain)
            regather(state, machine)
            assert all(np.array_equal(*pair) for pair in zip(copy_of(plain), copy_of(machine), strict=True))


def any_network(last: int = 300) -> network.Network:
    random = np.random.default_rng(3)
    rows = random.integers(-90, 90, (COMBINATIONS, network.WIDTH)).astype(np.int16)
    rows[0] = 0
    lasts = random.integers(-last, last, (network.LAYERS, network.LAST)).astype(np.int16)
    return network.Network(rows, random.integers(0, 90, HALF).astype(np.int16), lasts)


class TestNetwork:
    def test_each_combination_has_a_number(self) -> None:
        table, random = combinations(), Random(4)
        shapes = list(combinations_with_replacement(range(FIVE + 1), 4))
        assert len(shapes) == COMBINATIONS == len(set(table.tolist())) == int(table.max()) + 1
        assert table[0] == 0
        for each in random.sample(shapes, 300):
            numbers = {
                int(table[sum(shape << 4 * way for way, shape in enumerate(turned))]) for turned in permutations(each)
            }
            assert numbers == {combination(sum(shape << 4 * way for way, shape in enumerate(each)))}

    def test_fives_decide_and_else_the_network_does(self) -> None:
        weights = network.vector(any_network())
        four = parse("h8 a1 h9 a3 h10 c1 h11 c3", {"size": "15"})
        assert evaluate(four, 0, weights) == SCALE * network.WON == -evaluate(four, 1, weights)
        both = parse("h8 a1 h9 a3 h10 c1 h11", {"size": "15"})
        assert evaluate(both, 0, weights) == SCALE * network.WON
        quiet = parse("h8 h9 j10", {"size": "15"})
        assert evaluate(quiet, 1, weights) == SCALE * network.promise(quiet, network.QUIET, weights)

    @pytest.mark.parametrize("part", ["shape", "rows", "lasts"])
    def test_a_file_that_would_mislead_is_refused(self, part: str, tmp_path: Path) -> None:
        found, file = any_network(), tmp_path / "some.npz"
        keep_arrays(file, "a test", **found._asdict())
        assert np.array_equal(network.learned_network(file), network.vector(found))
        if part == "shape":
            found = found._replace(biases=found.biases[1:])
        elif part == "rows":
            found.rows[0, 3] = 1  # cells where nothing is made are left out of the sums
        else:
            found.lasts[:] = 9000  # 16 times 9000 times the largest output pass 2 ** 31
        keep_arrays(file, "a test", **found._asdict())
        with pytest.raises(WeightFileError, match="biases" if part == "shape" else part):
            network.learned_network(file)

    def test_the_bundled_one_outdoes_the_weights_of_rows(self) -> None:
        assert len(WEIGHTS[STANDARD]) == network.SIZE and len(WEIGHTS[CLASSICAL]) == len(FEATURES)
        # A broken three with room and the move is worth more to the network than a dead one.
        alive, dead = (parse(text, {"size": "15"}) for text in ("h8 a1 h9 a3", "a8 b8 a9 a7"))
        assert evaluate(alive, 0, WEIGHTS[STANDARD]) > evaluate(dead, 0, WEIGHTS[STANDARD])


def test_an_open_three_is_stopped() -> None:
    match = Match.new(find("gomoku"), ["a", "b"], position="h8 a1 h9 a3 h10")
    analysis = make_player("minimax:depth=7,time=600", match.game).choose(situation(match))
    assert name_of(analysis.step) in {"h6", "h7", "h11", "h12"}
