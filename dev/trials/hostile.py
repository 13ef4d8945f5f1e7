"""Programs that play badly: each a few lines of Python that do one thing wrong, and what is to come of them.

They speak for Connect Four by UGI, unless they say otherwise. ``talk`` answers all that the protocol asks, so that a
program only says what it does other than it should.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal, NamedTuple

Verdict = Literal["plays", "forfeits", "no move", "resigns", "any"]

_PRELUDE = """
import os, subprocess, sys, threading, time
def note(pid):
    with open(sys.argv[1], "a") as file: file.write(f"{pid}\\n")
note(os.getpid())
def put(data):
    while data: data = data[os.write(1, data):]
def say(*lines): put("".join(f"{line}\\n" for line in lines).encode())
def forever(act):
    while True: act()
def beside(act): threading.Thread(target=forever, args=(act,), daemon=True).start()
moves = []
def legal(): return next(str(c) for c in range(1, 8) if moves.count(str(c)) < 6)
def answer(): say("bestmove " + legal())
def child(code, **facts):
    note(subprocess.Popen([sys.executable, "-c", code], **facts).pid)
SLEEP = "import time; time.sleep(600)"
def talk(go=answer, name="Script", **acts):
    for line in sys.stdin:
        word, *words = line.split() or [""]
        if word in acts: acts[word]()
        elif word in ("uci", "ucci", "ugi"): say("id name " + name, word + "ok")
        elif word == "isready": say("readyok")
        elif word == "position": moves[:] = words[words.index("moves") + 1:] if "moves" in words else []
        elif word == "go": go()
        elif word == "quit": break
