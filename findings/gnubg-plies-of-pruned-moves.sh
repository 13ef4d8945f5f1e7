#!/bin/bash
# gnubg 1.1.0a16, Python's GNU Backgammon (2026-11-30): scores of `findbestmoves` are shallower than asked, unmarked.
#
# Behaviour: for the opening roll 3-1 a search of two plies returns 16 scores: seven are those of one ply and nine those
# of none, to the last digit. Four plies answer as fast, and still give the best move its score of one ply. For 6-2 the
# list mixes scores of none, one and two plies. An answer holds the move and its score and nothing else.
#
# Expected: scores of the depth that `evalcontext` asks for, or the depth beside each, as the program's own hints have
# it ("Cubeful 0-ply"). `evaluate` does look as deep as it is told: two plies make the position after 8/5 6/5, the best
# 3-1, 0.1592, not 0.1629. The function promises all legal moves, ordered by score, and says nothing of depths.
#
# Why that is wrong: the move filter, which throws hopeless moves out after a shallow look, is at work here too, and
# when it leaves one move the search is over. The best move is usually right; what it says about the moves is not. An
# error is the difference of two scores, here of two depths, or of the wrong one, and clear moves, of which most games
# are full, are never analysed as deep as asked. Who needs the depth evaluates the position after each move.
#
# Output seen:
#   3-1 at 2 plies: of 16 scores 9 are of 0 plies, 7 of 1, 0 of 2
#   6-2 at 2 plies: of 14 scores 2 are of 0 plies, 6 of 1, 6 of 2
#   the best 3-1 at 1, 2 and 4 plies: 0.1629, 0.1629, 0.1629
#   after that 3-1, evaluated: 0.1629 at 1 ply, 0.1592 at 2 plies
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder/packages" "gnubg==1.1.0a16" \
    2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/plies.py" <<'P'
import gnubg

START = gnubg.positionfromid("4HPwATDgc/ABMA")
CUBE = gnubg.cubeinfo()


def looking(plies):
    return dict(gnubg.evalcontext(), plies=plies)


def scores(dice, plies):
    found = gnubg.findbestmoves(START, CUBE, looking(plies), dice)
    return {tuple(each["move"]): each["score"] for each in found}


for dice in ((3, 1), (6, 2)):
    blind, shallow, deep = (scores(dice, plies) for plies in (0, 1, 2))
    at_0 = {move for move, score in deep.items() if score == blind[move]}
    at_1 = {move for move, score in deep.items() if score == shallow[move]} - at_0
    at_2 = len(deep) - len(at_0) - len(at_1)
    roll = "-".join(map(str, dice))
    print(f"{roll} at 2 plies: of {len(deep)} scores {len(at_0)} are of 0 plies, {len(at_1)} of 1, {at_2} of 2")
best = ", ".join(f"{max(scores((3, 1), plies).values()):.4f}" for plies in (1, 2, 4))
print(f"the best 3-1 at 1, 2 and 4 plies: {best}")

opponent, mover = START
after = list(mover)
after[8 - 1] -= 1
after[6 - 1] -= 1
after[5 - 1] += 2
# the opponent is to roll, so the sign turns
one, two = (-gnubg.evaluate((tuple(after), opponent), CUBE, looking(plies))[5] for plies in (1, 2))
print(f"after that 3-1, evaluated: {one:.4f} at 1 ply, {two:.4f} at 2 plies")
P
seen=$(PYTHONPATH="$folder/packages" python3 "$folder/plies.py")
echo "$seen"
expected="3-1 at 2 plies: of 16 scores 9 are of 0 plies, 7 of 1, 0 of 2
6-2 at 2 plies: of 14 scores 2 are of 0 plies, 6 of 1, 6 of 2
the best 3-1 at 1, 2 and 4 plies: 0.1629, 0.1629, 0.1629
after that 3-1, evaluated: 0.1629 at 1 ply, 0.1592 at 2 plies"
[ "$seen" = "$expected" ] || { echo "This has changed: gnubg's scores come from other depths than before."; exit 1; }
