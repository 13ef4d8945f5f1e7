"""Catur Jawa: the paper's update rule played beside the kernels, hand-made positions, hidden cards, texts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from papan.game.catalogue import GAMES
from papan.game.game import OptionError
from papan.game.kernel.rng import random_state
from papan.game.match import Match
from papan.game.match.notation import parse_turn
from papan.game.rules import (
    NOBODY,
    IllegalStep,
    PositionError,
    catur_jawa,
    guess,
    is_over,
    key,
    legal_steps,
    mover,
    observe,
    payoff,
    play,
    seats,
)
from papan.game.rules.catur_jawa import State, parse, step_of, text
from papan.game.rules.catur_jawa.board import (
    CELLS,
    CENTRE,
    HIDDEN,
    best_line,
    cards_left,
    deck_cards,
    hand_cards,
    lines_of,
    place_of,
    value_at,
)
from papan.game.rules.catur_jawa.model import legal_move, model_of

GAMES_PLAYED = 12
EMPTY = "/".join(["." * 9] * 9)


def cell(name: str) -> int:
    return "abcdefghi".index(name[0]) + 9 * (int(name[1]) - 1)


def board(cards: str) -> str:
    """The rows of a position text with cards such as ``r7e5``."""
    rows = [["."] * 9 for _ in range(9)]
    for card in cards.split():
        number = cell(card[2:])
        rows[8 - number // 9][number % 9] = card[:2]
    return "/".join("".join(row) for row in rows)


def position(cards: str, hands: str, seat: int = 1, decks: str = ",") -> State:
    return parse(f"{board(cards)} {seat} {hands} {decks}", {})


def start(players: int = 2, seed: int = 1) -> State:
    return catur_jawa.start({"seats": str(players)}, Random(seed))


def random_states(players: int, seed: int) -> list[State]:
    random = Random(seed)
    states = [start(players, seed)]
    while not is_over(states[-1]):
        states.append(play(states[-1], random.choice(legal_steps(states[-1]))))
    return states


class Reference:
    """The game as the paper tells it, on lists and dictionaries, with its rule for v."""

    def __init__(self, decks: list[list[int]]) -> None:
        self.p = dict.fromkeys(range(CELLS), 0)
        self.n = dict.fromkeys(range(CELLS), 0)
        self.v = dict.fromkeys(range(CELLS), 0)
        self.v[CENTRE] = 1
        self.hands = [deck[:3] for deck in decks]
        self.decks = [deck[3:] for deck in decks]
        self.player = 0

    def legal(self) -> set[tuple[int, int]]:
        w = self.player + 1
        return {
            (z, at) for z in self.hands[self.player] for at in range(CELLS)
            if self.v[at] != 0 and self.n[at] < z and self.p[at] != w
        }  # fmt: skip

    def play(self, z: int, at: int) -> None:
        self.p[at], self.n[at] = self.player + 1, z
        for near in range(CELLS):
            if abs(near % 9 - at % 9) <= 1 and abs(near // 9 - at // 9) <= 1 and self.n[near] == 0:
                self.v[near] = 1
        self.v[at] = 0 if z == 9 else 2
        self.hands[self.player].remove(z)
        if self.decks[self.player]:
            self.hands[self.player].append(self.decks[self.player].pop(0))
        self.player = (self.player + 1) % len(self.hands)

    def runs(self, player: int) -> list[list[int]]:
        """The values of every contiguous line of a player, of any length."""
        found = []
        for at in range(CELLS):
            for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                x, y, values = at % 9, at // 9, []
                while 0 <= x < 9 and 0 <= y < 9 and self.p[y * 9 + x] == player + 1:
                    values.append(self.n[y * 9 + x])
                    found.append(list(values))
                    x, y = x + right, y + up
        return found

    def payoffs(self) -> list[float] | None:
        lines = [self.runs(player) for player in range(len(self.hands))]
        fours = [any(len(line) >= 4 for line in runs) for runs in lines]
        if any(fours):
            return [1.0 if four else -1.0 for four in fours]
        if any(self.hands):
            return None
        best = [max((sum(line) for line in runs), default=0) for runs in lines]
        shared = best.count(max(best)) > 1
        return [(0.0 if shared else 1.0) if value == max(best) else -1.0 for value in best]


def test_a_state_prints_neither_hands_nor_decks() -> None:
    """The text of an error, with a state in it, may be shown to a person, and sent to others."""
    state = Match.new(GAMES["catur-jawa"], ["a", "b", "c"], seed=5).state
    other = guess(state, 0, random_state(8))
    assert state != other and repr(state) == repr(other) == repr(observe(state, NOBODY))
    assert "to_move=0" in repr(state)


class TestAgainstThePapersOwnWords:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_random_games_are_the_same(self, players: int) -> None:
        endings: Counter[str] = Counter()
        for seed in range(GAMES_PLAYED):
            random = Random(seed)
            state = start(players, seed)
            reference = Reference([hand_cards(state, seat) + deck_cards(state, seat) for seat in range(players)])
            while (payoffs := reference.payoffs()) is None:
                assert not is_over(state)
                steps = legal_steps(state)
                assert {(step >> 7, step & 127) for step in steps} == reference.legal()
                if seed == 0:
                    self.check_model(state, reference)
                step = random.choice(steps)
                state = play(state, step)
                reference.play(step >> 7, step & 127)
                assert mover(state) == reference.player
                assert [hand_cards(state, seat) for seat in range(players)] == [*map(sorted, reference.hands)]
            assert is_over(state) and model_of(state).phase == ("win" if 1.0 in payoffs else "resolve")
            assert [payoff(state, seat) for seat in range(players)] == payoffs
            endings[catur_jawa.ending(state).reason[:8]] += 1
        assert len(endings) == 2, "games end in both ways"

    def check_model(self, state: State, reference: Reference) -> None:
        """The model has the paper's accessibility, and its preconditions are those of the kernels."""
        model = model_of(state)
        for (x, y), cell in model.board.items():
            at = (y - 1) * 9 + x - 1
            assert cell == (x, y, reference.p[at], reference.n[at], reference.v[at])
        legal = {
            step_of(z, (y - 1) * 9 + x - 1)
            for z in model.hands[model.active_player - 1] for x, y in model.board
            if legal_move(model.board, x, y, z, model.active_player)
        }  # fmt: skip
        assert legal == set(legal_steps(state))

    def test_the_model_knows_what_was_played(self) -> None:
        states = random_states(2, 5)
        for before, after in pairwise(states):
            seat = mover(before)
            earlier, later = Counter(model_of(before).history[seat]), Counter(model_of(after).history[seat])
            assert (later - earlier).total() == 1
        assert model_of(observe(states[3], 0)).history[1] == ()


