#!/bin/bash
# SantorinAI 1.3.3 (2026-11-30): Santorini in which nobody chooses a worker, and nobody loses for want of a move.
#
# Behaviour: the four workers move in a fixed order, so a player moves one worker in one turn and the other in the next.
# A win that the other worker could step to is refused. If the worker whose turn it is can't move, the turn is lost,
# though its partner could go; if neither can, the answer is True and the opponent goes on, as often as it happens.
#
# Expected: the player chooses every turn which of the two workers moves and builds, and a player who can do so with
# neither has lost, as the rule book says. The package's page calls it a tester of players for the Santorini game and
# speaks of no other rules; all it lets one guess is a name, the worker that is "currently playing".
#
# Why that is wrong: a win at hand must wait for a turn in which the opponent may cap it, and traps, the other way to
# win, lead nowhere. In twenty games at random every one had turns in which only the wrong worker could win, 65 in all.
# A program that was trained or measured here knows another game, in which half of its moves are never offered.
#
# Output seen:
#   wins that only the other worker has: 65 turns, in 20 of 20 random games
#   a win with worker 1 in the turn of worker 3: False, It is not possible to move two levels in one move.
#   both workers of player 1 are stuck: True, There is no possible move to play, the pawn is stuck.
#   then: winner None, worker 2 is to move
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --disable-pip-version-check --no-deps --target "$folder/packages" "santorinai==1.3.3" \
    2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/workers.py" <<'P'
import random

from santorinai.board import Board


def placed(*cells):
    """A board for two players; the workers 1 and 3 are the first player's, 2 and 4 the second's."""
    board = Board(2)
    for cell in cells:
        assert board.place_pawn(cell)[0]
    return board


def wins(board, worker):
    return any(board.board[x][y] == 3 for x, y in board.get_possible_movement_positions(worker))


def told(answer):
    return ", ".join(str(part) for part in answer)


GAMES = 20
chance, turns, games = random.Random(1), 0, set()
for game in range(GAMES):
    cells = [(x, y) for x in range(5) for y in range(5)]
    board = placed(*chance.sample(cells, 4))
    while not board.is_game_over():
        worker = board.get_playing_pawn()
        other = board.pawns[(worker.number + 1) % 4]
        if wins(board, other) and not wins(board, worker):
            turns += 1
            games.add(game)
        steps = board.get_possible_movement_and_building_positions(worker) or [((0, 0), (0, 1))]
        assert board.play_move(*chance.choice(steps))[0]
print(f"wins that only the other worker has: {turns} turns, in {len(games)} of {GAMES} random games")

board = placed((2, 2), (0, 4), (4, 4), (4, 0))
board.board[2][2], board.board[2][3] = 2, 3  # worker 1 stands one step below the top
board.pawn_turn = 3
print(f"a win with worker 1 in the turn of worker 3: {told(board.play_move((2, 3), (2, 2)))}")

board = placed((0, 0), (4, 4), (0, 1), (4, 2))
for x, y in ((1, 0), (1, 1), (1, 2), (0, 2)):
    board.board[x][y] = 2
assert not any(board.get_possible_movement_positions(board.pawns[number]) for number in (0, 2))
print(f"both workers of player 1 are stuck: {told(board.play_move((0, 2), (0, 1)))}")
print(f"then: winner {board.winner_player_number}, worker {board.get_playing_pawn().number} is to move")
P
seen=$(PYTHONPATH="$folder/packages" python3 "$folder/workers.py")
echo "$seen"
expected="wins that only the other worker has: 65 turns, in 20 of 20 random games
a win with worker 1 in the turn of worker 3: False, It is not possible to move two levels in one move.
both workers of player 1 are stuck: True, There is no possible move to play, the pawn is stuck.
then: winner None, worker 2 is to move"
[ "$seen" = "$expected" ] || { echo "This has changed: SantorinAI lets workers move by other rules."; exit 1; }
