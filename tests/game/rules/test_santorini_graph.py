"""Santorini on graphs: known counts, the ordinary game, a slow second reading of the rules, cases, proven facts."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from random import Random

import pytest

from papan.game.catalogue import GAMES
from papan.game.game import OptionError
from papan.game.kernel.bits import cells_of as nodes_of
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import (
    NotationError,
    PositionError,
    State,
    is_over,
    key,
    legal_steps,
    mover,
    payoff,
    play,
    santorini,
    santorini_graph,
)
from papan.game.rules.santorini_graph import cells, ending, parse, refusal, refusal_at, start, text
from papan.game.rules.santorini_graph.board import BUILD, PLACE, begin_turn, height, move_step, step_parts
from papan.game.rules.santorini_graph.names import MOST_NODES, NODES_A_WORD, read_board, read_variant

ORDINARY = {"variant": "4W_P4H_TWUS", "board": "grid:5x5"}
GAME = GAMES["santorini-graph"]


def options(variant: str, board: str) -> dict[str, str]:
    return {"variant": variant, "board": board}


def steps_of(state: State) -> set[tuple[int, ...]]:
    """The legal steps as the nodes to point at."""
    return {cells(state, step) for step in legal_steps(state)}


def after(state: State, *turns: str) -> State:
    for turn in turns:
        for step in parse_turn(santorini_graph, state, turn):
            state = play(state, step)
    return state


class TestVariants:
    def test_geisslers_two_examples(self) -> None:
        assert read_variant("4W_P4H_TWUS") == (4, False, 4, True, False, False, False)
        assert read_variant("1W_I2H_NTWD*S_FM") == (1, True, 2, False, True, True, True)

    @pytest.mark.parametrize(
        ("name", "says"),
        [
            ("", "a variant is written nW_P or nW_I"),
            ("4W_P4H_TWUS ", "a variant is written"),
            ("04W_P4H_TWUS", "a variant is written"),
            ("4W_X4H_TWUS", "a variant is written"),
            ("4W_P4H_TWUS_fm", "a variant is written"),
            ("3W_P4H_TWUS", "3 workers can't be shared out evenly"),
            ("0W_I4H_TWUS", "1 to 32 workers, not 0"),
            ("33W_I4H_TWUS", "1 to 32 workers, not 33"),
            ("4W_P0H_TWUS", "maximum height can be 1 to 9, not 0"),
            ("4W_P10H_TWUS", "maximum height can be 1 to 9, not 10"),
        ],
    )
    def test_others_are_refused_in_words(self, name: str, says: str) -> None:
        with pytest.raises(OptionError, match=says):
            read_variant(name)


class TestBoards:
    @pytest.mark.parametrize(
        ("board", "is_directed", "edges"),
        [
            # A grid is numbered row by row, and joined on all eight sides.
            ("grid:2x3", False, [(1, 3, 4), (0, 2, 3, 4, 5), (1, 4, 5), (0, 1, 4), (0, 1, 2, 3, 5), (1, 2, 4)]),
            ("path:4", False, [(1,), (0, 2), (1, 3), (2,)]),
            ("cycle:4", False, [(1, 3), (0, 2), (1, 3), (0, 2)]),
            ("complete:3", False, [(1, 2), (0, 2), (0, 1)]),
            ("path:3", True, [(1,), (2,), ()]),
            ("cycle:3", True, [(1,), (2,), (0,)]),
            ("edges:0-2,2-1", True, [(2,), (), (1,)]),
            ("grid:2x2", True, [(1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)]),
            ("complete:4", True, [(1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2)]),
            ("edges:1-0,2-1", False, [(1,), (0, 2), (1,)]),
            ("edges:0-1,1-0", False, [(1,), (0,)]),
            ("edges:0-3", False, [(3,), (), (), (0,)]),
        ],
    )
    def test_edges(self, board: str, is_directed: bool, edges: list[tuple[int, ...]]) -> None:
        assert [nodes_of(ends) for ends in read_board(board, is_directed).edges] == edges

    @pytest.mark.parametrize(
        ("board", "says"),
        [
            ("", "a board is grid:5x5"),
            ("torus:5", "a board is grid:5x5"),
            ("grid:5", "rows and columns"),
            ("grid:5x", "rows and columns"),
            ("grid:1x1", "rows and columns"),
            ("grid:-5x5", "rows and columns"),
            ("grid:12x11", "126 nodes at most, not 132"),
            ("grid:999999x999999", "126 nodes at most"),
            ("path:127", "126 nodes at most, not 127"),
            ("path:1", "from 2 to 126"),
            ("cycle:2", "from 3 to 126"),
            ("complete:x", "from 2 to 126"),
            ("complete:²", "from 2 to 126"),
            ("edges:", "'' is no edge"),
            ("edges:0-1,", "'' is no edge"),
            ("edges:0-1-2", "'0-1-2' is no edge"),
            ("edges:1-1", "from a node to itself"),
            ("edges:0-1,0-1", "0-1 is there twice"),
            ("edges:0-126", "no node 126"),
        ],
    )
    def test_others_are_refused_in_words(self, board: str, says: str) -> None:
        with pytest.raises(OptionError, match=says):
            read_board(board)

    @pytest.mark.parametrize("board", ["grid:9x14", "path:126", "cycle:126", "edges:0-125", "grid:7x9", "path:64"])
    def test_as_many_nodes_as_there_can_be(self, board: str) -> None:
        assert read_board(board).nodes in (MOST_NODES, NODES_A_WORD, NODES_A_WORD + 1)
        match = Match.new(GAME, ["random", "random"], options("4W_P3H_NTWUS", board), seed=3)
        random = Random(1)
        while not match.ending:
            match.play(random.choice(match.legal_steps()))
        assert parse(text(match.states[4]), match.options) == match.states[4]


class TestOptions:
    def test_any_variant_and_any_board_will_do(self) -> None:
        complete = GAME.complete_options(options("2W_I3H_NTWD*S_FM", "edges:0-1,1-2,2-0"))
        assert complete["variant"] == "2W_I3H_NTWD*S_FM" and complete["board"] == "edges:0-1,1-2,2-0"
        assert GAME.complete_options({})["variant"] == "4W_P4H_TWUS"

    def test_nonsense_is_refused_in_one_sentence(self) -> None:
        with pytest.raises(OptionError) as error:
            GAME.complete_options({"variant": "3W_P4H_TWUS"})
        assert str(error.value) == (
            "Santorini on graphs can't have variant=3W_P4H_TWUS; 3 workers can't be shared out evenly between two"
            " seats: W_P needs an even number."
        )
        with pytest.raises(OptionError, match="can't have board=grid:12x12; a board has 126 nodes at most, not 144"):
            GAME.complete_options({"board": "grid:12x12"})

    def test_more_workers_than_nodes(self) -> None:
        crowded = options("4W_I2H_TWUS", "path:3")
        with pytest.raises(OptionError, match="The 4 workers of 4W_I2H_TWUS have no room on the 3 nodes of path:3"):
            start(crowded, Random(1))
        with pytest.raises(PositionError, match="have no room"):
            parse("000/1/0,1,2", crowded)

    def test_more_moves_than_there_is_room_for(self) -> None:
        crowded = options("6W_I2H_TWUS", "complete:60")
        with pytest.raises(OptionError, match="The workers of 6W_I2H_TWUS could have up to 324 moves on complete:60"):
            start(crowded, Random(1))
        assert len(legal_steps(start(options("4W_I2H_TWUS", "complete:60"), Random(1)))) == 60


def test_the_ordinary_game_is_santorini_without_gods() -> None:
    """Node 0 is a5, and node 24 is e1: Santorini counts its cells from a1."""
    random = Random(7)
    gods = GAMES["santorini"].complete_options({"gods": "none"})
    for _ in range(60):
        state, theirs = start(ORDINARY, random), santorini.start(gods, random)
        while not is_over(theirs):
            ours = {tuple((4 - node // 5) * 5 + node % 5 for node in path): path for path in steps_of(state)}
            steps = {santorini.cells(theirs, step): step for step in legal_steps(theirs)}
            assert ours.keys() == steps.keys() and mover(state) == mover(theirs)
            chosen = random.choice(sorted(steps))
            theirs = play(theirs, steps[chosen])
            state = play(state, next(step for step in legal_steps(state) if cells(state, step) == ours[chosen]))
        assert is_over(state)
        assert [payoff(state, seat) for seat in (0, 1)] == [payoff(theirs, seat) for seat in (0, 1)]


class Plain:
    """The rules once more, in sets and dictionaries, for random games to be compared."""

    def __init__(self, name: str, nodes: int, arcs: Iterable[tuple[int, int]]) -> None:
        count, rest = name.split("W_")
        self.is_shared = rest[0] == "I"
        self.count = int(count)
        self.most = int(rest[1 : rest.index("H")])
        self.has_tower_wins = "NTW" not in name
        self.is_directed = "D" in name
        self.builds_behind = "*" in name
        self.moves_freely = name.endswith("_FM")
        self.arcs = set(arcs) | (set() if self.is_directed else {(end, begin) for begin, end in arcs})
        self.heights = dict.fromkeys(range(nodes), 0)
        self.owner: dict[int, int] = {}
        self.seat = 0
        self.moved: tuple[int, int] | None = None
        self.winner: int | None = None

    def placing(self) -> bool:
        return len(self.owner) < self.count

    def steps(self) -> set[tuple[int, ...]]:
        if self.winner is not None:
            return set()
        free = {node for node in self.heights if node not in self.owner}
        if self.placing():
            return {(node,) for node in free}
        free = {node for node in free if self.heights[node] < self.most}
        if self.moved is not None:
            left, here = self.moved
            return {(node,) for node in free if ((node, here) in self.arcs and not self.builds_behind) or node == left}
        return {
            (begin, end)
            for begin, end in self.arcs
            if begin in self.owner
            and (self.is_shared or self.owner[begin] == self.seat)
            and end in free
            and (self.moves_freely or self.heights[end] - self.heights[begin] <= 1)
        }

    def play(self, path: tuple[int, ...]) -> None:
        if self.placing():
            self.owner[path[0]] = self.seat
            done = self.is_shared or sum(seat == self.seat for seat in self.owner.values()) == self.count // 2
            self.seat = 1 - self.seat if done else self.seat
        elif self.moved is None:
            self.owner[path[1]] = self.owner.pop(path[0])
            self.moved = path[0], path[1]
            if self.has_tower_wins and self.heights[path[1]] == self.most - 1:
                self.winner = self.seat
            return
        else:
            self.heights[path[0]] += 1
            self.moved = None
            self.seat = 1 - self.seat
        if not self.placing() and not self.steps():
            self.winner = 1 - self.seat


def random_variant(random: Random, nodes: int) -> str:
    nodes, is_shared = min(nodes, 20), random.random() < 0.5
    workers = random.randint(1, nodes // 2) if is_shared else 2 * random.randint(1, max(1, nodes // 4))
    owner, height = "I" if is_shared else "P", random.randint(1, 9)
    rules = (random.choice(("TW", "NTW")), random.choice(("U", "D")), random.choice(("", "*")))
    return f"{workers}W_{owner}{height}H_{rules[0]}{rules[1]}{rules[2]}S{random.choice(('', '_FM'))}"


class TestAgainstASlowSecondReading:
    def compare(self, random: Random, nodes: int) -> None:
        """Play a random game of a random variant on a random graph of so many *nodes* by both readings."""
        every = [pair for pair in itertools.permutations(range(nodes), 2) if pair != (0, nodes - 1)]
        arcs = {(0, nodes - 1), *random.sample(every, random.randint(min(nodes, 4), min(2 * nodes, len(every))))}
        name = random_variant(random, nodes)
        board = "edges:" + ",".join(f"{begin}-{end}" for begin, end in sorted(arcs))
        state, plain = start(options(name, board), random), Plain(name, nodes, arcs)
        while not is_over(state):
            assert plain.winner is None and mover(state) == plain.seat
            by_path = {cells(state, step): step for step in legal_steps(state)}
            assert by_path.keys() == plain.steps(), (name, board, text(state))
            path = random.choice(sorted(by_path))
            state = play(state, by_path[path])
            plain.play(path)
            assert [height(state, node) for node in range(nodes)] == list(plain.heights.values())
        assert plain.winner is not None
        assert payoff(state, plain.winner) == 1.0 and payoff(state, 1 - plain.winner) == -1.0

    def test_random_games_of_random_variants_on_random_graphs_are_the_same(self) -> None:
        random = Random(11)
        for nodes in (*(random.randint(3, 9) for _ in range(200)), 62, 63, 64, 65, 90, 126, 126):
            self.compare(random, nodes)


class TestEachLetter:
    """What the second reading above has no words for."""

    @pytest.mark.parametrize(
        ("variant", "board", "position", "turn", "step", "says"),
        [
            (
                "1W_I3H_NTWUS",
                "path:5",
                "02200/1/1",
                "1-2+1",
                move_step(2, 1),
                "Node 1 is 3 levels high and closed: no worker can stand there.",
            ),
            ("1W_I2H_NTWDS", "edges:0-2,1-2,2-3", "0000/1/1", "1-2", BUILD | 3, "leads the other way"),
            (
                "1W_I2H_NTWDS",
                "path:3",
                "000/1/1",
                "",
                move_step(1, 0),
                "The edge between nodes 1 and 0 is one-way: it leads to node 1.",
            ),
            (
                "1W_I2H_NTWU*S",
                "edges:0-2,1-2,2-3",
                "0000/1/1",
                "1-2",
                BUILD | 0,
                "only on the node it has just left, node 1",
            ),
            ("1W_I4H_NTWUS", "path:4", "0130/1/1", "", move_step(1, 2), "Node 2 is 2 levels higher than node 1"),
        ],
    )
    def test_refusals_name_the_rule(
        self, variant: str, board: str, position: str, turn: str, step: int, says: str
    ) -> None:
        state = parse(position, options(variant, board))
        for done in parse_turn(santorini_graph, state, turn, may_be_unfinished=True) if turn else ():
            state = play(state, done)
        assert step not in legal_steps(state) and says in refusal(state, step)

    def test_partizan_workers_are_moved_by_their_seat(self) -> None:
        state = parse("000000/2/0/5", options("2W_P3H_NTWUS", "path:6"))
        assert steps_of(state) == {(5, 4)}
        assert refusal_at(state, (0,)) == "The worker on node 0 belongs to seat 1; it is seat 2's turn."

    def test_tower_wins_and_others(self) -> None:
        won = play(parse("01200/1/1", options("1W_I3H_TWUS", "path:5")), move_step(1, 2))
        assert is_over(won) and payoff(won, 0) == 1.0 and ending(won).reason == "reached level 2"
        stuck = after(parse("0000/2/0/1", options("2W_P1H_NTWUS", "path:4")), "1-2+3", "0-1+0")
        assert is_over(stuck) and ending(stuck) == ((1.0, -1.0), "no move left")

    def test_a_turn_of_a_stuck_seat_does_not_begin(self) -> None:
        """Regression: a position in which the seat to act can't move is over as soon as it is read."""
        state = parse("0110/1/0/3", options("2W_P1H_NTWUS", "path:4"))
        assert is_over(state) and begin_turn(state) == state and step_parts(move_step(3, 2))[1:] == (3, 2)


