#!/bin/bash
# kaggle-environments 1.33.2 (2026-11-30): the agent "negamax" of Connect X does not play a win in two moves.
#
# Behaviour: where the agent can force a win with its second move, and the opponent has no threat, it plays a move that
# wins about as often as a blind choice among the columns would, or less. With an open pair in the bottom row, which a
# stone on either side makes an open three, it went elsewhere in 16 of 20 tries. A win at once it takes, 20 of 20.
#
# Expected: the agent searches four plies deep, as its source says, and a win in two moves is three plies away. So one
# would use it as an opponent that is weak in the long run but never misses short wins, and measure other agents by it.
#
# Why that is wrong: at the end of its search a position without a result gets the score that a win in that place would
# get, and up to four points more for stones beside the last one. A win found earlier is worth only one point more for
# each two plies, so any column where stones cluster beats it. A threat of the opponent it does stop.
#
# Output seen:
#   a win at once: taken in 20 of 20 tries
#   a win in two moves, the open pair: taken in 4 of 20 tries
#   a win in two moves, 12 positions of random play: taken in 3 of 36 tries, a blind choice would in 6
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
for packages in "jsonschema==4.26.0 numpy==2.4.6 requests==2.34.2" "--no-deps kaggle-environments==1.33.2"; do
    "$folder/venv/bin/pip" install -q --disable-pip-version-check $packages 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
done
cat >"$folder/wins.py" <<'P'
import random

from kaggle_environments import make

COLUMNS, ROWS = 7, 6
LINES = [
    [(row + k * down) * COLUMNS + column + k * right for k in range(4)]
    for row in range(ROWS)
    for column in range(COLUMNS)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < ROWS and 0 <= column + 3 * right < COLUMNS
]


def free(board):
    return [column for column in range(COLUMNS) if not board[column]]


def dropped(board, column, mark):
    square = max(row for row in range(ROWS) if not board[row * COLUMNS + column]) * COLUMNS + column
    return board[:square] + [mark] + board[square + 1 :]


def won(board, mark):
    return any(all(board[square] == mark for square in line) for line in LINES)


def wins_at_once(board, mark):
    return [column for column in free(board) if won(dropped(board, column, mark), mark)]


def wins_in_two(board, mark):
    """The columns after which the opponent can neither win nor stop a win with the next move."""
    found = []
    for column in free(board):
        after = dropped(board, column, mark)
        replies = [dropped(after, reply, 3 - mark) for reply in free(after)]
        if not wins_at_once(after, 3 - mark) and all(wins_at_once(reply, mark) for reply in replies):
            found.append(column)
    return found


def random_position():
    """One without a threat in which the side to move wins in two."""
    while True:
        board, mark = [0] * (COLUMNS * ROWS), 1
        for _stone in range(random.choice([6, 8, 10, 12])):
            board, mark = dropped(board, random.choice(free(board)), mark), 3 - mark
        lost = won(board, 1) or won(board, 2) or wins_at_once(board, 1) or wins_at_once(board, 2)
        if not lost and wins_in_two(board, mark):
            return board, mark


environment = make("connectx")


def chosen(board, mark):
    state = environment.reset()[mark - 1]
    state.observation.board, state.observation.mark = board, mark
    return environment.agents["negamax"](state.observation, environment.configuration)


def taken(board, mark, wins, tries):
    return sum(chosen(board, mark) in wins for _try in range(tries))


random.seed(2)
three = [0] * 28 + [0, 0, 2, 2, 2, 0, 0] + [0, 0, 1, 1, 1, 0, 0]
pair = [0] * 28 + [0, 0, 2, 2, 0, 0, 0] + [0, 0, 1, 1, 0, 0, 0]
assert wins_at_once(three, 1) == [1, 5] and wins_in_two(pair, 1) == [1, 4]
print(f"a win at once: taken in {taken(three, 1, [1, 5], 20)} of 20 tries")
print(f"a win in two moves, the open pair: taken in {taken(pair, 1, [1, 4], 20)} of 20 tries")
positions = [(board, mark, wins_in_two(board, mark)) for board, mark in (random_position() for _ in range(12))]
count = sum(taken(board, mark, wins, 3) for board, mark, wins in positions)
blind = round(sum(3 * len(wins) / len(free(board)) for board, _, wins in positions))
print(f"a win in two moves, 12 positions of random play: taken in {count} of 36 tries, a blind choice would in {blind}")
raise SystemExit(count > 12)
P
"$folder/venv/bin/python" "$folder/wins.py" 2>/dev/null >"$folder/all" || failed=yes
grep "^a win" "$folder/all" | tee "$folder/said"
[ -z "${failed:-}" ] && grep -q "at once: taken in 20 of 20" "$folder/said" ||
    { echo "This has changed: the agent negamax plays wins in two moves otherwise than before."; exit 1; }