"""


class Hostile(NamedTuple):
    """A program that does something wrong."""

    name: str
    body: str
    verdict: Verdict = "forfeits"
    """What comes of a match with it; "any" where that depends on who is quicker."""
    game: str = "connect-four"
    protocol: str = "ugi"
    is_never_ready: bool = False
    """Whether it fails while it makes itself ready for a match, for which it has its patience."""

    def write(self, program: Path, noted: Path) -> tuple[str, ...]:
        """Write it into the file *program*; returns its command. It notes the numbers of its processes in *noted*."""
        program.write_text(_PRELUDE + self.body, encoding="utf-8")
        return (sys.executable, "-I", "-S", "-u", str(program), str(noted))


_GTP = "for line in sys.stdin: say('= ok', '') if not line.startswith('genmove') else "
_GOMOCUP = (
    "for line in sys.stdin:\n"
    "    if line.startswith('START'): say('OK')\n"
    "    elif line.startswith('ABOUT'): say('name=\"Script\"')\n"
    "    elif line.startswith(('BEGIN', 'TURN', 'DONE')): "
)
_NBOARD = (
    "for line in sys.stdin:\n"
    "    if line.startswith('ping'): say('pong ' + line.split()[1])\n"
    "    elif line.startswith('go'): "
)

HOSTILE: tuple[Hostile, ...] = (
    Hostile("plays as it should", "talk()", "plays"),
    # What never ends.
    Hostile("short lines without end", "talk(lambda: forever(lambda: put(b'i\\n' * 2048)))"),
    Hostile("one short line after another", "talk(lambda: forever(lambda: say('i')))"),
    Hostile("empty lines without end", "talk(lambda: forever(lambda: put(b'\\n' * 4096)))"),
    Hostile("carriage returns without end", "talk(lambda: forever(lambda: put(b'\\r' * 4096)))"),
    Hostile("a line without end", "talk(lambda: forever(lambda: put(b'x' * 4096)))"),
    Hostile("null bytes without end", "talk(lambda: forever(lambda: put(b'\\0' * 4096)))"),
    Hostile("long lines without end", "talk(lambda: forever(lambda: say('info ' + 'x' * 50_000)))"),
    Hostile("long variations without end", "talk(lambda: forever(lambda: say('info depth 1 pv' + ' 4 1' * 9000)))"),
    Hostile("lines without end from the start", "forever(lambda: put(b'y\\n' * 2048))"),
    Hostile("options without end", "talk(ugi=lambda: forever(lambda: say('option name x type spin')))"),
    Hostile(
        "lines without end while nobody asks",
        "def go():\n    answer()\n    beside(lambda: say('info'))\ntalk(go)",
        "any",
    ),
    Hostile(
        "errors without end",
        "beside(lambda: os.write(2, b'trouble\\n' * 999))\ntalk()",
        "plays",
    ),
    Hostile("noise without end", "talk(lambda: forever(lambda: put(os.urandom(4096))))"),
    Hostile("messages without end", f"{_GOMOCUP}forever(lambda: say('MESSAGE x'))", "forfeits", "gomoku", "gomocup"),
    Hostile("replies without end", f"{_GTP}forever(lambda: say(''))", "forfeits", "othello", "gtp"),
    Hostile("states without end", f"{_NBOARD}forever(lambda: say('status x'))", "forfeits", "othello", "nboard"),
    # What never comes.
    Hostile("silent from the start", "time.sleep(600)"),
    Hostile("silent once it is to move", "talk(lambda: time.sleep(600))"),
    Hostile("never ready", "talk(isready=lambda: None)"),
    Hostile("an endless greeting", "talk(ugi=lambda: forever(lambda: (say('id name x'), time.sleep(0.05))))"),
    Hostile("a byte now and then", "talk(lambda: [(put(b'x'), time.sleep(0.1)) for _ in range(6000)])"),
    Hostile("too late", "talk(lambda: (time.sleep(1.5), answer()))"),
    Hostile("another protocol", "for line in sys.stdin: say('Error (unknown command): ' + line.strip())"),
    Hostile("another protocol's greeting", "talk(ugi=lambda: say('uciok'))"),
    Hostile("reads nothing", "say('ugiok', 'readyok', 'bestmove 1')\ntime.sleep(600)", is_never_ready=True),
    # What ends.
    Hostile("ends at the start", "sys.exit(3)"),
    Hostile("ends once it is to move", "talk(lambda: sys.exit(4))"),
    Hostile("ends in the middle of a line", "talk(lambda: (put(b'bestmo'), sys.exit()))"),
    Hostile("ends with its answer", "talk(lambda: (put(b'bestmove ' + legal().encode()), sys.exit()))", "plays"),
    Hostile("ends with output that nobody has read", "talk(lambda: (say('info ' + 'x' * 60_000), os._exit(5)))"),
    Hostile("is ended by force", "talk(lambda: os.kill(os.getpid(), 9))"),
    Hostile("closes its output", "talk(lambda: (os.close(1), time.sleep(600)))"),
    Hostile("closes its input", "talk(lambda: (os.close(0), time.sleep(600)))"),
    Hostile("closes all", "os.closerange(0, 3)\ntime.sleep(600)"),
    # What makes no sense.
    Hostile("no such column", "talk(lambda: say('bestmove 9'))"),
    Hostile("a move of another game", "talk(lambda: say('bestmove h2e2'))"),
    Hostile("the other side's move", "talk(lambda: say('bestmove a10a9'))", game="xiangqi", protocol="uci"),
    Hostile("half a move", "talk(lambda: say('bestmove h3'))", game="xiangqi", protocol="uci"),
    Hostile("a huge move", "talk(lambda: say('bestmove ' + '4' * 60_000))"),
    Hostile("no move after the word", "talk(lambda: say('bestmove'))"),
    Hostile("escape sequences", r"talk(lambda: say('bestmove \x1b[2J\x1b]0;x\x07'))"),
    Hostile("bytes that are no text", r"talk(lambda: put(b'bestmove \xff\xfe\x80\n'))"),
    Hostile("a huge name", r"talk(name='\x1b[31m' + chr(0x202E) + 'N' * 60_000)", "plays"),
    Hostile(
        "huge numbers",
        "talk(lambda: (say(f'info depth {10 ** 400} nodes -1 score cp {10 ** 400} pv 1', "
        "'info depth -5 nodes 1e99 score mate 99999999999999999999 pv 1'), answer()))",
        "plays",
    ),
    Hostile("answers before it is asked", "talk(position=lambda: say('bestmove 4'))", "any"),
    Hostile("answers twice", "talk(lambda: (answer(), answer()))", "any"),
    Hostile("ends lines in its own way", "talk(lambda: put(b'info\\rbestmove ' + legal().encode() + b'\\r'))", "plays"),
    Hostile("an error instead of a move", f"{_GOMOCUP}say('ERROR no')", "forfeits", "gomoku", "gomocup"),
    Hostile("a refusal instead of a move", f"{_GTP}say('? no', '')", "forfeits", "othello", "gtp"),
    Hostile("a pass where there is a move", f"{_NBOARD}say('=== PA')", "forfeits", "othello", "nboard"),
    # What says that it is over.
    Hostile("no move", "talk(lambda: say('bestmove (none)'))", "no move"),
    Hostile("no best move", "talk(lambda: say('nobestmove'))", "no move", "xiangqi", "ucci"),
    Hostile("resigns", f"{_GTP}say('= resign', '')", "resigns", "othello", "gtp"),
    # What stays.
    Hostile("ignores stop and quit", "talk(quit=lambda: None, stop=lambda: None)\ntime.sleep(600)", "plays"),
    Hostile(
        "ignores all that asks it to leave",
        "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntalk(quit=lambda: None)\ntime.sleep(600)",
        "plays",
    ),
    Hostile("leaves a child that keeps its pipes", "child(SLEEP)\ntalk()", "plays"),
    Hostile("leaves many children", "[child(SLEEP) for _ in range(5)]\ntalk()", "plays"),
    Hostile("hides a child in a session of its own", "child(SLEEP, start_new_session=True)\ntalk()", "plays"),
)  # fmt: skip