class TestStart:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_every_deck_is_1_to_9_twice(self, players: int) -> None:
        state = start(players)
        assert seats(state) == players
        for seat in range(players):
            assert sorted(hand_cards(state, seat) + deck_cards(state, seat)) == sorted([*range(1, 10)] * 2)
            assert len(hand_cards(state, seat)) == 3
        with pytest.raises(OptionError):
            Match.new(GAMES["catur-jawa"], ["a"] * 5)

    def test_decks_differ_by_seed_and_by_seat(self) -> None:
        assert start(2, 1) != start(2, 2)
        assert start(2, 1) == start(2, 1)
        assert deck_cards(start(), 0) != deck_cards(start(), 1)


class TestPlacing:
    state = position("r5e5 g7e6 r3d5 g9d6", "258,139", decks="6,7")

    @pytest.mark.parametrize(
        ("step", "says"),
        [
            ("7e4", "no 7 in your hand"),
            ("8d5", "your own"),
            ("8d6", "9 on d6 can't be covered"),
            ("5e6", "a higher card can cover the 7 on e6; a 5 can't"),
            ("5a1", "no card beside a1"),
        ],
    )
    def test_each_rule_refuses_in_its_own_words(self, step: str, says: str) -> None:
        assert says in catur_jawa.refusal(self.state, step_of(int(step[0]), cell(step[1:])))
        first = start()
        assert "e5" in catur_jawa.refusal(first, step_of(hand_cards(first, 0)[0], 0)), "anywhere but on the centre"

    def test_what_is_pointed_at_is_a_card_then_a_cell(self) -> None:
        covering = step_of(8, cell("e6"))
        assert catur_jawa.cells(self.state, covering) == (83, cell("e6"))
        assert catur_jawa.notation(self.state, covering) == "8xe6"
        assert catur_jawa.notation(self.state, step_of(8, cell("e4"))) == "8@e4"
        assert parse_turn(catur_jawa, self.state, "8xe6") == [covering]
        assert "card from your hand first" in catur_jawa.refusal_at(self.state, (cell("e4"),))
        assert "your own" in catur_jawa.refusal_at(self.state, (81, cell("e5")))
        assert "no card" in catur_jawa.refusal_at(self.state, (81, 84))

    def test_equal_cards_are_one_to_point_at(self) -> None:
        state = position("r5e5 g7e6", "338,139", decks="6,7")
        assert {catur_jawa.cells(state, step)[0] for step in legal_steps(state)} == {81, 82}


