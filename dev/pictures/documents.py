"""The documents' pictures: tables of games (docs/boards, docs/screenshot.png), and a moving one (docs/game.png)."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

import pygame
from PIL import Image

from dev.pictures.looks import draw_whole
from papan.ai.players import HUMAN, make_player, situation
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE
from papan.self_test import FRAME_SECONDS
from papan.ui.window.program import Program

SEED = 5
TURNS = 16


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


ANIMATION_SIZE = (1024, 640)
WIDTH = 768
ANIMATED_TURNS = 14
FRAMES_A_SECOND = 10
STILL_SECONDS, LAST_SECONDS = 0.5, 2.0
_MOST_FRAMES_A_STEP = 90


def animated_png(pictures: Sequence[pygame.Surface], seconds: Sequence[float]) -> bytes:
    """The APNG that shows each of *pictures*, all of one size, for so many *seconds*, again and again."""
    first, *others = (Image.frombytes("RGB", one.get_size(), pygame.image.tobytes(one, "RGB")) for one in pictures)
    file, milliseconds = io.BytesIO(), [round(1000 * shown) for shown in seconds]
    first.save(file, "PNG", save_all=True, append_images=others, duration=milliseconds, loop=0, optimize=True)
    return file.getvalue()


def game_in_pictures(program: Program, game: Game) -> bytes:
    """The APNG of a match of *game* between computers in the window of *program*, step by step as it is animated."""
    played = middle_game(game, ANIMATED_TURNS)
    steps = list(played.steps)
    table = program.sit_down(Match.new(game, [HUMAN] * len(played.seats), played.options, played.seed))
    pictures, seconds = [_scaled(draw_whole(program))], [STILL_SECONDS]

    def show(shown: float) -> None:
        pictures.append(_scaled(program.app.surface))
        seconds.append(shown)

    for step in steps:
        if table.match.ending or step not in table.match.legal_steps():
            break
        table.session.choose(step)
        _until_shown(program, lambda: table.session.showing is None, show)
        show(STILL_SECONDS)
    seconds[-1] = LAST_SECONDS
    return animated_png(pictures, seconds)


def _scaled(picture: pygame.Surface) -> pygame.Surface:
    width, height = picture.get_size()
    return pygame.transform.smoothscale(picture, (WIDTH, height * WIDTH // width)).convert(24)


def _until_shown(program: Program, is_shown: Callable[[], bool], show: Callable[[float], None]) -> None:
    """Let the animation of a step pass, and *show* some of its frames."""
    every = round(1 / FRAMES_A_SECOND / FRAME_SECONDS)
    for number in range(_MOST_FRAMES_A_STEP):
        program.app.step(FRAME_SECONDS, [])
        if is_shown():
            return
        if number % every == every - 1:
            show(1 / FRAMES_A_SECOND)
