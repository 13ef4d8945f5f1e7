"""Checkers: published counts, another program's rules, each rule by hand, and the texts."""

from __future__ import annotations

from random import Random

import pytest

from papan.game.match.notation import parse_turn
from papan.game.perft import perft
from papan.game.rules import (
    NotationError,
    PositionError,
    can_repeat,
    checkers,
    is_over,
    key,
    legal_steps,
    mover,
    payoff,
    play,
    reason_number,
)
from papan.game.rules.checkers import parse, parse_pdn, text
from papan.game.rules.checkers.board import QUIET_TURNS, START, State, column_and_row
from tests.rivals import rival
from tests.sizes import GAMES_ASKED, sample_and_all

PERFT = (7, 49, 302, 1469, 7361, 36768, 179740, 845931)
SPIEL_QUIET_PLIES = 40


def position(written: str) -> State:
    return parse(written, {})


def notations(state: State) -> set[str]:
    return {checkers.notation(state, step) for step in legal_steps(state)}


def after(written: str, *turns: str) -> State:
    state = position(written)
    for turn in turns:
        for step in parse_turn(checkers, state, turn, may_be_unfinished=True):
            state = play(state, step)
    return state


def test_perft() -> None:
    assert tuple(perft(checkers, START, depth) for depth in range(1, 1 + len(PERFT))) == PERFT
    assert perft(checkers, position("B:W14,22,23:B9"), 1) == 2, "several jumps are one turn: 9x18x25 and 9x18x27"


class TestAgainstAnotherProgram:
    """open_spiel: its first player has White and sits at the bottom; each jump is an action of its own.

    So its board is ours turned by half. Its draws, after 40 plies without a capture, are not ours.
    """

    @sample_and_all("games", 100, GAMES_ASKED)
    def test_random_games_are_the_same(self, games: int) -> None:
        pyspiel = rival("pyspiel")
        game = pyspiel.load_game("checkers")
        random = Random(30)
        decided = 0
        for _ in range(games):
            state, theirs, plies = START, game.new_initial_state(), 0
            while not theirs.is_terminal() and not is_over(state):
                assert mover(state) == theirs.current_player()
                actions = {theirs.action_to_string(action): action for action in theirs.legal_actions()}
                steps = {self.spiels(step): step for step in legal_steps(state)}
                assert steps.keys() == actions.keys()
                name = random.choice(sorted(steps))
                plies = 0 if checkers.is_jump(steps[name]) else plies + 1
                state = play(state, steps[name])
                theirs.apply_action(actions[name])
            if plies < SPIEL_QUIET_PLIES and state.quiet < QUIET_TURNS:
                assert theirs.is_terminal() and is_over(state)
                assert [payoff(state, 0), payoff(state, 1)] == theirs.returns()
                decided += 1
        assert decided > games // 2

    @staticmethod
    def spiels(step: int) -> str:
        """``a3b4``: letters from the left, numbers from Black's side of our board upwards."""
        return "".join(
            "abcdefgh"[7 - column] + str(row + 1) for column, row in map(column_and_row, (step >> 5, step & 31))
        )


@pytest.mark.parametrize(
    ("written", "turn", "expected"),
    [
        ("B:WK18,32:B14", "14x23", "W:W32:B23"),
        ("B:W14,22,23,32:B1,9", "9x18x25", "W:W23,32:B1,25"),
        ("B:W7,8,15,16,32:BK3", "3x12x19x10x3", "W:W32:BK3"),  # back to where it began
        ("B:W12:B25", "25-29", "W:W12:BK29"),
        ("W:W5:B21", "5-1", "B:WK1:B21"),
        ("B:W26,27,12:B22", "22x31", "W:W12,27:BK31"),  # crowned, that ends the turn: a king could capture on 27
    ],
)
def test_what_a_turn_leads_to(written: str, turn: str, expected: str) -> None:
    assert text(after(written, turn)) == expected


def test_keys_tell_positions_apart() -> None:
    written = ("B:W32:B1", "W:W32:B1", "B:W31:B1", "B:W32:B2", "B:W32:BK1", "B:WK32:B1", "W:W31:B2")
    assert len({key(position(one)) for one in written}) == len(written)
    assert key(position("B:W32:BK1:7")) == key(position("B:W32:BK1")), "how long nothing happened does not count"


