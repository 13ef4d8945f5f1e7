"""Catur Jawa: the paper's heuristic worked out by hand, position features against slow ones, and no peeking."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, appraise, evaluate
from papan.ai.evaluation.catur_jawa import (
    ALIGNMENT,
    BLOCK_PATH,
    CARD_COST,
    FEATURES,
    FOUR,
    FOUR_NEXT,
    FOURS,
    HAND_SUM,
    HIGHEST_CARD,
    LINE,
    PAIRS,
    PLAYERS,
    REPLACE_VALUE,
    SAFE,
    SAFE_FOURS,
    SURE,
    THREAT_BLOCK,
    TO_MOVE,
    TWOS,
    WEIGHTS,
    WIN,
)
from papan.ai.players import Situation, choices, make_player, situation
from papan.game.catalogue import GAMES
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.rules import catur_jawa, guess, is_over, legal_steps, mover, observe, play
from papan.game.rules.catur_jawa import State, parse, step_of
from papan.game.rules.catur_jawa.board import CELLS, deck_cards, hand_cards, owner_at, place_of, value_at
from tests.ai.playing import points

GAME = GAMES["catur-jawa"]
HEURISTIC = np.array(WEIGHTS["heuristic"])
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def cell(name: str) -> int:
    return "abcdefghi".index(name[0]) + 9 * (int(name[1]) - 1)


def position(cards: str, hands: str, decks: str = ",") -> State:
    rows = [["."] * 9 for _ in range(9)]
    for card in cards.split():
        rows[9 - int(card[3])]["abcdefghi".index(card[2])] = card[:2]
    return parse(f"{'/'.join(''.join(row) for row in rows)} 1 {hands} {decks}", {})


def only(feature: int) -> np.ndarray:
    weights = np.zeros(len(HEURISTIC))
    weights[feature] = HEURISTIC[feature]
    return weights


def worth(state: State, card: str, feature: int | None = None) -> float:
    """H of a step such as ``8h5``, or what one feature gives to it."""
    step = step_of(int(card[0]), cell(card[1:]))
    assert step in legal_steps(state)
    return appraise(state, step, HEURISTIC if feature is None else only(feature))


def random_states(players: int, seed: int) -> list[State]:
    random = Random(seed)
    states = [catur_jawa.start({"seats": str(players)}, Random(seed))]
    while True:
        after = play(states[-1], random.choice(legal_steps(states[-1])))
        if is_over(after):
            return states
        states.append(after)


class TestThePapersFeatures:
    threat = position("r5e5 g4d6 g2e6 g3f6 r1d5", "168,799", decks="7,8")

    def test_win(self) -> None:
        state = position("r1e5 r2f5 r3g5 g9e6", "7,8")
        assert worth(state, "7h5", WIN) == 10000
        assert worth(state, "7e4", WIN) == 0

    def test_a_threat_is_blocked_at_its_ends_and_by_covering(self) -> None:
        for card in ("1c6", "1g6", "6d6", "6e6", "6f6"):
            assert worth(self.threat, card, THREAT_BLOCK) == 200, card
        for card in ("1e7", "1f5", "1c7"):
            assert worth(self.threat, card, THREAT_BLOCK) == 0, card

    @pytest.mark.parametrize(
        ("card", "value"),
        [("6e6", 275), ("6d6", 250), ("6f6", 250), ("1g6", 200), ("1e7", 0)],
    )
    def test_replace_value_in_a_threat(self, card: str, value: int) -> None:
        assert worth(self.threat, card, REPLACE_VALUE) == value

    def test_replace_value_of_any_other_card(self) -> None:
        state = position("r5e5 g2e6", "168,799", decks="7,8")
        assert worth(state, "6e6", REPLACE_VALUE) == 125
        assert worth(state, "6f6", REPLACE_VALUE) == 0

    def test_block_path(self) -> None:
        state = position("r5e5 r2f5 g2e6 g3g6 g4h6", "168,799", decks="7,8")
        assert worth(state, "1f6", BLOCK_PATH) == 70
        assert worth(state, "1e4", BLOCK_PATH) == 0
        both = position("r5e5 r2f5 g2e6 g3g6 g4h6 g4i6", "168,799", decks="7,8")
        assert worth(both, "1f6", BLOCK_PATH) == 100

    @pytest.mark.parametrize(("card", "value"), [("1f5", 100), ("1f4", 50), ("1g6", 0), ("1c5", 100), ("1c6", 50)])
    def test_alignment(self, card: str, value: int) -> None:
        assert worth(self.threat, card, ALIGNMENT) == value

    @pytest.mark.parametrize(
        ("card", "value"), [("1c7", 100 + 60), ("6c7", 50), ("8c7", 30), ("1g6", 20 + 60), ("6e6", 70), ("8g6", 90)]
    )
    def test_card_cost(self, card: str, value: int) -> None:
        assert worth(self.threat, card, CARD_COST) == value

    def test_all_of_them(self) -> None:
        assert worth(self.threat, "8e6") == 200 + 275 + 50 + 90
        assert worth(self.threat, "1c7") == 0 + 160

    def test_of_several_opponents_the_largest_value_counts(self) -> None:
        rows = "........./........./........./...b4b2b3.../....r5g6.../........./........./........./........."
        state = parse(f"{rows} 1 168,799,778 7,8,9", {})
        assert worth(state, "8e6") == 200 + 275 + 50 + 90
        assert worth(state, "8f5", REPLACE_VALUE) == 125

    def test_the_player_wins_and_blocks(self) -> None:
        player = make_player("heuristic", GAME)
        won = position("r1e5 r2f5 r3g5 g9e6 g9e7 g8e4", "17,66")
        assert player.choose(Situation(observe(won, 0), 0, 1)).step & 127 in (cell("d5"), cell("h5"))
        blocked = player.choose(Situation(observe(self.threat, 0), 0, 1)).step
        assert blocked == step_of(8, cell("e6"))
        assert set(PLAYERS) == {"heuristic"}


class Slow:
    """The features of positions by looping over cells."""

    def __init__(self, state: State, seat: int) -> None:
        self.state = state
        self.own = {at for at in range(CELLS) if owner_at(state, place_of(at)) == seat}
        self.seat = seat

    def rows(self, length: int) -> list[list[int]]:
        """Every row of so many cells."""
        found = []
        for at, (right, up) in product(range(CELLS), DIRECTIONS):
            cells = [(at % 9 + n * right, at // 9 + n * up) for n in range(length)]
            if all(0 <= x < 9 and 0 <= y < 9 for x, y in cells):
                found.append([y * 9 + x for x, y in cells])
        return found

    def feature(self, number: int) -> int:
        hand = hand_cards(self.state, self.seat)
        is_next = self.state.to_move == self.seat
        fours, safe_fours = self.fours(self.own), self.fours(self.safe())
        closed_for_good = self.highest(self.seat) <= self.highest(1 - self.seat)
        return {
            PAIRS: self.in_row(2),
            TWOS: sum(len(self.own & {*row}) == 2 and self.is_open(row) for row in self.rows(4)),
            FOURS: fours,
            FOUR: int(fours > 0),
            FOUR_NEXT: int(fours > 0 and is_next),
            SAFE: len(self.safe()),
            SAFE_FOURS: safe_fours,
            SURE: int(not is_next and (safe_fours > 1 or (safe_fours == 1 and not closed_for_good))),
            HAND_SUM: sum(hand),
            HIGHEST_CARD: self.highest(self.seat),
            TO_MOVE: int(is_next),
            LINE: self.line() if not deck_cards(self.state, self.state.to_move) else 0,
        }[number]

    def highest(self, seat: int) -> int:
        return max(hand_cards(self.state, seat), default=0)

    def value(self, at: int) -> int:
        return value_at(self.state, place_of(at))

    def safe(self) -> set[int]:
        return {at for at in self.own if self.value(at) >= self.highest(1 - self.seat)}

    def is_open(self, row: list[int]) -> bool:
        return all(at in self.own or self.value(at) < max(self.highest(self.seat), 1) for at in row)

    def in_row(self, length: int) -> int:
        return sum(all(at in self.own for at in row) for row in self.rows(length))

    def fours(self, places: set[int]) -> int:
        missing = {at for row in self.rows(4) if len(places & {*row}) == 3 for at in row if at not in places}
        return sum(at not in self.own and self.is_open([at]) for at in missing)

    def line(self) -> int:
        lines = [row for length in range(1, 10) for row in self.rows(length) if self.own.issuperset(row)]
        return max((sum(value_at(self.state, place_of(at)) for at in line) for line in lines), default=0)


class TestPositions:
    @pytest.mark.parametrize("feature", range(PAIRS, len(FEATURES)), ids=FEATURES[PAIRS:])
    def test_features_against_slow_ones(self, feature: int) -> None:
        weights = np.zeros(len(WEIGHTS[STANDARD]))
        weights[feature] = 1.0
        found = set()
        for seed in range(8):
            for state in random_states(2, seed)[::3] + random_states(2, seed)[-3:]:
                slow = [Slow(state, seat).feature(feature) for seat in range(2)]
                assert evaluate(state, 0, weights) == slow[0] - slow[1]
                found.add(slow[0] - slow[1])
        assert len(found) > 1

    def test_with_several_opponents_the_strongest_counts(self) -> None:
        weights = np.zeros(len(WEIGHTS[STANDARD]))
        weights[PAIRS] = 1.0
        for state in random_states(4, 2)[::5]:
            pairs = [Slow(state, seat).in_row(2) for seat in range(4)]
            for seat in range(4):
                others = [value for other, value in enumerate(pairs) if other != seat]
                assert evaluate(state, seat, weights) == pairs[seat] - max(others)


class TestNobodyPeeks:
    """The same observation and the same seed give the same step, whatever the hidden cards are."""

    NAMES = (
        "level:3,time=60",
        "minimax:easy",
        "minimax:depth=2",
        "minimax:nodes=3000",
        "random",
        "heuristic",
        "learned",
    )
    OTHERS = ("maxn:depth=2", "paranoid:depth=2", "mcts:sims=200", "adaptive:sims=50")

    @pytest.mark.parametrize("name", [*NAMES, *OTHERS])
    @pytest.mark.parametrize("players", [2, 3])
    def test_other_hidden_cards_change_nothing(self, name: str, players: int) -> None:
        random = Random(players)
        match = Match.new(GAME, ["a"] * players, {"first": "1"}, seed=4)
        for _ in range(7):
            match.play(random.choice(match.legal_steps()))
        seat = match.mover
        told = situation(match)
        steps = set()
        for seed in range(4):
            other = guess(match.state, seat, random_state(seed))
            again = Match(GAME, match.seats, match.options, match.seed, other)
            same = situation(again)
            assert same.state == told.state
            player = make_player(name, GAME)
            player.prepare(same.state)  # what compiles is no part of the seconds that some think
            steps.add(player.choose(Situation(same.state, seat, told.seed)).step)
        assert len(steps) == 1
        assert steps <= set(match.legal_steps())

    def test_every_kind_of_player_on_offer_is_here(self) -> None:
        kinds = {choice.name.partition(":")[0] for choice in choices(GAME)}
        assert kinds == {name.partition(":")[0] for name in (*self.NAMES, *self.OTHERS)} - {"minimax"}

    def test_what_a_player_is_told_shows_no_hidden_card(self) -> None:
        match = Match.new(GAME, ["a", "b"], seed=1)
        seen = situation(match).state
        assert "?" in catur_jawa.text(seen)
        assert hand_cards(seen, mover(seen)) == hand_cards(match.state, match.mover)


class TestSearching:
    def test_four_is_made_whatever_is_hidden(self) -> None:
        state = position("r1e5 r2f5 r3g5 g9e6 g9e7 g8e4", "179,667", decks="3456,1234")
        analysis = make_player("minimax:depth=1", GAME).choose(Situation(observe(state, 0), 0, 1))
        assert analysis.step & 127 in (cell("d5"), cell("h5"))
        assert analysis.is_proven and analysis.win_distance == 1

    def test_four_is_prevented(self) -> None:
        state = position("g1e5 g2f5 g3g5 r9e6 r9d5 r8e4", "178,889", decks="3456,1234")
        analysis = make_player("minimax:depth=2", GAME).choose(Situation(observe(state, 0), 0, 1))
        assert analysis.step & 127 in {cell(name) for name in ("h5", "e5", "f5", "g5")}

    @pytest.mark.parametrize("level", ["easy", "medium", "hard,nodes=3000"])
    def test_every_level_makes_four(self, level: str) -> None:
        state = position("r1e5 r2f5 r3g5 g9e6 g9e7 g8e4", "179,667", decks="3456,1234")
        for seed in range(4):
            step = make_player(f"minimax:{level}", GAME).choose(Situation(observe(state, 0), 0, seed)).step
            assert step & 127 in (cell("d5"), cell("h5"))

    @pytest.mark.parametrize("level", ["medium", "hard,nodes=3000"])
    def test_medium_and_hard_prevent_four(self, level: str) -> None:
        state = position("g1e5 g2f5 g3g5 r9d5 r1e6 r8e4", "178,889", decks="3456,1234")
        for seed in range(4):
            step = make_player(f"minimax:{level}", GAME).choose(Situation(observe(state, 0), 0, seed)).step
            assert step & 127 in {cell(name) for name in ("h5", "e5", "f5", "g5")}

    @pytest.mark.parametrize(("weaker", "stronger"), [("easy", "depth=2"), ("easy", "medium"), ("medium", "depth=2")])
    def test_levels_differ(self, weaker: str, stronger: str) -> None:
        """A few games only: easy does not see four coming, medium not what comes after."""
        assert points(GAME, [f"minimax:{level}" for level in (weaker, stronger)], 8) >= 0.7 * 8
