"""``papan --self-test``: open the window, have the computer play one move of each game, close it."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Iterable

from papan.game.catalogue import GALLERY
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE, mover
from papan.ui.scenes.dialogs import Message
from papan.ui.scenes.table import HandOver
from papan.ui.window.program import Program

SIZE = (1280, 800)
EASY = "minimax:easy"
FRAME_SECONDS = 1 / 60
MOVE_TIMEOUT = 120.0
"""Processor seconds of this process for one computer move, including compilation.

Frames use a few hundredths of a processor, so waiting for a move that never comes ends within an hour, however busy
the machine is.
"""
CLOSING_TIMEOUT = 1200.0
"""Seconds for a compilation running when the window closes: it can't be interrupted."""


class SelfTestError(Exception):
    """The program does not work; the message says why."""


def test_program(games: Iterable[Game] | None = None) -> None:
    """Open the window, have the computer play one move of each of *games*, and quit.

    :param games: default: all games of the gallery.
    :raises SelfTestError: something went wrong.
    :raises papan.ui.window.display.NoDisplay: no usable display.
    """
    program = Program(size=SIZE)
    program.app.frame_budget.painting_seconds = math.inf  # complete every frame
    try:
        draw_frames(program, 3)
        check_scene(program, "The home screen")
        for game in GALLERY.values() if games is None else games:
            match = program.start_match(game, [EASY] * game.seats[0]).match
            wait_for_computer(program, match)
    finally:
        close_in_order(program)


def check_scene(program: Program, name: str) -> None:
    """:raises SelfTestError: the window shows an error; *name* is the scene's."""
    if isinstance(program.app.scene, Message) and not isinstance(program.app.scene, HandOver):
        raise SelfTestError(f"{name}: something went wrong:\n{program.app.diagnostics()}")


def draw_frames(program: Program, number: int) -> None:
    for _ in range(number):
        program.app.step(FRAME_SECONDS)


def wait_for_computer(program: Program, match: Match) -> None:
    """Draw frames until a computer has played the first move of *match*.

    :raises SelfTestError: it never did, or an error is shown.
    """
    title = match.game.title
    deadline = time.process_time() + MOVE_TIMEOUT
    while all(mover(state) == CHANCE for state in match.states[:-1]):
        if time.process_time() > deadline:
            raise SelfTestError(f"{title}: no computer move within {MOVE_TIMEOUT:g} seconds of a processor.")
        draw_frames(program, 1)
        check_scene(program, title)
        time.sleep(FRAME_SECONDS)


def close_in_order(program: Program) -> None:
    """Wait for compilations to end, and close the window of *program* without saving; the process continues."""
    while len(program.app.scenes) > 1:
        program.app.pop()
    program.thinker.close(CLOSING_TIMEOUT)
    program.analyst.close(CLOSING_TIMEOUT)
    for worker in program.services.workers:
        worker.close(CLOSING_TIMEOUT)
    program.app.quit_at_once()
    program.run()
    gc.unfreeze()  # so that the closed program can be collected