class TestOtherNotations:
    """Captures in short form, with other signs and with zeros."""

    def turn(self, state: State, written: str) -> str:
        result = ""
        for step in parse_turn(checkers, state, written):
            result += checkers.notation(state, step)
            state = play(state, step)
        return result

    @pytest.mark.parametrize("written", ["9x27", "9-27", "9:27", "9×27", "09X27", "9-18-27", "9x18x27"])
    def test_a_capture_in_short_form(self, written: str) -> None:
        state = after(text(START), "9-13", "23-18", "6-9", "27-23", "10-15", "18-14")
        assert self.turn(state, written) == "9x18x27"

    @pytest.mark.parametrize(("written", "turn"), [("18-9", "18x9"), ("18:9", "18x9")])
    def test_a_single_capture_with_another_sign(self, written: str, turn: str) -> None:
        assert self.turn(position("W:W18,32:B1,14"), written) == turn

    @pytest.mark.parametrize("written", ["9–13", "9−13", "09-13"])
    def test_a_move_with_another_hyphen(self, written: str) -> None:
        assert self.turn(START, written) == "9-13"

    def test_two_ways_are_refused_with_their_names(self) -> None:
        state = position("B:W14,15,22,23,32:B1,10")
        with pytest.raises(NotationError, match="'10x26' is ambiguous: it could mean 10x17x26 or 10x19x26"):
            parse_turn(checkers, state, "10x26")
        assert self.turn(state, "10-19-26") == "10x19x26"

    def test_a_king_may_go_round(self) -> None:
        state = position("B:W7,8,15,16,32:BK3")
        assert self.turn(state, "3x12x19x3") == "3x12x19x10x3"
        assert len(checkers.foreign_turns(state, "3x3")) == 1, "either way leads to the same position"

    def test_all_squares_mean_no_longer_way(self) -> None:
        state = position("B:W6,14,15,22,23,32:BK10")
        assert [len(steps) for steps in checkers.foreign_turns(state, "10-1")] == [1], "not round and then to 1"
        assert [len(steps) for steps in checkers.foreign_turns(state, "10-26-1")] == [5]

    @pytest.mark.parametrize("written", ["x25", "18x25", "18-25", "-25"])
    def test_a_further_jump(self, written: str) -> None:
        assert self.turn(after(TestSeveralJumps.start, "9x18"), written) == "x25"

    @pytest.mark.parametrize("wrong", ["9x13", "9-13x17", "9-9", "0-9", "9-40", "9-99", "9--13", "9", "", "x", "٩-13"])
    def test_what_is_none(self, wrong: str) -> None:
        assert not checkers.foreign_turns(START, wrong)

    def test_a_short_form_that_ends_too_early_or_passes_elsewhere(self) -> None:
        state = position(TestSeveralJumps.start)
        for wrong in ("9-18", "9x14x27", "9x25x18", "1x25"):
            assert not checkers.foreign_turns(state, wrong), wrong
        assert not checkers.foreign_turns(after("B:W6,14,22,32:B1,9", "9x18"), "1-10"), "another piece"
        assert not checkers.foreign_turns(position("B:WK32:BK1:80"), "1-5"), "the game is over"


class TestSeveralJumps:
    start = "B:W14,22,23,32:B1,9"

    def test_the_same_seat_stays_on_move_with_the_same_piece(self) -> None:
        state = after(self.start, "9x18")
        assert mover(state) == 0
        assert checkers.phase(state) == "jump"
        assert notations(state) == {"x25", "x27"}
        assert [checkers.cells(state, step) for step in legal_steps(state)] == [(24,), (26,)]
        assert key(state) != key(state._replace(jumper=0)), "half a turn is another position"
        with pytest.raises(PositionError, match="still to jump on"):
            text(state)

    def test_a_king_that_comes_to_the_far_row_by_a_jump_goes_on(self) -> None:
        state = after("B:W26,27,12:BK22", "22x31")
        assert mover(state) == 0 and notations(state) == {"x24"}


