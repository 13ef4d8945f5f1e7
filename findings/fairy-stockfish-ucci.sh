#!/bin/bash
# fairy-stockfish 11.1-1+b1 of Debian 12 (2026-11-30): what it makes of three sentences of UCCI 3.0, which it offers.
#
# Behaviour: after `ucci` it lists its options, `usemillisec` not among them, answers `ucciok`, and takes the clock of
# `go time` for milliseconds all the same: with 60 on the clock it answers after some 20 ms. `go depth infinite` is
# answered as fast, with no `stop`. In a position without a legal move it says `bestmove (none)`.
#
# Expected: UCCI counts the clock in seconds; milliseconds are for engines that list `usemillisec`, and only after the
# option was set. `depth infinite` is its way to write a search without end, for which UCI has `infinite` alone; it ends
# with a mate found or `stop`. A position without moves is answered by `nobestmove`, a word that UCI does not have.
#
# Why that is wrong: one minute on the clock becomes 60 ms, and a program that follows the document plays its whole game
# at that pace and sees no error, only weak moves; analysis stops before it began; the move "(none)" reaches the board.
# The engine reads UCCI as UCI with `time` and `opptime`. To be safe: `go movetime`, `go infinite`, and mind "(none)".
#
# Output seen:
#   usemillisec offered: no
#   go time 60: answered by itself, in less than a second
#   go time 60000: searched more than ten times as many positions
#   go depth infinite: answered by itself
#   go infinite: searches until stop
#   no legal move: bestmove (none)
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(cd "$folder" && apt-get download -qq fairy-stockfish=11.1-1+b1 && dpkg-deb -x fairy-stockfish_*.deb .) 2>"$folder/apt.log" ||
    { cat "$folder/apt.log"; exit 1; }
cat >"$folder/talk.py" <<'P'
import queue
import re
import subprocess
import sys
import threading
import time

MATED = "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1"


class Engine:
    def __init__(self):
        self.program = subprocess.Popen([sys.argv[1]], stdin=-1, stdout=-1, text=True, bufsize=1)
        self.lines = queue.Queue()
        threading.Thread(target=lambda: [self.lines.put(line.strip()) for line in self.program.stdout], daemon=True).start()
        self.offered = self.ask("ucci", until="ucciok")

    def ask(self, *commands, until="bestmove", patience=20.0):
        """The lines up to the one that begins with the word, or those that came in time."""
        self.program.stdin.write("".join(f"{command}\n" for command in commands))
        end, said = time.monotonic() + patience, []
        while not (said and said[-1].startswith(until)):
            try:
                said.append(self.lines.get(timeout=max(0.0, end - time.monotonic())))
            except queue.Empty:
                break
        return said

    def end(self):
        self.program.stdin.write("stop\nquit\n")
        self.program.wait(20)


def searched(go, patience=20.0, position="startpos"):
    """What a new engine answers by itself, and how many positions and milliseconds it tells of."""
    engine = Engine()
    said = engine.ask(f"position {position}", go, patience=patience)
    engine.end()
    nodes, spent = (
        max([int(found) for line in said for found in re.findall(rf"\b{name} (\d+)", line)], default=0)
        for name in ("nodes", "time")
    )
    return said[-1] if said[-1].startswith("bestmove") else "", nodes, spent


def told(answer):
    return "answered by itself" if answer else "searches until stop"


engine = Engine()
engine.end()
print("usemillisec offered:", "yes" if any("usemillisec" in line for line in engine.offered) else "no")
answer, few, spent = searched("go time 60")
print(f"go time 60: {told(answer)},", "in less than a second" if spent < 1000 else f"in {spent} ms")
_, many, _ = searched("go time 60000")
print("go time 60000: searched", "more than ten times as many positions" if many > 10 * few else f"{few}, {many}")
for go in ("go depth infinite", "go infinite"):
    print(f"{go}: {told(searched(go, patience=3.0)[0])}")
print("no legal move:", searched("go depth 3", position=f"fen {MATED}")[0])
P
seen=$(python3 "$folder/talk.py" "$folder/usr/games/fairy-stockfish")
echo "$seen"
expected='usemillisec offered: no
go time 60: answered by itself, in less than a second
go time 60000: searched more than ten times as many positions
go depth infinite: answered by itself
go infinite: searches until stop
no legal move: bestmove (none)'
[ "$seen" = "$expected" ] || { echo "This has changed: fairy-stockfish treats UCCI otherwise than before."; exit 1; }
