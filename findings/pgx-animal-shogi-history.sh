#!/bin/bash
# pgx 2.6.0 with jax 0.10.2 (2026-11-30): animal shogi whose observation shows a past that never was.
#
# Behaviour: an observation has 24 planes for the present and 24 for each of the seven positions before. The present is
# right. After two plies the planes for the start show six pieces of its eight. Of 480 boards that were two, four or six
# plies back in random games, 6 look as the same player had seen them, and 222 lack a lion or both.
#
# Expected: what the player saw two plies ago, 48 planes further on. Lions never leave the board. The same package's
# Gardner chess pushes its boards on by the 25 squares that one of them has.
#
# Why that is wrong: the history is eight rows of twelve squares and is pushed on by eight squares at every ply, not by
# twelve, so a board that gets older is put together from parts of several. (The hands, six numbers each, are pushed on
# by eight too.) A network gets 168 of its 194 planes with pieces that are missing or stand where they never stood.
# Nothing fails: it learns in spite of them, and what one measures of the use of history is measured with noise.
#
# Output seen:
#   pieces on the board of the start: after 0 plies 8, after 2 plies 6, after 4 plies 6, after 6 plies 6
#   boards of the present with both lions: 176 of 176
#   boards 2, 4 and 6 plies back: 6 of 480 as they were seen, 258 of 480 with both lions
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder/packages" "pgx==2.6.0" "jax[cpu]==0.10.2" \
    2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/history.py" <<'P'
import random

import jax
import numpy as np
import pgx

ENV = pgx.make("animal_shogi")
start, step = jax.jit(ENV.init), jax.jit(ENV.step)
PLANES, LION = 24, 3
GAMES = 4
chance = random.Random(1)


def board(state, back):
    """The ten planes of the pieces, five of the player's and five of the opponent's, so many plies ago."""
    return np.asarray(state.observation)[:, :, PLANES * back :][:, :, :10]


pieces, now, told, same, lions = {}, 0, 0, 0, 0
positions = 0
for game in range(GAMES):
    state = start(jax.random.PRNGKey(game))
    seen = []
    while not state.terminated:
        seen.append(board(state, 0))
        positions += 1
        now += seen[-1][:, :, LION].sum() == seen[-1][:, :, LION + 5].sum() == 1
        if game == 0 and len(seen) in (1, 3, 5, 7):
            pieces[len(seen) - 1] = int(board(state, len(seen) - 1).sum())
        for back in (2, 4, 6):
            if back < len(seen):
                then = board(state, back)
                told += 1
                same += bool((then == seen[-1 - back]).all())
                lions += bool(then[:, :, LION].sum() == then[:, :, LION + 5].sum() == 1)
        legal = np.flatnonzero(state.legal_action_mask)
        state = step(state, int(chance.choice(legal)))
counts = ", ".join(f"after {plies} plies {count}" for plies, count in pieces.items())
print(f"pieces on the board of the start: {counts}")
print(f"boards of the present with both lions: {now} of {positions}")
print(f"boards 2, 4 and 6 plies back: {same} of {told} as they were seen, {lions} of {told} with both lions")
P
seen=$(JAX_PLATFORMS=cpu PYTHONPATH="$folder/packages" python3 "$folder/history.py")
echo "$seen"
expected="pieces on the board of the start: after 0 plies 8, after 2 plies 6, after 4 plies 6, after 6 plies 6
boards of the present with both lions: 176 of 176
boards 2, 4 and 6 plies back: 6 of 480 as they were seen, 258 of 480 with both lions"
[ "$seen" = "$expected" ] || { echo "This has changed: pgx's animal shogi keeps its history otherwise."; exit 1; }
