"""CIFRA's evaluations, against slow ones that read the position text and count legal moves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, Searching, evaluate
from papan.ai.evaluation import cifra as entries
from papan.ai.evaluation.cifra import PLAYERS, WEIGHTS
from papan.ai.players import make_player, situation
from papan.game.catalogue import find
from papan.game.match import Match
from papan.game.rules import cifra, is_over, legal_steps, play
from tests.ai.playing import points

TILES = "WBWBWWBBWBBWNBWWWBBWBWBWB"
CELL_NAMES = [column + row for row in "54321" for column in "abcde"]  # in the order of position texts
FORMS = [{"mode": mode, "size": size} for size in "59" for mode in ("dash", "king", "sum")]
EVERY_FORM = pytest.mark.parametrize("options", FORMS, ids=lambda options: "-".join(options.values()))


def value(state: cifra.AnyState, seat: int, weights: str | int) -> float:
    """The evaluation by the weights of that name, or of one entry by itself."""
    chosen = WEIGHTS[weights] if isinstance(weights, str) else np.eye(entries.ENTRIES)[weights]
    return float(evaluate(state, seat, np.array(chosen)))


def random_states(options: dict[str, str] | None = None) -> Iterator[cifra.AnyState]:
    """All states of some random games or, with *options*, some of the states; the final ones included."""
    random = Random(7)
    chosen = options or {}
    for _ in range(2 if chosen.get("size") == "9" else 8):  # those of 9 × 9 are six times as long
        state = play(play(cifra.start(chosen, random), random.randrange(4)), random.randrange(2))
        yield state
        while not is_over(state):
            state = play(state, random.choice(legal_steps(state)))
            if options is None or is_over(state) or random.randrange(len(cifra.text(state)) // 5) == 0:
                yield state


class Slow:
    """What the features say, from the position text."""

    def __init__(self, state: cifra.AnyState, seat: int, mode: str = "dash") -> None:
        tiles, letters, to_move, home, *more = cifra.text(state).split("/")
        self.mode = mode
        self.size = 9 if len(tiles) == 81 else 5
        names = [column + row for row in "987654321"[-self.size :] for column in "abcdefghi"[: self.size]]
        self.tiles = dict(zip(names, tiles, strict=True))
        self.pieces = {name: letter for name, letter in zip(names, letters, strict=True) if letter != "."}
        ranks = more[0] if mode != "dash" else "." * len(names)
        self.ranks = {name: rank for name, rank in zip(names, ranks, strict=True) if rank != "."}
        self.own = home if seat == 0 else {"w": "b", "b": "w"}[home]
        self.other = {"w": "b", "b": "w"}[self.own]
        self.far_row = self.size if self.own == home else 1
        self.is_to_move = to_move == self.own
        moving = state._replace(to_move=seat, quiet=0)
        self.moves = [cifra.notation(moving, step) for step in legal_steps(moving)]

    def living(self, colour: str) -> int:
        return sum(letter == colour for letter in self.pieces.values())

    def goals(self, colour: str) -> int:
        return self.living(colour.upper())

    def numbers(self, letter: str) -> int:
        """The numbers of the pieces written *letter*, added up."""
        if self.mode != "sum":
            return 0
        return sum(int(self.ranks[name]) for name, other in self.pieces.items() if other == letter)

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
        own = (self.numbers(self.own.upper()), self.goals(self.own), self.living(self.own))
        other = (self.numbers(self.other.upper()), self.goals(self.other), self.living(self.other))
        return ((own > other) - (own < other)) / max(1, min(own[2], other[2]))

    def arriving(self) -> set[str]:
        return {move[:2] for move in self.moves if int(move[4]) == self.far_row}

    def arrivals(self) -> int:
        return len(self.arriving())

    def attacked(self) -> set[str]:
        return {move[3:] for move in self.moves if move[2] == "x"}

    def attacks(self) -> int:
        return len(self.attacked())

    def rows_to_go(self) -> list[int]:
        return [abs(int(name[1]) - self.far_row) for name, letter in self.pieces.items() if letter == self.own]

    def rows(self) -> float:
        return sum(1 - rows / (self.size - 1) for rows in self.rows_to_go())

    def in_last_row(self) -> int:
        return self.rows_to_go().count(1)

    def on_own_tiles(self) -> int:
        return sum(self.tiles[name] == self.own.upper() for name, letter in self.pieces.items() if letter == self.own)

    def king_rows(self) -> int:
        king = next((name for name in self.ranks if self.pieces[name].lower() == self.own), None)
        start = 1 if self.far_row > 1 else self.size
        return abs(int(king[1]) - start) if king else 0

    def king_wins(self) -> int:
        """The king gets home, or the other one is captured: 0 to 2 ways."""
        comes_home = any(move[:2] in self.ranks and int(move[4]) == self.far_row for move in self.moves)
        return comes_home + any(move[2] == "x" and move[3:] in self.ranks for move in self.moves)


class TestThePortoProject:
    def test_h2_is_their_sum(self) -> None:
        for state in random_states():
            for seat in (0, 1):
                assert value(state, seat, "h2") == pytest.approx(value(state, seat, "h1") + value(state, seat, "h3"))

    def test_players_search_as_deep_as_told_and_know_no_wins(self) -> None:
        players = {name: player for name, player in PLAYERS.items() if isinstance(player, Searching)}
        assert {name: (player.weights, player.depth) for name, player in players.items()} == {
            "h1": ("h1", 3), "h2": ("h2", 3), "h3": ("h3", 3), "seed-medium": ("h3", 1), "seed-hard": ("h2", 3),
        }  # fmt: skip
        assert not any(player.prefers_wins for player in players.values())
        assert {**players, "seed-easy": "random"} == PLAYERS

    def test_medium_beats_easy(self) -> None:
        """Ten games to none in the project; two of each order here."""
        assert points(find("cifra"), ["seed-easy", "seed-medium"], 4) == 4


class TestFeatures:
    """One entry of the weights at a time, over random games."""

    def test_h1_and_h3(self) -> None:
        for state in random_states():
            for seat in (0, 1):
                assert value(state, seat, "h1") == Slow(state, seat).h1()
                assert value(state, seat, "h3") == pytest.approx(Slow(state, seat).h3())

    @EVERY_FORM
    def test_each_is_what_its_slow_definition_says(self, options: dict[str, str]) -> None:
        mode = options["mode"]
        for state in random_states(options):
            one, other = Slow(state, 0, mode), Slow(state, 1, mode)
            own, theirs = one.own, one.other
            goals = one.goals(own) - one.goals(theirs)
            sums = [one.numbers(letter) for letter in (own.upper(), theirs.upper(), own, theirs)]
            expected: dict[int, float] = {
                entries.LIVING_PIECES: one.living(own) - one.living(theirs),
                entries.GOAL_PIECES: goals if mode == "dash" else 0,
                entries.VERDICT: 0 if mode == "king" else one.verdict(),
                entries.GOAL_SUM: sums[0] - sums[1],
                entries.LIVING_SUM: sums[2] - sums[3],
                entries.ROWS: one.rows() - other.rows(),
                entries.LAST_ROWS: one.in_last_row() - other.in_last_row(),
                entries.OWN_TILES: one.on_own_tiles() - other.on_own_tiles(),
                entries.TO_MOVE: 1 if one.is_to_move else -1,
            }
            if mode == "king" and len(one.ranks) == 2:
                expected[entries.KING_ROWS] = one.king_rows() - other.king_rows()
            if not is_over(state):  # then nobody has moves to compare with
                safe = one.arriving() - other.attacked(), other.arriving() - one.attacked()
                expected[entries.SAFE_ARRIVALS] = len(safe[0]) - len(safe[1])
                expected[entries.MOBILITY] = len(one.moves) - len(other.moves)
                counts = [(entries.ARRIVALS, Slow.arrivals), (entries.ATTACKS, Slow.attacks)]
                for entry, count in [*counts, (entries.KING_WINS, Slow.king_wins)][: 3 if mode == "king" else 2]:
                    expected[entry] = count(one) - count(other)
                    next_entry = entry + entries.ARRIVALS_NEXT - entries.ARRIVALS
                    expected[next_entry] = count(one) * one.is_to_move - count(other) * other.is_to_move
            for entry, wanted in expected.items():
                assert value(state, 0, entry) == pytest.approx(wanted), entry

    @EVERY_FORM
    def test_the_standard_one_adds_them_up(self, options: dict[str, str]) -> None:
        for state in random_states(options):
            block = ("dash", "king", "sum").index(options["mode"]) * entries.ENTRIES
            weights = WEIGHTS[STANDARD][block : block + entries.ENTRIES]
            expected = sum(weight * value(state, 0, entry) for entry, weight in enumerate(weights))
            assert value(state, 0, STANDARD) == pytest.approx(expected)
            assert value(state, 1, STANDARD) == pytest.approx(-expected)

    @EVERY_FORM
    def test_before_play_nothing_is_promised(self, options: dict[str, str]) -> None:
        state = cifra.start(options, Random(1))
        assert [value(state, seat, name) for seat in (0, 1) for name in WEIGHTS] == [0.0] * 2 * len(WEIGHTS)


class TestFinding:
    """The computer finds what decides a game."""

    def best(self, pieces: dict[str, str], ranks: dict[str, str], mode: str) -> str:
        names = ["".join(of.get(name, ".") for name in CELL_NAMES) for of in (pieces, ranks)]
        text = "/".join([TILES, names[0], "w", "w", names[1]])
        match = Match.new(find("cifra"), ["a", "b"], {"mode": mode, "first": "1"}, 1, text)
        step = make_player("minimax:depth=3", find("cifra")).choose(situation(match)).step
        return cifra.notation(match.state, step)

    def test_a_king_that_can_be_captured(self) -> None:
        pieces = {"c1": "w", "a4": "w", "e1": "w", "d2": "b", "e5": "b", "b3": "b"}
        assert self.best(pieces, {"e1": "K", "d2": "K"}, "king") in ("c1xd2", "e1xd2")

    def test_the_higher_number_goes_home_first(self) -> None:
        pieces = {"a4": "w", "e4": "w", "c1": "B", "d1": "B", "c4": "b"}
        ranks = {"a4": "5", "e4": "1", "c1": "2", "d1": "1", "c4": "5"}
        assert self.best(pieces, ranks, "sum").startswith("a4")


def test_terms_are_named_without_code_names() -> None:
    assert not [title for title in entries.TERMS.values() if re.match(r"h\d", title)]
