"""The looks of a scene: sizes, scales, themes, languages."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import pygame
from PIL import Image

from papan.ai.players import HUMAN, make_player, situation
from papan.game.game import Game
from papan.game.match import Match
from papan.game.rules import CHANCE
from papan.self_test import FRAME_SECONDS
from papan.ui.drawing.theme import THEMES
from papan.ui.texts import NAMES
from papan.ui.window.program import Program

SIZES = ((1024, 640), (1280, 800))  # of the window in pixels, whatever the scale
SCALES = (1.0, 1.5, 2.0)
_FRAMES = 8


@dataclass(frozen=True)
class Look:
    size: tuple[int, int] = SIZES[0]
    scale: float = 1.0
    theme: str = "light"
    language: str = "en"

    def __str__(self) -> str:
        width, height = self.size
        return f"{width}x{height}, {self.scale:.0%}, {self.theme}, {self.language}"

    @property
    def file_name(self) -> str:
        width, height = self.size
        return f"{width}x{height}-{100 * self.scale:.0f}-{self.theme.replace(' ', '-')}-{self.language}"


@dataclass(frozen=True)
class Looks:
    """All combinations of sizes, scales, themes and languages; by default with the usual scale only."""

    sizes: Sequence[tuple[int, int]] = SIZES
    scales: Sequence[float] = SCALES[:1]
    themes: Sequence[str] = tuple(THEMES)
    languages: Sequence[str] = tuple(NAMES)

    def of_language(self, language: str) -> Iterator[Look]:
        for size, scale, theme in product(self.sizes, self.scales, self.themes):
            yield Look(size, scale, theme, language)


def put_on(program: Program, look: Look) -> None:
    app = program.app
    app.window.size = look.size
    app.settings.scale, app.settings.theme = look.scale / app.system_scale, look.theme
    app.settings.language = look.language
    app.step(FRAME_SECONDS, [pygame.event.Event(pygame.WINDOWSIZECHANGED, x=app.window.size[0], y=app.window.size[1])])
    app.apply_settings()


def draw_whole(program: Program, frames: int = _FRAMES) -> pygame.Surface:
    """The window of *program* after *frames* frames, completely redrawn."""
    for _ in range(frames):
        program.app.step(FRAME_SECONDS, [])
    program.app.invalidate()
    program.app.step(FRAME_SECONDS, [])
    return program.app.surface


def draw_page(program: Program) -> pygame.Surface:
    """The whole page of the topmost scene of *program*, even if it is higher than the window."""
    scene, window = program.app.scene, draw_whole(program, 1)
    if scene is None or scene.is_overlay or scene.widgets.page.is_whole:
        return window
    page = pygame.Surface(scene.widgets.page.area.size, 0, window)
    page.fill(program.app.theme.background)
    scene.draw(page)
    scene.widgets.draw(page)
    return page


PLAYED_SEED = 5
TURNS = 16


def middle_game(game: Game, turns: int = TURNS) -> Match:
    """A match between a person and computers after at least *turns* turns, with the person to act."""
    seats = [HUMAN, *["minimax:easy"] * (game.seats[0] - 1)]
    match = Match.new(game, seats, {"first": "1"}, PLAYED_SEED)
    player = make_player("minimax:depth=1", game)
    while not match.ending and (len(match.turns()) < turns or match.mover != 0):
        match.play(match.chance_step() if match.mover == CHANCE else player.choose(situation(match)).step)
    if match.ending:
        match.undo()
        while match.mover != 0:
            match.undo()
    return match


def draw_table(program: Program, game: Game) -> pygame.Surface:
    """The window in the middle of a match of *game*; if steps have several cells, with a piece chosen."""
    table = program.sit_down(middle_game(game))
    draw_whole(program)
    targets = sorted(table.session.turn.targets())
    if targets and len(game.rules.cells(table.match.state, table.match.legal_steps()[0])) > 1:
        table.session.point(targets[len(targets) // 2])
    return draw_whole(program)


def draw_analysed(program: Program, game: Game, seconds: float = 8.0) -> pygame.Surface:
    """The window in the middle of a match of *game*, after *seconds* of analysis next to the board."""
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
    """A looping APNG of *pictures*, all of one size, each shown for its number of *seconds*."""
    first, *others = (Image.frombytes("RGB", one.get_size(), pygame.image.tobytes(one, "RGB")) for one in pictures)
    file, milliseconds = io.BytesIO(), [round(1000 * shown) for shown in seconds]
    first.save(file, "PNG", save_all=True, append_images=others, duration=milliseconds, loop=0, optimize=True)
    return file.getvalue()


def game_in_pictures(program: Program, game: Game) -> bytes:
    """An APNG of a match of *game* in the window of *program*, with the steps' animations."""
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
    """Run the animation of a step, and call *show* for some of its frames."""
    every = round(1 / FRAMES_A_SECOND / FRAME_SECONDS)
    for number in range(_MOST_FRAMES_A_STEP):
        program.app.step(FRAME_SECONDS, [])
        if is_shown():
            return
        if number % every == every - 1:
            show(1 / FRAMES_A_SECOND)
