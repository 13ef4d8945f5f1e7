#!/bin/bash
# OpenSpiel 2.0.2 (2026-11-30): games of 2048 that return more than `game.max_utility()`.
#
# Behaviour: `load_game("2048").max_utility()` is 20480, and a game that ends with the tile 2048 may return more, here
# 20844. With smaller final tiles, which the parameter `max_tile` offers, even random play is often above the bound:
# with 64 as the last tile the bound is 320, and nearly every random game returns more, up to twice as much.
#
# Expected: no play at all returns more than `max_utility`; the interface promises the highest utility that a player can
# get, and whoever scales returns or values to the range from `min_utility` to `max_utility` relies on it.
#
# Why that is wrong: the bound is the score that merging twos up to the last tile takes, t * (log2(t) - 1). It leaves out
# what else lies on the board: all other tiles were merged too and their points count. They often
# outweigh the points that are never scored because some tiles fall as fours.
#
# Output seen:
#   last tile 8: bound 16, 125 of 300 random games above, best 44
#   last tile 16: bound 48, 251 of 300 random games above, best 100
#   last tile 64: bound 320, 289 of 300 random games above, best 652
#   last tile 2048: bound 20480, a game in which the twos fall well returns 20844
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "open_spiel==2.0.2" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/bound.py" <<'P'
import random

import pyspiel

# a path through the board, each square worth half of the one before
PATH = (0, 1, 2, 3, 7, 6, 5, 4, 8, 9, 10, 11, 15, 14, 13, 12)
WORTH = {square: 2.0**-place for place, square in enumerate(PATH)}


def random_game(game, seed):
    chance = random.Random(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes())
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    return state.returns()[0]


def ordered(state):
    return sum(WORTH[square] * tile**2 for square, tile in enumerate(state.observation_tensor(0)))


def twos(state):
    return [outcome for outcome, _ in state.chance_outcomes() if outcome % 2 == 0]


def best(state):
    """How good the board can be made by one move."""
    if state.is_terminal():
        return float("inf") if max(state.observation_tensor(0)) == 2048 else -1.0
    return max(ordered(state.child(action)) for action in state.legal_actions())


def moved(state, action):
    after = state.child(action)
    return best(after) if after.is_terminal() else max(best(after.child(two)) for two in twos(after))


for tile in (8, 16, 64):
    game = pyspiel.load_game("2048", {"max_tile": tile})
    returns = [random_game(game, seed) for seed in range(300)]
    above = sum(value > game.max_utility() for value in returns)
    print(f"last tile {tile}: bound {game.max_utility():.0f}, {above} of 300 random games above, best {max(returns):.0f}")

game = pyspiel.load_game("2048")
state = game.new_initial_state()
while not state.is_terminal():
    if state.is_chance_node():
        state.apply_action(max(twos(state), key=lambda two: best(state.child(two))))
    else:
        state.apply_action(max(state.legal_actions(), key=lambda action: moved(state, action)))
print(
    f"last tile 2048: bound {game.max_utility():.0f}, a game in which the twos fall well returns {state.returns()[0]:.0f}"
)
P
"$folder/venv/bin/python" "$folder/bound.py" | tee "$folder/said"
cat >"$folder/expected" <<'P'
last tile 8: bound 16, 125 of 300 random games above, best 44
last tile 16: bound 48, 251 of 300 random games above, best 100
last tile 64: bound 320, 289 of 300 random games above, best 652
last tile 2048: bound 20480, a game in which the twos fall well returns 20844
P
cmp -s "$folder/said" "$folder/expected" || { echo "This has changed: OpenSpiel's games of 2048, or the bound of their returns, are other ones."; exit 1; }
