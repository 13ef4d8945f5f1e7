"""What searches make of positions that come again, on their path or in the match: what the match's rules would."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dev.trials.repetitions import case, circling, repeating_games
from papan.ai.evaluation import STANDARD, evaluation_of
from papan.ai.limits import WIN, Limit
from papan.ai.players import SearchingPlayer, make_player, situation
from papan.ai.search.alphabeta import AlphaBeta
from papan.ai.search.negamax import WORKSPACE, quiescence_search
from papan.ai.search.ordering import MOST_PLIES
from papan.ai.search.repetition import (
    PATH,
    REPETITION_SCORE,
    CameTwice,
    begin_path,
    begin_path_of,
    come_back,
    come_twice,
    comes_back,
    repetition_value,
)
from papan.ai.search.table import depth_of
from papan.game.catalogue import GAMES
from papan.game.game import Game
from papan.game.kernel import plainly
from papan.game.kernel.arrays import new_record, put_state, state_rows
from papan.game.match import Match
from papan.game.rules import State, key, legal_steps, mover, play
from papan.game.rules.xiangqi import parse, repetition_ending
from papan.game.rules.xiangqi.board import STEP_SHIFT, TARGET_MASK
from tests.sizes import sample_and_all

XIANGQI = GAMES["xiangqi"]
PERPETUAL = "4k4/9/9/9/9/9/9/9/3R5/5K3 w"
IN_CHECK = "4k4/9/9/9/9/9/9/9/4R4/5K3 b"
CHASE = "3k5/9/9/9/c8/9/9/9/R8/5K3 b"
BOTH_ATTACK = "3k1R3/9/9/9/9/9/9/9/3r5/4K4 b"
CHECKS = "R8/3k5/9/9/9/9/9/9/4K4/9 w"
AROUND, PAUSE = "a9a8 d8d9 a8a9 d9d8", "a9b9 d8d7 b9a9 d7d8"
"""From CHECKS each leads back: red gives check all along by the first, and none by the second."""

WON = "3a2R2/2c1k4/n2r5/4p2P1/p5P2/5R3/P3P4/2N1BC3/5r3/3AK4 w 2"
THROWN_AWAY = "d0e1 d7i7 e0d0 i7d7 d0e0 d7i7 e0d0 i7d7"
"""From WON: black gives check with every other turn, and d0e0 makes it a draw. Red is far ahead."""


def match_by(position: str, moves: str) -> Match:
    """A match of xiangqi from *position* on."""
    match = Match.new(XIANGQI, ["a", "b"], position=position)
    for move in moves.split():
        match.play(step_of(match, move))
    return match


def step_of(match: Match, move: str) -> int:
    return next(step for step in match.legal_steps() if match.rules.notation(match.state, step) == move)


def new_path() -> Any:
    return SimpleNamespace(path=np.zeros(PATH, np.int64), path_note=np.zeros(PATH, np.int64))


def judged(before: Sequence[State], after: Sequence[State]) -> float | None:
    """What a search whose root is the last of *before* makes of the last of *after*, to which its path leads."""
    work = new_path()
    end = begin_path(before[-1], come_twice(before), work)
    for state in after:
        start, note = come_back(state, end, end, work)
        if start >= 0:
            assert state is after[-1], "nothing else comes again"
            return repetition_value(note, mover(state))
        end += 1
    return None


def back(step: int) -> int:
    """The step that takes *step* back."""
    return (step & TARGET_MASK) << STEP_SHIFT | step >> STEP_SHIFT


def cycles(start: State) -> Iterator[list[State]]:
    """*start* and the states after it, until it stands there for the third time: each side goes to and fro."""
    for step in legal_steps(start):
        first = play(start, step)
        for answer in legal_steps(first):
            second = play(first, answer)
            if back(step) in legal_steps(second):
                third = play(second, back(step))
                if third.quiet == 3 and back(answer) in legal_steps(third):
                    states = [start]
                    for one in (step, answer, back(step), back(answer)) * 2:
                        states.append(play(states[-1], one))
                    yield states


@pytest.mark.parametrize(
    ("position", "rule", "verdicts"),
    [
        (PERPETUAL, "check", {0.0, 1.0}),
        (IN_CHECK, "check", {-1.0, 0.0}),
        (BOTH_ATTACK, "check", {-1.0, 0.0}),
        (CHASE, "check", {0.0}),
        (CHASE, "axf", {-1.0, 0.0}),
    ],
)
def test_a_cycle_is_judged_as_the_rules_judge_it_wherever_the_search_begins(
    position: str, rule: str, verdicts: set[float]
) -> None:
    start = parse(position, {"repetition": rule})
    met: set[float] = set()
    for states in cycles(start):
        ending = repetition_ending(states)
        assert ending is not None
        value = ending.payoffs[1 - start.to_move]
        assert judged(states[:1], states[1:5]) == value, "at its second time, all of it on the path"
        for root in range(4, 8):
            assert judged(states[: root + 1], states[root + 1 :]) == value
        met.add(value)
    assert met >= verdicts


class TestWhatCameBefore:
    def test_a_third_repetition_that_is_a_draw_is_scored_as_one(self) -> None:
        """It was scored as a sure win, and played: since the root black had given check with each turn."""
        match = match_by(WON, THROWN_AWAY)
        told, draw = situation(match), step_of(match, "d0e0")
        for name in ("depth=1", "depth=2", "nodes=2000", "nodes=2000,pruning=0"):
            player = make_player(f"minimax:{name}", XIANGQI)
            assert isinstance(player, SearchingPlayer)
            assert player.search.analyse(told.state, Limit(depth=1), told.came_twice, only=[draw]).score == 0.0
            chosen = player.choose(told)
            assert chosen.step != draw
            assert 5.0 < chosen.score < 50.0
        match.play(draw)
        assert match.ending is not None and match.ending.winner is None

    def test_a_monte_carlo_search_sees_it_too(self) -> None:
        match = match_by(WON, THROWN_AWAY)
        told, draw = situation(match), step_of(match, "d0e0")
        player = make_player("mcts:sims=60", XIANGQI)
        assert isinstance(player, SearchingPlayer)
        found = player.search.analyse(told.state, Limit(simulations=60), told.came_twice, only=[draw])
        assert found.score == 0.0 and not found.is_proven
        checked = match_by(CHECKS, f"{AROUND} a9a8 d8d9 a8a9")
        told, won = situation(checked), step_of(checked, "d9d8")
        assert player.search.analyse(told.state, Limit(simulations=60), told.came_twice, only=[won]).score > 0.0

    @pytest.mark.parametrize(("moves", "value"), [(f"{PAUSE} {AROUND}", 0.0), (f"{AROUND} {AROUND}", 1.0)])
    def test_a_check_that_was_interrupted_before_the_search_is_a_draw(self, moves: str, value: float) -> None:
        states = match_by(CHECKS, moves).states
        for root in range(4, 8):
            assert judged(states[: root + 1], states[root + 1 :]) == value

    def test_the_rules_end_a_cycle_where_another_position_of_it_comes_thrice_sooner(self) -> None:
        """Red gives check all around, but the second position came once before a pause."""
        match = match_by("3k5/R8/9/9/9/9/9/9/4K4/9 w", "a8a7 d9d8 a7a8 d8d9 a8a9 d9d8 a9a8")
        states = match.states
        assert judged(states[2:3], states[3:]) == -1.0
        assert judged(states[:3], states[3:]) == 0.0
        match.play(step_of(match, "d8d9"))
        assert match.ending is not None and match.ending.winner is None

    def test_of_bare_keys_only_the_way_from_the_root_is_judged(self) -> None:
        match = match_by(CHECKS, f"{AROUND} a9a8 d8d9 a8a9")
        after, work = play(match.state, step_of(match, "d9d8")), new_path()
        end = begin_path(match.state, [int(key(after))], work)
        start, note = come_back(after, end, end, work)
        assert (start, repetition_value(note, mover(after))) == (0, 1.0)

    def test_a_score_that_rests_on_it_is_not_found_on_another_path(self) -> None:
        """Of red's check, which black answers by a third repetition, the table knows the answer, but not the score."""
        match = match_by(CHECKS, f"{AROUND} a9a8 d8d9")
        told = situation(match)
        search = AlphaBeta(XIANGQI.rules, evaluation_of(XIANGQI).WEIGHTS[STANDARD], table_bits=10)
        check = step_of(match, "a8a9")
        assert search.analyse(told.state, Limit(depth=3), told.came_twice, only=[check]).score == -REPETITION_SCORE
        scores = search._table["score"].view(np.float64)
        depths = [depth_of(int(facts)) for facts in search._table["facts"][np.abs(scores) == REPETITION_SCORE]]
        assert depths and not any(depths)

    def test_there_is_room_for_the_latest_of_many(self) -> None:
        state, work = parse(PERPETUAL, {}), new_path()
        many = CameTwice(range(3), (1, 2, 3), [(10 + number, 4) for number in range(PATH)])
        end = begin_path(state, many, work)
        assert end + MOST_PLIES <= PATH
        assert work.path[work.twice_start : end].tolist() == [0, 1, 2, key(state)]
        assert work.path[: work.twice_start].tolist() == list(range(10, 10 + work.twice_start))

    def test_beyond_the_horizon_a_way_out_of_check_ends_the_match(self) -> None:
        match = match_by(CHECKS, f"{AROUND} a9a8 d8d9")
        checked, work = play(match.state, step_of(match, "a8a9")), new_record(WORKSPACE)
        weights = np.array(evaluation_of(XIANGQI).WEIGHTS[STANDARD], np.float64)
        work.root_seat, work.buffer_limit, work.last_ply, work.look_at = 0, 1000, 100, 1000
        scores = []
        with plainly():
            for came_twice in ((), situation(match).came_twice):
                end = begin_path(match.state, came_twice, work)
                assert not comes_back(checked, end, end, work)[0]
                work.has_come_twice = len(came_twice)
                scores.append(quiescence_search(checked, -2.0 * WIN, 2.0 * WIN, 1, 0, 0, end + 1, weights, work))
        assert scores[0] < 0.0
        assert scores[1] == REPETITION_SCORE


