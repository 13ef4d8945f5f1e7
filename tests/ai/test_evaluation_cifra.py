"""CIFRA's evaluations, against slow ones that read the position text and count legal moves."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from ai.evaluation import STANDARD, evaluate
from ai.evaluation.cifra import PLAYERS, WEIGHTS
from ai.players import make_player, situation
from game import cifra
from game.catalogue import find
from game.kernel import compiled
from game.kernels import is_over, play
from game.match import Match
from game.rules import legal_steps

TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
CELL_NAMES = [column + row for row in "54321" for column in "abcde"]  # in the order of position texts


def state_of(pieces: dict[str, str], to_move: str = "w", home: str = "w") -> cifra.State:
    return cifra.parse("/".join([TILES, "".join(pieces.get(name, ".") for name in CELL_NAMES), to_move, home]), {})


def value(state: cifra.State, seat: int, weights: str | int) -> float:
    """The evaluation by the weights of that name, or of one entry by itself."""
    chosen = WEIGHTS[weights] if isinstance(weights, str) else np.eye(len(WEIGHTS[STANDARD]))[weights]
    return float(evaluate(state, seat, np.array(chosen)))


@compiled
def evaluate_compiled(state, seat, weights):
    return evaluate(state, seat, weights)


def random_states() -> Iterator[cifra.State]:
    """Some random games, their final states included."""
    random = Random(7)
    for _ in range(12):
        state = play(play(cifra.start({}, random), random.randrange(4)), random.randrange(2))
        yield state
        while not is_over(state):
            state = play(state, random.choice(legal_steps(state)))
            yield state


class Slow:
    """What the features say, from the position text."""

    def __init__(self, state: cifra.State, seat: int) -> None:
        text = cifra.text(state)
        _, letters, to_move, home, *_ = text.split("/")
        self.pieces = {name: letter for name, letter in zip(CELL_NAMES, letters, strict=True) if letter != "."}
        self.own = home if seat == 0 else {"w": "b", "b": "w"}[home]
        self.other = {"w": "b", "b": "w"}[self.own]
        self.far_row = 5 if self.own == home else 1
        self.is_to_move = to_move == self.own
        moving = state._replace(to_move=seat, quiet=0)
        self.moves = [cifra.notation(moving, step) for step in legal_steps(moving)]

    def living(self, colour: str) -> int:
        return sum(letter == colour for letter in self.pieces.values())

    def goals(self, colour: str) -> int:
        return self.living(colour.upper())

    def h1(self) -> float:
        own, other = self.goals(self.own), self.goals(self.other)
        ahead = own + self.living(self.own) - other - self.living(self.other)
        if own == other == 0:
            return own * 10 + ahead * 4
        return own * 4 + ahead * 10 if own > other else own * 6 + ahead * 2

    def h3(self) -> float:
        rows = [abs(int(name[1]) - self.far_row) for name, letter in self.pieces.items() if letter.lower() == self.own]
        return 0.5 / (0.01 + sum(rows))

    def verdict(self) -> float:
        own = (self.goals(self.own), self.living(self.own))
        other = (self.goals(self.other), self.living(self.other))
        return ((own > other) - (own < other)) / max(1, min(own[1], other[1]))

    def arrivals(self) -> int:
        return len({move[:2] for move in self.moves if int(move[4]) == self.far_row})

    def attacks(self) -> int:
        return len({move[3:] for move in self.moves if move[2] == "x"})


class TestSeed4:
    @pytest.mark.parametrize(
        ("pieces", "expected"),
        [
            ({"a2": "w", "b2": "w", "c3": "b"}, 4 * 1),  # no goals
            ({"a5": "W", "b2": "w", "c3": "b", "c1": "B"}, 6 * 1 + 2 * 0),  # as many goals
            ({"b2": "w", "c3": "b", "d3": "b", "c1": "B"}, 6 * 0 + 2 * -2),  # behind
            ({"a5": "W", "b2": "w", "c3": "b"}, 4 * 1 + 10 * 1),  # ahead, and the goal piece counts as left
        ],
    )
    def test_h1(self, pieces: dict[str, str], expected: float) -> None:
        assert value(state_of(pieces), 0, "h1") == expected

    @pytest.mark.parametrize(
        ("pieces", "rows"),
        [({"a2": "w", "e4": "w", "c3": "b"}, 3 + 1), ({"a5": "W", "b1": "w", "c3": "b"}, 0 + 4), ({"c3": "b"}, 0)],
    )
    def test_h3(self, pieces: dict[str, str], rows: int) -> None:
        assert value(state_of(pieces), 0, "h3") == pytest.approx(0.5 / (0.01 + rows))

    def test_h2_is_their_sum(self) -> None:
        for state in random_states():
            for seat in (0, 1):
                assert value(state, seat, "h2") == pytest.approx(value(state, seat, "h1") + value(state, seat, "h3"))

    def test_players_search_as_deep_as_told_and_know_no_wins(self) -> None:
        players = {name: player for name, player in PLAYERS.items() if not isinstance(player, str)}
        assert {name: (player.weights, player.depth) for name, player in players.items()} == {
            "h1": ("h1", 3), "h2": ("h2", 3), "h3": ("h3", 3), "seed-medium": ("h3", 1), "seed-hard": ("h2", 3),
        }  # fmt: skip
        assert not any(player.prefers_wins for player in players.values())
        assert PLAYERS["seed-easy"] == "random"

    def test_medium_beats_easy(self) -> None:
        """Ten games to none in the seed; two of each order here."""
        game = find("cifra")
        for seed in range(4):
            names = ["seed-easy", "seed-medium"]
            match = Match.new(game, names, {"first": str(seed % 2 + 1)}, seed)
            players = [make_player(name, game) for name in match.seats]
            while not match.ending:
                match.play(players[match.mover].choose(situation(match)).step)
            assert match.ending.winner == match.seats.index("seed-medium")


class TestFeatures:
    """One entry of the weights at a time, over random games."""

    def test_h1_and_h3(self) -> None:
        for state in random_states():
            for seat in (0, 1):
                assert value(state, seat, "h1") == Slow(state, seat).h1()
                assert value(state, seat, "h3") == pytest.approx(Slow(state, seat).h3())

    def test_pieces_and_verdict(self) -> None:
        for state in random_states():
            slow = Slow(state, 0)
            assert value(state, 0, 2) == slow.goals(slow.own) - slow.goals(slow.other)
            assert value(state, 0, 3) == slow.living(slow.own) - slow.living(slow.other)
            assert value(state, 0, 4) == pytest.approx(slow.verdict())

    def test_prospects(self) -> None:
        for state in random_states():
            if is_over(state):
                continue  # nobody has moves to compare with
            one, other = Slow(state, 0), Slow(state, 1)
            assert value(state, 0, 5) == len(one.moves) - len(other.moves)
            assert value(state, 0, 6) == one.arrivals() - other.arrivals()
            assert value(state, 0, 7) == one.attacks() - other.attacks()
            assert value(state, 0, 8) == one.arrivals() * one.is_to_move - other.arrivals() * other.is_to_move
            assert value(state, 0, 9) == one.attacks() * one.is_to_move - other.attacks() * other.is_to_move

    def test_the_standard_one_adds_them_up(self) -> None:
        for state in random_states():
            expected = sum(weight * value(state, 0, entry) for entry, weight in enumerate(WEIGHTS[STANDARD]))
            assert value(state, 0, STANDARD) == pytest.approx(expected)
            assert value(state, 1, STANDARD) == pytest.approx(-expected)

    def test_compiled_and_plain_agree(self) -> None:
        for state in random_states():
            for name, weights in WEIGHTS.items():
                assert evaluate_compiled(state, 1, np.array(weights)) == pytest.approx(value(state, 1, name))

    def test_before_play_nothing_is_promised(self) -> None:
        state = cifra.start({}, Random(1))
        assert [value(state, seat, name) for seat in (0, 1) for name in WEIGHTS] == [0.0] * 2 * len(WEIGHTS)
