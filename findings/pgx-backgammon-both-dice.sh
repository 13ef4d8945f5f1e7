#!/bin/bash
# pgx 2.6.0 with jax 0.10.2 (2026-12-01): backgammon in which a die may be left, and a checker on the bar counts less.
#
# Behaviour: of 3358 rolls of two different numbers in random games, ten let the player make a move with one die after
# which the other is lost, though another order or another checker plays both. With 3-2 and one play by the rules, 9/7/4,
# the mask also offers 3/1, and the 3 is gone. If either die can be played but not both, the mask offers the smaller too.
# A game won while the loser has borne off nothing and has a checker on the bar, none in the winner's home, pays 2.
#
# Expected: both dice are played if there is a way to, and the larger if only one can be, as the rules have it, those of
# the encyclopedia's page that the documentation quotes too; a loser's checker on the bar makes a backgammon, 3 points,
# as one in the winner's home does. GNU Backgammon (gnubg 1.1.0a16) keeps to all of it: in every one of the 3358 rolls it
# has as many plays as pgx has without the wrong ones.
#
# Why that is wrong: the mask looks at one die at a time, at what is on the board now, and nothing looks ahead. The rule
# binds where a side is hemmed in, where leaving a 6 saves a position that the rules make it break; what a program
# learns there is not to be had elsewhere, and forty games met it ten times. Its games hold plays that other programs
# refuse. Who needs the rule must try the pairs of actions outside the environment.
#
# Output seen:
#   3358 rolls of 40 games: one of two dice may be left in 10, the larger of either in 0
#   without these plays as many as gnubg has: 3358 of 3358
#   3-2: 9 by 2 3 by 2; plays 2, of gnubg 1
#   6-5: 24 by 5 24 by 6; plays 2, of gnubg 1
#   won with a checker of the loser's on the bar: 2 points, of gnubg 3
#   won with a checker of the loser's on the 4-point: 3 points, of gnubg 3
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder/packages" "pgx==2.6.0" "jax[cpu]==0.10.2" \
    "gnubg==1.1.0a16" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/dice.py" <<'P'
import random

import gnubg
import jax
import numpy as np
import pgx
from pgx.backgammon import _legal_action_mask

ENV = pgx.make("backgammon")
start, step = jax.jit(ENV.init), jax.jit(ENV.step)
each_step = jax.jit(jax.vmap(ENV.step, (None, 0, None)))
KEY = jax.random.PRNGKey(0)
CUBE, SHALLOW = gnubg.cubeinfo(), dict(gnubg.evalcontext(), plies=0)
BAR, OFF = 24, 26  # the mover's; the next number is the opponent's
GAMES = 40


def steps(state):
    """What the mask allows, with the states after; a pass has the numbers 0 to 5, of which one will do."""
    legal = [action for action in np.flatnonzero(state.legal_action_mask) if action >= 6] or [0]
    padded = np.array(legal + legal[:1] * (32 - len(legal)))  # of one length, to compile once
    states = jax.tree_util.tree_map(np.asarray, each_step(state, padded, KEY))
    return [(int(a), jax.tree_util.tree_map(lambda every: every[i], states)) for i, a in enumerate(legal)]


def board_of(state, player):
    """The board as the player sees it, who may just have ended the turn."""
    board = np.asarray(state._board)
    if state.current_player != player:
        board = -np.concatenate([board[23::-1], board[[25, 24, 27, 26]]])
    return tuple(board.tolist())


def plays(state):
    """For each board that the turn may end with, the dice that are played on the way, on the longest way if several."""
    player, found = state.current_player, {}
    for first, middle in steps(state):
        if middle.terminated or middle.current_player != player:
            ways = [((), middle) if first < 6 else ((first % 6 + 1,), middle)]
        else:
            ways = [(tuple(a % 6 + 1 for a in (first, second) if a >= 6), end) for second, end in steps(middle)]
        for dice, end in ways:
            board = board_of(end, player)
            found[board] = max(found.get(board, ()), dice, key=len)
    return found


def by_gnubg(board, dice):
    mover = (*(max(0, n) for n in board[23::-1]), board[BAR])
    opponent = (*(max(0, -n) for n in board[:24]), -board[BAR + 1])
    return (opponent, mover)


