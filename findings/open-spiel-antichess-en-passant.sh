#!/bin/bash
# OpenSpiel 2.0.2 (2026-11-30): antichess in which a capture en passant is no capture.
#
# Behaviour: after 1. b4 h6 2. b5 a5 White may play 22 moves; the rules allow one, bxa6. Where an ordinary capture
# exists too, it is the other way around: bxa6 is legal by the rules and missing from the legal actions. Of 100 random
# games 13 come to such a position; up to it, python-chess 1.11.2 counts as many moves in every position.
#
# Expected: captures are compulsory and en passant is one, as the page says that the source names for the rules, and as
# python-chess's AntichessBoard and the servers have it. The library's own chess offers the capture, and the game's
# source has only to add the duty to capture.
#
# Why that is wrong: a move counts as a capture if its goal is occupied, which en passant never is. A double step beside
# an enemy pawn forces that pawn's move, which is what the game is about, and here it forces nothing. What is learned
# or solved is another game; other programs refuse its records, and some of theirs are refused here.
#
# Output seen:
#   after 1. b4 h6 2. b5 a5: OpenSpiel 22 moves, python-chess bxa6
#   with a rook to capture as well: OpenSpiel Rxh1, python-chess Rxh1 bxa6
#   random games that come to another number of moves: 13 of 100
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# the module pyspiel alone needs none of the packages that open_spiel asks for
python3 -m pip install -q --disable-pip-version-check --no-deps --target "$folder/packages" \
    "open_spiel==2.0.2" "chess==1.11.2" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/antichess.py" <<'P'
import random

import pyspiel
from chess.variant import AntichessBoard

GAME = pyspiel.load_game("antichess")
# White: king a1, rook b1, pawn b5; Black: king h8, rook h1, pawn a5, which has just come from a7
BOTH = "7k/8/8/pP6/8/8/8/KR5r w - a6 0 1"
GAMES = 100


def of_the_board(board):
    return " ".join(sorted(board.san(move) for move in board.legal_moves))


def ends_apart(chance):
    """Whether a random game comes to a position in which the two count another number of legal moves."""
    state, board = GAME.new_initial_state(), AntichessBoard()
    while not state.is_terminal():
        if len(state.legal_actions()) != board.legal_moves.count():
            return True
        action = chance.choice(state.legal_actions())
        board.push_san(state.action_to_string(action))
        state.apply_action(action)
    return False


state, board = GAME.new_initial_state(), AntichessBoard()
for move in "b4 h6 b5 a5".split():
    state.apply_action_with_legality_check(state.string_to_action(move))
    board.push_san(move)
print(f"after 1. b4 h6 2. b5 a5: OpenSpiel {len(state.legal_actions())} moves, python-chess {of_the_board(board)}")
state = GAME.new_initial_state(BOTH)
names = " ".join(sorted(state.action_to_string(action) for action in state.legal_actions()))
print(f"with a rook to capture as well: OpenSpiel {names}, python-chess {of_the_board(AntichessBoard(BOTH))}")
chance = random.Random(1)
apart = sum(ends_apart(chance) for _ in range(GAMES))
print(f"random games that come to another number of moves: {apart} of {GAMES}")
P
seen=$(PYTHONPATH="$folder/packages" python3 "$folder/antichess.py")
echo "$seen"
expected="after 1. b4 h6 2. b5 a5: OpenSpiel 22 moves, python-chess bxa6
with a rook to capture as well: OpenSpiel Rxh1, python-chess Rxh1 bxa6
random games that come to another number of moves: 13 of 100"
[ "$seen" = "$expected" ] || { echo "This has changed: OpenSpiel's antichess treats en passant otherwise."; exit 1; }