class TestEnding:
    @pytest.mark.parametrize(
        ("written", "number", "reason"),
        [
            ("B:W24,27:B20", 2, "Black can't move"),
            ("W:W13:B9,6", 3, "White can't move"),
            ("B:W32:B", 4, "Black has no pieces left"),
            ("W:W:B1", 5, "White has no pieces left"),
        ],
    )
    def test_no_piece_or_no_move_loses(self, written: str, number: int, reason: str) -> None:
        state = position(written)
        loser = mover(state)
        assert is_over(state) and not legal_steps(state)
        ending = checkers.ending(state)
        assert (reason_number(state), ending.reason) == (number, reason)
        assert ending.winner == 1 - loser
        assert payoff(state, loser) == -1

    def test_forty_quiet_turns_by_each_side_draw(self) -> None:
        state = position("B:WK32:BK1:79")
        assert not is_over(state)
        state = play(state, legal_steps(state)[0])
        assert is_over(state) and not legal_steps(state)
        assert checkers.ending(state) == ((0.0, 0.0), "40 turns by each side with neither a capture nor a man's move")
        stuck = position(f"W:W13:BK9,K6:{QUIET_TURNS}")
        assert is_over(stuck) and checkers.ending(stuck).winner == 0, "no move loses even on the last of them"

    def test_captures_and_mens_moves_begin_the_count_anew(self) -> None:
        before = "B:WK32:BK1,9:50"
        assert after(before, "1-6").quiet == 51
        assert after(before, "9-13").quiet == 0
        assert after("B:WK32,6:BK1:50", "1x10").quiet == 0

    def test_the_third_repetition_draws(self) -> None:
        states = [position("B:WK32:BK1")]
        for turn in ("1-5", "32-28", "5-1", "28-32") * 2:
            assert checkers.repetition_ending(states) is None
            states += [play(states[-1], step) for step in parse_turn(checkers, states[-1], turn)]
        assert can_repeat(states[0])
        assert checkers.repetition_ending(states) == ((0.0, 0.0), "third repetition of the position")


class TestTexts:
    def test_sides_in_either_order_and_a_counter(self) -> None:
        assert text(START) == "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
        assert text(position("W:BK9,2:W30:7")) == "W:W30:B2,K9:7"

    @pytest.mark.parametrize(
        ("foreign", "ours"),
        [
            ("W:W31-32,K5:B1-4.", "W:WK5,31,32:B1,2,3,4"),
            ("W: W 31, 32 , K 5 : B 1 - 4 .", "W:WK5,31,32:B1,2,3,4"),
            ('[FEN "W:W31-32,K5:B1-4."]', "W:WK5,31,32:B1,2,3,4"),
            (' [ fen "b:bk1-k3:w32" ]\n', "B:W32:BK1,K2,K3"),
            ("B:W21-32:B1-12:H0:F2", text(START)),
            ("B:WK32:BK1:H7:F20", "B:WK32:BK1:7"),
            ("B:WK32:BK1:F20:H79.", "B:WK32:BK1:79"),
            ("B:WK32:BK1:H99", "B:WK32:BK1:80"),
            ("B:WK32:BK1:F3", "B:WK32:BK1"),
            ("B:W09:B01", "B:W9:B1"),
        ],
    )
    def test_positions_of_other_programs(self, foreign: str, ours: str) -> None:
        assert text(position(foreign)) == ours

    def test_a_man_on_its_last_row_is_a_king_in_old_collections(self) -> None:
        assert text(parse_pdn("B:W3,K4,9:B1,30", crowns=True)) == "B:WK3,K4,9:B1,K30"

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("B:W32-31:B1", "Field 2 has '32-31'"),
            ("B:W31-50:B1", "Field 2 has '31-50'"),
            ("B:W21-K22:B1", "Field 2 has '21-K22'"),
            ("B:W2 1:B1", "Field 2 has '2 1'"),
            ("B:W21:B1-3,2", "Field 3 has square 2 twice"),
            ("?:W21:B1", "Field 1, the side to move, is"),
            ("B:W21:B1:H0:H1", "Field 4, the turns with neither"),
            ("B:W21:B1:7:8", "Field 4, the turns with neither"),
            ("B:W21:B1:", "Field 4, the turns with neither"),
            ("B:W21:B1:H1:F1:F2", "has 6 fields"),
            ("B:W21:B1..", "Field 3 has '1.'"),
            ('[FEN "B:W21:B1"', "Field 1, the side to move"),
            ("B:W21", "has 2 fields"),
            ("X:W21:B1", "Field 1, the side to move, is 'X'"),
            ("B:W21:W1", "Field 3, 'W1', must begin with W"),
            ("B:W21:1", "Field 3, '1', must begin with W"),
            ("B:W33:B1", "Field 2 has '33': it must be a square from 1 to 32"),
            ("B:W21:B1,,2", "Field 3 has '': it must be a square"),
            ("B:W021:B1", "Field 2 has '021'"),
            ("B:W21:B1,1", "Field 3 has square 1 twice"),
            ("B:W21,22:B1,21,22", "Square 21 has both"),
            ("B:W3:B1", "Field 2 has a man on square 3, where White's men become kings"),
            ("B:W21:B30", "Field 3 has a man on square 30, where Black's"),
            ("B:W21:B1,2,3,4,5,6,7,8,9,10,11,12,13", "Black has 13 pieces"),
            ("B:W21:B1:0", "Field 4, the turns with neither"),
            ("B:W21:B1:81", "Field 4, the turns with neither"),
        ],
    )
    def test_errors_say_where_and_why(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError, match=says):
            position(wrong)