def count(state, dice):
    """The plays that pgx offers, those of gnubg, and of the former those that leave a die and those of the smaller one."""
    found = list(plays(state).values())
    most = max(map(len, found))
    few = sum(len(played) < most for played in found)
    larger = (max(dice),) in found
    small = sum(most == 1 and larger and played == (min(dice),) for played in found)
    theirs = gnubg.findbestmoves(by_gnubg(board_of(state, state.current_player), dice), CUBE, SHALLOW, dice)
    return len(found), max(1, len(theirs)), few, small


def dice_of(state):
    return tuple(int(die) + 1 for die in state._dice)


def position(board, dice):
    """The board by pgx's numbers: 0 is the mover's 24-point, and 23 the 1-point."""
    whole = np.zeros(28, np.int32)
    for point, number in board.items():
        whole[point] = number
    whole[OFF] = 15 - whole[whole > 0].sum()
    whole[OFF + 1] = -15 - whole[:OFF][whole[:OFF] < 0].sum()
    one, two = (die - 1 for die in dice)
    state = start(KEY)
    state = state.replace(
        _board=whole, _dice=np.int32([one, two]), _playable_dice=np.int32([one, two, -1, -1]), _turn=np.int32(0)
    )
    mask = jax.jit(_legal_action_mask)(state._board, state._playable_dice)
    return state.replace(legal_action_mask=mask)


def names(state):
    def point(square):
        return "bar" if square == -1 else str(24 - square)

    return " ".join(
        f"{point(a // 6 - 2)} by {a % 6 + 1}" for a in map(int, np.flatnonzero(state.legal_action_mask)) if a >= 6
    )


turns = agreed = shorts = smalls = 0
chance = random.Random(1)
for game in range(GAMES):
    state, ply = start(jax.random.PRNGKey(game)), 0
    while not state.terminated:
        dice = dice_of(state)
        if state._played_dice_num == 0 and dice[0] != dice[1]:
            offered, theirs, few, small = count(state, dice)
            turns += 1
            shorts += few > 0
            smalls += small > 0
            agreed += offered - few - small == theirs
        action = int(chance.choice(np.flatnonzero(state.legal_action_mask)))
        state = step(state, action, jax.random.PRNGKey(1000 * game + ply))
        ply += 1
print(
    f"{turns} rolls of {GAMES} games: one of two dice may be left in {shorts}, the larger of either in {smalls}\n"
    f"without these plays as many as gnubg has: {agreed} of {turns}"
)
both = position({15: 2, 21: 2, 22: 2, 23: 9, 18: -4, 0: -8, 1: -1, 2: -2}, (3, 2))
one = position({0: 1, 23: 14, 11: -2, 7: -5, 8: -5, 16: -3}, (6, 5))
for state in (both, one):
    dice = dice_of(state)
    offered, theirs, *_ = count(state, dice)
    print(f"{dice[0]}-{dice[1]}: {names(state)}; plays {offered}, of gnubg {theirs}")
for where, square in (("on the bar", BAR + 1), ("on the 4-point", 20)):
    state = position({23: 1, square: -1, 5: -14}, (6, 5))
    chances = gnubg.evaluate(by_gnubg(board_of(state, state.current_player), None), CUBE, SHALLOW)
    player = int(state.current_player)
    (end,) = {float(after.rewards[player]) for _, after in steps(state)}
    print(f"won with a checker of the loser's {where}: {end:.0f} points, of gnubg {sum(chances[:3]):.0f}")
P
seen=$(JAX_PLATFORMS=cpu PYTHONPATH="$folder/packages" python3 "$folder/dice.py")
echo "$seen"
expected="3358 rolls of 40 games: one of two dice may be left in 10, the larger of either in 0
without these plays as many as gnubg has: 3358 of 3358
3-2: 9 by 2 3 by 2; plays 2, of gnubg 1
6-5: 24 by 5 24 by 6; plays 2, of gnubg 1
won with a checker of the loser's on the bar: 2 points, of gnubg 3
won with a checker of the loser's on the 4-point: 3 points, of gnubg 3"
[ "$seen" = "$expected" ] || { echo "This has changed: pgx's backgammon offers other plays than before, or pays otherwise."; exit 1; }
