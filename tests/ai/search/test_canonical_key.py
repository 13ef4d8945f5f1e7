"""Mirror images: one key for all of them, the same worth, and never taken for each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from papan.ai.evaluation import STANDARD, evaluate, evaluation_of
from papan.game.catalogue import GAMES
from papan.game.match import Match
from papan.game.rules import (
    State,
    canonical_key,
    connect_four,
    is_over,
    key,
    legal_steps,
    mover,
    othello,
    play,
    xiangqi,
)
from tests.ai.playing import at_random


def four_images(state: connect_four.State) -> list[State]:
    def mirrored(discs: int) -> int:
        cells = [(c, r) for c in range(7) for r in range(7) if discs >> (7 * c + r) & 1]
        return sum(1 << (7 * (6 - c) + r) for c, r in cells)

    return [state, connect_four.State(mirrored(state.mine), mirrored(state.theirs))]


def othello_images(state: othello.State) -> list[State]:
    def image(discs: int, number: int) -> int:
        made = 0
        for cell in range(64):
            if discs >> cell & 1:
                row, column = divmod(cell, 8)
                row, column = (column, row) if number & 1 else (row, column)
                row, column = 7 - row if number & 2 else row, 7 - column if number & 4 else column
                made |= 1 << (row * 8 + column)
        return made

    return [othello.State(image(state.mine, n), image(state.theirs, n), state.to_move) for n in range(8)]


def xiangqi_images(state: xiangqi.State) -> list[State]:
    def mirrored(half: int) -> int:
        return sum(1 << (9 * (cell // 9) + 8 - cell % 9) for cell in range(45) if half >> cell & 1)

    return [state, xiangqi.State._make((*map(mirrored, state[:10]), *state[10:]))]


IMAGES: dict[str, Callable[..., list[State]]] = {
    "connect-four": four_images,
    "othello": othello_images,
    "xiangqi": xiangqi_images,
}


def positions(name: str, number: int) -> list[State]:
    random = Random(7)
    found: list[State] = []
    while len(found) < number:
        seed = random.randrange(1000)
        match = at_random(Match.new(GAMES[name], ["a", "b"], seed=seed), random.randrange(30), seed)
        if not match.ending:
            found.append(match.state)
    return found


def following(state: State) -> Counter[int]:
    """The canonical keys after the legal steps."""
    return Counter(canonical_key(play(state, step))[0] for step in legal_steps(state))


@pytest.mark.parametrize("name", IMAGES)
def test_images_have_one_key_ways_of_their_own_and_the_same_worth(name: str) -> None:
    weights = np.array(evaluation_of(GAMES[name]).WEIGHTS[STANDARD])
    for state in positions(name, 25):
        images = IMAGES[name](state)
        assert {canonical_key(image)[0] for image in images} == {min(key(image) for image in images)}
        ways: dict[int, State] = {}
        for image in images:
            assert ways.setdefault(canonical_key(image)[1], image) == image
        assert len(ways) == len(set(images))
        for image in images[1:]:
            assert (mover(image), is_over(image)) == (mover(state), is_over(state))
            assert evaluate(image, 0, weights) == pytest.approx(evaluate(state, 0, weights))
            assert following(image) == following(state)
