#!/bin/bash
# cchess 1.25.5 (2026-11-30): what `engine.FenCache` remembers is changed by a look-up of the mirrored position.
#
# Behaviour: `get_best_action(fen)` of a position whose mirror image is in the cache returns None, and turns the moves of
# the remembered answer around. The position that was saved then gets the move of the other wing: after saving b2e2, its
# own look-up says h2e2, with the same score and under the key b2e2. `EngineManager.get_fen_score` uses this cache.
#
# Expected: the look-up of the mirrored position returns a mirrored copy of the answer (h2e2), and leaves the cache as it
# was; that is what the function looks for mirrored positions for.
#
# Why that is wrong: `action_mirror` changes the dictionary that it is given, which is the cached one, and returns
# nothing. In a position that is not symmetric the move of the other wing is another move, or illegal; which answer comes
# depends on whether anybody has asked for the mirrored position, and `save` writes it to the file.
#
# Output seen:
#   saved position, before: b2e2
#   mirrored position: None
#   saved position, after: h2e2
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --disable-pip-version-check "cchess==1.25.5" 2>"$folder/pip.log" || { cat "$folder/pip.log"; exit 1; }
cat >"$folder/cache.py" <<'P'
from cchess.common import fen_mirror
from cchess.engine import FenCache

# as at the start, but Red has moved a pawn of one wing, and Black has answered: not symmetric
FEN = "rnbakabnr/9/1c5c1/p1p1p3p/6p2/2P6/P3P1P1P/1C5C1/9/RNBAKABNR w"

cache = FenCache()
cache.save_action(FEN, {"move": "b2e2", "score": 10})


def told(fen):
    action = cache.get_best_action(fen)
    return action and action["move"]


print("saved position, before:", told(FEN))
print("mirrored position:", told(fen_mirror(FEN)))
print("saved position, after:", told(FEN))
P
seen=$("$folder/venv/bin/python" "$folder/cache.py")
echo "$seen"
expected='saved position, before: b2e2
mirrored position: None
saved position, after: h2e2'
[ "$seen" = "$expected" ] || { echo "This has changed: the cache of cchess answers otherwise for mirrored positions."; exit 1; }
