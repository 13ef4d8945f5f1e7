"""Boards of 2048 with tiles that hardly any game had: a player thinks about ones that are like them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from papan.ai.learning.network import familiar, likened, most_familiar, stage
from papan.ai.learning.twenty48 import FAMILIAR
from papan.ai.players import make_player, situation
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import legal_steps
from papan.game.rules.twenty48.board import LARGEST, State, board_cells, board_of, tile

GAME = GAMES["2048"]


def powers(state: State) -> list[int]:
    return [tile(state, cell) for cell in board_cells(4)]


def some_boards(number: int) -> list[State]:
    random = Random(3)
    return [
        board_of({cell: random.choice((0, random.randrange(1, LARGEST + 1))) for cell in board_cells(4)}, 4, 1000)
        for _ in range(number)
    ]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((14, 12, 3), (13, 12, 3)),
        ((15, 14, 12, 3), (14, 13, 12, 3)),
        ((15, 13, 12, 3), (14, 13, 12, 3)),
        ((14, 13, 12, 3), (13, 12, 11, 3)),
        ((15, 15, 1), (15, 15, 1)),
        ((14, 14, 1), (13, 13, 1)),
        (tuple(range(14, 0, -1)), tuple(range(14, 0, -1))),
        ((13, 11), (13, 11)),
        ((14, 13, 11, 3), (13, 12, 11, 3)),
    ],
)
def test_above_a_missing_tile_all_are_halved(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    found = likened(board_of(dict(enumerate(before)), 4, 7))
    assert found == board_of(dict(enumerate(after)), 4, 7)


def test_what_can_merge_and_which_is_larger_stays_the_same() -> None:
    changed = 0
    for state in some_boards(600):
        found = likened(state)
        changed += found != state
        assert legal_steps(found) == legal_steps(state)
        assert (found.score, found.size, found.awaits_tile) == (state.score, state.size, state.awaits_tile)
        before, after = powers(state), powers(found)
        order = [sorted(set(seen)) for seen in (before, after)]
        assert [order[0].index(one) for one in before] == [order[1].index(one) for one in after]
        if max(before) <= FAMILIAR:
            assert found == state
    assert changed > 300


def test_it_is_halved_until_nothing_is_missing() -> None:
    for state in some_boards(600):
        found = most_familiar(state)
        there = powers(found)
        assert likened(found) == found
        assert max(there) <= FAMILIAR or set(range(1, max(there))) <= set(there) or there.count(LARGEST) > 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((14, 13, 12, 3), (14, 13, 12, 3)),  # learned from as it is
        ((15, 13, 12, 3), (14, 13, 12, 3)),  # as far from the next tile, with as many that can't merge
        ((15, 14, 12, 3), (14, 13, 12, 3)),
        ((15, 14, 13, 12, 3), (14, 13, 12, 11, 3)),
        ((15, 13, 11, 3), (13, 12, 11, 3)),
        ((14, 13, 11, 3), (13, 12, 11, 3)),
    ],
)
def test_halving_ends_at_a_board_of_the_second_stage(before: tuple[int, ...], after: tuple[int, ...]) -> None:
    found = familiar(board_of(dict(enumerate(before)), 4, 7))
    assert found == board_of(dict(enumerate(after)), 4, 7)


def test_a_player_thinks_about_it() -> None:
    player, asked = make_player("learned", GAME), situation(Match.new(GAME, [""], seed=1))
    differ = 0
    for state in filter(legal_steps, some_boards(60)):
        scores = [player.choose(replace(asked, state=one)).score for one in (state, familiar(state))]
        assert scores[0] == scores[1]
        differ += state != familiar(state)
    assert differ > 20


def test_the_second_stage_is_the_last_quarter_of_the_way_to_the_largest_tile() -> None:
    seen = set()
    for state in some_boards(8_000):
        there = set(powers(state))
        expected = int({14, 13, 12} <= there and 15 not in there)
        assert stage(state) == expected
        seen.add(expected)
        thought_about = familiar(state)
        if expected:
            assert thought_about == state
        elif stage(thought_about) == 0:
            assert thought_about == most_familiar(state)
        else:
            assert max(powers(thought_about)) == LARGEST - 1
            seen.add(2)
    assert seen == {0, 1, 2}
