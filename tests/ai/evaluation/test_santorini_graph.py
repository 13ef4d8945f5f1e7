"""Santorini on graphs: what positions are worth, against slow Python; the levels find what they must."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import evaluate, geissler, santorini
from papan.ai.evaluation.santorini_graph import FEATURES, WEIGHTS
from papan.ai.players import make_player, situation
from papan.game.catalogue import GAMES
from papan.game.kernel.bits import cells_of as nodes_of
from papan.game.match import Match
from papan.game.rules import State, is_over
from papan.game.rules.santorini_graph import parse
from papan.game.rules.santorini_graph.board import height, nodes_after, workers_of
from papan.testing.kernels import compiled_entry

GAME = GAMES["santorini-graph"]
STANDARD = np.array(WEIGHTS["standard"])


def options(variant: str, board: str) -> dict[str, str]:
    return {"variant": variant, "board": board}


def leads_to(state: State, node: int) -> tuple[int, ...]:
    return nodes_of(nodes_after(state, node))


def slow_features(state: State, seat: int) -> dict[str, float]:
    """The features of one seat alone, in sets of nodes."""
    levels = {node: height(state, node) for node in range(state.nodes)}
    taken = {*nodes_of(state.workers), *nodes_of(state.others)}
    free = {node for node, level in levels.items() if level < state.top and node not in taken}
    around = {node: set(nodes_of(nodes_after(state, node))) for node in levels}
    own = nodes_of(workers_of(state, seat))
    moves = {
        node: {end for end in around[node] & free if state.rules & 8 or levels[end] <= levels[node] + 1} for node in own
    }
    near = {end for node in own for end in around[node] & free}
    threat = any(levels[end] == state.top - 1 for node in own for end in moves[node])
    below = state.top - 2
    return {
        "heights": sum(levels[node] for node in own),
        "upper": sum(max(0, levels[node] - 1) for node in own),
        "climbs": sum(levels[end] == below for node in own if levels[node] < below for end in moves[node]),
        "threats": float(threat),
        "wins": float(threat and seat == state.seat),
        "mobility": sum(len(ends) for ends in moves.values()),
        "room": len(near | {further for end in near for further in around[end] & free}),
    }


def slow_value(state: State, seat: int) -> float:
    """What ``evaluate`` says of partizan games, by its list of features."""
    mine, theirs = slow_features(state, seat), slow_features(state, 1 - seat)
    has_tower_wins = bool(state.rules & 2)
    counted = {"heights", "upper", "climbs", "threats", "wins", "mobility"} if has_tower_wins else {"mobility", "room"}
    weights = dict(zip(FEATURES, WEIGHTS["standard"], strict=True))
    return sum(weights[name] * (mine[name] - theirs[name]) for name in counted)


@pytest.mark.parametrize(
    ("variant", "board"),
    [
        ("4W_P4H_TWUS", "grid:5x5"),
        ("4W_P3H_NTWUS", "grid:4x5"),
        ("2W_P6H_TWUS_FM", "complete:6"),
        ("4W_P2H_NTWD*S", "edges:0-1,1-2,2-3,3-4,4-0,4-1,0-3,3-0,2-4,4-5,5-0"),
        ("2W_P1H_TWUS", "path:6"),
    ],
)
def test_features_are_the_slow_ones(variant: str, board: str) -> None:
    random = Random(4)
    for seed in range(2):
        match = Match.new(GAME, ["random", "random"], options(variant, board), seed=seed)
        while not match.ending:
            state = match.state
            if not state.active:
                for seat in (0, 1):
                    assert evaluate(state, seat, STANDARD) == pytest.approx(slow_value(state, seat))
                    assert compiled_entry(evaluate)(state, seat, STANDARD) == evaluate(state, seat, STANDARD)
            match.play(random.choice(match.legal_steps()))


class TestPlaces:
    """Where workers stand: the thesis' second and third table of points."""

    def test_on_the_ordinary_board_they_are_the_ordinary_games(self) -> None:
        """Node 0 is a5, and node 24 is e1: Santorini counts its cells from a1."""
        ordinary, random = GAMES["santorini"], Random(3)
        ours = Match.new(GAME, ["", ""], {"first": "1", **options("4W_P4H_TWUS", "grid:5x5")}, 1)
        theirs = Match.new(ordinary, ["", ""], {"first": "1", "gods": "none", "placement": "choose"}, 1)
        compared = 0
        while not theirs.ending:
            if theirs.rules.phase(theirs.state) in ("place worker", "move"):
                for name, weights in geissler.weights(FEATURES).items():
                    for seat in (0, 1):
                        same = evaluate(theirs.state, seat, np.array(geissler.weights(santorini.FEATURES)[name]))
                        assert evaluate(ours.state, seat, np.array(weights)) == pytest.approx(same), name
                        compared += same != 0
            step = random.choice(theirs.legal_steps())
            path = tuple((4 - cell // 5) * 5 + cell % 5 for cell in theirs.rules.cells(theirs.state, step))
            theirs.play(step)
            ours.play(next(step for step in ours.legal_steps() if ours.rules.cells(ours.state, step) == path))
        assert compared > 50

    @pytest.mark.parametrize(
        "board", ["path:7", "cycle:8", "complete:5", "grid:3x4", "edges:0-1,1-2,2-3,3-0,3-4,4-5,5-3", "edges:0-1,2-3"]
    )
    def test_they_are_those_of_networkx(self, board: str) -> None:
        networkx = pytest.importorskip("networkx")
        match, random = Match.new(GAME, ["", ""], options("4W_P4H_TWUS", board), 1), Random(5)
        while not match.ending:
            state = match.state
            if not state.active:
                graph = networkx.Graph((node, end) for node in range(state.nodes) for end in leads_to(state, node))
                self.compare(state, dict(networkx.all_pairs_shortest_path_length(graph)))
            match.play(random.choice(match.legal_steps()))

    def compare(self, state: State, known: dict[int, dict[int, int]]) -> None:
        """:param known: the distances between nodes that can reach each other."""
        ways = {a: {b: known[a].get(b, state.nodes) for b in range(state.nodes)} for a in range(state.nodes)}
        farthest = {node: max(ways[node].values()) for node in ways}
        diameter, radius = max(farthest.values()), min(farthest.values())
        own, theirs = (nodes_of(workers_of(state, seat)) for seat in (0, 1))
        nearest = [min(ways[a][x] for a in own) for x in theirs] if own and theirs else []
        expected = {
            "centricity": sum(diameter - farthest[a] for a in own) - sum(diameter - farthest[x] for x in theirs),
            "centre": sum(farthest[a] == radius for a in own) - sum(farthest[x] == radius for x in theirs),
            "distance": sum(diameter - way for way in nearest),
            "adjacent": nearest.count(1),
            "two_away": nearest.count(2),
        }
        for name, value in expected.items():
            assert evaluate(state, 0, np.array(FEATURES.weights(**{name: 1.0}))) == value, name

    def test_a_way_follows_the_edges(self) -> None:
        state = parse("0000/1/0/1", options("2W_P1H_NTWDS", "cycle:4"))
        near = np.array(FEATURES.weights(distance=1.0))
        assert evaluate(state, 0, near) == 3 - 1 and evaluate(state, 1, near) == 3 - 3

    def test_shared_workers_stand_as_well_for_both(self) -> None:
        state = parse("00000/1/1,2", options("2W_I4H_TWUS", "path:5"))
        assert evaluate(state, 0, np.array(WEIGHTS["combined"])) == 0

    @pytest.mark.parametrize("name", geissler.PLAYERS)
    def test_the_thesis_players_look_three_turns_ahead(self, name: str) -> None:
        match = Match.new(GAME, ["", ""], {"first": "1"}, position="0" * 25 + "/1/6,18/8,16")
        assert make_player(name, GAME).choose(situation(match)).depth == 3


class TestSharedWorkers:
    @pytest.mark.parametrize(
        ("variant", "text", "values"),
        [
            ("2W_I4H_TWUS", "01200/1/1,2", (0, 0)),  # nothing is anybody's but a tower that can be won
            ("1W_I2H_NTWUS", "00100/1/1", (2 * 0.5 + 3 * 1.0, -(2 * 0.5 + 3 * 1.0))),  # without one, room is
            ("1W_I2H_NTWUS", "00100/2/1", (-(2 * 0.5 + 3 * 1.0), 2 * 0.5 + 3 * 1.0)),
        ],
    )
    def test_are_good_for_the_seat_to_act(self, variant: str, text: str, values: tuple[float, float]) -> None:
        state = parse(text, options(variant, "path:5"))
        assert (evaluate(state, 0, STANDARD), evaluate(state, 1, STANDARD)) == values

    def test_a_tower_that_can_be_won(self) -> None:
        state = parse("01230/1/1,2", options("2W_I4H_TWUS", "path:5"))
        assert evaluate(state, 0, STANDARD) > 900 and evaluate(state, 1, STANDARD) < -900


class TestPlayers:
    @pytest.mark.parametrize("name", ["minimax:easy", "minimax:medium", "minimax:depth=2"])
    def test_a_win_is_taken(self, name: str) -> None:
        match = Match.new(GAME, [name, name], {"first": "1"}, position="0" * 6 + "230" + "0" * 16 + "/1/6,20/18,24")
        analysis = make_player(name, GAME).choose(situation(match))
        match.play(analysis.step)
        assert match.ending and match.ending.winner == 0

    def test_a_threat_is_met(self) -> None:
        position = "0" * 6 + "230" + "0" * 16 + "/1/1,24/6,20"
        match = Match.new(GAME, ["a", "b"], {"first": "1"}, position=position)
        player = make_player("minimax:depth=2", GAME)
        while match.mover == 0:
            match.play(player.choose(situation(match)).step)
        assert height(match.state, 7) == 4 or match.state.workers >> 7 & 1

    def test_a_directed_cycle_is_solved(self) -> None:
        for k, won in ((6, True), (7, False)):
            chosen = {"first": "1"} | options("1W_I1H_NTWDS", f"cycle:{k}")
            match = Match.new(GAME, ["a", "b"], chosen, position="0" * k + "/1/0")
            analysis = make_player("minimax:depth=12", GAME).choose(situation(match))
            assert analysis.win_distance is not None and (analysis.win_distance > 0) == won
            assert not is_over(match.state)
