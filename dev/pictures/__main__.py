"""``python -m dev.pictures``: every scene in every look as a PNG file, drawn without a display.

python -m dev.pictures --out /tmp/pictures --scene library --language pt
python -m dev.pictures --check               counts texts that are cut off or overlap; exits with 1 if any
python -m dev.pictures --contrast            measures texts' contrast to their background; exits with 1 if too low
python -m dev.pictures --owners              compares pieces on boards as colour-blind people see them
python -m dev.pictures --boards othello      docs/boards/othello.png; without a name, every game's
python -m dev.pictures --documents           docs/screenshot.png and docs/game.png
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import click
import pygame

from dev.pictures.looks import (
    ANIMATION_SIZE,
    SCALES,
    SIZES,
    Look,
    Looks,
    draw_analysed,
    draw_page,
    draw_table,
    game_in_pictures,
    put_on,
)
from dev.pictures.measuring import LEAST_CONTRAST, Contrasts, Standing, Written, faults_of
from dev.pictures.owners import pairs, piece_styles
from dev.scenery import STOPS, Stop, fill_library, go_to, settle
from papan.game.base.places import CHECKOUT, HOME_VARIABLE
from papan.game.catalogue import BUILT_IN, GALLERY
from papan.game.game import Game
from papan.game.kernel.cache import kernel_cache_folder
from papan.lab.printing import show
from papan.self_test import close_in_order
from papan.ui.drawing import theme
from papan.ui.drawing.lettering import Witness
from papan.ui.drawing.theme import THEMES
from papan.ui.texts import NAMES
from papan.ui.window.program import Program
from papan.ui.window.screen_reader import ScreenReader

DOCUMENTS = CHECKOUT / "docs"
USUAL_SIZE = (1280, 800)
GAME = "connect-four"
PERCENTS = [f"{100 * scale:.0f}" for scale in theme.SCALES]
SHOWN_GAME = "santorini"
"""The game of the documents' first picture; the animated one shows a game with few moving things at a time."""


class _Size(click.ParamType[tuple[int, int]]):
    """A window size, such as 1280x800."""

    name = "size"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        width, _, height = str(value).partition("x")
        if not (width.isdecimal() and height.isdecimal()):
            self.fail(f"{value} is no size such as 1280x800", param, ctx)
        return int(width), int(height)


@contextmanager
def drawing(witness: Witness | None = None, screen_reader: ScreenReader | None = None) -> Iterator[Program]:
    """A program with a temporary home folder, which completes every frame and reports texts to *witness*."""
    kernel_cache_folder()  # set before the home changes, so that the user's compiled kernels are used
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home,
        mock.patch.dict(os.environ, {HOME_VARIABLE: home}),
    ):
        program = Program(size=USUAL_SIZE, screen_reader=screen_reader)
        program.app.frame_budget.painting_seconds = math.inf
        program.app.paint.witness = witness
        program.app.settings.theme = "light"
        program.app.apply_settings()
        try:
            yield program
        finally:
            close_in_order(program)


def looked_at(
    program: Program, stops: Sequence[Stop], game: Game, looks: Looks, settling: float
) -> Iterator[tuple[Stop, Look]]:
    """Show each of *stops* in each of *looks* in the window of *program*, and yield the two while it is shown."""
    for language in looks.languages:
        for stop in stops:
            put_on(program, Look(language=language))
            if go_to(program, stop, game) is None:
                continue
            settle(program, settling)
            for look in looks.of_language(language):
                put_on(program, look)
                settle(program, 2.0, 0.15)
                yield stop, look


def tell_faults(found: Iterable[tuple[Stop, Look, str, Sequence[object]]]) -> set[tuple[str, object]]:
    """Print each scene's faults, each once; return all of them with their scenes' names."""
    told = set[tuple[str, object]]()
    for stop, look, head, faults in found:
        show(f"{head}  {stop.name}, {look}")
        for fault in faults:
            if (stop.name, fault) not in told:
                told.add((stop.name, fault))
                show(f"        {fault}")
    return told


def check(stops: Sequence[Stop], game: Game, looks: Looks, settling: float) -> Counter[str]:
    """Print the faults of texts in *stops*; return the number of faults of each kind."""
    written, total = Written(), Counter[str]()

    def found(program: Program) -> Iterator[tuple[Stop, Look, str, Sequence[object]]]:
        for stop, look in looked_at(program, stops, game, looks, settling):
            faults = faults_of(program, written)
            total.update(fault.kind for fault in faults)
            yield stop, look, f"{len(faults):>4}", faults

    with drawing(written) as program:
        fill_library(program)
        tell_faults(found(program))
    return total


def measure(stops: Sequence[Stop], game: Game, looks: Looks, settling: float) -> tuple[int, int, float]:
    """Print the texts in *stops* with too little contrast.

    :returns: their number, the number of all texts, and the least sufficient contrast.
    """
    contrasts, every = Contrasts(), list[Standing]()

    def found(program: Program) -> Iterator[tuple[Stop, Look, str, Sequence[object]]]:
        for stop, look in looked_at(program, stops, game, looks, settling):
            standing = contrasts.look_at(program)
            every.extend(standing)
            faults = [one for one in standing if one.contrast < LEAST_CONTRAST]
            yield stop, look, f"{len(faults):>4} of {len(standing):>4}", faults

    with drawing(contrasts) as program:
        fill_library(program)
        told = tell_faults(found(program))
    least = min((one.contrast for one in every if one.contrast >= LEAST_CONTRAST), default=math.inf)
    return len(told), len(every), least


