#!/bin/bash
# OpenSpiel 2.0.2 (2026-11-30): xiangqi in which perpetual check is never answered for, nor any other repetition.
#
# Behaviour: a cannon that checks for 237 moves on end, between the same two squares, goes on until ply 500, where every
# game is cut off as a draw. The position in which it begins comes up more than a hundred times. An
# observation holds the board and the side to move, so nothing tells a program that it has been here before.
#
# Expected: the one who checks perpetually loses, as all rule books have it and as the encyclopedia's page says that the
# game's source names as its rules; at the least a draw by repetition, as in the chess of the same library, which ends
# such shuffling after eight plies. Fairy-Stockfish's library (pyffish 0.0.90) ends the same moves as lost for Red.
#
# Why that is wrong: a side that stands lost but has a check to repeat is safe. Programs that learn by self-play can
# learn to look for it, their games grow to the limit, and their values of such positions are wrong wherever the rules
# are kept. Whoever uses the game must count repetitions and checks outside it.
#
# Output seen:
#   pyffish: after 8 plies of it the game may be ended, lost for Red
#   xiangqi: 474 plies of it, in 237 of 237 of Red's moves a check, returns [0.0, 0.0] at ply 500
#   chess: 8 plies of it, returns [0.0, 0.0]
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "open_spiel==2.0.2" "pyffish==0.0.90" 2>"$folder/pip.log" ||
    { cat "$folder/pip.log"; exit 1; }
cat >"$folder/perpetual.py" <<'P'
import itertools
import re

import pyffish
import pyspiel

# a game of legal, if odd, moves that comes to a position in which Red's cannon can check for ever
OPENING = """g1e3 b8b9 c4c5 c7c6 f1e2 h8f8 h3i3 f8b8 e1f1 b8i8 a1a3 f10e9 i3i7 i8i4 i7e7 e9f8 a3a2 a10a9 i1i2 i4i6 e2d3 i10i8
b3b8 i6d6 e7e5 b9c9""".split()
CHECKS = "b8e8 d6e6 e8b8 e6d6".split()
START = pyffish.start_fen("xiangqi")


def action(move):
    """OpenSpiel numbers a move by the squares left and reached, from Black's left corner in rows of nine."""
    files_and_ranks = re.fullmatch(r"([a-i])(\d+)([a-i])(\d+)", move).groups()
    left, reached = (
        (10 - int(rank)) * 9 + ord(file) - ord("a") for file, rank in (files_and_ranks[:2], files_and_ranks[2:])
    )
    return left * 90 + reached


def until_over(state, actions):
    plies = 0
    for each in itertools.cycle(actions):
        if state.is_terminal():
            return plies
        state.apply_action_with_legality_check(each)
        plies += 1


for repeats in itertools.count(1):
    ended, value = pyffish.is_optional_game_end("xiangqi", START, OPENING + CHECKS * repeats)
    if ended:
        break
red = {True: "lost", False: "won"}[value < 0] if value else "drawn"
print(f"pyffish: after {4 * repeats} plies of it the game may be ended, {red} for Red")

state = pyspiel.load_game("xiangqi").new_initial_state()
for move in OPENING:
    state.apply_action_with_legality_check(action(move))
plies = until_over(state, [action(move) for move in CHECKS])
moves = OPENING + CHECKS * (plies // 4 + 1)
reds = range(len(OPENING), len(OPENING) + plies, 2)
checks = sum(pyffish.gives_check("xiangqi", START, moves[: ply + 1]) for ply in reds)
print(
    f"xiangqi: {plies} plies of it, in {checks} of {len(reds)} of Red's moves a check,"
    f" returns {state.returns()} at ply {state.move_number()}"
)

state = pyspiel.load_game("chess").new_initial_state()
shuffle = []
for move in ("Nf3", "Nf6", "Ng1", "Ng8"):
    shuffle.append(state.string_to_action(move))
    state.apply_action(shuffle[-1])
print(f"chess: {until_over(pyspiel.load_game('chess').new_initial_state(), shuffle)} plies of it,", end=" ")
while not state.is_terminal():
    state.apply_action(shuffle[state.move_number() % 4])
print(f"returns {state.returns()}")
P
seen=$("$folder/venv/bin/python" "$folder/perpetual.py")
echo "$seen"
expected="pyffish: after 8 plies of it the game may be ended, lost for Red
xiangqi: 474 plies of it, in 237 of 237 of Red's moves a check, returns [0.0, 0.0] at ply 500
chess: 8 plies of it, returns [0.0, 0.0]"
[ "$seen" = "$expected" ] || { echo "This has changed: OpenSpiel's xiangqi, or its chess, ends repetitions otherwise than before."; exit 1; }
