#!/bin/bash
# pydraughts 0.6.7 (2026-11-30): a capture in short form that two paths fit.
#
# Behaviour: `Move(board, pdn_move="10x26", variant="english")` accepts a short capture although two legal captures lead
# from square 10 to square 26 and take different men. It plays one of them without a word, here the one over 17; which
# one follows from the order in which the captures are generated.
#
# Expected: an error that names both paths, as for a move that does not exist, or at least a flag; PDN 3.0 says that a
# capture must be written so that it is unique. Published collections hold such captures (two in 90 games of one old
# book of traps), where only the moves after them tell which path was played.
#
# Why that is wrong: the position after the move is another one, all later moves are judged in it, and a game that was
# written correctly is replayed wrongly or fails many moves later, at a move that is right. A reader must try both.
#
# Output seen:
#   legal: 10x17x26 10x19x26
#   10x26 gives W:W15,23:B26
#   10x17x26 gives W:W15,23:B26
#   10x19x26 gives W:W14,22:B26
#   10x27 gives an error
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "pydraughts==0.6.7" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/captures.py" <<'P'
from draughts import Board, Move

START = "B:W14,15,22,23:B10"


def after(text):
    board = Board(variant="english", fen=START)
    try:
        board.push(Move(board, pdn_move=text, variant="english"))
    except Exception:
        return "an error"
    return board.fen


print("legal:", *sorted(move.pdn_move for move in Board(variant="english", fen=START).legal_moves()))
for text in ("10x26", "10x17x26", "10x19x26", "10x27"):
    print(text, "gives", after(text))
P
seen=$("$folder/venv/bin/python" "$folder/captures.py")
echo "$seen"
expected='legal: 10x17x26 10x19x26
10x26 gives W:W15,23:B26
10x17x26 gives W:W15,23:B26
10x19x26 gives W:W14,22:B26
10x27 gives an error'
[ "$seen" = "$expected" ] || { echo "pydraughts now treats a short capture with two paths otherwise."; exit 1; }
