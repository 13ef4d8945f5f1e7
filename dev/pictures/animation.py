"""A short game without sound as a moving picture: docs/game.png, which browsers play and everybody else shows still.

The form is APNG, whose frames are those of PNG files: pygame writes these, and what stands between them is added here.
After https://www.w3.org/TR/png-3/.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
import pygame

from dev.pictures.boards import middle_game
from dev.pictures.looks import draw_whole
from papan.ai.players import HUMAN
from papan.game.game import Game
from papan.game.match import Match
from papan.self_test import FRAME_SECONDS
from papan.ui.window.program import Program

SIZE = (1024, 640)
WIDTH = 768
TURNS = 14
FRAMES_A_SECOND = 10
STILL_SECONDS, LAST_SECONDS = 0.5, 2.0
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_STAYS, _OVER = 0, 1
"""A frame stays where it is when it has been shown, and the next one is laid over it."""
_MOST_FRAMES_A_STEP = 90


def animated_png(pictures: Sequence[pygame.Surface], seconds: Sequence[float]) -> bytes:
    """The APNG that shows each of *pictures*, all of one size, for so many *seconds*, again and again.

    A frame has only what differs from the one before; all else of it is transparent, and takes next to no room.
    """
    first = pictures[0].convert_alpha()
    frames = [(first, (0, 0)), *(_changes(one, other) for one, other in pairwise(pictures))]
    [header] = [content for kind, content in _chunks(first) if kind == b"IHDR"]
    written = [_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for (frame, at), shown in zip(frames, seconds, strict=True):
        control = struct.pack(">IIIIIHHBB", number, *frame.get_size(), *at, round(1000 * shown), 1000, _STAYS, _OVER)
        written.append(_chunk(b"fcTL", control))
        data = b"".join(content for kind, content in _chunks(frame) if kind == b"IDAT")
        if number:
            written.append(_chunk(b"fdAT", struct.pack(">I", number + 1) + data))
        else:
            written.append(_chunk(b"IDAT", data))
        number += 2 if number else 1
    return b"".join([*written, _chunk(b"IEND", b"")])


def _changes(one: pygame.Surface, other: pygame.Surface) -> tuple[pygame.Surface, tuple[int, int]]:
    """The smallest picture that makes *other* of *one*, and where it goes; a single pixel where they look the same."""
    differs = (pygame.surfarray.array3d(one) != pygame.surfarray.array3d(other)).any(axis=2)
    columns, rows = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    place = pygame.Rect(0, 0, 1, 1)
    if len(columns):
        left, right, top, bottom = (int(bound) for bound in (columns[0], columns[-1], rows[0], rows[-1]))
        place = pygame.Rect(left, top, right - left + 1, bottom - top + 1)
    within = differs[place.left : place.right, place.top : place.bottom]
    frame = other.subsurface(place).convert_alpha()
    pygame.surfarray.pixels3d(frame)[~within] = 0
    pygame.surfarray.pixels_alpha(frame)[:] = np.where(within, 255, 0)
    return frame, place.topleft


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _chunks(picture: pygame.Surface) -> Iterator[tuple[bytes, bytes]]:
    """The kinds and contents of the chunks of *picture* as a PNG file."""
    file = io.BytesIO()
    pygame.image.save(picture, file, ".png")
    written = file.getvalue()
    at = len(_SIGNATURE)
    while at < len(written):
        (length,) = struct.unpack_from(">I", written, at)
        yield written[at + 4 : at + 8], written[at + 8 : at + 8 + length]
        at += length + 12


def game_in_pictures(program: Program, game: Game) -> bytes:
    """The APNG of a match of *game* between computers in the window of *program*, step by step as it is animated."""
    played = middle_game(game, TURNS)
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
    """*picture* as wide as pages of documents show it."""
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