class TestEnding:
    @pytest.mark.parametrize(
        ("cards", "last"),
        [
            ("r1e5 r2f5 r3g5 g9g4", "h5"), ("r1e5 r2f5 r3g5 g9d4", "d5"), ("r1e5 r2f5 r3h5 g9g4", "g5"),
            ("r1e4 r2e5 r3e6 g9d4", "e7"), ("r1e4 r2e5 r3e6 g9d4", "e3"), ("r1e5 r2e6 r3e8 g9e7", "e7"),
            ("r1d4 r2e5 r3f6 g9e4", "g7"), ("r1d4 r2e5 r3f6 g9e4", "c3"), ("r1e5 r2g7 r3h8 g9e6 g9f7", "f6"),
            ("r1d6 r2e5 r3f4 g9d4", "c7"), ("r1d6 r2e5 r3f4 g9d4", "g3"), ("r1e5 r2d6 r3b8 g9c7", "c7"),
            ("r1e5 r2f5 r3g5 g6h5", "h5"),  # by covering
        ],
    )  # fmt: skip
    def test_four_in_a_row_in_every_direction(self, cards: str, last: str) -> None:
        after = play(position(cards, "7,8"), step_of(7, cell(last)))
        assert is_over(after)
        assert catur_jawa.ending(after) == ((1.0, -1.0), "four in a row")
        own = [cell(card[2:]) for card in cards.split() if card[0] == "r"]
        assert catur_jawa.deciding_lines(after) == [sorted([cell(last), *own])]

    def test_no_four_runs_round_the_edge_or_over_a_gap(self) -> None:
        assert not is_over(position("r1e5 r2f5 g3e6 r3h5 g3g5", "7,8"))
        state = position("r1e5 g2f5 g3g5 r4h5 r5i5 r6a6 g7b5 g8c5 g9d5 g9b6", "7,8")
        assert not is_over(play(state, step_of(7, cell("h6"))))
        state = position("r1e5 g2f5 g3g5 g4h5 r5i5 r6i6 r6i7 g7i8 g8h8", "7,8")
        assert not is_over(play(state, step_of(7, cell("i9"))))

    def test_the_best_line_wins_when_all_cards_are_played(self) -> None:
        state = position("r9e5 r8e6 r2f5 g9d4 g1d5 g6f6", ",")
        assert is_over(state)
        assert (best_line(state, 0), best_line(state, 1)) == (17, 10)
        assert catur_jawa.ending(state) == ((1.0, -1.0), "all cards are played, and the best line is worth 17")
        assert catur_jawa.deciding_lines(state) == [[cell("e5"), cell("e6")]]
        state = position("r9e5 g2e6 g3d6", ",")
        assert (best_line(state, 0), best_line(state, 1)) == (9, 5), "a single card is a line"
        assert catur_jawa.deciding_lines(state) == [[cell("e5")]]

    def test_equal_lines_draw(self) -> None:
        state = position("r9e5 r1f5 g8e6 g2d6", ",")
        assert catur_jawa.ending(state).payoffs == (0.0, 0.0)
        assert len(catur_jawa.deciding_lines(state)) == 2

    def test_of_three_two_or_all_may_share(self) -> None:
        ending = catur_jawa.ending(position("r9e5 g9e6 b9d6", ",,", decks=",,"))
        assert ending == ((0.0, 0.0, 0.0), "all cards are played, and the best lines are all 3 worth 9")
        state = position("r9e5 g9e6 b4d6", ",,", decks=",,")
        ending = catur_jawa.ending(state)
        assert ending.payoffs == (0.0, 0.0, -1.0)
        assert [ending.outcome(seat) for seat in range(3)] == ["draw", "draw", "lost"]
        assert ending.reason == "all cards are played, and the best lines are both worth 9"


class TestHiddenCards:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_states_that_look_the_same_are_equal_observations(self, players: int) -> None:
        for number, state in enumerate(random_states(players, 3)):
            for seat in range(players):
                seen = observe(state, seat)
                other = guess(seen, seat, random_state(number))
                assert observe(other, seat) == observe(seen, seat) == seen
                assert key(observe(other, seat)) == key(seen)
                assert observe(seen, NOBODY) == observe(observe(state, 1 - seat % 2), seat) == observe(state, NOBODY)
                assert "?" not in text(other)
                assert parse(text(other), {}) == other
                assert guess(state, seat, random_state(number)) == other

    def test_what_can_be_seen_stays(self) -> None:
        state = random_states(3, 3)[20]
        seen = observe(state, 1)
        assert hand_cards(seen, 1) == hand_cards(state, 1)
        assert hand_cards(seen, 0) == [HIDDEN] * 3 and hand_cards(seen, 2) == [HIDDEN] * 3
        assert set(deck_cards(seen, 1)) == {HIDDEN}
        for seat in range(3):
            assert cards_left(seen, seat) == cards_left(state, seat)
        for number in range(CELLS):
            assert value_at(seen, place_of(number)) == value_at(state, place_of(number))
        assert legal_steps(observe(state, mover(state))) == legal_steps(state)

    def test_an_observer_can_play_on_without_seeing_what_is_drawn(self) -> None:
        for before, after in pairwise(random_states(3, 6)):
            seat = mover(before)
            step = next(step for step in legal_steps(before) if play(before, step) == after)
            imagined = play(observe(before, seat), step)
            assert observe(imagined, NOBODY) == observe(after, NOBODY)

    def test_guesses_are_spread_evenly(self) -> None:
        state = start(2, 3)
        first = Counter(deck_cards(guess(state, 0, random_state(seed)), 0)[0] for seed in range(600))
        hands = Counter(card for seed in range(600) for card in hand_cards(guess(state, 0, random_state(seed)), 1))
        in_deck = Counter(deck_cards(state, 0))
        assert all(abs(first[value] - 40 * in_deck[value]) < 40 for value in range(1, 10))
        assert all(abs(hands[value] - 200) < 60 for value in range(1, 10))


