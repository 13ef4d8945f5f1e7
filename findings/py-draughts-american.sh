#!/bin/bash
# py-draughts 1.10.1 (2026-11-30, imported as `draughts`): its American checkers has other rules than American checkers.
#
# Behaviour: `AmericanBoard` lets White begin, from the squares 21 to 32, and a side that can capture may make any other
# move instead. From the start it has 7, 49, 379 and 2872 sequences of one to four moves. Games it writes get the PDN tag
# GameType 23. `from_pdn` refuses games of American checkers at their first move, with that tag or the right one.
#
# Expected: the dark men on 1 to 12 move first and captures are compulsory, as the rules of the American federation have
# it and as in the package's own Russian and Brazilian boards; 7, 49, 302 and 1469 sequences, the known figures, which
# those two boards do give; GameType 21, since 23 is American pool checkers, with backward captures and flying kings.
#
# Why that is wrong: published games begin with a move like 11-15 and cannot be read; games written here are illegal
# elsewhere from the first move, and turned around as soon as a capture is declined; an engine measured here plays a
# game that nobody else plays. The table of variants says only that the largest capture is not required, as it says of
# the Russian board.
#
# Output seen:
#   American: White begins, 7 49 379 2872
#   Russian: White begins, 7 49 302 1469
#   18x9 or 7 other moves
#   tag written: [GameType "23"]
#   11-15 23-19 8-11 22-17, GameType 21: ValueError
#   11-15 23-19 8-11 22-17, GameType 23: ValueError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "py-draughts==1.10.1" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/american.py" <<'P'
from draughts import AmericanBoard, Color, RussianBoard

OPENING = "11-15 23-19 8-11 22-17"


def sequences(board, depth):
    if depth == 0:
        return 1
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += sequences(board, depth - 1)
        board.pop()
    return count


for name, kind in (("American", AmericanBoard), ("Russian", RussianBoard)):
    first = "White" if kind().turn == Color.WHITE else "Black"
    print(f"{name}: {first} begins,", *(sequences(kind(), depth) for depth in (1, 2, 3, 4)))
board = AmericanBoard()
for move in ("22-18", "9-14"):
    board.push_uci(move)
captures = [str(move) for move in board.legal_moves if board.is_capture(move)]
print(*captures, f"or {len(board.legal_moves) - len(captures)} other moves")
print("tag written:", next(line for line in board.pdn.splitlines() if "GameType" in line))
one, two, three, four = OPENING.split()
for kind in (21, 23):
    try:
        AmericanBoard.from_pdn(f'[GameType "{kind}"]\n[Result "*"]\n\n1. {one} {two} 2. {three} {four} *')
        told = "read"
    except ValueError:
        told = "ValueError"
    print(f"{OPENING}, GameType {kind}: {told}")
P
seen=$("$folder/venv/bin/python" "$folder/american.py")
echo "$seen"
expected='American: White begins, 7 49 379 2872
Russian: White begins, 7 49 302 1469
18x9 or 7 other moves
tag written: [GameType "23"]
11-15 23-19 8-11 22-17, GameType 21: ValueError
11-15 23-19 8-11 22-17, GameType 23: ValueError'
[ "$seen" = "$expected" ] || { echo "This has changed: py-draughts plays American checkers by other rules than before."; exit 1; }