@pytest.mark.parametrize("game", repeating_games(), ids=lambda game: game.name)
def test_compiled_players_are_told_the_same(game: Game) -> None:
    """They find it in the game's states, and the others are told it."""
    told, found, twice = new_path(), new_path(), 0
    for match in [match for seed in range(1, 5) for match, _, _ in [*islice(circling(game, seed), 40)][-1:]]:
        states, rows = match.states, state_rows(match.state, len(match.states))
        for index, state in enumerate(states):
            put_state(state, rows, index)
        keys = [int(key(state)) for state in states]
        for past in range(len(states) - 20, len(states) + 1):
            end = begin_path(states[past - 1], come_twice(states[:past]), told)
            assert begin_path_of(states[past - 1], rows, keys, past, found) == end
            assert parts(told) == parts(found)
            twice += told.path_start - told.twice_start
    assert twice > 20


def parts(work: Any) -> list[set[tuple[int, int]]]:
    """What came once before the root, what came twice, and the root, with their notes."""
    entries = list(zip(work.path.tolist(), work.path_note.tolist(), strict=True))
    once, start = work.twice_start, work.path_start
    return [set(entries[:once]), set(entries[once:start]), {entries[start]}]


@sample_and_all("asked", 120, 10_000)
def test_searches_expect_of_a_third_repetition_what_the_rules_say(asked: int, tmp_path: Path) -> None:
    counts = sum((case(seed, tmp_path) for seed in range(1, asked // 30)), Counter[str]())
    assert sum(count for name, count in counts.items() if "repetitions" in name) >= asked
    assert {name.partition(" ")[0] for name in counts} == {game.name for game in repeating_games()}
