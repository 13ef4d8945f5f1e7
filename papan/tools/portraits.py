"""Pictures of games' tables for the documents: ``python -m papan.tools.portraits`` writes docs/boards/*.png.

With names of games after it, only theirs are written.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Sequence

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame

from papan.ai.players import HUMAN, make_player, situation
from papan.game.base.places import CHECKOUT
from papan.game.catalogue import GALLERY, HOUSE
from papan.game.facts import Game
from papan.game.match import Match
from papan.game.rules import CHANCE
from papan.ui.window.program import Program

FOLDER = CHECKOUT / "docs" / "boards"
SIZE = (1280, 800)
SEED = 5
TURNS = 16
"""Turns that the computer plays first, so that there is something to see."""
_FRAMES = 8


def middle_game(game: Game) -> Match:
    """A match of one person and computers, some turns on, where the person is to act."""
    seats = [HUMAN, *["minimax:easy"] * (game.seats[0] - 1)]
    match = Match.new(game, seats, {"first": "1"}, SEED)
    player = make_player("minimax:depth=1", game)
    while not match.ending and (len(match.turns()) < TURNS or match.mover != 0):
        match.play(match.chance_step() if match.mover == CHANCE else player.choose(situation(match)).step)
    if match.ending:
        match.undo()
        while match.mover != 0:
            match.undo()
    return match


def chosen_games(arguments: Sequence[str] | None = None) -> list[Game]:
    """The games named on the command line, default: all that come with Papan; a name that is none ends the process."""
    shown = GALLERY
    parser = argparse.ArgumentParser(description="Draw the tables of games for the documents.")
    parser.add_argument("games", nargs="*", metavar="game", help=f"{', '.join(shown)}; default: all of Papan's own")
    names = parser.parse_args(arguments).games or [name for name in shown if name in HOUSE]
    for name in names:
        if name not in shown:
            parser.error(f"there is no table of '{name}': choose from {', '.join(shown)}")
    return [shown[name] for name in names]


def draw_table(program: Program, game: Game) -> pygame.Surface:
    """The window in the middle of a match of *game*, a piece chosen where a step takes two cells."""
    table = program.sit_down(middle_game(game))
    for _ in range(_FRAMES):
        program.app.step(1 / 60, [])
    targets = sorted(table.session.turn.targets())
    if targets and len(game.rules.cells(table.match.state, table.match.legal_steps()[0])) > 1:
        table.session.point(targets[len(targets) // 2])
    for _ in range(_FRAMES):
        program.app.step(1 / 60, [])
    program.app.invalidate()
    program.app.step(1 / 60, [])
    return program.app.surface


def main() -> None:
    """Write the pictures."""
    games = chosen_games()
    FOLDER.mkdir(parents=True, exist_ok=True)
    program = Program(size=SIZE)
    program.app.painting_seconds = math.inf  # each frame is whole
    program.app.settings.theme = "light"
    program.app.apply_settings()
    for game in games:
        pygame.image.save(draw_table(program, game), FOLDER / f"{game.name}.png")
    program.app.quit()
    program.run()


if __name__ == "__main__":
    main()
