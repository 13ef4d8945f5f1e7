"""Games' tables for the documents: docs/boards/*.png, and docs/screenshot.png."""

from __future__ import annotations

import pygame

from dev.pictures.looks import draw_whole
from papan.ai.players import HUMAN, make_player, situation
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE
from papan.self_test import FRAME_SECONDS
from papan.ui.window.program import Program

SEED = 5
TURNS = 16
"""Turns that the computer plays first, so that there is something to see."""


def middle_game(game: Game, turns: int = TURNS) -> Match:
    """A match of one person and computers, so many *turns* on, where the person is to act."""
    seats = [HUMAN, *["minimax:easy"] * (game.seats[0] - 1)]
    match = Match.new(game, seats, {"first": "1"}, SEED)
    player = make_player("minimax:depth=1", game)
    while not match.ending and (len(match.turns()) < turns or match.mover != 0):
        match.play(match.chance_step() if match.mover == CHANCE else player.choose(situation(match)).step)
    if match.ending:
        match.undo()
        while match.mover != 0:
            match.undo()
    return match


def draw_table(program: Program, game: Game) -> pygame.Surface:
    """The window in the middle of a match of *game*, a piece chosen where a step takes two cells."""
    table = program.sit_down(middle_game(game))
    draw_whole(program)
    targets = sorted(table.session.turn.targets())
    if targets and len(game.rules.cells(table.match.state, table.match.legal_steps()[0])) > 1:
        table.session.point(targets[len(targets) // 2])
    return draw_whole(program)


def draw_analysed(program: Program, game: Game, seconds: float = 8.0) -> pygame.Surface:
    """The same with the analysis of a few *seconds* beside the board."""
    program.app.settings.analysis = True
    try:
        program.sit_down(middle_game(game))
        for _ in range(round(seconds / FRAME_SECONDS)):
            program.app.step(FRAME_SECONDS, [])
            pygame.time.wait(round(1000 * FRAME_SECONDS))
        return draw_whole(program)
    finally:
        program.app.settings.analysis = False