class TestPlacing:
    def test_each_seat_its_own_workers_in_one_turn_or_shared_ones_by_turns(self) -> None:
        state = after(start(ORDINARY, Random(1)), "6,8", "16,18")
        assert text(state) == "0" * 25 + "/1/6,8/16,18"
        state = start(options("3W_I2H_TWUS", "path:12"), Random(1))
        assert text(after(state, "11", "1", "6")) == "0" * 12 + "/2/1,6,11"

    def test_refusals_name_the_rule(self) -> None:
        state = after(start(options("3W_I2H_TWUS", "path:12"), Random(1)), "11")
        assert refusal(state, PLACE | 11) == "There is another worker on node 11 already."
        assert refusal(state, move_step(11, 10)) == "Place your workers first."
        assert refusal(state, PLACE | 30) == "There is no such node: nodes are 0 to 11."


class TestTexts:
    def test_one_and_twelve_are_not_mixed_up(self) -> None:
        state = parse("0" * 25 + "/1/1,12/24,20", ORDINARY)
        assert parse_turn(santorini_graph, state, "1-2+1") == [move_step(1, 2), BUILD | 1]
        assert parse_turn(santorini_graph, state, "12-11+10") == [move_step(12, 11), BUILD | 10]
        with pytest.raises(NotationError):
            parse_turn(santorini_graph, state, "1-211")

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("0000/1/0", "3 parts between slashes instead of 4"),
            ("000/1/0/3", "'000' are 3 digits instead of 4"),
            ("0004/1/0/1", "height of node 3 is '4'; it can be 0 to 3"),
            ("000x/1/0/1", "height of node 3 is 'x'"),
            ("0000/3/0/1", "The seat to act is '3'"),
            ("0000/1/0/a", "'a' in 'a' is no node"),
            ("0000/1/00/1", "'00' in '00' is no node"),
            ("0000/1/0/4", "the nodes are 0 to 3"),
            ("0000/1/0/0", "another worker on node 0"),
            ("0030/1/0/2", "node 2 is closed"),
            ("0020/1/0/2", "has won already"),
            ("0000/1/0,1/", "There are 2 workers where there can be 1"),
            ("0100/1//", "Something is built before"),
            ("0000/2//", "Seat 1 is the next to place"),
            ("0000/1//1", "the first seat before the second"),
        ],
    )
    def test_errors_say_where_and_why(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError, match=says):
            parse(wrong, options("2W_P3H_TWUS", "path:4"))

    def test_shared_workers_have_one_list(self) -> None:
        shared = options("2W_I3H_TWUS", "path:4")
        assert mover(parse("0000/2/3", shared)) == 1
        for wrong, says in (("0000/1/0/1", "instead of 3"), ("0000/1/3", "Seat 2 is the next"), ("0/1/3", "digits")):
            with pytest.raises(PositionError, match=says):
                parse(wrong, shared)

    def test_only_the_start_of_a_turn_has_a_text(self) -> None:
        state = parse("0000/1/0/3", options("2W_P3H_TWUS", "path:4"))
        with pytest.raises(PositionError, match="A turn is going on"):
            text(play(state, move_step(0, 1)))
        with pytest.raises(PositionError, match="A turn is going on"):
            text(play(start(ORDINARY, Random(1)), PLACE | 3))
        won = play(parse("0120/1/1/3", options("2W_P3H_TWUS", "path:4")), move_step(1, 2))
        with pytest.raises(PositionError, match="won within a turn"):
            text(won)

    def test_games_of_any_variant_read_back(self) -> None:
        random = Random(5)
        for _ in range(30):
            nodes = random.randint(3, 9)
            chosen = options(random_variant(random, nodes), f"cycle:{nodes}")
            match = Match.new(GAME, ["random", "random"], chosen, seed=random.randrange(1000))
            while not match.ending:
                match.play(random.choice(match.legal_steps()))
            keys = {int(key(match.states[turn.first_step])) for turn in match.turns()}
            assert len(keys) == len(match.turns())
            for turn in match.turns():
                state = match.states[turn.first_step]
                assert parse(text(state), match.options) == state
                assert parse_turn(santorini_graph, state, turn.notation) == list(
                    match.steps[turn.first_step : turn.end_step]
                )
