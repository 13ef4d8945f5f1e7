#!/bin/bash
# OpenSpiel 2.0.2 (2026-11-30): trying moves with `undo_action` ends a game of checkers in which nobody has moved.
#
# Behaviour: in checkers, `apply_action` and then `undo_action`, forty times over, leave a state whose board, history and
# move number are those of the start, but which is over: no legal action, returns 0 and 0. A count of the positions after
# two plies by doing and undoing breaks off with an error in the middle. Two other games undo nothing and raise nothing:
# in ultimate_tic_tac_toe and twixt the move stays. In chess the position comes back, but where `legal_actions` was asked
# for in between, its answer stays: after e4 d5 and a trial of exd5, White is offered the numbers of Black's actions.
#
# Expected: the state before the action, whole; or the error "not overridden" that most games of the library raise, such
# as connect_four and othello. `undo_action` exists for searches that try moves, and breakthrough or tic_tac_toe keep to it.
#
# Why that is wrong: undoing a move in checkers does not take back the count of plies without a capture, so the draw after
# forty of them comes from moves that were only tried. A copy made from the history at that moment has 7 legal actions.
# A search by doing and undoing sees draws that do not exist, and the deeper it looks the sooner.
#
# Output seen:
#   checkers: 40 moves tried, 0 made; over: True, returns [0.0, 0.0], legal actions 0, of a copy from its history 7
#   ultimate_tic_tac_toe: board as before False, legal actions as before True
#   twixt: board as before False, legal actions as before False
#   chess: board as before True, legal actions as before False
#   breakthrough: board as before True, legal actions as before True
#   connect_four: SpielError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "open_spiel==2.0.2" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/undo.py" <<'P'
import pyspiel


def start(name):
    return pyspiel.load_game(name).new_initial_state()


def tried(state, action):
    """Makes the move, looks at the answers, and takes the move back."""
    player = state.current_player()
    state.apply_action(action)
    state.legal_actions()
    state.undo_action(player, action)


state, count = start("checkers"), 0
while not state.is_terminal() and count < 1000:
    actions = state.legal_actions()
    tried(state, actions[count % len(actions)])
    count += 1
assert str(state) == str(start("checkers"))
copy = state.get_game().deserialize_state(state.serialize())
print(
    f"checkers: {count} moves tried, {state.move_number()} made; over: {state.is_terminal()}, returns {state.returns()},"
    f" legal actions {len(state.legal_actions())}, of a copy from its history {len(copy.legal_actions())}"
)
for name in ("ultimate_tic_tac_toe", "twixt", "chess", "breakthrough", "connect_four"):
    state = start(name)
    if name == "chess":
        for move in ("e4", "d5"):
            state.apply_action(state.string_to_action(move))
    board, before = str(state), state.legal_actions()
    action = state.string_to_action("exd5") if name == "chess" else before[1]
    try:
        tried(state, action)
    except pyspiel.SpielError:
        print(f"{name}: SpielError")
        continue
    print(f"{name}: board as before {str(state) == board}, legal actions as before {state.legal_actions() == before}")
P
seen=$("$folder/venv/bin/python" "$folder/undo.py" 2>/dev/null)
echo "$seen"
expected='checkers: 40 moves tried, 0 made; over: True, returns [0.0, 0.0], legal actions 0, of a copy from its history 7
ultimate_tic_tac_toe: board as before False, legal actions as before True
twixt: board as before False, legal actions as before False
chess: board as before True, legal actions as before False
breakthrough: board as before True, legal actions as before True
connect_four: SpielError'
[ "$seen" = "$expected" ] || { echo "This has changed: OpenSpiel takes actions back otherwise than before."; exit 1; }
