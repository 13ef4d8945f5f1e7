"""The atlas of small graphs, against df-pn and against plain trying of all plays."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from papan.ai.exact.santorini_graph import (
    AtlasError,
    Exact,
    can_solve,
    comparer,
    make,
    make_tables,
    measure,
    own_file,
    places,
    position_at,
    sizes,
    tables,
)
from papan.ai.exact.santorini_graph.atlas import (
    ASSET,
    NO_ATLAS,
    VARIANTS,
    Atlas,
    fewest_nodes,
    keep_tables,
    known_atlas,
    number_of_nimbers,
    number_of_starts,
    read_atlas,
    worker_sets,
)
from papan.ai.exact.santorini_graph.graphs import board_of, canonical, connected_graphs
from papan.ai.learning.weight_files import WeightFileError, read_arrays, write_arrays
from papan.ai.limits import UNTIMED_WIN, Limit, win_distance
from papan.ai.outcome import Assessor
from papan.ai.players import make_player, situation
from papan.ai.proof import SolverSetting, make_solver
from papan.game.base.assets import ASSETS
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import State, is_over, legal_steps, mover, payoff, play, santorini_graph
from papan.game.rules.santorini_graph.names import read_variant
from papan.research.theorems.small_cases import starts

LIMIT = Limit(nodes=5_000_000)
SHIPPED = 8
"""The most nodes of the atlas that comes with the program."""


@pytest.fixture(scope="module")
def small() -> Atlas:
    """All graphs of up to four nodes."""
    return make(4)


@pytest.fixture
def fresh(home: Path) -> Iterator[None]:
    """The atlas is read anew, and again after the test."""
    known_atlas.cache_clear()
    yield
    known_atlas.cache_clear()


def state_of(variant: str, board: str, text: str = "") -> State:
    options = {"variant": variant, "board": board}
    return santorini_graph.parse(text, options) if text else santorini_graph.start(options, Random(0))


class Proving:
    """df-pn, which knows nothing of the atlas."""

    def __init__(self) -> None:
        self._solver = make_solver("dfpn", GAMES["santorini-graph"], SolverSetting(memory=16))

    def is_won(self, state: State) -> bool:
        """Whether the seat to act wins."""
        if is_over(state):
            return bool(payoff(state, int(mover(state))) > 0.0)
        self._solver.begin(state)
        proof = self._solver.run(LIMIT)
        assert proof.is_proof
        return proof.result == "proved"


def winning_steps(state: State, proving: Proving) -> int:
    """How many steps of the seat to act lead to where it still wins."""
    afters = [play(state, step) for step in legal_steps(state)]
    return sum(proving.is_won(after) == (int(mover(after)) == int(mover(state))) for after in afters)


def renumbered(graph: tuple[int, ...], order: tuple[int, ...]) -> tuple[int, ...]:
    """*graph* with node n called ``order[n]``."""
    found = [0] * len(graph)
    for node, ends in enumerate(graph):
        found[order[node]] = sum(1 << order[end] for end in range(len(graph)) if ends >> end & 1)
    return tuple(found)


class TestShipped:
    def test_it_has_all_graphs_and_variants(self) -> None:
        atlas = tables()
        assert dict(atlas.variants) == dict(VARIANTS)
        assert sizes(atlas) == range(2, SHIPPED + 1)
        assert [len(atlas.graphs_of(nodes)) for nodes in sizes(atlas)] == [1, 2, 6, 21, 112, 853, 11_117][: SHIPPED - 1]

    @pytest.mark.parametrize("nodes", range(2, SHIPPED + 1))
    def test_random_entries_are_as_df_pn_has_them(self, nodes: int) -> None:
        atlas, random = tables(), Random(nodes)
        compare = comparer(atlas)
        known = (position_at(atlas, nodes, random.choice(places(atlas, nodes))) for _ in itertools.count())
        states = itertools.islice((state for state in known if state is not None), 12)
        assert [compare(state) for state in states] == [(True, True)] * 12

    @pytest.mark.parametrize("variant", ["1W_I2H_NTWU*S", "2W_I1H_NTWUS", "2W_P2H_TWUS", "4W_P2H_TWUS"])
    def test_isomorphic_graphs_have_the_same_answers(self, variant: str) -> None:
        """Numbered in any way they are found, with workers in the same places; df-pn says so of some."""
        random, proving, facts = Random(variant), Proving(), read_variant(variant)
        for graph in random.sample(connected_graphs(6), 5):
            order = random.sample(range(6), 6)
            other = renumbered(graph, tuple(order))
            assert canonical(other) == canonical(graph)
            boards = board_of(graph), board_of(other)
            for number, (own, theirs) in enumerate(worker_sets(6, facts.workers, facts.is_shared)):
                placed = [[node for node in range(6) if bits >> node & 1] for bits in (own, theirs)]
                lists = placed[: 1 if facts.is_shared else 2]
                texts = [
                    "/".join(["000000", "1", *(",".join(str(name(node)) for node in one) for one in lists)])
                    for name in (int, order.__getitem__)
                ]
                states = [state_of(variant, board, text) for board, text in zip(boards, texts, strict=True)]
                won = [tables().is_won(state) for state in states]
                assert won[0] == won[1]
                if number % 20 == 0:
                    assert won[1] == proving.is_won(states[1])

    def test_a_start_is_lost_exactly_where_its_nimber_is_0(self) -> None:
        atlas, bit, first = tables(), 0, 0
        for name, most in atlas.variants.items():
            variant = read_variant(name)
            for nodes in range(fewest_nodes(variant), most + 1):
                number = len(atlas.graphs_of(nodes)) * number_of_starts(variant, nodes)
                if number_of_nimbers(variant, nodes):
                    won = np.unpackbits(atlas.answers[bit : bit + (number + 7) // 8])[:number]
                    assert np.array_equal(won == 1, atlas.nimbers[first : first + number] != 0), (name, nodes)
                    first += number
                bit += (number + 7) // 8
        assert first == len(atlas.nimbers) and bit == len(atlas.answers)

    def test_the_second_seat_is_worth_what_the_first_would_be(self) -> None:
        proving = Proving()
        for variant, one, other in (
            ("2W_P2H_NTWUS", "00000/1/1/3", "00000/2/3/1"),
            ("1W_I2H_NTWUS", "00000/1/1", "00000/2/1"),
        ):
            states = [state_of(variant, "edges:0-1,1-2,2-3,3-4,1-3", text) for text in (one, other)]
            assert len({tables().is_won(state) for state in states} | {proving.is_won(state) for state in states}) == 1


@pytest.mark.parametrize("variant", ["1W_I1H_NTWU*S", "2W_I2H_NTWUS", "2W_P1H_NTWUS", "4W_P1H_NTWUS"])
def test_what_follows_from_the_starts_is_what_df_pn_proves(variant: str) -> None:
    proving = Proving()
    for board in ("path:6", "cycle:6", "edges:0-1,0-2,0-3,1-2,3-4,4-5"):
        state, random = state_of(variant, board), Random(board)
        while santorini_graph.phase(state) == "place worker":
            assert can_solve(state)
            assert tables().is_won(state) == proving.is_won(state)
            state = play(state, random.choice(legal_steps(state)))
        assert is_over(state) or can_solve(state)


class TestCovering:
    @pytest.mark.parametrize(
        ("variant", "board", "text"),
        [
            ("1W_I1H_NTWUS", f"complete:{SHIPPED}", ""),
            ("1W_I1H_NTWUS", f"complete:{SHIPPED}", f"{'0' * SHIPPED}/2/3"),
            ("1W_I1H_NTWDS", "complete:5", ""),  # its edges lead both ways
            ("4W_P2H_TWUS", "grid:2x3", "000000/2/0,5/"),
        ],
    )
    def test_what_the_atlas_has(self, variant: str, board: str, text: str) -> None:
        assert can_solve(state_of(variant, board, text))

    @pytest.mark.parametrize(
        ("variant", "board", "text"),
        [
            ("4W_P4H_TWUS", "grid:5x5", ""),
            ("1W_I1H_NTWUS", "cycle:9", ""),
            ("1W_I2H_NTWUS", "cycle:8", ""),  # of this variant there are seven nodes
            ("1W_I4H_TWUS", "path:4", ""),
            ("1W_I1H_NTWDS", "cycle:5", ""),
            ("1W_I1H_NTWUS", "edges:0-1,2-3", ""),
            ("1W_I1H_NTWUS", "edges:0-1,0-3", ""),  # node 2 stands alone
            ("1W_I2H_NTWUS", "path:4", "0100/1/2"),
            ("2W_P1H_NTWUS", "path:2", ""),  # nobody could ever move
            ("4W_P4H_TWUS", "grid:9x14", ""),
        ],
    )
    def test_what_it_has_not(self, variant: str, board: str, text: str) -> None:
        state = state_of(variant, board, text)
        assert not can_solve(state)
        assert not Exact().analyse(state, LIMIT).is_proven

    def test_nothing_within_a_turn(self) -> None:
        state = state_of("1W_I2H_NTWUS", "path:4", "0000/1/2")
        assert can_solve(state)
        assert not can_solve(play(state, legal_steps(state)[0]))


class TestExact:
    @pytest.mark.parametrize("variant", ["1W_I2H_NTWUS", "2W_P2H_NTWUS", "1W_I3H_NTWU*S", "4W_P2H_NTWUS"])
    def test_each_step_is_worth_what_df_pn_proves(self, variant: str) -> None:
        proving, solver, random = Proving(), Exact(), Random(3)
        values = set()
        for graph in random.sample(connected_graphs(6), 4):
            board = board_of(graph)
            known = [state_of(variant, board), *random.sample(list(starts(variant, board, 6)), 4)]
            for state in (one for one in known if not is_over(one)):
                found = solver.analyse(state, LIMIT, lines=0)
                assert found.is_proven and (found.score > 0) == proving.is_won(state)
                assert len(found.lines) == len(legal_steps(state)) and found.score == found.lines[0].score
                for line in found.lines:
                    after = play(state, line.step)
                    wins = proving.is_won(after) == (int(mover(after)) == int(mover(state)))
                    assert line.is_proven and (line.score > 0) == wins
                    for step in line.principal_variation[1:]:
                        after = play(after, step)
                    assert wins == (proving.is_won(after) == (int(mover(after)) == int(mover(state))))
                values.add(found.score > 0)
        assert values == {True, False}

    def test_a_win_at_once_is_called_one_but_how_soon_else_is_not_known(self) -> None:
        """From an end one moves off, builds behind, and the other seat is stuck at the other end."""
        state = state_of("1W_I1H_NTWU*S", "path:3", "000/1/1")
        found = Exact().analyse(state, LIMIT, lines=0)
        assert found.win_distance == 1 and len(found.principal_variation) == 2
        assert measure(state, found.score).turns == 1
        state = state_of("1W_I2H_TWUS", "cycle:5")
        found = Exact().analyse(state, LIMIT)
        assert found.score == UNTIMED_WIN and win_distance(found.score) is None
        worth = measure(state, found.score)
        assert (worth.number, worth.words, worth.turns) == (None, "by the atlas of small graphs", None)

    def test_who_has_lost_leaves_the_fewest_ways_to_win(self) -> None:
        proving, solver, random = Proving(), Exact(), Random(5)
        compared = 0
        for graph in random.sample(connected_graphs(6), 12):
            for state in starts("2W_P2H_NTWUS", board_of(graph), 6):
                if is_over(state) or tables().is_won(state):
                    continue
                first, build = solver.analyse(state, LIMIT).principal_variation
                counts = [
                    winning_steps(play(play(state, step), after), proving)
                    for step in legal_steps(state)
                    for after in legal_steps(play(state, step))
                ]
                assert winning_steps(play(play(state, first), build), proving) == min(counts)
                compared += len(set(counts)) > 1
                break
        assert compared

    def test_a_search_leaves_the_start_to_it(self) -> None:
        """Whoever plays by time or nodes takes a step that wins."""
        match = Match.new(GAMES["santorini-graph"], ["", ""], {"variant": "2W_P1H_NTWUS", "board": "cycle:7"}, 0)
        found = make_player("minimax:nodes=1000", match.game).choose(situation(match))
        assert found.is_proven and (found.score > 0) == Proving().is_won(match.state)
        assert abs(found.score) == UNTIMED_WIN


class TestMaking:
    def test_the_answers_are_in_the_order_of_the_starts(self, small: Atlas) -> None:
        for variant in small.variants:
            facts = read_variant(variant)
            for nodes in range(fewest_nodes(facts), 5):
                sets = worker_sets(nodes, facts.workers, facts.is_shared)
                assert len(sets) == number_of_starts(facts, nodes)
                for graph in connected_graphs(nodes):
                    for state in starts(variant, board_of(graph), nodes):
                        assert small.is_won(state) == _plainly_won(state)

    def test_the_shipped_one_begins_alike(self, small: Atlas) -> None:
        shipped = tables()
        for nodes in (2, 3, 4):
            for place in places(small, nodes):
                entry = small.entry(nodes, place)
                if not is_over(entry.state):
                    assert small.is_won(entry.state) == shipped.is_won(entry.state)

    @pytest.mark.parametrize("nodes", [1, 9])
    def test_of_other_sizes_there_is_none(self, nodes: int) -> None:
        with pytest.raises(AtlasError, match="must be 2 to 8"):
            make(nodes)

    def test_says_what_it_is_at_and_what_it_has(self) -> None:
        told: list[str] = []
        made, words = make_tables(3, told.append)
        assert told[0] == "1W_I1H_NTWU*S, 2 nodes" and len(told) == len(set(told))
        entries = sum(len(places(made, nodes)) for nodes in (2, 3))
        assert words == f"3 graphs, {entries} starts and empty boards"

    def test_the_comparison_finds_what_is_wrong(self, small: Atlas) -> None:
        wrong = Atlas(small.variants, small.graphs, ~small.answers, small.nimbers)
        compare = comparer(wrong)
        state = position_at(wrong, 4, places(wrong, 4)[-1])
        assert state is not None and compare(state) == (False, True)
        wrong = Atlas(small.variants, small.graphs, small.answers, np.where(small.nimbers, 0, 1).astype(np.uint8))
        [own] = [state for state in starts("1W_I2H_NTWUS", "path:4", 4) if comparer(small)(state) == (True, True)][:1]
        assert comparer(wrong)(own) == (False, True)


def _plainly_won(state: State) -> bool:
    """Whether the seat to act wins, by trying everything in plain Python."""
    if is_over(state):
        return bool(payoff(state, int(mover(state))) > 0.0)
    seat = int(mover(state))
    if state not in _PLAIN:
        afters = (play(state, step) for step in legal_steps(state))
        _PLAIN[state] = any(_plainly_won(after) == (int(mover(after)) == seat) for after in afters)
    return _PLAIN[state]


_PLAIN: dict[State, bool] = {}


class TestFile:
    def written(self, atlas: Atlas, path: Path) -> Path:
        with path.open("wb") as file:
            keep_tables(atlas, file)
        return path

    def test_gives_back_what_was_written(self, small: Atlas, tmp_path: Path) -> None:
        read = read_atlas(self.written(small, tmp_path / "a.npz"))
        assert dict(read.variants) == dict(small.variants)
        assert np.array_equal(read.graphs, small.graphs) and np.array_equal(read.answers, small.answers)
        assert np.array_equal(read.nimbers, small.nimbers)

    @pytest.mark.parametrize("fault", ["answers", "nimbers", "graphs", "order", "variant", "nodes", "version", "bytes"])
    def test_what_is_damaged_is_refused(self, small: Atlas, fault: str, tmp_path: Path) -> None:
        variants: dict[str, object] = dict(small.variants)
        graphs, answers, nimbers, version = small.graphs, small.answers, small.nimbers, 2
        if fault == "answers":
            answers = answers[:-1]
        elif fault == "nimbers":
            nimbers = nimbers[1:]
        elif fault == "graphs":
            graphs = graphs[:-1]
        elif fault == "order":
            graphs = graphs[::-1]
        elif fault == "variant":
            variants["nobody's"] = 4
        elif fault == "nodes":
            variants["1W_I1H_NTWUS"] = 9
        elif fault == "version":
            version = 1
        path = tmp_path / "a.npz"
        with path.open("wb") as file:
            head = {"kind": "Papan atlas of small graphs", "version": version, "variants": variants}
            write_arrays(file, head, {"graphs": graphs, "answers": answers, "nimbers": nimbers}, compressed=True)
        if fault == "bytes":
            path.write_bytes(path.read_bytes()[:-40])
        with pytest.raises(WeightFileError, match=r"atlas|version|holds no"):
            read_atlas(path)

    def test_nothing_in_it_is_pickled(self) -> None:
        kept = read_arrays(ASSETS.folder / ASSET, {"graphs": np.uint64, "answers": np.uint8, "nimbers": np.uint8})
        assert {array.ndim for array in kept.values()} == {1}

    @pytest.mark.usefixtures("fresh")
    def test_a_persons_own_is_asked_instead(self, small: Atlas, caplog: pytest.LogCaptureFixture) -> None:
        own_file().parent.mkdir(parents=True)
        self.written(small, own_file())
        assert known_atlas().most_nodes == 4
        assert not can_solve(state_of("1W_I1H_NTWUS", "path:5")) and can_solve(state_of("1W_I1H_NTWUS", "path:4"))
        own_file().write_bytes(b"nothing of the kind")
        known_atlas.cache_clear()
        assert known_atlas().most_nodes == SHIPPED and own_file().name in caplog.text

    @pytest.mark.usefixtures("fresh")
    def test_damaged_is_done_without(self, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
        monkeypatch.setattr(ASSETS, "digests", {**ASSETS.digests, ASSET: "another"})
        monkeypatch.setattr(ASSETS, "_sound", set())
        monkeypatch.setattr(ASSETS, "_damaged", {})
        state = state_of("1W_I2H_TWUS", "cycle:5")
        assert known_atlas() is NO_ATLAS and not can_solve(state)
        assert ASSETS.damaged == (ASSET,) and "damaged" in caplog.text
        outcome = Assessor(GAMES["santorini-graph"], 16).assess(state, LIMIT)
        assert outcome is not None and (outcome.value, outcome.measure.turns) == ("win", 2)
