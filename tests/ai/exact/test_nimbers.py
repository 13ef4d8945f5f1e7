"""Nimbers, against plain trying of all plays by the rules alone, and against sums played out."""

from __future__ import annotations

import itertools
from functools import cache
from random import Random

import pytest

from papan.ai.exact import santorini_graph as exact
from papan.ai.exact.nimbers import AT_ONCE, WON, NimberError, mex, options, total
from papan.ai.exact.santorini_graph.atlas import VARIANTS, empty_board
from papan.ai.exact.santorini_graph.graphs import board_of, connected_graphs
from papan.ai.exact.santorini_graph.nimbers import Nimbers
from papan.ai.limits import Limit
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play, santorini_graph
from papan.game.rules.santorini_graph.names import read_variant
from papan.research.theorems.small_cases import starts

SHARED = [name for name in VARIANTS if read_variant(name).is_shared]
TOWERS = [name for name in SHARED if read_variant(name).has_tower_wins]
LIMIT = Limit(nodes=10**6)


def position(variant: str, board: str, text: str) -> State:
    return santorini_graph.parse(text, {"variant": variant, "board": board})


def turns(state: State) -> list[State]:
    """Where the turns of *state* lead, each once."""
    found, open_states = set(), {state}
    while open_states:
        after = {play(one, step) for one in open_states for step in legal_steps(one)}
        open_states = {one for one in after if not is_over(one) and mover(one) == mover(state)}
        found |= after - open_states
    return list(found)


@cache
def plain_nimber(state: State) -> int | None:
    """The nimber of *state* by the rules alone; None where a turn wins the whole sum at once."""
    if is_over(state):
        return 0
    if any(is_won_outright(after, int(mover(state))) for after in turns(state)):
        return None
    left = {plain_nimber(after) for after in turns(state)}
    return next(number for number in itertools.count() if number not in left)


def is_won_outright(after: State, seat: int) -> bool:
    """Whether *seat*'s turn to *after* climbed a tower, rather than leaving the other seat stuck."""
    return is_over(after) and payoff(after, seat) > 0.0 and santorini_graph.ending(after).reason.startswith("reached")


@cache
def wins_sum(boards: tuple[State, ...]) -> bool:
    """Whether the seat to act wins the sum of *boards*, by playing it out."""
    for place, board in enumerate(boards):
        for after in [] if is_over(board) else turns(board):
            if is_won_outright(after, int(mover(board))):
                return True
            if not wins_sum((*boards[:place], after, *boards[place + 1 :])):
                return True
    return False


class TestAgainstPlainTrying:
    @pytest.mark.parametrize("variant", SHARED)
    def test_starts_and_what_follows_from_them(self, variant: str) -> None:
        random, values = Random(variant), set()
        for nodes in (3, 4, 5):
            for graph in random.sample(connected_graphs(nodes), min(4, len(connected_graphs(nodes)))):
                known, solver = list(starts(variant, board_of(graph), nodes)), Nimbers()
                for state in random.sample(known, min(3, len(known))):
                    while not is_over(state):
                        plain = plain_nimber(state)
                        assert solver.nimber(state) == (AT_ONCE if plain is None else plain)
                        values.add(plain)
                        state = random.choice(turns(state))
                        if is_won_outright(state, 0) or is_won_outright(state, 1):
                            break
        assert len(values) > 1

    @pytest.mark.parametrize("variant", SHARED)
    def test_the_atlas_has_the_same(self, variant: str) -> None:
        graph = Random(variant).choice(connected_graphs(5))
        empty = empty_board(read_variant(variant), graph)
        for state in (empty, *starts(variant, board_of(graph), 5)):
            assert exact.nimber(state, LIMIT) == (0 if is_over(state) else Nimbers().nimber(state))
        assert exact.nimber(empty, LIMIT) == plain_nimber(empty)


