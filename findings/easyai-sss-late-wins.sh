#!/bin/bash
# easyAI 2.0.12 (2026-11-30): SSS puts wins off, refuses them where they count 1, and ignores `scoring`.
#
# Behaviour: tic-tac-toe, every tenth position in which the side to move can complete a line. Three plies deep, SSS
# completes it in 163 of 236 positions, four plies deep too. With a game whose `scoring` says -1 instead of -100 for a
# loss it does so in 27. Two plies deep it always does: a deeper search plays worse. `SSS(3, scoring=f)` never asks f.
#
# Expected: all of them, as Negamax of the same package has it at every depth and scale. The page of SSS promises that a
# defeat after eight moves is better than one after four, and that `scoring` is the function to judge games by, which is
# optional if the game has its own.
#
# Why that is wrong: 0.99 times the depth that is left is taken off a win and added to a loss, so the early win is the
# cheap one; the promised correction has the other sign and a hundredth of the size. Three plies deep, a win at once
# counts 98.02 and one on the third ply 100. Where a win counts 1 it is -0.98, a loss. Who tunes a scoring function
# by matches of SSS against SSS compares a player with itself, since both ask the game's own method.
#
# Output seen:
#   Negamax, 2 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
#   Negamax, 3 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
#   Negamax, 4 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
#   SSS, 2 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
#   SSS, 3 plies: -100 for a loss: 163 of 236, -1 for a loss: 27 of 236
#   SSS, 4 plies: -100 for a loss: 163 of 236, -1 for a loss: 27 of 236
#   calls of a scoring function of one's own: Negamax some, SSS none
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --target "$folder/packages" "easyAI==2.0.12" \
    2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/wins.py" <<'P'
from easyAI import SSS, AI_Player, Negamax
from easyAI.games import TicTacToe


class SmallStakes(TicTacToe):
    def scoring(self):
        return -1 if self.lose() else 0


def position(game, board, to_move):
    state = game([AI_Player(None), AI_Player(None)])
    state.board, state.current_player = list(board), to_move
    return state


def completes(state, move):
    after = position(TicTacToe, state.board, state.current_player)
    after.make_move(move)
    after.switch_player()
    return after.lose()


def with_a_win_at_once():
    seen, ahead, found = set(), [((0,) * 9, 1)], []
    while ahead:
        board, to_move = ahead.pop()
        state = position(TicTacToe, board, to_move)
        if (board, to_move) in seen or state.is_over():
            continue
        seen.add((board, to_move))
        if any(completes(state, move) for move in state.possible_moves()):
            found.append((board, to_move))
        for move in state.possible_moves():
            after = board[: move - 1] + (to_move,) + board[move:]
            ahead.append((after, 3 - to_move))
    return found


def wins(algorithm, depth, game, positions):
    states = [position(game, *each) for each in positions]
    return sum(completes(state, algorithm(depth)(state)) for state in states)


POSITIONS = with_a_win_at_once()[::10]
for algorithm in (Negamax, SSS):
    for depth in (2, 3, 4):
        usual, small = (wins(algorithm, depth, game, POSITIONS) for game in (TicTacToe, SmallStakes))
        of = f"of {len(POSITIONS)}"
        print(f"{algorithm.__name__}, {depth} plies: -100 for a loss: {usual} {of}, -1 for a loss: {small} {of}")
calls = {}
for algorithm in (Negamax, SSS):
    asked = []
    algorithm(3, scoring=lambda state: asked.append(state) or 0)(position(TicTacToe, (0,) * 9, 1))
    calls[algorithm] = "some" if asked else "none"
print(f"calls of a scoring function of one's own: Negamax {calls[Negamax]}, SSS {calls[SSS]}")
P
seen=$(PYTHONPATH="$folder/packages" python3 "$folder/wins.py")
echo "$seen"
expected="Negamax, 2 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
Negamax, 3 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
Negamax, 4 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
SSS, 2 plies: -100 for a loss: 236 of 236, -1 for a loss: 236 of 236
SSS, 3 plies: -100 for a loss: 163 of 236, -1 for a loss: 27 of 236
SSS, 4 plies: -100 for a loss: 163 of 236, -1 for a loss: 27 of 236
calls of a scoring function of one's own: Negamax some, SSS none"
[ "$seen" = "$expected" ] || { echo "This has changed: easyAI's SSS treats early wins otherwise."; exit 1; }
