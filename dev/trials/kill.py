"""The kill: the program is ended by force in the middle of play, again and again. What has it lost?

A process of its own plays at a window and tells after each frame how many steps have been played, and how many it
says are saved. It is killed at any moment. Then the library is opened: not a step that was said to be saved may be
missing, and of those that were played at most the one in flight; no file may be damaged.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

import pygame

from dev.trials import MOST, Counts, Trial, TrialFailure
from dev.trials.hands import Gesture, press, take_a_step
from papan.ai.players import HUMAN
from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.match.library import Library
from papan.lab.printing import show
from papan.self_test import FRAME_SECONDS, SIZE
from papan.ui.scenes.table import TableScene
from papan.ui.window.program import Program

MOST_SECONDS_OF_PLAY = 1.5
MOST_IN_FLIGHT = 1
_PATIENCE = 60.0
_UNDOING = 0.05
"""How often a person takes a step back instead of playing one."""


class Told(NamedTuple):
    """What the playing process said last."""

    match: int = 0
    """Its number in the library, which counts from 1."""
    played: int = 0
    """Steps; those that were taken back are not, and may be gone once another one is played."""
    saved: int = 0


def play(seed: int) -> None:
    """Play at a window until somebody ends the process, telling how far it is."""
    random = Random(seed)
    program = Program(size=SIZE)
    program.app.settings.animation = "off"
    told, number = Told(), 0
    table: TableScene | None = None
    while program.app.is_running:
        if table is None or table.match.ending:
            game = random.choice(list(GALLERY.values()))
            table, number = program.start_match(game, _players(game, is_clicked=seed % 2 == 0)), number + 1
        program.app.step(FRAME_SECONDS, _hands(table, random))
        standing = table.session.standing
        played = len(table.match.steps)
        now = Told(number, played, min(played, standing.committed) if standing else 0)
        if now != told:
            told = now
            show(json.dumps(told))


def _players(game: Game, *, is_clicked: bool) -> list[str]:
    return [HUMAN if is_clicked else "random", *["random"] * (game.seats[0] - 1)]


def _hands(table: TableScene, random: Random) -> Gesture:
    """A click of the person who is due, if one is."""
    turn = table.session.turn
    if turn.due not in ("choosing", "completing") or table.session.is_being_kept:  # a person is slower than a disk
        return []
    if turn.can_undo and random.random() < _UNDOING:
        return press(pygame.K_z, pygame.KMOD_CTRL)
    return take_a_step(table, random)


def case(seed: int, folder: Path) -> Counts:
    """One process that is killed, and what it left."""
    random = Random(seed)
    told = _told_until_killed(seed, random.uniform(0.0, MOST_SECONDS_OF_PLAY))
    damaged = [file.name for file in folder.rglob("*damaged*")]
    library = Library()
    try:
        if damaged or library.notice:
            raise TrialFailure(f"the library is damaged: {', '.join(damaged)} {library.notice or ''}")
        numbers = {summary.id for summary in (*library.unfinished(), *library.recent(told.match))}
        steps = len(library.load(told.match).all_steps) if told.match in numbers else 0
    finally:
        library.close()
    lost = told.played - steps
    if steps < told.saved:
        raise TrialFailure(f"{told.saved} steps were said to be saved, and {steps} are")
    if lost > MOST_IN_FLIGHT:
        raise TrialFailure(f"{told.played} steps were played, and {steps} are saved")
    how = "by clicks" if seed % 2 == 0 else "by computers"
    return Counter({"kills": 1, f"kills of play {how}": 1, "steps": told.played, "steps in flight": max(0, lost),
                    f"{MOST} steps lost": max(0, lost)})  # fmt: skip


def _told_until_killed(seed: int, seconds: float) -> Told:
    """Have a process play, and kill it *seconds* after its first step; what it said last."""
    words = [sys.executable, "-m", __name__, str(seed)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        lines: list[str] = []
        has_begun = threading.Event()

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("["):
                    lines.append(line)
                    has_begun.set()

        listener = threading.Thread(target=listen)
        listener.start()
        if not has_begun.wait(_PATIENCE):
            process.kill()
            raise TrialFailure("no step was played")
        time.sleep(seconds)
        process.kill()
        listener.join()
    return Told(*json.loads(lines[-1]))


TRIAL = Trial("the playing program is killed; at most the step in flight is lost, no file is damaged", case)

if __name__ == "__main__":
    play(int(sys.argv[1]))