class TestKnownValues:
    @pytest.mark.parametrize("size", range(7))
    def test_a_worker_that_may_go_to_any_lower_node_is_a_heap_of_nim(self, size: int) -> None:
        edges = ",".join(f"{high}-{low}" for high in range(1, 7) for low in range(high))
        state = position("1W_I1H_NTWD*S", f"edges:{edges}", f"0000000/1/{size}")
        assert exact.nimber(state, LIMIT) == size

    @pytest.mark.parametrize("nodes", range(3, 12))
    def test_undirected_geography(self, nodes: int) -> None:
        """At the end of a path or on a cycle all is forced; in a star's middle any move is the last."""
        heights = "0" * nodes
        star = "edges:" + ",".join(f"0-{leaf}" for leaf in range(1, nodes))
        for board, node, value in (
            (f"path:{nodes}", 0, (nodes + 1) % 2), (f"cycle:{nodes}", 0, (nodes + 1) % 2), (star, 0, 1), (star, 1, 0),
        ):  # fmt: skip
            assert exact.nimber(position("1W_I1H_NTWU*S", board, f"{heights}/1/{node}"), LIMIT) == value, board

    def test_mex_and_sums(self) -> None:
        assert (mex([]), mex([1, 2]), mex([0, 0, 1, 3]), mex([AT_ONCE]), mex([WON, 0])) == (0, 0, 2, 0, AT_ONCE)
        assert (total([]), total([5, 5]), total([3, 5]), total([AT_ONCE, 7])) == (0, 0, 6, AT_ONCE)


class TestSums:
    def test_a_board_of_two_parts_is_their_sum(self) -> None:
        """Two shared workers that can't meet: on one board, the plain game is the sum."""
        random, lost = Random(1), 0
        for _ in range(20):
            one, other = (random.choice(connected_graphs(random.choice((3, 4)))) for _ in range(2))
            nodes, edges = len(one), board_of(one).removeprefix("edges:")
            further = (pair.split("-") for pair in board_of(other).removeprefix("edges:").split(","))
            both = ",".join([edges, *(f"{int(start) + nodes}-{int(end) + nodes}" for start, end in further)])
            places = random.randrange(nodes), random.randrange(len(other))
            parts = [
                position("1W_I2H_NTWUS", board_of(graph), f"{'0' * len(graph)}/1/{place}")
                for graph, place in zip((one, other), places, strict=True)
            ]
            workers = f"{places[0]},{places[1] + nodes}"
            board = position("2W_I2H_NTWUS", f"edges:{both}", f"{'0' * (nodes + len(other))}/1/{workers}")
            values = [exact.nimber(part, LIMIT) or 0 for part in parts]
            assert Nimbers().nimber(board) == total(values)
            assert exact.Decider().is_won(board) == (total(values) != 0)
            lost += total(values) == 0
        assert 0 < lost < 20

    @pytest.mark.parametrize("variant", TOWERS)
    def test_towers_win_the_whole_sum(self, variant: str) -> None:
        """Positions after random turns on the smallest graphs, two at a time, played out."""
        random, seen = Random(variant), set()
        boards: list[State] = []
        while len(boards) < 12:
            graph = random.choice(connected_graphs(3))
            state = random.choice(list(starts(variant, board_of(graph), 3)))
            for _ in range(random.randrange(8)):
                further = [] if is_over(state) else [one for one in turns(state) if not is_over(one)]
                state = random.choice(further) if further else state
            boards.append(state)
        for pair in itertools.combinations(boards, 2):
            value = total(0 if is_over(board) else Nimbers().nimber(board) or 0 for board in pair)
            assert wins_sum(pair) == (value != 0)
            seen.add(value)
        assert AT_ONCE in seen and (0 in seen or variant.startswith("2W"))  # two workers on three nodes are close

    def test_options_are_whole_turns(self) -> None:
        state = position("1W_I2H_TWUS", "path:4", "0000/1/1")
        found = options(exact, santorini_graph, state, LIMIT)
        assert len(found) == len({play(play(state, one.steps[0]), one.steps[1]) for one in found}) > 2
        assert exact.nimber(state, LIMIT) == mex(one.value for one in found)


class TestLimits:
    def test_few_nodes_or_little_memory_give_no_answer_but_more_do(self) -> None:
        state = position("1W_I3H_NTWUS", "complete:7", "0000000/1/0")
        solver = Nimbers()
        assert solver.nimber(state, Limit(nodes=100)) is None
        value = solver.nimber(state, Limit(nodes=10**7))
        assert value is not None and value == Nimbers().nimber(state, Limit(time=60.0))
        assert Nimbers().nimber(state, Limit(nodes=10**7), memory=1) is None

    @pytest.mark.slow
    def test_a_board_whose_games_are_too_long_is_refused(self) -> None:
        with pytest.raises(NimberError, match="too large"):
            Nimbers().nimber(position("1W_I9H_NTWUS", "complete:126", f"{'0' * 126}/1/0"))

    def test_partizan_variants_have_none(self) -> None:
        assert not exact.is_impartial(position("2W_P1H_NTWUS", "path:4", "0000/1/0/3"))