class TestRefusals:
    def refused(self, written: str, *cells: int) -> str:
        return checkers.refusal_at(position(written), tuple(cell - 1 for cell in cells))

    def test_they_name_the_rule(self) -> None:
        state = "B:W18,32:B1,14,K24"
        assert self.refused(state, 1) == "Captures are compulsory: 14x23."
        assert self.refused(state, 14, 17) == "Captures are compulsory: 14x23."
        assert self.refused(state, 14, 30).startswith("A piece moves one square along a diagonal")
        assert self.refused(state, 18) == "The piece on 18 is your opponent's."
        assert self.refused(state, 2) == "There is no piece on 2."
        quiet = "B:W32:B1,6,5,14"
        assert self.refused(quiet, 1) == "The piece on 1 can't move: its way is blocked."
        assert self.refused(quiet, 14, 9) == "Men move and capture forwards only: kings go backwards too."
        assert self.refused("B:W32:B1,14,K15", 14, 9) == self.refused(quiet, 14, 9)
        assert self.refused("B:W32:B1,K14", 14, 5) == self.refused(quiet, 14, 23)
        assert self.refused(quiet, 14, 23) == "A piece goes two squares only by jumping over an opponent's piece."
        for target in (22, 15):
            assert self.refused(quiet, 14, target).startswith("A piece moves one square along a diagonal")
        assert self.refused(quiet, 1, 6) == "The square 6 is taken."

    def test_white_is_told_the_same(self) -> None:
        state = "W:W18,32:B1,14"
        assert self.refused(state, 14) == "The piece on 14 is your opponent's."
        assert self.refused(state, 32) == "Captures are compulsory: 18x9."
        assert self.refused("W:W30:B1", 30, 2).startswith("A piece moves one square along a diagonal")

    def test_in_the_middle_of_a_turn(self) -> None:
        state = after(TestSeveralJumps.start, "9x18")
        assert checkers.refusal_at(state, (17,)) == "The piece on 18 must jump on: point at the square where it lands."
        assert checkers.refusal_at(state, (20,)).startswith("A piece moves one square")
        assert checkers.refusal(state, 17 << 5 | 20).startswith("A piece moves one square")
        assert checkers.refusal(state, 0 << 5 | 4) == "The piece on 18 must jump on before any other may move."

    def test_when_it_is_over(self) -> None:
        assert self.refused("B:W32:B", 1) == "The game is over: Black has no pieces left."
        for step in (-1, 32 << 5, 4000):
            assert checkers.refusal(START, step) == "There is no such square: squares are 1 to 32."


class TestWords:
    def test_a_move_is_two_cells(self) -> None:
        step = 8 << 5 | 13
        assert checkers.cells(START, step) == (8, 13) and checkers.notation(START, step) == "9-14"
        assert checkers.describe(START, step)[0] == "9-14"

    def test_prompts(self) -> None:
        assert checkers.prompt(START, None)[0] == "Move a piece"
        assert checkers.prompt(START, 8)[0] == "Choose where it goes"
        assert checkers.prompt(position("B:W18:B14"), None)[0] == "Choose a capture"
        assert checkers.prompt(position("B:W18:B14"), 13)[0] == "Choose where it jumps"
        assert checkers.prompt(after(TestSeveralJumps.start, "9x18"), None)[0] == "Jump on"

    def test_seat_notes(self) -> None:
        assert checkers.seat_note(START, 0) == ("Black", "12 men")
        state = position("B:W21,K22:BK1,K2")
        assert checkers.seat_note(state, 0) == ("Black", "2 kings")
        assert checkers.seat_note(state, 1) == ("White", "1 man, 1 king")
        assert checkers.seat_note(position("B:W21:B"), 0) == ("Black", "0 men")