class TestTexts:
    def test_full_and_seen(self) -> None:
        state = position("r7e5", "358,127", 2, "1234,45678")
        assert text(state) == f"{board('r7e5')} 2 358,127 1234,45678"
        assert text(observe(state, 1)) == f"{board('r7e5')} 2 ???,127 ????,?????"

    def test_some_can_not_be_read(self) -> None:
        with pytest.raises(PositionError, match="not seen"):
            parse(text(observe(start(), 0)), {})
        with pytest.raises(PositionError, match="2 players, but the game is for 3"):
            parse(text(start()), {"seats": "3"})

    def test_the_order_of_a_hand_does_not_matter(self) -> None:
        assert position("r7e5", "853,127", 2, "1234,45678") == position("r7e5", "358,721", 2, "1234,45678")

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            (f"{EMPTY} 1 12,34", "3 fields"),
            (f"{EMPTY}/{'.' * 9} 1 1,2 ,", "10 rows"),
            (f"{board('r7e5').replace('r7', 'x7')} 2 1,1 ,", "Row 5"),
            (f"{board('r7e5').replace('r7', 'b7')} 2 1,1 ,", "Row 5"),
            (f"{board('r7e5').replace('r7', 'r0')} 2 1,1 ,", "Row 5"),
            (f"{board('r7e5')[1:]} 1 1,1 ,", "Row 9, '........', has 8 cells"),
            (f".{board('r7e5')} 1 1,1 ,", "more than 9 cells"),
            (f"{board('r7e5')} 3 1,1 ,", "number from 1 to 2"),
            (f"{board('r7e5')} 1 1234,1 ,", "Group 1 of the hands"),
            (f"{board('r7e5')} 1 1 ,", "1 hands"),
            (f"{board('r7e5')} 1 1,1 ,,", "3 decks"),
            (f"{board('r7e5')} 1 1,12 ,", "Player 2 has 2 cards left"),
            (f"{board('r7e5')} 2 1,1 ,", "Player 1 has 1 card left"),
            (f"{board('r7e5')} 2 , ,", "it is player 1"),
            (f"{board('r7e5')} 1 1,1 2,2", "hand of player 1 has 1 card:"),
            (f"{board('r7e5')} 1 77,12 ,", "the 7 3 times"),
            (f"{EMPTY} 1 1,1 ,", "board is empty"),
            (f"{board('r7e6')} 1 1,1 ,", "e6 is not joined"),
            (f"{board('r7e5 g3a1')} 1 1,1 ,", "a1 is not joined"),
            (f"{board('r1e5 r2f5 r3g5 r4h5')} 1 1,1 ,", "Player 1 has four in a row"),
        ],
    )
    def test_errors_say_where_and_why(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError) as error:
            parse(wrong, {})
        assert says in str(error.value)

    def test_lines_for_people(self) -> None:
        state = position("r1e5 r2f5 r3e6 g4f6", "7,8")
        assert lines_of(state, 0) == [[cell("e5"), cell("f5")], [cell("e5"), cell("e6")], [cell("f5"), cell("e6")]]
        assert lines_of(state, 1) == []


class TestPrompt:
    def test_says_where_four_can_be_made(self) -> None:
        state = position("r1e5 r2f5 r3g5 g6h5 g9d5", "57,88")
        assert catur_jawa.prompt(state, None)[0] == "Play a card"
        assert "four in a row." not in catur_jawa.prompt(state, 81)[1]
        assert catur_jawa.prompt(state, 82)[0] == "Place the 7"
        assert "**h5 makes four in a row.**" in catur_jawa.prompt(state, 82)[1]

    def test_a_match_is_over_with_four(self) -> None:
        match = Match.new(GAMES["catur-jawa"], ["a", "b"], {"first": "1"}, 1, f"{board('r1e5 r2f5 r3g5 g6h4')} 1 7,8 ,")
        match.play(step_of(7, cell("h5")))
        assert match.ending and match.ending.winner == 0
        with pytest.raises(IllegalStep, match="over"):
            match.play(step_of(8, cell("d5")))
