"""Xiangqi: known counts, two other programs' rules, each rule by hand, and the texts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from random import Random
from typing import Any

import numpy as np
import pytest

from papan.game.game import Game, Parts
from papan.game.kernel import compiled
from papan.game.kernel.rng import below, random_state
from papan.game.match import Match
from papan.game.perft import perft
from papan.game.playout import random_step
from papan.game.rules import Ending, PositionError, is_over, key, legal_steps, moves, payoff, play, xiangqi
from papan.game.rules.xiangqi import (
    MOST_STEPS,
    State,
    ending,
    notation,
    parse,
    refusal,
    refusal_at,
    repetition_ending,
    text,
)
from papan.game.rules.xiangqi import START as START_TEXT
from papan.game.rules.xiangqi.board import (
    FILES,
    RANKS,
    in_check,
)
from tests.rivals import rival
from tests.sizes import GAMES_ASKED, sample_and_all

START = parse(START_TEXT, {})
MIDDLE_GAME = "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w"
GAME = Game("xiangqi", "Xiangqi", "", Parts("papan.game.rules.xiangqi"))
POSITIONS_AT_ONCE = 20_000
PLIES_OF_OTHER_PROGRAM = 499  # where open_spiel ends every game


def cell(name: str) -> int:
    return "abcdefghi".index(name[0]) + FILES * int(name[1])


def step_of(move: str) -> int:
    return cell(move[:2]) << 7 | cell(move[2:])


def played(position: str, moves_played: str) -> list[State]:
    """The states of a game from *position* on; each move must be legal."""
    states = [parse(position, {})]
    for move in moves_played.split():
        assert step_of(move) in legal_steps(states[-1]), move
        states.append(play(states[-1], step_of(move)))
    return states


@compiled
def record_random_games(start: State, plies: int, record: Any, random: Any) -> int:
    """Fill *record* with random games, a row a position: how many legal steps, which are played, all of them."""
    state, row, ply = start, 0, 0
    while row < len(record):
        end = moves(state, record[row], 2)
        record[row, 0] = end - 2
        if end == 2 or ply == plies:
            state, ply = start, 0
        else:
            chosen = int(record[row, 2 + below(random, end - 2)])
            record[row, 1] = chosen
            state = play(state, chosen)
            ply += 1
        row += 1
    return row


def recorded_positions(games: int, seed: int) -> Iterator[tuple[int, list[int]]]:
    """The positions of random *games*: the step that is played, negative at the end, and all legal ones."""
    record = np.empty((POSITIONS_AT_ONCE, MOST_STEPS + 2), np.int64)
    ended = 0
    for chunk in count(seed):
        record.fill(-1)
        record_random_games(START, PLIES_OF_OTHER_PROGRAM, record, random_state(chunk))
        rows = record.tolist()
        last = max(index for index, (_, chosen, *_) in enumerate(rows) if chosen < 0)  # behind it half a game
        for number, chosen, *steps in rows[: last + 1]:
            yield chosen, steps[:number]
            ended += chosen < 0
            if ended == games:
                return


@pytest.mark.parametrize(
    ("position", "counts"),
    [(START_TEXT, (44, 1920, 79666, 3290240)), (MIDDLE_GAME, (38, 1128, 43929, 1339047))],
)
def test_perft(position: str, counts: tuple[int, ...]) -> None:
    state = parse(position, {})
    assert tuple(perft(xiangqi, state, depth) for depth in range(1, len(counts) + 1)) == counts


class TestAgainstOtherPrograms:
    @sample_and_all("games", 25, GAMES_ASKED)
    def test_open_spiel_has_the_same_moves_in_random_games(self, games: int) -> None:
        pyspiel = rival("pyspiel")

        def named(step: int) -> int:
            """Its name of a step: its ranks run from the top."""
            origin, target = (c + FILES * (RANKS - 1 - 2 * (c // FILES)) for c in (step >> 7, step & 127))
            return origin * FILES * RANKS + target

        game = pyspiel.load_game("xiangqi")
        theirs, checked, seen = game.new_initial_state(), 0, 0
        for chosen, steps in recorded_positions(games, 21):
            seen += 1
            quiet_for_too_long = not steps and not theirs.is_terminal()
            if not quiet_for_too_long:
                assert sorted(map(named, steps)) == ([] if theirs.is_terminal() else theirs.legal_actions())
                checked += 1
            if chosen < 0:
                theirs = game.new_initial_state()
            else:
                theirs.apply_action(named(chosen))
        assert checked > seen * 0.99

    @sample_and_all("games", 2, GAMES_ASKED)
    def test_fairy_stockfish_has_the_same_moves_and_checks(self, games: int) -> None:
        pyffish = rival("pyffish")

        def named(step: int) -> str:
            """Its name of a step: its ranks run from 1."""
            return "".join(f"{'abcdefghi'[c % FILES]}{c // FILES + 1}" for c in (step >> 7, step & 127))

        random = Random(22)
        buffer = np.empty(MOST_STEPS, np.int64)
        for seed in range(games):
            state, numbers = START, random_state(seed)
            while not is_over(state):
                if random.random() < 0.15:
                    position = " ".join(text(state).split(" ")[:2]) + " - - 0 1"
                    assert sorted(map(named, legal_steps(state))) == sorted(
                        pyffish.legal_moves("xiangqi", position, [])
                    )
                    assert in_check(state, state.to_move) == pyffish.gives_check("xiangqi", position, [])
                state = play(state, random_step(state, buffer, numbers))


OPEN = "That would leave your general open to attack."
GENERAL = "3k5/9/9/9/9/9/9/5K3/9/9 w"
ADVISOR = "3k5/9/9/9/9/9/9/9/4A4/5K3 w"
ELEPHANT = "3k5/9/9/9/9/2B6/3N5/9/9/5K3 w"
HORSE = "3k5/9/9/9/4p4/3rN4/9/9/9/5K3 w"
CANNON = "3k5/c8/9/p8/9/9/C1p3p2/9/9/5K3 w"
CHARIOT = "3k5/9/9/p8/9/9/R1P6/9/9/5K3 w"


@pytest.mark.parametrize(
    ("position", "move", "said"),
    [
        (GENERAL, "f2g2", "The general stays in its palace."),
        (GENERAL, "f2e1", "The general moves one point along a line."),
        ("3k5/9/9/9/9/9/9/3A5/9/5K3 w", "d2c3", "An advisor stays in the palace."),
        (ADVISOR, "e1e2", "An advisor moves one point diagonally."),
        (ELEPHANT, "c4e2", "The elephant is blocked: a piece stands on d3, the point it passes over."),
        (ELEPHANT, "c4e6", "An elephant doesn't cross the river."),
        (ELEPHANT, "c4c5", "An elephant moves exactly two points diagonally."),
        (HORSE, "e4d6", "The horse is hobbled: a piece stands on e5, beside it."),
        (HORSE, "e4c5", "The horse is hobbled: a piece stands on d4, beside it."),
        (HORSE, "e4e6", "A horse moves one point along a line and then one diagonally outwards."),
        (CHARIOT, "a3a8", "A piece on a6 is in the way."),
        (CHARIOT, "a3b4", "A chariot moves along a line."),
        (CANNON, "a3a6", "A cannon captures over exactly one piece; here there is none."),
        (CANNON, "a3a7", "A piece on a6 is in the way: a cannon jumps only to capture."),
        ("3k5/9/9/9/9/9/C1p1p1p2/9/9/5K3 w", "a3g3", "over exactly one piece; here there are 2."),
        ("3k5/9/9/9/9/2P6/9/9/9/5K3 w", "c4b4", "A soldier moves one point ahead;"),
        ("3k5/9/9/9/2P6/9/9/9/9/5K3 w", "c5c4", "never back."),
        (
            "4k4/9/9/9/9/9/4N4/9/9/4K4 w",
            "e3g4",
            "The two generals would face each other with nothing between them.",
        ),
        ("3k5/9/9/9/9/4r4/9/4R4/9/4K4 w", "e2a2", OPEN),
        ("3k5/9/9/9/4c4/9/9/R8/9/4K4 w", "a2e2", OPEN),  # a cannon without a screen forbids to become one
        ("3k5/9/9/9/9/9/9/3n5/3R5/4K4 w", "d1e1", OPEN),  # it holds back a horse
        ("3k5/9/9/9/9/4r4/9/9/R8/4K4 w", "a1a5", "You are in check, and that does not end it."),
    ],
)
def test_refusals_name_the_rule(position: str, move: str, said: str) -> None:
    state = parse(position, {})
    assert step_of(move) not in legal_steps(state)
    assert said in refusal(state, step_of(move))


def test_check_must_be_ended() -> None:
    state = parse("3k5/9/9/9/9/4r4/9/9/R8/4K4 w", {})
    assert {notation(state, step) for step in legal_steps(state)} == {"a1e1", "e0f0"}
    assert xiangqi.prompt(state, None)[0] == "You are in check"
    assert xiangqi.seat_note(state, 0) == ("red", "in check")


class TestEndings:
    @pytest.mark.parametrize(
        ("position", "reason"),
        [("R3k4/1R7/9/9/9/9/9/9/9/3K5 b", "checkmate"), ("3k5/4R4/9/9/9/9/9/9/9/4K4 b", "no legal move")],
    )
    def test_who_can_not_move_has_lost(self, position: str, reason: str) -> None:
        state = parse(position, {})
        assert is_over(state) and in_check(state, 1) == (reason == "checkmate")
        assert ending(state) == Ending((1.0, -1.0), reason)
        assert refusal(state, step_of("e9e8")) == f"The game is over: {reason}."

    def test_sixty_turns_without_a_capture_are_a_draw(self) -> None:
        before = parse("3k5/9/9/9/9/p8/R8/9/9/5K3 w 119", {})
        assert not is_over(before)
        quiet = play(before, step_of("a3b3"))
        assert ending(quiet) == Ending((0.0, 0.0), "60 turns by each side without a capture")
        assert legal_steps(quiet) == []
        captured = play(before, step_of("a3a4"))
        assert captured.quiet == 0 and not is_over(captured)
        state = play(parse("4k4/1R7/9/9/R8/9/9/9/9/3K5 w 119", {}), step_of("a5a9"))
        assert payoff(state, 0) == 1.0 and ending(state).reason == "checkmate", "which counts before the quiet turns"


CHASED = "R8/3k5/9/9/9/9/9/9/4K4/9 w"
CHECKS = "a9a8 d8d9 a8a9 d9d8"


class TestRepetition:
    @pytest.mark.parametrize(
        ("position", "moves_played", "expected"),
        [
            (CHASED, f"{CHECKS} {CHECKS}", Ending((-1.0, 1.0), "red gave check with every move (perpetual check)")),
            (
                "9/4k4/9/9/9/9/9/9/3K5/r8 b",
                "a0a1 d1d0 a1a0 d0d1 a0a1 d1d0 a1a0 d0d1",
                Ending((1.0, -1.0), "black gave check with every move (perpetual check)"),
            ),
            (START_TEXT, "a0a1 i9i8 a1a0 i8i9 " * 2, Ending((0.0, 0.0), "third repetition of the position")),
            # One turn without check is enough for a draw.
            (
                CHASED,
                f"{CHECKS} a9b9 d8d7 b9a9 d7d8",
                Ending((0.0, 0.0), "third repetition of the position"),
            ),
        ],
    )
    def test_the_side_giving_perpetual_check_loses_otherwise_it_is_a_draw(
        self, position: str, moves_played: str, expected: Ending
    ) -> None:
        states = played(position, moves_played)
        assert repetition_ending(states[:-1]) is None
        assert repetition_ending(states) == expected

    def test_a_match_ends_by_it(self) -> None:
        match = Match.new(GAME, ["a", "b"], position=CHASED)
        for move in CHECKS.split() * 2:
            assert match.ending is None
            match.play(step_of(move))
        assert match.ending and match.ending.winner == 1

    def test_the_counter_is_not_part_of_the_key(self) -> None:
        assert key(parse(MIDDLE_GAME, {})) == key(parse(MIDDLE_GAME + " 7", {}))
        assert key(parse(MIDDLE_GAME, {})) != key(parse(MIDDLE_GAME.replace(" w", " b"), {}))


class TestTexts:
    def test_round_trip(self) -> None:
        for position in (START_TEXT, MIDDLE_GAME, MIDDLE_GAME + " 31"):
            assert text(parse(position, {})) == position

    @pytest.mark.parametrize(
        ("tail", "means"),
        [
            ("", "w"), ("w", "w"), ("W", "w"), ("r", "w"), ("b", "b"), ("b -", "b"), ("b - -", "b"), ("w 12", "w 12"),
            ("w - 12", "w 12"), ("w - - 12", "w 12"), ("w - - 12 40", "w 12"), ("r - - 0 1", "w"), ("b 12 40", "b 12"),
            ("  b   -  -   12   40  ", "b 12"),
        ],
    )  # fmt: skip
    def test_any_tail_is_read(self, tail: str, means: str) -> None:
        board = MIDDLE_GAME.removesuffix(" w")
        assert text(parse(f"{board} {tail}", {})) == f"{board} {means}"

    def test_horses_and_elephants_by_other_letters(self) -> None:
        others = str.maketrans("NBnb", "HEhe")
        assert parse(MIDDLE_GAME.removesuffix(" w").translate(others), {}) == parse(MIDDLE_GAME, {})

    @pytest.mark.parametrize(
        ("wrong", "says"),
        [
            ("", "1 ranks between slashes instead of 10"),
            ("9/9 w", "2 ranks between slashes instead of 10"),
            (START_TEXT.replace("w", "x"), "'x' is neither w, red to move"),
            (START_TEXT + " 121", "'121' is not a number of turns"),
            (START_TEXT + " - - -1 1", "'-1' is not a number of turns"),
            (START_TEXT + " - - - 1", "'-' is not a number of turns"),
            (START_TEXT + " KQkq - 0 1", "has 5 parts after the board"),
            (START_TEXT + " - - 0 x", "'x' is not a number of rounds"),
            (START_TEXT + " - - 0 -1", "'-1' is not a number of rounds"),
            (START_TEXT + " - - 0 1 2", "has 6 parts after the board"),
            (START_TEXT.replace("rnba", "rnbx"), "Rank 9, 'rnbxkabnr': 'x' is neither a piece"),
            (START_TEXT.replace("1C5C1", "1C5C2"), "Rank 2, '1C5C2', has 10 cells instead of 9"),
            (START_TEXT.replace("K", "1"), "Red has no general"),
            (START_TEXT.replace("1c5c1", "1c2c2c1"), "Black has 3 cannons; there are 2 at most"),
            ("4k4/9/9/9/9/9/9/9/9/K8 w", "A red general can't get to a0"),
            ("4k4/9/9/9/9/9/9/9/3K5/4A4 w", "A red advisor can't get to e0"),
            ("4k4/9/9/9/B8/9/9/9/3K5/9 w", "A red elephant can't get to a5"),
            ("4k4/9/9/9/9/9/9/P8/3K5/9 w", "A red soldier can't get to a2"),
            ("4k4/9/9/9/9/1P7/9/9/3K5/9 w", "A red soldier can't get to b4"),
            ("4k4/9/9/9/9/9/9/9/4K4/9 w", "The black general is attacked, and red is to move"),
        ],
    )
    def test_errors_say_where_and_why(self, wrong: str, says: str) -> None:
        with pytest.raises(PositionError) as error:
            parse(wrong, {})
        assert says in str(error.value)

    def test_notation(self) -> None:
        state = play(START, step_of("h2e2"))
        assert text(state) == "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b 1"
        assert notation(START, step_of("h2e2")) == "h2e2"

    def test_refusals_of_pieces(self) -> None:
        assert refusal_at(START, (cell("e5"),)) == "There is no piece on e5."
        assert refusal_at(START, (cell("a9"),)) == "The piece on a9 is your opponent's."
        assert refusal_at(parse("3k5/9/9/9/9/9/9/9/4A4/3AK4 w", {}), (cell("d0"),)).endswith("it is shut in.")
        assert refusal(START, step_of("a0b0")) == "Your own piece stands on b0."
        assert refusal(START, -1).startswith("There is no such cell")
        pinned = parse("3k5/9/9/9/9/4r4/9/4N4/9/4K4 w", {})
        assert refusal_at(pinned, (cell("e2"),)).endswith("your general would be open to attack.")
        attacked = parse("3k5/9/9/9/9/4r4/9/9/9/N3K4 w", {})
        assert refusal_at(attacked, (cell("a0"),)).endswith("that would not end the check.")