def compare(games: Sequence[Game]) -> int:
    """Print how well pieces on the boards of *games* can be told apart; return the number of pairs that can't."""
    number = 0
    with drawing():
        looks = [(game, theme_name, style) for game in games for theme_name in THEMES for style in piece_styles(game)]
        for game, theme_name, style in looks:
            found = list(pairs(game, theme_name, style))
            alike = [pair for pair in found if not pair.is_told_apart]
            number += len(alike)
            least = min(found, key=lambda pair: pair.share)
            words = f"{least.share:.0%} {least.first} / {least.second} ({least.vision})"
            show(f"{len(alike):>4} of {len(found):>4}  {game.name} {style}, {theme_name}: the least {words}")
    return number


def draw_all(folder: Path, stops: Sequence[Stop], game: Game, looks: Looks, settling: float) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    with drawing() as program:
        fill_library(program)
        for stop, look in looked_at(program, stops, game, looks, settling):
            name = f"{stop.name.replace(' ', '-')}-{look.file_name}.png"
            pygame.image.save(draw_page(program), folder / name)
            number += 1
    return number


def draw_boards(names: Sequence[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with drawing() as program:
        for name in names or [name for name in GALLERY if name in BUILT_IN]:
            pygame.image.save(draw_table(program, GALLERY[name]), folder / f"{name}.png")


def draw_documents(folder: Path) -> None:
    with drawing() as program:
        pygame.image.save(draw_analysed(program, GALLERY[SHOWN_GAME]), folder / "screenshot.png")
        put_on(program, Look(size=ANIMATION_SIZE))
        (folder / "game.png").write_bytes(game_in_pictures(program, GALLERY[GAME]))


@click.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("pictures"), help="The folder; default: pictures.")
@click.option("--scene", "scenes", multiple=True, type=click.Choice(list(STOPS)), help="Only this; may be repeated.")
@click.option("--game", default=GAME, type=click.Choice(list(GALLERY)), help=f"Shown in scenes; default: {GAME}.")
@click.option("--language", "languages", multiple=True, type=click.Choice(list(NAMES)), help="Only in this one.")
@click.option("--theme", "themes", multiple=True, type=click.Choice(list(THEMES)), help="Only in this one.")
@click.option("--size", "sizes", multiple=True, type=_Size(), help="Of the window, such as 1280x800.")
@click.option("--scale", "scales", multiple=True, type=click.Choice(PERCENTS), help="Percent; default: 100.")
@click.option("--settling", default=20.0, help="Seconds that a scene has at most to show all it finds.")
@click.option("--check", "checks", is_flag=True, help="Draw nothing, but count what is wrong; scales 100, 150, 200.")
@click.option("--contrast", "measures", is_flag=True, help="Draw nothing, but measure how texts stand out.")
@click.option("--owners", "compares", is_flag=True, help="Draw nothing, but compare what stands on boards.")
@click.option("--boards", is_flag=True, help="The documents' pictures of boards: of GAMES, or of all.")
@click.option("--documents", is_flag=True, help="The documents' first pictures.")
@click.argument("games", nargs=-1, type=click.Choice(list(GALLERY)))
def main(
    out: Path,
    scenes: Sequence[str],
    game: str,
    languages: Sequence[str],
    themes: Sequence[str],
    sizes: Sequence[tuple[int, int]],
    scales: Sequence[str],
    settling: float,
    checks: bool,
    measures: bool,
    compares: bool,
    boards: bool,
    documents: bool,
    games: Sequence[str],
) -> None:
    """Draw every scene without a display, or say what is wrong with its texts."""
    if compares:
        sys.exit(1 if compare([GALLERY[name] for name in games or GALLERY]) else 0)
    if boards:
        draw_boards(games, DOCUMENTS / "boards")
    if documents:
        draw_documents(DOCUMENTS)
    if boards or documents:
        return
    stops = [STOPS[name] for name in scenes or STOPS]
    usual = SCALES if checks else SCALES[:1]
    looks = Looks(
        sizes or SIZES,
        [int(scale) / 100 for scale in scales] or usual,
        themes or tuple(THEMES),
        languages or tuple(NAMES),
    )
    if measures:
        faults, number, least = measure(stops, GALLERY[game], looks, settling)
        show(f"{faults} of {number} texts are below {LEAST_CONTRAST}; of the others the least has {least:.2f}.")
        sys.exit(1 if faults else 0)
    if not checks:
        show(f"{draw_all(out, stops, GALLERY[game], looks, settling)} pictures in {out}")
        return
    total = check(stops, GALLERY[game], looks, settling)
    show(", ".join(f"{number} {kind}" for kind, number in sorted(total.items())) or "Nothing is cut off.")
    sys.exit(1 if total else 0)


if __name__ == "__main__":
    main()
